//! What returns and phases are held to: the table of `policy::integrity`, asked with what was seen.

use serde_json::Value;

use crate::{
    evidence::{CheckKind, Place, places},
    input::{AgentReport, Failure, FailureClass},
    phases::{
        Active, Breached, Commands, Phase, PhaseFact, Stage, Then, VerificationSeen, calibrate,
        commands, deferral, improve, turn::Turn,
    },
    policy::{
        FailureCategory, PhaseType, contamination,
        integrity::{
            Breach, CheckWord, Claim, Consequence, Moment, PhaseRecordSeen, Review, StepSeen,
            check_at, may_try_again,
        },
    },
    returns::{self, Comparison, Recommendation, Return, Verification},
    run::Run,
    time::{MINUTE_MS, SECOND_MS, Timestamp},
};

/// Guards that show that the work compiles.
const COMPILES: [&str; 2] = ["compile", "typecheck"];
/// Guards that show that it can be built.
const BUILDS: [&str; 2] = ["build", super::checks::UI_BUILD];
/// How many results of criteria are kept of a verification.
const CRITERIA_MAX: usize = 100;
/// A longer result is cut.
const CRITERION_CHARS_MAX: usize = 500;

/// A return that does not count, and why.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// As a failure of the step.
    pub failure: Failure,
    /// The check.
    pub(super) breach: Breach,
    /// Whether the step may be done again.
    pub(super) again: bool,
    /// The stage it is done again from, where that is an earlier one.
    pub(super) back_to: Option<Stage>,
}

/// Whoever looks: the phase as it is.
#[derive(Clone, Copy)]
pub(super) struct Eyes<'a> {
    pub(super) run: &'a Run,
    pub(super) phase: &'a Phase,
    pub(super) active: &'a Active,
    pub(super) time: Timestamp,
}

/// Why a return does not count, if it does not.
pub(super) fn refusal(eyes: Eyes<'_>, report: &AgentReport) -> Option<Refusal> {
    let (moment, stage) = moment(&eyes.active.stage)?;
    let record = eyes.record_with(report);
    let step = stage.name();
    let breach = check_at(moment, &record).into_iter().find(|breach| {
        let (of_check, of_step) = eyes.active.reviews.times(step, breach.number);
        match breach.consequence {
            Consequence::Reject => true,
            Consequence::Once => may_try_again(of_check, of_step),
            Consequence::Note | Consequence::Warn | Consequence::Act => false,
        }
    })?;
    let (of_check, of_step) = eyes.active.reviews.times(step, breach.number);
    // What a judge found alone stands in its report, which cannot be changed once it has seen the verifier's.
    let in_report = moment == Moment::Compared && record.review.divergence_section;
    let (of_check, of_step) = if in_report {
        eyes.active.reviews.times(Stage::Judge.name(), breach.number)
    } else {
        (of_check, of_step)
    };
    let detail = format!("check {} `{}`: {}", breach.number, breach.name, breach.what);
    Some(Refusal {
        failure: Failure { class: FailureClass::Malformed, detail },
        breach,
        again: may_try_again(of_check, of_step),
        back_to: in_report.then_some(Stage::Judge),
    })
}

/// Takes a return that does not count into the books. Says whether the step may be done again.
pub(super) fn refuse(turn: &mut Turn<'_>, refusal: &Refusal, is_last: bool) -> bool {
    let again = refusal.again && !is_last;
    let stage = refusal.back_to.clone().unwrap_or_else(|| turn.now.stage.clone());
    let then = if again { Then::Again } else { Then::Failed };
    note(turn, &refusal.breach, &stage, then);
    if let Some(stage) = refusal.back_to.clone().filter(|_| again) {
        turn.enter(stage);
    }
    again
}

/// Tells what is odd about a return that counts all the same.
pub(super) fn tell(turn: &mut Turn<'_>, report: &AgentReport) {
    let Some((moment, stage)) = moment(&turn.now.stage) else { return };
    // What is said of work that was broken on purpose is not held against anybody.
    if matches!(turn.now.stage, Stage::Calibrate(..)) {
        return;
    }
    let record = Eyes::of(turn).record_with(report);
    for breach in check_at(moment, &record) {
        note(turn, &breach, &stage, told(breach.consequence));
    }
}

