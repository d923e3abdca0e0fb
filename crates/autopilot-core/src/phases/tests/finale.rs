//! The look at the result as a whole.

use serde_json::{Value, json};

use super::steps;
use crate::{
    effect::Effect,
    fact::{Ending, Fact},
    id::{Attempt, CommitId, Key, Step},
    input::{Event, FailureClass, Outcome},
    phases::{FinaleFact, Gap},
    role::Role,
    run::owed,
    story::{Story, audit, checked, failed, good, report},
};

fn audited(phases: &[(&str, &[&str])]) -> Story {
    let story = Story::of(phases);
    let mut given = story.run.given.clone();
    given.manner.audit = true;
    Story { run: crate::run::Run::begin(story.now, &given), ..story }
}

/// Plays to the end. `act` is asked for the outcome of each step of the run itself, with how often it came before.
fn play(story: &mut Story, mut act: impl FnMut(&str, u32) -> Option<Outcome>) -> Ending {
    for _ in 0..500 {
        if let Some(ending) = &story.run.ending {
            return ending.clone();
        }
        if owed(&story.run).is_empty() {
            story.tell(Event::Tick);
            continue;
        }
        let owed = story.start();
        let name = owed.key.step.as_str();
        let own = name.strip_prefix("run/").map(str::to_owned);
        let outcome = own.and_then(|name| act(&name, owed.key.attempt.number()));
        story.end(&owed.key, outcome.unwrap_or_else(|| good(&owed)));
    }
    panic!("it does not end: {:?}", steps(story));
}

fn any() -> Key {
    Key { step: Step::new("run/audit"), attempt: Attempt::after(0) }
}

fn auditor(word: Value) -> Outcome {
    report(Role::Auditor, &any(), word)
}

fn own_steps(story: &Story) -> Vec<String> {
    let own = |fact: &Fact| match fact {
        Fact::Ended { key, .. } => key.step.as_str().strip_prefix("run/").map(str::to_owned),
        _ => None,
    };
    story.facts.iter().filter_map(own).collect()
}

fn remaining(story: &Story) -> Vec<&Gap> {
    let work = story.run.work.phases();
    work.finale.remaining().collect()
}

#[test]
fn c41_a_finished_run_is_looked_at_as_a_whole_before_it_ends() {
    let mut story = audited(&[("1", &[]), ("2", &[])]);
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
    assert_eq!(own_steps(&story), ["integration-check", "audit", "recheck"]);

    let mut story = audited(&[("1", &[])]);
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
    assert_eq!(own_steps(&story), ["audit"], "one phase alone has nothing to work together with");

    let mut story = Story::of(&[("1", &[])]);
    assert_eq!(story.finish(), Ending::Done);
    assert_eq!(own_steps(&story), [""; 0], "nobody wanted it");
}

#[test]
fn c41_those_who_look_are_told_what_was_asked_for_and_no_opinion() {
    let mut story = audited(&[("1", &[]), ("2", &[])]);
    for name in ["run/integration-check", "run/audit"] {
        let owed = story.until(name);
        let Effect::Agent(task) = &owed.effect else { panic!("an agent is owed") };
        let ids: Vec<&str> = task.brief.delivered.iter().map(|phase| phase.id.as_str()).collect();
        assert_eq!(ids, ["1", "2"]);
        assert_eq!((task.brief.roadmap.as_str(), task.phase), ("ROADMAP.md", None));
        assert_eq!((task.brief.findings.len(), task.brief.missing.len()), (0, 0));
        assert_eq!(&task.base, story.run_head());
        story.end(&owed.key, good(&owed));
    }
}

