//! What a makefile is steered by beside its own text.

/// Whether a file is read by `make` for its rules.
pub fn is_makefile(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    [b"Makefile".as_slice(), b"makefile", b"GNUmakefile"].contains(&name) || name.ends_with(b".mk")
}

/// Whether a new file at a path, below the project's root, steers a makefile: it is taken in by it, or it has the name
/// of a target, so that there is nothing left to be made.
pub fn steers(makefile: &str, path: &str) -> bool {
    let first = path.split('/').next().unwrap_or(path);
    let (mut is_target, mut is_phony) = (false, false);
    for line in makefile.lines() {
        let mut words = line.split_whitespace();
        if matches!(words.next(), Some("include" | "-include" | "sinclude")) {
            let is_taken_in = |word: &str| word.trim_start_matches("./") == path;
            if words.any(is_taken_in) {
                return true;
            }
        }
        // A recipe's line is no rule.
        let Some((targets, rest)) = line.split_once(':').filter(|_| !line.starts_with('\t')) else {
            continue;
        };
        let has = |words: &str| words.split_whitespace().any(|word| word == first);
        is_phony |= targets.trim() == ".PHONY" && has(rest);
        is_target |= !rest.starts_with('=') && has(targets);
    }
    is_target && !is_phony
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_makefile_is_told_from_what_it_makes() {
        let makefile = "-include .env local.mk\ninclude ./rules/all.mk\nTEST = x\ntest: a b\n\tsh run.sh: all\n\
                        .PHONY: lint docs\nlint docs:\n\ttrue\nx := y: z\ncheck build:\n\ttrue\n";
        let rows = [
            (".env", true),
            ("local.mk", true),
            ("rules/all.mk", true),
            ("test", true),
            ("test/a", true),
            ("check/x/y", true),
            ("build", true),
            ("lint", false),
            ("docs/a.md", false),
            ("tests/a", false),
            ("src/test", false),
            ("all", false),
            ("a", false),
        ];
        for (path, expected) in rows {
            assert_eq!(steers(makefile, path), expected, "{path}");
        }
        assert!(
            is_makefile(b"sub/Makefile") && is_makefile(b"a.mk") && !is_makefile(b"Makefile.txt")
        );
    }
}