/// Whether a phase may be complete. Where a review is missing it is sent there, and where something else does not fit
/// together it is given up.
pub(super) fn may_close(turn: &mut Turn<'_>) -> bool {
    let record = Eyes::of(turn).record();
    let breaches = check_at(Moment::Closing, &record);
    let gravest = breaches.iter().find(|breach| breach.consequence == Consequence::Reject);
    let Some(breach) = gravest else {
        let stage = turn.now.stage.clone();
        breaches.iter().for_each(|breach| note(turn, breach, &stage, told(breach.consequence)));
        return true;
    };
    let missing = missing_review(&record);
    let stage = missing.clone().unwrap_or_else(|| turn.now.stage.clone());
    let (of_check, of_step) = turn.now.reviews.times(stage.name(), breach.number);
    match missing.filter(|_| may_try_again(of_check, of_step)) {
        Some(stage) => {
            note(turn, breach, &stage, Then::Again);
            turn.enter(stage);
        }
        None => {
            note(turn, breach, &stage, Then::Failed);
            let why = format!("check {} `{}`: {}", breach.number, breach.name, breach.what);
            turn.reject(why, FailureCategory::CoordinationFailure);
        }
    }
    false
}

/// How it is told that something is odd and counts all the same.
const fn told(consequence: Consequence) -> Then {
    match consequence {
        Consequence::Note | Consequence::Act => Then::Noted,
        Consequence::Warn | Consequence::Once | Consequence::Reject => Then::Warned,
    }
}

fn note(turn: &mut Turn<'_>, breach: &Breach, stage: &Stage, then: Then) {
    turn.note(PhaseFact::Breached(Breached {
        check: breach.number.to_owned(),
        name: breach.name.to_owned(),
        what: breach.what.to_owned(),
        step: stage.name().to_owned(),
        then,
    }));
}

/// The moment that the end of a stage is, and the stage as it is known: nobody is told that work is broken on purpose.
fn moment(stage: &Stage) -> Option<(Moment, Stage)> {
    let stage = if let Stage::Calibrate(role, _) = stage {
        calibrate::stage_of(*role)
    } else {
        stage.clone()
    };
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other stage is a review")]
    let moment = match stage {
        Stage::Verify => Moment::Verified,
        Stage::Judge => Moment::Reported,
        Stage::Compare => Moment::Compared,
        Stage::Rate => Moment::Rated,
        _ => return None,
    };
    Some((moment, stage))
}

/// The first review that was not done.
fn missing_review(record: &PhaseRecordSeen) -> Option<Stage> {
    let reviews =
        [(Stage::Verify, record.verify), (Stage::Judge, record.judge), (Stage::Rate, record.rate)];
    reviews.into_iter().find(|(_, seen)| !seen.by_agent).map(|(stage, _)| stage)
}

/// What was seen of a verification. Claims that were not seen although they would have been come with it.
pub(super) fn verification_seen(
    active: &Active,
    directory: &str,
    word: &Verification,
    report: &AgentReport,
) -> (VerificationSeen, Vec<String>) {
    let seen = &report.seen;
    let (commands, unseen) = commands::weigh(&word.commands_run, seen.commands.as_deref());
    let results = word.criteria_results.clone().map(returns::told).unwrap_or_default();
    let cut = |line: String| line.chars().take(CRITERION_CHARS_MAX).collect();
    let plan = format!("{directory}/PLAN.md");
    let changed = seen.changed.iter().filter(|path| **path != plan);
    let seen = VerificationSeen {
        commands,
        criteria: results.into_iter().take(CRITERIA_MAX).map(cut).collect(),
        categories: categories(word).into_iter().take(CRITERIA_MAX).collect(),
        changed: changed.cloned().collect(),
    };
    // Whoever judges work that was broken on purpose is not caught at anything.
    let unseen = if matches!(active.stage, Stage::Calibrate(..)) { Vec::new() } else { unseen };
    (seen, unseen)
}

impl<'a> Eyes<'a> {
    fn of(turn: &'a Turn<'_>) -> Self {
        Self { run: turn.run, phase: turn.phase, active: &turn.now, time: turn.time }
    }

