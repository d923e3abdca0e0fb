//! A test command proves something only by tests that ran.

use super::{
    Criterion, Observed, Verdict,
    counts::{Counts, Pattern, Runner, count, echoed, runner_of},
    judge,
    protect::{named_files, only_looks},
};

/// Where `go` is told flags for all of its commands.
const GO_FLAGS: &str = "GOFLAGS";
/// Where pytest is told options beside those of its command.
const PYTEST_OPTIONS: &str = "PYTEST_ADDOPTS";

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

/// Whether a criterion's command may run tests behind a script or a target, whatever these are called.
pub fn may_run_tests(criterion: &Criterion) -> bool {
    runs_tests(criterion)
        || criterion.command.as_deref().is_some_and(|command| !only_looks(command))
}

/// Whether a criterion's command runs tests, and yet may pass without a count: what runs them is not known by its words.
pub fn may_go_uncounted(criterion: &Criterion) -> bool {
    let command = criterion.command.as_deref().unwrap_or_default();
    criterion.counts.is_none() && runner_of(command) == Some(Runner::Unknown)
}

/// A variable that has a command name every test that it runs, where it would not by itself.
///
/// `go test` says of a package only that it went well, which is what it says when no test of it ran, too.
pub fn asked_to_name_tests(command: &str) -> Option<(&'static str, &'static str)> {
    let may_be_go = matches!(runner_of(command), Some(Runner::GoTest | Runner::Unknown));
    (may_be_go && !command.contains(GO_FLAGS)).then_some((GO_FLAGS, "-test.v"))
}

/// A variable that has a command go on with the files that can be read where one cannot.
///
/// pytest would run no test at all then, and what it counts would be less than what there is: on the base, that is what
/// the work has to reach.
pub fn asked_to_go_on(command: &str) -> Option<(&'static str, &'static str)> {
    let may_be_pytest = matches!(runner_of(command), Some(Runner::Pytest | Runner::Unknown));
    (may_be_pytest && !command.contains(PYTEST_OPTIONS))
        .then_some((PYTEST_OPTIONS, "--continue-on-collection-errors"))
}

/// Judges what was seen of a criterion's command, counting tests where it is a test command.
pub fn judge_check(criterion: &Criterion, observed: &Observed<'_>) -> Judged {
    let verdict = judge(&criterion.expect, observed);
    let output = format!("{}\n{}", observed.stdout, observed.stderr);
    let (counts, need) = match counted(criterion, &output) {
        Ok(counted) => counted,
        Err(why) => return Judged { verdict: Verdict::Unproven(why), counts: None },
    };
    let verdict = if verdict.is_passed() { proven(criterion, counts, need) } else { verdict };
    Judged { verdict, counts }
}

/// Why a command cannot have passed, as far as its exit code and its counts tell.
pub fn cannot_have_passed(
    criterion: &Criterion,
    exit_code: Option<i32>,
    counts: Option<Counts>,
) -> Option<String> {
    let Some(code) = exit_code else { return Some("no exit code".to_owned()) };
    if !criterion.expect.allows(code) {
        return Some(format!("exit code {code}"));
    }
    let runner = runner_of(criterion.command.as_deref().unwrap_or_default());
    let is_known = runner.is_some_and(|runner| runner != Runner::Unknown);
    let need = if criterion.counts.is_some() || is_known { Need::Required } else { Need::Welcome };
    match proven(criterion, counts, need) {
        Verdict::Passed => None,
        Verdict::Failed(why) | Verdict::Unproven(why) => Some(why),
    }
}

/// Whether a pass needs a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Required,
    /// Where there is one it counts; what runs the tests, if anything does, is not known.
    Welcome,
}

/// How many tests an output tells of, and whether it must.
fn counted(criterion: &Criterion, output: &str) -> Result<(Option<Counts>, Need), String> {
    let command = criterion.command.as_deref().unwrap_or_default();
    if let Some(own) = &criterion.counts {
        let pattern = Pattern::new(own).map_err(|error| error.to_string())?;
        return Ok((pattern.count(output), Need::Required));
    }
    let named = |runner| match asked_to_name_tests(command) {
        Some(_) if runner == Runner::GoTest => Runner::GoTestVerbose,
        _ => runner,
    };
    Ok(match (runner_of(command), echoed(output)) {
        (Some(Runner::Unknown), Some(runner)) => {
            let known = count(Some(named(runner)), output);
            (known.or_else(|| count(None, output)), Need::Required)
        }
        (Some(Runner::Unknown), None) => (count(None, output), Need::Welcome),
        (Some(runner), _) => (count(Some(named(runner)), output), Need::Required),
        // A script of a check may run tests, and says so only by what it prints.
        (None, _) if !named_files(command).is_empty() => (count(None, output), Need::Welcome),
        (None, _) => (None, Need::Welcome),
    })
}

