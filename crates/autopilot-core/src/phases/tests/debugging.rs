//! Debug sessions: what a round finds out stays, and whoever goes on begins with what was to be done next.

use serde_json::{Value, json};

use crate::{
    budget::Ceiling,
    effect::{AgentTask, Effect},
    evidence::{CheckKind, CheckResult, Criterion, Verdict},
    fact::{Ending, Fact, Record},
    id::{CommitId, GateId},
    input::{AgentReport, Answer, Event, FailureClass, Observed, Outcome},
    phases::{DebugEnd, DebugGoal, DebugSession, DebugSpec},
    returns::Symptoms,
    role::Role,
    run::{Run, Standing, Work, WorkSpec, owed},
    story::{Story, failed, report},
};

fn spec(goal: DebugGoal) -> DebugSpec {
    DebugSpec {
        slug: "it-prints-nothing".to_owned(),
        trigger: "it prints \"nothing\"".to_owned(),
        symptoms: Symptoms { actual: "nothing is printed".to_owned(), ..Symptoms::default() },
        prefilled: false,
        known: Vec::new(),
        goal,
        reproduction: Some(Criterion::parse("the fault is gone -- verified by: `./greet`")),
    }
}

fn session_of(spec: DebugSpec) -> Story {
    let story = Story::of(&[]);
    let mut given = story.run.given.clone();
    given.work = WorkSpec::Debug(Box::new(spec));
    Story { run: Run::begin(story.now, &given), ..story }
}

fn session(story: &Story) -> &DebugSession {
    let Work::Phases(work) = &story.run.work;
    work.debug.as_deref().expect("it is a session")
}

fn shown(verdict: Verdict) -> Outcome {
    Outcome::Checked(vec![CheckResult {
        name: "debug/reproduction".to_owned(),
        kind: CheckKind::Criterion,
        criterion: "the fault is gone".to_owned(),
        command: Some("./greet".to_owned()),
        exit_code: Some(i32::from(!verdict.is_passed())),
        verdict,
        counts: None,
        ran: Vec::new(),
        output: String::new(),
        output_sha256: String::new(),
    }])
}

fn red() -> Outcome {
    shown(Verdict::Failed("exit code 1".to_owned()))
}

fn green() -> Outcome {
    shown(Verdict::Passed)
}

fn investigation(status: &str, next: &str) -> Value {
    json!({
        "status": status,
        "focus": {"hypothesis": format!("theory of {next}"), "next_action": next},
        "symptoms": {"actual": format!("rewritten by {next}"), "expected": format!("expected by {next}")},
        "eliminated": [{"hypothesis": format!("not {next}"), "evidence": "seen"}],
        "evidence": [{"checked": format!("file of {next}"), "found": "a line", "implication": "so"}],
        "resolution": {"root_cause": "the name is misspelt", "failure_category": "lint_failure", "fix": "spell it"},
        "question": "which language?",
    })
}

fn agent(story: &Story) -> AgentTask {
    let owed = story.owed();
    let Effect::Agent(task) = owed.effect else { panic!("an agent is owed: {owed:?}") };
    *task
}

/// Plays one round; `changed` tells whether it leaves a change.
fn round(story: &mut Story, status: &str, next: &str, changed: bool) -> Vec<Fact> {
    let owed = story.start();
    let word = json!({"fixed": status == "debug-complete", "session": investigation(status, next)});
    let mut outcome = report(Role::Debugger, &owed.key, word);
    if let Outcome::Agent(report) = &mut outcome
        && let AgentReport { work: Some(work), .. } = report.as_mut()
    {
        work.changed = changed;
    }
    story.end(&owed.key, outcome)
}

fn based(goal: DebugGoal) -> Story {
    let mut story = session_of(spec(goal));
    let base = story.begin();
    assert_eq!(base.key.step.as_str(), "debug/base");
    story.end(&base.key, red());
    story
}

/// Plays everything that is owed and is no agent's.
fn settle(story: &mut Story, check: impl Fn() -> Outcome) {
    while let Some(owed) = owed(&story.run).into_iter().next() {
        let outcome = match &owed.effect {
            Effect::Check(_) => check(),
            Effect::Commit(task) => Outcome::Committed(CommitId::new(format!("on-{}", task.work))),
            Effect::Integrate(task) => Outcome::Integrated(task.commit.clone()),
            _ => return,
        };
        story.tell(Event::Starting(owed.key.clone()));
        story.end(&owed.key, outcome);
    }
    story.tell(Event::Tick);
}

