//! The map of the repository, by which those who plan and work find their way.
//!
//! It tells what commits hold, nothing that anybody says. Whatever goes wrong leaves agents without it and ends nothing.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
    sync::PoisonError,
};

use autopilot_core::{effect::AgentTask, id::CommitId, role::Role, sessions::clock::seconds};
use autopilot_repomap::{FILE_BYTES_MAX, Refresh, RepoMap};

use super::{Keeping, Workshop, tree::object};
use crate::{
    error::EngineError,
    local::now,
    scribe::{read_small, replace},
};

/// A project with more files has no map: to read them all would take longer than a step should.
const FILES_MAX: usize = 20_000;
/// A larger file is no map of ours.
const MAP_BYTES_MAX: u64 = 16 << 20;

/// The last map and the commit that it is of.
pub(super) struct Mapped {
    commit: CommitId,
    map: Option<RepoMap>,
}

impl Workshop {
    /// Where the map of a task's commit is, for roles that are to find their way. `files` holds the files of the commit.
    pub(super) fn repo_map(&self, task: &AgentTask, files: &Path) -> Option<PathBuf> {
        let needs_map =
            matches!(task.role, Role::Researcher | Role::Planner | Role::Executor | Role::Debugger);
        if !needs_map {
            return None;
        }
        let mut mapped = self.mapped.lock().unwrap_or_else(PoisonError::into_inner);
        if mapped.as_ref().is_none_or(|mapped| mapped.commit != task.base) {
            let earlier = mapped.take().map_or_else(|| self.earlier_map(), |mapped| mapped.map);
            let map = self.refresh_map(&task.base, files, earlier).ok().flatten();
            *mapped = Some(Mapped { commit: task.base.clone(), map });
        }
        let is_there = mapped.as_ref().is_some_and(|mapped| mapped.map.is_some());
        is_there.then(|| self.home.repo_map_of(&self.run))
    }

    /// The map that an earlier run left.
    fn earlier_map(&self) -> Option<RepoMap> {
        RepoMap::parse(&read_small(&self.home.repo_map(), MAP_BYTES_MAX)?).ok()
    }

    /// Reads what changed since the earlier map, and writes the new one where people and where agents look for it.
    fn refresh_map(
        &self,
        commit: &CommitId,
        files: &Path,
        earlier: Option<RepoMap>,
    ) -> Result<Option<RepoMap>, EngineError> {
        let listing = self.project.blobs_at(&object(commit)?)?;
        if listing.len() > FILES_MAX {
            return Ok(None);
        }
        let root = self.home.root.display().to_string();
        let mut refresh = Refresh::new(earlier.clone(), &root, listing);
        loop {
            let owed = refresh.take_owed();
            if owed.is_empty() {
                break;
            }
            for path in owed {
                if let Some(bytes) = read_beginning(&files.join(&path)) {
                    refresh.learn(&path, &bytes);
                }
            }
        }
        let Some(map) = refresh.finish(&seconds(now())).or(earlier) else { return Ok(None) };
        let text = map.text();
        // What is only tried out is nothing that people look at.
        let for_people = (self.keeping == Keeping::Kept).then(|| self.home.repo_map());
        for path in for_people.into_iter().chain([self.home.repo_map_of(&self.run)]) {
            if read_small(&path, MAP_BYTES_MAX).as_deref() != Some(text.as_str()) {
                replace(&path, text.as_bytes()).map_err(EngineError::file("write", &path))?;
            }
        }
        Ok(Some(map))
    }
}

/// A regular file, up to a byte more than is ever looked at.
fn read_beginning(path: &Path) -> Option<Vec<u8>> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut bytes = Vec::new();
    let most = u64::try_from(FILE_BYTES_MAX).unwrap_or(u64::MAX).saturating_add(1);
    fs::File::open(path).ok()?.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
