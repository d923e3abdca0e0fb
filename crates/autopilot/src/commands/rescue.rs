//! `autopilot rescue`

use std::path::Path;

use autopilot_engine::{
    book::Book,
    git::{Git, KeptRef, Project as Repository},
    work::{Leftover, leftovers},
};
use autopilot_views::{clean, files, table};
use serde::Serialize;

use crate::{
    args,
    commands::{data, engine_failure, json},
    exit::Exit,
    failure::{Failure, Outcome},
    project::Project,
    ui::Ui,
};

/// Something that was kept, as JSON.
#[derive(Serialize)]
struct KeptView {
    name: String,
    commit: String,
    /// What of it is in no commit, and where it is.
    on_disk: Option<OnDiskView>,
}

/// What could not be kept in git, as JSON.
#[derive(Serialize)]
struct OnDiskView {
    place: String,
    files: u64,
    bytes: u64,
}

/// What every kept ref begins with.
const PREFIX: &str = "refs/autopilot/";

/// Lists, shows and restores work that was kept.
pub(crate) fn rescue(args: &args::Rescue, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let repository = Repository::open(&project.root, Git::from_own_environment())
        .map_err(|error| engine_failure(&error.into()))?;
    let kept = repository.kept(None).map_err(|error| engine_failure(&error.into()))?;
    let leftovers = leftovers(&project.home).map_err(|error| engine_failure(&error))?;
    let Some(wanted) = &args.what else { return list(&kept, &leftovers, args.json, ui) };
    let found = kept.iter().find(|kept| short(kept) == wanted || kept.name.as_str() == wanted);
    let Some(found) = found else {
        return Err(Failure::refused(
            format!("nothing is kept under the name `{wanted}`"),
            "only what is listed can be given back",
            "`autopilot rescue` lists the names",
        ));
    };
    let leftover = leftovers.iter().find(|leftover| leftover.kept == found.name.as_str());
    if args.drop {
        return remove(&project, wanted, leftover, ui);
    }
    if args.json && args.to.is_none() {
        data(ui, &json(&kept_view(found, &leftovers))?)?;
        return Ok(Exit::Done);
    }
    match &args.to {
        Some(directory) => {
            refuse_if_there(directory)?;
            let renamed = repository
                .restore_to_directory(found, directory)
                .map_err(|error| engine_failure(&error.into()))?;
            ui.tell(format!("restored to {}", directory.display()));
            if let Some(path) = renamed {
                ui.warn(&format!(
                    "nested git directories and names that mean `.git` somewhere have another name, since they may hold \
                     hooks that would be run: `{}`; rename what you trust",
                    clean(&path)
                ));
            }
        }
        None => {
            let shown =
                repository.show(&found.commit).map_err(|error| engine_failure(&error.into()))?;
            let text = String::from_utf8_lossy(&shown);
            for line in text.lines() {
                data(ui, &format!("{}\n", clean(line)))?;
            }
            ui.tell(format!("`autopilot rescue {wanted} --to DIR` restores it"));
        }
    }
    if let Some(leftover) = leftover {
        ui.warn(&format!(
            "{} of it are in no commit but in {}; `autopilot rescue {wanted} --drop` removes them for good",
            amount(leftover),
            leftover.place().display()
        ));
    }
    Ok(Exit::Done)
}

fn refuse_if_there(directory: &Path) -> Result<(), Failure> {
    if directory.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Failure::refused(
        format!("`{}` is there already", directory.display()),
        "what is restored must not be mixed with other files, nor written over them",
        "name a directory that is not there yet; it is made",
    ))
}

/// Removes a workspace that stayed on disk, on the person's word.
fn remove(project: &Project, wanted: &str, leftover: Option<&Leftover>, ui: &mut Ui) -> Outcome {
    let Some(leftover) = leftover else {
        return Err(Failure::refused(
            format!("nothing of `{wanted}` is on disk"),
            "everything that is left of it is in its commit, and commits are not removed here",
            "docs/files.md tells how to be rid of a whole run",
        ));
    };
    let holder = Book::holder(&project.home.journal(&leftover.run));
    let holder = holder.map_err(|error| engine_failure(&error))?;
    if holder.is_some_and(|holder| holder.is_running()) {
        return Err(Failure::refused(
            format!("{} is being worked on", leftover.run),
            "the directory may be in use",
            "wait for its end, or stop it with Ctrl-C where it runs",
        ));
    }
    leftover.remove().map_err(|error| engine_failure(&error))?;
    let (amount, place) = (amount(leftover), leftover.place());
    ui.tell(format!("removed {amount} in {}; the commit stays", place.display()));
    Ok(Exit::Done)
}

fn amount(leftover: &Leftover) -> String {
    files(leftover.left_out.files, leftover.left_out.bytes)
}

fn list(kept: &[KeptRef], leftovers: &[Leftover], as_json: bool, ui: &mut Ui) -> Outcome {
    let views: Vec<KeptView> = kept.iter().map(|kept| kept_view(kept, leftovers)).collect();
    if as_json {
        data(ui, &json(&views)?)?;
        return Ok(Exit::Done);
    }
    if views.is_empty() {
        ui.tell("nothing is kept in this project");
        return Ok(Exit::Done);
    }
    let mut rows = vec![vec!["NAME".to_owned(), "COMMIT".to_owned()]];
    rows.extend(views.into_iter().map(|view| vec![view.name, view.commit]));
    data(ui, &table(&rows))?;
    for leftover in leftovers {
        let name = leftover.kept.strip_prefix(PREFIX).unwrap_or(&leftover.kept);
        ui.warn(&format!(
            "{} of {} are in no commit but in {}; `autopilot rescue {} --drop` removes them for good",
            amount(leftover),
            clean(name),
            clean(&leftover.place().display().to_string()),
            clean(name)
        ));
    }
    ui.tell("`autopilot rescue NAME` shows one, `autopilot rescue NAME --to DIR` restores it");
    Ok(Exit::Done)
}

fn kept_view(kept: &KeptRef, leftovers: &[Leftover]) -> KeptView {
    KeptView {
        name: short(kept).to_owned(),
        commit: kept.commit.to_string(),
        on_disk: leftovers.iter().find(|left| left.kept == kept.name.as_str()).map(on_disk),
    }
}

fn on_disk(leftover: &Leftover) -> OnDiskView {
    OnDiskView {
        place: leftover.place().display().to_string(),
        files: leftover.left_out.files,
        bytes: leftover.left_out.bytes,
    }
}

fn short(kept: &KeptRef) -> &str {
    kept.name.as_str().strip_prefix(PREFIX).unwrap_or(kept.name.as_str())
}
