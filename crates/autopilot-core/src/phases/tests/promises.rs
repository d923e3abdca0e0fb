//! What a phase has proven stays proven, whatever comes after it.

use super::steps;
use crate::{
    effect::{Effect, Owed},
    evidence::{Check, CheckKind, CheckResult, Criterion, Verdict},
    fact::{Ending, Fact},
    id::GateId,
    input::{Answer, Event, Outcome},
    phases::{PhaseFact, Stage},
    run::{Work, owed},
    story::{Story, good},
};

/// Phases with a criterion each.
fn promising(phases: &[(&str, &[&str])]) -> Story {
    let mut story = Story::of(phases);
    let Work::Phases(work) = &mut story.run.work else { panic!("it has phases") };
    for phase in &mut work.list {
        let text = format!("it works -- verified by: `test -e {}`", phase.spec.id);
        phase.spec.criteria = vec![Criterion::parse(&text)];
    }
    story
}

/// Lets everything go well, except for the checks that `fails` names in a step.
fn play(story: &mut Story, mut fails: impl FnMut(&Owed, &str) -> bool) -> Ending {
    story.tell(Event::Tick);
    while story.run.ending.is_none() {
        if owed(&story.run).is_empty() {
            story.tell(Event::Tick);
            continue;
        }
        let owed = story.start();
        let outcome = match &owed.effect {
            Effect::Check(task) => {
                let result = |check: &Check| result(&owed, check, fails(&owed, &check.name));
                Outcome::Checked(task.checks.iter().map(result).collect())
            }
            _ => good(&owed),
        };
        story.end(&owed.key, outcome);
    }
    story.run.ending.clone().expect("it has ended")
}

fn result(owed: &Owed, check: &Check, fails: bool) -> CheckResult {
    let step = owed.key.step.as_str();
    let before = step.ends_with("/triage") || step.ends_with("/baseline");
    let red = fails || before && check.kind == CheckKind::Criterion;
    CheckResult {
        name: check.name.clone(),
        kind: check.kind,
        criterion: check.criterion.text.clone(),
        command: check.criterion.command.clone(),
        verdict: if red { Verdict::Failed("exit code 1".to_owned()) } else { Verdict::Passed },
        exit_code: Some(i32::from(red)),
        counts: None,
        ran: Vec::new(),
        output: String::new(),
        output_sha256: String::new(),
    }
}

fn is_step(owed: &Owed, name: &str) -> bool {
    owed.key.step.as_str() == name
}

fn last_checks(story: &Story) -> Option<Vec<(String, bool)>> {
    story.facts.iter().rev().find_map(|fact| match fact {
        Fact::Rechecked { entries } => {
            Some(entries.iter().map(|entry| (entry.name.clone(), entry.stands())).collect())
        }
        _ => None,
    })
}

#[test]
fn the_criteria_of_earlier_phases_are_checked_once_on_the_final_result() {
    let mut story = promising(&[("1", &[]), ("2", &[]), ("3", &[])]);
    assert_eq!(play(&mut story, |_, _| false), Ending::Done);
    let held = [("1/1".to_owned(), true), ("2/1".to_owned(), true)];
    assert_eq!(last_checks(&story).expect("they were checked"), held);
    assert_eq!(steps(&story).iter().filter(|step| *step == "recheck").count(), 1);
}

#[test]
fn a_run_of_one_phase_has_nothing_to_check_again() {
    let mut story = promising(&[("1", &[])]);
    assert_eq!(play(&mut story, |_, _| false), Ending::Done);
    assert_eq!(last_checks(&story), None);
}

#[test]
fn a_run_whose_later_phase_broke_an_earlier_one_is_not_done_until_a_person_waives_it() {
    let mut story = promising(&[("1", &[]), ("2", &[])]);
    let broken = |owed: &Owed, check: &str| is_step(owed, "run/recheck") && check == "1/1";
    assert_eq!(play(&mut story, broken), Ending::Incomplete);
    let work = story.run.work.phases();
    let id = work.list[0].spec.id;
    assert_eq!(work.broken(&id).count(), 1);
    assert!(story.run.has_broken_promises());

    let answer = Answer {
        approved: true,
        message: "replaced by phase 2".to_owned(),
        by: "ada".to_owned(),
        until: None,
    };
    let limits = story.run.given.limits.clone();
    story.tell(Event::Resumed { observed: Vec::new(), limits });
    assert_eq!(story.run.ending, None, "there is something to look at again");
    story.tell(Event::Answered { gate: GateId::waiver("1/1"), answer });
    assert_eq!(play(&mut story, broken), Ending::Done);
}

#[test]
fn a_phase_must_keep_what_the_phases_it_builds_on_have_proven() {
    let mut story = promising(&[("1", &[]), ("2", &["1"])]);
    let ending = play(&mut story, |owed, check| is_step(owed, "2/replay") && check == "1/1");
    assert_eq!(ending, Ending::Done);
    let repaired = story
        .facts
        .iter()
        .any(|fact| matches!(fact, Fact::Phase { fact: PhaseFact::Entered(Stage::Repair), .. }));
    assert!(repaired, "it was sent back to be repaired");
    let finding = story.facts.iter().find_map(|fact| match fact {
        Fact::Phase { fact: PhaseFact::SentBack { findings, .. }, .. } => findings.first(),
        _ => None,
    });
    let finding = finding.expect("it was told what is broken");
    assert!(finding.contains("held before this phase and is broken now"), "{finding}");
}

#[test]
fn a_phase_that_depends_on_nothing_is_not_slowed_down_by_the_others() {
    let mut story = promising(&[("1", &[]), ("2", &[])]);
    let mut asked = Vec::new();
    play(&mut story, |owed, check| {
        if let (Effect::Check(_), false) = (&owed.effect, is_step(owed, "run/recheck")) {
            let phase = owed.key.step.as_str().split('/').next().unwrap_or_default();
            asked.push((phase.to_owned(), check.to_owned()));
        }
        false
    });
    let of_others =
        asked.iter().filter(|(phase, check)| !check.starts_with(&format!("{phase}/"))).count();
    assert_eq!(of_others, 0, "{asked:?}");
}
