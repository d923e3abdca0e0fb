//! The queue with the arguments, words and exit codes of the shell scripts that it replaces.
//!
//! Settings come from the environment, as the scripts took them; it is handed in, so that tests need not change their
//! own.

mod fa_run;

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::Stdio,
};

use crate::{
    queue::{
        lease::{Force, LeaseStore, Place, Taken},
        merges::{Counters, Hooks, Repository, merge},
    },
    rails::Reply,
};

/// How long a lease counts where people work.
const LEASE_SECONDS_LOCAL: u64 = 7_200;
/// How long a lease counts on a build server.
const LEASE_SECONDS_CI: u64 = 2_400;

/// The environment of a script.
#[derive(Clone, Debug, Default)]
pub struct Variables(BTreeMap<OsString, OsString>);

impl Variables {
    /// Takes an environment.
    pub fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self(variables.into_iter().collect())
    }

    /// The value of a variable that is set to something.
    pub fn get(&self, name: &str) -> Option<String> {
        let value = self.0.get(OsStr::new(name))?.to_string_lossy().into_owned();
        Some(value).filter(|value| !value.is_empty())
    }

    fn path(&self, name: &str, otherwise: &str) -> PathBuf {
        self.get(name).map_or_else(
            || {
                PathBuf::from(self.get("TMPDIR").unwrap_or_else(|| "/tmp".to_owned()))
                    .join(otherwise)
            },
            PathBuf::from,
        )
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.trim().parse().ok()
    }
}

/// A script: arguments and environment in, a reply out.
type Script = fn(&[String], &Variables) -> Reply;

/// The scripts there are, by name.
pub const SCRIPTS: [(&str, Script); 5] = [
    ("lease-store", lease),
    ("dispatch", dispatch),
    ("fa-run", fa_run::fa_run),
    ("merge-coordinator", merge_coordinator),
    ("merge-steps", merge_steps),
];

/// The script of that name.
pub fn script(name: &str) -> Option<Script> {
    SCRIPTS.iter().find_map(|(known, script)| (*known == name).then_some(*script))
}

/// The leases of an environment.
pub fn lease_store(variables: &Variables) -> LeaseStore {
    let seconds_max = match variables.get("GITHUB_ACTIONS") {
        Some(_) => variables.number("LEASE_TTL_CI").unwrap_or(LEASE_SECONDS_CI),
        None => variables.number("LEASE_TTL_LOCAL").unwrap_or(LEASE_SECONDS_LOCAL),
    };
    let force = match variables.get("ATDD_LEASE_FORCE") {
        None => Force::No,
        Some(word) if word == "1" => Force::All,
        Some(name) => Force::One(name),
    };
    LeaseStore {
        directory: variables.path("LEASE_STORE_DIR", "claude-leases"),
        seconds_max,
        force,
        audit: variables.get("LEASE_AUDIT_LOG").map(PathBuf::from),
    }
}

/// `lease-store {acquire|holder|release|cleanup|path} <pool> <key> [session]`
pub fn lease(arguments: &[String], variables: &Variables) -> Reply {
    let store = lease_store(variables);
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["acquire", pool, key, session] if named(pool, key) && !session.is_empty() => {
            match store.acquire(Place { pool, key }, session) {
                Taken::Held { audit } => {
                    let told = audit.map(|line| line + "\n").unwrap_or_default();
                    Reply { code: 0, stdout: Vec::new(), stderr: told.into_bytes() }
                }
                Taken::Refused => ends(1),
            }
        }
        ["holder", pool, key, ..] if named(pool, key) => {
            let holder = store.holder(Place { pool, key });
            says(0, &holder.map(|name| name + "\n").unwrap_or_default())
        }
        ["release", pool, key, session] if named(pool, key) => {
            store.release(Place { pool, key }, session);
            ends(0)
        }
        ["cleanup", pool] if is_pool(pool) => {
            store.clean_up(pool, None);
            ends(0)
        }
        ["cleanup", pool, key, ..] if named(pool, key) => {
            store.clean_up(pool, Some(key));
            ends(0)
        }
        ["path", pool, key, ..] if named(pool, key) => {
            says(0, &format!("{}\n", store.path(Place { pool, key }).display()))
        }
        _ => usage("lease-store {acquire|holder|release|cleanup|path} <pool> <key> [session]"),
    }
}

