//! Keeps the files of a workspace that cannot be read as one any more.
//!
//! An agent can reach more than its files: it may have removed its repository, moved its directory, or overwritten a
//! record of the engine's. What it did is kept nevertheless, file by file and byte for byte.

use std::{fs, path::Path};

use super::{
    Caps, GitError, KeepAs, Kept, LeftOuts, Project, Proof,
    keep::Raw,
    walk::{Found, Walk},
    workspace::records_of,
};
use crate::private::{create_dirs, tempdir_in};

/// What was kept of a workspace that is none any more.
#[derive(Debug)]
pub struct RawSnapshot {
    /// Where its files are kept; `None` if there was none.
    pub kept: Option<Kept>,
    /// What was not kept.
    pub left_out: LeftOuts,
    proof: Proof,
}

impl RawSnapshot {
    /// Returns the proof that the directory may be removed, unless something would be lost with it.
    pub fn proof(self) -> Option<Proof> {
        (self.left_out.lost().files == 0).then_some(self.proof)
    }

    /// Returns the proof for a directory in which no agent was.
    pub fn proof_without_agent(self) -> Proof {
        self.proof
    }
}

impl Project {
    /// Keeps every file below a directory as it is, whatever the directory was. Nothing in it is believed.
    pub fn keep_every_file(
        &self,
        directory: &Path,
        keep: &KeepAs<'_>,
        caps: &Caps,
    ) -> Result<RawSnapshot, GitError> {
        let records = records_of(directory);
        let above = records.parent().unwrap_or(&records);
        let failed = |error| GitError::io("make a directory in", above, error);
        create_dirs(above).map_err(failed)?;
        let scratch = tempdir_in(above).map_err(failed)?;
        let found = self.find_every_file(directory, scratch.path(), *caps)?;
        let mut raw =
            RawSnapshot { kept: None, left_out: found.left_out, proof: Proof::of(directory) };
        if !found.raw.is_empty() || !raw.left_out.list().is_empty() {
            let lines = self.store_raw(&found.raw, scratch.path())?;
            let tree = self.write_index_and_tree(&scratch.path().join("index"), lines)?;
            let message = keep.message.to_owned() + &raw.left_out.manifest();
            let keep = KeepAs { message: &message, ..*keep };
            raw.kept = Some(self.keep(&keep, &tree, Vec::new())?);
        }
        Ok(raw)
    }

    fn find_every_file(
        &self,
        directory: &Path,
        scratch: &Path,
        caps: Caps,
    ) -> Result<Found, GitError> {
        match fs::symlink_metadata(directory) {
            Ok(found) if found.is_dir() => {
                let nothing = gix::index::State::new(self.format.to_gix());
                let index = gix::index::File::from_state(nothing, scratch.join("nothing"));
                Walk::everything(self, directory, &index, caps).run()
            }
            // A link is kept and never followed.
            Ok(_) => {
                let raw = Raw { on_disk: directory.to_owned(), in_tree: b"files".to_vec() };
                Ok(Found { raw: vec![raw], ..Found::default() })
            }
            Err(_) => Ok(Found::default()),
        }
    }
}
