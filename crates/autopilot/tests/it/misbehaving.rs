//! Agents that misbehave: whatever they do, the run goes on or ends in order, and nothing of theirs slips in.

use std::{fs, time::Duration};

use autopilot_testkit::processes::Mark;

use crate::harness::{
    Project, Sample, agent, agents_in, anonymous_bytes, awaited, ended_as, honest, part, sh, sign,
    until,
};

/// What the engine may use while an agent floods it.
const MEMORY_MAX: u64 = 12 << 20;
/// How much the agent prints in the short form.
const FLOOD_BYTES: u64 = 50_000_000;

fn project(script: &str, config: &str) -> Project {
    Project::new(&Sample { phases: 1, script: script.to_owned(), config: config.to_owned() })
}

/// What `git log` tells of a branch or ref, with every file's content.
fn history(project: &Project, reference: &str) -> String {
    project.sandbox.git(["log", "-p", "--format=%s", reference, "--"])
}

#[test]
fn a_lie_that_is_never_put_right_fails_the_phase_and_stays_off_the_run_branch() {
    let lie = "{ write = { path = \"lie.txt\", text = \"unproven\\n\" } }, \"lie\"";
    let more = "{ write = { path = \"more.txt\", text = \"unproven\\n\" } }, \"lie\"";
    let script = agent("executor", 1, lie, "return = { tasks_completed = \"1/1\" }")
        + &agent("debugger", 1, more, "return = { fixed = true }");
    let project = Project::new(&Sample { phases: 2, script, ..Sample::default() });
    let output = project.run(&["run", "--complete"]).expect(3);
    assert!(output.stderr.contains("CAUGHT: executor: handed in as done"), "{output:?}");
    assert!(output.stderr.contains("CAUGHT: debugger: handed in as repaired"), "{output:?}");
    assert_eq!(project.phase_states(), ["1 failed", "2 blocked"]);
    let base = project.sandbox.git(["rev-parse", "main"]);
    assert_eq!(project.head(), base, "the run branch holds nothing of it");
    let run = project.run_id();
    let rejected = format!("autopilot/{run}/rejected/1");
    assert!(history(&project, &rejected).contains("PLAN.md"), "the plan stood");
    let kept = format!("refs/autopilot/{run}/kept/1/execute/1-01/1");
    assert!(history(&project, &kept).contains("lie.txt"), "the lie itself is kept");
    assert_eq!(project.run(&["resume"]).code, Some(3), "there is nothing to resume");
}

#[test]
fn a_silent_agent_is_ended_and_tried_again() {
    let script = agent("executor", 1, "{ daemon = { seconds = 600 } }, \"stall\"", "attempt = 1");
    let project = project(&script, "[limits]\nstall_seconds = 1\n");
    let output = project.run(&["run"]).expect(0);
    assert!(output.stderr.contains("it was silent for 1 s (stalled)"), "{output:?}");
    assert_eq!(ended_as(&project.facts(), "1/execute/1-01"), ["failed stalled", "done"]);
}

#[test]
fn processes_that_an_agent_leaves_behind_are_told() {
    let leave = sh("setsid sleep 601 > /dev/null 2>&1 & sleep 602 > /dev/null 2>&1 & sleep 0.1");
    let script = agent("executor", 1, &format!("{}, {leave}", part(1)), "");
    let project = project(&script, "");
    let output = project.run(&["run"]).expect(0);
    let words = "1/execute/1-01 left 2 processes behind, which were ended: sleep, sleep";
    assert!(output.stderr.contains(words), "{}", output.shown());
    let facts = project.facts();
    let strays: Vec<_> = facts.iter().filter_map(|fact| fact.get("strays")).collect();
    assert_eq!(strays.len(), 1, "only this step left any: {strays:?}");
    assert_eq!((&strays[0]["count"], &strays[0]["names"][0]), (&2.into(), &"sleep".into()));
    let log = project.run(&["log"]).expect(0).stdout;
    assert!(log.contains("strays") && log.contains("2 ended: sleep, sleep"), "{log}");
}

#[test]
fn an_agent_that_only_ever_stalls_fails_its_task() {
    let project = project(
        &agent("executor", 1, "\"stall\"", ""),
        "[limits]\nstall_seconds = 1\nstep_tries = 2\ntask_debugs = 0\nphase_debugs = 0\n",
    );
    project.run(&["run"]).expect(3);
    let ends = ended_as(&project.facts(), "1/execute/1-01");
    assert_eq!(ends, ["failed stalled", "failed stalled"]);
}

