//! The line at the bottom of a terminal while a run goes on.

use autopilot_core::{
    phases::{STEPS, Status},
    run::{Run, Work},
    time::Timestamp,
};

use crate::{clean, duration, money, status::phase_counts, tokens};

/// How many characters the bar itself takes.
const CELLS: usize = 20;

/// One line that tells where the run is, cut to the width of the terminal.
pub fn bar(run: &Run, now: Timestamp, width: usize) -> String {
    let (over, total) = phase_counts(run);
    let filled = (over * CELLS).checked_div(total).unwrap_or(0);
    let drawn = format!("{}{}", "#".repeat(filled), "-".repeat(CELLS - filled));
    let elapsed = duration(now.ms_since(run.submitted_at));
    let line = format!(
        "[{drawn}] {over}/{total}  {}  {elapsed}  {} tok  {}",
        doing(run, now),
        tokens(run.spent.tokens),
        money(run.spent.micro_usd),
    );
    line.chars().take(width).collect()
}

fn doing(run: &Run, now: Timestamp) -> String {
    if let Some(until) = run.wakes_at() {
        return format!("waiting {} for a usage limit", duration(until.ms_since(now)));
    }
    let Work::Phases(phases) = &run.work;
    let active = phases.active.iter().find_map(|&at| match &phases.list[at].status {
        Status::Active(active) => Some((&phases.list[at].spec.id, active)),
        Status::Waiting | Status::Closed(_) => None,
    });
    match active {
        Some((id, active)) => {
            let step = STEPS[active.stage.shown_as()];
            let task = active.stage.task().map(|task| clean(active.task_name(task)));
            format!("phase {id} {step} {}", task.unwrap_or_default()).trim_end().to_owned()
        }
        None => "between phases".to_owned(),
    }
}
