//! Brings the commits that an agent made itself into the person's object store.
//!
//! The agent's repository is read as files: its refs and logs are parsed here, its configuration is not
//! read at all, and its objects are used only if they are where they were put.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{Caps, GitError, ObjectId, Project, Workspace, workspace::alternates_value};

/// How much of one ref or log file is read.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// How many files of refs and logs are read.
const FILES_MAX: usize = 10_000;

/// How many commits an agent's refs and logs may name.
const COMMITS_MAX: usize = 10_000;

/// How many tips become parents of the kept commit.
const TIPS_MAX: usize = 500;

/// Up to this size a pack is unpacked, so that many small ones do not pile up.
const UNPACK_BYTES_MAX: u64 = 1 << 20;

/// What of the agent's own history was brought over.
#[derive(Debug, Default)]
pub(super) struct Imported {
    pub(super) tips: Vec<ObjectId>,
    pub(super) problem: Option<&'static str>,
    /// The git directory is kept file by file, since it was not taken as a repository.
    pub(super) keep_git_dir: bool,
}

impl Imported {
    fn refused(problem: &'static str, git_dir: &Path) -> Self {
        Self {
            tips: Vec::new(),
            problem: Some(problem),
            keep_git_dir: git_dir.is_dir() && !git_dir.is_symlink(),
        }
    }
}

impl Project {
    /// Copies every commit that the agent's refs and logs name, and returns the newest of them.
    pub(super) fn import_agent_commits(
        &self,
        workspace: &Workspace,
        scratch: &Path,
        caps: &Caps,
    ) -> Result<Imported, GitError> {
        let git_dir = workspace.git_dir();
        if !is_real_directory(&git_dir) {
            return Ok(Imported::refused("its `.git` was removed or replaced", &git_dir));
        }
        let Some(named) = named_ids(&git_dir) else {
            return Ok(Imported::refused("it has too many refs", &git_dir));
        };
        let named: Vec<ObjectId> = named
            .into_iter()
            .filter(|id| *id != workspace.base && !id.is_null())
            .filter(|id| id.as_str().len() == workspace.base.as_str().len())
            .collect();
        let loose = loose_ids(&git_dir.join("objects"));
        if named.is_empty() && loose.is_empty() {
            return Ok(Imported::default());
        }
        if !self.agent_objects_are_own(workspace) {
            return Ok(Imported::refused("its objects were redirected", &git_dir));
        }
        // A tag stands for its commit.
        let named = named.iter().map(|id| format!("{id}^{{commit}}\n"));
        let mut commits = self.existing_commits(&git_dir, named.collect())?;
        // What nothing names any more is there as long as nobody cleans up; damaged objects hide it.
        let loose = loose.iter().map(|id| format!("{id}\n"));
        let unnamed = self.existing_commits(&git_dir, loose.collect()).unwrap_or_default();
        commits.extend(unnamed.into_iter().filter(|id| *id != workspace.base));
        commits.sort_unstable();
        commits.dedup();
        if commits.is_empty() {
            return Ok(Imported::default());
        }
        if let Err(problem) = self.copy_objects(&git_dir, &commits, scratch, caps)? {
            return Ok(Imported::refused(problem, &git_dir));
        }
        let mut tips = self.independent(&commits)?;
        let problem = (tips.len() > TIPS_MAX).then_some("it has more branches than are kept");
        tips.truncate(TIPS_MAX);
        Ok(Imported { tips, keep_git_dir: problem.is_some(), problem })
    }

    /// Tells whether the agent's store is as it was made, apart from objects.
    pub(super) fn agent_objects_are_own(&self, workspace: &Workspace) -> bool {
        let objects = workspace.git_dir().join("objects");
        if workspace.reader {
            return objects_are_own(&objects, None);
        }
        // A store that is gone lends nothing; what was borrowed from it is where the project is now.
        let lost = workspace.lost_alternates();
        objects_are_own(&objects, Some(&self.alternates()))
            || lost.is_some_and(|lost| objects_are_own(&objects, Some(&lost)))
    }

    /// Prepares a call that also sees the agent's objects.
    pub(super) fn call_with_agent_objects<const N: usize>(
        &self,
        git_dir: &Path,
        arguments: [&str; N],
    ) -> super::command::Call {
        self.call(arguments)
            .env("GIT_OBJECT_DIRECTORY", git_dir.join("objects"))
            .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", alternates_value(&self.objects_dir()))
    }

    fn existing_commits(
        &self,
        git_dir: &Path,
        questions: String,
    ) -> Result<Vec<ObjectId>, GitError> {
        if questions.is_empty() {
            return Ok(Vec::new());
        }
        let answers = self
            .call_with_agent_objects(
                git_dir,
                ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
            )
            .input(questions.into_bytes())
            .output("look for the commits in", git_dir.as_os_str())?;
        let found: BTreeSet<ObjectId> = String::from_utf8_lossy(&answers)
            .lines()
            .filter_map(|line| ObjectId::parse(line.strip_suffix(" commit")?).ok())
            .collect();
        Ok(found.into_iter().collect())
    }

