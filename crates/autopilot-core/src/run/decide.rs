//! The one place where what happened becomes what follows, for every kind of run.

use crate::{
    budget::Spend,
    effect::Effect,
    fact::{End, Ending, Fact},
    id::{GateId, Key},
    input::{Answer, Event, Failure, FailureClass, Input, Observed, Outcome},
    phases::{self, Refusal, Unusable},
    run::{Run, Work, owed},
    time::Timestamp,
};

/// The first pause when a service is overloaded; each further one is twice as long.
const BACKOFF_MS_MIN: u64 = 5_000;
/// The longest pause when a service is overloaded.
const BACKOFF_MS_MAX: u64 = 600_000;
/// How long to wait at a usage limit that does not say when it ends.
const LIMIT_MS_UNKNOWN: u64 = 900_000;
/// A usage limit that is said to last longer is asked about again: no account is closed for more than a week.
const LIMIT_MS_MAX: u64 = 8 * 24 * 3_600_000;

/// The facts that follow from an input. Pure and total: no input is refused, some have no consequence.
pub fn decide(run: &Run, input: &Input) -> Vec<Fact> {
    let now = input.now;
    match &input.event {
        Event::Starting(key) => starting(run, key),
        Event::Ended { key, outcome, spent } => ended(run, now, Arrived { key, outcome, spent }),
        Event::Answered { gate, answer } => answered(run, now, gate, answer),
        // It is found again with every start for as long as it is there.
        Event::LeftOut(left_out) if run.left_out.contains(left_out) => Vec::new(),
        Event::LeftOut(left_out) => vec![Fact::LeftOut(left_out.clone())],
        Event::Strays(strays) => vec![Fact::Strays(strays.clone())],
        Event::Denied(denied) => vec![Fact::Denied(denied.clone())],
        Event::Repaired(repair) => vec![Fact::Repaired(repair.clone())],
        Event::Environment(found) if run.environment.as_ref() == Some(found) => Vec::new(),
        Event::Environment(found) => vec![Fact::Environment(found.clone())],
        Event::Retry => {
            let Work::Phases(work) = &run.work;
            phases::retry(work)
        }
        Event::Tick => tick(run, now),
        Event::Stop if run.stopping || run.ending.is_some() => Vec::new(),
        Event::Stop => vec![Fact::StopAsked],
        Event::Resumed { observed, limits } => {
            let mut facts = reconcile(run, now, observed);
            facts.push(Fact::Resumed { limits: limits.clone() });
            facts
        }
    }
}

/// An outcome and the key it carries.
struct Arrived<'a> {
    key: &'a Key,
    outcome: &'a Outcome,
    spent: &'a Spend,
}

/// Gives leave to start an owed effect, or ends the run where a ceiling forbids it.
fn starting(run: &Run, key: &Key) -> Vec<Fact> {
    let Some(owed) = owed(run).into_iter().find(|owed| owed.key == *key) else {
        return Vec::new();
    };
    if matches!(owed.effect, Effect::Agent(_)) {
        let Work::Phases(work) = &run.work;
        let limits = &run.given.limits;
        let reached = limits
            .reached_by_run(&run.spent, run.retries)
            .or_else(|| run.tripped())
            .or_else(|| work.spent_on(&key.step).and_then(|spent| limits.reached_by_phase(spent)));
        if let Some(ceiling) = reached {
            return vec![Fact::Finished(Ending::Ceiling(ceiling))];
        }
    }
    if owed.effect.needs_intent() { vec![Fact::Started { key: key.clone() }] } else { Vec::new() }
}

fn ended(run: &Run, now: Timestamp, arrived: Arrived<'_>) -> Vec<Fact> {
    let Arrived { key, outcome, spent } = arrived;
    let Work::Phases(work) = &run.work;
    if !run.ledger.awaits(key) || !phases::expects(work, &key.step) {
        return Vec::new();
    }
    if run.ending.is_some() {
        // Nothing follows any more, but what it cost is still owed to the books.
        return vec![end(key, End::Interrupted, spent)];
    }
    match outcome {
        Outcome::Lost => vec![end(key, End::Lost, spent)],
        Outcome::Interrupted => vec![end(key, End::Interrupted, spent)],
        Outcome::Failed(failure) => failed(run, now, arrived.with(failure)),
        Outcome::Exhausted { work: left, why } => {
            let failure = Failure { class: FailureClass::Context, detail: why.clone() };
            let mut facts = failed(run, now, arrived.with(&failure));
            let handed = phases::handed_off(work, key, left.as_deref(), why);
            facts.splice(1..1, handed);
            facts
        }
        Outcome::Preflight { .. }
        | Outcome::Agent(_)
        | Outcome::Checked(_)
        | Outcome::Canaries(_)
        | Outcome::Seeded(_)
        | Outcome::Committed(_)
        | Outcome::Integrated(_)
        | Outcome::Rejected { .. } => match phases::unusable(run, work, now, key, outcome) {
            Some(Unusable::Failed(failure)) => failed(run, now, arrived.with(&failure)),
            Some(Unusable::Refused(refusal)) => refused(run, now, &arrived, &refusal),
            None => {
                let mut facts = vec![Fact::Ended {
                    key: key.clone(),
                    end: End::Done,
                    spent: *spent,
                    model: model_of(outcome),
                }];
                facts.extend(phases::decide(run, work, now, key, outcome));
                facts
            }
        },
    }
}

/// An effect that did not work, and why.
struct Failed<'a> {
    key: &'a Key,
    failure: &'a Failure,
    spent: &'a Spend,
}

