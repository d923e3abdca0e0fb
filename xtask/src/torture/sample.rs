//! The run that is cut off at any moment, and what it must come to all the same.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use autopilot_testkit::{
    processes::{all_in, awaited},
    program::{End, Project, Sample, agent, check_books, part, plan, sh},
};

/// How long anything may outlive the run.
const SURVIVAL_MAX: Duration = Duration::from_secs(1);
const ROLES: [&str; 6] = ["researcher", "plan-checker", "verifier", "judge", "rater", "debugger"];

/// What an uninterrupted run comes to.
pub(crate) struct Expected {
    pub(crate) program: PathBuf,
    pub(crate) agent_runs: usize,
    end: End,
}

impl Expected {
    /// Runs a project made from [`sample`] to its end.
    pub(crate) fn of(project: &Project, notes: &Path) -> Self {
        project.run(&["run", "--complete"]).expect(0);
        let end = project.end();
        for phase in 1..=project.phase_states().len() {
            // The gates that no interruption may skip are in the sample, or their presence would prove nothing.
            for gate in ["checked \"passed\"", "verified true", "judged \"proceed\"", "rated"] {
                let gate = format!("\"{phase}\" {gate}");
                assert!(
                    end.decisions.iter().any(|made| made.starts_with(&gate)),
                    "{gate}: {end:#?}"
                );
            }
        }
        Self { program: project.program().to_owned(), agent_runs: agent_runs(notes).len(), end }
    }

    /// Panics unless a run has come to the same end and nothing is left of it.
    pub(crate) fn check(&self, project: &Project, notes: &Path, interruptions: usize) {
        project.expect_end(&self.end);
        check_books(project);
        let runs = agent_runs(notes).len();
        let planned = self.agent_runs..=self.agent_runs + interruptions;
        assert!(planned.contains(&runs), "{runs} agents ran; planned were {planned:?}");
        let root = project.sandbox.root();
        awaited("nothing is alive", SURVIVAL_MAX, || all_in(&root).is_empty());
    }
}

/// Who has run so far: a line for each agent, with its phase, role and attempt.
pub(crate) fn agent_runs(notes: &Path) -> Vec<String> {
    fs::read_to_string(notes).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// So many phases. In the last one the executor hands in what is red, and a debugger repairs it. Every agent leaves
/// a line in the file `notes`.
pub(crate) fn sample(notes: &str, phases: usize) -> Sample {
    let note = sh(&format!("echo $AUTOPILOT_PHASE $AUTOPILOT_ROLE $AUTOPILOT_ATTEMPT >> {notes}"));
    let wrong = format!("{{ write = {{ path = \"part-{phases}.txt\", text = \"wrong\\n\" }} }}");
    let mut script = String::new();
    for phase in 1..=phases {
        let done = if phase == phases { wrong.clone() } else { part(phase) };
        script += &plan(phase, "", &format!("{note}, "));
        script += &agent("executor", phase, &[note.clone(), done].join(", "), "");
        for role in ROLES {
            let actions = match role {
                "debugger" => [note.clone(), part(phase)].join(", "),
                _ => note.clone(),
            };
            script += &agent(role, phase, &actions, "");
        }
    }
    Sample { phases, script, ..Sample::default() }
}