    /// Copies what the agent's store has and the person's has not. The inner result says why not.
    pub(super) fn copy_objects(
        &self,
        git_dir: &Path,
        commits: &[ObjectId],
        scratch: &Path,
        caps: &Caps,
    ) -> Result<Result<(), &'static str>, GitError> {
        let prefix = scratch.join("agent");
        let Some(target) = prefix.to_str() else {
            return Ok(Err("its path is not text"));
        };
        let wanted: String = commits.iter().map(|id| format!("{id}\n")).collect();
        let packed = self
            .call_with_agent_objects(
                git_dir,
                ["pack-objects", "--quiet", "--revs", "--local", target],
            )
            .input(wanted.into_bytes())
            .answer()?;
        if !packed.status.success() {
            return Ok(Err("its objects are damaged"));
        }
        let name = String::from_utf8_lossy(&packed.stdout).trim().to_owned();
        let pack = PathBuf::from(format!("{target}-{name}.pack"));
        let Ok(found) = fs::metadata(&pack) else {
            // All objects were in the person's store already.
            return Ok(Ok(()));
        };
        if found.len() > caps.work_bytes_max {
            return Ok(Err("its commits are larger than the cap"));
        }
        let arguments = match found.len() <= UNPACK_BYTES_MAX {
            true => vec!["unpack-objects", "-q"],
            false => vec!["index-pack", "--stdin"],
        };
        let taken = self.call(arguments).answer_to(|out| {
            let mut file = File::open(&pack)?;
            io::copy(&mut file, out).map(drop)
        })?;
        Ok(match taken.status.success() {
            true => Ok(()),
            false => Err("its objects are damaged"),
        })
    }
}

/// Collects every id that refs and logs name; `None` if there are more than a person would make.
fn named_ids(git_dir: &Path) -> Option<BTreeSet<ObjectId>> {
    let mut ids = BTreeSet::new();
    let mut files: Vec<PathBuf> =
        ["HEAD", "ORIG_HEAD", "packed-refs"].iter().map(|name| git_dir.join(name)).collect();
    let mut directories = vec![git_dir.join("refs"), git_dir.join("logs")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok) {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => directories.push(entry.path()),
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                Ok(_) | Err(_) => {}
            }
        }
        if files.len() > FILES_MAX || directories.len() > FILES_MAX {
            return None;
        }
    }
    for file in files {
        let text = read_bounded(&file);
        let words = text.split(|byte| byte.is_ascii_whitespace());
        ids.extend(words.filter_map(|word| ObjectId::parse(std::str::from_utf8(word).ok()?).ok()));
        if ids.len() > COMMITS_MAX {
            return None;
        }
    }
    Some(ids)
}

/// The objects of a store that lie in files of their own, as far as they are few: whoever tidies refs and logs away leaves them.
fn loose_ids(objects: &Path) -> BTreeSet<ObjectId> {
    let name = |entry: &fs::DirEntry| entry.file_name().into_string().ok();
    let entries = |path: &Path| fs::read_dir(path).into_iter().flatten().filter_map(Result::ok);
    let directories = entries(objects).filter(|entry| {
        name(entry).is_some_and(|name| name.len() == 2)
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
    });
    directories
        .flat_map(|directory| {
            let first = name(&directory).unwrap_or_default();
            entries(&directory.path())
                .filter_map(|entry| ObjectId::parse(&format!("{first}{}", name(&entry)?)).ok())
                .collect::<Vec<_>>()
        })
        .take(COMMITS_MAX)
        .collect()
}

fn read_bounded(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let plain = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    if plain && let Ok(file) = File::open(path) {
        // A file that cannot be read names nothing.
        drop(file.take(FILE_BYTES_MAX).read_to_end(&mut bytes));
    }
    bytes
}

/// Tells whether a store has only its own files, and borrows from where it was told to.
fn objects_are_own(objects: &Path, alternates: Option<&[u8]>) -> bool {
    let borrowed = fs::read(objects.join("info/alternates")).ok();
    if borrowed.as_deref() != alternates || !is_real_directory(objects) {
        return false;
    }
    let mut directories = vec![objects.to_owned()];
    while let Some(directory) = directories.pop() {
        let Ok(entries) = fs::read_dir(&directory) else {
            return false;
        };
        for entry in entries {
            match entry.and_then(|entry| Ok((entry.file_type()?, entry.path()))) {
                Ok((kind, path)) if kind.is_dir() => directories.push(path),
                Ok((kind, _)) if kind.is_file() => {}
                Ok(_) | Err(_) => return false,
            }
        }
    }
    true
}

fn is_real_directory(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}
