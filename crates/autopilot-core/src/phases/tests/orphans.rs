//! New files that nothing refers to.

use serde_json::{Value, json};

use super::{play, sent_back, steps};
use crate::{
    effect::Effect,
    fact::Ending,
    id::Key,
    input::Outcome,
    phases::SentBack,
    returns::Standalone,
    role::Role,
    story::{Story, good, report},
};

/// The work of an executor that brings a file which nothing refers to, with this word on it.
fn orphan(role: Role, key: &Key, word: Value) -> Outcome {
    let Outcome::Agent(mut said) = report(role, key, word) else { panic!("an agent's") };
    if let Some(work) = &mut said.work {
        work.orphans = vec!["greet.py".to_owned()];
    }
    Outcome::Agent(said)
}

fn justified(file: &str, why: &str) -> Value {
    json!({"tasks_completed": "1/1", "standalone": [{"file": file, "justification": why}]})
}

#[test]
fn c14_a_new_file_that_nothing_refers_to_leaves_the_task_unfinished() {
    for word in [
        json!({"tasks_completed": "1/1"}),
        justified("other.py", "a reason"),
        justified("greet.py", " "),
    ] {
        let mut story = Story::of(&[("1", &[])]);
        let owed = story.until("execute/1");
        let outcome = orphan(Role::Executor, &owed.key, word.clone());
        story.end(&owed.key, outcome);
        let fix = story.until("fix/1");
        let Effect::Agent(task) = &fix.effect else { panic!("an agent is owed") };
        assert!(task.brief.findings[0].contains("the new file `greet.py`"), "{word}");
        story.end(&fix.key, good(&fix));
        assert_eq!(play(&mut story, |_, _| None), Ending::Done);
        assert_eq!(sent_back(&story, SentBack::TaskFix), 1);
    }
}

#[test]
fn e15_a_file_that_is_spoken_for_is_shown_to_the_verifier_and_to_nobody_else() {
    let mut story = Story::of(&[("1", &[])]);
    let owed = story.until("execute/1");
    let word = justified("greet.py", "it is started by its name");
    let outcome = orphan(Role::Executor, &owed.key, word);
    story.end(&owed.key, outcome);
    let expected = Standalone {
        file: "greet.py".to_owned(),
        justification: "it is started by its name".to_owned(),
    };
    for (name, shown) in [("verify", vec![expected]), ("judge", vec![]), ("rate", vec![])] {
        let owed = story.until(name);
        let Effect::Agent(task) = &owed.effect else { panic!("an agent is owed") };
        assert_eq!(task.brief.standalone, shown, "{name}");
        story.end(&owed.key, good(&owed));
    }
    assert!(!steps(&story).iter().any(|name| name.starts_with("fix")), "{:?}", steps(&story));
    let owed = story.until("integrate");
    let Effect::Integrate(task) = &owed.effect else { panic!("it is put on the branch") };
    let log = task.papers.iter().find(|paper| paper.path.ends_with("EXECUTION-LOG.md"));
    assert!(log.is_some_and(|log| log.text.contains("- `greet.py`: it is started by its name\n")));
}

#[test]
fn c14_a_word_for_a_file_counts_for_the_repair_that_follows_too() {
    let mut story = Story::of(&[("1", &[])]);
    let owed = story.until("execute/1");
    let outcome =
        orphan(Role::Executor, &owed.key, justified("greet.py", "it is started by its name"));
    story.end(&owed.key, outcome);
    let check = story.until("check/1");
    story.end(&check.key, crate::story::checked(false));
    let fix = story.until("fix/1");
    let outcome = orphan(Role::Debugger, &fix.key, json!({"fixed": true}));
    story.end(&fix.key, outcome);
    assert_eq!(play(&mut story, |_, _| None), Ending::Done);
    assert_eq!(sent_back(&story, SentBack::TaskFix), 1);
}
