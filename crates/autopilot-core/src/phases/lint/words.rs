//! Words and phrases by which the rules know what they are looking for.

use std::collections::BTreeSet;

use crate::{evidence::protect::is_called_test, policy::PhaseType};

/// How much of a text a finding repeats.
const EXCERPT_CHARS_MAX: usize = 100;

/// How much of a word is compared where its ending does not matter.
const STEM_CHARS: usize = 5;

/// Phrases that say that something is well instead of showing it.
const PROSE: [&str; 6] = [
    "should work",
    "properly handles",
    "is correct",
    "works as expected",
    "functions correctly",
    "is implemented",
];

/// Marks before what somebody has yet to write. In lower case they are words like others: many programs keep a todo list.
const STUB_MARKS: [&str; 3] = ["TODO", "TBD", concat!("FIX", "ME")];

/// What stands alone where nothing was written.
const STUBS: [&str; 10] = [
    "todo",
    "tbd",
    "fixme",
    "placeholder",
    "to be determined",
    "to be decided",
    "to be defined",
    "to be filled in",
    "fill this in",
    "fill in",
];

/// Words that any task could use about anything, and words that carry no meaning of their own.
const GENERIC: &str = "about according accordingly added adding adjust all also and any application apply appropriate \
    appropriately are best build but can change changes code codebase complete completely component components \
    correct correctly create described done each ensure errors etc every everything expected feature features \
    file files for from function functionality functions goal good handle has have implement implementation \
    implemented into its least logic make makes modify module modules more most must necessary need needed \
    needs new not one only other part parts pass passes passing phase plan practices proper properly quality \
    relevant required requirements requires research should solution some step still sure system task test \
    tests than that the their them then there thing things this two update use using way well when where which \
    will with work working works write you your";

/// Phrases that tell of code which a person sets off by hand.
const HANDLERS: [&str; 16] = [
    "click handler",
    "event handler",
    "drag handler",
    "drop handler",
    "submit handler",
    "key handler",
    "keyboard handler",
    "change handler",
    "form submission",
    "navigation logic",
    "addeventlistener",
    "on:click",
    "@click",
    "button click",
    "clicking",
    "drag and drop",
];

/// Directories of tests.
const TEST_DIRECTORIES: [&str; 6] = ["test", "tests", "__tests__", "spec", "specs", "e2e"];

/// The phrase that stands in the place of a proof, if there is one.
pub(super) fn prose(text: &str) -> Option<&'static str> {
    phrase(text, &PROSE)
}

/// What says that a text is yet to be written: all of it, or a sentence or line that a mark such as `TODO:` begins.
///
/// A mark within a sentence is what the text is about: `remove every TODO`.
pub(super) fn stub(text: &str) -> Option<&'static str> {
    let is_around = |c: char| c.is_whitespace() || "[](){}<>.…:;*_`#-".contains(c);
    let bare = text.trim_matches(is_around).to_lowercase();
    let sentences = text.split('\n').flat_map(|line| line.split(". "));
    let marked = sentences.map(|sentence| sentence.trim_start_matches(is_around)).find_map(|one| {
        let is_mark = |mark: &&&str| one.strip_prefix(**mark).is_some_and(ends_mark);
        STUB_MARKS.iter().find(is_mark).copied()
    });
    STUBS.into_iter().find(|stub| *stub == bare).or(marked)
}

/// Whether what follows a mark shows that it is one: `TODO: …`, `TODO(name): …`, or nothing at all.
fn ends_mark(rest: &str) -> bool {
    let rest = rest.trim_end_matches([' ', '\t', '\r', '.', ']', ')', '>', '*']);
    rest.is_empty() || rest.starts_with(':') || rest.starts_with('(') && rest.contains("):")
}

/// Whether a text tells of code that a person sets off by hand: `a click handler`.
pub(super) fn tells_of_handler(text: &str) -> bool {
    phrase(text, &HANDLERS).is_some()
}

/// Whether a file holds tests, by its name or the directory it lies in.
pub(super) fn is_test(file: &str) -> bool {
    let mut directories = file.split('/').rev().skip(1);
    directories.any(|name| TEST_DIRECTORIES.contains(&name)) || is_called_test(file.as_bytes())
}

/// Whether a file is of the kind that people see, or code of a browser.
pub(super) fn is_of_surface(file: &str) -> bool {
    let is_script = [".js", ".mjs", ".ts"].iter().any(|ending| file.ends_with(ending));
    is_script || PhaseType::of_paths([file], None) == PhaseType::Ui
}

/// Whether a text names a function as handlers are named: `onSubmit`, `handleClick`. A server has such names too, so
/// they count only where something is seen.
pub(super) fn names_handler(text: &str) -> bool {
    let is_handler = |word: &str| {
        let named = ["on", "handle"].iter().find_map(|start| word.strip_prefix(start));
        let is_event = |rest: &str| rest.starts_with(|c: char| c.is_ascii_uppercase());
        named.is_some_and(is_event) && word.chars().any(|c| c.is_ascii_lowercase())
    };
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.any(is_handler)
}

/// How many words a text has; of those that are written without blanks, each sign is one.
pub(super) fn count(text: &str) -> usize {
    let signs = |word: &str| word.chars().filter(|c| is_sign(*c)).count();
    text.split_whitespace().map(|word| signs(word).max(1)).sum()
}

/// The words of a text that say something about this and not about any other task, each once, in lower case.
pub(super) fn telling(text: &str) -> BTreeSet<String> {
    let is_generic = |word: &String| GENERIC.split_whitespace().any(|generic| generic == word);
    words(text).filter(|word| !is_generic(word)).collect()
}

/// The beginnings of a text's telling words, by which `turns` and `turning` are the same.
pub(super) fn stems(text: &str) -> BTreeSet<String> {
    // Where there is a digit the end counts: `LAMP-01` is not `LAMP-02`.
    let chars = |word: &str| match word.find(|c: char| c.is_ascii_digit()) {
        Some(_) => usize::MAX,
        None => STEM_CHARS,
    };
    let stem = |word: String| word.chars().take(chars(&word)).collect();
    telling(text).into_iter().map(stem).collect()
}

/// The words of a text that have three letters or more, or a digit, in lower case; and every sign that is a word by itself.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_word =
        |c: char| !is_sign(c) && (c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    let written = text
        .split(move |c: char| !is_word(c))
        .map(|word| word.trim_matches(['-', '.', '/', '_']).to_lowercase())
        .filter(|word| word.chars().count() >= 3 || word.contains(|c: char| c.is_ascii_digit()));
    written.chain(text.chars().filter(|c| is_sign(*c)).map(String::from))
}

/// Whether a character belongs to a script that is written without blanks between words.
fn is_sign(c: char) -> bool {
    // Thai to Khmer; kana, bopomofo and ideographs; Hangul is written with blanks.
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{312f}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a text names something, as a whole and not within a longer word: `A-1` is not in `A-11`.
pub(super) fn names(text: &str, what: &str) -> bool {
    let (text, what) = (text.to_lowercase(), what.trim().to_lowercase());
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    !what.is_empty()
        && text.match_indices(&what).any(|(at, found)| {
            let after = text[at + found.len()..].chars().next();
            is_edge(text[..at].chars().next_back()) && is_edge(after)
        })
}

/// A text on one line, cut where it is long.
pub(super) fn excerpt(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(EXCERPT_CHARS_MAX) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

fn phrase(text: &str, phrases: &[&'static str]) -> Option<&'static str> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    phrases.iter().find(|phrase| names(&text, phrase)).copied()
}
