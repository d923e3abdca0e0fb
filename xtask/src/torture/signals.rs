//! `cargo xtask torture signals [ROUNDS [SEED]]`: everything that can strike an engine from outside, with
//! every kind of agent, at several moments.
//!
//! Whatever strikes, nothing of the run is alive a second later, and going on leads to the same end.

use std::{
    fmt, fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use autopilot_testkit::{
    processes::{Mark, agents_in, all_in, awaited},
    program::{End, Engine, Project, Sample, Terminal, check_books},
    repository::write,
    sim::Chance,
};
use rustix::process::Signal;

use super::world::{attempt, play, verdict};
use crate::shell::{self, Outcome, number, say};

const ROUNDS: u64 = 2;
const SEED: u64 = 1;
/// One at a time: times are measured.
const WORKERS: usize = 1;
/// How long processes of agents may outlive what struck.
const SURVIVAL_MAX: Duration = Duration::from_secs(1);
/// Survivors are waited for longer than they may live, to tell a slow end from none.
const PATIENCE: Duration = Duration::from_secs(10);
/// Between two of the same signal, which would be one if the first had not arrived.
const BETWEEN: Duration = Duration::from_millis(30);
/// How long a suspended run is left alone.
const PAUSE: Duration = Duration::from_millis(200);
/// How often in a round a moment is left to chance.
const CHANCES: usize = 3;

/// An agent with a habit, which is in the agent's own process and not in a child of it.
const AGENT: &str = r#". "$HOME/habit.sh"
echo
case "$AUTOPILOT_ROLE" in
  executor) echo 'part 1' > part-1.txt; echo '{"tasks_completed": "1/1"}' ;;
  *) echo '{"key_findings": [], "recommended_approach": "do it"}' ;;
esac
"#;

/// What strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blow {
    Kill,
    Terminate,
    Interrupt,
    HangUp,
    InterruptTwice,
    Suspend,
    LoseTerminal,
}

const BLOWS: [Blow; 7] = [
    Blow::Kill,
    Blow::Terminate,
    Blow::Interrupt,
    Blow::HangUp,
    Blow::InterruptTwice,
    Blow::Suspend,
    Blow::LoseTerminal,
];

/// What agents and commands do that makes them hard to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Habit {
    Grandchild,
    Daemon,
    Deaf,
    Flood,
}

const HABITS: [Habit; 4] = [Habit::Grandchild, Habit::Daemon, Habit::Deaf, Habit::Flood];

/// When it strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// While the first agent works.
    Research,
    /// While an agent works that writes.
    Execute,
    /// While a verification command runs.
    Check,
    /// After so many milliseconds, whatever is going on.
    After(u64),
}

#[derive(Clone, Copy, Debug)]
struct Case {
    blow: Blow,
    habit: Habit,
    moment: Moment,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {:?}, {:?}", self.blow, self.habit, self.moment)
    }
}

/// Strikes in every combination.
pub(crate) fn run(words: &[&str]) -> Outcome {
    let given = |at: usize, usual: u64| words.get(at).map_or(Ok(usual), |word| number(word));
    let (rounds, seed) = (given(0, ROUNDS)?, given(1, SEED)?);
    let program = shell::build("autopilot", "autopilot")?;
    let (expected, life) = attempt(|| uninterrupted(&program))?;
    let cases = cases(rounds, seed, life);
    say(&format!(
        "signals: {} blows, {} kinds of agents, 3 fixed moments and {CHANCES} random ones (seed {seed}), {rounds} times\n",
        BLOWS.len(),
        HABITS.len(),
    ))?;
    let played = play(&cases, WORKERS, |case| case.play(&program, &expected));
    let mut failures = Vec::new();
    for blow in BLOWS {
        let (mut count, mut over, mut slowest) = (0, 0, Duration::ZERO);
        for (case, result) in cases.iter().zip(&played).filter(|(case, _)| case.blow == blow) {
            match result {
                Ok(None) => over += 1,
                Ok(Some(survived)) => (count, slowest) = (count + 1, slowest.max(*survived)),
                Err(why) => failures.push(format!("- {case}\n  {why}")),
            }
        }
        say(&format!(
            "  {:<16} {count:>4} struck, all gone after at most {} ms; {over} were over before\n",
            format!("{blow:?}"),
            slowest.as_millis(),
        ))?;
    }
    verdict("blows without a survivor after 1 s and with the same end", cases.len(), &failures)
}