#[test]
fn c46_a_session_that_finds_and_repairs_the_cause_is_resolved() {
    let mut story = based(DebugGoal::FindAndFix);
    assert_eq!(session(&story).status(), "gathering");
    assert!(session(&story).to_markdown().contains("found: exit code 1\n"), "what is red is known");
    round(&mut story, "root-cause-found", "change line 3", false);
    assert_eq!(session(&story).status(), "fixing");
    round(&mut story, "debug-complete", "", true);
    assert_eq!(session(&story).status(), "verifying");
    settle(&mut story, green);
    assert_eq!(story.run.ending, Some(Ending::Done));
    let session = session(&story);
    assert_eq!(session.end(), Some(DebugEnd::Resolved));
    assert_eq!(session.file_name(), "resolved/it-prints-nothing.md");
    assert_eq!(session.resolution.verification, "red before and green now: `./greet`");
    assert_ne!(story.run_head(), &story.run.given.base, "the branch of the run has moved");
    let learning = session.learning().expect("it teaches something");
    assert!(
        learning.contains("### Debug session: it-prints-nothing -- lint_failure"),
        "{learning}"
    );
}

#[test]
fn c46_what_was_noticed_is_never_rewritten_and_what_was_found_is_only_added_to() {
    let mut story = based(DebugGoal::FindAndFix);
    round(&mut story, "investigating", "first", false);
    let gathered = session(&story).symptoms.clone();
    assert_eq!(gathered.actual, "nothing is printed", "what the person told stands");
    assert_eq!(gathered.expected, "expected by first", "what they left open is filled in");
    let (mut evidence, mut eliminated) = (Vec::new(), Vec::new());
    for next in ["second", "third"] {
        let before = session(&story);
        evidence.clone_from(&before.evidence);
        eliminated.clone_from(&before.eliminated);
        round(&mut story, "investigating", next, false);
        let now = session(&story);
        assert_eq!(now.symptoms, gathered);
        assert_eq!(now.focus.next_action, next);
        assert!(now.evidence.starts_with(&evidence) && now.evidence.len() > evidence.len());
        assert!(now.eliminated.starts_with(&eliminated) && now.eliminated.len() > eliminated.len());
    }
}

#[test]
fn c46_after_a_kill_the_next_round_begins_with_what_was_to_be_done_next() {
    let mut story = based(DebugGoal::FindAndFix);
    round(&mut story, "investigating", "read line 3", true);
    let under_way = story.start();
    let before = session(&story).clone();
    // All that is left of the engine is its journal.
    let mut records = vec![Record::new(
        story.run.submitted_at,
        Fact::Submitted(Box::new(story.run.given.clone())),
    )];
    records.extend(story.facts.iter().map(|fact| Record::new(story.now, fact.clone())));
    let mut folded = None;
    for record in &records {
        crate::run::fold(&mut folded, record).expect("it makes a run");
    }
    story.run = folded.expect("it has begun");
    let observed = vec![Observed {
        key: under_way.key.clone(),
        spent: crate::budget::Spend::default(),
        outcome: None,
    }];
    let limits = story.run.given.limits.clone();
    story.tell(Event::Resumed { observed, limits });
    let task = agent(&story);
    let told = task.brief.session.expect("it is told of the session");
    assert_eq!(told.next_action, "read line 3");
    assert!(told.file.contains("\nnext_action: read line 3\n"), "{}", told.file);
    assert_eq!(session(&story).symptoms, before.symptoms);
    assert_eq!(session(&story).rounds, 1, "a round that never ended found nothing out");
    assert!(
        task.base.as_str().starts_with("work-of-debug/investigate"),
        "it goes on with what was left"
    );
    assert_eq!(story.owed().key.attempt.number(), under_way.key.attempt.number() + 1);
}

#[test]
fn c46_who_is_only_to_find_the_cause_changes_nothing() {
    let mut story = based(DebugGoal::FindRootCauseOnly);
    round(&mut story, "debug-complete", "", true);
    let file = story.owed();
    let Effect::Commit(task) = &file.effect else { panic!("{file:?}") };
    assert_eq!((&task.work, &task.parent), (&story.run.given.base, &story.run.given.base));
    assert_eq!(task.papers[0].path, ".planning/debug/it-prints-nothing.md");
    settle(&mut story, || panic!("nothing is checked"));
    assert_eq!(session(&story).end(), Some(DebugEnd::Diagnosed));
    assert_eq!(session(&story).heading(), "ROOT CAUSE FOUND");
}

#[test]
fn c46_a_repair_that_does_not_hold_goes_back_to_looking_and_is_counted() {
    let mut story = based(DebugGoal::FindAndFix);
    for fixes in 1..=3 {
        round(&mut story, "debug-complete", "look again", true);
        let check = story.start();
        assert_eq!(check.key.step.as_str(), "debug/check");
        story.end(&check.key, red());
        assert_eq!((session(&story).fixes, session(&story).status()), (fixes, "investigating"));
        let last = session(&story).evidence.last().expect("it is evidence").what.clone();
        assert_eq!(
            (last.found.as_str(), last.implication.as_str()),
            ("exit code 1", "the repair does not hold")
        );
    }
    assert!(
        matches!(&story.run.ending, Some(Ending::Halted { why }) if why.contains("3 repairs did not hold"))
    );
    let limits = story.run.given.limits.clone();
    story.tell(Event::Resumed { observed: Vec::new(), limits });
    assert_eq!(agent(&story).brief.session.expect("told").next_action, "look again");
}

