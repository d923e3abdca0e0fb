//! One file for each command.

mod answer;
mod audit;
mod compat;
mod demo;
mod doctor;
mod go;
mod hidden;
mod init;
mod land;
mod log;
mod phase;
mod prompts;
mod rails;
mod rescue;
mod resume;
mod roadmap;
mod run;
mod sim;
mod status;
mod transcript;
mod verify;

use std::{
    env,
    io::{self, IsTerminal},
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    process::ExitCode,
};

use autopilot_core::{fact::Ending, run::Standing};
use autopilot_engine::{
    demo::end_with_starter,
    error::EngineError,
    process::{ProcessErrorKind, guardian_main, outlive_file_limit},
    queue::scripts::{Variables, script},
    scripted_agent_main,
    work::Tools,
};
use autopilot_views::clean_json;
use clap::Parser;

use crate::{
    args::{Cli, Command},
    config::Config,
    exit::Exit,
    failure::{Failure, Outcome, chain},
    reference::reference,
    ui::Ui,
};

/// Reads the arguments, does what they say, and tells what failed.
pub(crate) fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(Cli { command }) => perform(command),
        // Help and the version are answers, and an answer that is lost is a failure.
        Err(asked) if !asked.use_stderr() => {
            for_a_person(|ui| answer_about_itself(&asked, ui)).into()
        }
        Err(wrong) => wrong.exit(),
    }
}

/// Does what a command says. Some speak to programs, to the byte, and all others to a person.
fn perform(command: Command) -> ExitCode {
    match command {
        Command::Guardian(_) => guardian_main(),
        Command::ScriptedAgent(args) => scripted_agent_main(&args.words),
        Command::Rails(args) => rails::rails(&args),
        Command::Compat(args) => match script(&args.name) {
            Some(script) => rails::say(&script(&args.arguments, &Variables::new(env::vars_os()))),
            None => for_a_person(|ui| dispatch(Command::Compat(args), ui)).into(),
        },
        command => for_a_person(|ui| dispatch(command, ui)).into(),
    }
}

fn answer_about_itself(asked: &clap::Error, ui: &mut Ui) -> Outcome {
    let styled = asked.render();
    let coloured = io::stdout().is_terminal() && ui.has_colours();
    let text = if coloured { styled.ansi().to_string() } else { styled.to_string() };
    data(ui, &text).map(|()| Exit::Done)
}

fn for_a_person(command: impl FnOnce(&mut Ui) -> Outcome) -> Exit {
    let mut ui = Ui::new();
    if let Err(error) = outlive_file_limit() {
        ui.warn(&format!("a limit on the size of files would end the program: {error}"));
    }
    let done = catch_unwind(AssertUnwindSafe(|| command(&mut ui)));
    ui.clear();
    match done {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => {
            ui.fail(&failure);
            failure.exit
        }
        Err(_) => {
            ui.fail(&Failure::new(
                Exit::Bug,
                "autopilot met a bug of its own and stopped",
                "nothing that was recorded is lost",
                "please report the message above; `autopilot resume` goes on from the last fact",
            ));
            Exit::Bug
        }
    }
}

fn dispatch(command: Command, ui: &mut Ui) -> Outcome {
    match command {
        Command::Demo(args) => demo::demo(&args, ui),
        Command::Init(_) => init::init(ui),
        Command::Doctor(args) => doctor::doctor(&args, ui),
        Command::Run(args) => {
            end_with_starter();
            run::run(&args, ui)
        }
        Command::Resume(args) => {
            end_with_starter();
            resume::resume(&args, ui)
        }
        Command::Status(args) => status::status(&args, ui),
        Command::Log(args) => log::log(&args, ui),
        Command::Transcript(args) => transcript::transcript(&args, ui),
        Command::Prompts(args) => prompts::prompts(&args, ui),
        Command::Audit(args) => audit::audit(&args, ui),
        Command::Roadmap(args) => roadmap::roadmap(&args, ui),
        Command::Phase(args) => phase::phase(&args, ui),
        Command::Land(args) => land::land(&args, ui),
        Command::Rescue(args) => rescue::rescue(&args, ui),
        Command::Approve(args) => answer::answer(&args, answer::Word::Yes, ui),
        Command::Reject(args) => answer::answer(&args, answer::Word::No, ui),
        Command::Waive(args) => answer::waive(&args, ui),
        Command::Verify(args) => verify::verify(&args, ui),
        Command::Sim(args) => sim::sim(&args, ui),
        Command::Compat(args) => compat::compat(&args, ui),
        Command::Keep(args) => hidden::keep(&args),
        Command::Reference(_) => data(ui, &reference()).map(|()| Exit::Done),
        // Handled before, because they speak to programs and not to a person.
        Command::Guardian(_) | Command::ScriptedAgent(_) | Command::Rails(_) => Ok(Exit::Bug),
    }
}

