//! `cargo xtask torture power-cuts [CUTS [SEED]]`: the power fails while a run is under way.
//!
//! The project and the state directory are on a file system of their own, which is shut down at a random
//! moment as if the power had failed: what was not synced is gone. It is mounted again and the run is taken
//! up. What the engine had acknowledged is told by agents, who note outside of that file system that they
//! run: whoever runs has an intent on the disk, and whoever ran before has an outcome there.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use autopilot_testkit::{
    processes::{all_in, awaited},
    program::{Before, Engine, Project},
    repository::Sandbox,
    sim::Chance,
};

use super::{
    sample::{Expected, agent_runs, sample},
    world::{attempt, play, verdict},
};
use crate::shell::{self, Outcome, number, say};

const CUTS: u64 = 200;
const PHASES: usize = 2;
const SEED: u64 = 1;
const WORKERS: usize = 2;
const DISK_BYTES: u64 = 96 << 20;
/// How long the engine may take to notice and to end everything.
const PATIENCE: Duration = Duration::from_secs(30);
/// `FS_IOC_SHUTDOWN` without flushing the file system's own log.
const SHUT_DOWN: &str = "open(my $d, '<', $ARGV[0]) or die $!; my $how = pack('L', 2); ioctl($d, 0x8004587d, $how) or die $!";

/// Cuts the power so many times.
pub(crate) fn run(words: &[&str]) -> Outcome {
    let (cuts, seed) = match words {
        [] => (CUTS, SEED),
        [cuts] => (number(cuts)?, SEED),
        [cuts, seed] => (number(cuts)?, number(seed)?),
        _ => return Err("usage: torture power-cuts [CUTS [SEED]]".to_owned()),
    };
    let program = shell::build("autopilot", "autopilot")?;
    let (expected, whole) = attempt(|| uninterrupted(&program)).map_err(|why| {
        format!("power cuts need Linux, root, loop devices, `mkfs.ext4` and `perl`:\n{why}")
    })?;
    let cases: Vec<u64> = (0..cuts).map(|number| seed.wrapping_add(number)).collect();
    let played = play(&cases, WORKERS, |seed| {
        // A little beyond the end, so that the last facts are among what is cut off.
        let at = Chance::of(*seed, "power cut").below(whole.as_micros() as u64 * 11 / 10);
        cut_and_go_on(Duration::from_micros(at), &expected)
    });
    let facts: usize = played.iter().flatten().sum();
    say(&format!(
        "power cuts: {} of a run of {} agents and {} ms, on ext4; {facts} facts were known to be acknowledged\n",
        cases.len(),
        expected.agent_runs,
        whole.as_millis(),
    ))?;
    let failed = cases.iter().zip(&played).filter_map(|(seed, result)| {
        let why = result.as_ref().err()?;
        Some(format!("- again with `torture power-cuts 1 {seed}`\n  {why}"))
    });
    verdict("power cuts", cases.len(), &failed.collect::<Vec<_>>())
}

fn uninterrupted(program: &Path) -> (Expected, Duration) {
    let world = World::new(program);
    let began = Instant::now();
    let expected = Expected::of(&world.project, &world.notes());
    (expected, began.elapsed())
}

/// Cuts the power at a moment, takes the run up again, and tells how many facts were known to be acknowledged.
fn cut_and_go_on(at: Duration, expected: &Expected) -> usize {
    let world = World::new(&expected.program);
    let before = Before::of(&world.project);
    let root = world.project.sandbox.root();
    let mut engine =
        Engine::start(world.project.command(["run", "--complete"]), world.outside.path(), "engine");
    thread::sleep(at);
    world.disk.cut();
    engine.kill();
    awaited("nothing is alive", PATIENCE, || all_in(&root).is_empty());
    world.disk.mount_again();
    let told = world.check_acknowledged();
    let mut interruptions = 1;
    if !told.is_empty() || world.project.run(&["status"]).code == Some(0) {
        let resumed = world.project.run(&["resume"]);
        // The cut may have come after the end.
        assert_eq!(resumed.code, Some(0), "{resumed:?}");
    } else {
        // Whatever was begun is not known to anybody, and may be begun again.
        interruptions = 0;
        world.project.run(&["run", "--complete"]).expect(0);
    }
    expected.check(&world.project, &world.notes(), interruptions);
    before.check(&world.project);
    told.len()
}

