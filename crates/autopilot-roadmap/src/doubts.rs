//! Reports lines that may say how far a phase is, or what it needs, in words that are not read.

use super::{
    found::Found,
    model::Roadmap,
    phase_id::PhaseId,
    problem::{Problem, ProblemKind, excerpt},
    section::Opened,
    status::{self, Status},
};

/// Adds what is doubtful about the phases that count as open.
pub(super) fn note(roadmap: &mut Roadmap, found: &Found<'_>) {
    let mut problems: Vec<Problem> = found
        .texts
        .prerequisites
        .iter()
        .map(|line| {
            Problem::new(
                *line,
                ProblemKind::UnreadableDependency,
                "this may say what a phase depends on, but is not read; write `**Depends on**: Phase 1`",
            )
        })
        .collect();
    note_rows(roadmap, found, &mut problems);
    note_statuses(roadmap, &mut problems);
    note_lines(roadmap, found, &mut problems);
    roadmap.problems.append(&mut problems);
}

fn is_open(roadmap: &Roadmap, id: PhaseId) -> bool {
    roadmap.phase(id).is_some_and(|phase| !phase.complete)
}

/// Rows inside of a phase, and of tables that are about other things.
fn note_rows(roadmap: &Roadmap, found: &Found<'_>, problems: &mut Vec<Problem>) {
    for row in &found.inner_rows {
        let told = row.struck || matches!(row.status, Status::Done | Status::Dropped);
        if told && is_open(roadmap, row.first) {
            let what = format!(
                "this row may say that phase `{}` is done or given up, but is not read; put it into a table with \
                 a `Phase` and a `Status` column below a heading such as `## Progress`",
                row.first
            );
            problems.push(Problem::new(row.number, ProblemKind::UnknownTableRow, what));
        }
    }
}

/// Statuses in words that are not known.
fn note_statuses(roadmap: &Roadmap, problems: &mut Vec<Problem>) {
    for phase in roadmap.phases.iter().filter(|phase| !phase.complete) {
        let Some(told) = phase.status.as_deref().filter(|told| status::may_mean_done(told)) else {
            continue;
        };
        let what = format!(
            "the status `{}` may say that phase `{}` is done, but is not known; write `Complete`",
            excerpt(told),
            phase.id
        );
        let line = phase.lines.table.unwrap_or_else(|| phase.line());
        problems.push(Problem::new(line, ProblemKind::Unreadable, what));
    }
}

/// Labels, list lines and sentences.
fn note_lines(roadmap: &Roadmap, found: &Found<'_>, problems: &mut Vec<Problem>) {
    let labels = found.texts.completions.iter().copied();
    let mentions = found.mentions.iter().filter(|mention| mention.done);
    let entries = found.entries.iter().filter(|entry| {
        !entry.certain && (entry.status == Status::Done || status::read(entry.name) == Status::Done)
    });
    let titles = found.sections.iter().filter(|section| {
        section.opened == Opened::BoldText && status::read(section.title.name) == Status::Done
    });
    let several = found.several.iter().filter(|several| several.ticked).flat_map(|several| {
        let ids = roadmap.phases.iter().map(|phase| phase.id);
        ids.filter(|id| several.names(*id)).map(|id| (several.line, id))
    });
    let lines = labels
        .chain(several)
        .chain(titles.map(|section| (section.line, section.id)))
        .chain(mentions.map(|mention| (mention.line, mention.id)))
        .chain(entries.map(|entry| (entry.line, entry.id)));
    for (line, id) in lines {
        if is_open(roadmap, id) {
            let what = format!(
                "this may say that phase `{id}` is done, but is not read; write `**Status**: Complete` below its heading"
            );
            problems.push(Problem::new(line, ProblemKind::Unreadable, what));
        }
    }
}
