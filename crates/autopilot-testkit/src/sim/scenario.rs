//! What a simulated run is given: phases, tasks, limits and how its agents are.

use std::collections::BTreeMap;

use autopilot_core::{
    budget::Limits,
    evidence::{Check, CheckKind, Criterion, protect::Protection},
    id::{AgentName, CommitId, RunId},
    measure::Measure,
    phases::{Manner, PASS_SCORE_DEFAULT, PhaseSpec, Start, TalkWish},
    roadmap::{PhaseId, Plan, Task},
    role::Role,
    run::{Submission, WorkSpec},
};

use super::{chance::Chance, story};

/// What kind of agents a scenario has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temper {
    /// They do what they say.
    Honest,
    /// Now and then one lies, stalls, crashes, floods, garbles its return or meets a limit.
    Mixed,
    /// Most of the time they do not do what they say.
    Hostile,
    /// They play one run in which everything happens.
    Story,
}

/// A simulated run before it begins.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The seed it was made from.
    pub seed: u64,
    /// How its agents are.
    pub temper: Temper,
    /// Whether its limits are so tight that it may end at one.
    pub tight: bool,
    /// How many phases it has.
    pub phases: usize,
}

impl Scenario {
    /// The scenario of a seed.
    pub fn of(seed: u64) -> Self {
        let mut chance = Chance::of(seed, "scenario");
        let temper = match chance.below(10) {
            0..=2 => Temper::Honest,
            3..=7 => Temper::Mixed,
            _ => Temper::Hostile,
        };
        let phases = 1 + usize::try_from(chance.below(4)).unwrap_or(0);
        Self { seed, temper, tight: chance.percent(15), phases }
    }

    /// One run in which everything happens.
    pub fn story() -> Self {
        Self { seed: story::SEED, temper: Temper::Story, tight: false, phases: story::PHASES }
    }

    fn is_story(&self) -> bool {
        self.temper == Temper::Story
    }

    /// What the run is given.
    pub fn submission(&self, base: &CommitId) -> Submission {
        let mut limits = Limits::default();
        if self.tight {
            limits.run_tokens = 10_000 + Chance::of(self.seed, "tight").below(60_000);
        } else {
            // Crashes cost money. Where the end must equal the end without them, money must not matter.
            limits.run_tokens = u64::MAX;
            limits.phase_tokens = u64::MAX;
            limits.run_micro_usd = u64::MAX;
        }
        if self.is_story() {
            // Failures that have nothing to do with one another come one after the other.
            (limits.no_progress, limits.same_error) = (u32::MAX, u32::MAX);
        }
        let specs = (1..=self.phases).map(|number| self.phase(number)).collect();
        Submission {
            run: RunId::new("run-simulated"),
            base: base.clone(),
            roadmap: "ROADMAP.md".to_owned(),
            spec_sha256: String::new(),
            requirements: None,
            ui: None,
            spec_committed: true,
            limits,
            pass_score: PASS_SCORE_DEFAULT,
            agents: BTreeMap::from([(Role::Verifier, AgentName::new("second"))]),
            default_agent: AgentName::new("first"),
            prepare: None,
            protection: Protection::default(),
            guards: self.guards(),
            counts: BTreeMap::new(),
            // Often enough to be met in a short run, by two of three scenarios.
            manner: Manner {
                audit: self.seed.is_multiple_of(2),
                talk: self.talk(),
                ..Manner::default()
            },
            measure: Measure {
                // The seed of the story measures nobody.
                every: u32::try_from(self.seed % 3).unwrap_or(0),
                ..Measure::default()
            },
            complete_before: None,
            known: BTreeMap::new(),
            visual: None,
            work: WorkSpec::Phases(specs),
        }
    }

    /// Every fifth run asks what phases lack, every fifth how they are to be done, and some of these both.
    fn talk(&self) -> TalkWish {
        if self.is_story() {
            return TalkWish::default();
        }
        let map = self.seed % 5 == 3 || self.seed % 25 == 4;
        TalkWish { map, discuss: self.seed % 5 == 4, only: false }
    }

    fn guards(&self) -> Vec<Check> {
        let all = story::guards().filter(|_| self.is_story());
        let guard = |(name, criterion): (&str, Criterion)| Check {
            name: name.to_owned(),
            kind: CheckKind::Guard,
            criterion,
        };
        all.map(guard).collect()
    }

    /// What a planner of this scenario writes down: its tasks, or what makes them too many.
    pub fn written(&self, phase: &str) -> Plan {
        if !self.is_story() {
            return self.plan(phase);
        }
        plan_of(story::wished(phase))
    }

    /// The tasks a planner of this scenario writes for a phase.
    pub fn plan(&self, phase: &str) -> Plan {
        if self.is_story() {
            return plan_of(story::tasks(phase));
        }
        let mut chance = Chance::of(self.seed, &format!("plan {phase}"));
        let count = 1 + chance.below(3);
        let tasks = (1..=count)
            .map(|number| {
                let id = format!("{phase}-0{number}");
                let person = self.temper != Temper::Honest && chance.percent(8);
                let kind = match person {
                    true if chance.percent(50) => "checkpoint:human-verify",
                    true => "checkpoint:decision",
                    false => "auto",
                };
                task(&id, kind, "simple")
            })
            .collect();
        Plan { tasks, ..Plan::default() }
    }

    fn phase(&self, number: usize) -> PhaseSpec {
        let mut chance = Chance::of(self.seed, &format!("phase {number}"));
        let mut waits = |before: &usize| match self.temper {
            Temper::Story => story::WAITS.contains(&(number, *before)),
            Temper::Honest | Temper::Mixed | Temper::Hostile => chance.percent(40),
        };
        let depends_on = (1..number).filter(|before| waits(before)).map(phase_id).collect();
        let criteria = match self.temper {
            Temper::Story => vec![criterion(&story::proof(number))],
            Temper::Honest | Temper::Mixed | Temper::Hostile if chance.percent(50) => {
                vec![criterion(&format!("{number}-01"))]
            }
            Temper::Honest | Temper::Mixed | Temper::Hostile => Vec::new(),
        };
        PhaseSpec {
            id: phase_id(number),
            name: format!("Part {number}"),
            goal: format!("Part {number} is there."),
            criteria,
            requirements: Vec::new(),
            depends_on,
            directory: format!(".planning/phases/{number}-part"),
            start: Start::New,
            earlier_scores: Vec::new(),
            refused: Vec::new(),
            estimated_tokens: None,
        }
    }
}

fn phase_id(number: usize) -> PhaseId {
    number.to_string().parse().expect("a number is a phase id")
}

fn plan_of(tasks: Vec<(String, &str, &str)>) -> Plan {
    let tasks = tasks.iter().map(|(id, kind, complexity)| task(id, kind, complexity)).collect();
    Plan { tasks, ..Plan::default() }
}

fn task(id: &str, kind: &str, complexity: &str) -> Task {
    let text = format!(
        "<task id=\"{id}\" type=\"{kind}\" complexity=\"{complexity}\">\n<name>Make {id}</name>\n\
         <files>{id}</files>\n<action>Write the file {id} into the root of the project so that its only line says done, without a \
         blank before the word or after it.</action>\n\
         <acceptance_criteria>\n- {id} is done -- verified by: `is-done {id}`\n</acceptance_criteria>\n\
         <verify>done</verify>\n<done>it is done</done>\n</task>\n"
    );
    let plan = Plan::parse(&text);
    plan.tasks.into_iter().next().expect("the plan above has one task")
}

fn criterion(file: &str) -> Criterion {
    Criterion::parse(&format!("{file} is done -- verified by: `is-done {file}`"))
}
