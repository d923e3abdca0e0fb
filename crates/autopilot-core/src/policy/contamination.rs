//! Words that someone who judges would hardly find without having read what somebody else says.
//!
//! Reviewers are kept apart by what is in their prompts and in their files. This looks at what they write, in case that is
//! not enough. It cannot know: a project may be about verifiers. So it warns and refuses nothing for good.

use crate::role::Role;

/// What a verifier writes who has read an executor's word.
const VERIFIER: [&str; 23] = [
    "executor reported",
    "executor's confidence",
    "executor claimed",
    "according to the executor",
    "executor's self-assessment",
    "executor determined",
    "executor's evidence shows",
    "executor concluded",
    "the executor said",
    "executor indicated",
    "executor noted",
    "executor stated",
    "as the executor",
    "executor's results",
    "executor's output",
    "executor mentioned",
    "executor found that",
    "based on executor",
    "from the executor",
    "per the executor",
    "executor's findings",
    "execution agent reported",
    "execution agent's",
];

/// What a judge writes who has read a verifier's.
const JUDGE: [&str; 30] = [
    "verifier concluded",
    "verifier passed",
    "verifier failed",
    "verifier's score",
    "verification result was",
    "verifier determined",
    "verifier's pass/fail",
    "verifier rated",
    "verifier said",
    "verifier indicated",
    "verifier noted",
    "verifier stated",
    "as the verifier",
    "verifier's results",
    "verifier's output",
    "verifier mentioned",
    "verifier found that",
    "based on verifier",
    "from the verifier",
    "per the verifier",
    "verifier's findings",
    "verifier's conclusion",
    "verifier's assessment",
    "verification agent concluded",
    "verification agent's",
    "verifier reported that",
    "verifier's judgment",
    "verifier gave",
    "verifier scored",
    "verifier awarded",
];

/// What a rater writes who has read either's.
const RATER: [&str; 34] = [
    "verifier found",
    "judge recommended",
    "judge's concerns",
    "verification report shows",
    "judge concluded",
    "verifier reported",
    "judge determined",
    "verifier's assessment",
    "judge said",
    "judge indicated",
    "judge noted",
    "judge stated",
    "as the judge",
    "judge's results",
    "judge's output",
    "judge mentioned",
    "judge found that",
    "based on judge",
    "from the judge",
    "per the judge",
    "judge's findings",
    "judge's recommendation",
    "judge's conclusion",
    "verifier's report",
    "verification showed",
    "verification indicated",
    "judge gave",
    "judge scored",
    "judge awarded",
    "judge approved",
    "judge rejected",
    "verifier's conclusion",
    "verifier noted",
    "verifier indicated",
];

/// What is said of how reviews are done, and not of what came of one.
const SAFE: [&str; 21] = [
    "the verifier agent is spawned",
    "spawn the judge",
    "the rating agent produces",
    "verifier must verify",
    "judge forms an independent",
    "verifier prompt",
    "judge prompt",
    "rating agent prompt",
    "pass to the verifier",
    "pass to the judge",
    "verifier step",
    "judge step",
    "rating step",
    "after the verifier returns",
    "before spawning the judge",
    "verifier's return json",
    "judge's return json",
    "rating agent's return json",
    "the verifier reads",
    "the judge reads",
    "the rating agent reads",
];

/// How many characters on each side of the words are looked at for one of the safe phrases.
const AROUND_CHARS: usize = 20;

/// The words that give someone away.
const fn markers(role: Role) -> &'static [&'static str] {
    match role {
        Role::Verifier => &VERIFIER,
        Role::Judge => &JUDGE,
        Role::Rater => &RATER,
        Role::Questioner
        | Role::Researcher
        | Role::Planner
        | Role::PlanChecker
        | Role::Executor
        | Role::Debugger
        | Role::Auditor
        | Role::IntegrationChecker
        | Role::ConflictResolver
        | Role::StoryWriter
        | Role::IssuePlanner
        | Role::Implementer
        | Role::CoverageChecker
        | Role::CauseAnalyst => &[],
    }
}

