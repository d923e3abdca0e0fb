//! What the engine adds to an agent's step: two durable facts, a guardian, a prompt and a record of it all.
//!
//! The step is measured from a ready workspace to its last durable fact, without a commit, through the real
//! loop, journal, hands and workshop. The floor starts the same program with `std` and syncs two appends.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{Read, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use autopilot_agents::CommandAgent;
use autopilot_core::{
    budget::{Limits, Spend},
    effect::{Effect, Owed},
    fact::{Fact, Record},
    id::{AgentName, CommitId, RunId},
    input::{Event, Failure, FailureClass, Outcome as Ended},
    phases::{PASS_SCORE_DEFAULT, PhaseSpec},
    run::{Run, Submission, WorkSpec},
    time::Timestamp,
};
use autopilot_engine::{
    book::{Book, TakenUp},
    drive::{Drive, Log},
    error::EngineError,
    hash::sha256_hex,
    home::Home,
    local::{Inbox, Lanes, LocalHands, Perform},
    process::{Cancel, Pulse},
    work::{AgentTool, Tools, Workshop},
};
use autopilot_journal::Disk;
use autopilot_testkit::repository::Sandbox;

use super::{
    measure::{Row, Samples},
    unsynced::Unsynced,
};
use crate::shell::{Outcome, say};

/// Steps in one turn of each rival.
pub(crate) const STEPS: u32 = 100;
const ROUNDS: usize = 40;
/// How long the long run is when its steps are compared with those of the short one.
pub(crate) const LONG: u32 = 10_000;
const STEP_RATIO_MAX: f64 = 1.15;
const GROWTH_RATIO_MAX: f64 = 1.05;
/// An agent as small as they come.
const AGENT: &str = "#!/bin/sh\necho ok\n";
/// What the holder of a benchmark's journal says it is doing.
const LABEL: &str = "a benchmark";
/// About as long as a fact.
const FACT_BYTES: usize = 160;

/// Measures a step beside its floor, and a late step beside an early one.
pub(crate) fn run() -> Outcome {
    let sandbox = sandbox()?;
    let mut early = Rival::new(&sandbox, "run-early")?;
    let mut late = Rival::new(&sandbox, "run-late")?;
    let mut floor = Floor::new(&sandbox)?;
    late.skip(LONG)?;
    early.skip(STEPS)?;
    let mut step = row("a step, two durable facts", STEP_RATIO_MAX);
    let mut growth = growth("step 10,000 beside step 100");
    for _ in 0..ROUNDS {
        step.floor.add(floor.steps(STEPS)?);
        let time = early.steps(STEPS)?;
        step.ours.add(time);
        growth.floor.add(time);
        growth.ours.add(late.steps(STEPS)?);
    }
    let syncs = early.syncs_per_step;
    say(&format!("steps: {STEPS} in a turn, {ROUNDS} turns; times are of one step\n"))?;
    say(&Row::heading())?;
    say(&step.line())?;
    say(&growth.line())?;
    say(&format!("journal syncs for each step: {syncs:.2}\n"))?;
    early.close()?;
    late.close()?;
    if step.is_met() && growth.is_met() && (syncs - 2.0).abs() < 0.05 {
        Ok(())
    } else {
        Err("a target was missed".to_owned())
    }
}

/// Measures steps of a run behind many facts beside steps of a run behind few, in turns.
pub(crate) fn compare(what: &str, early: &mut Rival, late: &mut Rival) -> Result<Row, String> {
    let mut growth = growth(what);
    for _ in 0..ROUNDS {
        growth.floor.add(early.steps(STEPS)?);
        growth.ours.add(late.steps(STEPS)?);
    }
    Ok(growth)
}

/// A project for runs of [`Rival`]s.
pub(crate) fn sandbox() -> Result<Sandbox, String> {
    let sandbox = Sandbox::new();
    sandbox.write("ROADMAP.md", "# Roadmap\n");
    sandbox.commit("roadmap");
    fs::write(agent_in(&sandbox), AGENT).map_err(text)?;
    Ok(sandbox)
}

fn agent_in(sandbox: &Sandbox) -> PathBuf {
    sandbox.root().join("agent.sh")
}

fn growth(what: &str) -> Row {
    row(what, GROWTH_RATIO_MAX)
}

fn row(what: &str, ratio_max: f64) -> Row {
    Row { what: what.to_owned(), floor: Samples::default(), ours: Samples::default(), ratio_max }
}

/// The least a durable step can be.
struct Floor {
    log: File,
    agent: PathBuf,
}

