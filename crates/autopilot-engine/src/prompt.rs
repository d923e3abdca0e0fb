//! Turns a brief into the prompt of a role.

mod own;
mod sample;
#[cfg(test)]
mod shown;

use std::{collections::BTreeMap, path::Path, sync::OnceLock};

use autopilot_core::{
    effect::AgentTask,
    policy::response_lines_max,
    returns::{self, Sitting},
    roadmap::PhaseId,
    role::{Access, Role},
    time::{MINUTE_MS, SECOND_MS},
};
use minijinja::{
    Environment, context,
    value::{Serde, Value},
};

pub use self::own::PromptError;

/// The templates, by name. A role's template carries its name; parts begin with an underscore.
const TEMPLATES: [(&str, &str); 27] = [
    ("_head", include_str!("prompts/_head.md")),
    ("_run", include_str!("prompts/_run.md")),
    ("_tail", include_str!("prompts/_tail.md")),
    ("_findings", include_str!("prompts/_findings.md")),
    ("_lessons", include_str!("prompts/_lessons.md")),
    ("_refused", include_str!("prompts/_refused.md")),
    ("_handoff", include_str!("prompts/_handoff.md")),
    ("_diff", include_str!("prompts/_diff.md")),
    ("_traced", include_str!("prompts/_traced.md")),
    ("_map", include_str!("prompts/_map.md")),
    ("researcher", include_str!("prompts/researcher.md")),
    ("planner", include_str!("prompts/planner.md")),
    ("plan-checker", include_str!("prompts/plan-checker.md")),
    ("executor", include_str!("prompts/executor.md")),
    ("debugger", include_str!("prompts/debugger.md")),
    ("verifier", include_str!("prompts/verifier.md")),
    ("judge", include_str!("prompts/judge.md")),
    ("judge-second", include_str!("prompts/judge-second.md")),
    ("rater", include_str!("prompts/rater.md")),
    ("auditor", include_str!("prompts/auditor.md")),
    ("integration-checker", include_str!("prompts/integration-checker.md")),
    ("_issue", include_str!("prompts/_issue.md")),
    ("story-writer", include_str!("prompts/story-writer.md")),
    ("issue-planner", include_str!("prompts/issue-planner.md")),
    ("implementer", include_str!("prompts/implementer.md")),
    ("coverage-checker", include_str!("prompts/coverage-checker.md")),
    ("cause-analyst", include_str!("prompts/cause-analyst.md")),
];

/// What a prompt is made from besides its task.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material<'a> {
    /// The change under review, for roles that see one.
    pub diff: &'a str,
    /// Where a map of the repository is, for roles that find their way by it.
    pub repo_map: Option<&'a Path>,
}

/// The templates that prompts are written from: the program's own, or a person's in their place.
#[derive(Debug)]
pub struct Prompts {
    environment: Environment<'static>,
    /// The templates that are the person's own, with the SHA-256 of each.
    own: BTreeMap<String, String>,
}

impl Prompts {
    /// The program's own.
    pub fn built_in() -> Self {
        let mut environment = Environment::new();
        for (name, text) in TEMPLATES {
            environment.add_template(name, text).expect("the templates are part of the program");
        }
        Self { environment, own: BTreeMap::new() }
    }

    /// The templates that are a person's own, with the SHA-256 of each.
    pub fn own(&self) -> &BTreeMap<String, String> {
        &self.own
    }

    /// Writes the prompt for a task.
    pub fn write(
        &self,
        task: &AgentTask,
        material: &Material<'_>,
    ) -> Result<String, minijinja::Error> {
        render(&self.environment, task, material)
    }
}

/// The names of the templates, with the program's own text of each.
pub fn templates() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEMPLATES.into_iter()
}

fn render(
    environment: &Environment<'_>,
    task: &AgentTask,
    material: &Material<'_>,
) -> Result<String, minijinja::Error> {
    let template = environment.get_template(template(task.role, task.sitting))?;
    template.render(values(task, material))
}

