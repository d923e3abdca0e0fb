//! What a person is asked before the first phase.

use serde_json::{Value, json};

use crate::{
    effect::{Effect, Owed},
    fact::{Ending, Fact},
    id::{Attempt, GateId, Key, Step},
    input::{Answer, Event, FailureClass, Outcome},
    phases::{Known, Said, Talk, TalkFact, TalkStage, TalkWish, Talking, Told, may_ask},
    policy::Coverage,
    role::Role,
    run::{Run, Standing, Work, owed},
    story::{Story, failed, good, questions, report, spec},
};

const MAP: TalkWish = TalkWish { map: true, discuss: false, only: false };
const DISCUSS: TalkWish = TalkWish { map: false, discuss: true, only: false };

fn wishing(talk: TalkWish, known: &[(&str, Known)]) -> Story {
    let story =
        Story::given(vec![spec("1", &[]), spec("2", &["1"])], crate::budget::Limits::default());
    let mut given = story.run.given.clone();
    given.manner.talk = talk;
    let known = known.iter().map(|(id, known)| (id.parse().expect("an id"), known.clone()));
    given.known = known.collect();
    Story { run: Run::begin(story.now, &given), ..story }
}

/// A phase about which everything is known.
fn well_known() -> Known {
    Known { requirements: Coverage::Full, documents: Coverage::Full, ..Known::default() }
}

fn talking(story: &Story) -> &Talking {
    let Work::Phases(work) = &story.run.work;
    work.talk.talking().expect("it has begun")
}

fn ask(story: &mut Story, word: Value) -> Owed {
    let owed = story.start();
    let Effect::Agent(task) = &owed.effect else { panic!("{owed:?}") };
    assert_eq!(task.role, Role::Questioner);
    story.end(&owed.key, report(Role::Questioner, &owed.key, word));
    owed
}

fn answer(story: &mut Story, gate: &str, text: &str) -> Vec<Fact> {
    let (message, by) = (text.to_owned(), "someone".to_owned());
    let answer = Answer { approved: true, message, by, until: None };
    story.tell(Event::Answered { gate: GateId::new(gate), answer })
}

fn asked(story: &Story) -> Vec<String> {
    story.run.asked.keys().map(ToString::to_string).collect()
}

#[test]
fn c42_what_phases_lack_is_asked_at_once_and_only_where_they_lack_it() {
    let mut story = wishing(MAP, &[("2", well_known())]);
    story.tell(Event::Tick);
    let scores: Vec<u8> = talking(&story).mapped.iter().map(|one| one.assessment.score).collect();
    assert_eq!(scores, [6, 10]);
    let asked_of = ask(&mut story, questions());
    assert_eq!(asked_of.key.step.as_str(), "run/map/1");
    let Effect::Agent(task) = &asked_of.effect else { panic!("{asked_of:?}") };
    let talk = task.brief.talk.as_ref().expect("it is told what it is asked for");
    assert_eq!(talk.score.map(|score| score.score), Some(6));
    assert_eq!(asked(&story), ["map/1/1", "map/1/2"], "both at once");
    assert!(owed(&story.run).is_empty(), "no phase begins before they are answered");
    assert!(matches!(story.run.standing(), Standing::Asking(_)));
    answer(&mut story, "map/1/2", "People\nin a hurry");
    answer(&mut story, "map/1/1", "");
    let mapped = &talking(&story).mapped[0];
    let said = |at: usize| mapped.questions[at].reply.as_ref().and_then(|reply| reply.said.clone());
    assert_eq!((said(0), said(1).as_deref()), (None, Some("People in a hurry")));
    assert_eq!(mapped.after, Some(7));
    assert_eq!(talking(&story).stage, TalkStage::Over);
    assert_eq!(story.finish(), Ending::Done);
}

