//! Which crate may depend on which, and what a pure crate may not do.

use std::{collections::BTreeMap, fs};

/// What a crate of ours may depend on outside tests. A crate that is not listed is not known.
const ALLOWED: [(&str, &[&str]); 11] = [
    ("autopilot-evidence", &["regex-lite", "serde", "serde_json", "thiserror", "toml"]),
    ("autopilot-roadmap", &["autopilot-evidence", "serde", "thiserror"]),
    (
        "autopilot-core",
        &[
            "autopilot-evidence",
            "autopilot-roadmap",
            "schemars",
            "serde",
            "serde_json",
            "sha2",
            "toml",
        ],
    ),
    ("autopilot-journal", &["memchr", "rustix", "sha2", "thiserror", "twox-hash"]),
    ("autopilot-agents", &["autopilot-core", "memchr", "serde", "serde_json", "thiserror", "toml"]),
    (
        "autopilot-engine",
        &[
            "autopilot-agents",
            "autopilot-core",
            "autopilot-journal",
            "autopilot-repomap",
            "aho-corasick",
            "gix",
            "landlock",
            "minijinja",
            "rustix",
            "serde",
            "serde_json",
            "sha2",
            "signal-hook",
            "tempfile",
            "thiserror",
        ],
    ),
    (
        "autopilot-repomap",
        &[
            "schemars",
            "serde",
            "serde_json",
            "tree-sitter",
            "tree-sitter-go",
            "tree-sitter-java",
            "tree-sitter-javascript",
            "tree-sitter-python",
            "tree-sitter-ruby",
            "tree-sitter-rust",
            "tree-sitter-typescript",
        ],
    ),
    ("autopilot-views", &["anstyle", "autopilot-core", "jiff", "serde", "serde_json"]),
    (
        "autopilot",
        &[
            "autopilot-agents",
            "autopilot-core",
            "autopilot-engine",
            "autopilot-journal",
            "autopilot-views",
            "clap",
            "jiff",
            "libm",
            "rustix",
            "serde",
            "serde_json",
            "toml",
        ],
    ),
    ("autopilot-testkit", &["*"]),
    ("xtask", &["*"]),
];

/// Crates that are functions of what they are given, by where their sources lie.
const PURE: [&str; 4] = [
    "crates/autopilot-evidence/src",
    "crates/autopilot-roadmap/src",
    "crates/autopilot-core/src",
    "crates/autopilot-repomap/src",
];

/// Words that mean input, output, time, chance or the environment. A pure crate holds none of them.
const IMPURE_WORDS: [&str; 6] =
    ["SystemTime", "Instant::", "tokio", "rand::", "println!", "HashMap"];

/// Parts of the standard library that mean the same.
const IMPURE_PATHS: [&str; 9] = [
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::os",
    "std::process",
    "std::sync",
    "std::thread",
    "std::time",
];

/// A shared owner is as pure as what it owns.
const PURE_PATHS: [&str; 1] = ["std::sync::Arc"];

/// The impure paths that some code names, written out: `std::{fs, io::Read}` is two.
fn impure_paths(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (at, _) in code.match_indices("std::") {
        write_out("std", &code[at + "std::".len()..], &mut paths);
    }
    let is_in = |path: &str, list: &[&str]| {
        list.iter().any(|part| path == *part || path.starts_with(&format!("{part}::")))
    };
    paths.retain(|path| is_in(path, &IMPURE_PATHS) && !is_in(path, &PURE_PATHS));
    paths
}

