//! Places in files that a text names, such as `src/main.rs:12`.

/// More places than these are not looked at.
const PLACES_MAX: usize = 200;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, below the project's root.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.path, self.line)
    }
}

/// The places that a text names, each once. Whether they are there is for others to see.
pub fn places(text: &str) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    let words = text.split(|c: char| c.is_whitespace() || "`\"'(),;|<>[]{}".contains(c));
    for place in words.filter_map(place) {
        if !found.contains(&place) {
            found.push(place);
        }
        if found.len() == PLACES_MAX {
            break;
        }
    }
    found
}

/// `path:3`, `path:3:14`, `path:3-9`, `path:L3` or `path#L3`.
fn place(word: &str) -> Option<Place> {
    let (path, rest) = word.split_once(':').or_else(|| word.split_once('#'))?;
    let rest = rest.trim_start_matches(['L', 'l']);
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let line = digits.parse().ok().filter(|line| *line > 0)?;
    let path = path.trim_start_matches("./");
    let is_file = path.contains(['.', '/']) && path.chars().any(char::is_alphanumeric);
    // Whoever looks must not be led out of the project.
    let is_inside = !path.starts_with(['/', '~']) && path.split('/').all(|part| part != "..");
    (is_file && is_inside).then(|| Place { path: path.to_owned(), line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_however_they_are_written() {
        let rows = [
            ("src/main.rs:12 -- it greets", Some(("src/main.rs", 12))),
            ("see `./a.py:3:14`.", Some(("a.py", 3))),
            ("(lib/x.ts:40-52)", Some(("lib/x.ts", 40))),
            ("docs/a.md#L7", Some(("docs/a.md", 7))),
            ("Makefile:3", None),
            ("bin/tool:L9,", Some(("bin/tool", 9))),
            ("a.rs:0", None),
            ("at 12:30 o'clock", None),
            ("http://host:80/x", None),
            ("../secret.txt:1", None),
            ("/etc/passwd.txt:1", None),
            ("a.rs:99999999999999", None),
        ];
        for (text, expected) in rows {
            let found = places(text).into_iter().next();
            let found = found.as_ref().map(|place| (place.path.as_str(), place.line));
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(places("a.rs:1 a.rs:1 a.rs:2").len(), 2);
    }
}
