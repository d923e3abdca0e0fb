//! What a choice rests on, read from what sessions left. Every source may be missing or broken: then it says nothing.

use serde_json::{Map, Value};

use crate::{
    sessions::{
        clock,
        recommendation::Left,
        record::recent,
        select::{Effectiveness, Learning, Lock, Mode, RecentSession, Signals, Tier},
        session_record::normalise,
        state_md::Document,
    },
    time::Timestamp,
};

/// Sessions that are looked at.
pub const SESSIONS_MAX: usize = 10;
/// Learnings that are looked at, the surest first.
pub const LEARNINGS_MAX: usize = 15;
/// A learning that is not surer than this says nothing.
const SURE_MIN: f64 = 0.3;
/// However old, a learning keeps this much.
const SURE_FLOOR: f64 = 0.1;
/// After so long a learning is half as sure.
const HALF_LIFE_MS: f64 = 90.0 * 86_400_000.0;

/// The texts of the sources, as far as they are there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources<'a> {
    /// `STATE.md`.
    pub state: Option<&'a str>,
    /// The end of `sessions.jsonl`.
    pub sessions: Option<&'a str>,
    /// The lock that a project's setting up left.
    pub lock: Option<&'a str>,
    /// `learnings.jsonl`.
    pub learnings: Option<&'a str>,
}

impl Signals {
    /// Reads the sources.
    pub fn assemble(sources: Sources<'_>, now: Timestamp) -> Self {
        let left =
            sources.state.and_then(Document::parse).and_then(|read| Left::read(&read.fields));
        let left = left.unwrap_or_default();
        Self {
            recommended: left.mode.as_deref().and_then(Mode::named),
            completion_rate: left.completion_rate,
            carryover_ratio: left.carryover_ratio,
            recent: sources.sessions.map(sessions).unwrap_or_default(),
            lock: sources.lock.map(lock),
            learnings: sources.learnings.map(|text| learnings(text, now)).unwrap_or_default(),
            priorities: left.priorities.map(|issues| issues.len()),
            task: String::new(),
        }
    }
}

fn sessions(text: &str) -> Vec<RecentSession> {
    let tail = recent(text, SESSIONS_MAX).into_iter().map(|record| normalise(&record));
    tail.filter(|record| record.get("status").and_then(Value::as_str) != Some("abandoned"))
        .map(|record| RecentSession::of(&record))
        .collect()
}

impl RecentSession {
    /// What the record of a session says about the next one.
    pub fn of(record: &Map<String, Value>) -> Self {
        let number = |key: &str| record.get(key).and_then(Value::as_f64);
        let text = |key: &str| record.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
        let effect = record.get("effectiveness").and_then(Value::as_object);
        Self {
            session_type: text("session_type"),
            completion_rate: number("completion_rate"),
            effectiveness: effect.map(|effect| Effectiveness {
                planned: effect.get("planned_issues").and_then(Value::as_u64),
                carryover: effect.get("carryover").and_then(Value::as_u64),
                completion_rate: effect.get("completion_rate").and_then(Value::as_f64),
            }),
        }
    }
}

/// The lock, as lines of `key: value`.
fn lock(text: &str) -> Lock {
    let tier = text.lines().filter_map(|line| line.split_once(':')).find_map(|(key, value)| {
        (key.trim() == "tier").then(|| Tier::named(value.trim().trim_matches(['"', '\''])))
    });
    Lock { tier: tier.flatten() }
}

/// The surest learnings that still count, the surest first.
fn learnings(text: &str, now: Timestamp) -> Vec<Learning> {
    let mut found: Vec<(f64, Learning)> = recent(text, usize::MAX)
        .into_iter()
        .filter(|record| !has_expired(record, now))
        .filter_map(|record| Some((sureness(&record, now)?, learning(&record)?)))
        .filter(|(sure, _)| *sure > SURE_MIN)
        .collect();
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    found.into_iter().take(LEARNINGS_MAX).map(|(_, learning)| learning).collect()
}

fn learning(record: &Map<String, Value>) -> Option<Learning> {
    let text = |key: &str| record.get(key)?.as_str().map(ToOwned::to_owned);
    Some(Learning { kind: text("type")?, subject: text("subject")? })
}

