//! One writer at a time, and its name.

use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    os::unix::fs::symlink,
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    sync::Barrier,
    thread,
};

use autopilot_journal::{Disk, ErrorKind, Holder, Journal, faulty::FaultyDisk};

use crate::support::{disk, holder, open, read};

const CHILD_DIR: &str = "JOURNAL_TEST_CHILD_DIR";

/// Is a process of its own when another test starts it: opens the journal, appends, says so, waits.
#[test]
fn process_that_holds_a_journal() {
    let Ok(dir) = env::var(CHILD_DIR) else {
        return;
    };
    let mut out = std::io::stdout();
    match open(disk(Path::new(&dir))) {
        Ok(mut opened) => {
            opened.journal.append(&["from the child"]).unwrap();
            writeln!(out, "\nholds").unwrap();
            std::io::stdin().read_line(&mut String::new()).unwrap();
        }
        Err(error) => {
            if let ErrorKind::Locked(Some(holder)) = error.kind() {
                writeln!(out, "\nrefused {}", holder.pid).unwrap();
            } else {
                writeln!(out, "\nfailed {error:?}").unwrap();
            }
        }
    }
}

/// That process, from outside.
struct Process {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Process {
    fn spawn(dir: &Path) -> Self {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "locking::process_that_holds_a_journal", "--nocapture"])
            .env(CHILD_DIR, dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out }
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Reads what it came to.
    fn answer(&mut self) -> String {
        (&mut self.out)
            .lines()
            .map(Result::unwrap)
            .find(|line| ["holds", "refused", "failed"].iter().any(|word| line.starts_with(word)))
            .unwrap()
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        self.child.wait().unwrap();
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn a_second_writer_is_refused_with_the_first_ones_name() {
    let dir = tempfile::tempdir().unwrap();
    let first = open(disk(dir.path())).unwrap();
    let error = open(disk(dir.path())).unwrap_err();
    let ErrorKind::Locked(Some(found)) = error.kind() else {
        panic!("{error:?}");
    };
    assert_eq!(*found, holder());
    let reason = format!("process {} has it (test)", std::process::id());
    assert_eq!(error.kind().to_string(), reason);
    assert_eq!(Journal::holder(disk(dir.path())).unwrap(), Some(holder()));
    assert!(read(disk(dir.path())).unwrap().is_empty(), "a reader needs no lock");
    drop(first);
    open(disk(dir.path())).unwrap();
}

#[test]
fn another_process_is_refused_and_its_lock_ends_when_it_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = Process::spawn(dir.path());
    assert_eq!(first.answer(), "holds");
    let error = open(disk(dir.path())).unwrap_err();
    let ErrorKind::Locked(Some(found)) = error.kind() else {
        panic!("{error:?}");
    };
    let pid = first.pid();
    assert_eq!(found.pid, pid);
    assert!(found.is_running());

    let mut second = Process::spawn(dir.path());
    assert_eq!(second.answer(), format!("refused {pid}"));
    second.end();

    first.kill();
    let stale = Journal::holder(disk(dir.path())).unwrap().unwrap();
    assert_eq!(stale.pid, pid);
    assert!(!stale.is_running());
    assert_eq!(open(disk(dir.path())).unwrap().replayed, 1, "what it appended is there");
}

#[test]
fn many_processes_at_once_have_one_winner() {
    for _ in 0..10 {
        let dir = tempfile::tempdir().unwrap();
        let mut racers: Vec<Process> = (0..6).map(|_| Process::spawn(dir.path())).collect();
        let answers: Vec<String> = racers.iter_mut().map(Process::answer).collect();
        let winner = answers.iter().position(|answer| answer == "holds").unwrap();
        let refusal = format!("refused {}", racers[winner].pid());
        for (index, answer) in answers.iter().enumerate() {
            assert!(index == winner || *answer == refusal, "{answers:?}");
        }
        racers.into_iter().for_each(Process::end);
    }
}

#[test]
fn a_thousand_races_have_one_winner_each() {
    const THREADS: usize = 4;
    let dir = tempfile::tempdir().unwrap();
    let holder = holder();
    for race in 0..1000 {
        let barrier = Barrier::new(THREADS);
        let winners: usize = thread::scope(|scope| {
            let racers: Vec<_> = (0..THREADS)
                .map(|_| {
                    scope.spawn(|| {
                        let disk = disk(dir.path());
                        barrier.wait();
                        let opening = Journal::open(disk, &holder);
                        // The winner keeps it until all have tried.
                        barrier.wait();
                        usize::from(opening.is_ok())
                    })
                })
                .collect();
            racers.into_iter().map(|racer| racer.join().unwrap()).sum()
        });
        assert_eq!(winners, 1, "race {race}");
    }
}

#[test]
fn a_child_process_does_not_inherit_the_lock() {
    let dir = tempfile::tempdir().unwrap();
    let first = open(disk(dir.path())).unwrap();
    let mut child = Command::new("sleep").arg("60").spawn().unwrap();
    drop(first);
    let second = open(disk(dir.path()));
    child.kill().unwrap();
    child.wait().unwrap();
    second.unwrap();
}

#[test]
fn what_a_dead_holder_wrote_is_no_obstacle() {
    for text in ["", "rubbish", "pid 1\nstarted 5\nboot other\nlabel run 1\n"] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("lock"), text).unwrap();
        open(disk(dir.path())).unwrap();
        assert_eq!(Journal::holder(disk(dir.path())).unwrap(), Some(holder()));
    }
}

#[test]
fn a_lock_file_that_lost_its_name_keeps_nobody_out_and_nobody_in() {
    let dir = tempfile::tempdir().unwrap();
    let first = open(disk(dir.path())).unwrap();
    fs::remove_file(dir.path().join("lock")).unwrap();
    // Nothing can stop a person from this; the sequence then shows what happened.
    let second = open(disk(dir.path())).unwrap();
    assert!(open(disk(dir.path())).is_err(), "the new lock file counts");
    drop((first, second));
}

#[test]
fn a_symbolic_link_is_never_followed() {
    let dir = tempfile::tempdir().unwrap();
    let outside = dir.path().join("outside");
    fs::write(&outside, "precious").unwrap();
    let rows = [
        ("lock", false),
        ("000000000001.log", false),
        ("snapshot.tmp", true),
        ("000000000001.log.tmp", true),
    ];
    for (name, opens) in rows {
        let root = dir.path().join(format!("journal-{name}"));
        fs::create_dir(&root).unwrap();
        symlink(&outside, root.join(name)).unwrap();
        let opened = open(disk(&root));
        assert_eq!(opened.is_ok(), opens, "{name}");
        if let Ok(mut opened) = opened {
            let appended = opened.journal.append(&["one"]).unwrap();
            opened.journal.write_snapshot(appended.last, b"state").unwrap();
        }
        assert_eq!(fs::read_to_string(&outside).unwrap(), "precious", "{name}");
    }
    symlink(dir.path(), dir.path().join("link")).unwrap();
    assert!(Disk::open(dir.path().join("link")).is_err());
}

#[test]
fn a_lock_ends_with_its_journal_on_the_model_too() {
    let disk = FaultyDisk::new();
    let first = open(disk.clone()).unwrap();
    let named = Holder::this_process("second");
    assert!(Journal::open(disk.clone(), &named).is_err());
    drop(first);
    Journal::open(disk, &named).unwrap();
}
