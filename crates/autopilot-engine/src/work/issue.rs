//! What only an issue needs: a look at what a commit holds, runs of its tests, and commits of a part of a work.

use std::collections::BTreeMap;

use autopilot_core::{
    effect::{Freeze, Paper},
    evidence::{mutate::is_code, protect::Class},
    id::{CommitId, Key},
    input::Outcome,
    issue::{
        IssueStep, LogSeen, SaveTask, Share, Survey, SurveyTask, Taken, Trial, TrialTask, carries,
        failing_tests,
    },
    rails::{check::AuditLog, fingerprint::fingerprint, population::failures},
    time::Timestamp,
};

use super::{
    Workshop,
    check::{Room, doubt, unready},
    frozen::Rules,
    tree::{commit_id, object, stamp},
};
use crate::{
    error::EngineError,
    git::{ObjectId, RepoPath, TreeChange},
    hash::sha256_hex,
    process::{Cancel, Ending},
};

/// A larger file of tests is not searched for names of criteria.
const TEST_BYTES_MAX: usize = 1 << 20;
/// How much of a document is read.
const DOCUMENT_BYTES_MAX: usize = 256 << 10;
/// How many changed files are named.
const CHANGED_MAX: usize = 1_000;
/// How much of a change is shown to a person.
const DIFF_BYTES_MAX: usize = 48_000;

impl Workshop {
    pub(super) fn survey(&self, task: &SurveyTask) -> Result<Outcome, EngineError> {
        let (commit, since) = (object(&task.commit)?, object(&task.since)?);
        let touched = self.project.tree_changes(&object(&task.tip)?, &commit)?;
        let touched = touched.iter().map(name).filter(|path| task.owned.contains(path)).collect();
        let judged = self.judged(&task.tip, &task.accepted, &task.commit)?;
        let tests = self.tests_between(&since, &judged)?;
        let changed = self.project.tree_changes(&since, &commit)?;
        let diff =
            if task.show { self.shown_change(&since, &commit, &changed)? } else { String::new() };
        Ok(Outcome::Surveyed(Box::new(Survey {
            anchor: self.anchor(&commit, &task.anchor)?,
            documents: self.documents(&commit, &task.documents)?,
            log: match &task.log {
                Some(path) => self.log_seen(&commit, path)?,
                None => LogSeen::default(),
            },
            touched,
            changed: changed.iter().map(name).take(CHANGED_MAX).collect(),
            tests_sha256: digest(&tests),
            tags: self.tags(&tests, &task.tags)?,
            tests: tests.iter().map(name).collect(),
            diff,
        })))
    }

    /// A work without edits of what it is judged by, as far as they do not count.
    fn judged(
        &self,
        judged_by: &CommitId,
        accepted: &[String],
        work: &CommitId,
    ) -> Result<ObjectId, EngineError> {
        let mut freeze = Freeze::as_it_is(judged_by.clone());
        freeze.accepted = accepted.to_vec();
        self.frozen().judged_tree(&freeze, work, Rules::OfTheWork)
    }

