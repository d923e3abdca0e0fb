//! Shell scripts as words and operators; comments are left out, documents are kept apart.

/// A word or an operator.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShellWord {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_operator: bool,
}

/// A script, taken apart.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) words: Vec<ShellWord>,
    /// The lines of documents: from where to where each goes.
    pub(super) documents: Vec<(usize, usize)>,
}

/// Operators, the longest first. The end of a line is one.
const OPERATORS: [&str; 20] = [
    ";;&", "<<<", "<<-", ";;", ";&", "&&", "||", "|&", "&>", ">>", ">&", "<&", "<<", ">|", ";",
    "|", "&", "(", ")", "<",
];

/// What a word may hold that does not end at a space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Single,
    Double,
    Backtick,
    Parenthesis,
    Brace,
}

/// Takes a script apart.
pub(super) fn read(text: &str) -> Script {
    let mut script = Script::default();
    let bytes = text.as_bytes();
    let mut endings: Vec<String> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        if rest[0] == b'\n' {
            script.words.push(ShellWord { start: at, end: at + 1, is_operator: true });
            at += 1;
            for ending in std::mem::take(&mut endings) {
                at = document(text, at, &ending, &mut script.documents);
            }
        } else if rest[0].is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with(b"\\\n") || rest.starts_with(b"\\\r\n") {
            at += rest.iter().position(|byte| *byte == b'\n').map_or(1, |end| end + 1);
        } else if rest[0] == b'#' {
            at = line_end(bytes, at);
        } else if let Some(end) = arithmetic_end(text, at) {
            script.words.push(ShellWord { start: at, end, is_operator: false });
            at = end;
        } else if let Some(operator) = operator(text, at) {
            let end = at + operator.len();
            script.words.push(ShellWord { start: at, end, is_operator: true });
            if matches!(operator, "<<" | "<<-") {
                endings.extend(ending(text, end));
            }
            at = end;
        } else {
            let end = word_end(text, at).max(at + 1);
            script.words.push(ShellWord { start: at, end, is_operator: false });
            at = end;
        }
    }
    script
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| from + at)
}

fn operator(text: &str, at: usize) -> Option<&'static str> {
    let rest = text.get(at..)?;
    if rest.starts_with('>')
        && !rest.starts_with(">>")
        && !rest.starts_with(">&")
        && !rest.starts_with(">|")
    {
        return Some(">");
    }
    OPERATORS.into_iter().find(|operator| rest.starts_with(operator))
}

/// `((…))`, on one line.
fn arithmetic_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?.strip_prefix("((")?;
    let end = rest.lines().next()?.find("))")?;
    Some(at + 2 + end + 2)
}

/// The word that ends a document whose operator ends at a place.
fn ending(text: &str, at: usize) -> Option<String> {
    let rest = text.get(at..)?.trim_start_matches([' ', '\t']);
    let word: String =
        rest.chars().take_while(|c| !c.is_whitespace() && !";|&<>)".contains(*c)).collect();
    let word: String = word.chars().filter(|c| !matches!(c, '\'' | '"' | '\\')).collect();
    (!word.is_empty()).then_some(word)
}

/// Notes the lines of a document, and gives the place after its ending.
fn document(text: &str, mut at: usize, ending: &str, lines: &mut Vec<(usize, usize)>) -> usize {
    while at < text.len() {
        let end = line_end(text.as_bytes(), at);
        let line = text.get(at..end).unwrap_or_default();
        if line.trim() == ending {
            return end;
        }
        lines.push((at, at + line.trim_end_matches('\r').len()));
        at = (end + 1).min(text.len());
    }
    at
}

/// Goes over a word once, however its quotes and substitutions are nested.
fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut stack: Vec<Inside> = Vec::new();
    let mut at = start;
    while at < bytes.len() {
        let byte = bytes[at];
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        match stack.last() {
            Some(Inside::Single) => {
                if byte == b'\'' {
                    stack.pop();
                }
            }
            _ if byte == b'\\' => at += 1,
            Some(Inside::Double) if byte == b'"' => {
                stack.pop();
            }
            Some(Inside::Backtick) if byte == b'`' => {
                stack.pop();
            }
            Some(Inside::Parenthesis) if byte == b')' => {
                stack.pop();
            }
            Some(Inside::Brace) if byte == b'}' => {
                stack.pop();
            }
            _ if byte == b'$' && matches!(next, b'(' | b'{') => {
                stack.push(if next == b'(' { Inside::Parenthesis } else { Inside::Brace });
                at += 1;
            }
            Some(Inside::Parenthesis) if byte == b'(' => stack.push(Inside::Parenthesis),
            top => {
                let is_plain = !matches!(top, Some(Inside::Double));
                match byte {
                    b'\'' if is_plain => stack.push(Inside::Single),
                    b'"' => stack.push(Inside::Double),
                    b'`' => stack.push(Inside::Backtick),
                    _ if stack.is_empty()
                        && (byte.is_ascii_whitespace() || b";|&()<>".contains(&byte)) =>
                    {
                        return at;
                    }
                    _ => {}
                }
            }
        }
        at += 1;
    }
    let mut end = at.min(bytes.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}
