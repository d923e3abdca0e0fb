//! What agents and verification commands may touch, and that nothing secret is stored.
//!
//! Where a machine cannot enforce something, the same tests hold the program to saying so.

use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::Path,
    thread,
};

use autopilot_testkit::repository::write;
use insta::assert_snapshot;
use serde_json::Value;

use crate::harness::{Output, Project, Sample, agent, part, sh};

const CRITERION: &str = "grep -qx 'part 1' part-1.txt";

/// A project whose first criterion runs something else before it looks.
fn checking(command: &str, config: &str) -> Project {
    let project =
        Project::new(&Sample { phases: 1, config: config.to_owned(), ..Sample::default() });
    let root = project.sandbox.root().display().to_string();
    let command = command.replace("ROOT", &root);
    let roadmap = project.sandbox.project().join(".planning/ROADMAP.md");
    let text = fs::read_to_string(&roadmap).expect("readable");
    project
        .sandbox
        .write(".planning/ROADMAP.md", text.replace(CRITERION, &format!("{command}; {CRITERION}")));
    project.sandbox.commit("another criterion");
    project
}

/// How `doctor` says that something stands.
fn mark(project: &Project, what: &str) -> String {
    let output = project.run(&["doctor", "--json"]);
    let findings: Vec<Value> = serde_json::from_str(&output.stdout).expect("JSON");
    let found = findings.iter().find(|finding| finding["what"] == what);
    let mark = found.unwrap_or_else(|| panic!("{what}: {}", output.stdout))["mark"].as_str();
    mark.expect("a word").to_owned()
}

/// Whether this machine enforces something. If not, the journal of the project must say so.
fn holds(project: &Project, what: &str) -> bool {
    let holds = mark(project, what) == "ok";
    let facts = project.facts();
    let environment = facts.iter().find_map(|fact| fact.get("environment")).expect("it is noted");
    let list = if holds { "enforced" } else { "not_enforced" };
    assert!(environment[list][what].is_string(), "{what}: {environment}");
    if !holds {
        println!("not enforced on this machine, and said so: {what}");
    }
    holds
}

