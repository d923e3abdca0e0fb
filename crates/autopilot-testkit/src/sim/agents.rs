//! Simulated agents: honest, lying, destructive, stalling, crashing, flooding, garbling, limited.

use autopilot_core::{
    budget::Spend,
    effect::AgentTask,
    evidence::places_in,
    id::Key,
    input::{AgentReport, Failure, FailureClass, Outcome, Sighting, Work},
    returns::{Return, Sitting},
    role::Role,
    time::Timestamp,
};
use serde_json::{Value, json};

use super::{
    chance::Chance,
    scenario::Temper,
    story::{Scene, scene},
    world::{Files, World},
};

/// How an agent behaves in one step.
enum Manner {
    Honest,
    /// Says done, changes nothing.
    Idle,
    /// Says done, leaves it broken.
    Broken,
    /// Does its own work and breaks what somebody else has done.
    Vandal,
    /// Objects, where the role has an opinion.
    Objects,
    Stalls,
    Crashes,
    /// Prints without end, then returns; costs a lot.
    Floods,
    Garbles,
    Limited,
    Overloaded,
}

/// What comes of an agent's step.
pub(super) fn act(world: &mut World, key: &Key, task: &AgentTask) -> (Outcome, Spend) {
    let nth = world.heard(&key.step);
    if world.scenario.temper == Temper::Story {
        return play(world, task, nth);
    }
    let question = format!("{} nth {nth}", key.step);
    let mut chance = Chance::of(world.scenario.seed, &question);
    let manner = manner(world.scenario.temper, &mut chance);
    let tokens = match manner {
        Manner::Floods => 20_000 + chance.below(20_000),
        Manner::Limited | Manner::Overloaded => 0,
        _ => 500 + chance.below(4_000),
    };
    let spent = Spend { tokens, micro_usd: tokens * 3, busy_ms: 1_000 };
    let outcome = match manner {
        Manner::Stalls => failed(FailureClass::Stalled),
        Manner::Crashes => failed(FailureClass::Crashed),
        Manner::Garbles => failed(FailureClass::Malformed),
        Manner::Overloaded => failed(FailureClass::Overloaded),
        Manner::Limited => {
            let until = chance.percent(70).then(|| Timestamp::from_ms(i64::MAX / 4));
            failed(FailureClass::Limit { until: until.map(|_| world_soon(world)) })
        }
        Manner::Honest
        | Manner::Idle
        | Manner::Broken
        | Manner::Vandal
        | Manner::Objects
        | Manner::Floods => Outcome::Agent(Box::new(report(world, task, &manner))),
    };
    (outcome, spent)
}

/// What comes of a step of the story.
fn play(world: &mut World, task: &AgentTask, nth: u32) -> (Outcome, Spend) {
    let spent = Spend { tokens: 1_000, micro_usd: 3_000, busy_ms: 1_000 };
    let honest = |world: &mut World| report(world, task, &Manner::Honest);
    let outcome = match scene(&phase_of(task), task.role, nth) {
        Scene::Fails(class) => failed(class),
        Scene::Exhausted => {
            let work = report(world, task, &Manner::Broken).work.map(Box::new);
            Outcome::Exhausted { work, why: "context_exhaustion: half of it".to_owned() }
        }
        Scene::Idle => Outcome::Agent(Box::new(report(world, task, &Manner::Idle))),
        Scene::Honest => Outcome::Agent(Box::new(honest(world))),
        Scene::Breaks(what) => {
            let mut report = honest(world);
            if let Some(work) = &mut report.work {
                let mut files = world.files(&work.commit);
                files.insert(format!("{what}.txt"), what.to_owned());
                work.commit = world.keep(&task.base, files);
            }
            Outcome::Agent(Box::new(report))
        }
        Scene::Says(value) => {
            let mut report = honest(world);
            if task.sitting == Sitting::First {
                report.seen.places = places_in(&value);
                let returned = Return::read(task.role, task.sitting, value);
                report.returned = returned.expect("it fits its schema");
            }
            Outcome::Agent(Box::new(report))
        }
    };
    (outcome, spent)
}

fn manner(temper: Temper, chance: &mut Chance) -> Manner {
    let odd = match temper {
        Temper::Honest | Temper::Story => 0,
        Temper::Mixed => 25,
        Temper::Hostile => 75,
    };
    if !chance.percent(odd) {
        return Manner::Honest;
    }
    match chance.below(14) {
        0 | 1 => Manner::Idle,
        2 | 3 => Manner::Broken,
        4 | 5 => Manner::Objects,
        6 => Manner::Stalls,
        7 => Manner::Crashes,
        8 => Manner::Floods,
        9 => Manner::Garbles,
        10 => Manner::Limited,
        11 => Manner::Overloaded,
        _ => Manner::Vandal,
    }
}

