//! Which files of a project belong in its map.

use crate::language::Language;

/// Directories whose files somebody else wrote, or a program makes again.
const EXCLUDED: [&str; 9] = [
    "node_modules",
    "dist",
    ".git",
    "build",
    "coverage",
    ".next",
    "__pycache__",
    ".venv",
    "vendor",
];

/// What a run keeps for itself. The map lies there, and would never come to rest if it held itself.
const OURS: &str = ".autopilot";

/// Tells whether a file of the project, by its path from the root, belongs in the map.
pub fn is_mapped(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next_back();
    parts.all(|part| part != OURS && !EXCLUDED.contains(&part)) && Language::of(path).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c44_excluded_directories_are_passed_over_at_any_depth() {
        for directory in EXCLUDED.iter().chain([&OURS]) {
            assert!(!is_mapped(&format!("{directory}/a.ts")), "{directory}");
            assert!(!is_mapped(&format!("packages/x/{directory}/deep/a.ts")), "{directory}");
            assert!(is_mapped(&format!("src/my{directory}/a.ts")), "{directory}");
            assert!(is_mapped(&format!("src/{directory}.ts")), "{directory}");
        }
    }

    #[test]
    fn c44_only_source_files_are_mapped() {
        assert!(is_mapped("src/a.rs") && is_mapped("package.json"));
        assert!(!is_mapped("logo.svgz") && !is_mapped("Cargo.lock") && !is_mapped("build/"));
    }
}
