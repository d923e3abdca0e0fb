//! Runs the commands of a certificate again and compares.

use autopilot_core::{
    certificate::{Certificate, Certified, Difference, Finding, Report, Seen, commands},
    evidence::{CheckResult, Verdict},
};

use super::history::sources;
use crate::{
    error::EngineError,
    git::Project,
    home::Home,
    work::{Repeated, Tools, repeat},
};

/// Whose commands are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Those that the project's own history gives.
    History,
    /// All that the certificate names: a person takes it at its word.
    Certificate,
}

/// The commands of a certificate in their order, each with whether the project itself gives it: by the journal of the
/// run, or by its history. None where something else does not hold: then nothing of it is run.
pub fn commands_of(project: &Project, report: &Report) -> Result<Vec<(String, bool)>, EngineError> {
    let Some(certificate) = report.certificate.as_deref().filter(|_| report.holds()) else {
        return Ok(Vec::new());
    };
    let mut commands = commands(certificate, &sources(project, certificate)?);
    if report.is_derived_again() {
        commands.iter_mut().for_each(|(_, is_given)| *is_given = true);
    }
    Ok(commands)
}

/// Runs every command of a certificate again, if everything else holds, and adds what differs. `tools` are this
/// program and its settings.
pub fn rerun(
    home: &Home,
    project: &Project,
    tools: &Tools,
    trust: Trust,
    report: &mut Report,
) -> Result<(), EngineError> {
    let Some(certificate) = report.certificate.clone().filter(|_| report.holds()) else {
        let why = "nothing was run, because what comes before does not hold";
        report.add("commands", Finding::Unchecked(why.to_owned()));
        return Ok(());
    };
    let foreign = commands_of(project, report)?.into_iter().find(|(_, is_given)| !is_given);
    if let Some((command, _)) = foreign.filter(|_| trust == Trust::History) {
        let expected = "a command that the roadmap, the plan or the settings in the commits give";
        let difference = Difference::at("what is to be repeated", expected, format!("`{command}`"));
        report.add("commands", Finding::Differs(difference));
        return Ok(());
    }
    let repeated = repeat(home, tools, &certificate)?;
    compare(&certificate, &repeated, report);
    Ok(())
}

fn compare(certificate: &Certificate, repeated: &Repeated, report: &mut Report) {
    let again = &repeated.environment;
    let same = certificate.environments.iter().any(|one| one.sha256 == again.sha256);
    let surroundings = match same {
        true => "the same as when the certificate was made",
        false => "not the same as when the certificate was made, which is no difference by itself",
    };
    report.add("surroundings", Finding::Holds(format!("{} ({surroundings})", again.system)));
    for check in &certificate.checks {
        let sides = [
            ("base", check.base.as_ref(), &repeated.base),
            ("work", Some(&check.result), &repeated.result),
        ];
        for (side, seen, results) in sides {
            let Some(seen) = seen else { continue };
            let result = results.iter().find(|result| result.name == check.name);
            let what = format!("{} on the {side}", check.name);
            report.add(what, finding(check, side, seen, result));
        }
    }
    if certificate.checks.iter().any(|check| check.bite.is_some()) {
        let why = "the work was not broken again; that its checks can go red rests on the journal";
        report.add("canaries", Finding::Unchecked(why.to_owned()));
    }
}

fn finding(check: &Certified, side: &str, seen: &Seen, result: Option<&CheckResult>) -> Finding {
    let command = check.criterion.command.as_deref().unwrap_or_default();
    let Some(result) = result else {
        let difference = Difference::at(format!("`{command}`"), "a result", "none");
        return Finding::Differs(difference);
    };
    let again = Seen::of(result, None);
    let differs = seen.differs_from(&again).map(|(field, expected, found)| {
        Difference::at(format!("{field} of `{command}` on the {side}"), expected, found)
    });
    let output = match seen.output_sha256 == again.output_sha256 {
        true => "the same output",
        false => "another output, which is no difference by itself",
    };
    let told = format!("`{command}` {}; {output}", word(&again));
    if side == "base" && claims_less(seen, &again) {
        let why = "which the certificate does not count on";
        return Finding::Holds(format!("`{command}` passes, {why}"));
    }
    match (&check.waived, differs) {
        // The certificate does not say that it holds, so nothing rests on what it shows now.
        (Some(waiver), differs) => {
            let now = differs.map_or(told, |difference| difference.to_string());
            Finding::Waived(format!("by {}: {}; {now}", waiver.by, waiver.why))
        }
        (None, differs) => Finding::of(differs, told),
    }
}

/// Whether the certificate takes for unproven what is seen to hold, so that nothing rests on it.
fn claims_less(seen: &Seen, again: &Seen) -> bool {
    matches!(seen.verdict, Verdict::Unproven(_)) && again.verdict.is_passed()
}

fn word(seen: &Seen) -> String {
    let word = match &seen.verdict {
        Verdict::Passed => "passed",
        Verdict::Failed(_) => "failed",
        Verdict::Unproven(_) => "proved nothing",
    };
    let code = seen.exit_code.map(|code| format!(", exit code {code}")).unwrap_or_default();
    let counts = seen.counts.map(|counts| format!(", {counts}")).unwrap_or_default();
    format!("{word} again{code}{counts}")
}
