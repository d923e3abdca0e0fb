//! `cargo xtask torture kills [STRIDE [KIND,…]]`, or one point again: `torture kills KIND:N`.
//!
//! The engine of a small run is killed with SIGKILL at its N-th system call of a kind, for every N, and the
//! run is taken up again. Whatever the moment, it must end as if it had never been killed.

use std::path::Path;

use autopilot_testkit::program::{Before, Project};

use super::{
    sample::{Expected, sample},
    trace::{self, Aim, Delay, KINDS, Kind},
    world::{attempt, play, verdict},
};
use crate::shell::{self, Outcome, number, say};

/// Every so many points in the usual form.
const STRIDE: usize = 8;
/// One phase has every kind of step, and a run of more would take much longer at each of many more points.
const PHASES: usize = 1;
/// How many runs at a time.
const WORKERS: usize = 2;
/// How long each call is held up; a machine that is slower than that is given more.
const DELAY_US: u64 = 600;
const TRIES: usize = 6;
/// How many calls before the one that is aimed at are held up too, if it is one of the busiest thread's. Holding up all
/// of them takes longer than the rest of a run.
const HELD_UP_BEFORE: usize = 64;
/// Where agents note that they run.
const NOTES: &str = "ROOT/runs";

/// A moment to be killed at.
#[derive(Clone, Copy, Debug)]
struct Point {
    kind: Kind,
    nth: usize,
}

/// Kills at every point, at every so many, or at one.
pub(crate) fn run(words: &[&str]) -> Outcome {
    if !trace::is_installed() {
        return Err(
            "kill points are found with `strace`, which is not there: install it".to_owned()
        );
    }
    let program = shell::build("autopilot", "autopilot")?;
    let expected = attempt(|| expected(&program))?;
    match words {
        [point] if point.contains(':') => replay(point, &expected),
        [] => sweep(STRIDE, &KINDS, &expected),
        [stride] => sweep(number(stride)?, &KINDS, &expected),
        [stride, names] => {
            let kinds: Result<Vec<Kind>, String> = names.split(',').map(kind).collect();
            sweep(number(stride)?, &kinds?, &expected)
        }
        _ => Err("usage: torture kills [STRIDE [KIND,…] | KIND:N]".to_owned()),
    }
}

fn expected(program: &Path) -> Expected {
    let project = Project::new(program, &sample(NOTES, PHASES));
    Expected::of(&project, &project.path("runs"))
}

fn kind(name: &str) -> Result<Kind, String> {
    let found = KINDS.into_iter().find(|kind| kind.name == name);
    found.ok_or_else(|| {
        let names = KINDS.map(|kind| kind.name).join(", ");
        format!("no kind of call is called `{name}`; there are: {names}")
    })
}

fn sweep(stride: usize, only: &[Kind], expected: &Expected) -> Outcome {
    let counted = attempt(|| {
        let project = Project::new(&expected.program, &sample(NOTES, PHASES));
        let counted = trace::count(&project);
        expected.check(&project, &project.path("runs"), 0);
        counted
    })?;
    let points: Vec<Point> = counted
        .iter()
        .filter(|(kind, _)| only.iter().any(|wanted| wanted.name == kind.name))
        .flat_map(|(kind, count)| (1..=*count).map(|nth| Point { kind: *kind, nth }))
        .step_by(stride.max(1))
        .collect();
    say(&format!(
        "kills: an uninterrupted run has {} agents; its engine makes these calls: {}\n",
        expected.agent_runs,
        counted.iter().map(|(kind, n)| format!("{n} {}", kind.name)).collect::<Vec<_>>().join(", "),
    ))?;
    let played = play(&points, WORKERS, |point| kill_and_go_on(*point, expected));
    for kind in only {
        let of_kind = points.iter().zip(&played).filter(|(point, _)| point.kind.name == kind.name);
        let aims: Vec<_> = of_kind.map(|(_, result)| result.as_ref().ok()).collect();
        let count = |wanted| aims.iter().filter(|aim| **aim == Some(&wanted)).count();
        say(&format!(
            "  {:<10} killed and resumed at {} of {} points, {} not reached\n",
            kind.name,
            count(Aim::Hit),
            aims.len(),
            count(Aim::NotReached),
        ))?;
    }
    let failed = points
        .iter()
        .zip(&played)
        .filter_map(|(point, result)| result.as_ref().err().map(|why| told(*point, why)));
    verdict("kill points", points.len(), &failed.collect::<Vec<_>>())
}

fn replay(word: &str, expected: &Expected) -> Outcome {
    let (name, nth) = word.split_once(':').ok_or("a point is KIND:N")?;
    let point = Point { kind: kind(name)?, nth: number(nth)? };
    let played = play(&[point], 1, |point| kill_and_go_on(*point, expected));
    let failures: Vec<String> = played.iter().filter_map(|one| one.clone().err()).collect();
    say(&format!("{word}: {played:?}\n"))?;
    verdict(word, 1, &failures)
}

fn told(point: Point, why: &str) -> String {
    let Point { kind, nth } = point;
    format!(
        "- again with `cargo run --release -p xtask -- torture kills {}:{nth}`\n  {why}",
        kind.name
    )
}

/// Kills a run at a point, takes it up again, and looks at everything.
fn kill_and_go_on(point: Point, expected: &Expected) -> Aim {
    let mut delay = Delay { from: point.nth.saturating_sub(HELD_UP_BEFORE).max(1), us: DELAY_US };
    for _ in 0..TRIES {
        let project = Project::new(&expected.program, &sample(NOTES, PHASES));
        let before = Before::of(&project);
        let aim = trace::kill_at(&project, point.kind, point.nth, delay);
        if aim == Aim::Late {
            delay = Delay { from: 1, us: delay.us * 2 };
            continue;
        }
        project.go_on().wait().expect(0);
        expected.check(&project, &project.path("runs"), 1);
        before.check(&project);
        return aim;
    }
    panic!("the call could not be held up for long enough to kill the engine in it");
}
