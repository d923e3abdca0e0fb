//! Whether two texts of a file differ in more than comments and layout, and which lines of it test.

use super::{
    beside,
    code::Code,
    language::{Blocks, Language},
    lex::Kind,
    lines::Lines,
};

/// Tells whether two files of code say the same but for comments, layout, quotes and the commas at the end of lists.
pub fn says_the_same(path: &str, before: &str, now: &str) -> bool {
    let language = Language::of(path, now);
    language.is_code() && said(before, language) == said(now, language)
}

/// The lines of a file of code that belong to tests, counted from one.
pub fn test_lines(path: &str, now: &str) -> Vec<usize> {
    let language = Language::of(path, now);
    if !language.is_code() {
        return Vec::new();
    }
    let lines = Lines::new(now, &[]);
    let code = Code::new(now, language, &lines);
    let mut found: Vec<usize> = Vec::new();
    let mut tests = beside::tests(&code);
    tests.sort_unstable();
    for (first, last) in tests {
        let from = found.last().map_or(1, |line| line + 1).max(code.line(first));
        let past = code.tokens.get(last).map_or(0, |token| lines.line_of(token.end));
        found.extend(from..=past);
    }
    found
}

/// What a file says, word by word; where layout means something, with that.
fn said(text: &str, language: Language) -> Vec<String> {
    let lines = Lines::new(text, &[]);
    let code = Code::new(text, language, &lines);
    let mut words = Vec::with_capacity(code.tokens.len());
    for at in 0..code.tokens.len() {
        let word = code.word(at);
        let closes = matches!(code.word(at + 1), ")" | "]" | "}");
        if matches!(word, ",") && closes || (word == ";" && language.ends_by_line()) {
            continue;
        }
        if language.blocks() == Blocks::Indent && code.is_first_on_line(at) {
            words.push(code.indent(at).to_owned());
        }
        let is_text = code.kind(at) == Some(Kind::Text) && language != Language::Rust;
        words.push(if is_text { word.replace('\'', "\"") } else { word.to_owned() });
    }
    words
}
