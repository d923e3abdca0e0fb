//! Where the commands of a certificate come from: what a clone can see for itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Certificate, Difference};
use crate::{
    evidence::{CheckKind, Criterion},
    project::Commands,
    roadmap::{Plan, parse},
};

/// The files of the project that give commands, as they are in the certified commits.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The roadmap where the run started.
    pub roadmap: Option<String>,
    /// The plan of the phase.
    pub plan: Option<String>,
    /// `autopilot.toml` where the run started.
    pub settings: Option<String>,
    /// `.planning/config.json` where the run started.
    pub older_settings: Option<String>,
    /// What the manifests tell where the run started.
    pub commands: Commands,
}

impl Sources {
    /// The settings that can be read, the ones that count more first.
    fn tables(&self) -> impl Iterator<Item = Value> {
        let settings = self.settings.as_deref().and_then(|text| toml::from_str::<Value>(text).ok());
        let older = self.older_settings.as_deref();
        let older = older.and_then(|text| serde_json::from_str::<Value>(text).ok());
        settings
            .into_iter()
            .chain(older.into_iter().flat_map(|older| [older["autopilot"].clone(), older.clone()]))
    }

    /// The commands that the settings name as guards, by the guard's name.
    fn guards(&self) -> BTreeMap<String, String> {
        let mut guards = BTreeMap::new();
        for table in self.tables() {
            for (name, guard) in table["guards"].as_object().into_iter().flatten() {
                let command = guard.as_str().or_else(|| guard["command"].as_str());
                let command = command.and_then(|command| Criterion::of_command(command).command);
                if let Some(command) = command {
                    guards.entry(name.clone()).or_insert(command);
                }
            }
        }
        guards
    }

    /// The project's own commands, as its settings name them or its manifests tell.
    fn own_commands(&self) -> Vec<String> {
        let mut own = Vec::new();
        for table in self.tables() {
            let named = table["project"]["commands"].as_object().into_iter().flatten();
            own.extend(named.filter_map(|(_, command)| command.as_str().map(str::to_owned)));
        }
        let Commands { compile, test, lint, build } = self.commands.clone();
        own.extend([compile, test, lint, build].into_iter().flatten());
        own.into_iter().filter_map(|command| Criterion::of_command(&command).command).collect()
    }
}

/// A guard that the project's own settings name and that a certificate does not tell of.
pub fn missing_guard(certificate: &Certificate, sources: &Sources) -> Option<Difference> {
    let is_told = |(name, command): &(String, String)| {
        let mut checks = certificate.checks.iter();
        checks.any(|check| {
            check.name == *name
                && check.kind == CheckKind::Guard
                && check.criterion.command.as_ref() == Some(command)
        })
    };
    let missing = sources.guards().into_iter().find(|guard| !is_told(guard));
    missing.map(|(name, command)| {
        Difference::at(
            "`/certificate/checks`",
            format!("the guard `{name}` by `{command}`"),
            "none",
        )
    })
}

/// What the plan asks of a task, and a certificate does not tell of.
pub fn missing_task(certificate: &Certificate, sources: &Sources) -> Option<Difference> {
    let plan = Plan::parse(sources.plan.as_deref()?);
    for task in &plan.tasks {
        for (at, criterion) in task.checks().enumerate().filter(|(_, one)| one.command.is_some()) {
            let name = format!("{}/{}/{}", certificate.phase.id, task.id, at + 1);
            let mut checks = certificate.checks.iter();
            if !checks.any(|check| check.name == name && plain(&check.criterion) == *criterion) {
                let wanted = format!("`{name}`: {}", told(Some(criterion)));
                return Some(Difference::at("`/certificate/checks`", wanted, "none"));
            }
        }
    }
    None
}

