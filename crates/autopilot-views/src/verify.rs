//! What came of checking certificates.

use autopilot_core::{
    certificate::{Certificate, Certified, Difference, Finding, Report},
    evidence::{CheckKind, Standing},
};
use serde::Serialize;

use crate::{clean, table};

/// How much of an id is shown.
const ID_CHARS: usize = 12;

/// What came of checking certificates, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct VerifyView {
    /// Whether all of them hold.
    pub holds: bool,
    /// Each of them.
    pub certificates: Vec<CertificateView>,
}

/// What came of checking one certificate, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct CertificateView {
    /// The file.
    pub file: String,
    /// Whether it holds.
    pub holds: bool,
    /// The run.
    pub run: Option<String>,
    /// The phase.
    pub phase: Option<String>,
    /// The commit that is certified.
    pub head: Option<String>,
    /// The checks that a person has waived; they are never among those that hold.
    pub waived: Vec<WaivedView>,
    /// What was looked at, in order.
    pub examined: Vec<ExaminedView>,
}

/// A check that a person has waived, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct WaivedView {
    /// The check.
    pub check: String,
    /// Who said so.
    pub by: String,
    /// Why.
    pub why: String,
}

/// One thing that was looked at, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct ExaminedView {
    /// What.
    pub what: String,
    /// In one word: `holds`, `differs`, `unchecked`, `waived`.
    pub found: &'static str,
    /// What was seen, or why nothing was.
    pub detail: Option<String>,
    /// The first difference.
    pub difference: Option<Difference>,
}

/// What came of checking certificates.
pub fn verify(reports: &[Report]) -> VerifyView {
    VerifyView {
        holds: reports.iter().all(Report::holds),
        certificates: reports.iter().map(certificate).collect(),
    }
}

fn certificate(report: &Report) -> CertificateView {
    let certificate = report.certificate.as_deref();
    CertificateView {
        file: report.file.clone(),
        holds: report.holds(),
        run: certificate.map(|one| one.run.to_string()),
        phase: certificate.map(|one| one.phase.id.to_string()),
        head: certificate.map(|one| one.commits.head.to_string()),
        waived: certificate.into_iter().flat_map(waived).collect(),
        examined: report
            .examined
            .iter()
            .map(|examined| {
                let (found, detail, difference) = match &examined.found {
                    Finding::Holds(detail) => ("holds", Some(detail.clone()), None),
                    Finding::Differs(difference) => ("differs", None, Some(difference.clone())),
                    Finding::Unchecked(why) => ("unchecked", Some(why.clone()), None),
                    Finding::Waived(detail) => ("waived", Some(detail.clone()), None),
                };
                ExaminedView { what: examined.what.clone(), found, detail, difference }
            })
            .collect(),
    }
}

fn waived(certificate: &Certificate) -> Vec<WaivedView> {
    let view = |check: &Certified| {
        let waiver = check.waived.clone()?;
        Some(WaivedView { check: check.name.clone(), by: waiver.by, why: waiver.why })
    };
    certificate.checks.iter().filter_map(view).collect()
}

/// The same as text, a block for each certificate.
pub fn verify_text(reports: &[Report]) -> String {
    reports.iter().map(block).collect::<Vec<_>>().join("\n")
}

fn block(report: &Report) -> String {
    let word = if report.holds() { "holds" } else { "DOES NOT HOLD" };
    let mut text = format!("{}: {word}\n", clean(&report.file));
    if let Some(certificate) = &report.certificate {
        text.push_str(&summary(certificate));
        for WaivedView { check, by, why } in waived(certificate) {
            text.push_str(&format!(
                "  WAIVED {} by {}: {}\n",
                clean(&check),
                clean(&by),
                clean(&why)
            ));
        }
    }
    let rows: Vec<Vec<String>> = report
        .examined
        .iter()
        .map(|examined| {
            let (word, detail) = match &examined.found {
                Finding::Holds(detail) => ("holds", detail.clone()),
                Finding::Differs(difference) => ("DIFFERS", difference.to_string()),
                Finding::Unchecked(why) => ("not checked", why.clone()),
                Finding::Waived(detail) => ("WAIVED", detail.clone()),
            };
            vec![format!("  {word}"), clean(&examined.what), clean(&detail)]
        })
        .collect();
    text + &table(&rows)
}

/// What is certified, in two lines. What is waived is counted by itself, whatever else it is.
fn summary(certificate: &Certificate) -> String {
    let count = |kind: CheckKind, stands: fn(&Standing) -> bool| {
        let of_kind = certificate.checks.iter().filter(|check| check.kind == kind);
        of_kind.filter(|check| check.waived.is_none() && stands(&check.standing)).count()
    };
    let new = |standing: &Standing| *standing == Standing::New;
    let held = |standing: &Standing| *standing == Standing::Held;
    let waived = certificate.checks.iter().filter(|check| check.waived.is_some()).count();
    let judged = match certificate.judged.len() {
        0 => String::new(),
        count => format!("; judged by reading, not observed: {count}"),
    };
    let short = |id: &str| id.chars().take(ID_CHARS).collect::<String>();
    let commits = &certificate.commits;
    format!(
        "  phase {} ({}) of {}, from {} to {}\n  criteria: {} new, {} held; guards: {} held; waived: {waived}{judged}\n",
        certificate.phase.id,
        clean(&certificate.phase.name),
        clean(certificate.run.as_str()),
        clean(&short(commits.base.as_str())),
        clean(&short(commits.head.as_str())),
        count(CheckKind::Criterion, new),
        count(CheckKind::Criterion, held),
        count(CheckKind::Guard, held),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_and_what_was_not_checked_is_told_and_steers_no_terminal() {
        let mut report = Report::of("a\u{1b}[2J.json");
        report.add("journal", Finding::Unchecked("it is not here".to_owned()));
        let difference = Difference::at("`/sha256`", "one", "an\u{7}other");
        report.add("document", Finding::Differs(difference));
        let text = verify_text(std::slice::from_ref(&report));
        assert!(text.starts_with("a") && text.contains(": DOES NOT HOLD\n"), "{text}");
        assert!(text.contains("not checked  journal"), "{text}");
        assert!(text.contains("`/sha256`: expected one, found an"), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{7}']), "{text:?}");
        let view = verify(&[report]);
        assert!(!view.holds);
        assert_eq!(view.certificates[0].examined[1].found, "differs");
    }
}
