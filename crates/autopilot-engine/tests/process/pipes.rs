//! Criteria whose command ends in something that could hide its exit code, run by the real shell.

use std::fs;

use autopilot_core::evidence::{Criterion, Observed, argv, judge};
use autopilot_engine::process::Ending;

use crate::world::World;

/// Whether the command of a criterion passes in a directory with the files `hay` and `greeting`.
fn passes(world: &World, line: &str) -> bool {
    let criterion = Criterion::parse(line);
    let [program, arguments @ ..] = argv(criterion.command.as_deref().unwrap());
    let mut launch = world.launch("");
    launch.program = program.into();
    launch.arguments = arguments.map(Into::into).to_vec();
    let finished = world.run(&launch).unwrap();
    let exit_code = match finished.ending {
        Ending::Exited(code) => Some(code),
        Ending::Signalled(_) | Ending::TimedOut | Ending::Stalled | Ending::Cancelled => None,
    };
    let stdout = finished.stdout.to_text();
    let observed = Observed { exit_code, stdout: &stdout, ..Observed::default() };
    judge(&criterion.expect, &observed).is_passed()
}

fn world() -> World {
    let world = World::new();
    fs::write(world.path("hay"), "b\nneedle\na\n").unwrap();
    fs::write(world.path("greeting"), "hello\n").unwrap();
    fs::write(world.path("fails.sh"), "echo said; echo more; exit 3\n").unwrap();
    world
}

#[test]
fn e1_what_fails_is_never_hidden_by_the_end_of_its_command() {
    let world = world();
    for check in [
        "`cat hay | awk '/nope/{f=1} END{exit !f}'`",
        "`cat hay | awk 'END{exit NR!=5}'`",
        "`cat hay | sort -c`",
        "`cat hay | sort -C`",
        "`cat hay | sort --check=quiet`",
        "`cat hay | sed '/a/q1'`",
        "`cat hay | sed -n '$q5'`",
        "`cat greeting | grep -v hello`",
        "`cat greeting | grep -vx hello | grep -vx b`",
        "`true & test -f nope`",
        "`sleep 0 & grep -q nope hay`",
        "`sh -c 'sleep 0' & false`",
        "`echo x & exit 1`",
        "`false &`",
        "`false & true`",
        "`sh fails.sh | head -1`",
        "`sh fails.sh | tail -1 && true`",
        "`sh fails.sh | tail -1` (output contains \"more\")",
        "`sh fails.sh | head -1` (output contains \"said\")",
        "`sh fails.sh | cat -n` (matches /1\\s+said/)",
        "`sh fails.sh | sort | uniq` (expect >= 2)",
        "`grep x missing | wc -l` (expect 0)",
        "`sh fails.sh; echo done` (output contains \"done\")",
        "`sh fails.sh || echo fine` (output contains \"fine\")",
        "`test -f hay; echo $?` (returns 1)",
        "`false # all\ntrue`",
        "`case x in x) false;; esac; grep -q a hay`",
    ] {
        assert!(!passes(&world, &format!("x -- verified by: {check}")), "{check}");
    }
}

#[test]
fn e1_what_goes_well_passes_whatever_its_command_ends_in() {
    let world = world();
    for check in [
        "`cat hay | awk '/needle/{f=1} END{exit !f}'`",
        "`sort hay | sort -c`",
        "`cat hay | grep -v hello`",
        "`cat hay | sort -rn | head -1`",
        "`true & test -f hay`",
        "`cat hay | head -1` (output contains \"b\")",
        "`seq 1 100000 | head -1` (returns 1)",
        "`cat hay | cat -n` (matches /2\\s+needle/)",
        "`cat hay | wc -l` (returns 3)",
        "`grep x hay | wc -l` (expect 0)",
        "`ls *.bak 2>/dev/null | wc -l` (expect 0)",
        "`diff hay greeting | tail -1` (output contains \"hello\")",
        "`sh fails.sh | tail -1` (exits 3, output contains \"more\")",
        "`sh fails.sh 2>&1 | grep -c said` (returns 1)",
        "`cat hay; echo done` (output contains \"done\")",
        "`test -f nope; echo $?` (returns 1)",
        "`n=$(grep -c e hay); echo $n` (expect >= 1)",
        "`case x in x) true;; esac; grep -q a hay`",
        "`yes | head -1` (output contains \"y\")",
    ] {
        assert!(passes(&world, &format!("x -- verified by: {check}")), "{check}");
    }
}
