//! Starts agents and commands, reads what they print, and ends them with all they started.
//!
//! Begin with [`run`]. Every child is a child of the run's [`Guardian`], never of the engine, so that it
//! ends with the run however the run ends. `docs/design/processes.md` tells why.

mod cancel;
mod capture;
mod confinement;
pub mod environment;
mod error;
mod file_limit;
mod guardian;
mod launch;
mod log;
mod orphans;
mod pulse;
mod pump;
mod run;
mod stdin;
mod table;
mod wire;

pub use self::{
    cancel::Cancel,
    capture::Captured,
    confinement::{Abilities, Bounds, Confinement, Exceeded, Network},
    environment::Environment,
    error::{ProcessError, ProcessErrorKind},
    file_limit::outlive_file_limit,
    guardian::{Guardian, GuardianSpec, find_program, guardian_main, wait_until_gone},
    launch::{Ending, Finished, Launch, Limits, Log, LogOutcome, StdinSource},
    log::Tape,
    orphans::{Orphan, find_orphans, is_part_of_a_step},
    pulse::{Beat, Pulse},
    run::{Started, run, start},
    stdin::Stdin,
    wire::Strays,
};
