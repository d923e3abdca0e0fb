//! Lines that are damaged: they are read all the same, or reported with their line, and never dropped.

use super::*;

/// A roadmap with every part that schedules or proves a phase.
const WELL_FORMED: &str = "\
# Roadmap

- [x] **Phase 1: Tower** - something to stand on
- [ ] **Phase 2: Lamp** - something to see

## Phase Details

### Phase 1: Tower
**Goal**: It stands
**Depends on**: Nothing

### Phase 2: Lamp
**Goal**: Ships see the shore
**Depends on**: Phase 1
**Success Criteria** (what must be TRUE):
  1. The lamp turns -- verified by: `make lamp`
  2. It has a switch -- verified by: `make switch`
";

/// What a run would do: phases, order, what is done, dependencies, commands.
fn meaning(roadmap: &Roadmap) -> Vec<String> {
    let commands = roadmap.phases.iter().map(|phase| {
        let checks = phase.checks().into_iter().filter_map(|check| check.command);
        checks.collect::<Vec<_>>().join(" & ")
    });
    shown_of(roadmap)
        .into_iter()
        .zip(commands)
        .map(|(phase, commands)| {
            // Names are for people; a damaged one is seen by them.
            let (id, needs) = (phase.split(':').next().unwrap_or(""), phase.split(" <- ").nth(1));
            format!("{id} <- {needs:?} {commands}")
        })
        .collect()
}

/// The kinds of the problems of a text that is added to two phases.
#[track_caller]
fn reported(lines: &str) {
    let before = "## Phase 1: A\n**Goal**: a\n\n## Notes\n\n";
    let text = format!("{before}{lines}\n");
    let first = u32::try_from(before.lines().count() + 1).unwrap();
    let last = u32::try_from(text.lines().count()).unwrap();
    let found = parse(&text).problems;
    assert!(found.iter().any(|p| (first..=last).contains(&p.line)), "{lines}: {found:?}");
}

#[test]
fn lines_that_look_like_a_phase_are_never_dropped() {
    for line in [
        "## Phase ??: y",
        "- [ ] Phase ??: y",
        "## Phase ../x: y",
        "- [ ] Phase ../x: y",
        "## Phase",
        "### **Phase**",
        "## Phase:",
        "## Phase: y",
        "- [ ] **Phase: y**",
        "## Phase Alpha: y",
        "- [ ] Phase TBD: y",
        "**Phase ??: y**",
        "- **Phase ??: y**",
        "> - [ ] Phase 2: y",
        "> ## Phase 2: y",
        "-[ ] Phase 2: y",
        "- [] Phase 2: y",
        "- [ ]Phase 2: y",
        "- [ ] Phase 2 Lamp",
        "1. Phase 2: y",
        "1. **Phase 2: y**",
        "- Phase 2: y",
        "    ## Phase 2: y",
        "####### Phase 2: y",
        "## Phae 2: y",
        "- [x] Phsae 2: y",
        "<summary>Phase 2: y</summary>",
        "<details><summary>Phase 2: y</summary>\n</details>",
        "<!-- a --> ## Phase 2: y",
        "<!-- a\nb --> ## Phase 2: y",
        "<!-- ## Phase 2: y",
        "Phase 2: y",
        "Phase 2: y\n----------",
    ] {
        reported(line);
    }
}

#[test]
fn a_title_inside_of_a_phase_is_reported_when_nothing_declares_it() {
    for line in ["**Phase 2: y**", "Phase 2: y", "- **Phase 2: y**", "> Phase 2: y"] {
        let text = format!("## Phase 1: A\n**Goal**: a\n\n{line}\n");
        assert_eq!(problems(&text), [(4, ProblemKind::Unreadable)], "{line}");
        assert_eq!(problems(&format!("{text}\n## Phase 2: y\n")), [], "{line}");
    }
}

#[test]
fn a_box_is_not_lost_where_a_heading_declares_the_phase() {
    check("- [x] Phase 1 Tower\n\n## Phase 1: Tower\n", &["[x] 1: Tower"]);
    check("- [x] Phase 1 is what we need first\n\n## Phase 1: Tower\n", &["[ ] 1: Tower"]);
    for line in ["> - [x] Phase 1: Tower", "- [x]Phase 1: Tower", "-[x] Phase 1: Tower"] {
        let text = format!("{line}\n\n## Phase 1: Tower\n");
        assert_eq!(problems(&text), [(1, ProblemKind::Unreadable)], "{line}");
    }
}

#[test]
fn rows_whose_id_cannot_be_read_are_reported() {
    let table = "| Phase | Status |\n|---|---|\n| 1. A | Planned |\n";
    for row in ["| one | Planned |", "| | Planned |", "| ?? | Complete |", "| Lamp | Complete |"] {
        let text = format!("{table}{row}\n");
        assert_eq!(problems(&text), [(4, ProblemKind::UnknownTableRow)], "{row}");
    }
    for row in
        ["| **Total** | 1/2 |", "| | |", "| **v1.0** | Complete |", "| Later | |", "| … | … |"]
    {
        assert_eq!(problems(&format!("{table}{row}\n")), [], "{row}");
    }
    let without_dashes =
        "## Phase 1: A\n## Progress\n| Phase | Status |\n| 1. A | Complete |\n| 2. B | Planned |\n";
    assert_eq!(problems(without_dashes), [(4, ProblemKind::UnknownTableRow)]);
}

