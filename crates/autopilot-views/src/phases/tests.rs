//! Roadmaps and runs in every state, as people read them.

use autopilot_core::{
    fact::{Ending, Fact},
    id::{CommitId, GateId},
    phases::{Awaited, Close, Held, PhaseFact, Stage, Verdict},
    policy::HumanVerdict,
    roadmap::parse,
};

use super::*;
use crate::story::Story;

const ROADMAP: &str = "- [ ] **Phase 1: Part 1** - a\n- [ ] **Phase 2: Part 2** - b\n- [ ] **Phase 3: Part 3** - c\n\n\
    ### Phase 2: Part 2\n**Depends on**: Phase 1\n\n### Phase 3: Part 3\n**Depends on**: Nothing\n";

fn told(text: &str, newest: Option<NewestRun<'_>>) -> String {
    phases_text(&phases(&parse(text), "ROADMAP.md", newest, &none()))
}

/// The action and why it is the one.
fn action_of(text: &str, newest: Option<NewestRun<'_>>) -> (Option<String>, String) {
    let view = phases(&parse(text), "ROADMAP.md", newest, &none());
    (view.action, view.why)
}

/// No run before had a score.
const fn none() -> BTreeMap<PhaseId, Score> {
    BTreeMap::new()
}

fn begun() -> Story {
    let mut story = Story::of(3);
    story.begin();
    story
}

fn completed() -> Story {
    let mut story = begun();
    let score = Score::floor(9.4).expect("a score");
    let (commit, held) = (CommitId::new("c"), Held::default());
    let close = Close::Completed {
        score,
        commit,
        below_pass: false,
        suspect: false,
        waived: Vec::new(),
        held,
        awaits: Vec::new(),
        unmarked: false,
    };
    story.tell(PhaseFact::Closed(close));
    story
}

fn failed() -> Story {
    let mut story = begun();
    story.tell(PhaseFact::Closed(Close::Failed { why: "no proof".to_owned(), branch: None }));
    story
}

fn ended(mut story: Story, ending: Ending) -> Story {
    story.records(vec![Fact::Finished(ending)]);
    story
}

const fn of(story: &Story, alive: bool) -> Option<NewestRun<'_>> {
    Some(NewestRun { run: &story.run, alive })
}

#[test]
fn c48_a_roadmap_without_a_run_is_told_by_its_marks() {
    let text = ROADMAP.replacen("- [ ]", "- [x]", 1);
    assert_eq!(
        told(&text, None),
        "ROADMAP.md: 1 of 3 phases complete (33 %)\n\n\
         PHASE  NAME    STATUS       SCORE  AFTER  DETAIL\n\
         1      Part 1  complete     -\n\
         2      Part 2  not started  -      1\n\
         3      Part 3  not started  -\n\n\
         next: phase 2 (Part 2)\n\
         do: `autopilot run 2` (all that it needs is complete)\n"
    );
}

#[test]
fn c48_the_facts_of_a_run_override_the_marks() {
    let done = ended(completed(), Ending::Incomplete);
    assert_eq!(
        told(ROADMAP, of(&done, false)),
        "ROADMAP.md: 1 of 3 phases complete (33 %)\n\n\
         PHASE  NAME    STATUS       SCORE  AFTER  DETAIL\n\
         1      Part 1  complete     9.4           on autopilot/run-1/head, not landed\n\
         2      Part 2  not started  -      1\n\
         3      Part 3  not started  -\n\n\
         next: phase 2 (Part 2)\n\
         do: `autopilot land run-1 --incomplete` (what it completed is not on your branch yet)\n"
    );
    // The other way round too: a ticked box does not hide that the last run failed.
    let ticked = ROADMAP.replacen("- [ ]", "- [x]", 1);
    let view = phases(&parse(ticked), "ROADMAP.md", of(&failed(), false), &none());
    assert_eq!(
        (view.phases[0].status, view.phases[0].detail.as_deref()),
        ("failed", Some("no proof"))
    );
    assert_eq!(view.complete, 0);
}

#[test]
fn c48_a_run_of_another_roadmap_says_nothing() {
    let view = phases(&parse(ROADMAP), "other/ROADMAP.md", of(&completed(), true), &none());
    assert_eq!((view.run, view.complete), (None, 0));
    assert_eq!(view.action.as_deref(), Some("autopilot run 1"));
}

#[test]
fn c48_a_percentage_is_rounded_to_the_nearest_whole_one() {
    for (complete, total, percent) in
        [(0, 0, 0), (0, 3, 0), (1, 3, 33), (2, 3, 67), (1, 8, 13), (3, 3, 100)]
    {
        let mut text = String::new();
        for phase in 1..=total {
            let mark = if phase <= complete { 'x' } else { ' ' };
            text.push_str(&format!("- [{mark}] **Phase {phase}: Part** - a\n"));
        }
        let view = phases(&parse(text), "ROADMAP.md", None, &none());
        assert_eq!((view.complete, view.total, view.percent), (complete, total, percent));
    }
}

