//! Plays misbehaviour against a project's own gates, in copies of which nothing is kept.

use std::collections::BTreeMap;

use autopilot_core::{
    effect::{CheckTask, Freeze},
    evidence::{
        Check, CheckResult, Fewer, Standing, Verdict, ledger,
        protect::Protection,
        sim::{
            Before, Cheat, Fate, File, Gate, Lie, Mechanism, Play, Played, Report, Scene, breaks,
            cheats, is_looked_at, share,
        },
    },
    id::CommitId,
    time::Timestamp,
};

use super::{
    Tools, Workshop,
    frozen::{Frozen, Rules},
    scratch::Look,
    tree::{commit_id, object, stamp},
};
use crate::{
    error::EngineError,
    git::{ObjectId, TreeChange, TreeEntry},
    home::Home,
};

/// How many files are read in search of what could be played.
const FILES_MAX: usize = 2_000;
/// The mode of a file that is new.
const FILE_MODE: &str = "100644";
/// What only a phase can show.
const NOTHING_DONE: &str = "an agent that does nothing and says done: a phase catches it, since its criteria must have been red \
     before";
/// What cannot be hidden, because nobody looks for it.
const NOTHING_TO_HIDE: &str =
    "ways to hide broken code: no gate fails by a break that nobody hides";

/// What is rehearsed.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    /// The commit.
    pub commit: CommitId,
    /// The gates.
    pub checks: Vec<Check>,
    /// What makes a checkout ready for them.
    pub prepare: Option<String>,
    /// Which files decide.
    pub protection: Protection,
    /// How long a criterion's command may take.
    pub criterion_ms_max: u64,
    /// How long a guard may take, and what makes the checkout ready.
    pub guard_ms_max: u64,
    /// How many misbehaviours are played at most.
    pub plays_max: usize,
    /// Which of many equal choices is made.
    pub seed: u64,
}

/// What can be told while it goes on.
#[derive(Clone, Copy, Debug)]
pub enum Tidings<'a> {
    /// What a gate shows on the commit as it is.
    Gate(&'a Gate),
    /// What became of a misbehaviour.
    Played(&'a Played),
}

/// What is played on.
struct Stage<'a> {
    given: &'a Rehearsal,
    tree: ObjectId,
    entries: BTreeMap<String, TreeEntry>,
    files: Vec<File>,
    /// The gates that are green on the commit, and what they show there.
    green: Vec<Check>,
    shown: Vec<CheckResult>,
}

