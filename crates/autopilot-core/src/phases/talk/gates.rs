//! The names of questions in the talk, and what is asked under each.

use super::{Talk, TalkStage, Talking, said};
use crate::{
    id::GateId,
    input::Answer,
    phases::Phases,
    roadmap::PhaseId,
    run::{Run, Work},
};

/// What kind of question it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateKind {
    /// What a phase lacks: answered in words.
    Map,
    /// Which areas to talk about: answered by numbers.
    Areas,
    /// How something is to be: answered by a letter or in words.
    Ask,
    /// Whether there is more to talk about: answered by `more` or `next`.
    Depth,
}

/// A question in the talk, in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its kind.
    pub kind: GateKind,
    /// The phase that it is about.
    pub phase: PhaseId,
    /// What it is about within the phase.
    pub about: String,
    /// What is asked.
    pub text: String,
    /// What can be chosen, where something can.
    pub options: Vec<String>,
    /// How to answer.
    pub how: &'static str,
}

impl GateKind {
    const fn how(self) -> &'static str {
        match self {
            Self::Map => "answer in your own words; nothing passes it over",
            Self::Areas => "answer with numbers (`1, 3`), `all` or `none`",
            Self::Ask => {
                "answer with a letter or in your own words; `later: …` keeps an idea for another phase"
            }
            Self::Depth => "answer `more` or `next`",
        }
    }
}

impl Question {
    /// All of it as text.
    pub fn full(&self) -> String {
        let mut text = format!("phase {}, {}: {}", self.phase, self.about, self.text);
        for (at, option) in self.options.iter().enumerate() {
            text.push_str(&format!("\n{} {option}", label(self.kind, at)));
        }
        text + "\n" + self.how
    }
}

/// What stands before an option.
fn label(kind: GateKind, at: usize) -> String {
    let letter = u8::try_from(at).ok().map(|at| b'a'.saturating_add(at));
    match (kind, letter) {
        (GateKind::Ask, Some(letter)) => format!("{})", char::from(letter)),
        _ => format!("{}.", at + 1),
    }
}

pub(super) fn of_map(phase: PhaseId, question: usize) -> GateId {
    GateId::new(format!("map/{phase}/{}", question + 1))
}

pub(super) fn of_areas(phase: PhaseId) -> GateId {
    GateId::new(format!("discuss/{phase}/areas"))
}

pub(super) fn of_question(phase: PhaseId, area: usize, question: usize) -> GateId {
    GateId::new(format!("discuss/{phase}/{}/{}", area + 1, question + 1))
}

pub(super) fn of_depth(phase: PhaseId, area: usize, asked: usize) -> GateId {
    GateId::new(format!("discuss/{phase}/{}/more-{asked}", area + 1))
}

/// What kind of question a name is that of, if it is one of the talk.
pub fn kind_of(gate: &GateId) -> Option<GateKind> {
    parts(gate).map(|(kind, _)| kind)
}

fn parts(gate: &GateId) -> Option<(GateKind, PhaseId)> {
    let is_number = |text: &str| text.parse::<u32>().is_ok_and(|number| number > 0);
    let words: Vec<&str> = gate.as_str().split('/').collect();
    let (kind, phase) = match words.as_slice() {
        ["map", phase, number] if is_number(number) => (GateKind::Map, phase),
        ["discuss", phase, "areas"] => (GateKind::Areas, phase),
        ["discuss", phase, area, last] if is_number(area) => match last.strip_prefix("more-") {
            Some(number) if is_number(number) => (GateKind::Depth, phase),
            None if is_number(last) => (GateKind::Ask, phase),
            Some(_) | None => return None,
        },
        _ => return None,
    };
    Some((kind, phase.parse().ok()?))
}

/// Whether the talk of a run may ask a question of this name.
pub(in crate::phases) fn may_ask(run: &Run, gate: &GateId) -> bool {
    let Work::Phases(work) = &run.work;
    let wish = run.given.manner.talk;
    parts(gate).is_some_and(|(kind, phase)| {
        let is_wanted = if kind == GateKind::Map { wish.map } else { wish.discuss };
        is_wanted && work.place(&phase).is_some()
    })
}

