//! One value, and how it is written.

use crate::sessions::number::{Plain, is_blank};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// Nothing.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Several.
    List(Vec<Self>),
}

impl Scalar {
    /// Reads a value. Everything is one: what is nothing else is a text.
    pub fn read(raw: &str) -> Self {
        match raw {
            "" | "null" | "~" => return Self::Null,
            "true" => return Self::Bool(true),
            "false" => return Self::Bool(false),
            _ => {}
        }
        if is_number(raw) {
            return raw.parse().map_or_else(|_| Self::Text(raw.to_owned()), Self::Number);
        }
        if let Some(items) = within(raw, '[', ']') {
            let items = items.trim_matches(is_blank);
            let items = items.split(',').filter(|_| !items.is_empty());
            return Self::List(items.map(|item| Self::read(item.trim_matches(is_blank))).collect());
        }
        if raw.starts_with('"') && raw.ends_with('"') {
            let text = serde_json::from_str(raw).ok();
            return Self::Text(
                text.unwrap_or_else(|| within(raw, '"', '"').unwrap_or_default().to_owned()),
            );
        }
        if raw.starts_with('\'') && raw.ends_with('\'') {
            return Self::Text(within(raw, '\'', '\'').unwrap_or_default().to_owned());
        }
        Self::Text(raw.to_owned())
    }

    /// Writes a value so that it reads back as the same one.
    pub fn write(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Number(number) => Plain(*number).to_string(),
            Self::Text(text) => written(text),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::write_item).collect();
                format!("[{}]", items.join(", "))
            }
        }
    }

    /// Writes a value of a list. Lists are taken apart at every comma, so a text must not show one.
    fn write_item(&self) -> String {
        match self {
            Self::Text(text) => written(text).replace(',', "\\u002c"),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::List(_) => self.write(),
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::List(_) => None,
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Null | Self::Bool(_) | Self::Text(_) | Self::List(_) => None,
        }
    }

    /// The items, if it is a list.
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) => None,
        }
    }
}

/// What stands between two characters that open and close a value, if both are there.
fn within(raw: &str, open: char, close: char) -> Option<&str> {
    raw.strip_prefix(open)?.strip_suffix(close)
}

/// Whether a value is digits, with a minus before them or a point among them.
fn is_number(raw: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let raw = raw.strip_prefix('-').unwrap_or(raw);
    match raw.split_once('.') {
        Some((whole, part)) => is_digits(whole) && is_digits(part),
        None => is_digits(raw),
    }
}

/// A text, in quotes where it would be something else without them.
fn written(text: &str) -> String {
    let is_bare =
        |character: char| character.is_ascii_alphanumeric() || "_-./:+@".contains(character);
    let reads_back = matches!(Scalar::read(text), Scalar::Text(read) if read == text);
    if !text.is_empty() && text.chars().all(is_bare) && reads_back {
        text.to_owned()
    } else {
        serde_json::Value::from(text).to_string()
    }
}
