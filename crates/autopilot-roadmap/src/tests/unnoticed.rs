//! Lines that a person reads at once: each is read as meant, or reported with its line.

use super::*;

const TWO: &str = "### Phase 1: A\n\n### Phase 2: B\n\n";
const PROGRESS: &str = "| Phase | Plans Complete | Status | Completed |\n|--|--|--|--|\n\
    | 1. A | 1/1 | Complete | 2026 |\n| 2. B | 0/1| Not started | - |\n";

/// Asserts that exactly one line is reported, and returns what is said.
#[track_caller]
fn reported(text: &str, line: u32) -> String {
    let roadmap = parse(text);
    let lines: Vec<u32> = roadmap.problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [line], "{text}: {:?}", roadmap.problems);
    roadmap.problems[0].message.clone()
}

fn excluded(text: &str) -> Vec<String> {
    parse(text).excluded.iter().map(|phase| format!("{}: {}", phase.id, phase.name)).collect()
}

#[test]
fn a_progress_table_needs_no_heading_of_its_own() {
    for before in ["", "---\n\n", "**Progress:**\n\n", "Progress:\n", "***\n", "Some words.\n\n"] {
        let text = format!("{TWO}{before}{PROGRESS}");
        check(&text, &["[x] 1: A", "[ ] 2: B"]);
        assert_eq!(problems(&text), [], "{text}");
    }
    for table in [
        "| Status | Phase |\n|--|--|\n| Complete | 1. A |\n| Planned | 2. B |\n",
        "| Phase | Name | State | Notes |\n|--|--|--|--|\n| 1 | A | Done | |\n| 2 | B | Open | |\n",
        "| # | Phase | Status | % |\n|--|--|--|--|\n| 1 | A | ✅ | 100% |\n| 2 | B | ⏳ | 0% |\n",
        "Phase | Status\n--|--\n1. A | Complete\n2. B | Planned\n",
        "Phase | Status\n:-- | --:\n1. A | Complete\n2. B | Planned\n",
    ] {
        let text = format!("{TWO}{table}");
        check(&text, &["[x] 1: A", "[ ] 2: B"]);
        assert_eq!(problems(&text), [], "{text}");
    }
    let marked = mark_complete(&format!("{TWO}---\n\n{PROGRESS}"), "2".parse().unwrap()).unwrap();
    assert!(marked.contains("| 2. B | 0/1| Complete    | - |"), "{marked}");
    let odd = "| Phase | Mood | Status |\n|--|--|--|\n| 1. A | Good | Complete |\n";
    check(&format!("{TWO}**Progress**\n\n{odd}"), &["[x] 1: A", "[ ] 2: B"]);
    reported(&format!("{TWO}Some words.\n\n{odd}"), 9);
}

