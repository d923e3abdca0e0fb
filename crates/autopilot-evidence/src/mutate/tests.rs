//! What mutants come out, by language; and what is true of all of them.

mod blind;
mod compiled;
mod go;
mod hostile;
mod javascript;
mod lines;
mod properties;
mod python;
mod rust;
mod scripted;
mod shell;

use super::{changed_lines, mutants};

/// A path, a file whose lines are all changed, and its first mutants.
type Case = (&'static str, &'static str, &'static [&'static str]);

/// How many mutants the tables state.
const FIRST: usize = 4;

/// What the first mutants of a file are, all of its lines being changed.
fn first_mutants(path: &str, now: &str) -> Vec<String> {
    let found = mutants(path, now, &changed_lines(None, now), FIRST);
    found.into_iter().map(|mutant| format!("{}: {}", mutant.line, mutant.what)).collect()
}

fn check(cases: &[Case]) {
    for (path, now, expected) in cases {
        assert_eq!(first_mutants(path, now), *expected, "{path}:\n{now}");
    }
}
