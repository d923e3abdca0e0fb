//! Turns what dependency lines name into phases of the file.

use std::collections::BTreeMap;

use super::{
    depends::{self, Doubt, Needed},
    index::IdIndex,
    phase_id::PhaseId,
    problem::{Problem, ProblemKind, excerpt},
    section::Value,
};

/// The widest range of phases that is expanded.
const RANGE_SPAN_MAX: u64 = 1_000;

/// The most dependencies that are kept for a whole file.
const EDGES_MAX: usize = 1_000_000;

/// Looks up dependencies, phase by phase in roadmap order.
pub(super) struct Resolver<'i> {
    /// The phases that can be scheduled, by place.
    known: &'i IdIndex,
    excluded: &'i IdIndex,
    /// Ids that are no phase.
    foreign: IdIndex,
    /// The last phase, plus one, that each known and each foreign id was listed for.
    listed_known: Vec<u32>,
    listed_foreign: Vec<u32>,
    loose: Option<BTreeMap<String, PhaseId>>,
    /// What the value at hand names; kept for its memory.
    needed: Vec<Needed>,
    /// How many dependencies were listed for the whole file.
    listed: usize,
    pub(super) pairs: Vec<(u32, u32)>,
    pub(super) problems: Vec<Problem>,
}

/// The phase whose dependencies are being looked up.
#[derive(Clone, Copy)]
struct Asking {
    id: PhaseId,
    place: usize,
    line: u32,
}

impl Asking {
    /// A number that no other phase has, and not zero.
    fn stamp(self) -> u32 {
        u32::try_from(self.place + 1).unwrap_or(u32::MAX)
    }
}

impl<'i> Resolver<'i> {
    pub(super) fn new(known: &'i IdIndex, excluded: &'i IdIndex) -> Self {
        let count = known.ids().len();
        Self {
            known,
            excluded,
            foreign: IdIndex::default(),
            listed_known: vec![0; count],
            listed_foreign: Vec::new(),
            loose: None,
            needed: Vec::new(),
            listed: 0,
            pairs: Vec::with_capacity(count * 3),
            problems: Vec::new(),
        }
    }

