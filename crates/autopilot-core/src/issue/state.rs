//! The state of an issue, and how facts change it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    id::{AgentName, CommitId, GateId, Step},
    issue::{
        AcceptanceCriterion, Finding, IssueGate, IssueSpec, IssueStage, IssueStep, Next, Route,
        Seen,
    },
    phases::Phases,
    rails::line::HaltReason,
    returns::Cause,
    role::Role,
    time::Timestamp,
};

/// What happened to an issue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum IssueFact {
    /// It came to a stage.
    Entered(IssueStage),
    /// This was there before anything was done.
    Found {
        /// How many lines the audit log has.
        log_lines: u64,
        /// The fingerprints of each step's failures.
        failures: BTreeMap<String, Vec<String>>,
    },
    /// A person, or what they said earlier, approves.
    Approved {
        /// What.
        gate: IssueGate,
        /// Who.
        by: String,
        /// The fingerprint or commit of what was approved.
        what: String,
    },
    /// A person refuses.
    Refused {
        /// What.
        gate: IssueGate,
        /// Who.
        by: String,
        /// What they said, section by section.
        findings: Vec<Finding>,
    },
    /// What a part of the work rests on is pinned.
    Anchored {
        /// The fingerprint.
        fingerprint: String,
    },
    /// A commit stands, and what comes next follows it.
    Stands {
        /// The commit.
        commit: CommitId,
    },
    /// The work begins: what is compared with what was there before is compared with this commit.
    Designed {
        /// The commit.
        commit: CommitId,
        /// What must hold.
        criteria: Vec<AcceptanceCriterion>,
    },
    /// The test was run before anything was done.
    Reproduced {
        /// How often.
        runs: u32,
        /// How often it failed.
        failed: u32,
    },
    /// What was seen of the try so far.
    Saw {
        /// All of it.
        seen: Seen,
    },
    /// What an agent left was looked at.
    Left {
        /// Its tests.
        tests: Vec<String>,
        /// SHA-256 of what they are; nothing where there are none.
        tests_sha256: Option<String>,
    },
    /// The tests without the work are in a commit.
    TestsStand {
        /// The commit.
        commit: CommitId,
    },
    /// The tests were run without the work.
    Red(Red),
    /// The cause, as an agent sees it.
    Explained(Cause),
    /// Questions that only a person can answer, for the next gate.
    Wondered(Vec<String>),
    /// A try is over.
    Judged {
        /// Whether the step holds.
        passed: bool,
        /// What stands for what came of it.
        fingerprint: String,
        /// Why the issue halts, if it does.
        halt: Option<HaltReason>,
        /// Whether whoever goes on is the stronger agent.
        escalate: bool,
        /// What whoever goes on is told.
        findings: Vec<Finding>,
    },
    /// The try is written down, in this commit.
    Recorded {
        /// The commit.
        commit: CommitId,
        /// How many lines that were.
        lines: u64,
    },
    /// A try begins.
    Began {
        /// Of which step.
        step: IssueStep,
        /// The how-manieth.
        iteration: u32,
        /// What it is told.
        findings: Vec<Finding>,
    },
    /// The branch of the run was brought forward.
    Integrated {
        /// To this commit.
        commit: CommitId,
    },
}

/// What the tests showed without the work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Red {
    /// The commit that holds them and not the work.
    pub commit: CommitId,
    /// SHA-256 of what they are.
    pub tests_sha256: String,
    /// Their files.
    pub files: Vec<String>,
    /// Whether they were red.
    pub is_red: bool,
    /// The command.
    pub command: String,
    /// Its exit code, where it ended by itself.
    pub exit_code: Option<i32>,
    /// SHA-256 of what it printed.
    pub output_sha256: String,
}

/// What is known of the try that is under way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Attempted {
    /// What was seen of it.
    pub seen: Seen,
    /// The tests that it left.
    pub tests: Vec<String>,
    /// SHA-256 of what they are.
    pub tests_sha256: Option<String>,
    /// Whether the evidence of red tests is new and not written down yet.
    pub has_new_evidence: bool,
    /// How it ended, once it has.
    pub judged: Option<Judged>,
}

/// How a try ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// Whether the step holds.
    pub passed: bool,
    /// What stands for what came of it.
    pub fingerprint: String,
    /// Why the issue halts, if it does.
    pub halt: Option<HaltReason>,
}

