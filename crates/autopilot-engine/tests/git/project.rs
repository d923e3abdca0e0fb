//! Opening, looking at and landing on the person's repository.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use autopilot_core::roadmap::PhaseId;
use autopilot_engine::git::{GitErrorKind, ObjectId, OwnRef};
use autopilot_testkit::repository::{Sandbox, differences, fingerprint};

use crate::world::{World, open, put, stamp};

#[test]
fn a_repository_is_found_from_below_and_says_what_is_checked_out() {
    let world = World::with(|sandbox| {
        sandbox.write("a/b/c", "x");
        sandbox.commit("second");
    });
    let project = open(&world.sandbox, &world.sandbox.project().join("a/b")).unwrap();
    assert_eq!(project.checkout(), world.sandbox.project());
    let head = project.head().unwrap();
    assert_eq!(head.commit.as_str(), world.sandbox.git(["rev-parse", "HEAD"]));
    assert_eq!(head.branch.as_deref(), Some("refs/heads/main"));
    world.sandbox.git(["checkout", "--quiet", "--detach"]);
    assert_eq!(project.head().unwrap().branch, None);
}

#[test]
fn what_cannot_be_worked_on_is_refused_with_a_hint() {
    let sandbox = Sandbox::empty();
    let refused = |path: &Path| open(&sandbox, path).unwrap_err();
    let none = refused(&sandbox.project());
    assert!(matches!(none.kind(), GitErrorKind::NotARepository), "{none:?}");
    assert!(none.hint().is_some());
    sandbox.git(["init", "--quiet"]);
    let empty = refused(&sandbox.project());
    assert!(matches!(empty.kind(), GitErrorKind::NoCommits), "{empty:?}");
    sandbox.git(["init", "--quiet", "--bare", "../bare"]);
    let bare = refused(&sandbox.root().join("bare"));
    assert!(matches!(bare.kind(), GitErrorKind::Bare), "{bare:?}");
    let missing = refused(&sandbox.root().join("missing"));
    assert!(missing.to_string().contains("missing"));
}

#[test]
fn linked_worktrees_shallow_clones_and_sha256_work() {
    let world = World::new();
    world.sandbox.git(["worktree", "add", "--quiet", "../linked"]);
    world.sandbox.git([
        "clone",
        "--quiet",
        "--depth=1",
        &format!("file://{}", world.sandbox.project().display()),
        "../shallow",
    ]);
    world.sandbox.git(["init", "--quiet", "--object-format=sha256", "../sha256"]);
    let sha256 = world.sandbox.root().join("sha256");
    world.sandbox.git_in(&sha256, ["commit", "--quiet", "--allow-empty", "-m", "x"]);
    fs::write(sha256.join("file"), "content").unwrap();
    world.sandbox.git_in(&sha256, ["add", "file"]);
    world.sandbox.git_in(&sha256, ["commit", "--quiet", "-m", "y"]);

    for name in ["linked", "shallow", "sha256"] {
        let project = open(&world.sandbox, &world.sandbox.root().join(name)).unwrap();
        let world = World { project, sandbox: Sandbox::new() };
        let workspace = world.writer(name);
        assert_eq!(world.git_in(&workspace, ["status", "--porcelain"]), "", "{name}");
        assert_eq!(world.git_in(&workspace, ["log", "-1", "--format=%H"]), world.head().as_str());
        put(&workspace, "new", "work\n");
        let snapshot = world.snapshot(&workspace);
        assert_eq!(snapshot.stat.insertions, 1, "{name}");
        let reader = world.reader(&format!("{name}-reader"), &["new"]);
        assert_eq!(world.git_in(&reader, ["rev-list", "--all", "--count"]), "1", "{name}");
        assert_eq!(world.git_in(&reader, ["status", "--porcelain"]), "", "{name}");
    }
}

#[test]
fn cleanliness_tells_changed_from_unknown_files_and_takes_no_lock() {
    let world = World::new();
    assert!(world.project.cleanliness().unwrap().is_clean());
    world.sandbox.write("README.md", "changed\n");
    world.sandbox.write("odd \n name", "x");
    fs::write(world.sandbox.project().join(".git/index.lock"), "").unwrap();
    let seen = world.project.cleanliness().unwrap();
    assert_eq!(seen.changed, [Path::new("README.md")]);
    assert_eq!(seen.untracked, [Path::new("odd \n name")]);
    assert!(!seen.is_clean());
}

#[test]
fn the_exclude_line_is_written_once_and_keeps_what_was_there() {
    let world = World::new();
    let path = world.sandbox.project().join(".git/info/exclude");
    fs::write(&path, "mine").unwrap();
    world.project.exclude_own_files().unwrap();
    world.project.exclude_own_files().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine\n/.autopilot/\n");
    world.sandbox.write(".autopilot/journal", "x");
    assert_eq!(world.sandbox.git(["status", "--porcelain"]), "");

    world.sandbox.git(["worktree", "add", "--quiet", "../linked"]);
    let linked = open(&world.sandbox, &world.sandbox.root().join("linked")).unwrap();
    linked.exclude_own_files().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine\n/.autopilot/\n");
}

