//! How much of a map is kept so that it stays short, and the summary that always stays.

use std::{cmp::Reverse, collections::BTreeMap};

use crate::{
    language::Language,
    map::{Exporter, FileEntry, Importer, Summary},
};

/// Lines of the longest map that is written, unless its paths alone take more.
pub const LINES_MAX: u64 = 500;

/// Files in each ranking of the summary.
const TOP_MAX: usize = 5;

/// Places of the exports and imports among the counts of an entry.
const EXPORTS: usize = 0;
const IMPORTS: usize = 1;

/// How much is told of each file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// All that was found.
    Everything,
    /// Exports and imports.
    Links,
    /// Exports.
    Exports,
    /// The path.
    Path,
}

impl Detail {
    const ALL: [Self; 4] = [Self::Everything, Self::Links, Self::Exports, Self::Path];

    /// The most that can be told of these files in [`LINES_MAX`] lines; never less than their paths.
    pub(crate) fn fitting<'a>(files: impl Iterator<Item = &'a FileEntry> + Clone) -> Self {
        // What frames the files takes the same lines however little is told of each.
        let frame = frame_lines(&Summary::of(files.clone()));
        let fits = |detail: &Self| {
            let each = files.clone().map(|file| entry_lines(&file.counts(), *detail));
            each.fold(frame, u64::saturating_add) <= LINES_MAX
        };
        Self::ALL.into_iter().find(fits).unwrap_or(Self::Path)
    }

    /// How many of an entry's lists are kept: exports, imports, functions, classes and callers, in this order.
    pub(crate) fn lists(self) -> usize {
        match self {
            Self::Everything => 5,
            Self::Links => 2,
            Self::Exports => 1,
            Self::Path => 0,
        }
    }
}

impl FileEntry {
    /// The entry with no more than `detail`.
    pub(crate) fn at(mut self, detail: Detail) -> Self {
        self.language = Language::of(&self.path);
        if detail > Detail::Everything {
            self.functions = None;
            self.classes = None;
            self.call_graph = None;
        }
        if detail > Detail::Links {
            self.imports = None;
        }
        if detail > Detail::Exports {
            self.exports = None;
            self.language = None;
        }
        self
    }

    /// Tells whether the entry holds all that `detail` asks for.
    pub(crate) fn has(&self, detail: Detail) -> bool {
        if self.unread.is_some() {
            return true;
        }
        let (lengths, counts) = (self.lengths(), self.counts());
        (0..detail.lists()).all(|list| lengths[list] == Some(counts[list]))
    }
}

impl Summary {
    /// The summary of all files, in the order of their paths.
    pub(crate) fn of<'a>(files: impl Iterator<Item = &'a FileEntry> + Clone) -> Self {
        let mut languages = BTreeMap::new();
        for file in files.clone() {
            let language = file.language.or_else(|| Language::of(&file.path));
            *languages.entry(language.unwrap_or(Language::Other).name().to_owned()).or_insert(0) +=
                1;
        }
        let importers = top(files.clone(), IMPORTS);
        let exporters = top(files, EXPORTS);
        Self {
            total_files: languages.values().sum(),
            languages,
            top_importers: importers
                .map(|(path, import_count)| Importer { path, import_count })
                .collect(),
            top_exporters: exporters
                .map(|(path, export_count)| Exporter { path, export_count })
                .collect(),
        }
    }
}

/// The files with the most items in a list; those with none are not among them.
fn top<'a>(
    files: impl Iterator<Item = &'a FileEntry>,
    list: usize,
) -> impl Iterator<Item = (String, u32)> {
    let mut all: Vec<(&str, u32)> =
        files.map(|file| (file.path.as_str(), file.counts()[list])).collect();
    all.retain(|(_, count)| *count > 0);
    all.sort_by_key(|(path, count)| (Reverse(*count), *path));
    all.truncate(TOP_MAX);
    all.into_iter().map(|(path, count)| (path.to_owned(), count)).collect::<Vec<_>>().into_iter()
}

/// Lines of a list with so many lines inside.
fn list_lines(inside: u64) -> u64 {
    if inside == 0 { 1 } else { inside.saturating_add(2) }
}

/// Lines of an entry, as the layout writes it.
pub(crate) fn entry_lines(counts: &[u32; 5], detail: Detail) -> u64 {
    let kept = &counts[..detail.lists()];
    if kept.iter().all(|count| *count == 0) {
        return 1;
    }
    kept.iter().map(|count| list_lines(u64::from(*count))).fold(2, u64::saturating_add)
}

/// Lines of a map without those of its entries, as the layout writes it.
pub(crate) fn frame_lines(summary: &Summary) -> u64 {
    // The brackets, four values, and the list of files; then the summary with two values.
    let frame = 2 + 4 + if summary.total_files == 0 { 1 } else { 2 } + 2 + 2;
    let tops = [summary.top_importers.len(), summary.top_exporters.len()];
    tops.iter().map(|top| list_lines(u64::try_from(*top).unwrap_or(u64::MAX))).sum::<u64>() + frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{map::RepoMap, reader::Reader};

    #[test]
    fn c44_lines_are_foretold_as_they_are_written() {
        let mut reader = Reader::default();
        let samples = [
            ("a.rs", "pub fn a() { b() }\nfn b() {}\npub struct C;\nuse d::e;\n"),
            ("b.py", "import os\n"),
            ("c.ts", "export const a = 1, b = 2;\n"),
            ("d.md", "# D\n"),
            ("e.go", "\0"),
        ];
        for count in 0..=samples.len() {
            let entries: Vec<FileEntry> = samples[..count]
                .iter()
                .map(|(path, text)| reader.read(path, text.as_bytes()))
                .collect();
            for detail in Detail::ALL {
                let summary = Summary::of(entries.iter());
                let entry_lines = entries.iter().map(|entry| entry_lines(&entry.counts(), detail));
                let foretold = entry_lines.sum::<u64>() + frame_lines(&summary);
                let files = entries.iter().map(|entry| entry.clone().at(detail)).collect();
                let map = RepoMap {
                    generated_at: String::new(),
                    project_root: String::new(),
                    version: 1,
                    size_cap_applied: false,
                    files,
                    summary,
                };
                let text = map.text();
                assert_eq!(text.lines().count() as u64, foretold, "{detail:?}\n{text}");
                assert_eq!(RepoMap::parse(&text).unwrap(), map);
            }
        }
    }
}
