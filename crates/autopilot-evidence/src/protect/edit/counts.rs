//! How many tests and assertions a text holds, as far as its lines tell.

use std::collections::BTreeMap;

use super::{
    language::Language,
    lexer::{Line, Text},
    words,
};

/// Lines of one kind, and how often each is there.
type Bag<'a> = BTreeMap<&'a str, u32>;

/// What a text holds.
#[derive(Debug, Default)]
pub(super) struct Holds<'a> {
    pub(super) tests: Bag<'a>,
    pub(super) assertions: Bag<'a>,
    pub(super) skips: Bag<'a>,
}

impl<'a> Holds<'a> {
    pub(super) fn of(language: Language, text: &Text<'a>) -> Self {
        let mut holds = Self::default();
        // An attribute or annotation makes a test of the definition after it.
        let mut is_marked = false;
        for line in &text.lines {
            let code = line.code.trim();
            if !line.is_neutral || code.is_empty() {
                continue;
            }
            if words::asserts(language, code) {
                put(&mut holds.assertions, line);
            }
            if words::skips(language, code).is_some() {
                put(&mut holds.skips, line);
            }
            is_marked |= marks_test(language, code);
            if begins_test(language, code) || (is_marked && begins_definition(language, code)) {
                put(&mut holds.tests, line);
                is_marked = false;
            }
        }
        holds
    }
}

/// How many lines of a bag are not in another.
pub(super) fn missing(from: &Bag<'_>, to: &Bag<'_>) -> u32 {
    from.iter().map(|(line, count)| count.saturating_sub(*to.get(line).unwrap_or(&0))).sum()
}

fn put<'a>(bag: &mut Bag<'a>, line: &Line<'a>) {
    *bag.entry(line.raw.trim()).or_insert(0) += 1;
}

/// Tells whether code marks what comes after it as a test.
fn marks_test(language: Language, code: &str) -> bool {
    match language {
        Language::Rust => {
            code.starts_with("#[")
                && words::names(code).any(|name| name.contains("test") && name != "cfg_test")
                && !code.starts_with("#[cfg")
        }
        Language::Java | Language::Kotlin => {
            code.starts_with('@') && words::names(code).any(is_test_mark)
        }
        Language::CSharp => code.starts_with('[') && words::names(code).any(is_test_mark),
        Language::Php => code.starts_with("#[") && words::names(code).any(is_test_mark),
        Language::Python
        | Language::JavaScript
        | Language::Go
        | Language::Ruby
        | Language::Shell
        | Language::Other
        | Language::Data => false,
    }
}

/// Names of attributes and annotations that make a test of a method.
pub(super) fn is_test_mark(name: &str) -> bool {
    matches!(
        name,
        "Test"
            | "ParameterizedTest"
            | "RepeatedTest"
            | "TestFactory"
            | "TestTemplate"
            | "Property"
            | "Fact"
            | "Theory"
            | "TestMethod"
            | "DataTestMethod"
            | "TestCase"
            | "TestCaseSource"
    )
}

fn begins_definition(language: Language, code: &str) -> bool {
    if language == Language::Rust {
        return words::names(code).any(|name| name == "fn");
    }
    // An annotation on the same line stands before the method.
    let marks = ['@', '[', '#'];
    let after = code.trim_start_matches(marks);
    let body = after.split_once([' ', ']']).map_or("", |(_, body)| body);
    if code.starts_with(marks) { body.contains('(') } else { code.contains('(') }
}

/// Tells whether code by itself begins a test.
pub(super) fn begins_test(language: Language, code: &str) -> bool {
    let first = words::names(code).next().unwrap_or_default();
    let starts = |heads: &[&str]| heads.iter().any(|head| code.starts_with(head));
    match language {
        Language::Python => starts(&["def test", "async def test"]),
        Language::JavaScript => {
            (matches!(first, "it" | "test" | "specify") && !code.contains("test.describe"))
                && code[first.len().min(code.len())..].starts_with(['(', '.'])
                || starts(&["Deno.test(", "QUnit.test("])
        }
        Language::Go => starts(&["func Test", "func Fuzz", "func Benchmark", "func Example"]),
        Language::Ruby => {
            matches!(first, "it" | "specify" | "test" | "example" | "scenario")
                && code[first.len().min(code.len())..].starts_with([' ', '(', '{'])
                || starts(&["def test_"])
        }
        Language::Php => code.contains("function test") || starts(&["it(", "test("]),
        Language::Shell => {
            starts(&["@test "]) || (first.starts_with("test") && code.contains("()"))
        }
        Language::Java => code.contains("void test") && code.contains('('),
        Language::Other => starts(&["test ", "func test", "TEST(", "TEST_F(", "Scenario:"]),
        Language::Rust | Language::Kotlin | Language::CSharp | Language::Data => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protect::edit::lexer::lex;

    fn tests(language: Language, text: &str) -> u32 {
        Holds::of(language, &lex(text, &language.syntax())).tests.values().sum()
    }

    #[test]
    fn tests_are_counted_in_each_language() {
        use Language::*;
        for (language, text, wanted) in [
            (
                Rust,
                "#[test]\nfn a() {}\n#[tokio::test]\nasync fn b() {}\nfn c() {}\n#[cfg(test)]\nmod t {}",
                2,
            ),
            (
                Python,
                "def test_a():\n  pass\nasync def test_b():\n  pass\ndef x():\n  pass\n# def test_c():",
                2,
            ),
            (
                JavaScript,
                "it('a', () => {})\ntest.each([1])('b', f)\ndescribe('x', () => {})\nitem(1)",
                2,
            ),
            (Go, "func TestA(t *testing.T) {}\nfunc helper() {}", 1),
            (Java, "@Test\nvoid a() {}\n@Test public void b() {}\n@BeforeEach\nvoid c() {}", 2),
            (
                CSharp,
                "[Fact]\npublic void A() {}\n[Theory]\n[InlineData(1)]\npublic void B(int x) {}",
                2,
            ),
            (Ruby, "it 'a' do\nend\nit { x }\ndef test_b\nend\nitems", 3),
            (Php, "public function testA() {}\n#[Test]\npublic function b() {}", 2),
            (Shell, "@test 'a' {\n}\ntest_b() {\n}", 2),
        ] {
            assert_eq!(tests(language, text), wanted, "{text}");
        }
    }
}
