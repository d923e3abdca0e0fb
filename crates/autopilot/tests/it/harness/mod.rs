//! What the tests stand on: sample projects, the program in them, and what it did.

mod project;

pub(crate) use autopilot_testkit::{
    processes::{agents_in, anonymous_bytes, awaited},
    program::{
        Before, Engine, Output, Sample, Terminal, agent, ended_as, honest, part, plan, sh, sign,
        until,
    },
};
pub(crate) use project::{PROGRAM, Project};