#[test]
fn a_check_in_a_table_is_reported_with_its_line() {
    let table = "| What | How |\n|---|---|\n| It works | verified by: `make test` |\n";
    for before in ["## Phase 1: A\n\n", "## Phase 1: A\n**Success Criteria**:\n1. It works\n\n"] {
        let text = format!("{before}{table}");
        let last = u32::try_from(text.lines().count()).unwrap();
        let found = parse(&text).problems;
        assert!(found.iter().any(|problem| problem.line == last), "{text}: {found:?}");
    }
    let plain = "## Phase 1: A\n\n| What | Verified by |\n|---|---|\n| It works | Bob |\n";
    assert_eq!(problems(plain), []);
}

#[test]
fn a_second_dependency_line_is_read_and_checked() {
    let text = "## Phase 1: A\n## Phase 2: B\n- Depends on: Phase 1\n- Depends on: Phase 9\n";
    assert_eq!(shown(text)[1], "[ ] 2: B <- 1, 9");
    assert_eq!(problems(text), [(4, ProblemKind::DanglingDependency)]);
}

#[test]
fn labels_with_a_slip_of_the_pen_are_reported() {
    for label in ["**Depnds on**:", "**Depend on:**", "- Depends_on:", "**Sucess Criteria**:"] {
        let text = format!("## Phase 1: A\n## Phase 2: B\n{label} Phase 1\n");
        assert_eq!(problems(&text), [(3, ProblemKind::Unreadable)], "{label}");
    }
    let heading = "## Phase 1: A\n### Sucess Criteria\n- a\n";
    assert_eq!(problems(heading), [(2, ProblemKind::Unreadable)]);
}

#[test]
fn a_list_of_criteria_needs_no_colon() {
    for label in ["**Success Criteria**", "**Success Criteria** (what must be TRUE)"] {
        let roadmap = parse(format!("## Phase 1: A\n{label}\n1. It shines\n"));
        assert_eq!(roadmap.phases[0].criteria.len(), 1, "{label}");
        assert_eq!(roadmap.problems, [], "{label}");
    }
}

#[test]
fn a_return_alone_ends_a_line() {
    let text = WELL_FORMED.replace('\n', "\r");
    assert_eq!(shown(&text), shown(WELL_FORMED));
    assert_eq!(meaning(&parse(&text)), meaning(&parse(WELL_FORMED)));
    assert_eq!(problems(&text), []);
    check_marks(&text);
    let (bad, crlf) = ("## Phase 1: A\r## Phase ??: y\r", "## Phase 1: A\r\n## Phase ??: y\r\n");
    assert_eq!(problems(bad), [(2, ProblemKind::Unreadable)]);
    assert_eq!(problems(crlf), problems(bad));
}

#[test]
fn checks_that_cannot_be_run_are_reported_with_their_line() {
    for check in [
        "verified by: cargo test",
        "verified by: `",
        "verified by: ``",
        "verified by: ` `",
        "verified by: `cargo test",
        "verified by: ```` ````",
        "verifed by: `cargo test`",
        "verified by: `test -f one` (expect maybe)",
        "verified by: `a || b`",
        "verified by: `a 'b`",
        "verified by: `a` or so",
        "verification: `a` (expect maybe)",
    ] {
        for label in ["", "**Success Criteria**:\n"] {
            // Only `verified by` makes a criterion of an item outside of the list.
            if check.starts_with("verification") && label.is_empty() {
                continue;
            }
            let text = format!("## Phase 1: A\n{label}- It works -- {check}\n");
            let line = if label.is_empty() { 2 } else { 3 };
            assert_eq!(problems(&text), [(line, ProblemKind::UnreadableCriterion)], "{text}");
        }
    }
    for check in [
        "verified by: `cargo test`",
        "verified by: `grep -c x y` (expect >= 1)",
        "verified by two people",
    ] {
        assert_eq!(problems(&format!("## Phase 1: A\n- It works -- {check}\n")), [], "{check}");
    }
}

#[test]
fn a_damaged_line_is_read_as_before_or_reported() {
    let intact = parse(WELL_FORMED);
    assert_eq!(intact.problems, []);
    let wanted = meaning(&intact);
    let mut lost = Vec::new();
    for line in WELL_FORMED.lines().filter(|line| !line.is_empty() && !line.starts_with("**Goal")) {
        // What comes after the name, and in a command, may be anything.
        let end = line.find(['`']).or(line.find(" - ")).unwrap_or(line.len());
        for (at, c) in line.char_indices().filter(|(at, _)| *at < end) {
            let (before, after) = (&line[..at], &line[at + c.len_utf8()..]);
            let swapped = after.chars().next().map(|next| format!("{next}{c}"));
            let with =
                [Some(String::new()), Some("?".to_owned()), Some(format!("{c}{c}")), swapped];
            for with in with.into_iter().flatten() {
                let rest = if with.len() > 1 && !with.starts_with(c) { &after[1..] } else { after };
                let damaged = format!("{before}{with}{rest}");
                // A digit that is doubled gives another id, which is not damage.
                if c.is_ascii_digit() && with.len() == 2 && with.starts_with(c) {
                    continue;
                }
                let roadmap = parse(WELL_FORMED.replacen(line, &damaged, 1));
                if roadmap.problems.is_empty() && meaning(&roadmap) != wanted {
                    lost.push(damaged);
                }
            }
        }
    }
    assert_eq!(lost, Vec::<String>::new());
}
