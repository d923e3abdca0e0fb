//! A run about an issue in a world that does what a test says.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    budget::{Limits, Spend},
    effect::{AgentTask, Effect, Owed},
    evidence::{
        Check, CheckKind, CheckResult, Criterion, Verdict,
        protect::{Class, Edit, Protection},
    },
    fact::{Ending, Fact, Record},
    id::{AgentName, CommitId, GateId, RunId},
    input::{AgentReport, Answer, Event, Input, Outcome, Request, Sighting, Work as Left},
    issue::{
        Issue, IssueFact, IssueSpec, IssueStage, IssueStep, Route, SaveTask, StepTries, Survey,
        SurveyTask, Trial, TrialTask,
    },
    phases::PASS_SCORE_DEFAULT,
    returns::{Return, Sitting},
    role::{Access, Role},
    run::{Run, Standing, Submission, WorkSpec, decide, owed},
    time::Timestamp,
};

/// What is true in the world; tests change it between steps.
pub(super) struct World {
    pub(super) run: Run,
    pub(super) now: Timestamp,
    pub(super) facts: Vec<Fact>,
    /// Every commit that was made, in order.
    pub(super) saved: Vec<SaveTask>,
    /// Every agent that was asked.
    pub(super) asked: Vec<AgentTask>,
    /// The tests that fail on the work, for each round; the last one repeats.
    pub(super) failing: Vec<Vec<&'static str>>,
    /// The exit codes of runs of the tests without the work, for each round; the last one repeats.
    pub(super) without: Vec<Vec<i32>>,
    /// What each survey of a work finds besides what is usual; the last one repeats.
    pub(super) left: Vec<Survey>,
    /// Edits of what the work is judged by, for each round.
    pub(super) requests: Vec<Vec<Request>>,
    /// What the coverage-checker says.
    pub(super) coverage: Value,
    /// Whether the whole gate passes, for each round.
    pub(super) full: Vec<bool>,
    /// What is there before anything is done.
    pub(super) before: Survey,
    commits: u32,
}

/// The fields of a list by round, the last one for ever.
fn nth<T: Clone>(list: &mut Vec<T>) -> T {
    if list.len() > 1 { list.remove(0) } else { list[0].clone() }
}

pub(super) fn spec(route: Route) -> IssueSpec {
    IssueSpec {
        number: 42,
        title: "Greet".to_owned(),
        text: String::new(),
        directory: "docs/issues/42-greet".to_owned(),
        route,
        acceptance: Criterion::of_command("sh tests/run.sh"),
        runs: if route == Route::Flaky { 20 } else { 1 },
        tries: StepTries::default(),
        strong: Some(AgentName::new("strong")),
        may_be_express: false,
        handed_off: false,
        tracking: None,
        coarse: false,
    }
}

/// What an honest implementer leaves.
pub(super) fn honest() -> Survey {
    Survey {
        changed: vec!["greet.sh".to_owned(), "tests/greet.sh".to_owned()],
        tests: vec!["tests/greet.sh".to_owned()],
        tests_sha256: Some("tests-1".to_owned()),
        tags: ["AC-1", "AC-2", "ISSUE-42"]
            .map(|id| (id.to_owned(), vec!["tests/greet.sh".to_owned()]))
            .into(),
        ..Survey::default()
    }
}

impl World {
    pub(super) fn of(spec: IssueSpec) -> Self {
        let now = Timestamp::from_ms(1_000_000_000_000);
        let lint = Criterion::of_command("sh lint.sh");
        let given = Submission {
            run: RunId::new("run-test"),
            base: CommitId::new("base"),
            roadmap: spec.requirements(),
            spec_sha256: String::new(),
            spec_committed: true,
            limits: Limits::default(),
            pass_score: PASS_SCORE_DEFAULT,
            agents: BTreeMap::new(),
            default_agent: AgentName::new("agent"),
            prepare: None,
            protection: Protection::default(),
            guards: vec![Check {
                name: "lint".to_owned(),
                kind: CheckKind::Guard,
                criterion: lint,
            }],
            counts: BTreeMap::new(),
            measure: crate::measure::Measure::default(),
            manner: crate::phases::Manner::default(),
            work: WorkSpec::Issue(Box::new(spec)),
            complete_before: None,
        };
        let run = Run::begin(now, &given);
        Self {
            run,
            now,
            facts: Vec::new(),
            saved: Vec::new(),
            asked: Vec::new(),
            failing: vec![vec![]],
            without: vec![vec![1]],
            left: vec![honest()],
            requests: vec![vec![]],
            coverage: json!({"allCovered": true, "uncovered": []}),
            full: vec![true],
            before: Survey {
                anchor: Some("anchor-of-requirements".to_owned()),
                ..Survey::default()
            },
            commits: 0,
        }
    }

