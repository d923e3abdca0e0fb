//! Whether a loop of sessions may start without asking.

use crate::sessions::number::{Plain, round2};

/// How sure a choice must be where nobody says otherwise.
pub const CONFIDENCE_FLOOR: f64 = 0.5;
/// Fewer runs than this say nothing about the next one.
pub const RUNS_MIN: usize = 5;
/// So many of the runs ended by a switch are too many.
pub const KILL_RATE_MAX: f64 = 0.2;

/// How much a project lets the program do by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autonomy {
    /// It asks.
    Off,
    /// It recommends, and asks.
    Advisory,
    /// It starts by itself where everything speaks for it.
    AutonomousGated,
}

impl Autonomy {
    /// The autonomy of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "off" => Some(Self::Off),
            "advisory" => Some(Self::Advisory),
            "autonomous-gated" => Some(Self::AutonomousGated),
            _ => None,
        }
    }
}

/// What is known of something outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reported {
    /// Nothing.
    #[default]
    Absent,
    /// Nothing that can be read.
    Malformed,
    /// A word.
    As(String),
}

impl Reported {
    /// Takes a word as it was reported; case and blanks around it do not count.
    pub fn word(text: &str) -> Self {
        Self::As(text.trim().to_lowercase())
    }

    fn name(&self) -> &str {
        match self {
            Self::Absent => "absent",
            Self::Malformed => "malformed",
            Self::As(word) => word,
        }
    }

    fn is(&self, word: &str) -> bool {
        matches!(self, Self::As(said) if said == word)
    }

    fn warning(&self, what: &str) -> Option<String> {
        match self {
            Self::Absent => Some(format!("{what} signal absent")),
            Self::Malformed => Some(format!("{what} signal malformed — treated as absent")),
            Self::As(_) => None,
        }
    }
}

/// How recent runs ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// Nobody can tell.
    Unreadable,
    /// So many.
    Counted {
        /// Runs.
        count: usize,
        /// Those that a switch ended.
        killed: usize,
    },
}

/// What the question is decided by.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// How much the project lets the program do, if it says something known.
    pub autonomy: Option<Autonomy>,
    /// How sure the choice is.
    pub confidence: f64,
    /// How sure it must be.
    pub floor: f64,
    /// How recent runs ended.
    pub runs: Runs,
    /// What continuous integration says.
    pub ci: Reported,
    /// The state of the machine.
    pub resources: Reported,
}

/// Whether everything speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Suitability {
    /// Whether it does.
    pub is_suitable: bool,
    /// How sure the choice is.
    pub confidence: Plain,
    /// Gate by gate.
    pub rationale: String,
    /// What could not be looked at.
    pub warnings: Vec<String>,
}

impl Suitability {
    /// Whether a loop may start without asking.
    pub fn launches_unasked(&self, autonomy: Option<Autonomy>) -> bool {
        self.is_suitable && autonomy == Some(Autonomy::AutonomousGated)
    }
}

/// Looks at every gate. One that cannot be looked at is passed over with a warning.
pub fn judge(evidence: &Evidence) -> Suitability {
    let Evidence { autonomy, confidence, floor, runs, ci, resources } = evidence;
    let gates = [
        Gate::confidence(*confidence, *floor),
        Gate::runs(*runs),
        Gate::reported("CI", ci, "red"),
        Gate::reported("resource", resources, "critical"),
    ];
    let is_suitable = gates.iter().all(|gate| gate.holds);
    let mut parts = vec![format!("suitable={is_suitable}")];
    let forced: Vec<&str> =
        [("CI red", ci.is("red")), ("resource critical", resources.is("critical"))]
            .into_iter()
            .filter_map(|(name, is_forced)| is_forced.then_some(name))
            .collect();
    if !forced.is_empty() {
        parts.push(format!("FORCED: {}", forced.join(" + ")));
    }
    let mut warnings = Vec::new();
    for gate in gates {
        parts.push(gate.told);
        warnings.extend(gate.warnings);
    }
    if *autonomy == Some(Autonomy::Off) {
        warnings.push("autonomy off — verdict advisory only; caller will confirm".to_owned());
    }
    let (confidence, rationale) = (Plain(*confidence), parts.join("; "));
    Suitability { is_suitable, confidence, rationale, warnings }
}

/// One thing that must hold.
struct Gate {
    holds: bool,
    told: String,
    warnings: Vec<String>,
}

impl Gate {
    fn of(holds: bool, told: &str) -> Self {
        let verdict = if holds { "ok" } else { "FAIL" };
        Self { holds, told: format!("{told} {verdict}"), warnings: Vec::new() }
    }

    fn confidence(confidence: f64, floor: f64) -> Self {
        let told = format!("confidence {}>={}", Plain(confidence), Plain(floor));
        Self::of(confidence >= floor, &told)
    }

    fn runs(runs: Runs) -> Self {
        let (count, killed, mut warnings) = match runs {
            Runs::Unreadable => {
                (0, 0, vec!["recentRuns not an array — kill-switch gate omitted".to_owned()])
            }
            Runs::Counted { count, killed } => (count, killed, Vec::new()),
        };
        if count < RUNS_MIN {
            warnings.push(format!("kill-switch signal omitted: only {count}<{RUNS_MIN} runs"));
            let told = format!("kill-switch omitted ({count}<{RUNS_MIN} runs)");
            return Self { holds: true, told, warnings };
        }
        let rate = as_double(killed) / as_double(count);
        let told = format!("kill-switch {killed}/{count} fired rate={}", Plain(round2(rate)));
        Self::of(rate < KILL_RATE_MAX, &told)
    }

    fn reported(name: &str, reported: &Reported, forbidden: &str) -> Self {
        let told = format!("{name} {}", reported.name());
        let warnings = reported.warning(name).into_iter().collect();
        Self { warnings, ..Self::of(!reported.is(forbidden), &told) }
    }
}

#[expect(clippy::cast_precision_loss, reason = "lists are far shorter than 2^53")]
fn as_double(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fine() -> Evidence {
        Evidence {
            autonomy: Some(Autonomy::AutonomousGated),
            confidence: 0.9,
            floor: CONFIDENCE_FLOOR,
            runs: Runs::Counted { count: 10, killed: 1 },
            ci: Reported::word("green"),
            resources: Reported::word(" Green "),
        }
    }

    #[test]
    fn one_gate_that_does_not_hold_is_enough() {
        assert!(judge(&fine()).is_suitable);
        let broken = [
            Evidence { confidence: 0.49, ..fine() },
            Evidence { confidence: f64::NAN, ..fine() },
            Evidence { runs: Runs::Counted { count: 5, killed: 1 }, ..fine() },
            Evidence { ci: Reported::word("RED"), ..fine() },
            Evidence { resources: Reported::word(" critical "), ..fine() },
        ];
        for evidence in broken {
            assert!(!judge(&evidence).is_suitable, "{evidence:?}");
        }
    }

    #[test]
    fn what_cannot_be_looked_at_is_told() {
        let blind = Evidence {
            runs: Runs::Unreadable,
            ci: Reported::Malformed,
            resources: Reported::Absent,
            ..fine()
        };
        let found = judge(&blind);
        assert!(found.is_suitable);
        assert_eq!(found.warnings.len(), 4);
    }

    #[test]
    fn nothing_starts_unasked_unless_the_project_says_so() {
        let found = judge(&fine());
        assert!(found.launches_unasked(Some(Autonomy::AutonomousGated)));
        assert!(!found.launches_unasked(Some(Autonomy::Advisory)) && !found.launches_unasked(None));
    }
}
