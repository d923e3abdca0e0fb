//! Tells whether a line names the check of a criterion: ``text -- verified by: `command` ``.

use super::line;

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
