//! A run that is driven by hand, for tests: things happen, facts follow.

use std::collections::BTreeMap;

use serde_json::json;

use crate::{
    budget::{Limits, Spend},
    effect::{Effect, Owed},
    evidence::{
        Bite, Canary, CheckKind, CheckResult, Criterion, Verdict, places_in, protect::Protection,
    },
    fact::{Ending, Fact, Record},
    id::{AgentName, CommitId, Key, RunId},
    input::{
        AgentReport, Event, Failure, FailureClass, Input, Outcome, Seed, Sighting, Work as Left,
    },
    phases::{Close, PASS_SCORE_DEFAULT, PhaseSpec, Status},
    returns::{Return, Sitting},
    roadmap::Plan,
    role::{Access, Role},
    run::{Run, Submission, WorkSpec, decide, owed},
    time::Timestamp,
};

/// A run that is driven by hand.
pub(crate) struct Story {
    pub(crate) run: Run,
    pub(crate) now: Timestamp,
    pub(crate) facts: Vec<Fact>,
}

impl Story {
    pub(crate) fn of(phases: &[(&str, &[&str])]) -> Self {
        Self::with(phases, Limits::default())
    }

    pub(crate) fn with(phases: &[(&str, &[&str])], limits: Limits) -> Self {
        Self::given(phases.iter().map(|(id, after)| spec(id, after)).collect(), limits)
    }

    pub(crate) fn given(specs: Vec<PhaseSpec>, limits: Limits) -> Self {
        let now = Timestamp::from_ms(1_000_000);
        let given = Submission {
            run: RunId::new("run-test"),
            base: CommitId::new("base"),
            roadmap: "ROADMAP.md".to_owned(),
            spec_sha256: String::new(),
            spec_committed: true,
            limits,
            pass_score: PASS_SCORE_DEFAULT,
            agents: BTreeMap::new(),
            default_agent: AgentName::new("agent"),
            prepare: None,
            protection: Protection::default(),
            guards: Vec::new(),
            counts: BTreeMap::new(),
            measure: crate::measure::Measure::default(),
            manner: crate::phases::Manner::default(),
            work: WorkSpec::Phases(specs),
            complete_before: None,
        };
        Self { run: Run::begin(now, &given), now, facts: Vec::new() }
    }

    pub(crate) fn tell(&mut self, event: Event) -> Vec<Fact> {
        self.now = self.now.plus_ms(1_000);
        let facts = decide(&self.run, &Input { now: self.now, event });
        for fact in &facts {
            // What cannot be written and read back the same is not a fact.
            let record = Record::new(self.now, fact.clone());
            let text = serde_json::to_string(&record).expect("facts can be written");
            assert_eq!(serde_json::from_str::<Record>(&text).expect("and read"), record);
            self.run.apply(&record);
        }
        self.facts.extend(facts.clone());
        facts
    }

    pub(crate) fn owed(&self) -> Owed {
        owed(&self.run).into_iter().next().expect("something is owed")
    }

    pub(crate) fn begin(&mut self) -> Owed {
        self.tell(Event::Tick);
        self.start()
    }

    pub(crate) fn start(&mut self) -> Owed {
        let owed = self.owed();
        self.tell(Event::Starting(owed.key.clone()));
        owed
    }

    /// Starts what is owed, after the next phase has begun where nothing is.
    pub(crate) fn start_next(&mut self) -> Owed {
        if owed_nothing(&self.run) {
            self.tell(Event::Tick);
        }
        self.start()
    }

    pub(crate) fn end(&mut self, key: &Key, outcome: Outcome) -> Vec<Fact> {
        let spent = Spend { tokens: 100, micro_usd: 10, busy_ms: 1_000 };
        self.tell(Event::Ended { key: key.clone(), outcome, spent })
    }

