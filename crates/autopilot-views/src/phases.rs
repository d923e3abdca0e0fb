//! Where a roadmap stands, and what to do next.

use std::collections::BTreeMap;

use autopilot_core::{
    fact::Ending,
    returns::Score,
    roadmap::{Phase, PhaseId, Roadmap},
    run::{Run, Standing, Work},
};
use serde::Serialize;

use crate::{PhaseView, clean, status, table};

/// Where a roadmap stands, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct RoadmapView {
    /// The file.
    pub roadmap: String,
    /// The newest run that works on it, whose facts count more than marks in the file.
    pub run: Option<String>,
    /// How many phases are complete.
    pub complete: usize,
    /// How many phases there are.
    pub total: usize,
    /// How many of a hundred are complete, as a whole number.
    pub percent: usize,
    /// The phase that can be begun next.
    pub next: Option<String>,
    /// The command to type.
    pub action: Option<String>,
    /// Why it is the one.
    pub why: String,
    /// The phases, in order.
    pub phases: Vec<RoadmapPhaseView>,
}

/// Where a phase of a roadmap stands, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct RoadmapPhaseView {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// In one word or two: `complete`, `active`, `failed`, `blocked`, `broken`, `needs a person`, `refused`, `not started`.
    pub status: &'static str,
    /// The step it is at, why it ended like this, or where its work is.
    pub detail: Option<String>,
    /// Its score, once it has one.
    pub score: Option<String>,
    /// The phases that it depends on.
    pub depends_on: Vec<String>,
}

/// What the newest run knows; `alive` tells whether someone is working on it right now.
#[derive(Clone, Copy, Debug)]
pub struct NewestRun<'a> {
    /// The run.
    pub run: &'a Run,
    /// Whether someone is working on it.
    pub alive: bool,
}

/// What to type next, and why.
struct Action {
    command: Option<String>,
    why: String,
}

impl Action {
    fn new(command: impl Into<String>, why: impl Into<String>) -> Self {
        Self { command: Some(command.into()), why: why.into() }
    }
}

/// Where a roadmap stands. `path` is the file; a run that works on another one says nothing about it. `scores` are those
/// that phases had in earlier runs.
pub fn phases(
    roadmap: &Roadmap,
    path: &str,
    newest: Option<NewestRun<'_>>,
    scores: &BTreeMap<PhaseId, Score>,
) -> RoadmapView {
    let newest = newest.filter(|newest| newest.run.given.roadmap == path);
    let seen = newest.map(|newest| status(newest.run, newest.alive).phases).unwrap_or_default();
    let live: Vec<&Phase> = roadmap.phases.iter().filter(|phase| !phase.duplicate).collect();
    let shown: Vec<RoadmapPhaseView> =
        live.iter().map(|phase| phase_view(phase, &seen, newest, scores)).collect();
    let complete = shown.iter().filter(|phase| phase.status == "complete").count();
    let next = next(&live, &shown);
    let action = action(&live, &shown, next, newest);
    RoadmapView {
        roadmap: path.to_owned(),
        run: newest.map(|newest| newest.run.given.run.to_string()),
        complete,
        total: shown.len(),
        percent: (complete * 200 + shown.len()).checked_div(shown.len() * 2).unwrap_or(0),
        next: next.map(|place| shown[place].id.clone()),
        action: action.command,
        why: action.why,
        phases: shown,
    }
}

/// Where a roadmap stands, as text.
pub fn phases_text(view: &RoadmapView) -> String {
    let mut rows =
        vec![["PHASE", "NAME", "STATUS", "SCORE", "AFTER", "DETAIL"].map(str::to_owned).to_vec()];
    for phase in &view.phases {
        rows.push(vec![
            phase.id.clone(),
            clean(&phase.name),
            phase.status.to_owned(),
            phase.score.clone().unwrap_or_else(|| "-".to_owned()),
            phase.depends_on.join(", "),
            phase.detail.as_deref().map(clean).unwrap_or_default(),
        ]);
    }
    let named = |id: &String| {
        let phase = view.phases.iter().find(|phase| phase.id == *id);
        format!("next: phase {id} ({})\n", clean(phase.map_or("", |phase| &phase.name)))
    };
    let next = view.next.as_ref().map(named).unwrap_or_default();
    let why = clean(&view.why);
    let action = view.action.as_ref().map_or_else(
        || format!("nothing to do: {why}\n"),
        |action| format!("do: `{}` ({why})\n", clean(action)),
    );
    let phases = if view.phases.is_empty() { String::new() } else { table(&rows) + "\n" };
    format!(
        "{}: {} of {} phases complete ({} %)\n\n{phases}{next}{action}",
        clean(&view.roadmap),
        view.complete,
        view.total,
        view.percent,
    )
}

