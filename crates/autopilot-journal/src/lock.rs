//! The writer's lock and the name of who has it.
//!
//! The lock itself is the kernel's (`flock`), so it ends with its process, whatever the file says. The
//! text in the file only tells people and refused writers who that process is.

use std::{fs, thread, time::Duration};

use crate::{
    error::{Error, ErrorKind},
    files::{File, Files},
    limits::LABEL_BYTES_MAX,
};

/// The file name of the lock.
const NAME: &str = "lock";

/// How long, in all and at a time, the lock of a process that is gone is waited for. A new holder writes its name right after it got
/// the lock; and what a killed holder was about to start has the lock until it starts, moments later. The waiting ends
/// with a free lock or with a name in the file; the system can be waited on for one of them, not for both.
const GONE_WAIT: Duration = Duration::from_millis(2);
const GONE_WAITS_MAX: usize = 500;

/// The line that tells that the first segment is there.
const BEGUN: &str = "begun";

/// Stands for the boot where the system does not name it.
const UNKNOWN: &str = "unknown";

/// Longer than any text that [`Holder`] writes.
const TEXT_BYTES_MAX: u64 = 4096;

/// The process that has, or had, a journal open for writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Its process id.
    pub pid: u32,
    /// When it started, in the kernel's ticks since boot: tells it from a later process with its id.
    pub started_ticks: u64,
    /// Which boot those ticks count from.
    pub boot_id: String,
    /// What it was doing, in its own words.
    pub label: String,
}

impl Holder {
    /// Names this process; `label` says what it is doing, for the person who finds the lock taken.
    pub fn this_process(label: &str) -> Self {
        let pid = std::process::id();
        Self {
            pid,
            started_ticks: started_ticks(pid).unwrap_or(0),
            boot_id: boot_id(),
            label: clean(label),
        }
    }

    /// Tells whether that very process is alive: not a later one with its id, nor one before a reboot.
    ///
    /// Where the system does not say when a process started, this is `false`.
    pub fn is_running(&self) -> bool {
        self.boot_id == boot_id() && started_ticks(self.pid) == Some(self.started_ticks)
    }

    /// Tells whether that very process may be alive: it is, or the system does not say.
    pub fn may_be_running(&self) -> bool {
        self.is_running() || self.boot_id == UNKNOWN
    }

    /// Names it in a lock file.
    pub fn to_text(&self) -> String {
        let Self { pid, started_ticks, boot_id, label } = self;
        format!("pid {pid}\nstarted {started_ticks}\nboot {boot_id}\nlabel {label}\n")
    }

    /// Reads whom a lock file names; `None` if it names nobody, or not in whole.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        let mut field = |key: &str| lines.next()?.strip_prefix(key)?.strip_prefix(' ');
        Some(Self {
            pid: field("pid")?.parse().ok()?,
            started_ticks: field("started")?.parse().ok()?,
            boot_id: clean(field("boot")?),
            label: clean(field("label")?),
        })
    }
}

/// The lock of the one writer, for as long as this value lives.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    /// Whether the text says that the first segment is there.
    begun: bool,
}

impl Lock {
    /// Takes the lock or says who has it.
    pub(crate) fn take(files: &Files, holder: &Holder) -> Result<Self, Error> {
        let mut waits = 0;
        let mut file = loop {
            if let Some(file) = files.lock(NAME)? {
                break file;
            }
            let found = read_holder(files).ok().flatten();
            if waits == GONE_WAITS_MAX || found.as_ref().is_some_and(Holder::may_be_running) {
                return Err(Error::new("lock", files.path(""), ErrorKind::Locked(found)));
            }
            waits += 1;
            thread::sleep(GONE_WAIT);
        };
        let begun = says_begun(&read_text(&file)?);
        let mut text = holder.to_text();
        if begun {
            text.push_str(&format!("{BEGUN}\n"));
        }
        file.truncate(0)?;
        file.write_all_at(text.as_bytes(), 0)?;
        Ok(Self { file, begun })
    }

    /// Notes that the first segment is there, for good.
    pub(crate) fn note_begun(&mut self) -> Result<(), Error> {
        if !self.begun {
            let end = self.file.len()?;
            self.file.write_all_at(format!("{BEGUN}\n").as_bytes(), end)?;
            self.begun = true;
        }
        Ok(())
    }
}

/// Tells whether whoever had the lock has seen the first segment.
pub(crate) fn has_begun(files: &Files) -> Result<bool, Error> {
    Ok(match files.find(NAME)? {
        Some(file) => says_begun(&read_text(&file)?),
        None => false,
    })
}

fn read_text(file: &File) -> Result<Vec<u8>, Error> {
    Ok(file.read_rest(0, TEXT_BYTES_MAX)?.unwrap_or_default())
}

fn says_begun(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n').any(|line| line == BEGUN.as_bytes())
}

/// Reads who has the lock, or had it last.
pub(crate) fn read_holder(files: &Files) -> Result<Option<Holder>, Error> {
    let Some(file) = files.find(NAME)? else {
        return Ok(None);
    };
    let text = read_text(&file)?;
    Ok(std::str::from_utf8(&text).ok().and_then(Holder::from_text))
}

/// Keeps a text on one line and free of control characters, since it will be shown on a terminal.
fn clean(text: &str) -> String {
    let mut clean: String = text.chars().filter(|char| !char.is_control()).collect();
    clean.truncate(clean.floor_char_boundary(LABEL_BYTES_MAX));
    clean
}

fn boot_id() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id")
        .map_or_else(|_| UNKNOWN.to_owned(), |id| id.trim().to_owned())
}

/// Asks when a process started; `None` if it is gone, has ended, or the system does not say.
fn started_ticks(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the program's name in parentheses and may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let state = fields.next()?;
    let started = fields.nth(18)?.parse().ok()?;
    (!matches!(state, "Z" | "X")).then_some(started)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_is_read_back() {
        let holder = Holder::this_process("run 7\n\x1b[31mred");
        assert_eq!(holder.label, "run 7[31mred", "control characters are dropped");
        assert_eq!(Holder::from_text(&holder.to_text()), Some(holder));
    }

    #[test]
    fn text_that_is_no_holder_is_none() {
        for text in
            ["", "pid 1", "pid x\nstarted 1\nboot b\nlabel l\n", "pid 1\nstarted 1\nboot b\n"]
        {
            assert_eq!(Holder::from_text(text), None, "{text:?}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_reused_process_id_is_not_the_holder() {
        let holder = Holder::this_process("test");
        assert!(holder.is_running());
        let reused = Holder { started_ticks: holder.started_ticks - 1, ..holder.clone() };
        assert!(!reused.is_running());
        assert!(!Holder { boot_id: "before the reboot".to_owned(), ..holder }.is_running());
    }
}
