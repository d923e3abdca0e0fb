//! Stores bytes as they are: what no filter may change and no index can name.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::{Path, PathBuf},
};

use super::{GitError, ObjectId, Project};

/// A file or link to be stored as it is, under a path of its own in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Raw {
    /// Where it is.
    pub(super) on_disk: PathBuf,
    /// Where it goes in the tree.
    pub(super) in_tree: Vec<u8>,
}

impl Project {
    /// Stores files and links without any conversion and returns the lines that name them in an index.
    pub(super) fn store_raw(&self, files: &[Raw], scratch: &Path) -> Result<Vec<u8>, GitError> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let marks = scratch.join("marks");
        let export = [b"--export-marks=", marks.as_os_str().as_bytes()].concat();
        let arguments = [&b"fast-import"[..], b"--quiet", b"--depth=0", &export];
        let answer = self.call(arguments.map(std::ffi::OsStr::from_bytes)).answer_to(|out| {
            let mut out = io::BufWriter::with_capacity(64 << 10, out);
            for (number, file) in files.iter().enumerate() {
                write_blob(&mut out, number + 1, &file.on_disk)?;
            }
            out.flush()
        })?;
        if !answer.status.success() {
            // Git leaves a report in the person's repository; the error says the same. There is none if it could not
            // write it.
            let report = format!("fast_import_crash_{}", answer.pid);
            drop(fs::remove_file(self.git_dir.join(report)));
        }
        answer.success("store the files of", scratch.as_os_str())?;
        let ids = read_marks(&marks, files.len())?;
        let mut lines = Vec::new();
        for (file, id) in files.iter().zip(ids) {
            let mode = mode_of(&file.on_disk)
                .map_err(|error| GitError::io("look at", &file.on_disk, error))?;
            lines.extend_from_slice(format!("{mode} {id}\t").as_bytes());
            lines.extend_from_slice(&file.in_tree);
            lines.push(0);
        }
        Ok(lines)
    }
}

fn write_blob(out: &mut impl Write, number: usize, path: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        let target = fs::read_link(path)?;
        let bytes = target.as_os_str().as_bytes();
        write!(out, "blob\nmark :{number}\ndata {}\n", bytes.len())?;
        out.write_all(bytes)?;
    } else {
        let file = open_plain(path)?;
        let length = file.metadata()?.len();
        write!(out, "blob\nmark :{number}\ndata {length}\n")?;
        if io::copy(&mut file.take(length), out)? != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    out.write_all(b"\n")
}

/// Opens a file, never a link, and never waits for the other end of a pipe.
fn open_plain(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

fn mode_of(path: &Path) -> io::Result<&'static str> {
    let found = fs::symlink_metadata(path)?;
    Ok(match found {
        _ if found.is_symlink() => "120000",
        _ if found.permissions().mode() & 0o100 != 0 => "100755",
        _ => "100644",
    })
}

fn read_marks(path: &Path, count: usize) -> Result<Vec<ObjectId>, GitError> {
    let text = fs::read_to_string(path).map_err(|error| GitError::io("read", path, error))?;
    let mut ids = vec![None; count];
    for line in text.lines() {
        if let Some((mark, id)) = line.strip_prefix(':').and_then(|rest| rest.split_once(' '))
            && let Ok(number) = mark.parse::<usize>()
            && let Some(place) = number.checked_sub(1).and_then(|at| ids.get_mut(at))
        {
            *place = Some(ObjectId::parse(id)?);
        }
    }
    let missing = || GitError::io("find all marks in", path, io::ErrorKind::InvalidData);
    ids.into_iter().collect::<Option<Vec<_>>>().ok_or_else(missing)
}

/// Quotes a path where git would misread it in a list of lines.
pub(super) fn quoted(path: &[u8]) -> Vec<u8> {
    let misread = path.starts_with(b"\"") || path.starts_with(b"#") || path.contains(&b'\n');
    if misread { force_quoted(path) } else { path.to_vec() }
}

/// Quotes a path as C does.
pub(super) fn force_quoted(path: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for byte in path {
        match byte {
            b'"' | b'\\' => quoted.extend([b'\\', *byte]),
            b'\n' => quoted.extend(b"\\n"),
            _ => quoted.push(*byte),
        }
    }
    quoted.push(b'"');
    quoted
}