/// A pool is a directory in the store and nothing else.
fn is_pool(pool: &str) -> bool {
    !pool.is_empty() && !pool.contains('/') && pool != "." && pool != ".."
}

fn named(pool: &str, key: &str) -> bool {
    is_pool(pool) && !key.is_empty()
}

/// `merge-coordinator decide <pr> <N> | clear <pr> | process <pr> <branch> <N>`
pub fn merge_coordinator(arguments: &[String], variables: &Variables) -> Reply {
    let counters =
        Counters { directory: variables.path("MC_STATE_DIR", "claude-merge-coordinator") };
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let tries = |text: &str| text.parse::<u64>().ok();
    match words.as_slice() {
        ["decide", merge, max] if !merge.is_empty() && tries(max).is_some() => {
            let decision = counters.failed(merge, tries(max).unwrap_or_default());
            says(0, &format!("{}\n", decision.word()))
        }
        ["clear", merge] if !merge.is_empty() => match counters.clear(merge) {
            Ok(()) => ends(0),
            Err(_) => ends(1),
        },
        ["process", name, branch, max] if !name.is_empty() && tries(max).is_some() => {
            let hooks = Hooks {
                rebase: variables.get("MC_REBASE_CMD"),
                regate: variables.get("MC_REGATE_CMD"),
                merge: variables.get("MC_MERGE_CMD"),
                regression: variables.get("MC_REGRESSION_CMD"),
            };
            let tries_max = tries(max).unwrap_or_default();
            let merged = merge(&counters, &hooks, (name, OsStr::new(branch)), tries_max);
            says(merged.code(), &(merged.line() + "\n"))
        }
        _ => usage("merge-coordinator decide <pr> <N> | clear <pr> | process <pr> <branch> <N>"),
    }
}

/// `merge-steps rebase|merge <branch>`
pub fn merge_steps(arguments: &[String], variables: &Variables) -> Reply {
    let directory = variables.get("FA_REPO").unwrap_or_else(|| ".".to_owned());
    let base = variables.get("FA_MERGE_BASE").unwrap_or_else(|| "main".to_owned());
    let repository = Repository { directory: Path::new(&directory), base: &base };
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["rebase", branch] if is_branch(branch) => repository.rebase(OsStr::new(branch)),
        ["merge", branch] if is_branch(branch) => repository.merge(OsStr::new(branch)),
        _ => return usage("merge-steps rebase|merge <branch>"),
    };
    ends(u8::from(!done))
}

/// A name that git could take for an option is no branch.
fn is_branch(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('-')
}

/// `dispatch select <K> <issues…> | release <issue> [session]`
pub fn dispatch(arguments: &[String], variables: &Variables) -> Reply {
    let store = lease_store(variables);
    let session = variables.get("FAD_SESSION").unwrap_or_else(|| "dispatcher".to_owned());
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["select", count, issues @ ..] if count.parse::<usize>().is_ok() => {
            let count = count.parse::<usize>().unwrap_or_default();
            let mut chosen = String::new();
            let free = issues
                .iter()
                .filter(|issue| !issue.is_empty() && !is_busy(issue, variables))
                .filter(|issue| {
                    let place = Place { pool: "issue", key: issue };
                    matches!(store.acquire(place, &session), Taken::Held { .. })
                });
            for issue in free.take(count) {
                chosen.push_str(issue);
                chosen.push('\n');
            }
            says(0, &chosen)
        }
        ["release", issue] if !issue.is_empty() => {
            store.release(Place { pool: "issue", key: issue }, &session);
            ends(0)
        }
        ["release", issue, session] if !issue.is_empty() => {
            store.release(Place { pool: "issue", key: issue }, session);
            ends(0)
        }
        _ => usage("dispatch select <K> <issues…> | release <issue> [session]"),
    }
}

/// Whether somebody works on an issue: a command says so, or a pull request or a label on the forge does.
fn is_busy(issue: &str, variables: &Variables) -> bool {
    if let Some(command) = variables.get("FAD_BUSY_CMD") {
        let mut shell = std::process::Command::new("sh");
        shell.arg("-c").arg(format!("{command} \"$@\"")).arg("sh").arg(issue);
        shell.stdin(Stdio::null()).stdout(Stdio::null());
        return shell.status().is_ok_and(|status| status.success());
    }
    let heads = gh(&[
        "pr",
        "list",
        "--state",
        "open",
        "--limit",
        "200",
        "--json",
        "headRefName",
        "--jq",
        ".[].headRefName",
    ]);
    let labels = gh(&["issue", "view", issue, "--json", "labels", "--jq", ".labels[].name"]);
    let beginning = format!("{issue}-");
    heads.lines().any(|head| head.starts_with(&beginning))
        || labels.lines().any(|label| label == "in-progress")
}

