//! What holds for an issue as for every run.

use proptest::prelude::*;

use super::*;

#[test]
fn an_agent_that_crashes_is_started_again_within_bounds() {
    let mut world = World::of(spec(Route::Full));
    world.reach_the_work();
    for _ in 0..world.run.given.limits.step_tries {
        assert_eq!(world.run.ending, None);
        let one = owed(&world.run).remove(0);
        world.tell(Event::Starting(one.key.clone()));
        world.end(&one, failed(FailureClass::Crashed));
    }
    assert!(matches!(world.run.ending, Some(Ending::Halted { .. })));
    assert_eq!(world.issue().iteration, 1, "a crash is no try of the work");
}

#[test]
fn whatever_happens_at_any_place_an_engine_that_is_killed_owes_the_same_again() {
    let mut world = World::of(spec(Route::Full));
    world.failing = vec![vec!["a", "b"], vec!["a"], vec![]];
    world.tell(Event::Tick);
    let mut kills = 0;
    while world.run.ending.is_none() {
        let Some(one) = owed(&world.run).into_iter().next() else {
            if world.tell(Event::Tick).is_empty() {
                let gate = world.gate().expect("a person is asked");
                let message = String::new();
                let answer = Answer { approved: true, message, by: "p".to_owned(), until: None };
                world.tell(Event::Answered { gate, answer });
            }
            continue;
        };
        world.tell(Event::Starting(one.key.clone()));
        let limits = world.run.given.limits.clone();
        world.tell(Event::Resumed { observed: Vec::new(), limits });
        kills += 1;
        let again = owed(&world.run).remove(0);
        assert_eq!(again.key.step, one.key.step);
        if !one.effect.needs_intent() {
            assert_eq!(again, one, "what has no intent is the same to the last letter");
        }
        world.step(&again);
    }
    assert_eq!(world.run.ending, Some(Ending::Done));
    assert!(kills > 30, "{kills}");
    assert_eq!(world.log().len(), 5);
}

/// What a round of a random world is like.
fn rounds() -> impl Strategy<Value = Vec<(u8, bool, bool, bool)>> {
    proptest::collection::vec((0_u8..4, any::<bool>(), any::<bool>(), any::<bool>()), 1..10)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever agents do, an issue ends; it is done only with everything seen and every gate approved; and the log holds
    /// as many lines as the state says, each of them JSON.
    #[test]
    fn a12_no_world_brings_an_issue_to_its_end_without_evidence(
        rounds in rounds(),
        route in 0_usize..3,
        red in 0_u8..3,
    ) {
        let mut world = World::of(spec(Route::ALL[route]));
        let names = ["a", "b", "c", "d"];
        world.failing = rounds.iter().map(|round| names[..round.0 as usize].to_vec()).collect();
        world.without = vec![vec![i32::from(red > 0)]];
        world.full = rounds.iter().map(|round| round.1).collect();
        world.left = rounds
            .iter()
            .map(|round| {
                let mut left = honest();
                if round.2 {
                    left.tags.clear();
                }
                if !round.3 && round.0 == 3 {
                    left.touched.push("docs/issues/42-greet/red.jsonl".to_owned());
                }
                left
            })
            .collect();
        world.tell(Event::Tick);
        for _ in 0..8 {
            if !matches!(world.play(), Standing::Asking(_)) {
                break;
            }
            world.say(true, "ok");
        }
        let issue = world.issue();
        prop_assert_eq!(u64::try_from(world.log().len()).unwrap(), issue.log_lines);
        let tried = world.asked.iter().filter(|task| task.role == Role::Implementer).count();
        prop_assert!(tried <= 8);
        match &world.run.ending {
            Some(Ending::Done) => {
                prop_assert!(issue.attempted.seen.holds());
                let gates: Vec<IssueGate> = issue.approvals.iter().map(|one| one.0).collect();
                prop_assert_eq!(gates, IssueGate::ALL);
                prop_assert!(red > 0);
                let shown = issue.red.as_ref();
                prop_assert!(shown.is_some_and(|one| one.is_red && one.commit != issue.tip));
            }
            Some(Ending::Halted { .. }) => {
                let last = world.log().pop().expect("a line");
                prop_assert_eq!(last["outcome"].as_str(), Some("HALT"));
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }
}
