//! The world outside the engine: commits, branches, agents and people, all simulated.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};

use autopilot_core::{
    budget::Spend,
    effect::{CanaryTask, CheckTask, CommitTask, Effect, IntegrateTask, Owed},
    evidence::{Bite, Canary, Check, CheckResult, Verdict},
    fact::{End, Fact, Record},
    id::{CommitId, Key, Step},
    input::{Answer, Event, Observed, Outcome, Seed},
    run::Run,
    time::Timestamp,
};
use autopilot_engine::drive::{Hands, Log};

use super::{agents, chance::Chance, scenario::Scenario};

/// The engine's process is gone.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Crash;

/// Files by name.
pub type Files = BTreeMap<String, String>;

/// What outlives a crash of the engine: the disk, the repository, and what agents remember.
#[derive(Debug)]
pub(super) struct World {
    pub(super) scenario: Scenario,
    pub(super) now: i64,
    /// The journal: only what was synced.
    pub(super) disk: Vec<Vec<u8>>,
    commits: BTreeMap<CommitId, Files>,
    /// Where the run branch is.
    pub(super) branch: CommitId,
    /// How many outcomes of each step the engine has recorded; decides what an agent does next.
    heard: BTreeMap<Step, u32>,
    /// How often each paid effect was started. More than once is a bug.
    pub(super) started: BTreeMap<Key, u32>,
    /// What each performed effect has cost.
    cost: BTreeMap<Key, u64>,
    /// Everything that agents have really cost.
    pub(super) spent_tokens: u64,
    /// What was seen to be wrong while the run went on.
    pub(super) broken: Vec<String>,
    /// Records that a careless journal has acknowledged and not yet kept; a good one has none.
    unkept: Vec<Vec<u8>>,
    careless: bool,
    points: u64,
    crash_at: Option<u64>,
    crashed: bool,
}

impl World {
    /// A fresh world for a scenario.
    pub(super) fn new(scenario: Scenario) -> Self {
        let base = commit_id(None, &Files::new());
        Self {
            scenario,
            now: 1_700_000_000_000,
            disk: Vec::new(),
            commits: BTreeMap::from([(base.clone(), Files::new())]),
            branch: base,
            heard: BTreeMap::new(),
            started: BTreeMap::new(),
            cost: BTreeMap::new(),
            spent_tokens: 0,
            broken: Vec::new(),
            unkept: Vec::new(),
            careless: false,
            points: 0,
            crash_at: None,
            crashed: false,
        }
    }

    /// Lets the engine crash at its `point`-th append or effect from now on, or never.
    pub(super) fn crash_at(&mut self, point: Option<u64>) {
        self.crash_at = point;
        self.points = 0;
        self.crashed = false;
        self.unkept.clear();
    }

    /// Makes the journal acknowledge what it keeps only with the next append: the bug that must be noticed.
    pub(super) fn be_careless(&mut self) {
        self.careless = true;
    }

    /// How many appends and effects there have been since [`Self::crash_at`].
    pub(super) fn points(&self) -> u64 {
        self.points
    }

    pub(super) fn clock_ms(&self) -> i64 {
        self.now
    }

    /// The files on the run branch.
    pub(super) fn branch_files(&self) -> &Files {
        &self.commits[&self.branch]
    }

    /// What is found when a run is taken up again.
    pub(super) fn observe(&mut self, run: &Run) -> Vec<Observed> {
        let open: Vec<Key> = run.ledger.open().collect();
        open.into_iter()
            .map(|key| {
                let mut chance = Chance::of(self.scenario.seed, &format!("cut off {key}"));
                // Integration is the one step whose outcome can be seen from outside.
                let integrated = key.step.as_str().ends_with("/integrate") && self.moved(run);
                let outcome = integrated.then(|| Outcome::Integrated(self.branch.clone()));
                // What an agent has cost can be read off its stream, also when nobody heard the end of it.
                let tokens = self.cost.get(&key).copied().unwrap_or_else(|| {
                    let tokens = chance.below(2_000);
                    self.spent_tokens += tokens;
                    tokens
                });
                Observed { key, spent: Spend { tokens, ..Spend::default() }, outcome }
            })
            .collect()
    }

    fn moved(&self, run: &Run) -> bool {
        let phases = run.work.phases();
        phases.head != self.branch
    }

    fn point(&mut self) -> Result<(), Crash> {
        self.points += 1;
        if self.crash_at == Some(self.points) {
            self.crashed = true;
        }
        if self.crashed { Err(Crash) } else { Ok(()) }
    }

    pub(super) fn files(&self, commit: &CommitId) -> Files {
        self.commits.get(commit).cloned().unwrap_or_default()
    }

