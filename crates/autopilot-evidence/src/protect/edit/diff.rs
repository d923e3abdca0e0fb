//! What changed between two texts, line by line, for a person to read.

use std::{collections::BTreeMap, fmt::Write as _};

/// The longest diff that is kept.
pub const DIFF_BYTES_MAX: usize = 16 << 10;

/// How much of one line is shown.
const LINE_CHARS_MAX: usize = 200;

/// How many lines around a change are shown.
const CONTEXT: usize = 3;

/// How many lines may differ before what differs is shown as one piece. It bounds time and memory.
const DIFFERENCES_MAX: usize = 600;

/// How many lines between the first and the last difference are compared with each other.
const COMPARED_MAX: usize = 50_000;

/// A piece of both texts that is equal, or differs: places in the first and in the second.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    old: std::ops::Range<usize>,
    new: std::ops::Range<usize>,
}

/// A unified diff of two texts without its header, cut at [`DIFF_BYTES_MAX`] with a line that says so.
///
/// What is shown is safe to show: bytes that are no text and characters that steer a terminal are replaced.
pub(super) fn unified(old: &[u8], new: &[u8]) -> String {
    if old.contains(&0) || new.contains(&0) {
        return "binary files differ\n".to_owned();
    }
    let (old, new) = (lines(old), lines(new));
    let mut diff = String::new();
    for hunk in hunks(&changes(&old, &new), old.len()) {
        if diff.len() >= DIFF_BYTES_MAX {
            break;
        }
        write_hunk(&mut diff, &hunk, &old, &new);
    }
    if diff.len() > DIFF_BYTES_MAX {
        let end =
            diff[..diff.floor_char_boundary(DIFF_BYTES_MAX)].rfind('\n').map_or(0, |at| at + 1);
        diff.truncate(end);
        diff.push_str("… the diff is longer than this\n");
    }
    diff
}

/// The lines of a text, without the ends of the lines.
pub(super) fn lines(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// The changes from one list of lines to another, in their order.
fn changes(old: &[&[u8]], new: &[&[u8]]) -> Vec<Change> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_middle, new_middle) =
        (&old_rest[..old_rest.len() - end], &new_rest[..new_rest.len() - end]);
    if old_middle.is_empty() && new_middle.is_empty() {
        return Vec::new();
    }
    let mut found = None;
    if old_middle.len() + new_middle.len() <= COMPARED_MAX {
        let (old_ids, new_ids) = ids(old_middle, new_middle);
        found = shortest(&old_ids, &new_ids);
    }
    let mut found = found
        .unwrap_or_else(|| vec![Change { old: 0..old_middle.len(), new: 0..new_middle.len() }]);
    for change in &mut found {
        change.old = change.old.start + start..change.old.end + start;
        change.new = change.new.start + start..change.new.end + start;
    }
    found
}

/// Numbers for lines, equal where the lines are.
fn ids<'a>(old: &[&'a [u8]], new: &[&'a [u8]]) -> (Vec<u32>, Vec<u32>) {
    let mut known: BTreeMap<&'a [u8], u32> = BTreeMap::new();
    let mut id = |line: &&'a [u8]| {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        *known.entry(*line).or_insert(next)
    };
    (old.iter().map(&mut id).collect(), new.iter().map(&mut id).collect())
}

/// The shortest way from one list to the other, after Myers; `None` if it is too long.
fn shortest(old: &[u32], new: &[u32]) -> Option<Vec<Change>> {
    let offset = DIFFERENCES_MAX + 1;
    let mut furthest = vec![0_usize; 2 * offset + 1];
    let mut trace: Vec<Vec<usize>> = Vec::new();
    for steps in 0..=DIFFERENCES_MAX {
        trace.push(furthest[offset - steps..=offset + steps].to_vec());
        for diagonal in (offset - steps..=offset + steps).step_by(2) {
            let down = diagonal == offset - steps
                || (diagonal != offset + steps && furthest[diagonal - 1] < furthest[diagonal + 1]);
            let mut x = if down { furthest[diagonal + 1] } else { furthest[diagonal - 1] + 1 };
            // A diagonal may leave the grid; then it leads nowhere.
            let Some(mut y) = (x + offset).checked_sub(diagonal) else {
                continue;
            };
            while x < old.len() && y < new.len() && old[x] == new[y] {
                x += 1;
                y += 1;
            }
            furthest[diagonal] = x;
            if x >= old.len() && y >= new.len() {
                return Some(way_back(&trace, (old.len(), new.len())));
            }
        }
    }
    None
}

/// Follows the trace of [`shortest`] from the end to the start.
fn way_back(trace: &[Vec<usize>], end: (usize, usize)) -> Vec<Change> {
    let (mut x, mut y) = end;
    let mut changes: Vec<Change> = Vec::new();
    for (steps, row) in trace.iter().enumerate().rev() {
        if steps == 0 {
            break;
        }
        // The row of `steps` holds the diagonals from `-steps` to `steps`.
        let at = |diagonal: isize| {
            usize::try_from(diagonal + steps as isize)
                .ok()
                .and_then(|at| row.get(at))
                .copied()
                .unwrap_or(0)
        };
        let diagonal = x as isize - y as isize;
        let limit = steps as isize;
        let down = diagonal == -limit || (diagonal != limit && at(diagonal - 1) < at(diagonal + 1));
        let before = if down { diagonal + 1 } else { diagonal - 1 };
        let before_x = at(before);
        let before_y = usize::try_from(before_x as isize - before).unwrap_or(0);
        let change = if down {
            Change { old: before_x..before_x, new: before_y..before_y + 1 }
        } else {
            Change { old: before_x..before_x + 1, new: before_y..before_y }
        };
        match changes.last_mut() {
            Some(next) if next.old.start == change.old.end && next.new.start == change.new.end => {
                next.old.start = change.old.start;
                next.new.start = change.new.start;
            }
            _ => changes.push(change),
        }
        (x, y) = (before_x, before_y);
    }
    changes.reverse();
    changes
}

