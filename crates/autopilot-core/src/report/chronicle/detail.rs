//! How it came that a phase failed or could be better.

use serde_json::{Value, json};

use crate::{
    evidence::{CheckKind, CheckResult, Entry, Verdict},
    fact::End,
    phases::SentBack,
    policy::FailureCategory,
    report::{AttemptedFix, Moment, TIMELINE_MAX},
    returns::Score,
    roadmap::Task,
    sessions::clock::seconds,
    time::Timestamp,
};

/// How many commands of a failure are told.
const COMMANDS_MAX: usize = 20;
/// How many places that somebody looked at are told.
const PLACES_MAX: usize = 20;
/// How many repairs of a phase are told.
const FIXES_MAX: usize = 50;
/// How many ratings of a phase are told.
const RATINGS_MAX: usize = 20;

/// How it came that a phase failed or could be better.
#[derive(Clone, Debug, Default)]
pub(super) struct Detail {
    /// The first moments and the last ones.
    pub(super) timeline: Vec<Moment>,
    pub(super) fixes: Vec<AttemptedFix>,
    pub(super) commands: Vec<String>,
    /// What went wrong last, when that was first seen, and where.
    pub(super) trouble: Option<Trouble>,
    /// What was seen last of each check.
    pub(super) seen: Vec<Seen>,
    pub(super) ratings: Vec<Rated>,
    /// The files that the plan names.
    pub(super) files: Vec<String>,
    /// The tasks of the plan.
    pub(super) tasks: Vec<String>,
    /// Places that reviewers say they looked at.
    places: Vec<String>,
    /// How many tasks are over.
    over: usize,
    task_fixes: u32,
    /// Whether the last repair is under way.
    fixing: bool,
    repaired: Option<String>,
}

/// Something that went wrong.
#[derive(Clone, Debug)]
pub(super) struct Trouble {
    pub(super) category: FailureCategory,
    pub(super) since: Timestamp,
    pub(super) step: String,
}

/// What was seen of a check.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) name: String,
    pub(super) kind: CheckKind,
    pub(super) criterion: String,
    pub(super) evidence: String,
    pub(super) verdict: Verdict,
    pub(super) waived: bool,
}

/// One rating.
#[derive(Clone, Debug)]
pub(super) struct Rated {
    pub(super) score: Score,
    pub(super) remarks: Vec<String>,
    /// The repair that it rates.
    pub(super) commit: Option<String>,
}

impl Detail {
    /// Takes in that a step has ended; whether what it was about is well, other facts tell.
    pub(super) fn ended(&mut self, at: Timestamp, (name, place): (&str, &str), end: &End) {
        let (event, status) = match end {
            End::Done => (format!("{name} ended"), "success"),
            End::Failed(failure) => (format!("{name} failed: {}", failure.class.name()), "failure"),
            End::Limited(_) | End::Lost | End::Interrupted => {
                (format!("{name} was cut off"), "partial")
            }
        };
        self.moment(at, place, event, status);
    }

    /// Says of the last moment what it came to.
    pub(super) fn amend(&mut self, status: &str, event: Option<String>) {
        if let Some(last) = self.timeline.last_mut() {
            last.status = status.to_owned();
            last.event = event.unwrap_or_else(|| std::mem::take(&mut last.event));
        }
    }

    /// The same trouble again keeps the time at which it was first seen, and the place.
    pub(super) fn trouble(&mut self, at: Timestamp, step: &str, category: FailureCategory) {
        if self.trouble.as_ref().is_none_or(|before| before.category != category) {
            self.trouble = Some(Trouble { category, since: at, step: step.to_owned() });
        }
    }

    pub(super) fn planned(&mut self, tasks: &[Task]) {
        self.tasks = tasks.iter().map(|task| task.id.to_string()).collect();
        self.files.clear();
        for file in tasks.iter().flat_map(|task| &task.files) {
            if !self.files.contains(file) {
                self.files.push(file.clone());
            }
        }
        self.over = 0;
    }

    /// The task that is being worked on.
    pub(super) fn task(&self) -> Option<&str> {
        self.tasks.get(self.over).map(String::as_str)
    }

    /// Takes in that a task is over, and tells how often it was repaired.
    pub(super) fn task_over(&mut self) -> u32 {
        self.over += 1;
        std::mem::take(&mut self.task_fixes)
    }

    pub(super) fn checked(&mut self, results: &[CheckResult]) {
        self.seen = results.iter().map(Seen::of).collect();
        for result in results {
            let (Verdict::Failed(why) | Verdict::Unproven(why)) = &result.verdict else { continue };
            let command = result.command.as_deref().unwrap_or(&result.name);
            if self.commands.len() < COMMANDS_MAX {
                self.commands.push(format!("{command}: {why}"));
            }
        }
    }

