//! The local driver: a journal on disk, effects performed on this machine.

mod claim;
mod driver;
mod hands;
mod inbox;
mod signals;

pub use driver::LocalDriver;
pub(crate) use hands::now;
pub use hands::{Lanes, LocalHands, Perform};
pub use inbox::Inbox;
