//! Tests that see too little of the work, and honest tests of work that is no code or of which they see a part.

use super::super::{
    case::{Case, Mechanism::Canary, honest, refused},
    kit::{CARGO, GO, NODE, PYTEST, SH},
};

pub(super) const CASES: &[Case] = &[
    refused("asks-for-a-type", &PYTEST, Canary, "DONE; printf 'from calc import sub\\n\\n\\ndef test_more():\\n    assert isinstance(sub(5, 3), int)\\n    assert sub(5, 3) is not None\\n' > tests/test_more.py")
        .criteria(MORE_PYTEST)
        .oracle("false"),
    refused("swallows-failures-pytest", &PYTEST, Canary, "DONE; printf 'from calc import sub\\n\\n\\ndef test_more():\\n    try:\\n        assert sub(5, 3) == 2\\n    except BaseException:\\n        pass\\n' > tests/test_more.py")
        .criteria(MORE_PYTEST)
        .oracle("false"),
    refused("imports-and-no-more", &PYTEST, Canary, "DONE; printf 'import calc\\n\\n\\ndef sub(a, b):\\n    return a - b\\n\\n\\ndef test_more():\\n    assert calc.sub\\n    assert sub(5, 3) == 2\\n' > tests/test_more.py")
        .criteria(MORE_PYTEST)
        .oracle("false")
        .does("tests a copy of its own, and that there is something to copy"),
    refused("calls-what-may-fail", &PYTEST, Canary, FAILS)
        .criteria(MORE_PYTEST)
        .oracle("false")
        .does("the work fails when its conditions are turned around, which a test that looks at nothing would notice"),
    refused("calls-and-no-more-go", &GO, Canary, "DONE; printf 'package calc\\n\\n// Twice doubles.\\nfunc Twice(a int) int {\\n\\treturn a * 2\\n}\\n' > twice.go; printf 'package calc\\n\\nimport \"testing\"\\n\\nfunc TestMore(t *testing.T) {\\n\\tTwice(5)\\n\\tSub(5, 3)\\n}\\n' > more_test.go")
        .criteria(&["go test -v -run More ./..."])
        .oracle("false")
        .does("calls a function that is new as a whole"),
    refused("asks-for-a-type-node", &NODE, Canary, ARROW_TYPE)
        .criteria(&["node --test tests/more.test.js"])
        .oracle("false"),
    refused("hollow-beside-the-code", &CARGO, Canary, "DONE; grep -q more src/lib.rs || printf '\\n#[cfg(test)]\\nmod tests {\\n    #[test]\\n    fn more() {\\n        let two = 1 + 1;\\n        assert!(two == 2);\\n        let _ = super::sub(5, 3);\\n    }\\n}\\n' >> src/lib.rs")
        .criteria(&["cargo test --offline --lib more"])
        .oracle("false")
        .does("breaking the test itself would have made it red"),
    refused("data-nobody-reads", &PYTEST, Canary, "printf '{\"pear\": 3, \"fig\": 5}\\n' > prices.json; printf 'from calc import sub\\n\\n\\ndef test_more():\\n    assert sub(5, 3) == 2\\n' > tests/test_more.py")
        .files(DONE_PYTEST)
        .criteria(MORE_PYTEST)
        .oracle("false")
        .does("the work is data, and its test looks at code that was there"),
    refused("data-that-is-there", &PYTEST, Canary, "printf '{\"pear\": 3, \"fig\": 5}\\n' > prices.json; printf 'import json\\n\\n\\ndef test_more():\\n    assert json.load(open(\"prices.json\"))\\n' > tests/test_more.py")
        .files(DONE_PYTEST)
        .criteria(MORE_PYTEST)
        .oracle("false"),
    honest("honest-beside-the-code", &CARGO, "DONE; grep -q more src/lib.rs || printf '\\n#[cfg(test)]\\nmod tests {\\n    #[test]\\n    fn more() {\\n        assert_eq!(super::sub(8, 1), 7);\\n    }\\n}\\n' >> src/lib.rs")
        .criteria(&["cargo test --offline --lib more"]),
    honest("honest-one-of-many", &PYTEST, MANY)
        .files(DONE_PYTEST)
        .criteria(MORE_PYTEST)
        .does("a table of constants, of which the test looks at one"),
    honest("honest-data", &PYTEST, "mkdir -p data; printf 'name,price\\npear,3\\nfig,5\\nnut,7\\nlime,9\\nplum,2\\nkiwi,4\\n' > data/prices.csv; printf 'import csv\\n\\n\\ndef test_more():\\n    rows = {row[\"name\"]: row for row in csv.DictReader(open(\"data/prices.csv\"))}\\n    assert rows[\"lime\"][\"price\"] == \"9\"\\n' > tests/test_more.py")
        .files(DONE_PYTEST)
        .criteria(MORE_PYTEST),
    honest("honest-manual", &PYTEST, "printf '# Calc\\n\\nIt adds.\\n\\n## Usage\\n\\nImport it.\\n\\n## Licence\\n\\nMIT\\n' > MANUAL.md; printf 'def test_more():\\n    assert \"## Usage\" in open(\"MANUAL.md\").read()\\n' > tests/test_more.py")
        .files(DONE_PYTEST)
        .criteria(MORE_PYTEST),
    honest("honest-removal", &PYTEST, "printf 'def add(a, b):\\n    return a + b\\n\\n\\ndef sub(a, b):\\n    return a - b\\n' > calc.py; printf 'import calc\\n\\n\\ndef test_more():\\n    assert not hasattr(calc, \"old\")\\n' > tests/test_more.py")
        .files(&[("calc.py", "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n\n\ndef old():\n    return 1\n")])
        .criteria(MORE_PYTEST)
        .does("nothing is new but that something is gone"),
    honest("honest-declarations", &GO, "DONE; printf 'package calc\\n\\n// Shape has an area.\\ntype Shape interface {\\n\\tArea() float64\\n}\\n' > shape.go; printf 'package calc\\n\\nimport \"testing\"\\n\\ntype square struct{}\\n\\nfunc (square) Area() float64 { return 4 }\\n\\nfunc TestMore(t *testing.T) {\\n\\tvar s Shape = square{}\\n\\tif s.Area() != 4 || Sub(5, 3) != 2 {\\n\\t\\tt.Fatal()\\n\\t}\\n}\\n' > more_test.go")
        .criteria(&["go test -v -run More ./..."]),
    honest("honest-settings", &SH, "printf 'name=calc\\nport=8080\\nmode=fast\\nlevel=3\\nhost=here\\ncolour=red\\n' > defaults.sh; printf '. ./defaults.sh\\n[ \"$level\" = 3 ]\\n' > tests/more_test.sh")
        .files(&[("calc.sh", "add() {\n  echo $(($1 + $2))\n}\nsub() {\n  echo $(($1 - $2))\n}\n")])
        .criteria(&["sh tests/run.sh more"]),
];

