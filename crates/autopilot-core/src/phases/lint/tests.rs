//! Good plans without a finding, and what is found in them once something is spoiled.

mod table;

use proptest::prelude::*;

use super::*;
use crate::{
    evidence::{Entry, objections as open},
    phases::named_checks,
    roadmap::TestSpec,
};

const LAMP: &str = include_str!("corpus/good/lamp.md");
const BUTTON: &str = include_str!("corpus/good/button.md");
const SPEC: &str = ".planning/phases/24-lamp/tests/task-24-02.sh";
const SPEC_TEXT: &str = "if ./lamp; then echo 'PASS: on'; else echo 'FAIL: on'; fi\n\
    echo \"RESULTS: $p passed, $f failed\"\n";

/// The phase of the lamp, with a criterion that the plan repeats and one that it runs.
fn phase() -> PhaseSpec {
    let criteria = [
        "The lamp turns -- verified by: `cargo run -- turn`",
        "`x` -- verified by: `cargo test lamp`",
    ];
    PhaseSpec {
        criteria: criteria.map(Criterion::parse).to_vec(),
        requirements: vec!["LAMP-01".to_owned(), "LAMP-02".to_owned()],
        directory: ".planning/phases/24-lamp".to_owned(),
        ..crate::story::spec("24", &[])
    }
}

/// A phase that asks for nothing by itself.
fn open_phase() -> PhaseSpec {
    PhaseSpec { criteria: Vec::new(), requirements: Vec::new(), ..phase() }
}

fn lamp(text: &str) -> Plan {
    let spec = TestSpec { path: SPEC.to_owned(), text: SPEC_TEXT.to_owned() };
    Plan { specs: vec![spec], ..Plan::parse(text) }
}

fn shown(findings: &[Finding]) -> Vec<String> {
    let task =
        |finding: &Finding| finding.task.as_ref().map_or(String::new(), |id| format!(" {id}"));
    findings.iter().map(|finding| format!("{}{}", finding.rule, task(finding))).collect()
}

/// What is found in the plan of the lamp after something in it is replaced.
#[track_caller]
fn spoiled(from: &str, to: &str) -> Vec<String> {
    assert!(LAMP.contains(from), "{from}");
    shown(&lint(Some(&lamp(&LAMP.replacen(from, to, 1))), &phase()))
}

/// What is found where the first criterion of the lamp is this one.
#[track_caller]
fn criterion(line: &str) -> Vec<String> {
    let plan =
        LAMP.replacen("- The lamp turns (weight: 2) -- verified by: `cargo test lamp`", line, 1);
    shown(&lint(Some(&lamp(&plan)), &open_phase()))
}

#[test]
fn c8_good_plans_have_no_findings() {
    assert_eq!(lint(Some(&lamp(LAMP)), &phase()), []);
    assert_eq!(lint(Some(&Plan::parse(BUTTON)), &open_phase()), []);
}

#[test]
fn c8_every_rule_has_a_name_of_its_own() {
    for (at, rule) in RULES.iter().enumerate() {
        assert!(RULES[..at].iter().all(|other| other.id != rule.id), "{}", rule.id);
        assert!(!rule.asks.is_empty());
    }
}

#[test]
fn c8_the_guide_lists_every_rule() {
    let guide = include_str!("../../../../../docs/roadmap-format.md");
    for rule in &RULES {
        let severity = match rule.severity {
            Severity::Blocker => "blocker",
            Severity::Warning => "warning",
            Severity::Info => "info",
        };
        let row = format!("| {severity} | `{}` | {} |", rule.id, rule.asks);
        assert!(guide.contains(&row), "{row}");
    }
}

#[test]
fn c8_a_plan_that_is_none_is_told_so() {
    assert_eq!(shown(&lint(None, &phase())), ["no-plan"]);
    assert_eq!(shown(&lint(Some(&Plan::parse("# Plan\n")), &open_phase())), ["no-task"]);
    let outside = lint(Some(&lamp(&format!("### Task 9: x\n{LAMP}"))), &phase());
    assert_eq!(shown(&outside), ["unreadable"]);
}

