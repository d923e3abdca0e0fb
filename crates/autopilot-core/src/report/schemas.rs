//! The JSON schemas of what a run leaves.

use schemars::schema_for;
use serde_json::Value;

use crate::report::{BatchCompletion, PostMortem, RunMetrics, Span, StateFile, Trend, Triage};

/// A document with a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// `state.json`
    State,
    /// `TRIAGE.json`
    Triage,
    /// `phase-{N}-postmortem.json`
    PostMortem,
    /// `metrics.json`
    Metrics,
    /// A line of `TRACE.jsonl`
    Span,
    /// What `completion-report.md` is made of
    Completion,
    /// What the section about trends is made of
    Trend,
}

impl Document {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::State,
        Self::Triage,
        Self::PostMortem,
        Self::Metrics,
        Self::Span,
        Self::Completion,
        Self::Trend,
    ];
}

/// The JSON schema of a document.
pub fn schema(document: Document) -> Value {
    match document {
        Document::State => schema_for!(StateFile),
        Document::Triage => schema_for!(Triage),
        Document::PostMortem => schema_for!(PostMortem),
        Document::Metrics => schema_for!(Vec<RunMetrics>),
        Document::Span => schema_for!(Span),
        Document::Completion => schema_for!(BatchCompletion),
        Document::Trend => schema_for!(Trend),
    }
    .to_value()
}

/// Whether a document is what its schema says, and if not, where.
pub fn fits(document: Document, value: &Value) -> Result<(), String> {
    let schema = schema(document);
    fits_schema(&schema, &schema, value)
}

/// The part of JSON Schema that our schemas use, without a library for all of it.
fn fits_schema(schema: &Value, root: &Value, value: &Value) -> Result<(), String> {
    if let Some(target) = schema["$ref"].as_str() {
        let name = target.rsplit('/').next().unwrap_or_default();
        return fits_schema(&root["$defs"][name], root, value);
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[word].as_array() {
            let fitting = choices.iter().any(|choice| fits_schema(choice, root, value).is_ok());
            return fitting
                .then_some(())
                .ok_or_else(|| format!("{value} fits no choice of {schema}"));
        }
    }
    if let Some(constant) = schema.get("const") {
        return (constant == value)
            .then_some(())
            .ok_or_else(|| format!("{value} is not {constant}"));
    }
    if let Some(names) = schema["enum"].as_array() {
        return names
            .contains(value)
            .then_some(())
            .ok_or_else(|| format!("{value} is none of {names:?}"));
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return Ok(()),
    };
    if !kinds.iter().any(|kind| is_of(kind, value)) {
        return Err(format!("{value} is not of {kinds:?}"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(name).is_none() {
            return Err(format!("{name} is missing in {value}"));
        }
    }
    for (key, inner) in value.as_object().into_iter().flatten() {
        let known = schema["properties"].get(key).or(schema.get("additionalProperties"));
        known
            .filter(|known| known.is_object())
            .map_or(Ok(()), |known| fits_schema(known, root, inner))?;
    }
    value
        .as_array()
        .into_iter()
        .flatten()
        .try_for_each(|item| fits_schema(&schema["items"], root, item))
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => false,
    }
}
