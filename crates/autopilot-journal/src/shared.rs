//! One journal for many threads, with one sync for all that wait.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    error::Error,
    files::Files,
    frame::FRAME_BYTES_MIN,
    ids::Sequence,
    journal::{Appended, Journal, check_limits},
    limits::{APPEND_BYTES_MAX, APPEND_RECORDS_MAX},
};

/// A handle to a journal that threads can clone and append to at once.
///
/// Threads queue their records and then wait for the journal. Whoever gets it writes the records of
/// everyone in the queue as one append; the others find theirs acknowledged when their turn comes.
#[derive(Clone, Debug)]
pub struct SharedJournal {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    files: Files,
    journal: Mutex<Journal>,
    queue: Mutex<Queue>,
}

#[derive(Debug)]
struct Queue {
    waiting: Vec<Request>,
    /// The sequence that the next queued record will have, since the queue keeps its order.
    next: Sequence,
    /// Every record before this one is on disk.
    acknowledged: Sequence,
}

/// The records of one call.
#[derive(Debug)]
struct Request {
    records: Vec<Vec<u8>>,
    bytes: usize,
}

impl SharedJournal {
    /// Shares a journal.
    pub fn new(journal: Journal) -> Self {
        let next = journal.next_sequence();
        let queue = Queue { waiting: Vec::new(), next, acknowledged: next };
        Self {
            shared: Arc::new(Shared {
                files: journal.files().clone(),
                journal: Mutex::new(journal),
                queue: Mutex::new(queue),
            }),
        }
    }

    /// Appends like [`Journal::append`], in company: it returns when the records are on disk.
    pub fn append(&self, records: &[impl AsRef<[u8]>]) -> Result<Appended, Error> {
        check_limits(&self.shared.files, records)?;
        let appended = enqueue(&mut lock(&self.shared.queue), records);
        let mut journal = lock(&self.shared.journal);
        loop {
            let group = {
                let mut queue = lock(&self.shared.queue);
                if appended.last < queue.acknowledged {
                    return Ok(appended);
                }
                take_group(&mut queue.waiting)
            };
            // Ours were in a group that failed, or would follow one.
            journal.check_poison()?;
            let done = journal.append(&group)?;
            lock(&self.shared.queue).acknowledged = done.last.plus(1);
        }
    }

    /// Stores a snapshot like [`Journal::write_snapshot`].
    ///
    /// Another thread may have appended since; that is an error here, and the next try will do.
    pub fn write_snapshot(&self, stands_for: Sequence, bytes: &[u8]) -> Result<(), Error> {
        lock(&self.shared.journal).write_snapshot(stands_for, bytes)
    }

    /// Gives the last record's sequence, if there is one.
    pub fn last_sequence(&self) -> Option<Sequence> {
        lock(&self.shared.journal).last_sequence()
    }

    /// Counts the syncs made to acknowledge appends, since the journal was opened.
    pub fn syncs(&self) -> u64 {
        lock(&self.shared.journal).syncs()
    }
}

fn enqueue(queue: &mut Queue, records: &[impl AsRef<[u8]>]) -> Appended {
    let records: Vec<Vec<u8>> = records.iter().map(|record| record.as_ref().to_vec()).collect();
    let first = queue.next;
    queue.next = first.plus(records.len() as u64);
    let bytes = records.iter().map(|record| FRAME_BYTES_MIN + record.len()).sum();
    queue.waiting.push(Request { records, bytes });
    Appended { first, last: queue.next.minus(1) }
}

/// Takes as many whole requests from the front as fit into one append.
fn take_group(waiting: &mut Vec<Request>) -> Vec<Vec<u8>> {
    let (mut records, mut bytes) = (0, 0);
    let fitting = waiting
        .iter()
        .take_while(|request| {
            records += request.records.len();
            bytes += request.bytes;
            records <= APPEND_RECORDS_MAX && bytes <= APPEND_BYTES_MAX
        })
        .count();
    waiting.drain(..fitting).flat_map(|request| request.records).collect()
}

