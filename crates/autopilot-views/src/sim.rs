//! What came of playing misbehaviour against gates.

use autopilot_core::evidence::{
    CheckKind, Verdict,
    sim::{Fate, Gate, Lie, Mechanism, Played, Report},
};
use serde::Serialize;

use crate::{clean, table};

/// How much of an id is shown.
const ID_CHARS: usize = 12;
/// How many files are named where something is about many.
const SHOWN_MAX: usize = 3;

/// What came of it, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct SimView {
    /// The commit.
    pub commit: String,
    /// Which of many equal choices was made.
    pub seed: u64,
    /// Every gate.
    pub gates: Vec<GateView>,
    /// What was played, in order.
    pub played: Vec<PlayedView>,
    /// How many were caught.
    pub caught: usize,
    /// How many got through.
    pub got_through: usize,
    /// How many more could have been played.
    pub left_out: usize,
    /// What was not played at all, and why.
    pub not_played: Vec<String>,
}

/// A gate on the commit as it is, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct GateView {
    /// Its name.
    pub name: String,
    /// `criterion` or `guard`.
    pub kind: &'static str,
    /// Its command.
    pub command: String,
    /// `green`, `red` or `unproven`; only a green one can be played against.
    pub shows: &'static str,
    /// Why it is not green.
    pub why: Option<String>,
}

/// A misbehaviour that was played, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct PlayedView {
    /// What kind it is.
    pub lie: &'static str,
    /// The file that was broken.
    pub path: String,
    /// The first line that was touched.
    pub line: Option<usize>,
    /// What was done.
    pub what: String,
    /// The files in which the break was hidden.
    pub hides_in: Vec<String>,
    /// Whether a gate caught it.
    pub caught: bool,
    /// The gate.
    pub gate: Option<String>,
    /// By what: `failed`, `unproven`, `fewer-tests`, `protected-file` or `new-rules`.
    pub by: Option<&'static str>,
    /// What the gate showed.
    pub seen: Option<String>,
    /// What to do about one that got through.
    pub advice: Option<String>,
}

/// What came of it.
pub fn sim(report: &Report) -> SimView {
    let got_through = report.through().count();
    SimView {
        commit: report.commit.to_string(),
        seed: report.seed,
        gates: report.gates.iter().map(gate).collect(),
        played: report.played.iter().map(played).collect(),
        caught: report.played.len() - got_through,
        got_through,
        left_out: report.left_out,
        not_played: report.notes.clone(),
    }
}

fn gate(gate: &Gate) -> GateView {
    let (shows, why) = match &gate.verdict {
        Verdict::Passed => ("green", None),
        Verdict::Failed(why) => ("red", Some(why.clone())),
        Verdict::Unproven(why) => ("unproven", Some(why.clone())),
    };
    let kind = match gate.kind {
        CheckKind::Criterion => "criterion",
        CheckKind::Guard => "guard",
    };
    GateView { name: gate.name.clone(), kind, command: gate.command.clone(), shows, why }
}

fn played(played: &Played) -> PlayedView {
    let (gate, by, seen) = match &played.fate {
        Fate::Caught { gate, by, seen } => {
            (Some(gate.clone()), Some(by.as_str()), Some(seen.clone()))
        }
        Fate::GotThrough => (None, None, None),
    };
    PlayedView {
        lie: played.lie.as_str(),
        path: played.path.clone(),
        line: played.line,
        what: played.what.clone(),
        hides_in: played.hides_in.clone(),
        caught: gate.is_some(),
        gate,
        by,
        seen,
        advice: (played.fate == Fate::GotThrough).then(|| advice(played)),
    }
}

/// The same as text: the gates, what was played, what to do, and the numbers last.
pub fn sim_text(report: &Report) -> String {
    let commit: String = report.commit.as_str().chars().take(ID_CHARS).collect();
    let mut text = format!("gates on {} (seed {})\n", clean(&commit), report.seed);
    text.push_str(&table(&report.gates.iter().map(gate_row).collect::<Vec<_>>()));
    if !report.played.is_empty() {
        text.push_str("played\n");
        text.push_str(&table(&report.played.iter().map(played_row).collect::<Vec<_>>()));
    }
    for played in report.through() {
        text.push_str(&format!(
            "GOT THROUGH {}: no gate notices that {}: {}\n",
            clean(&place(played)),
            clean(&played.what),
            clean(&advice(played))
        ));
    }
    for note in &report.notes {
        text.push_str(&format!("not played: {}\n", clean(note)));
    }
    let through = report.through().count();
    text.push_str(&format!(
        "sim: {} played, {} caught, {through} got through, {} left out\n",
        report.played.len(),
        report.played.len() - through,
        report.left_out
    ));
    text
}

/// One misbehaviour in a line, while others are still to come.
pub fn played_line(played: &Played) -> String {
    let word = match played.fate {
        Fate::Caught { .. } => "caught",
        Fate::GotThrough => "GOT THROUGH",
    };
    format!("{word}: {} {}: {}", played.lie.as_str(), place(played), played.what)
}

