//! What follows from what happens in the talk.

use serde_json::Value;

use super::{
    Area, AreaQuestion, Domain, MapQuestion, Talk, TalkFact, TalkStage,
    said::{self, one_line},
    turn::{Turn, own_words},
};
use crate::{
    fact::{Ending, Fact},
    id::{GateId, Key, Step},
    input::{Answer, Failure, FailureClass, Outcome},
    phases::Phases,
    returns::{self, Questioning, Return},
    run::Run,
    time::Timestamp,
};

/// A phase is asked about by at least so many questions, or it need not be asked about.
const MAP_QUESTIONS_MIN: usize = 2;
/// More questions about what a phase lacks are not asked.
const MAP_QUESTIONS_MAX: usize = 5;
/// A phase has at least so many areas to talk about.
const AREAS_MIN: usize = 3;
/// More areas are not talked about.
const AREAS_MAX: usize = 5;
/// More ways to choose from are not offered.
const OPTIONS_MAX: usize = 4;

/// Whether an outcome of this step is waited for.
pub(in crate::phases) fn expects(work: &Phases, step: &Step) -> bool {
    work.talk_step().as_ref() == Some(step)
}

/// What comes next while there is something to talk about; nothing where there is not.
pub(in crate::phases) fn proceed(run: &Run, work: &Phases) -> Option<Vec<Fact>> {
    match &work.talk {
        Talk::Unwanted => None,
        Talk::Awaited => Some(Turn::begin(run, work).facts),
        Talk::Begun(talking) if talking.stage != TalkStage::Over => Some(Vec::new()),
        Talk::Begun(_) if run.given.manner.talk.only => Some(vec![Fact::Finished(Ending::Done)]),
        Talk::Begun(_) => None,
    }
}

/// Why an outcome cannot be used although it came back in order.
pub(in crate::phases) fn unusable(work: &Phases, key: &Key, outcome: &Outcome) -> Option<Failure> {
    let talking = work.talk.talking()?;
    let engine = || {
        let detail = format!("the outcome does not fit the step {}", key.step);
        Some(Failure { class: FailureClass::Engine, detail })
    };
    match (&talking.stage, outcome) {
        (TalkStage::Record, Outcome::Integrated(_)) => None,
        (stage, Outcome::Agent(report)) if stage.asking().is_some() => {
            let detail = if let Return::Questioning(word) = &report.returned {
                lacking(stage, word)?
            } else {
                "the return holds no questions".to_owned()
            };
            Some(Failure { class: FailureClass::Malformed, detail })
        }
        (_, _) => engine(),
    }
}

/// What a return lacks for what was asked for.
fn lacking(stage: &TalkStage, word: &Questioning) -> Option<String> {
    let (maps, finds_areas) =
        (matches!(stage, TalkStage::Map(_)), matches!(stage, TalkStage::Areas(_)));
    if maps && questions(word).len() < MAP_QUESTIONS_MIN {
        Some(format!("fewer than {MAP_QUESTIONS_MIN} questions"))
    } else if finds_areas && areas(word).len() < AREAS_MIN {
        Some(format!("fewer than {AREAS_MIN} areas with questions"))
    } else if finds_areas && domain(word).is_none() {
        Some("`domain` is none of SEE, CALL, RUN, READ and ORGANIZE".to_owned())
    } else {
        None
    }
}

/// What follows from a usable outcome.
pub(in crate::phases) fn decide(
    run: &Run,
    work: &Phases,
    now: Timestamp,
    outcome: &Outcome,
) -> Vec<Fact> {
    let Some(mut turn) = Turn::of(run, work, now) else { return Vec::new() };
    let stage = turn.now.stage.clone();
    if let Outcome::Agent(report) = outcome
        && let Return::Questioning(word) = &report.returned
    {
        questioned(&mut turn, &stage, word);
    } else if let Outcome::Integrated(commit) = outcome {
        turn.note(TalkFact::Recorded { commit: commit.clone() });
        turn.map();
    }
    turn.settle();
    turn.facts
}

