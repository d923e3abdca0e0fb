//! One decision about one phase: facts are collected and, so that the next thought can rest on them, tried out
//! on a copy of the phase. The state itself changes only when the facts stand in the journal.

use crate::{
    fact::{Ending, Fact},
    id::Step,
    input::Work,
    phases::{
        Active, Close, Phase, PhaseFact, Phases, Stage, cause, deferral, fact::SentBack, parts,
        question::question,
    },
    policy::FailureCategory,
    run::Run,
    time::Timestamp,
};

/// Why a task is given up before its last repair.
pub(super) const GREW: &str = "the repair made the change larger, and it still fails";

/// A decision in the making.
pub(super) struct Turn<'a> {
    pub(super) run: &'a Run,
    pub(super) work: &'a Phases,
    pub(super) phase: &'a Phase,
    pub(super) at: usize,
    /// The time of the decision.
    pub(super) time: Timestamp,
    /// The phase as it will be after the facts so far.
    pub(super) now: Active,
    facts: Vec<Fact>,
}

impl<'a> Turn<'a> {
    /// A decision about the active phase that a step belongs to.
    pub(super) fn about(
        run: &'a Run,
        work: &'a Phases,
        step: &Step,
        time: Timestamp,
    ) -> Option<Self> {
        let (at, phase, active) = work.active_at(step)?;
        Some(Self { run, work, phase, at, time, now: active.clone(), facts: Vec::new() })
    }

    pub(super) fn facts(self) -> Vec<Fact> {
        self.facts
    }

    pub(super) fn note(&mut self, fact: PhaseFact) {
        // Times in the copy are never read: the copy is gone before anything is shown.
        self.now.apply(&fact, Timestamp::default());
        self.facts.push(Fact::Phase { phase: self.phase.spec.id, fact });
    }

    /// A fact that is not about the phase alone.
    pub(super) fn push(&mut self, fact: Fact) {
        self.facts.push(fact);
    }

    pub(super) fn enter(&mut self, stage: Stage) {
        self.note(PhaseFact::Entered(stage));
    }

    /// Goes on to the first task that has not ended, or to the replay when all have.
    pub(super) fn next_task(&mut self) {
        let mut next = self.now.ends.len();
        while deferral::leave(self, next) {
            next += 1;
        }
        match self.now.tasks.get(next) {
            Some(task) if task.kind.needs_a_person() => self.ask(next),
            Some(_) => self.enter(Stage::Execute(next)),
            None => self.enter(Stage::Replay),
        }
    }

    /// Sends the plan back to the planner, as often as that is allowed.
    pub(super) fn send_plan_back(&mut self, issues: Vec<String>) {
        let why = issues.first().cloned().unwrap_or_default();
        self.note(PhaseFact::PlanSentBack { issues });
        if self.now.tries.plans >= self.run.given.limits.plan_rounds {
            let why = format!("no plan stood after {} rounds: {why}", self.now.tries.plans);
            self.reject(why, FailureCategory::CoordinationFailure);
        } else {
            self.enter(Stage::Plan);
        }
    }

    /// Has the task at hand repaired, as often as that is allowed, and gives it up otherwise.
    pub(super) fn fix_task(&mut self, task: usize, work: Work, findings: Vec<String>) {
        let limits = &self.run.given.limits;
        if self.now.tries.task_fixes > 0 && work.grew {
            // Who adds more and more around a fault has not found it.
            let why = findings.first().map_or("", String::as_str);
            self.give_task_up(task, format!("{GREW}: {why}"), cause::of_checks(&self.now));
        } else if self.now.tries.task_fixes < limits.task_debugs {
            self.note(PhaseFact::SentBack { to: SentBack::TaskFix, findings });
            self.enter(Stage::TaskFix(task, work));
        } else {
            let why = findings.first().cloned().unwrap_or_default();
            self.give_task_up(task, why, cause::of_checks(&self.now));
        }
    }

    pub(super) fn give_task_up(
        &mut self,
        task: usize,
        why: String,
        category: Option<FailureCategory>,
    ) {
        self.note(PhaseFact::TaskGivenUp { task, why, category });
        self.next_task();
    }

    /// Has the phase repaired, as often as that is allowed, and rejects it otherwise.
    pub(super) fn repair(&mut self, findings: Vec<String>) {
        if self.now.tries.repairs < self.run.given.limits.phase_debugs {
            self.note(PhaseFact::SentBack { to: SentBack::Repair, findings });
            self.enter(Stage::Repair);
        } else {
            let why = findings.first().cloned().unwrap_or_default();
            let why = format!("still broken after {} repairs: {why}", self.now.tries.repairs);
            self.reject(why, cause::of_work(&self.now));
        }
    }

    /// Has the phase planned anew, as often as that is allowed, and rejects it otherwise.
    pub(super) fn replan(&mut self, why: &str, findings: Vec<String>) {
        if self.now.tries.replans < self.run.given.limits.replans {
            self.note(PhaseFact::SentBack { to: SentBack::Replan, findings });
            self.enter(Stage::Research);
        } else {
            self.reject(why.to_owned(), FailureCategory::AcceptanceCriteriaUnmet);
        }
    }

    /// Gives the phase up, with what that teaches those that come after it.
    pub(super) fn reject(&mut self, why: String, category: FailureCategory) {
        let rule = category.prevention().to_owned();
        self.note(PhaseFact::Learned { category, rule });
        self.enter(Stage::Reject(why));
    }

    /// Closes the phase, and with a failed one everything that waits for it.
    pub(super) fn close(&mut self, close: Close) {
        let failed = matches!(close, Close::Failed { .. });
        let of_whole = parts::closed(self, &close);
        self.note(PhaseFact::Closed(close));
        self.facts.extend(of_whole);
        if failed {
            for at in self.work.graph.dependents(self.at) {
                self.facts.push(Fact::Phase {
                    phase: self.work.list[at].spec.id,
                    fact: PhaseFact::Closed(Close::Blocked { by: self.phase.spec.id }),
                });
            }
        }
    }

    pub(super) fn halt(&mut self, why: String) {
        self.facts.push(Fact::Finished(Ending::Halted { why }));
    }

    /// Puts a task before a person, or takes the answer that is already there.
    fn ask(&mut self, task: usize) {
        let stage = Stage::Human(task);
        let step = stage.step(&self.phase.spec.id, self.now.task_name(task));
        let gate = crate::id::GateId::new(step.as_str());
        self.enter(stage);
        if let Some(answer) = self.run.answers.get(&gate) {
            self.take_answer(task, answer.approved, &answer.message.clone());
        } else {
            let task = &self.now.tasks[task];
            let question = question(task);
            self.facts.push(Fact::Asked { gate, question });
        }
    }

    /// A person's word on a task is final either way.
    pub(super) fn take_answer(&mut self, task: usize, approved: bool, message: &str) {
        if approved {
            let commit = self.now.head.clone();
            self.note(PhaseFact::TaskDone { task, commit });
            self.next_task();
        } else {
            // No command can prove the person wrong, so nothing later may pass over it.
            let why = format!("a person said no: {message}");
            let category = Some(FailureCategory::ExecutorWrongApproach);
            self.note(PhaseFact::TaskGivenUp { task, why: why.clone(), category });
            self.reject(why, FailureCategory::ExecutorWrongApproach);
        }
    }
}
