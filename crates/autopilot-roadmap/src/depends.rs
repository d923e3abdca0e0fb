//! Reads the value of a dependency line: `Phase 4 (failures), Phases 5-7 and 9`.

mod previous;
mod sentence;
mod vocabulary;

use self::vocabulary::{EARLIER, HARMLESS, JOINS, OTHER_UNITS, RANGE_WORDS, STOPS};
use self::{
    previous::previous_phases,
    sentence::{first_sentence, split_parentheses, strip_emphasis},
};
use super::{
    head,
    phase_id::{Before, PhaseId},
    words,
};

/// One thing that a value depends on, before it is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needed {
    Phase(PhaseId),
    /// Every phase from the first to the last.
    Range(PhaseId, PhaseId),
    /// Every phase before this one.
    AllPrevious,
    /// The phase right before this one.
    Previous,
}

/// Why a value was not fully understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It names no phase and does not say "nothing".
    NoPhase,
    /// It is empty.
    Empty,
    /// It offers a choice; all of it was taken.
    Alternative,
    /// It names something beside the phases that were taken, which may be one.
    Partial,
}

/// Reads a dependency value that was cut at the next label, and says what is doubtful about it.
///
/// A phase that is named twice is in `needed` twice.
pub(super) fn read(value: &str, needed: &mut Vec<Needed>) -> Option<Doubt> {
    needed.clear();
    if plain_list(value, needed).is_some() {
        return None;
    }
    needed.clear();
    let (outside, inside) = split_parentheses(value);
    let outside = strip_emphasis(&outside);
    let text = outside.trim();
    if text.is_empty() || text.chars().all(|c| "-–—.·".contains(c)) {
        return match (value.trim().is_empty(), inside.is_empty()) {
            (true, _) => Some(Doubt::Empty),
            (false, true) => None,
            (false, false) if says_first(&inside) => None,
            (false, false) => Some(Doubt::NoPhase),
        };
    }
    if words::says_nothing(text) || previous_phases(text, &inside, needed) {
        return None;
    }
    let first = first_sentence(text);
    let mut reader = Reader::new(first, needed);
    reader.run();
    // `1. A, 2. B`: the numbers of a list, of which the first one ends no sentence.
    let listed = first.parse::<u32>().is_ok();
    reader.skipped |= listed && text[first.len()..].contains(|c: char| c.is_ascii_digit());
    let doubt = reader.doubt();
    take_plain_sentences(&text[first.len()..], needed);
    doubt
}

/// Takes the phases of further sentences, of which only those count that are nothing but a list of them.
fn take_plain_sentences(mut rest: &str, needed: &mut Vec<Needed>) {
    loop {
        rest = rest.trim_start_matches(['.', '。', ' ']);
        let sentence = first_sentence(rest);
        let before = needed.len();
        if plain_list(sentence, needed).is_none() {
            needed.truncate(before);
            return;
        }
        rest = &rest[sentence.len()..];
    }
}

/// Tells whether a text is nothing but a list of phases.
pub(super) fn is_plain_list(text: &str) -> bool {
    plain_list(text, &mut Vec::new()).is_some()
}

/// The shape of half of all values, quickly: `Phase 3` or `Phase 1, Phase 2`.
fn plain_list(value: &str, needed: &mut Vec<Needed>) -> Option<()> {
    let mut rest = value.trim();
    loop {
        rest = rest.strip_prefix("Phase ")?;
        let (id, length) = PhaseId::scan(rest, Before::Nothing)?;
        needed.push(Needed::Phase(id));
        rest = &rest[length..];
        if rest.is_empty() {
            return Some(());
        }
        rest = rest.strip_prefix(", ")?;
    }
}

/// Walks over a value and collects ids.
struct Reader<'a, 'n> {
    rest: &'a str,
    needed: &'n mut Vec<Needed>,
    /// Whether a bare number here belongs to a list of phases.
    list: List,
    alternative: bool,
    in_first_clause: bool,
    stopped_at_start: bool,
    /// Whether the last thing that was read is an id.
    just_took: bool,
    /// Whether the last word says that the number after it is no phase's.
    other_unit: bool,
    /// Whether something that may be an id was not taken.
    skipped: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    /// At the start of a clause: a bare id counts when nothing but a list follows it.
    Start,
    /// After the word "Phase" or a join: a bare id counts.
    Expected,
    /// After an id: a join or a range may follow.
    AfterId,
    /// In other words: only "Phase N" counts.
    Words,
}

impl<'a, 'n> Reader<'a, 'n> {
    fn new(rest: &'a str, needed: &'n mut Vec<Needed>) -> Self {
        Self {
            rest,
            needed,
            list: List::Start,
            alternative: false,
            in_first_clause: true,
            stopped_at_start: false,
            just_took: false,
            other_unit: false,
            skipped: false,
        }
    }

