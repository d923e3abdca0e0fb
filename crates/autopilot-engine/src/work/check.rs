//! Runs verification commands: the engine looks for itself.

use std::{path::Path, time::Duration};

use autopilot_core::{
    effect::CheckTask,
    evidence::{
        Check, CheckKind, CheckResult, Judged, OUTPUT_CHARS_MAX, Observed, Verdict, argv,
        asked_to_go_on, asked_to_name_tests, counts::names, judge_check, mutate::is_code,
        protect::named_files,
    },
    id::{Key, Step},
    input::Outcome,
    time::Timestamp,
};

use super::{
    Workshop,
    compiled::forget_compiled,
    confined::Who,
    frozen::Rules,
    shown::renamed,
    tree::{commit_id, object, stamp},
};
use crate::{
    error::EngineError,
    git::ObjectId,
    hash::sha256_hex,
    process::{Cancel, Ending, Environment, Finished, Launch, Limits, environment, start},
};

/// How much of the beginning and of the end of a command's output is looked at.
const OUTPUT_HEAD_BYTES_MAX: usize = 64 << 10;
const OUTPUT_TAIL_BYTES_MAX: usize = 448 << 10;
/// Between the request to end and the kill of a command that took too long.
const GRACE: Duration = Duration::from_millis(200);

/// Where commands run, and for whom.
struct Room<'a> {
    key: &'a Key,
    directory: &'a Path,
}

/// Checks that run on the same files.
pub(super) struct Round<'a> {
    pub(super) task: &'a CheckTask,
    pub(super) tree: &'a ObjectId,
    pub(super) checks: Vec<&'a Check>,
}

impl Workshop {
    /// Runs checks in clean checkouts: what an agent left untracked or ignored is not part of its work, and the files
    /// that decide are as they were.
    ///
    /// What held on the base must hold by its rules and by those of the work, which the next phase is judged by.
    pub(super) fn check(
        &self,
        key: &Key,
        task: &CheckTask,
        cancel: &Cancel,
    ) -> Result<Outcome, EngineError> {
        let work = self.frozen().judged_tree(&task.freeze, &task.commit, Rules::OfTheWork)?;
        let all: Vec<&Check> = task.checks.iter().collect();
        let Some(mut results) =
            self.check_tree(key, &Round { task, tree: &work, checks: all.clone() }, cancel)?
        else {
            return Ok(Outcome::Interrupted);
        };
        let held: Vec<&Check> =
            all.into_iter().filter(|check| task.held.contains(&check.name)).collect();
        let Some(mut worse) = self.overruled(key, task, &results, cancel)? else {
            return Ok(Outcome::Interrupted);
        };
        let base = self.by_rules_of_the_base(task, &held)?;
        if !held.is_empty() && base != work {
            let by_base = Round { task, tree: &base, checks: held };
            let Some(by_base) = self.check_tree(&apart(key, "by-base"), &by_base, cancel)? else {
                return Ok(Outcome::Interrupted);
            };
            worse.extend(by_base.into_iter().filter(|result| !result.verdict.is_passed()));
        }
        for worse in worse {
            results.retain(|result| result.name != worse.name);
            results.push(worse);
        }
        Ok(Outcome::Checked(results))
    }

    /// The tree by which it is seen whether what held still does: with the rules of the base, and without new tests where
    /// new rules are taken away, since those may need them.
    fn by_rules_of_the_base(
        &self,
        task: &CheckTask,
        held: &[&Check],
    ) -> Result<ObjectId, EngineError> {
        let commands = held.iter().filter_map(|check| check.criterion.command.as_deref());
        let named: Vec<String> = commands.flat_map(named_files).collect();
        let was = self.frozen().by_what_was_there(&task.freeze, &task.commit, &named)?;
        match was.filter(|was| !was.rulers.is_empty()) {
            Some(was) => Ok(was.tree),
            None => self.frozen().judged_tree(&task.freeze, &task.commit, Rules::OfTheBase),
        }
    }

