//! The embedded agent's player: a child process like any other agent, told by a script what to do.
//!
//! Honest actions stay inside the workspace; the misbehaviours are real ones, so that what catches them is
//! tested for real.

use std::{
    env, fs,
    io::{self, Write},
    path::{Component, Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use autopilot_agents::{
    Action, AgentEvent, Moment, SCRIPT_ENV, Script, ToolKind, Usage, default_return,
};
use autopilot_core::{returns::Sitting, role::Role, time::Timestamp};

/// How much is printed at once in a flood.
const FLOOD_BYTES: usize = 1 << 16;
/// What a daemon is told, so that it knows that it is one.
const DAEMON_WORD: &str = "daemon";
const DAEMON_CHILD_WORD: &str = "daemon-child";

/// What an action leaves to do.
enum Then {
    GoOn,
    /// The step ends here, with a return or without.
    Return,
    End(ExitCode),
}

/// Plays the step that the environment names. The words are for the player's own daemons.
pub fn scripted_agent_main(words: &[String]) -> ExitCode {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [DAEMON_WORD, seconds] => daemon(seconds),
        [DAEMON_CHILD_WORD, seconds] => {
            thread::sleep(Duration::from_secs(seconds.parse().unwrap_or(0)));
            ExitCode::SUCCESS
        }
        _ => match play() {
            Ok(code) => code,
            Err(why) => {
                // Standard error is all there is; if it is closed, the exit code tells enough.
                drop(writeln!(io::stderr(), "scripted agent: {why}"));
                ExitCode::FAILURE
            }
        },
    }
}

fn play() -> Result<ExitCode, String> {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let path = variable(SCRIPT_ENV);
    let text =
        fs::read_to_string(&path).map_err(|error| format!("cannot read `{path}`: {error}"))?;
    let script = Script::parse(&text).map_err(|error| error.to_string())?;
    let role = variable("AUTOPILOT_ROLE");
    let attempt = variable("AUTOPILOT_ATTEMPT").parse().unwrap_or(1);
    let (phase, task) = (variable("AUTOPILOT_PHASE"), variable("AUTOPILOT_TASK"));
    let turn = variable("AUTOPILOT_TURN").parse().unwrap_or(1);
    let moment = Moment { role: &role, phase: &phase, task: &task, attempt, turn };
    let (actions, returned) = script.at(&moment);
    for action in actions {
        match act(action).map_err(|error| format!("{action:?}: {error}"))? {
            Then::GoOn => {}
            Then::Return => break,
            Then::End(code) => return Ok(code),
        }
    }
    let role = Role::named(&role).ok_or_else(|| format!("no role is called `{role}`"))?;
    let sitting = if turn == Sitting::Second.number() { Sitting::Second } else { Sitting::First };
    let value =
        returned.cloned().unwrap_or_else(|| with_evidence(role, default_return(role, sitting)));
    print(format!("{value}\n").as_bytes()).map_err(|error| error.to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// A rating that names a line of a file which is there.
fn with_evidence(role: Role, mut value: serde_json::Value) -> serde_json::Value {
    if let (Role::Rater, Some(file)) = (role, some_file(Path::new("."))) {
        value["scorecard"][0]["evidence"] = serde_json::json!([format!("{}:1", file.display())]);
    }
    value
}

/// The first file below a directory that has anything in it and a name that can be told; none of git's.
fn some_file(directory: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(directory).ok()?.filter_map(Result::ok);
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort_unstable();
    paths.retain(|path| path.file_name().is_some_and(|name| name != ".git"));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "./_-".contains(c);
    paths.retain(|path| path.to_str().is_some_and(|path| path.chars().all(is_plain)));
    let is_file = |path: &&PathBuf| {
        fs::symlink_metadata(path).is_ok_and(|data| data.is_file() && data.len() > 0)
    };
    let found = paths.iter().find(is_file).cloned();
    found.or_else(|| {
        let is_directory =
            |path: &&PathBuf| fs::symlink_metadata(path).is_ok_and(|data| data.is_dir());
        paths.iter().filter(is_directory).find_map(|path| some_file(path))
    })
}

fn act(action: &Action) -> io::Result<Then> {
    match action {
        Action::Write { path, text } => {
            let path = inside(path)?;
            if let Some(directory) = path.parent() {
                fs::create_dir_all(directory)?;
            }
            fs::write(path, text)?;
            emit(&AgentEvent::ToolCall {
                kind: ToolKind::Write,
                what: path.display().to_string(),
            })?;
        }
        Action::Remove { path } => fs::remove_file(inside(path)?)?,
        Action::Run { command } => {
            emit(&AgentEvent::ToolCall { kind: ToolKind::Command, what: command.clone() })?;
            // What the command prints is the agent's business; its output must not look like events.
            Command::new("sh")
                .args(["-c", command])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .status()?;
        }
        Action::Say { text } => emit(&AgentEvent::Text(text.clone()))?,
        Action::Model { name } => emit(&AgentEvent::Model(name.clone()))?,
        Action::Usage { tokens, micro_usd } => {
            emit(&AgentEvent::Usage(Usage {
                tokens: *tokens,
                micro_usd: *micro_usd,
                ..Usage::default()
            }))?;
        }
        Action::Sleep { ms } => thread::sleep(Duration::from_millis(*ms)),
        Action::Lie => return Ok(Then::Return),
        Action::Stall => loop {
            thread::park();
        },
        Action::Crash => {
            rustix::process::kill_process(
                rustix::process::getpid(),
                rustix::process::Signal::ABORT,
            )?;
        }
        Action::Exit { code } => {
            let code = u8::try_from(*code).unwrap_or(1);
            return Ok(Then::End(ExitCode::from(code)));
        }
        Action::Flood { bytes } => flood(*bytes)?,
        Action::Malformed => {
            print(b"{\"tasks_completed\": \"1/1\", \"evidence\": [\n")?;
            return Ok(Then::End(ExitCode::SUCCESS));
        }
        Action::Limit { seconds } => {
            let until = Some(now().plus_ms(seconds.saturating_mul(1_000)));
            let message = format!("usage limit reached, resets in {seconds}s");
            emit(&AgentEvent::Limit { until, message })?;
            return Ok(Then::End(ExitCode::FAILURE));
        }
        Action::Daemon { seconds } => leave_daemon(*seconds)?,
        Action::Touch { path } => {
            // Whether it may is not for the agent to say; it only tries.
            let said = match fs::write(path, "touched\n") {
                Ok(()) => format!("wrote {path}"),
                Err(error) => format!("could not write {path}: {error}"),
            };
            emit(&AgentEvent::Text(said))?;
        }
    }
    Ok(Then::GoOn)
}

/// An honest action's path stays in the workspace.
fn inside(path: &str) -> io::Result<&Path> {
    let path = Path::new(path);
    if path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        Ok(path)
    } else {
        let why = format!("`{}` leads out of the workspace", path.display());
        Err(io::Error::new(io::ErrorKind::InvalidInput, why))
    }
}

fn flood(bytes: u64) -> io::Result<()> {
    let line = [b'x'; 99];
    let mut block = Vec::with_capacity(FLOOD_BYTES);
    while block.len() + line.len() < FLOOD_BYTES {
        block.extend_from_slice(&line);
        block.push(b'\n');
    }
    let mut left = bytes;
    while left > 0 {
        let now = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
        print(&block[..now])?;
        left -= u64::try_from(now).unwrap_or(left);
    }
    print(b"\n")
}

/// Leaves a process behind the way a daemon does: a new session, and a parent that is gone at once.
fn leave_daemon(seconds: u64) -> io::Result<()> {
    let mut between = again(DAEMON_WORD, &seconds.to_string())?;
    between.wait()?;
    emit(&AgentEvent::ToolCall { kind: ToolKind::Command, what: "a daemon".to_owned() })
}

fn daemon(seconds: &str) -> ExitCode {
    let left = rustix::process::setsid().map_err(io::Error::from);
    match left.and_then(|_| again(DAEMON_CHILD_WORD, seconds)) {
        Ok(_child) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn again(word: &str, seconds: &str) -> io::Result<std::process::Child> {
    Command::new(env::current_exe()?)
        .args(["__scripted-agent", word, seconds])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

fn emit(event: &AgentEvent) -> io::Result<()> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    print(&line)
}

fn print(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
