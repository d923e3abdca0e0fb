//! What a mark looks like for each kind of phase.

mod lacks;
mod phases;

use proptest::prelude::*;

use super::*;

const ROADMAP: &str = "# R\r\n\r\n- [x] **Phase 1: Base** - done\r\n\
    - [ ] **Phase 2: Next** - with a [ ] in it\r\n\r\n\
    | Phase | Plans | Status | Completed |\r\n|---|---|---|---|\r\n\
    | 1. Base | 1/1 | Complete | today |\r\n| 2. Next | 0/1 | Not started | - |\r\n";

fn id(text: &str) -> PhaseId {
    text.parse().unwrap()
}

#[test]
fn the_box_and_the_row_of_the_phase_change_and_nothing_else() {
    let edited = mark_complete(ROADMAP, id("2")).unwrap();
    let expected = ROADMAP
        .replace("- [ ] **Phase 2", "- [x] **Phase 2")
        .replace("| Not started |", "| Complete    |");
    assert_eq!(edited, expected);
}

#[test]
fn a_phase_that_is_done_changes_nothing_and_one_that_is_missing_is_refused() {
    assert_eq!(mark_complete(ROADMAP, id("1")).as_deref(), Ok(ROADMAP));
    assert_eq!(mark_complete(ROADMAP, id("9")), Err(MarkError::NoSuchPhase(id("9"))));
    let struck = "- [ ] **Phase 1: A**\n- [ ] ~~**Phase 2: B**~~ - ABANDONED\n";
    assert_eq!(mark_complete(struck, id("2")), Err(MarkError::Excluded(id("2"))));
}

#[test]
fn every_kind_of_source_gets_the_mark_that_fits_it() {
    for (before, after) in [
        // Headings.
        ("## Phase 3: Name", "## Phase 3: Name ✅"),
        ("## Phase 3: Name  ", "## Phase 3: Name ✅  "),
        ("### Phase 3 — Name (INSERTED)\n", "### Phase 3 — Name (INSERTED) ✅\n"),
        ("## Phase 3: Name ##\n", "## Phase 3: Name ✅ ##\n"),
        ("## Phase 3\n", "## ✅ Phase 3\n"),
        ("## Phase 3 Name\n", "## Phase 3 Name ✅\n"),
        ("# Phase 3: Name\n", "# Phase 3: Name ✅\n"),
        ("## 🚧 Phase 3: Name\n", "## ✅ Phase 3: Name\n"),
        ("## Phase 3: Name ⏳\n", "## Phase 3: Name ✅\n"),
        ("## Phase 3: Name (Current)\n", "## Phase 3: Name ✅\n"),
        ("## Phase 3: Name — IN PROGRESS\n", "## Phase 3: Name ✅\n"),
        ("## [ ] Phase 3: Name\n", "## [x] Phase 3: Name\n"),
        ("**Phase 3: Name**\n**Goal:** g\n", "**Phase 3: Name** ✅\n**Goal:** g\n"),
        // A status line.
        ("## Phase 3: Name\n**Status:** In progress\n", "## Phase 3: Name\n**Status:** Complete\n"),
        (
            "## Phase 3: Name\n**Status**: ⏳ Planned **Plans**: 2 plans\n",
            "## Phase 3: Name\n**Status**: ✅ Complete **Plans**: 2 plans\n",
        ),
        (
            "## Phase 3: Name\n**Status:** waiting for the harbour\n",
            "## Phase 3: Name ✅\n**Status:** waiting for the harbour\n",
        ),
        // Plans of which some are open.
        ("## Phase 3: Name\n- [ ] 03-01: a\n", "## Phase 3: Name ✅\n- [ ] 03-01: a\n"),
        // Lists.
        ("  * [~] Phase 3: Name", "  * [x] Phase 3: Name"),
        ("- [ ] 🚧 **Phase 3: Name** - d\n", "- [x] ✅ **Phase 3: Name** - d\n"),
        ("- **Phase 3: Name** - d\n", "- **Phase 3: Name** - d ✅\n"),
        // Tables.
        (
            "| Phase | Status |\n|--|--|\n| 3. Name | ⏳ |\n",
            "| Phase | Status |\n|--|--|\n| 3. Name | ✅ |\n",
        ),
        (
            "| Phase | Status |\n|--|--|\n| 3. Name |  |\n",
            "| Phase | Status |\n|--|--|\n| 3. Name | Complete |\n",
        ),
        (
            "| Phase | Status |\n|--|--|\n| 3. Name | Blocked by law |\n",
            "| Phase | Status |\n|--|--|\n| 3. Name | Complete       |\n",
        ),
        (
            "| # | Phase | Goal |\n|--|--|--|\n| 3 | Name | g |\n",
            "| # | Phase | Goal |\n|--|--|--|\n| 3 | Name ✅ | g |\n",
        ),
    ] {
        assert_eq!(mark_complete(before, id("3")).as_deref(), Ok(after));
        let (before, after) = (before.replace('\n', "\r\n"), after.replace('\n', "\r\n"));
        assert_eq!(mark_complete(&before, id("3")), Ok(after));
    }
}

