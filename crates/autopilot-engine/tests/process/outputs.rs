//! What goes into a child and comes out of it.

use std::{ffi::OsString, fs, process::Command, sync::Arc};

use autopilot_engine::process::{
    Cancel, Ending, Log, LogOutcome, ProcessErrorKind, StdinSource, run,
};

use crate::world::World;

#[test]
fn exit_code_and_both_outputs_are_told_apart() {
    let finished = World::new().sh("echo out; echo err >&2; exit 7");
    assert_eq!(finished.ending, Ending::Exited(7));
    assert_eq!(finished.stdout.to_text(), "out\n");
    assert_eq!(finished.stderr.to_text(), "err\n");
    assert!(!finished.leaky);
    assert_eq!(finished.strays.count, 0);
}

#[test]
fn a_signal_is_not_an_exit_code() {
    let finished = World::new().sh("kill -SEGV $$");
    assert_eq!(finished.ending, Ending::Signalled(11));
}

#[test]
fn output_is_bytes_not_text() {
    let finished = World::new().sh(r"printf 'a\000\377\033[31mb'");
    assert_eq!(finished.stdout.head(), b"a\0\xff\x1b[31mb");
}

#[test]
fn the_environment_is_the_built_one_and_nothing_else() {
    let world = World::new();
    let mut launch = world.launch("");
    launch.program = "env".into();
    launch.arguments.clear();
    launch.environment.set("MINE", "1");
    let text = world.run(&launch).unwrap().stdout.to_text();
    let mut names: Vec<&str> = text.lines().filter_map(|line| line.split('=').next()).collect();
    names.sort_unstable();
    assert_eq!(names, ["AUTOPILOT_LAUNCH_KEY", "AUTOPILOT_RUN_ID", "MINE", "PATH"]);
}

#[test]
fn a_child_starts_with_its_own_group_and_default_signals() {
    // Built-ins only: a shell that forks blocks signals for a moment.
    let script = "read stat < /proc/$$/stat; echo $stat
        while read line; do case $line in SigBlk*|SigIgn*) echo $line;; esac; done < /proc/$$/status";
    let text = World::new().sh(script).stdout.to_text();
    let lines: Vec<&str> = text.lines().collect();
    let stat: Vec<&str> = lines[0].split(' ').collect();
    assert_eq!(stat[0], stat[4], "process and group");
    for line in &lines[1..3] {
        let mask = u64::from_str_radix(line.split_whitespace().nth(1).unwrap(), 16).unwrap();
        // 32 and 33 belong to the C library.
        assert_eq!(mask & 0x7fff_ffff, 0, "{line}");
    }
}

#[test]
fn a_child_gets_no_open_file_of_engine_or_guardian() {
    let script = "ls /proc/$$/fd";
    let plain = Command::new("sh").args(["-c", script]).output().unwrap();
    let finished = World::new().sh(script);
    assert_eq!(finished.stdout.head(), plain.stdout);
}

#[test]
fn input_larger_than_any_pipe_arrives_whole() {
    let input: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
    let finished = World::new().sh_with_input("tee copy | wc -c; cksum < copy", &input);
    assert!(finished.stdout.to_text().starts_with("3000000\n"));
}

#[test]
fn a_child_that_never_reads_its_input_is_fine() {
    let world = World::new();
    let finished = world.sh_with_input("exec <&-; echo done", &vec![b'x'; 4 << 20]);
    assert_eq!(finished.ending, Ending::Exited(0));
    let finished = world.sh_with_input("sleep 0.1", &vec![b'x'; 4 << 20]);
    assert_eq!(finished.ending, Ending::Exited(0));
}

