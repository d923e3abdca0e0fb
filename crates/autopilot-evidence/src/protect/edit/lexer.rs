//! Takes text apart into lines of code, without what stands in strings and comments.

use super::language::{Quote, Syntax};

/// A line, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    /// The line as it is, without its end.
    pub(super) raw: &'a str,
    /// Its code: without comments, strings as a pair of quotes.
    pub(super) code: String,
    /// It begins outside of strings and comments.
    pub(super) is_neutral: bool,
    /// How many brackets are open where it begins.
    pub(super) depth: usize,
    /// The fewest that are open on it.
    pub(super) depth_least: usize,
    /// The innermost bracket that is open where it begins, and the line that opened it.
    pub(super) within: Option<(u8, usize)>,
}

impl Line<'_> {
    /// Tells whether there is no code on it.
    pub(super) fn is_silent(&self) -> bool {
        self.is_neutral && self.code.trim().is_empty()
    }

    /// The width of the space before its first character.
    pub(super) fn indent(&self) -> usize {
        self.raw.len() - self.raw.trim_start_matches([' ', '\t']).len()
    }
}

/// A text as lines.
#[derive(Clone, Debug)]
pub(super) struct Text<'a> {
    pub(super) lines: Vec<Line<'a>>,
    /// The first line that could not be read with certainty, from 1.
    pub(super) doubt: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Code,
    String(Quote),
    /// A raw string of Rust with so many `#`.
    Raw(usize),
    /// A comment within so many.
    Comment(usize),
}

/// Takes a text apart.
pub(super) fn lex<'a>(text: &'a str, syntax: &Syntax) -> Text<'a> {
    let mut lexer =
        Lexer { syntax, state: State::Code, stack: Vec::new(), templates: 0, at: 0, doubt: None };
    let mut lines: Vec<Line<'a>> = Vec::new();
    for raw in text.split('\n') {
        let raw = raw.strip_suffix('\r').unwrap_or(raw);
        lexer.at = lines.len();
        lines.push(lexer.line(raw));
    }
    if lines.last().is_some_and(|line| line.raw.is_empty()) {
        lines.pop();
    }
    if !matches!(lexer.state, State::Code) || !lexer.stack.is_empty() {
        lexer.doubts();
    }
    Text { lines, doubt: lexer.doubt }
}

struct Lexer<'s> {
    syntax: &'s Syntax,
    state: State,
    /// Open brackets and the lines that opened them; `$` is code in a template.
    stack: Vec<(u8, usize)>,
    /// How many of them are `$`.
    templates: usize,
    at: usize,
    doubt: Option<usize>,
}

