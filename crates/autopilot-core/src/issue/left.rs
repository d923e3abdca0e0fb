//! What an agent left, looked at before anything of it is taken.

use crate::{
    evidence::protect::{AddedTests, Class},
    fact::Ending,
    input::{AgentReport, Request, Work},
    issue::{
        Issue, IssueFact, IssueStage, IssueStep, Route, Survey, criteria, is_document,
        judge::judge, oracle, turn::Turn,
    },
    rails::line::HaltReason,
    returns::Return,
    run::Run,
};

/// What an agent returned, before what it left is looked at.
pub(super) fn generated(turn: &mut Turn<'_>, report: &AgentReport) {
    let questions = report.returned.open_questions();
    if !questions.is_empty() {
        turn.note(IssueFact::Wondered(questions.to_vec()));
    }
    match (&report.returned, &report.work) {
        (Return::Cause(cause), _) => {
            turn.note(IssueFact::Explained(cause.clone()));
            turn.note(IssueFact::Saw { seen: oracle::Seen::ungated() });
            turn.enter(IssueStage::SaveCause);
        }
        (_, Some(work)) => turn.enter(IssueStage::Survey(work.clone())),
        (_, None) => {}
    }
}

/// What an agent left. Whoever touched what they are judged by is stopped before anything of it is taken, also where
/// everything else would hold.
pub(super) fn surveyed(turn: &mut Turn<'_>, work: &Work, found: &Survey) {
    let (tests, tests_sha256) = (found.tests.clone(), found.tests_sha256.clone());
    turn.note(IssueFact::Left { tests, tests_sha256 });
    let accepted = accepted(turn.run, work);
    if let Some((reason, why)) = tampered(&turn.now, work, found) {
        let seen = oracle::Seen { remarks: vec![why], ..oracle::Seen::default() };
        turn.note(IssueFact::Saw { seen });
        return judge(turn, Some(reason));
    }
    let mut seen = oracle::Seen::ungated();
    match (turn.now.step, turn.now.spec.route) {
        (IssueStep::Work, Route::Express) => {
            if let Some(path) = found.changed.iter().find(|path| !is_document(path)) {
                let why = format!(
                    "`{path}` is no document: the change is more than the short way is for"
                );
                return turn.finish(Ending::Halted { why });
            }
            turn.note(IssueFact::Saw { seen });
            turn.enter(IssueStage::SaveWork(work.clone()));
        }
        (IssueStep::Work, Route::Full | Route::Bugfix | Route::Flaky) => {
            seen = oracle::Seen {
                uncovered: criteria::uncovered(&turn.now.criteria, &found.tags),
                remarks: left_out(work, &accepted),
                ..oracle::Seen::default()
            };
            turn.note(IssueFact::Saw { seen });
            turn.enter(if turn.has_new_tests() {
                IssueStage::SaveTests(work.clone())
            } else {
                IssueStage::SaveWork(work.clone())
            });
        }
        (step @ (IssueStep::Stories | IssueStep::Plan | IssueStep::Cause), _) => {
            seen.missing = turn.documents_of(step);
            seen.missing
                .retain(|path| found.documents.get(path).is_none_or(|text| text.trim().is_empty()));
            let tests = turn.now.spec.path("acceptance-tests.md");
            if let Some(text) = found.documents.get(&tests)
                && criteria::criteria_in(text).is_empty()
            {
                seen.missing.push(format!("{tests}: no criterion is named (AC-1, AC-2, …)"));
            }
            turn.note(IssueFact::Saw { seen });
            turn.enter(IssueStage::SaveDocuments(work.clone()));
        }
    }
}

/// What an agent did to the files that are nobody's to change, if anything, as the reason to halt.
fn tampered(issue: &Issue, work: &Work, found: &Survey) -> Option<(HaltReason, String)> {
    let touched = |name: &str| found.touched.iter().any(|path| *path == issue.spec.path(name));
    let of = |reason, what: String| Some((reason, what));
    let anchors =
        ["prd.md", "user-stories.md", "cause.md", "autopilot-prd.pin", "autopilot-design.pin"];
    if let Some(name) = anchors.into_iter().find(|name| touched(name)) {
        return of(
            HaltReason::AnchorDrift,
            format!("`{name}` was changed while the work rests on it"),
        );
    }
    if touched("autopilot-log.jsonl") {
        let why = "the audit log was changed by an agent".to_owned();
        return of(HaltReason::LogIntegrity, why);
    }
    if touched("red.jsonl") {
        let why = "the evidence of red tests was written by an agent, and is the engine's to write"
            .to_owned();
        return of(HaltReason::GateUnverifiable, why);
    }
    let red = issue.red.as_ref().filter(|red| red.is_red)?;
    let changed = |request: &&Request| {
        red.files.contains(&request.edit.path) && !request.edit.only_adds_tests
    };
    let edited = work.requests.iter().find(changed)?;
    let why = format!("`{}` was seen red and was changed afterwards", edited.edit.path);
    of(HaltReason::GateUnverifiable, why)
}

/// Edits that do not count.
fn left_out(work: &Work, accepted: &[String]) -> Vec<String> {
    let told = |request: &Request| {
        let why = if puts_aside(request) {
            "a test may be put aside only where an issue follows it up"
        } else {
            "the work is judged by it"
        };
        format!("the change of `{}` does not count: {why}", request.edit.path)
    };
    let counts = |request: &&Request| accepted.contains(&request.edit.path);
    work.requests.iter().filter(|request| !counts(request)).map(told).collect()
}

/// Edits of tests that count: those that only add some, where the project has it so, and those that put one aside which
/// sometimes fails, where somebody follows it up.
pub(super) fn accepted(run: &Run, work: &Work) -> Vec<String> {
    let by_rule = run.given.protection.added_tests == AddedTests::Accept;
    let is_tracked = run
        .work
        .issue()
        .is_some_and(|issue| issue.spec.route == Route::Flaky && issue.spec.tracking.is_some());
    let counts = |request: &&Request| {
        (by_rule && request.edit.only_adds_tests) || (is_tracked && puts_aside(request))
    };
    work.requests.iter().filter(counts).map(|request| request.edit.path.clone()).collect()
}

/// Whether an edit of a file of tests does nothing but keep some from being run.
fn puts_aside(request: &Request) -> bool {
    let edit = &request.edit;
    edit.class == Class::Test
        && edit.skips_added > 0
        && edit.tests_removed == 0
        && edit.assertions_removed == 0
}
