//! Makes text of others safe to show: no control characters, no escape sequences, no text that runs backwards.

/// The text with everything that could steer a terminal made visible.
pub fn clean(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => shown.push(' '),
            '\n' => shown.push_str(" / "),
            // Direction marks and other formatting characters can make a line read as something else.
            '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}' => {
                escape(&mut shown, character);
            }
            control if control.is_control() => escape(&mut shown, control),
            other => shown.push(other),
        }
    }
    shown
}

fn escape(shown: &mut String, character: char) {
    shown.extend(character.escape_unicode());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown_instead_of_obeyed() {
        assert_eq!(clean("a\u{1b}[31mred\u{7}"), "a\\u{1b}[31mred\\u{7}");
        assert_eq!(clean("two\nlines\r"), "two / lines\\u{d}");
        assert_eq!(clean("abc\u{202e}fdp"), "abc\\u{202e}fdp");
        assert_eq!(clean("grün ✅ 中"), "grün ✅ 中");
    }
}