/// What is left of a pass when its tests are counted.
fn proven(criterion: &Criterion, counts: Option<Counts>, need: Need) -> Verdict {
    let counts = match (counts, need) {
        (Some(counts), _) => counts,
        (None, Need::Welcome) => return Verdict::Passed,
        (None, Need::Required) => {
            return unproven(
                "how many tests it ran cannot be read from its output; a pipe may hide it",
            );
        }
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
            (pytest, 0, "2 xfailed in 0.01s\n", "", "unproven"),
            (pytest, 0, "2 skipped, 2 xfailed in 0.01s\n", "", "unproven"),
            (pytest, 0, "1 passed, 2 xfailed in 0.01s\n", "", "passed"),
            (pytest, 0, "1 xpassed in 0.01s\n", "", "passed"),
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
    fn what_hides_its_runner_needs_no_count_but_none_of_zero() {
        let make = "it works -- verified by: `make test`";
        let script = "it works -- verified by: `./run-tests.sh`";
        let rows = [
            (make, 0, "all is well\n", "passed"),
            (make, 2, "all is well\n", "failed"),
            (make, 0, "3 passed in 0.01s\n", "passed"),
            (make, 0, "no tests ran in 0.01s\n", "unproven"),
            (make, 0, "2 skipped in 0.01s\n", "unproven"),
            (make, 0, "1 passed, 1 failed in 0.01s\n", "failed"),
            // What is run is told, and then nothing is heard of it.
            (make, 0, "pytest -q tests\n", "unproven"),
            (make, 0, "cargo test --quiet\n\nrunning 1 test\n", "unproven"),
            (make, 0, "pytest -q tests\n1 passed in 0.01s\n", "passed"),
            (
                "u -- verified by: `npm test`",
                0,
                "\n> calc@1.0.0 test\n> node --test\n\n",
                "unproven",
            ),
            (
                "u -- verified by: `npm test`",
                0,
                "\n> calc@1.0.0 test\n> node test.js\n\n",
                "passed",
            ),
            ("u -- verified by: `npm test`", 0, "\n> go test ./...\nok  \tcalc\t0.1s\n", "failed"),
            (script, 0, "", "passed"),
            (script, 0, "no tests ran in 0.01s\n", "unproven"),
            (script, 0, "2 passed in 0.01s\n", "passed"),
            ("u -- verified by: `cat notes.txt`", 0, "no tests ran in 0.01s\n", "passed"),
        ];
        for (line, code, stdout, expected) in rows {
            let judged = judged(line, code, stdout, "");
            assert_eq!(word(&judged.verdict), expected, "{line} {code} {stdout:?}: {judged:?}");
        }
    }

    #[test]
    fn pytest_is_asked_to_go_on_where_a_file_cannot_be_read() {
        for command in ["pytest -q", "python3 -m pytest tests", "make test"] {
            let asked = Some(("PYTEST_ADDOPTS", "--continue-on-collection-errors"));
            assert_eq!(asked_to_go_on(command), asked, "{command}");
        }
        for command in ["PYTEST_ADDOPTS=-x pytest", "cargo test", "grep -q a b"] {
            assert_eq!(asked_to_go_on(command), None, "{command}");
        }
    }

    #[test]
    fn go_is_asked_to_name_its_tests_where_it_would_not() {
        for command in ["go test ./...", "cd x && go test", "make test", "npm test"] {
            assert_eq!(asked_to_name_tests(command), Some(("GOFLAGS", "-test.v")), "{command}");
        }
        for command in ["go test -v ./...", "GOFLAGS=-mod=mod go test", "pytest", "go build"] {
            assert_eq!(asked_to_name_tests(command), None, "{command}");
        }
        let go = "it works -- verified by: `go test ./...`";
        let silent = "ok  \texample.org/calc\t0.002s\n";
        assert_eq!(word(&judged(go, 0, silent, "").verdict), "failed", "it ended before its tests");
        let named = format!("=== RUN   TestAdd\n--- PASS: TestAdd (0.00s)\nPASS\n{silent}");
        assert_eq!(word(&judged(go, 0, &named, "").verdict), "passed");
        let cached = named.replace("0.002s", "(cached)");
        assert_eq!(word(&judged(go, 0, &cached, "").verdict), "passed");
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