/// The questions that the stage asks, each with its name.
pub(super) fn open(work: &Phases, talking: &Talking) -> Vec<(GateId, Question)> {
    let at = |place: &usize| work.list.get(*place);
    match &talking.stage {
        TalkStage::Answers => lacks(talking),
        TalkStage::Select(place) => {
            at(place).and_then(|phase| select(talking, phase.spec.id)).into_iter().collect()
        }
        TalkStage::Ask { phase, area, question } => at(phase)
            .and_then(|phase| ask(talking, phase.spec.id, (*area, *question)))
            .into_iter()
            .collect(),
        TalkStage::Depth { phase, area } => {
            at(phase).and_then(|phase| depth(talking, phase.spec.id, *area)).into_iter().collect()
        }
        TalkStage::Areas(_)
        | TalkStage::More { .. }
        | TalkStage::Sort(_)
        | TalkStage::Record
        | TalkStage::Map(_)
        | TalkStage::Over => Vec::new(),
    }
}

/// A question that is asked now, in its parts.
pub fn question_of(run: &Run, gate: &GateId) -> Option<Question> {
    let Work::Phases(work) = &run.work;
    let Talk::Begun(talking) = &work.talk else { return None };
    open(work, talking).into_iter().find(|(name, _)| name == gate).map(|(_, question)| question)
}

/// Why a text is no answer to a question that is asked now, where it is none.
pub fn accepts(run: &Run, gate: &GateId, answer: &Answer) -> Result<(), &'static str> {
    let Some(question) = question_of(run, gate) else { return Ok(()) };
    let is_one = match question.kind {
        GateKind::Areas => said::selected(answer, question.options.len()).is_some(),
        GateKind::Depth => said::wants_more(answer).is_some(),
        GateKind::Map | GateKind::Ask => true,
    };
    if is_one { Ok(()) } else { Err(question.how) }
}

/// What all phases lack.
fn lacks(talking: &Talking) -> Vec<(GateId, Question)> {
    let mut asked = Vec::new();
    for mapped in &talking.mapped {
        let open = mapped.questions.iter().enumerate().filter(|(_, one)| one.reply.is_none());
        asked.extend(open.map(|(at, one)| {
            let why = if one.why_needed.is_empty() {
                String::new()
            } else {
                format!("\nwhy you are asked: {}", one.why_needed)
            };
            let question = Question {
                kind: GateKind::Map,
                phase: mapped.phase,
                about: format!("described {} of 10", mapped.assessment.score),
                text: format!("{} [{}]{why}", one.question, one.category.name()),
                options: Vec::new(),
                how: GateKind::Map.how(),
            };
            (of_map(mapped.phase, at), question)
        }));
    }
    asked
}

fn select(talking: &Talking, phase: PhaseId) -> Option<(GateId, Question)> {
    let discussed = talking.discussion(phase)?;
    let told = |name: &str, more: &str| match more {
        "" => name.to_owned(),
        more => format!("{name} - {more}"),
    };
    let question = Question {
        kind: GateKind::Areas,
        phase,
        about: told(discussed.domain.name(), &discussed.description),
        text: "which areas do you want to talk about? It is about how, not about what is made."
            .to_owned(),
        options: discussed.areas.iter().map(|area| told(&area.area, &area.description)).collect(),
        how: GateKind::Areas.how(),
    };
    Some((of_areas(phase), question))
}

fn ask(
    talking: &Talking,
    phase: PhaseId,
    (area, at): (usize, usize),
) -> Option<(GateId, Question)> {
    let about = talking.discussion(phase)?.areas.get(area)?;
    let asked = about.questions.get(at)?;
    let mut options = asked.options.clone();
    options.push("You decide".to_owned());
    let question = Question {
        kind: GateKind::Ask,
        phase,
        about: about.area.clone(),
        text: asked.question.clone(),
        options,
        how: GateKind::Ask.how(),
    };
    Some((of_question(phase, area, at), question))
}

fn depth(talking: &Talking, phase: PhaseId, area: usize) -> Option<(GateId, Question)> {
    let about = talking.discussion(phase)?.areas.get(area)?;
    let question = Question {
        kind: GateKind::Depth,
        phase,
        about: about.area.clone(),
        text: "more questions about it, or on to what comes next?".to_owned(),
        options: Vec::new(),
        how: GateKind::Depth.how(),
    };
    Some((of_depth(phase, area, about.answered()), question))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_question_tells_its_kind_and_others_are_none() {
        let rows = [
            ("map/3/1", Some(GateKind::Map)),
            ("discuss/3.1/areas", Some(GateKind::Areas)),
            ("discuss/3/2/1", Some(GateKind::Ask)),
            ("discuss/3/2/more-4", Some(GateKind::Depth)),
            ("map/3/0", None),
            ("map/3", None),
            ("map/x/1", None),
            ("discuss/3/2", None),
            ("discuss/3/0/1", None),
            ("discuss/3/2/more-", None),
            ("3/human/03-01", None),
        ];
        for (name, expected) in rows {
            assert_eq!(kind_of(&GateId::new(name)), expected, "{name}");
        }
    }
}