#[test]
fn c8_two_tasks_with_one_id_are_found() {
    let found = spoiled("id=\"24-02\"", "id=\"24-01\"");
    assert!(found.contains(&"duplicate-id".to_owned()), "{found:?}");
    let mut plan = lamp(LAMP);
    plan.tasks[1].id = plan.tasks[0].id.clone();
    let found = shown(&lint(Some(&plan), &open_phase()));
    assert!(found.contains(&"duplicate-id 24-01".to_owned()), "{found:?}");
}

#[test]
fn e14_a_task_tells_its_four_fields() {
    for (from, to) in [
        ("<files>src/switch.rs</files>", ""),
        ("<done>Off is dark.</done>", "<done> </done>"),
        ("<verify>Run its test spec.</verify>", ""),
    ] {
        assert_eq!(spoiled(from, to), ["missing-field 24-02"], "{from}");
    }
    let action = LAMP.find("<action>").zip(LAMP.find("</action>")).expect("an action");
    assert_eq!(spoiled(&LAMP[action.0..action.1], "<action>"), ["missing-field 24-01"]);
}

/// The action of the first task, replaced.
fn acting(action: &str) -> Vec<String> {
    let (from, to) = LAMP.find("<action>").zip(LAMP.find("</action>")).expect("an action");
    let plan = format!("{}<action>{action}{}", &LAMP[..from], &LAMP[to..]);
    shown(&lint(Some(&lamp(&plan)), &phase()))
}

#[test]
fn c8_a_thin_or_generic_action_is_found() {
    let eighteen = "Give Lamp in src/lamp.rs a method turn that moves the beam by six degrees for each passing second";
    assert_eq!(eighteen.split_whitespace().count(), 18);
    assert_eq!(acting(eighteen), ["thin-action 24-01"]);
    assert_eq!(acting(&format!("{eighteen} and wraps")), Vec::<String>::new());
    let generic = "Implement the feature as described in the requirements and make sure that everything works \
        correctly, update all of the relevant files where needed, and handle the errors properly.";
    assert_eq!(acting(generic), ["generic-action 24-01"]);
    assert_eq!(acting(&"do the lamp ".repeat(9)), ["generic-action 24-01"]);
}

#[test]
fn c8_what_is_left_to_be_filled_in_is_found() {
    assert_eq!(spoiled("Off is dark.", "TBD"), ["stub 24-02"]);
    assert_eq!(spoiled("Add tests for", "TODO: tests for"), ["stub 24-01"]);
    assert_eq!(spoiled("Off is dark.", "[to be filled in]"), ["stub 24-02"]);
    for honest in [
        "Add the todolist for",
        "Keep a todo for",
        "Remove every TODO: comment of",
        "Read the angle, which is to be determined at run time, for",
        "TODO comments are removed from",
    ] {
        assert_eq!(spoiled("Add tests for", honest), Vec::<String>::new(), "{honest}");
    }
    let gone = "- No TODO is left -- verified by: `! grep -rn TODO src`";
    assert_eq!(criterion(gone), ["grep-only 24-01"], "it is only looked at, and no stub");
}

#[test]
fn c8_an_action_without_blanks_between_its_words_has_words_too() {
    let action = "在 src/lamp.rs 中为 Lamp 增加 turn 方法，每秒将光束旋转六度，满一圈后从零重新开始，并为一秒、六十秒和零秒编写测试。";
    assert_eq!(acting(action), Vec::<String>::new());
    assert_eq!(acting("ランプを回す方法を書く。"), ["thin-action 24-01"]);
}

#[test]
fn c8_a_criterion_without_a_command_is_found() {
    assert_eq!(criterion("- The lamp turns"), ["no-command 24-01", "grep-only 24-01"]);
    for phrase in [
        "It should work",
        "It properly handles a storm",
        "The angle is correct",
        "It works as\n  expected",
        "It functions correctly",
        "Turning is implemented",
    ] {
        assert_eq!(
            criterion(&format!("- {phrase}")),
            ["prose 24-01", "grep-only 24-01"],
            "{phrase}"
        );
        let proven = format!("- {phrase} -- verified by: `cargo test lamp`");
        assert_eq!(criterion(&proven), Vec::<String>::new(), "{phrase}");
    }
}

