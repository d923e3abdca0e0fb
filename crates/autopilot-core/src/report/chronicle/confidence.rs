//! What keeps a completed phase from a better score.

use super::{
    Chronicle, DIAGNOSED_BELOW,
    detail::{Detail, Seen},
    phase_of,
};
use crate::{
    evidence::{CheckKind, Verdict},
    phases::{Close, Status},
    report::{CheckRow, CriterionRow, Diagnostic, PathItem, RemediationRow, is_vague},
    roadmap::PhaseId,
    run::Run,
};

/// A commit is told by so many of its characters.
const COMMIT_CHARS: usize = 12;

/// The checks that always have a row, each with the guards that show it.
const USUAL: [(&str, &[&str]); 3] =
    [("compile", &["compile", "typecheck"]), ("lint", &["lint"]), ("build", &["build"])];

/// Where the file of a phase is, below the project's root.
pub(super) fn path_of(id: PhaseId) -> String {
    format!(".autopilot/diagnostics/phase-{id}-confidence.md")
}

impl Chronicle {
    /// What would raise the score of a phase that was completed below 9.0; nothing for all others.
    pub fn diagnostic(&self, run: &Run, id: PhaseId) -> Option<Diagnostic> {
        let phase = phase_of(run, id)?;
        let Status::Closed(close @ Close::Completed { score, below_pass, .. }) = &phase.status
        else {
            return None;
        };
        let told = self.phases.get(&id).filter(|_| is_told(close))?;
        let status = match (below_pass, told.remedies) {
            (true, _) => run.given.manner.cycle.mark().to_owned(),
            (false, 0) => "passed".to_owned(),
            (false, _) => format!("remediated_to_{score}"),
        };
        let of = |kind: CheckKind| told.detail.seen.iter().filter(move |seen| seen.kind == kind);
        Some(Diagnostic {
            phase_id: id.to_string(),
            score: score.to_string(),
            threshold: run.given.pass_score.to_string(),
            status,
            concerns: told.steps.get("judge").map_or(Vec::new(), |judge| judge.concerns.clone()),
            criteria: of(CheckKind::Criterion).map(criterion).collect(),
            checks: checks(&told.detail),
            path: path(run, &told.detail),
            history: if told.remedies > 0 { history(&told.detail) } else { Vec::new() },
        })
    }
}

/// Whether a phase that ended like this leaves what would raise its score.
pub(super) fn is_told(close: &Close) -> bool {
    matches!(close, Close::Completed { score, below_pass, .. } if *score < DIAGNOSED_BELOW || *below_pass)
}

/// The three checks that have a row whether there is a command for them or not, and the project's others.
fn checks(detail: &Detail) -> Vec<CheckRow> {
    let guards = || detail.seen.iter().filter(|seen| seen.kind == CheckKind::Guard);
    let usual = USUAL.iter().map(|(name, names)| {
        let found = guards().find(|seen| names.contains(&seen.name.as_str()));
        let none = || CheckRow {
            name: String::new(),
            result: "n/a".to_owned(),
            details: "no command".to_owned(),
        };
        CheckRow { name: (*name).to_owned(), ..found.map_or_else(none, check) }
    });
    let is_usual =
        |seen: &&Seen| USUAL.iter().any(|(_, names)| names.contains(&seen.name.as_str()));
    let others = guards().filter(|seen| !is_usual(seen)).map(check);
    usual.chain(others).collect()
}

fn criterion(seen: &Seen) -> CriterionRow {
    let (status, gap) = match &seen.verdict {
        Verdict::Passed => ("verified", String::new()),
        Verdict::Failed(why) | Verdict::Unproven(why) if seen.waived => ("waived", why.clone()),
        Verdict::Failed(why) => ("failed", why.clone()),
        Verdict::Unproven(why) => ("unproven", why.clone()),
    };
    let (text, evidence) = (seen.criterion.clone(), seen.evidence.clone());
    CriterionRow { text, status: status.to_owned(), evidence, gap }
}

fn check(seen: &Seen) -> CheckRow {
    let (result, details) = match &seen.verdict {
        Verdict::Passed => ("pass", seen.evidence.clone()),
        Verdict::Failed(why) | Verdict::Unproven(why) => ("fail", why.clone()),
    };
    CheckRow { name: seen.name.clone(), result: result.to_owned(), details }
}

/// What the rater missed, each with the file where it is missed.
pub(super) fn path(run: &Run, detail: &Detail) -> Vec<PathItem> {
    let Some(last) = detail.ratings.last() else { return Vec::new() };
    let all = last.remarks.len();
    let item = |remark: &String| {
        // Where nobody names a file, the plan does, and where it does not, the criterion stands in the roadmap.
        let planned = || detail.files.first().cloned();
        let file = file_in(remark).or_else(planned).unwrap_or_else(|| run.given.roadmap.clone());
        let (what, why) = remark.rsplit_once(", ").unwrap_or((remark.as_str(), remark.as_str()));
        let deficiency = if is_vague(why) || why == "no reason given" {
            format!("{what}: the criterion is not fully met")
        } else {
            remark.clone()
        };
        PathItem::new(&file, &deficiency, &format!("resolves 1 of {all} deductions of the rater"))
    };
    last.remarks.iter().filter_map(item).collect()
}

/// The first file that a text names, with its line where it has one.
fn file_in(text: &str) -> Option<String> {
    let plain = |c: char| c.is_alphanumeric() || "_-./:".contains(c);
    text.split(|c: char| !plain(c))
        .map(|word| word.trim_matches(|c| ".:-".contains(c)))
        .find(|word| is_file(word))
        .map(str::to_owned)
}

fn is_file(word: &str) -> bool {
    let path = word.split(':').next().unwrap_or(word);
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    // `e.g` and `8.5` are no files.
    (stem.chars().count() > 1 || ending.chars().count() > 1)
        && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        && !word.contains("//")
}

fn history(detail: &Detail) -> Vec<RemediationRow> {
    let row = |(cycle, rated): (u32, &super::detail::Rated)| RemediationRow {
        cycle,
        score: rated.score.to_string(),
        changes: rated.commit.as_deref().map_or(String::new(), short),
        remaining: rated.remarks.join("; "),
    };
    (0_u32..).zip(&detail.ratings).map(row).collect()
}

fn short(commit: &str) -> String {
    format!("commit {}", commit.chars().take(COMMIT_CHARS).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c24_a_file_is_told_from_other_words() {
        let found = |text| file_in(text);
        assert_eq!(found("the loop in `src/a.rs:14`, e.g. here"), Some("src/a.rs:14".to_owned()));
        assert_eq!(found("see calc.py."), Some("calc.py".to_owned()));
        assert_eq!(found("it works: 8.5 of 10, e.g. as before, https://a.example/x"), None);
    }
}
