//! What a person is shown at a gate, and the engine's own documents of an issue.

use std::collections::BTreeMap;

use serde_json::json;

use crate::{
    id::CommitId,
    issue::{Finding, Issue, IssueGate, Route, Survey, state::Red, word::OPTIONS},
    rails::line,
};

/// How many decisions of a document are named when it is shown first.
const DECISIONS_MAX: usize = 12;
/// How much of a change is shown in a message; the branch has all of it.
const DIFF_CHARS_MAX: usize = 12_000;
/// How much of the requirements is shown.
const TEXT_CHARS_MAX: usize = 4_000;
/// A longer line of a decision is cut.
const LINE_CHARS_MAX: usize = 160;

/// The whole question at a gate.
pub(super) fn of(issue: &Issue, gate: IssueGate, found: &Survey) -> String {
    match gate {
        IssueGate::Precheck => precheck(issue),
        IssueGate::Requirements => requirements(issue, ""),
        IssueGate::Design => design(issue, found),
        IssueGate::Merge => merge(issue, found),
    }
}

/// Asked once, before the first gate, where a shorter way would do.
pub(super) fn precheck(issue: &Issue) -> String {
    format!(
        "issue {} looks like a change of documents alone, for which the short way (`--route express`) costs less. Go on with the \
         full one? Only `ok` goes on",
        issue.spec.number
    )
}

pub(super) fn requirements(issue: &Issue, text: &str) -> String {
    let shown = bounded(text.trim(), TEXT_CHARS_MAX);
    format!(
        "Approve requirements? `{}` is what issue {} is measured by, and cannot change afterwards. Only `ok` approves\n\n{shown}",
        issue.spec.requirements(),
        issue.spec.number
    )
}

fn design(issue: &Issue, found: &Survey) -> String {
    let mut text = match issue.spec.route {
        Route::Bugfix | Route::Flaky => {
            "Approve cause? Only `ok` goes on to the repair; anything else sends the whole of it back".to_owned()
        }
        Route::Full | Route::Express => format!(
            "Approve design? Recommended: 承認 (ok) - reply 'ok' to accept, or name the artifact(s) to revise. Anything but `ok` \
             sends all of it back\n{}",
            OPTIONS.map(|option| format!("- {option}")).join("\n")
        ),
    };
    if let Some((failed, runs)) = issue.reproduced {
        text.push_str(&format!("\n\nIt failed {failed} of {runs} times before anything was done"));
    }
    if found.diff.is_empty() && issue.refused.is_empty() {
        text.push_str("\n\nKey decisions:");
        text.push_str(&decisions(&found.documents));
    } else {
        text.push_str(&changes(&issue.refused, &found.diff));
    }
    text.push_str(&questions(&issue.questions));
    text
}

fn merge(issue: &Issue, found: &Survey) -> String {
    let red = issue.red.as_ref();
    let evidence = red.map_or_else(
        || "no test of its own was needed".to_owned(),
        |red| {
            format!(
                "`{}` was red at {} and is green at {}",
                red.command,
                short(&red.commit),
                short(&issue.tip)
            )
        },
    );
    let mut text = format!(
        "Take the result? It is at {} on the branch of the run; approving it ends the run, and `autopilot land` brings it to \
         your branch. Only `ok` approves\n\nSeen by the engine: {evidence}",
        short(&issue.tip)
    );
    if issue.spec.route == Route::Express {
        text.push_str("\n\n## Express Mode\n\nOnly documents changed");
    }
    text.push_str(&changes(&issue.refused, &found.diff));
    text.push_str(&questions(&issue.questions));
    text
}

/// What a choice is that, taken otherwise, would change what is built: headings, criteria and numbered steps, with their
/// places.
fn decisions(documents: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (path, document) in documents {
        let lines = document.lines().enumerate();
        let key = lines.filter(|(_, line)| is_decision(line)).take(DECISIONS_MAX);
        for (at, line) in key {
            let line: String = line.trim().chars().take(LINE_CHARS_MAX).collect();
            text.push_str(&format!("\n- {path}:{} {line}", at + 1));
        }
    }
    text
}

fn is_decision(line: &str) -> bool {
    let line = line.trim_start();
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = numbered.len() < line.len() && numbered.starts_with(". ");
    line.starts_with("## ")
        || line.starts_with("### ")
        || is_numbered
        || line.contains("AC-")
        || line.starts_with("As a ")
}

/// What changed, below what a person had refused. All hunks are there: nobody should have to ask for the diff.
fn changes(refused: &[Finding], diff: &str) -> String {
    let mut text = String::new();
    if !refused.is_empty() {
        text.push_str("\n\nYou had said:");
        for finding in refused {
            text.push_str(&format!("\n- {}", finding.told().replace('\n', "\n  ")));
        }
    }
    let shown = bounded(diff.trim_end(), DIFF_CHARS_MAX);
    if !shown.is_empty() {
        text.push_str(&format!("\n\nWhat changed:\n```diff\n{shown}\n```"));
    } else if !refused.is_empty() {
        text.push_str("\n\nNothing changed since");
    }
    text
}

