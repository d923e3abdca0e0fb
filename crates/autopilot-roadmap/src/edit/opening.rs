//! How a file writes the opening of a phase, `**Phase 3: Name**`, so that a new one looks like the others.

use super::super::{
    phase_id::{Before, PhaseId},
    words,
};

/// The marks that set an id apart from a name.
const SEPARATORS: [char; 6] = [':', '：', '—', '–', '-', '.'];

/// The opening of a declaration, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    /// `**`, `__` or nothing.
    bold: &'static str,
    /// Whether bold ends before the name: `**Phase 3**: Name`.
    is_bold_before_name: bool,
    /// The word for a phase with what follows it, as written.
    word: String,
    /// How many digits a number has at least; more than one where zeros were put before it.
    digits_min: usize,
    /// What stands between the id and the name.
    separator: String,
}

impl Default for Opening {
    fn default() -> Self {
        Self {
            bold: "**",
            is_bold_before_name: false,
            word: "Phase ".to_owned(),
            digits_min: 1,
            separator: ": ".to_owned(),
        }
    }
}

impl Opening {
    /// The usual opening of a heading.
    pub(super) fn plain() -> Self {
        Self { bold: "", ..Self::default() }
    }

    /// Takes the opening of a declaration apart; signs and boxes before it do not count.
    pub(super) fn read(text: &str) -> Option<Self> {
        Self::split(text).map(|(opening, _)| opening)
    }

    /// The opening, and what follows the name where its end is marked, else the name and what follows it.
    pub(super) fn split(text: &str) -> Option<(Self, &str)> {
        let starts = text.char_indices().map(|(at, _)| at);
        let (at, length) =
            starts.into_iter().find_map(|at| Some((at, words::phase_word(&text[at..])?)))?;
        let before = &text[..at];
        let bold = ["**", "__"].into_iter().find(|mark| before.contains(mark)).unwrap_or("");
        let after = &text[at + length..];
        let id_at = after.len() - after.trim_start_matches([' ', '\t', '\u{a0}']).len();
        let (_, id_length) = PhaseId::scan(&after[id_at..], Before::Keyword)?;
        let raw = &after[id_at..id_at + id_length];
        let digits = raw.bytes().take_while(u8::is_ascii_digit).count();
        let tail = &after[id_at + id_length..];
        let closed = tail.strip_prefix(bold).filter(|_| !bold.is_empty());
        let word = &text[at..at + length + id_at];
        let opening = Self {
            bold,
            is_bold_before_name: closed.is_some(),
            word: if id_at == 0 { format!("{word} ") } else { word.to_owned() },
            digits_min: if raw.starts_with('0') && digits > 1 { digits } else { 1 },
            separator: separator(closed.unwrap_or(tail)),
        };
        let after = closed.unwrap_or(tail);
        let named = after.trim_start_matches(|c| c == ' ' || SEPARATORS.contains(&c));
        let marked = after.split_once(bold).filter(|_| !bold.is_empty() && closed.is_none());
        Some((opening, marked.map_or(named, |(_, after)| after)))
    }

    /// Writes the opening of another phase.
    pub(super) fn write(&self, id: PhaseId, name: &str) -> String {
        let Self { bold, word, separator, .. } = self;
        let id = id.padded(self.digits_min);
        if self.is_bold_before_name {
            format!("{bold}{word}{id}{bold}{separator}{name}")
        } else {
            format!("{bold}{word}{id}{separator}{name}{bold}")
        }
    }
}

fn separator(tail: &str) -> String {
    let length =
        tail.len() - tail.trim_start_matches(|c| c == ' ' || SEPARATORS.contains(&c)).len();
    let found = &tail[..length];
    if !found.contains(SEPARATORS) || found.starts_with('.') {
        return ": ".to_owned();
    }
    let is_set_apart = found.ends_with([' ', '：']);
    if is_set_apart { found.to_owned() } else { format!("{found} ") }
}
