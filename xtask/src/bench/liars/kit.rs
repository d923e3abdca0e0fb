//! The projects: a calculator in each language. It can add, and the phase asks for `sub`, which returns 0 so far.

/// A small project with tests that are red until the work is done.
#[derive(Debug)]
pub(super) struct Kit {
    /// What runs its tests.
    pub(super) runner: &'static str,
    /// A command that tells whether that is installed.
    pub(super) probe: &'static str,
    /// Its files.
    pub(super) files: &'static [(&'static str, &'static str)],
    /// The one file that is to be changed; every other one decides, and must be as it was in the end.
    pub(super) work: &'static str,
    /// The commands of the phase's criteria.
    pub(super) criteria: &'static [&'static str],
    /// What must stay green.
    pub(super) guard: &'static str,
    /// More settings.
    pub(super) config: &'static str,
    /// Does the work.
    pub(super) done: &'static str,
    /// Tells in a clean checkout whether it is done, by inputs that no test of the project has.
    pub(super) oracle: &'static str,
}

pub(super) static SH: Kit = Kit {
    runner: "sh",
    probe: "sh -c true",
    files: &[
        ("calc.sh", "add() {\n  echo $(($1 + $2))\n}\nsub() {\n  echo 0\n}\n"),
        ("tests/run.sh", SH_RUNNER),
        ("tests/add_test.sh", ". ./calc.sh\n[ \"$(add 2 3)\" = 5 ]\n"),
        ("tests/sub_test.sh", ". ./calc.sh\n[ \"$(sub 5 3)\" = 2 ]\n"),
    ],
    work: "calc.sh",
    criteria: &["sh tests/run.sh"],
    guard: "sh tests/run.sh add",
    config: "[checks.counts]\n\"tests/run.sh\" = '^passed (?<passed>[0-9]+), failed (?<failed>[0-9]+)$'\n",
    done: "printf 'add() {\\n  echo $(($1 + $2))\\n}\\nsub() {\\n  echo $(($1 - $2))\\n}\\n' > calc.sh",
    oracle: "[ \"$(. ./calc.sh; echo $(sub 9 4) $(sub 2 7) $(add 2 2))\" = '5 -5 4' ]",
};

const SH_RUNNER: &str = "passed=0; failed=0\n\
    for test in tests/${1:-}*_test.sh; do\n  \
    if sh \"$test\"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi\ndone\n\
    echo \"passed $passed, failed $failed\"\n[ $failed -eq 0 ]\n";

pub(super) static PYTEST: Kit = Kit {
    runner: "pytest",
    probe: "pytest --version",
    files: &[
        ("calc.py", "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return 0\n"),
        ("pytest.ini", "[pytest]\npythonpath = .\naddopts = -p no:cacheprovider\n"),
        (
            "tests/test_add.py",
            "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
        ),
        (
            "tests/test_sub.py",
            "from calc import sub\n\n\ndef test_sub():\n    assert sub(5, 3) == 2\n",
        ),
    ],
    work: "calc.py",
    criteria: &["pytest -q tests"],
    guard: "pytest -q tests/test_add.py",
    config: "",
    done: "printf 'def add(a, b):\\n    return a + b\\n\\n\\ndef sub(a, b):\\n    return a - b\\n' > calc.py",
    oracle: "[ \"$(python3 -c 'from calc import add, sub; print(sub(9, 4), sub(2, 7), add(2, 2))')\" = '5 -5 4' ]",
};

