//! `cargo xtask torture starts [RACES [SEED]]`: many starts in one project at the same moment.
//!
//! Exactly one of them works; every other one is refused and names the process that does. The journals only
//! ever grow: no record is lost, whoever wins, and however the last winner was ended.

use std::{
    collections::BTreeMap,
    fmt, fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use autopilot_core::fact::Record;
use autopilot_engine::book::read_all;
use autopilot_journal::Holder;
use autopilot_testkit::{
    processes::{all_in, awaited},
    program::{Engine, Project, Sample, agent, sign, until},
    repository::write,
    sim::Chance,
};

use super::world::{play, verdict};
use crate::shell::{self, Outcome, number, say};

const RACES: u64 = 1_000;
const SEED: u64 = 1;
/// How many races there are in one project, one after the other.
const RACES_EACH: u64 = 20;
const STARTS_MIN: u64 = 2;
const STARTS_MAX: u64 = 16;
const WORKERS: usize = 2;
/// How long after the others have started a holder is killed at most.
const KILL_MS_MAX: u64 = 60;
const PATIENCE: Duration = Duration::from_secs(60);

/// What a race begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Nobody has ever worked here.
    Fresh,
    /// The last winner was killed this very moment; all resume.
    Resume,
    /// The same; some resume, some start a new run.
    Mixed,
    /// The last winner is at work.
    Held,
    /// The last winner is killed while the others start.
    HolderKilled,
    /// The last winner is gone, and the locks name a process that lives but is not it.
    StaleLock,
}

const AFTER_THE_FIRST: [Kind; 5] =
    [Kind::Resume, Kind::Mixed, Kind::Held, Kind::HolderKilled, Kind::StaleLock];

/// What came of the races in one project.
#[derive(Default)]
struct Tally {
    races: BTreeMap<Kind, u64>,
    refused: u64,
    records: usize,
}

/// Races as many times as asked for.
pub(crate) fn run(words: &[&str]) -> Outcome {
    let given = |at: usize, usual: u64| words.get(at).map_or(Ok(usual), |word| number(word));
    let (races, seed) = (given(0, RACES)?, given(1, SEED)?);
    let program = shell::build("autopilot", "autopilot")?;
    let projects: Vec<u64> = (0..races.div_ceil(RACES_EACH)).collect();
    say(&format!(
        "starts: {} projects with {RACES_EACH} races each, {STARTS_MIN} to {STARTS_MAX} starts in each (seed {seed})\n",
        projects.len()
    ))?;
    let played = play(&projects, WORKERS, |at| Arena::new(&program, seed, *at).play());
    let (mut all, mut failures) = (Tally::default(), Vec::new());
    for (at, result) in projects.iter().zip(played) {
        match result {
            Ok(tally) => all.add(&tally),
            Err(why) => failures.push(format!("- project {at} of seed {seed}: {why}")),
        }
    }
    say(&all.to_string())?;
    verdict("projects in which each race had one winner", projects.len(), &failures)
}

impl Tally {
    fn add(&mut self, other: &Self) {
        for (kind, races) in &other.races {
            *self.races.entry(*kind).or_default() += races;
        }
        self.refused += other.refused;
        self.records += other.records;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: u64 = self.races.values().sum();
        for (kind, races) in &self.races {
            writeln!(f, "  {:<13} {races:>5} races", format!("{kind:?}"))?;
        }
        let Self { refused, records, .. } = self;
        writeln!(
            f,
            "  one winner in {all} of {all} races; {refused} starts refused, each naming the winner; 0 of {records} records lost"
        )
    }
}

/// A project in which races are held.
struct Arena {
    project: Project,
    chance: Chance,
    /// The last winner, still at work.
    holder: Option<Engine>,
    journals: BTreeMap<PathBuf, Vec<Record>>,
    tally: Tally,
}

impl Arena {
    fn new(program: &Path, seed: u64, at: u64) -> Self {
        // The first agent waits until all races are over, so that no winner comes to its end in one.
        let script = agent("researcher", 1, &[sign("working"), until("go")].join(", "), "");
        let sample = Sample { phases: 1, script, ..Sample::default() };
        Self {
            project: Project::new(program, &sample),
            chance: Chance::of(seed, &format!("starts {at}")),
            holder: None,
            journals: BTreeMap::new(),
            tally: Tally::default(),
        }
    }

    fn play(mut self) -> Tally {
        for race in 0..RACES_EACH {
            let at = usize::try_from(self.chance.below(5)).unwrap_or(0);
            let kind = if race == 0 { Kind::Fresh } else { AFTER_THE_FIRST[at] };
            self.race(kind);
            self.look_into_journals(kind);
            *self.tally.races.entry(kind).or_default() += 1;
        }
        self.finish();
        self.tally
    }

