//! The map of the repository that those who plan and work find their way by.

use std::{fs, os::unix::fs::MetadataExt};

use serde_json::Value;

use crate::harness::{Project, Sample, plan};

fn map(project: &Project) -> Value {
    let path = project.sandbox.project().join(".autopilot/repo-map.json");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("no map: {error}"));
    serde_json::from_str(&text).expect("it is JSON")
}

fn entry<'a>(map: &'a Value, path: &str) -> Option<&'a Value> {
    let files = map["files"].as_array().expect("a list");
    files.iter().find(|file| file["path"] == path)
}

#[test]
fn c44_a_run_leaves_a_map_of_what_its_branch_holds_and_a_second_look_changes_nothing() {
    // A plan that is sent back: each run begins and ends with the same files.
    let script = plan(1, "", "").replace("echo part 1 | cmp -s - part-1.txt", "test -f part-1.txt");
    let project = Project::new(&Sample { phases: 1, script, ..Sample::default() });
    project
        .sandbox
        .write("src/lib.rs", "pub fn answer() -> u32 { helper() }\nfn helper() -> u32 { 42 }\n");
    project.sandbox.write("node_modules/dep/index.js", "export const hidden = 1;\n");
    project.sandbox.commit("sources");
    project.run(&["run"]).expect(3);

    let first = map(&project);
    let found = entry(&first, "src/lib.rs").expect("it is mapped");
    assert_eq!(found["exports"][0]["name"], "answer");
    assert_eq!(found["call_graph"][0]["callees"][0], "helper");
    assert!(entry(&first, "node_modules/dep/index.js").is_none());
    assert_eq!(first["version"], 1);

    // Nothing that the map tells has changed, so the file is the one that was there.
    project.sandbox.write("node_modules/dep/index.js", "export const other = 1;\n");
    project.sandbox.commit("a dependency");
    let path = project.sandbox.project().join(".autopilot/repo-map.json");
    let file = || fs::metadata(&path).expect("it is there").ino();
    let before = file();
    project.run(&["run"]).expect(3);
    assert_eq!((file(), map(&project)), (before, first));
}

#[test]
fn c44_agents_who_plan_and_work_can_read_the_map_and_a_damaged_one_is_made_again() {
    let project = Project::new(&Sample { phases: 1, ..Sample::default() });
    project.sandbox.write("src/lib.rs", "pub fn answer() -> u32 { 42 }\n");
    project.sandbox.commit("sources");
    let path = project.sandbox.project().join(".autopilot/repo-map.json");
    fs::create_dir_all(path.parent().expect("a parent")).expect("it can be made");
    fs::write(&path, "{ not a map").expect("it can be written");
    let ran = project.run(&["run", "--complete"]).expect(0);
    assert!(!ran.stderr.contains("[ !! ]"), "it is nothing that an agent left: {}", ran.stderr);
    assert!(entry(&map(&project), "src/lib.rs").is_some());
    let told = project.run(&["transcript", "1/plan/1"]).expect(0).stdout;
    let line =
        told.lines().find(|line| line.contains("A map of the repository")).expect("it is told");
    let place = line.split('`').nth(1).expect("a path");
    let text = fs::read_to_string(place).expect("agents find it there");
    assert_eq!(text, fs::read_to_string(&path).expect("people find it here"));
}
