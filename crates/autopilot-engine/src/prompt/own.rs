//! Templates that a person puts in the place of the program's own.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use minijinja::{Error, UndefinedBehavior};
use sha2::{Digest, Sha256};
use thiserror::Error as ThisError;

use super::{Material, Prompts, TEMPLATES, render, sample::samples};
use crate::hash::hex;

/// A longer file is none that anybody wrote as a prompt.
const TEMPLATE_BYTES_MAX: u64 = 256 << 10;
/// How the names of template files end.
const ENDING: &str = ".md";

/// Why templates of a person's own cannot be used.
#[derive(Debug, ThisError)]
pub enum PromptError {
    /// The directory or a file in it cannot be read.
    #[error("`{}` cannot be read", .path.display())]
    Unreadable {
        /// The file or directory.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// No template has that name.
    #[error("`{}` has the name of no template", .path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
    },
    /// It is too long, or not text.
    #[error("`{}` is no text of at most {} KiB", .path.display(), TEMPLATE_BYTES_MAX >> 10)]
    NoText {
        /// The file.
        path: PathBuf,
    },
    /// It is no template, or names something that there is not.
    #[error("`{}` is no template: {what}", .path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
}

impl PromptError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Unreadable { .. } => "make it readable, or remove it".to_owned(),
            Self::Unknown { .. } => {
                let names: Vec<&str> = TEMPLATES.iter().map(|(name, _)| *name).collect();
                format!("remove it, or call it one of these, with `{ENDING}` behind: {}", names.join(", "))
            }
            Self::NoText { .. } => "write a shorter one, in UTF-8".to_owned(),
            Self::Broken { .. } => "correct it, or remove it to use the program's own; `autopilot prompts NAME` prints that"
                .to_owned(),
        }
    }
}

impl Prompts {
    /// The templates of a project, where files in a directory replace the program's own. Each is tried before it is used.
    pub fn of(directory: &Path) -> Result<Self, PromptError> {
        let mut prompts = Self::built_in();
        for (name, path, text) in files(directory)? {
            let broken =
                |error: &Error| PromptError::Broken { path: path.clone(), what: told(error) };
            let sha256 = hex(&Sha256::digest(text.as_bytes()));
            prompts
                .environment
                .add_template_owned(name.clone(), text)
                .map_err(|error| broken(&error))?;
            prompts.own.insert(name, sha256);
            prompts.rehearse().map_err(|error| broken(&error))?;
        }
        Ok(prompts)
    }

    /// Writes one prompt of each kind, so that a misspelt name is found before an agent is paid.
    pub(super) fn rehearse(&self) -> Result<(), Error> {
        let material = Material {
            diff: "the change",
            repo_map: Some(Path::new("repo-map.json")),
            screenshots: Some(Path::new("screenshots")),
        };
        let mut strict = self.environment.clone();
        // In earnest a name that is not there becomes nothing: an agent at work is worth more than a blank.
        strict.set_undefined_behavior(UndefinedBehavior::SemiStrict);
        samples().iter().try_for_each(|task| render(&strict, task, &material).map(drop))
    }

    /// The text of a template as it is used.
    pub fn text(&self, name: &str) -> Option<String> {
        self.environment.get_template(name).ok().map(|template| template.source().to_owned())
    }
}

/// The template files of a directory, by name. No directory, no files.
fn files(directory: &Path) -> Result<Vec<(String, PathBuf, String)>, PromptError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| PromptError::Unreadable { path, source }
    };
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(directory)(error)),
    };
    let mut found = BTreeMap::new();
    for entry in entries {
        let path = entry.map_err(unreadable(directory))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        // Editors leave such files beside the one that is edited.
        if name.starts_with('.') || name.ends_with('~') {
            continue;
        }
        let known =
            name.strip_suffix(ENDING).filter(|name| TEMPLATES.iter().any(|(one, _)| one == name));
        let Some(known) = known else { return Err(PromptError::Unknown { path }) };
        let size = fs::metadata(&path).map_err(unreadable(&path))?.len();
        if size > TEMPLATE_BYTES_MAX {
            return Err(PromptError::NoText { path });
        }
        let bytes = fs::read(&path).map_err(unreadable(&path))?;
        let Ok(text) = String::from_utf8(bytes) else { return Err(PromptError::NoText { path }) };
        found.insert(known.to_owned(), (path, text));
    }
    Ok(found.into_iter().map(|(name, (path, text))| (name, path, text)).collect())
}

