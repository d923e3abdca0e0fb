//! The built program from outside: how fast it starts, and how much memory its engine needs.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use autopilot_testkit::{processes::anonymous_bytes, repository::Sandbox};

use super::measure::{Row, Samples};
use crate::shell::{self, Outcome, say};

const STARTS: usize = 300;
const START_RATIO_MAX: f64 = 1.35;
const PHASES: usize = 100;
const MEMORY_KIB_MAX: u64 = 7 << 10;
const FLOOD_MEMORY_KIB_MAX: u64 = 12 << 10;
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// An agent for all roles that needs nothing but a shell. `FLOOD` is how many MiB the executor prints.
const AGENT: &str = r#"
plan=".planning/phases/$AUTOPILOT_PHASE-part-$AUTOPILOT_PHASE/PLAN.md"
case "$AUTOPILOT_ROLE" in
  researcher) echo '{"key_findings": [], "recommended_approach": "do it"}' ;;
  planner)
    mkdir -p "${plan%/*}"
    cat > "$plan" <<END
<task id="$AUTOPILOT_PHASE-01" type="auto" complexity="simple">
<name>Make it</name>
<files>part-$AUTOPILOT_PHASE</files>
<action>Write the file part-$AUTOPILOT_PHASE into the root of the project so that its one line holds the word there and nothing else.</action>
<acceptance_criteria>
- it is there -- verified by: \`echo there | cmp -s - part-$AUTOPILOT_PHASE\`
</acceptance_criteria>
<verify>look</verify>
<done>it is there</done>
</task>
END
    echo '{}' ;;
  plan-checker) echo '{"pass": true, "confidence": 9}' ;;
  executor)
    echo there > "part-$AUTOPILOT_PHASE"
    test "${FLOOD:-0}" = 0 || yes 'a line of a flood that goes on and on and on and on' | head -c "${FLOOD}M"
    echo; echo '{"tasks_completed": "1/1"}' ;;
  verifier) echo '{"pass": true, "commands_run": ["test -f"]}' ;;
  judge) echo '{"recommendation": "proceed", "concerns": ["none"], "independent_evidence": ["I read the change"], "divergence_analysis": "none", "verifier_agreement": true, "verifier_missed": []}' ;;
  rater) echo '{"alignment_score": 9.4, "scorecard": [{"criterion": "all", "score": 9.4, "evidence": "part-'"$AUTOPILOT_PHASE"':1", "justification": "it is there"}]}' ;;
  *) echo '{"fixed": true}' ;;
esac
"#;

/// Measures `--version` and `status` beside a program with nothing behind its command line.
pub(crate) fn startup() -> Outcome {
    let setting = Setting::new(2, "0")?;
    let programs = Programs::build()?.installed(&setting.sandbox.root())?;
    setting.run_to_end(&programs.autopilot)?;
    let mut version = row("autopilot --version");
    let mut status = row("autopilot status, a small run");
    for _ in 0..STARTS {
        let floor = setting.time(&programs.floor, &["--version"])?;
        version.floor.add(floor);
        status.floor.add(floor);
        version.ours.add(setting.time(&programs.autopilot, &["--version"])?);
        status.ours.add(setting.time(&programs.autopilot, &["status"])?);
    }
    say(&format!("start-up: {STARTS} starts of each, in turns\n{}", Row::heading()))?;
    say(&version.line())?;
    say(&status.line())?;
    if version.is_met() && status.is_met() { Ok(()) } else { Err("a target was missed".to_owned()) }
}

/// Measures the anonymous memory of the engine over a long run and under a flood.
pub(crate) fn memory() -> Outcome {
    let programs = Programs::build()?;
    let long = Setting::new(PHASES, "0")?.peak(&programs.autopilot)?;
    say(&format!(
        "anonymous memory of the engine, a run of {PHASES} phases: {:.1} MiB (at most {} MiB)\n",
        mib(long),
        MEMORY_KIB_MAX >> 10
    ))?;
    let flood = Setting::new(1, "500")?.peak(&programs.autopilot)?;
    say(&format!(
        "anonymous memory of the engine, an agent that prints 500 MiB: {:.1} MiB (at most {} MiB)\n",
        mib(flood),
        FLOOD_MEMORY_KIB_MAX >> 10
    ))?;
    if long <= MEMORY_KIB_MAX && flood <= FLOOD_MEMORY_KIB_MAX {
        Ok(())
    } else {
        Err("a target was missed".to_owned())
    }
}

fn row(what: &str) -> Row {
    let ratio_max = START_RATIO_MAX;
    Row { what: what.to_owned(), floor: Samples::default(), ours: Samples::default(), ratio_max }
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn mib(kib: u64) -> f64 {
    kib as f64 / 1024.0
}

/// The programs as people get them.
struct Programs {
    autopilot: PathBuf,
    floor: PathBuf,
}

impl Programs {
    fn build() -> Result<Self, String> {
        let autopilot = shell::build("autopilot", "autopilot")?;
        Ok(Self { autopilot, floor: shell::build("xtask", "floor-clap")? })
    }

    /// Copies of both, as an installation makes them: the system keeps a file that was written in one go in larger
    /// pieces than one that a linker has put together, and starts it faster.
    fn installed(&self, directory: &Path) -> Result<Self, String> {
        let copy = |program: &Path| {
            let to = directory.join(program.file_name().unwrap_or_default());
            fs::copy(program, &to).map(|_| to).map_err(|error| error.to_string())
        };
        Ok(Self { autopilot: copy(&self.autopilot)?, floor: copy(&self.floor)? })
    }
}

/// A project with phases that one agent does.
pub(super) struct Setting {
    sandbox: Sandbox,
    flood: String,
}

impl Setting {
    pub(super) fn new(phases: usize, flood: &str) -> Result<Self, String> {
        let sandbox = Sandbox::new();
        let agent = sandbox.root().join("agent.sh");
        fs::write(&agent, AGENT).map_err(|error| error.to_string())?;
        let mut roadmap = "# Roadmap\n\n".to_owned();
        for number in 1..=phases {
            writeln!(roadmap, "- [ ] **Phase {number}: Part {number}**")
                .map_err(|error| error.to_string())?;
        }
        sandbox.write(".planning/ROADMAP.md", &roadmap);
        let config = format!(
            "[agents.mine]\nprogram = [\"/bin/sh\", {:?}]\npass_env = [\"FLOOD\"]\n[roles]\ndefault = \"mine\"\n[run]\naudit = false\n",
            agent.display().to_string()
        );
        sandbox.write("autopilot.toml", &config);
        sandbox.commit("roadmap");
        Ok(Self { sandbox, flood: flood.to_owned() })
    }

    pub(super) fn project(&self) -> std::path::PathBuf {
        self.sandbox.project()
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .envs(self.sandbox.environment())
            .env("XDG_STATE_HOME", self.sandbox.state())
            .env("FLOOD", &self.flood)
            .current_dir(self.sandbox.project())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn time(&self, program: &Path, arguments: &[&str]) -> Result<Duration, String> {
        let mut command = self.command(program, arguments);
        let started = Instant::now();
        let status = command.status().map_err(|error| error.to_string())?;
        let time = started.elapsed();
        if status.success() { Ok(time) } else { Err(format!("{arguments:?} ended with {status}")) }
    }

    pub(super) fn run_to_end(&self, program: &Path) -> Outcome {
        self.time(program, &["run", "--complete"]).map(drop)
    }

    /// The most anonymous memory that the engine had while it ran.
    fn peak(&self, program: &Path) -> Result<u64, String> {
        let mut engine = self
            .command(program, &["run", "--complete"])
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut peak = 0;
        loop {
            peak = peak.max(anonymous_bytes(engine.id()).unwrap_or(0) >> 10);
            match engine.try_wait().map_err(|error| error.to_string())? {
                Some(status) if status.success() => return Ok(peak),
                Some(status) => return Err(format!("the engine ended with {status}")),
                None => thread::sleep(LOOK_EVERY),
            }
        }
    }
}
