//! Performs effects on this machine: one thread for each effect under way, one channel back.
//!
//! A run that performs one effect at a time needs no second thread: its loop has nothing to do before the effect
//! has ended, so the effect is performed in the loop's own thread. That saves a step two switches between threads.

use std::{
    collections::VecDeque,
    io,
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use autopilot_core::{
    budget::Spend,
    effect::Owed,
    input::{Event, Outcome},
    time::Timestamp,
};

use super::{inbox::Inbox, signals::Word};
use crate::{drive::Hands, error::EngineError, process::Cancel};

/// What comes in from outside the loop.
pub(crate) enum Message {
    /// An effect has ended.
    Event(Event),
    /// Nothing can be performed here any more.
    Broken(EngineError),
    /// A signal was caught.
    Word(Word),
}

/// Whoever does the work of an effect, in a thread of its own.
pub trait Perform: Send + Sync + 'static {
    /// Performs an effect. Whatever goes wrong is an outcome, unless every further effect would meet the same.
    fn perform(&self, owed: &Owed, cancel: &Cancel) -> Result<(Outcome, Spend), EngineError>;

    /// What else was noticed since this was asked last: files that are not kept as they were, processes that
    /// were left behind.
    fn noticed(&self) -> Vec<Event> {
        Vec::new()
    }
}

/// How many effects a run performs at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// One after another.
    One,
    /// As many as are owed.
    Many,
}

/// The hands of the local driver.
pub struct LocalHands {
    workshop: Arc<dyn Perform>,
    lanes: Lanes,
    cancel: Cancel,
    inbox: Inbox,
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    /// Begun, but nobody works on it yet.
    begun: Option<Owed>,
    /// Events that are known but not yet told.
    ready: VecDeque<Event>,
}

impl LocalHands {
    /// Hands that have nothing to do yet; answers of people come from the inbox.
    pub fn new(
        workshop: Arc<dyn Perform>,
        inbox: Inbox,
        lanes: Lanes,
    ) -> Result<Self, EngineError> {
        let (sender, receiver) = mpsc::channel();
        let cancel = Cancel::new().map_err(EngineError::file("make", "a pipe"))?;
        let mut hands = Self {
            workshop,
            lanes,
            cancel,
            inbox,
            sender,
            receiver,
            begun: None,
            ready: VecDeque::new(),
        };
        hands.look_into_inbox();
        Ok(hands)
    }

    /// Where signals are to be told, and what ends everything under way.
    pub(crate) fn ears(&self) -> (Sender<Message>, Cancel) {
        (self.sender.clone(), self.cancel.clone())
    }

    fn look_into_inbox(&mut self) {
        for (gate, answer) in self.inbox.waiting() {
            self.ready.push_back(Event::Answered { gate, answer });
        }
    }

    /// Performs an effect in this thread. What came in meanwhile is told first, because it came first.
    fn perform_here(&mut self, owed: Owed) -> Result<(), EngineError> {
        let (outcome, spent) = self.workshop.perform(&owed, &self.cancel)?;
        while let Ok(message) = self.receiver.try_recv() {
            self.hear(message)?;
        }
        self.ready.extend(self.workshop.noticed());
        self.ready.push_back(Event::Ended { key: owed.key, outcome, spent });
        Ok(())
    }

    fn perform_in_a_thread(&self, owed: Owed) -> Result<(), EngineError> {
        let workshop = Arc::clone(&self.workshop);
        let cancel = self.cancel.clone();
        let sender = self.sender.clone();
        let name = owed.key.step.as_str().chars().take(15).collect();
        let work = move || {
            let message = match workshop.perform(&owed, &cancel) {
                Ok((outcome, spent)) => {
                    Message::Event(Event::Ended { key: owed.key, outcome, spent })
                }
                Err(error) => Message::Broken(error),
            };
            let noticed = workshop.noticed().into_iter().map(Message::Event);
            for message in noticed.chain([message]) {
                // Nobody listens any more once the run is over.
                drop(sender.send(message));
            }
        };
        let started: io::Result<thread::JoinHandle<()>> =
            thread::Builder::new().name(name).spawn(work);
        started.map(drop).map_err(EngineError::file("start a thread for", "an effect"))
    }

