//! Every key of the configuration, for the reference.

/// A key, an example or its default, and what it means.
pub(crate) struct ConfigKey {
    /// The key with its table.
    pub(crate) key: &'static str,
    /// Its default, or an example in parentheses where there is none.
    pub(crate) value: &'static str,
    /// What it means.
    pub(crate) meaning: &'static str,
}

const fn key(key: &'static str, value: &'static str, meaning: &'static str) -> ConfigKey {
    ConfigKey { key, value, meaning }
}

/// Every key.
pub(crate) const KEYS: [ConfigKey; 57] = [
    key(
        "agents.NAME.kind",
        "(\"command\")",
        "`command` (any program) or `scripted` (the embedded agent); told by the other keys when left out",
    ),
    key(
        "agents.NAME.program",
        "([\"python3\", \"agent.py\"])",
        "the program and its arguments; a program or argument with `/` or `.` that is a file beside the \
         configuration (project settings: in the project's root) is that file, never one in the agent's workspace",
    ),
    key(
        "agents.NAME.script",
        "(\"script.toml\")",
        "the embedded agent's script, beside the configuration",
    ),
    key("agents.NAME.env", "({ MODE = \"quick\" })", "variables the agent is given"),
    key(
        "agents.NAME.pass_env",
        "([\"MY_API_KEY\"])",
        "variables of yours that are let through to it",
    ),
    key(
        "agents.NAME.state_dirs",
        "([\"~/.codex\"])",
        "where it keeps its login and what it remembers, which it may read and write; told by the name of its program \
         when left out (claude, codex, gemini and others)",
    ),
    key("roles.default", "(\"NAME\")", "the agent of every role that is not named"),
    key(
        "roles.ROLE",
        "(\"NAME\")",
        "the agent of one role, as a name or as `{ agent = \"NAME\" }`",
    ),
    key("run.pass_score", "9.0", "the score a phase must reach"),
    key("run.roadmap", "(\".planning/ROADMAP.md\")", "the roadmap, below the project's root"),
    key(
        "run.heartbeat_seconds",
        "300",
        "seconds of silence after which a line says that the step goes on, where no bar is drawn",
    ),
    key(
        "run.audit",
        "true",
        "whether someone looks at the result as a whole before a run ends: whether its phases work together, and \
         whether it is what the roadmap asked for",
    ),
    key("guards.NAME", "(\"cargo test\")", "a command that must stay green whatever is done"),
    key("guards.NAME.command", "(\"./lint.sh\")", "the same in a table, with the keys below"),
    key("guards.NAME.expect", "(\"exits 0\")", "what the command must show, as in a criterion"),
    key("guards.NAME.counts", "(\"(\\\\d+) checks\")", "a pattern for the number of tests it runs"),
    key(
        "project.commands.compile",
        "(\"make check\")",
        "sees that everything compiles; told from the manifest when left out, `\"\"`: none. What is there is a gate of every task",
    ),
    key("project.commands.lint", "(\"make lint\")", "the same for faults that need no run"),
    key("project.commands.test", "(\"make test\")", "the same for the tests"),
    key("project.commands.build", "(\"make all\")", "makes what is delivered; no gate"),
    key(
        "checks.prepare",
        "(\"npm ci\")",
        "what makes a fresh checkout ready for checks; it reaches the network, to fetch",
    ),
    key("checks.network", "false", "whether verification commands reach the network"),
    key(
        "checks.counts",
        "({ \"./check.sh\" = \"(\\\\d+) checks\" })",
        "patterns for the number of tests, by a text that the command contains",
    ),
    key(
        "protect.add",
        "([\"golden/**\"])",
        "files that decide beyond the usual ones; see docs/protected-files.md",
    ),
    key(
        "protect.allow",
        "([\"tests/fixtures/**\"])",
        "files that agents may change although they decide",
    ),
    key("protect.locks", "false", "whether lock files are protected"),
    key(
        "protect.added_tests",
        "\"accept\"",
        "`accept` an edit that only adds whole tests, or `ask` a person about it too",
    ),
    key(
        "sandbox.enabled",
        "true",
        "whether agents and verification commands are held to their own files, where the system can do that",
    ),
    key(
        "sandbox.read",
        "([\"~/data\"])",
        "what they may read although it would be hidden; `~` is your home, other paths begin at the project's root",
    ),
    key(
        "sandbox.write",
        "([\"~/.local/share/tool\"])",
        "what they may write besides their own files",
    ),
    key("sandbox.hide", "([\"~/private\"])", "what they may not read either"),
    key("sandbox.processes", "4096", "processes of one step at once"),
    key(
        "sandbox.memory_mb",
        "(8192)",
        "megabytes of memory of all processes of one step; seven eighths of the machine's when left out",
    ),
    key("sandbox.file_mb", "16384", "megabytes of each file that a step writes"),
    key(
        "review.calibrate_every",
        "8",
        "before every so many reviews a reviewer is given a seeded defect; 0: never",
    ),
    key(
        "review.catch_percent",
        "50",
        "seeded defects of a hundred that a reviewer must see to keep its vote",
    ),
    key("limits.run_tokens", "5000000", "tokens for the whole run"),
    key("limits.phase_tokens", "500000", "tokens for one phase"),
    key(
        "limits.run_usd",
        "100.0",
        "US dollars for the whole run, as far as agents tell what they cost",
    ),
    key(
        "limits.run_minutes",
        "1440",
        "minutes in which steps of the run work; waiting is not counted",
    ),
    key("limits.phase_minutes", "120", "minutes in which steps of one phase work"),
    key("limits.step_minutes", "60", "minutes for one agent step"),
    key("limits.stall_seconds", "600", "seconds of silence after which an agent counts as stalled"),
    key("limits.check_seconds", "60", "seconds for each criterion's command"),
    key("limits.guard_seconds", "600", "seconds for each guard, and for `checks.prepare`"),
    key("limits.run_retries", "10", "failures in the whole run that are answered with another try"),
    key("limits.step_tries", "3", "tries in a row before a step counts as failed"),
    key("limits.plan_rounds", "3", "plans before a phase is rejected for want of one"),
    key("limits.task_debugs", "2", "repairs of one task"),
    key("limits.phase_debugs", "3", "repairs of a phase"),
    key("limits.replans", "1", "times a phase is planned anew"),
    key(
        "limits.remediations",
        "2",
        "attempts to lift a score that is usable but below `run.pass_score`",
    ),
    key(
        "limits.reaudits",
        "2",
        "how often what is missing in the result as a whole is repaired and looked at again",
    ),
    key(
        "limits.canary_breaks",
        "5",
        "small mutations of a phase's work that are tried until its checks go red; 0: none is asked to",
    ),
    key("limits.no_progress", "3", "steps in a row that come to nothing before the run stops"),
    key("limits.same_error", "5", "failures in a row for the same reason before the run stops"),
    key(
        "limits.min_verify_seconds",
        "0",
        "seconds that a verification must take to be believed; 0: any, as long as it ran something",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Layer};

    /// The value of a key, ready to be read.
    fn written(row: &ConfigKey) -> toml::Table {
        let key = row.key.replace("NAME", "a").replace("ROLE", "verifier");
        let value = row.value.trim_start_matches('(').trim_end_matches(')');
        toml::from_str(&format!("{key} = {value}")).expect("the reference is well-formed TOML")
    }

    #[test]
    fn every_key_of_the_reference_is_read() {
        for row in &KEYS {
            let mut table = written(row);
            if row.key.starts_with("guards.") && row.key.matches('.').count() == 2 {
                let guard = table["guards"]["a"].as_table_mut().expect("a table");
                guard.entry("command").or_insert_with(|| "x".into());
            }
            if row.key.starts_with("agents.")
                && !row.key.ends_with("program")
                && !row.key.ends_with("script")
            {
                let agents = table["agents"]["a"].as_table_mut().expect("a table");
                agents.insert("program".to_owned(), vec!["p".to_owned()].into());
            }
            let layer = Layer::deserialize_table(table)
                .unwrap_or_else(|error| panic!("{}: {error}", row.key));
            Config::built_in().add(&layer).unwrap_or_else(|error| panic!("{}: {error}", row.key));
        }
    }

    #[test]
    fn the_defaults_of_the_reference_are_the_programs() {
        let built_in = Config::built_in();
        let mut written_out = Config::built_in();
        for row in KEYS.iter().filter(|row| !row.value.starts_with('(')) {
            let layer = Layer::deserialize_table(written(row)).expect("read above");
            written_out.add(&layer).expect("read above");
        }
        assert_eq!(written_out.limits, built_in.limits);
        assert_eq!(written_out.sandbox, built_in.sandbox);
        assert_eq!(written_out.pass_score, built_in.pass_score);
        assert_eq!(written_out.heartbeat, built_in.heartbeat);
    }

    #[test]
    fn the_template_names_every_key_and_sets_none() {
        let template = include_str!("template.toml");
        let set: toml::Table = toml::from_str(template).expect("the template is well-formed TOML");
        assert!(set.is_empty(), "{set:?}");
        let uncommented: String = template
            .lines()
            .filter_map(|line| {
                line.strip_prefix("# ").filter(|line| line.contains(" = ") || line.starts_with('['))
            })
            .map(|line| format!("{line}\n"))
            .collect();
        let all: toml::Table =
            toml::from_str(&uncommented).expect("and so is what it comments out");
        for row in
            KEYS.iter().filter(|row| row.key.starts_with("limits.") || row.key.starts_with("run."))
        {
            let (table, key) = row.key.split_once('.').expect("every key is in a table");
            assert!(all[table].get(key).is_some(), "{} is not in the template", row.key);
        }
    }
}
