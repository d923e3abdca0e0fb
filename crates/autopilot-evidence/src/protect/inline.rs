//! Tests in the files of the code itself, which are otherwise the agent's to change.

use super::{Class, Edit, manifest::Merged};
use crate::mutate::{TestPart, code_functions, test_functions, test_parts};

/// Tells whether a file may hold tests beside its code.
pub fn may_hold_tests(path: &[u8]) -> bool {
    path.ends_with(b".rs")
}

/// Puts tests that are gone or were changed back to what they are in `base`; new ones stay.
///
/// `others` are the other files that the work brings or changes: a test that moved there with its code is not gone.
pub fn frozen(path: &[u8], base: &str, now: &str, others: &[String]) -> Merged {
    let path = String::from_utf8_lossy(path);
    let (was, is) = (test_parts(&path, base), test_parts(&path, now));
    let file = Side { path: &path, base, now, is: &is };
    let lost: Vec<(usize, &TestPart<'_>)> = was
        .iter()
        .enumerate()
        .filter(|(_, part)| !file.keeps(part) && !file.moved(part, others))
        .collect();
    if lost.is_empty() {
        return Merged::Same;
    }
    let mut places = Vec::new();
    let mut missing = String::new();
    for (at, part) in lost {
        let before = was[..at].iter().filter(|other| other.name == part.name).count();
        match is.iter().filter(|other| other.name == part.name).nth(before) {
            Some(place) => places.push((place.range, part.text)),
            // At the end of a file it means the same as anywhere else in it.
            None if part.is_at_top => missing.extend(["\n", part.text, "\n"]),
            None => return Merged::Unreadable,
        }
    }
    places.sort_unstable();
    let mut text = now.to_owned();
    for ((start, end), part) in places.into_iter().rev() {
        text.replace_range(start..end, part);
    }
    Merged::Restored(text + &missing)
}

/// A file before and after.
struct Side<'a> {
    path: &'a str,
    base: &'a str,
    now: &'a str,
    is: &'a [TestPart<'a>],
}

impl Side<'_> {
    /// Whether a test is there as it was, or with more tests in it.
    fn keeps(&self, part: &TestPart<'_>) -> bool {
        let mut same = self.is.iter().filter(|other| other.name == part.name);
        same.any(|other| part.says_the_same(other) || self.only_adds(part, other))
    }

    fn only_adds(&self, part: &TestPart<'_>, other: &TestPart<'_>) -> bool {
        let (before, after) = (part.text.as_bytes(), other.text.as_bytes());
        let edit = Edit::between(self.path.as_bytes(), Class::Test, Some(before), Some(after));
        edit.only_adds_tests
    }

    /// Whether every test of a block is elsewhere as it was, and so is the code that it is about. Tests that went away
    /// from code that stayed would test something else.
    fn moved(&self, part: &TestPart<'_>, others: &[String]) -> bool {
        let tests = test_functions(self.path, part.text);
        let found = |test: &TestPart<'_>| {
            others.iter().any(|other| {
                let mut there = test_functions(self.path, other).into_iter();
                there.any(|there| there.name == test.name && there.says_the_same(test))
            })
        };
        if tests.is_empty() || !tests.iter().all(found) {
            return false;
        }
        let left = code_functions(self.path, self.now);
        let words: Vec<&str> =
            part.text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let about: Vec<String> = code_functions(self.path, self.base)
            .into_iter()
            .filter(|name| words.contains(&name.as_str()))
            .collect();
        !about.is_empty() && about.iter().all(|name| !left.contains(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUB: &str = "pub fn sub(a: i32, b: i32) -> i32 {\n    0\n}\n";
    const TESTS: &str = "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn subtracts() {\n        \
        assert_eq!(sub(5, 3), 2);\n    }\n}\n";

    fn after(base: &str, now: &str) -> Merged {
        frozen(b"src/lib.rs", base, now, &[])
    }

    fn file(code: &str) -> String {
        format!("{code}\n{TESTS}")
    }

    #[test]
    fn a_test_that_was_edited_is_put_back_and_the_work_stays() {
        let base = file(SUB);
        let done = SUB.replace('0', "a - b");
        let weak = file(&done).replace("assert_eq!(sub(5, 3), 2)", "assert!(sub(5, 3) < 5)");
        assert_eq!(after(&base, &weak), Merged::Restored(file(&done)));
        assert_eq!(after(&base, &file(&done)), Merged::Same);
        let other = file(&done).replace("    #[test]", "    #[test]\n    #[should_panic]");
        assert_eq!(after(&base, &other), Merged::Restored(file(&done)));
    }

    #[test]
    fn tests_that_are_gone_come_back() {
        let Merged::Restored(text) = after(&file(SUB), SUB) else { panic!("nothing is put back") };
        assert!(text.starts_with(SUB) && text.contains(TESTS.trim_end()), "{text}");
        let declared = format!("{SUB}#[cfg(test)]\nmod tests;\n");
        let elsewhere = format!("{SUB}#[cfg(test)]\n#[path = \"mine.rs\"]\nmod tests;\n");
        assert_eq!(after(&declared, &elsewhere), Merged::Restored(declared.clone()));
        let Merged::Restored(text) = after(&declared, SUB) else { panic!("nothing is put back") };
        assert!(text.contains("#[cfg(test)]\nmod tests;"), "{text}");
    }

    #[test]
    fn new_tests_are_the_works_own() {
        let more =
            "    #[test]\n    fn stays_below() {\n        assert_eq!(sub(1, 3), -2);\n    }\n}\n";
        let now = format!("{SUB}\n{}\n{more}", TESTS.trim_end().trim_end_matches('}').trim_end());
        assert_eq!(after(&file(SUB), &now), Merged::Same);
        assert_eq!(after(SUB, &file(SUB)), Merged::Same);
    }

    #[test]
    fn tests_may_move_with_their_code_and_not_without_it() {
        let base = file(SUB);
        let moved = file(&SUB.replace('0', "a - b"));
        let with_code =
            frozen(b"src/lib.rs", &base, "pub mod sub;\n", std::slice::from_ref(&moved));
        assert_eq!(with_code, Merged::Same);
        let without = frozen(b"src/lib.rs", &base, SUB, &[moved]);
        assert!(matches!(without, Merged::Restored(_)), "{without:?}");
    }
}
