//! The lines of a run, as its facts come.

use autopilot_core::{
    budget::Spend,
    fact::{End, Ending, Fact},
    id::{AgentName, CommitId, GateId},
    input::{Answer, Failure, FailureClass, Repair, Strays, Work},
    phases::{Close, Held, PhaseFact, Stage},
    returns::Score,
    role::Role,
    time::Timestamp,
};

use crate::story::{Story, plan};

/// A title, a bell, a line of its own, a carriage return, a C1 sequence, text that runs backwards.
const EVIL: &str = "\u{1b}]0;x\u{7}\n[PASS] forged\r\u{9b}31m\u{85}\u{202e}fdp\u{2028}\u{200b}";

fn begun() -> Story {
    let mut story = Story::of(2);
    story.begin();
    story
}

fn at(stage: Stage) -> Story {
    let mut story = begun();
    story.tell(PhaseFact::Entered(stage));
    story
}

fn failed(class: FailureClass, detail: &str) -> End {
    End::Failed(Failure { class, detail: detail.to_owned() })
}

fn rejected() -> PhaseFact {
    PhaseFact::Entered(Stage::Reject("why".to_owned()))
}

fn score() -> Score {
    Score::floor(9.4).expect("a score")
}

#[test]
fn c49_a_phase_is_told_with_banners_and_steps() {
    let mut story = Story::of(2);
    let mut lines = story.begin();
    lines.extend(story.tell(PhaseFact::Entered(Stage::Research)));
    lines.extend(story.tell(PhaseFact::Entered(Stage::Rate)));
    lines.extend(story.tell(PhaseFact::Entered(Stage::Integrate(score()))));
    let commit = CommitId::new("c");
    let (waived, held) = (Vec::new(), Held::default());
    let close = Close::Completed {
        score: score(),
        commit,
        below_pass: false,
        suspect: false,
        waived,
        held,
        awaits: Vec::new(),
        unmarked: false,
    };
    lines.extend(story.tell(PhaseFact::Closed(close)));
    assert_eq!(
        lines,
        [
            "=== [PHASE 1/2] Part 1 ===",
            "[Phase 1] Step: PREFLIGHT (1/9)",
            "[Phase 1] [PASS] PREFLIGHT complete. (1s)",
            "[Phase 1] Step: RESEARCH (3/9)",
            "[Phase 1] [PASS] RESEARCH complete. (1s)",
            "[Phase 1] Step: RATE (9/9)",
            "[Phase 1] [PASS] RATE complete. (1s)",
            "=== [PHASE 1/2] Complete: 9.4/10 | 0s ===",
        ]
    );
}

#[test]
fn a_step_tells_what_it_cost_also_where_an_agent_counts_only_money() {
    let rows = [
        (0, 0, "(1s)"),
        (0, 420_000, "(1s, $0.42)"),
        (1_500, 0, "(1s, 1.5k tok, $0.00)"),
        (1_500, 420_000, "(1s, 1.5k tok, $0.42)"),
    ];
    for (tokens, micro_usd, expected) in rows {
        let mut story = at(Stage::Research);
        let spent = Spend { tokens, micro_usd, busy_ms: 5 };
        let lines = story.ended("1/research", End::Done, spent, &[PhaseFact::Entered(Stage::Plan)]);
        assert_eq!(lines[0], format!("[Phase 1] [PASS] RESEARCH complete. {expected}"));
    }
}

#[test]
fn a_step_that_failed_tells_what_really_follows() {
    let mut story = at(Stage::Rate);
    assert_eq!(
        story.tell(PhaseFact::Entered(Stage::Repair))[0],
        "[Phase 1] [FAIL] RATE failed; going back to VERIFY. (1s)"
    );
    let mut story = at(Stage::Verify);
    assert_eq!(
        story.tell(rejected()),
        ["[Phase 1] [FAIL] VERIFY failed; the phase is given up. (1s)"]
    );
    let close = Close::Failed { why: "why".to_owned(), branch: None };
    let closed = story.tell(PhaseFact::Closed(close));
    assert_eq!(closed, ["=== [PHASE 1/2] Failed: why | 0s ==="], "it is told once");
}

#[test]
fn a_failed_task_is_not_followed_by_a_green_word() {
    let mut story = at(Stage::Execute(0));
    story.tell(PhaseFact::TaskGivenUp { task: 0, why: "exit code 1".to_owned(), category: None });
    let lines = story.tell(PhaseFact::Entered(Stage::Replay));
    let expected = "[Phase 1] [FAIL] EXECUTE: 1 of 1 tasks failed; the phase is checked as it is. ";
    assert!(lines[0].starts_with(expected), "{lines:?}");
}

#[test]
fn work_that_cannot_be_integrated_does_not_blame_the_rater() {
    let mut story = at(Stage::Rate);
    story.tell(PhaseFact::Entered(Stage::Integrate(score())));
    let lines = story.ended(
        "1/integrate",
        failed(FailureClass::Engine, "no room"),
        Spend::default(),
        &[rejected()],
    );
    assert_eq!(
        lines,
        [
            "[FAIL] 1/integrate: no room (engine); that was the last try",
            "[Phase 1] [FAIL] its work cannot be put on the run branch; the phase is given up",
        ]
    );
}

#[test]
fn a_failed_attempt_tells_whether_another_one_comes() {
    let end = || failed(FailureClass::Crashed, "exit code 7");
    let mut story = at(Stage::Research);
    assert_eq!(
        story.ended("1/research", end(), Spend::default(), &[]),
        ["[FAIL] 1/research: exit code 7 (crashed); it is tried again"]
    );
    let lines = story.ended("1/research", end(), Spend::default(), &[rejected()]);
    assert_eq!(lines[0], "[FAIL] 1/research: exit code 7 (crashed); that was the last try");
    story.run.stopping = true;
    let lines = story.ended("1/research", end(), Spend::default(), &[]);
    assert_eq!(lines, ["[FAIL] 1/research: exit code 7 (crashed)"], "nothing follows now");
}

