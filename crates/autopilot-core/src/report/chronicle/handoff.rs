//! Where a run stands when an agent came to the end of what it can remember.

use std::fmt::Write as _;

use crate::{
    phases::{Close, Phase, Phases, Status},
    report::diagnostic::cell,
    roadmap::PhaseId,
    run::{Run, Work},
    sessions::clock::seconds,
    time::Timestamp,
};

/// How many handoffs of a run are told.
pub(super) const HANDOFFS_MAX: usize = 20;

/// The file of a handoff: its name, and what stands in it.
pub(super) fn file(
    run: &Run,
    id: PhaseId,
    at: Timestamp,
    (step, why): (&str, &str),
) -> (String, String) {
    let Work::Phases(work) = &run.work;
    let time = seconds(at);
    let plain = time.trim_end_matches('Z').replace(':', "");
    let mut text = format!(
        "# Handoff\n\n**Run ID:** {}\n**Timestamp:** {time}\n**Phase:** {id}\n**Step:** {}\n**Reason:** {}\n\n\
         ## Completed Phases\n| Phase | Score |\n|---|---|\n",
        run.given.run,
        cell(step),
        cell(why),
    );
    for phase in work.list.iter().filter(|phase| phase.part_of.is_none()) {
        if let Status::Closed(Close::Completed { score, .. }) = &phase.status {
            let name = cell(&phase.spec.name);
            // Writing into a text cannot fail.
            let _ = writeln!(text, "| {} {name} | {score}/10 |", phase.spec.id);
        }
    }
    let next = next(work, id).map_or_else(
        || "none".to_owned(),
        |phase| format!("{} {}", phase.spec.id, cell(&phase.spec.name)),
    );
    let _ = write!(
        text,
        "\n## Next\n- In hand: phase {id}; the next agent goes on by its HANDOFF.md\n- Next phase: {next}\n\
         - If nothing works on it: `autopilot resume {}`\n",
        run.given.run
    );
    (format!("handoff-{plain}.md"), text)
}

/// The first phase that has not begun.
fn next(work: &Phases, id: PhaseId) -> Option<&Phase> {
    let is_next = |phase: &&Phase| {
        matches!(phase.status, Status::Waiting) && phase.part_of.is_none() && phase.spec.id != id
    };
    work.list.iter().find(is_next)
}
