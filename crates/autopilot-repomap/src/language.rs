//! Which language a file is written in, told by its name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::grammar::Grammar;

/// A language as the map names it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// TypeScript, with or without JSX.
    Typescript,
    /// JavaScript, with or without JSX.
    Javascript,
    /// Python.
    Python,
    /// Go.
    Go,
    /// Rust.
    Rust,
    /// Java.
    Java,
    /// Ruby.
    Ruby,
    /// Text with headings; listed only.
    Markdown,
    /// Data; listed only.
    Json,
    /// A language whose files are listed without contents, or one that only another program knows.
    #[serde(other)]
    Other,
}

impl Language {
    /// The language of a file; none when it is no source file.
    pub fn of(path: &str) -> Option<Self> {
        kind_of(path).map(|(_, language, _)| *language)
    }

    /// Its name as it stands in the map.
    pub fn name(self) -> &'static str {
        match self {
            Self::Typescript => "typescript",
            Self::Javascript => "javascript",
            Self::Python => "python",
            Self::Go => "go",
            Self::Rust => "rust",
            Self::Java => "java",
            Self::Ruby => "ruby",
            Self::Markdown => "markdown",
            Self::Json => "json",
            Self::Other => "other",
        }
    }
}

/// The grammar that a file is read with, where there is one.
pub(crate) fn grammar_of(path: &str) -> Option<Grammar> {
    kind_of(path).and_then(|(_, _, grammar)| *grammar)
}

type Kind = (&'static str, Language, Option<Grammar>);

fn kind_of(path: &str) -> Option<&'static Kind> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, extension) = name.rsplit_once('.')?;
    // A name that begins with its only dot is hidden, and has no extension.
    if stem.is_empty() {
        return None;
    }
    KINDS.iter().find(|(known, _, _)| extension.eq_ignore_ascii_case(known))
}

const KINDS: [Kind; 54] = [
    ("ts", Language::Typescript, Some(Grammar::TypeScript)),
    ("mts", Language::Typescript, Some(Grammar::TypeScript)),
    ("cts", Language::Typescript, Some(Grammar::TypeScript)),
    ("tsx", Language::Typescript, Some(Grammar::Tsx)),
    ("js", Language::Javascript, Some(Grammar::JavaScript)),
    ("mjs", Language::Javascript, Some(Grammar::JavaScript)),
    ("cjs", Language::Javascript, Some(Grammar::JavaScript)),
    ("jsx", Language::Javascript, Some(Grammar::JavaScript)),
    ("py", Language::Python, Some(Grammar::Python)),
    ("pyi", Language::Python, Some(Grammar::Python)),
    ("go", Language::Go, Some(Grammar::Go)),
    ("rs", Language::Rust, Some(Grammar::Rust)),
    ("java", Language::Java, Some(Grammar::Java)),
    ("rb", Language::Ruby, Some(Grammar::Ruby)),
    ("rake", Language::Ruby, Some(Grammar::Ruby)),
    ("md", Language::Markdown, None),
    ("markdown", Language::Markdown, None),
    ("json", Language::Json, None),
    ("astro", Language::Other, None),
    ("bash", Language::Other, None),
    ("c", Language::Other, None),
    ("cc", Language::Other, None),
    ("clj", Language::Other, None),
    ("cpp", Language::Other, None),
    ("cs", Language::Other, None),
    ("css", Language::Other, None),
    ("dart", Language::Other, None),
    ("erl", Language::Other, None),
    ("ex", Language::Other, None),
    ("exs", Language::Other, None),
    ("fs", Language::Other, None),
    ("graphql", Language::Other, None),
    ("h", Language::Other, None),
    ("hpp", Language::Other, None),
    ("hs", Language::Other, None),
    ("html", Language::Other, None),
    ("kt", Language::Other, None),
    ("kts", Language::Other, None),
    ("lua", Language::Other, None),
    ("m", Language::Other, None),
    ("ml", Language::Other, None),
    ("php", Language::Other, None),
    ("pl", Language::Other, None),
    ("proto", Language::Other, None),
    ("r", Language::Other, None),
    ("scala", Language::Other, None),
    ("scss", Language::Other, None),
    ("sh", Language::Other, None),
    ("sql", Language::Other, None),
    ("svelte", Language::Other, None),
    ("swift", Language::Other, None),
    ("tf", Language::Other, None),
    ("vue", Language::Other, None),
    ("zig", Language::Other, None),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c44_languages_are_told_by_extension_and_everything_else_is_no_source() {
        for (path, language) in [
            ("src/main.rs", Some(Language::Rust)),
            ("web/App.TSX", Some(Language::Typescript)),
            ("a.b/c.mjs", Some(Language::Javascript)),
            ("README.md", Some(Language::Markdown)),
            ("tools/run.sh", Some(Language::Other)),
            ("logo.png", None),
            ("src.rs/LICENSE", None),
            (".rs", None),
            ("", None),
        ] {
            assert_eq!(Language::of(path), language, "{path}");
        }
    }

    #[test]
    fn c44_a_language_is_named_as_it_is_written() {
        for (_, language, _) in KINDS {
            assert_eq!(serde_json::to_value(language).unwrap(), language.name());
        }
        let foreign: Language = serde_json::from_str("\"cobol\"").unwrap();
        assert_eq!(foreign, Language::Other);
    }
}
