//! `autopilot prompts`

use autopilot_engine::{
    error::EngineError,
    prompt::{Prompts, templates},
};
use autopilot_views::table;

use crate::{
    args,
    commands::{data, engine_failure},
    exit::Exit,
    failure::{Failure, Outcome},
    project::Project,
    ui::Ui,
};

/// Lists the templates of prompts, or prints one.
pub(crate) fn prompts(args: &args::Prompts, ui: &mut Ui) -> Outcome {
    let project = Project::find()?;
    let directory = project.home.prompts();
    let Some(name) = &args.name else {
        let prompts =
            Prompts::of(&directory).map_err(|error| engine_failure(&EngineError::from(error)))?;
        data(ui, &list(&prompts))?;
        let place = directory.display();
        let make = if directory.is_dir() { String::new() } else { format!("mkdir -p {place} && ") };
        ui.tell(format!("`{make}autopilot prompts NAME > {place}/NAME.md` makes one yours"));
        return Ok(Exit::Done);
    };
    let own = templates().find(|(known, _)| known == name).ok_or_else(|| unknown(name))?.1;
    let used = if args.built_in {
        own.to_owned()
    } else {
        let prompts =
            Prompts::of(&directory).map_err(|error| engine_failure(&EngineError::from(error)))?;
        prompts.text(name).unwrap_or_else(|| own.to_owned())
    };
    data(ui, &used)?;
    Ok(Exit::Done)
}

fn list(prompts: &Prompts) -> String {
    let heading = ["TEMPLATE", "WHOSE"].map(str::to_owned).to_vec();
    let whose = |name: &str| if prompts.own().contains_key(name) { "yours" } else { "built in" };
    let rows = templates().map(|(name, _)| vec![name.to_owned(), whose(name).to_owned()]);
    table(&std::iter::once(heading).chain(rows).collect::<Vec<_>>())
}

fn unknown(name: &str) -> Failure {
    let names: Vec<&str> = templates().map(|(name, _)| name).collect();
    Failure::refused(
        format!("no template is called `{name}`"),
        "there is nothing to print",
        format!("name one of these: {}", names.join(", ")),
    )
}
