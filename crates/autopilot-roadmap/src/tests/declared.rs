//! How phases are declared.

use super::*;

#[test]
fn headings_of_three_levels_declare_phases() {
    check("### Phase 1: Base\n### Phase 2: Top\n", &["[ ] 1: Base", "[ ] 2: Top"]);
    check(
        "### v1.0 First\n\n#### Phase 1: Base\n#### Phase 2: Top\n",
        &["[ ] 1: Base", "[ ] 2: Top"],
    );
    check("## Phase 1: Base\n## Phase 2: Top\n", &["[ ] 1: Base", "[ ] 2: Top"]);
}

#[test]
fn list_lines_with_a_box_declare_phases_bold_or_not() {
    check(
        "- [x] **Phase 1: Base** - the ground\n- [ ] **Phase 2: Top** — the rest\n",
        &["[x] 1: Base", "[ ] 2: Top"],
    );
    check(
        "- [x] Phase 1: Base (3/3 plans) — completed 2026-01-02\n\
         - [x] Phase 2: Top — Roof (1/1 plan, gap closure) — completed 2026-01-03\n",
        &["[x] 1: Base", "[x] 2: Top — Roof"],
    );
    check(
        "* [ ] **Phase 1:** Base - text\n+ [x] **Phase 2** - Top\n",
        &["[ ] 1: Base", "[x] 2: Top"],
    );
    check("- [ ] **Phase 1: Base** *(INSERTED)* - text\n", &["[ ] 1: Base"]);
    check("- [ ] **Phase 1: Base** (Optional) - text ✅\n", &["[x] 1: Base"]);
}

#[test]
fn bullets_without_a_box_are_notes_beside_other_phases() {
    let text =
        "## Phase 1: Base\n\n## Notes\n- **Phase 1** comes first\n- **Phase 2** after that\n";
    check(text, &["[ ] 1: Base"]);
    check("- **Phase 1: Base** - a\n- **Phase 2: Top** - b\n", &["[ ] 1: Base", "[ ] 2: Top"]);
}

#[test]
fn headings_may_start_with_a_sign() {
    check(
        "## ✅ Phase 1: Base — DONE\n## 📋 Phase 2: Top\n## 🚧 Phase 3: Roof\n",
        &["[x] 1: Base", "[ ] 2: Top", "[ ] 3: Roof"],
    );
}

#[test]
fn bold_paragraphs_are_headings_where_there_are_no_others() {
    let text = "**Phase 1: Base**\n**Goal:** Ground\n**Depends on:** Nothing\n\n\
        **Phase 2: Top** ✅\n**Depends on:** Phase 1\n";
    check(text, &["[ ] 1: Base", "[x] 2: Top <- 1"]);
    let beside = "### Phase 1: Base\n**Phase 1: Base** is described here.\n**Depends on**: None\n";
    check(beside, &["[ ] 1: Base"]);
}

#[test]
fn a_table_declares_phases_where_nothing_else_does() {
    let text = "| # | Phase | Goal | Requirements | Success Criteria |\n|---|---|---|---|---|\n\
        | 1 | Base | Ground | A-01 | It stands |\n| 2 | Top | Roof | A-02 | It holds |\n";
    check(text, &["[ ] 1: Base", "[ ] 2: Top"]);
    assert_eq!(parse(text).phases[0].goal.as_deref(), Some("Ground"));
    let beside = format!("## Phase 1: Base\n\n## Overview\n\n{text}");
    check(&beside, &["[ ] 1: Base"]);
}

#[test]
fn struck_and_abandoned_phases_are_never_scheduled() {
    let text = "- [ ] ~~**Phase 1: Web**~~ - ABANDONED - too much\n\
        - ~~**Phase 2: App**~~ **Removed** – not used.\n- [ ] **Phase 3: Base** - text\n\
        ### ~~Phase 2: App~~ (Removed – not used)\n### Phase 4: Old (ABANDONED)\n\
        ### Phase 5: Older — SUPERSEDED\n### Phase 6: Oldest\n**Status**: Abandoned - no need\n";
    check(text, &["[ ] 3: Base"]);
    let gone: Vec<_> = parse(text).excluded.iter().map(|p| p.id.to_string()).collect();
    assert_eq!(gone, ["1", "2", "4", "5", "6"]);
}

