//! Plays whole runs, with and without crashes, and says what must hold of them.

use std::{cell::RefCell, rc::Rc};

use autopilot_core::{
    fact::{Ending, Fact, Record},
    id::GateId,
    input::Event,
    phases::{Close, Phase, Status},
    run::{Run, Standing, fold},
    time::Timestamp,
};
use autopilot_engine::drive::{Drive, Hands, Log};

use super::{
    chance::Chance,
    scenario::{Scenario, Temper},
    story,
    world::{Crash, Disk, Files, Session, World, answer, read},
};

/// More engine starts than this mean that a run does not end.
const STARTS_MAX: u32 = 200;
/// More facts than this mean that a run does not end.
const FACTS_MAX: usize = 20_000;

/// What is left when a run is over, apart from what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// How it ended.
    pub ending: Ending,
    /// How each phase ended.
    pub closes: Vec<Option<Close>>,
    /// The files on the run branch.
    pub files: Files,
    /// What is told of it in reports, where it is the story.
    pub told: Vec<String>,
}

/// A run that was played to its end.
#[derive(Debug)]
pub struct Played {
    /// What is left.
    pub end: End,
    /// How many appends and effects there were: the places where it could have crashed.
    pub points: u64,
    /// How many facts its journal holds.
    pub facts: usize,
}

/// Plays the run of a seed. The engine crashes at the given append or effect, and is started again.
pub fn play(seed: u64, crash_at: Option<u64>) -> Result<Played, String> {
    play_in(World::new(Scenario::of(seed)), crash_at)
}

/// Plays the run in which everything happens.
pub fn play_story(crash_at: Option<u64>) -> Result<Played, String> {
    play_in(World::new(Scenario::story()), crash_at)
}

/// The same with a journal that acknowledges before it keeps. A simulation that does not notice is worthless.
pub fn play_carelessly(seed: u64, crash_at: Option<u64>) -> Result<Played, String> {
    let mut world = World::new(Scenario::of(seed));
    world.be_careless();
    play_in(world, crash_at)
}

fn play_in(world: World, crash_at: Option<u64>) -> Result<Played, String> {
    let (seed, tight) = (world.scenario.seed, world.scenario.tight);
    let world = Rc::new(RefCell::new(world));
    world.borrow_mut().crash_at(crash_at);
    let mut points = 0;
    for start in 0..STARTS_MAX {
        let stop_after = stop_after(seed, start);
        let standing = engine(&world, stop_after);
        points = points.max(world.borrow().points());
        match standing {
            Ok(Standing::Ended(_)) => {
                return finish(&world, points, tight).map_err(|why| blame(seed, crash_at, &why));
            }
            Ok(Standing::Stopped | Standing::Asking(_)) => {}
            Ok(other) => return Err(blame(seed, crash_at, &format!("it stood still: {other:?}"))),
            Err(Crash) => world.borrow_mut().crash_at(None),
        }
        if world.borrow().disk.len() > FACTS_MAX {
            break;
        }
    }
    Err(blame(seed, crash_at, "it does not end"))
}

/// One life of the engine: from taking the run up to its end or to the crash.
fn engine(world: &Rc<RefCell<World>>, stop_after: Option<u64>) -> Result<Standing, Crash> {
    let mut log = Disk(Rc::clone(world));
    let mut hands = Session::new(world, stop_after);
    let (mut run, resumed) = take_up(world, &mut log, &mut hands)?;
    if let Some(ending) = &run.ending {
        // It ended and nobody heard of it. Only a person's word takes up a run that has ended.
        return Ok(Standing::Ended(ending.clone()));
    }
    let asked: Vec<GateId> = run.asked.keys().cloned().collect();
    let mut silent = |_: &Run, _: &[Record]| {};
    let mut drive = Drive::new(&mut run, &mut log, &mut hands, &mut silent);
    if let Some(event) = resumed {
        drive.take(event)?;
    }
    let seed = world.borrow().scenario.seed;
    // The second answer must not count, whoever gives it.
    for gate in asked {
        let first = answer(seed, gate.as_str());
        let mut second = first.clone();
        second.approved = !first.approved;
        drive.take(Event::Answered { gate: gate.clone(), answer: first })?;
        drive.take(Event::Answered { gate, answer: second })?;
    }
    drive.to_the_end()
}

