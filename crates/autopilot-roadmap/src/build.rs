//! Builds the phases out of what was put together, and checks them against each other.

use std::{borrow::Cow, sync::Arc};

use super::{
    check, doubts,
    found::Found,
    graph::Graph,
    index::IdIndex,
    merge::{self, Group},
    model::{CriterionLine, Phase, PhaseLines, PlanLine, Roadmap},
    problem::{self, Problem, ProblemKind},
    resolve::Resolver,
    section::Value,
    status::{self, Status},
    text::Text,
};

/// The most phases of a circle that a message lists.
const CYCLE_SHOWN_MAX: usize = 12;

/// Builds a roadmap from what a walk over the source found.
pub(super) fn roadmap(source: &Arc<String>, mut found: Found<'_>) -> Roadmap {
    let (mut live, mut known) = merge::group(&mut found);
    note_unread_criteria(&mut found, &live);
    let mut builder = Builder { source, found: &found, problems: Vec::new() };
    let gone: Vec<Group> = live.extract_if(.., |group| is_excluded(&found, group)).collect();
    if !gone.is_empty() {
        known = index_of(&live);
    }
    let excluded = index_of(&gone);
    let mut resolver = Resolver::new(&known, &excluded);
    let mut phases = Vec::with_capacity(live.len());
    for (place, group) in live.iter().enumerate() {
        let mut phase = builder.phase(group);
        let values = builder.dependency_values(group);
        phase.depends_on = resolver.resolve(group.id, place, &values);
        phase.lines.depends_on = values.first().map(|value| value.line);
        phases.push(phase);
    }
    let (mut pairs, mut problems) = (resolver.pairs, resolver.problems);
    let count = known.ids().len();
    pairs.retain(|(from, _)| (*from as usize) < count);
    problems.append(&mut builder.problems);
    let excluded: Vec<Phase> = gone.iter().map(|group| builder.phase(group)).collect();
    problems.append(&mut found.problems);
    let mut roadmap =
        Roadmap { graph: Graph::new(count, &pairs), phases, excluded, problems, index: known };
    doubts::note(&mut roadmap, &found);
    note_cycles(&mut roadmap);
    note_emptiness(&mut roadmap);
    problem::settle(&mut roadmap.problems);
    roadmap
}

fn index_of(groups: &[Group]) -> IdIndex {
    let mut index = IdIndex::default();
    for group in groups.iter().filter(|group| !group.duplicate) {
        index.add(group.id);
    }
    index
}

/// Tells whether a phase is struck out, or given up without having been done.
fn is_excluded(found: &Found<'_>, group: &Group) -> bool {
    let entry = group.entry.map(|at| &found.entries[at as usize]);
    let section = group.section.map(|at| &found.sections[at as usize]);
    let struck =
        entry.is_some_and(|entry| entry.struck) || section.is_some_and(|section| section.struck);
    let ticked = entry.is_some_and(|entry| entry.ticked == Some(true));
    struck || (!ticked && Statuses::of(found, group).dropped)
}

struct Builder<'s, 'f> {
    /// The text of the file, which the texts of the roadmap share.
    source: &'s Arc<String>,
    found: &'f Found<'s>,
    problems: Vec<Problem>,
}

/// The statuses that a phase was given in different places.
#[derive(Default)]
struct Statuses {
    any: bool,
    done: bool,
    dropped: bool,
}

impl Statuses {
    /// Every status that was given to the phase itself.
    fn of(found: &Found<'_>, group: &Group) -> Self {
        let mut all = Self::default();
        for at in group.entries() {
            all.push(found.entries[at].status);
        }
        for at in group.sections() {
            let section = &found.sections[at];
            all.push(section.title.status);
            all.push(section.plan_count);
            if let Some(value) = section.status {
                all.push(status::read(value.text));
            }
        }
        if let Some(row) = group.row.map(|at| &found.rows[at as usize]) {
            all.push(if row.struck { Status::Dropped } else { row.status });
        }
        all
    }

    fn push(&mut self, status: Status) {
        self.any |= status != Status::Blank;
        self.done |= status == Status::Done;
        self.dropped |= status == Status::Dropped;
    }
}

/// What the marks of a phase say together.
struct Verdict {
    complete: bool,
    checkbox: Option<bool>,
    conflict: bool,
}

