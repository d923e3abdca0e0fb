//! What a person's word means.

use serde::{Deserialize, Serialize};

use crate::{input::Answer, policy::Category};

/// Longer texts of agents and people are cut.
pub(super) const TEXT_CHARS_MAX: usize = 2_000;
/// What begins an idea for later.
const LATER: [&str; 2] = ["later:", "defer:"];
/// What leaves a decision to the agents.
const YOU_DECIDE: [&str; 4] = ["you decide", "you", "either", "no preference"];

/// What kind of thing a phase makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Domain {
    /// Something people see.
    See,
    /// Something programs call.
    Call,
    /// Something people run.
    Run,
    /// Something people read.
    Read,
    /// Something that is put in order.
    Organize,
}

impl Domain {
    /// The domain of that name, in any case.
    pub fn named(name: &str) -> Option<Self> {
        match name.trim().to_uppercase().as_str() {
            "SEE" => Some(Self::See),
            "CALL" => Some(Self::Call),
            "RUN" => Some(Self::Run),
            "READ" => Some(Self::Read),
            "ORGANIZE" => Some(Self::Organize),
            _ => None,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::See => "SEE",
            Self::Call => "CALL",
            Self::Run => "RUN",
            Self::Read => "READ",
            Self::Organize => "ORGANIZE",
        }
    }
}

/// What a person's answer to one question is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// One of the ways that were offered.
    Chosen(String),
    /// Whatever the agents find best.
    YouDecide,
    /// In their own words.
    Own(String),
    /// An idea for another phase.
    Later(String),
}

impl Said {
    /// What an answer to a question with these options is.
    pub(super) fn of(answer: &Answer, options: &[String]) -> Self {
        let text = one_line(&answer.message);
        let small = text.to_lowercase();
        if !answer.approved || text.is_empty() || YOU_DECIDE.contains(&small.as_str()) {
            return Self::YouDecide;
        }
        let later = LATER.iter().find_map(|word| {
            let head = text.get(..word.len())?;
            head.eq_ignore_ascii_case(word).then(|| text[word.len()..].trim())
        });
        if let Some(idea) = later {
            return Self::Later(idea.to_owned());
        }
        let lettered = letter(&small);
        if let Some(option) = lettered.and_then(|at| options.get(at)) {
            return Self::Chosen(option.clone());
        }
        if lettered == Some(options.len()) && !options.is_empty() {
            return Self::YouDecide;
        }
        match options.iter().find(|option| option.to_lowercase() == small) {
            Some(option) => Self::Chosen(option.clone()),
            None => Self::Own(text),
        }
    }

    /// It as text.
    pub fn text(&self) -> &str {
        match self {
            Self::Chosen(text) | Self::Own(text) | Self::Later(text) => text,
            Self::YouDecide => "You decide",
        }
    }
}

/// The place of a letter: `a`, `a)` or `a.`.
fn letter(text: &str) -> Option<usize> {
    let mut letters = text.trim_end_matches([')', '.']).chars();
    match (letters.next(), letters.next()) {
        (Some(letter @ 'a'..='z'), None) => {
            usize::try_from(u32::from(letter) - u32::from('a')).ok()
        }
        _ => None,
    }
}

/// The areas, from 0, that a person wants to talk about: `1, 3`, `all` or `none`; nothing where it is none of these.
pub(super) fn selected(answer: &Answer, areas: usize) -> Option<Vec<usize>> {
    let text = answer.message.trim().to_lowercase();
    if !answer.approved || text == "none" {
        return Some(Vec::new());
    }
    if text.is_empty() || text == "all" {
        return Some((0..areas).collect());
    }
    let numbers = text.split([',', ' ']).filter(|part| !part.is_empty());
    let places = numbers.map(|part| {
        let number: usize = part.parse().ok()?;
        number.checked_sub(1).filter(|place| *place < areas)
    });
    let mut places: Vec<usize> = places.collect::<Option<_>>()?;
    places.sort_unstable();
    places.dedup();
    Some(places)
}

/// Whether a person wants more questions; nothing where that cannot be told.
pub(super) fn wants_more(answer: &Answer) -> Option<bool> {
    if !answer.approved {
        return Some(false);
    }
    match answer.message.trim().to_lowercase().as_str() {
        "more" | "m" | "a" | "yes" | "y" => Some(true),
        "next" | "n" | "b" | "no" | "" => Some(false),
        _ => None,
    }
}

/// The category of an answer in a discussion, as files name it.
pub(super) fn preference(told: Option<&str>) -> String {
    const NAMES: [&str; 5] = ["edge_case", "preference", "threshold", "trade_off", "scope"];
    let told = told.unwrap_or_default().trim();
    NAMES.into_iter().find(|name| *name == told).unwrap_or("preference").to_owned()
}

/// The category of a question of a map.
pub(super) fn category(told: Option<&str>) -> Category {
    Category::named(told.unwrap_or_default())
}

/// A text as one line that begins nothing in a document.
pub(super) fn one_line(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = clean.split_whitespace().collect();
    words.join(" ").chars().take(TEXT_CHARS_MAX).collect()
}

/// Whether two questions are the same, however they are spaced and capitalised.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let plain = |text: &str| {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    plain(one) == plain(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str) -> Answer {
        let (message, by) = (text.to_owned(), "someone".to_owned());
        Answer { approved: true, message, by, until: None }
    }

    #[test]
    fn c43_an_answer_is_a_letter_an_option_own_words_or_left_to_the_agents() {
        let options = ["Cards".to_owned(), "A timeline".to_owned()];
        let own = |text: &str| Said::Own(text.to_owned());
        let chosen = |at: usize| Said::Chosen(options[at].clone());
        let rows = [
            ("a", chosen(0)),
            ("B)", chosen(1)),
            (" a. ", chosen(0)),
            ("a timeline", chosen(1)),
            ("c", Said::YouDecide),
            ("You decide", Said::YouDecide),
            ("", Said::YouDecide),
            ("d", own("d")),
            ("A grid\nlike on the  old page", own("A grid like on the old page")),
            ("later: dark mode", Said::Later("dark mode".to_owned())),
            ("Defer:  sync", Said::Later("sync".to_owned())),
        ];
        for (text, expected) in rows {
            assert_eq!(Said::of(&answer(text), &options), expected, "{text:?}");
        }
        assert_eq!(Said::of(&answer("a"), &[]), own("a"), "there is no option a");
        let no = Answer { approved: false, ..answer("a") };
        assert_eq!(Said::of(&no, &options), Said::YouDecide);
    }

    #[test]
    fn c43_areas_are_chosen_by_number_all_or_none() {
        let rows = [
            ("1, 3", Some(vec![0, 2])),
            ("3 1 3", Some(vec![0, 2])),
            ("all", Some(vec![0, 1, 2])),
            ("", Some(vec![0, 1, 2])),
            ("none", Some(vec![])),
            ("0", None),
            ("4", None),
            ("the first", None),
        ];
        for (text, expected) in rows {
            assert_eq!(selected(&answer(text), 3), expected, "{text:?}");
        }
    }

    #[test]
    fn c43_depth_is_more_or_next() {
        for (text, expected) in
            [("more", Some(true)), ("Next", Some(false)), ("", Some(false)), ("hm", None)]
        {
            assert_eq!(wants_more(&answer(text)), expected, "{text:?}");
        }
    }
}
