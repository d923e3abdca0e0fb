//! What a person sees while a run goes on: one line for each thing that matters.
//!
//! Names and words of others go into these lines as they are. [`Progress::lines`] makes each line harmless as a
//! whole, so that no line can be forgotten and nobody's words can look like a line of their own.

mod finale;

use std::collections::BTreeMap;

use autopilot_core::{
    budget::Spend,
    evidence::{Entry, Standing},
    fact::{End, Ending, Fact, Record},
    id::Key,
    input::{Denied, Fate, LeftOut, Repair, Strays},
    phases::{Breached, Close, Phase, PhaseFact, STEPS, Stage, Status, TaskEnd, Then, expects},
    policy::Stamp,
    roadmap::PhaseId,
    run::{Run, Work},
    time::Timestamp,
};

use crate::{
    Styled, Tone, clean, duration, files, money, size,
    status::{ALIKE, held_text, looked_text},
    tokens,
};

/// Follows the facts of a run and tells them as lines.
#[derive(Debug, Default)]
pub struct Progress {
    /// For each phase that goes on, the step shown last, when it began and what the phase had cost then.
    shown: BTreeMap<PhaseId, Shown>,
}

#[derive(Debug)]
struct Shown {
    step: usize,
    since: Timestamp,
    spent: Spend,
}

impl Progress {
    /// The lines for one more fact; `run` is the state after the decision that the fact belongs to.
    pub fn lines(&mut self, run: &Run, record: &Record) -> Vec<Styled> {
        let mut lines = self.told(run, record);
        for line in &mut lines {
            line.text = clean(&line.text);
        }
        lines
    }

    fn told(&mut self, run: &Run, record: &Record) -> Vec<Styled> {
        match &record.fact {
            Fact::Phase { phase, fact } => self.phase(run, record.at, phase, fact),
            Fact::Ended { key, end, .. } => ended(run, key, end),
            Fact::Held { agent, until, why } => {
                let wait = duration(until.ms_since(record.at));
                let text = format!("[ -- ] {agent} has to wait: {why}; going on in {wait}");
                vec![Styled::new(Tone::Warning, text)]
            }
            Fact::Released { agent } => {
                vec![Styled::new(Tone::Plain, format!("[ -- ] {agent} may be used again"))]
            }
            Fact::Asked { gate, question } => {
                let text = format!("[ ?? ] {gate} waits for a person: {question}");
                vec![Styled::new(Tone::Warning, text)]
            }
            Fact::Answered { gate, answer } => {
                let word = if answer.approved { "approved" } else { "rejected" };
                let text = format!("[ ?? ] {gate} {word} by {}", answer.by);
                vec![Styled::new(Tone::Plain, text)]
            }
            Fact::LeftOut(left_out) => left_out_line(left_out).into_iter().collect(),
            Fact::Strays(strays) => vec![strays_line(strays)],
            Fact::Denied(denied) => denied_lines(denied),
            Fact::Repaired(repair) => vec![repair_line(repair)],
            Fact::StopAsked => vec![Styled::new(Tone::Warning, "stopping on your word".to_owned())],
            Fact::Resumed { .. } => self.resumed(run, record.at),
            Fact::Finale(fact) => finale::lines(run, fact),
            Fact::Rechecked { entries } => entries.iter().filter_map(rechecked).collect(),
            Fact::Finished(ending) => vec![finished(run, ending)],
            Fact::Submitted(_) | Fact::Started { .. } | Fact::Environment(_) => Vec::new(),
        }
    }

    /// Tells where each active phase stands, for a person who has not seen the beginning.
    fn resumed(&mut self, run: &Run, at: Timestamp) -> Vec<Styled> {
        let mut lines = vec![Styled::new(Tone::Plain, format!("resumed {}", run.given.run))];
        let Work::Phases(phases) = &run.work;
        self.shown.clear();
        for &place in &phases.active {
            let phase = &phases.list[place];
            if let Status::Active(active) = &phase.status
                && !matches!(active.stage, Stage::Integrate(_) | Stage::Reject(_))
            {
                lines.extend(self.enter(phase, at, &active.stage));
            }
        }
        lines
    }

