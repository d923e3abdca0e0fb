//! A criterion that is judged by reading: `read src/ui.rs:on_click and trace to save`.
//!
//! It has no command, so the engine never runs it and it is no check of the ledger: for the engine it stays unproven.
//! Reviewers judge it, and can fail a phase by it. Nothing that the engine counts as proven ever comes from it.

/// The words between what is read and what it is followed to.
const JOINS: [&str; 4] = [" and trace ", ", trace ", " then trace ", "; trace "];

/// The words that may stand before where a trace leads.
const LEADS: [&str; 3] = ["to ", "through ", "into "];

/// What a traced criterion has its reader follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trace<'a> {
    /// The file where it starts.
    pub file: &'a str,
    /// The function or line in it where it starts, where one is named.
    pub from: Option<&'a str>,
    /// Where it must lead, as written.
    pub to: &'a str,
}

impl<'a> Trace<'a> {
    /// Reads the words after `verified by:`; `None` where they are anything else, such as a command.
    pub(super) fn parse(check: &'a str) -> Option<Self> {
        let words = check.trim().trim_matches('`').trim();
        let (start, rest) = words.split_at_checked("read ".len())?;
        if !start.eq_ignore_ascii_case("read ") {
            return None;
        }
        let lower = rest.to_ascii_lowercase();
        let join = |join: &&str| lower.find(*join).map(|at| (at, at + join.len()));
        let (end, after) = JOINS.iter().filter_map(join).min()?;
        let (place, to) = (rest[..end].trim(), rest[after..].trim().trim_end_matches('`'));
        let lead = LEADS.iter().find_map(|lead| {
            let (start, rest) = to.split_at_checked(lead.len())?;
            start.eq_ignore_ascii_case(lead).then_some(rest.trim())
        });
        let (file, from) = match place.rsplit_once(':') {
            Some((file, from)) => (file.trim_end_matches(':'), Some(from)),
            None => (place, None),
        };
        let is_path = !file.is_empty() && !file.contains(char::is_whitespace);
        let to = lead.unwrap_or(to);
        (is_path && !to.is_empty()).then_some(Self { file, from, to })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Criterion, Method};

    #[test]
    fn e2_a_criterion_to_be_traced_is_a_kind_of_its_own() {
        for (line, file, from, to) in [
            (
                "A -- verified by: `read ui/Event.tsx:handleClick and trace to shell.open call`",
                "ui/Event.tsx",
                Some("handleClick"),
                "shell.open call",
            ),
            (
                "A -- verified by: read ui.rs and trace through set to save",
                "ui.rs",
                None,
                "set to save",
            ),
            ("A -- verified by: Read ui.rs:12, trace to save()", "ui.rs", Some("12"), "save()"),
        ] {
            let criterion = Criterion::parse(line);
            assert_eq!((criterion.method, &criterion.command), (Method::Traced, &None), "{line}");
            let trace = criterion.trace().expect(line);
            assert_eq!((trace.file, trace.from, trace.to), (file, from, to), "{line}");
        }
        let both = "A -- verified by: `npm test` and `read ui.rs:go and trace to save` (exits 0)";
        for line in [both, "A -- verified by: `npm test`, read ui.rs:go and trace to save"] {
            let criterion = Criterion::parse(line);
            assert_eq!(criterion.command.as_deref(), Some("npm test"), "{line}");
            assert_eq!(criterion.objection(), None, "{line}");
            assert_eq!(criterion.trace().map(|trace| trace.to), Some("save"), "{line}");
        }
        let automated = Criterion::of_command("read ui.rs:go and trace to save");
        assert_eq!((automated.method, automated.command), (Method::Traced, None));
    }

    #[test]
    fn e2_what_only_looks_like_a_trace_is_a_command_or_prose() {
        for (line, method) in [
            ("A -- verified by: `read x < f && grep -q trace f`", Method::Command),
            ("A -- verified by: read the file and trace to save", Method::Prose),
            ("A -- verified by: reading and trace to save", Method::Prose),
            ("A: read ui.rs and trace to save", Method::Prose),
        ] {
            let criterion = Criterion::parse(line);
            assert_eq!(criterion.method, method, "{line}");
            assert_eq!(criterion.trace(), None, "{line}");
        }
    }
}
