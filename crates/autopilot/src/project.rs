//! The project the program was started in.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use autopilot_core::{
    id::{AgentName, RunId},
    input::Fate,
    run::{Document, Run},
};
use autopilot_engine::{
    book::Book, driver::Driver, hash::sha256_hex, home::Home, local::LocalDriver, work::Tools,
};

use crate::{
    commands::engine_failure,
    config::{self, Config},
    failure::Failure,
};

/// Where a roadmap is looked for when nobody names one.
const ROADMAPS: [&str; 4] =
    [".planning/ROADMAP.md", "ROADMAP.md", ".planning/roadmap.md", "roadmap.md"];

/// What a roadmap is a plan for is looked for here, in this order. The roadmap itself comes last, and is frozen anyway.
const REQUIREMENTS: [&str; 2] = [".planning/REQUIREMENTS.md", ".planning/PROJECT.md"];

/// A project and where its things are.
pub(crate) struct Project {
    /// The person's checkout.
    pub(crate) root: PathBuf,
    /// Where the person is, from where the paths that they name are meant.
    here: PathBuf,
    /// Where the files are.
    pub(crate) home: Home,
}

impl Project {
    /// Finds the project around the current directory.
    pub(crate) fn find() -> Result<Self, Failure> {
        let here = env::current_dir().map_err(|error| {
            Failure::refused(
                format!("the current directory cannot be read: {error}"),
                "the project is looked for from there",
                "change to a directory that exists",
            )
        })?;
        let root = here.ancestors().find(|directory| directory.join(".git").exists());
        // What lies above a checkout is not what the person is in.
        let mut within =
            here.ancestors().take_while(|above| root.is_none_or(|root| above.starts_with(root)));
        if let Some(bare) = within.find(|directory| is_bare(directory)) {
            return Err(Failure::refused(
                format!("`{}` is a bare repository: it has no checkout", bare.display()),
                "a run is started from a checkout, reads its roadmap there, and is landed there",
                "clone it (`git clone`), or add a worktree (`git worktree add`), and start there",
            ));
        }
        let Some(root) = root else {
            return Err(Failure::refused(
                format!("`{}` is not inside a git repository", here.display()),
                "every attempt works on a commit, so that nothing can be lost",
                "run `git init`, commit something, and try again; `autopilot demo` needs no project",
            ));
        };
        let home = Home::of(root).map_err(|error| engine_failure(&error))?;
        Ok(Self { root: root.to_owned(), home, here: here.clone() })
    }