#[test]
fn c8_a_task_without_any_proof_is_found() {
    let (from, to) = LAMP
        .find("<acceptance_criteria>")
        .zip(LAMP.find("</acceptance_criteria>"))
        .expect("criteria");
    let plan = format!("{}<acceptance_criteria>\n{}", &LAMP[..from], &LAMP[to..]);
    assert_eq!(shown(&lint(Some(&lamp(&plan)), &open_phase())), ["no-proof 24-01"]);
}

#[test]
fn e32_an_expectation_that_cannot_be_read_is_found() {
    for tail in ["(looks fine)", "(expect many)", "returns", "(exits 0, and it shines)"] {
        let line = format!("- The lamp turns -- verified by: `cargo test lamp` {tail}");
        assert_eq!(criterion(&line), ["unreadable-check 24-01"], "{tail}");
    }
    let found = criterion("- The lamp turns -- verified by: ``");
    assert_eq!(found, ["unreadable-check 24-01", "grep-only 24-01"]);
}

#[test]
fn e1_an_ending_that_hides_an_exit_code_is_unwrapped_or_found() {
    for command in ["cargo test lamp; echo EXIT:$?", "cargo test | tail -3", "cargo test || true"] {
        let line = format!("- The lamp turns -- verified by: `{command}`");
        assert_eq!(criterion(&line), Vec::<String>::new(), "{command}");
    }
    for command in [
        "cargo test || cargo test --lib",
        "(cargo test || true)",
        "sh -c 'cargo test || true'",
        "if cargo test; then echo yes; else echo no; fi",
        "echo turns",
        "true",
    ] {
        let line = format!("- The lamp turns -- verified by: `{command}`");
        assert_eq!(criterion(&line), ["hidden-exit 24-01"], "{command}");
    }
}

#[test]
fn c8_a_task_that_is_only_looked_at_needs_a_test_spec() {
    let looked = "- The lamp turns -- verified by: `test -f src/lamp.rs`";
    assert_eq!(criterion(looked), ["grep-only 24-01"]);
    for (files, is_found) in [
        ("tests/lamp.rs", false),
        ("web/__tests__/lamp.tsx, lamp_test.go", false),
        ("src/lamp.rs, tests/lamp.rs", true),
        ("src/contests/lamp.rs", true),
    ] {
        let first = LAMP.replace("src/lamp.rs, tests/lamp.rs", files);
        let first = first.replace("`cargo test lamp`", "`test -f src/lamp.rs`");
        let found = shown(&lint(Some(&lamp(&first)), &open_phase()));
        let expected = if is_found { vec!["grep-only 24-01"] } else { Vec::new() };
        assert_eq!(found, expected, "tests that come first are only there: {files}");
    }
    // The second task is only looked at too, and has a spec, which is run though no criterion names it.
    let plan = LAMP.replace(&format!("`bash {SPEC}`"), "`test -f src/switch.rs`");
    assert_eq!(lint(Some(&lamp(&plan)), &phase()), []);
    assert_eq!(shown(&lint(Some(&Plan::parse(&plan)), &phase())), ["grep-only 24-02"]);
}

#[test]
fn e5_a_test_spec_that_is_run_is_there_and_whole() {
    let mut plan = Plan::parse(LAMP);
    assert_eq!(shown(&lint(Some(&plan), &phase())), ["spec-missing 24-02"]);
    for (text, rule) in [
        ("exit 0", "spec-form 24-02"),
        ("echo PASS: a; echo FAIL: a", "spec-form 24-02"),
        (
            "# TODO: more\necho PASS: a; echo FAIL: a; echo RESULTS: 1 passed, 0 failed",
            "spec-form 24-02",
        ),
    ] {
        plan.specs = vec![TestSpec { path: SPEC.to_owned(), text: text.to_owned() }];
        assert_eq!(shown(&lint(Some(&plan), &phase())), [rule], "{text}");
    }
    let todo =
        format!("curl -s localhost/todo | grep -q lamp\n# TODO lists are shown\n{SPEC_TEXT}");
    plan.specs = vec![TestSpec { path: SPEC.to_owned(), text: todo }];
    assert_eq!(
        lint(Some(&plan), &phase()),
        [],
        "a spec about a list of todos is none to be filled in"
    );
}

