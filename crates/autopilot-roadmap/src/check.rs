//! Tells whether a line names the check of a criterion: ``text -- verified by: `command` ``.

use autopilot_evidence::{Criterion, Method};

use super::{line, words};

/// How a line names a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// It names none.
    None,
    /// In the way that is understood.
    Named,
    /// With a label that makes a check only of a criterion: ``Verification: `command` ``.
    Labelled,
    /// Without backticks, so that nobody can tell what would be run.
    Bare,
    /// With a slip of the pen: ``verifed by: `command` ``.
    Misspelled,
}

/// Tells how a line names a check.
pub(super) fn named_in(text: &str) -> Check {
    match around_words(text) {
        Some((before, after)) if is_named_by(before, after) => Check::Named,
        Some((before, after)) if is_bare(before, after) => Check::Bare,
        _ if is_nearly_named(text) => Check::Misspelled,
        _ => Check::None,
    }
}

/// Tells whether an item or a line opens with the label of a check and a command.
pub(super) fn is_labelled(text: &str) -> bool {
    const LABELS: &[&str] = &["verification", "verify with", "verify", "check with"];
    let text = text.trim_start_matches(['*', '_']);
    if !text.starts_with(['v', 'V', 'c', 'C']) {
        return false;
    }
    let label = LABELS.iter().find_map(|label| words::prefix_ignoring_case(text, label));
    let value = label.map_or("", |length| text[length..].trim_start_matches(['*', '_', ' ']));
    let command = value.strip_prefix([':', '：']).unwrap_or("");
    command.trim_start_matches(['*', '_', ' ']).starts_with('`')
}

/// Tells whether a text names a check outside of code: a command, a trace, or one that starts in the next
/// line.
///
/// What exactly is to be run is read from the whole criterion later; here only its place matters.
pub(super) fn is_named(text: &str) -> bool {
    around_words(text).is_some_and(|(before, after)| is_named_by(before, after))
}

/// What stands before and after the first "erified by", whose first letter may be a capital one.
fn around_words(text: &str) -> Option<(&str, &str)> {
    const WORDS: &str = "erified by";
    // No other letter of it is as rare, so that nearly every line is passed over once and quickly.
    const RARE: (usize, u8) = ("erified ".len(), b'b');
    let bytes = text.as_bytes();
    let mut from = RARE.0;
    loop {
        let at = from + line::find_byte(bytes.get(from..)?, RARE.1)?;
        let start = at - RARE.0;
        if bytes[start..].starts_with(WORDS.as_bytes()) {
            return Some((&text[..start], &text[start + WORDS.len()..]));
        }
        from = at + 1;
    }
}

fn is_named_by(before: &str, after: &str) -> bool {
    if !before.ends_with(['v', 'V']) || is_in_code(before) {
        return false;
    }
    // The usual spelling needs no trimming.
    if after.starts_with(": `") {
        return true;
    }
    let check = after.trim_start().trim_start_matches([':', '*']).trim_start();
    let announced = after.trim_end().ends_with(':');
    check.starts_with('`') || check.starts_with("read ") || (check.is_empty() && announced)
}

fn is_bare(before: &str, after: &str) -> bool {
    if !before.ends_with(['v', 'V']) || is_in_code(before) {
        return false;
    }
    let after = after.trim_matches(['*', ' ']);
    if after.is_empty() || after == ")" {
        // The end of a line that was set apart for a check, and then no check.
        let text = before[..before.len() - 1].trim_end_matches(['*', ' ']);
        return text.ends_with(['-', '—', '–', '(']);
    }
    let told = after.strip_prefix(':').map_or("", |told| told.trim_matches(['*', ' ']));
    let coded = after.trim_start_matches([':', '*', ' ']).starts_with("<code>");
    coded || (!told.is_empty() && !told.starts_with(['`', '<']))
}

fn is_nearly_named(text: &str) -> bool {
    const WORDS: &str = "verifiedby";
    const OTHERS: &[&str] = &["verifiedvia", "verifiedwith", "verifiedusing"];
    let Some(tick) = line::find_byte(text.as_bytes(), b'`') else {
        return false;
    };
    // The last letters before the command, whatever stands between them, and one more.
    let mut last = [0; WORDS.len() + 3];
    let mut free = last.len();
    for letter in text.as_bytes()[..tick].iter().rev().filter(|byte| byte.is_ascii_alphabetic()) {
        free -= 1;
        last[free] = letter.to_ascii_lowercase();
        if free == 0 {
            break;
        }
    }
    let last = &last[free..];
    let ends = |length: usize| last.len().checked_sub(length).map(|from| &last[from..]);
    let nearly = |length| ends(length).is_some_and(|end| words::is_nearly(end, WORDS));
    (WORDS.len() - 1..=WORDS.len() + 1).any(nearly)
        || OTHERS.iter().any(|word| last.ends_with(word.as_bytes()))
}

