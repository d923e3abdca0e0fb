//! A phase that is too much for one plan is done in parts.

use crate::harness::{Project, Sample};

/// A task that writes a file with a line.
fn task(id: &str, file: &str, line: &str) -> String {
    format!(
        "<task id=\"{id}\" type=\"auto\" complexity=\"complex\">\n<name>Write {file}</name>\n<files>{file}</files>\n\
         <action>Write the file {file} into the root of the project. It holds one line with the text {line} and a line end, and nothing \
         before or after it.</action>\n<acceptance_criteria>\n\
         - it is written -- verified by: `echo {line} | cmp -s - {file}`\n</acceptance_criteria>\n\
         <verify>read it</verify>\n<done>it is written</done>\n</task>\n"
    )
}

fn planner(phase: &str, directory: &str, tasks: &str, rest: &str) -> String {
    format!(
        "[[on]]\nrole = \"planner\"\nphase = \"{phase}\"\n{rest}\ndo = [{{ write = {{ path = \"{directory}/PLAN.md\", \
         text = '''\n# Plan\n\n{tasks}''' }} }}]\n\n"
    )
}

fn executor(phase: &str, file: &str, line: &str) -> String {
    format!(
        "[[on]]\nrole = \"executor\"\nphase = \"{phase}\"\n\
         do = [{{ write = {{ path = \"{file}\", text = \"{line}\\n\" }} }}]\n\n"
    )
}

/// Two phases, of which the first is done in two parts; the second part writes this.
fn project(line: &str) -> Project {
    let directory = ".planning/phases/1-part-1";
    let all: String = (1..=6).map(|number| task(&format!("1-0{number}"), "x.txt", "x")).collect();
    let wish = "return = { split_details = { reason = \"six hard tasks\", recommended_sub_phases = [\
                { name = \"First half\", scope = \"half.txt\" }, { name = \"Second half\", scope = \"part-1.txt\" }] } }";
    let script = planner("1", directory, &all, wish)
        + &planner("1a", &format!("{directory}/1a"), &task("1a-01", "half.txt", "half"), "")
        + &executor("1a", "half.txt", "half")
        + &planner("1b", &format!("{directory}/1b"), &task("1b-01", "part-1.txt", "part 1"), "")
        + &executor("1b", "part-1.txt", line);
    let config = "[limits]\nphase_debugs = 0\ntask_debugs = 0\n".to_owned();
    Project::new(&Sample { phases: 2, script, config })
}

#[test]
fn c30_a_phase_in_parts_is_one_phase_on_the_run_branch() {
    let project = project("part 1");
    let output = project.run(&["run", "--complete"]).expect(0);
    assert!(
        output.stderr.contains("[Phase 1] is done in 2 parts: six hard tasks"),
        "{}",
        output.shown()
    );
    let states = project.phase_states();
    assert_eq!(states, ["1 completed", "2 completed", "1a completed", "1b completed"]);
    let files = project.files_at(&project.head());
    for file in
        ["half.txt", "part-1.txt", "part-2.txt", ".planning/phases/1-part-1/1a/EXECUTION-LOG.md"]
    {
        assert!(files.contains(&file.to_owned()), "{file}: {files:?}");
    }
    let state = project.sandbox.project().join(".autopilot/state.json");
    let state = std::fs::read_to_string(state).expect("it is told");
    let state: serde_json::Value = serde_json::from_str(&state).expect("JSON");
    let whole = &state["phases"]["1"];
    assert_eq!(
        (&whole["split"], &whole["sub_phases"]),
        (&true.into(), &serde_json::json!(["1a", "1b"]))
    );
    assert_eq!(whole["alignment_score"], 9.4);
    project.run(&["verify"]).expect(0);
    project.run(&["audit"]).expect(0);
    project.run(&["land"]).expect(0);
}

#[test]
fn c30_nothing_of_a_phase_is_on_the_run_branch_when_a_part_of_it_fails() {
    let project = project("wrong");
    project.run(&["run", "--complete"]).expect(3);
    assert_eq!(project.phase_states(), ["1 failed", "2 blocked", "1a completed", "1b failed"]);
    assert!(!project.files_at(&project.head()).contains(&"half.txt".to_owned()));
    assert!(project.is_reachable("half\n"), "its work is kept");
    project.run(&["audit"]).expect(0);
}