fn cases(rounds: u64, seed: u64, life: Duration) -> Vec<Case> {
    let life_ms = u64::try_from(life.as_millis()).unwrap_or(u64::MAX).max(1);
    let mut chance = Chance::of(seed, "signals");
    let mut cases = Vec::new();
    for _ in 0..rounds {
        for blow in BLOWS {
            for habit in HABITS {
                let fixed = [Moment::Research, Moment::Execute, Moment::Check];
                let any = (0..CHANCES).map(|_| Moment::After(chance.below(life_ms)));
                let any: Vec<Moment> = any.collect();
                cases.extend(fixed.into_iter().chain(any).map(|moment| Case {
                    blow,
                    habit,
                    moment,
                }));
            }
        }
    }
    cases
}

/// The end of a run that nothing strikes, and how long it takes.
fn uninterrupted(program: &Path) -> (End, Duration) {
    let case = Case { blow: Blow::Kill, habit: Habit::Grandchild, moment: Moment::After(0) };
    let project = case.project(program, &Mark::new());
    let began = Instant::now();
    project.run(&["run", "--complete"]).expect(0);
    let life = began.elapsed();
    (project.end(), life)
}

impl Case {
    /// Strikes, looks for survivors and goes on; tells how long the last survivor lived, unless the run was
    /// over before it could strike.
    fn play(self, program: &Path, expected: &End) -> Option<Duration> {
        let mark = Mark::new();
        let project = self.project(program, &mark);
        let (terminal, mut engine) = self.start(&project);
        self.await_moment(&project, &mark);
        let is_over = !engine.is_running();
        for (at, signal) in self.blow.signals().iter().enumerate().filter(|_| !is_over) {
            if at > 0 {
                thread::sleep(BETWEEN);
            }
            engine.signal(*signal);
        }
        if let Some(terminal) = terminal {
            terminal.hang_up();
        }
        if self.blow == Blow::Suspend {
            self.go_on_after_a_pause(&project, &mark, &mut engine);
            awaited("the run ends", PATIENCE, || !engine.is_running());
        }
        let survived = survival(&project, &mark);
        let code = engine.wait().code;
        assert!(self.codes().contains(&code), "it ended with {code:?}");
        assert!(survived <= SURVIVAL_MAX, "the last survivor lived for {survived:?}");
        write(&project.path("signs/go"), "");
        project.go_on().wait().expect(0);
        project.expect_end(expected);
        check_books(&project);
        let left = survival(&project, &mark);
        assert!(left <= SURVIVAL_MAX, "something outlived the run for {left:?}");
        (!is_over).then_some(survived)
    }

    fn start(self, project: &Project) -> (Option<Terminal>, Engine) {
        let words = &["run", "--complete"];
        match self.blow {
            Blow::LoseTerminal => {
                let (terminal, engine) = Terminal::start(project, words);
                (Some(terminal), engine)
            }
            Blow::Suspend => (None, project.start_apart(words)),
            _ => (None, project.start(words)),
        }
    }

    fn await_moment(self, project: &Project, mark: &Mark) {
        if let Moment::After(ms) = self.moment {
            thread::sleep(Duration::from_millis(ms));
        } else {
            project.await_sign("working");
            awaited("they all run", PATIENCE, || !mark.bearers().is_empty());
        }
    }

    /// How the engine may end: in order, unless it is killed, not listening yet, or done already.
    fn codes(self) -> Vec<Option<i32>> {
        match (self.moment, self.blow) {
            (_, Blow::Suspend) => vec![Some(0)],
            (Moment::After(_), _) => vec![Some(130), None, Some(0)],
            (_, Blow::Kill) => vec![None],
            _ => vec![Some(130)],
        }
    }

