//! `cargo xtask docs`: writes what is made from the program itself.

use std::{fs, process::Command};

use crate::shell::Outcome;

/// The file that is made.
const REFERENCE: &str = "docs/reference.md";

/// Writes the reference.
pub(crate) fn write() -> Outcome {
    fs::write(REFERENCE, made()?).map_err(|error| format!("cannot write `{REFERENCE}`: {error}"))
}

/// Fails when the reference is not what the program says.
pub(crate) fn check() -> Outcome {
    let there = fs::read_to_string(REFERENCE)
        .map_err(|error| format!("cannot read `{REFERENCE}`: {error}"))?;
    if there == made()? {
        Ok(())
    } else {
        Err(format!("`{REFERENCE}` differs from the program; run `cargo xtask docs`"))
    }
}

fn made() -> Result<String, String> {
    let output = Command::new("cargo")
        .args(["run", "--quiet", "--package", "autopilot", "--", "__reference"])
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}
