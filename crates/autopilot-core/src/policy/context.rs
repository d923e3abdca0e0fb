//! Whether a phase is described well enough to be done without asking.

use serde::{Deserialize, Serialize};

/// Below this score questions are asked.
pub const QUESTIONS_BELOW: u8 = 8;
/// Below this score a run says that it is short of context.
const WARN_BELOW: u8 = 5;
/// What stands in the place of a goal that nobody has written yet.
const UNPLANNED: [&str; 2] = ["[to be planned]", "[to be defined]"];
/// The word for what is still to be decided.
const UNDECIDED: &str = "tbd";

/// How well something is covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Coverage {
    /// Well.
    Full,
    /// In part.
    Partial,
    /// Not at all.
    #[default]
    None,
}

/// Where the phases stand that this one waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dependencies {
    /// Complete, all of them.
    #[default]
    Met,
    /// Some are still to come.
    Pending,
    /// One is not there at all.
    Missing,
}

/// What is known about a phase before it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseContext {
    /// Its goal.
    pub goal: String,
    /// How many criteria it has.
    pub criteria: usize,
    /// How many of them a command can show.
    pub with_command: usize,
    /// Whether requirements of the specification are mapped to it, and say something.
    pub requirements: Coverage,
    /// Whether the project's own documents cover it.
    pub documents: Coverage,
    /// What it waits for.
    pub dependencies: Dependencies,
}

impl PhaseContext {
    /// Whether nobody has said yet what the phase is for.
    pub fn is_stub(&self) -> bool {
        let goal = self.goal.trim().to_lowercase();
        let mut words = goal.split(|c: char| !c.is_alphanumeric());
        goal.is_empty()
            || UNPLANNED.iter().any(|stub| goal.contains(stub))
            || words.any(|word| word == UNDECIDED)
    }
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// How the project is built and set up.
    BuildConfig,
    /// Its parts and how they hang together.
    Architecture,
    /// What is wanted.
    Requirements,
    /// When it is there.
    Criteria,
    /// What it needs from elsewhere.
    Dependencies,
    /// What one must know of the field.
    Domain,
}

impl Category {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::BuildConfig,
        Self::Architecture,
        Self::Requirements,
        Self::Criteria,
        Self::Dependencies,
        Self::Domain,
    ];

    /// The word for it in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BuildConfig => "build_config",
            Self::Architecture => "architecture",
            Self::Requirements => "requirements",
            Self::Criteria => "criteria",
            Self::Dependencies => "dependencies",
            Self::Domain => "domain",
        }
    }

    /// The category of that name. Whoever asks under another one asks what is wanted.
    pub fn named(name: &str) -> Self {
        let name = name.trim();
        Self::ALL.into_iter().find(|one| one.name() == name).unwrap_or(Self::Requirements)
    }
}

/// The four parts of the score, each from 0 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assessment {
    /// How specific the criteria are.
    pub criteria: u8,
    /// How much the requirements say.
    pub requirements: u8,
    /// How much the documents say.
    pub documents: u8,
    /// Whether what it waits for is there.
    pub dependencies: u8,
    /// The whole, from 1 to 10.
    pub score: u8,
}

impl Assessment {
    /// Weighs the four parts: criteria and requirements count most.
    pub fn of(context: &PhaseContext) -> Self {
        Self::with_answers(context, &[])
    }

    /// The same with what a person has answered: each answer lifts the part that it is about by one band, and a phase about
    /// which somebody was asked is described by more than its goal.
    pub fn with_answers(context: &PhaseContext, answered: &[Category]) -> Self {
        let mut parts = Self::parts(context);
        answered.iter().for_each(|category| parts.lift(*category));
        parts.score = if context.is_stub() && answered.is_empty() {
            1
        } else {
            weigh([parts.criteria, parts.requirements, parts.documents, parts.dependencies])
        };
        parts
    }

    fn parts(context: &PhaseContext) -> Self {
        let criteria = criteria(context);
        let requirements = match context.requirements {
            Coverage::Full => 10,
            Coverage::Partial => 6,
            Coverage::None => 2,
        };
        let documents = match context.documents {
            Coverage::Full => 9,
            Coverage::Partial => 6,
            Coverage::None => 2,
        };
        let dependencies = match context.dependencies {
            Dependencies::Met => 10,
            Dependencies::Pending => 5,
            Dependencies::Missing => 1,
        };
        Self { criteria, requirements, documents, dependencies, score: 1 }
    }

    fn lift(&mut self, category: Category) {
        let part = match category {
            Category::Criteria => &mut self.criteria,
            Category::Requirements | Category::Dependencies => &mut self.requirements,
            Category::BuildConfig | Category::Architecture | Category::Domain => {
                &mut self.documents
            }
        };
        *part = match *part {
            0..=4 => 6,
            5..=8 => 9,
            best => best,
        };
    }

    /// Whether a person should be asked first.
    pub const fn needs_questions(&self) -> bool {
        self.score < QUESTIONS_BELOW
    }
}

/// 0.35, 0.35, 0.15 and 0.15, rounded to the nearest whole number, in whole numbers.
fn weigh([criteria, requirements, documents, dependencies]: [u8; 4]) -> u8 {
    let hundredths = 35 * (u16::from(criteria) + u16::from(requirements))
        + 15 * (u16::from(documents) + u16::from(dependencies));
    u8::try_from((hundredths + 50) / 100).unwrap_or(10).clamp(1, 10)
}

