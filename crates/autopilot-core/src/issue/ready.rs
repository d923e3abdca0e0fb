//! Whether an issue may be worked on without anybody being asked.

/// How many criteria it must have.
const CRITERIA_MIN: usize = 3;

/// What an issue that comes from a queue must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// A link to what it is good for.
    Impact,
    /// A story: who wants what, and why.
    Story,
    /// Enough criteria, each with given, when and then, and none left for later.
    Criteria,
    /// An answer to every question.
    Answers,
    /// Criteria that nothing blocks.
    Unblocked,
}

impl Lack {
    /// What is missing, for a person.
    pub const fn told(self) -> &'static str {
        match self {
            Self::Impact => "R1: a line `Impact: …` with a link to what it is good for",
            Self::Story => "R2: a story, as `As a … I want … so that …`",
            Self::Criteria => "R3: at least three criteria with Given, When and Then, and no TBD",
            Self::Answers => "R4: no open question",
            Self::Unblocked => "R5: no criterion that is blocked (label or word `blocked-ac`)",
        }
    }
}

/// What an issue lacks to be worked on without anybody being asked, in order.
pub fn lacks(text: &str, labels: &[String]) -> Vec<Lack> {
    let lower = text.to_lowercase();
    let checks = [
        (Lack::Impact, has_impact(&lower)),
        (Lack::Story, has_story(&lower)),
        (Lack::Criteria, has_criteria(&lower)),
        (Lack::Answers, !has_question(&lower)),
        (
            Lack::Unblocked,
            !lower.contains("blocked-ac") && !labels.iter().any(|label| label == "blocked-ac"),
        ),
    ];
    checks.into_iter().filter_map(|(lack, is_there)| (!is_there).then_some(lack)).collect()
}

fn has_impact(text: &str) -> bool {
    text.lines().any(|line| {
        let is_named = line.trim_start_matches(['#', '-', '*', ' ']).starts_with("impact");
        let is_link = line.contains("](") || line.contains("http") || line.contains(".md");
        is_named && is_link
    })
}

/// The three parts in their order, wherever lines break.
fn has_story(text: &str) -> bool {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts = words.find("as a ").and_then(|at| {
        let wish = at + words[at..].find("i want")?;
        words[wish..].find("so that")
    });
    parts.is_some()
}

fn has_criteria(text: &str) -> bool {
    let count = |word: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words.filter(|one| *one == word).count()
    };
    let whole = ["given", "when", "then"].into_iter().map(count).min().unwrap_or(0);
    whole >= CRITERIA_MIN && count("tbd") == 0
}

/// A question is an item below a heading that speaks of questions, or a line that ends like one.
fn has_question(text: &str) -> bool {
    let mut below = false;
    text.lines().map(str::trim).any(|line| {
        if line.starts_with('#') {
            below = line.contains("question");
            return false;
        }
        let is_nothing = ["", "none", "none.", "- none", "-"].contains(&line);
        (below && !is_nothing) || line.ends_with('?') || line.ends_with('？')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: &str = "# Greet\n\nImpact: [more users](docs/impact.md)\n\nAs a user\nI want a greeting so that I feel welcome.\n\n\
        - AC-1: Given a name, when it runs, then it says it\n- AC-2: Given none, when it runs, then it says hello\n\
        - AC-3: Given two, when it runs, then it says both\n\n## Open questions\n\nnone\n";

    #[test]
    fn a43_an_issue_that_lacks_nothing_is_ready() {
        assert_eq!(lacks(READY, &[]), []);
    }

    #[test]
    fn a43_each_thing_that_is_missing_is_told_by_itself() {
        let cases = [
            (READY.replace("Impact:", "Note:"), Lack::Impact),
            (READY.replace("](docs/impact.md)", "]"), Lack::Impact),
            (READY.replace("so that", "and"), Lack::Story),
            (
                READY.replace("- AC-3: Given two, when it runs, then it says both\n", ""),
                Lack::Criteria,
            ),
            (READY.replace("says both", "says TBD"), Lack::Criteria),
            (READY.replace("\nnone\n", "\n- which language\n"), Lack::Answers),
            (format!("{READY}\n## More\n\nIn which language?\n"), Lack::Answers),
            (READY.replace("AC-3:", "AC-3 (blocked-ac):"), Lack::Unblocked),
        ];
        for (text, lack) in cases {
            assert_eq!(lacks(&text, &[]), [lack], "{text}");
        }
        assert_eq!(lacks(READY, &["blocked-ac".to_owned()]), [Lack::Unblocked]);
        assert_eq!(lacks("", &[]).len(), 3, "what is not said is not there");
    }
}
