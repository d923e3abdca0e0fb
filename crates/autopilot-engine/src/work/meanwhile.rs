//! What is done beside a step once its process runs, so that it costs no step: files for the next workspace are written, and then
//! workspaces that nobody needs any more are removed. In this order, because making files right after a mass delete is slow on some
//! file systems.

use std::{
    mem,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
};

use super::{Keeping, Workshop, keep::SHELF_MAX};
use crate::git::{GitError, ObjectId, Project, Retired, Spare};

/// From so many files on, a workspace takes long enough to be worth a thread of its own.
const FILES_MIN: usize = 500;

/// Threads of a workshop that do not belong to a step. Dropping it ends them.
#[derive(Default)]
pub(super) struct Meanwhile {
    planned: Mutex<Option<Plan>>,
    making: Mutex<Option<Making>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// A spare that is to be made.
pub(super) struct Plan {
    project: Project,
    commit: ObjectId,
    above: PathBuf,
}

/// A spare that is being made, or was.
struct Making {
    stop: Arc<AtomicBool>,
    made: Receiver<Spare>,
}

/// The other side of it.
struct Task {
    plan: Plan,
    stop: Arc<AtomicBool>,
    made: SyncSender<Spare>,
}

impl Workshop {
    /// Has the next workspace's files written while the process runs that is started next. What comes next is most often nearly the
    /// same as what was made last.
    pub(super) fn plan_spare(&self, commit: &ObjectId, files: usize) {
        let plan = (files >= FILES_MIN).then(|| Plan {
            project: self.project.clone(),
            commit: commit.clone(),
            above: self.home.spares(&self.run),
        });
        *locked(&self.meanwhile.planned) = plan;
    }

    /// Begins what can be done while a process of a step runs; nothing is begun where nothing is to be done.
    pub(super) fn use_the_time(&self) {
        let stay_max = match self.keeping {
            Keeping::Kept => SHELF_MAX,
            Keeping::Dropped => 0,
        };
        self.meanwhile.begin(self.shelf.outdated(stay_max));
    }
}

impl Meanwhile {
    fn begin(&self, outdated: Vec<Retired>) {
        let plan = locked(&self.planned).take();
        if plan.is_none() && outdated.is_empty() {
            return;
        }
        let (task, unneeded) = match plan.map(Task::of) {
            Some((task, making)) => (Some(task), locked(&self.making).replace(making)),
            None => (None, None),
        };
        let thread = thread::Builder::new().spawn(move || {
            if let Some(task) = task {
                task.perform();
            }
            drop(unneeded);
            for retired in outdated {
                // It is kept already; if the directory cannot be removed now, the next start tries again.
                drop(retired.remove());
            }
        });
        let mut threads = locked(&self.threads);
        threads.retain(|thread| !thread.is_finished());
        threads.extend(thread);
    }

    /// Hands out what has become of the spare. If it is still being made, it is what is there of it: waiting would take longer than
    /// making the rest.
    pub(super) fn take_spare(&self) -> Option<Spare> {
        locked(&self.making).take().and_then(Making::take)
    }

    /// Ends everything, and has the spare removed.
    pub(super) fn end(&self) {
        *locked(&self.planned) = None;
        drop(self.take_spare());
        // A workspace that is half removed must not be taken for one whose files somebody deleted.
        for thread in mem::take(&mut *locked(&self.threads)) {
            drop(thread.join());
        }
    }
}

impl Drop for Meanwhile {
    fn drop(&mut self) {
        self.end();
    }
}

impl Making {
    fn take(self) -> Option<Spare> {
        self.stop.store(true, Ordering::Relaxed);
        self.made.recv().ok()
    }
}

impl Task {
    fn of(plan: Plan) -> (Self, Making) {
        let (stop, (sender, made)) = (Arc::default(), sync_channel(1));
        (Self { plan, stop: Arc::clone(&stop), made: sender }, Making { stop, made })
    }

    /// What fails here is done when a workspace is made, and told then.
    fn perform(self) {
        let Plan { project, commit, above } = &self.plan;
        let made: Result<Spare, GitError> = project.prepare_spare(commit, above, &self.stop);
        if let Ok(spare) = made {
            // Nobody is there to take it where the workshop was closed meanwhile; then it goes.
            drop(self.made.send(spare));
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
