//! What a session leaves for the next one: five keys at the top of `STATE.md`.

use crate::sessions::{
    select::Mode,
    state_md::{Field, Fields, Scalar},
};

/// Issues that a session may say come first.
pub const PRIORITIES_MAX: usize = 5;

/// What the last session left. A key that holds something else than it should holds nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Left {
    /// The mode that it recommends, in its own word.
    pub mode: Option<String>,
    /// Issues that come first.
    pub priorities: Option<Vec<f64>>,
    /// The part of its plan that it left over.
    pub carryover_ratio: Option<f64>,
    /// The part of its plan that it did.
    pub completion_rate: Option<f64>,
    /// Why.
    pub rationale: Option<String>,
}

impl Left {
    /// Reads the keys; none of them is none of this.
    pub fn read(fields: &Fields) -> Option<Self> {
        let keys = [
            "recommended-mode",
            "top-priorities",
            "carryover-ratio",
            "completion-rate",
            "rationale",
        ];
        let [mode, priorities, carryover, completion, rationale] = keys.map(|key| fields.get(key));
        let is_absent =
            [mode, priorities, carryover, completion, rationale].iter().all(Option::is_none);
        if is_absent {
            return None;
        }
        Some(Self {
            mode: text(mode),
            priorities: issues(priorities),
            carryover_ratio: number(carryover),
            completion_rate: number(completion),
            rationale: text(rationale),
        })
    }
}

fn scalar(field: Option<&Field>) -> Option<&Scalar> {
    match field? {
        Field::Scalar(scalar) => Some(scalar),
        Field::Entries(_) => None,
    }
}

fn text(field: Option<&Field>) -> Option<String> {
    scalar(field)?.as_text().map(ToOwned::to_owned)
}

fn number(field: Option<&Field>) -> Option<f64> {
    scalar(field)?.as_number()
}

fn issues(field: Option<&Field>) -> Option<Vec<f64>> {
    let issue = |item: &Scalar| item.as_number().filter(|number| number.fract() == 0.0);
    scalar(field)?.as_list()?.iter().map(issue).collect()
}

/// What a session recommends when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The mode.
    pub mode: Mode,
    /// Why.
    pub rationale: &'static str,
}

/// Derives a recommendation from how much of a plan was done and left over; none where either is no number, and then
/// the session ends without one.
pub fn advise(completion_rate: f64, carryover_ratio: f64) -> Option<Advice> {
    if completion_rate.is_nan() || carryover_ratio.is_nan() {
        return None;
    }
    let (mode, rationale) = if completion_rate < 0.5 {
        (Mode::PlanRetro, "v0: completion <50% → retro")
    } else if carryover_ratio >= 0.3 {
        (Mode::Deep, "v0: carryover ≥30% → deep")
    } else {
        (Mode::Feature, "v0: default clean completion")
    };
    Some(Advice { mode, rationale })
}

/// What is known when somebody asks what should come before the next session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Situation {
    /// The part of its plan that the last session did.
    pub completion_rate: Option<f64>,
    /// The part of its plan that the last session left over.
    pub carryover_ratio: Option<f64>,
    /// Whether there were sessions at all.
    pub has_history: bool,
    /// Whether somebody wants to look around first.
    pub wants_discovery: bool,
}

/// Something to do before the next session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precursor {
    /// The mode.
    pub mode: Mode,
    /// The command that does it.
    pub route: &'static str,
    /// Why.
    pub rationale: &'static str,
}

/// What should come before the next session.
pub fn precursors(situation: Situation) -> Vec<Precursor> {
    let Situation { completion_rate, carryover_ratio, has_history, wants_discovery } = situation;
    let mut found = Vec::new();
    let is_poor = completion_rate.is_some_and(|rate| rate < 0.5)
        || carryover_ratio.is_some_and(|ratio| ratio >= 0.3);
    if is_poor {
        found.push(Precursor {
            mode: Mode::PlanRetro,
            route: "/plan",
            rationale: "low completion / carryover → plan-retro precursor",
        });
    }
    if !has_history || wants_discovery {
        found.push(Precursor {
            mode: Mode::Discovery,
            route: "/discovery",
            rationale: "cold start / explore-first hint → discovery precursor",
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sessions::state_md::Document;

    #[test]
    fn a_key_that_holds_something_else_holds_nothing() {
        let text =
            "---\nrecommended-mode: 3\ntop-priorities: [1, two]\ncarryover-ratio: 0.2\n---\n";
        let left = Left::read(&Document::parse(text).unwrap().fields).unwrap();
        assert_eq!(left, Left { carryover_ratio: Some(0.2), ..Left::default() });
    }

    #[test]
    fn other_keys_are_no_recommendation() {
        assert_eq!(
            Left::read(&Document::parse("---\nstatus: active\n---\n").unwrap().fields),
            None
        );
    }

    #[test]
    fn a_session_that_did_little_is_looked_back_on() {
        assert_eq!(advise(0.49, 1.0).unwrap().mode, Mode::PlanRetro);
        assert_eq!(advise(0.5, 0.3).unwrap().mode, Mode::Deep);
        assert_eq!(advise(0.5, 0.29).unwrap().mode, Mode::Feature);
        assert_eq!(advise(f64::NAN, 0.0), None);
    }
}
