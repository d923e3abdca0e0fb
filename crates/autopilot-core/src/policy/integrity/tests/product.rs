//! The checks over every combination of what they look at, beside the rules told in other words.

use super::{sound, *};

/// Takes a number apart into one choice after another.
struct Choices(u64);

impl Choices {
    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        let count = u64::try_from(choices.len()).expect("few");
        let choice = choices[usize::try_from(self.0 % count).expect("few")];
        self.0 /= count;
        choice
    }

    fn any(&mut self) -> bool {
        self.of(&[false, true])
    }
}

/// Puts every combination before `look`; a combination that leaves a rest is one too many.
fn every(mut look: impl FnMut(&mut Choices) -> bool) -> u64 {
    let mut number = 0;
    loop {
        let mut choices = Choices(number);
        if !look(&mut choices) || choices.0 > 0 {
            return number;
        }
        number += 1;
    }
}

const CLAIMS: [Claim; 4] =
    [Claim::Completed, Claim::NeedsHuman, Claim::Failed, Claim::SplitRequest];
const KINDS: [PhaseType; 4] =
    [PhaseType::Ui, PhaseType::Protocol, PhaseType::Data, PhaseType::Mixed];
const WORDS: [CheckWord; 3] =
    [CheckWord::Ran(true), CheckWord::Ran(false), CheckWord::NotApplicable];
const RECOMMENDATIONS: [Recommendation; 4] = [
    Recommendation::Proceed,
    Recommendation::Debug,
    Recommendation::Rollback,
    Recommendation::Halt,
];
const SCORES: [Option<u16>; 6] = [None, Some(69), Some(70), Some(89), Some(90), Some(95)];

fn numbers(moment: Moment, seen: &PhaseRecordSeen) -> Vec<&'static str> {
    check_at(moment, seen).iter().map(|breach| breach.number).collect()
}

