//! The map of the repository that those who plan and work find their way by.

use std::fs;

use serde_json::Value;

use crate::harness::{Project, Sample};

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
    let project = Project::new(&Sample { phases: 1, ..Sample::default() });
    project
        .sandbox
        .write("src/lib.rs", "pub fn answer() -> u32 { helper() }\nfn helper() -> u32 { 42 }\n");
    project.sandbox.write("node_modules/dep/index.js", "export const hidden = 1;\n");
    project.sandbox.commit("sources");
    project.run(&["run", "--complete"]).expect(0);

    let first = map(&project);
    let found = entry(&first, "src/lib.rs").expect("it is mapped");
    assert_eq!(found["exports"][0]["name"], "answer");
    assert_eq!(found["call_graph"][0]["callees"][0], "helper");
    assert!(entry(&first, "node_modules/dep/index.js").is_none());
    assert_eq!(first["version"], 1);

    // Nothing that the map tells has changed, so it stays as it was, to the time at which it was made.
    project.sandbox.write(".planning/ROADMAP.md", "# Roadmap\n\n- [ ] **Phase 9: Another**\n");
    project.sandbox.commit("another phase");
    let before =
        fs::read(project.sandbox.project().join(".autopilot/repo-map.json")).expect("it is there");
    drop(project.run(&["run", "--complete"]));
    let after =
        fs::read(project.sandbox.project().join(".autopilot/repo-map.json")).expect("it is there");
    assert_eq!(String::from_utf8_lossy(&before), String::from_utf8_lossy(&after));
}

#[test]
fn c44_agents_who_plan_and_work_can_read_the_map_and_a_damaged_one_is_made_again() {
    let project = Project::new(&Sample { phases: 1, ..Sample::default() });
    project.sandbox.write("src/lib.rs", "pub fn answer() -> u32 { 42 }\n");
    project.sandbox.commit("sources");
    let path = project.sandbox.project().join(".autopilot/repo-map.json");
    fs::create_dir_all(path.parent().expect("a parent")).expect("it can be made");
    fs::write(&path, "{ not a map").expect("it can be written");
    project.run(&["run", "--complete"]).expect(0);
    assert!(entry(&map(&project), "src/lib.rs").is_some());
    let told = project.run(&["transcript"]).expect(0).stdout;
    let line =
        told.lines().find(|line| line.contains("A map of the repository")).expect("it is told");
    let place = line.split('`').nth(1).expect("a path");
    let text = fs::read_to_string(place).expect("agents find it there");
    assert_eq!(text, fs::read_to_string(&path).expect("people find it here"));
}
