//! The choice of a session.

use serde_json::{Value, json};

use crate::{
    compat::{
        Case,
        case::{answered, argument, known_count},
    },
    sessions::{
        Reading,
        select::{Effectiveness, Learning, Lock, Mode, RecentSession, Signals, Tier, choose},
    },
};

/// Chooses as the earlier program did.
pub(in crate::compat) fn complete(case: &Case) -> Case {
    let given = argument(case, 0);
    let signals = (!given.is_null()).then(|| signals(given));
    answered(case, Ok(json!(choose(signals.as_ref(), Reading::Source))))
}

fn signals(given: &Value) -> Signals {
    let list = |key: &str| given[key].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let learning =
        |value: &Value| Learning { kind: text(&value["type"]), subject: text(&value["subject"]) };
    let priorities = &given["topPriorities"];
    Signals {
        recommended: given["recommendedMode"].as_str().and_then(Mode::named),
        completion_rate: given["completionRate"].as_f64(),
        carryover_ratio: given["carryoverRatio"].as_f64(),
        recent: list("recentSessions").iter().map(session).collect(),
        lock: given["bootstrapLock"].as_object().map(|lock| Lock {
            tier: lock.get("tier").and_then(Value::as_str).and_then(Tier::named),
        }),
        learnings: list("learnings").iter().map(learning).collect(),
        priorities: (!priorities.is_null()).then(|| priorities.as_array().map_or(0, Vec::len)),
        task: text(&given["taskDescriptionText"]),
    }
}

fn session(given: &Value) -> RecentSession {
    RecentSession {
        session_type: given["session_type"].as_str().map(ToOwned::to_owned),
        completion_rate: given["completion_rate"].as_f64(),
        effectiveness: given["effectiveness"].is_object().then(|| {
            let effect = &given["effectiveness"];
            Effectiveness {
                planned: known_count(&effect["planned_issues"]),
                carryover: known_count(&effect["carryover"]),
                completion_rate: effect["completion_rate"].as_f64(),
            }
        }),
    }
}
