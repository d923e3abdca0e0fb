//! How pages look: an enhancement, and no gate.

use serde_json::{Value, json};

use super::{sent_back, steps};
use crate::{
    effect::Effect,
    fact::{Ending, Fact},
    input::{FailureClass, Outcome},
    phases::{PhaseFact, Route, Shot, Shots, Visual, VisualSeverity, fact::SentBack},
    returns::Score,
    role::Role,
    run::{Run, owed},
    story::{Story, failed, good, rating, report},
};

fn visual() -> Visual {
    Visual {
        launch_command: Some("npm run dev".to_owned()),
        launch_wait_ms: 5_000,
        base_url: "http://localhost:3000".to_owned(),
        screenshot_dir: ".planning/screenshots".to_owned(),
        routes: vec![Route { path: "/".to_owned(), name: "home".to_owned(), wait_ms: 2_000 }],
        viewport: (1280, 720),
        program: None,
        only: None,
    }
}

fn looked_at(only: Option<&str>) -> Story {
    let story = Story::of(&[("1", &[])]);
    let mut given = story.run.given.clone();
    let only = only.map(|id| vec![id.parse().expect("an id")]);
    given.visual = Some(Visual { only, ..visual() });
    Story { run: Run::begin(story.now, &given), ..story }
}

/// Plays to the end; `act` is asked for the outcome of each step, with how often it came before.
fn play(story: &mut Story, mut act: impl FnMut(&str, u32) -> Option<Outcome>) -> Ending {
    for _ in 0..500 {
        if let Some(ending) = &story.run.ending {
            return ending.clone();
        }
        if owed(&story.run).is_empty() {
            story.tell(crate::input::Event::Tick);
            continue;
        }
        let owed = story.start();
        let name = owed.key.step.as_str().rsplit('/').next().unwrap_or_default().to_owned();
        let outcome = act(&name, owed.key.attempt.number());
        story.end(&owed.key, outcome.unwrap_or_else(|| good(&owed)));
    }
    panic!("it does not end: {:?}", steps(story));
}

fn taken() -> Outcome {
    let shot = Shot { route: "/".to_owned(), file: "home.png".to_owned(), baseline: None };
    Outcome::Shot(Shots::Taken(vec![shot]))
}

fn skipped() -> Outcome {
    Outcome::Shot(Shots::Skipped { why: "no browser was found".to_owned() })
}

/// A verifier that passes the phase and sees these things in its pictures.
fn sees(issues: &[(&str, &str)]) -> Outcome {
    let issue = |(severity, what): &(&str, &str)| json!({"route": "/", "type": "layout", "severity": severity, "description": what});
    let issues: Vec<Value> = issues.iter().map(issue).collect();
    let word = json!({
        "pass": true, "commands_run": ["true"], "criteria_results": ["a:1"],
        "visual_test_results": {"routes_tested": 1, "issues_found": issues},
    });
    let key = crate::id::Key {
        step: crate::id::Step::new("1/verify"),
        attempt: crate::id::Attempt::after(0),
    };
    report(Role::Verifier, &key, word)
}

fn scores(story: &Story) -> Vec<Score> {
    let score = |fact: &Fact| match fact {
        Fact::Phase { fact: PhaseFact::Rated { score, .. }, .. } => Some(*score),
        _ => None,
    };
    story.facts.iter().filter_map(score).collect()
}

#[test]
fn c45_pictures_are_taken_before_a_verifier_looks_and_only_where_somebody_wants_them() {
    let mut story = looked_at(None);
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
    let steps = steps(&story);
    let at = |name: &str| steps.iter().position(|step| step == name);
    assert_eq!(at("look").map(|at| at + 1), at("verify"));
    for mut story in [Story::of(&[("1", &[])]), looked_at(Some("2"))] {
        assert_eq!(play(&mut story, |_, _| None), Ending::Done);
        assert!(!self::steps(&story).contains(&"look".to_owned()));
    }
}

#[test]
fn c45_a_verifier_is_told_of_the_pictures_and_nobody_else_is() {
    let mut story = looked_at(None);
    let verify = story.until("/verify");
    let Effect::Agent(task) = &verify.effect else { panic!("{verify:?}") };
    assert_eq!(task.brief.screens.len(), 1);
    story.end(&verify.key, good(&verify));
    for name in ["/judge", "/rate"] {
        let owed = story.until(name);
        let Effect::Agent(task) = &owed.effect else { panic!("{owed:?}") };
        assert!(task.brief.screens.is_empty(), "{name}");
        story.end(&owed.key, good(&owed));
    }
}

