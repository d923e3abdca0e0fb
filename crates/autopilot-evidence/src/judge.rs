//! Judges an observation: passed, failed, or not proven.

use regex_lite::Regex;
use serde::{Deserialize, Serialize};

use super::expectation::{Comparison, Expectation};

/// Exit codes with which a shell says that it could not run the command.
const NOT_RUN: [i32; 2] = [126, 127];

/// What was seen of a command that ran.
#[derive(Clone, Copy, Debug, Default)]
pub struct Observed<'a> {
    /// The exit code; `None` when a signal ended the command or it never ran.
    pub exit_code: Option<i32>,
    /// Whether it was stopped because it took too long.
    pub timed_out: bool,
    /// The end of what it printed.
    pub stdout: &'a str,
    /// Whether more was printed before that.
    pub truncated: bool,
    /// What it printed to standard error; only tests are counted there.
    pub stderr: &'a str,
}

/// What an observation proves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The command ran to its end and met the expectation.
    Passed,
    /// The command ran to its end and did not meet the expectation; the text says how.
    Failed(String),
    /// Nothing is proven either way; the text says why. Never to be taken for passed.
    Unproven(String),
}

impl Verdict {
    /// Whether the expectation is proven to be met.
    pub fn is_passed(&self) -> bool {
        *self == Self::Passed
    }
}

/// Judges what was observed against what was expected.
pub fn judge(expect: &Expectation, observed: &Observed<'_>) -> Verdict {
    if observed.timed_out {
        return unproven("timeout: the command did not end in time");
    }
    let Some(code) = observed.exit_code else {
        return unproven("the command was ended by a signal or never ran");
    };
    match expect {
        Expectation::Unreadable(text) => {
            unproven(&format!("the expectation `{text}` cannot be read"))
        }
        Expectation::Masked(why) => unproven(&format!("the command hides its result: {why}")),
        Expectation::Exit(wanted) => judge_exit(*wanted, code),
        Expectation::All(all) => judge_all(all, observed),
        Expectation::Count(..)
        | Expectation::NoMatches
        | Expectation::Contains(_)
        | Expectation::Matches(_) => judge_output(expect, observed, code, 0),
    }
}

fn judge_exit(wanted: i32, code: i32) -> Verdict {
    if code == wanted {
        Verdict::Passed
    } else if NOT_RUN.contains(&code) {
        unproven(&format!("the shell could not run the command (exit code {code})"))
    } else {
        Verdict::Failed(format!("exit code {code}, expected {wanted}"))
    }
}

/// All must pass; one failure fails them, one doubt leaves them unproven.
fn judge_all(all: &[Expectation], observed: &Observed<'_>) -> Verdict {
    if all.is_empty() {
        return unproven("nothing is expected");
    }
    let stated = all.iter().find_map(Expectation::exit_code);
    let mut worst = Verdict::Passed;
    for one in all {
        let outcome = match (one.is_about_output(), stated, observed.exit_code) {
            (true, Some(wanted), Some(code)) => judge_output(one, observed, code, wanted),
            _ => judge(one, observed),
        };
        match outcome {
            Verdict::Failed(_) => return outcome,
            Verdict::Unproven(_) => worst = outcome,
            Verdict::Passed => {}
        }
    }
    worst
}

/// What is printed only counts when the command itself went well.
///
/// Where nothing to be found is the point, 1 is well too: that is how `grep` says so.
fn judge_output(expect: &Expectation, observed: &Observed<'_>, code: i32, wanted: i32) -> Verdict {
    if NOT_RUN.contains(&code) && code != wanted {
        return unproven(&format!("the shell could not run the command (exit code {code})"));
    }
    let nothing_found = code == 1 && wanted == 0 && expect.is_met_by_silence();
    if code != wanted && !nothing_found {
        return Verdict::Failed(format!("exit code {code}, expected {wanted}"));
    }
    match expect {
        Expectation::Count(comparison, number) => judge_count(*comparison, *number, observed),
        Expectation::NoMatches => judge_no_matches(observed),
        Expectation::Contains(text) => judge_found(observed.stdout.contains(text), text, observed),
        Expectation::Matches(pattern) => match Regex::new(pattern) {
            Ok(regex) => judge_found(regex.is_match(observed.stdout), pattern, observed),
            Err(_) => unproven(&format!("the pattern `{pattern}` cannot be read")),
        },
        Expectation::Exit(_)
        | Expectation::All(_)
        | Expectation::Masked(_)
        | Expectation::Unreadable(_) => unproven("the expectation is not about the output"),
    }
}

