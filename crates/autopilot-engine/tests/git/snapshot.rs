//! That nothing an agent did is lost.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
    },
};

use autopilot_engine::git::GitErrorKind;

use crate::world::{World, put, remove};

#[test]
fn an_untouched_workspace_costs_nothing_and_may_go() {
    let world = World::new();
    let objects = world.sandbox.git(["count-objects", "-v"]);
    let workspace = world.writer("w");
    let snapshot = world.snapshot(&workspace);
    assert!(!snapshot.changed);
    assert_eq!(snapshot.kept, None);
    assert_eq!(snapshot.tree, world.project.tree_of(&world.head()).unwrap());
    assert_eq!(world.sandbox.git(["count-objects", "-v"]), objects);
    assert_eq!(world.project.kept(None).unwrap(), []);
    let path = workspace.path().to_owned();
    workspace.remove(snapshot.proof().unwrap()).unwrap();
    assert!(!path.exists());
}

#[test]
fn changes_of_every_kind_are_in_the_tree_and_ignored_files_only_in_what_is_kept() {
    let world = World::with(|sandbox| {
        sandbox.write(".gitignore", "*.log\n/build/\n!keep.log\n");
        sandbox.write("changed", "1\n");
        sandbox.write("gone", "1\n");
        sandbox.write("to-directory", "1\n");
        sandbox.write("was/directory", "1\n");
        sandbox.write("tracked.log", "tracked although ignored\n");
        sandbox.git(["add", "--force", "tracked.log"]);
        sandbox.commit("second");
    });
    let workspace = world.writer("w");
    let files = workspace.files();
    put(&workspace, "changed", "2\n");
    remove(&workspace, "gone");
    remove(&workspace, "to-directory");
    put(&workspace, "to-directory/inside", "x");
    fs::remove_dir_all(files.join("was")).unwrap();
    put(&workspace, "was", "now a file\n");
    put(&workspace, "tracked.log", "changed\n");
    put(&workspace, "new/deep/file", "x");
    put(&workspace, "new.log", "ignored\n");
    put(&workspace, "keep.log", "not ignored\n");
    put(&workspace, "build/out/binary", "ignored\n");
    symlink("/etc/passwd", files.join("link")).unwrap();
    symlink("nowhere", files.join("broken.log")).unwrap();
    let script = put(&workspace, "script", "#!/bin/sh\n");
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(files.join("README.md"), fs::Permissions::from_mode(0o755)).unwrap();

    let snapshot = world.snapshot(&workspace);
    let work = [
        ".gitignore",
        "README.md",
        "changed",
        "keep.log",
        "link",
        "new/deep/file",
        "script",
        "to-directory/inside",
        "tracked.log",
        "was",
    ];
    assert_eq!(world.files_of(&snapshot.tree), work);
    let kept = snapshot.kept.as_ref().unwrap();
    let mut all: Vec<&str> = [&work[..], &["broken.log", "build/out/binary", "new.log"]].concat();
    all.sort_unstable();
    assert_eq!(world.files_of(&kept.commit), all);
    assert_eq!(world.content(&snapshot.tree, "link"), "/etc/passwd");
    assert_eq!(world.content(&kept.commit, "broken.log"), "nowhere");
    assert_eq!(world.content(&snapshot.tree, "tracked.log"), "changed");
    let modes = world.sandbox.git([
        "ls-tree",
        "--format=%(objectmode)",
        snapshot.tree.as_str(),
        "README.md",
        "link",
        "script",
    ]);
    assert_eq!(modes, "100755\n120000\n100755");
    assert_eq!(snapshot.left_out.list(), []);
    assert_eq!(world.sandbox.git(["rev-parse", kept.reference.as_str()]), kept.commit.as_str());
    assert_eq!(
        world.sandbox.git(["log", "-1", "--format=%P", kept.commit.as_str()]),
        world.head().as_str()
    );
    assert!(snapshot.proof().is_some());
}

