//! Answers of people on their way into a run.
//!
//! The journal has one writer, and a person answers from another process. Their answer is a file; the name
//! is the question, so the first one to make the file has answered. The engine takes files into the journal
//! when it starts, when it is told to look, and when it stands still.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use autopilot_core::{id::GateId, input::Answer};

use crate::{driver::Given, error::EngineError, private::create_dirs};

/// Larger files are no answers.
const ANSWER_BYTES_MAX: u64 = 64 << 10;

/// The waiting answers of one run.
#[derive(Clone, Debug)]
pub struct Inbox(PathBuf);

impl Inbox {
    /// The answers in a directory, which need not exist.
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Leaves an answer. Whoever is first counts, but for waivers, which can be renewed.
    pub(crate) fn leave(&self, gate: &GateId, answer: &Answer) -> Result<Given, EngineError> {
        create_dirs(&self.0).map_err(EngineError::file("make", &self.0))?;
        let target = self.0.join(file_name(gate));
        let draft = self.0.join(format!(".{}.{}", std::process::id(), file_name(gate)));
        let bytes = serde_json::to_vec(answer)
            .map_err(|error| EngineError::Bug(format!("an answer cannot be written: {error}")))?;
        let written = write_durably(&draft, &bytes);
        if gate.is_waiver() {
            // A waiver can be given again: what it says last counts.
            let moved = written.and_then(|()| fs::rename(&draft, &target));
            return moved.map(|()| Given::Kept).map_err(EngineError::file("write", &target));
        }
        // A hard link either makes the whole answer appear under its name or fails: no half, no overwriting.
        let linked = written.and_then(|()| fs::hard_link(&draft, &target));
        let removed = fs::remove_file(&draft);
        match linked {
            Ok(()) => {
                removed.map_err(EngineError::file("remove", &draft))?;
                Ok(Given::Kept)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(Given::TooLate),
            Err(error) => Err(EngineError::file("write", &target)(error)),
        }
    }

    /// The answers that wait. What is no answer is left where it is.
    pub(crate) fn waiting(&self) -> Vec<(GateId, Answer)> {
        let Ok(entries) = fs::read_dir(&self.0) else { return Vec::new() };
        let mut found: Vec<(GateId, Answer)> = entries
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let gate = gate_of(path.file_name()?.to_str()?)?;
                Some((gate, read(&path)?))
            })
            .collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        found
    }

    /// Takes an answer out once it stands in the journal.
    pub(crate) fn taken(&self, gate: &GateId) {
        // If it stays, it is offered again and dropped as a second answer.
        drop(fs::remove_file(self.0.join(file_name(gate))));
    }
}

fn read(path: &Path) -> Option<Answer> {
    let size = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?.len();
    if size > ANSWER_BYTES_MAX {
        return None;
    }
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// The file of a question. Everything but plain characters is written as hexadecimal digits.
fn file_name(gate: &GateId) -> String {
    let mut name = String::new();
    for byte in gate.as_str().bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("%{byte:02x}"));
        }
    }
    name + ".json"
}

fn gate_of(name: &str) -> Option<GateId> {
    let mut rest = name.strip_suffix(".json")?.as_bytes();
    let mut bytes = Vec::new();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else if first == b'.' {
            return None;
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    Some(GateId::new(String::from_utf8(bytes).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(approved: bool) -> Answer {
        Answer { approved, message: "m".to_owned(), by: "b".to_owned(), until: None }
    }

    #[test]
    fn the_first_answer_counts_and_is_gone_once_taken() {
        let place = tempfile::tempdir().expect("a directory");
        let inbox = Inbox::new(place.path().join("in"));
        let gate = GateId::new("3/human/03-02");
        assert!(inbox.waiting().is_empty());
        assert_eq!(inbox.leave(&gate, &answer(true)).expect("kept"), Given::Kept);
        assert_eq!(inbox.leave(&gate, &answer(false)).expect("asked"), Given::TooLate);
        assert_eq!(inbox.waiting(), [(gate.clone(), answer(true))]);
        inbox.taken(&gate);
        assert!(inbox.waiting().is_empty());
    }

    #[test]
    fn a_waiver_can_be_given_again() {
        let place = tempfile::tempdir().expect("a directory");
        let inbox = Inbox::new(place.path().join("in"));
        let gate = GateId::waiver("1/1");
        assert_eq!(inbox.leave(&gate, &answer(true)).expect("kept"), Given::Kept);
        let longer = Answer { message: "longer".to_owned(), ..answer(true) };
        assert_eq!(inbox.leave(&gate, &longer).expect("kept"), Given::Kept);
        assert_eq!(inbox.waiting(), [(gate, longer)]);
    }

    #[test]
    fn what_is_no_answer_is_passed_over() {
        let place = tempfile::tempdir().expect("a directory");
        let inbox = Inbox::new(place.path().to_owned());
        fs::write(place.path().join("x.json"), "{").expect("written");
        fs::write(place.path().join("y"), "{}").expect("written");
        std::os::unix::fs::symlink("/etc/passwd", place.path().join("z.json")).expect("linked");
        assert!(inbox.waiting().is_empty());
    }

    #[test]
    fn any_question_has_a_file_name_that_can_be_read_back() {
        for text in ["3/human/03-02", "..", "a b%", "ü", ""] {
            let gate = GateId::new(text);
            let name = file_name(&gate);
            assert!(!name.contains('/') && !name.starts_with('.') || text.is_empty(), "{name}");
            assert_eq!(gate_of(&name), Some(gate));
        }
    }
}
