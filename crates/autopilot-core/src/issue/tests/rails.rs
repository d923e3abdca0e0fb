//! How often the work is tried, and what ends it.

use super::*;

#[test]
fn a12_tests_seen_red_and_green_with_every_criterion_covered_converge() {
    let mut world = World::of(spec(Route::Full));
    world.reach_the_work();
    world.play();
    assert_eq!(world.gate(), Some(GateId::new("issue/merge")));
    let log = world.log();
    let steps: Vec<_> =
        log.iter().map(|line| (line["step"].as_str(), line["verdict"].as_str())).collect();
    assert_eq!(
        steps,
        [
            (Some("extracting-user-stories"), Some("PASS")),
            (Some("writing-plan-and-tests"), Some("PASS")),
            (Some("running-atdd-cycle"), Some("PASS")),
        ]
    );
    assert_eq!(log[0]["timestamp"].as_str().map(str::len), Some("2001-09-09T01:46:40Z".len()));
}

#[test]
fn a2_a19_each_try_is_one_line_in_a_commit_that_touches_the_log_alone() {
    let mut world = World::of(spec(Route::Full));
    world.failing = vec![vec!["a", "b"], vec!["a"], vec![]];
    world.reach_the_work();
    world.play();
    let audits: Vec<_> = world
        .saved
        .iter()
        .filter(|task| task.message.starts_with("chore(autopilot): audit"))
        .collect();
    assert_eq!(audits.len(), 5, "two of the design, three of the work");
    for task in audits {
        assert_eq!((task.taken.is_none(), task.papers.len(), task.appended.len()), (true, 0, 1));
        assert_eq!(task.appended[0].path, "docs/issues/42-greet/autopilot-log.jsonl");
        assert_eq!(task.appended[0].text.lines().count(), 1);
    }
    let iterations: Vec<_> = world.log().iter().map(|line| line["iteration"].as_u64()).collect();
    assert_eq!(iterations, [1, 1, 1, 2, 3].map(Some));
}

#[test]
fn a10_green_is_what_the_engine_saw_and_nobodys_word() {
    let mut world = World::of(spec(Route::Full));
    world.failing = never_the_same();
    world.reach_the_work();
    world.play();
    assert_eq!(world.halted(), "MAX_ITERATIONS", "every agent said that all is well");
    assert_eq!(world.gate(), None);
}

#[test]
fn a6_work_that_never_turns_green_is_tried_exactly_as_often_as_it_may() {
    let mut world = World::of(spec(Route::Full));
    world.failing = never_the_same();
    world.reach_the_work();
    world.play();
    let tried = world.asked.iter().filter(|task| task.role == Role::Implementer).count();
    assert_eq!(tried, 8);
    let log = world.log();
    assert_eq!(log[log.len() - 2]["iteration"], 8);
    assert_eq!(log[log.len() - 1]["outcome"], "HALT");
}

#[test]
fn a4_two_failures_that_are_the_same_halt_and_progress_is_not_the_same() {
    let mut world = World::of(spec(Route::Full));
    world.failing = vec![vec!["a", "b"], vec!["a"], vec!["a"]];
    world.reach_the_work();
    world.play();
    assert_eq!(world.halted(), "sameness-detector");
    assert_eq!(world.asked.iter().filter(|task| task.role == Role::Implementer).count(), 3);
    let mut coarse = World::of(IssueSpec { coarse: true, ..spec(Route::Full) });
    coarse.failing = vec![vec!["a", "b"], vec!["a"], vec![]];
    coarse.reach_the_work();
    coarse.play();
    assert_eq!(coarse.halted(), "sameness-detector", "the ancestor takes progress for sameness");
}

#[test]
fn a5_failures_that_come_back_halt() {
    let mut world = World::of(spec(Route::Full));
    world.failing = vec![vec!["a"], vec!["b"], vec!["a"], vec!["c"]];
    world.reach_the_work();
    world.play();
    assert_eq!(world.halted(), "stuck");
}

