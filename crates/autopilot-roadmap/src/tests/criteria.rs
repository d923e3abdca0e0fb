//! Success criteria, requirements and goals.

use super::*;

fn criteria(text: &str) -> Vec<String> {
    let roadmap = parse(text);
    let criteria = roadmap.phases[0].criteria.iter();
    criteria.map(|c| format!("{}: {}", c.line, c.text)).collect()
}

#[test]
fn every_known_header_and_item_is_read() {
    for header in [
        "**Success Criteria** (what must be TRUE):",
        "**Success Criteria:**",
        "**Success Criteria**:",
        "**成功标准**:",
        "**Критерії успіху** (що має бути ПРАВДОЮ):",
        "**Критерии успеха (что видно):**",
        "### Success Criteria",
        "#### Success Criteria",
        "Success Criteria:",
    ] {
        for item in ["  1.", "1.", "1)", "-", "- [ ]", "1. [x]", "*"] {
            let text = format!(
                "### Phase 1: A\n{header}\n{item} It works\n{item} It holds\n\n**Plans**: 1 plan\n"
            );
            assert_eq!(criteria(&text), ["3: It works", "4: It holds"], "{header} {item}");
        }
    }
}

#[test]
fn items_may_wrap_and_end_with_the_next_label() {
    let text = "### Phase 1: A\n**Success Criteria** (what\nmust be TRUE):\n\n1. It works across\n   two lines\n\
        2. It holds **Plans**: 7 plans\n\nPlans:\n- [ ] 01-01-PLAN.md\n";
    assert_eq!(criteria(text), ["5: It works across two lines", "7: It holds"]);
    let wrapped = "### Phase 1: A\n**Goal**: Ground **Requirements**: A-01, A-02 **Success\nCriteria** (what must be TRUE):\n\n1. It works\n";
    assert_eq!(criteria(wrapped), ["5: It works"]);
    assert_eq!(parse(wrapped).phases[0].goal.as_deref(), Some("Ground"));
}

#[test]
fn criteria_may_stand_on_the_line_of_their_label() {
    let text = "### Phase 1: A\n**Success Criteria**: (1) it works; (2) it holds\n";
    assert_eq!(criteria(text), ["2: it works", "2: it holds"]);
    assert_eq!(
        criteria("### Phase 1: A\n**成功标准**: `pytest` 全部通过\n"),
        ["2: `pytest` 全部通过"]
    );
}

#[test]
fn criteria_with_commands_become_checks() {
    let text = "### Phase 1: A\n**Success Criteria**:\n1. Has it -- verified by: `grep -c it f` (expect >= 1)\n\
        2. `pnpm build` ends without errors\n";
    let checks = parse(text).phases[0].checks();
    assert_eq!(checks[0].command.as_deref(), Some("grep -c it f"));
    assert_eq!(checks[1].command, None);
}

#[test]
fn requirements_are_split_and_goals_may_wrap() {
    for (value, expected) in [
        ("A-01, A-02", vec!["A-01", "A-02"]),
        ("[A-01, A-02]", vec!["A-01", "A-02"]),
        ("A-01 through A-05", vec!["A-01 through A-05"]),
        ("FEAT-KATEX-01–04, MIG-01~06", vec!["FEAT-KATEX-01–04", "MIG-01~06"]),
        ("TBD", vec![]),
        ("None", vec![]),
    ] {
        let roadmap = parse(format!("### Phase 1: A\n**Requirements**: {value}\n"));
        let found: Vec<&str> = roadmap.phases[0].requirements.iter().map(|r| &**r).collect();
        assert_eq!(found, expected, "{value}");
    }
    let listed = parse("### Phase 1: A\n**Requirements**:\n- A-01: text\n- A-02: more\n");
    assert_eq!(listed.phases[0].requirements.len(), 2);
    let goal = parse("### Phase 1: A\n**Goal**: One thing\nand another\n\nOther text\n");
    assert_eq!(goal.phases[0].goal.as_deref(), Some("One thing and another"));
}