impl Builder<'_, '_> {
    fn phase(&mut self, group: &Group) -> Phase {
        let entry = group.entry.map(|at| &self.found.entries[at as usize]);
        let row = group.row.map(|at| &self.found.rows[at as usize]);
        let verdict = self.verdict(group);
        let mut phase = Phase {
            id: group.id,
            name: self.text(self.name(group)),
            complete: verdict.complete,
            depends_on: Vec::new(),
            checkbox: verdict.checkbox,
            status: self.status_text(group).map(|text| self.text(text)),
            conflict: verdict.conflict,
            duplicate: group.duplicate,
            inserted: entry.is_some_and(|entry| entry.inserted),
            goal: None,
            requirements: Vec::new(),
            criteria: Vec::new(),
            plans: Vec::new(),
            lines: PhaseLines {
                heading: None,
                list: entry.map(|entry| entry.line),
                depends_on: None,
                table: row.map(|row| row.number),
            },
        };
        for at in group.sections() {
            self.describe(&mut phase, at);
        }
        if phase.goal.is_none() {
            phase.goal = row.and_then(|row| row.goal).map(|goal| self.text(goal));
        }
        if verdict.conflict {
            self.note_conflict(&phase);
        }
        self.note_hopeless_criteria(&phase);
        phase
    }

    /// Reports checks that could never be passed: they would cost repairs, and the blame would go to an agent.
    fn note_hopeless_criteria(&mut self, phase: &Phase) {
        for criterion in phase.criteria.iter().filter(|criterion| !check::is_plain(&criterion.text))
        {
            let what = match check::why_hopeless(&criterion.text) {
                // That line is reported for itself already.
                Some(_) if check::is_announced(&criterion.text) => continue,
                Some(why) => {
                    format!("a criterion of phase `{}` can never be passed: {why}", phase.id)
                }
                None if check::is_named_twice(&criterion.text) => format!(
                    "a criterion of phase `{}` names two checks, of which only the last is run; make two list \
                     items of it",
                    phase.id
                ),
                None => continue,
            };
            self.problems.push(Problem::new(
                criterion.line,
                ProblemKind::UnreadableCriterion,
                what,
            ));
        }
    }

    /// The name of the detail heading, else of the list line, else of the table.
    fn name(&self, group: &Group) -> &str {
        let entry = group.entry.map_or("", |at| self.found.entries[at as usize].name);
        let row = group.row.map_or("", |at| self.found.rows[at as usize].name);
        let Some(section) = group.section.map(|at| &self.found.sections[at as usize]) else {
            return if entry.is_empty() { row } else { entry };
        };
        let heading = section.title.name;
        let loose = section.opened == super::section::Opened::LooseHeading;
        match (heading.is_empty(), entry.is_empty()) {
            (false, true) => heading,
            (false, false) if !loose => heading,
            (_, false) => entry,
            (true, true) => row,
        }
    }

    /// Adds what a section says and earlier ones did not.
    fn describe(&self, phase: &mut Phase, at: usize) {
        let section = &self.found.sections[at];
        phase.lines.heading.get_or_insert(section.line);
        phase.inserted |= section.title.inserted;
        if phase.goal.is_none() {
            phase.goal = section.goal.map(|goal| self.text(goal));
        }
        if phase.requirements.is_empty() {
            phase.requirements = self.requirements(at);
        }
        if phase.criteria.is_empty() {
            let values = self.found.criteria(at);
            phase.criteria.reserve_exact(values.len());
            for value in values.iter().filter(|value| !value.text.is_empty()) {
                phase
                    .criteria
                    .push(CriterionLine { line: value.line, text: self.text(value.text) });
            }
        } else {
            self.add_checks(phase, at);
        }
        if phase.plans.is_empty() {
            phase.plans = self
                .found
                .plans(at)
                .iter()
                .map(|plan| PlanLine {
                    line: plan.line,
                    done: plan.ticked,
                    text: self.text(plan.text),
                })
                .collect();
        }
    }

    /// Adds the criteria of another description of the phase that name their check. Prose often says the
    /// same again in other words; a check must not be lost.
    fn add_checks(&self, phase: &mut Phase, section: usize) {
        for value in self.found.criteria(section) {
            let text = self.text(value.text);
            if check::is_named(&text) && phase.criteria.iter().all(|known| known.text != text) {
                phase.criteria.push(CriterionLine { line: value.line, text });
            }
        }
    }

    /// The requirements of a section, split at their commas.
    fn requirements(&self, section: usize) -> Vec<Text> {
        let mut all = Vec::new();
        for value in self.found.requirements(section) {
            for part in value.text.split(',') {
                let part = part.trim().trim_matches(['[', ']', '`', ' ']);
                let none = ["", "tbd", "none", "n/a", "-"].contains(&part.to_lowercase().as_str());
                if !none {
                    all.push(self.text(part));
                }
            }
        }
        all
    }

    fn text(&self, slice: &str) -> Text {
        Text::shared(self.source, slice)
    }

