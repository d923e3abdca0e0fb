//! The papers that tell what was found before, in and after the work: triage, research, and the three opinions.
//!
//! All of them are written from facts. What commands showed is what the engine saw; what somebody said of it stands
//! beside it as said.

use std::fmt::Write as _;

use crate::{
    effect::Paper,
    evidence::{CheckKind, CheckResult, Verdict},
    phases::{Active, Compared, Phase, Reviews, ScoredRow, Verified, visual_papers},
    report::{CriteriaSource, CriterionScan, ScanResult, Triage, cell},
    returns::{Judgement, Research},
    sessions::clock::seconds,
};

/// The names of these papers.
pub(super) const NAMES: [&str; 6] = [
    "VISUAL-BUGS.md",
    "RESEARCH.md",
    "TRIAGE.json",
    "VERIFICATION.md",
    "JUDGE-REPORT.md",
    "SCORECARD.md",
];

/// How much of what a command printed is shown.
const OUTPUT_CHARS_MAX: usize = 160;

/// The papers of a phase, as far as there is something to tell.
pub(super) fn papers(phase: &Phase, active: &Active) -> Vec<Paper> {
    let reviews = &active.reviews;
    let rows = &reviews.scorecard;
    let texts = [
        ("TRIAGE.json", triage(phase, active)),
        ("RESEARCH.md", active.research.as_ref().map(|found| research(phase, found))),
        (
            "VERIFICATION.md",
            reviews.verified.as_ref().map(|word| verification(phase, active, word)),
        ),
        (
            "JUDGE-REPORT.md",
            reviews.report.as_ref().map(|report| judgement(phase, report, reviews)),
        ),
        ("VISUAL-BUGS.md", visual_papers::bugs(phase, &active.visual)),
        ("SCORECARD.md", (!rows.is_empty()).then(|| scorecard(phase, active, rows))),
    ];
    let path = |name: &str| format!("{}/{name}", phase.spec.directory);
    let there = texts.into_iter().filter_map(|(name, text)| Some((name, text?)));
    there.map(|(name, text)| Paper { path: path(name), text }).collect()
}

/// What the phase's own criteria showed before anybody worked on it, and those of a plan that was there.
fn triage(phase: &Phase, active: &Active) -> Option<String> {
    let own = format!("{}/", phase.spec.id);
    let is_own = |result: &&CheckResult| {
        let rest = result.name.strip_prefix(&own);
        let is_asked = |rest: &str| !rest.contains('/') || active.log.had_plan;
        result.kind == CheckKind::Criterion && rest.is_some_and(is_asked)
    };
    let scan = |result: &CheckResult| {
        let held = result.verdict.is_passed();
        Some(CriterionScan {
            criterion: result.criterion.clone(),
            command: result.command.clone()?,
            result: if held { ScanResult::Pass } else { ScanResult::Fail },
            output: result.output.clone(),
        })
    };
    let scans = active.baseline.iter().filter(is_own).filter_map(scan).collect();
    let (id, at) = (phase.spec.id.to_string(), seconds(active.began_at));
    let source = if active.log.had_plan { CriteriaSource::Plan } else { CriteriaSource::Roadmap };
    let triage = Triage::of(id, at, source, scans);
    serde_json::to_string_pretty(&triage).ok().map(|text| text + "\n")
}

fn research(phase: &Phase, found: &Research) -> String {
    let mut text = format!(
        "# Research: Phase {} {}\n\n## Recommended Approach\n\n{}\n\n## Key Findings\n\n",
        phase.spec.id, phase.spec.name, found.recommended_approach
    );
    text.push_str(&list(&found.key_findings));
    let more = [("Risks", &found.risks), ("Open Questions", &found.open_questions)];
    for (title, lines) in more {
        let lines = lines.clone().map(crate::returns::told).unwrap_or_default();
        if !lines.is_empty() {
            // Writing into a text cannot fail.
            let _ = write!(text, "\n## {title}\n\n{}", list(&lines));
        }
    }
    text
}

fn verification(phase: &Phase, active: &Active, word: &Verified) -> String {
    let status = if word.pass { "passed" } else { "failed" };
    let mut text = format!(
        "---\nphase: {}\nverified: {}\nstatus: {status}\n---\n\n# Verification: Phase {} {}\n\n\
         ## Sandbox Execution Results\n\n| Criterion | Command | Exit Code | Output (truncated) | Assessment |\n\
         |-----------|---------|-----------|-------------------|------------|\n",
        phase.spec.id,
        seconds(word.at),
        phase.spec.id,
        phase.spec.name
    );
    for result in active.checked.iter().filter(|result| result.command.is_some()) {
        text.push_str(&executed(result));
    }
    text.push_str(&test_specs(active));
    let sections = [
        ("What does not hold", &word.failures),
        ("What the verifier saw", &word.seen.criteria),
        ("Behavioral Traces: what reading did not tell", &word.unproven),
    ];
    for (title, lines) in sections.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        let _ = write!(text, "\n## {title}\n\n{}", list(lines));
    }
    text.push_str(&visual_papers::section(&active.visual));
    let how = word.seen.commands.how();
    let _ = write!(text, "\n## Commands of the verifier ({how})\n\n");
    text.push_str(&list(word.seen.commands.list()));
    if !active.log.justified.is_empty() {
        text.push_str("\n## Wire Check\n\n");
        let line = |one: &crate::returns::Standalone| {
            format!("`{}` stands by itself: {}", cell(&one.file), cell(&one.justification))
        };
        text.push_str(&list(&active.log.justified.iter().map(line).collect::<Vec<_>>()));
    }
    text
}

