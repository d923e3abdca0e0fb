//! `autopilot rails`

use std::{
    io::{Read, Write, stderr, stdin, stdout},
    process::ExitCode,
};

use autopilot_engine::rails::{FUNCTIONS, Reply, Surroundings, call};
use jiff::Timestamp;

use crate::{args::Rails, exit::Exit};

/// Calls a function of the rails. Everything it says is for a program, to the byte.
pub(crate) fn rails(args: &Rails) -> ExitCode {
    let now = Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let mut read = || {
        let mut text = Vec::new();
        stdin().lock().read_to_end(&mut text).map(|_| text)
    };
    let mut around = Surroundings { stdin: &mut read, timestamp: &now };
    say(&call(&args.function, &args.arguments, &mut around).unwrap_or_else(|| unknown(args)))
}

/// Gives a reply to the byte.
pub(crate) fn say(reply: &Reply) -> ExitCode {
    let said = stderr().write_all(&reply.stderr);
    let given = stdout().write_all(&reply.stdout).and_then(|()| stdout().flush());
    match said.and(given) {
        Ok(()) => ExitCode::from(reply.code),
        Err(_) => Exit::Disk.into(),
    }
}

fn unknown(args: &Rails) -> Reply {
    let name = autopilot_views::clean_lines(&args.function.to_string_lossy());
    let told = format!(
        "autopilot: no function `{name}` of the rails; there are {}\n",
        FUNCTIONS.join(", ")
    );
    Reply { code: Exit::Usage.code(), stdout: Vec::new(), stderr: told.into_bytes() }
}
