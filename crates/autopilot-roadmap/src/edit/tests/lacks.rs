//! What the description of a new phase lacks.

use super::{super::*, id};

const ROADMAP: &str = "### Phase 1: Lamp\n**Goal**: Ships see the shore at night\n";

fn whole() -> NewPhase {
    NewPhase {
        goal: Some(
            "Keepers know about fog before ships are in it. The horn is sounded in time."
                .to_owned(),
        ),
        criteria: [
            "A reading below 200 m sounds the horn",
            "`fog --json` prints a reading",
            "It works correctly -- verified by: `make fog`",
        ]
        .map(str::to_owned)
        .to_vec(),
        depends_on: Some("Phase 1 (the sensor is mounted on it)".to_owned()),
        ..NewPhase::from_text("Fog sensor")
    }
}

fn lacks(phase: &NewPhase) -> Vec<Lack> {
    phase.lacks("Fog sensor", &parse(ROADMAP))
}

#[test]
fn c47_a_description_that_says_everything_lacks_nothing() {
    assert_eq!(lacks(&whole()), []);
}

#[test]
fn c47_a_goal_has_two_sentences() {
    for (goal, sentences) in [(None, 0), (Some("Version 1.2 is out"), 1), (Some("One thing."), 1)] {
        let phase = NewPhase { goal: goal.map(str::to_owned), ..whole() };
        assert_eq!(lacks(&phase), [Lack::Goal { sentences }], "{goal:?}");
    }
    let wide = NewPhase { goal: Some("雾被看见。号角响起。".to_owned()), ..whole() };
    assert_eq!(lacks(&wide), []);
}

#[test]
fn c47_there_are_three_criteria() {
    let mut phase = whole();
    phase.criteria.pop();
    assert_eq!(lacks(&phase), [Lack::Criteria { count: 2 }]);
}

#[test]
fn c47_a_criterion_says_more_than_that_something_is_fine() {
    for vague in
        ["It works as expected", "The sensor should work.", "Error handling is implemented", "..."]
    {
        let mut phase = whole();
        phase.criteria[1] = vague.to_owned();
        assert_eq!(lacks(&phase), [Lack::Vague { number: 2 }], "{vague}");
    }
    for concrete in [
        "It works as expected for 3 of 4 keepers",
        "The horn works correctly when the lamp is off, at night and in a storm",
        "The answer is correct -- verified by: `make answer`",
        "The word \"fog\" is correct",
    ] {
        let mut phase = whole();
        phase.criteria[1] = concrete.to_owned();
        assert_eq!(lacks(&phase), [], "{concrete}");
    }
}

#[test]
fn c47_a_dependency_has_a_reason_or_there_is_none() {
    for (needs, lack) in [
        (None, Some(Lack::Dependency)),
        (Some("Phase 1"), Some(Lack::Reason)),
        (Some("Phase 1 ()"), Some(Lack::Reason)),
        (Some("independent"), None),
        (Some("Nothing"), None),
        (Some("Phase 1 (its light)"), None),
    ] {
        let phase = NewPhase { depends_on: needs.map(str::to_owned), ..whole() };
        assert_eq!(lacks(&phase), Vec::from_iter(lack), "{needs:?}");
    }
}

#[test]
fn c47_a_goal_is_more_than_the_text_that_was_given() {
    let input = "A sensor sees fog near ships. Keepers sound the horn.";
    let repeated = NewPhase { goal: Some(input.to_owned()), ..whole() };
    assert_eq!(repeated.lacks(input, &parse(ROADMAP)), [Lack::Repeated { percent: 100 }]);
    // Four of five words are not more than 80 %.
    let new = NewPhase { goal: Some("Sensor sees ships. Keepers dance.".to_owned()), ..whole() };
    assert_eq!(new.lacks(input, &parse(ROADMAP)), []);
}

#[test]
fn c47_a_phase_is_not_one_that_is_there() {
    let goal = Some("Ships see the shore at night. Ships see the shore.".to_owned());
    let same = NewPhase { goal, ..NewPhase { name: "Lamp".to_owned(), ..whole() } };
    assert_eq!(lacks(&same), [Lack::Overlap { with: id("1"), percent: 100 }]);
    // Seven of ten words are not more than 70 %.
    let words = "lamp ships see shore night. One two three four";
    let goal = Some(format!("{words}."));
    let other = NewPhase { goal, ..NewPhase { name: "Lamp".to_owned(), ..whole() } };
    assert_eq!(lacks(&other), []);
}

#[test]
fn c47_what_is_lacking_is_told_in_words() {
    let told = NewPhase::from_text("Fog sensor").lacks("Fog sensor", &parse(ROADMAP));
    let told: Vec<String> = told.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "the goal has 0 sentences, and 2 say better what is reached and why",
            "there are 0 criteria; with fewer than 3 too much is left to whoever judges",
            "nothing says what the phase depends on; say `independent` if it is nothing",
        ]
    );
}