#[test]
fn e14_every_requirement_of_the_phase_has_a_task() {
    assert_eq!(spoiled("| LAMP-01 | 24-01 |\n", ""), ["requirement-uncovered"]);
    assert_eq!(spoiled("| LAMP-01 | 24-01 |", "| LAMP-011 | 24-01 |"), ["requirement-uncovered"]);
    assert_eq!(spoiled("| LAMP-01 | 24-01 |", "| LAMP-01 | — |"), ["requirement-uncovered"]);
    let named =
        LAMP.replace("| LAMP-01 | 24-01 |\n", "").replace("Turn the lamp", "Turn it (LAMP-01)");
    assert_eq!(lint(Some(&lamp(&named)), &phase()), []);
}

#[test]
fn e14_a_requirement_is_covered_however_it_is_written() {
    let asked = |requirement: &str| {
        let requirements = vec![requirement.to_owned()];
        shown(&lint(Some(&lamp(LAMP)), &PhaseSpec { requirements, ..open_phase() }))
    };
    for covered in [
        "LAMP-01: ships see the shore in fog",
        "LAMP-01–04",
        "LAMP-01~LAMP-04",
        "LAMP-01 through LAMP-05",
        "FOG-09: the beam of the lamp wraps at a full circle",
        "The lamp has a switch that turns it off",
    ] {
        assert_eq!(asked(covered), Vec::<String>::new(), "{covered}");
    }
    for open in ["FOG-09", "FOG-09: ships see the shore in fog", "Ships see the shore", "FOG-01–04"]
    {
        assert_eq!(asked(open), ["requirement-uncovered"], "{open}");
    }
}

#[test]
fn e14_every_criterion_of_the_phase_has_a_task() {
    let asked = |line: &str| {
        let criteria = vec![Criterion::parse(line)];
        shown(&lint(Some(&lamp(LAMP)), &PhaseSpec { criteria, ..open_phase() }))
    };
    assert_eq!(asked("Ships see the shore in fog"), ["criterion-uncovered"]);
    assert_eq!(
        asked("Ships see the shore in fog -- verified by: `make fog`"),
        ["criterion-uncovered"]
    );
    for line in [
        "x -- verified by: `cargo test lamp`",
        "the lamp turns",
        "Its beam wraps at a circle",
        "It works",
        "It shines",
    ] {
        assert_eq!(asked(line), Vec::<String>::new(), "{line}");
    }
    for row in
        ["| SC-1 | 24-02 |", "| 1 | 24-02 |", "| Criterion 1: fog | 24-02 |", "| 24/1 | 24-02 |"]
    {
        let plan = lamp(&LAMP.replace("| LAMP-01 | 24-01 |", row));
        let criteria = vec![Criterion::parse("Ships see the shore in fog")];
        assert_eq!(lint(Some(&plan), &PhaseSpec { criteria, ..open_phase() }), [], "{row}");
    }
}

#[test]
fn e14_tasks_that_are_named_are_there_and_wait_in_no_circle() {
    let depends = "depends_on=\"24-01\"";
    assert_eq!(spoiled(depends, "depends_on=\"24-01, 24-09\""), ["unknown-task 24-02"]);
    assert_eq!(spoiled("| LAMP-01 | 24-01 |", "| LAMP-01 | 24-01, 24-7 |"), ["unknown-task"]);
    for honest in ["depends_on=\"1\"", "depends_on=\"Task 24-1\"", "depends_on=\"none\""] {
        assert_eq!(spoiled(depends, honest), Vec::<String>::new(), "{honest}");
    }
    let row = "| LAMP-01 | Task 1 and the tests of v2.0 |";
    assert_eq!(spoiled("| LAMP-01 | 24-01 |", row), Vec::<String>::new());
    assert_eq!(spoiled(depends, "depends_on=\"24-02\""), ["cycle 24-02"]);
    assert_eq!(
        spoiled("complexity=\"medium\"", "complexity=\"medium\" depends_on=\"24-02\""),
        ["cycle 24-01"]
    );
}

#[test]
fn e2_a_trace_is_asked_of_handlers_and_proves_nothing_alone() {
    let read = |text: String| shown(&lint(Some(&Plan::parse(&text)), &open_phase()));
    let trace = "- A click saves the draft -- verified by: `read ui/Save.tsx:handleSave and trace to store.save`\n";
    let test = "- The component is tested -- verified by: `npx vitest run ui/Save.test.tsx`\n";
    assert_eq!(read(BUTTON.replace(trace, "")), ["untraced-handler 1-01"]);
    assert_eq!(read(BUTTON.replace(test, "")), ["trace-alone 1-01"]);
}

