//! Copies output to a tape, up to a limit.

use std::{fmt, fs::File, io, io::Write, sync::Arc};

use super::{Log, LogOutcome};

/// Something that output is recorded on.
pub trait Tape: fmt::Debug + Send + Sync {
    /// Adds to what is recorded.
    fn record(&self, bytes: &[u8]) -> io::Result<()>;
}

impl Tape for File {
    fn record(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = self;
        file.write_all(bytes)
    }
}

/// A log being written.
#[derive(Debug)]
pub(super) struct LogWriter {
    tape: Option<Arc<dyn Tape>>,
    room: u64,
    outcome: LogOutcome,
}

impl LogWriter {
    pub(super) fn new(log: Option<&Log>) -> Self {
        Self {
            tape: log.map(|log| Arc::clone(&log.tape)),
            room: log.map_or(0, |log| log.bytes_max),
            outcome: LogOutcome::Whole,
        }
    }

    pub(super) fn push(&mut self, chunk: &[u8]) {
        let Some(tape) = &self.tape else { return };
        let fitting = usize::try_from(self.room).map_or(chunk.len(), |room| room.min(chunk.len()));
        let (kept, over) = chunk.split_at(fitting);
        self.room -= kept.len() as u64;
        if !kept.is_empty()
            && let Err(error) = tape.record(kept)
        {
            self.outcome = LogOutcome::Failed(error);
            self.tape = None;
            return;
        }
        if !over.is_empty() {
            let before = match self.outcome {
                LogOutcome::Cut { bytes_left_out } => bytes_left_out,
                LogOutcome::Whole | LogOutcome::Failed(_) => 0,
            };
            self.outcome = LogOutcome::Cut { bytes_left_out: before + over.len() as u64 };
        }
    }

    pub(super) fn finish(self) -> LogOutcome {
        self.outcome
    }
}
