//! Files on a real disk, from facts that are made up.

use std::{collections::BTreeMap, fs, os::unix::fs::symlink, path::Path};

use autopilot_core::{
    budget::Limits,
    evidence::protect::Protection,
    fact::Fact,
    id::{AgentName, CommitId},
    measure::Measure,
    phases::{Close, PASS_SCORE_DEFAULT, PhaseFact, PhaseSpec},
    policy::FailureCategory,
    report::{RunMetrics, StateFile},
    run::{Submission, WorkSpec},
    time::Timestamp,
};
use serde_json::Value;

use super::*;
use crate::{book::Book, drive::Log};

/// A run with a journal in a directory of its own.
struct Ground {
    directory: tempfile::TempDir,
    home: Home,
}

impl Ground {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let home = Home::within(&directory.path().join("project"), &directory.path().join("state"));
        Self { directory, home }
    }

    /// Records a run whose only phase fails, or the first of these records.
    fn record(&self, run: &RunId, records: usize) -> Run {
        let mut taken = Book::open(&self.home.journal(run), "a test").expect("a journal");
        taken.book.append(&facts(run)[..records]).expect("written");
        taken.book.close().expect("closed");
        Book::read(&self.home.journal(run)).expect("readable").expect("a run")
    }

    fn read(&self, name: &str) -> String {
        let path = self.home.root.join(".autopilot").join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn state(&self) -> StateFile {
        serde_json::from_str(&self.read("state.json")).expect("it is a state")
    }
}

fn facts(run: &RunId) -> Vec<Record> {
    let id: PhaseId = "1".parse().expect("an id");
    let of_phase = |fact| Fact::Phase { phase: id, fact };
    let category = FailureCategory::LintFailure;
    let facts = [
        Fact::Submitted(Box::new(submission(run, id))),
        of_phase(PhaseFact::Began { base: CommitId::new("base") }),
        of_phase(PhaseFact::Learned { category, rule: "Run the linter.".to_owned() }),
        of_phase(PhaseFact::Closed(Close::Failed { why: "it is red".to_owned(), branch: None })),
        Fact::Finished(Ending::Incomplete),
    ];
    let at = |at: i64| Timestamp::from_ms(1_700_000_000_000 + at * 1_000);
    facts.into_iter().zip(0..).map(|(fact, time)| Record::new(at(time), fact)).collect()
}