#[test]
fn e2_the_ledger_never_holds_what_is_traced() {
    let task = &Plan::parse(BUTTON).tasks[0];
    let checks = named_checks("1/1-01", task.checks(), &std::collections::BTreeMap::new());
    let names: Vec<&str> = checks.iter().map(|check| check.name.as_str()).collect();
    assert_eq!(names, ["1/1-01/1"], "only what has a command is run");
    let nothing: [Entry; 0] = [];
    assert_eq!(open(&nothing, &[]), ["no criterion could be checked, so nothing is proven"]);
}

#[test]
fn c8_complexity_and_the_number_of_tasks_are_remarks() {
    assert_eq!(spoiled(" complexity=\"simple\"", ""), ["no-complexity 24-02"]);
    assert_eq!(
        spoiled(" complexity=\"simple\"", " complexity=\"gigantic\""),
        ["no-complexity 24-02"]
    );
    let many = |count: usize| {
        let first = &lamp(LAMP).tasks[0];
        let task =
            |at: usize| Task { id: format!("t{at}").parse().expect("an id"), ..first.clone() };
        let plan = Plan { tasks: (0..count).map(task).collect(), ..Plan::default() };
        shown(&lint(Some(&plan), &open_phase()))
    };
    assert_eq!(many(1), ["task-count"]);
    assert_eq!(many(5), Vec::<String>::new());
    assert_eq!(many(6), ["task-count"]);
    assert_eq!(many(9), ["task-count", "batched"]);
}

#[test]
fn c53_a_wave_that_is_split_is_told() {
    let waves = LAMP
        .replace("complexity=\"medium\"", "complexity=\"medium\" wave=\"1\"")
        .replace("depends_on=\"24-01\"", "wave=\"1\"");
    assert_eq!(lint(Some(&lamp(&waves)), &phase()), []);
    let shared = waves.replace("<files>src/switch.rs", "<files>src/lamp.rs");
    assert_eq!(shown(&lint(Some(&lamp(&shared)), &phase())), ["wave-split 24-02"]);
}

#[test]
fn e7_a_weight_that_cannot_be_read_is_told() {
    assert_eq!(lamp(LAMP).tasks[0].criteria[0].weight.hundredths(), 200);
    assert_eq!(spoiled("(weight: 2)", "(weight: heavy)"), ["weight 24-01"]);
    assert_eq!(spoiled("(weight: 2)", "[weight 0]"), ["weight 24-01"]);
}

#[test]
fn c8_a_finding_says_its_rule_its_task_and_its_line() {
    let found = lint(Some(&lamp(&LAMP.replace("Off is dark.", "TBD"))), &phase());
    let told: Vec<String> = found.iter().map(Finding::to_string).collect();
    assert_eq!(told, ["blocker stub (task 24-02, line 18): `tbd` is left to be filled in: `TBD`"]);
    assert!(found[0].is_blocker() && !found[0].concerns(&"24-01".parse().expect("an id")));
}

#[test]
fn c8_tasks_of_a_person_need_no_proof() {
    let plan = "<task id=\"1\" type=\"checkpoint:decision\">\n<name>Which?</name>\n</task>\n"
        .to_owned()
        + BUTTON;
    assert_eq!(lint(Some(&Plan::parse(&plan)), &open_phase()), []);
}

proptest! {
    #[test]
    fn c8_any_plan_gives_findings_and_none_a_crash(
        text in "(<task id=\"a\" wave=\"1\">\n|<task depends_on=\"a, 2\">\n|</task>\n|<name>é</name>\n|<files>a\\*</files>\n\
            |<action>TODO onClick</action>\n|<acceptance_criteria>\n- x -- verified by: `(grep x)` \\(weight\n\
            </acceptance_criteria>\n|\\| Requirement \\| Task \\|\n|\\| LAMP-01 \\| a \\|\n|<verify>|\\PC{0,9}\n){0,16}"
    ) {
        let found = lint(Some(&Plan::parse(&text)), &phase());
        prop_assert!(!found.is_empty() && found.len() <= FINDINGS_MAX);
    }
}