fn judge_count(comparison: Comparison, wanted: u64, observed: &Observed<'_>) -> Verdict {
    let (count, exact) = match last_number(observed.stdout) {
        Some(number) => (number, true),
        None if is_ambiguous(observed.stdout) => {
            return unproven("it prints numbers, but not one alone that could be compared");
        }
        None => (line_count(observed.stdout), !observed.truncated),
    };
    let holds = comparison.holds(count, wanted);
    if !exact {
        // More lines than were kept can only help these two.
        let enough = matches!(comparison, Comparison::AtLeast | Comparison::MoreThan);
        return if enough && holds {
            Verdict::Passed
        } else {
            unproven("the output was too long to count its lines")
        };
    }
    if holds {
        Verdict::Passed
    } else {
        Verdict::Failed(format!("found {count}, expected {comparison} {wanted}"))
    }
}

fn judge_no_matches(observed: &Observed<'_>) -> Verdict {
    let lines = line_count(observed.stdout);
    let zero = lines == 1 && last_number(observed.stdout) == Some(0);
    if (lines == 0 || zero) && !observed.truncated {
        Verdict::Passed
    } else {
        Verdict::Failed("something was found, nothing was expected".to_owned())
    }
}

fn judge_found(found: bool, wanted: &str, observed: &Observed<'_>) -> Verdict {
    match (found, observed.truncated) {
        (true, _) => Verdict::Passed,
        (false, true) => {
            unproven(&format!("`{wanted}` is not in the part of the output that was kept"))
        }
        (false, false) => Verdict::Failed(format!("`{wanted}` is not in the output")),
    }
}

/// The number that the last line states: `12`, `12 src/lib.rs` (as `wc` prints), `total: 12`.
///
/// A line of text that merely has a number in it states none; then the lines are counted.
pub(super) fn last_number(stdout: &str) -> Option<u64> {
    let last = stdout.lines().rev().find(|line| !line.trim().is_empty())?;
    let words: Vec<&str> = last.split_whitespace().take(8).collect();
    let number = |word: &str| {
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| word.parse::<u64>().ok()).flatten()
    };
    match words.as_slice() {
        [only] => number(only),
        [first, ..] if number(first).is_some() && words.len() <= 2 => number(first),
        [.., label, end] if label.ends_with([':', '=']) => number(end),
        _ => None,
    }
}

/// Whether an output is one line that speaks of numbers and does not state one: `-1`, `0.5`, `0 of 7 passed`, `passed 0/7`.
/// To count that line would be to believe in something that nobody said.
fn is_ambiguous(stdout: &str) -> bool {
    let mut lines = stdout.lines().filter(|line| !line.trim().is_empty());
    let (Some(only), None) = (lines.next(), lines.next()) else { return false };
    let words: Vec<&str> = only.split_whitespace().take(8).collect();
    let trimmed =
        |word: &str| word.trim_matches([',', '.', ';', ':', '(', ')', '%', '!']).to_owned();
    let is_number = |word: &str| word.parse::<f64>().is_ok_and(f64::is_finite);
    let is_share = |word: &str| {
        word.split_once('/').is_some_and(|(part, whole)| is_number(part) && is_number(whole))
    };
    let of = words.windows(3).any(|three| {
        is_number(&trimmed(three[0])) && three[1] == "of" && is_number(&trimmed(three[2]))
    });
    let stated = match words.as_slice() {
        [only] => is_number(&trimmed(only)),
        [.., label, end] if label.ends_with([':', '=']) => is_number(&trimmed(end)),
        _ => false,
    };
    of || stated || words.iter().any(|word| is_share(&trimmed(word)))
}

fn line_count(stdout: &str) -> u64 {
    let lines = stdout.lines().filter(|line| !line.trim().is_empty()).count();
    u64::try_from(lines).unwrap_or(u64::MAX)
}