#[test]
fn dependencies_that_are_clear_are_read() {
    let phases = "### Phase 1: A\n### Phase 2: B\n### Phase 3: C\n### Phase 4: D\n";
    for (value, expected) in [
        ("#1, #2", "1, 2"),
        ("#1 and #3", "1, 3"),
        ("Phases #1, #2", "1, 2"),
        ("Phases 1 .. 3", "1, 2, 3"),
        ("1 .. 3", "1, 2, 3"),
        ("1..3", "1, 2, 3"),
        ("1 ... 3", "1, 2, 3"),
        ("1 to 3", "1, 2, 3"),
        ("Phases 1 through 3", "1, 2, 3"),
        ("Phases 1 – 3", "1, 2, 3"),
        ("Everything before", "1, 2, 3"),
        ("everything above.", "1, 2, 3"),
        ("Everything", "1, 2, 3"),
        ("All of the above", "1, 2, 3"),
        ("all previous phases", "1, 2, 3"),
        ("All the previous phases", "1, 2, 3"),
        ("Every earlier phase", "1, 2, 3"),
        ("All phases before this one", "1, 2, 3"),
        ("All prior", "1, 2, 3"),
        ("Phase 1 · Phase 2", "1, 2"),
        ("Phase 1 | Phase 2", "1, 2"),
        ("Phases 1 2 3", "1, 2, 3"),
        ("Phase 1. Phase 2.", "1, 2"),
        ("Phase 1 <!-- Phase 2 -->", "1"),
        ("<!-- was: Phase 2 --> Phase 1", "1"),
        ("Phase\u{a0}1,\u{a0}Phase\u{a0}2", "1, 2"),
        ("PHASE 1 & PHASE 2", "1, 2"),
        ("Phase&nbsp;1", "1"),
        ("ph. 1", "?"),
        ("Phase 3-1", "?"),
        ("Phase 1, Phase ２", "?"),
        ("Phase 1, Phase TBD", "?"),
        ("Phase 1: Foo, 2: Bar", "?"),
        ("Phase 1 -> 2", "1, 2"),
        ("Phase 1 and the lamp of 2", "?"),
    ] {
        let text = format!("{phases}**Depends on**: {value}\n");
        let roadmap = parse(&text);
        let needs: Vec<_> = roadmap.phases[3].depends_on.iter().map(|id| id.as_str()).collect();
        if expected == "?" {
            assert_eq!(problems(&text), [(5, ProblemKind::UnreadableDependency)], "{value}");
        } else {
            assert_eq!(needs.join(", "), expected, "{value}");
            assert_eq!(problems(&text), [], "{value}");
        }
    }
}

#[test]
fn several_phases_in_one_line_are_reported() {
    for line in [
        "### Phases 39-40: range",
        "### Phases 39–40: range",
        "### Phases 39 and 40: range",
        "### Phases 39, 40",
        "### Phase 39-40: range",
        "### Phase 39/40: range",
        "- [ ] **Phases 39-40: range** - text",
        "- [ ] Phases 39-40: range",
        "**Phases 39-40: range**",
        "1. Phase 25: name",
        "- Phase 25: name",
    ] {
        reported(&format!("{TWO}{line}\n"), 5);
        reported(&format!("{TWO}**Goal**: g\n\n{line}\n"), 7);
    }
    for line in ["### Phases 1-2: both", "### Phases 1 and 2", "1. Phase 2: B", "## Phases"] {
        assert_eq!(problems(&format!("{TWO}{line}\n")), [], "{line}");
    }
    for line in ["### Phase 39 & 40: x", "### Phase 39, 40: x", "### Phase 39 – 40: x"] {
        reported(&format!("{TWO}{line}\n"), 5);
    }
}

#[test]
fn rows_for_several_phases_that_do_not_exist_are_reported() {
    let table = "| # | Phase | Goal |\n|--|--|--|\n| 1 | A | a |\n| 4-5 | Range | b |\n";
    reported(table, 4);
    let status = "| Phase | Status |\n|--|--|\n| 1. A | Planned |\n| 4-5 | Planned |\n";
    reported(status, 4);
    reported(&format!("### Phase 1: A\n## Progress\n{status}"), 6);
    let named = "### Phase 1: A\n## Overview\n| # | Phase | Goal |\n|--|--|--|\n| 1 | A | a |\n| 2 | B | b |\n";
    reported(named, 6);
    let shared = "### Phase 1: A\n## Progress\n| Phase | Status |\n|--|--|\n| 1-3 | Planned |\n";
    assert_eq!(problems(shared), []);
}

