//! One run with everything that can happen to phases, told to the end: a table, reports and an exit code.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

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

/// Two parts instead of one plan. The last one leaves this line in the file of the phase.
fn in_parts(phase: usize, last: &str) -> String {
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
                { name = \"First half\", scope = \"half\" }, { name = \"Second half\", scope = \"the rest\" }] } }";
    let (one, two) = (format!("{phase}a"), format!("{phase}b"));
    // The first half comes to the end of what its agent can remember once.
    let half = format!("half-{phase}.txt");
    let exhausted = "attempt = 1\nreturn = { tasks_completed = \"0/1\", issues = [\"context_exhaustion: half of it\"] }";
    planner(&phase.to_string(), &directory, &all, wish)
        + &planner(
            &one,
            &format!("{directory}/{one}"),
            &task(&format!("{one}-01"), &half, "half"),
            "",
        )
        + &executor(&one, &half, "ha", exhausted)
        + &executor(&one, &half, "half", "")
        + &planner(
            &two,
            &format!("{directory}/{two}"),
            &task(&format!("{two}-01"), &format!("part-{phase}.txt"), &format!("part {phase}")),
            "",
        )
        + &executor(&two, &format!("part-{phase}.txt"), last, "")
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
        // 2: planned anew, after a return that is none and an agent that crashes.
        agent("researcher", 2, "\"malformed\"", "attempt = 1"),
        agent("executor", 2, "\"crash\"", "attempt = 1"),
        agent("rater", 2, "", &format!("attempt = 1\n{}", rating("6.0", 2))),
        // 3: in parts, of which one is handed over.
        in_parts(3, "part 3"),
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
        // 10: in parts, of which one is not done.
        in_parts(10, "nothing"),
    ]
    .concat()
}

fn project() -> Project {
    let project = Project::new(&Sample { phases: 12, script: script(), config: CONFIG.to_owned() });
    project.sandbox.write(".planning/ROADMAP.md", roadmap());
    project.sandbox.write("Makefile", MAKEFILE);
    project.sandbox.commit("a roadmap with everything in it");
    project
}