#[test]
fn c42_whoever_asks_may_expect_less_than_the_answers_would_give_and_no_more() {
    for (estimate, after) in [(3.0, 6), (7.0, 7), (9.5, 8)] {
        let mut story = wishing(MAP, &[("2", well_known())]);
        story.tell(Event::Tick);
        let mut word = questions();
        word["questions"][0]["category"] = json!("requirements");
        word["estimated_score_after"] = json!(estimate);
        ask(&mut story, word);
        answer(&mut story, "map/1/1", "dash");
        answer(&mut story, "map/1/2", "people");
        assert_eq!(talking(&story).mapped[0].after, Some(after), "{estimate}");
    }
}

#[test]
fn c42_two_to_five_questions_are_asked_and_none_that_was_answered_before() {
    let told = Told {
        question: "WHICH shell runs it".to_owned(),
        category: "build_config".to_owned(),
        answer: "dash".to_owned(),
    };
    let known = Known { mapped: vec![told], ..Known::default() };
    let mut story = wishing(MAP, &[("1", known), ("2", well_known())]);
    story.tell(Event::Tick);
    let owed = story.start();
    let one = json!({"questions": [{"question": "Why?"}]});
    story.end(&owed.key, report(Role::Questioner, &owed.key, one));
    assert!(asked(&story).is_empty(), "one question is none");
    let many: Vec<Value> = (0..9).map(|at| json!({"question": format!("Why {at}?")})).collect();
    let mut all = vec![json!({"question": "Which shell runs it?"}), json!({"question": "why 0"})];
    all.extend(many);
    ask(&mut story, json!({"questions": all}));
    let texts: Vec<&str> =
        talking(&story).mapped[0].questions.iter().map(|one| one.question.as_str()).collect();
    assert_eq!(texts, ["why 0", "Why 1?", "Why 2?", "Why 3?", "Why 4?"]);
}

#[test]
fn c42_a_run_that_is_only_to_map_ends_without_a_phase() {
    let mut story =
        wishing(TalkWish { only: true, ..MAP }, &[("1", well_known()), ("2", well_known())]);
    story.tell(Event::Tick);
    assert_eq!(talking(&story).stage, TalkStage::Over, "nobody is asked where nothing is lacking");
    story.tell(Event::Tick);
    assert_eq!(story.run.ending, Some(Ending::Done));
    assert!(
        story.facts.iter().all(|fact| !matches!(fact, Fact::Phase { .. } | Fact::Started { .. }))
    );
}

#[test]
fn c42_where_nobody_can_ask_the_run_goes_on() {
    let mut story = wishing(MAP, &[("2", well_known())]);
    story.tell(Event::Tick);
    while talking(&story).stage != TalkStage::Over {
        let owed = story.start();
        story.end(&owed.key, failed(FailureClass::Crashed));
    }
    assert!(talking(&story).mapped[0].unasked.is_some());
    assert_eq!(story.finish(), Ending::Done);
}

/// A discussion of phase 1 in which everything happens, up to where its answers are sorted.
fn discussed(story: &mut Story) {
    story.tell(Event::Tick);
    assert_eq!(ask(story, questions()).key.step.as_str(), "run/areas/1");
    assert_eq!(asked(story), ["discuss/1/areas"]);
    answer(story, "discuss/1/areas", "1, 3");
    for (gate, text) in [
        ("discuss/1/1/1", "a"),
        ("discuss/1/1/2", "c"),
        ("discuss/1/1/3", "like the old page"),
        ("discuss/1/1/4", "later: dark mode"),
    ] {
        assert_eq!(asked(story), [gate], "one at a time");
        answer(story, gate, text);
    }
}

