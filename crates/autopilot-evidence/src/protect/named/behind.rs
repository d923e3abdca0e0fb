//! What stands behind a short command: the recipe of a target of make, a script of `package.json`.

use super::is_in_project;
use crate::counts::{base_name, commands, is_shell, shell_line, unwrapped};

/// How many targets are followed, so that a circle of them ends.
const TARGETS_MAX: usize = 32;

/// The lines that a command has others run, each with the directory that it runs in.
pub(super) fn lines(command: &str, read: &dyn Fn(&str) -> Option<String>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut directory = String::new();
    for words in commands(command) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let [first, arguments @ ..] = unwrapped(&words) else { continue };
        match base_name(first) {
            "cd" => {
                if let [to] = arguments
                    && is_in_project(to)
                {
                    directory = format!("{directory}{}/", to.trim_end_matches('/'));
                }
            }
            "make" | "gmake" => found.extend(made(arguments, &directory, read)),
            manager @ ("npm" | "pnpm" | "yarn" | "bun") => {
                let text = read(&format!("{directory}package.json"));
                let lines = text.and_then(|text| scripts(manager, arguments, &text));
                let lines = lines.into_iter().flatten();
                found.extend(lines.map(|line| (directory.clone(), line)));
            }
            shell if is_shell(shell) => {
                found.extend(shell_line(arguments).into_iter().flat_map(|line| lines(line, read)));
            }
            _ => {}
        }
    }
    found
}

/// What make runs for its targets, or for the first one where none is named.
fn made(
    arguments: &[&str],
    directory: &str,
    read: &dyn Fn(&str) -> Option<String>,
) -> Vec<(String, String)> {
    let value = |flags: [&str; 2]| {
        let at = arguments.iter().position(|word| flags.contains(word))?;
        arguments.get(at + 1).copied()
    };
    let below = value(["-C", "--directory"]).filter(|to| is_in_project(to));
    let directory = match below {
        Some(to) => format!("{directory}{}/", to.trim_end_matches('/')),
        None => directory.to_owned(),
    };
    let names: Vec<&str> = match value(["-f", "--file"]) {
        Some(name) => vec![name],
        None => vec!["GNUmakefile", "makefile", "Makefile"],
    };
    let text = names.iter().find_map(|name| read(&format!("{directory}{name}")));
    let taken = [below, value(["-f", "--file"])];
    let is_target = |word: &&&str| {
        !word.starts_with('-') && !word.contains('=') && !taken.contains(&Some(**word))
    };
    let targets: Vec<String> =
        arguments.iter().filter(is_target).map(|word| (*word).to_owned()).collect();
    let recipes = text.map(|text| recipes(&text, targets)).unwrap_or_default();
    recipes.into_iter().map(|line| (directory.clone(), line)).collect()
}

/// The recipes of targets and of what they need, with variables that the text sets put in.
fn recipes(text: &str, targets: Vec<String>) -> Vec<String> {
    let text = text.replace("\\\n", " ");
    let mut variables: Vec<(String, String)> = Vec::new();
    let mut rules: Vec<(Vec<String>, Vec<String>, Vec<String>)> = Vec::new();
    for line in text.lines() {
        if let Some(recipe) = line.strip_prefix('\t') {
            if let Some((_, _, lines)) = rules.last_mut() {
                lines.push(recipe.trim_start_matches(['@', '-', '+', ' ']).to_owned());
            }
        } else if let Some((name, value)) = assignment(line) {
            variables.push((name.to_owned(), value.to_owned()));
        } else if let Some((names, rest)) = line.split_once(':').filter(|_| !line.starts_with('#'))
        {
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
            let (needs, first) = rest.split_once(';').unwrap_or((rest, ""));
            let first = Some(first.trim().to_owned()).filter(|line| !line.is_empty());
            rules.push((words(names), words(needs), first.into_iter().collect()));
        }
    }
    let is_plain = |name: &&String| !name.starts_with('.');
    let first = || rules.iter().flat_map(|(names, ..)| names).find(is_plain).cloned();
    let mut open = if targets.is_empty() { first().into_iter().collect() } else { targets };
    let mut found = Vec::new();
    let mut at = 0;
    while at < open.len() && at < TARGETS_MAX {
        let target = open[at].clone();
        for (_, needs, lines) in rules.iter().filter(|(names, ..)| names.contains(&target)) {
            found.extend(lines.iter().map(|line| with_values(line, &variables)));
            let new: Vec<String> =
                needs.iter().filter(|need| !open.contains(need)).cloned().collect();
            open.extend(new);
        }
        at += 1;
    }
    found
}

/// The name and the value that a line of a makefile sets.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '+']).trim();
    let name = name.strip_prefix("export ").unwrap_or(name);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    (!name.is_empty() && name.chars().all(is_name)).then_some((name, value.trim()))
}

fn with_values(line: &str, variables: &[(String, String)]) -> String {
    let mut line = line.to_owned();
    for (name, value) in variables {
        line = line.replace(&format!("$({name})"), value).replace(&format!("${{{name}}}"), value);
    }
    line
}

/// What a manager of packages runs: the script that is asked for, and those around it.
fn scripts(manager: &str, arguments: &[&str], text: &str) -> Option<Vec<String>> {
    let mut words = arguments.iter().filter(|word| !word.starts_with('-'));
    let name = match *words.next()? {
        "run" | "run-script" => *words.next()?,
        "t" | "tst" if manager == "npm" => "test",
        name => name,
    };
    let json: serde_json::Value = serde_json::from_str(text).ok()?;
    let scripts = json.get("scripts")?;
    let names = [format!("pre{name}"), name.to_owned(), format!("post{name}")];
    let lines = names.iter().filter_map(|name| scripts.get(name)?.as_str());
    Some(lines.map(str::to_owned).collect())
}
