//! What a run has come to, and whether its books are in order.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Project;

/// What must be the same however often a run was cut off and taken up again.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The files that it leaves on its branch.
    pub files: Vec<String>,
    /// What each phase has come to.
    pub phases: Vec<String>,
    /// The commits on its branch.
    pub subjects: Vec<String>,
    /// Every decision about a phase, in order: no check, no review and no repair came in or fell out.
    pub decisions: Vec<String>,
}

impl End {
    /// What the newest run of a project has come to.
    pub(super) fn of(project: &Project) -> Self {
        let head = project.head();
        // The settings name the sandbox, which is another one each time.
        let mut files = lines(&project.sandbox.git(["ls-tree", "-r", &head]));
        files.retain(|line| !line.ends_with("\tautopilot.toml"));
        // Papers tell times and ids of commits, which are others each time; that they are there is the same.
        let papers = [
            "/EXECUTION-LOG.md",
            "/HANDOFF.md",
            "/TRACE.jsonl",
            "-trace.jsonl",
            "/TRIAGE.json",
            "/VERIFICATION.md",
        ];
        for line in &mut files {
            if let Some((_, path)) = line.split_once('\t')
                && papers.iter().any(|name| path.ends_with(name))
            {
                *line = path.to_owned();
            }
        }
        Self {
            files,
            phases: project.phase_states(),
            subjects: lines(&project.sandbox.git(["log", "--format=%s", &head])),
            decisions: project.facts().iter().filter_map(decision).collect(),
        }
    }
}

impl Project {
    /// Panics with the first difference unless the newest run has come to this end.
    #[track_caller]
    pub fn expect_end(&self, expected: &End) {
        let end = End::of(self);
        let rows = [
            (&end.phases, &expected.phases),
            (&end.decisions, &expected.decisions),
            (&end.files, &expected.files),
            (&end.subjects, &expected.subjects),
        ];
        for (got, wanted) in rows {
            let same = got.iter().zip(wanted).take_while(|(one, other)| one == other).count();
            let (got, wanted) = (got.get(same), wanted.get(same));
            assert_eq!(got, wanted, "the run has come to another end");
        }
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// A decision about a phase in a few words, without what differs from run to run.
fn decision(fact: &Value) -> Option<String> {
    let about = fact["phase"].as_object()?;
    let (kind, content) = about["fact"].as_object()?.iter().next()?;
    let word = match kind.as_str() {
        "entered" => name_of(content),
        "checked" => verdicts(content),
        "verified" => content["pass"].to_string(),
        "judged" => content["recommendation"].to_string(),
        "rated" => content["score"].to_string(),
        "sent-back" => content["to"].to_string(),
        _ => String::new(),
    };
    Some(format!("{} {kind} {word}", about["phase"]))
}

/// The name of a variant, with or without content.
fn name_of(variant: &Value) -> String {
    let name = variant.as_str().or_else(|| variant.as_object()?.keys().next().map(String::as_str));
    name.unwrap_or_default().to_owned()
}

fn verdicts(checked: &Value) -> String {
    let results = checked["results"].as_array().into_iter().flatten();
    results.map(|result| result["verdict"].to_string()).collect::<Vec<_>>().join(" ")
}

/// Panics unless the newest run's journal is whole, no step was paid for again once its outcome was recorded,
/// and every attempt has one end.
#[track_caller]
pub fn check_books(project: &Project) {
    project.run(&["audit"]).expect(0);
    let mut started: BTreeMap<String, usize> = BTreeMap::new();
    let mut ended: BTreeMap<String, usize> = BTreeMap::new();
    let mut done: BTreeMap<String, usize> = BTreeMap::new();
    for fact in project.facts() {
        let count = |book: &mut BTreeMap<String, usize>, key: &Value| {
            if !key.is_null() {
                *book.entry(key.to_string()).or_default() += 1;
            }
        };
        count(&mut started, &fact["started"]["key"]);
        count(&mut ended, &fact["ended"]["key"]);
        let key = &fact["ended"]["key"];
        // What is not paid for, like a check, may be done again after a repair.
        if fact["ended"]["end"] == "done" && started.contains_key(&key.to_string()) {
            count(&mut done, &key["step"]);
        }
    }
    for (key, times) in &started {
        assert_eq!((*times, ended.get(key)), (1, Some(&1)), "{key}");
    }
    assert!(done.values().all(|times| *times == 1), "{done:?}");
}

/// The ends of a step, in order, each as its name.
pub fn ended_as(facts: &[Value], step: &str) -> Vec<String> {
    let ends = facts.iter().filter(|fact| fact["ended"]["key"]["step"] == step);
    ends.map(|fact| {
        let end = &fact["ended"]["end"];
        let name = name_of(end);
        match end[&name]["class"].as_str() {
            Some(class) => format!("{name} {class}"),
            None => name,
        }
    })
    .collect()
}
