//! What the engine writes into the directory of a phase.

use serde_json::{Value, json};

use super::play;
use crate::{
    effect::{AgentTask, Effect, IntegrateTask, Owed, Paper},
    fact::Ending,
    id::CommitId,
    input::{Outcome, Work},
    phases::{PhaseFact, SentBack, is_out_of_bounds, is_paper, is_place_of_phases},
    report::{Span, SpanStatus},
    returns::exhausted,
    role::Role,
    story::{Story, checked, good},
};

/// An agent that could not go on and left something, or nothing.
fn gave_out(left: Option<&str>) -> Outcome {
    let work = left.map(|commit| {
        Box::new(Work {
            commit: CommitId::new(commit),
            changed: true,
            requests: Vec::new(),
            said_done: false,
            grew: false,
            orphans: Vec::new(),
        })
    });
    Outcome::Exhausted { work, why: "context_exhaustion: half done".to_owned() }
}

fn agent(owed: &Owed) -> &AgentTask {
    let Effect::Agent(task) = &owed.effect else { panic!("an agent is owed: {owed:?}") };
    task
}

fn remaining(text: &str) -> Vec<&str> {
    let (_, rest) = text.split_once("## Tasks Remaining").expect("a section");
    let (rows, _) = rest.split_once("\n## ").expect("another one");
    rows.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next()).skip(1).collect()
}

/// What a phase leaves when it is put on the run branch.
fn left(story: &mut Story) -> Vec<Paper> {
    let owed = story.until("integrate");
    let Effect::Integrate(IntegrateTask { papers, .. }) = owed.effect else { panic!("{owed:?}") };
    papers
}

fn named<'a>(papers: &'a [Paper], name: &str) -> &'a str {
    let found = papers.iter().find(|paper| paper.path == format!(".planning/phases/1-x/{name}"));
    found.map_or_else(|| panic!("no {name} in {papers:?}"), |paper| paper.text.as_str())
}

#[test]
fn c37_whoever_goes_on_begins_with_what_was_left_and_does_only_what_remains() {
    let mut story = Story::of(&[("1", &[])]);
    let first = story.until("execute/1");
    story.end(&first.key, gave_out(Some("half of it")));
    let next = story.start();
    assert_eq!(next.key.to_string(), "1/execute/1/2");
    let task = agent(&next);
    assert_eq!(task.base, CommitId::new("half of it"));
    let handover = task.handover.as_ref().expect("something was left");
    assert_eq!(handover.paper.path, ".planning/phases/1-x/HANDOFF.md");
    assert_eq!(task.brief.handoff.as_ref(), Some(&handover.paper.text));
    assert_eq!(remaining(&handover.paper.text), ["1", "2"]);
    story.end(&next.key, good(&next));

    let second = story.until("execute/2");
    assert_eq!(
        (agent(&second).handover.as_ref(), agent(&second).brief.handoff.as_ref()),
        (None, None)
    );
    story.end(&second.key, gave_out(Some("more of it")));
    let next = story.start();
    let text = &agent(&next).handover.as_ref().expect("something was left").paper.text;
    assert_eq!(remaining(text), ["2"]);
    assert!(text.contains("| 1 | COMPLETED | commit-of-work-of-1/execute/1/2 |"), "{text}");
    assert!(text.contains("Context exhaustion detected during execute"), "{text}");
    assert!(
        text.contains("## Files Modified (partial list)\n- a: task 1, as its plan says\n"),
        "{text}"
    );
    assert!(text.contains("- Last successful operation: execute: "), "{text}");
    let then = text.clone();
    story.end(&next.key, good(&next));
    // What is left on the run branch tells how things stood then, and not that all is done by now.
    assert_eq!(named(&left(&mut story), "HANDOFF.md"), then);
}

#[test]
fn c37_whoever_left_nothing_is_followed_by_someone_who_begins_anew() {
    let mut story = Story::of(&[("1", &[])]);
    for name in ["research", "execute/1", "verify"] {
        let owed = story.until(name);
        let base = agent(&owed).base.clone();
        story.end(&owed.key, gave_out(None));
        let next = story.start();
        assert_eq!((&agent(&next).base, &agent(&next).handover), (&base, &None), "{name}");
        story.end(&next.key, good(&next));
    }
    assert_eq!(story.finish(), Ending::Done);
}

