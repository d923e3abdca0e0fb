//! The tables of a phase run: what may be asked for together, what it is likely to cost, when to doubt a score, when to
//! ask a person, when to stop.
//!
//! Each file is one rule as a total function of its inputs. The machine in `phases` asks them; they know nothing of it.

mod breaker;
mod contamination;
mod context;
mod coverage;
mod cycles;
mod deferral;
mod estimate;
mod flags;
pub mod integrity;
mod kind;
mod orphan;
mod response;
mod stamp;
mod taxonomy;
mod version;

pub use breaker::{Breaker, BreakerState, Progress, Thresholds};
pub use contamination::contamination;
pub use context::{
    Assessment, Category, Coverage, Dependencies, PhaseContext, QUESTIONS_BELOW, quick_check,
};
pub use coverage::{Wanted, documents_coverage, requirements_coverage};
pub use cycles::{Cycle, Cycles, Deficiency, Next, Target};
pub use deferral::{
    DEFER_RATE_MAX, Deferral, DeferralThreshold, HumanVerdict, deferral, defers_too_often,
};
pub use estimate::{Estimate, PhaseType, estimate_phase, estimate_session};
pub use flags::{Conflict, Flag, conflict, first_conflict, threshold};
pub use orphan::{must_be_named, name_of};
pub use response::response_lines_max;
pub use stamp::{Stamp, stamp};
pub use taxonomy::FailureCategory;
pub use version::{Bump, Bumped, VERSION_FILE_BYTES_MAX, Version, VersionFiles, bump};
