//! The engine is killed with SIGKILL at random moments and resumed: the end is the same.

use std::{
    fs,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use autopilot_testkit::{
    processes::{Mark, guardian_in},
    program::check_books,
    sim::Chance,
};
use rustix::process::{Pid, Signal, kill_process};

use crate::harness::{Engine, Project, Sample, agent, part, sh, sign, until};

/// How often the engine is killed, over as many runs as that takes.
const KILLS: usize = 100;
/// The longest that an engine is let live.
const LIFE_MS_MAX: u64 = 700;
/// How long descendants of agents may outlive the engine.
const SURVIVAL_MAX: Duration = Duration::from_secs(2);
/// Set this to repeat a run of the test with the same moments.
const SEED_VARIABLE: &str = "AUTOPILOT_TEST_SEED";

/// The seed of this run of the test: the one that is set, or a new one.
fn seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let given = std::env::var(SEED_VARIABLE).ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or_else(|| u64::from(now.subsec_nanos()))
}

/// Agents that leave daemons, deaf children and commits of their own, at every attempt alike.
fn sample() -> Sample {
    let daemon = "{ daemon = { seconds = 600 } }".to_owned();
    let deaf = sh("(trap '' TERM INT HUP; sleep 600) & sleep 0.03");
    let own = sh("git add -A; git commit -qm own; echo loose > loose.txt");
    let mut script = String::new();
    for phase in 1..=2 {
        let actions = [daemon.clone(), part(phase), deaf.clone(), own.clone()].join(", ");
        script += &agent("executor", phase, &actions, "");
        for role in ["researcher", "verifier"] {
            script += &agent(role, phase, &[daemon.clone(), deaf.clone()].join(", "), "");
        }
    }
    Sample { phases: 2, script, ..Sample::default() }
}

#[test]
fn killed_at_a_hundred_moments_the_run_ends_as_if_it_never_was() {
    let seed = seed();
    println!("{SEED_VARIABLE}={seed}");
    let mut chance = Chance::of(seed, "kills");
    let whole = Project::new(&sample());
    whole.run(&["run", "--complete"]).expect(0);
    let expected = whole.end();
    assert_eq!(expected.phases, ["1 completed", "2 completed"]);
    let (mut kills, mut runs, mut slowest) = (0, 0, Duration::ZERO);
    while kills < KILLS {
        let project = Project::new(&sample());
        let mut engine = project.start(&["run", "--complete"]);
        while kills < KILLS && !ends_within(&mut engine, chance.below(LIFE_MS_MAX)) {
            engine.kill();
            kills += 1;
            slowest = slowest.max(project.await_no_agents(SURVIVAL_MAX));
            engine = project.go_on();
        }
        engine.wait().expect(0);
        project.expect_end(&expected);
        check_books(&project);
        let verified = project.run(&["verify"]).expect(0);
        assert!(!verified.stderr.contains("missing"), "{}", verified.shown());
        runs += 1;
    }
    println!(
        "{kills} kills in {runs} runs; the last descendant was gone after at most {slowest:?}"
    );
}

/// Whether the engine comes to its end before its time is over.
fn ends_within(engine: &mut Engine, ms: u64) -> bool {
    let until = Instant::now() + Duration::from_millis(ms);
    while Instant::now() < until {
        if !engine.is_running() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    !engine.is_running()
}

/// The process that watches over the agents of a sandbox.
fn guardian(project: &Project) -> Pid {
    Pid::from_raw(guardian_in(&project.sandbox.root())).expect("it is above zero")
}

#[test]
fn agents_that_outlive_engine_and_guardian_are_ended_by_the_next_start() {
    let mark = Mark::new();
    let stay = sh(&format!("sleep {} & sleep 0.01", mark.as_str()));
    let script =
        agent("executor", 1, &[stay, sign("working"), until("go"), part(1)].join(", "), "");
    let project = Project::scripted(&script);
    let mut engine = project.start(&["run"]);
    project.await_sign("working");
    kill_process(guardian(&project), Signal::KILL).expect("it is ours");
    engine.kill();
    assert!(!mark.bearers().is_empty(), "there is nobody left to end them");
    fs::write(project.path("signs/go"), "").expect("writable");
    project.run(&["resume"]).expect(0);
    assert_eq!(mark.bearers(), Vec::<u32>::new());
    project.await_no_agents(SURVIVAL_MAX);
    assert_eq!(project.phase_states(), ["1 completed"]);
}

#[test]
fn a_guardian_that_is_killed_takes_no_agent_with_it_into_the_dark() {
    let daemon = "{ daemon = { seconds = 600 } }".to_owned();
    let left = sh("echo left-by-it > left.txt");
    let actions = [daemon, left, sign("working"), until("go"), part(1)].join(", ");
    let project = Project::scripted(&agent("executor", 1, &actions, ""));
    let engine = project.start(&["run"]);
    project.await_sign("working");
    kill_process(guardian(&project), Signal::KILL).expect("it is ours");
    project.await_no_agents(SURVIVAL_MAX);
    let output = engine.wait().expect(5);
    assert!(output.stderr.contains("something killed `ap-guardian`"), "{}", output.shown());
    assert_eq!(project.phase_states(), ["1 active"], "the phase is not to blame");
    assert!(project.is_reachable("left-by-it"), "what the agent left is kept all the same");
    fs::write(project.path("signs/go"), "").expect("writable");
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
}

#[test]
fn a_lock_that_a_dying_git_left_on_the_run_branch_does_not_end_the_run() {
    let actions = [sign("working"), until("go"), part(1)].join(", ");
    let project = Project::scripted(&agent("executor", 1, &actions, ""));
    let mut engine = project.start(&["run"]);
    project.await_sign("working");
    engine.kill();
    let branch = format!(".git/refs/heads/autopilot/{}/head.lock", project.run_id());
    fs::write(project.sandbox.project().join(branch), "").expect("written");
    fs::write(project.path("signs/go"), "").expect("written");
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
}
