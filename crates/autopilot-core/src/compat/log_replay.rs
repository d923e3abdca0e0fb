//! What the rails would have said at every point of an audit log.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    compat::Case,
    rails::check::{AuditLog, Refusal, Signal, log_integrity},
};

/// Adds what sameness, stuck and integrity say of each beginning of a log, for each step that occurs in it.
pub(crate) fn complete(case: &Case) -> Case {
    let lines: Vec<&str> = case
        .get("lines")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let steps: BTreeSet<String> = lines.iter().filter_map(|line| step(line)).collect();
    let mut checks = Vec::new();
    let mut text = String::new();
    for count in 0..=lines.len() {
        if let Some(line) = count.checked_sub(1).and_then(|last| lines.get(last)) {
            text.push_str(line);
            text.push('\n');
        }
        let log = AuditLog { path: b"log", text: text.as_bytes() };
        let whole = log_integrity(log.path, Some(log.text), count.to_string().as_bytes());
        for step in &steps {
            let named = Some(step.as_bytes());
            checks.push(json!([
                count,
                step,
                code(log.sameness(named)),
                code(log.stuck(b"3", named)),
                code(whole.clone().map(|()| Signal::Continue)),
            ]));
        }
    }
    let mut done = case.clone();
    done.insert("prefix_step_sameness_stuck_integrity".to_owned(), Value::Array(checks));
    done
}

fn step(line: &str) -> Option<String> {
    let row: Value = serde_json::from_str(line).ok()?;
    row["step"].as_str().map(ToOwned::to_owned)
}

fn code(said: Result<Signal, Refusal>) -> u8 {
    match said {
        Ok(Signal::Continue) => 0,
        Ok(Signal::Halt) => 1,
        Err(refusal) => refusal.code(),
    }
}
