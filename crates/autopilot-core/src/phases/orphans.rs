//! New files that nothing refers to: they leave a task unfinished, unless whoever made them says why nothing must.

use crate::{
    input::Work,
    phases::{PhaseFact, turn::Turn},
    returns::{Return, Standalone},
};

/// Takes the word of whoever worked on the new files that nothing refers to, and gives the work with those that nobody
/// has spoken for.
pub(super) fn take(turn: &mut Turn<'_>, word: &Return, work: &Work) -> Work {
    let is_new = |one: &&Standalone| {
        let before = &turn.now.log.justified;
        is_for(one, &work.orphans) && !before.iter().any(|before| before.file == one.file)
    };
    let files: Vec<Standalone> = word.standalone().iter().filter(is_new).cloned().collect();
    let known = turn.now.log.justified.iter().chain(&files);
    let spoken_for: Vec<&str> = known.map(|one| one.file.as_str()).collect();
    let left = |path: &&String| !spoken_for.contains(&path.as_str());
    let orphans = work.orphans.iter().filter(left).cloned().collect();
    if !files.is_empty() {
        turn.note(PhaseFact::Justified { files });
    }
    Work { orphans, ..work.clone() }
}

/// What stands against a work that brings files which nothing refers to.
pub(super) fn objections(work: &Work) -> Vec<String> {
    let text = |path: &String| {
        format!(
            "nothing refers to the new file `{path}`: use it where it belongs, or say in `standalone` of your return why \
             nothing must"
        )
    };
    work.orphans.iter().map(text).collect()
}

/// Whether a word is about a file that really is one of these, and says something.
fn is_for(one: &Standalone, orphans: &[String]) -> bool {
    orphans.contains(&one.file) && !one.justification.trim().is_empty()
}