fn submission(run: &RunId, id: PhaseId) -> Submission {
    Submission {
        run: run.clone(),
        base: CommitId::new("base"),
        roadmap: "ROADMAP.md".to_owned(),
        spec_sha256: String::new(),
        requirements: None,
        ui: None,
        spec_committed: true,
        limits: Limits::default(),
        pass_score: PASS_SCORE_DEFAULT,
        agents: BTreeMap::new(),
        default_agent: AgentName::new("nobody"),
        prepare: None,
        protection: Protection::default(),
        guards: Vec::new(),
        counts: BTreeMap::new(),
        manner: autopilot_core::phases::Manner::default(),
        measure: Measure::default(),
        visual: None,
        work: WorkSpec::Phases(vec![PhaseSpec {
            id,
            name: "One".to_owned(),
            goal: String::new(),
            criteria: Vec::new(),
            requirements: Vec::new(),
            depends_on: Vec::new(),
            directory: "one".to_owned(),
            start: autopilot_core::phases::Start::New,
            earlier_scores: Vec::new(),
            refused: Vec::new(),
            estimated_tokens: None,
        }]),
        complete_before: Some(Vec::new()),
        known: BTreeMap::new(),
    }
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("it can be listed");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("readable").file_name();
    let mut names: Vec<String> =
        entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn c36_whatever_is_lost_is_made_again_from_the_journal_byte_for_byte() {
    let ground = Ground::new();
    let run = RunId::new("run-1");
    let state = ground.record(&run, 5);
    assert!(Scribe::take_up(&ground.home, &run).stand(&state).is_none());
    let files = ["state.json", "learnings.md", "diagnostics/phase-1-postmortem.json"];
    let ends = ["archive/run-1.json", "archive/metrics.json", "completion-report.md"];
    let all: Vec<&str> =
        files.into_iter().chain(ends).chain(["completion-2023-11-14.md"]).collect();
    let before: Vec<String> = all.iter().map(|name| ground.read(name)).collect();
    for name in &all {
        fs::remove_file(ground.home.root.join(".autopilot").join(name)).expect("it is there");
    }
    assert!(Scribe::take_up(&ground.home, &run).stand(&state).is_none());
    let after: Vec<String> = all.iter().map(|name| ground.read(name)).collect();
    assert_eq!(after, before);
    let left = names_in(&ground.home.root.join(".autopilot"));
    assert!(left.iter().all(|name| !name.ends_with(".tmp")), "{left:?}");
}

#[test]
fn c36_the_state_before_the_last_one_is_kept() {
    let ground = Ground::new();
    let run = RunId::new("run-1");
    let mut later = ground.record(&run, 1);
    let mut scribe = Scribe::take_up(&ground.home, &run);
    let first = ground.read("state.json");
    for record in &facts(&run)[1..] {
        later.apply(record);
        scribe.heard(&later, std::slice::from_ref(record));
    }
    assert_eq!(ground.read("state.json"), first, "it is not written more than once in a second");
    assert!(scribe.stand(&later).is_none());
    assert_eq!(ground.read("state.json.backup"), first);
    assert_eq!(ground.state().meta.total_phases_processed, 1);
}

#[test]
fn c33_a_failed_phase_leaves_both_files_at_once() {
    let ground = Ground::new();
    let run = RunId::new("run-1");
    let mut state = ground.record(&run, 1);
    let mut scribe = Scribe::take_up(&ground.home, &run);
    for record in &facts(&run)[1..4] {
        state.apply(record);
        scribe.heard(&state, std::slice::from_ref(record));
    }
    let why: Value = serde_json::from_str(&ground.read("diagnostics/phase-1-postmortem.json"))
        .expect("it is JSON");
    assert_eq!(why["root_cause"]["category"], "lint_failure");
    assert_eq!(why["prevention_rule"], "Run the linter.");
    assert!(ground.read("learnings.md").contains("**Prevention rule:** Run the linter.\n"));
}

#[test]
fn c34_learnings_of_an_earlier_run_go_to_the_archive() {
    let ground = Ground::new();
    let (first, second) = (RunId::new("run-1"), RunId::new("run-2"));
    let state = ground.record(&first, 5);
    assert!(Scribe::take_up(&ground.home, &first).stand(&state).is_none());
    let learned = ground.read("learnings.md");
    let state = ground.record(&second, 1);
    assert!(Scribe::take_up(&ground.home, &second).stand(&state).is_none());
    assert!(!ground.home.learnings().exists());
    assert_eq!(ground.read("archive/learnings-run-1.md"), learned);
}

#[test]
fn c40_a_run_stands_once_in_the_numbers_of_all_runs_and_what_is_not_known_there_stays() {
    let ground = Ground::new();
    let archive = ground.home.archive();
    fs::create_dir_all(&archive).expect("made");
    fs::write(archive.join("metrics.json"), r#"[{"run_id":"run-0","more":1}]"#).expect("written");
    let run = RunId::new("run-1");
    let state = ground.record(&run, 5);
    for _ in 0..2 {
        assert!(Scribe::take_up(&ground.home, &run).stand(&state).is_none());
    }
    let all: Vec<Value> = serde_json::from_str(&ground.read("archive/metrics.json")).expect("JSON");
    assert_eq!(all.len(), 2);
    assert_eq!(all[0]["more"], 1);
    let own: RunMetrics = serde_json::from_value(all[1].clone()).expect("metrics");
    assert_eq!((own.phases_failed, own.run_id.as_str()), (1, "run-1"));
    fs::write(archive.join("metrics.json"), "[{").expect("written");
    assert!(Scribe::take_up(&ground.home, &run).stand(&state).is_none());
    assert_eq!(ground.read("archive/metrics-before-run-1.json"), "[{");
    assert!(ground.read("archive/metrics.json").contains("run-1"));
}

#[test]
fn no_file_is_written_or_read_through_a_link() {
    let ground = Ground::new();
    let run = RunId::new("run-1");
    let state = ground.record(&run, 5);
    let private = ground.directory.path().join("private");
    let mine = "# Learnings (current run)\n<!-- run-1 -->\nmine\n";
    fs::write(&private, mine).expect("written");
    let below = ground.home.root.join(".autopilot");
    let names = ["state.json", "state.json.backup", "state.json.tmp", "learnings.md"];
    for name in names.into_iter().chain(["completion-report.md", "learnings.md.tmp"]) {
        symlink(&private, below.join(name)).expect("linked");
    }
    assert!(Scribe::take_up(&ground.home, &run).stand(&state).is_none());
    assert_eq!(fs::read_to_string(&private).expect("readable"), mine);
    assert!(!ground.read("learnings.md").contains("mine"));
    assert_eq!(ground.state().meta.run_id, "run-1");
}

#[test]
fn what_cannot_be_written_is_told_and_ends_nothing() {
    let ground = Ground::new();
    let run = RunId::new("run-1");
    let state = ground.record(&run, 5);
    fs::create_dir_all(ground.home.root.join(".autopilot/state.json.tmp/x")).expect("made");
    let failure = Scribe::take_up(&ground.home, &run).stand(&state).expect("it is told");
    assert_eq!(
        failure.to_string(),
        format!("cannot write `{}`", ground.home.state_file().display())
    );
    assert!(ground.read("completion-report.md").contains("run-1"), "the others are written");
}
