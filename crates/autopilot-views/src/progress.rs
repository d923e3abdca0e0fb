//! What a person sees while a run goes on: one line for each thing that matters.

use std::collections::BTreeMap;

use autopilot_core::{
    budget::Spend,
    fact::{End, Ending, Fact, Record},
    input::{Fate, LeftOut},
    phases::{Close, Phase, PhaseFact, STEPS, Stage, Status},
    roadmap::PhaseId,
    run::{Run, Work},
    time::Timestamp,
};

use crate::{Styled, Tone, clean, duration, files, money, tokens};

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
    /// The lines for one more fact; `run` is the state after it.
    pub fn lines(&mut self, run: &Run, record: &Record) -> Vec<Styled> {
        match &record.fact {
            Fact::Phase { phase, fact } => self.phase(run, record.at, phase, fact),
            Fact::Ended { key, end, .. } => ended(key.step.as_str(), end),
            Fact::Held { agent, until, why } => {
                let wait = duration(until.ms_since(record.at));
                let text = format!("[WAIT] {agent}: {}; going on in {wait}", clean(why));
                vec![Styled::new(Tone::Warning, text)]
            }
            Fact::Released { agent } => {
                vec![Styled::new(Tone::Plain, format!("[WAIT] over: {agent} may be used again"))]
            }
            Fact::Asked { gate, question } => {
                let text = format!("[ ?? ] {gate} waits for a person: {}", clean(question));
                vec![Styled::new(Tone::Warning, text)]
            }
            Fact::Answered { gate, answer } => {
                let word = if answer.approved { "approved" } else { "rejected" };
                let text = format!("[ ?? ] {gate} {word} by {}", clean(&answer.by));
                vec![Styled::new(Tone::Plain, text)]
            }
            Fact::LeftOut(left_out) => left_out_line(left_out).into_iter().collect(),
            Fact::StopAsked => vec![Styled::new(Tone::Warning, "stopping on your word".to_owned())],
            Fact::Resumed { .. } => self.resumed(run, record.at),
            Fact::Finished(ending) => vec![finished(run, ending)],
            Fact::Submitted(_) | Fact::Started { .. } => Vec::new(),
        }
    }

    /// Tells where each active phase stands, for a person who has not seen the beginning.
    fn resumed(&mut self, run: &Run, at: Timestamp) -> Vec<Styled> {
        let mut lines = vec![Styled::new(Tone::Plain, format!("resumed {}", run.given.run))];
        let Work::Phases(phases) = &run.work;
        self.shown.clear();
        for &place in &phases.active {
            let phase = &phases.list[place];
            if let Status::Active(active) = &phase.status {
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
                let name = clean(&phase.spec.name);
                let banner = format!("=== [PHASE {number}/{total}] {id}: {name} ===");
                let mut lines = vec![Styled::new(Tone::Heading, banner)];
                lines.extend(self.enter(phase, at, &Stage::Preflight));
                lines
            }
            PhaseFact::Entered(stage) => self.enter(phase, at, stage),
            PhaseFact::Closed(close) => {
                let mut lines = self.leave(phase, at, matches!(close, Close::Completed { .. }));
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
        if matches!(stage, Stage::Integrate(_) | Stage::Reject(_))
            || self.shown.get(id).is_some_and(|shown| shown.step == step)
        {
            return task_line(phase, stage).into_iter().collect();
        }
        let forward = self.shown.get(id).is_none_or(|shown| shown.step < step);
        let mut lines = self.leave(phase, at, forward);
        self.shown.insert(*id, Shown { step, since: at, spent: phase.spent });
        lines.push(Styled::new(
            Tone::Plain,
            format!("[Phase {id}] Step: {} ({}/{})", STEPS[step], step + 1, STEPS.len()),
        ));
        lines.extend(task_line(phase, stage));
        lines
    }

    fn leave(&mut self, phase: &Phase, at: Timestamp, well: bool) -> Vec<Styled> {
        let id = &phase.spec.id;
        let Some(shown) = self.shown.remove(id) else {
            return Vec::new();
        };
        let (tone, mark, word) = if well {
            (Tone::Good, "[PASS]", "complete")
        } else {
            (Tone::Bad, "[FAIL]", "sent back")
        };
        let took = duration(at.ms_since(shown.since));
        let spent = phase.spent.tokens.saturating_sub(shown.spent.tokens);
        let cost = phase.spent.micro_usd.saturating_sub(shown.spent.micro_usd);
        let price = if spent == 0 {
            String::new()
        } else {
            format!(", {} tok, {}", tokens(spent), money(cost))
        };
        let name = STEPS[shown.step];
        vec![Styled::new(tone, format!("[Phase {id}] {mark} {name} {word}. ({took}{price})"))]
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
            format!("Task {} ({at}/{total}): {}", named.id, clean(&named.name))
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
            (Tone::Bad, format!("[FAIL] CAUGHT: {who}: {claim}, but {}", clean(seen)))
        }
        PhaseFact::TaskDone { task: at, .. } => {
            (Tone::Good, format!("Task {}: VERIFIED", task(*at)))
        }
        PhaseFact::TaskGivenUp { task: at, why } => {
            (Tone::Bad, format!("Task {}: FAILED: {}", task(*at), clean(why)))
        }
        PhaseFact::PlanSentBack { issues } => {
            let first = issues.first().map_or(String::new(), |issue| clean(issue));
            (Tone::Warning, format!("plan sent back: {first}"))
        }
        PhaseFact::Verified { pass: false, failures } => {
            (Tone::Warning, format!("verifier objects: {}", clean(&failures.join("; "))))
        }
        PhaseFact::Rated { score, .. } => (Tone::Plain, format!("score {score}/10")),
        _ => return None,
    };
    Some(Styled::new(tone, format!("[Phase {id}] {text}")))
}

