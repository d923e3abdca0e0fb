//! `CONTEXT.md`: what a person has decided about a phase, for people and for agents.
//!
//! Its headings and the lines for what is empty are a compatibility surface.

use std::fmt::Write as _;

use super::{Area, Discussed, Said, Talking, said::one_line};
use crate::{
    effect::Paper,
    phases::{Phase, PhaseSpec, Phases},
    roadmap::PhaseId,
    run::Run,
    sessions::clock::day,
};

/// Under it stands what is left to the agents.
const DISCRETION: &str = "### Claude's Discretion";
/// What stands where nothing is left to the agents.
const NO_DISCRETION: &str = "None -- every question was answered";
/// What stands where nothing specific was named.
const NOTHING_SPECIFIC: &str = "No specific requirements -- open to standard approaches";
/// What stands where nothing was put off.
const NOTHING_DEFERRED: &str = "None -- discussion stayed within phase scope";

/// What stands in the file of a phase, where there is one: what was just decided, or what was there when the run began.
pub(super) fn current(run: &Run, work: &Phases, id: PhaseId) -> Option<String> {
    let known = run.known(id).context_md;
    let discussed = work.talk.talking().and_then(|talking| talking.discussion(id));
    let discussed = discussed.filter(|one| !one.selected.is_empty());
    let spec = work.place(&id).map(|at| &work.list[at].spec);
    match (discussed, spec) {
        (Some(one), Some(spec)) => Some(text(spec, one, known.as_deref())),
        (_, _) => known,
    }
}

/// The file of a phase as the person left it: whoever works on the phase can change it in the workspace, and not for good.
pub(in crate::phases) fn paper(run: &Run, work: &Phases, phase: &Phase) -> Option<Paper> {
    let own = phase.part_of.is_none().then(|| current(run, work, phase.spec.id))??;
    Some(Paper { path: path_of(&phase.spec), text: own })
}

/// The file of every phase that was talked about.
pub(super) fn papers(run: &Run, work: &Phases, talking: &Talking) -> Vec<Paper> {
    let discussed = talking.discussed.iter().filter(|one| !one.selected.is_empty());
    let paper = |one: &Discussed| {
        let spec = &work.list.get(work.place(&one.phase)?)?.spec;
        Some(Paper { path: path_of(spec), text: current(run, work, one.phase)? })
    };
    discussed.filter_map(paper).collect()
}

/// Where the file of a phase is.
fn path_of(spec: &PhaseSpec) -> String {
    format!("{}/CONTEXT.md", spec.directory)
}

/// The file. What an earlier one decided about other areas, and what it put off, stays.
fn text(spec: &PhaseSpec, discussed: &Discussed, earlier: Option<&str>) -> String {
    let mut text = format!(
        "# Phase {}: {} - Context\n\n**Gathered:** {}\n**Status:** Ready for planning\n\n## Phase Boundary\n\n{}\n\n\
         ## Implementation Decisions\n",
        spec.id,
        one_line(&spec.name),
        day(discussed.at),
        boundary(spec, discussed),
    );
    let areas: Vec<&Area> =
        discussed.selected.iter().filter_map(|at| discussed.areas.get(*at)).collect();
    for area in &areas {
        let lines = lines(area, |said| matches!(said, Said::Chosen(_) | Said::Own(_)));
        if !lines.is_empty() {
            // Writing into a text cannot fail.
            let _ = write!(text, "\n### {}\n{lines}", area.area);
        }
    }
    let earlier = earlier.unwrap_or_default();
    let is_again = |heading: &str| {
        let name = heading.trim_start_matches('#').trim();
        heading == DISCRETION || areas.iter().any(|area| area.area == name)
    };
    for (heading, body) in parts(&section(earlier, "## Implementation Decisions")) {
        if !is_again(heading) {
            let _ = write!(text, "\n{heading}\n{}\n", body.trim());
        }
    }
    let all = |wanted: fn(&Said) -> bool| -> String {
        areas.iter().map(|area| lines(area, wanted)).collect()
    };
    let left = all(|said| *said == Said::YouDecide);
    let _ = write!(text, "\n{DISCRETION}\n{}", or(&left, NO_DISCRETION));
    let specific: String = areas.iter().map(|area| specific(area)).collect();
    let specific = specific + &kept(earlier, "## Specific Ideas", NOTHING_SPECIFIC);
    let _ = write!(text, "\n## Specific Ideas\n\n{}", or(&specific, NOTHING_SPECIFIC));
    let later = areas.iter().flat_map(|area| later(area)).collect::<String>();
    let later = later + &kept(earlier, "## Deferred Ideas", NOTHING_DEFERRED);
    let _ = write!(text, "\n## Deferred Ideas\n\n{}", or(&later, NOTHING_DEFERRED));
    text
}

