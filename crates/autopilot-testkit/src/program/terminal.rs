//! A terminal with the program at one side and this process at the other.

use std::{
    fs::{File, OpenOptions},
    io::{ErrorKind, Read, Write},
    os::unix::{ffi::OsStrExt, fs::OpenOptionsExt},
    path::Path,
    process::Command,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use rustix::{
    fs::OFlags,
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};

use super::{Engine, Project};

/// How often it is looked whether the program has printed something.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// How wide a terminal is unless a test wants it otherwise.
const COLUMNS_DEFAULT: u16 = 100;

/// The side of whoever sits at a terminal.
#[derive(Debug)]
pub struct Terminal {
    own: File,
    is_closing: Arc<AtomicBool>,
    shown: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Terminal {
    /// Starts the program in a session of its own that this terminal controls.
    pub fn start(project: &Project, arguments: &[&str]) -> (Self, Engine) {
        Self::start_with(project, arguments, COLUMNS_DEFAULT, &[])
    }

    /// The same on a terminal of a width, with variables besides the project's own.
    pub fn start_with(
        project: &Project,
        arguments: &[&str],
        columns: u16,
        variables: &[(&str, &str)],
    ) -> (Self, Engine) {
        let own = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)
            .expect("a terminal can be made");
        grantpt(&own).and_then(|()| unlockpt(&own)).expect("it is ours");
        let name = ptsname(&own, Vec::new()).expect("it has a name");
        let name = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let no_control = OFlags::NOCTTY.bits().cast_signed();
        let other = OpenOptions::new().read(true).write(true).custom_flags(no_control).open(name);
        rustix::io::ioctl_fionbio(&own, true).expect("it can be read without waiting");
        let own = File::from(own);
        let terminal = Self::read(own);
        terminal.resize(columns);
        let program = project.program().as_os_str();
        let words = ["--ctty".as_ref(), program].into_iter();
        let mut command: Command =
            project.other("setsid", words.chain(arguments.iter().map(AsRef::as_ref)));
        command.env("TERM", "xterm").envs(variables.iter().copied());
        let engine =
            Engine::start_at(command, &project.sandbox.root(), &other.expect("it can be opened"));
        (terminal, engine)
    }

    /// Changes its width, as a person does with the mouse.
    pub fn resize(&self, columns: u16) {
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.own, size).expect("it is ours");
    }

    /// Presses keys.
    pub fn press(&self, keys: &str) {
        (&self.own).write_all(keys.as_bytes()).expect("it takes keys");
    }

    /// Everything that was written to it so far.
    pub fn shown(&self) -> String {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&shown).into_owned()
    }

    /// Goes away, as when a connection breaks.
    pub fn hang_up(self) {
        drop(self.own);
        self.is_closing.store(true, Ordering::Relaxed);
        self.reader.join().expect("reading does not panic");
    }

    /// Reads so that the program never waits for a reader; ending closes the terminal.
    fn read(own: File) -> Self {
        let is_closing = Arc::new(AtomicBool::new(false));
        let shown = Arc::new(Mutex::new(Vec::new()));
        let reader = thread::spawn({
            let (is_closing, shown) = (Arc::clone(&is_closing), Arc::clone(&shown));
            let own = own.try_clone().expect("a file can be shared");
            move || keep_reading(own, &is_closing, &shown)
        });
        Self { own, is_closing, shown, reader }
    }
}

fn keep_reading(mut own: File, is_closing: &AtomicBool, shown: &Mutex<Vec<u8>>) {
    let mut piece = [0; 1 << 12];
    while !is_closing.load(Ordering::Relaxed) {
        match own.read(&mut piece) {
            Ok(count @ 1..) => shown
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .extend_from_slice(&piece[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Nothing to read, or (as an error) nobody at the other side yet or any more.
            Ok(0) | Err(_) => thread::sleep(LOOK_EVERY),
        }
    }
}
