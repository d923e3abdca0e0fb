//! `go test`, as text. It names each package; only with `-v` it names tests that pass.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    go_json,
    tally::Counts,
    text::{Output, is_gap},
};

/// How deep subtests are looked at; a name of slashes alone must not take long.
const DEPTH_MAX: usize = 16;

/// What a package counts as that ended well before any of its tests.
pub(super) const ENDED_EARLY: Counts = Counts::new(0, 1, 0);

/// What became of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Passed,
    Failed,
    Skipped,
}

/// Adds up packages, from JSON lines where there are any.
///
/// Without `-v` a package says only that all went well. It then counts as one test, or more.
pub(super) fn go_test(output: &Output<'_>) -> Option<Counts> {
    go_json::read(output).or_else(|| plain(output, Naming::OnlyPackages))
}

/// The same with `-v`: every test that ran is named, so a package that names none has ended before its tests, whatever
/// it says.
pub(super) fn go_test_verbose(output: &Output<'_>) -> Option<Counts> {
    go_json::read(output).or_else(|| plain(output, Naming::EveryTest))
}

/// What a command names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    OnlyPackages,
    EveryTest,
}

fn plain(output: &Output<'_>, naming: Naming) -> Option<Counts> {
    let mut sum: Option<Counts> = None;
    let mut package = Package::default();
    for line in &output.lines {
        if is_gap(line) {
            package = Package { after_gap: true, ..Package::default() };
        } else if let Some(end) = End::read(line) {
            if end == End::Well && package.is_running() {
                // A package is not over while one of its tests is: the line is printed by a test.
                continue;
            }
            let counts = std::mem::take(&mut package).end(end, naming);
            sum = Some(sum.unwrap_or_default().plus(counts));
        } else {
            package.take(line);
        }
    }
    if package.is_empty() { sum } else { None }
}

/// How a package ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Well,
    Badly,
    /// It has no tests, none matched, or it could not be built.
    NothingRan,
}

impl End {
    /// `ok`, `FAIL` or `?`, a tab, the package, and how it went.
    fn read(line: &str) -> Option<Self> {
        let (lead, rest) = line.split_once('\t')?;
        match lead {
            "ok  " | "ok" if rest.ends_with("[no tests to run]") => Some(Self::NothingRan),
            "ok  " | "ok" if rest.contains('\t') => Some(Self::Well),
            "FAIL" if rest.ends_with(" failed]") => Some(Self::NothingRan),
            "FAIL" if rest.contains('\t') => Some(Self::Badly),
            "?   " | "?" if rest.ends_with("[no test files]") => Some(Self::NothingRan),
            _ => None,
        }
    }
}

/// The tests of a package, as far as they are named.
#[derive(Debug, Default)]
struct Package<'a> {
    started: BTreeSet<&'a str>,
    ended: BTreeMap<&'a str, Ending>,
    /// Some of its lines are not there, so what is not seen says nothing.
    after_gap: bool,
}

impl<'a> Package<'a> {
    /// What a test prints without a newline stands before these marks, on the same line.
    fn take(&mut self, line: &'a str) {
        if let Some((_, name)) = line.rsplit_once("=== RUN   ") {
            self.started.insert(name);
        } else if let Some((before, ending, name)) = ended(line)
            && (before.is_empty() || self.started.contains(name))
        {
            self.ended.insert(name, ending);
        }
    }

    fn is_empty(&self) -> bool {
        self.started.is_empty() && self.ended.is_empty()
    }

    fn is_running(&self) -> bool {
        self.started.iter().any(|name| !self.ended.contains_key(name))
    }

