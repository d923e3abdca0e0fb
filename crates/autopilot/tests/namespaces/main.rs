//! Tests that mount disks and take the network away. `cargo xtask ci` runs them in namespaces of their own.

#[path = "../it/full_disk.rs"]
mod full_disk;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use autopilot_testkit::program::{Project, Sample};

use full_disk::{check_resumed, check_stopped, sample};

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_autopilot");
/// What fits on the small disk: the beginning of a run, not the whole of it.
const SMALL: &str = "size=32k";
/// Longer than this nobody watches a demo.
const DEMO_TIME_MAX: Duration = Duration::from_secs(30);

/// A small disk, for as long as it lives.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path, size: &str) -> Self {
        fs::create_dir_all(at).expect("a directory can be made");
        let words = ["-t", "tmpfs", "-o", size, "autopilot-test"];
        let mounted = Command::new("mount").args(words).arg(at).output().expect("mount is there");
        assert!(
            mounted.status.success(),
            "a small disk cannot be mounted: {}",
            String::from_utf8_lossy(&mounted.stderr).trim()
        );
        Self(at.to_owned())
    }

    fn grow(&self) {
        let grown = Command::new("mount").args(["-o", "remount,size=8m"]).arg(&self.0).status();
        assert!(grown.expect("mount can be started").success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a process that is on its way out may still hold a file.
        drop(Command::new("umount").arg("--lazy").arg(&self.0).status());
    }
}

#[test]
fn a_full_disk_stops_the_run_and_room_lets_it_go_on() {
    let project = Project::new(PROGRAM, &sample());
    let journal = project.sandbox.project().join(".autopilot/journal");
    let disk = SmallDisk::mount(&journal, SMALL);
    let output = project.run(&["run", "--complete"]);
    let recorded = check_stopped(&project, &output);
    assert!(output.stderr.contains("No space left on device"), "{}", output.shown());
    let again = project.run(&["resume"]);
    assert_eq!(again.code, Some(74), "still no room: {}", again.shown());
    disk.grow();
    check_resumed(&project, &recorded);
}

#[test]
fn a_full_disk_under_the_workspaces_stops_the_run_and_fails_no_phase() {
    let project = Project::new(PROGRAM, &sample());
    let disk = SmallDisk::mount(&project.path("state"), "size=300k");
    let output = project.run(&["run", "--complete"]);
    assert_eq!(output.code, Some(74), "{}", output.shown());
    assert!(output.stderr.contains("what to do: "), "{}", output.shown());
    project.await_no_agents(Duration::from_secs(1));
    let states = project.phase_states();
    assert!(states.iter().all(|state| !state.contains("failed")), "{states:?}");
    let recorded = project.facts();
    disk.grow();
    check_resumed(&project, &recorded);
}

#[test]
fn the_demo_needs_no_network() {
    let project = Project::new(PROGRAM, &Sample { phases: 1, ..Sample::default() });
    let directory = project.path("demo").display().to_string();
    let words = ["--net", PROGRAM, "demo", "--dir", &directory];
    let began = Instant::now();
    let output = project.finish(project.other("unshare", words)).expect(0);
    assert!(began.elapsed() < DEMO_TIME_MAX, "{:?}", began.elapsed());
    for row in ["caught it", "usage limit", "when the engine was killed", "is complete"] {
        assert!(output.stdout.contains(row), "{row} is not in:\n{}", output.stdout);
    }
    project.await_no_agents(Duration::from_secs(1));
}
