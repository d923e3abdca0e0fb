//! Stops the real program at one of its system calls: counts them, and kills it as it begins the N-th.
//!
//! `strace` follows every thread of the engine and lets go of what the engine starts when that becomes
//! another program (`--detach-on=execve`), so the guardian, the agents and git are neither counted nor hit;
//! between fork and exec they make none of these calls. `strace` counts for each thread by itself, and the
//! engine has a thread for each effect, so its own `signal=SIGKILL:when=N` would reach only a few of the
//! calls. Instead calls of the kind are held up as they begin, and this side counts over all threads and
//! kills the engine while the N-th is held up. The tracer's last words tell whether that call was made: where
//! the kill came too late, it is tried again with more time.

use std::{
    fs,
    io::Read,
    process::{Command, Stdio},
};

use autopilot_testkit::program::Project;
use rustix::process::{Pid, Signal, kill_process};

/// The tracer.
const STRACE: &str = "strace";
/// What is run under it.
const RUN: [&str; 2] = ["run", "--complete"];

/// A kind of system call under its names on all systems.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    calls: &'static [&'static str],
}

/// The calls after which something on the disk or among the processes is different, and `openat`.
pub(crate) const KINDS: [Kind; 7] = [
    Kind { name: "write", calls: &["write"] },
    Kind { name: "openat", calls: &["openat"] },
    Kind { name: "rename", calls: &["rename", "renameat", "renameat2"] },
    Kind { name: "fsync", calls: &["fsync"] },
    Kind { name: "fdatasync", calls: &["fdatasync"] },
    Kind { name: "unlink", calls: &["unlink", "unlinkat"] },
    Kind { name: "clone", calls: &["clone", "clone3", "fork", "vfork"] },
];

/// What came of an attempt to kill the engine at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// It was killed as it began the call; the call was not made.
    Hit,
    /// It was killed, but after the call.
    Late,
    /// It came to its end with fewer calls.
    NotReached,
}

/// Whether the tracer is there.
pub(crate) fn is_installed() -> bool {
    Command::new(STRACE).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Runs to the end and counts the engine's calls of each kind.
pub(crate) fn count(project: &Project) -> Vec<(Kind, usize)> {
    let all: Vec<&str> = KINDS.iter().flat_map(|kind| kind.calls).copied().collect();
    let output = traced(project, &all, &[]).output().expect("strace can be started");
    assert!(output.status.success(), "the traced run ended with {}", output.status);
    let mut log = Log::default();
    let calls = log.take(&output.stdout);
    let of = |kind: &Kind| calls.iter().filter(|call| kind.calls.contains(&&*call.name)).count();
    let counted: Vec<_> = KINDS.iter().map(|kind| (*kind, of(kind))).collect();
    assert!(counted.iter().all(|(_, count)| *count > 0), "the tracer saw too little: {counted:?}");
    counted
}

/// Which calls are held up, and for how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delay {
    /// The first one, as each thread counts its own.
    pub(crate) from: usize,
    /// Microseconds for each.
    pub(crate) us: u64,
}

/// Runs and kills the engine as it begins the N-th call of a kind, which is held up for a while.
pub(crate) fn kill_at(project: &Project, kind: Kind, nth: usize, delay: Delay) -> Aim {
    let Delay { from, us } = delay;
    let delay = format!("--inject={}:delay_enter={us}us:when={from}+", list(kind.calls));
    let mut tracer = traced(project, kind.calls, &[&delay])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("strace can be started");
    let mut told = tracer.stdout.take().expect("it is piped");
    let mut log = Log::default();
    let (mut piece, mut seen, mut hit) = ([0; 1 << 14], 0, None);
    while let Ok(length @ 1..) = told.read(&mut piece) {
        for call in log.take(&piece[..length]) {
            seen += 1;
            if seen == nth {
                kill(engine_of(call.thread, tracer.id()));
                hit = Some(call);
            }
        }
    }
    tracer.wait().expect("it is our child");
    match hit {
        None => Aim::NotReached,
        Some(call) if log.was_made(&call) => Aim::Late,
        Some(_) => Aim::Hit,
    }
}

fn traced(project: &Project, calls: &[&str], more: &[&str]) -> Command {
    let mut words = vec![
        "--follow-forks".to_owned(),
        "--detach-on=execve".to_owned(),
        "--signal=none".to_owned(),
        "--string-limit=0".to_owned(),
        // The program prints nothing there: what it tells people goes to standard error.
        "--output=/proc/self/fd/1".to_owned(),
        format!("--trace={}", list(calls)),
    ];
    words.extend(more.iter().map(|word| (*word).to_owned()));
    words.push(project.program().display().to_string());
    words.extend(RUN.map(str::to_owned));
    project.other(STRACE, words)
}

