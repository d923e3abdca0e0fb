//! Written commands, and what is run of them.

use proptest::prelude::*;

use super::*;
use crate::expectation::Comparison;

fn plain(command: &str, expect: &Expectation) -> Option<String> {
    let unmasked = unmask(command, expect);
    unmasked.masked.is_none().then_some(unmasked.command)
}

#[test]
fn endings_that_hide_the_exit_code_are_taken_off() {
    for (command, expected) in [
        ("cargo test", "cargo test"),
        ("cargo test 2>&1; echo EXIT:$?", "cargo test 2>&1"),
        ("cargo test; echo \"EXIT:$?\"", "cargo test"),
        ("cargo test || true", "cargo test"),
        ("cargo test || echo FAIL", "cargo test"),
        ("cargo test; true", "cargo test"),
        ("cargo test; :", "cargo test"),
        ("cargo test;", "cargo test"),
        ("cargo test; exit 0", "cargo test"),
        ("cargo test | tail -5", "cargo test"),
        ("cargo test 2>&1 | tail -5; echo EXIT:$?", "cargo test 2>&1"),
        ("cargo test | head -n 3 | cat", "cargo test"),
        ("a && b || echo no", "a && b"),
        ("a && echo yes", "a && echo yes"),
        ("a || exit 1", "a || exit 1"),
        ("grep -q 'a; echo b' f", "grep -q 'a; echo b' f"),
        ("grep -q \"x || true\" f", "grep -q \"x || true\" f"),
        ("grep -q a\\|b f", "grep -q a\\|b f"),
        ("test -z \"$(git status; true)\"", "test -z \"$(git status; true)\""),
        ("if a; then b; else c; fi", "set -e; if a; then b; else c; fi"),
        ("set -eu; for f in *; do sh $f; done", "set -eu; for f in *; do sh $f; done"),
        ("for f in *; do sh $f; done", "set -e; for f in *; do sh $f; done"),
        ("sh t.sh | sed s/a/b/", "sh t.sh"),
        ("sh t.sh | grep -v noise", "sh t.sh | grep -v noise"),
        ("sh t.sh | grep -iv noise | sort", "sh t.sh | grep -iv noise"),
        ("prog --help | grep usage", "prog --help | grep usage"),
        ("sh t.sh; test 1", "sh t.sh && test 1"),
        ("sh t.sh; true && echo ok", "sh t.sh && true && echo ok"),
        ("rm -rf out; make; ./out/app", "rm -rf out; make && ./out/app"),
        ("cd sub; cargo test", "cd sub; cargo test"),
        ("grep -q x f; test $? -eq 1", "grep -q x f; test $? -eq 1"),
        ("test -d node_modules || npm ci || exit 1", "test -d node_modules || npm ci || exit 1"),
        ("echo hello", "echo hello"),
        ("make &> log", "make &> log"),
    ] {
        assert_eq!(plain(command, &Expectation::DEFAULT).as_deref(), Some(expected), "{command}");
    }
}

#[test]
fn what_cannot_be_taken_off_is_masked() {
    for command in [
        "test -f a || test -f b",
        "(cargo test; true)",
        "{ cargo test || true; }",
        "((a; true))",
        "echo 'open",
        "echo \"open",
        "a )",
        "( a",
        "",
        "; echo EXIT:$?",
        "|| true",
        "sh t.sh || true && echo ok",
        "{ sh t.sh || true; } && echo ok",
        "sh t.sh || echo bad; ls t.sh",
        "(sh t.sh || :) && make",
    ] {
        assert_eq!(plain(command, &Expectation::DEFAULT), None, "{command}");
    }
}

#[test]
fn a_cut_of_the_output_stays_when_the_output_is_what_counts() {
    let some = Expectation::Count(Comparison::AtLeast, 1);
    assert_eq!(plain("grep x f | tail -1", &some).as_deref(), Some("grep x f | tail -1"));
    assert_eq!(plain("grep -c x f || true", &some).as_deref(), Some("grep -c x f"));
    assert_eq!(plain("grep x f | tail -1", &Expectation::NoMatches).as_deref(), Some("grep x f"));
    assert_eq!(plain("grep x f | head -1", &Expectation::NoMatches), None);
    assert_eq!(
        plain("grep x f | wc -l", &Expectation::NoMatches).as_deref(),
        Some("grep x f | wc -l")
    );
}

