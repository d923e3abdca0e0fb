//! What is too much to be kept in git stays on disk, is told, and goes only on a person's word.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::harness::{Project, Sample, agent, part, sh, sign};

/// Leaves an ignored file that is larger than what is kept of such files. It has holes, so it takes no room.
const TOO_MUCH: &str = "mkdir -p data; echo small-marker > data/a; truncate -s 300M data/big";

/// A project that ignores some files, whose executor of the first phase does this besides its work.
fn project(actions: &str) -> Project {
    let script = agent("executor", 1, &format!("{}, {actions}", part(1)), "");
    let project = Project::new(&Sample { phases: 1, script, ..Sample::default() });
    project.sandbox.write(".gitignore", "/data/\n/target/\n*.ign\n");
    project.sandbox.commit("ignore");
    project
}

/// The workspaces that are on disk.
fn workspaces(project: &Project) -> Vec<PathBuf> {
    let list = |path: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(path).expect("it can be listed");
        entries.map(|entry| entry.expect("it can be read").path()).collect()
    };
    let runs = list(&project.path("state/autopilot")).into_iter().flat_map(|path| list(&path));
    runs.filter(|run| run.is_dir()).flat_map(|run| list(&run.join("work"))).collect()
}

fn left_out_facts(project: &Project) -> Vec<serde_json::Value> {
    project.facts().into_iter().filter(|fact| fact.get("left-out").is_some()).collect()
}

#[test]
fn an_ignored_file_that_is_too_large_stays_on_disk_until_a_person_drops_it() {
    let project = project(&sh(TOO_MUCH));
    let ran = project.run(&["run"]).expect(0);
    let [workspace] = &workspaces(&project)[..] else { panic!("{:?}", workspaces(&project)) };
    let place = workspace.join("files").display().to_string();
    let line = format!(
        "[ !! ] 1/execute/1-01: 1 file (300.0 MiB) from `data` on are too much to be kept in git; they stay in {place}"
    );
    assert!(ran.stderr.contains(&line), "{}", ran.stderr);
    assert_eq!(
        fs::metadata(Path::new(&place).join("data/big")).expect("it is there").len(),
        300 << 20
    );
    assert!(project.is_reachable("small-marker"), "what fits is kept");

    let told = project.run(&["status"]).expect(0);
    assert!(told.stdout.contains(&format!("in {place}")), "{}", told.stdout);
    let status = project.status();
    assert_eq!(status["left_on_disk"][0]["place"], place);
    assert_eq!(status["left_on_disk"][0]["bytes"], 300 << 20);

    let name = format!("{}/kept/1/execute/1-01/1", project.run_id());
    let listed = project.run(&["rescue"]).expect(0);
    assert!(
        listed.stderr.contains(&format!("in {place}; `autopilot rescue {name} --drop`")),
        "{listed:?}"
    );
    let json = project.run(&["rescue", "--json"]).expect(0).stdout;
    assert!(json.contains(&place), "{json}");
    let shown = project.run(&["rescue", &name]).expect(0);
    assert!(shown.stdout.contains("- data: 1 files, 314572800 bytes"), "{}", shown.stdout);

    project.run(&["rescue", &name, "--drop"]).expect(0);
    assert!(!workspace.exists());
    assert_eq!(project.status()["left_on_disk"], serde_json::json!([]), "nobody is sent there now");
    assert!(project.is_reachable("small-marker"), "the commit stays");
    let again = project.run(&["rescue", &name, "--drop"]).expect(1);
    assert!(again.stderr.contains("is on disk"), "{}", again.stderr);
}

#[test]
fn what_a_killed_attempt_left_is_found_by_rescue_and_told_once_by_the_next_start() {
    let actions = [sh(TOO_MUCH), sign("left"), "\"stall\"".to_owned()].join(", ");
    let project = project(&actions);
    let mut engine = project.start(&["run"]);
    project.await_sign("left");
    engine.kill();
    project.await_guardian(Duration::from_secs(3));
    let [workspace] = &workspaces(&project)[..] else { panic!("{:?}", workspaces(&project)) };
    let place = workspace.join("files").display().to_string();
    let listed = project.run(&["rescue"]).expect(0);
    assert!(listed.stderr.contains(&place), "{}", listed.stderr);
    let kept = project.sandbox.git(["for-each-ref", "--format=%(objectname)", "refs/autopilot/"]);

    // The second attempt does the same and is stopped.
    fs::remove_file(project.path("signs").join("left")).expect("it was left");
    let engine = project.start(&["resume"]);
    project.await_sign("left");
    assert!(engine.said().contains(&place), "the start tells: {}", engine.said());
    engine.signal(rustix::process::Signal::INT);
    engine.wait().expect(130);
    assert_eq!(left_out_facts(&project).len(), 2, "one for each attempt");
    assert_eq!(workspaces(&project).len(), 2);
    let now = project.sandbox.git(["for-each-ref", "--format=%(objectname)", "refs/autopilot/"]);
    assert!(kept.lines().all(|id| now.contains(id)), "the first one is not kept again");

    project.script(&crate::harness::honest(1));
    let resumed = project.run(&["resume"]).expect(0);
    assert!(!resumed.stderr.contains("[ !! ]"), "it was told before: {}", resumed.stderr);
    assert_eq!(left_out_facts(&project).len(), 2);
    assert_eq!(project.status()["left_on_disk"].as_array().map(Vec::len), Some(2));
}

#[test]
fn what_a_tool_can_make_again_goes_with_its_workspace_and_is_in_the_log() {
    let project = project(&sh(
        "mkdir target; echo 'Signature: 8a477f597d28d172789f06886806bc55' > target/CACHEDIR.TAG; \
         truncate -s 300M target/big",
    ));
    let ran = project.run(&["run"]).expect(0);
    assert!(!ran.stderr.contains("[ !! ]"), "{}", ran.stderr);
    assert_eq!(workspaces(&project), Vec::<PathBuf>::new());
    let facts = left_out_facts(&project);
    assert_eq!(facts.len(), 1, "{facts:?}");
    assert_eq!(facts[0]["left-out"]["fate"], "rebuildable");
    assert_eq!(facts[0]["left-out"]["bytes"], 300 << 20);
    assert_eq!(facts[0]["left-out"]["first"], "target");
}

#[test]
fn what_verification_commands_leave_does_not_fill_the_disk() {
    let project = project(&sh("true"));
    let path = ".planning/ROADMAP.md";
    let text = fs::read_to_string(project.sandbox.project().join(path)).expect("readable");
    let check = "verified by: `truncate -s 300M big.ign && grep";
    project.sandbox.write(path, text.replace("verified by: `grep", check));
    project.sandbox.commit("a check that leaves a lot");
    project.run(&["run"]).expect(0);
    assert_eq!(workspaces(&project), Vec::<PathBuf>::new());
    assert_eq!(left_out_facts(&project).len(), 0);
}

#[test]
fn a_file_larger_than_hosts_take_is_part_of_the_work() {
    let project = project(&sh("truncate -s 110M large.bin"));
    let ran = project.run(&["run"]).expect(0);
    assert!(!ran.stderr.contains("[ !! ]"), "{}", ran.stderr);
    let size = project.sandbox.git(["cat-file", "-s", &format!("{}:large.bin", project.head())]);
    assert_eq!(size, (110 << 20).to_string());
}
