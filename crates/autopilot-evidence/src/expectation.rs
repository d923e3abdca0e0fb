//! What a criterion expects of its command: `(expect >= 1)`, `exits 2`, `no matches`.

use std::fmt;

use regex_lite::Regex;
use serde::{Deserialize, Serialize};

/// The longest pattern that is compiled.
const PATTERN_BYTES_MAX: usize = 1_000;

/// What must be observed for a criterion to pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expectation {
    /// The command ends with this exit code.
    Exit(i32),
    /// The last number that it prints, else the number of lines, compares like this.
    Count(Comparison, u64),
    /// It prints nothing, or the number 0.
    NoMatches,
    /// It prints this text.
    Contains(String),
    /// It prints something that matches this pattern.
    Matches(String),
    /// Every one of these.
    All(Vec<Self>),
    /// The command hides what it would have to show; the text says how.
    Masked(String),
    /// A text that is no expectation. It never passes.
    Unreadable(String),
}

/// How an observed number must relate to the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Unequal.
    NotEqual,
    /// Equal or more.
    AtLeast,
    /// Equal or less.
    AtMost,
    /// More.
    MoreThan,
    /// Less.
    LessThan,
}

impl Expectation {
    /// The expectation of a criterion that states none.
    pub const DEFAULT: Self = Self::Exit(0);

    /// Reads an expectation; what is not one becomes [`Self::Unreadable`] with its text.
    pub fn parse(text: &str) -> Self {
        let text = text.trim().trim_end_matches(['.', ';']).trim();
        let unreadable = || Self::Unreadable(text.to_owned());
        let parts: Vec<&str> = split_outside_quotes(text);
        let mut all = Vec::with_capacity(parts.len());
        for part in parts {
            match parse_one(part.trim()) {
                Some(expectation) => all.push(expectation),
                None => return unreadable(),
            }
        }
        match (all.pop(), all.is_empty()) {
            (Some(only), true) => only,
            (Some(last), false) => {
                all.push(last);
                Self::All(all)
            }
            (None, _) => unreadable(),
        }
    }

    /// Whether a command that prints nothing at all could meet it.
    pub(super) fn is_met_by_silence(&self) -> bool {
        match self {
            Self::NoMatches => true,
            Self::Count(comparison, wanted) => comparison.holds(0, *wanted),
            Self::All(all) => all.iter().any(Self::is_met_by_silence),
            Self::Exit(_)
            | Self::Contains(_)
            | Self::Matches(_)
            | Self::Masked(_)
            | Self::Unreadable(_) => false,
        }
    }

    /// Whether it asks for a command that goes well.
    pub(super) fn wants_success(&self) -> bool {
        match self {
            Self::Exit(code) => *code == 0,
            Self::All(all) => all.iter().all(Self::wants_success),
            Self::Count(..) | Self::NoMatches | Self::Contains(_) | Self::Matches(_) => true,
            Self::Masked(_) | Self::Unreadable(_) => false,
        }
    }

    /// Whether a command that ended with this exit code could meet it, whatever it printed.
    pub(super) fn allows(&self, code: i32) -> bool {
        match self {
            Self::Exit(wanted) => code == *wanted,
            Self::All(all) => match all.iter().find_map(Self::exit_code) {
                Some(wanted) => code == wanted,
                None => !all.is_empty() && all.iter().all(|one| one.allows(code)),
            },
            // That is how `grep` says that there is nothing.
            Self::Count(..) | Self::NoMatches | Self::Contains(_) | Self::Matches(_) => {
                code == 0 || code == 1 && self.is_met_by_silence()
            }
            Self::Masked(_) | Self::Unreadable(_) => false,
        }
    }

    /// The exit code that it asks for.
    pub(super) fn exit_code(&self) -> Option<i32> {
        if let Self::Exit(code) = self { Some(*code) } else { None }
    }

    /// Whether it looks at what the command prints.
    pub(super) fn is_about_output(&self) -> bool {
        match self {
            Self::NoMatches | Self::Count(..) | Self::Contains(_) | Self::Matches(_) => true,
            Self::All(all) => all.iter().any(Self::is_about_output),
            Self::Exit(_) | Self::Masked(_) | Self::Unreadable(_) => false,
        }
    }
}

impl Comparison {
    /// Whether an observed number relates to the expected one as it must.
    pub fn holds(self, observed: u64, expected: u64) -> bool {
        match self {
            Self::Equal => observed == expected,
            Self::NotEqual => observed != expected,
            Self::AtLeast => observed >= expected,
            Self::AtMost => observed <= expected,
            Self::MoreThan => observed > expected,
            Self::LessThan => observed < expected,
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "exactly",
            Self::NotEqual => "anything but",
            Self::AtLeast => "at least",
            Self::AtMost => "at most",
            Self::MoreThan => "more than",
            Self::LessThan => "less than",
        })
    }
}

