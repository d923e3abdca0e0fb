//! Plays the loop with answers from a script, and tells every question it asked.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::issue::{Arguments, Ask, Checks, Convergence, Covered, Finding, Frozen, Part, Told};

/// A script whose answers lead nowhere is played to this many questions.
const QUESTIONS_MAX: usize = 10_000;

/// Plays one case: `args` and `script` go in, `trace` and `return` or `throw` are added.
///
/// An answer is looked for under the label of a question, then under what stands before its colon. The last answer of
/// a list is given again and again; a question without any gets none.
pub fn play(case: &Map<String, Value>) -> Map<String, Value> {
    let mut done = case.clone();
    let arguments = match Arguments::from_json(case.get("args").unwrap_or(&Value::Null)) {
        Ok(arguments) => arguments,
        Err(refused) => {
            done.insert("trace".to_owned(), json!([]));
            done.insert("throw".to_owned(), Value::from(refused));
            return done;
        }
    };
    let mut script = Script::of(case.get("script").unwrap_or(&Value::Null));
    let mut looping = Convergence::new(arguments);
    let mut trace = Vec::new();
    let end = loop {
        let mut entry = question(&looping);
        let answer = script.answer(entry["label"].as_str().unwrap_or_default());
        let told = understood(&looping.ask(), &answer);
        entry.insert("resp".to_owned(), answer);
        trace.push(Value::Object(entry));
        let end = looping.told(told);
        if end.is_some() || trace.len() >= QUESTIONS_MAX {
            break end;
        }
    };
    done.insert("trace".to_owned(), Value::Array(trace));
    match end {
        Some(end) => done.insert("return".to_owned(), end.to_json(looping.arguments())),
        None => {
            let told = format!("no end after {QUESTIONS_MAX} questions");
            done.insert("throw".to_owned(), Value::from(told))
        }
    };
    done
}

/// Answers by label.
struct Script<'a> {
    answers: &'a Value,
    given: BTreeMap<String, usize>,
}

impl<'a> Script<'a> {
    fn of(answers: &'a Value) -> Self {
        Self { answers, given: BTreeMap::new() }
    }

    fn answer(&mut self, label: &str) -> Value {
        let short = label.split(':').next().unwrap_or_default();
        let key = if self.answers.get(label).is_some() { label } else { short };
        let Some(answers) = self.answers[key].as_array() else {
            return Value::Null;
        };
        let given = self.given.entry(key.to_owned()).or_default();
        let answer = answers.get(*given).or(answers.last()).cloned();
        *given += 1;
        answer.unwrap_or_default()
    }
}

/// A question as it stands in the trace.
fn question(looping: &Convergence) -> Map<String, Value> {
    let (kind, step, phase, more) = match looping.ask() {
        Ask::Freeze => ("freeze", "anchor", "Generate", Vec::new()),
        Ask::Generate { step, findings } => {
            let findings = findings.map(|findings| ("findings", list(findings)));
            ("gen", step, "Generate", findings.into_iter().collect())
        }
        Ask::Green(step) => ("at-gate", step, "AT-gate", Vec::new()),
        Ask::Coverage(step) => ("coverage", step, "Coverage-gate", Vec::new()),
        Ask::Red(step) => ("red-gate", step, "AT-gate", Vec::new()),
        Ask::Record { step, iteration, gates } => {
            let verdict = if gates.hold() { "PASS" } else { "FAIL" };
            let more = vec![
                ("payload", Value::from(gates.payload())),
                ("iteration", Value::from(iteration)),
                ("verdict", Value::from(verdict)),
            ];
            ("audit", step, "Rails", more)
        }
        Ask::Rails { step, iteration, tries, recorded } => {
            let more = vec![
                ("expected_lines", Value::from(recorded)),
                ("max", json!([iteration, plain(tries)])),
            ];
            ("rails", step, "Rails", more)
        }
        Ask::RecordHalt { step, reason, findings } => {
            let halt = json!([step, reason.name(), list(findings)]);
            ("audit-halt", step, "Rails", vec![("halt", halt)])
        }
    };
    let freezes = matches!(looping.ask(), Ask::Freeze);
    let model = match looping.arguments().part {
        Part::Implementation if !freezes => Value::from("sonnet"),
        Part::Implementation | Part::Design => Value::Null,
    };
    let mut entry = Map::new();
    entry.insert("label".to_owned(), Value::from(format!("{kind}:{step}")));
    entry.insert("model".to_owned(), model);
    entry.insert("phase".to_owned(), Value::from(phase));
    entry.extend(more.into_iter().map(|(key, value)| (key.to_owned(), value)));
    entry
}

fn list(findings: &[Finding]) -> Value {
    findings.iter().map(Finding::to_json).collect()
}

/// A number without a fraction, where it has none.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers in range are converted")]
fn plain(number: f64) -> Value {
    let is_small = number.abs() < 9_007_199_254_740_992.0;
    if is_small && number.fract() == 0.0 { Value::from(number as i64) } else { Value::from(number) }
}

/// What an answer says to a question.
fn understood(ask: &Ask<'_>, answer: &Value) -> Told {
    let zero = |key: &str| answer[key].as_f64() == Some(0.0);
    let yes = |key: &str| answer[key] == Value::Bool(true);
    match ask {
        Ask::Freeze => Told::Frozen((!answer.is_null()).then(|| Frozen {
            pinned: yes("pinned"),
            log_lines: answer["logLines"].as_i64().unwrap_or_default(),
        })),
        Ask::Generate { .. } => Told::Generated,
        Ask::Green(_) => Told::Green(zero("exitCode") && yes("green")),
        Ask::Coverage(_) => Told::Coverage(Covered {
            all: yes("allCovered"),
            uncovered: answer["uncovered"].as_array().map(|names| texts(names)).unwrap_or_default(),
        }),
        Ask::Red(_) => Told::Red(zero("exitCode") && yes("redObserved")),
        Ask::Record { .. } => Told::Recorded(yes("recordOk")),
        Ask::Rails { .. } => Told::Rails((!answer.is_null()).then(|| Checks {
            anchor_drift: !zero("acDriftExit"),
            log_integrity: !zero("logIntegrityExit"),
            max_iterations: !zero("maxIterExit"),
            sameness: !zero("samenessExit"),
            stuck: !zero("stuckExit"),
        })),
        Ask::RecordHalt { .. } => Told::HaltRecorded,
    }
}

fn texts(values: &[Value]) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
    values.iter().map(text).collect()
}
