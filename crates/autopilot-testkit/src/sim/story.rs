//! One run in which everything happens to phases that can: what each phase meets, step by step.
//!
//! What an agent does depends on how many outcomes of its step are in the books, never on how often it was started. So a run
//! that crashes goes on as it would have.

use std::collections::BTreeMap;

use autopilot_core::{
    evidence::Criterion, fact::Record, input::FailureClass, report::Chronicle, role::Role,
    run::fold,
};
use serde_json::{Value, json};

/// What each phase waits for, beside nothing.
pub(super) const WAITS: [(usize, usize); 2] = [(11, 4), (12, 11)];
/// With this seed the person who is asked agrees, the result is audited, and nobody is measured.
pub(super) const SEED: u64 = 6;
/// How many phases there are.
pub(super) const PHASES: usize = 12;

/// What an agent does in one step.
pub(super) enum Scene {
    /// What it should.
    Honest,
    /// It fails.
    Fails(FailureClass),
    /// It comes to the end of what it can remember.
    Exhausted,
    /// It does nothing and says that it is done.
    Idle,
    /// It does what it should, and something that a guard forbids.
    Breaks(&'static str),
    /// It returns this.
    Says(Value),
}

/// What the agent of a role meets in a phase, the n-th time that it is heard.
pub(super) fn scene(phase: &str, role: Role, nth: u32) -> Scene {
    match (phase, role, nth) {
        ("1", Role::Verifier, _) => Scene::Says(unsure()),
        ("1", Role::Rater, 0) => Scene::Says(rating(8.2)),
        ("2", Role::Researcher, 0) => Scene::Fails(FailureClass::Malformed),
        ("2", Role::Executor, 0) => Scene::Fails(FailureClass::Crashed),
        ("2", Role::Rater, 0) => Scene::Says(rating(6.0)),
        ("3" | "10", Role::Planner, _) => Scene::Says(in_parts()),
        ("3a", Role::Executor, 0) => Scene::Exhausted,
        ("4", Role::Judge, _) => Scene::Says(taken_back()),
        ("5", Role::Executor | Role::Debugger, _) => Scene::Breaks("compile"),
        ("6", Role::Executor | Role::Debugger, _) => Scene::Breaks("lint"),
        ("7", Role::Executor | Role::Debugger, _) => Scene::Breaks("build"),
        ("8" | "10b", Role::Executor | Role::Debugger, _) => Scene::Idle,
        ("9", Role::Verifier, _) => Scene::Says(creeps()),
        _ => Scene::Honest,
    }
}

/// The file by which a phase is seen to be done.
pub(super) fn proof(phase: usize) -> String {
    let last_part = if matches!(phase, 3 | 10) { "b" } else { "" };
    format!("{phase}{last_part}-01")
}

/// The guards of the story: none of these words may be in any file.
pub(super) fn guards() -> impl Iterator<Item = (&'static str, Criterion)> {
    let guard = |name| (name, Criterion::parse(&format!("{name} -- verified by: `lacks {name}`")));
    ["compile", "lint", "build"].into_iter().map(guard)
}

/// The tasks of a phase, with what kind each is and how hard.
pub(super) fn tasks(phase: &str) -> Vec<(String, &'static str, &'static str)> {
    match phase {
        "1" => vec![
            ("1-00".to_owned(), "checkpoint:human-verify", "simple"),
            ("1-01".to_owned(), "auto", "simple"),
        ],
        // What is done in parts has no tasks of its own.
        "3" | "10" => Vec::new(),
        _ => vec![(format!("{phase}-01"), "auto", "simple")],
    }
}

/// What is written down of a phase before it is done in parts.
pub(super) fn wished(phase: &str) -> Vec<(String, &'static str, &'static str)> {
    match phase {
        "3" | "10" => (1..=6).map(|at| (format!("{phase}-0{at}"), "auto", "complex")).collect(),
        _ => tasks(phase),
    }
}

/// What is told of the run when it is over, without times.
pub(super) fn told(records: impl Iterator<Item = Record>) -> Vec<String> {
    let (mut run, mut chronicle) = (None, Chronicle::default());
    for record in records {
        fold(&mut run, &record).expect("the journal begins with its run");
        run.iter().for_each(|run| chronicle.take(run, &record));
    }
    let run = run.expect("there is a run");
    let mut lines = Vec::new();
    let phases = run.work.phases();
    for id in phases.list.iter().map(|phase| phase.spec.id) {
        let Some(told) = chronicle.post_mortem(&run, id) else { continue };
        let fixes: Vec<&String> = told.attempted_fixes.iter().map(|fix| &fix.description).collect();
        lines.push(format!(
            "{id}: {:?}, {}, {fixes:?}",
            told.root_cause.category, told.prevention_rule
        ));
    }
    lines.extend(chronicle.learnings(&run));
    if let Some(all) = chronicle.completion(&run) {
        let attempted = all.attempted.iter();
        lines.extend(
            attempted.map(|one| {
                format!("{} {} {:?} {}", one.phase_id, one.status, one.score, one.notes)
            }),
        );
        lines.push(format!("{:?} {:?}", all.phases_skipped, all.dependency_gaps));
    }
    let metrics = serde_json::to_value(chronicle.metrics(&run)).unwrap_or_default();
    let same = metrics.as_object().into_iter().flatten().filter(|(key, _)| counts(key));
    let same: BTreeMap<&String, &Value> = same.collect();
    lines.push(format!("{same:?}"));
    lines
}

/// Whether a number of a run is the same however often it was interrupted.
fn counts(key: &str) -> bool {
    !["time", "duration", "token", "cost", "usd", "run_id", "started", "ended"]
        .iter()
        .any(|word| key.contains(word))
}

fn unsure() -> Value {
    json!({
        "pass": true,
        "commands_run": ["done"],
        "autonomous_resolution_attempted": true,
        "autonomous_confidence": 5,
        "deferral_evidence": ["open the page 1-01 and look whether its title is right"],
    })
}

fn creeps() -> Value {
    let what = "it also renames things";
    json!({
        "pass": false,
        "commands_run": ["git diff"],
        "failures": [what],
        "failure_categories": [{"failure": what, "category": "scope_creep"}],
    })
}

fn taken_back() -> Value {
    json!({
        "recommendation": "rollback",
        "concerns": ["it is the wrong file"],
        "independent_evidence": ["4-01 should be a page"],
    })
}

fn in_parts() -> Value {
    let part = |name: &str| json!({"name": name, "scope": format!("the {name}")});
    json!({
        "plans_created": 1,
        "split_details": {
            "reason": "six hard tasks",
            "recommended_sub_phases": [part("first half"), part("second half")],
        },
    })
}

fn rating(score: f64) -> Value {
    let row =
        json!({"criterion": "all", "score": score, "evidence": "part:1", "justification": "seen"});
    json!({"alignment_score": score, "scorecard": [row]})
}
