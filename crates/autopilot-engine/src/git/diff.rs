//! Compares two commits or trees.

use super::{GitError, GitErrorKind, ObjectId, Project};

/// How much two trees differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DiffStat {
    /// Files added, changed or removed.
    pub files: u64,
    /// Lines added, in files that are text.
    pub insertions: u64,
    /// Lines removed, in files that are text.
    pub deletions: u64,
}

/// One path that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What happened to it.
    pub kind: ChangeKind,
    /// The path, as bytes: it may not be text.
    pub path: Vec<u8>,
}

/// What happened to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// Its content or mode differs.
    Changed,
    /// It is gone.
    Removed,
}

/// A difference as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffText {
    /// The unified diff; names and content are bytes of the agent's.
    pub bytes: Vec<u8>,
    /// Whether it was cut at the limit.
    pub cut: bool,
}

/// No driver, no attribute and no setting may change or run anything.
const PLAIN: &[&str] = &[
    "-r",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--ignore-submodules=none",
];

impl Project {
    /// Counts what differs between two commits or trees.
    pub fn diff_stat(&self, base: &ObjectId, head: &ObjectId) -> Result<DiffStat, GitError> {
        let printed = self.diff(base, head, &["--numstat", "-z"])?;
        let mut stat = DiffStat::default();
        for line in printed.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            let text = String::from_utf8_lossy(line);
            let mut fields = text.splitn(3, '\t');
            let (Some(added), Some(removed), Some(_)) =
                (fields.next(), fields.next(), fields.next())
            else {
                return Err(unexpected(head, &text));
            };
            stat.files += 1;
            // Binary files have a dash.
            stat.insertions += added.parse::<u64>().unwrap_or(0);
            stat.deletions += removed.parse::<u64>().unwrap_or(0);
        }
        Ok(stat)
    }

    /// Lists the paths that differ between two commits or trees.
    pub fn tree_paths_changed(
        &self,
        base: &ObjectId,
        head: &ObjectId,
    ) -> Result<Vec<Change>, GitError> {
        let printed = self.diff(base, head, &["--name-status", "-z"])?;
        let mut fields = printed.split(|byte| *byte == 0).filter(|field| !field.is_empty());
        let mut changes = Vec::new();
        while let Some(status) = fields.next() {
            let path = fields.next().ok_or_else(|| unexpected(head, "a status without a path"))?;
            changes.push(Change {
                kind: match status {
                    b"A" => ChangeKind::Added,
                    b"D" => ChangeKind::Removed,
                    _ => ChangeKind::Changed,
                },
                path: path.to_vec(),
            });
        }
        Ok(changes)
    }

    /// Returns the difference between two commits or trees as text, up to a limit.
    pub fn diff_text(
        &self,
        base: &ObjectId,
        head: &ObjectId,
        bytes_max: usize,
    ) -> Result<DiffText, GitError> {
        let (bytes, cut) = self.call(arguments(base, head, &["-p"])).bounded_output(
            bytes_max,
            "compare",
            head.as_str().as_ref(),
        )?;
        Ok(DiffText { bytes, cut })
    }

    /// Whether some file of a commit holds a word, besides the files at or below these paths.
    pub fn names_word(
        &self,
        commit: &ObjectId,
        word: &str,
        besides: &[&str],
    ) -> Result<bool, GitError> {
        let mut arguments = vec!["grep".to_owned(), "-q".to_owned(), "-w".to_owned()];
        arguments.extend(["-F", "-e", word, commit.as_str(), "--"].map(str::to_owned));
        arguments.push(":(top)".to_owned());
        arguments.extend(besides.iter().map(|path| format!(":(top,exclude,literal){path}")));
        // Other calls take paths as they are; this one has to leave some out.
        let answer = self.call(&arguments).env("GIT_LITERAL_PATHSPECS", "0").answer()?;
        match answer.status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => answer.success("search", commit.as_str().as_ref()).map(|_| false),
        }
    }

    fn diff(&self, base: &ObjectId, head: &ObjectId, how: &[&str]) -> Result<Vec<u8>, GitError> {
        self.call(arguments(base, head, how)).output("compare", head.as_str().as_ref())
    }
}

fn arguments<'a>(base: &'a ObjectId, head: &'a ObjectId, how: &[&'a str]) -> Vec<&'a str> {
    [&["diff-tree"], PLAIN, how, &[base.as_str(), head.as_str()]].concat()
}

fn unexpected(head: &ObjectId, text: &str) -> GitError {
    GitError::new("compare", head.as_str(), GitErrorKind::Unexpected(text.to_owned()))
}
