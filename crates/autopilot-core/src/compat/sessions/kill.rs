//! What ends a loop.

use serde_json::{Value, json};

use crate::{
    compat::{
        Case,
        case::{answered, argument, count, known_count, ms, number},
    },
    sessions::{
        flags::Limits,
        kill_switch::{Kill, Outcome, Standing, after_session, before_session},
        resources::Verdict,
    },
};

/// Before a session.
pub(in crate::compat) fn before(case: &Case) -> Case {
    let given = argument(case, 0);
    let defaults = Limits::default();
    let limits = Limits {
        max_sessions: u32::try_from(count(&given["maxSessions"])).unwrap_or(u32::MAX),
        max_hours: number(&given["maxHoursMs"]) / 3_600_000.0,
        max_tokens: count(&given["maxTokens"]),
        peers_max: known_count(&given["peerAbortThreshold"]).unwrap_or(defaults.peers_max),
        ..defaults
    };
    let standing = Standing {
        iterations: u32::try_from(count(&given["iterationsCompleted"])).unwrap_or(u32::MAX),
        elapsed_ms: ms(&given["elapsedMs"]),
        tokens: count(&given["cumulativeTokensUsed"]),
        verdict: given["resourceVerdict"].as_str().and_then(Verdict::named),
        peers: known_count(&given["peerCount"]),
        is_aborted: given["aborted"] == true,
    };
    answered(case, Ok(told(before_session(&standing, &limits))))
}

/// After a session. What it looks at is in the case, so nothing is known of how long nothing moved.
pub(in crate::compat) fn after(case: &Case) -> Case {
    let defaults = Limits::default();
    let carryover_max = argument(case, 1)["carryoverThreshold"].as_f64();
    let limits =
        Limits { carryover_max: carryover_max.unwrap_or(defaults.carryover_max), ..defaults };
    let outcome = outcome(argument(case, 0));
    answered(case, Ok(told(after_session(&outcome, None, &limits))))
}

/// What a session came to.
pub(super) fn outcome(session: &Value) -> Outcome {
    let usage = &session["usage"];
    let tokens = if usage["output_tokens"].is_null() {
        &usage["total_tokens"]
    } else {
        &usage["output_tokens"]
    };
    Outcome {
        session_id: session["session_id"].as_str().map(ToOwned::to_owned),
        spiral: count(&session["agent_summary"]["spiral"]),
        failed: count(&session["agent_summary"]["failed"]),
        planned: count(&session["effectiveness"]["planned_issues"]),
        carryover: count(&session["effectiveness"]["carryover"]),
        tokens: known_count(tokens).unwrap_or(0),
    }
}

fn told(kill: Option<Kill>) -> Value {
    kill.map_or(Value::Null, |Kill { switch, detail }| json!({"kill": switch, "detail": detail}))
}
