//! Within which walls a step's process runs.

use std::path::{Path, PathBuf};

use autopilot_core::{
    id::Key,
    input::{Denied, Event},
};
use tempfile::TempDir;

use super::{AgentTool, Workshop};
use crate::{
    error::EngineError,
    private::named_tempdir_in,
    process::{Confinement, Ending, Finished, Launch, Network, find_program},
    sandbox::{Enforcement, Needs, enforcement, exceeded, tried},
};

/// What a process that writes beyond its limit is ended with; a shell exits with 128 more then.
const FILE_TOO_LARGE: i32 = 25;

/// Whose process it is.
pub(super) enum Who<'a> {
    /// An agent, and where the map of the repository is, if it is told of one.
    Agent(&'a AgentTool, Option<&'a Path>),
    /// What makes a checkout ready: fetching is what it is for.
    Prepare,
    /// A verification command.
    Check,
}

impl Workshop {
    /// Puts a launch within its walls, and gives it a directory for temporary files, which goes with what is returned.
    pub(super) fn confine(
        &self,
        launch: &mut Launch,
        who: &Who<'_>,
    ) -> Result<Option<TempDir>, EngineError> {
        launch.redactor = self.redactor.clone();
        let Some(places) = &self.places else { return Ok(None) };
        // Not below the state directory: names of sockets are short.
        let above = std::env::temp_dir();
        let temporary = named_tempdir_in("ap-", &above)
            .map_err(EngineError::file("make a directory in", &above))?;
        launch.environment.set("TMPDIR", temporary.path());
        let files = launch.directory.clone();
        let readable = match who {
            Who::Agent(tool, map) => self.readable_for_agent(launch, tool, *map),
            Who::Prepare | Who::Check => self.lent_to(&files),
        };
        let state: &[PathBuf] = match who {
            Who::Agent(tool, _) => &tool.state,
            Who::Prepare | Who::Check => &[],
        };
        let needs = Needs {
            state,
            readable,
            writable: vec![files, temporary.path().to_owned()],
            environment: &launch.environment,
        };
        let confinement = match who {
            Who::Agent(..) => places.for_agent(needs),
            Who::Prepare => places.for_command(Network::Open, needs),
            Who::Check => places.for_command(Network::Own, needs),
        };
        launch.confinement = Some(confinement);
        Ok(Some(temporary))
    }

    fn readable_for_agent(
        &self,
        launch: &Launch,
        tool: &AgentTool,
        map: Option<&Path>,
    ) -> Vec<PathBuf> {
        let mut readable = self.lent_to(&launch.directory);
        readable.extend(map.map(Path::to_owned));
        readable.extend(tool.reads.iter().cloned());
        readable.push(self.home.schemas(&self.run));
        // It may lie in the checkout. What cannot be found is told when it is started.
        readable.extend(find_program(&launch.program, &launch.environment).ok());
        readable
    }

    /// Where a workspace finds objects that are not in it; a reader's has all that it may see.
    fn lent_to(&self, files: &Path) -> Vec<PathBuf> {
        match files.join(".git/objects/info/alternates").exists() {
            true => self.project.object_stores(),
            false => Vec::new(),
        }
    }

    /// What of the sandbox holds.
    pub(super) fn enforcement(&self) -> Vec<Enforcement> {
        enforcement(&self.tools.sandbox, &self.guardian.abilities())
    }

    /// Notes what a process has tried although it may not, and tells it.
    pub(super) fn note_denied(
        &self,
        key: &Key,
        launch: &Launch,
        finished: &Finished,
    ) -> Vec<String> {
        let Some(within) = &launch.confinement else { return Vec::new() };
        let told = denied(within, launch, finished);
        if !told.is_empty() {
            self.note([Event::Denied(Denied { key: key.clone(), tried: told.clone() })]);
        }
        told
    }
}

fn denied(within: &Confinement, launch: &Launch, finished: &Finished) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    told.extend(finished.exceeded.map(|bound| exceeded(bound, within.bounds)));
    let ended = [Ending::Signalled(FILE_TOO_LARGE), Ending::Exited(128 + FILE_TOO_LARGE)];
    if ended.contains(&finished.ending) {
        let megabytes = within.bounds.file_bytes_max >> 20;
        told.push(format!("it wrote a file of more than {megabytes} MiB and was ended"));
    }
    for output in [&finished.stderr, &finished.stdout] {
        for line in tried(&output.to_text(), within, &launch.directory) {
            if !told.contains(&line) {
                told.push(line);
            }
        }
    }
    told
}
