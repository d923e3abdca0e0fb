//! `autopilot sim`

use autopilot_core::{
    evidence::{Check, Criterion, protect::Protection, sim::Report},
    id::CommitId,
    phases::{count_by, named_checks},
    project::Commands,
    roadmap::{Roadmap, parse_bytes, select},
    time::SECOND_MS,
};
use autopilot_engine::{
    git,
    work::{Rehearsal, Tidings, rehearse},
};
use autopilot_views::{played_line, sim as view, sim_text};

use crate::{
    args::Sim,
    commands::{data, engine_failure, json, own_tools},
    config::Config,
    exit::Exit,
    failure::{Failure, Outcome},
    project::{Project, read},
    ui::Ui,
};

/// The gates of a project, and which files they are judged by.
struct Gates {
    checks: Vec<Check>,
    protection: Protection,
}

/// Plays misbehaviour against the project's own gates.
pub(crate) fn sim(args: &Sim, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let config = project.config()?;
    let gates = gates(args, &project, &config)?;
    project.home.check_state(None).map_err(|error| engine_failure(&error))?;
    let repository = git::Project::open(&project.root, git::Git::from_own_environment())
        .map_err(|error| engine_failure(&error.into()))?;
    let head = repository.head().map_err(|error| engine_failure(&error.into()))?;
    let found = repository.cleanliness().map_err(|error| engine_failure(&error.into()))?;
    if !found.is_clean() {
        ui.warn(
            "your checkout has uncommitted changes; files are taken from the last commit, only the roadmap and the \
             settings are read as they are now",
        );
    }
    let rehearsal = Rehearsal {
        commit: CommitId::new(head.commit.as_str()),
        checks: gates.checks,
        prepare: config.checks.prepare.clone(),
        protection: gates.protection,
        criterion_ms_max: config.limits.check_seconds.saturating_mul(SECOND_MS),
        guard_ms_max: config.limits.guard_seconds.saturating_mul(SECOND_MS),
        plays_max: usize::try_from(args.max).unwrap_or(usize::MAX),
        seed: args.seed,
    };
    let mut told = 0_usize;
    let report =
        rehearse(&project.home, &own_tools(&config)?, &rehearsal, &mut |tidings| match tidings {
            Tidings::Gate(gate) if gate.verdict.is_passed() => {}
            Tidings::Gate(gate) => ui.warn(&format!(
                "{} is not green on the last commit, so nothing is played against it",
                gate.name
            )),
            Tidings::Played(played) => {
                told += 1;
                ui.tell(format!("{told}: {}", played_line(played)));
            }
        })
        .map_err(|error| engine_failure(&error))?;
    data(ui, &if args.json { json(&view(&report))? } else { sim_text(&report) })?;
    ended(&report)
}

fn ended(report: &Report) -> Outcome {
    if report.green().next().is_none() {
        return Err(Failure::refused(
            "no gate is green on the last commit",
            "what is red before anything is broken cannot show that it notices a break",
            "make the gates green first; the list above says what each of them shows",
        ));
    }
    if report.played.is_empty() {
        return Err(Failure::refused(
            "there is nothing that could be played",
            "no file of the last commit is known to be code, so none can be broken",
            "commit the code first; `docs/sim.md` tells what is broken and how",
        ));
    }
    Ok(if report.through().next().is_some() { Exit::Incomplete } else { Exit::Done })
}

/// The guards of the settings and the criteria of the roadmap, as far as they were asked for.
fn gates(args: &Sim, project: &Project, config: &Config) -> Result<Gates, Failure> {
    let roadmap = roadmap(args, project, config)?;
    let repository = git::Project::open(&project.root, git::Git::from_own_environment())
        .map_err(|error| engine_failure(&error.into()))?;
    let head = repository.head().map_err(|error| engine_failure(&error.into()))?;
    let told = repository.own_commands_at(&head.commit);
    let told = told.map_err(|error| engine_failure(&error.into()))?;
    // Only tests are meant to notice what is wrong with code that compiles.
    let mut checks = config.checks.guards(&Commands { test: told.test, ..Commands::default() });
    for guard in &mut checks {
        count_by(&config.checks.counts, &mut guard.criterion);
    }
    let wanted = match &args.phases {
        Some(words) => select(words, &roadmap).map_err(|error| {
            Failure::refused(
                error.to_string(),
                "only criteria of phases of the roadmap can be played against",
                "`autopilot roadmap` lists them",
            )
        })?,
        None => roadmap.phases.iter().map(|phase| phase.id).collect(),
    };
    let mut criteria: Vec<Criterion> = Vec::new();
    for phase in roadmap.phases.iter().filter(|phase| !phase.duplicate) {
        if wanted.contains(&phase.id) {
            let own = phase.checks();
            checks.extend(named_checks(phase.id.as_str(), own.iter(), &config.checks.counts));
            criteria.extend(own);
        }
    }
    let read = |path: &str| std::fs::read_to_string(project.root.join(path)).ok();
    let guards = checks.iter().map(|check| &check.criterion);
    let protection = config.checks.protection(criteria.iter().chain(guards), &read);
    if checks.is_empty() {
        return Err(Failure::refused(
            "there is no gate to play against",
            "without a command that decides, whatever an agent does gets through",
            "write a guard, such as `test = \"make test\"` below `[guards]` in `autopilot.toml`, or a criterion with a \
             command into the roadmap",
        ));
    }
    narrow(&mut checks, &args.check)?;
    Ok(Gates { checks, protection })
}

/// Leaves the gates that were asked for by name.
fn narrow(checks: &mut Vec<Check>, names: &[String]) -> Result<(), Failure> {
    let known: Vec<String> = checks.iter().map(|check| check.name.clone()).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        return Err(Failure::refused(
            format!("there is no gate `{unknown}`"),
            "only guards of the settings and criteria with a command can be played against",
            format!("the gates are: {}", known.join(", ")),
        ));
    }
    if !names.is_empty() {
        checks.retain(|check| names.contains(&check.name));
    }
    Ok(())
}

/// The roadmap; an empty one where there is none and nobody asked for it.
fn roadmap(args: &Sim, project: &Project, config: &Config) -> Result<Roadmap, Failure> {
    let is_wanted = args.phases.is_some() || args.roadmap.is_some() || config.roadmap.is_some();
    match project.roadmap(args.roadmap.as_deref(), config) {
        Ok(path) => Ok(parse_bytes(read(&project.root.join(path))?)),
        Err(failure) if is_wanted => Err(failure),
        Err(_) => Ok(parse_bytes(Vec::new())),
    }
}
