//! A phase that failed, as the symptoms of a debug session.

use autopilot_core::{
    phases::{Close, DebugSpec, Status},
    report::{Chronicle, PostMortem},
    returns::{Observation, Symptoms},
    roadmap::PhaseId,
    run::{Run, Work},
};
use autopilot_engine::{book::replay, driver::Driver};

use super::{goal, short_slug};
use crate::{args, commands::engine_failure, failure::Failure, project::Project};

/// A phase that failed, by the journal of its run.
pub(super) struct FailedPhase {
    run: Run,
    id: PhaseId,
    why: PostMortem,
    /// The branch that its rejected work is on.
    branch: Option<String>,
}

impl FailedPhase {
    /// Looks for the newest run in which the phase failed.
    pub(super) fn of(project: &Project, id: PhaseId) -> Result<Self, Failure> {
        let runs = project.runs().list().map_err(|error| engine_failure(&error))?;
        for run in runs.iter().rev() {
            let mut chronicle = Chronicle::default();
            let journal = project.home.journal(run);
            // A journal that cannot be read is reported by the commands that look at its run.
            let Ok(Some(state)) = replay(&journal, |state, record| chronicle.take(state, record))
            else {
                continue;
            };
            let (Some(branch), Some(why)) = (failed(&state, id), chronicle.post_mortem(&state, id))
            else {
                continue;
            };
            return Ok(Self { run: state, id, why, branch });
        }
        Err(Failure::refused(
            format!("no run of this project has failed at phase {id}"),
            "the session would begin with nothing",
            "`autopilot status` tells how phases stand; `autopilot debug 'WHAT IS WRONG'` begins with your words",
        ))
    }

    /// The session that looks for the cause. What the journal knows is all there is to be told.
    pub(super) fn spec(&self, args: &args::Debug) -> DebugSpec {
        let category = self.why.root_cause.category.name();
        let mut told = symptoms(args);
        let score = self.run.given.pass_score;
        let commands = self.why.evidence.commands_run.join("; ");
        let started = format!(
            "failed in the step {} of {} at {}",
            self.why.root_cause.step, self.run.given.run, self.why.root_cause.first_observed_at
        );
        for (text, known) in [
            (
                &mut told.expected,
                format!("phase {} completes with a score of {score} or more", self.id),
            ),
            (&mut told.actual, self.why.root_cause.description.clone()),
            (&mut told.errors, commands),
            (&mut told.reproduction, format!("`autopilot run {}` does the phase again", self.id)),
            (&mut told.started, started),
        ] {
            if text.is_empty() {
                *text = known;
            }
        }
        DebugSpec {
            slug: short_slug(&format!("phase-{}-{category}", self.id)),
            trigger: format!("phase {} failure", self.id),
            symptoms: told,
            prefilled: true,
            known: self.known(),
            goal: goal(args),
            reproduction: None,
        }
    }

    fn known(&self) -> Vec<Observation> {
        let run = &self.run.given.run;
        let seen = |checked: String, found: String, implication: &str| Observation {
            checked,
            found,
            implication: implication.to_owned(),
        };
        let category = self.why.root_cause.category.name();
        let cause = seen(
            format!("the post-mortem of phase {} ({})", self.id, self.why.phase_name),
            self.why.root_cause.description.clone(),
            category,
        );
        let moments = self.why.timeline.iter().map(|moment| {
            let found = format!("{} {}: {}", moment.timestamp, moment.step, moment.event);
            seen(format!("the journal of {run}"), found, &moment.status)
        });
        let fixes = self.why.attempted_fixes.iter().map(|fix| {
            let found = format!("repair {}: {}", fix.attempt, fix.description);
            seen(format!("the journal of {run}"), found, &fix.remaining.join("; "))
        });
        let kept = self.branch.iter().map(|branch| {
            seen(
                "the rejected work".to_owned(),
                format!("it is kept on {branch}"),
                "it is not in this working directory",
            )
        });
        std::iter::once(cause).chain(moments).chain(fixes).chain(kept).collect()
    }
}

/// The branch of a phase that failed, where there is one; nothing where the phase did not fail.
fn failed(state: &Run, id: PhaseId) -> Option<Option<String>> {
    let Work::Phases(work) = &state.work;
    match &work.list.get(work.place(&id)?)?.status {
        Status::Closed(Close::Failed { branch, .. }) => Some(branch.clone()),
        Status::Closed(_) | Status::Active(_) | Status::Waiting => None,
    }
}

/// What the person told of the fault.
pub(super) fn symptoms(args: &args::Debug) -> Symptoms {
    let said = |text: &Option<String>| text.clone().unwrap_or_default();
    Symptoms {
        expected: said(&args.expected),
        actual: said(&args.actual),
        errors: said(&args.errors),
        reproduction: said(&args.reproduce),
        started: said(&args.started),
    }
}