/// The first words in a reviewer's text that hardly come from looking at the work.
pub fn contamination(role: Role, text: &str) -> Option<&'static str> {
    let text = plain(text);
    markers(role).iter().copied().find(|marker| {
        text.match_indices(marker).any(|(at, found)| {
            let around = around(&text, at, at + found.len());
            !SAFE.iter().any(|safe| around.contains(safe))
        })
    })
}

/// In small letters, with one kind of apostrophe and one kind of space.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{2018}' | '\u{2019}' => plain.push('\''),
            c if c.is_whitespace() => {
                if !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            c => plain.extend(c.to_lowercase()),
        }
    }
    plain
}

fn around(text: &str, start: usize, end: usize) -> &str {
    let from = text[..start].char_indices().rev().nth(AROUND_CHARS - 1).map_or(0, |(at, _)| at);
    let to = text[end..].char_indices().nth(AROUND_CHARS).map_or(text.len(), |(at, _)| end + at);
    &text[from..to]
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The lists as the ancestor has them.
    fn golden() -> Value {
        let text = include_str!("../../tests/golden/cc-contamination.json");
        serde_json::from_str(text).expect("it is JSON")
    }

    fn list<'a>(golden: &'a Value, path: &str) -> Vec<&'a str> {
        let list = golden.pointer(path).and_then(Value::as_array).expect("a list");
        list.iter().filter_map(Value::as_str).collect()
    }

    const ROLES: [(Role, &str, &str); 3] = [
        (Role::Verifier, "verifier", "VERIFICATION.md"),
        (Role::Judge, "judge", "JUDGE-REPORT.md"),
        (Role::Rater, "rating", "SCORECARD.md"),
    ];

    #[test]
    fn c16_every_marker_of_the_ancestor_is_found_in_any_case_and_none_is_added() {
        let golden = golden();
        for (role, name, file) in ROLES {
            let direct = list(&golden, &format!("/phase_runner_reject/{name}/Direct"));
            let other = list(&golden, &format!("/phase_runner_reject/{name}/Paraphrased"));
            let all: Vec<&str> = direct.into_iter().chain(other).collect();
            assert_eq!(markers(role), all, "{name}");
            for marker in &all {
                let text = format!("In src/a.rs:3 I see that {} it works", marker.to_uppercase());
                let found = contamination(role, &text).expect("it is found");
                assert!(marker.contains(found), "{marker}: {found}");
            }
            // The shorter lists of the ancestor's other half are part of these.
            for marker in list(&golden, &format!("/orchestrator_warn/{file}")) {
                assert!(contamination(role, marker).is_some(), "{marker}");
            }
        }
    }

    #[test]
    fn c16_safe_phrases_do_not_trip_and_only_near_by() {
        let golden = golden();
        let safe = list(&golden, "/safe_patterns");
        assert_eq!(safe.len(), SAFE.len());
        for (role, _, _) in ROLES {
            for phrase in &safe {
                let text = format!("What I did: {phrase}, and then I looked.");
                assert_eq!(contamination(role, &text), None, "{phrase}");
                for marker in markers(role) {
                    if phrase.len() < AROUND_CHARS {
                        let near = format!("{phrase} {marker}");
                        assert_eq!(contamination(role, &near), None, "{near}");
                    }
                    let far = format!("{phrase}. {} {marker}", "x".repeat(AROUND_CHARS));
                    assert!(contamination(role, &far).is_some(), "{far}");
                }
            }
        }
    }

    #[test]
    fn c16_nobody_else_is_scanned_and_odd_text_is_read_to_its_end() {
        for role in Role::ALL {
            let text = "é\u{2019} the verifier\n  concluded; executor\u{2019}s output; judge  said";
            let is_reviewer = ROLES.iter().any(|(one, _, _)| *one == role);
            assert_eq!(contamination(role, text).is_some(), is_reviewer, "{role}");
            assert_eq!(contamination(role, ""), None);
        }
    }
}