/// Adds the paths that begin with `before`, and gives what comes after them in `rest`.
fn write_out<'a>(before: &str, rest: &'a str, paths: &mut Vec<String>) -> &'a str {
    let rest = rest.trim_start();
    if let Some(mut inside) = rest.strip_prefix('{') {
        loop {
            inside = write_out(before, inside, paths).trim_start();
            match inside.strip_prefix(',') {
                Some(more) if !more.trim_start().starts_with('}') => inside = more,
                Some(_) | None => break,
            }
        }
        return inside.trim_start_matches([',', ' ', '\n']).strip_prefix('}').unwrap_or(inside);
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '*');
    let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
    let path = format!("{before}::{name}");
    match after.strip_prefix("::") {
        Some(deeper) => write_out(&path, deeper, paths),
        None => {
            paths.push(path);
            after
        }
    }
}

/// Dependencies that are not allowed.
pub(crate) fn arrows() -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    for (name, manifest) in manifests()? {
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            wrong.push(format!(
                "{name}: a crate that tidy does not know; say what it may depend on"
            ));
            continue;
        };
        for dependency in dependencies(&manifest) {
            if !allowed.contains(&"*") && !allowed.contains(&dependency.as_str()) {
                wrong.push(format!("{name} depends on {dependency}, which it may not"));
            }
        }
    }
    Ok(wrong)
}

/// Places where a pure crate is more than a function of what it is given.
pub(crate) fn purity() -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    for file in super::files::tracked()? {
        if !file.is_rust() || !PURE.iter().any(|sources| file.path.starts_with(sources)) {
            continue;
        }
        // Tests may look at files; what ships may not.
        let shipped = file.text.split("#[cfg(test)]").next().unwrap_or_default();
        if file.path.ends_with("tests.rs")
            || file.path.components().any(|part| part.as_os_str() == "tests")
        {
            continue;
        }
        let code: String = shipped
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n")
            .collect();
        let words = IMPURE_WORDS.iter().filter(|word| code.contains(**word));
        let words = words.map(ToString::to_string).chain(impure_paths(&code));
        wrong.extend(
            words.map(|word| format!("{}: a pure crate uses `{word}`", file.path.display())),
        );
    }
    Ok(wrong)
}

fn manifests() -> Result<BTreeMap<String, String>, String> {
    let mut found = BTreeMap::new();
    let read = |path: &str| {
        fs::read_to_string(path).map_err(|error| format!("cannot read `{path}`: {error}"))
    };
    for entry in fs::read_dir("crates").map_err(|error| format!("cannot list `crates`: {error}"))? {
        let name =
            entry.map_err(|error| error.to_string())?.file_name().to_string_lossy().into_owned();
        found.insert(name.clone(), read(&format!("crates/{name}/Cargo.toml"))?);
    }
    found.insert("xtask".to_owned(), read("xtask/Cargo.toml")?);
    Ok(found)
}

/// The names in the table `[dependencies]` of a manifest, and in those that belong to one platform.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.ends_with("dependencies]")
                && !line.contains("dev-")
                && !line.contains("build-");
        } else if inside && !line.is_empty() && !line.starts_with(['#', ' ', '\t', ']']) {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            names.push(name.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shipped_dependencies_count() {
        let manifest = "[package]\nname = \"a\"\n[dependencies]\nserde.workspace = true\nrustix = { workspace = true }\n\
                        # why\n[dev-dependencies]\nproptest.workspace = true\n[lints]\nworkspace = true\n";
        assert_eq!(dependencies(manifest), ["serde", "rustix"]);
    }

    #[test]
    fn impure_parts_of_the_standard_library_are_found_in_any_spelling() {
        assert_eq!(impure_paths("use std::{fmt, ops::Deref, sync::Arc};"), [""; 0]);
        assert_eq!(impure_paths("std::fs::read(path)"), ["std::fs::read"]);
        assert_eq!(
            impure_paths(
                "use std::{\n    fmt,\n    io::{self, Read},\n    sync::{Arc, Mutex},\n};\n"
            ),
            ["std::io::self", "std::io::Read", "std::sync::Mutex"]
        );
        assert_eq!(impure_paths("use std::{collections::{BTreeMap, *}, time};"), ["std::time"]);
        assert_eq!(impure_paths("let x: std::env"), ["std::env"]);
    }
}
