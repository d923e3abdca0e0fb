//! That what is too much to be kept in git is not removed, and is named.

use std::fs::File;

use autopilot_engine::git::{Amount, Caps, LeftOut, Snapshot, WhyLeftOut, Workspace};

use crate::world::{World, put};

/// The tag by which tools mark what they can make again.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

fn ignoring(patterns: &str) -> World {
    World::with(|sandbox| {
        sandbox.write(".gitignore", patterns);
        sandbox.commit("second");
    })
}

/// Makes so many files of five bytes.
fn fill(workspace: &Workspace, directory: &str, files: usize) {
    for number in 0..files {
        put(workspace, &format!("{directory}/{number}"), "12345");
    }
}

fn message_of(world: &World, snapshot: &Snapshot) -> String {
    let kept = snapshot.kept.as_ref().expect("something is kept");
    world.sandbox.git(["log", "-1", "--format=%B", kept.commit.as_str()])
}

fn left_out(path: &str, why: WhyLeftOut, files: u64, bytes: u64) -> LeftOut {
    LeftOut { path: path.into(), why, size: Amount { files, bytes } }
}

#[test]
fn ignored_files_beyond_their_caps_guard_the_workspace_and_are_named() {
    let world = ignoring("/data/\n*.tmp\n");
    let workspace = world.writer("w");
    fill(&workspace, "data/deep", 10);
    put(&workspace, "large.tmp", "x".repeat(200));
    let caps = Caps { ignored_files_max: 3, ignored_bytes_max: 100, ..Caps::default() };
    let snapshot = world.snapshot_within(&workspace, &caps).unwrap();
    let kept = world.files_of(&snapshot.kept.as_ref().unwrap().commit);
    assert_eq!(kept.len(), 2 + 3, "as many as may be are kept: {kept:?}");
    assert_eq!(
        snapshot.left_out.list(),
        [
            left_out("large.tmp", WhyLeftOut::IgnoredTooMuch, 1, 200),
            left_out("data", WhyLeftOut::IgnoredTooMuch, 7, 35),
        ]
    );
    assert_eq!(snapshot.left_out.lost(), Amount { files: 8, bytes: 235 });
    assert!(snapshot.proof().is_none(), "what was not kept must stay");
    let message = message_of(&world, &snapshot);
    assert!(message.contains("- data: 7 files, 35 bytes (ignored"), "{message}");
    assert!(message.contains("- large.tmp: 1 files, 200 bytes (ignored"), "{message}");
}

#[test]
fn even_where_nothing_can_be_kept_a_commit_says_what_was_left() {
    let world = ignoring("*.tmp\n");
    let workspace = world.writer("w");
    put(&workspace, "large.tmp", "x".repeat(200));
    let caps = Caps { ignored_bytes_max: 100, ..Caps::default() };
    let snapshot = world.snapshot_within(&workspace, &caps).unwrap();
    assert!(!snapshot.changed);
    assert!(message_of(&world, &snapshot).contains("- large.tmp"), "{snapshot:?}");
}

#[test]
fn what_tools_can_make_again_does_not_hold_up_the_removal() {
    let world = ignoring("/out/\nnode_modules/\n/env/\n/cmake/\n/mixed/\n");
    let workspace = world.writer("w");
    put(&workspace, "out/CACHEDIR.TAG", TAG);
    put(&workspace, "env/pyvenv.cfg", "home = /usr\n");
    put(&workspace, "cmake/CMakeCache.txt", "x");
    put(&workspace, "mixed/own.txt", "by hand\n");
    for directory in ["out", "env", "cmake", "web/node_modules", "mixed/node_modules"] {
        fill(&workspace, directory, 4);
    }
    let caps = Caps { rebuildable_files_max: 5, ..Caps::default() };
    let snapshot = world.snapshot_within(&workspace, &caps).unwrap();
    let whys: Vec<&WhyLeftOut> = snapshot.left_out.list().iter().map(|left| &left.why).collect();
    assert!(whys.iter().all(|why| **why == WhyLeftOut::Rebuildable), "{snapshot:?}");
    assert_eq!(snapshot.left_out.rebuildable().files, 5 * 4 + 3 - 5);
    assert!(snapshot.proof().is_some());
    let kept = snapshot.kept.as_ref().unwrap().commit.clone();
    assert_eq!(world.content(&kept, "mixed/own.txt"), "by hand", "what is beside it is kept");
    assert!(message_of(&world, &snapshot).contains("can be made again"));
}

