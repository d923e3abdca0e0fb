//! From the bytes of a file to its entry. Every sequence of bytes gives one; broken code gives what can be seen of it.

mod findings;
mod lists;
mod tangle;
#[cfg(test)]
mod tests;
mod text;

use std::{collections::BTreeMap, ops::ControlFlow};

use tree_sitter::{
    ParseOptions, Parser, Query, QueryCursor, QueryCursorOptions, StreamingIterator, Tree,
};

use crate::{
    grammar::Grammar,
    language::grammar_of,
    limits::{
        FILE_BYTES_MAX, FINDINGS_MAX, OPEN_MATCHES_MAX, PARSER_REPORTS_MAX, SEARCH_REPORTS_MAX,
    },
    map::{FileEntry, Unread},
};

use self::{
    findings::Findings,
    lists::Lists,
    tangle::{has_long_row_of_signs, is_too_deep},
    text::Text,
};

/// The rules by which text becomes an entry. They are counted up whenever the same text would give another one.
pub(crate) const RULES: u32 = 1;

/// Reads files one after the other. What it needs for a language is made when the first file of it comes.
pub struct Reader {
    parser: Parser,
    queries: BTreeMap<Grammar, Query>,
}

impl Default for Reader {
    fn default() -> Self {
        Self { parser: Parser::new(), queries: BTreeMap::new() }
    }
}

impl Reader {
    /// The entry of a file, with all that was found in it.
    pub fn read(&mut self, path: &str, bytes: &[u8]) -> FileEntry {
        match self.lists(path, bytes) {
            Ok(lists) => FileEntry {
                exports: Some(lists.exports),
                imports: Some(lists.imports),
                functions: Some(lists.functions),
                classes: Some(lists.classes),
                call_graph: Some(lists.call_graph),
                ..FileEntry::bare(path, None)
            },
            Err(unread) => FileEntry::bare(path, Some(unread)),
        }
    }

    fn lists(&mut self, path: &str, bytes: &[u8]) -> Result<Lists, Unread> {
        if bytes.len() > FILE_BYTES_MAX {
            return Err(Unread::TooLarge);
        }
        if bytes.contains(&0) {
            return Err(Unread::NotText);
        }
        let Some(grammar) = grammar_of(path) else { return Ok(Lists::default()) };
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        if is_too_deep(text) {
            return Err(Unread::TooComplex);
        }
        let tree = self.parse(grammar, text)?;
        if has_long_row_of_signs(&tree) {
            return Err(Unread::TooComplex);
        }
        let query = self.queries.entry(grammar).or_insert_with(|| grammar.query());
        search(query, &tree, text).map(Findings::lists)
    }

    fn parse(&mut self, grammar: Grammar, text: &str) -> Result<Tree, Unread> {
        self.parser
            .set_language(&grammar.language())
            .expect("grammars fit the parser they are built with");
        let mut reports = 0;
        let mut patience = |_: &_| within(&mut reports, PARSER_REPORTS_MAX);
        let options = ParseOptions::new().progress_callback(&mut patience);
        let mut rest = |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
        let tree = self.parser.parse_with_options(&mut rest, None, Some(options));
        // A parse that was given up would be taken up again with the next text.
        self.parser.reset();
        tree.ok_or(Unread::TooComplex)
    }
}

fn search(query: &Query, tree: &Tree, text: &str) -> Result<Findings, Unread> {
    let mut reports = 0;
    let mut patience = |_: &_| within(&mut reports, SEARCH_REPORTS_MAX);
    let options = QueryCursorOptions::new().progress_callback(&mut patience);
    let mut cursor = QueryCursor::new();
    cursor.set_match_limit(OPEN_MATCHES_MAX);
    let mut matches =
        cursor.matches_with_options(query, tree.root_node(), text.as_bytes(), options);
    let names = query.capture_names();
    let mut findings = Findings::default();
    let mut count = 0;
    while let Some(found) = matches.next() {
        if within(&mut count, FINDINGS_MAX).is_break() {
            return Err(Unread::TooComplex);
        }
        let captures: Vec<_> = found
            .captures()
            .iter()
            .filter_map(|capture| Some((*names.get(capture.index as usize)?, capture.node)))
            .collect();
        findings.take(&captures, Text(text));
    }
    drop(matches);
    if reports > SEARCH_REPORTS_MAX { Err(Unread::TooComplex) } else { Ok(findings) }
}

/// Counts up, and stops beyond the limit.
fn within(count: &mut u32, limit: u32) -> ControlFlow<()> {
    *count = count.saturating_add(1);
    if *count > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
