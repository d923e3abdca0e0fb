//! A sample project in a sandbox, and the program in it.

use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use serde_json::Value;

use super::{End, Engine, Output, honest, roadmap};
use crate::{
    processes::{agents_in, awaited},
    repository::{Sandbox, write},
};

/// How long a step may take to begin.
const STEP_WAIT: Duration = Duration::from_secs(30);

/// Looks for a text in every object that branches and refs of ours lead to.
const REACHABLE: &str = "git rev-list --objects --glob='refs/heads/*' --glob='refs/autopilot/*' | cut -c1-40 | \
    git cat-file --batch --buffer | grep -aqF -- \"$1\"";

/// What a sample project is made from. `ROOT` in a script or configuration stands for the sandbox.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// How many phases its roadmap has.
    pub phases: usize,
    /// Entries that are tried before the honest ones.
    pub script: String,
    /// What is added to its `autopilot.toml`.
    pub config: String,
}

/// A sample project in a sandbox.
#[derive(Debug)]
pub struct Project {
    /// Where it is.
    pub sandbox: Sandbox,
    program: PathBuf,
}

impl Project {
    /// A project made from a sample, for a program.
    pub fn new(program: impl Into<PathBuf>, sample: &Sample) -> Self {
        Self::within(Sandbox::new(), program, sample)
    }

    /// A project made from a sample in a sandbox with a repository, for a program.
    pub fn within(sandbox: Sandbox, program: impl Into<PathBuf>, sample: &Sample) -> Self {
        let project = Self { sandbox, program: program.into() };
        let root = project.sandbox.root().display().to_string();
        fs::create_dir(project.path("signs")).expect("a directory can be made");
        project.sandbox.write(".planning/ROADMAP.md", roadmap(sample.phases));
        project.script(&(sample.script.clone() + &honest(sample.phases)));
        let agent = format!(
            "{}\n[agents.scripted]\nscript = \"{root}/script.toml\"\n[roles]\ndefault = \"scripted\"\n",
            walls(sample, &root)
        );
        project
            .sandbox
            .write("autopilot.toml", agent + "\n" + &sample.config.replace("ROOT", &root));
        project.sandbox.commit("a roadmap");
        project
    }

    /// The program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// A place in the sandbox.
    pub fn path(&self, name: &str) -> PathBuf {
        self.sandbox.root().join(name)
    }

    /// Replaces the whole script.
    pub fn script(&self, text: &str) {
        let root = self.sandbox.root().display().to_string();
        write(&self.path("script.toml"), text.replace("ROOT", &root));
    }

    /// The whole environment of the program.
    pub fn environment(&self) -> Vec<(OsString, OsString)> {
        let mut variables = self.sandbox.environment();
        let fixed = [("TZ", "UTC"), ("USER", "person"), ("LC_ALL", "C.UTF-8")];
        variables.extend(fixed.map(|(name, value)| (name.into(), value.into())));
        let places = [("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")];
        variables.extend(places.map(|(name, place)| (name.into(), self.path(place).into())));
        variables
    }

