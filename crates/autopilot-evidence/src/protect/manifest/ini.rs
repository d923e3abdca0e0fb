//! Files of sections, as Python's `configparser` reads them.

use super::{Key, Merged};

/// A section with its lines, the line of its name included.
type Section<'a> = (&'a str, Vec<&'a str>);

pub(super) fn frozen(keys: &[Key], base: &str, now: &str) -> Merged {
    let (Some(base), Some(now)) = (sections(base), sections(now)) else {
        return Merged::Unreadable;
    };
    let (frozen_base, _): (Vec<_>, Vec<_>) = base.into_iter().partition(|one| is_frozen(keys, one));
    let (frozen_now, free): (Vec<_>, Vec<_>) =
        now.into_iter().partition(|one| is_frozen(keys, one));
    if content(&frozen_base) == content(&frozen_now) {
        return Merged::Same;
    }
    let lines = free.iter().chain(&frozen_base).flat_map(|(_, lines)| lines);
    Merged::Restored(lines.map(|line| format!("{line}\n")).collect())
}

/// The sections of a file; `None` where a setting stands before the first of them.
fn sections(text: &str) -> Option<Vec<Section<'_>>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut before: Vec<&str> = Vec::new();
    for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
        // What is indented belongs to the value above it, even if it looks like the name of a section.
        let name = line.strip_prefix('[').and_then(|rest| rest.rsplit_once(']'));
        match (name, sections.last_mut()) {
            (Some((name, _)), _) => {
                sections.push((name, std::mem::take(&mut before)));
                sections.last_mut()?.1.push(line);
            }
            (None, Some((_, lines))) => lines.push(line),
            (None, None) if is_silent(line) => before.push(line),
            (None, None) => return None,
        }
    }
    Some(sections)
}

/// What a tool sees of sections: neither comments nor blank lines, and no matter in which order they come.
fn content(sections: &[Section<'_>]) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<_> = sections
        .iter()
        .map(|(name, lines)| {
            let told = lines.iter().skip_while(|line| !line.starts_with('[')).skip(1);
            let told = told.filter(|line| !is_silent(line)).map(|line| line.trim_end().to_owned());
            ((*name).to_owned(), told.collect())
        })
        .collect();
    all.sort();
    all
}

fn is_silent(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with(['#', ';'])
}

fn is_frozen(keys: &[Key], (name, _): &Section<'_>) -> bool {
    keys.iter().any(|key| match key.path.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => *name == key.path,
    })
}
