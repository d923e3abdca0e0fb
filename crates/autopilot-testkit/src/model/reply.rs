//! What a model answers.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::asked::{Asked, Tool};

/// Tools that run a command, as agents call them.
const SHELLS: [&str; 9] = [
    "Bash",
    "run_shell_command",
    "bash",
    "shell",
    "developer__shell",
    "exec_command",
    "shell_command",
    "local_shell",
    "exec",
];
/// Tools that write a file.
const WRITERS: [&str; 6] =
    ["Write", "write_file", "write", "developer__write", "text_editor", "developer__text_editor"];
/// Tools that take what an agent is to return.
const RETURNERS: [&str; 2] = ["StructuredOutput", "structured_output"];

/// What a model answers, whatever the agent.
#[derive(Clone, Debug)]
pub enum Reply {
    /// These words.
    Say(String),
    /// Have this command run.
    Run(String),
    /// Have this file written, by a tool for files where there is one.
    Write {
        /// Its path below the directory that the agent works in.
        path: String,
        /// What is in it.
        text: String,
    },
    /// This is the return: through the tool for it where there is one, else in words.
    Return(Value),
    /// Have a tool called that nobody offered.
    NoSuchTool,
    /// Something goes wrong.
    Fail(Trouble),
}

/// What goes wrong.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// The service refuses with this status, and may say when to come back.
    Status {
        /// The status.
        status: u16,
        /// Seconds after which to come back.
        retry_after_s: Option<u64>,
    },
    /// The subscription is used up for so many seconds.
    UsedUp {
        /// How many.
        seconds: u64,
    },
    /// The conversation is too long.
    Context,
    /// The service breaks off within an answer and says that it is overloaded.
    Overloaded,
    /// The connection is closed within an answer.
    Cut,
    /// Nothing comes after the beginning of an answer, for so long.
    Stall(Duration),
    /// A page of some gate in the network instead of an answer.
    Page,
}

/// What an agent is to be told, in its own tools.
pub(super) enum Act {
    /// Words.
    Say(String),
    /// A call of a tool with an object.
    Call { name: String, input: Value },
    /// A call of a tool that is given plain text.
    Custom { name: String, text: String },
}

impl Reply {
    /// This reply in the tools that the agent offers.
    pub(super) fn act(self, asked: &Asked) -> Result<Act, Trouble> {
        Ok(match self {
            Self::Say(text) => Act::Say(text),
            Self::Run(command) => shell(&command, asked),
            Self::Write { path, text } => match asked.tool(&WRITERS) {
                Some(tool) => Act::Call {
                    name: tool.name.clone(),
                    input: written(tool, &place(&path, asked), &text),
                },
                None => {
                    let above = path.rsplit_once('/').map_or(".", |(above, _)| above);
                    shell(
                        &format!(
                            "mkdir -p '{above}' && cat > '{path}' <<'END-OF-FILE'\n{text}END-OF-FILE\n"
                        ),
                        asked,
                    )
                }
            },
            Self::Return(value) => match asked.tool(&RETURNERS) {
                Some(tool) if !asked.says(&tool.name) => {
                    Act::Call { name: tool.name.clone(), input: value }
                }
                _ if asked.schema.is_some() => Act::Say(value.to_string()),
                _ => Act::Say(format!("Done.\n\n```json\n{value}\n```\n")),
            },
            Self::NoSuchTool => {
                Act::Call { name: "no_such_tool".to_owned(), input: json!({"x": 1}) }
            }
            Self::Fail(trouble) => return Err(trouble),
        })
    }
}

fn place(path: &str, asked: &Asked) -> String {
    asked.directory().map_or_else(|| path.to_owned(), |above| format!("{above}/{path}"))
}

fn shell(command: &str, asked: &Asked) -> Act {
    let any = || asked.tools.iter().find(|tool| tool.name.contains("shell"));
    let Some(tool) = asked.tool(&SHELLS).or_else(any) else {
        return Act::Say("there is no shell".to_owned());
    };
    let name = tool.name.clone();
    let Some(schema) = &tool.schema else {
        // JavaScript that calls the tools.
        let command = Value::from(command);
        let text = format!("const r = await tools.exec_command({{cmd: {command}}}); text(r);");
        return Act::Custom { name, text };
    };
    let has = |key: &str| schema["properties"].get(key).is_some();
    let mut input = Map::new();
    if has("cmd") {
        input.insert("cmd".to_owned(), command.into());
    } else if schema["properties"]["command"]["type"] == "array" {
        input.insert("command".to_owned(), json!(["bash", "-lc", command]));
    } else {
        input.insert("command".to_owned(), command.into());
    }
    if has("description") {
        input.insert("description".to_owned(), "a command of the script".into());
    }
    if has("is_background") {
        input.insert("is_background".to_owned(), false.into());
    }
    Act::Call { name, input: Value::Object(input) }
}

fn written(tool: &Tool, path: &str, text: &str) -> Value {
    let empty = Value::Null;
    let properties = tool.schema.as_ref().map_or(&empty, |schema| &schema["properties"]);
    let has = |key: &&str| properties.get(key).is_some();
    let paths = ["file_path", "filePath", "path", "absolute_path"];
    let path_key = paths.into_iter().find(has).unwrap_or("file_path");
    let text_key = ["file_text", "content"].into_iter().find(has).unwrap_or("content");
    let mut input = json!({path_key: path, text_key: text});
    if tool.name.ends_with("text_editor") {
        input["command"] = "write".into();
    }
    input
}
