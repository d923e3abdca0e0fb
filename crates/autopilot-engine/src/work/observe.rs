//! Looks at what is really there when a run is taken up again.

use autopilot_core::{budget::Spend, id::Key, input::Observed, run::Run};

use super::{Workshop, agent::Meter};
use crate::{
    process::Pulse,
    transcript::{self, Part},
};

impl Workshop {
    /// What became of each effect that was started and never ended.
    ///
    /// Nothing is believed to have happened because of how things look: that the run branch has moved does not mean
    /// that integration moved it. Every effect but an agent's is repeated, which gives the same result.
    pub fn observe(&self, run: &Run) -> Vec<Observed> {
        run.ledger
            .open()
            .map(|key| Observed { spent: self.spent(run, &key), outcome: None, key })
            .collect()
    }

    /// What an agent that was cut off has cost, as far as its stream tells.
    fn spent(&self, run: &Run, key: &Key) -> Spend {
        let tool =
            run.work.role_of(&key.step).and_then(|role| self.tools.agents.get(run.agent_for(role)));
        let Some(tool) = tool else { return Spend::default() };
        let mut parser = tool.adapter.parser();
        let unwatched = Pulse::default();
        let mut meter = Meter::new(&unwatched);
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
