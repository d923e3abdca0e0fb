//! Imports that bring more names than they did: `from shop import total` becomes `from shop import tax, total`.

use std::collections::BTreeMap;

use super::{items::Item, language::Language, words};

/// A base in which imports are as they are now, where they only bring more names; and what they bring.
pub(super) struct Widened<'a> {
    pub(super) lines: Vec<&'a [u8]>,
    pub(super) brought: Vec<Item>,
    /// The lines as they are now.
    pub(super) changed: Vec<&'a str>,
}

/// Takes wider imports for imports that were there.
pub(super) fn imports<'a>(language: Language, base: &[&'a [u8]], now: &[&'a [u8]]) -> Widened<'a> {
    let mut widened = Widened { lines: base.to_vec(), brought: Vec::new(), changed: Vec::new() };
    let mut counts: BTreeMap<&[u8], i64> = BTreeMap::new();
    now.iter().for_each(|line| *counts.entry(line).or_default() += 1);
    base.iter().for_each(|line| *counts.entry(line).or_default() -= 1);
    let is_import =
        |line: &&&[u8]| str::from_utf8(line).is_ok_and(|line| import(language, line).is_some());
    let mut new: Vec<&'a [u8]> = now
        .iter()
        .filter(|line| counts.get(**line).is_some_and(|count| *count > 0))
        .filter(is_import)
        .copied()
        .collect();
    for line in &mut widened.lines {
        if counts.get(*line).is_none_or(|count| *count >= 0) || new.is_empty() {
            continue;
        }
        let wider = |candidate: &&'a [u8]| brings_more(language, line, candidate).is_some();
        let Some(at) = new.iter().position(wider) else { continue };
        let candidate = new.remove(at);
        let names = brings_more(language, line, candidate).unwrap_or_default();
        widened.brought.push(Item::Import(names));
        widened.changed.extend(str::from_utf8(candidate));
        *line = candidate;
    }
    widened
}

/// The names that an import brings beyond those of another; `None` where it is not the same with more.
fn brings_more(language: Language, old: &[u8], new: &[u8]) -> Option<Vec<String>> {
    let (old, new) = (str::from_utf8(old).ok()?, str::from_utf8(new).ok()?);
    let (old, new) = (import(language, old)?, import(language, new)?);
    let keeps_all = old.names.iter().all(|name| new.names.contains(name));
    let is_same = (old.from, old.to) == (new.from, new.to) && keeps_all;
    is_same.then(|| {
        new.names
            .iter()
            .filter(|name| !old.names.contains(name))
            .map(|name| (*name).to_owned())
            .collect()
    })
}

/// An import on one line: what stands before its names, the names, and what comes after them.
struct Import<'a> {
    from: &'a str,
    names: Vec<&'a str>,
    to: &'a str,
}

fn import(language: Language, line: &str) -> Option<Import<'_>> {
    let line = line.trim_end_matches(['\r', '\n']);
    let (from, list, to) = match language {
        Language::Python => {
            let at =
                line.strip_prefix("from ")?.find(" import ")? + "from ".len() + " import ".len();
            (&line[..at], &line[at..], "")
        }
        Language::JavaScript => {
            let opened = line.find('{')?;
            let closed = line.rfind('}')?;
            let (from, to) = (line[..opened].trim(), line.get(closed + 1..)?.trim());
            let is_require =
                to.starts_with("= require(") && matches!(from, "const" | "let" | "var");
            let is_import = to.starts_with("from ") && matches!(from, "import" | "import type");
            (is_require || is_import).then_some((from, line.get(opened + 1..closed)?, to))?
        }
        Language::Rust => {
            let path = line.strip_prefix("use ")?.strip_suffix(';')?;
            match path.split_once('{') {
                Some((from, list)) => (from, list.strip_suffix('}')?, ""),
                None => {
                    let at = path.rfind("::")? + "::".len();
                    (&path[..at], &path[at..], "")
                }
            }
        }
        Language::Go
        | Language::Java
        | Language::Kotlin
        | Language::CSharp
        | Language::Php
        | Language::Ruby
        | Language::Shell
        | Language::Other
        | Language::Data => return None,
    };
    let names: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    // Names under another name, and all names at once, are for a person to see.
    let plain = names.iter().all(|name| words::names(name).eq([*name]));
    (plain && !names.is_empty()).then_some(Import { from, names, to })
}
