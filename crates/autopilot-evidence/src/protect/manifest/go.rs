//! `go.mod` and `go.work`.

use super::Merged;

/// A directive and what stands behind it, without comments and blocks.
type Directive = (String, Vec<String>);

/// The file with the modules that were there in the directories that they were in; new ones may lie anywhere.
pub(super) fn frozen(base: &str, now: &str) -> Merged {
    let (old, new) = (directives(base), directives(now));
    let known: Vec<&String> = old
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "require" | "replace"))
        .filter_map(|(_, words)| words.first())
        .collect();
    let is_kept = |one: &&Directive| {
        let (name, words) = *one;
        let is_new = name == "replace"
            && !old.contains(one)
            && words.first().is_some_and(|module| known.contains(&module));
        // What was fetched may be fetched from elsewhere; it does not become a directory of the project.
        !(is_new && (is_local(words) || was_replaced(&old, words)))
    };
    let decides = |one: &&Directive| matches!(one.0.as_str(), "replace" | "use");
    let lost = old.iter().filter(decides).filter(|one| !new.contains(one));
    let kept = new.iter().filter(is_kept);
    let added: Vec<&Directive> = lost.collect();
    if added.is_empty() && kept.clone().count() == new.len() {
        return Merged::Same;
    }
    let all = kept.chain(added);
    Merged::Restored(all.map(|(name, words)| format!("{name} {}\n", words.join(" "))).collect())
}

/// Tells whether a module needs another one.
pub(super) fn requires(text: &str) -> bool {
    directives(text).iter().any(|(name, _)| matches!(name.as_str(), "require" | "replace"))
}

fn was_replaced(old: &[Directive], words: &[String]) -> bool {
    old.iter().any(|(name, known)| name == "replace" && known.first() == words.first())
}

/// Tells whether a replacement is a directory.
fn is_local(words: &[String]) -> bool {
    let to = words.iter().skip_while(|word| *word != "=>").nth(1);
    to.is_some_and(|to| to.trim_start_matches(['"', '`']).starts_with(['.', '/']))
}

/// The directives of a file, those of a block one by one.
fn directives(text: &str) -> Vec<Directive> {
    let mut found = Vec::new();
    let mut block: Option<String> = None;
    for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
        // Of an address `//` is no part in these files.
        let line = line.split("//").next().unwrap_or_default();
        let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match (&block, words.as_slice()) {
            (_, []) => {}
            (Some(_), [close]) if close == ")" => block = None,
            (Some(name), _) => found.push((name.clone(), words)),
            (None, [name, open]) if open == "(" => block = Some(name.clone()),
            (None, [name, ..]) if name.ends_with('(') => {
                block = Some(name.trim_end_matches('(').to_owned());
            }
            (None, _) => {
                let name = words.remove(0);
                found.push((name, words));
            }
        }
    }
    found
}
