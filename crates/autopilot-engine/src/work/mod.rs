//! The workshop of a run: performs effects with real git, real processes and real agents.

mod above;
mod again;
mod agent;
mod canary;
mod change;
mod check;
mod compiled;
mod confined;
mod frozen;
mod inside;
mod keep;
mod leftover;
mod meanwhile;
mod observe;
mod orphan;
mod overruled;
mod rehearse;
mod reject;
mod repo_map;
mod ruler;
mod scratch;
mod shown;
mod sighting;
mod surroundings;
mod tree;
mod was;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use autopilot_agents::Adapter;
use autopilot_core::{
    budget::{Limits, Spend},
    effect::{Effect, Owed},
    id::{AgentName, Key, RunId},
    input::{Event, Failure, FailureClass, LeftOut, Outcome, Strays},
    returns::Sitting,
    role::Role,
    run::Submission,
};

pub(crate) use self::frozen::{Frozen, Rules};
pub use self::{
    again::{Repeated, repeat},
    agent::Seen,
    keep::keep_leftovers,
    leftover::{Leftover, leftovers},
    rehearse::{Rehearsal, Tidings, rehearse},
};
use self::{keep::Shelf, meanwhile::Meanwhile, repo_map::Mapped, shown::Shown, tree::object};
use crate::{
    error::{EngineError, told},
    git::{Git, Project},
    home::Home,
    local::Perform,
    private::{create_dirs, tempdir_in},
    process::{Cancel, Ending, Environment, Finished, Guardian, GuardianSpec, Pulse, environment},
    prompt::{Prompts, schema, schema_file},
    redact::Redactor,
    sandbox::{Places, Sandbox},
    transcript::Transcript,
};

/// What a run needs besides its own facts: programs and people's settings of today.
#[derive(Clone)]
pub struct Tools {
    /// This program: the guardian and the embedded agent are hidden commands of it.
    pub program: PathBuf,
    /// The agents that can be used.
    pub agents: BTreeMap<AgentName, AgentTool>,
    /// The ceilings from now on.
    pub limits: Limits,
    /// Whether the failed phases of a run that is taken up are tried again.
    pub retry: bool,
    /// Where signs of life are counted while a step is under way.
    pub pulse: Pulse,
    /// What agents and verification commands may touch.
    pub sandbox: Sandbox,
}

/// An agent, ready to be started.
#[derive(Clone)]
pub struct AgentTool {
    /// How it is started and read.
    pub adapter: Arc<dyn Adapter>,
    /// Variables it is given.
    pub environment: Vec<(String, String)>,
    /// Variables of the person's environment that are let through to it.
    pub pass_environment: Vec<String>,
    /// Where it keeps its login and what it remembers: its own to read and write.
    pub state: Vec<PathBuf>,
    /// Files that it is started with.
    pub reads: Vec<PathBuf>,
}

impl Tools {
    /// No tools: enough to look at runs, not to carry one forward.
    pub fn none() -> Self {
        Self {
            program: PathBuf::new(),
            agents: BTreeMap::new(),
            limits: Limits::default(),
            retry: false,
            pulse: Pulse::default(),
            sandbox: Sandbox::default(),
        }
    }
}

/// What becomes of checkouts in which commands ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeping {
    /// What commands left there is kept.
    Kept,
    /// They go, with all that commands left there: they were only made to look.
    Dropped,
}

/// Everything that effects are performed with.
pub struct Workshop {
    home: Home,
    run: RunId,
    given: Submission,
    tools: Tools,
    project: Project,
    guardian: Guardian,
    /// What each agent may see of this process's own environment, which does not change.
    allowed: BTreeMap<AgentName, Environment>,
    /// What processes may touch; nothing where the sandbox is off.
    places: Option<Places>,
    redactor: Redactor,
    shelf: Shelf,
    meanwhile: Meanwhile,
    shown: Shown,
    keeping: Keeping,
    /// What was noticed and nobody has asked for yet.
    noticed: Mutex<Vec<Event>>,
    transcript: Arc<Transcript>,
    mapped: Mutex<Option<Mapped>>,
    prompts: Prompts,
}