/// A project on a disk of its own, and a place outside.
struct World {
    // Fields are dropped in this order: nothing may be on the disk when it goes.
    project: Project,
    disk: Disk,
    outside: tempfile::TempDir,
}

impl World {
    fn new(program: &Path) -> Self {
        let outside = tempfile::tempdir().expect("a directory can be made");
        let disk = Disk::new(outside.path());
        let notes = outside.path().join("runs").display().to_string();
        let sandbox = Sandbox::below(&disk.place);
        let project = Project::within(sandbox, program, &sample(&notes, PHASES));
        // What the person had before is theirs to sync.
        rustix::fs::sync();
        Self { project, disk, outside }
    }

    fn notes(&self) -> PathBuf {
        self.outside.path().join("runs")
    }

    /// Panics unless the journal holds what agents have shown to be acknowledged; gives that.
    fn check_acknowledged(&self) -> Vec<String> {
        let runs = agent_runs(&self.notes());
        if runs.is_empty() {
            return Vec::new();
        }
        let (mut started, mut ended) = (BTreeSet::new(), BTreeSet::new());
        for fact in self.project.facts() {
            for (kind, found) in [("started", &mut started), ("ended", &mut ended)] {
                let key = &fact[kind]["key"];
                if let (Some(step), Some(attempt)) = (key["step"].as_str(), key["attempt"].as_u64())
                {
                    found.insert(format!("{step} {attempt}"));
                }
            }
        }
        assert!(
            started.len() >= runs.len(),
            "{} agents ran, {} intents are on the disk: {runs:?} {started:?}",
            runs.len(),
            started.len()
        );
        assert!(
            ended.len() + 1 >= runs.len(),
            "{} agents ran, {} outcomes are on the disk: {runs:?} {ended:?}",
            runs.len(),
            ended.len()
        );
        let intents = runs.iter().map(|run| format!("started {run}"));
        let outcomes = runs[1..].iter().map(|run| format!("ended before {run}"));
        intents.chain(outcomes).collect()
    }
}

/// A file system in a file.
struct Disk {
    image: PathBuf,
    place: PathBuf,
}

impl Disk {
    fn new(directory: &Path) -> Self {
        let disk = Self { image: directory.join("image"), place: directory.join("disk") };
        fs::create_dir(&disk.place).expect("a directory can be made");
        let image = fs::File::create(&disk.image).expect("a file can be made");
        image.set_len(DISK_BYTES).expect("a file can be grown");
        tool("mkfs.ext4", &["-q".as_ref(), &disk.image]);
        disk.mount();
        disk
    }

    fn mount(&self) {
        tool("mount", &["-o".as_ref(), "loop".as_ref(), &self.image, &self.place]);
    }

    fn cut(&self) {
        tool("perl", &["-e".as_ref(), SHUT_DOWN.as_ref(), &self.place]);
    }

    fn mount_again(&self) {
        // Whoever was ended may hold a file for a moment longer than it can be seen.
        awaited("nobody uses the disk", PATIENCE, || {
            let unmounted = std::process::Command::new("umount").arg(&self.place).output();
            unmounted.is_ok_and(|output| output.status.success())
        });
        self.mount();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // A disk that stays mounted is a nuisance, not a wrong figure.
        drop(std::process::Command::new("umount").arg(&self.place).output());
    }
}

fn tool(program: &str, arguments: &[&Path]) {
    let output = std::process::Command::new(program).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("cannot start `{program}`: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {said}");
}
