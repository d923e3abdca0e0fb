//! Finds labelled values: `**Depends on**: Phase 3`, at the start of a line or in the middle.

use super::{
    line,
    phase_id::{Before, PhaseId},
    status::{self, Status},
    words::{self, Field},
};

/// The longest label that is looked at.
const LABEL_BYTES_MAX: usize = 120;

/// A label and where its value starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) field: Field,
    /// Where the label starts, with its stars.
    pub(super) start: usize,
    /// Where the value starts.
    pub(super) value: usize,
}

/// Finds the first bold label at or after `from`.
pub(super) fn bold_label(line: &str, from: usize) -> Option<Label> {
    let mut at = from;
    loop {
        let start = at + find_bold(&line[at..])?;
        let inner = start + 2;
        let length = find_bold(&line[inner..])?;
        let close = inner + length;
        if length > 0
            && length <= LABEL_BYTES_MAX
            && let Some((label, value)) = label_and_value(line, inner, close)
        {
            return Some(Label { field: words::field_of(label), start, value });
        }
        at = close + 2;
        // The stars that closed one bold text may open the next label when emphasis is unbalanced.
        if length == 0 {
            at = close;
        }
        if at >= line.len() {
            return None;
        }
    }
}

/// Reads a line that is one label at its start and a value without emphasis, as most are.
#[inline]
pub(super) fn only_label(line: &str) -> Option<(Field, &str)> {
    let inner = line.strip_prefix("**")?;
    let length = line::find_byte(inner.as_bytes(), b'*')?;
    if inner.as_bytes().get(length + 1) != Some(&b'*') {
        return None;
    }
    let (label, value) = label_and_value(line, 2, 2 + length)?;
    let rest = &line[value..];
    let plain = line::find_byte(rest.as_bytes(), b'*').is_none();
    plain.then(|| (words::field_of(label), line::trim(rest)))
}

/// Finds a label without emphasis: `Depends on: …`, only when it is one that is known.
pub(super) fn bare_label(line: &str) -> Option<Label> {
    let colon = line.char_indices().take(40).find(|(_, c)| matches!(c, ':' | '：'));
    let Some((at, c)) = colon else {
        return depends_without_colon(line);
    };
    let label = without_parenthesis(without_tags(&line[..at]));
    let field = words::field_of(label);
    let value = at + c.len_utf8();
    let is_known = match field {
        Field::Other => false,
        // Without emphasis they are words of a sentence, unless the value says otherwise.
        Field::Prerequisite => names_phases(&line[value..]),
        Field::Completion => tells_completion(&line[value..]),
        Field::Goal
        | Field::DependsOn
        | Field::Requirements
        | Field::Criteria
        | Field::Plans
        | Field::Status
        | Field::Misspelled => true,
    };
    let known = is_known.then_some(Label { field, start: 0, value });
    known.or_else(|| depends_without_colon(line))
}

/// Finds labels without emphasis that are set apart by `·` on one line.
pub(super) fn dotted_label(line: &str) -> Option<Label> {
    if !line.contains(['·', '|']) {
        return None;
    }
    let mut start = 0;
    for part in line.split_inclusive(['·', '|']) {
        let whole = part.len();
        let part = part.trim_end_matches(['·', '|']);
        let lead = part.len() - part.trim_start().len();
        if let Some(label) = bare_label(part.trim_start())
            && label.field == Field::DependsOn
        {
            return Some(Label {
                field: label.field,
                start: start + lead,
                value: start + lead + label.value,
            });
        }
        start += whole;
    }
    None
}

/// Cuts a value where the next bold label starts.
pub(super) fn value_until_label(line: &str, from: usize) -> (&str, Option<Label>) {
    match bold_label(line, from) {
        Some(next) => (line[from..next.start].trim(), Some(next)),
        None => (line[from..].trim(), None),
    }
}

/// Tells whether a line leaves a bold text open at its end, and where it starts.
pub(super) fn open_bold(line: &str) -> Option<usize> {
    let mut open = None;
    let mut at = 0;
    while let Some(found) = line.get(at..).and_then(find_bold) {
        let here = at + found;
        open = match open {
            None => Some(here),
            Some(_) => None,
        };
        at = here + 2;
    }
    open
}

/// The position of the next two stars.
fn find_bold(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let at = from + line::find_byte(&bytes[from..], b'*')?;
        if bytes.get(at + 1) == Some(&b'*') {
            return Some(at);
        }
        from = at + 1;
    }
}

/// A label of letters with single blanks between.
fn is_plain(label: &str) -> bool {
    let bytes = label.as_bytes();
    let ends = bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(u8::is_ascii_alphabetic);
    ends && bytes.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ')
}

/// Tells whether the bold text from `inner` to `close` is a label; gives it without its colon, and
/// the value.
fn label_and_value(line: &str, inner: usize, close: usize) -> Option<(&str, usize)> {
    // The usual spelling, `**Goal**: …`, needs no trimming.
    if line.as_bytes().get(close + 2) == Some(&b':') && is_plain(&line[inner..close]) {
        return Some((&line[inner..close], close + 3));
    }
    if let Some(found) = label_with_note(line, inner, close) {
        return Some(found);
    }
    let text = line[inner..close].trim();
    if let Some(label) = text.strip_suffix(':').or_else(|| text.strip_suffix('：')) {
        return Some((without_parenthesis(label), close + 2));
    }
    let after = &line[close + 2..];
    let mut rest = after.trim_start();
    if rest.starts_with(['(', '（']) {
        let Some(end) = rest.find([')', '）']) else {
            // The note goes on in the next line; then only a label that is known is one.
            let known = words::field_of(text) != Field::Other;
            return known.then_some((text, line.len()));
        };
        rest = rest[end..].trim_start_matches([')', '）']).trim_start();
    }
    let Some(colon) = rest.chars().next().filter(|c| matches!(c, ':' | '：')) else {
        let start = line.len() - rest.len();
        return is_label_without_colon(text, rest, inner)
            .then(|| (without_parenthesis(text), start));
    };
    let value = line.len() - rest.len() + colon.len_utf8();
    Some((without_parenthesis(text), value))
}

