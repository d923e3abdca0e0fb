//! The state of a run over phases, and how facts change it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    budget::Spend,
    evidence::Entry,
    id::{CommitId, Step},
    measure::Tally,
    phases::{
        Active, Awaited, Close, DebugFact, DebugSession, Finale, Graph, Lesson, Log, PhaseFact,
        PhaseSpec, Release, Talk, lesson,
    },
    returns::Score,
    roadmap::PhaseId,
    role::Role,
    time::Timestamp,
};

/// The state of a run over phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phases {
    /// Where the run branch is.
    pub head: CommitId,
    /// The phases, in the order of the run.
    pub list: Vec<Phase>,
    /// What waits for what.
    pub graph: Graph,
    /// The phases that have begun and are not over, by place in the list.
    pub active: Vec<usize>,
    /// What those who judge have shown in this run.
    pub tallies: BTreeMap<Role, Tally>,
    /// What became of the promises of earlier phases on the final result, once that is known.
    pub rechecked: Option<Vec<Entry>>,
    /// Protected files of which a person accepted an edit that is on the run branch.
    #[serde(default)]
    pub granted: Vec<String>,
    /// The last scores of completed phases, the newest last.
    #[serde(default)]
    pub scores: Vec<Score>,
    /// How many phases were worked on and are over.
    #[serde(default)]
    pub over: u32,
    /// How many were when the run last paused for a person to look.
    #[serde(default)]
    pub looked_at: u32,
    /// What failed phases of this run teach those that come after them.
    #[serde(default)]
    pub lessons: Vec<Lesson>,
    /// The look at the result as a whole.
    #[serde(default)]
    pub finale: Finale,
    /// What a person is asked before the first phase.
    #[serde(default)]
    pub talk: Talk,
    /// The version of the project after the run.
    #[serde(default)]
    pub release: Release,
    /// The debug session, where the run is one; then it has no phases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debug: Option<Box<DebugSession>>,
    /// Where the run branch was before marks were put on it that had waited for a person. All else is as it was there.
    #[serde(default)]
    pub(super) before_marks: Option<CommitId>,
    /// The place of each phase in the list.
    places: BTreeMap<PhaseId, usize>,
}

/// One phase of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// What it is.
    pub spec: PhaseSpec,
    /// How far it is.
    pub status: Status,
    /// What it has cost.
    pub spent: Spend,
    /// The phase that it is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<PhaseId>,
    /// Whether it failed once and was tried again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retried: bool,
}

/// How far a phase is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Status {
    /// It has not begun.
    Waiting,
    /// It is being worked on.
    Active(Box<Active>),
    /// It is over.
    Closed(Close),
}

impl Phases {
    /// The state before anything has happened.
    pub fn begin(base: &CommitId, specs: &[PhaseSpec]) -> Self {
        Self {
            head: base.clone(),
            list: specs.iter().map(Phase::waiting).collect(),
            graph: Graph::new(specs),
            active: Vec::new(),
            tallies: BTreeMap::new(),
            rechecked: None,
            granted: Vec::new(),
            scores: Vec::new(),
            over: 0,
            looked_at: 0,
            lessons: Vec::new(),
            finale: Finale::default(),
            talk: Talk::default(),
            release: Release::default(),
            debug: None,
            before_marks: None,
            places: specs.iter().enumerate().map(|(at, spec)| (spec.id, at)).collect(),
        }
    }

    /// The state of a run that is a debug session before anything has happened.
    pub(crate) fn of_session(base: &CommitId, session: DebugSession) -> Self {
        Self { debug: Some(Box::new(session)), ..Self::begin(base, &[]) }
    }

    /// Puts a part of a phase behind all others.
    pub(super) fn add(&mut self, spec: &PhaseSpec, part_of: PhaseId) {
        self.places.insert(spec.id, self.list.len());
        self.graph.push();
        let part = Phase { part_of: Some(part_of), ..Phase::waiting(spec) };
        self.list.push(part);
    }

    /// Whether no phase is being worked on and none can begin.
    pub(super) fn is_at_rest(&self) -> bool {
        self.active.is_empty() && self.graph.ready().next().is_none()
    }

    /// What a completed phase had promised and a later one has broken, as far as that is known.
    pub fn broken(&self, id: &PhaseId) -> impl Iterator<Item = &Entry> {
        let owner = format!("{id}/");
        let of_phase = move |entry: &&Entry| entry.name.starts_with(&owner) && !entry.stands();
        self.rechecked.iter().flatten().filter(of_phase)
    }

    /// The parts of a phase. They stand behind all phases.
    pub fn parts_of(&self, id: PhaseId) -> impl Iterator<Item = &Phase> {
        let last = self.list.iter().rposition(|phase| phase.part_of.is_none());
        let parts = self.list.iter().skip(last.map_or(0, |last| last + 1));
        parts.filter(move |part| part.part_of == Some(id))
    }

    /// What a person must still look at, or has, of a completed phase and of what it was done in.
    pub fn awaited_of<'a>(&'a self, phase: &'a Phase) -> impl Iterator<Item = &'a Awaited> {
        let all = std::iter::once(phase).chain(self.parts_of(phase.spec.id));
        all.filter(move |_| !phase.is_failed()).flat_map(Phase::awaits)
    }

    /// What a person found wrong with a completed phase.
    pub fn faults<'a>(&'a self, phase: &'a Phase) -> impl Iterator<Item = String> + 'a {
        self.awaited_of(phase).filter_map(Awaited::fault)
    }

