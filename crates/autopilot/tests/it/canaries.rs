//! What is newly green must go red when the work is broken.

use autopilot_testkit::repository::write;

use crate::harness::{Project, Sample, agent, plan};

/// Runs every test and counts.
const RUNNER: &str = "passed=0; failed=0\n\
    for test in tests/*_test.sh; do\n  if [ -f \"$test\" ]; then\n    \
    if sh \"$test\"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi\n  fi\ndone\n\
    echo \"passed $passed, failed $failed\"\n[ $failed -eq 0 ] && [ $passed -gt 0 ]\n";
const COUNTS: &str = "[checks]\ncounts = { \"tests/run.sh\" = \
    '^passed (?<passed>[0-9]+), failed (?<failed>[0-9]+)$' }\n";
/// Work that is right.
const ADD: &str = "add() {\n  echo $(($1 + $2))\n}\n";
const LOOKS: &str = ". ./calc.sh\n[ \"$(add 2 3)\" = 5 ]\n";
/// It needs the work to be there, and does not look at it.
const LOOKS_AWAY: &str = ". ./calc.sh\nadd 2 3 > /dev/null\n";
/// It needs nothing at all.
const BLIND: &str = "true\n";

/// What an agent leaves.
fn writes(files: &[(&str, &str)]) -> String {
    let one = |(path, text): &(&str, &str)| {
        format!("{{ write = {{ path = \"{path}\", text = '''\n{text}''' }} }}")
    };
    let written: Vec<String> = files.iter().map(one).collect();
    written.join(", ")
}

/// A project whose phase asks for tests that pass.
fn project(before: &[(&str, &str)], executor: &str, debugger: &str) -> Project {
    let script = plan(1, "", "").replace("echo part 1 | cmp -s - part-1.txt", "sh tests/run.sh")
        + &agent("executor", 1, executor, "")
        + &agent("debugger", 1, debugger, "");
    let config = format!("{COUNTS}[limits]\ntask_debugs = 0\nphase_debugs = 1\n");
    let project = Project::new(&Sample { phases: 1, script, config });
    let roadmap = "# Roadmap\n\n## Phase 1: Part 1\n\n**Goal**: a calculator\n\n**Success Criteria**:\n\
        - its tests pass -- verified by: `sh tests/run.sh`\n";
    project.sandbox.write(".planning/ROADMAP.md", roadmap);
    project.sandbox.write("tests/run.sh", RUNNER);
    for (path, text) in before {
        project.sandbox.write(path, text);
    }
    project.sandbox.commit("a runner of tests");
    project
}

/// How the check of the phase went red, by the last time that it was tried.
fn bite(project: &Project) -> serde_json::Value {
    let facts = project.facts();
    let mut canaries = facts.iter().rev();
    let canaries = canaries.find_map(|fact| fact["phase"]["fact"].get("canaries"));
    canaries.expect("the work was broken")["canaries"][0]["bite"].clone()
}

#[test]
fn tests_that_look_at_the_work_are_believed() {
    let honest = writes(&[("calc.sh", ADD), ("tests/add_test.sh", LOOKS)]);
    let project = project(&[], &honest, "");
    let output = project.run(&["run"]).expect(0);
    assert!(
        output.stderr.contains("2 of 2 new checks go red when the work is broken"),
        "{}",
        output.shown()
    );
    let what = bite(&project)["mutant"]["what"].as_str().map(str::to_owned);
    assert!(what.is_some_and(|what| what.starts_with("calc.sh:2: ")), "{}", bite(&project));
}

#[test]
fn tests_that_stay_green_without_the_work_prove_nothing() {
    for test in [BLIND, LOOKS_AWAY] {
        let lazy = writes(&[("calc.sh", ADD), ("tests/add_test.sh", test)]);
        let project = project(&[], &lazy, "");
        let output = project.run(&["run"]).expect(3);
        assert!(
            output.stderr.contains(
                "CAUGHT: executor: handed in as tested, but `sh tests/run.sh` does not bite"
            ),
            "{}",
            output.shown()
        );
        assert!(!output.stderr.contains("Step: JUDGE"), "nobody is paid to look at it");
        assert!(!bite(&project)["green"].is_null(), "{}", bite(&project));
    }
}

