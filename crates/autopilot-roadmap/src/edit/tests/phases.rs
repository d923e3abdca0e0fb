//! Phases that come and go: what changes in both files, and that nothing else does.

use super::{super::*, id};

const ROADMAP: &str = "\
# Roadmap: lighthouse

## Phases

- [x] **Phase 1: Tower** - something to stand on
- [ ] **Phase 2: Lamp** - something to see
- [ ] **Phase 3: Horn** - something to hear

## Phase Details

### Phase 1: Tower
**Goal**: Something to stand on
**Depends on**: Nothing

### Phase 2: Lamp
**Goal**: Ships see the shore at night
**Depends on**: Phase 1 (it stands on it)
**Requirements**: LAMP-01
**Success Criteria** (what must be TRUE):
  1. The lamp turns -- verified by: `cargo test lamp`
**Plans**: 1 plan

Plans:
- [ ] 02-01: Build it

### Phase 3: Horn
**Goal**: Ships hear the shore
**Depends on**: Phase 2
**Requirements**: HORN-01
**Success Criteria** (what must be TRUE):
  1. The horn sounds -- verified by: `cargo test horn`
**Plans**: TBD

## Progress

**Execution Order:**
Phases 1+: 1 -> 2 -> 3

| Phase | Status | Version |
|-------|--------|---------|
| 1. Tower | Complete | v1.0 |
| 2. Lamp | Not started | - |
| 3. Horn | Not started | - |

---
*Written in autumn*
";

const STATE: &str = "\
# State

**By Phase:**

| Phase | Name | Status | Version |
|-------|------|--------|---------|
| 1 | Tower | Completed | v1.0 |
| 2 | Lamp | Pending | - |
| 3 | Horn | Pending | - |

| Phase | Plans | Total |
|-------|-------|-------|
| 1 | 1 | 2h |
";

/// A text with lines put in, each after a line that it follows.
fn with_lines(text: &str, lines: &[(&str, &str)]) -> String {
    lines.iter().fold(text.to_owned(), |text, (after, lines)| {
        assert_eq!(text.matches(after).count(), 1, "{after}");
        text.replace(after, &format!("{after}{lines}"))
    })
}

fn fog() -> NewPhase {
    NewPhase {
        goal: Some("Fog is seen before ships are in it. The horn needs to know.".to_owned()),
        criteria: vec!["It sees fog -- verified by: `cargo test fog`".to_owned()],
        depends_on: Some("Phase 2 (its light is what fog scatters)".to_owned()),
        ..NewPhase::from_text("Fog sensor - when to sound the horn")
    }
}

#[test]
fn c47_a_phase_is_added_to_every_section_of_both_files_and_nothing_else_changes() {
    let added = add_phase(ROADMAP, Some(STATE), &fog()).unwrap();
    let roadmap = with_lines(
        ROADMAP,
        &[
            (
                "- [ ] **Phase 3: Horn** - something to hear\n",
                "- [ ] **Phase 4: Fog sensor** - when to sound the horn\n",
            ),
            (
                "`cargo test horn`\n**Plans**: TBD\n",
                "\n### Phase 4: Fog sensor\n\
                 **Goal**: Fog is seen before ships are in it. The horn needs to know.\n\
                 **Depends on**: Phase 2 (its light is what fog scatters)\n\
                 **Requirements**: TBD\n\
                 **Success Criteria** (what must be TRUE):\n  \
                   1. It sees fog -- verified by: `cargo test fog`\n\
                 **Plans**: TBD\n",
            ),
            ("| 3. Horn | Not started | - |\n", "| 4. Fog sensor | Not started | - |\n"),
        ],
    );
    // It needs no more than the lamp, so it may come right after it.
    let roadmap = roadmap.replace("1 -> 2 -> 3\n", "1 -> 2 -> 4 -> 3\n");
    let state = with_lines(
        STATE,
        &[("| 3 | Horn | Pending | - |\n", "| 4 | Fog sensor | Pending | - |\n")],
    );
    assert_eq!(added.roadmap, roadmap);
    assert_eq!(added.state.as_deref(), Some(state.as_str()));
    assert_eq!((added.id, added.name.as_str()), (id("4"), "Fog sensor"));
}

