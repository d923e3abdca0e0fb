//! The loop of sessions: look, choose, run, and again, until a switch fires.
//!
//! [`RunLoop`] is the loop as a function of what it is told. It knows no clock, no agent and no file: whoever drives it
//! does what [`RunLoop::ask`] says and tells what came of it, until there is a [`Record`].

use serde::{Deserialize, Serialize};

use crate::{
    sessions::{
        Reading, clock,
        flags::Limits,
        kill_switch::{
            Kill, KillSwitch, Outcome, Standing, after_session, as_double, before_session,
        },
        number::{Plain, round},
        record::{Identity, Record},
        resources::Verdict,
        select::Mode,
    },
    time::Timestamp,
};

/// The detail of a loop that was killed before it could write its own record.
pub const INTERRUPTED: &str = "interrupted: ended without a record";

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask<'a> {
    /// Look at the machine before anything else.
    Begin,
    /// Look at the machine, at others on it, and whether a person wants an end.
    Look,
    /// Choose a session.
    Select,
    /// Run it.
    Run {
        /// Which kind.
        mode: Mode,
        /// The loop that it belongs to.
        run_id: &'a str,
    },
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Told {
    /// The state of the machine at the start, if it is known.
    Begun(Option<Verdict>),
    /// What there was to see.
    Looked(Sight),
    /// The choice, or why there is none.
    Selected(Result<Choice, String>),
    /// What a session came to, or why it came to nothing.
    Ran(Result<Ran, String>),
}

/// What there was to see between two sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sight {
    /// Other sessions, if they could be counted.
    pub peers: Option<u64>,
    /// The state of the machine; while it cannot be seen, what was seen last counts.
    pub verdict: Option<Verdict>,
    /// Whether a person wants an end.
    pub is_aborted: bool,
}

/// A choice. Without a mode there is none, however sure it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The mode.
    pub mode: Option<Mode>,
    /// How sure that is.
    pub confidence: f64,
}

/// A session that ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ran {
    /// What it came to.
    pub outcome: Outcome,
    /// How long nothing has moved, if that is known.
    pub idle_ms: Option<i64>,
    /// Whether a person asked for an end meanwhile.
    pub is_aborted: bool,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Begin,
    Look,
    Select,
    Run(Mode),
}

/// A loop under way.
#[derive(Clone, Debug)]
pub struct RunLoop {
    limits: Limits,
    reading: Reading,
    started: Timestamp,
    verdict: Option<Verdict>,
    record: Record,
    stage: Stage,
}

impl RunLoop {
    /// Begins a loop.
    pub fn new(identity: &Identity, limits: Limits, reading: Reading, at: Timestamp) -> Self {
        let record = Record::begun(identity, &limits, at);
        Self { limits, reading, started: at, verdict: None, record, stage: Stage::Begin }
    }

    /// Makes it a loop that runs nothing.
    #[must_use]
    pub fn dry(mut self) -> Self {
        self.record.dry_run = true;
        self
    }