/// What the engine could not do, as a person sees it.
pub(crate) fn engine_failure(error: &EngineError) -> Failure {
    let (exit, why) = match error {
        EngineError::Journal(inner)
            if matches!(inner.kind(), autopilot_journal::ErrorKind::Locked(_)) =>
        {
            (Exit::Refused, "a run has one writer, so that nothing is done twice")
        }
        EngineError::Busy { .. } => {
            (Exit::Refused, "two runs at once would work against each other")
        }
        EngineError::NoSuchRun { .. } => (Exit::Refused, "there is nothing to look at"),
        EngineError::Prompt(_) => (
            Exit::Refused,
            "agents would be told something else than was meant; nothing was started",
        ),
        EngineError::BranchMoved { .. } => (
            Exit::Refused,
            "going on would build on commits that the run has not proven, or undo what somebody did; nothing was changed",
        ),
        EngineError::NotOurState { .. } => (
            Exit::Refused,
            "what came with a project decides where the program would write, or what it would believe; nothing was written",
        ),
        EngineError::Journal(inner)
            if matches!(inner.kind(), autopilot_journal::ErrorKind::Corrupt(_)) =>
        {
            (Exit::Disk, "going on from a damaged journal could repeat or skip what was done")
        }
        EngineError::NoStateDirectory => (
            Exit::Refused,
            "workspaces and transcripts must be where no other user can put or read anything; nothing was written",
        ),
        EngineError::Journal(_) | EngineError::File { .. } => (
            Exit::Disk,
            "what cannot be recorded must not be done; everything recorded so far is safe",
        ),
        EngineError::Damaged { .. } => {
            (Exit::Disk, "whatever comes next would rest on facts that nobody can vouch for")
        }
        EngineError::NotARun { .. } | EngineError::BadRecord { .. } => {
            (Exit::Disk, "going on from a state that is not understood could do harm")
        }
        EngineError::Git(error) if error.ground().is_some() => {
            (Exit::Disk, "work that cannot be kept must not be done; everything so far is safe")
        }
        EngineError::Git(_) => (Exit::Refused, "all work is kept in git"),
        EngineError::Process(error) if matches!(error.kind(), ProcessErrorKind::GuardianGone) => {
            (Exit::Stopped, "agents only run where they can be ended for certain")
        }
        EngineError::Process(error) if error.ground().is_some() => (
            Exit::Disk,
            "what cannot be recorded must not be done; everything recorded so far is safe",
        ),
        EngineError::Process(_) => {
            (Exit::Refused, "agents only run where they can be ended for certain")
        }
        EngineError::Bug(_) => (Exit::Bug, "nothing that was recorded is lost"),
    };
    Failure::new(exit, chain(error), why, error.hint())
}

/// The exit code for where a run stands.
pub(crate) fn exit_for(standing: &Standing) -> Exit {
    match standing {
        Standing::Ended(Ending::Done) => Exit::Done,
        Standing::Ended(Ending::Incomplete) => Exit::Incomplete,
        Standing::Ended(Ending::Ceiling(_) | Ending::Halted { .. }) => Exit::Stopped,
        Standing::Ended(Ending::NoAgent { .. }) => Exit::NoAgent,
        Standing::Asking(_) | Standing::Ended(Ending::Checkpoint { .. }) => Exit::Waiting,
        Standing::Stopped => Exit::Interrupted,
        // The loop only comes back like this when it has nothing to do and no reason: a bug.
        Standing::Working | Standing::Holding(_) => Exit::Bug,
    }
}

/// This program, for those who start it again.
pub(crate) fn own_program() -> Result<PathBuf, Failure> {
    env::current_exe().map_err(|error| {
        Failure::refused(
            format!("the program cannot find itself: {error}"),
            "the guardian that ends agents and commands is this same program",
            "start it by its full path",
        )
    })
}

/// What is needed to run commands of a project without any agent.
pub(crate) fn own_tools(config: &Config) -> Result<Tools, Failure> {
    Ok(Tools { program: own_program()?, sandbox: config.sandbox.clone(), ..Tools::none() })
}

/// Writes data, or tells why that is not possible.
pub(crate) fn data(ui: &mut Ui, text: &str) -> Result<(), Failure> {
    ui.data(text).map_err(|error| {
        Failure::new(
            Exit::Disk,
            format!("standard output cannot be written: {error}"),
            "the answer is lost",
            "check where the output goes",
        )
    })
}

/// JSON for people's tools.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map(|text| clean_json(&text) + "\n").map_err(|error| {
        Failure::new(
            Exit::Bug,
            format!("the answer cannot be written as JSON: {error}"),
            "a tool that reads it would get nothing",
            "leave out `--json` to get it as text, and please report this",
        )
    })
}
