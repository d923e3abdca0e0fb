//! What a test that looks at nothing would notice is not tried, and what one that looks at something notices is.

use super::super::{
    Part, Promise, changed_lines, mutants, says_the_same, test_lines, together, worth::is_prose,
};

fn lines_of(path: &str, now: &str) -> Vec<usize> {
    let found = mutants(path, now, &changed_lines(None, now), 40);
    let mut lines: Vec<usize> = found.iter().map(|mutant| mutant.line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

#[test]
fn tests_beside_the_code_are_left_alone() {
    let cases: [(&str, &str, &[usize]); 12] = [
        (
            "a.py",
            "def f(a):\n    return a + 1\n\n\ndef test_f():\n    x = 1 + 1\n    assert f(1) == x\n",
            &[2],
        ),
        (
            "a.py",
            "def f(a):\n    return a + 1\n\n\nclass TestF:\n    one = 1\n\n    def check(self):\n        return 2 == f(self.one)\n",
            &[2],
        ),
        (
            "a.py",
            "class T(unittest.TestCase):\n    def setUp(self):\n        self.n = 2\n\n\nN = 3\n",
            &[6],
        ),
        (
            "a.py",
            "def f(a):\n    return a + 1\n\n\nif __name__ == \"__main__\":\n    n = 2\n    assert f(1) == n\n",
            &[2],
        ),
        ("a.rs", "#[cfg(test)]\nmod tests {\n    fn n() -> u8 {\n        3\n    }\n}\n", &[]),
        (
            "a.rs",
            "#[cfg(all(test, unix))]\nmod tests {\n    const N: u8 = 3;\n}\nconst M: u8 = 4;\n",
            &[5],
        ),
        (
            "a.rs",
            "#[cfg(not(test))]\nfn f() -> u8 {\n    3\n}\n#[tokio::test(flavor = \"multi_thread\")]\nasync fn g() {\n    h(1 + 1);\n}\n",
            &[2, 3],
        ),
        ("a.rs", "#![cfg(test)]\nfn f() -> u8 {\n    3\n}\n", &[]),
        (
            "a.ts",
            "export const f = (a: number) => a + 1;\nif (import.meta.vitest) {\n  const n = 2;\n  it(\"adds\", () => expect(f(1) === n));\n}\n",
            &[1],
        ),
        (
            "a.js",
            "exports.f = (a) => a + 1;\ndescribe('f', () => {\n  const n = 2;\n  it('adds', () => check(n > 1));\n});\n",
            &[1],
        ),
        (
            "a.go",
            "package a\n\nfunc F(a int) int {\n\treturn a + 1\n}\n\nfunc ExampleF() {\n\tfmt.Println(F(1 + 1))\n}\n",
            &[3, 4],
        ),
        (
            "a.rb",
            "def f(a)\n  a + 1\nend\n\nclass FTest < Minitest::Test\n  def test_f\n    assert_equal 2, f(1)\n  end\nend\n",
            &[2],
        ),
    ];
    for (path, now, expected) in cases {
        assert_eq!(lines_of(path, now), expected, "{path}:\n{now}");
    }
}

#[test]
fn the_lines_of_tests_are_known() {
    let now = "def f():\n    return 1\n\n\ndef test_f():\n    assert f() == 1\n";
    assert_eq!(test_lines("a.py", now), [5, 6]);
    assert_eq!(test_lines("a.sh", now), [0; 0]);
    let nested = "mod a;\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn f() {}\n}\nfn g() {}\n";
    assert_eq!(test_lines("a.rs", nested), [2, 3, 4, 5, 6]);
}

#[test]
fn nothing_is_tried_that_fails_wherever_it_is_run() {
    let cases: [(&str, &str, &[&str]); 9] = [
        (
            "a.py",
            "def f(a):\n    if a is None:\n        raise ValueError(a)\n",
            &["`a is None` is never true"],
        ),
        (
            "a.py",
            "def f(a):\n    total = g(a)\n    return rows[\"name\"]\n",
            &["`rows[\"name\"]` became another value of its type"],
        ),
        (
            "a.py",
            "PORT = int(\"8080\")\nNAMES = [\"one\"]\n",
            &["`8080` became `8079`", "`one` became `mutated`"],
        ),
        ("a.js", "module.exports = { f };\n", &[]),
        (
            "a.js",
            "function f(a) {\n  if (!a) throw new Error();\n}\n",
            &["`!a` is never true", "the function does nothing"],
        ),
        (
            "a.go",
            "package a\n\nfunc F(a int) (int, error) {\n\tif a < 0 {\n\t\treturn 0, errNo\n\t}\n\tg()\n}\n",
            &[
                "`a < 0` is never true",
                "`0` became `1`",
                "`g()` does not happen",
                "the function does nothing",
            ],
        ),
        ("a.rs", "fn f(a: &T) -> T {\n    a.clone()\n}\n", &[]),
        ("a.sh", "[ -n \"$1\" ] || exit 2\n", &["`exit` does not happen"]),
        (
            "a.sh",
            "if [ -z \"$1\" ]; then\n  echo no >&2\n  return 1\nfi\n",
            &["`[ -z \"$1\" ]` is never true", "`1` became `0`", "`echo no >&2` does not happen"],
        ),
    ];
    for (path, now, expected) in cases {
        let found = mutants(path, now, &changed_lines(None, now), 40);
        let what: Vec<&str> = found.iter().map(|mutant| mutant.what.as_str()).collect();
        assert_eq!(what, expected, "{path}:\n{now}");
    }
}

#[test]
fn all_values_become_others_at_once() {
    let cases = [
        (
            "a.json",
            "{\"a\": 1,\n \"b\": [\"xx yy\", true]}\n",
            Part::Values,
            "{\"a\": 2,\n \"b\": [\"mutated mutated\", false]}\n",
        ),
        (
            "a.json",
            "{\"ab\": 1,\n \"cd\": 2}\n",
            Part::Names,
            "{\"mutated\": 1,\n \"mutated\": 2}\n",
        ),
        (
            "a.py",
            "A = {\"k\": 1}\nB = [\"two\", 3]\n",
            Part::Values,
            "A = {\"k\": 2}\nB = [\"mutated\", 4]\n",
        ),
        (
            "a.csv",
            "name,price\npear,3\nfig,4\n",
            Part::Values,
            "name,price\nmutated,4\nmutated,5\n",
        ),
        ("a.sh", "A=one\nB=2\n", Part::Values, "A=mutated\nB=3\n"),
        (
            "a.rs",
            "fn f() -> u8 {\n    1\n}\nfn g(a: u8) -> bool {\n    a < 3\n}\nfn h() -> u8 {\n    2\n}\n",
            Part::Results,
            "fn f() -> u8 {\n    2\n}\nfn g(a: u8) -> bool {\n    !(a < 3)\n}\nfn h() -> u8 {\n    3\n}\n",
        ),
        ("a.md", "# A\n\nword\n", Part::Values, "\n\n\n"),
    ];
    for (path, now, part, expected) in cases {
        let mutant = together(path, now, &changed_lines(None, now), part);
        assert_eq!(mutant.map(|mutant| mutant.apply(now)).as_deref(), Some(expected), "{path}");
    }
    assert_eq!(together("a.json", "{\"a\": 1}\n", &[1], Part::Values), None, "one is no table");
    let long = format!("[{}1]\n", "1, ".repeat(9_000));
    let mutant = together("a.json", &long, &[1], Part::Values).expect("one line is enough");
    assert_eq!(mutant.promise, Promise::Value);
    assert!(mutant.apply(&long).starts_with("[2, 2, "));
}

#[test]
fn layout_comments_and_quotes_say_nothing_new() {
    let same = [
        ("a.py", "x = f(a,b)\n", "x = f(a, b)  # c\n"),
        ("a.py", "f('b')\n", "f(\"b\")\n"),
        ("a.js", "f(a);\ng()\n", "f( a )\n// c\ng();\n"),
        ("a.rs", "fn f() { g(1) }\n", "/// Does.\nfn f() {\n    g(1)\n}\n"),
    ];
    for (path, before, now) in same {
        assert!(says_the_same(path, before, now), "{path}: {now}");
    }
    assert!(!says_the_same("a.py", "if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n"));
    assert!(!says_the_same("a.js", "f(a)\n", "f(b)\n"));
    assert!(is_prose("docs/a.md", "") && is_prose(".env", "") && !is_prose("a.json", ""));
}
