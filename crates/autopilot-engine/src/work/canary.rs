//! Breaks the work in copies of it, to see whether checks that hold on it go red.

use std::collections::BTreeSet;

use autopilot_core::{
    effect::CanaryTask,
    evidence::{
        Aim, Bite, Canary, Check, CheckResult, Source, Stake, Verdict, aimed, is_not_loaded,
        may_go_uncounted, may_run_tests, mutate::is_code, runs_tests,
    },
    id::Key,
    input::{Outcome, Seed},
    time::Timestamp,
};

use super::{
    Workshop,
    change::Change,
    check::{Round, apart},
    frozen::Rules,
    tree::{commit_id, object, stamp},
};
use crate::{
    error::EngineError,
    git::{ObjectId, TreeChange, TreeEntry},
    process::Cancel,
};

/// How many sources are read in search of what tests may be about.
const SOURCES_MAX: usize = 200;

/// A check that has not gone red yet.
struct Open<'a> {
    check: &'a Check,
    tried: Vec<String>,
    /// What was seen with the work put back, where that alone does not say that the check looks at the work.
    reverted: Option<String>,
}

impl<'a> Open<'a> {
    fn new(check: &'a Check) -> Self {
        Self { check, tried: Vec::new(), reverted: None }
    }

    /// Whether a result shows that the check noticed a mutation: code that cannot be built any more shows nothing.
    fn is_caught_by(&self, result: &CheckResult) -> bool {
        let is_red = self.check.name == result.name && !result.verdict.is_passed();
        let criterion = &self.check.criterion;
        let uncounted = may_go_uncounted(criterion) && result.counts.is_none();
        is_red && (!runs_tests(criterion) || uncounted || failed(result))
    }
}

/// Files that may be broken, with their entries.
#[derive(Default)]
struct Sources {
    work: Vec<(Source, TreeEntry)>,
    /// What was there, where tests may be about that.
    others: Vec<(Source, TreeEntry)>,
}

/// What is broken, and how far that has come.
struct Trial<'a> {
    key: &'a Key,
    task: &'a CanaryTask,
    /// The work as it is judged.
    tree: &'a ObjectId,
    change: &'a Change,
    open: Vec<Open<'a>>,
    done: Vec<Canary>,
    /// How many ways to break the work are left to try.
    breaks_left: usize,
}

impl Workshop {
    pub(super) fn canary(
        &self,
        key: &Key,
        task: &CanaryTask,
        cancel: &Cancel,
    ) -> Result<Outcome, EngineError> {
        let tree =
            self.frozen().judged_tree(&task.check.freeze, &task.check.commit, Rules::OfTheWork)?;
        let change = self.change(task, &tree)?;
        let mut trial = Trial::new(key, task, &tree, &change);
        trial.open.extend(task.check.checks.iter().map(Open::new));
        if !(self.leave_out_new_tests(&mut trial, cancel)?
            && self.put_back(&mut trial, cancel)?
            && self.mutate(&mut trial, cancel)?)
        {
            return Ok(Outcome::Interrupted);
        }
        Ok(Outcome::Canaries(trial.end()))
    }

