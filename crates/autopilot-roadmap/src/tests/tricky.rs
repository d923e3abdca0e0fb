//! The snippets that readers of roadmaps stumble over.

use super::*;

#[test]
fn a_parenthesis_and_a_second_sentence_are_not_dependencies() {
    check(
        "### Phase 3: A\n### Phase 5: B\n**Depends on**: Phase 3 (v1.0 complete). *Phase 4 är borttagen.*\n",
        &["[ ] 3: A", "[ ] 5: B <- 3"],
    );
}

#[test]
fn struck_phases_are_excluded_in_any_language() {
    let text = "- ~~**Phase 4: Web UI**~~ **Borttagen** – används inte. Se Phase 6.\n\
        - [ ] ~~**Phase 3.4: Graph**~~ - ABANDONED - too complex\n- [x] Phase 6: App\n\n\
        | Phase | Status |\n|---|---|\n| 4. Web UI | (borttagen) |\n| ~~3.4 Graph~~ | Abandoned |\n";
    check(text, &["[x] 6: App"]);
    assert_eq!(problems(text), []);
}

#[test]
fn fields_in_the_middle_of_a_line_are_found() {
    let text = "### Phase 2: A\n### Phase 3: B\n\n**Goal**: Charts and\nvisuals **Depends on**: Phase 2 **Requirements**: D-01, D-02,\nD-03 **Success Criteria** (what\nmust be TRUE):\n\n1. It shows\n";
    check(text, &["[ ] 2: A", "[ ] 3: B <- 2"]);
    let roadmap = parse(text);
    let phase = &roadmap.phases[1];
    assert_eq!(phase.goal.as_deref(), Some("Charts and visuals"));
    assert_eq!(phase.requirements.len(), 3);
    assert_eq!(phase.criteria[0].text, "It shows");
}

#[test]
fn details_in_prose_open_nothing_and_real_ones_hide_nothing() {
    let text = "### Phase 1: A\n**Success Criteria**:\n  1. All can read every `<details>` help block\n\
        <details> is a tag\n\n<details><summary>v1</summary>\n\n### Phase 2: B\n</details>\n";
    check(text, &["[ ] 1: A", "[ ] 2: B"]);
    assert_eq!(problems(text), []);
}

#[test]
fn report_templates_and_result_tables_are_no_phases() {
    let text = "### Phase 10: Enforce\n\n| Phase | Score | Commits | Status |\n|---|---|---|---|\n\
        | 15.1 | 8/10 | 0 | needs_human_verification |\n\n```markdown\n# Phase {N} Diagnostic\n\n\
        | Cycle | Score |\n|---|---|\n| 1 | {score} |\n```\n";
    check(text, &["[ ] 10: Enforce"]);
    assert_eq!(problems(text), []);
}

#[test]
fn a_dotted_line_with_a_range_is_read() {
    let text = "### Phase 388: A\n### Phase 389: B\n### Phase 390: C\n### Phase 391: D\n### Phase 392: E\n### Phase 393: F\n\
        Type: SWEEP (dual-net) · Depends on: 388-392 (consumes all of it) · Requirements: ACCESS-01..05\n";
    assert_eq!(shown(text)[5], "[ ] 393: F <- 388, 389, 390, 391, 392");
}

#[test]
fn soft_dependencies_are_none() {
    check(
        "### Phase H.1: A\n### Phase H.2: B\n**Depends on:** Nothing structurally, but most useful after H.1 (so x) and H.3 (so y). Run last.\n\
         ### Phase H.3: C\n**Depends on:** H.1 (needs the articles). H.4 is a soft prereq for H.3c — z\n",
        &["[ ] H.1: A", "[ ] H.2: B", "[ ] H.3: C <- H.1"],
    );
}

#[test]
fn backlog_entries_are_no_phases() {
    let text = "### Phase G.1: A\n**Status**: Planned\n\n## Backlog (999.x — parking lot)\n\n\
        ### 999.1: Phase G.1 — Executor (DELIVERED)\n**Status:** Shipped on a branch\n**Depends on**: Phase 7\n\n\
        ### 999.3: PROMOTED → Phase G.2 (active)\n";
    check(text, &["[ ] G.1: A"]);
    assert_eq!(problems(text), []);
}

#[test]
fn the_word_complete_inside_a_cell_proves_nothing() {
    let text = "- [ ] **Phase 26: Move** - a\n\n| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n\
        | 26. Move | 2 executed / 4 · 2 complete | **PHASE NOT COMPLETE — 26-02 was never started** 26-01 **COMPLETE** | - |\n";
    check(text, &["[ ] 26: Move"]);
    assert_eq!(problems(text), []);
}

#[test]
fn planning_complete_is_not_complete() {
    check(
        "- [ ] **Phase 1: Skill** - a\n\n| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n\
         | 1. Skill | 0/3 | Planning complete | - |\n",
        &["[ ] 1: Skill"],
    );
}

#[test]
fn a_negative_phase_exists() {
    check(
        "## Phase -1: Already Built ✅\n- Things\n\n## Phase 0: Adopt (Current)\n- [x] a\n- [x] b\n\n## Phase 1: Audit\n- [x] c\n",
        &["[x] -1: Already Built", "[ ] 0: Adopt", "[x] 1: Audit"],
    );
}

#[test]
fn a_partial_box_is_not_complete() {
    check("- [~] **Phase 427: MUT x** ◐ PARTIAL / CARRIED\n", &["[ ] 427: MUT x"]);
}

#[test]
fn a_full_width_colon_separates() {
    check(
        "## Phase 1：项目域与数据底座\n\n状态：`complete` （2026-07-18）\n",
        &["[x] 1: 项目域与数据底座"],
    );
}

#[test]
fn plans_that_depend_on_a_phase_make_it_a_dependency() {
    check(
        "### Phase 107: A\n### Phase 108: B\n### Phase 109: C\n\
         **Depends on:** Phase 107; Plans 02-03 also depend on Phase 108 (the router)\n",
        &["[ ] 107: A", "[ ] 108: B", "[ ] 109: C <- 107, 108"],
    );
}

#[test]
fn a_choice_keeps_all_and_says_so() {
    let text = "### Phase 13: A\n### Phase 84: B\n### Phase 85: C\n\
        **Depends on:** Phase 84 (the tool) or Phase 13 (the old one); its scripts as template\n";
    check(text, &["[ ] 13: A", "[ ] 84: B", "[ ] 85: C <- 84, 13"]);
    assert_eq!(problems(text), [(4, ProblemKind::UnreadableDependency)]);
}
