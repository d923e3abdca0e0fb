//! Where the look at a finished run stands.

use serde::{Deserialize, Serialize};

use crate::{
    id::{CommitId, Step},
    input::Work,
    role::Role,
};

/// The one thing that is done now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum FinaleStage {
    /// Someone looks whether the phases work together.
    Integration,
    /// Someone looks whether the result is what was asked for, or whether what was missing is there now.
    Audit,
    /// The engine runs what must stay true, to see what of it is red before anything is repaired.
    Base,
    /// An executor closes a gap, by its place among them.
    Repair(usize),
    /// The engine runs what must stay true on the repair.
    Check(usize, Work),
    /// The engine commits it.
    Commit(usize, Work),
    /// The engine moves the run branch to it.
    Integrate(usize, CommitId),
    /// Nothing: it is over.
    Over,
}

impl FinaleStage {
    /// The step under which the stage's effect is kept in the books. No phase is called `run`: an id holds a digit.
    pub fn step(&self) -> Option<Step> {
        let of_gap = |gap: &usize, name: &str| format!("run/gap/{}/{name}", gap + 1);
        let name = match self {
            Self::Integration => "run/integration-check".to_owned(),
            Self::Audit => "run/audit".to_owned(),
            Self::Base => "run/gap-base".to_owned(),
            Self::Repair(gap) => of_gap(gap, "execute"),
            Self::Check(gap, _) => of_gap(gap, "check"),
            Self::Commit(gap, _) => of_gap(gap, "commit"),
            Self::Integrate(gap, _) => of_gap(gap, "integrate"),
            Self::Over => return None,
        };
        Some(Step::new(name))
    }

    /// The role that works in this stage, where an agent does.
    pub const fn role(&self) -> Option<Role> {
        match self {
            Self::Integration => Some(Role::IntegrationChecker),
            Self::Audit => Some(Role::Auditor),
            Self::Repair(_) => Some(Role::Executor),
            Self::Base | Self::Check(..) | Self::Commit(..) | Self::Integrate(..) | Self::Over => {
                None
            }
        }
    }
}
