//! Reads the opening of a line that declares a phase: `Phase 3: Name`, decorated or not.

use super::{
    line,
    phase_id::{Before, PhaseId},
    status::{self, Sign, Status},
    words,
};

/// The opening of a declaration.
#[derive(Debug)]
pub(super) struct Head<'a> {
    pub(super) id: Result<PhaseId, &'a str>,
    pub(super) separated: Separated,
    /// What follows the separator, up to the end of the line.
    pub(super) rest: &'a str,
    /// Whether bold was opened before the word "Phase" and not closed before `rest`.
    pub(super) bold_open: bool,
    /// Whether bold was opened before the word "Phase" at all.
    pub(super) bold: bool,
    pub(super) struck: bool,
    pub(super) sign: Status,
    /// The checkbox that stands before the word, in a heading.
    pub(super) checkbox: Option<bool>,
    /// The marks that bold was opened with: `**` or `__`.
    pub(super) bold_mark: &'static str,
    /// A note in brackets between the id and the colon: `Phase 3 (INSERTED): Name`.
    pub(super) note: &'a str,
}

/// How the id is set apart from the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separated {
    /// A colon, a dash or the like, or nothing follows at all.
    Clearly,
    /// Only by a blank, so the line may just talk about the phase.
    ByBlank,
}

/// Reads a head; `None` when the text does not open with the word "Phase" and an id.
///
/// An id that is clearly meant as one but cannot be read comes back as the error of [`Head::id`].
pub(super) fn read(text: &str) -> Option<Head<'_>> {
    read_usual(text).or_else(|| read_any(text))
}

/// The usual shape, quickly: `Phase 3: Name`.
fn read_usual(text: &str) -> Option<Head<'_>> {
    let after = text.strip_prefix("Phase ")?;
    let (id, length) = PhaseId::scan(after, Before::Nothing)?;
    let rest = after[length..].strip_prefix(": ")?;
    let named = rest.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
    named.then(|| Head {
        id: Ok(id),
        separated: Separated::Clearly,
        rest: rest.trim_end(),
        bold_open: false,
        bold: false,
        struck: false,
        sign: Status::Blank,
        checkbox: None,
        bold_mark: "**",
        note: "",
    })
}

fn read_any(text: &str) -> Option<Head<'_>> {
    let mut decoration = Decoration::default();
    let text = decoration.strip(text);
    let word = words::phase_word(text)?;
    if !words::is_singular(&text[..word]) {
        return None;
    }
    read_id(decoration, &text[word..])
}

/// Tells whether a text is the word "Phase" and nothing else: an id is missing.
pub(super) fn is_word_alone(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "*_#:：-–—".contains(c));
    words::phase_word(text) == Some(text.len()) && words::is_singular(text)
}

/// Reads what follows the word: the id, the separator and the name.
pub(super) fn read_after_word(text: &str) -> Option<Head<'_>> {
    read_id(Decoration::default(), text)
}

fn read_id(mut decoration: Decoration, text: &str) -> Option<Head<'_>> {
    let (after, spaced) = trimmed_gap(text);
    let glued = is_glued(after);
    if !spaced && !glued {
        return None;
    }
    let after = after.strip_prefix(decoration.bold_mark).map_or(after, |inner| {
        // `**Phase** 3` and `Phase **3**` both occur; the mark toggles.
        decoration.bold_open = !decoration.bold_open;
        inner.trim_start()
    });
    let (id, length) = match decoration.scan_id(after) {
        Some((id, length)) if !continues(&after[length..]) => match several(after, id, length) {
            Some(token) => (Err(token), token.len()),
            None => (Ok(id), length),
        },
        _ => {
            let token = unreadable_id(after)?;
            (Err(token), token.len())
        }
    };
    let rest = decoration.close(&after[length..]);
    if length == 0 && rest.trim_matches([':', '：', ' ']).is_empty() {
        return None;
    }
    let (note, rest) = bracketed_note(rest).unwrap_or(("", rest));
    let mut rest = decoration.close(rest);
    let separated = separator(&mut rest);
    let rest = decoration.close(rest);
    Some(Head {
        id,
        separated,
        rest: rest.trim(),
        bold_open: decoration.bold_open,
        bold: decoration.bold,
        struck: decoration.struck,
        sign: decoration.sign,
        checkbox: decoration.checkbox,
        bold_mark: decoration.bold_mark,
        note,
    })
}

