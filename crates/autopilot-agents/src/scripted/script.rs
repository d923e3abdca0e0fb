//! The format of a script: who does what, when.

use std::fmt;

use serde::Deserialize;
use serde_json::Value;

/// A script: the first entry that fits the step is played.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The entries, in the order in which they are tried.
    #[serde(default)]
    on: Vec<Entry>,
}

/// What happens in steps of one kind.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    role: Option<String>,
    phase: Option<String>,
    task: Option<String>,
    attempt: Option<u32>,
    /// Which time someone is asked; the first where it is not said.
    turn: Option<u32>,
    #[serde(rename = "do", default)]
    actions: Vec<Action>,
    #[serde(rename = "return")]
    returned: Option<Value>,
}

/// One thing the agent does. The misbehaviours are as real as the rest.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// Writes a file in its workspace.
    Write {
        /// Where.
        path: String,
        /// What.
        text: String,
    },
    /// Removes a file from its workspace.
    Remove {
        /// Which.
        path: String,
    },
    /// Runs a shell command in its workspace.
    Run {
        /// The command.
        command: String,
    },
    /// Says something.
    Say {
        /// What.
        text: String,
    },
    /// Uses tokens and money.
    Usage {
        /// How many tokens.
        tokens: u64,
        /// How many millionths of a US dollar.
        #[serde(default)]
        micro_usd: u64,
    },
    /// Says which model it is.
    Model {
        /// Its name.
        name: String,
    },
    /// Takes its time.
    Sleep {
        /// How long.
        ms: u64,
    },
    /// Returns as if all were done, and does nothing more.
    Lie,
    /// Goes silent for ever.
    Stall,
    /// Ends itself with a signal.
    Crash,
    /// Ends with an exit code and no return.
    Exit {
        /// The code.
        code: i32,
    },
    /// Prints that many bytes.
    Flood {
        /// How many.
        bytes: u64,
    },
    /// Prints half a return and ends.
    Malformed,
    /// Reports a usage limit and ends.
    Limit {
        /// How long the limit lasts from now.
        seconds: u64,
    },
    /// Leaves a process behind that has left its session and its parent.
    Daemon {
        /// How long the process lives.
        seconds: u64,
    },
    /// Writes a file wherever it is told to, outside its workspace too.
    Touch {
        /// Where.
        path: String,
    },
}

/// Why a script cannot be played.
#[derive(Debug)]
pub struct BadScript(String);

impl fmt::Display for BadScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the script cannot be read: {}", self.0)
    }
}

impl std::error::Error for BadScript {}

/// The step a scripted agent finds itself in.
#[derive(Clone, Debug)]
pub struct Moment<'a> {
    /// Its role.
    pub role: &'a str,
    /// The phase.
    pub phase: &'a str,
    /// The task, where there is one.
    pub task: &'a str,
    /// Which attempt of the step it is.
    pub attempt: u32,
    /// Which time it is asked about the same work.
    pub turn: u32,
}

impl Script {
    /// Reads a script from TOML.
    pub fn parse(text: &str) -> Result<Self, BadScript> {
        toml::from_str(text).map_err(|error| BadScript(error.to_string()))
    }

    /// What is done and returned at a step. Without a fitting entry nothing is done.
    pub fn at(&self, moment: &Moment<'_>) -> (&[Action], Option<&Value>) {
        match self.on.iter().find(|entry| entry.fits(moment)) {
            Some(entry) => (&entry.actions, entry.returned.as_ref()),
            None => (&[], None),
        }
    }
}

impl Entry {
    fn fits(&self, moment: &Moment<'_>) -> bool {
        let is = |wanted: &Option<String>, got: &str| wanted.as_deref().is_none_or(|it| it == got);
        is(&self.role, moment.role)
            && is(&self.phase, moment.phase)
            && is(&self.task, moment.task)
            && self.attempt.is_none_or(|attempt| attempt == moment.attempt)
            // What someone says who is asked again is seldom what they said at first.
            && self.turn.unwrap_or(1) == moment.turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_entry_that_fits_is_played() {
        let script = Script::parse(
            r#"
            [[on]]
            role = "executor"
            phase = "2"
            attempt = 1
            do = ["lie"]

            [[on]]
            role = "executor"
            do = [{ write = { path = "a", text = "b" } }, { sleep = { ms = 5 } }]
            return = { tasks_completed = "1/1" }
            "#,
        )
        .expect("it is well formed");
        let executor = Moment { role: "executor", phase: "2", task: "02-01", attempt: 1, turn: 1 };
        assert_eq!(script.at(&executor).0, [Action::Lie]);
        let (actions, returned) = script.at(&Moment { attempt: 2, ..executor });
        assert_eq!(actions.len(), 2);
        assert_eq!(returned, Some(&serde_json::json!({"tasks_completed": "1/1"})));
        let judge = Moment { role: "judge", phase: "2", task: "", attempt: 1, turn: 1 };
        assert_eq!(script.at(&judge), (&[][..], None));
    }

    #[test]
    fn an_entry_is_for_the_first_time_someone_is_asked_unless_it_says_so() {
        let script = Script::parse(
            "[[on]]\nrole = \"judge\"\nturn = 2\nreturn = { second = true }\n\n[[on]]\nrole = \"judge\"\nreturn = { first = true }\n",
        )
        .expect("it is well formed");
        for (turn, key) in [(1, "first"), (2, "second")] {
            let judge = Moment { role: "judge", phase: "1", task: "", attempt: 1, turn };
            let (_, returned) = script.at(&judge);
            assert_eq!(returned.and_then(|value| value.get(key)), Some(&Value::Bool(true)));
        }
    }

    #[test]
    fn an_unknown_word_is_named_with_its_place() {
        let error = Script::parse("[[on]]\nrle = \"executor\"\n").expect_err("`rle` is no key");
        assert!(error.to_string().contains("rle"), "{error}");
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
