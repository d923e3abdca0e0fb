//! How many agents a wave gets, and how far they are kept apart.

use crate::sessions::{
    resources::{Evaluation, Share, Snapshot, Thresholds, Verdict, evaluate},
    select::SessionType,
};

/// Whether agents of a wave work in one tree or each in their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Each in its own.
    Worktree,
    /// All in one.
    None,
}

impl Isolation {
    /// The name in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Worktree => "worktree",
            Self::None => "none",
        }
    }

    /// The isolation of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Worktree, Self::None].into_iter().find(|isolation| isolation.name() == name)
    }
}

/// What happens when an agent changes what is not its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enforcement {
    /// It is stopped.
    Strict,
    /// It is told.
    Warn,
    /// Nothing.
    Off,
}

impl Enforcement {
    /// The name in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Warn => "warn",
            Self::Off => "off",
        }
    }

    /// The enforcement of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Strict, Self::Warn, Self::Off].into_iter().find(|level| level.name() == name)
    }
}

/// A wave that is to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wave {
    /// Its agents.
    pub agents: u64,
    /// The session that it belongs to.
    pub session_type: SessionType,
    /// Whether its agents are likely to change the same files.
    pub is_collision_likely: bool,
}

/// How a wave is kept apart. What a person configured counts first.
pub fn isolation(wave: Wave, configured: Option<Isolation>) -> Isolation {
    let is_small = wave.session_type == SessionType::Housekeeping;
    match (configured, wave.agents) {
        (Some(configured), _) => configured,
        (None, _) if wave.is_collision_likely => Isolation::Worktree,
        (None, 0..=2) => Isolation::None,
        (None, 3..=4) if is_small => Isolation::None,
        (None, _) => Isolation::Worktree,
    }
}

/// What happens when an agent changes what is not its own. In one tree a warning comes too late.
pub const fn enforcement(isolation: Isolation, configured: Enforcement) -> Enforcement {
    match (isolation, configured) {
        (Isolation::None, Enforcement::Warn) => Enforcement::Strict,
        (Isolation::None | Isolation::Worktree, configured) => configured,
    }
}

/// What a gate rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Awareness {
    /// A person switched it off.
    Off,
    /// Nobody said what is too much.
    Unset,
    /// The machine is looked at.
    On {
        /// What is too much.
        thresholds: Thresholds,
        /// What the repository can bear.
        share: Share,
    },
}

/// What a gate says about a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispatch {
    /// As planned.
    Proceed,
    /// With fewer agents.
    Reduce,
    /// Without any: who coordinates does the work.
    CoordinatorDirect,
}

impl Dispatch {
    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Proceed => "proceed",
            Self::Reduce => "reduce",
            Self::CoordinatorDirect => "coordinator-direct",
        }
    }
}

/// What a gate says, with reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// In a word.
    pub dispatch: Dispatch,
    /// Agents of the wave.
    pub agents: u64,
    /// In sentences.
    pub reasons: Vec<String>,
}

/// Looks at the machine before a wave. A gate that cannot see lets through: it is there to help, not to stop.
pub fn gate(planned: u64, snapshot: &Snapshot, awareness: Awareness) -> Decision {
    let pass = |reason: &str| Decision {
        dispatch: Dispatch::Proceed,
        agents: planned,
        reasons: vec![reason.to_owned()],
    };
    match awareness {
        Awareness::Off => pass("resource-awareness disabled in Session Config"),
        Awareness::Unset => pass("resource-thresholds missing from config — gate skipped"),
        Awareness::On { thresholds, share } => {
            let found = evaluate(snapshot, &thresholds, Share::Full);
            let decision = decide(planned, found);
            if decision.dispatch == Dispatch::CoordinatorDirect {
                decision
            } else {
                bear(decision, share)
            }
        }
    }
}

fn decide(planned: u64, found: Evaluation) -> Decision {
    let (dispatch, agents) = match found.verdict {
        Verdict::Critical => (Dispatch::CoordinatorDirect, 0),
        Verdict::Warn => (Dispatch::Reduce, (planned / 2).max(1)),
        Verdict::Green | Verdict::Degraded => (Dispatch::Proceed, planned),
    };
    let mut reasons = found.reasons;
    if reasons.is_empty() {
        reasons.push("all thresholds within bounds".to_owned());
    }
    Decision { dispatch, agents, reasons }
}

/// Takes away what the repository cannot bear.
fn bear(decision: Decision, share: Share) -> Decision {
    let Some(cap) = share.cap().filter(|cap| *cap < decision.agents) else {
        return decision;
    };
    let mut reasons = decision.reasons;
    reasons.push(format!("heavy-repo: true caps agents-per-wave to {cap} (HR-004)"));
    Decision { dispatch: Dispatch::Reduce, agents: cap, reasons }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_are_kept_apart_as_they_grow() {
        let wave = |agents, session_type| Wave { agents, session_type, is_collision_likely: false };
        let cases = [
            (2, SessionType::Deep, Isolation::None),
            (3, SessionType::Housekeeping, Isolation::None),
            (3, SessionType::Feature, Isolation::Worktree),
            (5, SessionType::Housekeeping, Isolation::Worktree),
        ];
        for (agents, session_type, expected) in cases {
            assert_eq!(isolation(wave(agents, session_type), None), expected, "{agents}");
        }
        let likely = Wave { is_collision_likely: true, ..wave(1, SessionType::Feature) };
        assert_eq!(isolation(likely, None), Isolation::Worktree);
        assert_eq!(isolation(likely, Some(Isolation::None)), Isolation::None);
    }

    #[test]
    fn in_one_tree_a_warning_is_not_enough() {
        assert_eq!(enforcement(Isolation::None, Enforcement::Warn), Enforcement::Strict);
        assert_eq!(enforcement(Isolation::None, Enforcement::Off), Enforcement::Off);
        assert_eq!(enforcement(Isolation::Worktree, Enforcement::Warn), Enforcement::Warn);
    }

    #[test]
    fn a_warning_halves_a_wave_and_leaves_one_agent() {
        let tight =
            Snapshot { ram_free_gb: Some(3.0), cpu_load_pct: Some(95.0), ..Snapshot::default() };
        let on = Awareness::On { thresholds: Thresholds::default(), share: Share::Full };
        for (planned, agents) in [(6, 3), (3, 1), (1, 1)] {
            assert_eq!(gate(planned, &tight, on).agents, agents);
        }
        assert_eq!(gate(6, &tight, Awareness::Off).dispatch, Dispatch::Proceed);
    }
}
