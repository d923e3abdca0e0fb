//! Which tasks of a plan could be worked on at a time.

use std::collections::BTreeSet;

use super::{Task, task_id::place_of};

/// Puts tasks into waves, each a list of places in the plan: what is in one wave waits for all waves before it.
///
/// A task comes after those it depends on and in no earlier wave than it says. One that says neither comes after
/// everything before it, which is how a plan is read. Two tasks of one wave that name the same file, or of which one names
/// none, are put one after the other. Nothing overtakes a person: what comes after a task of theirs may rest on what they say.
/// Every task is in exactly one wave; those in a circle come last, one by one.
pub fn waves(tasks: &[Task]) -> Vec<Vec<usize>> {
    let mut waves: Vec<Vec<usize>> = Vec::new();
    let mut wave_of: Vec<Option<usize>> = vec![None; tasks.len()];
    let mut stated: Vec<(u32, usize)> =
        tasks.iter().enumerate().map(|(at, task)| (task.wave.unwrap_or(0), at)).collect();
    // Without a wave of its own a task keeps its place behind the last one that has any.
    for at in 1..stated.len() {
        if tasks[at].wave.is_none() && tasks[at].depends_on.is_none() {
            stated[at].0 = stated[..at].iter().map(|(wave, _)| *wave).max().unwrap_or(0);
        }
    }
    stated.sort_unstable();
    while let Some(next) = stated.iter().position(|(_, at)| is_free(tasks, *at, &wave_of)) {
        let (wave, at) = stated.remove(next);
        let first = earliest(tasks, at, wave, &wave_of);
        wave_of[at] = Some(put(tasks, at, first, &mut waves));
    }
    waves.extend(stated.into_iter().map(|(_, at)| vec![at]));
    waves
}

/// Puts tasks into the order in which one after another they are done: wave by wave.
pub fn in_order(tasks: &[Task]) -> Vec<Task> {
    waves(tasks).into_iter().flatten().map(|at| tasks[at].clone()).collect()
}

/// The places of the tasks that a task says it waits for.
fn needed<'a>(tasks: &'a [Task], at: usize) -> impl Iterator<Item = usize> + 'a {
    let ids = tasks[at].depends_on.iter().flatten();
    ids.filter_map(|id| place_of(tasks, id))
}

/// Whether a task neither says when it is done nor what it waits for.
fn is_silent(task: &Task) -> bool {
    task.depends_on.is_none() && task.wave.is_none()
}

/// The places of the people's tasks before a task, which it does not overtake.
fn people<'a>(tasks: &'a [Task], at: usize) -> impl Iterator<Item = usize> + 'a {
    let is_persons = |task: &Task| task.kind.needs_a_person() && is_silent(task);
    (0..at).filter(move |before| is_persons(&tasks[*before]))
}

fn is_free(tasks: &[Task], at: usize, wave_of: &[Option<usize>]) -> bool {
    let is_put = |before: usize| wave_of[before].is_some();
    needed(tasks, at).chain(people(tasks, at)).all(is_put)
        && (!is_silent(&tasks[at])
            || (0..at).all(|before| is_put(before) || rests_on(tasks, before, at)))
}

/// Whether a task waits for another one, by itself or through others.
fn rests_on(tasks: &[Task], from: usize, on: usize) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(next) = open.pop() {
        if seen.insert(next) {
            open.extend(needed(tasks, next));
        }
    }
    from != on && seen.contains(&on)
}

/// The first wave that a task may be in.
fn earliest(tasks: &[Task], at: usize, wave: u32, wave_of: &[Option<usize>]) -> usize {
    let after = |wave: &usize| wave + 1;
    let of = |place: usize| wave_of.get(place).copied().flatten();
    let needed = needed(tasks, at)
        .chain(people(tasks, at))
        .filter_map(of)
        .map(|wave| after(&wave))
        .max()
        .unwrap_or(0);
    let before = match (tasks[at].wave, &tasks[at].depends_on) {
        (None, None) => wave_of.iter().flatten().map(after).max(),
        // A higher number waits for all lower ones, however these were split.
        (Some(_), _) => {
            let lower = |place: &usize| tasks[*place].wave.is_some_and(|other| other < wave);
            (0..tasks.len()).filter(lower).filter_map(of).map(|wave| after(&wave)).max()
        }
        (None, Some(_)) => None,
    };
    needed.max(before.unwrap_or(0))
}

/// Puts a task into the first wave from `first` on in which no other task shares a file with it.
fn put(tasks: &[Task], at: usize, first: usize, waves: &mut Vec<Vec<usize>>) -> usize {
    let has_room = |wave: &Vec<usize>| !wave.iter().any(|other| share(&tasks[at], &tasks[*other]));
    let found = (first..waves.len()).find(|wave| has_room(&waves[*wave]));
    let place = found.unwrap_or(waves.len());
    match waves.get_mut(place) {
        Some(wave) => wave.push(at),
        None => waves.push(vec![at]),
    }
    place
}

