//! Runs the commands of a certificate again.

use std::{collections::BTreeMap, fs, path::Path};

use autopilot_core::{
    budget::Limits,
    certificate::Certificate,
    effect::{CheckTask, Freeze},
    evidence::{Check, CheckResult},
    id::{AgentName, Attempt, CommitId, Key, RunId, Step},
    input::{Environment, Outcome},
    measure::Measure,
    run::{Submission, WorkSpec},
    time::SECOND_MS,
};

use super::{Keeping, Tools, Workshop, surroundings::surroundings};
use crate::{error::EngineError, home::Home, process::Cancel};

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
/// Nothing is kept of it: the checkouts go, also when this process is killed. `program` is this program.
pub fn repeat(
    home: &Home,
    program: &Path,
    certificate: &Certificate,
) -> Result<Repeated, EngineError> {
    let above = home.runs();
    fs::create_dir_all(&above).map_err(EngineError::file("make", &above))?;
    let scratch = tempfile::Builder::new().prefix("verify-").tempdir_in(&above);
    let scratch = scratch.map_err(EngineError::file("make a directory in", &above))?;
    let place = scratch.path();
    let given = submission(certificate);
    let tools = Tools { program: program.to_owned(), ..Tools::none() };
    let remove = ["rm".into(), "-rf".into(), "--".into(), place.into()].to_vec();
    let home = Home::within(&home.root, place);
    let workshop = Workshop::open_to(&home, &tools, &given, (Keeping::Dropped, remove))?;
    let repeated = workshop.repeat(certificate);
    workshop.guardian.dismiss()?;
    repeated
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
        let cancel = Cancel::new().map_err(EngineError::file("make", "a pipe"))?;
        let key = Key { step: Step::new(format!("verify/{name}")), attempt: Attempt::after(0) };
        match self.check(&key, &task, &cancel)? {
            Outcome::Checked(results) => Ok(results),
            other => Err(EngineError::Bug(format!("checks were repeated and gave {other:?}"))),
        }
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
    let held = certificate
        .checks
        .iter()
        .filter(|check| check.base.as_ref().is_some_and(|base| base.verdict.is_passed()));
    CheckTask {
        phase: certificate.phase.id,
        commit: commit.clone(),
        freeze: Freeze {
            base: certificate.commits.base.clone(),
            accepted: rules.accepted.iter().map(|edit| edit.path.clone()).collect(),
        },
        held: held.map(|check| check.name.clone()).collect(),
        prepare: rules.prepare.clone(),
        checks,
        criterion_ms_max: rules.check_seconds.saturating_mul(SECOND_MS),
        guard_ms_max: rules.guard_seconds.saturating_mul(SECOND_MS),
    }
}

/// What a workshop must know to run checks, and no more.
fn submission(certificate: &Certificate) -> Submission {
    Submission {
        run: RunId::new("verify"),
        base: certificate.commits.start.clone(),
        roadmap: certificate.spec.path.clone(),
        spec_sha256: certificate.spec.sha256.clone(),
        spec_committed: certificate.spec.committed,
        limits: Limits::default(),
        pass_score: certificate.reviews.pass_score,
        agents: BTreeMap::new(),
        default_agent: AgentName::new("nobody"),
        prepare: certificate.rules.prepare.clone(),
        protection: certificate.rules.protection.clone(),
        guards: Vec::new(),
        counts: BTreeMap::new(),
        measure: Measure::default(),
        work: WorkSpec::Phases(Vec::new()),
    }
}
