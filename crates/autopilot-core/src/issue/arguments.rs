//! What the loop is called with, and what it refuses.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::issue::Finding;

/// Tries of a step for which nothing else is said.
const TRIES_DEFAULT: f64 = 4.0;

/// The part of the work that a loop does. A person's approval of the design lies between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Stories, plan and acceptance tests.
    Design,
    /// The work itself.
    Implementation,
}

impl Part {
    /// The name in arguments and results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Design => "design",
            Self::Implementation => "impl",
        }
    }

    fn steps(self) -> &'static [&'static str] {
        match self {
            Self::Design => &["extracting-user-stories", "writing-plan-and-tests"],
            Self::Implementation => &["running-atdd-cycle"],
        }
    }
}

/// What the loop is to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments {
    /// Which part.
    pub part: Part,
    /// The steps, in order.
    pub steps: Vec<String>,
    /// The step whose result the objective gates judge.
    pub gated_step: String,
    /// What the first try of each step begins with.
    pub seed: Option<Vec<Finding>>,
    tries: Option<BTreeMap<String, f64>>,
}

impl Arguments {
    /// Takes arguments as an object, or as a text that holds one.
    ///
    /// # Errors
    /// Says what is wrong with them, in the words that callers know.
    pub fn from_json(given: &Value) -> Result<Self, String> {
        let parsed = match given.as_str() {
            Some(text) => serde_json::from_str(text).map_err(|error| not_json(text, &error))?,
            None => given.clone(),
        };
        let whole = |number: f64| number.fract() == 0.0;
        if !parsed["issue"].as_f64().is_some_and(whole) {
            return Err("args.issue missing or non-integer — refusing to run with an unresolvable issue dir".to_owned());
        }
        let part = match parsed["phase"].as_str() {
            Some("design") => Part::Design,
            Some("impl") => Part::Implementation,
            Some(_) | None => {
                return Err(
                    "args.phase missing or invalid — refusing to default to design".to_owned()
                );
            }
        };
        let arguments = Self {
            part,
            steps: names(&parsed["steps"])
                .unwrap_or_else(|| part.steps().iter().map(ToString::to_string).collect()),
            gated_step: parsed["atStep"]
                .as_str()
                .filter(|name| !name.is_empty())
                .map_or_else(|| "running-atdd-cycle".to_owned(), ToOwned::to_owned),
            seed: seeds(&parsed, part)?,
            tries: limits(&parsed["maxIterations"]),
        };
        arguments.check_steps()?;
        Ok(arguments)
    }

    /// Without the gated step the gates would silently vanish; with it the design would run ahead of its approval.
    fn check_steps(&self) -> Result<(), String> {
        let Self { part, steps, gated_step, .. } = self;
        match (part, steps.contains(gated_step)) {
            (Part::Implementation, false) => Err(format!(
                "AT_STEP \"{gated_step}\" not in STEPS — AT/coverage gates would be skipped"
            )),
            (Part::Design, true) => Err(format!(
                "design phase must not loop {gated_step} — ATDD runs only after the design-approval gate"
            )),
            (Part::Implementation, true) | (Part::Design, false) => Ok(()),
        }
    }

    /// How often a step may be tried.
    pub fn tries(&self, step: &str) -> f64 {
        let known = match (&self.tries, step) {
            (Some(given), _) => given.get(step).copied(),
            (None, "running-atdd-cycle") => Some(8.0),
            (None, _) => None,
        };
        known.filter(|tries| *tries != 0.0).unwrap_or(TRIES_DEFAULT)
    }
}

/// The findings that the first try begins with, if they are meant for this part.
fn seeds(given: &Value, part: Part) -> Result<Option<Vec<Finding>>, String> {
    let rejected = seed(
        given,
        "rejectionFindings",
        (part, Part::Design),
        "rejectionFindings is design-gate plumbing — refusing it outside the design phase",
    )?;
    let reentered = seed(
        given,
        "implSeedFindings",
        (part, Part::Implementation),
        "implSeedFindings is impl-phase re-entry plumbing — refusing it outside the impl phase",
    )?;
    Ok(rejected.or(reentered))
}

fn seed(
    given: &Value,
    name: &str,
    (part, meant): (Part, Part),
    elsewhere: &str,
) -> Result<Option<Vec<Finding>>, String> {
    let Some(value) = given.get(name) else {
        return Ok(None);
    };
    let items = value.as_array().ok_or_else(|| format!("args.{name} must be an array"))?;
    if items.is_empty() {
        return Err(format!(
            "args.{name} must not be empty — [] is truthy and .some() is vacuously false, so it would slip every guard \
             and reach generate as a zero-finding re-presentation"
        ));
    }
    let findings: Option<Vec<Finding>> = items.iter().map(Finding::from_json).collect();
    let findings = findings
        .ok_or_else(|| format!("every {name} item needs a non-empty evidence_ref (AL-4)"))?;
    if part == meant { Ok(Some(findings)) } else { Err(elsewhere.to_owned()) }
}

fn names(value: &Value) -> Option<Vec<String>> {
    let names = value.as_array()?.iter();
    Some(
        names
            .map(|name| name.as_str().map_or_else(|| name.to_string(), ToOwned::to_owned))
            .collect(),
    )
}

fn limits(value: &Value) -> Option<BTreeMap<String, f64>> {
    let limits = value.as_object()?.iter();
    Some(limits.filter_map(|(step, tries)| Some((step.clone(), tries.as_f64()?))).collect())
}

/// Why a text is no JSON, in the words of the interpreter that callers know.
fn not_json(text: &str, error: &serde_json::Error) -> String {
    let before: usize =
        text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let (line, column) = (error.line(), error.column());
    let position = before + column;
    if text.trim().is_empty() {
        return "Unexpected end of JSON input".to_owned();
    }
    if error.is_eof() && text.trim_end().ends_with('{') {
        let column = column + 1;
        return format!(
            "Expected property name or '}}' in JSON at position {position} (line {line} column {column})"
        );
    }
    if error.is_eof() {
        return "Unexpected end of JSON input".to_owned();
    }
    format!("Unexpected token in JSON at position {position} (line {line} column {column})")
}
