//! Commits, trees, differences and refs.

use autopilot_engine::git::{ChangeKind, GitErrorKind, KeptRef, OwnRef, RepoPath};

use crate::world::{World, put, stamp};

#[test]
fn the_same_commit_gets_the_same_id_and_moves_no_ref() {
    let world = World::new();
    let refs = world.sandbox.git(["for-each-ref"]);
    let tree = world.project.tree_of(&world.head()).unwrap();
    let make = |message| world.project.commit(&[world.head()], &tree, message, &stamp()).unwrap();
    assert_eq!(make("subject\n\nbody\n"), make("subject\n\nbody\n"));
    assert_ne!(make("one"), make("other"));
    make("");
    let shown =
        world.sandbox.git(["log", "-1", "--format=%an %ae %at %cn %ct %B", make("-x").as_str()]);
    assert_eq!(shown, "autopilot autopilot@example.org 1700000100 autopilot 1700000100 -x");
    assert_eq!(world.sandbox.git(["for-each-ref"]), refs);
}

#[test]
fn files_are_written_into_trees_and_read_back() {
    let world = World::with(|sandbox| {
        sandbox.write("a/b", "old");
        sandbox.write("c", "keep");
        sandbox.commit("second");
    });
    let path = |text: &str| RepoPath::new(text).unwrap();
    let files = [
        (path("a/b"), b"new\0\xff".to_vec()),
        (path("x/-odd\n"), b"deep".to_vec()),
        (path("empty"), Vec::new()),
    ];
    let tree = world.project.tree_of(&world.head()).unwrap();
    let tree = world.project.write_tree_with(&tree, &files).unwrap();
    let commit = world.project.commit(&[world.head()], &tree, "m", &stamp()).unwrap();
    for (path, bytes) in files {
        assert_eq!(world.project.read_file_at(&commit, &path).unwrap(), Some(bytes));
    }
    assert_eq!(world.project.read_file_at(&commit, &path("c")).unwrap().unwrap(), b"keep");
    assert_eq!(world.project.read_file_at(&commit, &path("a")).unwrap(), None);
    assert_eq!(world.project.read_file_at(&commit, &path("none")).unwrap(), None);
}

#[test]
fn differences_are_counted_listed_and_bounded() {
    let world = World::with(|sandbox| {
        sandbox.write("gone", "1\n2\n");
        sandbox.write("same", "x");
        sandbox.commit("second");
        sandbox.write(".gitattributes", "* diff=evil\n");
        sandbox.git(["config", "diff.evil.command", "touch evil-ran"]);
        sandbox.git(["config", "diff.evil.textconv", "touch evil-ran"]);
        sandbox.commit("third");
    });
    let workspace = world.writer("w");
    put(&workspace, "new", "a\nb\nc\n");
    put(&workspace, "binary", b"\0\x01");
    put(&workspace, "README.md", "other\n");
    crate::world::remove(&workspace, "gone");
    let tree = world.snapshot(&workspace).tree;
    let stat = world.project.diff_stat(&world.head(), &tree).unwrap();
    assert_eq!((stat.files, stat.insertions, stat.deletions), (4, 4, 3));
    let changes = world.project.tree_paths_changed(&world.head(), &tree).unwrap();
    let listed: Vec<_> = changes
        .iter()
        .map(|change| (change.kind, std::str::from_utf8(&change.path).unwrap()))
        .collect();
    assert_eq!(
        listed,
        [
            (ChangeKind::Changed, "README.md"),
            (ChangeKind::Added, "binary"),
            (ChangeKind::Removed, "gone"),
            (ChangeKind::Added, "new"),
        ]
    );
    let whole = world.project.diff_text(&world.head(), &tree, 100_000).unwrap();
    assert!(!whole.cut && String::from_utf8_lossy(&whole.bytes).contains("+other"));
    let part = world.project.diff_text(&world.head(), &tree, 20).unwrap();
    assert!(part.cut && part.bytes == whole.bytes[..20]);
    assert!(!world.sandbox.project().join("evil-ran").exists());
    assert!(!world.sandbox.project().join(".git/evil-ran").exists());
}