fn report(world: &mut World, task: &AgentTask, manner: &Manner) -> AgentReport {
    let value = match task.sitting {
        Sitting::First => returned(task.role, manner),
        Sitting::Second => compared(manner),
    };
    let places = places_in(&value);
    let returned = Return::read(task.role, task.sitting, value).expect("it fits its schema");
    let mut files = world.files(&task.base);
    write(&mut files, world, task, manner);
    let writes = task.role.access() == autopilot_core::role::Access::Write;
    let work = writes.then(|| {
        let changed = files != world.files(&task.base);
        let commit = world.keep(&task.base, files);
        let (requests, orphans) = (Vec::new(), Vec::new());
        Work { commit, changed, requests, said_done: false, grew: false, orphans }
    });
    let plan = (task.role == Role::Planner && !matches!(manner, Manner::Idle))
        .then(|| world.scenario.written(&phase_of(task)));
    let seen = Sighting { changed: vec!["something".to_owned()], places, ..Sighting::default() };
    AgentReport { returned, work, plan, model: None, seen }
}

/// What a writing agent leaves in its workspace.
fn write(files: &mut Files, world: &World, task: &AgentTask, manner: &Manner) {
    if matches!(manner, Manner::Vandal) {
        files.values_mut().filter(|text| *text == "done").for_each(|text| *text = "undone".into());
    }
    let text = match manner {
        Manner::Idle => return,
        Manner::Broken => "half done",
        _ => "done",
    };
    match (task.role, &task.task) {
        (Role::Planner, _) => {
            files.insert(format!("{}/PLAN.md", task.brief.directory), "a plan".to_owned());
        }
        (Role::Executor | Role::Debugger, Some(id)) => {
            files.insert(id.as_str().to_owned(), text.to_owned());
        }
        (Role::Executor, None) => {
            files.insert("what was missing".to_owned(), text.to_owned());
        }
        (Role::Debugger, None) => {
            for task in world.scenario.plan(&phase_of(task)).tasks {
                files.insert(task.id.as_str().to_owned(), text.to_owned());
            }
        }
        _ => {}
    }
}

fn phase_of(task: &AgentTask) -> String {
    task.phase.map(|phase| phase.to_string()).unwrap_or_default()
}

fn returned(role: Role, manner: &Manner) -> Value {
    let objects = matches!(manner, Manner::Objects);
    // Whoever judges and does nothing for it.
    let idle = matches!(manner, Manner::Idle);
    match role {
        Role::Researcher => json!({"key_findings": ["a finding"], "recommended_approach": "do it"}),
        Role::Planner => json!({"plans_created": 1, "total_tasks": 1}),
        Role::PlanChecker if objects => json!({"pass": false, "confidence": 5, "issues": []}),
        Role::PlanChecker => json!({"pass": true, "confidence": 9, "issues": []}),
        Role::Executor => json!({"tasks_completed": "1/1"}),
        Role::Verifier if objects => json!({"pass": false, "failures": ["it does not work"]}),
        Role::Verifier if idle => json!({"pass": true, "commands_run": []}),
        Role::Verifier => json!({
            "pass": true,
            "commands_run": ["done"],
            "autonomous_resolution_attempted": true,
            "autonomous_confidence": 4,
            "deferral_evidence": ["nobody can see it from here"],
        }),
        Role::Judge if objects => json!({"recommendation": "debug", "concerns": ["it smells"]}),
        Role::Judge if idle => {
            json!({"recommendation": "proceed", "concerns": ["as the verifier"]})
        }
        Role::Judge => json!({
            "recommendation": "proceed",
            "concerns": ["a small one"],
            "independent_evidence": ["a file - it is done"],
        }),
        Role::Rater if objects => score(8.2),
        Role::Rater if matches!(manner, Manner::Broken) => score(6.0),
        Role::Rater => score(9.4),
        Role::Debugger => json!({"fixed": true}),
        Role::Questioner => json!({"questions": []}),
        Role::Auditor => audit(if objects { "gap" } else { "pass" }),
        Role::IntegrationChecker if objects => json!({"pass": false, "issues": ["loose ends"]}),
        Role::IntegrationChecker => json!({"pass": true}),
        Role::ConflictResolver => json!({"resolved": true}),
        Role::StoryWriter
        | Role::IssuePlanner
        | Role::Implementer
        | Role::CoverageChecker
        | Role::CauseAnalyst => unreachable!("the simulated world has phases"),
    }
}

/// What a judge says who has seen what the verifier found.
fn compared(manner: &Manner) -> Value {
    let mut word = json!({"verifier_agreement": true, "verifier_missed": []});
    if !matches!(manner, Manner::Idle) {
        word["divergence_analysis"] = json!({"agreed": ["all of it"]});
    }
    if matches!(manner, Manner::Objects) {
        word["recommendation"] = json!("debug");
    }
    word
}

fn audit(status: &str) -> Value {
    let row = |name: &str| {
        json!({
            "requirement_id": name,
            "status": status,
            "file_line_evidence": "a:1",
            "gap_description": "it is not there",
        })
    };
    let rows = [row("first"), row("integration-1")];
    json!({"audit_results": [{"phase_id": "1", "requirements_checked": rows}]})
}

fn score(score: f64) -> Value {
    let row =
        json!({"criterion": "all", "score": score, "evidence": "part:1", "justification": "seen"});
    json!({"alignment_score": score, "scorecard": [row]})
}

fn failed(class: FailureClass) -> Outcome {
    Outcome::Failed(Failure { detail: format!("the agent {}", class.name()), class })
}

fn world_soon(world: &World) -> Timestamp {
    Timestamp::from_ms(world.clock_ms()).plus_ms(3_600_000)
}
