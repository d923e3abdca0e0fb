//! The shorter ways.

use super::*;

#[test]
fn a27_a_bug_is_agreed_on_by_its_cause_and_repaired_with_a_test_that_was_red() {
    let mut world = World::of(spec(Route::Bugfix));
    world.reach_the_work();
    let roles: Vec<Role> = world.asked.iter().map(|task| task.role).collect();
    assert_eq!(roles, [Role::CauseAnalyst]);
    world.play();
    assert_eq!(world.gate(), Some(GateId::new("issue/merge")));
    assert_eq!(world.issue().criteria[0].id, "ISSUE-42");
    let pinned = world.saved.iter().flat_map(|task| &task.papers).map(|paper| paper.path.as_str());
    assert_eq!(
        pinned.collect::<Vec<_>>(),
        [
            "docs/issues/42-greet/autopilot-prd.pin",
            "docs/issues/42-greet/cause.md",
            "docs/issues/42-greet/autopilot-design.pin",
        ]
    );
}

#[test]
fn a27_a_repair_whose_test_never_failed_does_not_converge() {
    let mut world = World::of(spec(Route::Bugfix));
    world.without = vec![vec![0]];
    world.reach_the_work();
    world.play();
    assert_eq!(world.halted(), "gate-unverifiable");
    let mut world = World::of(spec(Route::Bugfix));
    world.left = vec![Survey { tags: [].into(), ..honest() }];
    world.reach_the_work();
    world.play();
    assert_eq!(world.halted(), "sameness-detector", "nor one whose test does not name the bug");
}

#[test]
fn a27_a_refused_cause_is_looked_for_again() {
    let mut world = World::of(spec(Route::Bugfix));
    world.tell(Event::Tick);
    world.play();
    world.say(true, "");
    assert!(world.question().starts_with("Approve cause?"), "{}", world.question());
    world.say(false, "it is the clock");
    assert_eq!(world.gate(), Some(GateId::new("issue/design-2")));
    let last = world.asked.last().expect("someone");
    assert_eq!(
        (last.role, last.brief.findings.as_slice()),
        (Role::CauseAnalyst, &["[P0] it is the clock".to_owned()][..])
    );
}

#[test]
fn a28_a_test_that_fails_once_in_many_runs_never_converges_and_one_that_is_repaired_does() {
    let mut world = World::of(spec(Route::Flaky));
    world.without = vec![vec![0, 0, 0, 0, 1]];
    world.failing = vec![
        vec!["a"],
        vec!["b"],
        vec!["c"],
        vec!["d"],
        vec!["e"],
        vec!["f"],
        vec!["g"],
        vec!["h"],
    ];
    world.reach_the_work();
    assert_eq!(world.issue().reproduced, Some((4, 20)), "the rate is what the engine counted");
    world.play();
    assert_eq!(world.halted(), "MAX_ITERATIONS", "one green run proves nothing");
    let mut world = World::of(spec(Route::Flaky));
    world.without = vec![vec![0, 0, 0, 0, 1]];
    world.reach_the_work();
    world.play();
    assert_eq!(world.gate(), Some(GateId::new("issue/merge")));
    let cause = world
        .saved
        .iter()
        .flat_map(|task| &task.papers)
        .find(|paper| paper.path.ends_with("cause.md"));
    assert!(cause.expect("it is written down").text.contains("4 of 20 runs"));
}

#[test]
fn a28_the_runs_are_as_many_as_a_person_says() {
    let mut world = World::of(IssueSpec { runs: 7, ..spec(Route::Flaky) });
    world.tell(Event::Tick);
    world.play();
    let gate = world.gate().expect("it asks");
    let answer = Answer { approved: true, message: String::new(), by: "p".to_owned(), until: None };
    world.tell(Event::Answered { gate, answer });
    let one = world.until("reproduce");
    let Effect::Trial(task) = one.effect else { panic!("{one:?}") };
    assert_eq!(task.runs, 7);
}

#[test]
fn a30_the_short_way_ends_where_anything_but_a_document_changes() {
    let mut world = World::of(spec(Route::Express));
    let overflow = Survey {
        changed: vec!["README.md".to_owned(), "src/main.rs".to_owned()],
        ..Survey::default()
    };
    world.left = vec![overflow.clone(), overflow];
    world.tell(Event::Tick);
    assert!(
        matches!(world.play(), Standing::Ended(Ending::Halted { why }) if why.contains("`src/main.rs` is no document"))
    );
    assert_eq!(world.saved.len(), 0, "nothing of it is kept as work");
}

#[test]
fn a30_the_short_way_leaves_no_papers_and_ends_at_the_merge_gate() {
    let mut world = World::of(spec(Route::Express));
    world.tell(Event::Tick);
    world.play();
    assert_eq!(world.gate(), Some(GateId::new("issue/merge")));
    assert!(world.question().contains("## Express Mode"), "{}", world.question());
    assert!(world.saved.iter().all(|task| task.papers.is_empty() && task.appended.is_empty()));
    world.say(true, "");
    assert_eq!(world.run.ending, Some(Ending::Done));
}

#[test]
fn a25_where_the_short_way_would_do_a_person_is_asked_once_before_the_gates() {
    let eligible = || World::of(IssueSpec { may_be_express: true, ..spec(Route::Full) });
    let mut world = eligible();
    world.tell(Event::Tick);
    world.play();
    assert_eq!(world.gate(), Some(GateId::new("issue/precheck")));
    world.say(true, "ok");
    assert_eq!(
        world.gate(),
        Some(GateId::new("issue/requirements")),
        "it is asked once and is no gate"
    );
    for (approved, message) in [(false, ""), (true, "maybe")] {
        let mut world = eligible();
        world.tell(Event::Tick);
        world.play();
        assert_eq!(world.say(approved, message), Standing::Ended(Ending::Incomplete));
    }
}

#[test]
fn a29_a_test_is_put_aside_only_where_an_issue_follows_it_up() {
    let before = "def test_old():\n    assert once() == 1\n";
    let aside = edit("tests/test_old.py", before, &format!("@pytest.mark.skip\n{before}"));
    assert!(aside.edit.skips_added > 0 && !aside.edit.only_adds_tests, "{:?}", aside.edit);
    for (route, tracking, expected) in [
        (Route::Flaky, Some("43"), &["tests/test_old.py"][..]),
        (Route::Flaky, None, &[][..]),
        (Route::Bugfix, Some("43"), &[][..]),
    ] {
        let tracking = tracking.map(str::to_owned);
        let mut world = World::of(IssueSpec { tracking, ..spec(route) });
        world.without = vec![vec![1]];
        world.requests = vec![vec![aside.clone()]];
        world.reach_the_work();
        let one = world.until("survey");
        let Effect::Survey(task) = &one.effect else { panic!("{one:?}") };
        assert_eq!(task.accepted, expected, "{route:?}");
        world.until("green");
        let remarks = world.issue().attempted.seen.remarks.join(" ");
        assert_eq!(
            remarks.contains("only where an issue follows it up"),
            expected.is_empty(),
            "{remarks}"
        );
    }
}
