//! The state of a run, and how facts change it.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use crate::{
    budget::{Ceiling, Limits, Spend},
    evidence::{Check, Waiver, protect::Protection},
    fact::{End, Ending, Fact, Record, VERSION},
    id::{AgentName, CommitId, GateId, Key, RunId},
    input::{Answer, Environment, Fate, LeftOut},
    measure::Measure,
    phases::{Close, Finale, Manner, PhaseFact, PhaseSpec, Phases},
    policy::{Breaker, BreakerState, Progress, Thresholds},
    report::Named,
    returns::Score,
    roadmap::PhaseId,
    role::{Access, Role},
    run::Ledger,
    time::Timestamp,
};

/// Everything a run is given. It does not change afterwards, apart from the limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The run's name.
    pub run: RunId,
    /// The commit it starts from.
    pub base: CommitId,
    /// The roadmap, below the project's root.
    pub roadmap: String,
    /// SHA-256 of the roadmap as it was when the run was started.
    pub spec_sha256: String,
    /// Whether the commit it starts from has the roadmap like this.
    pub spec_committed: bool,
    /// The ceilings.
    pub limits: Limits,
    /// The score a phase must reach.
    pub pass_score: Score,
    /// The agent of every role that has one of its own.
    pub agents: BTreeMap<Role, AgentName>,
    /// The agent of all other roles.
    pub default_agent: AgentName,
    /// What makes a fresh checkout ready for checks, where something must.
    pub prepare: Option<String>,
    /// Which files decide, and are not the agents' to change.
    pub protection: Protection,
    /// What must stay true whatever is done.
    pub guards: Vec<Check>,
    /// The project's own patterns for the number of tests, by a text that the command contains.
    pub counts: BTreeMap<String, String>,
    /// How those who judge are measured.
    pub measure: Measure,
    /// How it is to be done.
    #[serde(default)]
    pub manner: Manner,
    /// What is to be done.
    pub work: WorkSpec,
    /// The phases that were complete before, where the run is to complete the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete_before: Option<Vec<Named>>,
}

/// What is to be done, one variant for each machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum WorkSpec {
    /// Phases of a roadmap, in the order of their dependencies.
    Phases(Vec<PhaseSpec>),
}

/// An agent that must not be used for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// Until when.
    pub until: Timestamp,
    /// Why.
    pub why: String,
    /// How often in a row it was held, for growing pauses.
    pub times: u32,
    /// Whether it is held now. The rest is remembered until a step succeeds.
    pub now: bool,
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// What it was given.
    pub given: Submission,
    /// When it was handed in.
    pub submitted_at: Timestamp,
    /// The time of the last fact.
    pub last_at: Timestamp,
    /// Which effects were started and ended.
    pub ledger: Ledger,
    /// What it has cost so far.
    pub spent: Spend,
    /// How many failures were answered with another try.
    pub retries: u32,
    /// Whether steps still come to something.
    #[serde(default)]
    pub breaker: Breaker,
    /// Agents that must wait.
    pub held: BTreeMap<AgentName, Held>,
    /// Open questions.
    pub asked: BTreeMap<GateId, String>,
    /// Answers, also those to questions not asked yet. The first one counts.
    pub answers: BTreeMap<GateId, Answer>,
    /// What attempts left that is in no commit and stays on disk.
    pub left_out: Vec<LeftOut>,
    /// In what surroundings commands run.
    pub environment: Option<Environment>,
    /// Whether a person wants it to stop.
    pub stopping: bool,
    /// How it ended, once it has.
    pub ending: Option<Ending>,
    /// The state of its machine.
    pub work: Work,
}

/// The state of the machine that does the work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Work {
    /// Phases of a roadmap.
    Phases(Phases),
}

/// What a run is waiting for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing: there is work.
    Working,
    /// A person's answers.
    Asking(Vec<GateId>),
    /// A point in time.
    Holding(Timestamp),
    /// A person's word to go on.
    Stopped,
    /// Nothing any more.
    Ended(Ending),
}

impl Run {
    /// The run that a submission begins.
    pub fn begin(at: Timestamp, given: &Submission) -> Self {
        let work = match &given.work {
            WorkSpec::Phases(phases) => {
                let finale = Finale::of(given.manner.audit);
                Work::Phases(Phases::begin(&given.base, phases).with(finale))
            }
        };
        Self {
            given: given.clone(),
            submitted_at: at,
            last_at: at,
            ledger: Ledger::default(),
            spent: Spend::default(),
            retries: 0,
            breaker: Breaker::default(),
            held: BTreeMap::new(),
            asked: BTreeMap::new(),
            answers: BTreeMap::new(),
            left_out: Vec::new(),
            environment: None,
            stopping: false,
            ending: None,
            work,
        }
    }

