//! What is known of the talk, and how facts change it.

use serde::{Deserialize, Serialize};

use super::{Domain, Said, TalkStage, TalkWish};
use crate::{
    id::CommitId,
    phases::Phases,
    policy::{Assessment, Category},
    roadmap::PhaseId,
    time::Timestamp,
};

/// How far the talk is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Talk {
    /// Nobody is asked.
    #[default]
    Unwanted,
    /// It comes before the first phase.
    Awaited,
    /// It has begun.
    Begun(Box<Talking>),
}

/// A talk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Talking {
    /// What is done now.
    pub stage: TalkStage,
    /// Since when.
    pub entered_at: Timestamp,
    /// The phases that were looked at for what they lack.
    pub mapped: Vec<Mapped>,
    /// The phases that were talked about.
    pub discussed: Vec<Discussed>,
}

/// A phase that was looked at for what it lacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapped {
    /// Which.
    pub phase: PhaseId,
    /// When.
    pub at: Timestamp,
    /// How well it was described before anybody was asked.
    pub assessment: Assessment,
    /// What a person is asked.
    pub questions: Vec<MapQuestion>,
    /// The score that whoever asks expects once everything is answered.
    pub estimate: Option<u8>,
    /// How well it is described with the answers.
    pub after: Option<u8>,
    /// Why nobody could ask, where nobody could.
    pub unasked: Option<String>,
}

/// A question about what a phase lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapQuestion {
    /// The question.
    pub question: String,
    /// What it is about.
    pub category: Category,
    /// What is missing without an answer.
    pub why_needed: String,
    /// The answer, once there is one; without a text the person has passed it over.
    pub reply: Option<Reply<Option<String>>>,
}

/// An answer, when and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply<T> {
    /// What was said.
    pub said: T,
    /// When.
    pub at: Timestamp,
}

/// A phase that was talked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Discussed {
    /// Which.
    pub phase: PhaseId,
    /// When it began.
    pub at: Timestamp,
    /// What kind of thing it makes.
    pub domain: Domain,
    /// What it makes, in a sentence.
    pub description: String,
    /// Where it could be made in more than one way.
    pub areas: Vec<Area>,
    /// The areas that the person wanted to talk about.
    pub selected: Vec<usize>,
}

/// Something that could be made in more than one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Its name.
    pub area: String,
    /// What is open about it.
    pub description: String,
    /// What is asked about it.
    pub questions: Vec<AreaQuestion>,
}

/// A question about an area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreaQuestion {
    /// The question.
    pub question: String,
    /// Ways to choose from.
    pub options: Vec<String>,
    /// What it is about, as files name it.
    pub category: String,
    /// The answer, once there is one.
    pub reply: Option<Reply<Said>>,
    /// Whether the answer names an example or a model to follow.
    #[serde(default)]
    pub is_specific: bool,
}

/// What happened in the talk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum TalkFact {
    /// It came to a stage.
    Entered(TalkStage),
    /// A phase was scored.
    Scored {
        /// Which.
        phase: PhaseId,
        /// How.
        assessment: Assessment,
    },
    /// Somebody has looked what a phase lacks.
    Mapped {
        /// Which.
        phase: PhaseId,
        /// What a person is asked.
        questions: Vec<MapQuestion>,
        /// The score that is expected then.
        estimate: Option<u8>,
    },
    /// Nobody could look what a phase lacks, or where it could be made in more than one way.
    Unasked {
        /// Which.
        phase: PhaseId,
        /// Why.
        why: String,
    },
    /// A person has answered what a phase lacks, or passed it over.
    Filled {
        /// The phase.
        phase: PhaseId,
        /// The place of the question.
        question: usize,
        /// The answer.
        said: Option<String>,
    },
    /// A phase was scored again, with the answers.
    Rescored {
        /// Which.
        phase: PhaseId,
        /// How well it is described now.
        score: u8,
    },
    /// Somebody has looked where a phase could be made in more than one way.
    Areas {
        /// Which.
        phase: PhaseId,
        /// What kind of thing it makes.
        domain: Domain,
        /// What it makes.
        description: String,
        /// Where.
        areas: Vec<Area>,
    },
    /// A person has said what they want to talk about.
    Selected {
        /// The phase.
        phase: PhaseId,
        /// The places of the areas.
        areas: Vec<usize>,
    },
    /// A person has answered a question about an area.
    Said {
        /// The phase.
        phase: PhaseId,
        /// The place of the area.
        area: usize,
        /// The place of the question.
        question: usize,
        /// What they said.
        said: Said,
    },
    /// There is more to ask about an area.
    Deepened {
        /// The phase.
        phase: PhaseId,
        /// The place of the area.
        area: usize,
        /// What.
        questions: Vec<AreaQuestion>,
    },
    /// Answers in a person's own words were put where they belong: area and question of each.
    Sorted {
        /// The phase.
        phase: PhaseId,
        /// Those that belong into another phase.
        later: Vec<(usize, usize)>,
        /// Those that name an example or a model to follow.
        specific: Vec<(usize, usize)>,
    },
    /// What was decided stands on the run branch.
    Recorded {
        /// In this commit.
        commit: CommitId,
    },
}

impl Talk {
    /// The talk of a run that wants one, or not.
    pub(crate) const fn of(wish: TalkWish) -> Self {
        if wish.is_any() { Self::Awaited } else { Self::Unwanted }
    }

    /// The talk, once it has begun.
    pub fn talking(&self) -> Option<&Talking> {
        match self {
            Self::Begun(talking) => Some(talking),
            Self::Unwanted | Self::Awaited => None,
        }
    }

