//! Turns: several workers, each in a thread of its own, of which only some are at work at a time.
//!
//! A worker asks its [`Budget`](crate::Budget) often anyway; a budget with a [`Turn`] waits there when
//! the turn is over until the next one is granted. Turns are measured in the worker's work, so who
//! works when is the same in every run; the time a worker waits does not count on its clock.
//!
//! Hand-written because thread pools run tasks to their end: none lets a task rest in its midst.

use crate::work::Work;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a worker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worker {
    /// Not begun, or resting between two turns.
    Waiting,
    Working,
    Finished,
}

/// Who works now: granted by one thread, kept by the workers.
#[derive(Debug)]
pub struct Turns {
    workers: Mutex<Vec<Worker>>,
    changed: Condvar,
    /// The work at which each worker's turn ends, and the work it had done when it began to wait.
    ends: Vec<AtomicU64>,
    done: Vec<AtomicU64>,
}

impl Turns {
    /// All of `count` workers wait.
    pub fn new(count: usize) -> Arc<Turns> {
        Arc::new(Turns {
            workers: Mutex::new(vec![Worker::Waiting; count]),
            changed: Condvar::new(),
            ends: (0..count).map(|_| AtomicU64::new(0)).collect(),
            done: (0..count).map(|_| AtomicU64::new(0)).collect(),
        })
    }

    /// Says how much is on the meter of a worker before its first turn.
    pub fn begin(&self, worker: usize, done: Work) {
        self.done[worker].store(done.count(), Ordering::Relaxed);
    }

    /// Lets a waiting worker do so much work; the others are not asked.
    pub fn grant(&self, worker: usize, length: Work) {
        let done = Work::ticks(self.done[worker].load(Ordering::Relaxed));
        let end = (done + length).count();
        self.ends[worker].store(end, Ordering::Relaxed);
        let mut workers = self.lock();
        if workers[worker] == Worker::Waiting {
            workers[worker] = Worker::Working;
            self.changed.notify_all();
        }
    }

    pub fn finish(&self, worker: usize) {
        self.lock()[worker] = Worker::Finished;
        self.changed.notify_all();
    }

    /// What each worker does: returns when that differs from `seen`, or after `patience`.
    pub fn watch(&self, seen: &[Worker], patience: Duration) -> Vec<Worker> {
        let (workers, _) = self
            .changed
            .wait_timeout_while(self.lock(), patience, |now| *now == seen)
            .unwrap_or_else(PoisonError::into_inner);
        workers.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Worker>> {
        // Sound because an entry is one word: a thread that panicked left none half written.
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for(&self, worker: usize) {
        let mut workers = self.lock();
        while workers[worker] == Worker::Waiting {
            workers = self
                .changed
                .wait(workers)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A worker's side of [`Turns`].
#[derive(Debug)]
pub struct Turn {
    turns: Arc<Turns>,
    worker: usize,
    /// Nanoseconds spent waiting since the first turn.
    waited: AtomicU64,
}

impl Turn {
    /// Waits for the first turn of the worker.
    pub fn first(turns: &Arc<Turns>, worker: usize) -> Turn {
        turns.wait_for(worker);
        Turn {
            turns: Arc::clone(turns),
            worker,
            waited: AtomicU64::new(0),
        }
    }

    /// Goes on if the turn is not over with the work done so far, else waits for the next.
    pub fn keep(&self, done: Work) {
        let turns = &self.turns;
        if done.count() < turns.ends[self.worker].load(Ordering::Relaxed) {
            return;
        }
        let from = Instant::now();
        turns.done[self.worker].store(done.count(), Ordering::Relaxed);
        {
            let mut workers = turns.lock();
            workers[self.worker] = Worker::Waiting;
            turns.changed.notify_all();
        }
        turns.wait_for(self.worker);
        self.waited
            .fetch_add(nanoseconds(from.elapsed()), Ordering::Relaxed);
    }

    pub fn waited(&self) -> Duration {
        Duration::from_nanos(self.waited.load(Ordering::Relaxed))
    }
}

/// 580 years fit.
fn nanoseconds(d: Duration) -> u64 {
    u64::try_from(d.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;

    /// Two workers take turns; each notes who worked. The clock of each stands while it waits.
    #[test]
    fn workers_alternate_and_their_clocks_stand() {
        let turns = Turns::new(2);
        let log = Mutex::new(Vec::new());
        let base = Instant::now();
        std::thread::scope(|scope| {
            for worker in 0..2 {
                let (turns, log) = (&turns, &log);
                scope.spawn(move || {
                    let turn = Turn::first(turns, worker);
                    let budget = Budget::unlimited().in_turns(turn);
                    for _ in 0..3 {
                        log.lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push(worker);
                        std::thread::sleep(Duration::from_millis(20));
                        assert!(budget.spend(100).is_ok());
                    }
                    // 60 ms of work each; with the waits it would be twice that.
                    assert!(budget.elapsed() < base.elapsed() - Duration::from_millis(30));
                    turns.finish(worker);
                });
            }
            let mut next = 0;
            let mut workers = vec![Worker::Waiting; 2];
            loop {
                workers = turns.watch(&workers, Duration::from_millis(5));
                if workers.iter().all(|w| *w == Worker::Finished) {
                    break;
                }
                if workers.contains(&Worker::Working) {
                    continue;
                }
                if workers[next] == Worker::Waiting {
                    turns.grant(next, Work::ticks(50));
                }
                next = 1 - next;
            }
        });
        let log = log.into_inner().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(log, [0, 1, 0, 1, 0, 1]);
    }

    /// What is on a meter before its first turn is not taken from that turn.
    #[test]
    fn the_first_turn_is_as_long_as_others() {
        let turns = Turns::new(1);
        let granted = std::thread::scope(|scope| {
            scope.spawn(|| {
                let budget = Budget::unlimited();
                budget.charge(1000);
                let budget = budget.in_turns(Turn::first(&turns, 0));
                assert!(budget.spend(30).is_ok());
                turns.finish(0);
            });
            turns.begin(0, Work::ticks(1000));
            let mut granted = 0;
            let mut workers = vec![Worker::Waiting];
            while workers[0] != Worker::Finished {
                if workers[0] == Worker::Waiting {
                    turns.grant(0, Work::ticks(50));
                    granted += 1;
                    workers = vec![Worker::Working];
                }
                workers = turns.watch(&workers, Duration::from_millis(50));
            }
            granted
        });
        assert_eq!(granted, 1);
    }
}
