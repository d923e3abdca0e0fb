//! Returns as agents of the ancestors give them.

use serde_json::{Value, json};

use super::*;

/// A return with every key that there is, for each role and each time it is asked.
fn examples() -> Vec<(Role, Sitting, Value)> {
    let mut all = of_workers();
    all.extend(of_reviewers());
    all.extend(of_others());
    all
}

fn of_workers() -> Vec<(Role, Sitting, Value)> {
    let categories = json!([{"failure": "it does not build", "category": "build_failure"}]);
    vec![
        (
            Role::Researcher,
            Sitting::First,
            json!({"key_findings": ["a"], "recommended_approach": "b", "risks": ["c"], "open_questions": [],
                   "issues_detected": []}),
        ),
        (
            Role::Planner,
            Sitting::First,
            json!({"plans_created": 3, "waves": 2, "total_tasks": 6, "complexity": "simple", "dependencies": ["a"],
                   "concerns": ["b"], "issues_detected": []}),
        ),
        (
            Role::PlanChecker,
            Sitting::First,
            json!({"pass": true, "issues": [{"plan": "01", "dimension": "coverage", "severity": "warning",
                   "description": "a", "fix_hint": "b"}], "confidence": 8, "blocker_count": 0, "warning_count": 1}),
        ),
        (
            Role::Executor,
            Sitting::First,
            json!({"tasks_completed": "2/2", "tasks_failed": "0/2", "commit_shas": ["abc"],
                   "evidence": [{"task_id": "01-01", "criteria_met": ["a -- b.rs:3 -- c"], "commands_run": ["d -> e"]}],
                   "gate_results": {"compile": {"status": "pass"}, "lint": {"status": "skipped"}},
                   "deviations": [], "issues_detected": []}),
        ),
        (
            Role::Debugger,
            Sitting::First,
            json!({"fixed": true, "changes": ["a"], "commits": ["abc"], "remaining_issues": [],
                   "failure_categories": categories, "issues_detected": []}),
        ),
    ]
}

fn of_reviewers() -> Vec<(Role, Sitting, Value)> {
    vec![
        (
            Role::Verifier,
            Sitting::First,
            json!({"pass": false, "automated_checks": {"compile": {"status": true, "detail": "ok"}},
                   "criteria_results": [{"criterion": "a", "status": "verified", "evidence": "b.rs:3 -- c"}],
                   "verification_duration_seconds": 130, "commands_run": ["npm test -> ok"], "failures": ["d"],
                   "failure_categories": [{"failure": "d", "category": "scope_creep"}], "scope_creep": ["e"],
                   "execution_results": [{"criterion": "a", "command": "b", "exit_code": 0, "output": "", "assessment": "pass"}],
                   "autonomous_resolution_attempted": true, "autonomous_confidence": 8, "deferral_evidence": [],
                   "issues_detected": [], "visual_test_results": {"routes_tested": 5}}),
        ),
        (
            Role::Judge,
            Sitting::First,
            json!({"recommendation": "proceed", "concerns": ["a"], "independent_evidence": ["b.rs:3 -- c"],
                   "scope_creep": [], "missing_requirements": [], "notes": "d"}),
        ),
        (
            Role::Judge,
            Sitting::Second,
            json!({"divergence_analysis": {"agreed": ["a"], "disagreed": ["b"], "verifier_missed": [], "judge_missed": []},
                   "verifier_agreement": true, "verifier_missed": [], "recommendation": "debug", "concerns": [], "notes": "c"}),
        ),
        (
            Role::Rater,
            Sitting::First,
            json!({"alignment_score": 8.2, "scorecard": [{"criterion": "a", "score": 8.2, "max_score": 10.0,
                   "verification_command": "b", "command_output": "c", "evidence": ["d.rs:3 -- e"], "justification": "f",
                   "execution_result": {"command": "b", "exit_code": 0, "output": ""}}],
                   "aggregate_justification": "g", "side_effects": [], "commands_run": ["b -> ok"],
                   "test_coverage": {"tasks_total": 1}, "score_band": "good"}),
        ),
    ]
}

fn of_others() -> Vec<(Role, Sitting, Value)> {
    vec![
        (
            Role::Questioner,
            Sitting::First,
            json!({"phase_id": "5", "current_score": 4, "questions": [{"question": "a?", "category": "requirements",
                   "why_needed": "b"}], "estimated_score_after": 8}),
        ),
        (
            Role::Auditor,
            Sitting::First,
            json!({"audit_results": [{"phase_id": "5", "requirements_checked": [{"requirement_id": "A-1", "expected": "a",
                   "actual_found": "b", "file_line_evidence": "c.md:3", "status": "gap", "gap_description": "d",
                   "fix_complexity": "small", "suggested_fix": "e"}]}], "aggregate": {"gaps_found": 1}}),
        ),
        (Role::IntegrationChecker, Sitting::First, json!({"pass": false, "issues": ["a"]})),
        (
            Role::ConflictResolver,
            Sitting::First,
            json!({"resolved": true, "files": ["a.rs"], "notes": "b"}),
        ),
        (Role::StoryWriter, Sitting::First, json!({"stories": ["a"], "open_questions": ["b?"]})),
        (
            Role::IssuePlanner,
            Sitting::First,
            json!({"plan_path": "a.md", "criteria": [{"id": "AC-1", "text": "b"}], "acceptance_tests": ["c"],
                   "open_questions": ["d?"]}),
        ),
        (Role::Implementer, Sitting::First, json!({"changed_files": ["a.rs"], "notes": "b"})),
        (
            Role::CoverageChecker,
            Sitting::First,
            json!({"allCovered": false, "uncovered": ["AC-1"]}),
        ),
        (
            Role::CauseAnalyst,
            Sitting::First,
            json!({"cause": "a", "evidence": ["b.rs:1"], "classification": "c", "failure_rate": 0.2}),
        ),
    ]
}

