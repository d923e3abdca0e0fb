//! Names of runs, and what the tools of a system print.

use serde_json::{Value, json};

use crate::{
    compat::{
        Case,
        case::{answered, argument, function, ms, number, unknown},
    },
    sessions::{
        number::Plain,
        record::run_id,
        resources::{elapsed_minutes, pressure_free_pct, swap_used_mb, zombies},
    },
    time::Timestamp,
};

/// One of several small functions.
pub(in crate::compat) fn complete(case: &Case) -> Case {
    let (first, second) = (argument(case, 0), argument(case, 1));
    let text = first.as_str().unwrap_or_default();
    let answer = match function(case) {
        "defaultRunId" => Ok(Value::from(run_id(first.as_str(), Timestamp::from_ms(ms(second))))),
        "parseEtimeToMinutes" => Ok(json!(elapsed_minutes(text))),
        "parseSwapUsageOutput" => Ok(json!(swap_used_mb(text).map(Plain))),
        "parseMemoryPressureOutput" => Ok(json!(pressure_free_pct(text).map(Plain))),
        "countZombieProcesses" => Ok(json!(zombies(text, number(second)))),
        _ => unknown(case),
    };
    answered(case, answer)
}
