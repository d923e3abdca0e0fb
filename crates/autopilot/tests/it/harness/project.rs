//! A sample project in a sandbox, and the program in it.

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::PathBuf,
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use autopilot_testkit::repository::{Sandbox, write};
use serde_json::Value;

use super::{Engine, Output, agents_in, awaited, honest, roadmap};

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_autopilot");

/// How long a step may take to begin.
const STEP_WAIT: Duration = Duration::from_secs(30);

/// Looks for a text in every object that branches and refs of ours lead to.
const REACHABLE: &str = "git rev-list --objects --glob='refs/heads/*' --glob='refs/autopilot/*' | cut -c1-40 | \
    git cat-file --batch --buffer | grep -aqF -- \"$1\"";

/// What a sample project is made from. `ROOT` in a script or configuration stands for the sandbox.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// How many phases its roadmap has.
    pub(crate) phases: usize,
    /// Entries that are tried before the honest ones.
    pub(crate) script: String,
    /// What is added to its `autopilot.toml`.
    pub(crate) config: String,
}

/// A sample project in a sandbox.
pub(crate) struct Project {
    pub(crate) sandbox: Sandbox,
}

impl Project {
    /// A project of so many phases with an honest agent.
    pub(crate) fn honest(phases: usize) -> Self {
        Self::new(&Sample { phases, ..Sample::default() })
    }

    /// A project with one phase whose agent first tries these entries.
    pub(crate) fn scripted(script: &str) -> Self {
        Self::new(&Sample { phases: 1, script: script.to_owned(), ..Sample::default() })
    }

    /// A project made from a sample.
    pub(crate) fn new(sample: &Sample) -> Self {
        let project = Self { sandbox: Sandbox::new() };
        let root = project.sandbox.root().display().to_string();
        fs::create_dir(project.path("signs")).expect("a directory can be made");
        project.sandbox.write(".planning/ROADMAP.md", roadmap(sample.phases));
        project.script(&(sample.script.clone() + &honest(sample.phases)));
        let agent = format!(
            "[agents.scripted]\nscript = \"{root}/script.toml\"\n\n[roles]\ndefault = \"scripted\"\n"
        );
        project
            .sandbox
            .write("autopilot.toml", agent + "\n" + &sample.config.replace("ROOT", &root));
        project.sandbox.commit("a roadmap");
        project
    }

    /// A place in the sandbox.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.sandbox.root().join(name)
    }

    /// Replaces the whole script.
    pub(crate) fn script(&self, text: &str) {
        let root = self.sandbox.root().display().to_string();
        write(&self.path("script.toml"), text.replace("ROOT", &root));
    }

    /// The whole environment of the program.
    pub(crate) fn environment(&self) -> Vec<(OsString, OsString)> {
        let mut variables = self.sandbox.environment();
        let fixed = [("TZ", "UTC"), ("USER", "person"), ("LC_ALL", "C.UTF-8")];
        variables.extend(fixed.map(|(name, value)| (name.into(), value.into())));
        let places = [("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")];
        variables.extend(places.map(|(name, place)| (name.into(), self.path(place).into())));
        variables
    }

    /// The program with its arguments, in the checkout.
    pub(crate) fn command<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Command {
        self.other(PROGRAM, arguments)
    }

    /// Another program in the same place and environment.
    pub(crate) fn other<S: AsRef<OsStr>>(
        &self,
        program: &str,
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
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.finish(self.command(arguments))
    }

    /// Runs a command to its end.
    pub(crate) fn finish(&self, mut command: Command) -> Output {
        let output = command.output().expect("the program can be started");
        Output::new(&output, &self.sandbox.root())
    }

    /// Starts the program and goes on.
    pub(crate) fn start(&self, arguments: &[&str]) -> Engine {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("engine-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        Engine::start(self.command(arguments), &self.sandbox.root(), &name)
    }

    /// The facts of the newest run, in order.
    pub(crate) fn facts(&self) -> Vec<Value> {
        let log = self.run(&["log", "--json"]).expect(0);
        let fact = |line| -> Value {
            let record: Value = serde_json::from_str(line).expect("every line is JSON");
            record["fact"].clone()
        };
        log.stdout.lines().map(fact).collect()
    }

    /// Where the newest run stands.
    pub(crate) fn status(&self) -> Value {
        let status = self.run(&["status", "--json"]).expect(0);
        serde_json::from_str(&status.stdout).expect("it is JSON")
    }

    /// The name of the newest run.
    pub(crate) fn run_id(&self) -> String {
        self.status()["run"].as_str().expect("it has a name").to_owned()
    }

    /// What each phase of the newest run has come to.
    pub(crate) fn phase_states(&self) -> Vec<String> {
        let status = self.status();
        let phases = status["phases"].as_array().expect("a list").iter();
        phases
            .map(|phase| format!("{} {}", phase["id"], phase["status"]).replace('"', ""))
            .collect()
    }

    /// The commit that the run branch is at.
    pub(crate) fn head(&self) -> String {
        self.sandbox.git(["rev-parse", &format!("autopilot/{}/head", self.run_id())])
    }

    /// The files of a commit.
    pub(crate) fn files_at(&self, commit: &str) -> Vec<String> {
        let listed = self.sandbox.git(["ls-tree", "-r", "--name-only", commit]);
        listed.lines().map(str::to_owned).collect()
    }

    /// Whether some file that a branch or a ref of ours leads to holds this text.
    pub(crate) fn is_reachable(&self, text: &str) -> bool {
        let mut command = self.other("sh", ["-c", REACHABLE, "sh", text]);
        command.status().expect("sh can be started").success()
    }

    /// Waits until an agent has left a sign (`touch` of `ROOT/signs/NAME`).
    #[track_caller]
    pub(crate) fn await_sign(&self, name: &str) {
        let path = self.path("signs").join(name);
        awaited(&format!("the sign `{name}`"), STEP_WAIT, || path.exists());
    }

    /// Waits until nothing that belongs to a run is alive, and tells how long that took.
    #[track_caller]
    pub(crate) fn await_no_agents(&self, time: Duration) -> Duration {
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
    pub(crate) fn await_guardian(&self, time: Duration) {
        let run = self.run_id();
        let state = self.path("state").join("autopilot");
        let project = fs::read_dir(state).expect("it is there").next().expect("one project");
        let lock = project.expect("it can be listed").path().join(run).join("guardian.lock");
        let file = fs::File::open(lock).expect("a guardian was there");
        awaited("the guardian ends", time, || file.try_lock_shared().is_ok());
    }
}

/// The ends of a step, in order, each as its name.
pub(crate) fn ended_as(facts: &[Value], step: &str) -> Vec<String> {
    let ends = facts.iter().filter(|fact| fact["ended"]["key"]["step"] == step);
    ends.map(|fact| {
        let end = &fact["ended"]["end"];
        match end.as_object().and_then(|object| object.iter().next()) {
            Some((name, content)) => match content["class"].as_str() {
                Some(class) => format!("{name} {class}"),
                None => name.clone(),
            },
            None => end.as_str().unwrap_or_default().to_owned(),
        }
    })
    .collect()
}