/// The state of an issue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issue {
    /// What it was given.
    pub spec: IssueSpec,
    /// Where the branch of the run is.
    pub head: CommitId,
    /// The last commit that stands.
    pub tip: CommitId,
    /// The commit that the work began with.
    pub design: CommitId,
    /// Where it stands.
    pub stage: IssueStage,
    /// Since when.
    pub entered_at: Timestamp,
    /// The step that is tried.
    pub step: IssueStep,
    /// The how-manieth try it is.
    pub iteration: u32,
    /// What it begins with.
    pub findings: Vec<Finding>,
    /// What is known of it.
    pub attempted: Attempted,
    /// What the part that is under way rests on.
    pub anchor: Option<String>,
    /// What must hold.
    pub criteria: Vec<AcceptanceCriterion>,
    /// How many lines the audit log must have.
    pub log_lines: u64,
    /// The fingerprints of each step's failures.
    pub failures: BTreeMap<String, Vec<String>>,
    /// The tests without the work.
    pub tests_commit: Option<CommitId>,
    /// What they showed.
    pub red: Option<Red>,
    /// How often the test failed before anything was done, of how many runs.
    pub reproduced: Option<(u32, u32)>,
    /// The cause.
    pub cause: Option<Cause>,
    /// Questions for the next gate.
    pub questions: Vec<String>,
    /// How often each gate was put to a person.
    pub shown: BTreeMap<IssueGate, u32>,
    /// The commit that a person saw last at a gate.
    pub shown_at: BTreeMap<IssueGate, CommitId>,
    /// What a person refused last, for what they are shown next.
    pub refused: Vec<Finding>,
    /// Who approved what.
    pub approvals: Vec<(IssueGate, String, String)>,
    /// Whether the stronger agent implements.
    pub is_escalated: bool,
    /// It has none; whoever tells of the phases of a run finds that here.
    pub(crate) no_phases: Phases,
}

impl Issue {
    /// The state before anything has happened.
    pub fn begin(base: &CommitId, spec: &IssueSpec, now: Timestamp) -> Self {
        Self {
            step: match spec.route {
                Route::Full => IssueStep::Stories,
                Route::Bugfix | Route::Flaky => IssueStep::Cause,
                Route::Express => IssueStep::Work,
            },
            spec: spec.clone(),
            head: base.clone(),
            tip: base.clone(),
            design: base.clone(),
            stage: IssueStage::Begin,
            entered_at: now,
            iteration: 1,
            findings: Vec::new(),
            attempted: Attempted::default(),
            anchor: None,
            criteria: Vec::new(),
            log_lines: 0,
            failures: BTreeMap::new(),
            tests_commit: None,
            red: None,
            reproduced: None,
            cause: None,
            questions: Vec::new(),
            shown: BTreeMap::new(),
            shown_at: BTreeMap::new(),
            refused: Vec::new(),
            approvals: Vec::new(),
            is_escalated: false,
            no_phases: Phases::begin(base, &[]),
        }
    }

    /// Whether an outcome of this step is waited for.
    pub fn expects(&self, step: &Step) -> bool {
        self.stage.step(self.step).as_ref() == Some(step)
    }

    /// The role that works at a step.
    pub fn role_of(&self, step: &Step) -> Option<Role> {
        self.stage.role(self.step).filter(|_| self.expects(step))
    }

    /// The agent that takes the place of the usual one in a role.
    pub fn stronger(&self, role: Role) -> Option<&AgentName> {
        self.spec.strong.as_ref().filter(|_| self.is_escalated && role == Role::Implementer)
    }

    /// The name of the question at a gate. One that is put again has another name, because the first answer counts.
    pub fn gate_id(&self, gate: IssueGate) -> GateId {
        let name = gate.name();
        match self.shown.get(&gate).copied().unwrap_or(0) {
            0 | 1 => GateId::new(format!("issue/{name}")),
            times => GateId::new(format!("issue/{name}-{times}")),
        }
    }

    /// Whether it may ask a question of this name.
    pub fn may_ask(&self, gate: &GateId) -> bool {
        let Some(name) = gate.as_str().strip_prefix("issue/") else { return false };
        let name = match name.rsplit_once('-') {
            Some((name, times)) if times.parse::<u32>().is_ok() => name,
            Some(_) | None => name,
        };
        IssueGate::ALL.into_iter().chain([IssueGate::Precheck]).any(|gate| gate.name() == name)
    }

