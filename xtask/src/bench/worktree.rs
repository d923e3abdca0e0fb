//! How long a workspace takes to make and to look at, against the git program.
//!
//! Nothing is removed while it is measured: on ext4 creating files soon after a mass delete is slow, for minutes.
//! Where other benchmarks have just run, `TMPDIR=/dev/shm` shows what the file system hides.

use std::{
    cell::Cell,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::AtomicBool,
    time::Duration,
};

use autopilot_engine::git::{
    Caps, Git, KeepAs, Made, ObjectId, OwnRef, Project, Spare, Stamp, Workspace, WorkspaceKind,
    WorkspaceSpec,
};
use tempfile::TempDir;

use super::{
    contest::{Contest, timed},
    measure::anonymous_kib,
};
use crate::shell::{Outcome, say};

/// A workspace must be ready in half the time that git takes.
const READY_RATIO_MAX: f64 = 0.5;
/// How many files are others than those of the spare.
const CHANGED: usize = 10;

/// Measures with a thousand and with ten thousand files.
pub(crate) fn run() -> Outcome {
    // The first is still there while the second is measured, so that nothing was removed shortly before.
    let settings = [(Setting::new(1000)?, 15), (Setting::new(10_000)?, 5)];
    for (setting, rounds) in &settings {
        setting.making(*rounds)?;
        setting.looking(*rounds)?;
        say(&format!("  anonymous memory now: {} KiB\n", anonymous_kib().unwrap_or(0)))?;
    }
    Ok(())
}

struct Setting {
    directory: TempDir,
    project: Project,
    /// What spares are made of.
    before: ObjectId,
    /// What workspaces are made of: the same but for some files.
    base: ObjectId,
    files: usize,
    serial: Cell<u32>,
}

impl Setting {
    fn new(files: usize) -> Result<Self, String> {
        let directory = tempfile::tempdir().map_err(text)?;
        let path = directory.path().join("project");
        fs::create_dir(&path).map_err(text)?;
        // The records of workspaces are made beside their directory, and go with it.
        fs::create_dir(directory.path().join("work")).map_err(text)?;
        for number in 0..files {
            let file = path.join(format!("d{}/e{}/f{number}.rs", number / 400, number / 20));
            fs::create_dir_all(file.parent().unwrap_or(&path)).map_err(text)?;
            fs::write(&file, source_file(number)).map_err(text)?;
        }
        git(&path, ["init", "--quiet"])?;
        git(&path, ["config", "maintenance.auto", "false"])?;
        git(&path, ["config", "user.email", "bench@example.org"])?;
        git(&path, ["config", "user.name", "bench"])?;
        commit(&path)?;
        let project = Project::open(&path, Git::from_own_environment()).map_err(text)?;
        let before = project.head().map_err(text)?.commit;
        for number in (0..files).step_by(files / CHANGED) {
            let file = path.join(format!("d{}/e{}/f{number}.rs", number / 400, number / 20));
            fs::write(&file, source_file(files + number)).map_err(text)?;
        }
        commit(&path)?;
        git(&path, ["repack", "-a", "-d", "--quiet"])?;
        let base = project.head().map_err(text)?.commit;
        Ok(Self { directory, project, before, base, files, serial: Cell::new(0) })
    }

    fn making(&self, rounds: usize) -> Outcome {
        let reader = || WorkspaceKind::Reader { hide: vec!["d0/e1".to_owned()] };
        Contest::new(&format!("a place to work in, {} files", self.files))
            .add("git worktree add", || self.by_git(&[]))
            .add("git worktree add, 2 workers", || {
                self.by_git(&[
                    "-c",
                    "checkout.workers=2",
                    "-c",
                    "checkout.thresholdForParallelism=1",
                ])
            })
            .add("writer, from nothing", || self.ready(WorkspaceKind::Writer, None))
            .add("writer, from a spare", || self.ready(WorkspaceKind::Writer, Some(self.spare()?)))
            .at_most(READY_RATIO_MAX)
            .add("reader, from nothing", || self.ready(reader(), None))
            .add("reader, from a spare", || self.ready(reader(), Some(self.spare()?)))
            .add("a spare, in the background", || {
                // Only given up: nothing is removed here.
                timed(|| self.spare().map(Spare::retire))
            })
            .run(rounds)
    }

