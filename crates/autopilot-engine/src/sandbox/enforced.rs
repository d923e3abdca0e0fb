//! What of the sandbox holds on this machine.

use std::path::Path;

use super::Sandbox;
use crate::{
    error::EngineError,
    process::{Abilities, Guardian, GuardianSpec},
};

/// From this version of Landlock on, nothing outside can be signalled.
const SIGNALS_SINCE: u32 = 6;
/// From this version on, a file outside can not be emptied either.
const TRUNCATION_SINCE: u32 = 3;

/// One thing that stands between a child and the machine, or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enforcement {
    /// What it is.
    pub what: &'static str,
    /// How it is enforced, or why not.
    pub held: Result<String, String>,
}

/// Says what holds under these settings where the system can do this much.
pub fn enforcement(sandbox: &Sandbox, abilities: &Abilities) -> Vec<Enforcement> {
    let entry = |what, held| Enforcement { what, held };
    if !sandbox.enabled {
        let off = || Err("the sandbox is off (`sandbox.enabled`)".to_owned());
        return ["file system", "network of commands", "limits"]
            .map(|what| entry(what, off()))
            .into();
    }
    let files = match abilities.landlock {
        Some(version) => Ok(format!("Landlock, version {version}")),
        None => Err("this system has no Landlock: agents and verification commands can read and \
                     write what you can"
            .to_owned()),
    };
    let network = match (&abilities.no_own_network, sandbox.network) {
        (_, true) => Err("verification commands reach the network (`checks.network`)".to_owned()),
        (None, false) => Ok("a network of their own, with a loopback device only".to_owned()),
        (Some(why), false) => Err(format!("no network of their own can be made here ({why})")),
    };
    let limits = if cfg!(target_os = "linux") {
        Ok("processes, memory and size of files of each step".to_owned())
    } else {
        Err("only the size of files is limited on this system".to_owned())
    };
    let mut all = vec![
        entry("file system", files),
        entry("network of commands", network),
        entry("network of agents", Err("agents reach the network: they think there".to_owned())),
        entry("limits", limits),
    ];
    if let Some(version) = abilities.landlock {
        let since = |first: u32, what, fine: &str, gap: &str| {
            let held = if version >= first { Ok(fine.to_owned()) } else { Err(gap.to_owned()) };
            entry(what, held)
        };
        all.push(since(
            SIGNALS_SINCE,
            "signals",
            "nothing outside of a step can be signalled by it",
            "a step can signal your other processes (before version 6 of Landlock)",
        ));
        if version < TRUNCATION_SINCE {
            let gap =
                "files outside can be emptied, though not written (before version 3 of Landlock)";
            all.push(entry("truncation", Err(gap.to_owned())));
        }
    }
    all
}

/// Tries what this machine can do, with a guardian that ends at once.
pub fn look(sandbox: &Sandbox, program: &Path) -> Result<Vec<Enforcement>, EngineError> {
    let mut guardian = Guardian::start(&GuardianSpec {
        program: program.to_owned(),
        arguments: vec!["__guardian".into()],
        run_id: "doctor".to_owned(),
        lock: Default::default(),
        after: Vec::new(),
    })?;
    if sandbox.enabled && !sandbox.network {
        guardian.prepare_own_network();
    }
    let abilities = guardian.abilities();
    guardian.dismiss()?;
    Ok(enforcement(sandbox, &abilities))
}
