//! Any program as an agent: what it is given, what it sees, what is made of its answer.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use autopilot_testkit::repository::write;

use crate::harness::{PROGRAM, Project};

/// Notes down what it is given and does what its role asks for.
const AGENT: &str = r#"
set -eu
seen=ROOT/seen/$AUTOPILOT_ROLE
test "$AUTOPILOT_TURN" = 1 || seen=$seen-second
mkdir -p "$seen"
cat > "$seen/prompt"
cat /proc/$$/environ > "$seen/environ"
cp "$AUTOPILOT_RESULT_SCHEMA" "$seen/schema"
pwd -P > "$seen/directory"
git rev-list --all --parents > "$seen/commits"
git for-each-ref --format='%(refname)' > "$seen/refs"
git cat-file --batch-all-objects --batch-check='%(objectname)' > "$seen/objects"
ls .git/objects/info > "$seen/info"
find . -path ./.git -prune -o -type f -print > "$seen/files"
case $AUTOPILOT_ROLE in
  researcher) echo '{"key_findings": ["it is small"], "recommended_approach": "plainly"}' ;;
  planner)
    mkdir -p .planning/phases/1-part-1
    cp ROOT/PLAN.md .planning/phases/1-part-1/PLAN.md
    echo '{"plans_created": 1, "total_tasks": 1}' ;;
  plan-checker) echo '{"pass": true, "confidence": 9, "issues": []}' ;;
  executor)
    echo 'part 1' > part-1.txt
    echo secret-opinion > .planning/phases/1-part-1/VERIFICATION.md
    echo secret-opinion > JUDGE-REPORT.md
    echo 'I have {"half": "an idea"} about it'
    echo '{"tasks_completed": "1/1"}' ;;
  verifier) printf 'Looks good.\n```json\n{"pass": true, "failures": [], "commands_run": ["git status"], "criteria_results": ["verifiers-word"]}\n```\n' ;;
  judge) echo '{"recommendation": "proceed", "concerns": ["judges-word"], "independent_evidence": ["I read the change"], "divergence_analysis": "none", "verifier_agreement": true, "verifier_missed": []}' ;;
  rater) echo '{"alignment_score": 9.5, "scorecard": [{"criterion": "c", "score": 9.5, "evidence": "part-1.txt:1", "justification": "j"}]}' ;;
  auditor)
    echo '{"audit_results": [{"phase_id": "1", "requirements_checked": [
      {"requirement_id": "1", "status": "pass", "file_line_evidence": "part-1.txt:1"}]}]}' ;;
esac
"#;

const PLAN: &str = "<task id=\"1-01\" type=\"auto\">\n<name>Write part 1</name>\n<files>part-1.txt</files>\n\
    <action>Write the file part-1.txt into the root of the project. It holds one line with the word part, \
    a blank and the number, and a line end.</action>\n<acceptance_criteria>\n\
    - it is written -- verified by: `echo part 1 | cmp -s - part-1.txt`\n</acceptance_criteria>\n\
    <verify>read it</verify>\n<done>it is there</done>\n</task>\n";

const ROLES: [&str; 7] =
    ["researcher", "planner", "plan-checker", "executor", "verifier", "judge", "rater"];
const READERS: [&str; 5] = ["researcher", "plan-checker", "verifier", "judge", "rater"];

fn played() -> Project {
    let project = Project::honest(1);
    let root = project.sandbox.root().display().to_string();
    write(&project.path("agent.sh"), AGENT.replace("ROOT", &root));
    write(&project.path("PLAN.md"), PLAN);
    let config = format!(
        "[agents.sh]\nprogram = [\"sh\", \"{root}/agent.sh\"]\nenv = {{ MODE = \"quick\" }}\n\
         pass_env = [\"MY_API_KEY\"]\n[roles]\ndefault = \"sh\"\n\
         [sandbox]\nwrite = [\"{root}/seen\"]\n"
    );
    fs::create_dir(project.path("seen")).expect("a directory can be made");
    project.sandbox.write("autopilot.toml", config);
    project.sandbox.write("SCORECARD.md", "an old-opinion\n");
    project.sandbox.commit("another agent");
    let mut command = project.command(["run"]);
    command
        .env("MY_API_KEY", "let through")
        .env("AWS_SECRET_ACCESS_KEY", "not for agents")
        .env("GIT_DIR_OF_NOBODY", "x")
        .env("SSH_AUTH_SOCK", "/run/agent")
        .env("AUTOPILOT_CFG_RUN__PASS_SCORE", "9.0")
        .env("LC_TIME", "C");
    project.finish(command).expect(0);
    project
}

