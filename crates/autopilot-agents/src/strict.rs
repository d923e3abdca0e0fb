//! The schemas that a service takes which holds its model to them, and what comes back.
//!
//! Such a service knows no optional keys and no values of any shape. So what is optional may be null, and what may have any
//! shape is asked for as JSON in a text; both are undone in what is returned.

use serde_json::{Map, Value, json};

/// What of a schema such a service understands.
const KEPT: [&str; 5] = ["type", "description", "enum", "const", "$ref"];

/// The schema in that form, if it is one of an object.
pub(crate) fn strict(schema: &str) -> Option<String> {
    let schema: Value = serde_json::from_str(schema).ok()?;
    schema.get("properties")?;
    let mut made = held(&schema);
    if let Some(definitions) = schema.get("$defs").and_then(Value::as_object) {
        let definitions = definitions.iter().map(|(name, part)| (name.clone(), held(part)));
        made["$defs"] = Value::Object(definitions.collect());
    }
    Some(made.to_string())
}

/// The schema without the name of the draft that it follows: some programs know only the draft that they are made for.
pub(crate) fn undated(schema: &str) -> String {
    let Ok(Value::Object(mut object)) = serde_json::from_str(schema) else {
        return schema.to_owned();
    };
    object.remove("$schema");
    Value::Object(object).to_string()
}

fn held(schema: &Value) -> Value {
    let Some(object) = schema.as_object() else { return any() };
    let mut made: Map<String, Value> = object
        .iter()
        .filter(|(key, _)| KEPT.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    for key in ["anyOf", "oneOf"] {
        if let Some(choices) = object.get(key).and_then(Value::as_array) {
            made.insert("anyOf".to_owned(), choices.iter().map(held).collect());
        }
    }
    if let Some(items) = object.get("items") {
        made.insert("items".to_owned(), held(items));
    }
    if let Some(properties) = object.get("properties").and_then(Value::as_object) {
        let required = object.get("required").and_then(Value::as_array);
        let is_required = |name: &str| {
            required.is_some_and(|names| names.iter().any(|one| one.as_str() == Some(name)))
        };
        let all = properties.iter().map(|(name, part)| {
            let part = held(part);
            (name.clone(), if is_required(name) { part } else { or_null(part) })
        });
        made.insert("properties".to_owned(), Value::Object(all.collect()));
        made.insert("required".to_owned(), properties.keys().cloned().collect());
        made.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    let says_what =
        ["type", "anyOf", "enum", "const", "$ref"].iter().any(|key| made.contains_key(*key));
    let is_loose =
        made.get("type").is_some_and(|kind| kind == "object") && !made.contains_key("properties");
    if says_what && !is_loose {
        return Value::Object(made);
    }
    let mut any = any();
    if let Some(description) = made.remove("description") {
        any["description"] = description;
    }
    any
}

/// A value of any shape.
fn any() -> Value {
    json!({"type": "string", "description": "as JSON"})
}

fn or_null(part: Value) -> Value {
    json!({"anyOf": [part, {"type": "null"}]})
}

/// What was returned in that form, in its own.
pub(crate) fn loosened(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text.trim()).ok()?;
    value.is_object().then(|| loose(value))
}

fn loose(value: Value) -> Value {
    match value {
        Value::Object(values) => {
            let kept = values.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key, loose(value))).collect())
        }
        Value::Array(values) => values.into_iter().map(loose).collect(),
        Value::String(text) if text.starts_with(['{', '[']) => {
            serde_json::from_str(&text).map(loose).unwrap_or(Value::String(text))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

#[cfg(test)]
mod tests {
    use autopilot_core::{
        returns::{Return, Sitting, schema},
        role::Role,
    };

    use super::*;

    /// Every object has all its keys and no others, and everything has a type.
    fn check(part: &Value, at: &str) {
        let object = part.as_object().unwrap_or_else(|| panic!("{at}: {part} has any shape"));
        if let Some(properties) = object.get("properties").and_then(Value::as_object) {
            assert_eq!(object["additionalProperties"], false, "{at}");
            assert_eq!(object["required"].as_array().map(Vec::len), Some(properties.len()), "{at}");
            properties.iter().for_each(|(name, part)| check(part, &format!("{at}/{name}")));
        }
        let says_what = ["type", "anyOf", "enum", "const", "$ref"];
        assert!(says_what.iter().any(|key| object.contains_key(*key)), "{at}: {part}");
        let is_array = object.get("type").is_some_and(|kind| kind == "array");
        assert_eq!(is_array, object.contains_key("items"), "{at}");
        object.get("items").into_iter().for_each(|part| check(part, &format!("{at}[]")));
        let choices = object.get("anyOf").and_then(Value::as_array);
        choices.into_iter().flatten().for_each(|part| check(part, at));
        let known = ["properties", "required", "additionalProperties", "items", "anyOf", "$defs"];
        let is_known =
            |key: &&String| known.contains(&key.as_str()) || KEPT.contains(&key.as_str());
        assert!(object.keys().all(|key| is_known(&key)), "{at}: {part}");
    }

    #[test]
    fn every_roles_schema_can_be_told_to_a_service_that_holds_its_model_to_it() {
        for role in Role::ALL {
            for sitting in [Sitting::First, Sitting::Second] {
                let made = strict(&schema(role, sitting).to_string()).expect("it is an object");
                let made: Value = serde_json::from_str(&made).expect("JSON");
                check(&made, role.name());
                let definitions = made.get("$defs").and_then(Value::as_object);
                definitions.into_iter().flatten().for_each(|(name, part)| check(part, name));
            }
        }
    }

    #[test]
    fn what_comes_back_is_a_return() {
        let told = r#"{"pass": true, "commands_run": ["true"], "failures": [], "scope_creep": null,
            "criteria_results": ["{\"criterion\": \"c\", \"status\": \"pass\", \"evidence\": null}"], "autonomous_confidence": null,
            "autonomous_resolution_attempted": null, "visual_test_results": "{half"}"#;
        let value = loosened(told).expect("an object");
        assert_eq!(value["criteria_results"], json!([{"criterion": "c", "status": "pass"}]));
        assert_eq!(value["visual_test_results"], "{half");
        assert!(Return::read(Role::Verifier, Sitting::First, value).is_ok());
        assert_eq!(loosened("Done.\n{\"pass\": true}"), None);
    }
}
