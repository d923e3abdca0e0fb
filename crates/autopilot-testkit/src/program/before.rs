//! What is the person's, and whether it was touched.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use super::Project;
use crate::repository::{differences, fingerprint};

/// Everything of the person's in a project at one moment, down to the time of each file.
#[derive(Debug)]
pub struct Before {
    files: BTreeMap<PathBuf, String>,
    refs: String,
    exclude: String,
}

impl Before {
    /// Notes down how everything is.
    pub fn of(project: &Project) -> Self {
        Self { files: persons(project), refs: refs(project), exclude: exclude(project) }
    }

    /// What of the person's has changed, in words; the line that the program adds to `info/exclude` is its own.
    pub fn changes(&self, project: &Project) -> Vec<String> {
        let files = differences(&self.files, &persons(project)).into_iter();
        let mut changes: Vec<String> = files.map(|path| path.display().to_string()).collect();
        if self.refs != refs(project) {
            changes.push("refs".to_owned());
        }
        changes
    }

    /// Panics where anything but what is ours has changed.
    #[track_caller]
    pub fn check(&self, project: &Project) {
        self.check_files_and_refs(project);
        assert_eq!(exclude(project), format!("{}/.autopilot/\n", self.exclude));
    }

    /// Panics where a file, the index, the configuration or a ref of the person's has changed.
    #[track_caller]
    pub fn check_files_and_refs(&self, project: &Project) {
        assert_eq!(self.changes(project), Vec::<String>::new());
    }
}

fn persons(project: &Project) -> BTreeMap<PathBuf, String> {
    let ours = [
        ".autopilot",
        ".git/objects",
        ".git/refs/autopilot",
        ".git/refs/heads/autopilot",
        ".git/logs/refs/heads/autopilot",
        ".git/info/exclude",
    ];
    let skip = |path: &Path| ours.iter().any(|ours| path == Path::new(ours));
    fingerprint(&project.sandbox.project(), &skip)
}

fn refs(project: &Project) -> String {
    let listed = project.sandbox.git(["for-each-ref", "--format=%(refname) %(objectname)"]);
    let ours = ["refs/autopilot/", "refs/heads/autopilot/"];
    let theirs = listed.lines().filter(|line| !ours.iter().any(|ours| line.starts_with(ours)));
    theirs.map(|line| format!("{line}\n")).collect()
}

fn exclude(project: &Project) -> String {
    fs::read_to_string(project.sandbox.project().join(".git/info/exclude")).unwrap_or_default()
}
