//! What files there are, and how long they may be.

use std::{fs, path::PathBuf, process::Command};

/// Longer files are hard to read from top to bottom.
const LINES_MAX: usize = 500;
/// The entry of the program reads as a table of contents.
const MAIN_LINES_MAX: usize = 25;

/// A text file of the project.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn is_rust(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension == "rs")
    }
}

/// Every text file that git knows or would know.
pub(crate) fn tracked() -> Result<Vec<Source>, String> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output()
        .map_err(|error| format!("cannot start git: {error}"))?;
    let listed = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    let paths = listed.split('\0').filter(|path| !path.is_empty()).map(PathBuf::from);
    // Files that are not text have nothing to check; files that are deleted but not staged are gone.
    Ok(paths
        .filter_map(|path| fs::read_to_string(&path).ok().map(|text| Source { path, text }))
        .collect())
}

/// Files that are too long.
pub(crate) fn over_budget(files: &[Source]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.is_rust())
        .filter_map(|file| {
            let main = file.path.ends_with("autopilot/src/main.rs");
            let most = if main { MAIN_LINES_MAX } else { LINES_MAX };
            let lines = file.text.lines().count();
            (lines > most)
                .then(|| format!("{}: {lines} lines, at most {most}", file.path.display()))
        })
        .collect()
}
