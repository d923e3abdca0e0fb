//! The loop that empties a queue: as many workers as there are slots, refilled as they end, and merges one after another.
//!
//! Everything that a project does in its own way is a command that is called with the issue. What is said goes to a log, and
//! what a person should hear of to a command of theirs.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::process::Pid;
use signal_hook::{consts::SIGINT, consts::SIGTERM, flag};

use crate::{
    process::kill_trees,
    queue::lease::{LeaseStore, Place, Taken},
};

/// How many issues one listing of the queue may name.
const ISSUES_MAX: usize = 10_000;
/// The pool of the leases of issues.
const POOL: &str = "issue";

/// What of a run a person hears of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loudness {
    /// What needs them.
    Quiet,
    /// And what begins and is done.
    Normal,
    /// And everything else.
    Verbose,
}

impl Loudness {
    /// The level of that name; a name that is not known is the usual one.
    pub fn named(name: &str) -> Self {
        match name {
            "quiet" => Self::Quiet,
            "verbose" => Self::Verbose,
            _ => Self::Normal,
        }
    }

    /// The least level at which an event is told.
    fn of(event: &str) -> Self {
        match event {
            "escalate" | "merge-failed" | "worker-failed" => Self::Quiet,
            "dispatch" | "merged" => Self::Normal,
            _ => Self::Verbose,
        }
    }
}

/// The commands of a run, each called with the issue as its last word.
#[derive(Clone, Debug)]
pub struct Commands {
    /// Lists the issues that are ready, one on a line; called with nothing.
    pub queue: String,
    /// Works on an issue.
    pub launch: String,
    /// Says `merge-ready` of an issue, or anything else.
    pub result: String,
    /// Brings an issue in: 0 merged, 2 merged and red since, 3 somebody else merges, anything else failed.
    pub merge: String,
    /// Tells a person: event, issue, detail.
    pub notify: Option<String>,
}

/// How a queue is emptied.
#[derive(Clone, Debug)]
pub struct Drain {
    /// What is called.
    pub commands: Commands,
    /// Who may work on what.
    pub leases: LeaseStore,
    /// The name that leases are held under.
    pub session: String,
    /// How many work at a time.
    pub slots: usize,
    /// How long to wait before looking again.
    pub poll: Duration,
    /// How long a worker may take, where it may not take for ever.
    pub worker_max: Option<Duration>,
    /// What a person hears of.
    pub loudness: Loudness,
    /// Where it is written down what happens; standard error where nowhere else.
    pub log: Option<PathBuf>,
}

/// Someone who works on an issue.
struct Worker {
    issue: String,
    child: Child,
    began: Instant,
    leased: Instant,
}

/// How a worker ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    ByItself,
    TooLate,
}

