//! Reading a roadmap of ten thousand phases, against the least that any reader must do.
//!
//! The floor splits the text into lines, takes id, name, dependencies and the commands of criteria out of
//! three kinds of lines, and sorts the phases topologically. It knows one spelling, checks nothing and reports
//! nothing.

use std::{
    collections::{HashMap, VecDeque},
    fmt::Write,
    hint::black_box,
    time::{Duration, Instant},
};

use autopilot_core::{
    phases::{Graph, PhaseSpec},
    roadmap::{self, Phase},
};

use crate::shell::{Outcome, say};

const ROUNDS: usize = 21;
const RATIO_MAX: f64 = 1.7;
const GROWTH_MAX: f64 = 12.0;
const READY_MICROS_MAX: f64 = 10.0;

/// Measures and fails when a limit is passed.
pub(crate) fn run() -> Outcome {
    let (small, large) = (sample(1_000), sample(10_000));
    say(&format!(
        "roadmap: 10000 phases, 3 dependencies and 2 criteria each, {:.1} MB; best of {ROUNDS}\n",
        large.len() as f64 / 1e6
    ))?;
    let mut best = [Duration::MAX; 3];
    for _ in 0..ROUNDS {
        // Whoever reads a file owns its text; the floor only borrows it.
        let (given, given_small) = (large.clone(), small.clone());
        let times =
            [timed(|| floor(&large)), timed(|| ordered(given)), timed(|| ordered(given_small))];
        for (best, time) in best.iter_mut().zip(times) {
            *best = (*best).min(time);
        }
    }
    let [floor, ours, ours_small] = best.map(|time| time.as_secs_f64() * 1e3);
    let (ratio, growth) = (ours / floor, ours / ours_small);
    let ready = ready_micros(&large);
    say(&format!("  floor, parse and sort      {floor:>8.3} ms\n"))?;
    say(&format!(
        "  read, checked and ordered  {ours:>8.3} ms  {ratio:.2} x the floor (at most {RATIO_MAX})\n"
    ))?;
    say(&format!(
        "  the same with 1000 phases  {ours_small:>8.3} ms  {growth:.1} x for 10 x the phases (at most {GROWTH_MAX})\n"
    ))?;
    say(&format!("  next phase after one ends  {ready:>8.3} µs  (at most {READY_MICROS_MAX})\n"))?;
    if ratio <= RATIO_MAX && growth <= GROWTH_MAX && ready <= READY_MICROS_MAX {
        Ok(())
    } else {
        Err("a limit was passed".to_owned())
    }
}

/// Text as `/gsd` writes it: heading, goal, dependencies, two criteria that name a command.
fn sample(phases: usize) -> String {
    let mut text = String::from("# Roadmap: sample\n\n## Phase Details\n\n");
    for phase in 1..=phases {
        // Writing to a string cannot fail.
        let _ = write!(text, "### Phase {phase}: Module {phase}\n**Goal**: Module {phase} works\n");
        text.push_str("**Depends on**: ");
        let needed: Vec<String> = [1, 7, 100]
            .iter()
            .filter(|back| phase > **back)
            .map(|back| format!("Phase {}", phase - back))
            .collect();
        text.push_str(if needed.is_empty() { "Nothing" } else { "" });
        text.push_str(&needed.join(", "));
        let _ = write!(
            text,
            "\n**Success Criteria** (what must be TRUE):\n  \
             1. Tests pass -- verified by: `make {phase}`\n  \
             2. It exists -- verified by: `ls {phase}`\n\n"
        );
    }
    text
}

#[inline(never)]
fn ordered(text: String) -> usize {
    let roadmap = roadmap::parse(text);
    assert!(roadmap.problems.is_empty(), "{:?}", roadmap.problems.first());
    let last = roadmap.graph().order().last().copied().unwrap_or(0);
    black_box(&roadmap);
    last + roadmap.graph().order().len()
}

struct FloorPhase {
    id: String,
    name: String,
    needs: Vec<String>,
    commands: Vec<String>,
}

#[inline(never)]
fn floor(text: &str) -> usize {
    let mut phases: Vec<FloorPhase> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("### Phase ") {
            if let Some((id, name)) = rest.split_once(": ") {
                phases.push(FloorPhase {
                    id: id.to_owned(),
                    name: name.to_owned(),
                    needs: Vec::new(),
                    commands: Vec::new(),
                });
            }
        } else if let Some(rest) = line.strip_prefix("**Depends on**: ")
            && let Some(phase) = phases.last_mut()
        {
            let needs = rest.split(", ").filter_map(|need| need.strip_prefix("Phase "));
            phase.needs = needs.map(str::to_owned).collect();
        } else if let Some(rest) = line.strip_suffix('`')
            && let Some((_, command)) = rest.rsplit_once('`')
            && let Some(phase) = phases.last_mut()
        {
            phase.commands.push(command.to_owned());
        }
    }
    let order = floor_order(&phases);
    black_box(phases.iter().map(|phase| phase.name.len() + phase.commands.len()).sum::<usize>());
    order.last().copied().unwrap_or(0) + order.len()
}

fn floor_order(phases: &[FloorPhase]) -> Vec<usize> {
    let places: HashMap<&str, usize> =
        phases.iter().enumerate().map(|(place, phase)| (phase.id.as_str(), place)).collect();
    let mut waiting = vec![0_usize; phases.len()];
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); phases.len()];
    for (place, phase) in phases.iter().enumerate() {
        for need in &phase.needs {
            if let Some(needed) = places.get(need.as_str()) {
                dependents[*needed].push(place);
                waiting[place] += 1;
            }
        }
    }
    let mut ready: VecDeque<usize> = (0..phases.len()).filter(|at| waiting[*at] == 0).collect();
    let mut order = Vec::with_capacity(phases.len());
    while let Some(place) = ready.pop_front() {
        order.push(place);
        for dependent in &dependents[place] {
            waiting[*dependent] -= 1;
            if waiting[*dependent] == 0 {
                ready.push_back(*dependent);
            }
        }
    }
    order
}

/// The mean time of one decision of a run: a phase ends, the next one is taken.
fn ready_micros(text: &str) -> f64 {
    let roadmap = roadmap::parse(text);
    let specs: Vec<PhaseSpec> = roadmap.phases.iter().map(spec).collect();
    let mut graph = Graph::new(&specs);
    let mut steps = 0_u32;
    let started = Instant::now();
    loop {
        let Some(place) = graph.ready().next() else { break };
        graph.take(place);
        graph.complete(place);
        steps += 1;
    }
    let micros = started.elapsed().as_secs_f64() * 1e6;
    assert_eq!(steps as usize, specs.len(), "every phase comes once");
    micros / f64::from(steps.max(1))
}

fn spec(phase: &Phase) -> PhaseSpec {
    PhaseSpec {
        id: phase.id,
        name: phase.name.to_string(),
        goal: String::new(),
        criteria: Vec::new(),
        requirements: Vec::new(),
        depends_on: phase.depends_on.clone(),
        directory: String::new(),
        start: autopilot_core::phases::Start::New,
        earlier_scores: Vec::new(),
        refused: Vec::new(),
        estimated_tokens: None,
    }
}

fn timed(work: impl FnOnce() -> usize) -> Duration {
    let started = Instant::now();
    black_box(work());
    started.elapsed()
}
