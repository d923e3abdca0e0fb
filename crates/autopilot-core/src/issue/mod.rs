//! One issue: what is asked, in which order, until its objective gates hold or going on would be wrong.
//!
//! [`Convergence`] is the loop, as a function of what it is told. It knows no agent and no file; [`replay`] plays it
//! with answers from a script.

mod arguments;
mod convergence;
mod finding;
pub mod replay;

pub use arguments::{Arguments, Part};
pub use convergence::{Ask, Checks, Convergence, Covered, End, Frozen, Gates, Stop, Told};
pub use finding::Finding;
