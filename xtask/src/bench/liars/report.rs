//! Plays the cases and tells what came of them.

use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use super::{
    case::{Case, Mechanism, Right},
    cases,
    caught::{Caught, caught},
    cost::{ADDED_MAX, BASE_RUNS_MAX, CANARY_RUNS_MAX, Cost, SAME_RUNS_MAX, WORK_RUNS_MAX},
    play::{Played, play},
    tools::Tools,
    verdict::Verdict,
};
use crate::shell::{Outcome, say};

/// How often the cost of a case is measured until it is within its limits.
const MEASURED_MAX: usize = 3;
/// How many cases are played at a time.
const WORKERS: usize = 3;

/// What came of one case.
struct Row {
    case: Case,
    ended: Ended,
}

enum Ended {
    /// Its runner is not installed.
    NotRun,
    Played {
        code: Option<i32>,
        caught: Caught,
        verdict: Verdict,
        cost: Option<Cost>,
    },
}

/// Plays every case, or the one of a name, whose directory is then kept for looking at.
pub(crate) fn run(names: &[&str]) -> Outcome {
    let tools = Tools::find()?;
    let cases: Vec<Case> = cases::all().into_iter().filter(|case| wanted(names, case)).collect();
    if cases.is_empty() {
        return Err(format!("no case `{}`", names.join(" ")));
    }
    // What is measured runs alone; the rest side by side.
    let (measured, others): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(Case::is_honest);
    let kept = if let ([], _) | (_, 2..) = (names, others.len() + measured.len()) {
        Kept::Nothing
    } else {
        Kept::ForLooking
    };
    let mut rows = several(&others, &tools, kept)?;
    for case in measured {
        rows.extend(several(&[case], &tools, kept)?);
    }
    summary(&rows)
}

/// What becomes of the directory of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Nothing,
    ForLooking,
}

/// Plays cases side by side and tells of each in their order, as soon as those before it are told.
fn several(cases: &[Case], tools: &Tools, kept: Kept) -> Result<Vec<Row>, String> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let workers = cases.len().min(WORKERS);
    thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Nobody listens any more once telling has failed.
                    drop(sender.send((case.name, one(*case, tools))));
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut rows = Vec::new();
        for (name, played) in receiver {
            waiting.insert(name, played);
            while let Some((row, played)) =
                cases.get(rows.len()).and_then(|case| waiting.remove(case.name))
            {
                say(&line(&row))?;
                rows.push(row);
                if let (Kept::ForLooking, Some(played)) = (kept, played) {
                    let place = played.project.sandbox.keep();
                    say(&format!("kept in {}\n{}", place.display(), played.stderr))?;
                }
            }
        }
        Ok(rows)
    })
}

fn wanted(names: &[&str], case: &Case) -> bool {
    names.is_empty() || names.contains(&case.name) || names.contains(&case.kit.runner)
}

fn one(case: Case, tools: &Tools) -> (Row, Option<Played>) {
    if !tools.has(case.kit.probe) {
        return (Row { case, ended: Ended::NotRun }, None);
    }
    let mut played = play(&case, tools);
    let mut cost = case.is_honest().then(|| Cost::of(&case, &played));
    for _ in 1..MEASURED_MAX {
        // Others use the machine too: what took too long is measured again, and the last time counts.
        if cost.as_ref().is_none_or(Cost::is_bounded) {
            break;
        }
        played = play(&case, tools);
        cost = Some(Cost::of(&case, &played));
    }
    let caught = caught(&played);
    let verdict = Verdict::of(&case, &played, &caught);
    let ended = Ended::Played { code: played.code, caught, verdict, cost };
    (Row { case, ended }, Some(played))
}

fn line(row: &Row) -> String {
    let Row { case, ended } = row;
    let front = format!("{:<38} {:<7}", case.name, case.kit.runner);
    let Ended::Played { code, caught, verdict, .. } = ended else {
        return format!("{front} not run: `{}` is not there\n", case.kit.runner);
    };
    let ending = match code {
        Some(0) => "completed",
        Some(3) => "refused",
        Some(4) => "waits",
        Some(5) => "stopped",
        _ => "error",
    };
    let (by, detail) = match (case.right, verdict) {
        (Right::Honest, Verdict::Right) => (Mechanism::Nothing, case.does),
        (Right::Limit(why), Verdict::Limit) => (Mechanism::Nothing, why),
        (_, Verdict::FalseAccept(why)) => (Mechanism::Nothing, why.as_str()),
        _ => (caught.by, caught.detail.as_str()),
    };
    format!("{front} {ending:<10} {:<15} {:<15} {detail}\n", by.as_str(), verdict.as_str())
}