#[test]
fn struck_names_are_never_scheduled() {
    for text in [
        "| # | Phase | Goal |\n|--|--|--|\n| 3 | ~~Gamma~~ | g |\n| 4 | Delta | d |\n",
        "| # | Phase | Goal |\n|--|--|--|\n| 3 | ~~**Gamma**~~ | g |\n| 4 | Delta | d |\n",
        "| # | Phase | Goal |\n|--|--|--|\n| 3 | Gamma (ABANDONED) | g |\n| 4 | Delta | d |\n",
        "| Phase | Goal |\n|--|--|\n| 3. ~~Gamma~~ | g |\n| 4. Delta | d |\n",
        "| Phase | Status |\n|--|--|\n| 3. Gamma | ~~Planned~~ Removed |\n| 4. Delta | Planned |\n",
        "### Phase 3: ~~Gamma~~\n### Phase 4: Delta\n",
        "### Phase 3: **~~Gamma~~**\n### Phase 4: Delta\n",
        "- [ ] **Phase 3: ~~Gamma~~** - g\n- [ ] **Phase 4: Delta** - d\n",
        "- [ ] Phase 3: ~~Gamma~~\n- [ ] Phase 4: Delta\n",
        "### Phase 3: Gamma [SUPERSEDED]\n### Phase 4: Delta\n",
    ] {
        assert_eq!(shown(text), ["[ ] 4: Delta"], "{text}");
        assert_eq!(excluded(text), ["3: Gamma"], "{text}");
    }
    let partly = "| Phase | Goal |\n|--|--|\n| 3. ~~Gamma~~ Delta | g |\n";
    assert_eq!(shown(partly), ["[ ] 3: ~~Gamma~~ Delta"]);
}

#[test]
fn a_status_in_the_place_of_a_name_is_a_status() {
    for line in ["### Phase 9: (SUPERSEDED)", "### Phase 9: SUPERSEDED", "### Phase 9 (superseded)"]
    {
        let text = format!("### Phase 1: A\n{line}\n");
        assert_eq!(shown(&text), ["[ ] 1: A"], "{line}");
        assert_eq!(parse(&text).excluded.len(), 1, "{line}");
    }
    for line in
        ["### Phase 9: ✅", "### Phase 9 ✅", "### Phase 9: (COMPLETE)", "### Phase 9: [DONE]"]
    {
        assert!(parse(format!("{line}\n")).phases[0].complete, "{line}");
    }
}

#[test]
fn notes_between_the_id_and_the_name_are_no_part_of_the_name() {
    for line in [
        "### Phase 59 (INSERTED): after",
        "### Phase 59 *(INSERTED)*: after",
        "### Phase 59 [INSERTED] — after",
        "- [ ] **Phase 59 (INSERTED): after** - text",
        "- [ ] **Phase 59** (INSERTED): after",
    ] {
        let roadmap = parse(format!("{line}\n"));
        assert_eq!(shown_of(&roadmap), ["[ ] 59: after"], "{line}");
        assert!(roadmap.phases[0].inserted, "{line}");
    }
    check("### Phase 59 (DONE): after\n", &["[x] 59: after"]);
    assert_eq!(excluded("### Phase 1: A\n### Phase 59 (ABANDONED): after\n"), ["59: after"]);
}

#[test]
fn emphasis_and_links_around_a_phase_are_no_part_of_the_name() {
    for line in [
        "### __Phase 48: x__",
        "### **Phase 48: x**",
        "### *Phase 48: x*",
        "### _Phase 48: x_",
        "### ***Phase 48: x***",
        "### `Phase 48: x`",
        "### **Phase 48:** x",
        "### __Phase 48:__ x",
        "### __Phase 48__: x",
        "### *Phase 48*: x",
        "### [Phase 48](a.md): x",
        "### [Phase 48: x](a.md)",
        "- [ ] __Phase 48: x__ - text",
        "- [ ] *Phase 48: x* - text",
        "- [ ] [Phase 48](a.md): x",
        "- [ ] [Phase 48]: x",
        "- [ ] [Phase 48: x](a.md) - text",
        "- [ ] [**Phase 48: x**](a.md) - text",
        "### Phase 48: x <!-- Phase 49: y -->",
        "### Phase\u{a0}48: x",
        "###\u{a0}Phase 48: x",
        "###\tPhase 48:\tx",
        "### PHASE 48: x",
        "### phase 48 : x",
        "### Phase 48. x",
        "### Phase No. 48: x",
        "### Phase №48: x",
    ] {
        check(&format!("{line}\n"), &["[ ] 48: x"]);
        assert_eq!(problems(&format!("{line}\n")), [], "{line}");
    }
    for line in ["### Phase ４８: x", "- [ ] Phase ４８: x", "###Phase\u{3000}?: x"] {
        let text = format!("{TWO}{line}\n");
        reported(&text, 5);
    }
}