impl Lexer<'_> {
    fn doubts(&mut self) {
        self.doubt.get_or_insert(self.at + 1);
    }

    fn line<'a>(&mut self, raw: &'a str) -> Line<'a> {
        let mut line = Line {
            raw,
            code: String::new(),
            is_neutral: matches!(self.state, State::Code),
            depth: self.stack.len(),
            depth_least: self.stack.len(),
            within: self.stack.last().copied(),
        };
        let mut rest = raw;
        while !rest.is_empty() {
            rest = match self.state {
                State::Code => self.code(rest, &mut line.code),
                State::String(quote) => self.string(rest, quote, &mut line.code),
                State::Raw(hashes) => self.raw_string(rest, hashes),
                State::Comment(depth) => self.comment(rest, depth),
            };
            line.depth_least = line.depth_least.min(self.stack.len());
        }
        if let State::String(quote) = self.state
            && !quote.lines
            && !(quote.escapes && raw.ends_with('\\'))
        {
            self.doubts();
            self.state = State::Code;
        }
        line
    }

    /// Reads one thing of code, gives what is left.
    fn code<'t>(&mut self, rest: &'t str, code: &mut String) -> &'t str {
        if self.begins_comment(rest, code) {
            return "";
        }
        if let Some((open, _)) = self.syntax.block_comment
            && let Some(after) = rest.strip_prefix(open)
        {
            self.state = State::Comment(1);
            code.push(' ');
            return after;
        }
        if self.syntax.rust
            && let Some(after) = self.rust(rest, code)
        {
            return after;
        }
        if let Some(quote) = self.syntax.quotes.iter().find(|quote| rest.starts_with(quote.open)) {
            self.state = State::String(*quote);
            if self.templates == 0 {
                code.push('"');
            }
            return &rest[quote.open.len()..];
        }
        let c = rest.chars().next().unwrap_or_default();
        let after = &rest[c.len_utf8()..];
        if self.syntax.shell && c == '\\' {
            return after.chars().next().map_or("", |next| &after[next.len_utf8()..]);
        }
        if self.syntax.regex && c == '/' && begins_value(code) {
            return self.regex(after, code);
        }
        // What stands in a template is neither on this level nor a level of its own.
        let is_outside = self.templates == 0;
        self.bracket(c);
        if is_outside {
            code.push(c);
        }
        after
    }

    fn begins_comment(&self, rest: &str, code: &str) -> bool {
        let begins = self.syntax.line_comments.iter().any(|mark| rest.starts_with(mark));
        let is_attribute = rest.starts_with("#[") && self.syntax.line_comments.contains(&"//");
        let in_word = self.syntax.shell && code.ends_with(|c: char| !c.is_whitespace() && c != ';');
        begins && !is_attribute && !in_word
    }

    fn bracket(&mut self, c: char) {
        let close = match c {
            '(' | '[' if self.syntax.shell => return,
            ')' | ']' if self.syntax.shell => return,
            '(' | '[' | '{' => {
                self.stack.push((c as u8, self.at));
                return;
            }
            ')' => b'(',
            ']' => b'[',
            '}' => b'{',
            _ => return,
        };
        match self.stack.pop() {
            Some((open, _)) if open == close => {}
            Some((b'$', _)) if close == b'{' => {
                self.templates -= 1;
                let template = self.syntax.quotes.iter().find(|quote| quote.template);
                self.state = template.map_or(State::Code, |quote| State::String(*quote));
            }
            _ => self.doubts(),
        }
    }

    fn string<'t>(&mut self, rest: &'t str, quote: Quote, code: &mut String) -> &'t str {
        let close = quote.close.as_bytes()[0];
        let stops = |byte: u8| byte == close || byte == b'\\' || byte == b'$';
        let Some(at) = rest.bytes().position(stops) else {
            return "";
        };
        let rest = &rest[at..];
        if let Some(after) = rest.strip_prefix(quote.close) {
            self.state = State::Code;
            if self.templates == 0 {
                code.push('"');
            }
            return after;
        }
        if quote.template
            && let Some(after) = rest.strip_prefix("${")
        {
            self.stack.push((b'$', self.at));
            self.templates += 1;
            self.state = State::Code;
            return after;
        }
        let skipped = if quote.escapes && rest.starts_with('\\') { 2 } else { 1 };
        rest.char_indices().nth(skipped).map_or("", |(at, _)| &rest[at..])
    }

    fn raw_string<'t>(&mut self, rest: &'t str, hashes: usize) -> &'t str {
        let close = format!("\"{}", "#".repeat(hashes));
        match rest.find(&close) {
            Some(at) => {
                self.state = State::Code;
                &rest[at + close.len()..]
            }
            None => "",
        }
    }

    fn comment<'t>(&mut self, rest: &'t str, depth: usize) -> &'t str {
        let Some((open, close)) = self.syntax.block_comment else {
            self.state = State::Code;
            return rest;
        };
        let marks = |at: &usize| {
            let here = &rest.as_bytes()[*at..];
            here.starts_with(close.as_bytes())
                || (self.syntax.rust && here.starts_with(open.as_bytes()))
        };
        let Some(at) = (0..rest.len()).find(marks) else {
            return "";
        };
        self.state = match rest[at..].starts_with(close) {
            true if depth == 1 => State::Code,
            true => State::Comment(depth - 1),
            false => State::Comment(depth + 1),
        };
        &rest[at + close.len()..]
    }

    /// Raw strings, characters and lifetimes.
    fn rust<'t>(&mut self, rest: &'t str, code: &mut String) -> Option<&'t str> {
        if let Some(after) = rest.strip_prefix('\'') {
            let mut chars = after.chars();
            let first = chars.next()?;
            if first == '\\' {
                let end = after.get(2..)?.find('\'')?;
                return Some(&after[2 + end + 1..]);
            }
            code.push('\'');
            return Some(match chars.next() {
                Some('\'') => chars.as_str(),
                _ => after,
            });
        }
        let in_word = code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let body = rest.strip_prefix("br").or(rest.strip_prefix("cr")).or(rest.strip_prefix('r'))?;
        let hashes = body.len() - body.trim_start_matches('#').len();
        let after = body[hashes..].strip_prefix('"').filter(|_| !in_word)?;
        self.state = State::Raw(hashes);
        code.push_str("\"\"");
        Some(after)
    }

    fn regex<'t>(&mut self, rest: &'t str, code: &mut String) -> &'t str {
        let mut in_set = false;
        let mut chars = rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => {
                    chars.next();
                }
                '[' => in_set = true,
                ']' => in_set = false,
                '/' if !in_set => {
                    code.push_str("\"\"");
                    return &rest[at + 1..];
                }
                _ => {}
            }
        }
        self.doubts();
        ""
    }
}