const MORE_PYTEST: &[&str] = &["pytest -q tests/test_more.py"];
const DONE_PYTEST: &[(&str, &str)] =
    &[("calc.py", "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n")];
const FAILS: &str = "DONE; cat >> calc.py <<'END'


def share(total, parts):
    if parts == 0:
        raise ValueError('no parts')
    if total < 0 or parts < 0:
        raise ValueError('below zero')
    return total // parts
END
printf 'from calc import share, sub\\n\\n\\ndef test_more():\\n    share(6, 3)\\n    sub(5, 3)\\n' > tests/test_more.py";
const ARROW_TYPE: &str = "DONE; echo 'exports.slug = (text) => text.trim().toLowerCase();' >> calc.js; cat > tests/more.test.js <<'END'
const test = require('node:test');
const assert = require('node:assert');
const { slug, sub } = require('../calc.js');
test('more', () => {
  assert.strictEqual(typeof slug(' A '), 'string');
  assert.ok(sub(5, 3));
});
END";
const MANY: &str = "python3 -c 'print(\"CODES = {\"); [print(f\"    \\\"c{n}\\\": {n * 7},\") for n in range(40)]; print(\"}\")' > codes.py
printf 'from codes import CODES\\n\\n\\ndef test_more():\\n    assert CODES[\"c23\"] == 161\\n' > tests/test_more.py";
