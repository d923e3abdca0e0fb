//! A new file of code that nothing refers to.

use crate::harness::{Project, Sample, agent, part};

const GREET: &str = "{ write = { path = \"greet.py\", text = \"print(1)\\n\" } }";
const USE: &str = "{ write = { path = \"app.py\", text = \"import greet\\n\" } }";

fn project(word: &str, debugger: &str) -> Project {
    let actions = format!("{GREET}, {}", part(1));
    let script = agent("executor", 1, &actions, word) + &agent("debugger", 1, debugger, "");
    Project::new(&Sample { phases: 1, script, ..Sample::default() })
}

#[test]
fn c14_a_new_module_that_nothing_refers_to_is_sent_back_until_something_does() {
    let project = project("", USE);
    project.run(&["run"]).expect(0);
    let log = project.run(&["log", "--json"]).expect(0);
    assert!(log.stdout.contains("nothing refers to the new file `greet.py`"), "{}", log.shown());
    assert!(project.files_at(&project.head()).contains(&"app.py".to_owned()));
}

#[test]
fn c14_a_file_with_a_reason_may_stand_by_itself() {
    let word = "return = { tasks_completed = \"1/1\", standalone = [{ file = \"greet.py\", justification = \"people start it\" }] }";
    let project = project(word, USE);
    project.run(&["run"]).expect(0);
    assert!(
        !project.files_at(&project.head()).contains(&"app.py".to_owned()),
        "nobody repaired it"
    );
    let log = format!("{}:.planning/phases/1-part-1/EXECUTION-LOG.md", project.head());
    let log = project.sandbox.git(["show", &log]);
    assert!(log.contains("- `greet.py`: people start it"), "{log}");
}
