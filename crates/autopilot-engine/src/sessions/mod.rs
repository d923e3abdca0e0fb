//! What a loop of sessions touches: its records, the locks and the registry that sessions share, the machine they run on.
//!
//! Nothing here decides; `core::sessions` does.

mod error;
mod lines;
mod lock;
mod probe;
mod registry;
mod signals;

pub use error::SessionError;
pub use lines::{Found, append_line};
pub use lock::{Held, SessionLock};
pub use probe::{Machine, snapshot};
pub use registry::{Registry, Swept};
pub use signals::read_signals;
