//! Every file is part of the program, and says what it is for.

use std::path::{Path, PathBuf};

use super::files::Source;

/// Rust files that no other file declares: they are not compiled, whatever they say.
pub(crate) fn dead(files: &[Source]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.is_rust() && in_sources(&file.path) && !is_root(&file.path))
        .filter(|file| !is_declared(file, files))
        .map(|file| format!("{}: no file declares this module", file.path.display()))
        .collect()
}

/// Modules that do not open with a sentence on their purpose.
pub(crate) fn undocumented(files: &[Source]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.is_rust() && in_sources(&file.path) && !file.text.starts_with("//!"))
        .map(|file| format!("{}: does not open with `//!` and its purpose", file.path.display()))
        .collect()
}

fn in_sources(path: &Path) -> bool {
    (path.starts_with("crates") || path.starts_with("xtask"))
        && path.components().any(|part| part.as_os_str() == "src" || part.as_os_str() == "tests")
}

/// Files that the manifest names, directly or by convention.
fn is_root(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let parent =
        path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
    let in_tests = parent == "tests" && path.components().all(|part| part.as_os_str() != "src");
    matches!(name, "lib.rs" | "main.rs") || parent == "bin" || in_tests
}

fn is_declared(file: &Source, files: &[Source]) -> bool {
    let stem = file.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let directory = file.path.parent().unwrap_or(Path::new(""));
    let (name, above) = if stem == "mod" {
        let name = directory.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        (name, directory.parent().unwrap_or(Path::new("")))
    } else {
        (stem, directory)
    };
    let parents: [PathBuf; 4] = [
        above.join("mod.rs"),
        above.join("lib.rs"),
        above.join("main.rs"),
        above.with_extension("rs"),
    ];
    let declaration = format!("mod {name};");
    files
        .iter()
        .filter(|candidate| parents.contains(&candidate.path))
        .any(|parent| parent.text.lines().any(|line| line.trim_end().ends_with(&declaration)))
}
