//! What follows from the outcome of a stage of an issue.

use crate::{
    fact::{Ending, Fact},
    id::{CommitId, GateId, Step},
    input::{Answer, Failure, FailureClass, Outcome},
    issue::{
        Issue, IssueFact, IssueStage, IssueStep, Next, begin, judge, left, message, turn::Turn,
    },
    returns::Return,
    run::Run,
    time::Timestamp,
};

/// Why an outcome cannot be used although it came back in order.
pub fn unusable(issue: &Issue, outcome: &Outcome) -> Option<Failure> {
    let engine =
        |detail: &str| Some(Failure { class: FailureClass::Engine, detail: detail.to_owned() });
    let malformed =
        |detail: &str| Some(Failure { class: FailureClass::Malformed, detail: detail.to_owned() });
    match (&issue.stage, outcome) {
        (IssueStage::Generate, Outcome::Agent(report)) => {
            let fits = matches!(
                (issue.step, &report.returned),
                (IssueStep::Stories, Return::StoryWriting(_))
                    | (IssueStep::Plan, Return::IssuePlanning(_))
                    | (IssueStep::Cause, Return::Cause(_))
                    | (IssueStep::Work, Return::Implementation(_))
            );
            match (&report.returned, &report.work) {
                _ if !fits => engine("the return is another role's"),
                (Return::Cause(word), _) if word.cause.trim().is_empty() => {
                    malformed("`cause` is empty, so nobody could agree with it")
                }
                (Return::Cause(_), _) | (_, Some(_)) => None,
                (_, None) => engine("its workspace was not kept"),
            }
        }
        (IssueStage::Coverage, Outcome::Agent(report)) => {
            let fits = matches!(report.returned, Return::Coverage(_));
            if fits { None } else { engine("the return is another role's") }
        }
        (
            IssueStage::Begin | IssueStage::Freeze | IssueStage::Survey(_) | IssueStage::Present(_),
            Outcome::Surveyed(_),
        )
        | (
            IssueStage::Draft
            | IssueStage::PinRequirements
            | IssueStage::PinDesign
            | IssueStage::SaveDocuments(_)
            | IssueStage::SaveCause
            | IssueStage::SaveTests(_)
            | IssueStage::SaveWork(_)
            | IssueStage::Evidence
            | IssueStage::Record,
            Outcome::Committed(_),
        )
        | (IssueStage::Base | IssueStage::Full, Outcome::Checked(_))
        | (IssueStage::Integrate(_), Outcome::Integrated(_)) => None,
        (IssueStage::Reproduce | IssueStage::Green | IssueStage::Red, Outcome::Tried(trials)) => {
            if trials.is_empty() {
                engine("nothing was run")
            } else {
                None
            }
        }
        (_, _) => engine("the outcome does not fit the step"),
    }
}

/// What follows from a usable outcome.
pub fn decide(run: &Run, issue: &Issue, _now: Timestamp, outcome: &Outcome) -> Vec<Fact> {
    let mut turn = Turn::new(run, issue);
    match (issue.stage.clone(), outcome) {
        (IssueStage::Begin, Outcome::Surveyed(found)) => begin::begin(&mut turn, found),
        (IssueStage::Freeze, Outcome::Surveyed(found)) => begin::freeze(&mut turn, found),
        (IssueStage::Reproduce, Outcome::Tried(trials)) => begin::reproduced(&mut turn, trials),
        (IssueStage::Base, Outcome::Checked(results)) => begin::based(&mut turn, results),
        (IssueStage::Generate, Outcome::Agent(report)) => left::generated(&mut turn, report),
        (IssueStage::Survey(work), Outcome::Surveyed(found)) => {
            left::surveyed(&mut turn, &work, found);
        }
        (stage, Outcome::Committed(commit)) => committed(&mut turn, stage, commit),
        (IssueStage::Green, Outcome::Tried(trials)) => judge::green(&mut turn, trials),
        (IssueStage::Coverage, Outcome::Agent(report)) => judge::covered(&mut turn, report),
        (IssueStage::Red, Outcome::Tried(trials)) => judge::red(&mut turn, trials),
        (IssueStage::Full, Outcome::Checked(results)) => judge::full(&mut turn, results),
        (IssueStage::Integrate(next), Outcome::Integrated(commit)) => {
            turn.note(IssueFact::Integrated { commit: commit.clone() });
            match next {
                Next::Gate(gate) => turn.enter(IssueStage::Present(gate)),
                Next::Halt { why } => turn.finish(Ending::Halted { why }),
            }
        }
        (IssueStage::Present(gate), Outcome::Surveyed(found)) => {
            let text = message::of(&turn.now, gate, found);
            turn.ask(gate, text);
        }
        _ => {}
    }
    turn.facts
}

/// What follows from a commit that was made.
fn committed(turn: &mut Turn<'_>, stage: IssueStage, commit: &CommitId) {
    #[expect(clippy::wildcard_enum_match_arm, reason = "`unusable` refuses it everywhere else")]
    match stage {
        IssueStage::Draft => {
            turn.stands(commit);
            turn.enter(IssueStage::Begin);
        }
        IssueStage::PinRequirements => {
            turn.stands(commit);
            begin::begin_design(turn);
        }
        IssueStage::PinDesign => {
            turn.stands(commit);
            begin::begin_work(turn, commit);
        }
        IssueStage::SaveDocuments(_) | IssueStage::SaveCause => {
            turn.stands(commit);
            judge::judge(turn, None);
        }
        IssueStage::SaveTests(work) => {
            turn.note(IssueFact::TestsStand { commit: commit.clone() });
            turn.enter(IssueStage::SaveWork(work));
        }
        IssueStage::SaveWork(_) => {
            turn.stands(commit);
            turn.enter(if turn.now.is_gated() { IssueStage::Green } else { IssueStage::Full });
        }
        IssueStage::Evidence => {
            turn.stands(commit);
            turn.enter(IssueStage::Record);
        }
        IssueStage::Record => judge::recorded(turn, commit),
        _ => {}
    }
}

/// What follows when a step failed as often as it may.
pub fn gave_up(step: &Step, failure: &Failure) -> Vec<Fact> {
    let why = format!("{step} failed ({}): {}", failure.class.name(), failure.detail);
    vec![Fact::Finished(Ending::Halted { why })]
}

/// What follows from a person's answer to an open question.
pub fn answered(
    run: &Run,
    issue: &Issue,
    _now: Timestamp,
    gate: &GateId,
    answer: &Answer,
) -> Vec<Fact> {
    let mut turn = Turn::new(run, issue);
    let IssueStage::Gate(at) = issue.stage else { return Vec::new() };
    if issue.gate_id(at) == *gate {
        turn.hear(at, answer);
    }
    turn.facts
}

/// Takes up what a person said before they were asked.
pub fn proceed(run: &Run, issue: &Issue, _now: Timestamp) -> Vec<Fact> {
    let mut turn = Turn::new(run, issue);
    if let IssueStage::Gate(at) = issue.stage
        && !run.stopping
        && let Some(answer) = run.answers.get(&issue.gate_id(at))
    {
        turn.hear(at, answer);
    }
    turn.facts
}
