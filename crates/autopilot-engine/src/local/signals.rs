//! Signals become words to the loop.

use std::{
    io,
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::Duration,
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1},
    iterator::{Handle, Signals},
};

use super::hands::Message;
use crate::process::Cancel;

/// What a signal says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Stop: end what is under way, keep the books, go.
    Stop,
    /// Look into the inbox.
    Look,
}

/// Something that is said to the person.
pub(crate) type Say = Arc<dyn Fn() + Send + Sync>;

/// What is said when a signal says stop: at once, since the loop hears of it only when the step under way has ended.
#[derive(Clone)]
pub(crate) struct Sayings {
    /// The first time.
    pub(crate) stopping: Say,
    /// The second time, before the process ends where it stands.
    pub(crate) leaving: Say,
}

impl Default for Sayings {
    fn default() -> Self {
        Self { stopping: Arc::new(|| {}), leaving: Arc::new(|| {}) }
    }
}

/// How long the last words may take: a terminal may take nothing, and the person wants to go.
const LAST_WORDS_MAX: Duration = Duration::from_millis(300);

/// Listens for signals as long as it lives.
pub(crate) struct Listening(Handle);

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Listens for signals. The second one that says stop ends the process where it stands: the journal is whole
/// at any moment, and the guardian ends every agent when this process is gone.
///
/// The loop may be busy with an effect, so what is under way is ended from here; the loop hears of it before it
/// hears how the effect ended.
pub(crate) fn listen(
    (sender, cancel): (Sender<Message>, Cancel),
    sayings: Sayings,
) -> io::Result<Listening> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGUSR1])?;
    let handle = signals.handle();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let mut stopping = false;
        for signal in signals.forever() {
            let word = if signal == SIGUSR1 { Word::Look } else { Word::Stop };
            if word == Word::Stop && std::mem::replace(&mut stopping, true) {
                if let Some(said) = say(&sayings.leaving) {
                    // Whether it was said in time or not.
                    let _waited = said.recv_timeout(LAST_WORDS_MAX);
                }
                #[expect(
                    clippy::exit,
                    reason = "the person asked twice; nothing is lost by going now"
                )]
                std::process::exit(INTERRUPTED);
            }
            if sender.send(Message::Word(word)).is_err() {
                return;
            }
            if word == Word::Stop {
                cancel.cancel();
                drop(say(&sayings.stopping));
            }
        }
    })?;
    Ok(Listening(handle))
}

/// Says something in a thread of its own, so that the next signal is heard whatever the terminal does. What is returned
/// tells when it is said.
fn say(what: &Say) -> Option<Receiver<()>> {
    let (done, said) = mpsc::channel();
    let what = Arc::clone(what);
    let work = move || {
        what();
        // Nobody waits for the first words.
        let _heard = done.send(());
    };
    let started = thread::Builder::new().name("saying".to_owned()).spawn(work);
    started.ok().map(|_| said)
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.close();
    }
}
