//! What an auditor must return.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Remark;

/// An auditor's return. What it adds up to is counted again from its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Audit {
    /// What was looked at, by phase.
    pub audit_results: Vec<AuditedPhase>,
    /// The same in numbers, and what would close each gap.
    #[serde(default)]
    pub aggregate: AuditSum,
}

/// What was looked at for one phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditedPhase {
    /// The phase.
    pub phase_id: String,
    /// What it should have brought.
    pub requirements_checked: Vec<Requirement>,
}

/// Something that was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Requirement {
    /// What it is called in the roadmap or the requirements; its number where it has no name.
    pub requirement_id: String,
    /// What is asked for.
    #[serde(default)]
    #[schemars(with = "String")]
    pub expected: Remark,
    /// What is there.
    #[serde(default)]
    #[schemars(with = "String")]
    pub actual_found: Remark,
    /// Where that is to be seen: file and line.
    #[serde(default)]
    pub file_line_evidence: Option<String>,
    /// Whether it is there.
    pub status: RequirementStatus,
    /// What is missing or wrong, where it is not.
    #[serde(default)]
    pub gap_description: Option<String>,
    /// How much there is to do about it: `small` is fewer than twenty lines in one file.
    #[serde(default)]
    pub fix_complexity: Option<FixComplexity>,
    /// What to change.
    #[serde(default)]
    pub suggested_fix: Option<String>,
}

/// Whether something that was asked for is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RequirementStatus {
    /// It is.
    Pass,
    /// It is not, or not as it should be.
    Gap,
}

/// How much there is to do about a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FixComplexity {
    /// One file, fewer than twenty lines.
    Small,
    /// More than that.
    Large,
}

/// An audit in numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditSum {
    /// How many requirements were looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub total_requirements_checked: Remark,
    /// How many of them hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub passed_on_first_check: Remark,
    /// How many do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gaps_found: Option<u32>,
    /// What would close each gap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gap_details: Vec<GapDetail>,
}

/// What would close a gap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GapDetail {
    /// What is missing, by its name above.
    pub requirement_id: String,
    /// What to change.
    #[serde(default)]
    pub suggested_fix: Option<String>,
    /// Whatever else is said of it.
    #[serde(default)]
    #[schemars(with = "String")]
    pub gap_description: Option<Value>,
}

impl Audit {
    /// Every requirement that was looked at, with its phase.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &Requirement)> {
        self.audit_results.iter().flat_map(|phase| {
            phase.requirements_checked.iter().map(|row| (phase.phase_id.as_str(), row))
        })
    }

    /// What whoever looked would do about a gap.
    pub fn remedy(&self, requirement: &str) -> Option<&str> {
        let rows = self.rows().filter(|(_, row)| row.requirement_id == requirement);
        let of_rows = rows.map(|(_, row)| &row.suggested_fix);
        let details = self.aggregate.gap_details.iter();
        let details = details.filter(|detail| detail.requirement_id == requirement);
        let all = of_rows.chain(details.map(|detail| &detail.suggested_fix)).flatten();
        all.map(String::as_str).find(|text| !text.trim().is_empty())
    }

    /// Why it says nothing, or contradicts itself.
    pub fn objection(&self) -> Option<NoAudit> {
        let blank =
            |text: &Option<String>| text.as_deref().is_none_or(|text| text.trim().is_empty());
        if self.rows().next().is_none() {
            return Some(NoAudit::Empty);
        }
        for (_, row) in self.rows() {
            let name = row.requirement_id.clone();
            match row.status {
                RequirementStatus::Pass if blank(&row.file_line_evidence) => {
                    return Some(NoAudit::Unseen(name));
                }
                RequirementStatus::Gap if blank(&row.gap_description) => {
                    return Some(NoAudit::Unsaid(name));
                }
                RequirementStatus::Pass | RequirementStatus::Gap => {}
            }
        }
        let gaps = self.rows().filter(|(_, row)| row.status == RequirementStatus::Gap).count();
        let stated = self.aggregate.gaps_found.and_then(|stated| usize::try_from(stated).ok());
        stated.filter(|stated| *stated != gaps).map(|stated| NoAudit::Miscounted { stated, gaps })
    }
}

/// Why an audit cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAudit {
    /// It looked at nothing.
    Empty,
    /// It says that something is there and not where.
    Unseen(String),
    /// It says that something is missing and not what.
    Unsaid(String),
    /// Its number of gaps is not the number of its rows.
    Miscounted {
        /// What it says.
        stated: usize,
        /// What its rows say.
        gaps: usize,
    },
}

impl fmt::Display for NoAudit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("an audit without a single requirement has not looked"),
            Self::Unseen(name) => {
                write!(f, "the audit says that `{name}` is there, but not where it was seen")
            }
            Self::Unsaid(name) => {
                write!(f, "the audit says that `{name}` is missing, but not what of it")
            }
            Self::Miscounted { stated, gaps } => {
                write!(f, "the audit states {stated} gaps, its rows have {gaps}")
            }
        }
    }
}
