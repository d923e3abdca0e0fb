//! What a person is asked before the first phase: maps, discussions, and how answers come in.

use std::{fs, time::Duration};

use serde_json::{Value, json};

use crate::harness::{Project, Sample, Terminal, agent, awaited, part, sign, until};

/// A project whose first phase says nothing of what it is for.
fn vague(phases: usize, script: &str) -> Project {
    let script = script.to_owned();
    let project = Project::new(&Sample { phases, script, ..Sample::default() });
    let path = project.sandbox.project().join(".planning/ROADMAP.md");
    let text = fs::read_to_string(&path).expect("readable");
    project.sandbox.write(
        ".planning/ROADMAP.md",
        text.replace("**Goal**: `part-1.txt` is written.", "**Goal**: TBD"),
    );
    project.sandbox.commit("it is still to be decided");
    project
}

/// Writes a file of answers and returns its name.
fn answers(project: &Project, answers: &Value) -> String {
    let path = project.path("answers.json");
    fs::write(&path, json!({ "answers": answers }).to_string()).expect("writable");
    path.display().to_string()
}

fn own_file(project: &Project, name: &str) -> Value {
    let path = project.sandbox.project().join(".autopilot").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).expect("it is JSON")
}

fn inbox(project: &Project) -> Vec<Value> {
    let output = project.run(&["inbox", "--json"]).expect(0);
    let view: Value = serde_json::from_str(&output.stdout).expect("it is JSON");
    view["waiting"].as_array().expect("a list").clone()
}

fn gates(project: &Project) -> Vec<String> {
    inbox(project).iter().map(|one| one["gate"].as_str().expect("a name").to_owned()).collect()
}

/// What the agent of a role was told in a phase.
fn prompt(project: &Project, step: &str) -> String {
    project.run(&["transcript", step]).expect(0).stdout
}

#[test]
fn c42_a_map_scores_phases_asks_at_once_and_begins_none() {
    let project = vague(2, "");
    let output = project.run(&["map"]).expect(4);
    for told in [
        "Phase 1: context sufficiency 1/10 (10 criteria, 6 requirements, 2 docs, 10 deps)",
        "Phase 2: context sufficiency 8/10",
        "Context Mapping: 1 phases need additional information",
    ] {
        assert!(output.stderr.contains(told), "{told}: {}", output.shown());
    }
    assert_eq!(gates(&project), ["map/1/1", "map/1/2"], "both at once, and none about phase 2");
    let waiting = inbox(&project);
    assert_eq!(waiting[0]["kind"], "words");
    assert!(
        waiting[0]["question"]
            .as_str()
            .expect("a text")
            .starts_with("Who is it for? [requirements]")
    );
    project.run(&["answer", "map/1/1", "People in a hurry"]).expect(0);
    assert_eq!(inbox(&project)[0]["answered"], true);
    project.run(&["resume"]).expect(4);
    assert_eq!(gates(&project), ["map/1/2"]);
    let left = own_file(&project, "context-map.json");
    assert_eq!(left["phases"]["1"]["questions"][0]["answer"], "People in a hurry");
    assert_eq!(left["phases"]["1"]["questions"][1]["answer"], Value::Null);
    project.run(&["answer", "map/1/2", "make check"]).expect(0);
    let output = project.run(&["resume"]).expect(0);
    assert!(output.stderr.contains("context sufficiency 1/10 -> 8/10"), "{}", output.shown());
    assert!(inbox(&project).is_empty());
    let map = own_file(&project, "context-map.json");
    let phase = &map["phases"]["1"];
    assert_eq!((&map["version"], &phase["context_score"]), (&json!("1.0"), &json!(1)));
    assert_eq!((&phase["score_after"], &phase["phase_name"]), (&json!(8), &json!("Part 1")));
    let keys: Vec<&str> =
        phase["questions"][1].as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["answer", "answered_at", "category", "question", "why_needed"]);
    assert_eq!(phase["questions"][1]["answer"], "make check");
    assert!(map["phases"]["2"]["mapped_at"].is_string());
    assert!(project.facts().iter().all(|fact| fact["phase"].is_null()), "no phase was begun");
    assert_eq!(project.head(), project.sandbox.git(["rev-parse", "main"]));
    assert!(!project.sandbox.project().join(".autopilot/archive/metrics.json").exists());
}

