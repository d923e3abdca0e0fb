//! Every rule against the corpus: good plans break none, and each bad one breaks the rule that it is there for.

use std::collections::BTreeSet;

use super::*;

/// A good plan: its phase, its text, the requirements of the phase, and the tasks with a test spec.
type Good = (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

/// Plans that are fine, each as somebody writes them.
const GOOD: [Good; 5] = [
    ("24", LAMP, &["LAMP-01", "LAMP-02"], &["24-02"]),
    ("1", BUTTON, &[], &[]),
    ("3", include_str!("../corpus/good/docs.md"), &[], &["03-01"]),
    ("7", include_str!("../corpus/good/server.md"), &["IMP-01", "IMP-02: rows are stored"], &[]),
    ("2.1", include_str!("../corpus/good/settings.md"), &[], &[]),
];

/// An action that would fit any task.
const ANY: &str = "Implement everything that is required for this task as described in the plan, make sure that it \
    works well, and update all of the relevant files and tests where needed.";

/// A rule, and what is replaced in the plan of the lamp to break it.
const SPOILED: [(&str, &str, &str); 29] = [
    ("unreadable", "# Plan: Lamp\n", "# Plan: Lamp\n\n### Task 24-09: Paint it\n"),
    ("unreadable", "</task>\n\n<task", "\n<task"),
    ("duplicate-id", "id=\"24-02\"", "id=\"24-01\""),
    ("missing-field", "<files>src/switch.rs</files>", ""),
    ("missing-field", "<verify>Run its test spec.</verify>", ""),
    ("missing-field", "<done>Off is dark.</done>", ""),
    ("thin-action", "ACTION", "Write the switch of the lamp."),
    ("generic-action", "ACTION", ANY),
    ("stub", "Off is dark.", "TBD"),
    ("stub", "Write src/switch.rs", "TODO: write src/switch.rs"),
    ("prose", "-- verified by: `grep -c println src/lamp.rs` (expect 0)", "and this is correct"),
    ("no-command", " -- verified by: `grep -c println src/lamp.rs` (expect 0)", ""),
    ("unreadable-check", "(expect 0)", "(expect hardly any)"),
    ("unreadable-check", "(expect 0)", "(0 or so)"),
    ("hidden-exit", "`cargo test lamp`", "`echo fine`"),
    ("hidden-exit", "`cargo test lamp`", "`sh -c 'cargo test lamp || true'`"),
    ("grep-only", "`cargo test lamp`", "`grep -q turn src/lamp.rs`"),
    ("grep-only", "`cargo test lamp`", "`test -f src/lamp.rs && test -d tests`"),
    ("spec-missing", "tests/task-24-02.sh", "tests/task-24-03.sh"),
    ("requirement-uncovered", "| LAMP-01 | 24-01 |\n", ""),
    ("unknown-task", "depends_on=\"24-01\"", "depends_on=\"24-09\""),
    ("unknown-task", "| LAMP-01 | 24-01 |", "| LAMP-01 | 24-01, 24-08 |"),
    ("cycle", "complexity=\"medium\"", "complexity=\"medium\" depends_on=\"24-02\""),
    ("no-complexity", " complexity=\"simple\"", ""),
    ("no-complexity", " complexity=\"simple\"", " complexity=\"huge\""),
    ("untraced-handler", "Write src/switch.rs", "Write a click handler and src/switch.rs"),
    ("weight", "(weight: 2)", "(weight: much)"),
    ("no-spec", "`cargo test lamp`", "`cargo run -- turn`"),
    ("no-proof", "CRITERIA", ""),
];

fn good((id, text, requirements, specs): Good) -> (Plan, PhaseSpec) {
    let phase = PhaseSpec {
        criteria: Vec::new(),
        requirements: requirements.iter().map(ToString::to_string).collect(),
        directory: format!(".planning/phases/{id}-x"),
        ..crate::story::spec(id, &[])
    };
    let spec = |task: &&str| TestSpec {
        path: format!(".planning/phases/{id}-x/tests/task-{task}.sh"),
        text: SPEC_TEXT.to_owned(),
    };
    let text = text.replace("phases/24-lamp", "phases/24-x");
    (Plan { specs: specs.iter().map(spec).collect(), ..Plan::parse(&text) }, phase)
}

/// Plans that break a rule in a way that no replacement gives.
fn built() -> Vec<(&'static str, Option<Plan>, PhaseSpec)> {
    let traced = "- A turn is stored -- verified by: read src/lamp.rs:turn and trace to store\n";
    let tasks = |count: usize| {
        let task = |at: usize| {
            format!("{}\n", section("<task", "</task>").replace("24-01", &format!("24-{at}")))
        };
        Plan::parse(&(0..count).map(task).collect::<String>())
    };
    let foggy = PhaseSpec {
        criteria: vec![Criterion::parse("Ships see the shore in fog")],
        ..open_phase()
    };
    let waves = LAMP
        .replace("depends_on=\"24-01\"", "wave=\"1\"")
        .replace("src/switch.rs<", "src/lamp.rs<");
    let waves = waves.replace("complexity=\"medium\"", "complexity=\"medium\" wave=\"1\"");
    let silent = TestSpec { path: SPEC.to_owned(), text: "exit 0".to_owned() };
    vec![
        ("no-plan", None, open_phase()),
        ("no-task", Some(Plan::parse("# Plan\n\nDo it well.\n")), open_phase()),
        ("trace-alone", Some(lamp(&LAMP.replace(section("- The lamp", "</acc"), traced))), phase()),
        ("spec-form", Some(Plan { specs: vec![silent], ..Plan::parse(LAMP) }), phase()),
        ("criterion-uncovered", Some(lamp(LAMP)), foggy),
        ("task-count", Some(tasks(1)), open_phase()),
        ("task-count", Some(tasks(6)), open_phase()),
        ("batched", Some(tasks(9)), open_phase()),
        ("wave-split", Some(lamp(&waves)), phase()),
    ]
}

/// The first piece of the lamp's plan from one text up to another, without the latter where it opens a tag.
fn section(from: &str, to: &str) -> &'static str {
    let start = LAMP.find(from).expect(from);
    let end = start + LAMP[start..].find(to).expect(to);
    &LAMP[start..if to == "</task>" { end + to.len() } else { end }]
}

