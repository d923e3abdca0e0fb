//! What is told of the talk before the first phase.

use autopilot_core::{
    phases::{TalkFact, TalkStage},
    policy::Assessment,
    run::{Run, Work},
};

use crate::{Styled, Tone};

/// The lines for one more fact.
pub(super) fn lines(run: &Run, fact: &TalkFact) -> Vec<Styled> {
    let Work::Phases(work) = &run.work;
    let line = |tone, text: String| vec![Styled::new(tone, text)];
    let name = |at: usize| work.list.get(at).map_or("", |phase| phase.spec.id.as_str());
    match fact {
        TalkFact::Entered(TalkStage::Areas(at)) => {
            line(Tone::Plain, format!("[Run] Step: DISCUSS phase {}", name(*at)))
        }
        TalkFact::Entered(TalkStage::Answers) => {
            let lacking = work.talk.talking().into_iter().flat_map(|talking| &talking.mapped);
            match lacking.filter(|mapped| !mapped.questions.is_empty()).count() {
                0 => Vec::new(),
                count => line(
                    Tone::Heading,
                    format!("Context Mapping: {count} phases need additional information"),
                ),
            }
        }
        TalkFact::Scored { phase, assessment } => {
            line(Tone::Plain, format!("Phase {phase}: {}", score(assessment)))
        }
        TalkFact::Unasked { phase, why } => {
            line(Tone::Warning, format!("Phase {phase}: nobody could ask about it: {why}"))
        }
        TalkFact::Rescored { phase, score } => {
            let before = work.talk.talking().and_then(|talking| talking.map(*phase));
            let before = before.map_or(0, |mapped| mapped.assessment.score);
            let text = format!("Phase {phase}: context sufficiency {before}/10 -> {score}/10");
            line(Tone::Plain, text)
        }
        TalkFact::Recorded { commit } => {
            line(Tone::Good, format!("[Run] what was decided stands in {commit}"))
        }
        TalkFact::Entered(
            TalkStage::Select(_)
            | TalkStage::Ask { .. }
            | TalkStage::Depth { .. }
            | TalkStage::More { .. }
            | TalkStage::Sort(_)
            | TalkStage::Record
            | TalkStage::Map(_)
            | TalkStage::Over,
        )
        | TalkFact::Mapped { .. }
        | TalkFact::Filled { .. }
        | TalkFact::Areas { .. }
        | TalkFact::Selected { .. }
        | TalkFact::Said { .. }
        | TalkFact::Deepened { .. }
        | TalkFact::Sorted { .. } => Vec::new(),
    }
}

fn score(assessment: &Assessment) -> String {
    let Assessment { criteria, requirements, documents, dependencies, score } = assessment;
    format!(
        "context sufficiency {score}/10 ({criteria} criteria, {requirements} requirements, {documents} docs, \
         {dependencies} deps)"
    )
}