/// What is run for a written command, or `None` where it is refused.
fn run_as(command: &str, expect: &str) -> Option<(String, Expectation)> {
    let expect = if expect.is_empty() { Expectation::DEFAULT } else { Expectation::parse(expect) };
    let unmasked = unmask(command, &expect);
    unmasked.masked.is_none().then_some((unmasked.command, unmasked.expect))
}

#[test]
fn e1_a_filter_that_can_decide_is_never_taken_off() {
    for command in [
        "cat hay | awk '/nope/{f=1} END{exit !f}'",
        "cat hay | awk 'END{exit NR!=5}'",
        "cat hay | awk -f check.awk",
        "cat hay | awk \"$program\"",
        "cat hay | awk '{print}' other",
        "cat hay | sort -c",
        "cat hay | sort -uc",
        "cat hay | sort -C",
        "cat hay | sort --check=quiet",
        "cat hay | sort $options",
        "cat hay | sort other",
        "cat hay | sed '/a/q1'",
        "cat hay | sed -n '$q5'",
        "cat hay | sed 's/a/b/e'",
        "cat hay | sed 's/a/b/;/c/Q 2'",
        "cat hay | sed -f script",
        "cat hay | sed s/a/b/ other",
        "cat hay | sed '/[/]/q1'",
        "cat greeting | grep -v hello",
        "cat hay | grep -vx a | grep -vx b",
        "cat hay | uniq other",
        "cat hay | jq -e .ok",
        "cat hay | perl -ne 'exit 1'",
        "cat hay | python3 check.py",
        "cat hay | ./tail",
        "cat hay | xargs test -f",
        "cat hay | unknown",
    ] {
        let as_written = Some((command.to_owned(), Expectation::DEFAULT));
        assert_eq!(run_as(command, ""), as_written, "{command}");
    }
}

#[test]
fn e1_a_filter_that_cannot_decide_is_taken_off() {
    for filter in [
        "tail -5",
        "/usr/bin/tail -n 5",
        "head -n 3",
        "cat -n",
        "cat - other",
        "tee log",
        "sed s/hello/world/g",
        "sed -n '/a/,/b/p'",
        "sed -e 1d -e '$d'",
        "sort",
        "sort -t c -k 2,2 -u",
        "sort -rn",
        "awk -F: '{print $1}'",
        "awk '/a/'",
        "tr -d '\\r'",
        "cut -d : -f 1",
        "uniq -c",
        "nl",
        "wc -l",
        "column -t",
        "less",
        "LC_ALL=C sort",
        "(cat)",
        "{ tail -5; }",
        "sort | uniq -c | sort -rn | head -5",
    ] {
        let command = format!("sh t.sh | {filter}");
        assert_eq!(plain(&command, &Expectation::DEFAULT).as_deref(), Some("sh t.sh"), "{command}");
    }
}

#[test]
fn e1_what_stands_after_a_single_ampersand_decides_or_is_refused() {
    for command in [
        "true & test -f nope",
        "sleep 1 & grep -q nope hay",
        "sh -c 'sleep 0' & false",
        "echo x & exit 1",
        "./server & curl -sf localhost/health",
        "./server & sleep 1; curl -sf localhost/health",
        "cargo test & wait $!",
        "cd sub; ./server & curl -sf localhost/health",
    ] {
        assert_eq!(plain(command, &Expectation::DEFAULT).as_deref(), Some(command), "{command}");
    }
    for command in [
        "cargo test &",
        "cargo test & true",
        "cargo test & echo started",
        "cargo test & exit 0",
        "cargo test & sleep 5",
        "cargo test & wait",
        "cargo test & wait; echo done",
        "(cargo test &)",
    ] {
        assert_eq!(plain(command, &Expectation::DEFAULT), None, "{command}");
    }
    assert_eq!(
        plain("make; ./server & curl -sf x", &Expectation::DEFAULT).as_deref(),
        Some("make || exit; ./server & curl -sf x"),
    );
}

