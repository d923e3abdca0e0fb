//! What is told of an issue.

use autopilot_core::{
    issue::{Finding, Issue, IssueFact, IssueStage},
    run::Run,
};
use serde::Serialize;

use crate::{Styled, Tone, clean};

/// Where an issue stands, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct IssueView {
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// The way it takes.
    pub route: &'static str,
    /// Where its documents are.
    pub directory: String,
    /// The step that is tried.
    pub step: &'static str,
    /// The how-manieth try it is.
    pub iteration: u32,
    /// What the step is doing, as the names of steps tell it; nothing while a person is asked.
    pub stage: Option<String>,
    /// The gates that were passed, in order, each with who approved and what.
    pub approvals: Vec<ApprovalView>,
    /// What the last try left open.
    pub open: Vec<String>,
    /// Whether the stronger agent implements.
    pub escalated: bool,
}

/// An approval, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct ApprovalView {
    /// The gate.
    pub gate: &'static str,
    /// Who approved.
    pub by: String,
    /// The fingerprint or commit of what was approved.
    pub what: String,
}

/// Where an issue stands.
pub(crate) fn issue(issue: &Issue) -> IssueView {
    let approval = |(gate, by, what): &(autopilot_core::issue::IssueGate, String, String)| {
        ApprovalView { gate: gate.name(), by: by.clone(), what: what.clone() }
    };
    IssueView {
        number: issue.spec.number,
        title: issue.spec.title.clone(),
        route: issue.spec.route.name(),
        directory: issue.spec.directory.clone(),
        step: issue.step.name(),
        iteration: issue.iteration,
        stage: issue.stage.step(issue.step).map(|step| step.to_string()),
        approvals: issue.approvals.iter().map(approval).collect(),
        open: issue.findings.iter().map(Finding::told).collect(),
        escalated: issue.is_escalated,
    }
}

/// The same as text.
pub(crate) fn issue_text(view: &IssueView) -> String {
    let mut text = format!(
        "issue {}: {} ({})\ndocuments: {}\nat: {}, try {}\n",
        view.number,
        clean(&view.title),
        view.route,
        clean(&view.directory),
        view.step,
        view.iteration
    );
    for ApprovalView { gate, by, what } in &view.approvals {
        text.push_str(&format!("{gate} approved by {} ({})\n", clean(by), clean(what)));
    }
    for open in &view.open {
        text.push_str(&format!("open: {}\n", clean(open)));
    }
    text
}

/// The lines for one more fact.
pub(crate) fn lines(run: &Run, fact: &IssueFact) -> Vec<Styled> {
    let Some(issue) = run.work.issue() else { return Vec::new() };
    let line = |tone, text: String| {
        vec![Styled::new(tone, format!("[Issue {}] {text}", issue.spec.number))]
    };
    match fact {
        IssueFact::Began { step, iteration, findings } => {
            let told = if findings.is_empty() {
                String::new()
            } else {
                format!(", with {} things to put right", findings.len())
            };
            line(Tone::Heading, format!("{} try {iteration}{told}", step.name()))
        }
        IssueFact::Entered(IssueStage::Gate(_) | IssueStage::Survey(_)) => Vec::new(),
        IssueFact::Entered(stage) => match stage.step(issue.step) {
            Some(step) => {
                let name = step.as_str().trim_start_matches("issue/").to_uppercase();
                line(Tone::Plain, format!("Step: {name}"))
            }
            None => Vec::new(),
        },
        IssueFact::Approved { gate, by, .. } => {
            line(Tone::Good, format!("{} approved by {by}", gate.name()))
        }
        IssueFact::Refused { gate, by, findings } => line(
            Tone::Warning,
            format!("{} refused by {by}: {} findings", gate.name(), findings.len()),
        ),
        IssueFact::Reproduced { runs, failed } => line(
            Tone::Plain,
            format!("it failed {failed} of {runs} times before anything was done"),
        ),
        IssueFact::Red(red) => {
            let word = if red.is_red { "red" } else { "not red" };
            line(Tone::Plain, format!("the tests are {word} without the work"))
        }
        IssueFact::Judged { passed: true, .. } => line(Tone::Good, "PASS".to_owned()),
        IssueFact::Judged { halt, findings, .. } => {
            let mut lines = match halt {
                Some(reason) => line(Tone::Bad, format!("HALT {}", reason.name())),
                None => line(Tone::Warning, "FAIL".to_owned()),
            };
            for finding in findings {
                lines.extend(line(Tone::Plain, format!("  {}", finding.told())));
            }
            lines
        }
        IssueFact::Found { .. }
        | IssueFact::Anchored { .. }
        | IssueFact::Stands { .. }
        | IssueFact::Designed { .. }
        | IssueFact::Saw { .. }
        | IssueFact::Left { .. }
        | IssueFact::TestsStand { .. }
        | IssueFact::Explained(_)
        | IssueFact::Wondered(_)
        | IssueFact::Recorded { .. }
        | IssueFact::Integrated { .. } => Vec::new(),
    }
}
