//! Work that holds and is not good enough.

use serde_json::json;

use crate::{
    effect::Effect,
    fact::{Ending, Fact},
    input::Event,
    phases::{Close, PhaseFact, Start, fact::SentBack},
    policy::{Cycle, Stamp},
    returns::Score,
    role::Role,
    run::{Run, WorkSpec, owed},
    story::{Story, good, report},
};

/// Plays to the end; each rating gives the next scorecard, and the last one again when there are no more.
fn play(story: &mut Story, cards: &[&[(&str, f64)]]) -> Ending {
    let mut rated = 0;
    story.tell(Event::Tick);
    while story.run.ending.is_none() {
        if owed(&story.run).is_empty() {
            story.tell(Event::Tick);
            continue;
        }
        let owed = story.start();
        let outcome = match &owed.effect {
            Effect::Agent(task) if task.role == Role::Rater => {
                let card = cards[rated.min(cards.len() - 1)];
                rated += 1;
                report(Role::Rater, &owed.key, scorecard(card))
            }
            _ => good(&owed),
        };
        story.end(&owed.key, outcome);
    }
    story.run.ending.clone().expect("it has ended")
}

fn scorecard(rows: &[(&str, f64)]) -> serde_json::Value {
    let mean = rows.iter().map(|(_, score)| score).sum::<f64>() / rows.len() as f64;
    let rows: Vec<_> = rows
        .iter()
        .map(|(name, score)| json!({"criterion": name, "score": score, "evidence": "a:1", "justification": "lacks"}))
        .collect();
    json!({"alignment_score": (mean * 10.0).floor() / 10.0, "scorecard": rows})
}

fn remedies(story: &Story) -> Vec<Vec<String>> {
    let findings = story.facts.iter().filter_map(|fact| match fact {
        Fact::Phase { fact: PhaseFact::SentBack { to: SentBack::Remedy, findings }, .. } => {
            Some(findings.clone())
        }
        _ => None,
    });
    findings.collect()
}

fn with_cycle(cycle: Cycle, pass: u16) -> Story {
    let mut story = Story::of(&[("1", &[])]);
    let mut given = story.run.given.clone();
    given.manner.cycle = cycle;
    given.pass_score = Score::from_tenths(pass);
    story.run = Run::begin(story.now, &given);
    story
}

#[test]
fn c20_a_usable_phase_is_improved_twice_and_then_taken_below_its_score() {
    let mut story = with_cycle(Cycle::Standard, 90);
    let ending = play(&mut story, &[&[("c", 8.1)], &[("c", 8.4)], &[("c", 8.6)]]);
    assert_eq!((ending, remedies(&story).len()), (Ending::Incomplete, 2));
    let Some(Close::Completed { score, below_pass, .. }) = story.close("1") else {
        panic!("it is complete: {:?}", story.close("1"))
    };
    assert_eq!((score.tenths(), *below_pass), (86, true));
}

#[test]
fn c20_improving_ends_as_soon_as_the_score_is_reached() {
    let mut story = with_cycle(Cycle::Standard, 90);
    let ending = play(&mut story, &[&[("c", 8.1)], &[("c", 9.2)]]);
    assert_eq!((ending, remedies(&story).len()), (Ending::Done, 1));
}

#[test]
fn c21_quality_stops_when_a_try_does_not_help_and_after_three_at_most() {
    let mut same = with_cycle(Cycle::Quality, 95);
    assert_eq!(play(&mut same, &[&[("c", 9.1)], &[("c", 9.1)]]), Ending::Incomplete);
    assert_eq!(remedies(&same).len(), 1);
    let mut slow = with_cycle(Cycle::Quality, 95);
    let cards: [&[(&str, f64)]; 4] = [&[("c", 9.0)], &[("c", 9.1)], &[("c", 9.2)], &[("c", 9.3)]];
    assert_eq!(play(&mut slow, &cards), Ending::Incomplete);
    assert_eq!(remedies(&slow).len(), 3);
}

