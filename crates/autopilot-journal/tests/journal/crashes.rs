//! The journal on a disk that loses power, short form; `cargo xtask torture` has the long one.

use autopilot_journal::faulty::crashes::{Syncs, torture};

#[test]
fn no_crash_loses_or_invents_a_record() {
    let figures = torture(20_000, 1, Syncs::Kept);
    assert!(figures.is_clean(), "{figures:?}");
    assert!(figures.torn > 1000 && figures.snapshots > 1000 && figures.kills > 1000, "{figures:?}");
}

#[test]
fn a_journal_that_does_not_sync_is_caught() {
    let figures = torture(2_000, 2, Syncs::Ignored);
    assert!(figures.caught * 4 > figures.crashes, "{figures:?}");
}