/// Tells why a criterion can never be passed, if it cannot.
///
/// One that announces a check and then names none is such: to take it for words that reviewers judge would let a check
/// that somebody meant go by.
pub fn why_hopeless(text: &str) -> Option<String> {
    let read = Criterion::parse(text);
    read.objection().or_else(|| {
        let is_lost = read.method == Method::Prose && (is_named(text) || is_announced(text));
        is_lost.then(|| "it names a check, but no command in backticks".to_owned())
    })
}

/// Tells whether a line ends where a check was to come: `- It builds -- verified by`.
pub(super) fn is_announced(text: &str) -> bool {
    around_words(text).is_some_and(|(before, after)| {
        let nothing = after.trim_matches(['*', ' ', ')']).is_empty();
        nothing && is_bare(before, after)
    })
}

/// Tells whether a criterion names more than one check, of which only one could be run.
pub(super) fn is_named_twice(text: &str) -> bool {
    let Some((_, rest)) = around_words(text).filter(|(before, after)| is_named_by(before, after))
    else {
        return false;
    };
    // After the first command, which may hold these words itself.
    let after = rest.splitn(3, '`').nth(2).unwrap_or("");
    is_named(after)
}

/// Tells, without reading it, that a criterion names no check or one that can be run as it stands: a plain
/// command in backticks at the end of the text, and nothing expected of it but that it succeeds.
pub(super) fn is_plain(text: &str) -> bool {
    let Some(check) = text.strip_suffix('`') else {
        return line::find_byte(text.as_bytes(), b'`').is_none() && around_words(text).is_none();
    };
    let Some((before, command)) = check.rsplit_once('`') else {
        return false;
    };
    let is_simple = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b' ' | b'-' | b'_' | b'.' | b'/' | b'=' | b':' | b',' | b'+' | b'@')
    };
    before.ends_with("-- verified by: ")
        && command.bytes().all(is_simple)
        && command.starts_with(|c: char| c.is_ascii_alphanumeric())
        && line::find_byte(before.as_bytes(), b'`').is_none()
}

fn is_in_code(before: &str) -> bool {
    let mut ticks = 0;
    let mut rest = before.as_bytes();
    while let Some(at) = line::find_byte(rest, b'`') {
        ticks += 1;
        rest = &rest[at + 1..];
    }
    ticks % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_that_cannot_be_run_are_told_from_prose() {
        for text in ["- It builds -- verified by: cargo build", "It builds (**Verified by:** make)"]
        {
            assert_eq!(named_in(text), Check::Bare, "{text}");
        }
        for text in [
            "- It builds -- verified by: `cargo build`",
            "Every claim is verified by two people",
            "The `verified by: x` field exists",
            "- It builds -- verified by:",
            "- It saves -- verified by: read ui.rs and trace to save()",
        ] {
            assert_ne!(named_in(text), Check::Bare, "{text}");
        }
        for text in [
            "- a -- verifed by: `b`",
            "- a (Verified By: `b`)",
            "a -- **veriffied by**: `b`",
            "a verified?by: `b`",
        ] {
            assert!(is_nearly_named(text), "{text}");
        }
        for text in ["- a by: `b`", "- a: `b`", "run `b`", "- a -- verified with care by: `b`"] {
            assert!(!is_nearly_named(text), "{text}");
        }
    }

    #[test]
    fn only_plain_commands_need_no_look() {
        for text in ["Tests pass -- verified by: `make 12`", "It shines", "Nothing (much)"] {
            assert!(is_plain(text), "{text}");
        }
        for text in [
            "a -- verified by: `b || c`",
            "a -- verified by: `b` (expect maybe)",
            "a -- verified by: ``",
            "a -- verified by: ` `",
            "`a` -- verified by: `b`",
            "a -- verified by: b",
            "a -- verified by: `b",
        ] {
            assert!(!is_plain(text), "{text}");
        }
    }

    #[test]
    fn checks_are_told_from_prose() {
        for text in [
            "- It builds -- verified by: `cargo build`",
            "- It builds — verified by `cargo build` (expect 0)",
            "It builds (Verified by: `cargo build`)",
            "- `make` works -- **verified by:** `make`",
            "- Click saves -- verified by: read ui.rs:on_click and trace to save()",
            "- It builds -- verified by:",
        ] {
            assert!(is_named(text), "{text}");
        }
        for text in [
            "Every claim is verified by two people",
            "- It works -- verified by: looking at it",
            "The `verified by: ` field exists",
            "verified bypass `x`",
            "",
        ] {
            assert!(!is_named(text), "{text}");
        }
    }
}
