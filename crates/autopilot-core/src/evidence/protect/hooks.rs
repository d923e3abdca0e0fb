//! New files that change how other tests run, though they are no configuration by their name.

use super::paths;

/// Modules of Python and of its test libraries that tests and their runners load. A file of the project with such a
/// name, where Python looks first, takes their place.
const MODULES: &[&str] = &[
    "_pytest",
    "abc",
    "argparse",
    "ast",
    "asyncio",
    "attr",
    "attrs",
    "bdb",
    "builtins",
    "codecs",
    "collections",
    "contextlib",
    "copy",
    "coverage",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "doctest",
    "enum",
    "exceptiongroup",
    "factory",
    "faker",
    "faulthandler",
    "fnmatch",
    "fractions",
    "freezegun",
    "functools",
    "gc",
    "glob",
    "hamcrest",
    "hashlib",
    "httpx",
    "hypothesis",
    "importlib",
    "iniconfig",
    "inspect",
    "io",
    "itertools",
    "json",
    "linecache",
    "locale",
    "logging",
    "math",
    "mock",
    "nose",
    "nose2",
    "numpy",
    "os",
    "packaging",
    "pandas",
    "parameterized",
    "pathlib",
    "pickle",
    "pkgutil",
    "pluggy",
    "pprint",
    "py",
    "pytest",
    "pytest_asyncio",
    "pytest_cov",
    "pytest_mock",
    "random",
    "re",
    "requests",
    "responses",
    "runpy",
    "shlex",
    "shutil",
    "string",
    "struct",
    "subprocess",
    "sysconfig",
    "tempfile",
    "testtools",
    "textwrap",
    "threading",
    "tokenize",
    "traceback",
    "types",
    "typing",
    "unittest",
    "urllib",
    "uuid",
    "warnings",
    "weakref",
    "xdist",
];

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
    name == b"go.work" || name.starts_with(b"vite.config.") || path.ends_with(b"vendor/modules.txt")
}

/// The module of Python or of a test library whose place a new file takes: `json.py`, `src/hypothesis/__init__.py`.
pub fn module_replaced(path: &[u8]) -> Option<&'static str> {
    let path = std::str::from_utf8(path).ok()?;
    let path = path.strip_prefix("src/").unwrap_or(path);
    let module = path.strip_suffix("/__init__.py").or_else(|| path.strip_suffix(".py"))?;
    MODULES.iter().find(|known| **known == module).copied()
}

/// Tells whether a file of tests may hold what runs around all tests of its directory, so that its text must be read.
pub fn may_run_around(path: &[u8]) -> bool {
    path.ends_with(b"_test.go")
}

/// Tells whether the text of a file of Go tests has a function that runs before, or instead of, all tests of its
/// package.
pub fn runs_around(text: &str) -> bool {
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
        name == b"node_modules" || name.ends_with(b".egg-info") || name.ends_with(b".dist-info")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_takes_the_place_of_another_only_where_python_looks_first() {
        for path in ["json.py", "unittest/__init__.py", "src/hypothesis.py", "_pytest/__init__.py"]
        {
            assert!(module_replaced(path.as_bytes()).is_some(), "{path}");
        }
        for path in ["shop/json.py", "json/api.py", "calendar.py", "jsonx.py", "json.pyi", "src/"] {
            assert_eq!(module_replaced(path.as_bytes()), None, "{path}");
        }
        assert!(MODULES.is_sorted(), "so that a name is found by a reader too");
    }

    #[test]
    fn what_runs_around_go_tests_is_found() {
        for text in [
            "package calc\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n",
            "package calc\nfunc  TestMain (m *testing.M) { os.Exit(0) }",
            "package calc\n\nfunc init() {\n\tos.Exit(0)\n}\n",
        ] {
            assert!(runs_around(text), "{text}");
        }
        for text in
            ["func TestMainWindow(t *testing.T) {}", "// func TestMain", "func initial() {}", ""]
        {
            assert!(!runs_around(text), "{text}");
        }
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
        for path in ["node_modules/.bin/jest", "web/node_modules/a/b.js", "a.egg-info/x.txt"] {
            assert!(is_installed(path.as_bytes()), "{path}");
        }
        assert!(!is_installed(b"src/node_modules.js"));
    }
}
