//! What pages look like: the engine takes pictures of them, a verifier says what is wrong with them.
//!
//! It is an enhancement and no gate: where no picture can be taken, the phase goes on without. What is seen to be badly wrong
//! is repaired like anything else, as often as a phase may be repaired; what stays costs points.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    effect::LookTask,
    phases::{Active, Phase, PhaseFact, Stage, calibrate, turn::Turn},
    policy::{Deficiency, PhaseType},
    returns::{Score, Verification},
    roadmap::PhaseId,
    role::Role,
    run::Run,
    time::{SECOND_MS, Timestamp},
};

/// How many issues are told apart.
const ISSUES_MAX: usize = 50;
/// A longer text is cut.
const TEXT_CHARS_MAX: usize = 500;

/// How pages are looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Visual {
    /// What starts the program whose pages they are, where something must.
    pub launch_command: Option<String>,
    /// How long it may take to answer.
    pub launch_wait_ms: u64,
    /// Where it answers.
    pub base_url: String,
    /// Where pictures are put, below the project's root.
    pub screenshot_dir: String,
    /// The pages.
    pub routes: Vec<Route>,
    /// How wide and how high they are shown.
    pub viewport: (u32, u32),
    /// The browser; one of the usual ones where none is named.
    pub program: Option<String>,
    /// The phases whose pages are looked at, where they are not all.
    pub only: Option<Vec<PhaseId>>,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// Its path.
    pub path: String,
    /// What its pictures are called.
    pub name: String,
    /// How long it is given until it is as it should be.
    pub wait_ms: u64,
}

/// What came of taking pictures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Shots {
    /// These were taken.
    Taken(Vec<Shot>),
    /// None could be.
    Skipped {
        /// Why not.
        why: String,
    },
}

/// A picture of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// The path of the page.
    pub route: String,
    /// The name of the file.
    pub file: String,
    /// The picture that a person keeps of how it should be, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
}

/// How bad it is that something looks wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VisualSeverity {
    /// It could be better.
    Minor,
    /// It is broken.
    Major,
    /// The page cannot be used.
    Critical,
}

impl VisualSeverity {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minor => "minor",
            Self::Major => "major",
            Self::Critical => "critical",
        }
    }

    /// What it costs, in tenths of a point.
    pub const fn penalty_tenths(self) -> u16 {
        match self {
            Self::Minor => 5,
            Self::Major => 10,
            Self::Critical => 20,
        }
    }

    /// The severity of that name. What nobody knows is not taken lightly, and not for the worst.
    fn named(name: &str) -> Self {
        match name.trim().to_ascii_lowercase().as_str() {
            "minor" => Self::Minor,
            "critical" => Self::Critical,
            _ => Self::Major,
        }
    }
}

/// Something that looks wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VisualIssue {
    /// On which page.
    pub route: String,
    /// layout, rendering, regression or accessibility.
    pub kind: String,
    /// How bad it is.
    pub severity: VisualSeverity,
    /// What it is.
    pub description: String,
    /// Where on the page.
    pub location: String,
    /// What to do about it.
    pub suggested_fix: String,
}

impl VisualIssue {
    fn text(&self) -> String {
        let Self { route, kind, severity, description, location, suggested_fix } = self;
        let tell = |what: &str, text: &str| {
            if text.is_empty() { String::new() } else { format!("; {what}: {text}") }
        };
        format!(
            "{route} looks wrong ({}, {kind}): {description}{}{}",
            severity.name(),
            tell("where", location),
            tell("suggested", suggested_fix)
        )
    }

    fn is_same(&self, other: &Self) -> bool {
        (&self.route, &self.kind, &self.description)
            == (&other.route, &other.kind, &other.description)
    }
}

/// Something that looked wrong once, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tracked {
    /// What it is.
    pub issue: VisualIssue,
    /// The look, counted from 1, that found it.
    pub found_in: u32,
    /// The look that did not find it any more.
    pub resolved_in: Option<u32>,
}

/// What is known of how the pages of a phase look.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VisualLog {
    /// What came of taking pictures last.
    pub shots: Option<Shots>,
    /// How often somebody looked at pictures.
    pub looks: u32,
    /// Everything that looked wrong at some time.
    pub issues: Vec<Tracked>,
}

impl VisualLog {
    /// What looked wrong the last time.
    pub fn open(&self) -> impl Iterator<Item = &VisualIssue> {
        let open = self.issues.iter().filter(|tracked| tracked.resolved_in.is_none());
        open.map(|tracked| &tracked.issue)
    }

    /// The pictures, where there are any.
    pub fn taken(&self) -> &[Shot] {
        match &self.shots {
            Some(Shots::Taken(shots)) => shots,
            Some(Shots::Skipped { .. }) | None => &[],
        }
    }

    /// The pictures of pages on which nothing looks wrong, once somebody has looked.
    pub(super) fn right(&self) -> Vec<Shot> {
        let is_right = |shot: &&Shot| self.open().all(|issue| issue.route != shot.route);
        let looked = self.looks > 0;
        self.taken().iter().filter(|shot| looked && is_right(shot)).cloned().collect()
    }

