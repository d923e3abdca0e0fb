//! One decision in the talk: facts are collected and tried out on a copy, so that the next thought can rest on them.

use super::{
    AreaQuestion, Said, TalkFact, TalkStage, Talking, gates,
    said::{is_same, selected, wants_more},
};
use crate::{
    fact::{Ending, Fact},
    id::GateId,
    input::Answer,
    phases::Phases,
    policy::{Assessment, Category},
    roadmap::PhaseId,
    run::Run,
    time::Timestamp,
};

/// After so many questions about an area a person is asked whether they want more.
const DEPTH_EVERY: usize = 4;
/// So many questions are asked about an area at most.
pub(super) const AREA_QUESTIONS_MAX: usize = 16;

/// A decision in the making.
pub(super) struct Turn<'a> {
    pub(super) run: &'a Run,
    pub(super) work: &'a Phases,
    time: Timestamp,
    /// The talk as it will be after the facts so far.
    pub(super) now: Talking,
    /// The answer that has just come in.
    word: Option<(&'a GateId, &'a Answer)>,
    pub(super) facts: Vec<Fact>,
}

impl<'a> Turn<'a> {
    /// A decision in a talk that has begun.
    pub(super) fn of(run: &'a Run, work: &'a Phases, time: Timestamp) -> Option<Self> {
        let now = work.talk.talking()?.clone();
        Some(Self { run, work, time, now, word: None, facts: Vec::new() })
    }

    /// The same about an answer.
    pub(super) fn hearing(self, gate: &'a GateId, answer: &'a Answer) -> Self {
        Self { word: Some((gate, answer)), ..self }
    }

    /// The first decision of a talk.
    pub(super) fn begin(run: &'a Run, work: &'a Phases) -> Self {
        let time = run.last_at;
        let now = Talking::new(TalkStage::Over, time);
        let mut turn = Self { run, work, time, now, word: None, facts: Vec::new() };
        if run.given.manner.talk.discuss {
            turn.discuss(0);
        } else {
            turn.map();
        }
        turn
    }

    pub(super) fn note(&mut self, fact: TalkFact) {
        self.now.apply(&fact, self.time);
        self.facts.push(Fact::Talk(fact));
    }

    pub(super) fn enter(&mut self, stage: TalkStage) {
        self.note(TalkFact::Entered(stage));
    }

    pub(super) fn halt(&mut self, why: String) {
        self.facts.push(Fact::Finished(Ending::Halted { why }));
    }

    /// The phase at a place.
    pub(super) fn phase(&self, place: usize) -> Option<PhaseId> {
        self.work.list.get(place).map(|phase| phase.spec.id)
    }

    /// Goes on to the discussion of the phase at a place, or to what comes after all of them.
    pub(super) fn discuss(&mut self, place: usize) {
        if place < self.work.list.len() {
            self.enter(TalkStage::Areas(place));
        } else if self.now.discussed.iter().any(|one| !one.selected.is_empty()) {
            self.enter(TalkStage::Record);
        } else {
            self.map();
        }
    }

    /// Scores every phase, where that is wanted, and has somebody look at those that need it.
    pub(super) fn map(&mut self) {
        if !self.run.given.manner.talk.map {
            return self.enter(TalkStage::Over);
        }
        // Facts about phases come after the one that begins the talk.
        self.enter(TalkStage::Map(0));
        for phase in &self.work.list {
            let known = self.run.known(phase.spec.id);
            let context = known.context(&phase.spec);
            let assessment = Assessment::with_answers(&context, &known.answered());
            self.note(TalkFact::Scored { phase: phase.spec.id, assessment });
        }
        self.map_from(0);
    }

    /// Goes on to the next phase that lacks something, from a place on.
    pub(super) fn map_from(&mut self, place: usize) {
        let lacks = |at: &usize| {
            self.phase(*at)
                .and_then(|id| self.now.map(id))
                .is_some_and(|mapped| mapped.assessment.needs_questions())
        };
        match (place..self.work.list.len()).find(lacks) {
            Some(next) if self.now.stage == TalkStage::Map(next) => {}
            Some(next) => self.enter(TalkStage::Map(next)),
            None => {
                self.enter(TalkStage::Answers);
                self.settle();
            }
        }
    }

