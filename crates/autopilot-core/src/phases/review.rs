//! The three opinions on a finished phase. They can lower a verdict, never raise one.

use crate::{
    evidence::{CheckResult, Entry, Standing},
    input::{AgentReport, Failure, FailureClass, Work},
    phases::{
        Active, Breached, Gate, PhaseFact, ScoredRow, Stage, Then, calibrate, deferral, gate,
        improve, integrity, rating, traced, turn::Turn, visual,
    },
    policy::{Deficiency, FailureCategory},
    returns::{Rating, Recommendation, Return, Score, ScoreRow, Verification},
    role::Role,
    run::Run,
};

/// Why a return that fits its schema still cannot be used.
pub(super) fn unusable(
    run: &Run,
    active: &Active,
    stage: &Stage,
    report: &AgentReport,
) -> Option<Failure> {
    if let Stage::Calibrate(role, _) = stage {
        return unusable(run, active, &calibrate::stage_of(*role), report);
    }
    let why = match (stage, &report.returned) {
        (Stage::Plan, Return::Planning(_))
        | (Stage::Execute(_), Return::Execution(_))
        | (Stage::TaskFix(..) | Stage::Repair, Return::Debugging(_)) => {
            report.work.is_none().then(|| "its workspace was not kept".to_owned())
        }
        (Stage::Research, Return::Research(_)) | (Stage::PlanCheck(_), Return::PlanCheck(_)) => {
            None
        }
        (Stage::Verify, Return::Verification(word))
            if word.pass && !traced::failures(word).is_empty() =>
        {
            Some("a verification that passes and lists failures contradicts itself".to_owned())
        }
        (Stage::Verify, Return::Verification(word)) => deferral::unfounded(run, active, word),
        (Stage::Judge, Return::Judgement(word)) => word
            .concerns
            .iter()
            .all(|concern| concern.trim().is_empty())
            .then(|| "a judge without a single concern has not looked".to_owned()),
        (Stage::Compare, Return::Comparison(_)) | (Stage::Rate, Return::Rating(_)) => None,
        (stage, _) => Some(format!("the return does not fit the stage {stage:?}")),
    };
    why.map(|detail| Failure { class: FailureClass::Malformed, detail })
}

pub(super) fn verified(turn: &mut Turn<'_>, word: &Verification, report: &AgentReport) {
    let (failures, unproven) = (traced::failures(word), traced::unproven(word));
    let pass = traced::passes(word);
    let directory = &turn.phase.spec.directory;
    let (seen, unseen) = integrity::verification_seen(&turn.now, directory, word, report);
    turn.note(PhaseFact::Verified { pass, failures: failures.clone(), unproven, seen });
    if let Some(claim) = unseen.first() {
        let claim = format!("says that it ran `{claim}`");
        let seen = "it was not seen to".to_owned();
        turn.note(PhaseFact::Caught { who: Role::Verifier, claim, seen });
    }
    let wrong = visual::take(turn, word);
    if pass && wrong.is_empty() {
        deferral::settle(turn, word);
        calibrate::review(turn, Role::Judge);
    } else if pass {
        turn.repair(wrong);
    } else {
        let mut open = or(failures, "the verifier rejected the phase without saying why");
        open.extend(wrong);
        turn.repair(open);
    }
}

pub(super) fn rated(turn: &mut Turn<'_>, word: &Rating) {
    let Some(score) = rating::score(turn.phase, &turn.now, word) else {
        return;
    };
    if word.is_whole {
        turn.note(PhaseFact::Breached(Breached {
            check: "5".to_owned(),
            name: "whole-number".to_owned(),
            what: "the score was given as a whole number, which few honest ones are".to_owned(),
            step: Stage::Rate.name().to_owned(),
            then: Then::Warned,
        }));
    }
    let (score, wrong) = visual::lower(&turn.now, score);
    let mut remarks: Vec<String> = word
        .scorecard
        .iter()
        .filter(|row| row.score < 10.0)
        .map(|row| {
            let why = row.justification.as_deref().unwrap_or("no reason given");
            format!("{}: {} of 10, {why}", row.criterion, row.score)
        })
        .collect();
    remarks.extend(wrong.iter().map(|lack| lack.what.clone()));
    let lacks = word.scorecard.iter().filter_map(|row| {
        let score = Score::floor(row.score).filter(|_| row.score < 10.0)?;
        let why = row.justification.as_deref().unwrap_or("no reason given");
        Some(Deficiency { what: format!("{}: {why}", row.criterion), score })
    });
    let row = |row: &ScoreRow| ScoredRow {
        criterion: row.criterion.clone(),
        score: row.score,
        evidence: row.evidence.clone(),
        justification: row.justification.clone().unwrap_or_default(),
    };
    let rows = word.scorecard.iter().map(row).collect();
    turn.note(PhaseFact::Rated {
        score,
        rows,
        remarks: remarks.clone(),
        lacks: lacks.chain(wrong).collect(),
    });
    let judged = turn.now.judged.unwrap_or(Recommendation::Halt);
    match gate(judged, Some(score), turn.run.given.pass_score) {
        Gate::Pass => calibrate::complete(turn, score),
        Gate::Remedy => improve::remedy(turn, score, remarks),
        Gate::Replan => turn.replan(&format!("the score stayed at {score}"), remarks),
        Gate::Repair => turn.repair(remarks),
        Gate::Rollback | Gate::Halt => {
            turn.reject("the judge said no".to_owned(), FailureCategory::ExecutorWrongApproach);
        }
    }
}

/// Stops the run after a phase that a judge wanted it to stop at.
pub(super) fn halt_if_judged(turn: &mut Turn<'_>) {
    if turn.now.judged == Some(Recommendation::Halt) {
        turn.halt(format!("the judge of phase {} said to halt", turn.phase.spec.id));
    }
}

/// Records that someone handed in work as finished that the engine saw to be unfinished. Who admits that it is not, is
/// not caught at anything.
pub(super) fn catch(turn: &mut Turn<'_>, who: Role, work: &Work) {
    if !work.said_done {
        return;
    }
    let Some(seen) = turn.now.settled.iter().find_map(|entry| seen(entry, &turn.now.checked))
    else {
        return;
    };
    let claim = if who == Role::Debugger { "handed in as repaired" } else { "handed in as done" };
    turn.note(PhaseFact::Caught { who, claim: claim.to_owned(), seen });
}

/// What is wrong with a check that does not stand.
fn seen(entry: &Entry, results: &[CheckResult]) -> Option<String> {
    let why = match &entry.standing {
        Standing::Broken(why) | Standing::Open(why) if !entry.stands() => why,
        Standing::New | Standing::Held | Standing::Broken(_) | Standing::Open(_) => return None,
    };
    let result = results.iter().find(|result| result.name == entry.name)?;
    Some(match &result.command {
        Some(command) => format!("`{command}`: {why}"),
        None => why.clone(),
    })
}

fn or(list: Vec<String>, instead: &str) -> Vec<String> {
    if list.is_empty() { vec![instead.to_owned()] } else { list }
}