#[test]
fn c22_gaps_closes_one_deficiency_at_a_time_the_largest_first() {
    let mut story = with_cycle(Cycle::Gaps, 95);
    let first: &[(&str, f64)] = &[("speed", 9.0), ("docs", 7.0), ("tests", 8.0)];
    let ending = play(&mut story, &[first, &[("all", 8.5)], &[("all", 8.5)], &[("all", 9.6)]]);
    assert_eq!(ending, Ending::Done);
    assert_eq!(
        remedies(&story),
        [["docs: lacks"], ["tests: lacks"], ["speed: lacks"]]
            .map(|one| one.map(str::to_owned).to_vec())
    );
}

#[test]
fn c23_a_phase_that_is_forced_goes_through_every_step_although_its_criteria_hold() {
    let plays = |start| {
        let mut story = Story::of(&[("1", &[])]);
        let mut given = story.run.given.clone();
        let WorkSpec::Phases(specs) = &mut given.work else { panic!("it has phases") };
        specs[0].start = start;
        specs[0].earlier_scores = vec![Score::from_tenths(91)];
        story.run = Run::begin(story.now, &given);
        story.tell(Event::Tick);
        let preflight = story.start();
        story.end(&preflight.key, good(&preflight));
        let triage = story.start();
        story.end(&triage.key, crate::story::checked(true));
        story.owed().key.step.to_string()
    };
    assert_eq!(plays(Start::Again), "1/research");
    assert_eq!(plays(Start::New), "1/outline");
    assert_eq!(plays(Start::Improve), "1/outline");
}

#[test]
fn c26_scores_that_are_alike_are_told_looked_at_harder_and_marked() {
    let ids = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let phases: Vec<(&str, &[&str])> = ids.iter().map(|id| (*id, [].as_slice())).collect();
    let mut story = Story::of(&phases);
    let mut asked_to_look = std::collections::BTreeMap::new();
    story.tell(Event::Tick);
    while story.run.ending.is_none() {
        if owed(&story.run).is_empty() {
            story.tell(Event::Tick);
            continue;
        }
        let owed = story.start();
        if let Effect::Agent(task) = &owed.effect {
            if task.role == Role::Rater {
                asked_to_look.insert(task.phase, task.brief.look_harder);
            } else if task.role == Role::Executor {
                assert!(!task.brief.look_harder);
            }
        }
        story.end(&owed.key, good(&owed));
    }
    let stamps: Vec<Stamp> = story
        .facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::Phase { fact: PhaseFact::Stamped(stamp), .. } => Some(*stamp),
            _ => None,
        })
        .collect();
    use Stamp::{Critical, Enhanced, Warning};
    assert_eq!(stamps, [Warning, Warning, Enhanced, Enhanced, Critical, Critical]);
    let asked_to_look: Vec<bool> = asked_to_look.into_values().collect();
    assert_eq!(asked_to_look, [false, false, false, false, false, true, true, true]);
    let suspect = |id| matches!(story.close(id), Some(Close::Completed { suspect: true, .. }));
    assert_eq!(ids.map(suspect), [false, false, false, false, false, false, true, true]);
}

#[test]
fn c51_a_run_pauses_after_every_so_many_phases_and_goes_on_when_resumed() {
    let mut story = Story::of(&[("1", &[]), ("2", &[]), ("3", &[]), ("4", &[]), ("5", &[])]);
    let mut given = story.run.given.clone();
    given.manner.checkpoint_every = Some(2);
    story.run = Run::begin(story.now, &given);
    for over in [2, 4] {
        assert_eq!(story.finish(), Ending::Checkpoint { over });
        assert!(owed(&story.run).is_empty());
        let limits = story.run.given.limits.clone();
        story.tell(Event::Resumed { observed: Vec::new(), limits });
    }
    assert_eq!(story.finish(), Ending::Done);
}
