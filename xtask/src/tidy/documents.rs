//! Documents that are named somewhere exist, and so do the headings that links lead to.

use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

use super::files::Source;

/// Documents in the root that only this project can mean; a `README.md` may be anybody's. The one that is not
/// there is put together so that this file does not name it.
const OURS: [&str; 4] =
    ["ARCHITECTURE.md", "STYLE.md", "CHANGELOG.md", concat!("CONTRIBUTING", ".md")];

/// A document that some line names.
#[derive(Debug, PartialEq, Eq)]
struct Named<'a> {
    line: usize,
    /// As it is written, with its anchor.
    written: &'a str,
    /// The document, from the root.
    path: PathBuf,
    anchor: Option<&'a str>,
}

/// Names of documents, and of headings in them, that do not exist.
pub(crate) fn missing(files: &[Source]) -> Vec<String> {
    let documents: BTreeMap<&Path, &str> = files
        .iter()
        .filter(|file| is_markdown(&file.path))
        .map(|file| (file.path.as_path(), file.text.as_str()))
        .collect();
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| speaks_of_us(&file.path)) {
        for named in named_in(file) {
            let lacking = match (documents.get(named.path.as_path()), named.anchor) {
                (None, _) => "there is no such document",
                (Some(text), Some(anchor))
                    if !anchors(text).iter().any(|known| known == anchor) =>
                {
                    "the document has no such heading"
                }
                (Some(_), _) => continue,
            };
            let place = format!("{}:{}", file.path.display(), named.line);
            let told = format!("{place}: `{}`: {lacking}", named.written);
            // A link to a path below `docs/` names it in both ways.
            if !wrong.contains(&told) {
                wrong.push(told);
            }
        }
    }
    wrong
}

/// Tells whether the documents that a file names are meant to be ours. Samples, seeds, prompts and tests
/// speak of projects that do not exist.
fn speaks_of_us(path: &Path) -> bool {
    let is_sample = path.components().any(|part| {
        ["tests", "fuzz", "prompts", "demo", "autopilot-testkit"]
            .iter()
            .any(|name| part.as_os_str() == *name)
    });
    let is_test = path.file_name().is_some_and(|name| name == "tests.rs");
    let is_read = path.extension().is_some_and(|end| end == "rs" || end == "md" || end == "toml");
    is_read && !is_sample && !is_test
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

fn named_in(file: &Source) -> Vec<Named<'_>> {
    let mut all = Vec::new();
    for (at, line) in without_tests(file).lines().enumerate() {
        all.extend(mentions(line).map(|written| from_root(at + 1, written)));
        if is_markdown(&file.path) {
            all.extend(links(line).map(|written| from_file(&file.path, at + 1, written)));
        }
    }
    all
}

/// The text of a source file up to its tests.
fn without_tests(file: &Source) -> &str {
    let end = if file.is_rust() { file.text.find("#[cfg(test)]\nmod tests {") } else { None };
    &file.text[..end.unwrap_or(file.text.len())]
}

/// Paths below `docs/`, and the documents of the root, wherever a line names them.
fn mentions(line: &str) -> impl Iterator<Item = &str> {
    let ends = line.match_indices(".md").map(|(at, end)| at + end.len());
    ends.filter_map(|end| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        let start = line[..end]
            .rfind(|c| !is_part(c))
            .map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
        let after = &line[end..];
        let is_whole = !after.starts_with(|c: char| c.is_ascii_alphanumeric());
        let anchor = after.strip_prefix('#').map_or(0, |anchor| 1 + anchor_length(anchor));
        let path = &line[start..end];
        let ours = path.starts_with("docs/") || OURS.contains(&path);
        (ours && is_whole).then(|| &line[start..end + anchor])
    })
}

fn anchor_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(text.len())
}

/// The targets of the links of a line that lead to documents or headings of the project.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("](").filter_map(|(at, opening)| {
        let target = line[at + opening.len()..].split([')', ' ']).next()?;
        let path = target.split('#').next()?;
        let is_inside = target.starts_with('#') || (path.ends_with(".md") && !path.contains("://"));
        is_inside.then_some(target)
    })
}

