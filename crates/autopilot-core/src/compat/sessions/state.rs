//! `STATE.md`.

use serde_json::{Map, Value, json};

use crate::{
    compat::Case,
    sessions::{
        number::Plain,
        state_md::{Document, Entry, Field, Fields, Scalar},
    },
};

/// Reads a document and writes it: `parsed` and `serialized` are added.
pub(in crate::compat) fn complete(case: &Case) -> Case {
    let document = case.get("doc").and_then(Value::as_str).and_then(Document::parse);
    let mut done = case.clone();
    let written = document.clone().map(|mut document| {
        // The earlier program loses an empty line above the text with every writing.
        if document.body.starts_with('\n') {
            document.body.remove(0);
        }
        document.write()
    });
    let read = document.map(|Document { fields, body }| {
        let frontmatter: Map<String, Value> =
            fields.iter().map(|(key, field)| (key.to_owned(), of_field(field))).collect();
        json!({"frontmatter": frontmatter, "body": body})
    });
    done.insert("parsed".to_owned(), json!(read));
    done.insert("serialized".to_owned(), json!(written));
    done
}

fn of_field(field: &Field) -> Value {
    let of_entry = |entry: &Entry| {
        let pairs = entry.iter().map(|(key, scalar)| (key.to_owned(), of_scalar(scalar)));
        Value::Object(pairs.collect())
    };
    match field {
        Field::Scalar(scalar) => of_scalar(scalar),
        Field::Entries(entries) => entries.iter().map(of_entry).collect(),
    }
}

fn of_scalar(scalar: &Scalar) -> Value {
    match scalar {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(*value),
        Scalar::Number(number) => Plain(*number).to_json(),
        Scalar::Text(text) => Value::from(text.as_str()),
        Scalar::List(items) => items.iter().map(of_scalar).collect(),
    }
}

/// The keys of a document that somebody else has read.
pub(super) fn fields(given: &Map<String, Value>) -> Fields {
    let mut fields = Fields::default();
    for (key, value) in given {
        fields.set(key, Field::Scalar(to_scalar(value)));
    }
    fields
}

fn to_scalar(value: &Value) -> Scalar {
    match value {
        // A mapping is nothing that the keys of a recommendation may hold.
        Value::Null | Value::Object(_) => Scalar::Null,
        Value::Bool(value) => Scalar::Bool(*value),
        Value::Number(number) => number.as_f64().map_or(Scalar::Null, Scalar::Number),
        Value::String(text) => Scalar::Text(text.clone()),
        Value::Array(items) => Scalar::List(items.iter().map(to_scalar).collect()),
    }
}
