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
    let ranks = ranks(groups);
    let mut steps: Vec<(u32, usize, Step)> = Vec::with_capacity(groups.len());
    for (place, group) in groups.iter().enumerate() {
        let headed = group.section.map(|at| found.sections[at as usize].line);
        steps.push(match (group.entry, headed) {
            (Some(_), Some(line)) => (line, place, Step::Described),
            (Some(entry), None) => (found.entries[entry as usize].line, place, Step::Listed),
            (None, line) => (line.unwrap_or(u32::MAX), place, Step::Alone),
        });
    }
    steps.sort_by_key(|(line, ..)| *line);
    let mut keys: Vec<Key> = ranks.iter().map(|rank| (*rank, 0)).collect();
    // The phase that comes last in the list among those whose headings were passed, and among those that
    // were passed in the list since the last heading.
    let (mut passed, mut since) = (0, 0);
    let mut alone = Vec::new();
    let mut agree = true;
    for (line, place, step) in steps {
        match step {
            Step::Listed => since = since.max(ranks[place]),
            Step::Described => {
                agree &= ranks[place] > passed;
                passed = passed.max(ranks[place]);
                since = 0;
            }
            Step::Alone => {
                passed = passed.max(std::mem::take(&mut since));
                keys[place] = (passed, line);
                alone.push((place, line));
            }
        }
    }
    // Headings in an order of their own say nothing about the order of the phases; the list does.
    for (place, line) in alone.into_iter().filter(|_| !agree) {
        keys[place] = (usize::MAX, line);
    }
    keys
}

/// The place in the list of each group that is in it, from 1.
fn ranks(groups: &[Group]) -> Vec<usize> {
    let mut listed: Vec<(u32, usize)> =
        groups.iter().enumerate().filter_map(|(at, group)| Some((group.entry?, at))).collect();
    listed.sort_unstable();
    let mut ranks = vec![0; groups.len()];
    for (rank, (_, place)) in listed.into_iter().enumerate() {
        ranks[place] = rank + 1;
    }
    ranks
}
