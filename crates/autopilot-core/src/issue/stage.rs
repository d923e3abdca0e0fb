//! Where an issue stands: at each stage exactly one effect is owed, or one question is open.

use serde::{Deserialize, Serialize};

use crate::{id::Step, input::Work, issue::StepTries, role::Role};

/// A step of an issue that is tried until it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IssueStep {
    /// What users want from it.
    Stories,
    /// How it is to be done, and what shows that it is.
    Plan,
    /// Why something goes wrong.
    Cause,
    /// The work, with its tests.
    Work,
}

impl IssueStep {
    /// The name in the audit log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stories => "extracting-user-stories",
            Self::Plan => "writing-plan-and-tests",
            Self::Cause => "debugging",
            Self::Work => "running-atdd-cycle",
        }
    }

    /// Who does it.
    pub const fn role(self) -> Role {
        match self {
            Self::Stories => Role::StoryWriter,
            Self::Plan => Role::IssuePlanner,
            Self::Cause => Role::CauseAnalyst,
            Self::Work => Role::Implementer,
        }
    }

    /// How often it may be tried.
    pub const fn tries(self, tries: StepTries) -> u32 {
        match self {
            Self::Stories | Self::Cause => tries.stories,
            Self::Plan => tries.plan,
            Self::Work => tries.work,
        }
    }
}

/// What a person decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IssueGate {
    /// Whether the full way is wanted although a shorter one would do. It is asked before the first gate and is none itself.
    Precheck,
    /// What the issue is to come to.
    Requirements,
    /// How; for a bug, what its cause is.
    Design,
    /// Whether the result is taken.
    Merge,
}

impl IssueGate {
    /// The gates, of which there are three and never another number.
    pub const ALL: [Self; 3] = [Self::Requirements, Self::Design, Self::Merge];

    /// The name in the names of questions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Precheck => "precheck",
            Self::Requirements => "requirements",
            Self::Design => "design",
            Self::Merge => "merge",
        }
    }
}

/// Where an issue stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum IssueStage {
    /// What is there already.
    Begin,
    /// The issue's text becomes the requirements that a person is asked about.
    Draft,
    /// A person is asked.
    Gate(IssueGate),
    /// The requirements are pinned.
    PinRequirements,
    /// The design is looked at for its pin.
    Freeze,
    /// The design is pinned.
    PinDesign,
    /// How often the test fails before anything is done.
    Reproduce,
    /// Whether everything else is green before anything is done.
    Base,
    /// An agent works.
    Generate,
    /// What it left.
    Survey(Work),
    /// Its documents are kept.
    SaveDocuments(Work),
    /// What it found is kept.
    SaveCause,
    /// Its tests, without the work, are kept.
    SaveTests(Work),
    /// The work is kept.
    SaveWork(Work),
    /// The tests are run on the work.
    Green,
    /// Someone else looks whether the tests show what they say.
    Coverage,
    /// The tests are run without the work.
    Red,
    /// Everything is run on the work.
    Full,
    /// That the tests were seen red is written down.
    Evidence,
    /// What the try came to is written down.
    Record,
    /// The branch of the run is brought forward, and then comes a gate or the end.
    Integrate(Next),
    /// What a person is shown.
    Present(IssueGate),
}

/// What comes after the branch of the run was brought forward.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Next {
    /// A person is asked.
    Gate(IssueGate),
    /// The run halts.
    Halt {
        /// Why, for a person.
        why: String,
    },
}

impl IssueStage {
    /// The step under which its effect is known. What an agent does is named after what it is.
    pub fn step(&self, step: IssueStep) -> Option<Step> {
        let name = match self {
            Self::Begin => "begin",
            Self::Draft => "draft",
            Self::Gate(_) => return None,
            Self::PinRequirements => "pin-requirements",
            Self::Freeze => "freeze",
            Self::PinDesign => "pin-design",
            Self::Reproduce => "reproduce",
            Self::Base => "base",
            Self::Generate => match step {
                IssueStep::Stories => "stories",
                IssueStep::Plan => "plan",
                IssueStep::Cause => "cause",
                IssueStep::Work => "implement",
            },
            Self::Survey(_) => "survey",
            Self::SaveDocuments(_) => "save-documents",
            Self::SaveCause => "save-cause",
            Self::SaveTests(_) => "save-tests",
            Self::SaveWork(_) => "save-work",
            Self::Green => "green",
            Self::Coverage => "coverage",
            Self::Red => "red",
            Self::Full => "full",
            Self::Evidence => "evidence",
            Self::Record => "record",
            Self::Integrate(_) => "integrate",
            Self::Present(_) => "present",
        };
        Some(Step::new(format!("issue/{name}")))
    }

    /// The role that works at it.
    pub fn role(&self, step: IssueStep) -> Option<Role> {
        match self {
            Self::Generate => Some(step.role()),
            Self::Coverage => Some(Role::CoverageChecker),
            Self::Begin
            | Self::Draft
            | Self::Gate(_)
            | Self::PinRequirements
            | Self::Freeze
            | Self::PinDesign
            | Self::Reproduce
            | Self::Base
            | Self::Survey(_)
            | Self::SaveDocuments(_)
            | Self::SaveCause
            | Self::SaveTests(_)
            | Self::SaveWork(_)
            | Self::Green
            | Self::Red
            | Self::Full
            | Self::Evidence
            | Self::Record
            | Self::Integrate(_)
            | Self::Present(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a21_there_are_three_gates_and_the_precheck_is_none_of_them() {
        assert_eq!(IssueGate::ALL.map(IssueGate::name), ["requirements", "design", "merge"]);
        assert!(!IssueGate::ALL.contains(&IssueGate::Precheck));
    }

    #[test]
    fn a6_steps_may_be_tried_four_four_and_eight_times() {
        let tries = |step: IssueStep| step.tries(StepTries::default());
        assert_eq!([IssueStep::Stories, IssueStep::Plan, IssueStep::Work].map(tries), [4, 4, 8]);
    }
}
