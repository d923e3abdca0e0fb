//! What the tortures of the real program share: cases that may fail, several at a time, and their tally.

use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

use crate::shell::{Outcome, say};

/// Failures that are told in full; more of them would only hide the first.
const TOLD_MAX: usize = 20;
/// How often it is told how far a torture has come.
const NEWS: usize = 10;

/// Plays every case, several at a time, and gives what came of each, in the order of the cases.
///
/// The testkit panics where something is not as it should be; here that is the failure of one case.
pub(crate) fn play<C: Sync, T: Send>(
    cases: &[C],
    workers: usize,
    play: impl Fn(&C) -> T + Sync,
) -> Vec<Result<T, String>> {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let (next, news) = (AtomicUsize::new(0), News::new(cases.len()));
    let played = Mutex::new(Vec::with_capacity(cases.len()));
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(at) else { return };
                    let result = attempt(|| play(case));
                    let mut played = played.lock().unwrap_or_else(PoisonError::into_inner);
                    played.push((at, result));
                    news.tell(played.len());
                }
            });
        }
    });
    panic::set_hook(usual);
    let mut played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
    played.sort_by_key(|(at, _)| *at);
    played.into_iter().map(|(_, result)| result).collect()
}

/// Tells the failures, or that there are none.
pub(crate) fn verdict(what: &str, of: usize, failures: &[String]) -> Outcome {
    say(&format!("{what}: {} of {of} as promised\n", of - failures.len()))?;
    if failures.is_empty() {
        return Ok(());
    }
    let told: Vec<&str> = failures.iter().take(TOLD_MAX).map(String::as_str).collect();
    Err(format!("{} of {of} failed:\n{}", failures.len(), told.join("\n")))
}

/// Plays one case; a panic is its failure.
pub(crate) fn attempt<T>(case: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(case)).map_err(|thrown| message(thrown.as_ref()))
}

fn message(thrown: &(dyn Any + Send)) -> String {
    let text = thrown.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| thrown.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned()
}

/// Tells now and then how far a torture has come.
struct News {
    began: Instant,
    of: usize,
}

impl News {
    fn new(of: usize) -> Self {
        Self { began: Instant::now(), of }
    }

    fn tell(&self, done: usize) {
        if done.is_multiple_of(self.of.div_ceil(NEWS)) || done == self.of {
            let seconds = self.began.elapsed().as_secs();
            // Whoever does not listen misses nothing that is not told at the end.
            drop(say(&format!("  {done} of {} cases after {seconds} s\n", self.of)));
        }
    }
}