    /// The record of the phase as it is: what was said and done so far. What is only asked of a return when it comes in
    /// (how long it took, its words, its places) is as good as it gets here.
    fn record(&self) -> PhaseRecordSeen {
        let (active, reviews) = (self.active, &self.active.reviews);
        let (tasks_done, tasks_total) = tasks(active);
        let step = |done: bool| StepSeen { skipped: !done, by_agent: done };
        let verified = reviews.verified.as_ref();
        let changed = verified.map(|verified| verified.seen.changed.as_slice()).unwrap_or_default();
        let waits = active.needs_person.is_some();
        let score = active.scores.last().copied().filter(|_| reviews.rated);
        PhaseRecordSeen {
            claim: if waits { Claim::NeedsHuman } else { Claim::Completed },
            kind: self.kind(changed),
            has_ui: self.has_ui(changed),
            score,
            pass: self.run.given.pass_score,
            recommendation: active.judged.unwrap_or(Recommendation::Halt),
            tasks_done,
            tasks_total,
            commits: usize::try_from(active.commits).unwrap_or(usize::MAX),
            compile: self.guard(&COMPILES),
            build: self.guard(&BUILDS),
            has_compile_command: self.has_guard(&COMPILES),
            has_build_command: self.has_guard(&BUILDS),
            verify: step(reviews.verified.is_some()),
            judge: step(reviews.judged),
            rate: step(reviews.rated),
            criteria: self.phase.spec.criteria.len(),
            criteria_with_place: self.phase.spec.criteria.len(),
            kind_check: true,
            diff_summary: !changed.is_empty(),
            minutes: self.time.ms_since(active.began_at) / MINUTE_MS,
            justification: waits.then(|| deferral::justification(active)),
            review: self.review(verified.map(|verified| &verified.seen)),
            verify_seconds_min: self.run.given.limits.min_verify_seconds,
            diagnostic: !active.lacks.is_empty(),
            can_improve: improve::can(self.run, active),
        }
    }

    /// The record as it would be with a return that has just come in.
    fn record_with(&self, report: &AgentReport) -> PhaseRecordSeen {
        let mut record = self.record();
        let role = self.active.stage.role();
        record.review.contaminated =
            role.is_some_and(|role| contamination(role, &report.returned.words()).is_some());
        #[expect(clippy::wildcard_enum_match_arm, reason = "nobody else reviews")]
        match &report.returned {
            Return::Verification(word) => self.with_verification(&mut record, word, report),
            Return::Comparison(word) => {
                record.judge = StepSeen { skipped: false, by_agent: true };
                with_comparison(&mut record.review, word);
            }
            _ => {}
        }
        record
    }

    fn with_verification(
        &self,
        record: &mut PhaseRecordSeen,
        word: &Verification,
        report: &AgentReport,
    ) {
        let directory = &self.phase.spec.directory;
        let (seen, _) = verification_seen(self.active, directory, word, report);
        let needs_person = deferral::needs_person(self.run, self.active, word);
        record.claim = match (word.pass, needs_person) {
            (false, _) => Claim::Failed,
            (true, true) => Claim::NeedsHuman,
            (true, false) => Claim::Completed,
        };
        record.kind = self.kind(&seen.changed);
        record.has_ui = self.has_ui(&seen.changed);
        record.kind_check = self.is_kind_checked(record.kind, &seen.commands);
        record.diff_summary = !seen.changed.is_empty();
        record.verify = StepSeen { skipped: false, by_agent: true };
        record.criteria_with_place = self.shown(word, &report.seen.places);
        record.justification = needs_person.then(|| deferral::justification(self.active));
        record.review.verifier_commands = seen.commands.list().len();
        record.review.verifier_seconds = report.seen.ms / SECOND_MS;
        record.review.unclassified = unclassified(word);
    }

    fn review(&self, verified: Option<&VerificationSeen>) -> Review {
        let reviews = &self.active.reviews;
        let compared = reviews.compared.as_ref();
        let evidence = reviews.report.iter().flat_map(|report| &report.independent_evidence);
        Review {
            verifier_commands: verified.map_or(0, |seen| seen.commands.list().len()),
            verifier_seconds: 0,
            report: reviews.report.is_some(),
            divergence_section: compared.is_some_and(|said| !said.divergence.is_empty()),
            no_divergence: false,
            agrees: compared.is_some_and(|said| said.agrees),
            missed: compared.map_or(0, |said| said.missed.len()),
            independent: evidence.filter(|line| !line.trim().is_empty()).count(),
            unclassified: 0,
            contaminated: false,
        }
    }

