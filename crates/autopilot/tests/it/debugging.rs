//! Debug sessions from outside: what is found out stays, whatever happens, and a repair counts when the engine saw it hold.

use std::{fs, time::Duration};

use serde_json::Value;

use crate::harness::{Before, Project, Sample, sh, sign, until};

const REPRODUCE: &str = "test \"$(sh greet.sh)\" = hello";
const FILE: &str = ".autopilot/debug/greet-sh-prints-nothing.md";
const RESOLVED: &str = ".autopilot/debug/resolved/greet-sh-prints-nothing.md";
/// How long descendants of agents may outlive the engine.
const SURVIVAL_MAX: Duration = Duration::from_secs(2);

/// What a debugger does and says, in the attempt of that number.
fn round(attempt: u32, actions: &[String], status: &str, next: &str) -> String {
    let actions = actions.join(", ");
    format!(
        "[[on]]\nrole = \"debugger\"\nattempt = {attempt}\ndo = [{actions}]\n\
         [on.return]\nfixed = {}\n[on.return.session]\nstatus = \"{status}\"\nquestion = \"which word?\"\n\
         symptoms = {{ expected = \"hello\", actual = \"forged in attempt {attempt}\" }}\n\
         focus = {{ hypothesis = \"theory {attempt}\", next_action = \"{next}\" }}\n\
         evidence = [{{ checked = \"look {attempt}\", found = \"ehco\", implication = \"a typing error\" }}]\n\
         eliminated = [{{ hypothesis = \"not {attempt}\", evidence = \"seen\" }}]\n\
         resolution = {{ root_cause = \"echo is misspelt\", failure_category = \"executor_incomplete\", fix = \"spell echo\", \
         prevention_rule = \"run scripts once\" }}\n\n",
        status == "debug-complete",
    )
}

fn repair() -> String {
    sh("echo 'echo hello' > greet.sh")
}

fn project(script: &str) -> Project {
    let project =
        Project::new(&Sample { phases: 1, script: script.to_owned(), ..Sample::default() });
    project.sandbox.write("greet.sh", "ehco hello\n");
    project.sandbox.commit("greet");
    project
}

