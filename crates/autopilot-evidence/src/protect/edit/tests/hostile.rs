//! Edits that look like more tests and are less.

use super::{super::*, edit, texts::*, with};

fn refused(path: &str, base: &str, now: &str, why: &str) {
    assert_ne!(base, now, "{path}: the edit does something");
    let edit = edit(path, base, now);
    let told = edit.why_not.unwrap_or_default();
    assert!(
        !edit.only_adds_tests && told.contains(why),
        "{path}: {told:?}, not {why:?}\n{}",
        edit.diff
    );
}

#[test]
fn what_was_there_must_stay_as_it_is() {
    for (path, base, from, to) in [
        ("test_a.py", PYTHON, "== 6", "== 7"),
        ("test_a.py", PYTHON, "== 6", "== pytest.approx(6, abs=9)"),
        ("test_a.py", PYTHON, "    assert", "    # assert"),
        ("test_a.py", PYTHON, "def test_total", "def check_total"),
        ("test_a.py", PYTHON, "def test_total", "def t\u{435}st_total"),
        (
            "test_a.py",
            PYTHON,
            "def test_total():\n    items",
            "if False:\n  def test_total():\n    items",
        ),
        ("test_a.py", PYTHON, "from shop import total", "from shop import tax as total"),
        ("test_a.py", PYTHON, "    assert total(items) == 6\n", ""),
        ("tests/a.rs", RUST, "#[test]\n", ""),
        ("tests/a.rs", RUST, "3)", "3 as _)"),
        ("a.test.ts", JS, "it('adds'", "it.skip('adds'"),
        ("a.test.ts", JS, "it('adds'", "xit('adds'"),
        ("a.test.ts", JS, "toBe(3)", "toBeDefined()"),
        ("a_test.go", GO, "TestTotal", "testTotal"),
        ("SumTest.java", JAVA, "    @Test", "    @Test @Disabled"),
        ("a.bats", BATS, "  run sum 1 2", "  skip"),
    ] {
        refused(path, base, &base.replace(from, to), "removed or changed");
    }
}

#[test]
fn nothing_is_put_into_a_test_that_was_there() {
    for (path, base, after, added, why) in [
        ("test_a.py", PYTHON, "items =", "    return\n", "inside"),
        ("test_a.py", PYTHON, "items =", "    items = [6]\n", "inside"),
        ("test_a.py", PYTHON, "def test_total", "    def total(x): return 6\n", "inside"),
        ("test_a.py", PYTHON, "items =", "\ndef test_new():\n    items = []\n", "takes over"),
        ("test_a.py", PYTHON, "items =", "    \"\"\"\n", "certainty"),
        ("test_a.py", PYTHON, "", "    assert total([]) == 0\n", "inside"),
        ("tests/a.rs", RUST, "let sum", "    return;\n", "inside"),
        ("tests/a.rs", RUST, "let sum", "    let sum = 3;\n", "inside"),
        ("tests/a.rs", RUST, "let sum", "}\n#[test]\nfn more() {\n    let sum = 3;\n", "inside"),
        ("tests/a.rs", RUST, "let sum", "    /*\n", "certainty"),
        ("a.test.ts", JS, "const sum", "    return;\n", "inside"),
        ("a.test.ts", JS, "const sum", "    it('x', () => {});\n", "inside"),
        ("a_test.go", GO, "func TestTotal", "\treturn\n", "inside"),
        ("SumTest.java", JAVA, "void adds", "        if (true) return;\n", "inside"),
        ("SumTest.php", PHP, "    {", "        return;\n", "inside"),
        ("spec/sum_spec.rb", RSPEC, "it 'adds'", "    next\n", "inside"),
        ("spec/sum_spec.rb", RSPEC, "it 'adds'", "  end\n  it 'x' do\n", "takes over"),
        ("a.bats", BATS, "@test", "  return 0\n", "inside"),
    ] {
        refused(path, base, &with(base, after, added), why);
    }
}

#[test]
fn nothing_that_was_there_becomes_text() {
    for (path, base, first, second, quote) in [
        ("test_a.py", PYTHON, "items =", "assert", "    \"\"\"\n"),
        ("test_a.py", PYTHON, "from shop", "assert", "'''\n"),
        ("a.test.ts", JS, "const sum", "expect", "`\n"),
    ] {
        refused(path, base, &with(&with(base, second, quote), first, quote), "not whole");
    }
    let commented = with(&with(RUST, "assert_eq", "    */\n"), "let sum", "    /*\n");
    refused("tests/a.rs", RUST, &commented, "not whole");
}

