//! Finds the return in what an agent printed: the last JSON object.

use serde_json::{Map, Value};

/// The last complete JSON object in a text, wherever it stands: bare, in a fence, after other words.
///
/// Objects inside an object are part of it. What only looks like JSON is passed over.
pub fn last_json_object(text: &str) -> Option<Map<String, Value>> {
    let mut last = None;
    let mut at = 0;
    while let Some(found) = text[at..].find('{') {
        let from = at + found;
        let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(Value::Object(object))) => {
                last = Some(object);
                at = from + values.byte_offset();
            }
            _ => at = from + 1,
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Option<String> {
        last_json_object(text).map(|object| Value::Object(object).to_string())
    }

    #[test]
    fn the_last_whole_object_counts_wherever_it_stands() {
        let rows = [
            ("", None),
            ("done", None),
            ("{broken", None),
            ("{\"a\":1}", Some("{\"a\":1}")),
            ("{\"a\":1}\n{\"b\":{\"c\":2}} done.", Some("{\"b\":{\"c\":2}}")),
            ("Here:\n```json\n{\"a\": [1, {\"b\": 2}]}\n```\nbye", Some("{\"a\":[1,{\"b\":2}]}")),
            ("{\"a\":1} and then {\"b\":", Some("{\"a\":1}")),
            ("fn main() { let x = {1}; }\n{\"a\":\"}\"}", Some("{\"a\":\"}\"}")),
            ("{\"a\":1}[{\"b\":2}]", Some("{\"b\":2}")),
            ("ä{\"ö\":\"ü\"}ß", Some("{\"ö\":\"ü\"}")),
        ];
        for (text, expected) in rows {
            assert_eq!(found(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn nesting_without_end_is_refused_quickly() {
        let text = "{\"a\":".repeat(50_000);
        assert_eq!(found(&text), None);
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "[{}\\[\\]\",:a1 \n\\\\é]{0,200}") {
            drop(last_json_object(&text));
        }
    }
}
