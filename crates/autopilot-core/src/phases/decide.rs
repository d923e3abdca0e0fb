//! What follows from the outcome of a phase's stage.

use crate::{
    evidence::{Check, CheckResult, Fewer, ledger, objections},
    fact::{Ending, Fact},
    id::{CommitId, GateId, Key, Step},
    input::{AgentReport, Answer, Failure, Outcome, Work},
    phases::{
        Close, Finding, Phase, PhaseFact, Phases, Stage, Status, calibrate, canary, cause, checks,
        debugging, deferral, finale,
        integrity::{self, Refusal},
        judge, lint, log, mark, origin, orphans, parts, ready_plan, recheck, release, requests,
        review, talk,
        turn::Turn,
        visual,
    },
    policy::{Stamp, stamp},
    returns::{Return, Score},
    roadmap::{Plan, in_order},
    role::Role,
    run::Run,
    time::Timestamp,
};

/// How many phases are worked on at a time.
const ACTIVE_MAX: usize = 1;

/// Whether an outcome of this step is waited for: its phase is active and stands at the stage.
pub fn expects(work: &Phases, step: &Step) -> bool {
    let at_stage = work.active_at(step).is_some_and(|(_, phase, active)| {
        let task = active.stage.task().map_or("", |task| active.task_name(task));
        active.stage.step(&phase.spec.id, task) == *step
    });
    at_stage
        || finale::expects(work, step)
        || release::expects(work, step)
        || debugging::expects(work, step)
        || recheck::expects(work, step)
        || talk::expects(work, step)
        || mark::expects(work, step)
}

/// What follows from a usable outcome.
pub fn decide(run: &Run, work: &Phases, now: Timestamp, key: &Key, outcome: &Outcome) -> Vec<Fact> {
    if let Some(facts) = of_run(run, work, now, (key, outcome)) {
        return facts;
    }
    let Some(mut turn) = Turn::about(run, work, &key.step, now) else {
        return Vec::new();
    };
    match (turn.now.stage.clone(), outcome) {
        (Stage::Preflight, Outcome::Preflight { issues, plan }) => {
            preflight(&mut turn, issues, plan.as_deref());
        }
        (stage, Outcome::Agent(report)) => {
            integrity::tell(&mut turn, report);
            agent(&mut turn, stage, report);
        }
        (Stage::Triage, Outcome::Checked(results)) => {
            turn.note(PhaseFact::Baseline { results: results.clone() });
            origin::begin(&mut turn);
        }
        (Stage::Origin, Outcome::Checked(results)) => origin::looked(&mut turn, results),
        (Stage::OriginCanary(_), Outcome::Canaries(canaries)) => {
            origin::broken(&mut turn, canaries);
        }
        (Stage::Baseline, Outcome::Checked(results)) => {
            turn.note(PhaseFact::Baseline { results: results.clone() });
            baseline(&mut turn);
        }
        (Stage::RequestCheck(task, work), Outcome::Checked(results)) => {
            tried_with_requests(&mut turn, task, &work, results);
        }
        (stage, Outcome::Checked(results)) => {
            turn.note(PhaseFact::Checked { results: results.clone() });
            checked(&mut turn, stage);
        }
        (Stage::Canary, Outcome::Canaries(canaries)) => canary::take(&mut turn, canaries),
        (Stage::Look, Outcome::Shot(shots)) => visual::shot(&mut turn, shots),
        (Stage::Seed(role), Outcome::Seeded(seed)) => {
            calibrate::seeded(&mut turn, role, seed.as_ref());
        }
        (Stage::Outline, Outcome::Committed(commit)) => {
            // A plan that was there already is left as it is.
            if *commit != turn.now.head {
                turn.note(PhaseFact::PlanStands { commit: commit.clone() });
            }
            turn.enter(Stage::Replay);
        }
        (Stage::PlanCommit(_), Outcome::Committed(commit)) => {
            turn.note(PhaseFact::PlanStands { commit: commit.clone() });
            if checks::of_tasks(turn.run, turn.phase, &turn.now).is_empty() {
                turn.next_task();
            } else {
                turn.enter(Stage::Baseline);
            }
        }
        (Stage::TaskCommit(task, _), Outcome::Committed(commit)) => {
            turn.note(PhaseFact::TaskDone { task, commit: commit.clone() });
            turn.next_task();
        }
        (Stage::RepairCommit(_), Outcome::Committed(commit)) => {
            turn.note(PhaseFact::Repaired { commit: commit.clone() });
            canary::begin(&mut turn);
        }
        (Stage::Integrate(score), Outcome::Integrated(commit)) => {
            integrated(&mut turn, score, commit.clone());
        }
        (Stage::Reject(why), Outcome::Rejected { branch }) => {
            turn.close(Close::Failed { why, branch: Some(branch.clone()) });
            review::halt_if_judged(&mut turn);
        }
        _ => {}
    }
    turn.facts()
}

