//! Knows the file names that git does not take into a tree, and how they are kept nevertheless.

use std::fmt::Write;

/// What stands for `.git` in a kept tree.
const DOT_GIT: &[u8] = b".autopilot-dot-git";

/// What holds, in a kept tree, what lay beside the files of a workspace.
pub(crate) const BESIDE: &[u8] = b".autopilot-beside";

/// What stands, with the name in hexadecimal, for any other refused name.
const OTHER: &str = ".autopilot-name-";

/// Tells whether git refuses this name in a tree, because on some system it means `.git`.
///
/// Wider than git's own check on purpose: a name too many is kept under another name, a name too few
/// would make git refuse the whole tree, or a checkout elsewhere write into a git directory.
pub(crate) fn is_refused(name: &[u8]) -> bool {
    // Nearly every name is told by its first byte; 0xe2 and 0xef begin the characters HFS+ ignores.
    let suspicious = matches!(name.first(), Some(b'.' | b'g' | b'G' | 0xe2 | 0xef));
    (suspicious || name.contains(&b'\\')) && name.split(|byte| *byte == b'\\').any(is_dot_git_like)
}

/// Tells whether git refuses this name for a symbolic link.
pub(crate) fn is_refused_link(name: &[u8]) -> bool {
    let plain = folded(name);
    is_refused(name)
        || plain.starts_with(b".gitm")
        || plain.starts_with(b"gitmod~")
        || plain.starts_with(b"gi7eba~")
}

/// Tells whether a part of this path is kept under another name than it had.
pub(crate) fn is_renamed(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/')
        .any(|part| part == DOT_GIT || part.starts_with(OTHER.as_bytes()))
}

/// Returns the name under which a refused name is kept.
pub(crate) fn kept_name(name: &[u8]) -> Vec<u8> {
    if name == b".git" {
        return DOT_GIT.to_vec();
    }
    let mut kept = OTHER.to_owned();
    for byte in name {
        // Writing to a string cannot fail.
        let _ = write!(kept, "{byte:02x}");
    }
    kept.into_bytes()
}

fn is_dot_git_like(name: &[u8]) -> bool {
    let plain = folded(name);
    let base = plain.split(|byte| *byte == b':').next().unwrap_or_default();
    let end = base.iter().rposition(|byte| !matches!(byte, b' ' | b'.'));
    let base = &base[..end.map_or(0, |at| at + 1)];
    base == b".git" || base.starts_with(b"git~")
}

/// Folds case and drops the characters that HFS+ ignores.
fn folded(name: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(name) {
        Ok(text) => text
            .chars()
            .filter(|c| !is_ignored_by_hfs(*c))
            .flat_map(char::to_lowercase)
            .collect::<String>()
            .into_bytes(),
        Err(_) => name.to_ascii_lowercase(),
    }
}

fn is_ignored_by_hfs(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_dot_git_is_refused() {
        for name in [
            ".git",
            ".GIT",
            ".gIt",
            ".git ",
            ".git...",
            "git~1",
            "GIT~2",
            ".git::$INDEX",
            "a\\.git",
            ".g\u{200c}it",
        ] {
            assert!(is_refused(name.as_bytes()), "{name}");
        }
        for name in [".gitignore", ".github", "git", ".gitx", "x.git", "digit~1", "..git"] {
            assert!(!is_refused(name.as_bytes()), "{name}");
        }
        assert!(is_refused_link(b".gitmodules"));
        assert!(!is_refused(b".gitmodules"));
    }

    #[test]
    fn kept_names_are_taken_by_git_and_differ() {
        assert_eq!(kept_name(b".git"), b".autopilot-dot-git");
        assert_eq!(kept_name(b"git~1"), b".autopilot-name-6769747e31");
        assert!(!is_refused(&kept_name(b".GIT")));
    }
}
