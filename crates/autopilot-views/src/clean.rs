//! Makes text of others safe to show: no control characters, no escape sequences, no text that runs backwards.

/// The text with everything that could steer a terminal made visible.
pub fn clean(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => shown.push(' '),
            '\n' => shown.push_str(" / "),
            steering if steers(steering) => escape(&mut shown, steering),
            other => shown.push(other),
        }
    }
    shown
}

/// The same, where lines may stay lines.
pub fn clean_lines(text: &str) -> String {
    text.split('\n').map(clean).collect::<Vec<_>>().join("\n")
}

/// The same, where every line after the first is set in, so that none can pass for a line of ours.
pub fn clean_indented(text: &str) -> String {
    text.split('\n').map(clean).collect::<Vec<_>>().join("\n    ")
}

/// JSON that means the same and holds nothing that could steer a terminal.
///
/// Below U+0020 JSON has no such characters; the others can only stand inside of strings, where an escape
/// stands for them.
pub fn clean_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for character in json.chars() {
        if character != '\n' && steers(character) {
            // JSON names characters beyond U+FFFF by their two UTF-16 units.
            for unit in character.encode_utf16(&mut [0; 2]) {
                shown.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Controls, direction marks and other formatting characters can make a line read as something else.
fn steers(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
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
        assert_eq!(clean("a\u{61c}b\u{2028}c\u{e0041}"), "a\\u{61c}b\\u{2028}c\\u{e0041}");
        assert_eq!(clean("grün ✅ 中"), "grün ✅ 中");
        assert_eq!(clean_lines("a\u{7}\nb"), "a\\u{7}\nb");
    }

    #[test]
    fn json_means_the_same_without_what_steers_a_terminal() {
        let value =
            serde_json::json!({"a\u{9b}": "\u{1b}[31m\u{7f}\u{202e}\u{feff}\u{e0041} grün \n"});
        let text = clean_json(&value.to_string());
        assert!(!text.contains(steers), "{text:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), value);
    }
}
