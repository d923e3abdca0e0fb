//! `autopilot resume`

use autopilot_core::{
    fact::Ending,
    id::RunId,
    run::{Run, Standing},
};
use autopilot_engine::{book::Book, driver::Driver, hash::sha256_hex};

use crate::{
    args::Resume,
    commands::{answer::accept_spec, engine_failure, go, go::warn_untold},
    exit::Exit,
    failure::{Failure, Outcome},
    project::{Project, read},
    ui::Ui,
};

/// Goes on with a run that was stopped, killed or is waiting.
pub(crate) fn resume(args: &Resume, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let config = project.config()?;
    let (run, state) = project.state(args.run.as_deref())?;
    refuse_if_none_failed(args, &run, &state)?;
    if let Standing::Ended(ending @ (Ending::Done | Ending::Incomplete)) = state.standing()
        && !state.has_broken_promises()
        && !args.retry
    {
        // Going on checks the whole journal; whoever hears that there is nothing to do relies on it as well.
        Book::audit(&project.home.journal(&run)).map_err(|error| engine_failure(&error))?;
        tell_again(&project, &run, ui);
        ui.tell(format!("{run} is over already; there is nothing to resume"));
        if let failed @ 1.. = retriable(&state) {
            ui.tell(format!("`autopilot resume --retry` tries {failed} failed phases once more"));
        }
        let done = ending == Ending::Done;
        return Ok(if done { Exit::Done } else { Exit::Incomplete });
    }
    if args.accept_spec_change {
        accept_spec(&project, (&run, &state), ui)?;
    } else if has_new_spec(&project, &state) {
        ui.warn(&format!(
            "`{}` has changed since {run} began; what is under way goes on as it was, and the next phase does not begin \
             (`--accept-spec-change` lets it)",
            state.given.roadmap
        ));
    }
    go::go(&go::Crew::new(&project, &config, ui)?.retrying(args.retry), &run, ui)
}

/// How many failed phases may be tried again.
fn retriable(state: &Run) -> usize {
    let work = state.work.phases();
    work.retriable()
}

fn refuse_if_none_failed(args: &Resume, run: &RunId, state: &Run) -> Result<(), Failure> {
    if !args.retry || retriable(state) > 0 {
        return Ok(());
    }
    Err(Failure::refused(
        format!("{run} has no failed phase that was not tried again already"),
        "a phase that fails twice in the same way would only cost more the third time",
        "`autopilot run PHASE` does it in a new run, once its cause is out of the way",
    ))
}

/// Whether the roadmap is another one than the run knows. One that cannot be read is told by the next phase.
fn has_new_spec(project: &Project, state: &Run) -> bool {
    read(&project.root.join(&state.given.roadmap))
        .is_ok_and(|bytes| !state.specs().contains(&sha256_hex(&bytes)))
}

/// Writes the files that tell of the newest run again; those of an earlier one would take the place of its own.
fn tell_again(project: &Project, run: &RunId, ui: &mut Ui) {
    let driver = project.runs();
    if driver.list().is_ok_and(|runs| runs.last() == Some(run))
        && let Err(error) = driver.tell_again(run)
    {
        warn_untold(&error, ui);
    }
}
