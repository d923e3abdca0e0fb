//! Files that are there whole or as they were before, and that no link leads anywhere else.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use crate::private::create_dirs;

/// Writes a file so that it is there whole or as it was before. A power cut may leave the old one, which is
/// made again.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    draft_of(path, bytes).map(drop)?;
    fs::rename(beside(path, ".tmp"), path)
}

/// The same, also after a power cut.
pub(super) fn replace_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    draft_of(path, bytes)?.sync_all()?;
    fs::rename(beside(path, ".tmp"), path)?;
    File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
}

/// Gives a file a second name, under which it stays when it is replaced. There is always one under the first.
pub(super) fn keep_backup(path: &Path, backup: &Path) -> io::Result<()> {
    let draft = beside(backup, ".tmp");
    remove(&draft)?;
    match fs::hard_link(path, &draft) {
        Ok(()) => fs::rename(&draft, backup),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        // Not every file system knows second names.
        Err(_) => fs::rename(path, backup),
    }
}

/// Moves a file to another place, whatever it is, and over whatever is there.
pub(super) fn move_aside(path: &Path, to: &Path) -> io::Result<()> {
    create_dirs(to.parent().unwrap_or(Path::new(".")))?;
    fs::rename(path, to)
}

/// The text of a file of ours: no link, and not longer than that.
pub(crate) fn read_small(path: &Path, bytes_max: u64) -> Option<String> {
    let found = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    if found.len() > bytes_max {
        return None;
    }
    let mut text = String::new();
    File::open(path).ok()?.take(bytes_max).read_to_string(&mut text).ok()?;
    Some(text)
}

fn draft_of(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let draft = beside(path, ".tmp");
    create_dirs(path.parent().unwrap_or(Path::new(".")))?;
    // Whoever was killed may have left one. A new file is never written through a link.
    remove(&draft)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(&draft)?;
    file.write_all(bytes)?;
    Ok(file)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}
