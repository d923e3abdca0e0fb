//! `autopilot run`

use std::collections::BTreeMap;

use autopilot_core::{
    evidence::Criterion,
    id::{CommitId, RunId},
    phases::PhaseSpec,
    roadmap::{Phase, PhaseId, Roadmap, parse_bytes, select},
    run::{Submission, WorkSpec},
};
use autopilot_engine::{driver::Driver, git, hash::sha256_hex};
use autopilot_views::{clean, table};

use crate::{
    args,
    commands::{data, engine_failure, go},
    config::Config,
    exit::Exit,
    failure::{Failure, Outcome},
    project::{Project, read},
    ui::Ui,
};

/// Longer slugs are cut.
const SLUG_CHARS_MAX: usize = 40;

/// Runs phases of the roadmap until they are proven done.
pub(crate) fn run(args: &args::Run, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let mut config = project.config()?;
    if let Some(agent) = &args.agent {
        config.default_agent = Some(autopilot_core::id::AgentName::new(agent.as_str()));
    }
    let path = project.roadmap(args.roadmap.as_deref(), &config)?;
    let bytes = read(&project.root.join(&path))?;
    let spec_sha256 = sha256_hex(&bytes);
    let roadmap = parse_bytes(bytes);
    for problem in &roadmap.problems {
        ui.warn(&format!("{}:{}: {}", path.display(), problem.line, clean(&problem.message)));
    }
    let phases = chosen(args, &roadmap)?;
    if phases.is_empty() {
        ui.tell("nothing to do: every phase asked for is complete");
        return Ok(Exit::Done);
    }
    check_dependencies(&roadmap, &phases)?;
    if args.dry_run {
        return show(&roadmap, &phases, &config, ui);
    }
    let default_agent = go::check_agents(&config)?;
    let repository = git::Project::open(&project.root, git::Git::from_own_environment())
        .map_err(|error| engine_failure(&error.into()))?;
    project.home.check_state(None).map_err(|error| engine_failure(&error))?;
    let head = repository.head().map_err(|error| engine_failure(&error.into()))?;
    warn_if_unclean(&repository, ui)?;
    let submission = Submission {
        run: new_run_id(&project, &repository)?,
        base: CommitId::new(head.commit.as_str()),
        spec_sha256,
        roadmap: path.display().to_string(),
        limits: config.limits.clone(),
        pass_score: config.pass_score,
        agents: config.roles.clone(),
        default_agent,
        work: WorkSpec::Phases(phases.iter().map(|phase| spec(phase)).collect()),
    };
    repository.exclude_own_files().map_err(|error| engine_failure(&error.into()))?;
    let driver = go::driver(&project, &config)?;
    driver.submit(&submission).map_err(|error| engine_failure(&error))?;
    ui.tell(format!("{} starts from {}", submission.run, submission.base));
    go::go(&driver, &submission.run, ui)
}

/// The incomplete phases that were asked for, each after all it depends on.
fn chosen<'a>(args: &args::Run, roadmap: &'a Roadmap) -> Result<Vec<&'a Phase>, Failure> {
    let wanted: Vec<PhaseId> = if args.complete {
        roadmap.phases.iter().map(|phase| phase.id).collect()
    } else {
        let words = args.phases.as_deref().unwrap_or("next");
        select(words, roadmap).map_err(|error| {
            Failure::refused(
                error.to_string(),
                "only phases of the roadmap can be run",
                "`autopilot roadmap` lists them",
            )
        })?
    };
    if let Some(cycle) = roadmap.graph().cycles().first() {
        let members: Vec<&str> = cycle.iter().map(|&at| roadmap.phases[at].id.as_str()).collect();
        return Err(Failure::refused(
            format!("the phases {} depend on each other in a circle", members.join(", ")),
            "none of them could ever begin",
            "take one of the dependencies out of the roadmap",
        ));
    }
    let order = roadmap.graph().order().iter().map(|&at| &roadmap.phases[at]);
    Ok(order
        .filter(|phase| wanted.contains(&phase.id) && !phase.complete && !phase.duplicate)
        .collect())
}

