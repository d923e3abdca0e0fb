//! Merges: one after another, tried again a few times, then a person's.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::Stdio,
};

/// What to do after a merge that did not work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Try it again.
    Retry,
    /// Leave it to a person.
    Escalate,
}

impl Decision {
    /// The word that callers know.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Escalate => "escalate",
        }
    }
}

/// How often each merge has failed, in files.
#[derive(Clone, Debug)]
pub struct Counters {
    /// Where the files are.
    pub directory: PathBuf,
}

impl Counters {
    /// Counts a failure. What cannot be counted could be tried for ever, so it is left to a person.
    pub fn failed(&self, merge: &str, tries_max: u64) -> Decision {
        let Some(file) = self.file(merge) else { return Decision::Escalate };
        let before =
            fs::read_to_string(&file).ok().and_then(|text| text.trim().parse::<u64>().ok());
        let count = before.unwrap_or(0).saturating_add(1);
        let written = fs::create_dir_all(&self.directory)
            .and_then(|()| fs::write(&file, format!("{count}\n")));
        if written.is_err() || count >= tries_max { Decision::Escalate } else { Decision::Retry }
    }

    /// Forgets what has failed.
    ///
    /// # Errors
    /// Fails if a counter is there and cannot be removed.
    pub fn clear(&self, merge: &str) -> io::Result<()> {
        let Some(file) = self.file(merge) else { return Ok(()) };
        match fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Err(_) | Ok(()) => Ok(()),
        }
    }

    /// A name from outside is one name, never a way to another place.
    fn file(&self, merge: &str) -> Option<PathBuf> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let name: String = merge.chars().map(|c| if plain(c) { c } else { '_' }).collect();
        (!name.is_empty()).then(|| self.directory.join(format!("{name}.count")))
    }
}

/// The commands of a merge, each called with the branch. One that is not there succeeds.
#[derive(Clone, Debug, Default)]
pub struct Hooks {
    /// Puts the branch onto where the base is now.
    pub rebase: Option<String>,
    /// Sees that it is still green.
    pub regate: Option<String>,
    /// Merges it.
    pub merge: Option<String>,
    /// Sees that the base is green afterwards.
    pub regression: Option<String>,
}

/// What became of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merged {
    /// It is in.
    Yes,
    /// It is in, and what it is in is red now.
    WithRegression,
    /// A step failed.
    Failed(&'static str, Decision),
}

impl Merged {
    /// The line that callers know.
    pub fn line(self) -> String {
        match self {
            Self::Yes => "merged".to_owned(),
            Self::WithRegression => "merged:regression-failed".to_owned(),
            Self::Failed(step, decision) => format!("{step}-failed:{}", decision.word()),
        }
    }

    /// The exit code that callers know.
    pub const fn code(self) -> u8 {
        match self {
            Self::Yes => 0,
            Self::Failed(..) => 1,
            Self::WithRegression => 2,
        }
    }
}

/// Merges a branch step by step.
pub fn merge(
    counters: &Counters,
    hooks: &Hooks,
    (merge, branch): (&str, &OsStr),
    tries_max: u64,
) -> Merged {
    let steps = [("rebase", &hooks.rebase), ("regate", &hooks.regate), ("merge", &hooks.merge)];
    for (name, hook) in steps {
        if !succeeds(hook.as_deref(), branch) {
            return Merged::Failed(name, counters.failed(merge, tries_max));
        }
    }
    if !succeeds(hooks.regression.as_deref(), branch) {
        return Merged::WithRegression;
    }
    // It is in; a counter that stays makes the next failure of the same name count more, which is the safe side.
    drop(counters.clear(merge));
    Merged::Yes
}

/// Runs a hook. What it prints is talk; what this program prints is read by others.
fn succeeds(hook: Option<&str>, branch: &OsStr) -> bool {
    let Some(hook) = hook.filter(|hook| !hook.trim().is_empty()) else { return true };
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(format!("{hook} \"$@\"")).arg("sh").arg(branch);
    shell.stdin(Stdio::null()).stdout(io::stderr());
    shell.status().is_ok_and(|status| status.success())
}

