//! Shows that a step lives while it is under way.
//!
//! Facts come when a step begins and ends; between them an hour may pass. A thread of its own wakes up for that
//! hour: once a second where a bar can be drawn, and otherwise only when nothing has been said for a long time.
//! Steps neither wake it nor wait for it.

use std::{
    convert::Infallible,
    io,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use autopilot_core::{run::Run, time::Timestamp};
use autopilot_engine::process::{Beat, Pulse};
use autopilot_views::{Life, Moment};

use crate::ui::Screen;

/// How often the bar is drawn while nothing happens.
const REDRAW: Duration = Duration::from_secs(1);

/// What a person is shown of a run that goes on, for as long as it lives.
pub(crate) struct Live {
    shown: Arc<Shown>,
    /// Dropping it ends the thread.
    going_on: Option<Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

struct Shown {
    screen: Arc<Screen>,
    pulse: Pulse,
    heartbeat: Duration,
    last: Mutex<Option<Last>>,
}

/// The last fact, and what was counted up to it.
struct Last {
    moment: Moment,
    beat: Beat,
    told: Instant,
}

impl Live {
    /// Begins to watch; `heartbeat` is how long a log may be silent.
    pub(crate) fn begin(
        screen: Arc<Screen>,
        pulse: Pulse,
        heartbeat: Duration,
    ) -> io::Result<Self> {
        let shown = Arc::new(Shown { screen, pulse, heartbeat, last: Mutex::new(None) });
        let (going_on, over) = channel();
        let thread = thread::Builder::new().name("live".to_owned()).spawn({
            let shown = Arc::clone(&shown);
            move || shown.watch(&over)
        })?;
        Ok(Self { shown, going_on: Some(going_on), thread: Some(thread) })
    }

    /// Takes note of the state after facts were recorded.
    pub(crate) fn heard(&self, run: &Run) {
        let (moment, beat) = (Moment::of(run), self.shown.pulse.beat());
        let last = Last { moment, beat, told: Instant::now() };
        if self.shown.screen.is_live() {
            self.shown.draw(&last);
        }
        *self.shown.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(last);
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        drop(self.going_on.take());
        if let Some(thread) = self.thread.take() {
            // Only what it shows is lost if it panicked, and the message says where.
            drop(thread.join());
        }
        self.shown.screen.clear();
    }
}

impl Shown {
    fn watch(&self, over: &Receiver<Infallible>) {
        let mut wait = if self.screen.is_live() { REDRAW } else { self.heartbeat };
        while over.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            wait = self.tick();
        }
    }

    /// Shows what there is to show and tells when to look again.
    fn tick(&self) -> Duration {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(last) = last.as_mut() else { return REDRAW };
        if self.screen.is_live() {
            self.draw(last);
            return REDRAW;
        }
        let silent = last.told.elapsed();
        if silent < self.heartbeat {
            return self.heartbeat - silent;
        }
        self.screen.say(&last.moment.heartbeat(now(), self.life(last)));
        last.told = Instant::now();
        self.heartbeat
    }

    fn draw(&self, last: &Last) {
        // In the last column a cursor is here or on the next line, as the terminal likes; so it stays free.
        let room = self.screen.columns().saturating_sub(1);
        self.screen.draw(&last.moment.bar(now(), self.life(last), room));
    }

    fn life(&self, last: &Last) -> Life {
        let Beat { output_bytes, tokens, micro_usd } = self.pulse.beat().since(last.beat);
        Life { output_bytes, tokens, micro_usd }
    }
}

fn now() -> Timestamp {
    Timestamp::from_ms(jiff::Timestamp::now().as_millisecond())
}