    pub(super) fn keep(&mut self, parent: &CommitId, files: Files) -> CommitId {
        let id = commit_id(Some(parent), &files);
        self.commits.insert(id.clone(), files);
        id
    }

    pub(super) fn heard(&self, step: &Step) -> u32 {
        self.heard.get(step).copied().unwrap_or(0)
    }

    /// Takes note that the engine has recorded something, which decides what agents do next.
    pub(super) fn hear(&mut self, record: &Record) {
        if let Fact::Ended { key, end: End::Done | End::Failed(_) | End::Limited(_), .. } =
            &record.fact
        {
            *self.heard.entry(key.step.clone()).or_default() += 1;
        }
    }

    /// Takes what a disk really holds for what the engine has recorded.
    pub(super) fn hear_all(&mut self, records: Vec<Record>) {
        self.heard.clear();
        self.disk.clear();
        for record in records {
            self.hear(&record);
            self.disk.push(serde_json::to_vec(&record).expect("facts can be written"));
        }
    }

    fn perform(&mut self, owed: &Owed) -> (Outcome, Spend) {
        let free = Spend { busy_ms: 10, ..Spend::default() };
        match &owed.effect {
            Effect::Preflight(_) => (Outcome::Preflight { issues: Vec::new() }, free),
            Effect::Agent(task) => agents::act(self, &owed.key, task),
            Effect::Check(task) => (Outcome::Checked(self.check(task)), free),
            Effect::Canary(task) => (Outcome::Canaries(self.canaries(task)), free),
            Effect::Seed(task) => (Outcome::Seeded(self.seed(task)), free),
            Effect::Commit(task) => (self.commit(task), free),
            Effect::Integrate(task) => (self.integrate(task), free),
            Effect::Survey(_) | Effect::Trial(_) | Effect::Save(_) => {
                unreachable!("the simulated world has phases")
            }
            Effect::Reject(task) => {
                (Outcome::Rejected { branch: format!("rejected/{}", task.phase) }, free)
            }
        }
    }

    fn check(&self, task: &CheckTask) -> Vec<CheckResult> {
        let files = self.files(&task.commit);
        task.checks.iter().map(|check| result(check, &files)).collect()
    }

    /// In this world nothing is broken by halves: what is red on the base goes red.
    fn canaries(&self, task: &CanaryTask) -> Vec<Canary> {
        let files = self.files(&task.check.freeze.base);
        let canary = |check: &Check| {
            let result = result(check, &files);
            let tried = vec!["the work put back".to_owned()];
            let bite = if result.verdict.is_passed() { Bite::Green { tried } } else { Bite::Base };
            Canary { check: result.name, command: result.command.unwrap_or_default(), bite }
        };
        task.check.checks.iter().map(canary).collect()
    }

    /// Breaks the first file that a check looks at.
    fn seed(&mut self, task: &CanaryTask) -> Option<Seed> {
        let command = task.check.checks.first()?.criterion.command.clone()?;
        let file = command.strip_prefix("is-done ")?.to_owned();
        let mut files = self.files(&task.check.commit);
        files.insert(file.clone(), "broken".to_owned());
        Some(Seed { commit: self.keep(&task.check.commit, files), what: file })
    }

    fn commit(&mut self, task: &CommitTask) -> Outcome {
        let mut files = self.files(&task.work);
        for new in &task.new {
            files.entry(new.path.clone()).or_insert_with(|| new.text.clone());
        }
        if task.parent == task.work && files == self.files(&task.work) {
            return Outcome::Committed(task.parent.clone());
        }
        Outcome::Committed(self.keep(&task.parent, files))
    }

    fn integrate(&mut self, task: &IntegrateTask) -> Outcome {
        if self.branch == task.from {
            self.branch = task.commit.clone();
        } else if self.branch != task.commit {
            self.broken.push(format!("phase {:?} was integrated onto a moved branch", task.phase));
        }
        Outcome::Integrated(self.branch.clone())
    }

    fn note_start(&mut self, owed: &Owed) {
        let Effect::Agent(_) = &owed.effect else {
            return;
        };
        let times = self.started.entry(owed.key.clone()).or_default();
        *times += 1;
        if *times > 1 {
            self.broken.push(format!("the paid step {} was started twice", owed.key));
        }
        let limit = self.scenario.submission(&self.branch).limits.run_tokens;
        if self.spent_tokens >= limit {
            self.broken.push(format!(
                "{} was started with {} of {limit} tokens spent",
                owed.key, self.spent_tokens
            ));
        }
        let intent =
            self.disk.iter().rev().map(|bytes| read(bytes)).find_map(|record| {
                matches!(&record.fact, Fact::Started { .. }).then_some(record.fact)
            });
        if !matches!(intent, Some(Fact::Started { key }) if key == owed.key) {
            self.broken.push(format!("{} was started without an intent in the journal", owed.key));
        }
    }
}

