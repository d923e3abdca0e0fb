//! Runs on this machine.

use std::{
    fs, io,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use autopilot_core::{
    fact::{Fact, Record},
    id::{GateId, RunId},
    input::{Answer, Event},
    phases::{Close, PhaseFact},
    run::{Run, Standing, Submission},
};

use super::{
    claim::Claim,
    hands::{Lanes, LocalHands, Perform as _, now},
    inbox::Inbox,
    signals::{self, Sayings},
};
use crate::{
    book::{Book, TakenUp},
    certificates,
    drive::{Drive, Log},
    driver::{Cancelled, Driver, Given},
    error::EngineError,
    home::Home,
    process::{find_orphans, wait_until_gone},
    scribe::Scribe,
    work::{Tools, Workshop},
};

/// How long to wait for the guardian of a killed engine to finish its work.
const GUARDIAN_WAIT: Duration = Duration::from_secs(10);

/// Runs of one project, on this machine.
pub struct LocalDriver {
    home: Home,
    tools: Tools,
    /// The right to work on the project, from handing a run in until it is carried forward: nobody can come
    /// in between and leave a run that never begins.
    claimed: Mutex<Option<Claim>>,
    sayings: Sayings,
    /// Why files that tell of a run are not up to date.
    untold: Mutex<Option<EngineError>>,
    /// Why the journal has no snapshot of its end.
    without_snapshot: Mutex<Option<EngineError>>,
}

impl LocalDriver {
    /// The runs of a project; `tools` is what a run needs to go on.
    pub fn new(home: Home, tools: Tools) -> Self {
        Self {
            home,
            tools,
            claimed: Mutex::new(None),
            sayings: Sayings::default(),
            untold: Mutex::new(None),
            without_snapshot: Mutex::new(None),
        }
    }

    /// Has something said when a person asks to stop, while what is under way is being ended.
    #[must_use]
    pub fn on_stop(mut self, say: impl Fn() + Send + Sync + 'static) -> Self {
        self.sayings.stopping = Arc::new(say);
        self
    }

    /// Has something said when a person asks for the second time and the process ends where it stands, which it does
    /// soon, whether it was said or not.
    #[must_use]
    pub fn before_leaving(mut self, say: impl Fn() + Send + Sync + 'static) -> Self {
        self.sayings.leaving = Arc::new(say);
        self
    }

    /// Has the failed phases of a run that is taken up tried again, or not.
    #[must_use]
    pub fn retrying(mut self, retry: bool) -> Self {
        self.tools.retry = retry;
        self
    }

    /// Why the files that tell of the run that was carried forward last are not up to date, if so. The run itself does
    /// not need them.
    pub fn untold(&self) -> Option<EngineError> {
        self.untold.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Why the journal of the run that was carried forward last has no snapshot of its end, if so. It only saves time.
    pub fn without_snapshot(&self) -> Option<EngineError> {
        self.without_snapshot.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Writes the files that tell of a run again, from its journal alone: whoever ended it may have been killed before
    /// they were written. Refused while somebody works on the project.
    pub fn tell_again(&self, run: &RunId) -> Result<(), EngineError> {
        let _claim = self.claim(run)?;
        let state = self.state(run)?;
        Scribe::take_up(&self.home, run).stand(&state).map_or(Ok(()), Err)
    }

    /// The questions of a run whose answers lie there and are not taken up yet.
    pub fn answered(&self, run: &RunId) -> Vec<GateId> {
        self.inbox(run).waiting().into_iter().map(|(gate, _)| gate).collect()
    }

    fn inbox(&self, run: &RunId) -> Inbox {
        Inbox::new(self.home.inbox(run))
    }

    /// Takes the right to work on the project before there is a run; `run` is what it may be called.
    pub fn reserve(&self, run: &RunId) -> Result<(), EngineError> {
        let claim = self.claim(run)?;
        *self.claimed() = Some(claim);
        Ok(())
    }

    fn claim(&self, run: &RunId) -> Result<Claim, EngineError> {
        match self.claimed().take() {
            Some(mut claim) => {
                claim.name(run).map_err(EngineError::file("write", self.home.claim()))?;
                Ok(claim)
            }
            None => {
                self.home.check_state(Some(run))?;
                Claim::take(&self.home.claim(), run)
            }
        }
    }

    fn claimed(&self) -> MutexGuard<'_, Option<Claim>> {
        self.claimed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn existing(&self, run: &RunId) -> Result<PathBuf, EngineError> {
        let path = self.home.journal(run);
        if path.is_dir() {
            Ok(path)
        } else {
            Err(EngineError::NoSuchRun { run: run.to_string(), path: self.home.journals() })
        }
    }

    fn holder(&self, run: &RunId) -> Result<Option<u32>, EngineError> {
        let holder = Book::holder(&self.existing(run)?)?;
        Ok(holder.filter(autopilot_journal::Holder::is_running).map(|holder| holder.pid))
    }

    /// Sees to it that nothing of an earlier start is alive.
    fn end_what_is_left(&self, run: &RunId) -> Result<(), EngineError> {
        let lock = self.home.guardian_lock(run);
        if !wait_until_gone(&lock, GUARDIAN_WAIT)? {
            let why = "the guardian of an earlier start still runs";
            return Err(EngineError::Bug(why.to_owned()));
        }
        // Where engine and guardian were killed in the same instant, agents may be left.
        for orphan in find_orphans(&lock) {
            orphan.kill();
        }
        Ok(())
    }

    fn take_up(&self, run: &RunId) -> Result<TakenUp, EngineError> {
        let label = format!("autopilot run {run}");
        Book::open(&self.home.journal(run), &label).map_err(|error| busy(error, run))
    }
}

impl Driver for LocalDriver {
    fn submit(&self, submission: &Submission) -> Result<(), EngineError> {
        let claim = self.claim(&submission.run)?;
        let mut taken = self.take_up(&submission.run)?;
        if taken.run.is_none() {
            let record = Record::new(now(), Fact::Submitted(Box::new(submission.clone())));
            taken.book.append(&[record])?;
        }
        *self.claimed() = Some(claim);
        Ok(())
    }

    fn answer(&self, run: &RunId, gate: &GateId, answer: &Answer) -> Result<Given, EngineError> {
        if !gate.is_waiver() && self.state(run)?.answers.contains_key(gate) {
            return Ok(Given::TooLate);
        }
        self.home.check_state(Some(run))?;
        let inbox = self.inbox(run);
        let given = inbox.leave(gate, answer)?;
        // An earlier answer may have gone from the inbox into the journal since it was looked at. It leaves the
        // inbox only after it is recorded, so now it is seen in one place or the other.
        let other = |recorded: &Answer| recorded != answer && !gate.is_waiver();
        if self.state(run)?.answers.get(gate).is_some_and(other) {
            inbox.taken(gate);
            return Ok(Given::TooLate);
        }
        // Whoever begins a run and answers at once need not be told.
        if let Some(pid) = self.holder(run)?.filter(|pid| *pid != std::process::id()) {
            signal(pid, rustix::process::Signal::USR1);
        }
        Ok(given)
    }

    fn cancel(&self, run: &RunId) -> Result<Cancelled, EngineError> {
        let Some(pid) = self.holder(run)? else { return Ok(Cancelled::NobodyThere) };
        signal(pid, rustix::process::Signal::TERM);
        Ok(Cancelled::Told { pid })
    }

    fn state(&self, run: &RunId) -> Result<Run, EngineError> {
        let path = self.existing(run)?;
        Book::read(&path)?.ok_or_else(|| EngineError::NoSuchRun {
            run: run.to_string(),
            path: self.home.journals(),
        })
    }

    fn list(&self) -> Result<Vec<RunId>, EngineError> {
        let path = self.home.journals();
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(EngineError::file("list", path)(error)),
        };
        let mut runs: Vec<RunId> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.starts_with("run-"))
            .map(RunId::new)
            .collect();
        runs.sort();
        Ok(runs)
    }

    fn wait(
        &self,
        run: &RunId,
        watch: &mut dyn FnMut(&Run, &[Record]),
    ) -> Result<Standing, EngineError> {
        self.existing(run)?;
        let claim = self.claim(run)?;
        self.end_what_is_left(run)?;
        // What was recorded before the snapshot is not read by an opening, but everything rests on it.
        Book::audit(&self.home.journal(run))?;
        let TakenUp { mut book, run: state, fresh, repairs } = self.take_up(run)?;
        let missing =
            || EngineError::NoSuchRun { run: run.to_string(), path: self.home.journals() };
        let mut state = state.ok_or_else(missing)?;
        let workshop = Arc::new(Workshop::open(&self.home, &self.tools, &state.given)?);
        workshop.find_branch(&state)?;
        workshop.keep_leftovers()?;
        let inbox = self.inbox(run);
        let mut hands =
            LocalHands::new(Arc::<Workshop>::clone(&workshop), inbox.clone(), Lanes::One)?;
        let listening = signals::listen(hands.ears(), self.sayings.clone())
            .map_err(EngineError::file("listen for", "signals"))?;
        // Whoever was killed between a record and what is derived from it has not written it.
        certificates::write_missing(&self.home, run)?;
        let observed = workshop.observe(&state);
        let answers = inbox.waiting();
        let run_id = run;
        let mut scribe = Scribe::take_up(&self.home, run);
        let mut heard = |run: &Run, records: &[Record]| {
            scribe.heard(run, records);
            for record in records {
                if let Fact::Answered { gate, .. } = &record.fact {
                    inbox.taken(gate);
                }
            }
            if records.iter().any(completes) {
                // What fails here is tried again, and told, when the run stands still.
                drop(certificates::write_missing(&self.home, run_id));
            }
            watch(run, records);
        };
        let mut drive = Drive::new(&mut state, &mut book, &mut hands, &mut heard);
        for repair in repairs {
            drive.take(Event::Repaired(repair))?;
        }
        if !fresh {
            drive.take(Event::Resumed { observed, limits: self.tools.limits.clone() })?;
            if self.tools.retry {
                drive.take(Event::Retry)?;
            }
            // What a person said before the run goes on counts for its first step.
            for (gate, answer) in answers {
                drive.take(Event::Answered { gate, answer })?;
            }
        }
        drive.take(Event::Environment(workshop.environment()))?;
        for event in workshop.noticed() {
            drive.take(event)?;
        }
        let ended = drive.to_the_end();
        drop((listening, hands));
        *self.untold.lock().unwrap_or_else(PoisonError::into_inner) = scribe.stand(&state);
        if matches!(&ended, Err(EngineError::Process(_))) {
            // Without a guardian nobody else keeps what was left; the next start tries again.
            drop(workshop.keep_leftovers());
        }
        let standing = ended?;
        *self.without_snapshot.lock().unwrap_or_else(PoisonError::into_inner) =
            book.snapshot(&state).err();
        workshop.close()?;
        book.close()?;
        certificates::write_missing(&self.home, run)?;
        drop(claim);
        Ok(standing)
    }
}

/// Whether a record completes a phase.
fn completes(record: &Record) -> bool {
    let Fact::Phase { fact: PhaseFact::Closed(close), .. } = &record.fact else { return false };
    matches!(close, Close::Completed { .. })
}

fn busy(error: EngineError, run: &RunId) -> EngineError {
    let EngineError::Journal(inner) = &error else { return error };
    match inner.kind() {
        autopilot_journal::ErrorKind::Locked(Some(holder)) => {
            EngineError::Busy { run: run.clone(), pid: holder.pid }
        }
        _ => error,
    }
}

fn signal(pid: u32, signal: rustix::process::Signal) {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        // It may have ended in this very moment; then there is nobody to tell.
        let _gone = rustix::process::kill_process(pid, signal);
    }
}
