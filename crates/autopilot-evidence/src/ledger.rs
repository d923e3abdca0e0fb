//! Red first: what a check said on the base beside what it says on the result.

use serde::{Deserialize, Serialize};

use super::counts::missing;
use super::{CheckKind, CheckResult, Verdict, check::finding};
use crate::time::Timestamp;

/// A check in the ledger of a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The check's name.
    pub name: String,
    /// What it is there for.
    pub kind: CheckKind,
    /// What follows from both results.
    pub standing: Standing,
    /// A person's word that it need not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waived: Option<Waiver>,
}

/// What follows from a check's result on the base and on the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It did not hold before and holds now.
    New,
    /// It held before and holds now, so it proves nothing new.
    Held,
    /// It held before and does not any more: a regression; the text says what is seen.
    Broken(String),
    /// It did not hold before and does not now: for a criterion work to be done, for a guard nobody's doing here.
    Open(String),
}

/// A person's word that a check need not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    /// Who said so.
    pub by: String,
    /// Why.
    pub why: String,
    /// Until when it counts.
    pub until: Option<Timestamp>,
}

impl Entry {
    /// Whether a phase may be complete with it.
    pub fn stands(&self) -> bool {
        match (&self.standing, self.kind) {
            (Standing::New | Standing::Held, _) | (Standing::Open(_), CheckKind::Guard) => true,
            (Standing::Broken(_), _) | (Standing::Open(_), CheckKind::Criterion) => {
                self.waived.is_some()
            }
        }
    }
}

/// Whether fewer tests may run than on the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fewer {
    /// No: the files that decide are those of the base.
    Refused,
    /// Yes: a person has accepted edits of them.
    Accepted,
}

/// Puts the results of a phase beside those of its base.
pub fn ledger(
    base: &[CheckResult],
    now: &[CheckResult],
    fewer: Fewer,
    waiver: impl Fn(&str) -> Option<Waiver>,
) -> Vec<Entry> {
    let before = |name: &str| base.iter().find(|result| result.name == name);
    now.iter()
        .map(|result| {
            let standing = standing(before(&result.name), result, fewer);
            let holds = matches!(standing, Standing::New | Standing::Held);
            // Whatever holds by itself is not shown as waived.
            let waived = if holds { None } else { waiver(&result.name) };
            Entry { name: result.name.clone(), kind: result.kind, standing, waived }
        })
        .collect()
}

/// What keeps a phase from being complete, in words that an agent can act on.
pub fn objections(entries: &[Entry], now: &[CheckResult]) -> Vec<String> {
    if entries.iter().all(|entry| entry.kind == CheckKind::Guard) {
        return vec!["no criterion could be checked, so nothing is proven".to_owned()];
    }
    let result = |name: &str| now.iter().find(|result| result.name == name);
    let open = entries.iter().filter(|entry| !entry.stands());
    open.filter_map(|entry| {
        let why = match &entry.standing {
            Standing::New | Standing::Held => return None,
            Standing::Broken(why) => format!("it held before this phase and is broken now: {why}"),
            Standing::Open(why) => why.clone(),
        };
        Some(finding(result(&entry.name)?, &why))
    })
    .collect()
}

fn standing(base: Option<&CheckResult>, now: &CheckResult, fewer: Fewer) -> Standing {
    let held = base.is_some_and(|base| base.verdict.is_passed());
    let lost = base.filter(|_| fewer == Fewer::Refused).and_then(|base| lost(base, now));
    match (&now.verdict, held, lost) {
        (Verdict::Passed, true, Some(why)) => Standing::Broken(why),
        // What was red is green only because it does not run any more.
        (Verdict::Passed, false, Some(why)) => Standing::Open(why),
        (Verdict::Passed, true, None) => Standing::Held,
        (Verdict::Passed, false, None) => Standing::New,
        (Verdict::Failed(why) | Verdict::Unproven(why), true, _) => Standing::Broken(why.clone()),
        (Verdict::Failed(why) | Verdict::Unproven(why), false, _) => {
            match base.and_then(|base| worse(base, now)) {
                Some(worse) if now.kind == CheckKind::Guard => Standing::Broken(worse),
                Some(_) | None => Standing::Open(why.clone()),
            }
        }
    }
}

