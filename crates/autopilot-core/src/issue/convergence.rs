//! The loop of one part: generate, look at the gates, record, look at the rails, and again.

use serde_json::{Value, json};

use crate::{
    issue::{Arguments, Finding},
    rails::line::HaltReason,
};

/// What is to be done next.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask<'a> {
    /// Pin what a person approved, or see that it is as it was pinned, and count the lines of the log.
    Freeze,
    /// Do the work of a step.
    Generate {
        /// The step.
        step: &'a str,
        /// What is to be put right.
        findings: Option<&'a [Finding]>,
    },
    /// Run the acceptance tests.
    Green(&'a str),
    /// See that every criterion has a test.
    Coverage(&'a str),
    /// See that the tests were red before the work.
    Red(&'a str),
    /// Write down what this try came to, before anything is decided.
    Record {
        /// The step.
        step: &'a str,
        /// Its try.
        iteration: u32,
        /// What the gates say.
        gates: &'a Gates,
    },
    /// Look at the rails.
    Rails {
        /// The step.
        step: &'a str,
        /// Its try.
        iteration: u32,
        /// How many tries there may be.
        tries: f64,
        /// How many lines the log must hold.
        recorded: i64,
    },
    /// Write down why the loop halts.
    RecordHalt {
        /// The step.
        step: &'a str,
        /// Why.
        reason: HaltReason,
        /// What was open.
        findings: &'a [Finding],
    },
}

/// What came of it. Nothing means that nobody answered, and nobody's silence is good news.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// Of freezing.
    Frozen(Option<Frozen>),
    /// Of generating: the work speaks for itself.
    Generated,
    /// Whether the tests are green.
    Green(bool),
    /// Whether every criterion has its test.
    Coverage(Covered),
    /// Whether red was seen.
    Red(bool),
    /// Whether the try was written down.
    Recorded(bool),
    /// What the rails say.
    Rails(Option<Checks>),
    /// Of writing down a halt: it halts in any case.
    HaltRecorded,
}

/// What freezing found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frozen {
    /// Whether the anchor is what was approved.
    pub pinned: bool,
    /// Lines that the log holds already.
    pub log_lines: i64,
}

/// What the coverage gate found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Covered {
    /// Whether it calls everything covered.
    pub all: bool,
    /// What it names as not covered.
    pub uncovered: Vec<String>,
}

/// Which rails were hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// The anchor changed.
    pub anchor_drift: bool,
    /// The log does not hold what was written.
    pub log_integrity: bool,
    /// No tries are left.
    pub max_iterations: bool,
    /// The last failures are the same.
    pub sameness: bool,
    /// Failures repeat.
    pub stuck: bool,
}

impl Checks {
    /// The one that counts: what the others rest on comes first.
    pub fn halt(self) -> Option<HaltReason> {
        [
            (self.anchor_drift, HaltReason::AnchorDrift),
            (self.log_integrity, HaltReason::LogIntegrity),
            (self.max_iterations, HaltReason::MaxIterations),
            (self.sameness, HaltReason::Sameness),
            (self.stuck, HaltReason::Stuck),
        ]
        .into_iter()
        .find_map(|(hit, reason)| hit.then_some(reason))
    }
}

/// The objective gates of a try. No opinion is among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gates {
    /// The tests were seen red before the work.
    pub red_observed: bool,
    /// The tests are green.
    pub green: bool,
    /// Every criterion has a test.
    pub covered: bool,
    /// Those that have none.
    pub uncovered: Vec<String>,
}

impl Gates {
    /// The gates of a step that has none.
    fn open() -> Self {
        Self { red_observed: true, green: true, covered: true, uncovered: Vec::new() }
    }

    /// Whether all hold.
    pub fn hold(&self) -> bool {
        self.red_observed && self.green && self.covered
    }

    /// The text whose fingerprint stands in the log, to the byte.
    pub fn payload(&self) -> String {
        let Self { red_observed, green, covered, uncovered } = self;
        let uncovered = json!(uncovered);
        format!(
            "{{\"redObserved\":{red_observed},\"atGreen\":{green},\"coverageOk\":{covered},\"uncovered\":{uncovered}}}"
        )
    }

    /// What the next try is told.
    fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !self.green {
            findings.push(Finding::blocking(
                "AT green gate (exit != 0)",
                Some("Acceptance Tests are not all passing — make them green"),
            ));
        }
        if !self.red_observed {
            findings.push(Finding::blocking(
                "red.jsonl",
                Some("record red evidence (test_sha + impl baseline impl_sha) at Confirm RED via record_red_evidence"),
            ));
        }
        let detail = "AC not covered by any Acceptance Test — add a test encoding it";
        findings.extend(self.uncovered.iter().map(|name| Finding::blocking(name, Some(detail))));
        findings
    }
}

/// Why a loop ended without converging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Nobody answered when the anchor was to be pinned.
    FreezeError,
    /// The anchor is not what was approved.
    AnchorPinFailed,
    /// A try could not be written down.
    RecordError,
    /// Nobody answered when the rails were looked at.
    RailsError,
    /// A rail.
    Halt(HaltReason),
}

impl Stop {
    /// The name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FreezeError => "freeze-error",
            Self::AnchorPinFailed => "anchor-pin-failed",
            Self::RecordError => "record-error",
            Self::RailsError => "rails-error",
            Self::Halt(reason) => reason.name(),
        }
    }
}

/// How a loop ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Every step holds.
    Converged,
    /// It stopped with something left open.
    Debt {
        /// Where.
        step: String,
        /// Why.
        stop: Stop,
    },
}

#[derive(Clone, Debug)]
enum Stage {
    Freeze,
    Generate,
    Green,
    Coverage,
    Red,
    Record,
    Rails,
    Halting { reason: HaltReason, findings: Vec<Finding> },
}

