//! `autopilot debug`

mod failed;

use std::collections::BTreeMap;

use autopilot_core::{
    evidence::{Check, CheckKind, Criterion},
    id::{CommitId, RunId},
    phases::{DebugGoal, DebugSession, DebugSpec, Manner},
    roadmap::PhaseId,
    run::{Run, Submission, Work, WorkSpec},
};
use autopilot_engine::{driver::Driver, git};
use autopilot_views::{SessionView, clean};

use self::failed::{FailedPhase, symptoms};
use super::{claim_name, here::Here, name_by_time, slug};
use crate::{
    args,
    commands::{agents, data, engine_failure, go},
    exit::Exit,
    failure::{Failure, Outcome},
    project::Project,
    ui::Ui,
};

/// Longer names of sessions are cut.
const SLUG_CHARS_MAX: usize = 30;
/// How many sessions may have the same name but for a number.
const NAMES_MAX: u32 = 1_000;

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    /// To see the sessions that are open.
    List,
    /// To go on with one.
    Resume(Option<String>),
    /// To find out why a phase failed.
    Phase(PhaseId),
    /// To find out why something is as it is.
    Fault(String),
}

/// Begins a debug session, goes on with one, or lists those that are open.
pub(crate) fn debug(args: &args::Debug, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    match wanted(&args.words) {
        Wanted::List => list(&project, ui),
        Wanted::Resume(slug) => resume(&project, slug.as_deref(), args, ui),
        Wanted::Phase(id) => {
            let failed = FailedPhase::of(&project, id)?;
            begin(&project, failed.spec(args), args, ui)
        }
        Wanted::Fault(text) => begin(&project, fault(&text, args), args, ui),
    }
}

fn wanted(words: &[String]) -> Wanted {
    let text = words.join(" ");
    let parts: Vec<&str> = text.split_whitespace().collect();
    match parts.as_slice() {
        [] => Wanted::List,
        ["resume"] => Wanted::Resume(None),
        ["resume", slug] => Wanted::Resume(Some((*slug).to_owned())),
        ["phase", id] | ["phase", id, "failure"] => {
            id.parse().map_or_else(|_| Wanted::Fault(text.clone()), Wanted::Phase)
        }
        _ => Wanted::Fault(text),
    }
}

fn fault(text: &str, args: &args::Debug) -> DebugSpec {
    let mut symptoms = symptoms(args);
    if symptoms.actual.is_empty() {
        text.clone_into(&mut symptoms.actual);
    }
    DebugSpec {
        slug: short_slug(text),
        trigger: text.to_owned(),
        symptoms,
        prefilled: false,
        known: Vec::new(),
        goal: goal(args),
        reproduction: None,
    }
}

const fn goal(args: &args::Debug) -> DebugGoal {
    if args.diagnose_only { DebugGoal::FindRootCauseOnly } else { DebugGoal::FindAndFix }
}

fn short_slug(text: &str) -> String {
    if !text.chars().any(|c| c.is_ascii_alphanumeric()) {
        return "session".to_owned();
    }
    let mut slug = slug(text);
    slug.truncate(SLUG_CHARS_MAX);
    slug.trim_end_matches('-').to_owned()
}