#[test]
fn an_open_input_is_a_conversation() {
    let world = World::new();
    let mut launch = world.launch("while read word; do echo \"got $word\"; done; echo over");
    launch.stdin = StdinSource::Open(b"one\n".to_vec());
    let mut heard = String::new();
    let finished = run(&world.guardian, &launch, &Cancel::new().unwrap(), &mut |chunk, stdin| {
        heard.push_str(std::str::from_utf8(chunk).unwrap());
        match heard.as_str() {
            "got one\n" => stdin.send(b"two\n"),
            "got one\ngot two\n" => stdin.close(),
            _ => {}
        }
    });
    assert_eq!(finished.unwrap().ending, Ending::Exited(0));
    assert_eq!(heard, "got one\ngot two\nover\n");
}

#[test]
fn arguments_and_environment_of_several_mebibytes_arrive() {
    let world = World::new();
    let mut launch = world.launch("echo $# ${#A1} ${#A9}");
    let long = "x".repeat(120 << 10);
    launch.arguments.push("sh".into());
    launch.arguments.extend((0..5).map(|_| OsString::from(&long)));
    for number in 0..10 {
        launch.environment.set(format!("A{number}"), &long);
    }
    let finished = world.run(&launch).unwrap();
    assert_eq!(finished.stdout.to_text(), "5 122880 122880\n");
}

#[test]
fn what_the_system_does_not_take_is_an_error_and_the_guardian_lives_on() {
    let world = World::new();
    let mut launch = world.launch("");
    launch.arguments.push("x".repeat(8 << 20).into());
    assert!(matches!(world.run(&launch).unwrap_err().kind(), ProcessErrorKind::Io(_)));
    assert_eq!(world.sh("true").ending, Ending::Exited(0));
}

#[test]
fn what_cannot_be_started_is_named() {
    let world = World::new();
    let mut launch = world.launch("");
    launch.program = "no-such-program".into();
    let error = world.run(&launch).unwrap_err();
    assert!(matches!(error.kind(), ProcessErrorKind::ProgramNotFound));
    assert_eq!(error.to_string(), "cannot start `no-such-program`");
    assert!(error.hint().is_some());

    let mut launch = world.launch("");
    launch.directory = world.path("gone");
    let error = world.run(&launch).unwrap_err();
    assert!(matches!(error.kind(), ProcessErrorKind::DirectoryMissing));

    fs::write(world.path("text"), "no program").unwrap();
    let mut launch = world.launch("");
    launch.program = world.path("text").into();
    assert!(matches!(world.run(&launch).unwrap_err().kind(), ProcessErrorKind::Io(_)));
}

#[test]
fn the_log_gets_both_outputs_up_to_its_limit() {
    let world = World::new();
    let mut launch = world.launch("echo 12345; sleep 0.02; echo 67890 >&2");
    launch.log =
        Some(Log { tape: Arc::new(fs::File::create(world.path("log")).unwrap()), bytes_max: 8 });
    let finished = world.run(&launch).unwrap();
    assert!(matches!(finished.log, LogOutcome::Cut { bytes_left_out: 4 }));
    assert_eq!(fs::read(world.path("log")).unwrap(), b"12345\n67");
}

#[test]
fn a_full_log_device_is_told_and_the_child_is_not_disturbed() {
    let world = World::new();
    let mut launch = world.launch("echo hello");
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    launch.log = Some(Log { tape: Arc::new(full), bytes_max: 100 });
    let finished = world.run(&launch).unwrap();
    assert_eq!(finished.ending, Ending::Exited(0));
    assert!(matches!(finished.log, LogOutcome::Failed(_)));
}

#[test]
fn five_hundred_mebibytes_do_not_fill_the_memory() {
    const MEBIBYTES: u64 = 500;
    let world = World::new();
    let before = anonymous_kib();
    let finished = world.sh("head -c 524288000 /dev/zero | tr '\\0' 'x'");
    let grown = anonymous_kib().saturating_sub(before);
    assert_eq!(finished.stdout.bytes(), MEBIBYTES << 20);
    // The other tests of this binary run in the same process at the same time.
    assert!(grown < 40 << 10, "memory grew by {grown} KiB");
}

fn anonymous_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
