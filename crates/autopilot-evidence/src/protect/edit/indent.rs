//! Additions to tests in languages whose blocks are told by how far they are indented.

use super::{
    items::{self, Item, Place},
    judge::{Added, INHERITS},
    language::Language,
    lexer::Text,
    words,
};

/// For each line, the line that it belongs to: the last one before it that is indented less.
pub(super) fn parents(text: &Text<'_>) -> Vec<Option<usize>> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut parents = vec![None; text.lines.len()];
    for (at, line) in text.lines.iter().enumerate() {
        if !begins(text, at) {
            continue;
        }
        let indent = line.indent();
        while open.last().is_some_and(|(_, wide)| *wide >= indent) {
            open.pop();
        }
        parents[at] = open.last().map(|(opener, _)| *opener);
        open.push((at, indent));
    }
    parents
}

/// Tells whether a line begins a statement.
fn begins(text: &Text<'_>, at: usize) -> bool {
    let line = &text.lines[at];
    let continues = at > 0 && text.lines[at - 1].raw.ends_with('\\');
    line.is_neutral && line.depth == 0 && !continues && !line.code.trim().is_empty()
}

/// The whole things that a piece of a file adds, or why it is not made of such.
pub(super) fn items(added: &Added<'_, '_>) -> Result<Vec<Item>, String> {
    let (lines, range) = (&added.text.lines, added.range.clone());
    if lines[range.clone()].iter().all(|line| line.raw.trim().is_empty() && line.is_neutral) {
        return Ok(Vec::new());
    }
    let is_whole = |at: usize| match lines.get(at) {
        Some(line) => line.is_neutral && line.depth == 0 && !lines[at - 1].raw.ends_with('\\'),
        None => true,
    };
    if !(range.start == 0 || is_whole(range.start)) || !is_whole(range.end) {
        return Err("is not whole: it begins or ends inside of something".to_owned());
    }
    let starts: Vec<usize> = range.clone().filter(|at| begins(added.text, *at)).collect();
    let least = starts.iter().map(|at| lines[*at].indent()).min();
    let next = added.code_after(range.end);
    if let (Some(least), Some(next)) = (least, next) {
        if lines[next].indent() > least {
            return Err("takes over the body of something that was there".to_owned());
        }
        let first = words::names(&lines[next].code).next().unwrap_or_default();
        if matches!(first, "else" | "elif" | "except" | "finally" | "rescue" | "ensure" | "when") {
            return Err("stands between two parts of something that was there".to_owned());
        }
    }
    if let Some(before) = added.code_before(range.start)
        && lines[before].code.trim().starts_with('@')
        && added.language == Language::Python
    {
        return Err("stands between a decorator and what it is for".to_owned());
    }
    if added.language == Language::Ruby { ruby(added, &starts) } else { python(added, &starts) }
}

/// The place of a line that does not belong to another added one; `None` where it does.
fn place(added: &Added<'_, '_>, at: usize) -> Result<Option<Place>, String> {
    let Some(parent) = added.parents[at] else {
        return Ok(Some(Place::File));
    };
    if added.range.contains(&parent) {
        return Ok(None);
    }
    let code = added.text.lines[parent].code.trim();
    let first = code.split([' ', '(']).next().unwrap_or_default();
    match (added.language, first) {
        (language, "class") if items::inherits_tests(language, code) => Err(INHERITS.to_owned()),
        (Language::Python | Language::Ruby, "class") => Ok(Some(Place::Class)),
        (Language::Ruby, "module") => Ok(Some(Place::File)),
        (Language::Ruby, "describe" | "context" | "RSpec.describe" | "feature") => {
            Ok(Some(Place::Suite))
        }
        _ => Err("is inside of a test or function that was there".to_owned()),
    }
}

