//! Workspaces whose agent meant harm, or made a mess.

use std::{
    fs,
    os::{
        fd::OwnedFd,
        unix::{
            fs::{PermissionsExt, symlink},
            net::UnixListener,
        },
    },
    path::Path,
    process::Command,
};

use autopilot_engine::git::{GitErrorKind, WhyLeftOut, Workspace};
use rustix::fs::{CWD, FileType, Mode, OFlags, mkdirat, mknodat, openat};

use crate::world::{World, put};

/// Makes a program that leaves a trace when it runs.
fn trap(world: &World) -> (String, impl Fn() -> bool) {
    let trace = world.sandbox.root().join("trap-sprung");
    let program = world.sandbox.root().join("trap");
    fs::write(&program, format!("#!/bin/sh\ntouch '{}'\ncat\n", trace.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program.to_str().unwrap().to_owned(), move || trace.exists())
}

/// Settings by which git runs a program.
const RUNNING_SETTINGS: &[&str] = &[
    "core.fsmonitor",
    "core.hooksPath",
    "filter.evil.clean",
    "filter.evil.process",
    "diff.external",
    "core.sshCommand",
    "gpg.program",
    "core.pager",
    "uploadpack.packObjectsHook",
    "core.alternateRefsCommand",
    "merge.evil.driver",
];

/// Puts the program wherever git might run it from.
fn arm(world: &World, workspace: &Workspace, program: &str) {
    let git_dir = workspace.files().join(".git");
    let hooks = git_dir.join("hooks");
    fs::create_dir_all(&hooks).unwrap();
    for hook in ["post-index-change", "reference-transaction", "pre-commit", "post-checkout"] {
        fs::copy(program, hooks.join(hook)).unwrap();
    }
    put(workspace, ".gitattributes", "* filter=evil diff=evil merge=evil\n");
    let nested = workspace.files().join("nested");
    fs::create_dir(&nested).unwrap();
    world.sandbox.git_in(&nested, ["init", "--quiet"]);
    world.sandbox.git_in(&nested, ["commit", "--quiet", "--allow-empty", "-m", "x"]);
    for config in [git_dir.join("config"), nested.join(".git/config")] {
        for setting in RUNNING_SETTINGS {
            let config = config.to_str().unwrap();
            world.sandbox.git_in(Path::new("/"), ["config", "--file", config, setting, program]);
        }
    }
}

#[test]
fn nothing_in_the_agents_configuration_is_ever_run() {
    let world = World::new();
    let (program, sprung) = trap(&world);
    let workspace = world.writer("w");
    put(&workspace, "new", "x\n");
    world.git_in(&workspace, ["commit", "--quiet", "--allow-empty", "-m", "x"]);
    arm(&world, &workspace, &program);

    let snapshot = world.snapshot(&workspace);
    assert_eq!(world.content(&snapshot.tree, "new"), "x");
    assert_eq!(snapshot.agent_commits.len(), 1);
    world.project.diff_text(&world.head(), &snapshot.tree, 1000).unwrap();
    world.project.diff_stat(&world.head(), &snapshot.tree).unwrap();
    let proof = snapshot.proof().unwrap();
    assert!(!sprung());
    // The trap works: the agent's own git runs into it.
    drop(Command::new("git").arg("status").current_dir(workspace.files()).output());
    assert!(sprung());
    workspace.remove(proof).unwrap();
}

#[test]
fn a_git_directory_that_leads_elsewhere_is_not_followed() {
    for replacement in ["link", "file", "missing"] {
        let world = World::new();
        world.sandbox.git(["clone", "--quiet", ".", "../secret"]);
        let secret = world.sandbox.root().join("secret");
        world.sandbox.git_in(&secret, ["commit", "--quiet", "--allow-empty", "-m", "secret"]);
        let id = world.sandbox.git_in(&secret, ["rev-parse", "HEAD"]);
        let workspace = world.writer("w");
        let git_dir = workspace.files().join(".git");
        fs::remove_dir_all(&git_dir).unwrap();
        match replacement {
            "link" => symlink(secret.join(".git"), &git_dir).unwrap(),
            "file" => fs::write(&git_dir, format!("gitdir: {}/.git\n", secret.display())).unwrap(),
            _ => {}
        }
        put(&workspace, "new", "x");
        let snapshot = world.snapshot(&workspace);
        assert!(snapshot.agent_repository_problem.is_some(), "{replacement}");
        assert_eq!(snapshot.agent_commits, []);
        assert_eq!(world.files_of(&snapshot.tree), ["README.md", "new"]);
        assert_eq!(world.project.rev_parse(&id).unwrap(), None, "{replacement}");
    }
}

#[test]
fn objects_borrowed_from_elsewhere_are_not_taken_but_kept_as_they_are() {
    let world = World::new();
    world.sandbox.git(["clone", "--quiet", ".", "../secret"]);
    let secret = world.sandbox.root().join("secret");
    world.sandbox.git_in(&secret, ["commit", "--quiet", "--allow-empty", "-m", "secret"]);
    let id = world.sandbox.git_in(&secret, ["rev-parse", "HEAD"]);
    let workspace = world.writer("w");
    let git_dir = workspace.files().join(".git");
    fs::write(
        git_dir.join("objects/info/alternates"),
        format!("{}/.git/objects\n", secret.display()),
    )
    .unwrap();
    fs::write(git_dir.join("refs/heads/mine"), format!("{id}\n")).unwrap();
    let snapshot = world.snapshot(&workspace);
    assert!(snapshot.agent_repository_problem.is_some());
    assert_eq!(world.project.rev_parse(&id).unwrap(), None);
    let kept = snapshot.kept.unwrap().commit;
    assert_eq!(world.content(&kept, ".autopilot-dot-git/refs/heads/mine"), id);
}

#[test]
fn damaged_objects_of_the_agent_do_not_stop_the_keeping() {
    let world = World::new();
    let workspace = world.writer("w");
    put(&workspace, "a", "x");
    world.git_in(&workspace, ["add", "a"]);
    world.git_in(&workspace, ["commit", "--quiet", "-m", "x"]);
    let tree = world.git_in(&workspace, ["rev-parse", "HEAD^{tree}"]);
    let object = workspace.files().join(".git/objects").join(&tree[..2]).join(&tree[2..]);
    fs::set_permissions(&object, fs::Permissions::from_mode(0o644)).unwrap();
    fs::write(&object, "garbage").unwrap();
    let snapshot = world.snapshot(&workspace);
    assert_eq!(snapshot.agent_repository_problem, Some("its objects are damaged"));
    assert_eq!(world.files_of(&snapshot.tree), ["README.md", "a"]);
    assert!(snapshot.kept.is_some());
}

#[test]
fn pipes_sockets_and_loops_are_skipped_and_listed() {
    let world = World::new();
    let workspace = world.writer("w");
    let files = workspace.files();
    mknodat(CWD, files.join("pipe"), FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
    let socket = UnixListener::bind(files.join("socket")).unwrap();
    symlink(".", files.join("loop")).unwrap();
    symlink("/", files.join("root")).unwrap();
    put(&workspace, "new", "x");
    let snapshot = world.snapshot(&workspace);
    assert_eq!(world.files_of(&snapshot.tree), ["README.md", "loop", "new", "root"]);
    let names: Vec<_> = snapshot
        .left_out
        .list()
        .iter()
        .map(|left_out| (&left_out.path[..], &left_out.why))
        .collect();
    assert_eq!(names, [(&b"pipe"[..], &WhyLeftOut::Special), (b"socket", &WhyLeftOut::Special)]);
    let proof = snapshot.proof().unwrap();
    drop(socket);
    workspace.remove(proof).unwrap();
    assert!(Path::new("/etc").exists());
}

#[test]
fn a_directory_replaced_by_a_link_does_not_lead_the_engine_out() {
    let world = World::with(|sandbox| {
        sandbox.write("dir/file", "tracked\n");
        sandbox.commit("second");
    });
    let outside = world.sandbox.root().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file"), "secret\n").unwrap();
    let workspace = world.writer("w");
    fs::remove_dir_all(workspace.files().join("dir")).unwrap();
    symlink(&outside, workspace.files().join("dir")).unwrap();
    let snapshot = world.snapshot(&workspace);
    assert_eq!(world.files_of(&snapshot.tree), ["README.md", "dir"]);
    let proof = snapshot.proof().unwrap();
    workspace.remove(proof).unwrap();
    assert!(outside.join("file").exists());
}

#[test]
fn a_replaced_workspace_is_an_error_not_an_empty_result() {
    let world = World::new();
    let workspace = world.writer("w");
    fs::remove_dir_all(workspace.files()).unwrap();
    symlink("/etc", workspace.files()).unwrap();
    let error =
        world.snapshot_within(&workspace, &autopilot_engine::git::Caps::default()).unwrap_err();
    assert!(matches!(error.kind(), GitErrorKind::Replaced));
}

#[test]
fn names_that_mean_git_elsewhere_are_kept_under_another_name() {
    let world = World::new();
    let workspace = world.writer("w");
    for name in [".GIT/config", "git~1", "sub/.git /x", "a\\.git", ".g\u{200c}it"] {
        put(&workspace, name, "poison\n");
    }
    symlink("README.md", workspace.files().join(".gitmodules")).unwrap();
    put(&workspace, "fine", "x");
    let snapshot = world.snapshot(&workspace);
    assert_eq!(world.files_of(&snapshot.tree), ["README.md", "fine"]);
    let kept = snapshot.kept.as_ref().unwrap();
    assert_eq!(world.files_of(&kept.commit).len(), 2 + 6);
    world.sandbox.git(["fsck", "--strict"]);
    assert!(snapshot.proof().is_some());
}

#[test]
fn a_file_that_a_filter_fails_on_is_kept_as_it_is() {
    let world = World::with(|sandbox| {
        sandbox.git(["config", "filter.broken.clean", "false"]);
        sandbox.git(["config", "filter.broken.required", "true"]);
    });
    let workspace = world.writer("w");
    put(&workspace, ".gitattributes", "*.bin filter=broken\n");
    for number in 0..5 {
        put(&workspace, &format!("{number}.txt"), "x");
    }
    put(&workspace, "3.bin", "bytes\n");
    let snapshot = world.snapshot(&workspace);
    assert!(!world.files_of(&snapshot.tree).contains(&"3.bin".to_owned()));
    assert_eq!(snapshot.stat.files, 6);
    assert_eq!(snapshot.left_out.list().len(), 1);
    assert_eq!(snapshot.left_out.list()[0].why, WhyLeftOut::OnlyKept);
    assert_eq!(world.content(&snapshot.kept.unwrap().commit, "3.bin"), "bytes");
}

#[test]
fn permissions_that_the_agent_took_away_do_not_hide_anything() {
    let world = World::new();
    let workspace = world.writer("w");
    let file = put(&workspace, "closed/deep/file", "x");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    for directory in ["closed/deep", "closed"] {
        let path = workspace.files().join(directory);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    }
    let snapshot = world.snapshot(&workspace);
    assert_eq!(world.files_of(&snapshot.tree), ["README.md", "closed/deep/file"]);
    let proof = snapshot.proof().unwrap();
    workspace.remove(proof).unwrap();
}

#[test]
fn a_path_deeper_than_the_system_takes_is_told() {
    let world = World::new();
    let workspace = world.writer("w");
    let part = "d".repeat(200);
    let mut deep = OwnedFd::from(fs::File::open(workspace.files()).unwrap());
    for _ in 0..30 {
        mkdirat(&deep, &part, Mode::RWXU).unwrap();
        deep = openat(&deep, &part, OFlags::DIRECTORY, Mode::empty()).unwrap();
    }
    put(&workspace, "new", "x");
    let snapshot = world.snapshot(&workspace);
    assert_eq!(world.files_of(&snapshot.tree), ["README.md", "new"]);
    assert!(snapshot.left_out.list().iter().any(|left_out| left_out.why.loses_work()));
    assert!(snapshot.proof().is_none());
}

#[test]
fn a_file_whose_name_says_that_the_store_fails_does_not_stop_the_keeping() {
    let world = World::with(|sandbox| {
        sandbox.git(["config", "filter.broken.clean", "false"]);
        sandbox.git(["config", "filter.broken.required", "true"]);
    });
    let workspace = world.writer("a");
    let name = "error: unable to write file: No space left on device";
    put(&workspace, name, "kept nevertheless\n");
    put(&workspace, ".gitattributes", "error* filter=broken\n");
    let snapshot = world.snapshot(&workspace);
    let commit = snapshot.kept.as_ref().unwrap().commit.clone();
    assert_eq!(world.content(&commit, name), "kept nevertheless");
    assert_eq!(snapshot.left_out.list()[0].why, WhyLeftOut::OnlyKept);
}
