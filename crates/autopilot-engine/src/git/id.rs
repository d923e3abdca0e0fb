//! Names that are checked once and then trusted: object ids, refs of ours, paths in a tree.

use std::{ffi::OsStr, fmt, os::unix::ffi::OsStrExt, path::Path};

use super::{GitError, GitErrorKind, names};

/// The id of an object: 40 (SHA-1) or 64 (SHA-256) lowercase hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(String);

impl ObjectId {
    /// Reads an id.
    pub fn parse(text: &str) -> Result<Self, GitError> {
        let whole = matches!(text.len(), 40 | 64);
        let hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if whole && hex {
            Ok(Self(text.to_owned()))
        } else {
            Err(GitError::new(
                "read the object id",
                text,
                GitErrorKind::BadName("40 or 64 hex digits"),
            ))
        }
    }

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the id that means "no object", of the same length.
    pub(crate) fn null(&self) -> Self {
        Self("0".repeat(self.0.len()))
    }

    pub(crate) fn is_null(&self) -> bool {
        self.0.bytes().all(|byte| byte == b'0')
    }

    pub(crate) fn to_gix(&self) -> Result<gix::ObjectId, GitError> {
        gix::ObjectId::from_hex(self.0.as_bytes()).map_err(|_| {
            GitError::new("read the object id", &self.0, GitErrorKind::BadName("hex digits"))
        })
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A ref that belongs to autopilot: below `refs/autopilot/` or `refs/heads/autopilot/`.
///
/// Writing any other ref of the person's repository cannot be expressed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnRef(String);

/// Where refs of ours may be.
const OWN: [&str; 2] = ["refs/autopilot/", "refs/heads/autopilot/"];

impl OwnRef {
    /// Checks a full ref name.
    pub fn parse(name: &str) -> Result<Self, GitError> {
        let bad = |why| GitError::new("use the ref", name, GitErrorKind::BadName(why));
        let rest = OWN
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix))
            .ok_or_else(|| bad("it is not below `refs/autopilot/` or `refs/heads/autopilot/`"))?;
        if rest.split('/').all(is_ref_component) {
            Ok(Self(name.to_owned()))
        } else {
            Err(bad("git does not take it"))
        }
    }

    /// Names the branch `autopilot/<name>`.
    pub fn branch(name: &str) -> Result<Self, GitError> {
        Self::parse(&format!("refs/heads/autopilot/{name}"))
    }

    /// Names the ref under which an attempt's work is kept.
    pub fn kept(run: &str, step: &str, attempt: u32) -> Result<Self, GitError> {
        Self::parse(&format!("refs/autopilot/{run}/kept/{step}/{attempt}"))
    }

    /// Returns the full name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name without `refs/heads/`, if it is a branch.
    pub fn branch_name(&self) -> Option<&str> {
        self.0.strip_prefix("refs/heads/")
    }
}

impl fmt::Display for OwnRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A path inside a tree: relative, without `.`, `..`, empty or git-like parts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Vec<u8>);

impl RepoPath {
    /// Checks a path.
    pub fn new(path: impl AsRef<[u8]>) -> Result<Self, GitError> {
        let path = path.as_ref();
        let good = !path.contains(&0)
            && path.split(|byte| *byte == b'/').all(|part| {
                !part.is_empty() && part != b"." && part != b".." && !names::is_refused(part)
            });
        if good {
            Ok(Self(path.to_vec()))
        } else {
            let subject = OsStr::from_bytes(path);
            Err(GitError::new(
                "use the path",
                subject,
                GitErrorKind::BadName("it must stay inside the tree"),
            ))
        }
    }

    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns it as a path.
    pub fn as_path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.0))
    }
}

/// Tells whether git takes a part of a ref that is not its first one. A hyphen may open it, as the id of phase
/// `-1` does: no name of ours opens with such a part, so none is taken for an option.
fn is_ref_component(part: &str) -> bool {
    !part.is_empty()
        && !part.starts_with('.')
        && !part.ends_with('.')
        && !part.ends_with(".lock")
        && !part.contains("..")
        && !part.contains("@{")
        && part != "@"
        && part.chars().all(|c| !c.is_control() && !" ~^:?*[\\".contains(c))
        && part.len() <= 200
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_refs_can_be_named() {
        for good in [
            "refs/autopilot/r1/kept/3-build/1",
            "refs/heads/autopilot/r1/head",
            "refs/heads/autopilot/ünï",
            "refs/autopilot/r1/work/-1/research/1",
        ] {
            assert_eq!(OwnRef::parse(good).unwrap().as_str(), good);
        }
        for bad in [
            "refs/heads/main",
            "refs/autopilot",
            "refs/autopilot/",
            "refs/autopilot/../heads/main",
            "refs/autopilot/a..b",
            "refs/autopilot/a b",
            "refs/autopilot/a//b",
            "refs/autopilot/.a",
            "refs/autopilot/a.lock",
            "refs/autopilot/a\n",
            "refs/autopilot/a@{1}",
            "refs/heads/autopilot/x/",
            "HEAD",
        ] {
            assert!(OwnRef::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn paths_stay_inside_the_tree() {
        for good in [&b"a"[..], b"a/b.c", b"-x", b"a\nb", b"\xff", b".gitignore", b"x.git/y"] {
            assert!(RepoPath::new(good).is_ok(), "{good:?}");
        }
        for bad in [
            &b""[..],
            b"/a",
            b"a/",
            b"../a",
            b"a/./b",
            b"a//b",
            b".git/config",
            b"a/.GIT/x",
            b"a\0b",
        ] {
            assert!(RepoPath::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn ids_are_lowercase_hex_of_a_known_length() {
        assert!(ObjectId::parse(&"a".repeat(40)).is_ok());
        assert!(ObjectId::parse(&"0".repeat(64)).is_ok());
        for bad in ["", "HEAD", "--all", &"A".repeat(40), &"a".repeat(41)] {
            assert!(ObjectId::parse(bad).is_err(), "{bad}");
        }
    }
}
