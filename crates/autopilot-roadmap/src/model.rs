//! A roadmap as the rest of the program sees it.

use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::{graph::Graph, index::IdIndex, phase_id::PhaseId, problem::Problem, text::Text};
use autopilot_evidence::Criterion;

/// A roadmap: its phases in order, what was left out, and what was odd.
#[derive(Clone, Debug, Default)]
pub struct Roadmap {
    /// The phases in the order of the phase list; one that only has a heading stands where its heading does
    /// among the others, or after the list where headings and list are in different orders.
    pub phases: Vec<Phase>,
    /// Phases that are struck out, abandoned or superseded: never to be scheduled.
    pub excluded: Vec<Phase>,
    /// What was not understood or cannot be right, by line, each thing once.
    pub problems: Vec<Problem>,
    pub(super) graph: Graph,
    pub(super) index: IdIndex,
}

/// One phase of a roadmap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Its id.
    pub id: PhaseId,
    /// Its name, from the detail heading, else from the list line.
    pub name: Text,
    /// Whether any mark of the phase itself says that it is done.
    pub complete: bool,
    /// The phases that must be done first, in the order written; ids that are no phase are kept.
    pub depends_on: Vec<PhaseId>,
    /// The box of its list line: ticked or not; `None` without a list line.
    pub checkbox: Option<bool>,
    /// What its row of the progress table or its status line says, as written.
    pub status: Option<Text>,
    /// Whether box and status say different things.
    pub conflict: bool,
    /// Whether an earlier phase has the same id; such a phase is not scheduled.
    pub duplicate: bool,
    /// Whether it was marked as inserted between two others.
    pub inserted: bool,
    /// What it is to reach.
    pub goal: Option<Text>,
    /// The requirements it covers, as written.
    pub requirements: Vec<Text>,
    /// Its success criteria.
    pub criteria: Vec<CriterionLine>,
    /// Its plans or tasks that have a box.
    pub plans: Vec<PlanLine>,
    /// The lines that speak of it.
    pub lines: PhaseLines,
}

/// A success criterion as it stands in the roadmap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CriterionLine {
    /// The line it starts on.
    pub line: u32,
    /// Its text on one line.
    pub text: Text,
}

/// A plan or task of a phase, with its box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlanLine {
    /// The line it stands on.
    pub line: u32,
    /// Whether its box is ticked.
    pub done: bool,
    /// Its text.
    pub text: Text,
}

/// Where a phase is spoken of; every line counts from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PhaseLines {
    /// Its detail heading.
    pub heading: Option<u32>,
    /// Its line in the phase list.
    pub list: Option<u32>,
    /// Its dependencies.
    pub depends_on: Option<u32>,
    /// Its row in the progress table.
    pub table: Option<u32>,
}

impl Roadmap {
    /// Finds a phase by its id.
    pub fn phase(&self, id: PhaseId) -> Option<&Phase> {
        self.index.get(id).and_then(|at| self.phases.get(at))
    }

    /// Gives the place of a phase in [`Self::phases`].
    pub fn position(&self, id: PhaseId) -> Option<usize> {
        self.index.get(id).filter(|at| *at < self.phases.len())
    }

    /// What depends on what, by place in [`Self::phases`].
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
}

impl Phase {
    /// The line to point at when speaking of the phase.
    pub fn line(&self) -> u32 {
        self.lines.heading.or(self.lines.list).or(self.lines.table).unwrap_or(1)
    }

    /// Its criteria as commands with expectations, where they name one.
    pub fn checks(&self) -> Vec<Criterion> {
        self.criteria.iter().map(|criterion| Criterion::parse(&criterion.text)).collect()
    }

    /// How many of its criteria a command decides. Without any, only plans and reviewers say what proves
    /// the phase done.
    pub fn executable_criteria(&self) -> usize {
        self.checks().iter().filter(|check| check.command.is_some()).count()
    }
}

impl Serialize for Phase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut shown = serializer.serialize_struct("Phase", 15)?;
        shown.serialize_field("id", &self.id)?;
        shown.serialize_field("name", &self.name)?;
        shown.serialize_field("complete", &self.complete)?;
        shown.serialize_field("depends_on", &self.depends_on)?;
        shown.serialize_field("checkbox", &self.checkbox)?;
        shown.serialize_field("status", &self.status)?;
        shown.serialize_field("conflict", &self.conflict)?;
        shown.serialize_field("duplicate", &self.duplicate)?;
        shown.serialize_field("inserted", &self.inserted)?;
        shown.serialize_field("goal", &self.goal)?;
        shown.serialize_field("requirements", &self.requirements)?;
        shown.serialize_field("criteria", &self.criteria)?;
        shown.serialize_field("executable_criteria", &self.executable_criteria())?;
        shown.serialize_field("plans", &self.plans)?;
        shown.serialize_field("lines", &self.lines)?;
        shown.end()
    }
}

impl Serialize for Roadmap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut shown = serializer.serialize_struct("Roadmap", 3)?;
        shown.serialize_field("phases", &self.phases)?;
        shown.serialize_field("excluded", &self.excluded)?;
        shown.serialize_field("problems", &self.problems)?;
        shown.end()
    }
}
