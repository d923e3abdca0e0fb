//! What a person is asked before the first phase begins: what a phase lacks to be done without asking (the map), and how
//! they want what could be made in more than one way (the discussion).
//!
//! Questions come from an agent, answers from a person; the engine decides what is asked, in which order, and what becomes of
//! an answer. Both are facts. A discussion leaves `CONTEXT.md` in the directory of its phase.

mod context_md;
mod decide;
mod decided;
mod gates;
mod known;
mod owed;
mod said;
mod stage;
mod state;
mod turn;

pub(super) use context_md::paper;
pub(super) use decide::{answered, decide, expects, gave_up, proceed, unusable};
pub(super) use decided::decided;
pub(super) use gates::may_ask;
pub use gates::{GateKind, Question, accepts, kind_of, question_of};
pub use known::{Decided, Known, TalkWish, Told};
pub(super) use owed::owed;
pub use owed::{Asking, TalkBrief};
pub(crate) use said::is_same;
pub use said::{Domain, Said};
pub use stage::TalkStage;
pub use state::{
    Area, AreaQuestion, Discussed, MapQuestion, Mapped, Reply, Talk, TalkFact, Talking,
};
