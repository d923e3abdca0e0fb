//! Effects on the project's history: commits and the branches of a run.

use std::fs;

use autopilot_core::{
    effect::{CommitTask, Effect, IntegrateTask, Paper, Preflight},
    id::{CommitId, Key},
    input::Outcome,
    roadmap::{PhaseId, mark_complete},
    run::Run,
    time::Timestamp,
};

use super::{Workshop, frozen::Rules};
use crate::{
    error::EngineError,
    git::{ObjectId, OwnRef, RepoPath, Stamp},
    hash::sha256_hex,
};

/// Who makes the engine's commits.
const AUTHOR: (&str, &str) = ("autopilot", "autopilot@localhost");

impl Workshop {
    /// Finds the run branch where the run left it, or makes it where the run begins.
    ///
    /// A branch that somebody moved is refused before anything else is done: the next phase would be built on
    /// commits that the run knows nothing of, and at its end it could not be put anywhere.
    pub fn find_branch(&self, run: &Run) -> Result<(), EngineError> {
        let at = run.work.head();
        let branch = self.branch("head")?;
        match self.head()? {
            Some(found) if found == *at => Ok(()),
            None if *at == self.given.base => {
                Ok(self.project.update_ref(&branch, &object(at)?, None)?)
            }
            found => match self.integrating(run)? {
                // The engine was killed after it had moved the branch and before it could say so.
                Some(target) if found.as_ref() == Some(&target) => Ok(()),
                Some(_) | None => Err(self.moved(at, found)?),
            },
        }
    }

    /// Where the run branch is.
    fn head(&self) -> Result<Option<CommitId>, EngineError> {
        let found = self.project.read_ref(&self.branch("head")?)?;
        Ok(found.map(|id| commit_id(&id)))
    }

    /// Where the run branch will be once the integration that is due has happened.
    fn integrating(&self, run: &Run) -> Result<Option<CommitId>, EngineError> {
        for owed in run.debts() {
            if let Effect::Integrate(task) = &owed.effect {
                return Ok(Some(commit_id(&self.completed(task)?)));
            }
        }
        Ok(None)
    }

    fn moved(
        &self,
        expected: &CommitId,
        found: Option<CommitId>,
    ) -> Result<EngineError, EngineError> {
        let branch = self.branch("head")?.branch_name().unwrap_or_default().to_owned();
        let expected = expected.clone();
        Ok(EngineError::BranchMoved { run: self.run.clone(), branch, expected, found })
    }

    pub(super) fn preflight(&self, task: &Preflight) -> Result<Outcome, EngineError> {
        let mut issues = Vec::new();
        let found = self.head()?;
        if found.as_ref() != Some(&task.head) {
            let moved = self.moved(&task.head, found)?;
            issues.push(format!("{moved}; {}", moved.hint()));
        }
        let path = self.home.root.join(&self.given.roadmap);
        let bytes = fs::read(&path).map_err(EngineError::file("read", &path))?;
        if !task.specs.contains(&sha256_hex(&bytes)) {
            issues.push(format!(
                "`{}` has changed since the run began; start a new run for the new roadmap, or go on with the phases as they \
                 were (`autopilot resume --accept-spec-change`)",
                self.given.roadmap
            ));
        }
        Ok(Outcome::Preflight { issues })
    }

    pub(super) fn commit(&self, key: &Key, task: &CommitTask) -> Result<Outcome, EngineError> {
        let parent = object(&task.parent)?;
        let tree = self.frozen().judged_tree(&task.freeze, &task.work, Rules::OfTheWork)?;
        let tree = self.with_papers(&tree, self.lacking(&object(&task.work)?, &task.new)?)?;
        if tree == self.project.tree_of(&parent)? {
            // Nothing changed: a commit would only make noise.
            return Ok(Outcome::Committed(task.parent.clone()));
        }
        let made = self.project.commit(&[parent], &tree, &task.message, &stamp(task.date))?;
        self.hold(&format!("commits/{key}"), &made)?;
        Ok(Outcome::Committed(commit_id(&made)))
    }

