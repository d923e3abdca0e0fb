//! `autopilot phase`

mod files;

use std::{
    collections::BTreeMap,
    io::{self, BufRead, IsTerminal},
};

use autopilot_core::{
    id::RunId,
    phases::{Close, Status},
    returns::Score,
    roadmap::{
        Dependents, EditError, Edited, NewPhase, PhaseId, TO_BE_PLANNED, add_phase, insert_phase,
        parse, parse_bytes, remove_phase,
    },
    run::Work,
};
use autopilot_engine::{book::Book, driver::Driver};
use autopilot_views::{NewestRun, clean, phases as view, phases_text};

use self::files::Files;
use crate::{
    args,
    commands::{data, engine_failure, json},
    config::Config,
    exit::Exit,
    failure::{Failure, Outcome},
    project::{Project, read},
    ui::Ui,
};

/// Adds, inserts, removes and lists phases of the roadmap.
pub(crate) fn phase(args: &args::Phase, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    match &args.action {
        args::PhaseAction::Add(action) => add(args, action, &project, ui),
        args::PhaseAction::Insert(action) => insert(args, action, &project, ui),
        args::PhaseAction::Remove(action) => remove(args, action, &project, ui),
        args::PhaseAction::List(action) => list(args, action, &project, ui),
    }
}

fn add(args: &args::Phase, action: &args::AddPhase, project: &Project, ui: &mut Ui) -> Outcome {
    let files = Files::open(project, args.roadmap.as_deref())?;
    let needs = (!action.depends_on.is_empty()).then(|| action.depends_on.join(", "));
    let mut new = NewPhase {
        goal: action.goal.clone(),
        criteria: action.criteria.clone(),
        depends_on: needs,
        ..NewPhase::from_text(&action.text)
    };
    let put = |new: &NewPhase| {
        let edited = add_phase(&files.roadmap, files.state(), new);
        edited.map_err(|error| refused(&files.path, &error))
    };
    let mut edited = put(&new)?;
    // Where there is no list, there is no line for what is said after the name.
    if lost_summary(&new, &files.roadmap, &edited).is_some() && new.goal.is_none() {
        new.goal.clone_from(&new.summary);
        edited = put(&new)?;
    }
    files.write(&edited)?;
    warn_of_lost_summary(&new, &files, &edited, ui);
    tell_put("added", &files, &edited, ui);
    let described = parse(edited.roadmap.as_str());
    let described = described.phase(edited.id);
    if new.goal.is_some() && described.is_none_or(|phase| phase.goal.is_none()) {
        ui.warn(&format!(
            "`{}` has no sections for phases, so what was said about the goal, criteria and dependencies of this one is \
             not in it",
            files.path
        ));
    }
    for lack in new.lacks(&action.text, &parse(files.roadmap.as_str())) {
        ui.warn(&lack.to_string());
    }
    Ok(Exit::Done)
}

/// What was said after the name and stands nowhere in the roadmap.
fn lost_summary<'a>(new: &'a NewPhase, before: &str, edited: &Edited) -> Option<&'a str> {
    let summary = new.summary.as_deref()?;
    let times = |text: &str| text.matches(summary).count();
    (times(&edited.roadmap) <= times(before)).then_some(summary)
}

fn warn_of_lost_summary(new: &NewPhase, files: &Files, edited: &Edited, ui: &mut Ui) {
    if let Some(summary) = lost_summary(new, &files.roadmap, edited) {
        ui.warn(&format!(
            "`{}` has no list with a line for `{}`, so it is not in it",
            files.path,
            clean(summary)
        ));
    }
}

fn insert(
    args: &args::Phase,
    action: &args::InsertPhase,
    project: &Project,
    ui: &mut Ui,
) -> Outcome {
    let after = id(&action.after)?;
    let files = Files::open(project, args.roadmap.as_deref())?;
    let new = NewPhase::from_text(&action.text);
    let edited = insert_phase(&files.roadmap, files.state(), after, &new);
    let edited = edited.map_err(|error| refused(&files.path, &error))?;
    files.write(&edited)?;
    tell_put("inserted", &files, &edited, ui);
    warn_of_lost_summary(&new, &files, &edited, ui);
    ui.tell(format!(
        "say what it is to reach, and how that is seen, where it says `{TO_BE_PLANNED}`"
    ));
    Ok(Exit::Done)
}

fn remove(
    args: &args::Phase,
    action: &args::RemovePhase,
    project: &Project,
    ui: &mut Ui,
) -> Outcome {
    let id = id(&action.phase)?;
    let files = Files::open(project, args.roadmap.as_deref())?;
    let dependents = if action.even_if_needed { Dependents::LeaveThem } else { Dependents::Refuse };
    let edited = remove_phase(&files.roadmap, files.state(), id, dependents);
    let edited = edited.map_err(|error| refused(&files.path, &error))?;
    let name = clean(&edited.name);
    if !action.yes && !confirmed(&format!("phase {id} ({name})"), &files.path, ui)? {
        ui.tell("nothing was changed");
        return Ok(Exit::Refused);
    }
    files.write(&edited)?;
    ui.tell(format!("removed phase {id} ({name}) from {}", files.changed(&edited)));
    ui.tell("no other phase has another number now, and files of the phase are where they were");
    Ok(Exit::Done)
}