#[test]
fn crashes_exit_codes_and_broken_returns_are_tried_again() {
    let attempts = ["\"crash\"", "{ exit = { code = 7 } }", "\"malformed\"", &part(1)];
    let script: String = attempts
        .iter()
        .enumerate()
        .map(|(at, action)| agent("executor", 1, action, &format!("attempt = {}", at + 1)))
        .collect();
    let project = project(&script, "[limits]\nstep_tries = 4\n");
    let output = project.run(&["run"]).expect(0);
    let ends = ended_as(&project.facts(), "1/execute/1-01");
    assert_eq!(ends, ["failed crashed", "failed crashed", "failed malformed", "done"]);
    assert!(output.stderr.contains("exit code 7"), "{output:?}");
    assert!(output.stderr.contains("signal 6"), "{output:?}");
}

#[test]
fn a_return_that_does_not_fit_its_role_is_not_believed() {
    let rows = [
        ("verifier", "verify", "return = { pass = \"yes, everything\" }"),
        ("rater", "rate", "return = { alignment_score = 9.9, scorecard = [] }"),
        ("judge", "judge", "return = { recommendation = \"ship it\", concerns = [] }"),
    ];
    for (role, step, returned) in rows {
        let entry = agent(role, 1, "", &format!("attempt = 1\n{returned}"));
        let project = Project::scripted(&entry);
        project.run(&["run"]).expect(0);
        let ends = ended_as(&project.facts(), &format!("1/{step}"));
        assert_eq!(ends, ["failed malformed", "done"], "{role}");
    }
}

#[test]
fn e7_a_rating_that_names_no_line_that_is_there_is_not_believed() {
    for (evidence, is_there) in [
        ("part-1.txt:1", true),
        ("./part-1.txt:1", true),
        ("part-1.txt:2", false),
        ("nowhere.txt:1", false),
        ("/etc/passwd:1", false),
        ("../part-1.txt:1", false),
        ("part-1.txt", false),
    ] {
        let row = format!(
            "criterion = \"c\", score = 9.4, evidence = \"{evidence}\", justification = \"so\""
        );
        let returned =
            format!("attempt = 1\nreturn = {{ alignment_score = 9.4, scorecard = [{{ {row} }}] }}");
        let project = Project::scripted(&agent("rater", 1, "", &returned));
        project.run(&["run"]).expect(0);
        let ends = ended_as(&project.facts(), "1/rate");
        let expected = if is_there { vec!["done"] } else { vec!["failed malformed", "done"] };
        assert_eq!(ends, expected, "{evidence}");
    }
}

#[test]
fn too_many_failures_stop_the_run_and_raising_the_limit_goes_on() {
    let script = agent("executor", 1, "\"crash\"", "");
    let config = "[limits]\nrun_retries = 1\nstep_tries = 9\n";
    let project = project(&script, config);
    let output = project.run(&["run"]).expect(5);
    assert!(output.stderr.contains("stopped at the limit `run_retries`"), "{output:?}");
    assert_eq!(project.status()["status"], "ceiling");
    project.script(&honest(1));
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
}

#[test]
fn a_token_ceiling_stops_the_run_before_the_next_paid_step() {
    let script = agent("planner", 1, "", "attempt = 99")
        + &agent("researcher", 1, "{ usage = { tokens = 1000, micro_usd = 5 } }", "");
    let project = project(&script, "[limits]\nrun_tokens = 1000\n");
    project.run(&["run"]).expect(5);
    let facts = project.facts();
    let started = facts.iter().filter(|fact| !fact["started"].is_null()).count();
    assert_eq!(started, 1, "only the researcher");
    assert_eq!(project.status()["tokens"], 1000);
    let mut resume = project.command(["resume"]);
    resume.env("AUTOPILOT_CFG_LIMITS__RUN_TOKENS", "2000");
    project.finish(resume).expect(0);
}

#[test]
fn a_usage_limit_is_waited_out() {
    let script = agent("executor", 1, "{ limit = { seconds = 1 } }", "attempt = 1");
    let project = Project::scripted(&script);
    let output = project.run(&["run"]).expect(0);
    assert!(
        output.stderr.contains("[ -- ] scripted has to wait: usage limit reached"),
        "{output:?}"
    );
    let facts = project.facts();
    assert_eq!(ended_as(&facts, "1/execute/1-01"), ["limited", "done"]);
    let at = |name: &str| facts.iter().position(|fact| !fact[name].is_null());
    assert!(at("held") < at("released"));
}