#[test]
fn c42_a_second_map_asks_nothing_that_was_answered_and_keeps_what_was() {
    let project = vague(1, "");
    let file = answers(&project, &json!({"map/1/1": "People", "map/1/2": "make check"}));
    project.run(&["map", "1", "--answers", &file]).expect(0);
    let first = own_file(&project, "context-map.json");
    let again = project.run(&["map", "1"]).expect(0);
    assert!(again.stderr.contains("Phase 1: context sufficiency 8/10"), "{}", again.shown());
    let second = own_file(&project, "context-map.json");
    assert_eq!(second["phases"]["1"]["questions"], first["phases"]["1"]["questions"]);
}

#[test]
fn c42_what_stands_in_the_file_of_other_phases_stays_and_what_cannot_be_read_is_put_aside() {
    let project = vague(1, "");
    let file = answers(&project, &json!({"map/1/1": "People", "map/1/2": "make check"}));
    let path = project.sandbox.project().join(".autopilot/context-map.json");
    fs::create_dir_all(path.parent().expect("a directory")).expect("made");
    fs::write(&path, r#"{"mine": 1, "phases": {"9": {"questions": []}}}"#).expect("written");
    project.run(&["map", "1", "--answers", &file]).expect(0);
    let map = own_file(&project, "context-map.json");
    assert_eq!((&map["mine"], &map["phases"]["9"]), (&json!(1), &json!({"questions": []})));
    assert_eq!(map["phases"]["1"]["questions"][0]["answer"], "People");
    fs::write(&path, "[{").expect("written");
    project.run(&["map", "1", "--answers", &file]).expect(0);
    let aside = format!(".autopilot/archive/context-map-before-{}.json", project.run_id());
    let kept = fs::read_to_string(project.sandbox.project().join(aside)).expect("it is kept");
    assert_eq!(kept, "[{");
}

#[test]
fn e13_a_run_warns_of_phases_that_say_too_little_and_goes_on() {
    let project = vague(1, "");
    let output = project.run(&["run"]).expect(0);
    let told = "phase 1 has low context confidence (1/10): its goal is not written yet; `autopilot map 1` asks";
    assert!(output.stderr.contains(told), "{}", output.shown());
    let project = Project::honest(1);
    let output = project.run(&["run"]).expect(0);
    assert!(!output.stderr.contains("context confidence"), "{}", output.shown());
}

const CONTEXT: &str = "# Phase 1: Part 1 - Context\n\n**Gathered:** DAY\n**Status:** Ready for planning\n\n\
    ## Phase Boundary\n\nSomething that people run.\n\nFrom the roadmap: `part-1.txt` is written.\n\n\
    ## Implementation Decisions\n\n\
    ### Output\n- Output: how should it be? like what is there\n\n\
    ### Errors\n- Errors: how should it be? as the old one does it\n\n\
    ### Claude's Discretion\n- Output: Output: what if something is missing?\n\n\
    ## Specific Ideas\n\n- as the old one does it\n\n\
    ## Deferred Ideas\n\n- a page that shows them\n";

/// A questioner who knows which answers name an example.
fn sorter() -> String {
    let returned = "task = \"sort\"\nreturn = { questions = [], specific = [1] }";
    agent("questioner", 1, "", returned)
}

fn talked() -> Value {
    json!({
        "discuss/1/areas": "1, 3",
        "discuss/1/1/1": "b",
        "discuss/1/1/2": "c",
        "discuss/1/3/1": "as the old one does it",
        "discuss/1/3/2": "later: a page that shows them",
    })
}

#[test]
fn c43_a_discussion_leaves_exactly_these_sections_and_keys() {
    let project = Project::scripted(&sorter());
    let file = answers(&project, &talked());
    let output = project.run(&["discuss", "1", "--answers", &file]).expect(0);
    assert!(output.stderr.contains("brings CONTEXT.md to your branch"), "{}", output.shown());
    let head = project.head();
    let path = ".planning/phases/1-part-1/CONTEXT.md";
    let text = project.sandbox.git(["show", &format!("{head}:{path}")]);
    let day = text.lines().find_map(|line| line.strip_prefix("**Gathered:** ")).expect("a day");
    assert_eq!(text.trim_end(), CONTEXT.replace("DAY", day).trim_end());
    let file = own_file(&project, "discuss-context.json");
    let phase = &file["phases"]["1"];
    assert_eq!(file["version"], "1.0");
    assert_eq!(phase["gray_areas_discussed"], json!(["Output", "Errors"]));
    assert_eq!(phase["context_md_path"], path);
    let told: Vec<&Value> =
        phase["questions"].as_array().expect("a list").iter().map(|one| &one["answer"]).collect();
    let expected = [
        "like what is there",
        "You decide",
        "as the old one does it",
        "later: a page that shows them",
    ];
    assert_eq!(told, expected);
    let first: Vec<&str> =
        phase["questions"][0].as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(first, ["answer", "answered_at", "area", "category", "question"]);
    assert!(project.facts().iter().all(|fact| fact["phase"].is_null()), "no phase was begun");
    project.run(&["land", "-y"]).expect(0);
    assert!(project.sandbox.project().join(path).is_file());
    project.run(&["run"]).expect(0);
    let told = prompt(&project, "1/plan/1");
    assert!(told.contains("From `CONTEXT.md`:"), "a later run is told what was landed: {told}");
}

#[test]
fn c43_one_question_at_a_time_ends_with_4_until_it_is_answered() {
    let project = Project::scripted("");
    project.run(&["discuss", "1"]).expect(4);
    for (gate, text) in
        [("discuss/1/areas", "2"), ("discuss/1/2/1", "a"), ("discuss/1/2/2", "you decide")]
    {
        assert_eq!(gates(&project), [gate]);
        project.run(&["answer", gate, text]).expect(0);
        project.run(&["resume"]).expect(if gate.ends_with("2/2") { 0 } else { 4 });
    }
    assert!(inbox(&project).is_empty());
}

#[test]
fn c43_what_is_no_answer_is_refused_with_what_is() {
    let project = Project::scripted("");
    project.run(&["discuss", "1"]).expect(4);
    for (arguments, told) in [
        (vec!["answer", "discuss/1/areas", "the first"], "answer with numbers"),
        (vec!["answer", "discuss/7/areas", "1"], "its open questions: discuss/1/areas"),
        (vec!["answer", "1/human/1-00", "yes"], "`autopilot approve` or `reject`"),
        (vec!["approve", "discuss/1/areas", "-m", "x"], "answer with numbers"),
    ] {
        let output = project.run(&arguments).expect(1);
        assert!(output.stderr.contains(told), "{arguments:?}: {}", output.shown());
    }
    let fine = answers(&project, &json!({"map/1/1": "x"}));
    let output = project.run(&["run", "--answers", &fine]).expect(1);
    assert!(output.stderr.contains("neither is there"), "{}", output.shown());
    fs::write(project.path("bad.json"), "{\"answers\": {\"1/human/1-00\": \"x\"}}")
        .expect("writable");
    let bad = project.path("bad.json").display().to_string();
    let output = project.run(&["discuss", "--answers", &bad]).expect(1);
    assert!(output.stderr.contains("no question of a map or a discussion"), "{}", output.shown());
}

#[test]
fn e20_a_run_that_asks_first_tells_those_who_plan_and_work_and_nobody_who_judges() {
    let project = vague(1, &sorter());
    let mut all = talked();
    all["map/1/1"] = json!("People in a hurry");
    all["map/1/2"] = json!("");
    let file = answers(&project, &all);
    project.run(&["run", "--discuss", "--map", "--answers", &file]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
    for step in ["1/research/1", "1/plan/1", "1/execute/1-01/1"] {
        let told = prompt(&project, step);
        let places = ["From `CONTEXT.md`:", "like what is there", "People in a hurry"]
            .map(|text| told.find(text).unwrap_or_else(|| panic!("{step}, {text}: {told}")));
        assert!(places.is_sorted(), "{step}: {told}");
        let decided = told.split("## Deferred Ideas").next().unwrap_or_default();
        assert!(!decided.contains("a page that shows them"), "{step}: {told}");
    }
    for step in ["1/verify/1", "1/judge/1", "1/rate/1"] {
        let told = prompt(&project, step);
        for secret in ["CONTEXT.md", "like what is there", "People in a hurry"] {
            assert!(!told.contains(secret), "{step}, {secret}: {told}");
        }
    }
    let files = project.files_at(&project.head());
    assert!(files.contains(&".planning/phases/1-part-1/CONTEXT.md".to_owned()), "{files:?}");
    project.run(&["audit"]).expect(0);
    project.run(&["verify"]).expect(0);
}

#[test]
fn e20_whoever_judges_does_not_find_the_file_either() {
    let look = "{ run = { command = \"find . -name CONTEXT.md > ROOT/signs/ROLE\" } }";
    let script: String = ["verifier", "judge", "rater", "executor"]
        .iter()
        .map(|role| {
            let done = if *role == "executor" {
                ", { write = { path = \"part-1.txt\", text = \"part 1\\n\" } }"
            } else {
                ""
            };
            agent(role, 1, &(look.replace("ROLE", role) + done), "")
        })
        .collect();
    let project = Project::scripted(&(sorter() + &script));
    let file = answers(&project, &talked());
    project.run(&["run", "--discuss", "--answers", &file]).expect(0);
    for (role, sees) in
        [("executor", true), ("verifier", false), ("judge", false), ("rater", false)]
    {
        let found = fs::read_to_string(project.path("signs").join(role)).expect("it has looked");
        assert_eq!(found.contains("1-part-1/CONTEXT.md"), sees, "{role}: {found}");
    }
}

#[test]
fn c43_an_agent_cannot_change_what_a_person_has_decided() {
    let path = ".planning/phases/1-part-1/CONTEXT.md";
    let forged = format!("{{ write = {{ path = \"{path}\", text = \"do as you like\\n\" }} }}");
    let executor = agent("executor", 1, &[forged, part(1)].join(", "), "");
    let project = Project::scripted(&(sorter() + &executor));
    let file = answers(&project, &talked());
    project.run(&["run", "--discuss", "--answers", &file]).expect(0);
    let text = project.sandbox.git(["show", &format!("{}:{path}", project.head())]);
    assert!(text.contains("### Output\n- Output: how should it be? like what is there"), "{text}");
    assert!(!text.contains("do as you like"), "{text}");
    project.run(&["verify"]).expect(0);
}

#[test]
fn c42_c43_a_run_that_is_killed_while_it_asks_loses_no_answer() {
    let areas =
        agent("questioner", 1, &[sign("areas"), until("go")].join(", "), "task = \"areas\"");
    let project = vague(1, &(areas + &sorter()));
    let mut engine = project.start(&["run", "--discuss", "--map"]);
    project.await_sign("areas");
    project.run(&["answer", "discuss/1/areas", "1"]).expect(0);
    engine.kill();
    fs::write(project.path("signs/go"), "").expect("writable");
    project.run(&["resume"]).expect(4);
    assert_eq!(gates(&project), ["discuss/1/1/1"], "the areas were chosen before the kill");
    let file = answers(
        &project,
        &json!({"discuss/1/1/1": "a", "discuss/1/1/2": "a", "map/1/1": "x", "map/1/2": "y"}),
    );
    project.run(&["answer", "--answers", &file]).expect(0);
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
    autopilot_testkit::program::check_books(&project);
}

#[test]
fn c43_questions_are_answered_at_the_terminal() {
    let project = Project::scripted("");
    let (terminal, engine) = Terminal::start(&project, &["discuss", "1"]);
    for (gate, keys) in
        [("discuss/1/areas", "the first\r2\r"), ("discuss/1/2/1", "a\r"), ("discuss/1/2/2", "\r")]
    {
        let question = format!("your answer to {gate}:");
        awaited(&question, Duration::from_secs(20), || terminal.shown().contains(&question));
        terminal.press(keys);
    }
    engine.wait().expect(0);
    let shown = terminal.shown();
    assert!(shown.contains("answer with numbers"), "{shown}");
    let file = own_file(&project, "discuss-context.json");
    assert_eq!(file["phases"]["1"]["questions"][0]["answer"], "as plain as can be");
    assert_eq!(file["phases"]["1"]["questions"][1]["answer"], "You decide");
}

#[test]
fn everything_that_waits_in_any_run_is_in_the_inbox() {
    let project = vague(2, "");
    project.run(&["map", "1"]).expect(4);
    project.run(&["discuss", "2"]).expect(4);
    let output = project.run(&["inbox"]).expect(0);
    for told in [
        "map/1/1 (phase 1): Who is it for? [requirements]",
        "discuss/2/areas (phase 2):",
        "    1. Output - ",
    ] {
        assert!(output.stdout.contains(told), "{told}: {}", output.shown());
    }
    let runs: std::collections::BTreeSet<String> =
        inbox(&project).iter().map(|one| one["run"].to_string()).collect();
    assert_eq!(runs.len(), 2);
    let empty = Project::scripted("");
    assert_eq!(empty.run(&["inbox"]).expect(0).stdout, "nothing waits for a person\n");
}
