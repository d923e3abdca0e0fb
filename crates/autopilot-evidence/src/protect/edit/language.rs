//! Languages whose tests are understood, and how their text is made of code, strings and comments.

use crate::protect::paths;

/// A language that tests are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    Python,
    JavaScript,
    Go,
    Java,
    Kotlin,
    CSharp,
    Php,
    Ruby,
    Shell,
    /// Any other language.
    Other,
    /// What tests are compared with, not a test.
    Data,
}

impl Language {
    /// The language of a file, by its name.
    pub(super) fn of(path: &[u8]) -> Self {
        let name = paths::name(path);
        let end = match name.iter().rposition(|byte| *byte == b'.') {
            Some(at) if at > 0 => name[at + 1..].to_ascii_lowercase(),
            _ => return Self::Data,
        };
        match end.as_slice() {
            b"rs" => Self::Rust,
            b"py" => Self::Python,
            b"js" | b"jsx" | b"ts" | b"tsx" | b"mjs" | b"cjs" | b"mts" | b"cts" => Self::JavaScript,
            b"go" => Self::Go,
            b"java" => Self::Java,
            b"kt" | b"kts" => Self::Kotlin,
            b"cs" => Self::CSharp,
            b"php" => Self::Php,
            b"rb" => Self::Ruby,
            b"sh" | b"bash" | b"bats" => Self::Shell,
            b"c" | b"cc" | b"cpp" | b"cxx" | b"clj" | b"dart" | b"erl" | b"ex" | b"exs"
            | b"feature" | b"fs" | b"groovy" | b"hs" | b"hurl" | b"jl" | b"lua" | b"ml"
            | b"nim" | b"phpt" | b"pl" | b"r" | b"robot" | b"scala" | b"svelte" | b"swift"
            | b"t" | b"vue" | b"zig" => Self::Other,
            _ => Self::Data,
        }
    }

    pub(super) fn syntax(self) -> Syntax {
        match self {
            Self::Rust => Syntax { quotes: &[LINES_DOUBLE], rust: true, ..C_LIKE },
            Self::Go => Syntax { quotes: &[DOUBLE, SINGLE, RAW_BACKTICK], ..C_LIKE },
            Self::Java => Syntax { quotes: &[TRIPLE_DOUBLE, DOUBLE, SINGLE], ..C_LIKE },
            Self::Kotlin => {
                Syntax { quotes: &[RAW_TRIPLE, DOUBLE, SINGLE, NAME_BACKTICK], ..C_LIKE }
            }
            Self::CSharp => Syntax { quotes: &[RAW_TRIPLE, VERBATIM, DOUBLE, SINGLE], ..C_LIKE },
            Self::JavaScript => {
                Syntax { quotes: &[DOUBLE, SINGLE, TEMPLATE], regex: true, ..C_LIKE }
            }
            Self::Php => Syntax {
                line_comments: &["//", "#"],
                quotes: &[LINES_DOUBLE, LINES_SINGLE],
                ..C_LIKE
            },
            Self::Python => Syntax {
                line_comments: &["#"],
                block_comment: None,
                quotes: &[TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
                ..C_LIKE
            },
            Self::Ruby => Syntax {
                line_comments: &["#"],
                block_comment: None,
                quotes: &[DOUBLE, SINGLE, NAME_BACKTICK],
                regex: true,
                ..C_LIKE
            },
            Self::Shell => Syntax {
                line_comments: &["#"],
                block_comment: None,
                quotes: &[LINES_DOUBLE, RAW_SINGLE],
                shell: true,
                ..C_LIKE
            },
            Self::Other | Self::Data => Syntax {
                line_comments: &["#", "//", "--"],
                block_comment: None,
                quotes: &[],
                ..C_LIKE
            },
        }
    }
}

/// How text is made of code, strings and comments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Syntax {
    pub(super) line_comments: &'static [&'static str],
    pub(super) block_comment: Option<(&'static str, &'static str)>,
    /// In the order in which they are tried.
    pub(super) quotes: &'static [Quote],
    /// `/…/` is a string where a value begins.
    pub(super) regex: bool,
    /// Raw strings with `#`, lifetimes, comments within comments.
    pub(super) rust: bool,
    /// Only braces are brackets, `\` protects, a comment begins a word.
    pub(super) shell: bool,
}

const C_LIKE: Syntax = Syntax {
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    quotes: &[DOUBLE, SINGLE],
    regex: false,
    rust: false,
    shell: false,
};

/// A kind of string.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// `\` protects the next character.
    pub(super) escapes: bool,
    /// It may go over several lines.
    pub(super) lines: bool,
    /// `${…}` in it is code.
    pub(super) template: bool,
}

const fn quote(open: &'static str, escapes: bool, lines: bool) -> Quote {
    Quote { open, close: open, escapes, lines, template: false }
}

const DOUBLE: Quote = quote("\"", true, false);
const SINGLE: Quote = quote("'", true, false);
const LINES_DOUBLE: Quote = quote("\"", true, true);
const LINES_SINGLE: Quote = quote("'", true, true);
const RAW_SINGLE: Quote = quote("'", false, true);
const RAW_BACKTICK: Quote = quote("`", false, true);
const NAME_BACKTICK: Quote = quote("`", false, false);
const TRIPLE_DOUBLE: Quote = quote("\"\"\"", true, true);
const TRIPLE_SINGLE: Quote = quote("'''", true, true);
const RAW_TRIPLE: Quote = quote("\"\"\"", false, true);
const VERBATIM: Quote = Quote { close: "\"", ..quote("@\"", false, true) };
const TEMPLATE: Quote = Quote { template: true, ..quote("`", true, true) };
