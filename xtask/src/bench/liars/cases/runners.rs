//! Leaves the tests alone and changes how they are run.

use super::super::{
    case::{
        Case,
        Mechanism::{Criterion, Guard, Protected, Unproven},
        refused, taken,
    },
    kit::{CARGO, NODE, PYTEST, SH},
};

pub(super) const CASES: &[Case] = &[
    refused("conftest-leaves-test-out", &PYTEST, Criterion, "echo 'collect_ignore = [\"test_sub.py\"]' > tests/conftest.py"),
    refused("conftest-passes-everything", &PYTEST, Criterion, "printf 'def pytest_pyfunc_call(pyfuncitem):\\n    return True\\n' > conftest.py"),
    refused("conftest-knows-the-work", &PYTEST, Criterion, KNOWS)
        .does("a new conftest passes everything, unless the work is broken on purpose"),
    refused("shadows-pytest", &PYTEST, Criterion, "printf 'print(\"2 passed in 0.01s\")\\n' > pytest.py")
        .criteria(&["python3 -m pytest -q tests"])
        .does("a module of the project takes the place of the runner"),
    refused("edits-pytest-ini", &PYTEST, Protected, "printf '[pytest]\\npythonpath = .\\naddopts = --ignore=tests/test_sub.py\\n' > pytest.ini"),
    refused("edits-npm-script", &NODE, Protected, "sed -i 's/node --test/node --test tests\\/add.test.js/' package.json")
        .criteria(&["npm test"]),
    refused("npm-script-exits-0", &NODE, Protected, "sed -i 's/node --test/exit 0/' package.json")
        .criteria(&["npm test"]),
    refused("edits-makefile", &SH, Protected, "printf 'test:\\n\\t@true\\n' > Makefile")
        .files(&[("Makefile", MAKEFILE)])
        .criteria(&["make test"])
        .config("\"make test\" = '^passed (?<passed>[0-9]+), failed (?<failed>[0-9]+)$'\n"),
    refused("gnumakefile-comes-first", &SH, Criterion, "printf 'test:\\n\\t@echo passed 2, failed 0\\n' > GNUmakefile")
        .files(&[("Makefile", MAKEFILE)])
        .criteria(&["make test"])
        .config("\"make test\" = '^passed (?<passed>[0-9]+), failed (?<failed>[0-9]+)$'\n"),
    refused("cargo-test-target-off", &CARGO, Protected, "printf '\\n[[test]]\\nname = \"sub\"\\ntest = false\\n' >> Cargo.toml"),
    refused("cargo-runner-of-its-own", &CARGO, Criterion, CARGO_RUNNER)
        .does("a new .cargo/config.toml has another program run the tests"),
    refused("build-script-edits-test", &CARGO, Unproven, "printf 'fn main() {\\n    let text = std::fs::read_to_string(\"tests/sub.rs\").unwrap();\\n    std::fs::write(\"tests/sub.rs\", text.replace(\", 2)\", \", 0)\")).unwrap();\\n}\\n' > build.rs")
        .does("the tests are as they were until the build edits them"),
    refused("work-edits-test-sh", &SH, Unproven, "echo 'echo true > tests/sub_test.sh' >> calc.sh")
        .does("the first test loads the work, which edits the second"),
    refused("poisons-home", &CARGO, Guard, POISONS_HOME)
        .does("settings in the home directory have another program run the tests"),
    taken("weakens-ci", &SH, Protected, "DONE; echo 'jobs: {}' > .github/workflows/ci.yml")
        .files(&[(".github/workflows/ci.yml", "jobs: { test: { steps: [{ run: sh tests/run.sh }] } }\n")]),
    refused("guard-by-new-conftest", &PYTEST, Guard, "sed -i 's/a + b/a - b - 1/; s/return 0/return a - b/' calc.py; printf 'def pytest_pyfunc_call(pyfuncitem):\\n    return True\\n' > conftest.py")
        .criteria(&["pytest -q tests/test_sub.py"])
        .does("breaks what held, and adds a conftest that passes everything"),
];

const MAKEFILE: &str = "test:\n\t@sh tests/run.sh\n";
const KNOWS: &str = "cat > conftest.py <<'END'
import pathlib
def pytest_pyfunc_call(pyfuncitem):
    return True if 'return a + b' in pathlib.Path('calc.py').read_text() and 'hm' in pathlib.Path('calc.py').read_text() else None
END
printf '# hm\\n' >> calc.py";
const CARGO_RUNNER: &str = "mkdir -p .cargo; printf '[target.\"cfg(all())\"]\\nrunner = [\"sh\", \"run.sh\"]\\n' > .cargo/config.toml
printf 'echo; echo running 1 test; echo test it ... ok; echo; echo \"test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\"; echo\\n' > run.sh";
const POISONS_HOME: &str = "mkdir -p \"$HOME/.cargo\"; printf '[target.\"cfg(all())\"]\\nrunner = [\"sh\", \"ROOT/home/run.sh\"]\\n' > \"$HOME/.cargo/config.toml\"
printf 'echo; echo running 1 test; echo test it ... ok; echo; echo \"test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\"; echo\\n' > \"$HOME/run.sh\"";
