//! What files tell of the talk before the first phase.

use serde_json::{Value, json};

use crate::{
    phases::{Discussed, TalkFact, TalkStage, Talking},
    run::{Run, Work},
};

/// Where the answers of a map are.
const CONTEXT_MAP: &str = ".autopilot/context-map.json";

/// The phase, the step and the events that a fact is; the state has it already.
type Told = (Option<String>, Option<String>, Vec<(&'static str, Value)>);

/// The events that a fact is.
pub(super) fn events(run: &Run, fact: &TalkFact) -> Told {
    let Work::Phases(work) = &run.work;
    let Some(talking) = work.talk.talking() else { return (None, None, Vec::new()) };
    let phases: Vec<&str> = work.list.iter().map(|phase| phase.spec.id.as_str()).collect();
    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is told by answers")]
    match fact {
        // Scores follow the stage that begins a map.
        TalkFact::Scored { phase, .. }
            if talking.mapped.first().is_some_and(|one| one.phase == *phase) =>
        {
            let details = json!({ "target_phases": phases, "mode": "--map" });
            (None, None, vec![("context_mapping_started", details)])
        }
        TalkFact::Entered(TalkStage::Areas(0)) => {
            (None, None, vec![("discuss_session_started", json!({ "target_phases": phases }))])
        }
        TalkFact::Entered(TalkStage::Over) if !talking.mapped.is_empty() => {
            (None, None, vec![("context_mapping_completed", sum(talking))])
        }
        TalkFact::Recorded { .. } => (None, None, recorded(talking)),
        _ => (None, None, Vec::new()),
    }
}

fn sum(talking: &Talking) -> Value {
    let questions = || talking.mapped.iter().flat_map(|mapped| &mapped.questions);
    let answered =
        questions().filter(|asked| asked.reply.as_ref().is_some_and(|reply| reply.said.is_some()));
    let below = talking.mapped.iter().filter(|mapped| mapped.assessment.needs_questions());
    json!({
        "phases_scored": talking.mapped.len(),
        "phases_below_threshold": below.count(),
        "questions_generated": questions().count(),
        "questions_answered": answered.count(),
        "context_map_path": CONTEXT_MAP,
    })
}

fn recorded(talking: &Talking) -> Vec<(&'static str, Value)> {
    let told = |one: &Discussed| {
        let asked = || one.areas.iter().flat_map(|area| &area.questions);
        let answered = asked().filter(|asked| asked.reply.is_some()).count();
        let details = json!({
            "phase_id": one.phase.as_str(),
            "questions_asked": answered,
            "questions_answered": answered,
        });
        ("discuss_answers_recorded", details)
    };
    talking.discussed.iter().filter(|one| !one.selected.is_empty()).map(told).collect()
}
