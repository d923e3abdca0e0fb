//! The Test Anything Protocol, and two tools that speak it: bats and prove.

use super::{
    summary::runs,
    tally::{Bucket, Counts, Sums, Words, digits, leading_number, numbered},
    text::{Output, is_gap},
};

/// Subtests are indented by this for each level.
const INDENT_CHARS: usize = 4;

const BATS: &Words = &[
    ("test", Bucket::Total),
    ("tests", Bucket::Total),
    ("failure", Bucket::Failed),
    ("failures", Bucket::Failed),
    ("skipped", Bucket::Skipped),
    ("not run", Bucket::Skipped),
];

/// Counts test points; of a point with subtests, these.
///
/// There must be one plan for each document, and as many points as it says. A test that is still to
/// be written (`# TODO`) counts as skipped: whatever it does, it proves nothing.
pub(super) fn tap(output: &Output<'_>) -> Option<Counts> {
    let mut sum: Option<Counts> = None;
    for lines in runs(&output.lines, |line| line.starts_with("TAP version ")) {
        let mut document = Document::default();
        for line in lines {
            document.take(line);
        }
        sum = Some(sum.unwrap_or_default().plus(document.end()?));
    }
    sum
}

/// TAP, which is what bats prints into a pipe, or the last line of its pretty form, after an empty one.
pub(super) fn bats(output: &Output<'_>) -> Option<Counts> {
    // A document with a plan is TAP, also when it cannot be read.
    if output.lines.iter().any(|line| plan(line).is_some()) {
        return tap(output);
    }
    output.lines.windows(2).rev().find_map(|lines| {
        let ["", line] = lines else {
            return None;
        };
        let numbers = line.split_once(" in ").map_or(*line, |(numbers, _)| numbers);
        let tests = leading_number(numbers)?.1;
        if !tests.starts_with(" test") || !tests.contains(" failure") {
            return None;
        }
        numbered(numbers, ", ", BATS).and_then(Sums::counts)
    })
}

/// `Files=2, Tests=5, …  0.08 CPU)` and `Result: PASS`.
///
/// prove counts points that were skipped as tests. They are seen only with `-v`, and then taken off.
pub(super) fn prove(output: &Output<'_>) -> Option<Counts> {
    let (at, tests) = output.lines.iter().enumerate().rev().find_map(|(at, line)| {
        let result = output.lines.get(at + 1)?.strip_prefix("Result: ")?;
        if !matches!(result, "PASS" | "FAIL" | "NOTESTS") {
            return None;
        }
        let (files, rest) = line.strip_prefix("Files=")?.split_once(", Tests=")?;
        digits(files)?;
        let (tests, rest) = leading_number(rest)?;
        (rest.starts_with(',') && rest.ends_with(" CPU)")).then_some((at, tests))
    })?;
    let (mut failed, mut points, mut files) = (0_u64, 0_u64, 0_u64);
    for line in output.lines.get(..at)? {
        if line.contains(" (Wstat: ") || line.contains("\t(Wstat: ") {
            let number = line.rsplit_once(" Failed: ").and_then(|(_, rest)| leading_number(rest));
            failed = failed.saturating_add(number.map_or(0, |(number, _)| number));
        } else if line.contains(". skipped: ") {
            files = files.saturating_add(1);
        } else if Point::read(line).is_some_and(|point| point.left_out) {
            points = points.saturating_add(1);
        }
    }
    let counts = Counts::of_total(tests, failed, points.min(tests));
    Some(Counts { skipped: counts.skipped.saturating_add(files), ..counts })
}

/// One TAP document.
#[derive(Debug, Default)]
struct Document {
    plan: Option<u64>,
    /// There were two plans, or the test bailed out.
    broken: bool,
    gap: bool,
    points: u64,
    /// Whether points one level deeper than a level were seen since the last point of that level.
    deeper: [bool; LEVELS],
    braces: u64,
    /// A block of details is open; what stands in it was not said by the runner.
    details: bool,
    all_skipped: bool,
    counts: Counts,
}

/// How many levels of subtests are told apart.
const LEVELS: usize = 16;

impl Document {
    fn take(&mut self, line: &str) {
        if is_gap(line) {
            self.gap = true;
            self.details = false;
            return;
        }
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        if self.details {
            self.details = text != "...";
        } else if text == "---" && indent > 0 {
            self.details = true;
        } else if text == "}" {
            self.braces = self.braces.saturating_sub(1);
        } else if indent == 0 && text.starts_with("Bail out!") {
            self.broken = true;
        } else if let Some((tests, rest)) = plan(line) {
            self.broken |= self.plan.is_some();
            self.plan = Some(tests);
            self.all_skipped = tests == 0 && has_directive(rest, "skip");
        } else if indent.is_multiple_of(INDENT_CHARS)
            && let Some(point) = Point::read(text)
        {
            self.take_point(indent / INDENT_CHARS, point);
        }
    }

