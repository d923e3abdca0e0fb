//! What a run would do, cost and ask, before anything of it is done.

use autopilot_core::{
    evidence::Check,
    phases::PhaseSpec,
    policy::{Estimate, PhaseType, estimate_phase, estimate_session},
    project::Project as Told,
    roadmap::{Complexity, PhaseId, Plan, TaskKind},
    role::Role,
};
use autopilot_engine::git::RepoPath;
use autopilot_views::{clean, table};

use super::{choice::Choice, here::Here};
use crate::{commands::engine_failure, config::Config, failure::Failure, ui::Ui};

/// Those who look at the result as a whole.
const FINALE: [Role; 2] = [Role::IntegrationChecker, Role::Auditor];
/// The roles of a phase, in the order in which it meets them.
const ROLES: [Role; 8] = [
    Role::Researcher,
    Role::Planner,
    Role::PlanChecker,
    Role::Executor,
    Role::Verifier,
    Role::Judge,
    Role::Rater,
    Role::Debugger,
];

/// What a run would do.
pub(super) struct Preview<'a> {
    config: &'a Config,
    told: &'a Told,
    guards: &'a [Check],
    phases: Vec<Ahead<'a>>,
}

/// A phase that is to be done.
struct Ahead<'a> {
    spec: &'a PhaseSpec,
    kind: PhaseType,
    estimate: Estimate,
    /// What a person is asked by a plan that is there already.
    questions: Vec<String>,
}

impl<'a> Preview<'a> {
    /// Looks at what the phases name, and at the plans that the last commit has for them.
    pub(super) fn of(
        here: &Here<'_>,
        (config, told): (&'a Config, &'a Told),
        specs: &'a [PhaseSpec],
        guards: &'a [Check],
    ) -> Result<Self, Failure> {
        let mut phases = Vec::new();
        for spec in specs {
            phases.push(ahead(here, config, spec)?);
        }
        Ok(Self { config, told, guards, phases })
    }

    /// Says which phases are likely to cost most of what they may.
    pub(super) fn warn(&self, choice: &Choice<'_>, ui: &mut Ui) {
        for phase in self.phases.iter().filter(|phase| phase.estimate.warn) {
            ui.warn(&format!(
                "phase {} is likely to take {} tokens, {} % of what a phase may (`limits.phase_tokens`); consider \
                 splitting it",
                phase.spec.id, phase.estimate.tokens, phase.estimate.percent
            ));
        }
        let limit = self.config.limits.run_tokens;
        if self.tokens() > limit {
            ui.warn(&format!(
                "all phases together are likely to take {} tokens, and the run may take {limit} (`limits.run_tokens`)",
                self.tokens()
            ));
        }
        if let Some(session) = self.session(choice).filter(|session| session.warn) {
            ui.warn(&told_of(session));
        }
    }

    /// What phases cost together that are done again or improved.
    fn session(&self, choice: &Choice<'_>) -> Option<Estimate> {
        let phases: Vec<Estimate> = self.phases.iter().map(|phase| phase.estimate).collect();
        choice.is_about_what_is_there().then(|| estimate_session(&phases))?
    }

    /// What a phase is likely to cost, for what is recorded of it.
    pub(super) fn tokens_of(&self, id: PhaseId) -> Option<u64> {
        let found = self.phases.iter().find(|phase| phase.spec.id == id);
        found.map(|phase| phase.estimate.tokens)
    }

    /// All of it, for people.
    pub(super) fn text(&self, choice: &Choice<'_>, all: usize) -> String {
        let mut text = self.order();
        text.push_str(&format!(
            "\n{} of {all} phases would run, in this order.\n",
            self.phases.len()
        ));
        text.push_str(&self.agents());
        text.push_str(&self.gates());
        text.push_str(&self.budget(choice));
        text.push_str(&self.questions(choice));
        text
    }

    fn order(&self) -> String {
        let heading =
            ["PHASE", "NAME", "AFTER", "CRITERIA WITH A COMMAND", "KIND", "TOKENS, LIKELY"];
        let mut rows = vec![heading.map(str::to_owned).to_vec()];
        for Ahead { spec, kind, estimate, .. } in &self.phases {
            let after: Vec<&str> = spec.depends_on.iter().map(|id| id.as_str()).collect();
            let with_command = spec.criteria.iter().filter(|one| one.command.is_some()).count();
            rows.push(vec![
                spec.id.to_string(),
                clean(&spec.name),
                after.join(", "),
                format!("{with_command} of {}", spec.criteria.len()),
                kind.name().to_owned(),
                estimate.tokens.to_string(),
            ]);
        }
        table(&rows)
    }

    fn agents(&self) -> String {
        let mut rows = vec![["ROLE", "AGENT"].map(str::to_owned).to_vec()];
        let finale = FINALE.into_iter().filter(|_| self.config.audit);
        for role in ROLES.into_iter().chain(finale) {
            let named = self.config.roles.get(&role).or(self.config.default_agent.as_ref());
            let agent = named.map_or_else(|| "none".to_owned(), ToString::to_string);
            rows.push(vec![role.name().to_owned(), clean(&agent)]);
        }
        format!("\n{}", table(&rows))
    }