#[test]
fn c43_one_question_at_a_time_and_after_four_a_person_says_whether_there_is_more() {
    let mut story = wishing(DISCUSS, &[]);
    discussed(&mut story);
    assert_eq!(asked(&story), ["discuss/1/1/more-4"]);
    answer(&mut story, "discuss/1/1/more-4", "more");
    assert_eq!(asked(&story), ["discuss/1/1/5"], "there was one more");
    answer(&mut story, "discuss/1/1/5", "b");
    assert_eq!(asked(&story), ["discuss/1/3/1"], "the second area was not chosen");
    let area = &talking(&story).discussed[0].areas[0];
    let said: Vec<&Said> =
        area.questions.iter().filter_map(|one| Some(&one.reply.as_ref()?.said)).collect();
    let expected = [
        Said::Chosen("Cards".to_owned()),
        Said::YouDecide,
        Said::Own("like the old page".to_owned()),
        Said::Later("dark mode".to_owned()),
        Said::Chosen("A timeline".to_owned()),
    ];
    assert_eq!(said, expected.iter().collect::<Vec<_>>());
}

#[test]
fn c43_who_wants_no_more_goes_on_and_who_wants_more_than_there_is_gets_follow_ups() {
    let mut word = questions();
    for (answer_to_depth, next) in [("next", "discuss/1/2/1"), ("more", "discuss/1/1/5")] {
        let mut story = wishing(DISCUSS, &[]);
        story.tell(Event::Tick);
        word["gray_areas"][0]["questions"].as_array_mut().expect("a list").truncate(4);
        ask(&mut story, word.clone());
        answer(&mut story, "discuss/1/areas", "all");
        for at in 1..=4 {
            answer(&mut story, &format!("discuss/1/1/{at}"), "a");
        }
        answer(&mut story, "discuss/1/1/more-4", answer_to_depth);
        if answer_to_depth == "more" {
            let mut more = questions();
            more["gray_areas"][0]["questions"] =
                json!([{"question": "Layout 1?"}, {"question": "How wide?"}]);
            more["gray_areas"].as_array_mut().expect("a list").truncate(1);
            let owed = ask(&mut story, more);
            assert_eq!(owed.key.step.as_str(), "run/more/1/1-4");
            let question = &talking(&story).discussed[0].areas[0].questions[4].question;
            assert_eq!(question, "How wide?", "what was asked is not asked again");
        }
        assert_eq!(asked(&story), [next]);
    }
}

#[test]
fn c43_a_phase_has_three_to_five_areas_of_one_of_five_kinds() {
    let area = |at: usize| json!({"area": format!("A{at}"), "questions": [{"question": "Why?"}]});
    let areas = |count: usize| (0..count).map(area).collect::<Vec<_>>();
    let rows = [
        (json!({"domain": "see", "questions": [], "gray_areas": areas(3)}), Some(3)),
        (json!({"domain": "ORGANIZE", "questions": [], "gray_areas": areas(7)}), Some(5)),
        (json!({"domain": "SEE", "questions": [], "gray_areas": areas(2)}), None),
        (json!({"domain": "TASTE", "questions": [], "gray_areas": areas(3)}), None),
    ];
    for (word, expected) in rows {
        let mut story = wishing(DISCUSS, &[]);
        story.tell(Event::Tick);
        ask(&mut story, word.clone());
        let count = talking(&story).discussed.first().map(|one| one.areas.len());
        assert_eq!(count, expected, "{word}");
    }
}

/// Ends the discussion that [`discussed`] has begun; the third answer is sorted as told.
fn sorted(story: &mut Story, word: Value) {
    answer(story, "discuss/1/1/more-4", "next");
    answer(story, "discuss/1/3/1", "you decide");
    answer(story, "discuss/1/3/2", "B");
    assert_eq!(ask(story, word).key.step.as_str(), "run/sort/1");
    ask(story, questions());
    answer(story, "discuss/2/areas", "none");
}

fn context_md(story: &Story) -> String {
    let owed = owed(&story.run).into_iter().next().expect("it is to be recorded");
    let Effect::Integrate(task) = owed.effect else { panic!("{owed:?}") };
    assert_eq!(task.papers.len(), 1, "of phase 2 nobody talked");
    assert_eq!(task.papers[0].path, ".planning/phases/1-x/CONTEXT.md");
    task.papers[0].text.clone()
}

