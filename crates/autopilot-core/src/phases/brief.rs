//! What an agent is told: only what its role may know.

use serde::Serialize;

use crate::{
    evidence::{CheckKind, CheckResult, Criterion},
    id::CommitId,
    issue::IssueBrief,
    phases::{
        Active, Finding, Gap, Lesson, Phase, PhaseSpec, Phases, Stage, Verified, papers,
        question::question,
    },
    policy::{Stamp, stamp},
    returns::{Judgement, Standalone},
    roadmap::{PhaseId, Task},
    role::Role,
};

/// What an agent is told, before it becomes a prompt.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Brief {
    /// The name of the phase.
    pub phase_name: String,
    /// What the phase is for.
    pub goal: String,
    /// What must hold at the end, with the command that shows it.
    pub criteria: Vec<Criterion>,
    /// The directory of the phase's documents.
    pub directory: String,
    /// What research recommends.
    pub approach: Option<String>,
    /// What research found.
    pub key_findings: Vec<String>,
    /// The task at hand.
    pub task: Option<Task>,
    /// The requirements that the phase is there for, for roles that plan.
    pub requirements: Vec<String>,
    /// What could be better about the plan, for roles that work by it.
    pub remarks: Vec<String>,
    /// What must change, from whoever looked last.
    pub findings: Vec<String>,
    /// What the plan leaves to a person, for who may settle it without one.
    pub left_to_a_person: Vec<String>,
    /// New files that nothing refers to, with why nothing must, for who verifies.
    pub standalone: Vec<Standalone>,
    /// Whether scores came out so much alike that whoever judges should look harder.
    pub look_harder: bool,
    /// What failed phases of the same run teach.
    pub lessons: Vec<Lesson>,
    /// What was wrong with earlier returns of this step, for whoever does it again.
    pub refused: Vec<String>,
    /// What the engine saw of the criteria before anybody looked, where nobody worked on the phase.
    pub triage: Vec<Tried>,
    /// The judge's own report, when it is to be put beside what the verifier found.
    pub own_report: Option<Judgement>,
    /// What the verifier found, for a judge whose report is in the books.
    pub verification: Option<Verified>,
    /// The commit the phase started from, for roles that see a diff.
    pub since: Option<CommitId>,
    /// What is done and what remains, where someone before could not go on.
    pub handoff: Option<String>,
    /// The roadmap, for who looks at the result as a whole.
    pub roadmap: String,
    /// What the completed phases were to bring, for the same.
    pub delivered: Vec<Delivered>,
    /// What was missing when they looked last.
    pub missing: Vec<Gap>,
    /// What is missing, for who closes it.
    pub gap: Option<Gap>,
    /// The issue, where the run is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<IssueBrief>,
}

/// What a completed phase was to bring.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Delivered {
    /// Its id.
    pub id: PhaseId,
    /// Its name.
    pub name: String,
    /// What it was for.
    pub goal: String,
    /// What must hold since.
    pub criteria: Vec<Criterion>,
    /// The directory of its documents.
    pub directory: String,
}

impl Delivered {
    /// What a phase was to bring.
    pub fn of(spec: &PhaseSpec) -> Self {
        Self {
            id: spec.id,
            name: spec.name.clone(),
            goal: spec.goal.clone(),
            criteria: spec.criteria.clone(),
            directory: spec.directory.clone(),
        }
    }
}

/// What a command showed that the engine ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// The criterion.
    pub criterion: String,
    /// The command.
    pub command: String,
    /// Whether it held.
    pub holds: bool,
    /// The exit code, where it ended by itself.
    pub exit_code: Option<i32>,
}

/// Tells an agent what it needs for a stage.
pub(super) fn brief(work: &Phases, phase: &Phase, active: &Active, role: Role) -> Brief {
    let spec = &phase.spec;
    let mut brief = Brief {
        phase_name: spec.name.clone(),
        goal: spec.goal.clone(),
        criteria: spec.criteria.clone(),
        directory: spec.directory.clone(),
        ..Brief::default()
    };
    match role {
        Role::Researcher => brief.findings.clone_from(&active.findings),
        Role::Planner => {
            brief.requirements.clone_from(&spec.requirements);
            if let Some(research) = &active.research {
                brief.approach = Some(research.recommended_approach.clone());
                brief.key_findings.clone_from(&research.key_findings);
            }
            brief.findings.clone_from(&active.findings);
            brief.lessons.clone_from(&work.lessons);
        }
        Role::Executor | Role::Debugger => {
            if role == Role::Executor {
                brief.lessons.clone_from(&work.lessons);
            }
            brief.task = active.stage.task().and_then(|task| active.tasks.get(task)).cloned();
            brief.remarks = remarks(active, brief.task.as_ref());
            if brief.task.is_none() || active.stage == Stage::Repair {
                brief.criteria = all_criteria(phase, active);
            }
            brief.findings.clone_from(&active.findings);
        }
        // Whoever judges is told what must hold and what changed, nothing that anyone else thinks of it.
        Role::Verifier | Role::Judge | Role::Rater => {
            brief.criteria = all_criteria(phase, active);
            brief.since = Some(active.base.clone());
            let of_step = active.reviews.refused.iter();
            let of_step = of_step.filter(|refused| refused.step == active.stage.name());
            brief.refused = of_step.map(|refused| refused.what.clone()).collect();
            // Only who has given its own opinion is told of another's.
            if active.stage == Stage::Compare {
                brief.own_report.clone_from(&active.reviews.report);
                brief.verification.clone_from(&active.reviews.verified);
            }
            if role == Role::Verifier {
                if active.tasks.is_empty() {
                    brief.triage = active.baseline.iter().filter_map(tried).collect();
                }
                let left = active.deferred().map(|task| question(&active.tasks[task]));
                brief.left_to_a_person = left.collect();
                brief.standalone.clone_from(&active.log.justified);
            }
            brief.look_harder = stamp(&work.scores) >= Stamp::Enhanced;
        }
        Role::PlanChecker => {
            brief.requirements.clone_from(&spec.requirements);
            brief.remarks = active.remarks.iter().map(Finding::to_string).collect();
        }
        Role::Questioner
        | Role::Auditor
        | Role::IntegrationChecker
        | Role::ConflictResolver
        | Role::StoryWriter
        | Role::IssuePlanner
        | Role::Implementer
        | Role::CoverageChecker
        | Role::CauseAnalyst => {}
    }
    if active.resume.is_some() {
        brief.handoff = papers::handoff(phase, active).map(|paper| paper.text);
    }
    brief
}

/// What could be better about a task, or about the plan as a whole.
fn remarks(active: &Active, task: Option<&Task>) -> Vec<String> {
    let is_about = |remark: &&Finding| task.is_some_and(|task| remark.concerns(&task.id));
    active.remarks.iter().filter(is_about).map(Finding::to_string).collect()
}

fn tried(result: &CheckResult) -> Option<Tried> {
    let is_criterion = result.kind == CheckKind::Criterion;
    let command = result.command.clone().filter(|_| is_criterion)?;
    let (holds, exit_code) = (result.verdict.is_passed(), result.exit_code);
    Some(Tried { criterion: result.criterion.clone(), command, holds, exit_code })
}

/// The phase's own criteria and those of all its tasks.
pub(super) fn all_criteria(phase: &Phase, active: &Active) -> Vec<Criterion> {
    let of_tasks = active.tasks.iter().flat_map(Task::checks);
    phase.spec.criteria.iter().chain(of_tasks).cloned().collect()
}