#[test]
fn c47_a_phase_is_inserted_with_the_next_decimal_and_stubs() {
    let first = insert_phase(ROADMAP, Some(STATE), id("2"), &NewPhase::from_text("Lens")).unwrap();
    let roadmap = with_lines(
        ROADMAP,
        &[
            (
                "- [ ] **Phase 2: Lamp** - something to see\n",
                "- [ ] **Phase 2.1: Lens** *(INSERTED)* - [To be planned]\n",
            ),
            (
                "- [ ] 02-01: Build it\n",
                "\n### Phase 2.1: Lens *(INSERTED)*\n\
                 **Goal**: [To be planned]\n\
                 **Depends on**: Phase 2 (inserted after it)\n\
                 **Requirements**: TBD\n\
                 **Success Criteria** (what must be TRUE):\n  \
                   1. [To be planned]\n\
                 **Plans**: TBD\n",
            ),
            ("| 2. Lamp | Not started | - |\n", "| 2.1. Lens *(INSERTED)* | Not started | - |\n"),
        ],
    );
    assert_eq!(first.roadmap, roadmap.replace("1 -> 2 -> 3\n", "1 -> 2 -> 2.1 -> 3\n"));
    let state =
        with_lines(STATE, &[("| 2 | Lamp | Pending | - |\n", "| 2.1 | Lens | Pending | - |\n")]);
    assert_eq!(first.state.as_deref(), Some(state.as_str()));
    assert!(parse(&first.roadmap).phase(id("2.1")).unwrap().inserted);

    // The next one comes after the first, whichever of the two it is inserted after.
    for after in ["2", "2.1"] {
        let second =
            insert_phase(&first.roadmap, None, id(after), &NewPhase::from_text("Mirror")).unwrap();
        assert_eq!(second.id, id("2.2"));
        assert!(second.roadmap.contains("1 -> 2 -> 2.1 -> 2.2 -> 3\n"), "{}", second.roadmap);
        let order: Vec<String> =
            parse(&second.roadmap).phases.iter().map(|phase| phase.id.to_string()).collect();
        assert_eq!(order, ["1", "2", "2.1", "2.2", "3"]);
    }
}

#[test]
fn c47_a_phase_is_removed_from_every_section_and_nothing_is_numbered_anew() {
    let removed = remove_phase(ROADMAP, Some(STATE), id("2"), Dependents::LeaveThem).unwrap();
    let from = ROADMAP.find("### Phase 2").unwrap();
    let to = ROADMAP.find("### Phase 3").unwrap();
    let mut roadmap = ROADMAP.to_owned();
    roadmap.replace_range(from..to, "");
    let roadmap = roadmap
        .replace("- [ ] **Phase 2: Lamp** - something to see\n", "")
        .replace("1 -> 2 -> 3\n", "1 -> 3\n")
        .replace("| 2. Lamp | Not started | - |\n", "");
    assert_eq!(removed.roadmap, roadmap);
    assert_eq!(removed.state, Some(STATE.replace("| 2 | Lamp | Pending | - |\n", "")));
    let after = parse(removed.roadmap);
    assert_eq!(after.phases.iter().map(|phase| phase.id).collect::<Vec<_>>(), [id("1"), id("3")]);
}

#[test]
fn c47_a_phase_that_others_need_stays_unless_it_is_said_otherwise() {
    let refused = remove_phase(ROADMAP, Some(STATE), id("2"), Dependents::Refuse).unwrap_err();
    assert_eq!(refused, EditError::Needed { id: id("2"), by: vec![id("3")] });
    assert_eq!(refused.to_string(), "phase `2` is needed by phase `3`");
    remove_phase(ROADMAP, Some(STATE), id("3"), Dependents::Refuse).unwrap();
}

#[test]
fn c47_what_was_put_in_is_taken_out_byte_for_byte_with_any_line_end() {
    for (line_end, bom) in [("\n", ""), ("\r\n", ""), ("\r\n", "\u{feff}"), ("\r", "")] {
        let text = format!("{bom}{}", ROADMAP.replace('\n', line_end));
        let state = STATE.replace('\n', line_end);
        for put in [
            add_phase(&text, Some(&state), &fog()).unwrap(),
            insert_phase(&text, Some(&state), id("1"), &NewPhase::from_text("Stairs")).unwrap(),
        ] {
            assert_ne!(put.roadmap, text);
            let back =
                remove_phase(&put.roadmap, put.state.as_deref(), put.id, Dependents::LeaveThem);
            let back = back.unwrap();
            assert_eq!((back.roadmap, back.state), (text.clone(), Some(state.clone())));
        }
    }
}