impl Floor {
    fn new(sandbox: &Sandbox) -> Result<Self, String> {
        let path = sandbox.root().join("floor");
        let log = OpenOptions::new().create(true).append(true).open(path).map_err(text)?;
        Ok(Self { log, agent: agent_in(sandbox) })
    }

    fn steps(&mut self, count: u32) -> Result<Duration, String> {
        let started = Instant::now();
        for _ in 0..count {
            self.append()?;
            self.spawn()?;
            self.append()?;
        }
        Ok(started.elapsed() / count)
    }

    fn append(&mut self) -> Result<(), String> {
        self.log.write_all(&[b'x'; FACT_BYTES]).and_then(|()| self.log.sync_data()).map_err(text)
    }

    fn spawn(&self) -> Result<(), String> {
        let mut child = Command::new("/bin/sh")
            .arg(&self.agent)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(text)?;
        let mut printed = Vec::new();
        if let Some(mut stdout) = child.stdout.take() {
            stdout.read_to_end(&mut printed).map_err(text)?;
        }
        child.wait().map(drop).map_err(text)
    }
}

/// A real run whose agent never returns anything of use, so that the same step comes again and again.
pub(crate) struct Rival {
    run: Run,
    book: Book,
    journal: PathBuf,
    workshop: Arc<Workshop>,
    files: PathBuf,
    inbox: PathBuf,
    syncs_per_step: f64,
    facts: u64,
}

impl Rival {
    pub(crate) fn new(sandbox: &Sandbox, name: &str) -> Result<Self, String> {
        Self::with(sandbox, name, |path| Book::open(path, LABEL))
    }

    /// The same with a journal that is not made to last, to be filled quickly.
    pub(crate) fn unsynced(sandbox: &Sandbox, name: &str) -> Result<Self, String> {
        Self::with(sandbox, name, |path| Book::open_on(Unsynced(Disk::create(path)?), path, LABEL))
    }

    fn with(
        sandbox: &Sandbox,
        name: &str,
        open: impl FnOnce(&Path) -> Result<TakenUp, EngineError>,
    ) -> Result<Self, String> {
        let project = sandbox.project();
        let home = Home::within(&project, &sandbox.state());
        let given = submission(&project, name, &sandbox.git(["rev-parse", "HEAD"]))?;
        let tools = tools(&agent_in(sandbox))?;
        let journal = home.journal(&given.run);
        let mut book = open(&journal).map_err(text)?.book;
        let at = Timestamp::from_ms(1_700_000_000_000);
        let run = Run::begin(at, &given);
        book.append(&[Record::new(at, Fact::Submitted(Box::new(given.clone())))]).map_err(text)?;
        let workshop = Arc::new(Workshop::open(&home, &tools, &given).map_err(text)?);
        let files = sandbox.root().join(format!("files-{name}"));
        fs::create_dir(&files).map_err(text)?;
        let inbox = home.inbox(&given.run);
        Ok(Self { run, book, journal, workshop, files, inbox, syncs_per_step: 0.0, facts: 1 })
    }

    /// How many facts its journal holds.
    pub(crate) fn facts(&self) -> u64 {
        self.facts
    }

    /// Takes the run up by folding every fact of its journal; fails where the state is another one.
    pub(crate) fn folded_again(self) -> Result<Self, String> {
        let Self { run: before, book, journal, .. } = self;
        drop(book);
        // A snapshot is only there to save time.
        fs::remove_file(journal.join("snapshot")).map_err(text)?;
        // What an unsynced journal left in memory would be written during the syncs of whoever is next.
        for entry in fs::read_dir(&journal).map_err(text)? {
            let file = File::open(entry.map_err(text)?.path());
            file.and_then(|file| file.sync_all()).map_err(text)?;
        }
        let taken = Book::open(&journal, LABEL).map_err(text)?;
        let run = taken.run.ok_or("the journal is empty")?;
        if run != before {
            return Err("the journal folds to another state than the one it came from".to_owned());
        }
        Ok(Self { run, book: taken.book, journal, ..self })
    }

    /// Lets steps pass without an agent, only for their facts.
    pub(crate) fn skip(&mut self, count: u32) -> Result<(), String> {
        self.turn(Turn { left: AtomicU32::new(count), rival: None }).map(drop)
    }

    pub(crate) fn steps(&mut self, count: u32) -> Result<Duration, String> {
        let rival = Some((Arc::clone(&self.workshop), self.files.clone()));
        let before = self.book.syncs();
        let time = self.turn(Turn { left: AtomicU32::new(count), rival })? / count;
        // Taking the run up and ending the turn are three syncs that belong to no step.
        let syncs = self.book.syncs().saturating_sub(before + 3);
        self.syncs_per_step =
            f64::from(u32::try_from(syncs).unwrap_or(u32::MAX)) / f64::from(count);
        Ok(time)
    }

