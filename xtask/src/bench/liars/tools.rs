//! The tools that cases need, and where they are found.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::shell;

/// What every program of a benchmark is started with.
#[derive(Debug)]
pub(super) struct Tools {
    /// The program.
    pub(super) autopilot: PathBuf,
    path: OsString,
    /// What compilers may share between cases, by content.
    cache: tempfile::TempDir,
}

impl Tools {
    /// Builds the program and finds the rest.
    pub(super) fn find() -> Result<Self, String> {
        let cache = tempfile::tempdir().map_err(|error| error.to_string())?;
        let built = shell::build_like_this("autopilot", "autopilot")?;
        // Whoever builds it again meanwhile does not change what is measured.
        let autopilot = cache.path().join("autopilot");
        fs::copy(&built, &autopilot).map_err(|error| error.to_string())?;
        Ok(Self { autopilot, path: path(), cache })
    }

    /// Whether a command that only asks for a version goes well.
    pub(super) fn has(&self, probe: &str) -> bool {
        let mut command = Command::new("sh");
        command.args(["-c", probe]).env("PATH", &self.path);
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        status.status().is_ok_and(|status| status.success())
    }

    /// The variables beside those of a sandbox; `first` is searched before everything else.
    pub(super) fn environment(&self, first: Option<&Path>) -> Vec<(&'static str, OsString)> {
        let mut path = OsString::new();
        if let Some(first) = first {
            path.push(first);
            path.push(":");
        }
        path.push(&self.path);
        vec![("PATH", path), ("GOCACHE", self.cache.path().join("go").into())]
    }
}

/// The search path, with the compiler itself before the proxies that look for it in a person's home.
fn path() -> OsString {
    let own = std::env::var_os("PATH").unwrap_or_default();
    let asked = Command::new("rustc").args(["--print", "sysroot"]).output();
    let Ok(sysroot) = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    else {
        return own;
    };
    let mut path = OsString::from(format!("{sysroot}/bin:"));
    path.push(own);
    path
}