/// What is wrong with a template, with the line.
fn told(error: &Error) -> String {
    let what = error
        .detail()
        .map_or_else(|| error.kind().to_string(), |detail| format!("{}: {detail}", error.kind()));
    match (error.name(), error.line()) {
        (Some(name), Some(line)) => format!("{what} (in `{name}`, line {line})"),
        _ => what,
    }
}

#[cfg(test)]
mod tests {
    use autopilot_core::role::Role;

    use super::*;

    fn with(files: &[(&str, &str)]) -> (tempfile::TempDir, Result<Prompts, PromptError>) {
        let directory = tempfile::tempdir().expect("a directory");
        for (name, text) in files {
            fs::write(directory.path().join(name), text).expect("it is written");
        }
        let prompts = Prompts::of(directory.path());
        (directory, prompts)
    }

    #[test]
    fn a_file_replaces_a_template_and_its_hash_is_told() {
        let (_directory, prompts) = with(&[
            ("rater.md", "Rate {{ phase_name }}.{% include \"_tail\" %}"),
            (".rater.md.swp", "x"),
        ]);
        let prompts = prompts.expect("they can be used");
        let rater = samples().into_iter().find(|task| task.role == Role::Rater).expect("a rater");
        let text = prompts.write(&rater, &Material::default()).expect("it renders");
        assert!(
            text.starts_with("Rate Languages.") && text.contains("## What you return"),
            "{text}"
        );
        let names: Vec<&String> = prompts.own().keys().collect();
        assert_eq!(names, ["rater"]);
        assert_eq!(prompts.own()["rater"].len(), 64);
    }

    #[test]
    fn a_part_that_is_replaced_is_replaced_in_every_prompt() {
        let (_directory, prompts) = with(&[("_head.md", "HEAD OF {{ role }}")]);
        let prompts = prompts.expect("they can be used");
        for task in samples().iter().filter(|task| task.phase.is_some() && task.brief.gap.is_none())
        {
            let text = prompts.write(task, &Material::default()).expect("it renders");
            assert!(text.starts_with(&format!("HEAD OF {}", task.role)), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_a_template_is_refused_with_its_file_and_what_to_do() {
        let rows = [
            (("raters.md", "x"), "has the name of no template", "rater"),
            (("rater.txt", "x"), "has the name of no template", "rater"),
            (("rater.md", "{% if %}"), "line 1", "autopilot prompts"),
            (("rater.md", "a\n{{ critera }}"), "line 2", "autopilot prompts"),
            (("rater.md", "{% include \"_no\" %}"), "_no", "autopilot prompts"),
        ];
        for ((name, text), what, hint) in rows {
            let (directory, prompts) = with(&[(name, text)]);
            let error = prompts.expect_err("it is refused");
            let path = directory.path().join(name).display().to_string();
            assert!(
                error.to_string().contains(&path) && error.to_string().contains(what),
                "{error}"
            );
            assert!(error.hint().contains(hint), "{}", error.hint());
        }
        let long = "x".repeat(usize::try_from(TEMPLATE_BYTES_MAX).expect("it fits") + 1);
        assert!(matches!(with(&[("rater.md", &long)]).1, Err(PromptError::NoText { .. })));
        assert!(Prompts::of(Path::new("/nowhere/at/all")).is_ok_and(|none| none.own().is_empty()));
    }
}
