//! Whether an edit only adds whole tests.

use std::{collections::BTreeSet, ops::Range};

use super::{
    bend, brackets, diff, indent,
    items::Item,
    language::Language,
    lexer::{self, Text},
    widen::{self, Widened},
    words,
};
use crate::protect::hooks;

/// How many lines an addition is moved up to find where it is whole.
const SLIDES_MAX: usize = 16;

/// Why nothing is added to a class with a parent.
pub(super) const INHERITS: &str =
    "adds to a class that inherits from another, so it could take the place of a test";

/// A piece of a file that was added.
pub(super) struct Added<'t, 'x> {
    pub(super) language: Language,
    pub(super) text: &'t Text<'x>,
    pub(super) range: Range<usize>,
    /// For each line, the line that it belongs to by its indentation.
    pub(super) parents: &'t [Option<usize>],
    /// For each line, the last line of code before it.
    before: &'t [Option<usize>],
    /// For each line, the first line of code from it on.
    after: &'t [Option<usize>],
}

impl Added<'_, '_> {
    /// The last line of code before a line.
    pub(super) fn code_before(&self, at: usize) -> Option<usize> {
        self.before.get(at).copied().flatten()
    }

    /// The first line of code from a line on.
    pub(super) fn code_after(&self, at: usize) -> Option<usize> {
        self.after.get(at).copied().flatten()
    }
}

/// Checks that an edit of a test file only adds whole tests; else says why it does not.
///
/// Nothing that was there is removed or changed, each addition is made of whole definitions and stands where
/// definitions stand, and nothing in it skips, focuses, ends the run, bends what others use, or defines a name
/// that the file uses. What cannot be told is refused.
pub(super) fn only_adds(path: &[u8], base: &[u8], now: &[u8]) -> Result<(), String> {
    let language = Language::of(path);
    if hooks::is_hook(path) {
        return Err("the file holds no tests but what runs around them".to_owned());
    }
    if language == Language::Data {
        return Err("the file is something that tests look at, not a test".to_owned());
    }
    let (Ok(base), Ok(now)) = (str::from_utf8(base), str::from_utf8(now)) else {
        return Err("the file is not UTF-8".to_owned());
    };
    let now_lines = diff::lines(now.as_bytes());
    let Widened { lines: base_lines, brought, changed } =
        widen::imports(language, &diff::lines(base.as_bytes()), &now_lines);
    let hunks = additions(&base_lines, &now_lines)?;
    let text = lexer::lex(now, &language.syntax());
    let added = hunks.iter().flat_map(|range| &text.lines[range.clone()]);
    let wider = text.lines.iter().filter(|line| changed.contains(&line.raw.trim_end_matches('\r')));
    for line in added.clone().chain(wider) {
        words_are_clean(language, line)?;
    }
    let codes: Vec<&str> = added.map(|line| line.code.as_str()).collect();
    if let Some(what) = bend::changed(language, &codes) {
        return Err(format!("changes `{what}`, which other tests can see"));
    }
    if language == Language::Other {
        let at_end = hunks.iter().all(|range| range.start == base_lines.len());
        return if at_end { Ok(()) } else { Err("adds in the middle of the file".to_owned()) };
    }
    if let Some(line) = text.doubt.or_else(|| here_document(language, &text)) {
        return Err(format!("line {line} cannot be read with certainty"));
    }
    let mut found = items(language, &text, &now_lines, &hunks)?;
    found.extend(brought);
    new_names(base, &found)
}

/// The pieces that were added, each as far down as it can be; an error where a line is gone.
fn additions(base: &[&[u8]], now: &[&[u8]]) -> Result<Vec<Range<usize>>, String> {
    let mut hunks: Vec<Range<usize>> = Vec::new();
    let mut rest = base.iter().peekable();
    for (at, line) in now.iter().enumerate() {
        if rest.next_if(|wanted| *wanted == line).is_some() {
            continue;
        }
        match hunks.last_mut() {
            Some(hunk) if hunk.end == at => hunk.end = at + 1,
            _ => hunks.push(at..at + 1),
        }
    }
    match rest.len() {
        0 => Ok(hunks),
        left => {
            Err(format!("line {} or one before it was removed or changed", base.len() - left + 1))
        }
    }
}

