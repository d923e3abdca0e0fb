//! Carries a run forward and shows how it goes; what `run` and `resume` share.

use std::{path::PathBuf, time::Duration};

use autopilot_core::{
    fact::{Ending, Fact, Record},
    id::RunId,
    run::{Run, Standing, Work},
};
use autopilot_engine::{
    driver::Driver, error::EngineError, git::check_scratch, home::Home, local::LocalDriver,
    process::Pulse, prompt::Prompts,
};
use autopilot_views::{Progress, Styled, Tone, status as view, status_text};

use crate::{
    commands::{
        agents::tools, audit::refuse_damaged, engine_failure, exit_for, say::ask_at_terminal,
    },
    config::Config,
    exit::Exit,
    failure::{Failure, Outcome, chain},
    live::Live,
    project::{Project, forget_removed},
    ui::Ui,
};

/// Whoever carries the project's runs forward, and what is seen of their work meanwhile.
pub(crate) struct Crew {
    /// Whoever does it.
    pub(crate) driver: LocalDriver,
    pulse: Pulse,
    heartbeat: Duration,
    home: Home,
}

impl Crew {
    /// The crew of a project, with the agents that are configured.
    pub(crate) fn new(project: &Project, config: &Config, ui: &Ui) -> Result<Self, Failure> {
        // Before a run is begun for which nobody could be told anything.
        Prompts::of(&project.home.prompts()).map_err(|error| engine_failure(&error.into()))?;
        check_scratch().map_err(|error| engine_failure(&error.into()))?;
        let pulse = Pulse::default();
        let (screen, last) = (ui.screen(), ui.screen());
        let stopping =
            "stopping: what is under way is ended and kept; press Ctrl-C again to stop now";
        let stopped = "stopped now; `autopilot resume` goes on";
        let driver = LocalDriver::new(project.home.clone(), tools(config, &pulse)?)
            .on_stop(move || screen.say(&Styled::new(Tone::Warning, stopping)))
            .before_leaving(move || last.say_last(&Styled::new(Tone::Warning, stopped)));
        Ok(Self { driver, pulse, heartbeat: config.heartbeat, home: project.home.clone() })
    }

    /// The same, with the failed phases of a run tried again.
    pub(crate) fn retrying(self, retry: bool) -> Self {
        Self { driver: self.driver.retrying(retry), ..self }
    }

    fn journal(&self, run: &RunId) -> PathBuf {
        self.home.journal(run)
    }
}

/// Carries a run forward to wherever it stands still, and asks whoever sits at the terminal what it waits for.
pub(crate) fn go(crew: &Crew, run: &RunId, ui: &mut Ui) -> Outcome {
    let mut standing = carry(crew, run, Told::Everything, ui)?;
    while matches!(standing, Standing::Asking(_))
        && ask_at_terminal(&crew.driver, &crew.home, run, ui)?
    {
        standing = carry(crew, run, Told::ButThatItGoesOn, ui)?;
    }
    if exit_for(&standing) == Exit::Done {
        // Nothing is said to be done whose proof has been tampered with meanwhile.
        refuse_damaged(&crew.journal(run), ui)?;
    }
    let mut state = crew.driver.state(run).map_err(|error| engine_failure(&error))?;
    forget_removed(&mut state);
    ui.tell(format!("\n{}", status_text(&view(&state, false))));
    if state.given.manner.talk.only && exit_for(&standing) == Exit::Done {
        tell_what_was_said(&state, ui);
    } else {
        next_step(run, &standing, ui);
    }
    Ok(exit_for(&standing))
}

/// What a person is told of a run that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Everything,
    /// They have just answered and know that it does.
    ButThatItGoesOn,
}

fn carry(crew: &Crew, run: &RunId, told: Told, ui: &mut Ui) -> Result<Standing, Failure> {
    let driver = &crew.driver;
    let live = Live::begin(ui.screen(), crew.pulse.clone(), crew.heartbeat).map_err(no_thread)?;
    let mut progress = Progress::default();
    let mut watch = |run: &Run, records: &[Record]| {
        for record in records {
            if told == Told::ButThatItGoesOn && matches!(record.fact, Fact::Resumed { .. }) {
                continue;
            }
            for line in progress.lines(run, record) {
                ui.say(&line);
            }
        }
        live.heard(run);
    };
    let standing = driver.wait(run, &mut watch);
    drop(live);
    if let Some(error) = driver.untold() {
        warn_untold(&error, ui);
    }
    if let Some(error) = driver.without_snapshot() {
        ui.warn(&format!(
            "{}; the snapshot only saves time: the next command reads the whole journal",
            chain(&error)
        ));
    }
    standing.map_err(|error| engine_failure(&error))
}

/// What to do with the answers of a run that only asked.
fn tell_what_was_said(state: &Run, ui: &mut Ui) {
    let run = &state.given.run;
    let Work::Phases(phases) = &state.work;
    if phases.head == state.given.base {
        ui.tell("every later run is told what you have answered; `autopilot run` begins the work");
    } else {
        ui.tell(format!(
            "`autopilot land {run}` brings CONTEXT.md to your branch; every later run is told what you have said"
        ));
    }
}

/// Says that files which tell of a run are not up to date.
pub(super) fn warn_untold(error: &EngineError, ui: &mut Ui) {
    ui.warn(&format!(
        "{}; files below `.autopilot/` that tell of the run are not up to date, the run itself is not touched; \
         `autopilot resume` writes them again",
        chain(error)
    ));
}

fn next_step(run: &RunId, standing: &Standing, ui: &mut Ui) {
    let text = match exit_for(standing) {
        Exit::Waiting if matches!(standing, Standing::Ended(Ending::Checkpoint { .. })) => {
            format!("look at what is done on autopilot/{run}/head; then `autopilot resume` goes on")
        }
        Exit::Done => format!("`autopilot land {run}` brings it to your branch"),
        Exit::Incomplete => {
            format!(
                "`autopilot log {run}` tells what happened, rejected work is on its own branch; \
                 `autopilot resume --retry` tries failed phases once more; `autopilot land {run} --incomplete` brings over what is complete"
            )
        }
        Exit::Stopped => "raise the limit or look at the cause, then `autopilot resume`".to_owned(),
        Exit::NoAgent => {
            "`autopilot doctor` tells what is missing; then `autopilot resume`".to_owned()
        }
        Exit::Interrupted => "`autopilot resume` goes on from here".to_owned(),
        // The status above tells the question and how to answer it.
        Exit::Waiting => return,
        Exit::Refused | Exit::Usage | Exit::Bug | Exit::Disk => return,
    };
    ui.tell(text);
}

fn no_thread(error: std::io::Error) -> Failure {
    Failure::refused(
        format!("a thread cannot be started: {error}"),
        "agents need many more processes and threads than that",
        "end other programs, or raise the limit on processes (`ulimit -u`)",
    )
}