#[test]
fn comments_say_nothing() {
    let text = "### Phase 1: A ✅ <!-- x -->\n### Phase 2: B\n**Status**: Complete <!-- y -->\n\
        ### Phase 3: C\n- [ ] x <!-- **Depends on**: Phase 1 -->\n\n## Progress\n\n\
        | Phase | Status |\n|--|--|\n| 3. C | Planned <!-- z --> |\n";
    check(text, &["[x] 1: A", "[x] 2: B", "[ ] 3: C"]);
    let marked = mark_complete(text, "3".parse().unwrap()).unwrap();
    assert!(marked.contains("| 3. C | Complete <!-- z --> |"), "{marked}");
    let command = "### Phase 1: A\n- x -- verified by: `grep '<!-- a -->' b`\n";
    let checks = parse(command).phases[0].checks();
    assert_eq!(checks[0].command.as_deref(), Some("grep '<!-- a -->' b"));
}

#[test]
fn checks_in_other_words_are_reported() {
    for line in [
        "- Verification: `cmd`",
        "- **Verification**: `cmd`",
        "- **Verification:** `cmd`",
        "**Verification**: `cmd`",
        "Verification: `cmd`",
        "* Verify: `cmd`",
        "- [ ] Verify with: `cmd`",
        "- x -- verified by: <code>cmd</code>",
        "- x -- verified by <code>cmd</code>",
        "- x -- verified by",
        "- x — verified by",
        "- x (verified by)",
        "- x -- verified by ",
        "- x -- verified\u{a0}by: `cmd`",
        "- x -- VERIFIED BY: `cmd`",
        "- x -- verified by: 'cmd'",
        "- x -- verified via: `cmd`",
    ] {
        reported(&format!("{TWO}{line}\n"), 5);
        reported(&format!("{TWO}**Goal**: g\n\n{line}\n"), 7);
    }
    for line in ["- Verification: by hand", "- Verify the lamp", "- Verified by two people"] {
        assert_eq!(problems(&format!("{TWO}{line}\n")), [], "{line}");
    }
    let listed = format!("{TWO}**Success Criteria**:\n- Verification: `cmd`\n");
    assert_eq!(problems(&listed), []);
    assert_eq!(parse(&listed).phases[1].executable_criteria(), 1);
}

#[test]
fn a_status_in_other_words_is_reported_while_the_phase_counts_as_open() {
    for line in [
        "✅",
        "✅ Complete",
        "**Done**",
        "#### Status\nComplete",
        "**Status**: Implemented",
        "**Status**: 100%",
        "**Completed**: 2026-01-02",
        "**Completed:** yes",
        "**Progress**: 100%",
        "| Field | Value |\n|--|--|\n| Status | Complete |",
    ] {
        let text = format!("{TWO}{line}\n");
        let found = parse(&text);
        assert_eq!(found.problems.len(), 1, "{line}: {:?}", found.problems);
        assert!(found.problems[0].message.contains("phase `2` is done"), "{line}");
        let ticked = format!("- [x] Phase 1: A\n- [x] Phase 2: B\n{text}");
        assert_eq!(problems(&ticked), [], "{line}");
    }
    for line in [
        "- Phase 2: Complete",
        "- **Phase 2**: Complete",
        "- ✅ Phase 2",
        "Phase 2: Complete",
        "**Phase 2: Complete**",
        "- [x] Phases 2-2.1",
    ] {
        let found = parse(format!("{TWO}### Phase 2.1: C ✅\n## Progress\n\n{line}\n"));
        assert_eq!(found.problems.len(), 1, "{line}: {:?}", found.problems);
        assert_eq!(found.problems[0].line, 8, "{line}");
    }
    for (line, complete) in [
        ("<b>Status</b>: Complete", true),
        ("#### Status: Complete", true),
        ("**Status** — Complete", true),
        ("**Status**: [x]", true),
        ("**Status**: :white_check_mark:", true),
        ("**Plans**: 3 of 3 plans complete", true),
        ("**Plans**: 3/3 Plans Complete", true),
        ("**Status**: ~~Complete~~ In progress", false),
        ("**Status**: ~~Complete~~", false),
    ] {
        assert_eq!(parse(format!("{TWO}{line}\n")).phases[1].complete, complete, "{line}");
    }
}

