//! Mutations of shell scripts.

use super::{
    candidate::{Candidate, Rank, short},
    lines::Lines,
    shell_words::{self, ShellWord},
    words::{broken, other_number},
};

/// Words after which a command begins.
const OPENERS: [&str; 12] =
    ["if", "then", "else", "elif", "do", "while", "until", "!", "{", "time", "in", "case"];

/// First words of commands that are not taken out.
const KEPT: [&str; 22] = [
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac",
    "function", "in", "{", "}", "[", "[[", "return", "exit", "break", "continue",
];

/// First words of commands that prepare, or that tell people something.
const RELUCTANT: [&str; 7] = ["set", "source", ".", "shopt", "trap", "log", "shift"];

/// How many words a condition may have.
const GUARD_WORDS_MAX: usize = 40;

/// All mutations of changed lines.
pub(super) fn candidates(text: &str, lines: &Lines, found: &mut Vec<Candidate>) {
    let script = shell_words::read(text);
    let words = script.words.as_slice();
    let shell = Shell { text, lines, words };
    let mut first = 0;
    let mut in_test = false;
    let mut past_guard = 0;
    for (at, place) in words.iter().enumerate() {
        if let Some(past) = shell.guard(at, found) {
            past_guard = past;
        }
        if at < past_guard {
            first = past_guard;
            continue;
        }
        if shell.begins_command(at) {
            first = at;
        }
        let word = shell.word(at);
        in_test = (in_test && word != "]]" && word != "\n") || word == "[[";
        let is_test = in_test || matches!(shell.word(first), "[" | "test");
        if lines.is_changed(lines.line_of(place.start)) {
            shell.mutate(at, first, is_test, found);
        }
    }
    for (start, end) in script.documents {
        let line = text.get(start..end).unwrap_or_default();
        if line.contains(char::is_alphabetic) {
            let to = broken(line);
            found.push(Candidate::replace(text, (start, end), to, Rank::Literal));
        }
    }
}

struct Shell<'a> {
    text: &'a str,
    lines: &'a Lines,
    words: &'a [ShellWord],
}

