//! What a person says about a phase that the roadmap does not have yet, and what is missing in it.

use std::{collections::BTreeSet, fmt};

use super::super::{model::Roadmap, phase_id::PhaseId, title, words};
use autopilot_evidence::Criterion;

/// What stands where something is still to be said.
pub const TO_BE_PLANNED: &str = "[To be planned]";

/// A goal with fewer sentences does not say what is reached and why.
const GOAL_SENTENCES_MIN: usize = 2;
/// Fewer criteria leave too much to whoever judges.
const CRITERIA_MIN: usize = 3;
/// A goal of which more than this is what was typed as the name anyway adds nothing.
const REPEATED_PERCENT_MAX: usize = 80;
/// A phase that shares more than this with another one may be the same phase.
const OVERLAP_PERCENT_MAX: usize = 70;
/// Words that are shorter mean nothing by themselves.
const WORD_CHARS_MIN: usize = 3;

/// What a criterion says that says nothing which could be seen to be true.
const VAGUE: [&str; 14] = [
    "should work",
    "works as expected",
    "works as intended",
    "works correctly",
    "works properly",
    "works well",
    "properly handles",
    "functions correctly",
    "is correct",
    "is implemented",
    "is improved",
    "is clean",
    "is done",
    "is user-friendly",
];

/// Words that every text shares with every other.
const COMMON: [&str; 24] = [
    "and", "are", "but", "can", "for", "from", "has", "have", "into", "its", "must", "not", "that",
    "the", "their", "them", "then", "they", "this", "when", "which", "will", "with", "phase",
];

/// A phase that is to be written into a roadmap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewPhase {
    /// Its name.
    pub name: String,
    /// What its line in the list says after the name.
    pub summary: Option<String>,
    /// What it is to reach.
    pub goal: Option<String>,
    /// What must be true when it is done.
    pub criteria: Vec<String>,
    /// What it needs, as it is to stand in the roadmap: `Phase 3 (its parser)`, `independent`.
    pub depends_on: Option<String>,
}

/// Something that the description of a phase lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lack {
    /// The goal is too short.
    Goal {
        /// How many sentences it has.
        sentences: usize,
    },
    /// There are too few criteria.
    Criteria {
        /// How many there are.
        count: usize,
    },
    /// A criterion says nothing that could be seen to be true.
    Vague {
        /// Its place, from 1.
        number: usize,
    },
    /// It does not say what the phase depends on.
    Dependency,
    /// It says what the phase depends on and not why.
    Reason,
    /// The goal says little more than the text that was given.
    Repeated {
        /// How much of it, in percent.
        percent: usize,
    },
    /// Another phase is about nearly the same.
    Overlap {
        /// The other phase.
        with: PhaseId,
        /// How much of the new one the other has, in percent.
        percent: usize,
    },
}

impl NewPhase {
    /// Takes a name and, after a dash, a summary from one text.
    pub fn from_text(text: &str) -> Self {
        let text = title::clean(text);
        let dashes = [" - ", " -- ", " — ", " – "];
        let dash = dashes
            .into_iter()
            .filter_map(|dash| text.split_once(dash))
            .min_by_key(|cut| cut.0.len());
        let (name, summary) = dash.unwrap_or((&text, ""));
        let summary = Some(summary.trim()).filter(|summary| !summary.is_empty());
        Self {
            name: name.trim().to_owned(),
            summary: summary.map(str::to_owned),
            ..Self::default()
        }
    }

    /// What the description lacks, beside the phases that are there. `input` is the text that the person gave first.
    pub fn lacks(&self, input: &str, roadmap: &Roadmap) -> Vec<Lack> {
        let goal = self.goal.as_deref().unwrap_or_default();
        let mut lacks = Vec::new();
        let sentences = sentences(goal);
        if sentences < GOAL_SENTENCES_MIN {
            lacks.push(Lack::Goal { sentences });
        }
        if self.criteria.len() < CRITERIA_MIN {
            lacks.push(Lack::Criteria { count: self.criteria.len() });
        }
        let vague = self.criteria.iter().enumerate().filter(|(_, text)| is_vague(text));
        lacks.extend(vague.map(|(at, _)| Lack::Vague { number: at + 1 }));
        lacks.extend(self.lacking_dependency());
        let percent = shared_percent(&significant(goal), &significant(input));
        if percent > REPEATED_PERCENT_MAX {
            lacks.push(Lack::Repeated { percent });
        }
        lacks.extend(self.overlap(roadmap));
        lacks
    }

