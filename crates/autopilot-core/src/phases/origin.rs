//! What holds before a phase begins may hold only by what an earlier phase of the same run brought.
//!
//! Such a criterion counts as held only if it goes red when that is broken. Else an earlier phase could plant the tests
//! by which a later one is judged, and nobody would work on the later one.

use crate::{
    evidence::{Canary, Check, CheckResult, Verdict, may_judge_itself, passed_percent},
    phases::{Active, Phase, PhaseFact, Stage, checks, ready_plan, turn::Turn},
    run::Run,
};

/// The share of criteria that must already hold, in hundredths, for a phase to go straight to verification.
const TRIAGE_PERCENT_MIN: usize = 80;

/// What is said of a criterion that holds by something which cannot go red.
const PLANTED: &str = "it holds only by what an earlier phase of this run brought, and stays green when that is broken";

/// The criteria that hold on the phase's base and might look at nothing but what this run brought.
pub(super) fn doubted(run: &Run, phase: &Phase, active: &Active) -> Vec<Check> {
    if active.base == run.given.base {
        return Vec::new();
    }
    let holds = |name: &str| {
        let mut results = active.baseline.iter();
        results.any(|result| result.name == name && result.verdict.is_passed())
    };
    let mut checks = checks::of_phase(run, phase);
    checks.retain(|check| may_judge_itself(&check.criterion) && holds(&check.name));
    checks
}

/// Goes on from what the criteria show on the phase's base.
pub(super) fn begin(turn: &mut Turn<'_>) {
    let asked = turn.run.given.limits.canary_breaks > 0;
    if asked && !doubted(turn.run, turn.phase, &turn.now).is_empty() {
        turn.enter(Stage::Origin);
    } else {
        route(turn);
    }
}

/// What follows from what they show on the commit that the run began with.
pub(super) fn looked(turn: &mut Turn<'_>, results: &[CheckResult]) {
    let new = results.iter().filter(|result| !result.verdict.is_passed());
    let names: Vec<String> = new.map(|result| result.name.clone()).collect();
    if names.is_empty() {
        route(turn);
    } else {
        turn.enter(Stage::OriginCanary(names));
    }
}

/// What follows when that which this run brought was broken.
pub(super) fn broken(turn: &mut Turn<'_>, canaries: &[Canary]) {
    let blind = |name: &str| canaries.iter().any(|canary| canary.check == name && !canary.bites());
    let planted = turn.now.baseline.iter().filter(|result| blind(&result.name));
    let results: Vec<CheckResult> = planted
        .map(|result| CheckResult {
            verdict: Verdict::Unproven(PLANTED.to_owned()),
            ..result.clone()
        })
        .collect();
    if !results.is_empty() {
        turn.note(PhaseFact::Baseline { results });
    }
    route(turn);
}

/// A phase whose criteria hold already, or nearly all of them, is looked at and not worked on.
fn route(turn: &mut Turn<'_>) {
    let likely_done = passed_percent(&turn.now.baseline) > TRIAGE_PERCENT_MIN;
    // What is to be done again is done again, however good it looks.
    let again = turn.phase.spec.is_again();
    if likely_done && !again {
        ready_plan::lay_aside(turn);
        turn.enter(Stage::Outline);
    } else {
        ready_plan::begin(turn);
    }
}
