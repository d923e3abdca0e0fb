//! What an edit of a protected file does.

mod bend;
mod brackets;
mod counts;
mod diff;
mod indent;
mod items;
mod judge;
mod language;
mod lexer;
mod widen;
mod words;

use counts::{Holds, missing};
use language::Language;
use serde::{Deserialize, Serialize};

use super::Class;

pub use diff::DIFF_BYTES_MAX;

/// An edit of a protected file, and what it does to the tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// The file, as people read it.
    pub path: String,
    /// What the file is for.
    pub class: Class,
    /// What happened to it.
    pub kind: Kind,
    /// It only adds whole tests, or moves them: nothing is removed or changed, nothing skips, no name is defined again.
    pub only_adds_tests: bool,
    /// Lines that assert something and are gone.
    pub assertions_removed: u32,
    /// Lines that assert something and were not there.
    pub assertions_added: u32,
    /// Lines that skip, ignore, focus or end tests and were not there.
    pub skips_added: u32,
    /// Tests that are gone, or are called otherwise.
    pub tests_removed: u32,
    /// Tests that were not there, or were called otherwise.
    pub tests_added: u32,
    /// Why the edit does more than add tests.
    pub why_not: Option<String>,
    /// A unified diff without its header, at most about [`DIFF_BYTES_MAX`] long.
    pub diff: String,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It was not there.
    Added,
    /// It was there and is there.
    Changed,
    /// It is gone.
    Removed,
    /// It lies in another directory and is as it was.
    Moved,
}

impl Edit {
    /// Looks at a file of tests that lies elsewhere now and is as it was.
    pub fn moved(path: &[u8], to: &[u8], text: &[u8]) -> Self {
        let gone = Self::between(path, Class::Test, Some(text), None);
        let diff = format!("moved to {}\n", String::from_utf8_lossy(to));
        let (tests_removed, assertions_removed) = (0, 0);
        let (kind, only_adds_tests, why_not) = (Kind::Moved, true, None);
        Self { kind, only_adds_tests, why_not, tests_removed, assertions_removed, diff, ..gone }
    }

    /// Looks at an edit of a file; `None` is a file that is not there.
    ///
    /// The counts are by lines, so that an assertion that moved is neither removed nor added, and one with
    /// another value is both. They are for a person to read; [`Edit::only_adds_tests`] does not rest on them.
    pub fn between(path: &[u8], class: Class, base: Option<&[u8]>, now: Option<&[u8]>) -> Self {
        let kind = match (base, now) {
            (None, _) => Kind::Added,
            (Some(_), Some(_)) => Kind::Changed,
            (Some(_), None) => Kind::Removed,
        };
        let (base, now) = (base.unwrap_or_default(), now.unwrap_or_default());
        let judged = match (class, kind) {
            (Class::Test, Kind::Added | Kind::Changed) => judge::only_adds(path, base, now),
            (Class::Test, Kind::Removed | Kind::Moved) => Err("the file is removed".to_owned()),
            (class, _) => Err(format!("the file is no test ({})", class.as_str())),
        };
        let language = Language::of(path);
        let (base_text, now_text) = (String::from_utf8_lossy(base), String::from_utf8_lossy(now));
        let syntax = language.syntax();
        let (base_text, now_text) =
            (lexer::lex(&base_text, &syntax), lexer::lex(&now_text, &syntax));
        let (had, has) = (Holds::of(language, &base_text), Holds::of(language, &now_text));
        Self {
            path: String::from_utf8_lossy(path).into_owned(),
            class,
            kind,
            only_adds_tests: judged.is_ok(),
            assertions_removed: missing(&had.assertions, &has.assertions),
            assertions_added: missing(&has.assertions, &had.assertions),
            skips_added: missing(&has.skips, &had.skips),
            tests_removed: missing(&had.tests, &has.tests),
            tests_added: missing(&has.tests, &had.tests),
            why_not: judged.err(),
            diff: diff::unified(base, now),
        }
    }

    /// Takes into account what kind of file it was and is: what cannot be started any more may be passed over.
    pub fn note_mode(&mut self, before: &str, now: &str) {
        // A test that can be started from now on is one more that runs.
        if before != now && (before, now) != ("100644", "100755") {
            let what = format!("its mode was {before} and is {now}");
            self.diff = format!("{what}\n{}", self.diff);
            self.only_adds_tests = false;
            self.why_not.get_or_insert(what);
        }
    }
}

#[cfg(test)]
mod tests;
