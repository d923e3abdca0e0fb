//! The rails as a shell library: files, arguments, exit codes and messages of the functions they replace.
//!
//! What is decided is in [`autopilot_core::rails`]; here are the files it is decided on.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, OpenOptions},
    io::{self, ErrorKind, Write},
    os::unix::ffi::OsStrExt,
    path::Path,
};

use autopilot_core::rails::{
    check::{self, AuditLog, Refusal, Signal},
    fingerprint::fingerprint,
    line::{self, HaltReason, Iteration},
};

use crate::git::Git;

/// The functions there are.
pub const FUNCTIONS: [&str; 12] = [
    "fingerprint",
    "record_iteration",
    "record_halt",
    "check_sameness",
    "check_stuck",
    "check_max_iterations",
    "check_log_integrity",
    "pin_anchor",
    "check_pin",
    "record_red_evidence",
    "check_red_evidence",
    "_fingerprints",
];

/// What a call prints, and how it ends.
#[derive(Debug, PartialEq, Eq)]
pub struct Reply {
    /// The exit code.
    pub code: u8,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

/// Where a call gets what is not among its arguments.
pub struct Surroundings<'a> {
    /// What is on standard input, read only by those who want it.
    pub stdin: &'a mut dyn FnMut() -> io::Result<Vec<u8>>,
    /// The time, as it is to stand in the log.
    pub timestamp: &'a str,
}

/// Calls a function; `None` if there is none of that name.
pub fn call(name: &OsStr, arguments: &[OsString], around: &mut Surroundings<'_>) -> Option<Reply> {
    let arguments = Arguments(arguments);
    let done = match name.to_str()? {
        "fingerprint" => print_fingerprint(around),
        "record_iteration" => record_iteration(arguments, around.timestamp),
        "record_halt" => record_halt(arguments, around.timestamp),
        "check_sameness" => check_sameness(arguments),
        "check_stuck" => check_stuck(arguments),
        "check_max_iterations" => {
            check::max_iterations(arguments.bytes(0), arguments.bytes(1)).map(signalled)
        }
        "check_log_integrity" => check_log_integrity(arguments),
        "pin_anchor" => pin_anchor(arguments, around),
        "check_pin" => check_pin(arguments),
        "record_red_evidence" => record_red_evidence(arguments, around.timestamp),
        "check_red_evidence" => check_red_evidence(arguments),
        "_fingerprints" => print_failures(arguments),
        _ => return None,
    };
    Some(done.unwrap_or_else(|refusal| refused(&refusal)))
}

type Done = Result<Reply, Refusal>;

/// Arguments by place. One that is not given is empty, as in a shell.
#[derive(Clone, Copy)]
struct Arguments<'a>(&'a [OsString]);

impl<'a> Arguments<'a> {
    fn bytes(self, place: usize) -> &'a [u8] {
        self.0.get(place).map_or(b"", |argument| argument.as_bytes())
    }

    /// An argument that may be left out, which an empty one does too.
    fn optional(self, place: usize) -> Option<&'a [u8]> {
        Some(self.bytes(place)).filter(|argument| !argument.is_empty())
    }
}

fn print_fingerprint(around: &mut Surroundings<'_>) -> Done {
    let text = (around.stdin)().map_err(|error| failed(b"standard input", &error))?;
    Ok(printed(fingerprint(&text) + "\n"))
}

fn record_iteration(arguments: Arguments<'_>, timestamp: &str) -> Done {
    let iteration = Iteration {
        number: arguments.bytes(1),
        step: arguments.bytes(2),
        verdict: arguments.bytes(3),
        fingerprint: arguments.bytes(4),
    };
    append(arguments.bytes(0), &iteration.line(timestamp)?)
}

fn record_halt(arguments: Arguments<'_>, timestamp: &str) -> Done {
    if arguments.bytes(0).is_empty() {
        return Err(Refusal::of(2, "record_halt: jsonl path required"));
    }
    let reason = HaltReason::named(arguments.bytes(2)).ok_or_else(|| {
        let known = HaltReason::ALL.map(HaltReason::name).join(" / ");
        let told = format!("' (must be one of {known})");
        Refusal::of(
            2,
            [b"record_halt: invalid reason '", arguments.bytes(2), told.as_bytes()].concat(),
        )
    })?;
    let digest = arguments.optional(3).unwrap_or(b"[]");
    append(arguments.bytes(0), &line::halt(arguments.bytes(1), reason, digest, timestamp))
}

fn check_sameness(arguments: Arguments<'_>) -> Done {
    let path = arguments.bytes(0);
    let text = read(path)?.unwrap_or_default();
    AuditLog { path, text: &text }.sameness(arguments.optional(1)).map(signalled)
}

fn check_stuck(arguments: Arguments<'_>) -> Done {
    let path = arguments.bytes(0);
    let text = read(path)?.unwrap_or_default();
    let window = arguments.optional(1).unwrap_or(b"3");
    AuditLog { path, text: &text }.stuck(window, arguments.optional(2)).map(signalled)
}

fn check_log_integrity(arguments: Arguments<'_>) -> Done {
    let path = arguments.bytes(0);
    let text = read(path)?;
    check::log_integrity(path, text.as_deref(), arguments.bytes(1)).map(|()| silent(0))
}

