//! Somebody moves the branch of a run: nothing is built on what they put there, and nothing is lost.

use std::fs;

use insta::assert_snapshot;
use rustix::process::Signal;

use crate::harness::{Project, Sample, agent, part, sign, until};

/// Two phases; the agent of the second one waits until it is stopped.
fn stopped_after_the_first_phase() -> Project {
    let script = agent("executor", 2, &[sign("second"), "\"stall\"".to_owned()].join(", "), "");
    let project = Project::new(&Sample { phases: 2, script, ..Sample::default() });
    let engine = project.start(&["run", "--complete"]);
    project.await_sign("second");
    engine.signal(Signal::INT);
    engine.wait().expect(130);
    project.script(&crate::harness::honest(2));
    project
}

/// A commit that is on no branch of the run.
fn other_commit(project: &Project) -> String {
    let tree = project.sandbox.git(["rev-parse", "main^{tree}"]);
    project.sandbox.git(["commit-tree", "-m", "somebody else's", "-p", "main", &tree])
}

#[track_caller]
fn check_reachable(project: &Project, commit: &str) {
    let refs = project.sandbox.git(["for-each-ref", "--contains", commit]);
    assert!(!refs.is_empty(), "{commit} is lost");
}

#[test]
fn a_run_does_not_go_on_from_a_branch_that_somebody_moved() {
    let project = stopped_after_the_first_phase();
    let (branch, ours) = (format!("autopilot/{}/head", project.run_id()), project.head());
    assert!(project.files_at(&ours).contains(&"part-1.txt".to_owned()), "one phase is finished");
    let theirs = other_commit(&project);
    project.sandbox.git(["branch", "--force", &branch, &theirs]);
    let facts = project.facts().len();

    let refused = project.run(&["resume"]);
    assert_snapshot!(refused.shown(), @r"
    exit code 1
    --- stderr
    error: the branch `autopilot/RUN/head` is at COMMIT, but RUN left it at COMMIT
      why it matters: going on would build on commits that the run has not proven, or undo what somebody did; nothing was changed
      what to do: `git branch NAME COMMIT` keeps what is there now, `git branch -f autopilot/RUN/head COMMIT` puts the branch back, `autopilot resume RUN` goes on
    ");
    let told = format!("is at {theirs}, but {} left it at {ours}", project.run_id());
    assert!(refused.stderr.contains(&told), "{}", refused.stderr);
    assert_eq!(project.head(), theirs, "the branch is left as it was found");
    assert_eq!(project.facts().len(), facts, "nothing was begun");
    check_reachable(&project, &ours);
    check_reachable(&project, &theirs);

    // What it says to do is enough.
    project.sandbox.git(["branch", "theirs", &theirs]);
    project.sandbox.git(["branch", "--force", &branch, &ours]);
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed", "2 completed"]);
    check_reachable(&project, &theirs);
}

#[test]
fn a_branch_that_somebody_deleted_is_not_begun_anew() {
    let project = stopped_after_the_first_phase();
    let (branch, ours) = (format!("autopilot/{}/head", project.run_id()), project.head());
    project.sandbox.git(["update-ref", "-d", &format!("refs/heads/{branch}")]);
    let refused = project.run(&["resume"]).expect(1);
    let told = format!("the branch `{branch}` is gone, but {} left it at {ours}", project.run_id());
    assert!(refused.stderr.contains(&told), "{}", refused.stderr);
    check_reachable(&project, &ours);
    project.sandbox.git(["branch", "--force", &branch, &ours]);
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed", "2 completed"]);
}

#[test]
fn a_branch_that_moves_while_a_phase_is_worked_on_does_not_cost_the_phase() {
    let actions = [part(1), sign("working"), until("moved")].join(", ");
    let project = Project::scripted(&agent("executor", 1, &actions, ""));
    let engine = project.start(&["run"]);
    project.await_sign("working");
    let (branch, before) = (format!("autopilot/{}/head", project.run_id()), project.head());
    let theirs = other_commit(&project);
    project.sandbox.git(["branch", "--force", &branch, &theirs]);
    fs::write(project.path("signs").join("moved"), "").expect("a sign can be left");
    let stopped = engine.wait().expect(1);
    assert!(stopped.stderr.contains(&format!("is at {theirs}")), "{}", stopped.stderr);
    assert_eq!(project.head(), theirs, "the branch is left as it was found");
    assert!(project.is_reachable("part 1"), "what was done is kept");
    project.run(&["resume"]).expect(1);

    project.sandbox.git(["branch", "--force", &branch, &before]);
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
}
