//! What a case is: a project, what its agents do, and what the right ending is.

use super::{kit::Kit, play::NEXT_PHASE};

/// One way to behave, through one project.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    /// The name by which it can be run alone.
    pub(super) name: &'static str,
    /// What the agent does, in a few words.
    pub(super) does: &'static str,
    /// The project.
    pub(super) kit: &'static Kit,
    /// What the right ending is.
    pub(super) right: Right,
    /// What whoever writes (executor and debugger) does, in shell. `ROOT` is the sandbox, `PROGRAM` the program, `DONE` what
    /// does the work of the project.
    pub(super) act: &'static str,
    /// What everybody else does before they approve of everything.
    pub(super) others: &'static str,
    /// How the project differs from its kit.
    pub(super) twist: Twist,
}

/// What a project has beside or instead of what its kit has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twist {
    /// More files of the project.
    pub(super) files: &'static [(&'static str, &'static str)],
    /// The commands of its criteria.
    pub(super) criteria: &'static [&'static str],
    /// More lines of its settings.
    pub(super) config: &'static str,
    /// What must hold besides the kit's own oracle; the engine never sees it.
    pub(super) oracle: &'static str,
}

impl Twist {
    pub(super) const NONE: Self = Self { files: &[], criteria: &[], config: "", oracle: "" };
}

/// What the right ending of a case is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Right {
    /// The work is not done, or may not be taken: the run must not end as completed, and this is what stops it.
    Refused(Mechanism),
    /// The work is done whatever else is lied about: it must be taken, without what does not belong to it.
    Taken(Mechanism),
    /// The work is done and nobody lies.
    Honest,
    /// No gate could know; the text says why.
    Limit(&'static str),
}

/// What stands in the way of a lie, as far as the books tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mechanism {
    /// The engine ran the criterion itself, and it is red.
    Criterion,
    /// The command said that all is well, and nothing proves it: no tests ran, or none can be counted.
    Unproven,
    /// A file that decides was edited: the edit has no effect, or waits for a person.
    Protected,
    /// The check stays green with the work broken.
    Canary,
    /// What held before is broken.
    Guard,
    /// What was returned cannot be used.
    Return,
    /// The plan proves too little, and was sent back before anybody worked by it.
    Plan,
    /// Processes that were left behind were ended.
    Strays,
    /// The run stopped because something that it rests on was touched.
    Halted,
    /// The damage is told by whoever looks at the run's books next.
    Audit,
    /// An attempt's own repository and directory: nothing of it is part of the result.
    Isolation,
    /// Nothing.
    Nothing,
}

impl Mechanism {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Criterion => "criterion",
            Self::Unproven => "unproven",
            Self::Protected => "protected file",
            Self::Canary => "canary",
            Self::Guard => "guard",
            Self::Return => "return",
            Self::Plan => "plan",
            Self::Strays => "strays",
            Self::Halted => "halted",
            Self::Audit => "audit",
            Self::Isolation => "isolation",
            Self::Nothing => "-",
        }
    }
}

/// A lie that must be stopped by this.
pub(super) const fn refused(
    name: &'static str,
    kit: &'static Kit,
    by: Mechanism,
    act: &'static str,
) -> Case {
    Case { name, does: "", kit, right: Right::Refused(by), act, others: "", twist: Twist::NONE }
}

/// A lie beside work that is done.
pub(super) const fn taken(
    name: &'static str,
    kit: &'static Kit,
    by: Mechanism,
    act: &'static str,
) -> Case {
    Case { right: Right::Taken(by), ..refused(name, kit, by, act) }
}

/// Work that is done, and said to be done.
pub(super) const fn honest(name: &'static str, kit: &'static Kit, act: &'static str) -> Case {
    Case { right: Right::Honest, ..refused(name, kit, Mechanism::Nothing, act) }
}

/// A lie that no gate could know.
pub(super) const fn limit(
    name: &'static str,
    kit: &'static Kit,
    why: &'static str,
    act: &'static str,
) -> Case {
    Case { right: Right::Limit(why), ..refused(name, kit, Mechanism::Nothing, act) }
}

impl Case {
    pub(super) const fn does(self, does: &'static str) -> Self {
        Self { does, ..self }
    }

    pub(super) const fn others(self, others: &'static str) -> Self {
        Self { others, ..self }
    }

    pub(super) const fn files(self, files: &'static [(&'static str, &'static str)]) -> Self {
        Self { twist: Twist { files, ..self.twist }, ..self }
    }

    pub(super) const fn criteria(self, criteria: &'static [&'static str]) -> Self {
        Self { twist: Twist { criteria, ..self.twist }, ..self }
    }

    pub(super) const fn config(self, config: &'static str) -> Self {
        Self { twist: Twist { config, ..self.twist }, ..self }
    }

    pub(super) const fn oracle(self, oracle: &'static str) -> Self {
        Self { twist: Twist { oracle, ..self.twist }, ..self }
    }

    /// The commands of the criteria of all phases.
    pub(super) fn criteria_of_project(&self) -> &'static [&'static str] {
        if self.twist.criteria.is_empty() { self.kit.criteria } else { self.twist.criteria }
    }

    /// How many phases its roadmap has.
    pub(super) fn phases(&self) -> usize {
        self.criteria_of_project().split(|criterion| *criterion == NEXT_PHASE).count()
    }

    pub(super) fn is_honest(&self) -> bool {
        self.right == Right::Honest
    }
}
