//! Code as words, numbers, texts and marks; comments are left out.

use super::{
    language::Language,
    strings::{self, Literal},
};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    /// A string or character literal whose inside may be changed.
    Text,
    /// A literal that is left alone: a regular expression, a quoted name.
    Opaque,
    Mark,
}

/// A piece of code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// What stands between the quotes of a text; otherwise the whole.
    pub(super) inner: (usize, usize),
}

/// Marks of more than one character, the longest first.
const MARKS: [&str; 58] = [
    ">>>=", "<<<", "<=>", "===", "!==", "**=", "//=", "<<=", ">>=", ">>>", "...", "..=", "..<",
    "&&=", "||=", "??=", "&^=", "->", "=>", "<-", "::", "==", "!=", "<=", ">=", "<>", "=~", "!~",
    "&&", "||", "??", "?.", "?:", "!!", "|>", ":=", "++", "--", "+=", "-=", "*=", "/=", "%=", "|=",
    "&=", "^=", ".=", "**", "//", "..", "<<", ">>", "</", "/>", "<?", "?>", "&^", "~>",
];

/// Words after which an expression begins, so that a `/` opens a regular expression.
const BEFORE_EXPRESSION: [&str; 16] = [
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "and",
    "or", "not", "if", "when",
];

/// Takes code apart.
pub(super) fn tokens(text: &str, language: Language) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        language,
        tokens: Vec::new(),
        heredocs: Vec::new(),
    };
    if language == Language::Php {
        lexer.skip_page();
    }
    while lexer.at < lexer.bytes.len() {
        lexer.step();
    }
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    language: Language,
    tokens: Vec<Token>,
    /// Ends of the documents that begin on the next line.
    heredocs: Vec<String>,
}

