//! After everything else the version of the project goes up, where a person wants that.

use serde::{Deserialize, Serialize};

use crate::{
    effect::{Effect, IntegrateTask, Owed, ReleaseTask},
    fact::Fact,
    id::{CommitId, Key, Step},
    input::{Failure, FailureClass, Outcome},
    phases::{Close, Phase, Phases, Status},
    policy::Bump,
    run::Run,
    time::Timestamp,
};

/// How far the new version is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Release {
    /// Nobody wants one.
    #[default]
    Unwanted,
    /// It comes when nothing is left to do.
    Awaited,
    /// The engine makes a commit with it.
    Bumping(Timestamp),
    /// The engine moves the run branch to it.
    Integrating {
        /// The version.
        version: String,
        /// The commit.
        commit: CommitId,
        /// Since when.
        at: Timestamp,
    },
    /// It is over.
    Over,
}

/// What happened to the version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ReleaseFact {
    /// It is to go up.
    Begun,
    /// A commit holds the next one.
    Made {
        /// The version.
        version: String,
        /// The commit.
        commit: CommitId,
    },
    /// It stands on the run branch.
    Bumped {
        /// The version.
        version: String,
        /// The commit.
        commit: CommitId,
    },
    /// It stays as it was.
    Skipped {
        /// Why.
        why: String,
    },
}

impl Release {
    /// One that is wanted, or not.
    pub(crate) const fn of(is_wanted: bool) -> Self {
        if is_wanted { Self::Awaited } else { Self::Unwanted }
    }

    fn step(&self) -> Option<Step> {
        match self {
            Self::Bumping(_) => Some(Step::new("run/release")),
            Self::Integrating { .. } => Some(Step::new("run/release-integrate")),
            Self::Unwanted | Self::Awaited | Self::Over => None,
        }
    }
}

impl Phases {
    /// Whether the version must go up before anything else can follow: something was completed, and nothing was found
    /// missing in the result as a whole.
    pub(super) fn release_is_due(&self) -> bool {
        match self.release {
            Release::Unwanted | Release::Over => false,
            Release::Awaited => {
                self.is_at_rest()
                    && !self.finale_is_due()
                    && self.finale.remaining().next().is_none()
                    && completed(self).next().is_some()
            }
            Release::Bumping(_) | Release::Integrating { .. } => true,
        }
    }

    pub(crate) fn apply_release(&mut self, fact: &ReleaseFact, now: Timestamp) {
        self.release = match fact {
            ReleaseFact::Begun => Release::Bumping(now),
            ReleaseFact::Made { version, commit } => {
                let (version, commit) = (version.clone(), commit.clone());
                Release::Integrating { version, commit, at: now }
            }
            ReleaseFact::Bumped { commit, .. } => {
                self.head = commit.clone();
                // Whatever was seen of the result was seen without it.
                self.rechecked = None;
                Release::Over
            }
            ReleaseFact::Skipped { .. } => Release::Over,
        };
    }
}

/// The phases that this run has completed.
fn completed(work: &Phases) -> impl Iterator<Item = &Phase> {
    let is_completed = |phase: &&Phase| {
        phase.part_of.is_none() && matches!(phase.status, Status::Closed(Close::Completed { .. }))
    };
    work.list.iter().filter(is_completed)
}

pub(super) fn expects(work: &Phases, step: &Step) -> bool {
    work.release.step().as_ref() == Some(step)
}

pub(super) fn begin(work: &Phases) -> Option<Fact> {
    let is_next = work.release == Release::Awaited && work.release_is_due();
    is_next.then_some(Fact::Release(ReleaseFact::Begun))
}

pub(super) fn owed(run: &Run, work: &Phases) -> Option<Owed> {
    let key = run.ledger.key(work.release.step()?);
    let effect = match &work.release {
        Release::Bumping(date) => {
            let ids: Vec<&str> = completed(work).map(|phase| phase.spec.id.as_str()).collect();
            let last = completed(work).map(|phase| phase.spec.id).max()?;
            let name = |phase: &Phase| format!("Phase {}: {}", phase.spec.id, phase.spec.name);
            Effect::Release(ReleaseTask {
                from: work.head.clone(),
                bump: Bump::of(ids)?,
                last,
                completed: completed(work).map(name).collect(),
                date: *date,
            })
        }
        Release::Integrating { commit, at, .. } => Effect::Integrate(IntegrateTask {
            phase: None,
            from: work.head.clone(),
            commit: commit.clone(),
            papers: Vec::new(),
            pictures: Vec::new(),
            mark: false,
            date: *at,
        }),
        Release::Unwanted | Release::Awaited | Release::Over => return None,
    };
    Some(Owed { key, effect })
}

pub(super) fn unusable(work: &Phases, key: &Key, outcome: &Outcome) -> Option<Failure> {
    match (&work.release, outcome) {
        (Release::Bumping(_), Outcome::Released(_))
        | (Release::Integrating { .. }, Outcome::Integrated(_)) => None,
        (_, _) => {
            let detail = format!("the outcome does not fit the step {}", key.step);
            Some(Failure { class: FailureClass::Engine, detail })
        }
    }
}

pub(super) fn decide(work: &Phases, outcome: &Outcome) -> Vec<Fact> {
    let fact = match (&work.release, outcome) {
        (_, Outcome::Released(Ok((version, commit)))) => {
            ReleaseFact::Made { version: version.clone(), commit: commit.clone() }
        }
        (_, Outcome::Released(Err(why))) => ReleaseFact::Skipped { why: why.clone() },
        (Release::Integrating { version, .. }, Outcome::Integrated(commit)) => {
            ReleaseFact::Bumped { version: version.clone(), commit: commit.clone() }
        }
        (_, _) => return Vec::new(),
    };
    vec![Fact::Release(fact)]
}

/// A version that cannot go up is told; the work of the run is no worse for it.
pub(super) fn gave_up(failure: &Failure) -> Vec<Fact> {
    let why = format!("{}: {}", failure.class.name(), failure.detail);
    vec![Fact::Release(ReleaseFact::Skipped { why })]
}
