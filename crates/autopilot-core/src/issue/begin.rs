//! What comes before the work: requirements, what they rest on, and whether everything else is in order.

use crate::{
    evidence::CheckResult,
    fact::Ending,
    id::CommitId,
    issue::{
        IssueFact, IssueGate, IssueStage, IssueStep, Route, Survey, Trial, criteria, message,
        turn::Turn,
    },
};

/// What is there before anything is done.
pub(super) fn begin(turn: &mut Turn<'_>, found: &Survey) {
    if let Some(why) = &found.log.corrupt {
        let log = turn.now.spec.log();
        return turn.finish(Ending::Halted { why: format!("freeze-error: `{log}`: {why}") });
    }
    turn.note(IssueFact::Found {
        log_lines: found.log.lines,
        failures: found.log.failures.clone(),
    });
    if turn.now.spec.route == Route::Express {
        return turn.try_step(IssueStep::Work, 1, Vec::new());
    }
    let (path, text) = (turn.now.spec.requirements(), turn.now.spec.text.clone());
    let Some(anchor) = &found.anchor else {
        if text.trim().is_empty() || turn.now.tip != turn.run.given.base {
            let why = format!(
                "freeze-error: `{path}` is missing or empty, and the issue has no text to begin with"
            );
            return turn.finish(Ending::Halted { why });
        }
        return turn.enter(IssueStage::Draft);
    };
    if let Some(why) = other_pin(found, &turn.now.spec.path("autopilot-prd.pin"), anchor) {
        return turn.finish(Ending::Halted { why: format!("anchor-pin-failed: {why}") });
    }
    turn.note(IssueFact::Anchored { fingerprint: anchor.clone() });
    if turn.now.spec.may_be_express && !turn.has_said(IssueGate::Precheck) {
        return turn.ask(IssueGate::Precheck, message::precheck(&turn.now));
    }
    let told = found.documents.get(&path).map_or("", String::as_str);
    if message::says_approved(told) {
        return turn.approve(IssueGate::Requirements, "`approved: true` in the file");
    }
    let text = message::requirements(&turn.now, told);
    turn.ask(IssueGate::Requirements, text);
}

/// Why a pin that is there already is another one.
fn other_pin(found: &Survey, path: &str, anchor: &str) -> Option<String> {
    let pinned = found.documents.get(path)?;
    (pinned.trim_end_matches('\n') != anchor).then(|| {
        format!("`{path}` pins something else than what is there now; what must change has to be a new issue")
    })
}

/// Begins the part before the design is agreed on.
pub(super) fn begin_design(turn: &mut Turn<'_>) {
    if turn.now.spec.route == Route::Flaky {
        return turn.enter(IssueStage::Reproduce);
    }
    let step = turn.first_step();
    turn.try_step(step, 1, Vec::new());
}

/// What a person has agreed to is what the work rests on.
pub(super) fn freeze(turn: &mut Turn<'_>, found: &Survey) {
    let Some(anchor) = &found.anchor else {
        let why = "freeze-error: a document of the design is missing or empty".to_owned();
        return turn.finish(Ending::Halted { why });
    };
    if let Some(why) = other_pin(found, &turn.now.spec.path("autopilot-design.pin"), anchor) {
        return turn.finish(Ending::Halted { why: format!("anchor-pin-failed: {why}") });
    }
    turn.note(IssueFact::Anchored { fingerprint: anchor.clone() });
    let criteria = match turn.now.spec.route {
        Route::Full => {
            let path = turn.now.spec.path("acceptance-tests.md");
            criteria::criteria_in(found.documents.get(&path).map_or("", String::as_str))
        }
        Route::Bugfix | Route::Flaky | Route::Express => vec![criteria::AcceptanceCriterion {
            id: turn.now.spec.tag(),
            text: turn.now.spec.title.clone(),
        }],
    };
    let commit = turn.now.tip.clone();
    turn.note(IssueFact::Designed { commit, criteria });
    turn.enter(IssueStage::PinDesign);
}

/// Begins the work with what was pinned, after everything else was looked at.
pub(super) fn begin_work(turn: &mut Turn<'_>, commit: &CommitId) {
    let criteria = turn.now.criteria.clone();
    turn.note(IssueFact::Designed { commit: commit.clone(), criteria });
    // A test that sometimes fails may fail here, too, which is what the issue is about.
    if turn.run.given.guards.is_empty() || turn.now.spec.route == Route::Flaky {
        turn.try_step(IssueStep::Work, 1, Vec::new());
    } else {
        turn.enter(IssueStage::Base);
    }
}

/// How often the test fails as it is.
pub(super) fn reproduced(turn: &mut Turn<'_>, trials: &[Trial]) {
    let failed = trials.iter().filter(|trial| !trial.result.verdict.is_passed()).count();
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    turn.note(IssueFact::Reproduced { runs: count(trials.len()), failed: count(failed) });
    let findings = turn.now.findings.clone();
    turn.try_step(IssueStep::Cause, 1, findings);
}

/// Whoever works on the issue must not repair what is none of its business.
pub(super) fn based(turn: &mut Turn<'_>, results: &[CheckResult]) {
    match results.iter().find(|result| !result.verdict.is_passed()) {
        Some(result) => turn.finish(Ending::Halted {
            why: format!(
                "before anything is done {} is red, which is not the issue's: {}",
                result.name,
                result.seen()
            ),
        }),
        None => turn.try_step(IssueStep::Work, 1, Vec::new()),
    }
}
