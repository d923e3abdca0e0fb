//! Tables and properties of certificates.

use super::*;
use crate::{
    evidence::{Bite, CheckKind, Standing, Verdict, Waiver},
    fact::{Fact, Record},
    input::{Environment, Event},
    returns::{Recommendation, Score},
    role::Role,
    story::{Story, report},
    time::Timestamp,
};

/// Records of a story, as a journal would hold them.
fn records(story: &Story) -> Vec<Record> {
    let first = Fact::Submitted(Box::new(story.run.given.clone()));
    let facts = std::iter::once(first).chain(story.facts.iter().cloned());
    facts.zip(1..).map(|(fact, at)| Record::new(Timestamp::from_ms(at), fact)).collect()
}

fn certificates(records: &[Record]) -> Vec<Certificate> {
    let mut notary = Notary::default();
    let mut certificates = Vec::new();
    for (record, sequence) in records.iter().zip(1..) {
        let position = || Position { sequence, sha256: format!("hash {sequence}") };
        certificates.extend(notary.take(record, position).expect("it is a run"));
    }
    certificates
}

fn told() -> Story {
    let mut story = Story::of(&[("1", &[]), ("2", &["1"])]);
    let environment = Environment {
        sha256: "surroundings".to_owned(),
        system: "a system".to_owned(),
        program: "a program".to_owned(),
        prompts: std::collections::BTreeMap::new(),
    };
    story.tell(Event::Environment(environment));
    story
}

fn certificate() -> Certificate {
    let mut story = told();
    story.until("2/preflight");
    certificates(&records(&story)).remove(0)
}

#[test]
fn a_phase_that_is_complete_is_certified_and_the_same_records_give_the_same_bytes() {
    let mut story = told();
    story.finish();
    let records = records(&story);
    let made = certificates(&records);
    let ids: Vec<&str> = made.iter().map(|one| one.phase.id.as_str()).collect();
    assert_eq!(ids, ["1", "2"]);
    let again: Vec<String> = certificates(&records).iter().map(|one| text(one, "x")).collect();
    assert_eq!(made.iter().map(|one| text(one, "x")).collect::<Vec<_>>(), again);
    let one = &made[0];
    assert_eq!(one.commits.base.as_str(), "base");
    assert_eq!(made[1].commits.base, one.commits.head);
    let closed = records
        .iter()
        .position(|record| matches!(&record.fact, Fact::Phase { fact, .. } if fact.closes()));
    assert_eq!(one.journal.sequence, closed.expect("it is closed") as u64 + 1);
    assert_eq!(coherent(one), None);
}

#[test]
fn a_certificate_tells_what_was_run_who_did_it_and_what_it_cost() {
    let one = certificate();
    let check = &one.checks[0];
    assert_eq!((check.name.as_str(), &check.standing), ("1/1", &Standing::New));
    assert_eq!(check.argv, ["sh", "-c", "true"]);
    assert_eq!(check.base.as_ref().and_then(|seen| seen.exit_code), Some(1));
    assert_eq!(check.result.exit_code, Some(0));
    assert_eq!(check.result.environment.as_deref(), Some("surroundings"));
    assert_eq!(one.environments.len(), 1);
    let hand = |role: Role| one.agents.iter().find(|hand| hand.role == role).expect("it was there");
    assert_eq!((hand(Role::Executor).part, hand(Role::Executor).steps), (Part::Produced, 2));
    let verifier = hand(Role::Verifier);
    assert_eq!((verifier.part, verifier.vote), (Part::Checked, Some(true)));
    assert_eq!(verifier.model.as_deref(), Some("a model"));
    assert!(one.spent.tokens >= 800, "{:?}", one.spent);
    assert_eq!(one.reviews.verified, Some(true));
}

