//! Words that skip, focus or bend tests, and words that assert something.

mod lists;

use lists::{
    CLASSES, CLASSES_STARTS, GO, JAVASCRIPT, JAVASCRIPT_PHRASES, OTHER, PHP, PYTHON, RUBY, RUST,
    SHELL,
};

use super::language::Language;

/// Tells whether a character cannot be seen, or changes how others are seen.
pub(super) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// The names in some code, in their order.
pub(super) fn names(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()))
}

/// The word in some code that leaves tests out, focuses on some, or makes them pass in another way.
///
/// A word counts wherever it is used as a name, so a method of the product that is called `skip` is found
/// too, where the language has such a word for tests. That costs a question, not a hole.
pub(super) fn skips(language: Language, code: &str) -> Option<&str> {
    const NONE: &[&str] = &[];
    let (listed, starts, phrases) = match language {
        Language::Rust => (RUST, NONE, &["process::abort"][..]),
        Language::Python => (PYTHON, &["pytest_", "skip_", "Skip"][..], NONE),
        Language::JavaScript => (JAVASCRIPT, NONE, JAVASCRIPT_PHRASES),
        Language::Go => (GO, NONE, NONE),
        Language::Java | Language::Kotlin | Language::CSharp => (CLASSES, CLASSES_STARTS, NONE),
        Language::Php => (PHP, &["markTest"][..], NONE),
        Language::Ruby => (RUBY, NONE, NONE),
        Language::Shell => (SHELL, NONE, NONE),
        Language::Other | Language::Data => (OTHER, NONE, NONE),
    };
    let phrase = phrases.iter().find(|phrase| {
        let mut found = code.match_indices(**phrase).map(|(at, _)| &code[at + phrase.len()..]);
        found.any(|after| !after.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    });
    if let Some(phrase) = phrase {
        return Some(phrase);
    }
    names(code)
        .find(|name| listed.contains(name) || starts.iter().any(|start| name.starts_with(start)))
}

/// A remark in a line that a tool obeys.
pub(super) fn directive(raw: &str) -> Option<&'static str> {
    const DIRECTIVES: &[&str] = &[
        "#!",
        "+build",
        "-*-",
        "@codecoverageignore",
        "@after",
        "@before",
        "@depends",
        "@group",
        "@jest-",
        "@requires",
        "@ts-expect-error",
        "@ts-ignore",
        "@ts-nocheck",
        "@vitest-",
        "bats file_tags",
        "bats test_tags",
        "c8 ignore",
        "coding:",
        "coding=",
        "eslint-",
        "fmt: off",
        "frozen_string_literal",
        "go:build",
        "go:embed",
        "go:linkname",
        "istanbul ignore",
        "mypy:",
        "nolint",
        "noqa",
        "phpcs:",
        "pragma",
        "pylint:",
        "pyright:",
        "rubocop:",
        "shellcheck disable",
        "type: ignore",
        "v8 ignore",
    ];
    let lower = raw.to_ascii_lowercase();
    DIRECTIVES.iter().find(|word| lower.contains(*word)).copied()
}

/// Tells whether a string in a line can hold code, so that it has to be looked at as well.
pub(super) fn has_code_in_strings(language: Language, raw: &str) -> bool {
    language == Language::Shell
        || ["${", "#{", "[\"", "['", "{$", "f\"", "f'", "F\"", "F'", "$\"", "`"]
            .iter()
            .any(|mark| raw.contains(mark))
}

/// Tells whether a line of code asserts something.
pub(super) fn asserts(language: Language, code: &str) -> bool {
    let trimmed = code.trim();
    if language == Language::Shell && (trimmed.starts_with("[ ") || trimmed.starts_with("[[ ")) {
        return true;
    }
    if language == Language::Go
        && ["t.Error", "t.Fatal", "t.Fail", "require."].iter().any(|call| trimmed.contains(call))
    {
        return true;
    }
    names(trimmed).any(|name| {
        [
            "assert",
            "expect",
            "refute",
            "should",
            "xctassert",
            "prop_assert",
            "debug_assert",
            "verify",
        ]
        .iter()
        .any(|start| name.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)))
            || matches!(
                name,
                "is_expected" | "must_equal" | "must_be" | "must_include" | "wont_equal"
            )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_as_names_only() {
        assert_eq!(skips(Language::Python, "@pytest.mark.skip()"), Some("skip"));
        assert_eq!(skips(Language::Python, "def test_skips_blanks():"), None);
        assert_eq!(
            skips(Language::Python, "def pytest_collection_modifyitems(items):"),
            Some("pytest_collection_modifyitems")
        );
        assert_eq!(skips(Language::Rust, "items.iter().skip(1)"), None);
        assert_eq!(skips(Language::Rust, "#\u{5b}ignore]"), Some("ignore"));
        assert_eq!(skips(Language::Go, "t.SkipNow()"), Some("SkipNow"));
        assert_eq!(skips(Language::JavaScript, "it.only()"), Some(".only"));
        assert_eq!(skips(Language::JavaScript, "todo.onlyOnce(pending)"), None);
        assert_eq!(skips(Language::JavaScript, "it[\"only\"]()"), Some("[\"only"));
        assert_eq!(skips(Language::Java, "@DisabledOnOs(X)"), Some("DisabledOnOs"));
    }

    #[test]
    fn assertions_are_known_in_each_language() {
        for (language, code) in [
            (Language::Rust, "    assert_eq!(a, b);"),
            (Language::Python, "self.assertEqual(a, b)"),
            (Language::Python, "assert a"),
            (Language::JavaScript, "expect(a).toBe(b)"),
            (Language::Go, "t.Errorf()"),
            (Language::Go, "require.NoError(t, err)"),
            (Language::Ruby, "is_expected.to be"),
            (Language::Shell, "  [ a = b ]"),
            (Language::Other, "XCTAssertEqual(a, b)"),
        ] {
            assert!(asserts(language, code), "{code}");
        }
        assert!(!asserts(Language::Rust, "let a = b;"));
    }
}