    fn verdict(&self, group: &Group) -> Verdict {
        let boxes = group.entries().filter_map(|at| self.found.entries[at].ticked);
        let listed =
            boxes.fold(None, |any: Option<bool>, ticked| Some(any == Some(true) || ticked));
        let headed = group.sections().find_map(|at| self.found.sections[at].checkbox);
        let checkbox = listed.or(headed);
        let statuses = Statuses::of(self.found, group);
        let done = checkbox == Some(true) || statuses.done;
        let unmarked = checkbox.is_none() && !statuses.any;
        let plans = || group.sections().flat_map(|at| self.found.plans(at));
        let all_plans = unmarked && plans().next().is_some() && plans().all(|plan| plan.ticked);
        let told = self.told(group);
        Verdict {
            complete: done || all_plans,
            checkbox,
            conflict: matches!(
                (checkbox, told),
                (Some(false), Status::Done) | (Some(true), Status::Open)
            ),
        }
    }

    /// What the table says, else what the status line says.
    fn told(&self, group: &Group) -> Status {
        if let Some(row) = group.row.map(|at| &self.found.rows[at as usize])
            && row.status != Status::Blank
        {
            // Where several phases share a row, one may be done before the row is.
            let shared = row.first != row.last && row.status == Status::Open;
            return if shared { Status::Blank } else { row.status };
        }
        group
            .section
            .and_then(|at| self.found.sections[at as usize].status)
            .map_or(Status::Blank, |value| status::read(value.text))
    }

    fn status_text(&self, group: &Group) -> Option<&str> {
        let row = group.row.map(|at| self.found.rows[at as usize].status_text);
        let field = group.section.and_then(|at| self.found.sections[at as usize].status);
        row.filter(|text| !text.is_empty()).or_else(|| field.map(|value| value.text))
    }

    /// What every description of the phase says about its dependencies, else what its row says.
    fn dependency_values(&self, group: &Group) -> Cow<'_, [Value<'_>]> {
        let mut told = Cow::Borrowed(&[][..]);
        for at in group.sections() {
            let values = self.found.depends_on(at);
            if told.is_empty() {
                told = Cow::Borrowed(values);
            } else if !values.is_empty() {
                told.to_mut().extend_from_slice(values);
            }
        }
        if !told.is_empty() {
            return told;
        }
        let row = group.row.map(|at| &self.found.rows[at as usize]);
        row.and_then(|row| {
            row.depends_on
                .filter(|text| !text.is_empty())
                .map(|text| Value { text, line: row.number })
        })
        .into_iter()
        .collect()
    }

    fn note_conflict(&mut self, phase: &Phase) {
        let ticked = if phase.checkbox == Some(true) { "ticked" } else { "not ticked" };
        let status = problem::excerpt(phase.status.as_deref().unwrap_or(""));
        let line = phase.lines.list.unwrap_or_else(|| phase.line());
        self.problems.push(Problem::new(
            line,
            ProblemKind::StatusConflict,
            format!(
                "the box of phase `{}` is {ticked}, but its status says `{status}`; \
                 the phase is taken to be complete",
                phase.id
            ),
        ));
    }
}

/// Reports checks under headings that are not read as the description of a phase.
fn note_unread_criteria(found: &mut Found<'_>, groups: &[Group]) {
    let mut is_read = vec![false; found.sections.len()];
    for at in groups.iter().flat_map(Group::sections) {
        is_read[at] = true;
    }
    let unread = (0..found.sections.len()).filter(|at| !is_read[*at]);
    let values = unread.flat_map(|at| found.criteria(at));
    let mut problems: Vec<Problem> = values
        .filter(|value| check::is_named(value.text))
        .map(|value| Problem::stray_criterion(value.line))
        .collect();
    found.problems.append(&mut problems);
}

fn note_cycles(roadmap: &mut Roadmap) {
    for members in roadmap.graph.cycles() {
        let phases = &roadmap.phases;
        let id = |place: &usize| format!("`{}`", phases[*place].id);
        let mut way: Vec<String> = roadmap.graph.way_around(&members).iter().map(id).collect();
        if way.len() > CYCLE_SHOWN_MAX {
            let back = way.len() - 1;
            way.splice(CYCLE_SHOWN_MAX - 1..back, ["…".to_owned()]);
        }
        let first = &phases[members[0]];
        let line = first.lines.depends_on.unwrap_or_else(|| first.line());
        let shown: Vec<String> = members.iter().take(CYCLE_SHOWN_MAX).map(id).collect();
        let more = match members.len().saturating_sub(CYCLE_SHOWN_MAX) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        roadmap.problems.push(Problem::new(
            line,
            ProblemKind::Cycle,
            format!(
                "phases {}{more} depend on each other in a circle ({}), so none of them can start",
                shown.join(", "),
                way.join(" → ")
            ),
        ));
    }
}

fn note_emptiness(roadmap: &mut Roadmap) {
    if roadmap.phases.is_empty() {
        roadmap.problems.push(Problem::new(
            1,
            ProblemKind::NoPhases,
            "no phase was found in this file; phases of finished milestones are often kept in \
             `milestones/`",
        ));
    }
}
