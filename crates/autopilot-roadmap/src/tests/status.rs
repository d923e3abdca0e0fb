//! When a phase counts as complete.

use super::*;

/// A phase with a list line and a table row.
fn listed(mark: char, status: &str) -> String {
    format!(
        "- [{mark}] **Phase 1: A** - text\n\n### Phase 1: A\n\n## Progress\n\n\
         | Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n\
         | 1. A | 1/1 | {status} | - |\n"
    )
}

#[test]
fn a_ticked_box_is_complete_and_other_marks_are_not() {
    for (mark, complete) in [('x', true), ('X', true), (' ', false), ('~', false), ('-', false)] {
        let roadmap = parse(format!("- [{mark}] **Phase 1: A** - text\n"));
        assert_eq!(roadmap.phases[0].complete, complete, "{mark}");
        assert_eq!(roadmap.phases[0].checkbox, Some(complete), "{mark}");
    }
}

#[test]
fn tables_are_believed_where_they_say_complete_and_nothing_else() {
    for (status, complete) in [
        ("Complete", true),
        ("Complete   ", true),
        ("✓ Complete", true),
        ("**Complete**", true),
        ("✅ Complete", true),
        ("Not started", false),
        ("Planned", false),
        ("In Progress", false),
        ("Planning complete", false),
        ("Not planned", false),
        ("Ready", false),
        ("Ready to verify", false),
        ("Pending", false),
        ("On Hold", false),
        ("In progress / Complete", false),
        ("Executed — **GATE FAILED**", false),
        ("**GOAL NOT ACHIEVED (today)** — 4 complete", false),
        ("**PHASE NOT COMPLETE — x** 26-01 **COMPLETE**", false),
    ] {
        let roadmap = parse(listed(' ', status));
        assert_eq!(roadmap.phases[0].complete, complete, "{status}");
        assert_eq!(roadmap.phases[0].status.as_deref(), Some(status.trim()), "{status}");
    }
    assert_eq!(parse(listed(' ', "Abandoned")).phases.len(), 0);
    assert_eq!(parse(listed(' ', "Closed (superseded)")).phases.len(), 0);
}

#[test]
fn box_and_table_that_disagree_are_a_conflict_and_count_as_complete() {
    for (mark, status, conflict) in [
        (' ', "Complete", true),
        ('x', "Not started", true),
        ('x', "In progress", true),
        ('x', "Complete", false),
        (' ', "Not started", false),
        (' ', "Ready to verify", false),
        ('x', "-", false),
    ] {
        let text = listed(mark, status);
        let roadmap = parse(&text);
        assert_eq!(roadmap.phases[0].conflict, conflict, "{mark} {status}");
        let expected: &[_] = if conflict { &[(1, ProblemKind::StatusConflict)] } else { &[] };
        assert_eq!(problems(&text), expected, "{mark} {status}");
        assert!(!conflict || roadmap.phases[0].complete);
    }
}

#[test]
fn shifted_cells_are_understood() {
    check(
        "- [ ] **Phase 10: Shift** - a\n\n\
         | Phase | Milestone | Plans Complete | Status | Completed |\n|---|---|---|---|---|\n\
         | 10. Shift | v2.2 | Complete    | 2026-03-03 | 2026-03-03 |\n",
        &["[x] 10: Shift"],
    );
}

#[test]
fn tables_with_other_columns_are_understood() {
    for (header, row) in [
        ("| Phase | Status | Version |", "| 1. A | Complete | v1 |"),
        ("| Wave | Phase | Name | Status |", "| 1 | 1 | A | Done |"),
        ("| Phase | Plans | Completed | Status |", "| 1 | 3 | - | ✓ Complete |"),
        ("| Execution Order | Phase | Name | Status |", "| done | **1** | A | ✅ |"),
        ("| Phase | Plans | Status |", "| 1-3 | 9 | Complete |"),
    ] {
        let text = format!("## Phase 1: A\n\n## Progress\n\n{header}\n|---|---|---|---|\n{row}\n");
        check(&text, &["[x] 1: A"]);
    }
}

#[test]
fn tables_inside_a_phase_and_about_requirements_are_no_progress() {
    check(
        "## Phase 1: A\n\n| Phase | Score | Status |\n|---|---|---|\n| 1 | 8/10 | Complete |\n\n\
         ## Traceability\n\n| Requirement | Phase | Status |\n|---|---|---|\n| A-01 | Phase 1 | Complete |\n",
        &["[ ] 1: A"],
    );
}

#[test]
fn other_marks_of_the_phase_count() {
    for (mark, complete) in [
        ("**Status:** ✓ Complete — 2026-03-21", true),
        ("- **Status:** Completed", true),
        ("状态：`complete` （2026-07-18）", true),
        ("**Status:** In progress", false),
        ("**Plans:** 3/3 plans complete", true),
        ("**Plans**: 3 plans (3/3 complete)", true),
        ("**Plans:** 4/4 complete", true),
        ("**Plans:** 2/3 plans complete", false),
        ("**Plans:** 3/3 plans executed", false),
        ("**Plans:** 0/0 plans complete", false),
        ("**Plans**: 3 plans", false),
        ("**Plans**: TBD", false),
        ("**Plans**: 7 plans in 5 waves", false),
    ] {
        let roadmap = parse(format!("### Phase 1: A\n{mark}\n"));
        assert_eq!(roadmap.phases[0].complete, complete, "{mark}");
    }
}

#[test]
fn plan_boxes_decide_only_where_nothing_else_does() {
    let plans =
        "**Plans**: 2 plans\n\nPlans:\n- [x] 01-01-PLAN.md — a\n- [x] `01-02-PLAN.md` -- b\n";
    check(&format!("### Phase 1: A\n{plans}"), &["[x] 1: A"]);
    check(&format!("- [ ] **Phase 1: A** - t\n### Phase 1: A\n{plans}"), &["[ ] 1: A"]);
    check(&format!("### Phase 1: A\n**Status**: Verifying\n{plans}"), &["[ ] 1: A"]);
    check(&format!("### Phase 1: A\n{plans}- [ ] TBD (run the planner)\n"), &["[ ] 1: A"]);
    check(&format!("### Phase 1: A\n{plans}- [~] 01-03: reverted\n"), &["[ ] 1: A"]);
    check("- [x] **Phase 1: A** - t\n### Phase 1: A\n- [ ] 01-01: open\n", &["[x] 1: A"]);
}

#[test]
fn plan_lines_of_every_known_shape_are_kept() {
    let text = "### Phase 1: A\n**Plans**: 6 plans\n- [x] 01-01-PLAN.md — a\n- [ ] 01-02: b\n\
        - [ ] **01-03**: c\n  - [x] 01-04 -- indented\n- [x] [01-05](x.md) — linked\n- [ ] TBD (run it)\n";
    let plans = &parse(text).phases[0].plans;
    let done: Vec<_> = plans.iter().map(|plan| (plan.line, plan.done)).collect();
    assert_eq!(done, [(3, true), (4, false), (5, false), (6, true), (7, true), (8, false)]);
    assert_eq!(plans[0].text, "01-01-PLAN.md — a");
}