#[test]
fn keeping_twice_gives_the_same_commit_and_more_work_keeps_both() {
    let world = World::new();
    let workspace = world.writer("w");
    put(&workspace, "new", "1\n");
    let first = world.snapshot(&workspace).kept.unwrap();
    assert_eq!(world.snapshot(&workspace).kept.unwrap(), first);
    put(&workspace, "new", "2\n");
    let second = world.snapshot(&workspace).kept.unwrap();
    assert_ne!(second, first);
    assert!(world.project.is_ancestor(&first.commit, &second.commit).unwrap());
}

#[test]
fn a_change_within_one_tick_of_the_clock_and_of_the_same_size_is_seen() {
    let world = World::with(|sandbox| {
        for number in 0..50 {
            sandbox.write(&format!("f{number}"), "a");
        }
        sandbox.commit("second");
    });
    let workspace = world.writer("w");
    for number in 0..50 {
        fs::write(workspace.files().join(format!("f{number}")), "b").unwrap();
    }
    assert_eq!(world.snapshot(&workspace).stat.files, 50);
    fs::write(workspace.files().join("f7"), "c").unwrap();
    assert_eq!(world.content(&world.snapshot(&workspace).tree, "f7"), "c");
}

#[test]
fn names_that_are_no_text_are_names() {
    let world = World::new();
    let workspace = world.writer("w");
    let names: [&[u8]; 6] =
        [b"new\nline", b"\xff\xfe", b"-dash", b":(top)magic", b"\"quoted\"", b"tab\there"];
    for name in names {
        fs::write(workspace.files().join(OsStr::from_bytes(name)), name).unwrap();
    }
    let snapshot = world.snapshot(&workspace);
    assert_eq!(snapshot.stat.files, 6);
    let changes = world.project.tree_paths_changed(&world.head(), &snapshot.tree).unwrap();
    let mut seen: Vec<Vec<u8>> = changes.into_iter().map(|change| change.path).collect();
    let mut expected: Vec<Vec<u8>> = names.iter().map(|name| name.to_vec()).collect();
    seen.sort();
    expected.sort();
    assert_eq!(seen, expected);
}

#[test]
fn commits_branches_and_rewritten_history_of_the_agent_are_reachable() {
    let world = World::new();
    let workspace = world.writer("w");
    let git = |arguments: &[&str]| world.git_in(&workspace, arguments);
    put(&workspace, "a", "first version\n");
    git(&["add", "a"]);
    git(&["commit", "--quiet", "-m", "first try"]);
    let amended_away = git(&["rev-parse", "HEAD"]);
    put(&workspace, "a", "second version\n");
    git(&["commit", "--quiet", "-a", "--amend", "-m", "second try"]);
    git(&["checkout", "--quiet", "-b", "side"]);
    git(&["commit", "--quiet", "--allow-empty", "-m", "on a branch"]);
    let side = git(&["rev-parse", "HEAD"]);
    git(&["checkout", "--quiet", "--detach", "HEAD~1"]);
    git(&["commit", "--quiet", "--allow-empty", "-m", "detached"]);
    let detached = git(&["rev-parse", "HEAD"]);
    put(&workspace, "a", "stashed\n");
    git(&["stash", "--quiet"]);
    let stash = git(&["rev-parse", "refs/stash"]);
    git(&["tag", "-a", "-m", "annotated", "v1"]);
    git(&["pack-refs", "--all"]);
    put(&workspace, "b", "uncommitted\n");

    let snapshot = world.snapshot(&workspace);
    assert_eq!(world.files_of(&snapshot.tree), ["README.md", "a", "b"]);
    let kept = snapshot.kept.unwrap();
    for id in [amended_away, side, detached, stash] {
        world.sandbox.git(["merge-base", "--is-ancestor", &id, kept.commit.as_str()]);
    }
    // The stash contains what it was made on.
    assert_eq!(snapshot.agent_commits.len(), 3);
    world.sandbox.git(["fsck", "--strict"]);
}