impl<'a> Arrived<'a> {
    fn with(self, failure: &'a Failure) -> Failed<'a> {
        Failed { key: self.key, failure, spent: self.spent }
    }
}

fn failed(run: &Run, now: Timestamp, failed: Failed<'_>) -> Vec<Fact> {
    let Failed { key, failure, spent } = failed;
    let Work::Phases(work) = &run.work;
    match &failure.class {
        FailureClass::Limit { until } => {
            let until = limit_ends(now, *until, held_times(run, work, key));
            limited(run, until, failed)
        }
        FailureClass::Overloaded => {
            let until = now.plus_ms(backoff_ms(held_times(run, work, key)));
            limited(run, until, failed)
        }
        FailureClass::Auth | FailureClass::Unavailable => vec![
            end(key, End::Failed(failure.clone()), spent),
            Fact::Finished(Ending::NoAgent { why: failure.detail.clone() }),
        ],
        FailureClass::Context
        | FailureClass::Refused
        | FailureClass::Crashed
        | FailureClass::Timeout
        | FailureClass::Stalled
        | FailureClass::Malformed
        | FailureClass::Engine => {
            let mut facts = vec![end(key, End::Failed(failure.clone()), spent)];
            let tries = run.ledger.failures(&key.step).saturating_add(1);
            if tries >= run.given.limits.step_tries {
                facts.extend(phases::gave_up(run, work, now, key, failure));
            }
            facts
        }
    }
}

/// A return that does not count is a try like any other, and costs the budget of tries.
fn refused(run: &Run, now: Timestamp, arrived: &Arrived<'_>, refusal: &Refusal) -> Vec<Fact> {
    let Arrived { key, spent, .. } = arrived;
    let Work::Phases(work) = &run.work;
    let mut facts = vec![end(key, End::Failed(refusal.failure.clone()), spent)];
    let tries = run.ledger.failures(&key.step).saturating_add(1);
    let is_last = tries >= run.given.limits.step_tries;
    facts.extend(phases::refused(run, work, now, key, (refusal, is_last)));
    facts
}

fn limited(run: &Run, until: Timestamp, failed: Failed<'_>) -> Vec<Fact> {
    let Failed { key, failure, spent } = failed;
    let Work::Phases(work) = &run.work;
    let mut facts = vec![end(key, End::Limited(failure.clone()), spent)];
    if let Some(role) = work.role_of(&key.step) {
        let agent = run.agent_for(role).clone();
        facts.push(Fact::Held { agent, until, why: failure.detail.clone() });
    }
    facts
}

/// How often in a row the agent of a step has been held before.
fn held_times(run: &Run, work: &phases::Phases, key: &Key) -> u32 {
    work.role_of(&key.step)
        .and_then(|role| run.held.get(run.agent_for(role)))
        .map_or(0, |held| held.times)
}

/// When a usage limit is taken to end. An agent's word counts within reason: one whose limit is always over
/// already must not be started again and again without a pause.
fn limit_ends(now: Timestamp, told: Option<Timestamp>, times: u32) -> Timestamp {
    let told = told.unwrap_or(now.plus_ms(LIMIT_MS_UNKNOWN));
    let earliest = if times == 0 { now } else { now.plus_ms(backoff_ms(times - 1)) };
    told.clamp(earliest, now.plus_ms(LIMIT_MS_MAX))
}

fn backoff_ms(times: u32) -> u64 {
    BACKOFF_MS_MIN.saturating_mul(1 << times.min(10)).min(BACKOFF_MS_MAX)
}

fn answered(run: &Run, now: Timestamp, gate: &GateId, answer: &Answer) -> Vec<Fact> {
    // The first answer counts, whether it came before or after the question. Of waivers, which end, the last one does.
    let is_first = match run.answers.get(gate) {
        Some(before) => gate.is_waiver() && before != answer,
        None => true,
    };
    if !is_first || run.ending.is_some() {
        return Vec::new();
    }
    let mut facts = vec![Fact::Answered { gate: gate.clone(), answer: answer.clone() }];
    let Work::Phases(work) = &run.work;
    if run.asked.contains_key(gate) {
        facts.extend(phases::answered(run, work, now, gate, answer));
    }
    facts
}

fn tick(run: &Run, now: Timestamp) -> Vec<Fact> {
    if run.ending.is_some() {
        return Vec::new();
    }
    let mut facts: Vec<Fact> = run
        .held
        .iter()
        .filter(|(_, held)| held.now && held.until <= now)
        .map(|(agent, _)| Fact::Released { agent: agent.clone() })
        .collect();
    let Work::Phases(work) = &run.work;
    facts.extend(phases::proceed(run, work));
    facts
}

/// What follows from what was really there when a driver took the run up again.
fn reconcile(run: &Run, now: Timestamp, observed: &[Observed]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for key in run.ledger.open() {
        let seen = observed.iter().find(|seen| seen.key == key);
        let spent = seen.map(|seen| seen.spent).unwrap_or_default();
        let outcome = seen.and_then(|seen| seen.outcome.clone()).unwrap_or(Outcome::Lost);
        let arrived = Arrived { key: &key, outcome: &outcome, spent: &spent };
        facts.extend(ended(run, now, arrived));
    }
    facts
}

fn end(key: &Key, end: End, spent: &Spend) -> Fact {
    Fact::Ended { key: key.clone(), end, spent: *spent, model: None }
}

/// The model that an agent says it is.
fn model_of(outcome: &Outcome) -> Option<String> {
    let Outcome::Agent(report) = outcome else { return None };
    report.model.clone()
}
