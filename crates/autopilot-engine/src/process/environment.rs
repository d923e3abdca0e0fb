//! Builds the environment of a child from an allow-list.
//!
//! A child never inherits the engine's environment: secrets of other programs, a `GIT_DIR` from a hook
//! or an `LD_PRELOAD` would come with it. What an agent needs besides is named in its config.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
};

/// The run a process belongs to.
pub const RUN_ID: &str = "AUTOPILOT_RUN_ID";

/// The one launch a process belongs to; the guardian tells by it whose leftover a process is, and
/// [`super::find_orphans`] what a dead guardian has left.
pub const LAUNCH_KEY: &str = "AUTOPILOT_LAUNCH_KEY";

/// What every child may see: who and where it is, its language, its tools, its way to the network.
///
/// Left out on purpose: `SSH_AUTH_SOCK`, `DBUS_*` and `XDG_RUNTIME_DIR` (doors to the person's session),
/// `GIT_*` (would redirect git), `LD_*`, `NODE_OPTIONS`, `PYTHONSTARTUP` and the like (run code of
/// others), and every credential.
pub const ALLOWED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "TMPDIR",
    "TZ",
    "XDG_CONFIG_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_DATA_HOME",
    "XDG_DATA_DIRS",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    // Where tools live when they are not under their default path.
    "CARGO_HOME",
    "RUSTUP_HOME",
    "GOPATH",
    "GOROOT",
    "GOCACHE",
    "JAVA_HOME",
    "ANDROID_HOME",
    "NVM_DIR",
    "PNPM_HOME",
    "BUN_INSTALL",
    "DENO_DIR",
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "NIX_PATH",
    "NIX_PROFILES",
    // The way out, for a machine behind a proxy or with its own certificates.
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NIX_SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
];

/// The whole environment of one child, in a fixed order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// Sets one variable. A name that no system takes (empty, with `=` or NUL) is left out.
    pub fn set(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        let (name, value) = (name.into(), value.into());
        if is_settable(&name, &value) {
            self.0.insert(name, value);
        }
    }

    /// Returns the value of a variable.
    pub fn get(&self, name: impl AsRef<OsStr>) -> Option<&OsStr> {
        self.0.get(name.as_ref()).map(OsString::as_os_str)
    }

    /// Iterates over names and values, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}

impl<N: Into<OsString>, V: Into<OsString>> Extend<(N, V)> for Environment {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, pairs: I) {
        for (name, value) in pairs {
            self.set(name, value);
        }
    }
}

impl<N: Into<OsString>, V: Into<OsString>> FromIterator<(N, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut environment = Self::default();
        environment.extend(pairs);
        environment
    }
}

/// Builds an environment: what `allow` names of `parent`, then `extra` on top.
///
/// An entry of `allow` is a name, or a prefix followed by `*`.
pub fn build<'a>(
    parent: impl IntoIterator<Item = (OsString, OsString)>,
    allow: impl IntoIterator<Item = &'a str> + Clone,
    extra: impl IntoIterator<Item = (OsString, OsString)>,
) -> Environment {
    let allowed = |name: &OsStr| allow.clone().into_iter().any(|pattern| matches(pattern, name));
    parent.into_iter().filter(|(name, _)| allowed(name)).chain(extra).collect()
}

/// Builds an environment from this process's own one.
pub fn from_own<'a>(
    allow: impl IntoIterator<Item = &'a str> + Clone,
    extra: impl IntoIterator<Item = (OsString, OsString)>,
) -> Environment {
    build(std::env::vars_os(), allow, extra)
}

/// Builds the environment of a verification command from this process's own one.
pub fn of_commands() -> Environment {
    from_own(ALLOWED.iter().copied(), [])
}

/// Builds the environment of an agent from this process's own one: what every agent gets, what the settings let
/// through, then `extra` on top.
pub fn of_agent(
    passed: &[String],
    extra: impl IntoIterator<Item = (OsString, OsString)>,
) -> Environment {
    let allow: Vec<&str> =
        ALLOWED.iter().copied().chain(passed.iter().map(String::as_str)).collect();
    from_own(allow.iter().copied(), extra)
}

/// Whether one of these patterns lets a variable through.
pub fn is_let_through(patterns: &[String], name: &OsStr) -> bool {
    patterns.iter().any(|pattern| matches(pattern, name))
}

fn matches(pattern: &str, name: &OsStr) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => name.as_bytes().starts_with(prefix.as_bytes()),
        None => name == pattern,
    }
}

fn is_settable(name: &OsStr, value: &OsStr) -> bool {
    let name = name.as_bytes();
    !name.is_empty()
        && !name.contains(&b'=')
        && !name.contains(&0)
        && !value.as_bytes().contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(list: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        list.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    #[test]
    fn only_what_is_allowed_comes_through_and_extra_wins() {
        let parent = pairs(&[
            ("PATH", "/bin"),
            ("LC_ALL", "C"),
            ("AWS_SECRET_ACCESS_KEY", "s"),
            ("GIT_DIR", "/elsewhere"),
            ("LC", "no"),
        ]);
        let built = build(
            parent,
            ALLOWED.iter().copied(),
            pairs(&[("PATH", "/usr/bin"), ("AGENT_KEY", "k")]),
        );
        let seen: Vec<_> = built.iter().map(|(name, value)| (name.into(), value.into())).collect();
        assert_eq!(seen, pairs(&[("AGENT_KEY", "k"), ("LC_ALL", "C"), ("PATH", "/usr/bin")]));
    }

    #[test]
    fn names_that_no_system_takes_are_left_out() {
        let built = Environment::from_iter([("", "a"), ("A=B", "c"), ("N\0", "d"), ("V", "e\0")]);
        assert_eq!(built.iter().len(), 0);
    }
}
