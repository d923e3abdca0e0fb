//! `cargo xtask torture fuzz [SECONDS] [SEED]`: damaged roadmaps, plans and criteria, without end.
//!
//! It needs no special compiler. Inputs that lead to something new are kept and damaged further;
//! an input that makes a reader panic or break its promises is written to `target/fuzz/`.

use std::{
    collections::BTreeSet,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    panic::{self, AssertUnwindSafe},
    path::Path,
    time::{Duration, Instant},
};

use autopilot_core::{
    evidence::{Criterion, Expectation, Observed, judge},
    roadmap::{self, Plan},
};

use crate::shell::{Outcome, number, say};

const SEEDS: &[&str] = &[
    include_str!("../../../fuzz/seeds/roadmap/usual.md"),
    include_str!("../../../fuzz/seeds/roadmap/odd.md"),
    include_str!("../../../fuzz/seeds/roadmap/table.md"),
    include_str!("../../../fuzz/seeds/roadmap/crlf.md"),
    include_str!("../../../fuzz/seeds/plan/xml.md"),
    include_str!("../../../fuzz/seeds/plan/markdown.md"),
    include_str!("../../../fuzz/seeds/criterion/exit.md"),
    include_str!("../../../fuzz/seeds/criterion/two.md"),
    include_str!("../../../fuzz/seeds/criterion/matches.md"),
];

/// Pieces that mean something to one of the readers.
const TOKENS: &[&str] = &[
    "\n",
    "\r\n",
    "\n\n",
    "### Phase ",
    "## Phase 1: ",
    "- [ ] ",
    "- [x] **Phase ",
    "**",
    "~~",
    "`",
    "```\n",
    "~~~\n",
    "<details>\n",
    "</details>\n",
    "<!--",
    "-->",
    "| ",
    "|---|---|\n",
    "**Depends on**: ",
    "Phase ",
    "Phases 1-4",
    "All previous phases",
    "(",
    ")",
    "（",
    "）",
    "—",
    "–",
    "…",
    "：",
    "·",
    ";",
    ", ",
    " and ",
    " or ",
    "3.1c.2",
    "m9-01",
    "H.1",
    "-1",
    "999999999999",
    "0",
    "Complete",
    "✅",
    "✓ 2026-01-01",
    "(INSERTED)",
    "<task id=\"1\">",
    "</task>",
    "<name>",
    "</name>",
    "<verify>",
    "<automated>",
    "**Files:** ",
    "### Task 1: ",
    " -- verified by: ",
    "(expect >= 1)",
    "returns 3",
    "|| true",
    "; echo EXIT:$?",
    "| tail",
    "'",
    "\"",
    "\\",
    "$(",
    "\u{feff}",
    "\u{0}",
    "\u{1b}[2J",
    "\u{202e}",
    "Фаза ",
    "阶段",
    "**Success\nCriteria** (what",
    "1. ",
    "#",
];

const INPUT_BYTES_MAX: usize = 8 << 10;
const POOL_MAX: usize = 4_000;
const SLOW: Duration = Duration::from_secs(1);

/// What a run did.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) executions: u64,
    pub(crate) kept: usize,
    pub(crate) crashes: u64,
    pub(crate) slow: u64,
}

/// Runs for a while and fails when anything crashed or was slow.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let given = |at: usize, usual: u64| arguments.get(at).map_or(Ok(usual), |word| number(word));
    let (seconds, seed) = (given(0, 60)?, given(1, 1)?);
    let report = fuzz(Duration::from_secs(seconds), seed)?;
    say(&format!(
        "fuzz: {} executions in {seconds} s (seed {seed}), {} inputs kept, {} crashes, {} slow\n",
        report.executions, report.kept, report.crashes, report.slow
    ))?;
    if report.crashes + report.slow == 0 {
        Ok(())
    } else {
        Err("the inputs are in `target/fuzz/`".to_owned())
    }
}