/// What a person should look at; what can be made again is only in the log.
fn left_out_line(left_out: &LeftOut) -> Option<Styled> {
    let LeftOut { key, fate, first, .. } = left_out;
    let what = files(left_out.files, left_out.bytes);
    let step = &key.step;
    let text = match fate {
        Fate::OnDisk { place } => format!(
            "[ !! ] {step}: {what} from `{}` on are too much to be kept in git; they stay in {}",
            clean(first),
            clean(place)
        ),
        Fate::OnlyKept => format!(
            "[ !! ] {step}: {what} from `{}` on are kept, but are not part of the work",
            clean(first)
        ),
        Fate::Rebuildable => return None,
    };
    Some(Styled::new(Tone::Warning, text))
}

fn ended(step: &str, end: &End) -> Vec<Styled> {
    let text = match end {
        End::Failed(failure) => {
            format!("[FAIL] {step}: {} ({})", clean(&failure.detail), failure.class.name())
        }
        End::Lost => format!("[ -- ] {step} was cut off; what it did is kept, it is tried again"),
        End::Interrupted => format!("[ -- ] {step} was stopped; what it did is kept"),
        End::Done | End::Limited(_) => return Vec::new(),
    };
    vec![Styled::new(Tone::Warning, text)]
}

fn closed(banner: &str, phase: &Phase, close: &Close) -> Styled {
    let took = duration(phase.spent.busy_ms);
    match close {
        Close::Completed { score, below_pass, .. } => {
            let note = if *below_pass { " (below the pass score)" } else { "" };
            let tone = if *below_pass { Tone::Warning } else { Tone::Good };
            Styled::new(tone, format!("=== {banner} Complete: {score}/10{note} | {took} ==="))
        }
        Close::Failed { why, .. } => {
            Styled::new(Tone::Bad, format!("=== {banner} Failed: {} | {took} ===", clean(why)))
        }
        Close::Blocked { by } => {
            let id = &phase.spec.id;
            Styled::new(Tone::Warning, format!("[Phase {id}] [SKIP] blocked by phase {by}"))
        }
    }
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
            Styled::new(Tone::Bad, format!("{id} stopped: no agent could be used: {}", clean(why)))
        }
        Ending::Halted { why } => Styled::new(Tone::Bad, format!("{id} stopped: {}", clean(why))),
    }
}