    fn looking(&self, rounds: usize) -> Outcome {
        let quiet = self.workspace(WorkspaceKind::Writer, None)?.workspace;
        let busy = self.workspace(WorkspaceKind::Writer, None)?.workspace;
        let content = Cell::new(0);
        Contest::new(&format!("what was done, {} files", self.files))
            .add("git status", || {
                timed(|| {
                    git(self.project.checkout(), ["--no-optional-locks", "status", "--porcelain"])
                })
            })
            .add("snapshot, nothing changed", || timed(|| self.snapshot(&quiet)))
            .add("snapshot, 10 files changed", || {
                content.set(content.get() + 1);
                for number in 0..10 {
                    let file = busy.files().join(format!("new{number}"));
                    fs::write(file, format!("{} {number}\n", content.get())).map_err(text)?;
                }
                timed(|| self.snapshot(&busy))
            })
            .run(rounds * 2)
    }

    fn by_git(&self, settings: &[&str]) -> Result<Duration, String> {
        let path = self.next();
        let arguments = settings
            .iter()
            .map(OsStr::new)
            .chain(["worktree", "add", "--quiet", "--detach"].map(OsStr::new))
            .chain([path.as_os_str(), OsStr::new("HEAD")]);
        timed(|| git(self.project.checkout(), arguments))
    }

    /// Times the making of a workspace; that of its spare was nobody's time.
    fn ready(&self, kind: WorkspaceKind, spare: Option<Spare>) -> Result<Duration, String> {
        let mut unused = None;
        let time = timed(|| self.workspace(kind, spare).map(|made| unused = made.unused))?;
        match unused {
            None => Ok(time),
            Some(_) => Err("the spare did not fit".to_owned()),
        }
    }

    fn workspace(&self, kind: WorkspaceKind, spare: Option<Spare>) -> Result<Made, String> {
        let spec = WorkspaceSpec {
            path: self.next(),
            base: self.base.clone(),
            branch: OwnRef::branch("bench/step/1").map_err(text)?,
            kind,
        };
        self.project.create_workspace_from(&spec, spare).map_err(text)
    }

    fn spare(&self) -> Result<Spare, String> {
        let above = self.directory.path().join("spare");
        self.project.prepare_spare(&self.before, &above, &AtomicBool::new(false)).map_err(text)
    }

    fn snapshot(&self, workspace: &Workspace) -> Outcome {
        self.serial.set(self.serial.get() + 1);
        let reference = OwnRef::kept("bench", "step", self.serial.get()).map_err(text)?;
        let stamp = Stamp { name: "bench".into(), email: "bench@example.org".into(), seconds: 0 };
        let keep = KeepAs { reference: &reference, message: "kept", stamp: &stamp };
        self.project.snapshot(workspace, &keep, &Caps::default()).map_err(text)?;
        Ok(())
    }

    fn next(&self) -> PathBuf {
        self.serial.set(self.serial.get() + 1);
        self.directory.path().join(format!("work/w{}", self.serial.get()))
    }
}

/// Makes a text of some kilobytes that no other file is like.
fn source_file(number: usize) -> String {
    let mut seed = number as u64 + 1;
    let mut content = String::new();
    for _ in 0..40 + number % 80 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        content += &format!("    let value_{:x} = compute({});\n", seed >> 40, seed >> 50);
    }
    content
}

fn commit(project: &Path) -> Outcome {
    git(project, ["add", "--all"])?;
    git(project, ["commit", "--quiet", "-m", "bench"])
}

fn git<S: AsRef<OsStr>>(directory: &Path, arguments: impl IntoIterator<Item = S>) -> Outcome {
    let output =
        Command::new("git").args(arguments).current_dir(directory).output().map_err(text)?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn text(error: impl std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text += &format!(": {inner}");
        cause = inner.source();
    }
    text
}
