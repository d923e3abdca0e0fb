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

/// Tells whether a symbolic link leads out of the project, or to git's own directory in it.
///
/// `..` is taken only at the beginning of the target: after a name it would depend on where that name leads.
pub fn leads_out(link: &[u8], target: &[u8]) -> bool {
    let up = |part: &&[u8]| **part == b".."[..];
    let parts: Vec<&[u8]> = target
        .split(|byte| *byte == b'/')
        .filter(|part| !part.is_empty() && **part != b"."[..])
        .collect();
    let ups = parts.iter().take_while(|part| up(part)).count();
    let depth = link.iter().filter(|byte| **byte == b'/').count();
    target.starts_with(b"/")
        || ups > depth
        || parts[ups..].iter().any(|part| up(part) || part.eq_ignore_ascii_case(b".git"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_stays_in_the_project_or_is_known_not_to() {
        for (link, target, out) in [
            ("calc.sh", "lib/calc.sh", false),
            ("a/b/link", "../../lib/calc.sh", false),
            ("a/link", "./../a/b", false),
            ("calc.sh", "/usr/lib/calc.sh", true),
            ("calc.sh", "../calc.sh", true),
            ("a/link", "../../calc.sh", true),
            ("a/link", "b/../../../calc.sh", true),
            // `b` may be a link itself.
            ("a/link", "b/..", true),
            ("link", ".git/config", true),
            ("link", "..data", false),
        ] {
            assert_eq!(leads_out(link.as_bytes(), target.as_bytes()), out, "{link} -> {target}");
        }
    }
}
