//! Which roadmap is read, what is refused or warned about in it before a run, and how it is marked after one.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::symlink},
    path::Path,
};

use insta::assert_snapshot;

use crate::harness::{Output, Project, Sample, agent, part, plan, sh};

const ROADMAP: &str = ".planning/ROADMAP.md";

/// Phases that exist only as headings.
fn headings(phases: usize) -> String {
    let mut text = "# Roadmap\n".to_owned();
    for phase in 1..=phases {
        let before = if phase == 1 { "Nothing".to_owned() } else { format!("Phase {}", phase - 1) };
        text.push_str(&format!(
            "\n## Phase {phase}: Part {phase}\n**Goal**: it is written\n**Depends on**: {before}\n\n\
             - It is written -- verified by: `grep -qx 'part {phase}' part-{phase}.txt`\n"
        ));
    }
    text
}

fn committed(project: &Project, roadmap: &str) {
    project.sandbox.write(ROADMAP, roadmap);
    project.sandbox.commit("another roadmap");
}

fn read(project: &Project) -> String {
    fs::read_to_string(project.sandbox.project().join(ROADMAP)).expect("readable")
}

/// Runs the program below the root.
fn below(project: &Project, directory: &str, arguments: &[&str]) -> Output {
    let here = project.sandbox.project().join(directory);
    fs::create_dir_all(&here).expect("made");
    let mut command = project.command(arguments);
    command.current_dir(here);
    project.finish(command)
}

#[test]
fn phases_that_are_only_headings_are_marked_so_that_the_next_run_goes_on() {
    let project = Project::honest(2);
    let before = headings(2);
    committed(&project, &before);
    project.run(&["run"]).expect(0);
    project.run(&["land"]).expect(0);
    assert_eq!(read(&project), before.replace("## Phase 1: Part 1\n", "## Phase 1: Part 1 ✅\n"));
    project.run(&["run", "next"]).expect(0);
    assert_eq!(project.phase_states(), ["2 completed"]);
    project.run(&["land"]).expect(0);
    assert_eq!(read(&project).matches('✅').count(), 2);
    let output = project.run(&["run", "all"]).expect(0);
    assert!(output.stderr.contains("nothing to do"), "{output:?}");
}

#[test]
fn a_phase_below_zero_is_run_and_marked() {
    let honest = plan(1, "", "") + &agent("executor", 1, &part(1), "");
    let honest = honest.replace("phase = \"1\"", "phase = \"-1\"");
    let project = Project::scripted(&honest.replace("phases/1-part", "phases/-1-part"));
    let before = headings(1).replace("Phase 1: Part 1", "Phase -1: Part 1");
    committed(&project, &before);
    project.run(&["run", "-1"]).expect(0);
    assert_eq!(project.phase_states(), ["-1 completed"]);
    project.run(&["land"]).expect(0);
    assert_eq!(read(&project), before.replace("Phase -1: Part 1\n", "Phase -1: Part 1 ✅\n"));
}

#[test]
fn a_phase_is_marked_even_where_its_agent_took_it_out_of_the_roadmap() {
    for spoil in [format!("rm {ROADMAP}"), format!("sed -i '/Phase 1/d' {ROADMAP}")] {
        let actions = format!("{}, {}", part(1), sh(&spoil));
        let project = Project::scripted(&agent("executor", 1, &actions, ""));
        let before = read(&project);
        project.run(&["run"]).expect(0);
        project.run(&["land"]).expect(0);
        assert_eq!(read(&project), before.replace("- [ ]", "- [x]"), "{spoil}");
    }
}

