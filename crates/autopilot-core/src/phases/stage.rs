//! Where a phase stands.

use serde::{Deserialize, Serialize};

use crate::{
    id::Step,
    input::{Seed, Work},
    phases::calibrate::stage_of,
    returns::Score,
    roadmap::PhaseId,
    role::Role,
};

/// The nine steps that people see, in order.
pub const STEPS: [&str; 9] =
    ["PREFLIGHT", "TRIAGE", "RESEARCH", "PLAN", "PLAN-CHECK", "EXECUTE", "VERIFY", "JUDGE", "RATE"];

/// The one thing a phase is doing now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Stage {
    /// Seeing that nothing the phase rests on has moved.
    Preflight,
    /// Running the phase's own criteria and the guards on the base: perhaps it is done already.
    Triage,
    /// Running criteria that hold already on the commit that the run began with: who made them hold?
    Origin,
    /// The engine breaks what this run brought so far, to see whether these criteria, by name, can go red.
    OriginCanary(Vec<String>),
    /// The engine writes down what must hold, where nobody plans the phase.
    Outline,
    /// A researcher looks into the project.
    Research,
    /// A planner writes the plan.
    Plan,
    /// A plan-checker looks at it.
    PlanCheck(Work),
    /// The engine commits it.
    PlanCommit(Work),
    /// The engine runs the criteria of the plan's tasks on the base, to see what is red before the work.
    Baseline,
    /// The phase is done in parts, which are phases themselves.
    Parts,
    /// An executor does a task, by its place in the plan.
    Execute(usize),
    /// The engine runs the task's criteria.
    TaskCheck(usize, Work),
    /// The engine runs the same checks with every edit of protected files in effect: of a task, or of a repair.
    RequestCheck(Option<usize>, Work),
    /// A person decides on these edits.
    Request(Option<usize>, Work),
    /// A debugger repairs the task.
    TaskFix(usize, Work),
    /// The engine commits it.
    TaskCommit(usize, Work),
    /// A person does or looks at a task.
    Human(usize),
    /// The engine runs every criterion of the phase in a clean checkout.
    Replay,
    /// The engine breaks the work in copies of it, to see whether what is newly green can go red.
    Canary,
    /// The engine breaks the work for a role that judges, to see whether it sees that.
    Seed(Role),
    /// That role judges the broken work. To whoever does, it looks like any other.
    Calibrate(Role, Seed),
    /// The engine takes pictures of its pages.
    Look,
    /// A verifier checks the phase blind.
    Verify,
    /// A judge gives a second opinion.
    Judge,
    /// The judge sees what the verifier found, and says where the two differ.
    Compare,
    /// A rater scores it.
    Rate,
    /// A debugger repairs the phase as a whole.
    Repair,
    /// The engine runs every criterion on the repaired phase in a clean checkout.
    RepairCheck(Work),
    /// The engine commits the repair.
    RepairCommit(Work),
    /// A person approves of the phase in the place of reviewers without a vote.
    Approve(Score),
    /// The engine moves the run branch forward.
    Integrate(Score),
    /// The engine puts rejected work aside.
    Reject(String),
}

impl Stage {
    /// The step under which the stage's effect is kept in the books.
    pub fn step(&self, phase: &PhaseId, task: &str) -> Step {
        let name = self.name();
        match self.task() {
            Some(_) => Step::new(format!("{phase}/{name}/{task}")),
            None => Step::new(format!("{phase}/{name}")),
        }
    }

