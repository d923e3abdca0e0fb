//! Manifests before and after their frozen parts were put back.

use proptest::prelude::*;

use super::*;

fn merged(name: &str, base: &str, now: &str) -> Merged {
    frozen(name.as_bytes(), base, now)
}

/// The manifest after its frozen parts were put back, to look at.
fn restored(name: &str, base: &str, now: &str) -> String {
    match merged(name, base, now) {
        Merged::Restored(text) => text,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn work_in_a_manifest_is_left_alone() {
    for (name, base, now) in [
        (
            "package.json",
            r#"{"version":"1","scripts":{"test":"jest"}}"#,
            r#"{"version":"2","dependencies":{"a":"1"},"bin":"x","scripts":{"test":"jest"}}"#,
        ),
        (
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":{"test":"jest","preview":"vite","start":"node ."}}"#,
        ),
        ("web/package.json", r#"{"workspaces":["a"]}"#, r#"{"workspaces":["a","b"]}"#),
        (
            "tsconfig.build.json",
            "{// why\n\"compilerOptions\":{\"strict\":true,},}",
            r#"{"compilerOptions":{"strict":true,"paths":{"@/*":["src/*"]}}}"#,
        ),
        (
            "Cargo.toml",
            "[package]\nname='a'\n[lints]\nworkspace=true\n",
            "[package]\nname='a'\nversion='2.0.0'\n[dependencies]\nserde='1'\n[[bin]]\nname='x'\n[lints]\nworkspace = true\n",
        ),
        ("Cargo.toml", "[workspace]\nmembers=['a']\n", "[workspace]\nmembers=['a','b']\n"),
        (
            "Cargo.toml",
            "[package]\nname='a'\n",
            "[package]\nname='a'\n[profile.release]\nlto=true\n",
        ),
        (
            "pyproject.toml",
            "[tool.ruff]\nline-length=80\n",
            "[project]\nname='x'\n[tool.ruff]\nline-length = 80 # wide\n",
        ),
        (
            "setup.cfg",
            "[metadata]\nname=a\n[flake8]\nmax=80\n",
            "[metadata]\nname=b\n\n[flake8]\n# why\nmax=80\n\n",
        ),
        ("tsconfig.json", r#"{"compilerOptions":{"jsx":"react"}}"#, "{}"),
        (
            "package.json",
            r#"{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}"#,
            r#"{"scripts":{"test":"node --test","start":"node ."}}"#,
        ),
        (
            "Cargo.toml",
            "[package]\nname='a'\n",
            "[package]\nname='a'\n[[test]]\nname='cli'\npath='tests/cli.rs'\n",
        ),
        (
            "Cargo.toml",
            "[[test]]\nname='a'\nharness=false\n",
            "[[test]]\nname='a'\nharness=false\n[[test]]\nname='cli'\npath='tests/cli/main.rs'\n",
        ),
        ("README.md", "a", "b"),
        ("my-package.json", r#"{"scripts":{"test":"jest"}}"#, "{}"),
    ] {
        assert_eq!(merged(name, base, now), Merged::Same, "{name}: {now}");
    }
}

#[test]
fn what_decides_a_check_is_put_back() {
    let json = |name: &str, base: &str, now: &str| -> serde_json::Value {
        serde_json::from_str(&restored(name, base, now)).unwrap()
    };
    for (name, base, now, wanted) in [
        (
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":{"test":"true","x":"y"},"version":"2"}"#,
            r#"{"scripts":{"test":"jest","x":"y"},"version":"2"}"#,
        ),
        ("package.json", r#"{"scripts":{"test":"jest"}}"#, "{}", r#"{"scripts":{"test":"jest"}}"#),
        (
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":{"test":"jest","pretest":"exit 0","posttest":"x","prepare":"x","pre-x":"x"}}"#,
            r#"{"scripts":{"test":"jest"}}"#,
        ),
        ("package.json", "{}", r#"{"jest":{"testPathIgnorePatterns":["/"]}}"#, "{}"),
        (
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":"none"}"#,
            r#"{"scripts":{"test":"jest"}}"#,
        ),
        // Of a key that is there twice the last one is what npm reads.
        (
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":{"test":"jest"},"scripts":{"test":"true"}}"#,
            r#"{"scripts":{"test":"jest"}}"#,
        ),
        (
            "package.json",
            r#"{"workspaces":{"packages":["a","b"]}}"#,
            r#"{"workspaces":{"packages":["c"]}}"#,
            r#"{"workspaces":{"packages":["c","a","b"]}}"#,
        ),
        (
            "tsconfig.json",
            r#"{"compilerOptions":{"strict":true}}"#,
            r#"{"compilerOptions":{"strict":false,"jsx":"react"}}"#,
            r#"{"compilerOptions":{"strict":true,"jsx":"react"}}"#,
        ),
        (
            "tsconfig.json",
            r#"{"exclude":["dist"]}"#,
            r#"{"exclude":["dist","src/bad.ts"]}"#,
            r#"{"exclude":["dist"]}"#,
        ),
        (
            "tsconfig.json",
            r#"{"a":1}"#,
            r#"{"a":1,"compilerOptions":{"noCheck":true}}"#,
            r#"{"a":1,"compilerOptions":{}}"#,
        ),
        (
            "deno.jsonc",
            r#"{"tasks":{"test":"deno test"}}"#,
            r#"{"tasks":{"test":"true"}, /* x */ "lint":{"exclude":["."]},}"#,
            r#"{"tasks":{"test":"deno test"}}"#,
        ),
        (
            "composer.json",
            r#"{"scripts":{"test":"phpunit"}}"#,
            r#"{"require":{"a":"1"},"scripts":{"test":"@php -v"}}"#,
            r#"{"require":{"a":"1"},"scripts":{"test":"phpunit"}}"#,
        ),
    ] {
        let wanted: serde_json::Value = serde_json::from_str(wanted).unwrap();
        assert_eq!(json(name, base, now), wanted, "{name}: {now}");
    }
}

#[test]
fn what_decides_a_check_is_put_back_in_toml() {
    for (name, base, now, wanted) in [
        (
            "Cargo.toml",
            "[lints.clippy]\nall='deny'\n",
            "[package]\nversion='2'\n[lints.clippy]\nall='allow'\n",
            "[package]\nversion='2'\n[lints.clippy]\nall='deny'\n",
        ),
        (
            "Cargo.toml",
            "[package]\nname='a'\n",
            "[package]\nname='a'\nautotests=false\n",
            "[package]\nname='a'\n",
        ),
        (
            "Cargo.toml",
            "[package]\nname='a'\n",
            "[package]\nname='a'\n[[test]]\nname='t'\npath='other.rs'\n",
            "[package]\nname='a'\n",
        ),
        (
            "Cargo.toml",
            "[[bin]]\nname='a'\n",
            "[[bin]]\nname='a'\ntest=false\n[[bin]]\nname='b'\ntest=false\n",
            "[[bin]]\nname='a'\n[[bin]]\nname='b'\ntest=false\n",
        ),
        (
            "Cargo.toml",
            "[workspace]\nmembers=['a','b']\n",
            "[workspace]\nmembers=['a']\nexclude=['b']\n",
            "[workspace]\nmembers=['a','b']\n",
        ),
        (
            "Cargo.toml",
            "[lib]\npath='x.rs'\n",
            "[lib]\npath='y.rs'\nharness=false\n",
            "[lib]\npath='x.rs'\n",
        ),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\naddopts='-q'\n",
            "d=1979-05-27T07:32:00Z\n[tool.pytest.ini_options]\naddopts='--ignore=tests'\n[tool.new]\na=1\n",
            "d=1979-05-27T07:32:00Z\n[tool.pytest.ini_options]\naddopts='-q'\n[tool.new]\na=1\n",
        ),
        (
            "pyproject.toml",
            "[tool.mypy]\nstrict=true\n",
            "[project]\nname='a'\n",
            "[project]\nname='a'\n[tool.mypy]\nstrict=true\n",
        ),
        (
            "pyproject.toml",
            "",
            "[project.entry-points.pytest11]\nx='evil'\n",
            "[project.entry-points]\n",
        ),
    ] {
        let read = |text: &str| text.parse::<::toml::Table>().unwrap();
        assert_eq!(read(&restored(name, base, now)), read(wanted), "{name}: {now}");
    }
}

#[test]
fn what_tests_are_written_with_stays_where_it_comes_from() {
    let base = r#"{"devDependencies":{"chai":"^5"}}"#;
    let now = r#"{"devDependencies":{"chai":"file:./fake","mine":"file:./mine"}}"#;
    let text = restored("package.json", base, now);
    let read: serde_json::Value = serde_json::from_str(&text).unwrap();
    let wanted = serde_json::json!({"devDependencies": {"chai": "^5", "mine": "file:./mine"}});
    assert_eq!(read, wanted);
    for (name, base, now, wanted) in [
        (
            "Cargo.toml",
            "[dev-dependencies]\npretty_assertions='1'\n",
            "[dev-dependencies]\npretty_assertions={path='fake'}\nmine={path='mine'}\n[patch.crates-io]\nx={path='x'}\n",
            "[dev-dependencies]\npretty_assertions='1'\nmine={path='mine'}\n",
        ),
        (
            "Cargo.toml",
            "[package]\nname='a'\n",
            "[package]\nname='a'\n[[test]]\nname='sub'\ntest=false\n[[test]]\nname='b'\nharness=false\n",
            "[package]\nname='a'\n",
        ),
        (
            "Cargo.toml",
            "[[test]]\nname='a'\nharness=false\n",
            "[[test]]\nname='a'\npath='tests/a.rs'\n",
            "[[test]]\nname='a'\nharness=false\n",
        ),
    ] {
        let read = |text: &str| text.parse::<::toml::Table>().unwrap();
        assert_eq!(read(&restored(name, base, now)), read(wanted), "{name}: {now}");
    }
}

#[test]
fn what_tests_are_written_with_stays_in_its_directory() {
    let check = "check={path='third_party/check'}\n";
    for table in ["dev-dependencies", "workspace.dependencies"] {
        let base = format!("[{table}]\n{check}");
        let now = format!("[{table}]\ncheck={{path='mine'}}\nnew={{path='new'}}\n");
        let wanted = format!("[{table}]\n{check}new={{path='new'}}\n");
        let read = |text: &str| text.parse::<::toml::Table>().unwrap();
        assert_eq!(read(&restored("Cargo.toml", &base, &now)), read(&wanted), "{table}");
    }
    let moved = ("[dependencies]\na={path='a'}\n", "[dependencies]\na={path='libs/a'}\n");
    assert_eq!(merged("Cargo.toml", moved.0, moved.1), Merged::Same, "code may move");
    let base = r##"{"imports":{"#check":"./support/check.js"}}"##;
    let now = r##"{"imports":{"#check":"./kind.js","#new":"./new.js"}}"##;
    let text = restored("package.json", base, now);
    assert!(text.contains("support/check.js") && text.contains("new.js"), "{text}");
}

#[test]
fn modules_of_go_stay_where_they_were() {
    let base = "module a\n\ngo 1.19\n\nrequire x.org/assert v0.0.0\n\nreplace x.org/assert => ./third_party/assert\n";
    let plain = "module a\n\ngo 1.19\n\nrequire (\n\tx.org/assert v1.0.0 // why\n)\n";
    for (base, now) in [
        (
            base,
            "module a\ngo 1.21\nrequire (\n\tx.org/assert v0.0.0\n\tx.org/new v1.0.0\n)\nreplace (\n\tx.org/assert => ./third_party/assert\n\tx.org/new => ./new\n)\n",
        ),
        (plain, "module a\n\ngo 1.19\n\nrequire x.org/assert v1.2.0\nrequire x.org/other v1.0.0\n"),
        (
            plain,
            "module a\n\ngo 1.19\n\nrequire x.org/assert v1.0.0\nreplace x.org/assert => x.org/fork v1.0.1\n",
        ),
    ] {
        assert_eq!(merged("go.mod", base, now), Merged::Same, "{now}");
    }
    let mine = base.replace("./third_party/assert", "./mine");
    let gone = base.split("replace").next().unwrap();
    for now in [mine.as_str(), gone] {
        let text = restored("go.mod", base, now);
        assert!(text.ends_with("replace x.org/assert => ./third_party/assert\n"), "{text}");
        assert!(!text.contains("mine") && text.starts_with("module a\ngo 1.19\n"), "{text}");
    }
    let text = restored("go.mod", plain, &format!("{plain}replace x.org/assert => ./mine\n"));
    assert!(text.contains("require x.org/assert v1.0.0\n") && !text.contains("mine"), "{text}");
    let text = restored("go.work", "go 1.19\nuse ./a\nuse ./b\n", "go 1.19\nuse ./a\n");
    assert!(text.contains("use ./b\n"), "{text}");
}

#[test]
fn what_needs_other_peoples_code_is_told() {
    for (name, text, wanted) in [
        ("go.mod", "module a\n\ngo 1.19\n", false),
        ("go.mod", "module a\nrequire (\n\tb v1\n)\n", true),
        ("a/Cargo.toml", "[package]\nname='a'\n[dependencies]\n", false),
        ("Cargo.toml", "[dev-dependencies]\nb='1'\n", true),
        ("Cargo.toml", "[workspace.dependencies]\nb='1'\n", true),
        ("Cargo.toml", "[target.x.dependencies]\nb='1'\n", true),
        ("Cargo.toml", "[", true),
    ] {
        assert_eq!(fetches(name.as_bytes(), text), wanted, "{name}: {text}");
    }
    assert!(names_only_sources(
        "[source.crates-io]\nreplace-with='v'\n[source.v]\ndirectory='v'\n"
    ));
    assert!(!names_only_sources("[source.v]\ndirectory='v'\n[target.x]\nrunner='y'\n"));
}

#[test]
fn a_new_manifest_has_no_say_in_how_tests_run() {
    for (name, now, wanted) in [
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts='-p evil'\n", "[tool]\n"),
        (
            "setup.cfg",
            "[metadata]\nname = a\n[tool:pytest]\naddopts = -p evil\n",
            "[metadata]\nname = a\n",
        ),
        ("package.json", r#"{"scripts":{"test":"jest"},"jest":{"setupFiles":["./x"]}}"#, ""),
    ] {
        let Merged::Restored(text) = without_rules(name.as_bytes(), now) else {
            panic!("{name} should lose something")
        };
        assert!(wanted.is_empty() || text == wanted, "{name}: {text}");
        assert!(!text.contains("evil") && !text.contains("setupFiles"), "{name}: {text}");
    }
    for (name, now) in [
        ("pyproject.toml", "[project]\nname = 'a'\n[tool.poetry]\nname = 'a'\n"),
        ("package.json", r#"{"name":"a","scripts":{"test":"jest","start":"node ."}}"#),
        ("tsconfig.json", r#"{"compilerOptions":{"strict":true}}"#),
        ("Cargo.toml", "[package]\nname = 'a'\n"),
        ("calc.py", "x = 1\n"),
    ] {
        assert_eq!(without_rules(name.as_bytes(), now), Merged::Same, "{name}");
    }
}

#[test]
fn sections_are_put_back() {
    let base = "[metadata]\nname = a\n[tool:pytest]\naddopts = -q\n[flake8]\nmax = 80\n";
    let now =
        "# hi\n[metadata]\nname = b\n[tool:pytest]\naddopts = --co\n[mypy-x]\nignore_errors = 1\n";
    let wanted = "# hi\n[metadata]\nname = b\n[tool:pytest]\naddopts = -q\n[flake8]\nmax = 80\n";
    assert_eq!(restored("setup.cfg", base, now), wanted);
    assert_eq!(merged("setup.cfg", base, "addopts = x\n"), Merged::Unreadable);
}

#[test]
fn order_that_means_something_is_kept() {
    let now = r#"{"exports":{"import":"./a.mjs","default":"./a.js"},"scripts":{"test":"true"}}"#;
    let text = restored("package.json", r#"{"scripts":{"test":"jest"}}"#, now);
    assert!(text.find("\"import\"") < text.find("\"default\""), "{text}");
}

#[test]
fn what_cannot_be_read_is_told() {
    let deep = "[".repeat(100_000);
    for (name, base, now) in [
        ("package.json", "{}", "{"),
        ("package.json", "{}", "[]"),
        ("package.json", "{}", "{/* a */}"),
        ("package.json", "nonsense", "{}"),
        ("Cargo.toml", "", "[package"),
        ("Cargo.toml", "", "a=1\na=2\n"),
        ("package.json", "{}", deep.as_str()),
    ] {
        assert_eq!(merged(name, base, now), Merged::Unreadable, "{name}");
    }
}

proptest! {
    #[test]
    fn a_manifest_that_did_not_change_is_the_same(
        at in 0..MANIFESTS.len(), text in "[{}\\[\\]\":,=a-c\\n#/* ]{0,60}",
    ) {
        let name = MANIFESTS[at].names[0].replace('*', "");
        prop_assert_eq!(merged(&name, &text, &text), Merged::Same);
    }

    #[test]
    fn any_two_texts_are_survived(
        at in 0..MANIFESTS.len(),
        base in "[{}\\[\\]\":,=a-c\\n#/* ]{0,40}",
        now in "[{}\\[\\]\":,=a-c\\n#/* ]{0,40}",
    ) {
        let name = MANIFESTS[at].names[0].replace('*', "");
        merged(&name, &base, &now);
    }

    #[test]
    fn what_was_put_back_stays(
        test in "[a-z]{1,3}", lint in "[a-z]{1,3}", new in "[a-z]{1,4}", version in 0..9_u8,
    ) {
        let base = format!(r#"{{"scripts":{{"test":"{test}"}},"jest":{{"a":"{lint}"}}}}"#);
        let now = format!(r#"{{"version":{version},"scripts":{{"test":"x{new}","{new}":"y"}}}}"#);
        let text = restored("package.json", &base, &now);
        prop_assert_eq!(merged("package.json", &base, &text), Merged::Same);
    }
}
