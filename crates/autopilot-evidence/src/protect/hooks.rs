//! New files that change how other tests run, though they are no configuration by their name.

mod modules;

use self::modules::{LOADED, STANDARD};
use super::paths;

/// A module of Python or of a test library whose place a file takes where Python looks first for modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced<'a> {
    /// The directory in which Python would have to look.
    pub directory: &'a str,
    /// The module.
    pub module: &'static str,
    /// Whether runners load it, so that it matters whatever tests load.
    pub is_loaded: bool,
}

/// Tells whether a file holds no tests but what runs around all tests beside and below it.
pub(super) fn is_hook(path: &[u8]) -> bool {
    const HOOKS: [&[u8]; 9] = [
        b"conftest.py",
        b"__init__.py",
        b"spec_helper.rb",
        b"rails_helper.rb",
        b"test_helper.rb",
        b"test_helper.exs",
        b"test_helper.bash",
        b"setup_suite.bash",
        b"bootstrap.php",
    ];
    HOOKS.contains(&paths::name(path))
}

/// Tells whether a file changes how tests run that is part of the work otherwise: it says how to build as well.
pub(super) fn rules_only_when_new(path: &[u8]) -> bool {
    let name = paths::name(path);
    // pytest passes over a directory that looks like an environment of Python.
    let makes_environment = name == b"pyvenv.cfg"
        || path.ends_with(b"conda-meta/history")
        || name.to_ascii_lowercase().starts_with(b"activate")
            && [&b"bin/"[..], b"Scripts/"].iter().any(|directory| {
                path.strip_suffix(name).is_some_and(|above| above.ends_with(directory))
            });
    makes_environment
        || name == b"go.work"
        || name.starts_with(b"vite.config.")
        || vendored_below(path).is_some()
}

/// The directory of other people's code that a list of it stands for: without the list it is of no use.
pub fn vendored_below(path: &[u8]) -> Option<&[u8]> {
    let directory = path.strip_suffix(b"modules.txt")?;
    (directory == b"vendor/" || directory.ends_with(b"/vendor/")).then_some(directory)
}

/// The module of Python or of a test library whose name a file has: `json.py`, `src/hypothesis/__init__.py`.
pub fn module_replaced(path: &[u8]) -> Option<Replaced<'_>> {
    let path = std::str::from_utf8(path).ok()?;
    let file = match path.strip_suffix("/__init__.py") {
        Some(package) => package,
        None => {
            let end = path.rfind('/').map_or(0, |at| at + 1);
            let (stem, kind) = path[end..].split_once('.')?;
            // What is compiled has the version of Python in its name.
            let is_module = kind == "py" || kind.ends_with("so") || kind.ends_with("pyd");
            is_module.then_some(&path[..end + stem.len()])?
        }
    };
    let (directory, name) = file.rsplit_once('/').unwrap_or(("", file));
    let find = |names: &'static [&'static str]| names.iter().find(|known| **known == name).copied();
    let (loaded, standard) = (find(LOADED), find(STANDARD));
    Some(Replaced { directory, module: loaded.or(standard)?, is_loaded: loaded.is_some() })
}

/// The directories of a project that Python looks into before its own because of where tests lie: pytest takes the first
/// one above a test that is no package.
pub fn looked_into<'a>(
    tests: impl Iterator<Item = &'a str>,
    is_package: impl Fn(&str) -> bool,
) -> Vec<&'a str> {
    let mut found = vec!["", "src"];
    for test in tests.filter(|test| test.ends_with(".py")) {
        let mut directory = above(test);
        while !directory.is_empty() && is_package(directory) {
            directory = above(directory);
        }
        if !found.contains(&directory) {
            found.push(directory);
        }
    }
    found
}

