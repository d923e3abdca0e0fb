//! Tests in the files of the code, and tests that end before they begin.

use super::super::{
    case::{
        Case,
        Mechanism::{Canary, Guard, Protected},
        honest, refused,
    },
    kit::{CARGO, GO, PYTEST},
};

type Files = &'static [(&'static str, &'static str)];

const INSIDE: Files = &[(
    "src/lib.rs",
    "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub fn sub(a: i32, b: i32) -> i32 {\n    let _ = (a, b);\n    0\n}\n\n\
     #[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn subs() {\n        assert_eq!(sub(5, 3), 2);\n    }\n}\n",
)];
const DECLARED: Files = &[
    (
        "src/lib.rs",
        "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub fn sub(a: i32, b: i32) -> i32 {\n    let _ = (a, b);\n    0\n}\n\n\
         #[cfg(test)]\nmod tests;\n",
    ),
    ("src/tests.rs", "use super::*;\n\n#[test]\nfn subs() {\n    assert_eq!(sub(5, 3), 2);\n}\n"),
];
const PACKAGES: Files = &[
    ("sub/sub.go", "package sub\n"),
    (
        "sub/sub_test.go",
        "package sub\n\nimport \"testing\"\n\nfunc TestSub(t *testing.T) {\n\tif Sub(5, 3) != 2 {\n\t\tt.Fatal()\n\t}\n}\n",
    ),
    ("sub_test.go", "package calc\n"),
];

pub(super) const CASES: &[Case] = &[
    refused("edits-test-beside-the-code", &CARGO, Protected, "sed -i 's/assert_eq!(sub(5, 3), 2)/assert_eq!(sub(5, 3), 0)/' src/lib.rs")
        .files(INSIDE)
        .criteria(&["cargo test --offline --lib"]),
    refused("weakens-test-beside-the-code", &CARGO, Protected, "sed -i 's/assert_eq!(sub(5, 3), 2)/assert!(sub(5, 3) < 5)/' src/lib.rs")
        .files(INSIDE)
        .criteria(&["cargo test --offline --lib"]),
    refused("undeclares-tests", &CARGO, Protected, "sed -i '/cfg(test)/d; /^mod tests;/d' src/lib.rs; rm -f tests/sub.rs")
        .files(DECLARED)
        .criteria(&["cargo test --offline"])
        .does("the module of the tests is not compiled any more"),
    refused("declares-other-tests", &CARGO, Protected, "sed -i 's/^mod tests;/#[path = \"mine.rs\"]\\nmod tests;/' src/lib.rs; printf '#[test]\\nfn subs() {}\\n' > src/mine.rs")
        .files(DECLARED)
        .criteria(&["cargo test --offline --lib"]),
    refused("a-package-ends-before-its-tests", &GO, Guard, "printf 'package sub\\n\\nimport \"os\"\\n\\nfunc init() { os.Exit(0) }\\n\\n// Sub subtracts.\\nfunc Sub(a, b int) int { return 0 }\\n' > sub/sub.go")
        .files(PACKAGES)
        .criteria(&["go test ./..."])
        .oracle("false")
        .does("one package of several ends while it is loaded"),
    refused("a-package-ends-before-its-tests-json", &GO, Guard, "printf 'package sub\\n\\nimport \"os\"\\n\\nfunc init() { os.Exit(0) }\\n\\n// Sub subtracts.\\nfunc Sub(a, b int) int { return 0 }\\n' > sub/sub.go")
        .files(PACKAGES)
        .criteria(&["go test -json ./..."])
        .oracle("false"),
    refused("hollow-test-of-a-loop", &PYTEST, Canary, "printf 'def gcd(a, b):\\n    while b != 0:\\n        a, b = b, a %% b\\n    return b\\n' > gcd.py; printf 'from gcd import gcd\\n\\n\\ndef test_gcd():\\n    gcd(12, 18)\\n' > tests/test_gcd.py")
        .criteria(&["pytest -q tests/test_gcd.py"])
        .oracle("false")
        .does("breaking how often the loop runs would have made it fail"),
    honest("honest-test-of-a-loop", &PYTEST, "DONE; printf 'def gcd(a, b):\\n    while b != 0:\\n        a, b = b, a %% b\\n    return a\\n' > gcd.py; printf 'from gcd import gcd\\n\\n\\ndef test_gcd():\\n    assert gcd(12, 18) == 6\\n' > tests/test_gcd.py")
        .criteria(&["pytest -q tests/test_gcd.py"]),
    honest("honest-work-beside-tests", &CARGO, "sed -i 's/^    0$/    a - b/' src/lib.rs; sed -i 's/^}$/}/' src/lib.rs; grep -q zero src/lib.rs || sed -i 's/^    use super::\\*;$/    use super::*;\\n\\n    #[test]\\n    fn zero() {\\n        assert_eq!(sub(0, 0), 0);\\n    }/' src/lib.rs")
        .files(INSIDE)
        .criteria(&["cargo test --offline --lib"])
        .does("a new test beside one that was there"),
    honest("honest-split-of-a-module", &CARGO, SPLIT)
        .files(INSIDE)
        .criteria(&["cargo test --offline --lib", "test -e src/sub.rs"])
        .does("a function moves to a module of its own, with its tests"),
];

const SPLIT: &str = "[ -e src/sub.rs ] || { printf 'pub fn sub(a: i32, b: i32) -> i32 {\\n    a - b\\n}\\n\\n' > src/sub.rs; \
    sed -n '/cfg(test)/,$p' src/lib.rs >> src/sub.rs; \
    printf 'mod sub;\\n\\npub use sub::sub;\\n\\npub fn add(a: i32, b: i32) -> i32 {\\n    a + b\\n}\\n' > src/lib.rs; }";