    fn phase(&mut self, run: &Run, at: Timestamp, id: &PhaseId, fact: &PhaseFact) -> Vec<Styled> {
        let Work::Phases(phases) = &run.work;
        let Some(place) = phases.place(id) else {
            return Vec::new();
        };
        let phase = &phases.list[place];
        let total = phases.list.len();
        let number = place + 1;
        match fact {
            PhaseFact::Began { .. } => {
                let banner = format!("=== [PHASE {number}/{total}] {} ===", phase.spec.name);
                let mut lines = vec![Styled::new(Tone::Heading, banner)];
                lines.extend(self.enter(phase, at, &Stage::Preflight));
                lines
            }
            PhaseFact::Entered(stage) => self.enter(phase, at, stage),
            PhaseFact::Closed(close) => {
                let end = match close {
                    Close::Completed { .. } => StepEnd::Complete,
                    Close::Failed { .. } | Close::Blocked { .. } => StepEnd::GivenUp,
                };
                let mut lines = self.leave(phase, at, end);
                lines.push(closed(&format!("[PHASE {number}/{total}]"), phase, close));
                lines
            }
            other => event(id, phase, other).into_iter().collect(),
        }
    }

    /// Tells the end of the step before and the beginning of the next, when people see another step.
    fn enter(&mut self, phase: &Phase, at: Timestamp, stage: &Stage) -> Vec<Styled> {
        let id = &phase.spec.id;
        let step = stage.shown_as();
        if matches!(stage, Stage::Integrate(_)) {
            return self.leave(phase, at, StepEnd::Complete);
        }
        if matches!(stage, Stage::Reject(_)) {
            return self.given_up(phase, at);
        }
        if self.shown.get(id).is_some_and(|shown| shown.step == step) {
            return task_line(phase, stage).into_iter().collect();
        }
        let forward = self.shown.get(id).is_none_or(|shown| shown.step < step);
        let end = match (forward, failed_tasks(phase)) {
            (true, Some(failed)) if self.is_executing(id) => failed,
            (true, _) => StepEnd::Complete,
            (false, _) => StepEnd::SentBackTo(step),
        };
        let mut lines = self.leave(phase, at, end);
        self.shown.insert(*id, Shown { step, since: at, spent: phase.spent });
        lines.push(Styled::new(
            Tone::Plain,
            format!("[Phase {id}] Step: {} ({}/{})", STEPS[step], step + 1, STEPS.len()),
        ));
        lines.extend(task_line(phase, stage));
        lines
    }

    fn is_executing(&self, id: &PhaseId) -> bool {
        self.shown.get(id).is_some_and(|shown| shown.step == Stage::Execute(0).shown_as())
    }

    /// Tells that the phase does not go on. Where no step is shown, all of them were complete.
    fn given_up(&mut self, phase: &Phase, at: Timestamp) -> Vec<Styled> {
        if self.shown.contains_key(&phase.spec.id) {
            return self.leave(phase, at, StepEnd::GivenUp);
        }
        let text = "[FAIL] its work cannot be put on the run branch; the phase is given up";
        vec![Styled::new(Tone::Bad, format!("[Phase {}] {text}", phase.spec.id))]
    }

    fn leave(&mut self, phase: &Phase, at: Timestamp, end: StepEnd) -> Vec<Styled> {
        let id = &phase.spec.id;
        let Some(shown) = self.shown.remove(id) else {
            return Vec::new();
        };
        let name = STEPS[shown.step];
        let (tone, end) = match end {
            StepEnd::Complete => (Tone::Good, format!("[PASS] {name} complete.")),
            StepEnd::TasksFailed { failed, of } => (
                Tone::Bad,
                format!(
                    "[FAIL] {name}: {failed} of {of} tasks failed; the phase is checked as it is."
                ),
            ),
            StepEnd::SentBackTo(step) => {
                (Tone::Bad, format!("[FAIL] {name} failed; going back to {}.", STEPS[step]))
            }
            StepEnd::GivenUp => {
                (Tone::Bad, format!("[FAIL] {name} failed; the phase is given up."))
            }
        };
        let took = duration(at.ms_since(shown.since));
        let price = price(&phase.spent, &shown.spent);
        vec![Styled::new(tone, format!("[Phase {id}] {end} ({took}{price})"))]
    }
}

