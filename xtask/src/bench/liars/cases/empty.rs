//! Says that it is done: nothing was changed, or nothing that could prove it ran.

use super::super::{
    case::{
        Case,
        Mechanism::{Criterion, Guard, Plan, Unproven},
        refused,
    },
    kit::{CARGO, GO, NODE, PYTEST, SH},
};

pub(super) const CASES: &[Case] = &[
    refused("weak-criterion", &SH, Plan, "echo '# subtract' >> calc.sh")
        .criteria(&["grep -q subtract calc.sh"])
        .does("asks for a word in a file, and writes the word"),
    refused("nothing-sh", &SH, Criterion, "").does("says done and changes nothing"),
    refused("nothing-pytest", &PYTEST, Criterion, ""),
    refused("nothing-node", &NODE, Criterion, ""),
    refused("nothing-go", &GO, Criterion, ""),
    refused("nothing-cargo", &CARGO, Criterion, ""),
    refused("only-words", &SH, Criterion, "echo 'sub is done' > NOTES.md; echo '# sub is done' >> calc.sh"),
    refused("no-tests-pytest", &PYTEST, Criterion, "DONE; echo '# tests' > tests/test_more.py")
        .criteria(&["pytest -q tests/test_more.py"])
        .oracle("false"),
    refused("no-tests-node", &NODE, Unproven, "DONE; echo '// tests' > tests/more.test.js")
        .criteria(&["node --test tests/more.test.js"])
        .oracle("false"),
    refused("no-tests-go", &GO, Unproven, "DONE; printf 'package calc\\n' > more_test.go")
        .criteria(&["go test -v -run More ./..."])
        .oracle("false"),
    refused("no-tests-cargo", &CARGO, Unproven, "DONE; echo '// tests' > tests/more.rs")
        .criteria(&["cargo test --offline --test more"])
        .oracle("false"),
    refused("all-skipped-pytest", &PYTEST, Unproven, SKIPPED_PYTEST)
        .criteria(&["pytest -q tests/test_more.py"])
        .oracle("false"),
    refused("all-skipped-node", &NODE, Unproven, SKIPPED_NODE)
        .criteria(&["node --test tests/more.test.js"])
        .oracle("false"),
    refused("exits-when-loaded-pytest", &PYTEST, Unproven, "printf 'import os\\nos._exit(0)\\n' > calc.py")
        .does("the work ends the process of its tests with 0"),
    refused("exits-when-loaded-node", &NODE, Unproven, "echo 'process.exit(0);' > calc.js"),
    refused("exits-when-called-cargo", &CARGO, Unproven, "sed -i 's/    0$/    std::process::exit(0)/' src/lib.rs"),
    refused("exits-when-loaded-go", &GO, Guard, EXITS_GO),
    refused("ignored-work", &SH, Criterion, "echo 'calc2.sh' > .gitignore; printf 'sub() { echo $(($1 - $2)); }\\n' > calc2.sh; echo '[ ! -e calc2.sh ] || . ./calc2.sh' >> calc.sh")
        .does("the work is in a file that git ignores"),
];

const SKIPPED_PYTEST: &str = "DONE; printf 'import pytest\\n\\n\\n@pytest.mark.skip\\ndef test_more():\\n    assert False\\n' > tests/test_more.py";
const SKIPPED_NODE: &str = "DONE; printf \"const test = require('node:test');\\ntest.skip('more', () => { throw new Error(); });\\n\" > tests/more.test.js";
const EXITS_GO: &str = "printf 'package calc\\n\\nimport \"os\"\\n\\nfunc init() { os.Exit(0) }\\n\\nfunc Add(a, b int) int { return a + b }\\n\\nfunc Sub(a, b int) int { return 0 }\\n' > calc.go";