/// A loop under way.
#[derive(Clone, Debug)]
pub struct Convergence {
    arguments: Arguments,
    step: usize,
    iteration: u32,
    findings: Option<Vec<Finding>>,
    gates: Gates,
    recorded: i64,
    stage: Stage,
}

impl Convergence {
    /// Begins a loop.
    pub fn new(arguments: Arguments) -> Self {
        Self {
            step: 0,
            iteration: 1,
            findings: arguments.seed.clone(),
            gates: Gates::default(),
            recorded: 0,
            stage: Stage::Freeze,
            arguments,
        }
    }

    /// What it is to do.
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    fn step(&self) -> &str {
        self.arguments.steps.get(self.step).map_or("", String::as_str)
    }

    /// What is to be done next.
    pub fn ask(&self) -> Ask<'_> {
        let (step, iteration) = (self.step(), self.iteration);
        match &self.stage {
            Stage::Freeze => Ask::Freeze,
            Stage::Generate => Ask::Generate { step, findings: self.findings.as_deref() },
            Stage::Green => Ask::Green(step),
            Stage::Coverage => Ask::Coverage(step),
            Stage::Red => Ask::Red(step),
            Stage::Record => Ask::Record { step, iteration, gates: &self.gates },
            Stage::Rails => Ask::Rails {
                step,
                iteration,
                tries: self.arguments.tries(step),
                recorded: self.recorded,
            },
            Stage::Halting { reason, findings } => {
                Ask::RecordHalt { step, reason: *reason, findings }
            }
        }
    }

    /// Takes what came of it. An answer to something else counts as none.
    pub fn told(&mut self, told: Told) -> Option<End> {
        match (&self.stage, told) {
            (Stage::Freeze, Told::Frozen(Some(frozen))) => return self.frozen(frozen),
            (Stage::Freeze, _) => return Some(self.debt_at("freeze", Stop::FreezeError)),
            (Stage::Generate, _) => self.generated(),
            (Stage::Green, told) => {
                self.gates.green = told == Told::Green(true);
                self.stage = Stage::Coverage;
            }
            (Stage::Coverage, told) => {
                let Told::Coverage(covered) = told else {
                    self.gates.covered = false;
                    self.stage = Stage::Red;
                    return None;
                };
                self.gates.covered = covered.all && covered.uncovered.is_empty();
                self.gates.uncovered = covered.uncovered;
                self.stage = Stage::Red;
            }
            (Stage::Red, told) => {
                self.gates.red_observed = told == Told::Red(true);
                self.stage = Stage::Record;
            }
            (Stage::Record, Told::Recorded(true)) => return self.recorded(),
            (Stage::Record, _) => return Some(self.debt(Stop::RecordError)),
            (Stage::Rails, Told::Rails(Some(checks))) => self.railed(checks),
            (Stage::Rails, _) => return Some(self.debt(Stop::RailsError)),
            (Stage::Halting { reason, .. }, _) => {
                let stop = Stop::Halt(*reason);
                return Some(self.debt(stop));
            }
        }
        None
    }

    fn frozen(&mut self, frozen: Frozen) -> Option<End> {
        if !frozen.pinned {
            return Some(self.debt_at("freeze", Stop::AnchorPinFailed));
        }
        // What was in the log before is the truth from here on: whoever empties it cannot empty this.
        self.recorded = frozen.log_lines;
        self.begin_step()
    }

    fn begin_step(&mut self) -> Option<End> {
        if self.step >= self.arguments.steps.len() {
            return Some(End::Converged);
        }
        self.iteration = 1;
        self.findings.clone_from(&self.arguments.seed);
        self.stage = Stage::Generate;
        None
    }

    fn generated(&mut self) {
        if self.step() == self.arguments.gated_step {
            self.gates = Gates::default();
            self.stage = Stage::Green;
        } else {
            self.gates = Gates::open();
            self.stage = Stage::Record;
        }
    }

    fn recorded(&mut self) -> Option<End> {
        self.recorded += 1;
        if self.gates.hold() {
            self.step += 1;
            return self.begin_step();
        }
        self.stage = if self.gates.green && self.gates.covered {
            // The work may be done, but what proves it cannot be had by trying again.
            let detail = "AT green + AC covered but no red evidence (test_sha+impl_sha) recorded — \
                          record_red_evidence not called or impl_sha missing";
            let findings = vec![Finding::blocking("red.jsonl", Some(detail))];
            Stage::Halting { reason: HaltReason::GateUnverifiable, findings }
        } else {
            Stage::Rails
        };
        None
    }

    fn railed(&mut self, checks: Checks) {
        if let Some(reason) = checks.halt() {
            let open = self.gates.uncovered.iter();
            let findings = open.map(|name| Finding::blocking(name, None)).collect();
            self.stage = Stage::Halting { reason, findings };
            return;
        }
        self.findings = Some(self.gates.findings()).filter(|findings| !findings.is_empty());
        self.iteration += 1;
        self.stage = Stage::Generate;
    }

    fn debt(&self, stop: Stop) -> End {
        self.debt_at(self.step(), stop)
    }

    fn debt_at(&self, step: &str, stop: Stop) -> End {
        End::Debt { step: step.to_owned(), stop }
    }
}

impl End {
    /// The result, as callers know it.
    pub fn to_json(&self, arguments: &Arguments) -> Value {
        match self {
            Self::Converged => json!({
                "status": "CONVERGED",
                "phase": arguments.part.name(),
                "steps": arguments.steps,
            }),
            Self::Debt { step, stop } => json!({
                "status": "COMPLETED_WITH_DEBT",
                "step": step,
                "reason": stop.name(),
            }),
        }
    }
}
