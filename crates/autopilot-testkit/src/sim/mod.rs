//! A simulated world in which whole runs are played from a seed.
//!
//! The loop is the engine's own ([`autopilot_engine::drive`]); only the journal and the world are simulated.

mod agents;
mod chance;
mod faults;
mod play;
mod scenario;
mod story;
mod sweep;
mod world;

pub use chance::Chance;
pub use faults::{Survived, play_on_failing_disk};
pub use play::{End, Played, play, play_carelessly, play_story};
pub use scenario::{Scenario, Temper};
pub use sweep::{Swept, every_crash, random_crashes, story_with_every_crash};
pub use world::Files;
