//! Ways to break the code.

use super::{
    files::{Before, File, Scene},
    play::{Change, Lie, Play},
    spread::{in_turn, mixed, rotated},
};
use crate::mutate::{Mutant, changed_lines, mutants};

/// How many mutants of one file are looked at.
const PER_FILE_MAX: usize = 40;
/// How many small mutations there are for each file that is emptied or removed.
const MUTATIONS_EACH: usize = 4;
const EMPTIED: (Lie, &str) = (Lie::EmptiesCode, "nothing is left in the file");
const DELETED: (Lie, &str) = (Lie::DeletesCode, "the file is gone");

/// Every way to break the code that is known, spread over kinds and files: what comes first promises most.
pub fn breaks(scene: &Scene<'_>) -> Vec<Play> {
    let sources: Vec<&File> = scene.files.iter().filter(|file| file.is_source()).collect();
    let sources = mixed(sources, scene.seed);
    let mutations = in_turn(sources.iter().map(|file| mutations(file, scene.seed)).collect());
    let sized = sources.iter().filter(|file| !file.text.trim().is_empty());
    let emptied = sized.clone().map(|file| whole(file, EMPTIED, Some(String::new()))).collect();
    let deleted = sized.map(|file| whole(file, DELETED, None)).collect();
    let rough = in_turn(vec![emptied, deleted]);
    reverted(scene).into_iter().chain(woven(mutations, rough)).collect()
}

fn mutations(file: &File, seed: u64) -> Vec<Play> {
    let every: Vec<usize> = (1..=file.text.lines().count()).collect();
    let found = mutants(&file.path, &file.text, &every, PER_FILE_MAX);
    let play = |mutant: Mutant| Play {
        lie: Lie::MutatesCode,
        what: mutant.what.clone(),
        path: file.path.clone(),
        line: Some(mutant.line),
        hides_in: Vec::new(),
        changes: vec![Change { path: file.path.clone(), text: Some(mutant.apply(&file.text)) }],
    };
    rotated(found, seed).into_iter().map(play).collect()
}

fn whole(file: &File, (lie, what): (Lie, &str), text: Option<String>) -> Play {
    Play {
        lie,
        what: what.to_owned(),
        path: file.path.clone(),
        line: None,
        hides_in: Vec::new(),
        changes: vec![Change { path: file.path.clone(), text }],
    }
}

/// The code as it was before the last commit, where that changed more than words.
fn reverted(scene: &Scene<'_>) -> Option<Play> {
    let now = |path: &str| scene.files.iter().find(|file| file.path == path && file.is_source());
    let is_work = |before: &&Before| {
        now(&before.path).is_some_and(|file| {
            let lines = changed_lines(before.text.as_deref(), &file.text);
            !mutants(&file.path, &file.text, &lines, 1).is_empty()
        })
    };
    let first = scene.before.iter().find(is_work)?;
    let line = now(&first.path)
        .and_then(|file| changed_lines(first.text.as_deref(), &file.text).first().copied());
    let others = scene.before.iter().filter(|before| now(&before.path).is_some());
    let changes: Vec<Change> = others
        .map(|before| Change { path: before.path.clone(), text: before.text.clone() })
        .collect();
    Some(Play {
        lie: Lie::RevertsCode,
        what: format!("what the last commit did to {} source files is undone", changes.len()),
        path: first.path.clone(),
        line,
        hides_in: Vec::new(),
        changes,
    })
}

/// Puts one rough break after every few small ones.
fn woven(mutations: Vec<Play>, rough: Vec<Play>) -> Vec<Play> {
    let mut rough = rough.into_iter();
    let mut all = Vec::new();
    for (at, mutation) in mutations.into_iter().enumerate() {
        all.push(mutation);
        if (at + 1) % MUTATIONS_EACH == 0 {
            all.extend(rough.next());
        }
    }
    all.extend(rough);
    all
}