/// What follows from the outcome of a step that is about no phase alone, where it is one.
fn of_run(
    run: &Run,
    work: &Phases,
    now: Timestamp,
    (key, outcome): (&Key, &Outcome),
) -> Option<Vec<Fact>> {
    if finale::expects(work, &key.step) {
        Some(finale::decide(run, work, now, outcome))
    } else if recheck::expects(work, &key.step) {
        Some(recheck::decide(run, now, outcome))
    } else if talk::expects(work, &key.step) {
        Some(talk::decide(run, work, now, outcome))
    } else if release::expects(work, &key.step) {
        Some(release::decide(work, outcome))
    } else if debugging::expects(work, &key.step) {
        Some(debugging::decide(run, work, now, outcome))
    } else {
        mark::expects(work, &key.step).then(|| mark::decide(work, outcome))
    }
}

/// Closes a phase that is on the run branch.
pub(super) fn integrated(turn: &mut Turn<'_>, score: Score, commit: CommitId) {
    let below_pass = score < turn.run.given.pass_score;
    let (waived, held, awaits) = (turn.now.waived(), turn.now.held(), deferral::awaited(&turn.now));
    let suspect = doubt(turn, score) == Stamp::Critical;
    let is_whole = turn.phase.part_of.is_none();
    let unmarked = is_whole && deferral::waits(turn.work, turn.phase, &turn.now);
    turn.close(Close::Completed {
        score,
        commit,
        below_pass,
        suspect,
        waived,
        held,
        awaits,
        unmarked,
    });
}

/// Tells when the scores of the run are too much alike, with the one that is about to join them.
fn doubt(turn: &mut Turn<'_>, score: Score) -> Stamp {
    // A mean of scores that were looked at already is not one more.
    if turn.now.is_split && !turn.now.reviews.rated {
        return Stamp::None;
    }
    let scores: Vec<Score> = turn.work.scores.iter().copied().chain([score]).collect();
    let stamp = stamp(&scores);
    if stamp != Stamp::None {
        turn.note(PhaseFact::Stamped(stamp));
    }
    stamp
}

/// What follows from a return that does not count; `is_last` where the step has been tried as often as it may.
pub fn refused(
    run: &Run,
    work: &Phases,
    now: Timestamp,
    key: &Key,
    (refusal, is_last): (&Refusal, bool),
) -> Vec<Fact> {
    let Some(mut turn) = Turn::about(run, work, &key.step, now) else {
        return Vec::new();
    };
    let again = integrity::refuse(&mut turn, refusal, is_last);
    let mut facts = turn.facts();
    if !again {
        facts.extend(gave_up(run, work, now, key, &refusal.failure));
    }
    facts
}

