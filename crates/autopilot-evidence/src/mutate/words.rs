//! Text and numbers, changed so that nobody finds in them what was there.

/// What every word becomes.
pub(super) const MUTATED: &str = "mutated";
/// Shorter runs of letters are no words: units, flags, articles.
const WORD_CHARS_MIN: usize = 2;
/// Numbers with more digits are left alone.
const DIGITS_MAX: usize = 17;
/// Larger numbers go down: they may be the largest of their type.
const COUNTS_UP_BELOW: u64 = 100;

/// The inside of a literal with other words, keeping placeholders and escapes, so that it still compiles.
pub(super) fn broken(inside: &str) -> String {
    // What reads a number would fall over a word.
    let is_number = inside.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if let Some(number) = other_number(inside).filter(|_| is_number) {
        return number;
    }
    let mut to = String::with_capacity(inside.len() + MUTATED.len());
    let mut rest = inside;
    let mut is_changed = false;
    while let Some(first) = rest.chars().next() {
        let kept = kept_length(rest, first);
        if kept > 0 {
            to.push_str(&rest[..kept]);
            rest = &rest[kept..];
            continue;
        }
        let length = word_length(rest);
        if rest[..length].chars().count() >= WORD_CHARS_MIN && rest[..length] != *MUTATED {
            to.push_str(MUTATED);
            is_changed = true;
        } else {
            to.push_str(&rest[..length]);
        }
        rest = &rest[length..];
    }
    if !is_changed {
        to.push_str(MUTATED);
    }
    to
}

fn word_length(text: &str) -> usize {
    text.chars().take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum()
}

/// How much at the beginning of a text is no word of it.
fn kept_length(text: &str, first: char) -> usize {
    let after = &text[first.len_utf8()..];
    let next = after.chars().next();
    match first {
        '{' => text.find('}').map_or(1, |at| at + 1),
        '\\' if next == Some('(') => text.find(')').map_or(1, |at| at + 1),
        '\\' => {
            let digits = after.chars().skip(1).take_while(char::is_ascii_hexdigit).count().min(8);
            let is_code = matches!(next, Some('x' | 'u' | 'U'));
            1 + next.map_or(0, char::len_utf8) + if is_code { digits } else { 0 }
        }
        '$' => 1 + name_length(after),
        '%' => {
            let flags =
                after.bytes().take_while(|b| b.is_ascii_digit() || b"+-#. *l".contains(b)).count();
            let flags = if after[..flags].ends_with(' ') { 0 } else { flags };
            1 + flags
                + usize::from(after.as_bytes().get(flags).is_some_and(u8::is_ascii_alphabetic))
        }
        _ if first.is_alphabetic() => 0,
        _ => first.len_utf8(),
    }
}

fn name_length(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
}

/// Every word and number of a line that is no code.
pub(super) fn broken_plain(text: &str) -> String {
    let mut to = String::with_capacity(text.len() + MUTATED.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphabetic() {
            let length = word_length(rest);
            to.push_str(if rest[..length] == *MUTATED { "changed" } else { MUTATED });
            length
        } else if first.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            to.push_str(&other_number(&rest[..length]).unwrap_or_else(|| "0".to_owned()));
            length
        } else {
            to.push(first);
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    to
}

/// A number that is another one, in the same notation.
pub(super) fn other_number(number: &str) -> Option<String> {
    let digits = number.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'_').count();
    let (whole, rest) = number.split_at(digits);
    let plain: String = whole.chars().filter(|c| *c != '_').collect();
    let is_special = plain.len() > 1 && plain.starts_with('0')
        || rest.starts_with(['x', 'X', 'o', 'O', 'b', 'B']);
    if plain.is_empty() || plain.len() > DIGITS_MAX || is_special {
        return None;
    }
    let value: u64 = plain.parse().ok()?;
    let other = if value < COUNTS_UP_BELOW { value + 1 } else { value - 1 };
    Some(format!("{other}{rest}"))
}

/// Another character for the inside of a character literal.
pub(super) fn other_character(inside: &str) -> Option<&'static str> {
    let mut chars = inside.chars();
    let (first, second) = (chars.next()?, chars.next());
    (second.is_none() && first != '\\').then_some(if first == 'z' { "y" } else { "z" })
}
