//! Words that do not belong into the project.

use super::files::Source;

/// A word, where it is looked for, and what to do instead. Each is put together so that this file does not hold it.
fn banned() -> Vec<(String, Place, &'static str)> {
    vec![
        (["to", "do!("].concat(), Place::Rust, "finish it or leave it out"),
        (["unimpl", "emented!("].concat(), Place::Rust, "finish it or leave it out"),
        (["FIX", "ME"].concat(), Place::Everywhere, "fix it, or file an issue"),
        (["#[al", "low("].concat(), Place::Rust, "use `#[expect(…, reason = \"…\")]`"),
        (["#[ig", "nore"].concat(), Place::Rust, "no test is skipped"),
        (["dbg", "!("].concat(), Place::Rust, "take it out"),
    ]
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Rust,
    Everywhere,
}

/// Lines with a word that does not belong there.
pub(crate) fn forbidden(files: &[Source]) -> Vec<String> {
    let banned = banned();
    let mut wrong = Vec::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            for (word, place, instead) in &banned {
                if line.contains(word.as_str()) && (*place == Place::Everywhere || file.is_rust()) {
                    wrong.push(format!(
                        "{}:{}: `{word}`: {instead}",
                        file.path.display(),
                        number + 1
                    ));
                }
            }
        }
    }
    wrong
}
