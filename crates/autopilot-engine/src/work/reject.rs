//! Puts the work of a phase that failed where people find it.

use autopilot_core::{effect::RejectTask, input::Outcome};

use super::{
    Workshop,
    tree::{object, stamp},
};
use crate::{error::EngineError, git::ObjectId};

/// The steps whose agents work on the phase itself. What others leave is kept, but is nobody's work.
const WORKING_STEPS: [&str; 4] = ["plan", "execute", "fix", "repair"];

impl Workshop {
    /// Sets the branch for rejected work: its files are those of the last attempt that changed any, and every other
    /// attempt whose work does not stand is in its history, with the commits that agents made themselves.
    pub(super) fn reject(&self, task: &RejectTask) -> Result<Outcome, EngineError> {
        let branch = self.branch(&format!("rejected/{}", task.phase))?;
        let wanted = self.with_what_is_told(task, self.rejected(task)?)?;
        let at = self.project.read_ref(&branch)?;
        if at.as_ref() != Some(&wanted) {
            self.project.update_ref(&branch, &wanted, at.as_ref())?;
        }
        let name = branch.branch_name().unwrap_or_default().to_owned();
        Ok(Outcome::Rejected { branch: name })
    }

    /// The same with what is told of the phase, for whoever looks at it.
    fn with_what_is_told(
        &self,
        task: &RejectTask,
        left: ObjectId,
    ) -> Result<ObjectId, EngineError> {
        let own = self.project.tree_of(&left)?;
        let tree = self.with_papers(&own, &task.papers)?;
        if tree == own {
            return Ok(left);
        }
        let message = format!("docs({}): what became of the phase", task.phase);
        Ok(self.project.commit(&[left], &tree, &message, &stamp(task.date))?)
    }

    fn rejected(&self, task: &RejectTask) -> Result<ObjectId, EngineError> {
        let head = object(&task.commit)?;
        let standing = self.project.trees_between(&object(&task.base)?, &head)?;
        let mut works = Vec::new();
        for step in WORKING_STEPS {
            let above = format!("refs/autopilot/{}/work/{}/{step}/", self.run, task.phase);
            works.extend(self.project.commits_below(&above)?);
        }
        works.sort_by_key(|work| work.seconds);
        works.retain(|work| !standing.contains(&work.tree));
        let told = task.work.as_ref().map(object).transpose()?;
        // An attempt that failed has not told its work; it counts where no other did.
        let told = told.filter(|told| works.iter().any(|work| work.commit == *told));
        let Some(last) = told.or_else(|| works.last().map(|work| work.commit.clone())) else {
            return Ok(head);
        };
        let all = works.into_iter().map(|work| work.commit).chain([head]);
        let mut parents = self.project.independent(&all.collect::<Vec<_>>())?;
        if parents == [last.clone()] {
            return Ok(last);
        }
        parents.retain(|parent| *parent != last);
        parents.insert(0, last.clone());
        let message = format!("what phase {} left when it was rejected", task.phase);
        let tree = self.project.tree_of(&last)?;
        Ok(self.project.commit(&parents, &tree, &message, &stamp(task.date))?)
    }
}
