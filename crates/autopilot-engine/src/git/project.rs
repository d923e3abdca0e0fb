//! The person's repository, as found at the start of a run.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{self, Write},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use gix::bstr::ByteSlice;

use super::{
    Git, GitError, GitErrorKind, ObjectId,
    command::Call,
    config::{self, Settings},
};

/// Git itself follows no more stores than five deep.
const STORES_MAX: usize = 16;

/// The line that keeps run-time files out of the person's `git status`.
const EXCLUDE_LINE: &str = "/.autopilot/";

/// The person's repository with its checkout.
#[derive(Debug, Clone)]
pub struct Project {
    pub(super) git: Git,
    pub(super) checkout: PathBuf,
    pub(super) git_dir: PathBuf,
    pub(super) common_dir: PathBuf,
    pub(super) format: ObjectFormat,
    pub(super) shallow: bool,
    pub(super) settings: Settings,
}

/// The hash that names objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectFormat {
    Sha1,
    Sha256,
}

impl ObjectFormat {
    /// The settings of a repository whose objects are named by it.
    pub(super) fn to_config(self) -> String {
        match self {
            Self::Sha1 => config::line("core.repositoryformatversion", "0"),
            Self::Sha256 => {
                config::line("core.repositoryformatversion", "1")
                    + &config::line("extensions.objectformat", "sha256")
            }
        }
    }
}

/// What is checked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The commit.
    pub commit: ObjectId,
    /// The full name of the branch, unless HEAD is detached.
    pub branch: Option<String>,
}

/// What in a checkout is not committed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cleanliness {
    /// Tracked files that differ from HEAD or are in conflict.
    pub changed: Vec<PathBuf>,
    /// Files and directories that git does not know.
    pub untracked: Vec<PathBuf>,
}

impl Cleanliness {
    /// Tells whether every tracked file is as it was committed.
    pub fn is_clean(&self) -> bool {
        self.changed.is_empty()
    }
}

impl Project {
    /// Finds the repository that a path is in.
    pub fn open(path: &Path, git: Git) -> Result<Self, GitError> {
        let project = Self::open_empty(path, git)?;
        project.head()?;
        Ok(project)
    }

    /// Finds the repository that a path is in, which need not have a commit yet.
    pub fn open_empty(path: &Path, git: Git) -> Result<Self, GitError> {
        let path = fs::canonicalize(path)
            .map_err(|error| GitError::io("open the repository of", path, error))?;
        let found = find(&path, &git)?;
        let settings = Settings::read(&git, &found.checkout)?;
        Ok(Self {
            git,
            checkout: found.checkout,
            git_dir: found.git_dir,
            common_dir: found.common_dir,
            format: found.format,
            shallow: found.shallow,
            settings,
        })
    }

    /// Finds a repository that was there before: where there is none now, it was taken away.
    pub fn reopen(path: &Path, git: Git) -> Result<Self, GitError> {
        Self::open(path, git).map_err(|error| match error.kind() {
            GitErrorKind::NotARepository | GitErrorKind::Bare | GitErrorKind::NoCommits => {
                error.as_lost(path)
            }
            GitErrorKind::Io(inner) if inner.kind() == io::ErrorKind::NotFound => {
                error.as_lost(path)
            }
            _ => error,
        })
    }

    /// Returns the top directory of the checkout.
    pub fn checkout(&self) -> &Path {
        &self.checkout
    }

    /// Returns what is checked out now.
    pub fn head(&self) -> Result<Head, GitError> {
        let failed = |kind| GitError::new("read HEAD of", &self.checkout, kind);
        let arguments = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
        let answer = self.call(arguments).answer()?;
        if !answer.status.success() {
            return Err(failed(GitErrorKind::NoCommits));
        }
        let commit = parse_id(&answer.stdout)?;
        let answer = self.call(["symbolic-ref", "--quiet", "HEAD"]).answer()?;
        let branch = match answer.status.code() {
            Some(0) => Some(String::from_utf8_lossy(&answer.stdout).trim_end().to_owned()),
            Some(1) => None,
            Some(_) | None => {
                return Err(failed(GitErrorKind::Unexpected(answer.stderr)));
            }
        };
        Ok(Head { commit, branch })
    }

    /// Looks for uncommitted changes, without taking a lock.
    pub fn cleanliness(&self) -> Result<Cleanliness, GitError> {
        let arguments = ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=all"];
        let listed = self
            .git
            .call(&self.checkout, arguments)
            .output("look for changes in", self.checkout.as_os_str())?;
        let mut cleanliness = Cleanliness::default();
        for line in listed.split(|byte| *byte == 0).filter(|line| line.len() > 3) {
            let path = PathBuf::from(OsStr::from_bytes(&line[3..]));
            match &line[..2] {
                b"??" => cleanliness.untracked.push(path),
                _ => cleanliness.changed.push(path),
            }
        }
        Ok(cleanliness)
    }