#[test]
fn an_item_that_names_its_check_is_a_criterion_wherever_in_the_phase_it_stands() {
    for (text, expected) in [
        ("- It works -- verified by: `make`\n", &["2: It works -- verified by: `make`"][..]),
        (
            "**Goal**: Ground\n\n- It works -- verified by: `make`\n- A note\n",
            &["4: It works -- verified by: `make`"],
        ),
        (
            "#### Tests\n1. It works -- verified by: `make`\n   (expect 3)\n\n   A remark\n",
            &["3: It works -- verified by: `make` (expect 3)"],
        ),
        ("- It works -- verified by:\n  `make`\n", &["2: It works -- verified by: `make`"]),
        ("- [ ] It works -- verified by: `make`\n", &["2: It works -- verified by: `make`"]),
        (
            "**Success Criteria**:\n1. It holds\n\nPlans:\n- [ ] 01-01: a -- verified by: `make`\n",
            &["3: It holds", "6: 01-01: a -- verified by: `make`"],
        ),
        (
            "**Success Criteria**: It works -- verified by: `make`\n",
            &["2: It works -- verified by: `make`"],
        ),
    ] {
        let text = format!("### Phase 1: A\n{text}");
        assert_eq!(criteria(&text), expected, "{text}");
        assert_eq!(problems(&text), [], "{text}");
        let crlf = text.replace('\n', "\r\n");
        assert_eq!(criteria(&crlf), expected, "with CRLF: {text}");
    }
}

#[test]
fn a_check_of_a_second_description_is_kept_and_prose_is_not_said_twice() {
    let text = "### Phase 1: A\n**Success Criteria**:\n1. It works\n### Phase 1: A\n**Success Criteria**:\n\
        1. It does work\n2. It holds -- verified by: `make`\n";
    assert_eq!(criteria(text), ["3: It works", "7: It holds -- verified by: `make`"]);
}

#[test]
fn a_check_that_no_phase_has_is_a_problem_with_its_line() {
    for (text, line) in [
        // Text in a phase that is no list item.
        ("### Phase 1: A\nIt works -- verified by: `make`\n", 2),
        ("### Phase 1: A\n**Goal**: It works -- verified by: `make`\n", 2),
        ("### Phase 1: A\n**Success Criteria**:\n\nIt works -- verified by: `make`\n", 4),
        // A list of phases has no place for criteria.
        ("- [ ] **Phase 1: A** - it works -- verified by: `make`\n", 1),
        ("- [ ] **Phase 1: A**\n  - It works -- verified by: `make`\n", 2),
        // After the phase has ended, or under a heading that describes none.
        ("### Phase 1: A\n\n## Notes\n- It works -- verified by: `make`\n", 4),
        ("### Phase 1: A\n### Phase 1 again\n- It works -- verified by: `make`\n", 3),
    ] {
        assert_eq!(problems(text), [(line, ProblemKind::StrayCriterion)], "{text}");
        assert!(parse(text).phases[0].checks().iter().all(|check| check.command.is_none()));
    }
    for text in [
        "Criteria read like this: it works -- verified by: `make`\n\n### Phase 1: A\n",
        "### Phase 1: A\n```\n- It works -- verified by: `make`\n```\n",
        "### Phase 1: A\n- Every claim is verified by two people\n",
    ] {
        assert_eq!(problems(text), [], "{text}");
    }
}

#[test]
fn the_json_says_how_many_criteria_a_command_decides() {
    let roadmap = parse(
        "### Phase 1: A\n**Success Criteria**:\n1. It works -- verified by: `make`\n2. It shines\n\
         ### Phase 2: B\n**Success Criteria**:\n1. It shines\n### Phase 3: C\n",
    );
    let json = serde_json::to_value(&roadmap).unwrap();
    let counted: Vec<_> =
        (0..3).map(|at| json["phases"][at]["executable_criteria"].as_u64()).collect();
    assert_eq!(counted, [Some(1), Some(0), Some(0)]);
    assert_eq!(json["problems"], serde_json::json!([]), "a roadmap in prose is no mistake");
}
