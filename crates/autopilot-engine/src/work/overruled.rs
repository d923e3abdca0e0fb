//! Sees whether tests that were there went green only by something new in the way they run.

use autopilot_core::{
    effect::CheckTask,
    evidence::{Check, CheckResult, Verdict, may_run_tests, protect::named_files, runs_tests},
    id::{CommitId, Key},
};

use super::{
    Workshop,
    check::{Round, apart},
    was::AsItWas,
};
use crate::{error::EngineError, process::Cancel};

/// What a check says without what came with the work and decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Without {
    /// Nothing that was there is red.
    Fine,
    /// Tests that were there fail.
    Overruled,
    /// Something fails, and it may be that there is no test: a runner may count that as a failed one.
    Unclear,
}

/// What is doubted, and what is known of it.
struct Doubt<'a> {
    key: &'a Key,
    task: &'a CheckTask,
    was: &'a AsItWas,
    /// The commit against which something is new.
    base: &'a CommitId,
    /// What the checks said with everything.
    results: &'a [CheckResult],
}

impl Workshop {
    /// Runs what went green without new rules and new tests: what was there must not fail then. Gives the results of
    /// those checks that do.
    ///
    /// What is new in the whole run is taken away too where earlier phases have brought rules: one of them may wait for
    /// this phase.
    pub(super) fn overruled(
        &self,
        key: &Key,
        task: &CheckTask,
        results: &[CheckResult],
        cancel: &Cancel,
    ) -> Result<Option<Vec<CheckResult>>, EngineError> {
        let mut green: Vec<&Check> = task.checks.iter().collect();
        green.retain(|check| is_green_test(check, results));
        if green.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let named: Vec<String> = green
            .iter()
            .filter_map(|check| check.criterion.command.as_deref())
            .flat_map(named_files)
            .collect();
        let was = self.frozen().by_what_was_there(&task.freeze, &task.commit, &named)?;
        let rulers = was.as_ref().map(|was| was.rulers.clone()).unwrap_or_default();
        let mut worse = Vec::new();
        if let Some(was) = was {
            let mut green = green.clone();
            green.retain(|check| !task.held.contains(&check.name));
            // New tests alone change nothing for those that were green; of the others they may be the reason. Of a
            // script nobody knows whether it needs one: only rules are taken away from it.
            green.retain(|check| {
                let was_red = task.red.contains(&check.name) && runs_tests(&check.criterion);
                !was.rulers.is_empty() || was_red
            });
            let doubt = Doubt { key, task, was: &was, base: &task.freeze.base, results };
            let Some(found) = self.without_what_is_new(&doubt, green, cancel)? else {
                return Ok(None);
            };
            worse = found;
        }
        let Some(freeze) = task.freeze.of_the_run() else { return Ok(Some(worse)) };
        let Some(was) = self.frozen().by_what_was_there(&freeze, &task.commit, &named)? else {
            return Ok(Some(worse));
        };
        if was.rulers.iter().any(|path| !rulers.contains(path)) {
            green.retain(|check| worse.iter().all(|result| result.name != check.name));
            let key = apart(key, "run");
            let doubt = Doubt { key: &key, task, was: &was, base: &freeze.base, results };
            let Some(found) = self.without_what_is_new(&doubt, green, cancel)? else {
                return Ok(None);
            };
            worse.extend(found);
        }
        Ok(Some(worse))
    }

    /// Runs checks without what is new, and gives the results of those that fail by it.
    fn without_what_is_new(
        &self,
        doubt: &Doubt<'_>,
        mut green: Vec<&Check>,
        cancel: &Cancel,
    ) -> Result<Option<Vec<CheckResult>>, EngineError> {
        let Doubt { key, task, was, results, .. } = doubt;
        green.retain(|check| !was.has_only_new(check.criterion.command.as_deref()));
        if green.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let round = Round { task, tree: &was.tree, checks: green.clone() };
        let Some(there) = self.check_tree(&apart(key, "as-it-was"), &round, cancel)? else {
            return Ok(None);
        };
        let (mut worse, mut unclear) = (Vec::new(), Vec::new());
        for result in there {
            match without(&result, results, was) {
                Without::Fine => {}
                Without::Overruled => worse.push(result),
                Without::Unclear => unclear.push(result),
            }
        }
        green.retain(|check| unclear.iter().any(|result| result.name == check.name));
        let Some(clear) = self.missing(doubt, &green, cancel)? else {
            return Ok(None);
        };
        unclear.retain(|result| !clear.contains(&result.name));
        worse.extend(unclear);
        for result in &mut worse {
            result.verdict = Verdict::Failed(said(result, was));
        }
        Ok(Some(worse))
    }