/// What a phase of the same run has promised that this one builds on, and that a certificate does not tell of.
///
/// It may have been completed without that, by a person's word which only the journal knows.
pub fn missing_promise(certificate: &Certificate, sources: &Sources) -> Option<String> {
    let roadmap = parse(sources.roadmap.as_deref()?);
    let phase = roadmap.phase(certificate.phase.id)?;
    let below = phase.depends_on.iter().filter_map(|id| roadmap.phase(*id));
    for earlier in below.filter(|earlier| !earlier.complete) {
        for (at, criterion) in earlier.checks().into_iter().enumerate() {
            let name = format!("{}/{}", earlier.id, at + 1);
            let is_told = |criterion: &Criterion| {
                let mut checks = certificate.checks.iter();
                checks.any(|check| check.name == name && plain(&check.criterion) == *criterion)
            };
            if criterion.command.is_some() && !is_told(&criterion) {
                return Some(format!("`{name}` by {}", told(Some(&criterion))));
            }
        }
    }
    None
}

/// The first place in which the criteria of a certificate are not those that the roadmap gives its phase.
pub fn same_criteria(certificate: &Certificate, roadmap: &str) -> Option<Difference> {
    let roadmap = parse(roadmap);
    let id = certificate.phase.id;
    let Some(phase) = roadmap.phase(id) else {
        return Some(Difference::at("the roadmap", format!("phase {id}"), "no such phase"));
    };
    let name = phase.name.to_string();
    if name != certificate.phase.name {
        return Some(Difference::at("`/certificate/phase/name`", name, &*certificate.phase.name));
    }
    let goal = phase.goal.as_deref().unwrap_or_default();
    if goal != certificate.phase.goal {
        return Some(Difference::at("`/certificate/phase/goal`", goal, &*certificate.phase.goal));
    }
    let wanted = phase.checks();
    let places = wanted.len().max(certificate.criteria.len());
    (0..places).find_map(|at| {
        let (one, other) = (wanted.get(at), certificate.criteria.get(at));
        (one != other).then(|| {
            Difference::at(format!("`/certificate/criteria/{at}`"), told(one), told(other))
        })
    })
}

/// The commands that are run to repeat a certificate, each with whether the project itself gives it.
///
/// A certificate is a file that anybody could have written. What it says is run only because the project's history
/// says it as well, or because a person takes the file at its word.
pub fn commands(certificate: &Certificate, sources: &Sources) -> Vec<(String, bool)> {
    let mut given = BTreeSet::new();
    if let Some(roadmap) = &sources.roadmap {
        // What an earlier phase has promised is a guard of those that depend on it.
        let roadmap = parse(roadmap.as_str());
        let checks = roadmap.phases.iter().flat_map(|phase| phase.checks());
        given.extend(checks.filter_map(|one| one.command));
    }
    if let Some(plan) = &sources.plan {
        let plan = Plan::parse(plan);
        let checks = plan.tasks.iter().flat_map(|task| task.checks());
        given.extend(checks.filter_map(|one| one.command.clone()));
    }
    for table in sources.tables() {
        given.extend(table["checks"]["prepare"].as_str().map(str::to_owned));
    }
    given.extend(sources.guards().into_values());
    given.extend(sources.own_commands());
    let prepare = certificate.rules.prepare.iter().cloned();
    let checks = certificate.checks.iter().filter_map(|check| check.criterion.command.clone());
    let mut seen = BTreeSet::new();
    prepare
        .chain(checks)
        .filter(|command| seen.insert(command.clone()))
        .map(|command| {
            let is_given = given.contains(&command);
            (command, is_given)
        })
        .collect()
}

/// A criterion without the pattern that the settings give its command.
pub(super) fn plain(criterion: &Criterion) -> Criterion {
    Criterion { counts: None, ..criterion.clone() }
}

fn told(criterion: Option<&Criterion>) -> String {
    let Some(criterion) = criterion else { return "nothing".to_owned() };
    match &criterion.command {
        Some(command) => format!("`{}` by `{command}` ({:?})", criterion.text, criterion.expect),
        None => format!("`{}`", criterion.text),
    }
}
