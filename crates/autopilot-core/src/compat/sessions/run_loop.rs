//! The loop, played with what a scenario says.

use serde_json::{Value, json};

use crate::{
    compat::{
        Case,
        case::{count, known_count, ms, number},
        sessions::kill::outcome,
    },
    sessions::{
        Reading,
        flags::{Bounds, CONFIDENCE_THRESHOLD, Limits, MAX_HOURS, MAX_SESSIONS, whole},
        record::{Identity, Record, run_id},
        resources::Verdict,
        run_loop::{Ask, Choice, Ran, RunLoop, Sight, Told},
        select::Mode,
    },
    time::Timestamp,
};

/// Plays a scenario: `state`, `session_calls` and `jsonl_tail` are added.
pub(in crate::compat) fn complete(case: &Case) -> Case {
    let scenario = case.get("scenario").unwrap_or(&Value::Null);
    let (record, calls) = Stage::of(scenario).play();
    let mut done = case.clone();
    let record = json!(record);
    done.insert("jsonl_tail".to_owned(), record.clone());
    done.insert("state".to_owned(), record);
    done.insert("session_calls".to_owned(), Value::Array(calls));
    done
}

/// A list that gives its elements in order, and the last one again and again.
struct Script<'a> {
    items: &'a [Value],
    given: usize,
}

impl<'a> Script<'a> {
    fn of(scenario: &'a Value, key: &str) -> Self {
        Self { items: scenario[key].as_array().map(Vec::as_slice).unwrap_or_default(), given: 0 }
    }

    /// The next element; none if there is no list.
    fn next(&mut self) -> Option<&'a Value> {
        let item = self.items.get(self.given).or(self.items.last());
        self.given += 1;
        item
    }
}

/// What a scenario says, and how far it has been played.
struct Stage<'a> {
    looping: RunLoop,
    now: Timestamp,
    session_ms: u64,
    last_moved: Option<Timestamp>,
    modes: Script<'a>,
    sessions: Script<'a>,
    peers: Script<'a>,
    verdicts: Script<'a>,
    abort_after: Option<u64>,
    is_aborted: bool,
    calls: Vec<Value>,
}

impl<'a> Stage<'a> {
    fn of(scenario: &'a Value) -> Self {
        let start = Timestamp::from_ms(ms(&scenario["t0_ms"]));
        let options = &scenario["opts"];
        let identity = identity(scenario, start);
        let looping = RunLoop::new(&identity, limits(options), Reading::Source, start);
        let prior_s = known_count(&scenario["priorAgeSec"]);
        let prior_ms =
            prior_s.map(|seconds| i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX));
        Self {
            looping: if options["dryRun"] == true { looping.dry() } else { looping },
            now: start,
            session_ms: known_count(&scenario["sessionSec"]).unwrap_or(60).saturating_mul(1_000),
            last_moved: prior_ms.map(|age| Timestamp::from_ms(start.as_ms().saturating_sub(age))),
            modes: Script::of(scenario, "modes"),
            sessions: Script::of(scenario, "sessions"),
            peers: Script::of(scenario, "peers"),
            verdicts: Script::of(scenario, "verdicts"),
            abort_after: known_count(&scenario["abortAfter"]),
            is_aborted: scenario["abortedAtStart"] == true,
            calls: Vec::new(),
        }
    }

    fn play(mut self) -> (Record, Vec<Value>) {
        loop {
            let told = match self.looping.ask() {
                Ask::Begin => Told::Begun(self.verdict()),
                Ask::Look => Told::Looked(Sight {
                    peers: self.peers.next().and_then(known_count),
                    verdict: self.verdict(),
                    is_aborted: self.is_aborted,
                }),
                Ask::Select => Told::Selected(self.choice()),
                Ask::Run { mode, run_id } => {
                    self.calls.push(json!({"mode": mode, "autopilotRunId": run_id}));
                    Told::Ran(self.session())
                }
            };
            if let Some(record) = self.looping.told(self.now, told) {
                return (record, self.calls);
            }
        }
    }

    fn verdict(&mut self) -> Option<Verdict> {
        self.verdicts.next().and_then(Value::as_str).and_then(Verdict::named)
    }

    fn choice(&mut self) -> Result<Choice, String> {
        let Some(said) = self.modes.next() else {
            return Ok(Choice::default());
        };
        if *said == "throw" {
            return Err("boom".to_owned());
        }
        let mode = said["mode"].as_str().and_then(Mode::named);
        Ok(Choice { mode, confidence: said["confidence"].as_f64().unwrap_or(0.0) })
    }

    fn session(&mut self) -> Result<Ran, String> {
        self.now = self.now.plus_ms(self.session_ms);
        let session = self.sessions.next().unwrap_or(&Value::Null);
        if self.abort_after.is_some_and(|after| self.sessions.given as u64 >= after) {
            self.is_aborted = true;
        }
        if *session == "throw" {
            return Err("claude exit 1".to_owned());
        }
        let idle_ms = self.last_moved.map(|moved| self.now.as_ms().saturating_sub(moved.as_ms()));
        Ok(Ran { outcome: outcome(session), idle_ms, is_aborted: self.is_aborted })
    }
}

fn identity(scenario: &Value, start: Timestamp) -> Identity {
    let text = |value: &Value| value.as_str().map(ToOwned::to_owned);
    let options = &scenario["opts"];
    Identity {
        run_id: text(&scenario["runId"])
            .unwrap_or_else(|| run_id(scenario["branch"].as_str(), start)),
        host_class: None,
        worktree_path: text(&options["worktreePath"]),
        parent_run_id: text(&options["parentRunId"]),
        blocked_by_issue: known_count(&options["blockedByIssue"]),
    }
}

fn limits(options: &Value) -> Limits {
    let bounded = |key: &str, bounds: Bounds| {
        let said = &options[key];
        if said.is_null() { bounds.default } else { bounds.clamp(number(said)) }
    };
    let defaults = Limits::default();
    Limits {
        max_sessions: whole(bounded("maxSessions", MAX_SESSIONS)),
        max_hours: bounded("maxHours", MAX_HOURS),
        confidence_threshold: bounded("confidenceThreshold", CONFIDENCE_THRESHOLD),
        max_tokens: count(&options["maxTokens"]),
        peers_max: known_count(&options["peerAbortThreshold"]).unwrap_or(defaults.peers_max),
        carryover_max: options["carryoverThreshold"].as_f64().unwrap_or(defaults.carryover_max),
        stall_s: known_count(&options["stallTimeoutSeconds"]).unwrap_or(defaults.stall_s),
    }
}
