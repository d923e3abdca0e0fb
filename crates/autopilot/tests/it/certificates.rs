//! A finished phase leaves a document that holds wherever its commits are, and that no changed byte gets through.

use std::{fs, path::PathBuf};

use autopilot_core::{
    certificate::{Certificate, Certified},
    evidence::{CheckKind, Criterion, Standing, Verdict},
};
use autopilot_engine::certificates::{seal, unseal};
use serde_json::Value;

use crate::harness::{Output, Project, Sample, agent, part, sh, sign, until};

/// The test of the sample: red before the work, and red where the surroundings are wrong.
const TEST: &str =
    "[ \"$LC_PAPER\" != wrong ] || exit 2\ngrep -qx 'part 1' part-1.txt && echo ran 1\n";
const COUNTS: &str = "[checks]\ncounts = { \"tests/all.sh\" = \"^ran ([0-9]+)$\" }\n";

/// A project with one phase and a test that counts.
fn tested(executor: &str, config: &str) -> Project {
    let script = agent("executor", 1, executor, "");
    let config = format!("{COUNTS}{config}");
    let project = Project::new(&Sample { phases: 1, script, config });
    project.sandbox.write("tests/all.sh", TEST);
    let roadmap = "# Roadmap\n\n## Phase 1: Part 1\n\n**Goal**: part-1.txt\n\n**Success Criteria**:\n\
        - its test passes -- verified by: `sh tests/all.sh`\n- it is good\n";
    project.sandbox.write(".planning/ROADMAP.md", roadmap);
    project.sandbox.commit("a test");
    project
}

/// The same, run to its end.
fn finished() -> Project {
    let model = "{ model = { name = \"sample-1\" } }".to_owned();
    let project =
        tested(&[model, part(1)].join(", "), "[guards]\nreadme = \"test -f README.md\"\n");
    project.run(&["run"]).expect(0);
    project
}

fn certificate_of(project: &Project) -> PathBuf {
    let run = project.run_id();
    project.sandbox.project().join(format!(".autopilot/certificates/{run}/1.json"))
}

fn bytes_of(project: &Project) -> Vec<u8> {
    fs::read(certificate_of(project)).expect("a finished phase leaves a certificate")
}

/// A clone in which there is nothing but the history, and the certificate beside it.
fn clone(project: &Project) -> PathBuf {
    let path = project.path("clone");
    let url = format!("file://{}", project.sandbox.project().display());
    let arguments = ["clone", "--quiet", &url, path.to_str().expect("text")];
    project.sandbox.git_in(&project.sandbox.root(), arguments);
    fs::copy(certificate_of(project), project.path("cert.json")).expect("it can be copied");
    path
}

/// `verify` of the copied certificate in the clone.
fn verify_in_clone(project: &Project, arguments: &[&str], variable: (&str, &str)) -> Output {
    let words = ["verify", "../cert.json"].iter().chain(arguments);
    let mut command = project.command(words);
    command.current_dir(project.path("clone")).env(variable.0, variable.1);
    project.finish(command)
}

fn verified(project: &Project, arguments: &[&str]) -> Output {
    verify_in_clone(project, arguments, ("LC_PAPER", "right"))
}

/// The copied certificate with a change, under a hash of its own that fits.
fn forge(project: &Project, change: impl FnOnce(&mut Certificate)) {
    let mut certificate = unseal(&bytes_of(project)).expect("it holds");
    change(&mut certificate);
    fs::write(project.path("cert.json"), seal(&certificate)).expect("writable");
}

/// A guard that says it held on both sides.
fn guard(certificate: &Certificate, command: &str) -> Certified {
    let mut guard = certificate.checks[0].clone();
    guard.name = "forged".to_owned();
    guard.kind = CheckKind::Guard;
    guard.criterion = Criterion::of_command(command);
    guard.argv[2] = command.to_owned();
    guard.standing = Standing::Held;
    guard.bite = None;
    guard.result.counts = None;
    guard.base = Some(guard.result.clone());
    guard
}

