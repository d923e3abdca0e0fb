//! Rows of the tables that real roadmaps have.

use super::*;

const PROGRESS: &str = "| Phase | Plans Complete | Status | Completed |";

fn row(header: &str, text: &str) -> Option<(String, String, Status)> {
    let row = Columns::read(header)?.row(text, 1)?;
    let id = if row.first == row.last {
        row.first.to_string()
    } else {
        format!("{}..{}", row.first, row.last)
    };
    Some((id, row.name.to_owned(), row.status))
}

#[test]
fn first_cells_of_every_known_shape_are_read() {
    for (cell, id, name) in [
        ("1. Base", "1", "Base"),
        ("2.1 Polish", "2.1", "Polish"),
        ("2.1. Polish", "2.1", "Polish"),
        ("01", "1", ""),
        ("Phase 1", "1", ""),
        ("Phase 1: Base", "1", "Base"),
        ("H.1. Wiki", "H.1", "Wiki"),
        ("3a. Plan — Apply", "3a", "Plan — Apply"),
        ("m9-01. Canvas", "m9-01", "Canvas"),
        ("~~3.4 Graph~~", "3.4", "Graph"),
        ("**3.1c**", "3.1c", ""),
        ("1-9", "1..9", ""),
        ("43-44. (reserved)", "43..44", "(reserved)"),
    ] {
        let found = row(PROGRESS, &format!("| {cell} | 0/3 | Planned | - |"));
        assert_eq!(found, Some((id.into(), name.into(), Status::Open)), "{cell}");
    }
    for cell in ["**v2.0**", "9 minutes", "0 (initial)", "-", "", "Total"] {
        let found = row(PROGRESS, &format!("| {cell} | 0/3 | Planned | - |"));
        assert_eq!(found, None, "{cell}");
    }
}

#[test]
fn columns_are_found_by_their_names() {
    const MILESTONE: &str = "| Phase | Milestone | Plans Complete | Status | Completed |";
    for (header, text, id, status) in [
        (PROGRESS, "| 1. A | 3/3 | Complete   | 2026-01-01 |", "1", Status::Done),
        (MILESTONE, "| 1. A | v1 | 3/3 | **Complete** | - |", "1", Status::Done),
        (MILESTONE, "| 1. A | v1 | Complete   | 2026-01-01 | - |", "1", Status::Done),
        (MILESTONE, "| 1. A | v1 | 0/3 | - | - |", "1", Status::Blank),
        ("| Phase | Status | Version |", "| 1. A | Not started | - |", "1", Status::Open),
        ("| Wave | Phase | Name | Status |", "| A | 4 | N | Pending |", "4", Status::Open),
        (
            "| Execution Order | Phase | Name | Status |",
            "| done | 3.1 | N | ✅ |",
            "3.1",
            Status::Done,
        ),
        ("| # | Phase | Goal | Requirements |", "| 4 | Polish | All | A-01 |", "4", Status::Blank),
        ("| Dir | v2.0 Phase | Name |", "| 06 | Phase 06 | Base |", "6", Status::Blank),
        ("| Фаза | Планов | Статус |", "| 1. База | 3/3 | Верификация |", "1", Status::Open),
    ] {
        let found = row(header, text).map(|(id, _, status)| (id, status));
        assert_eq!(found, Some((id.into(), status)), "{header} {text}");
    }
}

#[test]
fn tables_about_other_things_are_left_alone() {
    assert_eq!(Columns::read("| Requirement | Phase | Status |"), None);
    assert_eq!(Columns::read("| Milestone | Phases | Status |"), None);
    assert_eq!(Columns::read("| Cycle | Score | Status |"), None);
}
