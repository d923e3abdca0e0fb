//! `autopilot issue`

mod source;

use std::{
    env,
    io::{self, BufRead, IsTerminal},
};

use autopilot_core::{
    evidence::Criterion,
    id::{AgentName, CommitId, GateId, RunId},
    input::Answer,
    issue::{Because, IssueSpec, Lack, Route, is_express_eligible, is_ok, recommend},
    phases::Manner,
    run::{Run, Submission, WorkSpec},
};
use autopilot_engine::{book::Book, driver::Driver, git, hash::sha256_hex};
use autopilot_views::{status as view, status_text};

use self::source::Source;
use super::run::{claim_name, here::Here, name_by_time};
use crate::{
    args::{self, IssueAction, StartIssue},
    commands::{answer::leave_answer, data, engine_failure, go, json},
    config::Config,
    exit::Exit,
    failure::{Failure, Outcome},
    project::Project,
    ui::Ui,
};

/// What says that whoever starts the program has a queue that a person curates.
const HAND_OFF_MARK: (&str, &str) = ("FA_HANDOFF", "1");

/// Works on an issue, or says something about it.
pub(crate) fn issue(args: &args::Issue, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    match &args.action {
        None => {
            let exit = match unfinished(&project, args.number)? {
                Some((run, _)) => resume(&project, &run, ui)?,
                None => start(&project, args.number, &StartIssue::default(), ui)?,
            };
            attend(&project, args.number, exit, ui)
        }
        Some(IssueAction::Start(options)) => {
            if let Some((run, _)) = unfinished(&project, args.number)? {
                return Err(Failure::refused(
                    format!("{run} has begun issue {} and not ended it", args.number),
                    "the same work would be done and paid for again",
                    format!("`autopilot issue {}` goes on with it", args.number),
                ));
            }
            let exit = start(&project, args.number, options, ui)?;
            attend(&project, args.number, exit, ui)
        }
        Some(IssueAction::Approve(answer)) => {
            say(&project, args.number, (true, &answer.message), ui)
        }
        Some(IssueAction::Reject(answer)) => {
            say(&project, args.number, (false, &answer.message), ui)
        }
        Some(IssueAction::Status(wanted)) => status(&project, args.number, wanted.json, ui),
    }
}

/// The newest run about an issue.
fn newest(project: &Project, number: u64) -> Result<Option<(RunId, Run)>, Failure> {
    let runs = project.runs().list().map_err(|error| engine_failure(&error))?;
    for run in runs.into_iter().rev() {
        // A journal that cannot be read is reported by the commands that look at its run.
        let Ok(Some(state)) = Book::read(&project.home.journal(&run)) else { continue };
        if state.work.issue().is_some_and(|issue| issue.spec.number == number) {
            return Ok(Some((run, state)));
        }
    }
    Ok(None)
}

/// The newest run about an issue, if it can go on.
fn unfinished(project: &Project, number: u64) -> Result<Option<(RunId, Run)>, Failure> {
    let newest = newest(project, number)?;
    Ok(newest.filter(|(_, state)| !state.ending.as_ref().is_some_and(|end| end.is_final())))
}

fn known(project: &Project, number: u64) -> Result<(RunId, Run), Failure> {
    newest(project, number)?.ok_or_else(|| {
        Failure::refused(
            format!("no run is about issue {number}"),
            "there is nothing to look at or to answer",
            format!("`autopilot issue {number}` starts one"),
        )
    })
}

fn status(project: &Project, number: u64, as_json: bool, ui: &mut Ui) -> Outcome {
    let (run, state) = known(project, number)?;
    let holder =
        Book::holder(&project.home.journal(&run)).map_err(|error| engine_failure(&error))?;
    let alive = state.ending.is_none() && holder.is_some_and(|holder| holder.is_running());
    let view = view(&state, alive);
    let text = if as_json { json(&view)? } else { status_text(&view) };
    data(ui, &text)?;
    Ok(Exit::Done)
}

