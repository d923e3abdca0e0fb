//! Agents that people use, played by a program that speaks as one of them does: what the engine makes of it.

use std::fs;

use autopilot_testkit::repository::write;
use serde_json::Value;

use crate::harness::Project;

/// Speaks as Claude Code does, and behaves badly the first time in some roles.
const SPEAKER: &str = r#"
set -eu
cat > "ROOT/seen/prompt"
echo "$AUTOPILOT_ROLE $AUTOPILOT_ATTEMPT $*" | tr '\n' ' ' >> "ROOT/seen/calls"
echo >> "ROOT/seen/calls"
echo "$TMPDIR" >> "ROOT/seen/tmpdirs"
test -d "$TMPDIR"
echo '{"type":"system","subtype":"init","session_id":"the-session","model":"model-of-claude"}'
ends() {
  printf '{"type":"result","subtype":"success","is_error":%s,"session_id":"the-session","result":"%s","usage":{"input_tokens":100,"output_tokens":10},"total_cost_usd":0.01%s}\n' "$1" "$2" "$3"
}
returns() { ends false done ",\"structured_output\":$1"; }
ran() {
  printf '{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","name":"Bash","input":{"command":"%s"}}]}}\n' "$1"
}
first() { test "$AUTOPILOT_ATTEMPT" = 1; }
case $AUTOPILOT_ROLE in
  researcher)
    if first; then
      for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do
        echo '{"type":"system","subtype":"api_retry","attempt":1,"error_status":500,"error":"server_error"}'
      done
      sleep 300
    fi
    returns '{"key_findings":["it is small"],"recommended_approach":"plainly"}' ;;
  planner)
    if first; then
      echo '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":RESETS}}'
      ends true "You have hit your limit" ',"api_error_status":429'
      exit 1
    fi
    mkdir -p .planning/phases/1-part-1
    cp ROOT/PLAN.md .planning/phases/1-part-1/PLAN.md
    returns '{"plans_created":1,"total_tasks":1}' ;;
  plan-checker)
    case "$*" in
      *"--resume the-session"*) returns '{"pass":true,"confidence":9,"issues":[]}' ;;
      *) ends false "It looks fine to me." '' ;;
    esac ;;
  executor) echo 'part 1' > part-1.txt; returns '{"tasks_completed":"1/1"}' ;;
  verifier)
    first || ran "grep -qx 'part 1' part-1.txt"
    returns '{"pass":true,"commands_run":["grep -qx '"'part 1'"' part-1.txt"]}' ;;
  judge)
    if [ "$AUTOPILOT_TURN" = 1 ]; then
      returns '{"recommendation":"proceed","concerns":["no title"],"independent_evidence":["part-1.txt:1 - part 1"]}'
    else
      returns '{"divergence_analysis":{"agreed":["it is written"]},"verifier_agreement":true,"verifier_missed":[]}'
    fi ;;
  rater) returns '{"alignment_score":9.5,"scorecard":[{"criterion":"c","score":9.5,"evidence":"part-1.txt:1","justification":"j"}]}' ;;
  auditor)
    returns '{"audit_results":[{"phase_id":"1","requirements_checked":[{"requirement_id":"1","status":"pass","file_line_evidence":"part-1.txt:1"}]}]}' ;;
esac
"#;

const PLAN: &str = "<task id=\"1-01\" type=\"auto\">\n<name>Write part 1</name>\n<files>part-1.txt</files>\n\
    <action>Write the file part-1.txt into the root of the project. It holds one line with the word part, \
    a blank and the number, and a line end.</action>\n<acceptance_criteria>\n\
    - it is written -- verified by: `echo part 1 | cmp -s - part-1.txt`\n</acceptance_criteria>\n\
    <verify>read it</verify>\n<done>it is there</done>\n</task>\n";

