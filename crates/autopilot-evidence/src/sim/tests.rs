//! What is chosen, from paths and texts alone.

use super::*;
use crate::protect::Protection;

const CALC: &str = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n";
const TEST: &str = "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n";

/// Files as the default settings class them.
fn files(list: &[(&str, &str)]) -> Vec<File> {
    let protected = Protection::default().compile().unwrap();
    let file = |(path, text): &(&str, &str)| File {
        path: (*path).to_owned(),
        text: (*text).to_owned(),
        class: protected.class_of(path.as_bytes()),
        usual: protected.class_of(path.as_bytes()),
    };
    list.iter().map(file).collect()
}

fn commands(list: &[&str]) -> Vec<String> {
    list.iter().map(|command| (*command).to_owned()).collect()
}

/// The breaks of these files.
fn broken(list: &[(&str, &str)], seed: u64) -> Vec<Play> {
    breaks(&Scene { files: &files(list), commands: &[], printed: &[], before: &[], seed })
}

/// The cheats of these files with these gates, each as its kind and its files.
fn hidden(list: &[(&str, &str)], gates: &[&str]) -> Vec<String> {
    let (files, commands) = (files(list), commands(gates));
    let scene = Scene { files: &files, commands: &commands, printed: &[], before: &[], seed: 0 };
    let told = |cheat: &Cheat| format!("{} {}", cheat.lie.as_str(), cheat.paths.join(","));
    cheats(&scene).iter().map(told).collect()
}

#[test]
fn only_code_that_judges_nothing_is_broken() {
    let list = [
        ("calc.py", CALC),
        ("tests/test_calc.py", TEST),
        ("README.md", "a + b\n"),
        ("package.json", "{}"),
        ("vendor/x.py", CALC),
    ];
    let plays = broken(&list, 0);
    assert!(plays.iter().all(|play| play.path == "calc.py"), "{plays:?}");
    for lie in [Lie::MutatesCode, Lie::EmptiesCode, Lie::DeletesCode] {
        assert!(plays.iter().any(|play| play.lie == lie), "{}", lie.as_str());
    }
    assert!(plays.iter().all(|play| play.lie.is_break() && play.hides_in.is_empty()));
}

#[test]
fn breaks_are_spread_over_files_and_the_same_for_the_same_seed() {
    let list = [("a_one.py", CALC), ("b_two.py", CALC), ("c_three.py", CALC)];
    let first = |seed: u64| -> Vec<String> {
        broken(&list, seed).into_iter().take(3).map(|play| play.path).collect()
    };
    for seed in 0..10 {
        let mut paths = first(seed);
        paths.sort_unstable();
        assert_eq!(paths, ["a_one.py", "b_two.py", "c_three.py"], "{seed}");
        assert_eq!(broken(&list, seed), broken(&list, seed));
    }
    assert!((1..10).any(|seed| first(seed) != first(0)), "seeds choose");
    let lies: Vec<Lie> = broken(&list, 0).into_iter().take(10).map(|play| play.lie).collect();
    assert!(lies.contains(&Lie::EmptiesCode) && lies.contains(&Lie::DeletesCode), "{lies:?}");
}

#[test]
fn what_the_last_commit_did_is_undone_where_it_did_something() {
    let old = "def add(a, b):\n    return a + b\n";
    let files = files(&[("calc.py", CALC), ("words.py", "# more words\nx = 1\n")]);
    let before = |path: &str, text: Option<&str>| Before {
        path: path.to_owned(),
        text: text.map(str::to_owned),
    };
    let first = |before: &[Before]| {
        let scene = Scene { files: &files, commands: &[], printed: &[], before, seed: 0 };
        breaks(&scene).into_iter().find(|play| play.lie == Lie::RevertsCode)
    };
    let play = first(&[before("calc.py", Some(old))]).unwrap();
    assert_eq!((play.path.as_str(), play.line), ("calc.py", Some(3)), "{play:?}");
    assert_eq!(play.changes[0].text.as_deref(), Some(old));
    assert_eq!(first(&[before("words.py", Some("# words\nx = 1\n"))]), None);
    assert_eq!(first(&[before("gone.py", Some(old))]), None);
}

