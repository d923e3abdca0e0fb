//! What a plan leaves to a person's eyes waits for the end of the run, and only where a verifier is not sure by itself.

use crate::{
    fact::Fact,
    id::GateId,
    input::Answer,
    phases::{
        Active, Awaited, Phase, PhaseFact, Phases, Stage, TaskEnd, Verdict, question::question,
        turn::Turn,
    },
    policy::{Deferral, FailureCategory, HumanVerdict, deferral, integrity::Justification},
    returns::Verification,
    roadmap::{PhaseId, Task, TaskKind},
    run::Run,
};

/// Leaves a task to a person, after everything else; says whether it is one that can wait.
pub(super) fn leave(turn: &mut Turn<'_>, task: usize) -> bool {
    let can_wait = turn.now.tasks.get(task).is_some_and(|task| task.kind == TaskKind::HumanVerify);
    if can_wait {
        turn.note(PhaseFact::Deferred { task });
    }
    can_wait
}

/// Why a verifier's word says nothing about what waits for a person, where something does.
pub(super) fn unfounded(run: &Run, active: &Active, word: &Verification) -> Option<String> {
    (word.pass && weighed(run, active, word) == Some(Deferral::Unfounded)).then(|| {
        "the plan leaves something to a person, and the verifier neither tried to settle it nor said why that cannot be \
         done"
            .to_owned()
    })
}

/// Whether a verifier's word leaves something to a person.
pub(super) fn needs_person(run: &Run, active: &Active, word: &Verification) -> bool {
    matches!(weighed(run, active, word), Some(Deferral::Needed | Deferral::Unfounded))
}

/// Why a person must look, as the plan tells it.
pub(super) fn justification(active: &Active) -> Justification {
    let asked: Vec<&Task> = active.deferred().map(|task| &active.tasks[task]).collect();
    let (auto_tasks_passed, auto_tasks_total) = auto_tasks(active);
    let descriptions: Vec<String> = asked.iter().map(|task| question(task)).collect();
    Justification {
        checkpoint_task_id: asked.first().map_or_else(String::new, |task| task.id.to_string()),
        task_description: descriptions.join("\n"),
        auto_tasks_passed,
        auto_tasks_total,
    }
}

/// Tasks of agents that are done, and all tasks of agents.
pub(super) fn auto_tasks(active: &Active) -> (u32, u32) {
    let own = active.tasks.iter().enumerate().filter(|(_, task)| !task.kind.needs_a_person());
    let done = own.clone().filter(|(at, _)| active.ends.get(*at) == Some(&TaskEnd::Done));
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    (number(done.count()), number(own.count()))
}

/// Takes a verifier's word on what waits for a person.
pub(super) fn settle(turn: &mut Turn<'_>, word: &Verification) {
    match weighed(turn.run, &turn.now, word) {
        Some(Deferral::Resolved) => turn.note(PhaseFact::SettledAlone),
        Some(Deferral::Needed | Deferral::Unfounded) => {
            let evidence = word.deferral_evidence.clone();
            turn.note(PhaseFact::NeedsPerson { evidence });
        }
        None => {}
    }
}

fn weighed(run: &Run, active: &Active, word: &Verification) -> Option<Deferral> {
    active.deferred().next()?;
    Some(deferral(
        word.autonomous_resolution_attempted,
        word.autonomous_confidence,
        word.deferral_evidence.iter().any(|line| !line.trim().is_empty()),
        run.given.manner.deferral,
    ))
}

/// What a person must still look at when the phase is complete.
pub(super) fn awaited(active: &Active) -> Vec<Awaited> {
    let Some(evidence) = &active.needs_person else { return Vec::new() };
    let task = |task: usize| {
        let task = &active.tasks[task];
        let question = question(task);
        let (task, evidence) = (task.id.to_string(), evidence.clone());
        Awaited { task, question, evidence, verdict: None, looked_at: None }
    };
    active.deferred().map(task).collect()
}

/// Whether a phase that is complete so far, or one of its parts, waits for a person.
pub(super) fn waits(work: &Phases, phase: &Phase, active: &Active) -> bool {
    let mut parts = work.parts_of(phase.spec.id);
    !awaited(active).is_empty() || parts.any(|part| !part.awaits().is_empty())
}

/// Asks everything that waits for a person, once nothing else is left; answers that are there already are taken.
pub(super) fn ask(run: &Run, work: &Phases) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (phase, awaited) in open(work) {
        let gate = gate(phase, &awaited.task);
        if let Some(answer) = run.answers.get(&gate) {
            facts.extend(looked(phase, &awaited.task, answer));
        } else if !run.asked.contains_key(&gate) {
            let evidence: String = awaited
                .evidence
                .iter()
                .map(|line| format!("\nwhy you are asked: {line}"))
                .collect();
            facts.push(Fact::Asked { gate, question: format!("{}{evidence}", awaited.question) });
        }
    }
    facts
}

/// Whether something waits for a person.
pub(super) fn is_open(work: &Phases) -> bool {
    open(work).next().is_some()
}

/// What follows from a person's word on a phase that is complete but for that.
pub(super) fn answered(work: &Phases, gate: &GateId, answer: &Answer) -> Vec<Fact> {
    let found = open(work).find(|(phase, awaited)| self::gate(*phase, &awaited.task) == *gate);
    found.map_or_else(Vec::new, |(phase, awaited)| looked(phase, &awaited.task, answer))
}

fn open(work: &Phases) -> impl Iterator<Item = (PhaseId, &Awaited)> {
    work.list.iter().flat_map(|phase| {
        // What is not on the run branch after all is nothing to look at.
        let whole = phase.part_of.and_then(|whole| work.place(&whole));
        let is_there = whole.is_none_or(|at| !work.list[at].is_failed());
        let awaits = phase.awaits().iter();
        let open = awaits.filter(move |awaited| is_there && awaited.verdict.is_none());
        open.map(|awaited| (phase.spec.id, awaited))
    })
}

fn gate(phase: PhaseId, task: &str) -> GateId {
    GateId::new(Stage::Human(0).step(&phase, task).as_str())
}

fn looked(phase: PhaseId, task: &str, answer: &Answer) -> Vec<Fact> {
    let of_phase = |fact| Fact::Phase { phase, fact };
    let verdict = Verdict {
        verdict: verdict_of(answer),
        by: answer.by.clone(),
        message: answer.message.clone(),
    };
    let mut facts = vec![of_phase(PhaseFact::Looked { task: task.to_owned(), verdict })];
    if !answer.approved {
        let category = FailureCategory::AcceptanceCriteriaUnmet;
        let rule = format!("A person found fault with task {task}: {}", answer.message);
        facts.push(of_phase(PhaseFact::Learned { category, rule }));
    }
    facts
}

/// A no that says what is wrong is worth more than one that does not.
fn verdict_of(answer: &Answer) -> HumanVerdict {
    match (answer.approved, answer.message.trim().is_empty()) {
        (true, _) => HumanVerdict::Pass,
        (false, true) => HumanVerdict::Fail,
        (false, false) => HumanVerdict::IssuesFound,
    }
}

impl Active {
    /// The tasks that wait for a person.
    pub(crate) fn deferred(&self) -> impl Iterator<Item = usize> + '_ {
        let ends = self.ends.iter().enumerate();
        ends.filter(|(_, end)| **end == TaskEnd::Deferred).map(|(task, _)| task)
    }
}