/// Takes a note off that stands in brackets before the name: `(INSERTED): Name`. Only of a phase that was
/// inserted a dash may follow it; after other brackets a dash opens a description.
fn bracketed_note(rest: &str) -> Option<(&str, &str)> {
    let text = rest.trim_start().trim_start_matches(['*', '_']);
    let closing = match text.chars().next()? {
        '(' => ')',
        '[' => ']',
        '（' => '）',
        _ => return None,
    };
    let end = text.find(closing)?;
    let note = text[..end].trim_start_matches(['(', '[', '（']).trim();
    let after = &text[end + closing.len_utf8()..];
    let name = after.trim_start_matches(['*', '_', ' ', '\u{a0}']);
    let named = |marks: &[char]| {
        name.strip_prefix(marks).is_some_and(|name| !name.trim_matches(['*', '_', ' ']).is_empty())
    };
    let inserted = note.get(..8).is_some_and(|word| word.eq_ignore_ascii_case("inserted"));
    (named(&[':', '：']) || (inserted && named(&['—', '–', '-']))).then_some((note, name))
}

/// The ids of several phases in the place of one: `39 & 40`, `1, 2 and 3`, `39 – 40`.
fn several(after: &str, first: PhaseId, length: usize) -> Option<&str> {
    const JOINS: &[&str] = &[
        ",", "&", "+", "/", "and", "to", "through", "–", "—", "-", "und", "bis", "y", "och", "et",
    ];
    if after[length..].starts_with(':') {
        return None;
    }
    let (mut last, mut end) = (first, length);
    loop {
        let rest = after[end..].trim_start();
        let joined = JOINS.iter().find_map(|join| rest.strip_prefix(join)).and_then(|next| {
            let (id, length) = PhaseId::scan(next.trim_start(), Before::Nothing)?;
            // A number that opens a name comes after a dash, too.
            (id > last).then_some((id, &next.trim_start()[length..]))
        });
        match joined {
            Some((id, rest)) => (last, end) = (id, after.len() - rest.len()),
            None => break,
        }
    }
    let ends = after[end..]
        .trim_start()
        .chars()
        .next()
        .is_none_or(|c| matches!(c, ':' | '：' | '*' | '('));
    (end > length && ends).then(|| &after[..end])
}

/// Marks around the words of a line.
struct Decoration {
    bold: bool,
    bold_open: bool,
    struck: bool,
    sign: Status,
    checkbox: Option<bool>,
    bold_mark: &'static str,
    /// A single mark before the word, which may end after the id: `*Phase 3*: Name`, `[Phase 3](x.md): Name`.
    single: Option<u8>,
}

impl Default for Decoration {
    fn default() -> Self {
        Self {
            bold: false,
            bold_open: false,
            struck: false,
            sign: Status::Blank,
            checkbox: None,
            bold_mark: "**",
            single: None,
        }
    }
}

impl Decoration {
    /// Removes what stands before the first word, and remembers it.
    fn strip<'a>(&mut self, mut text: &'a str) -> &'a str {
        loop {
            text = line::trim_start(text);
            let bytes = text.as_bytes();
            match bytes {
                [b'~', b'~', ..] => {
                    self.struck = true;
                    text = &text[2..];
                }
                [mark @ (b'*' | b'_'), next, ..] if mark == next => {
                    self.bold_mark = if *mark == b'*' { "**" } else { "__" };
                    self.bold = true;
                    self.bold_open = !self.bold_open;
                    text = &text[2..];
                }
                [b'[', mark, b']', b' ', ..] => {
                    self.checkbox = Some(mark.eq_ignore_ascii_case(&b'x'));
                    text = &text[3..];
                }
                [mark @ (b'*' | b'_' | b'[' | b'`'), ..] => {
                    self.single = Some(*mark);
                    text = &text[1..];
                }
                [first, ..] if *first >= 0x80 => {
                    match text.chars().next().map(|c| (c, status::sign_of(c))) {
                        Some((c, Some(sign))) => {
                            match sign {
                                Sign::Check => self.sign = Status::Done,
                                Sign::Pending => self.sign = Status::Open,
                                Sign::Other => {}
                            }
                            text = &text[c.len_utf8()..];
                        }
                        _ => return text,
                    }
                }
                _ => return text,
            }
        }
    }

    /// Reads the id; an underscore after it can be the end of emphasis.
    fn scan_id(&self, text: &str) -> Option<(PhaseId, usize)> {
        PhaseId::scan(text, Before::Keyword).or_else(|| {
            let emphasised =
                self.single == Some(b'_') || (self.bold_open && self.bold_mark == "__");
            let end = text.find('_').filter(|_| emphasised)?;
            PhaseId::scan(&text[..end], Before::Keyword).filter(|(_, length)| *length == end)
        })
    }

    /// Removes marks that close here what was opened before.
    fn close<'a>(&mut self, mut text: &'a str) -> &'a str {
        loop {
            let trimmed = text.trim_start();
            if self.bold_open && trimmed.starts_with(self.bold_mark) {
                self.bold_open = false;
                text = &trimmed[2..];
            } else if let Some(after) = self.single.and_then(|mark| after_single(mark, text)) {
                self.single = None;
                text = after;
            } else if self.struck && trimmed.starts_with("~~") {
                text = &trimmed[2..];
            } else {
                return text;
            }
        }
    }
}