    fn lacking_dependency(&self) -> Option<Lack> {
        let Some(needs) = self.depends_on.as_deref() else { return Some(Lack::Dependency) };
        let reason = needs.split_once(['(', '（']).map_or("", |(_, reason)| reason);
        let has_reason = reason.contains(char::is_alphanumeric);
        let is_independent = words::says_nothing(needs.trim());
        (!has_reason && !is_independent).then_some(Lack::Reason)
    }

    /// The phase that has most of what this one is about.
    fn overlap(&self, roadmap: &Roadmap) -> Option<Lack> {
        let own =
            significant(&format!("{} {}", self.name, self.goal.as_deref().unwrap_or_default()));
        let others = roadmap.phases.iter().map(|phase| {
            let text = format!("{} {}", phase.name, phase.goal.as_deref().unwrap_or_default());
            (shared_percent(&own, &significant(&text)), phase.id)
        });
        let (percent, with) = others.max_by_key(|(percent, _)| *percent)?;
        (percent > OVERLAP_PERCENT_MAX).then_some(Lack::Overlap { with, percent })
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Goal { sentences } => write!(
                f,
                "the goal has {sentences} sentences, and {GOAL_SENTENCES_MIN} say better what is reached and why"
            ),
            Self::Criteria { count } => write!(
                f,
                "there are {count} criteria; with fewer than {CRITERIA_MIN} too much is left to whoever judges"
            ),
            Self::Vague { number } => write!(
                f,
                "criterion {number} says nothing that could be seen to be true; name what is seen, or a command"
            ),
            Self::Dependency => {
                write!(
                    f,
                    "nothing says what the phase depends on; say `independent` if it is nothing"
                )
            }
            Self::Reason => write!(
                f,
                "nothing says why the phase depends on others; a reason in parentheses helps whoever plans it"
            ),
            Self::Repeated { percent } => {
                write!(f, "{percent} % of the goal is the name again, so it says little more")
            }
            Self::Overlap { with, percent } => {
                write!(
                    f,
                    "phase `{with}` has {percent} % of what this one is about; it may be the same"
                )
            }
        }
    }
}

/// How many sentences a text has: ends that a space or nothing follows.
fn sentences(text: &str) -> usize {
    let ends = ['.', '!', '?', '。', '！', '？'];
    let mut rest = text.trim();
    let mut count = 0;
    while rest.contains(char::is_alphanumeric) {
        count += 1;
        let end = rest.char_indices().find(|(at, c)| {
            let after = &rest[at + c.len_utf8()..];
            let is_wide = !c.is_ascii();
            ends.contains(c)
                && (is_wide || after.is_empty() || after.starts_with(char::is_whitespace))
        });
        rest = end.map_or("", |(at, c)| &rest[at + c.len_utf8()..]);
    }
    count
}

/// Tells whether a criterion only says that something is fine.
fn is_vague(criterion: &str) -> bool {
    let lower = criterion.to_lowercase();
    let phrase = VAGUE.iter().find(|phrase| lower.contains(*phrase));
    // What else is said may be concrete: a number, something quoted, more than a subject.
    let beside = phrase.map(|phrase| lower.replacen(phrase, " ", 1));
    let is_bare = beside.is_none_or(|beside| {
        significant(&beside).len() <= 2
            && !beside.contains(|c: char| c.is_ascii_digit() || "`\"".contains(c))
    });
    let names_nothing = !lower.contains(char::is_alphanumeric);
    names_nothing || (phrase.is_some() && is_bare && Criterion::parse(criterion).command.is_none())
}

/// How much of the first words are among the second, in percent.
fn shared_percent(first: &BTreeSet<String>, second: &BTreeSet<String>) -> usize {
    let shared = first.intersection(second).count();
    (shared * 100).checked_div(first.len()).unwrap_or(0)
}

/// The words of a text that mean something, each once.
fn significant(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= WORD_CHARS_MIN || !word.is_ascii())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty() && !COMMON.contains(&word.as_str()))
        .collect()
}