    fn end(mut self, end: End, naming: Naming) -> Counts {
        let verbose = !self.started.is_empty();
        if verbose && !self.after_gap {
            self.ended.retain(|name, _| self.started.contains(name));
        }
        let counts = leaves(self.ended.iter().map(|(name, ending)| (*name, *ending)));
        match end {
            End::NothingRan => counts,
            End::Well | End::Badly if verbose || self.after_gap => counts,
            // A package with tests always names one, or says that there was none to run. This one ended before.
            End::Well if naming == Naming::EveryTest => counts.plus(ENDED_EARLY),
            End::Well => counts.plus(Counts::new(1, 0, 0)).or_more(),
            // It stopped before any test could be named: a panic, or `os.Exit` in `TestMain`.
            End::Badly if counts.failed == 0 => Counts::new(0, 1, 0).or_more(),
            End::Badly => counts.or_more(),
        }
    }
}

/// `--- PASS: TestTurn (0.00s)`, indented for subtests: what stands before it, how and which test ended.
fn ended(line: &str) -> Option<(&str, Ending, &str)> {
    let (before, rest) = line.rsplit_once("--- ")?;
    let (word, rest) = rest.split_once(": ")?;
    let ending = match word {
        "PASS" => Ending::Passed,
        "FAIL" => Ending::Failed,
        "SKIP" => Ending::Skipped,
        _ => return None,
    };
    let (name, time) = rest.rsplit_once(" (")?;
    time.ends_with("s)").then_some((before.trim_start_matches(' '), ending, name))
}

/// Counts the tests that have no subtests: a test that only starts others proves nothing by itself.
pub(super) fn leaves<'a>(tests: impl Iterator<Item = (&'a str, Ending)> + Clone) -> Counts {
    let parents: BTreeSet<&str> = tests
        .clone()
        .flat_map(|(name, _)| {
            name.match_indices('/').take(DEPTH_MAX).filter_map(|(at, _)| name.get(..at))
        })
        .collect();
    let mut counts = Counts::default();
    for (name, ending) in tests {
        // A parent that fails by itself is a failure; one that fails because of a part is counted there,
        // but there is no telling, and a run that fails is not in danger of being believed.
        if parents.contains(name) {
            continue;
        }
        match ending {
            Ending::Passed => counts.passed += 1,
            Ending::Failed => counts.failed += 1,
            Ending::Skipped => counts.skipped += 1,
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::{Counts, Runner, count};

    #[test]
    fn with_v_a_package_that_names_no_test_has_ended_before_them() {
        let silent = "ok  \texample.org/calc\t0.002s\n";
        assert_eq!(count(Some(Runner::GoTest), silent), Some(Counts::new(1, 0, 0).or_more()));
        assert_eq!(count(Some(Runner::GoTestVerbose), silent), Some(Counts::new(0, 1, 0)));
        let named = format!("=== RUN   TestAdd\n--- PASS: TestAdd (0.00s)\nPASS\n{silent}");
        assert_eq!(count(Some(Runner::GoTestVerbose), &named), Some(Counts::new(1, 0, 0)));
        let both = format!("{named}ok  \texample.org/other\t0.002s\n");
        assert_eq!(count(Some(Runner::GoTestVerbose), &both), Some(Counts::new(1, 1, 0)));
        let none = format!("{named}ok  \texample.org/other\t0.002s [no tests to run]\n");
        assert_eq!(count(Some(Runner::GoTestVerbose), &none), Some(Counts::new(1, 0, 0)));
    }

    #[test]
    fn in_json_as_well() {
        let line = |action: &str, test: &str| {
            format!("{{\"Action\":\"{action}\",\"Package\":\"p\"{test}}}\n")
        };
        let silent = line("start", "") + &line("pass", "");
        assert_eq!(count(Some(Runner::GoTest), &silent), Some(Counts::new(0, 1, 0)));
        let output = ",\"Output\":\"ok  \\tp\\t0.002s [no tests to run]\\n\"";
        let none = line("start", "") + &line("output", output) + &line("pass", "");
        assert_eq!(count(Some(Runner::GoTest), &none), Some(Counts::default()));
        let no_files = line("start", "") + &line("skip", "");
        assert_eq!(count(Some(Runner::GoTest), &no_files), Some(Counts::default()));
    }
}
