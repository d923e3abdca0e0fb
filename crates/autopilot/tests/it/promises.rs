//! What a phase has proven must still hold when the run is over.

use crate::harness::{Project, Sample, agent, part, sh};

/// Two phases; the second one does its work and destroys that of the first.
fn destroyed(second_depends_on_first: bool, debugger: &str) -> Project {
    let destroys = [part(2), sh("echo gone > part-1.txt")].join(", ");
    let script = agent("executor", 2, &destroys, "") + &agent("debugger", 2, debugger, "");
    let config = "[limits]\nphase_debugs = 1\n".to_owned();
    let project = Project::new(&Sample { phases: 2, script, config });
    let depends = if second_depends_on_first { "**Depends on**: Phase 1\n\n" } else { "" };
    let roadmap = format!(
        "# Roadmap\n\n## Phase 1: Part 1\n\n**Goal**: part-1.txt\n\n**Success Criteria**:\n\
         - it is there -- verified by: `grep -qx 'part 1' part-1.txt`\n\n\
         ## Phase 2: Part 2\n\n**Goal**: part-2.txt\n\n{depends}**Success Criteria**:\n\
         - it is there -- verified by: `grep -qx 'part 2' part-2.txt`\n"
    );
    project.sandbox.write(".planning/ROADMAP.md", roadmap);
    project.sandbox.commit("two promises");
    project
}

#[test]
fn a_run_whose_later_phase_destroyed_an_earlier_one_is_not_done() {
    let project = destroyed(false, "");
    let output = project.run(&["run", "--complete"]).expect(3);
    assert!(output.stderr.contains("BROKEN: 1/1 held and does not any more"), "{}", output.shown());
    assert_eq!(project.phase_states(), ["1 broken", "2 completed"]);
    let land = project.run(&["land"]).expect(1);
    assert!(land.stderr.contains("1/1 held and does not any more"), "{}", land.shown());

    // It is looked at again whenever a person asks for it, and nothing else has changed.
    project.run(&["resume"]).expect(3);
    project.run(&["waive", "1/1", "--why", "part 2 took its place"]).expect(0);
    let resumed = project.run(&["resume"]).expect(0);
    assert!(resumed.stderr.contains("WAIVED by person: 1/1"), "{}", resumed.shown());
    assert_eq!(project.phase_states(), ["1 completed", "2 completed"]);
    project.run(&["audit"]).expect(0);
}

#[test]
fn a_phase_that_destroys_what_it_builds_on_is_sent_back_and_repaired() {
    let repairs = sh("echo 'part 1' > part-1.txt");
    let project = destroyed(true, &repairs);
    project.run(&["run", "--complete"]).expect(0);
    let log = project.run(&["log", "--json"]).expect(0);
    assert!(log.stdout.contains("it held before this phase and is broken now"), "{}", log.shown());
    project.run(&["verify", "--rerun"]).expect(0);
    let project = destroyed(true, "");
    project.run(&["run", "--complete"]).expect(3);
    assert_eq!(project.phase_states(), ["1 completed", "2 failed"]);
}