    /// The names of the checks that fail without what is new because all of their tests are.
    fn missing(
        &self,
        doubt: &Doubt<'_>,
        checks: &[&Check],
        cancel: &Cancel,
    ) -> Result<Option<Vec<String>>, EngineError> {
        let Doubt { key, task, was, base, results } = doubt;
        if checks.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let all = || checks.iter().map(|check| check.name.clone()).collect();
        let frozen = self.frozen();
        let there = frozen.what_was_there(base)?;
        let overrules_nothing = there.tests.is_empty() && was.rulers.is_empty();
        let first_entry = was.brings_entry_point && !there.has_entry_point;
        if overrules_nothing || first_entry {
            return Ok(Some(all()));
        }
        let is_counted =
            |check: &&Check| of(check, results).is_some_and(|with| with.counts.is_some());
        let (counted, others): (Vec<&Check>, Vec<&Check>) =
            checks.iter().copied().partition(is_counted);
        // Where nobody can count, what says what is run must have named one of the new tests.
        let asked_for = there.asks_for(&was.tests);
        let is_clear = |check: &&&Check| {
            asked_for || (there.tests.is_empty() && !runs_tests(&check.criterion))
        };
        let mut clear: Vec<String> =
            others.iter().filter(is_clear).map(|check| check.name.clone()).collect();
        // With nothing but the new tests as many ran as with all of them: then no other one ever did.
        let tree = frozen.without_old_tests(&task.freeze, &task.commit, &there)?;
        let round = Round { task, tree: &tree, checks: counted };
        let Some(alone) = self.check_tree(&apart(key, "only-new"), &round, cancel)? else {
            return Ok(None);
        };
        let ran_all = |alone: &&CheckResult| {
            let with = results.iter().find(|with| with.name == alone.name);
            let (Some(with), Some(alone)) = (with.and_then(|with| with.counts), alone.counts)
            else {
                return false;
            };
            alone.executed() >= with.executed() && (!with.at_least || was.rulers.is_empty())
        };
        clear.extend(alone.iter().filter(ran_all).map(|alone| alone.name.clone()));
        Ok(Some(clear))
    }
}

/// Whether a check runs tests, or may do so behind a script, and passed.
fn is_green_test(check: &Check, results: &[CheckResult]) -> bool {
    may_run_tests(&check.criterion)
        && of(check, results).is_some_and(|result| result.verdict.is_passed())
}

fn of<'a>(check: &Check, results: &'a [CheckResult]) -> Option<&'a CheckResult> {
    results.iter().find(|result| result.name == check.name)
}

/// What follows from a result without what is new, beside the one with it.
fn without(result: &CheckResult, results: &[CheckResult], was: &AsItWas) -> Without {
    if !matches!(result.verdict, Verdict::Failed(_)) {
        return Without::Fine;
    }
    let with = results.iter().find(|with| with.name == result.name).and_then(|with| with.counts);
    if was.is_only_added_to() {
        // Where nothing but the added tests was asked for there is none without them.
        let failed = result.counts.is_some_and(|counts| counts.failed > 0);
        return if failed { Without::Overruled } else { Without::Fine };
    }
    let (Some(without), Some(with)) = (result.counts, with) else {
        return Without::Unclear;
    };
    let ran = without.passed > 0 || without.executed() < with.executed();
    match (without.failed > 0, ran || !was.rulers.is_empty()) {
        (true, true) => Without::Overruled,
        // Go counts no test of what it could not build.
        (false, _) if !was.rulers.is_empty() && could_not_build(&result.output) => Without::Unclear,
        // What was there passes, and only a file without tests is complained about.
        (false, _) if without.passed > 0 => Without::Fine,
        (true | false, _) => Without::Unclear,
    }
}

fn could_not_build(output: &str) -> bool {
    ["[build failed]", "[setup failed]"].iter().any(|said| output.contains(said))
}

fn said(result: &CheckResult, was: &AsItWas) -> String {
    let who = match result.counts.map_or(0, |counts| counts.failed) {
        0 => "tests that were there cannot run".to_owned(),
        failed => format!("{failed} of the tests that were there fail"),
    };
    format!("{who} without {}, which came with the work and changes how they run", was.named())
}