#[test]
fn what_is_expected_of_an_ending_is_not_taken_off_with_it() {
    for (command, expect, run, now) in [
        (
            "cat hay; echo done",
            "output contains \"done\"",
            "cat hay && echo done",
            "output contains \"done\"",
        ),
        (
            "cat hay; echo done",
            "output contains \"needle\"",
            "cat hay",
            "output contains \"needle\"",
        ),
        (
            "rm x; echo done",
            "output contains \"done\"",
            "rm x && echo done",
            "output contains \"done\"",
        ),
        (
            "make; echo built $?",
            "output contains \"built\"",
            "make && echo built $?",
            "output contains \"built\"",
        ),
        ("n=$(grep -c x f); echo $n", "expect >= 2", "n=$(grep -c x f) && echo $n", "expect >= 2"),
        ("wc -l < f; echo done", "expect >= 1", "wc -l < f", "expect >= 1"),
        (
            "for f in *; do sh $f; done; echo ok",
            "matches /^ok$/",
            "set -e; for f in *; do sh $f; done; echo ok",
            "matches /^ok$/",
        ),
        ("test -f nope; echo $?", "returns 1", "test -f nope", "exits 1"),
        ("test -f nope; echo \"rc: $?\"", "returns 1", "test -f nope", "exits 1"),
        ("a; echo EXIT:$?", "output contains \"EXIT:2\"", "a", "exits 2"),
        ("a; printf 'EXIT:%s\\n' $?", "output contains \"EXIT:2\"", "a", "exits 2"),
        ("a; echo EXIT:$?", "matches /EXIT:0$/", "a", "exits 0"),
        (
            "a; echo EXIT:$?",
            "output contains \"ok\", output contains \"EXIT:0\"",
            "a",
            "output contains \"ok\", exits 0",
        ),
        (
            "cargo test; echo EXIT:$?",
            "output contains \"ok\"",
            "cargo test",
            "output contains \"ok\"",
        ),
        ("a; echo done >&2", "output contains \"done\"", "a", "output contains \"done\""),
        ("a || echo FAIL", "output contains \"ok\"", "a", "output contains \"ok\""),
        ("grep -c x f || echo 0", "expect 0", "grep -c x f", "expect 0"),
        ("cat hay | cat -n", "matches /1\\s+needle/", "cat hay | cat -n", "matches /1\\s+needle/"),
        ("cat hay | cat", "output contains \"a\"", "cat hay", "output contains \"a\""),
    ] {
        let expected = Some((run.to_owned(), Expectation::parse(now)));
        assert_eq!(run_as(command, expect), expected, "{command} ({expect})");
    }
}

#[test]
fn what_an_ending_prints_by_itself_proves_nothing() {
    for (command, expect) in [
        ("test -f nope || echo missing", "output contains \"missing\""),
        ("cargo test || echo 'all ok'", "matches /ok/"),
        ("cargo test || echo 'all ok'", "exits 0, output contains \"ok\""),
        ("test -f nope || echo 1", "returns 1"),
        ("a; echo EXIT:$?", "matches /EXIT:[12]$/"),
        ("a; echo $?", "expect >= 1"),
        ("cat hay; echo 5", "returns 5"),
        ("a; echo \"$x $?\"", "output contains \"1\""),
    ] {
        assert_eq!(run_as(command, expect), None, "{command} ({expect})");
    }
}

#[test]
fn a_case_is_read_and_a_comment_hides_nothing() {
    for (command, expected) in [
        (
            "case x in x) true;; esac; grep -q a hay",
            "set -e; case x in x) true;; esac; grep -q a hay",
        ),
        ("case x in x) exit 3;; esac", "case x in x) exit 3;; esac"),
        ("sh t.sh # it's all\ntest -f x", "sh t.sh && # it's all\ntest -f x"),
        ("sh t.sh # && true", "sh t.sh # && true"),
        ("test \"$(grep \"a; true\" f)\"", "test \"$(grep \"a; true\" f)\""),
    ] {
        assert_eq!(plain(command, &Expectation::DEFAULT).as_deref(), Some(expected), "{command}");
    }
}

proptest! {
    #[test]
    fn unmasking_is_total_and_what_it_gives_needs_no_more(command in "[ -~\n]{0,60}") {
        let once = unmask(&command, &Expectation::DEFAULT);
        let again = unmask(&once.command, &Expectation::DEFAULT);
        prop_assert_eq!(once, again);
    }

    #[test]
    fn nothing_that_remains_ends_in_a_mask(
        command in "[a-c]{1,3}( && [a-c]| \\| tail| \\|\\| true|; true|; echo \\$\\?| \\| cat){0,5}"
    ) {
        let unmasked = unmask(&command, &Expectation::DEFAULT);
        for mask in ["| tail", "|| true", "; true", "; echo $?", "| cat"] {
            prop_assert!(!unmasked.command.ends_with(mask), "{}", unmasked.command);
        }
    }
}
