//! Why an outcome counts for nothing, before anything follows from it.

use crate::{
    id::{Key, Step},
    input::{Failure, FailureClass, Outcome},
    phases::{
        Phases, Stage, debugging, finale,
        integrity::{self, Eyes, Refusal},
        mark, recheck, release, review, talk, traced,
    },
    run::Run,
    time::Timestamp,
};

/// Why an outcome counts for nothing although it came back in order.
#[derive(Clone, Debug)]
pub enum Unusable {
    /// It does not fit the step, or contradicts itself.
    Failed(Failure),
    /// It does not hold to what returns are held to.
    Refused(Box<Refusal>),
}

/// Why an outcome cannot be used although it came back in order: a return that does not fit the facts.
pub fn unusable(
    run: &Run,
    work: &Phases,
    now: Timestamp,
    key: &Key,
    outcome: &Outcome,
) -> Option<Unusable> {
    if let Some((_, phase, active)) = work.active_at(&key.step)
        && let Outcome::Agent(report) = outcome
    {
        let unfounded = || {
            let detail = traced::unfounded(phase, active, report)?;
            Some(Failure { class: FailureClass::Malformed, detail })
        };
        let malformed = review::unusable(run, active, &active.stage, report).or_else(unfounded);
        let eyes = Eyes { run, phase, active, time: now };
        let refused = || integrity::refusal(eyes, report).map(Box::new).map(Unusable::Refused);
        return malformed.map(Unusable::Failed).or_else(refused);
    }
    unfit(work, key, outcome).map(Unusable::Failed)
}

fn unfit(work: &Phases, key: &Key, outcome: &Outcome) -> Option<Failure> {
    if finale::expects(work, &key.step) {
        return finale::unusable(work, key, outcome);
    }
    if release::expects(work, &key.step) {
        return release::unusable(work, key, outcome);
    }
    if debugging::expects(work, &key.step) {
        return debugging::unusable(work, key, outcome);
    }
    if recheck::expects(work, &key.step) {
        return (!matches!(outcome, Outcome::Checked(_))).then(|| misfit(&key.step));
    }
    if talk::expects(work, &key.step) {
        return talk::unusable(work, key, outcome);
    }
    if mark::expects(work, &key.step) {
        return (!matches!(outcome, Outcome::Integrated(_))).then(|| misfit(&key.step));
    }
    let (_, _, active) = work.active_at(&key.step)?;
    match (&active.stage, outcome) {
        (Stage::Preflight, Outcome::Preflight { .. })
        | (
            Stage::Triage
            | Stage::Origin
            | Stage::Baseline
            | Stage::TaskCheck(..)
            | Stage::RequestCheck(..)
            | Stage::Replay
            | Stage::RepairCheck(_),
            Outcome::Checked(_),
        )
        | (
            Stage::Outline | Stage::PlanCommit(_) | Stage::TaskCommit(..) | Stage::RepairCommit(_),
            Outcome::Committed(_),
        )
        | (Stage::Canary | Stage::OriginCanary(_), Outcome::Canaries(_))
        | (Stage::Look, Outcome::Shot(_))
        | (Stage::Seed(_), Outcome::Seeded(_))
        | (Stage::Integrate(_), Outcome::Integrated(_))
        | (Stage::Reject(_), Outcome::Rejected { .. }) => None,
        (_, _) => Some(misfit(&key.step)),
    }
}

fn misfit(step: &Step) -> Failure {
    let detail = format!("the outcome does not fit the step {step}");
    Failure { class: FailureClass::Engine, detail }
}