fn criteria(context: &PhaseContext) -> u8 {
    let PhaseContext { criteria, with_command, .. } = context;
    match (criteria, with_command) {
        (0, _) => 1,
        (_, 0) => 2,
        (all, some) if some >= all => 10,
        // From 5 for few to 7 for nearly all.
        (all, some) => u8::try_from(5 + 3 * some / all).unwrap_or(7).min(7),
    }
}

/// A look in passing, without weighing: the reason why a phase is short of context, and how short.
pub fn quick_check(context: &PhaseContext) -> Option<(u8, &'static str)> {
    let found = if context.is_stub() {
        (1, "its goal is not written yet")
    } else if context.requirements == Coverage::None {
        (3, "no requirement of the specification is mapped to it")
    } else if context.with_command == 0 {
        (4, "none of its criteria has a command")
    } else {
        (WARN_BELOW, "")
    };
    Some(found).filter(|(score, _)| *score < WARN_BELOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> PhaseContext {
        PhaseContext {
            goal: "Readers can subscribe to a feed.".to_owned(),
            criteria: 4,
            with_command: 4,
            requirements: Coverage::Full,
            documents: Coverage::Full,
            dependencies: Dependencies::Met,
        }
    }

    #[test]
    fn c42_criteria_and_requirements_weigh_most() {
        assert_eq!(Assessment::of(&good()).score, 10);
        let no_commands = PhaseContext { with_command: 0, ..good() };
        assert_eq!(Assessment::of(&no_commands).score, 7);
        let no_documents = PhaseContext { documents: Coverage::None, ..good() };
        assert_eq!(Assessment::of(&no_documents).score, 9);
        let nothing = PhaseContext {
            criteria: 0,
            with_command: 0,
            requirements: Coverage::None,
            documents: Coverage::None,
            dependencies: Dependencies::Missing,
            ..good()
        };
        assert_eq!(Assessment::of(&nothing).score, 2);
    }

    #[test]
    fn c42_a_goal_that_nobody_wrote_scores_one() {
        for goal in ["", "  ", "[To be planned]", "[To be defined]", "TBD", "Details TBD."] {
            let stub = PhaseContext { goal: goal.to_owned(), ..good() };
            assert_eq!(Assessment::of(&stub).score, 1, "{goal:?}");
        }
        let word = PhaseContext { goal: "Read tbdata files.".to_owned(), ..good() };
        assert_eq!(Assessment::of(&word).score, 10);
    }

    #[test]
    fn c42_questions_are_asked_below_eight() {
        let pending = PhaseContext {
            dependencies: Dependencies::Pending,
            documents: Coverage::None,
            ..good()
        };
        assert_eq!(
            (Assessment::of(&pending).score, Assessment::of(&pending).needs_questions()),
            (8, false)
        );
        let some = PhaseContext { with_command: 2, ..pending };
        assert!(Assessment::of(&some).needs_questions());
    }

    #[test]
    fn c42_each_part_weighs_what_it_should() {
        // Each row takes one part from its best to its worst, and tells what is lost of ten, in hundredths.
        let rows = [
            (PhaseContext { criteria: 0, ..good() }, 35 * 9),
            (PhaseContext { requirements: Coverage::None, ..good() }, 35 * 8),
            (PhaseContext { documents: Coverage::None, ..good() }, 15 * 7),
            (PhaseContext { dependencies: Dependencies::Missing, ..good() }, 15 * 9),
        ];
        for (context, lost) in rows {
            let whole = 35 * 20 + 15 * 19;
            let expected = (whole - lost + 50) / 100;
            assert_eq!(u32::from(Assessment::of(&context).score), expected, "{context:?}");
        }
    }

    #[test]
    fn c42_an_answer_lifts_the_part_that_it_is_about_by_a_band() {
        let vague = PhaseContext {
            with_command: 0,
            requirements: Coverage::Partial,
            documents: Coverage::None,
            ..good()
        };
        let with = |answered: &[Category]| Assessment::with_answers(&vague, answered);
        assert_eq!(with(&[]), Assessment::of(&vague));
        assert_eq!(with(&[Category::Criteria]).criteria, 6);
        assert_eq!(with(&[Category::Criteria; 3]).criteria, 9);
        assert_eq!(with(&[Category::Dependencies]).requirements, 9);
        assert_eq!(with(&[Category::Domain]).documents, 6);
        assert_eq!(with(&[Category::Domain]).dependencies, 10, "no answer completes a phase");
        let stub = PhaseContext { goal: "TBD".to_owned(), ..good() };
        assert_eq!(Assessment::of(&stub).score, 1);
        assert_eq!(Assessment::with_answers(&stub, &[Category::Domain]).score, 10);
    }

    #[test]
    fn c42_a_question_is_about_one_of_six_things() {
        for category in Category::ALL {
            assert_eq!(Category::named(category.name()), category);
        }
        assert_eq!(Category::named("feelings"), Category::Requirements);
    }

    #[test]
    fn e13_a_look_in_passing_warns_below_five_and_says_why() {
        assert_eq!(quick_check(&good()), None);
        let score = |context: &PhaseContext| quick_check(context).map(|(score, _)| score);
        assert_eq!(score(&PhaseContext { goal: "TBD".to_owned(), ..good() }), Some(1));
        assert_eq!(score(&PhaseContext { requirements: Coverage::None, ..good() }), Some(3));
        assert_eq!(score(&PhaseContext { with_command: 0, ..good() }), Some(4));
    }
}