    /// Takes every answer that is there, and asks what is left, until a person or an agent is needed.
    pub(super) fn settle(&mut self) {
        loop {
            let open = gates::open(self.work, &self.now);
            let known = open.iter().find_map(|(gate, _)| Some((gate, self.answer_to(gate)?)));
            if let Some((gate, answer)) = known {
                let gate = gate.clone();
                if !self.take(&gate, &answer) {
                    return;
                }
                continue;
            }
            for (gate, question) in &open {
                let is_noted =
                    |fact: &Fact| matches!(fact, Fact::Asked { gate: name, .. } if name == gate);
                if !self.run.asked.contains_key(gate) && !self.facts.iter().any(is_noted) {
                    let question = question.full();
                    self.facts.push(Fact::Asked { gate: gate.clone(), question });
                }
            }
            if open.is_empty() && self.now.stage == TalkStage::Answers {
                self.rescore();
            }
            return;
        }
    }

    fn answer_to(&self, gate: &GateId) -> Option<Answer> {
        let word = self.word.filter(|(name, _)| *name == gate).map(|(_, answer)| answer);
        word.or_else(|| self.run.answers.get(gate)).cloned()
    }

    /// Takes the answer to a question of the stage; says whether anything came of it.
    fn take(&mut self, gate: &GateId, answer: &Answer) -> bool {
        let before = self.facts.len();
        match self.now.stage.clone() {
            TalkStage::Answers => self.filled(gate, answer),
            TalkStage::Select(place) => self.selected(place, answer),
            TalkStage::Ask { phase, area, question } => {
                self.said(phase, (area, question), answer);
            }
            TalkStage::Depth { phase, area } => {
                if wants_more(answer).unwrap_or(false) {
                    self.deepen(phase, area);
                } else {
                    self.next_area(phase, area + 1);
                }
            }
            TalkStage::Areas(_)
            | TalkStage::More { .. }
            | TalkStage::Sort(_)
            | TalkStage::Record
            | TalkStage::Map(_)
            | TalkStage::Over => {}
        }
        self.facts.len() > before
    }

    fn filled(&mut self, gate: &GateId, answer: &Answer) {
        let found = self.now.mapped.iter().find_map(|mapped| {
            let mut places = 0..mapped.questions.len();
            let at = places.find(|at| gates::of_map(mapped.phase, *at) == *gate)?;
            Some((mapped.phase, at))
        });
        if let Some((phase, question)) = found {
            let text = super::said::one_line(&answer.message);
            let said = Some(text).filter(|text| answer.approved && !text.is_empty());
            self.note(TalkFact::Filled { phase, question, said });
        }
    }

    /// Scores every phase again that somebody was asked about. Whoever asked can expect less, but no more.
    fn rescore(&mut self) {
        let mut scores = Vec::new();
        for mapped in self.now.mapped.iter().filter(|mapped| !mapped.questions.is_empty()) {
            let Some(place) = self.work.place(&mapped.phase) else { continue };
            let known = self.run.known(mapped.phase);
            let replies = mapped
                .questions
                .iter()
                .filter(|asked| asked.reply.as_ref().is_some_and(|reply| reply.said.is_some()));
            let mut answered: Vec<Category> = known.answered();
            answered.extend(replies.map(|asked| asked.category));
            let context = known.context(&self.work.list[place].spec);
            let score = Assessment::with_answers(&context, &answered).score;
            let before = mapped.assessment.score;
            let most = mapped.estimate.map_or(score, |estimate| estimate.max(before));
            scores.push((mapped.phase, score.min(most)));
        }
        for (phase, score) in scores {
            self.note(TalkFact::Rescored { phase, score });
        }
        self.enter(TalkStage::Over);
    }