/// Splits `exits 2, output contains "a, b"` at commas and "and" that are outside of quotes.
fn split_outside_quotes(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut quote) = (0, None);
    for (at, c) in text.char_indices() {
        if at < from {
            continue;
        }
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'' | '`' | '/') => quote = Some(c),
            None if c == ',' && !groups_digits(text, at) => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            None if text[at..].starts_with(" and ") => {
                parts.push(&text[from..at]);
                from = at + 5;
            }
            None => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// Whether a comma stands within a number: `1,000`.
fn groups_digits(text: &str, comma: usize) -> bool {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    let after = (1..4).all(|at| is_digit(bytes.get(comma + at)));
    let before = comma > 0 && is_digit(bytes.get(comma - 1));
    before && after && !is_digit(bytes.get(comma + 4))
}

fn parse_one(text: &str) -> Option<Expectation> {
    let text = strip_lead(text);
    if let Some(code) = exit_code(text) {
        return Some(Expectation::Exit(code));
    }
    if is_any(text, &["passes", "pass", "passing", "succeeds", "success", "is green", "green"]) {
        return Some(Expectation::DEFAULT);
    }
    if is_any(
        text,
        &[
            "no matches",
            "no match",
            "no output",
            "nothing",
            "empty",
            "empty output",
            "no results",
            "zero matches",
            "none",
            "no hits",
            "no lines",
        ],
    ) {
        return Some(Expectation::NoMatches);
    }
    if let Some(rest) = after_word(text, &["output contains", "stdout contains", "contains"]) {
        return quoted(rest).map(|wanted| Expectation::Contains(wanted.to_owned()));
    }
    if let Some(rest) = after_word(text, &["output matches", "stdout matches", "matches"]) {
        return pattern(rest);
    }
    count(text)
}

/// Removes the words that only introduce an expectation.
fn strip_lead(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(rest) = after_word(
        text,
        &[
            "should",
            "must",
            "to",
            "be",
            "expect:",
            "expects",
            "expected:",
            "expected",
            "expect",
            "is",
            "it",
        ],
    ) {
        text = rest;
    }
    text
}

/// `EXIT:0`, `exits 2`, `exit code 0`, `exit 0`, `exit status: 1`.
fn exit_code(text: &str) -> Option<i32> {
    let rest = after_word(
        text,
        &[
            "exits with code",
            "exits with",
            "exit code:",
            "exit code",
            "exit status:",
            "exit status",
            "exits",
            "exit:",
            "exit =",
            "exit=",
            "exit",
            "returns exit code",
            "return code",
            "rc =",
            "rc=",
            "rc",
        ],
    )?;
    rest.trim_matches(['"', '`', '=', ' ']).parse().ok()
}

/// `>= 9`, `returns 3`, `at least 2 matches`, `1 or more`, `exactly 4 lines`.
fn count(text: &str) -> Option<Expectation> {
    let text = after_word(
        text,
        &["returns", "return", "prints", "outputs", "output is", "output", "count"],
    )
    .unwrap_or(text)
    .trim_start_matches([':', ' ']);
    let (comparison, rest) = comparison(text);
    let rest = rest.trim_start();
    let is_of_number =
        |(at, c): (usize, char)| c.is_ascii_digit() || c == ',' && groups_digits(rest, at);
    let digits = rest.char_indices().take_while(|one| is_of_number(*one)).count();
    let wanted: u64 = rest[..digits].replace(',', "").parse().ok()?;
    let tail = rest[digits..].trim();
    let (comparison, unit) = match (comparison, tail) {
        (None, "or more" | "+" | "or greater") => (Comparison::AtLeast, ""),
        (None, "or less" | "or fewer") => (Comparison::AtMost, ""),
        (found, unit) => (found.unwrap_or(Comparison::Equal), unit),
    };
    is_unit(unit).then_some(Expectation::Count(comparison, wanted))
}

fn comparison(text: &str) -> (Option<Comparison>, &str) {
    const SIGNS: &[(&str, Comparison)] = &[
        (">=", Comparison::AtLeast),
        ("≥", Comparison::AtLeast),
        ("<=", Comparison::AtMost),
        ("≤", Comparison::AtMost),
        ("!=", Comparison::NotEqual),
        ("≠", Comparison::NotEqual),
        ("==", Comparison::Equal),
        ("=", Comparison::Equal),
        (">", Comparison::MoreThan),
        ("<", Comparison::LessThan),
    ];
    const WORDS: &[(&str, Comparison)] = &[
        ("at least", Comparison::AtLeast),
        ("at most", Comparison::AtMost),
        ("no more than", Comparison::AtMost),
        ("no fewer than", Comparison::AtLeast),
        ("more than", Comparison::MoreThan),
        ("greater than", Comparison::MoreThan),
        ("less than", Comparison::LessThan),
        ("fewer than", Comparison::LessThan),
        ("exactly", Comparison::Equal),
        ("equals", Comparison::Equal),
    ];
    for (sign, comparison) in SIGNS {
        if let Some(rest) = text.strip_prefix(sign) {
            return (Some(*comparison), rest);
        }
    }
    for (word, comparison) in WORDS {
        if let Some(rest) = after_word(text, &[word]) {
            return (Some(*comparison), rest);
        }
    }
    (None, text)
}

