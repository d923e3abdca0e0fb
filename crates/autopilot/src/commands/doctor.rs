//! `autopilot doctor`

use std::{
    ffi::{OsStr, OsString},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use autopilot_core::{evidence::Criterion, roadmap::parse_bytes, role::Role};
use autopilot_engine::{
    git::{Git, Project as Repository},
    process::{environment, find_program},
    sandbox::{Enforcement, Sandbox, look},
};
use autopilot_views::clean;
use serde::Serialize;

use crate::{
    args::Json,
    commands::{data, json, own_program},
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
    let mut sandbox = Sandbox::default();
    match Project::find() {
        Ok(project) => {
            findings.extend(of_project(&project));
            sandbox = project.config().map(|config| config.sandbox).unwrap_or_default();
        }
        Err(failure) => findings.push(missing("project", &failure.what)),
    }
    findings.extend(enforced(&sandbox));
    let well = findings.iter().all(|finding| finding.mark != Mark::Missing);
    let text =
        if args.json { json(&findings)? } else { findings.iter().map(told).collect::<String>() };
    data(ui, &text)?;
    Ok(if well { Exit::Done } else { Exit::Refused })
}

fn of_project(project: &Project) -> Vec<Finding> {
    let mut findings = vec![repository(project)];
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
    findings.extend(config.agents.iter().map(|(name, agent)| of_agent(name.as_str(), agent)));
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
    let roadmap = parse_bytes(bytes);
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
    };
    match looked {
        Ok(detail) => ok(&what, detail),
        Err(why) => missing(&what, &why),
    }
}

/// Where a run would find an agent's program, or why it would not.
fn program_of(program: &str, agent: &Agent) -> Result<String, String> {
    let os = |(name, value): (&String, &String)| (OsString::from(name), OsString::from(value));
    let variables =
        environment::of_agent(&agent.pass_environment, agent.environment.iter().map(os));
    match find_program(OsStr::new(program), &variables) {
        Ok(path) => usable(&path, is_executable),
        Err(_) => Err(format!("`{program}` is not on the agent's PATH")),
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
    let unknown = Role::ALL.into_iter().find(|role| !config.agents.contains_key(chosen(*role)));
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
fn enforced(sandbox: &Sandbox) -> Vec<Finding> {
    let linux = cfg!(target_os = "linux");
    let guardian = if linux {
        ok(
            "processes",
            "a guardian ends every descendant of an agent, also after kill -9".to_owned(),
        )
    } else {
        not_enforced("processes", "only process groups are ended here; a daemon could survive")
    };
    let mut findings = vec![
        guardian,
        ok(
            "repository",
            "agents work in repositories of their own, never in your checkout".to_owned(),
        ),
        ok("environment", "agents get an allow-list of variables".to_owned()),
    ];
    findings.extend(walls(sandbox));
    findings
}

/// What of the sandbox holds here: it is tried, not guessed.
fn walls(sandbox: &Sandbox) -> Vec<Finding> {
    let looked = own_program()
        .map_err(|failure| failure.what)
        .and_then(|program| look(sandbox, &program).map_err(|error| chain(&error)));
    match looked {
        Ok(all) => all.into_iter().map(wall).collect(),
        Err(why) => vec![missing("sandbox", &why)],
    }
}

fn wall(Enforcement { what, held }: Enforcement) -> Finding {
    match held {
        Ok(how) => ok(what, how),
        Err(why) => not_enforced(what, &why),
    }
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
