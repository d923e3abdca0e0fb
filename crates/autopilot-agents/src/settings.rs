//! How a person wants an agent to be started, and the command line that follows.

use std::path::{Path, PathBuf};

use crate::{CommandLine, Request, Wish};

/// How a person wants an agent to be started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The program with its first arguments, in the place of the usual one.
    pub program: Vec<String>,
    /// Arguments that are added.
    pub arguments: Vec<String>,
    /// What is wanted of it in every role.
    pub wish: Wish,
}

impl Settings {
    /// A command line that begins with the person's program, or with the usual one.
    pub(crate) fn command<'a>(&'a self, usual: &str, request: &'a Request<'a>) -> Building<'a> {
        let mut words = self.program.iter().cloned();
        let program = words.next().unwrap_or_else(|| usual.to_owned());
        let (model, effort) = request.wish.or(&self.wish);
        Building {
            settings: self,
            request,
            model,
            effort,
            line: CommandLine {
                program: PathBuf::from(program),
                arguments: words.collect(),
                environment: vec![("TMPDIR".to_owned(), shown(request.scratch))],
                stdin: Vec::new(),
                files: Vec::new(),
            },
        }
    }
}

/// A command line in the making.
pub(crate) struct Building<'a> {
    settings: &'a Settings,
    request: &'a Request<'a>,
    /// The model that is wanted.
    pub(crate) model: Option<&'a str>,
    /// How hard it is to think.
    pub(crate) effort: Option<&'a str>,
    line: CommandLine,
}

impl Building<'_> {
    pub(crate) fn extend<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        self.line.arguments.extend(words.into_iter().map(str::to_owned));
    }

    /// An option that is only there with a value.
    pub(crate) fn option(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.extend([name, value]);
        }
    }

    /// Variables that it is given.
    pub(crate) fn variables(&mut self, pairs: &[(&str, &str)]) {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        self.line.environment.extend(pairs.iter().map(pair));
    }

    /// A file that is there while it runs, and its place.
    pub(crate) fn file(&mut self, name: &'static str, text: String) -> String {
        self.line.files.push((name, text));
        shown(&self.request.scratch.join(name))
    }

    /// The command line: what the person adds comes behind the rest, and `last` behind everything. The prompt is on standard
    /// input: one word of a command line may not be longer than the system allows, and prompts are.
    pub(crate) fn finish(mut self, last: &[&str]) -> CommandLine {
        self.line.arguments.extend(self.settings.arguments.iter().cloned());
        self.extend(last.iter().copied());
        self.line.stdin = self.request.prompt.as_bytes().to_vec();
        self.line
    }
}

/// A path as a word. The engine's own directories are text.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
