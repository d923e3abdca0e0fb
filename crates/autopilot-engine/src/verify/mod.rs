//! Checks a certificate: its own form, the journal it was derived from, the commits it names, and, if asked to, what
//! its commands show when they are run again.
//!
//! Start at [`examine`], then [`rerun`]. A certificate is a file that anybody could have written: nothing it says is
//! believed, no path in it leaves its directory, and no command in it is run before everything else holds.

mod examine;
mod history;
mod journal;
mod rerun;

pub use examine::examine;
pub use rerun::{Trust, commands_of, rerun};
