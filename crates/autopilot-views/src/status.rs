//! Where a run stands.

use autopilot_core::{
    evidence::{Entry, Standing, Waiver},
    fact::Ending,
    id::GateId,
    input::{Fate, LeftOut},
    measure::Tally,
    phases::{Awaited, Close, Held, Phase, Phases, STEPS, Status, Waived, reviewers},
    role::Role,
    run::{self, Run},
};
use serde::Serialize;

use crate::{
    IssueView, clean, clean_indented, duration, files,
    issue::{issue, issue_text},
    money, table, tokens,
};

/// Where a run stands, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct StatusView {
    /// The run.
    pub run: String,
    /// In one word: `running`, `waiting`, `holding`, `stopped`, `done`, `incomplete`, `ceiling`, `no-agent`, `halted`.
    pub status: &'static str,
    /// What it waits for or why it stopped, where that needs saying.
    pub detail: Option<String>,
    /// The branch that holds finished work.
    pub branch: String,
    /// Tokens spent.
    pub tokens: u64,
    /// Money spent, in US dollars.
    pub usd: f64,
    /// Milliseconds in which steps were running.
    pub busy_ms: u64,
    /// Open questions.
    pub waiting_for_person: Vec<QuestionView>,
    /// What attempts left that is in no commit, and where it is.
    pub left_on_disk: Vec<OnDiskView>,
    /// Those who judge, once they were given seeded defects.
    pub reviewers: Vec<ReviewerView>,
    /// What was found missing in the result as a whole and is not there.
    pub missing: Vec<String>,
    /// The phases, in order.
    pub phases: Vec<PhaseView>,
    /// The issue, where the run is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<IssueView>,
}

/// What someone who judges has shown, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewerView {
    /// In which role.
    pub role: String,
    /// Which agent.
    pub agent: String,
    /// How many seeded defects it was given, in this run and before.
    pub seeded: u32,
    /// How many of them it saw.
    pub caught: u32,
    /// Whether its approval counts.
    pub has_vote: bool,
}

/// What an attempt left that is in no commit, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct OnDiskView {
    /// The attempt.
    pub attempt: String,
    /// How many files.
    pub files: u64,
    /// How many bytes.
    pub bytes: u64,
    /// The directory that they are in.
    pub place: String,
}

/// An open question, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionView {
    /// Its name, for `approve` and `reject`.
    pub gate: String,
    /// What is asked.
    pub question: String,
}

/// Where a phase stands, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct PhaseView {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// In one word: `waiting`, `active`, `completed`, `failed`, `blocked`, or `broken` by a later phase.
    pub status: &'static str,
    /// The step it is at, or why it ended like this.
    pub detail: Option<String>,
    /// Its score, once it has one.
    pub score: Option<String>,
    /// Tokens spent on it.
    pub tokens: u64,
    /// The phase that it is a part of, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
}

/// How many phases are over, and how many there are.
pub fn phase_counts(run: &Run) -> (usize, usize) {
    let phases = run.work.phases();
    let over = phases.list.iter().filter(|phase| matches!(phase.status, Status::Closed(_))).count();
    (over, phases.list.len())
}

/// Where a run stands; `alive` tells whether someone is working on it right now.
pub fn status(run: &Run, alive: bool) -> StatusView {
    let (word, detail) = standing(run, alive);
    let phases = run.work.phases();
    #[expect(clippy::cast_precision_loss, reason = "a sum of money far below 2^52 millionths")]
    let usd = run.spent.micro_usd as f64 / 1e6;
    StatusView {
        run: run.given.run.to_string(),
        status: word,
        detail,
        branch: format!("autopilot/{}/head", run.given.run),
        tokens: run.spent.tokens,
        usd,
        busy_ms: run.spent.busy_ms,
        waiting_for_person: run.asked.iter().map(question).collect(),
        left_on_disk: run.left_out.iter().filter_map(on_disk).collect(),
        reviewers: reviewers(run, phases)
            .into_iter()
            .filter_map(|row| reviewer(run, row))
            .collect(),
        missing: phases
            .finale
            .remaining()
            .map(|gap| format!("{}: {}", gap.requirement, gap.what))
            .collect(),
        phases: phases.list.iter().map(|one| phase(phases, one)).collect(),
        issue: run.work.issue().map(issue),
    }
}

fn reviewer(run: &Run, (role, tally, has_vote): (Role, Tally, bool)) -> Option<ReviewerView> {
    (tally.seeded > 0).then(|| ReviewerView {
        role: role.to_string(),
        agent: run.agent_for(role).to_string(),
        seeded: tally.seeded,
        caught: tally.caught,
        has_vote,
    })
}