    fn take_point(&mut self, level: usize, point: Point) {
        if level == 0 {
            self.points = self.points.saturating_add(1);
        }
        let has_parts = self.deeper.get(level).copied().unwrap_or(false) || point.opens;
        for (at, deeper) in self.deeper.iter_mut().enumerate() {
            *deeper = (*deeper && at < level) || at + 1 == level;
        }
        self.braces = self.braces.saturating_add(u64::from(point.opens));
        if has_parts {
            return;
        }
        match (point.left_out, point.ok) {
            (true, _) => self.counts.skipped += 1,
            (false, true) => self.counts.passed += 1,
            (false, false) => self.counts.failed += 1,
        }
    }

    fn end(self) -> Option<Counts> {
        if self.broken || (self.braces > 0 && !self.gap) {
            return None;
        }
        match self.plan {
            Some(plan) if plan == self.points || (self.gap && self.points < plan) => {}
            None if self.gap && self.points > 0 => {}
            _ => return None,
        }
        let skipped = self.counts.skipped.saturating_add(u64::from(self.all_skipped));
        Some(Counts { skipped, ..self.counts })
    }
}

/// `1..3`, or `1..0 # SKIP no power`: how many points there are to be, and what else is said.
fn plan(line: &str) -> Option<(u64, &str)> {
    let (tests, rest) = leading_number(line.strip_prefix("1..")?)?;
    (rest.is_empty() || rest.starts_with(' ')).then_some((tests, rest))
}

/// `ok 1 - it turns # SKIP slow`.
#[derive(Clone, Copy, Debug)]
struct Point {
    ok: bool,
    left_out: bool,
    /// Its parts follow in braces, as old versions of TAP for node do it.
    opens: bool,
}

impl Point {
    fn read(text: &str) -> Option<Self> {
        let (ok, rest) = match text.strip_prefix("not ok") {
            Some(rest) => (false, rest),
            None => (true, text.strip_prefix("ok")?),
        };
        if !rest.is_empty() && !rest.starts_with(' ') {
            return None;
        }
        let left_out = has_directive(rest, "skip") || has_directive(rest, "todo");
        Some(Self { ok, left_out, opens: rest.ends_with(" {") })
    }
}

/// Whether a text has `# SKIP`, in any case. A `#` after a backslash is part of the description.
fn has_directive(text: &str, directive: &str) -> bool {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if c == '#' && before != '\\' {
            let rest = text.get(at + 1..).unwrap_or_default().trim_start();
            if rest.get(..directive.len()).is_some_and(|word| word.eq_ignore_ascii_case(directive))
            {
                return true;
            }
        }
        before = c;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Option<Counts> {
        tap(&Output::new(&(lines.join("\n") + "\n")))
    }

    #[test]
    fn points_must_be_as_many_as_planned() {
        assert_eq!(read(&["1..2", "ok 1", "not ok 2"]), Some(Counts::new(1, 1, 0)));
        assert_eq!(read(&["ok 1", "not ok 2 # TODO later", "1..2"]), Some(Counts::new(1, 0, 1)));
        assert_eq!(read(&["1..3", "ok 1", "not ok 2"]), None);
        assert_eq!(read(&["1..1", "ok 1", "ok 2"]), None);
        assert_eq!(read(&["1..1", "ok 1", "1..1"]), None);
        assert_eq!(read(&["ok 1"]), None);
        assert_eq!(read(&["1..2", "ok 1", "Bail out! no power", "ok 2"]), None);
        assert_eq!(read(&["1..0"]), Some(Counts::default()));
        assert_eq!(read(&["1..0 # SKIP slow"]), Some(Counts::new(0, 0, 1)));
    }

    #[test]
    fn of_a_point_with_subtests_these_count() {
        let subtests = ["    ok 1 - once", "    not ok 2 - twice", "    1..2", "not ok 1 - often"];
        assert_eq!(
            read(&[&["1..2"], &subtests[..], &["ok 2"]].concat()),
            Some(Counts::new(2, 1, 0))
        );
        let in_braces = ["1..1", "ok 1 - often {", "    1..1", "    ok 1 - once # skip", "}"];
        assert_eq!(read(&in_braces), Some(Counts::new(0, 0, 1)));
        assert_eq!(read(&in_braces[..4]), None);
    }

    #[test]
    fn details_and_descriptions_are_not_read_as_points() {
        assert_eq!(
            read(&["1..1", "not ok 1 - a \\# skip", "  ---", "    ok 2", "ok 3", "  ..."]),
            Some(Counts::new(0, 1, 0))
        );
        assert_eq!(read(&["1..1", "ok 1", "okay", "not okay"]), Some(Counts::new(1, 0, 0)));
    }

    #[test]
    fn a_gap_leaves_what_is_seen() {
        let gap = "[… 90 bytes left out …]";
        assert_eq!(read(&["1..9", "ok 1", "x", gap, "x", "ok 9"]), Some(Counts::new(2, 0, 0)));
        assert_eq!(read(&[gap, "x", "ok 9"]), Some(Counts::new(1, 0, 0)));
    }
}