#[test]
fn c47_the_style_of_the_file_is_kept() {
    for (before, after) in [
        // Bullets, boxes, separators, dashes and padded numbers of a list.
        (
            "* [x] Phase 01: A\n* [x] Phase 02: B\n",
            "* [x] Phase 01: A\n* [x] Phase 02: B\n* [ ] Phase 03: New\n",
        ),
        (
            "1. [ ] **Phase 1 — A** — a\n",
            "1. [ ] **Phase 1 — A** — a\n2. [ ] **Phase 2 — New** — news\n",
        ),
        ("- **Phase 1**: A\n", "- **Phase 1**: A\n- **Phase 2**: New\n"),
        (
            "- [ ] Фаза 1: A - a\n  goes on\n",
            "- [ ] Фаза 1: A - a\n  goes on\n- [ ] Фаза 2: New - news\n",
        ),
        // Rows keep their columns, and their width where columns are aligned.
        (
            "| # | Phase | Status |\n|---|---|---|\n| 1 | A | Planned |\n",
            "| # | Phase | Status |\n|---|---|---|\n| 1 | A | Planned |\n| 2 | New | Planned |\n",
        ),
        (
            "| Phase   | Milestone | Status      |\n|---|---|---|\n| 01. Aaa | v1        | Complete    |\n| Total | 1 | - |\n",
            "| Phase   | Milestone | Status      |\n|---|---|---|\n| 01. Aaa | v1        | Complete    |\n\
             | 02. New | v1        | Not started |\n| Total | 1 | - |\n",
        ),
        (
            "> | Phase | Status |\n> |--|--|\n> | Phase 1: A | ✅ |\n",
            "> | Phase | Status |\n> |--|--|\n> | Phase 1: A | ✅ |\n> | Phase 2: New | Not started |\n",
        ),
        // Headings and labels.
        (
            "## Phase 1 — A\n\n- **Ziel:** a\n- **Abhängig von:** Nichts\n\n---\n\n## Anhang\n",
            "## Phase 1 — A\n\n- **Ziel:** a\n- **Abhängig von:** Nichts\n\n## Phase 2 — New\n\n- **Ziel:** [To be planned]\n\
             - **Abhängig von:** Nothing\n- **Success Criteria** (what must be TRUE):\n  1. [To be planned]\n\n---\n\n## Anhang\n",
        ),
        // The note at the end stays there.
        (
            "## Phase 1: A\n**Goal**: a\n\n---\n*In autumn*\n",
            "## Phase 1: A\n**Goal**: a\n\n## Phase 2: New\n**Goal**: [To be planned]\n**Depends on**: Nothing\n\
             **Success Criteria** (what must be TRUE):\n  1. [To be planned]\n\n---\n*In autumn*\n",
        ),
    ] {
        let added = add_phase(before, None, &NewPhase::from_text("New - news"));
        assert_eq!(added.map(|added| added.roadmap).as_deref(), Ok(after));
    }
}

#[test]
fn c47_code_comments_and_folded_milestones_are_left_alone() {
    let text = "<details>\n\n- [x] **Phase 1: A** - a\n\n</details>\n\n- [ ] **Phase 2: B** - b\n\n\
                ```\n## Phase 9: Code\nExecution order: 1 -> 2\n```\n<!--\n- [ ] **Phase 8: C** - c\n-->\n";
    let added = add_phase(text, None, &NewPhase::from_text("New - news")).unwrap();
    let expected =
        with_lines(text, &[("- [ ] **Phase 2: B** - b\n", "- [ ] **Phase 3: New** - news\n")]);
    assert_eq!(added.roadmap, expected);
}