#[test]
fn tests_that_do_not_bite_can_be_made_to() {
    let lazy = writes(&[("calc.sh", ADD), ("tests/add_test.sh", LOOKS_AWAY)]);
    let repair = writes(&[("tests/sum_test.sh", LOOKS)]);
    let project = project(&[], &lazy, &repair);
    project.run(&["run"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
}

#[test]
fn tests_of_what_was_there_must_look_at_it() {
    for (test, code) in [(LOOKS, 0), (LOOKS_AWAY, 3), (BLIND, 3)] {
        let only_tests = writes(&[("tests/add_test.sh", test)]);
        let project = project(&[("calc.sh", ADD)], &only_tests, "");
        let output = project.run(&["run"]);
        assert_eq!(output.code, Some(code), "{test}: {}", output.shown());
    }
}

#[test]
fn a_test_that_was_there_is_believed_without_mutations() {
    let project = project(&[("tests/add_test.sh", LOOKS)], &writes(&[("calc.sh", ADD)]), "");
    project.run(&["run"]).expect(0);
    assert!(!bite(&project)["reverted"].is_null(), "{}", bite(&project));
}

#[test]
fn a_script_that_came_with_the_work_must_look_at_it() {
    for (check, code) in [("exit 0\n", 3), (LOOKS, 0)] {
        let work = writes(&[("calc.sh", ADD), ("tests/check.sh", check)]);
        let project = project(&[], &work, "");
        let roadmap = project.sandbox.project().join(".planning/ROADMAP.md");
        let text = std::fs::read_to_string(&roadmap).expect("readable");
        let own = text.replace("sh tests/run.sh", "sh tests/check.sh");
        project.sandbox.write(".planning/ROADMAP.md", own);
        project.sandbox.commit("a check that is to be written");
        let script = plan(1, "", "").replace("echo part 1 | cmp -s - part-1.txt", "sh -n calc.sh")
            + &agent("executor", 1, &work, "");
        project.script(&script);
        let output = project.run(&["run"]);
        assert_eq!(output.code, Some(code), "{check}: {}", output.shown());
    }
}

/// A function that fails where nothing is given to it.
const GREET: &str = "greet() {\n  [ -n \"$1\" ] || return 1\n  echo \"hello $1\"\n}\n";
const SETTINGS: &str = "name=calc\nport=8080\nmode=fast\nlevel=3\nhost=here\nuser=me\ncolour=red\n";

#[test]
fn a_failure_in_the_work_itself_is_no_look_at_it() {
    for (test, code) in [
        (". ./calc.sh\ngreet you > /dev/null\n", 3),
        (". ./calc.sh\n[ \"$(greet you)\" = 'hello you' ]\n", 0),
    ] {
        let work = writes(&[("calc.sh", GREET), ("tests/greet_test.sh", test)]);
        let output = project(&[], &work, "").run(&["run"]);
        assert_eq!(output.code, Some(code), "{test}: {}", output.shown());
    }
}

#[test]
fn a_check_of_many_values_is_believed_by_one_of_them() {
    for path in ["etc/calc.conf", "settings.sh"] {
        let looks = format!(". ./{path}\n[ \"$level\" = 3 ]\n");
        for (test, code) in [(looks, 0), (format!(". ./{path}\n"), 3)] {
            let work = writes(&[(path, SETTINGS), ("tests/level_test.sh", &test)]);
            let project = project(&[("calc.sh", ADD)], &work, "");
            let output = project.run(&["run"]);
            assert_eq!(output.code, Some(code), "{test}: {}", output.shown());
        }
    }
}

#[test]
fn a_check_of_other_code_does_not_show_that_data_is_right() {
    let work = writes(&[("etc/calc.conf", SETTINGS), ("tests/add_test.sh", LOOKS)]);
    let project = project(&[("calc.sh", ADD)], &work, "");
    project.run(&["run"]).expect(3);
    let tried = bite(&project)["green"]["tried"].clone();
    assert_eq!(tried, serde_json::json!(["every changed file put back that is no test"]));
}

#[test]
fn words_beside_new_tests_of_what_was_there_do_no_harm() {
    for path in ["CHANGES.md", "notes.txt"] {
        let work = writes(&[(path, "one line\n"), ("tests/add_test.sh", LOOKS)]);
        let project = project(&[("calc.sh", ADD)], &work, "");
        project.run(&["run"]).expect(0);
        assert!(!bite(&project)["mutant"].is_null(), "{}", bite(&project));
    }
}

#[test]
fn what_is_to_be_gone_is_seen_when_it_is_brought_back() {
    let old = format!("{ADD}old() {{\n  echo old\n}}\n");
    let other = "twice() {\n  add \"$1\" \"$1\"\n}\n";
    let gone = ". ./calc.sh\n! command -v old > /dev/null\n";
    for more in [&[][..], &[("twice.sh", other)][..]] {
        let mut files = vec![("calc.sh", ADD), ("tests/old_test.sh", gone)];
        files.extend(more);
        let project = project(&[("calc.sh", &old)], &writes(&files), "");
        project.run(&["run"]).expect(0);
        assert!(!bite(&project)["reverted"].is_null(), "{}", bite(&project));
    }
}

/// A verifier that reads the work: it objects to whatever does not add.
const READS: &str = "cat > /dev/null; pwd >> ROOT/places\n\
    if grep -q '$1 + $2' calc.sh; then echo '{\"pass\": true, \"commands_run\": [\"cat calc.sh\"]}'; \
    else echo '{\"pass\": false, \"failures\": [\"it does not add\"]}'; fi\n";
/// A verifier that likes everything.
const LIKES: &str = "cat > /dev/null; pwd >> ROOT/places; echo '{\"pass\": true, \"commands_run\": [\"cat calc.sh\"]}'\n";

#[test]
fn reviewers_are_measured_with_defects_and_cannot_tell_them_by_their_place() {
    let honest = writes(&[("calc.sh", ADD), ("tests/add_test.sh", LOOKS)]);
    for (verifier, expected) in [(READS, [1, 1]), (LIKES, [1, 0])] {
        let project = project(&[], &honest, "");
        let root = project.sandbox.root().display().to_string();
        write(&project.path("eyes.sh"), verifier.replace("ROOT", &root));
        let config = project.sandbox.project().join("autopilot.toml");
        let text = std::fs::read_to_string(&config).expect("readable");
        let roles = "default = \"scripted\"\nverifier = \"eyes\"\n";
        let more = format!(
            "[agents.eyes]\nprogram = [\"sh\", \"{root}/eyes.sh\"]\n[review]\ncalibrate_every = 1\n"
        );
        let text = text.replace("default = \"scripted\"\n", roles) + &more;
        project.sandbox.write("autopilot.toml", text);
        project.sandbox.commit("another verifier");
        let output = project.run(&["run"]).expect(0);
        let word = if expected[1] == 1 { "saw" } else { "missed" };
        assert!(
            output.stderr.contains(&format!("verifier {word} a seeded defect (calc.sh:2: ")),
            "{}",
            output.shown()
        );
        let row = project.status()["reviewers"][0].clone();
        assert_eq!((&row["role"], &row["agent"]), (&"verifier".into(), &"eyes".into()));
        assert_eq!([&row["seeded"], &row["caught"]].map(|n| n.as_u64()), expected.map(Some));
        let places = std::fs::read_to_string(project.path("places")).expect("it was asked");
        let names: Vec<&str> =
            places.lines().filter_map(|line| line.split("/work/").nth(1)).collect();
        assert_eq!(names.len(), 2, "{places}");
        let name = |at: usize| names[at].split('@').next();
        assert_eq!(name(0), name(1), "{places}");
    }
}