/// Locks; a panic elsewhere leaves nothing half done here that the next append would not notice.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread, time::Duration};

    use super::*;
    use crate::{
        faulty::{Fault, FaultyDisk, Lasting},
        lock::Holder,
        reader::Reader,
    };

    const THREADS: usize = 8;

    fn shared(disk: &FaultyDisk) -> SharedJournal {
        let opening = Journal::open(disk.clone(), &Holder::this_process("test")).unwrap();
        SharedJournal::new(opening.replay::<Error>(|_| Ok(())).unwrap().journal)
    }

    /// Makes every thread queue its append behind a journal that is busy, then lets them go.
    fn append_together(shared: &SharedJournal) -> Vec<Result<Appended, Error>> {
        let busy = lock(&shared.shared.journal);
        let (send, results) = mpsc::channel();
        let threads: Vec<_> = (0..THREADS)
            .map(|index| {
                let (shared, send) = (shared.clone(), send.clone());
                thread::spawn(move || {
                    let result = shared.append(&[format!("thread {index}")]);
                    send.send(result).unwrap();
                })
            })
            .collect();
        // A thread that waits for a mutex tells nobody, so the queue is looked at until all are in it.
        while lock(&shared.shared.queue).waiting.len() < THREADS {
            thread::sleep(Duration::from_millis(1));
        }
        drop(busy);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        results.try_iter().collect()
    }

    #[test]
    fn threads_that_wait_share_one_sync() {
        let disk = FaultyDisk::new();
        let shared = shared(&disk);
        let mut sequences: Vec<u64> = append_together(&shared)
            .into_iter()
            .map(|result| result.unwrap().first.get())
            .collect();
        sequences.sort_unstable();
        assert_eq!(sequences, (1..=THREADS as u64).collect::<Vec<_>>());
        assert_eq!(shared.syncs(), 1);

        let mut reader = Reader::from_start(disk).unwrap();
        let mut records = 0;
        while reader.next_record().unwrap().is_some() {
            records += 1;
        }
        assert_eq!(records, THREADS);
    }

    #[test]
    fn each_thread_is_told_the_sequence_of_its_own_record() {
        let disk = FaultyDisk::new();
        let shared = shared(&disk);
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let shared = shared.clone();
                thread::spawn(move || {
                    (0..50)
                        .map(|index| {
                            let payload = format!("{thread} {index}");
                            (shared.append(&[&payload]).unwrap().first.get(), payload)
                        })
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let told: Vec<(u64, String)> =
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        assert!(shared.syncs() <= told.len() as u64);
        let mut reader = Reader::from_start(disk).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            let payload = String::from_utf8(record.payload.to_vec()).unwrap();
            assert!(told.contains(&(record.sequence.get(), payload)));
        }
        assert_eq!(reader.next_sequence().get(), told.len() as u64 + 1);
    }

    #[test]
    fn a_failed_sync_fails_everyone_who_waited_for_it() {
        let disk = FaultyDisk::new();
        let shared = shared(&disk);
        disk.fail_call(disk.calls() + 2, Fault::Broken, Lasting::Once);
        assert!(append_together(&shared).iter().all(Result::is_err));
        assert!(shared.append(&["later"]).is_err());
        assert_eq!(shared.syncs(), 0);
    }

    #[test]
    fn a_group_is_no_longer_than_an_append_may_be() {
        let request =
            |records: usize, bytes: usize| Request { records: vec![Vec::new(); records], bytes };
        let mut waiting = vec![request(9_000, 0), request(999, 0), request(1, 0)];
        assert_eq!(take_group(&mut waiting).len(), 9_999);
        assert_eq!(waiting.len(), 1);
        let mut waiting = vec![request(1, APPEND_BYTES_MAX), request(1, 1)];
        assert_eq!(take_group(&mut waiting).len(), 1);
        assert_eq!(waiting.len(), 1);
    }
}