#[test]
fn protected_tests_are_one_play_and_every_other_one_is_its_own() {
    let lists = hidden(
        &[
            ("src/lib.rs", "fn a() {}\n#[test]\nfn b() {\n    assert_eq!(a(), ());\n}\n"),
            ("tests/test_a.py", TEST),
            ("tests/test_b.py", TEST),
        ],
        &["pytest"],
    );
    for told in [
        "weakens-tests src/lib.rs",
        "weakens-tests tests/test_a.py,tests/test_b.py",
        "skips-tests src/lib.rs",
        "deletes-tests tests/test_a.py,tests/test_b.py",
        "empties-tests tests/test_a.py,tests/test_b.py",
        "adds-rules conftest.py",
    ] {
        assert!(lists.iter().any(|list| list == told), "{told}: {lists:?}");
    }
    assert!(!lists.iter().any(|list| list == "deletes-tests src/lib.rs"), "{lists:?}");
}

#[test]
fn scripts_commands_and_rules_follow_what_the_gates_run() {
    let list = [
        ("run.sh", "sh tests/all.sh\n"),
        ("other.sh", "true\n"),
        ("Makefile", "test:\n\tsh run.sh\n"),
        ("package.json", "{\"scripts\": {\"test\": \"node --test\"}}"),
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
        ("below/Makefile", "all:\n"),
        (".github/workflows/ci.yml", "jobs: {}\n# more\n"),
    ];
    let mut told =
        hidden(&list, &["sh ./run.sh", "make test", "python3 -m unittest", "cargo test"]);
    let mut expected = vec![
        "passes-script run.sh",
        "adds-rules unittest.py",
        "adds-rules GNUmakefile",
        "adds-rules .cargo/config.toml",
        "changes-command Makefile",
        "changes-command package.json",
        "changes-command Cargo.toml",
        "empties-ci .github/workflows/ci.yml",
    ];
    expected.sort_unstable();
    told.sort_unstable();
    assert_eq!(told, expected);
    assert!(!hidden(&list, &["true"]).iter().any(|list| list.starts_with("adds-rules")));
}

#[test]
fn a_cheat_goes_over_the_break_that_it_could_hide() {
    let both =
        "fn add() -> i32 {\n    1 + 2\n}\n#[test]\nfn adds() {\n    assert_eq!(add(), 3);\n}\n";
    let files = files(&[("src/other.rs", "fn f() -> i32 {\n    1 + 1\n}\n"), ("src/lib.rs", both)]);
    let scene = Scene {
        files: &files,
        commands: &commands(&["cargo test"]),
        printed: &[],
        before: &[],
        seed: 0,
    };
    let caught: Vec<Play> =
        breaks(&scene).into_iter().filter(|play| play.lie == Lie::MutatesCode).collect();
    let cheat = cheats(&scene).into_iter().find(|cheat| cheat.lie == Lie::WeakensTests).unwrap();
    let below = cheat.underlay(&files, &caught).unwrap();
    assert_eq!(below.path, "src/lib.rs");
    let play = cheat.over(&files, below);
    let text = play.changes[0].text.as_deref().unwrap();
    assert_eq!(play.changes.len(), 1);
    assert!(text.contains("assert!(true);") && !text.contains("    1 + 2\n"), "{text}");
    assert_eq!(play.hides_in, ["src/lib.rs"]);
    assert!(cheat.underlay(&files, &[]).is_none());
}