#[test]
fn c48_the_next_phase_needs_nothing_that_is_open_and_has_not_failed() {
    let next = |newest| phases(&parse(ROADMAP), "ROADMAP.md", newest, &none()).next;
    assert_eq!(next(None).as_deref(), Some("1"));
    // Phase 2 waits for the one that failed, phase 3 for nothing.
    assert_eq!(next(of(&failed(), false)).as_deref(), Some("3"));
    let only = "- [ ] **Phase 1: Part 1** - a\n";
    let view = phases(
        &parse(only),
        "ROADMAP.md",
        of(&ended(failed(), Ending::Incomplete), false),
        &none(),
    );
    assert_eq!(view.next.as_deref(), Some("1"));
    assert_eq!(view.action.as_deref(), Some("autopilot run 1"));
    assert!(view.why.contains("failed"), "{}", view.why);
}

#[test]
fn c48_the_next_action_follows_from_where_things_stand() {
    let landed = ROADMAP.replacen("- [ ]", "- [x]", 1);
    let all = ROADMAP.replace("- [ ]", "- [x]");
    let circle =
        "### Phase 1: A\n**Depends on**: Phase 2\n### Phase 2: B\n**Depends on**: Phase 1\n";
    let mut active = begun();
    active.tell(PhaseFact::Entered(Stage::Research));
    let mut asking = begun();
    let gate = GateId::new("1/human/1-01");
    asking.records(vec![Fact::Asked { gate, question: "Is it bright?".to_owned() }]);
    let done = ended(completed(), Ending::Done);
    let rows: [(&str, Option<NewestRun<'_>>, Option<&str>, &str); 9] = [
        ("# Nothing yet\n", None, Some("autopilot phase add NAME"), "no phases"),
        (ROADMAP, of(&active, true), Some("autopilot status run-1"), "working"),
        (ROADMAP, of(&asking, false), Some("autopilot status run-1"), "answer"),
        (ROADMAP, of(&active, false), Some("autopilot resume run-1"), "not ended"),
        (ROADMAP, of(&done, false), Some("autopilot land run-1"), "not on your branch"),
        (&landed, of(&done, false), Some("autopilot run 2"), "needs is complete"),
        (&landed, None, Some("autopilot run 2"), "needs is complete"),
        (&all, None, None, "every phase is complete"),
        (circle, None, Some("autopilot roadmap"), "waits for another"),
    ];
    for (text, newest, command, why) in rows {
        let action = action_of(text, newest);
        assert_eq!(action.0.as_deref(), command, "{text}");
        assert!(action.1.contains(why), "{action:?}");
    }
    assert!(told(&all, None).ends_with("nothing to do: every phase is complete\n"));
}

#[test]
fn c48_text_of_others_does_not_steer_the_terminal() {
    let mut view = phases(&parse(ROADMAP), "ROADMAP.md", None, &none());
    view.roadmap.push('\u{1b}');
    view.phases[0].name.push_str("\u{1b}]0;x\u{7}");
    view.phases[0].detail = Some("\u{202e}".to_owned());
    let text = phases_text(&view);
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text:?}");
}

#[test]
fn c48_scores_of_earlier_runs_are_told_where_the_newest_has_none() {
    let at = |tenths| Score::from_tenths(tenths);
    let earlier: BTreeMap<PhaseId, Score> =
        [("1", 87), ("2", 91)].map(|(id, score)| (id.parse().expect("an id"), at(score))).into();
    let text = ROADMAP.replacen("- [ ]", "- [x]", 1);
    let view = phases(&parse(text), "ROADMAP.md", None, &earlier);
    let scores: Vec<Option<&str>> = view.phases.iter().map(|one| one.score.as_deref()).collect();
    assert_eq!(scores, [Some("8.7"), Some("9.1"), None]);
    let done = ended(completed(), Ending::Done);
    let view = phases(&parse(ROADMAP), "ROADMAP.md", of(&done, false), &earlier);
    assert_eq!(view.phases[0].score.as_deref(), Some("9.4"), "the newest one counts");
}

#[test]
fn c29_a_phase_that_a_person_refused_is_not_complete_and_is_to_be_tried_again() {
    let mut story = begun();
    let awaits = vec![Awaited {
        task: "1-00".to_owned(),
        question: "Is it bright?".to_owned(),
        evidence: Vec::new(),
        verdict: None,
        looked_at: None,
    }];
    let (score, commit) = (Score::from_tenths(94), CommitId::new("c"));
    let close = Close::Completed {
        score,
        commit,
        below_pass: false,
        suspect: false,
        waived: Vec::new(),
        held: Held::default(),
        awaits,
        unmarked: true,
    };
    story.tell(PhaseFact::Closed(close));
    let seen = |story: &Story| phases(&parse(ROADMAP), "ROADMAP.md", of(story, false), &none());
    assert_eq!(seen(&story).phases[0].status, "needs a person");
    let verdict = Verdict {
        verdict: HumanVerdict::IssuesFound,
        by: "somebody".to_owned(),
        message: "it is grey".to_owned(),
    };
    story.tell(PhaseFact::Looked { task: "1-00".to_owned(), verdict });
    let story = ended(story, Ending::Incomplete);
    let view = seen(&story);
    assert_eq!((view.phases[0].status, view.complete), ("refused", 0));
    assert_eq!(view.action.as_deref(), Some("autopilot resume run-1 --retry"));
}