#[test]
fn a_name_or_a_wrong_tag_does_not_make_a_directory_one_that_can_be_made_again() {
    let world = ignoring("/build/\n/target/\n");
    let workspace = world.writer("w");
    put(&workspace, "build/own", "x".repeat(200));
    put(&workspace, "target/CACHEDIR.TAG", "Signature: of somebody else, which is long enough\n");
    put(&workspace, "target/own", "x".repeat(200));
    let caps = Caps { ignored_bytes_max: 100, ..Caps::default() };
    let snapshot = world.snapshot_within(&workspace, &caps).unwrap();
    assert_eq!(snapshot.left_out.lost(), Amount { files: 2, bytes: 400 });
    assert!(snapshot.proof().is_none());
}

#[test]
fn tracked_files_in_a_directory_that_can_be_made_again_are_work() {
    let world = World::with(|sandbox| {
        sandbox.write("node_modules/own.js", "1\n");
        sandbox.commit("second");
        sandbox.write(".gitignore", "node_modules/\n");
        sandbox.commit("third");
    });
    let workspace = world.writer("w");
    put(&workspace, "node_modules/own.js", "2\n");
    let caps = Caps { rebuildable_files_max: 0, ..Caps::default() };
    let snapshot = world.snapshot_within(&workspace, &caps).unwrap();
    assert_eq!(world.content(&snapshot.tree, "node_modules/own.js"), "2");
    assert_eq!(snapshot.left_out.list(), []);
}

#[test]
fn a_large_file_is_part_of_the_work() {
    let world = World::new();
    let workspace = world.writer("w");
    let path = put(&workspace, "large", "");
    File::options().write(true).open(path).unwrap().set_len(110 << 20).unwrap();
    let snapshot = world.snapshot(&workspace);
    let size = world.sandbox.git(["cat-file", "-s", &format!("{}:large", snapshot.tree)]);
    assert_eq!(size, (110 << 20).to_string());
    assert_eq!(snapshot.left_out.list(), []);
    assert!(snapshot.proof().is_some());
}

#[test]
fn a_file_that_is_too_large_for_a_checkout_is_kept_beside_the_work() {
    let world = World::new();
    let workspace = world.writer("w");
    put(&workspace, "README.md", "changed, ".repeat(20));
    put(&workspace, "huge", "x".repeat(101));
    put(&workspace, "small", "x".repeat(100));
    let caps = Caps { tree_file_bytes_max: 100, ..Caps::default() };
    let snapshot = world.snapshot_within(&workspace, &caps).unwrap();
    assert_eq!(world.files_of(&snapshot.tree), ["README.md", "small"]);
    let kept = &snapshot.kept.as_ref().unwrap().commit;
    assert_eq!(world.files_of(kept), ["README.md", "huge", "small"]);
    assert_eq!(world.content(kept, "README.md"), "changed, ".repeat(20));
    assert_eq!(world.content(kept, "huge"), "x".repeat(101));
    assert_eq!(snapshot.left_out.only_kept(), Amount { files: 2, bytes: 180 + 101 });
    assert!(snapshot.proof().is_some(), "nothing is lost");
}

#[test]
fn work_beyond_the_cap_guards_the_workspace() {
    let world = World::new();
    let workspace = world.writer("w");
    put(&workspace, "a", "x".repeat(60));
    put(&workspace, "b", "x".repeat(60));
    put(&workspace, "c", "x".repeat(40));
    let caps = Caps { work_bytes_max: 100, ..Caps::default() };
    let snapshot = world.snapshot_within(&workspace, &caps).unwrap();
    assert_eq!(world.files_of(&snapshot.tree), ["README.md", "a", "c"]);
    assert_eq!(snapshot.left_out.list(), [left_out("b", WhyLeftOut::TooBig, 1, 60)]);
    assert!(snapshot.proof().is_none());
}

#[test]
fn ignored_files_do_not_take_the_place_of_the_work() {
    let world = ignoring("/data/\n");
    let workspace = world.writer("w");
    fill(&workspace, "data", 50);
    put(&workspace, "work", "x");
    let caps = Caps { entries_max: 20, ..Caps::default() };
    let snapshot = world.snapshot_within(&workspace, &caps).unwrap();
    assert_eq!(world.files_of(&snapshot.tree), [".gitignore", "README.md", "work"]);
    assert!(snapshot.proof().is_some());
}
