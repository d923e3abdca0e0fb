#![no_main]

use autopilot_core::evidence::{Criterion, Expectation, Observed, judge};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let criterion = Criterion::parse(text);
    let killed = Observed {
        stdout: text,
        ..Observed::default()
    };
    assert!(!judge(&criterion.expect, &killed).is_passed());
    let ended = Observed {
        exit_code: Some(0),
        stdout: text,
        ..Observed::default()
    };
    let passed = judge(&criterion.expect, &ended).is_passed();
    let unreadable = matches!(
        criterion.expect,
        Expectation::Unreadable(_) | Expectation::Masked(_)
    );
    assert!(!(passed && unreadable));
});