    fn turn(&mut self, turn: Turn) -> Result<Duration, String> {
        let mut hands = LocalHands::new(Arc::new(turn), Inbox::new(self.inbox.clone()), Lanes::One)
            .map_err(text)?;
        let limits = self.run.given.limits.clone();
        let mut times: Vec<Instant> = Vec::new();
        let facts = &mut self.facts;
        let mut watch = |_: &Run, records: &[Record]| {
            *facts += records.len() as u64;
            if matches!(records.last(), Some(Record { fact: Fact::Ended { .. }, .. })) {
                times.push(Instant::now());
            }
        };
        let mut drive = Drive::new(&mut self.run, &mut self.book, &mut hands, &mut watch);
        drive.take(Event::Resumed { observed: Vec::new(), limits }).map_err(text)?;
        drive.to_the_end().map_err(text)?;
        match (times.first(), times.last()) {
            (Some(first), Some(last)) => {
                let steps = u32::try_from(times.len().saturating_sub(1).max(1)).unwrap_or(1);
                Ok((*last - *first) / steps * u32::try_from(times.len()).unwrap_or(1))
            }
            _ => Ok(Duration::ZERO),
        }
    }

    pub(crate) fn close(self) -> Outcome {
        self.workshop.close().map_err(text)
    }
}

/// A number of steps, after which there is no agent any more.
struct Turn {
    left: AtomicU32,
    rival: Option<(Arc<Workshop>, PathBuf)>,
}

impl Perform for Turn {
    fn perform(&self, owed: &Owed, cancel: &Cancel) -> Result<(Ended, Spend), EngineError> {
        let spent = Spend::default();
        let Effect::Agent(task) = &owed.effect else {
            return Ok((Ended::Preflight { issues: Vec::new() }, spent));
        };
        if self.left.fetch_sub(1, Ordering::Relaxed) == 0 {
            return Ok((failed(FailureClass::Auth), spent));
        }
        Ok(match &self.rival {
            None => (failed(FailureClass::Malformed), spent),
            Some((workshop, files)) => match workshop.run_in(files, &owed.key, task, cancel) {
                Ok(seen) => (seen.outcome(task, None, None), seen.spent),
                Err(_) => (failed(FailureClass::Auth), spent),
            },
        })
    }
}

fn failed(class: FailureClass) -> Ended {
    Ended::Failed(Failure { class, detail: "the benchmark's agent returns nothing".to_owned() })
}

fn submission(project: &Path, name: &str, head: &str) -> Result<Submission, String> {
    let roadmap = fs::read(project.join("ROADMAP.md")).map_err(text)?;
    Ok(Submission {
        run: RunId::new(name),
        base: CommitId::new(head),
        roadmap: "ROADMAP.md".to_owned(),
        spec_sha256: sha256_hex(&roadmap),
        spec_committed: true,
        limits: Limits {
            step_tries: u32::MAX,
            run_retries: u32::MAX - 1,
            same_error: u32::MAX,
            ..Limits::default()
        },
        pass_score: PASS_SCORE_DEFAULT,
        agents: BTreeMap::new(),
        default_agent: AgentName::new("agent"),
        prepare: None,
        protection: autopilot_core::evidence::protect::Protection::default(),
        guards: Vec::new(),
        counts: BTreeMap::new(),
        measure: autopilot_core::measure::Measure::default(),
        manner: autopilot_core::phases::Manner::default(),
        complete_before: None,
        work: WorkSpec::Phases(vec![PhaseSpec {
            id: "1".parse().map_err(text)?,
            name: "One".to_owned(),
            goal: "A step.".to_owned(),
            criteria: Vec::new(),
            requirements: Vec::new(),
            depends_on: Vec::new(),
            directory: ".planning/phases/1-one".to_owned(),
            start: autopilot_core::phases::Start::New,
            earlier_scores: Vec::new(),
        }]),
    })
}

fn tools(agent: &Path) -> Result<Tools, String> {
    let adapter =
        CommandAgent { program: "/bin/sh".into(), arguments: vec![agent.display().to_string()] };
    let tool = AgentTool {
        adapter: Arc::new(adapter),
        environment: Vec::new(),
        pass_environment: Vec::new(),
        state: Vec::new(),
        reads: vec![agent.to_owned()],
    };
    Ok(Tools {
        program: std::env::current_exe().map_err(text)?,
        agents: BTreeMap::from([(AgentName::new("agent"), tool)]),
        retry: false,
        limits: Limits::default(),
        pulse: Pulse::default(),
        sandbox: autopilot_engine::sandbox::Sandbox::default(),
    })
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