/// Shows every phase of the roadmap, and what to do next.
fn list(args: &args::Phase, action: &args::ListPhases, project: &Project, ui: &mut Ui) -> Outcome {
    let config = project.config().unwrap_or_else(|_| Config::built_in());
    let path = project.roadmap(args.roadmap.as_deref(), &config)?;
    let roadmap = parse_bytes(read(&project.root.join(&path))?);
    let runs = project.runs().list().map_err(|error| engine_failure(&error))?;
    // A journal that cannot be read is reported by the commands that look at its run.
    let newest = runs.iter().rev().find_map(|run| {
        let state = Book::read(&project.home.journal(run)).ok().flatten();
        state.filter(|state| state.given.roadmap == path)
    });
    let alive = newest.as_ref().is_some_and(|state| {
        let holder = Book::holder(&project.home.journal(&state.given.run)).ok().flatten();
        state.ending.is_none() && holder.is_some_and(|holder| holder.is_running())
    });
    let scores = earlier_scores(project, &runs, &path);
    let newest = newest.as_ref().map(|run| NewestRun { run, alive });
    let view = view(&roadmap, &path, newest, &scores);
    data(ui, &if action.json { json(&view)? } else { phases_text(&view) })?;
    Ok(Exit::Done)
}

/// The last score of each phase, of all runs over this roadmap.
fn earlier_scores(project: &Project, runs: &[RunId], path: &str) -> BTreeMap<PhaseId, Score> {
    let mut scores = BTreeMap::new();
    for run in runs {
        let state = Book::read(&project.home.journal(run)).ok().flatten();
        let Some(state) = state.filter(|state| state.given.roadmap == path) else { continue };
        let Work::Phases(work) = &state.work;
        for phase in &work.list {
            if let Status::Closed(Close::Completed { score, .. }) = phase.status {
                scores.insert(phase.spec.id, score);
            }
        }
    }
    scores
}

fn tell_put(how: &str, files: &Files, edited: &Edited, ui: &mut Ui) {
    let name = clean(&edited.name);
    ui.tell(format!("{how} phase {} ({name}) in {}", edited.id, files.changed(edited)));
    ui.tell("commit it before the next run: agents see the last commit");
}

/// Asks on a terminal; elsewhere nobody can be asked.
fn confirmed(what: &str, path: &str, ui: &mut Ui) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::refused(
            format!("nobody can be asked whether {what} is to be removed"),
            "what is said about it in the roadmap would be gone",
            "say it with `-y`",
        ));
    }
    ui.tell(format!("Remove {what} from {path}? [y/N]"));
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    Ok(read.is_ok() && matches!(line.trim(), "y" | "Y" | "yes"))
}

fn id(text: &str) -> Result<PhaseId, Failure> {
    text.parse().map_err(|error: autopilot_core::roadmap::PhaseIdError| {
        Failure::refused(
            error.to_string(),
            "only phases of the roadmap can be edited",
            "`autopilot phase list` names them",
        )
    })
}

/// Why the roadmap was not edited, as a person sees it.
fn refused(path: &str, error: &EditError) -> Failure {
    let (why, hint) = match error {
        EditError::NoSuchPhase(_) => {
            ("only phases of the roadmap can be edited", "`autopilot phase list` names them")
        }
        EditError::Twice(_) => {
            ("the other one might go with it", "give one of them another id in the file")
        }
        EditError::NotNumbered(_) => {
            ("an inserted phase is named by it", "`autopilot phase add` puts a phase at the end")
        }
        EditError::Needed { .. } => (
            "what they need would be gone",
            "change what they depend on first, or say `--even-if-needed` and leave them as they are",
        ),
        EditError::NoName => ("a phase is known by its name", "say it in words"),
        EditError::NoSuchDependency(_) | EditError::UnreadableDependency(_) => (
            "a phase is scheduled by what it depends on",
            "name phases of the roadmap, with the reason: `--depends-on 'Phase 3 (its parser)'`; or say `independent`",
        ),
        EditError::Misread { .. } => (
            "an agent would be told something else than you meant",
            "leave marks of status, bold and labels out of the words; or write it into the file by hand",
        ),
        EditError::Entangled { .. } => (
            "other phases would be lost or changed",
            "take it out by hand; `autopilot roadmap` shows what is read then",
        ),
    };
    Failure::refused(format!("`{path}`: {error}"), why, hint)
}