    /// Changes the state by a fact. Every fact can be applied to every state.
    pub fn apply(&mut self, record: &Record) {
        self.last_at = record.at;
        match &record.fact {
            // Only the first record begins a run; `fold` sees to it. The others are told and change nothing.
            Fact::Submitted(_) | Fact::Strays(_) | Fact::Denied(_) | Fact::Repaired(_) => {}
            Fact::Started { key } => self.ledger.start(key),
            Fact::Ended { key, end, spent, model: _ } => {
                self.spent += *spent;
                if matches!(end, End::Failed(_)) {
                    self.retries = self.retries.saturating_add(1);
                }
                self.ledger.end(key, end);
                self.trace(key, end, spent, record.at);
                self.weigh_end(key, end, record.at);
                let Work::Phases(phases) = &mut self.work;
                if let (End::Done, Some(role)) = (end, phases.role_of(&key.step)) {
                    // The agent works again, so the next pause is a short one.
                    let agent = self.given.agents.get(&role).unwrap_or(&self.given.default_agent);
                    self.held.remove(agent);
                }
                phases.charge(&key.step, *spent);
            }
            Fact::Held { agent, until, why } => self.hold(agent, *until, why),
            Fact::Released { agent } => {
                if let Some(held) = self.held.get_mut(agent) {
                    held.now = false;
                }
            }
            Fact::Asked { gate, question } => {
                self.asked.insert(gate.clone(), question.clone());
            }
            Fact::Answered { gate, answer } => {
                self.asked.remove(gate);
                if gate.is_waiver() {
                    self.answers.insert(gate.clone(), answer.clone());
                } else {
                    self.answers.entry(gate.clone()).or_insert_with(|| answer.clone());
                }
            }
            Fact::LeftOut(left_out) => {
                if matches!(left_out.fate, Fate::OnDisk { .. }) {
                    self.left_out.push(left_out.clone());
                }
            }
            Fact::Environment(environment) => self.environment = Some(environment.clone()),
            Fact::StopAsked => self.stopping = true,
            Fact::Resumed { limits } => {
                self.stopping = false;
                self.given.limits = limits.clone();
                self.reopen();
            }
            Fact::Phase { phase, fact } => {
                let Work::Phases(phases) = &mut self.work;
                phases.apply(phase, fact, record.at);
                self.keep_books(*phase, fact);
                self.weigh_work(*phase, fact, record.at);
            }
            Fact::Finale(fact) => {
                let Work::Phases(phases) = &mut self.work;
                phases.apply_finale(fact, record.at);
            }
            Fact::Rechecked { entries } => {
                let Work::Phases(phases) = &mut self.work;
                phases.rechecked = Some(entries.clone());
            }
            Fact::Finished(ending) => {
                if let Ending::Checkpoint { over } = ending {
                    let Work::Phases(phases) = &mut self.work;
                    phases.looked_at = *over;
                }
                self.ending = Some(ending.clone());
            }
        }
    }

    /// The agent that plays a role in this run.
    pub fn agent_for(&self, role: Role) -> &AgentName {
        self.given.agents.get(&role).unwrap_or(&self.given.default_agent)
    }

    /// The roadmaps that may lie in the person's checkout: the frozen one, and those accepted since.
    pub fn specs(&self) -> Vec<String> {
        let accepted = self.answers.iter().filter(|(_, answer)| answer.approved);
        let accepted = accepted.filter_map(|(gate, _)| gate.as_spec()).map(str::to_owned);
        std::iter::once(self.given.spec_sha256.clone()).chain(accepted).collect()
    }

    /// A person's word that a check need not hold, as long as it counts.
    pub fn waiver(&self, check: &str, now: Timestamp) -> Option<Waiver> {
        let answer = self.answers.get(&GateId::waiver(check))?;
        let counts = answer.approved && answer.until.is_none_or(|until| now < until);
        counts.then(|| Waiver {
            by: answer.by.clone(),
            why: answer.message.clone(),
            until: answer.until,
        })
    }

    /// The next point in time at which something is due by itself.
    pub fn wakes_at(&self) -> Option<Timestamp> {
        self.held.values().filter(|held| held.now).map(|held| held.until).min()
    }

    /// What the run is waiting for, given that nothing is being performed and nothing is owed.
    pub fn standing(&self) -> Standing {
        if let Some(ending) = &self.ending {
            Standing::Ended(ending.clone())
        } else if self.stopping {
            Standing::Stopped
        } else if let Some(until) = self.wakes_at() {
            Standing::Holding(until)
        } else if self.asked.is_empty() {
            Standing::Working
        } else {
            Standing::Asking(self.asked.keys().cloned().collect())
        }
    }

    /// Whether something that a completed phase had promised did not hold on the final result.
    pub fn has_broken_promises(&self) -> bool {
        let Work::Phases(phases) = &self.work;
        phases.rechecked.iter().flatten().any(|entry| !entry.stands())
    }

