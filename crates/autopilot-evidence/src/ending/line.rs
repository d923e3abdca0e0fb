//! A command line as the parts that its operators join.

use crate::counts::{commands, unwrapped};

/// A part of a command line and what joins it to the part before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) joined: Join,
    /// Where the join starts; 0 for the first part.
    pub(crate) start: usize,
    /// Where the join ends.
    pub(crate) from: usize,
    /// Where the part itself ends; a comment may follow.
    pub(crate) end: usize,
    pub(crate) text: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    First,
    Then,
    And,
    Or,
    Pipe,
    Background,
}

impl Part<'_> {
    /// The name of the program.
    pub(crate) fn program(&self) -> &str {
        name_of(self.text.split_whitespace().next().unwrap_or(""))
    }

    /// The word after the program.
    pub(crate) fn argument(&self) -> &str {
        self.text.split_whitespace().nth(1).unwrap_or("")
    }

    /// What stands between the brackets, where the part is a group as a whole.
    pub(crate) fn inside(&self) -> Option<&str> {
        match self.text.as_bytes() {
            [b'(', .., b')'] | [b'{', .., b'}'] => {
                Some(self.text[1..self.text.len() - 1].trim().trim_end_matches(';'))
            }
            _ => None,
        }
    }

    /// Its words from the program on, without quotes and redirections; `None` where it is more than one command.
    pub(crate) fn words(&self) -> Option<Vec<String>> {
        let found = commands(self.inside().unwrap_or(self.text));
        let [only] = found.as_slice() else { return None };
        let words: Vec<&str> = only.iter().map(String::as_str).collect();
        Some(unwrapped(&words).iter().map(|word| (*word).to_owned()).collect())
    }
}

/// The name of a program of the system without its directory; one of the project keeps it.
pub(crate) fn name_of(word: &str) -> &str {
    let directories = ["/usr/bin/", "/bin/"];
    directories.iter().find_map(|directory| word.strip_prefix(directory)).unwrap_or(word)
}

/// Splits a command line at the operators that are outside of quotes and groups; `None` where one of these is open.
pub(crate) fn split(command: &str) -> Option<Vec<Part<'_>>> {
    let mut reader =
        Reader { bytes: command.as_bytes(), at: 0, open: Vec::new(), starts: true, comment: None };
    let mut parts = Vec::new();
    let (mut joined, mut start, mut from) = (Join::First, 0, 0);
    while reader.at < reader.bytes.len() {
        let at = reader.at;
        if let Some((join, length)) = reader.step()? {
            let end = reader.comment.take().unwrap_or(at);
            parts.push(Part { joined, start, from, end, text: command[from..end].trim() });
            (joined, start, from) = (join, at, at + length);
        }
    }
    if !reader.open.is_empty() {
        return None;
    }
    let end = reader.comment.unwrap_or(command.len());
    parts.push(Part { joined, start, from, end, text: command.get(from..end)?.trim() });
    Some(parts)
}

/// What is open at some place of a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// `(` or `$(`.
    Paren,
    /// `{` where a command may stand.
    Brace,
    /// `${`.
    Parameter,
    DoubleQuote,
    Backtick,
    /// `case` up to its `in`.
    CaseWord,
    /// Where a pattern of a `case` may begin.
    CasePattern,
    /// Within a pattern of a `case`, up to its `)`.
    InPattern,
    /// What a `case` does for a pattern.
    CaseBody,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    open: Vec<Open>,
    /// Whether a command may start here, and so a word be a keyword.
    starts: bool,
    /// Where the comment of the current part begins.
    comment: Option<usize>,
}

