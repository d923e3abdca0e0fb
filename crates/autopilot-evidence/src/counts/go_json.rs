//! `go test -json`: one event on each line.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    go::{ENDED_EARLY, Ending, leaves},
    tally::Counts,
    text::Output,
};

/// One line. Events of the build have no package; what else is in an event does not matter.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    package: Option<String>,
    test: Option<String>,
    output: Option<String>,
}

/// A package: its tests, and whether it came to its end.
#[derive(Debug, Default)]
struct Package {
    /// `None` for a test that was started and has not ended.
    tests: BTreeMap<String, Option<Ending>>,
    /// How it came to its end.
    over: Option<Ending>,
    /// It says that there was no test to run.
    had_none: bool,
}

/// Reads events; no answer where there are none, or where a package did not come to its end.
pub(super) fn read(output: &Output<'_>) -> Option<Counts> {
    let mut packages: BTreeMap<String, Package> = BTreeMap::new();
    for line in &output.lines {
        if !line.starts_with('{') {
            continue;
        }
        let Ok(event) = serde_json::from_str::<Event>(line) else {
            continue;
        };
        let Some(name) = event.package else {
            continue;
        };
        let package = packages.entry(name).or_default();
        let says = event.output.as_deref().unwrap_or_default().trim_end();
        package.had_none |= event.test.is_none() && says.ends_with("[no tests to run]");
        package.take(&event.action, event.test);
    }
    let cut_off = packages.values().any(|package| package.over.is_none()) && !output.cut;
    if packages.is_empty() || cut_off {
        return None;
    }
    let counts = packages.values().map(|package| package.counts(output.cut));
    Some(counts.fold(Counts::default(), Counts::plus))
}

impl Package {
    fn take(&mut self, action: &str, test: Option<String>) {
        let ending = match action {
            "pass" => Ending::Passed,
            "fail" => Ending::Failed,
            "skip" => Ending::Skipped,
            "run" => {
                self.tests.extend(test.map(|test| (test, None)));
                return;
            }
            _ => return,
        };
        match test {
            // A test that was never started is made up.
            Some(test) => {
                self.tests.entry(test).and_modify(|ended| *ended = Some(ending));
            }
            None => self.over = Some(ending),
        }
    }

    /// Where lines are missing, what is not seen says nothing.
    fn counts(&self, cut: bool) -> Counts {
        let silent = self.tests.is_empty() && !self.had_none;
        if !cut && silent && self.over == Some(Ending::Passed) {
            return ENDED_EARLY;
        }
        leaves(self.tests.iter().filter_map(|(name, ending)| Some((name.as_str(), (*ending)?))))
    }
}
