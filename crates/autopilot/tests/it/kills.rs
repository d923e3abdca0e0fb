//! The engine is killed with SIGKILL at random moments and resumed: the end is the same.

use std::{
    collections::BTreeMap,
    fs,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use autopilot_testkit::processes::Mark;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::harness::{Engine, Project, Sample, agent, part, sh, sign, until};

/// How often the engine is killed, over as many runs as that takes.
const KILLS: usize = 100;
/// The longest that an engine is let live.
const LIFE_MS_MAX: u64 = 700;
/// How long descendants of agents may outlive the engine.
const SURVIVAL_MAX: Duration = Duration::from_secs(2);
/// Set this to repeat a run of the test with the same moments.
const SEED_VARIABLE: &str = "AUTOPILOT_TEST_SEED";

/// Chance that can be repeated (splitmix64).
struct Chance(u64);

impl Chance {
    fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let given = std::env::var(SEED_VARIABLE).ok().and_then(|seed| seed.parse().ok());
        Self(given.unwrap_or_else(|| u64::from(now.subsec_nanos())))
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
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

/// What must be the same after any number of kills.
#[derive(Debug, PartialEq)]
struct End {
    files: String,
    phases: Vec<String>,
    subjects: String,
}

fn end(project: &Project) -> End {
    let head = project.head();
    // The settings name the sandbox, which is another one each time.
    let tree = project.sandbox.git(["ls-tree", "-r", &head]);
    End {
        files: tree.lines().filter(|line| !line.ends_with("\tautopilot.toml")).collect(),
        phases: project.phase_states(),
        subjects: project.sandbox.git(["log", "--format=%s", &head]),
    }
}

#[test]
fn killed_at_a_hundred_moments_the_run_ends_as_if_it_never_was() {
    let mut chance = Chance::new();
    println!("{SEED_VARIABLE}={}", chance.0);
    let whole = Project::new(&sample());
    whole.run(&["run", "--complete"]).expect(0);
    let expected = end(&whole);
    assert_eq!(expected.phases, ["1 completed", "2 completed"]);
    let (mut kills, mut runs, mut slowest) = (0, 0, Duration::ZERO);
    while kills < KILLS {
        let project = Project::new(&sample());
        let mut engine = project.start(&["run", "--complete"]);
        while kills < KILLS && !ends_within(&mut engine, chance.below(LIFE_MS_MAX)) {
            engine.kill();
            kills += 1;
            slowest = slowest.max(project.await_no_agents(SURVIVAL_MAX));
            engine = go_on(&project);
        }
        engine.wait().expect(0);
        assert_eq!(end(&project), expected);
        check_journal(&project);
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

/// What a person does after a crash: resume, or start when nothing had been begun.
fn go_on(project: &Project) -> Engine {
    let begun = project.run(&["status"]).code == Some(0);
    project.start(if begun { &["resume"] } else { &["run", "--complete"] })
}

/// No step was paid for again once its outcome was recorded, and every attempt has one end.
fn check_journal(project: &Project) {
    project.run(&["audit"]).expect(0);
    let mut started: BTreeMap<String, usize> = BTreeMap::new();
    let mut ended: BTreeMap<String, usize> = BTreeMap::new();
    let mut done: BTreeMap<String, usize> = BTreeMap::new();
    for fact in project.facts() {
        let count = |book: &mut BTreeMap<String, usize>, key: &Value| {
            if !key.is_null() {
                *book.entry(key.to_string()).or_default() += 1;
            }
        };
        count(&mut started, &fact["started"]["key"]);
        count(&mut ended, &fact["ended"]["key"]);
        if fact["ended"]["end"] == "done" {
            count(&mut done, &fact["ended"]["key"]["step"]);
        }
    }
    for (key, times) in &started {
        assert_eq!((*times, ended.get(key)), (1, Some(&1)), "{key}");
    }
    assert!(done.values().all(|times| *times == 1), "{done:?}");
}

/// The process that watches over the agents of a sandbox.
fn guardian(project: &Project) -> Pid {
    let is_it = |pid: &i32| {
        let read = |file: &str| fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
        let home = format!("HOME={}/home", project.sandbox.root().display());
        read("comm") == b"ap-guardian\n"
            && String::from_utf8_lossy(&read("environ")).contains(&home)
    };
    let pids = fs::read_dir("/proc").expect("there is one").filter_map(Result::ok);
    let mut pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    Pid::from_raw(pids.find(is_it).expect("a guardian runs")).expect("it is above zero")
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
