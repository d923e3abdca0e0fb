//! Looks at what every effect stands on, after one has failed in words that nobody knows.
//!
//! Git says in words only why it failed, and there are many. So the ground itself is tried: whether git starts,
//! whether the repository is there and takes an object, whether the filters that its files must pass work.

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt, path::Path};

use super::{GitError, GitErrorKind, ObjectId, Project, error::says_filter};
use crate::error::Ground;

/// What is stored to see whether anything can be.
const SAMPLE: &[u8] = b"autopilot: see whether an object can be stored\n";

impl Project {
    /// Fails if the repository cannot be used any more; `base` is a commit that must be in it.
    pub fn probe(&self, base: &ObjectId) -> Result<(), GitError> {
        let lost = |why: String| self.gave_way(Ground::NoRepository, why);
        for place in [&self.checkout, &self.git_dir, &self.common_dir] {
            if !place.is_dir() {
                return Err(lost(format!("`{}` is not there any more", place.display())));
            }
        }
        let wanted = format!("{base}^{{tree}}");
        let arguments = ["rev-parse", "--verify", "--end-of-options", &wanted];
        let answer = self.call(arguments).answer()?;
        if !answer.status.success() {
            return Err(lost(answer.stderr));
        }
        let stored = self.call(["hash-object", "-w", "--stdin"]).input(SAMPLE.to_vec()).answer()?;
        match stored.status.success() {
            true => Ok(()),
            false => Err(self.gave_way(Ground::Unusable, stored.stderr)),
        }
    }

    /// Fails if a filter does not work for files as they are in a commit or tree, or for an empty one at `path`: then it
    /// is not what somebody wrote that makes it fail. `scratch` is an empty directory.
    pub(crate) fn probe_filters(
        &self,
        base: &ObjectId,
        path: Option<&[u8]>,
        scratch: &Path,
    ) -> Result<(), GitError> {
        let files = scratch.join("files");
        fs::create_dir(&files).map_err(|error| GitError::io("make", &files, error))?;
        let index = scratch.join("index");
        let call = |arguments: &[&OsStr]| {
            let call = self.git.call(&files, arguments).env("GIT_DIR", &self.git_dir);
            call.env("GIT_WORK_TREE", &files).env("GIT_INDEX_FILE", &index)
        };
        let read = [OsStr::new("read-tree"), OsStr::new(base.as_str())];
        call(&read).output("read", base.as_str().as_ref())?;
        self.must_pass(
            &call(&["checkout-index", "--all", "--quiet"].map(OsStr::new)).answer()?.stderr,
        )?;
        let listed = call(&["ls-files", "-z", "--stage"].map(OsStr::new))
            .output("list", files.as_os_str())?;
        let mut paths = Vec::new();
        for line in listed.split(|byte| *byte == 0).filter(|line| !line.starts_with(b"160000")) {
            if let Some(tab) = line.iter().position(|byte| *byte == b'\t') {
                paths.extend_from_slice(&line[tab + 1..]);
                paths.push(0);
            }
        }
        let update =
            call(&["update-index", "-z", "--stdin"].map(OsStr::new)).input(paths).answer()?;
        self.must_pass(&update.stderr)?;
        if let Some(path) = path {
            let path = [b"--path=", path].concat();
            let hash = [OsStr::new("hash-object"), OsStr::new("--stdin"), OsStr::from_bytes(&path)];
            self.must_pass(&call(&hash).answer()?.stderr)?;
        }
        Ok(())
    }

    fn must_pass(&self, stderr: &str) -> Result<(), GitError> {
        match says_filter(stderr) {
            true => Err(self.gave_way(Ground::Filter, stderr.to_owned())),
            false => Ok(()),
        }
    }

    fn gave_way(&self, ground: Ground, why: String) -> GitError {
        GitError::new(
            "use the repository of",
            &self.checkout,
            GitErrorKind::GaveWay { ground, why },
        )
    }
}
