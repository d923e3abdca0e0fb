//! Sessions one after another, each chosen by how the last ones went, until something speaks against another.
//!
//! [`run_loop::RunLoop`] is the loop; [`select`] chooses a session, [`kill_switch`] ends the loop, [`resources`] and
//! [`waves`] say what a machine can bear, [`stories`] run several loops at once. The rest are the records that sessions
//! leave for each other: [`record`], [`session_record`], [`state_md`], [`recommendation`].
//!
//! All of it repeats what an earlier program does, to the digit and the word, except where [`Reading`] says otherwise.

pub mod clock;
pub mod diary;
pub mod flags;
pub mod kill_switch;
pub mod lock;
pub mod number;
mod reading;
pub mod recommendation;
pub mod record;
pub mod registry;
pub mod resources;
pub mod run_loop;
pub mod select;
pub mod session_record;
pub mod state_md;
pub mod stories;
pub mod suitability;
pub mod waves;

pub use reading::Reading;