/// What follows when a step failed as often as it may.
pub fn gave_up(
    run: &Run,
    work: &Phases,
    now: Timestamp,
    key: &Key,
    failure: &Failure,
) -> Vec<Fact> {
    if finale::expects(work, &key.step) {
        return finale::gave_up(run, work, now, failure);
    }
    if release::expects(work, &key.step) {
        return release::gave_up(failure);
    }
    if debugging::expects(work, &key.step) {
        return debugging::gave_up(&key.step, failure);
    }
    if recheck::expects(work, &key.step) {
        return recheck::gave_up(failure);
    }
    if talk::expects(work, &key.step) {
        return talk::gave_up(run, work, now, failure);
    }
    if mark::expects(work, &key.step) {
        return mark::gave_up(failure);
    }
    let Some(mut turn) = Turn::about(run, work, &key.step, now) else {
        return Vec::new();
    };
    let why = format!("{} failed ({}): {}", key.step, failure.class.name(), failure.detail);
    if let Stage::Execute(task) | Stage::TaskFix(task, _) = turn.now.stage {
        turn.give_task_up(task, why, Some(cause::of_failure(&failure.class)));
    } else if let Stage::Seed(role) | Stage::Calibrate(role, _) = turn.now.stage {
        // To measure someone is not what the phase is for.
        turn.enter(calibrate::stage_of(role));
    } else if turn.now.stage == Stage::Look {
        visual::failed(&mut turn, &why);
    } else if matches!(turn.now.stage, Stage::Reject(_)) {
        // Not even the branch for rejected work could be made; the attempts themselves are kept anyway.
        turn.close(Close::Failed { why, branch: None });
    } else {
        turn.reject(why, cause::of_failure(&failure.class));
    }
    turn.facts()
}

/// What is noted when an agent came to the end of what it can remember: what it left, for whoever goes on.
pub fn handed_off(work: &Phases, key: &Key, left: Option<&Work>, why: &str) -> Option<Fact> {
    let (_, phase, active) = work.active_at(&key.step)?;
    active.stage.role()?;
    let fact = PhaseFact::HandedOff {
        step: log::name_of(&active.stage).to_owned(),
        why: why.to_owned(),
        work: left.filter(|left| left.changed).map(|left| left.commit.clone()),
    };
    Some(Fact::Phase { phase: phase.spec.id, fact })
}

/// What follows from a person's answer to an open question.
pub fn answered(
    run: &Run,
    work: &Phases,
    now: Timestamp,
    gate: &GateId,
    answer: &Answer,
) -> Vec<Fact> {
    if let Some(facts) = talk::answered(run, work, now, (gate, answer)) {
        return facts;
    }
    if work.debug.is_some() {
        return debugging::answered(run, work, now, (gate, answer));
    }
    let Some(mut turn) = Turn::about(run, work, &Step::new(gate.as_str()), now) else {
        return deferral::answered(work, gate, answer);
    };
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other stage waits for a person")]
    match turn.now.stage.clone() {
        Stage::Human(task) => turn.take_answer(task, answer.approved, &answer.message),
        Stage::Approve(score) => calibrate::answered(&mut turn, score, answer),
        Stage::Request(task, work) if requests::gate(&turn, &work) == *gate => {
            requests::answered(&mut turn, task, &work, answer);
        }
        _ => return Vec::new(),
    }
    turn.facts()
}

/// Begins the next phase when there is room, and ends the run when there is nothing left.
pub fn proceed(run: &Run, work: &Phases) -> Vec<Fact> {
    if run.stopping {
        return Vec::new();
    }
    if let Some(session) = &work.debug {
        return debugging::proceed(run, session);
    }
    if let Some(facts) = talk::proceed(run, work) {
        return facts;
    }
    if let Some(over) = pause(run, work) {
        return vec![Fact::Finished(Ending::Checkpoint { over })];
    }
    let working = work.active.iter().filter(|at| !is_in_parts(&work.list[**at])).count();
    if let Some(part) = parts::next(work).filter(|_| working < ACTIVE_MAX) {
        return vec![part];
    }
    let room = ACTIVE_MAX.saturating_sub(work.active.len());
    let begun: Vec<Fact> = work
        .graph
        .ready()
        .take(room)
        .map(|at| Fact::Phase {
            phase: work.list[at].spec.id,
            fact: PhaseFact::Began { base: work.head.clone() },
        })
        .collect();
    if !begun.is_empty() || !work.active.is_empty() {
        return begun;
    }
    if let Some(begun) = finale::begin(work).or_else(|| release::begin(work)) {
        return vec![begun];
    }
    match recheck::ending(work) {
        // Nothing but a person's word is missing.
        Some(_) if deferral::is_open(work) => deferral::ask(run, work),
        // What a person found good is marked first.
        Some(_) if mark::due(work).is_some() => Vec::new(),
        ending => ending.map(Fact::Finished).into_iter().collect(),
    }
}

