//! What several loops may use up, as it is said on the command line.

use crate::sessions::flags::{Bounds, whole};

const MAX_STORIES: Bounds = Bounds { min: 1.0, max: 10.0, default: 3.0 };
const MAX_HOURS: Bounds = Bounds { min: 0.5, max: 24.0, default: 8.0 };
const INACTIVITY_S: Bounds = Bounds { min: 60.0, max: 3600.0, default: 300.0 };
const STALL_S: Bounds = Bounds { min: 60.0, max: 3600.0, default: 600.0 };

/// When a draft of a merge request is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DraftMr {
    /// Never.
    #[default]
    Off,
    /// When a loop starts.
    OnLoopStart,
    /// When its tests are green.
    OnGreen,
}

impl DraftMr {
    const ALL: [Self; 3] = [Self::Off, Self::OnLoopStart, Self::OnGreen];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::OnLoopStart => "on-loop-start",
            Self::OnGreen => "on-green",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.name() == name)
    }
}

/// The flags of several loops.
#[derive(Clone, Debug, PartialEq)]
pub struct StoryFlags {
    /// Loops at once.
    pub max_stories: u32,
    /// Hours at most.
    pub max_hours: f64,
    /// Seconds in which something must be finished.
    pub inactivity_s: u32,
    /// When a draft of a merge request is made.
    pub draft_mr: DraftMr,
    /// Seconds of silence that are a stall.
    pub stall_s: u32,
    /// Whether anything is to be done; without it the plan is shown.
    pub apply: bool,
    /// Whether the result is data.
    pub json: bool,
    /// Whether to tell more.
    pub verbose: bool,
    /// Whether only help is wanted.
    pub help: bool,
    /// Whether only the version is wanted.
    pub version: bool,
    /// Paths that keep loops in one tree apart.
    pub deconflict_paths: String,
}

impl Default for StoryFlags {
    fn default() -> Self {
        Self {
            max_stories: whole(MAX_STORIES.default),
            max_hours: MAX_HOURS.default,
            inactivity_s: whole(INACTIVITY_S.default),
            draft_mr: DraftMr::Off,
            stall_s: whole(STALL_S.default),
            apply: false,
            json: false,
            verbose: false,
            help: false,
            version: false,
            deconflict_paths: String::new(),
        }
    }
}

/// Why flags were refused, in the words that callers know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlagError {
    /// They cannot be told apart.
    Form(String),
    /// They say something that cannot be meant.
    Meaning(String),
}

impl StoryFlags {
    /// Reads flags: `--flag value`, `--flag=value`, or a bare `--flag`. Unlike one loop, several refuse what they
    /// do not know.
    ///
    /// # Errors
    /// Says what is wrong, in the words that callers know.
    pub fn parse<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Result<Self, FlagError> {
        let mut said = Said::default();
        let mut arguments = arguments.into_iter().peekable();
        while let Some(argument) = arguments.next() {
            if argument == "--" {
                return arguments.next().map_or_else(|| said.meant(), |word| Err(unexpected(word)));
            }
            if let Some(long) = argument.strip_prefix("--") {
                let (name, value) = match long.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (long, None),
                };
                if takes_value(name) {
                    let value = match value {
                        Some(value) => value,
                        None => following(name, arguments.next())?,
                    };
                    said.value(name, value);
                } else {
                    said.switch(name, value)?;
                }
            } else if argument.len() > 1 && argument.starts_with('-') {
                said.letters(&argument[1..])?;
            } else {
                return Err(unexpected(argument));
            }
        }
        said.meant()
    }
}

fn takes_value(name: &str) -> bool {
    let names = [
        "max-stories",
        "max-hours",
        "inactivity-timeout",
        "draft-mr",
        "stall-seconds",
        "deconflict-paths",
    ];
    names.contains(&name)
}

/// The word after a flag that needs one.
fn following<'a>(name: &str, word: Option<&'a str>) -> Result<&'a str, FlagError> {
    match word {
        Some(word) if word.len() > 1 && word.starts_with('-') => Err(FlagError::Form(format!(
            "Option '--{name}' argument is ambiguous.\nDid you forget to specify the option argument for '--{name}'?\n\
             To specify an option argument starting with a dash use '--{name}=-XYZ'."
        ))),
        Some(word) => Ok(word),
        None => Err(FlagError::Form(format!("Option '--{name} <value>' argument missing"))),
    }
}

fn unexpected(word: &str) -> FlagError {
    FlagError::Form(format!(
        "Unexpected argument '{word}'. This command does not take positional arguments"
    ))
}

/// What was said, before it is known what is meant.
#[derive(Default)]
struct Said<'a> {
    values: Vec<(&'a str, &'a str)>,
    is_dry: bool,
    flags: StoryFlags,
}

impl<'a> Said<'a> {
    fn value(&mut self, name: &'a str, value: &'a str) {
        self.values.retain(|(known, _)| *known != name);
        self.values.push((name, value));
    }