    /// Makes git ignore `/.autopilot/` in this repository, once, without touching a tracked file.
    pub fn exclude_own_files(&self) -> Result<(), GitError> {
        let path = self.common_dir.join("info/exclude");
        let failed = |error: io::Error| GitError::io("write", &path, error);
        let before = match fs::read(&path) {
            Ok(before) => before,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failed(error)),
        };
        let mut lines = before.split(|byte| *byte == b'\n');
        if lines.any(|line| line.trim_ascii() == EXCLUDE_LINE.as_bytes()) {
            return Ok(());
        }
        fs::create_dir_all(self.common_dir.join("info")).map_err(failed)?;
        let newline = if before.last().is_none_or(|last| *last == b'\n') { "" } else { "\n" };
        let mut file = File::options().append(true).create(true).open(&path).map_err(failed)?;
        file.write_all(format!("{newline}{EXCLUDE_LINE}\n").as_bytes()).map_err(failed)?;
        file.sync_all().map_err(failed)
    }

    /// Returns where the objects are.
    pub(super) fn objects_dir(&self) -> PathBuf {
        self.common_dir.join("objects")
    }

    /// Returns every place where objects of this repository are: its own one, and those that it borrows from.
    pub fn object_stores(&self) -> Vec<PathBuf> {
        let mut stores = vec![self.objects_dir()];
        let mut next = 0;
        while let Some(store) = stores.get(next).cloned() {
            next += 1;
            let lent = std::fs::read_to_string(store.join("info/alternates")).unwrap_or_default();
            for line in lent.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
                let other = store.join(line);
                // A loop ends where nothing is new.
                if stores.len() < STORES_MAX && !stores.contains(&other) {
                    stores.push(other);
                }
            }
        }
        stores
    }

    /// Prepares a call on this repository that does not look at any checkout.
    pub(super) fn call<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Call {
        self.git.call(&self.common_dir, arguments).env("GIT_DIR", &self.git_dir)
    }
}

/// Tells whether a path of a checkout, or anything below it, is part of what git tracks there.
pub fn is_tracked(git: &Git, checkout: &Path, path: &str) -> Result<bool, GitError> {
    let call = git.call(checkout, ["ls-files", "-z", "--cached", "--", path]);
    let (listed, cut) = call.bounded_output(0, "ask what git tracks in", checkout.as_os_str())?;
    Ok(cut || !listed.is_empty())
}

struct Found {
    checkout: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    format: ObjectFormat,
    shallow: bool,
}

fn find(path: &Path, git: &Git) -> Result<Found, GitError> {
    let failed = |kind| GitError::new("open the repository of", path, kind);
    let directory = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    // A path may hold a newline, so between the paths another question is asked.
    let arguments = [
        "rev-parse",
        "--path-format=absolute",
        "--is-bare-repository",
        "--show-object-format",
        "--is-shallow-repository",
        "--git-dir",
        "--is-bare-repository",
        "--git-common-dir",
        "--is-bare-repository",
        "--show-toplevel",
    ];
    let answer = git.call(directory, arguments).answer()?;
    // Git answers each question in turn, so a failure at the last one still tells of the first.
    if answer.stdout.starts_with(b"true\n") {
        return Err(failed(GitErrorKind::Bare));
    }
    if !answer.status.success() {
        return Err(failed(match answer.stderr.contains("not a git repository") {
            true => GitErrorKind::NotARepository,
            false => GitErrorKind::Failed { status: answer.status, stderr: answer.stderr },
        }));
    }
    let unexpected =
        || GitErrorKind::Unexpected(String::from_utf8_lossy(&answer.stdout).into_owned());
    let lines: Vec<&[u8]> = answer.stdout.splitn(4, |byte| *byte == b'\n').collect();
    let &[_, format, shallow, paths] = lines.as_slice() else {
        return Err(failed(unexpected()));
    };
    let paths: Vec<&[u8]> = paths.split_str("\nfalse\n").collect();
    let &[git_dir, common_dir, checkout] = paths.as_slice() else {
        return Err(failed(unexpected()));
    };
    let checkout = checkout.strip_suffix(b"\n").unwrap_or(checkout);
    let path_of = |bytes: &[u8]| PathBuf::from(OsString::from_vec(bytes.to_vec()));
    Ok(Found {
        checkout: path_of(checkout),
        git_dir: path_of(git_dir),
        common_dir: path_of(common_dir),
        format: match format {
            b"sha256" => ObjectFormat::Sha256,
            _ => ObjectFormat::Sha1,
        },
        shallow: shallow == b"true",
    })
}

/// Reads an id that a command printed.
pub(super) fn parse_id(printed: &[u8]) -> Result<ObjectId, GitError> {
    let text = String::from_utf8_lossy(printed);
    ObjectId::parse(text.trim_end())
}

impl ObjectFormat {
    pub(super) fn to_gix(self) -> gix::hash::Kind {
        match self {
            Self::Sha1 => gix::hash::Kind::Sha1,
            Self::Sha256 => gix::hash::Kind::Sha256,
        }
    }
}
