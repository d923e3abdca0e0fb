//! `autopilot init`

use std::{fs::OpenOptions, io, io::Write};

use autopilot_engine::git;

use crate::{
    commands::engine_failure,
    exit::Exit,
    failure::{Failure, Outcome},
    project::Project,
    ui::Ui,
};

/// What a new project's file says. Every key is commented out: nothing is set that a person did not set.
const TEMPLATE: &str = include_str!("../config/template.toml");

/// Sets a project up.
pub(crate) fn init(ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let repository = git::Project::open_empty(&project.root, git::Git::from_own_environment())
        .map_err(|error| engine_failure(&error.into()))?;
    project.home.check_state(None).map_err(|error| engine_failure(&error))?;
    repository.exclude_own_files().map_err(|error| engine_failure(&error.into()))?;
    let path = project.root.join("autopilot.toml");
    let made = OpenOptions::new().write(true).create_new(true).open(&path);
    match made.and_then(|mut file| file.write_all(TEMPLATE.as_bytes())) {
        Ok(()) => ui.tell(format!(
            "wrote {}; every setting in it is explained and commented out",
            path.display()
        )),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            ui.tell(format!("{} is there already and was left as it is", path.display()));
        }
        Err(error) => {
            return Err(Failure::new(
                Exit::Disk,
                format!("`{}` cannot be written: {error}", path.display()),
                "the project's settings belong there",
                "check the directory's permissions and free space",
            ));
        }
    }
    ui.tell("next: choose an agent in autopilot.toml, then `autopilot doctor` and `autopilot run --dry-run`");
    Ok(Exit::Done)
}
