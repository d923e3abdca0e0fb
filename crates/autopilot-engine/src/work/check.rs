//! Runs verification commands: the engine looks for itself.

use std::{path::Path, time::Duration};

use autopilot_core::{
    effect::{CheckTask, Place},
    evidence::{CheckResult, Criterion, OUTPUT_CHARS_MAX, Observed, judge},
    id::Key,
    input::Outcome,
};

use super::Workshop;
use crate::{
    error::EngineError,
    git::Workspace,
    process::{Cancel, Ending, Finished, Launch, Limits, environment, run},
};

/// How much of a command's output is looked at.
const OUTPUT_BYTES_MAX: usize = 256 << 10;
/// Between the request to end and the kill of a command that took too long.
const GRACE: Duration = Duration::from_millis(200);

impl Workshop {
    pub(super) fn check(
        &self,
        key: &Key,
        task: &CheckTask,
        cancel: &Cancel,
    ) -> Result<Outcome, EngineError> {
        let of_attempt = match &task.place {
            Place::Workspace(attempt) => {
                Workspace::open(&self.home.workspace(&self.run, attempt)).ok()
            }
            Place::Clean => None,
        };
        match of_attempt {
            Some(workspace) => self.check_in(key, &workspace.files(), task, cancel),
            None => {
                let workspace = self.checkout(key, &task.commit)?;
                let checked = self.check_in(key, &workspace.files(), task, cancel);
                self.keep_checkout(key, workspace)?;
                checked
            }
        }
    }

    fn check_in(
        &self,
        key: &Key,
        directory: &Path,
        task: &CheckTask,
        cancel: &Cancel,
    ) -> Result<Outcome, EngineError> {
        let time = Duration::from_millis(task.time_ms_max);
        let mut results = Vec::new();
        for criterion in &task.criteria {
            match self.check_one(criterion, directory, time, cancel)? {
                Some((result, finished)) => {
                    self.note_strays(key, &finished);
                    results.push(result);
                }
                None => return Ok(Outcome::Interrupted),
            }
        }
        Ok(Outcome::Checked(results))
    }

    fn check_one(
        &self,
        criterion: &Criterion,
        directory: &Path,
        time: Duration,
        cancel: &Cancel,
    ) -> Result<Option<(CheckResult, Finished)>, EngineError> {
        let command = criterion.command.clone().unwrap_or_default();
        let variables = environment::from_own(environment::ALLOWED.iter().copied(), []);
        let mut launch = Launch::new("sh", variables, directory);
        launch.arguments = vec!["-c".into(), command.clone().into()];
        launch.limits = Limits {
            wall: time,
            idle: time,
            grace: GRACE,
            head_bytes_max: 0,
            tail_bytes_max: OUTPUT_BYTES_MAX,
        };
        launch.pulse = self.tools.pulse.clone();
        let finished = run(&self.guardian, &launch, cancel, &mut |_, _| {})?;
        let exit_code = match finished.ending {
            Ending::Exited(code) => Some(code),
            Ending::Cancelled => return Ok(None),
            Ending::Signalled(_) | Ending::TimedOut | Ending::Stalled => None,
        };
        let stdout = String::from_utf8_lossy(finished.stdout.tail()).into_owned();
        let observed = Observed {
            exit_code,
            timed_out: matches!(finished.ending, Ending::TimedOut | Ending::Stalled),
            stdout: &stdout,
            truncated: finished.stdout.bytes_left_out() > 0,
        };
        let verdict = judge(&criterion.expect, &observed);
        let stderr = String::from_utf8_lossy(finished.stderr.tail()).into_owned();
        let result = CheckResult {
            criterion: criterion.text.clone(),
            command: Some(command),
            verdict,
            exit_code,
            output: end_of(&format!("{stdout}{stderr}")),
        };
        Ok(Some((result, finished)))
    }
}

/// The last characters of an output.
fn end_of(text: &str) -> String {
    let text = text.trim_end();
    let from = text.char_indices().rev().nth(OUTPUT_CHARS_MAX - 1).map_or(0, |(at, _)| at);
    text[from..].to_owned()
}
