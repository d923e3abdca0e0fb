//! The order of phases: that of the list, and those that only have a heading where the heading stands.

use super::{super::found::Found, Group};

/// What a phase is sorted by: the last listed phase that it comes after, counted from 1, and the line of its
/// heading, or 0 for the listed phase itself.
pub(super) type Key = (usize, u32);

/// One step down the file.
enum Step {
    /// A phase that has a line in the list but no heading.
    Listed,
    /// The heading of a phase that is in the list.
    Described,
    /// The heading of a phase that is not.
    Alone,
}

/// The key of each group.
pub(super) fn keys(found: &Found<'_>, groups: &[Group]) -> Vec<Key> {
    let mut steps: Vec<(u32, usize, Step)> = Vec::with_capacity(groups.len());
    for (place, group) in groups.iter().enumerate() {
        let listed = group.entry.map(|at| found.entries[at as usize].line);
        let headed = group.section.map(|at| found.sections[at as usize].line);
        steps.push(match (listed, headed) {
            (Some(_), Some(line)) => (line, place, Step::Described),
            (Some(line), None) => (line, place, Step::Listed),
            (None, line) => (line.unwrap_or(u32::MAX), place, Step::Alone),
        });
    }
    steps.sort_by_key(|(line, ..)| *line);
    let mut keys: Vec<Key> = (1..=groups.len()).map(|rank| (rank, 0)).collect();
    // The phase that comes last in the list among those whose headings were passed, and among those that
    // were passed in the list since the last heading.
    let (mut passed, mut since) = (0, 0);
    for (line, place, step) in steps {
        match step {
            Step::Listed => since = since.max(place + 1),
            Step::Described => {
                passed = passed.max(place + 1);
                since = 0;
            }
            Step::Alone => {
                passed = passed.max(std::mem::take(&mut since));
                keys[place] = (passed, line);
            }
        }
    }
    keys
}