fn phase_view(
    phase: &Phase,
    seen: &[PhaseView],
    newest: Option<NewestRun<'_>>,
    scores: &BTreeMap<PhaseId, Score>,
) -> RoadmapPhaseView {
    let own = seen.iter().find(|seen| seen.id == phase.id.as_str());
    let (status, detail) = match own.map(|seen| (seen.status, seen.detail.clone())) {
        Some(("completed", detail)) => ("complete", unlanded(phase, newest).or(detail)),
        Some((
            status @ ("active" | "failed" | "blocked" | "broken" | "needs a person" | "refused"),
            detail,
        )) => (status, detail),
        // A run that has not begun it knows no more than the file.
        Some(_) | None if phase.complete => ("complete", None),
        Some(_) | None => ("not started", None),
    };
    RoadmapPhaseView {
        id: phase.id.to_string(),
        name: phase.name.to_string(),
        status,
        detail,
        score: own
            .and_then(|seen| seen.score.clone())
            .or_else(|| scores.get(&phase.id).map(ToString::to_string)),
        depends_on: phase.depends_on.iter().map(PhaseId::to_string).collect(),
    }
}

/// Where the work of a phase is that a run has completed and the file does not know of.
fn unlanded(phase: &Phase, newest: Option<NewestRun<'_>>) -> Option<String> {
    let run = &newest.filter(|_| !phase.complete)?.run.given.run;
    Some(format!("on autopilot/{run}/head, not landed"))
}

/// The first phase that can be begun: what it needs is complete. One that failed comes after all others.
fn next(live: &[&Phase], shown: &[RoadmapPhaseView]) -> Option<usize> {
    let is_complete = |id: &PhaseId| {
        let place = live.iter().position(|phase| phase.id == *id);
        // What is no phase of the file holds nothing back.
        place.is_none_or(|place| shown[place].status == "complete")
    };
    let can_begin = |place: &usize| {
        shown[*place].status != "complete" && live[*place].depends_on.iter().all(is_complete)
    };
    let mut open = (0..live.len()).filter(can_begin);
    let fresh = open.clone().find(|place| shown[*place].status != "failed");
    fresh.or_else(|| open.next())
}

fn action(
    live: &[&Phase],
    shown: &[RoadmapPhaseView],
    next: Option<usize>,
    newest: Option<NewestRun<'_>>,
) -> Action {
    if shown.is_empty() {
        return Action::new("autopilot phase add NAME", "the roadmap has no phases yet");
    }
    if let Some(action) = newest.and_then(|newest| of_run(live, shown, newest)) {
        return action;
    }
    match next.map(|place| &shown[place]) {
        Some(phase) if phase.status == "failed" => Action::new(
            format!("autopilot run {}", phase.id),
            "it failed in the last run; `autopilot log` tells why",
        ),
        Some(phase) => {
            Action::new(format!("autopilot run {}", phase.id), "all that it needs is complete")
        }
        None if shown.iter().all(|phase| phase.status == "complete") => {
            Action { command: None, why: "every phase is complete".to_owned() }
        }
        None => Action::new("autopilot roadmap", "every phase that is left waits for another one"),
    }
}

/// What a run asks for before anything new is begun.
fn of_run(live: &[&Phase], shown: &[RoadmapPhaseView], newest: NewestRun<'_>) -> Option<Action> {
    let NewestRun { run, alive } = newest;
    let name = &run.given.run;
    if alive {
        return Some(Action::new(format!("autopilot status {name}"), "it is working right now"));
    }
    match run.standing() {
        Standing::Asking(_) => {
            Some(Action::new(format!("autopilot status {name}"), "it waits for your answer"))
        }
        Standing::Working | Standing::Holding(_) | Standing::Stopped => {
            Some(Action::new(format!("autopilot resume {name}"), "it has not ended"))
        }
        Standing::Ended(ending) => {
            let Work::Phases(work) = &run.work;
            if work.retriable() > 0 && shown.iter().any(|phase| phase.status == "refused") {
                let command = format!("autopilot resume {name} --retry");
                return Some(Action::new(command, "a person refused what it did"));
            }
            let mut phases = live.iter().zip(shown);
            let waits = phases.any(|(phase, shown)| shown.status == "complete" && !phase.complete);
            let flag = if ending == Ending::Done { "" } else { " --incomplete" };
            let command = format!("autopilot land {name}{flag}");
            waits.then(|| Action::new(command, "what it completed is not on your branch yet"))
        }
    }
}

#[cfg(test)]
mod tests;
