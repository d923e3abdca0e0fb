//! Commands and the files that they name.

use proptest::prelude::*;

use super::*;

/// Commands and the files that they name.
const COMMANDS: &[(&str, &str)] = &[
    // Scripts that are run.
    ("sh tests/all.sh", "tests/all.sh"),
    ("./check.sh", "check.sh"),
    ("./check.sh --fast src/main.rs", "check.sh"),
    ("python tools/verify.py", "tools/verify.py"),
    ("python3 -u -W error tools/verify.py src/app.py", "tools/verify.py"),
    ("node scripts/check.js", "scripts/check.js"),
    ("bash -c 'sh ci/a.sh && ./verify.sh'", "ci/a.sh verify.sh"),
    ("sh -ec \"bash -c './run_tests.sh'\"", "run_tests.sh"),
    ("cd web && node scripts/check.js", "scripts/check.js web/scripts/check.js"),
    ("cd a && cd b && ./test.sh", "test.sh a/b/test.sh"),
    ("env A=b timeout 60 ./scripts/smoke.sh", "scripts/smoke.sh"),
    ("uv run python hack/verify.py", "hack/verify.py"),
    (". ./scripts/env.sh && make test", "scripts/env.sh"),
    ("source tools/env.sh", "tools/env.sh"),
    ("php tools/check.php", "tools/check.php"),
    ("php check.php", "check.php"),
    ("ruby script/ci.rb", "script/ci.rb"),
    ("bin/test", "bin/test"),
    ("bin/checkAll", "bin/checkAll"),
    ("perl e2e/run.pl", "e2e/run.pl"),
    ("go run ./tools/lint/main.go", "tools/lint/main.go"),
    ("deno run -A scripts/verify.ts", "scripts/verify.ts"),
    ("python -m tools.verify", "tools/verify.py tools/verify/__main__.py"),
    ("test \"$(sh tools/count.sh)\" = 3", "tools/count.sh"),
    ("[ `./scripts/count.sh` -eq 3 ]", "scripts/count.sh"),
    ("ls | xargs -n1 sh scripts/one.sh", "scripts/one.sh"),
    ("if ./check.sh; then echo ok; fi", "check.sh"),
    ("! ./verify.sh", "verify.sh"),
    ("./check.sh > out.txt 2>&1 | tee log.txt", "check.sh"),
    ("cargo build && sh tests/cli.sh ./target/debug/app", "tests/cli.sh"),
    // Test runners and what they are given.
    ("pytest checks/total.py::test_a -q", "checks/total.py"),
    ("python -m pytest acceptance/a.py -k total", "acceptance/a.py"),
    ("bats features.bats", "features.bats"),
    ("npx jest --config ci/jest.js src/a.case.js", "ci/jest.js"),
    ("node --test checks/a.mjs", "checks/a.mjs"),
    ("rspec acceptance/a.rb:12", "acceptance/a.rb"),
    ("hurl --test api.hurl", "api.hurl"),
    ("bats checks/", "checks"),
    ("python -m unittest tests.test_a", "tests.test_a tests/test_a.py"),
    (
        "python -m unittest -v tests.test_a.TestA",
        "tests.test_a.TestA tests/test_a.py tests/test_a/TestA.py",
    ),
    ("cargo test --test more", "tests/more.rs"),
    ("cargo test -p calc --test=more -- --nocapture", "tests/more.rs"),
    // What flags name.
    ("make -f ci.mk all", "ci.mk"),
    ("make -fci.mk", "ci.mk"),
    ("make --file=ci.mk", "ci.mk"),
    ("just --justfile gates.just", "gates.just"),
    ("eslint -c lint/strict.js src/a.js", "lint/strict.js"),
    ("mypy --config-file strict.ini src", "strict.ini"),
    ("awk -f count.awk out.txt", "count.awk"),
    ("jq -f shape.jq out.json", "shape.jq"),
    ("node --import ./hook.mjs src/main.js", "hook.mjs"),
    // Code that a test runner is given, and directories, in which there is code as well.
    ("pytest -q services/billing", ""),
    ("pytest -q billing/ services/audit", ""),
    ("pytest -q --doctest-modules calc.py", ""),
    ("pytest -q --doctest-modules tools/check.py", ""),
    ("pytest calc.py", ""),
    ("node --test packages/util", ""),
    ("node --test src/calc.js", ""),
    ("python -m unittest shop.billing", ""),
    ("pytest checks/", ""),
    // The work.
    ("grep -q foo src/main.c", ""),
    ("grep -q 'sh tests/all.sh' README.md", ""),
    ("test -f docs/a.md", ""),
    ("[ -x check.sh ]", ""),
    ("[[ -f tools/verify.py ]]", ""),
    ("cat out.txt | wc -l", ""),
    ("diff expected.txt out.txt", ""),
    ("jq -e .a package.json", ""),
    ("ls scripts/check.js", ""),
    ("head -1 tools/verify.py", ""),
    ("sed -n 1p check.sh", ""),
    ("python3 src/app.py", ""),
    ("python3 src/check.py", ""),
    ("python3 app.py --version", ""),
    ("python3 -c 'import check; check.py()'", ""),
    ("node bin/cli.js --help", ""),
    ("node -e 'require(\"./check.js\")'", ""),
    ("./target/release/app --version", ""),
    ("./build/check", ""),
    ("./run.sh", ""),
    ("java -jar out/app.jar", ""),
    ("cargo run -- check.sh", ""),
    ("cargo test", ""),
    ("go test ./...", ""),
    ("npm run check", ""),
    ("/usr/bin/check.sh", ""),
    ("sh ../check.sh", ""),
    ("sh ~/check.sh", ""),
    ("sh \"$DIR/check.sh\"", ""),
    ("sh $CHECK", ""),
    ("echo ./check.sh", ""),
    ("tsc -p .", ""),
    ("", ""),
];

