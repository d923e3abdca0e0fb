//! `autopilot verify`

use std::{
    fs,
    path::{Path, PathBuf},
};

use autopilot_core::certificate::{CERTIFICATE_BYTES_MAX, Report};
use autopilot_engine::{
    certificates,
    driver::Driver,
    git::{Git, Project as Repository},
    verify::{Trust, commands_of, examine, rerun},
};
use autopilot_views::{clean, verify as view, verify_text};

use crate::{
    args::Verify,
    commands::{data, engine_failure, json, own_tools},
    exit::Exit,
    failure::{Failure, Outcome, chain},
    project::{Project, read},
    ui::Ui,
};

/// Checks certificates, and repeats their commands if asked to.
pub(crate) fn verify(args: &Verify, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let repository = Repository::open(&project.root, Git::from_own_environment())
        .map_err(|error| engine_failure(&error.into()))?;
    let files = match &args.cert {
        Some(file) => vec![file.clone()],
        None => all(&project, ui)?,
    };
    let mut reports = Vec::new();
    for file in &files {
        let bytes = document(file)?;
        let name = file.strip_prefix(&project.root).unwrap_or(file).display().to_string();
        let mut report = examine(&project.home, &repository, &name, &bytes)
            .map_err(|error| engine_failure(&error))?;
        if args.rerun {
            repeat(args, &project, &repository, &mut report, ui)?;
        }
        reports.push(report);
    }
    data(ui, &if args.json { json(&view(&reports))? } else { verify_text(&reports) })?;
    match reports.iter().find(|report| !report.holds()) {
        None => Ok(Exit::Done),
        Some(report) => Err(refused(report)),
    }
}

/// Every certificate of the project. What is missing is written again from its journal.
fn all(project: &Project, ui: &mut Ui) -> Result<Vec<PathBuf>, Failure> {
    let runs = project.runs().list().map_err(|error| engine_failure(&error))?;
    for run in &runs {
        project.home.check_state(Some(run)).map_err(|error| engine_failure(&error))?;
        match certificates::write_missing(&project.home, run) {
            Ok(written) => {
                for path in written {
                    ui.tell(format!("`{}` was missing and is written again", path.display()));
                }
            }
            // The certificates that are there tell what is wrong with the journal.
            Err(error) => ui.warn(&chain(&error)),
        }
    }
    let files = certificates::on_disk(&project.home).map_err(|error| engine_failure(&error))?;
    if files.is_empty() {
        return Err(Failure::refused(
            "there is no certificate in this project yet",
            "there is nothing to check",
            "`autopilot run` makes one for each phase that it completes; name a file to check one from elsewhere",
        ));
    }
    Ok(files)
}

fn document(path: &Path) -> Result<Vec<u8>, Failure> {
    let size = fs::metadata(path).map_or(0, |found| found.len());
    if size > CERTIFICATE_BYTES_MAX as u64 {
        return Err(Failure::refused(
            format!("`{}` has {size} bytes", path.display()),
            format!("no certificate is larger than {CERTIFICATE_BYTES_MAX} bytes"),
            "name a certificate, such as `.autopilot/certificates/<run>/<phase>.json`",
        ));
    }
    read(path)
}

/// Says what is about to be run, and runs it.
fn repeat(
    args: &Verify,
    project: &Project,
    repository: &Repository,
    report: &mut Report,
    ui: &mut Ui,
) -> Result<(), Failure> {
    let commands = commands_of(repository, report).map_err(|error| engine_failure(&error))?;
    if !commands.is_empty() {
        ui.tell(format!("{}: commands to repeat in fresh checkouts of base and work", report.file));
    }
    for (command, is_given) in &commands {
        let note = if *is_given { "" } else { "  (only the certificate names it)" };
        ui.tell(format!("  $ {}{note}", clean(command)));
    }
    let trust = if args.trust { Trust::Certificate } else { Trust::History };
    let tools = own_tools(&project.config()?)?;
    rerun(&project.home, repository, &tools, trust, report).map_err(|error| engine_failure(&error))
}

fn refused(report: &Report) -> Failure {
    let (part, difference) = match report.first_difference() {
        Some((part, difference)) => (part, difference.to_string()),
        None => ("document", String::new()),
    };
    let hint = match part {
        "document" | "position" => {
            "ask whoever made it for the document as it was; where its journal is, remove the file and `autopilot verify` \
             writes it again"
        }
        "journal" => "restore the journal from a backup; `autopilot audit` names what is damaged",
        "commits" => {
            "`git fsck` names everything that is damaged, `git fetch` brings what is missing; a shallow clone does not have it \
             all"
        }
        "commands" => "look at the command; `--trust` runs it all the same",
        _ => {
            "look at the difference together with whoever made the certificate; nothing was changed"
        }
    };
    Failure::new(
        Exit::Incomplete,
        format!("`{}` does not hold: {part}: {difference}", report.file),
        "what it certifies is not what is there, so it proves nothing",
        hint,
    )
}
