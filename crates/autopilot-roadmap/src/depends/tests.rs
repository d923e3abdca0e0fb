//! Every shape of a dependency value that was seen in real roadmaps, and what it means.

use proptest::prelude::*;

use super::*;

fn shown(value: &str) -> String {
    let mut needed = Vec::new();
    let doubt = read(value, &mut needed);
    let mut words: Vec<String> = needed
        .iter()
        .map(|needed| match needed {
            Needed::Phase(id) => id.to_string(),
            Needed::Range(first, last) => format!("{first}..{last}"),
            Needed::AllPrevious => "all".to_owned(),
            Needed::Previous => "previous".to_owned(),
        })
        .collect();
    match doubt {
        Some(Doubt::NoPhase) => words.push("?".to_owned()),
        Some(Doubt::Empty) => words.push("empty".to_owned()),
        Some(Doubt::Alternative) => words.push("or".to_owned()),
        Some(Doubt::Partial) => words.push("...".to_owned()),
        None => {}
    }
    words.join(" ")
}

#[test]
fn values_that_name_phases_are_read_in_their_order() {
    for (value, expected) in [
        ("Phase 2", "2"),
        ("Phase 2.1", "2.1"),
        ("Phase 3a", "3a"),
        ("Phase m9-01", "m9-01"),
        ("Фаза 1", "1"),
        ("Phase 06", "6"),
        ("Phase 15 (v1.0 complete)", "15"),
        ("Phase 16 (independent)", "16"),
        ("Phase 3 (parallel to Phase 4)", "3"),
        ("Phase 7 (existing code with 221 tools)", "7"),
        ("Phase 1, Phase 2", "1 2"),
        ("Phase 4 (faults), Phase 4.1 (people), Phase 5 (trace)", "4 4.1 5"),
        ("Phase 64 complete (person tested it)", "64"),
        ("Phase 64 complete, Phase 65 complete", "64 65"),
        ("Phase 25 only. **Fully independent of Phase 9**", "25"),
        ("Phase 107; Plans 02-03 also depend on Phase 108 (x)", "107 108"),
        ("Phase 1 完成（基础）", "1"),
        ("Phase 31 e Phase 33.", "31 33"),
        ("Phases 24, 25, 26, and 27", "24 25 26 27"),
        ("Phases 6 and 7", "6 7"),
        ("Fases 3 y 4.", "3 4"),
        ("Phases 269 + 270", "269 270"),
        ("Phase 2 AND Phase 3", "2 3"),
        ("Phase 2 and Phase 3 (independent of Phases 4-6)", "2 3"),
        ("Phase 2, 3, 4 (types)", "2 3 4"),
        ("Phase 3/4", "3 4"),
        ("76 (native parser)", "76"),
        ("3.1e (schemas), 3.1c (scores), 3.1c.3 (hooks)", "3.1e 3.1c 3.1c.3"),
        ("H.1 (articles). H.4 is a soft prerequisite", "H.1"),
        ("388-392 (consumes them)", "388..392"),
        ("Phases 1-4 (all)", "1..4"),
        ("Phases 76–79 (x)", "76..79"),
        ("Phase 22-24", "22..24"),
        ("Phases 3 through 7", "3..7"),
        ("Phases 01-04", "1..4"),
        ("阶段1和阶段2", "1 2"),
        ("[Phase 3](#phase-3), [Phase 4](#phase-4)", "3 4"),
        ("**Phase 3**, `Phase 4`", "3 4"),
        ("Phase 3 (v1.0 complete). *Phase 4 is gone.*", "3"),
        ("Phase 5 (can partially parallel with Phase 7)", "5"),
        ("Phase 3 — builds on the store of Phase 2", "3"),
        ("Phase 3, optional Phase 4", "3"),
        ("Phase 3's parser and Phase 4", "3 4"),
        ("all of Phase 3", "3"),
    ] {
        assert_eq!(shown(value), expected, "{value}");
    }
}

#[test]
fn values_that_say_nothing_are_empty_without_doubt() {
    for value in [
        "Nothing (first phase)",
        "Nothing",
        "None",
        "none.",
        "None (uses the Phase 3 store)",
        "N/A",
        "-",
        "—",
        "нічого (перша фаза)",
        "Ничего (первая фаза)",
        "nada.",
        "无",
        "Nothing（v7.0 首个 phase）",
        "Nothing structurally, but most useful after H.1 (x) and H.3 (y).",
        "Nothing structurally — can run parallel to H.3a/H.3b. Hard prerequisite for H.3c",
        "Nothing in v5.0 (independent of Phase 156)",
        "Nothing (x). Hard prerequisite for 10, 11, 12.",
        "Structurally independent of Phases 290/291",
        "Independent of Phase 32",
        "(first phase)",
    ] {
        assert_eq!(shown(value), "", "{value}");
    }
}

#[test]
fn values_that_name_no_phase_are_doubted() {
    for (value, expected) in [
        ("", "empty"),
        ("   ", "empty"),
        ("v8.0 complete", "?"),
        ("Previous milestone complete", "?"),
        ("Existing RawWriter (writes), the store", "?"),
        ("TBD", "?"),
        ("14-01", "?"),
        ("02-03", "?"),
        ("3 days of rest", "?"),
        ("Wave A complete (Phases 57–62); soft dependency on Phase 67", "?"),
        ("Phase 84 (x) or Phase 13 (y); scripts as template", "84 13 or"),
    ] {
        assert_eq!(shown(value), expected, "{value}");
    }
}

#[test]
fn all_previous_phases_are_meant_as_such() {
    for (value, expected) in [
        ("All previous phases (this is the final gate)", "all"),
        ("ALL previous phases (2, 3, 4, 5a, 5b)", "2 3 4 5a 5b"),
        ("All prior phases", "all"),
        ("Previous phase", "previous"),
    ] {
        assert_eq!(shown(value), expected, "{value}");
    }
}

proptest! {
    #[test]
    fn reading_is_total(value in "\\PC{0,80}") {
        read(&value, &mut Vec::new());
    }

    #[test]
    fn reading_is_total_near_the_grammar(
        value in "(Phases? |[0-9]{1,3}|[,;.()（）–—-]| and | or |[A-Z]\\.|\\*\\*|фаза |阶段| ){0,30}"
    ) {
        read(&value, &mut Vec::new());
    }
}
