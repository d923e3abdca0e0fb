//! Links the program to a fixed address on Linux.
//!
//! A position-independent program relocates some ten thousand pointers (its vtables) each time it starts, which
//! is a tenth of the time of a short command such as `status`.

fn main() {
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
