//! `autopilot roadmap`

use autopilot_core::roadmap::{Phase, Roadmap, parse_bytes};
use autopilot_views::{clean, table};

use crate::{
    args,
    commands::{data, json},
    config::Config,
    exit::Exit,
    failure::Outcome,
    project::{Project, read},
    ui::Ui,
};

/// Shows what the parser understood, and what it did not.
pub(crate) fn roadmap(args: &args::Roadmap, ui: &mut Ui) -> Outcome {
    let path = match &args.file {
        Some(file) => file.clone(),
        None => {
            let project = Project::find()?;
            let config = project.config().unwrap_or_else(|_| Config::built_in());
            project.root.join(project.roadmap(None, &config)?)
        }
    };
    let roadmap = parse_bytes(read(&path)?);
    let text = if args.json { json(&roadmap)? } else { told(&roadmap) };
    data(ui, &text)?;
    if args.strict && !roadmap.problems.is_empty() {
        return Ok(Exit::Incomplete);
    }
    Ok(Exit::Done)
}

fn told(roadmap: &Roadmap) -> String {
    let mut rows = vec![["PHASE", "NAME", "DONE", "DEPENDS ON"].map(str::to_owned).to_vec()];
    for phase in &roadmap.phases {
        let depends: Vec<&str> = phase.depends_on.iter().map(|id| id.as_str()).collect();
        rows.push(vec![
            phase.id.to_string(),
            clean(&phase.name),
            if phase.complete { "yes" } else { "no" }.to_owned(),
            depends.join(", "),
        ]);
    }
    let mut text = table(&rows);
    for problem in &roadmap.problems {
        text.push_str(&format!("line {}: {}\n", problem.line, clean(&problem.message)));
    }
    let open = roadmap.phases.iter().filter(|phase| !phase.complete && !phase.duplicate);
    if let Some(warning) = unproven(open) {
        text.push_str(&format!("warning: {warning}\n"));
    }
    text
}

/// Says which phases have no criterion that a command decides.
pub(super) fn unproven<'a>(phases: impl Iterator<Item = &'a Phase>) -> Option<String> {
    const SHOWN_MAX: usize = 20;
    let ids: Vec<&str> = phases
        .filter(|phase| phase.executable_criteria() == 0)
        .map(|phase| phase.id.as_str())
        .collect();
    let phases = match ids.as_slice() {
        [] => return None,
        [one] => format!("phase {one}"),
        all if all.len() > SHOWN_MAX => {
            let rest = all.len() - SHOWN_MAX;
            format!("phases {} and {rest} more", all[..SHOWN_MAX].join(", "))
        }
        all => format!("phases {}", all.join(", ")),
    };
    Some(format!(
        "no criterion of {phases} names a command, so only plans and reviewers say what proves it done; \
         write criteria as ``- text -- verified by: `command` ``"
    ))
}
