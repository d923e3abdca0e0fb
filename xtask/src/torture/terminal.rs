//! A terminal with the program at one side and this process at the other.

use std::{
    fs::{File, OpenOptions},
    io::{ErrorKind, Read},
    os::unix::{ffi::OsStrExt, fs::OpenOptionsExt},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use autopilot_testkit::program::{Engine, Project};
use rustix::{
    fs::OFlags,
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
};

/// How often it is looked whether the program has printed something.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// The side of whoever sits at a terminal.
pub(crate) struct Terminal {
    is_closing: Arc<AtomicBool>,
    reader: JoinHandle<()>,
}

impl Terminal {
    /// Starts the program in a session of its own that this terminal controls.
    pub(crate) fn start(project: &Project, arguments: &[&str]) -> (Self, Engine) {
        let own = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)
            .expect("a terminal can be made");
        grantpt(&own).and_then(|()| unlockpt(&own)).expect("it is ours");
        let name = ptsname(&own, Vec::new()).expect("it has a name");
        let name = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let no_control = OFlags::NOCTTY.bits().cast_signed();
        let other = OpenOptions::new().read(true).write(true).custom_flags(no_control).open(name);
        rustix::io::ioctl_fionbio(&own, true).expect("it can be read without waiting");
        let is_closing = Arc::new(AtomicBool::new(false));
        let reader = thread::spawn({
            let is_closing = Arc::clone(&is_closing);
            move || read(own.into(), &is_closing)
        });
        let program = project.program().as_os_str();
        let words = ["--ctty".as_ref(), program].into_iter();
        let command = project.other("setsid", words.chain(arguments.iter().map(AsRef::as_ref)));
        let engine =
            Engine::start_at(command, &project.sandbox.root(), &other.expect("it can be opened"));
        (Self { is_closing, reader }, engine)
    }

    /// Goes away, as when a connection breaks.
    pub(crate) fn hang_up(self) {
        self.is_closing.store(true, Ordering::Relaxed);
        self.reader.join().expect("reading does not panic");
    }
}

/// Reads so that the program never waits for a reader; ending closes the terminal.
fn read(mut own: File, is_closing: &AtomicBool) {
    let mut piece = [0; 1 << 12];
    while !is_closing.load(Ordering::Relaxed) {
        match own.read(&mut piece) {
            Ok(1..) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Nothing to read, or (as an error) nobody at the other side yet or any more.
            Ok(0) | Err(_) => thread::sleep(LOOK_EVERY),
        }
    }
}
