//! Directories that are no workspace any more: every file in them is kept.

use std::{fs, os::unix::fs::symlink, path::Path};

use autopilot_engine::git::{Caps, KeepAs, OwnRef, RawSnapshot, Workspace};

use crate::world::{World, put, stamp};

fn keep_every_file(world: &World, directory: &Path, caps: &Caps) -> RawSnapshot {
    let reference = OwnRef::kept("r1", "damaged", 1).unwrap();
    let keep = KeepAs { reference: &reference, message: "kept", stamp: &stamp() };
    world.project.keep_every_file(directory, &keep, caps).unwrap()
}

#[test]
fn every_file_is_kept_as_it_is_and_then_the_directory_goes() {
    let world = World::new();
    let workspace = world.writer("a");
    put(&workspace, "new.txt", "new\r\n");
    put(&workspace, ".gitattributes", "* text eol=lf filter=evil\n");
    put(&workspace, ".gitignore", "*\n");
    fs::write(workspace.path().join("beside"), "beside\n").unwrap();
    fs::write(workspace.records().join("workspace"), "").unwrap();
    let raw = keep_every_file(&world, workspace.path(), &Caps::default());
    let commit = raw.kept.as_ref().unwrap().commit.clone();
    let files = world.files_of(&commit);
    for name in ["beside", "files/README.md", "files/new.txt", "files/.autopilot-dot-git/HEAD"] {
        assert!(files.contains(&name.to_owned()), "{name}: {files:?}");
    }
    let kept = world.sandbox.git(["cat-file", "-s", &format!("{commit}:files/new.txt")]);
    assert_eq!(kept, "5", "no filter and no line ending has changed it");
    Workspace::remove_kept(workspace.path(), raw.proof().unwrap()).unwrap();
    assert!(!workspace.path().exists() && !workspace.records().exists());
}

#[test]
fn a_link_in_the_place_of_a_workspace_is_kept_and_not_followed() {
    let world = World::new();
    let workspace = world.writer("a");
    let elsewhere = world.sandbox.root().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("private"), "not the agent's").unwrap();
    fs::remove_dir_all(workspace.path()).unwrap();
    symlink(&elsewhere, workspace.path()).unwrap();
    let raw = keep_every_file(&world, workspace.path(), &Caps::default());
    let commit = raw.kept.as_ref().unwrap().commit.clone();
    assert_eq!(world.files_of(&commit), ["files"]);
    assert_eq!(world.content(&commit, "files"), elsewhere.to_str().unwrap());
    Workspace::remove_kept(workspace.path(), raw.proof().unwrap()).unwrap();
    assert!(elsewhere.join("private").exists());
}

#[test]
fn what_does_not_fit_gives_no_proof() {
    let world = World::new();
    let workspace = world.writer("a");
    put(&workspace, "large", vec![7; 4096]);
    let caps = Caps { work_bytes_max: 4000, ..Caps::default() };
    let raw = keep_every_file(&world, workspace.path(), &caps);
    assert!(raw.left_out.lost().files > 0);
    assert!(raw.proof().is_none());
}
