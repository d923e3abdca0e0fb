#![no_main]

use std::collections::BTreeSet;

use autopilot_core::roadmap::Plan;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let plan = Plan::parse(text);
    let ids: BTreeSet<_> = plan.tasks.iter().map(|task| &task.id).collect();
    assert_eq!(ids.len(), plan.tasks.len());
    assert!(!plan.tasks.is_empty() || !plan.problems.is_empty());
});