/// Calls as the tracer takes them; the mark lets it pass over those that this machine does not have.
fn list(calls: &[&str]) -> String {
    calls.iter().map(|call| format!("?{call}")).collect::<Vec<_>>().join(",")
}

/// The engine that a thread belongs to; none where it is not the tracer's own child.
fn engine_of(thread: u32, tracer: u32) -> Option<Pid> {
    let status = fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    let field = |name: &str| -> Option<i32> {
        status.lines().find_map(|line| line.strip_prefix(name))?.trim().parse().ok()
    };
    let is_engine = u32::try_from(field("PPid:")?) == Ok(tracer);
    Pid::from_raw(field("Tgid:")?).filter(|_| is_engine)
}

fn kill(engine: Option<Pid>) {
    if let Some(engine) = engine {
        // It may have come to its end this very moment; then the tracer tells that the call was made.
        let _gone = kill_process(engine, Signal::KILL);
    }
}

/// A call that the tracer has begun to tell of.
#[derive(Debug)]
struct Call {
    thread: u32,
    name: String,
    /// Where its line begins.
    at: usize,
}

/// What the tracer has told so far.
#[derive(Debug, Default)]
struct Log {
    text: String,
    line: usize,
    is_known: bool,
}

impl Log {
    /// Adds a piece and gives the calls that begin in it, each before it is made.
    fn take(&mut self, piece: &[u8]) -> Vec<Call> {
        self.text.push_str(&String::from_utf8_lossy(piece));
        let mut found = Vec::new();
        loop {
            let rest = &self.text[self.line..];
            let end = rest.find('\n');
            let line = &rest[..end.unwrap_or(rest.len())];
            if let Some((thread, name)) = beginning(line).filter(|_| !self.is_known) {
                self.is_known = true;
                found.push(Call { thread, name: name.to_owned(), at: self.line });
            }
            let Some(end) = end else { return found };
            self.line += end + 1;
            self.is_known = false;
        }
    }

    /// Whether the tracer has told what a call gave back, other than that nobody will ever know (`= ?`).
    fn was_made(&self, call: &Call) -> bool {
        let of_thread = format!("{} ", call.thread);
        let lines = self.text[call.at..].lines().filter(|line| line.starts_with(&of_thread));
        let mut ends = lines.take(2).filter_map(|line| line.rsplit_once(" = "));
        ends.next().is_some_and(|(_, result)| !result.starts_with('?'))
    }
}

/// The thread and the name at the beginning of a line about a call.
fn beginning(line: &str) -> Option<(u32, &str)> {
    let (head, _) = line.split_once('(')?;
    let (thread, name) = head.split_once(char::is_whitespace)?;
    let name = name.trim_start();
    let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    Some((thread.parse().ok()?, Some(name).filter(is_name)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_seen_as_it_begins_and_once() {
        let mut log = Log::default();
        let names = |calls: Vec<Call>| -> Vec<String> {
            calls.into_iter().map(|call| format!("{} {}", call.thread, call.name)).collect()
        };
        assert_eq!(names(log.take(b"12 wri")), Vec::<String>::new());
        assert_eq!(names(log.take(b"te(3, \"\"..., 4")), ["12 write"]);
        let rest = b" <unfinished ...>\n13 openat(5, \"\"...) = 4 (DELAYED)\n12 <... write resumed>) = 4 (DELAYED)\n";
        assert_eq!(names(log.take(rest)), ["13 openat"]);
    }

    #[test]
    fn a_call_that_was_cut_off_was_not_made() {
        let made = |text: &str| {
            let mut log = Log::default();
            let calls = log.take(text.as_bytes());
            log.was_made(&calls[0])
        };
        assert!(made("12 write(3, \"\"..., 4) = 4 (DELAYED)\n12 +++ killed by SIGKILL +++\n"));
        assert!(made("12 write(3, <unfinished ...>\n13 +++\n12 <... write resumed>) = 4\n"));
        assert!(!made("12 write(3, \"\"..., 4) = ?\n12 +++ killed by SIGKILL +++\n"));
        assert!(!made("12 write(3, <unfinished ...>\n12 <... write resumed>) = ?\n"));
        assert!(!made("12 write(3, <unfinished ...>\n12 +++ killed by SIGKILL +++\n"));
    }
}
