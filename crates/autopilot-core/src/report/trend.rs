//! A run beside the ones before it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::RunMetrics;

/// How a run compares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trend {
    /// More success than the run before, where above zero.
    pub success_rate_delta: f64,
    /// A higher score than the run before, where above zero; none where one of them has no score.
    pub avg_alignment_delta: Option<f64>,
    /// More tokens than the run before, where above zero.
    pub estimated_cost_delta: i64,
    /// Kinds of failure that occurred in both.
    pub recurring_failures: Vec<String>,
    /// All runs.
    pub historical: Historical,
}

/// All runs of a project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Historical {
    /// How many.
    pub total_runs: usize,
    /// Success.
    pub success_rate: Bounds,
    /// Scores.
    pub avg_alignment: Bounds,
    /// Expected cost.
    pub total_cost: Bounds,
}

/// The least, the most and the mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bounds {
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
    /// The mean.
    pub avg: f64,
}

/// Compares the last run with the one before it; a first run has nothing to compare with.
pub fn trend(runs: &[RunMetrics]) -> Option<Trend> {
    let [.., before, last] = runs else { return None };
    let both = |name: &&String| before.failure_taxonomy_histogram.contains_key(*name);
    Some(Trend {
        success_rate_delta: last.success_rate - before.success_rate,
        avg_alignment_delta: last
            .avg_alignment_score
            .zip(before.avg_alignment_score)
            .map(|(last, before)| last - before),
        estimated_cost_delta: last.total_estimated_tokens.cast_signed()
            - before.total_estimated_tokens.cast_signed(),
        recurring_failures: last.failure_taxonomy_histogram.keys().filter(both).cloned().collect(),
        historical: Historical {
            total_runs: runs.len(),
            success_rate: bounds(runs.iter().map(|run| run.success_rate)),
            avg_alignment: bounds(runs.iter().filter_map(|run| run.avg_alignment_score)),
            total_cost: bounds(runs.iter().map(|run| as_float(run.total_estimated_tokens))),
        },
    })
}

#[expect(clippy::cast_precision_loss, reason = "nobody spends that many tokens")]
fn as_float(tokens: u64) -> f64 {
    tokens as f64
}

fn bounds(values: impl Iterator<Item = f64>) -> Bounds {
    let values: Vec<f64> = values.collect();
    let count = u32::try_from(values.len()).unwrap_or(u32::MAX);
    if count == 0 {
        return Bounds { min: 0.0, max: 0.0, avg: 0.0 };
    }
    Bounds {
        min: values.iter().copied().fold(f64::INFINITY, f64::min),
        max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        avg: values.iter().sum::<f64>() / f64::from(count),
    }
}

impl Trend {
    /// The section of a report.
    pub fn to_markdown(&self) -> String {
        let percent = |part: f64| format!("{:.0}%", part * 100.0);
        let Self { historical, .. } = self;
        let row = |name: &str, bounds: Bounds, write: &dyn Fn(f64) -> String| {
            let Bounds { min, max, avg } = bounds;
            format!("| {name} | {} | {} | {} |\n", write(min), write(max), write(avg))
        };
        let alignment =
            self.avg_alignment_delta.map_or("n/a".to_owned(), |delta| format!("{delta:+.1}"));
        let recurring = match self.recurring_failures.as_slice() {
            [] => "none".to_owned(),
            names => names.join(", "),
        };
        let mut text = format!(
            "## Trend Analysis\n\n- Success rate: {:+.0} points\n- Average alignment: {alignment}\n- Estimated cost: {:+} tokens\n\
             - Recurring failures: {recurring}\n\n| over {} runs | min | max | avg |\n|---|---|---|---|\n",
            self.success_rate_delta * 100.0,
            self.estimated_cost_delta,
            historical.total_runs,
        );
        text.push_str(&row("success rate", historical.success_rate, &percent));
        text.push_str(&row("alignment", historical.avg_alignment, &|value| format!("{value:.1}")));
        text.push_str(&row("estimated tokens", historical.total_cost, &|value| {
            format!("{value:.0}")
        }));
        text
    }
}
