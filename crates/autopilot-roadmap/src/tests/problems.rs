//! What is reported, once and with its line.

use super::*;

#[test]
fn dangling_self_and_unreadable_dependencies_are_reported() {
    let text = "### Phase 1: A\n**Depends on**: Phase 9, Phase 9\n### Phase 2: B\n**Depends on**: Phase 2\n\
        ### Phase 3: C\n**Depends on**: v8.0 complete\n### Phase 4: D\n**Depends on**:\n\
        ### ~~Phase 5: E~~\n### Phase 6: F\n**Depends on**: Phase 5\n";
    assert_eq!(
        problems(text),
        [
            (2, ProblemKind::DanglingDependency),
            (4, ProblemKind::SelfDependency),
            (6, ProblemKind::UnreadableDependency),
            (8, ProblemKind::UnreadableDependency),
            (11, ProblemKind::ExcludedDependency),
        ]
    );
    assert_eq!(
        parse(text).problems[0].message,
        "phase `1` depends on `9`, which is no phase of this file"
    );
    assert_eq!(shown(text)[0], "[ ] 1: A <- 9");
}

#[test]
fn a_range_that_is_not_there_is_one_problem() {
    let text = "### Phase 5: A\n**Depends on**: Phases 1-4\n";
    assert_eq!(shown(text), ["[ ] 5: A <- 1, 2, 3, 4"]);
    assert_eq!(problems(text), [(2, ProblemKind::DanglingDependency)]);
}

#[test]
fn a_circle_is_reported_once_with_its_members_and_a_line() {
    let text = "### Phase 1: A\n**Depends on**: Phase 3\n### Phase 2: B\n**Depends on**: Phase 1\n\
        ### Phase 3: C\n**Depends on**: Phase 2\n### Phase 4: D\n**Depends on**: Phase 3\n";
    let roadmap = parse(text);
    assert_eq!(problems(text), [(2, ProblemKind::Cycle)]);
    assert_eq!(
        roadmap.problems[0].message,
        "phases `1`, `2`, `3` depend on each other in a circle (`1` → `3` → `2` → `1`), so none of them can start"
    );
    assert!(roadmap.graph().order().is_empty());
}

#[test]
fn two_phases_with_one_id_are_kept_apart_and_one_described_twice_is_one() {
    let two = "- [x] **Phase 8: Speed** - a\n- [ ] **Phase 8: Zoom in charts** - b\n\
        ### Phase 8: Speed\n### Phase 8: Zoom in charts\n**Depends on**: Phase 7\n";
    let roadmap = parse(two);
    assert_eq!(shown_of(&roadmap), ["[x] 8: Speed", "[ ] 8: Zoom in charts <- 7"]);
    assert!(!roadmap.phases[0].duplicate && roadmap.phases[1].duplicate);
    assert_eq!(roadmap.graph().len(), 1);
    assert_eq!(
        problems(two),
        [
            (2, ProblemKind::DuplicateId),
            (4, ProblemKind::DuplicateId),
            (5, ProblemKind::DanglingDependency)
        ]
    );
    let one = "### Phase 8: Speed\n**Goal**: Fast\n## Summary\n#### Phase 8: Speed work\n**Depends on**: Phase 1\n### Phase 1: A\n";
    check(one, &["[ ] 8: Speed <- 1", "[ ] 1: A"]);
    assert_eq!(problems(one), [(4, ProblemKind::DuplicateId)]);
}

#[test]
fn lines_that_look_like_a_phase_and_are_none_are_reported() {
    let text = "### Phase 1: A\n### Phase {N}: Template\n### Phase Two: Words\n- [ ] **Phase 3.x: Later** - b\n\
        ## Future\n- **Phase 4: Someday** - c\n### v3 Phase 5: Prefixed\nPhase 6: Plain\n# Phase 7: Top level\n";
    check(text, &["[ ] 1: A"]);
    let lines: Vec<u32> = parse(text).problems.iter().map(|p| p.line).collect();
    assert_eq!(lines, [2, 3, 4, 6, 7, 8, 9]);
    assert!(parse(text).problems.iter().all(|p| p.kind == ProblemKind::Unreadable));
}

#[test]
fn rows_that_are_no_phase_are_reported() {
    let text = "## Phase 1: A\n\n## Progress\n\n| Phase | Status |\n|---|---|\n| 1. A | Planned |\n| 2. B | Planned |\n";
    assert_eq!(problems(text), [(8, ProblemKind::UnknownTableRow)]);
}

#[test]
fn unbalanced_details_and_endless_code_are_reported_and_hide_nothing() {
    let text = "<details>\n\n- [x] Phase 1: A\n</details>\n</details>\n<details>\n- [x] Phase 2: B\n\n```\n### Phase 3: C\n";
    check(text, &["[x] 1: A", "[x] 2: B", "[ ] 3: C"]);
    assert_eq!(
        problems(text),
        [(5, ProblemKind::Unbalanced), (6, ProblemKind::Unbalanced), (9, ProblemKind::Unbalanced)]
    );
}

#[test]
fn bytes_that_are_not_text_are_reported() {
    let roadmap = super::super::parse_bytes(b"### Phase 1: A\n### Phase 2: \xff\xfe\n".to_vec());
    assert_eq!(roadmap.phases.len(), 2);
    assert_eq!(roadmap.problems[0].kind, ProblemKind::NotUtf8);
    assert_eq!(roadmap.problems[0].line, 2);
    assert_eq!(shown("\u{feff}### Phase 1: A\n"), ["[ ] 1: A"]);
}

#[test]
fn the_json_has_the_agreed_shape() {
    let roadmap =
        parse("- [x] **Phase 1: A** - a\n### Phase 2: B\n**Depends on**: Phase 1, Phase 9\n");
    let json = serde_json::to_value(&roadmap).unwrap();
    assert_eq!(json["phases"][1]["id"], "2");
    assert_eq!(json["phases"][1]["name"], "B");
    assert_eq!(json["phases"][0]["complete"], true);
    assert_eq!(json["phases"][1]["depends_on"], serde_json::json!(["1", "9"]));
    assert_eq!(json["problems"][0]["line"], 3);
    assert_eq!(
        json["problems"][0]["what"],
        "phase `2` depends on `9`, which is no phase of this file"
    );
    assert_eq!(json["excluded"], serde_json::json!([]));
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["excluded", "phases", "problems"]);
}