#[test]
fn a_whole_attempt_touches_nothing_of_the_persons() {
    let world = World::with(|sandbox| {
        sandbox.write("src/lib.rs", "one\n");
        sandbox.write(".gitignore", "target\n");
        sandbox.commit("second");
        sandbox.write("README.md", "stashed\n");
        sandbox.git(["stash", "--quiet"]);
        sandbox.write("README.md", "half done\n");
        sandbox.write("staged", "x\n");
        sandbox.git(["add", "staged"]);
        let hook = sandbox.project().join(".git/hooks/post-commit");
        fs::write(&hook, "#!/bin/sh\ntouch hook-ran\n").unwrap();
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    });
    let ours = |path: &Path| {
        [
            ".git/objects",
            ".git/refs/autopilot",
            ".git/refs/heads/autopilot",
            ".git/logs/refs/heads/autopilot",
        ]
        .iter()
        .any(|own| path.starts_with(own))
    };
    let before = fingerprint(&world.sandbox.project(), &ours);
    let workspace = world.writer("w");
    put(&workspace, "src/lib.rs", "two\n");
    put(&workspace, "target/out", "built\n");
    world.git_in(&workspace, ["commit", "--quiet", "-am", "by the agent"]);
    let snapshot = world.snapshot(&workspace);
    assert!(snapshot.changed);
    let commit = world.project.commit(&[world.head()], &snapshot.tree, "task", &stamp()).unwrap();
    let branch = autopilot_engine::git::OwnRef::branch("r1/head").unwrap();
    world.project.update_ref(&branch, &commit, None).unwrap();
    drop(world.reader("r", &["src"]));
    world.project.diff_text(&world.head(), &commit, 1000).unwrap();
    world.project.cleanliness().unwrap();
    let proof = snapshot.proof().unwrap();
    workspace.remove(proof).unwrap();
    let after = fingerprint(&world.sandbox.project(), &ours);
    assert_eq!(differences(&before, &after), Vec::<PathBuf>::new());
}

fn next_commit(world: &World) -> ObjectId {
    let workspace = world.writer("w");
    put(&workspace, "landed", "yes\n");
    let snapshot = world.snapshot(&workspace);
    world.project.commit(&[world.head()], &snapshot.tree, "task", &stamp()).unwrap()
}

#[test]
fn landing_moves_branch_index_and_files_and_runs_the_persons_hooks() {
    let world = World::new();
    let commit = next_commit(&world);
    let hook = world.sandbox.project().join(".git/hooks/post-merge");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\ntouch ../hook-ran\n").unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    world.sandbox.write("unknown", "stays");
    world.project.land(&commit).unwrap();
    assert_eq!(world.head(), commit);
    assert_eq!(world.sandbox.git(["status", "--porcelain"]), "?? unknown");
    assert!(world.sandbox.project().join("landed").exists());
    assert!(world.sandbox.root().join("hook-ran").exists());
    world.project.land(&commit).unwrap();
}

#[test]
fn landing_is_refused_without_a_trace() {
    let world = World::new();
    let commit = next_commit(&world);
    let all = |_: &Path| false;
    let refused = |expected: fn(&GitErrorKind) -> bool| {
        let before = fingerprint(&world.sandbox.project(), &all);
        let error = world.project.land(&commit).unwrap_err();
        assert!(expected(error.kind()), "{error:?}");
        let after = fingerprint(&world.sandbox.project(), &all);
        assert_eq!(differences(&before, &after), Vec::<PathBuf>::new());
    };
    world.sandbox.write("README.md", "mine\n");
    refused(|kind| matches!(kind, GitErrorKind::NotClean));
    world.sandbox.git(["checkout", "--quiet", "README.md"]);

    world.sandbox.write("landed", "in the way\n");
    refused(|kind| matches!(kind, GitErrorKind::InTheWay { path } if path == "landed"));
    fs::write(world.sandbox.project().join(".git/info/exclude"), "landed\n").unwrap();
    refused(|kind| matches!(kind, GitErrorKind::InTheWay { path } if path == "landed"));
    fs::remove_file(world.sandbox.project().join("landed")).unwrap();

    fs::write(world.sandbox.project().join(".git/MERGE_HEAD"), commit.as_str()).unwrap();
    refused(|kind| matches!(kind, GitErrorKind::InProgress("merge")));
    fs::remove_file(world.sandbox.project().join(".git/MERGE_HEAD")).unwrap();

    world.sandbox.git(["checkout", "--quiet", "--detach"]);
    refused(|kind| matches!(kind, GitErrorKind::Detached));
    world.sandbox.git(["checkout", "--quiet", "main"]);

    world.sandbox.commit("the person went on");
    refused(|kind| matches!(kind, GitErrorKind::NotFastForward));
}

#[test]
fn every_id_of_a_phase_can_be_a_part_of_a_ref() {
    let world = World::new();
    let head = world.head();
    for id in [
        "-1",
        "-1.2",
        "-10a",
        "0",
        "3",
        "007",
        "2.1",
        "07.3.1",
        "3a",
        "20A",
        "3.1c.2",
        "H.1",
        "G.2c",
        "m9-01",
        "A",
        "A1",
        "999.1",
        "12345678901234567890123",
    ] {
        let id: PhaseId = id.parse().unwrap();
        for name in [
            OwnRef::parse(&format!("refs/autopilot/r1/work/{id}/research/1")),
            OwnRef::kept("r1", &format!("{id}/execute/{id}"), 1),
            OwnRef::branch(&format!("r1/rejected/{id}")),
        ] {
            let name = name.unwrap();
            world.sandbox.git(["check-ref-format", name.as_str()]);
            world.project.update_ref(&name, &head, None).unwrap();
            assert_eq!(world.project.read_ref(&name).unwrap().as_ref(), Some(&head), "{name}");
            if let Some(branch) = name.branch_name() {
                world.sandbox.git(["check-ref-format", "--branch", branch]);
            }
            world.project.remove_ref(&name, &head).unwrap();
        }
    }
}
