//! A phase that is too much for one plan is done in parts, each planned, checked and judged by itself.
//!
//! Parts are phases like any other, but for two things: they build on the phase that they are parts of, and when they are
//! complete it is that phase which has their work, not the run branch. So nothing of a phase that fails in the end was ever
//! on the branch.

use std::collections::BTreeSet;

use crate::{
    budget::Spend,
    fact::Fact,
    phases::{Close, Phase, PhaseFact, PhaseSpec, Phases, Stage, Start, Status, turn::Turn},
    policy::FailureCategory,
    returns::{Planning, Score, Split},
    roadmap::{Complexity, PhaseId, Plan, Task},
    time::Timestamp,
};

/// More complex tasks than that are too much for one plan.
const COMPLEX_MAX: usize = 5;
/// More files than that are too much to read for one plan.
const FILES_MAX: usize = 10;
/// More findings than that, over so many files, are too much for one plan.
const FINDINGS_MAX: usize = 3;
const FINDING_FILES_MIN: usize = 4;
/// There are no more letters.
const PARTS_MAX: usize = 26;

/// Takes a planner's wish to do the phase in parts. Says whether it was one.
pub(super) fn ask(turn: &mut Turn<'_>, planning: &Planning, plan: Option<&Plan>) -> bool {
    let Some(split) = &planning.split_details else { return false };
    match refusal(turn, split, plan) {
        Some(why) => turn.send_plan_back(vec![why]),
        None => {
            let parts = specs(turn, split);
            turn.note(PhaseFact::Split { reason: split.reason.clone(), parts });
        }
    }
    true
}

/// Why a phase is not done in parts.
fn refusal(turn: &Turn<'_>, split: &Split, plan: Option<&Plan>) -> Option<String> {
    let parts = split.recommended_sub_phases.len();
    if turn.phase.part_of.is_some() {
        return Some("this is a part of a phase already; write its plan".to_owned());
    }
    if !(2..=PARTS_MAX).contains(&parts) {
        return Some(format!("a phase is done in 2 to {PARTS_MAX} parts, not in {parts}"));
    }
    let blank = |text: &str| text.trim().is_empty();
    if split.recommended_sub_phases.iter().any(|part| blank(&part.name) || blank(&part.scope)) {
        return Some("every part has a name and says what it covers".to_owned());
    }
    (!is_too_much(turn, split, plan)).then(|| {
        format!(
            "a phase is done in parts when its plan has more than {COMPLEX_MAX} complex tasks or names more than \
             {FILES_MAX} files, or when more than {FINDINGS_MAX} findings are about {FINDING_FILES_MIN} files or more; write \
             the plan of the whole, or write down in it what makes it too much"
        )
    })
}

/// Whether there is more to do than one plan should hold, by what is written down.
fn is_too_much(turn: &Turn<'_>, split: &Split, plan: Option<&Plan>) -> bool {
    let tasks: &[Task] = plan.map_or(&[], |plan| &plan.tasks);
    let complex = tasks.iter().filter(|task| task.complexity == Some(Complexity::Complex)).count();
    let files: BTreeSet<&str> =
        tasks.iter().flat_map(|task| task.files.iter().map(String::as_str)).collect();
    let issues = split.recommended_sub_phases.iter().flat_map(|part| part.issues.iter());
    let about: BTreeSet<&str> = issues.flat_map(|text| paths(text)).collect();
    let has_findings = turn.now.findings.len() > FINDINGS_MAX && about.len() >= FINDING_FILES_MIN;
    complex > COMPLEX_MAX || files.len() > FILES_MAX || has_findings
}

/// Words that look like the paths of files.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || ",;()`'\"".contains(c));
    words.filter_map(|word| {
        let path = word.split(':').next()?;
        let (stem, ending) = path.rsplit_once('.')?;
        let is_ending =
            (1..=5).contains(&ending.len()) && ending.bytes().all(|c| c.is_ascii_alphanumeric());
        (!stem.is_empty() && is_ending).then_some(path)
    })
}

/// The parts of a phase, under names that no phase of the run has.
fn specs(turn: &Turn<'_>, split: &Split) -> Vec<PhaseSpec> {
    let whole = &turn.phase.spec;
    let letters = (b'a'..=b'z').map(char::from);
    let ids = letters.filter_map(|letter| format!("{}{letter}", whole.id).parse::<PhaseId>().ok());
    let free = ids.filter(|id| turn.work.place(id).is_none());
    free.zip(&split.recommended_sub_phases)
        .map(|(id, part)| PhaseSpec {
            id,
            name: part.name.clone(),
            goal: goal(whole, &part.scope, &part.issues),
            criteria: Vec::new(),
            // What the whole must bring, no part brings alone.
            requirements: Vec::new(),
            depends_on: whole.depends_on.clone(),
            directory: format!("{}/{id}", whole.directory),
            start: Start::New,
            earlier_scores: Vec::new(),
            refused: Vec::new(),
            estimated_tokens: None,
        })
        .collect()
}