#[test]
fn c37_three_in_a_row_are_enough() {
    let mut story = Story::of(&[("1", &[])]);
    play(&mut story, |name, _| (name == "execute/1").then(|| gave_out(Some("half of it"))));
    let tries = story.facts.iter().filter(|fact| {
        matches!(fact, crate::fact::Fact::Phase { fact: PhaseFact::HandedOff { .. }, .. })
    });
    assert_eq!(tries.count(), 3);
}

#[test]
fn c37_a_return_can_say_that_its_agent_could_not_go_on() {
    let word = "context_exhaustion: partial progress saved";
    for key in ["issues", "issues_detected"] {
        assert_eq!(exhausted(&json!({ key: ["other", word] })).as_deref(), Some(word));
    }
    for value in
        [json!({}), json!({"issues": ["no context_exhaustion here"]}), json!({"issues": word})]
    {
        assert_eq!(exhausted(&value), None, "{value}");
    }
}

#[test]
fn e15_the_log_of_a_phase_tells_each_task_from_what_was_seen() {
    let mut story = Story::of(&[("1", &[])]);
    let check = story.until("check/2");
    story.end(&check.key, checked(false));
    let papers = left(&mut story);
    let text = named(&papers, "EXECUTION-LOG.md");
    let tasks: Vec<&str> = text.split("\n## ").skip(1).collect();
    assert_eq!(tasks.len(), 2, "{text}");
    assert!(
        tasks[0].starts_with("Task 1: Do it\n- **Status:** COMPLETED\n- **Commit:** commit-of-")
    );
    assert!(tasks[0].contains("- **Debug attempts:** 0\n- `true`: passed\n"), "{text}");
    assert!(
        tasks[1].contains("- **Result:** PASS\n") && tasks[1].contains("attempts:** 1\n"),
        "{text}"
    );
}

#[test]
fn e15_a_task_that_was_given_up_is_told_with_its_reason() {
    let mut story = Story::of(&[("1", &[])]);
    let mut given_up = false;
    while !given_up {
        let owed = story.start_next();
        let is_check = owed.key.step.as_str() == "1/check/1";
        let facts = story.end(&owed.key, if is_check { checked(false) } else { good(&owed) });
        given_up = facts.iter().any(|fact| {
            matches!(fact, crate::fact::Fact::Phase { fact: PhaseFact::TaskGivenUp { .. }, .. })
        });
    }
    let papers = left(&mut story);
    let text = named(&papers, "EXECUTION-LOG.md");
    assert!(
        text.contains("Task 1: Do it\n- **Status:** FAILED\n- **Commit:** none\n- **Reason:** "),
        "{text}"
    );
    assert!(text.contains("- **Result:** FAIL\n"), "{text}");
}

#[test]
fn c35_every_step_has_spans_and_the_trace_is_all_of_them() {
    let mut story = Story::of(&[("1", &[])]);
    let check = story.until("check/1");
    story.end(&check.key, checked(false));
    let papers = left(&mut story);
    let steps: Vec<&Paper> =
        papers.iter().filter(|paper| paper.path.ends_with("-trace.jsonl")).collect();
    let names: Vec<&str> = steps
        .iter()
        .filter_map(|paper| paper.path.rsplit('/').next()?.strip_suffix("-trace.jsonl"))
        .collect();
    let expected = [
        "preflight",
        "triage",
        "research",
        "plan",
        "plan_check",
        "execute",
        "debug",
        "verify",
        "judge",
        "rate",
    ];
    assert_eq!(names, expected);
    let all: String = steps.iter().map(|paper| paper.text.as_str()).collect();
    assert_eq!(named(&papers, "TRACE.jsonl"), all);
    let spans: Vec<Span> =
        all.lines().map(|line| serde_json::from_str(line).expect("a span")).collect();
    assert!(spans.iter().all(|span| span.phase_id == "1" && !span.timestamp.is_empty()));
    let debug = spans.iter().find(|span| span.step == "debug").expect("a span");
    assert_eq!((debug.duration_ms, debug.status), (1_000, SpanStatus::Success));
    assert!(spans.iter().any(|span| span.input_summary == SentBack::TaskFix.name()));
    let keys: Vec<String> = serde_json::from_str::<Value>(all.lines().next().expect("a line"))
        .expect("JSON")
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    let expected = [
        "action",
        "duration_ms",
        "input_summary",
        "output_summary",
        "phase_id",
        "status",
        "step",
        "timestamp",
    ];
    assert_eq!(keys, expected);
}

