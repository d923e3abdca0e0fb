//! The choice itself: what happened last weighs more than what was recommended.

use serde::{Serialize, Serializer};

use crate::sessions::{
    Reading,
    number::{Plain, first_units, round},
    select::{Level, Mode, Pressure, Signals, score::Score},
};

/// A rationale is one line.
const RATIONALE_MAX: usize = 120;
/// Alternatives that are named at most.
const ALTERNATIVES_MAX: usize = 3;
/// An alternative that is less sure than this is none.
const ALTERNATIVE_MIN: f64 = 0.1;
/// Less of a plan done than this calls for looking back.
const COMPLETION_MIN: f64 = 0.5;
/// More of a plan left than this calls for working it off.
const CARRYOVER_MAX: f64 = 0.3;

/// What to do next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recommendation {
    /// The mode.
    pub mode: Mode,
    /// Why.
    pub rationale: String,
    /// How sure that is, from 0 to 1.
    #[serde(serialize_with = "plainly")]
    pub confidence: f64,
    /// What else it could be.
    pub alternatives: Vec<Alternative>,
    /// How much the session would have to hold in mind.
    pub context_pressure: Pressure,
}

/// Another mode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// The mode.
    pub mode: Mode,
    /// How sure that would be.
    #[serde(serialize_with = "plainly")]
    pub confidence: f64,
}

/// Chooses a mode. Without any signals the choice is one that nobody may follow unasked.
pub fn choose(signals: Option<&Signals>, reading: Reading) -> Recommendation {
    let Some(signals) = signals else {
        return unsure("scaffold: null signals → default", Pressure::default());
    };
    let pressure = Pressure::of(signals);
    if signals.completion_rate.is_some_and(|rate| rate < COMPLETION_MIN) {
        let others = [(Mode::Feature, 0.3), (Mode::Discovery, 0.25)];
        let found = (Mode::PlanRetro, 0.8);
        return fixed(found, "low completion → retrospective".to_owned(), &others, pressure);
    }
    if let Some(ratio) = signals.carryover_ratio.filter(|ratio| *ratio >= CARRYOVER_MAX) {
        let rationale = format!("carryover {}% — deep clear", Plain(round(ratio * 100.0)));
        let others = [(Mode::Feature, 0.3), (Mode::PlanRetro, 0.2)];
        return fixed((Mode::Deep, 0.75), rationale, &others, pressure);
    }
    match signals.recommended {
        Some(mode) => weigh(signals, mode, pressure, reading),
        None => unsure("missing/invalid recommendedMode → default", pressure),
    }
}

fn unsure(rationale: &str, pressure: Pressure) -> Recommendation {
    fixed((Mode::Feature, 0.0), rationale.to_owned(), &[], pressure)
}

fn fixed(
    (mode, confidence): (Mode, f64),
    rationale: String,
    others: &[(Mode, f64)],
    context_pressure: Pressure,
) -> Recommendation {
    let alternative =
        |(mode, confidence): &(Mode, f64)| Alternative { mode: *mode, confidence: *confidence };
    let alternatives = others.iter().map(alternative).collect();
    Recommendation { mode, rationale, confidence, alternatives, context_pressure }
}

/// Weighs the recommended mode against the others, as far as anything is known that could tell them apart.
fn weigh(signals: &Signals, mode: Mode, pressure: Pressure, reading: Reading) -> Recommendation {
    let level = pressure.level();
    let score = Score::of(signals, mode, level, reading);
    let found = Alternative { mode, confidence: score.confidence() };
    let others = if is_active(signals) {
        let others = Mode::ALL.into_iter().filter(|other| *other != mode);
        best(others.map(|mode| Alternative {
            mode,
            confidence: Score::of(signals, mode, level, reading).confidence(),
        }))
    } else {
        Vec::new()
    };
    // Nobody is sent to look around or back on the strength of a sum.
    let better = others.iter().copied().find(|other| {
        !matches!(other.mode, Mode::Discovery | Mode::PlanRetro)
            && other.confidence > found.confidence
    });
    let (found, rationale, alternatives) = match better {
        Some(better) => {
            let rest = others.iter().copied().filter(|other| other.mode != better.mode);
            let rationale = format!(
                "global-max swap: {} ({}) outranked passthrough {} ({})",
                better.mode.name(),
                Plain(better.confidence),
                mode.name(),
                Plain(found.confidence),
            );
            (better, rationale, best(std::iter::once(found).chain(rest)))
        }
        None => (found, reasons(signals, score, pressure), others),
    };
    Recommendation {
        mode: found.mode,
        rationale: first_units(&rationale, RATIONALE_MAX).to_owned(),
        confidence: found.confidence,
        alternatives,
        context_pressure: pressure,
    }
}

