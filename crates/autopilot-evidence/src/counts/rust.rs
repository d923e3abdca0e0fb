//! `cargo test` and `cargo nextest`: both say how many tests they will run, and then what came of them.

use super::{
    summary::{Blocks, Mark},
    tally::{Bucket, Counts, Sums, Words, leading_number, numbered},
    text::{Output, without_parentheses},
};

const LIBTEST: &Words = &[
    ("passed", Bucket::Passed),
    ("failed", Bucket::Failed),
    ("ignored", Bucket::Skipped),
    // Benchmarks that were run.
    ("measured", Bucket::Passed),
    ("filtered out", Bucket::Other),
];

const NEXTEST: &Words = &[
    ("passed", Bucket::Passed),
    ("failed", Bucket::Failed),
    ("timed out", Bucket::Failed),
    ("exec failed", Bucket::Failed),
    ("skipped", Bucket::Skipped),
];

/// One block for each test program and one for the documentation tests.
pub(super) fn cargo_test(output: &Output<'_>) -> Option<Counts> {
    Blocks::read(&output.lines, |line| {
        if let Some(rest) = line.strip_prefix("running ") {
            return announced(rest, &[" test", " tests"]).map(Mark::Open);
        }
        let rest = line.strip_prefix("test result: ")?;
        let rest = rest.strip_prefix("ok. ").or_else(|| rest.strip_prefix("FAILED. "))?;
        // Compilers before 1.50 or so do not say how long it took.
        let (numbers, _) = rest.split_once("; finished in ").unwrap_or((rest, ""));
        let counts = numbered(numbers, "; ", LIBTEST).and_then(Sums::counts)?;
        Some(Mark::Close(counts.executed().saturating_add(counts.skipped), counts))
    })
}

/// One block. What tests print is indented, so that it does not start where these lines do.
pub(super) fn nextest(output: &Output<'_>) -> Option<Counts> {
    Blocks::read(&output.lines, |line| {
        if let Some(rest) = line.strip_prefix("    Starting ") {
            let (tests, _) = rest.split_once(" across ")?;
            return announced(tests, &[" test", " tests"]).map(Mark::Open);
        }
        let (_, rest) = line.strip_prefix("     Summary [")?.split_once("] ")?;
        let (run, numbers) = rest.split_once(" run: ")?;
        // `2/5 tests run` when it stopped early: two of the five that were announced.
        let planned = run.split_once('/').map_or(run, |(_, planned)| planned);
        let planned = announced(planned, &[" test", " tests"])?;
        let counts =
            numbered(&without_parentheses(numbers), ", ", NEXTEST).and_then(Sums::counts)?;
        Some(Mark::Close(planned, counts))
    })
}

fn announced(text: &str, units: &[&str]) -> Option<u64> {
    let (number, unit) = leading_number(text)?;
    units.contains(&unit).then_some(number)
}
