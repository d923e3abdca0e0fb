//! The kinds of a session.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// What a session is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Tidying.
    Housekeeping,
    /// Building something.
    Feature,
    /// Working something off that is large or was left over.
    Deep,
    /// Finding out what there is to do.
    Discovery,
    /// Improving the way of working.
    Evolve,
    /// Looking back, and planning anew.
    PlanRetro,
}

impl Mode {
    /// All of them; of two that are equally good, the earlier one is named first.
    pub const ALL: [Self; 6] = [
        Self::Housekeeping,
        Self::Feature,
        Self::Deep,
        Self::Discovery,
        Self::Evolve,
        Self::PlanRetro,
    ];

    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Housekeeping => "housekeeping",
            Self::Feature => "feature",
            Self::Deep => "deep",
            Self::Discovery => "discovery",
            Self::Evolve => "evolve",
            Self::PlanRetro => "plan-retro",
        }
    }

    /// The mode of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// What a session of this mode is recorded as. The others change no code and are for a person to start.
    pub const fn session_type(self) -> Option<SessionType> {
        match self {
            Self::Housekeeping => Some(SessionType::Housekeeping),
            Self::Feature => Some(SessionType::Feature),
            Self::Deep => Some(SessionType::Deep),
            Self::Discovery | Self::Evolve | Self::PlanRetro => None,
        }
    }
}

impl Serialize for Mode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Mode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| D::Error::custom(format!("no mode is called `{name}`")))
    }
}

/// What a session can be recorded as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionType {
    /// Building something.
    Feature,
    /// Working something off.
    Deep,
    /// Tidying.
    Housekeeping,
}

impl SessionType {
    /// All of them, in the order in which messages list them.
    pub const ALL: [Self; 3] = [Self::Feature, Self::Deep, Self::Housekeeping];

    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Feature => "feature",
            Self::Deep => "deep",
            Self::Housekeeping => "housekeeping",
        }
    }

    /// The type of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
