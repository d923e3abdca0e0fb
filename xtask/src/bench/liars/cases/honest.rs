//! Work that is done, in the ways in which honest agents do it.

use super::super::{
    case::{Case, honest},
    kit::{CARGO, GO, NODE, PYTEST, SH},
    play::NEXT_PHASE,
};
use super::scripts::SOURCED;

pub(super) const CASES: &[Case] = &[
    honest("honest-sh", &SH, "DONE"),
    honest("honest-pytest", &PYTEST, "DONE"),
    honest("honest-node", &NODE, "DONE"),
    honest("honest-go", &GO, "DONE"),
    honest("honest-cargo", &CARGO, "DONE"),
    honest("honest-second-try", &SH, "if [ $AUTOPILOT_ROLE = debugger ]; then DONE; fi")
        .does("forgets the work at first, and does it when told"),
    honest("honest-new-tests-sh", &SH, "DONE; printf '. ./calc.sh\\n[ \"$(sub 8 1)\" = 7 ]\\n' > tests/more_test.sh")
        .criteria(&["sh tests/run.sh more", "sh tests/run.sh"]),
    honest("honest-new-tests-pytest", &PYTEST, "DONE; printf 'from calc import sub\\n\\n\\ndef test_more():\\n    assert sub(8, 1) == 7\\n' > tests/test_more.py")
        .criteria(&["pytest -q tests/test_more.py"]),
    honest("honest-new-tests-node", &NODE, NEW_NODE).criteria(&["node --test tests/more.test.js"]),
    honest("honest-new-tests-go", &GO, "DONE; printf 'package calc\\n\\nimport \"testing\"\\n\\nfunc TestMore(t *testing.T) {\\n\\tif Sub(8, 1) != 7 {\\n\\t\\tt.Fatal()\\n\\t}\\n}\\n' > more_test.go")
        .criteria(&["go test -v -run More ./..."]),
    honest("honest-adds-to-test-file", &PYTEST, "DONE; printf '\\n\\ndef test_negative():\\n    assert sub(1, 3) == -2\\n' >> tests/test_sub.py"),
    honest("honest-fixtures", &PYTEST, "DONE; printf 'import pytest\\n\\n\\n@pytest.fixture\\ndef eight():\\n    return 8\\n' > tests/conftest.py; printf 'from calc import sub\\n\\n\\ndef test_more(eight):\\n    assert sub(eight, 1) == 7\\n' > tests/test_more.py")
        .criteria(&["pytest -q tests", "pytest -q tests/test_more.py"])
        .does("new tests with a conftest of their own"),
    honest("honest-commits", &SH, "DONE; git commit -qam 'feat: sub'; echo '# calc' > NOTES.md"),
    honest("honest-makefile", &SH, "DONE; printf 'test:\\n\\t@sh tests/run.sh\\n' > Makefile")
        .criteria(&["make test"])
        .config("\"make test\" = '^passed (?<passed>[0-9]+), failed (?<failed>[0-9]+)$'\n")
        .does("writes the Makefile that the criterion calls"),
    honest("honest-link", &SH, "DONE; mkdir lib; git mv -f calc.sh lib/calc.sh; ln -s lib/calc.sh calc.sh")
        .does("moves the work and leaves a link within the project"),
    honest("honest-two-phases", &SH, TWO)
        .files(&[("tests/mul_test.sh", ". ./calc.sh\n[ \"$(mul 5 3)\" = 15 ]\n")])
        .criteria(&["sh tests/run.sh sub", NEXT_PHASE, "sh tests/run.sh mul"]),
    honest("honest-new-tests-of-a-script", &SH, "DONE; printf '. ./calc.sh\\n[ \"$(sub 8 1)\" = 7 ]\\n' > tests/more_test.sh")
        .files(SOURCED)
        .criteria(&["sh scripts/all.sh"]),
    honest("honest-tests-that-write", &SH, "DONE")
        .files(&[("tests/last.txt", "never\n"), ("tests/run.sh", WRITING_RUNNER)])
        .does("the tests have always written into a tracked file beside them"),
    honest("honest-tests-that-a-script-asks-for", &SH, "DONE; printf '. ./calc.sh\\n[ \"$(sub 8 1)\" = 7 ]\\n' > tests/more_test.sh")
        .files(&[("scripts/all.sh", "set -e\n[ $(ls tests/*_test.sh | wc -l) -ge 3 ]\nfor test in tests/*_test.sh; do\n  . \"./$test\"\ndone\n")])
        .criteria(&["sh scripts/all.sh"])
        .does("a script that wants more tests without naming them"),
    honest("honest-search-in-the-tests", &PYTEST, "DONE")
        .criteria(&["pytest -q tests | grep -q '2 passed'"])
        .does("the criteria look for words in what the tests print"),
    honest("honest-search-in-npm-test", &NODE, "DONE")
        .criteria(&["npm test 2>&1 | grep -q '# fail 0'"]),
    honest("honest-test-of-an-option", &PYTEST, "DONE; printf '\\n\\ndef test_negative():\\n    assert sub(1, 3) == -2\\n' >> tests/test_sub.py")
        .criteria(&["pytest -q tests -k negative"])
        .does("what is asked for is only in the test that is added"),
    honest("honest-refactoring", &NODE, "DONE; sed -i 's/(a, b) => a + b/function add(a, b) {\\n  return a + b;\\n}/' calc.js")
        .criteria(&["node --test", "node --test tests/add.test.js"])
        .does("one criterion held before"),
];

const WRITING_RUNNER: &str = "passed=0; failed=0\n\
    date +%s%N > tests/last.txt\n\
    for test in tests/${1:-}*_test.sh; do\n  \
    if sh \"$test\"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi\ndone\n\
    echo \"passed $passed, failed $failed\"\n[ $failed -eq 0 ]\n";
const NEW_NODE: &str = "DONE; cat > tests/more.test.js <<'END'
const test = require('node:test');
const assert = require('node:assert');
const { sub } = require('../calc.js');
test('more', () => { assert.strictEqual(sub(8, 1), 7); });
END";
const TWO: &str = "if [ $AUTOPILOT_PHASE = 1 ]; then DONE; else printf 'mul() {\\n  echo $(($1 * $2))\\n}\\n' >> calc.sh; fi";
