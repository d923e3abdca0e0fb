//! Performs effects on this machine: one thread for each effect under way, one channel back.

use std::{
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
}

/// The hands of the local driver.
pub struct LocalHands {
    workshop: Arc<dyn Perform>,
    cancel: Cancel,
    inbox: Inbox,
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    /// Events that are known but not yet told.
    ready: Vec<Event>,
}

impl LocalHands {
    /// Hands that have nothing to do yet; answers of people come from the inbox.
    pub fn new(workshop: Arc<dyn Perform>, inbox: Inbox) -> Result<Self, EngineError> {
        let (sender, receiver) = mpsc::channel();
        let cancel = Cancel::new().map_err(EngineError::file("make", "a pipe"))?;
        let mut hands = Self { workshop, cancel, inbox, sender, receiver, ready: Vec::new() };
        hands.look_into_inbox();
        Ok(hands)
    }

    /// Where signals are to be told.
    pub(crate) fn sender(&self) -> Sender<Message> {
        self.sender.clone()
    }

    fn look_into_inbox(&mut self) {
        for (gate, answer) in self.inbox.waiting() {
            self.ready.push(Event::Answered { gate, answer });
        }
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
            // Nobody listens any more once the run is over.
            drop(sender.send(message));
        };
        let started: io::Result<thread::JoinHandle<()>> =
            thread::Builder::new().name(name).spawn(work);
        started.map(drop).map_err(EngineError::file("start a thread for", "an effect"))
    }

    fn next(&mut self, until: Option<Timestamp>) -> Result<Event, EngineError> {
        loop {
            if let Some(event) = self.ready.pop() {
                return Ok(event);
            }
            match self.receive(until)? {
                None => return Ok(Event::Tick),
                Some(Message::Event(event)) => return Ok(event),
                Some(Message::Broken(error)) => return Err(error),
                Some(Message::Word(Word::Stop)) => return Ok(Event::Stop),
                Some(Message::Word(Word::Look)) => self.look_into_inbox(),
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
