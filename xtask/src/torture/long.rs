//! `cargo xtask torture long [STEPS [FACTS]]`: a run of many steps, and one behind a journal of many facts.
//!
//! A step costs the same however much came before it, and memory and open files do not grow. The steps go
//! through the real loop, journal, hands and guardian, in this process; the agent is a shell that says ok.

use std::{
    thread,
    time::{Duration, Instant},
};

use autopilot_testkit::processes::open_files;

use crate::{
    bench::{
        measure::{Row, anonymous_kib},
        step::{self, LONG, Rival, STEPS},
    },
    shell::{Outcome, number, say},
};

const FACTS: u64 = 1_000_000;
/// Facts of steps without an agent between two looks.
const SKIP: u32 = 10_000;
/// How often open files are counted; the least of it is what stays.
const LOOKS: usize = 10;
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// What the allocator may keep more of at the end than in the middle.
const GROWTH_KIB_MAX: u64 = 1_024;

/// Goes the long way twice.
pub(crate) fn run(words: &[&str]) -> Outcome {
    let steps = words.first().map_or(Ok(LONG), |word| number(word))?;
    let facts = words.get(1).map_or(Ok(FACTS), |word| number(word))?;
    let sandbox = step::sandbox()?;
    let mut early = Rival::new(&sandbox, "run-early")?;
    early.skip(STEPS)?;
    let mut late = Rival::new(&sandbox, "run-late")?;
    let many_steps = watched(u64::from(steps / STEPS), |_| late.steps(STEPS).map(drop))?;
    say(&format!("a run of {steps} real steps ({} facts)\n", late.facts()))?;
    say(&many_steps.lines())?;
    let mut huge = Rival::unsynced(&sandbox, "run-huge")?;
    let turns = facts.div_ceil(u64::from(SKIP) * 2);
    let many_facts = watched(turns, |_| huge.skip(SKIP))?;
    say(&format!("a run of {} facts\n", huge.facts()))?;
    say(&many_facts.lines())?;
    let began = Instant::now();
    let mut huge = huge.folded_again()?;
    say(&format!(
        "  folded from the first fact to the same state in {} ms\n",
        began.elapsed().as_millis()
    ))?;
    let behind_steps = format!("step {steps} beside step {STEPS}");
    let rows = [
        step::compare(&behind_steps, &mut early, &mut late)?,
        step::compare("a step behind so many facts", &mut early, &mut huge)?,
    ];
    say(&Row::heading())?;
    for row in &rows {
        say(&row.line())?;
    }
    for rival in [early, late, huge] {
        rival.close()?;
    }
    let flat = many_steps.is_flat() && many_facts.is_flat();
    if flat && rows.iter().all(Row::is_met) { Ok(()) } else { Err("it grows".to_owned()) }
}

/// What this process has at the start, in the middle and at the end of something long.
struct Looks([(u64, usize); 3]);

fn watched(turns: u64, mut turn: impl FnMut(u64) -> Outcome) -> Result<Looks, String> {
    // The first turn brings in what is needed once: threads, buffers, the guardian.
    turn(0)?;
    let start = look()?;
    let mut middle = start;
    for at in 1..turns {
        turn(at)?;
        if at == turns / 2 {
            middle = look()?;
        }
    }
    Ok(Looks([start, middle, look()?]))
}

fn look() -> Result<(u64, usize), String> {
    let memory = anonymous_kib().ok_or("this system does not tell how much memory is used")?;
    // The thread of the last effect may still be on its way out, with files of its own.
    let counts = (0..LOOKS).filter_map(|_| {
        thread::sleep(LOOK_EVERY);
        open_files(std::process::id())
    });
    let files = counts.min().ok_or("this system does not list open files")?;
    Ok((memory, files))
}

impl Looks {
    fn is_flat(&self) -> bool {
        let [_, middle, end] = self.0;
        end.0 <= middle.0 + GROWTH_KIB_MAX && end.1 <= middle.1
    }

    fn lines(&self) -> String {
        let [start, middle, end] = self.0.map(|(kib, files)| format!("{kib} KiB, {files} files"));
        format!("  anonymous memory and open files: start {start}; middle {middle}; end {end}\n")
    }
}
