//! The size cap, and maps that are brought up to date.

use std::collections::BTreeMap;

use autopilot_repomap::{FILE_BYTES_MAX, LINES_MAX, Refresh, RepoMap, Unread};
use proptest::prelude::*;

/// A project: the text of each file by its path.
type Tree = BTreeMap<String, String>;

fn tree(files: &[(&str, &str)]) -> Tree {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

fn start(earlier: Option<RepoMap>, tree: &Tree) -> Refresh {
    let listing = tree.iter().map(|(path, text)| (path.clone(), format!("id of {text}")));
    Refresh::new(earlier, "/p", listing)
}

/// Brings a map up to date: what was read in each round, and what came of it.
fn refresh(earlier: Option<RepoMap>, tree: &Tree) -> (Vec<Vec<String>>, Option<RepoMap>) {
    let mut refresh = start(earlier, tree);
    let mut rounds = Vec::new();
    loop {
        let owed = refresh.take_owed();
        if owed.is_empty() {
            return (rounds, refresh.finish("now"));
        }
        owed.iter().for_each(|path| refresh.learn(path, tree[path].as_bytes()));
        rounds.push(owed);
    }
}

fn fresh(tree: &Tree) -> RepoMap {
    refresh(None, tree).1.expect("there was no map before")
}

fn lines(map: &RepoMap) -> u64 {
    map.text().lines().count() as u64
}

/// A file with so many exports, imports and functions.
fn python(exports: usize, imports: usize, functions: usize) -> String {
    let exports = (0..exports).map(|n| format!("A{n} = 1\n"));
    let imports = (0..imports).map(|n| format!("import m{n}\n"));
    let functions = (0..functions).map(|n| format!("def _f{n}(a): return _f0(a)\n"));
    exports.chain(imports).chain(functions).collect()
}

/// Which lists the only file of a project keeps.
fn kept(text: &str) -> (bool, [bool; 5]) {
    let map = fresh(&tree(&[("a.py", text)]));
    let file = &map.files[0];
    let lists = [
        file.exports.is_some(),
        file.imports.is_some(),
        file.functions.is_some(),
        file.classes.is_some(),
        file.call_graph.is_some(),
    ];
    assert!(lines(&map) <= LINES_MAX, "{}", lines(&map));
    (map.size_cap_applied, lists)
}

#[test]
fn c44_over_500_lines_three_stages_leave_out_more_and_more() {
    assert_eq!(kept(&python(100, 100, 100)), (false, [true; 5]));
    assert_eq!(kept(&python(100, 100, 300)), (true, [true, true, false, false, false]));
    assert_eq!(kept(&python(300, 300, 300)), (true, [true, false, false, false, false]));
    assert_eq!(kept(&python(600, 600, 600)), (true, [false; 5]));
}

#[test]
fn c44_exactly_500_lines_are_not_cut() {
    let longest = (460..500)
        .map(|exports| fresh(&tree(&[("a.py", &python(exports, 0, 0))])))
        .take_while(|map| !map.size_cap_applied)
        .last()
        .unwrap();
    assert_eq!(lines(&longest), LINES_MAX);
}

#[test]
fn c44_at_the_last_stage_every_path_is_listed_and_the_summary_counts_everything() {
    let many: Tree = (0..700).map(|n| (format!("f{n:03}.py"), python(1, 2, 0))).collect();
    let map = fresh(&many);
    assert!(map.size_cap_applied);
    assert_eq!(map.files.len(), 700);
    assert!(map.files.iter().all(|file| file.language.is_none() && file.exports.is_none()));
    assert_eq!(map.summary.total_files, 700);
    assert_eq!(map.summary.languages["python"], 700);
    assert_eq!(map.summary.top_importers[0].import_count, 2);
    assert_eq!(refresh(Some(map), &many), (vec![], None));
}

#[test]
fn c44_an_unchanged_tree_is_no_work_and_the_same_bytes() {
    for project in [
        tree(&[]),
        tree(&[("a.py", "x = 1\n"), ("b.rs", "fn b() {}\n"), ("c.md", "# C\n"), ("d.ts", "\0")]),
        tree(&[("a.py", &python(600, 600, 600)), ("b.py", "x = 1\n")]),
    ] {
        let text = fresh(&project).text();
        let read = RepoMap::parse(&text).unwrap();
        assert_eq!(read.text(), text);
        let (rounds, map) = refresh(Some(read), &project);
        assert!(rounds.is_empty() && map.is_none(), "{rounds:?} {map:?}");
    }
}

#[test]
fn c44_only_new_and_changed_files_are_read_again() {
    let before = tree(&[("a.py", "a = 1\n"), ("b.py", "b = 1\n"), ("c.py", "c = 1\n")]);
    let after = tree(&[("a.py", "a = 1\n"), ("b.py", "bb = 1\n"), ("d.py", "d = 1\n")]);
    let (rounds, map) = refresh(Some(fresh(&before)), &after);
    assert_eq!(rounds, [["b.py", "d.py"]]);
    assert_eq!(map.unwrap(), fresh(&after));

    let fewer = tree(&[("a.py", "a = 1\n")]);
    let (rounds, map) = refresh(Some(fresh(&after)), &fewer);
    assert!(rounds.is_empty());
    assert_eq!(map.unwrap(), fresh(&fewer));
}

#[test]
fn c44_a_map_that_has_room_again_asks_for_what_was_left_out() {
    let large = tree(&[("a.py", "a = 1\n"), ("b.py", &python(600, 0, 0)), ("c.py", "import c\n")]);
    let small = tree(&[("a.py", "a = 1\n"), ("b.py", "b = 1\n"), ("c.py", "import c\n")]);
    let (rounds, map) = refresh(Some(fresh(&large)), &small);
    assert_eq!(rounds, [vec!["b.py"], vec!["a.py", "c.py"]]);
    assert_eq!(map.unwrap(), fresh(&small));
}

#[test]
fn c44_entries_without_a_basis_of_ours_are_read_again() {
    let project = tree(&[("a.py", "a = 1\n"), ("b.py", "b = 1\n")]);
    let map = fresh(&project);
    type Change = fn(&mut RepoMap);
    let changes: [Change; 5] = [
        |map| map.files[0].basis = None,
        |map| map.files[0].basis.as_mut().unwrap().rules += 1,
        |map| map.files[0].basis.as_mut().unwrap().identity.clear(),
        |map| map.files[0].exports.as_mut().unwrap().clear(),
        |map| map.files.remove(0).path.clear(),
    ];
    for change in changes {
        let mut earlier = map.clone();
        change(&mut earlier);
        let (rounds, again) = refresh(Some(earlier), &project);
        assert_eq!(rounds, [["a.py"]]);
        assert_eq!(again, Some(map.clone()));
    }
    let mut other_version = map;
    other_version.version = 2;
    assert_eq!(refresh(Some(other_version), &project).0, [["a.py", "b.py"]]);
}

#[test]
fn c44_excluded_and_foreign_files_are_never_asked_for() {
    let project =
        tree(&[("a.py", ""), ("node_modules/b.js", ""), ("c.png", ""), (".git/d.py", "")]);
    assert_eq!(refresh(None, &project).0, [["a.py"]]);
}

#[test]
fn c44_files_that_cannot_be_read_are_listed_and_asked_for_again() {
    let project = tree(&[("a.py", "a = 1\n"), ("b.py", "b = 1\n")]);
    let mut first = start(None, &project);
    assert_eq!(first.take_owed(), ["a.py", "b.py"]);
    first.learn("a.py", b"a = 1\n");
    first.learn("elsewhere.py", b"");
    assert!(first.take_owed().is_empty());
    let map = first.finish("then").unwrap();
    assert_eq!(map.files[1].unread, Some(Unread::NotRead));
    assert_eq!(map.summary.total_files, 2);
    let (rounds, map) = refresh(Some(map), &project);
    assert_eq!(rounds, [["b.py"]]);
    assert_eq!(map.unwrap(), fresh(&project));
}

#[test]
fn c44_a_file_that_is_too_large_is_told_and_not_read_again() {
    let project = tree(&[("a.py", &" ".repeat(FILE_BYTES_MAX + 1))]);
    let map = fresh(&project);
    assert_eq!(map.files[0].unread, Some(Unread::TooLarge));
    assert!(map.text().contains("\"unread\":\"too_large\""));
    assert_eq!(refresh(Some(map), &project), (vec![], None));
}

#[test]
fn c44_the_time_changes_only_with_the_map() {
    let project = tree(&[("a.py", "a = 1\n")]);
    let map = fresh(&project);
    let unmoved = start(Some(map.clone()), &project);
    assert_eq!(unmoved.finish("later"), None);
    let listing = [("a.py".to_owned(), "id of a = 1\n".to_owned())];
    let moved = Refresh::new(Some(map), "/elsewhere", listing).finish("later").unwrap();
    assert_eq!((moved.generated_at.as_str(), moved.project_root.as_str()), ("later", "/elsewhere"));
}

/// A project of a few files that are long enough to meet every stage.
fn any_tree() -> impl Strategy<Value = Tree> {
    let file = (0..4usize, 0..4usize, 0..4usize);
    proptest::collection::btree_map("[a-f]", file, 0..5).prop_map(|files| {
        let text =
            |(exports, imports, functions)| python(exports * 40, imports * 40, functions * 40);
        files.into_iter().map(|(name, sizes)| (format!("{name}.py"), text(sizes))).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// However a project came to be what it is, its map is the one that is made of it at once.
    #[test]
    fn c44_refreshing_gives_the_map_that_is_made_from_nothing(before in any_tree(), after in any_tree()) {
        let earlier = fresh(&before);
        let (rounds, map) = refresh(Some(earlier.clone()), &after);
        let expected = fresh(&after);
        prop_assert_eq!(&map.unwrap_or(earlier), &expected);
        prop_assert!(rounds.len() <= 2);
        prop_assert!(lines(&expected) <= LINES_MAX);
    }
}
