//! Children under a real guardian: output, limits, leftovers, and every way a run can end.

#![expect(clippy::unwrap_used, reason = "a step that fails here fails the test")]

mod confined;
mod ends;
mod guardian;
mod outputs;
mod pipes;
mod world;
