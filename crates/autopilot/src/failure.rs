//! A failure as a person sees it: what happened, why it matters, what to do.

use std::error::Error;

use crate::exit::Exit;

/// A command that did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How the program ends.
    pub(crate) exit: Exit,
    /// What happened.
    pub(crate) what: String,
    /// Why it matters.
    pub(crate) why: String,
    /// What to do.
    pub(crate) hint: String,
}

/// The outcome of a command.
pub(crate) type Outcome = Result<Exit, Failure>;

impl Failure {
    /// A failure with its three parts.
    pub(crate) fn new(
        exit: Exit,
        what: impl Into<String>,
        why: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self { exit, what: what.into(), why: why.into(), hint: hint.into() }
    }

    /// Wrong input or a refused request.
    pub(crate) fn refused(
        what: impl Into<String>,
        why: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self::new(Exit::Refused, what, why, hint)
    }
}

/// An error with everything that caused it, in one line.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        // Some libraries repeat the cause in their own message.
        if !text.ends_with(&next) {
            text.push_str(": ");
            text.push_str(&next);
        }
        cause = error.source();
    }
    text
}
