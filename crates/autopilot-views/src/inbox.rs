//! Everything that waits for a person, over all runs of a project.

use autopilot_core::{
    fact::Ending,
    id::GateId,
    phases::{GateKind, kind_of, question_of},
    run::{Run, Standing},
};
use serde::Serialize;

use crate::{clean, clean_indented};

/// Everything that waits for a person, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct InboxView {
    /// Each of it, oldest run first.
    pub waiting: Vec<WaitingView>,
}

/// Something that waits for a person, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct WaitingView {
    /// The run that waits.
    pub run: String,
    /// The name of the question; nothing where the run waits for a look.
    pub gate: Option<String>,
    /// What it is: `approval`, `words`, `areas`, `choice`, `depth` or `look`.
    pub kind: &'static str,
    /// The phase, where a question of the talk is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// What is asked.
    pub question: String,
    /// What can be chosen, where something can.
    pub options: Vec<String>,
    /// Whether it is answered, and only `autopilot resume` is missing.
    pub answered: bool,
    /// The command that answers it.
    pub command: String,
}

/// What of a run waits for a person; `answered` are questions whose answers lie there already.
pub fn waiting(run: &Run, answered: &[GateId]) -> Vec<WaitingView> {
    let name = &run.given.run;
    match run.standing() {
        Standing::Ended(Ending::Checkpoint { over }) => vec![WaitingView {
            run: name.to_string(),
            gate: None,
            kind: "look",
            phase: None,
            question: format!("{over} phases are over; look at them before the run goes on"),
            options: Vec::new(),
            answered: false,
            command: format!("autopilot resume {name}"),
        }],
        Standing::Ended(_) => Vec::new(),
        Standing::Working | Standing::Asking(_) | Standing::Holding(_) | Standing::Stopped => {
            let open = run.asked.iter();
            open.map(|(gate, text)| of_gate(run, gate, text, answered.contains(gate))).collect()
        }
    }
}

fn of_gate(run: &Run, gate: &GateId, text: &str, answered: bool) -> WaitingView {
    let name = &run.given.run;
    let kind = match kind_of(gate) {
        None => "approval",
        Some(GateKind::Map) => "words",
        Some(GateKind::Areas) => "areas",
        Some(GateKind::Ask) => "choice",
        Some(GateKind::Depth) => "depth",
    };
    let asked = question_of(run, gate);
    let command = match (answered, kind) {
        (true, _) => format!("autopilot resume {name}"),
        (false, "approval") => format!("autopilot approve {gate} --run {name}"),
        (false, _) => format!("autopilot answer {gate} TEXT --run {name}"),
    };
    WaitingView {
        run: name.to_string(),
        gate: Some(gate.to_string()),
        kind,
        phase: asked.as_ref().map(|asked| asked.phase.to_string()),
        question: asked.as_ref().map_or_else(|| text.to_owned(), |asked| asked.text.clone()),
        options: asked.map(|asked| asked.options).unwrap_or_default(),
        answered,
        command,
    }
}

/// Everything that waits, as text.
pub fn inbox_text(view: &InboxView) -> String {
    if view.waiting.is_empty() {
        return "nothing waits for a person\n".to_owned();
    }
    view.waiting.iter().map(one).collect()
}

fn one(view: &WaitingView) -> String {
    let gate = view.gate.as_deref().map(|gate| format!(" {}", clean(gate))).unwrap_or_default();
    let phase = view.phase.as_deref().map(|id| format!(" (phase {})", clean(id)));
    let mut text = format!(
        "{}{gate}{}: {}\n",
        clean(&view.run),
        phase.unwrap_or_default(),
        clean_indented(&view.question)
    );
    for (at, option) in view.options.iter().enumerate() {
        let letter = u8::try_from(at).ok().and_then(|at| b'a'.checked_add(at)).map(char::from);
        let label = match (view.kind, letter) {
            ("choice", Some(letter)) => format!("{letter})"),
            _ => format!("{}.", at + 1),
        };
        text.push_str(&format!("    {label} {}\n", clean(option)));
    }
    let word = if view.answered { "answered; " } else { "" };
    let or = match (view.kind, view.answered) {
        ("approval", false) => " (or `reject`)",
        _ => "",
    };
    text + &format!("  {word}`{}`{or}\n", clean(&view.command))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(kind: &'static str, gate: Option<&str>, options: &[&str]) -> WaitingView {
        WaitingView {
            run: "run-1".to_owned(),
            gate: gate.map(str::to_owned),
            kind,
            phase: None,
            question: "How?\nwhy you are asked: \u{1b}[31m".to_owned(),
            options: options.iter().map(|one| (*one).to_owned()).collect(),
            answered: false,
            command: "autopilot answer G TEXT --run run-1".to_owned(),
        }
    }

    #[test]
    fn everything_that_waits_is_told_with_how_to_answer_and_steers_no_terminal() {
        let waiting = vec![
            view("choice", Some("discuss/3/1/1"), &["Cards", "You decide"]),
            view("areas", Some("discuss/3/areas"), &["Layout"]),
            WaitingView { answered: true, ..view("approval", Some("1/human/1-00"), &[]) },
        ];
        let text = inbox_text(&InboxView { waiting });
        for told in [
            "run-1 discuss/3/1/1: How?\n",
            "    a) Cards\n    b) You decide\n  `autopilot answer G TEXT --run run-1`\n",
            "    1. Layout\n",
            "  answered; `",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
        assert!(!text.contains('\u{1b}'), "{text:?}");
        let nothing = inbox_text(&InboxView { waiting: Vec::new() });
        assert_eq!(nothing, "nothing waits for a person\n");
    }
}