fn questioned(turn: &mut Turn<'_>, stage: &TalkStage, word: &Questioning) {
    let Some((place, phase)) = stage.phase().and_then(|at| Some((at, turn.phase(at)?))) else {
        return;
    };
    match stage {
        TalkStage::Map(_) => {
            let known = turn.run.known(phase);
            let mut questions = questions(word);
            // What a person has answered once is not asked again.
            questions.retain(|one| {
                known.mapped.iter().all(|told| !said::is_same(&told.question, &one.question))
            });
            questions.truncate(MAP_QUESTIONS_MAX);
            turn.note(TalkFact::Mapped { phase, questions, estimate: estimate(word) });
            turn.map_from(place + 1);
        }
        TalkStage::Areas(_) => {
            let description = text(word.domain_description.as_ref());
            let domain = domain(word).unwrap_or(Domain::Organize);
            turn.note(TalkFact::Areas { phase, domain, description, areas: areas(word) });
            turn.enter(TalkStage::Select(place));
        }
        TalkStage::More { area, .. } => {
            let asked = word.gray_areas.iter().flat_map(|area| area.questions.iter().map(of_area));
            let questions = turn.new_questions(place, *area, asked.collect());
            if questions.is_empty() {
                return turn.next_area(place, area + 1);
            }
            turn.note(TalkFact::Deepened { phase, area: *area, questions });
            turn.deepen(place, *area);
        }
        TalkStage::Sort(_) => {
            let words: Vec<(usize, usize)> = turn
                .now
                .discussion(phase)
                .map(|one| own_words(one).map(|(area, at, ..)| (area, at)).collect())
                .unwrap_or_default();
            let named = |numbers: &[u32]| -> Vec<(usize, usize)> {
                let places = numbers.iter().filter_map(|number| usize::try_from(*number).ok());
                places.filter_map(|number| words.get(number.checked_sub(1)?).copied()).collect()
            };
            let (later, specific) = (named(&word.out_of_scope), named(&word.specific));
            turn.note(TalkFact::Sorted { phase, later, specific });
            turn.discuss(place + 1);
        }
        TalkStage::Select(_)
        | TalkStage::Ask { .. }
        | TalkStage::Depth { .. }
        | TalkStage::Record
        | TalkStage::Answers
        | TalkStage::Over => {}
    }
}

/// What follows when a step failed as often as it may. Nobody must be asked: the talk goes on without.
pub(in crate::phases) fn gave_up(
    run: &Run,
    work: &Phases,
    now: Timestamp,
    failure: &Failure,
) -> Vec<Fact> {
    let Some(mut turn) = Turn::of(run, work, now) else { return Vec::new() };
    let why = format!("{}: {}", failure.class.name(), failure.detail);
    let unasked = |turn: &mut Turn<'_>, place: usize| {
        if let Some(phase) = turn.phase(place) {
            turn.note(TalkFact::Unasked { phase, why: why.clone() });
        }
    };
    match turn.now.stage.clone() {
        TalkStage::Map(place) => {
            unasked(&mut turn, place);
            turn.map_from(place + 1);
        }
        TalkStage::Areas(place) => {
            unasked(&mut turn, place);
            turn.discuss(place + 1);
        }
        TalkStage::More { phase, area } => turn.next_area(phase, area + 1),
        TalkStage::Sort(place) => turn.discuss(place + 1),
        TalkStage::Record => {
            turn.halt(format!("what was decided could not be put on the run's branch: {why}"));
        }
        TalkStage::Select(_)
        | TalkStage::Ask { .. }
        | TalkStage::Depth { .. }
        | TalkStage::Answers
        | TalkStage::Over => {}
    }
    turn.settle();
    turn.facts
}

/// What follows from a person's answer.
pub(in crate::phases) fn answered(
    run: &Run,
    work: &Phases,
    now: Timestamp,
    (gate, answer): (&GateId, &Answer),
) -> Option<Vec<Fact>> {
    super::kind_of(gate)?;
    let mut turn = Turn::of(run, work, now)?.hearing(gate, answer);
    turn.settle();
    Some(turn.facts)
}

fn questions(word: &Questioning) -> Vec<MapQuestion> {
    let all = word.questions.iter().map(|one| MapQuestion {
        question: one_line(&one.question),
        category: said::category(one.category.as_ref().and_then(Value::as_str)),
        why_needed: text(one.why_needed.as_ref()),
        reply: None,
    });
    let mut different: Vec<MapQuestion> = Vec::new();
    for one in all.filter(|one| !one.question.is_empty()) {
        if different.iter().all(|other| !said::is_same(&other.question, &one.question)) {
            different.push(one);
        }
    }
    different
}

fn areas(word: &Questioning) -> Vec<Area> {
    let all = word.gray_areas.iter().map(|one| Area {
        area: one_line(&one.area),
        description: text(one.description.as_ref()),
        questions: one
            .questions
            .iter()
            .map(of_area)
            .filter(|one| !one.question.is_empty())
            .collect(),
    });
    let with_questions = all.filter(|one| !one.area.is_empty() && !one.questions.is_empty());
    with_questions.take(AREAS_MAX).collect()
}

fn of_area(told: &returns::AreaQuestion) -> AreaQuestion {
    let options = told.options.iter().map(|option| one_line(option));
    // What is left to the agents is always offered, and once.
    let ways = options.filter(|one| !one.is_empty() && !said::is_same(one, "You decide"));
    AreaQuestion {
        question: one_line(&told.question),
        options: ways.take(OPTIONS_MAX).collect(),
        category: said::preference(told.category.as_ref().and_then(Value::as_str)),
        reply: None,
        is_specific: false,
    }
}

fn domain(word: &Questioning) -> Option<Domain> {
    word.domain.as_ref().and_then(Value::as_str).and_then(Domain::named)
}

fn text(told: Option<&Value>) -> String {
    one_line(told.and_then(Value::as_str).unwrap_or_default())
}

/// The score that is expected, as a whole number from 1 to 10.
fn estimate(word: &Questioning) -> Option<u8> {
    let told = word.estimate().filter(|told| told.is_finite())?;
    (1..=10).rev().find(|score: &u8| f64::from(*score) <= told.clamp(1.0, 10.0))
}
