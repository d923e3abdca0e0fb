//! Whole runs over the real journal on a disk that fails.

use std::{cell::RefCell, path::Path, rc::Rc};

use autopilot_core::{
    fact::{Fact, Record},
    input::Event,
    run::{Run, Standing},
};
use autopilot_engine::{
    book::{Book, TakenUp},
    drive::{Drive, Hands, Log},
    error::EngineError,
};
use autopilot_journal::{
    Error, Reader,
    faulty::{Fault, FaultyDisk, Lasting},
};

use super::{
    play::{End, finish},
    scenario::Scenario,
    world::{Crash, Session, World, read},
};

/// What became of a run whose disk failed.
#[derive(Debug, PartialEq, Eq)]
pub enum Survived {
    /// The disk was not used often enough to fail.
    Whole(End),
    /// The run stopped, and went on from everything that was acknowledged.
    Stopped(End),
}

/// Plays a run whose journal's disk fails at its `call`-th call, then goes on with a good one.
///
/// It is an error when the failure goes unnoticed, or when a fact that was acknowledged is gone.
pub fn play_on_failing_disk(seed: u64, call: u64, fault: Fault) -> Result<Survived, String> {
    let world = Rc::new(RefCell::new(World::new(Scenario::of(seed))));
    let disk = FaultyDisk::new();
    disk.fail_call(call, fault, Lasting::FromThenOn);
    let mut log = Ledger::new(&world);
    match log.life(&disk) {
        Ok(Standing::Ended(_)) => return end_of(&world).map(Survived::Whole),
        Ok(other) => return Err(format!("it stood still: {other:?}")),
        Err(()) => {}
    }
    let error = log.error.take().ok_or("the run stopped and did not say why")?;
    if !matches!(error, EngineError::Journal(_)) {
        return Err(format!("the disk failed and the run said: {error}"));
    }
    let acknowledged = world.borrow().disk.clone();
    match log.life(&disk.after_kill()) {
        Ok(Standing::Ended(_)) => {}
        other => return Err(format!("it did not go on: {other:?}, {:?}", log.error)),
    }
    let kept = &world.borrow().disk;
    if kept.len() < acknowledged.len() || kept[..acknowledged.len()] != acknowledged {
        return Err(format!("of {} acknowledged facts some are gone", acknowledged.len()));
    }
    end_of(&world).map(Survived::Stopped)
}

fn end_of(world: &Rc<RefCell<World>>) -> Result<End, String> {
    finish(world, 0, false).map(|played| played.end)
}

/// What a disk really holds, acknowledged or not.
fn records(disk: &FaultyDisk) -> Result<Vec<Record>, Error> {
    let mut reader = Reader::from_start(disk.clone())?;
    let mut records = Vec::new();
    while let Some(record) = reader.next_record()? {
        records.push(read(record.payload));
    }
    Ok(records)
}

/// The real journal, with a note of what it acknowledged.
struct Ledger {
    world: Rc<RefCell<World>>,
    book: Option<Book>,
    error: Option<EngineError>,
}

impl Ledger {
    fn new(world: &Rc<RefCell<World>>) -> Self {
        Self { world: Rc::clone(world), book: None, error: None }
    }

    /// One life of the engine on a disk.
    fn life(&mut self, disk: &FaultyDisk) -> Result<Standing, ()> {
        self.book = None;
        let there = records(disk).map_err(|error| self.error = Some(error.into()))?;
        self.world.borrow_mut().hear_all(there);
        let TakenUp { book, run, .. } =
            Book::open_on(disk.clone(), Path::new("a simulated disk"), "a simulated engine")
                .map_err(|error| self.error = Some(error))?;
        self.book = Some(book);
        let mut hands = Session::new(&self.world, None);
        let mut silent = |_: &Run, _: &[Record]| {};
        let (mut run, resumed) = self.take_up(run, &mut hands).map_err(drop)?;
        let mut drive = Drive::new(&mut run, self, &mut hands, &mut silent);
        if let Some(event) = resumed {
            drive.take(event).map_err(drop)?;
        }
        drive.to_the_end().map_err(drop)
    }

    fn take_up(
        &mut self,
        run: Option<Run>,
        hands: &mut Session,
    ) -> Result<(Run, Option<Event>), Crash> {
        if let Some(run) = run {
            let observed = self.world.borrow_mut().observe(&run);
            let limits = run.given.limits.clone();
            return Ok((run, Some(Event::Resumed { observed, limits })));
        }
        let submission = {
            let world = self.world.borrow();
            world.scenario.submission(&world.branch)
        };
        let at = hands.now();
        let run = Run::begin(at, &submission);
        self.append(&[Record::new(at, Fact::Submitted(Box::new(submission)))])?;
        Ok((run, None))
    }

    fn keep(&mut self, result: Result<(), EngineError>) -> Result<(), Crash> {
        result.map_err(|error| {
            self.error = Some(error);
            Crash
        })
    }
}

impl Log<Crash> for Ledger {
    fn append(&mut self, records: &[Record]) -> Result<(), Crash> {
        let Some(book) = &mut self.book else { return Err(Crash) };
        let result = book.append(records);
        self.keep(result)?;
        let mut world = self.world.borrow_mut();
        for record in records {
            world.hear(record);
            world.disk.push(serde_json::to_vec(record).expect("facts can be written"));
        }
        Ok(())
    }

    fn settled(&mut self, run: &Run, records: &[Record]) -> Result<(), Crash> {
        let Some(book) = &mut self.book else { return Err(Crash) };
        let result = book.settled(run, records);
        self.keep(result)
    }
}
