//! JSON, in its order.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, SeqAccess, Visitor},
    ser::SerializeMap,
};

use super::tree::Tree;

pub(super) fn read(text: &str) -> Option<Tree> {
    serde_json::from_str(text).ok()
}

pub(super) fn write(tree: &Tree) -> Option<String> {
    serde_json::to_string_pretty(tree).ok().map(|text| text + "\n")
}

/// JSON with its comments and the commas before a closing bracket replaced by spaces.
pub(super) fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    // Where the last comma stands, as long as nothing but space came after it.
    let mut comma = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + "/**/".len())
        } else if c == '"' {
            string_length(rest)
        } else {
            c.len_utf8()
        };
        let (piece, after) = rest.split_at(length);
        if piece.starts_with('/') && length > 1 {
            plain.push(' ');
        } else {
            if matches!(c, ']' | '}')
                && let Some(at) = comma
            {
                plain.replace_range(at..=at, " ");
            }
            if !c.is_whitespace() {
                comma = (c == ',').then_some(plain.len());
            }
            plain.push_str(piece);
        }
        rest = after;
    }
    plain
}

fn string_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(serde_json::Number::from_f64(value).map_or(Tree::Null, Tree::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let mut entries: Vec<(String, Tree)> = Vec::new();
        let mut places = std::collections::BTreeMap::new();
        while let Some((key, value)) = access.next_entry::<String, Tree>()? {
            // Of a key that is there twice the last one counts, as it does for JavaScript.
            match places.get(&key) {
                Some(at) => {
                    let at: usize = *at;
                    entries[at].1 = value;
                }
                None => {
                    places.insert(key.clone(), entries.len());
                    entries.push((key, value));
                }
            }
        }
        Ok(Tree::Table(entries))
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Number(value) => value.serialize(serializer),
            Self::Text(value) | Self::Date(value) => serializer.serialize_str(value),
            Self::List(items) => items.serialize(serializer),
            Self::Table(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}
