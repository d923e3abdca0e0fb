//! The files that tell of phases, held so that no run works with them meanwhile.

use std::path::{Path, PathBuf};

use autopilot_core::{id::RunId, roadmap::Edited};
use autopilot_engine::{error::EngineError, local::LocalDriver};

use crate::{
    commands::{engine_failure, run::text_of},
    exit::Exit,
    failure::Failure,
    project::{Project, read},
    rewrite::Rewrite,
};

/// What a claim says while the roadmap is edited.
const CLAIMED_AS: &str = "a change of the roadmap";
/// The file beside the roadmap that tells of phases, too.
const STATE: &str = "STATE.md";

/// The roadmap and the state beside it.
pub(super) struct Files {
    root: PathBuf,
    /// The roadmap, below the project's root.
    pub(super) path: String,
    pub(super) roadmap: String,
    /// The state, below the root, and its text.
    state: Option<(String, String)>,
    /// As long as it lives no run begins.
    _claim: Option<LocalDriver>,
}

impl Files {
    /// Reads both. Refused while a run works on the project.
    pub(super) fn open(project: &Project, named: Option<&Path>) -> Result<Self, Failure> {
        let path = project.roadmap(named, &project.config()?)?;
        let claim = claim(project)?;
        let place = project.root.join(&path);
        let roadmap = text_of(read(&place)?, &path)?;
        let beside = place.with_file_name(STATE);
        let state = match beside.symlink_metadata() {
            Ok(_) => {
                let path = project.below_root(&beside).map_err(foreign)?;
                let text = text_of(read(&project.root.join(&path))?, &path)?;
                Some((path, text))
            }
            Err(_) => None,
        };
        Ok(Self { root: project.root.clone(), path, roadmap, state, _claim: claim })
    }

    /// The text of the state.
    pub(super) fn state(&self) -> Option<&str> {
        self.state.as_ref().map(|(_, text)| text.as_str())
    }

    /// The files that an edit changes.
    pub(super) fn changed(&self, edited: &Edited) -> String {
        let state = self.state.as_ref().zip(edited.state.as_ref());
        let state = state.filter(|((_, before), after)| before != *after);
        let names: Vec<&str> = std::iter::once(self.path.as_str())
            .chain(state.map(|((path, _), _)| path.as_str()))
            .collect();
        names.join(" and ")
    }

    /// Writes what an edit changed: first beside both files, so that nothing is changed where one cannot be written.
    pub(super) fn write(&self, edited: &Edited) -> Result<(), Failure> {
        let state = self.state.as_ref().zip(edited.state.as_ref());
        let texts = std::iter::once((&self.path, &self.roadmap, &edited.roadmap))
            .chain(state.map(|((path, before), after)| (path, before, after)))
            .filter(|(_, before, after)| before != after);
        let ready = texts.map(|(path, before, after)| {
            let rewrite = Rewrite::prepare(&self.root.join(path), before, after);
            rewrite.map(|rewrite| (path, rewrite)).map_err(|error| unwritable(path, &error))
        });
        for (path, rewrite) in ready.collect::<Result<Vec<_>, _>>()? {
            rewrite.commit().map_err(|error| unwritable(path, &error))?;
        }
        Ok(())
    }
}

/// Keeps runs from beginning, or says that one is working. Where none ever was, there is nothing to hold.
fn claim(project: &Project) -> Result<Option<LocalDriver>, Failure> {
    if project.home.claim().symlink_metadata().is_err() {
        return Ok(None);
    }
    let driver = project.runs();
    driver.reserve(&RunId::new(CLAIMED_AS)).map_err(|error| match &error {
        EngineError::Busy { .. } => Failure::refused(
            error.to_string(),
            "it has taken its phases from the roadmap and marks them in its own copy, against which a change now would stand \
             when it is landed",
            error.hint(),
        ),
        _ => engine_failure(&error),
    })?;
    Ok(Some(driver))
}

/// A state that a link leads to outside of the project is nobody's to change from here.
fn foreign(failure: Failure) -> Failure {
    Failure {
        why: format!("`{STATE}` tells of phases too, and only files of the project are written"),
        hint: format!("put the file itself in the place of the link, or rename `{STATE}`"),
        ..failure
    }
}

fn unwritable(path: &str, error: &std::io::Error) -> Failure {
    Failure::new(
        Exit::Disk,
        format!("`{path}` cannot be written: {error}"),
        "the roadmap is written whole or not at all",
        "check the file, its directory's permissions and free space, and try again",
    )
}
