//! The papers that tell what pages look like.

use std::fmt::Write as _;

use crate::{
    phases::{Phase, Shots, VisualIssue, VisualLog},
    report::cell,
};

/// The section of `VERIFICATION.md`; nothing where nobody wanted pictures.
pub(super) fn section(log: &VisualLog) -> String {
    let mut text = String::new();
    // Writing into a text cannot fail.
    match &log.shots {
        None => {}
        Some(Shots::Skipped { why }) => {
            let _ = write!(text, "\n## Visual Testing Results\n\nskipped: {}\n", cell(why));
        }
        Some(Shots::Taken(shots)) => {
            text.push_str(
                "\n## Visual Testing Results\n\n| Route | Screenshot | Issues | Severity | Status |\n\
                 |-------|-----------|--------|----------|--------|\n",
            );
            for shot in shots {
                let of_it: Vec<&VisualIssue> =
                    log.open().filter(|issue| issue.route == shot.route).collect();
                let worst = of_it.iter().map(|issue| issue.severity).max();
                let status = if of_it.is_empty() { "PASS" } else { "ISSUES_FOUND" };
                let _ = writeln!(
                    text,
                    "| {} | {} | {} | {} | {status} |",
                    cell(&shot.route),
                    cell(&shot.file),
                    of_it.len(),
                    worst.map_or("-", |severity| severity.name()),
                );
            }
        }
    }
    text
}

/// `VISUAL-BUGS.md`: everything that looked wrong at some time, and what became of it.
pub(super) fn bugs(phase: &Phase, log: &VisualLog) -> Option<String> {
    if log.issues.is_empty() {
        return None;
    }
    let mut text = format!("# Visual Bugs: Phase {} {}\n", phase.spec.id, cell(&phase.spec.name));
    for (number, tracked) in (1..).zip(&log.issues) {
        let issue = &tracked.issue;
        let picture = log.taken().iter().find(|shot| shot.route == issue.route);
        let _ = write!(
            text,
            "\n## VB-{number}: {}\n- **Route:** {}\n- **Screenshot:** {}\n- **Type:** {}\n- **Severity:** {}\n\
             - **Location:** {}\n- **Suggested fix:** {}\n",
            cell(&issue.description),
            cell(&issue.route),
            picture.map_or_else(|| "-".to_owned(), |shot| cell(&shot.file)),
            cell(&issue.kind),
            issue.severity.name(),
            cell(&issue.location),
            cell(&issue.suggested_fix),
        );
    }
    text.push_str(
        "\n## Resolution Tracking\n\n| Issue | Severity | Found in look | Resolved in look | Status |\n\
         |-------|----------|---------------|------------------|--------|\n",
    );
    for (number, tracked) in (1..).zip(&log.issues) {
        let (resolved, status) = match tracked.resolved_in {
            Some(look) => (look.to_string(), "RESOLVED"),
            None => ("-".to_owned(), "OPEN"),
        };
        let _ = writeln!(
            text,
            "| VB-{number} | {} | {} | {resolved} | {status} |",
            tracked.issue.severity.name(),
            tracked.found_in,
        );
    }
    Some(text)
}
