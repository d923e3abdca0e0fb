//! Which places of this machine are hidden, and which may be written to.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use super::{Sandbox, caches::caches, written_path};
use crate::process::{Bounds, Confinement, Environment, Network};

/// Where secrets are, below the home directory.
const SECRETS: [&str; 40] = [
    ".ssh",
    ".aws",
    ".azure",
    ".gnupg",
    ".netrc",
    ".pgpass",
    ".my.cnf",
    ".pypirc",
    ".git-credentials",
    ".config/git/credentials",
    ".config/gh",
    ".config/hub",
    ".config/glab-cli",
    ".config/gcloud",
    ".config/op",
    ".config/rclone",
    ".config/doctl",
    ".config/hcloud",
    ".docker/config.json",
    ".kube",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings-security.xml",
    ".terraform.d/credentials.tfrc.json",
    ".vault-token",
    ".password-store",
    ".local/share/keyrings",
    ".mozilla",
    ".thunderbird",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".node_repl_history",
    ".psql_history",
    ".mysql_history",
    ".local/share/fish/fish_history",
];

/// Where agents keep their login and what they remember. Each agent has its own.
const AGENTS: [(&str, &[&str]); 10] = [
    ("claude", &[".claude", ".claude.json"]),
    ("codex", &[".codex"]),
    ("gemini", &[".gemini"]),
    ("qwen", &[".qwen"]),
    ("opencode", &[".local/share/opencode", ".config/opencode", ".local/state/opencode"]),
    ("goose", &[".config/goose", ".local/share/goose", ".local/state/goose"]),
    ("cursor-agent", &[".cursor"]),
    ("copilot", &[".copilot", ".config/github-copilot"]),
    ("amp", &[".config/amp", ".local/share/amp"]),
    ("crush", &[".config/crush", ".local/share/crush"]),
];

/// Where everybody's temporary files are.
const SHARED_TEMPORARY: [&str; 2] = ["/tmp", "/var/tmp"];

/// The places of a machine that do not change while a run goes on.
pub(crate) struct Places {
    home: PathBuf,
    root: PathBuf,
    secrets: Vec<PathBuf>,
    /// Hidden from everybody: the checkout, and the state of the engine.
    engine: Vec<PathBuf>,
    readable: Vec<PathBuf>,
    writable: Vec<PathBuf>,
    commands: Network,
    bounds: Bounds,
}

/// What one child needs besides what all may do.
pub(crate) struct Needs<'a> {
    /// The program of the agent; nothing for a verification command.
    pub(crate) state: &'a [PathBuf],
    /// What it has to read, wherever that is.
    pub(crate) readable: Vec<PathBuf>,
    /// What is its own.
    pub(crate) writable: Vec<PathBuf>,
    /// Its variables: what they lead to must be there.
    pub(crate) environment: &'a Environment,
}

impl Places {
    /// Looks what of the settings is there. `engine` is hidden from everybody: the checkout, and where the engine keeps what it
    /// knows.
    pub(crate) fn of(sandbox: &Sandbox, root: &Path, engine: Vec<PathBuf>) -> Self {
        let home = env::var_os("HOME").map_or_else(|| PathBuf::from("/nonexistent"), PathBuf::from);
        let written = |paths: &[PathBuf]| -> Vec<PathBuf> {
            paths.iter().map(|path| written_path(path, &home, root)).collect()
        };
        let mut secrets: Vec<PathBuf> = SECRETS.iter().map(|path| home.join(path)).collect();
        secrets.extend(written(&sandbox.hide));
        let engine = real(engine);
        let own = real([home.clone()]);
        let mut writable = caches(&home, root);
        // What is hidden there could not be kept apart from what everybody may write.
        let is_apart =
            |shared: &&&str| !engine.iter().chain(&own).any(|place| place.starts_with(**shared));
        writable.extend(SHARED_TEMPORARY.iter().filter(is_apart).map(PathBuf::from));
        writable.extend(written(&sandbox.write));
        Self {
            secrets: real(secrets),
            engine,
            readable: real(written(&sandbox.read)),
            writable: real(writable),
            commands: if sandbox.network { Network::Open } else { Network::Own },
            bounds: sandbox.bounds(),
            root: root.to_owned(),
            home,
        }
    }

    /// What a verification command may touch.
    pub(crate) fn for_command(&self, network: Network, needs: Needs<'_>) -> Confinement {
        let network = match self.commands {
            Network::Open => Network::Open,
            Network::Own => network,
        };
        self.confinement(network, needs)
    }

    /// What an agent may touch. It needs the network to think.
    pub(crate) fn for_agent(&self, needs: Needs<'_>) -> Confinement {
        self.confinement(Network::Open, needs)
    }

    fn confinement(&self, network: Network, needs: Needs<'_>) -> Confinement {
        let Needs { state, readable, writable, environment } = needs;
        let state = real(state.iter().map(|path| written_path(path, &self.home, &self.root)));
        let others = AGENTS.iter().flat_map(|(_, places)| *places).map(|path| self.home.join(path));
        let mut hidden: Vec<PathBuf> = self.secrets.iter().cloned().chain(real(others)).collect();
        // What is an agent's own is no secret to it.
        hidden.retain(|hidden| !state.iter().any(|own| hidden.starts_with(own)));
        hidden.extend(self.engine.iter().cloned());
        let mut may_read = real(readable);
        may_read.extend(self.readable.iter().cloned());
        may_read.extend(self.tools_in_what_is_hidden(environment));
        let mut may_write = real(writable);
        may_write.extend(state);
        may_write.extend(self.writable.iter().cloned());
        Confinement {
            hidden,
            readable: may_read,
            writable: may_write,
            network,
            bounds: self.bounds,
        }
    }

    /// What programs are looked for in, although it lies in the checkout: a virtual environment, `node_modules/.bin`.
    fn tools_in_what_is_hidden(&self, environment: &Environment) -> Vec<PathBuf> {
        let path = environment.get("PATH").unwrap_or_default();
        let programs = env::split_paths(path).filter(|place| place.is_absolute());
        let whole = |place: PathBuf| match place.parent() {
            Some(above) if above.join("pyvenv.cfg").is_file() => above.to_owned(),
            Some(above) if above.file_name() == Some(OsStr::new("node_modules")) => {
                above.to_owned()
            }
            Some(_) | None => place,
        };
        let named = environment.get("VIRTUAL_ENV").map(PathBuf::from);
        let mut tools = real(programs.map(whole).chain(named));
        let is_hidden = |place: &PathBuf| {
            let within = self.engine.iter().any(|hidden| place.starts_with(hidden));
            // Nobody opens all that is hidden by looking for programs in it.
            within && !self.engine.contains(place)
        };
        tools.retain(is_hidden);
        tools
    }
}

/// Where an agent keeps its login, by the name of its program.
pub fn state_of(program: &OsStr) -> Vec<PathBuf> {
    let name = Path::new(program).file_name().unwrap_or_default();
    let known = AGENTS.iter().filter(|(agent, _)| name == *agent);
    known.flat_map(|(_, places)| *places).map(|place| Path::new("~").join(place)).collect()
}

/// The paths that are there, without links.
fn real(paths: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        paths.into_iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
    found.sort_unstable();
    found.dedup();
    found
}
