//! The command line.

mod issue;

use std::{ffi::OsString, path::PathBuf};

use clap::{ArgMatches, Args, FromArgMatches, Parser, Subcommand, error::ErrorKind};

pub(crate) use self::issue::{Issue, IssueAction, StartIssue};

/// Drives coding agents through a roadmap, unattended, until the work is proven done.
#[derive(Debug, Parser)]
#[command(name = "autopilot", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Defines the commands. Their arguments are only described when a command is used: most of the start of a
/// short command would otherwise go into describing the others.
macro_rules! commands {
    ($($(#[doc = $about:literal])? $variant:ident($args:ty) = $name:literal,)*) => {
        /// What to do.
        #[derive(Debug)]
        pub(crate) enum Command {
            $($(#[doc = $about])? $variant($args),)*
        }

        impl Subcommand for Command {
            fn augment_subcommands(parent: clap::Command) -> clap::Command {
                parent$(.subcommand(
                    describe($name, concat!($($about)?)).defer(arguments::<$args>),
                ))*
            }

            fn augment_subcommands_for_update(parent: clap::Command) -> clap::Command {
                Self::augment_subcommands(parent)
            }

            fn has_subcommand(name: &str) -> bool {
                [$($name),*].contains(&name)
            }
        }

        impl FromArgMatches for Command {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
                match matches.subcommand() {
                    $(Some(($name, inner)) => {
                        <$args>::from_arg_matches(inner).map(Self::$variant)
                    })*
                    Some(_) | None => Err(clap::Error::new(ErrorKind::MissingSubcommand)),
                }
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

/// A command without its arguments; one that says nothing about itself is for this program only.
fn describe(name: &'static str, about: &'static str) -> clap::Command {
    clap::Command::new(name).about(about.trim()).hide(about.is_empty())
}

/// Describes the arguments of a command; what it says about itself stays.
fn arguments<A: Args>(command: clap::Command) -> clap::Command {
    let about = command.get_about().cloned().unwrap_or_default();
    A::augment_args(command).about(about)
}

commands! {
    /// Play a sample project from start to finish with the embedded agent (no key, no network)
    Demo(Demo) = "demo",
    /// Set up a project: write a commented autopilot.toml and keep run-time state out of git
    Init(Nothing) = "init",
    /// Say what is installed, what is enforced and what is missing
    Doctor(Json) = "doctor",
    /// Run phases of the roadmap until they are proven done
    Run(Run) = "run",
    /// Go on with a run that was stopped, killed or is waiting
    Resume(Resume) = "resume",
    /// Say where a run stands
    Status(Which) = "status",
    /// Say what happened, fact by fact
    Log(Log) = "log",
    /// Show what agents were told and what they printed
    Transcript(Transcript) = "transcript",
    /// List the templates that agents are told their roles by, or print one, to put your own in its place
    Prompts(Prompts) = "prompts",
    /// Check the journal's hash chain, and name the first record that differs
    Audit(Which) = "audit",
    /// Show what the roadmap parser understood, and what it did not
    Roadmap(Roadmap) = "roadmap",
    /// Add, insert and remove phases of the roadmap, and list all with what to do next
    Phase(Phase) = "phase",
    /// Take one issue from its requirements to a result that only needs your merge, with three gates
    Issue(Issue) = "issue",
    /// Bring a run that has ended to your branch (fast-forward, only when your checkout is clean)
    Land(Land) = "land",
    /// List, show and restore work that was kept
    Rescue(Rescue) = "rescue",
    /// Answer an open question with yes
    Approve(Answer) = "approve",
    /// Answer an open question with no
    Reject(Answer) = "reject",
    /// Let a phase be completed without a check: shown on every report as waived, never as passed
    Waive(Waive) = "waive",
    /// Check certificates of finished phases, and with --rerun repeat every command in a fresh checkout
    Verify(Verify) = "verify",
    /// Play misbehaving agents against the project's own gates in scratch checkouts, and say which get through
    Sim(Sim) = "sim",
    /// Call a function of the rails with the arguments, bytes and exit codes of the shell library they replace
    Rails(Rails) = "rails",
    /// Stand in for earlier programs: complete cases of a function (JSON lines from standard input), or be a script
    Compat(Compat) = "compat",
    Guardian(Nothing) = "__guardian",
    ScriptedAgent(Words) = "__scripted-agent",
    Reference(Nothing) = "__reference",
    Keep(Keep) = "__keep",
}

/// No arguments.
#[derive(Debug, Args)]
pub(crate) struct Nothing;

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
    #[arg(allow_negative_numbers = true)]
    pub(crate) phases: Option<String>,
    #[command(flatten)]
    pub(crate) ways: Ways,
    /// Show what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Run phases again that an earlier run has completed and not landed, or has begun and not ended
    #[arg(long)]
    pub(crate) again: bool,
    /// The agent of every role that has none of its own
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The roadmap, a file of the project [default: .planning/ROADMAP.md, else ROADMAP.md]
    #[arg(long, value_name = "FILE")]
    pub(crate) roadmap: Option<PathBuf>,
}

/// How phases are run.
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Ways {
    /// Every phase that is not complete, in the order of dependencies
    #[arg(long, conflicts_with = "phases")]
    pub(crate) complete: bool,
    /// Take a phase at a score of 7, and improve none
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Ask for a score of 9.5; completed phases below it are improved, up to three times as long as it helps
    #[arg(long)]
    pub(crate) quality: bool,
    /// Close what completed phases lack up to a score of 9.5, one thing at a time
    #[arg(long)]
    pub(crate) gaps: bool,
    /// Do completed phases again from the start, on top of what is there
    #[arg(long)]
    pub(crate) force: bool,
    /// One phase at a time, as it always is for now
    #[arg(long)]
    pub(crate) sequential: bool,
    /// Pause after every so many phases for a person to look; `autopilot resume` goes on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) checkpoint_every: Option<u32>,
}

/// `autopilot resume`
#[derive(Debug, Args)]
pub(crate) struct Resume {
    /// Which run [default: the newest]
    pub(crate) run: Option<String>,
    /// Go on although the roadmap has changed: the run keeps its phases as they were when it began
    #[arg(long)]
    pub(crate) accept_spec_change: bool,
    /// Try failed phases, and what waited for them, once more
    #[arg(long)]
    pub(crate) retry: bool,
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

/// `autopilot prompts`
#[derive(Debug, Args)]
pub(crate) struct Prompts {
    /// A template, such as `planner` or `_head` [default: list them]
    pub(crate) name: Option<String>,
    /// Print the program's own although there is one of yours
    #[arg(long, requires = "name")]
    pub(crate) built_in: bool,
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

/// `autopilot phase`
#[derive(Debug, Args)]
pub(crate) struct Phase {
    #[command(subcommand)]
    pub(crate) action: PhaseAction,
    /// The roadmap, a file of the project [default: .planning/ROADMAP.md, else ROADMAP.md]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) roadmap: Option<PathBuf>,
}

/// What to do with phases.
#[derive(Debug, Subcommand)]
pub(crate) enum PhaseAction {
    /// Add a phase after all others, with the next whole number
    Add(AddPhase),
    /// Insert a phase after another one, with the next decimal, to be described later
    Insert(InsertPhase),
    /// Remove a phase from every section of the roadmap; its files stay, and no other phase gets another number
    Remove(RemovePhase),
    /// List all phases, how many are complete, and what to do next
    List(ListPhases),
}

/// `autopilot phase add`
#[derive(Debug, Args)]
pub(crate) struct AddPhase {
    /// Its name, and after ` - ` what its line in the list says
    pub(crate) text: String,
    /// What it is to reach, in two sentences or more
    #[arg(long, value_name = "TEXT")]
    pub(crate) goal: Option<String>,
    /// What must be true when it is done, best with ``-- verified by: `command` ``; can be given more than once
    #[arg(long = "criterion", value_name = "TEXT")]
    pub(crate) criteria: Vec<String>,
    /// What it needs: `3`, `Phase 3 (its parser)` or `independent`; can be given more than once
    #[arg(long, value_name = "TEXT")]
    pub(crate) depends_on: Vec<String>,
}

/// `autopilot phase insert`
#[derive(Debug, Args)]
pub(crate) struct InsertPhase {
    /// The phase that it comes after
    pub(crate) after: String,
    /// Its name, and after ` - ` what its line in the list says
    pub(crate) text: String,
}

/// `autopilot phase remove`
#[derive(Debug, Args)]
pub(crate) struct RemovePhase {
    /// The phase
    #[arg(allow_negative_numbers = true)]
    pub(crate) phase: String,
    /// Do not ask. Without a terminal nobody can be asked, and this is needed
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Remove it although other phases depend on it, and leave what they say as it is
    #[arg(long)]
    pub(crate) even_if_needed: bool,
}

/// `autopilot phase list`
#[derive(Debug, Args)]
pub(crate) struct ListPhases {
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `autopilot land`
#[derive(Debug, Args)]
pub(crate) struct Land {
    /// Which run [default: the newest]
    pub(crate) run: Option<String>,
    /// Do not ask. Without a terminal nobody is asked: there the command itself is your word
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Bring over what is complete, although the run ended without completing all of its phases
    #[arg(long)]
    pub(crate) incomplete: bool,
}

/// `autopilot rescue`
#[derive(Debug, Args)]
pub(crate) struct Rescue {
    /// What to show or restore, as the list names it
    pub(crate) what: Option<String>,
    /// Restore it into this new directory
    #[arg(long, value_name = "DIR", requires = "what")]
    pub(crate) to: Option<PathBuf>,
    /// Remove for good what of it is in no commit and stays on disk; the commit stays
    #[arg(long, requires = "what", conflicts_with_all = ["to", "json"])]
    pub(crate) drop: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `autopilot waive`
#[derive(Debug, Args)]
pub(crate) struct Waive {
    /// The check: `3/2` is the second criterion of phase 3, `3/3-01/1` the first of its task 3-01; or a guard's name
    pub(crate) check: String,
    /// Why it need not hold
    #[arg(short = 'm', long = "why", value_name = "WHY")]
    pub(crate) why: String,
    /// Until when it need not: a date (`2026-12-31`) or a time (RFC 3339) [default: the end of the run]
    #[arg(long, value_name = "WHEN")]
    pub(crate) until: Option<String>,
    /// Which run [default: the newest]
    #[arg(long)]
    pub(crate) run: Option<String>,
}

/// `autopilot verify`
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// A certificate, from this project or from elsewhere [default: every one in `.autopilot/certificates/`]
    pub(crate) cert: Option<PathBuf>,
    /// Repeat every command in fresh checkouts of base and work, and compare
    #[arg(long)]
    pub(crate) rerun: bool,
    /// Repeat also commands that only the certificate names, and nothing in the project's history
    #[arg(long, requires = "rerun")]
    pub(crate) trust: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `autopilot sim`
#[derive(Debug, Args)]
pub(crate) struct Sim {
    /// The criteria of which phases, beside the guards: 3, 3-7, 3,5,8 or all [default: all]
    #[arg(allow_negative_numbers = true)]
    pub(crate) phases: Option<String>,
    /// Only this gate: `3/2` is the second criterion of phase 3, or a guard's name; can be given more than once
    #[arg(long, value_name = "NAME")]
    pub(crate) check: Vec<String>,
    /// How many misbehaviours are played at most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max: u32,
    /// Another choice among files and lines; the same one gives the same plays
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The roadmap, a file of the project [default: .planning/ROADMAP.md, else ROADMAP.md]
    #[arg(long, value_name = "FILE")]
    pub(crate) roadmap: Option<PathBuf>,
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

/// `autopilot rails`
#[derive(Debug, Args)]
pub(crate) struct Rails {
    /// The function: fingerprint, record_iteration, record_halt, check_sameness, check_stuck, check_max_iterations,
    /// check_log_integrity, pin_anchor, check_pin, record_red_evidence, check_red_evidence, _fingerprints
    pub(crate) function: OsString,
    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

/// `autopilot compat`
#[derive(Debug, Args)]
pub(crate) struct Compat {
    /// The function, by the name of its file of cases, or the script: lease-store, dispatch, merge-coordinator,
    /// merge-steps, fa-run
    pub(crate) name: String,
    /// The arguments of a script
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<String>,
}