/// The engine's view of the world. It dies with the engine; the world does not.
pub(super) struct Session {
    world: Rc<RefCell<World>>,
    under_way: VecDeque<Owed>,
    stop_after: Option<u64>,
    stopping: bool,
}

impl Session {
    /// Connects an engine to a world. A person stops the engine after so many events, if at all.
    pub(super) fn new(world: &Rc<RefCell<World>>, stop_after: Option<u64>) -> Self {
        Self { world: Rc::clone(world), under_way: VecDeque::new(), stop_after, stopping: false }
    }

    fn person_stops(&mut self) -> bool {
        match &mut self.stop_after {
            Some(0) => {
                self.stop_after = None;
                true
            }
            Some(left) => {
                *left -= 1;
                false
            }
            None => false,
        }
    }
}

impl Hands<Crash> for Session {
    fn now(&mut self) -> Timestamp {
        let mut world = self.world.borrow_mut();
        world.now += 1;
        Timestamp::from_ms(world.now)
    }

    fn begin(&mut self, owed: Owed) -> Result<(), Crash> {
        let mut world = self.world.borrow_mut();
        world.note_start(&owed);
        self.under_way.push_back(owed);
        world.point()
    }

    fn next(&mut self, until: Option<Timestamp>) -> Result<Event, Crash> {
        if self.person_stops() {
            return Ok(Event::Stop);
        }
        let mut world = self.world.borrow_mut();
        if let Some(owed) = self.under_way.pop_front() {
            let (outcome, spent) = if self.stopping {
                (Outcome::Interrupted, Spend::default())
            } else {
                world.perform(&owed)
            };
            world.spent_tokens += spent.tokens;
            world.cost.insert(owed.key.clone(), spent.tokens);
            world.point()?;
            return Ok(Event::Ended { key: owed.key, outcome, spent });
        }
        if let Some(until) = until {
            world.now = world.now.max(until.as_ms());
        }
        Ok(Event::Tick)
    }

    fn stop(&mut self) {
        self.stopping = true;
    }
}

/// The journal of a simulated run.
pub(super) struct Disk(pub(super) Rc<RefCell<World>>);

impl Log<Crash> for Disk {
    fn append(&mut self, records: &[Record]) -> Result<(), Crash> {
        let mut world = self.0.borrow_mut();
        if world.crashed {
            return Err(Crash);
        }
        for record in records {
            world.hear(record);
            let line = serde_json::to_vec(record).expect("facts can be written");
            world.unkept.push(line);
        }
        let held_back = if world.careless { records.len() } else { 0 };
        let kept = world.unkept.len() - held_back;
        let kept: Vec<Vec<u8>> = world.unkept.drain(..kept).collect();
        world.disk.extend(kept);
        world.point()
    }
}

/// Reads a record back from the disk.
pub(super) fn read(bytes: &[u8]) -> Record {
    serde_json::from_slice(bytes).expect("the disk holds what was written")
}

/// A person's answer to a question, the same whenever it is asked.
pub(super) fn answer(seed: u64, gate: &str) -> Answer {
    let approved = Chance::of(seed, &format!("answer {gate}")).percent(70);
    Answer { approved, message: "looked at it".to_owned(), by: "someone".to_owned(), until: None }
}

fn result(check: &Check, files: &Files) -> CheckResult {
    let Check { name, kind, criterion } = check;
    let command = criterion.command.clone().unwrap_or_default();
    let passed = match command.strip_prefix("lacks ") {
        Some(word) => files.values().all(|text| text != word),
        None => {
            let done = command.strip_prefix("is-done ").and_then(|file| files.get(file));
            done.is_some_and(|text| text == "done")
        }
    };
    CheckResult {
        name: name.clone(),
        kind: *kind,
        criterion: criterion.text.clone(),
        command: Some(command),
        verdict: if passed { Verdict::Passed } else { Verdict::Failed("exit code 1".to_owned()) },
        exit_code: Some(i32::from(!passed)),
        counts: None,
        ran: Vec::new(),
        output: String::new(),
        output_sha256: String::new(),
    }
}

/// The same files after the same parent are the same commit.
fn commit_id(parent: Option<&CommitId>, files: &Files) -> CommitId {
    let text = format!("{parent:?} {files:?}");
    CommitId::new(format!("{:016x}", Chance::of(0, &text).below(u64::MAX)))
}