#[test]
fn a_phase_that_cannot_be_marked_is_refused_before_anything_is_spent() {
    let project = Project::honest(1);
    committed(&project, "| Phase | Goal |\n|---|---|\n| 1 | it is written |\n");
    let refused = project.run(&["run"]);
    assert_snapshot!(refused.shown(), @r"
        exit code 1
        --- stderr
        error: `.planning/ROADMAP.md`: line 3 has no place where phase `1` could be marked complete: no box, no status and no name
          why it matters: a phase that is done but not marked would be run again, and what depends on it never
          what to do: give it a name, or its table a `Status` column
        ");
    assert_eq!(project.run(&["run", "--dry-run"]).shown(), refused.shown());
    assert!(!project.sandbox.project().join(".autopilot").exists(), "nothing was begun");
}

#[test]
fn a_roadmap_that_is_not_text_is_refused_and_still_shown() {
    let project = Project::honest(1);
    let path = project.sandbox.project().join(ROADMAP);
    let bytes = [read(&project).as_bytes(), b"\nna\xefve\n"].concat();
    fs::write(&path, bytes).expect("writable");
    assert_snapshot!(project.run(&["run"]).shown(), @r"
        exit code 1
        --- stderr
        error: `.planning/ROADMAP.md` holds bytes that are not UTF-8, first on line 11
          why it matters: phases that are done are marked in it, and nothing else in it may change
          what to do: save it as UTF-8 and commit it
        ");
    let output = project.run(&["roadmap"]).expect(0);
    assert!(output.stdout.contains("not UTF-8"), "{output:?}");
}

#[test]
fn a_roadmap_that_is_not_committed_is_told_before_the_run() {
    let project = Project::honest(1);
    let text = read(&project);
    project.sandbox.write("other.md", text);
    let output = project.run(&["run", "--roadmap", "other.md"]).expect(0);
    assert!(
        output.stderr.contains("`other.md` of the last commit does not have phase 1"),
        "{output:?}"
    );
}

#[test]
fn a_named_roadmap_is_meant_from_where_the_person_is() {
    let project = Project::honest(2);
    let text = read(&project);
    project.sandbox.write("docs/deep/plan.md", text.replace("- [ ] **Phase 1", "- [x] **Phase 1"));
    project.sandbox.write("docs/plan.md", headings(1));
    project.sandbox.commit("two more roadmaps");
    for (directory, named, phase) in [
        ("docs/deep", "plan.md", "2"),
        ("docs/deep", "./../deep/plan.md", "2"),
        ("docs/deep", "../plan.md", "1"),
        ("docs", "plan.md", "1"),
        ("src", "../docs/deep/plan.md", "2"),
    ] {
        let output =
            below(&project, directory, &["run", "--dry-run", "--roadmap", named]).expect(0);
        let first = output.stdout.lines().nth(1).and_then(|row| row.split_whitespace().next());
        assert_eq!(first, Some(phase), "{named} in {directory}: {output:?}");
    }
    let absolute = project.sandbox.project().join("docs/plan.md");
    below(&project, "docs/deep", &["run", "--roadmap", &absolute.display().to_string()]).expect(0);
    assert_eq!(project.facts()[0]["submitted"]["roadmap"], "docs/plan.md");
    project.run(&["land"]).expect(0);
    let marked = fs::read_to_string(absolute).expect("readable");
    assert!(marked.contains("## Phase 1: Part 1 ✅"), "{marked}");
    // From elsewhere the run goes on with the same file.
    below(&project, "src", &["status"]).expect(0);
    let output = below(&project, "src", &["run", "--roadmap", "plan.md"]).expect(1);
    assert!(output.stderr.contains("tried `plan.md`"), "{output:?}");
}

#[test]
fn a_configured_roadmap_is_meant_from_the_root() {
    let config = "[run]\nroadmap = \"docs/plan.md\"\n".to_owned();
    let project = Project::new(&Sample { phases: 2, config, ..Sample::default() });
    project.sandbox.write("docs/plan.md", headings(1));
    project.sandbox.commit("the roadmap");
    for directory in ["", "docs", "src"] {
        let output = below(&project, directory, &["run", "all", "--dry-run"]).expect(0);
        assert!(output.stdout.contains("1 of 1 phases would run"), "{directory}: {output:?}");
    }
}

#[test]
fn a_roadmap_outside_of_the_project_is_refused_also_behind_a_link() {
    let project = Project::honest(1);
    let root = project.sandbox.project();
    fs::write(project.path("outside.md"), headings(1)).expect("writable");
    symlink(project.path("outside.md"), root.join("link.md")).expect("made");
    symlink("README.md", root.join("inside.md")).expect("made");
    let refused = project.run(&["run", "--roadmap", "../outside.md"]);
    assert_snapshot!(refused.shown(), @r"
        exit code 1
        --- stderr
        error: `ROOT/outside.md` lies outside of the project `ROOT/project`
          why it matters: agents work on the project's commits, and what is done is marked in its roadmap
          what to do: copy the roadmap into the project and commit it there
        ");
    let refusal = refused.stderr;
    for (directory, named) in [("", "link.md"), ("src", "../../outside.md"), ("src", "../link.md")]
    {
        let output = below(&project, directory, &["run", "--roadmap", named]).expect(1);
        assert_eq!(output.stderr, refusal, "{named} in {directory}");
    }
    project.sandbox.write("autopilot.toml", "[run]\nroadmap = \"link.md\"\n");
    assert_eq!(project.run(&["run"]).expect(1).stderr, refusal, "configured");
    let output = project.run(&["run", "--dry-run", "--roadmap", "inside.md"]).expect(1);
    assert!(output.stderr.contains("README.md:1: no phase was found"), "its real name: {output:?}");
    assert!(!root.join(".autopilot").exists(), "nothing was begun");
}

#[test]
fn a_roadmap_that_is_missing_a_directory_or_badly_named_is_refused() {
    let project = Project::honest(1);
    fs::create_dir(project.sandbox.project().join("docs")).expect("made");
    symlink("nowhere", project.sandbox.project().join("dangling.md")).expect("made");
    for named in ["missing.md", "docs", "dangling.md"] {
        let output = project.run(&["run", "--roadmap", named]).expect(1);
        assert!(output.stderr.contains(&format!("tried `{named}`")), "{output:?}");
    }
    let name = OsStr::from_bytes(b"na\xefve.md");
    fs::write(project.sandbox.project().join(Path::new(name)), headings(1)).expect("writable");
    let command = project.command([OsStr::new("run"), OsStr::new("--roadmap"), name]);
    let output = project.finish(command).expect(1);
    assert!(output.stderr.contains("is not UTF-8"), "{output:?}");
    assert!(output.stderr.contains("rename the file"), "{output:?}");
}

#[test]
fn phases_without_a_command_are_told_before_the_run() {
    let project = Project::honest(2);
    let text = headings(3)
        .replace("- It is written -- verified by: `grep -qx 'part 2' part-2.txt`", "- It shines")
        .replace("- It is written -- verified by: `grep -qx 'part 3' part-3.txt`", "");
    committed(&project, &text);
    let warning = "warning: no criterion of phases 2, 3 names a command";
    let output = project.run(&["run", "all", "--dry-run"]).expect(0);
    assert!(output.stderr.contains(warning), "{output:?}");
    let output = project.run(&["roadmap"]).expect(0);
    assert!(output.stdout.contains(warning), "{output:?}");
    project.run(&["roadmap", "--strict"]).expect(0);
    let json = project.run(&["roadmap", "--json"]).expect(0);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    let counts: Vec<_> =
        (0..3).map(|at| json["phases"][at]["executable_criteria"].as_u64()).collect();
    assert_eq!(counts, [Some(1), Some(0), Some(0)]);
    assert_eq!(json["problems"], serde_json::json!([]));
    let output = project.run(&["run", "1"]).expect(0);
    assert!(!output.stderr.contains("names a command"), "phase 1 has one: {output:?}");
    project.run(&["land"]).expect(0);
    let output = project.run(&["run", "2"]);
    assert!(
        output.stderr.contains("warning: no criterion of phase 2 names a command"),
        "{output:?}"
    );
}

#[test]
fn a_check_that_belongs_to_no_phase_is_a_problem_with_its_line() {
    let project = Project::honest(1);
    let text = read(&project) + "\n## Notes\n\n- It shines -- verified by: `test -s part-1.txt`\n";
    committed(&project, &text);
    let line = text.lines().count();
    let output = project.run(&["run", "--dry-run"]).expect(0);
    assert!(output.stderr.contains(&format!("{ROADMAP}:{line}: this names a check")), "{output:?}");
    project.run(&["roadmap", "--strict"]).expect(3);
    let json = project.run(&["roadmap", "--json"]).expect(0);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["problems"][0]["line"], line);
    assert_eq!(json["problems"][0]["kind"], "stray_criterion");
}

#[test]
fn lines_that_are_not_read_are_named_with_their_line() {
    let project = Project::honest(1);
    for line in [
        "## Phase ??: y",
        "- [ ] Phase ??: y",
        "## Phase ../x: y",
        "> - [ ] Phase 7: y",
        "- It shines -- verified by: cargo test",
        "- It shines -- verified by: ``",
    ] {
        let text = format!("{}\n{line}\n", read(&project));
        project.sandbox.write("other.md", &text);
        let number = text.lines().count();
        let output = project.run(&["roadmap", "--strict", "other.md"]).expect(3);
        assert!(output.stdout.contains(&format!("line {number}: ")), "{line}: {output:?}");
    }
    project.sandbox.write("other.md", read(&project).replace('\n', "\r"));
    let output = project.run(&["roadmap", "--strict", "other.md"]).expect(0);
    assert!(output.stdout.contains("1      Part 1"), "{output:?}");
}

#[test]
fn a_check_that_can_never_pass_is_refused_before_anything_is_paid() {
    for (check, why) in [
        ("`test -f one` (expect maybe)", "the expectation `expect maybe` cannot be read"),
        ("`test -f one || test -f two`", "the command hides its own result"),
        ("``", "no command stands between the backticks"),
    ] {
        let project = Project::honest(2);
        let text = headings(2).replace("`grep -qx 'part 2' part-2.txt`", check);
        committed(&project, &text);
        let line = text.lines().position(|line| line.contains(check)).expect("it is there") + 1;
        let told = format!("line {line}: a criterion of phase `2` can never be passed: {why}");
        let output = project.run(&["roadmap", "--strict"]).expect(3);
        assert!(output.stdout.contains(&told), "{output:?}");
        for words in [&["run", "1,2"][..], &["run", "all", "--dry-run"], &["run", "--complete"]] {
            let output = project.run(words).expect(1);
            let told = format!("line {line}: a criterion of phase 2 can never be passed: {why}");
            assert!(output.stderr.contains(&told), "{output:?}");
            assert!(output.stderr.contains("what to do: correct the criterion"), "{output:?}");
        }
        assert!(!project.sandbox.project().join(".autopilot").exists(), "nothing was begun");
        // The other phase is none of its business.
        project.run(&["run", "1"]).expect(0);
    }
}

#[test]
fn a_circle_refuses_only_runs_that_it_concerns() {
    let project = Project::honest(3);
    let circle = headings(3).replace("**Depends on**: Nothing", "**Depends on**: Phase 2");
    committed(&project, &circle);
    let output = project.run(&["run", "all"]).expect(1);
    assert!(
        output.stderr.contains("the phases 1, 2 depend on each other in a circle"),
        "{output:?}"
    );
    let output = project.run(&["run", "next"]).expect(1);
    assert!(output.stderr.contains("every phase that is left waits for another one"), "{output:?}");
    let complete = circle
        .replace("## Phase 1: Part 1\n", "## Phase 1: Part 1 ✅\n")
        .replace("## Phase 2: Part 2\n", "## Phase 2: Part 2 ✅\n");
    committed(&project, &complete);
    let output = project.run(&["run", "3"]).expect(0);
    assert!(output.stderr.contains("depend on each other in a circle"), "it is told: {output:?}");
    assert_eq!(project.phase_states(), ["3 completed"]);
}

#[test]
fn when_everything_is_complete_every_way_of_asking_says_so() {
    let project = Project::honest(2);
    committed(&project, &read(&project).replace("- [ ]", "- [x]"));
    for words in [
        &["run"][..],
        &["run", "next"],
        &["run", "--complete"],
        &["run", "all"],
        &["run", "next", "--dry-run"],
    ] {
        let output = project.run(words).expect(0);
        assert_eq!(
            output.stderr, "nothing to do: everything in the roadmap is complete\n",
            "{words:?}"
        );
    }
    committed(&project, "# Nothing\n");
    for words in [&["run"][..], &["run", "--complete"]] {
        let output = project.run(words).expect(1);
        assert!(output.stderr.contains("this roadmap has no phases"), "{output:?}");
    }
}

#[test]
fn a_phase_that_an_earlier_run_has_completed_is_not_paid_for_again() {
    let project = Project::honest(2);
    project.run(&["run", "1"]).expect(0);
    assert_snapshot!(project.run(&["run", "next"]).shown(), @r"
        exit code 1
        --- stderr
        error: RUN has completed phase 1 already, and is not on your branch yet
          why it matters: the same work would be done and paid for again
          what to do: `autopilot land RUN` brings it to your branch; `--again` runs it again all the same
        ");
    project.run(&["run", "1", "--dry-run"]).expect(1);
    let output = project.run(&["run", "1", "--dry-run", "--again"]).expect(0);
    assert!(
        output.stderr.contains("warning: ") && output.stderr.contains("would bring it there"),
        "{output:?}"
    );
    project.run(&["run", "1", "--again"]).expect(0);
    project.run(&["land"]).expect(0);
    // One of the two is landed and the phase is marked, so that the next one is next.
    project.run(&["run", "next"]).expect(0);
    assert_eq!(project.phase_states(), ["2 completed"]);
}

#[test]
fn a_run_of_another_history_is_no_reason_to_refuse() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    project.sandbox.git(["checkout", "-q", "--orphan", "other"]);
    project.sandbox.commit("begun anew");
    project.run(&["run"]).expect(0);
}

#[test]
fn a_dry_run_ends_as_the_run_would_without_an_agent() {
    let project = Project::honest(1);
    for words in [&["run", "--agent", "nobody"][..], &["run", "--dry-run", "--agent", "nobody"]] {
        let output = project.run(words).expect(6);
        assert!(output.stderr.contains("the agent `nobody` is not configured"), "{output:?}");
    }
    let output = project.run(&["run", "--dry-run", "--agent", "nobody"]).expect(6);
    assert!(
        output.stdout.contains("1 of 1 phases would run"),
        "it is shown all the same: {output:?}"
    );
}

#[test]
fn what_the_run_sees_of_an_edited_roadmap_is_said_exactly() {
    let project = Project::honest(1);
    let code = "your checkout has uncommitted changes; the run starts from the last commit and does not see them";
    let roadmap = "`.planning/ROADMAP.md` has uncommitted changes; the run takes its phases and their criteria \
         from it as it is now, but its agents see, and its marks go into, `.planning/ROADMAP.md` of the last commit";
    let edited = read(&project) + "\n- It is not empty -- verified by: `test -s part-1.txt`\n";
    project.sandbox.write(ROADMAP, &edited);
    let output = project.run(&["run"]).expect(0);
    assert!(output.stderr.contains(roadmap) && !output.stderr.contains(code), "{output:?}");
    let criteria = &project.facts()[0]["submitted"]["work"]["phases"][0]["criteria"];
    assert!(criteria.to_string().contains("test -s part-1.txt"), "it is used: {criteria}");
    project.sandbox.write("README.md", "edited");
    let output = project.run(&["run", "--again"]).expect(0);
    assert!(output.stderr.contains(roadmap) && output.stderr.contains(code), "{output:?}");
}

#[test]
fn a_roadmap_that_might_never_end_is_refused() {
    let project = Project::honest(1);
    let pipe = project.path("pipe");
    project.finish(project.other("mkfifo", [&pipe])).expect(0);
    let output = project.run(&["roadmap", &pipe.display().to_string()]).expect(1);
    assert!(output.stderr.contains("it is not a regular file"), "{}", output.shown());
}

#[test]
fn a_check_that_is_announced_and_not_named_is_refused_before_anything_is_paid() {
    for nothing in ["-- verified by:", "-- verified by", "-- verified by: ``"] {
        let project = Project::honest(1);
        let roadmap = read(&project);
        let found = "-- verified by: `grep -qx 'part 1' part-1.txt`";
        assert!(roadmap.contains(found), "{roadmap}");
        let other = format!("{found}\n2. It is well written {nothing}");
        committed(&project, &roadmap.replace(found, &other));
        let refused = project.run(&["run"]).expect(1);
        assert!(refused.stderr.contains("can never be passed"), "{nothing}: {}", refused.shown());
        assert_eq!(project.sandbox.git(["for-each-ref", "refs/heads/autopilot"]), "");
    }
}
