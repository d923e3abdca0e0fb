//! Commands of a project with a `pyproject.toml`.

use toml::{Table, Value};

use crate::project::Commands;

/// Tools are used where the project depends on them or sets them up.
pub(super) fn commands(manifest: &str) -> Commands {
    let manifest: Table = manifest.parse().unwrap_or_default();
    let tools = manifest.get("tool").and_then(Value::as_table);
    let sets_up = |tool: &str| tools.is_some_and(|tools| tools.contains_key(tool));
    let dependencies = dependencies(&manifest);
    let uses = |tool: &str| dependencies.iter().any(|name| name == tool);
    let test =
        if uses("pytest") || sets_up("pytest") { "pytest" } else { "python -m unittest discover" };
    let lint = if uses("ruff") || sets_up("ruff") {
        Some("ruff check .")
    } else if uses("flake8") || sets_up("flake8") {
        Some("flake8")
    } else {
        None
    };
    let build = manifest.contains_key("build-system").then_some("python -m build");
    Commands::of(None, Some(test), lint, build)
}

/// The names of everything the project says it depends on, for whatever purpose.
fn dependencies(manifest: &Table) -> Vec<String> {
    let mut names = Vec::new();
    let project = manifest.get("project").and_then(Value::as_table);
    if let Some(project) = project {
        names.extend(requirements(project.get("dependencies")));
        names.extend(groups(project.get("optional-dependencies")));
    }
    names.extend(groups(manifest.get("dependency-groups")));
    let poetry = at(manifest, &["tool", "poetry"]);
    for place in ["dependencies", "dev-dependencies"] {
        names.extend(keys(poetry.and_then(|poetry| poetry.get(place))));
    }
    let groups = poetry.and_then(|poetry| poetry.get("group")).and_then(Value::as_table);
    for group in groups.into_iter().flat_map(Table::values) {
        names.extend(keys(group.get("dependencies")));
    }
    names.extend(requirements(at(manifest, &["tool", "uv", "dev-dependencies"])));
    names
}

fn at<'a>(manifest: &'a Table, path: &[&str]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(manifest.get(*first)?, |value, key| value.get(key))
}

fn groups(value: Option<&Value>) -> Vec<String> {
    let groups = value.and_then(Value::as_table);
    groups.into_iter().flat_map(Table::values).flat_map(|group| requirements(Some(group))).collect()
}

/// The names in a list such as `["pytest>=8", "ruff[extra] ; python_version > '3'"]`.
fn requirements(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    list.map(|requirement| {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let end = requirement.find(|c| !is_name(c)).unwrap_or(requirement.len());
        requirement[..end].to_ascii_lowercase()
    })
    .collect()
}

fn keys(value: Option<&Value>) -> Vec<String> {
    let table = value.and_then(Value::as_table);
    table.into_iter().flat_map(Table::keys).map(|name| name.to_ascii_lowercase()).collect()
}
