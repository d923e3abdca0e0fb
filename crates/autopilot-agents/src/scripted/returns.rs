//! What a scripted agent returns when its script does not say.

use autopilot_core::{returns::Sitting, role::Role};
use serde_json::{Value, json};

/// The return of an agent that is content with everything.
pub fn default_return(role: Role, sitting: Sitting) -> Value {
    if (role, sitting) == (Role::Judge, Sitting::Second) {
        return json!({
            "divergence_analysis": {"agreed": ["what must hold holds"], "disagreed": []},
            "verifier_agreement": true,
            "verifier_missed": [],
        });
    }
    match role {
        Role::Researcher => json!({
            "key_findings": ["the project is small and plain"],
            "recommended_approach": "do what the goal says, test first",
        }),
        Role::Planner => json!({"plans_created": 1, "total_tasks": 1, "concerns": []}),
        Role::PlanChecker => json!({"pass": true, "confidence": 9, "issues": []}),
        Role::Executor => json!({"tasks_completed": "1/1", "tasks_failed": "0/1"}),
        Role::Verifier => json!({"pass": true, "failures": [], "commands_run": ["git status"]}),
        Role::Judge => json!({
            "recommendation": "proceed",
            "concerns": ["none that matter"],
            "independent_evidence": ["the change does what the goal says"],
        }),
        Role::Rater => json!({
            "alignment_score": 9.4,
            "scorecard": [{"criterion": "all of them", "score": 9.4, "justification": "they hold"}],
        }),
        Role::Debugger => json!({"fixed": true, "changes": []}),
        Role::Questioner => json!({"questions": []}),
        Role::Auditor => json!({"audit_results": [{
            "phase_id": "all",
            "requirements_checked": [{
                "requirement_id": "all of them",
                "status": "pass",
                "file_line_evidence": "the criteria hold",
            }],
        }]}),
        Role::IntegrationChecker => json!({"pass": true, "issues": []}),
        Role::ConflictResolver => json!({"resolved": true, "files": []}),
        Role::StoryWriter => json!({"stories": [], "open_questions": []}),
        Role::IssuePlanner => json!({"criteria": [], "acceptance_tests": [], "open_questions": []}),
        Role::Implementer => json!({"changed_files": []}),
        Role::CoverageChecker => json!({"allCovered": true, "uncovered": []}),
        Role::CauseAnalyst => json!({"cause": "the code does what it says", "evidence": []}),
    }
}

#[cfg(test)]
mod tests {
    use autopilot_core::returns::Return;

    use super::*;

    #[test]
    fn every_default_fits_its_schema() {
        for role in Role::ALL {
            for sitting in [Sitting::First, Sitting::Second] {
                let read = Return::read(role, sitting, default_return(role, sitting));
                assert!(read.is_ok(), "{role}: {read:?}");
            }
        }
    }
}
