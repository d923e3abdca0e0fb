//! What agents and verification commands may touch.
//!
//! [`Sandbox`] is what a person has set, [`Places`] what this machine has of it, and [`enforcement`] says what of it
//! holds. `docs/design/sandbox.md` tells what is allowed by default, and why.

mod caches;
mod enforced;
mod places;
mod tried;

use std::path::{Path, PathBuf};

pub use enforced::{Enforcement, enforcement, look};
pub use places::state_of;
pub(crate) use places::{Needs, Places};
pub(crate) use tried::{exceeded, tried};

use crate::process::Bounds;

/// More processes at once than this are a mistake or an attack.
const PROCESSES_MAX: u64 = 4096;
/// A larger file is one that never ends.
const FILE_BYTES_MAX: u64 = 16 << 30;

/// The settings of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// Whether there is one.
    pub enabled: bool,
    /// Whether verification commands reach the network.
    pub network: bool,
    /// What may be read although it would be hidden.
    pub read: Vec<PathBuf>,
    /// What may be written besides.
    pub write: Vec<PathBuf>,
    /// What is hidden besides.
    pub hide: Vec<PathBuf>,
    /// Processes of one step at once.
    pub processes_max: u64,
    /// Memory of all processes of one step; nothing where it is most of what the machine has.
    pub memory_bytes_max: Option<u64>,
    /// Size of each file that a step writes.
    pub file_bytes_max: u64,
}

impl Default for Sandbox {
    fn default() -> Self {
        Self {
            enabled: true,
            network: false,
            read: Vec::new(),
            write: Vec::new(),
            hide: Vec::new(),
            processes_max: PROCESSES_MAX,
            memory_bytes_max: None,
            file_bytes_max: FILE_BYTES_MAX,
        }
    }
}

impl Sandbox {
    pub(crate) fn bounds(&self) -> Bounds {
        let of_the_machine = || machine_bytes().map_or(u64::MAX, |bytes| bytes / 8 * 7);
        Bounds {
            processes_max: self.processes_max,
            memory_bytes_max: self.memory_bytes_max.unwrap_or_else(of_the_machine),
            file_bytes_max: self.file_bytes_max,
        }
    }
}

fn machine_bytes() -> Option<u64> {
    let memory = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = memory.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// A path as a person writes it: `~` is their home, and what does not begin with `/` is meant from the project.
pub(crate) fn written_path(path: &Path, home: &Path, root: &Path) -> PathBuf {
    match path.strip_prefix("~") {
        Ok(below) => home.join(below),
        Err(_) => root.join(path),
    }
}