    fn switch(&mut self, name: &str, value: Option<&str>) -> Result<(), FlagError> {
        let flags = &mut self.flags;
        let place = match name {
            "dry-run" => &mut self.is_dry,
            "apply" => &mut flags.apply,
            "json" => &mut flags.json,
            "verbose" => &mut flags.verbose,
            "help" => &mut flags.help,
            "version" => &mut flags.version,
            _ => return Err(FlagError::Form(format!("Unknown option '--{name}'"))),
        };
        if value.is_some() {
            return Err(FlagError::Form(format!("Option '--{name}' does not take an argument")));
        }
        *place = true;
        Ok(())
    }

    fn letters(&mut self, letters: &str) -> Result<(), FlagError> {
        match letters.chars().find(|letter| *letter != 'h') {
            Some(letter) => Err(FlagError::Form(format!("Unknown option '-{letter}'"))),
            None => {
                self.flags.help = true;
                Ok(())
            }
        }
    }

    fn meant(self) -> Result<StoryFlags, FlagError> {
        let Self { values, is_dry, mut flags } = self;
        let said = |name: &str| {
            values.iter().find_map(|(known, value)| (*known == name).then_some(*value))
        };
        if flags.apply && is_dry {
            let why = "--dry-run and --apply are mutually exclusive; pick one.";
            return Err(FlagError::Meaning(why.to_owned()));
        }
        let integer = |name: &str, bounds: Bounds| match said(name) {
            Some(value) => {
                leading(value, Form::Integer).map(|number| whole(bounds.clamp(number))).ok_or_else(
                    || FlagError::Meaning(format!("--{name} must be an integer, got: {value}")),
                )
            }
            None => Ok(whole(bounds.default)),
        };
        flags.max_stories = integer("max-stories", MAX_STORIES)?;
        if let Some(value) = said("max-hours") {
            let hours = leading(value, Form::Decimal);
            let hours = hours.ok_or_else(|| {
                FlagError::Meaning(format!("--max-hours must be a number, got: {value}"))
            })?;
            flags.max_hours = MAX_HOURS.clamp(hours);
        }
        flags.inactivity_s = integer("inactivity-timeout", INACTIVITY_S)?;
        if let Some(value) = said("draft-mr") {
            let known = DraftMr::ALL.map(DraftMr::name).join(", ");
            flags.draft_mr = DraftMr::named(value).ok_or_else(|| {
                FlagError::Meaning(format!("--draft-mr must be one of: {known}. Got: \"{value}\""))
            })?;
        }
        flags.stall_s = integer("stall-seconds", STALL_S)?;
        said("deconflict-paths").unwrap_or_default().clone_into(&mut flags.deconflict_paths);
        Ok(flags)
    }
}

/// How far a number at the beginning of a text goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Integer,
    Decimal,
}

/// The number that a text begins with; what comes after it does not count.
fn leading(text: &str, form: Form) -> Option<f64> {
    let text = text.trim_start();
    let is_part = |character: char| {
        character.is_ascii_digit() || (form == Form::Decimal && ".eE+-".contains(character))
    };
    let sign = usize::from(text.starts_with(['+', '-']));
    let end =
        text[sign..].find(|character| !is_part(character)).map_or(text.len(), |end| sign + end);
    let mut prefixes = (1..=end).rev().filter_map(|end| text.get(..end));
    prefixes.find_map(|prefix| prefix.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_refused() {
        let cases: [(&[&str], &str); 7] = [
            (&["--nope=3"], "Unknown option '--nope'"),
            (&["-hx"], "Unknown option '-x'"),
            (&["--apply=1"], "Option '--apply' does not take an argument"),
            (&["--max-hours"], "Option '--max-hours <value>' argument missing"),
            (
                &["--", "a"],
                "Unexpected argument 'a'. This command does not take positional arguments",
            ),
            (&["-"], "Unexpected argument '-'. This command does not take positional arguments"),
            (&[""], "Unexpected argument ''. This command does not take positional arguments"),
        ];
        for (arguments, why) in cases {
            let refused = StoryFlags::parse(arguments.iter().copied());
            assert_eq!(refused, Err(FlagError::Form(why.to_owned())));
        }
    }

    #[test]
    fn numbers_are_read_as_far_as_they_go_and_kept_within_bounds() {
        let flags =
            StoryFlags::parse(["--max-stories", "4x", "--max-hours=1.5h", "--stall-seconds=1"]);
        let flags = flags.unwrap();
        assert_eq!((flags.max_stories, flags.max_hours, flags.stall_s), (4, 1.5, 60));
        assert!(matches!(StoryFlags::parse(["--max-stories="]), Err(FlagError::Meaning(_))));
        assert_eq!(leading("1e", Form::Decimal), Some(1.0));
        assert_eq!(leading("-", Form::Integer), None);
        assert_eq!(leading("infinity", Form::Decimal), None);
    }
}
