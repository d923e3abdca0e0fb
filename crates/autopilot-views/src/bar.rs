//! What is told while a step is under way: the line at the bottom of a terminal, and a sign of life in a log.

use autopilot_core::{
    budget::Spend,
    phases::{STEPS, Stage, Status},
    run::Run,
    time::{SECOND_MS, Timestamp},
};

use crate::{Styled, Tone, clean, cut, duration, money, size, status::phase_counts, tokens};

/// How many characters the bar itself takes, and how many on a terminal with little room.
const CELLS: usize = 20;
const CELLS_FEW: usize = 10;
/// Terminals that are narrower have little room.
const ROOMY_COLUMNS_MIN: usize = 80;

/// Where a run stood at its last fact: enough to tell at any later time how it goes.
///
/// Nothing has happened since then, so what is under way began then.
#[derive(Clone, Debug)]
pub struct Moment {
    over: usize,
    total: usize,
    doing: Doing,
    began_at: Timestamp,
    last_at: Timestamp,
    spent: Spend,
}

/// What is seen of a step before it has ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct Life {
    /// How much it has printed.
    pub output_bytes: u64,
    /// Tokens it has used, as far as its stream tells.
    pub tokens: u64,
    /// Money it has cost, in millionths of a US dollar, as far as its stream tells.
    pub micro_usd: u64,
}

#[derive(Clone, Debug)]
enum Doing {
    Step { name: String, task: String },
    Holding { until: Timestamp },
    Nothing,
}

impl Moment {
    /// Where a run stands now that its last fact is recorded.
    pub fn of(run: &Run) -> Self {
        let (over, total) = phase_counts(run);
        Self {
            over,
            total,
            doing: doing(run),
            began_at: run.submitted_at,
            last_at: run.last_at,
            spent: run.spent,
        }
    }

    /// One line for the bottom of a terminal, no wider than that.
    pub fn bar(&self, now: Timestamp, life: Life, columns_max: usize) -> String {
        let cells = if columns_max < ROOMY_COLUMNS_MIN { CELLS_FEW } else { CELLS };
        let filled = (self.over * cells).checked_div(self.total).unwrap_or(0);
        let drawn = format!("{}{}", "#".repeat(filled), "-".repeat(cells - filled));
        let mut parts = vec![format!("[{drawn}] {}/{}", self.over, self.total)];
        let mut last = None;
        match &self.doing {
            Doing::Step { name, task } => {
                parts.push(format!("{name} {}", whole_seconds(now.ms_since(self.last_at))));
                // Its length is the planner's choice, so it comes where nothing can be pushed out by it.
                last = Some(task.clone()).filter(|task| !task.is_empty());
            }
            Doing::Holding { until } => parts
                .push(format!("waiting {} for a usage limit", whole_seconds(until.ms_since(now)))),
            Doing::Nothing => parts.push("between phases".to_owned()),
        }
        parts.push(format!("{} tok", tokens(self.spent.tokens.saturating_add(life.tokens))));
        parts.push(money(self.spent.micro_usd.saturating_add(life.micro_usd)));
        parts.push(format!("run {}", whole_seconds(now.ms_since(self.began_at))));
        if life.output_bytes > 0 {
            parts.push(format!("{} printed", size(life.output_bytes)));
        }
        parts.extend(last);
        cut(&clean(&parts.join("  ")), columns_max).to_owned()
    }

    /// One line for a log in which nothing has come for a while.
    pub fn heartbeat(&self, now: Timestamp, life: Life) -> Styled {
        let text = match &self.doing {
            Doing::Step { name, task } => format!(
                "[ -- ] still running: {name} {task} for {}, {} printed, {} tok, {}",
                whole_seconds(now.ms_since(self.last_at)),
                size(life.output_bytes),
                tokens(life.tokens),
                money(life.micro_usd),
            ),
            Doing::Holding { until } => {
                let left = whole_seconds(until.ms_since(now));
                format!("[ -- ] still waiting for a usage limit; going on in {left}")
            }
            Doing::Nothing => "[ -- ] still running: between phases".to_owned(),
        };
        Styled::new(Tone::Faint, clean(&text))
    }
}