#[test]
fn c35_a_trace_does_not_grow_without_end() {
    let mut log = crate::phases::Log::default();
    let span = |number: u32| Span {
        timestamp: String::new(),
        phase_id: "1".to_owned(),
        step: "plan".to_owned(),
        action: crate::report::Action::Decision,
        input_summary: number.to_string(),
        output_summary: "x".repeat(1_000),
        duration_ms: 0,
        status: SpanStatus::Success,
    };
    (0..2_000).for_each(|number| log.add(span(number)));
    assert_eq!((log.spans.len(), log.spans_left_out), (crate::phases::SPANS_MAX, 1_000));
    assert_eq!(log.spans[0].output_summary.len(), 200);
}

#[test]
fn e15_papers_are_told_from_other_files_by_their_place_and_name() {
    let is = |path: &str| is_paper("docs/1", path);
    assert!(
        is("docs/1/EXECUTION-LOG.md") && is("docs/1/HANDOFF.md") && is("docs/1/plan-trace.jsonl")
    );
    for name in ["TRIAGE.json", "RESEARCH.md", "VERIFICATION.md", "JUDGE-REPORT.md", "SCORECARD.md"]
    {
        assert!(is(&format!("docs/1/{name}")) && is(&format!("docs/1/1a/{name}")), "{name}");
    }
    assert!(!is("docs/1/PLAN.md") && !is("docs/12/HANDOFF.md") && !is("HANDOFF.md"));
    assert!(!is("docs/1/more/plan-trace.jsonl") && !is("docs/1/TRACE.jsonl.py"));
}

#[test]
fn e18_nobody_but_the_engine_writes_papers_and_nobody_but_the_planner_its_own_plan() {
    let own = ".planning/phases/1-x";
    let by = |role, path: &str| is_out_of_bounds(role, own, &format!(".planning/phases/{path}"));
    for path in [
        "1-x/EXECUTION-LOG.md",
        "1-x/SCORECARD.md",
        "1-x/rate-trace.jsonl",
        "1-x/TRIAGE.json/x",
        "1-x/1a/VERIFICATION.md",
        "2-y/RESEARCH.md",
        "2-y/PLAN.md",
        "1-x/1a/PLAN.md",
        "1-x/PLAN.md/x",
        "2-y/tests/task-2-01.sh",
        "1-x/1a/tests/task-1a-01.sh",
        "2-y/tests",
    ] {
        assert!(by(Role::Planner, path) && by(Role::Executor, path), "{path}");
    }
    assert!(by(Role::Executor, "1-x/PLAN.md") && by(Role::Debugger, "1-x/PLAN.md"));
    assert!(!by(Role::Planner, "1-x/PLAN.md"), "somebody has to write it");
    for path in ["1-x/tests/task-1-01.sh", "1-x/NOTES.md", "2-y/src/tests/a.py", "PLAN.md"] {
        assert!(!by(Role::Planner, path) && !by(Role::Executor, path), "{path}");
    }
    for path in ["PLAN.md", "docs/RESEARCH.md", "tests/a.sh", ".planning/PLAN.md"] {
        assert!(!is_out_of_bounds(Role::Executor, own, path), "{path}");
    }
    for path in [".planning", ".planning/phases", ".planning/phases/2-y"] {
        assert!(is_place_of_phases(path), "{path}");
    }
    assert!(
        !is_place_of_phases(".plan")
            && !is_place_of_phases(".planning/x")
            && !is_place_of_phases("")
    );
}
