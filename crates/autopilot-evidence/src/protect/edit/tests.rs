//! Edits of tests that are accepted, and what an edit is said to do.

use proptest::prelude::*;

use super::*;
use texts::*;

mod hostile;
mod texts;

/// A text with a line, or several, put in after the first line that holds some words; at the end without.
fn with(base: &str, after: &str, added: &str) -> String {
    let Some(at) = base.find(after).filter(|_| !after.is_empty()) else {
        return format!("{base}{added}");
    };
    let end = base[at..].find('\n').map_or(base.len(), |end| at + end + 1);
    format!("{}{added}{}", &base[..end], &base[end..])
}

fn edit(path: &str, base: &str, now: &str) -> Edit {
    Edit::between(path.as_bytes(), Class::Test, Some(base.as_bytes()), Some(now.as_bytes()))
}

fn accepted(path: &str, base: &str, now: &str) {
    let edit = edit(path, base, now);
    assert_eq!(edit.why_not, None, "{path}\n{}", edit.diff);
    assert!(edit.only_adds_tests);
    assert_eq!((edit.tests_removed, edit.assertions_removed, edit.skips_added), (0, 0, 0));
}

/// Files, their text, the line after which something is added, and what.
const WHOLE: &[(&str, &str, &str, &str)] = &[
    ("tests/a.rs", RUST, "", "\n#[test]\nfn taxes() {\n    assert_eq!(tax(\"{\"), 1);\n}\n"),
    ("tests/a.rs", RUST, "use shop", "use shop::{tax, Rate as ShopRate};\n"),
    ("tests/a.rs", RUST, "use shop", "\n/// Helps.\nfn half(x: u32) -> u32 {\n    x / 2\n}\n"),
    ("tests/a.rs", RUST, "", "\nmod more {\n    use super::*;\n    #[test]\n    fn x() {}\n}\n"),
    (
        "src/tests.rs",
        RUST_MOD,
        "    }",
        "\n    #[test]\n    fn b() {\n        assert!(true);\n    }\n",
    ),
    ("src/tests.rs", RUST_MOD, "mod tests", "    use super::rates;\n"),
    ("test_a.py", PYTHON, "", "\n\ndef test_tax():\n    rate = 3\n\n    assert tax(rate) == 1\n"),
    (
        "test_a.py",
        PYTHON,
        "import pytest",
        "from shop import (\n    tax,\n    rate as shop_rate,\n)\n",
    ),
    (
        "test_a.py",
        PYTHON,
        "== 6",
        "\n\n@pytest.mark.parametrize(\"x\", [1])\ndef test_tax(x):\n    assert tax(x)\n",
    ),
    (
        "test_a.py",
        PYTHON,
        "== 6",
        "\n\ndef half(x):\n    return x / 2\n\n\nclass TestTax:\n    def test_b(self):\n        pass\n",
    ),
    (
        "test_a.py",
        PYTHON_CLASS,
        "1, 1)",
        "\n    def test_tax(self):\n        self.x = 1\n        self.assertEqual(tax(1), 1)\n",
    ),
    ("test_a.py", PYTHON_CLASS, "class TestSum", "    def test_first(self):\n        assert 1\n\n"),
    (
        "test_a.py",
        PYTHON_CLASS,
        "",
        "\n    def test_last(self):\n        assert 1\n\n\nclass TestNew:\n    pass\n",
    ),
    (
        "a.test.ts",
        JS,
        "  });",
        "\n  it('adds tax', async () => {\n    expect(tax(`${1}`)).toBe(1);\n  });\n",
    ),
    ("a.test.ts", JS, "import", "import { tax, type Rate as ShopRate } from '../src/tax';\n"),
    (
        "a.test.ts",
        JS,
        "",
        "\ndescribe('tax', () => {\n  it.each([1, 2])('x', (n) => {\n    expect(n).toBe(n);\n  });\n});\n",
    ),
    ("a.test.js", JS, "import", "const { tax } = require('../src/tax');\n"),
    ("a.test.js", JS, "import", "\nfunction half(x) {\n  return x / 2;\n}\n"),
    (
        "a_test.go",
        GO,
        "",
        "\nfunc TestTax(t *testing.T) {\n\tgot, err := Tax(1)\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\t_ = got\n}\n",
    ),
    ("a_test.go", GO, "\"testing\"", "\t\"strings\"\n\tshop \"example.com/shop\"\n"),
    (
        "src/test/java/SumTest.java",
        JAVA,
        "    }",
        "\n    @Test\n    @DisplayName(\"a tax\")\n    void addsTax() throws Exception {\n        assertEquals(1, tax(1));\n    }\n",
    ),
    (
        "src/test/java/SumTest.java",
        JAVA,
        "    }",
        "\n    private int half(int x) {\n        return x / 2;\n    }\n",
    ),
    ("src/test/java/SumTest.java", JAVA, "import org", "import java.util.List;\n"),
    (
        "SumTest.kt",
        KOTLIN,
        "    }",
        "\n    @Test\n    fun `adds a tax`() {\n        assertEquals(1, tax(1))\n    }\n",
    ),
    (
        "SumTests.cs",
        CSHARP,
        "    }",
        "\n    [Theory]\n    [InlineData(1)]\n    public void AddsTax(int x)\n    {\n        Assert.Equal(x, Tax(x));\n    }\n",
    ),
    (
        "SumTest.php",
        PHP,
        "    }",
        "\n    public function testTax(): void\n    {\n        $this->assertSame(1, tax(1));\n    }\n",
    ),
    (
        "spec/sum_spec.rb",
        RSPEC,
        "  end",
        "\n  it 'adds tax' do\n    expect(tax(1)).to eq(1) if true\n  end\n",
    ),
    (
        "spec/sum_spec.rb",
        RSPEC,
        "",
        "\nRSpec.describe Tax do\n  before { @x = 1 }\n  it { is_expected.to be_ok }\nend\n",
    ),
    (
        "test/sum_test.rb",
        MINITEST,
        "  end",
        "\n  def test_tax\n    [1].each do |x|\n      assert_equal 1, x\n    end\n  end\n",
    ),
    ("a.bats", BATS, "", "\n@test \"adds tax\" {\n  run tax 1\n  [ \"$status\" -eq 0 ]\n}\n"),
    ("tests/a_test.exs", "test \"a\"\n", "", "test \"b\"\nassert 1\n"),
    ("a.test.ts", JS, "  });", "\n\n"),
    ("tests/a.rs", RUST, "", "\n// Rates are in percent.\n"),
];

