//! A git repository in a sandbox: own home, own configuration, fixed dates.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{OsStr, OsString},
    fs, io,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

/// A directory with a home, a repository `project` and room for a state directory.
#[derive(Debug)]
pub struct Sandbox {
    root: TempDir,
}

impl Sandbox {
    /// Makes a sandbox whose repository has one commit with `README.md`.
    ///
    /// # Panics
    ///
    /// When anything fails, like all of the testkit.
    pub fn new() -> Self {
        Self::empty().with_repository()
    }

    /// Makes the same below a directory that has to be there.
    ///
    /// # Panics
    ///
    /// When anything fails, like all of the testkit.
    pub fn below(directory: &Path) -> Self {
        Self::of(tempfile::tempdir_in(directory)).with_repository()
    }

    fn with_repository(self) -> Self {
        self.git(["init", "--quiet", "--initial-branch=main"]);
        self.write("README.md", "hello\n");
        self.commit("first");
        self
    }

    /// Makes a sandbox with an empty directory `project` and no repository.
    pub fn empty() -> Self {
        Self::of(tempfile::tempdir())
    }

    fn of(root: io::Result<TempDir>) -> Self {
        let root = root.expect("a temporary directory can be made");
        for directory in ["home", "project", "state"] {
            fs::create_dir(root.path().join(directory)).expect("a directory can be made");
        }
        Self { root }
    }

    /// Leaves everything where it is, for somebody to look at, and tells where that is.
    pub fn keep(self) -> PathBuf {
        self.root.keep()
    }

    /// Returns the directory that holds everything.
    pub fn root(&self) -> PathBuf {
        fs::canonicalize(self.root.path()).expect("the sandbox is there")
    }

    /// Returns the checkout.
    pub fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    /// Returns a place for workspaces.
    pub fn state(&self) -> PathBuf {
        self.root().join("state")
    }

    /// Returns the whole environment of a git in this sandbox.
    pub fn environment(&self) -> Vec<(OsString, OsString)> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut variables =
            vec![("PATH".into(), path), ("HOME".into(), self.root().join("home").into())];
        let fixed = [
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_AUTHOR_NAME", "Person"),
            ("GIT_AUTHOR_EMAIL", "person@example.org"),
            ("GIT_AUTHOR_DATE", "1700000000 +0000"),
            ("GIT_COMMITTER_NAME", "Person"),
            ("GIT_COMMITTER_EMAIL", "person@example.org"),
            ("GIT_COMMITTER_DATE", "1700000000 +0000"),
        ];
        variables.extend(fixed.map(|(name, value)| (name.into(), value.into())));
        variables
    }

    /// Runs git in the checkout and returns what it printed, without the last newline.
    ///
    /// # Panics
    ///
    /// When git fails.
    pub fn git<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        self.git_in(&self.project(), arguments)
    }

    /// Runs git in any directory of the sandbox.
    ///
    /// # Panics
    ///
    /// When git fails.
    pub fn git_in<S: AsRef<OsStr>>(
        &self,
        directory: &Path,
        arguments: impl IntoIterator<Item = S>,
    ) -> String {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(directory).env_clear().envs(self.environment());
        let output = command.output().expect("git can be started");
        assert!(
            output.status.success(),
            "{command:?} failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_owned()
    }

    /// Writes a file of the checkout.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        write(&self.project().join(path), content);
    }

    /// Commits everything in the checkout and returns the id.
    pub fn commit(&self, message: &str) -> String {
        self.git(["add", "--all"]);
        self.git(["commit", "--quiet", "--allow-empty", "-m", message]);
        self.git(["rev-parse", "HEAD"])
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

/// Writes a file and the directories above it.
///
/// # Panics
///
/// When it cannot be written.
pub fn write(path: &Path, content: impl AsRef<[u8]>) {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).expect("a directory can be made");
    }
    fs::write(path, content).expect("a file can be written");
}

/// Describes every file below a directory: kind, mode, time and content, by path.
///
/// Compare two with [`differences`]. Paths that `skip` names are left out with all below them.
///
/// # Panics
///
/// When something cannot be read.
pub fn fingerprint(directory: &Path, skip: &dyn Fn(&Path) -> bool) -> BTreeMap<PathBuf, String> {
    let mut described = BTreeMap::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(path) = waiting.pop() {
        let relative = path.strip_prefix(directory).expect("it is below").to_owned();
        if skip(&relative) {
            continue;
        }
        let found = fs::symlink_metadata(&path).expect("it can be looked at");
        let content = if found.is_dir() {
            waiting.extend(
                fs::read_dir(&path)
                    .expect("it can be listed")
                    .map(|entry| entry.expect("it can be listed").path()),
            );
            // The time of a directory changes with every lock file in it.
            described.insert(relative, format!("directory {:o}", found.mode()));
            continue;
        } else if found.is_symlink() {
            let target = fs::read_link(&path).expect("it can be read");
            target.as_os_str().as_bytes().to_vec()
        } else {
            fs::read(&path).expect("it can be read")
        };
        let line = format!(
            "{:o} {}.{} {}",
            found.mode(),
            found.mtime(),
            found.mtime_nsec(),
            String::from_utf8_lossy(&content)
        );
        described.insert(relative, line);
    }
    described
}

/// Lists the paths in which two descriptions differ: none means that nothing was touched.
pub fn differences(
    before: &BTreeMap<PathBuf, String>,
    after: &BTreeMap<PathBuf, String>,
) -> Vec<PathBuf> {
    let paths: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    let differ = |path: &&&PathBuf| before.get(**path) != after.get(**path);
    paths.iter().filter(differ).map(|path| (*path).clone()).collect()
}