#[test]
fn c45_a_missing_tool_is_skipped_and_fails_nothing() {
    for broken in [skipped(), failed(FailureClass::Engine)] {
        let mut story = looked_at(None);
        let ending = play(&mut story, |name, _| match name {
            "look" => Some(broken.clone()),
            // Nobody has seen anything, whatever is said.
            "verify" => Some(sees(&[("critical", "blank")])),
            _ => None,
        });
        assert_eq!(ending, Ending::Done, "{broken:?}");
        assert_eq!(sent_back(&story, SentBack::Repair), 0);
        let is_skipped = |fact: &Fact| {
            matches!(fact, Fact::Phase { fact: PhaseFact::Shot(Shots::Skipped { .. }), .. })
        };
        assert!(story.facts.iter().any(is_skipped), "and it is told");
    }
}

#[test]
fn c45_a_major_issue_enters_the_debug_loop_and_pictures_are_taken_again() {
    for severity in ["major", "critical"] {
        let mut story = looked_at(None);
        let ending = play(&mut story, |name, attempt| match (name, attempt) {
            ("look", _) => Some(taken()),
            ("verify", 1) => {
                Some(sees(&[(severity, "the menu covers the text"), ("minor", "grey")]))
            }
            _ => None,
        });
        assert_eq!(ending, Ending::Done);
        let findings: Vec<&Vec<String>> = story
            .facts
            .iter()
            .filter_map(|fact| match fact {
                Fact::Phase {
                    fact: PhaseFact::SentBack { to: SentBack::Repair, findings },
                    ..
                } => Some(findings),
                _ => None,
            })
            .collect();
        assert_eq!(
            findings,
            [&vec![format!("/ looks wrong ({severity}, layout): the menu covers the text")]]
        );
        let looks = steps(&story).iter().filter(|step| *step == "look").count();
        assert_eq!(looks, 2, "the repaired page is looked at");
    }
}

#[test]
fn c45_what_is_still_wrong_after_the_last_repair_costs_points_and_fails_nothing() {
    let mut story = looked_at(None);
    let ending = play(&mut story, |name, _| match name {
        "look" => Some(taken()),
        "verify" => Some(sees(&[("major", "it is blank")])),
        "rate" => Some(report(
            Role::Rater,
            &crate::id::Key {
                step: crate::id::Step::new("1/rate"),
                attempt: crate::id::Attempt::after(0),
            },
            rating(10.0),
        )),
        _ => None,
    });
    assert_eq!(sent_back(&story, SentBack::Repair), 3);
    assert_eq!(scores(&story), [Score::from_tenths(90)]);
    assert_eq!(ending, Ending::Done);
}

#[test]
fn c45_each_severity_has_its_price() {
    let rows = [(&[("minor", "a")][..], 95), (&[("minor", "a"), ("minor", "b")], 90), (&[], 100)];
    for (issues, expected) in rows {
        let mut story = looked_at(None);
        play(&mut story, |name, _| match name {
            "look" => Some(taken()),
            "verify" => Some(sees(issues)),
            "rate" => Some(report(
                Role::Rater,
                &crate::id::Key {
                    step: crate::id::Step::new("1/rate"),
                    attempt: crate::id::Attempt::after(0),
                },
                rating(10.0),
            )),
            _ => None,
        });
        assert_eq!(scores(&story).first(), Some(&Score::from_tenths(expected)), "{issues:?}");
    }
    let prices = [VisualSeverity::Minor, VisualSeverity::Major, VisualSeverity::Critical];
    assert_eq!(prices.map(VisualSeverity::penalty_tenths), [5, 10, 20]);
}

#[test]
fn c45_the_papers_tell_every_issue_and_what_became_of_it() {
    let mut story = looked_at(None);
    let (mut papers, mut right) = (Vec::new(), 0);
    for _ in 0..200 {
        if owed(&story.run).is_empty() {
            story.tell(crate::input::Event::Tick);
        }
        if story.run.ending.is_some() {
            break;
        }
        let owed = story.start();
        if let Effect::Integrate(task) = &owed.effect {
            papers.clone_from(&task.papers);
            right = task.pictures.len();
        }
        let outcome = match (owed.key.step.as_str(), owed.key.attempt.number()) {
            ("1/look", _) => taken(),
            ("1/verify", 1) => sees(&[("major", "a | b")]),
            _ => good(&owed),
        };
        story.end(&owed.key, outcome);
    }
    assert_eq!(right, 1, "what looks right is kept as how it should be");
    let text = |name: &str| {
        let paper = papers.iter().find(|paper| paper.path.ends_with(name));
        paper.map(|paper| paper.text.clone()).unwrap_or_else(|| panic!("{name} is missing"))
    };
    assert!(
        text("/VERIFICATION.md").contains("| / | home.png | 0 | - | PASS |"),
        "{}",
        text("/VERIFICATION.md")
    );
    let bugs = text("/VISUAL-BUGS.md");
    assert!(
        bugs.contains("## VB-1: a \\| b") && bugs.contains("| VB-1 | major | 1 | 2 | RESOLVED |"),
        "{bugs}"
    );
}