/// What the forge's program prints, or nothing where there is none.
fn gh(arguments: &[&str]) -> String {
    let mut program = std::process::Command::new("gh");
    program.args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
    program
        .output()
        .map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn says(code: u8, text: &str) -> Reply {
    Reply { code, stdout: text.as_bytes().to_vec(), stderr: Vec::new() }
}

fn ends(code: u8) -> Reply {
    says(code, "")
}

fn usage(text: &str) -> Reply {
    Reply { code: 2, stdout: Vec::new(), stderr: format!("usage: {text}\n").into_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> Variables {
        Variables::new(pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())))
    }

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(ToOwned::to_owned).collect()
    }

    #[test]
    fn a31_the_store_speaks_in_exit_codes() {
        let place = tempfile::tempdir().unwrap();
        let store = place.path().to_string_lossy().into_owned();
        let call = |text: &str| lease(&words(text), &variables(&[("LEASE_STORE_DIR", &store)]));
        assert_eq!(call("acquire issue 7 a").code, 0);
        assert_eq!(call("acquire issue 7 b").code, 1);
        assert_eq!(call("holder issue 7").stdout, b"a\n");
        assert_eq!(call("release issue 7 b").code, 0);
        assert_eq!(call("holder issue 7").stdout, b"a\n");
        assert_eq!(call("release issue 7 a").code, 0);
        assert_eq!(call("holder issue 7").stdout, b"");
        for wrong in ["acquire issue 7", "acquire", "take issue 7 a", "acquire ../x 7 a"] {
            assert_eq!(call(wrong).code, 2, "{wrong}");
        }
    }

    #[test]
    fn a32_idle_issues_are_leased_up_to_a_number() {
        let place = tempfile::tempdir().unwrap();
        let store = place.path().to_string_lossy().into_owned();
        let busy = [("LEASE_STORE_DIR", store.as_str()), ("FAD_BUSY_CMD", "test 2 =")];
        let call = |text: &str| dispatch(&words(text), &variables(&busy));
        assert_eq!(call("select 2 1 2 3 4").stdout, b"1\n3\n", "2 is busy, 4 is one too many");
        let other = [busy[0], busy[1], ("FAD_SESSION", "other")];
        assert_eq!(dispatch(&words("select 9 1 3 4"), &variables(&other)).stdout, b"4\n");
        assert_eq!(call("release 1").code, 0);
        assert_eq!(dispatch(&words("select 9 1 3"), &variables(&other)).stdout, b"1\n");
        assert_eq!(call("select x 1").code, 2);
    }

    #[test]
    fn a39_a_conflict_is_taken_back_and_told() {
        let place = tempfile::tempdir().unwrap();
        let git = |arguments: &str| {
            let mut git = std::process::Command::new("git");
            git.arg("-C").arg(place.path()).args(["-c", "user.name=t", "-c", "user.email=t@t"]);
            assert!(
                git.args(arguments.split(' ')).output().unwrap().status.success(),
                "{arguments}"
            );
        };
        let file = place.path().join("f");
        git("init -q -b main");
        git("config user.name t");
        git("config user.email t@t");
        std::fs::write(&file, "a\n").unwrap();
        git("add f");
        git("commit -q -m one");
        git("checkout -q -b 7-a");
        std::fs::write(&file, "b\n").unwrap();
        git("commit -q -am two");
        let repository = place.path().to_string_lossy().into_owned();
        let call =
            |text: &str| merge_steps(&words(text), &variables(&[("FA_REPO", &repository)])).code;
        assert_eq!(call("merge 7-a"), 0);
        git("checkout -q -b 8-b HEAD~1");
        std::fs::write(&file, "c\n").unwrap();
        git("commit -q -am three");
        assert_eq!(call("rebase 8-b"), 1);
        assert_eq!(call("merge 8-b"), 1);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "b\n");
        assert_eq!(call("merge --quiet"), 2);
    }
}
