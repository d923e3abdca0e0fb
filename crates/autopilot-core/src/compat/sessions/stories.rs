//! Several loops at once.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    compat::{
        Case,
        case::{
            Thrown, answered, argument, count, function, known_count, ms, number, texts, unknown,
            whole,
        },
        sessions::resources::snapshot,
    },
    sessions::{
        kill_switch::KillSwitch,
        stories::{
            Capacity, CohortAction, Graph, Issue, Stale, Status, StopReason, Story, Watch,
            cohort_action, finish, should_stop, stale,
        },
    },
    time::Timestamp,
};

/// Which issues wait for which: `edges`, `topo`, `cycles` and `nextReady` are added.
pub(in crate::compat) fn graph(case: &Case) -> Case {
    let list =
        |key: &str| case.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let numbers = |key: &str| list(key).iter().filter_map(iid).collect::<BTreeSet<u64>>();
    let issues: Vec<Issue> = list("issues").iter().map(issue).collect();
    let graph = Graph::new(&issues);
    let sorted = graph.sorted();
    let mut done = case.clone();
    done.insert("edges".to_owned(), graph.edges().map(|(iid, next)| json!([iid, next])).collect());
    done.insert("topo".to_owned(), json!({"order": sorted.order, "cycles": sorted.cycles}));
    done.insert("cycles".to_owned(), json!(sorted.cycles));
    let ready = graph.next_ready(&numbers("inFlight"), &numbers("completed"));
    done.insert("nextReady".to_owned(), json!(ready));
    done
}

fn issue(given: &Value) -> Issue {
    let numbers = |key: &str| given[key].as_array().into_iter().flatten().filter_map(iid).collect();
    Issue {
        iid: count(&given["iid"]),
        blocks: numbers("blocks"),
        blocked_by: numbers("blockedBy"),
        labels: texts(&given["labels"]).map(ToOwned::to_owned).collect(),
    }
}

/// The number of an issue, which may be written as a text.
fn iid(value: &Value) -> Option<u64> {
    Some(number(value)).filter(|number| number.is_finite()).map(whole)
}

/// What several loops may do, when they end, and what they come to.
pub(in crate::compat) fn coordinate(case: &Case) -> Case {
    let (first, second) = (argument(case, 0), argument(case, 1));
    let now = Timestamp::from_ms(ms(&second["nowMs_value"]));
    let answer = match function(case) {
        "calculateConcurrencyCap" => Ok(cap(first, second)),
        "evaluateMultiKillSwitches" => Ok(silent(first, second, now)),
        "decideCohortAction" => Ok(cohort(first, second.as_str().unwrap_or_default())),
        "shouldStopOrchestrator" => Ok(stop(first, second, now)),
        "finalize" => finalize(first, second.as_str().unwrap_or_default()),
        _ => unknown(case),
    };
    answered(case, answer)
}

fn cap(given: &Value, options: &Value) -> Value {
    let defaults = Capacity::default();
    let option = |key: &str, default| options[key].as_f64().unwrap_or(default);
    let capacity = Capacity {
        most: option("staticFloor", defaults.most),
        ram_per_loop_gb: option("ramPerLoopGb", defaults.ram_per_loop_gb),
        reserve: option("reserveSlots", defaults.reserve),
    };
    Value::from(capacity.cap(&snapshot(given)))
}

fn stories(given: &Value) -> Vec<Story> {
    let story = |given: &Value| Story {
        id: given["loopId"].as_str().unwrap_or_default().to_owned(),
        status: given["status"].as_str().and_then(Status::named),
        switch: given["killSwitch"]
            .as_str()
            .and_then(|name| KillSwitch::ALL.into_iter().find(|switch| switch.name() == name)),
        spiral_recoveries: u32::try_from(count(&given["spiralRecoveryCount"])).unwrap_or(u32::MAX),
        last_activity: Timestamp::from_ms(ms(&given["lastActivityAt"])),
        fell_back: given["fallbackToManual"] == true,
    };
    given.as_array().into_iter().flatten().map(story).collect()
}

fn silent(given: &Value, options: &Value, now: Timestamp) -> Value {
    let silent_max_s = known_count(&options["staleSubagentMinSeconds"]).unwrap_or(600);
    stale(&stories(given), silent_max_s, now).map_or(
        Value::Null,
        |Stale { id, kill }| json!({"kill": kill.switch, "detail": kill.detail, "loopId": id}),
    )
}

fn cohort(given: &Value, id: &str) -> Value {
    match cohort_action(&stories(given), id) {
        CohortAction::Retry => {
            let reason = format!("first-strike spiral, recovering loop {id}");
            json!({"action": "retry", "reason": reason})
        }
        CohortAction::Abort => {
            json!({"action": "cohort-abort", "reason": "second-strike spiral or cohort threshold"})
        }
    }
}

fn stop(given: &Value, options: &Value, now: Timestamp) -> Value {
    let active = stories(&given["activeLoops"]);
    let watch = Watch {
        active: &active,
        ready: given["readyBacklog"].as_array().map_or(0, Vec::len),
        last_completion: Timestamp::from_ms(ms(&given["lastCompletionAt"])),
        inactivity_max_ms: known_count(&options["inactivityTimeoutMs"]).unwrap_or(300_000),
        deadline: None,
    };
    match should_stop(&watch, now) {
        Some(reason) => json!({"stop": true, "reason": reason.name()}),
        None => json!({"stop": false}),
    }
}

fn finalize(given: &Value, reason: &str) -> Result<Value, Thrown> {
    let known = StopReason::named(reason);
    let known =
        known.ok_or_else(|| Thrown::new("TypeError", format!("no reason to stop: {reason}")))?;
    let finish = finish(&stories(given), known);
    Ok(json!({
        "success": finish.exit_code() == 0,
        "exitCode": finish.exit_code(),
        "data": {
            "reason": finish.reason.name(),
            "loopCount": finish.count,
            "completed": finish.completed,
            "failed": finish.failed,
            "noWork": finish.no_work,
            "fellBackToManual": finish.fell_back,
            "killDetail": null,
        },
    }))
}