/// What a template can name.
fn values(task: &AgentTask, material: &Material<'_>) -> Value {
    context! {
        role => task.role.name(),
        writes => task.role.access() == Access::Write,
        minutes => task.time_ms_max.div_ceil(MINUTE_MS),
        silent_seconds => task.silence_ms_max.div_ceil(SECOND_MS),
        lines => response_lines_max(task.role),
        phase => task.phase.as_ref().map(PhaseId::as_str),
        schema => schema(task.role, task.sitting),
        diff => material.diff,
        repo_map => material.repo_map.map(|path| path.display().to_string()),
        ..Value::from(Serde(&task.brief))
    }
}

/// The template of a role. Only a judge is asked twice.
const fn template(role: Role, sitting: Sitting) -> &'static str {
    match (role, sitting) {
        (Role::Judge, Sitting::Second) => "judge-second",
        (role, _) => role.name(),
    }
}

/// The file that the JSON schema of a role's return is in.
pub fn schema_file(role: Role, sitting: Sitting) -> String {
    format!("{}.json", template(role, sitting))
}

/// The JSON schema of a role's return, as text. Made once: every step of the role needs it.
pub fn schema(role: Role, sitting: Sitting) -> &'static str {
    static SCHEMAS: OnceLock<BTreeMap<(Role, Sitting), String>> = OnceLock::new();
    let schemas = SCHEMAS.get_or_init(|| {
        let text = |role, sitting| {
            let schema = returns::schema(role, sitting);
            ((role, sitting), serde_json::to_string_pretty(&schema).unwrap_or_default())
        };
        let all = Role::ALL.into_iter();
        all.flat_map(|role| [Sitting::First, Sitting::Second].map(|sitting| text(role, sitting)))
            .collect()
    });
    schemas.get(&(role, sitting)).map_or("{}", String::as_str)
}

#[cfg(test)]
mod tests {
    use autopilot_core::{
        id::AgentName,
        phases::{Brief, Commands, Lesson, Tried, VerificationSeen, Verified},
        policy::FailureCategory,
        returns::{Judgement, Recommendation},
    };

    use super::*;

    fn prompt(task: &AgentTask, material: &Material<'_>) -> Result<String, minijinja::Error> {
        Prompts::built_in().write(task, material)
    }

    const MATERIAL: Material<'static> = Material { diff: "the diff", repo_map: None };

    fn task(role: Role) -> AgentTask {
        AgentTask {
            role,
            agent: AgentName::new("agent"),
            sitting: Sitting::First,
            phase: Some("3".parse().expect("an id")),
            task: None,
            base: autopilot_core::id::CommitId::new("base"),
            judged_by: autopilot_core::id::CommitId::new("b"),
            planned: None,
            brief: Brief {
                phase_name: "Languages".to_owned(),
                goal: "It greets in German.".to_owned(),
                findings: vec!["a finding of someone".to_owned()],
                lessons: vec![Lesson {
                    phase: "2".parse().expect("an id"),
                    category: FailureCategory::LintFailure,
                    rule: "Run the linter.".to_owned(),
                }],
                ..Brief::default()
            },
            handover: None,
            time_ms_max: 1,
            silence_ms_max: 1,
        }
    }

