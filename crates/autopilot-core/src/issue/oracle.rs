//! The objective gates of an issue as the engine saw them, and the rails that keep it from going round in circles.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    evidence::CheckResult,
    issue::{Finding, Gates, Route, Trial},
    rails::{fingerprint::fingerprint, line::HaltReason},
};

/// In how many failures a repeated one means that the work is stuck.
pub(super) const STUCK_WINDOW: usize = 3;
/// More failing tests than this are not told to an agent by name.
const TOLD_MAX: usize = 40;
/// How much of the output of a failing command is told.
const OUTPUT_CHARS_MAX: usize = 2_000;

/// What the engine saw of one try.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// Whether the tests were seen red before the work.
    pub red: bool,
    /// Whether they are green now.
    pub green: bool,
    /// The criteria without a test, or with one that shows nothing.
    pub uncovered: Vec<String>,
    /// The tests that fail, or what is known of them.
    pub failing: Vec<String>,
    /// What of the whole gate fails that is no test of the issue.
    pub broken: Vec<String>,
    /// Files that the step should have brought and did not.
    pub missing: Vec<String>,
    /// What is to be said to whoever goes on, beside that.
    pub remarks: Vec<String>,
}

impl Seen {
    /// What a step without gates begins with.
    pub fn ungated() -> Self {
        Self { red: true, green: true, ..Self::default() }
    }

    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        self.red && self.green && self.is_whole()
    }

    /// Whether only the evidence is missing: no further try could bring it.
    pub fn is_unverifiable(&self) -> bool {
        self.green && self.is_whole() && !self.red
    }

    fn is_whole(&self) -> bool {
        self.uncovered.is_empty() && self.broken.is_empty() && self.missing.is_empty()
    }

    /// The fingerprint for the log. With other tests failing it is another one, so that progress is not taken for sameness;
    /// the coarse one is that of the ancestor.
    pub fn fingerprint(&self, coarse: bool) -> String {
        let gates = Gates {
            red_observed: self.red,
            green: self.green,
            covered: self.uncovered.is_empty(),
            uncovered: self.uncovered.clone(),
        };
        if coarse {
            return fingerprint(gates.payload().as_bytes());
        }
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort_unstable();
            names.dedup();
            names
        };
        let payload = json!([
            self.red,
            sorted(&self.failing),
            sorted(&self.uncovered),
            sorted(&self.broken),
            sorted(&self.missing),
        ]);
        fingerprint(payload.to_string().as_bytes())
    }

    /// What whoever goes on is told, in the order of the gates.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !self.failing.is_empty() || !self.green {
            let told = self.failing.iter().take(TOLD_MAX).cloned().collect::<Vec<_>>().join(", ");
            let detail = format!("not all acceptance tests pass; make them green. Failing: {told}");
            findings.push(Finding::blocking("AT green gate (exit != 0)", Some(&detail)));
        }
        if !self.red {
            let detail = "the tests were not seen to fail before the work: write tests in files of their own that fail \
                          without it";
            findings.push(Finding::blocking("red.jsonl", Some(detail)));
        }
        let detail = "no acceptance test covers it; add one that carries its name";
        findings.extend(self.uncovered.iter().map(|id| Finding::blocking(id, Some(detail))));
        findings.extend(self.broken.iter().map(|what| Finding::blocking(what, None)));
        let detail = "the file is missing or empty";
        findings.extend(self.missing.iter().map(|path| Finding::blocking(path, Some(detail))));
        findings.extend(self.remarks.iter().map(|what| Finding::blocking(what, None)));
        findings
    }

    /// What a halt leaves open, for its line in the log.
    pub fn digest(&self) -> Vec<Finding> {
        let open = [&self.uncovered, &self.failing, &self.broken, &self.missing];
        open.into_iter().flatten().map(|what| Finding::blocking(what, None)).collect()
    }
}

