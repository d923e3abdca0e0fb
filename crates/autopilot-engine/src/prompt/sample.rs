//! One task of each kind, with everything in it, to try templates on.

use autopilot_core::{
    effect::AgentTask,
    evidence::Criterion,
    id::{AgentName, CommitId},
    issue::{AcceptanceCriterion, IssueBrief, Route},
    phases::{Brief, Commands, Delivered, Gap, Lesson, Tried, VerificationSeen, Verified},
    policy::FailureCategory,
    returns::{Judgement, Recommendation, Sitting, Standalone},
    roadmap::{PhaseId, Plan},
    role::Role,
    time::{MINUTE_MS, SECOND_MS},
};

/// A plan of one task.
const PLAN: &str = "<task id=\"3-01\" type=\"auto\" complexity=\"simple\">\n<name>Greet in German</name>\n\
    <files>greet.sh</files>\n<action>Let greet.sh read the variable GREETING_LANGUAGE and print Hallo where it is de.</action>\n\
    <acceptance_criteria>\n- it greets in German -- verified by: `GREETING_LANGUAGE=de sh greet.sh` (output contains \"Hallo\")\n\
    </acceptance_criteria>\n<verify>`sh tests/languages.sh`</verify>\n<done>the test passes</done>\n</task>\n";

/// One task for every prompt that there is.
pub(super) fn samples() -> Vec<AgentTask> {
    let workers = [
        (Role::Researcher, Brief::default()),
        (Role::Planner, planner()),
        (Role::PlanChecker, Brief { requirements: vec!["LANG-01".to_owned()], ..remarks() }),
        (Role::Executor, worker()),
        (Role::Executor, gap()),
        (Role::Debugger, worker()),
    ];
    let reviewers = [
        (Role::Verifier, verifier()),
        (Role::Judge, reviewer()),
        (Role::Rater, reviewer()),
        (Role::Auditor, run()),
        (Role::Auditor, Brief { missing: vec![missing()], ..run() }),
        (Role::IntegrationChecker, run()),
    ];
    let all = workers.into_iter().chain(reviewers).chain(of_issues());
    let first = all.map(|(role, brief)| task(role, Sitting::First, brief));
    first.chain([task(Role::Judge, Sitting::Second, second())]).collect()
}

fn of_issues() -> Vec<(Role, Brief)> {
    let issue = |route, is_repair| Brief {
        findings: vec!["[P0] Plan: begin with the test".to_owned()],
        issue: Some(IssueBrief {
            number: 42,
            title: "Greet in German".to_owned(),
            directory: "docs/issues/42-greet".to_owned(),
            route,
            criteria: vec![AcceptanceCriterion {
                id: "AC-1".to_owned(),
                text: "AC-1: it greets in German".to_owned(),
            }],
            tests: vec!["tests/german.sh".to_owned()],
            acceptance: "sh tests/run.sh".to_owned(),
            reproduced: (route == Route::Flaky).then_some((4, 20)),
            runs: 20,
            is_repair,
        }),
        ..Brief::default()
    };
    vec![
        (Role::StoryWriter, issue(Route::Full, false)),
        (Role::IssuePlanner, issue(Route::Full, false)),
        (Role::Implementer, issue(Route::Full, false)),
        (Role::Implementer, issue(Route::Flaky, true)),
        (Role::Implementer, issue(Route::Express, false)),
        (Role::CoverageChecker, issue(Route::Full, false)),
        (Role::CauseAnalyst, issue(Route::Flaky, false)),
    ]
}

fn task(role: Role, sitting: Sitting, brief: Brief) -> AgentTask {
    let of_the_run =
        matches!(role, Role::Auditor | Role::IntegrationChecker) || brief.issue.is_some();
    let work = brief.task.as_ref();
    AgentTask {
        role,
        agent: AgentName::new("agent"),
        sitting,
        phase: "3".parse::<PhaseId>().ok().filter(|_| !of_the_run),
        task: work.map(|task| task.id.clone()),
        base: CommitId::new("base"),
        judged_by: CommitId::new("base"),
        planned: None,
        brief: common(brief),
        handover: None,
        time_ms_max: 60 * MINUTE_MS,
        silence_ms_max: 300 * SECOND_MS,
    }
}