fn is_unit(text: &str) -> bool {
    text.is_empty()
        || is_any(
            text,
            &[
                "match",
                "matches",
                "line",
                "lines",
                "result",
                "results",
                "hit",
                "hits",
                "time",
                "times",
                "occurrence",
                "occurrences",
                "file",
                "files",
                "test",
                "tests",
                "entries",
                "entry",
                "item",
                "items",
                "row",
                "rows",
                "reference",
                "references",
            ],
        )
}

fn pattern(text: &str) -> Option<Expectation> {
    let text = text.trim();
    let inner =
        text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).or_else(|| quoted(text))?;
    let usable = !inner.is_empty() && inner.len() <= PATTERN_BYTES_MAX && Regex::new(inner).is_ok();
    usable.then(|| Expectation::Matches(inner.to_owned()))
}

/// The text inside one pair of quotes.
fn quoted(text: &str) -> Option<&str> {
    let text = text.trim_start_matches([':', ' ']).trim();
    for (open, close) in [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”')] {
        if let Some(inner) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            return (!inner.is_empty()).then_some(inner);
        }
    }
    None
}

/// What follows one of the words, in any case; the longest word must come first.
fn after_word<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    words.iter().find_map(|word| {
        let (start, rest) = text.split_at_checked(word.len())?;
        let whole = rest.chars().next().is_none_or(|next| !next.is_alphanumeric())
            || !word.ends_with(|c: char| c.is_alphanumeric());
        (start.eq_ignore_ascii_case(word) && whole).then(|| rest.trim_start())
    })
}

fn is_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn e32_expectations_of_the_known_forms_are_read() {
        use Comparison::{AtLeast, AtMost, Equal, LessThan, MoreThan, NotEqual};
        use Expectation::{All, Contains, Count, Exit, Matches, NoMatches};

        for (text, expected) in [
            ("expect EXIT:0", Exit(0)),
            ("EXIT:3", Exit(3)),
            ("exits 2", Exit(2)),
            ("exit 0", Exit(0)),
            ("exit code 1", Exit(1)),
            ("expect exit code: 0", Exit(0)),
            ("exits with 0", Exit(0)),
            ("passes", Exit(0)),
            ("expect 0", Count(Equal, 0)),
            ("expect 4", Count(Equal, 4)),
            ("expect >= 1", Count(AtLeast, 1)),
            ("expects >=1", Count(AtLeast, 1)),
            ("expected: 3", Count(Equal, 3)),
            ("≥ 2", Count(AtLeast, 2)),
            ("returns 3", Count(Equal, 3)),
            ("returns >= 9", Count(AtLeast, 9)),
            ("returns > 0", Count(MoreThan, 0)),
            ("expect != 0", Count(NotEqual, 0)),
            ("at least 2", Count(AtLeast, 2)),
            ("at least 2 matches", Count(AtLeast, 2)),
            ("at least 1,000", Count(AtLeast, 1_000)),
            ("exits 0, at least 12,345", All(vec![Exit(0), Count(AtLeast, 12_345)])),
            ("at most 3", Count(AtMost, 3)),
            ("fewer than 10 lines", Count(LessThan, 10)),
            ("1 or more", Count(AtLeast, 1)),
            ("exactly 1 match", Count(Equal, 1)),
            ("no matches", NoMatches),
            ("expect no matches", NoMatches),
            ("no output", NoMatches),
            ("output contains \"ok, and more\"", Contains("ok, and more".into())),
            ("contains 'x'", Contains("x".into())),
            ("matches /^v\\d+$/", Matches("^v\\d+$".into())),
            ("exits 2, output contains \"usage\"", All(vec![Exit(2), Contains("usage".into())])),
            ("exits 0 and at least 1", All(vec![Exit(0), Count(AtLeast, 1)])),
        ] {
            assert_eq!(Expectation::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn everything_else_is_kept_as_unreadable() {
        for text in [
            "",
            "expect",
            "looks good",
            "expect some",
            "expect >= many",
            "returns",
            "at least",
            "contains ok",
            "output contains",
            "matches /(/",
            "matches //",
            "3 bananas",
            "expect 1.5",
            "exit zero",
            "expect 99999999999999999999999",
            "exits 0, looks good",
        ] {
            assert!(
                matches!(Expectation::parse(text), Expectation::Unreadable(_)),
                "{text}: {:?}",
                Expectation::parse(text)
            );
        }
    }

    proptest! {
        #[test]
        fn reading_is_total(text in "\\PC{0,60}") {
            Expectation::parse(&text);
        }

        #[test]
        fn a_number_is_never_read_as_another_one(wanted in 0_u64..1_000_000) {
            prop_assert_eq!(
                Expectation::parse(&format!("expect >= {wanted}")),
                Expectation::Count(Comparison::AtLeast, wanted)
            );
        }
    }
}
