//! `autopilot run`

mod choice;
pub(super) mod here;
mod history;
mod preview;

use autopilot_core::{
    evidence::Criterion,
    id::{CommitId, RunId},
    phases::{Manner, PhaseSpec},
    report::Named,
    roadmap::{Phase, Roadmap, mark_complete, parse},
    run::{Submission, WorkSpec},
};
use autopilot_engine::{driver::Driver, git, hash::sha256_hex};
use autopilot_views::clean;

use self::{choice::Choice, here::Here, history::History, preview::Preview};
use crate::{
    args,
    commands::{data, engine_failure, go, roadmap::unproven},
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
    let history = History::of(&project);
    let choice = Choice::of(args, &roadmap, &history)?;
    let phases = choice.phases.as_slice();
    if phases.is_empty() {
        ui.tell(choice.nothing_to_do(&roadmap));
        return Ok(Exit::Done);
    }
    check_dependencies(&roadmap, phases)?;
    check_phases(&text, &path, phases, ui)?;
    let repository = git::Project::open(&project.root, git::Git::from_own_environment())
        .map_err(|error| engine_failure(&error.into()))?;
    let head = repository.head().map_err(|error| engine_failure(&error.into()))?;
    let here =
        Here { project: &project, repository: &repository, commit: &head.commit, path: &path };
    project.home.check_state(None).map_err(|error| engine_failure(&error))?;
    here.check_earlier_runs(phases, args.again, ui)?;
    let guards = here.guards(&config)?;
    let specs: Vec<PhaseSpec> = phases.iter().map(|phase| spec(phase, &choice)).collect();
    let preview = Preview::of(&here, &config, &specs, &guards)?;
    if args.dry_run {
        data(ui, &preview.text(&choice, roadmap.phases.len()))?;
        return go::check_agents(&config).map(|_| Exit::Done);
    }
    preview.warn(ui);
    let default_agent = go::check_agents(&config)?;
    here.warn_if_unclean(&text, ui)?;
    here.warn_if_not_committed(phases, ui)?;
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
        pass_score: choice.pass_score(config.pass_score),
        agents: config.roles.clone(),
        default_agent: default_agent.clone(),
        prepare: config.checks.prepare.clone(),
        protection: here.protection(&config, &specs, &guards),
        guards,
        counts: config.checks.counts.clone(),
        measure: history.measure(&config, &default_agent),
        manner: Manner { audit: config.audit, ..choice.manner },
        work: WorkSpec::Phases(specs),
        complete_before: args.ways.complete.then(|| complete_in(&roadmap)),
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
    let named = |phase: &Phase| Named {
        phase_id: phase.id.to_string(),
        phase_name: phase.name.to_string(),
    };
    complete.map(named).collect()
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

/// Refuses phases that could never be completed or marked, and names those that nothing proves.
fn check_phases(text: &str, path: &str, phases: &[&Phase], ui: &mut Ui) -> Result<(), Failure> {
    check_marks(text, path, phases)?;
    check_criteria(path, phases)?;
    if let Some(warning) = unproven(phases.iter().copied()) {
        ui.warn(&warning);
    }
    Ok(())
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

fn spec(phase: &Phase, choice: &Choice<'_>) -> PhaseSpec {
    PhaseSpec {
        id: phase.id,
        name: phase.name.to_string(),
        goal: phase.goal.as_deref().unwrap_or_default().to_owned(),
        criteria: phase.checks(),
        requirements: phase.requirements.iter().map(ToString::to_string).collect(),
        depends_on: phase.depends_on.clone(),
        directory: format!(".planning/phases/{}-{}", phase.id, slug(&phase.name)),
        start: choice.start(phase),
        earlier_scores: choice.earlier_scores(phase),
    }
}

/// A phase's name as part of a path.
pub(super) fn slug(name: &str) -> String {
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

pub(super) fn name_by_time() -> String {
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    format!("run-{}", now.strftime("%Y-%m-%d-%H%M%S"))
}

/// Finds a name for a run and takes it by making its branch: checkouts of one repository share branches, and no two
/// of them can make the same one.
pub(super) fn claim_name(
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
