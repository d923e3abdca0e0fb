//! What follows from the outcome of each stage.

use super::{
    DebugEnd, DebugFact, DebugGoal, DebugSession, DebugStage,
    owed::{REPRODUCTION, checks},
};
use crate::{
    evidence::{CheckResult, Entry, Fewer, Standing, Verdict, ledger, protect::AddedTests},
    fact::{Ending, Fact},
    id::{CommitId, GateId, Key, Step},
    input::{AgentReport, Answer, Failure, FailureClass, Outcome, Work},
    phases::{Phases, close::AcceptedBy},
    returns::{Disproved, Focus, Investigation, Observation, Return, RoundEnd, Solution, Symptoms},
    run::Run,
    time::Timestamp,
};

/// How many things one round can find out or disprove; what is beyond that is not noted.
const NOTES_MAX: usize = 50;
/// A longer text is cut.
const TEXT_CHARS_MAX: usize = 2_000;
/// How questions of a session begin.
const CHECKPOINT: &str = "debug/checkpoint-";

/// Whether an outcome of this step is waited for.
pub(in crate::phases) fn expects(work: &Phases, step: &Step) -> bool {
    work.debug.as_ref().is_some_and(|session| session.stage.step().as_ref() == Some(step))
}

/// Whether a session may ask a question of this name.
pub(in crate::phases) fn may_ask(work: &Phases, gate: &GateId) -> bool {
    work.debug.is_some() && gate.as_str().starts_with(CHECKPOINT)
}

/// Begins to look, where there is nothing that could be run before; and ends the run when the session is over.
pub(in crate::phases) fn proceed(run: &Run, session: &DebugSession) -> Vec<Fact> {
    match &session.stage {
        DebugStage::Base if checks(run, session).is_empty() => {
            vec![Fact::Debug(DebugFact::Entered(DebugStage::Investigate))]
        }
        DebugStage::Over(..) => vec![Fact::Finished(Ending::Done)],
        DebugStage::Base
        | DebugStage::Investigate
        | DebugStage::Check(_)
        | DebugStage::Checkpoint
        | DebugStage::Commit(_)
        | DebugStage::File(..)
        | DebugStage::Integrate(..) => Vec::new(),
    }
}

/// Why an outcome cannot be used although it came back in order.
pub(in crate::phases) fn unusable(work: &Phases, key: &Key, outcome: &Outcome) -> Option<Failure> {
    let session = work.debug.as_deref()?;
    match (&session.stage, outcome) {
        (DebugStage::Investigate, Outcome::Agent(report)) => {
            let detail = objection(report)?;
            Some(Failure { class: FailureClass::Malformed, detail: detail.to_owned() })
        }
        (DebugStage::Base | DebugStage::Check(_), Outcome::Checked(_))
        | (DebugStage::Commit(_) | DebugStage::File(..), Outcome::Committed(_))
        | (DebugStage::Integrate(..), Outcome::Integrated(_)) => None,
        (_, _) => {
            let detail = format!("the outcome does not fit the step {}", key.step);
            Some(Failure { class: FailureClass::Engine, detail })
        }
    }
}

fn objection(report: &AgentReport) -> Option<&'static str> {
    let Return::Debugging(word) = &report.returned else {
        return Some("the return is no debugger's");
    };
    let Some(word) = &word.session else {
        return Some("the return tells nothing of the session: `session` is missing");
    };
    let is_blank = |text: &str| text.trim().is_empty();
    match word.status {
        _ if report.work.is_none() => Some("its workspace was not kept"),
        RoundEnd::Investigating if is_blank(&word.focus.next_action) => {
            Some("`next_action` is empty, so nobody could go on")
        }
        RoundEnd::RootCauseFound | RoundEnd::DebugComplete
            if is_blank(&word.resolution.root_cause) =>
        {
            Some("the root cause is said to be known, and `root_cause` is empty")
        }
        RoundEnd::CheckpointReached if is_blank(&word.question) => {
            Some("a person is to be asked, and `question` is empty")
        }
        RoundEnd::Investigating
        | RoundEnd::RootCauseFound
        | RoundEnd::DebugComplete
        | RoundEnd::CheckpointReached
        | RoundEnd::InvestigationInconclusive => None,
    }
}