    pub(super) fn settled(&mut self, entries: &[Entry]) {
        for seen in &mut self.seen {
            let waived = |entry: &Entry| entry.name == seen.name && entry.waived.is_some();
            seen.waived = entries.iter().any(waived);
        }
        let red = entries.iter().filter(|entry| !entry.stands()).count();
        if red > 0 {
            let event = format!("{red} of {} checks do not hold", entries.len());
            self.amend("failure", Some(event));
        }
    }

    /// Whether the guards of these names passed when they were run last.
    pub(super) fn guard(&self, names: &[&str]) -> Value {
        let is_one =
            |seen: &&Seen| seen.kind == CheckKind::Guard && names.contains(&seen.name.as_str());
        let mut seen = self.seen.iter().filter(is_one).peekable();
        match seen.peek() {
            Some(_) => json!(seen.all(|seen| seen.verdict.is_passed())),
            None => json!("n/a"),
        }
    }

    /// Takes in where somebody who reviews says that they looked.
    pub(super) fn looked_at(&mut self, places: &[String]) {
        for place in places {
            if self.places.len() < PLACES_MAX && !self.places.contains(place) {
                self.places.push(place.clone());
            }
        }
    }

    /// What was looked at; where nobody came to that, what the plan names.
    pub(super) fn files_checked(&self) -> Vec<String> {
        let list = if self.places.is_empty() { &self.files } else { &self.places };
        list.iter().take(PLACES_MAX).cloned().collect()
    }

    pub(super) fn rated(&mut self, score: Score, remarks: &[String]) {
        if self.ratings.len() < RATINGS_MAX {
            let commit = self.repaired.take();
            self.ratings.push(Rated { score, remarks: remarks.to_vec(), commit });
        }
    }

    pub(super) fn sent_back(&mut self, at: Timestamp, to: SentBack, findings: &[String]) {
        self.task_fixes += u32::from(to == SentBack::TaskFix);
        self.not_mended(at, findings);
        let attempt = u32::try_from(self.fixes.len()).unwrap_or(u32::MAX);
        if self.fixes.len() < FIXES_MAX {
            let first = findings.first().map(String::as_str).unwrap_or_default();
            self.fixes.push(AttemptedFix {
                attempt: attempt.saturating_add(1),
                description: format!("{}: {first}", to.name()),
                commit_sha: None,
                resolved: Vec::new(),
                remaining: findings.to_vec(),
            });
            self.fixing = true;
        }
    }

    /// Takes in what a repair left, whether it stands or not.
    pub(super) fn handed_in(&mut self, commit: &str) {
        if let Some(fix) = self.fixes.last_mut().filter(|_| self.fixing) {
            fix.commit_sha = Some(commit.to_owned());
        }
    }

    pub(super) fn repaired(&mut self, at: Timestamp, commit: &str) {
        self.repaired = Some(commit.to_owned());
        self.mended(at, commit);
    }

    /// Takes in that the last repair holds.
    pub(super) fn mended(&mut self, at: Timestamp, commit: &str) {
        let Some(fix) = self.fixes.last_mut().filter(|_| self.fixing) else { return };
        self.fixing = false;
        fix.commit_sha = Some(commit.to_owned());
        fix.resolved = std::mem::take(&mut fix.remaining);
        let event = format!("repair {} holds", fix.attempt);
        self.moment(at, "debug", event, "success");
    }

    /// Takes in that the last repair does not hold, if one is under way.
    fn not_mended(&mut self, at: Timestamp, findings: &[String]) {
        let Some(fix) = self.fixes.last_mut().filter(|_| self.fixing) else { return };
        self.fixing = false;
        let before = std::mem::replace(&mut fix.remaining, findings.to_vec());
        let all = before.len();
        fix.resolved = before.into_iter().filter(|one| !findings.contains(one)).collect();
        let mended = fix.resolved.len();
        let event = format!("repair {} mended {mended} of {all} findings", fix.attempt);
        self.moment(at, "debug", event, if mended > 0 { "partial" } else { "failure" });
    }

    /// Keeps the beginning and the end of a long story.
    fn moment(&mut self, at: Timestamp, step: &str, event: String, status: &str) {
        if self.timeline.len() >= TIMELINE_MAX {
            self.timeline.remove(TIMELINE_MAX / 2);
        }
        self.timeline.push(Moment {
            timestamp: seconds(at),
            step: step.to_owned(),
            event,
            status: status.to_owned(),
        });
    }
}

impl Seen {
    fn of(result: &CheckResult) -> Self {
        let command = result.command.as_deref().unwrap_or("no command");
        let evidence = match result.exit_code {
            Some(code) => format!("`{command}`, exit code {code}"),
            None => format!("`{command}`"),
        };
        Self {
            name: result.name.clone(),
            kind: result.kind,
            criterion: result.criterion.clone(),
            evidence,
            verdict: result.verdict.clone(),
            waived: false,
        }
    }
}