#[test]
fn a3_a_halt_is_one_json_line_that_names_what_is_open() {
    let mut world = World::of(spec(Route::Full));
    world.failing = vec![vec!["it's \"a\"\\"]];
    world.reach_the_work();
    world.play();
    let log = world.log();
    let halt = &log[log.len() - 1];
    assert_eq!(
        (halt["outcome"].as_str(), halt["step"].as_str()),
        (Some("HALT"), Some("running-atdd-cycle"))
    );
    assert_eq!(halt["findings_digest"], json!([{"priority": 0, "evidence_ref": "it's \"a\"\\"}]));
}

#[test]
fn a18_what_the_gates_found_is_what_the_next_try_begins_with() {
    let mut world = World::of(spec(Route::Full));
    world.failing = vec![vec!["adds", "greets"], vec![]];
    world.reach_the_work();
    world.play();
    let tries: Vec<_> = world.asked.iter().filter(|task| task.role == Role::Implementer).collect();
    assert_eq!(tries[0].brief.findings, [""; 0]);
    assert!(tries[1].brief.findings[0].contains("adds, greets"), "{:?}", tries[1].brief.findings);
}

#[test]
fn a4_failures_of_earlier_runs_still_count() {
    let fingerprint =
        Seen { failing: vec!["a".to_owned()], red: true, ..Seen::default() }.fingerprint(false);
    let mut world = World::of(spec(Route::Full));
    world.before.log = LogSeen {
        lines: 1,
        failures: [("running-atdd-cycle".to_owned(), vec![fingerprint])].into(),
        corrupt: None,
    };
    world.failing = vec![vec!["a"]];
    world.reach_the_work();
    world.play();
    assert_eq!(world.halted(), "sameness-detector");
    assert_eq!(world.asked.iter().filter(|task| task.role == Role::Implementer).count(), 1);
}

#[test]
fn a42_after_a_want_of_convergence_the_stronger_agent_implements_and_after_drift_it_does_not() {
    let drift = Survey { touched: vec!["docs/issues/42-greet/prd.md".to_owned()], ..honest() };
    for (left, failing, agent) in [
        (vec![honest()], vec![vec!["a"], vec!["a"], vec![]], "strong"),
        (vec![drift, honest()], vec![vec![]], "agent"),
    ] {
        let mut world = World::of(spec(Route::Full));
        (world.left, world.failing) = (left, failing);
        world.reach_the_work();
        assert!(matches!(world.play(), Standing::Ended(Ending::Halted { .. })));
        let limits = world.run.given.limits.clone();
        world.tell(Event::Resumed { observed: Vec::new(), limits });
        world.play();
        let last = world.asked.iter().rfind(|task| task.role == Role::Implementer).expect("again");
        assert_eq!(last.agent, AgentName::new(agent));
        assert_eq!(
            world.gate(),
            Some(GateId::new("issue/merge")),
            "it goes on after a person has looked"
        );
        let others: Vec<_> =
            world.asked.iter().filter(|task| task.role != Role::Implementer).collect();
        assert!(others.iter().all(|task| task.agent == AgentName::new("agent")));
    }
}

#[test]
fn e24_a_gate_that_was_red_before_is_put_before_a_person_and_not_repaired() {
    let mut world = World::of(spec(Route::Full));
    world.reach_the_work_until_base();
    let base = world.until("base");
    let Effect::Check(task) = &base.effect else { panic!("{base:?}") };
    assert_eq!(task.checks.len(), 1);
    world.tell(Event::Starting(base.key.clone()));
    let red = crate::story::checked(false);
    world.end(&base, red);
    assert!(matches!(&world.run.ending, Some(Ending::Halted { why }) if why.contains("is red")));
    assert!(!world.asked.iter().any(|task| task.role == Role::Implementer));
}

#[test]
fn e25_the_whole_gate_must_hold_before_the_last_gate() {
    let mut world = World::of(spec(Route::Full));
    world.full = vec![false, true];
    world.reach_the_work();
    world.play();
    assert_eq!(world.gate(), Some(GateId::new("issue/merge")));
    let tries: Vec<_> = world.asked.iter().filter(|task| task.role == Role::Implementer).collect();
    assert_eq!(tries.len(), 2);
    assert!(tries[1].brief.findings[0].contains("lint"), "{:?}", tries[1].brief.findings);
}
