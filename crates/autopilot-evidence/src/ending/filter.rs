//! Which filters at the end of a pipe can decide something by their exit code.

use super::line::{Part, name_of};

/// Filters whose exit code is never asked for, in whatever form they stand.
const CUTS: [&str; 6] = ["tail", "head", "cat", "tee", "less", "more"];

/// Filters that end well whatever they read, and their options that take the next word with them.
const FILTERS: [(&str, &str); 13] = [
    ("uniq", "fsw"),
    ("cut", "bcdf"),
    ("nl", "bdfhilnsvw"),
    ("fold", "w"),
    ("column", "stcoN"),
    ("rev", ""),
    ("tac", "s"),
    ("paste", "d"),
    ("wc", ""),
    ("fmt", "w"),
    ("expand", "t"),
    ("unexpand", "t"),
    ("sort", "ktST"),
];

/// Whether a part of a pipe ends well whatever it reads, so that its exit code says nothing.
///
/// What is not known to do so decides: a filter that is given files of its own or words that are not there yet, too.
pub(crate) fn never_decides(part: &Part<'_>) -> bool {
    let Some(words) = part.words() else { return false };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((program, arguments)) = words.split_first() else { return false };
    let program = name_of(program);
    if CUTS.contains(&program) {
        return true;
    }
    if is_expanded(part.text) {
        return false;
    }
    match program {
        "sed" => is_plain_sed(arguments),
        "awk" | "gawk" | "mawk" | "nawk" => is_plain_awk(arguments),
        // Its words are sets of characters.
        "tr" => true,
        "sort" if arguments.iter().any(|word| checks_order(word)) => false,
        _ => {
            FILTERS.iter().any(|(name, values)| *name == program && has_no_files(arguments, values))
        }
    }
}

/// Whether the shell puts words or parts of words in: `$x`, `$(…)`.
fn is_expanded(text: &str) -> bool {
    let mut in_quote = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' => in_quote = !in_quote,
            '`' if !in_quote => return true,
            '$' if !in_quote => {
                let next = chars.peek().copied().unwrap_or(' ');
                if next.is_alphanumeric() || "_{(@*#?!-".contains(next) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Whether no word is the name of a file; `values` are the options that take the next word with them.
fn has_no_files(arguments: &[&str], values: &str) -> bool {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        match word.strip_prefix('-') {
            None => return false,
            Some(option) => {
                let mut letters = option.chars();
                if let (Some(letter), None) = (letters.next(), letters.next())
                    && values.contains(letter)
                {
                    rest.next();
                }
            }
        }
    }
    true
}

/// `sort -c`, `-uC`, `--check`; and `-o`, which writes to a file that may not be writable.
fn checks_order(word: &str) -> bool {
    match (word.strip_prefix("--"), word.strip_prefix('-')) {
        (Some(long), _) => long.is_empty() || long.starts_with(['c', 'o', 'f']),
        (None, Some(short)) => {
            short.chars().take_while(|letter| !"ktST".contains(*letter)).any(|l| "cCo".contains(l))
        }
        (None, None) => false,
    }
}

/// An awk program that stands there as a whole, reads no files and never says `exit`.
fn is_plain_awk(arguments: &[&str]) -> bool {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        match *word {
            "-F" | "-v" => {
                rest.next();
            }
            option if option.starts_with("-F") || option.starts_with("-v") => {}
            option if option.starts_with('-') => return false,
            program => {
                let hides = ["exit", "@include", "@load"].iter().any(|one| program.contains(one));
                return !hides && rest.next().is_none();
            }
        }
    }
    false
}

/// A sed script that stands there as a whole, reads no files and never quits by itself.
fn is_plain_sed(arguments: &[&str]) -> bool {
    let mut rest = arguments.iter();
    let mut has_script = false;
    while let Some(word) = rest.next() {
        match *word {
            "-n" | "-E" | "-r" | "-u" | "-z" | "-nE" | "-nr" | "-En" | "-rn" | "--quiet"
            | "--silent" | "--regexp-extended" => {}
            "-e" | "--expression" | "-ne" | "-Ee" | "-re" => match rest.next() {
                Some(script) if is_plain_script(script) => has_script = true,
                _ => return false,
            },
            script if !has_script && !script.starts_with('-') && is_plain_script(script) => {
                has_script = true;
            }
            _ => return false,
        }
    }
    has_script
}

/// Whether every command of a script only changes, prints or leaves out lines.
fn is_plain_script(script: &str) -> bool {
    let mut rest = script.trim_start_matches([' ', '\n', ';', '{', '}']);
    while !rest.is_empty() {
        let Some(after) = sed_command(rest) else { return false };
        rest = after.trim_start_matches([' ', '\n', ';', '{', '}']);
    }
    true
}

/// Reads a command with its addresses, and gives what follows; `None` where it may end the script or is not known.
fn sed_command(script: &str) -> Option<&str> {
    let mut rest = script;
    loop {
        rest = match rest.chars().next()? {
            '/' => after_delimiter(&rest[1..], '/')?.trim_start_matches(['I', 'M']),
            c if c.is_ascii_digit() || "$,!~+ ".contains(c) => &rest[1..],
            _ => break,
        };
    }
    let command = rest.chars().next()?;
    let after = &rest[command.len_utf8()..];
    match command {
        'd' | 'D' | 'p' | 'P' | '=' | 'g' | 'G' | 'h' | 'H' | 'x' | 'n' | 'N' | 'l' => ended(after),
        '{' => Some(after),
        's' | 'y' => {
            let delimiter = after.chars().next()?;
            let first = after_delimiter(&after[delimiter.len_utf8()..], delimiter)?;
            let second = after_delimiter(first, delimiter)?;
            let is_flag = |c: char| c.is_ascii_digit() || "gpIiMm".contains(c);
            ended(second.trim_start_matches(is_flag))
        }
        _ => None,
    }
}

/// What follows a command, where the command ends there.
fn ended(rest: &str) -> Option<&str> {
    (rest.is_empty() || rest.starts_with([' ', ';', '\n', '}'])).then_some(rest)
}

/// What follows the next delimiter that is not escaped; `None` where it stands in a class, which sed reads otherwise.
fn after_delimiter(text: &str, delimiter: char) -> Option<&str> {
    let (mut is_escaped, mut in_class) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            c if c == delimiter && in_class => return None,
            c if c == delimiter => return Some(&text[at + c.len_utf8()..]),
            _ => {}
        }
    }
    None
}