impl Reader<'_> {
    /// Reads on by a step, and tells the operator that it was, if it was one outside of everything.
    fn step(&mut self) -> Option<Option<(Join, usize)>> {
        let byte = self.bytes[self.at];
        if self.top() == Some(Open::DoubleQuote) && !matches!(byte, b'\\' | b'"' | b'`' | b'$') {
            self.at += 1;
            return Some(None);
        }
        match byte {
            b'\\' => self.plain(2),
            b'\'' => {
                let length = self.bytes[self.at + 1..].iter().position(|one| *one == b'\'')?;
                self.plain(length + 2);
            }
            b'"' => self.toggle(Open::DoubleQuote),
            b'`' => self.toggle(Open::Backtick),
            b'$' if self.next() == Some(b'(') => self.enter(Open::Paren, 2),
            b'$' if self.next() == Some(b'{') && self.top() != Some(Open::DoubleQuote) => {
                self.enter(Open::Parameter, 2);
            }
            b'}' if self.top() == Some(Open::Parameter) => self.leave(),
            b'(' if self.top() == Some(Open::CasePattern) => {
                self.turn(Open::InPattern);
                self.at += 1;
            }
            b'(' => self.enter(Open::Paren, 1),
            b')' => self.close_paren()?,
            b'#' if self.starts_word() => self.skip_comment(),
            b';' if self.top() == Some(Open::CaseBody)
                && matches!(self.next(), Some(b';' | b'&')) =>
            {
                self.turn(Open::CasePattern);
                self.at += 2;
            }
            b' ' | b'\t' | b'\r' | b'<' | b'>' => self.at += 1,
            b';' | b'\n' | b'|' | b'&' => return Some(self.operator(byte)),
            _ => self.word(),
        }
        Some(None)
    }

    fn top(&self) -> Option<Open> {
        self.open.last().copied()
    }

    fn next(&self) -> Option<u8> {
        self.bytes.get(self.at + 1).copied()
    }

    fn before(&self) -> Option<u8> {
        self.at.checked_sub(1).map(|at| self.bytes[at])
    }

    fn plain(&mut self, length: usize) {
        if self.top() == Some(Open::CasePattern) {
            self.turn(Open::InPattern);
        }
        self.at += length;
        self.starts = false;
    }

    fn toggle(&mut self, quote: Open) {
        if self.top() == Some(quote) {
            self.leave();
        } else {
            if self.top() == Some(Open::CasePattern) {
                self.turn(Open::InPattern);
            }
            self.enter(quote, 1);
        }
    }

    fn enter(&mut self, what: Open, length: usize) {
        self.open.push(what);
        self.at += length;
        self.starts = true;
    }

    fn leave(&mut self) {
        self.open.pop();
        self.at += 1;
        self.starts = false;
    }

    fn turn(&mut self, into: Open) {
        self.open.pop();
        self.open.push(into);
        self.starts = true;
    }

    /// A `)` ends a group, or the pattern of a `case`.
    fn close_paren(&mut self) -> Option<()> {
        match self.top()? {
            Open::Paren => {
                // `name()` stands before the body of a function.
                let is_function = self.before() == Some(b'(');
                self.leave();
                self.starts = is_function;
            }
            Open::InPattern | Open::CasePattern => {
                self.turn(Open::CaseBody);
                self.at += 1;
            }
            Open::Brace
            | Open::Parameter
            | Open::DoubleQuote
            | Open::Backtick
            | Open::CaseWord
            | Open::CaseBody => return None,
        }
        Some(())
    }

    fn starts_word(&self) -> bool {
        let is_in_code = !matches!(self.top(), Some(Open::Parameter | Open::DoubleQuote));
        is_in_code && self.before().is_none_or(|byte| b" \t\n;|&(".contains(&byte))
    }

    fn skip_comment(&mut self) {
        if self.open.is_empty() {
            self.comment.get_or_insert(self.at);
        }
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    }

    /// Reads an operator; `>&`, `&>` and `2>&1` are redirections.
    fn operator(&mut self, byte: u8) -> Option<(Join, usize)> {
        let (before, next) = (self.before(), self.next());
        let found = match (byte, next) {
            (b';' | b'\n', _) => Some((Join::Then, 1)),
            (b'|', Some(b'|')) => Some((Join::Or, 2)),
            (b'|', Some(b'&')) => Some((Join::Pipe, 2)),
            (b'|', _) if before != Some(b'>') => Some((Join::Pipe, 1)),
            (b'&', Some(b'&')) => Some((Join::And, 2)),
            (b'&', after) if !matches!(before, Some(b'>' | b'<')) && after != Some(b'>') => {
                Some((Join::Background, 1))
            }
            _ => None,
        };
        self.at += found.map_or(1, |(_, length)| length);
        self.starts |= found.is_some();
        found.filter(|_| self.open.is_empty())
    }

    /// Reads a word, which may be a keyword where a command may start.
    fn word(&mut self) {
        let rest = &self.bytes[self.at..];
        let ends = |byte: &u8| b" \t\r\n;|&()<>\"'`\\$".contains(byte);
        // In `${…}` the closing brace may follow at once.
        let in_parameter = self.top() == Some(Open::Parameter);
        let end = |byte: &u8| ends(byte) || in_parameter && *byte == b'}';
        let length = rest.iter().position(end).unwrap_or(rest.len()).max(1);
        let is_whole = rest.get(length).is_none_or(|byte| b" \t\r\n;|&()<>".contains(byte));
        let word = if is_whole { &rest[..length] } else { b"" };
        let starts = std::mem::replace(&mut self.starts, false);
        self.at += length;
        match (word, self.top()) {
            (b"in", Some(Open::CaseWord)) => self.turn(Open::CasePattern),
            (b"esac", Some(Open::CasePattern)) => self.close_case(),
            (_, Some(Open::CasePattern)) => self.turn(Open::InPattern),
            (b"esac", Some(Open::CaseBody)) if starts => self.close_case(),
            (b"}", Some(Open::Brace)) if starts => self.close_case(),
            (b"case", top) if starts && top != Some(Open::Parameter) => {
                self.open.push(Open::CaseWord);
            }
            (b"{", top) if starts && top != Some(Open::Parameter) => {
                self.open.push(Open::Brace);
                self.starts = true;
            }
            (b"then" | b"do" | b"else" | b"elif" | b"if" | b"while" | b"until" | b"!", _) => {
                self.starts = starts;
            }
            _ => {}
        }
    }

    fn close_case(&mut self) {
        self.open.pop();
        self.starts = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(command: &str) -> Option<Vec<&str>> {
        split(command).map(|parts| parts.iter().map(|part| part.text).collect())
    }

    #[test]
    fn operators_split_outside_of_quotes_groups_and_cases_only() {
        let rows: [(&str, &[&str]); 19] = [
            ("a; b", &["a", "b"]),
            ("a && b | c & d || e", &["a", "b", "c", "d", "e"]),
            ("test \"$(grep \"a|b\" f)\" = x | c", &["test \"$(grep \"a|b\" f)\" = x", "c"]),
            ("x=`a | b`; c", &["x=`a | b`", "c"]),
            ("echo ${x%;*} | c", &["echo ${x%;*}", "c"]),
            ("echo ${x}; c", &["echo ${x}", "c"]),
            ("grep -c } f; c", &["grep -c } f", "c"]),
            ("find . -exec a {} \\; | c", &["find . -exec a {} \\;", "c"]),
            ("f() { a; b; }; f", &["f() { a; b; }", "f"]),
            ("{ a; }; b", &["{ a; }", "b"]),
            ("case x in x) a;; esac; b", &["case x in x) a;; esac", "b"]),
            ("case $x in (a|b) c ;; *) d; esac | e", &["case $x in (a|b) c ;; *) d; esac", "e"]),
            ("case x in\n'a b') c;;\nesac\nb", &["case x in\n'a b') c;;\nesac", "b"]),
            ("y=$(case x in x) a;; esac); b", &["y=$(case x in x) a;; esac)", "b"]),
            ("echo case; b", &["echo case", "b"]),
            ("a # it's; c\nb", &["a", "b"]),
            ("a#b; c", &["a#b", "c"]),
            ("a 2>&1 &> l >| m; b", &["a 2>&1 &> l >| m", "b"]),
            ("if a; then case b in c) d;; esac; fi", &["if a", "then case b in c) d;; esac", "fi"]),
        ];
        for (command, expected) in rows {
            assert_eq!(texts(command).as_deref(), Some(expected), "{command}");
        }
    }

    #[test]
    fn what_is_left_open_is_told() {
        for command in
            ["echo 'a", "echo \"a", "a )", "( a", "{ a", "case x in x) a", "echo `a", "${a", "a\n'"]
        {
            assert_eq!(texts(command), None, "{command}");
        }
    }
}