/// Damages inputs until the time is over.
pub(crate) fn fuzz(duration: Duration, seed: u64) -> Result<Report, String> {
    let directory = Path::new("target/fuzz");
    fs::create_dir_all(directory)
        .map_err(|error| format!("cannot create `{}`: {error}", directory.display()))?;
    let quiet = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let mut chance = Chance(seed | 1);
    let mut pool: Vec<Vec<u8>> = SEEDS.iter().map(|text| text.as_bytes().to_vec()).collect();
    let mut seen = BTreeSet::new();
    let mut report = Report::default();
    let started = Instant::now();
    let mut outcome = Ok(());
    while started.elapsed() < duration && outcome.is_ok() {
        let input = damaged(&pool, &mut chance);
        let before = Instant::now();
        let result = panic::catch_unwind(AssertUnwindSafe(|| shape_of(&input)));
        report.executions += 1;
        if before.elapsed() > SLOW {
            report.slow += 1;
            outcome = keep(directory, "slow", report.slow, &input);
        }
        match result {
            Ok(shape) if pool.len() < POOL_MAX && seen.insert(shape) => pool.push(input),
            Ok(_) => {}
            Err(_) => {
                report.crashes += 1;
                outcome = keep(directory, "crash", report.crashes, &input);
            }
        }
    }
    panic::set_hook(quiet);
    report.kept = pool.len() - SEEDS.len();
    outcome.map(|()| report)
}

fn keep(directory: &Path, name: &str, number: u64, input: &[u8]) -> Result<(), String> {
    let path = directory.join(format!("{name}-{number}.md"));
    fs::write(&path, input).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// Reads an input in every way, checks what is promised, and gives a summary of what was found.
fn shape_of(input: &[u8]) -> u64 {
    let read = roadmap::parse_bytes(input.to_vec());
    let live = read.phases.iter().filter(|phase| !phase.duplicate).count();
    assert_eq!(read.graph().len(), live, "the graph has every phase");
    let text = String::from_utf8_lossy(input);
    for phase in read.phases.iter().take(3) {
        if let Ok(edited) = roadmap::mark_complete(&text, phase.id) {
            assert_eq!(roadmap::mark_complete(&edited, phase.id), Ok(edited), "marked once");
        }
    }
    let plan = Plan::parse(&text);
    assert!(!plan.tasks.is_empty() || !plan.problems.is_empty(), "a plan says what it lacks");
    let mut hash = DefaultHasher::new();
    (read.phases.len().min(40), read.excluded.len().min(10)).hash(&mut hash);
    for problem in &read.problems {
        (problem.kind as u8).hash(&mut hash);
    }
    for phase in read.phases.iter().take(10) {
        let shape = (phase.complete, phase.depends_on.len().min(5), phase.criteria.len().min(5));
        shape.hash(&mut hash);
    }
    (plan.tasks.len().min(10), plan.problems.len().min(10)).hash(&mut hash);
    for line in text.lines().take(5) {
        check_criterion(line).hash(&mut hash);
    }
    hash.finish()
}

fn check_criterion(line: &str) -> (bool, bool) {
    let criterion = Criterion::parse(line);
    let killed = Observed { stdout: line, ..Observed::default() };
    assert!(!judge(&criterion.expect, &killed).is_passed(), "killed is not passed");
    let ended = Observed { exit_code: Some(0), stdout: line, ..Observed::default() };
    let passed = judge(&criterion.expect, &ended).is_passed();
    let readable = !matches!(criterion.expect, Expectation::Unreadable(_) | Expectation::Masked(_));
    assert!(readable || !passed, "what cannot be read is not passed");
    (criterion.command.is_some(), readable)
}

/// One input of the pool with a few damages.
fn damaged(pool: &[Vec<u8>], chance: &mut Chance) -> Vec<u8> {
    let mut input = pool[chance.below(pool.len())].clone();
    for _ in 0..=chance.below(6) {
        let at = chance.below(input.len() + 1);
        let length = chance.below(40).min(input.len() - at);
        match chance.below(8) {
            0 => {
                input.drain(at..at + length);
            }
            1 => {
                let copy = input[at..at + length].to_vec();
                let to = chance.below(input.len() + 1);
                input.splice(to..to, copy);
            }
            2..=4 => {
                let token = TOKENS[chance.below(TOKENS.len())];
                input.splice(at..at, token.bytes());
            }
            5 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << chance.below(8);
                }
            }
            6 => {
                let other = &pool[chance.below(pool.len())];
                let from = chance.below(other.len() + 1);
                let piece = &other[from..(from + chance.below(400)).min(other.len())];
                input.splice(at..at, piece.iter().copied());
            }
            _ => {
                let token = TOKENS[chance.below(TOKENS.len())].as_bytes();
                let many = token.repeat(chance.below(60));
                input.splice(at..at, many);
            }
        }
    }
    input.truncate(INPUT_BYTES_MAX);
    input
}

/// A small generator of repeatable chance (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (limit.max(1) as u64)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_run_finds_nothing_and_gets_somewhere() {
        let report = fuzz(Duration::from_millis(300), 7).unwrap();
        assert_eq!((report.crashes, report.slow), (0, 0));
        assert!(report.executions > 50 && report.kept > 10, "{report:?}");
    }
}
