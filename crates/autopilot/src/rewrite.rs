//! Writes a person's file anew: whole or not at all, with its permissions, and only if nobody else changed it meanwhile.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process,
};

/// A file whose new text lies ready beside it.
#[derive(Debug)]
pub(crate) struct Rewrite {
    path: PathBuf,
    before: Vec<u8>,
    beside: Option<PathBuf>,
}

impl Rewrite {
    /// Writes the new text beside the file. The file is a real one: links were followed before.
    pub(crate) fn prepare(path: &Path, before: &str, after: &str) -> io::Result<Self> {
        let permissions = fs::symlink_metadata(path)?.permissions();
        if permissions.readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is write-protected"));
        }
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".autopilot-{}", process::id()));
        let beside = path.with_file_name(name);
        // Nobody else may read it before it has the permissions of the file.
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
        let ready = Self {
            path: path.to_owned(),
            before: before.as_bytes().to_owned(),
            beside: Some(beside),
        };
        file.write_all(after.as_bytes())?;
        file.set_permissions(permissions)?;
        file.sync_all()?;
        Ok(ready)
    }

    /// Puts the new text in the place of the old one.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        if fs::read(&self.path)? != self.before {
            return Err(io::Error::other("somebody else has changed it meanwhile"));
        }
        let Some(beside) = &self.beside else { return Ok(()) };
        fs::rename(beside, &self.path)?;
        self.beside = None;
        match self.path.parent() {
            Some(directory) => File::open(directory)?.sync_all(),
            None => Ok(()),
        }
    }
}

impl Drop for Rewrite {
    fn drop(&mut self) {
        if let Some(beside) = self.beside.take() {
            // It is of no use any more; what cannot be removed does no harm.
            drop(fs::remove_file(beside));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn names(place: &Path) -> Vec<OsString> {
        let entries = fs::read_dir(place).expect("listable");
        entries.map(|entry| entry.expect("readable").file_name()).collect()
    }

    #[test]
    fn c47_a_file_is_replaced_with_its_permissions_and_leaves_nothing_beside_it() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("ROADMAP.md");
        fs::write(&path, "old").expect("writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("settable");
        Rewrite::prepare(&path, "old", "new").expect("ready").commit().expect("replaced");
        assert_eq!(fs::read_to_string(&path).expect("readable"), "new");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o640);
        assert_eq!(names(place.path()), ["ROADMAP.md"]);
    }

    #[test]
    fn c47_a_file_that_somebody_else_changed_or_protected_stays_as_it_is() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("ROADMAP.md");
        fs::write(&path, "theirs").expect("writable");
        let ready = Rewrite::prepare(&path, "old", "new").expect("ready");
        assert!(ready.commit().expect_err("changed").to_string().contains("meanwhile"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("settable");
        Rewrite::prepare(&path, "theirs", "new").expect_err("protected");
        assert_eq!(fs::read_to_string(&path).expect("readable"), "theirs");
        assert_eq!(names(place.path()), ["ROADMAP.md"]);
    }
}