#[test]
fn scripts_of_the_check_are_named_and_the_work_is_not() {
    for (command, wanted) in COMMANDS {
        assert_eq!(deciding_files(command).join(" "), *wanted, "{command}");
    }
}

#[test]
fn what_a_test_runner_is_given_is_named_whether_or_not_it_decides() {
    for (command, wanted) in [
        ("pytest -q services/billing", "services/billing"),
        ("pytest --doctest-modules calc.py", "calc.py"),
        ("cd web && node --test src/ checks/a.js", "src web/src checks/a.js web/checks/a.js"),
        ("python -m unittest shop.billing", "shop.billing shop/billing.py"),
        ("sh tests/all.sh", "tests/all.sh"),
    ] {
        assert_eq!(named_files(command).join(" "), wanted, "{command}");
    }
}

#[test]
fn scripts_behind_a_short_command_are_named() {
    const MAKEFILE: &str = "PY = python3\n.PHONY: test\nall: build\n\nbuild:\n\tsh build.sh\n\n\
        test: build unit\n\t@./scripts/test.sh\n\t$(PY) tools/verify.py src/app.py\n\nunit: ; sh src/check.sh\n\n\
        other:\n\tsh ci/other.sh\n";
    const PACKAGE: &str = r#"{"scripts":{"pretest":"sh ci/before.sh","test":"node scripts/run-tests.js","start":"node ."}}"#;
    let read = |path: &str| match path {
        "Makefile" | "web/Makefile" => Some(MAKEFILE.to_owned()),
        "package.json" | "web/package.json" => Some(PACKAGE.to_owned()),
        _ => None,
    };
    for (command, wanted) in [
        ("make test", "scripts/test.sh tools/verify.py"),
        ("make -s test VERBOSE=1", "scripts/test.sh tools/verify.py"),
        (
            "make -C web test",
            "scripts/test.sh web/scripts/test.sh tools/verify.py web/tools/verify.py",
        ),
        ("make", ""),
        ("make all other", "ci/other.sh"),
        ("npm test", "ci/before.sh scripts/run-tests.js"),
        (
            "cd web && npm run -s test",
            "ci/before.sh web/ci/before.sh scripts/run-tests.js web/scripts/run-tests.js",
        ),
        ("sh -c 'npm t'", "ci/before.sh scripts/run-tests.js"),
        ("npm start", ""),
        ("sh tests/all.sh && yarn test", "tests/all.sh ci/before.sh scripts/run-tests.js"),
    ] {
        assert_eq!(deciding_files_behind(command, &read).join(" "), wanted, "{command}");
    }
    assert!(deciding_files_behind("make test", &|_| Some("a: a\n\t".repeat(9))).is_empty());
}

#[test]
fn a_command_names_only_so_many_files() {
    let command: String = (0..500).map(|at| format!("./check{at}.sh; ")).collect();
    assert!(named_files(&command).len() <= FILES_MAX);
    assert!(named_files(&format!("./check.sh {}", " ".repeat(COMMAND_BYTES_MAX))).is_empty());
}

proptest! {
    #[test]
    fn any_command_is_survived_and_names_stay_in_the_project(
        command in "(sh |python -m |make -f|cd |\\./|/|\\.\\./|a|check\\.sh|'|\"|`|\\$\\(|\\)|&& |é| |\\\\){0,24}"
    ) {
        for file in named_files(&command) {
            prop_assert!(!file.starts_with('/') && !file.is_empty(), "{}", file);
            prop_assert!(!file.split('/').any(|name| name == ".."), "{}", file);
        }
    }
}
