//! Which lines of a text are new.

use std::collections::{BTreeMap, BTreeSet};

/// Up to this many pairs of lines are compared one by one.
const PAIRS_MAX: usize = 250_000;
/// How often a gap between lines that are equal is looked at again.
const DEPTH_MAX: usize = 12;

/// Gives the lines of `now`, counted from one, that are not in `base`.
///
/// A line that only got another line ending is not new.
pub fn changed_lines(base: Option<&str>, now: &str) -> Vec<usize> {
    let new: Vec<&str> = now.lines().collect();
    let old: Vec<&str> = base.unwrap_or_default().lines().collect();
    let mut numbers = BTreeMap::new();
    let (old, new) = (numbered(&old, &mut numbers), numbered(&new, &mut numbers));
    let mut is_new = vec![true; new.len()];
    Diff { old: &old, new: &new }.walk(Gap::whole(&old, &new), &mut is_new);
    is_new.iter().enumerate().filter(|(_, is)| **is).map(|(at, _)| at + 1).collect()
}

/// Gives equal lines equal numbers, so that they are compared quickly.
fn numbered<'a>(lines: &[&'a str], numbers: &mut BTreeMap<&'a str, usize>) -> Vec<usize> {
    let mut given = Vec::with_capacity(lines.len());
    for line in lines {
        let next = numbers.len();
        given.push(*numbers.entry(*line).or_insert(next));
    }
    given
}

struct Diff<'a> {
    old: &'a [usize],
    new: &'a [usize],
}

/// A range of the old and a range of the new lines that belong together.
#[derive(Clone, Copy)]
struct Gap {
    old: (usize, usize),
    new: (usize, usize),
    depth: usize,
}

impl Gap {
    fn whole(old: &[usize], new: &[usize]) -> Self {
        Self { old: (0, old.len()), new: (0, new.len()), depth: 0 }
    }
}

impl Diff<'_> {
    /// Marks the lines that were there before; gaps between lines that occur once are looked at by themselves.
    fn walk(&self, whole: Gap, is_new: &mut [bool]) {
        let mut open = vec![whole];
        while let Some(gap) = open.pop() {
            let gap = self.trim(gap, is_new);
            let (olds, news) = (gap.old.1 - gap.old.0, gap.new.1 - gap.new.0);
            if olds == 0 || news == 0 {
                continue;
            }
            if olds.saturating_mul(news) <= PAIRS_MAX {
                self.compare(gap, is_new);
                continue;
            }
            let anchors = if gap.depth < DEPTH_MAX { self.anchors(gap) } else { Vec::new() };
            if anchors.is_empty() {
                self.count(gap, is_new);
                continue;
            }
            let mut from = (gap.old.0, gap.new.0);
            for (old, new) in anchors {
                is_new[new] = false;
                open.push(Gap { old: (from.0, old), new: (from.1, new), depth: gap.depth + 1 });
                from = (old + 1, new + 1);
            }
            let (old, new) = ((from.0, gap.old.1), (from.1, gap.new.1));
            open.push(Gap { old, new, depth: gap.depth + 1 });
        }
    }

    /// Takes off what is equal at both ends.
    fn trim(&self, mut gap: Gap, is_new: &mut [bool]) -> Gap {
        while gap.old.0 < gap.old.1
            && gap.new.0 < gap.new.1
            && self.old[gap.old.0] == self.new[gap.new.0]
        {
            is_new[gap.new.0] = false;
            gap.old.0 += 1;
            gap.new.0 += 1;
        }
        while gap.old.0 < gap.old.1
            && gap.new.0 < gap.new.1
            && self.old[gap.old.1 - 1] == self.new[gap.new.1 - 1]
        {
            is_new[gap.new.1 - 1] = false;
            gap.old.1 -= 1;
            gap.new.1 -= 1;
        }
        gap
    }

    /// Finds the longest common sequence by comparing every pair.
    fn compare(&self, gap: Gap, is_new: &mut [bool]) {
        let (old, new) = (&self.old[gap.old.0..gap.old.1], &self.new[gap.new.0..gap.new.1]);
        let width = new.len() + 1;
        let mut longest = vec![0_u32; (old.len() + 1) * width];
        for i in (0..old.len()).rev() {
            for j in (0..new.len()).rev() {
                longest[i * width + j] = if old[i] == new[j] {
                    longest[(i + 1) * width + j + 1] + 1
                } else {
                    longest[(i + 1) * width + j].max(longest[i * width + j + 1])
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < old.len() && j < new.len() {
            if old[i] == new[j] {
                is_new[gap.new.0 + j] = false;
                i += 1;
                j += 1;
            } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }

    /// Pairs of lines that occur once on each side, as long a rising sequence as there is.
    fn anchors(&self, gap: Gap) -> Vec<(usize, usize)> {
        let mut seen: BTreeMap<usize, [Option<usize>; 2]> = BTreeMap::new();
        let mut twice = BTreeSet::new();
        for (side, (lines, range)) in
            [(self.old, gap.old), (self.new, gap.new)].into_iter().enumerate()
        {
            for (at, line) in lines.iter().enumerate().take(range.1).skip(range.0) {
                let places = seen.entry(*line).or_default();
                if places[side].replace(at).is_some() {
                    twice.insert(*line);
                }
            }
        }
        let mut pairs: Vec<(usize, usize)> = seen
            .into_iter()
            .filter(|(line, _)| !twice.contains(line))
            .filter_map(|(_, places)| Some((places[0]?, places[1]?)))
            .collect();
        pairs.sort_unstable();
        rising(&pairs)
    }

    /// Marks as many of each line as there were, wherever they stand.
    fn count(&self, gap: Gap, is_new: &mut [bool]) {
        let mut left: BTreeMap<usize, usize> = BTreeMap::new();
        for line in &self.old[gap.old.0..gap.old.1] {
            *left.entry(*line).or_default() += 1;
        }
        let marks = is_new.iter_mut().zip(self.new).take(gap.new.1).skip(gap.new.0);
        for (is_new, line) in marks {
            if let Some(count) = left.get_mut(line).filter(|count| **count > 0) {
                *count -= 1;
                *is_new = false;
            }
        }
    }
}

/// The longest sequence of pairs whose second parts rise, too.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut tops: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    for (at, pair) in pairs.iter().enumerate() {
        let pile = tops.partition_point(|top| pairs[*top].1 < pair.1);
        before[at] = pile.checked_sub(1).map(|below| tops[below]);
        if pile == tops.len() {
            tops.push(at);
        } else {
            tops[pile] = at;
        }
    }
    let mut found = Vec::new();
    let mut next = tops.last().copied();
    while let Some(at) = next {
        found.push(pairs[at]);
        next = before[at];
    }
    found.reverse();
    found
}
