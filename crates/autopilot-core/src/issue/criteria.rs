//! What must hold, and which tests say that they show it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// More criteria than this are too many for one issue.
pub const CRITERIA_MAX: usize = 200;
/// A longer text of a criterion is cut.
const TEXT_CHARS_MAX: usize = 500;

/// Something that must hold, under the name that tests carry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptanceCriterion {
    /// Its name, for instance `AC-3`.
    pub id: String,
    /// What it says.
    pub text: String,
}

/// The criteria that a document names: the line in which each `AC-n` or `AT-n` comes first.
pub fn criteria_in(document: &str) -> Vec<AcceptanceCriterion> {
    let mut found: Vec<AcceptanceCriterion> = Vec::new();
    for line in document.lines() {
        for word in line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
            let Some(id) = criterion_id(word) else { continue };
            let is_new = found.iter().all(|criterion| criterion.id != id);
            if is_new && found.len() < CRITERIA_MAX {
                let text = line.trim_start_matches(['#', '-', '*', ' ']).trim_end();
                let text = text.chars().take(TEXT_CHARS_MAX).collect();
                found.push(AcceptanceCriterion { id, text });
            }
        }
    }
    found
}

fn criterion_id(word: &str) -> Option<String> {
    let rest = word.strip_prefix("AC").or_else(|| word.strip_prefix("AT"))?;
    let digits = rest.strip_prefix('-').unwrap_or(rest);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| word.to_owned())
}

/// Whether a text carries the name of a criterion: `AC-3` as it is, or as a part of a name of code such as `test_ac_3_greets`.
pub fn carries(text: &str, id: &str) -> bool {
    let at = id.find(|c: char| c.is_ascii_digit()).unwrap_or(id.len());
    let (letters, digits) = id.split_at(at);
    let letters = letters.trim_end_matches(['-', '_']).to_ascii_lowercase();
    if letters.is_empty() || digits.is_empty() {
        return false;
    }
    let text = text.to_ascii_lowercase();
    text.match_indices(&letters).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = &text[at + found.len()..];
        let after = after.strip_prefix(['-', '_', ' ']).unwrap_or(after);
        let number = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        !before.is_some_and(|c| c.is_ascii_alphanumeric())
            && after[..number].trim_start_matches('0') == digits.trim_start_matches('0')
            && number > 0
    })
}

/// The criteria that no test carries; `tags` are the files that carry each.
pub fn uncovered(
    criteria: &[AcceptanceCriterion],
    tags: &BTreeMap<String, Vec<String>>,
) -> Vec<String> {
    let has_none = |id: &str| tags.get(id).is_none_or(Vec::is_empty);
    criteria.iter().map(|one| one.id.clone()).filter(|id| has_none(id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn criteria_are_read_where_they_come_first() {
        let text = "# Tests\n\n## AC-1: it greets\nGiven a name (AC-1)\n- AC2 it ends. See AT-003, FACT-4 and AC-x.\n";
        let found: Vec<_> = criteria_in(text).into_iter().map(|one| (one.id, one.text)).collect();
        let expected = [
            ("AC-1", "AC-1: it greets"),
            ("AC2", "AC2 it ends. See AT-003, FACT-4 and AC-x."),
            ("AT-003", "AC2 it ends. See AT-003, FACT-4 and AC-x."),
        ];
        let expected = expected.map(|(id, text)| (id.to_owned(), text.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn a11_a_test_carries_a_criterion_by_its_whole_name() {
        for text in ["# AC-3", "def test_ac_3_greets():", "ac3", "it('AC 3: greets')", "AC-003"] {
            assert!(carries(text, "AC-3"), "{text}");
        }
        for text in ["AC-31", "mac-3", "AC-", "AC three", "", "FAC3", "ac-13"] {
            assert!(!carries(text, "AC-3"), "{text}");
        }
        assert!(carries("repro for ISSUE-42", "ISSUE-42") && !carries("issue-420", "ISSUE-42"));
        assert!(!carries("anything", "no-number"));
    }

    #[test]
    fn a11_a_criterion_whose_test_is_gone_is_uncovered() {
        let criteria = criteria_in("AC-1\nAC-2\nAC-3");
        let mut tags: BTreeMap<_, _> = ["AC-1", "AC-2", "AC-3"]
            .map(|id| (id.to_owned(), vec!["tests/a.sh".to_owned()]))
            .into();
        assert_eq!(uncovered(&criteria, &tags), [""; 0]);
        tags.insert("AC-2".to_owned(), Vec::new());
        tags.remove("AC-3");
        assert_eq!(uncovered(&criteria, &tags), ["AC-2", "AC-3"]);
    }
}