#[test]
fn a_certificate_made_on_one_checkout_holds_in_another_clone() {
    let project = finished();
    let text = String::from_utf8(bytes_of(&project)).expect("it is text");
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    let certificate = &document["certificate"];
    assert_eq!(certificate["commits"]["head"], Value::from(project.head()));
    let check = &certificate["checks"][0];
    assert_eq!(check["argv"], serde_json::json!(["sh", "-c", "sh tests/all.sh"]));
    assert_eq!(check["result"]["exit_code"], 0);
    assert_eq!(check["result"]["counts"]["passed"], 1);
    assert_eq!(check["standing"], "new");
    assert_eq!(certificate["criteria"][1]["method"], "prose");
    let agents = certificate["agents"].as_array().expect("a list");
    let executor = agents.iter().find(|hand| hand["role"] == "executor").expect("it worked");
    assert_eq!(executor["model"], "sample-1");
    project.run(&["verify"]).expect(0);
    clone(&project);
    let output = verified(&project, &["--rerun"]).expect(0);
    for told in [
        "not checked  journal",
        "`sh tests/all.sh` passed again, exit code 0, 1 passed, 0 failed, 0 skipped",
        "readme on the base",
        "1/1 on the base",
        "not checked  canaries",
    ] {
        assert!(output.stdout.contains(told), "{told}: {}", output.shown());
    }
    assert!(output.stderr.contains("$ sh tests/all.sh"), "{}", output.shown());
    let json = verified(&project, &["--json"]).expect(0);
    let json: Value = serde_json::from_str(&json.stdout).expect("it is JSON");
    assert_eq!((&json["holds"], &json["certificates"][0]["phase"]), (&true.into(), &"1".into()));
    let left: Vec<_> =
        fs::read_dir(project.path("state/autopilot")).expect("it is there").collect();
    for place in left {
        let names = fs::read_dir(place.expect("listed").path()).expect("it can be listed");
        for name in names {
            let name = name.expect("listed").file_name().to_string_lossy().into_owned();
            assert!(name.starts_with("run-") || name == "project", "`{name}` was left");
        }
    }
    let refs = project.sandbox.git_in(&project.path("clone"), ["for-each-ref", "refs/autopilot"]);
    assert_eq!(refs, "", "nothing is kept of a repetition");
}

#[test]
fn every_changed_byte_of_a_certificate_is_refused() {
    let project = finished();
    let whole = bytes_of(&project);
    unseal(&whole).expect("it holds");
    for at in 0..whole.len() {
        for change in [whole[at] ^ 1, whole[at] ^ 0x20, b' ', b'0', 0xff] {
            let mut changed = whole.clone();
            changed[at] = change;
            assert!(change == whole[at] || unseal(&changed).is_err(), "byte {at} became {change}");
        }
        let mut shorter = whole.clone();
        shorter.remove(at);
        assert!(unseal(&shorter).is_err(), "byte {at} was removed");
        let mut longer = whole.clone();
        longer.insert(at, b' ');
        assert!(unseal(&longer).is_err(), "a space came before byte {at}");
    }
    clone(&project);
    let text = String::from_utf8(whole).expect("it is text");
    for (from, to, here, there) in [
        (
            "\"exit_code\": 0",
            "\"exit_code\": 1",
            "`/certificate/checks/0/result/exit_code`",
            "`/sha256`",
        ),
        ("\"tokens\": ", "\"tokens\": 9", "`/certificate/spent/tokens`", "`/sha256`"),
        ("\"v\": 1", "\"v\":  1", "`/certificate/v` (line 3)", "`/certificate/v` (line 3)"),
        ("\"kind\": \"criterion\"", "\"kind\": \"sentence\"", "line 4", "line 4"),
    ] {
        assert!(text.contains(from), "{from}");
        let changed = text.replacen(from, to, 1);
        fs::write(project.path("cert.json"), &changed).expect("writable");
        fs::write(certificate_of(&project), &changed).expect("writable");
        let own = project.run(&["verify"]).expect(3);
        assert!(own.stderr.contains(here), "{here}: {}", own.shown());
        assert!(own.stderr.contains("what to do:"), "{}", own.shown());
        let other = verified(&project, &["--rerun"]).expect(3);
        assert!(other.stderr.contains(there), "{there}: {}", other.shown());
        assert!(!other.stderr.contains("$ sh"), "nothing of it is run: {}", other.shown());
    }
}