    pub(super) fn apply(&mut self, fact: &PhaseFact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is about pictures")]
        match fact {
            PhaseFact::Shot(shots) => self.shots = Some(shots.clone()),
            PhaseFact::VisualIssues { issues } => {
                self.looks += 1;
                let looks = self.looks;
                for tracked in self.issues.iter_mut().filter(|one| one.resolved_in.is_none()) {
                    if !issues.iter().any(|issue| issue.is_same(&tracked.issue)) {
                        tracked.resolved_in = Some(looks);
                    }
                }
                for issue in issues {
                    let is_known =
                        |one: &Tracked| one.resolved_in.is_none() && one.issue.is_same(issue);
                    if !self.issues.iter().any(is_known) {
                        let issue = issue.clone();
                        self.issues.push(Tracked { issue, found_in: looks, resolved_in: None });
                    }
                }
            }
            _ => {}
        }
    }
}

/// Has pictures taken before a verifier looks, where the phase has pages and somebody wants it.
pub(super) fn begin(turn: &mut Turn<'_>) {
    if is_wanted(turn.run, turn.phase, &turn.now) {
        turn.enter(Stage::Look);
    } else {
        calibrate::review(turn, Role::Verifier);
    }
}

fn is_wanted(run: &Run, phase: &Phase, active: &Active) -> bool {
    let Some(visual) = &run.given.visual else { return false };
    let id = phase.spec.id;
    let is_asked = visual.only.as_ref().is_none_or(|only| only.contains(&id));
    is_asked && matches!(kind(phase, active), PhaseType::Ui | PhaseType::Mixed)
}

/// What kind of phase it is, by the files of its tasks; by what it says where there are none.
fn kind(phase: &Phase, active: &Active) -> PhaseType {
    let files: Vec<&str> =
        active.tasks.iter().flat_map(|task| &task.files).map(String::as_str).collect();
    if !files.is_empty() {
        return PhaseType::of_paths(files, None);
    }
    let criteria = phase.spec.criteria.iter().map(|one| one.text.as_str());
    let text: Vec<&str> = std::iter::once(phase.spec.goal.as_str()).chain(criteria).collect();
    PhaseType::of_text(&text.join("\n"), None)
}

/// The pictures of the work as it is.
pub(super) fn task(run: &Run, active: &Active) -> Option<LookTask> {
    let limits = &run.given.limits;
    Some(LookTask {
        commit: active.head.clone(),
        visual: run.given.visual.clone()?,
        prepare: run.given.prepare.clone(),
        shot_ms_max: limits.check_seconds.saturating_mul(SECOND_MS),
        guard_ms_max: limits.guard_seconds.saturating_mul(SECOND_MS),
        date: active.entered_at,
    })
}

/// Goes on to the verifier, with pictures or without.
pub(super) fn shot(turn: &mut Turn<'_>, shots: &Shots) {
    turn.note(PhaseFact::Shot(shots.clone()));
    calibrate::review(turn, Role::Verifier);
}

/// Takes a verifier's word on pictures, and gives what of it must be repaired. Where there is no picture nobody has seen
/// anything, and where the phase has been repaired as often as it may, it goes on with what it costs.
pub(super) fn take(turn: &mut Turn<'_>, word: &Verification) -> Vec<String> {
    if turn.now.visual.taken().is_empty() {
        return Vec::new();
    }
    turn.note(PhaseFact::VisualIssues { issues: issues(word) });
    if turn.now.tries.repairs >= turn.run.given.limits.phase_debugs {
        return Vec::new();
    }
    let open = turn.now.visual.open();
    open.filter(|issue| issue.severity >= VisualSeverity::Major).map(VisualIssue::text).collect()
}

/// The same score, less what looks wrong; and each of it as something that the phase lacks.
pub(super) fn lower(active: &Active, score: Score) -> (Score, Vec<Deficiency>) {
    let open: Vec<&VisualIssue> = active.visual.open().collect();
    let all: u16 = open.iter().map(|issue| issue.severity.penalty_tenths()).sum();
    let lacks = open.iter().map(|issue| Deficiency {
        what: issue.text(),
        score: Score::from_tenths(100 - issue.severity.penalty_tenths()),
    });
    (Score::from_tenths(score.tenths().saturating_sub(all)), lacks.collect())
}

/// What a verifier says of pictures, however it is wrapped.
fn issues(word: &Verification) -> Vec<VisualIssue> {
    let Some(Value::Object(results)) = &word.visual_test_results else { return Vec::new() };
    let found = results.get("issues_found").and_then(Value::as_array);
    let text = |issue: &Value, key: &str| -> String {
        let text = issue.get(key).and_then(Value::as_str).unwrap_or_default();
        text.chars().take(TEXT_CHARS_MAX).collect()
    };
    let issue = |issue: &Value| VisualIssue {
        route: text(issue, "route"),
        kind: text(issue, "type"),
        severity: VisualSeverity::named(&text(issue, "severity")),
        description: issue.as_str().map_or_else(|| text(issue, "description"), str::to_owned),
        location: text(issue, "location"),
        suggested_fix: text(issue, "suggested_fix"),
    };
    let mut issues: Vec<VisualIssue> =
        found.into_iter().flatten().take(ISSUES_MAX).map(issue).collect();
    issues.retain(|issue| !issue.description.trim().is_empty());
    issues
}

/// When nothing could be done about it, it is left.
pub(super) fn failed(turn: &mut Turn<'_>, why: &str) {
    shot(turn, &Shots::Skipped { why: why.to_owned() });
}

/// The time in the name of a picture: `20260212T101500Z`.
pub fn shot_time(at: Timestamp) -> String {
    crate::sessions::clock::seconds(at).replace(['-', ':'], "")
}
