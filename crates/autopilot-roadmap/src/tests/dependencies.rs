//! Where dependencies stand; how their values are read is tested beside the reader.

use super::*;

/// Ten phases; the last one depends on something.
fn with_value(label_and_value: &str) -> String {
    let mut text = String::new();
    for phase in 1..10 {
        text.push_str(&format!("### Phase {phase}: P{phase}\n"));
    }
    format!("{text}### Phase 10: Last\n{label_and_value}\n")
}

#[track_caller]
fn needs(label_and_value: &str, expected: &str) {
    let roadmap = parse(with_value(label_and_value));
    let last = roadmap.phase("10".parse().unwrap()).unwrap();
    let needs: Vec<_> = last.depends_on.iter().map(|id| id.as_str()).collect();
    assert_eq!(needs.join(" "), expected, "{label_and_value}");
}

#[test]
fn every_known_label_is_found() {
    for label in [
        "**Depends on**:",
        "**Depends on:**",
        "**DEPENDS ON:**",
        "**Dependencies:**",
        "- **Dependencies:**",
        "- Depends on:",
        "Depends on:",
        "**Depende de:**",
        "**Depende de**:",
        "**Залежить від:**",
        "**Bağımlılık:**",
        "**依赖**：",
        "Type: SWEEP (dual) · Depends on:",
        "Goal text **Depends on**:",
        "**Depends on**",
        "**Depends on** -",
        "- **Depends on**",
        "Depends on",
        "> **Depends on**:",
        "> Depends on:",
    ] {
        needs(&format!("{label} Phase 3"), "3");
    }
}

#[test]
fn labels_that_only_look_alike_are_left_alone() {
    for label in [
        "**Hard dependency on 3:**",
        "**Dependencies to add**:",
        "**Prerequisites (soft):**",
        "What depends on",
        "**Dependencies** of this are like those of",
    ] {
        needs(&format!("{label} Phase 3"), "");
    }
}

#[test]
fn a_value_ends_where_the_next_label_starts() {
    needs("**Depends on**: Phase 3 **Requirements**: A-01, A-02,\nA-03", "3");
    needs("text **Depends on**: Phase 2 **Requirements**: A-01", "2");
    needs("Type: X · Depends on: 3-5 (uses them) · Requirements: A-01..05", "3 4 5");
}

#[test]
fn a_value_may_go_on_in_the_next_lines() {
    needs("**Depends on**: Phase 3,\nPhase 4", "3 4");
    needs("**Depends on**: Phase 3 (which has\nPhase 7 in it), Phase 4", "3 4");
    needs("**Depends on**:\nPhase 3", "3");
    needs("**Dependencies:**\n- Phase 3 (why)\n- Phase 4: Name\n\nText about Phase 9", "3 4");
    needs("**Depends\non**: Phase 3", "3");
    needs("**Depends on**: Phase 3\nThis builds on Phase 9", "3");
}

#[test]
fn every_value_of_a_phase_counts() {
    needs("**Depends on**: Phase 3\n**Depends on:** Phase 4", "3 4");
    needs("- Depends on: Phase 3\n- Depends on: Phase 9", "3 9");
    needs("**Depends on**: Phase 3\n## Later\n### Phase 10: Last\n**Depends on**: Phase 4", "3 4");
    needs("**Depends on**: Phase 3\nPlans:\n- [ ] 10-01: a\n  - **Depends on:** Phase 9", "3");
}

#[test]
fn ranges_hold_the_phases_that_exist() {
    needs("**Depends on**: Phases 1-4 (all of them)", "1 2 3 4");
    needs("**Depends on**: 7-12", "7 8 9 11 12");
    let text = "### Phase 1: A\n### Phase 2: B\n### ~~Phase 3: C~~\n### Phase 4: D\n\
        ### Phase 5a: E\n### Phase 5b: F\n### Phase 6: G\n**Depends on**: Phases 1-4, 5a-5b\n";
    assert_eq!(shown(text)[5], "[ ] 6: G <- 1, 2, 4, 5a, 5b");
}

#[test]
fn all_previous_phases_are_those_before_it() {
    needs("**Depends on**: All previous phases (the last gate)", "1 2 3 4 5 6 7 8 9");
    needs("**Depends on**: ALL previous phases (2, 3, 5)", "2 3 5");
    needs("**Depends on**: Previous phase", "9");
}

#[test]
fn case_and_padding_of_an_id_are_forgiven() {
    check(
        "### Phase 3a: A\n### Phase m9-01: B\n### Phase 4: C\n**Depends on**: Phase 3A, Phase M9-1\n",
        &["[ ] 3a: A", "[ ] m9-01: B", "[ ] 4: C <- 3a, m9-01"],
    );
}

#[test]
fn a_column_of_a_table_is_used_where_there_is_no_line() {
    check(
        "## Phase 1: A\n## Phase 2: B\n**Depends on**: Nothing\n## Phase 3: C\n\n## Overview\n\n\
         | Phase | Name | Depends on |\n|---|---|---|\n| 2 | B | Phase 1 |\n| 3 | C | 1, 2 |\n",
        &["[ ] 1: A", "[ ] 2: B", "[ ] 3: C <- 1, 2"],
    );
}

#[test]
fn graphs_in_code_are_not_dependencies() {
    check(
        "## Phase 1: A\n## Phase 2: B\n```\nPhase 1\n  └── Phase 2\n```\n",
        &["[ ] 1: A", "[ ] 2: B"],
    );
}

#[test]
fn forward_dependencies_are_ordered_and_ids_that_are_no_phase_are_kept() {
    let roadmap = parse("### Phase 14: A\n**Depends on**: Phase 10, Phase 15\n### Phase 15: B\n");
    assert_eq!(shown_of(&roadmap), ["[ ] 14: A <- 10, 15", "[ ] 15: B"]);
    assert_eq!(roadmap.graph().order(), [1, 0]);
}
