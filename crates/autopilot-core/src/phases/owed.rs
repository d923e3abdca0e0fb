//! What active phases owe to the world: one effect for each stage.

use crate::{
    effect::{
        AgentTask, CanaryTask, CheckTask, CommitTask, Effect, Freeze, Handover, IntegrateTask,
        Owed, PlanAt, Preflight, RejectTask,
    },
    evidence::{Check, CheckResult},
    id::CommitId,
    input::Work,
    phases::{
        Accepted, Active, Phase, Phases, Stage, brief::brief, canary, checks, debugging, deferral,
        finale, mark, origin, outline, papers, recheck, release, talk, visual,
    },
    returns::Sitting,
    role::Role,
    run::Run,
    time::{MINUTE_MS, SECOND_MS},
};

/// Longer commit subjects are cut.
const SUBJECT_CHARS_MAX: usize = 100;

/// What the active phases owe, and the run when there are none any more.
pub fn owed(run: &Run, work: &Phases) -> Vec<Owed> {
    let of_phases = work.active.iter().filter_map(|&at| {
        let phase = work.list.get(at)?;
        let crate::phases::Status::Active(active) = &phase.status else {
            return None;
        };
        let task = active.stage.task().map_or("", |task| active.task_name(task));
        let key = run.ledger.key(active.stage.step(&phase.spec.id, task));
        let effect = Stagehand { run, work, phase, active }.effect()?;
        Some(Owed { key, effect })
    });
    let of_run = finale::owed(run, work)
        .or_else(|| release::owed(run, work))
        .or_else(|| debugging::owed(run, work));
    let rest = [of_run, recheck::owed(run, work), talk::owed(run, work), mark::owed(run, work)];
    of_phases.chain(rest.into_iter().flatten()).collect()
}

/// Everything an effect is made from.
struct Stagehand<'a> {
    run: &'a Run,
    work: &'a Phases,
    phase: &'a Phase,
    active: &'a Active,
}