#[test]
fn nothing_leans_on_what_was_there() {
    for (path, base, after, added, why) in [
        ("test_a.py", PYTHON, "from shop", "\n\n@pytest.mark.usefixtures('x')\n", "decorator"),
        (
            "test_a.py",
            &with(PYTHON, "from shop", "\n@deco\n"),
            "@deco",
            "def test_x():\n    pass\n",
            "decorator",
        ),
        ("tests/a.rs", RUST, "use shop", "#[cfg(any())]\n", "end what it begins"),
        ("tests/a.rs", RUST, "#[test]", "fn other() {}\n", "between two parts"),
        ("tests/a.rs", RUST, "", "#![cfg(any())]\n", "tools obey"),
        ("SumTest.java", JAVA, "class SumTest", "    @Tag(\"x\")\n", "end what it begins"),
        ("SumTest.java", JAVA, "    @Test", "    void x() {}\n", "between two parts"),
        ("a.test.ts", JS, "describe", "  beforeEach(() => { fake(); });\n", "no test"),
        ("a.test.ts", JS, "describe", "  function total() { return 3; }\n", "other than a test"),
        ("SumTest.php", PHP, "    }", "    protected function total() { return 3; }\n", "no test"),
        ("spec/sum_spec.rb", RSPEC, "RSpec.describe", "  before { fake }\n", "no test"),
        ("spec/sum_spec.rb", RSPEC, "  end", "  it 'x' do\n  end if false\n", "indented"),
        (
            "spec/sum_spec.rb",
            RSPEC,
            "  end",
            "  it 'x' do\n    end\n    y\n  end\n",
            "ends a block",
        ),
        ("a.bats", BATS, "", "true\n", "no test"),
        ("tests/all.sh", "set -e\n./a\n", "", "true\n", "no test"),
        ("a.test.ts", JS, "", "it('x', f); total();\n", "no test"),
        ("test_a.py", PYTHON, "", "import os; os.remove('x')\n", "when the file is read"),
        ("test_a.py", PYTHON, "", "total = lambda items: 6\n", "when the file is read"),
        ("test_a.py", PYTHON, "from shop", "if 1:\n    total = len\n", "when the file is read"),
    ] {
        refused(path, base, &with(base, after, added), why);
    }
}

#[test]
fn no_name_is_defined_again() {
    let inherits = "class TestSum(SharedTests):\n    pass\n";
    for (path, base, added, why) in [
        ("test_a.py", PYTHON, "\n\ndef test_total():\n    pass\n", "`test_total`"),
        ("test_a.py", PYTHON, "\n\ndef total(items):\n    return 6\n", "`total`"),
        ("test_a.py", PYTHON, "\n\nclass total:\n    pass\n", "`total`"),
        ("test_a.py", PYTHON, "\n\nfrom fake import total\n", "`total`"),
        ("test_a.py", PYTHON, "\n\nimport fake as pytest\n", "`pytest`"),
        ("test_a.py", PYTHON, "\n\nfrom fake import *\n", "when the file is read"),
        ("test_a.py", PYTHON, "\n\nfrom __future__ import annotations\n", "when the file is read"),
        (
            "test_a.py",
            PYTHON,
            "\n\ndef test_x():\n    pass\n\n\ndef test_x():\n    pass\n",
            "`test_x`",
        ),
        ("test_a.py", PYTHON_CLASS, "\n    def test_one(self):\n        pass\n", "`test_one`"),
        (
            "test_a.py",
            PYTHON_CLASS,
            "\n    def assertEqual(self, a, b):\n        pass\n",
            "other than a test",
        ),
        ("test_a.py", PYTHON_CLASS, "\n    def setUp(self):\n        pass\n", "runs around"),
        (
            "test_a.py",
            PYTHON_CLASS,
            "\n    def run(self, result=None):\n        pass\n",
            "runs around",
        ),
        ("test_a.py", inherits, "\n    def test_shared(self):\n        pass\n", "inherits"),
        ("tests/a.rs", RUST, "\nfn total(_: &[u32]) -> u32 {\n    3\n}\n", "`total`"),
        ("tests/a.rs", RUST, "\nuse fake::assert_eq;\n", "`assert_eq`"),
        ("tests/a.rs", RUST, "\nuse fake::*;\n", "no test"),
        (
            "tests/a.rs",
            RUST,
            "\nmacro_rules! assert_eq {\n    ($($x:tt)*) => {};\n}\n",
            "`macro_rules`",
        ),
        ("a.test.ts", JS, "\nimport { expect } from './fake';\n", "`expect`"),
        ("a.test.ts", JS, "\nfunction expect() {\n  return chain;\n}\n", "`expect`"),
        ("a.test.ts", JS, "\nimport './fake';\n", "no test"),
        ("a_test.go", GO, "\nfunc TestTotal(t *testing.T) {\n}\n", "`TestTotal`"),
        ("a_test.go", GO, "\nfunc (t T) String() string {\n\treturn \"\"\n}\n", "no test"),
        ("a_test.go", GO, "\nvar _ = fake()\n", "no test"),
        ("a.bats", BATS, "\nrun() {\n  true\n}\n", "no test"),
    ] {
        refused(path, base, &format!("{base}{added}"), why);
    }
}