    pub(super) fn issue(&self) -> &Issue {
        self.run.work.issue().expect("it is about an issue")
    }

    pub(super) fn tell(&mut self, event: Event) -> Vec<Fact> {
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

    /// Plays until a person is asked, or until it is over.
    pub(super) fn play(&mut self) -> Standing {
        for _ in 0..1_000 {
            match owed(&self.run).into_iter().next() {
                Some(one) => self.step(&one),
                None => {
                    if self.tell(Event::Tick).is_empty() {
                        return self.run.standing();
                    }
                }
            }
        }
        panic!("no end at {:?}", self.issue().stage);
    }

    /// Plays until an effect of that name is owed.
    pub(super) fn until(&mut self, name: &str) -> Owed {
        for _ in 0..1_000 {
            let one = owed(&self.run).into_iter().next().expect("something is owed");
            if one.key.step.as_str() == format!("issue/{name}") {
                return one;
            }
            self.step(&one);
        }
        panic!("no step {name}");
    }

    pub(super) fn step(&mut self, one: &Owed) {
        self.tell(Event::Starting(one.key.clone()));
        let outcome = self.outcome(one);
        self.end(one, outcome);
    }

    pub(super) fn end(&mut self, one: &Owed, outcome: Outcome) {
        let spent = Spend { tokens: 100, micro_usd: 10, busy_ms: 1_000 };
        self.tell(Event::Ended { key: one.key.clone(), outcome, spent });
    }

    /// Answers what is asked, and plays on.
    pub(super) fn say(&mut self, approved: bool, message: &str) -> Standing {
        let gate = self.gate().expect("something is asked");
        let answer = Answer {
            approved,
            message: message.to_owned(),
            by: "a person".to_owned(),
            until: None,
        };
        self.tell(Event::Answered { gate, answer });
        self.play()
    }

    pub(super) fn gate(&self) -> Option<GateId> {
        self.run.asked.keys().next().cloned()
    }

    pub(super) fn question(&self) -> &str {
        self.run.asked.values().next().map_or("", String::as_str)
    }

    /// Plays with every gate approved until the work begins.
    pub(super) fn reach_the_work(&mut self) {
        self.reach_the_work_until_base();
        self.until("implement");
    }

    /// Plays until the design is approved.
    pub(super) fn reach_the_work_until_base(&mut self) {
        self.tell(Event::Tick);
        self.play();
        assert_eq!(self.gate(), Some(GateId::new("issue/requirements")));
        self.say(true, "");
        assert_eq!(self.gate(), Some(GateId::new("issue/design")));
        let gate = GateId::new("issue/design");
        let answer = Answer {
            approved: true,
            message: "ok".to_owned(),
            by: "a person".to_owned(),
            until: None,
        };
        self.tell(Event::Answered { gate, answer });
    }

    /// The reason in the last line of the log, once the run has halted.
    pub(super) fn halted(&self) -> String {
        assert!(matches!(self.run.ending, Some(Ending::Halted { .. })), "{:?}", self.run.ending);
        let lines: Vec<Value> = self.log();
        lines.last().expect("a line")["reason"].as_str().unwrap_or_default().to_owned()
    }

    /// Every line of the audit log, as JSON.
    pub(super) fn log(&self) -> Vec<Value> {
        let path = "docs/issues/42-greet/autopilot-log.jsonl";
        let papers = self.saved.iter().flat_map(|task| &task.appended);
        let lines = papers.filter(|paper| paper.path == path).flat_map(|paper| paper.text.lines());
        lines.map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }

    pub(super) fn facts_of(&self) -> impl Iterator<Item = &IssueFact> {
        self.facts.iter().filter_map(|fact| match fact {
            Fact::Issue(fact) => Some(fact),
            _ => None,
        })
    }

    pub(super) fn outcome(&mut self, one: &Owed) -> Outcome {
        match &one.effect {
            Effect::Survey(task) => Outcome::Surveyed(Box::new(self.survey(task))),
            Effect::Save(task) => {
                self.saved.push(task.clone());
                self.commits += 1;
                Outcome::Committed(CommitId::new(format!("commit-{}", self.commits)))
            }
            Effect::Agent(task) => {
                self.asked.push((**task).clone());
                self.report(task, one.key.attempt.number())
            }
            Effect::Trial(task) => Outcome::Tried(self.trial(task)),
            Effect::Check(task) => {
                let passed = self.issue().stage == IssueStage::Base || nth(&mut self.full);
                let result = |check: &Check| result(&check.name, i32::from(!passed));
                Outcome::Checked(task.checks.iter().map(result).collect())
            }
            Effect::Integrate(task) => Outcome::Integrated(task.commit.clone()),
            other => panic!("an issue owes no {other:?}"),
        }
    }

    fn survey(&mut self, task: &SurveyTask) -> Survey {
        let mut found = match (&self.issue().stage, self.issue().is_gated()) {
            (IssueStage::Begin, _) => return self.before.clone(),
            (IssueStage::Survey(_), true) => nth(&mut self.left),
            (IssueStage::Survey(_), false)
                if self.left.len() > 1 && self.issue().step == IssueStep::Work =>
            {
                nth(&mut self.left)
            }
            (IssueStage::Survey(_), false) => {
                Survey { changed: vec!["README.md".to_owned()], ..Survey::default() }
            }
            (_, _) => Survey { anchor: Some("anchor-of-design".to_owned()), ..Survey::default() },
        };
        for path in &task.documents {
            if path.ends_with(".md") && !found.documents.contains_key(path) {
                let text = "## A decision\n- AC-1: it greets\n- AC-2: it ends\n".to_owned();
                found.documents.insert(path.clone(), text);
            }
        }
        if task.show {
            found.diff = "@@ -1 +1 @@\n-before\n+after".to_owned();
        }
        found
    }

    fn trial(&mut self, task: &TrialTask) -> Vec<Trial> {
        let is_without =
            self.issue().stage == IssueStage::Red || self.issue().stage == IssueStage::Reproduce;
        if is_without {
            let codes = nth(&mut self.without);
            let run = |at: u32| codes[at as usize % codes.len()];
            return (0..task.runs)
                .map(|at| Trial { result: result("acceptance", run(at)), failing: Vec::new() })
                .collect();
        }
        let failing = nth(&mut self.failing);
        let names: Vec<String> = failing.iter().map(ToString::to_string).collect();
        let one =
            Trial { result: result("acceptance", i32::from(!names.is_empty())), failing: names };
        let fine = Trial { result: result("acceptance", 0), failing: Vec::new() };
        // Of many runs only the last one fails.
        let mut trials = vec![fine; task.runs.saturating_sub(1) as usize];
        trials.push(one);
        trials
    }

    fn report(&mut self, task: &AgentTask, attempt: u32) -> Outcome {
        let value = match task.role {
            Role::StoryWriter => {
                json!({"stories": ["greet"], "open_questions": ["which language?"]})
            }
            Role::IssuePlanner => json!({"plan_path": "plan.md", "open_questions": []}),
            Role::CauseAnalyst => json!({"cause": "a race", "evidence": ["greet.sh:3"]}),
            Role::CoverageChecker => self.coverage.clone(),
            _ => json!({"changed_files": ["greet.sh"]}),
        };
        let work = (task.role.access() == Access::Write).then(|| Left {
            commit: CommitId::new(format!("work-of-{}-{attempt}", task.role)),
            changed: true,
            requests: if task.role == Role::Implementer {
                nth(&mut self.requests)
            } else {
                Vec::new()
            },
            said_done: false,
            grew: false,
            orphans: Vec::new(),
        });
        Outcome::Agent(Box::new(AgentReport {
            returned: Return::read(task.role, Sitting::First, value).expect("it fits"),
            work,
            plan: None,
            model: None,
            seen: Sighting::default(),
        }))
    }
}

/// A change of a file of tests.
pub(super) fn edit(path: &str, before: &str, after: &str) -> Request {
    let edit = Edit::between(
        path.as_bytes(),
        Class::Test,
        Some(before.as_bytes()),
        Some(after.as_bytes()),
    );
    Request { edit, content: "100644 x".to_owned() }
}

fn result(name: &str, code: i32) -> CheckResult {
    let verdict =
        if code == 0 { Verdict::Passed } else { Verdict::Failed(format!("exit code {code}")) };
    CheckResult {
        name: name.to_owned(),
        kind: CheckKind::Criterion,
        criterion: String::new(),
        command: Some("sh tests/run.sh".to_owned()),
        verdict,
        exit_code: Some(code),
        counts: None,
        ran: Vec::new(),
        output: String::new(),
        output_sha256: "output".to_owned(),
    }
}
