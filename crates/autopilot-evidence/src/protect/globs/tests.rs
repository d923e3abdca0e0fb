//! Patterns against paths.

use proptest::prelude::*;

use super::*;

fn matches(patterns: &[&str], path: &str) -> bool {
    Globs::new(patterns).unwrap().matches(path.as_bytes())
}

#[test]
fn patterns_mean_what_they_mean_to_git() {
    for (pattern, yes, no) in [
        ("*.snap", &["a.snap", "x/y/a.snap"][..], &["a.snap2", "snap", "a.snapx/b"][..]),
        ("tests/**", &["tests/a", "tests/a/b"], &["tests", "x/tests/a", "tests2/a"]),
        ("tests/", &["tests/a", "x/tests/a/b"], &["tests", "x/tests", "atests/a"]),
        ("**/tests/**", &["tests/a", "x/y/tests/a/b"], &["tests", "x/tests", "xtests/a"]),
        ("tests", &["tests", "x/tests", "x/tests/a/b"], &["tests2", "atests"]),
        ("/Makefile", &["Makefile"], &["x/Makefile", "makefile"]),
        ("Makefile", &["Makefile", "x/Makefile"], &["Makefile.am"]),
        ("/a/*.md", &["a/x.md", "a/.md"], &["a/b/x.md", "b/a/x.md", "a/x.mdx"]),
        ("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["a/xb", "b", "x/a/b"]),
        ("a?c", &["abc", "aéc", "x/a.c"], &["ac", "abbc", "a/c"]),
        ("[a-c]x", &["ax", "cx"], &["dx", "x", "Ax"]),
        ("[!a-c]x", &["dx", "éx"], &["ax", "x"]),
        ("[]-]x", &["]x", "-x"], &["ax"]),
        ("*.{test,spec}.{js,ts}", &["a.test.js", "x/b.spec.ts"], &["a.js", "a.test.rs"]),
        ("x{a,{b,c}d}", &["xa", "xbd", "xcd"], &["xb", "xd"]),
        ("a\\*", &["a*"], &["ab"]),
        ("\\!a", &["!a"], &["a"]),
        ("a**b", &["ab", "axxb"], &["a/b"]),
        ("**", &["a", "a/b"], &[]),
    ] {
        for path in yes {
            assert!(matches(&[pattern], path), "`{pattern}` matches `{path}`");
        }
        for path in no {
            assert!(!matches(&[pattern], path), "`{pattern}` does not match `{path}`");
        }
    }
}

#[test]
fn the_last_pattern_that_matches_decides() {
    let patterns = ["/p/*.md", "!/p/STATE.md", "/p/STATE.md.md"];
    assert!(matches(&patterns, "p/a.md"));
    assert!(!matches(&patterns, "p/STATE.md"));
    assert!(matches(&["!a", "a"], "a"));
    assert!(!matches(&["a", "!{a,b}"], "a"));
}

#[test]
fn bad_patterns_say_what_is_wrong() {
    for (pattern, why) in [
        ("", Why::Empty),
        ("!", Why::Empty),
        ("/", Why::Empty),
        ("[a", Why::OpenSet),
        ("[]", Why::OpenSet),
        ("[z-a]", Why::BackwardRange),
        ("{a", Why::OpenBrace),
        ("a}", Why::OpenBrace),
        ("a\\", Why::OpenEscape),
        ("a//b", Why::NoName),
        ("../a", Why::NoName),
        ("./a", Why::NoName),
        ("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", Why::Alternatives),
        (&"a".repeat(GLOB_BYTES_MAX + 1), Why::Long),
    ] {
        let error = Globs::new([pattern]).unwrap_err();
        assert_eq!(error.why, why, "{pattern}");
        assert!(error.to_string().contains(pattern));
    }
}

#[test]
fn a_hostile_pattern_takes_time_in_proportion() {
    // With backtracking over every star this would not end within the age of the universe.
    let pattern = format!("{}b", "*a".repeat(400));
    assert!(!matches(&[&pattern], &"a".repeat(20_000)));
    let pattern = format!("{}b", "**/a/".repeat(150));
    assert!(!matches(&[&pattern], &"a/".repeat(10_000)));
}

#[test]
fn a_path_that_is_no_text_is_matched_by_its_bytes() {
    let globs = Globs::new(["tests/**", "a?b"]).unwrap();
    assert!(globs.matches(b"tests/\xff\xfe"));
    assert!(globs.matches(b"a\xffb"));
    assert!(!globs.matches(b"\xff/tests/a"));
}

/// What `wild` computes, the slow way.
fn slow(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], name) => (0..=name.len()).any(|taken| slow(rest, &name[taken..])),
        ([b'?', rest @ ..], [_, name @ ..]) => slow(rest, name),
        ([one, rest @ ..], [c, name @ ..]) => one == c && slow(rest, name),
        _ => false,
    }
}

proptest! {
    #[test]
    fn any_pattern_and_any_path_are_survived(
        pattern in "[ab/*?{},!\\[\\]\\\\.-]{0,20}",
        path in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        if let Ok(globs) = Globs::new([&pattern]) {
            globs.matches(&path);
        }
    }

    #[test]
    fn stars_match_as_if_every_length_had_been_tried(
        pattern in "[ab*?]{1,10}",
        name in "[ab]{1,10}",
    ) {
        prop_assert_eq!(matches(&[&pattern], &name), slow(pattern.as_bytes(), name.as_bytes()));
    }

    #[test]
    fn a_name_without_wildcards_matches_itself_anywhere(
        name in "[a-z_.]{3,12}", directory in "[a-z]{1,5}",
    ) {
        prop_assume!(name.bytes().any(|byte| byte != b'.'));
        prop_assert!(matches(&[&name], &name));
        let below = format!("{directory}/{name}");
        prop_assert!(matches(&[&name], &below));
    }
}
