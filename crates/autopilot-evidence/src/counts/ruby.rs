//! RSpec, minitest and test-unit.

use super::{
    summary::{Missing, last_of_each},
    tally::{Bucket, Counts, Sums, Words, numbered},
    text::Output,
};

const RSPEC: &Words = &[
    ("example", Bucket::Total),
    ("examples", Bucket::Total),
    ("failure", Bucket::Failed),
    ("failures", Bucket::Failed),
    ("pending", Bucket::Skipped),
    // Nothing was run, but something went wrong; the exit code says so too.
    ("error occurred outside of examples", Bucket::Other),
    ("errors occurred outside of examples", Bucket::Other),
];

const MINITEST: &Words = &[
    ("runs", Bucket::Total),
    ("tests", Bucket::Total),
    ("assertions", Bucket::Other),
    ("failures", Bucket::Failed),
    ("errors", Bucket::Failed),
    ("skips", Bucket::Skipped),
    ("pendings", Bucket::Skipped),
    ("omissions", Bucket::Skipped),
    ("notifications", Bucket::Other),
];

/// `Finished in 0.02 seconds …` and `5 examples, 0 failures, 3 pending`.
///
/// There is no line at the start of a run, so of several runs only the last one counts.
pub(super) fn rspec(output: &Output<'_>) -> Option<Counts> {
    last_of_each(
        &output.lines,
        |_| false,
        Missing::Refuse,
        |lines| {
            let [time, numbers, ..] = lines else {
                return None;
            };
            if !time.starts_with("Finished in ") || !numbers.contains(" example") {
                return None;
            }
            numbered(numbers, ", ", RSPEC).and_then(Sums::counts)
        },
    )
}

/// From `Run options: …` to `3 runs, 3 assertions, 0 failures, 0 errors, 1 skips`.
///
/// test-unit, from `Loaded suite …` on, says `tests` and has more to say.
pub(super) fn minitest(output: &Output<'_>) -> Option<Counts> {
    let starts =
        |line: &str| line.starts_with("Run options: ") || line.starts_with("Loaded suite ");
    last_of_each(&output.lines, starts, Missing::Refuse, |lines| {
        let line = lines.first()?;
        if !line.contains(" assertions, ") || !line.contains(" errors, ") {
            return None;
        }
        numbered(line, ", ", MINITEST).and_then(Sums::counts)
    })
}