#[test]
fn c46_a_repair_without_a_change_is_none() {
    let mut story = based(DebugGoal::FindAndFix);
    round(&mut story, "debug-complete", "", false);
    assert_eq!(story.owed().key.step.as_str(), "debug/investigate");
    assert_eq!(session(&story).fixes, 1);
}

#[test]
fn c46_rounds_are_counted_and_a_person_may_let_it_go_on() {
    let mut story = based(DebugGoal::FindAndFix);
    let max = story.run.given.limits.debug_rounds;
    for _ in 0..max {
        assert_eq!(story.run.ending, None);
        round(&mut story, "investigating", "go on", false);
    }
    assert!(
        matches!(&story.run.ending, Some(Ending::Halted { why }) if why.contains("no end after 20 rounds") && why.contains("go on"))
    );
    let limits = story.run.given.limits.clone();
    story.tell(Event::Resumed { observed: Vec::new(), limits });
    round(&mut story, "investigating", "go on", false);
    assert_eq!((story.run.ending.clone(), session(&story).rounds), (None, 1));
}

#[test]
fn c46_a_person_is_asked_and_their_word_is_evidence() {
    let mut story = based(DebugGoal::FindAndFix);
    let facts = round(&mut story, "checkpoint-reached", "wait for it", false);
    let gate = GateId::new("debug/checkpoint-1");
    assert!(
        facts.contains(&Fact::Asked { gate: gate.clone(), question: "which language?".to_owned() })
    );
    assert!(matches!(story.run.standing(), Standing::Asking(_)));
    assert!(crate::phases::may_ask(&story.run, &gate));
    let answer =
        Answer { approved: true, message: "German".to_owned(), by: "me".to_owned(), until: None };
    story.tell(Event::Answered { gate, answer });
    let told = agent(&story).brief.session.expect("told").file;
    assert!(told.contains("  checked: what me says\n  found: yes German\n"), "{told}");
}

#[test]
fn c46_a_round_that_leaves_nobody_anything_to_go_on_with_does_not_count() {
    let mut story = based(DebugGoal::FindAndFix);
    for word in [
        json!({"fixed": true}),
        json!({"fixed": true, "session": {"status": "investigating"}}),
        json!({"fixed": true, "session": {"status": "debug-complete"}}),
    ] {
        let owed = story.start();
        story.end(&owed.key, report(Role::Debugger, &owed.key, word));
        assert_eq!(session(&story).rounds, 0);
    }
    assert!(
        matches!(&story.run.ending, Some(Ending::Halted { why }) if why.contains("malformed")),
        "{:?}",
        story.run.ending
    );
}

#[test]
fn c46_a_debugger_who_crashes_is_started_again_within_bounds() {
    let mut story = based(DebugGoal::FindAndFix);
    for _ in 0..story.run.given.limits.step_tries {
        assert_eq!(story.run.ending, None);
        let owed = story.start();
        story.end(&owed.key, failed(FailureClass::Crashed));
    }
    assert!(matches!(story.run.ending, Some(Ending::Halted { .. })));
}

#[test]
fn c46_the_budget_of_a_run_is_the_budget_of_a_session() {
    let mut story = based(DebugGoal::FindAndFix);
    // What was run on the base and each round have cost 100.
    story.run.given.limits.run_tokens = 300;
    round(&mut story, "investigating", "go on", false);
    round(&mut story, "investigating", "go on", false);
    let owed = story.owed();
    let facts = story.tell(Event::Starting(owed.key));
    assert_eq!(facts, [Fact::Finished(Ending::Ceiling(Ceiling::RunTokens))]);
}

#[test]
fn c46_what_agents_and_people_write_cannot_begin_a_section() {
    let mut story = based(DebugGoal::FindAndFix);
    round(&mut story, "investigating", "x\n## Symptoms\nactual: \u{1b}[31mforged", false);
    let file = session(&story).to_markdown();
    assert_eq!(file.matches("\n## Symptoms\n").count(), 1, "{file}");
    assert!(
        !file.contains('\u{1b}') && file.contains("trigger: \"it prints \\\"nothing\\\"\""),
        "{file}"
    );
    let sections: Vec<&str> = file.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(
        sections,
        ["## Current Focus", "## Symptoms", "## Eliminated", "## Evidence", "## Resolution"]
    );
}

#[test]
fn c46_without_anything_to_run_the_session_begins_with_the_debugger() {
    let mut story =
        session_of(DebugSpec { reproduction: None, ..spec(DebugGoal::FindRootCauseOnly) });
    assert_eq!(story.begin().key.step.as_str(), "debug/investigate");
}