    /// The program with its arguments, in the checkout.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        self.other(&self.program, arguments)
    }

    /// Another program in the same place and environment.
    pub fn other<S: AsRef<OsStr>>(
        &self,
        program: impl AsRef<OsStr>,
        arguments: impl IntoIterator<Item = S>,
    ) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.sandbox.project())
            .env_clear()
            .envs(self.environment())
            .stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.finish(self.command(arguments))
    }

    /// Runs a command to its end.
    pub fn finish(&self, mut command: Command) -> Output {
        let output = command.output().expect("the program can be started");
        Output::new(&output, &self.sandbox.root())
    }

    /// Starts the program and goes on.
    pub fn start(&self, arguments: &[&str]) -> Engine {
        self.begin(self.command(arguments))
    }

    /// Starts the program in a process group of its own: in the group of a test that no shell waits for it
    /// could not be suspended.
    pub fn start_apart(&self, arguments: &[&str]) -> Engine {
        let mut command = self.command(arguments);
        command.process_group(0);
        self.begin(command)
    }

    fn begin(&self, command: Command) -> Engine {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("engine-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        Engine::start(command, &self.sandbox.root(), &name)
    }

    /// Does what a person does after a crash: resumes, or starts when nothing had been begun.
    pub fn go_on(&self) -> Engine {
        let begun = self.run(&["status"]).code == Some(0);
        self.start(if begun { &["resume"] } else { &["run", "--complete"] })
    }

    /// What the newest run has come to.
    pub fn end(&self) -> End {
        End::of(self)
    }

    /// The facts of the newest run, in order.
    pub fn facts(&self) -> Vec<Value> {
        let log = self.run(&["log", "--json"]).expect(0);
        let fact = |line| -> Value {
            let record: Value = serde_json::from_str(line).expect("every line is JSON");
            record["fact"].clone()
        };
        log.stdout.lines().map(fact).collect()
    }

    /// Where the newest run stands.
    pub fn status(&self) -> Value {
        let status = self.run(&["status", "--json"]).expect(0);
        serde_json::from_str(&status.stdout).expect("it is JSON")
    }

    /// The name of the newest run.
    pub fn run_id(&self) -> String {
        self.status()["run"].as_str().expect("it has a name").to_owned()
    }

    /// What each phase of the newest run has come to.
    pub fn phase_states(&self) -> Vec<String> {
        let status = self.status();
        let phases = status["phases"].as_array().expect("a list").iter();
        phases
            .map(|phase| format!("{} {}", phase["id"], phase["status"]).replace('"', ""))
            .collect()
    }

    /// The commit that the run branch is at.
    pub fn head(&self) -> String {
        self.sandbox.git(["rev-parse", &format!("autopilot/{}/head", self.run_id())])
    }

    /// The files of a commit.
    pub fn files_at(&self, commit: &str) -> Vec<String> {
        let listed = self.sandbox.git(["ls-tree", "-r", "--name-only", commit]);
        listed.lines().map(str::to_owned).collect()
    }

    /// Whether some file that a branch or a ref of ours leads to holds this text.
    pub fn is_reachable(&self, text: &str) -> bool {
        let mut command = self.other("sh", ["-c", REACHABLE, "sh", text]);
        command.status().expect("sh can be started").success()
    }

    /// Waits until an agent has left a sign (`touch` of `ROOT/signs/NAME`).
    #[track_caller]
    pub fn await_sign(&self, name: &str) {
        let path = self.path("signs").join(name);
        awaited(&format!("the sign `{name}`"), STEP_WAIT, || path.exists());
    }

    /// Waits until nothing that belongs to a run is alive, and tells how long that took.
    #[track_caller]
    pub fn await_no_agents(&self, time: Duration) -> Duration {
        let root = self.sandbox.root();
        let mut left = Vec::new();
        let what = "no process of an agent is alive";
        let took = awaited(what, time * 5, || {
            left = agents_in(&root);
            left.is_empty()
        });
        assert!(took <= time, "{what}: only after {took:?}");
        took
    }

    /// Waits until the guardian of a killed engine has kept what its agents left.
    #[track_caller]
    pub fn await_guardian(&self, time: Duration) {
        let run = self.run_id();
        let state = self.path("state").join("autopilot");
        let project = fs::read_dir(state).expect("it is there").next().expect("one project");
        let lock = project.expect("it can be listed").path().join(run).join("guardian.lock");
        let file = fs::File::open(lock).expect("a guardian was there");
        awaited("the guardian ends", time, || file.try_lock_shared().is_ok());
    }
}

/// The walls of a sample that sets none itself, as one line. By its signs a step tells where it is. Where an agent is to reach
/// further than that, what the engine does about it is the subject, and there are no walls.
fn walls(sample: &Sample, root: &str) -> String {
    if sample.config.contains("[sandbox]") {
        return String::new();
    }
    let reaches = (sample.script.clone() + &sample.config).replace("ROOT/signs", "");
    match reaches.contains("ROOT/") {
        true => "sandbox.enabled = false".to_owned(),
        false => format!("sandbox.write = [\"{root}/signs\"]"),
    }
}