fn read(project: &Project, path: &str) -> String {
    fs::read_to_string(project.sandbox.project().join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A section of a session's file.
fn section(file: &str, name: &str) -> String {
    let (_, rest) = file.split_once(&format!("\n## {name}\n")).expect("the section is there");
    rest.split("\n## ").next().unwrap_or_default().to_owned()
}

fn session(project: &Project) -> Value {
    project.status()["session"].clone()
}

#[test]
fn c46_a_session_that_is_killed_goes_on_with_what_was_to_be_done_next_and_keeps_its_symptoms() {
    let script = round(1, &[], "investigating", "read line 1 of greet.sh")
        + &round(2, &[sign("second"), until("never")], "investigating", "lost")
        + &round(3, &[repair()], "debug-complete", "");
    let project = project(&script);
    let before = Before::of(&project);
    let mut engine = project.start(&[
        "debug",
        "greet.sh prints nothing",
        "--reproduce",
        REPRODUCE,
        "--started",
        "today",
    ]);
    project.await_sign("second");
    engine.kill();
    project.await_no_agents(SURVIVAL_MAX);
    let first = read(&project, FILE);
    let symptoms = section(&first, "Symptoms");
    assert!(
        symptoms.contains("actual: greet.sh prints nothing\n")
            && symptoms.contains("expected: hello\n"),
        "{first}"
    );
    assert!(
        first.contains("\nstatus: fixing\n")
            && first.contains("\nnext_action: read line 1 of greet.sh\n"),
        "{first}"
    );

    let listed = project.run(&["debug"]).expect(0);
    assert!(listed.stdout.contains("next: read line 1 of greet.sh"), "{}", listed.shown());
    let resumed = project.run(&["debug", "resume", "greet-sh-prints-nothing"]).expect(0);
    assert!(
        resumed.stderr.contains("going on with greet-sh-prints-nothing: read line 1 of greet.sh"),
        "{}",
        resumed.shown()
    );
    let told = project.run(&["transcript", "debug/investigate/3"]).expect(0).stdout;
    assert!(told.contains("Begin with this: **read line 1 of greet.sh**"), "{told}");

    let last = read(&project, RESOLVED);
    assert_eq!(section(&last, "Symptoms"), symptoms);
    for name in ["Evidence", "Eliminated"] {
        let (old, new) = (section(&first, name), section(&last, name));
        assert!(
            new.trim_end().starts_with(old.trim_end()) && new.len() > old.len(),
            "{old}\n{new}"
        );
    }
    assert!(!project.sandbox.project().join(FILE).exists(), "it is resolved");
    assert!(
        last.contains(&format!("verification: red before and green now: `{REPRODUCE}`\n")),
        "{last}"
    );
    project.run(&["audit"]).expect(0);
    before.check(&project);

    let learnings = read(&project, ".autopilot/learnings.md");
    assert!(learnings.contains("### Debug session: greet-sh-prints-nothing -- executor_incomplete\n**Prevention rule:** run scripts once\n"), "{learnings}");
    project.run(&["land", "-y"]).expect(0);
    assert_eq!(read(&project, "greet.sh"), "echo hello\n");
    assert_eq!(read(&project, ".planning/debug/resolved/greet-sh-prints-nothing.md"), last);
    let subjects = project.sandbox.git(["log", "-2", "--format=%s"]);
    assert_eq!(
        subjects.lines().collect::<Vec<_>>(),
        ["docs(debug): resolved greet-sh-prints-nothing", "fix: spell echo"]
    );
}

#[test]
fn c46_a_repair_that_does_not_hold_is_not_taken_and_the_next_round_is_told_what_was_seen() {
    let wrong = sh("echo 'echo helo' > greet.sh");
    let script = round(1, &[wrong], "debug-complete", "look again")
        + &round(2, &[repair()], "debug-complete", "");
    let project = project(&script);
    project.run(&["debug", "greet.sh prints nothing", "--reproduce", REPRODUCE]).expect(0);
    let told = project.run(&["transcript", "debug/investigate/2"]).expect(0).stdout;
    assert!(told.contains("implication: the repair does not hold"), "{told}");
    assert_eq!(session(&project)["status"], "resolved");
    let fixed = project.sandbox.git(["show", &format!("{}:greet.sh", project.head())]);
    assert_eq!(fixed.trim(), "echo hello");
}

#[test]
fn c46_a_diagnosis_changes_nothing_and_needs_no_command() {
    let script = round(1, &[repair()], "root-cause-found", "");
    let project = project(&script);
    let refused = project.run(&["debug", "greet.sh prints nothing"]).expect(1);
    assert!(
        refused.stderr.contains("--reproduce") && refused.stderr.contains("--diagnose-only"),
        "{}",
        refused.shown()
    );
    project.run(&["debug", "greet.sh", "prints", "nothing", "--diagnose-only"]).expect(0);
    assert_eq!(session(&project)["status"], "diagnosed");
    assert_eq!(session(&project)["root_cause"], "echo is misspelt");
    let changed = project.sandbox.git(["diff", "--name-only", "HEAD", &project.head()]);
    assert_eq!(changed.trim(), ".planning/debug/greet-sh-prints-nothing.md");
    let nothing = project.run(&["debug", "resume"]).expect(1);
    assert!(nothing.stderr.contains("no debug session is open"), "{}", nothing.shown());
}

#[test]
fn c46_a_session_about_a_failed_phase_begins_with_what_its_journal_knows() {
    let script = "[[on]]\nrole = \"executor\"\ndo = []\nreturn = { tasks_completed = \"0/1\" }\n\n"
        .to_owned()
        + "[[on]]\nrole = \"debugger\"\nphase = \"1\"\nreturn = { fixed = false }\n\n"
        + &round(1, &[], "investigation-inconclusive", "ask who wrote it");
    let project = project(&script);
    project.run(&["run"]).expect(3);
    let state = read(&project, ".autopilot/state.json");
    let run = project.run_id();
    project.run(&["debug", "phase", "1", "failure", "--diagnose-only"]).expect(5);
    let slug = session(&project)["slug"].as_str().expect("a name").to_owned();
    assert!(slug.starts_with("phase-1-"), "{slug}");
    let file = read(&project, &format!(".autopilot/debug/{slug}.md"));
    let symptoms = section(&file, "Symptoms");
    assert!(symptoms.contains("expected: phase 1 completes with a score of 9.0 or more"), "{file}");
    assert!(symptoms.contains(&format!(" of {run} at ")) && !symptoms.contains("forged"), "{file}");
    let evidence = section(&file, "Evidence");
    assert!(
        evidence.contains("the post-mortem of phase 1")
            && evidence.contains(&format!("the journal of {run}")),
        "{file}"
    );
    assert_eq!(read(&project, ".autopilot/state.json"), state, "it tells of the run of phases");
    let missing = project.run(&["debug", "phase 7"]).expect(1);
    assert!(
        missing.stderr.contains("no run of this project has failed at phase 7"),
        "{}",
        missing.shown()
    );
}
