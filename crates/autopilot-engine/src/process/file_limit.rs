//! The limit on the size of files (`ulimit -f`) is a failure like others.

use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

use rustix::process::Signal;

/// Has a write beyond the limit fail. By default the system ends whoever writes, without a word and with whatever was
/// about to be recorded.
///
/// A handler and not `SIG_IGN`, which children would inherit.
pub fn outlive_file_limit() -> io::Result<()> {
    let nobody_looks = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(Signal::XFSZ.as_raw(), nobody_looks).map(drop)
}