fn executed(result: &CheckResult) -> String {
    let assessment = match &result.verdict {
        Verdict::Passed => "VERIFIED".to_owned(),
        Verdict::Failed(why) => format!("FAILED: {}", cell(why)),
        Verdict::Unproven(why) => format!("UNPROVEN: {}", cell(why)),
    };
    let code = result.exit_code.map_or("-".to_owned(), |code| code.to_string());
    let output: String = result.output.trim().chars().take(OUTPUT_CHARS_MAX).collect();
    let command = result.command.as_deref().unwrap_or_default();
    format!(
        "| {} | `{}` | {code} | {} | {assessment} |\n",
        cell(&result.criterion),
        cell(command),
        cell(&output)
    )
}

/// What the test specs of the plan showed, where there are any.
fn test_specs(active: &Active) -> String {
    let mut rows = String::new();
    for result in &active.checked {
        let command = result.command.as_deref().unwrap_or_default();
        let Some((_, rest)) = command.split_once("/tests/task-") else { continue };
        let Some((task, _)) = rest.split_once(".sh") else { continue };
        let counts = result.counts.unwrap_or_default();
        let status = if result.verdict.is_passed() { "ALL PASS" } else { "FAILED" };
        let code = result.exit_code.map_or("-".to_owned(), |code| code.to_string());
        let task = cell(task);
        let _ = writeln!(
            rows,
            "| {task} | tests/task-{task}.sh | {} | {} | {code} | {status} |",
            counts.passed, counts.failed
        );
    }
    if rows.is_empty() {
        return rows;
    }
    format!(
        "\n## Test Specification Results\n\n\
         | Task | Test File | Assertions Passed | Assertions Failed | Exit Code | Status |\n\
         |------|-----------|-------------------|-------------------|-----------|--------|\n{rows}"
    )
}

fn judgement(phase: &Phase, report: &Judgement, reviews: &Reviews) -> String {
    let mut text = format!(
        "# Judge Report: Phase {} {}\n\n**Recommendation:** {}\n\n## Concerns\n\n{}",
        phase.spec.id,
        phase.spec.name,
        report.recommendation.name(),
        list(&report.concerns)
    );
    if !report.independent_evidence.is_empty() {
        let _ = write!(text, "\n## Independent Evidence\n\n{}", list(&report.independent_evidence));
    }
    let more = [
        ("Scope Creep", &report.scope_creep),
        ("Missing Requirements", &report.missing_requirements),
    ];
    for (title, lines) in more {
        let lines = lines.clone().map(crate::returns::told).unwrap_or_default();
        if !lines.is_empty() {
            let _ = write!(text, "\n## {title}\n\n{}", list(&lines));
        }
    }
    if let Some(compared) = &reviews.compared {
        text.push_str(&divergence(compared));
    }
    text
}

fn divergence(compared: &Compared) -> String {
    let agrees = if compared.agrees { "yes" } else { "no" };
    let mut text = format!(
        "\n## Divergence Analysis\n\nWritten after the report above stood, with what the verifier found.\n\n\
         **Agrees on the whole:** {agrees}\n\n{}",
        list(&compared.divergence)
    );
    if !compared.missed.is_empty() {
        let _ = write!(text, "\nWhat the verifier missed:\n\n{}", list(&compared.missed));
    }
    text
}

fn scorecard(phase: &Phase, active: &Active, rows: &[ScoredRow]) -> String {
    let mut text = format!(
        "# Scorecard: Phase {} {}\n\n| Criterion | Score | Evidence | Justification |\n\
         |-----------|-------|----------|---------------|\n",
        phase.spec.id, phase.spec.name
    );
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            cell(&row.criterion),
            row.score,
            cell(&row.evidence.join(", ")),
            cell(&row.justification)
        );
    }
    if let Some(score) = active.scores.last() {
        let _ = write!(
            text,
            "\n**Aggregate score:** {score}/10, the mean of the rows by their weights, rounded down\n\
             **Band:** {}\n",
            score.band()
        );
    }
    let tests = active.checked.iter().filter_map(|result| result.counts);
    let (count, passed) =
        tests.fold((0, 0), |(count, passed), one| (count + 1, passed + one.passed));
    let _ = write!(
        text,
        "\n## Test Coverage\n\n- commands that count tests: {count}\n- tests that passed in them: {passed}\n"
    );
    text
}

fn list(lines: &[String]) -> String {
    if lines.is_empty() {
        return "- none\n".to_owned();
    }
    lines.iter().map(|line| format!("- {}\n", cell(line))).collect()
}
