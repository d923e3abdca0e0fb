//! One run with everything that can happen to phases, told to the end: a table, reports and an exit code.

use std::{collections::BTreeSet, fs};

use insta::assert_snapshot;
use serde_json::Value;

use crate::harness::{Project, Sample, agent, part, plan, sh};

/// What each phase waits for; the others wait for nothing.
const WAITS: [(usize, usize); 2] = [(11, 4), (12, 11)];

/// Gates that look for a word, each its own.
const MAKEFILE: &str =
    "check:\n\t! cat *.txt | grep -q COMPILE-ME-NOT\nlint:\n\t! cat *.txt | grep -q LINT-ME-NOT\n";

/// A guard of the project's own beside its gates.
const CONFIG: &str = "[limits]\ntask_debugs = 1\nphase_debugs = 1\nremediations = 2\nreplans = 1\nstep_tries = 2\n\
    no_progress = 50\nsame_error = 50\n\n[guards]\nbuild = \"! cat *.txt | grep -q BUILD-ME-NOT\"\n";

fn roadmap() -> String {
    let mut text = "# Roadmap\n\n".to_owned();
    for phase in 1..=12 {
        text.push_str(&format!("- [ ] **Phase {phase}: Part {phase}** - write it\n"));
    }
    for phase in 1..=12 {
        let waits = WAITS.iter().find(|(own, _)| *own == phase);
        let before = waits.map_or("Nothing".to_owned(), |(_, before)| format!("Phase {before}"));
        text.push_str(&format!(
            "\n### Phase {phase}: Part {phase}\n**Goal**: `part-{phase}.txt` is written.\n\
             **Depends on**: {before}\n**Success Criteria**:\n\
             1. It is written -- verified by: `grep -qx 'part {phase}' part-{phase}.txt`\n"
        ));
    }
    text
}

/// A rating with a row that lacks something.
fn rating(score: &str, phase: usize) -> String {
    format!(
        "return = {{ alignment_score = {score}, scorecard = [{{ criterion = \"it is written\", score = {score}, \
         evidence = \"part-{phase}.txt:1\", justification = \"part-{phase}.txt:1 has no title\" }}] }}"
    )
}

/// A task for a person's eyes, before the agent's own.
const LOOK: &str = "<task id=\"1-00\" type=\"checkpoint:human-verify\">\n<name>Look at it</name>\n\
    <action>Does the page look right?</action>\n<done>someone looked</done>\n</task>\n\n";

/// Two parts instead of one plan.
fn in_parts(phase: usize) -> String {
    let task = |id: &str, file: &str, line: &str| {
        format!(
            "<task id=\"{id}\" type=\"auto\" complexity=\"complex\">\n<name>Write {file}</name>\n<files>{file}</files>\n\
             <action>Write the file {file} into the root of the project. It holds one line with the text {line} and a line end, \
             and nothing before or after it.</action>\n<acceptance_criteria>\n\
             - it is written -- verified by: `echo {line} | cmp -s - {file}`\n</acceptance_criteria>\n\
             <verify>read it</verify>\n<done>it is written</done>\n</task>\n"
        )
    };
    let planner = |name: &str, directory: &str, tasks: &str, rest: &str| {
        format!(
            "[[on]]\nrole = \"planner\"\nphase = \"{name}\"\n{rest}\ndo = [{{ write = {{ path = \"{directory}/PLAN.md\", \
             text = '''\n# Plan\n\n{tasks}''' }} }}]\n\n"
        )
    };
    let executor = |name: &str, file: &str, line: &str, rest: &str| {
        format!(
            "[[on]]\nrole = \"executor\"\nphase = \"{name}\"\n{rest}\ndo = [{{ write = {{ path = \"{file}\", text = \
             \"{line}\\n\" }} }}]\n\n"
        )
    };
    let directory = format!(".planning/phases/{phase}-part-{phase}");
    let all: String =
        (1..=6).map(|number| task(&format!("{phase}-0{number}"), "x.txt", "x")).collect();
    let wish = "return = { split_details = { reason = \"six hard tasks\", recommended_sub_phases = [\
                { name = \"First half\", scope = \"half.txt\" }, { name = \"Second half\", scope = \"the rest\" }] } }";
    let (one, two) = (format!("{phase}a"), format!("{phase}b"));
    // The first half comes to the end of what it can remember once.
    let exhausted = "attempt = 1\nreturn = { tasks_completed = \"0/1\", issues = [\"context_exhaustion: half of it\"] }";
    planner(&phase.to_string(), &directory, &all, wish)
        + &planner(
            &one,
            &format!("{directory}/{one}"),
            &task(&format!("{one}-01"), "half.txt", "half"),
            "",
        )
        + &executor(&one, "half.txt", "ha", exhausted)
        + &executor(&one, "half.txt", "half", "")
        + &planner(
            &two,
            &format!("{directory}/{two}"),
            &task(&format!("{two}-01"), &format!("part-{phase}.txt"), &format!("part {phase}")),
            "",
        )
        + &executor(&two, &format!("part-{phase}.txt"), &format!("part {phase}"), "")
}

