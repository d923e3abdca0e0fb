//! Links the program so that a short command such as `status` starts fast on Linux; measured by
//! `cargo xtask bench startup`.

use std::{env, fs, path::Path, process::Command};

/// Reads as one segment what is code and what is not. A start then maps the file in larger pieces: a seventh of the
/// time of `status`.
const ONE_SEGMENT: &str = "-Wl,--no-rosegment";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_OS") != "linux" || variable("CARGO_CFG_TARGET_ENV") != "gnu" {
        return;
    }
    // A position-independent program relocates some ten thousand pointers (its vtables) at each start.
    println!("cargo::rustc-link-arg-bins=-no-pie");
    if variable("HOST") != variable("TARGET") {
        return;
    }
    // The unwinder as a shared library is one more file to open, map and relocate, and it asks the processor for
    // its abilities, which a virtual machine makes expensive.
    if has_static_unwinder(&variable("RUSTC_LINKER")) {
        println!("cargo::rustc-link-lib=static=gcc_eh");
    }
    if links_with(ONE_SEGMENT, &variable("RUSTC"), Path::new(&variable("OUT_DIR"))) {
        println!("cargo::rustc-link-arg-bins={ONE_SEGMENT}");
    }
}

/// Whether the compiler that links has the unwinder as an archive; it prints a bare name if not.
fn has_static_unwinder(linker: &str) -> bool {
    let linker = if linker.is_empty() { "cc" } else { linker };
    let asked = Command::new(linker).arg("-print-file-name=libgcc_eh.a").output();
    asked.is_ok_and(|answer| answer.status.success() && answer.stdout.contains(&b'/'))
}

/// Whether the linker at hand, of which there are several, knows an argument: a program of one line is linked with it.
fn links_with(argument: &str, rustc: &str, directory: &Path) -> bool {
    let source = directory.join("tried.rs");
    if fs::write(&source, "fn main() {}").is_err() {
        return false;
    }
    let link = format!("link-arg={argument}");
    let tried =
        Command::new(rustc).args(["-C", &link, "--out-dir"]).args([directory, &source]).output();
    tried.is_ok_and(|done| done.status.success())
}