#[test]
fn code_and_comments_declare_nothing() {
    check(
        "### Phase 1: Base\n```\n# Phase 2 Report\n### Phase 3: Code\n- [ ] Phase 4: Box\n```\n\
         ~~~md\n## Phase 5: Tilde\n```\n~~~\n<!--\n### Phase 6: Comment\n-->\n### Phase 7: Top\n",
        &["[ ] 1: Base", "[ ] 7: Top"],
    );
}

#[test]
fn a_box_that_mentions_a_phase_later_declares_nothing() {
    check(
        "### Phase 1: Base\nPlans:\n- [x] 01-01-PLAN.md — prepares Phase 2: Top\n\
         - [x] Talk to the owner of Phase 3\n",
        &["[x] 1: Base"],
    );
}

#[test]
fn ids_may_be_set_apart_in_any_of_the_known_ways() {
    check(
        "## Phase 1: A\n## Phase 2 — B\n## Phase 3：C\n## Phase 4 – D\n## Phase 5 - E\n## Phase 6 F\n",
        &["[ ] 1: A", "[ ] 2: B", "[ ] 3: C", "[ ] 4: D", "[ ] 5: E", "[ ] 6: F"],
    );
}

#[test]
fn phases_come_in_list_order_and_those_with_a_heading_only_where_it_stands() {
    check(
        "- [ ] **Phase 2: Two**\n- [x] **Phase 1: One**\n\n### Phase 3: Three\n\
         ### Phase 1: One in full\n**Depends on**: Phase 3\n",
        &["[ ] 2: Two", "[ ] 3: Three", "[x] 1: One in full <- 3"],
    );
    // Inserted later, between two that are listed.
    check(
        "- [ ] **Phase 1: A**\n- [ ] **Phase 2: B**\n- [ ] **Phase 3: C**\n\n### Phase 1: A\n### Phase 2: B\n\
         ### Phase 2.1: D (INSERTED)\n### Phase 3: C\n### Phase 4: E\n",
        &["[ ] 1: A", "[ ] 2: B", "[ ] 2.1: D", "[ ] 3: C", "[ ] 4: E"],
    );
    // Collapsed ones have no heading.
    check(
        "- [x] Phase 1: A\n- [x] Phase 2: B\n\n### Phase 3: C\n- [x] Phase 4: D\n### Phase 5: E\n",
        &["[x] 1: A", "[x] 2: B", "[ ] 3: C", "[x] 4: D", "[ ] 5: E"],
    );
    // A heading without a separator, and headings in another order than the list.
    check("## Phase 1: A\n## Phase 2 B\n## Phase 3: C\n", &["[ ] 1: A", "[ ] 2: B", "[ ] 3: C"]);
    check(
        "- [ ] Phase 1: A\n- [ ] Phase 2: B\n- [ ] Phase 4: D\n### Phase 2: B\n### Phase 1: A\n\
         ### Phase 3: C\n### Phase 4: D\n",
        &["[ ] 1: A", "[ ] 2: B", "[ ] 4: D", "[ ] 3: C"],
    );
}

#[test]
fn headings_may_come_after_the_progress_table() {
    check(
        "### Phase 1: A\n\n## Progress\n\n| Phase | Status |\n|---|---|\n| 1. A | Complete |\n\
         | 2. B | Not started |\n\n### Phase 2: B\n**Depends on**: Phase 1\n",
        &["[x] 1: A", "[ ] 2: B <- 1"],
    );
}

