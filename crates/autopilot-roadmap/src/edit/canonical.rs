//! The form of a roadmap that had no phase before.

use super::{
    super::table::Columns, applied, fields::Fields, file::File, opening::Opening, put::Draft,
    tables,
};

/// The parts of a roadmap with their headings.
struct Part {
    heading: &'static str,
    lines: Vec<String>,
}

/// The text with its first phase. Parts go below their headings where these are there, else to the end.
pub(super) fn with_phase(text: &str, file: &File<'_>, draft: &Draft) -> String {
    let mut changes = Vec::new();
    let mut missing: Vec<String> = Vec::new();
    let table =
        tables::find(&file.outline, |header| Columns::read(header).filter(Columns::has_status));
    for part in parts(draft) {
        let found = file.outline.lines.iter().position(|line| {
            let title = line.text.trim().trim_start_matches('#').trim();
            line.level.is_some() && title.eq_ignore_ascii_case(part.heading)
        });
        match (found, table.first()) {
            (Some(_), Some(table)) if part.heading == PROGRESS => {
                let line = table.last_line();
                changes.push(file.after(line, &table.row(&file.outline, line, draft.row(false))));
            }
            (Some(heading), _) => {
                let block = std::iter::once(String::new()).chain(part.lines).collect::<Vec<_>>();
                changes.push(file.after(heading, &block.join(file.outline.line_end)));
            }
            (None, _) => {
                let heading = format!("## {}", part.heading);
                missing.extend([String::new(), heading, String::new()]);
                missing.extend(part.lines);
            }
        }
    }
    let mut edited = applied(text, changes);
    let line_end = file.outline.line_end;
    if edited.trim_start_matches('\u{feff}').trim().is_empty() {
        missing.insert(0, "# Roadmap".to_owned());
    } else if !edited.ends_with(['\n', '\r']) && !missing.is_empty() {
        edited.push_str(line_end);
    }
    for line in missing {
        edited.push_str(&line);
        edited.push_str(line_end);
    }
    edited
}

const PROGRESS: &str = "Progress";

fn parts(draft: &Draft) -> [Part; 3] {
    let opening = Opening::default().write(draft.id, &draft.name);
    let id = draft.id;
    [
        Part { heading: "Phases", lines: vec![format!("- [ ] {opening} - {}", draft.summary)] },
        Part { heading: "Phase Details", lines: Fields::usual().write(draft.values()) },
        Part {
            heading: PROGRESS,
            lines: vec![
                "**Execution Order:**".to_owned(),
                format!("Phases {id}+: {id}"),
                String::new(),
                "| Phase | Status | Completed |".to_owned(),
                "|-------|--------|-----------|".to_owned(),
                format!("| {id}. {} | Not started | - |", draft.name.replace('|', "\\|")),
            ],
        },
    ]
}