#[test]
fn e2_a_certificate_tells_what_was_judged_and_what_reading_does_not_tell() {
    let line = "A click saves -- verified by: read ui/Save.tsx:go and trace to store.save";
    let mut spec = crate::story::spec("1", &[]);
    spec.criteria.push(crate::evidence::Criterion::parse(line));
    let mut story = Story::given(vec![spec], crate::budget::Limits::default());
    let owed = story.until("/verify");
    let told = "a click: BEHAVIORAL_UNVERIFIABLE, the library is closed";
    let word = serde_json::json!({"pass": true, "commands_run": ["true"], "failures": [told]});
    story.end(&owed.key, report(Role::Verifier, &owed.key, word));
    story.finish();
    let mut one = certificates(&records(&story)).remove(0);
    assert_eq!((one.judged.len(), one.judged[0].as_str()), (1, line));
    assert_eq!(one.reviews.unproven, [told]);
    assert!(one.checks.iter().all(|check| check.criterion.command.is_some()), "it is no check");
    assert_eq!(coherent(&one), None);
    one.judged.clear();
    let found = coherent(&one).expect("it hides what nobody observed");
    assert!(found.to_string().contains("criteria/1"), "{found}");
}

#[test]
fn a_phase_that_failed_is_not_certified() {
    let mut story = told();
    let judge = story.until("judge");
    let halt = serde_json::json!({"recommendation": "rollback", "concerns": ["no"]});
    story.end(&judge.key, report(Role::Judge, &judge.key, halt));
    story.finish();
    assert_eq!(certificates(&records(&story)), []);
}

#[test]
fn only_the_canonical_form_is_read() {
    let made = text(&certificate(), "x");
    assert_eq!(read(made.as_bytes()).map(|envelope| envelope.certificate), Ok(certificate()));
    let changed = |from: &str, to: &str| {
        assert!(made.contains(from), "{from}");
        made.replacen(from, to, 1)
    };
    for (text, place) in [
        (changed("  \"v\": 1", " \"v\": 1"), "`/certificate/v` (line 3)"),
        (changed("\"goal\": \"a goal\"", "\"goal\":  \"a goal\""), "`/certificate/phase/goal`"),
        (changed("\"a goal\"", "\"a\\u0020goal\""), "`/certificate/phase/goal`"),
        (changed("\"run\": \"run-test\",", "\"run\": \"run-test\", \"x\": 1,"), "line 4, column"),
        (
            changed("\"text\": \"it works\",", "\"text\": \"it works\", \"x\": 1,"),
            "`/certificate/criteria/0/text`",
        ),
        (changed("\"v\": 1", "\"v\": 2"), "/certificate/v"),
        (made.trim_end().to_owned(), "`` (line"),
        (format!("{made} "), "`` (line"),
        (made.replace('\n', "\r\n"), "`` (line 1)"),
        (String::new(), "line 1, column 0"),
        ("[".repeat(1_000_000), "line 1, column"),
    ] {
        let refused = read(text.as_bytes()).expect_err("it is not canonical");
        assert!(refused.at.contains(place), "{refused} is not at {place}");
    }
    assert!(read(&[0xff, 0xfe]).is_err());
    assert!(read(&vec![b' '; CERTIFICATE_BYTES_MAX + 1]).is_err());
}