/// Whether anything is known beyond what the last session itself said.
fn is_active(signals: &Signals) -> bool {
    !signals.learnings.is_empty() || !signals.recent.is_empty() || signals.lock.is_some()
}

fn best(alternatives: impl Iterator<Item = Alternative>) -> Vec<Alternative> {
    let mut best: Vec<Alternative> =
        alternatives.filter(|other| other.confidence >= ALTERNATIVE_MIN).collect();
    best.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
    best.truncate(ALTERNATIVES_MAX);
    best
}

fn reasons(signals: &Signals, score: Score, pressure: Pressure) -> String {
    let tier = signals.lock.and_then(|lock| lock.tier).filter(|_| score.tier > 0.0);
    let mut text = match (score.trend > 0.0, tier) {
        _ if !is_active(signals) => {
            "passthrough of Phase A recommended-mode — stale signals".to_owned()
        }
        (true, Some(_)) => {
            "passthrough reinforced by recent-sessions trend + bootstrap tier".to_owned()
        }
        (true, None) => "passthrough reinforced by recent-sessions trend".to_owned(),
        (false, Some(tier)) => {
            format!("passthrough reinforced by bootstrap tier ({})", tier.name())
        }
        (false, None) => "passthrough of Phase A recommended-mode".to_owned(),
    };
    let level = pressure.level();
    if level != Level::Low {
        text.push_str(&format!("; pressure:{}({})", level.name(), Plain(pressure.score)));
    }
    text
}

fn plainly<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Plain(*number).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sessions::select::{Effectiveness, Lock, RecentSession, Tier};

    /// Three good features in a row, recorded as sessions are recorded, in a project for features.
    fn routine() -> Signals {
        let session = RecentSession {
            session_type: Some("feature".to_owned()),
            completion_rate: None,
            effectiveness: Some(Effectiveness {
                planned: Some(4),
                carryover: Some(0),
                completion_rate: Some(1.0),
            }),
        };
        Signals {
            recommended: Some(Mode::Feature),
            recent: vec![session; 3],
            lock: Some(Lock { tier: Some(Tier::Standard) }),
            ..Signals::default()
        }
    }

    #[test]
    fn only_the_corrected_reading_is_ever_sure_enough_for_the_default_threshold() {
        let source = choose(Some(&routine()), Reading::Source);
        let corrected = choose(Some(&routine()), Reading::Corrected);
        assert_eq!((source.mode, corrected.mode), (Mode::Feature, Mode::Feature));
        assert_eq!((source.confidence, corrected.confidence), (0.73, 0.8));
        let mut sure = routine();
        let kind = "scope-guidance".to_owned();
        let subject = "Feature sizing".to_owned();
        sure.learnings = vec![crate::sessions::select::Learning { kind, subject }; 2];
        assert!(choose(Some(&sure), Reading::Source).confidence < 0.85);
        assert!(choose(Some(&sure), Reading::Corrected).confidence >= 0.85);
    }

    #[test]
    fn what_happened_last_weighs_more_than_what_was_recommended() {
        let failed =
            Signals { completion_rate: Some(0.49), carryover_ratio: Some(0.5), ..routine() };
        assert_eq!(choose(Some(&failed), Reading::Corrected).mode, Mode::PlanRetro);
        let left = Signals { carryover_ratio: Some(0.3), ..routine() };
        assert_eq!(choose(Some(&left), Reading::Corrected).mode, Mode::Deep);
    }

    #[test]
    fn without_signals_or_a_recommendation_nothing_is_sure() {
        assert_eq!(choose(None, Reading::Corrected).confidence, 0.0);
        let nothing = Signals { recommended: None, ..routine() };
        assert_eq!(choose(Some(&nothing), Reading::Corrected).confidence, 0.0);
    }

    #[test]
    fn a_mode_that_scores_higher_takes_the_place_of_the_recommended_one() {
        let signals = Signals { recommended: Some(Mode::Evolve), ..routine() };
        let found = choose(Some(&signals), Reading::Corrected);
        assert_eq!(found.mode, Mode::Feature);
        assert_eq!(found.alternatives.len(), 3);
        assert!(
            found.rationale.starts_with("global-max swap: feature (0.8)"),
            "{}",
            found.rationale
        );
    }
}
