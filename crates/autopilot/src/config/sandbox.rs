//! What agents and verification commands may touch.

use std::path::PathBuf;

use autopilot_engine::sandbox::Sandbox;
use serde::Deserialize;

/// The table `sandbox` of a layer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SandboxLayer {
    enabled: Option<bool>,
    read: Option<Vec<PathBuf>>,
    write: Option<Vec<PathBuf>>,
    hide: Option<Vec<PathBuf>>,
    processes: Option<u64>,
    memory_mb: Option<u64>,
    file_mb: Option<u64>,
}

impl SandboxLayer {
    /// Puts this layer on top.
    pub(super) fn apply(&self, sandbox: &mut Sandbox, network: Option<bool>) -> Result<(), String> {
        for (key, value) in [
            ("processes", self.processes),
            ("memory_mb", self.memory_mb),
            ("file_mb", self.file_mb),
        ] {
            if value == Some(0) {
                return Err(format!("`sandbox.{key}` must be at least 1"));
            }
        }
        let bytes = |megabytes: u64| megabytes.saturating_mul(1 << 20);
        sandbox.enabled = self.enabled.unwrap_or(sandbox.enabled);
        sandbox.network = network.unwrap_or(sandbox.network);
        for (own, paths) in [
            (&mut sandbox.read, &self.read),
            (&mut sandbox.write, &self.write),
            (&mut sandbox.hide, &self.hide),
        ] {
            if let Some(paths) = paths {
                own.clone_from(paths);
            }
        }
        sandbox.processes_max = self.processes.unwrap_or(sandbox.processes_max);
        sandbox.memory_bytes_max = self.memory_mb.map(bytes).or(sandbox.memory_bytes_max);
        sandbox.file_bytes_max = self.file_mb.map_or(sandbox.file_bytes_max, bytes);
        Ok(())
    }
}
