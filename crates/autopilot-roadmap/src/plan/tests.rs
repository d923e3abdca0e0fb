//! Plans of both body styles, and plans that are not quite plans.

use proptest::prelude::*;

use super::*;
use autopilot_evidence::{Comparison, Expectation};

const XML: &str = r#"---
phase: 01-base
depends_on: []
---

<objective>Lay the base.</objective>

<tasks>

<task type="auto" tdd="true">
  <name>Task 1: Read the file</name>
  <files>src/read.rs, src/lib.rs (new)</files>
  <action>
    Use `List<string>` and <div> where a && b < c.
    ```
    </task>
    ```
  </action>
  <acceptance_criteria>
    - It reads -- verified by: `cargo test read`
    - It has two users -- verified by: `grep -c read src/lib.rs` (expect >= 2)
  </acceptance_criteria>
  <verify>
    <automated>cargo test --quiet | tail -3</automated>
  </verify>
  <done>The file is read.</done>
</task>

<task type="checkpoint:human-verify" gate="blocking">
  <what-built>The reader</what-built>
  <how-to-verify>Look at it.</how-to-verify>
  <resume-signal>Type "approved"</resume-signal>
</task>

</tasks>
"#;

const MARKDOWN: &str = "# Plan\r\n\r\n<task id=\"24-01\" type=\"auto\" complexity=\"medium\">\r\n\
    ### Task 24-01: Add the flag\r\n\r\n**Goal:** A flag.\r\n\r\n**Files:**\r\n- `src/args.rs`\r\n\
    - `src/main.rs`\r\n\r\n**Action:**\r\n1. Add it.\r\n2. Use it.\r\n\r\n\
    **Acceptance Criteria:**\r\n- The flag is known -- verified by: `app --help` (output contains \"--fast\")\r\n\
    - The flag works\r\n  - Verification: `app --fast` exits 2\r\n\r\n\
    **Verify:** run `app --fast`\r\n\r\n**Done:** it is fast\r\n</task>\r\n";

#[test]
fn tasks_with_xml_children_are_read() {
    let plan = Plan::parse(XML);
    assert_eq!(plan.problems, []);
    let [first, second] = plan.tasks.as_slice() else {
        panic!("{:?}", plan.tasks);
    };
    assert_eq!((first.id.as_str(), first.line), ("1", 10));
    assert_eq!((&first.kind, first.complexity), (&TaskKind::Auto, None));
    assert_eq!(first.name, "Task 1: Read the file");
    assert_eq!(first.files, ["src/read.rs", "src/lib.rs"]);
    assert!(first.action.starts_with("Use `List<string>`") && first.action.contains("</task>"));
    let commands: Vec<_> = first.criteria.iter().map(|c| c.command.as_deref()).collect();
    assert_eq!(commands, [Some("cargo test read"), Some("grep -c read src/lib.rs")]);
    assert_eq!(first.criteria[1].expect, Expectation::Count(Comparison::AtLeast, 2));
    assert_eq!(first.verify_commands[0].command.as_deref(), Some("cargo test --quiet"));
    assert_eq!(first.done, "The file is read.");
    assert_eq!((second.id.as_str(), &second.kind), ("2", &TaskKind::HumanVerify));
    assert!(second.kind.needs_a_person() && second.verify == "Look at it.");
}

#[test]
fn tasks_with_markdown_inside_are_read_with_either_line_end() {
    for text in [MARKDOWN.to_owned(), MARKDOWN.replace("\r\n", "\n")] {
        let plan = Plan::parse(&text);
        assert_eq!(plan.problems, []);
        let task = &plan.tasks[0];
        assert_eq!((task.id.as_str(), task.complexity), ("24-01", Some(Complexity::Medium)));
        assert_eq!(task.name, "Add the flag");
        assert_eq!(task.files, ["src/args.rs", "src/main.rs"]);
        assert!(task.action.contains("1. Add it."));
        assert_eq!(task.criteria.len(), 2);
        assert_eq!(task.criteria[0].expect, Expectation::Contains("--fast".into()));
        assert_eq!(task.criteria[1].command.as_deref(), Some("app --fast"));
        assert_eq!(task.criteria[1].expect, Expectation::Exit(2));
        assert_eq!((task.verify.as_str(), task.done.as_str()), ("run `app --fast`", "it is fast"));
    }
}

fn problems(text: &str) -> Vec<(u32, ProblemKind)> {
    let plan = Plan::parse(text);
    plan.problems.iter().map(|p| (p.line, p.kind)).collect()
}

#[test]
fn plans_without_task_elements_are_a_problem_with_lines() {
    assert_eq!(
        problems("# Plan\n\n### Task 1: Do\n\n- [x] **Task 2:** Do more\n"),
        [(1, ProblemKind::NoTasks), (3, ProblemKind::Unreadable), (5, ProblemKind::Unreadable)]
    );
    assert_eq!(problems(""), [(1, ProblemKind::NoTasks)]);
}

#[test]
fn a_title_an_overview_and_headings_above_tasks_are_no_lost_tasks() {
    let text = "# Plan 24: Lamp\n\n- [ ] **Task 1:** Build\n- [ ] Task 24-02: Light\n\n### Task 24-01: Build\n\n\
        <task id=\"24-01\">\n</task>\n\n<task id=\"24-02\">\n</task>\n";
    assert_eq!(problems(text), []);
    let lost = format!("{text}\n### Task 24-03: Paint\n\nRed.\n");
    assert_eq!(problems(&lost), [(14, ProblemKind::Unreadable)]);
}

