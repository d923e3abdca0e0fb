//! Parts of manifests that decide a check, in files that are otherwise the agent's to change.

mod go;
mod ini;
mod json;
mod keys;
mod toml;
mod tree;

use tree::Tree;

use super::paths;

pub use keys::{How, Key, MANIFESTS, Manifest};

/// A manifest with its frozen parts as they were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merged {
    /// The frozen parts are as they were.
    Same,
    /// The manifest as it is now, with the frozen parts as they were. It means the same to its tools as the
    /// original; comments and layout may be lost.
    Restored(String),
    /// One of the two cannot be read, so the whole file has to be as it was.
    Unreadable,
}

/// How a manifest is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON.
    Json,
    /// JSON with comments and commas at the end of lists.
    Jsonc,
    /// TOML.
    Toml,
    /// Sections in brackets; a key is the name of a section.
    Ini,
    /// Directives of Go, one in a line or in blocks.
    Go,
}

/// Tells whether parts of a file are frozen.
pub fn is_manifest(path: &[u8]) -> bool {
    manifest_of(path).is_some()
}

/// Puts the frozen parts of a manifest back to what they are in `base`.
///
/// A file that is no manifest has no frozen parts, so it is the same.
pub fn frozen(path: &[u8], base: &str, now: &str) -> Merged {
    let Some(manifest) = manifest_of(path) else {
        return Merged::Same;
    };
    if base == now {
        return Merged::Same;
    }
    if manifest.format == Format::Ini {
        return ini::frozen(manifest.keys, base, now);
    }
    if manifest.format == Format::Go {
        return go::frozen(base, now);
    }
    let (Some(base), Some(now)) = (read(manifest.format, base), read(manifest.format, now)) else {
        return Merged::Unreadable;
    };
    let mut restored = now.clone();
    for key in manifest.keys {
        let path: Vec<&str> = key.path.split('.').collect();
        restore(&mut restored, &base, &path, key.how);
    }
    if restored == now {
        return Merged::Same;
    }
    let written = match manifest.format {
        Format::Toml => toml::write(&restored),
        Format::Json | Format::Jsonc => json::write(&restored),
        Format::Ini | Format::Go => None,
    };
    written.map_or(Merged::Unreadable, Merged::Restored)
}

/// A new manifest without the parts that decide how tests run; those of how to build are the agent's to write.
pub fn without_rules(path: &[u8], now: &str) -> Merged {
    let nothing = match manifest_of(path).map(|manifest| manifest.format) {
        Some(Format::Json) => "{}",
        Some(Format::Toml | Format::Ini) => "",
        // How strictly types are checked says nothing about tests, and how to build belongs to the work.
        Some(Format::Jsonc | Format::Go) | None => return Merged::Same,
    };
    frozen(path, nothing, now)
}

/// Tells whether a file can say which code of other people a project of Go or Rust needs.
pub fn may_fetch(path: &[u8]) -> bool {
    matches!(paths::name(path), b"go.mod" | b"Cargo.toml")
}

/// Tells whether such a file says that some is needed. In doubt it does.
pub fn fetches(path: &[u8], text: &str) -> bool {
    const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    if paths::name(path) == b"go.mod" {
        return go::requires(text);
    }
    let Some(tree) = read(Format::Toml, text) else { return true };
    let any = |tree: &Tree| {
        TABLES.iter().any(|key| tree.get(key).is_some_and(|table| !table.entries().is_empty()))
    };
    any(&tree) || tree.get("target").is_some() || tree.get("workspace").is_some_and(any)
}

/// Tells whether settings of Cargo say only where code of other people lies.
pub fn names_only_sources(text: &str) -> bool {
    read(Format::Toml, text).is_some_and(|tree| {
        tree.entries().iter().all(|(key, _)| matches!(key.as_str(), "source" | "net"))
    })
}

fn manifest_of(path: &[u8]) -> Option<&'static Manifest> {
    let name = paths::name(path);
    MANIFESTS.iter().find(|manifest| {
        manifest.names.iter().any(|known| match known.split_once('*') {
            None => known.as_bytes() == name,
            Some((start, end)) => {
                name.len() >= start.len() + end.len()
                    && name.starts_with(start.as_bytes())
                    && name.ends_with(end.as_bytes())
            }
        })
    })
}

fn read(format: Format, text: &str) -> Option<Tree> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tree = match format {
        Format::Json => json::read(text),
        Format::Jsonc => json::read(&json::without_comments(text)),
        Format::Toml => toml::read(text),
        Format::Ini | Format::Go => None,
    }?;
    matches!(tree, Tree::Table(_)).then_some(tree)
}

/// Puts one key back, at whatever depth it is.
fn restore(now: &mut Tree, base: &Tree, path: &[&str], how: How) {
    let (first, rest) = match path {
        [] => return,
        [first, rest @ ..] => (*first, rest),
    };
    if let Some(list) = first.strip_suffix("[]") {
        return restore_each(now, base.get(list), (list, rest), how);
    }
    if rest.is_empty() {
        let value = how.merged(base.get(first), now.get(first));
        now.set(first, value);
        return;
    }
    let nothing = Tree::Table(Vec::new());
    let was_table = now.get(first).is_some_and(Tree::is_table);
    let mut inner = now.get(first).filter(|_| was_table).unwrap_or(&nothing).clone();
    restore(&mut inner, base.get(first).unwrap_or(&nothing), rest, how);
    // A table that nothing was put into is not made, so that a manifest without the key stays as it is.
    if was_table || !inner.entries().is_empty() {
        now.set(first, Some(inner));
    }
}

/// Puts a key of each table of a list back, where the base has a table of the same name.
fn restore_each(now: &mut Tree, base: Option<&Tree>, path: (&str, &[&str]), how: How) {
    let (list, rest) = path;
    let Some(Tree::List(mut items)) = now.get(list).cloned() else {
        return;
    };
    for item in &mut items {
        let same =
            base.and_then(|base| base.items().iter().find(|it| it.get("name") == item.get("name")));
        if let Some(same) = same {
            restore(item, same, rest, how);
        }
    }
    now.set(list, Some(Tree::List(items)));
}

#[cfg(test)]
mod tests;
