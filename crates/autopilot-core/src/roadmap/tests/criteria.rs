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