/// Where merges happen.
#[derive(Clone, Debug)]
pub struct Repository<'a> {
    /// The repository.
    pub directory: &'a Path,
    /// The branch that others are merged into.
    pub base: &'a str,
}

impl Repository<'_> {
    /// Puts a branch onto the base: that of `origin` if there is one.
    pub fn rebase(&self, branch: &OsStr) -> bool {
        let remote = format!("origin/{}", self.base);
        let known =
            self.git(&["rev-parse", "--verify", "--quiet", &format!("{remote}^{{commit}}")]);
        let onto = if known { remote } else { self.base.to_owned() };
        if self.git_on(&["checkout", "--quiet"], branch) && self.git(&["rebase", "--quiet", &onto])
        {
            return true;
        }
        // Nothing half done may be left behind.
        self.git(&["rebase", "--abort"]);
        false
    }

    /// Merges a branch into the base, with a commit of its own. Nothing is pushed.
    pub fn merge(&self, branch: &OsStr) -> bool {
        let merged = self.git(&["checkout", "--quiet", self.base])
            && self.git_on(&["merge", "--quiet", "--no-ff", "--no-edit"], branch);
        if !merged {
            self.git(&["merge", "--abort"]);
        }
        merged
    }

    fn git(&self, arguments: &[&str]) -> bool {
        self.run(arguments, None)
    }

    fn git_on(&self, arguments: &[&str], branch: &OsStr) -> bool {
        self.run(arguments, Some(branch))
    }

    fn run(&self, arguments: &[&str], branch: Option<&OsStr>) -> bool {
        let mut git = std::process::Command::new("git");
        git.arg("-C").arg(self.directory).args(arguments).args(branch);
        git.stdin(Stdio::null()).stdout(Stdio::null());
        git.status().is_ok_and(|status| status.success())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a37_failures_are_counted_until_a_person_is_asked() {
        let place = tempfile::tempdir().unwrap();
        let counters = Counters { directory: place.path().join("counts") };
        let words: Vec<&str> = (0..4).map(|_| counters.failed("12", 3).word()).collect();
        assert_eq!(words, ["retry", "retry", "escalate", "escalate"]);
        counters.clear("12").unwrap();
        counters.clear("12").unwrap();
        assert_eq!(counters.failed("12", 3), Decision::Retry);
        fs::write(place.path().join("file"), "").unwrap();
        let nowhere = Counters { directory: place.path().join("file/counts") };
        assert_eq!(nowhere.failed("12", 3), Decision::Escalate);
    }

    #[test]
    fn a37_each_step_has_its_own_word() {
        let place = tempfile::tempdir().unwrap();
        let counters = Counters { directory: place.path().to_owned() };
        let no = Some("false".to_owned());
        let rows = [
            (Hooks::default(), "merged", 0),
            (Hooks { rebase: no.clone(), ..Hooks::default() }, "rebase-failed:retry", 1),
            (Hooks { regate: no.clone(), ..Hooks::default() }, "regate-failed:retry", 1),
            (Hooks { merge: no.clone(), ..Hooks::default() }, "merge-failed:retry", 1),
            (Hooks { regression: no, ..Hooks::default() }, "merged:regression-failed", 2),
        ];
        for (hooks, line, code) in rows {
            let merged = merge(&counters, &hooks, ("1", OsStr::new("b")), 99);
            assert_eq!((merged.line(), merged.code()), (line.to_owned(), code));
        }
    }

    #[test]
    fn a37_a_hook_gets_the_branch_as_one_word() {
        let place = tempfile::tempdir().unwrap();
        let counters = Counters { directory: place.path().to_owned() };
        let seen = place.path().join("seen");
        let hooks =
            Hooks { merge: Some(format!("printf %s > {}", seen.display())), ..Hooks::default() };
        merge(&counters, &hooks, ("1", OsStr::new("7-a; touch evil")), 3);
        assert_eq!(fs::read_to_string(seen).unwrap(), "7-a; touch evil");
    }
}
