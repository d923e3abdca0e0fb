//! Files that nobody should write, and the limits that hold for them.

use proptest::prelude::*;

use super::*;

#[test]
fn control_characters_never_get_into_names() {
    let roadmap = parse("### Phase 1: evil\u{1b}[31m\u{7}name\u{202e}\n**Goal**: a\u{0}b\n");
    assert!(!roadmap.phases[0].name.contains(char::is_control));
    assert!(!roadmap.phases[0].name.contains('\u{202e}'));
    assert_eq!(roadmap.phases[0].goal.as_deref(), Some("a b"));
}

#[test]
fn ids_that_would_leave_their_directory_are_problems() {
    for id in ["../../etc", "3/../4", "..", "1\u{0}"] {
        let roadmap = parse(format!("### Phase {id}: A\n"));
        let safe =
            |id: &str| id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'-');
        assert!(roadmap.phases.iter().all(|phase| safe(phase.id.as_str())), "{id}");
    }
}

#[test]
fn one_line_cannot_stand_for_millions() {
    let mut text = String::new();
    for phase in 0..1_500 {
        text.push_str(&format!("### Phase {phase}: A\n**Depends on**: 5000-5999\n"));
    }
    let roadmap = parse(&text);
    let edges: usize = roadmap.phases.iter().map(|phase| phase.depends_on.len()).sum();
    assert!(edges <= 1_000_000);
    assert!(roadmap.problems.iter().any(|p| p.kind == ProblemKind::TooMuch));
    let wide = parse("### Phase 1: A\n**Depends on**: 2-999999999\n");
    assert_eq!(wide.phases[0].depends_on.len(), 2);
}

#[test]
fn repetition_costs_linear_time() {
    for piece in [
        "```\n",
        "~~~~\n",
        "<!--\n",
        "<details>\n",
        "</details>\n",
        "### Phase 1: A\n",
        "- [ ] Phase 1: A\n",
        "**",
        "**Depends on**: ",
        "Phase 1, ",
        "(",
        "| 1. A | Complete |\n",
        "| Phase | Status |\n|---|---|\n",
        "·",
        "`",
        "\r",
        "# ",
        "(1) a; ",
        "### Phase 1: B\n### Phase 1: C\n",
        "~~",
        "- [x] ",
    ] {
        let text = piece.repeat(200_000 / piece.len());
        parse(&text);
        parse(format!("### Phase 1: A\n{text}"));
        parse(format!("### Phase 1: A\n**Depends on**: {text}"));
    }
}

#[test]
fn bold_text_left_open_across_values_is_harmless() {
    for text in [
        "### Phase 1: A\n**Success Criteria**: **x\n1. a **y\nb** **Goal**: z\n",
        "### Phase 1: A\n**Goal** a **b\nc **Depends on**: d **e\n** f\n",
    ] {
        for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            parse(&text[..cut]);
            parse(format!("### Phase 1: A\n{}", &text[cut..]));
        }
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("### Phase ".to_owned()),
        Just("- [ ] **Phase ".to_owned()),
        Just("**Depends on**: ".to_owned()),
        Just("**Success Criteria** (what must be TRUE):".to_owned()),
        Just("| Phase | Status |\n|---|---|\n| ".to_owned()),
        Just("```".to_owned()),
        Just("<details>".to_owned()),
        Just("</details>".to_owned()),
        Just("~~".to_owned()),
        Just("**".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("\r\n".to_owned()),
        Just(" — ".to_owned()),
        Just("（".to_owned()),
        Just("✅".to_owned()),
        Just("Complete".to_owned()),
        "[0-9]{1,3}(\\.[0-9])?[a-c]?",
        "[a-zа-я一-十 :,.()|`*-]{0,8}",
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_read_and_what_is_read_is_sound(text in pieces()) {
        let roadmap = parse(&text);
        let lines = u32::try_from(text.lines().count()).unwrap().max(1);
        prop_assert!(roadmap.problems.iter().all(|p| p.line >= 1 && p.line <= lines));
        let mut once = roadmap.problems.clone();
        once.dedup();
        prop_assert_eq!(once.len(), roadmap.problems.len());
        let live = roadmap.phases.iter().filter(|phase| !phase.duplicate).count();
        prop_assert_eq!(roadmap.graph().len(), live);
        for (place, phase) in roadmap.phases.iter().enumerate().take(live) {
            prop_assert_eq!(roadmap.position(phase.id), Some(place));
        }
        serde_json::to_string(&roadmap).unwrap();
    }

    #[test]
    fn marking_a_phase_complete_changes_only_that(text in pieces()) {
        let before = parse(&text);
        for phase in before.phases.iter().filter(|phase| !phase.duplicate) {
            if let Ok(edited) = mark_complete(&text, phase.id) {
                prop_assert!(parse(&edited).phase(phase.id).is_some_and(|phase| phase.complete));
                prop_assert_eq!(mark_complete(&edited, phase.id), Ok(edited));
            }
        }
    }

    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        super::super::parse_bytes(bytes);
    }
}
