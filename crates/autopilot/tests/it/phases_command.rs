//! Phases that come and go by the person's word, and what is told of all of them.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    time::Duration,
};

use insta::assert_snapshot;

use crate::harness::{Project, Sample, Terminal, agent, awaited, part, sign, until};

const ROADMAP: &str = ".planning/ROADMAP.md";
const STATE: &str = ".planning/STATE.md";

const STATE_BEFORE: &str = "| Phase | Name | Status | Version |\n|---|---|---|---|\n\
    | 1 | Part 1 | Pending | - |\n| 2 | Part 2 | Pending | - |\n";

fn text(project: &Project, path: &str) -> String {
    fs::read_to_string(project.sandbox.project().join(path)).expect("readable")
}

/// The files of the directory that the roadmap is in.
fn beside(project: &Project) -> Vec<String> {
    let entries = fs::read_dir(project.sandbox.project().join(".planning")).expect("listable");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn c47_a_phase_is_added_to_both_files_and_what_it_lacks_is_told() {
    let project = Project::honest(2);
    project.sandbox.write(STATE, STATE_BEFORE);
    let path = project.sandbox.project().join(ROADMAP);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("settable");
    let before = text(&project, ROADMAP);
    let added = project.run(&[
        "phase",
        "add",
        "Part 3 - the last",
        "--goal",
        "Everything is there. Nothing is left to do.",
        "--criterion",
        "It is written -- verified by: `grep -qx 'part 3' part-3.txt`",
        "--depends-on",
        "2",
    ]);
    assert_snapshot!(added.shown(), @r"
        exit code 0
        --- stderr
        added phase 3 (Part 3) in .planning/ROADMAP.md and .planning/STATE.md
        commit it before the next run: agents see the last commit
        warning: there are 1 criteria; with fewer than 3 too much is left to whoever judges
        warning: nothing says why the phase depends on others; a reason in parentheses helps whoever plans it
        ");
    let after = text(&project, ROADMAP);
    assert_ne!(after, before);
    assert!(after.contains("**Phase 3: Part 3**"), "{after}");
    let row = "| 3 | Part 3 | Pending | - |\n";
    assert_eq!(text(&project, STATE), format!("{STATE_BEFORE}{row}"));
    assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o640);
    assert_eq!(beside(&project), ["ROADMAP.md", "STATE.md"], "nothing is left beside them");
    let listed = project.run(&["run", "all", "--dry-run"]).expect(0);
    assert!(listed.stdout.contains("3 of 3 phases would run"), "{listed:?}");

    project.run(&["phase", "remove", "3", "-y"]).expect(0);
    assert_eq!(text(&project, ROADMAP), before, "byte for byte");
    assert_eq!(text(&project, STATE), STATE_BEFORE);
}

#[test]
fn c47_a_phase_that_was_added_can_be_run() {
    let project = Project::honest(1);
    project.script(&crate::harness::honest(2));
    let criterion = "It is written -- verified by: `grep -qx 'part 2' part-2.txt`";
    let words =
        ["phase", "add", "Part 2", "--goal", "It is written. It is the last.", "--criterion"];
    project
        .run(&[&words[..], &[criterion, "--depends-on", "Phase 1 (it follows)"]].concat())
        .expect(0);
    project.sandbox.commit("one more phase");
    project.run(&["run", "all"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed", "2 completed"]);
}

#[test]
fn c47_a_phase_is_inserted_with_stubs() {
    let project = Project::honest(2);
    assert_snapshot!(project.run(&["phase", "insert", "1", "Between"]).shown(), @r"
        exit code 0
        --- stderr
        inserted phase 1.1 (Between) in .planning/ROADMAP.md
        commit it before the next run: agents see the last commit
        say what it is to reach, and how that is seen, where it says `[To be planned]`
        ");
    let after = text(&project, ROADMAP);
    assert!(after.contains("**Phase 1.1: Between** *(INSERTED)*"), "{after}");
}

#[test]
fn c47_a_phase_is_removed_only_by_the_persons_word() {
    let project = Project::honest(2);
    let before = text(&project, ROADMAP);
    assert_snapshot!(project.run(&["phase", "remove", "2"]).shown(), @r"
        exit code 1
        --- stderr
        error: nobody can be asked whether phase 2 (Part 2) is to be removed
          why it matters: what is said about it in the roadmap would be gone
          what to do: say it with `-y`
        ");
    assert_snapshot!(project.run(&["phase", "remove", "1", "-y"]).shown(), @r"
        exit code 1
        --- stderr
        error: `.planning/ROADMAP.md`: phase `1` is needed by phase `2`
          why it matters: what they need would be gone
          what to do: change what they depend on first, or say `--even-if-needed` and leave them as they are
        ");
    assert_eq!(text(&project, ROADMAP), before);

    let directory = project.sandbox.project().join(".planning/phases/2-part-2");
    fs::create_dir_all(&directory).expect("made");
    assert_snapshot!(project.run(&["phase", "remove", "2", "-y"]).shown(), @r"
        exit code 0
        --- stderr
        removed phase 2 (Part 2) from .planning/ROADMAP.md
        no other phase has another number now, and files of the phase are where they were
        ");
    assert!(!text(&project, ROADMAP).contains("Phase 2"));
    assert!(directory.is_dir());
}

#[test]
fn c47_at_a_terminal_the_person_is_asked() {
    for (keys, is_removed) in [("n\n", false), ("\n", false), ("y\n", true)] {
        let project = Project::honest(2);
        let before = text(&project, ROADMAP);
        let (terminal, engine) = Terminal::start(&project, &["phase", "remove", "2"]);
        let wait = Duration::from_secs(20);
        awaited("the question", wait, || terminal.shown().contains("[y/N]"));
        terminal.press(keys);
        let code = engine.wait().code;
        assert_eq!(code, Some(i32::from(!is_removed)), "{}", terminal.shown());
        assert_eq!(text(&project, ROADMAP) != before, is_removed, "{keys:?}");
        terminal.hang_up();
    }
}

#[test]
fn c47_the_roadmap_is_left_alone_while_a_run_works_with_it() {
    let actions = [sign("working"), until("go"), part(1)].join(", ");
    let project = Project::new(&Sample {
        phases: 2,
        script: agent("executor", 1, &actions, ""),
        ..Sample::default()
    });
    let before = text(&project, ROADMAP);
    let engine = project.start(&["run"]);
    project.await_sign("working");
    for words in [
        &["phase", "add", "More"][..],
        &["phase", "insert", "1", "More"],
        &["phase", "remove", "2", "-y"],
    ] {
        let refused = project.run(words).expect(1);
        assert!(refused.stderr.contains("is being worked on by process"), "{refused:?}");
        assert!(refused.stderr.contains("marks them in its own copy"), "{refused:?}");
    }
    assert_eq!(text(&project, ROADMAP), before);
    let listed = project.run(&["phase", "list"]).expect(0);
    assert!(listed.stdout.contains("do: `autopilot status run-"), "{listed:?}");
    fs::write(project.path("signs/go"), "").expect("writable");
    engine.wait().expect(0);
    project.run(&["phase", "add", "More"]).expect(0);
}

#[test]
fn c47_nothing_is_written_through_a_link_out_of_the_project() {
    let project = Project::honest(1);
    let outside = project.path("STATE.md");
    fs::write(&outside, STATE_BEFORE).expect("writable");
    let before = text(&project, ROADMAP);
    symlink(&outside, project.sandbox.project().join(STATE)).expect("linked");
    let refused = project.run(&["phase", "add", "More"]).expect(1);
    assert!(refused.stderr.contains("lies outside of the project"), "{refused:?}");
    assert_eq!(fs::read_to_string(&outside).expect("readable"), STATE_BEFORE);
    assert_eq!(text(&project, ROADMAP), before, "neither of the two is changed");

    // A link within the project leads to the file that is written; the link stays.
    fs::remove_file(project.sandbox.project().join(STATE)).expect("removable");
    fs::rename(project.sandbox.project().join(ROADMAP), project.sandbox.project().join("plan.md"))
        .expect("moved");
    symlink("../plan.md", project.sandbox.project().join(ROADMAP)).expect("linked");
    project.run(&["phase", "add", "More"]).expect(0);
    assert!(text(&project, "plan.md").contains("Phase 2: More"));
    let link = fs::read_link(project.sandbox.project().join(ROADMAP)).expect("still a link");
    assert_eq!(link, Path::new("../plan.md"));
}

#[test]
fn c48_the_list_follows_the_work() {
    let project = Project::honest(2);
    assert_snapshot!(project.run(&["phase", "list"]).shown(), @r"
        exit code 0
        --- stdout
        .planning/ROADMAP.md: 0 of 2 phases complete (0 %)

        PHASE  NAME    STATUS       SCORE  AFTER  DETAIL
        1      Part 1  not started  -
        2      Part 2  not started  -      1

        next: phase 1 (Part 1)
        do: `autopilot run 1` (all that it needs is complete)
        ");
    project.run(&["run"]).expect(0);
    let listed = project.run(&["phase", "list"]).expect(0);
    assert!(listed.stdout.contains("1 of 2 phases complete (50 %)"), "{listed:?}");
    assert!(listed.stdout.contains("not landed"), "{listed:?}");
    assert!(listed.stdout.contains("do: `autopilot land run-"), "{listed:?}");
    project.run(&["land"]).expect(0);
    let listed = project.run(&["phase", "list", "--json"]).expect(0);
    let view: serde_json::Value = serde_json::from_str(&listed.stdout).expect("JSON");
    assert_eq!((&view["next"], &view["action"]), (&"2".into(), &"autopilot run 2".into()));
    assert_eq!(view["phases"][0]["status"], "complete");
}

#[test]
fn what_is_said_after_the_name_of_an_added_phase_is_its_goal_where_there_is_no_list() {
    let project = Project::honest(1);
    project.sandbox.write(ROADMAP, "# Roadmap\n\n## Phase 1: Part 1\n**Goal**: it is written\n");
    project.run(&["phase", "add", "Part 2 - the last word is said"]).expect(0);
    let after = text(&project, ROADMAP);
    assert!(after.contains("the last word is said"), "{after}");
    let goal = ["--goal", "Nothing is left to do."];
    let told = project.run(&[&["phase", "add", "Part 3 - somebody sings"][..], &goal].concat());
    assert!(told.stderr.contains("no list with a line for `somebody sings`"), "{}", told.shown());
}