fn time(record: &Map<String, Value>, key: &str) -> Option<i64> {
    clock::read(record.get(key)?.as_str()?)
}

fn has_expired(record: &Map<String, Value>, now: Timestamp) -> bool {
    time(record, "expires_at").is_some_and(|until| until <= now.as_ms())
}

#[expect(clippy::cast_precision_loss, reason = "an age in milliseconds is far below 2^53")]
fn sureness(record: &Map<String, Value>, now: Timestamp) -> Option<f64> {
    let told = record.get("confidence")?.as_f64().filter(|sure| sure.is_finite())?;
    let age_ms =
        time(record, "created_at").map_or(0, |since| now.as_ms().saturating_sub(since).max(0));
    let faded = told * 0.5_f64.powf(age_ms as f64 / HALF_LIFE_MS);
    // What was never that sure does not become surer with age.
    Some(faded.max(SURE_FLOOR.min(told)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);
    const DAY_MS: u64 = 86_400_000;

    fn assembled(sources: Sources<'_>) -> Signals {
        Signals::assemble(sources, NOW)
    }

    #[test]
    fn s9_a_source_that_is_missing_or_broken_says_nothing() {
        assert_eq!(assembled(Sources::default()), Signals::default());
        let broken = Sources {
            state: Some("---\n  : nothing\n"),
            sessions: Some("{torn\n[]\n"),
            lock: Some("tier: gigantic"),
            learnings: Some("null\n{\"type\":1}\n"),
        };
        let found = assembled(broken);
        assert_eq!(found, Signals { lock: Some(Lock { tier: None }), ..Signals::default() });
    }

    #[test]
    fn s9_what_is_there_is_read() {
        let state = "---\nrecommended-mode: deep\ntop-priorities: [4, 7]\ncarryover-ratio: 0.25\n\
                     completion-rate: 0.75\nrationale: because\n---\n\nText\n";
        let sessions = "{\"type\":\"feature\",\"effectiveness\":{\"planned_issues\":4,\"carryover\":1,\"completion_rate\":0.75}}\n\
                        {\"session_type\":\"deep\",\"status\":\"abandoned\"}\n";
        let found = assembled(Sources {
            state: Some(state),
            sessions: Some(sessions),
            lock: Some("version: 1\ntier: \"deep\"\n"),
            learnings: None,
        });
        assert_eq!((found.recommended, found.priorities), (Some(Mode::Deep), Some(2)));
        assert_eq!((found.carryover_ratio, found.completion_rate), (Some(0.25), Some(0.75)));
        assert_eq!(found.lock, Some(Lock { tier: Some(Tier::Deep) }));
        let types: Vec<_> = found.recent.iter().map(|one| one.session_type.as_deref()).collect();
        assert_eq!(types, [Some("feature")], "an older key is read, an abandoned session is not");
    }

    #[test]
    fn s9_learnings_fade_and_end() {
        let line = |subject: &str, sure: f64, age: u64, expires: i64| {
            let created = clock::iso(NOW.minus_ms(age * DAY_MS));
            let expires = clock::iso(Timestamp::from_ms(NOW.as_ms() + expires));
            format!(
                "{{\"type\":\"scope-guidance\",\"subject\":\"{subject}\",\"confidence\":{sure},\"created_at\":\"{created}\",\
                 \"expires_at\":\"{expires}\"}}\n"
            )
        };
        let text = line("fresh", 0.5, 0, 1)
            + &line("sure-but-old", 0.9, 90, 1)
            + &line("faded", 0.5, 90, 1)
            + &line("over", 0.9, 0, 0)
            + &line("unsure", 0.3, 0, 1);
        let found = learnings(&text, NOW);
        let subjects: Vec<_> = found.iter().map(|one| one.subject.as_str()).collect();
        assert_eq!(subjects, ["fresh", "sure-but-old"]);
        let many: String = (0..20).map(|at| line(&at.to_string(), 0.5, 0, 1)).collect();
        assert_eq!(learnings(&many, NOW).len(), LEARNINGS_MAX);
    }
}