#[test]
fn a_flipped_byte_in_the_journal_is_refused() {
    let project = finished();
    let run = project.run_id();
    let segment =
        project.sandbox.project().join(format!(".autopilot/journal/{run}/000000000001.log"));
    let whole = fs::read(&segment).expect("readable");
    let last = whole.len() - 1;
    let certificate = certificate_of(&project).display().to_string();
    for at in (0..whole.len()).step_by(whole.len() / 24).chain([last - 10, last]) {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&segment, &changed).expect("writable");
        let output = project.run(&["verify", &certificate]);
        assert_eq!(output.code, Some(3), "byte {at}: {}", output.shown());
        assert!(output.stdout.contains("DIFFERS"), "byte {at}: {}", output.shown());
    }
    fs::write(&segment, &whole).expect("writable");
    project.run(&["verify"]).expect(0);
}

#[test]
fn a_damaged_object_of_a_named_commit_is_refused_and_named() {
    let project = finished();
    let path = clone(&project);
    // Objects of their own, one by one, that can be damaged one by one.
    let packs = path.join(".git/objects/pack");
    let moved = project.path("packs");
    fs::rename(&packs, &moved).expect("it can be moved");
    fs::create_dir(&packs).expect("it can be made");
    let unpack = "for pack in ../packs/*.pack; do git unpack-objects -q < $pack; done";
    let mut command = project.other("sh", ["-c", unpack]);
    assert!(command.current_dir(&path).status().expect("sh can be started").success());
    verified(&project, &[]).expect(0);
    let head = project.head();
    let id = |name: &str| project.sandbox.git(["rev-parse", name]);
    let names = [
        head.clone(),
        id(&format!("{head}^{{tree}}")),
        id(&format!("{head}:tests")),
        id(&format!("{head}:part-1.txt")),
        id(&format!("{head}^")),
        id("main:.planning/ROADMAP.md"),
    ];
    let file = |id: &str| path.join(format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    let other = fs::read(file(&id("main:README.md"))).expect("readable");
    for id in names {
        let whole = fs::read(file(&id)).expect("readable");
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 0x10;
        let emptied = Vec::new();
        for changed in [flipped, other.clone(), emptied] {
            fs::remove_file(file(&id)).expect("it can be replaced");
            fs::write(file(&id), changed).expect("writable");
            let output = verified(&project, &["--rerun"]);
            assert_eq!(output.code, Some(3), "{id}: {}", output.shown());
            assert!(output.stderr.contains(&id), "{id}: {}", output.shown());
        }
        fs::remove_file(file(&id)).expect("it can be removed");
        let output = verified(&project, &[]).expect(3);
        assert!(output.stderr.contains("is missing"), "{}", output.shown());
        fs::write(file(&id), whole).expect("writable");
    }
    verified(&project, &[]).expect(0);
}

#[test]
fn a_command_that_shows_something_else_when_repeated_is_named() {
    let project = finished();
    clone(&project);
    let output = verify_in_clone(&project, &["--rerun"], ("LC_PAPER", "wrong")).expect(3);
    let first =
        "verdict of `sh tests/all.sh` on the work: expected passed, found failed: exit code 2";
    assert!(output.stderr.contains(first), "{}", output.shown());
    verify_in_clone(&project, &[], ("LC_PAPER", "wrong")).expect(0);
}

#[test]
fn what_a_document_says_is_not_believed_because_its_hash_fits() {
    let project = finished();
    clone(&project);
    type Change = fn(&mut Certificate);
    let changes: [(&str, Change); 7] = [
        ("guards: ", |one| one.checks.retain(|check| check.kind != CheckKind::Guard)),
        ("expected a check `7/1`", |one| one.phase.id = "7".parse().expect("an id")),
        ("`/certificate/criteria/1`", |one| drop(one.criteria.pop())),
        ("/standing`", |one| one.checks[0].result.verdict = Verdict::Failed("no".to_owned())),
        ("is no ancestor of", |one| one.commits.start = one.commits.head.clone()),
        ("specification: ", |one| one.spec.sha256 = "0".repeat(64)),
        ("protected files: ", |one| {
            let accepted = autopilot_core::phases::Accepted {
                path: "tests/all.sh".to_owned(),
                content: "removed".to_owned(),
                by: autopilot_core::phases::AcceptedBy::Person("nobody".to_owned()),
            };
            one.rules.accepted.push(accepted);
        }),
    ];
    for (place, change) in changes {
        forge(&project, change);
        let output = verified(&project, &["--rerun"]);
        assert_eq!(output.code, Some(3), "{place}: {}", output.shown());
        assert!(output.stderr.contains(place), "{place}: {}", output.shown());
        assert!(!output.stderr.contains("$ sh"), "{place}: {}", output.shown());
    }
}

#[test]
fn a_command_that_only_the_document_names_is_not_run_unasked() {
    let project = finished();
    clone(&project);
    let mark = project.path("signs/ran");
    let command = format!("touch {}", mark.display());
    forge(&project, |one| {
        let guard = guard(one, &command);
        one.checks.push(guard);
    });
    let output = verified(&project, &["--rerun"]).expect(3);
    assert!(output.stderr.contains("(only the certificate names it)"), "{}", output.shown());
    assert!(output.stderr.contains("`--trust` runs it all the same"), "{}", output.shown());
    assert!(!mark.exists(), "it was run");
    let trusted = verified(&project, &["--rerun", "--trust"]);
    assert!(mark.exists(), "{}", trusted.shown());
}

#[test]
fn a_waived_check_is_certified_as_waived() {
    let note = "{ write = { path = \"note.txt\", text = \"not yet\" } }".to_owned();
    let red = [note, sign("working"), until("go")].join(", ");
    let project = tested(&red, "");
    let engine = project.start(&["run"]);
    project.await_sign("working");
    for check in ["1/1", "1/1-01/1"] {
        project.run(&["waive", check, "--why", "the service is down"]).expect(0);
    }
    fs::write(project.path("signs/go"), "").expect("writable");
    engine.wait().expect(0);
    clone(&project);
    let output = verified(&project, &["--rerun"]).expect(0);
    for told in [
        "criteria: 0 new, 0 held; guards: 0 held; waived: 2",
        "WAIVED 1/1 by person: the service is down",
        "1/1 on the work       by person: the service is down; `sh tests/all.sh` failed again",
    ] {
        assert!(output.stdout.contains(told), "{told}: {}", output.shown());
    }
    assert!(!output.stdout.contains("passed"), "{}", output.shown());
}

#[test]
fn a_certificate_that_was_not_written_in_time_is_there_after_a_resume() {
    let script = agent("executor", 2, &[sign("second"), until("go"), part(2)].join(", "), "");
    let project = Project::new(&Sample { phases: 2, script, ..Sample::default() });
    let mut engine = project.start(&["run", "--complete"]);
    project.await_sign("second");
    let before = bytes_of(&project);
    engine.kill();
    // What a kill right after the record, or in the middle of writing, leaves.
    let path = certificate_of(&project);
    fs::remove_file(&path).expect("it can be removed");
    fs::write(path.with_extension("json.tmp"), &before[..100]).expect("writable");
    fs::write(project.path("signs/go"), "").expect("writable");
    project.run(&["resume"]).expect(0);
    assert_eq!(bytes_of(&project), before);
    fs::remove_dir_all(path.parent().expect("a directory")).expect("it can be removed");
    let output = project.run(&["verify"]).expect(0);
    assert!(output.stderr.contains("was missing and is written again"), "{}", output.shown());
    assert_eq!(bytes_of(&project), before);
}

#[test]
fn what_is_no_certificate_is_refused_with_what_to_do() {
    let project = tested(&part(1), "");
    let none = project.run(&["verify"]).expect(1);
    assert!(
        none.stderr.contains("there is no certificate in this project yet"),
        "{}",
        none.shown()
    );
    project.run(&["verify", "nothing.json"]).expect(1);
    project.run(&["verify", "--trust"]).expect(2);
    let file = fs::File::create(project.path("large.json")).expect("writable");
    file.set_len(1 << 40).expect("a file with a hole");
    let large = project.run(&["verify", "../large.json"]).expect(1);
    assert!(large.stderr.contains("no certificate is larger than"), "{}", large.shown());
    fs::write(project.path("other.json"), "{\"\u{1b}[31m\": 1}").expect("writable");
    let other = project.run(&["verify", "../other.json"]).expect(3);
    assert!(!other.stdout.contains('\u{1b}') && !other.stderr.contains('\u{1b}'));
}

#[test]
fn a_roadmap_that_was_not_committed_is_told_as_not_checked() {
    let project = tested(&part(1), "");
    let roadmap = project.sandbox.project().join(".planning/ROADMAP.md");
    let text = fs::read_to_string(&roadmap).expect("readable");
    fs::write(&roadmap, text.replace("- it is good\n", "- it is better\n")).expect("writable");
    project.run(&["run"]).expect(0);
    let output = project.run(&["verify"]).expect(0);
    assert!(output.stdout.contains("not checked  specification"), "{}", output.shown());
    assert!(output.stdout.contains("not checked  criteria"), "{}", output.shown());
}

#[test]
fn an_edit_of_a_test_that_a_person_accepted_is_certified() {
    let edit = sh(
        "echo 'grep -q part part-1.txt && echo ran 1' > tests/all.sh; echo 'part 1' > part-1.txt",
    );
    let project = tested(&edit, "[limits]\ntask_debugs = 1\nphase_debugs = 1\n");
    project.sandbox.write("tests/all.sh", "grep -qx 'part 2' part-1.txt && echo ran 1\n");
    project.sandbox.commit("a test that the work does not pass");
    let both = agent("debugger", 1, &edit, "");
    let script = fs::read_to_string(project.path("script.toml")).expect("readable");
    project.script(&(both + &script));
    project.run(&["run"]).expect(4);
    for _ in 0..4 {
        let status = project.status();
        let Some(gate) = status["waiting_for_person"][0]["gate"].as_str() else { break };
        project.run(&["approve", gate, "-m", "because"]).expect(0);
        project.run(&["resume"]);
    }
    clone(&project);
    let output = verified(&project, &["--rerun"]).expect(0);
    assert!(output.stdout.contains("accepted edits: 1"), "{}", output.shown());
}

#[test]
fn a_guard_that_only_the_persons_settings_give_is_repeated_where_the_journal_is() {
    let project = tested(&part(1), "");
    let own = "[guards]\nown = \"test -f README.md\"\n";
    autopilot_testkit::repository::write(&project.path("config/autopilot/config.toml"), own);
    project.run(&["run"]).expect(0);
    let here = project.run(&["verify", "--rerun"]).expect(0);
    assert!(here.stdout.contains("own on the work"), "{}", here.shown());
    clone(&project);
    let there = verified(&project, &["--rerun"]).expect(3);
    assert!(
        there.stderr.contains("commands: what is to be repeated: expected a command"),
        "{}",
        there.shown()
    );
    verified(&project, &["--rerun", "--trust"]).expect(0);
}

#[test]
fn what_an_earlier_phase_promised_is_repeated_in_another_clone() {
    let project = Project::new(&Sample { phases: 2, ..Sample::default() });
    let phase = |number: u32, depends: &str| {
        format!(
            "\n## Phase {number}: Part {number}\n\n**Goal**: part-{number}.txt\n\n{depends}**Success Criteria**:\n\
             - it is there -- verified by: `grep -qx 'part {number}' part-{number}.txt`\n"
        )
    };
    let roadmap = format!("# Roadmap\n{}{}", phase(1, ""), phase(2, "**Depends on**: Phase 1\n\n"));
    project.sandbox.write(".planning/ROADMAP.md", roadmap);
    project.sandbox.commit("two promises");
    project.run(&["run", "--complete"]).expect(0);
    clone(&project);
    let second = certificate_of(&project).with_file_name("2.json");
    fs::copy(second, project.path("cert.json")).expect("it can be copied");
    let output = verified(&project, &["--rerun"]).expect(0);
    assert!(output.stdout.contains("1/1 on the work"), "{}", output.shown());
}