fn begin(project: &Project, spec: DebugSpec, args: &args::Debug, ui: &mut Ui) -> Outcome {
    let config = project.config_with(args.agent.as_deref())?;
    let repository = git::Project::open(&project.root, git::Git::from_own_environment())
        .map_err(|error| engine_failure(&error.into()))?;
    let head = repository.head().map_err(|error| engine_failure(&error.into()))?;
    project.home.check_state(None).map_err(|error| engine_failure(&error))?;
    let here = Here { project, repository: &repository, commit: &head.commit, path: "" };
    let guards = here.guards(&config, &here.told()?, &[]);
    let reproduction = args.reproduce.as_deref().map(shown_by).transpose()?;
    if guards.is_empty() && reproduction.is_none() && spec.goal == DebugGoal::FindAndFix {
        return Err(nothing_to_see_it_by());
    }
    let slug = free_slug(project, &here, &spec.slug)?;
    let spec = DebugSpec { slug, reproduction, ..spec };
    let deciding: Vec<Check> = guards.iter().cloned().chain(check(&spec)).collect();
    let protection = here.protection(&config, &[], &deciding);
    let default_agent = agents::check_agents(&config)?;
    let found = repository.cleanliness().map_err(|error| engine_failure(&error.into()))?;
    if !found.changed.is_empty() {
        ui.warn("your checkout has uncommitted changes; the session starts from the last commit and does not see them");
    }
    repository.exclude_own_files().map_err(|error| engine_failure(&error.into()))?;
    let crew = go::Crew::new(project, &config, ui)?;
    let name = name_by_time();
    crew.driver.reserve(&RunId::new(name.as_str())).map_err(|error| engine_failure(&error))?;
    let (run, branch) = claim_name(&name, project, &repository, &head.commit)?;
    ui.tell(format!("{run}: debug session {} starts from {}", clean(&spec.slug), head.commit));
    let submission = Submission {
        run,
        base: CommitId::new(head.commit.as_str()),
        // There is no roadmap in it, so there is none that could change.
        roadmap: String::new(),
        spec_sha256: String::new(),
        requirements: None,
        spec_committed: true,
        limits: config.limits.clone(),
        pass_score: config.pass_score,
        agents: config.roles.clone(),
        default_agent,
        prepare: config.checks.prepare.clone(),
        protection,
        ui: config.ui.clone(),
        guards,
        counts: config.checks.counts.clone(),
        measure: config.measure,
        manner: Manner::default(),
        visual: None,
        work: WorkSpec::Debug(Box::new(spec)),
        complete_before: None,
        known: BTreeMap::new(),
    };
    crew.driver.submit(&submission).map_err(|error| {
        // There is no run of that name, so there is no branch either.
        drop(repository.remove_ref(&branch, &head.commit));
        engine_failure(&error)
    })?;
    go::go(&crew, &submission.run, ui)
}

/// The command that shows the fault, as a check that holds once it is gone.
fn shown_by(command: &str) -> Result<Criterion, Failure> {
    let criterion =
        Criterion { text: "the fault is gone".to_owned(), ..Criterion::of_command(command) };
    match criterion.objection() {
        None => Ok(criterion),
        Some(why) => Err(Failure::refused(
            format!("`{}` shows nothing: {why}", clean(command)),
            "whether the fault is gone is told from this command alone: it must fail now and pass then",
            "name a command that ends with 0 when the fault is gone, and otherwise with something else",
        )),
    }
}

fn check(spec: &DebugSpec) -> Option<Check> {
    let criterion = spec.reproduction.clone()?;
    Some(Check { name: "debug/reproduction".to_owned(), kind: CheckKind::Criterion, criterion })
}

fn nothing_to_see_it_by() -> Failure {
    Failure::refused(
        "there is no command by which a repair could be seen to hold",
        "a repair would stand on the word of whoever made it",
        "name one that fails now and passes when the fault is gone (`--reproduce 'COMMAND'`), or the project's own \
         (`[project.commands]` or `[guards]` in autopilot.toml), or use `--diagnose-only`",
    )
}

/// A name that no session has had, so that none takes the place of another's file.
fn free_slug(project: &Project, here: &Here<'_>, wanted: &str) -> Result<String, Failure> {
    let sessions = sessions(project)?;
    let is_free = |slug: &String| {
        let known = sessions
            .iter()
            .any(|(_, state)| session(state).is_some_and(|one| one.spec.slug == *slug));
        !known
            && !here.has(&format!(".planning/debug/{slug}.md"))
            && !here.has(&format!(".planning/debug/resolved/{slug}.md"))
    };
    let numbered = (2..=NAMES_MAX).map(|number| {
        let number = format!("-{number}");
        let kept: String = wanted.chars().take(SLUG_CHARS_MAX - number.len()).collect();
        format!("{}{number}", kept.trim_end_matches('-'))
    });
    std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).ok_or_else(|| {
        Failure::refused(
            format!("no name is left for a session that begins like `{wanted}`"),
            "the file of a session bears its name",
            "say it in other words",
        )
    })
}

/// Every session of the project with its run, the newest first.
fn sessions(project: &Project) -> Result<Vec<(RunId, Run)>, Failure> {
    let driver = project.runs();
    let runs = driver.list().map_err(|error| engine_failure(&error))?;
    // A journal that cannot be read is reported by the commands that look at its run.
    let states =
        runs.into_iter().rev().filter_map(|run| Some((run.clone(), driver.state(&run).ok()?)));
    Ok(states.filter(|(_, state)| session(state).is_some()).collect())
}

fn session(state: &Run) -> Option<&DebugSession> {
    let Work::Phases(work) = &state.work;
    work.debug.as_deref()
}