#[test]
fn ids_of_every_known_shape_are_read() {
    check(
        "## Phase 264: A\n## Phase 2.1: B\n## Phase m9-01: C\n## Phase 5.5.9.1: D\n## Phase 07.3.1: E\n\
         ## Phase 3a: F\n## Phase H.1: G\n## Phase 3.1c.2: H\n## Phase 999.1: I\n## Phase 06: J\n\
         ## Phase 234A: K\n## Phase -1: L\n## Phase 0: M\n",
        &[
            "[ ] 264: A",
            "[ ] 2.1: B",
            "[ ] m9-01: C",
            "[ ] 5.5.9.1: D",
            "[ ] 7.3.1: E",
            "[ ] 3a: F",
            "[ ] H.1: G",
            "[ ] 3.1c.2: H",
            "[ ] 999.1: I",
            "[ ] 6: J",
            "[ ] 234A: K",
            "[ ] -1: L",
            "[ ] 0: M",
        ],
    );
}

#[test]
fn padding_may_differ_inside_one_file() {
    check(
        "## Phase 06 — Base\n## Phase 6.1: Mid *(INSERTED)*\n**Depends on:** Phase 06\n\
         ### Phase 07.5: Top\n**Depends on**: Phase 6.1\n### Phase 8: End\n**Depends on**: Phase 7.5\n",
        &["[ ] 6: Base", "[ ] 6.1: Mid <- 6", "[ ] 7.5: Top <- 6.1", "[ ] 8: End <- 7.5"],
    );
}

#[test]
fn titles_lose_their_tails_and_keep_everything_else() {
    check(
        "### Phase 1: Base (INSERTED)\n### Phase 2: Mid ✅\n### Phase 3: Top — COMPLETE\n\
         ### Phase 4: End ✓ 2026-04-19\n### Phase 5: 优化 (2-3天)\n\
         ### Phase 6: Fix — **COMPLETE (2026-07-26)**\n\
         ### Phase 7: Use `a/b`: before Phase 24 — really\n",
        &[
            "[ ] 1: Base",
            "[x] 2: Mid",
            "[x] 3: Top",
            "[x] 4: End",
            "[ ] 5: 优化",
            "[x] 6: Fix",
            "[ ] 7: Use `a/b`: before Phase 24 — really",
        ],
    );
    assert!(parse("### Phase 1: Base *(INSERTED)*\n").phases[0].inserted);
}

#[test]
fn milestones_are_not_phases_and_their_sections_are_read() {
    check(
        "## Milestones\n- ✅ **v1.0 First** — Phases 1-2 (shipped 2026-01-01)\n- [x] **v1.1 Next** — Phase 3\n\n\
         <details>\n<summary>✅ v1.0 First (Phases 1-2) — SHIPPED 2026-01-01</summary>\n\n\
         - [x] Phase 1: A (1/1 plans)\n- [x] Phase 2: B (1/1 plans)\n\n</details>\n\n\
         ### 🚧 v1.1 Next (In Progress)\n\n- [ ] **Phase 3: C** - text\n",
        &["[x] 1: A", "[x] 2: B", "[ ] 3: C"],
    );
}

#[test]
fn other_languages_declare_phases_too() {
    check("### Фаза 1 — Проверка: экраны\n**Цель:** Да\n", &["[ ] 1: Проверка: экраны"]);
    check(
        "### Faz 1 — Kurulum\n### Faz 2 — Giriş\n**Bağımlılık:** Faz 1\n",
        &["[ ] 1: Kurulum", "[ ] 2: Giriş <- 1"],
    );
    check(
        "## Fase 1: Base\n## Fase 2: Techo\n**Depende de:** Fase 1\n",
        &["[ ] 1: Base", "[ ] 2: Techo <- 1"],
    );
    check(
        "- [x] **Фаза 1: База** - текст\n### Phase 1: База\n**Depends on**: Ничего (первая фаза)\n\
         ### Phase 2: Верх\n**Залежить від:** Фаза 1\n",
        &["[x] 1: База", "[ ] 2: Верх <- 1"],
    );
}

#[test]
fn a_file_may_hold_no_phase_at_all() {
    let text = "# Milestones\n\n- v1.0 shipped, see milestones/v1.0-ROADMAP.md\n";
    check(text, &[]);
    let roadmap = parse(text);
    assert_eq!(problems(text), [(1, ProblemKind::NoPhases)]);
    assert!(roadmap.problems[0].message.contains("milestones/"));
}
