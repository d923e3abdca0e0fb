//! What the kernel asks of the machine that does the work, whichever it is.

use crate::{
    budget::Spend,
    effect::Owed,
    fact::{End, Fact},
    id::{CommitId, GateId, Key, Step},
    input::{Answer, Failure, Outcome},
    issue,
    phases::{self, Phases, Refusal, Unusable},
    role::Role,
    run::{Run, Work},
    time::Timestamp,
};

impl Work {
    /// The phases of the run; a run of another kind has none.
    pub fn phases(&self) -> &Phases {
        match self {
            Self::Phases(phases) => phases,
            Self::Issue(issue) => &issue.no_phases,
        }
    }

    /// The issue, where the run is about one.
    pub fn issue(&self) -> Option<&issue::Issue> {
        match self {
            Self::Issue(issue) => Some(issue),
            Self::Phases(_) => None,
        }
    }

    /// Where the branch of the run is.
    pub fn head(&self) -> &CommitId {
        match self {
            Self::Phases(phases) => &phases.head,
            Self::Issue(issue) => &issue.head,
        }
    }

    /// The role that works at a step.
    pub fn role_of(&self, step: &Step) -> Option<Role> {
        match self {
            Self::Phases(phases) => phases.role_of(step),
            Self::Issue(issue) => issue.role_of(step),
        }
    }

    /// What the part of the run that a step belongs to has cost, where it has limits of its own.
    pub(super) fn spent_on(&self, step: &Step) -> Option<&Spend> {
        match self {
            Self::Phases(phases) => phases.spent_on(step),
            Self::Issue(_) => None,
        }
    }

    pub(super) fn expects(&self, step: &Step) -> bool {
        match self {
            Self::Phases(phases) => phases::expects(phases, step),
            Self::Issue(issue) => issue.expects(step),
        }
    }

    /// Notes the end of a step for what is told of it afterwards.
    pub(super) fn trace(&mut self, key: &Key, end: &End, spent: &Spend, by: (Timestamp, &str)) {
        if let Self::Phases(phases) = self {
            phases.trace(key, end, spent, by);
        }
    }

    pub(super) fn charge(&mut self, step: &Step, spent: Spend) {
        if let Self::Phases(phases) = self {
            phases.charge(step, spent);
        }
    }
}

impl Run {
    /// Everything that its machine owes, also what is under way already.
    pub fn debts(&self) -> Vec<Owed> {
        match &self.work {
            Work::Phases(work) => phases::owed(self, work),
            Work::Issue(work) => issue::owed(self, work).into_iter().collect(),
        }
    }

    pub(super) fn unusable(
        &self,
        now: Timestamp,
        key: &Key,
        outcome: &Outcome,
    ) -> Option<Unusable> {
        match &self.work {
            Work::Phases(work) => phases::unusable(self, work, now, key, outcome),
            Work::Issue(work) => issue::unusable(work, outcome).map(Unusable::Failed),
        }
    }

    pub(super) fn follows(&self, now: Timestamp, key: &Key, outcome: &Outcome) -> Vec<Fact> {
        match &self.work {
            Work::Phases(work) => phases::decide(self, work, now, key, outcome),
            Work::Issue(work) => issue::decide(self, work, now, outcome),
        }
    }

    pub(super) fn gave_up(&self, now: Timestamp, key: &Key, failure: &Failure) -> Vec<Fact> {
        match &self.work {
            Work::Phases(work) => phases::gave_up(self, work, now, key, failure),
            Work::Issue(_) => issue::gave_up(&key.step, failure),
        }
    }

    pub(super) fn refused(
        &self,
        now: Timestamp,
        key: &Key,
        refusal: (&Refusal, bool),
    ) -> Vec<Fact> {
        match &self.work {
            Work::Phases(work) => phases::refused(self, work, now, key, refusal),
            // Its returns are usable or they are not.
            Work::Issue(_) => Vec::new(),
        }
    }

    pub(super) fn handed_off(
        &self,
        key: &Key,
        left: Option<&crate::input::Work>,
        why: &str,
    ) -> Option<Fact> {
        match &self.work {
            Work::Phases(work) => phases::handed_off(work, key, left, why),
            Work::Issue(_) => None,
        }
    }

    pub(super) fn heard(&self, now: Timestamp, gate: &GateId, answer: &Answer) -> Vec<Fact> {
        match &self.work {
            Work::Phases(work) => phases::answered(self, work, now, gate, answer),
            Work::Issue(work) => issue::answered(self, work, now, gate, answer),
        }
    }

    pub(super) fn proceeds(&self, now: Timestamp) -> Vec<Fact> {
        match &self.work {
            Work::Phases(work) => phases::proceed(self, work),
            Work::Issue(work) => issue::proceed(self, work, now),
        }
    }
}
