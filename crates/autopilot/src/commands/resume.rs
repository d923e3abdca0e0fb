//! `autopilot resume`

use autopilot_core::{
    fact::Ending,
    id::RunId,
    policy::BreakerState,
    run::{Frozen, Run, Standing, Work},
    sessions::clock::seconds,
    time::Timestamp,
};
use autopilot_engine::{book::Book, driver::Driver, hash::sha256_hex};
use autopilot_views::counted;

use crate::{
    args::Resume,
    commands::{answer::accept_spec, engine_failure, go, go::warn_untold, say},
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
            let failed = counted(u64::try_from(failed).unwrap_or(u64::MAX), "failed phase");
            ui.tell(format!("`autopilot resume --retry` tries {failed} once more"));
        }
        let done = ending == Ending::Done;
        return Ok(if done { Exit::Done } else { Exit::Incomplete });
    }
    if args.accept_spec_change {
        accept_spec(&project, (&run, &state), ui)?;
    } else {
        for changed in changed_since(&project, &state) {
            ui.warn(&format!(
                "`{changed}` has changed since {run} began; what is under way goes on as it was, and the next phase does not \
                 begin (`--accept-spec-change` lets it)"
            ));
        }
    }
    if let Some(path) = &args.answers {
        let answers = say::from_file(path)?;
        say::leave_all(&project.runs(), &project.home, &run, &answers)?;
    }
    warn_if_cooling(&run, &state, ui);
    go::go(&go::Crew::new(&project, &config, ui)?.retrying(args.retry), &run, ui)
}

/// Says that the breaker has opened a moment ago: what it opened for may be there still.
fn warn_if_cooling(run: &RunId, state: &Run, ui: &mut Ui) {
    let now = Timestamp::from_ms(jiff::Timestamp::now().as_millisecond());
    let until = state.breaker.cooldown_until.filter(|until| *until > now);
    if let Some(until) = until.filter(|_| state.breaker.state == BreakerState::Open) {
        ui.warn(&format!(
            "{run} stopped because its steps came to nothing, and was to cool down until {}; it goes on at once, and the \
             next step that comes to nothing stops it again",
            seconds(until)
        ));
    }
}

/// How many failed phases may be tried again.
pub(super) fn retriable(state: &Run) -> usize {
    let Work::Phases(work) = &state.work;
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

/// The documents that are others than the run knows. One that cannot be read is told by the next phase.
fn changed_since(project: &Project, state: &Run) -> Vec<String> {
    let has_changed = |frozen: &Frozen| {
        read(&project.root.join(&frozen.path))
            .is_ok_and(|bytes| !frozen.allows(&sha256_hex(&bytes)))
    };
    let frozen = state.frozen().into_iter();
    frozen.filter(has_changed).map(|frozen| frozen.path).collect()
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
