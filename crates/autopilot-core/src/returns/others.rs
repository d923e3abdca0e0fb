//! What those return who look at a whole run or join what two phases left.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Remark, lines};

/// An integration-checker's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IntegrationCheck {
    /// Whether finished phases work together.
    pub pass: bool,
    /// Where they do not.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub issues: Vec<String>,
}

/// A conflict-resolver's return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resolution {
    /// Whether nothing of the conflict is left. The engine looks for itself.
    pub resolved: bool,
    /// The files that were changed.
    #[serde(default, deserialize_with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub files: Vec<String>,
    /// How it was decided.
    #[serde(default)]
    #[schemars(with = "String")]
    pub notes: Remark,
}
