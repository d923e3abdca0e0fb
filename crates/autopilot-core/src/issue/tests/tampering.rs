//! What is seen of the work, and what nobody may change.

use super::*;

#[test]
fn a9_work_whose_tests_were_never_red_halts_at_once() {
    let mut world = World::of(spec(Route::Full));
    world.without = vec![vec![0]];
    world.reach_the_work();
    world.play();
    assert_eq!(world.halted(), "gate-unverifiable");
    assert_eq!(world.asked.iter().filter(|task| task.role == Role::Implementer).count(), 1);
    assert!(!world.issue().is_escalated, "that is no matter of the model");
    let evidence = world
        .saved
        .iter()
        .flat_map(|task| &task.appended)
        .any(|paper| paper.path.ends_with("red.jsonl"));
    assert!(!evidence, "what was not seen is not written down");
}

#[test]
fn a9_work_without_tests_of_its_own_halts_too() {
    let mut world = World::of(spec(Route::Full));
    world.left = vec![Survey { tests: Vec::new(), tests_sha256: None, ..honest() }];
    world.reach_the_work();
    world.play();
    assert_eq!(world.halted(), "gate-unverifiable");
}

#[test]
fn a9_red_is_seen_at_a_commit_that_holds_the_tests_and_not_the_work() {
    let mut world = World::of(spec(Route::Full));
    world.reach_the_work();
    world.until("save-tests");
    let design = world.issue().design.clone();
    world.until("red");
    let tests = world.issue().tests_commit.clone().expect("they are kept");
    let task = world
        .saved
        .iter()
        .rev()
        .find(|task| task.message.starts_with("test"))
        .expect("a commit")
        .clone();
    assert_eq!(task.parents, [design]);
    assert_eq!(task.taken.expect("of the work").share, Share::Tests);
    let red = owed(&world.run).remove(0);
    let Effect::Trial(task) = red.effect else { panic!("{red:?}") };
    assert_eq!(task.check.commit, tests);
    assert_ne!(tests, world.issue().tip);
    world.play();
    let red = world.issue().red.clone().expect("it was seen");
    assert_eq!(
        (red.commit, red.exit_code, red.output_sha256.as_str()),
        (tests.clone(), Some(1), "output")
    );
    let work = world.saved.iter().find(|task| task.message.starts_with("feat")).expect("a commit");
    assert!(work.parents.contains(&tests), "what was red is in the history of the work");
    let evidence = world
        .saved
        .iter()
        .flat_map(|task| &task.appended)
        .find(|paper| paper.path.ends_with("red.jsonl"));
    let line: serde_json::Value =
        serde_json::from_str(&evidence.expect("a line").text).expect("JSON");
    assert_eq!(line["commit"], tests.to_string());
    assert_ne!(line["commit"], line["impl_sha"]);
}

#[test]
fn a9_tests_are_seen_red_once_as_long_as_they_stay_the_same() {
    let mut world = World::of(spec(Route::Full));
    world.failing = vec![vec!["a", "b"], vec!["a"], vec![]];
    let other = Survey { tests_sha256: Some("tests-2".to_owned()), ..honest() };
    world.left = vec![honest(), honest(), other];
    world.reach_the_work();
    world.play();
    let seen = world.facts_of().filter(|fact| matches!(fact, IssueFact::Red(_))).count();
    assert_eq!(seen, 2, "once for each set of tests");
    assert_eq!(world.gate(), Some(GateId::new("issue/merge")));
}

#[test]
fn a8_an_anchor_edited_in_the_very_try_that_would_converge_halts() {
    let files = [
        ("prd.md", "ac-drift"),
        ("user-stories.md", "ac-drift"),
        ("autopilot-prd.pin", "ac-drift"),
        ("autopilot-design.pin", "ac-drift"),
        ("autopilot-log.jsonl", "log-integrity"),
        ("red.jsonl", "gate-unverifiable"),
    ];
    for (name, reason) in files {
        let mut world = World::of(spec(Route::Full));
        let touched = vec![format!("docs/issues/42-greet/{name}")];
        world.left = vec![Survey { touched, ..honest() }];
        world.reach_the_work();
        world.play();
        assert_eq!(world.halted(), reason, "{name}");
        let last = &world.log()[world.log().len() - 2];
        assert_eq!(
            last["verdict"], "FAIL",
            "a20: the try is written down, and as none that passed"
        );
        let kept = world.saved.iter().any(|task| task.message.starts_with("feat"));
        assert!(!kept, "a20: nothing of it is committed");
        assert!(
            world.run.ending.as_ref().is_some_and(|ending| format!("{ending:?}").contains(reason))
        );
    }
}

