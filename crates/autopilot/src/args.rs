//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Drives coding agents through a roadmap, unattended, until the work is proven done.
#[derive(Debug, Parser)]
#[command(name = "autopilot", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a sample project from start to finish with the embedded agent (no key, no network)
    Demo(Demo),
    /// Set up a project: write a commented autopilot.toml and keep run-time state out of git
    Init,
    /// Say what is installed, what is enforced and what is missing
    Doctor(Json),
    /// Run phases of the roadmap until they are proven done
    Run(Run),
    /// Go on with a run that was stopped, killed or is waiting
    Resume(Resume),
    /// Say where a run stands
    Status(Which),
    /// Say what happened, fact by fact
    Log(Log),
    /// Show what agents were told and what they printed
    Transcript(Transcript),
    /// Check the journal's hash chain, and name the first record that differs
    Audit(Which),
    /// Show what the roadmap parser understood, and what it did not
    Roadmap(Roadmap),
    /// Bring a finished run to your branch (fast-forward, only when your checkout is clean)
    Land(Land),
    /// List, show and restore work that was kept
    Rescue(Rescue),
    /// Answer an open question with yes
    Approve(Answer),
    /// Answer an open question with no
    Reject(Answer),
    #[command(name = "__guardian", hide = true)]
    Guardian,
    #[command(name = "__scripted-agent", hide = true)]
    ScriptedAgent(Words),
    #[command(name = "__reference", hide = true)]
    Reference,
    #[command(name = "__keep", hide = true)]
    Keep(Keep),
}

/// What the embedded agent tells its own daemons.
#[derive(Debug, Args)]
pub(crate) struct Words {
    pub(crate) words: Vec<String>,
}

/// Which run's work is to be kept.
#[derive(Debug, Args)]
pub(crate) struct Keep {
    pub(crate) root: PathBuf,
    pub(crate) run: String,
}

/// `autopilot demo`
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Where to make the sample project; it must not exist yet [default: a new temporary directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

/// `--json`
#[derive(Debug, Args)]
pub(crate) struct Json {
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `autopilot run`
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Which phases: 3, 3-7, 3,5,8, all or next [default: next]
    pub(crate) phases: Option<String>,
    /// Every phase that is not complete, in the order of dependencies
    #[arg(long, conflicts_with = "phases")]
    pub(crate) complete: bool,
    /// Show what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The agent of every role that has none of its own
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The roadmap [default: .planning/ROADMAP.md, else ROADMAP.md]
    #[arg(long, value_name = "FILE")]
    pub(crate) roadmap: Option<PathBuf>,
}

/// `autopilot resume`
#[derive(Debug, Args)]
pub(crate) struct Resume {
    /// Which run [default: the newest]
    pub(crate) run: Option<String>,
}

/// A run, as text or JSON.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// Which run [default: the newest]
    pub(crate) run: Option<String>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `autopilot log`
#[derive(Debug, Args)]
pub(crate) struct Log {
    /// Which run [default: the newest]
    pub(crate) run: Option<String>,
    /// Go on with what happens from now on
    #[arg(short, long)]
    pub(crate) follow: bool,
    /// One JSON object for each fact
    #[arg(long)]
    pub(crate) json: bool,
}

/// `autopilot transcript`
#[derive(Debug, Args)]
pub(crate) struct Transcript {
    /// A step, such as 3/execute/03-01, or one attempt of it, such as 3/execute/03-01/2 [default: list them]
    pub(crate) step: Option<String>,
    /// Which run [default: the newest]
    #[arg(long)]
    pub(crate) run: Option<String>,
}

/// `autopilot roadmap`
#[derive(Debug, Args)]
pub(crate) struct Roadmap {
    /// The roadmap [default: .planning/ROADMAP.md, else ROADMAP.md]
    pub(crate) file: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// End with 3 when there is any problem
    #[arg(long)]
    pub(crate) strict: bool,
}

/// `autopilot land`
#[derive(Debug, Args)]
pub(crate) struct Land {
    /// Which run [default: the newest]
    pub(crate) run: Option<String>,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// `autopilot rescue`
#[derive(Debug, Args)]
pub(crate) struct Rescue {
    /// What to show or restore, as the list names it
    pub(crate) what: Option<String>,
    /// Restore it into this new directory
    #[arg(long, value_name = "DIR", requires = "what")]
    pub(crate) to: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `autopilot approve` and `autopilot reject`
#[derive(Debug, Args)]
pub(crate) struct Answer {
    /// The question, as `status` names it
    pub(crate) gate: String,
    /// What you want to say with it
    #[arg(short, long, default_value = "")]
    pub(crate) message: String,
    /// Which run [default: the newest]
    #[arg(long)]
    pub(crate) run: Option<String>,
}
