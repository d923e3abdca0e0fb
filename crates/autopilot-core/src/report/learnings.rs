//! `learnings.md`: what one phase teaches the next.

use crate::policy::{FailureCategory, HumanVerdict, PhaseType};

/// The first line of the file.
pub const LEARNINGS_HEAD: &str = "# Learnings (current run)\n";
/// A longer file is not ours.
pub const LEARNINGS_BYTES_MAX: u64 = 4 << 20;
/// Names the run where no reader sees it.
const MARK: &str = "<!-- ";
const MARK_END: &str = " -->\n";

/// The file as it should be: what stands there of the same run stays, and what is missing of it comes after.
///
/// Others may add to the file while the run goes on. What an earlier run left is not part of it.
pub fn learnings(before: Option<&str>, run: &str, entries: &[String]) -> String {
    let own = before.filter(|text| learnings_run(text) == Some(run));
    let mut text =
        own.map_or_else(|| format!("{LEARNINGS_HEAD}{MARK}{run}{MARK_END}"), str::to_owned);
    for entry in entries {
        if !text.contains(entry.as_str()) {
            text.push_str(entry);
        }
    }
    text
}

/// The run that a file is about, where it says so.
pub fn learnings_run(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(LEARNINGS_HEAD)?.strip_prefix(MARK)?;
    let (run, _) = rest.split_once(MARK_END)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    run.chars().all(is_plain).then_some(run)
}

/// What a failed phase leaves for those that come after it.
pub fn failure_entry(
    phase: (&str, &str),
    category: FailureCategory,
    rule: &str,
    timestamp: &str,
) -> String {
    let ((id, name), category) = (phase, category.name());
    format!(
        "\n### Phase {id} failure -- {category}\n**Prevention rule:** {}\n**Context:** Phase {id} ({}) failed with category `{category}`. \
         Recorded: {timestamp}.\n",
        one_line(rule),
        one_line(name),
    )
}

/// What a debug session teaches.
pub fn debug_entry(
    (slug, category): (&str, &str),
    rule: &str,
    root_cause: &str,
    timestamp: &str,
) -> String {
    format!(
        "\n### Debug session: {slug} -- {category}\n**Prevention rule:** {}\n**Context:** Debug session `{slug}` identified `{category}`. \
         Root cause: {}. Recorded: {timestamp}.\n",
        one_line(rule),
        one_line(root_cause).trim_end_matches('.'),
    )
}

/// What a person's verdict on a phase teaches.
pub fn verdict_entry(
    phase: (&str, &str),
    kind: PhaseType,
    verdict: HumanVerdict,
    issues: &[String],
) -> String {
    let ((id, name), kind) = (phase, kind.name());
    let name = one_line(name);
    let word = match verdict {
        HumanVerdict::Pass => "PASS",
        HumanVerdict::Fail => "FAIL",
        HumanVerdict::IssuesFound => "ISSUES_FOUND",
    };
    let head = format!("\n### Human Verdict: Phase {id} -- {word} (confidence calibration)\n");
    let body = match verdict {
        HumanVerdict::Pass => format!(
            "Phase {id} ({name}) waited for a person, who found nothing.\n**Calibration:** {kind} phases like this one can be \
             completed with more confidence.\n"
        ),
        HumanVerdict::Fail | HumanVerdict::IssuesFound => {
            let issues = if issues.is_empty() {
                "nothing in particular".to_owned()
            } else {
                issues.iter().map(|issue| one_line(issue)).collect::<Vec<_>>().join("; ")
            };
            format!(
                "Phase {id} ({name}) waited for a person, who found: {issues}.\n**Calibration:** check {kind} phases like this one \
                 more closely. Watch for: {issues}.\n"
            )
        }
    };
    head + &body
}

/// Text from outside must not begin an entry of its own.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c33_a_failure_leaves_a_rule_and_its_context() {
        let entry = failure_entry(
            ("3", "Feeds"),
            FailureCategory::LintFailure,
            "Run\n### the linter",
            "2026-01-01T00:00:00Z",
        );
        assert_eq!(
            entry,
            "\n### Phase 3 failure -- lint_failure\n**Prevention rule:** Run ### the linter\n\
             **Context:** Phase 3 (Feeds) failed with category `lint_failure`. Recorded: 2026-01-01T00:00:00Z.\n"
        );
    }

    #[test]
    fn c34_what_an_earlier_run_learned_goes_and_what_others_added_stays() {
        let entries = ["\n### Phase 1\n".to_owned(), "\n### Phase 2\n".to_owned()];
        let first = learnings(None, "run-1", &entries[..1]);
        assert_eq!(first, "# Learnings (current run)\n<!-- run-1 -->\n\n### Phase 1\n");
        let added = first + "\n### By hand\n";
        let again = learnings(Some(&added), "run-1", &entries);
        assert_eq!(again, added + "\n### Phase 2\n");
        assert_eq!(learnings(Some(&again), "run-1", &entries), again);
        let next = learnings(Some(&again), "run-2", &[]);
        assert_eq!(next, "# Learnings (current run)\n<!-- run-2 -->\n");
        assert_eq!(learnings_run("# Learnings (current run)\n<!-- ../x -->\n"), None);
    }

    #[test]
    fn c29_a_verdict_calibrates_the_next_phases() {
        let issues = vec!["the button is grey".to_owned()];
        let entry =
            verdict_entry(("3", "Feeds"), PhaseType::Ui, HumanVerdict::IssuesFound, &issues);
        assert!(entry.starts_with(
            "\n### Human Verdict: Phase 3 -- ISSUES_FOUND (confidence calibration)\n"
        ));
        assert_eq!(entry.matches("the button is grey").count(), 2);
        let good = verdict_entry(("3", "Feeds"), PhaseType::Ui, HumanVerdict::Pass, &[]);
        assert!(good.contains("-- PASS (") && good.contains("more confidence"));
    }
}