    fn selected(&mut self, place: usize, answer: &Answer) {
        let Some(phase) = self.phase(place) else { return };
        let count = self.now.discussion(phase).map_or(0, |one| one.areas.len());
        // Nobody can be asked the same twice: what cannot be told apart is taken for everything.
        let areas = selected(answer, count).unwrap_or_else(|| (0..count).collect());
        self.note(TalkFact::Selected { phase, areas });
        self.next_area(place, 0);
    }

    fn said(&mut self, place: usize, (area, question): (usize, usize), answer: &Answer) {
        let Some(phase) = self.phase(place) else { return };
        let found = self.now.discussion(phase).and_then(|one| one.areas.get(area));
        let Some(asked) = found.and_then(|area| area.questions.get(question)) else { return };
        let said = Said::of(answer, &asked.options);
        self.note(TalkFact::Said { phase, area, question, said });
        self.next_question(place, area);
    }

    /// Goes on within an area, after every few questions only if the person wants to.
    fn next_question(&mut self, place: usize, area: usize) {
        let Some((answered, open)) = self.progress(place, area) else { return };
        if answered > 0 && answered.is_multiple_of(DEPTH_EVERY) && answered < AREA_QUESTIONS_MAX {
            return self.enter(TalkStage::Depth { phase: place, area });
        }
        match open {
            Some(question) => self.enter(TalkStage::Ask { phase: place, area, question }),
            None => self.next_area(place, area + 1),
        }
    }

    /// Goes on with an area of which a person wants more.
    pub(super) fn deepen(&mut self, place: usize, area: usize) {
        match self.progress(place, area) {
            Some((_, Some(question))) => {
                self.enter(TalkStage::Ask { phase: place, area, question });
            }
            Some((_, None)) => self.enter(TalkStage::More { phase: place, area }),
            None => {}
        }
    }

    /// How many questions of an area are answered, and which comes next.
    fn progress(&self, place: usize, area: usize) -> Option<(usize, Option<usize>)> {
        let about = self.now.discussion(self.phase(place)?)?.areas.get(area)?;
        Some((about.answered(), about.open()))
    }

    /// Goes on to the next area that the person wants to talk about, from one on, or ends the discussion of the phase.
    pub(super) fn next_area(&mut self, place: usize, from: usize) {
        let Some(discussed) = self.phase(place).and_then(|phase| self.now.discussion(phase)) else {
            return;
        };
        let wanted = discussed.selected.iter().copied().filter(|area| *area >= from);
        let mut open = wanted.filter_map(|area| Some((area, discussed.areas.get(area)?.open()?)));
        if let Some((area, question)) = open.next() {
            return self.enter(TalkStage::Ask { phase: place, area, question });
        }
        if own_words(discussed).next().is_some() {
            self.enter(TalkStage::Sort(place));
        } else {
            self.discuss(place + 1);
        }
    }

    /// Those of the questions that nobody has asked yet about an area.
    pub(super) fn new_questions(
        &self,
        place: usize,
        area: usize,
        questions: Vec<AreaQuestion>,
    ) -> Vec<AreaQuestion> {
        let found = self.phase(place).and_then(|phase| self.now.discussion(phase));
        let Some(about) = found.and_then(|one| one.areas.get(area)) else { return Vec::new() };
        let is_new = |one: &AreaQuestion| {
            about.questions.iter().all(|asked| !is_same(&asked.question, &one.question))
        };
        let room = AREA_QUESTIONS_MAX.saturating_sub(about.questions.len());
        questions.into_iter().filter(is_new).take(room).collect()
    }
}

/// The answers in a person's own words, each with the place of its area and its question.
pub(super) fn own_words(
    discussed: &super::Discussed,
) -> impl Iterator<Item = (usize, usize, &AreaQuestion, &str)> {
    discussed.areas.iter().enumerate().flat_map(|(area, about)| {
        about.questions.iter().enumerate().filter_map(move |(at, asked)| {
            match asked.reply.as_ref().map(|reply| &reply.said) {
                Some(Said::Own(text)) => Some((area, at, asked, text.as_str())),
                Some(Said::Chosen(_) | Said::YouDecide | Said::Later(_)) | None => None,
            }
        })
    })
}