impl Shell<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).and_then(|word| self.text.get(word.start..word.end)).unwrap_or_default()
    }

    fn is_operator(&self, at: usize) -> bool {
        self.words.get(at).is_none_or(|word| word.is_operator)
    }

    fn begins_command(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        let is_redirection = self.word(before).contains(['<', '>']);
        (self.is_operator(before) && !is_redirection) || OPENERS.contains(&self.word(before))
    }

    /// A condition under which a script does nothing but fail: the opposite would have it fail whenever it is called, which
    /// a test notices that looks at nothing. Says where the condition is over.
    fn guard(&self, at: usize, found: &mut Vec<Candidate>) -> Option<usize> {
        if self.word(at) == "||" && self.fails(at + 1) {
            let ShellWord { start, end, .. } = self.words[at + 1];
            if self.lines.covers(start, end) {
                let what = format!("`{}` does not happen", self.word(at + 1));
                found.push(Candidate::told((start, end), ":".to_owned(), what, Rank::Condition));
            }
            return Some(at + 2);
        }
        let is_test = |at: usize| self.word(at) == "[";
        let opens = is_test(at) && self.begins_command(at);
        let conditions = self.word(at) == "if" && is_test(at + 1);
        if !opens && !conditions {
            return None;
        }
        let close =
            (at..self.words.len()).take(GUARD_WORDS_MAX).find(|at| self.word(*at) == "]")?;
        if opens {
            let fails = self.word(close + 1) == "||" && self.fails(close + 2);
            return fails.then_some(close + 1);
        }
        let mut then = close + 1;
        while matches!(self.word(then), ";" | "\n" | "then") {
            then += 1;
        }
        while matches!(self.word(then), "echo" | "printf") {
            let line =
                (then..self.words.len()).take_while(|at| !matches!(self.word(*at), "\n" | ";"));
            let (length, is_error) = line
                .fold((0, false), |(count, told), at| (count + 1, told || self.word(at) == ">&"));
            then += length + 1;
            if !is_error {
                return None;
            }
        }
        let ShellWord { start, end, .. } = self.words[at + 1];
        if !self.fails(then) {
            return None;
        }
        if self.lines.covers(start, end) {
            let condition = self.text.get(start..self.words[close].end).unwrap_or_default();
            let what = format!("`{}` is never true", short(condition));
            let to = "false && [".to_owned();
            found.push(Candidate::told((start, end), to, what, Rank::Condition));
        }
        Some(close + 1)
    }

    /// Tells whether a command ends a script or a function with a failure.
    fn fails(&self, at: usize) -> bool {
        let code = self.word(at + 1);
        matches!(self.word(at), "return" | "exit")
            && !code.is_empty()
            && code.bytes().all(|byte| byte.is_ascii_digit())
            && code != "0"
    }

    fn mutate(&self, at: usize, first: usize, is_test: bool, found: &mut Vec<Candidate>) {
        let word = self.word(at);
        let ShellWord { start, end, is_operator } = self.words[at];
        let mut replace = |to: String, rank: Rank| {
            let candidate = Candidate::replace(self.text, (start, end), to, rank);
            found.push(candidate.reluctant(self.is_reluctant(first)));
        };
        if is_operator {
            match word {
                "&&" => replace("||".to_owned(), Rank::Logic),
                "||" => replace("&&".to_owned(), Rank::Logic),
                _ => {}
            }
        } else if let Some(to) = arithmetic(word) {
            replace(to, if word.starts_with("((") { Rank::Condition } else { Rank::Arithmetic });
        } else if is_test {
            if let Some(to) = other_test(word, self.word(at + 1)) {
                replace(to, Rank::Condition);
            }
        } else if at == first {
            self.command(at, found);
        } else {
            match self.word(first) {
                "exit" | "return"
                    if at == first + 1 && word.bytes().all(|byte| byte.is_ascii_digit()) =>
                {
                    replace(if word == "0" { "1" } else { "0" }.to_owned(), Rank::Returned);
                }
                "echo" | "printf" if !word.starts_with('-') && !self.is_target(at) => {
                    if let Some(to) = broken_word(word) {
                        let is_error = self.word(at + 1) == ">&" || self.word(at + 1) == "2";
                        let candidate =
                            Candidate::replace(self.text, (start, end), to, Rank::Returned);
                        found.push(candidate.reluctant(is_error));
                    }
                }
                "local" | "export" | "readonly" | "declare" => self.assignment(at, found),
                _ => {}
            }
        }
    }

    /// Tells whether a word is where output goes.
    fn is_target(&self, at: usize) -> bool {
        at > 0 && self.word(at - 1).contains(['<', '>'])
    }

    fn is_reluctant(&self, first: usize) -> bool {
        RELUCTANT.contains(&self.word(first))
    }

    /// What can be done with a whole command: the opposite of it, other values, nothing.
    fn command(&self, first: usize, found: &mut Vec<Candidate>) {
        let word = self.word(first);
        let ShellWord { start, end, .. } = self.words[first];
        let is_condition = first > 0 && matches!(self.word(first - 1), "if" | "elif");
        let is_plain = !KEPT.contains(&word) && !matches!(word, "!" | "test" | "((");
        if is_condition && is_plain {
            found.push(Candidate::replace(
                self.text,
                (start, end),
                format!("! {word}"),
                Rank::Condition,
            ));
        } else if word == "!" && is_condition && !self.is_operator(first + 1) {
            let next = self.words[first + 1];
            let to = self.word(first + 1).to_owned();
            found.push(Candidate::replace(self.text, (start, next.end), to, Rank::Condition));
        }
        self.assignment(first, found);
        self.remove(first, found);
    }

    /// `NAME=value` with another value.
    fn assignment(&self, at: usize, found: &mut Vec<Candidate>) {
        let Some((name, value)) = self.word(at).split_once('=') else { return };
        let is_name = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if let Some(to) = broken_word(value).filter(|_| is_name) {
            let ShellWord { start, end, .. } = self.words[at];
            let range = (start + name.len() + 1, end);
            found.push(Candidate::replace(self.text, range, to, Rank::Literal));
        }
    }

    /// A command that is a line by itself does not happen.
    fn remove(&self, first: usize, found: &mut Vec<Candidate>) {
        let is_line_start = first == 0 || self.word(first - 1) == "\n";
        let length = (first..self.words.len()).take_while(|at| self.word(*at) != "\n").count();
        let last = first + length.saturating_sub(1);
        let is_simple = (first..=last).all(|at| {
            !self.is_operator(at) || matches!(self.word(at), "|" | ">" | ">>" | "<" | ">&" | "&>")
        });
        let word = self.word(first);
        let is_opened = (first..=last).any(|at| matches!(self.word(at), "{" | "do" | "then"));
        // A script that lacks what it loads fails wherever it is run.
        let is_kept = KEPT.contains(&word) || matches!(word, ":" | "." | "source");
        if !is_line_start || !is_simple || is_opened || is_kept {
            return;
        }
        let range = (self.words[first].start, self.words[last].end);
        let statement = self.text.get(range.0..range.1).unwrap_or_default();
        if self.lines.covers(range.0, range.1) {
            let what = format!("`{}` does not happen", short(statement));
            let candidate = Candidate::told(range, ":".to_owned(), what, Rank::Removal);
            found.push(candidate.reluctant(self.is_reluctant(first)));
        }
    }
}