/// The plan of the lamp with something replaced.
fn replaced(from: &str, to: &str) -> Plan {
    let from = match from {
        "ACTION" => section("Give `Lamp`", "</action>"),
        "CRITERIA" => section("- The lamp", "</acc"),
        other => other,
    };
    assert!(LAMP.contains(from), "{from}");
    lamp(&LAMP.replacen(from, to, 1))
}

#[test]
fn c8_no_good_plan_of_the_corpus_breaks_a_rule() {
    for one in GOOD {
        let (plan, phase) = good(one);
        let found: Vec<String> = lint(Some(&plan), &phase)
            .iter()
            .filter(|finding| finding.severity != Severity::Info)
            .map(Finding::to_string)
            .collect();
        assert_eq!(found, Vec::<String>::new(), "phase {}", one.0);
    }
}

#[test]
fn c8_every_rule_is_broken_by_a_plan_of_the_corpus() {
    let spoiled = SPOILED.iter().map(|(rule, from, to)| (*rule, Some(replaced(from, to)), phase()));
    let mut shown = BTreeSet::new();
    for (rule, plan, phase) in spoiled.chain(built()) {
        let found = lint(plan.as_ref(), &phase);
        let told: Vec<String> = found.iter().map(Finding::to_string).collect();
        let broken = found.iter().find(|finding| finding.rule == rule);
        let broken = broken.unwrap_or_else(|| panic!("{rule} is not among {told:?}"));
        let is_refused = found.iter().any(Finding::is_blocker);
        assert_eq!(is_refused, broken.is_blocker(), "{rule}: {told:?}");
        shown.insert(rule);
    }
    let all: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).chain(["no-plan"]).collect();
    assert_eq!(shown, all, "every rule is shown by a plan");
}