#[test]
fn a_certificate_that_contradicts_itself_is_refused() {
    type Change = fn(&mut Certificate);
    let changes: [(Change, &str); 14] = [
        (|one| one.checks[0].argv[2] = "false".to_owned(), "`/certificate/checks/0/argv`"),
        (
            |one| one.checks[0].result.verdict = Verdict::Failed("no".to_owned()),
            "`/certificate/checks/0/standing`",
        ),
        (|one| one.checks[0].standing = Standing::Held, "`/certificate/checks/0/standing`"),
        (
            |one| {
                one.checks[0].result.verdict = Verdict::Failed("no".to_owned());
                one.checks[0].standing = Standing::Open("no".to_owned());
            },
            "`/certificate/checks/0/waived`",
        ),
        (
            |one| one.checks[0].bite = Some(Bite::Green { tried: Vec::new() }),
            "`/certificate/checks/0/waived`",
        ),
        (|one| one.checks.clear(), "`/certificate/criteria/0`"),
        (
            |one| {
                let command = "echo".to_owned();
                one.checks[0].argv[2].clone_from(&command);
                one.checks[0].criterion.command = Some(command);
            },
            "`/certificate/criteria/0`",
        ),
        (|one| one.checks.push(one.checks[0].clone()), "`/certificate/checks`"),
        (|one| one.reviews.verified = Some(false), "`/certificate/reviews/verified`"),
        (|one| one.reviews.judged = Some(Recommendation::Halt), "`/certificate/reviews/judged`"),
        (|one| one.reviews.score = Score::from_tenths(10), "`/certificate/reviews/score`"),
        (|one| one.checks[0].result.exit_code = Some(1), "`/certificate/checks/0/result/verdict`"),
        (|one| one.checks[0].result.exit_code = None, "`/certificate/checks/0/result/verdict`"),
        (
            |one| {
                one.checks[0].criterion.counts = Some("(?<passed>[0-9]+) passed".to_owned());
                one.checks[0].result.counts = None;
            },
            "`/certificate/checks/0/result/verdict`",
        ),
    ];
    for (change, place) in changes {
        let mut one = certificate();
        change(&mut one);
        assert_eq!(coherent(&one).map(|found| found.at).as_deref(), Some(place));
    }
    let mut waived = certificate();
    waived.checks[0].result.verdict = Verdict::Failed("no".to_owned());
    waived.checks[0].standing = Standing::Open("no".to_owned());
    let waiver = Waiver { by: "me".to_owned(), why: "because".to_owned(), until: None };
    waived.checks[0].waived = Some(waiver);
    assert_eq!(coherent(&waived), None);
}

#[test]
fn criteria_must_be_those_of_the_roadmap() {
    let one = certificate();
    let good = "## Phase 1: Phase 1\n\n**Goal**: a goal\n\n**Success Criteria**:\n- it works -- verified by: `true`\n";
    assert_eq!(same_criteria(&one, good), None);
    for (from, to, place) in [
        ("`true`", "`false`", "`/certificate/criteria/0`"),
        ("it works", "it works well", "`/certificate/criteria/0`"),
        ("`true`\n", "`true`\n- more -- verified by: `true`\n", "`/certificate/criteria/1`"),
        ("a goal", "another", "`/certificate/phase/goal`"),
        ("Phase 1: Phase 1", "Phase 1: Other", "`/certificate/phase/name`"),
        ("Phase 1: Phase 1", "Phase 7: Phase 7", "the roadmap"),
    ] {
        let found = same_criteria(&one, &good.replacen(from, to, 1)).expect("it differs");
        assert_eq!(found.at, place, "{from} became {to}");
    }
}

#[test]
fn only_commands_that_the_project_gives_are_run_unasked() {
    let mut one = certificate();
    one.rules.prepare = Some("make ready".to_owned());
    let mut guard = one.checks[0].clone();
    guard.kind = CheckKind::Guard;
    guard.criterion.command = Some("make lint".to_owned());
    let mut task = one.checks[0].clone();
    task.criterion.command = Some("test -f a".to_owned());
    one.checks.extend([guard, task]);
    let names = |sources: &Sources| {
        let commands = commands(&one, sources).into_iter().filter(|(_, given)| !given);
        commands.map(|(command, _)| command).collect::<Vec<_>>()
    };
    assert_eq!(names(&Sources::default()), ["make ready", "true", "make lint", "test -f a"]);
    let mut sources = Sources {
        roadmap: Some("## Phase 1: x\n\n**Success Criteria**:\n- a -- verified by: `true`\n".to_owned()),
        plan: Some("<task id=\"1-01\">\n<acceptance_criteria>\n- a -- verified by: `test -f a`\n</acceptance_criteria>\n</task>\n".to_owned()),
        settings: Some("[checks]\nprepare = \"make ready\"\n[guards]\nlint = \"make lint\"\n".to_owned()),
        older_settings: None,
        ..Sources::default()
    };
    assert_eq!(names(&sources), Vec::<String>::new());
    sources.settings = Some("[guards.lint]\ncommand = \"make lint\"\n".to_owned());
    assert_eq!(names(&sources), ["make ready"]);
    sources.older_settings =
        Some("{\"autopilot\": {\"checks\": {\"prepare\": \"make ready\"}}}".to_owned());
    assert_eq!(names(&sources), Vec::<String>::new());
    sources.settings = Some("not toml at all".to_owned());
    assert_eq!(names(&sources), ["make lint"]);
}

