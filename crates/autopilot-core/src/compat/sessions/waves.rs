//! Waves: how many agents, and how far apart.

use serde_json::{Value, json};

use crate::{
    compat::{
        Case,
        case::{Thrown, answered, argument, count, function, known_count, unknown},
        sessions::resources::{share, thresholds},
    },
    sessions::{
        resources::Snapshot,
        select::SessionType,
        session_record::said,
        waves::{Awareness, Enforcement, Isolation, Wave, enforcement, gate, isolation},
    },
};

/// How far apart.
pub(in crate::compat) fn sizing(case: &Case) -> Case {
    let given = argument(case, 0);
    let answer = match function(case) {
        "resolveIsolation" => resolve_isolation(given).map(|found| Value::from(found.name())),
        "resolveEnforcement" => resolve_enforcement(given).map(|found| Value::from(found.name())),
        _ => unknown(case),
    };
    answered(case, answer)
}

fn resolve_isolation(given: &Value) -> Result<Isolation, Thrown> {
    let wrong = |what: String| Thrown::new("TypeError", format!("resolveIsolation: {what}"));
    let agents = &given["agentCount"];
    let is_count = agents.as_f64().is_some_and(|count| count >= 1.0 && count.fract() == 0.0);
    if !is_count {
        return Err(wrong(format!("agentCount must be a positive integer, got {}", said(agents))));
    }
    let kind = &given["sessionType"];
    let session_type = kind.as_str().and_then(SessionType::named).ok_or_else(|| {
        wrong(format!("sessionType must be housekeeping|feature|deep, got '{}'", said(kind)))
    })?;
    let is_collision_likely = given["collisionRisk"] == "high";
    let wave = Wave { agents: count(agents), session_type, is_collision_likely };
    Ok(isolation(wave, given["configIsolation"].as_str().and_then(Isolation::named)))
}

fn resolve_enforcement(given: &Value) -> Result<Enforcement, Thrown> {
    let wrong = |key: &str, known: &str| {
        let said = said(&given[key]);
        Thrown::new("TypeError", format!("resolveEnforcement: {key} must be {known}, got '{said}'"))
    };
    let isolation = given["isolation"].as_str().and_then(Isolation::named);
    let isolation = isolation.ok_or_else(|| wrong("isolation", "worktree|none"))?;
    let configured = given["configEnforcement"].as_str().and_then(Enforcement::named);
    let configured = configured.ok_or_else(|| wrong("configEnforcement", "strict|warn|off"))?;
    Ok(enforcement(isolation, configured))
}

/// How many.
pub(in crate::compat) fn resource_gate(case: &Case) -> Case {
    let given = argument(case, 0);
    let (config, probe) = (&given["config"], &given["probeOverride"]);
    let awareness = awareness(config);
    let snapshot = snapshot(probe);
    let decision = gate(count(&given["plannedAgents"]), &snapshot, awareness);
    let measurements = match awareness {
        Awareness::Off => json!({}),
        Awareness::Unset | Awareness::On { .. } => json!({
            "ramFreeGb": probe["ramFreeGb"],
            "ramAvailableGb": probe["ramAvailableGb"],
            "memoryPressurePctFree": probe["memoryPressurePctFree"],
            "cpuLoadPct": probe["cpuLoadPct"],
            "cpuLoad5mPct": probe["cpuLoad5mPct"],
            "peerSessions": snapshot.peer_sessions,
            "claudeProcesses": snapshot.agent_processes,
            "concurrentSessions": snapshot.peer_sessions.or(snapshot.agent_processes),
            "swapUsedMb": probe["swapUsedMb"],
            "zombieProcesses": snapshot.zombie_processes,
        }),
    };
    let told = json!({
        "decision": decision.dispatch.name(),
        "agents": decision.agents,
        "reasons": decision.reasons,
        "measurements": measurements,
    });
    answered(case, Ok(told))
}

fn awareness(config: &Value) -> Awareness {
    if config["resource-awareness"] == false {
        Awareness::Off
    } else if config["resource-thresholds"].is_object() {
        Awareness::On {
            thresholds: thresholds(&config["resource-thresholds"]),
            share: share(&config["heavy-repo"], &config["agents-per-wave"]),
        }
    } else {
        Awareness::Unset
    }
}

fn snapshot(probe: &Value) -> Snapshot {
    let processes = known_count(&probe["claudeProcesses"]);
    Snapshot {
        ram_free_gb: probe["ramFreeGb"].as_f64(),
        ram_available_gb: probe["ramAvailableGb"].as_f64(),
        memory_pressure_pct_free: probe["memoryPressurePctFree"].as_f64(),
        cpu_load_pct: probe["cpuLoadPct"].as_f64(),
        cpu_load_5m_pct: probe["cpuLoad5mPct"].as_f64(),
        peer_sessions: known_count(&probe["peerSessions"]),
        agent_processes: processes.or_else(|| known_count(&probe["concurrentSessions"])),
        swap_used_mb: probe["swapUsedMb"].as_f64(),
        zombie_processes: known_count(&probe["zombieProcesses"]),
    }
}