/// Whether two tasks could touch the same file; one that names none could touch any.
pub(crate) fn share(one: &Task, other: &Task) -> bool {
    let is_either_silent = one.files.is_empty() || other.files.is_empty();
    is_either_silent
        || one.files.iter().any(|file| other.files.iter().any(|other| overlaps(file, other)))
}

/// Whether two paths are the same, or one is a directory or a pattern that the other falls under.
fn overlaps(one: &str, other: &str) -> bool {
    let (one, other) = (fixed_part(one), fixed_part(other));
    let below = |path: &str, directory: &str| {
        path.strip_prefix(directory).is_some_and(|rest| {
            rest.is_empty()
                || rest.starts_with('/')
                || directory.ends_with('/')
                || directory.is_empty()
        })
    };
    below(one, other) || below(other, one)
}

/// A path up to the directory of its first wildcard, without `./`.
fn fixed_part(path: &str) -> &str {
    let path = path.trim().trim_start_matches("./");
    match path.find(['*', '?', '{']) {
        Some(at) => path[..at].rfind('/').map_or("", |slash| &path[..=slash]),
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Plan;

    /// Tasks from `id attributes: files`.
    fn tasks(lines: &[&str]) -> Vec<Task> {
        let text: String = lines
            .iter()
            .map(|line| {
                let (head, files) = line.split_once(':').expect("a colon");
                let (id, attributes) = head.split_once(' ').unwrap_or((head, ""));
                format!("<task id=\"{id}\" {attributes}>\n<files>{files}</files>\n</task>\n")
            })
            .collect();
        Plan::parse(&text).tasks
    }

    fn shown(lines: &[&str]) -> String {
        let tasks = tasks(lines);
        let wave = |wave: &Vec<usize>| {
            let ids: Vec<&str> = wave.iter().map(|at| tasks[*at].id.as_str()).collect();
            ids.join("+")
        };
        waves(&tasks).iter().map(wave).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn c53_two_tasks_of_one_wave_with_the_same_file_come_one_after_the_other() {
        let a = "a wave=1: src/a.rs";
        for (lines, expected) in [
            (vec![a, "b wave=1: src/b.rs"], "a+b"),
            (vec![a, "b wave=1: src/a.rs"], "a b"),
            (vec![a, "b wave=1: ./src/a.rs, src/b.rs", "c wave=1: src/c.rs"], "a+c b"),
            (vec![a, "b wave=1: src/"], "a b"),
            (vec![a, "b wave=1: src/*.rs"], "a b"),
            (vec![a, "b wave=1: src/a.rs.bak"], "a+b"),
            (vec![a, "b wave=1:"], "a b"),
            (vec![a, "b wave=1: src/a.rs", "c wave=2: c"], "a b c"),
        ] {
            assert_eq!(shown(&lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn c53_tasks_come_after_what_they_wait_for() {
        for (lines, expected) in [
            (vec!["a: a", "b: b"], "a b"),
            (vec!["b depends_on=a: b", "a depends_on=none: a", "c depends_on=a: c"], "a b+c"),
            (vec!["b wave=2: b", "a wave=1: a"], "a b"),
            (vec!["a wave=1: a", "b: b", "c wave=1: c"], "a+c b"),
            (vec!["a wave=1: a", "b type=checkpoint: b", "c wave=1: c"], "a b c"),
            (vec!["a: a", "b type=checkpoint depends_on=c: b", "c: c"], "a c b"),
            (vec!["a depends_on=b: a", "b depends_on=a: b", "c depends_on=none: c"], "c a b"),
            (vec!["a depends_on=a: a"], "a"),
            (vec!["a depends_on=zz: a"], "a"),
            (vec![], ""),
        ] {
            assert_eq!(shown(&lines), expected, "{lines:?}");
        }
    }

    proptest! {
        #[test]
        fn c53_every_task_is_in_one_wave_and_shares_no_file_there(
            said in prop::collection::vec(("[ab]?", prop::option::of(0..3_u32), prop::option::of(0..6_usize)), 0..6)
        ) {
            let lines: Vec<String> = said.iter().enumerate().map(|(at, (file, wave, needs))| {
                let wave = wave.map_or(String::new(), |wave| format!("wave={wave}"));
                let needs = needs.map_or(String::new(), |needs| format!("depends_on=t{needs}"));
                format!("t{at} {wave} {needs}: {file}")
            }).collect();
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let tasks = tasks(&lines);
            let waves = waves(&tasks);
            let all: BTreeSet<usize> = waves.iter().flatten().copied().collect();
            prop_assert_eq!(all.len(), tasks.len());
            prop_assert_eq!(waves.iter().map(Vec::len).sum::<usize>(), tasks.len());
            let is_silent = said.iter().all(|(_, wave, needs)| wave.is_none() && needs.is_none());
            prop_assert!(!is_silent || in_order(&tasks) == tasks, "a plan that says nothing is done as it stands");
            for wave in &waves {
                for (at, one) in wave.iter().enumerate() {
                    prop_assert!(wave[..at].iter().all(|other| !share(&tasks[*one], &tasks[*other])));
                }
            }
        }
    }
}
