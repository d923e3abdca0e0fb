//! Looks at everything that can be seen without running anything.

use autopilot_core::certificate::{Finding, Report, coherent, read};

use super::{history, journal};
use crate::{certificates::check_seal, error::EngineError, git::Project, home::Home};

/// Checks a certificate without running its commands. `file` is what it is called.
///
/// Only what keeps from looking is an error; whatever is wrong with the certificate, the journal or a commit is in the
/// report.
pub fn examine(
    home: &Home,
    project: &Project,
    file: &str,
    bytes: &[u8],
) -> Result<Report, EngineError> {
    let mut report = Report::of(file);
    let envelope = match read(bytes) {
        Ok(envelope) => envelope,
        Err(difference) => {
            report.add("document", Finding::Differs(difference));
            return Ok(report);
        }
    };
    let certificate = envelope.certificate;
    let seal = check_seal(&certificate, &envelope.sha256);
    // The journal can name the place that was changed, the hash only that one was.
    journal::examine(home, &certificate, bytes, &mut report)?;
    report.add("document", Finding::of(seal, format!("whole, sha256 {}", envelope.sha256)));
    let ledger = format!("{} checks, and what they showed decides", certificate.checks.len());
    report.add("ledger", Finding::of(coherent(&certificate), ledger));
    history::examine(project, &certificate, &mut report)?;
    report.certificate = Some(Box::new(certificate));
    Ok(report)
}