fn boundary(spec: &PhaseSpec, discussed: &Discussed) -> String {
    let goal = one_line(&spec.goal);
    let goal = if goal.is_empty() { one_line(&spec.name) } else { goal };
    match discussed.description.as_str() {
        "" => goal,
        description => format!("{description}\n\nFrom the roadmap: {goal}"),
    }
}

/// The questions of an area with answers of a kind.
fn lines(area: &Area, wanted: impl Fn(&Said) -> bool) -> String {
    let replied = area.questions.iter().filter_map(|asked| Some((asked, asked.reply.as_ref()?)));
    let of_kind = replied.filter(|(_, reply)| wanted(&reply.said));
    of_kind
        .map(|(asked, reply)| match &reply.said {
            Said::YouDecide => format!("- {}: {}\n", area.area, asked.question),
            said @ (Said::Chosen(_) | Said::Own(_) | Said::Later(_)) => {
                format!("- {} {}\n", asked.question, said.text())
            }
        })
        .collect()
}

fn specific(area: &Area) -> String {
    let named = area.questions.iter().filter(|asked| asked.is_specific);
    named
        .filter_map(|asked| match &asked.reply.as_ref()?.said {
            Said::Own(text) => Some(format!("- {text}\n")),
            Said::Chosen(_) | Said::YouDecide | Said::Later(_) => None,
        })
        .collect()
}

fn later(area: &Area) -> Vec<String> {
    let replies = area.questions.iter().filter_map(|asked| asked.reply.as_ref());
    let ideas = replies.filter_map(|reply| match &reply.said {
        Said::Later(text) if !text.is_empty() => Some(format!("- {text}\n")),
        Said::Later(_) | Said::Chosen(_) | Said::YouDecide | Said::Own(_) => None,
    });
    ideas.collect()
}

fn or(text: &str, nothing: &str) -> String {
    if text.is_empty() { format!("{nothing}\n") } else { text.to_owned() }
}

/// What an earlier file says in a section, unless that is nothing.
fn kept(earlier: &str, heading: &str, nothing: &str) -> String {
    let body = section(earlier, heading);
    let lines = body.lines().filter(|line| !line.trim().is_empty() && line.trim() != nothing);
    lines.map(|line| format!("{line}\n")).collect()
}

/// The text below a heading of the second level, up to the next.
fn section(text: &str, heading: &str) -> String {
    let after = text.lines().skip_while(|line| line.trim_end() != heading).skip(1);
    let within = after.take_while(|line| !line.starts_with("## "));
    within.map(|line| format!("{line}\n")).collect()
}

/// The parts of a section, each with its heading of the third level.
fn parts(section: &str) -> Vec<(&str, String)> {
    let mut parts: Vec<(&str, String)> = Vec::new();
    for line in section.lines() {
        if line.starts_with("### ") {
            parts.push((line.trim_end(), String::new()));
        } else if let Some((_, body)) = parts.last_mut() {
            body.push_str(line);
            body.push('\n');
        }
    }
    parts
}
