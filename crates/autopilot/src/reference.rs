//! The reference of commands, flags, exit codes and settings, made from the program itself.

use clap::{Arg, Command, CommandFactory};

use crate::{args::Cli, config::KEYS, exit::Exit};

/// What the reference begins with.
const HEAD: &str = "\
# Reference

Made by `cargo xtask docs` from the program itself; `cargo xtask tidy` fails when it differs. Do not edit it by hand.
";

/// The whole reference as Markdown.
pub(crate) fn reference() -> String {
    let mut text = HEAD.to_owned();
    text.push_str("\n## Commands\n");
    let mut root = Cli::command();
    root.build();
    let is_ours = |command: &&Command| !command.is_hide_set() && command.get_name() != "help";
    for command in root.get_subcommands().filter(is_ours) {
        text.push_str(&section(command.get_name(), command));
        for part in command.get_subcommands().filter(is_ours) {
            text.push_str(&section(&format!("{} {}", command.get_name(), part.get_name()), part));
        }
    }
    text.push_str(
        "\nEvery command also takes `-h` and `--help`. `autopilot --version` tells the version.\n",
    );
    text.push_str("\n## Exit codes\n\n| code | meaning |\n|---|---|\n");
    for exit in Exit::ALL {
        text.push_str(&format!("| {} | {} |\n", exit.code(), exit.meaning()));
    }
    text.push_str(
        "\n## Configuration\n\nLayers, later ones win: built-in, `$XDG_CONFIG_HOME/autopilot/config.toml`, the key \
         `autopilot` of `.planning/config.json`, `autopilot.toml`, variables `AUTOPILOT_CFG_*` (`__` between the \
         parts: `AUTOPILOT_CFG_LIMITS__RUN_TOKENS=1000000`; `_` stands for the hyphen of a role), arguments. Unknown keys are errors.\n\n\
         | key | default (or an example) | meaning |\n|---|---|---|\n",
    );
    for row in &KEYS {
        text.push_str(&format!("| `{}` | `{}` | {} |\n", row.key, row.value, row.meaning));
    }
    text
}

fn section(name: &str, command: &Command) -> String {
    let mut text = format!("\n### `autopilot {name}`\n\n");
    if let Some(about) = command.get_about() {
        text.push_str(&format!("{about}.\n\n"));
    }
    let rows: Vec<String> =
        command.get_arguments().filter(|arg| !is_everywhere(arg)).map(row).collect();
    if !rows.is_empty() {
        text.push_str("| argument | meaning |\n|---|---|\n");
        text.push_str(&rows.concat());
    }
    text
}

/// Whether every command has it.
fn is_everywhere(arg: &Arg) -> bool {
    matches!(arg.get_id().as_str(), "help" | "version")
}

fn row(arg: &Arg) -> String {
    let value = arg
        .get_value_names()
        .filter(|_| arg.get_action().takes_values())
        .and_then(|names| names.first())
        .map(ToString::to_string);
    let name = match (arg.get_long(), arg.get_short()) {
        (Some(long), Some(short)) => format!("-{short}, --{long}"),
        (Some(long), None) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) if arg.is_required_set() => value.clone().unwrap_or_default(),
        (None, None) => format!("[{}]", value.clone().unwrap_or_default()),
    };
    let value = value.filter(|_| arg.get_long().is_some()).map(|value| format!(" {value}"));
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    format!("| `{name}{}` | {} |\n", value.unwrap_or_default(), help.replace('|', "\\|"))
}