    fn gates(&self) -> String {
        let project = format!("\nproject: {}\n", clean(&self.told.to_string()));
        if self.guards.is_empty() {
            return project
                + "\nguards: none; name commands that must stay green below `[guards]`\n";
        }
        let mut rows = vec![["GUARD", "COMMAND"].map(str::to_owned).to_vec()];
        for guard in self.guards {
            let command = guard.criterion.command.as_deref().unwrap_or_default();
            rows.push(vec![guard.name.clone(), clean(command)]);
        }
        format!("{project}\n{}", table(&rows))
    }

    fn budget(&self, choice: &Choice<'_>) -> String {
        let limits = &self.config.limits;
        let percent = self.tokens().saturating_mul(100) / limits.run_tokens.max(1);
        let mut text = format!(
            "\nscore to reach: {}\nlimits: {} tokens and {} minutes for the run, {} tokens and {} minutes for a phase\n\
             estimate: {} tokens, {percent} % of what the run may take\n",
            choice.pass_score(self.config.pass_score),
            limits.run_tokens,
            limits.run_minutes,
            limits.phase_tokens,
            limits.phase_minutes,
            self.tokens(),
        );
        for phase in self.phases.iter().filter(|phase| phase.estimate.warn) {
            text.push_str(&format!(
                "phase {} is likely to take {} % of what a phase may; consider splitting it\n",
                phase.spec.id, phase.estimate.percent
            ));
        }
        if let Some(session) = self.session(choice) {
            text.push_str(&format!("{}\n", told_of(session)));
        }
        text
    }

    fn questions(&self, choice: &Choice<'_>) -> String {
        let mut asked: Vec<String> = self
            .phases
            .iter()
            .flat_map(|phase| phase.questions.iter().map(|one| (phase.spec.id, one)))
            .map(|(id, question)| format!("phase {id}: {}", clean(question)))
            .collect();
        let talk = choice.manner.talk;
        if talk.discuss {
            asked.insert(0, "first, how phases are to be done, one question at a time".to_owned());
        }
        if talk.map {
            let lacking = "before the first phase, what phases lack, all at once";
            asked.insert(usize::from(talk.discuss), lacking.to_owned());
        }
        if let Some(every) = choice.manner.checkpoint_every {
            let every = match every {
                1 => "phase".to_owned(),
                every => format!("{every} phases"),
            };
            asked.push(format!("after every {every} the run waits for `autopilot resume`"));
        }
        asked.push(
            "whether an edit of a file that decides may count, if an agent makes one".to_owned(),
        );
        asked.push("what new plans leave to a person".to_owned());
        let lines: String = asked.iter().map(|line| format!("- {line}\n")).collect();
        format!("\nWhat you will be asked:\n{lines}")
    }

    fn tokens(&self) -> u64 {
        self.phases.iter().map(|phase| phase.estimate.tokens).sum()
    }
}

/// What is said of phases that are done again or improved together.
fn told_of(session: Estimate) -> String {
    format!(
        "doing these phases again or improving them is likely to take {} tokens, {} % of what one session of an agent holds; \
         consider fewer of them at a time",
        session.tokens, session.percent
    )
}

fn ahead<'a>(here: &Here<'_>, config: &Config, spec: &'a PhaseSpec) -> Result<Ahead<'a>, Failure> {
    let path = format!("{}/PLAN.md", spec.directory);
    let bytes = RepoPath::new(path.as_bytes())
        .and_then(|path| here.repository.read_file_at(here.commit, &path))
        .map_err(|error| engine_failure(&error.into()))?;
    let plan = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let tasks = plan.map(|text| Plan::parse(&text).tasks).unwrap_or_default();
    let complexities: Vec<Complexity> =
        tasks.iter().map(|task| task.complexity.unwrap_or(Complexity::Medium)).collect();
    let files: Vec<&str> = tasks.iter().flat_map(|task| &task.files).map(String::as_str).collect();
    let kind = if files.is_empty() {
        let texts = spec.criteria.iter().map(|one| one.command.as_deref().unwrap_or(&one.text));
        let text: Vec<&str> = [spec.goal.as_str()].into_iter().chain(texts).collect();
        PhaseType::of_text(&text.join(" "), config.ui.as_deref())
    } else {
        PhaseType::of_paths(files, config.ui.as_deref())
    };
    let known = Some(complexities.as_slice()).filter(|tasks| !tasks.is_empty());
    let estimate = estimate_phase(known, kind, config.limits.phase_tokens);
    let questions = tasks.iter().filter_map(|task| {
        let what = match &task.kind {
            TaskKind::HumanVerify => "look at the result of",
            TaskKind::HumanAction => "do",
            TaskKind::Decision => "decide",
            TaskKind::Auto | TaskKind::Other(_) => return None,
        };
        Some(format!("{what} task {} ({})", task.id, task.name))
    });
    Ok(Ahead { spec, kind, estimate, questions: questions.collect() })
}
