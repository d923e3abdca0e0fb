//! Tells whether a line names the check of a criterion: ``text -- verified by: `command` ``.

use super::{line, words};

/// How a line names a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// It names none.
    None,
    /// In the way that is understood.
    Named,
    /// Without backticks, so that nobody can tell what would be run.
    Bare,
    /// With a slip of the pen: ``verifed by: `command` ``.
    Misspelled,
}

/// Tells how a line names a check.
pub(super) fn named_in(text: &str) -> Check {
    let spelled = text.contains("erified by");
    if spelled && is_named(text) {
        Check::Named
    } else if spelled && is_bare(text) {
        Check::Bare
    } else if is_nearly_named(text) {
        Check::Misspelled
    } else {
        Check::None
    }
}

/// Tells whether a text names a check outside of code: a command, a trace, or one that starts in the next
/// line.
///
/// What exactly is to be run is read from the whole criterion later; here only its place matters.
pub(super) fn is_named(text: &str) -> bool {
    // Nearly every line ends here, and `contains` is much quicker than `find` at saying no.
    if !text.contains("erified by") {
        return false;
    }
    let Some(at) = text.find("erified by") else {
        return false;
    };
    let (before, after) = (&text[..at], &text[at + "erified by".len()..]);
    if !before.ends_with(['v', 'V']) || is_in_code(before) {
        return false;
    }
    let check = after.trim_start().trim_start_matches([':', '*']).trim_start();
    let announced = after.trim_end().ends_with(':');
    check.starts_with('`') || check.starts_with("read ") || (check.is_empty() && announced)
}

fn is_bare(text: &str) -> bool {
    let Some(at) = text.find("erified by").filter(|at| !is_in_code(&text[..*at])) else {
        return false;
    };
    let after = text[at + "erified by".len()..].trim_start_matches(['*', ' ']);
    let told = after.strip_prefix(':').map_or("", |told| told.trim_matches(['*', ' ']));
    text[..at].ends_with(['v', 'V'])
        && !told.is_empty()
        && !told.starts_with(['`', '<'])
        && !is_named(text)
}

fn is_nearly_named(text: &str) -> bool {
    let Some(tick) = line::find_byte(text.as_bytes(), b'`') else {
        return false;
    };
    // The last letters before the command, whatever stands between them.
    const LETTERS: usize = "verifiedby".len();
    let letters = text[..tick].chars().rev().filter(|c| c.is_ascii_alphabetic());
    let mut last: Vec<char> = letters.take(LETTERS + 1).collect();
    last.reverse();
    let last: String = last.into_iter().collect::<String>().to_ascii_lowercase();
    (0..=2)
        .any(|skipped| last.get(skipped..).is_some_and(|end| words::is_nearly(end, "verifiedby")))
}

/// Tells whether a criterion names more than one check, of which only one could be run.
pub(super) fn is_named_twice(text: &str) -> bool {
    let Some((first, rest)) = text.split_once("erified by").filter(|_| is_named(text)) else {
        return false;
    };
    // After the first command, which may hold these words itself.
    let after = rest.splitn(3, '`').nth(2).unwrap_or("");
    !is_in_code(first) && is_named(after)
}

/// Tells, without reading it, that a criterion names no check or one that can be run as it stands: a plain
/// command in backticks at the end of the text, and nothing expected of it but that it succeeds.
pub(super) fn is_plain(text: &str) -> bool {
    let Some(check) = text.strip_suffix('`') else {
        return line::find_byte(text.as_bytes(), b'`').is_none() && !text.contains("erified by");
    };
    let Some((before, command)) = check.rsplit_once('`') else {
        return false;
    };
    let simple = |byte: u8| byte.is_ascii_alphanumeric() || b" -_./=:,+@".contains(&byte);
    before.ends_with("-- verified by: ")
        && command.bytes().all(simple)
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
            assert!(is_bare(text), "{text}");
        }
        for text in [
            "- It builds -- verified by: `cargo build`",
            "Every claim is verified by two people",
            "The `verified by: x` field exists",
            "- It builds -- verified by:",
            "- It saves -- verified by: read ui.rs and trace to save()",
        ] {
            assert!(!is_bare(text), "{text}");
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
