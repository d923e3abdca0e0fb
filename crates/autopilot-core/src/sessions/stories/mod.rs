//! Several loops at once, each on an issue of its own.
//!
//! Which issues may start is [`Graph::next_ready`], how many at once [`Capacity::cap`], when all of them end
//! [`should_stop`], and what that comes to [`finish`].

mod capacity;
mod coordinator;
mod flags;
mod graph;
mod story;

pub use capacity::Capacity;
pub use coordinator::{
    CohortAction, Finish, Stale, StopReason, Watch, cohort_action, finish, should_stop, stale,
};
pub use flags::{DraftMr, FlagError, StoryFlags};
pub use graph::{Graph, Issue, Order};
pub use story::{Status, Story};
