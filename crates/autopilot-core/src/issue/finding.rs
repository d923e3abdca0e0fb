//! What is to be put right, in the words in which it was found.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A finding: a reference to the evidence, a priority, and whatever else came with it.
///
/// It is handed on as it came, because the words of a person or a gate are worth more than a summary of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Finding(Map<String, Value>);

impl Finding {
    /// A finding of ours that stands in the way.
    pub fn blocking(evidence_ref: &str, detail: Option<&str>) -> Self {
        let mut fields = Map::new();
        fields.insert("priority".to_owned(), Value::from(0));
        fields.insert("evidence_ref".to_owned(), Value::from(evidence_ref));
        if let Some(detail) = detail {
            fields.insert("detail".to_owned(), Value::from(detail));
        }
        Self(fields)
    }

    /// Takes a finding from outside; `None` if it names no evidence.
    ///
    /// A priority that is no number is read from the first digits in it. Where there are none the finding blocks,
    /// so that a badly written one is never taken for unimportant.
    pub fn from_json(value: &Value) -> Option<Self> {
        let mut fields = value.as_object()?.clone();
        fields.get("evidence_ref")?.as_str().filter(|reference| !reference.is_empty())?;
        let priority = match fields.get("priority") {
            Some(number @ Value::Number(_)) => number.clone(),
            Some(Value::String(text)) => first_number(text),
            Some(Value::Array(_) | Value::Object(_) | Value::Bool(_) | Value::Null) | None => {
                Value::from(0)
            }
        };
        fields.insert("priority".to_owned(), priority);
        Some(Self(fields))
    }

    /// The finding as a person or an agent reads it: its words, and what is known beside them.
    pub fn told(&self) -> String {
        let text = |key: &str| self.0.get(key).and_then(Value::as_str).unwrap_or_default();
        let priority = self.0.get("priority").map(Value::to_string).unwrap_or_default();
        let detail = text("detail");
        let detail = if detail.is_empty() { String::new() } else { format!(": {detail}") };
        format!("[P{priority}] {}{detail}", text("evidence_ref"))
    }

    /// The finding as JSON.
    pub fn to_json(&self) -> Value {
        Value::Object(self.0.clone())
    }
}

fn first_number(text: &str) -> Value {
    let digits = text.trim_start_matches(|character: char| !character.is_ascii_digit());
    let end = digits.find(|character: char| !character.is_ascii_digit()).unwrap_or(digits.len());
    let digits = &digits[..end];
    if digits.is_empty() {
        return Value::from(0);
    }
    match digits.parse::<u64>() {
        Ok(number) => Value::from(number),
        Err(_) => Value::from(digits.parse::<f64>().unwrap_or(0.0)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_priority_is_read_leniently_and_blocks_when_in_doubt() {
        let cases = [
            (json!({"evidence_ref": "c", "priority": "P2"}), json!(2)),
            (json!({"evidence_ref": "c"}), json!(0)),
            (json!({"evidence_ref": "c", "priority": 1}), json!(1)),
            (json!({"evidence_ref": "c", "priority": "high"}), json!(0)),
        ];
        for (given, priority) in cases {
            let finding = Finding::from_json(&given).unwrap();
            assert_eq!(finding.to_json()["priority"], priority, "{given}");
        }
    }

    #[test]
    fn a_finding_without_evidence_is_none() {
        for given in
            [json!({}), json!({"evidence_ref": ""}), json!({"evidence_ref": 1}), json!(null)]
        {
            assert_eq!(Finding::from_json(&given), None, "{given}");
        }
    }
}