/// What follows from a usable outcome.
pub(in crate::phases) fn decide(
    run: &Run,
    work: &Phases,
    now: Timestamp,
    outcome: &Outcome,
) -> Vec<Fact> {
    let Some(mut turn) = Turn::of(run, work, now) else { return Vec::new() };
    match (turn.now.stage.clone(), outcome) {
        (DebugStage::Base, Outcome::Checked(results)) => turn.based(results),
        (DebugStage::Investigate, Outcome::Agent(report)) => turn.looked(report),
        (DebugStage::Check(work), Outcome::Checked(results)) => turn.checked(work, results),
        (DebugStage::Commit(_), Outcome::Committed(commit)) => turn.committed(commit),
        (DebugStage::File(end, _), Outcome::Committed(commit)) => {
            turn.enter(DebugStage::Integrate(end, commit.clone()));
        }
        (DebugStage::Integrate(end, _), Outcome::Integrated(commit)) => {
            turn.enter(DebugStage::Over(end, commit.clone()));
        }
        _ => {}
    }
    turn.facts
}

/// What follows when a step failed as often as it may.
pub(in crate::phases) fn gave_up(step: &Step, failure: &Failure) -> Vec<Fact> {
    let why = format!("{step} failed ({}): {}", failure.class.name(), failure.detail);
    vec![Fact::Finished(Ending::Halted { why })]
}

/// What follows from a person's answer.
pub(in crate::phases) fn answered(
    run: &Run,
    work: &Phases,
    now: Timestamp,
    (gate, answer): (&GateId, &Answer),
) -> Vec<Fact> {
    let Some(mut turn) = Turn::of(run, work, now) else { return Vec::new() };
    if turn.now.stage == DebugStage::Checkpoint && *gate == turn.gate() {
        turn.heard(answer);
    }
    turn.facts
}

/// A decision in the making.
struct Turn<'a> {
    run: &'a Run,
    work: &'a Phases,
    time: Timestamp,
    /// The session as it will be after the facts so far.
    now: DebugSession,
    facts: Vec<Fact>,
}

impl<'a> Turn<'a> {
    fn of(run: &'a Run, work: &'a Phases, time: Timestamp) -> Option<Self> {
        let now = work.debug.as_deref()?.clone();
        Some(Self { run, work, time, now, facts: Vec::new() })
    }

    fn note(&mut self, fact: DebugFact) {
        // Times in the copy are never read.
        self.now.apply(&fact, Timestamp::default());
        self.facts.push(Fact::Debug(fact));
    }

    fn enter(&mut self, stage: DebugStage) {
        self.note(DebugFact::Entered(stage));
    }

    fn see(&mut self, checked: &str, found: String, implication: &str) {
        self.note(DebugFact::Seen(Observation {
            checked: checked.to_owned(),
            found: short(&found),
            implication: implication.to_owned(),
        }));
    }

    fn halt(&mut self, why: &str) {
        let next = &self.now.focus.next_action;
        let next = if next.is_empty() { String::new() } else { format!("; next: {next}") };
        self.facts.push(Fact::Finished(Ending::Halted { why: format!("{why}{next}") }));
    }

    /// What is red before anything is changed is the first evidence.
    fn based(&mut self, results: &[CheckResult]) {
        self.note(DebugFact::Baseline { results: results.to_vec() });
        for result in results {
            let (found, implication) = match (&result.verdict, result.name.as_str()) {
                (Verdict::Passed, REPRODUCTION) => {
                    ("it passes".to_owned(), "the fault is not seen here")
                }
                (Verdict::Passed, _) => continue,
                (Verdict::Failed(why) | Verdict::Unproven(why), REPRODUCTION) => {
                    (why.clone(), "the fault is seen here")
                }
                (Verdict::Failed(why) | Verdict::Unproven(why), _) => {
                    (why.clone(), "it is red before anything is changed")
                }
            };
            self.see(&told(result), found, implication);
        }
        self.enter(DebugStage::Investigate);
    }

