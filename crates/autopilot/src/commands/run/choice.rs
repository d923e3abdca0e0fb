//! Which phases a run is about, and what is to be done with each.

use std::collections::BTreeMap;

use autopilot_core::{
    phases::{Manner, Start, TalkWish},
    policy::{Cycle, Flag, first_conflict, threshold},
    returns::Score,
    roadmap::{Phase, PhaseId, Roadmap, SelectionError, select},
};

use super::history::History;
use crate::{args, failure::Failure, ui::Ui};

/// What a run is about.
#[derive(Debug)]
pub(super) struct Choice<'a> {
    /// The phases, each after all it depends on.
    pub(super) phases: Vec<&'a Phase>,
    /// How they are done.
    pub(super) manner: Manner,
    /// The flags that were given.
    flags: Vec<Flag>,
    /// The scores that phases had in earlier runs.
    scores: BTreeMap<PhaseId, Vec<Score>>,
    /// What a person found wrong with phases in the last run that did them.
    refused: BTreeMap<PhaseId, Vec<String>>,
}

impl<'a> Choice<'a> {
    /// Reads from the command line what is wanted.
    pub(super) fn of(
        args: &args::Run,
        roadmap: &'a Roadmap,
        history: &History,
    ) -> Result<Self, Failure> {
        let flags = flags(&args.ways);
        if let Some(conflict) = first_conflict(&flags) {
            return Err(Failure::refused(conflict.to_string(), conflict.why, conflict.hint));
        }
        let cycle = if flags.contains(&Flag::Gaps) {
            Cycle::Gaps
        } else if flags.contains(&Flag::Quality) {
            Cycle::Quality
        } else {
            Cycle::Standard
        };
        let checkpoint_every = args.ways.checkpoint_every;
        let talk = TalkWish {
            map: flags.contains(&Flag::Map),
            discuss: flags.contains(&Flag::Discuss),
            only: args.only,
        };
        let deferral = history.deferral();
        let manner = Manner { cycle, checkpoint_every, deferral, talk, ..Manner::default() };
        let (scores, refused) = (history.scores(), history.refused());
        let mut choice = Self { phases: Vec::new(), manner, flags, scores, refused };
        let named = choice.named(args, roadmap)?;
        choice.refuse_incomplete(args, roadmap, &named)?;
        let wanted: Vec<bool> = (roadmap.phases.iter())
            .map(|phase| named.contains(&phase.id) && choice.wants(phase, args.phases.is_some()))
            .collect();
        choice.phases = in_order(roadmap, &wanted)?;
        Ok(choice)
    }

    /// Tells which flag has no effect beside another.
    pub(super) fn told(self, ui: &mut Ui) -> Self {
        let has = |flag| self.flags.contains(&flag);
        if let Some(other) =
            [Flag::Quality, Flag::Gaps].into_iter().find(|other| has(Flag::Lenient) && has(*other))
        {
            ui.warn(&format!(
                "`--lenient` has no effect beside `{}`: the stricter counts",
                other.name()
            ));
        }
        self
    }

    /// The score that phases must reach.
    pub(super) fn pass_score(&self, usual: Score) -> Score {
        threshold(&self.flags, usual)
    }

    /// What is to be done with a phase.
    pub(super) fn start(&self, phase: &Phase) -> Start {
        match (phase.complete, self.flags.contains(&Flag::Force)) {
            (false, _) => Start::New,
            (true, true) => Start::Again,
            (true, false) => Start::Improve,
        }
    }

    /// The scores that a phase had in earlier runs.
    pub(super) fn earlier_scores(&self, phase: &Phase) -> Vec<Score> {
        self.scores.get(&phase.id).cloned().unwrap_or_default()
    }

    /// What a person found wrong with a phase that is to be done again for it.
    pub(super) fn refused(&self, phase: &Phase) -> Vec<String> {
        let faults = self.refused.get(&phase.id).filter(|_| !phase.complete);
        faults.cloned().unwrap_or_default()
    }

    /// Whether phases are done again or improved.
    pub(super) fn is_about_what_is_there(&self) -> bool {
        let ways = [Flag::Force, Flag::Quality];
        ways.iter().any(|way| self.flags.contains(way))
    }

    /// What to say when no phase is left of those that were asked for.
    pub(super) fn nothing_to_do(&self, roadmap: &Roadmap) -> String {
        if self.is_about_completed() {
            "nothing to do: every completed phase asked for is good enough already".to_owned()
        } else if roadmap.phases.iter().all(|phase| phase.complete) {
            "nothing to do: everything in the roadmap is complete".to_owned()
        } else {
            "nothing to do: every phase asked for is complete".to_owned()
        }
    }

