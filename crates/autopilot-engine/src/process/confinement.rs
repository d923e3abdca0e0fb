//! What a child may touch.

use std::path::PathBuf;

/// What a child may touch and how much it may use. Everything that is not named can be read and not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confinement {
    /// Can neither be read nor written nor listed, with all below; existing paths without links.
    pub hidden: Vec<PathBuf>,
    /// Can be read although it lies in what is hidden.
    pub readable: Vec<PathBuf>,
    /// Can be read and written, with all below.
    pub writable: Vec<PathBuf>,
    /// Whether it reaches the network.
    pub network: Network,
    /// How much it may use.
    pub bounds: Bounds,
}

/// Which network a child has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// The machine's.
    Open,
    /// A loopback device that only processes of the same run can reach.
    Own,
}

/// How much a child may use, together with everything it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Processes at once.
    pub processes_max: u64,
    /// Memory of all of them, in bytes.
    pub memory_bytes_max: u64,
    /// Size of each file they write.
    pub file_bytes_max: u64,
}

/// A bound that a child went beyond, for which it was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exceeded {
    /// It had too many processes.
    Processes,
    /// It used too much memory.
    Memory,
}

/// What the machine lets the guardian enforce.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Abilities {
    /// The version of Landlock, where there is one.
    pub landlock: Option<u32>,
    /// Why children cannot be given a network of their own; nothing where they can.
    pub no_own_network: Option<String>,
}
