//! Runs the commands of a certificate again.

use autopilot_core::{
    certificate::Certificate,
    effect::{CheckTask, Freeze},
    evidence::{Check, CheckResult},
    id::CommitId,
    input::Environment,
    time::SECOND_MS,
};

use super::{Tools, Workshop, scratch::Look, surroundings::surroundings};
use crate::{error::EngineError, home::Home};

/// What the commands of a certificate show here and now.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeated {
    /// On the base.
    pub base: Vec<CheckResult>,
    /// On the work.
    pub result: Vec<CheckResult>,
    /// In what surroundings.
    pub environment: Environment,
}

/// Runs every command of a certificate again, in fresh checkouts of its base and of its work that are made ready and
/// have their deciding files put back as when it was made.
///
/// Nothing is kept of it: the checkouts go, also when this process is killed. `tools` are this program and its settings.
pub fn repeat(
    home: &Home,
    tools: &Tools,
    certificate: &Certificate,
) -> Result<Repeated, EngineError> {
    let look = Look {
        name: "verify",
        tools,
        base: &certificate.commits.start,
        protection: &certificate.rules.protection,
    };
    look.within(home, |workshop| workshop.repeat(certificate))
}

impl Workshop {
    fn repeat(&self, certificate: &Certificate) -> Result<Repeated, EngineError> {
        let commits = &certificate.commits;
        let on_base = certificate.checks.iter().filter(|check| check.base.is_some());
        let base = on_base.map(check_of).collect();
        let result = certificate.checks.iter().map(check_of).collect();
        Ok(Repeated {
            base: self.run_again("base", task(certificate, &commits.base, base))?,
            result: self.run_again("work", task(certificate, &commits.checked, result))?,
            environment: surroundings(),
        })
    }

    fn run_again(&self, name: &str, task: CheckTask) -> Result<Vec<CheckResult>, EngineError> {
        if task.checks.is_empty() {
            return Ok(Vec::new());
        }
        self.look(name, &task)
    }
}

fn check_of(certified: &autopilot_core::certificate::Certified) -> Check {
    Check {
        name: certified.name.clone(),
        kind: certified.kind,
        criterion: certified.criterion.clone(),
    }
}

fn task(certificate: &Certificate, commit: &CommitId, checks: Vec<Check>) -> CheckTask {
    let rules = &certificate.rules;
    let named = |is: fn(&CheckResult) -> bool| {
        let on_base = certificate.checks.iter().filter_map(|check| check.results().0);
        on_base.filter(is).map(|result| result.name).collect()
    };
    CheckTask {
        commit: commit.clone(),
        freeze: Freeze::of(certificate.commits.base.clone(), rules.accepted.iter()),
        held: named(|result| result.verdict.is_passed()),
        red: named(CheckResult::has_failed_tests),
        prepare: rules.prepare.clone(),
        checks,
        criterion_ms_max: rules.check_seconds.saturating_mul(SECOND_MS),
        guard_ms_max: rules.guard_seconds.saturating_mul(SECOND_MS),
    }
}
