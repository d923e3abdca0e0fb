//! Files of one record for each line, to which several programs add at the same time.
//!
//! A line is added in one write under a lock, and never touched again. Whoever is killed in between leaves a line without an
//! end; the next one to add puts an end to it and says so, and readers pass over what is no record.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    os::unix::fs::MetadataExt,
    path::Path,
};

use super::SessionError;
use crate::private::create_dirs;

/// What the end of a file was like before a line was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// As it should be.
    Whole,
    /// The last line had no end, and has one now.
    Unfinished,
}

/// Adds a line. It is there whole when this returns, also after a power cut, or not at all.
///
/// # Errors
/// Says what could not be done to the file; nothing of the line is there then.
pub fn append_line(path: &Path, line: &str) -> Result<Found, SessionError> {
    let failed = |what| SessionError::file(what, path);
    let mut file = locked(path).map_err(failed("open"))?;
    let before = file.metadata().map_err(failed("look at"))?.len();
    let found = ending(&mut file, before).map_err(failed("read"))?;
    let start = if found == Found::Whole { "" } else { "\n" };
    // One write, so that a reader never sees half of it.
    let written =
        file.write_all(format!("{start}{line}\n").as_bytes()).and_then(|()| file.sync_data());
    if let Err(error) = written {
        // A full disk may have taken a part.
        drop(file.set_len(before));
        return Err(failed("write")(error));
    }
    Ok(found)
}

/// The file, made if there is none, with everybody else kept out until it is dropped.
fn locked(path: &Path) -> io::Result<File> {
    if let Some(above) = path.parent() {
        create_dirs(above)?;
    }
    loop {
        let is_new = !path.exists();
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        file.lock()?;
        // An earlier program puts a new file into the place of the old one; what is added to the old one is lost.
        let (held, there) = (file.metadata()?, path.metadata());
        if there.is_ok_and(|there| (there.dev(), there.ino()) == (held.dev(), held.ino())) {
            if is_new && let Some(above) = path.parent() {
                File::open(above)?.sync_all()?;
            }
            return Ok(file);
        }
    }
}

fn ending(file: &mut File, length: u64) -> io::Result<Found> {
    if length == 0 {
        return Ok(Found::Whole);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(if last == *b"\n" { Found::Whole } else { Found::Unfinished })
}

#[cfg(test)]
mod tests {
    use std::{fs, thread};

    use super::*;

    #[test]
    fn s4_lines_of_many_writers_are_all_there_and_whole() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/b/autopilot.jsonl");
        thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    for at in 0..20 {
                        let line = format!(
                            "{{\"writer\":{writer},\"at\":{at},\"pad\":\"{}\"}}",
                            "x".repeat(500)
                        );
                        append_line(path, &line).unwrap();
                    }
                });
            }
        });
        let text = fs::read_to_string(&path).unwrap();
        let whole =
            text.lines().filter(|line| serde_json::from_str::<serde_json::Value>(line).is_ok());
        assert_eq!((whole.count(), text.lines().count()), (160, 160));
    }

    #[test]
    fn s4_a_line_without_an_end_gets_one_and_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("sessions.jsonl");
        assert_eq!(append_line(&path, "{}").unwrap(), Found::Whole);
        fs::write(&path, "{\"a\":1}\n{\"to").unwrap();
        assert_eq!(append_line(&path, "{\"b\":2}").unwrap(), Found::Unfinished);
        assert_eq!(append_line(&path, "{\"c\":3}").unwrap(), Found::Whole);
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"a\":1}\n{\"to\n{\"b\":2}\n{\"c\":3}\n");
    }

    #[test]
    fn s4_a_file_that_was_replaced_meanwhile_is_not_written_to() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("autopilot.jsonl");
        fs::write(&path, "{\"old\":1}\n").unwrap();
        let held = OpenOptions::new().append(true).open(&path).unwrap();
        held.lock().unwrap();
        thread::scope(|scope| {
            let adding = scope.spawn(|| append_line(&path, "{\"new\":2}").unwrap());
            // Whether the other one waits already or not, it may only write to what is there in the end.
            let beside = place.path().join("beside");
            fs::write(&beside, "{\"old\":1}\n{\"theirs\":3}\n").unwrap();
            fs::rename(&beside, &path).unwrap();
            drop(held);
            adding.join().unwrap();
        });
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "{\"old\":1}\n{\"theirs\":3}\n{\"new\":2}\n");
    }
}