#[test]
fn a_flood_is_survived_in_constant_memory() {
    let flood = format!("{{ flood = {{ bytes = {FLOOD_BYTES} }} }}");
    let flood = [sign("flood"), flood, sign("over"), part(1)].join(", ");
    let project = Project::scripted(&agent("executor", 1, &flood, ""));
    let mut engine = project.start(&["run"]);
    project.await_sign("flood");
    let over = project.path("signs/over");
    let (mut samples, mut most) = (0, 0);
    awaited("the flood ends", Duration::from_secs(60), || {
        most = most.max(anonymous_bytes(engine.pid()).unwrap_or(0));
        samples += 1;
        over.exists() || !engine.is_running()
    });
    engine.wait().expect(0);
    println!("flood: {samples} samples, at most {} KiB", most >> 10);
    assert!(samples > 3 && most > 0, "{samples} samples");
    assert!(most <= MEMORY_MAX, "{most} bytes");
    assert_eq!(project.phase_states(), ["1 completed"]);
}

#[test]
fn what_an_agent_leaves_running_is_gone_before_the_next_step() {
    let mark = Mark::new();
    let leave = format!(
        "setsid env -i sleep {mark} & trap '' TERM HUP; sleep {mark} & sleep {mark} &",
        mark = mark.as_str()
    );
    let daemon = "{ daemon = { seconds = 600 } }".to_owned();
    let left = [daemon, sh(&leave), sign("left"), until("seen"), part(1)].join(", ");
    let look = [sign("verifier"), until("go")].join(", ");
    let script = agent("executor", 1, &left, "") + &agent("verifier", 1, &look, "");
    let project = Project::scripted(&script);
    let engine = project.start(&["run"]);
    project.await_sign("left");
    mark.await_bearers(3, Duration::from_secs(5));
    let daemons = || {
        agents_in(&project.sandbox.root()).into_iter().filter(|(_, name)| name.contains("daemon"))
    };
    awaited("its daemon runs too", Duration::from_secs(5), || daemons().next().is_some());
    fs::write(project.path("signs/seen"), "").expect("writable");
    project.await_sign("verifier");
    assert_eq!(mark.bearers(), Vec::<u32>::new(), "nothing of the executor is left");
    assert_eq!(daemons().collect::<Vec<_>>(), []);
    assert!(!agents_in(&project.sandbox.root()).is_empty(), "the verifier would be found");
    fs::write(project.path("signs/go"), "").expect("writable");
    engine.wait().expect(0);
    project.await_no_agents(Duration::from_secs(1));
}

#[test]
fn an_agent_that_reaches_into_the_persons_checkout_does_not_break_the_run() {
    let reach = sh(
        "cd ROOT/project && echo reached >> README.md && echo reached > new.txt && git add new.txt",
    );
    let actions = format!("{reach}, {}", part(1));
    let project = Project::scripted(&agent("executor", 1, &actions, ""));
    project.run(&["run"]).expect(0);
    let there = fs::read_to_string(project.sandbox.project().join("README.md")).expect("readable");
    assert_eq!(
        there, "hello\nreached\n",
        "without a sandbox nothing keeps it from there, and it did it"
    );
    let head = project.head();
    let shown = project.sandbox.git(["show", &format!("{head}:README.md")]);
    assert_eq!(shown, "hello", "what was done there does not come with the run");
    assert!(!project.files_at(&head).contains(&"new.txt".to_owned()));
    assert_eq!(project.phase_states(), ["1 completed"]);
}

#[test]
fn c3_a_roadmap_that_changes_under_the_run_halts_it_until_a_person_looks() {
    let change = sh("echo changed >> ROOT/project/.planning/ROADMAP.md");
    let script = agent("rater", 1, &change, "");
    let project = Project::new(&Sample { phases: 2, script, ..Sample::default() });
    let output = project.run(&["run", "--complete"]).expect(5);
    assert!(output.stderr.contains("has changed since the run began"), "{output:?}");
    assert_eq!(project.phase_states(), ["1 completed", "2 active"]);
    project.run(&["resume"]).expect(5);
    project.sandbox.git(["checkout", "--", ".planning/ROADMAP.md"]);
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed", "2 completed"]);
}

#[test]
fn c3_a_person_can_accept_that_the_roadmap_has_changed_and_both_are_recorded() {
    let change = sh("echo changed >> ROOT/project/.planning/ROADMAP.md");
    let script = agent("rater", 1, &change, "");
    let project = Project::new(&Sample { phases: 2, script, ..Sample::default() });
    project.run(&["run", "--complete"]).expect(5);
    project.run(&["resume", "--accept-spec-change"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed", "2 completed"]);
    let facts = project.facts();
    let frozen = facts[0]["submitted"]["spec_sha256"].as_str().expect("a hash");
    let accepted = facts.iter().find_map(|fact| {
        let gate = fact["answered"]["gate"].as_str()?.strip_prefix("spec/")?;
        Some((gate, fact["answered"]["answer"]["message"].as_str()?))
    });
    let (now, message) = accepted.expect("it is recorded");
    assert!(now != frozen && now.len() == 64 && message.contains(frozen), "{now} {message}");
}