    /// Leaves a suspended engine alone for a while and lets it go on.
    fn go_on_after_a_pause(self, project: &Project, mark: &Mark, engine: &mut Engine) {
        let state = format!("/proc/{}/stat", engine.pid());
        let is_stopped = || fs::read_to_string(&state).unwrap_or_default().contains(") T ");
        awaited("it is suspended", PATIENCE, || is_stopped() || !engine.is_running());
        thread::sleep(PAUSE);
        if !matches!(self.moment, Moment::After(_)) {
            assert!(!mark.bearers().is_empty(), "a pause is not an end");
        }
        write(&project.path("signs/go"), "");
        if engine.is_running() {
            engine.signal(Signal::CONT);
        }
    }

    /// A phase whose agents, or whose verification command, have the habit and wait for a sign to go on.
    fn project(self, program: &Path, mark: &Mark) -> Project {
        let at = |moment| self.moment == moment || matches!(self.moment, Moment::After(_));
        // The first lines go on with the table of roles.
        let role =
            |name, moment| if at(moment) { format!("{name} = \"habit\"\n") } else { String::new() };
        let roles = role("researcher", Moment::Research) + &role("executor", Moment::Execute);
        let config = roles + "[agents.habit]\nprogram = [\"sh\", \"ROOT/home/agent.sh\"]\n";
        let project = Project::new(program, &Sample { phases: 1, config, ..Sample::default() });
        // The habit is for the check of the work; before the work there is nothing to check.
        let check = if at(Moment::Check) { ". \"$HOME/habit.sh\"" } else { ":" };
        write(&project.path("home/check.sh"), format!("test -e part-1.txt || exit 1\n{check}\n"));
        write(&project.path("home/agent.sh"), AGENT);
        write(&project.path("home/habit.sh"), self.habit.script(mark));
        let roadmap = project.sandbox.project().join(".planning/ROADMAP.md");
        let text = fs::read_to_string(&roadmap).expect("it is there");
        let checked = ". \"$HOME/check.sh\" && grep -qx 'part 1' part-1.txt";
        write(&roadmap, text.replace("grep -qx 'part 1' part-1.txt", checked));
        project.sandbox.commit("a check with a habit");
        if matches!(self.moment, Moment::After(_)) {
            write(&project.path("signs/go"), "");
        }
        project
    }
}

/// Waits until nothing is left of a run, engine and guardian included, and tells how long agents were seen.
fn survival(project: &Project, mark: &Mark) -> Duration {
    let root = project.sandbox.root();
    let began = Instant::now();
    let mut seen = Duration::ZERO;
    awaited("nothing is alive", PATIENCE, || {
        let agents = agents_in(&root).len() + mark.bearers().len();
        if agents > 0 {
            seen = began.elapsed();
        }
        agents == 0 && all_in(&root).is_empty()
    });
    seen
}

impl Blow {
    /// What is sent to the engine; a terminal that goes away sends by itself.
    fn signals(self) -> &'static [Signal] {
        match self {
            Self::Kill => &[Signal::KILL],
            Self::Terminate => &[Signal::TERM],
            Self::Interrupt => &[Signal::INT],
            Self::HangUp => &[Signal::HUP],
            Self::InterruptTwice => &[Signal::INT, Signal::INT],
            Self::Suspend => &[Signal::TSTP],
            Self::LoseTerminal => &[],
        }
    }
}

impl Habit {
    /// What is left running, and the wait for a sign. The mark finds what has no environment, too.
    fn script(self, mark: &Mark) -> String {
        let mark = mark.as_str();
        let (habit, after) = match self {
            Self::Grandchild => (format!("sh -c 'sleep {mark} & sleep {mark}' &"), ""),
            Self::Daemon => (format!("setsid sh -c 'env -i sleep {mark} & :'"), ""),
            Self::Deaf => (format!("trap '' TERM INT HUP QUIT; sleep {mark} &"), ""),
            // A flood that never ended would bury the agent's return.
            Self::Flood => (format!("yes {mark} &"), "kill $!"),
        };
        format!(
            "{habit}\ntouch \"$HOME/../signs/working\"\n\
             until test -e \"$HOME/../signs/go\"; do sleep 0.01; done\n{after}\n:\n"
        )
    }
}