/// Tells of tests that ran before and do not any more, though their files are the same.
fn lost(of_base: &CheckResult, of_now: &CheckResult) -> Option<String> {
    let base = of_base.counts?;
    let Some(now) = of_now.counts else {
        return Some("its tests were counted before, and cannot be counted now".to_owned());
    };
    let gone = if of_now.ran.is_empty() { Vec::new() } else { missing(&of_base.ran, &of_now.ran) };
    if let Some(first) = gone.first() {
        return Some(format!(
            "{} tests that ran before do not run now, such as {first}",
            gone.len()
        ));
    }
    let fell = !now.at_least && now.executed() < base.executed();
    fell.then(|| format!("{} tests ran before, now only {}", base.executed(), now.executed()))
}

/// Tells of a check that was red before and shows more damage now.
fn worse(base: &CheckResult, now: &CheckResult) -> Option<String> {
    let (base, now) = (base.counts?, now.counts?);
    (now.failed > base.failed || now.passed < base.passed).then(|| {
        format!(
            "{} tests passed and {} failed before, now {} pass and {} fail",
            base.passed, base.failed, now.passed, now.failed
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Counts;

    fn result(name: &str, kind: CheckKind, word: &str, executed: Option<u64>) -> CheckResult {
        let verdict = match word {
            "passed" => Verdict::Passed,
            "failed" => Verdict::Failed("exit code 1".to_owned()),
            _ => Verdict::Unproven("nothing ran".to_owned()),
        };
        CheckResult {
            name: name.to_owned(),
            kind,
            criterion: "it works".to_owned(),
            command: Some("check".to_owned()),
            verdict,
            exit_code: Some(0),
            counts: executed.map(|passed| Counts { passed, ..Counts::default() }),
            ran: Vec::new(),
            output: String::new(),
            output_sha256: String::new(),
        }
    }

    fn one(kind: CheckKind, base: Option<&str>, now: &str) -> Entry {
        let base: Vec<CheckResult> =
            base.map(|word| result("c", kind, word, None)).into_iter().collect();
        let mut entries = ledger(&base, &[result("c", kind, now, None)], Fewer::Refused, |_| None);
        entries.pop().expect("one result, one entry")
    }

    #[test]
    fn every_pair_of_results_has_one_meaning() {
        let rows = [
            (Some("failed"), "passed", "new", true, true),
            (Some("unproven"), "passed", "new", true, true),
            (None, "passed", "new", true, true),
            (Some("passed"), "passed", "held", true, true),
            (Some("passed"), "failed", "broken", false, false),
            (Some("passed"), "unproven", "broken", false, false),
            (Some("failed"), "failed", "open", false, true),
            (Some("failed"), "unproven", "open", false, true),
            (Some("unproven"), "failed", "open", false, true),
            (None, "unproven", "open", false, true),
        ];
        for (base, now, expected, criterion_stands, guard_stands) in rows {
            for (kind, stands) in
                [(CheckKind::Criterion, criterion_stands), (CheckKind::Guard, guard_stands)]
            {
                let entry = one(kind, base, now);
                let word = match &entry.standing {
                    Standing::New => "new",
                    Standing::Held => "held",
                    Standing::Broken(_) => "broken",
                    Standing::Open(_) => "open",
                };
                assert_eq!((word, entry.stands()), (expected, stands), "{kind:?} {base:?} {now}");
            }
        }
    }

    fn counted(kind: CheckKind, word: &str, passed: u64, failed: u64) -> CheckResult {
        let counts = Some(Counts { passed, failed, ..Counts::default() });
        CheckResult { counts, ..result("test", kind, word, None) }
    }

    #[test]
    fn tests_that_no_longer_run_are_a_regression() {
        let at = |executed| [result("test", CheckKind::Guard, "passed", executed)];
        let standing =
            |base, now| ledger(&at(base), &at(now), Fewer::Refused, |_| None).remove(0).standing;
        assert_eq!(standing(Some(12), Some(12)), Standing::Held);
        assert_eq!(standing(Some(12), Some(13)), Standing::Held);
        assert_eq!(standing(None, Some(1)), Standing::Held);
        assert_eq!(standing(None, None), Standing::Held);
        let gone = "its tests were counted before, and cannot be counted now";
        assert_eq!(standing(Some(12), None), Standing::Broken(gone.to_owned()));
        let fell = Standing::Broken("12 tests ran before, now only 3".to_owned());
        assert_eq!(standing(Some(12), Some(3)), fell);
        let accepted = ledger(&at(Some(12)), &at(Some(3)), Fewer::Accepted, |_| None);
        assert_eq!(accepted[0].standing, Standing::Held, "a person has accepted fewer tests");
    }

    #[test]
    fn a_red_test_that_is_skipped_afterwards_proves_nothing() {
        for kind in [CheckKind::Criterion, CheckKind::Guard] {
            let base = [counted(kind, "failed", 1, 1)];
            let skipped = [counted(kind, "passed", 1, 0)];
            let entry = ledger(&base, &skipped, Fewer::Refused, |_| None).remove(0);
            assert!(matches!(&entry.standing, Standing::Open(why) if why.contains("only 1")));
            let repaired = [counted(kind, "passed", 2, 0)];
            let entry = ledger(&base, &repaired, Fewer::Refused, |_| None).remove(0);
            assert_eq!(entry.standing, Standing::New);
        }
    }

    #[test]
    fn a_guard_that_was_red_may_not_get_worse() {
        let base = [counted(CheckKind::Guard, "failed", 2, 1)];
        let rows = [
            ((2, 1), true),
            ((3, 1), true),
            ((2, 0), true),
            ((1, 1), false),
            ((2, 2), false),
            ((0, 3), false),
        ];
        for ((passed, failed), stands) in rows {
            let now = [counted(CheckKind::Guard, "failed", passed, failed)];
            let entry = ledger(&base, &now, Fewer::Refused, |_| None).remove(0);
            assert_eq!(entry.stands(), stands, "{passed} passed, {failed} failed");
        }
        let uncounted = [result("test", CheckKind::Guard, "failed", None)];
        assert!(ledger(&base, &uncounted, Fewer::Refused, |_| None)[0].stands());
    }

    #[test]
    fn a_waiver_lets_a_red_check_stand_and_is_not_used_up_on_a_green_one() {
        let waiver = Waiver { by: "ann".to_owned(), why: "known".to_owned(), until: None };
        let waive = |name: &str| (name == "c").then(|| waiver.clone());
        let red = [result("c", CheckKind::Criterion, "failed", None)];
        let entries = ledger(&[], &red, Fewer::Refused, waive);
        assert!(entries[0].stands());
        assert_eq!(entries[0].waived, Some(waiver.clone()));
        assert_eq!(objections(&entries, &red), Vec::<String>::new());
        let green = [result("c", CheckKind::Criterion, "passed", None)];
        assert_eq!(ledger(&[], &green, Fewer::Refused, waive)[0].waived, None);
        let other = [result("d", CheckKind::Criterion, "failed", None)];
        assert!(!ledger(&[], &other, Fewer::Refused, waive)[0].stands());
    }

    #[test]
    fn guards_alone_prove_nothing() {
        let green = [result("test", CheckKind::Guard, "passed", None)];
        assert_eq!(objections(&ledger(&[], &green, Fewer::Refused, |_| None), &green).len(), 1);
        assert_eq!(objections(&[], &[]).len(), 1);
    }
}