#[test]
fn c47_a_roadmap_without_phases_gets_the_canonical_form() {
    let canonical = "## Phases\n\n- [ ] **Phase 1: New** - news\n\n## Phase Details\n\n### Phase 1: New\n\
        **Goal**: [To be planned]\n**Depends on**: Nothing\n**Success Criteria** (what must be TRUE):\n  \
        1. [To be planned]\n**Plans**: TBD\n\n## Progress\n\n**Execution Order:**\nPhases 1+: 1\n\n\
        | Phase | Status | Completed |\n|-------|--------|-----------|\n| 1. New | Not started | - |\n";
    let new = NewPhase::from_text("New - news");
    for (before, head) in [
        ("", "# Roadmap\n\n"),
        ("# Mine", "# Mine\n\n"),
        ("# Mine\n\nWords.\n", "# Mine\n\nWords.\n\n"),
    ] {
        let added = add_phase(before, None, &new).unwrap();
        assert_eq!(added.roadmap, format!("{head}{canonical}"));
        assert_eq!(parse(&added.roadmap).problems, []);
        // What the last phase leaves behind is used by the next one.
        let emptied = remove_phase(&added.roadmap, None, added.id, Dependents::Refuse).unwrap();
        let again = add_phase(&emptied.roadmap, None, &new).unwrap();
        assert_eq!(again.roadmap.matches("## Phases").count(), 1, "{}", again.roadmap);
        assert_eq!(again.roadmap.matches("| Phase |").count(), 1, "{}", again.roadmap);
        assert_eq!(parse(&again.roadmap).phases.len(), 1, "{}", again.roadmap);
    }
}

#[test]
fn c47_numbers_are_never_given_twice() {
    let struck = "- [x] **Phase 1: A** - a\n- [ ] ~~**Phase 2: B**~~ - ABANDONED\n- [ ] **Phase 1.4: C** - c\n";
    let new = NewPhase::from_text("New");
    assert_eq!(add_phase(struck, None, &new).unwrap().id, id("3"));
    assert_eq!(insert_phase(struck, None, id("1"), &new).unwrap().id, id("1.5"));
    let row = "- [x] **Phase 1: A** - a\n\n| Phase | Status |\n|--|--|\n| 1. A | Complete |\n| 7. Gone | Complete |\n";
    assert_eq!(add_phase(row, None, &new).unwrap().id, id("8"));
}

#[test]
fn c47_what_cannot_be_done_is_refused_with_the_reason() {
    let new = NewPhase::from_text;
    let needing = |needs: &str| NewPhase { depends_on: Some(needs.to_owned()), ..new("New") };
    let lettered = "### Phase H.1: A\n";
    let twice = "### Phase 1: Wood\n### Phase 1: Stone\n";
    let entangled = "- [ ] Phase 1: A\n\n### Phase 2: B\n- [ ] Phase 3: C\n### Phase 4: D\n";
    for (done, why) in [
        (add_phase(ROADMAP, None, &new("  ")), "has no name"),
        (add_phase(ROADMAP, None, &new("Built ✅")), "would be read as something else"),
        (add_phase(ROADMAP, None, &needing("9")), "does not have"),
        (add_phase(ROADMAP, None, &needing("TBD")), "names no phase"),
        (insert_phase(ROADMAP, None, id("9"), &new("New")), "has no phase `9`"),
        (insert_phase(lettered, None, id("H.1"), &new("New")), "has no number"),
        (remove_phase(ROADMAP, None, id("9"), Dependents::LeaveThem), "has no phase `9`"),
        (remove_phase(twice, None, id("1"), Dependents::LeaveThem), "exists twice"),
        (remove_phase(entangled, None, id("2"), Dependents::LeaveThem), "cannot be taken out"),
    ] {
        let error = done.unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn c47_bare_numbers_become_dependencies() {
    let new = NewPhase { depends_on: Some("1, 2".to_owned()), ..NewPhase::from_text("New") };
    let added = add_phase(ROADMAP, None, &new).unwrap();
    assert!(added.roadmap.contains("**Depends on**: Phase 1, Phase 2\n"), "{}", added.roadmap);
    assert_eq!(parse(&added.roadmap).phase(id("4")).unwrap().depends_on, [id("1"), id("2")]);
}

#[test]
fn c47_a_state_without_a_table_of_phases_stays_as_it_is() {
    for state in
        ["", "# State\n\nNothing.\n", "| Phase | Plans | Total |\n|--|--|--|\n| 1 | 1 | 2h |\n"]
    {
        let added = add_phase(ROADMAP, Some(state), &fog()).unwrap();
        assert_eq!(added.state.as_deref(), Some(state));
    }
}
