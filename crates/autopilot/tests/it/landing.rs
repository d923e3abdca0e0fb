//! Bringing work home: land and rescue.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, time::Duration};

use insta::assert_snapshot;

use crate::harness::{Before, Project, Sample, agent, part, sh, sign};

#[test]
fn a_finished_run_lands_by_fast_forward_once() {
    let project = Project::honest(1);
    let before = project.sandbox.git(["rev-parse", "main"]);
    project.run(&["run"]).expect(0);
    assert_eq!(project.sandbox.git(["rev-parse", "main"]), before, "not before the word is given");
    project.sandbox.write("notes.txt", "mine, untracked\n");
    assert_snapshot!(project.run(&["land"]).shown(), @r"
        exit code 0
        --- stderr
        your branch is at COMMIT now; `git log` shows what came with it
        ");
    assert_eq!(project.sandbox.git(["rev-parse", "main"]), project.head());
    assert_eq!(project.sandbox.git(["symbolic-ref", "HEAD"]), "refs/heads/main");
    assert_eq!(project.sandbox.git(["status", "--porcelain"]), "?? notes.txt");
    let roadmap = fs::read_to_string(project.sandbox.project().join(".planning/ROADMAP.md"));
    assert!(roadmap.expect("readable").contains("- [x] **Phase 1: Part 1**"), "it is marked done");
    let part = fs::read_to_string(project.sandbox.project().join("part-1.txt"));
    assert_eq!(part.expect("it landed"), "part 1\n");
    assert_snapshot!(project.run(&["land", "--yes"]).shown(), @r"
        exit code 0
        --- stderr
        RUN is on your branch already
        ");
    assert_snapshot!(project.run(&["run", "all"]).shown(), @r"
        exit code 0
        --- stderr
        nothing to do: everything in the roadmap is complete
        ");
}

#[test]
fn landing_is_refused_over_uncommitted_changes() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    project.sandbox.write("README.md", "changed\n");
    let before = project.sandbox.git(["rev-parse", "main"]);
    assert_snapshot!(project.run(&["land"]).shown(), @r"
        exit code 1
        --- stderr
        error: cannot land on `ROOT/project`: the checkout has changes that are not committed
          why it matters: all work is kept in git
          what to do: commit or stash your changes, then land again
        ");
    assert_eq!(project.sandbox.git(["rev-parse", "main"]), before);
    let read = fs::read_to_string(project.sandbox.project().join("README.md"));
    assert_eq!(read.expect("readable"), "changed\n");
}

#[test]
fn landing_is_refused_over_an_untracked_file_of_the_same_name() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    project.sandbox.write("part-1.txt", "mine\n");
    let output = project.run(&["land"]).expect(1);
    assert!(output.stderr.contains("part-1.txt"), "{output:?}");
    let kept = fs::read_to_string(project.sandbox.project().join("part-1.txt"));
    assert_eq!(kept.expect("readable"), "mine\n");
}

#[test]
fn landing_is_refused_when_the_branch_went_another_way() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    project.sandbox.write("other.txt", "meanwhile\n");
    let there = project.sandbox.commit("meanwhile");
    assert_snapshot!(project.run(&["land"]).shown(), @r"
        exit code 1
        --- stderr
        error: cannot land on `ROOT/project`: the branch has moved on: it is not an ancestor of the run
          why it matters: all work is kept in git
          what to do: `git merge autopilot/RUN/head` brings the two together, or rebase one of them; nothing was changed
        ");
    assert_eq!(project.sandbox.git(["rev-parse", "main"]), there);
}

#[test]
fn a_run_branch_that_somebody_moved_is_not_landed() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    let (run, proven) = (project.run_id(), project.head());
    let main = project.sandbox.git(["rev-parse", "main"]);
    let tree = project.sandbox.git(["rev-parse", &format!("{proven}^{{tree}}")]);
    let foreign = project.sandbox.git(["commit-tree", &tree, "-p", &proven, "-m", "not the run's"]);
    for elsewhere in [&foreign, &main] {
        project.sandbox.git(["update-ref", &format!("refs/heads/autopilot/{run}/head"), elsewhere]);
        let refused = project.run(&["land", "--yes"]).expect(1);
        for part in [elsewhere.as_str(), &proven, "git branch -f", "has not proven"] {
            assert!(refused.stderr.contains(part), "{part}: {}", refused.shown());
        }
        assert_eq!(project.sandbox.git(["rev-parse", "main"]), main);
    }
    project.sandbox.git(["update-ref", &format!("refs/heads/autopilot/{run}/head"), &proven]);
    project.run(&["land", "--yes"]).expect(0);
    assert_eq!(project.sandbox.git(["rev-parse", "main"]), proven);
    let again = project.run(&["land", "--yes"]).expect(0);
    assert!(again.stderr.contains("on your branch already"), "{}", again.shown());
}

#[test]
fn landing_is_refused_while_a_run_is_not_over() {
    let stall = agent("judge", 1, &format!("{}, \"stall\"", sign("judge")), "");
    let project = Project::scripted(&stall);
    let mut engine = project.start(&["run"]);
    project.await_sign("judge");
    assert_snapshot!(project.run(&["land"]).shown(), @r"
        exit code 1
        --- stderr
        error: RUN is not finished
          why it matters: its branch may still move
          what to do: `autopilot status RUN` tells where it stands; `autopilot resume RUN` goes on
        ");
    engine.kill();
    project.run(&["land"]).expect(1);
}

/// A run of three phases whose second one fails.
fn incomplete() -> Project {
    let script = agent("executor", 2, "", "") + "[[on]]\nrole = \"debugger\"\n";
    let project = Project::new(&Sample { phases: 3, script, ..Sample::default() });
    project.run(&["run", "--complete"]).expect(3);
    assert_eq!(project.phase_states(), ["1 completed", "2 failed", "3 blocked"]);
    project
}

#[test]
fn a_run_that_did_not_complete_everything_lands_only_when_the_person_says_so() {
    let project = incomplete();
    let before = project.sandbox.git(["rev-parse", "main"]);
    assert_snapshot!(project.run(&["land"]).shown(), @r"
        exit code 1
        --- stderr
        phase 2 (Part 2) failed: still broken after 3 repairs: It is written (`grep -qx 'part 2' part-2.txt`): exit code 2, expected 0 / It printed: / grep: part-2.txt: No such file or directory (kept on autopilot/RUN/rejected/2)
        phase 3 (Part 3) was not begun: blocked by phase 2
        error: RUN has not completed 2 of its 3 phases
          why it matters: your branch would get a part of what the run was started for
          what to do: `autopilot land RUN --incomplete` brings over what is complete; `autopilot log RUN` tells what happened to the rest
        ");
    project.run(&["land", "--yes"]).expect(1);
    assert_eq!(project.sandbox.git(["rev-parse", "main"]), before, "nothing was changed");
    assert_snapshot!(project.run(&["land", "--incomplete"]).shown(), @r"
        exit code 0
        --- stderr
        phase 2 (Part 2) failed: still broken after 3 repairs: It is written (`grep -qx 'part 2' part-2.txt`): exit code 2, expected 0 / It printed: / grep: part-2.txt: No such file or directory (kept on autopilot/RUN/rejected/2)
        phase 3 (Part 3) was not begun: blocked by phase 2
        your branch is at COMMIT now; `git log` shows what came with it
        ");
    assert_eq!(project.sandbox.git(["rev-parse", "main"]), project.head());
    let landed = |name: &str| project.sandbox.project().join(name).exists();
    assert_eq!(["part-1.txt", "part-2.txt", "part-3.txt"].map(landed), [true, false, false]);
}

#[test]
fn a_run_that_ended_at_a_limit_names_what_was_not_begun() {
    let config = "[limits]\nrun_tokens = 1\n".to_owned();
    let usage = "{ usage = { tokens = 1000, micro_usd = 0 } }";
    let script = agent("executor", 1, &format!("{}, {usage}", part(1)), "");
    let project = Project::new(&Sample { phases: 2, script, config });
    project.run(&["run", "--complete"]).expect(5);
    let output = project.run(&["land"]).expect(1);
    assert!(output.stderr.contains("phase 2 (Part 2) was not begun"), "{output:?}");
    assert!(output.stderr.contains("--incomplete"), "{output:?}");
}

/// Leaves a file of every kind.
const LEAVE: &str = "echo first > tracked.txt && git add tracked.txt && git commit -qm mine && \
    echo second >> tracked.txt && echo loose > loose.txt && echo '*.log' > .gitignore && \
    echo noise > build.log && mkdir -p deep/er && echo deep > deep/er/file && ln -s loose.txt link && \
    echo '#!/bin/sh' > tool && chmod +x tool";

fn check_restored(directory: &Path) {
    let read = |name: &str| fs::read_to_string(directory.join(name)).unwrap_or_default();
    let found = ["tracked.txt", "loose.txt", "build.log", "deep/er/file", "README.md"].map(read);
    assert_eq!(found, ["first\nsecond\n", "loose\n", "noise\n", "deep\n", "hello\n"]);
    let link = fs::read_link(directory.join("link")).expect("it is a link");
    assert_eq!(link, Path::new("loose.txt"));
    let mode = fs::metadata(directory.join("tool")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o100, 0o100, "it can still be run");
}

#[test]
fn rescue_lists_shows_and_restores_what_a_rejected_attempt_left() {
    let script = agent("executor", 1, &sh(LEAVE), "") + "[[on]]\nrole = \"debugger\"\n";
    let project = Project::scripted(&script);
    assert_snapshot!(project.run(&["rescue"]).shown(), @r"
        exit code 0
        --- stderr
        nothing is kept in this project
        ");
    project.run(&["run"]).expect(3);
    let listed = project.run(&["rescue"]).expect(0);
    assert_snapshot!(listed.shown(), @r"
        exit code 0
        --- stdout
        NAME                                         COMMIT
        RUN/kept/1/execute/1-01/1  COMMIT
        RUN/kept/1/plan/1          COMMIT
        --- stderr
        `autopilot rescue NAME` shows one, `autopilot rescue NAME --to DIR` restores it
        ");
    let name = format!("{}/kept/1/execute/1-01/1", project.run_id());
    let shown = project.run(&["rescue", &name]).expect(0);
    for file in ["tracked.txt", "loose.txt", "build.log", "deep/er/file"] {
        assert!(shown.stdout.contains(file), "{file} is not in {}", shown.stdout);
    }
    let target = project.path("restored");
    let words = ["rescue", &name, "--to", &target.display().to_string()];
    assert_snapshot!(project.run(&words).shown(), @r"
        exit code 0
        --- stderr
        restored to ROOT/restored
        ");
    check_restored(&target);
    let again = project.run(&words).expect(1);
    assert!(
        again.stderr.contains("name a directory that is not there yet"),
        "an existing directory is left alone: {again:?}"
    );
    check_restored(&target);
    assert_snapshot!(project.run(&["rescue", "nothing/of/that/name"]).shown(), @r"
        exit code 1
        --- stderr
        error: nothing is kept under the name `nothing/of/that/name`
          why it matters: only what is listed can be given back
          what to do: `autopilot rescue` lists the names
        ");
    let json = project.run(&["rescue", "--json"]).expect(0);
    let listed: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert!(listed.as_array().expect("a list").iter().any(|kept| kept["name"] == *name));
    let json = project.run(&["rescue", &name, "--json"]).expect(0);
    let one: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(one["name"], *name);
}

#[test]
fn rescue_restores_what_a_killed_attempt_left() {
    let actions = [sh(LEAVE), sign("left"), "\"stall\"".to_owned()].join(", ");
    let project = Project::scripted(&agent("executor", 1, &actions, ""));
    let mut engine = project.start(&["run"]);
    project.await_sign("left");
    engine.kill();
    project.await_guardian(Duration::from_secs(3));
    let name = format!("{}/kept/1/execute/1-01/1", project.run_id());
    let target = project.path("restored");
    project.run(&["rescue", &name, "--to", &target.display().to_string()]).expect(0);
    check_restored(&target);
}

/// A finished run whose branch adds these files.
fn finished_with(files: &[&str]) -> Project {
    let write = |name: &&str| sh(&format!("mkdir -p $(dirname {name}); echo of-the-run > {name}"));
    let actions: Vec<String> = std::iter::once(part(1)).chain(files.iter().map(write)).collect();
    let project = Project::scripted(&agent("executor", 1, &actions.join(", "), ""));
    project.run(&["run"]).expect(0);
    project
}

#[test]
fn landing_does_not_write_over_a_file_that_git_ignores() {
    // What the run adds, and what of the person's is in its way.
    let rows = [
        ("secret.env", "secret.env", "secret.env"),
        ("deep/er/secret.env", "deep/er/secret.env", "deep/er/secret.env"),
        ("cache/index", "cache", "cache"),
        ("cache", "cache/mine/x", "cache/mine/x"),
    ];
    for (added, mine, named) in rows {
        let project = finished_with(&[added]);
        let exclude = project.sandbox.project().join(".git/info/exclude");
        fs::write(&exclude, "/.autopilot/\nsecret.env\ncache\n").expect("writable");
        project.sandbox.write(mine, "mine\n");
        let before = Before::of(&project);
        let output = project.run(&["land", "--yes"]).expect(1);
        assert!(output.stderr.contains(&format!("`{named}`")), "{added}: {}", output.shown());
        for part in ["error: ", "why it matters: ", "what to do: move it away"] {
            assert!(output.stderr.contains(part), "{added}: {}", output.shown());
        }
        before.check_files_and_refs(&project);
        let top = mine.split('/').next().unwrap_or(mine);
        fs::rename(project.sandbox.project().join(top), project.path("moved")).expect("movable");
        project.run(&["land", "--yes"]).expect(0);
        let landed = fs::read_to_string(project.sandbox.project().join(added));
        assert_eq!(landed.expect("it landed"), "of-the-run\n");
    }
}

#[test]
fn landing_passes_by_what_is_in_nobodys_way() {
    let project = finished_with(&["deep/er/new.txt"]);
    project.sandbox.write("deep/mine.txt", "mine\n");
    fs::create_dir_all(project.sandbox.project().join("deep/er/new.d")).expect("made");
    project.run(&["land", "--yes"]).expect(0);
    let mine = fs::read_to_string(project.sandbox.project().join("deep/mine.txt"));
    assert_eq!(mine.expect("it is there"), "mine\n");
}

#[test]
fn c32_the_branch_of_a_rejected_phase_holds_what_its_attempts_left() {
    let leave = "echo by-the-executor > first.txt; git add -A; git commit -qm 'of the executor'; \
        echo loose >> first.txt";
    let repair = "echo by-the-debugger-$AUTOPILOT_ATTEMPT > second.txt";
    let script =
        agent("executor", 1, &sh(leave), "") + &agent("debugger", 1, &sh(repair), "attempt = 1");
    let project = Project::scripted(&(script + "[[on]]\nrole = \"debugger\"\n"));
    project.run(&["run"]).expect(3);
    let branch = format!("autopilot/{}/rejected/1", project.run_id());
    let files = project.files_at(&branch);
    assert!(files.contains(&"second.txt".to_owned()), "the last work: {files:?}");
    let history = project.sandbox.git(["log", "--format=%s", &branch]);
    for subject in ["of the executor", "docs(1): plan - Part 1"] {
        assert!(history.lines().any(|line| line == subject), "`{subject}` is not in {history}");
    }
    let reachable = project.sandbox.git(["log", "-p", "-m", "--format=", &branch]);
    for marker in ["by-the-executor", "+loose", "by-the-debugger-1"] {
        assert!(reachable.contains(marker), "`{marker}` cannot be reached from {branch}");
    }
    assert!(!project.files_at(&project.head()).contains(&"first.txt".to_owned()));
}

#[test]
fn c35_a_rejected_phase_leaves_its_papers_on_its_own_branch_and_nowhere_else() {
    let project = Project::scripted("[[on]]\nrole = \"executor\"\n[[on]]\nrole = \"debugger\"\n");
    project.run(&["run"]).expect(3);
    let branch = format!("autopilot/{}/rejected/1", project.run_id());
    let files = project.files_at(&branch);
    let named = |name: &str| files.iter().any(|file| file.ends_with(&format!("/{name}")));
    for name in ["TRIAGE.json", "RESEARCH.md", "PLAN.md", "EXECUTION-LOG.md", "TRACE.jsonl"] {
        assert!(named(name), "no {name} in {files:?}");
    }
    let on_the_run = project.files_at(&project.head());
    assert!(!on_the_run.iter().any(|file| file.ends_with("/TRIAGE.json")), "{on_the_run:?}");
}

#[test]
fn the_branch_of_a_phase_whose_agent_never_answered_holds_what_it_left() {
    let crash = format!("{}, {{ exit = {{ code = 1 }} }}", sh("echo half-done > half.txt"));
    let script = agent("executor", 1, &crash, "") + "[[on]]\nrole = \"debugger\"\n";
    let project = Project::scripted(&script);
    project.run(&["run"]).expect(3);
    let branch = format!("autopilot/{}/rejected/1", project.run_id());
    assert!(project.files_at(&branch).contains(&"half.txt".to_owned()));
}

fn main_of(project: &Project) -> String {
    project.sandbox.git(["rev-parse", "main"])
}

#[test]
fn a_lock_of_gits_keeps_a_run_from_landing_and_nothing_is_changed() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    let before = main_of(&project);
    for name in ["refs/heads/main.lock", "index.lock", "HEAD.lock"] {
        let lock = project.sandbox.project().join(".git").join(name);
        fs::write(&lock, "").expect("writable");
        let refused = project.run(&["land"]).expect(1);
        assert!(refused.stderr.contains(name), "{}", refused.shown());
        assert!(refused.stderr.contains("nothing was changed"), "{}", refused.shown());
        fs::remove_file(&lock).expect("removable");
        assert_eq!(project.sandbox.git(["status", "--porcelain"]), "", "{name}");
        assert_eq!(main_of(&project), before);
    }
    project.run(&["land"]).expect(0);
    assert_eq!(main_of(&project), project.head());
}

#[test]
fn a_landing_whose_branch_could_not_be_moved_says_so_and_the_next_one_finishes_it() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    let hook = project.sandbox.project().join(".git/hooks/reference-transaction");
    fs::create_dir_all(hook.parent().expect("it has one")).expect("made");
    fs::write(
        &hook,
        "#!/bin/sh\n[ \"$1\" = prepared ] && grep -q refs/heads/main && exit 1\nexit 0\n",
    )
    .expect("writable");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let before = main_of(&project);
    let half = project.run(&["land"]).expect(1);
    assert!(half.stderr.contains("its files are the run's now"), "{}", half.shown());
    assert!(half.stderr.contains("then land again"), "{}", half.shown());
    assert_eq!(main_of(&project), before);
    fs::remove_file(&hook).expect("removable");
    project.run(&["land"]).expect(0);
    assert_eq!(main_of(&project), project.head());
    assert_eq!(project.sandbox.git(["status", "--porcelain"]), "");
}

#[test]
fn a_landing_that_was_cut_off_anywhere_is_finished_by_the_next_one() {
    for came_so_far in [
        "git read-tree -m -u main HEAD_OF_RUN",
        "git show HEAD_OF_RUN:part-1.txt > part-1.txt",
        "git show HEAD_OF_RUN:.planning/ROADMAP.md > .planning/ROADMAP.md",
    ] {
        let project = Project::honest(1);
        project.run(&["run"]).expect(0);
        let command = came_so_far.replace("HEAD_OF_RUN", &project.head());
        assert!(project.other("sh", ["-c", &command]).status().expect("started").success());
        project.sandbox.write("notes.txt", "mine\n");
        project.run(&["land"]).expect(0);
        assert_eq!(main_of(&project), project.head(), "{came_so_far}");
        assert_eq!(project.sandbox.git(["status", "--porcelain"]), "?? notes.txt", "{came_so_far}");
    }
}

#[test]
fn a_change_of_the_persons_own_is_not_taken_for_a_landing_that_was_cut_off() {
    for own in [
        "echo mine >> README.md",
        "echo mine >> .planning/ROADMAP.md",
        "echo mine > part-1.txt",
        "echo mine >> .planning/ROADMAP.md; git add -A; git checkout -q main -- README.md",
    ] {
        let project = Project::honest(1);
        project.run(&["run"]).expect(0);
        let before = main_of(&project);
        let command = format!("git read-tree -m -u main {}; {own}", project.head());
        assert!(project.other("sh", ["-c", &command]).status().expect("started").success());
        let there = project.sandbox.git(["status", "--porcelain"]);
        project.run(&["land"]).expect(1);
        assert_eq!(main_of(&project), before, "{own}");
        assert_eq!(project.sandbox.git(["status", "--porcelain"]), there, "{own}");
    }
}

#[test]
fn a_run_that_was_stopped_before_somebody_looked_at_the_whole_is_not_landed_unawares() {
    let nonsense =
        "[[on]]\nrole = \"auditor\"\nreturn = { audit_results = \"nonsense\" }\n\n".to_owned();
    let project = Project::new(&Sample { phases: 2, script: nonsense, ..Sample::default() });
    project.run(&["run", "--complete"]).expect(5);
    assert_eq!(project.phase_states(), ["1 completed", "2 completed"]);
    let before = main_of(&project);
    let refused = project.run(&["land"]).expect(1);
    for part in [
        "was stopped: nobody could look at the result as a whole",
        "did not come to its end",
        "--incomplete",
    ] {
        assert!(refused.stderr.contains(part), "{part}: {}", refused.shown());
    }
    assert_eq!(main_of(&project), before);
    project.run(&["land", "--incomplete"]).expect(0);
    assert_eq!(main_of(&project), project.head());
}
