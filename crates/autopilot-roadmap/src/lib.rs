//! Roadmaps and plans: Markdown that people and agents write, read into types.
//!
//! Start at [`parse`] and [`Plan::parse`]. Both are total: any text gives a result, and what was
//! not understood is listed as a [`Problem`] with its line. Nothing here executes anything.

mod build;
mod check;
mod comment;
mod depends;
mod doubts;
mod edit;
mod entry;
mod field;
mod found;
mod graph;
mod head;
mod index;
mod line;
mod marks;
mod merge;
mod model;
mod parse;
mod phase_id;
mod plan;
mod problem;
mod range;
mod resolve;
mod scan;
mod section;
mod status;
mod suspect;
mod table;
mod text;
mod title;
mod words;

#[cfg(test)]
mod tests;

pub use check::why_hopeless;
pub use edit::{
    Dependents, EditError, Edited, Lack, MarkError, NewPhase, TO_BE_PLANNED, add_phase,
    insert_phase, mark_complete, needed_by, remove_phase,
};
pub use graph::Graph;
pub use model::{CriterionLine, Phase, PhaseLines, PlanLine, Roadmap};
pub use parse::{parse, parse_bytes};
pub use phase_id::{PHASE_ID_BYTES_MAX, PhaseId, PhaseIdError};
pub use plan::{
    Complexity, Covered, Plan, Task, TaskId, TaskIdError, TaskKind, TestSpec, in_order,
    is_of_another_phase, test_spec_of, waves,
};
pub use problem::{PROBLEMS_MAX, Problem, ProblemKind};
pub use range::{SelectionError, select};
pub use text::Text;
