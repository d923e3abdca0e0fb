//! A private place for one attempt: files to work on and a small repository of their own.
//!
//! ```text
//! <above>/work/<name>/files/          what the agent sees, with its own `.git`
//! <above>/records/<name>/index        the engine's index of the files
//! <above>/records/<name>/workspace    what it was made from; written last, so a half-made workspace is not one
//! ```
//!
//! The engine's own files are not where `..` leads an agent. They are not believed either: what cannot be read as
//! a workspace any more is kept file by file.

use std::{
    ffi::OsStr,
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    thread,
};

use super::{
    GitError, GitErrorKind, ObjectId, OwnRef, Project, Spare, Stamp,
    checkout::{Checkout, Hidden},
    command::Call,
    config,
    objects::{copy_index, stamped},
    project::parse_id,
    remove::remove_tree,
    spare::Adopted,
};
use crate::private::{create_dir, create_dirs};

/// The record that tells of a workspace that it is whole, and what it was made from.
const MADE: &str = "workspace";

/// What to make.
#[derive(Debug, Clone)]
pub struct WorkspaceSpec {
    /// Where; must not exist.
    pub path: PathBuf,
    /// The commit that the files are taken from.
    pub base: ObjectId,
    /// The branch that the workspace's HEAD is on.
    pub branch: OwnRef,
    /// For whom.
    pub kind: WorkspaceKind,
}

/// For whom a workspace is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkspaceKind {
    /// One who changes files: sees the history, through the person's object store.
    Writer,
    /// One who judges: gets one commit without parents and only the objects of that commit.
    Reader {
        /// Paths that are left out with all below them; `*`, `?`, `[…]` and `**` as in git.
        hide: Vec<String>,
    },
}

/// What came of making a workspace.
#[derive(Debug)]
pub struct Made {
    /// The workspace.
    pub workspace: Workspace,
    /// How many files it has.
    pub files: usize,
    /// The spare that was offered and did not fit.
    pub unused: Option<Spare>,
}

/// A workspace that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    pub(super) path: PathBuf,
    pub(super) reader: bool,
    pub(super) base: ObjectId,
    pub(super) tree: ObjectId,
    pub(super) branch: OwnRef,
}

impl Workspace {
    /// Returns the directory that the agent works in.
    pub fn files(&self) -> PathBuf {
        self.path.join("files")
    }

    /// Returns the directory that holds it all.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the commit at its HEAD when it was made: for a reader, the exported one.
    pub fn base(&self) -> &ObjectId {
        &self.base
    }

    /// Returns the branch that its HEAD was on when it was made.
    pub fn branch(&self) -> &OwnRef {
        &self.branch
    }

    /// Returns the directory of the engine's own files about it.
    pub fn records(&self) -> PathBuf {
        records_of(&self.path)
    }

    /// Opens a workspace that an earlier process has made.
    pub fn open(path: &Path) -> Result<Self, GitError> {
        let failed = |kind| GitError::new("open the workspace", path, kind);
        let text = match fs::read(records_of(path).join(MADE)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(failed(GitErrorKind::NotAWorkspace));
            }
            Err(error) => return Err(failed(error.into())),
        };
        Self::parse(path, &text).ok_or_else(|| failed(GitErrorKind::NotAWorkspace))
    }

    fn parse(path: &Path, text: &[u8]) -> Option<Self> {
        let lines: Vec<&str> = std::str::from_utf8(text).ok()?.lines().collect();
        let &["autopilot-workspace 1", kind, base, tree, branch] = lines.as_slice() else {
            return None;
        };
        Some(Self {
            path: path.to_owned(),
            reader: kind == "reader",
            base: ObjectId::parse(base).ok()?,
            tree: ObjectId::parse(tree).ok()?,
            branch: OwnRef::parse(branch).ok()?,
        })
    }

    pub(super) fn index(&self) -> PathBuf {
        self.records().join("index")
    }

    /// The file that was written last; its time is that of the hand-over.
    pub(super) fn made(&self) -> PathBuf {
        self.records().join(MADE)
    }

    /// The record of the store that a writer's repository borrows from.
    fn borrowed_from(&self) -> PathBuf {
        self.records().join("borrowed-from")
    }

    /// Returns the line by which the workspace borrowed from a store that is gone: the project was moved since.
    pub(super) fn lost_alternates(&self) -> Option<Vec<u8>> {
        let recorded = fs::read(self.borrowed_from()).ok()?;
        let is_gone = !Path::new(OsStr::from_bytes(&recorded)).exists();
        is_gone.then(|| alternates_line(&recorded))
    }

    /// The index of a reader's files as they were exported; their times are not in it.
    pub(super) fn base_index(&self) -> PathBuf {
        self.records().join("base-index")
    }

    pub(super) fn git_dir(&self) -> PathBuf {
        self.path.join("files/.git")
    }

    fn record(&self) -> Result<(), GitError> {
        let kind = if self.reader { "reader" } else { "writer" };
        let text = format!(
            "autopilot-workspace 1\n{kind}\n{}\n{}\n{}\n",
            self.base, self.tree, self.branch
        );
        write(&self.made(), text.as_bytes())
    }
}

