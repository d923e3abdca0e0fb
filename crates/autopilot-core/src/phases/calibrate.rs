//! Those who judge are now and then given work that is known to be broken, to see whether they see it.

use crate::{
    fact::Fact,
    id::GateId,
    input::{Answer, Seed},
    measure::Tally,
    phases::{
        PhaseFact, Phases, Stage, decide, integrity, parts, rating, traced, turn::Turn, visual,
    },
    returns::{Recommendation, Return, Score},
    role::Role,
    run::Run,
};

/// Those whose approval a phase needs.
const REVIEWERS: [Role; 3] = [Role::Verifier, Role::Judge, Role::Rater];

/// What the agent of a role has shown, in this run and before.
pub fn tally(run: &Run, work: &Phases, role: Role) -> Tally {
    let mut tally = run.given.measure.before.get(&role).copied().unwrap_or_default();
    tally += work.tallies.get(&role).copied().unwrap_or_default();
    tally
}

/// The roles that judge, with what their agents have shown and whether their approval counts.
pub fn reviewers(run: &Run, work: &Phases) -> Vec<(Role, Tally, bool)> {
    REVIEWERS
        .into_iter()
        .map(|role| {
            let tally = tally(run, work, role);
            (role, tally, tally.has_vote(run.given.measure.catch_percent_min))
        })
        .collect()
}

/// Has a role judge the phase, and before that, now and then, something that is broken.
pub(super) fn review(turn: &mut Turn<'_>, role: Role) {
    let every = turn.run.given.measure.every;
    let next = tally(turn.run, turn.work, role).reviews.saturating_add(1);
    let due = every > 0 && next.is_multiple_of(every);
    turn.enter(if due { Stage::Seed(role) } else { stage_of(role) });
}

/// Goes on from work that is green and can go red: to whoever verifies, or, where each part of it was verified, judged and
/// rated by itself, to its end.
pub(super) fn begin(turn: &mut Turn<'_>) {
    match parts::score(turn) {
        // Each part was held to everything when it was complete.
        Some(score) => approved(turn, score),
        None => visual::begin(turn),
    }
}

/// What follows when the work was broken for a role to see, or could not be.
pub(super) fn seeded(turn: &mut Turn<'_>, role: Role, seed: Option<&Seed>) {
    turn.enter(match seed {
        Some(seed) => Stage::Calibrate(role, seed.clone()),
        None => stage_of(role),
    });
}

/// What follows from a role's word on work that is known to be broken.
pub(super) fn judged(turn: &mut Turn<'_>, role: Role, seed: &Seed, word: &Return) {
    let caught = is_objection(turn, word);
    turn.note(PhaseFact::Calibrated { role, what: seed.what.clone(), caught });
    turn.enter(stage_of(role));
}

/// The stage in which a role judges the phase itself.
pub(super) fn stage_of(role: Role) -> Stage {
    #[expect(clippy::wildcard_enum_match_arm, reason = "three roles judge a phase")]
    match role {
        Role::Verifier => Stage::Verify,
        Role::Judge => Stage::Judge,
        _ => Stage::Rate,
    }
}

/// Completes a phase that nobody objects to. Where the approval of nobody counts, a person is asked for theirs.
pub(super) fn complete(turn: &mut Turn<'_>, score: Score) {
    if integrity::may_close(turn) {
        approved(turn, score);
    }
}

fn approved(turn: &mut Turn<'_>, score: Score) {
    if reviewers(turn.run, turn.work).iter().any(|(_, _, has_vote)| *has_vote) {
        return finish(turn, score);
    }
    let stage = Stage::Approve(score);
    let gate = GateId::new(stage.step(&turn.phase.spec.id, "").as_str());
    turn.enter(stage);
    match turn.run.answers.get(&gate).cloned() {
        Some(answer) => answered(turn, score, &answer),
        None => {
            let question = format!(
                "Every check of phase {} holds, but none of its reviewers has a vote: they missed too many seeded \
                 defects. Is it done?",
                turn.phase.spec.id
            );
            turn.push(Fact::Asked { gate, question });
        }
    }
}

/// Puts a phase on the run branch; the work of a part goes to the phase that it is a part of.
fn finish(turn: &mut Turn<'_>, score: Score) {
    if turn.phase.part_of.is_some() {
        let commit = turn.now.head.clone();
        decide::integrated(turn, score, commit);
    } else {
        turn.enter(Stage::Integrate(score));
    }
}

/// What follows from a person's word in the place of all reviewers.
pub(super) fn answered(turn: &mut Turn<'_>, score: Score, answer: &Answer) {
    if answer.approved {
        finish(turn, score);
    } else {
        turn.repair(vec![format!("{} said no: {}", answer.by, answer.message)]);
    }
}

/// Whether a word would have stopped the phase.
fn is_objection(turn: &Turn<'_>, word: &Return) -> bool {
    #[expect(clippy::wildcard_enum_match_arm, reason = "nobody else is asked")]
    match word {
        Return::Verification(word) => !traced::passes(word),
        Return::Judgement(word) => word.recommendation != Recommendation::Proceed,
        Return::Rating(word) => {
            let score = rating::score(turn.phase, &turn.now, word);
            score.is_none_or(|score| score < turn.run.given.pass_score)
        }
        _ => false,
    }
}

impl Phases {
    /// Counts what those who judge do.
    pub(super) fn count(&mut self, fact: &PhaseFact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is anybody's judgement")]
        let (role, one) = match fact {
            PhaseFact::Calibrated { role, caught, .. } => {
                (*role, Tally { seeded: 1, caught: u32::from(*caught), ..Tally::default() })
            }
            PhaseFact::Verified { .. } => (Role::Verifier, REVIEW),
            PhaseFact::Judged { .. } => (Role::Judge, REVIEW),
            PhaseFact::Rated { .. } => (Role::Rater, REVIEW),
            _ => return,
        };
        *self.tallies.entry(role).or_default() += one;
    }
}

/// One review.
const REVIEW: Tally = Tally { reviews: 1, seeded: 0, caught: 0 };
