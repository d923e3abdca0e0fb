//! Where text leaves the program: data to standard output, talk to standard error.

use std::{
    io::{self, IsTerminal, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use autopilot_views::{Styled, Tone, clean, clean_lines};

use crate::failure::Failure;

/// Back to the beginning of the line, which is emptied.
const EMPTY_LINE: &str = "\r\u{1b}[K";
/// The width of a terminal that does not tell its own.
const COLUMNS_DEFAULT: usize = 80;

/// The person's terminal, or whatever stands in its place.
#[derive(Debug)]
pub(crate) struct Ui {
    screen: Arc<Screen>,
}

/// Standard error. Several threads write to it; the lines of one never cut those of another.
#[derive(Debug)]
pub(crate) struct Screen {
    colours: bool,
    live: bool,
    /// The bar that stands on the last line.
    bar: Mutex<String>,
}

impl Ui {
    /// Looks at the terminal and the environment once.
    pub(crate) fn new() -> Self {
        let terminal = io::stderr().is_terminal();
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let screen = Screen {
            colours: terminal && !set("NO_COLOR") && !dumb,
            live: terminal && !dumb,
            bar: Mutex::new(String::new()),
        };
        Self { screen: Arc::new(screen) }
    }

    /// What it writes on, for another thread.
    pub(crate) fn screen(&self) -> Arc<Screen> {
        Arc::clone(&self.screen)
    }

    /// Whether colours are wanted.
    pub(crate) fn has_colours(&self) -> bool {
        self.screen.colours
    }

    /// Writes data. A reader that has gone away ends the program quietly.
    pub(crate) fn data(&mut self, text: &str) -> io::Result<()> {
        self.clear();
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Says a line, or several. Whatever is in it, it does not steer the terminal.
    pub(crate) fn say(&mut self, line: &Styled) {
        self.screen.say(line);
    }

    /// Says a plain line.
    pub(crate) fn tell(&mut self, text: impl Into<String>) {
        self.say(&Styled::new(Tone::Plain, text));
    }

    /// Says something that needs a look.
    pub(crate) fn warn(&mut self, text: &str) {
        self.say(&Styled::new(Tone::Warning, format!("warning: {text}")));
    }

    /// Says what failed, why it matters and what to do.
    pub(crate) fn fail(&mut self, failure: &Failure) {
        self.say(&Styled::new(Tone::Bad, format!("error: {}", failure.what)));
        self.tell(format!("  why it matters: {}", failure.why));
        self.tell(format!("  what to do: {}", failure.hint));
    }

    /// Takes the bar away.
    pub(crate) fn clear(&mut self) {
        self.screen.clear();
    }

    /// Empties the line that another program has left, which was killed while it drew a bar there.
    pub(crate) fn clear_what_is_left(&mut self) {
        if self.screen.live {
            write(EMPTY_LINE);
        }
    }
}

impl Screen {
    /// Whether a bar can be drawn.
    pub(crate) const fn is_live(&self) -> bool {
        self.live
    }

    /// How many columns there are now; the person may change it at any time.
    pub(crate) fn columns(&self) -> usize {
        let told = rustix::termios::tcgetwinsize(io::stderr());
        told.ok()
            .map(|size| usize::from(size.ws_col))
            .filter(|columns| *columns > 0)
            .unwrap_or(COLUMNS_DEFAULT)
    }

    /// Says a line, or several, above the bar.
    pub(crate) fn say(&self, line: &Styled) {
        let line = Styled::new(line.tone, clean_lines(&line.text));
        let text = if self.colours { line.coloured() } else { line.text };
        let bar = self.bar();
        if bar.is_empty() {
            write(&format!("{text}\n"));
        } else {
            write(&format!("{EMPTY_LINE}{text}\n{bar}"));
        }
    }

    /// Draws the bar anew.
    pub(crate) fn draw(&self, bar: &str) {
        let bar = clean(bar);
        let mut drawn = self.bar();
        // Drawn over the old one and only then emptied behind it, so that it does not flicker.
        write(&format!("\r{bar}\u{1b}[K"));
        *drawn = bar;
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        clear(&mut self.bar());
    }

    /// Takes the bar away and says a line, behind which nobody writes any more.
    pub(crate) fn say_last(&self, line: &Styled) {
        let mut bar = self.bar();
        clear(&mut bar);
        write(&format!(
            "{}\n",
            if self.colours { line.coloured() } else { clean_lines(&line.text) }
        ));
        std::mem::forget(bar);
    }

    fn bar(&self) -> MutexGuard<'_, String> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn clear(bar: &mut String) {
    if !bar.is_empty() {
        write(EMPTY_LINE);
        bar.clear();
    }
}

fn write(text: &str) {
    // A closed standard error must not end a run: the journal tells everything again.
    drop(io::stderr().lock().write_all(text.as_bytes()));
}
