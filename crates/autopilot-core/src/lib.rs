//! Decides what a run does next.

pub mod evidence;
pub mod roadmap;