    /// Whether the step is judged by tests.
    pub fn is_gated(&self) -> bool {
        self.step == IssueStep::Work && self.spec.route != Route::Express
    }

    /// The files that no agent may change.
    pub fn owned(&self) -> Vec<String> {
        let mut names = vec![
            "autopilot-prd.pin",
            "autopilot-design.pin",
            "autopilot-log.jsonl",
            "red.jsonl",
            "prd.md",
        ];
        if self.step != IssueStep::Stories {
            names.push("user-stories.md");
        }
        names.push("cause.md");
        names.into_iter().map(|name| self.spec.path(name)).collect()
    }

    /// The fingerprints of the failures of the step.
    pub fn failures_of_step(&self) -> &[String] {
        self.failures.get(self.step.name()).map_or(&[], Vec::as_slice)
    }

    /// Changes the state by a fact. Every fact can be applied to every state.
    pub fn apply(&mut self, fact: &IssueFact, now: Timestamp) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is matched in `apply_try`")]
        match fact {
            IssueFact::Entered(stage) => {
                if let IssueStage::Gate(gate) = stage {
                    *self.shown.entry(*gate).or_default() += 1;
                    self.shown_at.insert(*gate, self.tip.clone());
                    self.questions.clear();
                }
                self.stage = stage.clone();
                self.entered_at = now;
            }
            IssueFact::Found { log_lines, failures } => {
                self.log_lines = *log_lines;
                self.failures.clone_from(failures);
            }
            IssueFact::Approved { gate, by, what } => {
                self.approvals.push((*gate, by.clone(), what.clone()));
                self.refused.clear();
            }
            IssueFact::Refused { findings, .. } => self.refused.clone_from(findings),
            IssueFact::Anchored { fingerprint } => self.anchor = Some(fingerprint.clone()),
            IssueFact::Stands { commit } => self.tip = commit.clone(),
            IssueFact::Designed { commit, criteria } => {
                self.design = commit.clone();
                self.criteria.clone_from(criteria);
            }
            IssueFact::Reproduced { runs, failed } => self.reproduced = Some((*failed, *runs)),
            IssueFact::Integrated { commit } => self.head = commit.clone(),
            other => self.apply_try(other),
        }
    }

    /// Changes what is known of the try that is under way.
    fn apply_try(&mut self, fact: &IssueFact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is matched in `apply`")]
        match fact {
            IssueFact::Saw { seen } => self.attempted.seen = seen.clone(),
            IssueFact::Left { tests, tests_sha256 } => {
                self.attempted.tests.clone_from(tests);
                self.attempted.tests_sha256.clone_from(tests_sha256);
            }
            IssueFact::TestsStand { commit } => self.tests_commit = Some(commit.clone()),
            IssueFact::Red(red) => {
                self.red = Some(red.clone());
                self.attempted.has_new_evidence = true;
            }
            IssueFact::Explained(cause) => self.cause = Some(cause.clone()),
            IssueFact::Wondered(questions) => self.questions.extend(questions.iter().cloned()),
            IssueFact::Judged { passed, fingerprint, halt, escalate, findings } => {
                let (passed, halt) = (*passed, *halt);
                self.is_escalated |= *escalate;
                let judged = Judged { passed, fingerprint: fingerprint.clone(), halt };
                self.attempted.judged = Some(judged);
                self.findings.clone_from(findings);
                if !passed {
                    let failures = self.failures.entry(self.step.name().to_owned()).or_default();
                    failures.push(fingerprint.clone());
                }
            }
            IssueFact::Recorded { commit, lines } => {
                self.tip = commit.clone();
                self.log_lines += lines;
                self.attempted.has_new_evidence = false;
            }
            IssueFact::Began { step, iteration, findings } => {
                self.step = *step;
                self.iteration = *iteration;
                self.findings.clone_from(findings);
                self.attempted = Attempted::default();
            }
            _ => {}
        }
    }

    /// Takes it up again after a halt: a person has looked, so tries are counted anew, and what failed before is still known.
    pub(crate) fn reopen(&mut self) {
        if matches!(self.stage, IssueStage::Integrate(Next::Halt { .. })) {
            self.iteration = 1;
            self.attempted = Attempted::default();
            self.stage = IssueStage::Generate;
        }
    }
}
