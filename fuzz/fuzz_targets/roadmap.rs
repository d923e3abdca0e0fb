#![no_main]

use autopilot_core::roadmap;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let read = roadmap::parse_bytes(bytes.to_vec());
    let live = read.phases.iter().filter(|phase| !phase.duplicate).count();
    assert_eq!(read.graph().len(), live);
    assert!(read.graph().order().len() <= live);
    assert!(read.problems.iter().all(|problem| problem.line >= 1));
    assert!(serde_json::to_string(&read).is_ok());
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let _ = roadmap::select(&text.chars().take(20).collect::<String>(), &read);
    for phase in read.phases.iter().take(3) {
        if let Ok(edited) = roadmap::mark_complete(text, phase.id) {
            assert_eq!(roadmap::mark_complete(&edited, phase.id), Ok(edited));
        }
    }
});