/// What becomes of a step that people saw begin.
#[derive(Clone, Copy)]
enum StepEnd {
    Complete,
    /// It came to its end, but not every task was done.
    TasksFailed {
        failed: usize,
        of: usize,
    },
    /// An earlier step is done again, by its place among the nine.
    SentBackTo(usize),
    GivenUp,
}

fn failed_tasks(phase: &Phase) -> Option<StepEnd> {
    let Status::Active(active) = &phase.status else { return None };
    let failed = active.ends.iter().filter(|end| **end == TaskEnd::GivenUp).count();
    (failed > 0).then_some(StepEnd::TasksFailed { failed, of: active.ends.len() })
}

/// What was spent meanwhile, as far as it is told: some agents count only tokens, some only money.
fn price(now: &Spend, before: &Spend) -> String {
    let used = now.tokens.saturating_sub(before.tokens);
    let cost = now.micro_usd.saturating_sub(before.micro_usd);
    match (used, cost) {
        (0, 0) => String::new(),
        (0, _) => format!(", {}", money(cost)),
        _ => format!(", {} tok, {}", tokens(used), money(cost)),
    }
}

fn task_line(phase: &Phase, stage: &Stage) -> Option<Styled> {
    let Status::Active(active) = &phase.status else {
        return None;
    };
    let id = &phase.spec.id;
    let what = match stage {
        Stage::Execute(task) => {
            let named = active.tasks.get(*task)?;
            let (at, total) = (task + 1, active.tasks.len());
            format!("Task {} ({at}/{total}): {}", named.id, named.name)
        }
        Stage::TaskFix(task, _) => {
            format!("Task {}: debug attempt {}", active.task_name(*task), active.tries.task_fixes)
        }
        Stage::Repair => {
            format!("debug attempt {}", active.tries.repairs + active.tries.remedies)
        }
        _ => return None,
    };
    Some(Styled::new(Tone::Plain, format!("[Phase {id}] {what}")))
}

fn event(id: &PhaseId, phase: &Phase, fact: &PhaseFact) -> Option<Styled> {
    let task = |at: usize| match &phase.status {
        Status::Active(active) => active.task_name(at).to_owned(),
        Status::Waiting | Status::Closed(_) => String::new(),
    };
    let (tone, text) = match fact {
        PhaseFact::Caught { who, claim, seen } => {
            (Tone::Bad, format!("[FAIL] CAUGHT: {who}: {claim}, but {seen}"))
        }
        PhaseFact::TaskDone { task: at, .. } => {
            (Tone::Good, format!("Task {}: VERIFIED", task(*at)))
        }
        PhaseFact::TaskGivenUp { task: at, why, .. } => {
            (Tone::Bad, format!("Task {}: FAILED: {why}", task(*at)))
        }
        PhaseFact::PlanSentBack { issues } => {
            let first = issues.first().map_or("", String::as_str);
            let what = if is_given_up(phase) { "no plan stood" } else { "plan sent back" };
            (Tone::Warning, format!("{what}: {first}"))
        }
        PhaseFact::Verified { pass: false, failures, .. } => {
            (Tone::Warning, format!("verifier objects: {}", failures.join("; ")))
        }
        PhaseFact::Verified { pass: true, unproven, .. } if !unproven.is_empty() => {
            (Tone::Warning, format!("unproven, reading does not tell: {}", unproven.join("; ")))
        }
        PhaseFact::Canaries { canaries } => {
            let red = canaries.iter().filter(|canary| canary.has_gone_red()).count();
            let all = canaries.len();
            (Tone::Plain, format!("{red} of {all} new checks go red when the work is broken"))
        }
        PhaseFact::Calibrated { role, what, caught: true } => {
            (Tone::Plain, format!("{role} saw a seeded defect ({what})"))
        }
        PhaseFact::Calibrated { role, what, caught: false } => {
            (Tone::Warning, format!("{role} missed a seeded defect ({what})"))
        }
        PhaseFact::Rated { score, .. } => (Tone::Plain, format!("score {score}/10")),
        PhaseFact::Deferred { task: at } => {
            (Tone::Plain, format!("Task {}: a person looks at the end", task(*at)))
        }
        PhaseFact::Retried => (Tone::Plain, "is tried again".to_owned()),
        PhaseFact::Split { parts, reason } => {
            (Tone::Plain, format!("is done in {} parts: {reason}", parts.len()))
        }
        PhaseFact::HandedOff { step, work, .. } => {
            let what = if work.is_some() { "from what was left" } else { "from the start" };
            (Tone::Warning, format!("{step} outgrew its agent; the next one goes on {what}"))
        }
        PhaseFact::SettledAlone => {
            (Tone::Good, "the verifier is sure of what was left to a person".to_owned())
        }
        PhaseFact::NeedsPerson { evidence } => {
            (Tone::Warning, format!("a person must look: {}", evidence.join("; ")))
        }
        PhaseFact::Looked { task, verdict } => {
            let text = format!("{} looked at {task}: {}", verdict.by, verdict.message);
            (Tone::Plain, text.trim_end_matches([' ', ':']).to_owned())
        }
        PhaseFact::Stamped(stamp) => stamped(*stamp)?,
        PhaseFact::Breached(breached) if breached.then == Then::Warned => {
            let Breached { check, name, what, step, .. } = breached;
            (Tone::Warning, format!("{step}: check {check} `{name}`: {what}"))
        }
        _ => return None,
    };
    Some(Styled::new(tone, format!("[Phase {id}] {text}")))
}

