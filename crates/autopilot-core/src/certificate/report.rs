//! What came of checking a certificate.

use super::{Certificate, Difference};

/// What came of checking a certificate.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The file.
    pub file: String,
    /// What it says, as far as it can be read.
    pub certificate: Option<Box<Certificate>>,
    /// What was looked at, in order.
    pub examined: Vec<Examined>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// What.
    pub what: String,
    /// What was found.
    pub found: Finding,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It is as it must be; the text says what was seen.
    Holds(String),
    /// It is not; this is the first difference.
    Differs(Difference),
    /// It could not be looked at here; the text says why.
    Unchecked(String),
    /// It need not hold by a person's word; the text says what was seen.
    Waived(String),
}

impl Report {
    /// What comparing a certificate with its journal is called.
    pub const POSITION: &str = "position";

    /// A report that has looked at nothing yet.
    pub fn of(file: impl Into<String>) -> Self {
        Self { file: file.into(), certificate: None, examined: Vec::new() }
    }

    /// Adds one thing that was looked at.
    pub fn add(&mut self, what: impl Into<String>, found: Finding) {
        self.examined.push(Examined { what: what.into(), found });
    }

    /// Whether nothing is otherwise than it must be.
    pub fn holds(&self) -> bool {
        self.first_difference().is_none()
    }

    /// Whether a journal that is here gives the same certificate.
    pub fn is_derived_again(&self) -> bool {
        let holds = |examined: &Examined| matches!(examined.found, Finding::Holds(_));
        self.examined.iter().any(|examined| examined.what == Self::POSITION && holds(examined))
    }

    /// The first thing that is otherwise than it must be.
    pub fn first_difference(&self) -> Option<(&str, &Difference)> {
        self.examined.iter().find_map(|examined| match &examined.found {
            Finding::Differs(difference) => Some((examined.what.as_str(), difference)),
            Finding::Holds(_) | Finding::Unchecked(_) | Finding::Waived(_) => None,
        })
    }
}

impl Finding {
    /// What was found where nothing may differ; `seen` says what holds.
    pub fn of(difference: Option<Difference>, seen: impl Into<String>) -> Self {
        difference.map_or_else(|| Self::Holds(seen.into()), Self::Differs)
    }
}
