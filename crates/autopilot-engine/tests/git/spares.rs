//! A workspace that was made of a spare is the one that would have been made from nothing.

use std::{
    collections::BTreeMap,
    fs::{self, File, FileTimes, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use autopilot_engine::git::{
    GitErrorKind, Made, ObjectId, OwnRef, Spare, Workspace, WorkspaceKind, WorkspaceSpec,
};
use autopilot_testkit::{
    repository::{Sandbox, fingerprint},
    sim::Chance,
};
use gix::{
    bstr::ByteSlice,
    index::entry::{Mode, Stat},
};

use crate::{
    trees::{Entry, Tree},
    world::{World, put},
};

/// What is done, in words and in fact.
type Deed<'a, T> = (&'a str, &'a dyn Fn(&T));
/// What becomes of a tree, in words and in fact.
type Change<'a> = (&'a str, &'a dyn Fn(&mut Tree));
/// Takes away from a workspace and its records what an engine that was killed had not made yet.
type Cut<'a> = &'a dyn Fn(&Path, &Path);

/// How many pairs of trees are tried.
const PAIRS: u64 = 16;

fn world() -> World {
    World::with(|sandbox| {
        sandbox.git(["config", "filter.up.smudge", "tr a-z A-Z"]);
        sandbox.git(["config", "filter.up.clean", "tr A-Z a-z"]);
    })
}

impl World {
    fn spare(&self, commit: &ObjectId) -> Spare {
        self.spare_until(commit, &AtomicBool::new(false))
    }

    fn spare_until(&self, commit: &ObjectId, stop: &AtomicBool) -> Spare {
        self.project.prepare_spare(commit, &self.spares(), stop).unwrap()
    }

    fn spares(&self) -> PathBuf {
        self.sandbox.root().join("spare")
    }

    /// The files of the only spare.
    fn spare_files(&self) -> PathBuf {
        let all: Vec<_> = fs::read_dir(self.spares()).unwrap().map(Result::unwrap).collect();
        assert_eq!(all.len(), 1);
        all[0].path().join("files")
    }

    fn made(&self, base: &ObjectId, kind: WorkspaceKind, spare: Option<Spare>) -> Made {
        let name = format!("w{}", fs::read_dir(self.sandbox.state()).unwrap().count());
        let spec = WorkspaceSpec {
            path: self.sandbox.state().join(name),
            base: base.clone(),
            branch: OwnRef::branch("r1/step/1").unwrap(),
            kind,
        };
        self.project.create_workspace_from(&spec, spare).unwrap()
    }

    /// Makes a workspace of a spare and one from nothing, compares them, and tells whether the spare was taken.
    #[track_caller]
    fn compare(&self, base: &ObjectId, kind: WorkspaceKind, spare: Spare) -> bool {
        let (ours, theirs) =
            (self.made(base, kind.clone(), Some(spare)), self.made(base, kind, None).workspace);
        let (before, after) = (described(&theirs), described(&ours.workspace));
        for (path, line) in &before {
            assert_eq!(after.get(path), Some(line), "{path:?}");
        }
        assert_eq!(before.len(), after.len(), "{:?}", after.keys());
        check_index(&ours.workspace, &ours.workspace.records().join("index"));
        check_index(&ours.workspace, &ours.workspace.files().join(".git/index"));
        assert_eq!(self.git_in(&ours.workspace, ["status", "--porcelain"]), "");
        assert!(!self.snapshot(&ours.workspace).changed);
        ours.unused.is_none()
    }
}

fn reader() -> WorkspaceKind {
    WorkspaceKind::Reader { hide: vec!["steady/2".to_owned(), "**/b.txt".to_owned()] }
}

/// Everything in a workspace and in the engine's records about it, but for times. Of an index it is what it says of files.
fn described(workspace: &Workspace) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    for (name, directory) in
        [("work", workspace.path().to_owned()), ("records", workspace.records())]
    {
        for (path, line) in fingerprint(&directory, &|path| path.ends_with(".git/objects/pack")) {
            let line = match path.file_name().is_some_and(|name| name == "index") {
                true => entries(&directory.join(&path)),
                false => without_time(&line),
            };
            all.insert(Path::new(name).join(path), line);
        }
    }
    all
}

fn without_time(line: &str) -> String {
    match line.split_once(' ') {
        Some(("directory", _)) | None => line.to_owned(),
        Some((mode, rest)) => {
            format!("{mode} {}", rest.split_once(' ').map_or("", |(_, content)| content))
        }
    }
}

fn read(index: &Path) -> gix::index::File {
    gix::index::File::at(
        index,
        gix::hash::Kind::Sha1,
        false,
        gix::index::decode::Options::default(),
    )
    .unwrap()
}

fn entries(path: &Path) -> String {
    let index = read(path);
    let entry = |entry: &gix::index::Entry| {
        format!("{} {:?} {:?} {:?}\n", entry.path(&index), entry.mode, entry.id, entry.flags)
    };
    let entries: String = index.entries().iter().map(entry).collect();
    format!("{} bytes, {:?}\n{entries}", fs::metadata(path).unwrap().len(), index.version())
}

/// An index has to know of each file what the file system says, so that nobody has to read it.
#[track_caller]
fn check_index(workspace: &Workspace, path: &Path) {
    let index = read(path);
    for entry in index.entries().iter().filter(|entry| entry.mode != Mode::COMMIT) {
        let path = workspace.files().join(entry.path(&index).to_os_str().unwrap());
        let found = gix::index::fs::Metadata::from_path_no_follow(&path).unwrap();
        assert_eq!(entry.stat, Stat::from_fs(&found).unwrap(), "{path:?}");
    }
}

#[test]
fn a_workspace_of_a_spare_is_like_one_from_nothing_whatever_has_changed() {
    let world = world();
    let (mut taken, mut refused) = (0, 0);
    for seed in 0..PAIRS {
        println!("pair {seed}");
        let mut chance = Chance::of(seed, "spares");
        let before = Tree::by(&mut chance);
        let after = before.changed(&mut chance);
        let (old, new) = (before.commit(&world.sandbox), after.commit(&world.sandbox));
        for kind in [WorkspaceKind::Writer, reader()] {
            match world.compare(&new, kind.clone(), world.spare(&old)) {
                true => taken += 1,
                false => refused += 1,
            }
            // What is in a spare that was cut off is used, and the rest is written.
            let stop = AtomicBool::new(false);
            let cut_off = thread::scope(|scope| {
                let making = scope.spawn(|| world.spare_until(&old, &stop));
                thread::sleep(Duration::from_micros(chance.below(6_000)));
                stop.store(true, Ordering::Relaxed);
                making.join().unwrap()
            });
            world.compare(&new, kind, cut_off);
        }
        if !before.shapes_like(&after) {
            let made = world.made(&new, WorkspaceKind::Writer, Some(world.spare(&old)));
            assert!(made.unused.is_some(), "what shapes other files has changed");
        }
    }
    assert!(taken >= PAIRS && refused > 0, "{taken} taken, {refused} refused");
    let left = fs::read_dir(world.spares()).unwrap().count();
    assert_eq!(left, 0, "what nobody needs is removed");
}

/// A tree in which every kind of change can be made by hand.
fn tree() -> Tree {
    let mut tree = Tree::default();
    let file = |text: &str| Entry::File(text.as_bytes().to_vec());
    tree.put(b".gitattributes", file("*.txt text eol=crlf\n*.up filter=up\n"));
    for number in 0..80 {
        tree.put(format!("many/{}/f{number}", number % 9).as_bytes(), file("same\n"));
    }
    tree.put(b"run", Entry::Program(b"#!/bin/sh\n".to_vec()));
    tree.put(b"link", Entry::Link(b"run".to_vec()));
    tree.put(b"deep/er/est/file", file("x\n"));
    tree.put(b"deep/.gitattributes", file("*.up -filter\n"));
    tree.put(b"deep/a.up", file("not shouted\n"));
    tree.put(b"sub", Entry::Submodule(1));
    tree.put(b"text.txt", file("one\ntwo\n"));
    tree.put(b"loud.up", file("shouted\n"));
    tree
}

#[test]
fn every_kind_of_change_is_made_in_a_spare() {
    let world = world();
    let file = |text: &str| Entry::File(text.as_bytes().to_vec());
    let before = tree();
    let old = before.commit(&world.sandbox);
    let changes: [Change<'_>; 15] = [
        ("nothing", &|_| ()),
        ("content, of the same size", &|tree| tree.put(b"many/0/f0", file("emas\n"))),
        ("a program becomes a plain file", &|tree| tree.put(b"run", file("#!/bin/sh\n"))),
        ("a file becomes a link", &|tree| tree.put(b"many/1/f1", Entry::Link(b"run".to_vec()))),
        ("a link becomes a file", &|tree| tree.put(b"link", file("run"))),
        ("a directory goes with those above", &|tree| tree.remove(b"deep/er")),
        ("a file becomes a directory", &|tree| tree.put(b"run/a/b", file("x"))),
        ("a directory becomes a file", &|tree| tree.put(b"deep/er", file("x"))),
        ("a directory becomes a link to another", &|tree| {
            tree.put(b"deep/er", Entry::Link(b"../many".to_vec()));
        }),
        ("a submodule moves on", &|tree| tree.put(b"sub", Entry::Submodule(2))),
        ("a submodule goes", &|tree| tree.remove(b"sub")),
        ("a submodule becomes a directory", &|tree| tree.put(b"sub/x", file("x"))),
        ("a directory becomes a submodule", &|tree| tree.put(b"deep/er", Entry::Submodule(1))),
        ("another case", &|tree| {
            tree.remove(b"link");
            tree.put(b"Link", file("x"));
        }),
        ("line ends and filters", &|tree| {
            tree.put(b"text.txt", file("three\n"));
            tree.put(b"loud.up", file("louder\n"));
            tree.put(b"deep/a.up", file("as quiet\n"));
        }),
    ];
    for (what, change) in changes {
        println!("{what}");
        let mut after = before.clone();
        change(&mut after);
        let new = after.commit(&world.sandbox);
        for kind in [WorkspaceKind::Writer, reader()] {
            assert!(
                world.compare(&new, kind, world.spare(&old)),
                "{what}: the spare was not taken"
            );
        }
    }
    let made = world.made(&old, WorkspaceKind::Writer, Some(world.spare(&old))).workspace;
    let read = |path| fs::read_to_string(made.files().join(path)).unwrap();
    assert_eq!((read("text.txt"), read("loud.up")), ("one\r\ntwo\r\n".into(), "SHOUTED\n".into()));
}

#[test]
fn a_spare_that_is_too_different_is_given_back() {
    let world = world();
    let before = tree();
    let old = before.commit(&world.sandbox);
    let mut other = before.clone();
    other.remove(b"many/3");
    other.remove(b"many/4");
    assert!(!world.compare(&other.commit(&world.sandbox), reader(), world.spare(&old)));
    // What is new has to be written in any case.
    let mut more = before;
    for number in 0..200 {
        more.put(format!("new/{number}").as_bytes(), Entry::File(b"new\n".to_vec()));
    }
    assert!(world.compare(&more.commit(&world.sandbox), WorkspaceKind::Writer, world.spare(&old)));
}

#[test]
fn a_spare_that_breaks_while_it_is_changed_goes_and_the_workspace_is_made_from_nothing() {
    let world = World::with(|sandbox| {
        let broken = sandbox.root().join("broken");
        let smudge = format!("if rm '{}' 2>/dev/null; then exit 1; fi; cat", broken.display());
        sandbox.git(["config", "filter.up.smudge", &smudge]);
        sandbox.git(["config", "filter.up.clean", "cat"]);
        sandbox.git(["config", "filter.up.required", "true"]);
    });
    let before = tree();
    let mut after = before.clone();
    after.put(b"loud.up", Entry::File(b"louder\n".to_vec()));
    let (old, new) = (before.commit(&world.sandbox), after.commit(&world.sandbox));
    let spare = world.spare(&old);
    // The filter fails once.
    fs::write(world.sandbox.root().join("broken"), "").unwrap();
    world.compare(&new, WorkspaceKind::Writer, spare);
    assert!(!world.sandbox.root().join("broken").exists(), "the filter has not failed");
    assert_eq!(fs::read_dir(world.spares()).unwrap().count(), 0);
}

#[test]
fn a_spare_that_somebody_has_touched_is_not_used() {
    let touches: [Deed<'_, Path>; 10] = [
        ("content of the same size and time", &|files| {
            overwrite(&files.join("many/0/f0"), "emas\n");
        }),
        ("a new file", &|files| fs::write(files.join("conftest.py"), "x").unwrap()),
        ("a new directory", &|files| fs::create_dir(files.join("many/new")).unwrap()),
        ("a repository", &|files| fs::create_dir(files.join(".git")).unwrap()),
        ("a file that is gone", &|files| fs::remove_file(files.join("many/0/f0")).unwrap()),
        ("a file that is a program now", &|files| {
            fs::set_permissions(files.join("many/0/f0"), Permissions::from_mode(0o755)).unwrap();
        }),
        ("a directory that is closed", &|files| {
            fs::set_permissions(files.join("many/0"), Permissions::from_mode(0o500)).unwrap();
        }),
        ("a second name to write by", &|files| {
            fs::hard_link(files.join("many/0/f0"), files.with_file_name("hold")).unwrap();
        }),
        ("a directory that is a link now", &|files| {
            fs::rename(files.join("many/0"), files.with_file_name("0")).unwrap();
            symlink("../../0", files.join("many/0")).unwrap();
        }),
        ("another index", &|files| fs::write(files.with_file_name("index"), "junk").unwrap()),
    ];
    let world = world();
    let old = tree().commit(&world.sandbox);
    for (what, touch) in touches {
        let spare = world.spare(&old);
        touch(&world.spare_files());
        assert!(!world.compare(&old, WorkspaceKind::Writer, spare), "{what}: the spare was taken");
    }
}

/// Writes other content of the same length, and sets the time of the file back.
fn overwrite(path: &Path, text: &str) {
    let before = fs::metadata(path).unwrap();
    assert_eq!(before.len(), text.len() as u64);
    fs::write(path, text).unwrap();
    let file = File::options().write(true).open(path).unwrap();
    file.set_times(FileTimes::new().set_modified(before.modified().unwrap())).unwrap();
    assert_eq!(fs::metadata(path).unwrap().mtime_nsec(), before.mtime_nsec());
}

#[test]
fn what_the_person_changed_about_how_files_look_is_obeyed() {
    let changes: [Deed<'_, Sandbox>; 3] = [
        ("attributes of the repository", &|sandbox| {
            fs::write(sandbox.project().join(".git/info/attributes"), "many/** text eol=crlf\n")
                .unwrap();
        }),
        ("a setting", &|sandbox| drop(sandbox.git(["config", "core.eol", "crlf"]))),
        ("attributes of the person", &|sandbox| {
            fs::write(sandbox.root().join("attributes"), "many/** text eol=crlf\n").unwrap();
        }),
    ];
    for (what, change) in changes {
        let world = World::with(|sandbox| {
            let attributes = sandbox.root().join("attributes");
            sandbox.git(["config", "core.attributesfile", attributes.to_str().unwrap()]);
        });
        let old = tree().commit(&world.sandbox);
        let spare = world.spare(&old);
        change(&world.sandbox);
        let made = world.made(&old, WorkspaceKind::Writer, Some(spare));
        assert!(made.unused.is_some(), "{what}");
        let text = fs::read_to_string(made.workspace.files().join("many/0/f0")).unwrap();
        assert_eq!(text, if what == "a setting" { "same\n" } else { "same\r\n" }, "{what}");
    }
}

#[test]
fn what_an_agent_changes_in_files_that_are_older_than_its_workspace_is_seen() {
    let world = world();
    let old = tree().commit(&world.sandbox);
    let made = world.made(&old, WorkspaceKind::Writer, Some(world.spare(&old)));
    assert!(made.unused.is_none());
    overwrite(&made.workspace.files().join("many/0/f0"), "emas\n");
    put(&made.workspace, "new", "x");
    let snapshot = world.snapshot(&made.workspace);
    assert_eq!(snapshot.stat.files, 2);
    assert_eq!(world.content(&snapshot.tree, "many/0/f0"), "emas");
}

#[test]
fn a_workspace_that_was_cut_off_while_it_took_a_spare_is_none() {
    let world = world();
    let old = tree().commit(&world.sandbox);
    let whole = world.made(&old, WorkspaceKind::Writer, Some(world.spare(&old))).workspace;
    // In the order in which they are made: the directories, the files, the repository, the index, the record.
    let cuts: [Cut<'_>; 4] = [
        &|work, _| fs::remove_dir_all(work.join("files")).unwrap(),
        &|work, records| {
            fs::remove_dir_all(work.join("files/.git")).unwrap();
            fs::remove_dir_all(records).unwrap();
            fs::create_dir(records).unwrap();
        },
        &|_, records| fs::remove_file(records.join("index")).unwrap(),
        &|_, _| (),
    ];
    for (at, cut) in cuts.iter().enumerate() {
        let name = format!("cut{at}");
        let (work, records) =
            (whole.path().with_file_name(&name), whole.records().with_file_name(&name));
        copy(whole.path(), &work);
        copy(&whole.records(), &records);
        fs::remove_file(records.join("workspace")).unwrap();
        cut(&work, &records);
        let error = Workspace::open(&work).unwrap_err();
        assert!(matches!(error.kind(), GitErrorKind::NotAWorkspace));
        Workspace::remove_unfinished(&work).unwrap();
        assert!(!work.exists() && !records.exists());
    }
}

fn copy(from: &Path, to: &Path) {
    let copied = std::process::Command::new("cp").arg("-a").args([from, to]).status().unwrap();
    assert!(copied.success());
}