impl Project {
    /// Makes a workspace: a directory with the files of a commit and a repository of its own.
    pub fn create_workspace(&self, spec: &WorkspaceSpec) -> Result<Workspace, GitError> {
        Ok(self.create_workspace_from(spec, None)?.workspace)
    }

    /// Makes the same of a spare, if that fits. Nothing tells afterwards what it was made of, but the age of its files.
    pub fn create_workspace_from(
        &self,
        spec: &WorkspaceSpec,
        spare: Option<Spare>,
    ) -> Result<Made, GitError> {
        let path = &spec.path;
        create_dir(path).map_err(|error| match error.kind() == io::ErrorKind::AlreadyExists {
            true => GitError::new("make the workspace", path, GitErrorKind::Occupied),
            false => GitError::io("make the workspace", path, error),
        })?;
        let records = records_of(path);
        // What a removal that was cut off has left belongs to an earlier workspace of this name.
        remove_tree(&records)?;
        create_dirs(&records).map_err(|error| GitError::io("make", &records, error))?;
        let hidden = match &spec.kind {
            WorkspaceKind::Writer => Hidden::default(),
            WorkspaceKind::Reader { hide } => Hidden::new(hide),
        };
        let mut checkout = Checkout::prepare(self, &spec.base, &hidden)?;
        let mut workspace = Workspace {
            path: path.clone(),
            reader: matches!(spec.kind, WorkspaceKind::Reader { .. }),
            base: spec.base.clone(),
            tree: checkout.tree().clone(),
            branch: spec.branch.clone(),
        };
        if workspace.reader {
            checkout.write_index(&workspace.base_index())?;
        }
        let files = workspace.files();
        let adopted = spare.map(|spare| checkout.adopt(spare, &files));
        let is_whole = matches!(adopted, Some(Adopted::Whole));
        if !is_whole {
            make(&files)?;
        }
        let mut write_files = || if is_whole { Ok(()) } else { checkout.write_files(&files) };
        self.make_git_dir(&workspace)?;
        if workspace.reader {
            (workspace.base, workspace.tree) = thread::scope(|scope| {
                let exporting = scope.spawn(|| self.export_one_commit(&workspace));
                write_files()?;
                exporting.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })?;
        } else {
            write_files()?;
        }
        checkout.write_index(&workspace.index())?;
        self.write_git_dir(&workspace)?;
        // Last: its time is the time from which on an agent can have changed a file.
        workspace.record()?;
        let unused = match adopted {
            Some(Adopted::Refused(spare)) => Some(spare),
            Some(Adopted::Whole | Adopted::Broken) | None => None,
        };
        Ok(Made { workspace, files: checkout.index.entries().len(), unused })
    }

    /// Makes the directories of a workspace's repository, and where it finds objects if that is elsewhere.
    fn make_git_dir(&self, workspace: &Workspace) -> Result<(), GitError> {
        let git_dir = workspace.git_dir();
        make(&git_dir)?;
        for directory in ["objects", "objects/info", "objects/pack", "refs", "info"] {
            make(&git_dir.join(directory))?;
        }
        if workspace.reader {
            return Ok(());
        }
        write(&git_dir.join("objects/info/alternates"), &self.alternates())?;
        write(&workspace.borrowed_from(), self.objects_dir().as_os_str().as_bytes())?;
        self.copy_shallow(&git_dir)
    }

    /// Returns the line by which a writer's repository borrows the person's objects.
    pub(super) fn alternates(&self) -> Vec<u8> {
        alternates_line(self.objects_dir().as_os_str().as_bytes())
    }

    fn write_git_dir(&self, workspace: &Workspace) -> Result<(), GitError> {
        let git_dir = workspace.git_dir();
        let branch = workspace.branch.as_str();
        write(&git_dir.join("HEAD"), format!("ref: {branch}\n").as_bytes())?;
        let head = git_dir.join(branch);
        if let Some(parent) = head.parent() {
            create_dirs(parent).map_err(|error| GitError::io("make", parent, error))?;
        }
        write(&head, format!("{}\n", workspace.base).as_bytes())?;
        write(&git_dir.join("config"), self.workspace_config().as_bytes())?;
        for name in ["info/exclude", "info/attributes"] {
            copy_if_there(&self.common_dir.join(name), &git_dir.join(name))?;
        }
        copy_index(&workspace.index(), &git_dir.join("index"))
    }