#[test]
fn a_guard_of_the_projects_settings_that_is_not_told_is_missing() {
    let mut one = certificate();
    let sources = Sources {
        settings: Some("[guards]\nlint = \"make lint\"\n".to_owned()),
        older_settings: Some("{\"autopilot\": {\"guards\": {\"lint\": \"other\"}}}".to_owned()),
        ..Sources::default()
    };
    let missing = missing_guard(&one, &sources).map(|difference| difference.expected);
    assert_eq!(missing.as_deref(), Some("the guard `lint` by `make lint`"));
    let mut guard = one.checks[0].clone();
    guard.criterion.command = Some("make lint".to_owned());
    guard.name = "lint".to_owned();
    one.checks.push(guard.clone());
    assert!(missing_guard(&one, &sources).is_some(), "a criterion of that name is no guard");
    guard.kind = CheckKind::Guard;
    one.checks.push(guard);
    assert_eq!(missing_guard(&one, &sources), None);
    assert_eq!(missing_guard(&one, &Sources::default()), None);
}

#[test]
fn a_promise_that_a_phase_builds_on_and_that_is_not_told_is_missing() {
    let mut story = told();
    story.finish();
    let mut second = certificates(&records(&story)).remove(1);
    let phase = |id: &str, more: &str| {
        format!(
            "## Phase {id}: Phase {id}\n\n{more}**Success Criteria**:\n- it works -- verified by: `true`\n\n"
        )
    };
    let roadmap = phase("1", "") + &phase("2", "**Depends on**: Phase 1\n\n");
    let sources = Sources { roadmap: Some(roadmap.clone()), ..Sources::default() };
    assert_eq!(missing_promise(&second, &sources), None);
    second.checks.retain(|check| check.name != "1/1");
    let missing = missing_promise(&second, &sources).expect("it is not told");
    assert!(missing.starts_with("`1/1`"), "{missing}");
    let done = roadmap.replacen("Phase 1: Phase 1", "Phase 1: Phase 1 ✅", 1);
    let sources = Sources { roadmap: Some(done), ..Sources::default() };
    assert_eq!(missing_promise(&second, &sources), None, "it was complete before the run");
}

#[test]
fn what_the_plan_asks_of_a_task_and_that_is_not_told_is_missing() {
    let mut one = certificate();
    let task = "<task id=\"1-01\">\n<acceptance_criteria>\n- a -- verified by: `test -f a`\n</acceptance_criteria>\n</task>\n";
    let sources = Sources { plan: Some(task.to_owned()), ..Sources::default() };
    let missing = missing_task(&one, &sources).map(|difference| difference.expected);
    assert!(missing.is_some_and(|what| what.starts_with("`1/1-01/1`")));
    let mut check = one.checks[0].clone();
    check.name = "1/1-01/1".to_owned();
    check.criterion = crate::evidence::Criterion::parse("a -- verified by: `test -f a`");
    one.checks.push(check);
    assert_eq!(missing_task(&one, &sources), None);
    assert_eq!(missing_task(&one, &Sources::default()), None);
}

#[test]
fn a_repeated_command_must_show_the_same_but_for_its_output() {
    let first = certificate().checks[0].result.clone();
    let mut again = first.clone();
    again.output_sha256 = "another".to_owned();
    again.environment = None;
    assert_eq!(first.differs_from(&again), None);
    again.exit_code = Some(3);
    let differs = Some(("exit_code", "0".to_owned(), "3".to_owned()));
    assert_eq!(first.differs_from(&again), differs);
    again.verdict = Verdict::Failed("no".to_owned());
    let differs = Some(("verdict", "passed".to_owned(), "failed: no".to_owned()));
    assert_eq!(first.differs_from(&again), differs);
}
