//! The project's own commands: gates of every task, told before a run, and part of its certificates.

use insta::assert_snapshot;

use crate::harness::{Project, Sample, agent, part, sh};

/// Nothing below may hold the word `BAD`, or be called `broken`.
const MAKEFILE: &str = "check:\n\t! test -e broken\nlint:\n\t! cat *.txt | grep -q BAD\n";

/// One phase of a project with gates, whose executor does this.
fn project(executor: &str, debugger: &str) -> Project {
    let script = agent("executor", 1, executor, "") + &agent("debugger", 1, debugger, "");
    let config = "[limits]\ntask_debugs = 1\nphase_debugs = 0\n".to_owned();
    let project = Project::new(&Sample { phases: 1, script, config });
    project.sandbox.write("Makefile", MAKEFILE);
    project.sandbox.commit("gates");
    project
}

/// The names of the checks that were run after the task, in their order.
fn asked_after_task(project: &Project) -> Vec<String> {
    let facts = project.facts();
    let checked =
        facts.iter().find_map(|fact| fact["phase"]["fact"]["checked"]["results"].as_array());
    let names = checked.into_iter().flatten().filter_map(|result| result["name"].as_str());
    names.map(str::to_owned).collect()
}

#[test]
fn c10_work_that_is_against_a_gate_is_sent_back_before_it_is_committed() {
    let bad = [part(1), sh("echo BAD >> part-1.txt")].join(", ");
    let project = project(&bad, &sh("sed -i /BAD/d part-1.txt"));
    project.run(&["run"]).expect(0);
    let names = asked_after_task(&project);
    let gates: Vec<&String> = names.iter().filter(|name| !name.contains('/')).collect();
    assert_eq!(gates, ["compile", "lint"], "in this order, and none for what is not there");
    let log = project.run(&["log", "--json"]).expect(0);
    assert!(log.stdout.contains("task-fix"), "{}", log.stdout);
    assert!(
        !project.sandbox.git(["log", "-p", &project.head(), "--", "part-1.txt"]).contains("BAD")
    );
    project.run(&["verify", "--rerun"]).expect(0);

    let stubborn = self::project(&bad, "");
    stubborn.run(&["run"]).expect(3);
    assert_eq!(stubborn.phase_states(), ["1 failed"]);
}

#[test]
fn c10_a_gate_that_is_red_before_the_work_is_told_and_blocks_nothing() {
    let project = project(&part(1), "");
    project.sandbox.write("broken", "");
    project.sandbox.commit("it was broken before");
    let output = project.run(&["run"]).expect(0);
    assert!(output.stderr.contains("compile"), "{}", output.shown());
}

#[test]
fn c4_a_persons_word_turns_a_gate_off_also_in_the_file_of_an_earlier_program() {
    let bad = [part(1), sh("echo BAD > notes.txt")].join(", ");
    for (path, text) in [
        ("autopilot.toml", "\n[project.commands]\nlint = \"\"\n"),
        (".planning/config.json", "{\"project\": {\"commands\": {\"lint\": null}}}"),
    ] {
        let project = project(&bad, "");
        let file = project.sandbox.project().join(path);
        let before = std::fs::read_to_string(&file).unwrap_or_default();
        project.sandbox.write(path, before + text);
        project.sandbox.commit("no lint");
        project.run(&["run"]).expect(0);
    }
}

#[test]
fn c39_a_run_is_told_before_it_begins_and_nothing_is_started() {
    let project = project(&part(1), "");
    let plan = "<task id=\"1-01\" type=\"auto\" complexity=\"complex\">\n**Action**: write it\n</task>\n\
                <task id=\"1-02\" type=\"checkpoint:human-verify\" complexity=\"simple\">\n<name>Look at it</name>\n</task>\n";
    project.sandbox.write(".planning/phases/1-part-1/PLAN.md", plan);
    project.sandbox.commit("a plan");
    assert_snapshot!(project.run(&["run", "--dry-run", "--checkpoint-every", "2"]).shown(), @r"
        exit code 0
        --- stdout
        PHASE  NAME    AFTER  CRITERIA WITH A COMMAND  KIND   TOKENS, LIKELY
        1      Part 1         1 of 1                   mixed  150000

        1 of 1 phases would run, in this order.

        ROLE                 AGENT
        researcher           scripted
        planner              scripted
        plan-checker         scripted
        executor             scripted
        verifier             scripted
        judge                scripted
        rater                scripted
        debugger             scripted
        integration-checker  scripted
        auditor              scripted

        project: makefile by Makefile

        GUARD    COMMAND
        compile  make check
        lint     make lint

        score to reach: 9.0
        limits: 5000000 tokens and 1440 minutes for the run, 500000 tokens and 120 minutes for a phase
        estimate: 150000 tokens, 3 % of what the run may take

        What you will be asked:
        - phase 1: look at the result of task 1-02 (Look at it)
        - after every 2 phases the run waits for `autopilot resume`
        - whether an edit of a file that decides may count, if an agent makes one
        - what new plans leave to a person
        ");
    assert!(!project.sandbox.project().join(".autopilot").exists(), "nothing was started");
}

#[test]
fn c39_a_phase_that_is_likely_to_cost_too_much_is_named_before_it_begins() {
    let project = project(&part(1), "");
    let cheap = "\n[limits]\nphase_tokens = 250000\nrun_tokens = 200000\n";
    let file = project.sandbox.project().join("autopilot.toml");
    let text = std::fs::read_to_string(&file).expect("settings");
    let text = text.replace("[limits]\n", &cheap[1..]);
    project.sandbox.write("autopilot.toml", text);
    project.sandbox.commit("less to spend");
    let output = project.run(&["run"]).expect(0);
    for part in ["likely to take 240000 tokens, 96 % of what a phase may", "all phases together"] {
        assert!(output.stderr.contains(part), "{part}: {}", output.shown());
    }
}