#[test]
fn c41_a_gap_that_is_closed_in_the_second_cycle_is_closed() {
    let mut story = audited(&[("1", &[])]);
    let ending = play(&mut story, |name, attempt| match (name, attempt) {
        ("audit", 1 | 2) => Some(auditor(audit(&["second"]))),
        _ => None,
    });
    assert_eq!(ending, Ending::Done);
    let cycle = ["gap-base", "gap/1/execute", "gap/1/check", "gap/1/commit", "gap/1/integrate"];
    let expected: Vec<&str> = ["audit"]
        .into_iter()
        .chain(cycle)
        .chain(["audit"])
        .chain(cycle)
        .chain(["audit", "recheck"])
        .collect();
    assert_eq!(own_steps(&story), expected);
    assert_eq!(story.run_head(), &CommitId::new("commit-of-work-of-run/gap/1/execute/2"));
    assert!(remaining(&story).is_empty());
}

#[test]
fn c41_what_is_still_missing_after_two_cycles_is_told_and_the_run_is_not_done() {
    let mut story = audited(&[("1", &[])]);
    let ending = play(&mut story, |name, _| (name == "audit").then(|| auditor(audit(&["second"]))));
    assert_eq!(ending, Ending::Incomplete);
    let count = |wanted: &str| own_steps(&story).iter().filter(|name| *name == wanted).count();
    assert_eq!((count("audit"), count("gap/1/execute")), (3, 2), "two re-audits and no more");
    let [gap] = remaining(&story)[..] else { panic!("one gap stays") };
    assert_eq!((gap.requirement.as_str(), gap.commits.len()), ("second", 2));
}

#[test]
fn c41_a_repair_that_breaks_something_is_not_taken_and_the_next_one_is_told_why() {
    let mut story = audited(&[("1", &[])]);
    let mut told = Vec::new();
    story.tell(Event::Tick);
    while story.run.ending.is_none() {
        if owed(&story.run).is_empty() {
            story.tell(Event::Tick);
            continue;
        }
        let owed = story.start();
        let name = owed.key.step.as_str().to_owned();
        if let ("run/gap/1/execute", Effect::Agent(task)) = (name.as_str(), &owed.effect) {
            told.push((task.brief.findings.clone(), task.base.clone()));
        }
        let outcome = match (name.as_str(), owed.key.attempt.number()) {
            ("run/audit", 1) => auditor(audit(&["second"])),
            ("run/gap-base", _) => checked(true),
            ("run/gap/1/check", 1) => checked(false),
            _ => good(&owed),
        };
        story.end(&owed.key, outcome);
    }
    assert_eq!(story.run.ending, Some(Ending::Done));
    let audits = own_steps(&story).iter().filter(|name| *name == "audit").count();
    assert_eq!(audits, 2, "nobody is paid to look again where nothing has changed");
    assert_eq!(told.len(), 2);
    assert!(told[0].0.is_empty() && told[1].0[0].contains("1/1 held before it"), "{told:?}");
    assert_eq!(told[0].1, told[1].1, "the refused repair was never on the branch");
}

#[test]
fn c41_a_gate_that_was_red_before_does_not_stand_against_a_repair() {
    let mut story = audited(&[("1", &[])]);
    let red = || {
        let Outcome::Checked(mut results) = checked(false) else { panic!("results") };
        results[0].kind = crate::evidence::CheckKind::Guard;
        Outcome::Checked(results)
    };
    let ending = play(&mut story, |name, attempt| match (name, attempt) {
        ("audit", 1) => Some(auditor(audit(&["second"]))),
        ("gap-base" | "gap/1/check", _) => Some(red()),
        _ => None,
    });
    assert_eq!(ending, Ending::Done);
}

#[test]
fn c41_where_the_phases_do_not_work_together_that_is_a_gap_too() {
    let mut story = audited(&[("1", &[]), ("2", &[])]);
    let word = json!({"pass": false, "issues": ["a.py:3 calls what b.py does not have"]});
    let mut missing = Vec::new();
    story.tell(Event::Tick);
    while story.run.ending.is_none() {
        if owed(&story.run).is_empty() {
            story.tell(Event::Tick);
            continue;
        }
        let owed = story.start();
        let outcome = match (owed.key.step.as_str(), &owed.effect) {
            ("run/integration-check", _) => {
                report(Role::IntegrationChecker, &owed.key, word.clone())
            }
            ("run/audit", Effect::Agent(task)) => {
                missing.push(task.brief.missing.len());
                good(&owed)
            }
            _ => good(&owed),
        };
        story.end(&owed.key, outcome);
    }
    assert_eq!(story.run.ending, Some(Ending::Done));
    assert_eq!(missing, [0, 1], "the first look is at everything, the second at what was missing");
}

