//! `autopilot doctor`

use std::{os::unix::fs::PermissionsExt, path::Path};

use autopilot_agents::KINDS;
use autopilot_core::{
    evidence::{Check, Criterion},
    id::AgentName,
    roadmap::parse_bytes,
    role::Role,
};
use autopilot_engine::git::{Git, Project as Repository};
use autopilot_views::clean;
use serde::Serialize;

use crate::{
    args::Json,
    commands::{
        agents::find,
        data, json,
        run::{fits, text_of},
    },
    config::{Agent, AgentKind, Config},
    exit::Exit,
    failure::{Outcome, chain},
    project::{Project, read},
    ui::Ui,
};

/// How one thing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Mark {
    Ok,
    Missing,
    NotEnforced,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    what: String,
    mark: Mark,
    detail: String,
}

/// Says what is installed, what is enforced and what is missing.
pub(crate) fn doctor(args: &Json, ui: &mut Ui) -> Outcome {
    let mut findings = vec![git()];
    match Project::find() {
        Ok(project) => findings.extend(of_project(&project)),
        Err(failure) => findings.push(missing("project", &failure.what)),
    }
    findings.extend(enforced());
    let well = findings.iter().all(|finding| finding.mark != Mark::Missing);
    let text =
        if args.json { json(&findings)? } else { findings.iter().map(told).collect::<String>() };
    data(ui, &text)?;
    Ok(if well { Exit::Done } else { Exit::Refused })
}

fn of_project(project: &Project) -> Vec<Finding> {
    let mut findings = vec![repository(project)];
    if let Err(error) = project.home.check_state(None) {
        findings.push(missing("state", &chain(&error)));
    }
    let config = match project.config() {
        Ok(config) => config,
        Err(failure) => {
            findings.push(missing("configuration", &failure.what));
            return findings;
        }
    };
    let sources = config.sources.len();
    findings.push(ok("configuration", format!("{sources} sources beyond the built-in settings")));
    findings.push(roadmap(project, &config));
    findings.extend(commands(project, &config));
    findings.extend(config.agents.iter().map(|(name, agent)| of_agent(name.as_str(), agent)));
    findings.extend(KINDS.into_iter().filter_map(|name| installed(name, &config)));
    findings.push(roles(&config));
    findings
}

fn git() -> Finding {
    match Git::from_own_environment().version() {
        Ok(version) => ok("git", version),
        Err(error) => missing("git", &chain(&error)),
    }
}

fn repository(project: &Project) -> Finding {
    let opened = Repository::open(&project.root, Git::from_own_environment());
    match opened.and_then(|repository| Ok((repository.head()?, repository.cleanliness()?))) {
        Ok((head, cleanliness)) => {
            let branch = head.branch.unwrap_or_else(|| "a detached HEAD".to_owned());
            let clean = if cleanliness.is_clean() { "clean" } else { "with uncommitted changes" };
            ok("project", format!("{} on {branch}, {clean}", project.root.display()))
        }
        Err(error) => missing("project", &chain(&error)),
    }
}

fn roadmap(project: &Project, config: &Config) -> Finding {
    let read =
        project.roadmap(None, config).and_then(|path| Ok((read(&project.root.join(&path))?, path)));
    let (bytes, path) = match read {
        Ok(found) => found,
        Err(failure) => return missing("roadmap", &failure.what),
    };
    let roadmap = parse_bytes(bytes.clone());
    if let Err(failure) = text_of(bytes, &path).and_then(|text| fits(&text, &path, &roadmap)) {
        return missing("roadmap", &failure.what);
    }
    let open = roadmap.phases.iter().filter(|phase| !phase.complete).count();
    let criteria = roadmap.phases.iter().flat_map(|phase| &phase.criteria);
    let runnable = criteria.filter(|line| Criterion::parse(&line.text).command.is_some()).count();
    ok(
        "roadmap",
        format!(
            "{path}: {} phases, {open} open, {runnable} criteria with a command, {} problems",
            roadmap.phases.len(),
            roadmap.problems.len()
        ),
    )
}

/// What kind of project it is, and what its gates are.
fn commands(project: &Project, config: &Config) -> Option<Finding> {
    let repository = Repository::open(&project.root, Git::from_own_environment()).ok()?;
    let head = repository.head().ok()?;
    let told = repository.told_at(&head.commit).ok()?;
    let guards = config.checks.guards(&told.commands);
    let command = |guard: &Check| {
        let command = guard.criterion.command.as_deref().unwrap_or_default();
        format!("{}: `{command}`", guard.name)
    };
    let gates: Vec<String> = guards.iter().map(command).collect();
    let gates = if gates.is_empty() { "no guards".to_owned() } else { gates.join(", ") };
    Some(ok("commands", clean(&format!("{told}; {gates}"))))
}

