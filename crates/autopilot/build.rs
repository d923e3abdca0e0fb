//! Links the program so that a short command such as `status` starts fast on Linux; measured by
//! `cargo xtask bench startup`.

use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_OS") != "linux" || variable("CARGO_CFG_TARGET_ENV") != "gnu" {
        return;
    }
    // A position-independent program relocates some ten thousand pointers (its vtables) at each start.
    println!("cargo::rustc-link-arg-bins=-no-pie");
    // The unwinder as a shared library is one more file to open, map and relocate, and it asks the processor for
    // its abilities, which a virtual machine makes expensive.
    if variable("HOST") == variable("TARGET") && has_static_unwinder(&variable("RUSTC_LINKER")) {
        println!("cargo::rustc-link-lib=static=gcc_eh");
    }
}

/// Whether the compiler that links has the unwinder as an archive; it prints a bare name if not.
fn has_static_unwinder(linker: &str) -> bool {
    let linker = if linker.is_empty() { "cc" } else { linker };
    let asked = Command::new(linker).arg("-print-file-name=libgcc_eh.a").output();
    asked.is_ok_and(|answer| answer.status.success() && answer.stdout.contains(&b'/'))
}
