//! What a debug session owes to the world: one effect for each stage.

use super::{DebugSession, DebugStage};
use crate::{
    effect::{AgentTask, CheckTask, CommitTask, Effect, Freeze, IntegrateTask, Owed},
    evidence::{Check, CheckKind},
    id::CommitId,
    phases::{Brief, DebugEnd, Phases, brief::SessionTold, checks, owed::one_line},
    returns::Sitting,
    role::Role,
    run::Run,
    time::{MINUTE_MS, SECOND_MS},
};

/// The name of the check that shows the fault.
pub(super) const REPRODUCTION: &str = "debug/reproduction";

/// What is owed, where there is a session that is not over.
pub(in crate::phases) fn owed(run: &Run, work: &Phases) -> Option<Owed> {
    let session = work.debug.as_deref()?;
    let key = run.ledger.key(session.stage.step()?);
    let stagehand = Stagehand { run, work, session };
    Some(Owed { key, effect: stagehand.effect()? })
}

/// What must hold when the session is over: the guards, and what shows the fault.
pub(super) fn checks(run: &Run, session: &DebugSession) -> Vec<Check> {
    let shows = session.spec.reproduction.iter().map(|criterion| {
        let mut criterion = criterion.clone();
        checks::count(&run.given.counts, &mut criterion);
        Check { name: REPRODUCTION.to_owned(), kind: CheckKind::Criterion, criterion }
    });
    shows.chain(checks::guards(run)).collect()
}

/// Everything an effect is made from.
struct Stagehand<'a> {
    run: &'a Run,
    work: &'a Phases,
    session: &'a DebugSession,
}

impl Stagehand<'_> {
    fn effect(&self) -> Option<Effect> {
        let head = &self.work.head;
        Some(match &self.session.stage {
            DebugStage::Base => self.check(head),
            DebugStage::Investigate => self.agent(),
            DebugStage::Check(work) => self.check(&work.commit),
            DebugStage::Commit(work) => Effect::Commit(CommitTask {
                parent: head.clone(),
                work: work.commit.clone(),
                freeze: self.freeze(),
                new: Vec::new(),
                papers: Vec::new(),
                message: self.message(),
                date: self.session.entered_at,
            }),
            DebugStage::File(end, commit) => self.file(*end, commit),
            DebugStage::Integrate(_, commit) => Effect::Integrate(IntegrateTask {
                phase: None,
                from: head.clone(),
                commit: commit.clone(),
                papers: Vec::new(),
                pictures: Vec::new(),
                mark: false,
                date: self.session.entered_at,
            }),
            DebugStage::Checkpoint | DebugStage::Over(..) => return None,
        })
    }

    fn agent(&self) -> Effect {
        let limits = &self.run.given.limits;
        let run_ms = limits.run_minutes.saturating_mul(MINUTE_MS);
        let left_ms = run_ms.saturating_sub(self.run.spent.busy_ms).max(MINUTE_MS);
        let head = &self.work.head;
        Effect::Agent(Box::new(AgentTask {
            role: Role::Debugger,
            agent: self.run.agent_for(Role::Debugger).clone(),
            sitting: Sitting::First,
            phase: None,
            task: None,
            base: self.session.left.as_ref().unwrap_or(head).clone(),
            judged_by: head.clone(),
            planned: None,
            brief: self.brief(),
            handover: None,
            time_ms_max: limits.step_minutes.saturating_mul(MINUTE_MS).min(left_ms),
            silence_ms_max: limits.stall_seconds.saturating_mul(SECOND_MS),
        }))
    }

    fn brief(&self) -> Brief {
        let criteria = checks(self.run, self.session).into_iter().map(|check| check.criterion);
        Brief {
            criteria: criteria.collect(),
            session: Some(SessionTold {
                file: self.session.to_markdown(),
                goal: self.session.spec.goal,
                is_gathered: self.session.is_gathered,
                next_action: self.session.focus.next_action.clone(),
            }),
            ..Brief::default()
        }
    }

    fn check(&self, commit: &CommitId) -> Effect {
        let limits = &self.run.given.limits;
        let held = self.session.baseline.iter().filter(|result| result.verdict.is_passed());
        let red = self.session.baseline.iter().filter(|result| result.was_red());
        Effect::Check(CheckTask {
            commit: commit.clone(),
            freeze: self.freeze(),
            held: held.map(|result| result.name.clone()).collect(),
            red: red.map(|result| result.name.clone()).collect(),
            prepare: self.run.given.prepare.clone(),
            checks: checks(self.run, self.session),
            criterion_ms_max: limits.check_seconds.saturating_mul(SECOND_MS),
            guard_ms_max: limits.guard_seconds.saturating_mul(SECOND_MS),
        })
    }

    fn freeze(&self) -> Freeze {
        Freeze::of(self.work.head.clone(), self.session.accepted.iter())
    }

    fn message(&self) -> String {
        let known = &self.session.resolution;
        let fix = if known.fix.trim().is_empty() { &self.session.spec.trigger } else { &known.fix };
        let category = self.session.category().map_or("uncategorised", |category| category.name());
        format!(
            "{}\n\nRoot cause: {}\nFailure category: {category}\n",
            one_line(&format!("fix: {fix}")),
            one_line(&known.root_cause),
        )
    }

    fn file(&self, end: DebugEnd, commit: &CommitId) -> Effect {
        let slug = &self.session.spec.slug;
        let word = if end == DebugEnd::Resolved { "resolved" } else { "diagnosed" };
        Effect::Commit(CommitTask {
            parent: commit.clone(),
            work: commit.clone(),
            freeze: Freeze::as_it_is(commit.clone()),
            new: Vec::new(),
            papers: vec![self.session.paper()],
            message: one_line(&format!("docs(debug): {word} {slug}")),
            date: self.session.entered_at,
        })
    }
}