    /// Gives the dependencies of the phase at a place and records its edges.
    pub(super) fn resolve(
        &mut self,
        id: PhaseId,
        place: usize,
        values: &[Value<'_>],
    ) -> Vec<PhaseId> {
        let mut found = Vec::new();
        for value in values {
            let asking = Asking { id, place, line: value.line };
            let mut needed = std::mem::take(&mut self.needed);
            let doubt = depends::read(value.text, &mut needed);
            found.reserve(needed.len());
            for needed in &needed {
                self.add(asking, needed, &mut found);
            }
            self.needed = needed;
            // A list of bullets after an empty value is judged by its bullets.
            if let Some(doubt) = doubt
                && !(doubt == Doubt::Empty && values.len() > 1)
            {
                self.note_doubt(asking, doubt, value.text);
            }
        }
        found
    }

    fn add(&mut self, asking: Asking, needed: &Needed, found: &mut Vec<PhaseId>) {
        match *needed {
            Needed::Phase(wanted) => {
                if let Some(place) = self.known.get(wanted)
                    && place != asking.place
                {
                    self.list_known(asking, wanted, place, found);
                    return;
                }
                let wanted = self.spelled_as_declared(wanted);
                if wanted == asking.id {
                    self.note(
                        asking,
                        ProblemKind::SelfDependency,
                        format!("phase `{wanted}` depends on itself"),
                    );
                }
                self.list(asking, wanted, found);
            }
            Needed::Range(first, last) => self.add_range(asking, first, last, found),
            Needed::AllPrevious => {
                let known = self.known.ids();
                for before in &known[..asking.place.min(known.len())] {
                    self.list(asking, *before, found);
                }
            }
            Needed::Previous => {
                let known = self.known.ids();
                let before = asking.place.checked_sub(1).and_then(|at| known.get(at));
                if let Some(before) = before.copied() {
                    self.list(asking, before, found);
                }
            }
        }
    }

    /// Lists every phase of a range that exists; the rest only when neither end of it does.
    fn add_range(
        &mut self,
        asking: Asking,
        first: PhaseId,
        last: PhaseId,
        found: &mut Vec<PhaseId>,
    ) {
        let (first, last) = (self.spelled_as_declared(first), self.spelled_as_declared(last));
        let Some(members) = expand(first, last) else {
            self.note(
                asking,
                ProblemKind::UnreadableDependency,
                format!(
                    "the range `{first}` to `{last}` cannot be expanded; only its ends are kept"
                ),
            );
            self.list(asking, first, found);
            self.list(asking, last, found);
            return;
        };
        let anchored = self.known.get(first).is_some() && self.known.get(last).is_some();
        let mut strangers = 0_usize;
        for member in members {
            let place = self.known.get(member);
            let gone = self.excluded.get(member).is_some();
            if member == asking.id || gone {
                continue;
            }
            match place {
                Some(place) => self.list_known(asking, member, place, found),
                None if !anchored => {
                    strangers += 1;
                    self.list_foreign(asking, member, found);
                }
                None => {}
            }
        }
        if strangers > 0 {
            self.note(
                asking,
                ProblemKind::DanglingDependency,
                format!(
                    "phase `{}` depends on `{first}` to `{last}`, \
                     of which {strangers} are no phases of this file",
                    asking.id
                ),
            );
        }
    }

    /// Lists a dependency once.
    fn list(&mut self, asking: Asking, wanted: PhaseId, found: &mut Vec<PhaseId>) {
        if let Some(place) = self.known.get(wanted) {
            self.list_known(asking, wanted, place, found);
            return;
        }
        if !self.list_foreign(asking, wanted, found) {
            return;
        }
        let (kind, why) = if self.excluded.get(wanted).is_some() {
            (ProblemKind::ExcludedDependency, "is struck out or abandoned")
        } else {
            (ProblemKind::DanglingDependency, "is no phase of this file")
        };
        self.note(
            asking,
            kind,
            format!("phase `{}` depends on `{wanted}`, which {why}", asking.id),
        );
    }

    /// Lists a dependency on something else once; says whether it was new.
    fn list_foreign(&mut self, asking: Asking, wanted: PhaseId, found: &mut Vec<PhaseId>) -> bool {
        if self.is_full(asking) {
            return false;
        }
        let stamp = asking.stamp();
        let (number, new) = self.foreign.add(wanted);
        if new {
            self.listed_foreign.push(0);
        }
        let seen = std::mem::replace(&mut self.listed_foreign[number], stamp);
        if seen != stamp {
            found.push(wanted);
        }
        seen != stamp
    }

    /// Counts one more dependency; one line of a hostile file must not stand for millions.
    fn is_full(&mut self, asking: Asking) -> bool {
        self.listed += 1;
        if self.listed == EDGES_MAX + 1 {
            self.note(
                asking,
                ProblemKind::TooMuch,
                format!("the file has more than {EDGES_MAX} dependencies; the rest is left out"),
            );
        }
        self.listed > EDGES_MAX
    }

    /// Lists a dependency on a phase of the file once.
    fn list_known(
        &mut self,
        asking: Asking,
        wanted: PhaseId,
        place: usize,
        found: &mut Vec<PhaseId>,
    ) {
        let stamp = asking.stamp();
        if self.is_full(asking) {
            return;
        }
        let seen = std::mem::replace(&mut self.listed_known[place], stamp);
        if seen != stamp {
            found.push(wanted);
            if place != asking.place {
                self.pairs.push((stamp - 1, u32::try_from(place).unwrap_or(0)));
            }
        }
    }

    /// The declared id that differs only in case or padding, when the exact one does not exist.
    fn spelled_as_declared(&mut self, wanted: PhaseId) -> PhaseId {
        if self.known.get(wanted).is_some() || self.excluded.get(wanted).is_some() {
            return wanted;
        }
        let ids = self.known.ids();
        let loose = self.loose.get_or_insert_with(|| {
            let mut keys = BTreeMap::new();
            for id in ids {
                keys.entry(id.loose_key()).or_insert(*id);
            }
            keys
        });
        loose.get(&wanted.loose_key()).copied().unwrap_or(wanted)
    }

    fn note_doubt(&mut self, asking: Asking, doubt: Doubt, text: &str) {
        let (id, text) = (asking.id, excerpt(text));
        let what = match doubt {
            Doubt::NoPhase => format!("the dependencies of phase `{id}` name no phase: `{text}`"),
            Doubt::Empty => format!("the dependencies of phase `{id}` are empty"),
            Doubt::Alternative => {
                format!("the dependencies of phase `{id}` offer a choice, all are kept: `{text}`")
            }
            Doubt::Partial => {
                format!("not all of the dependencies of phase `{id}` were understood: `{text}`")
            }
        };
        self.note(asking, ProblemKind::UnreadableDependency, what);
    }

    fn note(&mut self, asking: Asking, kind: ProblemKind, what: String) {
        self.problems.push(Problem::new(asking.line, kind, what));
    }
}

/// The ids from the first to the last, when they differ in one number or letter only.
fn expand(first: PhaseId, last: PhaseId) -> Option<Vec<PhaseId>> {
    let (left, right) = (first.as_str(), last.as_str());
    let cut = |text: &str| text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if cut(left) < left.len() && cut(right) < right.len() {
        let (prefix, from) = left.split_at(cut(left));
        let (other, to) = right.split_at(cut(right));
        let (from, to) = (from.parse::<u64>().ok()?, to.parse::<u64>().ok()?);
        if prefix != other || to < from || to - from > RANGE_SPAN_MAX {
            return None;
        }
        let members = (from..=to).map(|number| PhaseId::with_tail(prefix, &number.to_string()));
        return members.collect();
    }
    let (prefix, from) = left.split_at(left.len() - 1);
    let (other, to) = right.split_at(right.len() - 1);
    let letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
    if prefix != other || !letters(from) || !letters(to) {
        return None;
    }
    let members = from.as_bytes()[0]..=to.as_bytes()[0];
    members.map(|letter| PhaseId::with_tail(prefix, &char::from(letter).to_string())).collect()
}
