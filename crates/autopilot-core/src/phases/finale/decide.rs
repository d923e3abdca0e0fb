//! What follows from the outcome of each stage.

use super::{Closing, Finale, FinaleFact, FinaleStage, Gap};
use crate::{
    evidence::{CheckResult, Fewer, Standing, ledger, protect::AddedTests},
    fact::{Ending, Fact},
    id::{CommitId, Key, Step},
    input::{AgentReport, Failure, FailureClass, Outcome, Work},
    phases::{Close, Phases, Status, close::AcceptedBy},
    returns::{Audit, FixComplexity, IntegrationCheck, Requirement, RequirementStatus, Return},
    roadmap::PhaseId,
    run::Run,
    time::Timestamp,
};

/// How many gaps are told apart; what is found beyond that is one more.
const GAPS_MAX: usize = 20;
/// A longer text of someone who looked is cut.
const TEXT_CHARS_MAX: usize = 2_000;

/// Whether an outcome of this step is waited for.
pub(in crate::phases) fn expects(work: &Phases, step: &Step) -> bool {
    work.finale.closing().is_some_and(|closing| closing.stage.step().as_ref() == Some(step))
}

/// Begins to look where nothing else is left to do.
pub(in crate::phases) fn begin(work: &Phases) -> Option<Fact> {
    if !matches!(work.finale, Finale::Awaited) || !work.finale_is_due() {
        return None;
    }
    // One phase alone has nothing to work together with.
    let stage = match completed(work).nth(1) {
        Some(_) => FinaleStage::Integration,
        None => FinaleStage::Audit,
    };
    Some(Fact::Finale(FinaleFact::Entered(stage)))
}

/// The phases that are on the run branch.
pub(super) fn completed(work: &Phases) -> impl Iterator<Item = &crate::phases::Phase> {
    let is_completed = |phase: &&crate::phases::Phase| {
        phase.part_of.is_none() && matches!(phase.status, Status::Closed(Close::Completed { .. }))
    };
    work.list.iter().filter(is_completed)
}

/// Why an outcome cannot be used although it came back in order.
pub(in crate::phases) fn unusable(work: &Phases, key: &Key, outcome: &Outcome) -> Option<Failure> {
    let closing = work.finale.closing()?;
    let malformed = |detail: String| Failure { class: FailureClass::Malformed, detail };
    match (&closing.stage, outcome) {
        (FinaleStage::Integration, Outcome::Agent(report)) => {
            let fits = matches!(report.returned, Return::IntegrationCheck(_));
            (!fits).then(|| malformed("the return is no integration check".to_owned()))
        }
        (FinaleStage::Audit, Outcome::Agent(report)) => {
            let Return::Audit(audit) = &report.returned else {
                return Some(malformed("the return is no audit".to_owned()));
            };
            audit.objection().map(|why| malformed(why.to_string()))
        }
        (FinaleStage::Repair(_), Outcome::Agent(report)) => {
            let is_kept = report.work.is_some() && matches!(report.returned, Return::Execution(_));
            (!is_kept).then(|| malformed("its workspace was not kept".to_owned()))
        }
        (FinaleStage::Base | FinaleStage::Check(..), Outcome::Checked(_))
        | (FinaleStage::Commit(..), Outcome::Committed(_))
        | (FinaleStage::Integrate(..), Outcome::Integrated(_)) => None,
        (_, _) => {
            let detail = format!("the outcome does not fit the step {}", key.step);
            Some(Failure { class: FailureClass::Engine, detail })
        }
    }
}

/// What follows from a usable outcome.
pub(in crate::phases) fn decide(
    run: &Run,
    work: &Phases,
    now: Timestamp,
    outcome: &Outcome,
) -> Vec<Fact> {
    let Some(mut turn) = Turn::of(run, work, now) else { return Vec::new() };
    match (turn.now.stage.clone(), outcome) {
        (FinaleStage::Integration, Outcome::Agent(report)) => turn.joined(report),
        (FinaleStage::Audit, Outcome::Agent(report)) => turn.audited(report),
        (FinaleStage::Base, Outcome::Checked(results)) => {
            turn.note(FinaleFact::Baseline { results: results.clone() });
            turn.repair_from(0);
        }
        (FinaleStage::Repair(gap), Outcome::Agent(report)) => {
            if let Some(work) = &report.work {
                turn.handed_in(gap, work);
            }
        }
        (FinaleStage::Check(gap, work), Outcome::Checked(results)) => {
            turn.checked(gap, work, results);
        }
        (FinaleStage::Commit(gap, _), Outcome::Committed(commit)) => turn.committed(gap, commit),
        (FinaleStage::Integrate(gap, _), Outcome::Integrated(commit)) => {
            turn.note(FinaleFact::Repaired { gap, commit: commit.clone() });
            turn.repair_from(gap + 1);
        }
        _ => {}
    }
    turn.facts
}

