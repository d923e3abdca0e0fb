//! What was measured, and what it is measured against.

/// What a probe saw. What it could not see is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Memory that is free.
    pub ram_free_gb: Option<f64>,
    /// Memory that could be had, where the system tells.
    pub ram_available_gb: Option<f64>,
    /// The part of memory that the system calls free of pressure, where it tells.
    pub memory_pressure_pct_free: Option<f64>,
    /// Load over a minute.
    pub cpu_load_pct: Option<f64>,
    /// Load over five minutes.
    pub cpu_load_5m_pct: Option<f64>,
    /// Other sessions in the registry.
    pub peer_sessions: Option<u64>,
    /// Processes of agents.
    pub agent_processes: Option<u64>,
    /// Swap in use.
    pub swap_used_mb: Option<f64>,
    /// Processes of agents that do nothing any more.
    pub zombie_processes: Option<u64>,
}

/// What is too little or too much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Less memory than this is a signal.
    pub ram_free_min_gb: f64,
    /// Less than this is beyond doubt.
    pub ram_free_critical_gb: f64,
    /// More load than this is a signal.
    pub cpu_load_max_pct: f64,
    /// So many other sessions are a signal.
    pub concurrent_sessions_warn: u64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            ram_free_min_gb: 4.0,
            ram_free_critical_gb: 2.0,
            cpu_load_max_pct: 90.0,
            concurrent_sessions_warn: 5,
        }
    }
}
