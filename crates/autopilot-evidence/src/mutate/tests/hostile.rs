//! Snippets in which operators are none, and lines that are not changed.

use super::{super::mutants, check};

#[test]
fn operators_in_texts_comments_and_types_are_left_alone() {
    check(&[
        (
            "a.rs",
            r##"/* a /* b */ == c */
// x > y
use a::{b, c::<D<E>>};
type Map = Vec<Option<Result<u8, [u8; 3]>>>;
fn f<'a>(x: &'a str) -> Box<dyn Fn(u8) -> u8> {}
"##,
            &[],
        ),
        (
            "a.rs",
            "fn f(x: &str) -> usize {\n    let it = '\"'; let q = x.find(\"a == b\").map_or(7, |n| n << 2);\n}\n",
            &[
                r#"2: `"` became `z`"#,
                "1: the function does nothing",
                "2: `a == b` became `a == bmutated`",
            ],
        ),
        (
            "a.py",
            "\"\"\"a > b\"\"\"\nimport a\nfrom b import (\n    c,\n)\n# x == y\n@d(e=1)\nclass F(G[int]): pass\n",
            &[],
        ),
        (
            "a.ts",
            "import { a } from 'b == c';\nexport type X<T> = Array<Map<string, T>>;\nconst f = <T,>(x: Array<T>): void => {};\n",
            &[],
        ),
        (
            "a.tsx",
            "const a = <Foo<string> b={c}>it's &amp; d</Foo>;\nconst e = (\n  <p\n    id={f}\n  >\n    {g}\n  </p>\n);\n",
            &[],
        ),
        ("a.js", "const a = /[/>=\"]+/g, b = c;\nconst d = x;\n", &[]),
        (
            "a.cpp",
            "#include <a>\n#define B(x) x > 1 \\\n  && x < 2\ntemplate <class T, class U>\nusing V = std::map<T, std::vector<U>>;\n",
            &[],
        ),
        (
            "a.java",
            "package a;\nimport b.C;\n@D(e = 1)\nclass F<T extends G<T>> {\n    Map<String, List<T>> h;\n}\n",
            &[],
        ),
        (
            "a.go",
            "package a\n\nimport \"b\"\n\ntype C struct {\n\td int `e:\"f\"`\n\tg [3]int\n}\n",
            &[],
        ),
        ("a.sh", "# a && b\n. ./lib.sh\n", &[]),
        ("a.rb", "require 'a'\nclass B < C\n  # d == e\nend\n", &[]),
        ("a.php", "<p>a > b && c</p>\n<?php\nuse A\\B;\n#[C(1)]\n// d == e\n", &[]),
        ("a.yaml", "# a: b\n---\n", &[]),
    ]);
}

#[test]
fn line_endings_indentation_and_letters_do_not_matter() {
    check(&[
        (
            "a.py",
            "def f(x):\r\n\tif x == 1:\r\n\t\treturn x\r\n",
            &[
                "2: `==` became `!=`",
                "3: `x` became another value of its type",
                "2: `1` became `2`",
            ],
        ),
        (
            "a.rs",
            "fn größe(länge: u32) -> u32 {\n    länge * 2\n}",
            &["2: `länge * 2` became `(länge * 2) + 1`", "1: the function does nothing"],
        ),
        ("a.js", "if (日本 > 1) { go(\"🎉 done\") }", &["1: `>` became `<=`", "1: `1` became `2`"]),
        (
            "a.sh",
            "if [ \"$x\" = ä ]; then\r\n  exit 1\r\nfi",
            &[r#"1: `[ "$x" = ä ]` is never true"#, "2: `1` became `0`"],
        ),
        ("a.md", "Überschrift 日本", &["1: the line `Überschrift 日本` is gone"]),
        (
            "a.py",
            "x = f'{a!r:>{width}} {b[\"c\"]}'\n",
            &[r#"1: `{a!r:>{width}} {b["c"]}` became `{a!r:>{width}} {b["c"]}mutated`"#],
        ),
    ]);
}

#[test]
fn only_changed_lines_are_touched_and_one_line_gives_two_at_most() {
    let now = "def f(a, b):\n    if a > b and a != 3 and b == 4:\n        return a - b\n    return a + b\n";
    let lines = |changed: &[usize]| -> Vec<usize> {
        mutants("a.py", now, changed, 9).iter().map(|mutant| mutant.line).collect()
    };
    assert_eq!(lines(&[2]), [2, 2]);
    assert_eq!(lines(&[2, 4]), [2, 4, 2]);
    assert_eq!(lines(&[1]), [0_usize; 0]);
    assert_eq!(lines(&[99, 0]), [0_usize; 0]);
}

#[test]
fn few_mutants_of_many_alike_are_spread() {
    let now = "x = a < b\n".repeat(90);
    let changed: Vec<usize> = (1..=90).collect();
    let lines: Vec<usize> = mutants("a.py", &now, &changed, 3).iter().map(|m| m.line).collect();
    assert_eq!(lines, [1, 31, 61]);
}

#[test]
fn logs_come_last_and_tests_and_assertions_are_left_alone() {
    let now = "def f(x):\n    assert x > 1\n    logger.info(\"a\")\n    return g(x)\n";
    assert_eq!(mutants("a.py", now, &[2, 3, 4], 1)[0].line, 4);
    assert_eq!(mutants("a.py", now, &[2], 1), []);
    assert_eq!(mutants("a.py", now, &[3], 1)[0].what, "`a` became `amutated`");
    let now = "#[cfg(test)]\nmod tests {\n    fn a(b: u8) -> bool {\n        b > 1\n    }\n}\npub const C: u8 = 3;\n";
    assert_eq!(mutants("a.rs", now, &[4, 7], 9)[0].line, 7);
    assert_eq!(mutants("a.rs", now, &[4], 9), []);
}

#[test]
fn a_mutant_says_what_it_replaces() {
    let now = "fn f(a: u8) -> bool {\n    a > 1\n}\n";
    let found = mutants("a.rs", now, &[2], 1);
    assert_eq!((found[0].from.as_str(), found[0].to.as_str(), found[0].line), (">", "<=", 2));
    assert_eq!(found[0].apply(now), "fn f(a: u8) -> bool {\n    a <= 1\n}\n");
    assert_eq!(found[0].apply("fn f() {}\n"), "fn f() {}\n");
    let empty = "x = \"\"\n";
    let found = mutants("a.py", empty, &[1], 1);
    assert_eq!((found[0].from.as_str(), found[0].to.as_str()), ("\"\"", "\"mutated\""));
}
