//! `phase-{N}-confidence.md`: what keeps a phase from a better score.

use std::fmt::Write as _;

/// What is told of a phase below 9.0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The phase.
    pub phase_id: String,
    /// Its score.
    pub score: String,
    /// What it had to reach.
    pub threshold: String,
    /// `passed`, `force_incomplete` or `remediated_to_{score}`.
    pub status: String,
    /// What the judge does not like.
    pub concerns: Vec<String>,
    /// Each criterion.
    pub criteria: Vec<CriterionRow>,
    /// Compile, lint and build.
    pub checks: Vec<CheckRow>,
    /// What would raise the score.
    pub path: Vec<PathItem>,
    /// What was done about it so far.
    pub history: Vec<RemediationRow>,
}

/// One criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CriterionRow {
    /// What it says.
    pub text: String,
    /// `verified`, `failed`, `unproven`, `waived`.
    pub status: String,
    /// What shows it.
    pub evidence: String,
    /// What is missing.
    pub gap: String,
}

/// One check of the project's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckRow {
    /// Its name.
    pub name: String,
    /// What came of it.
    pub result: String,
    /// What there is to say.
    pub details: String,
}

/// One thing that would raise the score. All three parts are there, or it is no item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathItem {
    file: String,
    deficiency: String,
    impact: String,
}

/// One round of improvement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemediationRow {
    /// Which one; the first is 0, the work itself.
    pub cycle: u32,
    /// The score after it.
    pub score: String,
    /// What was changed.
    pub changes: String,
    /// What was left.
    pub remaining: String,
}

/// Words that say that something should be better, and not what.
const VAGUE: [&str; 6] = [
    "improve code quality",
    "add better tests",
    "enhance documentation",
    "improve the code",
    "better error handling",
    "clean up",
];

/// Whether a text names nothing that could be done.
pub fn is_vague(text: &str) -> bool {
    let text = text.trim().trim_end_matches('.').to_lowercase();
    text.is_empty() || VAGUE.iter().any(|vague| text == *vague)
}

impl PathItem {
    /// An item, if it names a file, what is wrong with it, and what mending it would do.
    pub fn new(file: &str, deficiency: &str, impact: &str) -> Option<Self> {
        let parts = [file, deficiency, impact].map(str::trim);
        if parts.iter().any(|part| part.is_empty()) || is_vague(deficiency) {
            return None;
        }
        let [file, deficiency, impact] = parts.map(cell);
        Some(Self { file, deficiency, impact })
    }
}

impl Diagnostic {
    /// The file.
    pub fn to_markdown(&self) -> String {
        let Self { phase_id, score, threshold, status, .. } = self;
        let mut text = format!(
            "# Phase {phase_id} Confidence Diagnostic\n\n**Score:** {score}/10\n**Threshold:** {threshold}/10\n**Status:** {status}\n\n\
             ## Judge Concerns\n"
        );
        text.extend(self.concerns.iter().map(|concern| format!("- {}\n", cell(concern))));
        text.push_str("\n## Acceptance Criteria Status\n| Criterion | Status | Evidence | Gap |\n|---|---|---|---|\n");
        for row in &self.criteria {
            push_row(&mut text, &[&row.text, &row.status, &row.evidence, &row.gap]);
        }
        text.push_str(
            "\n## Automated Check Results\n| Check | Result | Details |\n|---|---|---|\n",
        );
        for row in &self.checks {
            push_row(&mut text, &[&row.name, &row.result, &row.details]);
        }
        text.push_str("\n## Path to 9.0/10\n");
        for (at, item) in self.path.iter().enumerate() {
            let PathItem { file, deficiency, impact } = item;
            // Writing into a text cannot fail.
            let _ = writeln!(text, "{}. **{file}**: {deficiency} -- {impact}", at + 1);
        }
        if !self.history.is_empty() {
            text.push_str("\n## Remediation History\n| Cycle | Score | Changes Made | Remaining Issues |\n|---|---|---|---|\n");
            for row in &self.history {
                let cycle =
                    if row.cycle == 0 { "0 (initial)".to_owned() } else { row.cycle.to_string() };
                push_row(&mut text, &[&cycle, &row.score, &row.changes, &row.remaining]);
            }
        }
        text
    }
}

fn push_row(text: &mut String, cells: &[&str]) {
    for value in cells {
        let value = cell(value);
        text.push_str("| ");
        text.push_str(if value.is_empty() { "-" } else { &value });
        text.push(' ');
    }
    text.push_str("|\n");
}

/// Text from outside inside of a table: it ends neither a cell nor a row.
pub(crate) fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c24_an_item_has_a_file_a_deficiency_and_an_impact() {
        assert!(
            PathItem::new("src/a.rs", "line 4 ignores the error", "resolves 1 of 2 concerns")
                .is_some()
        );
        assert_eq!(PathItem::new("", "line 4 ignores the error", "+0.5"), None);
        assert_eq!(PathItem::new("src/a.rs", "Improve code quality.", "+0.5"), None);
        assert_eq!(PathItem::new("src/a.rs", "line 4", "  "), None);
    }

    #[test]
    fn c24_a_diagnostic_has_all_its_sections_and_takes_any_text() {
        let diagnostic = Diagnostic {
            phase_id: "3".to_owned(),
            score: "8.4".to_owned(),
            threshold: "9.0".to_owned(),
            status: "force_incomplete".to_owned(),
            concerns: vec!["a\n## b".to_owned()],
            criteria: vec![CriterionRow {
                text: "x | y".to_owned(),
                status: "verified".to_owned(),
                evidence: "src/a.rs:4".to_owned(),
                gap: String::new(),
            }],
            checks: vec![CheckRow {
                name: "compile".to_owned(),
                result: "pass".to_owned(),
                details: String::new(),
            }],
            path: PathItem::new("src/a.rs", "line 4 ignores the error", "+0.5")
                .into_iter()
                .collect(),
            history: vec![RemediationRow {
                cycle: 0,
                score: "8.1".to_owned(),
                changes: String::new(),
                remaining: "the error".to_owned(),
            }],
        };
        let text = diagnostic.to_markdown();
        let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(
            heads,
            [
                "## Judge Concerns",
                "## Acceptance Criteria Status",
                "## Automated Check Results",
                "## Path to 9.0/10",
                "## Remediation History"
            ]
        );
        assert!(text.contains("| x \\| y | verified | src/a.rs:4 | - |\n"));
        assert!(text.contains("1. **src/a.rs**: line 4 ignores the error -- +0.5\n"));
    }
}
