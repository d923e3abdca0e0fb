//! Workspaces that stay on disk because something in them is in no commit.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use autopilot_core::{
    id::{Key, RunId},
    input::{Fate, LeftOut},
};
use serde::{Deserialize, Serialize};

use crate::{
    error::EngineError,
    git::{LeftOuts, OwnRef, WhyLeftOut, Workspace, records_of},
    home::Home,
    private::create_dirs,
};

/// The record that tells of a workspace that it was kept as far as possible, and what is left.
const MARK: &str = "left-out";

/// Larger files are not ours.
const MARK_BYTES_MAX: u64 = 64 << 10;

/// A workspace that stays on disk until a person says that it can go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leftover {
    /// Whose it is.
    pub run: RunId,
    /// The ref of the commit that holds the rest of the attempt.
    pub kept: String,
    /// What is in no commit.
    pub left_out: LeftOut,
}

impl Leftover {
    /// Leaves a workspace where it is, with a note about what only it holds.
    pub(super) fn stays(
        run: &RunId,
        key: &Key,
        sums: &LeftOuts,
        workspace: &Path,
    ) -> Result<(), EngineError> {
        let reference = OwnRef::kept(run.as_str(), key.step.as_str(), key.attempt.number())?;
        let leftover = Self {
            run: run.clone(),
            kept: reference.as_str().to_owned(),
            left_out: on_disk(key, sums, workspace),
        };
        let text = serde_json::to_string(&leftover)
            .map_err(|error| EngineError::Bug(format!("a note cannot be written: {error}")))?;
        let records = records_of(workspace);
        create_dirs(&records).map_err(EngineError::file("make", &records))?;
        let mark = records.join(MARK);
        fs::write(&mark, text).map_err(EngineError::file("write", &mark))
    }

    /// Reads the note about a workspace, if there is one.
    pub(super) fn read(workspace: &Path) -> Option<Self> {
        let mark = records_of(workspace).join(MARK);
        let found = fs::symlink_metadata(&mark).ok().filter(fs::Metadata::is_file)?;
        if found.len() > MARK_BYTES_MAX {
            return None;
        }
        let mut leftover: Self = serde_json::from_slice(&fs::read(mark).ok()?).ok()?;
        leftover.left_out.fate = Fate::OnDisk { place: place_of(workspace) };
        Some(leftover)
    }

    /// The directory that holds what is in no commit.
    pub fn place(&self) -> PathBuf {
        match &self.left_out.fate {
            Fate::OnDisk { place } => place.into(),
            Fate::Rebuildable | Fate::OnlyKept | Fate::NotTheirs => PathBuf::new(),
        }
    }

    /// Removes the workspace for good, on a person's word.
    pub fn remove(&self) -> Result<(), EngineError> {
        let place = self.place();
        let Some(path) = place.parent() else { return Ok(()) };
        Ok(Workspace::remove_on_a_persons_word(path)?)
    }
}

/// Every workspace of a project that stays on disk.
pub fn leftovers(home: &Home) -> Result<Vec<Leftover>, EngineError> {
    let mut found = Vec::new();
    for run in list(&home.runs())? {
        for workspace in list(&run.join("work"))? {
            found.extend(Leftover::read(&workspace));
        }
    }
    found.sort_by(|one, other| one.kept.cmp(&other.kept));
    Ok(found)
}

/// What of an attempt is not kept as it was, for the record.
pub(super) fn left_outs(key: &Key, sums: &LeftOuts, workspace: &Path) -> Vec<LeftOut> {
    let rebuildable = |why: &WhyLeftOut| *why == WhyLeftOut::Rebuildable;
    let only_kept = |why: &WhyLeftOut| *why == WhyLeftOut::OnlyKept;
    let told = |fate, size: crate::git::Amount, first| LeftOut {
        key: key.clone(),
        fate,
        files: size.files,
        bytes: size.bytes,
        first,
    };
    let all = [
        on_disk(key, sums, workspace),
        told(Fate::Rebuildable, sums.rebuildable(), sums.first(rebuildable)),
        told(Fate::OnlyKept, sums.only_kept(), sums.first(only_kept)),
    ];
    all.into_iter().filter(|left_out| left_out.files > 0).collect()
}

fn on_disk(key: &Key, sums: &LeftOuts, workspace: &Path) -> LeftOut {
    let lost = sums.lost();
    LeftOut {
        key: key.clone(),
        fate: Fate::OnDisk { place: place_of(workspace) },
        files: lost.files,
        bytes: lost.bytes,
        first: sums.first(WhyLeftOut::loses_work),
    }
}

fn place_of(workspace: &Path) -> String {
    workspace.join("files").display().to_string()
}

fn list(directory: &Path) -> Result<Vec<PathBuf>, EngineError> {
    let failed = || EngineError::file("list", directory);
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        // Beside the runs lies a note about the project.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Ok(Vec::new());
        }
        Err(error) => return Err(failed()(error)),
    };
    let paths: io::Result<Vec<PathBuf>> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect();
    paths.map_err(failed())
}