fn reviewer_text(view: &ReviewerView) -> String {
    let ReviewerView { role, agent, seeded, caught, has_vote } = view;
    let vote = if *has_vote { "" } else { "; its approval does not count" };
    format!("\n{role} ({}) saw {caught} of {seeded} seeded defects{vote}\n", clean(agent))
}

fn on_disk(left_out: &LeftOut) -> Option<OnDiskView> {
    let Fate::OnDisk { place } = &left_out.fate else { return None };
    Some(OnDiskView {
        attempt: left_out.key.to_string(),
        files: left_out.files,
        bytes: left_out.bytes,
        place: place.clone(),
    })
}

fn on_disk_text(view: &OnDiskView) -> String {
    format!(
        "\nnot in git: {} of {} in {}\n  `autopilot rescue` tells how to be rid of them\n",
        files(view.files, view.bytes),
        clean(&view.attempt),
        clean(&view.place)
    )
}

/// Where a run stands, as text.
pub fn status_text(view: &StatusView) -> String {
    let mut rows =
        vec![["PHASE", "NAME", "STATUS", "SCORE", "TOKENS", "DETAIL"].map(str::to_owned).to_vec()];
    for phase in &view.phases {
        rows.push(vec![
            phase.id.clone(),
            clean(&phase.name),
            phase.status.to_owned(),
            phase.score.clone().unwrap_or_else(|| "-".to_owned()),
            tokens(phase.tokens),
            phase.detail.as_deref().map(clean).unwrap_or_default(),
        ]);
    }
    let detail =
        view.detail.as_deref().map(|text| format!(": {}", clean(text))).unwrap_or_default();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it came from millionths a moment ago"
    )]
    let micro_usd = (view.usd * 1e6).round() as u64;
    let questions: String = view.waiting_for_person.iter().map(question_text).collect();
    let left: String = view.left_on_disk.iter().map(on_disk_text).collect();
    let missing: String =
        view.missing.iter().map(|gap| format!("\nmissing: {}\n", clean(gap))).collect();
    let measured: String = view.reviewers.iter().map(reviewer_text).collect();
    format!(
        "{} is {}{detail}\nspent: {} of work, {} tokens, {}\nbranch: {}\n\n{}{missing}{measured}{questions}{left}",
        view.run,
        view.status,
        duration(view.busy_ms),
        tokens(view.tokens),
        money(micro_usd),
        view.branch,
        view.issue.as_ref().map_or_else(|| table(&rows), issue_text),
    )
}

fn question((gate, question): (&GateId, &String)) -> QuestionView {
    QuestionView { gate: gate.to_string(), question: question.clone() }
}

fn question_text(view: &QuestionView) -> String {
    let gate = clean(&view.gate);
    format!(
        "\nquestion {gate}: {}\n  `autopilot approve {gate}` or `autopilot reject {gate} -m WHY`, then `autopilot resume`\n",
        clean_indented(&view.question)
    )
}

fn standing(run: &Run, alive: bool) -> (&'static str, Option<String>) {
    match run.standing() {
        run::Standing::Ended(ending) => ended(run, ending),
        run::Standing::Asking(_) => ("waiting", Some("only a person can help".to_owned())),
        _ if !alive => {
            ("stopped", Some("nothing is working on it; `autopilot resume` goes on".to_owned()))
        }
        run::Standing::Holding(_) => {
            ("holding", Some("waiting for a usage limit to end".to_owned()))
        }
        run::Standing::Working | run::Standing::Stopped => ("running", None),
    }
}

fn ended(run: &Run, ending: Ending) -> (&'static str, Option<String>) {
    match ending {
        Ending::Done => ("done", None),
        Ending::Incomplete if run.has_broken_promises() => {
            ("incomplete", Some("a later phase broke what an earlier one had proven".to_owned()))
        }
        Ending::Incomplete if has_gaps(run) => {
            ("incomplete", Some("the result lacks something that was asked for".to_owned()))
        }
        Ending::Incomplete => ("incomplete", None),
        Ending::Ceiling(ceiling) => ("ceiling", Some(ceiling.name().to_owned())),
        Ending::NoAgent { why } => ("no-agent", Some(why)),
        Ending::Checkpoint { over } => {
            ("paused", Some(format!("after {over} phases, for a person to look")))
        }
        Ending::Halted { why } => ("halted", Some(why)),
    }
}