/// What happens to each phase.
fn script() -> String {
    let with = |phase: usize, word: &str| {
        [part(phase), sh(&format!("echo {word} > {word}.txt"))].join(", ")
    };
    let unsure = "return = { pass = true, commands_run = [\"true\"], autonomous_resolution_attempted = true, \
                  autonomous_confidence = 5, deferral_evidence = [\"no screen here\"] }";
    let creeps = "return = { pass = false, commands_run = [\"git diff\"], failures = [\"it also renames things\"], \
                  failure_categories = [{ failure = \"it also renames things\", category = \"scope_creep\" }] }";
    let rolls_back = "return = { recommendation = \"rollback\", concerns = [\"it is the wrong file\"], \
                      independent_evidence = [\"part-4.txt:1 should be a page\"] }";
    [
        // 1: improved once, and a person looks at the end.
        agent("verifier", 1, "", unsure),
        plan(1, LOOK, ""),
        agent("rater", 1, "", &format!("attempt = 1\n{}", rating("8.2", 1))),
        agent("debugger", 1, &sh("echo a title > title.txt"), ""),
        // 2: planned anew, after a return that is none.
        agent("researcher", 2, "\"malformed\"", "attempt = 1"),
        agent("rater", 2, "", &format!("attempt = 1\n{}", rating("6.0", 2))),
        // 3: in parts, of which one is handed over.
        in_parts(3),
        // 4: taken back, with a chain behind it.
        agent("judge", 4, "", rolls_back),
        // 5, 6, 7: gates.
        agent("executor", 5, &with(5, "COMPILE-ME-NOT"), ""),
        agent("executor", 6, &with(6, "LINT-ME-NOT"), ""),
        agent("executor", 7, &with(7, "BUILD-ME-NOT"), ""),
        // 8: never done.
        agent("executor", 8, "", ""),
        // 9: more than was asked for, again and again.
        agent("verifier", 9, "", creeps),
        // 10: nobody can work.
        agent("executor", 10, "\"crash\"", ""),
    ]
    .concat()
}

fn project() -> Project {
    let project = Project::new(&Sample { phases: 12, script: script(), config: CONFIG.to_owned() });
    project.sandbox.write(".planning/ROADMAP.md", &roadmap());
    project.sandbox.write("Makefile", MAKEFILE);
    project.sandbox.commit("a roadmap with everything in it");
    project
}

fn file(project: &Project, name: &str) -> String {
    let path = project.sandbox.project().join(".autopilot").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What a run leaves, without what differs from run to run.
fn left(project: &Project) -> Vec<String> {
    let mut left = project.phase_states();
    let mut files = project.files_at(&project.head());
    files.sort();
    left.extend(files);
    for phase in 4..=10 {
        let told: Value = serde_json::from_str(&file(
            project,
            &format!("diagnostics/phase-{phase}-postmortem.json"),
        ))
        .expect("JSON");
        left.push(format!("{phase}: {}", told["root_cause"]["category"]));
    }
    left
}

#[test]
fn a_run_with_everything_in_it_ends_as_it_must() {
    let project = project();
    let waiting = project.run(&["run", "--complete"]).expect(4);
    assert_snapshot!(waiting.shown(), @"");
    project.run(&["approve", "1/human/1-00"]).expect(0);
    let ended = project.run(&["resume"]).expect(3);
    assert_snapshot!(ended.shown(), @"");
    assert_snapshot!(left(&project).join("\n"), @"");
    let facts = project.facts();
    let categories: BTreeSet<&str> = facts
        .iter()
        .filter_map(|fact| fact["phase"]["fact"]["learned"]["category"].as_str())
        .collect();
    assert_snapshot!(categories.into_iter().collect::<Vec<_>>().join(" "), @"");
    project.run(&["audit"]).expect(0);
    project.run(&["verify"]).expect(0);
}