/// A length of time that changes once a second and no more often.
fn whole_seconds(ms: u64) -> String {
    duration(ms / SECOND_MS * SECOND_MS)
}

fn doing(run: &Run) -> Doing {
    if let Some(until) = run.wakes_at() {
        return Doing::Holding { until };
    }
    if let Some(issue) = run.work.issue() {
        let Some(step) = issue.stage.step(issue.step) else { return Doing::Nothing };
        let name = step.as_str().trim_start_matches("issue/").to_uppercase();
        let number = issue.spec.number;
        return Doing::Step { name: format!("issue {number} {name}"), task: String::new() };
    }
    let phases = run.work.phases();
    let active = phases.active.iter().find_map(|&at| match &phases.list[at].status {
        Status::Active(active) => Some((&phases.list[at].spec.id, active)),
        Status::Waiting | Status::Closed(_) => None,
    });
    let Some((id, active)) = active else { return Doing::Nothing };
    let task = active.stage.task().map_or("", |task| active.task_name(task));
    Doing::Step { name: format!("phase {id} {}", word(&active.stage)), task: task.to_owned() }
}

/// What a stage is called: as one of the nine steps, or as what follows them.
fn word(stage: &Stage) -> &'static str {
    #[expect(clippy::wildcard_enum_match_arm, reason = "all others are among the nine steps")]
    match stage {
        Stage::Integrate(_) => "INTEGRATE",
        Stage::Reject(_) => "REJECT",
        step => STEPS[step.shown_as()],
    }
}

#[cfg(test)]
mod tests {
    use autopilot_core::phases::PhaseFact;

    use super::*;
    use crate::{
        columns,
        story::{self, Story},
    };

    const SECOND: u64 = 1_000;

    fn executing() -> Moment {
        let mut story = Story::of(2);
        story.begin();
        story.tell(PhaseFact::Planned { tasks: story::plan(), remarks: Vec::new() });
        story.tell(PhaseFact::Entered(Stage::Execute(0)));
        Moment::of(&story.run)
    }

    /// The same with a name for its task that no plan may give.
    fn named(task: &str) -> Moment {
        let doing = Doing::Step { name: "phase 1 EXECUTE".to_owned(), task: task.to_owned() };
        Moment { doing, ..executing() }
    }

    fn later(moment: &Moment, ms: u64) -> Timestamp {
        moment.last_at.plus_ms(ms)
    }

    #[test]
    fn the_bar_tells_how_long_the_step_takes_and_what_it_uses_meanwhile() {
        let moment = executing();
        let life = Life { output_bytes: 12_345, tokens: 4_200, micro_usd: 420_000 };
        assert_eq!(
            moment.bar(later(&moment, 83 * SECOND), life, 120),
            "[--------------------] 0/2  phase 1 EXECUTE 1m 23s  4.2k tok  $0.42  run 1m 26s  \
             12.0 KiB printed  1-01"
        );
    }

    #[test]
    fn the_bar_is_never_wider_than_the_terminal() {
        let moment = named("中文\u{1b}[2J\u{202e}");
        for width in 0..140 {
            let bar = moment.bar(later(&moment, SECOND), Life::default(), width);
            assert!(columns(&bar) <= width, "{width}: {bar}");
            assert!(!bar.contains(['\u{1b}', '\u{202e}']), "{bar:?}");
        }
    }

    #[test]
    fn a_heartbeat_tells_that_the_step_goes_on_in_one_harmless_line() {
        let moment = named("1-01\n\u{1b}[2J");
        let life = Life { output_bytes: 900, ..Life::default() };
        assert_eq!(
            moment.heartbeat(later(&moment, 300 * SECOND), life).text,
            "[ -- ] still running: phase 1 EXECUTE 1-01 / \\u{1b}[2J for 5m 00s, 900 bytes printed, 0 tok, $0.00"
        );
    }

    #[test]
    fn what_follows_the_nine_steps_has_its_own_name() {
        let mut story = Story::of(1);
        story.begin();
        story.tell(PhaseFact::Entered(Stage::Reject("why".to_owned())));
        let moment = Moment::of(&story.run);
        assert!(moment.bar(later(&moment, 0), Life::default(), 80).contains("phase 1 REJECT 0s"));
    }
}
