//! What a person sees at a terminal, and in a log, while a step takes its time.

use std::{collections::BTreeSet, fs, time::Duration};

use autopilot_testkit::processes::guardian_in;
use rustix::process::{Pid, Signal, kill_process};

use crate::harness::{Engine, Project, Sample, Terminal, agent, awaited, part, sign, until};

/// How long something on the screen may take to appear.
const SHOWN_WAIT: Duration = Duration::from_secs(20);

/// A project whose executor uses money and works until it is told to go on.
fn busy() -> Project {
    let usage = "{ usage = { tokens = 1500, micro_usd = 420000 } }".to_owned();
    let actions = [usage, sign("working"), until("go"), part(1)].join(", ");
    Project::scripted(&agent("executor", 1, &actions, ""))
}

fn go_on(project: &Project) {
    fs::write(project.path("signs/go"), "").expect("writable");
}

/// What a terminal shows in the end: lines, after carriage returns and emptied lines have done their work.
struct Screen {
    lines: Vec<String>,
}

impl Screen {
    /// Obeys everything that the program may send; anything else is a failure.
    fn after(text: &str) -> Self {
        let mut screen = Self { lines: vec![String::new()] };
        let (mut rest, mut column) = (text, 0);
        while let Some(character) = rest.chars().next() {
            let line = screen.lines.last_mut().expect("there is always one");
            if let Some(after) = rest.strip_prefix("\u{1b}[K") {
                line.truncate(column);
                rest = after;
                continue;
            }
            rest = &rest[character.len_utf8()..];
            match character {
                '\r' => column = 0,
                '\n' => screen.lines.push(String::new()),
                plain => {
                    assert!(plain.is_ascii() && !plain.is_control(), "{plain:?} in {text:?}");
                    line.replace_range(column..line.len().min(column + 1), &plain.to_string());
                    column += 1;
                }
            }
        }
        screen
    }

    #[track_caller]
    fn holds_no_bar(&self) {
        let left: Vec<_> = self.lines.iter().filter(|line| is_bar(line)).collect();
        assert!(left.is_empty(), "{left:?} in {:#?}", self.lines);
    }
}

/// Whether a line is the bar or what is left of it.
fn is_bar(line: &str) -> bool {
    line.contains("[#") || line.contains("[--")
}

/// The bars that were drawn for a step, in order, each once.
fn bars(text: &str, step: &str) -> Vec<String> {
    let drawn = text.split('\r').map(|piece| piece.split('\u{1b}').next().unwrap_or_default());
    let mut bars: Vec<String> =
        drawn.filter(|piece| is_bar(piece) && piece.contains(step)).map(str::to_owned).collect();
    bars.dedup();
    bars
}

/// How long a step had taken, as each of the bars told it.
fn times<'a>(bars: &'a [String], step: &str) -> BTreeSet<&'a str> {
    let time = |bar: &'a String| bar.split(step).nth(1)?.trim_start().split("  ").next();
    bars.iter().filter_map(time).collect()
}

/// Waits until the execution was shown with so many different times.
#[track_caller]
fn await_times(terminal: &Terminal, count: usize) -> Vec<String> {
    awaited("the bar is drawn anew", SHOWN_WAIT, || {
        times(&bars(&terminal.shown(), "EXECUTE"), "EXECUTE").len() >= count
    });
    bars(&terminal.shown(), "EXECUTE")
}

/// Ends the program and gives everything that it wrote.
#[track_caller]
fn ended(engine: Engine, terminal: Terminal, code: i32) -> String {
    engine.wait().expect(code);
    // What was written before the end may still be on its way to the reader.
    let mut before = String::new();
    awaited("all of it is read", SHOWN_WAIT, || {
        let now = terminal.shown();
        std::mem::replace(&mut before, now.clone()) == now && !now.is_empty()
    });
    terminal.hang_up();
    before
}

#[test]
fn the_bar_lives_while_a_step_runs_fits_the_terminal_and_leaves_nothing() {
    let project = busy();
    let (terminal, engine) = Terminal::start_with(&project, &["run"], 60, &[("NO_COLOR", "1")]);
    project.await_sign("working");
    let bars = await_times(&terminal, 3);
    go_on(&project);
    for shown in ["0/1", "phase 1 EXECUTE ", "1.5k tok", "$0.42"] {
        assert!(bars.last().expect("three").contains(shown), "{shown}: {bars:?}");
    }
    let text = ended(engine, terminal, 0);
    let drawn = self::bars(&text, "phase 1");
    assert!(drawn.len() > bars.len(), "every step was shown: {drawn:?}");
    for bar in drawn {
        assert!(bar.len() <= 60, "{} columns: {bar}", bar.len());
    }
    let screen = Screen::after(&text);
    screen.holds_no_bar();
    for line in ["[Phase 1] [PASS] EXECUTE complete. (", "=== [PHASE 1/1] Complete: 9.4/10 | "] {
        assert!(screen.lines.iter().any(|shown| shown.starts_with(line)), "{:#?}", screen.lines);
    }
}