/// What follows when a step failed as often as it may.
pub(in crate::phases) fn gave_up(
    run: &Run,
    work: &Phases,
    now: Timestamp,
    failure: &Failure,
) -> Vec<Fact> {
    let Some(mut turn) = Turn::of(run, work, now) else { return Vec::new() };
    let why = format!("{}: {}", failure.class.name(), failure.detail);
    match turn.now.stage.clone() {
        FinaleStage::Repair(gap) | FinaleStage::Check(gap, _) => turn.refuse(gap, vec![why]),
        FinaleStage::Integration | FinaleStage::Audit => {
            turn.halt(format!("nobody could look at the result as a whole: {why}"));
        }
        FinaleStage::Base | FinaleStage::Commit(..) | FinaleStage::Integrate(..) => {
            turn.halt(format!("what is missing could not be repaired: {why}"));
        }
        FinaleStage::Over => {}
    }
    turn.facts
}

/// A decision in the making.
struct Turn<'a> {
    run: &'a Run,
    work: &'a Phases,
    time: Timestamp,
    /// The look as it will be after the facts so far.
    now: Closing,
    facts: Vec<Fact>,
}

impl<'a> Turn<'a> {
    fn of(run: &'a Run, work: &'a Phases, time: Timestamp) -> Option<Self> {
        let now = work.finale.closing()?.clone();
        Some(Self { run, work, time, now, facts: Vec::new() })
    }

    fn note(&mut self, fact: FinaleFact) {
        // Times in the copy are never read.
        self.now.apply(&fact, Timestamp::default());
        self.facts.push(Fact::Finale(fact));
    }

    fn enter(&mut self, stage: FinaleStage) {
        self.note(FinaleFact::Entered(stage));
    }

    fn halt(&mut self, why: String) {
        self.facts.push(Fact::Finished(Ending::Halted { why }));
    }

    fn joined(&mut self, report: &AgentReport) {
        let Return::IntegrationCheck(word) = &report.returned else { return };
        let gaps = if word.pass { Vec::new() } else { crossed(word) };
        self.note(FinaleFact::Joined { pass: word.pass, gaps });
        self.enter(FinaleStage::Audit);
    }

    fn audited(&mut self, report: &AgentReport) {
        let Return::Audit(audit) = &report.returned else { return };
        if self.now.counts.is_some() {
            let open: Vec<usize> = self
                .now
                .open()
                .filter(|(_, gap)| !is_closed_by(audit, &gap.requirement))
                .map(|(at, _)| at)
                .collect();
            self.note(FinaleFact::Reaudited { open });
        } else {
            let rows = || audit.rows().map(|(_, row)| row.status);
            let checked = count(rows());
            let passed = count(rows().filter(|status| *status == RequirementStatus::Pass));
            let gaps = missing(self.work, audit);
            self.note(FinaleFact::Audited { checked, passed, gaps });
        }
        self.go_on();
    }

    /// Has what is missing repaired, as often as that is allowed, and tells it otherwise.
    fn go_on(&mut self) {
        let is_open = self.now.open().next().is_some();
        // A repair that nothing could be held against would be put on the branch on somebody's word alone.
        let can_be_checked = !super::owed::checks(self.run, self.work).is_empty();
        if is_open && can_be_checked && self.now.reaudits < self.run.given.limits.reaudits {
            self.enter(FinaleStage::Base);
        } else {
            self.enter(FinaleStage::Over);
        }
    }

    /// Goes on to the first open gap from a place on, or to whoever looks again when there is none.
    fn repair_from(&mut self, from: usize) {
        let next = self.now.open().map(|(at, _)| at).find(|at| *at >= from);
        match next {
            Some(gap) => self.enter(FinaleStage::Repair(gap)),
            None if self.now.is_repaired => self.enter(FinaleStage::Audit),
            None => {
                self.note(FinaleFact::NothingRepaired);
                self.go_on();
            }
        }
    }