/// What follows the end of a single mark; the target of a link belongs to its end.
fn after_single(mark: u8, text: &str) -> Option<&str> {
    if mark != b'[' {
        return text.strip_prefix(char::from(mark));
    }
    let after = text.strip_prefix(']')?;
    let target = after.strip_prefix('(').and_then(|target| target.split_once(')'));
    Some(target.map_or(after, |(_, after)| after))
}

/// Tells whether an id, or a colon in its place, follows the word without a gap: `Phase3`, `Phase?3`, `Phase:`.
fn is_glued(after: &str) -> bool {
    let mut chars = after.chars();
    let first = chars.next().unwrap_or(' ');
    let second = chars.next().unwrap_or(' ');
    first.is_ascii_digit()
        || matches!(first, ':' | '：')
        || (first.is_ascii_punctuation() && second.is_ascii_digit())
}

/// Steps over the gap between the word and the id and says whether there was one.
fn trimmed_gap(text: &str) -> (&str, bool) {
    let after = text.trim_start_matches(is_blank);
    let spaced = after.len() < text.len();
    let numbered = after.strip_prefix(['#', '№']).or_else(|| after.strip_prefix("No."));
    match numbered {
        Some(number) => (number.trim_start(), true),
        // `Phase-3` is phase 3, `Phase -1` is phase -1.
        None if !spaced => after.strip_prefix('-').map_or((after, false), |id| (id, false)),
        None => (after, spaced),
    }
}

/// Tells whether a character is a blank, or cannot be seen.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}' | '\u{200c}' | '\u{2060}' | '\u{feff}')
}

/// Tells whether an id goes on in a way that was not understood: `3.x`, `1-4`, `3/4`.
fn continues(after: &str) -> bool {
    let mut chars = after.chars();
    let glued = chars.next();
    let next = chars.next();
    match glued {
        Some('.' | '/') => next.is_some_and(char::is_alphanumeric),
        Some('-' | '–' | '~') => next.is_some_and(|c| c.is_ascii_digit()),
        _ => false,
    }
}

/// The token in the place of an id, when it can only be meant as one. It is empty where a colon stands in
/// that place.
fn unreadable_id(after: &str) -> Option<&str> {
    let end = after
        .find(|c: char| c.is_whitespace() || matches!(c, ':' | '：' | '—' | '*'))
        .unwrap_or(after.len());
    let (token, follows) = after.split_at(end);
    if token.is_empty() {
        return follows.starts_with([':', '：']).then_some(token);
    }
    let numbered = token.chars().any(char::is_numeric);
    let marked = token.starts_with(|c: char| c.is_ascii_punctuation() && !"(\"'`".contains(c));
    let named = follows.starts_with([':', '：']) && is_name(token);
    (numbered || marked || named || is_spelled(token.trim_end_matches('.'))).then_some(token)
}

/// Numbers in words and Roman ones.
pub(super) fn is_spelled(token: &str) -> bool {
    [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "tbd",
        "tba", "todo",
    ]
    .iter()
    .any(|word| token.eq_ignore_ascii_case(word))
}

/// What every phase has, so that `Phase Goal: …` names none.
const PARTS: &str = "\
    approach archive boundaries boundary breakdown checklist completion context criteria \
    definition definitions deliverable deliverables dependencies dependency description \
    details directory duration entry execution exit flow gate gates goal goals graph history \
    id index input inputs key legend lifecycle list map mapping model name naming note notes \
    number numbering numbers objective objectives order ordering outcome output outputs \
    overview owner plan planning plans policy progress rationale requirements results risks \
    rules scope sequence sequencing size status structure success summary table tests timeline \
    title tracking transition transitions type types verification";

