//! `autopilot approve`, `autopilot reject` and `autopilot waive`

use std::env;

use autopilot_core::{
    fact::Ending,
    id::{GateId, RunId},
    input::Answer,
    phases,
    run::Run,
    time::Timestamp,
};
use autopilot_engine::{
    driver::{Driver, Given},
    hash::sha256_hex,
    process::is_part_of_a_step,
};

use crate::{
    args,
    commands::engine_failure,
    exit::Exit,
    failure::{Failure, Outcome},
    project::{Project, read},
    ui::Ui,
};

/// What a person says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Approved.
    Yes,
    /// Rejected.
    No,
}

/// Gives a person's answer to a question.
pub(crate) fn answer(args: &args::Answer, word: Word, ui: &mut Ui) -> Outcome {
    let answer = Answer {
        approved: word == Word::Yes,
        message: args.message.clone(),
        by: person(),
        until: None,
    };
    let project = Project::find()?;
    let (run, state) = project.state(args.run.as_deref())?;
    let gate = GateId::new(args.gate.as_str());
    if !state.asked.contains_key(&gate) && !state.answers.contains_key(&gate) {
        let open: Vec<&str> = state.asked.keys().map(GateId::as_str).collect();
        let open = if open.is_empty() { "none".to_owned() } else { open.join(", ") };
        if !phases::may_ask(&state, &gate) {
            return Err(Failure::refused(
                format!("{run} never asks `{gate}`"),
                "an answer under the wrong name would leave the question open",
                format!("its open questions: {open}"),
            ));
        }
        ui.warn(&format!(
            "{run} has not asked `{gate}`; the answer counts if it ever does. Its open questions: {open}"
        ));
    }
    leave(&project, &run, &gate, &answer, ui)
}

/// Takes a person's word that the roadmap may be as it is now; the run keeps its phases as they were.
pub(crate) fn accept_spec(
    project: &Project,
    (run, state): (&RunId, &Run),
    ui: &mut Ui,
) -> Result<(), Failure> {
    let now = sha256_hex(&read(&project.root.join(&state.given.roadmap))?);
    if state.specs().contains(&now) {
        return Ok(());
    }
    let message = format!("the roadmap was {} when the run began", state.given.spec_sha256);
    let answer = Answer { approved: true, message, by: person(), until: None };
    leave(project, run, &GateId::spec(&now), &answer, ui).map(drop)
}

/// Takes a person's word that a check need not hold.
pub(crate) fn waive(args: &args::Waive, ui: &mut Ui) -> Outcome {
    if args.why.trim().is_empty() {
        return Err(Failure::refused(
            "a waiver needs a reason",
            "whoever reads the report in a year must see why something red was let through",
            "say it with `--why`",
        ));
    }
    let until = args.until.as_deref().map(until).transpose()?;
    let project = Project::find()?;
    let (run, state) = project.state(args.run.as_deref())?;
    refuse_if_over(&run, &state)?;
    let known = phases::check_names(&state);
    if !known.contains(&args.check) {
        return Err(Failure::refused(
            format!("{run} has no check `{}`", args.check),
            "a waiver for the wrong name would let nothing through, or the wrong thing",
            format!("its checks are: {}", known.join(", ")),
        ));
    }
    let answer = Answer { approved: true, message: args.why.clone(), by: person(), until };
    leave(&project, &run, &GateId::waiver(&args.check), &answer, ui)
}

/// A waiver counts from when it is given: what a run that is over has found stays as it is.
fn refuse_if_over(run: &RunId, state: &Run) -> Result<(), Failure> {
    let how = match &state.ending {
        Some(Ending::Done) => "everything in it is done",
        Some(Ending::Incomplete) if !state.has_broken_promises() => "nothing in it is tried again",
        Some(
            Ending::Incomplete
            | Ending::Ceiling(_)
            | Ending::NoAgent { .. }
            | Ending::Checkpoint { .. }
            | Ending::Halted { .. },
        )
        | None => return Ok(()),
    };
    Err(Failure::refused(
        format!("{run} is over, and {how}"),
        "a waiver is for what is red, and changes nothing of what was found already",
        "`autopilot run PHASE` does a phase again; waive the check once that run has begun",
    ))
}

fn leave(project: &Project, run: &RunId, gate: &GateId, answer: &Answer, ui: &mut Ui) -> Outcome {
    leave_answer(project, run, (gate, answer))?;
    ui.tell(format!("kept; `autopilot resume {run}` goes on if nothing is working on it"));
    Ok(Exit::Done)
}

/// Leaves a person's answer where the run takes it from.
pub(super) fn leave_answer(
    project: &Project,
    run: &RunId,
    (gate, answer): (&GateId, &Answer),
) -> Result<(), Failure> {
    if is_part_of_a_step(&project.home.guardian_lock(run)) {
        return Err(Failure::refused(
            format!("`{gate}` is for a person to answer, and this is a step of {run}"),
            "an agent that speaks for a person could let its own work through",
            "answer from a shell of your own",
        ));
    }
    let given = project.runs().answer(run, gate, answer).map_err(|error| engine_failure(&error))?;
    match given {
        Given::Kept => Ok(()),
        Given::TooLate => Err(Failure::refused(
            format!("`{gate}` has been answered already"),
            "the first answer counts",
            format!("`autopilot log {run}` shows it"),
        )),
    }
}

pub(super) fn person() -> String {
    let name = env::var("USER").or_else(|_| env::var("LOGNAME"));
    name.unwrap_or_else(|_| format!("user {}", rustix::process::getuid().as_raw()))
}

/// A day ends with its last moment, where the person is.
fn until(text: &str) -> Result<Timestamp, Failure> {
    let time = text.parse::<jiff::Timestamp>().ok().or_else(|| {
        let day = text.parse::<jiff::civil::Date>().ok()?.tomorrow().ok()?;
        Some(day.to_zoned(jiff::tz::TimeZone::system()).ok()?.timestamp())
    });
    if let Some(time) = time.filter(|time| *time <= jiff::Timestamp::now()) {
        return Err(Failure::new(
            Exit::Usage,
            format!("`{text}` is over since {time}"),
            "a waiver that has ended lets nothing through",
            "name a day or time to come; a waiver can be given again to make it last longer",
        ));
    }
    let time = time.ok_or_else(|| {
        Failure::new(
            Exit::Usage,
            format!("`{text}` is neither a date nor a time"),
            "a waiver that never ends by mistake would hide what is red",
            "write `2026-12-31` or `2026-12-31T18:00:00Z`",
        )
    })?;
    Ok(Timestamp::from_ms(time.as_millisecond()))
}
