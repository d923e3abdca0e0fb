//! `cargo xtask tidy`: the house rules that a machine can check.

mod crates;
mod documents;
mod features;
mod files;
mod modules;
mod words;

use crate::{
    docs,
    shell::{Outcome, say},
};

/// Checks every rule and tells everything that is wrong, not only the first thing.
pub(crate) fn run() -> Outcome {
    let files = files::tracked()?;
    let mut wrong = Vec::new();
    wrong.extend(files::over_budget(&files));
    wrong.extend(crates::arrows()?);
    wrong.extend(crates::purity()?);
    wrong.extend(modules::dead(&files));
    wrong.extend(modules::undocumented(&files));
    wrong.extend(words::forbidden(&files));
    wrong.extend(documents::missing(&files));
    wrong.extend(features::untested(&files));
    if let Err(why) = docs::check() {
        wrong.push(why);
    }
    if wrong.is_empty() {
        say(&format!("tidy: {} files, nothing to say\n", files.len()))
    } else {
        Err(format!("tidy found:\n  {}", wrong.join("\n  ")))
    }
}