    /// Lets everything go well until a step of that name is owed.
    pub(crate) fn until(&mut self, name: &str) -> Owed {
        self.tell(Event::Tick);
        for _ in 0..100 {
            let owed = self.owed();
            if owed.key.step.as_str().contains(name) {
                return self.start();
            }
            let owed = self.start();
            let outcome = good(&owed);
            self.end(&owed.key, outcome);
            if owed_nothing(&self.run) {
                self.tell(Event::Tick);
            }
        }
        panic!("no step {name} came");
    }

    pub(crate) fn finish(&mut self) -> Ending {
        self.tell(Event::Tick);
        while self.run.ending.is_none() {
            let owed = self.start();
            let outcome = good(&owed);
            self.end(&owed.key, outcome);
            if owed_nothing(&self.run) {
                self.tell(Event::Tick);
            }
        }
        self.run.ending.clone().expect("it has ended")
    }

    pub(crate) fn run_head(&self) -> &CommitId {
        let phases = self.run.work.phases();
        &phases.head
    }

    pub(crate) fn close(&self, id: &str) -> Option<&Close> {
        let phases = self.run.work.phases();
        phases.list.iter().find(|phase| phase.spec.id.as_str() == id).and_then(|phase| match &phase
            .status
        {
            Status::Closed(close) => Some(close),
            Status::Active(_) | Status::Waiting => None,
        })
    }
}

pub(crate) fn owed_nothing(run: &Run) -> bool {
    owed(run).is_empty() && run.ending.is_none()
}

pub(crate) fn spec(id: &str, after: &[&str]) -> PhaseSpec {
    PhaseSpec {
        id: id.parse().expect("an id"),
        name: format!("Phase {id}"),
        goal: "a goal".to_owned(),
        criteria: vec![Criterion::parse("it works -- verified by: `true`")],
        requirements: Vec::new(),
        depends_on: after.iter().map(|id| id.parse().expect("an id")).collect(),
        directory: format!(".planning/phases/{id}-x"),
        start: crate::phases::Start::New,
        earlier_scores: Vec::new(),
    }
}

pub(crate) fn plan(tasks: &[&str]) -> Plan {
    let text: String = tasks
        .iter()
        .map(|kind| {
            format!(
                "<task type=\"{kind}\" complexity=\"simple\">\n<name>Do it</name>\n<files>a</files>\n\
                 <action>Write the program a so that it prints its greeting once, refuses every unknown option with \
                 exit code two, and ends by itself.</action>\n<acceptance_criteria>\n\
                 - done -- verified by: `./a --greet`\n</acceptance_criteria>\n<verify>look</verify>\n\
                 <done>there</done>\n</task>\n"
            )
        })
        .collect();
    Plan::parse(&text)
}

pub(crate) fn report(role: Role, key: &Key, value: serde_json::Value) -> Outcome {
    let work = (role.access() == Access::Write).then(|| Left {
        commit: CommitId::new(format!("work-of-{key}")),
        changed: true,
        requests: Vec::new(),
        said_done: false,
        grew: false,
        orphans: Vec::new(),
    });
    Outcome::Agent(Box::new(AgentReport {
        seen: Sighting {
            changed: vec!["a".to_owned()],
            places: places_in(&value),
            ms: 1_000,
            ..Sighting::default()
        },
        returned: Return::read(role, sitting_of(key), value).expect("it fits"),
        work,
        plan: (role == Role::Planner).then(|| plan(&["auto", "auto"])),
        model: Some("a model".to_owned()),
    }))
}

fn sitting_of(key: &Key) -> Sitting {
    if key.step.as_str().ends_with("/compare") { Sitting::Second } else { Sitting::First }
}

