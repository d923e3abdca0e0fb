//! A model that does what every role is asked for, through whatever tools the agent offers.

use autopilot_testkit::model::{Asked, Reply};
use serde_json::{Value, json};

const PLAN: &str = "<task id=\"1-01\" type=\"auto\" complexity=\"simple\">\n<name>Write part 1</name>\n<files>part-1.txt</files>\n\
    <action>Write the file part-1.txt into the root of the project. It holds one line with the word part, \
    a blank and the number, and a line end.</action>\n<acceptance_criteria>\n\
    - it is written -- verified by: `echo part 1 | cmp -s - part-1.txt`\n</acceptance_criteria>\n\
    <verify>read it</verify>\n<done>it is written</done>\n</task>\n";
const DIRECTORY: &str = ".planning/phases/1-part-1";
const LOOK: &str = "grep -qx 'part 1' part-1.txt";

/// Does what is asked for.
pub(crate) fn honest(asked: &Asked) -> Reply {
    let is = |role: &str| asked.says(&format!("You are the **{role}**"));
    if is("planner") {
        // Not by the shell: some agents let nothing pass that looks as if commands were put together.
        let write = Reply::Write { path: format!("{DIRECTORY}/PLAN.md"), text: PLAN.to_owned() };
        return first(asked, write, json!({"plans_created": 1, "total_tasks": 1}));
    }
    if is("executor") {
        let write = Reply::Write { path: "part-1.txt".to_owned(), text: "part 1\n".to_owned() };
        return first(asked, write, json!({"tasks_completed": "1/1"}));
    }
    if is("verifier") {
        let word = json!({"pass": true, "failures": [], "commands_run": [LOOK],
            "criteria_results": [{"criterion": "It is written", "status": "pass", "evidence": "part-1.txt:1 - part 1"}]});
        return first(asked, Reply::Run(LOOK.to_owned()), word);
    }
    Reply::Return(if is("researcher") {
        json!({"key_findings": ["there is no part"], "recommended_approach": "write it"})
    } else if is("plan-checker") {
        json!({"pass": true, "confidence": 9.0, "issues": []})
    } else if asked.says("You have judged this change once") {
        json!({"divergence_analysis": {"agreed": ["it is written"]}, "verifier_agreement": true, "verifier_missed": []})
    } else if is("judge") {
        json!({"recommendation": "proceed", "concerns": ["it has no title"], "independent_evidence": ["part-1.txt:1 - part 1"]})
    } else if is("rater") {
        json!({"alignment_score": 9.5, "scorecard": [{"criterion": "It is written", "score": 9.5, "evidence": "part-1.txt:1",
            "justification": "it says part 1"}]})
    } else if is("auditor") {
        json!({"audit_results": [{"phase_id": "1", "requirements_checked": [
            {"requirement_id": "1", "status": "pass", "file_line_evidence": "part-1.txt:1"}]}]})
    } else {
        json!({"nobody": "knows this role"})
    })
}

/// Something is done first, then there is a return.
fn first(asked: &Asked, what: Reply, then: Value) -> Reply {
    if asked.results == 0 { what } else { Reply::Return(then) }
}
