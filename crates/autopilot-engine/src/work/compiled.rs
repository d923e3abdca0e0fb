//! Has Python read sources, and not what somebody says it has compiled from them.
//!
//! Python believes a compiled file that says so of itself, whatever the source beside it says. Work could bring one, and
//! one command could leave one for the next. Keeping all compiled files elsewhere would be simpler, but then Python and
//! the test runner themselves are compiled anew for every command, which takes longer than most tests.

use std::{
    fs::{self, DirEntry},
    io,
    path::{Path, PathBuf},
};

use crate::error::EngineError;

/// Where Python keeps what it has compiled.
const COMPILED: &str = "__pycache__";
/// No sources of the project are there, and many files may be.
const NOT_LOOKED_INTO: [&str; 2] = [".git", "node_modules"];

/// Removes everything below a directory that Python would take for compiled sources.
pub(super) fn forget_compiled(directory: &Path) -> Result<(), EngineError> {
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        let look = look_into(&directory, &mut open);
        look.map_err(EngineError::file("remove what Python compiled in", &directory))?;
    }
    Ok(())
}

fn look_into(directory: &Path, open: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        // From where nobody can read, Python cannot import either.
        Err(error) if is_closed_or_gone(&error) => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        let kind = entry.file_type()?;
        let name = entry.file_name();
        if name == COMPILED {
            remove(&entry, kind.is_dir())?;
        } else if kind.is_dir() && !NOT_LOOKED_INTO.iter().any(|other| name == *other) {
            open.push(entry.path());
        }
    }
    Ok(())
}

/// A link goes, and what it leads to stays.
fn remove(entry: &DirEntry, is_directory: bool) -> io::Result<()> {
    if is_directory { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) }
}

fn is_closed_or_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::NotFound)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_what_python_compiled_goes_and_no_link_is_followed() {
        let place = tempfile::tempdir().expect("a directory");
        let (inside, outside) = (place.path().join("in"), place.path().join("out"));
        for directory in ["pkg/__pycache__", "pkg/deep/__pycache__", "node_modules/__pycache__"] {
            fs::create_dir_all(inside.join(directory)).expect("a directory");
            fs::write(inside.join(directory).join("m.cpython-311.pyc"), "x").expect("a file");
        }
        fs::write(inside.join("pkg/m.py"), "x").expect("a file");
        fs::create_dir_all(outside.join("__pycache__")).expect("a directory");
        symlink(&outside, inside.join("elsewhere")).expect("a link");
        symlink(&outside, inside.join("pkg/deep/more")).expect("a link");
        fs::create_dir_all(inside.join("linked")).expect("a directory");
        symlink(&outside, inside.join("linked/__pycache__")).expect("a link");

        forget_compiled(&inside).expect("they can be removed");

        assert!(!inside.join("pkg/__pycache__").exists());
        assert!(!inside.join("pkg/deep/__pycache__").exists());
        assert!(fs::symlink_metadata(inside.join("linked/__pycache__")).is_err());
        assert!(inside.join("node_modules/__pycache__").exists());
        assert!(inside.join("pkg/m.py").exists() && outside.join("__pycache__").exists());
    }
}