    fn refuse(&mut self, gap: usize, findings: Vec<String>) {
        self.note(FinaleFact::Refused { gap, findings });
        self.repair_from(gap + 1);
    }

    fn handed_in(&mut self, gap: usize, work: &Work) {
        if !work.changed {
            return self.refuse(gap, vec!["the last repair changed nothing".to_owned()]);
        }
        let by_rule = self.run.given.protection.added_tests == AddedTests::Accept;
        let why = AcceptedBy::Rule("it only adds tests".to_owned());
        let added = work.requests.iter().filter(|one| by_rule && one.edit.only_adds_tests);
        let accepted = added.map(|request| request.accepted(why.clone())).collect();
        self.note(FinaleFact::Accepted { accepted });
        self.enter(FinaleStage::Check(gap, work.clone()));
    }

    fn checked(&mut self, gap: usize, work: Work, results: &[CheckResult]) {
        let (run, time) = (self.run, self.time);
        let waiver = |check: &str| run.waiver(check, time);
        let entries = ledger(&self.now.baseline, results, Fewer::Refused, waiver);
        let broken: Vec<String> = entries
            .iter()
            .filter(|entry| !entry.stands())
            .filter_map(|entry| match &entry.standing {
                Standing::Broken(why) | Standing::Open(why) => Some(format!(
                    "the last repair was not taken: {} held before it and does not with it: {why}",
                    entry.name
                )),
                Standing::New | Standing::Held => None,
            })
            .collect();
        if broken.is_empty() {
            self.enter(FinaleStage::Commit(gap, work));
        } else {
            self.refuse(gap, broken);
        }
    }

    fn committed(&mut self, gap: usize, commit: &CommitId) {
        if *commit == self.work.head {
            let why = "the last repair only changed files by which work is judged; they stay as they were";
            return self.refuse(gap, vec![why.to_owned()]);
        }
        self.enter(FinaleStage::Integrate(gap, commit.clone()));
    }
}

/// Where the phases do not work together.
fn crossed(word: &IntegrationCheck) -> Vec<Gap> {
    let mut issues = word.issues.clone();
    if issues.is_empty() {
        issues.push("the phases are said not to work together, without a reason".to_owned());
    }
    let gap = |(number, what): (u32, String)| Gap {
        requirement: format!("integration-{number}"),
        phase: None,
        what: short(&what),
        remedy: None,
        is_small: false,
        commits: Vec::new(),
        findings: Vec::new(),
        closed_in: None,
    };
    limited((1..).zip(issues).map(gap).collect())
}

/// What an audit finds missing.
fn missing(work: &Phases, audit: &Audit) -> Vec<Gap> {
    let rows = audit.rows().filter(|(_, row)| row.status == RequirementStatus::Gap);
    let gaps = rows.map(|(phase, row)| Gap {
        requirement: short(&row.requirement_id),
        phase: phase.parse::<PhaseId>().ok().filter(|id| work.place(id).is_some()),
        what: short(row.gap_description.as_deref().unwrap_or_default()),
        remedy: audit.remedy(&row.requirement_id).map(short),
        is_small: row.fix_complexity == Some(FixComplexity::Small),
        commits: Vec::new(),
        findings: Vec::new(),
        closed_in: None,
    });
    limited(gaps.collect())
}

/// As many gaps as are told apart, and one for the rest.
fn limited(mut gaps: Vec<Gap>) -> Vec<Gap> {
    if gaps.len() <= GAPS_MAX {
        return gaps;
    }
    let rest = gaps.split_off(GAPS_MAX - 1);
    let names: Vec<&str> = rest.iter().map(|gap| gap.requirement.as_str()).collect();
    gaps.push(Gap {
        requirement: "others".to_owned(),
        phase: None,
        what: short(&format!("{} more: {}", rest.len(), names.join(", "))),
        remedy: None,
        is_small: false,
        commits: Vec::new(),
        findings: Vec::new(),
        closed_in: None,
    });
    gaps
}

/// Whether whoever looked again says that it is there now. What they do not mention stays open.
fn is_closed_by(audit: &Audit, requirement: &str) -> bool {
    let of_it = |(_, row): &(&str, &Requirement)| short(&row.requirement_id) == requirement;
    let mut rows = audit.rows().filter(of_it).peekable();
    rows.peek().is_some() && rows.all(|(_, row)| row.status == RequirementStatus::Pass)
}

fn short(text: &str) -> String {
    text.chars().take(TEXT_CHARS_MAX).collect()
}

fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}