    /// The project's configuration.
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        config::read(&self.root)
    }

    /// The same, with the agent of all roles that was named on the command line.
    pub(crate) fn config_with(&self, agent: Option<&str>) -> Result<Config, Failure> {
        let mut config = self.config()?;
        if let Some(agent) = agent {
            config.default_agent = Some(AgentName::new(agent));
        }
        Ok(config)
    }

    /// Its runs, for commands that only look.
    pub(crate) fn runs(&self) -> LocalDriver {
        LocalDriver::new(self.home.clone(), Tools::none())
    }

    /// The run that was named, or the newest.
    pub(crate) fn run(&self, named: Option<&str>) -> Result<RunId, Failure> {
        // A journal that cannot be read is still a run: the command that looks at it tells what is wrong.
        let has_begun = |run: &RunId| !Book::is_empty(&self.home.journal(run)).unwrap_or(false);
        self.choose(named, |run| Ok(has_begun(run).then(|| run.clone())))
    }

    /// The run that was named, or the newest, and its state.
    pub(crate) fn state(&self, named: Option<&str>) -> Result<(RunId, Run), Failure> {
        self.choose(named, |run| {
            let state = Book::read(&self.home.journal(run));
            let state = state.map_err(|error| engine_failure(&error))?;
            Ok(state.map(|mut state| {
                forget_removed(&mut state);
                (run.clone(), state)
            }))
        })
    }

    /// Looks at the run that was named, or at one after another from the newest on until something is found.
    fn choose<T>(
        &self,
        named: Option<&str>,
        mut look: impl FnMut(&RunId) -> Result<Option<T>, Failure>,
    ) -> Result<T, Failure> {
        let runs = self.runs().list().map_err(|error| engine_failure(&error))?;
        for run in runs.iter().rev().filter(|run| named.is_none_or(|named| run.as_str() == named)) {
            if let Some(found) = look(run)? {
                return Ok(found);
            }
        }
        Err(match named {
            Some(name) => Failure::refused(
                format!("there is no run `{name}` in this project"),
                "only runs whose journal is in `.autopilot/journal/` are known",
                format!("the runs are: {}", names(&runs)),
            ),
            None => Failure::refused(
                "there is no run in this project yet",
                "there is nothing to look at",
                "`autopilot run` starts one",
            ),
        })
    }

    /// The roadmap's path below the project's root: the one that was named, from where the person is, else the
    /// configured one or one of the usual ones, from the root. Symbolic links are followed, since git knows a
    /// file only by its real place.
    pub(crate) fn roadmap(&self, named: Option<&Path>, config: &Config) -> Result<String, Failure> {
        let (from, candidates) = match (named, config.roadmap.as_deref()) {
            (Some(path), _) => (&self.here, vec![path]),
            (None, Some(path)) => (&self.root, vec![path]),
            (None, None) => (&self.root, ROADMAPS.iter().map(Path::new).collect()),
        };
        let found = candidates.iter().find(|path| from.join(path).is_file());
        let Some(found) = found else {
            let tried: Vec<String> =
                candidates.iter().map(|path| format!("`{}`", path.display())).collect();
            return Err(Failure::refused(
                format!("no roadmap was found: tried {}", tried.join(", ")),
                "the phases to run are read from it",
                "write one (`docs/roadmap-format.md` shows how) or name it with `--roadmap FILE`",
            ));
        };
        self.below_root(&from.join(found))
    }

    /// The document that the roadmap is a plan for, as it is now: the first that is there of those that were configured, else
    /// of the usual ones.
    pub(crate) fn requirements(
        &self,
        config: &Config,
        roadmap: &str,
    ) -> Result<Option<Document>, Failure> {
        let usual = || REQUIREMENTS.map(PathBuf::from).to_vec();
        let candidates = config.spec_paths.clone().unwrap_or_else(usual);
        let found = candidates.iter().map(|path| self.root.join(path)).find(|path| path.is_file());
        let Some(found) = found else { return Ok(None) };
        let path = self.below_root(&found)?;
        if path == roadmap {
            return Ok(None);
        }
        let sha256 = sha256_hex(&read(&found)?);
        Ok(Some(Document { path, sha256 }))
    }

    /// The place of a file below the root.
    pub(crate) fn below_root(&self, path: &Path) -> Result<String, Failure> {
        let unreadable = |error| {
            Failure::refused(
                format!("`{}` cannot be read: {error}", path.display()),
                "nothing can be done without it",
                "check the path and its permissions",
            )
        };
        let real = path.canonicalize().map_err(unreadable)?;
        let root = self.root.canonicalize().map_err(unreadable)?;
        let Ok(below) = real.strip_prefix(&root) else {
            return Err(Failure::refused(
                format!("`{}` lies outside of the project `{}`", real.display(), root.display()),
                "agents work on the project's commits, and what is done is marked in its roadmap",
                "copy the roadmap into the project and commit it there",
            ));
        };
        below.to_str().map(str::to_owned).ok_or_else(|| {
            Failure::refused(
                format!("the name of `{}` is not UTF-8", below.display()),
                "the journal names the roadmap, and it holds only text",
                "rename the file",
            )
        })
    }
}

/// Whether a directory is what lies in `.git` elsewhere.
fn is_bare(directory: &Path) -> bool {
    let is_dir = |name: &str| directory.join(name).is_dir();
    directory.join("HEAD").is_file() && is_dir("objects") && is_dir("refs")
}

/// Forgets what was left on disk and is not there any more: a person has removed it.
pub(crate) fn forget_removed(state: &mut Run) {
    state.left_out.retain(|left_out| match &left_out.fate {
        Fate::OnDisk { place } => Path::new(place).exists(),
        Fate::Rebuildable | Fate::OnlyKept | Fate::NotTheirs => false,
    });
}

/// Reads a file that a person wrote.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let file = |found: fs::Metadata| match found.is_file() {
        true => Ok(()),
        // A pipe or a device might never end.
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    };
    fs::metadata(path).and_then(file).and_then(|()| fs::read(path)).map_err(|error| {
        Failure::refused(
            format!("`{}` cannot be read: {error}", path.display()),
            "nothing can be done without it",
            "check the path and its permissions",
        )
    })
}

fn names(runs: &[RunId]) -> String {
    if runs.is_empty() {
        return "none".to_owned();
    }
    runs.iter().map(RunId::as_str).collect::<Vec<_>>().join(", ")
}