fn file(project: &Project, name: &str) -> String {
    let path = project.sandbox.project().join(".autopilot").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The report on all phases, without what differs from run to run.
fn report(project: &Project) -> String {
    let text = file(project, "completion-report.md").replace(&project.run_id(), "RUN");
    let varies = |line: &str| {
        ["Date", "Duration", "Generated", "Time"].iter().any(|word| line.contains(word))
    };
    let lines = text.lines().filter(|line| !varies(line));
    lines.map(|line| format!("{line}\n")).collect()
}

/// What failed phases are said to have failed for.
fn causes(project: &Project) -> BTreeMap<usize, String> {
    let told = |phase: usize| -> Value {
        let text = file(project, &format!("diagnostics/phase-{phase}-postmortem.json"));
        serde_json::from_str(&text).expect("JSON")
    };
    let cause = |phase| told(phase)["root_cause"]["category"].as_str().map(str::to_owned);
    (4..=10).map(|phase| (phase, cause(phase).expect("a category"))).collect()
}

/// What steps of phases that went well in the end failed for.
fn troubles(project: &Project) -> BTreeSet<String> {
    let facts = project.facts();
    let classes = facts.iter().filter_map(|fact| fact["ended"]["end"]["failed"]["class"].as_str());
    classes.map(str::to_owned).collect()
}

fn check_report(project: &Project) {
    assert_snapshot!(report(project), @r#"
    # Batch Completion Report

    **Run ID:** RUN
    **Mode:** --complete
    **Project completion:** 25.0% (3/12 phases)

    ## Phases Attempted
    |---|---|---|---|---|
    | 1 | completed | 9.4/10 | 0m |  |
    | 2 | completed | 9.4/10 | 0m |  |
    | 3 | completed | 9.4/10 | 0m | in parts: 3a, 3b |
    | 4 | failed | - | 0m | the judge said roll back: it is the wrong file |
    | 5 | failed | - | 0m | still broken after 1 repairs: It is written (`grep -qx 'part 5' part-5.txt`): exit code 2, expected 0 It printed: grep: part-5.txt: No such file or directory |
    | 6 | failed | - | 0m | still broken after 1 repairs: It is written (`grep -qx 'part 6' part-6.txt`): exit code 2, expected 0 It printed: grep: part-6.txt: No such file or directory |
    | 7 | failed | - | 0m | still broken after 1 repairs: guard build (`! cat *.txt \| grep -q BUILD-ME-NOT`): it held before this phase and is broken now: exit code 1, expected 0 |
    | 8 | failed | - | 0m | still broken after 1 repairs: It is written (`grep -qx 'part 8' part-8.txt`): exit code 2, expected 0 It printed: grep: part-8.txt: No such file or directory |
    | 9 | failed | - | 0m | still broken after 1 repairs: it also renames things |
    | 10 | failed | - | 0m | its part 10b failed: still broken after 1 repairs: it is written (`echo part 10 \| cmp -s - part-10.txt`): exit code 2, expected 0; in parts: 10a, 10b |

    ## Phases Skipped
    | Phase | Reason |
    |---|---|
    | 11 | blocked_by_phase_4 |
    | 12 | blocked_by_phase_4 |

    ## Dependency Gaps
    - **Phase 4 failed** -> Blocked: Phase 11 (Part 11), Phase 12 (Part 12)

    ## Summary
    - Attempted: 10
    - Succeeded: 3
    - Failed: 7
    - Skipped (already done): 0
    - Skipped (blocked): 2
    - Deferred to human: 1
    "#);
}

fn check_end(project: &Project, ended: &str) {
    let (_, table) = ended.split_once("\nPHASE").expect("a table");
    assert_snapshot!(format!("PHASE{table}"), @r#"
    PHASE  NAME         STATUS     SCORE  TOKENS  DETAIL
    1      Part 1       completed  9.4    0       1-00 was found good by person
    2      Part 2       completed  9.4    0
    3      Part 3       completed  9.4    0
    4      Part 4       failed     -      0       the judge said roll back: it is the wrong file (kept on autopilot/RUN/rejected/4)
    5      Part 5       failed     -      0       still broken after 1 repairs: It is written (`grep -qx 'part 5' part-5.txt`): exit code 2, expected 0 / It printed: / grep: part-5.txt: No such file or directory (kept on autopilot/RUN/rejected/5)
    6      Part 6       failed     -      0       still broken after 1 repairs: It is written (`grep -qx 'part 6' part-6.txt`): exit code 2, expected 0 / It printed: / grep: part-6.txt: No such file or directory (kept on autopilot/RUN/rejected/6)
    7      Part 7       failed     -      0       still broken after 1 repairs: guard build (`! cat *.txt | grep -q BUILD-ME-NOT`): it held before this phase and is broken now: exit code 1, expected 0 (kept on autopilot/RUN/rejected/7)
    8      Part 8       failed     -      0       still broken after 1 repairs: It is written (`grep -qx 'part 8' part-8.txt`): exit code 2, expected 0 / It printed: / grep: part-8.txt: No such file or directory (kept on autopilot/RUN/rejected/8)
    9      Part 9       failed     -      0       still broken after 1 repairs: it also renames things (kept on autopilot/RUN/rejected/9)
    10     Part 10      failed     -      0       its part 10b failed: still broken after 1 repairs: it is written (`echo part 10 | cmp -s - part-10.txt`): exit code 2, expected 0 (kept on autopilot/RUN/rejected/10)
    11     Part 11      blocked    -      0       blocked_by_phase_4
    12     Part 12      blocked    -      0       blocked_by_phase_4
    3a     First half   completed  9.4    0
    3b     Second half  completed  9.4    0
    10a    First half   completed  9.4    0
    10b    Second half  failed     -      0       still broken after 1 repairs: it is written (`echo part 10 | cmp -s - part-10.txt`): exit code 2, expected 0 (kept on autopilot/RUN/rejected/10b)

    `autopilot log RUN` tells what happened, rejected work is on its own branch; `autopilot resume --retry` tries failed phases once more; `autopilot land RUN --incomplete` brings over what is complete
    "#);
    check_report(project);
    let causes: Vec<String> =
        causes(project).into_iter().map(|(phase, cause)| format!("{phase} {cause}")).collect();
    assert_snapshot!(causes.join("\n"), @r#"
    4 executor_wrong_approach
    5 compilation_failure
    6 lint_failure
    7 build_failure
    8 acceptance_criteria_unmet
    9 scope_creep
    10 executor_incomplete
    "#);
    // Coordination, a tool and what an agent can remember failed as well, in phases that were completed all the same.
    let troubles: Vec<String> = troubles(project).into_iter().collect();
    assert_eq!(troubles, ["context", "crashed", "malformed"]);
    let mut files = project.files_at(&project.head());
    files.retain(|file| file.ends_with(".txt"));
    files.sort();
    assert_eq!(files, ["half-3.txt", "part-1.txt", "part-2.txt", "part-3.txt", "title.txt"]);
    project.run(&["audit"]).expect(0);
    project.run(&["verify"]).expect(0);
}

#[test]
fn a_run_with_everything_in_it_ends_as_it_must() {
    let project = project();
    project.run(&["run", "--complete"]).expect(4);
    project.run(&["approve", "1/human/1-00"]).expect(0);
    let ended = project.run(&["resume"]).expect(3);
    check_end(&project, &ended.shown());
}