    /// Whether a rater gave a phase its score. Where it was done in parts, the score is the mean of theirs.
    fn was_rated(&self, at: usize) -> bool {
        match &self.list[at].status {
            Status::Active(active) => !active.is_split || active.reviews.rated,
            Status::Waiting | Status::Closed(_) => true,
        }
    }

    /// The place of a phase in the list.
    pub fn place(&self, id: &PhaseId) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// The phase that a step belongs to, and its work, if it is being worked on.
    pub fn active_at(&self, step: &Step) -> Option<(usize, &Phase, &Active)> {
        let (id, _) = step.as_str().split_once('/')?;
        self.active.iter().find_map(|&at| {
            let phase = self.list.get(at)?;
            match &phase.status {
                Status::Active(active) if phase.spec.id.as_str() == id => {
                    Some((at, phase, active.as_ref()))
                }
                Status::Active(_) | Status::Waiting | Status::Closed(_) => None,
            }
        })
    }

    /// What the phase of a step has cost.
    pub fn spent_on(&self, step: &Step) -> Option<&Spend> {
        self.active_at(step).map(|(_, phase, _)| &phase.spent)
    }

    /// The role that works at a step.
    pub fn role_of(&self, step: &Step) -> Option<Role> {
        let of_phase = self.active_at(step).and_then(|(_, _, active)| active.stage.role());
        let of_session = || {
            let stage = &self.debug.as_ref()?.stage;
            stage.role().filter(|_| stage.step().as_ref() == Some(step))
        };
        let of_finale = || {
            let closing = self.finale.closing()?;
            closing.stage.role().filter(|_| closing.stage.step().as_ref() == Some(step))
        };
        let of_talk = || {
            let role = self.talk.talking()?.stage.role();
            role.filter(|_| self.talk_step().as_ref() == Some(step))
        };
        of_phase.or_else(of_session).or_else(of_finale).or_else(of_talk)
    }

    pub(crate) fn apply_debug(&mut self, fact: &DebugFact, now: Timestamp) {
        let Some(session) = &mut self.debug else { return };
        session.apply(fact, now);
        if let DebugFact::Entered(stage) = fact
            && let Some(commit) = stage.integrated()
        {
            self.head = commit.clone();
        }
    }

    pub(crate) fn charge(&mut self, step: &Step, spent: Spend) {
        if let Some((at, _, _)) = self.active_at(step) {
            self.list[at].spent += spent;
        }
    }

    pub(crate) fn apply(&mut self, id: &PhaseId, fact: &PhaseFact, now: Timestamp) {
        let Some(at) = self.place(id) else { return };
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "the rest is matched in `Active::apply`"
        )]
        match fact {
            PhaseFact::Began { base } => {
                self.graph.take(at);
                self.active.push(at);
                let mut active = Active::new(base, now);
                active.findings.clone_from(&self.list[at].spec.refused);
                self.list[at].status = Status::Active(Box::new(active));
            }
            PhaseFact::Closed(close) => {
                self.graph.take(at);
                self.active.retain(|&active| active != at);
                let is_part = self.list[at].part_of.is_some();
                self.over += u32::from(!is_part && !matches!(close, Close::Blocked { .. }));
                if let Close::Completed { commit, score, .. } = close {
                    if !self.hand_in(at) {
                        self.head = commit.clone();
                        self.before_marks = None;
                    }
                    if self.was_rated(at) {
                        self.scores.push(*score);
                        self.scores.drain(..self.scores.len().saturating_sub(SCORES_KEPT));
                    }
                    self.graph.complete(at);
                    if let Status::Active(active) = &self.list[at].status {
                        let granted = active.in_effect().filter(|edit| edit.is_granted());
                        self.granted.extend(granted.map(|edit| edit.path.clone()));
                    }
                }
                self.list[at].status = Status::Closed(close.clone());
            }
            PhaseFact::Retried => self.reopen(at),
            PhaseFact::Split { parts, .. } => self.add_parts(at, parts, now),
            PhaseFact::Learned { category, rule } => {
                let lesson = Lesson { phase: *id, category: *category, rule: rule.clone() };
                lesson::add(&mut self.lessons, lesson);
            }
            PhaseFact::Looked { task, verdict } => {
                if let Status::Closed(Close::Completed { awaits, .. }) = &mut self.list[at].status {
                    let found = awaits.iter_mut().find(|awaited| awaited.task == *task);
                    found.into_iter().for_each(|awaited| {
                        awaited.verdict = Some(verdict.clone());
                        awaited.looked_at = Some(now);
                    });
                }
            }
            PhaseFact::Marked { commit } => self.mark(at, commit),
            other => {
                self.count(other);
                if let Status::Active(active) = &mut self.list[at].status {
                    Log::take(active, *id, other, now);
                    active.apply(other, now);
                }
            }
        }
    }
}

impl Phase {
    /// Whether it is over and was not completed.
    pub(super) const fn is_failed(&self) -> bool {
        matches!(self.status, Status::Closed(Close::Failed { .. } | Close::Blocked { .. }))
    }

    /// What a person must still look at, or has, once it is complete. What its parts leave to them is theirs.
    pub fn awaits(&self) -> &[Awaited] {
        match &self.status {
            Status::Closed(Close::Completed { awaits, .. }) => awaits,
            Status::Closed(Close::Failed { .. } | Close::Blocked { .. })
            | Status::Active(_)
            | Status::Waiting => &[],
        }
    }
}

/// As many scores as can be too much alike.
const SCORES_KEPT: usize = 7;