/// How the ends of the attempts of a step are called, in order.
fn ends(facts: &[Value], step: &str) -> Vec<String> {
    let ended = facts.iter().filter_map(|fact| fact.get("ended"));
    let of_step = ended.filter(|ended| ended["key"].to_string().contains(step));
    let name = |ended: &Value| {
        let end = &ended["end"];
        let failure = end.get("failed").or_else(|| end.get("limited"));
        let class = failure.map(|failure| failure["class"].to_string());
        class.unwrap_or_else(|| end.to_string()).replace('"', "")
    };
    of_step.map(name).collect()
}

fn played() -> Project {
    let project = Project::honest(1);
    let root = project.sandbox.root().display().to_string();
    fs::create_dir(project.path("seen")).expect("a directory can be made");
    let soon = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let soon = soon.expect("it is after 1970").as_secs() + 2;
    let speaker = SPEAKER.replace("ROOT", &root).replace("RESETS", &soon.to_string());
    write(&project.path("claude.sh"), speaker);
    write(&project.path("PLAN.md"), PLAN);
    let config = format!(
        "[agents.claude]\nprogram = [\"sh\", \"{root}/claude.sh\"]\nmodel = \"usual\"\n\
         [roles]\ndefault = \"claude\"\nverifier = {{ agent = \"claude\", model = \"better\", effort = \"high\" }}\n"
    );
    project.sandbox.write("autopilot.toml", config);
    project.sandbox.commit("another agent");
    project
}

#[test]
fn an_agent_that_people_use_is_driven_through_everything_that_can_go_wrong() {
    let project = played();
    project.run(&["run"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed"]);
    let facts = project.facts();

    assert_eq!(ends(&facts, "research"), ["overloaded", "done"], "who tries for ever is stopped");
    let calls = fs::read_to_string(project.path("seen/calls")).expect("it was called");
    let of = |role: &str| -> Vec<&str> {
        calls.lines().filter(|call| call.starts_with(&format!("{role} "))).collect()
    };

    let limit = &ends(&facts, "1/plan")[0];
    assert!(limit.contains("limit"), "{limit}: a limit is no failure");
    let held = facts.iter().filter_map(|fact| fact.get("held")).nth(1).expect("it was held");
    assert_eq!(held["agent"], "claude");

    let checks = of("plan-checker");
    assert_eq!(checks.len(), 2, "{calls}");
    assert!(
        !checks[0].contains("--resume") && checks[1].contains("--resume the-session"),
        "{calls}"
    );
    assert_eq!(ends(&facts, "plan-check"), ["done"], "one answer of no use is no failure");

    let verifiers = of("verifier");
    assert_eq!(verifiers.len(), 2, "who runs nothing is seen to run nothing: {calls}");
    assert!(verifiers[0].contains("--model better --effort high"), "{calls}");
    assert!(
        of("rater")[0].contains("--model usual") && !calls.contains("usual --effort"),
        "{calls}"
    );

    let tmpdirs = fs::read_to_string(project.path("seen/tmpdirs")).expect("each has one");
    let mut all: Vec<&str> = tmpdirs.lines().collect();
    assert!(all.iter().all(|path| !fs::exists(path).expect("it can be looked at")), "{tmpdirs}");
    all.sort_unstable();
    all.dedup();
    assert_eq!(
        all.len() + 1,
        tmpdirs.lines().count(),
        "only two turns of one conversation share one"
    );

    let told = facts.iter().filter_map(|fact| fact.get("ended")?.get("model")?.as_str());
    assert!(told.clone().count() > 5 && told.clone().all(|model| model == "model-of-claude"));
    let spent: u64 =
        facts.iter().filter_map(|fact| fact.get("ended")?["spent"]["tokens"].as_u64()).sum();
    assert_eq!(spent, 110 * (calls.lines().count() as u64 - 1), "what was used is counted once");
}

#[test]
fn an_agent_that_is_not_installed_is_named_before_anything_is_begun() {
    let project = Project::honest(1);
    let output = project.run(&["run", "--agent", "codex"]);
    assert_eq!(output.code, Some(6), "{}", output.shown());
    assert!(
        output.stderr.contains("there is no program `codex` on your PATH"),
        "{}",
        output.shown()
    );
    let output = project.run(&["run", "--agent", "nobody"]);
    assert!(output.stderr.contains("need none"), "{}", output.shown());
}
