//! Keeps the directories above a checkout free of what the engine did not put there.
//!
//! Cargo, npm, pytest, go and many others look for their settings in every directory above the one they run in. Those
//! between the state of all projects and a checkout belong to the engine, and an agent can reach them by `..`.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use autopilot_core::{
    id::Key,
    input::{Fate, LeftOut},
};

use super::Workshop;
use crate::{error::EngineError, home::unflat, private::create_dirs};

/// The files that the engine makes in these directories.
const OWN_FILES: [&str; 5] =
    ["guardian.lock", "project", "project.tmp", "repo-map.json", "repo-map.json.tmp"];

impl Workshop {
    /// Puts aside what lies above the checkouts of this run and is not the engine's. It is kept and told.
    pub(super) fn clear_above(&self, key: &Key) -> Result<(), EngineError> {
        let work = self.home.workspaces(&self.run);
        let above = work.ancestors().take_while(|path| path.starts_with(self.home.state()));
        let found: Vec<PathBuf> = above.flat_map(strangers).collect();
        let Some(first) = found.first() else { return Ok(()) };
        let aside = self.home.aside(&self.run);
        create_dirs(&aside).map_err(EngineError::file("make", &aside))?;
        for path in &found {
            let place = free_place(&aside, path.file_name().unwrap_or_default());
            fs::rename(path, &place).map_err(EngineError::file("put aside", path))?;
        }
        self.note_left_out(vec![LeftOut {
            key: key.clone(),
            fate: Fate::OnlyKept,
            files: u64::try_from(found.len()).unwrap_or(u64::MAX),
            bytes: 0,
            first: first.to_string_lossy().into_owned(),
        }]);
        Ok(())
    }
}

/// What is in a directory and was not put there by the engine.
fn strangers(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let entries = entries.filter_map(Result::ok);
    let foreign = entries.filter(|entry| {
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        !is_own(&entry.file_name(), is_directory)
    });
    foreign.map(|entry| entry.path()).collect()
}

/// Whether a name is one that the engine gives: that of an attempt, or letters, digits and hyphens for everything else.
fn is_own(name: &OsStr, is_directory: bool) -> bool {
    let Some(name) = name.to_str() else { return false };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    match is_directory {
        true => name.bytes().all(plain) || !name.starts_with('.') && unflat(name).is_some(),
        false => OWN_FILES.contains(&name),
    }
}

/// A path in a directory at which nothing is yet.
fn free_place(directory: &Path, name: &OsStr) -> PathBuf {
    let numbered = (1_u64..).map(|number| {
        let mut place = name.to_owned();
        place.push(format!(".{number}"));
        directory.join(place)
    });
    let mut free = numbered.filter(|path| path.symlink_metadata().is_err());
    free.next().unwrap_or_else(|| directory.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tools_look_for_above_a_checkout_is_not_the_engines() {
        for (name, is_directory) in [
            (".cargo", true),
            ("Cargo.toml", false),
            ("rust-toolchain", false),
            ("node_modules", true),
            ("package.json", false),
            ("conftest.py", false),
            ("go.work", false),
            (".x@1", true),
            ("work", false),
        ] {
            assert!(!is_own(name.as_ref(), is_directory), "{name}");
        }
        for (name, is_directory) in [
            ("project-7befc4ad41ea", true),
            ("run-2026-11-18-041522", true),
            ("scratch-aZ3", true),
            ("1+execute+1-01@2", true),
            ("2.1+check+by-base@1", true),
            ("guardian.lock", false),
            ("project", false),
            ("repo-map.json", false),
        ] {
            assert!(is_own(name.as_ref(), is_directory), "{name}");
        }
    }
}