#[test]
fn a_row_without_a_name_or_a_status_cannot_be_marked_and_says_so() {
    let text = "| Phase | Goal |\n|--|--|\n| 3 | g |\n| 4 | h |\n";
    let error = mark_complete(text, id("4")).unwrap_err();
    assert_eq!(error, MarkError::NoPlace { id: id("4"), line: 4 });
    assert!(error.to_string().contains("line 4"), "{error}");
}

#[test]
fn every_status_that_says_open_changes_so_that_the_file_agrees_with_itself() {
    let text = "- [ ] Phase 1: A\n\n### Phase 1: A\n**Status**: On Hold\n\n## Progress\n\n\
        | Phase | Status |\n|--|--|\n| 1. A | Ready to verify |\n";
    let edited = mark_complete(text, id("1")).unwrap();
    assert!(edited.contains("**Status**: Complete\n"), "{edited}");
    assert!(edited.contains("| 1. A | Complete        |\n"), "{edited}");
    assert_eq!(parse(edited).problems, []);
}

#[test]
fn a_status_that_someone_wrote_by_hand_is_kept_beside_another_mark() {
    let text = "- [ ] Phase 1: A\n\n| Phase | Status |\n|--|--|\n| 1. A | Blocked by law |\n";
    let edited = mark_complete(text, id("1")).unwrap();
    assert!(edited.contains("- [x] Phase 1") && edited.contains("Blocked by law"), "{edited}");
}

#[test]
fn a_row_that_several_phases_share_is_left_alone_and_is_no_conflict() {
    let text = "- [ ] Phase 1: A\n- [ ] Phase 2: B\n\n| Phase | Status |\n|--|--|\n\
        | 1-2 | In progress |\n";
    let edited = mark_complete(text, id("1")).unwrap();
    assert_eq!(edited, text.replace("- [ ] Phase 1", "- [x] Phase 1"));
    let roadmap = parse(edited);
    assert_eq!(roadmap.problems, []);
    assert!(!roadmap.phases[1].complete);
}

proptest! {
    #[test]
    fn marking_twice_is_marking_once(open in prop::collection::vec(any::<bool>(), 1..8)) {
        let mut text = String::from("## Phases\n");
        for (at, open) in open.iter().enumerate() {
            let mark = if *open { ' ' } else { 'x' };
            text.push_str(&format!("- [{mark}] **Phase {at}: N{at}** - d\n"));
        }
        for (at, open) in open.iter().enumerate() {
            let edited = mark_complete(&text, id(&at.to_string())).unwrap();
            prop_assert_eq!(edited != text, *open);
            prop_assert_eq!(edited.len(), text.len());
            prop_assert_eq!(mark_complete(&edited, id(&at.to_string())), Ok(edited));
        }
    }
}