fn seen(project: &Project, role: &str, what: &str) -> String {
    let path = project.path("seen").join(role).join(what);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn a_program_is_given_its_prompt_its_schema_and_nothing_else_of_the_persons() {
    let project = played();
    let root = project.sandbox.root().display().to_string();
    assert_eq!(project.phase_states(), ["1 completed"]);
    for role in ROLES {
        let prompt = seen(&project, role, "prompt");
        assert!(prompt.contains("part-1.txt"), "{role}: {prompt}");
        let schema: serde_json::Value =
            serde_json::from_str(&seen(&project, role, "schema")).expect("it is JSON");
        assert!(schema["$schema"].is_string() && schema["properties"].is_object(), "{schema}");
        let environ = seen(&project, role, "environ");
        let variables: BTreeMap<&str, &str> =
            environ.split('\0').filter_map(|line| line.split_once('=')).collect();
        let names: BTreeSet<&str> = variables.keys().copied().collect();
        let expected = BTreeSet::from([
            // What the allow-list lets through of what the person has.
            "PATH",
            "HOME",
            "USER",
            "LC_ALL",
            "LC_TIME",
            "TZ",
            "XDG_CONFIG_HOME",
            "XDG_STATE_HOME",
            // What the agent's own settings say.
            "MODE",
            "MY_API_KEY",
            // What it is told about its step.
            "AUTOPILOT_RUN_ID",
            "AUTOPILOT_ROLE",
            "AUTOPILOT_PHASE",
            "AUTOPILOT_TASK",
            "AUTOPILOT_ATTEMPT",
            "AUTOPILOT_TURN",
            "AUTOPILOT_RESULT_SCHEMA",
            // Where it leaves what nobody needs.
            "TMPDIR",
            // How the guardian knows it.
            "AUTOPILOT_LAUNCH_KEY",
        ]);
        assert_eq!(names, expected, "{role}");
        assert_eq!(variables["AUTOPILOT_RUN_ID"], project.run_id());
        assert_eq!((variables["AUTOPILOT_ROLE"], variables["AUTOPILOT_PHASE"]), (role, "1"));
        assert_eq!((variables["AUTOPILOT_ATTEMPT"], variables["AUTOPILOT_TURN"]), ("1", "1"));
        assert_eq!(variables["AUTOPILOT_TASK"], if role == "executor" { "1-01" } else { "" });
        assert_eq!((variables["MODE"], variables["MY_API_KEY"]), ("quick", "let through"));
        let directory = seen(&project, role, "directory");
        assert!(directory.starts_with(&format!("{root}/state/")), "{directory}");
    }
}

#[test]
fn c15_those_who_judge_see_one_commit_without_history_or_opinions() {
    let project = played();
    for role in READERS {
        let commits = seen(&project, role, "commits");
        assert_eq!(
            commits.split_whitespace().count(),
            1,
            "{role}: one commit, no parents: {commits}"
        );
        assert_eq!(seen(&project, role, "refs").lines().count(), 1, "{role}");
        let files = seen(&project, role, "files");
        assert!(files.contains("README.md"), "{role}: {files}");
        for opinion in ["VERIFICATION.md", "JUDGE-REPORT.md", "SCORECARD.md", ".autopilot"] {
            assert!(!files.contains(opinion), "{role} sees {opinion}: {files}");
        }
        assert!(!seen(&project, role, "info").contains("alternates"), "{role} borrows no objects");
        let objects = seen(&project, role, "objects");
        let opinion =
            project.sandbox.git(["rev-parse", &format!("{}:JUDGE-REPORT.md", project.head())]);
        assert!(!objects.contains(&opinion), "{role} holds the opinion in its store");
    }
    let planner = seen(&project, "planner", "commits");
    assert!(planner.lines().count() > 1, "who writes sees the history");
}

#[test]
fn c17_the_judge_is_told_what_the_verifier_found_only_after_its_report_stands() {
    let project = played();
    for role in ["verifier", "judge", "rater"] {
        let prompt = seen(&project, role, "prompt");
        for word in ["verifiers-word", "judges-word", "secret-opinion"] {
            assert!(!prompt.contains(word), "{role} is told `{word}`: {prompt}");
        }
    }
    let second = seen(&project, "judge-second", "prompt");
    assert!(second.contains("verifiers-word") && second.contains("judges-word"), "{second}");
    assert!(!second.contains("secret-opinion"), "{second}");
    let schema = seen(&project, "judge-second", "schema");
    assert!(
        schema.contains("divergence_analysis") && schema.contains("verifier_missed"),
        "{schema}"
    );
    assert!(!seen(&project, "judge", "schema").contains("divergence_analysis"));
    let log = project.run(&["log"]).expect(0).stdout;
    let at = |words: &str| log.find(words).unwrap_or_else(|| panic!("no `{words}` in {log}"));
    assert!(at(" opined ") < at("1/compare"), "the report stands before the judge is asked again");
}

#[test]
fn the_prompt_of_the_verifier_holds_the_change_but_no_opinion_of_the_executor() {
    let project = played();
    let prompt = seen(&project, "verifier", "prompt");
    assert!(prompt.contains("part 1"), "{prompt}");
    assert!(!prompt.contains("an idea"), "what the executor said is not told: {prompt}");
}

/// Answers as a content agent would, and executes with what an earlier one has put in its place, if it can.
const REPLACEABLE: &str = r#"
cat > /dev/null
case $AUTOPILOT_ROLE in
  researcher) echo '{"key_findings": ["it is small"], "recommended_approach": "plainly"}' ;;
  planner)
    mkdir -p .planning/phases/1-part-1
    cp ROOT/PLAN.md .planning/phases/1-part-1/PLAN.md
    echo '{"plans_created": 1, "total_tasks": 1}' ;;
  plan-checker) echo '{"pass": true, "confidence": 9, "issues": []}' ;;
  executor)
    echo 'part 1' > part-1.txt
    echo 'echo replaced >> ROOT/replaced; cat > /dev/null' > agent.sh
    mkdir -p tools && cp agent.sh tools/agent.sh
    echo '{"usage": {"tokens": 1200, "micro_usd": 34000}}'
    echo '{"tasks_completed": "1/1"}'
    echo '{"usage": {"tokens": 34}}' ;;
  verifier) echo '{"pass": true, "failures": [], "commands_run": ["git status"]}' ;;
  judge) echo '{"recommendation": "proceed", "concerns": ["none"], "independent_evidence": ["I read the change"], "divergence_analysis": "none", "verifier_agreement": true, "verifier_missed": []}' ;;
  rater)
    if [ ! -e ROOT/signs/limited ]; then
      touch ROOT/signs/limited
      echo '{"limit": {"until": 0, "message": "too much today"}}'
      exit 1
    fi
    echo '{"alignment_score": 9.5, "scorecard": [{"criterion": "c", "score": 9.5, "evidence": "part-1.txt:1", "justification": "j"}]}' ;;
  auditor)
    echo '{"audit_results": [{"phase_id": "1", "requirements_checked": [
      {"requirement_id": "1", "status": "pass", "file_line_evidence": "part-1.txt:1"}]}]}' ;;