    fn race(&mut self, kind: Kind) {
        let count = STARTS_MIN + self.chance.below(STARTS_MAX - STARTS_MIN + 1);
        match kind {
            Kind::Fresh | Kind::Held | Kind::HolderKilled => {}
            Kind::Resume | Kind::Mixed => self.kill_holder(),
            Kind::StaleLock => self.forge_locks(),
        }
        let mut engines: Vec<Engine> = (0..count).map(|at| self.start(kind, at)).collect();
        let mut holders: Vec<u32> = self.holder.iter().map(Engine::pid).collect();
        if kind == Kind::HolderKilled {
            thread::sleep(Duration::from_millis(self.chance.below(KILL_MS_MAX)));
            self.kill_holder();
        }
        let (is_held, working) = (self.holder.is_some(), self.project.path("signs/working"));
        awaited("all but one have ended", PATIENCE, || match running(&mut engines).len() {
            0 => true,
            1 => !is_held && working.exists(),
            _ => false,
        });
        if let Some(at) = running(&mut engines).first() {
            let winner = engines.remove(*at);
            holders.push(winner.pid());
            self.holder = Some(winner);
        }
        for engine in engines {
            let output = engine.wait().expect(1);
            let names =
                |pid| output.stderr.contains(&format!("is being worked on by process {pid}\n"));
            assert!(
                holders.iter().any(names),
                "{kind:?}: {holders:?} at work, but: {}",
                output.stderr
            );
            self.tally.refused += 1;
        }
        if self.holder.is_none() {
            // Every start may have been refused before the holder was killed; then nobody works here.
            assert_eq!(kind, Kind::HolderKilled, "there is no winner");
            self.holder = Some(self.project.start(&["resume"]));
        }
        self.project.await_sign("working");
    }

    fn start(&mut self, kind: Kind, at: u64) -> Engine {
        let resumes = match kind {
            Kind::Fresh => false,
            Kind::Resume => true,
            _ => (at + self.chance.below(2)).is_multiple_of(2),
        };
        // Whether the phase is done already is not what is tried here.
        self.project.start(if resumes { &["resume"] } else { &["run", "--again"] })
    }

    fn kill_holder(&mut self) {
        if let Some(mut holder) = self.holder.take() {
            fs::remove_file(self.project.path("signs/working")).expect("it was at work");
            holder.kill();
        }
    }

    /// Has every lock name this process, as if it had been given the id of one that held them.
    fn forge_locks(&mut self) {
        self.kill_holder();
        let root = self.project.sandbox.root();
        awaited("nothing is alive", PATIENCE, || all_in(&root).is_empty());
        let of_old = Holder { started_ticks: 1, ..Holder::this_process("a run of old") };
        let locks = self.journals.keys().map(|journal| journal.join("lock"));
        for lock in locks.chain([self.state("claim")]) {
            write(&lock, of_old.to_text());
        }
    }

    /// Panics unless every journal holds all that it ever held.
    fn look_into_journals(&mut self, kind: Kind) {
        let listed = fs::read_dir(self.state("journal")).expect("there is a run");
        let paths: Vec<PathBuf> = listed.map(|entry| entry.expect("listed").path()).collect();
        let new = paths.iter().filter(|path| !self.journals.contains_key(*path)).count();
        assert!(new <= 1, "{kind:?}: {new} runs were begun");
        for path in paths {
            let records = read_all(&path).expect("it can be read");
            let before = self.journals.remove(&path).unwrap_or_default();
            assert!(records.starts_with(&before), "{kind:?}: {} lost records", path.display());
            self.journals.insert(path, records);
        }
    }

    /// Lets every run come to its end.
    fn finish(&mut self) {
        write(&self.project.path("signs/go"), "");
        self.holder.take().expect("someone won").wait().expect(0);
        let names = self.journals.keys().filter_map(|path| path.file_name()?.to_str());
        for name in names {
            self.project.run(&["resume", name]).expect(0);
            self.project.run(&["audit", name]).expect(0);
        }
        self.look_into_journals(Kind::Held);
        self.tally.records = self.journals.values().map(Vec::len).sum();
        let root = self.project.sandbox.root();
        awaited("nothing is alive", PATIENCE, || all_in(&root).is_empty());
    }

    fn state(&self, name: &str) -> PathBuf {
        self.project.sandbox.project().join(".autopilot").join(name)
    }
}

fn running(engines: &mut [Engine]) -> Vec<usize> {
    let states = engines.iter_mut().enumerate();
    states.filter_map(|(at, engine)| engine.is_running().then_some(at)).collect()
}
