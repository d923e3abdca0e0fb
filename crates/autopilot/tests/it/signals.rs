//! Signals: the run stops in order, nothing survives, and resume finishes the work.

use std::{fs, time::Duration};

use autopilot_core::id::RunId;
use autopilot_engine::{
    driver::{Cancelled, Driver},
    home::Home,
    local::LocalDriver,
    work::Tools,
};
use autopilot_testkit::processes::guardian_in;
use rustix::process::{Pid, Signal, kill_process};

use crate::harness::{
    Project, Sample, agent, agents_in, awaited, ended_as, honest, part, sh, sign, until,
};

/// How long processes of agents may outlive a signal.
const SURVIVAL_MAX: Duration = Duration::from_secs(1);

/// Agents by what they leave: nothing, a grandchild that ignores what asks it to end, a daemon in its own session.
fn agents() -> [(&'static str, String, usize); 3] {
    let stall = |before: String| [before, sign("working"), "\"stall\"".to_owned()].join(", ");
    let deaf = sh("(trap '' TERM INT HUP; sleep 600 & sleep 600) & :");
    let daemon = "{ daemon = { seconds = 600 } }".to_owned();
    [
        ("plain", stall(sh(":")), 1),
        ("with a deaf grandchild", stall(deaf), 3),
        ("with a daemon", stall(daemon), 2),
    ]
}

/// Stops a run with a signal in the middle of a step, for every kind of agent, resumes it, and tells how long
/// the last process of an agent lived on.
fn stops(role: &str, signal: Signal) -> Duration {
    let mut slowest = Duration::ZERO;
    for (name, actions, processes) in agents() {
        let project = Project::scripted(&agent(role, 1, &actions, ""));
        let root = project.sandbox.root();
        let engine = project.start(&["run"]);
        project.await_sign("working");
        awaited("all of them run", Duration::from_secs(5), || agents_in(&root).len() >= processes);
        engine.signal(signal);
        slowest = slowest.max(project.await_no_agents(SURVIVAL_MAX));
        let output = engine.wait();
        assert_eq!(output.code, Some(130), "{name}: {}", output.shown());
        assert_eq!(project.status()["status"], "stopped", "{name}");
        project.script(&honest(1));
        project.run(&["resume"]).expect(0);
        assert_eq!(project.phase_states(), ["1 completed"], "{name}");
    }
    slowest
}

#[test]
fn an_interrupt_stops_the_run_in_order() {
    println!("all gone after at most {:?}", stops("researcher", Signal::INT));
}

#[test]
fn a_termination_stops_the_run_in_order() {
    println!("all gone after at most {:?}", stops("planner", Signal::TERM));
}

#[test]
fn a_hang_up_stops_the_run_in_order() {
    println!("all gone after at most {:?}", stops("researcher", Signal::HUP));
}

#[test]
fn a_second_interrupt_ends_the_program_in_the_middle_of_a_step() {
    let actions = [sign("working"), "\"stall\"".to_owned()].join(", ");
    let project = Project::scripted(&agent("researcher", 1, &actions, ""));
    let mut engine = project.start(&["run"]);
    project.await_sign("working");
    // A guardian that stands still ends no agent, so the first interrupt alone would not end the program for long.
    let guardian = guardian_in(&project.sandbox.root());
    let tell = |signal| kill_process(Pid::from_raw(guardian).expect("an id"), signal);
    tell(Signal::STOP).expect("it is ours");
    awaited("the second one ends it", Duration::from_secs(5), || {
        let runs = engine.is_running();
        if runs {
            // Two that come at the same moment are one to the system.
            engine.signal(Signal::INT);
        }
        !runs
    });
    let output = engine.wait().expect(130);
    assert!(
        output.stderr.ends_with("stopped now; `autopilot resume` goes on\n"),
        "{}",
        output.shown()
    );
    let facts = project.facts();
    let last = facts.last().expect("there are facts");
    assert_eq!(last["started"]["key"]["step"], "1/research", "it ended where it stood: {last}");
    tell(Signal::CONT).expect("it is ours");
    project.await_no_agents(SURVIVAL_MAX);
    project.script(&honest(1));
    project.run(&["resume"]).expect(0);
    assert_eq!(ended_as(&project.facts(), "1/research"), ["lost", "done"]);
}

#[test]
fn an_interrupt_is_answered_before_the_step_has_ended() {
    let actions = [sign("working"), "\"stall\"".to_owned()].join(", ");
    let project = Project::scripted(&agent("researcher", 1, &actions, ""));
    let engine = project.start(&["run"]);
    project.await_sign("working");
    // A guardian that stands still ends no agent, so the step does not end.
    let guardian = Pid::from_raw(guardian_in(&project.sandbox.root())).expect("an id");
    kill_process(guardian, Signal::STOP).expect("it is ours");
    engine.signal(Signal::INT);
    awaited("an answer", Duration::from_secs(5), || {
        engine.said().contains("press Ctrl-C again to stop now")
    });
    assert!(!engine.said().contains("stopping on your word"), "the step goes on");
    kill_process(guardian, Signal::CONT).expect("it is ours");
    engine.wait().expect(130);
}

#[test]
fn a_run_can_be_stopped_through_the_driver_from_another_process() {
    let actions = [sign("working"), "\"stall\"".to_owned()].join(", ");
    let project = Project::scripted(&agent("researcher", 1, &actions, ""));
    let engine = project.start(&["run"]);
    project.await_sign("working");
    let home = Home::within(&project.sandbox.project(), &project.path("state"));
    let driver = LocalDriver::new(home, Tools::none());
    let run = RunId::new(project.run_id());
    let told = driver.cancel(&run).expect("there is such a run");
    assert_eq!(told, Cancelled::Told { pid: engine.pid() });
    let output = engine.wait().expect(130);
    assert!(output.stderr.contains("stopping on your word"), "{}", output.shown());
    assert_eq!(driver.cancel(&run).expect("still there"), Cancelled::NobodyThere);
    driver.cancel(&RunId::new("run-of-nobody")).expect_err("there is no such run");
}

#[test]
fn the_first_interrupt_keeps_the_books_and_says_how_to_go_on() {
    let actions = [part(1), sign("working"), "\"stall\"".to_owned()].join(", ");
    let project = Project::scripted(&agent("executor", 1, &actions, ""));
    let engine = project.start(&["run"]);
    project.await_sign("working");
    engine.signal(Signal::INT);
    let output = engine.wait().expect(130);
    for text in ["stopping on your word", "was stopped; what it did is kept", "`autopilot resume`"]
    {
        assert!(output.stderr.contains(text), "{}", output.shown());
    }
    let facts = project.facts();
    let last = &facts[facts.len() - 1];
    assert_eq!(last["ended"]["end"], "interrupted", "{last}");
}

#[test]
fn a_run_that_waits_for_a_limit_can_be_stopped() {
    let script = agent("researcher", 1, "{ limit = { seconds = 600 } }", "attempt = 1");
    let project = Project::scripted(&script);
    let engine = project.start(&["run"]);
    awaited("it waits", Duration::from_secs(20), || engine.said().contains("has to wait"));
    engine.signal(Signal::INT);
    engine.wait().expect(130);
    assert_eq!(project.status()["status"], "stopped");
}

#[test]
fn a_verification_command_is_ended_with_the_run() {
    let project = Project::honest(1);
    let engine = project.start_with_a_slow_check();
    engine.signal(Signal::TERM);
    project.await_no_agents(SURVIVAL_MAX);
    engine.wait().expect(130);
}

#[test]
fn a_suspended_run_goes_on_and_silence_meanwhile_does_not_count() {
    let talk = "{ say = { text = \"still here\" } }, { sleep = { ms = 300 } }, ".repeat(10);
    let actions = [sign("working"), format!("{talk}{}", sign("talked")), until("go"), part(1)];
    let script = agent("executor", 1, &actions.join(", "), "");
    let config = "[limits]\nstall_seconds = 2\n".to_owned();
    let project = Project::new(&Sample { phases: 1, script, config });
    let engine = project.start_apart(&["run"]);
    project.await_sign("working");
    engine.signal(Signal::TSTP);
    let state = || fs::read_to_string(format!("/proc/{}/stat", engine.pid())).unwrap_or_default();
    awaited("it is suspended", Duration::from_secs(5), || state().contains(") T "));
    project.await_sign("talked");
    fs::write(project.path("signs/go"), "").expect("writable");
    engine.signal(Signal::CONT);
    let output = engine.wait().expect(0);
    assert!(!output.stderr.contains("stalled"), "{}", output.shown());
}
