//! Reads the process table and kills whole trees of processes.
//!
//! Only Linux has `/proc`; elsewhere the table is empty and only process groups can be killed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::ffi::OsStrExt,
};

use rustix::process::{Pid, Signal, kill_process};

/// How often the tree is searched for processes that were forked while it was being stopped.
const STOP_PASSES_MAX: u32 = 64;

/// One process, as `/proc/PID/stat` tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) pid: Pid,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) name: String,
    pub(crate) ended: bool,
    pub(crate) resident_pages: u64,
}

/// Reads all processes that can be seen.
pub(crate) fn read() -> Vec<Entry> {
    pids().filter_map(entry).collect()
}

/// Reads one process; `None` if it is gone.
pub(crate) fn entry(pid: Pid) -> Option<Entry> {
    let stat = fs::read(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
    parse_stat(&stat)
}

/// Returns the direct children of this process, which must be single-threaded.
///
/// This is one read where the kernel keeps the list, and a search of the whole table elsewhere.
pub(crate) fn own_children() -> Vec<Pid> {
    let own = std::process::id();
    match fs::read_to_string(format!("/proc/self/task/{own}/children")) {
        Ok(list) => list
            .split_ascii_whitespace()
            .filter_map(|pid| Pid::from_raw(pid.parse().ok()?))
            .collect(),
        Err(_) => read()
            .into_iter()
            .filter(|entry| entry.parent.cast_unsigned() == own)
            .map(|entry| entry.pid)
            .collect(),
    }
}

/// Tells whether the process was started with this variable in its environment.
pub(crate) fn has_variable(pid: Pid, assignment: &[u8]) -> bool {
    any_variable(pid, |variable| variable == assignment)
}

/// Tells whether the process was started with a variable in its environment that begins like this.
pub(crate) fn has_variable_beginning(pid: Pid, assignment: &[u8]) -> bool {
    any_variable(pid, |variable| variable.starts_with(assignment))
}

fn any_variable(pid: Pid, is_it: impl Fn(&[u8]) -> bool) -> bool {
    fs::read(format!("/proc/{}/environ", pid.as_raw_pid()))
        .is_ok_and(|environment| environment.split(|byte| *byte == 0).any(is_it))
}

/// Iterates over the ids of all processes.
pub(crate) fn pids() -> impl Iterator<Item = Pid> {
    fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok).filter_map(|found| {
        let name = found.file_name();
        let digits = std::str::from_utf8(name.as_bytes()).ok()?;
        Pid::from_raw(digits.parse().ok()?)
    })
}

/// Kills the given processes with everything below them and returns what was hit.
///
/// All are stopped first: a stopped process cannot fork, so the search ends even against processes
/// that fork faster than they can be listed one by one. A process id is signalled right after it was
/// read, so that its reuse in between would need the whole range of ids to be used up in that time.
pub(crate) fn kill_trees(roots: &[Pid]) -> Vec<Entry> {
    let mut stopped = BTreeSet::new();
    let mut hit = Vec::new();
    for _ in 0..STOP_PASSES_MAX {
        let fresh: Vec<Entry> = below(roots, &read())
            .into_iter()
            .filter(|entry| !entry.ended && stopped.insert(entry.pid.as_raw_pid()))
            .collect();
        if fresh.is_empty() {
            break;
        }
        for entry in &fresh {
            signal(entry.pid, Signal::STOP);
        }
        hit.extend(fresh);
    }
    for entry in &hit {
        signal(entry.pid, Signal::KILL);
    }
    hit
}

/// Sends a signal; a process that is already gone is fine, one of another user cannot be helped.
pub(crate) fn signal(pid: Pid, signal: Signal) {
    let _ = kill_process(pid, signal);
}

/// Finds the given processes and everything below them.
pub(crate) fn below(roots: &[Pid], table: &[Entry]) -> Vec<Entry> {
    let mut children: BTreeMap<i32, Vec<&Entry>> = BTreeMap::new();
    for entry in table {
        children.entry(entry.parent).or_default().push(entry);
    }
    let mut found: Vec<Entry> =
        table.iter().filter(|entry| roots.contains(&entry.pid)).cloned().collect();
    let mut next = 0;
    while let Some(entry) = found.get(next) {
        let parent = entry.pid.as_raw_pid();
        next += 1;
        // A list that is read while processes move can hold a loop; removing what was used breaks it.
        for child in children.remove(&parent).unwrap_or_default() {
            if !roots.contains(&child.pid) {
                found.push(child.clone());
            }
        }
    }
    found
}

fn parse_stat(stat: &[u8]) -> Option<Entry> {
    // The name is in parentheses and may itself hold spaces and parentheses.
    let open = stat.iter().position(|byte| *byte == b'(')?;
    let close = stat.iter().rposition(|byte| *byte == b')')?;
    let pid = std::str::from_utf8(stat.get(..open)?).ok()?.trim();
    let name = String::from_utf8_lossy(stat.get(open + 1..close)?).into_owned();
    let rest = std::str::from_utf8(stat.get(close + 1..)?).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    Some(Entry {
        pid: Pid::from_raw(pid.parse().ok()?)?,
        parent: fields.next()?.parse().ok()?,
        group: fields.next()?.parse().ok()?,
        name,
        ended: matches!(state, "Z" | "X"),
        // The 24th field, of which five were read.
        resident_pages: fields.nth(18).and_then(|pages| pages.parse().ok()).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made_up(pid: i32, parent: i32) -> Entry {
        Entry {
            pid: Pid::from_raw(pid).unwrap(),
            parent,
            group: pid,
            name: String::new(),
            ended: false,
            resident_pages: 0,
        }
    }

    #[test]
    fn a_name_with_parentheses_and_spaces_is_read() {
        let entry = parse_stat(b"42 (a) R (b c) S 7 9 9 0 -1").unwrap();
        assert_eq!((entry.name.as_str(), entry.parent, entry.group), ("a) R (b c", 7, 9));
        assert!(!entry.ended);
        assert_eq!(parse_stat(b"42 (a"), None);
        assert_eq!(parse_stat(b""), None);
    }

    #[test]
    fn everything_below_the_roots_is_found_once() {
        let table = [made_up(2, 1), made_up(3, 2), made_up(4, 3), made_up(5, 1), made_up(6, 2)];
        let roots = [Pid::from_raw(2).unwrap(), Pid::from_raw(3).unwrap()];
        let mut found: Vec<i32> =
            below(&roots, &table).iter().map(|entry| entry.pid.as_raw_pid()).collect();
        found.sort_unstable();
        assert_eq!(found, [2, 3, 4, 6]);
    }

    #[test]
    fn a_loop_in_the_table_ends() {
        let table = [made_up(2, 3), made_up(3, 2)];
        assert_eq!(below(&[Pid::from_raw(2).unwrap()], &table).len(), 2);
    }
}