esac
"#;

fn run_replaceable(program: &str, at: &str) -> Project {
    let project = Project::honest(1);
    let root = project.sandbox.root().display().to_string();
    project.sandbox.write(at, REPLACEABLE.replace("ROOT", &root));
    write(&project.path("PLAN.md"), PLAN);
    let config = format!(
        "[agents.sh]\nprogram = {program}\n[roles]\ndefault = \"sh\"\n[sandbox]\nwrite = [\"{root}/signs\"]\n"
    );
    project.sandbox.write("autopilot.toml", config);
    project.sandbox.commit("an agent in the project");
    project.run(&["run"]).expect(0);
    project
}

#[test]
fn an_agent_that_is_kept_in_the_project_cannot_be_replaced_by_another_one() {
    for (program, at) in [
        ("[\"sh\", \"agent.sh\"]", "agent.sh"),
        ("[\"/bin/sh\", \"./tools/agent.sh\"]", "tools/agent.sh"),
    ] {
        let project = run_replaceable(program, at);
        assert!(!project.path("replaced").exists(), "{program}: the executor's file was run");
        let told = project.sandbox.git(["show", &format!("{}:{at}", project.head())]);
        assert!(told.contains("replaced"), "the executor did put it there");
    }
}

#[test]
fn a_program_tells_what_it_used_and_that_it_met_a_limit() {
    let project = run_replaceable("[\"sh\", \"agent.sh\"]", "agent.sh");
    let status = project.run(&["status", "--json"]).expect(0);
    let status: serde_json::Value = serde_json::from_str(&status.stdout).expect("it is JSON");
    assert_eq!((&status["tokens"], &status["usd"]), (&1234.into(), &0.034.into()), "{status}");
    let ends = crate::harness::ended_as(&project.facts(), "1/rate");
    assert_eq!(ends, ["limited", "done"], "a limit is no attempt");
}

/// The blocks of shell in the documentation, in their order.
fn documented() -> Vec<String> {
    let text = include_str!("../../../../docs/agents.md");
    let blocks = text.split("```sh\n").skip(1);
    blocks.filter_map(|block| block.split("```\n").next().map(str::to_owned)).collect()
}

#[test]
fn the_agent_of_the_documentation_runs_as_it_is_written() {
    let project = Project::honest(1);
    let [agent, commands] = documented().try_into().expect("an agent, and how it is run");
    write(&project.path("agent.sh"), agent);
    project.sandbox.git(["rm", "-rq", ".planning", "autopilot.toml"]);
    let named = commands.replace("autopilot run", &format!("{PROGRAM} run"));
    assert_ne!(named, commands);
    let shell = project.other("/bin/sh", ["-ec", &named]);
    project.finish(shell).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
    assert_eq!(project.sandbox.git(["show", &format!("{}:greeting", project.head())]), "hello");
}