#[test]
fn history_is_asked_by_id_and_names_are_not_options() {
    let world = World::new();
    let first = world.head();
    world.sandbox.commit("second");
    let second = world.head();
    assert!(world.project.is_ancestor(&first, &second).unwrap());
    assert!(!world.project.is_ancestor(&second, &first).unwrap());
    assert_eq!(world.project.rev_parse("HEAD~1").unwrap(), Some(first));
    assert_eq!(world.project.rev_parse("nothing").unwrap(), None);
    assert_eq!(world.project.rev_parse("--all").unwrap(), None);
}

#[test]
fn a_ref_moves_only_from_where_it_is_expected() {
    let world = World::new();
    let first = world.head();
    world.sandbox.commit("second");
    let second = world.head();
    let name = OwnRef::branch("r1/head").unwrap();
    world.project.update_ref(&name, &first, None).unwrap();
    for wrong in [None, Some(&second)] {
        let error = world.project.update_ref(&name, &second, wrong).unwrap_err();
        assert!(matches!(error.kind(), GitErrorKind::Moved), "{error:?}");
    }
    assert_eq!(world.project.read_ref(&name).unwrap(), Some(first.clone()));
    world.project.update_ref(&name, &second, Some(&first)).unwrap();
    assert_eq!(world.project.read_ref(&name).unwrap(), Some(second));
}

#[test]
fn kept_work_is_listed_and_given_back() {
    let world = World::with(|sandbox| {
        sandbox.write(".gitignore", "*.log\n");
        sandbox.commit("second");
    });
    let workspace = world.writer("w");
    put(&workspace, "new", "work\n");
    put(&workspace, "run.log", "log\n");
    put(&workspace, "nested/.git/config", "[core]\n");
    let kept = world.snapshot(&workspace).kept.unwrap();
    let expected = KeptRef { name: kept.reference, commit: kept.commit };
    for run in [None, Some("r1")] {
        assert_eq!(world.project.kept(run).unwrap(), std::slice::from_ref(&expected));
    }
    assert_eq!(world.project.kept(Some("r2")).unwrap(), []);

    let to = world.sandbox.root().join("restored");
    world.project.restore_to_directory(&expected, &to).unwrap();
    for (path, content) in [
        ("new", "work\n"),
        ("run.log", "log\n"),
        ("README.md", "hello\n"),
        ("nested/.autopilot-dot-git/config", "[core]\n"),
    ] {
        assert_eq!(std::fs::read_to_string(to.join(path)).unwrap(), content, "{path}");
    }
    world.project.restore_to_directory(&expected, &to).unwrap_err();

    let branch = OwnRef::branch("rescued/w").unwrap();
    world.project.restore_to_branch(&expected, &branch).unwrap();
    assert_eq!(world.sandbox.git(["show", "autopilot/rescued/w:new"]), "work");
}

#[test]
fn the_lock_of_a_git_that_died_is_broken_and_one_that_is_let_go_is_not() {
    let world = World::new();
    let head = world.project.head().unwrap().commit;
    let branch = OwnRef::branch("r1/head").unwrap();
    world.project.update_ref(&branch, &head, None).unwrap();
    let git = world.sandbox.project().join(".git");
    let theirs = git.join("refs/heads/main.lock");
    let stale = git.join("refs/heads/autopilot/r1/head.lock");
    let other = git.join("refs/heads/autopilot/r2/head.lock");
    let brief = git.join("refs/autopilot/r1/kept/x/1.lock");
    for lock in [&theirs, &stale, &other, &brief] {
        autopilot_testkit::repository::write(lock, "");
    }
    world.project.update_ref(&branch, &head, Some(&head)).expect_err("it is locked");
    let broken = std::thread::scope(|scope| {
        let breaking = scope.spawn(|| world.project.break_stale_locks("r1").unwrap());
        // Somebody who is alive lets go by himself.
        std::fs::remove_file(&brief).unwrap();
        breaking.join().unwrap()
    });
    assert_eq!(broken, std::slice::from_ref(&stale));
    assert!(!stale.exists() && other.exists() && theirs.exists());
    world.project.update_ref(&branch, &head, Some(&head)).unwrap();
}

#[test]
fn a_repository_without_a_directory_of_refs_has_no_stale_locks() {
    let world = World::new();
    // As where refs are kept in tables: there is a file in the place of the directory.
    autopilot_testkit::repository::write(
        &world.sandbox.project().join(".git/refs/heads/autopilot"),
        "",
    );
    assert_eq!(world.project.break_stale_locks("r1").unwrap(), Vec::<std::path::PathBuf>::new());
}