/// Whether a phase waits for its parts.
fn is_in_parts(phase: &Phase) -> bool {
    matches!(&phase.status, Status::Active(active) if active.stage == Stage::Parts)
}

/// After how many phases it is time for a person to look, if it is: nothing is under way, and something is left.
fn pause(run: &Run, work: &Phases) -> Option<u32> {
    let every = run.given.manner.checkpoint_every.filter(|every| *every > 0)?;
    let is_time = work.over >= work.looked_at.saturating_add(every);
    (is_time && work.active.is_empty() && work.graph.ready().next().is_some()).then_some(work.over)
}

fn preflight(turn: &mut Turn<'_>, issues: &[String], plan: Option<&Plan>) {
    if let Some(first) = issues.first() {
        // The phase is as it was. Going on would be wrong; a person looks and resumes.
        turn.halt(format!("before phase {}: {first}", turn.phase.spec.id));
        return;
    }
    ready_plan::take(turn, plan);
    if checks::of_triage(turn.run, turn.phase, &turn.now).is_empty() {
        ready_plan::begin(turn);
    } else {
        turn.enter(Stage::Triage);
    }
}

fn agent(turn: &mut Turn<'_>, stage: Stage, report: &AgentReport) {
    match (stage, &report.returned, &report.work) {
        (Stage::Research, Return::Research(research), _) => {
            turn.note(PhaseFact::Researched(research.clone()));
            turn.enter(Stage::Plan);
        }
        (Stage::Plan, Return::Planning(_), Some(work)) => planned(turn, report, work),
        (Stage::PlanCheck(work), Return::PlanCheck(check), _) => {
            let issues = lint::objections(check);
            let (pass, confidence) = (issues.is_empty(), check.confidence);
            turn.note(PhaseFact::PlanChecked { pass, confidence });
            if pass {
                turn.enter(Stage::PlanCommit(work));
            } else {
                turn.send_plan_back(issues);
            }
        }
        (Stage::Execute(task) | Stage::TaskFix(task, _), word, Some(work)) => {
            requests::take(turn, work);
            let work = orphans::take(turn, word, work);
            turn.enter(Stage::TaskCheck(task, said(word, &work)));
        }
        (Stage::Calibrate(role, seed), word, _) => calibrate::judged(turn, role, &seed, word),
        (Stage::Verify, Return::Verification(word), _) => review::verified(turn, word, report),
        (Stage::Judge, Return::Judgement(word), _) => judge::reported(turn, word),
        (Stage::Compare, Return::Comparison(word), _) => judge::compared(turn, word),
        (Stage::Rate, Return::Rating(word), _) => review::rated(turn, word),
        (Stage::Repair, word, Some(work)) => {
            requests::take(turn, work);
            turn.enter(Stage::RepairCheck(said(word, work)));
        }
        _ => {}
    }
}

/// A work with what whoever made it says of it.
fn said(word: &Return, work: &Work) -> Work {
    Work { said_done: word.says_done(), ..work.clone() }
}

fn planned(turn: &mut Turn<'_>, report: &AgentReport, work: &Work) {
    if let Return::Planning(word) = &report.returned
        && parts::ask(turn, word, report.plan.as_ref())
    {
        return;
    }
    let spec = &turn.phase.spec;
    let tasks = report.plan.as_ref().map(|plan| plan.tasks_with_specs(&spec.directory));
    let tasks = in_order(&tasks.unwrap_or_default());
    let findings = lint::lint(report.plan.as_ref(), spec);
    let (blockers, remarks): (Vec<Finding>, Vec<Finding>) =
        findings.into_iter().partition(Finding::is_blocker);
    if blockers.is_empty() {
        turn.note(PhaseFact::Planned { tasks, remarks });
        turn.enter(Stage::PlanCheck(work.clone()));
    } else {
        turn.send_plan_back(blockers.iter().map(Finding::to_string).collect());
    }
}