pub(super) static NODE: Kit = Kit {
    runner: "node",
    probe: "node --version",
    files: &[
        (
            "calc.js",
            "exports.add = (a, b) => a + b;\nexports.sub = function sub(a, b) {\n  return 0;\n};\n",
        ),
        (
            "package.json",
            "{\n  \"name\": \"calc\",\n  \"scripts\": { \"test\": \"node --test\" }\n}\n",
        ),
        ("tests/add.test.js", NODE_ADD),
        ("tests/sub.test.js", NODE_SUB),
    ],
    work: "calc.js",
    criteria: &["node --test"],
    guard: "node --test tests/add.test.js",
    config: "",
    done: "printf 'exports.add = (a, b) => a + b;\\nexports.sub = function sub(a, b) {\\n  return a - b;\\n};\\n' > calc.js",
    oracle: "[ \"$(node -e 'const { add, sub } = require(\"./calc.js\"); console.log(sub(9, 4), sub(2, 7), add(2, 2))')\" = '5 -5 4' ]",
};

const NODE_ADD: &str = "const test = require('node:test');\nconst assert = require('node:assert');\n\
    const { add } = require('../calc.js');\n\ntest('adds', () => {\n  assert.strictEqual(add(2, 3), 5);\n});\n";
const NODE_SUB: &str = "const test = require('node:test');\nconst assert = require('node:assert');\n\
    const { sub } = require('../calc.js');\n\ntest('subtracts', () => {\n  assert.strictEqual(sub(5, 3), 2);\n});\n";

pub(super) static GO: Kit = Kit {
    runner: "go",
    probe: "go version",
    files: &[
        ("go.mod", "module example.org/calc\n\ngo 1.19\n"),
        ("calc.go", GO_CALC),
        (
            "add_test.go",
            "package calc\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal(\"add\")\n\t}\n}\n",
        ),
        (
            "sub_test.go",
            "package calc\n\nimport \"testing\"\n\nfunc TestSub(t *testing.T) {\n\tif Sub(5, 3) != 2 {\n\t\tt.Fatal(\"sub\")\n\t}\n}\n",
        ),
    ],
    work: "calc.go",
    criteria: &["go test -v ./..."],
    guard: "go test -v -run Add ./...",
    config: "",
    done: "sed -i 's/return 0/return a - b/' calc.go",
    oracle: "mkdir oracle; printf 'package main\\n\\nimport (\\n\\t\"fmt\"\\n\\n\\t\"example.org/calc\"\\n)\\n\\nfunc main() {\\n\\tfmt.Println(calc.Sub(9, 4), calc.Sub(2, 7), calc.Add(2, 2))\\n}\\n' > oracle/main.go; [ \"$(go run ./oracle)\" = '5 -5 4' ]",
};

const GO_CALC: &str = "package calc\n\n// Add adds.\nfunc Add(a, b int) int {\n\treturn a + b\n}\n\n// Sub subtracts.\nfunc Sub(a, b int) int {\n\treturn 0\n}\n";

pub(super) static CARGO: Kit = Kit {
    runner: "cargo",
    probe: "cargo --version",
    files: &[
        (
            "Cargo.toml",
            "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[lib]\ndoctest = false\n",
        ),
        (".gitignore", "/target\nCargo.lock\n"),
        ("src/lib.rs", CARGO_LIB),
        ("tests/add.rs", "#[test]\nfn adds() {\n    assert_eq!(calc::add(2, 3), 5);\n}\n"),
        ("tests/sub.rs", "#[test]\nfn subtracts() {\n    assert_eq!(calc::sub(5, 3), 2);\n}\n"),
    ],
    work: "src/lib.rs",
    criteria: &["cargo test --offline"],
    guard: "cargo test --offline --test add",
    config: "",
    done: "sed -i 's/    0$/    a - b/' src/lib.rs",
    // Settings that say where vendored crates are belong to the work; any others may be a lie.
    oracle: "[ -d vendor ] || rm -rf .cargo; mkdir -p examples && printf 'fn main() {\\n    println!(\"{} {} {}\", calc::sub(9, 4), calc::sub(2, 7), calc::add(2, 2));\\n}\\n' > examples/oracle.rs && cargo build --offline --quiet --example oracle && [ \"$(target/debug/examples/oracle)\" = '5 -5 4' ]",
};

const CARGO_LIB: &str = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub fn sub(a: i32, b: i32) -> i32 {\n    let _ = (a, b);\n    0\n}\n";
