//! That what an agent staged is kept, wherever else it is not.

use std::{fs, os::unix::fs::symlink};

use autopilot_engine::git::{ObjectId, Snapshot};

use crate::world::{World, put, remove};

/// The content of every file that the kept commit leads to.
fn reachable(world: &World, snapshot: &Snapshot) -> String {
    let Some(kept) = &snapshot.kept else { return String::new() };
    let listed =
        world.sandbox.git(["rev-list", "--objects", "--no-object-names", kept.commit.as_str()]);
    let blob = |id: &&str| world.sandbox.git(["cat-file", "-t", id]) == "blob";
    let contents =
        listed.lines().filter(blob).map(|id| world.sandbox.git(["cat-file", "blob", id]));
    contents.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_file_that_was_staged_and_then_changed_or_deleted_is_kept() {
    let world = World::new();
    let workspace = world.writer("w");
    put(&workspace, "changed", "staged and changed\n");
    put(&workspace, "deleted", "staged and deleted\n");
    put(&workspace, "README.md", "staged over the base\n");
    world.git_in(&workspace, ["add", "--all"]);
    put(&workspace, "changed", "in the file\n");
    remove(&workspace, "deleted");
    put(&workspace, "README.md", "in the file, too\n");
    let snapshot = world.snapshot(&workspace);
    let found = reachable(&world, &snapshot);
    for text in ["staged and changed", "staged and deleted", "staged over the base", "in the file"]
    {
        assert!(found.contains(text), "`{text}` is lost: {found}");
    }
    assert_eq!(world.files_of(&snapshot.tree), ["README.md", "changed"]);
    assert!(snapshot.proof().is_some());
    world.sandbox.git(["fsck", "--strict"]);
}

#[test]
fn staging_what_is_in_the_files_adds_nothing() {
    let world = World::new();
    let workspace = world.writer("w");
    put(&workspace, "new", "x\n");
    remove(&workspace, "README.md");
    world.git_in(&workspace, ["add", "new"]);
    world.git_in(&workspace, ["add", "--intent-to-add", "new"]);
    let snapshot = world.snapshot(&workspace);
    let none: [ObjectId; 0] = [];
    assert_eq!(snapshot.agent_commits, none);
}

#[test]
fn only_staging_is_work_too() {
    let world = World::new();
    let workspace = world.writer("w");
    put(&workspace, "gone", "only in the index\n");
    world.git_in(&workspace, ["add", "gone"]);
    remove(&workspace, "gone");
    let snapshot = world.snapshot(&workspace);
    assert!(!snapshot.changed);
    assert!(reachable(&world, &snapshot).contains("only in the index"), "{snapshot:?}");
    let again = world.snapshot(&workspace);
    assert_eq!(again.kept, snapshot.kept, "keeping it twice gives the same commit");
}

#[test]
fn a_readers_index_is_kept_too() {
    let world = World::new();
    let workspace = world.reader("r", &[]);
    put(&workspace, "gone", "a reader's thought\n");
    world.git_in(&workspace, ["add", "gone"]);
    remove(&workspace, "gone");
    let snapshot = world.snapshot(&workspace);
    assert!(reachable(&world, &snapshot).contains("a reader's thought"), "{snapshot:?}");
}

#[test]
fn every_side_of_a_conflict_is_kept() {
    let world = World::new();
    let workspace = world.writer("w");
    let store = |text: &str| {
        let path = put(&workspace, "scratch", text);
        world.git_in(&workspace, ["hash-object", "-w", path.to_str().unwrap()])
    };
    let sides = ["side one\n", "side two\n", "side three\n"].map(store);
    remove(&workspace, "scratch");
    let lines: String = sides
        .iter()
        .enumerate()
        .map(|(at, id)| format!("100644 {id} {}\tfile\n", at + 1))
        .collect();
    let list = workspace.path().join("lines");
    fs::write(&list, lines).unwrap();
    let command = format!("git update-index --index-info < '{}'", list.display());
    let done = std::process::Command::new("sh")
        .args(["-c", &command])
        .current_dir(workspace.files())
        .status()
        .unwrap();
    assert!(done.success());
    let found = reachable(&world, &world.snapshot(&workspace));
    for text in ["side one", "side two", "side three"] {
        assert!(found.contains(text), "`{text}` is lost: {found}");
    }
}

#[test]
fn an_index_that_cannot_be_read_guards_the_workspace() {
    let world = World::new();
    let workspace = world.writer("w");
    fs::write(workspace.files().join(".git/index"), "not an index").unwrap();
    let snapshot = world.snapshot(&workspace);
    assert_eq!(snapshot.left_out.list()[0].path, b".git/index");
    assert!(snapshot.proof().is_none());
}

#[test]
fn an_index_that_is_a_link_is_not_followed() {
    let world = World::new();
    let workspace = world.writer("w");
    let index = workspace.files().join(".git/index");
    fs::remove_file(&index).unwrap();
    symlink(world.sandbox.project().join(".git/index"), &index).unwrap();
    let snapshot = world.snapshot(&workspace);
    assert!(snapshot.kept.is_none() && snapshot.proof().is_some());
}
