//! A command line that cannot be meant, told like every other error.

use clap::{
    Command, CommandFactory,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::{args::Cli, exit::Exit, failure::Failure};

/// What is wrong with a command line, why that matters and what can be typed instead.
pub(crate) fn usage(wrong: &clap::Error, words: &[String]) -> Failure {
    let mut cli = Cli::command();
    cli.build();
    let (path, command) = meant(&cli, words);
    Failure::new(Exit::Usage, what(wrong), "nothing was done", hint(wrong, &path, command))
}

/// The command that the first words name, as far as they name one.
fn meant<'a>(cli: &'a Command, words: &[String]) -> (String, &'a Command) {
    let mut path = cli.get_name().to_owned();
    let mut command = cli;
    for word in words {
        let Some(next) = command.find_subcommand(word) else { break };
        path = format!("{path} {word}");
        command = next;
    }
    (path, command)
}

/// The first paragraph of what the parser says, on one line.
fn what(wrong: &clap::Error) -> String {
    let told = wrong.render().to_string();
    let first = told.split("\n\n").next().unwrap_or_default();
    let line = first.split_whitespace().collect::<Vec<_>>().join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}

fn hint(wrong: &clap::Error, path: &str, command: &Command) -> String {
    let meant = suggested(wrong).map(|word| format!("did you mean `{word}`? ")).unwrap_or_default();
    let valid = match wrong.kind() {
        ErrorKind::UnknownArgument => valid("options", options(command)),
        ErrorKind::InvalidSubcommand | ErrorKind::MissingSubcommand => {
            let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
            valid("commands", shown.map(|one| one.get_name().to_owned()).collect())
        }
        _ => String::new(),
    };
    format!("{meant}{valid}`{path} --help` tells more")
}

fn suggested(wrong: &clap::Error) -> Option<String> {
    let kinds =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    kinds.into_iter().find_map(|kind| match wrong.get(kind)? {
        ContextValue::String(word) => Some(word.clone()),
        ContextValue::Strings(words) => words.first().cloned(),
        _ => None,
    })
}

fn options(command: &Command) -> Vec<String> {
    let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
    shown.filter_map(|argument| Some(format!("--{}", argument.get_long()?))).collect()
}

fn valid(what: &str, names: Vec<String>) -> String {
    if names.is_empty() { String::new() } else { format!("the {what} are: {}; ", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn told(words: &[&str]) -> Failure {
        let all = std::iter::once("autopilot").chain(words.iter().copied());
        let wrong = Cli::try_parse_from(all).expect_err("it cannot be meant");
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        usage(&wrong, &words)
    }

    #[test]
    fn c50_an_unknown_flag_is_named_with_those_that_there_are() {
        let failure = told(&["run", "--bogus"]);
        assert!(failure.what.contains("'--bogus'"), "{}", failure.what);
        for flag in ["--complete", "--lenient", "--checkpoint-every"] {
            assert!(failure.hint.contains(flag), "{}", failure.hint);
        }
        assert!(failure.hint.ends_with("`autopilot run --help` tells more"), "{}", failure.hint);
        assert!(told(&["run", "--complet"]).hint.starts_with("did you mean `--complete`?"));
    }

    #[test]
    fn c50_an_unknown_command_is_named_with_those_that_people_use() {
        let failure = told(&["frobnicate"]);
        assert!(failure.hint.contains("demo, "), "{}", failure.hint);
        assert!(!failure.hint.contains("__guardian"), "{}", failure.hint);
        assert!(told(&["phase", "frob"]).hint.contains("insert"));
    }
}