fn violations(project: &Project) -> Vec<String> {
    let facts = project.facts();
    let denied = facts.iter().filter_map(|fact| fact["denied"]["tried"].as_array());
    denied.flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn verdicts(project: &Project) -> String {
    let facts = project.facts();
    let checked = facts.iter().filter(|fact| !fact["phase"]["fact"]["checked"].is_null());
    checked.map(|fact| fact["phase"]["fact"]["checked"].to_string()).collect()
}

/// What an executor finds out, as a file of its work.
fn found_out(project: &Project) -> String {
    let head = project.head();
    project.sandbox.git(["show", &format!("{head}:found.txt")])
}

fn executing(command: &str, config: &str) -> Project {
    let config = if config.is_empty() { "[sandbox]\nenabled = true\n" } else { config };
    let actions = [sh(command), part(1)].join(", ");
    let script = agent("executor", 1, &actions, "");
    Project::new(&Sample { phases: 1, script, config: config.to_owned() })
}

fn run(project: &Project, code: i32) -> Output {
    project.run(&["run"]).expect(code)
}

#[test]
fn c54_a_command_that_writes_outside_of_the_project_is_a_violation() {
    let project = checking("touch ROOT/home/outside || exit 1", "");
    let output = project.run(&["run"]);
    if !holds(&project, "file system") {
        return;
    }
    assert_eq!(output.code, Some(3), "{}", output.shown());
    assert!(!project.path("home/outside").exists(), "it could not");
    assert!(violations(&project)[0].contains("home/outside"), "{:?}", violations(&project));
    assert!(output.stderr.contains("violation: touch: cannot touch"), "{}", output.shown());
    assert!(verdicts(&project).contains("; violation: touch"), "{}", verdicts(&project));
}

#[test]
fn c54_a_command_that_takes_longer_than_its_limit_is_a_timeout() {
    let project = checking("sleep 60", "[limits]\ncheck_seconds = 1\n");
    let output = project.run(&["run"]);
    assert_eq!(output.code, Some(3), "{}", output.shown());
    assert!(verdicts(&project).contains("timeout: "), "{}", verdicts(&project));
}

#[test]
fn an_agent_sees_neither_secrets_nor_the_checkout_nor_what_the_engine_knows() {
    let look = "for place in ROOT/home/.ssh/id ROOT/home/mine/x ROOT/project/README.md ROOT/project/.git/HEAD \
        ROOT/state/autopilot ROOT/project/.autopilot/journal; do \
        { cat $place || ls $place/; } >> found.txt 2> /dev/null && echo \"seen: $place\" >> found.txt; done; \
        cat README.md >> found.txt; git log --format=%s >> found.txt; cat ROOT/home/plain >> found.txt";
    let project = executing(look, "[sandbox]\nhide = [\"~/mine\"]\n");
    write(&project.path("home/.ssh/id"), "private-half");
    write(&project.path("home/mine/x"), "private-too");
    write(&project.path("home/plain"), "no secret\n");
    run(&project, 0);
    if !holds(&project, "file system") {
        return;
    }
    let found = found_out(&project);
    assert!(!found.contains("seen:") && !found.contains("private"), "{found}");
    for own in ["hello", "a roadmap", "no secret"] {
        assert!(found.contains(own), "what it may see: {own}: {found}");
    }
}

#[test]
fn an_agent_cannot_write_outside_of_its_workspace_and_says_so_in_the_journal() {
    let reach = "echo x >> ROOT/project/README.md; echo x > ROOT/home/x; rm -rf ROOT/home/kept; \
         mv ROOT/home/kept ROOT/home/away; truncate -s 0 ROOT/home/kept/file; \
         ln part-1.txt ROOT/home/linked; exit 0";
    let project = executing(reach, "");
    write(&project.path("home/kept/file"), "keep");
    run(&project, 0);
    if !holds(&project, "file system") {
        return;
    }
    let text = |path: &str| fs::read_to_string(project.path(path)).expect("there");
    assert_eq!(
        (text("project/README.md"), text("home/kept/file")),
        ("hello\n".into(), "keep".into())
    );
    for path in ["home/x", "home/away", "home/linked"] {
        assert!(!project.path(path).exists(), "{path}");
    }
    let told = violations(&project).join("\n");
    assert!(told.contains("project/README.md") && told.contains("home/x"), "{told}");
}

#[test]
fn a_step_has_a_temporary_directory_of_its_own_and_caches_that_work() {
    let use_them = "echo $TMPDIR > found.txt; echo t > $TMPDIR/t; cat $TMPDIR/t >> found.txt; \
         echo c > ROOT/home/.cache/c; cat ROOT/home/.cache/c >> found.txt; \
         test -w /dev/null && echo null >> found.txt; echo shm > /dev/shm/ap-$$ && rm /dev/shm/ap-$$ && echo shm >> found.txt; \
         ls ROOT/home > /dev/null 2>&1; git add -A; git commit -qm own; git log -1 --format=%s >> found.txt";
    let project = executing(use_them, "");
    run(&project, 0);
    let found = found_out(&project);
    let lines: Vec<&str> = found.lines().collect();
    assert!(!Path::new(lines[0]).exists(), "it goes with the step: {found}");
    assert_eq!(lines[1..], ["t", "c", "null", "shm", "own"], "{found}");
}

/// A program that connects to a port of the loopback device.
fn connect(port: u16) -> String {
    format!("bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}'")
}

/// A listener that takes whoever comes.
fn listen() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
    let port = listener.local_addr().expect("it has one").port();
    thread::spawn(move || listener.incoming().for_each(drop));
    drop(TcpStream::connect(("127.0.0.1", port)).expect("the test itself reaches it"));
    port
}

#[test]
fn a_verification_command_reaches_no_network_but_its_own() {
    let port = listen();
    let own = "perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => \"127.0.0.1\") \
         or die; IO::Socket::INET->new(PeerAddr => \"127.0.0.1\", PeerPort => $s->sockport) or die'";
    let project = checking(&format!("{own} || exit 7; ! {} || exit 8", connect(port)), "");
    let output = project.run(&["run"]);
    if !holds(&project, "network of commands") {
        return;
    }
    assert_eq!(output.code, Some(0), "{}{}", output.shown(), verdicts(&project));
}

