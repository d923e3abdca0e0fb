//! What the person's repository means for a run that is about to begin.

use std::path::Path;

use autopilot_core::{
    evidence::{Check, Criterion, protect::Protection},
    id::RunId,
    phases::PhaseSpec,
    roadmap::{Phase, mark_complete},
    run::Run,
};
use autopilot_engine::{book::Book, driver::Driver, git};
use autopilot_views::status as view;

use crate::{commands::engine_failure, config::Config, failure::Failure, project::Project, ui::Ui};

/// Where a run begins.
pub(in crate::commands) struct Here<'a> {
    pub(in crate::commands) project: &'a Project,
    pub(in crate::commands) repository: &'a git::Project,
    /// The person's last commit.
    pub(in crate::commands) commit: &'a git::ObjectId,
    /// The roadmap.
    pub(in crate::commands) path: &'a str,
}

impl Here<'_> {
    /// Refuses, or with `again` only names, phases that an earlier run has completed on a branch that is not
    /// on the person's yet: they would be done and paid for twice.
    pub(super) fn check_earlier_runs(
        &self,
        phases: &[&Phase],
        again: bool,
        ui: &mut Ui,
    ) -> Result<(), Failure> {
        let runs = self.project.runs().list().map_err(|error| engine_failure(&error))?;
        for run in runs.iter().rev() {
            self.check_unfinished(run, phases, again, ui)?;
            let done = self.completed_by(run, phases)?;
            if done.is_empty() {
                continue;
            }
            let phases = if done.len() == 1 { "phase" } else { "phases" };
            let what = format!(
                "{run} has completed {phases} {} already, and is not on your branch yet",
                done.join(", ")
            );
            if !again {
                return Err(Failure::refused(
                    what,
                    "the same work would be done and paid for again",
                    format!(
                        "`autopilot land {run}` brings it to your branch; `--again` runs it again all the same"
                    ),
                ));
            }
            ui.warn(&format!("{what}; `autopilot land {run}` would bring it there"));
        }
        Ok(())
    }

    /// Refuses, or with `again` only names, phases that an earlier run has begun and not ended: it would go on with
    /// them.
    fn check_unfinished(
        &self,
        run: &RunId,
        phases: &[&Phase],
        again: bool,
        ui: &mut Ui,
    ) -> Result<(), Failure> {
        let journal = self.project.home.journal(run);
        let holder = Book::holder(&journal).map_err(|error| engine_failure(&error))?;
        // Whoever works on it is named where a second run is refused.
        let working = holder.is_some_and(|holder| holder.is_running());
        let Some(state) = Book::read(&journal).ok().flatten().filter(|_| !working) else {
            return Ok(());
        };
        let Some(active) = view(&state, false).phases.into_iter().find(|phase| {
            phase.status == "active" && phases.iter().any(|asked| asked.id.as_str() == phase.id)
        }) else {
            return Ok(());
        };
        if state.given.roadmap != self.path || !self.began_here(&state) {
            return Ok(());
        }
        let what = format!("{run} has begun phase {} and not ended it", active.id);
        if again {
            ui.warn(&format!("{what}; `autopilot resume {run}` would go on with it"));
            return Ok(());
        }
        Err(Failure::refused(
            what,
            "the same work would be done and paid for again",
            format!(
                "`autopilot resume {run}` goes on with it; `--again` begins it anew all the same"
            ),
        ))
    }

    /// Whether a run began in the person's history. A base that git no longer has belongs to another one.
    fn began_here(&self, state: &Run) -> bool {
        let base = git::ObjectId::parse(state.given.base.as_str());
        base.and_then(|base| self.repository.is_ancestor(&base, self.commit)).unwrap_or(false)
    }

    /// The phases that a run has completed, if it began in the person's history and its branch is not in it.
    fn completed_by(&self, run: &RunId, phases: &[&Phase]) -> Result<Vec<String>, Failure> {
        // A journal that cannot be read is reported by the commands that look at its run.
        let Ok(Some(state)) = Book::read(&self.project.home.journal(run)) else {
            return Ok(Vec::new());
        };
        let mut done = Vec::new();
        if state.given.roadmap == self.path {
            let completed = view(&state, false).phases;
            let completed = completed.into_iter().filter(|phase| phase.status == "completed");
            done.extend(completed.map(|phase| phase.id));
            done.retain(|id| phases.iter().any(|phase| phase.id.as_str() == id));
        }
        if done.is_empty() {
            return Ok(done);
        }
        let branch = git::OwnRef::branch(&format!("{run}/head"));
        let found = branch.and_then(|branch| self.repository.read_ref(&branch));
        let Some(branch) = found.map_err(|error| engine_failure(&error.into()))? else {
            return Ok(Vec::new());
        };
        let shared = self.began_here(&state);
        let landed = self.repository.is_ancestor(&branch, self.commit);
        let landed = landed.map_err(|error| engine_failure(&error.into()))?;
        Ok(if shared && !landed { done } else { Vec::new() })
    }

    /// Says what of the person's checkout the run sees: the roadmap as it is, everything else as committed.
    pub(super) fn warn_if_unclean(&self, text: &str, ui: &mut Ui) -> Result<(), Failure> {
        let found = self.repository.cleanliness().map_err(|error| engine_failure(&error.into()))?;
        if found.changed.iter().any(|changed| changed != Path::new(self.path)) {
            ui.warn("your checkout has uncommitted changes; the run starts from the last commit and does not see them");
        }
        if self.committed()?.is_some_and(|committed| committed != text.as_bytes()) {
            ui.warn(&format!(
                "`{0}` has uncommitted changes; the run takes its phases and their criteria from it as it is now, \
                 but its agents see, and its marks go into, `{0}` of the last commit",
                self.path
            ));
        }
        Ok(())
    }

    /// Says which phases the roadmap of the last commit does not have; only that one can be marked.
    pub(super) fn warn_if_not_committed(
        &self,
        phases: &[&Phase],
        ui: &mut Ui,
    ) -> Result<(), Failure> {
        let committed = self.committed()?;
        let text = committed.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let unmarked: Vec<&str> = phases
            .iter()
            .filter(|phase| mark_complete(&text, phase.id).is_err())
            .map(|phase| phase.id.as_str())
            .collect();
        if !unmarked.is_empty() {
            ui.warn(&format!(
                "`{}` of the last commit does not have phase {}, so what is done there cannot be marked as \
                 complete; commit the roadmap before the run",
                self.path,
                unmarked.join(", ")
            ));
        }
        Ok(())
    }

    /// Whether the last commit has the roadmap like this.
    pub(super) fn is_committed(&self, text: &str) -> Result<bool, Failure> {
        Ok(self.committed()?.is_some_and(|committed| committed == text.as_bytes()))
    }

    /// What must stay true: what the settings name, and the project's own commands as of the last commit.
    pub(in crate::commands) fn guards(&self, config: &Config) -> Result<Vec<Check>, Failure> {
        let told = self.repository.own_commands_at(self.commit);
        Ok(config.checks.guards(&told.map_err(|error| engine_failure(&error.into()))?))
    }

    /// What is protected, by the files of the last commit.
    pub(super) fn protection(
        &self,
        config: &Config,
        specs: &[PhaseSpec],
        guards: &[Check],
    ) -> Protection {
        let guards = guards.iter().map(|guard| &guard.criterion);
        self.protection_of(config, specs.iter().flat_map(|spec| &spec.criteria).chain(guards))
    }

    /// The same, for these criteria.
    pub(in crate::commands) fn protection_of<'a>(
        &self,
        config: &Config,
        criteria: impl Iterator<Item = &'a Criterion>,
    ) -> Protection {
        let read = |path: &str| {
            let path = git::RepoPath::new(path.as_bytes()).ok()?;
            let bytes = self.repository.read_file_at(self.commit, &path).ok().flatten()?;
            String::from_utf8(bytes).ok()
        };
        config.checks.protection(criteria, &read)
    }

    /// The roadmap of the last commit.
    fn committed(&self) -> Result<Option<Vec<u8>>, Failure> {
        git::RepoPath::new(self.path.as_bytes())
            .and_then(|path| self.repository.read_file_at(self.commit, &path))
            .map_err(|error| engine_failure(&error.into()))
    }
}