#[test]
fn the_bar_follows_the_width_of_the_terminal() {
    let project = busy();
    let (terminal, engine) = Terminal::start_with(&project, &["run"], 120, &[]);
    project.await_sign("working");
    let wide = await_times(&terminal, 1).pop().expect("one");
    assert!(wide.contains("[--------------------]"), "{wide}");
    terminal.resize(30);
    let narrow = || bars(&terminal.shown(), "phase 1").pop().is_some_and(|bar| bar.len() < 30);
    awaited("it is narrow", SHOWN_WAIT, narrow);
    go_on(&project);
    ended(engine, terminal, 0);
}

#[test]
fn an_interrupt_at_the_terminal_leaves_nothing_of_the_bar() {
    let project = busy();
    let (terminal, engine) = Terminal::start_with(&project, &["run"], 100, &[("NO_COLOR", "1")]);
    project.await_sign("working");
    await_times(&terminal, 1);
    terminal.press("\u{3}");
    let screen = Screen::after(&ended(engine, terminal, 130));
    screen.holds_no_bar();
    assert!(screen.lines.iter().any(|line| line.contains("`autopilot resume` goes on")));
}

#[test]
fn a_second_interrupt_leaves_nothing_of_the_bar_either() {
    let project = busy();
    let variables = [("NO_COLOR", "1")];
    let (terminal, mut engine) = Terminal::start_with(&project, &["run"], 100, &variables);
    project.await_sign("working");
    await_times(&terminal, 1);
    // A guardian that stands still ends no agent, so only the second interrupt can end the program.
    let guardian = Pid::from_raw(guardian_in(&project.sandbox.root())).expect("an id");
    kill_process(guardian, Signal::STOP).expect("it is ours");
    awaited("the second one ends it", Duration::from_secs(5), || {
        let runs = engine.is_running();
        if runs {
            terminal.press("\u{3}");
        }
        !runs
    });
    let text = ended(engine, terminal, 130);
    kill_process(guardian, Signal::CONT).expect("it is ours");
    let screen = Screen::after(&text);
    screen.holds_no_bar();
    assert!(text.contains("stopped now; `autopilot resume` goes on"), "{text:?}");
    assert!(!text.contains("goes on from here"), "it ended where it stood: {text:?}");
    project.await_no_agents(Duration::from_secs(1));
}

#[test]
fn a_terminal_that_knows_no_bar_gets_plain_lines() {
    let project = Project::honest(1);
    let (terminal, engine) = Terminal::start_with(&project, &["run"], 100, &[("TERM", "dumb")]);
    let text = ended(engine, terminal, 0);
    assert!(text.contains("[Phase 1] [PASS] RATE complete."), "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
    assert!(!text.replace("\r\n", "\n").contains('\r'), "{text:?}");
}

#[test]
fn colours_are_for_terminals_of_people_who_want_them() {
    let project = Project::honest(1);
    let (terminal, engine) = Terminal::start_with(&project, &["run"], 100, &[]);
    let text = ended(engine, terminal, 0);
    assert!(text.contains("\u{1b}[32m[Phase 1] [PASS] RATE complete."), "{text:?}");
    let other = Project::honest(1);
    let (terminal, engine) = Terminal::start_with(&other, &["run"], 100, &[("NO_COLOR", "1")]);
    let text = ended(engine, terminal, 0);
    assert!(!text.contains("\u{1b}[3") && !text.contains("\u{1b}[1m"), "{text:?}");
}

#[test]
fn c49_a_log_gets_a_sign_of_life_from_a_long_step_and_no_bar() {
    let say = "{ say = { text = \"thinking\" } }".to_owned();
    let actions = [say, sign("working"), until("go"), part(1)].join(", ");
    let config = "[run]\nheartbeat_seconds = 1\n".to_owned();
    let script = agent("executor", 1, &actions, "");
    let project = Project::new(&Sample { phases: 1, script, config });
    let engine = project.start(&["run"]);
    let beats = || engine.said().matches("[ -- ] still running: phase 1 EXECUTE 1-01 for ").count();
    awaited("two signs of life", SHOWN_WAIT, || beats() >= 2);
    go_on(&project);
    let output = engine.wait().expect(0);
    let beat = output.stderr.lines().find(|line| line.contains("still running")).expect("two");
    assert!(beat.contains(" bytes printed, 0 tok, $0.00") && !beat.contains(" 0 bytes "), "{beat}");
    assert!(!output.stderr.contains(['\r', '\u{1b}']), "{}", output.shown());
}

#[test]
fn a_log_of_short_steps_gets_no_signs_of_life() {
    let project = Project::honest(1);
    let output = project.run(&["run"]).expect(0);
    assert!(!output.stderr.contains("still running"), "{}", output.shown());
}