/// Changes that are near each other, to be shown together.
fn hunks(changes: &[Change], old_lines: usize) -> Vec<Vec<Change>> {
    let mut hunks: Vec<Vec<Change>> = Vec::new();
    for change in changes {
        match hunks.last_mut() {
            Some(hunk)
                if hunk
                    .last()
                    .is_some_and(|last| change.old.start - last.old.end <= 2 * CONTEXT) =>
            {
                hunk.push(change.clone());
            }
            _ => hunks.push(vec![change.clone()]),
        }
    }
    debug_assert!(changes.iter().all(|change| change.old.end <= old_lines));
    hunks
}

fn write_hunk(diff: &mut String, hunk: &[Change], old: &[&[u8]], new: &[&[u8]]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return;
    };
    let before = CONTEXT.min(first.old.start);
    let after = CONTEXT.min(old.len() - last.old.end);
    let (old_start, old_end) = (first.old.start - before, last.old.end + after);
    let (new_start, new_end) = (first.new.start - before, last.new.end + after);
    let _ = writeln!(
        diff,
        "@@ -{},{} +{},{} @@",
        old_start + 1,
        old_end - old_start,
        new_start + 1,
        new_end - new_start
    );
    let mut at = old_start;
    for change in hunk {
        write_lines(diff, ' ', &old[at..change.old.start]);
        write_lines(diff, '-', &old[change.old.clone()]);
        write_lines(diff, '+', &new[change.new.clone()]);
        at = change.old.end;
    }
    write_lines(diff, ' ', &old[at..old_end]);
}

fn write_lines(diff: &mut String, mark: char, lines: &[&[u8]]) {
    for line in lines {
        if diff.len() > DIFF_BYTES_MAX {
            return;
        }
        diff.push(mark);
        // A character takes at most four bytes, so more of a long line need not be read.
        let start = &line[..line.len().min(4 * LINE_CHARS_MAX)];
        let text = String::from_utf8_lossy(start);
        diff.extend(text.chars().take(LINE_CHARS_MAX).map(shown));
        if start.len() < line.len() || text.chars().count() > LINE_CHARS_MAX {
            diff.push('…');
        }
        diff.push('\n');
    }
}

/// A character as it may be shown: what cannot be seen must not change what can.
fn shown(c: char) -> char {
    match c {
        '\t' => c,
        '\r' => '␍',
        c if super::words::is_invisible(c) => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_diff_shows_what_changed_with_its_surroundings() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\n";
        assert_eq!(
            unified(old.as_bytes(), b"a\nb\nc\nd\nX\nf\ng\nh\ni"),
            "@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+X\n f\n g\n h\n+i\n"
        );
        assert_eq!(unified(b"a\n", b""), "@@ -1,1 +1,0 @@\n-a\n");
        assert_eq!(unified(b"", b"a\n"), "@@ -1,0 +1,1 @@\n+a\n");
        assert_eq!(unified(b"a", b"a\n"), "");
        assert_eq!(unified(b"a\0", b"b"), "binary files differ\n");
    }

    #[test]
    fn what_steers_a_terminal_is_not_shown() {
        let diff = unified(b"", "\x1b[2Ja\u{202e}\r\n".as_bytes());
        assert_eq!(diff, "@@ -1,0 +1,1 @@\n+\u{fffd}[2Ja\u{fffd}␍\n");
    }

    #[test]
    fn a_long_diff_is_cut_and_says_so() {
        let old: String = (0..200_000).map(|at| format!("old {at}\n")).collect();
        let new: String = (0..200_000).map(|at| format!("new {at}\n")).collect();
        let diff = unified(old.as_bytes(), new.as_bytes());
        assert!(diff.len() < DIFF_BYTES_MAX + 100);
        assert!(diff.ends_with("longer than this\n"));
        let long = "x".repeat(1 << 20);
        assert!(unified(b"", long.as_bytes()).len() < 300);
    }

    fn applied(old: &[&[u8]], new: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut result = Vec::new();
        let mut at = 0;
        for change in changes(old, new) {
            result.extend(old[at..change.old.start].iter().map(|line| line.to_vec()));
            result.extend(new[change.new.clone()].iter().map(|line| line.to_vec()));
            at = change.old.end;
        }
        result.extend(old[at..].iter().map(|line| line.to_vec()));
        result
    }

    proptest! {
        #[test]
        fn changes_lead_from_one_text_to_the_other(old in "[ab\\n]{0,40}", new in "[ab\\n]{0,40}") {
            let (old, new) = (lines(old.as_bytes()), lines(new.as_bytes()));
            prop_assert_eq!(applied(&old, &new), new);
        }

        #[test]
        fn any_bytes_have_a_diff(
            old in prop::collection::vec(any::<u8>(), 0..60),
            new in prop::collection::vec(any::<u8>(), 0..60),
        ) {
            unified(&old, &new);
        }
    }
}
