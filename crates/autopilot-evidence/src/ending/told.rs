//! What an `echo` at the end of a command has to do with what is expected of the output.

use regex_lite::Regex;

use super::line::{Join, Part};
use crate::{expectation::Expectation, judge::last_number};

/// What follows for an ending that prints something.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// The expectation is not about it.
    Nothing,
    /// The expectation is about what it prints, so it must run; what is before it must have gone well.
    Kept,
    /// The expectation is about the exit code that it prints, and means this.
    Means(Expectation),
    /// What it prints would decide, and proves nothing.
    Unclear(&'static str),
}

const AFTER_OR: &str = "what it expects is printed after `||`, when the command before it failed; \
    expect an exit code, or turn the command around with `!`";
const NUMBER: &str = "the number that it expects is printed by its last `echo`";
const CODE: &str =
    "what it expects is printed with the exit code; expect the code itself: `exits 1`";

/// Compares what an `echo` or `printf` prints with what is expected.
pub(super) fn told(part: &Part<'_>, expect: &Expectation) -> Told {
    let Some(printed) = Printed::of(part) else { return Told::Nothing };
    if part.joined == Join::Or {
        return after_or(&printed, expect);
    }
    match expect {
        Expectation::Exit(_) | Expectation::Masked(_) | Expectation::Unreadable(_) => Told::Nothing,
        Expectation::Contains(text) => {
            let number = text.rsplit(|c: char| !c.is_ascii_digit()).next();
            printed.decides(|line| line.contains(text), number.and_then(|code| code.parse().ok()))
        }
        Expectation::Matches(pattern) => match Regex::new(pattern) {
            Ok(regex) => printed.decides(|line| regex.is_match(line), None),
            Err(_) => Told::Nothing,
        },
        Expectation::NoMatches => printed.counts(None),
        Expectation::Count(comparison, wanted) => {
            let is_equal = *comparison == crate::Comparison::Equal;
            printed.counts(i32::try_from(*wanted).ok().filter(|_| is_equal))
        }
        Expectation::All(all) => together(part, all),
    }
}

/// Every one of several expectations; they must agree on what the ending is for.
fn together(part: &Part<'_>, all: &[Expectation]) -> Told {
    let (mut meant, mut is_kept, mut is_changed) = (Vec::with_capacity(all.len()), false, false);
    for one in all {
        match told(part, one) {
            Told::Nothing => meant.push(one.clone()),
            Told::Kept => is_kept = true,
            Told::Means(other) => {
                is_changed = true;
                meant.push(other);
            }
            Told::Unclear(why) => return Told::Unclear(why),
        }
    }
    match (is_kept, is_changed) {
        (false, false) => Told::Nothing,
        (true, false) => Told::Kept,
        (false, true) => Told::Means(Expectation::All(meant)),
        (true, true) => Told::Unclear(CODE),
    }
}

fn after_or(printed: &Printed, expect: &Expectation) -> Told {
    let would_meet = match expect {
        Expectation::Contains(text) => printed.is_met(|line| line.contains(text)),
        Expectation::Matches(pattern) => {
            Regex::new(pattern).is_ok_and(|regex| printed.is_met(|line| regex.is_match(line)))
        }
        Expectation::Count(comparison, wanted) => {
            let number = last_number(&printed.text);
            let is_met = number.is_some_and(|number| comparison.holds(number, *wanted));
            is_met && !expect.is_met_by_silence()
        }
        Expectation::All(all) => {
            return all
                .iter()
                .map(|one| after_or(printed, one))
                .find(|told| *told != Told::Nothing)
                .unwrap_or(Told::Nothing);
        }
        Expectation::Exit(_)
        | Expectation::NoMatches
        | Expectation::Masked(_)
        | Expectation::Unreadable(_) => false,
    };
    if would_meet { Told::Unclear(AFTER_OR) } else { Told::Nothing }
}

/// What an `echo` prints, as far as that can be told.
struct Printed {
    text: String,
    /// Whether `$?` is in it.
    has_code: bool,
    /// Whether something is in it that is only known when it runs.
    is_open: bool,
}

impl Printed {
    fn of(part: &Part<'_>) -> Option<Self> {
        if !matches!(part.program(), "echo" | "printf") || is_redirected(part.text) {
            return None;
        }
        let words = part.words()?;
        let text = match words.split_first()? {
            (program, words) if program.ends_with("printf") => formatted(words),
            (_, words) => {
                let options = words.iter().take_while(|word| is_option(word)).count();
                words[options..].join(" ")
            }
        };
        let text = text.replace("${?}", "$?");
        let has_code = text.contains("$?");
        let is_open = text.replace("$?", "").contains(['$', '`']);
        Some(Self { text, has_code, is_open })
    }

    fn with(&self, code: i32) -> String {
        self.text.replace("$?", &code.to_string())
    }

    /// Whether it could be what meets an expectation.
    fn is_met(&self, meets: impl Fn(&str) -> bool) -> bool {
        (0..=255).any(|code| meets(&self.with(code)))
    }

    /// For an expectation that asks for a text; `stated` is the number that the text ends in.
    fn decides(&self, meets: impl Fn(&str) -> bool, stated: Option<i32>) -> Told {
        match (self.is_open, self.has_code) {
            (true, false) => return Told::Kept,
            (true, true) => return Told::Unclear(CODE),
            (false, _) => {}
        }
        let codes: Vec<i32> = (0..=255).filter(|code| meets(&self.with(*code))).collect();
        match codes.as_slice() {
            [] => Told::Nothing,
            [only] => Told::Means(Expectation::Exit(*only)),
            all if all.len() == 256 => Told::Kept,
            some => match stated.filter(|code| some.contains(code)) {
                Some(code) => Told::Means(Expectation::Exit(code)),
                None => Told::Unclear(CODE),
            },
        }
    }

    /// For an expectation that asks for a number; `wanted` is the only one that meets it.
    fn counts(&self, wanted: Option<i32>) -> Told {
        match (self.is_open, self.has_code) {
            (true, false) => Told::Kept,
            (_, true) if last_number(&self.with(7)).is_none() => Told::Nothing,
            (false, true) => {
                wanted.map_or(Told::Unclear(CODE), |code| Told::Means(Expectation::Exit(code)))
            }
            (true, true) => Told::Unclear(CODE),
            (false, false) if last_number(&self.text).is_some() => Told::Unclear(NUMBER),
            (false, false) => Told::Nothing,
        }
    }
}

/// `-n`, `-e` and the like.
fn is_option(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|letters| !letters.is_empty() && letters.chars().all(|c| "neE".contains(c)))
}

/// What `printf` makes of its format and the words after it.
fn formatted(words: &[String]) -> String {
    let Some((format, values)) = words.split_first() else { return String::new() };
    let mut values = values.iter();
    let mut text = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        match c {
            '%' => match chars.find(char::is_ascii_alphabetic) {
                Some(_) => text.push_str(values.next().map_or("", String::as_str)),
                None => text.push('%'),
            },
            c => text.push(c),
        }
    }
    text.replace("\\n", "\n")
}

/// Whether standard output goes elsewhere.
fn is_redirected(text: &str) -> bool {
    let mut quote = None;
    let mut before = ' ';
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c == '>' && before != '2' => return true,
            None => {}
        }
        before = c;
    }
    false
}
