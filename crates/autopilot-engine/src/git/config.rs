//! The few settings of the person's that decide how a file in a commit looks on disk.

use super::{Git, GitError};

use std::path::Path;

/// Settings that a workspace takes over; all others keep git's defaults.
const TAKEN_OVER: &[&str] = &[
    "core.autocrlf",
    "core.eol",
    "core.filemode",
    "core.symlinks",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.attributesfile",
    "user.name",
    "user.email",
];

/// Parts of a filter definition.
const FILTER_PARTS: &[&str] = &["clean", "smudge", "process", "required"];

/// Settings of the person's, in the order in which git reads them; of a name the last value counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Settings(Vec<(String, String)>);

impl Settings {
    /// Asks git, which knows about includes, conditions and levels.
    pub(super) fn read(git: &Git, checkout: &Path) -> Result<Self, GitError> {
        let listed = git
            .call_as_person(checkout, ["config", "--list", "-z"])
            .output("read the settings of", checkout.as_os_str())?;
        Ok(Self::parse(&listed))
    }

    fn parse(listed: &[u8]) -> Self {
        let mut settings: Vec<(String, String)> = Vec::new();
        for entry in listed.split(|byte| *byte == 0) {
            let text = String::from_utf8_lossy(entry);
            // A name without a value means true.
            let (name, value) = text.split_once('\n').unwrap_or((&text, "true"));
            if is_taken_over(name) {
                settings.retain(|(known, _)| known != name);
                settings.push((name.to_owned(), value.to_owned()));
            }
        }
        Self(settings)
    }

    /// Iterates over names (`section.key` or `section.part.key`) and values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Writes the settings as a git configuration file.
    pub(super) fn to_file(&self) -> String {
        self.iter().map(|(name, value)| line(name, value)).collect()
    }
}

/// Writes one setting as its own section; git joins them.
pub(super) fn line(name: &str, value: &str) -> String {
    let (section, rest) = name.split_once('.').unwrap_or((name, ""));
    let head = match rest.rsplit_once('.') {
        Some((part, _)) => format!("[{section} \"{}\"]", escaped(part)),
        None => format!("[{section}]"),
    };
    let key = rest.rsplit_once('.').map_or(rest, |(_, key)| key);
    format!("{head}\n\t{key} = \"{}\"\n", escaped(value))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t")
}

fn is_taken_over(name: &str) -> bool {
    TAKEN_OVER.contains(&name)
        || name
            .strip_prefix("filter.")
            .and_then(|rest| rest.rsplit_once('.'))
            .is_some_and(|(part, key)| FILTER_PARTS.contains(&key) && !part.contains('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_shapes_files_is_taken_over_and_the_last_value_counts() {
        let listed = b"core.autocrlf\ninput\0core.hookspath\n/evil\0alias.x\n!rm\0filter.lfs.clean\ngit-lfs clean -- %f\0\
            core.autocrlf\nfalse\0core.symlinks\0filter.lfs.evil\nx\0";
        let settings = Settings::parse(listed);
        let names: Vec<_> = settings.iter().collect();
        assert_eq!(
            names,
            [
                ("filter.lfs.clean", "git-lfs clean -- %f"),
                ("core.autocrlf", "false"),
                ("core.symlinks", "true"),
            ]
        );
    }

    #[test]
    fn values_are_quoted() {
        assert_eq!(
            line("filter.a \"b\\.clean", "x \"y\" \\ z\n#"),
            "[filter \"a \\\"b\\\\\"]\n\tclean = \"x \\\"y\\\" \\\\ z\\n#\"\n"
        );
        assert_eq!(line("user.name", "A"), "[user]\n\tname = \"A\"\n");
    }
}
