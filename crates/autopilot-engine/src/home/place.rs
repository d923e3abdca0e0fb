//! Which directory outside the checkout is a project's own.
//!
//! It is called after the path of the project, and stays where it is when the project is moved: the workspaces in it, the
//! locks and the marks of running agents are known by their paths. The checkout has a note that names it, and it has
//! a note that names the checkout. Where both fit, or the other checkout is gone, it is the project's. A copy of a project
//! has the note too, but the one that it was copied from is still there.

use std::{
    ffi::OsString,
    fs, io,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::STATE_DIRECTORY;
use crate::{error::EngineError, private::create_dirs};

/// The file in the checkout that names the directory.
const NOTE: &str = "home";
/// The file in the directory that names the checkout.
const OWNER: &str = "project";
/// Longer names are not ours.
const KEY_BYTES_MAX: usize = 80;
/// Longer notes are not ours.
const NOTE_BYTES_MAX: u64 = 64 << 10;
/// How many moved projects can have left the same path.
const KEYS_MAX: u32 = 1_000;

/// The note of a checkout.
pub(super) fn note_in(root: &Path) -> PathBuf {
    root.join(STATE_DIRECTORY).join(NOTE)
}

/// The name of a project's directory in the state of all.
pub(super) fn key_of(root: &Path, state: &Path) -> String {
    let first = named_after(root);
    let others = (2..=KEYS_MAX).map(|number| format!("{first}-{number}"));
    let candidates = noted_in(root).into_iter().chain([first.clone()]).chain(others);
    candidates.into_iter().find(|key| !is_anothers(root, &state.join(key), key)).unwrap_or(first)
}

/// Writes both notes where they do not say it yet. `directory` is the project's in the state of all.
pub(super) fn settle(root: &Path, directory: &Path) -> Result<(), EngineError> {
    let key = directory.file_name().unwrap_or_default().as_bytes();
    for (path, text) in [(directory.join(OWNER), root.as_os_str().as_bytes()), (note_in(root), key)]
    {
        if read(&path).as_deref() != Some(text) {
            let written =
                path.parent().map_or(Ok(()), create_dirs).and_then(|()| replace(&path, text));
            written.map_err(EngineError::file("write", &path))?;
        }
    }
    Ok(())
}

/// Whether a directory is that of another checkout, which is still there.
fn is_anothers(root: &Path, directory: &Path, key: &str) -> bool {
    let Some(owner) = read(&directory.join(OWNER)).map(OsString::from_vec).map(PathBuf::from)
    else {
        return false;
    };
    owner != root && noted_in(&owner).as_deref() == Some(key)
}

/// The directory that a checkout names. A project is untrusted: the name is one part of a path and no more.
fn noted_in(root: &Path) -> Option<String> {
    let key = String::from_utf8(read(&note_in(root))?).ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (!key.is_empty() && key.len() <= KEY_BYTES_MAX && key.bytes().all(plain)).then_some(key)
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let found = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    (found.len() <= NOTE_BYTES_MAX).then(|| fs::read(path).ok()).flatten()
}

/// Writes a file so that it is there whole or as it was before.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let draft = path.with_extension("tmp");
    fs::write(&draft, text)?;
    fs::rename(&draft, path)
}

/// A project's own directory name: readable, and different for every path.
fn named_after(root: &Path) -> String {
    let hash = Sha256::digest(root.as_os_str().as_encoded_bytes());
    let hash: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name: String =
        name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(40).collect();
    format!("{name}-{hash}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_projects_of_the_same_name_do_not_share_a_directory() {
        assert_ne!(named_after(Path::new("/a/shop")), named_after(Path::new("/b/shop")));
        assert!(named_after(Path::new("/a/../x y")).starts_with("xy-"));
    }

    /// A checkout that has settled, and the name of its directory.
    fn settled(root: &Path, state: &Path) -> String {
        let key = key_of(root, state);
        settle(root, &state.join(&key)).expect("writable");
        key
    }

    #[test]
    fn a_moved_project_finds_its_directory_and_leaves_its_path_to_another() {
        let place = tempfile::tempdir().expect("a directory");
        let [first, moved, state] = ["first", "moved", "state"].map(|name| place.path().join(name));
        let key = settled(&first, &state);
        fs::rename(&first, &moved).expect("moved");
        assert_eq!(key_of(&moved, &state), key);
        assert_eq!(settled(&moved, &state), key);
        assert_ne!(settled(&first, &state), key, "it is still the other's");
        assert_eq!(key_of(&moved, &state), key);
    }

    #[test]
    fn a_copy_gets_a_directory_of_its_own() {
        let place = tempfile::tempdir().expect("a directory");
        let [first, copy, state] = ["first", "copy", "state"].map(|name| place.path().join(name));
        let key = settled(&first, &state);
        create_dirs(&copy.join(STATE_DIRECTORY)).expect("made");
        fs::copy(note_in(&first), note_in(&copy)).expect("copied");
        assert_ne!(settled(&copy, &state), key);
        assert_eq!(key_of(&first, &state), key);
    }

    #[test]
    fn a_note_that_leads_elsewhere_is_not_followed() {
        let place = tempfile::tempdir().expect("a directory");
        let root = place.path().join("project");
        create_dirs(&root.join(STATE_DIRECTORY)).expect("made");
        for note in ["", "..", "../../x", "/etc", "a b", "x\n"] {
            fs::write(note_in(&root), note).expect("writable");
            assert_eq!(key_of(&root, place.path()), named_after(&root), "{note:?}");
        }
    }
}
