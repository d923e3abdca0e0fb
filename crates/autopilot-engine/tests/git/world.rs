//! A repository and the usual steps on it.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use autopilot_engine::git::{
    Caps, Git, GitError, KeepAs, ObjectId, OwnRef, Project, Snapshot, Stamp, Workspace,
    WorkspaceKind, WorkspaceSpec,
};
use autopilot_testkit::repository::{Sandbox, write};

pub(crate) struct World {
    pub(crate) sandbox: Sandbox,
    pub(crate) project: Project,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    /// Prepares the repository before it is opened.
    pub(crate) fn with(prepare: impl FnOnce(&Sandbox)) -> Self {
        let sandbox = Sandbox::new();
        prepare(&sandbox);
        Self::open(sandbox)
    }

    pub(crate) fn open(sandbox: Sandbox) -> Self {
        let project = open(&sandbox, &sandbox.project()).unwrap();
        Self { sandbox, project }
    }

    pub(crate) fn head(&self) -> ObjectId {
        self.project.head().unwrap().commit
    }

    pub(crate) fn spec(&self, name: &str, kind: WorkspaceKind) -> WorkspaceSpec {
        WorkspaceSpec {
            path: self.sandbox.state().join(name),
            base: self.head(),
            branch: OwnRef::branch(&format!("r1/{name}/1")).unwrap(),
            kind,
        }
    }

    pub(crate) fn writer(&self, name: &str) -> Workspace {
        let spec = self.spec(name, WorkspaceKind::Writer);
        self.project.create_workspace(&spec).unwrap()
    }

    pub(crate) fn reader(&self, name: &str, hide: &[&str]) -> Workspace {
        let hide = hide.iter().map(|pattern| (*pattern).to_owned()).collect();
        let spec = self.spec(name, WorkspaceKind::Reader { hide });
        self.project.create_workspace(&spec).unwrap()
    }

    pub(crate) fn snapshot(&self, workspace: &Workspace) -> Snapshot {
        self.snapshot_within(workspace, &Caps::default()).unwrap()
    }

    pub(crate) fn snapshot_within(
        &self,
        workspace: &Workspace,
        caps: &Caps,
    ) -> Result<Snapshot, GitError> {
        let name = workspace.path().file_name().unwrap().to_str().unwrap();
        let reference = OwnRef::kept("r1", name, 1).unwrap();
        let keep = KeepAs { reference: &reference, message: "kept", stamp: &stamp() };
        self.project.snapshot(workspace, &keep, caps)
    }

    /// Lists the files of a commit or tree in the person's repository.
    pub(crate) fn files_of(&self, id: &ObjectId) -> Vec<String> {
        let listed = self.sandbox.git(["ls-tree", "-r", "-z", "--name-only", id.as_str()]);
        listed.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    pub(crate) fn content(&self, id: &ObjectId, path: &str) -> String {
        self.sandbox.git(["cat-file", "blob", &format!("{id}:{path}")])
    }

    pub(crate) fn git_in<S: AsRef<OsStr>>(
        &self,
        workspace: &Workspace,
        arguments: impl IntoIterator<Item = S>,
    ) -> String {
        self.sandbox.git_in(&workspace.files(), arguments)
    }
}

pub(crate) fn open(sandbox: &Sandbox, path: &Path) -> Result<Project, GitError> {
    Project::open(path, Git::with_environment(sandbox.environment()))
}

pub(crate) fn stamp() -> Stamp {
    Stamp {
        name: "autopilot".into(),
        email: "autopilot@example.org".into(),
        seconds: 1_700_000_100,
    }
}

pub(crate) fn put(workspace: &Workspace, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = workspace.files().join(path);
    write(&path, content);
    path
}

pub(crate) fn remove(workspace: &Workspace, path: &str) {
    fs::remove_file(workspace.files().join(path)).unwrap();
}