fn has_gaps(run: &Run) -> bool {
    let phases = run.work.phases();
    phases.finale.remaining().next().is_some()
}

/// What is said of a score that is the last of too many of its kind.
pub(crate) const ALIKE: &str = "its score is too much like the last ones to be believed";

/// What held before proves nothing new, and is not told like something that was done.
pub(crate) fn held_text(held: &Held) -> Option<String> {
    let texts = held_before(held).into_iter().chain(uncounted(held)).chain(red_guards(held));
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// A test command that passed by its exit code alone may have run anything.
fn uncounted(held: &Held) -> Option<String> {
    let names = held.uncounted.join(", ");
    (!names.is_empty()).then(|| format!("tests not counted, judged by the exit code: {names}"))
}

/// A guard that was red before is nobody's doing here, but it guards nothing either.
fn red_guards(held: &Held) -> Option<String> {
    let names = held.red_guards.join(", ");
    (!names.is_empty()).then(|| format!("red before and after: {names}"))
}

fn held_before(held: &Held) -> Option<String> {
    match (held.criteria.len(), held.of) {
        (0, _) => None,
        (held, of) if held == of => {
            Some("every criterion held before anything was done: nothing new is proven".to_owned())
        }
        (_, of) => Some(format!("held before, of {of} criteria: {}", held.criteria.join(", "))),
    }
}

/// A waived check is told wherever its phase is: it is not a passed one.
pub(crate) fn waived_text(waived: &Waived) -> String {
    let Waiver { by, why, .. } = &waived.waiver;
    format!("WAIVED {} by {by}: {why}", waived.check)
}

/// A promise of a phase that a later one has broken.
fn broken_text(entry: &Entry) -> String {
    match &entry.standing {
        Standing::Broken(why) | Standing::Open(why) => {
            format!("{} held and does not any more: {why}", entry.name)
        }
        Standing::New | Standing::Held => entry.name.clone(),
    }
}

/// What a person was asked to look at, and what they said.
pub(crate) fn looked_text(awaited: &Awaited) -> String {
    let task = &awaited.task;
    match &awaited.verdict {
        None => format!("a person must look at {task}"),
        Some(said) => {
            let word = if awaited.is_fine() { "found good" } else { "refused" };
            let why =
                if said.message.is_empty() { String::new() } else { format!(": {}", said.message) };
            format!("{task} was {word} by {}{why}", said.by)
        }
    }
}

fn phase(phases: &Phases, phase: &Phase) -> PhaseView {
    let (status, detail, score) = match &phase.status {
        Status::Waiting => ("waiting", None, None),
        Status::Active(active) => {
            let step = STEPS[active.stage.shown_as()].to_owned();
            let task = active.stage.task().map(|task| active.task_name(task));
            let detail = task.map_or(step.clone(), |task| format!("{step} {task}"));
            ("active", Some(detail), None)
        }
        Status::Closed(Close::Completed {
            score,
            below_pass,
            suspect,
            waived,
            held,
            awaits,
            ..
        }) => {
            let low = below_pass.then(|| "below the pass score".to_owned());
            let alike = suspect.then(|| ALIKE.to_owned());
            let broken: Vec<String> = phases.broken(&phase.spec.id).map(broken_text).collect();
            let status = match (broken.is_empty(), awaits.iter().all(Awaited::is_fine)) {
                (false, _) => "broken",
                (true, true) => "completed",
                (true, false) if awaits.iter().any(|awaited| awaited.verdict.is_none()) => {
                    "needs a person"
                }
                (true, false) => "refused",
            };
            let notes: Vec<String> = broken
                .into_iter()
                .chain(low)
                .chain(alike)
                .chain(waived.iter().map(waived_text))
                .chain(awaits.iter().map(looked_text))
                .chain(held_text(held))
                .collect();
            let note = (!notes.is_empty()).then(|| notes.join("; "));
            (status, note, Some(score.to_string()))
        }
        Status::Closed(Close::Failed { why, branch }) => {
            let kept = branch.as_ref().map(|branch| format!(" (kept on {branch})"));
            ("failed", Some(format!("{why}{}", kept.unwrap_or_default())), None)
        }
        Status::Closed(Close::Blocked { by }) => {
            ("blocked", Some(format!("blocked_by_phase_{by}")), None)
        }
    };
    PhaseView {
        id: phase.spec.id.to_string(),
        name: phase.spec.name.clone(),
        status,
        detail,
        score,
        tokens: phase.spent.tokens,
        part_of: phase.part_of.map(|id| id.to_string()),
    }
}