    fn doubt(&self) -> Option<Doubt> {
        if self.alternative {
            Some(Doubt::Alternative)
        } else if self.needed.is_empty() && !self.stopped_at_start {
            Some(Doubt::NoPhase)
        } else {
            self.skipped.then_some(Doubt::Partial)
        }
    }

    fn run(&mut self) {
        loop {
            let before = self.rest;
            self.rest = self.rest.trim_start();
            let spaced = self.rest.len() < before.len();
            let Some(first) = self.rest.chars().next() else {
                return;
            };
            if let Some(length) = words::phase_word(self.rest)
                && self.keyword(length)
            {
                continue;
            }
            if let Some((id, length)) = self.next_id() {
                self.bare_id(id, length);
                continue;
            }
            self.just_took = false;
            if first.is_alphanumeric() {
                if !self.word() {
                    return;
                }
                continue;
            }
            self.rest = &self.rest[first.len_utf8()..];
            if !self.mark(first, spaced) {
                return;
            }
        }
    }

    /// The bare id that stands here, where there may be one.
    fn next_id(&self) -> Option<(PhaseId, usize)> {
        let lettered = self.list == List::Expected;
        match PhaseId::scan(self.rest, Before::Nothing) {
            None if lettered => PhaseId::scan(self.rest, Before::Keyword)
                .filter(|(_, length)| starts_list(&self.rest[*length..])),
            // `Phases 1 2 3`: nothing but a blank stands between them.
            Some((id, length)) if self.list == List::AfterId => {
                let after = &self.rest[length..];
                let listed = self.just_took
                    && id.as_number().is_some()
                    && (starts_list(after)
                        || after.trim_start().starts_with(|c: char| c.is_ascii_digit()))
                    && !after.starts_with(['-', '/', '.', ':']);
                listed.then_some((id, length))
            }
            found => found,
        }
    }

    /// Steps over the word "Phase" and the id that follows it.
    fn keyword(&mut self, length: usize) -> bool {
        let after = self.rest[length..].trim_start_matches([' ', '\u{a0}', '#', '*']);
        let after = if self.rest[length..].starts_with('-') { &after[1..] } else { after };
        match PhaseId::scan(after, Before::Keyword) {
            Some((id, id_length)) => {
                self.rest = &after[id_length..];
                self.take(id, Keyword::Before);
                true
            }
            None => {
                let token = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
                self.skipped |= token.starts_with(char::is_numeric) || head::is_spelled(token);
                false
            }
        }
    }

    /// Takes a bare id where a list has or may have one.
    fn bare_id(&mut self, id: PhaseId, length: usize) {
        let after = &self.rest[length..];
        let (listed, keyword) = match self.list {
            List::Expected => (true, Keyword::Before),
            List::Start => (starts_list(after), Keyword::Missing),
            List::AfterId => (true, Keyword::Before),
            List::Words => (false, Keyword::Missing),
        };
        self.rest = after;
        if listed {
            self.take(id, keyword);
        } else {
            self.skipped |= self.list == List::Words && !self.other_unit;
            self.list = List::Words;
        }
    }

    /// Records an id, or a range when one follows.
    fn take(&mut self, first: PhaseId, keyword: Keyword) {
        self.list = List::AfterId;
        self.just_took = true;
        let item = match range_end(self.rest) {
            Some((last, padded, rest)) if keyword == Keyword::Before || !padded => {
                self.rest = rest;
                // A range that goes backwards means something else.
                self.skipped |= last < first;
                if first < last { Needed::Range(first, last) } else { Needed::Phase(first) }
            }
            // `02-03` without the word "Phase" names a plan.
            Some((_, _, rest)) => {
                self.rest = rest;
                self.list = List::Words;
                return;
            }
            None => Needed::Phase(first),
        };
        self.needed.push(item);
    }

    /// Steps over a word and says whether to go on.
    fn word(&mut self) -> bool {
        let wide = self.rest.chars().next().is_some_and(is_wide);
        let end = self
            .rest
            .char_indices()
            .skip(1)
            .find(|(_, c)| wide || is_wide(*c) || !(c.is_alphanumeric() || *c == '\'' || *c == '-'))
            .map_or(self.rest.len(), |(at, _)| at);
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        let lower = word.to_lowercase();
        let lower = lower.as_str();
        if STOPS.contains(&lower) || lower.starts_with("parallel-") {
            self.stopped_at_start |= self.needed.is_empty() && self.in_first_clause;
            self.in_first_clause = false;
            // What was stopped ends with its clause.
            return match self.rest.find(';') {
                Some(at) => {
                    self.rest = &self.rest[at + 1..];
                    self.list = List::Words;
                    true
                }
                None => false,
            };
        }
        self.skipped |=
            word.starts_with(char::is_numeric) && !self.other_unit && !is_date_like(word);
        self.other_unit = OTHER_UNITS.contains(&lower);
        match (self.list, lower) {
            (List::AfterId, "or" | "oder" | "или" | "або" | "ou" | "eller") => {
                self.alternative = true;
                self.list = List::Expected;
            }
            (List::AfterId | List::Expected, join) if JOINS.contains(&join) => {
                self.list = List::Expected;
            }
            (List::Expected, "everything") => self.needed.push(Needed::AllPrevious),
            (List::Expected, word) if EARLIER.contains(&word) => self.skipped = true,
            (List::AfterId, "和" | "与" | "及" | "と" | "、") => self.list = List::Expected,
            (List::Start | List::AfterId | List::Expected, word) if HARMLESS.contains(&word) => {}
            (List::AfterId, "完" | "成" | "了") => {}
            _ => self.list = List::Words,
        }
        true
    }