/// What follows from what the plan's criteria show before anybody has worked on it.
fn baseline(turn: &mut Turn<'_>) {
    let mut of_tasks = checks::of_tasks(turn.run, turn.phase, &turn.now).into_iter();
    let holds = |check: Check| {
        let mut results = turn.now.baseline.iter();
        results.any(|result| result.name == check.name && result.verdict.is_passed())
    };
    // Where the roadmap names no command, all that is ever proven is what the plan asks for.
    if checks::of_phase(turn.run, turn.phase).is_empty() && of_tasks.all(holds) {
        let issue = "every criterion of the plan holds before anything is done, so the plan could prove nothing; \
                     name commands that fail now and pass when the work is done";
        turn.send_plan_back(vec![issue.to_owned()]);
    } else {
        turn.next_task();
    }
}

/// What follows from results of the work that have just been noted.
fn checked(turn: &mut Turn<'_>, stage: Stage) {
    let (run, time) = (turn.run, turn.time);
    let entries = ledger(&turn.now.baseline, &turn.now.checked, turn.now.fewer_tests(), |check| {
        run.waiver(check, time)
    });
    let mut open = objections(&entries, &turn.now.checked);
    if let Stage::TaskCheck(_, work) = &stage {
        open.extend(orphans::objections(work));
    }
    turn.note(PhaseFact::Settled { entries });
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "`unusable` refuses results in every other stage"
    )]
    match stage {
        Stage::TaskCheck(task, work) if open.is_empty() => {
            turn.enter(Stage::TaskCommit(task, work));
        }
        Stage::TaskCheck(task, work) if requests::pending(turn).next().is_some() => {
            turn.enter(Stage::RequestCheck(Some(task), work));
        }
        Stage::RepairCheck(work)
            if !open.is_empty() && requests::pending(turn).next().is_some() =>
        {
            turn.enter(Stage::RequestCheck(None, work));
        }
        Stage::TaskCheck(task, work) => {
            let who = if turn.now.tries.task_fixes == 0 { Role::Executor } else { Role::Debugger };
            review::catch(turn, who, &work);
            turn.fix_task(task, work, open);
        }
        Stage::Replay if open.is_empty() => canary::begin(turn),
        Stage::Replay => turn.repair(open),
        Stage::RepairCheck(work) if open.is_empty() => turn.enter(Stage::RepairCommit(work)),
        Stage::RepairCheck(work) => {
            review::catch(turn, Role::Debugger, &work);
            turn.repair(remaining(turn, open));
        }
        _ => {}
    }
}

/// Whether everything that is asked of a task itself stands.
fn own_hold(turn: &Turn<'_>, task: usize) -> bool {
    let Some(task) = turn.now.tasks.get(task) else { return false };
    let own = checks::of_task(turn.run, turn.phase, task);
    own.iter().all(|check| {
        turn.now.settled.iter().any(|entry| entry.name == check.name && entry.stands())
    })
}

/// What follows from the same checks with every edit of protected files in effect.
fn tried_with_requests(
    turn: &mut Turn<'_>,
    task: Option<usize>,
    work: &Work,
    results: &[CheckResult],
) {
    let (run, time) = (turn.run, turn.time);
    let with =
        ledger(&turn.now.baseline, results, Fewer::Accepted, |check| run.waiver(check, time));
    if objections(&with, results).is_empty() {
        return requests::ask(turn, task, work);
    }
    let mut open = objections(&turn.now.settled, &turn.now.checked);
    open.extend(requests::finding(turn));
    match task {
        // With or without the edits, what must stay true waits for another task.
        Some(task) if own_hold(turn, task) && work.orphans.is_empty() => {
            turn.enter(Stage::TaskCommit(task, work.clone()));
        }
        Some(task) => {
            let who = if turn.now.tries.task_fixes == 0 { Role::Executor } else { Role::Debugger };
            review::catch(turn, who, work);
            turn.fix_task(task, work.clone(), open);
        }
        None => {
            review::catch(turn, Role::Debugger, work);
            turn.repair(remaining(turn, open));
        }
    }
}

/// What is left to repair: what checks show now, and what only someone who looks again can settle.
fn remaining(turn: &Turn<'_>, mut open: Vec<String>) -> Vec<String> {
    let unsettled = turn.now.unsettled.iter().filter(|one| !open.contains(one));
    let unsettled: Vec<String> = unsettled.cloned().collect();
    open.extend(unsettled);
    open
}