#[test]
fn many_commits_of_the_agent_arrive_as_a_pack() {
    let world = World::new();
    let workspace = world.writer("w");
    let mut seed = 7_u32;
    let noise: Vec<u8> = (0..3 << 20)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        })
        .collect();
    put(&workspace, "noise", noise);
    world.git_in(&workspace, ["add", "noise"]);
    world.git_in(&workspace, ["commit", "--quiet", "-m", "large"]);
    world.git_in(&workspace, ["rm", "--quiet", "noise"]);
    let snapshot = world.snapshot(&workspace);
    assert!(!snapshot.changed);
    let tip = &snapshot.agent_commits[0];
    assert_eq!(
        world.sandbox.git(["cat-file", "-s", &format!("{tip}:noise")]),
        (3 << 20).to_string()
    );
}

#[test]
fn nested_repositories_are_kept_with_their_history() {
    let world = World::new();
    let workspace = world.writer("w");
    let nested = workspace.files().join("tools/nested");
    fs::create_dir_all(&nested).unwrap();
    let git = |arguments: &[&str]| world.sandbox.git_in(&nested, arguments);
    git(&["init", "--quiet"]);
    put(&workspace, "tools/nested/file", "x\n");
    git(&["add", "file"]);
    git(&["commit", "--quiet", "-m", "inner"]);
    put(&workspace, "empty-repository/.git/HEAD", "ref: refs/heads/none\n");
    let pointer = put(&workspace, "pointer/.git", "gitdir: /etc\n");
    put(&workspace, "pointer/file", "y\n");
    let snapshot = world.snapshot(&workspace);
    assert_eq!(world.files_of(&snapshot.tree), ["README.md", "pointer/file", "tools/nested/file"]);
    let kept = snapshot.kept.unwrap().commit;
    assert_eq!(world.content(&kept, "pointer/.autopilot-dot-git"), "gitdir: /etc");
    assert_eq!(
        world.content(&kept, "empty-repository/.autopilot-dot-git/HEAD"),
        "ref: refs/heads/none"
    );
    assert!(pointer.exists());

    // What was kept is a repository again once its name is given back.
    let out = world.sandbox.root().join("out");
    let listed = world.project.kept(None).unwrap();
    let renamed = world.project.restore_to_directory(&listed[0], &out).unwrap();
    assert_eq!(renamed.as_deref(), Some("empty-repository/.autopilot-dot-git/HEAD"));
    let inner = out.join("tools/nested");
    fs::rename(inner.join(".autopilot-dot-git"), inner.join(".git")).unwrap();
    assert_eq!(world.sandbox.git_in(&inner, ["log", "--format=%s"]), "inner");
}

#[test]
fn a_proof_is_good_for_its_own_workspace_only() {
    let world = World::new();
    let (one, other) = (world.writer("one"), world.writer("other"));
    let proof = world.snapshot(&one).proof().unwrap();
    let path = other.path().to_owned();
    let error = other.remove(proof).unwrap_err();
    assert!(matches!(error.kind(), GitErrorKind::BadName(_)));
    assert!(path.exists());
}

#[test]
fn a_readers_notes_are_kept_too() {
    let world = World::with(|sandbox| {
        sandbox.write("hidden", "x");
        sandbox.commit("second");
    });
    let workspace = world.reader("r", &["hidden"]);
    assert!(world.snapshot(&workspace).kept.is_none());
    put(&workspace, "notes.md", "seen\n");
    let snapshot = world.snapshot(&workspace);
    assert_eq!(snapshot.stat.files, 1);
    assert_eq!(world.files_of(&snapshot.kept.unwrap().commit), ["README.md", "notes.md"]);
}

#[test]
fn a_lock_left_by_a_killed_engine_is_no_obstacle() {
    let world = World::new();
    let workspace = world.writer("w");
    fs::write(workspace.path().join("index.lock"), "").unwrap();
    put(&workspace, "new", "x");
    assert!(world.snapshot(&workspace).changed);
}