/// Tells whether a value can begin after some code, so that `/` is no division.
fn begins_value(code: &str) -> bool {
    let before = code.trim_end();
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    match before.chars().next_back() {
        None => true,
        Some(c) if "(,=:[!&|?{};+-*%~^<>".contains(c) => true,
        Some(_) => {
            matches!(word, "return" | "typeof" | "case" | "in" | "of" | "if" | "when" | "and")
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::protect::edit::language::Language;

    fn code(language: Language, text: &str) -> String {
        let text = lex(text, &language.syntax());
        assert_eq!(text.doubt, None);
        text.lines.iter().map(|line| line.code.trim_end()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn strings_and_comments_are_no_code() {
        use Language::*;
        for (language, text, wanted) in [
            (Rust, "a(\"}\"); // }\nb('{', '\\'', &'x y)", "a(\"\");|b(', , &'x y)"),
            (Rust, "r#\"a \" }\"# /* { /* } */ { */ x", "\"\"   x"),
            (Rust, "var\"}\"", "var\"\""),
            (Python, "a = '''\n} # \n''' + \"#\" # {", "a = \"||\" + \"\""),
            (JavaScript, "x(/[/'\"]}/, a / b)\n`a ${f({})} }`", "x(\"\", a / b)|\"\""),
            (JavaScript, "`a\n}`;", "\"|\";"),
            (Go, "a := `\\`\nb := '\\''", "a := \"\"|b := \"\""),
            (CSharp, "f(@\"a\\\", \"}\");", "f(\"\", \"\");"),
            (Php, "#[Test]\nf('it\\'s'); # }", "#[Test]|f(\"\");"),
            (Shell, "a=\"}\n{\" '\\' \\} ${#x} # {", "a=\"|\" \"\"  ${#x}"),
            (Ruby, "x = \"#{y}}\" # {\nz =~ /\"/", "x = \"\"|z =~ \"\""),
        ] {
            assert_eq!(code(language, text), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_not_closed_is_in_doubt() {
        use Language::*;
        for (language, text, line) in [
            (Rust, "fn a() {\n", 2),
            (Rust, "a)\n", 1),
            (Rust, "(]\n", 1),
            (JavaScript, "x\nit's\n", 2),
            (JavaScript, "`a", 1),
            (Python, "'''\n", 2),
            (Go, "/* a", 1),
        ] {
            assert_eq!(lex(text, &language.syntax()).doubt, Some(line), "{text}");
        }
    }

    #[test]
    fn a_line_knows_what_it_stands_in() {
        let text = lex("mod t {\n  f(\n  );\n}\n", &Language::Rust.syntax());
        let within: Vec<_> = text.lines.iter().map(|line| line.within).collect();
        assert_eq!(within, [None, Some((b'{', 0)), Some((b'(', 1)), Some((b'{', 0))]);
        assert_eq!(text.lines[3].depth_least, 0);
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "[a\\n'\"`\\\\/*#(){}\\[\\]$@r é]{0,60}") {
            use Language::*;
            for language in [Rust, Python, JavaScript, Go, Java, Kotlin, CSharp, Php, Ruby, Shell, Other] {
                let lines = lex(&text, &language.syntax()).lines;
                prop_assert_eq!(lines.len(), text.lines().count().max(lines.len().min(text.len())));
            }
        }
    }
}
