//! The arguments of `autopilot phase`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

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
