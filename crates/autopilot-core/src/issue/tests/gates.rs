//! What a person is asked, and what follows from their word.

use super::*;

#[test]
fn a21_an_issue_passes_three_gates_and_is_done_when_the_third_is_approved() {
    let mut world = World::of(spec(Route::Full));
    world.tell(Event::Tick);
    let mut gates = Vec::new();
    let mut standing = world.play();
    while let Standing::Asking(open) = &standing {
        gates.extend(open.iter().map(ToString::to_string));
        standing = world.say(true, "ok");
    }
    assert_eq!(gates, ["issue/requirements", "issue/design", "issue/merge"]);
    assert_eq!(standing, Standing::Ended(Ending::Done));
    let approved: Vec<_> = world
        .issue()
        .approvals
        .iter()
        .map(|(gate, by, what)| (*gate, by.as_str(), what.as_str()))
        .collect();
    assert_eq!(approved[0], (IssueGate::Requirements, "a person", "anchor-of-requirements"));
    assert_eq!(approved.len(), 3, "each is a fact with who and what");
}

#[test]
fn a15_the_work_never_begins_before_the_design_is_approved() {
    let mut world = World::of(spec(Route::Full));
    world.tell(Event::Tick);
    world.play();
    world.say(true, "");
    assert_eq!(world.gate(), Some(GateId::new("issue/design")));
    let roles: Vec<Role> = world.asked.iter().map(|task| task.role).collect();
    assert_eq!(roles, [Role::StoryWriter, Role::IssuePlanner]);
    assert_eq!(owed(&world.run), [], "nothing is owed while a person is asked");
}

#[test]
fn a16_a23_a_refused_design_goes_back_whole_with_each_section_verbatim() {
    let mut world = World::of(spec(Route::Full));
    world.tell(Event::Tick);
    world.play();
    world.say(true, "");
    assert!(world.question().contains("which language?"), "e23: what only a person can decide");
    assert!(world.question().contains("plan.md:1 ## A decision"), "a24: {}", world.question());
    let comment =
        "User Stories: one is missing\nPlan: P2 too \"long\"\nAcceptance Tests: none fails";
    world.say(false, comment);
    assert_eq!(world.gate(), Some(GateId::new("issue/design-2")));
    let roles: Vec<Role> = world.asked.iter().map(|task| task.role).collect();
    assert_eq!(
        roles,
        [Role::StoryWriter, Role::IssuePlanner, Role::StoryWriter, Role::IssuePlanner]
    );
    for task in &world.asked[2..] {
        assert_eq!(
            task.brief.findings,
            [
                "[P0] User Stories: one is missing",
                "[P2] Plan: P2 too \"long\"",
                "[P0] Acceptance Tests: none fails",
            ]
        );
    }
    let question = world.question();
    assert!(question.contains("@@ -1 +1 @@\n-before\n+after"), "a24: {question}");
    assert!(question.contains("User Stories: one is missing"), "{question}");
    assert_eq!(world.log().len(), 4, "each try is written down, and tries are counted anew");
    assert_eq!(world.log()[2]["iteration"], 1);
}

#[test]
fn a22_an_answer_that_is_not_plainly_ok_refuses_at_every_gate() {
    for message in ["stories ok / plan not", "OK?"] {
        let mut world = World::of(spec(Route::Full));
        world.tell(Event::Tick);
        world.play();
        world.say(true, "ok");
        world.say(true, message);
        assert_eq!(world.gate(), Some(GateId::new("issue/design-2")), "{message}");
        assert!(!world.asked.iter().any(|task| task.role == Role::Implementer));
    }
}

#[test]
fn a17_a_refused_merge_begins_the_work_anew_with_what_was_said() {
    let mut world = World::of(spec(Route::Full));
    world.reach_the_work();
    world.play();
    assert!(world.question().contains("@@ -1 +1 @@"), "e22: the merge gate shows the change");
    world.say(false, "it greets too loudly");
    assert_eq!(world.gate(), Some(GateId::new("issue/merge-2")));
    let last = world.asked.iter().rfind(|task| task.role == Role::Implementer).expect("again");
    assert_eq!(last.brief.findings, ["[P0] it greets too loudly"]);
    world.say(true, "");
    assert_eq!(world.run.ending, Some(Ending::Done));
}

#[test]
fn refused_requirements_end_the_run_and_nobody_is_paid() {
    let mut world = World::of(spec(Route::Full));
    world.tell(Event::Tick);
    world.play();
    assert_eq!(world.say(false, "not like this"), Standing::Ended(Ending::Incomplete));
    assert_eq!(world.asked.len(), 0);
}

#[test]
fn a17_a_halted_issue_is_taken_up_with_what_was_open() {
    let mut world = World::of(spec(Route::Full));
    world.failing = vec![vec!["a"], vec!["a"], vec![]];
    world.reach_the_work();
    world.play();
    let limits = world.run.given.limits.clone();
    world.tell(Event::Resumed { observed: Vec::new(), limits });
    world.play();
    let last = world.asked.iter().rfind(|task| task.role == Role::Implementer).expect("again");
    assert!(
        last.brief.findings.iter().any(|finding| finding.contains("Failing: a")),
        "{:?}",
        last.brief.findings
    );
}

#[test]
fn an_answer_that_comes_before_its_question_counts() {
    let mut world = World::of(spec(Route::Full));
    for gate in ["requirements", "design", "merge"] {
        let gate = GateId::new(format!("issue/{gate}"));
        assert!(crate::phases::may_ask(&world.run, &gate));
        let answer =
            Answer { approved: true, message: String::new(), by: "p".to_owned(), until: None };
        world.tell(Event::Answered { gate, answer });
    }
    assert!(!crate::phases::may_ask(&world.run, &GateId::new("issue/other")));
    assert!(crate::phases::may_ask(&world.run, &GateId::new("issue/design-2")));
    world.tell(Event::Tick);
    assert_eq!(world.play(), Standing::Ended(Ending::Done));
    assert!(!world.facts.iter().any(|fact| matches!(fact, Fact::Asked { .. })));
}

#[test]
fn a40_a_queue_that_a_person_curates_answers_the_gates_and_they_are_still_three() {
    let mut world = World::of(IssueSpec { handed_off: true, ..spec(Route::Full) });
    world.tell(Event::Tick);
    assert_eq!(world.play(), Standing::Ended(Ending::Done));
    let gates: Vec<IssueGate> = world.issue().approvals.iter().map(|(gate, _, _)| *gate).collect();
    assert_eq!(gates, IssueGate::ALL);
    assert!(!world.facts.iter().any(|fact| matches!(fact, Fact::Asked { .. })));
}

#[test]
fn the_branch_of_the_run_is_brought_forward_before_a_person_is_asked() {
    let mut world = World::of(spec(Route::Full));
    world.reach_the_work();
    assert_ne!(world.issue().head, CommitId::new("base"));
    world.play();
    assert_eq!(world.run.work.head(), &world.issue().tip, "what is asked about can be looked at");
}