#[test]
fn a_plan_is_sent_back_until_no_round_is_left() {
    let issues = || vec!["no task".to_owned()];
    let mut story = at(Stage::Plan);
    let again = [PhaseFact::PlanSentBack { issues: issues() }, PhaseFact::Entered(Stage::Plan)];
    assert_eq!(story.tell_all(&again), ["[Phase 1] plan sent back: no task"]);
    let over = [PhaseFact::PlanSentBack { issues: issues() }, rejected()];
    assert_eq!(story.tell_all(&over)[0], "[Phase 1] no plan stood: no task");
}

/// Every kind of line that can hold words of others, with such words in it.
fn evil_lines() -> Vec<String> {
    let evil = || EVIL.to_owned();
    let mut story = Story::named(&[evil()]);
    let mut tasks = plan();
    tasks[0].name = evil();
    let mut lines = story.begin();
    lines.extend(story.tell_all(&[
        PhaseFact::PlanSentBack { issues: vec![evil()] },
        PhaseFact::Planned { tasks, remarks: Vec::new() },
        PhaseFact::Entered(Stage::Execute(0)),
        PhaseFact::Caught { who: Role::Executor, claim: evil(), seen: evil() },
        PhaseFact::TaskGivenUp { task: 0, why: evil(), category: None },
        PhaseFact::Verified {
            pass: false,
            failures: vec![evil()],
            unproven: Vec::new(),
            seen: autopilot_core::phases::VerificationSeen::default(),
        },
        PhaseFact::Verified {
            pass: true,
            failures: Vec::new(),
            unproven: vec![evil()],
            seen: autopilot_core::phases::VerificationSeen::default(),
        },
    ]));
    let (agent, gate) = (AgentName::new(evil()), GateId::new(evil()));
    let answer = Answer { approved: true, message: evil(), by: evil(), until: None };
    lines.extend(story.records(vec![
        Fact::Held { agent: agent.clone(), until: Timestamp::from_ms(0), why: evil() },
        Fact::Released { agent },
        Fact::Asked { gate: gate.clone(), question: evil() },
        Fact::Answered { gate, answer },
        Fact::Strays(strays(3, &[EVIL])),
        Fact::Repaired(Repair::TornTail { bytes: 5, kept: evil() }),
        Fact::Repaired(Repair::SnapshotIgnored { why: evil() }),
    ]));
    lines.extend(story.ended(EVIL, failed(FailureClass::Crashed, EVIL), Spend::default(), &[]));
    lines.extend(story.tell(PhaseFact::Closed(Close::Failed { why: evil(), branch: None })));
    for ending in [Ending::NoAgent { why: evil() }, Ending::Halted { why: evil() }] {
        lines.extend(story.records(vec![Fact::Finished(ending)]));
    }
    lines
}

#[test]
fn words_of_others_steer_no_terminal_and_never_look_like_a_line_of_their_own() {
    let lines = evil_lines();
    let held = lines.iter().filter(|line| line.contains("forged")).count();
    assert!(held >= 16, "only {held} of the lines hold them: {lines:#?}");
    for line in &lines {
        let steers = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{202e}' | '\u{200b}');
        assert!(!line.contains(steers), "{line:?}");
        assert!(!line.starts_with("[PASS]"), "{line:?}");
    }
}

fn strays(count: u32, names: &[&str]) -> Strays {
    let key = autopilot_core::id::Key {
        step: autopilot_core::id::Step::new("1/execute/1-01"),
        attempt: autopilot_core::id::Attempt::after(0),
    };
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    Strays { key, count, names, leaky: false }
}

#[test]
fn what_was_ended_or_cut_off_is_told_with_its_number() {
    let mut story = at(Stage::Execute(0));
    let told = story.records(vec![
        Fact::Strays(strays(1, &["sleep"])),
        Fact::Strays(strays(3, &["sleep", "node"])),
        Fact::Strays(Strays { leaky: true, ..strays(0, &[]) }),
        Fact::Repaired(Repair::TornTail { bytes: 5, kept: "/j/1.torn-9".to_owned() }),
        Fact::Repaired(Repair::SnapshotIgnored { why: "is damaged".to_owned() }),
    ]);
    assert_eq!(
        told,
        [
            "[ -- ] 1/execute/1-01 left 1 process behind, which was ended: sleep",
            "[ -- ] 1/execute/1-01 left 3 processes behind, which were ended: sleep, node, …",
            "[ -- ] 1/execute/1-01 left its output open in a process that was not found",
            "[ !! ] the journal ended with 5 bytes of a record that is not whole; they were cut off and are kept in \
             /j/1.torn-9",
            "[ !! ] the journal's snapshot is damaged; every record was read instead",
        ]
    );
}

#[test]
fn a_resumed_run_tells_where_it_stands_and_blames_nobody() {
    let resumed = || Fact::Resumed { limits: autopilot_core::budget::Limits::default() };
    let work = Work {
        commit: CommitId::new("w"),
        changed: true,
        requests: Vec::new(),
        said_done: true,
        grew: false,
        orphans: Vec::new(),
    };
    let mut story = at(Stage::PlanCheck(work));
    assert_eq!(
        story.records(vec![resumed()]),
        ["resumed run-1", "[Phase 1] Step: PLAN-CHECK (5/9)"]
    );
    let mut story = at(Stage::Verify);
    story.tell(rejected());
    assert_eq!(story.records(vec![resumed()]), ["resumed run-1"]);
}