    /// What the phase changes; where nothing was changed, what it is about.
    fn kind(&self, changed: &[String]) -> PhaseType {
        if !changed.is_empty() {
            return PhaseType::of_paths(
                changed.iter().map(String::as_str),
                self.run.given.ui.as_deref(),
            );
        }
        let spec = &self.phase.spec;
        let criteria = spec.criteria.iter().map(|criterion| criterion.text.as_str());
        let text: Vec<&str> = [spec.goal.as_str()].into_iter().chain(criteria).collect();
        PhaseType::of_text(&text.join(" "), self.run.given.ui.as_deref())
    }

    /// Whether people see anything of what it changes.
    fn has_ui(&self, changed: &[String]) -> bool {
        PhaseType::has_ui(changed.iter().map(String::as_str), self.run.given.ui.as_deref())
    }

    fn guard(&self, names: &[&str]) -> CheckWord {
        let entries = self.active.settled.iter().filter(|entry| entry.kind == CheckKind::Guard);
        let mut entries = entries.filter(|entry| names.contains(&entry.name.as_str())).peekable();
        match entries.peek() {
            Some(_) => CheckWord::Ran(entries.all(crate::evidence::Entry::stands)),
            None => CheckWord::NotApplicable,
        }
    }

    fn has_guard(&self, names: &[&str]) -> bool {
        self.run.given.guards.iter().any(|guard| names.contains(&guard.name.as_str()))
    }

    /// Whether a command that is about files of this kind was run, by the engine or by the verifier.
    fn is_kind_checked(&self, kind: PhaseType, commands: &Commands) -> bool {
        let own = self.active.checked.iter().filter_map(|result| result.command.as_deref());
        let mut all = own.chain(commands.list().iter().map(String::as_str));
        let ui = self.run.given.ui.as_deref();
        let is_about = |word: &str| PhaseType::of_text(word, ui) == kind;
        all.any(|command| command.split_whitespace().any(is_about))
    }

    /// How many criteria are shown to hold: by a command that the engine ran, or by a place that is there.
    fn shown(&self, word: &Verification, there: &[Place]) -> usize {
        let id = self.phase.spec.id;
        let results = word.criteria_results.as_ref().and_then(Value::as_array);
        let results: Vec<String> = results.into_iter().flatten().map(Value::to_string).collect();
        let criteria = self.phase.spec.criteria.iter().enumerate();
        let is_shown = |(at, criterion): &(usize, &crate::evidence::Criterion)| {
            let name = format!("{id}/{}", at + 1);
            let stands = |entry: &crate::evidence::Entry| entry.name == name && entry.stands();
            let text = Value::from(criterion.text.trim()).to_string();
            let is_told = |result: &&String| {
                result.contains(text.trim_matches('"'))
                    && places(result).iter().any(|place| there.contains(place))
            };
            self.active.settled.iter().any(stands) || results.iter().any(|one| is_told(&one))
        };
        criteria.filter(is_shown).count()
    }
}

/// Tasks of agents that are done, and all of them. What was there already is one task that somebody did before.
fn tasks(active: &Active) -> (u32, u32) {
    if active.tasks.is_empty() {
        return (1, 1);
    }
    let (done, total) = deferral::auto_tasks(active);
    (done, total)
}

fn with_comparison(review: &mut Review, word: &Comparison) {
    review.divergence_section = word.has_section();
    review.no_divergence = word.finds_no_difference();
    review.agrees = word.verifier_agreement;
    review.missed = word.verifier_missed.iter().filter(|line| !line.trim().is_empty()).count();
}

/// How many failures have no category of those that there are.
fn unclassified(word: &Verification) -> usize {
    word.failures.len().saturating_sub(categories(word).len())
}

/// What kinds of failures a verifier names: beside its failures, or in them.
fn categories(word: &Verification) -> Vec<FailureCategory> {
    let category = |value: &Value| {
        let name = value.get("category").and_then(Value::as_str);
        name.and_then(FailureCategory::named)
    };
    let told = word.failure_categories.as_ref().and_then(Value::as_array);
    let told: Vec<FailureCategory> = told.into_iter().flatten().filter_map(category).collect();
    let own: Vec<FailureCategory> = word.failures.iter().filter_map(category).collect();
    if told.len() >= own.len() { told } else { own }
}
