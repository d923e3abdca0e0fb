//! Every call to the disk is made to fail in turn.

use autopilot_journal::{
    Error, Journal, SnapshotState,
    faulty::{Chance, Fault, FaultyDisk, Lasting},
};

use crate::support::{holder, replay};

/// What a scenario was told is safe.
#[derive(Default)]
struct Acknowledged(Vec<Vec<u8>>);

/// Opens twice, appends, rotates and writes snapshots; a failure ends it, as it would end a run.
fn scenario(disk: &FaultyDisk, acknowledged: &mut Acknowledged) -> Result<(), Error> {
    for round in 0..2 {
        let opening = Journal::open(disk.clone(), &holder())?.with_segment_bytes(600);
        let mut seen = match opening.snapshot() {
            SnapshotState::Usable(snapshot) => snapshot.sequence.get(),
            SnapshotState::Absent | SnapshotState::Ignored(_) => 0,
        };
        let mut journal = opening
            .replay::<Error>(|record| {
                seen += 1;
                assert_eq!(record.sequence.get(), seen);
                Ok(())
            })?
            .journal;
        assert_eq!(seen as usize, acknowledged.0.len(), "every acknowledged record is replayed");
        for index in 0..4 {
            let records: Vec<Vec<u8>> =
                (0..2).map(|part| format!("record {round} {index} {part}").into_bytes()).collect();
            let appended = journal.append(&records)?;
            acknowledged.0.extend(records);
            if index == 1 {
                journal.write_snapshot(appended.last, b"state")?;
            }
        }
    }
    Ok(())
}

/// Runs the scenario with a fault in each call in turn, until one run has no such call.
fn fail_each_call(fault: Fault, lasting: Lasting) -> u64 {
    let mut failed = 0;
    for call in 1.. {
        let disk = FaultyDisk::new();
        disk.fail_call(call, fault, lasting);
        let mut acknowledged = Acknowledged::default();
        let result = scenario(&disk, &mut acknowledged);
        if disk.calls() < call {
            assert!(result.is_ok(), "no fault, no failure");
            break;
        }
        failed += u64::from(result.is_err());
        if result.is_ok() {
            assert_eq!(acknowledged.0.len(), 16, "success means that everything is there");
        }
        let what = format!("{fault:?} {lasting:?} in call {call}");
        assert_kept(disk.after_kill(), &acknowledged, &what);
        for seed in 0..4 {
            let disk = disk.after_power_cut(&mut Chance::new(seed));
            assert_kept(disk, &acknowledged, &what);
        }
    }
    failed
}

fn assert_kept(disk: FaultyDisk, acknowledged: &Acknowledged, what: &str) {
    let (payloads, mut opened) = replay(disk).unwrap_or_else(|error| panic!("{what}: {error:?}"));
    assert!(payloads.starts_with(&acknowledged.0), "{what}: an acknowledged record is lost");
    assert!(payloads.len() <= acknowledged.0.len() + 2, "{what}: a record is invented");
    opened.journal.append(&["the run goes on"]).unwrap_or_else(|error| panic!("{what}: {error:?}"));
}

#[test]
fn a_disk_that_is_full_or_broken_is_never_silent() {
    for fault in [Fault::NoSpace, Fault::Broken] {
        let once = fail_each_call(fault, Lasting::Once);
        let from_then_on = fail_each_call(fault, Lasting::FromThenOn);
        assert!(once > 30 && from_then_on > 30, "{fault:?}: {once}, {from_then_on}");
    }
}

#[test]
fn an_interrupted_or_short_call_changes_nothing() {
    for fault in [Fault::Interrupted, Fault::Short] {
        assert_eq!(fail_each_call(fault, Lasting::Once), 0, "{fault:?}");
    }
    assert_eq!(fail_each_call(Fault::Short, Lasting::FromThenOn), 0);
}

#[test]
fn the_power_may_go_in_any_call() {
    assert!(fail_each_call(Fault::PowerOff, Lasting::FromThenOn) > 50);
}
