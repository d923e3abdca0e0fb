//! A command line as the commands it is made of.

/// How many commands of a command line are looked at.
const COMMANDS_MAX: usize = 64;

/// Splits a command line into its commands and these into their words.
///
/// Quotes are taken off, redirections left out. Nothing is expanded: `$X` and `$(…)` stay as they are.
/// This is for recognising commands, not for running them, so what is not balanced is read as far as it goes.
pub(crate) fn commands(line: &str) -> Vec<Vec<String>> {
    let mut splitter = Splitter::default();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (splitter.quote, c) {
            (Some('"'), '\\') | (None, '\\') => splitter.push(chars.next().unwrap_or_default()),
            (Some(quote), c) if quote == c => splitter.quote = None,
            (Some(_), c) => splitter.push(c),
            (None, '"' | '\'') => {
                splitter.quote = Some(c);
                splitter.in_word = true;
            }
            (None, '#') if !splitter.in_word => while chars.next_if(|c| *c != '\n').is_some() {},
            (None, '$') if chars.peek() == Some(&'(') => splitter.push(c),
            (None, '(') if splitter.word.ends_with('$') => {
                // What a substitution runs is not what the command runs.
                let mut depth = 1_usize;
                while depth > 0
                    && let Some(c) = chars.next()
                {
                    depth = match c {
                        '(' => depth + 1,
                        ')' => depth - 1,
                        _ => depth,
                    };
                }
            }
            (None, '>' | '<') => {
                splitter.redirect();
                while chars.next_if(|c| matches!(c, '>' | '<' | '&' | '|')).is_some() {}
            }
            (None, '&') if chars.peek() == Some(&'>') => {}
            (None, ';' | '&' | '|' | '\n' | '(' | ')') => splitter.end_command(),
            (None, c) if c.is_whitespace() => splitter.end_word(),
            (None, c) => splitter.push(c),
        }
    }
    splitter.end_command();
    splitter.commands
}

#[derive(Debug, Default)]
struct Splitter {
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    word: String,
    in_word: bool,
    quote: Option<char>,
    /// The next word is the target of a redirection.
    target: bool,
}

impl Splitter {
    fn push(&mut self, c: char) {
        self.word.push(c);
        self.in_word = true;
    }

    fn end_word(&mut self) {
        if !self.in_word {
            return;
        }
        let word = std::mem::take(&mut self.word);
        if !self.target {
            self.words.push(word);
        }
        self.in_word = false;
        self.target = false;
    }

    /// In `2>&1` the number belongs to the redirection.
    fn redirect(&mut self) {
        if self.word.bytes().all(|byte| byte.is_ascii_digit()) {
            self.word.clear();
            self.in_word = false;
        }
        self.end_word();
        self.target = true;
    }

    fn end_command(&mut self) {
        self.end_word();
        self.target = false;
        let words = std::mem::take(&mut self.words);
        if !words.is_empty() && self.commands.len() < COMMANDS_MAX {
            self.commands.push(words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Vec<String> {
        commands(line).iter().map(|words| words.join(" ")).collect()
    }

    #[test]
    fn commands_are_split_at_operators_and_words_at_spaces() {
        for (line, expected) in [
            ("cargo test", vec!["cargo test"]),
            (
                "cd x && cargo  test | tail -5; echo $?",
                vec!["cd x", "cargo test", "tail -5", "echo $?"],
            ),
            ("cargo test 2>&1 >log.txt", vec!["cargo test"]),
            ("cargo test &> log", vec!["cargo test"]),
            ("cargo test < in > out -- x", vec!["cargo test -- x"]),
            ("(cd x; go test)", vec!["cd x", "go test"]),
            ("grep 'cargo test; go test' f", vec!["grep cargo test; go test f"]),
            ("echo \"a \\\" ; b\" c\\ d", vec!["echo a \" ; b c d"]),
            ("x=$(cargo test; true) y", vec!["x=$ y"]),
            ("a # cargo test\nb#c", vec!["a", "b#c"]),
            ("echo 'open ; go test", vec!["echo open ; go test"]),
            ("", vec![]),
        ] {
            assert_eq!(split(line), expected, "{line}");
        }
        assert_eq!(commands("grep 'cargo test' f")[0], ["grep", "cargo test", "f"]);
    }
}