#[test]
fn a9_a_test_that_is_weakened_after_it_was_red_halts_and_one_that_grows_does_not() {
    let before = "def test_ac_1():\n    assert greet() == 1\n    assert greet(2) == 2\n";
    let weaker = edit("tests/test_greet.py", before, "def test_ac_1():\n    assert greet() == 1\n");
    let more = format!("{before}\n\ndef test_ac_2():\n    assert greet(3) == 3\n");
    let grown = edit("tests/test_greet.py", before, &more);
    assert!(grown.edit.only_adds_tests && !weaker.edit.only_adds_tests);
    for (change, expected) in [(weaker, Some("gate-unverifiable")), (grown, None)] {
        let mut world = World::of(spec(Route::Full));
        let tests = vec!["tests/test_greet.py".to_owned()];
        let first = Survey { tests: tests.clone(), ..honest() };
        let second = Survey { tests_sha256: Some("tests-2".to_owned()), ..first.clone() };
        world.left = vec![first, second];
        world.failing = vec![vec!["a"], vec![]];
        world.requests = vec![vec![], vec![change]];
        world.reach_the_work();
        world.play();
        match expected {
            Some(reason) => assert_eq!(world.halted(), reason),
            None => assert_eq!(world.gate(), Some(GateId::new("issue/merge"))),
        }
    }
}

#[test]
fn a11_a_criterion_without_a_test_is_uncovered_and_nobody_is_paid_to_say_so() {
    let mut world = World::of(spec(Route::Full));
    let mut without = honest();
    without.tags.remove("AC-2");
    world.left = vec![without, honest()];
    world.reach_the_work();
    world.until("implement");
    let one = world.until("implement");
    world.step(&one);
    world.until("record");
    assert_eq!(world.issue().attempted.seen.uncovered, ["AC-2"]);
    assert!(!world.asked.iter().any(|task| task.role == Role::CoverageChecker));
    world.play();
    let told = &world
        .asked
        .iter()
        .rfind(|task| task.role == Role::Implementer)
        .expect("again")
        .brief
        .findings;
    assert!(told.iter().any(|finding| finding.contains("AC-2")), "{told:?}");
    assert_eq!(world.gate(), Some(GateId::new("issue/merge")));
}

#[test]
fn a11_whoever_checks_coverage_can_only_take_it_away_and_is_told_nothing_of_the_author() {
    let mut world = World::of(spec(Route::Full));
    world.coverage = json!({"allCovered": false, "uncovered": []});
    world.reach_the_work();
    world.play();
    assert_eq!(world.halted(), "sameness-detector", "it objects each time");
    let checker =
        world.asked.iter().find(|task| task.role == Role::CoverageChecker).expect("it was asked");
    assert_eq!(checker.brief.findings, [""; 0]);
    let issue = checker.brief.issue.as_ref().expect("it is told of the issue");
    assert_eq!(
        (issue.criteria.len(), issue.tests.as_slice()),
        (2, &["tests/greet.sh".to_owned()][..])
    );
    // Its consent alone proves nothing.
    let mut world = World::of(spec(Route::Full));
    world.left = vec![Survey { tags: [].into(), ..honest() }];
    world.reach_the_work();
    world.play();
    assert_eq!(world.halted(), "sameness-detector");
}

#[test]
fn a8_what_is_missing_or_pinned_otherwise_is_never_worked_on() {
    let mut world = World::of(spec(Route::Full));
    world.before.anchor = None;
    world.tell(Event::Tick);
    assert!(
        matches!(world.play(), Standing::Ended(Ending::Halted { why }) if why.starts_with("freeze-error"))
    );
    let mut world = World::of(spec(Route::Full));
    let pin = "docs/issues/42-greet/autopilot-prd.pin".to_owned();
    world.before.documents.insert(pin, "another\n".to_owned());
    world.tell(Event::Tick);
    assert!(
        matches!(world.play(), Standing::Ended(Ending::Halted { why }) if why.starts_with("anchor-pin-failed"))
    );
    assert_eq!(world.log().len(), 0, "neither is a finding about the work");
}

#[test]
fn a7_a_log_that_cannot_be_read_is_not_appended_to() {
    let mut world = World::of(spec(Route::Full));
    world.before.log.corrupt = Some("2 FAIL rows but 1 fingerprint".to_owned());
    world.tell(Event::Tick);
    assert!(matches!(world.play(), Standing::Ended(Ending::Halted { .. })));
}
