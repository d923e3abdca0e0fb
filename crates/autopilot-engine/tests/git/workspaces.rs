//! What a workspace shows and what it does not.

use std::{fs, os::unix::fs::PermissionsExt, process::Command};

use autopilot_engine::git::{GitErrorKind, Workspace, WorkspaceKind};

use crate::world::{World, put};

#[test]
fn a_writers_workspace_is_clean_and_knows_the_history() {
    let world = World::with(|sandbox| {
        sandbox.write("src/run.sh", "#!/bin/sh\n");
        fs::set_permissions(
            sandbox.project().join("src/run.sh"),
            fs::Permissions::from_mode(0o755),
        )
        .unwrap();
        std::os::unix::fs::symlink("src/run.sh", sandbox.project().join("link")).unwrap();
        sandbox.write("odd\n -name\u{e9}", "x");
        sandbox.commit("second");
    });
    let workspace = world.writer("w");
    assert_eq!(world.git_in(&workspace, ["status", "--porcelain"]), "");
    assert_eq!(world.git_in(&workspace, ["symbolic-ref", "HEAD"]), "refs/heads/autopilot/r1/w/1");
    assert_eq!(world.git_in(&workspace, ["log", "--format=%s"]), "second\nfirst");
    assert_eq!(world.git_in(&workspace, ["fsck", "--strict"]), "");
    assert!(workspace.files().join("link").is_symlink());
    let mode = fs::metadata(workspace.files().join("src/run.sh")).unwrap().permissions().mode();
    assert_ne!(mode & 0o100, 0);
    assert_eq!(Workspace::open(workspace.path()).unwrap(), workspace);
}

#[test]
fn what_an_agent_does_with_git_stays_in_its_workspace() {
    let world = World::new();
    let refs = world.sandbox.git(["for-each-ref"]);
    let workspace = world.writer("w");
    put(&workspace, "new", "x");
    for arguments in [
        &["add", "new"][..],
        &["commit", "--quiet", "-m", "mine"],
        &["branch", "other"],
        &["config", "alias.x", "!true"],
        &["update-ref", "refs/heads/main", "HEAD"],
        &["gc", "--quiet", "--prune=now"],
    ] {
        world.git_in(&workspace, arguments);
    }
    assert_eq!(world.sandbox.git(["for-each-ref"]), refs);
    assert_eq!(world.sandbox.git(["status", "--porcelain"]), "");
    assert_eq!(world.sandbox.git(["fsck", "--strict"]), "");
}

#[test]
fn a_reader_sees_one_commit_and_nothing_hidden() {
    let world = World::with(|sandbox| {
        sandbox.write("docs/EXECUTION-LOG.md", "secret log\n");
        sandbox.write("docs/PLAN.md", "plan\n");
        sandbox.write("private/deep/file", "secret file\n");
        sandbox.commit("secret message");
    });
    let hidden = [
        "HEAD:docs/EXECUTION-LOG.md",
        "HEAD:private/deep/file",
        "HEAD:private",
        "HEAD^{tree}",
        "HEAD",
        "HEAD~1",
    ]
    .map(|name| world.sandbox.git(["rev-parse", name]));
    let workspace = world.reader("r", &["**/EXECUTION-LOG.md", "private"]);
    assert_eq!(world.git_in(&workspace, ["ls-files"]), "README.md\ndocs/PLAN.md");
    assert!(!workspace.files().join("private").exists());
    assert_eq!(world.git_in(&workspace, ["status", "--porcelain"]), "");
    assert_eq!(world.git_in(&workspace, ["rev-list", "--all", "--count"]), "1");
    assert_eq!(world.git_in(&workspace, ["log", "--format=%s%P"]), "export");
    assert_eq!(world.git_in(&workspace, ["fsck", "--strict"]), "");
    assert!(!workspace.files().join(".git/objects/info/alternates").exists());
    for id in hidden {
        let found = Command::new("git")
            .args(["cat-file", "-e", &id])
            .current_dir(workspace.files())
            .output()
            .unwrap();
        assert!(!found.status.success(), "{id}");
    }
    // The same export has the same id, whoever makes it.
    assert_eq!(
        world.reader("again", &["private", "docs/EXECUTION-LOG.md"]).base(),
        workspace.base()
    );
}