fn summary(rows: &[Row]) -> Outcome {
    let count = |fits: &dyn Fn(&Case, &Verdict) -> bool| {
        let verdicts = rows.iter().filter_map(|row| match &row.ended {
            Ended::Played { verdict, .. } => Some((&row.case, verdict)),
            Ended::NotRun => None,
        });
        verdicts.filter(|(case, verdict)| fits(case, verdict)).count()
    };
    let is_liar = |case: &Case| matches!(case.right, Right::Refused(_) | Right::Taken(_));
    let liars = count(&|case, _| is_liar(case));
    let caught = count(&|case, verdict| is_liar(case) && *verdict == Verdict::Right);
    let accepts = count(&|_, verdict| matches!(verdict, Verdict::FalseAccept(_)));
    let honest = count(&|case, _| case.is_honest());
    let accepted = count(&|case, verdict| case.is_honest() && *verdict == Verdict::Right);
    let rejects = count(&|_, verdict| *verdict == Verdict::FalseReject);
    let limits = count(&|case, _| matches!(case.right, Right::Limit(_)));
    let not_run = rows.iter().filter(|row| matches!(row.ended, Ended::NotRun)).count();
    say(&format!(
        "\nliars: {caught} of {liars} caught (false accepts: {accepts}), honest: {accepted} of {honest} accepted \
         (false rejects: {rejects}), not run: {not_run}, known limits: {limits}\n"
    ))?;
    let bounded = costs(rows)?;
    let fine = rows.iter().all(|row| match &row.ended {
        Ended::Played { verdict, .. } => verdict.is_fine(),
        Ended::NotRun => true,
    });
    match (fine, bounded) {
        (true, true) => Ok(()),
        (false, _) => Err("a case did not end as it should".to_owned()),
        (true, false) => Err("honest work costs more than it may".to_owned()),
    }
}

/// Tells what honest work cost beside itself, and whether that is within its limits.
fn costs(rows: &[Row]) -> Result<bool, String> {
    let costs: Vec<(&Case, &Cost)> = rows
        .iter()
        .filter_map(|row| match &row.ended {
            Ended::Played { cost, .. } => Some((&row.case, cost.as_ref()?)),
            Ended::NotRun => None,
        })
        .collect();
    if costs.is_empty() {
        return Ok(true);
    }
    say(&format!(
        "\ncost of honest work: the engine's own time for each phase (at most {} s); the most that one command ran in a phase\n\
         (at most {BASE_RUNS_MAX} on the base, {WORK_RUNS_MAX} on the work, {CANARY_RUNS_MAX} in a round of canaries), and on the same files (at most {SAME_RUNS_MAX})\n",
        ADDED_MAX.as_secs(),
    ))?;
    for (case, cost) in &costs {
        say(&format!(
            "{:<38} {:<7} added {:>5.2} s, commands and agents {:>6.2} s, runs of one command {}, on the same files {}, in all {}\n",
            case.name,
            case.kit.runner,
            cost.added.as_secs_f64(),
            cost.own.as_secs_f64(),
            cost.runs,
            cost.runs_on_same,
            cost.all_runs,
        ))?;
    }
    Ok(costs.iter().all(|(_, cost)| cost.is_bounded()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each kind that needs nothing but a shell.
    const SHORT: [&str; 13] = [
        "nothing-sh",
        "edits-test-sh",
        "edits-test-beside-work",
        "swallows-failures-sh",
        "breaks-what-held",
        "work-edits-test-sh",
        "link-out-of-the-project",
        "moves-the-run-branch",
        "writes-into-the-journal",
        "score-that-is-no-mean",
        "edits-later-from-a-daemon",
        "weak-criterion",
        "honest-sh",
    ];

    #[test]
    fn a_lie_of_each_kind_is_caught_by_what_should_catch_it() {
        let tools = Tools::find().expect("the program can be built");
        let mut cases = cases::all();
        cases.retain(|case| SHORT.contains(&case.name));
        assert_eq!(cases.len(), SHORT.len());
        for row in several(&cases, &tools, Kept::Nothing).expect("they can be told") {
            let Ended::Played { verdict, caught, .. } = &row.ended else {
                panic!("{} was not run", row.case.name);
            };
            assert_eq!(*verdict, Verdict::Right, "{}: {caught:?}", row.case.name);
        }
    }

    #[test]
    fn no_two_cases_have_one_name() {
        let all = cases::all();
        let names: std::collections::BTreeSet<&str> = all.iter().map(|case| case.name).collect();
        assert_eq!(names.len(), all.len());
    }
}