impl Stagehand<'_> {
    fn effect(&self) -> Option<Effect> {
        let head = &self.active.head;
        // Whoever could not go on may have left something to go on with.
        let from = |base| self.active.resume.as_ref().unwrap_or(base);
        Some(match &self.active.stage {
            Stage::Preflight => self.preflight(),
            Stage::Triage => {
                self.check(&self.active.base, checks::of_triage(self.run, self.phase, self.active))
            }
            Stage::Origin => self.origin(),
            Stage::OriginCanary(names) => self.origin_canary(names),
            Stage::Baseline => {
                self.check(&self.active.base, checks::of_tasks(self.run, self.phase, self.active))
            }
            Stage::Replay => self.check(head, self.all_checks()),
            Stage::RepairCheck(work) => self.check(&work.commit, self.all_checks()),
            Stage::Canary => {
                Effect::Canary(self.break_by(canary::wanted(self.run, self.phase, self.active)))
            }
            Stage::TaskCheck(task, work) => {
                let checks = checks::of_task_work(self.run, self.phase, self.active, *task, work);
                self.check(&work.commit, checks)
            }
            Stage::Look => Effect::Look(Box::new(visual::task(self.run, self.active)?)),
            Stage::Seed(_) => Effect::Seed(self.break_by(self.standing())),
            Stage::Calibrate(role, seed) => self.agent(*role, &seed.commit),
            Stage::Research => self.agent(Role::Researcher, head),
            Stage::Plan => self.agent(Role::Planner, from(head)),
            Stage::PlanCheck(work) => self.agent(Role::PlanChecker, &work.commit),
            Stage::Execute(_) => self.agent(Role::Executor, from(head)),
            Stage::TaskFix(_, work) => self.agent(Role::Debugger, from(&work.commit)),
            Stage::Verify => self.agent(Role::Verifier, head),
            Stage::Judge | Stage::Compare => self.agent(Role::Judge, head),
            Stage::Rate => self.agent(Role::Rater, head),
            Stage::Repair => {
                self.agent(Role::Debugger, from(self.active.unfinished.as_ref().unwrap_or(head)))
            }
            Stage::Outline => self.outline(),
            Stage::PlanCommit(work) => {
                let subject =
                    format!("docs({}): plan - {}", self.phase.spec.id, self.phase.spec.name);
                self.commit(work, subject)
            }
            Stage::TaskCommit(task, work) => {
                let task = self.active.tasks.get(*task)?;
                let subject = format!("feat({}): {} - {}", self.phase.spec.id, task.id, task.name);
                self.commit(work, subject)
            }
            Stage::RepairCommit(work) => {
                let tries = self.active.tries.repairs + self.active.tries.remedies;
                let why = self.active.findings.first().map_or("", String::as_str);
                let subject = format!("fix({}): repair {tries} - {why}", self.phase.spec.id);
                self.commit(work, subject)
            }
            Stage::RequestCheck(task, work) => self.request_check(*task, work),
            Stage::Human(_) | Stage::Request(..) | Stage::Approve(_) | Stage::Parts => return None,
            Stage::Integrate(_) => Effect::Integrate(IntegrateTask {
                phase: Some(self.phase.spec.id),
                from: self.work.head.clone(),
                commit: head.clone(),
                papers: papers::papers(self.phase, self.active)
                    .into_iter()
                    .chain(talk::paper(self.run, self.work, self.phase))
                    .collect(),
                pictures: self.active.visual.right(),
                mark: !deferral::waits(self.work, self.phase, self.active),
                date: self.active.entered_at,
            }),
            Stage::Reject(_) => self.reject(),
        })
    }

    fn reject(&self) -> Effect {
        Effect::Reject(RejectTask {
            phase: self.phase.spec.id,
            base: self.active.base.clone(),
            commit: self.active.head.clone(),
            work: self.active.last_work.clone(),
            papers: papers::papers(self.phase, self.active),
            date: self.active.entered_at,
        })
    }

    /// The checks of a task or of the whole phase, with every edit of protected files in effect.
    fn request_check(&self, task: Option<usize>, work: &Work) -> Effect {
        let checks = match task {
            Some(task) => checks::of_task_work(self.run, self.phase, self.active, task, work),
            None => self.all_checks(),
        };
        self.check_as(&work.commit, checks, self.freeze_with_all(work))
    }

    fn preflight(&self) -> Effect {
        let (head, frozen) = (self.work.head.clone(), self.run.frozen());
        // What is done again is planned again.
        let plan = (!self.phase.spec.is_again()).then(|| PlanAt {
            directory: self.phase.spec.directory.clone(),
            origin: self.run.given.base.clone(),
        });
        Effect::Preflight(Preflight { head, frozen, plan })
    }

    /// Criteria that hold already, on the commit that the run began with.
    fn origin(&self) -> Effect {
        let start = &self.run.given.base;
        let checks = origin::doubted(self.run, self.phase, self.active);
        self.check_as(start, checks, Freeze::as_it_is(start.clone()))
    }

    /// These criteria, with what the run brought since then broken.
    fn origin_canary(&self, names: &[String]) -> Effect {
        let mut checks = origin::doubted(self.run, self.phase, self.active);
        checks.retain(|check| names.contains(&check.name));
        let base = &self.active.base;
        let check = self.check_task(base, checks, Freeze::as_it_is(base.clone()));
        Effect::Canary(self.breaking(check, &self.run.given.base))
    }

    fn agent(&self, role: Role, base: &CommitId) -> Effect {
        let limits = &self.run.given.limits;
        let left = |minutes: u64, busy_ms: u64| {
            minutes.saturating_mul(MINUTE_MS).saturating_sub(busy_ms).max(MINUTE_MS)
        };
        let time_ms_max = (limits.step_minutes.saturating_mul(MINUTE_MS))
            .min(left(limits.phase_minutes, self.phase.spent.busy_ms))
            .min(left(limits.run_minutes, self.run.spent.busy_ms));
        let task = self.active.stage.task().and_then(|task| self.active.tasks.get(task));
        Effect::Agent(Box::new(AgentTask {
            role,
            agent: self.run.agent_for(role).clone(),
            sitting: self.sitting(),
            phase: Some(self.phase.spec.id),
            task: task.map(|task| task.id.clone()),
            base: base.clone(),
            judged_by: self.active.base.clone(),
            planned: self.planned(),
            brief: brief((self.run, self.work), self.phase, self.active, role),
            handover: self.handover(),
            time_ms_max,
            silence_ms_max: limits.stall_seconds.saturating_mul(SECOND_MS),
        }))
    }

    /// What whoever goes on finds in the directory of the phase.
    fn handover(&self) -> Option<Handover> {
        self.active.resume.as_ref()?;
        let date = self.active.log.handoff.as_ref()?.at;
        Some(Handover { paper: papers::handoff(self.phase, self.active)?, date })
    }

    fn check(&self, commit: &CommitId, checks: Vec<Check>) -> Effect {
        self.check_as(commit, checks, self.freeze())
    }

    fn check_as(&self, commit: &CommitId, checks: Vec<Check>, freeze: Freeze) -> Effect {
        Effect::Check(self.check_task(commit, checks, freeze))
    }

    fn check_task(&self, commit: &CommitId, checks: Vec<Check>, freeze: Freeze) -> CheckTask {
        let limits = &self.run.given.limits;
        let baseline = self.active.baseline.iter();
        let named = |is: fn(&CheckResult) -> bool| {
            baseline.clone().filter(|result| is(result)).map(|result| result.name.clone()).collect()
        };
        CheckTask {
            commit: commit.clone(),
            freeze,
            held: named(|result| result.verdict.is_passed()),
            red: named(CheckResult::was_red),
            prepare: self.run.given.prepare.clone(),
            checks,
            criterion_ms_max: limits.check_seconds.saturating_mul(SECOND_MS),
            guard_ms_max: limits.guard_seconds.saturating_mul(SECOND_MS),
        }
    }

    /// Only edits whose content was accepted count.
    fn freeze(&self) -> Freeze {
        let accepted: Vec<&Accepted> = self.active.in_effect().collect();
        Freeze::of(self.active.base.clone(), accepted.iter().copied())
            .since(&self.run.given.base, &self.work.granted)
            .by_plan(self.planned())
    }

    /// The plan that stands; a planner who plans anew writes its test specs anew.
    fn planned(&self) -> Option<CommitId> {
        let is_planning =
            matches!(self.active.stage, Stage::Plan | Stage::PlanCheck(_) | Stage::PlanCommit(_));
        self.active.planned.clone().filter(|_| !is_planning)
    }

    /// As if a person had accepted every edit that waits.
    fn freeze_with_all(&self, work: &Work) -> Freeze {
        let mut freeze = self.freeze();
        for request in work.requests.iter().filter(|request| !self.active.accepts(request)) {
            freeze.accepted.push(request.edit.path.clone());
            freeze.granted.push(request.edit.path.clone());
        }
        freeze
    }

    fn commit(&self, work: &Work, subject: String) -> Effect {
        Effect::Commit(CommitTask {
            parent: self.active.head.clone(),
            work: work.commit.clone(),
            freeze: self.freeze(),
            new: Vec::new(),
            papers: Vec::new(),
            message: one_line(&subject),
            date: self.active.entered_at,
        })
    }

    fn sitting(&self) -> Sitting {
        let is_second = self.active.stage == Stage::Compare;
        if is_second { Sitting::Second } else { Sitting::First }
    }

    fn outline(&self) -> Effect {
        let head = &self.active.head;
        Effect::Commit(CommitTask {
            parent: head.clone(),
            work: head.clone(),
            freeze: Freeze::as_it_is(head.clone()),
            new: vec![outline::plan(self.run, self.phase, self.active)],
            papers: Vec::new(),
            message: one_line(&format!("docs({}): what must hold", self.phase.spec.id)),
            date: self.active.entered_at,
        })
    }

    fn all_checks(&self) -> Vec<Check> {
        checks::all(self.run, self.phase, self.active)
    }

    /// The checks that hold, so that it can be seen when they do not any more.
    fn standing(&self) -> Vec<Check> {
        let holds = |name: &str| {
            let mut results = self.active.checked.iter();
            results.any(|result| result.name == name && result.verdict.is_passed())
        };
        let mut checks = self.all_checks();
        checks.retain(|check| holds(&check.name));
        checks
    }

    fn break_by(&self, checks: Vec<Check>) -> CanaryTask {
        let check = self.check_task(&self.active.head, checks, self.freeze());
        self.breaking(check, &self.active.base)
    }

    fn breaking(&self, check: CheckTask, since: &CommitId) -> CanaryTask {
        CanaryTask {
            check,
            since: since.clone(),
            documents: self.phase.spec.directory.clone(),
            breaks_max: self.run.given.limits.canary_breaks,
        }
    }
}

/// A commit subject from text that others wrote.
pub(super) fn one_line(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let line: String = clean.take(SUBJECT_CHARS_MAX).collect();
    line.trim_end().to_owned()
}