impl Drain {
    /// Empties the queue. Tells whether it came to its end; a signal ends it before, with every worker.
    ///
    /// # Errors
    /// Fails if signals cannot be listened for.
    pub fn run(&self) -> io::Result<bool> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            flag::register(signal, Arc::clone(&stop))?;
        }
        let mut active: Vec<Worker> = Vec::new();
        let mut done: BTreeSet<String> = BTreeSet::new();
        let mut skipped: BTreeSet<String> = BTreeSet::new();
        loop {
            if stop.load(Ordering::Relaxed) {
                self.leave(active);
                return Ok(false);
            }
            self.refill(&mut active, &done, &mut skipped);
            if active.is_empty() {
                self.log("drain-complete");
                return Ok(true);
            }
            thread::sleep(self.poll);
            let mut working = Vec::new();
            for worker in active {
                match self.look(worker) {
                    Ok(worker) => working.push(worker),
                    Err((issue, ended)) => {
                        self.settle(&issue, ended);
                        done.insert(issue);
                    }
                }
            }
            active = working;
        }
    }

    /// Gives free slots to issues that nobody works on. The queue is asked anew, because it may have grown.
    fn refill(
        &self,
        active: &mut Vec<Worker>,
        done: &BTreeSet<String>,
        skipped: &mut BTreeSet<String>,
    ) {
        if active.len() >= self.slots {
            return;
        }
        for issue in self.waiting() {
            if active.len() >= self.slots {
                return;
            }
            if done.contains(&issue) || active.iter().any(|worker| worker.issue == issue) {
                continue;
            }
            let place = Place { pool: POOL, key: &issue };
            if !matches!(self.leases.acquire(place, &self.session), Taken::Held { .. }) {
                if skipped.insert(issue.clone()) {
                    self.log(&format!("skip issue={issue} (lease held elsewhere)"));
                }
                continue;
            }
            match self.command(&self.commands.launch, &[&issue]).spawn() {
                Ok(child) => {
                    let (began, leased) = (Instant::now(), Instant::now());
                    self.log(&format!("launch issue={issue} active={}", active.len() + 1));
                    self.tell("dispatch", &issue, "");
                    active.push(Worker { issue, child, began, leased });
                }
                Err(error) => {
                    self.leases.release(place, &self.session);
                    self.log(&format!("worker-failed issue={issue} ({error})"));
                    self.tell("worker-failed", &issue, "it cannot be started");
                }
            }
        }
    }

    /// The issues that are ready, in their order.
    fn waiting(&self) -> Vec<String> {
        let mut command = self.command(&self.commands.queue, &[]);
        let Ok(listed) = command.stdout(Stdio::piped()).output() else { return Vec::new() };
        let text = String::from_utf8_lossy(&listed.stdout).into_owned();
        let words = text.split_whitespace().filter(|word| is_issue(word));
        words.take(ISSUES_MAX).map(str::to_owned).collect()
    }

    /// Whether a worker still works; if so it keeps its lease, which would otherwise be over before its time is.
    fn look(&self, mut worker: Worker) -> Result<Worker, (String, Ended)> {
        // What cannot be waited for is gone.
        if !matches!(worker.child.try_wait(), Ok(None)) {
            return Err((worker.issue, Ended::ByItself));
        }
        if self.worker_max.is_some_and(|max| worker.began.elapsed() >= max) {
            end(&mut worker.child);
            return Err((worker.issue, Ended::TooLate));
        }
        if worker.leased.elapsed() >= Duration::from_secs(self.leases.seconds_max / 3) {
            let place = Place { pool: POOL, key: &worker.issue };
            let _refreshed = self.leases.acquire(place, &self.session);
            worker.leased = Instant::now();
        }
        Ok(worker)
    }

    /// What becomes of an issue whose worker has ended.
    fn settle(&self, issue: &str, ended: Ended) {
        if ended == Ended::TooLate {
            self.log(&format!("worker-timeout issue={issue}"));
            self.tell("worker-failed", issue, "timeout");
        } else if self.says(&self.commands.result, issue).trim() == "merge-ready" {
            self.tell("merge-ready", issue, "");
            self.merge(issue);
        } else {
            self.log(&format!("worker-failed issue={issue}"));
            self.tell("worker-failed", issue, "");
        }
        self.leases.release(Place { pool: POOL, key: issue }, &self.session);
    }

    fn merge(&self, issue: &str) {
        let output = self.command(&self.commands.merge, &[issue]).stdout(Stdio::piped()).output();
        let (code, said) = match output {
            Ok(output) => {
                (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
            }
            Err(error) => (None, error.to_string()),
        };
        let (event, detail) = match code {
            Some(0) => ("merged", ""),
            Some(2) => ("escalate", "regression after merge"),
            Some(3) => ("escalate", "merge lease busy"),
            _ if said.contains("escalate") => ("escalate", "merge failed too often"),
            _ => ("merge-failed", ""),
        };
        let told = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
        self.log(&format!("{event} issue={issue}{told}"));
        self.tell(event, issue, detail);
    }

    /// Ends every worker and gives their leases back.
    fn leave(&self, active: Vec<Worker>) {
        for mut worker in active {
            end(&mut worker.child);
            self.leases.release(Place { pool: POOL, key: &worker.issue }, &self.session);
        }
        self.log("interrupted");
    }

    fn says(&self, command: &str, issue: &str) -> String {
        let output = self.command(command, &[issue]).stdout(Stdio::piped()).output();
        output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// A command with its words, none of which the shell reads.
    fn command(&self, command: &str, words: &[&str]) -> Command {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{command} \"$@\"")).arg("sh").args(words);
        shell.stdin(Stdio::null()).stdout(io::stderr());
        shell
    }

    fn tell(&self, event: &str, issue: &str, detail: &str) {
        let Some(command) = &self.commands.notify else { return };
        if Loudness::of(event) > self.loudness {
            return;
        }
        let told = self.command(command, &[event, issue, detail]).status();
        if !told.is_ok_and(|status| status.success()) {
            self.log(&format!("notify-failed event={event} issue={issue}"));
        }
    }

    /// Writes a line down. A log that cannot be written ends nothing.
    fn log(&self, line: &str) {
        let line = format!("{line}\n");
        drop(match &self.log {
            Some(path) => append(path, &line),
            None => io::stderr().write_all(line.as_bytes()),
        });
    }
}

