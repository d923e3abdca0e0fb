//! Asks git which paths of a workspace are ignored.

use std::{
    ffi::OsStr,
    io::{self, BufRead, BufReader, Write},
    os::unix::ffi::OsStrExt,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use super::{GitError, GitErrorKind, Project};

/// A running `git check-ignore`, started with the first question.
///
/// It runs on the person's repository with the workspace as its work tree, so that of the agent's files
/// only `.gitignore` counts and nothing of the agent's configuration is read.
pub(super) struct Ignored<'a> {
    project: &'a Project,
    files: &'a Path,
    running: Option<Running>,
}

struct Running {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl<'a> Ignored<'a> {
    pub(super) fn new(project: &'a Project, files: &'a Path) -> Self {
        Self { project, files, running: None }
    }

    /// Tells whether git ignores a path, or a directory above it.
    pub(super) fn covers(&mut self, path: &[u8]) -> Result<bool, GitError> {
        let failed = |error: io::Error| {
            GitError::new(
                "ask whether git ignores",
                OsStr::from_bytes(path),
                GitErrorKind::Io(error),
            )
        };
        let running = match &mut self.running {
            Some(running) => running,
            none => none.insert(start(self.project, self.files)?),
        };
        running.ask(path).map_err(failed)
    }
}

impl Drop for Ignored<'_> {
    fn drop(&mut self) {
        if let Some(Running { mut process, questions, answers }) = self.running.take() {
            drop((questions, answers));
            // It ends with its input; its exit code only says whether anything was ignored.
            drop(process.wait());
        }
    }
}

impl Running {
    fn ask(&mut self, path: &[u8]) -> io::Result<bool> {
        // A path is never a pattern here, whatever it starts with.
        let question = [b"./", path, b"\0"].concat();
        self.questions.write_all(&question)?;
        self.questions.flush()?;
        // Source, line, pattern, path: the first three are empty without a match.
        let mut pattern = Vec::new();
        for field in 0..4 {
            let mut bytes = Vec::new();
            self.answers.read_until(0, &mut bytes)?;
            if bytes.pop() != Some(0) {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if field == 2 {
                pattern = bytes;
            }
        }
        Ok(!pattern.is_empty() && !pattern.starts_with(b"!"))
    }
}

fn start(project: &Project, files: &Path) -> Result<Running, GitError> {
    let arguments = ["check-ignore", "-z", "--stdin", "--verbose", "--non-matching", "--no-index"];
    let mut process = project
        .git
        .call(files, arguments)
        .env("GIT_DIR", &project.git_dir)
        .env("GIT_WORK_TREE", files)
        // This command does not know it.
        .env("GIT_LITERAL_PATHSPECS", "0")
        .start(Stdio::piped())?;
    let streams = process.stdin.take().zip(process.stdout.take());
    let (questions, answers) = streams.expect("both streams were asked for as pipes");
    // It says nothing there that its exit does not say.
    drop(process.stderr.take());
    Ok(Running { process, questions, answers: BufReader::new(answers) })
}
