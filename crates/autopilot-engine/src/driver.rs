//! The interface above all drivers: what is done to a run, whoever carries it forward. Commands that only look may also
//! read a run's journal and its refs.

use autopilot_core::{
    fact::Record,
    id::{GateId, RunId},
    input::Answer,
    run::{Run, Standing, Submission},
};

use crate::error::EngineError;

/// Whoever carries runs forward: this process with a journal on disk, later others.
pub trait Driver {
    /// Hands a run in. Handing the same run in again changes nothing.
    fn submit(&self, submission: &Submission) -> Result<(), EngineError>;

    /// Gives a person's answer. The first answer to a question counts, also when it comes before the question.
    fn answer(&self, run: &RunId, gate: &GateId, answer: &Answer) -> Result<Given, EngineError>;

    /// Asks whoever works on a run to stop. It can be resumed.
    fn cancel(&self, run: &RunId) -> Result<Cancelled, EngineError>;

    /// The state of a run.
    fn state(&self, run: &RunId) -> Result<Run, EngineError>;

    /// The runs there are, oldest first.
    fn list(&self) -> Result<Vec<RunId>, EngineError>;

    /// Carries a run forward until it is over, stopped, or only a person can help.
    fn wait(
        &self,
        run: &RunId,
        watch: &mut dyn FnMut(&Run, &[Record]),
    ) -> Result<Standing, EngineError>;
}

/// What became of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// It is recorded, or lies where the run's driver takes it from.
    Kept,
    /// Another answer was first.
    TooLate,
}

/// What became of the wish to stop a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancelled {
    /// The process that works on it was told.
    Told {
        /// The process.
        pid: u32,
    },
    /// Nobody works on it.
    NobodyThere,
}