    /// What is to be done next.
    pub fn ask(&self) -> Ask<'_> {
        match self.stage {
            Stage::Begin => Ask::Begin,
            Stage::Look => Ask::Look,
            Stage::Select => Ask::Select,
            Stage::Run(mode) => Ask::Run { mode, run_id: &self.record.autopilot_run_id },
        }
    }

    /// Takes what came of it and when, and gives the record once the loop has ended. An answer to something else counts
    /// as none.
    pub fn told(&mut self, at: Timestamp, told: Told) -> Option<Record> {
        let is_over = match (self.stage, told) {
            (Stage::Begin, Told::Begun(verdict)) => self.begun(verdict),
            (Stage::Begin, _) => self.begun(None),
            (Stage::Look, Told::Looked(sight)) => self.looked(at, sight),
            (Stage::Look, _) => self.looked(at, Sight::default()),
            (Stage::Select, Told::Selected(choice)) => self.selected(choice),
            (Stage::Select, _) => self.selected(Ok(Choice::default())),
            (Stage::Run(_), Told::Ran(ran)) => self.ran(ran),
            (Stage::Run(_), _) => self.ran(Err("no answer".to_owned())),
        };
        is_over.then(|| self.ended(at))
    }

    /// The record of a loop that was killed at about this time, written by whoever finds it.
    pub fn interrupted(mut self, at: Timestamp) -> Record {
        self.record.kill_switch_detail = Some(INTERRUPTED.to_owned());
        self.ended(at)
    }

    fn begun(&mut self, verdict: Option<Verdict>) -> bool {
        self.verdict = verdict;
        self.record.resource_verdict_at_start = verdict;
        self.stage = Stage::Look;
        if self.record.dry_run {
            self.record.kill_switch_detail =
                Some("dry-run preview — no sessions executed".to_owned());
        }
        self.record.dry_run
    }

    fn looked(&mut self, at: Timestamp, sight: Sight) -> bool {
        self.verdict = sight.verdict.or(self.verdict);
        let standing = Standing {
            iterations: self.record.iterations_completed,
            elapsed_ms: at.as_ms().saturating_sub(self.started.as_ms()),
            tokens: self.record.total_tokens_used,
            verdict: self.verdict,
            peers: sight.peers,
            is_aborted: sight.is_aborted,
        };
        self.stage = Stage::Select;
        self.stop(before_session(&standing, &self.limits))
    }

    fn selected(&mut self, choice: Result<Choice, String>) -> bool {
        let choice = match (choice, self.reading) {
            (Ok(choice), _) => choice,
            (Err(why), Reading::Source) => {
                let detail = format!("modeSelector threw: {why}");
                return self.stop(Some(Kill::of(KillSwitch::LowConfidenceFallback, detail)));
            }
            // A choice that cannot be made is like one that nobody is sure of.
            (Err(_), Reading::Corrected) => Choice::default(),
        };
        let Choice { mode, confidence } = choice;
        let mode = mode.filter(|mode| match self.reading {
            Reading::Source => true,
            // A session that cannot be recorded is for a person to start.
            Reading::Corrected => mode.session_type().is_some(),
        });
        let threshold = self.limits.confidence_threshold;
        match mode {
            Some(mode) if confidence >= threshold => {
                self.stage = Stage::Run(mode);
                false
            }
            Some(_) => {
                let (confidence, threshold) = (Plain(confidence), Plain(threshold));
                self.unsure(&format!("confidence={confidence} < threshold={threshold}"))
            }
            None => self.unsure("no mode recommendation"),
        }
    }

    /// Ends a loop that does not know what to do: before its first session a person takes over, later it just ends.
    fn unsure(&mut self, why: &str) -> bool {
        let iteration = self.record.iterations_completed + 1;
        if iteration > 1 {
            let detail = format!("iteration {iteration}: {why}");
            return self.stop(Some(Kill::of(KillSwitch::LowConfidenceFallback, detail)));
        }
        self.record.fallback_to_manual = true;
        self.record.kill_switch_detail =
            Some(format!("iteration {iteration}: {why} — fallback to manual"));
        true
    }

    fn ran(&mut self, ran: Result<Ran, String>) -> bool {
        let Ran { outcome, idle_ms, is_aborted } = match ran {
            Ok(ran) => ran,
            Err(why) => {
                let detail = format!("sessionRunner threw: {why}");
                return self.stop(Some(Kill::of(KillSwitch::FailedWave, detail)));
            }
        };
        // A session that sets off a switch has run all the same, and counts.
        self.record.iterations_completed += 1;
        self.record.total_tokens_used =
            self.record.total_tokens_used.saturating_add(outcome.tokens);
        self.record.sessions.extend(outcome.session_id.clone());
        self.stage = Stage::Look;
        let aborted = is_aborted
            .then(|| Kill::of(KillSwitch::UserAbort, "AbortSignal triggered between iterations"));
        self.stop(after_session(&outcome, idle_ms, &self.limits).or(aborted))
    }

    fn stop(&mut self, kill: Option<Kill>) -> bool {
        let Some(Kill { switch, detail }) = kill else {
            return false;
        };
        if switch == KillSwitch::StallTimeout {
            self.record.stall_recovery_count += 1;
        }
        self.record.kill_switch = Some(switch);
        self.record.kill_switch_detail = Some(detail);
        true
    }

    fn ended(&self, at: Timestamp) -> Record {
        let elapsed_ms = at.as_ms().saturating_sub(self.started.as_ms()).max(0);
        let mut record = self.record.clone();
        record.completed_at = clock::iso(at);
        record.duration_seconds = Plain(round(as_double(elapsed_ms) / 1_000.0));
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_ms(1_000_000_000_000);

    fn looping(limits: Limits, reading: Reading) -> RunLoop {
        let identity = Identity { run_id: "r".to_owned(), ..Identity::default() };
        RunLoop::new(&identity, limits, reading, START)
    }

    /// Answers every question alike until the loop ends.
    fn play(
        mut looping: RunLoop,
        choice: &Result<Choice, String>,
        ran: &Result<Ran, String>,
    ) -> Record {
        let mut at = START;
        loop {
            let told = match looping.ask() {
                Ask::Begin => Told::Begun(Some(Verdict::Green)),
                Ask::Look => Told::Looked(Sight::default()),
                Ask::Select => Told::Selected(choice.clone()),
                Ask::Run { .. } => {
                    at = at.plus_ms(60_000);
                    Told::Ran(ran.clone())
                }
            };
            if let Some(record) = looping.told(at, told) {
                return record;
            }
        }
    }

    fn sure(mode: Mode) -> Result<Choice, String> {
        Ok(Choice { mode: Some(mode), confidence: 0.9 })
    }

    #[test]
    fn a_session_that_fails_counts_and_ends_the_loop() {
        let outcome = Outcome { failed: 1, session_id: Some("s".to_owned()), ..Outcome::default() };
        let ran = Ok(Ran { outcome, ..Ran::default() });
        let record = play(looping(Limits::default(), Reading::Corrected), &sure(Mode::Deep), &ran);
        assert_eq!(record.kill_switch, Some(KillSwitch::FailedWave));
        assert_eq!((record.iterations_completed, record.sessions.len()), (1, 1));
        assert_eq!(
            record.summary(),
            "r kill_switch=failed-wave iterations=1 sessions=[s] duration=60s"
        );
    }

    #[test]
    fn a_session_that_never_was_does_not_count() {
        let ran = Err("gone".to_owned());
        let record = play(looping(Limits::default(), Reading::Corrected), &sure(Mode::Deep), &ran);
        assert_eq!(record.kill_switch_detail.as_deref(), Some("sessionRunner threw: gone"));
        assert_eq!(record.iterations_completed, 0);
    }

    #[test]
    fn a_choice_that_cannot_be_made_leaves_the_first_session_to_a_person() {
        let ran = Ok(Ran::default());
        let broken = Err("boom".to_owned());
        let corrected = play(looping(Limits::default(), Reading::Corrected), &broken, &ran);
        assert!(corrected.fallback_to_manual && corrected.kill_switch.is_none());
        let source = play(looping(Limits::default(), Reading::Source), &broken, &ran);
        assert_eq!(source.kill_switch, Some(KillSwitch::LowConfidenceFallback));
    }

    #[test]
    fn a_mode_that_cannot_be_recorded_is_never_run_unattended() {
        let ran = Ok(Ran::default());
        let limits = Limits { max_sessions: 1, ..Limits::default() };
        let retro = sure(Mode::PlanRetro);
        assert!(play(looping(limits.clone(), Reading::Corrected), &retro, &ran).fallback_to_manual);
        assert_eq!(play(looping(limits, Reading::Source), &retro, &ran).iterations_completed, 1);
    }

    #[test]
    fn an_answer_to_something_else_is_none() {
        let mut looping = looping(Limits::default(), Reading::Corrected);
        assert_eq!(looping.told(START, Told::Selected(sure(Mode::Deep))), None);
        assert_eq!(looping.ask(), Ask::Look);
        assert_eq!(looping.told(START, Told::Begun(None)), None);
        let record = looping.told(START, Told::Begun(None)).unwrap();
        assert!(record.fallback_to_manual, "nobody chose");
    }

    #[test]
    fn a_dry_loop_only_looks_at_the_machine() {
        let mut looping = looping(Limits::default(), Reading::Corrected).dry();
        let record = looping.told(START, Told::Begun(Some(Verdict::Warn))).unwrap();
        assert_eq!((record.dry_run, record.resource_verdict_at_start), (true, Some(Verdict::Warn)));
    }

    #[test]
    fn an_interrupted_loop_keeps_what_it_did() {
        let record =
            looping(Limits::default(), Reading::Corrected).interrupted(START.plus_ms(1_499));
        assert_eq!(record.kill_switch, None);
        assert_eq!(record.kill_switch_detail.as_deref(), Some(INTERRUPTED));
        assert_eq!(record.duration_seconds, Plain(1.0));
    }
}