#[test]
fn what_makes_a_checkout_ready_may_fetch_and_a_setting_opens_the_network_for_all() {
    let port = listen();
    let config = |more: &str| format!("[checks]\nprepare = \"{}\"\n{more}", connect(port));
    let project = checking(&format!("! {} || exit 8", connect(port)), &config(""));
    let output = project.run(&["run"]);
    if holds(&project, "network of commands") {
        assert_eq!(output.code, Some(0), "{}{}", output.shown(), verdicts(&project));
    }
    let project = checking(&format!("{} || exit 8", connect(port)), &config("network = true\n"));
    let output = project.run(&["run"]);
    assert_eq!(output.code, Some(0), "{}{}", output.shown(), verdicts(&project));
    assert_eq!(mark(&project, "network of commands"), "not-enforced");
}

#[test]
fn a_flood_of_processes_is_ended_and_told() {
    let flood = "i=0; while [ $i -lt 300 ]; do sleep 50 & i=$((i+1)); done; wait";
    let project = checking(flood, "[sandbox]\nprocesses = 100\n[limits]\nphase_debugs = 0\n");
    let output = project.run(&["run"]);
    if !holds(&project, "limits") {
        return;
    }
    assert_eq!(output.code, Some(3), "{}", output.shown());
    let told = violations(&project).join("\n");
    assert!(told.contains("more than 100 processes at once"), "{told}");
}

#[test]
fn a_process_that_takes_too_much_memory_is_ended_and_told() {
    let take = "perl -e '$x = \"x\" x (400 << 20); sleep 50'";
    let project = checking(take, "[sandbox]\nmemory_mb = 100\n[limits]\nphase_debugs = 0\n");
    let output = project.run(&["run"]);
    if !holds(&project, "limits") {
        return;
    }
    assert_eq!(output.code, Some(3), "{}", output.shown());
    let told = violations(&project).join("\n");
    assert!(told.contains("more than 100 MiB of memory"), "{told}");
}

#[test]
fn a_file_that_never_ends_ends_at_its_limit() {
    let fill = "head -c 3000000 /dev/zero > big; wc -c < big | tr -d ' ' > found.txt; rm big";
    let project = executing(fill, "[sandbox]\nfile_mb = 1\n");
    run(&project, 0);
    assert_eq!(found_out(&project), (1 << 20).to_string());
}

#[test]
fn a_sandbox_that_is_off_is_off_and_said_to_be() {
    let project = executing("echo x > ROOT/home/x", "[sandbox]\nenabled = false\n");
    run(&project, 0);
    assert!(project.path("home/x").exists(), "nothing keeps it from there");
    for what in ["file system", "network of commands", "limits"] {
        assert!(!holds(&project, what), "{what}");
    }
    let doctor = project.run(&["doctor"]).stdout;
    assert!(doctor.contains("[ -- ] file system: not enforced: the sandbox is off"), "{doctor}");
}

