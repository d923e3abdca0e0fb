//! Counts the tests of an output, whose runner may not be known.

use super::{
    runner::Runner,
    tally::Counts,
    text::{Output, plain},
};

/// Reads how many tests an output tells of; `None` where it cannot be told.
///
/// The output must be what the command printed, with its last newline: a last line without one
/// was cut, and is not read. Where something was left out in between there must be a line
/// `[… 12 bytes left out …]`; the answer is then marked [`Counts::at_least`].
///
/// Without a runner, or with [`Runner::Unknown`], every parser is tried. There is an answer only if all
/// that find one find the same. Where output of one runner holds that of another (node's own runner speaks
/// TAP, nextest shows what `cargo test` prints) the inner one is not asked, unless the outer one is unsure.
pub fn count(runner: Option<Runner>, output: &str) -> Option<Counts> {
    let text = plain(output);
    let output = Output::new(&text);
    let counts = match runner {
        None | Some(Runner::Unknown) => any(&output)?,
        Some(runner) => runner.parser()?(&output)?,
    };
    Some(if output.cut { counts.or_more() } else { counts })
}

fn any(output: &Output<'_>) -> Option<Counts> {
    let answers: Vec<(Runner, Counts)> = Runner::UNDERSTOOD
        .into_iter()
        .filter_map(|runner| Some((runner, runner.parser()?(output)?)))
        .collect();
    let is_inner = |inner: Runner| {
        answers.iter().any(|(outer, counts)| outer.contains(inner) && !counts.at_least)
    };
    let mut outer =
        answers.iter().filter(|(runner, _)| !is_inner(*runner)).map(|(_, counts)| *counts);
    let first = outer.next()?;
    outer.all(|counts| counts == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PYTEST: &str = "===== 3 passed in 0.01s =====\n";
    const RSPEC: &str = "Finished in 0.1 seconds\n3 examples, 0 failures\n";

    #[test]
    fn two_runners_that_disagree_give_no_answer() {
        let three = Some(Counts::new(3, 0, 0));
        assert_eq!(count(None, PYTEST), three);
        assert_eq!(count(Some(Runner::Unknown), RSPEC), three);
        assert_eq!(count(None, &format!("{PYTEST}{RSPEC}")), three);
        let four = RSPEC.replace('3', "4");
        assert_eq!(count(None, &format!("{PYTEST}{four}")), None);
        assert_eq!(
            count(Some(Runner::Rspec), &format!("{PYTEST}{four}")).map(|c| c.passed),
            Some(4)
        );
    }

    #[test]
    fn a_dry_run_has_no_count() {
        assert_eq!(count(Some(Runner::DryRun), RSPEC), None);
    }

    #[test]
    fn a_gap_makes_an_answer_a_lower_bound() {
        let output = format!(
            "===== test session starts =====\nhalf\n[… 9 bytes left out …]\nhalf\n{PYTEST}"
        );
        assert_eq!(count(Some(Runner::Pytest), &output), Some(Counts::new(3, 0, 0).or_more()));
    }
}
