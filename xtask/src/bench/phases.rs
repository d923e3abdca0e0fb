//! `cargo xtask bench phases [PHASES]`: a phase at the end of a long run beside one at its start.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use autopilot_core::{fact::Fact, phases::PhaseFact, roadmap::PhaseId, time::Timestamp};
use autopilot_engine::book;

use super::{
    measure::{Row, Samples},
    program::Setting,
};
use crate::shell::{self, Outcome, say};

/// How many phases there are when nobody says otherwise.
pub(crate) const PHASES: usize = 1_000;
/// Of how many at each end the time is taken.
const LOOKED_AT: usize = 100;
/// The first ones pay for what is cold.
const COLD: usize = 10;
const RATIO_MAX: f64 = 1.2;

/// Runs so many phases of scripted agents and compares the last ones with the first.
pub(crate) fn run(phases: usize) -> Outcome {
    if phases < COLD + 2 * LOOKED_AT {
        return Err(format!("there must be at least {} phases", COLD + 2 * LOOKED_AT));
    }
    let program = shell::build("autopilot", "autopilot")?;
    let setting = Setting::new(phases, "0")?;
    setting.run_to_end(&program)?;
    let times = times(&setting.only_journal()?)?;
    if times.len() != phases {
        return Err(format!("{} of {phases} phases came to an end", times.len()));
    }
    let mut row = Row {
        what: format!("the last {LOOKED_AT} of {phases} phases beside the first"),
        floor: Samples::default(),
        ours: Samples::default(),
        ratio_max: RATIO_MAX,
    };
    times.iter().skip(COLD).take(LOOKED_AT).for_each(|time| row.floor.add(*time));
    times.iter().skip(phases - LOOKED_AT).for_each(|time| row.ours.add(*time));
    say(&Row::heading())?;
    say(&row.line())?;
    if row.is_met() { Ok(()) } else { Err("a target was missed".to_owned()) }
}

/// How long each phase took, in the order in which they came to an end.
fn times(journal: &Path) -> Result<Vec<Duration>, String> {
    let mut began: BTreeMap<PhaseId, Timestamp> = BTreeMap::new();
    let mut times = Vec::new();
    for record in book::read_all(journal).map_err(|error| error.to_string())? {
        let Fact::Phase { phase, fact } = &record.fact else { continue };
        if let PhaseFact::Began { .. } = fact {
            began.insert(*phase, record.at);
        } else if fact.closes() {
            let since = began.get(phase).ok_or("a phase ended that never began")?;
            times.push(Duration::from_millis(record.at.ms_since(*since)));
        }
    }
    Ok(times)
}

impl Setting {
    /// The journal of the only run.
    fn only_journal(&self) -> Result<PathBuf, String> {
        let journals = self.project().join(".autopilot/journal");
        let mut found = fs::read_dir(journals).map_err(|error| error.to_string())?;
        let first = found.next().ok_or("there is no journal")?;
        first.map(|entry| entry.path()).map_err(|error| error.to_string())
    }
}
