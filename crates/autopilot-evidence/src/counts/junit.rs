//! Reports in the XML that JUnit made common.

use super::{
    tally::Counts,
    text::Output,
    xml::{Tag, Tags},
};

/// Counts test cases, not what the attributes say, which differs from tool to tool.
///
/// Several reports are added up. A report that is not closed, or of which something was left out, gives
/// no answer.
pub(super) fn junit_xml(output: &Output<'_>) -> Option<Counts> {
    if output.cut {
        return None;
    }
    let mut report = Report::default();
    for tag in Tags::of(output.text) {
        report.take(tag);
    }
    (report.seen && report.suites == 0 && report.case.is_none()).then_some(report.counts)
}

/// What became of a test case so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Passed,
    Failed,
    Skipped,
}

#[derive(Debug, Default)]
struct Report {
    seen: bool,
    /// How many suites are open.
    suites: usize,
    /// The test case that is open, and how many elements are open in it.
    case: Option<(Case, usize)>,
    counts: Counts,
}

impl Report {
    fn take(&mut self, tag: Tag<'_>) {
        match (self.case, tag) {
            (Some((case, depth)), tag) => self.take_inside(case, depth, tag),
            (None, Tag::Open("testsuites" | "testsuite")) => {
                self.seen = true;
                self.suites += 1;
            }
            (None, Tag::Empty("testsuites" | "testsuite")) => self.seen = true,
            (None, Tag::Close("testsuites" | "testsuite")) => {
                self.suites = self.suites.saturating_sub(1);
            }
            (None, Tag::Open("testcase")) if self.suites > 0 => self.case = Some((Case::Passed, 0)),
            (None, Tag::Empty("testcase")) if self.suites > 0 => self.add(Case::Passed),
            (None, _) => {}
        }
    }

    /// Only what stands directly in a test case says what became of it.
    fn take_inside(&mut self, case: Case, depth: usize, tag: Tag<'_>) {
        let said = match tag {
            Tag::Open(name) | Tag::Empty(name) if depth == 0 => match name {
                "failure" | "error" => Case::Failed,
                "skipped" if case != Case::Failed => Case::Skipped,
                _ => case,
            },
            Tag::Open(_) | Tag::Empty(_) | Tag::Close(_) => case,
        };
        match tag {
            Tag::Close("testcase") => {
                self.case = None;
                self.add(case);
            }
            Tag::Open(_) => self.case = Some((said, depth + 1)),
            Tag::Empty(_) => self.case = Some((said, depth)),
            Tag::Close(_) => self.case = Some((case, depth.saturating_sub(1))),
        }
    }

    fn add(&mut self, case: Case) {
        match case {
            Case::Passed => self.counts.passed += 1,
            Case::Failed => self.counts.failed += 1,
            Case::Skipped => self.counts.skipped += 1,
        }
    }
}