fn from_root(line: usize, written: &str) -> Named<'_> {
    from_file(Path::new(""), line, written)
}

fn from_file<'a>(file: &Path, line: usize, written: &'a str) -> Named<'a> {
    let (path, anchor) = match written.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (written, None),
    };
    let path = match path {
        "" => file.to_owned(),
        path => resolved(&file.parent().unwrap_or(Path::new("")).join(path)),
    };
    Named { line, written, path, anchor }
}

/// A path without `.` and `..`.
fn resolved(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::Normal(name) => plain.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    plain
}

/// The anchors of a document's headings, as they are made where it is shown.
fn anchors(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        let title = line.trim_start_matches('#');
        if is_code || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let plain = anchor_of(title);
        let again = all.iter().filter(|known| **known == plain).count();
        all.push(if again == 0 { plain } else { format!("{plain}-{again}") });
    }
    all
}

fn anchor_of(title: &str) -> String {
    title
        .trim()
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: PathBuf::from(path), text: text.to_owned() }
    }

    fn project(path: &str, text: &str) -> Vec<String> {
        missing(&[
            source("docs/files.md", "# Files\n\n## What `land` does\n\n```\n# No heading\n```\n"),
            source("docs/design/journal.md", "# Journal\n"),
            source("ARCHITECTURE.md", "# Architecture\n"),
            source(path, text),
        ])
    }

    #[test]
    fn documents_that_exist_may_be_named() {
        for (path, text) in [
            ("src/a.rs", "//! See `docs/files.md`, docs/design/journal.md and ARCHITECTURE.md.\n"),
            ("src/a.rs", "let hint = \"see docs/files.md#what-land-does\";\n"),
            ("README.md", "[files](docs/files.md), [land](docs/files.md#what-land-does)\n"),
            (
                "docs/other.md",
                "[up](../ARCHITECTURE.md) [here](#mine) [there](design/journal.md)\n# Mine\n",
            ),
            ("docs/other.md", "[elsewhere](https://example.org/docs/gone.md) and [code](x.rs)\n"),
            ("src/a.rs", "fs::read(root.join(\"my/docs/gone.md\"))\n"),
            ("tests/a.rs", "write(\"docs/gone.md\")\n"),
            ("src/a.rs", "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    // docs/gone.md\n}\n"),
        ] {
            assert_eq!(project(path, text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn documents_and_headings_that_do_not_exist_are_told_with_their_line() {
        for (path, text, what) in [
            ("src/a.rs", "\n//! See `docs/gone.md`.\n", "src/a.rs:2: `docs/gone.md`: there is no"),
            ("src/a.toml", "# see docs/design/gone.md\n", "src/a.toml:1: `docs/design/gone.md`"),
            ("src/a.rs", "// STYLE.md says so\n", "src/a.rs:1: `STYLE.md`: there is no"),
            (
                "src/a.rs",
                "\"docs/files.md#gone\"",
                "src/a.rs:1: `docs/files.md#gone`: the document",
            ),
            ("docs/a.md", "[x](files.md#no-heading)\n", "docs/a.md:1: `files.md#no-heading`: the"),
            ("docs/a.md", "[x](docs.md)\n", "docs/a.md:1: `docs.md`: there is no"),
            ("README.md", "[x](docs/gone.md)\n", "README.md:1: `docs/gone.md`: there is no"),
            ("docs/a.md", "[x](#gone)\n", "docs/a.md:1: `#gone`: the document has no"),
        ] {
            let wrong = project(path, text);
            assert!(wrong.len() == 1 && wrong[0].starts_with(what), "{text}: {wrong:?}");
        }
    }

    #[test]
    fn headings_with_one_text_are_told_apart() {
        assert_eq!(anchors("# A b\n## A b\n#tag\n## `c`: d_e!\n"), ["a-b", "a-b-1", "c-d_e"]);
    }
}