    /// The name of the step.
    ///
    /// Names are chosen so that no step's path is the beginning of another's: they become branch names.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Preflight => "preflight",
            Self::Triage => "triage",
            Self::Origin => "origin",
            Self::OriginCanary(_) => "origin-canary",
            Self::Outline => "outline",
            Self::Research => "research",
            Self::Plan => "plan",
            Self::PlanCheck(_) => "plan-check",
            Self::PlanCommit(_) => "plan-commit",
            Self::Baseline => "baseline",
            Self::Parts => "parts",
            Self::Execute(_) => "execute",
            Self::TaskCheck(..) => "check",
            Self::RequestCheck(..) => "request-check",
            Self::Request(..) => "request",
            Self::TaskFix(..) => "fix",
            Self::TaskCommit(..) => "commit",
            Self::Human(_) => "human",
            Self::Replay => "replay",
            Self::Canary => "canary",
            Self::Seed(_) => "seed",
            // Whoever judges must not see the difference, not even in the name of a directory.
            Self::Calibrate(role, _) => stage_of(*role).name(),
            Self::Look => "look",
            Self::Verify => "verify",
            Self::Judge => "judge",
            Self::Compare => "compare",
            Self::Rate => "rate",
            Self::Repair => "repair",
            Self::RepairCheck(_) => "repair-check",
            Self::RepairCommit(_) => "repair-commit",
            Self::Approve(_) => "approve",
            Self::Integrate(_) => "integrate",
            Self::Reject(_) => "reject",
        }
    }

    /// The task the stage is about, by its place in the plan.
    pub const fn task(&self) -> Option<usize> {
        match self {
            Self::RequestCheck(task, _) | Self::Request(task, _) => *task,
            Self::Execute(task)
            | Self::TaskCheck(task, _)
            | Self::TaskFix(task, _)
            | Self::TaskCommit(task, _)
            | Self::Human(task) => Some(*task),
            Self::Preflight
            | Self::Triage
            | Self::Origin
            | Self::OriginCanary(_)
            | Self::Outline
            | Self::Research
            | Self::Plan
            | Self::PlanCheck(_)
            | Self::PlanCommit(_)
            | Self::Baseline
            | Self::Parts
            | Self::Replay
            | Self::Canary
            | Self::Look
            | Self::Seed(_)
            | Self::Calibrate(..)
            | Self::Approve(_)
            | Self::Verify
            | Self::Judge
            | Self::Compare
            | Self::Rate
            | Self::Repair
            | Self::RepairCheck(_)
            | Self::RepairCommit(_)
            | Self::Integrate(_)
            | Self::Reject(_) => None,
        }
    }

    /// The work that the stage is about and that does not stand yet.
    pub const fn work(&self) -> Option<&Work> {
        match self {
            Self::PlanCheck(work)
            | Self::PlanCommit(work)
            | Self::TaskCheck(_, work)
            | Self::RequestCheck(_, work)
            | Self::Request(_, work)
            | Self::TaskFix(_, work)
            | Self::TaskCommit(_, work)
            | Self::RepairCheck(work)
            | Self::RepairCommit(work) => Some(work),
            Self::Preflight
            | Self::Triage
            | Self::Origin
            | Self::OriginCanary(_)
            | Self::Outline
            | Self::Research
            | Self::Plan
            | Self::Baseline
            | Self::Parts
            | Self::Execute(_)
            | Self::Human(_)
            | Self::Replay
            | Self::Canary
            | Self::Look
            | Self::Seed(_)
            | Self::Calibrate(..)
            | Self::Verify
            | Self::Judge
            | Self::Compare
            | Self::Rate
            | Self::Repair
            | Self::Approve(_)
            | Self::Integrate(_)
            | Self::Reject(_) => None,
        }
    }

    /// Whether the engine runs checks on work in this stage, or waits for a person's word on their result.
    pub(super) const fn runs_checks(&self) -> bool {
        matches!(
            self,
            Self::TaskCheck(..)
                | Self::RequestCheck(..)
                | Self::Request(..)
                | Self::Replay
                | Self::RepairCheck(_)
        )
    }

    /// The role that works in this stage, where an agent does.
    pub const fn role(&self) -> Option<Role> {
        match self {
            Self::Research => Some(Role::Researcher),
            Self::Plan => Some(Role::Planner),
            Self::PlanCheck(_) => Some(Role::PlanChecker),
            Self::Execute(_) => Some(Role::Executor),
            Self::TaskFix(..) | Self::Repair => Some(Role::Debugger),
            Self::Verify => Some(Role::Verifier),
            Self::Judge | Self::Compare => Some(Role::Judge),
            Self::Rate => Some(Role::Rater),
            Self::Calibrate(role, _) => Some(*role),
            Self::Preflight
            | Self::Triage
            | Self::Origin
            | Self::OriginCanary(_)
            | Self::Outline
            | Self::PlanCommit(_)
            | Self::Baseline
            | Self::Parts
            | Self::RequestCheck(..)
            | Self::Request(..)
            | Self::TaskCheck(..)
            | Self::TaskCommit(..)
            | Self::Human(_)
            | Self::Replay
            | Self::Canary
            | Self::Look
            | Self::Seed(_)
            | Self::Approve(_)
            | Self::RepairCheck(_)
            | Self::RepairCommit(_)
            | Self::Integrate(_)
            | Self::Reject(_) => None,
        }
    }

    /// The place of the stage among the nine steps that people see, from 0.
    pub const fn shown_as(&self) -> usize {
        match self {
            Self::Preflight => 0,
            Self::Triage | Self::Origin | Self::OriginCanary(_) | Self::Outline => 1,
            Self::Research => 2,
            Self::Plan => 3,
            Self::PlanCheck(_) | Self::PlanCommit(_) | Self::Baseline => 4,
            Self::Parts
            | Self::Execute(_)
            | Self::TaskCheck(..)
            | Self::RequestCheck(Some(_), _)
            | Self::Request(Some(_), _)
            | Self::TaskFix(..)
            | Self::TaskCommit(..)
            | Self::Human(_) => 5,
            Self::Judge
            | Self::Compare
            | Self::Seed(Role::Judge)
            | Self::Calibrate(Role::Judge, _) => 7,
            Self::Rate
            | Self::Seed(Role::Rater)
            | Self::Calibrate(Role::Rater, _)
            | Self::Approve(_)
            | Self::Integrate(_)
            | Self::Reject(_) => 8,
            Self::Replay
            | Self::Canary
            | Self::Look
            | Self::Seed(_)
            | Self::Calibrate(..)
            | Self::Verify
            | Self::Repair
            | Self::RepairCheck(_)
            | Self::RequestCheck(None, _)
            | Self::Request(None, _)
            | Self::RepairCommit(_) => 6,
        }
    }
}
