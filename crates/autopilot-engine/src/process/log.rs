//! Copies output to a file, up to a limit.

use std::{fs::File, io::Write};

use rustix::fs::{Mode, OFlags};

use super::{Log, LogOutcome, ProcessError};

/// A log being written.
#[derive(Debug)]
pub(super) struct LogWriter {
    file: Option<File>,
    room: u64,
    outcome: LogOutcome,
}

impl LogWriter {
    pub(super) fn open(log: Option<&Log>) -> Result<Self, ProcessError> {
        let file = log
            .map(|log| {
                // The directory is the engine's, but a link in it would lead anywhere.
                let flags = OFlags::WRONLY
                    | OFlags::CREATE
                    | OFlags::APPEND
                    | OFlags::CLOEXEC
                    | OFlags::NOFOLLOW;
                rustix::fs::open(&log.path, flags, Mode::RUSR | Mode::WUSR)
                    .map_err(|error| ProcessError::io("open the log", &log.path, error))
            })
            .transpose()?;
        Ok(Self {
            file: file.map(File::from),
            room: log.map_or(0, |log| log.bytes_max),
            outcome: LogOutcome::Whole,
        })
    }

    pub(super) fn push(&mut self, chunk: &[u8]) {
        let Some(file) = &mut self.file else { return };
        let fitting = usize::try_from(self.room).map_or(chunk.len(), |room| room.min(chunk.len()));
        let (kept, over) = chunk.split_at(fitting);
        self.room -= kept.len() as u64;
        if let Err(error) = file.write_all(kept) {
            self.outcome = LogOutcome::Failed(error);
            self.file = None;
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