#[test]
fn nothing_skips_focuses_ends_or_bends() {
    for (path, base, added, why) in [
        ("test_a.py", PYTHON, "pytestmark = pytest.mark.skip\n", "`pytestmark`"),
        ("test_a.py", PYTHON, "\n\ndef test_x():\n    pytest.skip('x')\n", "`skip`"),
        ("test_a.py", PYTHON, "\n\n@pytest.mark.xfail\ndef test_x():\n    pass\n", "`xfail`"),
        ("test_a.py", PYTHON, "\n\ndef test_x():\n    sys.exit(0)\n", "`exit`"),
        ("test_a.py", PYTHON, "\n\ndef test_x():\n    os._exit(0)\n", "`_exit`"),
        ("test_a.py", PYTHON, "\n\ndef test_x():\n    print(f\"{os._exit(0)}\")\n", "`_exit`"),
        (
            "test_a.py",
            PYTHON,
            "\n\ndef test_x():\n    import shop\n    shop.total = len\n",
            "`shop.total`",
        ),
        (
            "test_a.py",
            PYTHON,
            "\n\nclass TestX:\n    import shop; shop.total = len\n",
            "`shop.total`",
        ),
        ("test_a.py", PYTHON, "\n\ndef test_x():\n    del shop.total\n", "`del`"),
        ("test_a.py", PYTHON, "\n\ndef test_x():\n    setattr(shop, 'total', len)\n", "`setattr`"),
        (
            "test_a.py",
            PYTHON,
            "\n\n@pytest.fixture(autouse=True)\ndef fake():\n    pass\n",
            "`autouse`",
        ),
        (
            "test_a.py",
            PYTHON,
            "\n\ndef pytest_collection_modifyitems(items):\n    items.clear()\n",
            "`pytest_",
        ),
        ("tests/conftest.py", PYTHON, "\n\ndef helper():\n    pass\n", "runs around"),
        ("test_a.py", PYTHON, "\n\ndef test_\u{ff41}():\n    pass\n", "ASCII"),
        ("test_a.py", PYTHON, "\n\n# \u{202e}\ndef test_x():\n    pass\n", "cannot be seen"),
        ("test_a.py", PYTHON, "\n\n# a\rdef test_x(): pass\n", "cannot be seen"),
        ("test_a.py", PYTHON, "\n\n# -*- coding: utf-7 -*-\n", "tools obey"),
        ("tests/a.rs", RUST, "\n#[test]\n#\u{5b}ignore]\nfn x() {}\n", "`ignore`"),
        ("tests/a.rs", RUST, "\n#[test]\nfn x() {\n    std::process::exit(0);\n}\n", "`exit`"),
        ("tests/a.rs", RUST, "\n#[no_mangle]\nfn x() {}\n", "`no_mangle`"),
        ("a.test.ts", JS, "\nit.only('x', () => {});\n", "`.only`"),
        ("a.test.ts", JS, "\ndescribe('x', () => {\n  it['only']('y', f);\n});\n", "`['only`"),
        ("a.test.ts", JS, "\nfdescribe('x', () => {});\n", "`fdescribe`"),
        ("a.test.ts", JS, "\nit.todo('x');\n", "`.todo`"),
        ("a.test.ts", JS, "\njest.mock('../src/total');\n", "`jest.mock`"),
        ("a.test.ts", JS, "\nit('x', () => {\n  process.exit(0);\n});\n", "`exit`"),
        ("a.test.ts", JS, "\nit(`x ${process.exit(0)}`, () => {});\n", "`exit`"),
        ("a.test.ts", JS, "\nit('x', () => {\n  expect = () => chain;\n});\n", "`expect`"),
        ("a.test.ts", JS, "\n// @ts-nocheck\n", "tools obey"),
        ("a_test.go", GO, "\nfunc TestX(t *testing.T) {\n\tt.Skip()\n}\n", "`Skip`"),
        ("a_test.go", GO, "\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n", "`TestMain`"),
        ("a_test.go", GO, "\nfunc init() {\n\tfake()\n}\n", "`init`"),
        ("a_test.go", GO, "\n//go:build ignore\n", "tools obey"),
        ("spec/sum_spec.rb", RSPEC, "\nRSpec.describe X do\n  xit 'x' do\n  end\nend\n", "`xit`"),
        ("spec/sum_spec.rb", RSPEC, "\nat_exit { exit! 0 }\n", "`at_exit`"),
        ("a.bats", BATS, "\n@test \"x\" {\n  skip\n}\n", "`skip`"),
        ("a.bats", BATS, "\n@test \"x\" {\n  echo \"$(kill $PPID)\"\n}\n", "`kill`"),
        ("a.swift", "func testA() {}\n", "func testB() throws { throw XCTSkip() }\n", "`XCTSkip`"),
        ("tests/data.json", "{}\n", "{}\n", "look at"),
        ("tests/a.snap", "a\n", "b\n", "look at"),
    ] {
        refused(path, base, &format!("{base}{added}"), why);
    }
}