/// Scores that are too much alike.
fn stamped(stamp: Stamp) -> Option<(Tone, String)> {
    let (count, then) = match stamp {
        Stamp::None => return None,
        Stamp::Warning => ("three", "look at one of them yourself"),
        Stamp::Enhanced => ("five", "whoever judges next is told to look harder"),
        Stamp::Critical => ("seven", "the phase is marked as suspect"),
    };
    Some((Tone::Warning, format!("{count} scores in a row are alike: {then}")))
}

/// What a person should look at; what can be made again is only in the log.
fn left_out_line(left_out: &LeftOut) -> Option<Styled> {
    let LeftOut { key, fate, first, .. } = left_out;
    let what = files(left_out.files, left_out.bytes);
    let step = &key.step;
    let text = match fate {
        Fate::OnDisk { place } => format!(
            "[ !! ] {step}: {what} from `{first}` on are too much to be kept in git; they stay in {place}"
        ),
        Fate::OnlyKept => format!(
            "[ !! ] {step}: {what} from `{first}` on are kept, but are not part of the work"
        ),
        Fate::Rebuildable => return None,
    };
    Some(Styled::new(Tone::Warning, text))
}

fn strays_line(strays: &Strays) -> Styled {
    let Strays { key, count, names, leaky } = strays;
    let step = &key.step;
    let (noun, verb) = if *count == 1 { ("process", "was") } else { ("processes", "were") };
    let more = if names.len() < *count as usize { ", …" } else { "" };
    let names = names.join(", ");
    let open = "left its output open in a process that was not found";
    let text = match (count, leaky) {
        (0, _) => format!("[ -- ] {step} {open}"),
        (_, false) => {
            format!("[ -- ] {step} left {count} {noun} behind, which {verb} ended: {names}{more}")
        }
        (_, true) => format!(
            "[ -- ] {step} left {count} {noun} behind, which {verb} ended: {names}{more}; it also {open}"
        ),
    };
    Styled::new(Tone::Warning, text)
}

fn denied_lines(Denied { key, tried }: &Denied) -> Vec<Styled> {
    let line = |what: &String| {
        Styled::new(Tone::Warning, format!("[ !! ] {}: violation: {what}", key.step))
    };
    tried.iter().map(line).collect()
}

fn repair_line(repair: &Repair) -> Styled {
    let text = match repair {
        Repair::TornTail { bytes, kept } => format!(
            "[ !! ] the journal ended with {} of a record that is not whole; they were cut off and are kept in {kept}",
            size(*bytes)
        ),
        Repair::SnapshotIgnored { why } => {
            format!("[ !! ] the journal's snapshot {why}; every record was read instead")
        }
    };
    Styled::new(Tone::Warning, text)
}

