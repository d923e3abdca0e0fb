//! What an issue owes to the world: one effect for each stage.

use serde_json::json;

use crate::{
    effect::{AgentTask, CheckTask, Effect, Freeze, IntegrateTask, Owed, Paper},
    evidence::{Check, CheckKind},
    id::CommitId,
    input::Work,
    issue::{
        Finding, Issue, IssueBrief, IssueGate, IssueStage, IssueStep, Route, SaveTask, Share,
        SurveyTask, Taken, TrialTask, left::accepted, message, turn::documents_of,
    },
    phases::{Brief, count_by, guards},
    rails::line::{self, Iteration},
    returns::Sitting,
    role::Role,
    run::Run,
    sessions::clock,
    time::{MINUTE_MS, SECOND_MS},
};

/// What the check is called that runs the acceptance tests.
pub const ACCEPTANCE: &str = "acceptance";

/// What the issue owes now.
pub fn owed(run: &Run, issue: &Issue) -> Option<Owed> {
    let key = run.ledger.key(issue.stage.step(issue.step)?);
    let effect = Hand { run, issue }.effect()?;
    Some(Owed { key, effect })
}

/// Everything an effect is made from.
struct Hand<'a> {
    run: &'a Run,
    issue: &'a Issue,
}

impl Hand<'_> {
    fn effect(&self) -> Option<Effect> {
        let Issue { spec, tip, .. } = self.issue;
        Some(match &self.issue.stage {
            IssueStage::Gate(_) => return None,
            IssueStage::Begin => self.begin(),
            IssueStage::Draft => self.save("write down what is asked for", |task| {
                task.papers = vec![self.paper("prd.md", message::draft(self.issue))];
            }),
            IssueStage::PinRequirements => self.pin("autopilot-prd.pin"),
            IssueStage::PinDesign => self.pin("autopilot-design.pin"),
            IssueStage::Freeze => Effect::Survey(SurveyTask {
                anchor: vec![spec.requirements(), spec.design()],
                documents: vec![
                    spec.path("acceptance-tests.md"),
                    spec.path("autopilot-design.pin"),
                ],
                ..self.survey(tip)
            }),
            IssueStage::Reproduce => self.trial(tip),
            IssueStage::Base => {
                Effect::Check(self.check(tip, self.guards(), Freeze::as_it_is(tip.clone())))
            }
            IssueStage::Generate => self.agent(self.issue.step.role()),
            IssueStage::Coverage => self.agent(Role::CoverageChecker),
            IssueStage::Survey(work) => Effect::Survey(SurveyTask {
                documents: documents_of(self.issue, self.issue.step),
                tags: self.issue.criteria.iter().map(|one| one.id.clone()).collect(),
                accepted: accepted(self.run, work),
                ..self.survey(&work.commit)
            }),
            IssueStage::SaveDocuments(work)
            | IssueStage::SaveTests(work)
            | IssueStage::SaveWork(work) => self.save_work(work),
            IssueStage::SaveCause => self.save("the cause", |task| {
                task.papers = vec![self.paper("cause.md", message::cause(self.issue))];
            }),
            IssueStage::Green => self.trial(tip),
            IssueStage::Red => self.trial(self.issue.tests_commit.as_ref()?),
            IssueStage::Full => Effect::Check(self.full()),
            IssueStage::Evidence => self.evidence()?,
            IssueStage::Record => self.record(),
            IssueStage::Integrate(_) => Effect::Integrate(IntegrateTask {
                phase: None,
                from: self.issue.head.clone(),
                commit: tip.clone(),
                papers: Vec::new(),
                date: self.issue.entered_at,
            }),
            IssueStage::Present(gate) => self.present(*gate),
        })
    }

    /// What of a work is taken at this stage.
    fn save_work(&self, work: &Work) -> Effect {
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else of a work is taken")]
        match self.issue.stage {
            IssueStage::SaveTests(_) => self.save("acceptance tests", |task| {
                task.parents = vec![self.issue.design.clone()];
                task.taken = Some(self.taken(work, Share::Tests));
            }),
            IssueStage::SaveWork(_) => self.save("the work", |task| {
                if self.has_new_tests() {
                    task.parents.extend(self.issue.tests_commit.clone());
                }
                task.taken = Some(self.taken(work, Share::AllBut(self.issue.owned())));
            }),
            _ => self.save(self.issue.step.name(), |task| {
                let documents = documents_of(self.issue, self.issue.step);
                task.taken = Some(self.taken(work, Share::Only(documents)));
            }),
        }
    }

    /// What is there before anything is done.
    fn begin(&self) -> Effect {
        let Issue { spec, tip, .. } = self.issue;
        Effect::Survey(SurveyTask {
            anchor: match spec.route {
                Route::Express => Vec::new(),
                Route::Full | Route::Bugfix | Route::Flaky => vec![spec.requirements()],
            },
            documents: vec![spec.requirements(), spec.path("autopilot-prd.pin")],
            log: (spec.route != Route::Express).then(|| spec.log()),
            ..self.survey(tip)
        })
    }

    fn survey(&self, commit: &CommitId) -> SurveyTask {
        SurveyTask {
            commit: commit.clone(),
            tip: self.issue.tip.clone(),
            since: self.issue.design.clone(),
            accepted: Vec::new(),
            owned: self.issue.owned(),
            anchor: Vec::new(),
            documents: Vec::new(),
            log: None,
            tags: Vec::new(),
            show: false,
        }
    }

    /// What a person has not seen yet: everything the first time, and then what changed since.
    fn present(&self, gate: IssueGate) -> Effect {
        let spec = &self.issue.spec;
        let since = self.issue.shown_at.get(&gate);
        let first = match gate {
            IssueGate::Merge => &self.issue.design,
            IssueGate::Design | IssueGate::Requirements | IssueGate::Precheck => {
                &self.run.given.base
            }
        };
        let documents = match (gate, spec.route) {
            (IssueGate::Design, Route::Full) => {
                ["user-stories.md", "plan.md", "acceptance-tests.md"]
                    .map(|name| spec.path(name))
                    .to_vec()
            }
            (IssueGate::Design, _) => vec![spec.design()],
            (_, _) => Vec::new(),
        };
        Effect::Survey(SurveyTask {
            since: since.unwrap_or(first).clone(),
            documents,
            show: since.is_some() || gate == IssueGate::Merge,
            ..self.survey(&self.issue.tip)
        })
    }

    fn has_new_tests(&self) -> bool {
        let known = self.issue.red.as_ref().map(|red| &red.tests_sha256);
        let left = self.issue.attempted.tests_sha256.as_ref();
        left.is_some() && left != known
    }

    fn taken(&self, work: &Work, share: Share) -> Taken {
        Taken {
            work: work.commit.clone(),
            judged_by: self.issue.tip.clone(),
            accepted: accepted(self.run, work),
            share,
        }
    }

    fn save(&self, what: &str, fill: impl FnOnce(&mut SaveTask)) -> Effect {
        let number = self.issue.spec.number;
        #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is documents")]
        let kind = match self.issue.stage {
            IssueStage::SaveTests(_) => "test",
            IssueStage::SaveWork(_) if self.issue.spec.route == Route::Full => "feat",
            IssueStage::SaveWork(_) if self.issue.spec.route == Route::Express => "docs",
            IssueStage::SaveWork(_) => "fix",
            _ => "docs",
        };
        let title: String = self
            .issue
            .spec
            .title
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(60)
            .collect();
        let mut task = SaveTask {
            parents: vec![self.issue.tip.clone()],
            taken: None,
            papers: Vec::new(),
            appended: Vec::new(),
            message: format!("{kind}(#{number}): {what} - {}", title.trim()),
            date: self.issue.entered_at,
        };
        fill(&mut task);
        Effect::Save(task)
    }

    fn paper(&self, name: &str, text: String) -> Paper {
        Paper { path: self.issue.spec.path(name), text }
    }

    fn pin(&self, name: &str) -> Effect {
        let fingerprint = self.issue.anchor.clone().unwrap_or_default();
        self.save("pin what was approved", |task| {
            task.papers = vec![self.paper(name, format!("{fingerprint}\n"))];
        })
    }

    /// What the tests showed without the work, behind the evidence that is there.
    fn evidence(&self) -> Option<Effect> {
        let Issue { spec, tip, red, .. } = self.issue;
        let at = clock::seconds(self.issue.entered_at);
        let text = message::evidence(red.as_ref()?, tip, &at);
        Some(self.save("tests seen red", |task| {
            task.appended = vec![Paper { path: spec.evidence(), text }];
        }))
    }

    /// The lines of the try that is over, behind what is in the log, which is committed alone.
    fn record(&self) -> Effect {
        let Issue { spec, step, iteration, attempted, .. } = self.issue;
        let at = clock::seconds(self.issue.entered_at);
        let judged = attempted.judged.as_ref();
        let number = iteration.to_string();
        let row = Iteration {
            number: number.as_bytes(),
            step: step.name().as_bytes(),
            verdict: if judged.is_some_and(|one| one.passed) { b"PASS" } else { b"FAIL" },
            fingerprint: judged.map_or(&b""[..], |one| one.fingerprint.as_bytes()),
        };
        let mut lines = row.line(&at).unwrap_or_default();
        let halt = judged.and_then(|one| one.halt);
        if let Some(reason) = halt {
            let mut open = attempted.seen.digest();
            open.extend(attempted.seen.remarks.iter().map(|what| Finding::blocking(what, None)));
            let digest: Vec<_> = open.iter().map(Finding::to_json).collect();
            let digest = json!(digest).to_string();
            lines.extend(line::halt(step.name().as_bytes(), reason, digest.as_bytes(), &at));
        }
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let what = match halt {
            Some(reason) => format!("halt {} {}", step.name(), reason.name()),
            None => format!("audit {} iteration {iteration}", step.name()),
        };
        let number = spec.number;
        self.save("", |task| {
            task.appended = vec![Paper { path: spec.log(), text: text(lines) }];
            task.message = format!("chore(autopilot): {what} (#{number})");
        })
    }

    /// The check that runs the acceptance tests.
    fn acceptance(&self) -> Check {
        let mut criterion = self.issue.spec.acceptance.clone();
        count_by(&self.run.given.counts, &mut criterion);
        Check { name: ACCEPTANCE.to_owned(), kind: CheckKind::Criterion, criterion }
    }

    fn guards(&self) -> Vec<Check> {
        guards(self.run)
    }

    fn trial(&self, commit: &CommitId) -> Effect {
        let runs = if self.issue.spec.route == Route::Flaky { self.issue.spec.runs } else { 1 };
        let check = self.check(commit, vec![self.acceptance()], Freeze::as_it_is(commit.clone()));
        Effect::Trial(TrialTask { check, runs })
    }

    /// Everything that must hold, by the rules of before the work and by its own.
    fn full(&self) -> CheckTask {
        let Issue { tip, design, attempted, .. } = self.issue;
        let mut freeze = Freeze::as_it_is(design.clone());
        freeze.accepted.clone_from(&attempted.tests);
        let guards = self.guards();
        // What was red before is found before the work begins; a test that sometimes fails may have been any of both.
        let held = match self.issue.spec.route {
            Route::Flaky | Route::Express => Vec::new(),
            Route::Full | Route::Bugfix => guards.iter().map(|guard| guard.name.clone()).collect(),
        };
        CheckTask { held, ..self.check(tip, guards, freeze) }
    }

    fn check(&self, commit: &CommitId, checks: Vec<Check>, freeze: Freeze) -> CheckTask {
        let limits = &self.run.given.limits;
        let guard_ms_max = limits.guard_seconds.saturating_mul(SECOND_MS);
        CheckTask {
            commit: commit.clone(),
            freeze,
            held: Vec::new(),
            red: Vec::new(),
            prepare: self.run.given.prepare.clone(),
            checks,
            // Acceptance tests are tests of a project, not one command about one thing.
            criterion_ms_max: guard_ms_max,
            guard_ms_max,
        }
    }

    fn agent(&self, role: Role) -> Effect {
        let Issue { spec, tip, design, criteria, .. } = self.issue;
        let limits = &self.run.given.limits;
        let left =
            limits.run_minutes.saturating_mul(MINUTE_MS).saturating_sub(self.run.spent.busy_ms);
        let is_checker = role == Role::CoverageChecker;
        // Whoever checks is told nothing that whoever worked says.
        let findings: &[Finding] = if is_checker { &[] } else { &self.issue.findings };
        let brief = IssueBrief {
            number: spec.number,
            title: spec.title.clone(),
            directory: spec.directory.clone(),
            route: spec.route,
            criteria: if is_checker || self.issue.step == IssueStep::Work {
                criteria.clone()
            } else {
                Vec::new()
            },
            tests: if is_checker { self.issue.attempted.tests.clone() } else { Vec::new() },
            acceptance: spec.acceptance.command.clone().unwrap_or_default(),
            reproduced: self.issue.reproduced.filter(|_| !is_checker),
            runs: spec.runs,
            is_repair: self.issue.red.as_ref().is_some_and(|red| red.is_red),
        };
        Effect::Agent(Box::new(AgentTask {
            role,
            agent: self.run.agent_for(role).clone(),
            sitting: Sitting::First,
            phase: None,
            task: None,
            base: tip.clone(),
            judged_by: tip.clone(),
            planned: None,
            brief: Brief {
                phase_name: spec.title.clone(),
                directory: spec.directory.clone(),
                findings: findings.iter().map(Finding::told).collect(),
                since: is_checker.then(|| design.clone()),
                issue: Some(brief),
                ..Brief::default()
            },
            handover: None,
            time_ms_max: limits.step_minutes.saturating_mul(MINUTE_MS).min(left.max(MINUTE_MS)),
            silence_ms_max: limits.stall_seconds.saturating_mul(SECOND_MS),
        }))
    }
}