fn questions(questions: &[String]) -> String {
    if questions.is_empty() {
        return String::new();
    }
    let told: Vec<String> = questions.iter().map(|one| format!("\n- {one}")).collect();
    format!("\n\nFor you alone to decide, all at once:{}", told.concat())
}

/// Whether the requirements say themselves that a person has approved them.
pub(super) fn says_approved(text: &str) -> bool {
    let mut lines = text.lines();
    if lines.next().map(str::trim_end) != Some("---") {
        return false;
    }
    let head: Vec<&str> = lines.take_while(|line| line.trim_end() != "---").collect();
    // A front matter without an end is none.
    let ends = text.lines().skip(head.len() + 1).any(|line| line.trim_end() == "---");
    ends && head.iter().any(|line| {
        line.split_once(':').is_some_and(|(key, value)| key == "approved" && value.trim() == "true")
    })
}

/// The requirements, as the issue words them.
pub(super) fn draft(issue: &Issue) -> String {
    let title: String =
        issue.spec.title.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("# {}\n\nIssue {}.\n\n{}\n", title.trim(), issue.spec.number, issue.spec.text.trim())
}

/// The cause, as an agent sees it and a person is asked about.
pub(super) fn cause(issue: &Issue) -> String {
    let Some(cause) = &issue.cause else { return String::new() };
    let mut text = format!("# Cause\n\n{}\n", cause.cause.trim());
    if !cause.evidence.is_empty() {
        let told: Vec<String> = cause.evidence.iter().map(|one| format!("- {one}\n")).collect();
        text.push_str(&format!("\n## Evidence\n\n{}", told.concat()));
    }
    if let Some(classification) = &cause.classification {
        let told =
            classification.as_str().map_or_else(|| classification.to_string(), str::to_owned);
        text.push_str(&format!("\n## Classification\n\n{told}\n"));
    }
    if let Some((failed, runs)) = issue.reproduced {
        text.push_str(&format!(
            "\n## Failure rate\n\n{failed} of {runs} runs, seen by the engine\n"
        ));
    }
    text
}

/// The line that tests were seen red: what the ancestor wrote, and what was really seen.
pub(super) fn evidence(red: &Red, work: &CommitId, at: &str) -> String {
    let files = red.files.join(",");
    let bytes = line::red(
        red.commit.as_str().as_bytes(),
        Some(work.as_str().as_bytes()),
        files.as_bytes(),
        at,
    );
    let line = String::from_utf8_lossy(&bytes).into_owned();
    let seen = json!({
        "command": red.command,
        "exit_code": red.exit_code,
        "output_sha256": red.output_sha256,
    });
    let seen = seen.to_string();
    // What is ours comes behind what was there before, so that whoever reads the line by its text finds it.
    format!("{},{}\n", line.trim_end().trim_end_matches('}'), seen.trim_start_matches('{'))
}

fn short(commit: &CommitId) -> String {
    commit.as_str().chars().take(10).collect()
}

fn bounded(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => format!("{}\n… (cut; the branch has all of it)", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e22_only_a_front_matter_that_says_so_approves() {
        assert!(says_approved("---\ntitle: x\napproved: true\n---\n# X"));
        for text in [
            "approved: true",
            "---\napproved: false\n---\n",
            "---\napproved: true\n",
            "# X\n---\napproved: true\n---\n",
            "---\nx: approved: true\n---\n",
            "",
        ] {
            assert!(!says_approved(text), "{text}");
        }
    }

    #[test]
    fn a9_the_evidence_is_a_line_that_the_library_finds_and_json() {
        let red = Red {
            commit: CommitId::new("abc"),
            tests_sha256: String::new(),
            files: vec!["tests/a.sh".to_owned()],
            is_red: true,
            command: "sh tests/\"a\".sh".to_owned(),
            exit_code: Some(1),
            output_sha256: "f00".to_owned(),
        };
        let line = evidence(&red, &CommitId::new("def"), "T");
        assert!(crate::rails::check::was_seen_red(line.as_bytes(), b"abc"));
        assert!(line.starts_with(r#"{"step":"red","commit":"abc","impl_sha":"def","at_file":"tests/a.sh","timestamp":"T","#));
        let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(value["command"], "sh tests/\"a\".sh");
        assert_eq!(
            (value["exit_code"].as_i64(), value["output_sha256"].as_str()),
            (Some(1), Some("f00"))
        );
        assert!(line.ends_with("}\n") && line.lines().count() == 1);
    }

    #[test]
    fn a24_first_the_decisions_with_their_places_and_then_every_hunk() {
        let documents = BTreeMap::from([(
            "d/plan.md".to_owned(),
            "# Plan\n\n## One parser\nwords\n1. write it\n- AC-1 holds".to_owned(),
        )]);
        assert_eq!(
            decisions(&documents),
            "\n- d/plan.md:3 ## One parser\n- d/plan.md:5 1. write it\n- d/plan.md:6 - AC-1 holds"
        );
        let hunks = "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d";
        let text = changes(&[Finding::blocking("Plan: no", None)], hunks);
        assert!(
            text.contains("- [P0] Plan: no") && text.contains(&format!("```diff\n{hunks}\n```"))
        );
        assert!(
            changes(&[Finding::blocking("Plan: no", None)], "").contains("Nothing changed since")
        );
    }
}
