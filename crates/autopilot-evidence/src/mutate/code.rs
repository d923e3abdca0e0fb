//! A file of code, taken apart: tokens, brackets, lines, places to keep away from.

use super::{
    candidate::Candidate,
    context,
    functions::{self, Function},
    language::Language,
    lex::{self, Kind, Token},
    lines::Lines,
};

/// What a token's place allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Open,
    /// Taken only when there is no other.
    Reluctant,
    /// An import, a type, an attribute, a doc text: never taken.
    Closed,
}

/// Words that are no values, so that what follows them is no second operand.
const KEYWORDS: [&str; 34] = [
    "return", "if", "else", "elif", "while", "for", "in", "of", "case", "when", "and", "or", "not",
    "yield", "await", "match", "switch", "throw", "raise", "let", "const", "var", "mut", "typeof",
    "unless", "elsif", "do", "then", "where", "print", "echo", "operator", "def", "func",
];

/// How many functions before a place are asked whether they are around it.
const FUNCTIONS_LOOKED_AT_MAX: usize = 1000;

/// A file of code.
pub(super) struct Code<'a> {
    pub(super) text: &'a str,
    pub(super) language: Language,
    pub(super) lines: &'a Lines,
    pub(super) tokens: Vec<Token>,
    /// The line of each token.
    line: Vec<usize>,
    /// The first and the last token on the line of each token.
    reach: Vec<(usize, usize)>,
    /// The bracket that belongs to a bracket.
    partner: Vec<Option<usize>>,
    pub(super) places: Vec<Place>,
    pub(super) functions: Vec<Function>,
}

impl<'a> Code<'a> {
    pub(super) fn new(text: &'a str, language: Language, lines: &'a Lines) -> Self {
        let tokens = lex::tokens(text, language);
        let line: Vec<usize> = tokens.iter().map(|token| lines.line_of(token.start)).collect();
        let reach = reaches(&tokens, &line, lines);
        let partner = partners(text, &tokens);
        let places = vec![Place::Open; tokens.len()];
        let mut code = Self {
            text,
            language,
            lines,
            tokens,
            line,
            reach,
            partner,
            places,
            functions: Vec::new(),
        };
        code.functions = functions::find(&code);
        code.places = context::places(&code);
        code
    }