/// What fails in a round of trials, each once.
pub(super) fn failing(trials: &[Trial]) -> Vec<String> {
    let mut names: Vec<String> = trials
        .iter()
        .filter(|trial| !trial.result.verdict.is_passed())
        .flat_map(|trial| match trial.failing.as_slice() {
            [] => vec![unnamed(&trial.result)],
            names => names.to_vec(),
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What is known of a failure whose tests are not told by name.
fn unnamed(result: &CheckResult) -> String {
    match (result.counts, result.exit_code) {
        (Some(counts), _) if counts.failed > 0 => format!("{} tests", counts.failed),
        (_, Some(code)) => format!("exit code {code}"),
        (_, None) => result.seen().to_owned(),
    }
}

/// What a failing command of the whole gate is told as.
pub(super) fn broken(result: &CheckResult) -> String {
    let command = result.command.as_deref().unwrap_or_default();
    let output: String = result.output.chars().take(OUTPUT_CHARS_MAX).collect();
    format!("{} (`{command}`): {}\n{output}", result.name, result.seen()).trim_end().to_owned()
}

/// Whether the tests were red in a round: some run of it was, and none was only not to be told.
pub(super) fn was_red(route: Route, trials: &[Trial]) -> bool {
    let red = |trial: &&Trial| trial.result.was_red();
    match route {
        // What fails only now and then need not fail each time.
        Route::Flaky => trials.iter().any(|trial| red(&trial)),
        Route::Full | Route::Bugfix | Route::Express => {
            !trials.is_empty() && trials.iter().all(|trial| red(&trial))
        }
    }
}

/// Whether the tests are green in a round: every run of it passed.
pub(super) fn is_green(trials: &[Trial]) -> bool {
    !trials.is_empty() && trials.iter().all(|trial| trial.result.verdict.is_passed())
}

/// The first rail that is hit, given the fingerprints of failed tries up to this one. What the others rest on has been
/// looked at before: drift and the log.
pub(super) fn rail(iteration: u32, tries: u32, failures: &[String]) -> Option<HaltReason> {
    if iteration >= tries {
        return Some(HaltReason::MaxIterations);
    }
    if matches!(failures, [.., before, last] if before == last) {
        return Some(HaltReason::Sameness);
    }
    let from = failures.len().checked_sub(STUCK_WINDOW)?;
    let mut last: Vec<&String> = failures[from..].iter().collect();
    last.sort_unstable();
    last.windows(2).any(|pair| pair[0] == pair[1]).then_some(HaltReason::Stuck)
}

/// Whether a stronger model may help: the work did not converge, and nothing else was wrong.
pub(super) const fn escalates(reason: HaltReason) -> bool {
    match reason {
        HaltReason::MaxIterations | HaltReason::Sameness | HaltReason::Stuck => true,
        HaltReason::AnchorDrift | HaltReason::LogIntegrity | HaltReason::GateUnverifiable => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rails::check::{AuditLog, Signal, max_iterations};

    fn seen(failing: &[&str], uncovered: &[&str]) -> Seen {
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        Seen { failing: owned(failing), uncovered: owned(uncovered), ..Seen::default() }
    }

    #[test]
    fn a4_progress_is_not_sameness_and_the_order_of_tests_is_no_progress() {
        let first = seen(&["a", "b"], &[]);
        assert_eq!(first.fingerprint(false), seen(&["b", "a", "a"], &[]).fingerprint(false));
        let others =
            [seen(&["a"], &[]), seen(&["a", "b"], &["AC-1"]), Seen { red: true, ..first.clone() }];
        for other in others {
            assert_ne!(first.fingerprint(false), other.fingerprint(false), "{other:?}");
        }
        // The ancestor could not tell them apart.
        assert_eq!(first.fingerprint(true), seen(&["a"], &[]).fingerprint(true));
        let payload = br#"{"redObserved":false,"atGreen":false,"coverageOk":true,"uncovered":[]}"#;
        assert_eq!(first.fingerprint(true), fingerprint(payload));
    }

    #[test]
    fn a12_every_gate_must_hold_and_no_opinion_is_among_them() {
        let whole = Seen::ungated();
        assert!(whole.holds());
        let name = || vec!["x".to_owned()];
        for (what, other) in [
            ("red", Seen { red: false, ..whole.clone() }),
            ("green", Seen { green: false, ..whole.clone() }),
            ("uncovered", Seen { uncovered: name(), ..whole.clone() }),
            ("broken", Seen { broken: name(), ..whole.clone() }),
            ("missing", Seen { missing: name(), ..whole.clone() }),
        ] {
            assert!(!other.holds(), "{what}");
        }
        assert!(Seen { remarks: name(), ..whole }.holds(), "a remark is no gate");
    }

    #[test]
    fn a14_only_missing_evidence_is_unverifiable() {
        let without = Seen { red: false, ..Seen::ungated() };
        assert!(without.is_unverifiable());
        assert!(!Seen { green: false, ..without.clone() }.is_unverifiable());
        assert!(!Seen { uncovered: vec!["AC-1".to_owned()], ..without }.is_unverifiable());
    }

    #[test]
    fn a18_what_the_gates_find_is_told_in_their_order() {
        let seen = Seen { broken: vec!["lint".to_owned()], ..seen(&["a", "b"], &["AC-2"]) };
        let told: Vec<String> = seen
            .findings()
            .iter()
            .map(|finding| finding.to_json()["evidence_ref"].as_str().expect("text").to_owned())
            .collect();
        assert_eq!(told, ["AT green gate (exit != 0)", "red.jsonl", "AC-2", "lint"]);
        assert!(seen.findings()[0].to_json()["detail"].as_str().expect("text").contains("a, b"));
        let digest: Vec<_> =
            seen.digest().iter().map(|one| one.to_json()["evidence_ref"].clone()).collect();
        assert_eq!(digest, ["AC-2", "a", "b", "lint"], "a halt tells the failing tests, too");
    }

    #[test]
    fn a13_the_ceiling_comes_before_sameness_and_sameness_before_stuck() {
        let names = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        let cases = [
            (4, 4, "aa", Some(HaltReason::MaxIterations)),
            (3, 4, "aa", Some(HaltReason::Sameness)),
            (3, 4, "aba", Some(HaltReason::Stuck)),
            (3, 4, "abc", None),
            (1, 4, "a", None),
            (2, 4, "aab", Some(HaltReason::Stuck)),
            (4, 8, "aabc", None),
        ];
        for (iteration, tries, failures, expected) in cases {
            assert_eq!(
                rail(iteration, tries, &names(failures)),
                expected,
                "{iteration} {failures}"
            );
        }
    }

    proptest::proptest! {
        /// The rails on a list of fingerprints are those of the library on a log with them.
        #[test]
        fn a5_the_rails_say_what_the_library_says(failures in "[abc]{0,6}", iteration in 1_u32..6, tries in 1_u32..6) {
            let row = |name: char| format!("{{\"verdict\":\"FAIL\",\"fingerprint\":\"{name}\"}}\n");
            let text: String = failures.chars().map(row).collect();
            let log = AuditLog { path: b"l", text: text.as_bytes() };
            let number = |n: u32| n.to_string().into_bytes();
            let expected = if max_iterations(&number(iteration), &number(tries)) == Ok(Signal::Halt) {
                Some(HaltReason::MaxIterations)
            } else if log.sameness(None) == Ok(Signal::Halt) {
                Some(HaltReason::Sameness)
            } else if log.stuck(b"3", None) == Ok(Signal::Halt) {
                Some(HaltReason::Stuck)
            } else {
                None
            };
            let failures: Vec<String> = failures.chars().map(String::from).collect();
            proptest::prop_assert_eq!(rail(iteration, tries, &failures), expected);
        }
    }

    #[test]
    fn a42_only_a_want_of_convergence_asks_for_a_stronger_model() {
        let stronger: Vec<_> = HaltReason::ALL.into_iter().filter(|one| escalates(*one)).collect();
        assert_eq!(stronger, [HaltReason::MaxIterations, HaltReason::Sameness, HaltReason::Stuck]);
    }
}