fn pin_anchor(arguments: Arguments<'_>, around: &mut Surroundings<'_>) -> Done {
    let path = arguments.bytes(0);
    if path.is_empty() {
        return Err(Refusal::of(2, "pin_anchor needs a pinfile"));
    }
    if is_there(path) {
        return Err(Refusal::usage("AC pin already exists: '", path));
    }
    let text = (around.stdin)().map_err(|error| failed(b"standard input", &error))?;
    let pin = fingerprint(&text) + "\n";
    // Two that pin at once must not both believe that theirs is the pin.
    let made = OpenOptions::new().write(true).create_new(true).open(as_path(path));
    made.and_then(|mut file| file.write_all(pin.as_bytes())).map_err(|error| {
        if error.kind() == ErrorKind::AlreadyExists {
            return Refusal::usage("AC pin already exists: '", path);
        }
        failed(path, &error)
    })?;
    Ok(silent(0))
}

fn check_pin(arguments: Arguments<'_>) -> Done {
    let path = arguments.bytes(0);
    let pinned = read(path)?;
    check::pin(path, pinned.as_deref(), arguments.bytes(1)).map(signalled)
}

fn record_red_evidence(arguments: Arguments<'_>, timestamp: &str) -> Done {
    const NAME: &str = "record_red_evidence";
    let [path, commit, file] = [0, 1, 2].map(|place| arguments.bytes(place));
    let implementation = arguments.optional(3);
    if path.is_empty() {
        return Err(Refusal::of(2, format!("{NAME}: jsonl path required")));
    }
    if !check::is_word(commit) {
        return Err(Refusal::usage(&format!("{NAME}: invalid commit sha: '"), commit));
    }
    if file.is_empty() {
        return Err(Refusal::of(2, format!("{NAME}: at-file required")));
    }
    if let Some(implementation) = implementation.filter(|commit| !check::is_word(commit)) {
        return Err(Refusal::usage(&format!("{NAME}: invalid impl sha: '"), implementation));
    }
    append(path, &line::red(commit, implementation, file, timestamp))
}

fn check_red_evidence(arguments: Arguments<'_>) -> Done {
    const NAME: &str = "check_red_evidence";
    let [test, implementation, path] = [0, 1, 2].map(|place| arguments.bytes(place));
    for commit in [test, implementation] {
        if !check::is_word(commit) {
            return Err(Refusal::usage(&format!("{NAME}: invalid commit sha: '"), commit));
        }
    }
    let told = |what: &str, name: &[u8], end: &str| {
        Refusal::of(1, [format!("{NAME}: {what} '").as_bytes(), name, end.as_bytes()].concat())
    };
    let Some(evidence) = read(path)? else {
        return Err(told("red evidence file not found:", path, "'"));
    };
    if !check::was_seen_red(&evidence, test) {
        return Err(told("no red evidence found for commit", test, "'"));
    }
    let directory = as_path(arguments.optional(3).unwrap_or(b"."));
    if is_ancestor(directory, test, implementation) {
        return Ok(silent(0));
    }
    let implementation = String::from_utf8_lossy(implementation);
    let end = format!(
        "' is not an ancestor of impl commit '{implementation}' (commit order violation or unknown sha)"
    );
    Err(told("test commit", test, &end))
}

fn is_ancestor(directory: &Path, earlier: &[u8], later: &[u8]) -> bool {
    // A name may begin with a dash; it is a name all the same.
    let words = [b"merge-base".as_slice(), b"--is-ancestor", b"--end-of-options", earlier, later];
    let asked = Git::from_own_environment().call(directory, words.map(OsStr::from_bytes)).answer();
    asked.is_ok_and(|answer| answer.status.success())
}

fn print_failures(arguments: Arguments<'_>) -> Done {
    let path = arguments.bytes(0);
    let text = read(path)?.unwrap_or_default();
    let failures = AuditLog { path, text: &text }.failures(arguments.optional(1))?;
    let lines = failures.into_iter().flat_map(|name| [name, b"\n"]).collect::<Vec<_>>();
    Ok(printed(lines.concat()))
}

/// Adds a line to a file, in one write.
fn append(path: &[u8], line: &[u8]) -> Done {
    let opened = OpenOptions::new().append(true).create(true).open(as_path(path));
    opened.and_then(|mut file| file.write_all(line)).map_err(|error| failed(path, &error))?;
    Ok(silent(0))
}

/// What is in a file; `None` if there is none.
fn read(path: &[u8]) -> Result<Option<Vec<u8>>, Refusal> {
    if !is_there(path) {
        return Ok(None);
    }
    fs::read(as_path(path)).map(Some).map_err(|error| failed(path, &error))
}

fn is_there(path: &[u8]) -> bool {
    as_path(path).is_file()
}

fn as_path(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

/// What the system refused.
fn failed(what: &[u8], error: &io::Error) -> Refusal {
    Refusal::of(1, [what, format!(": {error}").as_bytes()].concat())
}

fn signalled(signal: Signal) -> Reply {
    match signal {
        Signal::Continue => silent(0),
        Signal::Halt => silent(1),
    }
}

fn silent(code: u8) -> Reply {
    Reply { code, stdout: Vec::new(), stderr: Vec::new() }
}

fn printed(text: impl Into<Vec<u8>>) -> Reply {
    Reply { code: 0, stdout: text.into(), stderr: Vec::new() }
}

fn refused(refusal: &Refusal) -> Reply {
    let stderr = [b"autopilot_convergence: ", refusal.text(), b"\n"].concat();
    Reply { code: refusal.code(), stdout: Vec::new(), stderr }
}
