//! The agents, where they are installed, and how each is told to talk to the service on loopback.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use autopilot_testkit::{
    model::{Asked, ModelServer, Reply},
    program::{Output, Project, Sample},
    repository::{Sandbox, write},
};

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_autopilot");
/// Where the agents are installed, by their names.
const INSTALLED: &str = "AUTOPILOT_TEST_AGENTS";

/// How much of the end of a transcript is shown.
const TRANSCRIPT_CHARS_MAX: usize = 6_000;

/// An agent that people use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Real {
    Claude,
    Codex,
    Gemini,
    Goose,
    Opencode,
}

impl Real {
    fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Goose => "goose",
            Self::Opencode => "opencode",
        }
    }

    /// The program below the directory that it is installed in.
    fn program(self) -> &'static str {
        match self {
            Self::Claude => "node_modules/.bin/claude",
            // Its launcher dies alone when it is killed.
            Self::Codex => {
                "node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"
            }
            Self::Gemini => "node_modules/.bin/gemini",
            Self::Goose => "node_modules/@aaif/goose-binary-linux-x64/bin/goose",
            Self::Opencode => "node_modules/.bin/opencode",
        }
    }

    /// Arguments and variables that lead it to the service, and the files of its home.
    fn led(self, url: &str, home: &Path) -> (Vec<String>, Vec<(&'static str, String)>) {
        let own = |text: &str| text.to_owned();
        match self {
            Self::Claude => (
                vec![],
                vec![("ANTHROPIC_BASE_URL", own(url)), ("ANTHROPIC_API_KEY", own("sk-test"))],
            ),
            Self::Codex => {
                fs::create_dir_all(home.join(".codex")).expect("a directory can be made");
                let provider = format!(
                    "model_providers.stub={{name=\"stub\",base_url=\"{url}/v1\",env_key=\"STUB_KEY\",wire_api=\"responses\",\
                     request_max_retries=1,stream_max_retries=1}}"
                );
                let words = ["-m", "stub-model", "-c", "model_provider=stub", "-c", &provider];
                (words.map(own).to_vec(), vec![("STUB_KEY", own("sk-test"))])
            }
            Self::Gemini => {
                let settings = r#"{"security": {"auth": {"selectedType": "gemini-api-key"}},
                    "general": {"maxAttempts": 2}, "privacy": {"usageStatisticsEnabled": false}}"#;
                write(&home.join(".gemini/settings.json"), settings);
                let variables =
                    vec![("GEMINI_API_KEY", own("sk-test")), ("GOOGLE_GEMINI_BASE_URL", own(url))];
                (["-m", "gemini-2.5-pro"].map(own).to_vec(), variables)
            }
            Self::Goose => {
                let variables = vec![
                    ("GOOSE_PROVIDER", own("openai")),
                    ("GOOSE_MODEL", own("stub-model")),
                    ("OPENAI_API_KEY", own("sk-test")),
                    ("OPENAI_HOST", own(url)),
                    ("OPENAI_BASE_PATH", own("v1/chat/completions")),
                ];
                (vec![], variables)
            }
            Self::Opencode => {
                let config = format!(
                    r#"{{"enabled_providers": ["stub"], "provider": {{"stub": {{"npm": "@ai-sdk/openai-compatible", "name": "stub",
                    "options": {{"baseURL": "{url}/v1", "apiKey": "sk-test"}},
                    "models": {{"stub-model": {{"name": "stub", "limit": {{"context": 200000, "output": 8000}}}}}}}}}}}}"#
                );
                let words = ["-m", "stub/stub-model"].map(own).to_vec();
                (words, vec![("OPENCODE_CONFIG_CONTENT", config)])
            }
        }
    }
}

/// A project, an agent and a service.
pub(crate) struct Case {
    pub(crate) project: Project,
    pub(crate) server: ModelServer,
}

impl Case {
    pub(crate) fn new(
        agent: Real,
        script: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let server = ModelServer::start(script);
        let sandbox = Sandbox::new();
        let home = sandbox.root().join("home");
        fs::create_dir_all(&home).expect("a directory can be made");
        let name = agent.name();
        let installed = env::var_os(INSTALLED).map(PathBuf::from);
        let installed = installed.expect("`cargo xtask agents` says where the agents are");
        let program = installed.join(name).join(agent.program());
        assert!(program.is_file(), "{} is not installed: {}", name, program.display());
        let (arguments, mut variables) = agent.led(&server.url(), &home);
        variables.push(("HOME", home.display().to_string()));
        let variables: toml::Table = variables
            .into_iter()
            .map(|(name, value)| (name.to_owned(), toml::Value::String(value)))
            .collect();
        let mut own = toml::Table::new();
        own.insert("program".to_owned(), vec![program.display().to_string()].into());
        own.insert("args".to_owned(), arguments.into());
        own.insert("env".to_owned(), variables.into());
        let agents = toml::Table::from_iter([(name.to_owned(), toml::Value::Table(own))]);
        let config = toml::Table::from_iter([("agents".to_owned(), toml::Value::Table(agents))]);
        let sample = Sample { phases: 1, script: String::new(), config: config.to_string() };
        let project = Project::within(sandbox, PROGRAM, &sample);
        Self { project, server }
    }

    /// Runs the one phase with the agent in every role.
    pub(crate) fn run(&self) -> Output {
        self.run_with(&[])
    }

    /// The same with further variables.
    pub(crate) fn run_with(&self, variables: &[(&str, &str)]) -> Output {
        let config = fs::read_to_string(self.project.sandbox.project().join("autopilot.toml"));
        let config: toml::Table = config.expect("it is there").parse().expect("it is TOML");
        let agents = config["agents"].as_table().expect("a table");
        let name = agents.keys().find(|name| *name != "scripted").expect("the agent");
        let mut command = self.project.command(["run", "--agent", name]);
        command.envs(variables.iter().copied());
        self.project.finish(command)
    }

    /// What the agent printed, for whoever has to find out why a test failed.
    pub(crate) fn transcript(&self) -> String {
        let mut text = String::new();
        collect(&self.project.path("state"), &mut text);
        let from = text.char_indices().rev().nth(TRANSCRIPT_CHARS_MAX).map_or(0, |(at, _)| at);
        text.split_off(from)
    }
}

/// The transcripts below a directory.
fn collect(directory: &Path, text: &mut String) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.parent().is_some_and(|parent| parent.ends_with("transcript")) {
            let pages = fs::read(&path).unwrap_or_default();
            text.push_str(&String::from_utf8_lossy(&pages));
        } else if path.is_dir() && !path.ends_with("work") {
            collect(&path, text);
        }
    }
}