    /// Closes the checks that were red for the want of the work, whoever tests it; says whether it came to its end.
    ///
    /// A script may run whatever lies in a directory, and nobody can count that. Where it is red without the tests that
    /// came with the work, it is they that judge.
    fn leave_out_new_tests(
        &self,
        trial: &mut Trial<'_>,
        cancel: &Cancel,
    ) -> Result<bool, EngineError> {
        let change = trial.change;
        let open = std::mem::take(&mut trial.open);
        let (by_itself, others): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|open| change.is_judged_by_itself(open.check));
        let (doubtful, clear): (Vec<_>, Vec<_>) = others
            .into_iter()
            .partition(|open| may_run_tests(&open.check.criterion) && !change.new_tests.is_empty());
        trial.done.extend(clear.iter().map(|open| canary(open.check, Bite::Base)));
        trial.open = doubtful;
        if !trial.open.is_empty() {
            let tests = &change.new_tests;
            let Some(results) = self.without(trial, tests, "without-tests", cancel)? else {
                return Ok(false);
            };
            for result in &results {
                trial.settle(result, |_| result.verdict.is_passed().then_some(Bite::Base));
            }
        }
        trial.open.extend(by_itself);
        Ok(true)
    }

    /// Runs the open checks with the work put back and the tests in place; says whether it came to its end.
    fn put_back(&self, trial: &mut Trial<'_>, cancel: &Cancel) -> Result<bool, EngineError> {
        let change = trial.change;
        let Some(results) = self.without(trial, &change.work, "put-back", cancel)? else {
            return Ok(false);
        };
        for result in &results {
            let seen = result.seen().to_owned();
            trial.settle(result, |open| {
                if result.verdict.is_passed() {
                    let tried = "every changed file put back that is no test".to_owned();
                    if change.stake >= Stake::Data {
                        return Some(Bite::Green { tried: vec![tried] });
                    }
                    open.tried.push(tried);
                    return None;
                }
                let may_want_tests = change.has_tests && runs_tests(&open.check.criterion);
                match change.stake {
                    // The tests went with it, and that is all that is seen.
                    Stake::Nothing if may_want_tests => None,
                    // Tests of something that is missing are red whatever they look at.
                    Stake::Words | Stake::Data | Stake::Code if may_want_tests => {
                        open.reverted = Some(seen);
                        None
                    }
                    _ => Some(Bite::Reverted(seen)),
                }
            });
        }
        if trial.open.is_empty() || change.lost.len() == change.work.len() {
            return Ok(true);
        }
        self.bring_back(trial, cancel)
    }

    /// Runs the open checks with what is gone brought back and nothing missing: what fails then looks at the work.
    fn bring_back(&self, trial: &mut Trial<'_>, cancel: &Cancel) -> Result<bool, EngineError> {
        let change = trial.change;
        if change.lost.is_empty() || trial.breaks_left == 0 {
            return Ok(true);
        }
        trial.breaks_left -= 1;
        let Some(results) = self.without(trial, &change.lost, "brought-back", cancel)? else {
            return Ok(false);
        };
        for result in &results {
            let seen = result.seen().to_owned();
            trial.settle(result, |open| open.is_caught_by(result).then_some(Bite::Reverted(seen)));
        }
        Ok(true)
    }

    /// Runs the open checks with some of the changed files as they were; nothing where it was interrupted.
    fn without(
        &self,
        trial: &Trial<'_>,
        files: &[TreeChange],
        place: &str,
        cancel: &Cancel,
    ) -> Result<Option<Vec<CheckResult>>, EngineError> {
        if files.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let entries: Vec<_> =
            files.iter().map(|file| (file.path.clone(), file.old.clone())).collect();
        let tree = self.project.tree_with_entries(trial.tree, &entries)?;
        self.check_broken(trial, &tree, place, cancel)
    }

    /// Runs the open checks with one small mutation after another; says whether it came to its end.
    fn mutate(&self, trial: &mut Trial<'_>, cancel: &Cancel) -> Result<bool, EngineError> {
        if trial.open.is_empty() {
            return Ok(true);
        }
        let sources = self.sources(trial)?;
        for (at, aim) in self.aims(trial, &sources)?.into_iter().enumerate() {
            if trial.open.is_empty() {
                break;
            }
            let Some(broken) = self.broken(trial.tree, &sources, &aim)? else { continue };
            let place = format!("broken-{}", at + 1);
            let Some(results) = self.check_broken(trial, &broken, &place, cancel)? else {
                return Ok(false);
            };
            for result in &results {
                trial.settle(result, |open| {
                    if result.verdict.is_passed() {
                        open.tried.push(aim.what());
                        return None;
                    }
                    let seen = result.seen().to_owned();
                    open.is_caught_by(result).then(|| Bite::Mutant { what: aim.what(), seen })
                });
            }
        }
        Ok(true)
    }

    /// Breaks the work so that a check goes red, for someone who judges to see; nothing where no mutation does that.
    pub(super) fn seed(
        &self,
        key: &Key,
        task: &CanaryTask,
        cancel: &Cancel,
    ) -> Result<Outcome, EngineError> {
        let tree =
            self.frozen().judged_tree(&task.check.freeze, &task.check.commit, Rules::OfTheWork)?;
        let change = self.change(task, &tree)?;
        let mut trial = Trial::new(key, task, &tree, &change);
        trial.open.extend(task.check.checks.iter().map(Open::new));
        let is_code = change.stake == Stake::Code;
        let sources = if is_code { self.sources(&trial)? } else { Sources::default() };
        for (at, aim) in self.aims(&trial, &sources)?.into_iter().enumerate() {
            let Some(broken) = self.broken(&tree, &sources, &aim)? else { continue };
            let place = format!("broken-{}", at + 1);
            let Some(results) = self.check_broken(&trial, &broken, &place, cancel)? else {
                return Ok(Outcome::Interrupted);
            };
            let caught = |open: &Open<'_>| results.iter().any(|result| open.is_caught_by(result));
            if trial.open.iter().any(caught) {
                let work = self.project.tree_of(&object(&task.check.commit)?)?;
                let Some(tree) = self.broken(&work, &sources, &aim)? else { continue };
                let date = stamp(Timestamp::default());
                let commit = self.project.commit(&[], &tree, "work to be judged", &date)?;
                self.hold(&format!("commits/{key}"), &commit)?;
                let seed = Seed { commit: commit_id(&commit), what: aim.what() };
                return Ok(Outcome::Seeded(Some(seed)));
            }
        }
        Ok(Outcome::Seeded(None))
    }

    fn check_broken(
        &self,
        trial: &Trial<'_>,
        tree: &ObjectId,
        place: &str,
        cancel: &Cancel,
    ) -> Result<Option<Vec<CheckResult>>, EngineError> {
        let checks = trial.open.iter().map(|open| open.check).collect();
        let round = Round { task: &trial.task.check, tree, checks };
        self.check_tree(&apart(trial.key, place), &round, cancel)
    }

    /// What may be broken: the work, and, where tests may be about something else, that.
    fn sources(&self, trial: &Trial<'_>) -> Result<Sources, EngineError> {
        let Trial { tree, change, .. } = trial;
        let mut sources = Sources::default();
        if change.stake >= Stake::Words {
            for file in change.work.iter().take(SOURCES_MAX) {
                sources.work.extend(self.source(file)?);
            }
        }
        if change.stake <= Stake::Words {
            for file in self.others(tree, change)?.iter().take(SOURCES_MAX) {
                sources.others.extend(self.source(file)?);
            }
        }
        Ok(sources)
    }

    fn aims(&self, trial: &Trial<'_>, sources: &Sources) -> Result<Vec<Aim>, EngineError> {
        let mut tests = Vec::new();
        for entry in trial.change.judges.iter().filter_map(|file| file.new.as_ref()) {
            tests.extend(self.frozen().text(entry)?);
        }
        let plain = |files: &[(Source, TreeEntry)]| -> Vec<Source> {
            files.iter().map(|(source, _)| source.clone()).collect()
        };
        let max = trial.breaks_left;
        let work_max = if sources.others.is_empty() { max } else { max.div_ceil(2) };
        let mut aims = aimed(&plain(&sources.work), &tests, work_max);
        aims.extend(aimed(&plain(&sources.others), &tests, max - aims.len()));
        Ok(aims)
    }

    /// The work with one mutation in it.
    fn broken(
        &self,
        tree: &ObjectId,
        sources: &Sources,
        aim: &Aim,
    ) -> Result<Option<ObjectId>, EngineError> {
        let mut entries = Vec::new();
        for one in &aim.breaks {
            let mut all = sources.work.iter().chain(&sources.others);
            let Some((source, entry)) = all.find(|(source, _)| source.path == one.path) else {
                return Ok(None);
            };
            let id = self.project.write_blob(one.mutant.apply(&source.now).into_bytes())?;
            let entry = TreeEntry { mode: entry.mode.clone(), id };
            entries.push((one.path.clone().into_bytes(), Some(entry)));
        }
        Ok(Some(self.project.tree_with_entries(tree, &entries)?))
    }

    /// The files that tests may be about, where nothing but tests is new.
    fn others(&self, tree: &ObjectId, change: &Change) -> Result<Vec<TreeChange>, EngineError> {
        let protected = self.frozen().protected()?;
        let judges: BTreeSet<&[u8]> =
            change.judges.iter().map(|file| file.path.as_slice()).collect();
        let mut files = self.project.tree_files(tree)?;
        files.retain(|file| {
            let is_source = std::str::from_utf8(&file.path).is_ok_and(|path| is_code(path, ""));
            is_source
                && protected.class_of(&file.path).is_none()
                && !judges.contains(file.path.as_slice())
        });
        // They are not new, so that every line of them may be broken.
        Ok(files.into_iter().map(|file| TreeChange { old: file.new.clone(), ..file }).collect())
    }
}

