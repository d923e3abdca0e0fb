//! The entry point: a text in, a roadmap out.

use super::{
    build,
    model::Roadmap,
    problem::{self, Problem, ProblemKind},
    scan,
};

/// Reads a roadmap. Any text gives a result; what was not understood is in its problems.
pub fn parse(text: &str) -> Roadmap {
    build::roadmap(text, scan::walk(text))
}

/// Reads a roadmap from bytes; those that are not UTF-8 are replaced and reported.
pub fn parse_bytes(bytes: &[u8]) -> Roadmap {
    match std::str::from_utf8(bytes) {
        Ok(text) => parse(text),
        Err(error) => {
            let mut roadmap = parse(&String::from_utf8_lossy(bytes));
            let before = &bytes[..error.valid_up_to()];
            let lines = before.iter().filter(|byte| **byte == b'\n').count();
            roadmap.problems.push(Problem::new(
                u32::try_from(lines + 1).unwrap_or(u32::MAX),
                ProblemKind::NotUtf8,
                "this line holds bytes that are not UTF-8; they were replaced",
            ));
            problem::settle(&mut roadmap.problems);
            roadmap
        }
    }
}