#[test]
fn c41_a_gap_that_is_not_mentioned_again_stays() {
    let mut story = audited(&[("1", &[])]);
    let silent = json!({"audit_results": [{"phase_id": "1", "requirements_checked": [
        {"requirement_id": "another", "status": "pass", "file_line_evidence": "a:1"}
    ]}]});
    let ending = play(&mut story, |name, attempt| match (name, attempt) {
        ("audit", 1) => Some(auditor(audit(&["second"]))),
        ("audit", _) => Some(auditor(silent.clone())),
        _ => None,
    });
    assert_eq!(ending, Ending::Incomplete);
    assert_eq!(remaining(&story).len(), 1);
}

#[test]
fn c41_an_audit_that_did_not_look_or_contradicts_itself_is_asked_for_again() {
    let unseen = json!({"audit_results": [{"phase_id": "1", "requirements_checked": [
        {"requirement_id": "first", "status": "pass"}
    ]}]});
    let unsaid = json!({"audit_results": [{"phase_id": "1", "requirements_checked": [
        {"requirement_id": "first", "status": "gap", "gap_description": " "}
    ]}]});
    let mut miscounted = audit(&["second"]);
    miscounted["aggregate"] = json!({"gaps_found": 0});
    for word in [json!({"audit_results": []}), unseen, unsaid, miscounted] {
        let mut story = audited(&[("1", &[])]);
        let ending = play(&mut story, |name, attempt| {
            (name == "audit" && attempt == 1).then(|| auditor(word.clone()))
        });
        assert_eq!((ending, story.run.retries), (Ending::Done, 1), "{word}");
    }
}

#[test]
fn c41_a_run_that_nobody_could_look_at_halts_and_resumes_there() {
    let mut story = audited(&[("1", &[])]);
    let ending =
        play(&mut story, |name, _| (name == "audit").then(|| failed(FailureClass::Crashed)));
    assert!(
        matches!(&ending, Ending::Halted { why } if why.contains("nobody could look")),
        "{ending:?}"
    );
    let limits = story.run.given.limits.clone();
    story.tell(Event::Resumed { observed: Vec::new(), limits });
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
}

#[test]
fn c41_without_a_check_nothing_is_changed_on_somebodys_word() {
    let story = audited(&[("1", &[])]);
    let mut given = story.run.given.clone();
    let crate::run::WorkSpec::Phases(specs) = &mut given.work else { panic!("it has phases") };
    specs[0].criteria.clear();
    let mut story = Story { run: crate::run::Run::begin(story.now, &given), ..story };
    let ending = play(&mut story, |name, _| (name == "audit").then(|| auditor(audit(&["second"]))));
    assert_eq!((ending, own_steps(&story)), (Ending::Incomplete, vec!["audit".to_owned()]));
}

#[test]
fn c41_more_gaps_than_are_told_apart_are_one_more() {
    let names: Vec<String> = (0..50).map(|number| format!("r{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut story = audited(&[("1", &[])]);
    let owed = story.until("run/audit");
    let facts = story.end(&owed.key, auditor(audit(&names)));
    let gaps = facts.iter().find_map(|fact| match fact {
        Fact::Finale(FinaleFact::Audited { gaps, .. }) => Some(gaps),
        _ => None,
    });
    let last = gaps.and_then(|gaps| gaps.last()).expect("gaps were found");
    assert_eq!(gaps.map(Vec::len), Some(20));
    assert!(last.what.starts_with("31 more: r19, r20"), "{last:?}");
}