    fn workspace_config(&self) -> String {
        let mut text = self.format.to_config();
        let fixed = [
            ("user.name", "autopilot agent"),
            ("user.email", "agent@autopilot.invalid"),
            ("core.bare", "false"),
            ("core.logallrefupdates", "true"),
            // Hooks of the person's global settings are not for agents.
            ("core.hookspath", "/dev/null"),
            ("core.fsmonitor", "false"),
            ("commit.gpgsign", "false"),
            ("tag.gpgsign", "false"),
            ("gc.auto", "0"),
            ("maintenance.auto", "false"),
        ];
        for (name, value) in fixed {
            text += &config::line(name, value);
        }
        // Files kept by git-lfs are found where the person's repository has them.
        let lfs = self.common_dir.join("lfs");
        if let Some(lfs) = lfs.to_str().filter(|_| lfs.is_dir()) {
            text += &config::line("lfs.storage", lfs);
        }
        text + &self.settings.to_file()
    }

    fn copy_shallow(&self, git_dir: &Path) -> Result<(), GitError> {
        match self.shallow {
            true => copy_if_there(&self.common_dir.join("shallow"), &git_dir.join("shallow")),
            false => Ok(()),
        }
    }

    /// Makes the commit of a reader's repository in the person's store.
    pub(super) fn exported_commit(&self, tree: &ObjectId) -> Result<ObjectId, GitError> {
        parse_id(&self.export_call(tree).output("make a commit of", tree.as_str().as_ref())?)
    }

    /// The same tree gives the same commit.
    fn export_call(&self, tree: &ObjectId) -> Call {
        let stamp = Stamp {
            name: "autopilot".into(),
            email: "export@autopilot.invalid".into(),
            seconds: 0,
        };
        stamped(self.call(["commit-tree", "-m", "export", tree.as_str()]), &stamp)
    }

    /// Gives a reader's repository one commit without parents, and the objects of that commit only.
    fn export_one_commit(&self, workspace: &Workspace) -> Result<(ObjectId, ObjectId), GitError> {
        let objects = workspace.git_dir().join("objects");
        let subject = workspace.path.as_os_str();
        let own_store = |call: Call| {
            let borrowed = alternates_value(&self.objects_dir());
            call.env("GIT_OBJECT_DIRECTORY", &objects)
                .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", borrowed)
        };
        let tree = own_store(self.call(["write-tree"]))
            .env("GIT_INDEX_FILE", workspace.base_index())
            .output("export the files to", subject)?;
        let tree = parse_id(&tree)?;
        let commit = own_store(self.export_call(&tree)).output("export the files to", subject)?;
        let commit = parse_id(&commit)?;
        let arguments = ["pack-objects", "--quiet", "--revs", "--window=0"].map(OsStr::new);
        let target = objects.join("pack/pack");
        own_store(self.call(arguments.into_iter().chain([target.as_os_str()])))
            .input(format!("{commit}\n").into_bytes())
            .output("export the objects to", subject)?;
        Ok((commit, tree))
    }
}

/// Returns where the engine's own files about a workspace are.
pub fn records_of(path: &Path) -> PathBuf {
    let above = path.parent().unwrap_or(path);
    above.with_file_name("records").join(path.file_name().unwrap_or_default())
}

fn alternates_line(objects: &[u8]) -> Vec<u8> {
    [&super::keep::quoted(objects)[..], b"\n"].concat()
}

/// The variable separates paths by colons unless they are quoted.
pub(super) fn alternates_value(objects: &Path) -> std::ffi::OsString {
    let bytes = objects.as_os_str().as_bytes();
    match bytes.contains(&b':') {
        true => OsStr::from_bytes(&super::keep::force_quoted(bytes)).to_owned(),
        false => objects.as_os_str().to_owned(),
    }
}

fn make(path: &Path) -> Result<(), GitError> {
    create_dir(path).map_err(|error| GitError::io("make", path, error))
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), GitError> {
    fs::write(path, bytes).map_err(|error| GitError::io("write", path, error))
}

pub(super) fn copy_if_there(from: &Path, to: &Path) -> Result<(), GitError> {
    match fs::copy(from, to) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(GitError::io("copy", from, error)),
    }
}
