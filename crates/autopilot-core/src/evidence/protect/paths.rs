//! Parts of paths.

/// The last name of a path.
pub(super) fn name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

/// A path as the repository has it: without `./` before and `/` after it.
pub(super) fn trimmed(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    path.trim_end_matches('/')
}

/// Tells whether a file holds no tests but what runs around all tests beside and below it.
pub(super) fn is_hook(path: &[u8]) -> bool {
    const HOOKS: [&[u8]; 9] = [
        b"conftest.py",
        b"__init__.py",
        b"spec_helper.rb",
        b"rails_helper.rb",
        b"test_helper.rb",
        b"test_helper.exs",
        b"test_helper.bash",
        b"setup_suite.bash",
        b"bootstrap.php",
    ];
    HOOKS.contains(&name(path))
}