/// Begins the run, or takes it up from the disk.
fn take_up(
    world: &Rc<RefCell<World>>,
    log: &mut Disk,
    hands: &mut Session,
) -> Result<(Run, Option<Event>), Crash> {
    let mut run = None;
    for bytes in &world.borrow().disk {
        fold(&mut run, &read(bytes)).expect("the journal begins with its run");
    }
    if let Some(run) = run {
        let observed = world.borrow_mut().observe(&run);
        let limits = run.given.limits.clone();
        return Ok((run, Some(Event::Resumed { observed, limits })));
    }
    let submission = {
        let world = world.borrow();
        world.scenario.submission(&world.branch)
    };
    let at: Timestamp = hands.now();
    let run = Run::begin(at, &submission);
    log.append(&[Record::new(at, Fact::Submitted(Box::new(submission)))])?;
    Ok((run, None))
}

/// Whether and when a person stops the engine in one of its lives.
fn stop_after(seed: u64, start: u32) -> Option<u64> {
    let mut chance = Chance::of(seed, &format!("stop {start}"));
    chance.percent(10).then(|| chance.below(30))
}

pub(super) fn finish(
    world: &Rc<RefCell<World>>,
    points: u64,
    tight: bool,
) -> Result<Played, String> {
    let world = world.borrow();
    let mut run = None;
    for bytes in &world.disk {
        fold(&mut run, &read(bytes)).map_err(|error| error.to_string())?;
    }
    let run = run.ok_or("the journal is empty")?;
    if let Some(broken) = world.broken.first() {
        return Err(broken.clone());
    }
    let phases = run.work.phases();
    if phases.head != world.branch {
        return Err("the run branch is not where the state says".to_owned());
    }
    let files = world.branch_files().clone();
    let ending = run.ending.clone().ok_or("the run has no ending")?;
    let mut closes = Vec::new();
    for phase in &phases.list {
        let close = match &phase.status {
            Status::Closed(close) => Some(close.clone()),
            Status::Active(_) | Status::Waiting => None,
        };
        proven(&world, phase, close.as_ref())?;
        if ending == Ending::Done {
            kept(phase, &files)?;
        }
        closes.push(close);
    }
    let reached = run.retries > run.given.limits.run_retries || run.tripped().is_some();
    if !tight && matches!(ending, Ending::Ceiling(_)) && !reached {
        return Err(format!("it ended at a ceiling that it has not reached: {ending:?}"));
    }
    let is_story = world.scenario.temper == Temper::Story;
    let records = world.disk.iter().filter(|_| is_story).map(|bytes| read(bytes));
    let told = if is_story { story::told(records) } else { Vec::new() };
    Ok(Played { end: End { ending, closes, files, told }, points, facts: world.disk.len() })
}

/// What no agent can talk the engine out of: a phase that was completed was really done when it came onto the run
/// branch, and a failed one left no trace there.
fn proven(world: &World, phase: &Phase, close: Option<&Close>) -> Result<(), String> {
    let id = phase.spec.id;
    let completed = match close {
        Some(Close::Completed { commit, .. }) => Some(world.files(commit)),
        Some(Close::Failed { .. } | Close::Blocked { .. }) | None => None,
    };
    let plan = world.scenario.plan(id.as_str());
    for task in plan.tasks.iter().filter(|task| !task.kind.needs_a_person()) {
        let name = task.id.as_str();
        match &completed {
            Some(files) if files.get(name).is_none_or(|text| text != "done") => {
                return Err(format!("phase {id} counts as complete but {name} was not done"));
            }
            None if world.branch_files().contains_key(name) => {
                return Err(format!("phase {id} did not complete but left {name}"));
            }
            Some(_) | None => {}
        }
    }
    Ok(())
}

/// A run that is done holds every criterion that it was given, in the files as they are at the end.
fn kept(phase: &Phase, files: &Files) -> Result<(), String> {
    let id = phase.spec.id;
    for criterion in &phase.spec.criteria {
        let command = criterion.command.as_deref().unwrap_or_default();
        let file = command.strip_prefix("is-done ").unwrap_or_default();
        if files.get(file).is_none_or(|text| text != "done") {
            return Err(format!("the run counts as done, but `{command}` of phase {id} fails"));
        }
    }
    Ok(())
}

fn blame(seed: u64, crash_at: Option<u64>, why: &str) -> String {
    let replay = match crash_at {
        Some(point) => format!("cargo xtask sim --seed {seed} --crash-at {point}"),
        None => format!("cargo xtask sim --seed {seed}"),
    };
    format!("{why}\nreplay: {replay}")
}
