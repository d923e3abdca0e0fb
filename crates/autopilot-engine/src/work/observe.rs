//! Looks at what is really there when a run is taken up again.

use autopilot_core::{
    budget::Spend,
    id::Key,
    input::{Observed, Outcome},
    run::{Run, Work},
};

use super::{Workshop, agent::Meter};
use crate::transcript::{self, Part};

impl Workshop {
    /// What became of each effect that was started and never ended.
    pub fn observe(&self, run: &Run) -> Vec<Observed> {
        run.ledger
            .open()
            .map(|key| {
                let outcome = self.reached(run, &key);
                Observed { spent: self.spent(run, &key), outcome, key }
            })
            .collect()
    }

    /// Integration can be seen from outside: the run branch has moved.
    fn reached(&self, run: &Run, key: &Key) -> Option<Outcome> {
        if !key.step.as_str().ends_with("/integrate") {
            return None;
        }
        let Work::Phases(phases) = &run.work;
        let head = self.head().ok()??;
        (head != phases.head).then_some(Outcome::Integrated(head))
    }

    /// What an agent that was cut off has cost, as far as its stream tells.
    fn spent(&self, run: &Run, key: &Key) -> Spend {
        let Work::Phases(phases) = &run.work;
        let tool =
            phases.role_of(&key.step).and_then(|role| self.tools.agents.get(run.agent_for(role)));
        let Some(tool) = tool else { return Spend::default() };
        let mut parser = tool.adapter.parser();
        let mut meter = Meter::default();
        let name = key.to_string();
        let heard = transcript::read(
            &self.home.transcript(&self.run),
            |piece| piece.part == Part::Output && piece.key == name,
            |_, bytes| meter.read(parser.as_mut(), bytes),
        );
        // What cannot be read any more cannot be counted either.
        drop(heard);
        meter.spent
    }
}