#[test]
fn e6_e31_every_role_has_a_shape_of_its_own_and_no_key_of_the_seeds_is_lost() {
    let examples = examples();
    for role in Role::ALL {
        assert!(examples.iter().any(|(one, _, _)| *one == role), "{role}");
    }
    for (role, sitting, value) in examples {
        let schema = schema(role, sitting);
        let keys = schema["properties"].as_object().expect("it is an object");
        let told = value.as_object().expect("so is this");
        assert!(told.keys().all(|key| keys.contains_key(key)), "{role}: {keys:?}");
        let read = Return::read(role, sitting, value.clone()).expect("it is read");
        let written = serde_json::to_value(&read).expect("it can be written");
        let (_, written) =
            written.as_object().and_then(|one| one.iter().next()).expect("a variant");
        for (key, value) in told {
            assert_eq!(told_as(&written[key]), told_as(value), "{role} {key}");
        }
    }
}

#[test]
fn e31_who_asks_audits_joins_and_resolves_has_a_shape_of_its_own() {
    for (role, sitting, value) in of_others() {
        assert!(Return::read(role, sitting, value).is_ok(), "{role}");
        let word = Return::read(role, sitting, json!({"pass": true, "issues": []}));
        let fits = matches!(word, Ok(Return::IntegrationCheck(_)));
        assert_eq!(fits, role == Role::IntegrationChecker, "{role}: {word:?}");
    }
}

/// Numbers as numbers: 8 is 8.0.
fn told_as(value: &Value) -> Value {
    value.as_f64().map_or_else(|| value.clone(), Value::from)
}

#[test]
fn e6_only_keys_that_a_decision_reads_are_strict() {
    let strict: [(Role, Sitting, &[&str]); 18] = [
        (Role::Researcher, Sitting::First, &["key_findings", "recommended_approach"]),
        (Role::Planner, Sitting::First, &[]),
        (Role::PlanChecker, Sitting::First, &["pass", "confidence"]),
        (Role::Executor, Sitting::First, &["tasks_completed"]),
        (Role::Debugger, Sitting::First, &["fixed"]),
        (Role::Verifier, Sitting::First, &["pass"]),
        (Role::Judge, Sitting::First, &["recommendation", "concerns"]),
        (Role::Judge, Sitting::Second, &["verifier_agreement", "verifier_missed"]),
        (Role::Rater, Sitting::First, &["alignment_score", "scorecard"]),
        (Role::Questioner, Sitting::First, &["questions"]),
        (Role::Auditor, Sitting::First, &["audit_results"]),
        (Role::IntegrationChecker, Sitting::First, &["pass"]),
        (Role::ConflictResolver, Sitting::First, &["resolved"]),
        (Role::StoryWriter, Sitting::First, &[]),
        (Role::IssuePlanner, Sitting::First, &[]),
        (Role::Implementer, Sitting::First, &[]),
        (Role::CoverageChecker, Sitting::First, &["allCovered"]),
        (Role::CauseAnalyst, Sitting::First, &["cause"]),
    ];
    for (role, sitting, value) in examples() {
        let row = strict.iter().find(|(one, at, _)| (*one, *at) == (role, sitting));
        let (_, _, strict) = row.expect("every example has a row");
        for key in value.as_object().expect("an object").keys() {
            let mut without = value.clone();
            without.as_object_mut().expect("an object").remove(key);
            let read = Return::read(role, sitting, without);
            assert_eq!(read.is_err(), strict.contains(&key.as_str()), "{role} {key}: {read:?}");
        }
        let mut more = value.clone();
        more["something_else"] = json!({"a": [1]});
        assert!(
            Return::read(role, sitting, more).is_ok(),
            "{role}: what nobody asked for is let be"
        );
    }
}

#[test]
fn c17_what_a_divergence_section_says_is_found_in_any_shape() {
    let rows = [
        (json!(null), false, true),
        (json!(""), false, false),
        (json!([]), false, false),
        (json!({}), false, true),
        (json!("No divergence was found."), true, true),
        (json!("The verifier did not run the linter."), true, false),
        (json!({"agreed": ["a"], "disagreed": [], "judge_missed": []}), true, true),
        (json!({"disagreed": ["b"]}), true, false),
        (json!({"verifier_missed": "c"}), true, false),
        (json!(["the verifier missed d"]), true, false),
    ];
    for (section, there, no_difference) in rows {
        let value = json!({"divergence_analysis": section, "verifier_agreement": true, "verifier_missed": []});
        let read = Return::read(Role::Judge, Sitting::Second, value).expect("it is read");
        let Return::Comparison(word) = read else { panic!("a comparison") };
        assert_eq!(word.has_section(), there, "{section}");
        if there {
            assert_eq!(word.finds_no_difference(), no_difference, "{section}");
        }
    }
}