fn open(project: &Project) -> Result<Vec<(RunId, Run)>, Failure> {
    let mut sessions = sessions(project)?;
    sessions.retain(|(_, state)| session(state).is_some_and(|one| one.end().is_none()));
    Ok(sessions)
}

/// Says which sessions wait to be gone on with.
pub(super) fn warn_of_open(project: &Project, ui: &mut Ui) {
    for name in open_names(project) {
        ui.warn(&format!(
            "the debug session {name} is not over; `autopilot debug resume {name}` goes on with it"
        ));
    }
}

/// The open sessions of a project, by name.
fn open_names(project: &Project) -> Vec<String> {
    let open = open(project).unwrap_or_default();
    open.iter().filter_map(|(_, state)| Some(session(state)?.spec.slug.clone())).collect()
}

fn list(project: &Project, ui: &mut Ui) -> Outcome {
    let open = open(project)?;
    let text: String = open
        .iter()
        .filter_map(|(_, state)| Some(SessionView::of(session(state)?).to_text()))
        .collect();
    if text.is_empty() {
        ui.tell("no debug session is open; `autopilot debug 'WHAT IS WRONG'` begins one");
    } else {
        data(ui, &text)?;
        ui.tell("`autopilot debug resume NAME` goes on with one");
    }
    Ok(Exit::Done)
}

fn resume(project: &Project, named: Option<&str>, args: &args::Debug, ui: &mut Ui) -> Outcome {
    let all = sessions(project)?;
    let of_name = |state: &Run| {
        session(state).is_some_and(|one| match named {
            Some(slug) => one.spec.slug == slug,
            None => one.end().is_none(),
        })
    };
    let found: Vec<&(RunId, Run)> = all.iter().filter(|(_, state)| of_name(state)).collect();
    let (run, state) = match found.as_slice() {
        [one] => *one,
        _ => return Err(not_one(project, named, found.len())),
    };
    let Some(session) = session(state) else { return Ok(Exit::Done) };
    if session.end().is_some() && state.ending.is_some() {
        data(ui, &SessionView::of(session).to_text())?;
        ui.tell("this session is over; there is nothing to go on with");
        return Ok(Exit::Done);
    }
    ui.tell(format!(
        "{run}: going on with {}: {}",
        clean(&session.spec.slug),
        clean(&session.focus.next_action)
    ));
    let config = project.config_with(args.agent.as_deref())?;
    go::go(&go::Crew::new(project, &config, ui)?, run, ui)
}

fn not_one(project: &Project, named: Option<&str>, found: usize) -> Failure {
    let names = open_names(project);
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let what = match (named, found) {
        (Some(name), _) => format!("there is no debug session `{}`", clean(name)),
        (None, 0) => "no debug session is open".to_owned(),
        (None, found) => format!("{found} debug sessions are open"),
    };
    Failure::refused(
        what,
        "going on with another one than you mean would cost money and help nobody",
        format!(
            "the open ones are: {names}; `autopilot debug resume NAME` goes on with one, `autopilot debug 'WHAT IS WRONG'` begins one"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Wanted {
        wanted(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn c46_words_ask_for_a_session_its_continuation_or_a_failed_phase() {
        let phase = |id: &str| Wanted::Phase(id.parse().expect("an id"));
        assert_eq!(of(&[]), Wanted::List);
        assert_eq!(of(&["resume"]), Wanted::Resume(None));
        assert_eq!(of(&["resume", "it-hangs"]), Wanted::Resume(Some("it-hangs".to_owned())));
        assert_eq!(of(&["phase", "5", "failure"]), phase("5"));
        assert_eq!(of(&["phase 5.1 failure"]), phase("5.1"));
        assert_eq!(of(&["phase", "3"]), phase("3"));
        for text in ["resume does not work", "phase three fails", "phase 3 is slow", "it hangs"] {
            assert_eq!(of(&[text]), Wanted::Fault(text.to_owned()));
        }
    }

    #[test]
    fn c46_the_name_of_a_session_is_short_and_safe_in_a_path() {
        assert_eq!(
            short_slug("It prints ../../nothing at all, since Tuesday"),
            "it-prints-nothing-at-all-since"
        );
        assert!(short_slug("a long-word-that-ends-with-dash-here").len() <= SLUG_CHARS_MAX);
        assert_eq!(short_slug("验证"), "session");
    }
}
