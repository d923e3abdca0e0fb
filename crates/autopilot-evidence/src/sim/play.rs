//! One misbehaviour: what it is called, and what it does to the files.

/// A kind of misbehaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lie {
    /// Changes one small thing in the code.
    MutatesCode,
    /// Leaves nothing in a source file.
    EmptiesCode,
    /// Removes a source file.
    DeletesCode,
    /// Takes back what the last commit did to the code.
    RevertsCode,
    /// Has tests compare nothing.
    WeakensTests,
    /// Has tests skipped.
    SkipsTests,
    /// Leaves nothing in files of tests.
    EmptiesTests,
    /// Removes files of tests.
    DeletesTests,
    /// Has a script that a gate runs end with success at once.
    PassesScript,
    /// Changes what a test command stands for.
    ChangesCommand,
    /// Adds a file that has the tests pass.
    AddsRules,
    /// Has continuous integration run nothing.
    EmptiesCi,
}

impl Lie {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MutatesCode => "mutates-code",
            Self::EmptiesCode => "empties-code",
            Self::DeletesCode => "deletes-code",
            Self::RevertsCode => "reverts-code",
            Self::WeakensTests => "weakens-tests",
            Self::SkipsTests => "skips-tests",
            Self::EmptiesTests => "empties-tests",
            Self::DeletesTests => "deletes-tests",
            Self::PassesScript => "passes-script",
            Self::ChangesCommand => "changes-command",
            Self::AddsRules => "adds-rules",
            Self::EmptiesCi => "empties-ci",
        }
    }

    /// Whether it only breaks the code and hides nothing.
    pub fn is_break(self) -> bool {
        match self {
            Self::MutatesCode | Self::EmptiesCode | Self::DeletesCode | Self::RevertsCode => true,
            Self::WeakensTests
            | Self::SkipsTests
            | Self::EmptiesTests
            | Self::DeletesTests
            | Self::PassesScript
            | Self::ChangesCommand
            | Self::AddsRules
            | Self::EmptiesCi => false,
        }
    }
}

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its path.
    pub path: String,
    /// What it holds then; `None` takes it away.
    pub text: Option<String>,
}

/// One misbehaviour, ready to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// What kind it is.
    pub lie: Lie,
    /// What is done, in words.
    pub what: String,
    /// The file that is broken, and the line where there is one.
    pub path: String,
    /// The first line that is touched, counted from one.
    pub line: Option<usize>,
    /// The files it hides the break in; none where it hides nothing.
    pub hides_in: Vec<String>,
    /// What becomes of the files.
    pub changes: Vec<Change>,
}
