//! Criteria in the forms that plans and roadmaps use.

use proptest::prelude::*;

use super::*;
use crate::{Comparison, Observed, judge};

fn shown(line: &str) -> String {
    let criterion = Criterion::parse(line);
    let command = criterion.command.as_deref().unwrap_or("-");
    format!("{} | {command} | {:?}", criterion.text, criterion.expect)
}

#[test]
fn commands_and_expectations_are_found() {
    for (line, expected) in [
        ("It builds -- verified by: `cargo build`", "It builds | cargo build | Exit(0)"),
        ("It builds — verified by `cargo build`", "It builds | cargo build | Exit(0)"),
        ("It builds (verified by: `cargo build`)", "It builds | cargo build | Exit(0)"),
        (
            "Has X -- verified by: `grep -c 'X' f` (expect >= 1)",
            "Has X | grep -c 'X' f | Count(AtLeast, 1)",
        ),
        (
            "Has X -- verified by: `grep -c 'X' f` returns 3",
            "Has X | grep -c 'X' f | Count(Equal, 3)",
        ),
        ("Verification: `test -f a`", "test -f a | test -f a | Exit(0)"),
        ("Verification: `wc -l f` returns >= 9", "wc -l f | wc -l f | Count(AtLeast, 9)"),
        ("**Verified by:** `make`", "make | make | Exit(0)"),
        ("Gone -- verified by: `grep x f` (no matches)", "Gone | grep x f | NoMatches"),
        ("Runs -- verified by: `a 2>&1; echo EXIT:$?` (expect EXIT:0)", "Runs | a 2>&1 | Exit(0)"),
        (
            "Runs -- verified by: `a; echo EXIT:$?` (output contains \"EXIT:2\")",
            "Runs | a | Exit(2)",
        ),
        ("Runs -- verified by: `a || true`", "Runs | a | Exit(0)"),
        ("Both -- verified by: `a` and `b | tail -1`", "Both | ( a ) && ( b ) | Exit(0)"),
        ("Ticks -- verified by: ``echo `date` ``", "Ticks | echo `date` | Exit(0)"),
        ("Fails -- verified by: `a` exits 2.", "Fails | a | Exit(2)"),
    ] {
        assert_eq!(shown(line), expected, "{line}");
    }
}

#[test]
fn what_is_not_understood_is_kept_and_never_green() {
    let line = "Good -- verified by: `true` (expect it to look right)";
    let criterion = Criterion::parse(line);
    assert_eq!(criterion.expect, Expectation::Unreadable("expect it to look right".into()));
    let observed = Observed { exit_code: Some(0), ..Observed::default() };
    assert!(!judge(&criterion.expect, &observed).is_passed());

    let masked = Criterion::parse("Either -- verified by: `test -f a || test -f b`");
    assert!(matches!(masked.expect, Expectation::Masked(_)));
    let unclear = Criterion::parse("x -- verified by: `a` and `b` (expect 2)");
    assert!(matches!(unclear.expect, Expectation::Masked(_)));
}

#[test]
fn a_criterion_of_absurd_length_is_not_read() {
    let line = format!("x -- verified by: `true` {}", " ".repeat(CRITERION_BYTES_MAX));
    let criterion = Criterion::parse(&format!("{line}y"));
    assert!(matches!(criterion.expect, Expectation::Unreadable(_)) && criterion.command.is_none());
}

#[test]
fn criteria_without_a_command_are_prose_or_traced() {
    for line in [
        "Users can sign in",
        "`pnpm build` ends without errors",
        "Every claim is verified by two people",
        "It works -- verified by: looking at it",
        "The `verified by: x` field exists",
    ] {
        let criterion = Criterion::parse(line);
        assert_eq!((criterion.command, criterion.method), (None, Method::Prose), "{line}");
        assert_eq!(criterion.text, line);
    }
    let traced =
        Criterion::parse("Click saves -- verified by: read ui.rs:on_click and trace to save()");
    assert_eq!((traced.command, traced.method), (None, Method::Traced));
}

#[test]
fn weights_are_read_where_they_are_stated() {
    for (line, weight, command) in [
        ("A (weight: 2) -- verified by: `a`", 200, Some("a")),
        ("A -- verified by: `a` (expect >= 1) (weight 0.5)", 50, Some("a")),
        ("A [weight=1.25]", 125, None),
        ("A (weight: 0)", 100, None),
        ("A (weight: heavy)", 100, None),
        ("A", 100, None),
    ] {
        let criterion = Criterion::parse(line);
        assert_eq!(criterion.weight.hundredths(), weight, "{line}");
        assert_eq!(criterion.command.as_deref(), command, "{line}");
    }
    let counted = Criterion::parse("A -- verified by: `a` (expect >= 1) (weight 0.5)");
    assert_eq!(counted.expect, Expectation::Count(Comparison::AtLeast, 1));
}

#[test]
fn a_bare_command_is_a_criterion_of_its_own() {
    let criterion = Criterion::of_command(" cargo test | tail -3 ");
    assert_eq!(criterion.command.as_deref(), Some("cargo test"));
    assert_eq!(criterion.text, "cargo test");
}

proptest! {
    #[test]
    fn reading_is_total(line in "\\PC{0,80}") {
        Criterion::parse(&line);
    }

    #[test]
    fn reading_is_total_near_the_grammar(
        line in "(-- verified by: |`|[a-z]{1,3}| \\(expect |>= |[0-9]|\\)|\\|\\| true|; |weight|é|\\(|'){0,14}"
    ) {
        Criterion::parse(&line);
    }

    #[test]
    fn a_tail_is_never_ignored(tail in "[a-z]{3,8} [a-z]{3,8}") {
        let criterion = Criterion::parse(&format!("A -- verified by: `true` ({tail})"));
        let exits = criterion.expect == Expectation::DEFAULT;
        prop_assert!(!exits || ["is green"].contains(&tail.as_str()));
    }
}