/// Runs every gate on a commit as it is, plays misbehaviour against those that are green, and says what got through.
///
/// Nothing is kept of it: the checkouts go, also when this process is killed. `tools` are this program and its settings.
pub fn rehearse(
    home: &Home,
    tools: &Tools,
    rehearsal: &Rehearsal,
    tell: &mut dyn FnMut(Tidings<'_>),
) -> Result<Report, EngineError> {
    let look =
        Look { name: "sim", tools, base: &rehearsal.commit, protection: &rehearsal.protection };
    look.within(home, |workshop| workshop.rehearse(rehearsal, tell))
}

impl Workshop {
    fn rehearse(
        &self,
        given: &Rehearsal,
        tell: &mut dyn FnMut(Tidings<'_>),
    ) -> Result<Report, EngineError> {
        let mut shown =
            self.look("as-it-is", &given.task(&given.commit, given.checks.clone(), Vec::new()))?;
        shown.sort_by_key(|result| given.place(&result.name));
        let gates: Vec<Gate> = shown.iter().map(Gate::of).collect();
        gates.iter().for_each(|gate| tell(Tidings::Gate(gate)));
        shown.retain(|result| result.verdict.is_passed());
        let is_green = |check: &&Check| shown.iter().any(|result| result.name == check.name);
        let green: Vec<Check> = given.checks.iter().filter(is_green).cloned().collect();
        let mut report = Report {
            commit: given.commit.clone(),
            seed: given.seed,
            gates,
            played: Vec::new(),
            left_out: 0,
            notes: vec![NOTHING_DONE.to_owned()],
        };
        if !green.is_empty() {
            let stage = self.stage(given, (green, shown), &mut report)?;
            self.play_all(&stage, &mut report, tell)?;
        }
        Ok(report)
    }

    fn stage<'a>(
        &self,
        given: &'a Rehearsal,
        (green, shown): (Vec<Check>, Vec<CheckResult>),
        report: &mut Report,
    ) -> Result<Stage<'a>, EngineError> {
        let tree = self.project.tree_of(&object(&given.commit)?)?;
        let commands = commands(&green);
        let protected = self.frozen().protected()?;
        let defaults = Protection::default();
        let usual = Frozen { project: &self.project, protection: &defaults }.protected()?;
        let (mut entries, mut files) = (BTreeMap::new(), Vec::new());
        let mut unread = 0_usize;
        for TreeChange { path, new, .. } in self.project.tree_files(&tree)? {
            let (class, usual) = (protected.class_of(&path), usual.class_of(&path));
            let (Ok(path), Some(entry)) = (String::from_utf8(path), new) else { continue };
            if !entry.is_file() || !is_looked_at(&path, class, &commands) {
                continue;
            }
            if files.len() == FILES_MAX {
                unread += 1;
                continue;
            }
            if let Some(text) = self.frozen().text(&entry)? {
                entries.insert(path.clone(), entry);
                files.push(File { path, text, class, usual });
            }
        }
        if unread > 0 {
            report.notes.push(format!(
                "{unread} files beyond the first {FILES_MAX}, which were not looked at"
            ));
        }
        Ok(Stage { given, tree, entries, files, green, shown })
    }

    fn play_all(
        &self,
        stage: &Stage<'_>,
        report: &mut Report,
        tell: &mut dyn FnMut(Tidings<'_>),
    ) -> Result<(), EngineError> {
        let commands = commands(&stage.green);
        let before = self.before(stage)?;
        let seed = stage.given.seed;
        let output = |check: &Check| {
            let shown = stage.shown.iter().find(|result| result.name == check.name);
            shown.map(|result| result.output.clone()).unwrap_or_default()
        };
        let printed: Vec<String> = stage.green.iter().map(output).collect();
        let files = &stage.files;
        let scene = Scene { files, commands: &commands, printed: &printed, before: &before, seed };
        let (open, hidden): (Vec<Play>, Vec<Cheat>) = (breaks(&scene), cheats(&scene));
        let open_max = share(stage.given.plays_max, open.len(), hidden.len());
        let known = open.len() + hidden.len();
        let mut caught = Vec::new();
        for play in open {
            // As long as nothing is noticed, there is nothing to hide, and no play is needed for that.
            let max = if caught.is_empty() { stage.given.plays_max } else { open_max };
            if report.played.len() >= max {
                break;
            }
            let Some(played) = self.play(stage, &play, report.played.len() + 1)? else { continue };
            tell(Tidings::Played(&played));
            if matches!(played.fate, Fate::Caught { by: Mechanism::Failed, .. }) {
                caught.push(play);
            }
            report.played.push(played);
        }
        // What is hidden best is small, and can still be built.
        caught.sort_by_key(|play| play.lie != Lie::MutatesCode);
        if caught.is_empty() && !hidden.is_empty() {
            report.notes.push(NOTHING_TO_HIDE.to_owned());
        }
        let hidden_max = stage.given.plays_max - report.played.len();
        for cheat in hidden.iter().take(hidden_max) {
            let Some(below) = cheat.underlay(files, &caught) else { break };
            let play = cheat.over(files, below);
            let Some(played) = self.play(stage, &play, report.played.len() + 1)? else { continue };
            tell(Tidings::Played(&played));
            report.played.push(played);
        }
        report.left_out = known - report.played.len();
        Ok(())
    }

    /// The code before the last commit, as far as that changed it; nothing where it is the first.
    fn before(&self, stage: &Stage<'_>) -> Result<Vec<Before>, EngineError> {
        let parent = self.project.rev_parse(&format!("{}^", stage.given.commit))?;
        let Some(parent) = parent else { return Ok(Vec::new()) };
        let mut before = Vec::new();
        for change in self.project.tree_changes(&parent, &object(&stage.given.commit)?)? {
            let Ok(path) = String::from_utf8(change.path) else { continue };
            if !stage.entries.contains_key(&path) {
                continue;
            }
            let text = match change.old {
                Some(old) if old.is_file() => match self.frozen().text(&old)? {
                    Some(text) => Some(text),
                    None => continue,
                },
                Some(_) => continue,
                None => None,
            };
            before.push(Before { path, text });
        }
        Ok(before)
    }

    /// Has the gates judge one misbehaviour; nothing where it changes nothing.
    fn play(
        &self,
        stage: &Stage<'_>,
        play: &Play,
        number: usize,
    ) -> Result<Option<Played>, EngineError> {
        let mut entries = Vec::new();
        for change in &play.changes {
            let entry = match &change.text {
                Some(text) => {
                    let mode = stage.entries.get(&change.path).map(|entry| entry.mode.as_str());
                    let id = self.project.write_blob(text.clone().into_bytes())?;
                    Some(TreeEntry { mode: mode.unwrap_or(FILE_MODE).to_owned(), id })
                }
                None => None,
            };
            entries.push((change.path.clone().into_bytes(), entry));
        }
        let tree = self.project.tree_with_entries(&stage.tree, &entries)?;
        if tree == stage.tree {
            return Ok(None);
        }
        let base = object(&stage.given.commit)?;
        let date = stamp(Timestamp::default());
        let commit = commit_id(&self.project.commit(&[base], &tree, "to be judged", &date)?);
        let held = stage.green.iter().map(|check| check.name.clone()).collect();
        let task = stage.given.task(&commit, stage.green.clone(), held);
        let results = self.look(&format!("play-{number}"), &task)?;
        let fate = self.fate(stage, play, &task, &results)?;
        Ok(Some(Played {
            lie: play.lie,
            what: play.what.clone(),
            path: play.path.clone(),
            line: play.line,
            hides_in: play.hides_in.clone(),
            fate,
        }))
    }

    fn fate(
        &self,
        stage: &Stage<'_>,
        play: &Play,
        task: &CheckTask,
        results: &[CheckResult],
    ) -> Result<Fate, EngineError> {
        let mut broken: Vec<(&Check, &CheckResult, String)> = Vec::new();
        for entry in ledger(&stage.shown, results, Fewer::Refused, |_| None) {
            let check = stage.green.iter().find(|check| check.name == entry.name);
            let result = results.iter().find(|result| result.name == entry.name);
            if let (Standing::Broken(why), Some(check), Some(result)) =
                (entry.standing, check, result)
            {
                broken.push((check, result, why));
            }
        }
        // Of several gates the one that proves most by it.
        broken.sort_by_key(|(check, result, _)| {
            (!matches!(result.verdict, Verdict::Failed(_)), stage.given.place(&check.name))
        });
        let Some((check, result, seen)) = broken.into_iter().next() else {
            return Ok(Fate::GotThrough);
        };
        let by = match self.hidden(play, task, check)? {
            Some(by) => by,
            None => match result.verdict {
                Verdict::Failed(_) => Mechanism::Failed,
                Verdict::Unproven(_) => Mechanism::Unproven,
                Verdict::Passed => Mechanism::Fewer,
            },
        };
        Ok(Fate::Caught { gate: check.name.clone(), by, seen })
    }

    /// What kept a break from being hidden, where something was put back or left out for it.
    fn hidden(
        &self,
        play: &Play,
        task: &CheckTask,
        check: &Check,
    ) -> Result<Option<Mechanism>, EngineError> {
        if play.hides_in.is_empty() {
            return Ok(None);
        }
        let planned = task.freeze.planned.as_ref();
        let requests = self.frozen().requests(&task.freeze.base, planned, &task.commit)?;
        let back = requests.into_iter().map(|request| request.edit.path);
        let back: Vec<String> = back.filter(|path| play.hides_in.contains(path)).collect();
        if !back.is_empty() {
            return Ok(Some(Mechanism::PutBack(back)));
        }
        let work = self.frozen().judged_tree(&task.freeze, &task.commit, Rules::OfTheWork)?;
        let with = self.shown.get(&work, check, task.prepare.as_deref());
        let had_it_pass = with.is_some_and(|result| result.verdict.is_passed());
        Ok(had_it_pass.then(|| Mechanism::NewRules(play.hides_in.clone())))
    }
}

impl Rehearsal {
    fn task(&self, commit: &CommitId, checks: Vec<Check>, held: Vec<String>) -> CheckTask {
        CheckTask {
            commit: commit.clone(),
            freeze: Freeze::as_it_is(self.commit.clone()),
            held,
            red: Vec::new(),
            prepare: self.prepare.clone(),
            checks,
            criterion_ms_max: self.criterion_ms_max,
            guard_ms_max: self.guard_ms_max,
        }
    }

    fn place(&self, name: &str) -> usize {
        self.checks.iter().position(|check| check.name == name).unwrap_or(usize::MAX)
    }
}

fn commands(checks: &[Check]) -> Vec<String> {
    checks.iter().map(|check| check.criterion.command.clone().unwrap_or_default()).collect()
}
