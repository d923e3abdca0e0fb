//! Words and phrases by which the rules know what they are looking for.

use std::collections::BTreeSet;

/// How much of a text a finding repeats.
const EXCERPT_CHARS_MAX: usize = 100;

/// Phrases that say that something is well instead of showing it.
const PROSE: [&str; 6] = [
    "should work",
    "properly handles",
    "is correct",
    "works as expected",
    "functions correctly",
    "is implemented",
];

/// Words for what somebody has yet to write.
const STUBS: [&str; 9] = [
    "todo",
    "tbd",
    "fixme",
    "to be determined",
    "to be decided",
    "to be filled in",
    "fill this in",
    "lorem ipsum",
    "your code here",
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

/// The phrase that stands in the place of a proof, if there is one.
pub(super) fn prose(text: &str) -> Option<&'static str> {
    phrase(text, &PROSE)
}

/// The word for what is yet to be written, if there is one.
pub(super) fn stub(text: &str) -> Option<&'static str> {
    phrase(text, &STUBS)
}

/// Whether a text tells of code that a person sets off by hand: `a click handler`, `onSubmit`.
pub(super) fn tells_of_handler(text: &str) -> bool {
    let is_handler = |word: &str| {
        let named = ["on", "handle"].iter().find_map(|start| word.strip_prefix(start));
        let is_event = |rest: &str| rest.starts_with(|c: char| c.is_ascii_uppercase());
        named.is_some_and(is_event) && word.chars().any(|c| c.is_ascii_lowercase())
    };
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    phrase(text, &HANDLERS).is_some() || words.any(is_handler)
}

/// The words of a text that say something about this and not about any other task, each once, in lower case.
pub(super) fn telling(text: &str) -> BTreeSet<String> {
    let is_generic = |word: &String| GENERIC.split(' ').any(|generic| generic == word);
    words(text).filter(|word| !is_generic(word)).collect()
}

/// The words of a text that have three letters or more, or a digit, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    text.split(move |c: char| !is_word(c))
        .map(|word| word.trim_matches(['-', '.', '/', '_']).to_lowercase())
        .filter(|word| word.chars().count() >= 3 || word.contains(|c: char| c.is_ascii_digit()))
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