    /// Runs checks in a checkout of a tree; what ran there before is not run again.
    pub(super) fn check_tree(
        &self,
        key: &Key,
        round: &Round<'_>,
        cancel: &Cancel,
    ) -> Result<Option<Vec<CheckResult>>, EngineError> {
        let Round { task, tree, checks } = round;
        let prepare = task.prepare.as_deref();
        let mut results = Vec::new();
        let mut open: Vec<&Check> = Vec::new();
        let mut twins = Vec::new();
        for check in checks {
            match self.shown.get(tree, check, prepare) {
                Some(result) => results.push(result),
                None => match open.iter().position(|other| runs_the_same(other, check)) {
                    // A guard has more time than a criterion, so it is the guard that runs.
                    Some(at) if check.kind == CheckKind::Guard => {
                        twins.push((at, std::mem::replace(&mut open[at], *check)));
                    }
                    Some(at) => twins.push((at, *check)),
                    None => open.push(*check),
                },
            }
        }
        if open.is_empty() {
            return Ok(Some(results));
        }
        let date = stamp(Timestamp::default());
        let commit = self.project.commit(&[], tree, "to be checked", &date)?;
        let workspace = self.checkout(key, &commit_id(&commit))?;
        let room = Room { key, directory: &workspace.files() };
        let checked = self.check_in(&room, task, &open, cancel);
        let left = self.keep_checkout(key, workspace)?;
        let Some(mut fresh) = checked? else { return Ok(None) };
        let rewritten = match left {
            Some(left) => self.frozen().rewritten(tree, &left)?,
            None => Vec::new(),
        };
        self.shown.note_rewritten(tree, &open, prepare, &rewritten);
        let round = Round { task, tree, checks: open.clone() };
        let Some(unusual) = self.unusual(key, &round, rewritten, cancel)? else {
            return Ok(None);
        };
        doubt(&mut fresh, &unusual);
        for (check, result) in open.iter().zip(&fresh) {
            self.shown.put(tree, check, prepare, result);
        }
        results.extend(twins.into_iter().map(|(at, check)| renamed(fresh[at].clone(), check)));
        results.extend(fresh);
        Ok(Some(results))
    }

    /// Of the files that commands have rewritten, those that are code or that they leave alone on the base: the tests of a
    /// project may write into data of their own, and what they did before the work they may do after it.
    fn unusual(
        &self,
        key: &Key,
        round: &Round<'_>,
        mut rewritten: Vec<String>,
        cancel: &Cancel,
    ) -> Result<Option<Vec<String>>, EngineError> {
        let Round { task, tree, checks } = round;
        if rewritten.iter().all(|path| is_code(path, "")) {
            return Ok(Some(rewritten));
        }
        let base = self.project.tree_of(&object(&task.freeze.base)?)?;
        if base == **tree {
            rewritten.retain(|path| is_code(path, ""));
            return Ok(Some(rewritten));
        }
        let prepare = task.prepare.as_deref();
        let usual = |check: &&Check| self.shown.rewritten(&base, check, prepare);
        let unknown: Vec<&Check> =
            checks.iter().copied().filter(|check| usual(check).is_none()).collect();
        if !unknown.is_empty() {
            let key = apart(key, "of-the-base");
            let workspace = self.checkout(&key, &task.freeze.base)?;
            let room = Room { key: &key, directory: &workspace.files() };
            let checked = self.check_in(&room, task, &unknown, cancel);
            let left = self.keep_checkout(&key, workspace)?;
            if checked?.is_none() {
                return Ok(None);
            }
            let files = match left {
                Some(left) => self.frozen().rewritten(&base, &left)?,
                None => Vec::new(),
            };
            self.shown.note_rewritten(&base, &unknown, prepare, &files);
        }
        let usual: Vec<String> = checks.iter().filter_map(usual).flatten().collect();
        rewritten.retain(|path| is_code(path, "") || !usual.contains(path));
        Ok(Some(rewritten))
    }

    fn check_in(
        &self,
        room: &Room<'_>,
        task: &CheckTask,
        checks: &[&Check],
        cancel: &Cancel,
    ) -> Result<Option<Vec<CheckResult>>, EngineError> {
        let guard_time = Duration::from_millis(task.guard_ms_max);
        if let Some(command) = &task.prepare {
            let (ready, _) =
                self.observe_command((command, &Who::Prepare), room, guard_time, cancel)?;
            match ready.ending {
                Ending::Exited(0) => {}
                Ending::Cancelled => return Ok(None),
                Ending::Exited(_) | Ending::Signalled(_) | Ending::TimedOut | Ending::Stalled => {
                    return Ok(Some(unready(checks, command, &ready)));
                }
            }
        }
        let mut results = Vec::new();
        for check in checks {
            let time = match check.kind {
                CheckKind::Criterion => Duration::from_millis(task.criterion_ms_max),
                CheckKind::Guard => guard_time,
            };
            match self.check_one(check, room, time, cancel)? {
                Some(result) => results.push(result),
                None => return Ok(None),
            }
        }
        Ok(Some(results))
    }

