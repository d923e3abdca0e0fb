//! What is kept of the surroundings in which commands run.

use std::{collections::BTreeMap, env::consts, os::unix::ffi::OsStrExt};

use autopilot_core::input::Environment;
use sha2::{Digest, Sha256};

use super::Workshop;
use crate::{hash::hex, process::environment, sandbox::Enforcement};

impl Workshop {
    /// In what surroundings this process runs verification commands.
    pub fn environment(&self) -> Environment {
        let (mut enforced, mut not_enforced) = (BTreeMap::new(), BTreeMap::new());
        for Enforcement { what, held } in self.enforcement() {
            match held {
                Ok(how) => enforced.insert(what.to_owned(), how),
                Err(why) => not_enforced.insert(what.to_owned(), why),
            };
        }
        let prompts = self.prompts.own().clone();
        Environment { prompts, enforced, not_enforced, ..surroundings() }
    }
}

/// The system and the variables that a command gets from this process. Their values may be secret and are only hashed.
pub(super) fn surroundings() -> Environment {
    let system = format!("{} {}", consts::OS, consts::ARCH);
    let mut hash = Sha256::new();
    hash.update(&system);
    for (name, value) in environment::of_commands().iter() {
        // Neither holds a zero byte, so no two environments give the same text.
        for part in [name, value] {
            hash.update([0]);
            hash.update(part.as_bytes());
        }
    }
    Environment {
        sha256: hex(&hash.finalize()),
        system,
        program: concat!("autopilot ", env!("CARGO_PKG_VERSION")).to_owned(),
        prompts: BTreeMap::new(),
        enforced: BTreeMap::new(),
        not_enforced: BTreeMap::new(),
    }
}
