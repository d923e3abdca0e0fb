//! The map as a document: its keys, and nothing else.
//!
//! Readers take what earlier programs wrote: keys may be missing, and keys that are not known here are passed over.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::language::Language;

/// The version of the document that is written.
pub const VERSION: u32 = 1;

/// What `.autopilot/repo-map.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RepoMap {
    /// When something in it last changed, as the caller writes times.
    #[serde(default)]
    pub generated_at: String,
    /// The directory that paths are meant from.
    #[serde(default)]
    pub project_root: String,
    /// The version of the document.
    #[serde(default)]
    pub version: u32,
    /// Whether something was left out to keep it short. What was left out is seen by the keys that are missing.
    #[serde(default)]
    pub size_cap_applied: bool,
    /// Each file, by path.
    #[serde(default)]
    pub files: Vec<FileEntry>,
    /// The whole in a few numbers.
    #[serde(default)]
    pub summary: Summary,
}

/// One file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileEntry {
    /// Where it is, from the root of the project.
    pub path: String,
    /// What it is written in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// Why nothing is told about what is in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<Unread>,
    /// What the entry was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// What others can use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exports: Option<Vec<Export>>,
    /// What it uses of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imports: Option<Vec<Import>>,
    /// Its functions, without those inside of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub functions: Option<Vec<Function>>,
    /// Its classes, or what the language has in their place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<Vec<Class>>,
    /// Which of its functions and methods call which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_graph: Option<Vec<Calls>>,
}

/// Why a file is listed without contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unread {
    /// It has more than [`crate::FILE_BYTES_MAX`] bytes.
    TooLarge,
    /// It is not text.
    NotText,
    /// Understanding it would take too long.
    TooComplex,
    /// It could not be read when the map was made.
    #[serde(other)]
    NotRead,
}

/// What an entry was made from: it stands as long as this is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Basis {
    /// The identity of the contents, as the listing gave it.
    pub identity: String,
    /// By which rules they were read.
    #[serde(default)]
    pub rules: u32,
    /// How many exports, imports, functions, classes and callers were found, also where they are left out.
    #[serde(default)]
    pub counts: [u32; 5],
}

/// A name that others can use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Export {
    /// The name.
    pub name: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ExportKind,
    /// Where it is, counted from one.
    #[serde(default)]
    pub line: u32,
}

/// What an exported name stands for. Other languages' things are told as the nearest of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportKind {
    /// A function.
    Function,
    /// A class or structure.
    Class,
    /// What a module is when no name is asked for.
    Default,
    /// A name for a type.
    Type,
    /// An interface or trait.
    Interface,
    /// An enumeration.
    Enum,
    /// A value, or something of another file that is only passed on.
    #[serde(other)]
    Const,
}

/// What is used of one source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Import {
    /// The module, as it is written.
    pub source: String,
    /// The names that are used; `*` for all of them.
    #[serde(default)]
    pub names: Vec<String>,
    /// Where the import is.
    #[serde(default)]
    pub line: u32,
}

/// A function that stands by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters, as they are written.
    #[serde(default)]
    pub params: Vec<String>,
    /// Where it is.
    #[serde(default)]
    pub line: u32,
    /// What it returns, where that is written.
    #[serde(default)]
    pub returns: Option<String>,
}

/// A class, structure, trait or interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// What it is derived from.
    #[serde(default)]
    pub extends: Option<String>,
    /// The names of its methods, without private ones.
    #[serde(default)]
    pub methods: Vec<String>,
    /// Where it is.
    #[serde(default)]
    pub line: u32,
}

/// What one function or method calls in the same file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Calls {
    /// Who calls; a method is `Class.method`.
    pub caller: String,
    /// Who is called, each once.
    #[serde(default)]
    pub callees: Vec<String>,
    /// Where the first call is.
    #[serde(default)]
    pub line: u32,
}

/// The whole in a few numbers. Also what was left out of the entries is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Summary {
    /// How many files the map holds.
    pub total_files: u32,
    /// How many there are of each language.
    pub languages: BTreeMap<String, u32>,
    /// The files with the most imports.
    pub top_importers: Vec<Importer>,
    /// The files with the most exports.
    pub top_exporters: Vec<Exporter>,
}

/// A file that imports much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Importer {
    /// The file.
    pub path: String,
    /// How many imports it has.
    #[serde(default)]
    pub import_count: u32,
}

/// A file that exports much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exporter {
    /// The file.
    pub path: String,
    /// How many exports it has.
    #[serde(default)]
    pub export_count: u32,
}

impl RepoMap {
    /// Reads a map that this or an earlier program wrote.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The JSON schema of the document.
    pub fn schema() -> Value {
        schemars::schema_for!(Self).to_value()
    }
}

impl FileEntry {
    /// An entry without contents.
    pub(crate) fn bare(path: &str, unread: Option<Unread>) -> Self {
        Self { path: path.to_owned(), language: Language::of(path), unread, ..Self::default() }
    }

    /// How many items each of its lists holds.
    pub(crate) fn lengths(&self) -> [Option<u32>; 5] {
        fn length<T>(list: Option<&Vec<T>>) -> Option<u32> {
            list.map(|items| u32::try_from(items.len()).unwrap_or(u32::MAX))
        }
        [
            length(self.exports.as_ref()),
            length(self.imports.as_ref()),
            length(self.functions.as_ref()),
            length(self.classes.as_ref()),
            length(self.call_graph.as_ref()),
        ]
    }

    /// How many items were found, also where they are left out by now.
    pub(crate) fn counts(&self) -> [u32; 5] {
        let lengths = self.lengths().map(Option::unwrap_or_default);
        self.basis.as_ref().map_or(lengths, |basis| basis.counts)
    }
}
