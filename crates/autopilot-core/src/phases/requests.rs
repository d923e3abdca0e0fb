//! Edits of files by which the work is judged: accepted by rule, or put before a person.

use crate::{
    evidence::protect::{AddedTests, EditKind},
    fact::Fact,
    id::GateId,
    input::{Answer, Request, Work},
    phases::{
        PhaseFact, Stage,
        close::{Accepted, AcceptedBy},
        turn::Turn,
    },
};

/// How much of a diff a question holds.
const QUESTION_DIFF_CHARS_MAX: usize = 2_000;

/// Takes the edits of a work into the books, with those that are accepted.
pub(super) fn take(turn: &mut Turn<'_>, work: &Work) {
    if work.requests.is_empty() && turn.now.requests.is_empty() {
        return;
    }
    let accepted = work.requests.iter().filter_map(|request| accepted(turn, request)).collect();
    turn.note(PhaseFact::Requested { requests: work.requests.clone(), accepted });
}

/// The edits that have no effect as long as nobody accepts them.
pub(super) fn pending<'a>(turn: &'a Turn<'_>) -> impl Iterator<Item = &'a Request> {
    turn.now.pending()
}

/// Asks a person whether the pending edits may count.
pub(super) fn ask(turn: &mut Turn<'_>, task: Option<usize>, work: &Work) {
    let gate = gate(turn, work);
    let question = question(turn);
    turn.enter(Stage::Request(task, work.clone()));
    match turn.run.answers.get(&gate).cloned() {
        Some(answer) => answered(turn, task, work, &answer),
        None => turn.push(Fact::Asked { gate, question }),
    }
}

/// What follows from a person's word on the pending edits.
pub(super) fn answered(turn: &mut Turn<'_>, task: Option<usize>, work: &Work, answer: &Answer) {
    let Answer { approved, by, message, .. } = answer;
    let pending: Vec<Request> = pending(turn).cloned().collect();
    if *approved {
        let by = AcceptedBy::Person(format!("{by}: {message}"));
        let accepted = pending.iter().map(|request| request.accepted(by.clone())).collect();
        turn.note(PhaseFact::Requested { requests: turn.now.requests.clone(), accepted });
        turn.enter(match task {
            Some(task) => Stage::TaskCheck(task, work.clone()),
            None => Stage::RepairCheck(work.clone()),
        });
        return;
    }
    let names: Vec<&str> = pending.iter().map(|request| request.edit.path.as_str()).collect();
    let finding = format!(
        "{by} rejected the edits of {}: {message}. These files stay as they were; make the work fit them",
        names.join(", ")
    );
    match task {
        Some(task) => turn.fix_task(task, work.clone(), vec![finding]),
        None => turn.repair(vec![finding]),
    }
}

/// The name of the question about a work's edits.
pub(super) fn gate(turn: &Turn<'_>, work: &Work) -> GateId {
    let commit: String = work.commit.as_str().chars().take(10).collect();
    GateId::new(format!("{}/change/{commit}", turn.phase.spec.id))
}

/// What an agent is told about its edits that have no effect.
pub(super) fn finding(turn: &Turn<'_>) -> Option<String> {
    let names: Vec<&str> = pending(turn).map(|request| request.edit.path.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "the edits of {} have no effect: the work is judged by these files as they were",
            names.join(", ")
        )
    })
}

fn accepted(turn: &Turn<'_>, request: &Request) -> Option<Accepted> {
    if turn.now.accepts(request) {
        return None;
    }
    let by_rule = turn.run.given.protection.added_tests == AddedTests::Accept;
    let why = match request.edit.kind {
        EditKind::Moved => "it moves a test and changes nothing in it",
        EditKind::Added | EditKind::Changed | EditKind::Removed => "it only adds tests",
    };
    (by_rule && request.edit.only_adds_tests)
        .then(|| request.accepted(AcceptedBy::Rule(why.to_owned())))
}

fn question(turn: &Turn<'_>) -> String {
    let mut text =
        "The checks hold only with edits of files that the work is judged by. May they count?"
            .to_owned();
    for request in pending(turn) {
        let edit = &request.edit;
        let diff: String = edit.diff.chars().take(QUESTION_DIFF_CHARS_MAX).collect();
        text.push_str(&format!(
            "\n{} ({}): {} assertions removed, {} added; {} tests removed, {} added; {} skips added{}\n{diff}",
            edit.path,
            edit.class.as_str(),
            edit.assertions_removed,
            edit.assertions_added,
            edit.tests_removed,
            edit.tests_added,
            edit.skips_added,
            edit.why_not.as_ref().map_or(String::new(), |why| format!("; {why}")),
        ));
    }
    text
}