/// Tells whether a bold text that opens its line is a label although its colon is missing: where nothing
/// follows it, or where what follows it names the phases that it depends on.
fn is_label_without_colon(text: &str, rest: &str, inner: usize) -> bool {
    if inner != 2 {
        return false;
    }
    match words::field_of(without_parenthesis(text)) {
        Field::DependsOn => rest.is_empty() || names_phases(rest),
        Field::Status => {
            let status = status::read(rest.trim_start_matches(['-', '–', '—', ' ']));
            matches!(status, Status::Done | Status::Dropped)
        }
        Field::Prerequisite => names_phases(rest),
        Field::Goal | Field::Requirements | Field::Criteria | Field::Plans => rest.is_empty(),
        Field::Completion | Field::Misspelled | Field::Other => false,
    }
}

/// Tells whether a value goes on with what the phase depends on: `a lamp. Depends on: Phase 3`.
pub(super) fn holds_dependency(value: &str) -> bool {
    const WORDS: &str = "Depends on";
    let mut rest = value;
    while let Some(at) = line::find_byte(rest.as_bytes(), b'D') {
        if let Some(after) = rest[at..].strip_prefix(WORDS) {
            return names_phases(after);
        }
        rest = &rest[at + 1..];
    }
    false
}

/// `Depends on Phase 3`, without emphasis and without a colon.
fn depends_without_colon(line: &str) -> Option<Label> {
    let opened = line.trim_start_matches('(');
    let value = &opened[words::prefix_ignoring_case(opened, "depends on ")?..];
    names_phases(value).then(|| Label {
        field: Field::DependsOn,
        start: 0,
        value: line.len() - value.len(),
    })
}

/// Tells whether the value of a label such as `Completed` says that the work is done.
pub(super) fn tells_completion(value: &str) -> bool {
    let value = value.trim();
    let yes = ["yes", "true", "100%", "x", "[x]"].iter().any(|yes| value.eq_ignore_ascii_case(yes));
    yes || status::is_date(value) || status::read(value) == Status::Done
}

/// Tells whether a value opens with phases, or with saying that there are none.
pub(super) fn names_phases(value: &str) -> bool {
    let opens = value.trim_start_matches(|c: char| !c.is_alphanumeric());
    words::says_nothing(opens)
        || words::phase_word(opens).is_some_and(|word| {
            let id = opens[word..].trim_start_matches([' ', '#', '*']);
            PhaseId::scan(id, Before::Keyword).is_some()
        })
}

/// `**Success Criteria** (what must be TRUE):`, quickly.
fn label_with_note(line: &str, inner: usize, close: usize) -> Option<(&str, usize)> {
    let after = line[close + 2..].strip_prefix(" (")?;
    let end = line::find_byte(after.as_bytes(), b')')?;
    let colon = after.as_bytes().get(end + 1) == Some(&b':');
    let label = &line[inner..close];
    (colon && is_plain(label)).then_some((label, close + 4 + end + 2))
}

/// `<b>Depends on</b>`: the text of a label in tags.
fn without_tags(label: &str) -> &str {
    let Some((_, inner)) = label.strip_prefix('<').and_then(|label| label.split_once('>')) else {
        return label;
    };
    inner.split_once("</").map_or(inner, |(inner, _)| inner)
}

fn without_parenthesis(label: &str) -> &str {
    if is_plain(label) {
        return label;
    }
    label
        .split(['(', '（'])
        .next()
        .unwrap_or(label)
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(line: &str) -> Vec<(Field, &str)> {
        let mut found = Vec::new();
        let mut next = bold_label(line, 0);
        while let Some(label) = next {
            let (value, after) = value_until_label(line, label.value);
            found.push((label.field, value));
            next = after;
        }
        found
    }

    #[test]
    fn labels_are_found_at_the_start_and_in_the_middle() {
        for (line, expected) in [
            ("**Depends on**: Phase 3", vec![(Field::DependsOn, "Phase 3")]),
            ("**Depends on:** Phase 3", vec![(Field::DependsOn, "Phase 3")]),
            ("**依赖**：Phase 3", vec![(Field::DependsOn, "Phase 3")]),
            ("**Success Criteria** (what must be TRUE):", vec![(Field::Criteria, "")]),
            ("**Success Criteria (observable):**", vec![(Field::Criteria, "")]),
            (
                "charts **Depends on**: Phase 2 **Requirements**: A-01, A-02,",
                vec![(Field::DependsOn, "Phase 2"), (Field::Requirements, "A-01, A-02,")],
            ),
            ("Phase 25 only. **Fully independent**", vec![]),
            ("**bold** text, **Note:** more", vec![(Field::Other, "more")]),
        ] {
            assert_eq!(labels(line), expected, "{line}");
        }
    }

    #[test]
    fn labels_without_emphasis_must_be_known() {
        assert_eq!(bare_label("Plans:").map(|l| l.field), Some(Field::Plans));
        assert_eq!(bare_label("Note: Phase 3"), None);
        let line = "Type: SWEEP (dual) · Depends on: 388-392 (x) · Requirements: A-01";
        let label = dotted_label(line).unwrap();
        assert_eq!(&line[label.value..label.value + 8], " 388-392");
    }

    #[test]
    fn an_open_bold_text_is_found() {
        assert_eq!(open_bold("AUTH-06 **Success"), Some(8));
        assert_eq!(open_bold("**Goal**: x"), None);
    }
}
