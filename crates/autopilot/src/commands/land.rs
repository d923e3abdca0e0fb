//! `autopilot land`

use std::io::{self, BufRead, IsTerminal};

use autopilot_core::{
    fact::Ending,
    run::{Run, Standing, Work},
};
use autopilot_engine::{
    book::Book,
    git::{Git, GitError, GitErrorKind, ObjectId, OwnRef, Project as Repository},
};
use autopilot_views::{PhaseView, clean, status as view};

use crate::{
    args,
    commands::{audit::refuse_damaged, engine_failure},
    exit::Exit,
    failure::{Failure, Outcome},
    project::Project,
    ui::Ui,
};

/// Brings a run that has ended to the person's branch.
pub(crate) fn land(args: &args::Land, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let run = project.run(args.run.as_deref())?;
    // Before anything that it says is believed.
    refuse_damaged(&project.home.journal(&run), ui)?;
    let (run, state) = project.state(Some(run.as_str()))?;
    refuse_while_it_may_move(&project, &state)?;
    name_incomplete(args, &state, ui)?;
    let repository = Repository::open(&project.root, Git::from_own_environment())
        .map_err(|error| engine_failure(&error.into()))?;
    let head = head_of(&repository, &state)?;
    let here = repository.head().map_err(|error| engine_failure(&error.into()))?;
    let landed = repository.is_ancestor(&head, &here.commit);
    if landed.map_err(|error| engine_failure(&error.into()))? {
        ui.tell(format!("{run} is on your branch already"));
        return Ok(Exit::Done);
    }
    if !args.yes && !confirmed(run.as_str(), here.branch.as_deref(), ui) {
        ui.tell("nothing was changed");
        return Ok(Exit::Refused);
    }
    repository.land(&head).map_err(|error| not_landed(run.as_str(), error))?;
    ui.tell(format!("your branch is at {head} now; `git log` shows what came with it"));
    Ok(Exit::Done)
}

fn refuse_while_it_may_move(project: &Project, state: &Run) -> Result<(), Failure> {
    let run = &state.given.run;
    let holder =
        Book::holder(&project.home.journal(run)).map_err(|error| engine_failure(&error))?;
    let working = holder.is_some_and(|holder| holder.is_running());
    match state.standing() {
        Standing::Ended(_) if !working => Ok(()),
        _ => Err(Failure::refused(
            format!("{run} is not finished"),
            "its branch may still move",
            format!(
                "`autopilot status {run}` tells where it stands; `autopilot resume {run}` goes on"
            ),
        )),
    }
}

/// Names the phases that are not complete, and refuses to go on unless the person has said that they know.
fn name_incomplete(args: &args::Land, state: &Run, ui: &mut Ui) -> Result<(), Failure> {
    // A run that only asked was to complete none: what it brings are answers.
    if state.given.manner.talk.only {
        return Ok(());
    }
    let run = &state.given.run;
    let told = view(state, false);
    // Whether a phase with parts is complete is told by itself.
    let phases: Vec<&PhaseView> =
        told.phases.iter().filter(|phase| phase.part_of.is_none()).collect();
    let incomplete: Vec<&&PhaseView> =
        phases.iter().filter(|phase| phase.status != "completed").collect();
    for phase in &incomplete {
        let how = match (phase.status, phase.detail.as_deref()) {
            ("waiting", _) => "was not begun".to_owned(),
            ("active", Some(step)) => format!("was left at its step {}", clean(step)),
            ("failed", Some(why)) => format!("failed: {}", clean(why)),
            ("blocked", Some(by)) => format!("was not begun: {}", clean(&by.replace('_', " "))),
            (status, Some(why)) => format!("is {status}: {}", clean(why)),
            (status, None) => format!("is {status}"),
        };
        ui.tell(format!("phase {} ({}) {how}", phase.id, clean(&phase.name)));
    }
    for gap in &told.missing {
        ui.tell(format!("missing: {}", clean(gap)));
    }
    let stopped = stopped_before_its_end(state);
    if let Some(how) = &stopped {
        ui.tell(format!("{run} {}", clean(how)));
    }
    if args.incomplete || (incomplete.is_empty() && told.missing.is_empty() && stopped.is_none()) {
        return Ok(());
    }
    if incomplete.is_empty() && stopped.is_some() {
        return Err(Failure::refused(
            format!("{run} did not come to its end"),
            "its phases are complete, but what is looked at after the last one is missing",
            format!(
                "`autopilot resume {run}` goes on; `autopilot land {run} --incomplete` brings it over as it is"
            ),
        ));
    }
    if incomplete.is_empty() {
        return Err(Failure::refused(
            format!("the result of {run} lacks something that was asked for"),
            "your branch would get a part of what the run was started for",
            format!(
                "`autopilot land {run} --incomplete` brings it over as it is; `autopilot log {run}` tells what was tried"
            ),
        ));
    }
    Err(Failure::refused(
        format!("{run} has not completed {} of its {} phases", incomplete.len(), phases.len()),
        "your branch would get a part of what the run was started for",
        format!(
            "`autopilot land {run} --incomplete` brings over what is complete; `autopilot log {run}` tells what \
             happened to the rest"
        ),
    ))
}