impl<'a> Trial<'a> {
    fn new(key: &'a Key, task: &'a CanaryTask, tree: &'a ObjectId, change: &'a Change) -> Self {
        let breaks_left = usize::try_from(task.breaks_max).unwrap_or(usize::MAX);
        Self { key, task, tree, change, open: Vec::new(), done: Vec::new(), breaks_left }
    }

    /// Closes a check where something follows from its result.
    fn settle(
        &mut self,
        result: &CheckResult,
        follows: impl FnOnce(&mut Open<'a>) -> Option<Bite>,
    ) {
        let at = self.open.iter().position(|open| open.check.name == result.name);
        if let Some(at) = at
            && let Some(bite) = follows(&mut self.open[at])
        {
            let open = self.open.remove(at);
            self.done.push(canary(open.check, bite));
        }
    }

    /// What is left to say of the checks that never went red.
    fn end(mut self) -> Vec<Canary> {
        for open in self.open {
            let bite = match (open.tried.is_empty(), open.reverted) {
                (false, _) => Bite::Green { tried: open.tried },
                (true, Some(seen)) => Bite::Reverted(seen),
                (true, None) => Bite::Untried("there is no code that could be broken".to_owned()),
            };
            self.done.push(canary(open.check, bite));
        }
        self.done
    }
}

/// Whether tests ran and failed, or the command came to no end.
fn failed(result: &CheckResult) -> bool {
    let endless = result.exit_code.is_none() && matches!(result.verdict, Verdict::Failed(_));
    let ran = result.counts.is_some_and(|counts| counts.failed > 0);
    (ran && !is_not_loaded(&result.output)) || endless
}

fn canary(check: &Check, bite: Bite) -> Canary {
    let command = check.criterion.command.clone().unwrap_or_default();
    Canary { check: check.name.clone(), command, bite }
}