fn common(brief: Brief) -> Brief {
    let traced = "A click saves -- verified by: read ui/Save.tsx:go and trace to store.save";
    let run = "It greets in German (weight: 2) -- verified by: `sh tests/languages.sh`";
    Brief {
        phase_name: "Languages".to_owned(),
        goal: "It greets in German.".to_owned(),
        criteria: vec![Criterion::parse(run), Criterion::parse(traced)],
        directory: ".planning/phases/3-languages".to_owned(),
        findings: vec!["`sh tests/languages.sh`: exit code 1".to_owned()],
        ..brief
    }
}

fn lessons() -> Vec<Lesson> {
    let phase = "2".parse::<PhaseId>().into_iter();
    phase
        .map(|phase| Lesson {
            phase,
            category: FailureCategory::LintFailure,
            rule: "Run the linter before handing in.".to_owned(),
        })
        .collect()
}

fn remarks() -> Brief {
    Brief { remarks: vec!["the plan names no test".to_owned()], ..Brief::default() }
}

fn planner() -> Brief {
    Brief {
        approach: Some("read the language from the environment".to_owned()),
        key_findings: vec!["greet.sh has one line".to_owned()],
        requirements: vec!["LANG-01".to_owned()],
        handoff: Some("# What is done and what remains".to_owned()),
        lessons: lessons(),
        ..Brief::default()
    }
}

fn worker() -> Brief {
    Brief {
        task: Plan::parse(PLAN).tasks.into_iter().next(),
        lessons: lessons(),
        handoff: Some("# What is done and what remains".to_owned()),
        ..remarks()
    }
}

fn missing() -> Gap {
    Gap {
        requirement: "LANG-02".to_owned(),
        phase: None,
        what: "French is not there".to_owned(),
        remedy: Some("add it beside German".to_owned()),
        is_small: true,
        commits: Vec::new(),
        findings: Vec::new(),
        closed_in: None,
    }
}

fn gap() -> Brief {
    Brief { gap: Some(missing()), lessons: lessons(), ..run() }
}

fn run() -> Brief {
    let id = "3".parse::<PhaseId>().into_iter();
    let delivered = id.map(|id| Delivered {
        id,
        name: "Languages".to_owned(),
        goal: "It greets in German.".to_owned(),
        criteria: vec![Criterion::parse("It greets -- verified by: `sh greet.sh`")],
        directory: ".planning/phases/3-languages".to_owned(),
    });
    Brief {
        roadmap: ".planning/ROADMAP.md".to_owned(),
        delivered: delivered.collect(),
        ..Brief::default()
    }
}

fn reviewer() -> Brief {
    Brief {
        refused: vec!["it ran no command".to_owned()],
        look_harder: true,
        since: Some(CommitId::new("base")),
        ..Brief::default()
    }
}

fn verifier() -> Brief {
    Brief {
        left_to_a_person: vec!["Does the greeting look friendly?".to_owned()],
        standalone: vec![Standalone {
            file: "tools/once.sh".to_owned(),
            justification: "people start it by hand".to_owned(),
        }],
        triage: vec![Tried {
            criterion: "it greets".to_owned(),
            command: "sh greet.sh".to_owned(),
            holds: true,
            exit_code: Some(0),
        }],
        ..reviewer()
    }
}

fn second() -> Brief {
    Brief {
        own_report: Some(Judgement {
            recommendation: Recommendation::Proceed,
            concerns: vec!["nobody is greeted by name".to_owned()],
            independent_evidence: vec!["greet.sh:3 reads the variable".to_owned()],
            scope_creep: None,
            missing_requirements: None,
            notes: None,
        }),
        verification: Some(Verified {
            pass: true,
            failures: Vec::new(),
            unproven: Vec::new(),
            at: autopilot_core::time::Timestamp::default(),
            seen: VerificationSeen {
                commands: Commands::Claimed(vec!["sh tests/languages.sh".to_owned()]),
                criteria: vec!["it greets in German: verified".to_owned()],
                ..VerificationSeen::default()
            },
        }),
        ..reviewer()
    }
}
