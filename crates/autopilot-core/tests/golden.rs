//! Functions of earlier programs against cases that those programs left; `golden/README.md` says which.
#![expect(
    clippy::disallowed_methods,
    reason = "the cases are files; what ships of this crate reads none"
)]

use std::{fs, path::Path};

use autopilot_core::compat::{Case, complete, names};
use serde_json::Value;

/// The keys of a case that go in; the others come out.
fn inputs(name: &str) -> &'static [&'static str] {
    match name {
        "atdd-real-log-replay" => &["log", "lines"],
        "atdd-workflow" => &["name", "args", "script"],
        "dep-graph" => &["issues", "inFlight", "completed"],
        "run-loop" => &["name", "scenario"],
        "state-md" => &["doc"],
        _ => &["fn", "args"],
    }
}

fn cases(name: &str) -> Vec<Case> {
    let directory = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden"));
    let prefix = if name.starts_with("atdd-") { "" } else { "so-" };
    let path = directory.join(format!("{prefix}{name}.jsonl"));
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("a case is a JSON object")).collect()
}

/// Whether two values are the same to whoever reads them: 5 is 5.0, but nothing is not null.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has_same = |(key, value)| other.get(key).is_some_and(|other| is_same(value, other));
            one.len() == other.len() && one.iter().all(has_same)
        }
        _ => one == other,
    }
}

#[test]
fn every_function_completes_its_cases_as_the_earlier_program_did() {
    for name in names() {
        let complete = complete(name).expect("a name has a function");
        let cases = cases(name);
        assert!(!cases.is_empty(), "{name} has no cases");
        for expected in cases {
            let goes_in = |key: &str| inputs(name).contains(&key);
            let given: Case =
                expected.clone().into_iter().filter(|(key, _)| goes_in(key)).collect();
            assert!(given.len() < expected.len(), "{name}: nothing comes out of {given:?}");
            let done = Value::Object(complete(&given));
            let expected = Value::Object(expected);
            assert!(is_same(&done, &expected), "{name}\n  expected {expected}\n  done     {done}");
        }
    }
}

/// Values that no caller should give, and some will.
fn oddities() -> [Value; 8] {
    let odd = ["null", "true", "-1", "1e308", "\"NaN\"", "[null]", "{\"a\":{}}", "\"\u{0}é𝄞\""];
    odd.map(|text| serde_json::from_str(&text.replace('\0', "\\u0000")).expect("JSON"))
}

/// Where in a value there is anything, from its root.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    all.push(at.to_owned());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{at}/{index}"), all);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                places(field, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), all);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn no_function_falls_over_what_it_is_not_meant_for() {
    // A script that is bent may never end its workflow, so these are played to their limit; a few are enough.
    for name in names() {
        let every = if name == "atdd-workflow" { 20 } else { 4 };
        let complete = complete(name).expect("a name has a function");
        assert!(!complete(&Case::new()).is_empty(), "{name}");
        for case in cases(name).into_iter().step_by(every) {
            let case = Value::Object(case);
            let mut all = Vec::new();
            places(&case, "", &mut all);
            for place in all.iter().filter(|place| !place.is_empty()) {
                for odd in oddities() {
                    let mut bent = case.clone();
                    *bent.pointer_mut(place).expect("the place is in the value") = odd;
                    let bent = bent.as_object().expect("a case stays an object");
                    assert!(!complete(bent).is_empty(), "{name}: {bent:?}");
                }
            }
        }
    }
}
