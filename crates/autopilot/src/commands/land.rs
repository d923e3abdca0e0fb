//! `autopilot land`

use std::io::{self, BufRead, IsTerminal};

use autopilot_core::{
    fact::Ending,
    run::{Run, Standing},
};
use autopilot_engine::{
    book::Book,
    git::{Git, ObjectId, OwnRef, Project as Repository},
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
    repository.land(&head).map_err(|error| engine_failure(&error.into()))?;
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
    let run = &state.given.run;
    refuse_unapproved(args, state)?;
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
    if args.incomplete || (incomplete.is_empty() && told.missing.is_empty()) {
        return Ok(());
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

/// Refuses the result of an issue that no person has taken, unless they say that they know.
fn refuse_unapproved(args: &args::Land, state: &Run) -> Result<(), Failure> {
    let is_open = state.work.issue().is_some() && state.ending != Some(Ending::Done);
    if !is_open || args.incomplete {
        return Ok(());
    }
    let run = &state.given.run;
    Err(Failure::refused(
        format!("nobody has taken the result of {run} at its merge gate"),
        "your branch would get work that may not hold",
        format!(
            "`autopilot status {run}` tells why it ended; `autopilot land {run} --incomplete` brings it over as it is"
        ),
    ))
}

/// Where the run branch is, which must be where the run left it: what the run has not proven is not landed.
fn head_of(repository: &Repository, state: &Run) -> Result<ObjectId, Failure> {
    let run = &state.given.run;
    let at = state.work.head();
    let found =
        OwnRef::branch(&format!("{run}/head")).and_then(|branch| repository.read_ref(&branch));
    let found = found.map_err(|error| engine_failure(&error.into()))?.ok_or_else(|| {
        Failure::refused(
            format!("the branch autopilot/{run}/head is gone"),
            "there is nothing to bring over",
            format!("`git branch autopilot/{run}/head {at}` puts it back"),
        )
    })?;
    if found.as_str() == at.as_str() {
        return Ok(found);
    }
    Err(Failure::refused(
        format!("the branch autopilot/{run}/head is at {found}, but {run} left it at {at}"),
        "your branch would get commits that the run has not proven; nothing was changed",
        format!(
            "`git branch NAME {found}` keeps what is there now, `git branch -f autopilot/{run}/head {at}` puts the branch \
             back, then land again"
        ),
    ))
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