impl Workshop {
    /// Opens the workshop of a run and starts its guardian. Whoever calls is alone in working on the run.
    pub fn open(home: &Home, tools: &Tools, given: &Submission) -> Result<Self, EngineError> {
        let keep: Vec<OsString> = vec![
            tools.program.clone().into(),
            "__keep".into(),
            home.root.clone().into(),
            given.run.as_str().into(),
        ];
        home.settle()?;
        let workshop = Self::open_to(home, tools, given, (Keeping::Kept, keep))?;
        workshop.project.break_stale_locks(given.run.as_str())?;
        Ok(workshop)
    }

    /// Opens a workshop with a guardian that does `after` when this process is gone.
    fn open_to(
        home: &Home,
        tools: &Tools,
        given: &Submission,
        (keeping, after): (Keeping, Vec<OsString>),
    ) -> Result<Self, EngineError> {
        let run = &given.run;
        // Before anything is made: a template that cannot be used is found when the run starts.
        let prompts = Prompts::of(&home.prompts())?;
        for directory in [home.workspaces(run), home.schemas(run)] {
            create_dirs(&directory).map_err(EngineError::file("make", &directory))?;
        }
        let of_roles = Role::ALL.map(|role| (role, Sitting::First));
        for (role, sitting) in of_roles.into_iter().chain([(Role::Judge, Sitting::Second)]) {
            let path = home.schemas(run).join(schema_file(role, sitting));
            fs::write(&path, schema(role, sitting)).map_err(EngineError::file("write", &path))?;
        }
        let pages = home.transcript(run);
        let transcript =
            Transcript::begin(&pages).map_err(EngineError::file("begin a file in", &pages))?;
        let mut guardian = Guardian::start(&GuardianSpec {
            program: tools.program.clone(),
            arguments: vec!["__guardian".into()],
            run_id: run.to_string(),
            lock: home.guardian_lock(run),
            after,
        })?;
        let sandbox = &tools.sandbox;
        if sandbox.enabled && !sandbox.network {
            guardian.prepare_own_network();
        }
        let project = Project::open(&home.root, Git::from_own_environment())?;
        let allowed = |(name, tool): (&AgentName, &AgentTool)| {
            (name.clone(), environment::of_agent(&tool.pass_environment, []))
        };
        Ok(Self {
            home: home.clone(),
            run: run.clone(),
            given: given.clone(),
            tools: tools.clone(),
            project,
            guardian,
            allowed: tools.agents.iter().map(allowed).collect(),
            places: sandbox
                .enabled
                .then(|| Places::of(sandbox, &home.root, kept_by_the_engine(home))),
            redactor: redactor(tools),
            shelf: Shelf::default(),
            meanwhile: Meanwhile::default(),
            shown: Shown::default(),
            keeping,
            noticed: Mutex::default(),
            transcript,
            mapped: Mutex::default(),
            prompts,
        })
    }