/// Refuses a phase whose dependencies are neither complete nor part of the run.
fn check_dependencies(roadmap: &Roadmap, phases: &[&Phase]) -> Result<(), Failure> {
    for phase in phases {
        for needed in &phase.depends_on {
            let Some(before) = roadmap.phase(*needed) else { continue };
            if !before.complete && !phases.iter().any(|other| other.id == *needed) {
                return Err(Failure::refused(
                    format!("phase {} depends on phase {needed}, which is not complete", phase.id),
                    "its work would be built on something that is not there",
                    format!(
                        "run it too (`autopilot run {needed},{}`), or use `--complete`",
                        phase.id
                    ),
                ));
            }
        }
    }
    Ok(())
}

fn spec(phase: &Phase) -> PhaseSpec {
    PhaseSpec {
        id: phase.id,
        name: phase.name.to_string(),
        goal: phase.goal.as_deref().unwrap_or_default().to_owned(),
        criteria: phase.criteria.iter().map(|line| Criterion::parse(&line.text)).collect(),
        depends_on: phase.depends_on.clone(),
        directory: format!(".planning/phases/{}-{}", phase.id, slug(&phase.name)),
    }
}

/// A phase's name as part of a path.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.to_lowercase().chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(SLUG_CHARS_MAX);
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "phase".to_owned() } else { slug.to_owned() }
}

fn show(roadmap: &Roadmap, phases: &[&Phase], config: &Config, ui: &mut Ui) -> Outcome {
    let mut rows =
        vec![["PHASE", "NAME", "AFTER", "CRITERIA WITH A COMMAND"].map(str::to_owned).to_vec()];
    for phase in phases {
        let after: Vec<&str> = phase.depends_on.iter().map(|id| id.as_str()).collect();
        let all = phase.criteria.len();
        let runnable = phase
            .criteria
            .iter()
            .filter(|line| Criterion::parse(&line.text).command.is_some())
            .count();
        rows.push(vec![
            phase.id.to_string(),
            clean(&phase.name),
            after.join(", "),
            format!("{runnable} of {all}"),
        ]);
    }
    let agents: BTreeMap<&str, String> = config
        .roles
        .iter()
        .map(|(role, agent)| (role.name(), agent.to_string()))
        .chain(config.default_agent.iter().map(|agent| ("all others", agent.to_string())))
        .collect();
    let mut text = table(&rows);
    text.push_str(&format!("\n{} of {} phases would run.\n", phases.len(), roadmap.phases.len()));
    for (role, agent) in agents {
        text.push_str(&format!("agent of {role}: {agent}\n"));
    }
    let limits = &config.limits;
    text.push_str(&format!(
        "limits: {} tokens and {} minutes for the run, {} tokens and {} minutes for a phase\n",
        limits.run_tokens, limits.run_minutes, limits.phase_tokens, limits.phase_minutes
    ));
    data(ui, &text)?;
    Ok(Exit::Done)
}

fn warn_if_unclean(repository: &git::Project, ui: &mut Ui) -> Result<(), Failure> {
    let found = repository.cleanliness().map_err(|error| engine_failure(&error.into()))?;
    if !found.is_clean() {
        ui.warn("your checkout has uncommitted changes; the run starts from the last commit and does not see them");
    }
    Ok(())
}

/// A name that no run of this project has. Another checkout of the same repository has runs of its own.
fn new_run_id(project: &Project, repository: &git::Project) -> Result<RunId, Failure> {
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    let base = format!("run-{}", now.strftime("%Y-%m-%d-%H%M%S"));
    let taken = project.runs().list().map_err(|error| engine_failure(&error))?;
    let names = std::iter::once(base.clone()).chain((2..).map(|number| format!("{base}-{number}")));
    for name in names.map(RunId::new).filter(|name| !taken.contains(name)) {
        let branch = git::OwnRef::branch(&format!("{name}/head"));
        let found = branch.and_then(|branch| repository.read_ref(&branch));
        if found.map_err(|error| engine_failure(&error.into()))?.is_none() {
            return Ok(name);
        }
    }
    Err(Failure::new(Exit::Bug, "no name is left for a run", "", "please report it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_safe_in_a_path_and_never_empty() {
        assert_eq!(slug("Pre-Execution Triage!"), "pre-execution-triage");
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("验证与收尾"), "phase");
        assert!(slug(&"long name ".repeat(20)).len() <= SLUG_CHARS_MAX);
    }
}
