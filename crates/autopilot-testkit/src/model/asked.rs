//! What an agent asks of a model.

use serde_json::Value;

/// The way in which it asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Responses.
    Responses,
    /// OpenAI Chat Completions.
    Chat,
    /// Gemini.
    Gemini,
}

/// A tool that the agent offers.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// The schema of what it is given; none where it is given plain text.
    pub schema: Option<Value>,
}

/// One request for an answer.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The way in which it was asked.
    pub wire: Wire,
    /// How many were asked before, of those that offer tools.
    pub number: usize,
    /// The tools that are offered. A request without any is for a title or the like.
    pub tools: Vec<Tool>,
    /// How many results of tools have come since the last words of a person.
    pub results: usize,
    /// The schema that the answer itself must fit.
    pub schema: Option<Value>,
    /// The conversation, as JSON.
    pub talk: String,
    /// The whole request, as JSON.
    pub body: String,
}

/// Before these stands the directory that the agent works in.
const DIRECTORY_MARKS: [&str; 5] = [
    "Primary working directory: ",
    "orking directory: ",
    "<cwd>",
    "current directory: ",
    "- Workspace Directories:",
];

impl Asked {
    /// Whether the conversation holds these words.
    pub fn says(&self, words: &str) -> bool {
        self.talk.contains(words)
    }

    /// The first offered tool of these names.
    pub(super) fn tool(&self, names: &[&str]) -> Option<&Tool> {
        names.iter().find_map(|name| self.tools.iter().find(|tool| tool.name == *name))
    }

    /// The directory that the agent says it works in.
    pub(super) fn directory(&self) -> Option<&str> {
        let rest = DIRECTORY_MARKS.iter().find_map(|mark| Some(self.body.split_once(mark)?.1))?;
        let rest = &rest[rest.find('/')?..];
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '\\' | '<' | '"' | '`'))?;
        Some(rest[..end].trim_end_matches(['.', ',']))
    }
}