#[test]
fn e14_a_task_is_known_by_its_id_without_what_can_be_left_out() {
    let plan = Plan::parse(
        "<task id=\"24-01\">\n</task>\n<task id=\"24-02\">\n</task>\n<task id=\"extra-02\">\n</task>\n",
    );
    for (named, place) in [
        ("24-01", Some(0)),
        ("24-1", Some(0)),
        ("24.01", Some(0)),
        ("1", Some(0)),
        ("02", None),
        ("Extra-2", Some(2)),
        ("24", None),
        ("3", None),
        ("", None),
    ] {
        assert_eq!(plan.place_of(named), place, "{named}");
    }
    let unknown = ["24-01", "24-1", "24-7", "24-007", "7", "2.0", "serde", "then"];
    let unknown = unknown.map(|word| plan.is_unknown(word));
    assert_eq!(unknown, [false, false, true, true, false, false, false, false]);
}

#[test]
fn e14_what_a_task_waits_for_is_read_from_its_tag_or_its_body() {
    let waits = |attributes: &str, body: &str| {
        let plan = Plan::parse(&format!("<task id=\"3\" {attributes}>\n{body}\n</task>\n"));
        plan.tasks[0].depends_on.clone().map(|ids| ids.join("+"))
    };
    for (attributes, body, expected) in [
        ("", "", None),
        ("", "**Dependencies:** serde 1.0", None),
        ("depends_on=\"1, 2\"", "", Some("1+2")),
        ("depends_on=\"none\"", "", Some("")),
        ("depends_on=\"Phase 1\"", "", Some("")),
        ("", "<depends_on>Task 1 and Task 2 (the reader)</depends_on>", Some("1+2")),
        ("", "**Depends on:** the reader of task 2", Some("2")),
    ] {
        assert_eq!(waits(attributes, body).as_deref(), expected, "{attributes} {body}");
    }
}

#[test]
fn prose_about_tasks_opens_none() {
    let text = "Use the `<task>` element, or /<task[^>]*>/, or --task <task-dir>.\n\
        <tasks>\n<task id='a'>\n<name>A</name>\n</task>\n</tasks>\n";
    let plan = Plan::parse(text);
    assert_eq!(plan.problems, []);
    assert_eq!(plan.tasks.len(), 1);
    assert_eq!(plan.tasks[0].id.as_str(), "a");
}

#[test]
fn unbalanced_elements_are_reported_and_what_is_there_is_kept() {
    let text = "<task id=\"1\">\n<name>A\n<action>go</action>\n<task id=\"2\">\n<name>B</name>\n";
    let plan = Plan::parse(text);
    assert_eq!(
        problems(text),
        [(1, ProblemKind::Unbalanced), (2, ProblemKind::Unbalanced), (4, ProblemKind::Unbalanced)]
    );
    let names: Vec<_> = plan.tasks.iter().map(|task| task.name.as_str()).collect();
    assert_eq!(names, ["A", "B"]);
    assert_eq!(plan.tasks[0].action, "go");
    assert_eq!(
        problems("</task>\n<task id=\"1\">x</task>\n<task id=\"1\"/>\n"),
        [(1, ProblemKind::Unbalanced), (3, ProblemKind::DuplicateId)]
    );
    assert_eq!(
        problems("<task id=\"1\n"),
        [(1, ProblemKind::NoTasks), (1, ProblemKind::Unbalanced)]
    );
}

#[test]
fn ids_that_could_leave_their_place_are_replaced() {
    for bad in ["../x", "a b", "-x", "x..y", "x.lock", "é", &"x".repeat(41)] {
        let plan = Plan::parse(&format!("<task id=\"{bad}\">\n</task>\n"));
        assert_eq!(plan.tasks[0].id.as_str(), "1", "{bad}");
        assert_eq!(plan.problems[0].kind, ProblemKind::Unreadable, "{bad}");
    }
    for good in ["24-01", "1", "09-05-01", "a_b.c"] {
        assert_eq!(good.parse::<TaskId>().map(|id| id.to_string()).as_deref(), Ok(good));
    }
}

#[test]
fn a_place_that_is_taken_is_not_given_again() {
    let plan = Plan::parse("<task id=\"2\">\n</task>\n<task>\n</task>\n<task>\n</task>\n");
    let ids: Vec<_> = plan.tasks.iter().map(|task| task.id.as_str()).collect();
    assert_eq!(ids, ["2", "3", "4"]);
}

#[test]
fn attributes_may_span_lines_and_use_either_quote() {
    let plan = Plan::parse(
        "<task\n  id='7-1'\n  type=\"checkpoint:human-action\"\n  title=\"a > b\">\n</task>\n",
    );
    assert_eq!(plan.problems, []);
    assert_eq!(plan.tasks[0].kind, TaskKind::HumanAction);
    assert_eq!(plan.tasks[0].name, "a > b");
}

proptest! {
    #[test]
    fn reading_is_total(text in "\\PC{0,200}") {
        Plan::parse(&text);
    }

    #[test]
    fn reading_is_total_near_the_grammar(
        text in "(<task>\n|<task id=\"a\"|>\n|</task>\n|<name>|</name>\n|<action>\n|</action>|\\*\\*Files:\\*\\* a\n|- b\n|```\n|### Task 1: x\n|é\n| ){0,20}"
    ) {
        let plan = Plan::parse(&text);
        let ids: BTreeSet<_> = plan.tasks.iter().map(|task| &task.id).collect();
        prop_assert_eq!(ids.len(), plan.tasks.len());
    }
}