#[test]
fn tests_are_weakened_and_skipped_in_the_way_of_their_language() {
    let rows: [(&str, &str, Lie, &str); 9] = [
        (
            "test_a.py",
            "def test_a():\n    assert f(1) == 2\n",
            Lie::WeakensTests,
            "    assert True",
        ),
        (
            "test_a.py",
            "def test_a():\n    self.assertEqual(f(1), 2)\n",
            Lie::WeakensTests,
            "    self.assertTrue(True)",
        ),
        ("test_a.py", "def test_a():\n    pass\n", Lie::SkipsTests, "raise unittest.SkipTest"),
        (
            "a.test.js",
            "test('a', () => {\n  expect(f(1)).toBe(2);\n});\n",
            Lie::WeakensTests,
            "  void 0;",
        ),
        (
            "a.test.js",
            "test('a', () => {\n  expect(f(1)).toBe(2);\n});\n",
            Lie::SkipsTests,
            "test.skip('a'",
        ),
        (
            "a_test.go",
            "func TestA(t *testing.T) {\n\tt.Errorf(\"a\")\n}\n",
            Lie::WeakensTests,
            "\tt.Logf(\"a\")",
        ),
        ("a_test.go", "func TestA(t *testing.T) {\n}\n", Lie::SkipsTests, "\tt.Skip()"),
        ("a_test.sh", ". ./a.sh\n[ \"$(f 1)\" = 2 ]\n", Lie::WeakensTests, "true"),
        ("a_test.sh", "[ 1 = 1 ]\n", Lie::SkipsTests, "exit 0"),
    ];
    for (path, text, lie, expected) in rows {
        let files = files(&[(path, text), ("code.py", CALC)]);
        let scene = Scene { files: &files, commands: &[], printed: &[], before: &[], seed: 0 };
        let cheat = cheats(&scene).into_iter().find(|cheat| cheat.lie == lie);
        let play = cheat.unwrap().over(&files, &breaks(&scene)[0]);
        let change = play.changes.iter().find(|change| change.path == path).unwrap();
        let text = change.text.as_deref().unwrap();
        assert!(text.lines().any(|line| line.starts_with(expected)), "{path}: {text}");
    }
}

#[test]
fn plays_are_shared_and_what_one_side_cannot_use_goes_to_the_other() {
    for (max, open, hidden, expected) in [
        (20, 100, 100, 10),
        (20, 100, 3, 17),
        (20, 4, 100, 4),
        (20, 2, 3, 2),
        (1, 5, 5, 1),
        (0, 5, 5, 0),
        (7, 0, 9, 0),
    ] {
        assert_eq!(share(max, open, hidden), expected, "{max} {open} {hidden}");
    }
}

#[test]
fn whatever_ends_with_success_prints_what_the_gate_printed() {
    let files = files(&[
        ("code.py", CALC),
        ("run.sh", "#!/bin/sh -e\nsh tests/all.sh\n"),
        ("all.py", "run()\n"),
        ("Makefile", "test:\n\tsh run.sh\n"),
        ("package.json", "{\"scripts\": {\"test\": \"node --test\"}}"),
    ]);
    let commands = commands(&["sh run.sh", "make test", "npm test", "python3 all.py"]);
    let printed = ["it's 1 passed", "make: $2 passed", "3 passed", "4 \"passed\"\nin all"];
    let printed = printed.map(str::to_owned);
    let scene =
        Scene { files: &files, commands: &commands, printed: &printed, before: &[], seed: 0 };
    let below = breaks(&scene).remove(0);
    for (path, expected) in [
        ("run.sh", "#!/bin/sh -e\nprintf '%s\\n' 'it'\\''s 1 passed'\nexit 0\n"),
        ("Makefile", "%:\n\t@printf '%s\\n' 'make: $$2 passed'\n"),
        ("GNUmakefile", "%:\n\t@printf '%s\\n' 'make: $$2 passed'\n"),
        (
            "package.json",
            "{\n  \"scripts\": {\n    \"test\": \"printf '%s\\\\n' '3 passed'\"\n  }\n}\n",
        ),
        ("all.py", "print(\"4 \\\"passed\\\"\\nin all\")\nraise SystemExit(0)\n"),
    ] {
        let cheats = cheats(&scene).into_iter();
        let mut cheats = cheats.filter(|cheat| cheat.paths == [path]);
        let play = cheats.next().unwrap().over(&files, &below);
        let change = play.changes.iter().find(|change| change.path == path);
        assert_eq!(change.unwrap().text.as_deref(), Some(expected), "{path}");
    }
}
