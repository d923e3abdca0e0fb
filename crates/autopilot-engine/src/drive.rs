//! The one loop: what happened → facts → journal → state → what is owed.
//!
//! It is the same for every machine and every driver. The journal and the world are behind two small traits,
//! so the loop that runs in the simulator, with a crash after every append and every effect, is the loop
//! that runs in the program.

use std::collections::BTreeSet;

use autopilot_core::{
    effect::Owed,
    fact::Record,
    id::Key,
    input::{Event, Input},
    run::{Run, Standing, decide, owed},
    time::Timestamp,
};

/// Where facts are kept. When `append` returns, they are durable.
pub trait Log<E> {
    /// Keeps the facts of one decision, all or none.
    fn append(&mut self, records: &[Record]) -> Result<(), E>;

    /// Hears of the state after facts that were kept, to note it down for a quicker start next time.
    fn settled(&mut self, _run: &Run, _records: &[Record]) -> Result<(), E> {
        Ok(())
    }
}

/// Whoever performs effects and hears from people.
pub trait Hands<E> {
    /// The time, for the record.
    fn now(&mut self) -> Timestamp;

    /// Begins an effect and returns at once; how it ended comes from [`Self::next`].
    fn begin(&mut self, owed: Owed) -> Result<(), E>;

    /// Waits for the next thing that happens, until a point in time if one is given ([`Event::Tick`]).
    fn next(&mut self, until: Option<Timestamp>) -> Result<Event, E>;

    /// Ends everything under way. Each effect still reports how it ended.
    fn stop(&mut self);
}

/// A loop over one run.
pub struct Drive<'a, L, H> {
    run: &'a mut Run,
    log: &'a mut L,
    hands: &'a mut H,
    /// Hears every fact once it is durable.
    watch: &'a mut dyn FnMut(&Run, &[Record]),
    under_way: BTreeSet<Key>,
}

impl<'a, L, H> Drive<'a, L, H> {
    /// A loop that has not begun anything.
    pub fn new(
        run: &'a mut Run,
        log: &'a mut L,
        hands: &'a mut H,
        watch: &'a mut dyn FnMut(&Run, &[Record]),
    ) -> Self {
        Self { run, log, hands, watch, under_way: BTreeSet::new() }
    }

    /// Takes in one thing that happened and tells how many facts followed.
    pub fn take<E>(&mut self, event: Event) -> Result<usize, E>
    where
        L: Log<E>,
        H: Hands<E>,
    {
        let now = self.hands.now();
        let facts = decide(self.run, &Input { now, event });
        if facts.is_empty() {
            return Ok(0);
        }
        let records: Vec<Record> = facts.into_iter().map(|fact| Record::new(now, fact)).collect();
        // No append, no action: whatever follows rests on facts that cannot be lost.
        self.log.append(&records)?;
        for record in &records {
            self.run.apply(record);
        }
        self.log.settled(self.run, &records)?;
        (self.watch)(self.run, &records);
        Ok(records.len())
    }

    /// Goes on until the run is over, is stopped, or only a person can help.
    pub fn to_the_end<E>(mut self) -> Result<Standing, E>
    where
        L: Log<E>,
        H: Hands<E>,
    {
        loop {
            self.begin_what_is_owed()?;
            let until = if self.under_way.is_empty() {
                match self.run.standing() {
                    Standing::Working => {
                        if self.take(Event::Tick)? == 0 {
                            return Ok(Standing::Working);
                        }
                        continue;
                    }
                    Standing::Holding(until) => Some(until),
                    // An answer may lie there already; nobody waits for one.
                    Standing::Asking(_) => Some(self.hands.now()),
                    standing @ (Standing::Stopped | Standing::Ended(_)) => return Ok(standing),
                }
            } else {
                self.run.wakes_at()
            };
            let event = self.hands.next(until)?;
            if self.under_way.is_empty() && self.is_left_to_a_person(&event) {
                return Ok(self.run.standing());
            }
            match &event {
                Event::Ended { key, .. } => {
                    self.under_way.remove(key);
                }
                Event::Stop => self.hands.stop(),
                Event::Starting(_)
                | Event::Answered { .. }
                | Event::LeftOut(_)
                | Event::Strays(_)
                | Event::Denied(_)
                | Event::Repaired(_)
                | Event::Environment(_)
                | Event::Retry
                | Event::Tick
                | Event::Resumed { .. } => {}
            }
            self.take(event)?;
        }
    }

    /// Whether nothing has come in and only a person can help.
    fn is_left_to_a_person(&self, event: &Event) -> bool {
        matches!(event, Event::Tick) && matches!(self.run.standing(), Standing::Asking(_))
    }

    fn begin_what_is_owed<E>(&mut self) -> Result<(), E>
    where
        L: Log<E>,
        H: Hands<E>,
    {
        for owed in owed(self.run) {
            if self.under_way.contains(&owed.key) {
                continue;
            }
            self.take(Event::Starting(owed.key.clone()))?;
            if self.run.ending.is_some() {
                // A ceiling was reached: what is already under way is stopped, nothing new begins.
                self.hands.stop();
                return Ok(());
            }
            self.under_way.insert(owed.key.clone());
            self.hands.begin(owed)?;
        }
        Ok(())
    }
}
