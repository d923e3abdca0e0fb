//! Directories that are their owner's alone, whatever the mask of the process says.

use std::{
    fs::{self, DirBuilder, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::Path,
};

use tempfile::TempDir;

/// What an agent said and did is nobody else's business.
const MODE: u32 = 0o700;

/// Nobody guesses so many characters.
const RANDOM_CHARS: usize = 16;

/// Makes a directory and what is missing above it. One that is there stays as it is.
pub(crate) fn create_dirs(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path
        .ancestors()
        .take_while(|place| !place.as_os_str().is_empty() && !place.exists())
        .collect();
    for place in missing.into_iter().rev() {
        match create_dir(place) {
            // Somebody else may make the same one at this moment.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && place.is_dir() => {}
            made => made?,
        }
    }
    // Something that is no directory may be there.
    if path.is_dir() { Ok(()) } else { Err(io::ErrorKind::NotADirectory.into()) }
}

/// Makes a directory of any name in another, which goes with what is returned.
pub(crate) fn tempdir_in(above: &Path) -> io::Result<TempDir> {
    named_tempdir_in("scratch-", above)
}

/// Makes a directory whose name begins with a prefix in another, which goes with what is returned.
pub(crate) fn named_tempdir_in(prefix: &str, above: &Path) -> io::Result<TempDir> {
    tempfile::Builder::new()
        .prefix(prefix)
        .rand_bytes(RANDOM_CHARS)
        .permissions(Permissions::from_mode(MODE))
        .tempdir_in(above)
}

/// Makes a directory that must not be there.
pub(crate) fn create_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(MODE).create(path)?;
    // A mask takes bits away also from what is asked for.
    fs::set_permissions(path, Permissions::from_mode(MODE))
}
