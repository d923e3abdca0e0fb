//! The command line of `autopilot issue`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Json;

/// `autopilot issue`
#[derive(Debug, Args)]
pub(crate) struct Issue {
    /// The number of the issue
    pub(crate) number: u64,
    /// What to do [default: go on with what was begun, else start]
    #[command(subcommand)]
    pub(crate) action: Option<IssueAction>,
}

/// What to do with an issue.
#[derive(Debug, Subcommand)]
pub(crate) enum IssueAction {
    /// Start, and say which way is recommended; the way itself is yours to choose
    Start(StartIssue),
    /// Answer the open gate with ok
    Approve(Approve),
    /// Send back what the open gate shows; each section of your message is a finding
    Reject(RejectIssue),
    /// Say where the issue stands
    Status(Json),
}

/// `autopilot issue N start`
#[derive(Debug, Default, Args)]
pub(crate) struct StartIssue {
    /// The way: full, bugfix, flaky or express [default: full]
    #[arg(long, value_name = "ROUTE")]
    pub(crate) route: Option<String>,
    /// A file with the issue's text, where it has no directory in `docs/issues` yet; its first line is the title
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// A label of the issue, for the recommendation; can be given more than once
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Vec<String>,
    /// The agent of every role that has none of its own
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Keep the fingerprints of earlier programs, which take progress among failing tests for sameness
    #[arg(long)]
    pub(crate) compat: bool,
    /// The issue that follows up a test which is put aside; without it no flaky test may be
    #[arg(long, value_name = "ID")]
    pub(crate) tracking: Option<String>,
    /// Ask nobody at the gates; only where `FA_HANDOFF=1` says that a person curates the queue, and ignored elsewhere
    #[arg(long)]
    pub(crate) hand_off: bool,
}

/// `autopilot issue N approve`
#[derive(Debug, Args)]
pub(crate) struct Approve {
    /// Anything but `ok` is no approval
    #[arg(short, long, default_value = "ok")]
    pub(crate) message: String,
}

/// `autopilot issue N reject`
#[derive(Debug, Args)]
pub(crate) struct RejectIssue {
    /// What must change, section by section
    #[arg(short, long)]
    pub(crate) message: String,
}