/// Everything that was added.
fn items(
    language: Language,
    text: &Text<'_>,
    raw: &[&[u8]],
    hunks: &[Range<usize>],
) -> Result<Vec<Item>, String> {
    let count = text.lines.len();
    let is_code = |at: usize| !text.lines[at].is_silent();
    let (mut before, mut after) = (vec![None; count + 1], vec![None; count + 1]);
    for at in 0..count {
        before[at + 1] = if is_code(at) { Some(at) } else { before[at] };
    }
    for at in (0..count).rev() {
        after[at] = if is_code(at) { Some(at) } else { after[at + 1] };
    }
    let by_indent = matches!(language, Language::Python | Language::Ruby);
    let parents = if by_indent { indent::parents(text) } else { Vec::new() };
    if by_indent && has_mixed_indent(text) {
        return Err("the file is indented with spaces and tabs".to_owned());
    }
    let mut found = Vec::new();
    let mut floor = 0;
    for hunk in hunks {
        let mut first_error = None;
        let mut accepted = None;
        for range in slides(raw, hunk, floor) {
            let added =
                Added { language, text, range, parents: &parents, before: &before, after: &after };
            match if by_indent { indent::items(&added) } else { brackets::items(&added) } {
                Ok(items) => {
                    accepted = Some(items);
                    break;
                }
                Err(why) => first_error = first_error.or(Some(why)),
            }
        }
        let why = || first_error.unwrap_or_default();
        let items = accepted.ok_or_else(|| format!("line {} {}", hunk.start + 1, why()))?;
        found.extend(items);
        floor = hunk.end;
    }
    Ok(found)
}

/// The places where an addition can be said to be. Where the lines before it are its own last lines, it is as
/// true that it was added further up.
fn slides(lines: &[&[u8]], hunk: &Range<usize>, floor: usize) -> Vec<Range<usize>> {
    let mut places = vec![hunk.clone()];
    let mut range = hunk.clone();
    while places.len() <= SLIDES_MAX
        && range.start > floor
        && lines[range.start - 1] == lines[range.end - 1]
    {
        range = range.start - 1..range.end - 1;
        places.push(range.clone());
    }
    places
}

/// Checks the words of an added line.
fn words_are_clean(language: Language, line: &lexer::Line<'_>) -> Result<(), String> {
    if line.raw.chars().any(|c| c != '\t' && words::is_invisible(c)) {
        return Err("adds characters that cannot be seen".to_owned());
    }
    if !line.code.is_ascii() {
        return Err("adds names that are not ASCII, so they may look like others".to_owned());
    }
    if let Some(word) = words::directive(line.raw) {
        return Err(format!("adds `{word}`, which tools obey"));
    }
    let in_strings = words::has_code_in_strings(language, line.raw)
        .then(|| words::skips(language, line.raw))
        .flatten();
    match words::skips(language, &line.code).or(in_strings) {
        Some(word) => Err(format!("adds `{word}`, which can keep tests from running")),
        None => Ok(()),
    }
}

/// Texts within the text, which the lexer does not know; the line of the first, from 1.
fn here_document(language: Language, text: &Text<'_>) -> Option<usize> {
    let has = |line: &lexer::Line<'_>| match language {
        Language::Shell | Language::Php => line.code.contains("<<"),
        Language::Ruby => {
            line.raw.starts_with("=begin")
                || line.raw == "__END__"
                || line.code.split("<<").skip(1).any(|after| {
                    after.starts_with(|c: char| c.is_ascii_uppercase() || "\"'`~-".contains(c))
                })
        }
        Language::Rust
        | Language::Python
        | Language::JavaScript
        | Language::Go
        | Language::Java
        | Language::Kotlin
        | Language::CSharp
        | Language::Other
        | Language::Data => false,
    };
    text.lines.iter().position(has).map(|at| at + 1)
}

fn has_mixed_indent(text: &Text<'_>) -> bool {
    let starts = |c: char| text.lines.iter().any(|line| line.is_neutral && line.raw.starts_with(c));
    starts('\t') && (starts(' ') || text.lines.iter().any(|line| line.raw.starts_with("\t ")))
}

/// Checks that no added name is used in the file already: there it would mean something else from now on.
fn new_names(base: &str, items: &[Item]) -> Result<(), String> {
    let mut names = items.iter().flat_map(Item::names).peekable();
    if names.peek().is_none() {
        return Ok(());
    }
    let mut known: BTreeSet<&str> = words::names(base).collect();
    for name in names {
        if !known.insert(name) {
            return Err(format!("defines `{name}`, a name that the file uses already"));
        }
    }
    Ok(())
}