    fn looked(&mut self, report: &AgentReport) {
        let Return::Debugging(debugging) = &report.returned else { return };
        let (Some(word), Some(work)) = (&debugging.session, &report.work) else { return };
        if !self.now.is_gathered {
            self.note(DebugFact::Gathered(gathered(&self.now.symptoms, &word.symptoms)));
        }
        self.note(round(word, work));
        let only_the_cause = self.now.spec.goal == DebugGoal::FindRootCauseOnly;
        match word.status {
            RoundEnd::RootCauseFound | RoundEnd::DebugComplete if only_the_cause => {
                self.enter(DebugStage::File(DebugEnd::Diagnosed, self.work.head.clone()));
            }
            RoundEnd::DebugComplete => self.handed_in(work),
            RoundEnd::CheckpointReached => self.ask(&word.question),
            RoundEnd::InvestigationInconclusive => {
                self.halt("the investigation came to nothing");
            }
            RoundEnd::Investigating | RoundEnd::RootCauseFound => self.go_on(),
        }
    }

    /// Another round. Where there may be none, it is the one that a person lets begin.
    fn go_on(&mut self) {
        self.enter(DebugStage::Investigate);
        let (rounds, fixes, limits) = (self.now.rounds, self.now.fixes, &self.run.given.limits);
        if fixes >= limits.phase_debugs {
            self.halt(&format!("{fixes} repairs did not hold (`limits.phase_debugs`)"));
        } else if rounds >= limits.debug_rounds {
            self.halt(&format!("no end after {rounds} rounds (`limits.debug_rounds`)"));
        }
    }

    fn handed_in(&mut self, work: &Work) {
        // An earlier round may have left the repair, and this one only have looked at it.
        let Some(left) = self.now.left.clone() else {
            let found = "nothing is changed".to_owned();
            self.see("what is said to be repaired", found, "the fault is still there");
            return self.unfixed();
        };
        let by_rule = self.run.given.protection.added_tests == AddedTests::Accept;
        let why = AcceptedBy::Rule("it only adds tests".to_owned());
        let (added, others): (Vec<_>, Vec<_>) =
            work.requests.iter().partition(|one| by_rule && one.edit.only_adds_tests);
        let accepted = added.into_iter().map(|request| request.accepted(why.clone())).collect();
        self.note(DebugFact::Accepted { accepted });
        if !others.is_empty() {
            let paths: Vec<&str> = others.iter().map(|one| one.edit.path.as_str()).collect();
            let found = format!("it edits {}", paths.join(", "));
            let implication = "work is judged by these files, so the edits have no effect";
            self.see("the repair", found, implication);
        }
        self.enter(DebugStage::Check(Work { commit: left, ..work.clone() }));
    }

    fn checked(&mut self, work: Work, results: &[CheckResult]) {
        let (run, time) = (self.run, self.time);
        let waiver = |check: &str| run.waiver(check, time);
        let entries = ledger(&self.now.baseline, results, Fewer::Refused, waiver);
        let open: Vec<(String, String)> = entries
            .iter()
            .filter(|entry| !entry.stands())
            .filter_map(|entry| Some((told(result_of(entry, results)?), why(entry)?)))
            .collect();
        if open.is_empty() {
            self.note(DebugFact::Verified { how: verification(&entries, results) });
            return self.enter(DebugStage::Commit(work));
        }
        for (checked, found) in open {
            self.see(&checked, found, "the repair does not hold");
        }
        self.unfixed();
    }

    fn committed(&mut self, commit: &CommitId) {
        if *commit == self.work.head {
            let found = "it only changes files by which work is judged".to_owned();
            self.see("the repair", found, "they stay as they were, so nothing is repaired");
            return self.unfixed();
        }
        self.enter(DebugStage::File(DebugEnd::Resolved, commit.clone()));
    }

    /// Back to looking for the cause, as often as repairs may fail.
    fn unfixed(&mut self) {
        self.note(DebugFact::Unfixed);
        self.go_on();
    }

    fn gate(&self) -> GateId {
        GateId::new(format!("{CHECKPOINT}{}", self.now.checkpoints))
    }