fn of_agent(name: &str, agent: &Agent) -> Finding {
    let what = format!("agent {name}");
    let looked = match &agent.kind {
        AgentKind::Scripted(script) => {
            usable(script, Path::is_file).map(|place| format!("embedded, plays {place}"))
        }
        AgentKind::Command(words) => {
            let program = words.first().map_or("", String::as_str);
            program_of(program, agent).map(|place| format!("{place}; signed in: unknown"))
        }
        AgentKind::Real { kind, settings } => {
            let program = settings.program.first().map_or(*kind, String::as_str);
            program_of(program, agent).map(|place| format!("{kind}, {place}; signed in: unknown"))
        }
    };
    match looked {
        Ok(detail) => ok(&what, detail),
        Err(why) => missing(&what, &why),
    }
}

/// An agent that people use, where nobody has configured it: it is there or a role wants it.
fn installed(name: &'static str, config: &Config) -> Option<Finding> {
    let known = AgentName::new(name);
    let agent = config.agent(&known).filter(|_| !config.agents.contains_key(&known))?;
    let found = of_agent(name, &agent);
    let is_wanted = Role::ALL
        .iter()
        .any(|role| config.chosen(*role).is_some_and(|(chosen, _)| *chosen == known));
    (is_wanted || found.mark == Mark::Ok).then_some(found)
}

/// Where a run would find an agent's program, or why it would not.
fn program_of(program: &str, agent: &Agent) -> Result<String, String> {
    match find(program, agent) {
        Some(path) => usable(&path, is_executable),
        None => Err(format!("`{program}` is not on the agent's PATH")),
    }
}

fn usable(path: &Path, is_usable: fn(&Path) -> bool) -> Result<String, String> {
    let shown = path.display().to_string();
    if is_usable(path) { Ok(shown) } else { Err(format!("there is no usable `{shown}`")) }
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

fn roles(config: &Config) -> Finding {
    let Some(default) = &config.default_agent else {
        return missing("roles", "no agent is chosen; set `[roles] default` or use `--agent NAME`");
    };
    let chosen = |role: Role| config.roles.get(&role).unwrap_or(default);
    let unknown = Role::ALL.into_iter().find(|role| config.agent(chosen(*role)).is_none());
    match unknown {
        Some(role) => {
            missing("roles", &format!("the agent `{}` of {role} is not configured", chosen(role)))
        }
        None => ok(
            "roles",
            format!("{default}, and {} roles with an agent of their own", config.roles.len()),
        ),
    }
}

/// What stands between an agent and the rest of the machine, and what does not.
fn enforced() -> Vec<Finding> {
    let linux = cfg!(target_os = "linux");
    let guardian = if linux {
        ok(
            "processes",
            "a guardian ends every descendant of an agent, also after kill -9".to_owned(),
        )
    } else {
        not_enforced("processes", "only process groups are ended here; a daemon could survive")
    };
    vec![
        guardian,
        ok(
            "repository",
            "agents work in repositories of their own, never in your checkout".to_owned(),
        ),
        ok("environment", "agents get an allow-list of variables".to_owned()),
        not_enforced(
            "file system",
            "an agent can write wherever you can; run it as a user that cannot do harm",
        ),
        not_enforced("network", "agents and verification commands can reach the network"),
    ]
}

fn told(finding: &Finding) -> String {
    let mark = match finding.mark {
        Mark::Ok => "[ ok ]",
        Mark::Missing => "[MISS]",
        Mark::NotEnforced => "[ -- ]",
    };
    format!("{mark} {}: {}\n", clean(&finding.what), clean(&finding.detail))
}

fn ok(what: &str, detail: String) -> Finding {
    Finding { what: what.to_owned(), mark: Mark::Ok, detail }
}

fn missing(what: &str, detail: &str) -> Finding {
    Finding { what: what.to_owned(), mark: Mark::Missing, detail: detail.to_owned() }
}

fn not_enforced(what: &str, detail: &str) -> Finding {
    let detail = format!("not enforced: {detail}");
    Finding { what: what.to_owned(), mark: Mark::NotEnforced, detail }
}
