//! How well a phase is covered by what is written about it elsewhere. Told by words alone: nobody is asked for it.

use std::collections::BTreeSet;

use crate::policy::Coverage;

/// Shorter words are everywhere.
const WORD_CHARS_MIN: usize = 5;
/// Whoever says what is wanted in fewer words leaves it open.
const SPECIFIC_WORDS_MIN: usize = 4;
/// The word for what is still to be decided.
const UNDECIDED: &str = "tbd";

/// What is wanted of a phase.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The requirements that it names.
    pub requirements: &'a [String],
    /// Its goal.
    pub goal: &'a str,
    /// How many criteria it has.
    pub criteria: usize,
}

/// How much requirements say about a phase. Where no document lists requirements, the roadmap itself does.
pub fn requirements_coverage(wanted: &Wanted<'_>, document: Option<&str>) -> Coverage {
    let Some(document) = document else {
        let has_goal = is_specific(wanted.goal);
        return match (has_goal, wanted.criteria > 0) {
            (true, true) => Coverage::Full,
            (true, false) | (false, true) => Coverage::Partial,
            (false, false) => Coverage::None,
        };
    };
    let lines: Vec<Option<&str>> =
        wanted.requirements.iter().map(|id| line_of(document, id)).collect();
    let found = lines.iter().flatten().count();
    if found == 0 {
        Coverage::None
    } else if lines.iter().all(|line| line.is_some_and(is_specific)) {
        Coverage::Full
    } else {
        Coverage::Partial
    }
}

/// Whether the project's own document is about a phase, told by the words that both use.
pub fn documents_coverage(about: &str, document: Option<&str>) -> Coverage {
    let Some(document) = document.filter(|text| !text.trim().is_empty()) else {
        return Coverage::None;
    };
    let wanted: BTreeSet<String> = long_words(about).collect();
    let there: BTreeSet<String> = long_words(document).collect();
    let shared = wanted.intersection(&there).count();
    // Half of what the phase is about is more than chance.
    if shared > 0 && shared * 2 >= wanted.len() { Coverage::Full } else { Coverage::Partial }
}

/// The line that says what a requirement is: the longest that names it.
fn line_of<'a>(document: &'a str, id: &str) -> Option<&'a str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let names = |line: &&str| line.split(|c: char| !is_part(c)).any(|word| word == id);
    document.lines().filter(names).max_by_key(|line| line.len())
}

fn is_specific(text: &str) -> bool {
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words().count() >= SPECIFIC_WORDS_MIN && words().all(|word| word.to_lowercase() != UNDECIDED)
}

fn long_words(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.chars().count() >= WORD_CHARS_MIN).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "# Requirements\n- **FEED-01**: Readers subscribe to a feed by its address\n\
        - FEED-02: TBD\n\n| FEED-01 | Phase 3 |\n";

    fn coverage(ids: &[&str]) -> Coverage {
        let requirements: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        let wanted = Wanted { requirements: &requirements, goal: "", criteria: 0 };
        requirements_coverage(&wanted, Some(DOCUMENT))
    }

    #[test]
    fn c42_requirements_count_by_what_they_say() {
        assert_eq!(coverage(&["FEED-01"]), Coverage::Full);
        assert_eq!(coverage(&["FEED-01", "FEED-02"]), Coverage::Partial);
        assert_eq!(coverage(&["FEED-02"]), Coverage::Partial);
        assert_eq!(coverage(&["FEED-01", "FEED-99"]), Coverage::Partial);
        assert_eq!(coverage(&["FEED-0"]), Coverage::None);
        assert_eq!(coverage(&[]), Coverage::None);
    }

    #[test]
    fn c42_without_a_list_of_requirements_the_roadmap_is_one() {
        let of = |goal, criteria| {
            requirements_coverage(&Wanted { requirements: &[], goal, criteria }, None)
        };
        let goal = "Readers can subscribe to a feed.";
        assert_eq!(of(goal, 2), Coverage::Full);
        assert_eq!(of(goal, 0), Coverage::Partial);
        assert_eq!(of("Feeds", 1), Coverage::Partial);
        assert_eq!(of("Details are still TBD here.", 0), Coverage::None);
    }

    #[test]
    fn c42_a_document_counts_by_the_words_it_shares_with_the_phase() {
        let about = "Subscriptions: readers subscribe to a feed";
        let full = "A program for readers who subscribe and keep their subscriptions.";
        assert_eq!(documents_coverage(about, Some(full)), Coverage::Full);
        assert_eq!(documents_coverage(about, Some("A lamp that glows.")), Coverage::Partial);
        assert_eq!(documents_coverage(about, Some("  \n")), Coverage::None);
        assert_eq!(documents_coverage(about, None), Coverage::None);
    }
}