    fn ask(&mut self, question: &str) {
        self.enter(DebugStage::Checkpoint);
        let gate = self.gate();
        match self.run.answers.get(&gate).cloned() {
            Some(answer) => self.heard(&answer),
            None => self.facts.push(Fact::Asked { gate, question: short(question) }),
        }
    }

    fn heard(&mut self, answer: &Answer) {
        let word = if answer.approved { "yes" } else { "no" };
        let found = format!("{word} {}", answer.message);
        self.see(&format!("what {} says", answer.by), found.trim().to_owned(), "");
        self.go_on();
    }
}

/// What came of a round, within bounds.
fn round(word: &Investigation, work: &Work) -> DebugFact {
    let Focus { hypothesis, test, expecting, next_action } = &word.focus;
    let known = &word.resolution;
    let disproved = |one: &Disproved| Disproved {
        hypothesis: short(&one.hypothesis),
        evidence: short(&one.evidence),
    };
    let observed = |one: &Observation| Observation {
        checked: short(&one.checked),
        found: short(&one.found),
        implication: short(&one.implication),
    };
    DebugFact::Round {
        focus: Focus {
            hypothesis: short(hypothesis),
            test: short(test),
            expecting: short(expecting),
            next_action: short(next_action),
        },
        eliminated: word.eliminated.iter().take(NOTES_MAX).map(disproved).collect(),
        evidence: word.evidence.iter().take(NOTES_MAX).map(observed).collect(),
        resolution: Solution {
            root_cause: short(&known.root_cause),
            failure_category: short(&known.failure_category),
            fix: short(&known.fix),
            verification: short(&known.verification),
            prevention_rule: short(&known.prevention_rule),
            files_changed: known
                .files_changed
                .iter()
                .take(NOTES_MAX)
                .map(|one| short(one))
                .collect(),
        },
        left: work.changed.then(|| work.commit.clone()),
    }
}

/// What was told, and for what was left open what the first round says.
fn gathered(told: &Symptoms, said: &Symptoms) -> Symptoms {
    let first = |told: &str, said: &str| {
        if told.trim().is_empty() { short(said) } else { told.to_owned() }
    };
    Symptoms {
        expected: first(&told.expected, &said.expected),
        actual: first(&told.actual, &said.actual),
        errors: first(&told.errors, &said.errors),
        reproduction: first(&told.reproduction, &said.reproduction),
        started: first(&told.started, &said.started),
    }
}

/// How a repair was seen to hold, without a word more than was seen.
fn verification(entries: &[Entry], results: &[CheckResult]) -> String {
    let of = |wanted: fn(&Standing) -> bool| {
        let is = entries.iter().filter(|entry| wanted(&entry.standing));
        let told = is.filter_map(|entry| Some(told(result_of(entry, results)?)));
        told.collect::<Vec<_>>().join(", ")
    };
    let parts = [
        ("red before and green now: ", of(|standing| matches!(standing, Standing::New))),
        ("still green: ", of(|standing| matches!(standing, Standing::Held))),
        ("red before and now: ", of(|standing| matches!(standing, Standing::Open(_)))),
    ];
    let told: Vec<String> = parts
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| format!("{what}{names}"))
        .collect();
    let is_shown = entries.iter().any(|entry| matches!(entry.standing, Standing::New));
    let word = if is_shown { "" } else { "; no check that was red shows that the fault is gone" };
    format!("{}{word}", told.join("; "))
}

fn told(result: &CheckResult) -> String {
    match &result.command {
        Some(command) => format!("`{command}`"),
        None => result.name.clone(),
    }
}

fn result_of<'a>(entry: &Entry, results: &'a [CheckResult]) -> Option<&'a CheckResult> {
    results.iter().find(|result| result.name == entry.name)
}

fn why(entry: &Entry) -> Option<String> {
    match &entry.standing {
        Standing::Broken(why) | Standing::Open(why) => Some(why.clone()),
        Standing::New | Standing::Held => None,
    }
}

fn short(text: &str) -> String {
    text.chars().take(TEXT_CHARS_MAX).collect()
}