    /// The files of the engine's own that a commit does not have.
    fn lacking<'a>(
        &self,
        commit: &ObjectId,
        papers: &'a [Paper],
    ) -> Result<Vec<&'a Paper>, EngineError> {
        let mut lacking = Vec::new();
        for paper in papers {
            let path = RepoPath::new(paper.path.as_bytes())?;
            if self.project.read_file_at(commit, &path)?.is_none() {
                lacking.push(paper);
            }
        }
        Ok(lacking)
    }

    pub(super) fn integrate(
        &self,
        key: &Key,
        task: &IntegrateTask,
    ) -> Result<Outcome, EngineError> {
        let target = self.completed(task)?;
        // The branch is one that anybody can move, and the phase must not be lost with it.
        self.hold(&format!("commits/{key}"), &target)?;
        let branch = self.branch("head")?;
        let from = object(&task.from)?;
        match self.project.read_ref(&branch)? {
            // Doing it twice is doing it once.
            Some(at) if at == target => {}
            Some(at) if at == from => self.project.update_ref(&branch, &target, Some(&from))?,
            // Not a failure of the phase, which must not be rejected for it.
            found => return Err(self.moved(&task.from, found.as_ref().map(commit_id))?),
        }
        Ok(Outcome::Integrated(commit_id(&target)))
    }

    /// The commit that marks the phase complete in the roadmap.
    ///
    /// An agent may have left the roadmap without a place for the mark, or without the phase; then the run
    /// branch's own roadmap is marked and put in its place, since a phase that is done but not marked would be
    /// done again. A roadmap that is not in the history at all cannot be marked in it, which the person was
    /// told when the run was started.
    fn completed(&self, task: &IntegrateTask) -> Result<ObjectId, EngineError> {
        let last = object(&task.commit)?;
        let Some(phase) = task.phase else { return Ok(last) };
        let own = self.project.tree_of(&last)?;
        let path = RepoPath::new(self.given.roadmap.as_bytes())?;
        let left = self.project.read_file_at(&last, &path)?;
        let marked = match left.as_deref().and_then(|bytes| with_mark(bytes, phase)) {
            Some(marked) => Some(marked),
            None => {
                let own = self.project.read_file_at(&object(&task.from)?, &path)?;
                own.and_then(|bytes| with_mark(&bytes, phase))
            }
        };
        let mark = marked.filter(|marked| Some(marked) != left.as_ref());
        let mark = mark.map(|marked| (path, marked));
        let tree = self.project.write_tree_with(&own, mark.as_slice())?;
        let tree = self.with_papers(&tree, &task.papers)?;
        if tree == own {
            return Ok(last);
        }
        let message = format!("docs({phase}): mark the phase complete");
        Ok(self.project.commit(&[last], &tree, &message, &stamp(task.date))?)
    }

    /// A tree with files of the engine's own.
    pub(super) fn with_papers<'a>(
        &self,
        tree: &ObjectId,
        papers: impl IntoIterator<Item = &'a Paper>,
    ) -> Result<ObjectId, EngineError> {
        let file = |paper: &Paper| -> Result<(RepoPath, Vec<u8>), EngineError> {
            Ok((RepoPath::new(paper.path.as_bytes())?, paper.text.clone().into_bytes()))
        };
        let files: Vec<_> = papers.into_iter().map(file).collect::<Result<_, _>>()?;
        if files.is_empty() {
            return Ok(tree.clone());
        }
        Ok(self.project.write_tree_with(tree, &files)?)
    }

    /// Keeps a commit reachable until the run is done with it.
    pub(super) fn hold(&self, name: &str, commit: &ObjectId) -> Result<(), EngineError> {
        let held = OwnRef::parse(&format!("refs/autopilot/{}/{name}", self.run))?;
        if self.project.read_ref(&held)?.as_ref() != Some(commit) {
            let at = self.project.read_ref(&held)?;
            self.project.update_ref(&held, commit, at.as_ref())?;
        }
        Ok(())
    }

    pub(super) fn branch(&self, name: &str) -> Result<OwnRef, EngineError> {
        Ok(OwnRef::branch(&format!("{}/{name}", self.run))?)
    }
}

/// The roadmap with the phase marked, where it can be.
fn with_mark(roadmap: &[u8], phase: PhaseId) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(roadmap).ok()?;
    mark_complete(text, phase).ok().map(String::into_bytes)
}

/// The engine's own signature at the time of a fact, so that repeating a commit gives the same one.
pub(super) fn stamp(at: Timestamp) -> Stamp {
    Stamp {
        name: AUTHOR.0.to_owned(),
        email: AUTHOR.1.to_owned(),
        seconds: at.as_ms().div_euclid(1_000),
    }
}

pub(super) fn object(commit: &CommitId) -> Result<ObjectId, EngineError> {
    Ok(ObjectId::parse(commit.as_str())?)
}

pub(super) fn commit_id(id: &ObjectId) -> CommitId {
    CommitId::new(id.as_str())
}
