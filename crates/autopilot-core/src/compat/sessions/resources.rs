//! The state of a machine.

use serde_json::{Value, json};

use crate::{
    compat::{
        Case,
        case::{answered, argument, known_count},
    },
    sessions::resources::{Evaluation, Share, Snapshot, Thresholds, evaluate},
};

/// Judges a snapshot.
pub(in crate::compat) fn complete(case: &Case) -> Case {
    let given = argument(case, 0);
    let options = argument(case, 2);
    let snapshot = snapshot(given);
    let share = share(&options["heavyRepo"], &options["agentsPerWave"]);
    let thresholds = thresholds(argument(case, 1));
    let Evaluation { verdict, reasons, cap, hard, soft } = evaluate(&snapshot, &thresholds, share);
    let told = json!({
        "verdict": verdict,
        "reasons": reasons,
        "recommended_agents_per_wave_cap": cap,
        "signals": {"hard": hard, "soft": soft},
    });
    answered(case, Ok(told))
}

pub(super) fn snapshot(given: &Value) -> Snapshot {
    Snapshot {
        ram_free_gb: given["ram_free_gb"].as_f64(),
        ram_available_gb: given["ram_available_gb"].as_f64(),
        memory_pressure_pct_free: given["memory_pressure_pct_free"].as_f64(),
        cpu_load_pct: given["cpu_load_pct"].as_f64(),
        cpu_load_5m_pct: given["cpu_load_5m_pct"].as_f64(),
        peer_sessions: known_count(&given["peer_sessions_count"]),
        agent_processes: known_count(&given["claude_processes_count"]),
        swap_used_mb: given["swap_used_mb"].as_f64(),
        zombie_processes: known_count(&given["zombie_processes_count"]),
    }
}

pub(super) fn thresholds(given: &Value) -> Thresholds {
    let defaults = Thresholds::default();
    let number = |key: &str, default| given[key].as_f64().unwrap_or(default);
    Thresholds {
        ram_free_min_gb: number("ram-free-min-gb", defaults.ram_free_min_gb),
        ram_free_critical_gb: number("ram-free-critical-gb", defaults.ram_free_critical_gb),
        cpu_load_max_pct: number("cpu-load-max-pct", defaults.cpu_load_max_pct),
        concurrent_sessions_warn: known_count(&given["concurrent-sessions-warn"])
            .unwrap_or(defaults.concurrent_sessions_warn),
    }
}

/// What a repository can bear: a number, or a mapping with a default.
pub(super) fn share(is_heavy: &Value, agents: &Value) -> Share {
    let agents = known_count(agents).or_else(|| known_count(&agents["default"]));
    agents.filter(|_| *is_heavy == true).map_or(Share::Full, Share::Heavy)
}
