//! Reads the layers from where they are.

use std::{
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use autopilot_core::role::Role;

use super::{Config, Layer, Source, gates::ProjectLayer};
use crate::failure::Failure;

/// The name of the project's own file.
pub(crate) const PROJECT_FILE: &str = "autopilot.toml";
/// Variables that begin like this set configuration keys; `__` stands between the parts of a key.
pub(crate) const ENVIRONMENT_PREFIX: &str = "AUTOPILOT_CFG_";

/// Combines all layers for a project.
pub(crate) fn read(root: &Path) -> Result<Config, Failure> {
    let mut config = Config::built_in();
    for (source, mut layer) in layers(root)? {
        layer.anchor(source.directory().unwrap_or(root));
        config.add(&layer).map_err(|what| broken(&source, &what))?;
        config.sources.push(source);
    }
    Ok(config)
}

/// The person's own file, where one can be named.
pub(crate) fn user_file() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")))?;
    Some(base.join("autopilot").join("config.toml"))
}

fn layers(root: &Path) -> Result<Vec<(Source, Layer)>, Failure> {
    let mut layers = Vec::new();
    if let Some(path) = user_file() {
        let source = Source::User(path.clone());
        layers.extend(from_toml(&path, &source)?.map(|layer| (source, layer)));
    }
    let planning = root.join(".planning").join("config.json");
    let source = Source::Planning(planning.clone());
    layers.extend(from_json(&planning, &source)?.map(|layer| (source, layer)));
    let project = root.join(PROJECT_FILE);
    let source = Source::Project(project.clone());
    layers.extend(from_toml(&project, &source)?.map(|layer| (source, layer)));
    layers.extend(from_environment()?.map(|layer| (Source::Environment, layer)));
    Ok(layers)
}

fn from_toml(path: &Path, source: &Source) -> Result<Option<Layer>, Failure> {
    let Some(text) = text(path, source)? else { return Ok(None) };
    toml::from_str(&text).map(Some).map_err(|error| broken(source, &error.to_string()))
}

/// The ancestor's file holds much that is not ours; only the key `autopilot` is, and what a person says there of the
/// project's commands.
fn from_json(path: &Path, source: &Source) -> Result<Option<Layer>, Failure> {
    let Some(text) = text(path, source)? else { return Ok(None) };
    let mut whole: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| broken(source, &error.to_string()))?;
    let commands = ProjectLayer::of_earlier_programs(&whole["project"])
        .map_err(|what| broken(source, &what))?;
    let ours = whole.get_mut("autopilot").map(serde_json::Value::take);
    if ours.is_none() && commands.is_silent() {
        return Ok(None);
    }
    let mut layer: Layer = match ours {
        Some(ours) => {
            serde_json::from_value(ours).map_err(|error| broken(source, &error.to_string()))?
        }
        None => Layer::default(),
    };
    layer.project = layer.project.or(commands);
    Ok(Some(layer))
}

fn from_environment() -> Result<Option<Layer>, Failure> {
    let mut root = toml::Table::new();
    for (name, value) in std::env::vars_os() {
        if !name.as_bytes().starts_with(ENVIRONMENT_PREFIX.as_bytes()) {
            continue;
        }
        let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else {
            let what = format!("`{}` is not UTF-8", name.to_string_lossy());
            return Err(broken(&Source::Environment, &what));
        };
        let key = name[ENVIRONMENT_PREFIX.len()..].to_lowercase();
        let mut parts: Vec<&str> = key.split("__").collect();
        // A name of a variable cannot have a hyphen.
        let role = parts.get(1).map(|role| role.replace('_', "-"));
        if let (["roles", given, ..], Some(role)) = (parts.as_mut_slice(), &role)
            && Role::named(role).is_some()
        {
            *given = role;
        }
        insert(&mut root, &parts, value)
            .map_err(|()| broken(&Source::Environment, &format!("`{name}` names no single key")))?;
    }
    if root.is_empty() {
        return Ok(None);
    }
    Layer::deserialize_table(root).map(Some).map_err(|error| broken(&Source::Environment, &error))
}

fn insert(table: &mut toml::Table, parts: &[&str], value: &str) -> Result<(), ()> {
    match parts {
        [] => Err(()),
        [last] => {
            let document: Result<toml::Table, _> = toml::from_str(&format!("it = {value}"));
            let value = document
                .ok()
                .and_then(|mut table| table.remove("it"))
                .unwrap_or_else(|| toml::Value::String(value.to_owned()));
            table.insert((*last).to_owned(), value);
            Ok(())
        }
        [first, rest @ ..] => {
            let inner = table
                .entry((*first).to_owned())
                .or_insert_with(|| toml::Value::Table(toml::Table::new()));
            insert(inner.as_table_mut().ok_or(())?, rest, value)
        }
    }
}

fn text(path: &Path, source: &Source) -> Result<Option<String>, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(broken(source, &error.to_string())),
    }
}

fn broken(source: &Source, what: &str) -> Failure {
    let place = match source {
        Source::User(path) | Source::Planning(path) | Source::Project(path) => {
            format!("`{}`", path.display())
        }
        Source::Environment => format!("the variables {ENVIRONMENT_PREFIX}*"),
    };
    Failure::refused(
        format!("the configuration in {place} cannot be used: {}", what.trim_end()),
        "a setting that is silently ignored could cost money or loosen a limit",
        "correct it; `docs/reference.md` lists every key",
    )
}