    /// Steps over a mark and says whether to go on.
    fn mark(&mut self, mark: char, spaced: bool) -> bool {
        match mark {
            ',' | '，' | '、' | '/' | '+' | '&' | '→' => {
                self.skipped |= mark == '+' && self.rest.trim().is_empty();
                if self.list == List::AfterId {
                    self.list = List::Expected;
                }
            }
            ';' | '；' => {
                self.list = List::Start;
                self.in_first_clause = false;
            }
            // Another field follows, unless it is one more phase.
            '·' | '|' => {
                self.list = List::Expected;
                return words::phase_word(self.rest.trim_start()).is_some();
            }
            '-' | '=' if self.rest.starts_with('>') && self.list == List::AfterId => {
                self.rest = &self.rest[1..];
                self.list = List::Expected;
            }
            '#' | '№' if matches!(self.list, List::Start | List::Expected) => {}
            // An explanation; it ends with the clause.
            '—' | '–' | '-' if self.list == List::AfterId && self.rest.trim().is_empty() => {
                self.skipped = true;
            }
            '—' | '–' | '-' if spaced && self.list != List::Start => {
                self.list = List::Words;
                if self.needed.is_empty() {
                    return true;
                }
                self.skipped |= self.rest.trim().is_empty() || names_after_comma(self.rest);
                match self.rest.find(';') {
                    Some(at) => {
                        self.rest = &self.rest[at + 1..];
                        self.list = List::Start;
                    }
                    None => return false,
                }
            }
            '[' | ']' | '*' | '_' | '`' | '"' | '\'' | '~' => {}
            _ => {
                if self.list != List::Start {
                    self.list = List::Words;
                }
            }
        }
        true
    }
}

/// Whether the word "Phase" stood before an id or the list it is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keyword {
    Before,
    Missing,
}

/// Tells whether what follows a bare id at the start of a clause goes on as a list.
fn starts_list(after: &str) -> bool {
    let after = after.trim_start();
    let Some(first) = after.chars().next() else {
        return true;
    };
    if !first.is_alphanumeric() {
        return first != '%' && first != '$';
    }
    let word = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("").to_lowercase();
    JOINS.contains(&word.as_str())
        || HARMLESS.contains(&word.as_str())
        || RANGE_WORDS.contains(&word.as_str())
        || word == "or"
}

/// Reads the rest of a range: its last id, whether that is zero-padded, and what follows.
fn range_end(rest: &str) -> Option<(PhaseId, bool, &str)> {
    let trimmed = rest.trim_start();
    let mut after = None;
    for mark in ["–", "—", "-", "...", "..", "…", "~"] {
        if let Some(found) = trimmed.strip_prefix(mark) {
            after = Some(found);
            break;
        }
    }
    if after.is_none() {
        let end = trimmed.find(|c: char| !c.is_alphabetic()).unwrap_or(trimmed.len());
        if RANGE_WORDS.contains(&trimmed[..end].to_lowercase().as_str()) {
            after = Some(&trimmed[end..]);
        }
    }
    let mut after = after?.trim_start();
    if let Some(length) = words::phase_word(after) {
        after = after[length..].trim_start();
    }
    let (last, length) = PhaseId::scan(after, Before::Nothing)?;
    let padded = after.len() > 1 && after.starts_with('0');
    Some((last, padded, &after[length..]))
}

/// Tells whether an explanation goes on with another phase: `Phase 1 - A, Phase 2 - B`.
fn names_after_comma(text: &str) -> bool {
    text.split(',').skip(1).any(|part| {
        let part = part.trim_start();
        let word = words::phase_word(part).map_or(part, |length| part[length..].trim_start());
        let spelled = word.len() < part.len();
        PhaseId::scan(word, Before::Nothing).is_some_and(|(_, length)| {
            spelled || word[length..].trim_start().starts_with(['-', '–', '—', ':'])
        })
    })
}

/// `2026-03-29` and the like, which is no phase.
fn is_date_like(word: &str) -> bool {
    word.len() >= 8 && word.contains('-')
}

fn says_first(inside: &str) -> bool {
    let lower = inside.to_lowercase();
    ["first", "none", "nothing", "independent", "start"].iter().any(|word| lower.contains(word))
}

/// Tells whether a character is of a script that does not set words apart by blanks.
fn is_wide(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF)
}

#[cfg(test)]
mod tests;
