//! What an agent is told: only what its role may know.

use serde::Serialize;

use crate::{
    evidence::Criterion,
    id::CommitId,
    phases::{Active, Gap, Lesson, Phase, PhaseSpec, Phases, Stage, papers, question::question},
    policy::{Stamp, stamp},
    returns::Standalone,
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
            if brief.task.is_none() || active.stage == Stage::Repair {
                brief.criteria = all_criteria(phase, active);
            }
            brief.findings.clone_from(&active.findings);
        }
        // Whoever judges is told what must hold and what changed, nothing that anyone else thinks of it.
        Role::Verifier | Role::Judge | Role::Rater => {
            brief.criteria = all_criteria(phase, active);
            brief.since = Some(active.base.clone());
            if role == Role::Verifier {
                let left = active.deferred().map(|task| question(&active.tasks[task]));
                brief.left_to_a_person = left.collect();
                brief.standalone.clone_from(&active.log.justified);
            }
            brief.look_harder = stamp(&work.scores) >= Stamp::Enhanced;
        }
        Role::PlanChecker
        | Role::Questioner
        | Role::Auditor
        | Role::IntegrationChecker
        | Role::ConflictResolver => {}
    }
    if active.resume.is_some() {
        brief.handoff = papers::handoff(phase, active).map(|paper| paper.text);
    }
    brief
}

/// The phase's own criteria and those of all its tasks.
fn all_criteria(phase: &Phase, active: &Active) -> Vec<Criterion> {
    let of_tasks = active.tasks.iter().flat_map(Task::checks);
    phase.spec.criteria.iter().chain(of_tasks).cloned().collect()
}