fn above(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Tells whether a text says that Python is to look for modules in a directory: `pythonpath = lib`,
/// `sys.path.insert(0, "lib")`.
pub fn puts_on_path(text: &str, directory: &str) -> bool {
    let says = |line: &str| {
        let line = line.to_ascii_lowercase();
        line.contains("pythonpath") || line.contains("sys.path") || line.contains("syspath")
    };
    let own = directory.rsplit('/').next().unwrap_or(directory);
    let names = |line: &str| {
        let apart = |c: char| !c.is_alphanumeric() && !"_-./".contains(c);
        let mut words = line.split(apart).map(|word| word.trim_matches(['.', '/']));
        words.any(|word| word == directory || word == own)
    };
    let mut is_said = false;
    text.lines().any(|line| {
        // What is indented below a setting, or in a list, belongs to it.
        is_said = says(line) || is_said && line.starts_with([' ', '\t', ']', '"', '\'']);
        is_said && names(line)
    })
}

/// Tells whether a text has a word, and not only as part of another one.
pub fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

/// The directory that a file makes a module of Go of its own: what lies in it is not part of the one above any more.
pub fn go_module_of(path: &[u8]) -> Option<&[u8]> {
    match path.strip_suffix(b"go.mod")? {
        [] => Some(b""),
        directory => directory.strip_suffix(b"/"),
    }
}

/// Tells whether a file of tests may hold what runs around all tests of its directory, so that its text must be read.
pub fn may_run_around(path: &[u8]) -> bool {
    path.ends_with(b"_test.go") || paths::name(path) == b"__init__.py"
}

/// Tells whether the text of such a file has a function that runs before, or instead of, all tests of its package:
/// `TestMain` and `init` of Go, `load_tests` of Python.
pub fn runs_around(path: &[u8], text: &str) -> bool {
    if !path.ends_with(b".go") {
        return has_word(text, "load_tests");
    }
    let mut lines = text.lines().filter_map(|line| line.trim_start().strip_prefix("func"));
    lines.any(|rest| {
        let name = rest.trim_start().split('(').next().unwrap_or_default();
        rest.starts_with(char::is_whitespace) && matches!(name.trim(), "TestMain" | "init")
    })
}

/// Tells whether the name of a protected file says that it holds tests: `test_a.py`, `a.spec.ts`, `AddTest.java`.
pub fn is_called_test(path: &[u8]) -> bool {
    let name = String::from_utf8_lossy(paths::name(path)).into_owned();
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    !is_hook(path)
        && (stem.starts_with("test_")
            || ["_test", "_spec", "-test", "-spec", ".test", ".spec", "Test", "Tests", "Spec"]
                .iter()
                .any(|end| stem.ends_with(end)))
}

/// Tells whether a file of tests that is moved is found there as it was before: it keeps its name, and lies in no
/// directory that runners pass over.
pub fn is_found_there(old: &[u8], new: &[u8]) -> bool {
    const PASSED_OVER: [&str; 10] = [
        "build",
        "dist",
        "fixtures",
        "node_modules",
        "out",
        "snapshots",
        "target",
        "testdata",
        "vendor",
        "venv",
    ];
    let Ok(path) = std::str::from_utf8(new) else { return false };
    let mut directories: Vec<&str> = path.split('/').collect();
    directories.pop();
    paths::name(old) == paths::name(new)
        && is_called_test(new)
        && !directories.iter().any(|name| {
            name.starts_with(['.', '_']) || name.contains('.') || PASSED_OVER.contains(name)
        })
}

/// Tells whether a file was put there by a package manager, which commands of a check do as well.
pub fn is_installed(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/').any(|name| {
        const PLACES: [&[u8]; 6] = [b"node_modules", b".venv", b"venv", b"env", b".tox", b".nox"];
        PLACES.contains(&name) || name.ends_with(b".egg-info") || name.ends_with(b".dist-info")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_the_name_of_a_module_is_found_in_any_directory() {
        for (path, wanted) in [
            ("json.py", ("", "json", true)),
            ("unittest/__init__.py", ("", "unittest", true)),
            ("src/hypothesis.py", ("src", "hypothesis", true)),
            ("lib/statistics.py", ("lib", "statistics", false)),
            ("a/b/filecmp/__init__.py", ("a/b", "filecmp", false)),
            ("_json.cpython-311-x86_64-linux-gnu.so", ("", "_json", false)),
        ] {
            let (directory, module, is_loaded) = wanted;
            let wanted = Some(Replaced { directory, module, is_loaded });
            assert_eq!(module_replaced(path.as_bytes()), wanted, "{path}");
        }
        for path in ["json/api.py", "parser.py", "jsonx.py", "json.pyi", "json.txt", "src/", "json"]
        {
            assert_eq!(module_replaced(path.as_bytes()), None, "{path}");
        }
        assert!(LOADED.is_sorted() && STANDARD.is_sorted(), "so that a reader finds a name too");
    }

    #[test]
    fn python_looks_first_into_the_directory_above_the_packages_of_tests() {
        let tests = ["app/test_a.py", "shop/tests/unit/test_b.py", "web/a.test.js", "test_c.py"];
        let packages = ["shop/tests", "shop/tests/unit"];
        let found = looked_into(tests.into_iter(), |path| packages.contains(&path));
        assert_eq!(found, ["", "src", "app", "shop"]);
    }

    #[test]
    fn a_text_says_where_python_is_to_look() {
        for (text, directory) in [
            ("[pytest]\npythonpath = lib\n", "lib"),
            ("[pytest]\npythonpath =\n    .\n    py/lib\n", "py/lib"),
            ("pythonpath = [\n\"src\",\n\"lib\",\n]\n", "lib"),
            ("sys.path.insert(0, os.path.join(HERE, 'lib'))", "lib"),
            ("test:\n\tPYTHONPATH=./lib pytest", "lib"),
        ] {
            assert!(puts_on_path(text, directory), "{text}");
        }
        for text in ["from lib import x\n", "sys.path.insert(0, '.')\nfrom lib import x\n"] {
            assert!(!puts_on_path(text, "lib"), "{text}");
        }
    }

    #[test]
    fn what_hides_a_directory_from_its_runner_is_known() {
        for path in [
            "app/pyvenv.cfg",
            "app/conda-meta/history",
            "app/bin/activate",
            "vendor/modules.txt",
            "go.work",
        ] {
            assert!(rules_only_when_new(path.as_bytes()), "{path}");
        }
        for path in ["bin/app", "app/activate.py", "src/bin/main.rs", "myvendor/modules.txt"] {
            assert!(!rules_only_when_new(path.as_bytes()), "{path}");
        }
        assert_eq!(go_module_of(b"go.mod"), Some(&b""[..]));
        assert_eq!(go_module_of(b"a/b/go.mod"), Some(&b"a/b"[..]));
        assert_eq!(go_module_of(b"a/xgo.mod"), None);
    }

    #[test]
    fn what_runs_around_go_tests_is_found() {
        for text in [
            "package calc\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n",
            "package calc\nfunc  TestMain (m *testing.M) { os.Exit(0) }",
            "package calc\n\nfunc init() {\n\tos.Exit(0)\n}\n",
        ] {
            assert!(runs_around(b"a_test.go", text), "{text}");
        }
        for text in
            ["func TestMainWindow(t *testing.T) {}", "// func TestMain", "func initial() {}", ""]
        {
            assert!(!runs_around(b"a_test.go", text), "{text}");
        }
    }

    #[test]
    fn a_package_that_loads_its_tests_itself_is_found() {
        assert!(may_run_around(b"app/__init__.py"));
        assert!(runs_around(b"app/__init__.py", "def load_tests(loader, tests, pattern):\n"));
        assert!(!runs_around(b"app/__init__.py", "from .loading import preload_tests\n"));
    }

    #[test]
    fn a_name_says_whether_a_file_holds_tests() {
        for path in ["tests/test_a.py", "a.spec.ts", "src/test/AddTest.java", "t/add_test.sh"] {
            assert!(is_called_test(path.as_bytes()), "{path}");
        }
        for path in ["tests/run.sh", "tests/conftest.py", "tests/data.json", "tests/helper.js"] {
            assert!(!is_called_test(path.as_bytes()), "{path}");
        }
    }

    #[test]
    fn a_test_is_moved_only_to_where_it_is_found() {
        for (old, new, found) in [
            ("tests/test_a.py", "tests/unit/test_a.py", true),
            ("a.test.js", "tests/a.test.js", true),
            ("tests/test_a.py", "tests/test_b.py", false),
            ("sub_test.go", "testdata/sub_test.go", false),
            ("tests/test_a.py", "tests/.old/test_a.py", false),
            ("tests/test_a.py", "tests/_old/test_a.py", false),
            ("tests/helper.py", "tests/unit/helper.py", false),
        ] {
            assert_eq!(is_found_there(old.as_bytes(), new.as_bytes()), found, "{old} -> {new}");
        }
    }

    #[test]
    fn what_a_package_manager_leaves_is_known() {
        for path in [
            "node_modules/.bin/jest",
            "web/node_modules/a/b.js",
            "a.egg-info/x.txt",
            ".venv/pyvenv.cfg",
        ] {
            assert!(is_installed(path.as_bytes()), "{path}");
        }
        assert!(!is_installed(b"src/node_modules.js"));
    }
}
