//! The entry point: a text in, a roadmap out.

use std::{borrow::Cow, sync::Arc};

use super::{
    build, comment,
    line::Lines,
    model::Roadmap,
    problem::{self, Problem, ProblemKind},
    scan,
};

/// Reads a roadmap. Any text gives a result; what was not understood is in its problems.
///
/// The roadmap keeps the text; one that is given away is not copied.
pub fn parse(text: impl Into<String>) -> Roadmap {
    let text = text.into();
    let source = Arc::new(match comment::blanked(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(blanked) => blanked,
    });
    build::roadmap(&source, scan::walk(&source))
}

/// Reads a roadmap from bytes; those that are not UTF-8 are replaced and reported.
pub fn parse_bytes(bytes: Vec<u8>) -> Roadmap {
    match String::from_utf8(bytes) {
        Ok(text) => parse(text),
        Err(error) => {
            let mut roadmap = parse(String::from_utf8_lossy(error.as_bytes()));
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            // What follows the good bytes on their line stands for the bad ones.
            let before = String::from_utf8_lossy(before).into_owned() + "?";
            roadmap.problems.push(Problem::new(
                u32::try_from(Lines::new(&before).count()).unwrap_or(u32::MAX),
                ProblemKind::NotUtf8,
                "this line holds bytes that are not UTF-8; they were replaced",
            ));
            problem::settle(&mut roadmap.problems);
            roadmap
        }
    }
}