/// What ended a run before everything in it was looked at, the result as a whole included.
fn stopped_before_its_end(state: &Run) -> Option<String> {
    match state.ending.as_ref()? {
        Ending::Done | Ending::Incomplete => None,
        Ending::Halted { why } => Some(format!("was stopped: {why}")),
        Ending::Ceiling(ceiling) => Some(format!("was stopped by the limit `{}`", ceiling.name())),
        Ending::NoAgent { why } => Some(format!("was stopped: no agent could be used: {why}")),
        Ending::Checkpoint { .. } => {
            Some("pauses for a person to look, and is not over".to_owned())
        }
    }
}

/// Where the run branch is, which must be where the run left it: what the run has not proven is not landed.
fn head_of(repository: &Repository, state: &Run) -> Result<ObjectId, Failure> {
    let run = &state.given.run;
    let Work::Phases(phases) = &state.work;
    let found =
        OwnRef::branch(&format!("{run}/head")).and_then(|branch| repository.read_ref(&branch));
    let found = found.map_err(|error| engine_failure(&error.into()))?.ok_or_else(|| {
        Failure::refused(
            format!("the branch autopilot/{run}/head is gone"),
            "there is nothing to bring over",
            format!("`git branch autopilot/{run}/head {}` puts it back", phases.head),
        )
    })?;
    if found.as_str() == phases.head.as_str() {
        return Ok(found);
    }
    Err(Failure::refused(
        format!(
            "the branch autopilot/{run}/head is at {found}, but {run} left it at {}",
            phases.head
        ),
        "your branch would get commits that the run has not proven; nothing was changed",
        format!(
            "`git branch NAME {found}` keeps what is there now, `git branch -f autopilot/{run}/head {}` puts the branch \
             back, then land again",
            phases.head
        ),
    ))
}

fn not_landed(run: &str, error: GitError) -> Failure {
    let has_moved_on = matches!(error.kind(), GitErrorKind::NotFastForward);
    let mut failure = engine_failure(&error.into());
    if has_moved_on {
        failure.hint = format!(
            "`git merge autopilot/{run}/head` brings the two together, or rebase one of them; nothing was changed"
        );
    }
    failure
}

/// Asks on a terminal; in a script the command itself is the person's word.
fn confirmed(run: &str, branch: Option<&str>, ui: &mut Ui) -> bool {
    if !io::stdin().is_terminal() {
        return true;
    }
    let branch = branch.unwrap_or("your detached HEAD");
    ui.tell(format!("Bring {run} to {branch} by fast-forward? [y/N]"));
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    read.is_ok() && matches!(line.trim(), "y" | "Y" | "yes")
}