    #[test]
    fn c8_a_planner_is_told_what_the_rules_ask_for() {
        let mut task = task(Role::Planner);
        task.brief.requirements = vec!["LANG-01".to_owned()];
        task.brief.directory = ".planning/phases/3-languages".to_owned();
        let text = prompt(&task, &Material::default()).expect("it renders");
        for told in [
            "- LANG-01\n",
            "| LANG-01 | 3-01 |",
            "in twenty words or more",
            "complexity=\"simple|medium|complex\"",
            ".planning/phases/3-languages/tests/task-ID.sh",
            "`RESULTS: 2 passed, 0 failed`",
            "read FILE:HANDLER and trace to WHAT IT DOES",
            "depends_on=\"3-01\"",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
        for expectation in text.split("`(").skip(1).filter_map(|rest| rest.split_once(")`")) {
            let line = format!("x -- verified by: `ls` ({})", expectation.0);
            let criterion = autopilot_core::evidence::Criterion::parse(&line);
            assert_eq!(criterion.objection(), None, "{line}");
        }
    }

    #[test]
    fn e7_a_rater_is_told_what_a_rating_rests_on_and_never_what_is_enough() {
        let mut task = task(Role::Rater);
        let heavy = "It is fast (weight: 2.5) -- verified by: `make bench`";
        task.brief.criteria.push(autopilot_core::evidence::Criterion::parse(heavy));
        let text = prompt(&task, &MATERIAL).expect("it renders");
        for told in ["`evidence`", "`src/lamp.rs:12`", "`justification`", "It is fast: counts 2.5"]
        {
            assert!(text.contains(told), "{told}: {text}");
        }
        let own = text.split("## What you return").next().unwrap_or_default();
        for hint in ["threshold", "pass score", "enough", "7.0", "9.0", "9.5", " 7 ", " 9 "] {
            assert!(!own.contains(hint), "{hint}: {own}");
        }
    }

    #[test]
    fn e2_whoever_judges_is_told_what_is_to_be_followed_by_reading() {
        let line = "A click saves -- verified by: read ui/Save.tsx:go and trace to store.save";
        let traced = autopilot_core::evidence::Criterion::parse(line);
        for role in [Role::Verifier, Role::Judge, Role::Rater] {
            let mut task = task(role);
            let text = prompt(&task, &MATERIAL).expect("it renders");
            assert!(!text.contains("followed by reading"), "{role}: {text}");
            task.brief.criteria.push(traced.clone());
            let text = prompt(&task, &MATERIAL).expect("it renders");
            for told in ["## What is to be followed by reading", line, "BEHAVIORAL_UNVERIFIABLE"] {
                assert!(text.contains(told), "{role}, {told}: {text}");
            }
        }
    }

    #[test]
    fn every_role_of_a_phase_has_a_prompt_that_ends_with_its_schema() {
        let roles = TEMPLATES.iter().filter_map(|(name, _)| Role::named(name));
        let of_issues = [
            Role::StoryWriter,
            Role::IssuePlanner,
            Role::Implementer,
            Role::CoverageChecker,
            Role::CauseAnalyst,
        ];
        for role in roles.filter(|role| !of_issues.contains(role)) {
            let text = prompt(&task(role), &MATERIAL).expect("it renders");
            let is_of_the_run = matches!(role, Role::Auditor | Role::IntegrationChecker);
            assert_eq!(text.contains("Phase 3: Languages"), !is_of_the_run, "{text}");
            assert!(text.contains(schema(role, Sitting::First)), "{text}");
        }
    }

    #[test]
    fn c34_whoever_plans_and_works_is_told_what_failed_phases_teach_and_whoever_judges_is_not() {
        for role in [Role::Planner, Role::Executor] {
            let text = prompt(&task(role), &MATERIAL).expect("it renders");
            assert!(text.contains("\n- Run the linter. (phase 2: lint_failure)\n"), "{text}");
        }
        for role in [Role::Verifier, Role::Judge, Role::Rater, Role::PlanChecker] {
            let text = prompt(&task(role), &MATERIAL).expect("it renders");
            assert!(!text.contains("Run the linter"), "{text}");
        }
    }

    /// A brief with everything in it that somebody must not know.
    fn full(role: Role, sitting: Sitting) -> AgentTask {
        let mut task = AgentTask { sitting, ..task(role) };
        task.brief.approach = Some("an approach of research".to_owned());
        task.brief.key_findings = vec!["a key finding".to_owned()];
        task.brief.own_report = Some(Judgement {
            recommendation: Recommendation::Proceed,
            concerns: vec!["a concern of the judge".to_owned()],
            independent_evidence: vec!["what the judge saw".to_owned()],
            scope_creep: None,
            missing_requirements: None,
            notes: None,
        });
        task.brief.verification = Some(Verified {
            pass: true,
            failures: vec!["a failure of the verifier".to_owned()],
            unproven: Vec::new(),
            at: autopilot_core::time::Timestamp::default(),
            seen: VerificationSeen {
                commands: Commands::Claimed(vec!["a command of the verifier".to_owned()]),
                criteria: vec!["a result of the verifier".to_owned()],
                ..VerificationSeen::default()
            },
        });
        task
    }

    const OPINIONS: [&str; 5] = [
        "a concern of the judge",
        "what the judge saw",
        "a failure of the verifier",
        "a command of the verifier",
        "a result of the verifier",
    ];

    #[test]
    fn c15_a_blind_prompt_holds_nothing_forbidden_even_where_the_brief_does() {
        let others =
            ["a finding of someone", "an approach of research", "a key finding", "Run the linter"];
        for role in [Role::Verifier, Role::Judge, Role::Rater] {
            let text = prompt(&full(role, Sitting::First), &MATERIAL).expect("it renders");
            for forbidden in OPINIONS.iter().chain(&others) {
                assert!(!text.contains(forbidden), "{role} is told `{forbidden}`: {text}");
            }
        }
        let text = prompt(&full(Role::Judge, Sitting::Second), &MATERIAL).expect("it renders");
        for told in OPINIONS {
            assert!(text.contains(told), "`{told}` is missing: {text}");
        }
        for forbidden in others {
            assert!(!text.contains(forbidden), "the judge is told `{forbidden}`: {text}");
        }
        assert!(text.contains("(by its own word)") && !text.contains("(seen)"), "{text}");
        assert!(text.contains(schema(Role::Judge, Sitting::Second)), "{text}");
    }

    #[test]
    fn e4_who_is_asked_again_is_told_why_and_who_is_not_is_told_nothing() {
        for role in [Role::Verifier, Role::Judge, Role::Rater] {
            let mut again = task(role);
            again.brief.refused = vec!["it ran no command".to_owned()];
            let text = prompt(&again, &MATERIAL).expect("it renders");
            assert!(text.contains("did not count\n\n- it ran no command\n"), "{text}");
            let text = prompt(&task(role), &MATERIAL).expect("it renders");
            assert!(!text.contains("did not count"), "{text}");
        }
    }

    #[test]
    fn e11_what_the_engine_saw_before_is_told_to_the_verifier_alone() {
        let tried = Tried {
            criterion: "it greets".to_owned(),
            command: "sh greet.sh".to_owned(),
            holds: true,
            exit_code: Some(0),
        };
        for role in [Role::Verifier, Role::Judge, Role::Rater] {
            let mut there = task(role);
            there.brief.triage = vec![tried.clone()];
            let text = prompt(&there, &MATERIAL).expect("it renders");
            let told = text.contains("- it greets: `sh greet.sh` held (exit code 0)\n");
            assert_eq!(told, role == Role::Verifier, "{text}");
        }
    }

    #[test]
    fn c44_whoever_plans_and_works_is_told_where_the_map_is_and_whoever_judges_is_not() {
        let there = Path::new("/state/repo-map.json");
        let material = Material { diff: "the diff", repo_map: Some(there) };
        let tells = |role| {
            let text = prompt(&task(role), &material).expect("it renders");
            text.contains("`/state/repo-map.json`")
        };
        for role in [Role::Researcher, Role::Planner, Role::Executor, Role::Debugger] {
            assert!(tells(role), "{role}");
        }
        for role in [Role::PlanChecker, Role::Verifier, Role::Judge, Role::Rater] {
            assert!(!tells(role), "{role}");
        }
    }

    #[test]
    fn whoever_judges_sees_the_change_and_no_finding_of_others() {
        for role in [Role::Verifier, Role::Judge, Role::Rater] {
            let text = prompt(&task(role), &MATERIAL).expect("it renders");
            assert!(text.contains("the diff") && !text.contains("a finding of someone"), "{text}");
        }
        let text = prompt(&task(Role::Debugger), &MATERIAL).expect("it renders");
        assert!(text.contains("a finding of someone") && !text.contains("the diff"), "{text}");
    }
}
