//! Commands that look at a run: status, log, audit, roadmap, doctor.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf, time::Duration};

use insta::assert_snapshot;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::harness::{Project, agent, awaited, sign, until};

fn finished() -> Project {
    let project = Project::honest(2);
    project.run(&["run", "--complete"]).expect(0);
    project
}

#[test]
fn a_run_tells_its_steps_on_stderr_and_nothing_on_stdout() {
    let project = Project::honest(1);
    assert_snapshot!(project.run(&["run"]).shown(), @r"
        exit code 0
        --- stderr
        RUN starts from COMMIT
        === [PHASE 1/1] Part 1 ===
        [Phase 1] Step: PREFLIGHT (1/9)
        [Phase 1] [PASS] PREFLIGHT complete. (TIME)
        [Phase 1] Step: TRIAGE (2/9)
        [Phase 1] [PASS] TRIAGE complete. (TIME)
        [Phase 1] Step: RESEARCH (3/9)
        [Phase 1] [PASS] RESEARCH complete. (TIME)
        [Phase 1] Step: PLAN (4/9)
        [Phase 1] [PASS] PLAN complete. (TIME)
        [Phase 1] Step: PLAN-CHECK (5/9)
        [Phase 1] [PASS] PLAN-CHECK complete. (TIME)
        [Phase 1] Step: EXECUTE (6/9)
        [Phase 1] Task 1-01 (1/1): Write part 1
        [Phase 1] Task 1-01: VERIFIED
        [Phase 1] [PASS] EXECUTE complete. (TIME)
        [Phase 1] Step: VERIFY (7/9)
        [Phase 1] [PASS] VERIFY complete. (TIME)
        [Phase 1] Step: JUDGE (8/9)
        [Phase 1] [PASS] JUDGE complete. (TIME)
        [Phase 1] Step: RATE (9/9)
        [Phase 1] score 9.4/10
        [Phase 1] [PASS] RATE complete. (TIME)
        === [PHASE 1/1] Complete: 9.4/10 | TIME ===
        [Run] Step: AUDIT
        [Run] [PASS] 1 of 1 requirements are met
        RUN is done

        RUN is done
        spent: TIME of work, 0 tokens, $0.00
        branch: autopilot/RUN/head

        PHASE  NAME    STATUS     SCORE  TOKENS  DETAIL
        1      Part 1  completed  9.4    0

        `autopilot land RUN` brings it to your branch
        ");
}

#[test]
fn status_tells_where_a_finished_run_stands() {
    let project = finished();
    assert_snapshot!(project.run(&["status"]).shown(), @r"
        exit code 0
        --- stdout
        RUN is done
        spent: TIME of work, 0 tokens, $0.00
        branch: autopilot/RUN/head

        PHASE  NAME    STATUS     SCORE  TOKENS  DETAIL
        1      Part 1  completed  9.4    0
        2      Part 2  completed  9.4    0
        ");
    assert_snapshot!(project.run(&["status", "--json"]).shown(), @r#"
        exit code 0
        --- stdout
        {
          "run": "RUN",
          "status": "done",
          "detail": null,
          "branch": "autopilot/RUN/head",
          "tokens": 0,
          "usd": 0.0,
          "busy_ms": MS,
          "waiting_for_person": [],
          "left_on_disk": [],
          "reviewers": [],
          "missing": [],
          "phases": [
            {
              "id": "1",
              "name": "Part 1",
              "status": "completed",
              "detail": null,
              "score": "9.4",
              "tokens": 0
            },
            {
              "id": "2",
              "name": "Part 2",
              "status": "completed",
              "detail": null,
              "score": "9.4",
              "tokens": 0
            }
          ]
        }
        "#);
    let named = project.run(&["status", &project.run_id()]).expect(0);
    assert_eq!(named.stdout, project.run(&["status"]).stdout);
    assert_snapshot!(project.run(&["status", "run-nobody-knows"]).shown(), @r"
        exit code 1
        --- stderr
        error: there is no run `run-nobody-knows` in this project
          why it matters: only runs whose journal is in `.autopilot/journal/` are known
          what to do: the runs are: RUN
        ");
}

#[test]
fn without_its_snapshot_a_run_is_in_the_same_state() {
    let project = finished();
    let before = project.status();
    let name = format!("project/.autopilot/journal/{}/snapshot", project.run_id());
    let snapshot = project.path(&name);
    let whole = fs::read(&snapshot).expect("a finished run has a snapshot");
    let mut damaged = whole.clone();
    let last = damaged.len() - 20;
    damaged[last] ^= 1;
    for content in [&whole[..whole.len() / 2], &damaged[..], b""] {
        fs::write(&snapshot, content).expect("writable");
        assert_eq!(project.status(), before);
    }
    fs::remove_file(&snapshot).expect("there");
    assert_eq!(project.status(), before);
}

#[test]
fn a_transcript_shows_what_an_agent_was_told_and_what_it_printed() {
    let project = finished();
    let list = project.run(&["transcript"]).expect(0).stdout;
    let attempts: Vec<&str> =
        list.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(attempts[..3], ["1/research/1", "1/plan/1", "1/plan-check/1"]);
    let step = project.run(&["transcript", "1/research"]).expect(0).stdout;
    assert!(step.starts_with("--- prompt of 1/research/1\n"), "{step}");
    assert!(step.contains("\n--- output of 1/research/1\n"), "{step}");
    assert!(step.contains("the project is small and plain"), "{step}");
    assert_eq!(project.run(&["transcript", "1/research/1"]).expect(0).stdout, step);
    assert_snapshot!(project.run(&["transcript", "9/plan"]).shown(), @r"
        exit code 1
        --- stderr
        error: no agent was started for `9/plan` in this run
          why it matters: there is nothing to show
          what to do: `autopilot transcript` without a step lists the attempts
        ");
}

#[test]
fn a_transcript_that_is_empty_says_why_and_where_it_looked() {
    let project = finished();
    let place = project.path("elsewhere");
    let mut elsewhere = project.command(["transcript"]);
    elsewhere.env("XDG_STATE_HOME", &place);
    let output = project.finish(elsewhere).expect(1);
    let run = project.run_id();
    let looked = format!("the transcript of {run} was looked for in `{}/", place.display());
    for text in [&looked, "which is not there", "started steps", "set XDG_STATE_HOME"] {
        assert!(output.stderr.contains(text), "{text}: {}", output.shown());
    }
    assert_eq!(output.stdout, "");
}

#[test]
fn a_run_that_came_to_no_agent_says_that_its_transcript_is_empty() {
    let project = Project::honest(1);
    let engine = project.start_with_a_slow_check();
    engine.signal(Signal::INT);
    engine.wait().expect(130);
    let output = project.run(&["transcript"]).expect(0);
    let why = format!("no agent was started in {}, so `", project.run_id());
    assert!(output.stderr.starts_with(&why), "{}", output.shown());
    assert!(output.stderr.contains("/transcript` holds nothing"), "{}", output.shown());
}

#[test]
fn doctor_looks_for_an_agents_program_where_a_run_would() {
    let project = Project::honest(1);
    let agent = |program: &str, env: &str| {
        let text = format!(
            "[agents.mine]\nprogram = [\"{program}\"]\n{env}\n[roles]\ndefault = \"mine\"\n"
        );
        project.sandbox.write("autopilot.toml", text);
        let mut doctor = project.command(["doctor", "--json"]);
        doctor.current_dir(project.sandbox.project().join("sub"));
        let told: Vec<Value> =
            serde_json::from_str(&project.finish(doctor).stdout).expect("it is JSON");
        let of_agent = told.into_iter().find(|finding| finding["what"] == "agent mine");
        let of_agent = of_agent.expect("it is looked at");
        (of_agent["mark"].clone(), of_agent["detail"].as_str().expect("a text").to_owned())
    };
    let executable = |path: &str| {
        project.sandbox.write(path, "#!/bin/sh\n");
        let path = project.sandbox.project().join(path);
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("it is ours");
        path
    };
    executable("tools/agent.sh");
    project.sandbox.commit("an agent");
    let in_cwd = executable("sub/here.sh");
    let own = in_cwd.parent().expect("sub").display().to_string();
    let in_project = project.sandbox.project().join("tools/agent.sh").display().to_string();
    assert_eq!(
        agent("tools/agent.sh", ""),
        (json!("ok"), format!("{in_project}; signed in: unknown")),
        "a path is one in the project, wherever this command was started"
    );
    assert_eq!(agent("./here.sh", "").0, "missing");
    assert_eq!(agent("sub/here.sh", "").0, "ok", "it need not be committed");
    assert_eq!(agent(&in_cwd.display().to_string(), "").0, "ok");
    assert_eq!(agent("here.sh", "").0, "missing");
    assert_eq!(
        agent("here.sh", &format!("env = {{ PATH = \"{own}\" }}")).0,
        "ok",
        "its own PATH counts"
    );
    fs::set_permissions(&in_cwd, PermissionsExt::from_mode(0o644)).expect("it is ours");
    assert_eq!(agent(&in_cwd.display().to_string(), "").0, "missing", "it cannot be started");
}

/// What `log` prints after a run of one phase, without what differs from machine to machine.
fn log_of_a_small_run() -> String {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    let text = project.run(&["log"]).expect(0);
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let shown =
        text.shown().replace(&system, "SYSTEM").replace(env!("CARGO_PKG_VERSION"), "VERSION");
    let shown = without(&shown, "\"enforced\":{", "},");
    without(&shown, "\"not_enforced\":{", "},")
}

/// A text without the first part from one mark to the other: what is enforced is another thing on each machine.
fn without(text: &str, from: &str, to: &str) -> String {
    let Some((before, rest)) = text.split_once(from) else { return text.to_owned() };
    let (_, after) = rest.split_once(to).expect("it ends");
    format!("{before}{after}")
}

#[test]
fn log_tells_every_fact_as_text() {
    assert_snapshot!(log_of_a_small_run(), @r#"
        exit code 0
        --- stdout
             1  CLOCK  submitted      RUN
             2  CLOCK  environment    {"program":"autopilot VERSION","sha256":"SHA256","system":"SYSTEM"}
             3  CLOCK  began          1 {"base":"COMMIT"}
             4  CLOCK  ended          1/preflight/1 done 0 tok
             5  CLOCK  entered        1 triage
             6  CLOCK  ended          1/triage/1 done 0 tok
             7  CLOCK  baseline       1 {"results":[{"command":"grep -qx 'part 1' part-1.txt","criterion":"It is written","exit_code":2,"kind":"criterion","name":"1/1","output":"grep: part-1.txt: No
             8  CLOCK  entered        1 research
             9  CLOCK  started        1/research/1
            10  CLOCK  ended          1/research/1 done 0 tok
            11  CLOCK  researched     1 {"key_findings":["the project is small and plain"],"open_questions":null,"recommended_approach":"do what the goal says, test first","risks":null}
            12  CLOCK  entered        1 plan
            13  CLOCK  started        1/plan/1
            14  CLOCK  ended          1/plan/1 done 0 tok
            15  CLOCK  planned        1 {"remarks":[{"line":1,"rule":"task-count","severity":"warning","what":"it has 1 task; 2 to 5 are usual"},{"line":3,"rule":"no-spec","severity":"info","task":"
            16  CLOCK  entered        1 {"plan-check":{"changed":true,"commit":"COMMIT","requests":[],"said_done":false}}
            17  CLOCK  started        1/plan-check/1
            18  CLOCK  ended          1/plan-check/1 done 0 tok
            19  CLOCK  entered        1 {"plan-commit":{"changed":true,"commit":"COMMIT","requests":[],"said_done":false}}
            20  CLOCK  ended          1/plan-commit/1 done 0 tok
            21  CLOCK  plan-stands    1 {"commit":"COMMIT"}
            22  CLOCK  entered        1 baseline
            23  CLOCK  ended          1/baseline/1 done 0 tok
            24  CLOCK  baseline       1 {"results":[{"command":"echo part 1 | cmp -s - part-1.txt","criterion":"it is written","exit_code":2,"kind":"criterion","name":"1/1-01/1","output":"","output_
            25  CLOCK  entered        1 {"execute":0}
            26  CLOCK  started        1/execute/1-01/1
            27  CLOCK  ended          1/execute/1-01/1 done 0 tok
            28  CLOCK  entered        1 {"task-check":[0,{"changed":true,"commit":"COMMIT","requests":[],"said_done":true}]}
            29  CLOCK  ended          1/check/1-01/1 done 0 tok
            30  CLOCK  checked        1 {"results":[{"command":"echo part 1 | cmp -s - part-1.txt","criterion":"it is written","exit_code":0,"kind":"criterion","name":"1/1-01/1","output":"","output_
            31  CLOCK  settled        1 {"entries":[{"kind":"criterion","name":"1/1-01/1","standing":"new"}]}
            32  CLOCK  entered        1 {"task-commit":[0,{"changed":true,"commit":"COMMIT","requests":[],"said_done":true}]}
            33  CLOCK  ended          1/commit/1-01/1 done 0 tok
            34  CLOCK  task-done      1 {"commit":"COMMIT","task":0}
            35  CLOCK  entered        1 replay
            36  CLOCK  ended          1/replay/1 done 0 tok
            37  CLOCK  checked        1 {"results":[{"command":"echo part 1 | cmp -s - part-1.txt","criterion":"it is written","exit_code":0,"kind":"criterion","name":"1/1-01/1","output":"","output_
            38  CLOCK  settled        1 {"entries":[{"kind":"criterion","name":"1/1-01/1","standing":"new"},{"kind":"criterion","name":"1/1","standing":"new"}]}
            39  CLOCK  entered        1 verify
            40  CLOCK  started        1/verify/1
            41  CLOCK  ended          1/verify/1 done 0 tok
            42  CLOCK  verified       1 {"failures":[],"pass":true,"seen":{"changed":["part-1.txt"],"commands":{"claimed":["git status"]}}}
            43  CLOCK  entered        1 judge
            44  CLOCK  started        1/judge/1
            45  CLOCK  ended          1/judge/1 done 0 tok
            46  CLOCK  opined         1 {"report":{"concerns":["none that matter"],"independent_evidence":["the change does what the goal says"],"missing_requirements":null,"notes":null,"recommendat
            47  CLOCK  entered        1 compare
            48  CLOCK  started        1/compare/1
            49  CLOCK  ended          1/compare/1 done 0 tok
            50  CLOCK  judged         1 {"compared":{"agrees":true,"divergence":["agreed: what must hold holds"],"missed":[]},"concerns":["none that matter"],"recommendation":"proceed"}
            51  CLOCK  entered        1 rate
            52  CLOCK  started        1/rate/1
            53  CLOCK  ended          1/rate/1 done 0 tok
            54  CLOCK  rated          1 {"lacks":[{"score":94,"what":"all of them: they hold"}],"remarks":["all of them: 9.4 of 10, they hold"],"rows":[{"criterion":"all of them","evidence":["./READ
            55  CLOCK  entered        1 {"integrate":94}
            56  CLOCK  started        1/integrate/1
            57  CLOCK  ended          1/integrate/1 done 0 tok
            58  CLOCK  closed         1 {"completed":{"below_pass":false,"commit":"COMMIT","held":{"criteria":[],"of":2},"score":94,"waived":[]}}
            59  CLOCK  finale         {"entered":"audit"}
            60  CLOCK  started        run/audit/1
            61  CLOCK  ended          run/audit/1 done 0 tok
            62  CLOCK  finale         {"audited":{"checked":1,"gaps":[],"passed":1}}
            63  CLOCK  finale         {"entered":"over"}
            64  CLOCK  finished       done
        "#);
}

#[test]
fn log_as_json_has_a_line_for_each_fact_in_the_order_of_the_journal() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    let text = project.run(&["log"]).expect(0);
    let facts = project.facts();
    assert_eq!(facts.len(), text.stdout.lines().count(), "one line for each fact");
    assert_eq!(facts.first().expect("a fact")["submitted"]["run"], project.run_id());
    assert_eq!(facts.last().expect("a fact")["finished"], "done");
    let json = project.run(&["log", "--json"]).expect(0);
    for (number, line) in json.stdout.lines().enumerate() {
        let record: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(record["seq"], number + 1, "in the order of the journal");
    }
}

#[test]
fn following_a_log_ends_with_the_run() {
    let sleepy = agent("judge", 1, &[sign("judge"), until("go")].join(", "), "");
    let project = Project::scripted(&sleepy);
    let engine = project.start(&["run"]);
    project.await_sign("judge");
    let mut follower = project.start(&["log", "--follow", "--json"]);
    let told = || follower.printed();
    awaited("the follower tells of the judge", Duration::from_secs(10), || {
        told().contains("1/judge")
    });
    assert!(follower.is_running(), "it goes on while the run does");
    fs::write(project.path("signs/go"), "").expect("written");
    engine.wait().expect(0);
    let followed = follower.wait().expect(0);
    assert_eq!(followed.stdout, project.run(&["log", "--json"]).stdout);
    let again = project.run(&["log", "-f", "--json"]).expect(0);
    assert_eq!(followed.stdout, again.stdout, "following a finished run ends at once");
}

#[test]
fn audit_vouches_for_a_whole_journal_and_names_a_flipped_byte() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    assert_snapshot!(project.run(&["audit"]).shown(), @r"
        exit code 0
        --- stdout
        RUN: 64 records, every one whole and chained to SHA256
        ");
    let segment = segment(&project);
    let bytes = fs::read(&segment).expect("readable");
    let middle = bytes.len() / 2;
    let mut flipped = bytes.clone();
    flipped[middle] ^= 0x20;
    fs::write(&segment, &flipped).expect("writable");
    let damaged = project.run(&["audit"]).expect(3);
    assert!(damaged.stdout.contains("000000000001.log"), "{}", damaged.stdout);
    assert!(damaged.stdout.contains("sound records:"), "{}", damaged.stdout);
    let json = project.run(&["audit", "--json"]).expect(3);
    let told: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(told["sound"], false);
    assert!(told["records"].as_u64().expect("a number") > 0, "what comes before is counted");
    fs::write(&segment, &bytes).expect("writable");
    project.run(&["audit"]).expect(0);
}

#[test]
fn audit_names_a_snapshot_with_any_byte_flipped() {
    let project = Project::honest(1);
    project.run(&["run"]).expect(0);
    let path = segment(&project).with_file_name("snapshot");
    let bytes = fs::read(&path).expect("readable");
    // Every field of its first line, and some of what follows.
    let line = 0..200.min(bytes.len());
    for at in line.step_by(7).chain((200..bytes.len()).step_by(bytes.len() / 10)) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1;
        fs::write(&path, &flipped).expect("writable");
        let damaged = project.run(&["audit", "--json"]).expect(3);
        let told: Value = serde_json::from_str(&damaged.stdout).expect("JSON");
        assert_eq!(told["sound"], false, "byte {at}");
        let defect = told["defect"].as_str().unwrap_or_default();
        assert!(defect.contains("the snapshot "), "byte {at}: {defect}");
    }
    let text = project.run(&["audit"]).expect(3).stdout;
    assert!(text.contains("but the snapshot is damaged"), "{text}");
    fs::write(&path, &bytes).expect("writable");
    project.run(&["audit"]).expect(0);
}

fn segment(project: &Project) -> PathBuf {
    let journal = project.sandbox.project().join(".autopilot/journal").join(project.run_id());
    journal.join("000000000001.log")
}

#[test]
fn a_run_that_never_was_is_nothing_to_look_at() {
    let project = Project::honest(1);
    for command in ["status", "log", "audit", "resume", "land"] {
        let output = project.run(&[command]).expect(1);
        assert!(output.stderr.contains("there is no run in this project yet"), "{output:?}");
        assert!(output.stderr.contains("what to do:"), "{output:?}");
    }
    assert_snapshot!(project.run(&["status"]).shown(), @r"
        exit code 1
        --- stderr
        error: there is no run in this project yet
          why it matters: there is nothing to look at
          what to do: `autopilot run` starts one
        ");
}

#[test]
fn the_roadmap_is_shown_with_what_is_wrong_with_it() {
    let project = Project::honest(2);
    assert_snapshot!(project.run(&["roadmap"]).shown(), @r"
        exit code 0
        --- stdout
        PHASE  NAME    DONE  DEPENDS ON
        1      Part 1  no
        2      Part 2  no    1
        ");
    project.run(&["roadmap", "--strict"]).expect(0);
    let odd = "# Roadmap\n\n### Phase 1: One\n**Depends on**: Phase 7\n\n### Phase 2: Two\n";
    project.sandbox.write("odd.md", odd);
    let json = project.run(&["roadmap", "odd.md", "--json"]).expect(0);
    let told: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let phase = |at: usize| {
        let phase = &told["phases"][at];
        json!([phase["id"], phase["name"], phase["complete"], phase["depends_on"]])
    };
    assert_eq!(phase(0), json!(["1", "One", false, ["7"]]));
    assert_eq!(phase(1), json!(["2", "Two", false, []]));
    let what = "phase `1` depends on `7`, which is no phase of this file";
    assert_eq!(told["problems"][0]["line"], 4);
    assert_eq!(told["problems"][0]["what"], what);
    project.run(&["roadmap", "odd.md"]).expect(0);
    project.run(&["roadmap", "odd.md", "--strict"]).expect(3);
    assert_snapshot!(project.run(&["roadmap", "nowhere.md"]).shown(), @r"
        exit code 1
        --- stderr
        error: `nowhere.md` cannot be read: No such file or directory (os error 2)
          why it matters: nothing can be done without it
          what to do: check the path and its permissions
        ");
}

#[test]
fn outside_a_repository_the_program_says_so() {
    let project = Project::honest(1);
    let mut command = project.command(["status"]);
    command.current_dir(project.path("home"));
    assert_snapshot!(project.finish(command).shown(), @r"
        exit code 1
        --- stderr
        error: `ROOT/home` is not inside a git repository
          why it matters: every attempt works on a commit, so that nothing can be lost
          what to do: run `git init`, commit something, and try again; `autopilot demo` needs no project
        ");
}
