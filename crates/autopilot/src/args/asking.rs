//! The arguments of commands that ask and answer.

use std::path::PathBuf;

use clap::Args;

/// `autopilot map` and `autopilot discuss`
#[derive(Debug, Args)]
pub(crate) struct Talk {
    /// Which phases: 3, 3-7, 3,5,8, all or next [default: all that are not complete]
    #[arg(allow_negative_numbers = true)]
    pub(crate) phases: Option<String>,
    /// Answers to its questions (JSON; docs/questions.md tells the form)
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// The agent that looks for questions
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The roadmap, a file of the project [default: .planning/ROADMAP.md, else ROADMAP.md]
    #[arg(long, value_name = "FILE")]
    pub(crate) roadmap: Option<PathBuf>,
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

/// `autopilot answer`
#[derive(Debug, Args)]
pub(crate) struct Say {
    /// The question, as `inbox` and `status` name it
    #[arg(required_unless_present = "answers", requires = "text")]
    pub(crate) gate: Option<String>,
    /// What you say: a letter, numbers or words, as the question wants it; `""` passes it over
    pub(crate) text: Option<String>,
    /// Answers to several questions (JSON; docs/questions.md tells the form)
    #[arg(long, value_name = "FILE", conflicts_with = "gate")]
    pub(crate) answers: Option<PathBuf>,
    /// Which run [default: the newest]
    #[arg(long)]
    pub(crate) run: Option<String>,
}
