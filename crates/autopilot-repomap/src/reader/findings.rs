//! What a search found in a tree, put together by the nodes it belongs to.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use crate::map::ExportKind;

use super::text::{Span, Text, line_of};

/// All that was found in one file. Several matches may speak of one node; each adds what it knows.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) definitions: BTreeMap<Span, Definition>,
    pub(super) imports: BTreeMap<Span, Imported>,
    pub(super) exports: BTreeMap<Span, Exported>,
    pub(super) calls: BTreeMap<Span, Called>,
    /// Methods that only their class uses.
    pub(super) private: BTreeSet<Span>,
}

/// What a definition defines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Function,
    Class,
    /// Methods of a class, outside of it.
    Members,
    /// Something that is passed over with all that is in it.
    Hidden,
}

pub(super) struct Definition {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) params: Vec<String>,
    pub(super) returns: Option<String>,
    pub(super) extends: BTreeMap<Span, String>,
    pub(super) owner: Option<String>,
    /// What a method calls the object that it belongs to.
    pub(super) self_name: Option<String>,
}

pub(super) struct Imported {
    pub(super) source: Option<String>,
    pub(super) names: BTreeMap<Span, String>,
    pub(super) everything: bool,
    pub(super) line: u32,
}

pub(super) struct Exported {
    pub(super) kind: ExportKind,
    pub(super) name: Option<String>,
    /// Its name in this file, where that differs.
    pub(super) local: Option<String>,
    pub(super) line: u32,
}

pub(super) struct Called {
    pub(super) name: String,
    pub(super) on: Option<String>,
    /// Whether it may be a method of the object that calls.
    pub(super) implicit: bool,
    pub(super) line: u32,
}

/// What a match is about.
enum Subject {
    Definition(Kind),
    Import,
    Export(ExportKind),
    Call { implicit: bool },
    Private,
}

impl Findings {
    /// Takes in one match: the names of its captures with their nodes.
    pub(super) fn take(&mut self, captures: &[(&str, Node)], text: Text) {
        let subject = captures.iter().find_map(|(name, node)| Some((subject(name)?, *node)));
        let Some((subject, node)) = subject else { return };
        let (span, line) = (Span::of(node), line_of(node));
        match subject {
            Subject::Private => {
                self.private.insert(span);
            }
            Subject::Definition(kind) => {
                let found =
                    self.definitions.entry(span).or_insert_with(|| Definition::new(kind, line));
                captures.iter().for_each(|(name, node)| found.take(name, *node, text));
            }
            Subject::Import => {
                let found = self.imports.entry(span).or_insert_with(|| Imported::new(line));
                captures.iter().for_each(|(name, node)| found.take(name, *node, text));
            }
            Subject::Export(kind) => {
                let found = self.exports.entry(span).or_insert_with(|| Exported::new(kind, line));
                captures.iter().for_each(|(name, node)| found.take(name, *node, text));
            }
            Subject::Call { implicit } => {
                let on = captures.iter().find(|(name, _)| *name == "on");
                let on = on.map(|(_, node)| text.of(*node));
                let called = Called { name: text.of(node), on, implicit, line };
                self.calls.entry(span).or_insert(called);
            }
        }
    }
}

fn subject(capture: &str) -> Option<Subject> {
    Some(match capture {
        "function" => Subject::Definition(Kind::Function),
        "class" => Subject::Definition(Kind::Class),
        "members" => Subject::Definition(Kind::Members),
        "hidden" => Subject::Definition(Kind::Hidden),
        "import" => Subject::Import,
        "export.function" => Subject::Export(ExportKind::Function),
        "export.class" => Subject::Export(ExportKind::Class),
        "export.const" => Subject::Export(ExportKind::Const),
        "export.default" => Subject::Export(ExportKind::Default),
        "export.type" => Subject::Export(ExportKind::Type),
        "export.interface" => Subject::Export(ExportKind::Interface),
        "export.enum" => Subject::Export(ExportKind::Enum),
        "call" => Subject::Call { implicit: false },
        "call.implicit" => Subject::Call { implicit: true },
        "private" => Subject::Private,
        _ => return None,
    })
}

impl Definition {
    fn new(kind: Kind, line: u32) -> Self {
        Self {
            kind,
            name: String::new(),
            line,
            params: Vec::new(),
            returns: None,
            extends: BTreeMap::new(),
            owner: None,
            self_name: None,
        }
    }

    fn take(&mut self, capture: &str, node: Node, text: Text) {
        match capture {
            "name" => {
                // Annotations may come before the line that a person would look for.
                self.line = line_of(node);
                self.name = text.of(node);
            }
            "params" => self.params = text.parts(node),
            "returns" => self.returns = Some(text.of_type(node)),
            "extends" => {
                self.extends.insert(Span::of(node), text.of_type(node));
            }
            "owner" => self.owner = Some(text.of(node)),
            "self" => self.self_name = Some(text.of(node)),
            _ => {}
        }
    }
}

impl Imported {
    fn new(line: u32) -> Self {
        Self { source: None, names: BTreeMap::new(), everything: false, line }
    }

    fn take(&mut self, capture: &str, node: Node, text: Text) {
        match capture {
            "source" => self.source = Some(text.unquoted(node)),
            "imported" => {
                self.names.insert(Span::of(node), text.unquoted(node));
            }
            "everything" => self.everything = true,
            _ => {}
        }
    }
}

impl Exported {
    fn new(kind: ExportKind, line: u32) -> Self {
        Self { kind, name: None, local: None, line }
    }

    fn take(&mut self, capture: &str, node: Node, text: Text) {
        match capture {
            "name" => {
                self.line = line_of(node);
                self.name = Some(text.unquoted(node));
            }
            "local" => self.local = Some(text.unquoted(node)),
            _ => {}
        }
    }
}
