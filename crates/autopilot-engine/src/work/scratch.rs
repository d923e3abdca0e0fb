//! A workshop that only looks: nothing of what happens in it is kept.

use std::collections::BTreeMap;

use autopilot_core::{
    budget::Limits,
    effect::CheckTask,
    evidence::{CheckResult, protect::Protection},
    id::{AgentName, Attempt, CommitId, Key, RunId, Step},
    input::Outcome,
    measure::Measure,
    phases::{Manner, PASS_SCORE_DEFAULT},
    run::{Submission, WorkSpec},
};

use super::{Keeping, Tools, Workshop};
use crate::{
    error::EngineError,
    home::Home,
    private::{create_dirs, named_tempdir_in},
    process::Cancel,
};

/// Who looks, and at what.
pub(super) struct Look<'a> {
    /// What is done, in a word: directories are called by it.
    pub(super) name: &'static str,
    /// This program, and the settings of today.
    pub(super) tools: &'a Tools,
    /// The commit that is looked at.
    pub(super) base: &'a CommitId,
    /// Which files decide.
    pub(super) protection: &'a Protection,
}

impl Look<'_> {
    /// Does something in a workshop whose checkouts go, with all that commands left there, also when this process is
    /// killed.
    pub(super) fn within<T>(
        &self,
        home: &Home,
        act: impl FnOnce(&Workshop) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let above = home.runs();
        create_dirs(&above).map_err(EngineError::file("make", &above))?;
        let scratch = named_tempdir_in(&format!("{}-", self.name), &above);
        let scratch = scratch.map_err(EngineError::file("make a directory in", &above))?;
        let place = scratch.path();
        let remove = ["rm".into(), "-rf".into(), "--".into(), place.into()].to_vec();
        let home = Home::within(&home.root, place);
        let given = self.submission();
        let mut workshop =
            Workshop::open_to(&home, self.tools, &given, (Keeping::Dropped, remove))?;
        // What is made up to be looked at does not fill the person's repository.
        let done = workshop.project.borrowed(&place.join("repository")).map_err(Into::into);
        let done = done.and_then(|project| {
            workshop.project = project;
            act(&workshop)
        });
        workshop.guardian.dismiss()?;
        done
    }

    /// What a workshop must know to run checks, and no more.
    fn submission(&self) -> Submission {
        Submission {
            run: RunId::new(self.name),
            base: self.base.clone(),
            roadmap: String::new(),
            spec_sha256: String::new(),
            spec_committed: false,
            limits: Limits::default(),
            pass_score: PASS_SCORE_DEFAULT,
            agents: BTreeMap::new(),
            default_agent: AgentName::new("nobody"),
            prepare: None,
            protection: self.protection.clone(),
            guards: Vec::new(),
            counts: BTreeMap::new(),
            measure: Measure::default(),
            manner: Manner::default(),
            complete_before: None,
            work: WorkSpec::Phases(Vec::new()),
        }
    }
}

impl Workshop {
    /// Runs checks for somebody who only looks: only the end of this process interrupts them.
    pub(super) fn look(
        &self,
        place: &str,
        task: &CheckTask,
    ) -> Result<Vec<CheckResult>, EngineError> {
        let cancel = Cancel::new().map_err(EngineError::file("make", "a pipe"))?;
        let step = Step::new(format!("{}/{place}", self.run));
        match self.check(&Key { step, attempt: Attempt::after(0) }, task, &cancel)? {
            Outcome::Checked(results) => Ok(results),
            other => Err(EngineError::Bug(format!("checks were looked at and gave {other:?}"))),
        }
    }
}
