//! A line of a file, by which someone shows what they say: `src/lamp.rs:12`.
//!
//! Reading finds what is meant to be such a place; only whoever has the files can tell whether it is there.

use serde_json::Value;

/// The most places that are read from one text or value.
pub const PLACES_MAX: usize = 200;

/// The longest path that is read.
const PATH_BYTES_MAX: usize = 512;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The path as it is written, without `./`.
    pub path: String,
    /// The line, from 1 on.
    pub line: u32,
}

/// The places that a text names: `src/lamp.rs:12`, `src/lamp.rs:12-20`, `src/lamp.rs#L12`.
pub fn places(text: &str) -> Vec<Place> {
    let is_around = |c: char| c.is_whitespace() || "`\"'()[]{}<>,;|*".contains(c);
    let mut found: Vec<Place> = text.split(is_around).filter_map(place).take(PLACES_MAX).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The places that the texts in a value name, wherever in it they stand.
pub fn places_in(value: &Value) -> Vec<Place> {
    let (mut found, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => found.extend(places(text)),
            Value::Array(values) => open.extend(values),
            Value::Object(fields) => open.extend(fields.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(PLACES_MAX);
    found
}

fn place(word: &str) -> Option<Place> {
    let marks = word.match_indices([':', '#']);
    let (path, line) = marks.map(|(at, mark)| (&word[..at], &word[at + mark.len()..])).find_map(
        |(path, rest)| {
            let rest = rest.strip_prefix('L').unwrap_or(rest);
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let line = rest[..digits].parse().ok().filter(|line: &u32| *line > 0)?;
            Some((path, line))
        },
    )?;
    let path = path.trim_start_matches("./");
    let is_path = !path.is_empty() && path.len() <= PATH_BYTES_MAX;
    is_path.then(|| Place { path: path.to_owned(), line })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> Vec<String> {
        places(text).into_iter().map(|place| format!("{} {}", place.path, place.line)).collect()
    }

    #[test]
    fn e7_a_file_and_a_line_of_it_are_read_however_they_are_written() {
        for (text, expected) in [
            ("src/lamp.rs:12 -- it turns", vec!["src/lamp.rs 12"]),
            (
                "see `./src/lamp.rs:12`, and (tests/lamp.rs:3-9).",
                vec!["src/lamp.rs 12", "tests/lamp.rs 3"],
            ),
            ("[lamp](src/lamp.rs#L12)", vec!["src/lamp.rs 12"]),
            ("Makefile:3: twice, Makefile:3", vec!["Makefile 3"]),
            ("src/lamp.rs:12:5", vec!["src/lamp.rs 12"]),
            ("src/lamp.rs, line 12", vec![]),
            ("src/lamp.rs:0", vec![]),
            ("src/lamp.rs:turn", vec![]),
            ("note: 3 of them", vec![]),
            (":12 a:99999999999", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn e7_every_text_gives_places(text in "(\\PC|[a-z./:#L0-9]){0,60}") {
            prop_assert!(places(&text).len() <= PLACES_MAX);
        }
    }
}