/// `Alpha` in `Phase Alpha: …`: a word that names one phase.
fn is_name(token: &str) -> bool {
    let lower = token.to_lowercase();
    let is_part = || PARTS.split(' ').any(|part| part == lower);
    token.starts_with(char::is_uppercase) && token.chars().all(char::is_alphabetic) && !is_part()
}

/// Steps over the separator between id and name.
fn separator(rest: &mut &str) -> Separated {
    let trimmed = rest.trim_start_matches(is_blank);
    let spaced = trimmed.len() < rest.len();
    let Some(first) = trimmed.chars().next() else {
        *rest = trimmed;
        return Separated::Clearly;
    };
    let second = trimmed[first.len_utf8()..].chars().next();
    let clear = match first {
        ':' | '：' | '—' | '–' | '|' | '→' => true,
        '-' => spaced || second.is_none_or(char::is_whitespace),
        '.' | ')' => second.is_none_or(char::is_whitespace),
        _ => false,
    };
    if clear {
        *rest = trimmed.trim_start_matches(['-', ':', '：', '—', '–', '|', '→', '.', ')']);
        return Separated::Clearly;
    }
    *rest = trimmed;
    // A sign, a parenthesis or the end of emphasis sets the id apart as well as a colon does.
    let marked = matches!(first, '(' | '（' | '~' | '[') || status::sign_of(first).is_some();
    if marked { Separated::Clearly } else { Separated::ByBlank }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        read(text).map(|head| {
            let id = head.id.map_or_else(|raw| format!("!{raw}"), |id| id.to_string());
            let mut shown = format!("{id}|{}", head.rest);
            if head.separated == Separated::ByBlank {
                shown.push_str("|by blank");
            }
            if head.struck {
                shown.push_str("|struck");
            }
            if head.sign == Status::Done {
                shown.push_str("|done");
            }
            shown
        })
    }

    #[test]
    fn heads_of_the_known_shapes_are_read() {
        for (text, expected) in [
            ("Phase 1: Name", "1|Name"),
            ("**Phase 2.1: Name** - desc", "2.1|Name** - desc"),
            ("**Phase 3** - Name", "3|Name"),
            ("**Phase 3:** Name", "3|Name"),
            ("Phase 06 — Name", "6|Name"),
            ("Phase 1：名", "1|名"),
            ("Phase -1: Built", "-1|Built"),
            ("✅ Phase 1.1: Name", "1.1|Name|done"),
            ("📋 Phase 4: Name", "4|Name"),
            ("~~Phase 4: Web UI~~ (gone)", "4|Web UI~~ (gone)|struck"),
            ("~~**Phase 3.4: Graph**~~ - ABANDONED", "3.4|Graph**~~ - ABANDONED|struck"),
            ("Фаза 2 — Тур: карточка", "2|Тур: карточка"),
            ("Phase 5 Name", "5|Name|by blank"),
            ("Phase 5", "5|"),
            ("Phase 12 ✅", "12|✅"),
            ("Phase m9-01: Name", "m9-01|Name"),
            ("Phase {N}: Name", "!{N}|Name"),
            ("Phase 3.x: Later", "!3.x|Later"),
            ("Phase Two: Name", "!Two|Name"),
            ("Phase 1-4: Name", "!1-4|Name"),
            ("Phase ??: Name", "!??|Name"),
            ("Phase ../x: Name", "!../x|Name"),
            ("Phase: Name", "!|Name"),
            ("Phase Alpha: Name", "!Alpha|Name"),
            ("Phase TBD — Name", "!TBD|Name"),
            ("Phase_3: Name", "!_3|Name"),
            ("**Phase 7** (3/3 plans)", "7|(3/3 plans)"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn lines_that_only_use_the_word_are_no_heads() {
        for text in [
            "Phase Details",
            "Phase Numbering:",
            "Phase type: Research-only",
            "Phase Goal: Ships see the shore",
            "Phase Overview",
            "Phase:",
            "Phase-based work: a note",
            "Phase (details): a note",
            "999.1: Phase G.1 — Executor",
            "Roadmap: Human — Фаза 0",
            "Phased rollout 3",
            "v1.0 MVP — Phases 1-4",
            "Phases 1-4: MVP",
        ] {
            assert!(shown(text).is_none(), "{text}: {:?}", shown(text));
        }
    }
}
