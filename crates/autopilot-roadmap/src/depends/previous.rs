//! Reads values that mean all phases before, or the one before.

use super::{List, Needed, Reader, vocabulary::EARLIER};
use crate::words;

/// Takes `All previous phases`, `ALL previous phases (2, 3, 5a)`, `Everything before`, `Previous phase`.
pub(super) fn previous_phases(text: &str, inside: &str, needed: &mut Vec<Needed>) -> bool {
    let lower = text.to_lowercase();
    let mut tokens = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !matches!(*word, "" | "of" | "the" | "these" | "its"));
    let mut token = || tokens.next().unwrap_or("");
    let (first, second, third) = (token(), token(), token());
    let phases = |word: &str| words::phase_word(word).is_some_and(|length| length == word.len());
    let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    match (first, second, third) {
        ("everything", "" | "before" | "above" | "else" | "previous" | "prior" | "earlier", _) => {}
        ("all" | "every" | "each", word, noun) if EARLIER.contains(&word) && phases(noun) => {}
        ("all", word, "" | "ones") if EARLIER.contains(&word) => {}
        ("all", noun, next) if phases(noun) && !number(next) => {}
        ("previous" | "prior" | "preceding", noun, next) if phases(noun) && !number(next) => {
            let plural = noun.ends_with('s') && noun.len() > 5;
            needed.push(if plural { Needed::AllPrevious } else { Needed::Previous });
            return true;
        }
        _ => return false,
    }
    // A parenthesis that only lists ids says which phases "all" means.
    let listed = inside
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, ',' | ' ' | '.' | '-' | '–'));
    let mut reader = Reader::new(inside, needed);
    reader.list = List::Expected;
    reader.run();
    let only_ids = listed && reader.list == List::AfterId;
    if !only_ids || needed.is_empty() {
        needed.clear();
        needed.push(Needed::AllPrevious);
    }
    true
}