#[test]
fn no_secret_reaches_anything_that_is_stored() {
    const KEY: &str = "Zx81-quite-secret-9";
    const PASSWORD: &str = "correct/horse+battery";
    let token = format!("ghp_{}", "A1b2".repeat(9));
    let say = format!(
        "{{ say = {{ text = \"my key is {KEY} and {token}\" }} }}, {}, {}",
        sh(&format!(
            "echo 'on stderr: {PASSWORD}' >&2; echo {PASSWORD} > leaked.txt; cat leaked.txt"
        )),
        part(1)
    );
    let script = agent("executor", 1, &say, "")
        + &agent(
            "researcher",
            1,
            "",
            &format!(
                "return = {{ key_findings = [\"{KEY} {token}\"], recommended_approach = \"so\" }}"
            ),
        );
    let config = "[agents.scripted]\npass_env = [\"MY_ACCESS\"]\n";
    let project = Project::new(&Sample { phases: 1, script, ..Sample::default() });
    let toml = project.sandbox.project().join("autopilot.toml");
    let text = fs::read_to_string(&toml).expect("readable");
    let text = text.replace("[agents.scripted]\n", config);
    project.sandbox.write("autopilot.toml", text);
    let roadmap = project.sandbox.project().join(".planning/ROADMAP.md");
    let text = fs::read_to_string(&roadmap).expect("readable");
    let print = format!("cat leaked.txt; {CRITERION}");
    project.sandbox.write(".planning/ROADMAP.md", text.replace(CRITERION, &print));
    project.sandbox.commit("a command that prints a secret");
    let mut command = project.command(["run"]);
    command.env("MY_ACCESS", KEY).env("DB_PASSWORD", PASSWORD);
    let output = project.finish(command).expect(0);
    let mut seen = 0;
    for place in ["project/.autopilot", "state"] {
        each_file(&project.path(place), &mut |path, bytes| {
            // What an agent wrote is its work, and is kept as it is.
            if path.components().any(|part| part.as_os_str() == "work") {
                return;
            }
            seen += 1;
            let text = String::from_utf8_lossy(bytes);
            for secret in [KEY, PASSWORD, token.as_str()] {
                assert!(!text.contains(secret), "{}: {secret}", path.display());
            }
        });
    }
    assert!(seen > 5, "{seen} files");
    assert!(!output.shown().contains(KEY));
    let log = project.run(&["log", "--json"]).stdout;
    assert!(log.contains("[redacted:MY_ACCESS] [redacted:token]"), "{log}");
    assert!(log.contains("[redacted:DB_PASSWORD]"), "a command's output: {log}");
    let transcript = project.run(&["transcript", "1/execute/1-01/1"]).shown();
    assert!(
        transcript.contains("my key is [redacted:MY_ACCESS] and [redacted:token]"),
        "{transcript}"
    );
}

fn each_file(directory: &Path, each: &mut dyn FnMut(&Path, &[u8])) {
    for entry in fs::read_dir(directory).expect("readable").flatten() {
        let kind = entry.file_type().expect("it has one");
        if kind.is_dir() {
            each_file(&entry.path(), each);
        } else if kind.is_file() {
            each(&entry.path(), &fs::read(entry.path()).expect("readable"));
        }
    }
}

/// How what can be enforced is told.
const WALLS: [&str; 5] = [
    "] file system: ",
    "] network of commands: ",
    "] network of agents: not enforced: ",
    "] limits: ",
    "] signals: ",
];

#[test]
fn doctor_tells_what_is_there_and_what_is_missing() {
    let project = Project::honest(1);
    let shown = project.run(&["doctor"]).shown();
    // What can be enforced is another thing on each machine; that it is told is not.
    let (findings, walls): (Vec<&str>, Vec<&str>) =
        shown.lines().partition(|line| !WALLS.iter().any(|wall| line.contains(wall)));
    assert!(WALLS[..4].iter().all(|wall| walls.iter().any(|line| line.contains(wall))), "{shown}");
    assert_snapshot!(findings.join("\n"), @r"
        exit code 0
        --- stdout
        [ ok ] git: git version VERSION
        [ ok ] project: ROOT/project on refs/heads/main, clean
        [ ok ] configuration: 1 sources beyond the built-in settings
        [ ok ] roadmap: .planning/ROADMAP.md: 1 phases, 1 open, 1 criteria with a command, 0 problems
        [ ok ] agent scripted: embedded, plays ROOT/script.toml
        [ ok ] roles: scripted, and 0 roles with an agent of their own
        [ ok ] processes: a guardian ends every descendant of an agent, also after kill -9
        [ ok ] repository: agents work in repositories of their own, never in your checkout
        [ ok ] environment: agents get an allow-list of variables
        ");
    fs::remove_file(project.path("script.toml")).expect("removable");
    let json = project.run(&["doctor", "--json"]).expect(1);
    let told: Vec<Value> = serde_json::from_str(&json.stdout).expect("JSON");
    let missing: Vec<&Value> = told.iter().filter(|finding| finding["mark"] == "missing").collect();
    assert_eq!(missing.len(), 1, "{missing:?}");
    assert_eq!(missing[0]["what"], "agent scripted");
    let mut not_enforced = told.iter().filter(|finding| finding["mark"] == "not-enforced");
    assert!(not_enforced.any(|finding| finding["what"] == "network of agents"), "{told:?}");
}