/// Whether a word can be an issue: it becomes a part of paths and of branches.
fn is_issue(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    word.starts_with(|c: char| c.is_ascii_alphanumeric()) && word.chars().all(plain)
}

/// Ends a worker with everything below it.
fn end(child: &mut Child) {
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        kill_trees(&[pid]);
    }
    drop(child.wait());
}

fn append(path: &Path, line: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(line.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::lease::Force;

    struct Bench {
        place: tempfile::TempDir,
        drain: Drain,
    }

    impl Bench {
        fn new(issues: &str, launch: &str) -> Self {
            let place = tempfile::tempdir().unwrap();
            let path = |name: &str| place.path().join(name);
            fs::write(path("queue"), issues).unwrap();
            let leases = LeaseStore {
                directory: path("leases"),
                seconds_max: 7_200,
                force: Force::No,
                audit: None,
            };
            let script = |name: &str, text: &str| {
                fs::write(path(name), format!("D={}\n{text}\n", place.path().display())).unwrap();
                format!("sh {}", path(name).display())
            };
            let commands = Commands {
                queue: format!("cat {}", path("queue").display()),
                launch: script("launch", &format!("echo $1 >> $D/began; {launch}")),
                result: script("result", "cat $D/result-$1 2>/dev/null || echo merge-ready"),
                merge: script(
                    "merge",
                    "echo $1 >> $D/merges; cat $D/said-$1 2>/dev/null; exit $(cat $D/code-$1 2>/dev/null || echo 0)",
                ),
                notify: Some(script("notify", "echo \"$1 $2\" >> $D/told")),
            };
            let log = Some(path("log"));
            let drain = Drain {
                commands,
                leases,
                session: "drain".to_owned(),
                slots: 2,
                poll: Duration::from_millis(5),
                worker_max: None,
                loudness: Loudness::Normal,
                log,
            };
            Self { place, drain }
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.place.path().join(name), text).unwrap();
        }

        fn lines(&self, name: &str) -> Vec<String> {
            let text = fs::read_to_string(self.place.path().join(name)).unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        }

        fn sorted(&self, name: &str) -> Vec<String> {
            let mut lines = self.lines(name);
            lines.sort();
            lines
        }
    }

    #[test]
    fn a33_every_issue_is_worked_on_once_by_as_many_as_there_are_slots() {
        let bench = Bench::new("1\n2\n3\n4\n5\n3\n../x\n-rf\n", "sleep 0.02");
        assert!(bench.drain.run().unwrap());
        assert_eq!(bench.sorted("began"), ["1", "2", "3", "4", "5"]);
        assert_eq!(bench.sorted("merges"), ["1", "2", "3", "4", "5"]);
        let log = bench.lines("log");
        assert!(!log.iter().any(|line| line.ends_with("active=3")), "{log:?}");
        assert_eq!(log.last().map(String::as_str), Some("drain-complete"));
        assert!(bench.drain.leases.holder(Place { pool: POOL, key: "1" }).is_none());
    }

    #[test]
    fn a33_an_issue_that_comes_while_others_are_worked_on_is_taken_too() {
        let bench = Bench::new("1\n", "test $1 = 1 && echo 2 >> $D/queue; true");
        assert!(bench.drain.run().unwrap());
        assert_eq!(bench.lines("began"), ["1", "2"]);
    }

    #[test]
    fn a33_a_worker_that_takes_too_long_is_ended_with_everything_below_it() {
        let bench = Bench::new(
            "1\n2\n",
            "test $1 = 2 || { (sleep 600; touch $D/late) & echo $! > $D/child; wait; }",
        );
        let drain = Drain { worker_max: Some(Duration::from_millis(300)), ..bench.drain.clone() };
        assert!(drain.run().unwrap());
        assert!(bench.lines("log").contains(&"worker-timeout issue=1".to_owned()));
        assert_eq!(bench.lines("merges"), ["2"], "the other one is not held up");
        let child = bench.lines("child")[0].clone();
        let stat = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        assert!(stat.is_empty() || stat.contains(") Z "), "{stat}");
    }

    #[test]
    fn a32_what_somebody_else_works_on_is_left_to_them() {
        let bench = Bench::new("1\n2\n", "true");
        let place = Place { pool: POOL, key: "1" };
        assert!(matches!(bench.drain.leases.acquire(place, "other"), Taken::Held { .. }));
        assert!(bench.drain.run().unwrap());
        assert_eq!(bench.lines("began"), ["2"]);
        assert!(bench.lines("log").contains(&"skip issue=1 (lease held elsewhere)".to_owned()));
        assert_eq!(bench.drain.leases.holder(place).as_deref(), Some("other"));
    }

    #[test]
    fn a37_what_becomes_of_a_merge_is_told_by_its_code_and_its_words() {
        let bench = Bench::new("1\n2\n3\n4\n5\n6\n", "true");
        for (issue, code) in [("2", "2"), ("3", "3"), ("4", "1"), ("5", "1")] {
            bench.write(&format!("code-{issue}"), code);
        }
        bench.write("said-5", "rebase-failed:escalate\n");
        bench.write("result-6", "failed\n");
        assert!(bench.drain.run().unwrap());
        let told = bench.sorted("told");
        let told: Vec<&str> =
            told.iter().map(String::as_str).filter(|line| !line.starts_with("dispatch")).collect();
        let expected = [
            "escalate 2",
            "escalate 3",
            "escalate 5",
            "merge-failed 4",
            "merged 1",
            "worker-failed 6",
        ];
        assert_eq!(told, expected);
        assert!(!bench.lines("merges").contains(&"6".to_owned()), "what failed is not merged");
    }

    #[test]
    fn a36_a_person_hears_of_as_much_as_they_want() {
        for (loudness, expected) in [
            ("quiet", &[][..]),
            ("normal", &["dispatch 1", "merged 1"][..]),
            ("verbose", &["dispatch 1", "merge-ready 1", "merged 1"][..]),
            ("unheard-of", &["dispatch 1", "merged 1"][..]),
        ] {
            let bench = Bench::new("1\n", "true");
            let drain = Drain { loudness: Loudness::named(loudness), ..bench.drain.clone() };
            assert!(drain.run().unwrap());
            assert_eq!(bench.lines("told"), expected, "{loudness}");
        }
        let bench = Bench::new("1\n", "true");
        let mut drain = bench.drain.clone();
        drain.commands.notify = Some("false".to_owned());
        assert!(drain.run().unwrap());
        assert!(bench.lines("log").contains(&"notify-failed event=merged issue=1".to_owned()));
    }
}
