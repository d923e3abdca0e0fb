//! A run that meets the end of its disk, and what must come of it.

use std::time::Duration;

use autopilot_testkit::program::{Output, Project, Sample, agent, part, sh};
use serde_json::Value;

/// An agent that is still busy, with a daemon beside it, when the engine meets the end of the disk.
pub(crate) fn sample() -> Sample {
    let daemon = "{ daemon = { seconds = 600 } }".to_owned();
    let script = (1..=3)
        .map(|phase| {
            let busy = [daemon.clone(), part(phase), sh("sleep 600 & sleep 0.02")];
            agent("executor", phase, &busy.join(", "), "")
        })
        .collect();
    Sample { phases: 3, script, ..Sample::default() }
}

/// Panics unless the run stopped as it should for want of space.
pub(crate) fn check_stopped(project: &Project, output: &Output) -> Vec<Value> {
    assert_eq!(output.code, Some(74), "{}", output.shown());
    for part in ["error: ", "why it matters: ", "what to do: "] {
        assert!(output.stderr.contains(part), "{}", output.shown());
    }
    assert!(output.stderr.contains(".autopilot/journal"), "{}", output.shown());
    project.await_no_agents(Duration::from_secs(1));
    project.await_guardian(Duration::from_secs(5));
    project.facts()
}

/// Panics unless the resumed run went on from exactly what was recorded.
pub(crate) fn check_resumed(project: &Project, recorded: &[Value]) {
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed", "2 completed", "3 completed"]);
    assert_eq!(project.facts()[..recorded.len()], *recorded, "nothing acknowledged is lost");
    project.run(&["audit"]).expect(0);
}
