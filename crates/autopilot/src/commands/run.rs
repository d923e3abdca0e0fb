//! `autopilot run`

mod here;

use std::collections::BTreeMap;

use autopilot_core::{
    evidence::Criterion,
    id::{AgentName, CommitId, RunId},
    measure::Measure,
    phases::PhaseSpec,
    report::Named,
    roadmap::{Phase, PhaseId, Roadmap, SelectionError, mark_complete, parse, select},
    run::{Submission, Work, WorkSpec},
};
use autopilot_engine::{driver::Driver, git, hash::sha256_hex};
use autopilot_views::{clean, table};

use self::here::Here;
use crate::{
    args,
    commands::{data, engine_failure, go, roadmap::unproven},
    config::Config,
    exit::Exit,
    failure::{Failure, Outcome},
    project::{Project, read},
    ui::Ui,
};

/// Longer slugs are cut.
const SLUG_CHARS_MAX: usize = 40;
/// How many runs of a repository may begin in the same second.
const NAMES_MAX: u32 = 1_000;

/// Runs phases of the roadmap until they are proven done.
pub(crate) fn run(args: &args::Run, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let mut config = project.config()?;
    if let Some(agent) = &args.agent {
        config.default_agent = Some(autopilot_core::id::AgentName::new(agent.as_str()));
    }
    let path = project.roadmap(args.roadmap.as_deref(), &config)?;
    let text = text_of(read(&project.root.join(&path))?, &path)?;
    let roadmap = parse(text.as_str());
    for problem in &roadmap.problems {
        ui.warn(&format!("{path}:{}: {}", problem.line, clean(&problem.message)));
    }
    let phases = chosen(args, &roadmap)?;
    if phases.is_empty() {
        ui.tell(nothing_to_do(&roadmap));
        return Ok(Exit::Done);
    }
    check_dependencies(&roadmap, &phases)?;
    check_marks(&text, &path, &phases)?;
    check_criteria(&path, &phases)?;
    if let Some(warning) = unproven(phases.iter().copied()) {
        ui.warn(&warning);
    }
    let repository = git::Project::open(&project.root, git::Git::from_own_environment())
        .map_err(|error| engine_failure(&error.into()))?;
    let head = repository.head().map_err(|error| engine_failure(&error.into()))?;
    let here =
        Here { project: &project, repository: &repository, commit: &head.commit, path: &path };
    project.home.check_state(None).map_err(|error| engine_failure(&error))?;
    here.check_earlier_runs(&phases, args.again, ui)?;
    if args.dry_run {
        show(&roadmap, &phases, &config, ui)?;
        return go::check_agents(&config).map(|_| Exit::Done);
    }
    let default_agent = go::check_agents(&config)?;
    here.warn_if_unclean(&text, ui)?;
    here.warn_if_not_committed(&phases, ui)?;
    let specs: Vec<PhaseSpec> = phases.iter().map(|phase| spec(phase)).collect();
    repository.exclude_own_files().map_err(|error| engine_failure(&error.into()))?;
    let crew = go::Crew::new(&project, &config, ui)?;
    let name = name_by_time();
    crew.driver.reserve(&RunId::new(name.as_str())).map_err(|error| engine_failure(&error))?;
    let (run, branch) = claim_name(&name, &project, &repository, &head.commit)?;
    let submission = Submission {
        run,
        base: CommitId::new(head.commit.as_str()),
        spec_sha256: sha256_hex(text.as_bytes()),
        spec_committed: here.is_committed(&text)?,
        roadmap: path.clone(),
        limits: config.limits.clone(),
        pass_score: config.pass_score,
        agents: config.roles.clone(),
        default_agent: default_agent.clone(),
        prepare: config.checks.prepare.clone(),
        protection: here.protection(&config, &specs),
        guards: config.checks.guards(),
        counts: config.checks.counts.clone(),
        measure: measure(&config, &project, &default_agent),
        work: WorkSpec::Phases(specs),
        complete_before: args.complete.then(|| complete_in(&roadmap)),
    };
    crew.driver.submit(&submission).map_err(|error| {
        // There is no run of that name, so there is no branch either.
        drop(repository.remove_ref(&branch, &head.commit));
        engine_failure(&error)
    })?;
    ui.tell(format!("{} starts from {}", submission.run, submission.base));
    go::go(&crew, &submission.run, ui)
}

/// The phases that need not be done any more.
fn complete_in(roadmap: &Roadmap) -> Vec<Named> {
    let complete = roadmap.phases.iter().filter(|phase| phase.complete);
    let named =
        |phase: &Phase| Named { phase_id: phase.id.to_string(), phase_name: phase.name.to_string() };
    complete.map(named).collect()
}

/// How reviewers are measured, with what their agents have shown in earlier runs of this project.
fn measure(config: &Config, project: &Project, default_agent: &AgentName) -> Measure {
    let mut measure = config.measure.clone();
    let driver = project.runs();
    for run in driver.list().unwrap_or_default() {
        // A run that cannot be read any more has nothing to say about anybody.
        let Ok(state) = driver.state(&run) else { continue };
        let Work::Phases(work) = &state.work;
        for (role, tally) in &work.tallies {
            let agent = config.roles.get(role).unwrap_or(default_agent);
            if state.agent_for(*role) == agent {
                *measure.before.entry(*role).or_default() += *tally;
            }
        }
    }
    measure
}

/// The roadmap as text. Other bytes could be read somehow, but not marked without changing them.
pub(super) fn text_of(bytes: Vec<u8>, path: &str) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        Failure::refused(
            format!("`{path}` holds bytes that are not UTF-8, first on line {line}"),
            "phases that are done are marked in it, and nothing else in it may change",
            "save it as UTF-8 and commit it",
        )
    })
}

