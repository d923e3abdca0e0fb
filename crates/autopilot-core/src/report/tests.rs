//! What earlier programs wrote is read, and what we write fits its schema.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::*;

/// Reads a document that an earlier program could have written, and writes it again.
fn round_trip<T: DeserializeOwned + Serialize>(text: &str) -> (Value, Value) {
    let read: T = serde_json::from_str(text).unwrap();
    (serde_json::from_str(text).unwrap(), serde_json::to_value(&read).unwrap())
}

/// Whether everything in `part` is in `whole` as well. Numbers are compared by value.
fn holds(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(key, value)| whole.get(key).is_some_and(|known| holds(known, value)))
        }
        (Value::Array(whole), Value::Array(part)) => {
            whole.len() == part.len()
                && whole.iter().zip(part).all(|(whole, part)| holds(whole, part))
        }
        (Value::Number(whole), Value::Number(part)) => whole.as_f64() == part.as_f64(),
        (whole, part) => whole == part,
    }
}

fn is_kept<T: DeserializeOwned + Serialize>(name: &str, text: &str) {
    let (given, written) = round_trip::<T>(text);
    assert!(holds(&written, &given), "{name} loses something: {given:#} became {written:#}");
}

#[test]
fn e18_documents_of_the_ancestors_are_read_and_lose_nothing() {
    is_kept::<PostMortem>("postmortem", include_str!("tests/postmortem.json"));
    is_kept::<Vec<RunMetrics>>("metrics", include_str!("tests/metrics.json"));
    is_kept::<Trend>("trend", include_str!("tests/trend.json"));
    is_kept::<Span>("span", include_str!("tests/span.json"));
    is_kept::<BatchCompletion>("completion", include_str!("tests/completion.json"));
    is_kept::<Triage>("triage", include_str!("tests/triage.json"));
}

#[test]
fn e8_a_state_of_an_ancestor_is_read() {
    let state: StateFile = serde_json::from_str(include_str!("tests/state.json")).unwrap();
    assert_eq!(state.meta.status, RunStatus::Running);
    let phase = &state.phases["6.1"];
    assert_eq!(phase.status, PhaseStatus::Completed);
    assert_eq!(phase.steps["plan"].validation_rounds, Some(1));
    assert_eq!(phase.steps["judge"].recommendation.as_deref(), Some("proceed"));
    assert_eq!(state.event_log[0].event, "task_completed");
}

#[test]
fn documents_fit_their_schemas_and_damaged_ones_do_not() {
    let documents = [
        (Document::State, include_str!("tests/state.json")),
        (Document::PostMortem, include_str!("tests/postmortem.json")),
        (Document::Metrics, include_str!("tests/metrics.json")),
        (Document::Span, include_str!("tests/span.json")),
        (Document::Completion, include_str!("tests/completion.json")),
        (Document::Trend, include_str!("tests/trend.json")),
        (Document::Triage, include_str!("tests/triage.json")),
    ];
    assert_eq!(documents.len(), Document::ALL.len());
    for (document, text) in documents {
        let schema = schema(document);
        let mut value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(fits(document, &value), Ok(()), "{document:?}");
        let object = if value.is_array() { &mut value[0] } else { &mut value };
        let required = if schema["type"] == "array" {
            schema["$defs"]["RunMetrics"]["required"][0].clone()
        } else {
            schema["required"][0].clone()
        };
        object.as_object_mut().unwrap().remove(required.as_str().unwrap());
        assert!(fits(document, &value).is_err(), "{document:?} without {required}");
    }
}

fn run(success: f64, score: f64, tokens: u64, failures: &[&str]) -> RunMetrics {
    let mut metrics: Vec<RunMetrics> =
        serde_json::from_str(include_str!("tests/metrics.json")).unwrap();
    let mut metrics = metrics.remove(0);
    metrics.success_rate = success;
    metrics.avg_alignment_score = Some(score);
    metrics.total_estimated_tokens = tokens;
    metrics.failure_taxonomy_histogram =
        failures.iter().map(|name| ((*name).to_owned(), 1)).collect();
    metrics
}

#[test]
fn c40_a_second_run_is_compared_with_the_first() {
    let runs = [
        run(0.5, 8.0, 100, &["lint_failure", "tool_failure"]),
        run(0.75, 9.0, 80, &["lint_failure"]),
    ];
    assert_eq!(trend(&runs[..1]), None);
    let trend = trend(&runs).unwrap();
    assert_eq!(
        (trend.success_rate_delta, trend.avg_alignment_delta, trend.estimated_cost_delta),
        (0.25, Some(1.0), -20)
    );
    assert_eq!(trend.recurring_failures, ["lint_failure"]);
    assert_eq!(trend.historical.total_cost, Bounds { min: 80.0, max: 100.0, avg: 90.0 });
    assert!(trend.to_markdown().starts_with("## Trend Analysis\n\n- Success rate: +25 points\n"));
}

#[test]
fn c6_a_batch_report_tells_what_a_failure_holds_up() {
    let mut report: BatchCompletion =
        serde_json::from_str(include_str!("tests/completion.json")).unwrap();
    report.attempted.push(Attempted {
        phase_id: "10".to_owned(),
        status: "failed".to_owned(),
        score: None,
        minutes: 12,
        notes: "a | b".to_owned(),
    });
    let text = report.to_markdown();
    assert!(text.contains("**Project completion:** 80.0% (12/15 phases)"));
    assert!(text.contains("| 10 | failed | - | 12m | a \\| b |\n"));
    assert!(text.contains("| 11 | blocked_by_phase_10 |\n"));
    assert!(text.contains("- **Phase 10 failed** -> Blocked: Phase 11 (Competitive Analysis)\n"));
    assert!(text.contains("- Skipped (already done): 1\n- Skipped (blocked): 1\n"));
}

#[test]
fn c33_a_long_story_keeps_its_beginning_and_its_end() {
    let mut story: PostMortem =
        serde_json::from_str(include_str!("tests/postmortem.json")).unwrap();
    let moment = story.timeline[0].clone();
    story.timeline = (0..50).map(|at| Moment { event: at.to_string(), ..moment.clone() }).collect();
    let short = story.shortened().timeline;
    assert_eq!((short.len(), short[9].event.as_str(), short[10].event.as_str()), (20, "9", "40"));
}

#[test]
fn c35_summaries_of_spans_are_cut_between_characters() {
    let span: Span = serde_json::from_str(include_str!("tests/span.json")).unwrap();
    let long = Span { input_summary: "ü".repeat(500), ..span }.shortened();
    assert_eq!(long.input_summary.chars().count(), TEXT_CHARS_MAX);
}
