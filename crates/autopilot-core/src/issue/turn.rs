//! A decision about an issue in the making.

use crate::{
    fact::{Ending, Fact},
    id::CommitId,
    input::Answer,
    issue::{Finding, Issue, IssueFact, IssueGate, IssueStage, IssueStep, Route, word},
    rails::line::HaltReason,
    run::Run,
    time::Timestamp,
};

/// Who approves where a queue was curated by a person.
const CURATOR: &str = "whoever curates the queue";

/// Facts that follow from one thing that happened.
pub(super) struct Turn<'a> {
    pub(super) run: &'a Run,
    /// The issue as it will be after the facts so far.
    pub(super) now: Issue,
    pub(super) facts: Vec<Fact>,
}

impl<'a> Turn<'a> {
    pub(super) fn new(run: &'a Run, issue: &Issue) -> Self {
        Self { run, now: issue.clone(), facts: Vec::new() }
    }

    pub(super) fn note(&mut self, fact: IssueFact) {
        // Times in the copy are never read.
        self.now.apply(&fact, Timestamp::default());
        self.facts.push(Fact::Issue(fact));
    }

    pub(super) fn enter(&mut self, stage: IssueStage) {
        self.note(IssueFact::Entered(stage));
    }

    pub(super) fn stands(&mut self, commit: &CommitId) {
        if *commit != self.now.tip {
            self.note(IssueFact::Stands { commit: commit.clone() });
        }
    }

    pub(super) fn finish(&mut self, ending: Ending) {
        self.facts.push(Fact::Finished(ending));
    }

    pub(super) fn try_step(&mut self, step: IssueStep, iteration: u32, findings: Vec<Finding>) {
        self.note(IssueFact::Began { step, iteration, findings });
        self.enter(IssueStage::Generate);
    }

    /// The first step of the part before the design is agreed on.
    pub(super) fn first_step(&self) -> IssueStep {
        match self.now.spec.route {
            Route::Full => IssueStep::Stories,
            Route::Bugfix | Route::Flaky => IssueStep::Cause,
            Route::Express => IssueStep::Work,
        }
    }

    /// The documents that a step must bring.
    pub(super) fn documents_of(&self, step: IssueStep) -> Vec<String> {
        documents_of(&self.now, step)
    }

    /// Whether the tests of the work are others than those that were kept last.
    pub(super) fn has_new_tests(&self) -> bool {
        let Some(left) = &self.now.attempted.tests_sha256 else { return false };
        let known = self.now.red.as_ref().map(|red| &red.tests_sha256);
        known != Some(left)
    }

    /// Why the try that is over halts the issue, if it does.
    pub(super) fn halt(&self) -> Option<HaltReason> {
        self.now.attempted.judged.as_ref().and_then(|judged| judged.halt)
    }

    /// Puts a question to a person, unless whoever curates a queue has answered all of its kind.
    pub(super) fn ask(&mut self, gate: IssueGate, text: String) {
        if self.now.spec.handed_off {
            return self.approve(gate, CURATOR);
        }
        self.enter(IssueStage::Gate(gate));
        let name = self.now.gate_id(gate);
        match self.run.answers.get(&name).cloned() {
            // They have said it already.
            Some(answer) => self.hear(gate, &answer),
            None => self.facts.push(Fact::Asked { gate: name, question: text }),
        }
    }

    /// Whether the person has approved at a gate before.
    pub(super) fn has_said(&self, gate: IssueGate) -> bool {
        self.now.approvals.iter().any(|(one, _, _)| *one == gate)
    }

    /// What follows from a person's word.
    pub(super) fn hear(&mut self, gate: IssueGate, answer: &Answer) {
        if word::approves(answer) {
            return self.approve(gate, &answer.by);
        }
        let mut findings = word::findings(&answer.message);
        if findings.is_empty() {
            findings.push(Finding::blocking("refused without a word", None));
        }
        let by = answer.by.clone();
        self.note(IssueFact::Refused { gate, by, findings: findings.clone() });
        match gate {
            // What is wanted is for people to say.
            IssueGate::Precheck | IssueGate::Requirements => self.finish(Ending::Incomplete),
            // The whole of it goes back, also where a part was praised.
            IssueGate::Design => {
                let step = self.first_step();
                self.try_step(step, 1, findings);
            }
            IssueGate::Merge => self.try_step(IssueStep::Work, 1, findings),
        }
    }

    /// What follows from an approval; what was approved is noted with it.
    pub(super) fn approve(&mut self, gate: IssueGate, by: &str) {
        let what = match gate {
            IssueGate::Precheck | IssueGate::Requirements => self.now.anchor.clone(),
            IssueGate::Design | IssueGate::Merge => None,
        };
        let what = what.unwrap_or_else(|| self.now.tip.to_string());
        self.note(IssueFact::Approved { gate, by: by.to_owned(), what });
        match gate {
            // The requirements are looked at again, and asked about.
            IssueGate::Precheck => self.enter(IssueStage::Begin),
            IssueGate::Requirements => self.enter(IssueStage::PinRequirements),
            IssueGate::Design => self.enter(IssueStage::Freeze),
            IssueGate::Merge => self.finish(Ending::Done),
        }
    }
}

/// The documents that a step must bring.
pub(super) fn documents_of(issue: &Issue, step: IssueStep) -> Vec<String> {
    let names: &[&str] = match step {
        IssueStep::Stories => &["user-stories.md"],
        IssueStep::Plan => &["plan.md", "acceptance-tests.md"],
        IssueStep::Cause | IssueStep::Work => &[],
    };
    names.iter().map(|name| issue.spec.path(name)).collect()
}
