//! Rails: what keeps a loop of attempts from going round in circles.
//!
//! The audit log is a file of JSON lines that people and other programs read as well, so its bytes are fixed
//! ([`line`]). The checks look at it as text, line by line ([`population`], [`check`]), exactly as the shell
//! library does that they replace.

pub mod check;
pub mod fingerprint;
pub mod line;
pub mod population;