#[test]
fn annotations_do_not_make_a_hook_a_test() {
    for (path, base, added, why) in [
        ("SumTest.java", JAVA, "\n    @BeforeEach\n    void x() {\n    }\n", "`@before`"),
        ("SumTest.java", JAVA, "\n    @Test\n    @Disabled\n    void x() {\n    }\n", "`Disabled`"),
        (
            "SumTest.java",
            JAVA,
            "\n    int sum(int a, int b) {\n        return 3;\n    }\n",
            "no test",
        ),
        ("SumTest.java", JAVA, "\n    @Test\n    void adds() {\n    }\n", "`adds`"),
        (
            "SumTest.java",
            &JAVA.replace("SumTest", "SumTest extends Shared"),
            "\n    @Test\n    void x() {\n    }\n",
            "inherits",
        ),
        ("SumTest.kt", KOTLIN, "\n    @Ignore\n    @Test\n    fun x() {\n    }\n", "`Ignore`"),
        (
            "SumTests.cs",
            CSHARP,
            "\n    [Fact(Skip = \"x\")]\n    public void X()\n    {\n    }\n",
            "`Skip`",
        ),
        ("SumTests.cs", CSHARP, "\n    public SumTests()\n    {\n    }\n", "no test"),
        (
            "SumTest.php",
            PHP,
            "\n    public function testX(): void\n    {\n        $this->markTestSkipped();\n    }\n",
            "`markTestSkipped`",
        ),
        (
            "SumTest.php",
            PHP,
            "\n    #[Before]\n    public function testX(): void\n    {\n    }\n",
            "`Before`",
        ),
        ("SumTest.php", PHP, "\n    protected function setUp(): void\n    {\n    }\n", "`setUp`"),
    ] {
        refused(path, base, &with(base, "    }", added), why);
    }
}

#[test]
fn what_is_not_text_is_refused() {
    let edit = Edit::between(
        b"test_a.py",
        Class::Test,
        Some(b"\xff\n"),
        Some(b"\xff\ndef test_x(): pass\n"),
    );
    assert_eq!(edit.why_not.as_deref(), Some("the file is not UTF-8"));
    let unclosed = with(JS, "", "\nit('x', () => {\n");
    refused("a.test.ts", JS, &unclosed, "certainty");
    refused("a.exs", "a\nb\n", "a\nx\nb\n", "middle");
    refused("test_a.py", PYTHON, &with(PYTHON, "", "\n\ndef test_x():\n\tpass\n"), "tabs");
    refused(
        "SumTest.php",
        PHP,
        &with(PHP, "    }", "\n    private function x() { return <<<A\n    A; }\n"),
        "certainty",
    );
}