fn other_test(word: &str, next: &str) -> Option<String> {
    let to = match word {
        "-eq" => "-ne",
        "-ne" => "-eq",
        "-lt" => "-ge",
        "-ge" => "-lt",
        "-gt" => "-le",
        "-le" => "-gt",
        "=" | "==" => "!=",
        "!=" => "=",
        "-z" => "-n",
        "-n" => "-z",
        "-f" | "-d" | "-e" | "-x" | "-r" | "-w" | "-s" | "-L" | "-h"
            if !matches!(next, "]" | "]]" | "") =>
        {
            return Some(format!("! {word}"));
        }
        _ => return None,
    };
    Some(to.to_owned())
}

/// The first operator of `((…))` or `$((…))`, changed.
fn arithmetic(word: &str) -> Option<String> {
    let open = word.find("((").filter(|at| *at == 0 || word[..*at].ends_with('$'))?;
    let close = word[open..].find("))").map(|at| open + at)?;
    let inside = word.get(open + 2..close)?;
    let operators: [(&str, &str); 10] = [
        ("<=", ">"),
        (">=", "<"),
        ("==", "!="),
        ("!=", "=="),
        (" < ", " >= "),
        (" > ", " <= "),
        (" + ", " - "),
        (" - ", " + "),
        (" * ", " + "),
        (" / ", " * "),
    ];
    let (from, to) = operators.into_iter().find(|(from, _)| inside.contains(from))?;
    Some(format!("{}{}{}", &word[..open + 2], inside.replacen(from, to, 1), &word[close..]))
}

/// A word with other text in it, in the same quotes.
fn broken_word(word: &str) -> Option<String> {
    if word.contains("$(") || word.contains('`') || word.is_empty() {
        return None;
    }
    for quote in ['"', '\''] {
        let inner = word.strip_prefix(quote).and_then(|word| word.strip_suffix(quote));
        if let Some(inner) = inner.filter(|inner| !inner.contains(quote) && !inner.contains('\n')) {
            return Some(format!("{quote}{}{quote}", broken(inner)));
        }
    }
    if let Some(number) = other_number(word) {
        return Some(number);
    }
    let is_plain = word.chars().all(|c| c.is_alphanumeric() || "-_./:%,+@".contains(c));
    is_plain.then(|| broken(word))
}
