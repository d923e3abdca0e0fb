//! The agents that people use, as their makers ship them, each through a whole run against a model service on loopback.
//!
//! `cargo xtask agents` installs them and runs these tests in a network that holds nothing but loopback, so that no program
//! can reach anything else.

mod agents;
mod script;

use std::time::Duration;

use autopilot_testkit::{
    model::{Asked, ModelServer, Reply, Trouble},
    program::Output,
};

use agents::{Case, Real};
use script::honest;

/// A run that gets through does everything once.
fn whole_run(agent: Real) {
    let case = Case::new(agent, honest);
    let output = case.run();
    let asked = case.server.asked();
    let says = |words: &str| asked.iter().any(|asked| asked.says(words));
    assert_eq!(output.code, Some(0), "{}\n{}", output.shown(), case.transcript());
    assert_eq!(case.project.phase_states(), ["1 completed"]);
    let head = case.project.head();
    let part = case.project.sandbox.git(["show", &format!("{head}:part-1.txt")]);
    assert_eq!(part, "part 1");
    assert!(says("You are the **judge**"), "the model was asked through the agent");
    let status = case.project.status();
    assert!(status["tokens"].as_u64() > Some(5_000), "{status}");
    let seen = case.project.run(&["log", "--json"]).expect(0).stdout;
    assert!(seen.contains(r#""seen""#) && seen.contains("grep -qx 'part 1' part-1.txt"), "{seen}");
}

#[test]
fn claude_does_a_whole_run() {
    whole_run(Real::Claude);
}

#[test]
fn codex_does_a_whole_run() {
    whole_run(Real::Codex);
}

#[test]
fn gemini_does_a_whole_run() {
    whole_run(Real::Gemini);
}

#[test]
fn goose_does_a_whole_run() {
    whole_run(Real::Goose);
}

#[test]
fn opencode_does_a_whole_run() {
    whole_run(Real::Opencode);
}

/// The answer to the first request, then what is honest.
fn at_first(trouble: Trouble) -> impl Fn(&Asked) -> Reply + Send + Sync {
    move |asked| match asked.number {
        0 => Reply::Fail(trouble.clone()),
        _ => honest(asked),
    }
}

fn always(trouble: Trouble) -> impl Fn(&Asked) -> Reply + Send + Sync {
    move |_| Reply::Fail(trouble.clone())
}

const fn status(status: u16) -> Trouble {
    Trouble::Status { status, retry_after_s: None }
}

fn failed(agent: Real, script: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> (Case, Output) {
    let case = Case::new(agent, script);
    let output = case.run();
    (case, output)
}

/// Agents that end quickly when they are refused.
const QUICK: [Real; 4] = [Real::Claude, Real::Codex, Real::Gemini, Real::Goose];

#[test]
fn a_bad_key_ends_the_run_with_the_exit_code_for_no_agent() {
    for agent in [Real::Claude, Real::Codex, Real::Gemini, Real::Goose, Real::Opencode] {
        let (case, output) = failed(agent, always(status(401)));
        assert_eq!(output.code, Some(6), "{agent:?}: {}\n{}", output.shown(), case.transcript());
    }
}

#[test]
fn a_limit_that_says_when_it_ends_is_waited_for_and_is_no_attempt() {
    for agent in [Real::Gemini, Real::Goose] {
        let again = |asked: &Asked| match asked.number {
            0..=3 => Reply::Fail(Trouble::Status { status: 429, retry_after_s: Some(1) }),
            _ => honest(asked),
        };
        let (case, output) = failed(agent, again);
        assert_eq!(output.code, Some(0), "{agent:?}: {}\n{}", output.shown(), case.transcript());
    }
}

#[test]
fn a_conversation_that_outgrew_the_model_is_not_begun_again_in_the_same_way_for_ever() {
    for agent in QUICK {
        let (case, output) = failed(agent, always(Trouble::Context));
        assert_eq!(output.code, Some(3), "{agent:?}: {}\n{}", output.shown(), case.transcript());
        let log = case.project.run(&["log", "--json"]).expect(0).stdout;
        assert!(log.contains(r#""context""#), "{agent:?}: {log}");
    }
}

#[test]
fn a_tool_that_nobody_offered_is_survived() {
    for agent in QUICK {
        let script = |asked: &Asked| match asked.number {
            0 => Reply::NoSuchTool,
            _ => honest(asked),
        };
        let (case, output) = failed(agent, script);
        assert_eq!(output.code, Some(0), "{agent:?}: {}\n{}", output.shown(), case.transcript());
    }
}

#[test]
fn an_answer_that_is_cut_off_is_asked_for_again() {
    for agent in QUICK {
        let (case, output) = failed(agent, at_first(Trouble::Cut));
        assert_eq!(output.code, Some(0), "{agent:?}: {}\n{}", output.shown(), case.transcript());
    }
}

#[test]
fn a_service_that_goes_silent_is_noticed_by_the_silence() {
    for agent in [Real::Codex, Real::Goose] {
        let case = Case::new(agent, at_first(Trouble::Stall(Duration::from_secs(60))));
        let output = case.run_with(&[("AUTOPILOT_CFG_LIMITS__STALL_SECONDS", "6")]);
        assert_eq!(output.code, Some(0), "{agent:?}: {}\n{}", output.shown(), case.transcript());
        let log = case.project.run(&["log", "--json"]).expect(0).stdout;
        assert!(log.contains(r#""stalled""#), "{agent:?}: {log}");
    }
}

/// A return that does not fit is asked for once more in the same conversation, and the step has not failed.
#[test]
fn a_return_that_does_not_fit_is_repaired_in_the_same_conversation() {
    for agent in [Real::Gemini, Real::Goose] {
        let script = |asked: &Asked| match asked.number {
            0 => Reply::Say("I am done, but say nothing that could be read.".to_owned()),
            _ => honest(asked),
        };
        let (case, output) = failed(agent, script);
        assert_eq!(output.code, Some(0), "{agent:?}: {}\n{}", output.shown(), case.transcript());
        let second = &case.server.asked()[1];
        let is_the_same = second.says("What you returned cannot be used")
            && second.says("nothing that could be read");
        assert!(is_the_same, "{agent:?}: {}", second.talk);
        let log = case.project.run(&["log", "--json"]).expect(0).stdout;
        assert!(!log.contains(r#""malformed""#), "{agent:?}: {log}");
    }
}

/// Without a service there is no test: it must be there and speak.
#[test]
fn the_service_counts_what_it_is_asked() {
    let server = ModelServer::start(honest);
    assert!(server.asked().is_empty() && server.url().starts_with("http://127.0.0.1:"));
}
