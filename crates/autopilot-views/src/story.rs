//! A run that tests tell fact by fact.

use std::collections::BTreeMap;

use autopilot_core::{
    budget::{Limits, Spend},
    fact::{End, Fact, Record},
    id::{AgentName, Attempt, CommitId, Key, RunId, Step},
    phases::{PASS_SCORE_DEFAULT, PhaseFact, PhaseSpec},
    roadmap::{Plan, Task},
    run::{Run, Submission, WorkSpec},
    time::Timestamp,
};

use crate::Progress;

/// A run and what is told of it.
pub(crate) struct Story {
    pub(crate) run: Run,
    progress: Progress,
    now: Timestamp,
}

impl Story {
    /// A run over so many phases, named `Part 1` and so on.
    pub(crate) fn of(phases: usize) -> Self {
        Self::named(&(1..=phases).map(|number| format!("Part {number}")).collect::<Vec<_>>())
    }

    /// A run over phases with these names.
    pub(crate) fn named(names: &[String]) -> Self {
        let specs = names.iter().enumerate().map(|(at, name)| PhaseSpec {
            id: (at + 1).to_string().parse().expect("an id"),
            name: name.clone(),
            goal: String::new(),
            criteria: Vec::new(),
            requirements: Vec::new(),
            depends_on: Vec::new(),
            directory: String::new(),
            start: autopilot_core::phases::Start::New,
            earlier_scores: Vec::new(),
            refused: Vec::new(),
            estimated_tokens: None,
        });
        let given = Submission {
            run: RunId::new("run-1"),
            base: CommitId::new("base"),
            roadmap: "ROADMAP.md".to_owned(),
            spec_sha256: String::new(),
            requirements: None,
            ui: None,
            spec_committed: true,
            limits: Limits::default(),
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
            known: BTreeMap::new(),
            visual: None,
            work: WorkSpec::Phases(specs.collect()),
        };
        let now = Timestamp::from_ms(1_000_000);
        Self { run: Run::begin(now, &given), progress: Progress::default(), now }
    }

    /// Begins the first phase.
    pub(crate) fn begin(&mut self) -> Vec<String> {
        self.tell(PhaseFact::Began { base: CommitId::new("base") })
    }

    /// One more fact about the first phase.
    pub(crate) fn tell(&mut self, fact: PhaseFact) -> Vec<String> {
        self.tell_all(&[fact])
    }

    /// The facts of one decision about the first phase.
    pub(crate) fn tell_all(&mut self, facts: &[PhaseFact]) -> Vec<String> {
        let phase = "1".parse().expect("an id");
        self.records(facts.iter().map(|fact| Fact::Phase { phase, fact: fact.clone() }).collect())
    }

    /// A step of the first phase has ended; whatever follows is in the same decision.
    pub(crate) fn ended(
        &mut self,
        step: &str,
        end: End,
        spent: Spend,
        then: &[PhaseFact],
    ) -> Vec<String> {
        let key = Key { step: Step::new(step), attempt: Attempt::after(0) };
        let phase = "1".parse().expect("an id");
        let mut facts = vec![Fact::Ended { key, end, spent, model: None }];
        facts.extend(then.iter().map(|fact| Fact::Phase { phase, fact: fact.clone() }));
        self.records(facts)
    }

    /// The facts of one decision, a second after those before.
    pub(crate) fn records(&mut self, facts: Vec<Fact>) -> Vec<String> {
        self.now = self.now.plus_ms(1_000);
        let records: Vec<Record> =
            facts.into_iter().map(|fact| Record::new(self.now, fact)).collect();
        for record in &records {
            self.run.apply(record);
        }
        let lines = records.iter().flat_map(|record| self.progress.lines(&self.run, record));
        lines.map(|line| line.text).collect()
    }
}

/// A plan with one task, `1-01`.
pub(crate) fn plan() -> Vec<Task> {
    Plan::parse("<task id=\"1-01\" type=\"auto\">\n<name>Do it</name>\n</task>\n").tasks
}