/// What to say when no phase is left of those that were asked for.
fn nothing_to_do(roadmap: &Roadmap) -> String {
    if roadmap.phases.iter().all(|phase| phase.complete) {
        "nothing to do: everything in the roadmap is complete".to_owned()
    } else {
        "nothing to do: every phase asked for is complete".to_owned()
    }
}

/// The incomplete phases that were asked for, each after all it depends on.
fn chosen<'a>(args: &args::Run, roadmap: &'a Roadmap) -> Result<Vec<&'a Phase>, Failure> {
    let words = if args.complete { "all" } else { args.phases.as_deref().unwrap_or("next") };
    let wanted: Vec<PhaseId> = select(words, roadmap).map_err(|error| {
        let hint = match error {
            SelectionError::NoNext { .. } => {
                "`autopilot roadmap` shows what they wait for; take one of the dependencies out of the roadmap"
            }
            SelectionError::NoPhases => "`docs/roadmap-format.md` shows how phases are written",
            _ => "`autopilot roadmap` lists them",
        };
        Failure::refused(error.to_string(), "only phases of the roadmap can be run", hint)
    })?;
    let graph = roadmap.graph();
    let mut is_open = vec![false; graph.len()];
    for place in wanted.iter().filter_map(|id| roadmap.position(*id)).filter(|at| *at < graph.len())
    {
        is_open[place] = !roadmap.phases[place].complete;
    }
    // A circle among phases that the run does not have is a problem, but none of this run.
    let order = graph.order_among(|place| is_open[place]);
    if order.len() < is_open.iter().filter(|open| **open).count() {
        return Err(circle(roadmap, &is_open));
    }
    Ok(order.into_iter().map(|place| &roadmap.phases[place]).collect())
}

fn circle(roadmap: &Roadmap, is_open: &[bool]) -> Failure {
    let cycles = roadmap.graph().cycles();
    let members = cycles.iter().map(|cycle| cycle.iter().filter(|at| is_open[**at]));
    let members = members.max_by_key(|members| members.clone().count()).into_iter().flatten();
    let members: Vec<&str> = members.map(|&at| roadmap.phases[at].id.as_str()).collect();
    Failure::refused(
        format!("the phases {} depend on each other in a circle", members.join(", ")),
        "none of them could ever begin",
        "take one of the dependencies out of the roadmap",
    )
}

/// Refuses a phase with a check that can never be passed: every repair would be paid for in vain.
fn check_criteria(path: &str, phases: &[&Phase]) -> Result<(), Failure> {
    for phase in phases {
        for criterion in &phase.criteria {
            if let Some(why) = Criterion::parse(&criterion.text).objection() {
                return Err(Failure::refused(
                    format!(
                        "`{path}`, line {}: a criterion of phase {} can never be passed: {why}",
                        criterion.line, phase.id
                    ),
                    "agents would be paid to repair what no repair can change",
                    "correct the criterion; `docs/roadmap-format.md` tells what can be expected of a command",
                ));
            }
        }
    }
    Ok(())
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

/// Refuses a phase that could not be marked complete: it would be done again and again.
fn check_marks(text: &str, path: &str, phases: &[&Phase]) -> Result<(), Failure> {
    for phase in phases {
        mark_complete(text, phase.id).map_err(|error| {
            Failure::refused(
                format!("`{path}`: {error}"),
                "a phase that is done but not marked would be run again, and what depends on it never",
                "give it a name, or its table a `Status` column",
            )
        })?;
    }
    Ok(())
}

fn spec(phase: &Phase) -> PhaseSpec {
    PhaseSpec {
        id: phase.id,
        name: phase.name.to_string(),
        goal: phase.goal.as_deref().unwrap_or_default().to_owned(),
        criteria: phase.checks(),
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

fn show(roadmap: &Roadmap, phases: &[&Phase], config: &Config, ui: &mut Ui) -> Result<(), Failure> {
    let mut rows =
        vec![["PHASE", "NAME", "AFTER", "CRITERIA WITH A COMMAND"].map(str::to_owned).to_vec()];
    for phase in phases {
        let after: Vec<&str> = phase.depends_on.iter().map(|id| id.as_str()).collect();
        let all = phase.criteria.len();
        let runnable = phase.executable_criteria();
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
    data(ui, &text)
}

fn name_by_time() -> String {
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    format!("run-{}", now.strftime("%Y-%m-%d-%H%M%S"))
}

/// Finds a name for a run and takes it by making its branch: checkouts of one repository share branches, and no two
/// of them can make the same one.
fn claim_name(
    first: &str,
    project: &Project,
    repository: &git::Project,
    base: &git::ObjectId,
) -> Result<(RunId, git::OwnRef), Failure> {
    let taken = project.runs().list().map_err(|error| engine_failure(&error))?;
    let others = (2..=NAMES_MAX).map(|number| format!("{first}-{number}"));
    let names = std::iter::once(first.to_owned()).chain(others);
    for name in names.map(RunId::new).filter(|name| !taken.contains(name)) {
        let branch = git::OwnRef::branch(&format!("{name}/head"))
            .map_err(|error| engine_failure(&error.into()))?;
        match repository.update_ref(&branch, base, None) {
            Ok(()) => return Ok((name, branch)),
            Err(error) if matches!(error.kind(), git::GitErrorKind::Moved) => {}
            // Somebody is about to take it, or was when the power went.
            Err(_) if repository.is_locked(&branch) => {}
            Err(error) => return Err(engine_failure(&error.into())),
        }
    }
    Err(Failure::new(
        Exit::Bug,
        format!("no name is left for a run that begins like `{first}`"),
        "the journal and the branch of a run bear its name, so two runs cannot share one",
        "try again in a second; if it stays like this, please report it with the output of `git branch --list 'autopilot/*'`",
    ))
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
