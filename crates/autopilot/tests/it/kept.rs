//! Nothing an agent wrote is lost, and nothing of the person's is touched, however the run ends.

use std::time::Duration;

use crate::harness::{Before, Project, Sample, agent, part, plan, sh, sign};

/// How long the guardian of a killed engine may take to keep what was left.
const KEEP_TIME: Duration = Duration::from_secs(3);

/// Every kind of file, each with a text of its own: committed, changed after that, loose, ignored.
const LEAVE: &str = "M=$AUTOPILOT_ROLE-$AUTOPILOT_ATTEMPT; echo committed-$M > c-$M.txt; git add -A; \
    git commit -qm own; echo changed-$M > c-$M.txt; echo loose-$M > l-$M.txt; mkdir -p .planning/x-$M; \
    echo deep-$M > .planning/x-$M/d.txt; echo '*.ign' >> .git/info/exclude; echo ignored-$M > i-$M.ign";

/// Writes something in every role; `executor` is what that one does besides.
fn script(executor: &str) -> String {
    let mut script = plan(1, "", &(sh(LEAVE) + ", "));
    script += &agent("executor", 1, &format!("{}, {executor}", sh(LEAVE)), "");
    for role in ["researcher", "plan-checker", "verifier", "judge", "rater", "debugger"] {
        script += &agent(role, 1, &sh(LEAVE), "");
    }
    script
}

/// A project whose person is in the middle of something.
fn busy_project(executor: &str) -> Project {
    let project =
        Project::new(&Sample { phases: 1, script: script(executor), ..Sample::default() });
    let sandbox = &project.sandbox;
    for (name, text) in [("stashed.txt", "stashed\n"), ("README.md", "half\n")] {
        sandbox.write(name, text);
    }
    sandbox.git(["stash", "push", "--quiet", "--include-untracked"]);
    sandbox.git(["branch", "side"]);
    sandbox.git(["tag", "-m", "a tag", "v1"]);
    sandbox.git(["update-ref", "refs/notes/mine", "HEAD"]);
    sandbox.git(["config", "user.name", "Somebody"]);
    sandbox.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n");
    sandbox.write("staged.txt", "staged\n");
    sandbox.git(["add", "staged.txt"]);
    sandbox.write("staged.txt", "staged and changed\n");
    sandbox.write("README.md", "changed\n");
    sandbox.write("untracked.txt", "untracked\n");
    project
}

/// Panics unless everything that a role wrote in an attempt can be reached.
#[track_caller]
fn check_kept(project: &Project, attempts: &[&str]) {
    for attempt in attempts {
        for kind in ["committed", "changed", "loose", "deep", "ignored"] {
            let marker = format!("{kind}-{attempt}");
            assert!(project.is_reachable(&marker), "{marker} is lost");
        }
    }
}

const ALL: [&str; 7] = [
    "researcher-1",
    "planner-1",
    "plan-checker-1",
    "executor-1",
    "verifier-1",
    "judge-1",
    "rater-1",
];

#[test]
fn after_a_finished_run_everything_is_kept_and_nothing_is_touched() {
    let project = busy_project(&part(1));
    let before = Before::of(&project);
    project.run(&["run"]).expect(0);
    before.check(&project);
    check_kept(&project, &ALL);
    before.check(&project);
}

#[test]
fn after_a_failed_run_everything_is_kept_and_nothing_is_touched() {
    let project = busy_project("\"lie\"");
    let before = Before::of(&project);
    project.run(&["run"]).expect(3);
    before.check(&project);
    check_kept(&project, &["planner-1", "executor-1", "debugger-1", "debugger-2"]);
}

#[test]
fn after_a_killed_run_everything_is_kept_and_nothing_is_touched() {
    let project = busy_project(&[sign("left"), "\"stall\"".to_owned()].join(", "));
    let before = Before::of(&project);
    let mut engine = project.start(&["run"]);
    project.await_sign("left");
    engine.kill();
    project.await_guardian(KEEP_TIME);
    before.check(&project);
    check_kept(&project, &["researcher-1", "planner-1", "plan-checker-1", "executor-1"]);
    project.await_no_agents(Duration::from_secs(1));
}

#[test]
fn a_reader_that_is_killed_is_kept_too() {
    let project = busy_project(&part(1));
    let stall = [sh(LEAVE), sign("left"), "\"stall\"".to_owned()].join(", ");
    project.script(&(agent("verifier", 1, &stall, "") + &script(&part(1))));
    let before = Before::of(&project);
    let mut engine = project.start(&["run"]);
    project.await_sign("left");
    engine.kill();
    project.await_guardian(KEEP_TIME);
    before.check(&project);
    check_kept(&project, &["executor-1", "verifier-1"]);
}

#[test]
fn after_a_stopped_run_everything_is_kept_and_nothing_is_touched() {
    let project = busy_project(&[sign("left"), "\"stall\"".to_owned()].join(", "));
    let before = Before::of(&project);
    let engine = project.start(&["run"]);
    project.await_sign("left");
    engine.signal(rustix::process::Signal::INT);
    engine.wait().expect(130);
    before.check(&project);
    check_kept(&project, &["planner-1", "executor-1"]);
}

#[test]
fn a_run_works_in_a_linked_worktree_without_touching_the_others() {
    let project = busy_project(&part(1));
    let linked = project.path("linked");
    project.sandbox.git([
        "worktree",
        "add",
        "--quiet",
        "-b",
        "linked",
        &linked.display().to_string(),
    ]);
    let before = Before::of(&project);
    let mut command = project.command(["run"]);
    command.current_dir(&linked);
    project.finish(command).expect(0);
    before.check_files_and_refs(&project);
    let status = project.sandbox.git_in(&linked, ["status", "--porcelain"]);
    assert_eq!(status, "", "state of the run is ignored there, too");
    check_kept(&project, &ALL);
}