    fn hear(&mut self, message: Message) -> Result<(), EngineError> {
        match message {
            Message::Event(event) => self.ready.push_back(event),
            Message::Broken(error) => return Err(error),
            Message::Word(Word::Stop) => self.ready.push_back(Event::Stop),
            Message::Word(Word::Look) => self.look_into_inbox(),
        }
        Ok(())
    }

    fn receive(&mut self, until: Option<Timestamp>) -> Result<Option<Message>, EngineError> {
        // This side holds a sender, so the channel cannot be closed.
        let closed = || EngineError::Bug("the channel of the hands was closed".to_owned());
        let Some(until) = until else {
            return self.receiver.recv().map(Some).map_err(|_| closed());
        };
        let wait = Duration::from_millis(until.ms_since(now()));
        match self.receiver.recv_timeout(wait) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(closed()),
        }
    }
}

impl Hands<EngineError> for LocalHands {
    fn now(&mut self) -> Timestamp {
        now()
    }

    fn begin(&mut self, owed: Owed) -> Result<(), EngineError> {
        match self.lanes {
            Lanes::One if self.begun.is_none() => {
                self.begun = Some(owed);
                Ok(())
            }
            Lanes::One | Lanes::Many => self.perform_in_a_thread(owed),
        }
    }

    fn next(&mut self, until: Option<Timestamp>) -> Result<Event, EngineError> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(event);
            }
            if let Some(owed) = self.begun.take() {
                self.perform_here(owed)?;
            } else {
                match self.receive(until)? {
                    None => return Ok(Event::Tick),
                    Some(message) => self.hear(message)?,
                }
            }
        }
    }

    fn stop(&mut self) {
        self.cancel.cancel();
    }
}

/// The time of day.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use autopilot_core::{
        effect::{Effect, RejectTask},
        id::{Attempt, CommitId, Key, Step},
    };

    use super::*;

    /// Two effects that wait for each other.
    struct Meeting(Barrier);

    impl Perform for Meeting {
        fn perform(&self, _: &Owed, _: &Cancel) -> Result<(Outcome, Spend), EngineError> {
            self.0.wait();
            Ok((Outcome::Interrupted, Spend::default()))
        }
    }

    /// An effect during which somebody says stop.
    struct Stopped(Sender<Message>);

    impl Perform for Stopped {
        fn perform(&self, _: &Owed, _: &Cancel) -> Result<(Outcome, Spend), EngineError> {
            self.0.send(Message::Word(Word::Stop)).expect("the hands listen");
            Ok((Outcome::Interrupted, Spend::default()))
        }
    }

    fn owed(step: &str) -> Owed {
        let key = Key { step: Step::new(step), attempt: Attempt::after(0) };
        let task = RejectTask {
            phase: "1".parse().expect("an id"),
            base: CommitId::new("b"),
            commit: CommitId::new("c"),
            work: None,
            papers: Vec::new(),
            date: Timestamp::from_ms(0),
        };
        Owed { key, effect: Effect::Reject(task) }
    }

    fn hands(workshop: Arc<dyn Perform>, lanes: Lanes) -> (LocalHands, tempfile::TempDir) {
        let directory = tempfile::tempdir().expect("a directory");
        let inbox = Inbox::new(directory.path().join("inbox"));
        (LocalHands::new(workshop, inbox, lanes).expect("a pipe"), directory)
    }

    #[test]
    fn with_many_lanes_effects_run_at_the_same_time() {
        let (mut hands, _directory) = hands(Arc::new(Meeting(Barrier::new(2))), Lanes::Many);
        for step in ["1/a", "1/b"] {
            hands.begin(owed(step)).expect("a thread");
        }
        for _ in 0..2 {
            assert!(matches!(hands.next(None), Ok(Event::Ended { .. })));
        }
    }

    #[test]
    fn a_stop_during_an_effect_is_heard_before_its_end() {
        let (mut hands, _directory) = hands(Arc::new(Meeting(Barrier::new(1))), Lanes::One);
        hands.workshop = Arc::new(Stopped(hands.sender.clone()));
        hands.begin(owed("1/a")).expect("begun");
        assert!(matches!(hands.next(None), Ok(Event::Stop)));
        assert!(matches!(hands.next(None), Ok(Event::Ended { .. })));
    }
}
