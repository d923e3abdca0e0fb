//! How well phases are described.

use autopilot_core::{
    phases::Mapped,
    run::{Run, Work},
};
use serde::Serialize;

use crate::table;

/// How well a phase is described, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct ContextView {
    /// The phase.
    pub phase: String,
    /// The score before anybody was asked, from 1 to 10.
    pub score: u8,
    /// How specific its criteria are, from 0 to 10.
    pub criteria: u8,
    /// How much requirements say.
    pub requirements: u8,
    /// How much documents say.
    pub documents: u8,
    /// Whether what it waits for is there.
    pub dependencies: u8,
    /// How many questions were asked.
    pub questions: usize,
    /// How many of them are answered.
    pub answered: usize,
    /// The score with the answers, once they are there.
    pub after: Option<u8>,
}

/// How well the phases of a run are described, where somebody has looked.
pub(crate) fn context(run: &Run) -> Vec<ContextView> {
    let Work::Phases(work) = &run.work;
    let talking = work.talk.talking().into_iter();
    talking.flat_map(|talking| &talking.mapped).map(of_phase).collect()
}

fn of_phase(mapped: &Mapped) -> ContextView {
    let replies = mapped.questions.iter().filter_map(|asked| asked.reply.as_ref());
    ContextView {
        phase: mapped.phase.to_string(),
        score: mapped.assessment.score,
        criteria: mapped.assessment.criteria,
        requirements: mapped.assessment.requirements,
        documents: mapped.assessment.documents,
        dependencies: mapped.assessment.dependencies,
        questions: mapped.questions.len(),
        answered: replies.filter(|reply| reply.said.is_some()).count(),
        after: mapped.after,
    }
}

/// The same as text.
pub(crate) fn context_text(views: &[ContextView]) -> String {
    if views.is_empty() {
        return String::new();
    }
    let heading =
        ["PHASE", "CONTEXT", "CRITERIA", "REQUIREMENTS", "DOCS", "DEPS", "ANSWERED", "AFTER"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(views.iter().map(|view| {
        vec![
            view.phase.clone(),
            format!("{}/10", view.score),
            view.criteria.to_string(),
            view.requirements.to_string(),
            view.documents.to_string(),
            view.dependencies.to_string(),
            format!("{} of {}", view.answered, view.questions),
            view.after.map_or_else(|| "-".to_owned(), |after| format!("{after}/10")),
        ]
    }));
    format!("\n{}", table(&rows))
}