/// What comes of an effect when everyone does what they should.
pub(crate) fn good(owed: &Owed) -> Outcome {
    let key = &owed.key;
    match &owed.effect {
        Effect::Preflight(_) => Outcome::Preflight { issues: Vec::new() },
        Effect::Agent(task) if task.sitting == Sitting::Second => {
            report(task.role, key, comparison())
        }
        Effect::Agent(task) => report(task.role, key, content(task.role)),
        Effect::Check(_)
            if ["triage", "baseline"].iter().any(|base| key.step.as_str().ends_with(base)) =>
        {
            checked(false)
        }
        Effect::Check(_) => checked(true),
        Effect::Canary(_) => broken(Bite::Base),
        Effect::Seed(_) => Outcome::Seeded(Some(seed())),
        Effect::Commit(task) => {
            Outcome::Committed(CommitId::new(format!("commit-of-{}", task.work)))
        }
        Effect::Integrate(task) => Outcome::Integrated(task.commit.clone()),
        Effect::Reject(task) => Outcome::Rejected { branch: format!("rejected/{}", task.phase) },
        Effect::Survey(_) | Effect::Trial(_) | Effect::Save(_) => {
            unreachable!("these are an issue's")
        }
    }
}

pub(crate) fn content(role: Role) -> serde_json::Value {
    match role {
        Role::Researcher => json!({"key_findings": [], "recommended_approach": "do it"}),
        Role::Planner => json!({}),
        Role::PlanChecker => json!({"pass": true, "confidence": 9}),
        Role::Executor => json!({"tasks_completed": "1/1"}),
        Role::Verifier => {
            json!({"pass": true, "commands_run": ["true"], "criteria_results": ["a:1"]})
        }
        Role::Judge => json!({
            "recommendation": "proceed",
            "concerns": ["one"],
            "independent_evidence": ["a:1 - it is there"],
        }),
        Role::Rater => rating(9.4),
        Role::Auditor => audit(&[]),
        Role::IntegrationChecker => json!({"pass": true, "issues": []}),
        _ => json!({"fixed": true}),
    }
}

/// What a judge says who has seen what the verifier found and agrees.
pub(crate) fn comparison() -> serde_json::Value {
    json!({
        "divergence_analysis": {"agreed": ["a:1 is there"], "disagreed": []},
        "verifier_agreement": true,
        "verifier_missed": [],
    })
}

/// An audit that finds these missing and the rest there.
pub(crate) fn audit(missing: &[&str]) -> serde_json::Value {
    let gap = |name: &&str| json!({"requirement_id": name, "status": "gap", "gap_description": "it is not there"});
    let there = ["first", "second", "third", "integration-1"];
    let there = there.into_iter().filter(|name| !missing.contains(name));
    let pass = there
        .map(|name| json!({"requirement_id": name, "status": "pass", "file_line_evidence": "a:1"}));
    let rows: Vec<_> = missing.iter().map(gap).chain(pass).collect();
    json!({"audit_results": [{"phase_id": "1", "requirements_checked": rows}]})
}

pub(crate) fn rating(score: f64) -> serde_json::Value {
    let row =
        json!({"criterion": "c", "score": score, "evidence": "a:1", "justification": "it holds"});
    json!({"alignment_score": score, "scorecard": [row]})
}

pub(crate) fn checked(passed: bool) -> Outcome {
    let verdict = if passed { Verdict::Passed } else { Verdict::Failed("exit code 1".to_owned()) };
    Outcome::Checked(vec![CheckResult {
        name: "1/1".to_owned(),
        kind: CheckKind::Criterion,
        criterion: "it works".to_owned(),
        command: Some("true".to_owned()),
        verdict,
        exit_code: Some(i32::from(!passed)),
        counts: None,
        ran: Vec::new(),
        output: String::new(),
        output_sha256: String::new(),
    }])
}

/// What a check did when the work was broken.
pub(crate) fn broken(bite: Bite) -> Outcome {
    Outcome::Canaries(vec![Canary { check: "1/1".to_owned(), command: "true".to_owned(), bite }])
}

/// Work that is known to be broken.
pub(crate) fn seed() -> Seed {
    Seed { commit: CommitId::new("broken"), what: "calc.py:3: + became -".to_owned() }
}

pub(crate) fn failed(class: FailureClass) -> Outcome {
    Outcome::Failed(Failure { class, detail: "why".to_owned() })
}