    fn observe_command(
        &self,
        (command, who): (&str, &Who<'_>),
        room: &Room<'_>,
        time: Duration,
        cancel: &Cancel,
    ) -> Result<(Finished, Vec<String>), EngineError> {
        forget_compiled(room.directory)?;
        let [program, arguments @ ..] = argv(command);
        let mut launch = Launch::new(program, environment_for(command), room.directory);
        launch.arguments = arguments.map(Into::into).to_vec();
        launch.limits = Limits {
            wall: time,
            idle: time,
            grace: GRACE,
            head_bytes_max: OUTPUT_HEAD_BYTES_MAX,
            tail_bytes_max: OUTPUT_TAIL_BYTES_MAX,
        };
        launch.pulse = self.tools.pulse.clone();
        let temporary = self.confine(&mut launch, who)?;
        let child = start(&self.guardian, &launch)?;
        self.use_the_time();
        let finished = child.watch(cancel, &mut |_, _| {})?;
        drop(temporary);
        self.note_strays(room.key, &finished);
        let denied = self.note_denied(room.key, &launch, &finished);
        Ok((finished, denied))
    }

    fn check_one(
        &self,
        check: &Check,
        room: &Room<'_>,
        time: Duration,
        cancel: &Cancel,
    ) -> Result<Option<CheckResult>, EngineError> {
        let Check { name, kind, criterion } = check;
        let command = criterion.command.clone().unwrap_or_default();
        let (finished, denied) =
            self.observe_command((&command, &Who::Check), room, time, cancel)?;
        let exit_code = match finished.ending {
            Ending::Exited(code) => Some(code),
            Ending::Cancelled => return Ok(None),
            Ending::Signalled(_) | Ending::TimedOut | Ending::Stalled => None,
        };
        let (stdout, stderr) = (finished.stdout.to_text(), finished.stderr.to_text());
        let observed = Observed {
            exit_code,
            timed_out: matches!(finished.ending, Ending::TimedOut | Ending::Stalled),
            stdout: &stdout,
            truncated: finished.stdout.bytes_left_out() > 0,
            stderr: &stderr,
        };
        let Judged { verdict, counts } = judge_check(criterion, &observed);
        let verdict = blamed(verdict, &denied);
        let output = format!("{stdout}{stderr}");
        let is_whole =
            [&finished.stdout, &finished.stderr].iter().all(|one| one.bytes_left_out() == 0);
        let ran = if is_whole && counts.is_some() { names(&output) } else { Vec::new() };
        Ok(Some(CheckResult {
            name: name.clone(),
            kind: *kind,
            criterion: criterion.text.clone(),
            command: Some(command),
            verdict,
            exit_code,
            counts,
            ran,
            output: end_of(&output),
            output_sha256: sha256_hex(output.as_bytes()),
        }))
    }
}

/// Says with what did not pass that the command has tried what it may not, which can be why.
fn blamed(verdict: Verdict, denied: &[String]) -> Verdict {
    let Some(first) = denied.first() else { return verdict };
    let with = |why: String| format!("{why}; violation: {first}");
    match verdict {
        Verdict::Passed => Verdict::Passed,
        Verdict::Failed(why) => Verdict::Failed(with(why)),
        Verdict::Unproven(why) => Verdict::Unproven(with(why)),
    }
}

/// The environment of a verification command.
fn environment_for(command: &str) -> Environment {
    let mut environment = environment::of_commands();
    let asked = [asked_to_name_tests(command), asked_to_go_on(command)];
    for (name, value) in asked.into_iter().flatten() {
        let mut flags = environment.get(name).unwrap_or_default().to_owned();
        flags.push(" ");
        flags.push(value);
        environment.set(name, flags);
    }
    environment.set("PYTHONDONTWRITEBYTECODE", "1");
    environment
}

/// The key of a checkout beside the first one of a step.
pub(super) fn apart(key: &Key, name: &str) -> Key {
    Key { step: Step::new(format!("{}/{name}", key.step)), attempt: key.attempt }
}

/// Whether two checks are the same command under two names.
fn runs_the_same(one: &Check, other: &Check) -> bool {
    let (a, b) = (&one.criterion, &other.criterion);
    (&a.command, &a.expect, &a.counts) == (&b.command, &b.expect, &b.counts)
}

/// Takes back what passed in a checkout in which the files that judge were changed meanwhile.
fn doubt(results: &mut [CheckResult], rewritten: &[String]) {
    if rewritten.is_empty() {
        return;
    }
    let why = format!(
        "{} changed while the commands ran, and the work is judged by it",
        rewritten.join(", ")
    );
    for result in results.iter_mut().filter(|result| result.verdict.is_passed()) {
        result.verdict = Verdict::Unproven(why.clone());
    }
}

/// What is left to say of checks whose checkout could not be made ready: nothing is proven.
fn unready(checks: &[&Check], command: &str, seen: &Finished) -> Vec<CheckResult> {
    let output = format!("{}{}", seen.stdout.to_text(), seen.stderr.to_text());
    let why = format!("the checkout could not be made ready with `{command}`");
    let result = |Check { name, kind, criterion }: &&Check| CheckResult {
        name: name.clone(),
        kind: *kind,
        criterion: criterion.text.clone(),
        command: criterion.command.clone(),
        verdict: Verdict::Unproven(why.clone()),
        exit_code: None,
        counts: None,
        ran: Vec::new(),
        output: end_of(&output),
        output_sha256: sha256_hex(output.as_bytes()),
    };
    checks.iter().map(result).collect()
}

/// The last characters of an output.
fn end_of(text: &str) -> String {
    let text = text.trim_end();
    let from = text.char_indices().rev().nth(OUTPUT_CHARS_MAX - 1).map_or(0, |(at, _)| at);
    text[from..].to_owned()
}