#[test]
fn c43_the_answers_stand_in_exactly_these_sections() {
    let mut story = wishing(DISCUSS, &[]);
    discussed(&mut story);
    sorted(&mut story, json!({"questions": [], "specific": [1]}));
    let expected = "# Phase 1: Phase 1 - Context\n\n**Gathered:** 1970-01-01\n**Status:** Ready for planning\n\n\
        ## Phase Boundary\n\nA page with posts.\n\nFrom the roadmap: a goal\n\n## Implementation Decisions\n\n\
        ### Layout\n- Layout 1? Cards\n- Layout 3? like the old page\n\n### Words\n- Words 2? A timeline\n\n\
        ### Claude's Discretion\n- Layout: Layout 2?\n- Words: Words 1?\n\n## Specific Ideas\n\n- like the old page\n\n\
        ## Deferred Ideas\n\n- dark mode\n";
    assert_eq!(context_md(&story), expected);
}

#[test]
fn c43_an_idea_that_is_out_of_scope_is_deferred_in_the_persons_own_words() {
    let mut story = wishing(DISCUSS, &[]);
    discussed(&mut story);
    sorted(&mut story, json!({"questions": [], "out_of_scope": [1, 7, 0]}));
    let text = context_md(&story);
    assert!(text.ends_with("## Deferred Ideas\n\n- like the old page\n- dark mode\n"), "{text}");
    assert!(!text.contains("- Layout 3?"), "it is no decision any more: {text}");
    assert!(text.contains(
        "\n## Specific Ideas\n\nNo specific requirements -- open to standard approaches\n"
    ));
}

#[test]
fn c43_what_an_earlier_discussion_decided_about_other_areas_stays() {
    let earlier = "# Phase 1: x - Context\n\n## Implementation Decisions\n\n### Layout\n- Layout 1? old\n\n### Sound\n- How loud? quiet\n\n\
        ### Claude's Discretion\n- x\n\n## Specific Ideas\n\nNo specific requirements -- open to standard approaches\n\n\
        ## Deferred Ideas\n\n- sync\n";
    let known = Known { context_md: Some(earlier.to_owned()), ..Known::default() };
    let mut story = wishing(DISCUSS, &[("1", known)]);
    discussed(&mut story);
    sorted(&mut story, json!({"questions": []}));
    let text = context_md(&story);
    assert!(text.contains("\n### Sound\n- How loud? quiet\n"), "{text}");
    assert!(!text.contains("old\n") && text.ends_with("- dark mode\n- sync\n"), "{text}");
}

#[test]
fn c43_after_the_talk_phases_begin_on_what_was_decided() {
    let mut story = wishing(DISCUSS, &[]);
    discussed(&mut story);
    sorted(&mut story, json!({"questions": []}));
    let owed = story.start();
    assert_eq!(owed.key.step.as_str(), "run/talk/integrate");
    story.end(&owed.key, Outcome::Integrated(crate::id::CommitId::new("with-context")));
    assert_eq!(story.run_head().as_str(), "with-context");
    assert_eq!(talking(&story).stage, TalkStage::Over);
    assert_eq!(story.finish(), Ending::Done);
}

#[test]
fn c43_with_both_the_discussion_comes_first_and_its_answers_are_told_to_who_maps() {
    let mut story = wishing(TalkWish { map: true, ..DISCUSS }, &[("2", well_known())]);
    discussed(&mut story);
    sorted(&mut story, json!({"questions": []}));
    let owed = story.start();
    story.end(&owed.key, Outcome::Integrated(crate::id::CommitId::new("with-context")));
    let owed = story.start();
    assert_eq!(owed.key.step.as_str(), "run/map/1");
    let Effect::Agent(task) = &owed.effect else { panic!("{owed:?}") };
    let told = &task.brief.talk.as_ref().expect("it is told").told;
    assert!(told.iter().any(|one| one.answer == "Cards"), "{told:?}");
}