    /// New and changed files of tests, in the order of their names.
    fn tests_between(
        &self,
        since: &ObjectId,
        tree: &ObjectId,
    ) -> Result<Vec<TreeChange>, EngineError> {
        let protected = self.frozen().protected()?;
        let is_test = |change: &TreeChange| {
            let class = protected.class_of(&change.path);
            matches!(class, Some(Class::Test | Class::Named))
                && change.new.as_ref().is_some_and(|entry| entry.is_file())
        };
        let mut tests = self.project.tree_changes(since, tree)?;
        tests.retain(is_test);
        tests.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tests)
    }

    /// The fingerprint of files one after the other; a file that is missing or says nothing anchors nothing.
    fn anchor(&self, commit: &ObjectId, paths: &[String]) -> Result<Option<String>, EngineError> {
        let mut text = Vec::new();
        for path in paths {
            let found = self.project.read_file_at(commit, &RepoPath::new(path.as_bytes())?)?;
            match found.filter(|bytes| !bytes.trim_ascii().is_empty()) {
                Some(bytes) => text.extend(bytes),
                None => return Ok(None),
            }
        }
        Ok((!paths.is_empty()).then(|| fingerprint(&text)))
    }

    fn documents(
        &self,
        commit: &ObjectId,
        paths: &[String],
    ) -> Result<BTreeMap<String, String>, EngineError> {
        let mut documents = BTreeMap::new();
        for path in paths {
            if let Some(mut bytes) =
                self.project.read_file_at(commit, &RepoPath::new(path.as_bytes())?)?
            {
                bytes.truncate(DOCUMENT_BYTES_MAX);
                documents.insert(path.clone(), String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        Ok(documents)
    }

    fn log_seen(&self, commit: &ObjectId, path: &str) -> Result<LogSeen, EngineError> {
        let text = self.project.read_file_at(commit, &RepoPath::new(path.as_bytes())?)?;
        let text = text.unwrap_or_default();
        let log = AuditLog { path: path.as_bytes(), text: &text };
        let mut seen =
            LogSeen { lines: u64::try_from(log.lines()).unwrap_or(u64::MAX), ..LogSeen::default() };
        let steps = [IssueStep::Stories, IssueStep::Plan, IssueStep::Cause, IssueStep::Work];
        for step in steps.map(IssueStep::name) {
            match failures(&text, Some(step.as_bytes())) {
                Ok(found) => {
                    let text = |one: &&[u8]| String::from_utf8_lossy(one).into_owned();
                    seen.failures.insert(step.to_owned(), found.iter().map(text).collect());
                }
                Err(corrupt) => {
                    seen.corrupt = Some(format!(
                        "{} failed tries of {step} and {} fingerprints of them",
                        corrupt.rows, corrupt.fingerprints
                    ));
                }
            }
        }
        Ok(seen)
    }

    /// The files of tests that carry each name.
    fn tags(
        &self,
        tests: &[TreeChange],
        wanted: &[String],
    ) -> Result<BTreeMap<String, Vec<String>>, EngineError> {
        let mut tags: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for test in tests.iter().filter(|_| !wanted.is_empty()) {
            let Some(entry) = &test.new else { continue };
            let bytes = self.project.read_blob(&entry.id, TEST_BYTES_MAX)?.unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            for id in wanted.iter().filter(|id| carries(&text, id)) {
                tags.entry(id.clone()).or_default().push(name(test));
            }
        }
        Ok(tags)
    }

    /// How many files changed, and every hunk that there is room for.
    fn shown_change(
        &self,
        since: &ObjectId,
        commit: &ObjectId,
        changed: &[TreeChange],
    ) -> Result<String, EngineError> {
        if changed.is_empty() {
            return Ok(String::new());
        }
        let stat = self.project.diff_stat(since, commit)?;
        let diff = self.project.diff_text(since, commit, DIFF_BYTES_MAX)?;
        let cut = if diff.cut { "\n(the rest was left out)" } else { "" };
        Ok(format!(
            "# {} files changed, {} insertions, {} deletions\n{}{cut}",
            stat.files,
            stat.insertions,
            stat.deletions,
            String::from_utf8_lossy(&diff.bytes)
        ))
    }

    /// Runs checks in one clean checkout, as often as is asked for; what ran before is run again.
    pub(super) fn trial(
        &self,
        key: &Key,
        task: &TrialTask,
        cancel: &Cancel,
    ) -> Result<Outcome, EngineError> {
        let check = &task.check;
        let tree = self.frozen().judged_tree(&check.freeze, &check.commit, Rules::OfTheWork)?;
        let date = stamp(Timestamp::default());
        let commit = self.project.commit(&[], &tree, "to be checked", &date)?;
        let workspace = self.checkout(key, &commit_id(&commit))?;
        let room = Room { key, directory: &workspace.files() };
        let tried = self.tried_in(&room, task, cancel);
        let left = self.keep_checkout(key, workspace)?;
        let Some(mut trials) = tried? else { return Ok(Outcome::Interrupted) };
        if let Some(left) = left {
            let mut rewritten = self.frozen().rewritten(&tree, &left)?;
            // Tests may write into data of their own.
            rewritten.retain(|path| is_code(path, ""));
            for trial in &mut trials {
                doubt(std::slice::from_mut(&mut trial.result), &rewritten);
            }
        }
        Ok(Outcome::Tried(trials))
    }

    fn tried_in(
        &self,
        room: &Room<'_>,
        task: &TrialTask,
        cancel: &Cancel,
    ) -> Result<Option<Vec<Trial>>, EngineError> {
        let check = &task.check;
        if let Some(command) = &check.prepare {
            let time = std::time::Duration::from_millis(check.guard_ms_max);
            let ready = self.observe_command(command, room, time, cancel)?;
            match ready.ending {
                Ending::Exited(0) => {}
                Ending::Cancelled => return Ok(None),
                Ending::Exited(_) | Ending::Signalled(_) | Ending::TimedOut | Ending::Stalled => {
                    let checks: Vec<_> = check.checks.iter().collect();
                    let unready = unready(&checks, command, &ready).into_iter();
                    let trial = |result| Trial { result, failing: Vec::new() };
                    return Ok(Some(unready.map(trial).collect()));
                }
            }
        }
        let time = std::time::Duration::from_millis(check.criterion_ms_max);
        let mut trials = Vec::new();
        for _ in 0..task.runs.max(1) {
            for one in &check.checks {
                let Some((result, output)) = self.check_and_tell(one, room, time, cancel)? else {
                    return Ok(None);
                };
                trials.push(Trial { failing: failing_tests(&output), result });
            }
        }
        Ok(Some(trials))
    }

    /// Makes a commit of a part of a work, with files of the engine's own.
    pub(super) fn save(&self, key: &Key, task: &SaveTask) -> Result<Outcome, EngineError> {
        let parents = task.parents.iter().map(object).collect::<Result<Vec<_>, _>>()?;
        let first = parents
            .first()
            .ok_or_else(|| EngineError::Bug("a commit of an issue follows none".to_owned()))?;
        let before = self.project.tree_of(first)?;
        let taken = match &task.taken {
            Some(taken) => self.tree_taken(&before, taken)?,
            None => before.clone(),
        };
        let tree = self.with_papers(&taken, &task.papers)?;
        let tree = self.with_appended(first, &tree, &task.appended)?;
        if tree == before && parents.len() == 1 {
            // Nothing changed: a commit would only make noise.
            return Ok(Outcome::Committed(commit_id(first)));
        }
        let made = self.project.commit(&parents, &tree, &task.message, &stamp(task.date))?;
        self.hold(&format!("commits/{key}"), &made)?;
        Ok(Outcome::Committed(commit_id(&made)))
    }

    fn tree_taken(&self, before: &ObjectId, taken: &Taken) -> Result<ObjectId, EngineError> {
        let Taken { work, judged_by, accepted, share } = taken;
        let entry = |change: TreeChange| (change.path, change.new);
        match share {
            Share::Only(paths) => {
                let mut changes = self.project.tree_changes(before, &object(work)?)?;
                changes.retain(|change| {
                    paths.contains(&name(change))
                        && change.new.as_ref().is_some_and(|entry| entry.is_file())
                });
                let entries: Vec<_> = changes.into_iter().map(entry).collect();
                Ok(self.project.tree_with_entries(before, &entries)?)
            }
            Share::Tests => {
                let judged = self.judged(judged_by, accepted, work)?;
                let tests = self.tests_between(before, &judged)?;
                let entries: Vec<_> = tests.into_iter().map(entry).collect();
                Ok(self.project.tree_with_entries(before, &entries)?)
            }
            Share::AllBut(files) => {
                let judged = self.judged(judged_by, accepted, work)?;
                let mut changes = self.project.tree_changes(&judged, before)?;
                changes.retain(|change| files.contains(&name(change)));
                let entries: Vec<_> = changes.into_iter().map(entry).collect();
                Ok(self.project.tree_with_entries(&judged, &entries)?)
            }
        }
    }

    /// A tree with lines behind what a commit has in files of the engine's own.
    fn with_appended(
        &self,
        commit: &ObjectId,
        tree: &ObjectId,
        appended: &[Paper],
    ) -> Result<ObjectId, EngineError> {
        let mut files = Vec::new();
        for paper in appended {
            let path = RepoPath::new(paper.path.as_bytes())?;
            let mut text = self.project.read_file_at(commit, &path)?.unwrap_or_default();
            if text.last().is_some_and(|last| *last != b'\n') {
                // Two lines must not become one.
                text.push(b'\n');
            }
            text.extend(paper.text.bytes());
            files.push((path, text));
        }
        Ok(self.project.write_tree_with(tree, &files)?)
    }
}

fn name(change: &TreeChange) -> String {
    String::from_utf8_lossy(&change.path).into_owned()
}

/// What tests are, whatever they are called in words.
fn digest(tests: &[TreeChange]) -> Option<String> {
    let mut text = Vec::new();
    for test in tests {
        let Some(entry) = &test.new else { continue };
        text.extend_from_slice(&test.path);
        text.extend(format!("\0{} {}\n", entry.mode, entry.id).bytes());
    }
    (!text.is_empty()).then(|| sha256_hex(&text))
}
