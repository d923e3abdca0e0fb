//! Signals become words to the loop.

use std::{
    io,
    sync::{Arc, mpsc::Sender},
    thread,
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

/// What is done before the process ends where it stands.
pub(crate) type Leave = Arc<dyn Fn() + Send + Sync>;

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
    leave: Leave,
) -> io::Result<Listening> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGUSR1])?;
    let handle = signals.handle();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let mut stopping = false;
        for signal in signals.forever() {
            let word = if signal == SIGUSR1 { Word::Look } else { Word::Stop };
            if word == Word::Stop && std::mem::replace(&mut stopping, true) {
                leave();
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
            }
        }
    })?;
    Ok(Listening(handle))
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.close();
    }
}
