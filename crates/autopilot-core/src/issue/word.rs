//! What a person's word at a gate means.

use serde_json::json;

use crate::{input::Answer, issue::Finding};

/// The options at the design gate, in their order.
pub const OPTIONS: [&str; 4] =
    ["(Recommended) 承認 (ok)", "User Stories を修正", "Plan を修正", "Acceptance Tests を修正"];

/// Whether a text is an approval: `ok` and nothing else, or the first option. Whoever approves a part has not approved.
pub fn is_ok(text: &str) -> bool {
    let text = text.trim();
    text.eq_ignore_ascii_case("ok") || text == OPTIONS[0] || text == "承認 (ok)"
}

/// Whether a person's answer approves. To answer with yes is as explicit as a word can be, unless they add another one.
pub fn approves(answer: &Answer) -> bool {
    answer.approved && (answer.message.trim().is_empty() || is_ok(&answer.message))
}

/// What a person refuses, one finding for each section of what they said, in their own words.
///
/// Sections begin with a heading, or where there is none with an item of a list, or else after an empty line.
pub fn findings(comment: &str) -> Vec<Finding> {
    let sections = sections(comment);
    let finding = |section: &String| {
        Finding::from_json(&json!({ "priority": severity(section), "evidence_ref": section }))
    };
    sections.iter().filter_map(finding).collect()
}

fn sections(comment: &str) -> Vec<String> {
    let lines: Vec<&str> = comment.lines().collect();
    for begins in [is_heading as fn(&str) -> bool, is_item] {
        if lines.iter().any(|line| begins(line)) {
            return split(&lines, |line, _| begins(line));
        }
    }
    split(&lines, |line, before| !line.trim().is_empty() && before.trim().is_empty())
}

/// The lines in pieces, each beginning where `begins` says so; empty ones are none.
fn split(lines: &[&str], begins: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let mut pieces: Vec<Vec<&str>> = Vec::new();
    let mut before = "";
    for line in lines {
        match pieces.last_mut() {
            Some(piece) if !begins(line, before) => piece.push(line),
            Some(_) | None => pieces.push(vec![line]),
        }
        before = line;
    }
    let whole = pieces.into_iter().map(|piece| piece.join("\n").trim().to_owned());
    whole.filter(|piece| !piece.is_empty()).collect()
}

fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    let is_markdown = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
    let label = line.split_once([':', '：']).map(|(label, _)| label.trim().to_lowercase());
    is_markdown
        || label.is_some_and(|label| {
            ["user stories", "plan", "acceptance tests", "requirements", "cause"]
                .contains(&label.as_str())
        })
}

fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered =
        number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    is_numbered || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
}

/// A severity that a person states, as `P2` or `[P2]` among the first words. What they do not say blocks.
fn severity(section: &str) -> u64 {
    let words = section.split_whitespace().take(4);
    let stated = words.filter_map(|word| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let digits = word.strip_prefix(['P', 'p'])?;
        digits.parse::<u64>().ok().filter(|priority| *priority <= 9)
    });
    stated.into_iter().next().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(approved: bool, message: &str) -> Answer {
        Answer { approved, message: message.to_owned(), by: "a person".to_owned(), until: None }
    }

    #[test]
    fn a22_only_an_explicit_ok_approves() {
        for text in ["ok", "OK", " Ok\n", OPTIONS[0], "承認 (ok)"] {
            assert!(is_ok(text), "{text}");
        }
        for text in [
            "",
            "OK?",
            "ok, but the plan",
            "stories ok / plan: no",
            "yes",
            "lgtm",
            OPTIONS[1],
            "not ok",
            "okay",
            "承認",
            "👍",
        ] {
            assert!(!is_ok(text), "{text}");
        }
        assert!(approves(&answer(true, "")) && approves(&answer(true, "ok")));
        for (approved, message) in
            [(true, "A is ok, B must change"), (true, "?"), (false, "ok"), (false, "")]
        {
            assert!(!approves(&answer(approved, message)), "{approved} {message}");
        }
    }

    fn told(comment: &str) -> Vec<(u64, String)> {
        let told = |finding: &Finding| {
            let value = finding.to_json();
            let reference = value["evidence_ref"].as_str().expect("a text").to_owned();
            (value["priority"].as_u64().expect("a number"), reference)
        };
        findings(comment).iter().map(told).collect()
    }

    #[test]
    fn a23_each_section_of_a_rejection_is_a_finding_in_the_persons_words() {
        let comment = "User Stories: the second one\n  is \"two\" stories.\n\n\nPlan: [P2] begin with the parser\n\
                       Acceptance Tests: AC-3 tests nothing";
        assert_eq!(
            told(comment),
            [
                (0, "User Stories: the second one\n  is \"two\" stories.".to_owned()),
                (2, "Plan: [P2] begin with the parser".to_owned()),
                (0, "Acceptance Tests: AC-3 tests nothing".to_owned()),
            ]
        );
        let cases: [(&str, usize); 7] = [
            ("## One\na\n## Two\nb\n\nc", 2),
            ("- one\n  more of it\n- two\n- three", 3),
            ("1. one\n2. two", 2),
            ("one thing\nof two lines\n\nanother", 2),
            ("one thing", 1),
            ("", 0),
            (" \n\n ", 0),
        ];
        for (comment, count) in cases {
            assert_eq!(told(comment).len(), count, "{comment}");
        }
        assert_eq!(told("the P3 format is wrong, and 5 more")[0].0, 3);
        assert_eq!(told("Phase 3 is wrong")[0].0, 0, "no severity is stated");
    }
}
