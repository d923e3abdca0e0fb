//! What the look at a finished run owes to the world: one effect for each stage.

use super::{Closing, FinaleStage, Gap, decide::completed};
use crate::{
    effect::{AgentTask, CheckTask, CommitTask, Effect, Freeze, IntegrateTask, Owed},
    evidence::Check,
    id::CommitId,
    phases::{Brief, Phases, brief::Delivered, checks, owed::one_line, recheck},
    returns::Sitting,
    role::Role,
    run::Run,
    time::{MINUTE_MS, SECOND_MS},
};

/// What is owed, where the look has begun and is not over.
pub(in crate::phases) fn owed(run: &Run, work: &Phases) -> Option<Owed> {
    let closing = work.finale.closing()?;
    let key = run.ledger.key(closing.stage.step()?);
    let stagehand = Stagehand { run, work, closing };
    Some(Owed { key, effect: stagehand.effect()? })
}

/// What must stay true: the guards, and what every completed phase has promised.
pub(super) fn checks(run: &Run, work: &Phases) -> Vec<Check> {
    let promised = completed(work).flat_map(|phase| recheck::promises(run, phase));
    checks::guards(run).into_iter().chain(promised).collect()
}

/// Everything an effect is made from.
struct Stagehand<'a> {
    run: &'a Run,
    work: &'a Phases,
    closing: &'a Closing,
}

impl Stagehand<'_> {
    fn effect(&self) -> Option<Effect> {
        let head = &self.work.head;
        Some(match &self.closing.stage {
            FinaleStage::Integration => self.agent(Role::IntegrationChecker, None),
            FinaleStage::Audit => self.agent(Role::Auditor, None),
            FinaleStage::Base => self.check(head),
            FinaleStage::Repair(gap) => {
                self.agent(Role::Executor, Some(self.closing.gaps.get(*gap)?))
            }
            FinaleStage::Check(_, work) => self.check(&work.commit),
            FinaleStage::Commit(gap, work) => {
                let Gap { requirement, what, .. } = self.closing.gaps.get(*gap)?;
                let subject = format!("fix(audit): close {requirement} gap - {what}");
                Effect::Commit(CommitTask {
                    parent: head.clone(),
                    work: work.commit.clone(),
                    freeze: self.freeze(),
                    new: Vec::new(),
                    papers: Vec::new(),
                    message: one_line(&subject),
                    date: self.closing.entered_at,
                })
            }
            FinaleStage::Integrate(_, commit) => Effect::Integrate(IntegrateTask {
                phase: None,
                from: head.clone(),
                commit: commit.clone(),
                papers: Vec::new(),
                pictures: Vec::new(),
                mark: false,
                date: self.closing.entered_at,
            }),
            FinaleStage::Over => return None,
        })
    }

    fn agent(&self, role: Role, gap: Option<&Gap>) -> Effect {
        let limits = &self.run.given.limits;
        let run_ms = limits.run_minutes.saturating_mul(MINUTE_MS);
        let left_ms = run_ms.saturating_sub(self.run.spent.busy_ms).max(MINUTE_MS);
        Effect::Agent(Box::new(AgentTask {
            role,
            agent: self.run.agent_for(role).clone(),
            sitting: Sitting::First,
            phase: gap.and_then(|gap| gap.phase),
            task: None,
            base: self.work.head.clone(),
            judged_by: self.work.head.clone(),
            planned: None,
            brief: self.brief(gap),
            handover: None,
            time_ms_max: limits.step_minutes.saturating_mul(MINUTE_MS).min(left_ms),
            silence_ms_max: limits.stall_seconds.saturating_mul(SECOND_MS),
        }))
    }

    /// Whoever looks is told what was asked for, and on a second look what was missing; whoever repairs, what is missing.
    fn brief(&self, gap: Option<&Gap>) -> Brief {
        let delivered = completed(self.work).map(|phase| Delivered::of(&phase.spec)).collect();
        let is_again = self.closing.counts.is_some();
        let missing = self.closing.open().filter(|_| is_again).map(|(_, gap)| gap.clone());
        Brief {
            roadmap: self.run.given.roadmap.clone(),
            delivered,
            missing: if gap.is_some() { Vec::new() } else { missing.collect() },
            gap: gap.cloned(),
            findings: gap.map(|gap| gap.findings.clone()).unwrap_or_default(),
            lessons: if gap.is_some() { self.work.lessons.clone() } else { Vec::new() },
            ..Brief::default()
        }
    }

    fn check(&self, commit: &CommitId) -> Effect {
        let limits = &self.run.given.limits;
        let held = self.closing.baseline.iter().filter(|result| result.verdict.is_passed());
        let red = self.closing.baseline.iter().filter(|result| result.was_red());
        Effect::Check(CheckTask {
            commit: commit.clone(),
            freeze: self.freeze(),
            held: held.map(|result| result.name.clone()).collect(),
            red: red.map(|result| result.name.clone()).collect(),
            prepare: self.run.given.prepare.clone(),
            checks: checks(self.run, self.work),
            criterion_ms_max: limits.check_seconds.saturating_mul(SECOND_MS),
            guard_ms_max: limits.guard_seconds.saturating_mul(SECOND_MS),
        })
    }

    fn freeze(&self) -> Freeze {
        Freeze::of(self.work.head.clone(), self.closing.accepted.iter())
            .since(&self.run.given.base, &self.work.granted)
    }
}