    /// The phases that were named, in words or by a flag.
    fn named(&self, args: &args::Run, roadmap: &Roadmap) -> Result<Vec<PhaseId>, Failure> {
        let words = match &args.phases {
            Some(words) => words,
            None if self.flags.contains(&Flag::Force) => {
                return Err(Failure::refused(
                    "`--force` does not say which phases",
                    "every completed phase would be done and paid for again",
                    "name them: `autopilot run 3 --force`",
                ));
            }
            None if self.flags.contains(&Flag::Complete) || self.is_about_completed() => "all",
            None if args.only => "all",
            None => "next",
        };
        select(words, roadmap).map_err(|error| {
            let hint = match error {
                SelectionError::NoNext { .. } => {
                    "`autopilot roadmap` shows what they wait for; take one of the dependencies out of the roadmap"
                }
                SelectionError::NoPhases => "`docs/roadmap-format.md` shows how phases are written",
                _ => "`autopilot roadmap` lists them",
            };
            Failure::refused(error.to_string(), "only phases of the roadmap can be run", hint)
        })
    }

    /// Whether completed phases are meant, and not only those that are left.
    fn is_about_completed(&self) -> bool {
        let complete = self.flags.contains(&Flag::Complete);
        let improves = self.flags.contains(&Flag::Quality) || self.flags.contains(&Flag::Gaps);
        self.flags.contains(&Flag::Force) || (improves && !complete)
    }

    /// Some ways are about completed phases alone; a phase that a person named must be one.
    fn refuse_incomplete(
        &self,
        args: &args::Run,
        roadmap: &Roadmap,
        named: &[PhaseId],
    ) -> Result<(), Failure> {
        let only = [Flag::Force, Flag::Gaps].into_iter().find(|flag| self.flags.contains(flag));
        let Some(flag) = only.filter(|_| args.phases.is_some()) else { return Ok(()) };
        let is_open = |id: &&PhaseId| roadmap.phase(**id).is_some_and(|phase| !phase.complete);
        match named.iter().find(is_open) {
            None => Ok(()),
            Some(id) => Err(Failure::refused(
                format!(
                    "phase {id} is not complete, and `{}` is about completed ones",
                    flag.name()
                ),
                "there is nothing of it yet that could be done again or made better",
                format!("run it first: `autopilot run {id}`"),
            )),
        }
    }

    /// Whether a named phase is part of the run. `by_name` says that a person named it, and not a flag.
    fn wants(&self, phase: &Phase, by_name: bool) -> bool {
        if !phase.complete {
            return !self.flags.contains(&Flag::Gaps);
        }
        if self.flags.contains(&Flag::Force) {
            return true;
        }
        let last = self.scores.get(&phase.id).and_then(|scores| scores.last());
        // What nobody rated may lack anything.
        let is_good = last.is_some_and(|score| self.manner.cycle.skips(*score, by_name));
        self.is_about_completed() && !is_good
    }
}

fn flags(ways: &args::Ways) -> Vec<Flag> {
    let given = [
        (ways.complete, Flag::Complete),
        (ways.lenient, Flag::Lenient),
        (ways.quality, Flag::Quality),
        (ways.gaps, Flag::Gaps),
        (ways.force, Flag::Force),
        (ways.discuss, Flag::Discuss),
        (ways.map, Flag::Map),
        (ways.sequential, Flag::Sequential),
    ];
    given.into_iter().filter_map(|(is_given, flag)| is_given.then_some(flag)).collect()
}

/// Every phase that is left, each after all it depends on.
pub(super) fn all_open(roadmap: &Roadmap) -> Result<Vec<&Phase>, Failure> {
    let wanted: Vec<bool> = roadmap.phases.iter().map(|phase| !phase.complete).collect();
    in_order(roadmap, &wanted)
}

/// The wanted phases, each after all it depends on; those that are left come before those that are improved.
fn in_order<'a>(roadmap: &'a Roadmap, wanted: &[bool]) -> Result<Vec<&'a Phase>, Failure> {
    let graph = roadmap.graph();
    let is_wanted = |place: usize| wanted.get(place).copied().unwrap_or(false);
    // A circle among phases that the run does not have is a problem, but none of this run.
    let order = graph.order_among(is_wanted);
    let count = (0..graph.len()).filter(|place| is_wanted(*place)).count();
    if order.len() < count {
        return Err(circle(roadmap, wanted));
    }
    let mut phases: Vec<&Phase> = order.into_iter().map(|place| &roadmap.phases[place]).collect();
    // A stable sort: the order of dependencies stays among each kind, and a completed phase waits for none that is left.
    phases.sort_by_key(|phase| phase.complete);
    Ok(phases)
}

fn circle(roadmap: &Roadmap, wanted: &[bool]) -> Failure {
    let cycles = roadmap.graph().cycles();
    let is_wanted = |place: usize| wanted.get(place).copied().unwrap_or(false);
    let members = cycles.iter().map(|cycle| cycle.iter().filter(|at| is_wanted(**at)));
    let members = members.max_by_key(|members| members.clone().count()).into_iter().flatten();
    let members: Vec<&str> = members.map(|&at| roadmap.phases[at].id.as_str()).collect();
    Failure::refused(
        format!("the phases {} depend on each other in a circle", members.join(", ")),
        "none of them could ever begin",
        "take one of the dependencies out of the roadmap",
    )
}
