//! Where text leaves the program: data to standard output, talk to standard error.

use std::io::{self, IsTerminal, Write};

use autopilot_views::{Styled, Tone, clean_lines};

use crate::failure::Failure;

/// The person's terminal, or whatever stands in its place.
#[derive(Debug)]
pub(crate) struct Ui {
    colours: bool,
    live: bool,
    /// The bar that stands on the last line, without its colours.
    bar: String,
}

impl Ui {
    /// Looks at the terminal and the environment once.
    pub(crate) fn new() -> Self {
        let terminal = io::stderr().is_terminal();
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self {
            colours: terminal && !set("NO_COLOR") && !dumb,
            live: terminal && !dumb,
            bar: String::new(),
        }
    }

    /// Whether a bar can be drawn.
    pub(crate) const fn is_live(&self) -> bool {
        self.live
    }

    /// Writes data. A reader that has gone away ends the program quietly.
    pub(crate) fn data(&mut self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Says a line, or several. Whatever is in it, it does not steer the terminal.
    pub(crate) fn say(&mut self, line: &Styled) {
        let line = Styled::new(line.tone, clean_lines(&line.text));
        let text = if self.colours { line.coloured() } else { line.text };
        self.talk(&text);
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
        if !failure.why.is_empty() {
            self.tell(format!("  why it matters: {}", failure.why));
        }
        if !failure.hint.is_empty() {
            self.tell(format!("  what to do: {}", failure.hint));
        }
    }

    /// Draws the bar anew.
    pub(crate) fn draw(&mut self, bar: String) {
        if self.live {
            self.write(&format!("\r\u{1b}[2K{bar}"));
            self.bar = bar;
        }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&mut self) {
        if !self.bar.is_empty() {
            self.write("\r\u{1b}[2K");
            self.bar.clear();
        }
    }

    fn talk(&mut self, text: &str) {
        if self.bar.is_empty() {
            self.write(&format!("{text}\n"));
        } else {
            let bar = std::mem::take(&mut self.bar);
            self.write(&format!("\r\u{1b}[2K{text}\n{bar}"));
            self.bar = bar;
        }
    }

    fn write(&mut self, text: &str) {
        // A closed standard error must not end a run: the journal tells everything again.
        drop(io::stderr().lock().write_all(text.as_bytes()));
    }
}