#[test]
fn e20_a_persons_word_reaches_those_who_plan_and_work_and_nobody_who_judges() {
    let told = |answer: &str| Told {
        question: "Which colour?".to_owned(),
        category: String::new(),
        answer: answer.to_owned(),
    };
    let known = Known {
        context_md: Some("the page is blue".to_owned()),
        discussed: vec![told("crimson")],
        mapped: vec![told("green")],
        ..Known::default()
    };
    let mut story = wishing(TalkWish::default(), &[("1", known)]);
    let Work::Phases(work) = &story.run.work;
    assert_eq!(work.talk, Talk::Unwanted);
    story.tell(Event::Tick);
    let mut seen = Vec::new();
    while story.run.ending.is_none() {
        let owed = story.start_next();
        if let Effect::Agent(task) = &owed.effect
            && task.phase.is_some_and(|phase| phase.as_str() == "1")
        {
            let sources: Vec<String> =
                task.brief.decided.iter().map(|one| one.source.clone()).collect();
            let tells = [Role::Researcher, Role::Planner, Role::Executor].contains(&task.role);
            let expected: &[&str] =
                if tells { &["CONTEXT.md", ".autopilot/discuss-context.json"] } else { &[] };
            assert_eq!(sources, expected, "{}", task.role);
            let text = format!("{:?}", task.brief);
            assert!(!text.contains("green"), "a later source does not answer again: {text}");
            assert_eq!(text.contains("crimson"), tells, "{}: {text}", task.role);
            seen.push(task.role);
        }
        story.end(&owed.key, good(&owed));
        if crate::story::owed_nothing(&story.run) {
            story.tell(Event::Tick);
        }
    }
    for role in [Role::Researcher, Role::Executor, Role::Verifier, Role::Judge, Role::Rater] {
        assert!(seen.contains(&role), "{role}");
    }
}

#[test]
fn e20_what_was_just_said_is_told_in_the_same_run() {
    let mut story = wishing(DISCUSS, &[]);
    discussed(&mut story);
    sorted(&mut story, json!({"questions": []}));
    let owed = story.start();
    story.end(&owed.key, Outcome::Integrated(crate::id::CommitId::new("with-context")));
    let owed = story.until("research");
    let Effect::Agent(task) = &owed.effect else { panic!("{owed:?}") };
    // An idea for another phase is no decision about this one, wherever it is kept.
    assert_eq!(task.brief.decided.len(), 1, "{:?}", task.brief.decided);
    assert!(task.brief.decided[0].text.contains("- Layout 1? Cards"));
}

#[test]
fn an_answer_before_its_question_counts_and_a_question_of_the_talk_may_be_asked() {
    let mut story = wishing(DISCUSS, &[]);
    story.tell(Event::Tick);
    answer(&mut story, "discuss/1/areas", "2");
    answer(&mut story, "discuss/1/2/1", "b");
    ask(&mut story, questions());
    assert_eq!(asked(&story), ["discuss/1/2/2"], "two questions are answered already");
    assert!(may_ask(&story.run, &GateId::new("discuss/2/3/1")));
    assert!(!may_ask(&story.run, &GateId::new("discuss/9/3/1")));
    assert!(!may_ask(&story.run, &GateId::new("map/1/1")), "nobody wanted a map");
}

#[test]
fn an_outcome_for_another_step_than_the_talks_is_dropped() {
    let mut story = wishing(MAP, &[]);
    story.tell(Event::Tick);
    let key = Key { step: Step::new("run/map/2"), attempt: Attempt::after(0) };
    let facts = story.end(&key, report(Role::Questioner, &key, questions()));
    assert_eq!(facts, [], "phase 1 is asked about first");
    let owed = story.start();
    story.end(&owed.key, Outcome::Preflight { issues: Vec::new(), plan: None });
    let is_map = |fact: &Fact| matches!(fact, Fact::Talk(TalkFact::Mapped { .. }));
    assert!(!story.facts.iter().any(is_map), "what does not fit counts for nothing");
}
