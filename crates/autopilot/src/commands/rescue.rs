//! `autopilot rescue`

use autopilot_engine::git::{Git, KeptRef, Project as Repository};
use autopilot_views::{clean, table};
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
}

/// What every kept ref begins with.
const PREFIX: &str = "refs/autopilot/";

/// Lists, shows and restores work that was kept.
pub(crate) fn rescue(args: &args::Rescue, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let repository = Repository::open(&project.root, Git::from_own_environment())
        .map_err(|error| engine_failure(&error.into()))?;
    let kept = repository.kept(None).map_err(|error| engine_failure(&error.into()))?;
    let Some(wanted) = &args.what else { return list(&kept, args.json, ui) };
    let found = kept.iter().find(|kept| short(kept) == wanted || kept.name.as_str() == wanted);
    let Some(found) = found else {
        return Err(Failure::refused(
            format!("nothing is kept under the name `{wanted}`"),
            "only what is listed can be given back",
            "`autopilot rescue` lists the names",
        ));
    };
    match &args.to {
        Some(directory) => {
            repository
                .restore_to_directory(found, directory)
                .map_err(|error| engine_failure(&error.into()))?;
            ui.tell(format!("restored to {}", directory.display()));
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
    Ok(Exit::Done)
}

fn list(kept: &[KeptRef], as_json: bool, ui: &mut Ui) -> Outcome {
    let views: Vec<KeptView> = kept
        .iter()
        .map(|kept| KeptView { name: short(kept).to_owned(), commit: kept.commit.to_string() })
        .collect();
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
    ui.tell("`autopilot rescue NAME` shows one, `autopilot rescue NAME --to DIR` restores it");
    Ok(Exit::Done)
}

fn short(kept: &KeptRef) -> &str {
    kept.name.as_str().strip_prefix(PREFIX).unwrap_or(kept.name.as_str())
}
