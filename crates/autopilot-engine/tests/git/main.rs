//! The person's repository, workspaces in it and what is kept of them, with real git.

#![expect(clippy::unwrap_used, reason = "a step that fails here fails the test")]

mod caps;
mod damaged;
mod hostile;
mod objects;
mod project;
mod snapshot;
mod spares;
mod staged;
mod trees;
mod workspaces;
mod world;