fn gate_row(one: &Gate) -> Vec<String> {
    let GateView { name, command, shows, why, .. } = gate(one);
    let why = why.map(|why| format!("; nothing is played against it: {why}"));
    let command = format!("`{command}`{}", why.unwrap_or_default());
    vec![format!("  {shows}"), clean(&name), clean(&command)]
}

fn played_row(played: &Played) -> Vec<String> {
    let (word, by) = match &played.fate {
        Fate::Caught { gate, by, seen } => ("caught", format!("{gate}: {}", mechanism(by, seen))),
        Fate::GotThrough => ("GOT THROUGH", "every gate stayed green".to_owned()),
    };
    vec![
        format!("  {word}"),
        played.lie.as_str().to_owned(),
        clean(&place(played)),
        clean(&played.what),
        clean(&by),
    ]
}

fn mechanism(by: &Mechanism, seen: &str) -> String {
    match by {
        Mechanism::Failed => seen.to_owned(),
        Mechanism::Unproven => format!("unproven: {seen}"),
        Mechanism::Fewer => format!("fewer tests: {seen}"),
        Mechanism::PutBack(files) => format!("{} put back, {seen}", shown(files)),
        Mechanism::NewRules(files) => format!("without the new {}, {seen}", shown(files)),
    }
}

fn place(played: &Played) -> String {
    match played.line {
        Some(line) => format!("{}:{line}", played.path),
        None => played.path.clone(),
    }
}

/// What to do about a misbehaviour that got through.
fn advice(played: &Played) -> String {
    let quoted: Vec<String> = played.hides_in.iter().map(|path| format!("{path:?}")).collect();
    let protect = format!("`[protect] add = [{}]`", quoted.join(", "));
    match played.lie {
        Lie::MutatesCode => "add a test or a guard that fails by it".to_owned(),
        Lie::EmptiesCode | Lie::DeletesCode => {
            "no gate needs this file; add a test that uses it, or remove it".to_owned()
        }
        Lie::RevertsCode => "add a test or a guard for what the commit did".to_owned(),
        Lie::WeakensTests | Lie::SkipsTests => {
            format!("put tests into files of their own, or protect this one: {protect}")
        }
        Lie::EmptiesTests | Lie::DeletesTests | Lie::PassesScript | Lie::ChangesCommand => {
            format!("protect what decides: {protect}")
        }
        Lie::AddsRules => {
            format!("commit a file of this name yourself, and protect it: {protect}")
        }
        Lie::EmptiesCi => "add a guard that fails by the break".to_owned(),
    }
}

fn shown(paths: &[String]) -> String {
    let named = paths[..paths.len().min(SHOWN_MAX)].join(", ");
    match paths.len().saturating_sub(SHOWN_MAX) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use autopilot_core::id::CommitId;

    use super::*;

    fn played(lie: Lie, fate: Fate) -> Played {
        Played {
            lie,
            what: "`+` became `-`\u{1b}[2J".to_owned(),
            path: "src/calc.py".to_owned(),
            line: Some(12),
            hides_in: if lie.is_break() { Vec::new() } else { vec!["run.sh".to_owned()] },
            fate,
        }
    }

    fn report() -> Report {
        let gate = |name: &str, verdict: Verdict| Gate {
            name: name.to_owned(),
            kind: CheckKind::Guard,
            command: "sh run.sh".to_owned(),
            verdict,
        };
        let by = Mechanism::PutBack(vec!["run.sh".to_owned()]);
        let caught = Fate::Caught { gate: "test".to_owned(), by, seen: "exit code 1".to_owned() };
        Report {
            commit: CommitId::new("0123456789abcdef"),
            seed: 7,
            gates: vec![
                gate("test", Verdict::Passed),
                gate("lint", Verdict::Unproven("no test was executed".to_owned())),
            ],
            played: vec![
                played(Lie::MutatesCode, Fate::GotThrough),
                played(Lie::PassesScript, Fate::GotThrough),
                played(Lie::SkipsTests, caught),
            ],
            left_out: 4,
            notes: vec!["an agent that does nothing".to_owned()],
        }
    }

    #[test]
    fn what_got_through_is_told_with_its_place_and_what_to_do() {
        let text = sim_text(&report());
        for told in [
            "gates on 0123456789ab (seed 7)\n",
            "unproven  lint",
            "nothing is played against it: no test was executed",
            "test: run.sh put back, exit code 1",
            "GOT THROUGH src/calc.py:12: no gate notices that `+` became `-`",
            "add a test or a guard that fails by it\n",
            "[protect] add = [\"run.sh\"]",
            "not played: an agent that does nothing\n",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
        assert!(text.ends_with("sim: 3 played, 1 caught, 2 got through, 4 left out\n"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }

    #[test]
    fn numbers_and_advice_are_in_the_json() {
        let view = sim(&report());
        assert_eq!((view.caught, view.got_through, view.left_out), (1, 2, 4));
        assert_eq!(view.gates[1].shows, "unproven");
        assert!(view.played[0].advice.is_some() && view.played[2].advice.is_none());
        assert_eq!(view.played[2].by, Some("protected-file"));
    }
}