fn unproven(why: &str) -> Verdict {
    Verdict::Unproven(why.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn judged(expect: &str, code: i32, stdout: &str) -> &'static str {
        let observed = Observed { exit_code: Some(code), stdout, ..Observed::default() };
        match judge(&Expectation::parse(expect), &observed) {
            Verdict::Passed => "passed",
            Verdict::Failed(_) => "failed",
            Verdict::Unproven(_) => "unproven",
        }
    }

    #[test]
    fn observations_are_judged_by_what_was_expected() {
        for (expect, code, stdout, outcome) in [
            ("exits 0", 0, "", "passed"),
            ("exits 0", 1, "", "failed"),
            ("exits 2", 2, "", "passed"),
            ("exits 0", 127, "", "unproven"),
            ("exits 127", 127, "", "passed"),
            ("expect >= 1", 0, "3\n", "passed"),
            ("expect >= 1", 1, "0\n", "failed"),
            ("expect >= 4", 0, "3\n", "failed"),
            ("expect >= 2", 0, "a line\nanother\n", "passed"),
            ("expect >= 3", 0, "a line\nanother\n\n", "failed"),
            ("returns 12", 0, "12 src/lib.rs\n", "passed"),
            ("returns 5", 0, "noise\ntotal: 5\n", "passed"),
            ("returns 0", 0, "    return 0\n", "failed"),
            ("at least 1", 0, "0.0\n", "unproven"),
            ("at least 1", 0, "-1\n", "unproven"),
            ("at least 1", 0, "0 of 7 passed\n", "unproven"),
            ("at least 1", 0, "passed: 0.\n", "unproven"),
            ("returns 1", 0, "passed 0/7\n", "unproven"),
            ("at least 1", 0, "src/a.rs:12: // TODO: 3 more\n", "passed"),
            ("at most 2", 0, "2\n", "passed"),
            ("at most 2", 0, "a\nb\nc\n", "failed"),
            ("at most 2", 1, "", "passed"),
            ("at most 2", 2, "", "failed"),
            ("expect 0", 1, "0\n", "passed"),
            ("no matches", 1, "", "passed"),
            ("no matches", 0, "", "passed"),
            ("no matches", 1, "0\n", "passed"),
            ("no matches", 2, "", "failed"),
            ("no matches", 127, "", "unproven"),
            ("no matches", 0, "found\n", "failed"),
            ("output contains \"ok\"", 0, "all ok\n", "passed"),
            ("output contains \"ok\"", 101, "all ok\n", "failed"),
            ("output contains \"ok\"", 0, "bad\n", "failed"),
            ("exits 2, output contains \"usage\"", 2, "usage: x\n", "passed"),
            ("exits 2, output contains \"usage\"", 0, "usage: x\n", "failed"),
            ("matches /^v\\d+$/", 0, "v12", "passed"),
            ("matches /^v\\d+$/", 0, "w12", "failed"),
            ("looks fine", 0, "", "unproven"),
        ] {
            assert_eq!(judged(expect, code, stdout), outcome, "{expect} / {code} / {stdout:?}");
        }
    }

    #[test]
    fn a_cut_output_proves_only_what_is_in_it() {
        let observed = |stdout| Observed {
            exit_code: Some(0),
            stdout,
            truncated: true,
            ..Observed::default()
        };
        let passed = |expect: &str, stdout| judge(&Expectation::parse(expect), &observed(stdout));
        assert!(passed("at least 2", "a\nb\n").is_passed());
        assert!(matches!(passed("at least 3", "a\nb\n"), Verdict::Unproven(_)));
        assert!(matches!(passed("at most 3", "a\nb\n"), Verdict::Unproven(_)));
        assert!(matches!(passed("output contains \"z\"", "a"), Verdict::Unproven(_)));
        assert!(matches!(passed("no matches", ""), Verdict::Failed(_)));
    }

    fn any_expectation() -> impl Strategy<Value = Expectation> {
        prop_oneof![
            any::<i32>().prop_map(Expectation::Exit),
            (0_u64..5).prop_map(|n| Expectation::Count(Comparison::AtLeast, n)),
            (0_u64..5).prop_map(|n| Expectation::Count(Comparison::AtMost, n)),
            Just(Expectation::NoMatches),
            "[a-c]{1,2}".prop_map(Expectation::Contains),
            "[a-c.]{1,3}".prop_map(Expectation::Matches),
            ".{0,5}".prop_map(Expectation::Unreadable),
            ".{0,5}".prop_map(Expectation::Masked),
        ]
    }

    proptest! {
        #[test]
        fn what_did_not_run_to_its_end_never_passes(
            expect in any_expectation(),
            stdout in "[a-c0-3\n]{0,12}",
            code in prop::option::of(0_i32..3),
        ) {
            let timed_out = Observed { exit_code: code, timed_out: true, stdout: &stdout, ..Observed::default() };
            let killed = Observed { exit_code: None, stdout: &stdout, ..Observed::default() };
            prop_assert!(!judge(&expect, &timed_out).is_passed());
            prop_assert!(!judge(&expect, &killed).is_passed());
        }

        #[test]
        fn what_cannot_be_read_or_is_masked_never_passes(
            text in ".{0,10}", stdout in ".{0,10}", code in -1_i32..130,
        ) {
            let observed = Observed { exit_code: Some(code), stdout: &stdout, ..Observed::default() };
            prop_assert!(!judge(&Expectation::Unreadable(text.clone()), &observed).is_passed());
            prop_assert!(!judge(&Expectation::Masked(text), &observed).is_passed());
        }

        #[test]
        fn a_command_that_failed_hard_never_passes_by_its_output(
            expect in any_expectation(), stdout in "[a-c0-3\n]{0,12}", code in 2_i32..130,
        ) {
            prop_assume!(!matches!(expect, Expectation::Exit(_)));
            let observed = Observed { exit_code: Some(code), stdout: &stdout, ..Observed::default() };
            prop_assert!(!judge(&expect, &observed).is_passed());
        }
    }
}
