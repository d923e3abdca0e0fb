//! How a person wants an agent to be started, and the command line that follows.

use std::path::PathBuf;

use crate::CommandLine;

/// How a person wants an agent to be started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The program with its first arguments, in the place of the usual one.
    pub program: Vec<String>,
    /// Arguments that are added.
    pub arguments: Vec<String>,
    /// The model, by the name that the agent knows it by.
    pub model: Option<String>,
}

impl Settings {
    /// A command line that begins with the person's program, or with the usual one.
    pub(crate) fn command(&self, usual: &str) -> Building<'_> {
        let mut words = self.program.iter().cloned();
        let program = words.next().unwrap_or_else(|| usual.to_owned());
        Building { settings: self, program: program.into(), arguments: words.collect() }
    }
}

/// A command line in the making.
pub(crate) struct Building<'a> {
    settings: &'a Settings,
    program: PathBuf,
    arguments: Vec<String>,
}

impl Building<'_> {
    pub(crate) fn extend<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        self.arguments.extend(words.into_iter().map(str::to_owned));
    }

    /// An option that is only there with a value.
    pub(crate) fn option(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.extend([name, value]);
        }
    }

    /// The command line: what the person adds comes behind the rest, and `last` behind everything. The prompt is on standard
    /// input: one word of a command line may not be longer than the system allows, and prompts are.
    pub(crate) fn finish(
        mut self,
        last: &[&str],
        environment: &[(&str, &str)],
        prompt: &str,
    ) -> CommandLine {
        self.arguments.extend(self.settings.arguments.iter().cloned());
        self.extend(last.iter().copied());
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        CommandLine {
            program: self.program,
            arguments: self.arguments,
            environment: environment.iter().map(pair).collect(),
            stdin: prompt.as_bytes().to_vec(),
        }
    }
}
