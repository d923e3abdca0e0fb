//! Colours by meaning. The text is complete without them.

use anstyle::{AnsiColor, Style};

/// What a piece of text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Nothing in particular.
    Plain,
    /// A heading.
    Heading,
    /// It went well.
    Good,
    /// It went wrong.
    Bad,
    /// It needs a look, or waits.
    Warning,
    /// Beside the point.
    Faint,
}

impl Tone {
    const fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Heading => Style::new().bold(),
            Self::Good => AnsiColor::Green.on_default(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
            Self::Warning => AnsiColor::Yellow.on_default(),
            Self::Faint => Style::new().dimmed(),
        }
    }
}

/// A line and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Styled {
    /// What it means.
    pub tone: Tone,
    /// The line, without control characters.
    pub text: String,
}

impl Styled {
    /// A line with a meaning.
    pub fn new(tone: Tone, text: impl Into<String>) -> Self {
        Self { tone, text: text.into() }
    }

    /// The line as it goes to a terminal that shows colours.
    pub fn coloured(&self) -> String {
        let style = self.tone.style();
        format!("{style}{}{style:#}", self.text)
    }
}