#[test]
fn whole_tests_may_be_added() {
    for (path, base, after, added) in WHOLE {
        accepted(path, base, &with(base, after, added));
    }
}

#[test]
fn a_test_may_come_before_one_that_begins_alike() {
    let added = "    #[test]\n    fn before() {\n        assert!(true);\n    }\n\n";
    accepted("src/tests.rs", RUST_MOD, &with(RUST_MOD, "mod tests", added));
    let two = "\n    @Test\n    void b() {\n        assertTrue(x);\n    }\n\n    @Test\n    void c() {\n        assertTrue(y);\n    }\n";
    let base =
        with(JAVA, "    }", "\n    @Test\n    void last() {\n        assertTrue(z);\n    }\n");
    accepted("SumTest.java", &base, &with(&base, "    }", two));
}

#[test]
fn line_ends_do_not_matter_as_long_as_they_stay() {
    let base = PYTHON.replace('\n', "\r\n");
    let added = "\r\n\r\ndef test_tax():\r\n    assert tax(1)\r\n";
    accepted("test_a.py", &base, &format!("{base}{added}"));
    accepted("test_a.py", PYTHON.trim_end(), &with(PYTHON, "", "def test_b():\n    assert 1\n"));
    let other = edit("test_a.py", PYTHON, &base);
    assert_eq!(other.why_not.as_deref(), Some("line 1 or one before it was removed or changed"));
}

#[test]
fn an_import_may_bring_more_names() {
    let python = "from shop import total\n\n\ndef test_total():\n    assert total() == 6\n";
    let test = "\n\ndef test_tax():\n    assert tax() == 1\n";
    let wider = |to: &str| format!("{}{test}", python.replace("import total", to));
    accepted("test_a.py", python, &wider("import tax, total"));
    accepted("test_a.py", python, &wider("import total, tax"));
    let js =
        "import { total } from './shop';\n\nit('a', () => {\n  expect(total()).toBe(6);\n});\n";
    accepted("a.test.ts", js, &js.replace("{ total }", "{ tax, total }"));
    let require =
        js.replace("import { total } from './shop'", "const { total } = require('./shop')");
    accepted("a.test.js", &require, &require.replace("{ total }", "{ total, tax }"));
    let rust = "use shop::total;\n\n#[test]\nfn totals() {\n    assert_eq!(total(), 6);\n}\n";
    accepted("tests/a.rs", rust, &rust.replace("shop::total;", "shop::{tax, total};"));
    for to in [
        "import tax",
        "import total as other, tax",
        "import total, fake as tax",
        "import *",
        "import total, skip",
        "import total, test_total",
    ] {
        let edit = edit("test_a.py", python, &wider(to));
        assert!(!edit.only_adds_tests, "{to}");
    }
    let elsewhere = js.replace("{ total } from './shop'", "{ total, tax } from './fake'");
    assert!(!edit("a.test.ts", js, &elsewhere).only_adds_tests);
}

#[test]
fn a_test_that_only_moves_is_told_as_such() {
    let edit = Edit::moved(b"test_a.py", b"tests/test_a.py", PYTHON.as_bytes());
    assert_eq!((edit.kind, edit.only_adds_tests, edit.tests_removed), (Kind::Moved, true, 0));
    assert_eq!(edit.diff, "moved to tests/test_a.py\n");
}

