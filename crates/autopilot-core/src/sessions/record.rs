//! The line that a loop of sessions leaves behind in `autopilot.jsonl`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    sessions::{clock, flags::Limits, kill_switch::KillSwitch, number::Plain, resources::Verdict},
    time::Timestamp,
};

/// The version of the line.
pub const SCHEMA_VERSION: u32 = 1;
/// Where the lines are, below the root of a project.
pub const PATH_DEFAULT: &str = ".orchestrator/metrics/autopilot.jsonl";
/// Lines that readers look at, unless they say otherwise.
pub const RECENT_DEFAULT: usize = 50;

/// One loop. The keys are written in this order, which other programs and people know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// The version of this line.
    pub schema_version: u32,
    /// The loop.
    pub autopilot_run_id: String,
    /// When it began.
    pub started_at: String,
    /// When it ended.
    pub completed_at: String,
    /// Seconds in between.
    pub duration_seconds: Plain,
    /// Sessions that it might run.
    pub max_sessions: u32,
    /// Hours that it might take.
    pub max_hours: Plain,
    /// How sure a choice had to be.
    pub confidence_threshold: Plain,
    /// Sessions that it ran.
    pub iterations_completed: u32,
    /// What ended it.
    pub kill_switch: Option<KillSwitch>,
    /// What that saw.
    pub kill_switch_detail: Option<String>,
    /// Ids of its sessions.
    pub sessions: Vec<String>,
    /// The class of the machine.
    pub host_class: Option<String>,
    /// The state of the machine when it began.
    pub resource_verdict_at_start: Option<Verdict>,
    /// Whether it left the first choice to a person.
    pub fallback_to_manual: bool,
    /// Whether nothing was to be run.
    pub dry_run: bool,
    /// Tokens that it used.
    pub total_tokens_used: u64,
    /// Where it worked.
    pub worktree_path: Option<String>,
    /// The run that it is part of.
    pub parent_run_id: Option<String>,
    /// How often it stalled.
    pub stall_recovery_count: u32,
    /// The issue that it waits for.
    pub blocked_by_issue: Option<u64>,
    /// Whether it was ended because of another.
    pub aborted_by_cohort: bool,
    /// How often it was tried again after going in circles.
    pub spiral_recovery_count: u32,
}

/// What a loop is called, and what it belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Its id.
    pub run_id: String,
    /// The class of the machine.
    pub host_class: Option<String>,
    /// Where it works.
    pub worktree_path: Option<String>,
    /// The run that it is part of.
    pub parent_run_id: Option<String>,
    /// The issue that it waits for.
    pub blocked_by_issue: Option<u64>,
}

impl Record {
    /// The record of a loop that has done nothing yet.
    pub fn begun(identity: &Identity, limits: &Limits, at: Timestamp) -> Self {
        let Identity { run_id, host_class, worktree_path, parent_run_id, blocked_by_issue } =
            identity.clone();
        Self {
            schema_version: SCHEMA_VERSION,
            autopilot_run_id: run_id,
            started_at: clock::iso(at),
            completed_at: clock::iso(at),
            duration_seconds: Plain(0.0),
            max_sessions: limits.max_sessions,
            max_hours: Plain(limits.max_hours),
            confidence_threshold: Plain(limits.confidence_threshold),
            iterations_completed: 0,
            kill_switch: None,
            kill_switch_detail: None,
            sessions: Vec::new(),
            host_class,
            resource_verdict_at_start: None,
            fallback_to_manual: false,
            dry_run: false,
            total_tokens_used: 0,
            worktree_path,
            parent_run_id,
            stall_recovery_count: 0,
            blocked_by_issue,
            aborted_by_cohort: false,
            spiral_recovery_count: 0,
        }
    }

    /// The loop in one line, for a terminal.
    pub fn summary(&self) -> String {
        let switch = self.kill_switch.map_or("none", KillSwitch::name);
        let (id, count) = (&self.autopilot_run_id, self.iterations_completed);
        let (sessions, seconds) = (self.sessions.join(", "), self.duration_seconds);
        format!(
            "{id} kill_switch={switch} iterations={count} sessions=[{sessions}] duration={seconds}s"
        )
    }
}

/// The id of a loop that was given none: where it works, and since when.
pub fn run_id(branch: Option<&str>, at: Timestamp) -> String {
    let mut name = String::new();
    let mut is_gap = false;
    for character in branch.unwrap_or("unknown").chars() {
        let is_kept = character.is_ascii_alphanumeric() || "._-".contains(character);
        if is_kept {
            name.push(character);
        } else if !is_gap {
            name.push('-');
        }
        is_gap = !is_kept;
    }
    format!("{name}-{}-autopilot", clock::minute(at))
}

/// The last lines that are records, the newest last. What is no record is passed over: readers never fail.
pub fn recent(text: &str, most: usize) -> Vec<Map<String, Value>> {
    let read = |line: &str| match serde_json::from_str(line) {
        Ok(Value::Object(record)) => Some(record),
        Ok(_) | Err(_) => None,
    };
    let mut records: Vec<_> = text.lines().rev().filter_map(read).take(most).collect();
    records.reverse();
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_holds_only_what_is_safe_in_a_path() {
        let at = Timestamp::from_ms(1_700_000_000_000);
        assert_eq!(run_id(Some("ü-branch"), at), "--branch-2023-11-14-2213-autopilot");
        assert_eq!(run_id(Some("feat/x  y"), at), "feat-x-y-2023-11-14-2213-autopilot");
        assert_eq!(run_id(None, at), "unknown-2023-11-14-2213-autopilot");
    }

    #[test]
    fn whole_numbers_are_written_as_such() {
        let record = Record::begun(&Identity::default(), &Limits::default(), Timestamp::from_ms(0));
        let line = serde_json::to_string(&record).unwrap();
        let keys = "\"max_sessions\":5,\"max_hours\":4,\"confidence_threshold\":0.85,\"iterations_completed\":0,";
        assert!(line.contains(keys), "{line}");
        assert!(line.starts_with("{\"schema_version\":1,\"autopilot_run_id\":\"\","), "{line}");
    }

    #[test]
    fn readers_pass_over_what_is_no_record() {
        let text = "{\"a\":1}\n{torn\n[1]\n\n{\"a\":2}\n{\"a\":3}";
        let found: Vec<Value> = recent(text, 2).iter().map(|record| record["a"].clone()).collect();
        assert_eq!(found, [2, 3]);
    }
}