/// Takes a person's word at the open gate.
fn say(project: &Project, number: u64, (approved, message): (bool, &str), ui: &mut Ui) -> Outcome {
    let (run, state) = known(project, number)?;
    let open = state.asked.keys().next().cloned();
    let gate: GateId = open.ok_or_else(|| {
        Failure::refused(
            format!("issue {number} asks nothing now"),
            "an answer counts for one question, and nobody should approve what they have not seen",
            format!("`autopilot issue {number} status` tells where it stands"),
        )
    })?;
    let answer =
        Answer { approved, message: message.to_owned(), by: super::answer::person(), until: None };
    leave_answer(project, &run, (&gate, &answer))?;
    ui.tell(format!("`autopilot issue {number}` goes on"));
    Ok(Exit::Done)
}

/// Goes on for as long as a person at a terminal answers.
fn attend(project: &Project, number: u64, first: Exit, ui: &mut Ui) -> Outcome {
    let mut exit = first;
    while exit == Exit::Waiting && io::stdin().is_terminal() {
        ui.tell("`ok` approves, anything else sends it back in your words, an empty line leaves it open");
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line);
        let said = line.trim();
        if read.is_err() || said.is_empty() {
            break;
        }
        say(project, number, (is_ok(said), said), ui)?;
        let Some((run, _)) = unfinished(project, number)? else { break };
        exit = resume(project, &run, ui)?;
    }
    Ok(exit)
}

fn resume(project: &Project, run: &RunId, ui: &mut Ui) -> Outcome {
    let config = project.config()?;
    go::go(&go::Crew::new(project, &config, ui)?, run, ui)
}

fn start(project: &Project, number: u64, options: &StartIssue, ui: &mut Ui) -> Outcome {
    let mut config = project.config()?;
    if let Some(agent) = &options.agent {
        config.default_agent = Some(AgentName::new(agent.as_str()));
    }
    let repository = git::Project::open(&project.root, git::Git::from_own_environment())
        .map_err(|error| engine_failure(&error.into()))?;
    let head = repository.head().map_err(|error| engine_failure(&error.into()))?;
    project.home.check_state(None).map_err(|error| engine_failure(&error))?;
    let source =
        Source::find(project, &repository, &head.commit, (number, options, config.issue.forge))?;
    let requirements = format!("{}/prd.md", source.directory);
    let here = Here { project, repository: &repository, commit: &head.commit, path: &requirements };
    let guards = here.guards(&config)?;
    let route = chosen(number, options, &source, ui)?;
    let acceptance = acceptance(&config, &guards)?;
    let default_agent = go::check_agents(&config)?;
    check_strong(&config)?;
    repository.exclude_own_files().map_err(|error| engine_failure(&error.into()))?;
    let crew = go::Crew::new(project, &config, ui)?;
    let name = name_by_time();
    crew.driver.reserve(&RunId::new(name.as_str())).map_err(|error| engine_failure(&error))?;
    let (run, branch) = claim_name(&name, project, &repository, &head.commit)?;
    let about = source.about();
    let handed_off = handed_off(options, ui);
    if handed_off {
        check_ready(number, &source)?;
    }
    let spec = IssueSpec {
        number,
        title: source.title.clone(),
        text: source.text.clone(),
        directory: source.directory.clone(),
        route,
        runs: if route == Route::Flaky { config.issue.flaky_runs } else { 1 },
        tries: config.issue.tries,
        strong: config.issue.strong.clone(),
        may_be_express: route == Route::Full && is_express_eligible(&about),
        handed_off,
        tracking: options.tracking.clone().filter(|id| !id.trim().is_empty()),
        coarse: options.compat,
        acceptance: acceptance.clone(),
    };
    let criteria = guards.iter().map(|guard| &guard.criterion).chain([&acceptance]);
    let protection = here.protection_of(&config, criteria);
    let submission = Submission {
        run,
        base: CommitId::new(head.commit.as_str()),
        spec_sha256: sha256_hex(source.committed.as_deref().unwrap_or_default()),
        spec_committed: source.committed.is_some(),
        roadmap: requirements.clone(),
        limits: config.limits.clone(),
        pass_score: config.pass_score,
        agents: config.roles.clone(),
        default_agent,
        prepare: config.checks.prepare.clone(),
        protection,
        guards,
        counts: config.checks.counts.clone(),
        measure: config.measure,
        manner: Manner::default(),
        work: WorkSpec::Issue(Box::new(spec)),
        complete_before: None,
    };
    crew.driver.submit(&submission).map_err(|error| {
        // There is no run of that name, so there is no branch either.
        drop(repository.remove_ref(&branch, &head.commit));
        engine_failure(&error)
    })?;
    ui.tell(format!("{} starts from {}", submission.run, submission.base));
    go::go(&crew, &submission.run, ui)
}