    /// Forgets what cannot be owed any more. What failed may be tried again, under other keys than before.
    fn keep_books(&mut self, phase: PhaseId, fact: &PhaseFact) {
        let below = format!("{phase}/");
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else ends or begins anew")]
        match fact {
            PhaseFact::Closed(Close::Completed { .. }) => self.ledger.forget(&below),
            PhaseFact::Closed(_) => self.ledger.settle(&below),
            PhaseFact::Retried => {
                self.ending = None;
                self.ledger.settle(&below);
            }
            _ => {}
        }
    }

    /// Notes the end of a step for the papers of its phase.
    fn trace(&mut self, key: &Key, end: &End, spent: &Spend, at: Timestamp) {
        let Work::Phases(phases) = &mut self.work;
        let role = phases.role_of(&key.step);
        let agent = role.map(|role| {
            self.given.agents.get(&role).unwrap_or(&self.given.default_agent).to_string()
        });
        phases.trace(key, end, spent, (at, &agent.unwrap_or_default()));
    }

    /// Takes the end of an agent's step into account: whoever writes is judged by what they leave.
    fn weigh_end(&mut self, key: &Key, end: &End, at: Timestamp) {
        let Work::Phases(phases) = &self.work;
        let Some(role) = phases.role_of(&key.step) else { return };
        let progress = match end {
            End::Done if role.access() == Access::Read => Progress::Made,
            End::Failed(failure) => {
                Progress::Stumbled(format!("{}: {}", failure.class.name(), failure.detail))
            }
            // Of nobody's doing, or not known yet.
            End::Done | End::Limited(_) | End::Lost | End::Interrupted => return,
        };
        self.breaker = self.breaker.after(&progress, at, self.thresholds());
    }

    /// Takes into account what has come of work: something new, or, after all its repairs, nothing.
    fn weigh_work(&mut self, phase: PhaseId, fact: &PhaseFact, at: Timestamp) {
        let Work::Phases(phases) = &self.work;
        // A part that fails takes the whole with it, which is one failure and not two.
        let is_part = |at: usize| phases.list[at].part_of.is_some();
        if fact.closes() && phases.place(&phase).is_some_and(is_part) {
            return;
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a step's end")]
        let progress = match fact {
            PhaseFact::Entered(stage) if stage.work().is_some_and(|work| work.changed) => {
                Progress::Made
            }
            PhaseFact::TaskGivenUp { .. } | PhaseFact::Closed(Close::Failed { .. }) => {
                Progress::None
            }
            _ => return,
        };
        self.breaker = self.breaker.after(&progress, at, self.thresholds());
    }

    fn thresholds(&self) -> Thresholds {
        let Limits { no_progress, same_error, .. } = self.given.limits;
        Thresholds { no_progress, same_error, ..Thresholds::default() }
    }

    /// The limit that the run has reached by coming to nothing, if it has.
    pub fn tripped(&self) -> Option<Ceiling> {
        let is_same = self.breaker.consecutive_same_error >= self.given.limits.same_error;
        let which = if is_same { Ceiling::SameError } else { Ceiling::NoProgress };
        (self.breaker.state == BreakerState::Open).then_some(which)
    }

    fn hold(&mut self, agent: &AgentName, until: Timestamp, why: &str) {
        let times = self.held.get(agent).map_or(0, |held| held.times).saturating_add(1);
        let held = Held { until, why: why.to_owned(), times, now: true };
        self.held.insert(agent.clone(), held);
    }

    /// A run that stopped at a ceiling or for want of an agent may go on once a person says so.
    fn reopen(&mut self) {
        match self.ending {
            Some(
                Ending::Ceiling(_)
                | Ending::NoAgent { .. }
                | Ending::Checkpoint { .. }
                | Ending::Halted { .. },
            ) => {
                self.ending = None;
                self.retries = 0;
                self.breaker = self.breaker.resumed();
            }
            Some(Ending::Incomplete) => self.recheck(),
            Some(Ending::Done) | None => {}
        }
    }

    /// Where promises were broken, a person may have waived them since.
    fn recheck(&mut self) {
        if self.has_broken_promises() {
            let Work::Phases(phases) = &mut self.work;
            phases.rechecked = None;
            self.ending = None;
        }
    }
}

/// Why records do not make a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotARun {
    /// The first record does not begin one.
    NoBeginning,
    /// A record was written by a newer program.
    TooNew {
        /// The version it was written in.
        version: u32,
    },
}

impl fmt::Display for NotARun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBeginning => f.write_str("the first record does not begin a run"),
            Self::TooNew { version } => {
                write!(f, "a record has version {version}, this program reads up to {VERSION}")
            }
        }
    }
}

impl std::error::Error for NotARun {}

/// Takes one more record into a state that may not have begun yet.
pub fn fold(run: &mut Option<Run>, record: &Record) -> Result<(), NotARun> {
    if record.v > VERSION {
        return Err(NotARun::TooNew { version: record.v });
    }
    match (run, &record.fact) {
        (Some(run), _) => run.apply(record),
        (empty, Fact::Submitted(given)) => *empty = Some(Run::begin(record.at, given)),
        (None, _) => return Err(NotARun::NoBeginning),
    }
    Ok(())
}