#[test]
fn line_ends_and_filters_of_the_project_are_applied() {
    let world = World::with(|sandbox| {
        sandbox.git(["config", "filter.rot.clean", "tr a-z n-za-m"]);
        sandbox.git(["config", "filter.rot.smudge", "tr a-z n-za-m"]);
        sandbox.write(".gitattributes", "*.txt text eol=crlf\n*.rot filter=rot\n");
        sandbox.write("a.txt", "one\r\ntwo\r\n");
        sandbox.write("b.rot", "hello\n");
        sandbox.commit("second");
    });
    let workspace = world.writer("w");
    assert_eq!(fs::read_to_string(workspace.files().join("a.txt")).unwrap(), "one\r\ntwo\r\n");
    assert_eq!(fs::read_to_string(workspace.files().join("b.rot")).unwrap(), "hello\n");
    assert_eq!(world.git_in(&workspace, ["status", "--porcelain"]), "");
    put(&workspace, "c.rot", "hello\n");
    put(&workspace, "d.txt", "x\r\n");
    let tree = world.snapshot(&workspace).tree;
    assert_eq!(world.content(&tree, "c.rot"), "uryyb");
    assert_eq!(world.content(&tree, "d.txt"), "x");
}

#[test]
fn a_submodule_is_an_empty_directory_that_stays_what_it_was() {
    let world = World::with(|sandbox| {
        sandbox.git(["clone", "--quiet", ".", "../other"]);
        let other = sandbox.root().join("other");
        sandbox.git([
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            other.to_str().unwrap(),
            "sub",
        ]);
        sandbox.commit("second");
    });
    let workspace = world.writer("w");
    assert_eq!(world.git_in(&workspace, ["status", "--porcelain"]), "");
    let snapshot = world.snapshot(&workspace);
    assert!(!snapshot.changed && snapshot.kept.is_none());
    put(&workspace, "sub/file", "in a submodule\n");
    put(&workspace, "beside", "x");
    let snapshot = world.snapshot(&workspace);
    assert_eq!(snapshot.stat.files, 1);
    let before = world.sandbox.git(["ls-tree", "HEAD", "sub"]);
    assert_eq!(world.sandbox.git(["ls-tree", snapshot.tree.as_str(), "sub"]), before);
    assert_eq!(world.content(&snapshot.kept.unwrap().commit, "sub/file"), "in a submodule");
}

#[test]
fn a_taken_place_and_a_half_made_workspace_are_told_apart() {
    let world = World::new();
    let workspace = world.writer("w");
    let again =
        world.project.create_workspace(&world.spec("w", WorkspaceKind::Writer)).unwrap_err();
    assert!(matches!(again.kind(), GitErrorKind::Occupied));
    Workspace::remove_unfinished(workspace.path()).unwrap_err();
    fs::remove_file(workspace.records().join("workspace")).unwrap();
    let error = Workspace::open(workspace.path()).unwrap_err();
    assert!(matches!(error.kind(), GitErrorKind::NotAWorkspace));
    Workspace::remove_unfinished(workspace.path()).unwrap();
    assert!(!workspace.path().exists());
}

#[test]
fn odd_places_work_too() {
    let world = World::with(|sandbox| {
        let odd = sandbox.root().join("odd: \"place\"\n#x");
        fs::rename(sandbox.project(), &odd).unwrap();
        std::os::unix::fs::symlink(&odd, sandbox.root().join("project")).unwrap();
    });
    let workspace = world.writer("w");
    assert_eq!(world.git_in(&workspace, ["log", "--format=%s"]), "first");
    put(&workspace, "new", "x");
    world.git_in(&workspace, ["commit", "--quiet", "-am", "x", "--allow-empty"]);
    assert_eq!(world.snapshot(&workspace).agent_commits.len(), 1);
    assert_eq!(world.git_in(&world.reader("r", &[]), ["rev-list", "--count", "HEAD"]), "1");
}