#[test]
fn tables_of_other_shapes_are_read_or_reported() {
    let head = format!("{TWO}## Progress\n\n");
    for table in [
        "> | Phase | Status |\n> |---|---|\n> | 1. A | Complete |\n",
        "| Phase | Status |\n|---|---|\n\n| 1. A | Complete |\n",
        "| Phase | Status |\n|---|---|\n| 2. B | Planned |\n\n| 1. A | Complete |\n",
        "| Phase | Status |\n\n|---|---|\n| 1. A | Complete |\n",
        "| Phases | Status |\n|---|---|\n| 1. A | Complete |\n",
        "| Phase | Done? |\n|---|---|\n| 1. A | ✅ |\n",
        "| Phase | Status |\n|---|---|\n| 1. A | <b>Complete</b> |\n",
        "| Phase | Status |\n|---|---|\n| 1. A | Complete<br>2026 |\n",
        "| What | How |\n|---|---|\n| a | b |\n\n| Phase | Status |\n|---|---|\n| 1. A | Complete |\n",
    ] {
        let text = format!("{head}{table}");
        assert_eq!(shown(&text), ["[x] 1: A", "[ ] 2: B"], "{table}");
        assert_eq!(problems(&text), [], "{table}");
    }
    for table in [
        "| # | Name | Status |\n|---|---|---|\n| 1 | A | Complete |\n",
        "| Goal | Phase | Status |\n|---|---|---|\n| g | 1 | Complete |\n",
        "| Phase | Status |\n|---|---|\n| 1. A | yes |\n",
    ] {
        let found = parse(format!("{head}{table}")).problems;
        assert_eq!(found.len(), 1, "{table}: {found:?}");
    }
    reported(&format!("{TWO}| Item | Status |\n|---|---|\n| Phase 1 | Complete |\n"), 7);
}

#[test]
fn dependencies_in_other_places_are_read_or_reported() {
    for line in [
        "<b>Depends on</b>: Phase 1",
        "<strong>Depends on:</strong> Phase 1",
        "`Depends on`: Phase 1",
        "- depends on phase 1",
        "(depends on Phase 1)",
        "#### Depends on: Phase 1",
        "* **Depends on**\n  - Phase 1",
        "**Depends on**: ~~Phase 9~~ Phase 1",
        "**Depends on**:\n\n- Phase 1",
        "**Depends on phase**: 1",
    ] {
        let text = format!("{TWO}{line}\n");
        assert_eq!(shown(&text)[1], "[ ] 2: B <- 1", "{line}");
        assert_eq!(problems(&text), [], "{line}");
    }
    let two =
        "### Phase 1: A\n### Phase 2: B\n### Phase 3: C\n**Depends on**: Phase 1\n  Phase 2\n";
    assert_eq!(shown(two)[2], "[ ] 3: C <- 1, 2");
    for line in [
        "**Requires**: Phase 1",
        "Blocked by: Phase 1",
        "**Prerequisites (soft):** Phase 1",
        "**Hard dependency on 1:** Phase 1",
        "**Goal**: g. Depends on: Phase 1",
        "| **Depends on** | Phase 1 |\n|--|--|",
        "**Depends on**: Phase 1 - A, Phase 2 - B",
        "**Depends on**: 1. A, 2. B",
        "**Depends on**: Phases 1–",
    ] {
        reported(&format!("{TWO}{line}\n"), 5);
    }
    for line in
        ["**Requires**: Node 20", "Dependents: Phase 1", "**After**: lunch", "Needs: nothing"]
    {
        assert_eq!(problems(&format!("{TWO}{line}\n")), [], "{line}");
    }
}
