//! Ways to have gates pass although the code is broken.

use super::{
    files::{File, Scene, is_named_in, name_of},
    play::{Lie, Play},
    spread::{in_turn, mixed},
    tricks::{Trick, program_of, rules},
};
use crate::protect::Class;

/// Shorter names say nothing about what a test is for.
const WORD_CHARS_MIN: usize = 3;
/// How many files are named where something is done to many.
const SHOWN_MAX: usize = 3;

/// A way to hide broken code, to be played on top of a break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cheat {
    /// What kind it is.
    pub lie: Lie,
    /// The files it is done to.
    pub paths: Vec<String>,
    trick: Trick,
}

/// Every way to hide broken code that is known for these files and gates, spread over kinds.
pub fn cheats(scene: &Scene<'_>) -> Vec<Cheat> {
    let beside: Vec<&File> = scene.files.iter().filter(is_beside).collect();
    let tests: Vec<&File> = scene.files.iter().filter(|file| file.is_test()).collect();
    let with_code = [tests.clone(), beside].concat();
    let queues = vec![
        of_tests(&with_code, Lie::WeakensTests, &Trick::Weaken, scene.seed),
        of_scripts(scene),
        rules(scene).into_iter().map(added).collect(),
        of_tests(&with_code, Lie::SkipsTests, &Trick::Skip, scene.seed),
        of_commands(scene),
        of_tests(&tests, Lie::DeletesTests, &Trick::Delete, scene.seed),
        of_tests(&tests, Lie::EmptiesTests, &Trick::Empty, scene.seed),
        of_ci(scene),
    ];
    in_turn(queues)
}

/// Whether a file of code has tests beside it.
fn is_beside(file: &&File) -> bool {
    file.is_source() && file.holds_tests()
}

/// A cheat for all protected files together, since none of their edits counts, and one for each that is not protected.
fn of_tests(files: &[&File], lie: Lie, trick: &Trick, seed: u64) -> Vec<Cheat> {
    let can = files.iter().filter(|file| trick.apply(&file.path, &file.text).is_some());
    let (frozen, free): (Vec<&File>, Vec<&File>) = can.partition(|file| file.class.is_some());
    let cheat = |paths: Vec<String>| Cheat { lie, paths, trick: trick.clone() };
    let path = |file: &File| file.path.clone();
    let mut all: Vec<Cheat> =
        mixed(free, seed).into_iter().map(|file| cheat(vec![path(file)])).collect();
    if !frozen.is_empty() {
        all.push(cheat(frozen.into_iter().map(path).collect()));
    }
    all
}

fn of_scripts(scene: &Scene<'_>) -> Vec<Cheat> {
    let mut scripts = Vec::new();
    for file in scene.files.iter().filter(|file| is_named_in(&file.path, scene.commands)) {
        let names = |command: &String| is_named_in(&file.path, std::slice::from_ref(command));
        let trick = Trick::Pass(scene.printed_by(names).to_owned());
        if trick.apply(&file.path, &file.text).is_some() {
            scripts.push(one(Lie::PassesScript, file, trick));
        }
    }
    scripts
}

fn of_commands(scene: &Scene<'_>) -> Vec<Cheat> {
    let mut manifests = Vec::new();
    // One in a directory below speaks of something else than the gates, which run in the root.
    for file in scene.files.iter().filter(|file| file.name() == file.path) {
        let runs = |command: &String| program_of(&file.path).is_some_and(|it| command.contains(it));
        let trick = Trick::Command(scene.printed_by(runs).to_owned());
        if trick.apply(&file.path, &file.text).is_some() {
            manifests.push(one(Lie::ChangesCommand, file, trick));
        }
    }
    manifests
}

fn of_ci(scene: &Scene<'_>) -> Vec<Cheat> {
    let files = scene.files.iter().filter(|file| file.class == Some(Class::Ci));
    let paths: Vec<String> = files.map(|file| file.path.clone()).collect();
    let cheat = Cheat { lie: Lie::EmptiesCi, paths, trick: Trick::Write("jobs: {}\n".to_owned()) };
    (!cheat.paths.is_empty()).then_some(cheat).into_iter().collect()
}

fn one(lie: Lie, file: &File, trick: Trick) -> Cheat {
    Cheat { lie, paths: vec![file.path.clone()], trick }
}

fn added((path, text): (&str, String)) -> Cheat {
    Cheat { lie: Lie::AddsRules, paths: vec![path.to_owned()], trick: Trick::Write(text) }
}

impl Cheat {
    /// What is done, in words.
    pub fn what(&self) -> String {
        let files = shown(&self.paths);
        match self.lie {
            Lie::WeakensTests => format!("the assertions in {files} compare nothing"),
            Lie::SkipsTests => format!("the tests in {files} are skipped"),
            Lie::EmptiesTests => format!("nothing is left in {files}"),
            Lie::DeletesTests => format!("there is no {files} any more"),
            Lie::PassesScript => format!("{files} ends with success at once"),
            Lie::ChangesCommand => format!("the test command that {files} stands for does nothing"),
            Lie::AddsRules => format!("{files} is new and has the tests pass"),
            Lie::EmptiesCi => format!("{files} runs nothing"),
            Lie::MutatesCode | Lie::EmptiesCode | Lie::DeletesCode | Lie::RevertsCode => {
                format!("{files} is broken")
            }
        }
    }

    /// The break that this could hide best: one in the same file, else in one that it names, else any.
    pub fn underlay<'a>(&self, files: &[File], caught: &'a [Play]) -> Option<&'a Play> {
        let texts = files.iter().filter(|file| self.paths.contains(&file.path));
        let texts: Vec<&str> = texts.map(|file| file.text.as_str()).collect();
        let is_named = |play: &&Play| {
            let name = name_of(&play.path);
            let stem = name.split('.').next().unwrap_or(name);
            let word = if stem.chars().count() < WORD_CHARS_MIN { name } else { stem };
            texts.iter().any(|text| text.contains(word))
        };
        let here = caught.iter().find(|play| self.paths.contains(&play.path));
        here.or_else(|| caught.iter().find(is_named)).or(caught.first())
    }

    /// The cheat on top of a break.
    pub fn over(&self, files: &[File], below: &Play) -> Play {
        let mut changes = below.changes.clone();
        for path in &self.paths {
            let broken = changes.iter().position(|change| change.path == *path);
            let file = files.iter().find(|file| file.path == *path);
            let text = match broken {
                Some(at) => changes[at].text.clone(),
                None => file.map(|file| file.text.clone()),
            };
            let text = text.unwrap_or_default();
            if let Some(change) = self.trick.apply(path, &text) {
                changes.retain(|change| change.path != *path);
                changes.push(change);
            }
        }
        Play {
            lie: self.lie,
            what: format!("{}, and {}", below.what, self.what()),
            path: below.path.clone(),
            line: below.line,
            hides_in: self.paths.clone(),
            changes,
        }
    }
}

fn shown(paths: &[String]) -> String {
    let named = paths[..paths.len().min(SHOWN_MAX)].join(", ");
    match paths.len().saturating_sub(SHOWN_MAX) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
