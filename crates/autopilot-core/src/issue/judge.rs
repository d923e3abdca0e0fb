//! What a try came to: green, covered, red before, written down, and what follows.

use crate::{
    evidence::CheckResult,
    id::CommitId,
    input::AgentReport,
    issue::{
        Finding, IssueFact, IssueGate, IssueStage, IssueStep, Next, Red, Route, Trial, oracle,
        turn::Turn,
    },
    rails::line::HaltReason,
    returns::{Coverage, Return},
};

pub(super) fn green(turn: &mut Turn<'_>, trials: &[Trial]) {
    let mut seen = turn.now.attempted.seen.clone();
    seen.green = oracle::is_green(trials);
    seen.failing = oracle::failing(trials);
    let asks = seen.green && seen.uncovered.is_empty();
    turn.note(IssueFact::Saw { seen });
    if asks {
        turn.enter(IssueStage::Coverage);
    } else {
        // Nobody is paid to look at tests that fail or are not there.
        look_for_red(turn);
    }
}

/// Whoever looks at the tests has spoken.
pub(super) fn covered(turn: &mut Turn<'_>, report: &AgentReport) {
    if let Return::Coverage(word) = &report.returned {
        veto(turn, word);
    }
    look_for_red(turn);
}

/// The whole gate was run on the work.
pub(super) fn full(turn: &mut Turn<'_>, results: &[CheckResult]) {
    let mut seen = turn.now.attempted.seen.clone();
    let broken = results.iter().filter(|result| !result.verdict.is_passed());
    seen.broken = broken.map(oracle::broken).collect();
    turn.note(IssueFact::Saw { seen });
    judge(turn, None);
}

/// An agent's word can take coverage away, and never give it.
fn veto(turn: &mut Turn<'_>, word: &Coverage) {
    let mut seen = turn.now.attempted.seen.clone();
    seen.uncovered.extend(word.uncovered.iter().cloned());
    if !word.all_covered && seen.uncovered.is_empty() {
        seen.uncovered.push("some criterion, of which it is not said which".to_owned());
    }
    turn.note(IssueFact::Saw { seen });
}

/// The tests are run without the work, unless these very tests were.
fn look_for_red(turn: &mut Turn<'_>) {
    let wanted = turn.now.attempted.tests_sha256.clone();
    let known = turn.now.red.as_ref().filter(|red| Some(&red.tests_sha256) == wanted.as_ref());
    match (known.map(|red| red.is_red), &turn.now.tests_commit) {
        (Some(is_red), _) => note_red(turn, is_red),
        (None, Some(_)) if wanted.is_some() => turn.enter(IssueStage::Red),
        // Without a test of its own a test that sometimes fails is its own evidence.
        (None, _) => {
            let is_red = turn.now.spec.route == Route::Flaky
                && turn.now.reproduced.is_some_and(|(failed, _)| failed > 0);
            note_red(turn, is_red);
        }
    }
}

pub(super) fn red(turn: &mut Turn<'_>, trials: &[Trial]) {
    let (Some(commit), Some(tests_sha256)) =
        (turn.now.tests_commit.clone(), turn.now.attempted.tests_sha256.clone())
    else {
        return note_red(turn, false);
    };
    let is_red = oracle::was_red(turn.now.spec.route, trials);
    let shown = trials.iter().find(|trial| trial.result.was_red()).or_else(|| trials.first());
    let result = shown.map(|trial| &trial.result);
    turn.note(IssueFact::Red(Red {
        commit,
        tests_sha256,
        files: turn.now.attempted.tests.clone(),
        is_red,
        command: result.and_then(|one| one.command.clone()).unwrap_or_default(),
        exit_code: result.and_then(|one| one.exit_code),
        output_sha256: result.map(|one| one.output_sha256.clone()).unwrap_or_default(),
    }));
    note_red(turn, is_red);
}

fn note_red(turn: &mut Turn<'_>, is_red: bool) {
    // Evidence that is the work itself is none.
    let is_apart = turn.now.red.as_ref().is_none_or(|red| red.commit != turn.now.tip);
    let seen = oracle::Seen { red: is_red && is_apart, ..turn.now.attempted.seen.clone() };
    let holds = seen.holds();
    turn.note(IssueFact::Saw { seen });
    if holds && !turn.run.given.guards.is_empty() {
        turn.enter(IssueStage::Full);
    } else {
        judge(turn, None);
    }
}

/// What a try came to. It is written down before anything follows from it.
pub(super) fn judge(turn: &mut Turn<'_>, tampered: Option<HaltReason>) {
    let seen = turn.now.attempted.seen.clone();
    let passed = tampered.is_none() && seen.holds();
    let fingerprint = seen.fingerprint(turn.now.spec.coarse);
    let halt = match tampered {
        Some(reason) => Some(reason),
        None if passed => None,
        None if turn.now.is_gated() && seen.is_unverifiable() => Some(HaltReason::GateUnverifiable),
        None => {
            let mut failures = turn.now.failures_of_step().to_vec();
            failures.push(fingerprint.clone());
            let tries = turn.now.step.tries(turn.now.spec.tries);
            oracle::rail(turn.now.iteration, tries, &failures)
        }
    };
    let escalate = turn.now.step == IssueStep::Work && halt.is_some_and(oracle::escalates);
    let findings = if passed { Vec::new() } else { seen.findings() };
    turn.note(IssueFact::Judged { passed, fingerprint, halt, escalate, findings });
    if turn.now.spec.route == Route::Express {
        // It leaves no papers.
        return after(turn);
    }
    let is_red = turn.now.red.as_ref().is_some_and(|red| red.is_red);
    let has_evidence = turn.now.attempted.has_new_evidence && is_red;
    turn.enter(if has_evidence { IssueStage::Evidence } else { IssueStage::Record });
}

pub(super) fn recorded(turn: &mut Turn<'_>, commit: &CommitId) {
    let lines = 1 + u64::from(turn.halt().is_some());
    turn.note(IssueFact::Recorded { commit: commit.clone(), lines });
    after(turn);
}

/// What follows from a try that is over.
fn after(turn: &mut Turn<'_>) {
    let passed = turn.now.attempted.judged.as_ref().is_some_and(|judged| judged.passed);
    match (turn.halt(), turn.now.step) {
        (Some(reason), step) => {
            let told: Vec<String> = turn.now.findings.iter().map(Finding::told).collect();
            let why = format!("{} at {}: {}", reason.name(), step.name(), told.join("; "));
            turn.enter(IssueStage::Integrate(Next::Halt { why }));
        }
        (None, step) if !passed => {
            let (iteration, findings) = (turn.now.iteration + 1, turn.now.findings.clone());
            turn.try_step(step, iteration, findings);
        }
        (None, IssueStep::Stories) => {
            let findings = turn.now.refused.clone();
            turn.try_step(IssueStep::Plan, 1, findings);
        }
        (None, IssueStep::Plan | IssueStep::Cause) => {
            turn.enter(IssueStage::Integrate(Next::Gate(IssueGate::Design)));
        }
        (None, IssueStep::Work) => {
            turn.enter(IssueStage::Integrate(Next::Gate(IssueGate::Merge)));
        }
    }
}