fn goal(whole: &PhaseSpec, scope: &str, issues: &[String]) -> String {
    let mut text = format!("{scope}\n\nThis is a part of: {}. {}", whole.name, whole.goal);
    for issue in issues {
        text.push_str(&format!("\n- {issue}"));
    }
    text
}

/// The next part that can begin, with the commit it builds on: parts are done one after another.
pub(super) fn next(work: &Phases) -> Option<Fact> {
    let whole =
        work.active.iter().filter_map(|&at| work.list.get(at)).find_map(|phase| {
            match &phase.status {
                Status::Active(active) if active.stage == Stage::Parts => Some((phase, active)),
                Status::Active(_) | Status::Waiting | Status::Closed(_) => None,
            }
        });
    let (whole, active) = whole?;
    let is_next = |part: &&Phase| {
        part.part_of == Some(whole.spec.id) && matches!(part.status, Status::Waiting)
    };
    let part = work.list.iter().find(is_next)?;
    let fact = PhaseFact::Began { base: active.head.clone() };
    Some(Fact::Phase { phase: part.spec.id, fact })
}

/// What follows for the whole when one of its parts is over.
pub(super) fn closed(turn: &Turn<'_>, close: &Close) -> Vec<Fact> {
    let Some(whole) = turn.phase.part_of else { return Vec::new() };
    let own = turn.phase.spec.id;
    let of_whole = |fact| Fact::Phase { phase: whole, fact };
    let siblings = turn.work.list.iter().filter(|part| part.part_of == Some(whole));
    let mut waiting = siblings
        .filter(|part| part.spec.id != own && matches!(part.status, Status::Waiting))
        .map(|part| part.spec.id)
        .peekable();
    match close {
        Close::Completed { .. } if waiting.peek().is_some() => Vec::new(),
        Close::Completed { .. } => vec![of_whole(PhaseFact::Entered(Stage::Replay))],
        Close::Failed { why, .. } => {
            let category = FailureCategory::ExecutorIncomplete;
            let rule = category.prevention().to_owned();
            let blocked =
                |phase| Fact::Phase { phase, fact: PhaseFact::Closed(Close::Blocked { by: own }) };
            let mut facts: Vec<Fact> = waiting.map(blocked).collect();
            facts.push(of_whole(PhaseFact::Learned { category, rule }));
            let why = format!("its part {own} failed: {why}");
            facts.push(of_whole(PhaseFact::Entered(Stage::Reject(why))));
            facts
        }
        Close::Blocked { .. } => Vec::new(),
    }
}

/// The mean of what the parts of a phase were given, where it was done in parts and nobody has repaired it since.
pub(super) fn score(turn: &Turn<'_>) -> Option<Score> {
    let tries = turn.now.tries;
    if !turn.now.is_split || tries.repairs + tries.remedies > 0 {
        return None;
    }
    let of_part = |part: &Phase| match &part.status {
        Status::Closed(Close::Completed { score, .. })
            if part.part_of == Some(turn.phase.spec.id) =>
        {
            Some(u32::from(score.tenths()))
        }
        Status::Closed(_) | Status::Active(_) | Status::Waiting => None,
    };
    let scores: Vec<u32> = turn.work.list.iter().filter_map(of_part).collect();
    let count = u32::try_from(scores.len()).ok().filter(|count| *count > 0)?;
    let mean = scores.iter().sum::<u32>() / count;
    u16::try_from(mean).ok().map(Score::from_tenths)
}

impl Phase {
    /// A phase that has not begun.
    pub(super) fn waiting(spec: &PhaseSpec) -> Self {
        Self {
            spec: spec.clone(),
            status: Status::Waiting,
            spent: Spend::default(),
            part_of: None,
            retried: false,
        }
    }
}

impl Phases {
    /// Puts the parts of a phase beside the others.
    pub(super) fn add_parts(&mut self, whole: usize, parts: &[PhaseSpec], now: Timestamp) {
        let id = self.list[whole].spec.id;
        for spec in parts {
            self.add(spec, id);
        }
        if let Status::Active(active) = &mut self.list[whole].status {
            active.is_split = true;
            active.apply(&PhaseFact::Entered(Stage::Parts), now);
        }
    }

    /// Gives the work of a part to the phase that it is a part of; says whether it is one.
    pub(super) fn hand_in(&mut self, at: usize) -> bool {
        let Some(whole) = self.list[at].part_of.and_then(|id| self.place(&id)) else {
            return false;
        };
        let Status::Active(part) = self.list[at].status.clone() else { return true };
        let (id, directory) = (self.list[at].spec.id, self.list[at].spec.directory.clone());
        if let Status::Active(active) = &mut self.list[whole].status {
            active.head = part.head;
            active.requests.extend(part.requests);
            active.accepted.extend(part.accepted);
            // What was asked of the part is asked of the whole once more, under names that no other part has.
            let named = |mut task: Task| {
                task.id = format!("{id}-{}", task.id).parse().unwrap_or(task.id);
                task
            };
            let tasks = part.tasks.into_iter().filter(|task| !task.kind.needs_a_person());
            active.tasks.extend(tasks.map(named));
            active.log.parts.push((directory, part.log));
        }
        true
    }
}
