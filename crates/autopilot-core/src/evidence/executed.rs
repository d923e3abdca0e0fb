//! A test command proves something only by tests that ran.

use super::{
    Criterion, Observed, Verdict,
    counts::{Counts, Pattern, count, runner_of},
    judge,
};

/// What an observation proves, and how many tests it tells of where the command is a test command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// What is proven.
    pub verdict: Verdict,
    /// How many tests ran.
    pub counts: Option<Counts>,
}

/// Whether a criterion's command runs tests that can be counted.
pub fn runs_tests(criterion: &Criterion) -> bool {
    criterion.counts.is_some()
        || criterion.command.as_deref().is_some_and(|command| runner_of(command).is_some())
}

/// Judges what was seen of a criterion's command, counting tests where it is a test command.
pub fn judge_check(criterion: &Criterion, observed: &Observed<'_>) -> Judged {
    let verdict = judge(&criterion.expect, observed);
    let command = criterion.command.as_deref().unwrap_or_default();
    let own = criterion.counts.as_deref().map(Pattern::new);
    let runner = runner_of(command);
    if own.is_none() && runner.is_none() {
        return Judged { verdict, counts: None };
    }
    let output = format!("{}\n{}", observed.stdout, observed.stderr);
    let counts = match own {
        Some(Err(error)) => {
            return Judged { verdict: Verdict::Unproven(error.to_string()), counts: None };
        }
        Some(Ok(pattern)) => pattern.count(&output),
        None => count(runner, &output),
    };
    let verdict = if verdict.is_passed() { proven(criterion, counts) } else { verdict };
    Judged { verdict, counts }
}

/// What is left of a pass when its tests are counted.
fn proven(criterion: &Criterion, counts: Option<Counts>) -> Verdict {
    let Some(counts) = counts else {
        return unproven(
            "how many tests it ran cannot be read from its output; a pipe may hide it",
        );
    };
    if counts.executed() == 0 {
        return Verdict::Unproven(match counts.skipped {
            0 => "no test was executed".to_owned(),
            skipped => format!("no test was executed, {skipped} were skipped"),
        });
    }
    if counts.failed > 0 && criterion.expect.wants_success() {
        return Verdict::Failed(format!("{counts}, although the command says that all is well"));
    }
    Verdict::Passed
}

fn unproven(why: &str) -> Verdict {
    Verdict::Unproven(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(line: &str, code: i32, stdout: &str, stderr: &str) -> Judged {
        let observed = Observed { exit_code: Some(code), stdout, stderr, ..Observed::default() };
        judge_check(&Criterion::parse(line), &observed)
    }

    fn word(verdict: &Verdict) -> &'static str {
        match verdict {
            Verdict::Passed => "passed",
            Verdict::Failed(_) => "failed",
            Verdict::Unproven(_) => "unproven",
        }
    }

    #[test]
    fn a_test_command_passes_only_with_tests_that_ran() {
        let rule = "-".repeat(70);
        let ran = |tests| format!("{rule}\nRan {tests} tests in 0.000s\n\nOK\n");
        let (ran_none, ran_two) = (ran(0), ran(2));
        let pytest = "it works -- verified by: `pytest -q`";
        let rows = [
            (pytest, 0, "3 passed in 0.01s\n", "", "passed"),
            (pytest, 0, "", "", "unproven"),
            (pytest, 0, "all is well, believe me\n", "", "unproven"),
            (pytest, 0, "4 skipped in 0.01s\n", "", "unproven"),
            (pytest, 0, "2 passed, 1 failed in 0.01s\n", "", "failed"),
            (pytest, 1, "2 passed, 1 failed in 0.01s\n", "", "failed"),
            (pytest, 5, "no tests ran in 0.01s\n", "", "failed"),
            ("u -- verified by: `python3 -m unittest`", 0, "", ran_none.as_str(), "unproven"),
            ("u -- verified by: `python3 -m unittest`", 0, "", ran_two.as_str(), "passed"),
            ("red -- verified by: `pytest -q` exits 1", 1, "1 failed in 0.01s\n", "", "passed"),
            ("red -- verified by: `pytest -q` exits 1", 1, "", "", "unproven"),
            ("no tests -- verified by: `grep -q x README.md`", 0, "", "", "passed"),
        ];
        for (line, code, stdout, stderr, expected) in rows {
            let judged = judged(line, code, stdout, stderr);
            assert_eq!(word(&judged.verdict), expected, "{line} {code} {stdout:?}: {judged:?}");
        }
    }

    #[test]
    fn a_pattern_of_the_projects_own_counts_where_it_is_named() {
        let line = "it works -- verified by: `./check.sh`";
        let mut criterion = Criterion::parse(line);
        let observed = |stdout| Observed { exit_code: Some(0), stdout, ..Observed::default() };
        assert!(judge_check(&criterion, &observed("7 checks done\n")).verdict.is_passed());
        criterion.counts = Some("^(\\d+) checks done$".to_owned());
        let judged = judge_check(&criterion, &observed("7 checks done\n"));
        assert!(judged.verdict.is_passed());
        assert_eq!(judged.counts.map(|counts| counts.executed()), Some(7));
        for silent in ["", "0 checks done\n"] {
            assert_eq!(word(&judge_check(&criterion, &observed(silent)).verdict), "unproven");
        }
        criterion.counts = Some("(".to_owned());
        assert_eq!(
            word(&judge_check(&criterion, &observed("7 checks done\n")).verdict),
            "unproven"
        );
    }
}
