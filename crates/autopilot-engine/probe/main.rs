//! Stands in for the `autopilot` binary in the tests of this crate.
//!
//! `__guardian` is the guardian; `engine DIRECTORY SCRIPT` is an engine that runs one shell script under
//! a guardian whose lock and after command are in the directory, to be killed by the test.

use std::{env, path::Path, process::ExitCode};

use autopilot_engine::process::{
    Cancel, Ending, Environment, Guardian, GuardianSpec, Launch, ProcessError, environment,
    guardian_main, run,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["__guardian"] => guardian_main(),
        ["engine", directory, script] => match engine(Path::new(directory), script) {
            Ok(Ending::Exited(0)) => ExitCode::SUCCESS,
            Ok(_) | Err(_) => ExitCode::FAILURE,
        },
        _ => ExitCode::from(2),
    }
}

fn engine(directory: &Path, script: &str) -> Result<Ending, ProcessError> {
    let guardian = Guardian::start(&GuardianSpec {
        program: env::current_exe().expect("the own binary has a path"),
        arguments: vec!["__guardian".into()],
        run_id: directory.to_string_lossy().into_owned(),
        lock: directory.join("lock"),
        after: vec![
            "/bin/sh".into(),
            "-c".into(),
            "echo saved > \"$1/after\"".into(),
            "sh".into(),
            directory.into(),
        ],
    })?;
    let variables: Environment = environment::from_own(environment::ALLOWED.iter().copied(), []);
    let mut launch = Launch::new("sh", variables, directory);
    launch.arguments = vec!["-c".into(), script.into()];
    let cancel = Cancel::new().map_err(|_| ()).expect("a pipe can be made");
    let finished = run(&guardian, &launch, &cancel, &mut |_, _| {})?;
    guardian.dismiss()?;
    Ok(finished.ending)
}
