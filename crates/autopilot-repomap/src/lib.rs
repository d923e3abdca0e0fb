//! What is defined, exported, imported and called where in a repository, as one document that people and agents read.
//!
//! Entry point: [`Refresh`]. It is given the earlier map and a listing, tells which files must be read, learns their
//! bytes, and makes the new map; [`Reader`] makes the entry of one file. The names of the keys are a compatibility
//! surface: whoever reads `.autopilot/repo-map.json` today keeps working.
//!
//! This crate never opens a file, asks for the time or starts a process. It never fails: text that cannot be
//! understood gives an entry that says so.

mod cap;
mod grammar;
mod language;
mod layout;
mod limits;
mod map;
mod paths;
mod reader;
mod refresh;

pub use cap::{Detail, LINES_MAX};
pub use language::Language;
pub use limits::FILE_BYTES_MAX;
pub use map::{
    Basis, Calls, Class, Export, ExportKind, Exporter, FileEntry, Function, Import, Importer,
    RepoMap, Summary, Unread, VERSION,
};
pub use paths::is_mapped;
pub use reader::Reader;
pub use refresh::Refresh;