fn list(rows: &[(&'static str, bool)]) -> Vec<&'static str> {
    rows.iter().filter(|(_, broken)| *broken).map(|(number, _)| *number).collect()
}

fn claims_work(seen: &PhaseRecordSeen) -> bool {
    seen.claim == Claim::Completed || (seen.claim == Claim::NeedsHuman && seen.tasks_done > 0)
}

fn unnamed_compile(seen: &PhaseRecordSeen) -> bool {
    seen.compile == CheckWord::NotApplicable && seen.has_compile_command
}

/// What must be said of a phase that is about to be complete.
fn closing(seen: &PhaseRecordSeen) -> Vec<&'static str> {
    let work = claims_work(seen);
    let nothing_new = work && seen.tasks_done > 0 && seen.commits == 0;
    let (verify, judge, rate) = (seen.verify, seen.judge, seen.rate);
    let tenths = seen.score.map(Score::tenths);
    let complete = seen.claim == Claim::Completed;
    let unreviewed = verify.skipped || judge.skipped || tenths.is_none() || unnamed_compile(seen);
    let all_agents = verify.by_agent && judge.by_agent && rate.by_agent;
    let usable = tenths.is_some_and(|tenths| tenths >= 70 && tenths < seen.pass.tenths());
    let proceeds = seen.recommendation == Recommendation::Proceed;
    let red = [seen.compile, seen.build].contains(&CheckWord::Ran(false));
    list(&[
        ("1", work && unreviewed),
        ("2", nothing_new),
        ("3", seen.tasks_total > 1 && seen.tasks_done > 0 && seen.minutes <= 4),
        ("4", seen.tasks_done > 0 && !all_agents),
        ("6", nothing_new && !verify.by_agent),
        ("8", nothing_new && !(verify.by_agent && judge.by_agent)),
        ("15", complete && tenths.is_some_and(|tenths| tenths < 90) && !seen.diagnostic),
        ("16", complete && proceeds && usable && seen.can_improve),
        ("G1", complete && tenths.is_some_and(|tenths| tenths < 70)),
        ("G2", complete && !proceeds),
        ("G3", seen.tasks_done > seen.tasks_total),
        ("G4", complete && red),
    ])
}

#[test]
fn c25_every_phase_that_would_be_complete_breaks_exactly_what_the_rules_say() {
    let mut seen = sound();
    let count = every(|choices| {
        seen.claim = choices.of(&CLAIMS);
        seen.score = choices.of(&SCORES).map(Score::from_tenths);
        seen.pass = Score::from_tenths(choices.of(&[70, 90, 95]));
        seen.recommendation = choices.of(&RECOMMENDATIONS);
        (seen.tasks_done, seen.tasks_total) = choices.of(&[(0, 0), (0, 2), (1, 1), (2, 2), (3, 2)]);
        seen.commits = choices.of(&[0, 2]);
        (seen.compile, seen.build) = (choices.of(&WORDS), choices.of(&WORDS));
        seen.has_compile_command = choices.any();
        seen.verify = StepSeen { skipped: choices.any(), by_agent: choices.any() };
        seen.judge = StepSeen { skipped: choices.any(), by_agent: choices.any() };
        seen.rate.by_agent = choices.any();
        assert_eq!(numbers(Moment::Closing, &seen), closing(&seen), "{seen:?}");
        true
    });
    assert_eq!(count, 4 * 6 * 3 * 4 * 5 * 2 * 9 * 2 * 16 * 2);
}

#[test]
fn c25_time_diagnosis_and_improvement_are_told_in_every_combination() {
    let mut seen = sound();
    let count = every(|choices| {
        seen.claim = choices.of(&CLAIMS);
        seen.score = choices.of(&SCORES).map(Score::from_tenths);
        seen.pass = Score::from_tenths(choices.of(&[70, 90, 95]));
        seen.recommendation = choices.of(&RECOMMENDATIONS);
        (seen.tasks_done, seen.tasks_total) = choices.of(&[(0, 0), (0, 2), (1, 1), (2, 2), (3, 2)]);
        seen.minutes = choices.of(&[0, 4, 5]);
        (seen.diagnostic, seen.can_improve) = (choices.any(), choices.any());
        assert_eq!(numbers(Moment::Closing, &seen), closing(&seen), "{seen:?}");
        true
    });
    assert_eq!(count, 4 * 6 * 3 * 4 * 5 * 3 * 4);
}

/// What must be said of a verification.
fn verified(seen: &PhaseRecordSeen) -> Vec<&'static str> {
    let review = &seen.review;
    let work = claims_work(seen);
    let nothing_new = work && seen.tasks_done > 0 && seen.commits == 0;
    let unchecked = match seen.kind {
        PhaseType::Mixed if !seen.has_ui => false,
        PhaseType::Ui | PhaseType::Mixed => {
            let unbuilt = seen.build == CheckWord::NotApplicable && seen.has_build_command;
            unnamed_compile(seen) || unbuilt
        }
        PhaseType::Protocol | PhaseType::Data => !seen.kind_check,
    };
    let ran_nothing =
        review.verifier_commands == 0 || review.verifier_seconds < seen.verify_seconds_min;
    let waits = seen.claim == Claim::NeedsHuman;
    let why = seen.justification.as_ref();
    let needless = |why: &Justification| {
        why.task_description == "Screenshot" && why.auto_tasks_passed == why.auto_tasks_total
    };
    list(&[
        ("7", work && (unchecked || (!seen.diff_summary && !nothing_new))),
        ("8", nothing_new && seen.criteria_with_place < seen.criteria),
        ("10", seen.claim != Claim::Failed && seen.verify.by_agent && ran_nothing),
        ("11.5", review.contaminated),
        ("12", review.unclassified > 0),
        ("13", waits && why.is_none_or(|why| why.checkpoint_task_id.is_empty())),
        ("14", waits && why.is_some_and(needless)),
    ])
}

fn justification(number: u8) -> Option<Justification> {
    let why = |id: &str, text: &str, passed: u32| Justification {
        checkpoint_task_id: id.to_owned(),
        task_description: text.to_owned(),
        auto_tasks_passed: passed,
        auto_tasks_total: 2,
    };
    match number {
        0 => None,
        1 => Some(why("", "Screenshot", 2)),
        2 => Some(why("1-02", "Screenshot", 2)),
        3 => Some(why("1-02", "Screenshot", 1)),
        4 => Some(why("1-02", "Look at the login, submit it and see the page", 2)),
        _ => Some(why("1-02", "Is the colour right?", 2)),
    }
}

#[test]
fn c25_every_verification_breaks_exactly_what_the_rules_say() {
    for number in 0..6 {
        let mut seen = PhaseRecordSeen { justification: justification(number), ..sound() };
        let count = every(|choices| {
            (seen.claim, seen.kind) = (choices.of(&CLAIMS), choices.of(&KINDS));
            (seen.tasks_done, seen.commits) = (choices.of(&[0, 2]), choices.of(&[0, 2]));
            (seen.compile, seen.build) = (choices.of(&WORDS), choices.of(&WORDS));
            (seen.has_compile_command, seen.has_build_command) = (choices.any(), choices.any());
            seen.criteria_with_place = choices.of(&[1, 2]);
            (seen.kind_check, seen.diff_summary) = (choices.any(), choices.any());
            seen.has_ui = choices.any();
            seen.verify.by_agent = choices.any();
            let (seconds, least) = choices.of(&[(0, 0), (119, 120), (120, 120)]);
            seen.verify_seconds_min = least;
            seen.review.verifier_seconds = seconds;
            seen.review.verifier_commands = choices.of(&[0, 1]);
            (seen.review.contaminated, seen.review.unclassified) =
                (choices.any(), choices.of(&[0, 1]));
            assert_eq!(numbers(Moment::Verified, &seen), verified(&seen), "{seen:?}");
            true
        });
        assert_eq!(count, 4 * 4 * 4 * 9 * 4 * 2 * 4 * 2 * 2 * 3 * 2 * 4);
    }
}

#[test]
fn c25_e19_every_comparison_and_every_text_breaks_exactly_what_the_rules_say() {
    let mut seen = sound();
    let count = every(|choices| {
        seen.judge.by_agent = choices.any();
        seen.review.report = choices.any();
        seen.review.divergence_section = choices.any();
        seen.review.no_divergence = choices.any();
        seen.review.agrees = choices.any();
        seen.review.contaminated = choices.any();
        (seen.review.missed, seen.review.independent) = (choices.of(&[0, 1]), choices.of(&[0, 1]));
        let Review {
            report, divergence_section, no_divergence, agrees, missed, independent, ..
        } = seen.review;
        let judge = seen.judge.by_agent;
        let stamped = no_divergence && independent == 0;
        let expected = list(&[
            ("9", judge && (!report || !divergence_section || stamped)),
            ("11", judge && agrees && missed + independent == 0),
        ]);
        assert_eq!(numbers(Moment::Compared, &seen), expected, "{seen:?}");
        let echoes = list(&[("11.5", seen.review.contaminated)]);
        for moment in [Moment::Reported, Moment::Rated] {
            assert_eq!(numbers(moment, &seen), echoes, "{seen:?}");
        }
        true
    });
    assert_eq!(count, 256);
}