    /// Whether it must end before the first phase may begin.
    pub fn is_due(&self) -> bool {
        match self {
            Self::Unwanted => false,
            Self::Awaited => true,
            Self::Begun(talking) => talking.stage != TalkStage::Over,
        }
    }
}

impl Talking {
    pub(super) const fn new(stage: TalkStage, now: Timestamp) -> Self {
        Self { stage, entered_at: now, mapped: Vec::new(), discussed: Vec::new() }
    }

    /// What was talked about of a phase.
    pub fn discussion(&self, phase: PhaseId) -> Option<&Discussed> {
        self.discussed.iter().find(|one| one.phase == phase)
    }

    /// What a phase was seen to lack.
    pub fn map(&self, phase: PhaseId) -> Option<&Mapped> {
        self.mapped.iter().find(|one| one.phase == phase)
    }

    fn map_mut(&mut self, phase: &PhaseId) -> Option<&mut Mapped> {
        self.mapped.iter_mut().find(|one| one.phase == *phase)
    }

    fn area_mut(&mut self, phase: PhaseId, area: usize) -> Option<&mut Area> {
        let found = self.discussed.iter_mut().find(|one| one.phase == phase);
        found.and_then(|one| one.areas.get_mut(area))
    }

    pub(super) fn apply(&mut self, fact: &TalkFact, now: Timestamp) {
        match fact {
            TalkFact::Entered(stage) => {
                self.stage = stage.clone();
                self.entered_at = now;
            }
            TalkFact::Scored { .. }
            | TalkFact::Mapped { .. }
            | TalkFact::Unasked { .. }
            | TalkFact::Filled { .. }
            | TalkFact::Rescored { .. } => self.apply_to_map(fact, now),
            TalkFact::Areas { phase, domain, description, areas } => {
                self.discussed.push(Discussed {
                    phase: *phase,
                    at: now,
                    domain: *domain,
                    description: description.clone(),
                    areas: areas.clone(),
                    selected: Vec::new(),
                });
            }
            TalkFact::Selected { phase, areas } => {
                let found = self.discussed.iter_mut().find(|one| one.phase == *phase);
                found.into_iter().for_each(|one| one.selected.clone_from(areas));
            }
            TalkFact::Said { phase, area, question, said } => {
                let found = self.area_mut(*phase, *area);
                if let Some(asked) = found.and_then(|area| area.questions.get_mut(*question)) {
                    asked.reply = Some(Reply { said: said.clone(), at: now });
                }
            }
            TalkFact::Deepened { phase, area, questions } => {
                if let Some(area) = self.area_mut(*phase, *area) {
                    area.questions.extend(questions.iter().cloned());
                }
            }
            TalkFact::Sorted { phase, later, specific } => self.sort(*phase, later, specific),
            TalkFact::Recorded { .. } => {}
        }
    }

    fn apply_to_map(&mut self, fact: &TalkFact, now: Timestamp) {
        if let TalkFact::Scored { phase, assessment } = fact {
            self.mapped.push(Mapped {
                phase: *phase,
                at: now,
                assessment: *assessment,
                questions: Vec::new(),
                estimate: None,
                after: None,
                unasked: None,
            });
            return;
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is about the map")]
        match fact {
            TalkFact::Mapped { phase, questions, estimate } => {
                if let Some(mapped) = self.map_mut(phase) {
                    mapped.questions.clone_from(questions);
                    mapped.estimate = *estimate;
                }
            }
            TalkFact::Unasked { phase, why } => {
                let mapped = self.map_mut(phase).into_iter();
                mapped.for_each(|mapped| mapped.unasked = Some(why.clone()));
            }
            TalkFact::Filled { phase, question, said } => {
                let mapped = self.map_mut(phase);
                if let Some(asked) = mapped.and_then(|one| one.questions.get_mut(*question)) {
                    asked.reply = Some(Reply { said: said.clone(), at: now });
                }
            }
            TalkFact::Rescored { phase, score } => {
                self.map_mut(phase).into_iter().for_each(|mapped| mapped.after = Some(*score));
            }
            _ => {}
        }
    }

    fn sort(&mut self, phase: PhaseId, later: &[(usize, usize)], specific: &[(usize, usize)]) {
        for (area, question) in later.iter().chain(specific) {
            let found = self.area_mut(phase, *area);
            let Some(asked) = found.and_then(|area| area.questions.get_mut(*question)) else {
                continue;
            };
            if later.contains(&(*area, *question)) {
                if let Some(reply) = &mut asked.reply {
                    reply.said = Said::Later(reply.said.text().to_owned());
                }
            } else {
                asked.is_specific = true;
            }
        }
    }
}

impl Area {
    /// How many of its questions are answered.
    pub(super) fn answered(&self) -> usize {
        self.questions.iter().filter(|asked| asked.reply.is_some()).count()
    }

    /// The first question that is not.
    pub(super) fn open(&self) -> Option<usize> {
        self.questions.iter().position(|asked| asked.reply.is_none())
    }
}

impl Phases {
    /// The same, talked about first or not.
    pub(crate) fn talked(mut self, talk: Talk) -> Self {
        self.talk = talk;
        self
    }

    pub(crate) fn apply_talk(&mut self, fact: &TalkFact, now: Timestamp) {
        if let TalkFact::Recorded { commit } = fact {
            self.head = commit.clone();
        }
        match (&mut self.talk, fact) {
            (Talk::Begun(talking), _) => talking.apply(fact, now),
            (talk, TalkFact::Entered(stage)) => {
                *talk = Talk::Begun(Box::new(Talking::new(stage.clone(), now)));
            }
            (Talk::Unwanted | Talk::Awaited, _) => {}
        }
    }
}