fn python(added: &Added<'_, '_>, starts: &[usize]) -> Result<Vec<Item>, String> {
    let lines = &added.text.lines;
    let mut found = Vec::new();
    let mut decorated: Option<usize> = None;
    for (nth, at) in starts.iter().enumerate() {
        let Some(place) = place(added, *at)? else {
            continue;
        };
        let end = starts.get(nth + 1).copied().unwrap_or(added.range.end);
        let code: Vec<&str> = lines[*at..end].iter().map(|line| line.code.trim()).collect();
        let item = items::python(&code.join(" ").replace('\\', " "))?;
        let indent = lines[*at].indent();
        match (&item, decorated) {
            (None, _) => decorated = Some(indent),
            (Some(Item::Import(_)), Some(_)) => return Err("leaves a decorator alone".to_owned()),
            (Some(_), Some(wide)) if wide != indent => {
                return Err("leaves a decorator alone".to_owned());
            }
            (Some(_), _) => decorated = None,
        }
        if let Some(item) = item {
            let is_test = match &item {
                Item::Group(names) => names.iter().all(|name| name.starts_with("Test")),
                Item::Test(_) => true,
                Item::Helper(_) | Item::Import(_) => false,
            };
            if place == Place::Class && !is_test {
                return Err("adds something other than a test to a class that was there".to_owned());
            }
            items::fits(&item, place)?;
            found.push(item);
        }
    }
    match decorated {
        Some(_) => Err("puts a decorator above something that was there".to_owned()),
        None => Ok(found),
    }
}

fn ruby(added: &Added<'_, '_>, starts: &[usize]) -> Result<Vec<Item>, String> {
    let lines = &added.text.lines;
    let mut found = Vec::new();
    // How many blocks of the current item are open; its own `end` makes it none.
    let mut open = 0_i64;
    for at in starts {
        let code = lines[*at].code.trim();
        let place = place(added, *at)?;
        match (place, open) {
            (None, 0) => return Err("does not belong to the block above it".to_owned()),
            (None, _) => {}
            (Some(_), 1..) if code == "end" => {}
            (Some(_), 1..) => return Err("is not indented as its blocks are".to_owned()),
            (Some(place), _) => {
                let item = ruby_item(code)?;
                items::fits(&item, place)?;
                found.push(item);
            }
        }
        open += ruby_blocks(code);
        if open < 0 || (open == 0 && place.is_none()) {
            return Err("ends a block that it does not begin".to_owned());
        }
    }
    if open == 0 { Ok(found) } else { Err("does not end what it begins".to_owned()) }
}

fn ruby_item(code: &str) -> Result<Item, String> {
    let first = code.split([' ', '(', '{']).next().unwrap_or_default();
    let second = words::names(code).nth(1).unwrap_or_default();
    let is_single = !code.contains(';');
    match first {
        "it" | "specify" | "test" | "example" | "scenario" if is_single => {
            Ok(Item::Test(Vec::new()))
        }
        "describe" | "context" | "RSpec.describe" | "feature" if is_single => {
            Ok(Item::Group(Vec::new()))
        }
        "def" if second.starts_with("test_") && is_single => {
            Ok(Item::Test(vec![second.to_owned()]))
        }
        "class" if is_single && !code.contains("<<") => Ok(Item::Group(vec![second.to_owned()])),
        "require" | "require_relative" if is_single => Ok(Item::Import(Vec::new())),
        _ => Err(format!("adds something that is no test: `{code}`")),
    }
}

/// How many more blocks a line begins than it ends.
fn ruby_blocks(code: &str) -> i64 {
    let mut blocks = 0;
    let mut is_loop = false;
    let mut from = 0;
    for word in words::names(code) {
        let at = code[from..].find(word).map_or(from, |found| from + found);
        let (before, after) = (&code[..at], &code[at + word.len()..]);
        from = at + word.len();
        if before.ends_with(['.', ':', '@', '$']) || after.starts_with([':', '?', '!']) {
            continue;
        }
        let begins_line = before.trim().is_empty() || before.trim_end().ends_with(['=', ';', '(']);
        match word {
            "while" | "until" | "for" if begins_line => {
                is_loop = true;
                blocks += 1;
            }
            "if" | "unless" if begins_line => blocks += 1,
            "do" if !is_loop => blocks += 1,
            "def" | "class" | "module" | "begin" | "case" => blocks += 1,
            "end" => blocks -= 1,
            _ => {}
        }
    }
    blocks
}