/// The way that a person chose. What would be recommended is said and never taken by itself.
fn chosen(
    number: u64,
    options: &StartIssue,
    source: &Source,
    ui: &mut Ui,
) -> Result<Route, Failure> {
    let route = match options.route.as_deref() {
        None => Route::Full,
        Some(name) => Route::named(name).ok_or_else(|| {
            let names: Vec<&str> = Route::ALL.iter().map(|route| route.name()).collect();
            Failure::new(
                Exit::Usage,
                format!("`{name}` is no way that an issue can take"),
                "each has gates of its own",
                format!("the ways are: {}", names.join(", ")),
            )
        })?,
    };
    let (recommended, because) = recommend(&source.about());
    let why = match because {
        Because::Label(label) => format!("its label `{label}`"),
        Because::Word(word) => format!("the word `{word}`"),
        Because::Nothing => return Ok(route),
    };
    if recommended != route {
        ui.tell(format!(
            "by {why} issue {number} looks like `--route {}`; it goes on as `{}`",
            recommended.name(),
            route.name()
        ));
    }
    Ok(route)
}

/// Whether nobody is asked at the gates. Without the mark of a launcher the wish alone changes nothing.
fn handed_off(options: &StartIssue, ui: &mut Ui) -> bool {
    let (name, value) = HAND_OFF_MARK;
    let is_marked = env::var_os(name).is_some_and(|found| found == value);
    if options.hand_off && !is_marked {
        ui.warn(&format!("`--hand-off` is ignored without {name}={value}; all three gates hold"));
    }
    options.hand_off && is_marked
}

/// Refuses an issue that leaves something to be asked where nobody is.
fn check_ready(number: u64, source: &Source) -> Result<(), Failure> {
    let missing: Vec<&str> = source.lacks().into_iter().map(Lack::told).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::refused(
        format!("issue {number} is not ready for a queue; missing: {}", missing.join("; ")),
        "nobody is asked at the gates of a queue, so everything must have been said before",
        format!("complete it, or start it without `--hand-off` (`autopilot issue {number} start`)"),
    ))
}

/// What runs the acceptance tests: what the settings say, else the project's own test command.
fn acceptance(
    config: &Config,
    guards: &[autopilot_core::evidence::Check],
) -> Result<Criterion, Failure> {
    let own = guards.iter().find(|guard| guard.name == "test").map(|guard| &guard.criterion);
    config.issue.test.as_ref().or(own).cloned().ok_or_else(|| {
        Failure::refused(
            "nothing says how the acceptance tests are run",
            "an issue is done when its tests were seen red before and green after, by the engine itself",
            "set `issue.test` in autopilot.toml, for instance `test = \"sh tests/run.sh\"`",
        )
    })
}

/// Refuses a stronger agent that is not there: it would be missing when it is needed.
fn check_strong(config: &Config) -> Result<(), Failure> {
    match config.issue.strong.as_ref().filter(|name| !config.agents.contains_key(*name)) {
        None => Ok(()),
        Some(name) => Err(Failure::new(
            Exit::NoAgent,
            format!("the agent `{name}` of `issue.strong` is not configured"),
            "it is started when the usual one did not converge, and would be missing then",
            format!("add `[agents.{name}]`, or leave `issue.strong` out"),
        )),
    }
}
