//! What happened, as it stands in the journal. Every state is a fold over these.
//!
//! Facts are written once and read for ever: a field may be added with a default, none may change its
//! meaning. A change that cannot be told like this gets a new [`VERSION`].

use serde::{Deserialize, Serialize};

use crate::{
    budget::{Ceiling, Limits, Spend},
    evidence::Entry,
    id::{AgentName, GateId, Key},
    input::{Answer, Denied, Environment, Failure, LeftOut, Repair, Strays},
    phases::{FinaleFact, PhaseFact},
    roadmap::PhaseId,
    run::Submission,
    time::Timestamp,
};

/// The version of the facts that this program writes.
pub const VERSION: u32 = 1;

/// One record of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of the fact.
    pub v: u32,
    /// When it was recorded.
    pub at: Timestamp,
    /// What happened.
    pub fact: Fact,
}

impl Record {
    /// A fact recorded now.
    pub const fn new(at: Timestamp, fact: Fact) -> Self {
        Self { v: VERSION, at, fact }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fact {
    /// The run was handed in. Always the first fact, and only that.
    Submitted(Box<Submission>),
    /// An effect that must not happen unnoticed is about to start.
    Started {
        /// Its key.
        key: Key,
    },
    /// An effect has ended.
    Ended {
        /// Its key.
        key: Key,
        /// How.
        end: End,
        /// What it cost.
        spent: Spend,
        /// The model that did it, where an agent says which.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
    },
    /// An agent must not be used before a point in time.
    Held {
        /// The agent.
        agent: AgentName,
        /// The point in time.
        until: Timestamp,
        /// Why.
        why: String,
    },
    /// The agent may be used again.
    Released {
        /// The agent.
        agent: AgentName,
    },
    /// A question to a person is open.
    Asked {
        /// The question's name.
        gate: GateId,
        /// The question.
        question: String,
    },
    /// A person's answer, kept until it is needed.
    Answered {
        /// The question's name.
        gate: GateId,
        /// The answer.
        answer: Answer,
    },
    /// Something that an attempt left is not kept, or not as it was.
    LeftOut(LeftOut),
    /// A step left processes behind, which were ended.
    Strays(Strays),
    /// A step tried what it may not, and could not.
    Denied(Denied),
    /// The journal was not as its last writer should have left it.
    Repaired(Repair),
    /// Commands run in these surroundings from now on.
    Environment(Environment),
    /// A person wants the run to stop.
    StopAsked,
    /// A driver has taken the run up again.
    Resumed {
        /// The limits from now on.
        limits: Limits,
    },
    /// Something about one phase.
    Phase {
        /// Which.
        phase: PhaseId,
        /// What.
        fact: PhaseFact,
    },
    /// Something about the result as a whole.
    Finale(FinaleFact),
    /// What the completed phases promised was checked on the final result.
    Rechecked {
        /// What follows for each check.
        entries: Vec<Entry>,
    },
    /// The run is over.
    Finished(Ending),
}

/// How an effect ended, as far as its step is concerned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum End {
    /// It gave a result that was taken.
    Done,
    /// It failed.
    Failed(Failure),
    /// It met a usage limit or an overloaded service: nobody's failure.
    Limited(Failure),
    /// Whoever performed it is gone.
    Lost,
    /// It was stopped on a person's word.
    Interrupted,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ending {
    /// Everything it was given is proven done.
    Done,
    /// There is nothing left to do, but not everything was done.
    Incomplete,
    /// A ceiling was reached. Raising it and resuming goes on.
    Ceiling(Ceiling),
    /// No agent could be used.
    NoAgent {
        /// Why.
        why: String,
    },
    /// So many phases are over that a person wanted to look. Resuming goes on.
    Checkpoint {
        /// How many.
        over: u32,
    },
    /// A judge or a check said that going on would be wrong.
    Halted {
        /// Why.
        why: String,
    },
}

impl Ending {
    /// Whether there is nothing left to do; a run that ended otherwise is meant to be resumed.
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Done | Self::Incomplete)
    }
}
