//! Decides what a run does next.