#[test]
fn what_an_edit_does_is_counted() {
    let base = "def test_a():\n    assert f(1) == 2\n    assert f(2) == 3\n\n\ndef test_b():\n    assert g()\n";
    let now = "@pytest.mark.skip\ndef test_a():\n    assert f(1) == 3\n    # assert f(2) == 3\n\n\ndef check_b():\n    assert g()\n";
    let edit = edit("tests/test_a.py", base, now);
    assert_eq!((edit.kind, edit.only_adds_tests), (Kind::Changed, false));
    assert_eq!((edit.assertions_removed, edit.assertions_added), (2, 1));
    assert_eq!((edit.tests_removed, edit.tests_added, edit.skips_added), (1, 0, 1));
    assert!(edit.diff.contains("-    assert f(1) == 2\n"), "{}", edit.diff);
    assert!(edit.diff.contains("+@pytest.mark.skip\n"), "{}", edit.diff);
}

#[test]
fn a_file_that_comes_or_goes_is_told_as_such() {
    let text = PYTHON.as_bytes();
    let removed = Edit::between(b"test_a.py", Class::Test, Some(text), None);
    assert_eq!((removed.kind, removed.only_adds_tests), (Kind::Removed, false));
    assert_eq!(removed.tests_removed, 1);
    let added = Edit::between(b"test_a.py", Class::Test, None, Some(text));
    assert_eq!((added.kind, added.only_adds_tests), (Kind::Added, true));
    let hook =
        Edit::between(b"tests/conftest.py", Class::Test, None, Some(b"def helper():\n    pass\n"));
    assert!(!hook.only_adds_tests);
}

#[test]
fn only_a_test_is_accepted_by_rule() {
    for class in Class::ALL.into_iter().filter(|class| *class != Class::Test) {
        let edit = Edit::between(b"Makefile", class, Some(b"a:\n"), Some(b"a:\nb:\n"));
        assert!(!edit.only_adds_tests);
        assert!(edit.why_not.unwrap().contains(class.as_str()));
    }
}

#[test]
fn a_big_file_takes_time_in_proportion() {
    let one = "    assert total([1, 2, 3]) == 6  # as ever\n";
    let base = format!("def test_all():\n{}", one.repeat((10 << 20) / one.len()));
    let now = format!("{base}\n\ndef test_more():\n    assert tax(1) == 1\n");
    accepted("test_a.py", &base, &now);
    let other = base.replace("== 6", "== 7");
    let edit = edit("test_a.py", &base, &other);
    assert!(!edit.only_adds_tests);
    assert!(edit.diff.len() < DIFF_BYTES_MAX + 100);
    // Brackets and comments within each other, on one line and without end.
    for text in
        ["(".repeat(1 << 18), "/*".repeat(1 << 18), "`${".repeat(1 << 18), "'".repeat(1 << 18)]
    {
        Edit::between(b"a.test.js", Class::Test, Some(b""), Some(text.as_bytes()));
        Edit::between(b"a_test.rs", Class::Test, Some(text.as_bytes()), Some(b""));
    }
}

const PATHS: [&str; 12] = [
    "a.rs", "a.py", "a.js", "a.go", "A.java", "A.kt", "A.cs", "a.php", "a.rb", "a.bats", "a.exs",
    "a.snap",
];

proptest! {
    #[test]
    fn any_bytes_are_survived(
        path in prop::sample::select(PATHS.as_slice()),
        base in prop::collection::vec(any::<u8>(), 0..80),
        now in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        Edit::between(path.as_bytes(), Class::Test, Some(&base), Some(&now));
    }

    #[test]
    fn an_edit_that_removes_a_line_never_only_adds(
        path in prop::sample::select(PATHS.as_slice()),
        lines in prop::collection::vec("(def test_[a-c]\\(\\):|    assert [a-c]|#\\[test\\]|fn [a-c]\\(\\) \\{|\\}|it\\('[a-c]', f\\)|  end)", 1..12),
        gone in any::<prop::sample::Index>(),
        added in prop::collection::vec("(def test_[x-z]\\(\\):|    assert [x-z]|fn [x-z]\\(\\) \\{\\}|it\\('[x-z]', f\\))", 0..6),
        at in any::<prop::sample::Index>(),
    ) {
        let gone = gone.index(lines.len());
        let mut now = lines.clone();
        // The line must not come again by chance.
        let lost = now.remove(gone);
        prop_assume!(lines.iter().filter(|line| **line == lost).count() == 1);
        let at = at.index(now.len() + 1);
        now.splice(at..at, added);
        let edit = edit(path, &lines.join("\n"), &now.join("\n"));
        prop_assert!(!edit.only_adds_tests);
        prop_assert!(edit.why_not.is_some());
    }

    #[test]
    fn an_edit_that_changes_nothing_removes_and_adds_nothing(
        path in prop::sample::select(PATHS.as_slice()),
        text in "(def test_a\\(\\):|    assert x|\\}|\\{|'|\n){0,20}",
    ) {
        let edit = edit(path, &text, &text);
        prop_assert_eq!((edit.tests_removed, edit.tests_added, edit.skips_added), (0, 0, 0));
        prop_assert_eq!((edit.assertions_removed, edit.assertions_added), (0, 0));
        prop_assert!(edit.diff.is_empty());
    }
}
