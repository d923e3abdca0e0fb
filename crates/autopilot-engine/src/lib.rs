//! Carries out what the core decided: the only crate that starts processes or touches git.