impl Lexer<'_> {
    fn step(&mut self) {
        let byte = self.bytes[self.at];
        if byte == b'\n' {
            self.at += 1;
            self.skip_heredocs();
        } else if byte.is_ascii_whitespace() {
            self.at += 1;
        } else if !self.comment() && !self.preprocessor() && !self.heredoc() && !self.literal() {
            self.plain(byte);
        }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn line_end(&self, from: usize) -> usize {
        self.bytes[from..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(self.bytes.len(), |at| from + at)
    }

    fn is_first_on_line(&self) -> bool {
        let before = &self.bytes[..self.at];
        let blank = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        blank == self.at || before[self.at - blank - 1] == b'\n'
    }

    fn comment(&mut self) -> bool {
        let rest = self.rest();
        if self.language == Language::Php && rest.starts_with("#[") {
            return false;
        }
        if self.language.has_block_comments() && rest.starts_with("/*") {
            self.block_comment();
            return true;
        }
        if self.language == Language::Ruby && rest.starts_with("=begin") && self.is_first_on_line()
        {
            let end =
                rest.find("\n=end").map_or(self.bytes.len(), |at| self.at + at + "\n=end".len());
            self.at = self.line_end(end);
            return true;
        }
        if self.language.line_comments().iter().any(|mark| rest.starts_with(mark)) {
            self.at = self.line_end(self.at);
            return true;
        }
        false
    }

    fn block_comment(&mut self) {
        let nests = self.language.nests_comments();
        let mut depth = 1;
        self.at += 2;
        while depth > 0 && self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"*/") {
                depth -= 1;
                self.at += 2;
            } else if nests && rest.starts_with(b"/*") {
                depth += 1;
                self.at += 2;
            } else {
                self.at += 1;
            }
        }
    }

    fn preprocessor(&mut self) -> bool {
        if !self.language.has_preprocessor()
            || self.bytes[self.at] != b'#'
            || !self.is_first_on_line()
        {
            return false;
        }
        loop {
            let end = self.line_end(self.at);
            let goes_on =
                self.text.get(self.at..end).is_some_and(|line| line.trim_end().ends_with('\\'));
            self.at = (end + 1).min(self.bytes.len());
            if !goes_on || self.at >= self.bytes.len() {
                return true;
            }
        }
    }

    /// The beginning of a document of Ruby or PHP; it is taken out when its line ends.
    fn heredoc(&mut self) -> bool {
        let opening = match self.language {
            Language::Ruby if !self.follows_operand_closely() => "<<",
            Language::Php => "<<<",
            _ => return false,
        };
        let Some(after) = self.rest().strip_prefix(opening) else { return false };
        let bare = after.trim_start_matches(['~', '-', ' ', '"', '\'']);
        let is_marked = bare.len() < after.len();
        let length =
            bare.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let name = bare[..length].to_owned();
        let is_name = name
            .starts_with(|c: char| c.is_ascii_uppercase() || (is_marked && c.is_ascii_lowercase()));
        let is_near = !after.starts_with(' ') || self.language == Language::Php;
        if !is_name || !is_near {
            return false;
        }
        let mut end = self.at + opening.len() + (after.len() - bare.len()) + length;
        if self.bytes.get(end).is_some_and(|byte| matches!(byte, b'"' | b'\'')) {
            end += 1;
        }
        self.push(Kind::Opaque, end);
        self.heredocs.push(name);
        true
    }

    /// `list <<VALUE` appends; `x = <<VALUE` begins a document.
    fn follows_operand_closely(&self) -> bool {
        let is_operand = self.tokens.last().is_some_and(|token| {
            token.kind == Kind::Number
                || (token.kind == Kind::Mark
                    && matches!(self.text.get(token.start..token.end), Some(")" | "]")))
        });
        is_operand || self.rest().starts_with("<< ")
    }

    fn skip_heredocs(&mut self) {
        for name in std::mem::take(&mut self.heredocs) {
            while self.at < self.bytes.len() {
                let end = self.line_end(self.at);
                let line = self.text.get(self.at..end).unwrap_or_default().trim();
                let is_end = line.strip_prefix(name.as_str()).is_some_and(|rest| {
                    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
                });
                if is_end {
                    // What follows the name on its line is code again.
                    self.at = self.text[self.at..end]
                        .find(name.as_str())
                        .map_or(end, |at| self.at + at + name.len());
                    break;
                }
                self.at = (end + 1).min(self.bytes.len());
            }
        }
    }

    /// Passes over the page around code of PHP.
    fn skip_page(&mut self) {
        let rest = self.rest();
        let open =
            ["<?php", "<?="].iter().filter_map(|tag| rest.find(tag).map(|at| at + tag.len())).min();
        self.at = open.map_or(self.bytes.len(), |at| self.at + at);
    }

    fn literal(&mut self) -> bool {
        let follows_word = self.at > 0 && is_word_byte(self.bytes[self.at - 1]);
        if follows_word && is_word_byte(self.bytes[self.at]) {
            return false;
        }
        let found = strings::literal(self.text, self.at, self.language);
        let found = found.or_else(|| self.regex()).or_else(|| self.percent());
        let Some(Literal { end, inner, is_opaque }) = found.filter(|found| found.end > self.at)
        else {
            return false;
        };
        let kind = if is_opaque { Kind::Opaque } else { Kind::Text };
        let start = self.at;
        self.push(kind, end);
        if let Some(token) = self.tokens.last_mut().filter(|token| token.start == start) {
            token.inner = inner;
        }
        true
    }

    /// Tells whether an expression begins here, so that `/` and `%` are no operators.
    fn begins_expression(&self) -> bool {
        let Some(last) = self.tokens.last() else { return true };
        let word = self.text.get(last.start..last.end).unwrap_or_default();
        match last.kind {
            Kind::Word if BEFORE_EXPRESSION.contains(&word) => true,
            // `puts /x/` of Ruby: space before and none after.
            Kind::Word => {
                self.language == Language::Ruby
                    && self.at > last.end
                    && self
                        .bytes
                        .get(self.at + 1)
                        .is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b'=')
            }
            Kind::Number | Kind::Text | Kind::Opaque => false,
            Kind::Mark => !matches!(word, ")" | "]" | "}" | "<" | "++" | "--"),
        }
    }

    fn regex(&self) -> Option<Literal> {
        let knows = self.language.is_script() || self.language == Language::Ruby;
        if !knows || self.bytes[self.at] != b'/' || !self.begins_expression() {
            return None;
        }
        let end = self.line_end(self.at);
        let (mut at, mut in_class) = (self.at + 1, false);
        while at < end && at - self.at < strings::LITERAL_LINE_BYTES_MAX {
            match self.bytes[at] {
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    let flags = self.bytes[at + 1..end]
                        .iter()
                        .take_while(|byte| byte.is_ascii_alphabetic())
                        .count();
                    return Some(Literal {
                        end: at + 1 + flags,
                        inner: (self.at, at),
                        is_opaque: true,
                    });
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// `%w[a b]` of Ruby, `~r/a/` of Elixir.
    fn percent(&self) -> Option<Literal> {
        let mark = match self.language {
            Language::Ruby if self.begins_expression() => b'%',
            Language::Elixir => b'~',
            _ => return None,
        };
        if self.bytes[self.at] != mark {
            return None;
        }
        let letters = self.bytes[self.at + 1..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count()
            .min(2);
        if mark == b'~' && letters == 0 {
            return None;
        }
        let open = self.at + 1 + letters;
        let close = match self.bytes.get(open)? {
            b'(' => b')',
            b'[' => b']',
            b'{' => b'}',
            b'<' if letters > 0 => b'>',
            same @ (b'/' | b'|' | b'"' | b'!') if letters > 0 => *same,
            _ => return None,
        };
        if self.text[open..].starts_with("\"\"\"") {
            let end =
                self.text[open + 3..].find("\"\"\"").map_or(self.bytes.len(), |at| open + at + 6);
            return Some(Literal { end, inner: (open, open), is_opaque: true });
        }
        let length = self.bytes[open + 1..]
            .iter()
            .take(strings::LITERAL_LINE_BYTES_MAX)
            .position(|byte| *byte == close)?;
        Some(Literal { end: open + length + 2, inner: (open, open), is_opaque: true })
    }

    fn plain(&mut self, byte: u8) {
        if byte.is_ascii_digit() {
            self.number();
        } else if is_word_byte(byte) || (byte == b'$' && !matches!(self.language, Language::Elixir))
        {
            self.word();
        } else {
            self.mark();
        }
    }

    fn word(&mut self) {
        let mut end = self.at + 1;
        while end < self.bytes.len() && (is_word_byte(self.bytes[end]) || self.bytes[end] == b'$') {
            end += 1;
        }
        let asks = matches!(self.language, Language::Ruby | Language::Elixir);
        if asks
            && matches!(self.bytes.get(end), Some(b'?' | b'!'))
            && self.bytes.get(end + 1) != Some(&b'=')
        {
            end += 1;
        }
        self.push(Kind::Word, end);
    }

    fn number(&mut self) {
        let mut end = self.at + 1;
        while end < self.bytes.len() {
            let (byte, next) = (self.bytes[end], self.bytes.get(end + 1));
            let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
            let is_exponent = matches!(byte, b'+' | b'-')
                && matches!(self.bytes[end - 1], b'e' | b'E')
                && !self.text[self.at..end].starts_with("0x")
                && is_digit(next);
            let is_point = byte == b'.' && is_digit(next) && !self.text[self.at..end].contains('.');
            let is_gap = byte == b'\'' && self.language == Language::Cpp && is_digit(next);
            if !(byte.is_ascii_alphanumeric() || byte == b'_' || is_exponent || is_point || is_gap)
            {
                break;
            }
            end += 1;
        }
        self.push(Kind::Number, end);
    }

    fn mark(&mut self) {
        let rest = self.rest();
        if self.language == Language::Php && rest.starts_with("?>") {
            self.skip_page();
            return;
        }
        let is_tag = |mark: &str| matches!(mark, "</" | "/>") && !self.language.is_script();
        let is_floor =
            |mark: &str| matches!(mark, "//" | "//=") && self.language != Language::Python;
        let known =
            MARKS.iter().find(|mark| rest.starts_with(**mark) && !is_tag(mark) && !is_floor(mark));
        let length =
            known.map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |mark| mark.len());
        self.push(Kind::Mark, self.at + length);
    }

    fn push(&mut self, kind: Kind, end: usize) {
        let end = end.min(self.bytes.len());
        self.tokens.push(Token { kind, start: self.at, end, inner: (self.at, end) });
        self.at = end;
    }
}

/// Bytes beyond ASCII count as letters, so that no character is cut.
pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
