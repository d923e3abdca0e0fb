//! The grammars that text is read with, and what is looked for in the trees they give.
//!
//! What is looked for is written in `queries/`, one file for each language. Captures with these names count:
//! `function` and `class` are definitions, with `name`, `params`, `returns` and `extends`; `members` holds methods of the
//! class `name`; `owner` is the class of a function that stands outside of it, and `self` what it calls its object;
//! `hidden` is passed over; `private` is a method that only its class uses. `import` has a `source` and what is
//! `imported` of it, or `everything`. `export.KIND` has a `name`, and a `local` name where that differs. `call` is the name
//! that is called, `on` what it is called on; `call.implicit` may mean a method of the same object.

use tree_sitter::{Language, Query};

/// A grammar that text can be read with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grammar {
    Go,
    Java,
    JavaScript,
    Python,
    Ruby,
    Rust,
    Tsx,
    TypeScript,
}

impl Grammar {
    /// Tables of the parser.
    pub(crate) fn language(self) -> Language {
        match self {
            Self::Go => tree_sitter_go::LANGUAGE.into(),
            Self::Java => tree_sitter_java::LANGUAGE.into(),
            Self::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            Self::Ruby => tree_sitter_ruby::LANGUAGE.into(),
            Self::Rust => tree_sitter_rust::LANGUAGE.into(),
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        }
    }

    /// What is looked for.
    pub(crate) fn query(self) -> Query {
        let source = match self {
            Self::Go => include_str!("queries/go.scm"),
            Self::Java => include_str!("queries/java.scm"),
            Self::JavaScript => {
                concat!(
                    include_str!("queries/ecmascript.scm"),
                    include_str!("queries/javascript.scm")
                )
            }
            Self::Python => include_str!("queries/python.scm"),
            Self::Ruby => include_str!("queries/ruby.scm"),
            Self::Rust => include_str!("queries/rust.scm"),
            Self::Tsx | Self::TypeScript => {
                concat!(
                    include_str!("queries/ecmascript.scm"),
                    include_str!("queries/typescript.scm")
                )
            }
        };
        Query::new(&self.language(), source).expect("a query of ours fits its grammar")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Grammar; 8] = [
        Grammar::Go,
        Grammar::Java,
        Grammar::JavaScript,
        Grammar::Python,
        Grammar::Ruby,
        Grammar::Rust,
        Grammar::Tsx,
        Grammar::TypeScript,
    ];

    #[test]
    fn c44_every_query_fits_its_grammar_and_captures_only_what_is_read() {
        const KNOWN: [&str; 24] = [
            "call",
            "call.implicit",
            "class",
            "everything",
            "export.class",
            "export.const",
            "export.default",
            "export.enum",
            "export.function",
            "export.interface",
            "export.type",
            "extends",
            "function",
            "hidden",
            "import",
            "imported",
            "local",
            "members",
            "name",
            "on",
            "owner",
            "params",
            "private",
            "returns",
        ];
        for grammar in ALL {
            for name in grammar.query().capture_names() {
                let is_known = KNOWN.contains(name) || ["self", "source"].contains(name);
                assert!(is_known || name.starts_with('_'), "{grammar:?} captures `{name}`");
            }
        }
    }
}