/// Whether the phase is past its last step and its work is put aside.
fn is_given_up(phase: &Phase) -> bool {
    matches!(&phase.status, Status::Active(active) if matches!(active.stage, Stage::Reject(_)))
}

fn ended(run: &Run, key: &Key, end: &End) -> Vec<Styled> {
    let step = &key.step;
    let text = match end {
        End::Failed(failure) => {
            let (class, then) = (failure.class.name(), what_follows(run, key));
            format!("[FAIL] {step}: {} ({class}){then}", failure.detail)
        }
        End::Lost => format!("[ -- ] {step} was cut off; what it did is kept, it is tried again"),
        End::Interrupted => format!("[ -- ] {step} was stopped; what it did is kept"),
        End::Done | End::Limited(_) => return Vec::new(),
    };
    vec![Styled::new(Tone::Warning, text)]
}

/// What follows a failure, as the facts that were recorded with it tell. Where the run is over or stops, other
/// lines say so.
fn what_follows(run: &Run, key: &Key) -> &'static str {
    let Work::Phases(phases) = &run.work;
    if run.ending.is_some() || run.stopping {
        ""
    } else if expects(phases, &key.step) {
        "; it is tried again"
    } else if phases.active_at(&key.step).is_some_and(|(.., active)| active.stage == Stage::Judge) {
        "; the judge's report is asked for anew"
    } else {
        "; that was the last try"
    }
}

fn closed(banner: &str, phase: &Phase, close: &Close) -> Styled {
    let took = duration(phase.spent.busy_ms);
    match close {
        Close::Completed { score, below_pass, suspect, held, awaits, .. } => {
            let low = below_pass.then(|| "below the pass score".to_owned());
            let alike = suspect.then(|| ALIKE.to_owned());
            let notes: Vec<String> = low
                .into_iter()
                .chain(alike)
                .chain(held_text(held))
                .chain(awaits.iter().map(looked_text))
                .collect();
            let note =
                if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
            let tone = if notes.is_empty() { Tone::Good } else { Tone::Warning };
            Styled::new(tone, format!("=== {banner} Complete: {score}/10{note} | {took} ==="))
        }
        Close::Failed { why, .. } => {
            Styled::new(Tone::Bad, format!("=== {banner} Failed: {why} | {took} ==="))
        }
        Close::Blocked { by } => {
            let id = &phase.spec.id;
            Styled::new(Tone::Warning, format!("[Phase {id}] [SKIP] blocked by phase {by}"))
        }
    }
}

/// What a later phase has done to an earlier one.
fn rechecked(entry: &Entry) -> Option<Styled> {
    let Standing::Broken(why) = &entry.standing else {
        return None;
    };
    let (tone, word) = match &entry.waived {
        Some(waiver) => (Tone::Warning, format!("WAIVED by {}", waiver.by)),
        None => (Tone::Bad, "BROKEN".to_owned()),
    };
    let text = format!("[ !! ] {word}: {} held and does not any more: {why}", entry.name);
    Some(Styled::new(tone, text))
}

fn finished(run: &Run, ending: &Ending) -> Styled {
    let id = &run.given.run;
    match ending {
        Ending::Done => Styled::new(Tone::Good, format!("{id} is done")),
        Ending::Incomplete => {
            Styled::new(Tone::Bad, format!("{id} is over, but not everything is done"))
        }
        Ending::Ceiling(ceiling) => {
            Styled::new(Tone::Bad, format!("{id} stopped at the limit `{}`", ceiling.name()))
        }
        Ending::NoAgent { why } => {
            Styled::new(Tone::Bad, format!("{id} stopped: no agent could be used: {why}"))
        }
        Ending::Checkpoint { over } => Styled::new(
            Tone::Warning,
            format!("{id} pauses after {over} phases for you to look; `autopilot resume` goes on"),
        ),
        Ending::Halted { why } => Styled::new(Tone::Bad, format!("{id} stopped: {why}")),
    }
}

#[cfg(test)]
mod tests;