    /// Performs an effect. Whatever goes wrong is an outcome, unless every further effect would meet the same.
    fn perform_any(&self, owed: &Owed, cancel: &Cancel) -> Result<(Outcome, Spend), EngineError> {
        let began = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| self.effect(owed, cancel)));
        let (outcome, mut spent) = match done {
            Ok(Ok(done)) => done,
            Ok(Err(_)) if cancel.is_cancelled() => (Outcome::Interrupted, Spend::default()),
            // Trying again would only use up the tries of every phase that is left.
            Ok(Err(error)) if error.meets_every_effect() => return Err(error),
            Ok(Err(error)) => {
                self.probe(&error)?;
                (broken(told(&error)), Spend::default())
            }
            Err(_) => (broken("the engine met a bug of its own".to_owned()), Spend::default()),
        };
        spent.busy_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok((outcome, spent))
    }

    /// Fails if an effect failed for a reason that every further one would meet, though its error does not say so.
    fn probe(&self, failed: &EngineError) -> Result<(), EngineError> {
        let base = object(&self.given.base)?;
        self.project.probe(&base)?;
        if matches!(failed, EngineError::Git(error) if error.may_be_a_filters()) {
            let above = self.home.run(&self.run);
            let scratch =
                tempdir_in(&above).map_err(EngineError::file("make a directory in", &above))?;
            self.project.probe_filters(&base, None, scratch.path())?;
        }
        Ok(())
    }

    /// Ends the guardian and everything it watches, and removes what is kept elsewhere.
    pub fn close(self: Arc<Self>) -> Result<(), EngineError> {
        self.clear_shelf();
        self.keep_leftovers()?;
        match Arc::into_inner(self) {
            Some(workshop) => Ok(workshop.guardian.dismiss()?),
            // Someone still performs an effect; the guardian ends with this process.
            None => Ok(()),
        }
    }

    /// Keeps what attempts of this run left behind and nobody kept.
    pub fn keep_leftovers(&self) -> Result<(), EngineError> {
        // What it is doing would be in the way of what is removed.
        self.meanwhile.end();
        let left_out = keep_leftovers(&self.home, &self.run)?;
        self.note_left_out(left_out);
        Ok(())
    }

    fn note_left_out(&self, left_out: Vec<LeftOut>) {
        self.note(left_out.into_iter().map(Event::LeftOut));
    }

    /// Notes the processes that a step left behind when it ended by itself. What is still alive when a step is ended
    /// from here was not left behind.
    fn note_strays(&self, key: &Key, finished: &Finished) {
        let by_itself = matches!(finished.ending, Ending::Exited(_) | Ending::Signalled(_));
        let left = &finished.strays;
        if by_itself && (left.count > 0 || finished.leaky) {
            let (count, names) = (left.count, left.names.clone());
            let strays = Strays { key: key.clone(), count, names, leaky: finished.leaky };
            self.note([Event::Strays(strays)]);
        }
    }

    fn note(&self, events: impl IntoIterator<Item = Event>) {
        self.noticed.lock().unwrap_or_else(PoisonError::into_inner).extend(events);
    }

    fn effect(&self, owed: &Owed, cancel: &Cancel) -> Result<(Outcome, Spend), EngineError> {
        let free = Spend::default();
        Ok(match &owed.effect {
            Effect::Preflight(task) => (self.preflight(task)?, free),
            Effect::Agent(task) => self.agent(&owed.key, task, cancel)?,
            Effect::Check(task) => (self.check(&owed.key, task, cancel)?, free),
            Effect::Canary(task) => (self.canary(&owed.key, task, cancel)?, free),
            Effect::Seed(task) => (self.seed(&owed.key, task, cancel)?, free),
            Effect::Commit(task) => (self.commit(&owed.key, task)?, free),
            Effect::Integrate(task) => (self.integrate(&owed.key, task)?, free),
            Effect::Reject(task) => (self.reject(task)?, free),
        })
    }
}

impl Perform for Workshop {
    fn perform(&self, owed: &Owed, cancel: &Cancel) -> Result<(Outcome, Spend), EngineError> {
        self.perform_any(owed, cancel)
    }

    fn noticed(&self) -> Vec<Event> {
        std::mem::take(&mut self.noticed.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The checkout, and everything that the engine keeps of this and of other runs: who only looks has a place of its own there.
fn kept_by_the_engine(home: &Home) -> Vec<PathBuf> {
    let persons = Home::of(&home.root).ok().map(|home| home.state().to_owned());
    [home.root.clone(), home.state().to_owned()].into_iter().chain(persons).collect()
}

/// Knows what must not be stored: secrets of this process's environment, and those that agents are given.
fn redactor(tools: &Tools) -> Redactor {
    let os = |(name, value): &(String, String)| (OsString::from(name), OsString::from(value));
    let given = tools.agents.values().flat_map(|tool| &tool.environment).map(os);
    Redactor::of(std::env::vars_os().chain(given), |name| {
        let mut tools = tools.agents.values();
        tools.any(|tool| environment::is_let_through(&tool.pass_environment, name))
    })
}

fn broken(detail: String) -> Outcome {
    Outcome::Failed(Failure { class: FailureClass::Engine, detail })
}
