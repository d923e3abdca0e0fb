//! Where a project's and a run's files are.

mod place;

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use autopilot_core::{
    id::{Key, RunId},
    roadmap::PhaseId,
};

use crate::{
    error::{EngineError, ForeignState},
    git::{Git, is_tracked},
};

/// The directory of run-time state in the person's checkout; git ignores it.
pub const STATE_DIRECTORY: &str = ".autopilot";

/// The files of one project.
#[derive(Clone, Debug)]
pub struct Home {
    /// The person's checkout.
    pub root: PathBuf,
    /// Where the run-time state of all projects is, outside every checkout.
    state: PathBuf,
    /// The directory there that is this project's, once somebody has asked: a short look at a run does not need it.
    key: OnceLock<String>,
}

impl Home {
    /// The files of the project at `root`; nothing is made.
    ///
    /// Refused where nothing says which directory is the person's own: one that everybody can write to could have
    /// been laid out by another user.
    pub fn of(root: &Path) -> Result<Self, EngineError> {
        let state = state_base().ok_or(EngineError::NoStateDirectory)?;
        Ok(Self::within(root, &state))
    }

    /// The files of the project at `root`, with another state directory than the person's.
    pub fn within(root: &Path, state: &Path) -> Self {
        let state = state.join("autopilot");
        Self { root: root.to_owned(), state, key: OnceLock::new() }
    }

    /// Notes in the checkout where its state is, and there whose it is, so that a project that is moved finds it again.
    pub fn settle(&self) -> Result<(), EngineError> {
        place::settle(&self.root, &self.runs())
    }

    /// Refuses run-time state in the checkout that somebody else could have laid out: symbolic links, which lead
    /// what we write to where they chose, and anything that came with the project's history.
    ///
    /// Whoever is about to write there asks first. Nothing below the directory is meant to be shared: a team's
    /// settings are in `autopilot.toml`.
    pub fn check_state(&self, run: Option<&RunId>) -> Result<(), EngineError> {
        let refused = |path: &Path, what| EngineError::NotOurState { path: path.to_owned(), what };
        if self.state.starts_with(&self.root) {
            return Err(refused(&self.state, ForeignState::Inside));
        }
        let state = self.root.join(STATE_DIRECTORY);
        let inboxes = state.join("inbox");
        let certificates = self.certificates();
        let note = place::note_in(&self.root);
        let told = [self.diagnostics(), self.archive()];
        let mut parts =
            vec![state.clone(), self.claim(), self.journals(), inboxes, certificates.clone(), note];
        parts.extend(told);
        let of_run: Vec<PathBuf> = run
            .map(|run| [self.journal(run), self.inbox(run), certificates.join(run.as_str())])
            .into_iter()
            .flatten()
            .collect();
        parts.extend_from_slice(&of_run);
        // The directories themselves come before what is in them, so that no link is followed here.
        let within = of_run.iter().flat_map(fs::read_dir).flatten();
        let within = within.filter_map(|entry| Some(entry.ok()?.path()));
        for path in parts.iter().cloned().chain(within) {
            if let Some(to) = link_target(&path) {
                return Err(refused(&path, ForeignState::Link { to }));
            }
        }
        if fs::symlink_metadata(&state).is_ok_and(|found| !found.is_dir()) {
            return Err(refused(&state, ForeignState::NoDirectory));
        }
        match is_tracked(&Git::from_own_environment(), &self.root, STATE_DIRECTORY)? {
            true => Err(refused(&state, ForeignState::Tracked)),
            false => Ok(()),
        }
    }

    /// The file that says who works on the project.
    pub fn claim(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("claim")
    }

    /// The journals of all runs.
    pub fn journals(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("journal")
    }

    /// The journal of one run.
    pub fn journal(&self, run: &RunId) -> PathBuf {
        self.journals().join(run.as_str())
    }