    /// What a token says; nothing where there is none.
    pub(super) fn word(&self, at: usize) -> &'a str {
        self.tokens
            .get(at)
            .and_then(|token| self.text.get(token.start..token.end))
            .unwrap_or_default()
    }

    /// What the token before another says.
    pub(super) fn before(&self, at: usize) -> &'a str {
        at.checked_sub(1).map_or("", |at| self.word(at))
    }

    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub(super) fn is_mark(&self, at: usize, mark: &str) -> bool {
        self.kind(at) == Some(Kind::Mark) && self.word(at) == mark
    }

    pub(super) fn is_word(&self, at: usize, word: &str) -> bool {
        self.kind(at) == Some(Kind::Word) && self.word(at) == word
    }

    pub(super) fn line(&self, at: usize) -> usize {
        self.line.get(at).copied().unwrap_or(0)
    }

    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        self.partner.get(at).copied().flatten()
    }

    /// The bytes from the beginning of a token to the end of another.
    pub(super) fn range(&self, first: usize, last: usize) -> (usize, usize) {
        match (self.tokens.get(first), self.tokens.get(last)) {
            (Some(first), Some(last)) if first.start <= last.end => (first.start, last.end),
            (_, _) => (0, 0),
        }
    }

    pub(super) fn slice(&self, first: usize, last: usize) -> &'a str {
        let (start, end) = self.range(first, last);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The token after this one, or after its partner where it opens a bracket.
    pub(super) fn past(&self, at: usize) -> usize {
        self.partner(at).filter(|close| *close > at).map_or(at + 1, |close| close + 1)
    }

    pub(super) fn is_first_on_line(&self, at: usize) -> bool {
        self.first_on_line(at) == at
    }

    pub(super) fn is_last_on_line(&self, at: usize) -> bool {
        self.last_on_line(at) == at
    }

    pub(super) fn first_on_line(&self, at: usize) -> usize {
        self.reach.get(at).map_or(at, |reach| reach.0)
    }

    pub(super) fn last_on_line(&self, at: usize) -> usize {
        self.reach.get(at).map_or(at, |reach| reach.1)
    }

    /// How far the line of a token is indented.
    pub(super) fn indent(&self, at: usize) -> &'a str {
        let (start, end) = self.lines.range(self.line(at));
        let line = self.text.get(start..end).unwrap_or_default();
        &line[..line.len() - line.trim_start().len()]
    }

    /// Tells whether there is space on both sides of a token, or on none.
    pub(super) fn spacing(&self, at: usize) -> (bool, bool) {
        let Some(token) = self.tokens.get(at) else { return (false, false) };
        let before = self.text[..token.start].ends_with(char::is_whitespace);
        let after = self.text[token.end..].starts_with(char::is_whitespace);
        (before, after)
    }

    /// Tells whether a value ends with this token.
    pub(super) fn is_operand_end(&self, at: usize) -> bool {
        match self.kind(at) {
            Some(Kind::Word) => !KEYWORDS.contains(&self.word(at)),
            Some(Kind::Number | Kind::Text | Kind::Opaque) => true,
            Some(Kind::Mark) => matches!(self.word(at), ")" | "]" | "}" | "?" | "++" | "--" | "!!"),
            None => false,
        }
    }

    /// Tells whether a value may begin with this token.
    pub(super) fn is_operand_start(&self, at: usize) -> bool {
        match self.kind(at) {
            Some(Kind::Word | Kind::Number | Kind::Text | Kind::Opaque) => true,
            Some(Kind::Mark) => {
                matches!(
                    self.word(at),
                    "(" | "["
                        | "-"
                        | "&"
                        | "*"
                        | "!"
                        | "@"
                        | ":"
                        | "."
                        | "{"
                        | "~"
                        | "|"
                        | "::"
                        | "+"
                )
            }
            None => false,
        }
    }

    /// The innermost function around a token.
    pub(super) fn function_at(&self, at: usize) -> Option<&Function> {
        let before = self.functions.partition_point(|function| function.body.0 < at);
        let around = self.functions[..before].iter().rev().take(FUNCTIONS_LOOKED_AT_MAX);
        around.into_iter().find(|function| at <= function.body.1)
    }

    /// Takes a candidate whose range is in changed lines and whose token may be touched.
    pub(super) fn offer(&self, at: usize, candidate: Candidate, found: &mut Vec<Candidate>) {
        let place = self.places.get(at).copied().unwrap_or(Place::Closed);
        if place != Place::Closed && self.lines.covers(candidate.start, candidate.end) {
            found.push(candidate.reluctant(place == Place::Reluctant));
        }
    }
}

/// Finds for each token the first and the last one on its line. What follows a text that spans lines is on its line.
fn reaches(tokens: &[Token], line: &[usize], lines: &Lines) -> Vec<(usize, usize)> {
    let mut reach: Vec<(usize, usize)> = Vec::with_capacity(tokens.len());
    let mut first = 0;
    let mut ends_on = 0;
    for (at, token) in tokens.iter().enumerate() {
        if line[at] > ends_on {
            for before in &mut reach[first..] {
                before.1 = at - 1;
            }
            first = at;
        }
        reach.push((first, at));
        ends_on = lines.line_of(token.end.saturating_sub(1).max(token.start));
    }
    let last = tokens.len().saturating_sub(1);
    for before in &mut reach[first..] {
        before.1 = last;
    }
    reach
}

/// Finds for each bracket the one that belongs to it. One that fits to nothing has none.
fn partners(text: &str, tokens: &[Token]) -> Vec<Option<usize>> {
    let mut partner = vec![None; tokens.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Mark) {
        let close = match text.get(token.start..token.end) {
            Some("(") => ")",
            Some("[") => "]",
            Some("{") => "}",
            Some(mark @ (")" | "]" | "}")) => {
                if open.last().is_some_and(|(_, close)| *close == mark)
                    && let Some((from, _)) = open.pop()
                {
                    partner[at] = Some(from);
                    partner[from] = Some(at);
                }
                continue;
            }
            Some(_) | None => continue,
        };
        open.push((at, close));
    }
    partner
}