    /// Answers of people that wait to be taken into a run.
    pub fn inbox(&self, run: &RunId) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("inbox").join(run.as_str())
    }

    /// The certificates of all runs.
    pub fn certificates(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("certificates")
    }

    /// The certificate of a phase of a run.
    pub fn certificate(&self, run: &RunId, phase: PhaseId) -> PathBuf {
        self.certificates().join(run.as_str()).join(format!("{phase}.json"))
    }

    /// Where the last run stands, for programs that look at files.
    pub fn state_file(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("state.json")
    }

    /// The same as it was before it was written last.
    pub fn state_backup(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("state.json.backup")
    }

    /// What failed phases of the last run teach.
    pub fn learnings(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("learnings.md")
    }

    /// What people have answered to maps, over all runs.
    pub fn context_map(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("context-map.json")
    }

    /// What people have said in discussions, over all runs.
    pub fn discuss_context(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("discuss-context.json")
    }

    /// Pictures of pages, for the agents of a run.
    pub fn screenshots(&self, run: &RunId) -> PathBuf {
        self.run(run).join("screenshots")
    }

    /// The files of debug sessions.
    pub fn debug_sessions(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("debug")
    }

    /// Templates that a person puts in the place of the program's own prompts.
    pub fn prompts(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("prompts")
    }

    /// What is defined and used where in the repository, for people.
    pub fn repo_map(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("repo-map.json")
    }

    /// The same for the agents of a run, who see nothing of the checkout.
    pub fn repo_map_of(&self, run: &RunId) -> PathBuf {
        self.run(run).join("repo-map.json")
    }

    /// Why phases failed, and what would raise their scores.
    pub fn diagnostics(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("diagnostics")
    }

    /// What runs left that are over.
    pub fn archive(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("archive")
    }

    /// What the last run of a day came to.
    pub fn completion(&self, day: &str) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join(format!("completion-{day}.md"))
    }

    /// Where a run stood when an agent came to the end of what it can remember.
    pub fn handoff(&self, name: &str) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join(name)
    }

    /// What the last run that was to complete the project came to.
    pub fn completion_report(&self) -> PathBuf {
        self.root.join(STATE_DIRECTORY).join("completion-report.md")
    }

    /// Everything of all runs that is outside the checkout.
    pub fn runs(&self) -> PathBuf {
        self.state.join(self.key.get_or_init(|| place::key_of(&self.root, &self.state)))
    }

    /// Everything of a run that is outside the checkout.
    pub fn run(&self, run: &RunId) -> PathBuf {
        self.runs().join(run.as_str())
    }

    /// The workspaces of a run.
    pub fn workspaces(&self, run: &RunId) -> PathBuf {
        self.run(run).join("work")
    }

    /// Workspaces of a run that were kept and wait to be removed.
    pub fn retired(&self, run: &RunId) -> PathBuf {
        self.run(run).join("retired")
    }

    /// Files that wait to become those of a workspace of a run.
    pub fn spares(&self, run: &RunId) -> PathBuf {
        self.run(run).join("spare")
    }

    /// What was found above the workspaces of a run and is nobody's.
    pub fn aside(&self, run: &RunId) -> PathBuf {
        self.run(run).join("aside")
    }

    /// The state of all projects.
    pub(crate) fn state(&self) -> &Path {
        &self.state
    }

    /// The workspace of one attempt.
    pub fn workspace(&self, run: &RunId, key: &Key) -> PathBuf {
        self.workspaces(run).join(flat(key))
    }

    /// What the agents of a run were told and what they printed.
    pub fn transcript(&self, run: &RunId) -> PathBuf {
        self.run(run).join("transcript")
    }

    /// The JSON schemas of what roles must return.
    pub fn schemas(&self, run: &RunId) -> PathBuf {
        self.run(run).join("schemas")
    }

    /// The lock that a run's guardian holds while it lives.
    pub fn guardian_lock(&self, run: &RunId) -> PathBuf {
        self.run(run).join("guardian.lock")
    }
}

/// Where a symbolic link leads, if a path is one.
fn link_target(path: &Path) -> Option<PathBuf> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_symlink)?;
    Some(fs::read_link(path).unwrap_or_default())
}

/// The name of an attempt as one part of a path. Steps hold no character that needs care but `/`.
fn flat(key: &Key) -> String {
    format!("{}@{}", key.step.as_str().replace('/', "+"), key.attempt)
}

/// The key that a flat name stands for.
pub(crate) fn unflat(name: &str) -> Option<Key> {
    let (step, attempt) = name.rsplit_once('@')?;
    let attempt: u32 = attempt.parse().ok()?;
    let step = autopilot_core::id::Step::new(step.replace('+', "/"));
    Some(Key { step, attempt: autopilot_core::id::Attempt::after(attempt.checked_sub(1)?) })
}

fn state_base() -> Option<PathBuf> {
    let set = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    set("XDG_STATE_HOME").or_else(|| set("HOME").map(|home| home.join(".local").join("state")))
}

#[cfg(test)]
mod tests {
    use autopilot_core::id::{Attempt, Step};

    use super::*;

    #[test]
    fn an_attempts_name_can_be_read_back() {
        let key = Key { step: Step::new("3.1/execute/03-01"), attempt: Attempt::after(4) };
        assert_eq!(unflat(&flat(&key)), Some(key));
        assert_eq!(unflat("lost+found"), None);
        assert_eq!(unflat("a@0"), None);
    }
}
