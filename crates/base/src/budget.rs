//! What a run may use: time, memory, work, conflicts, and a flag that cancels it.
//!
//! The only way to the clock below the `craig` crate. Long loops call [`Budget::check`] or
//! [`Budget::spend`] every few hundred steps and pass the [`Stop`] up with `?`; running out is never a
//! panic.
//!
//! Time is for the user's limit alone. A piece of a run is limited by its work ([`Budget::with_slice`]),
//! which is the same in every run: clones of a budget share one meter, to which `spend` adds.

use crate::turns::Turn;
use crate::work::Work;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Why a run stopped before its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time limit passed.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The limit on the conflicts of one solver call was reached.
    Effort,
    /// A slice of the work is used up.
    Work,
    /// Somebody raised the cancel flag.
    Cancelled,
}

/// Limits of a run; cheap to clone, clones share the cancel flag.
#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    deadline: Option<Instant>,
    /// Upper limit on bytes in use, and the meter that whoever owns the process keeps up to date.
    memory: Option<(u64, Arc<AtomicU64>)>,
    cancel: Arc<AtomicBool>,
    /// Conflicts that one solver call may make.
    pub conflicts: Option<u64>,
    /// The work done so far, and the count at which the present slice ends.
    worked: Arc<AtomicU64>,
    slice: Option<Work>,
    /// The work that the time limit allows at the usual speed.
    allowed: Option<Work>,
    /// How many times as long a slice is, where a slower solver does the work.
    pace: u32,
    /// Where the run takes turns with others: its clock stands while it waits.
    turn: Option<Arc<Turn>>,
}

impl Budget {
    pub fn unlimited() -> Self {
        Budget {
            start: Instant::now(),
            deadline: None,
            memory: None,
            cancel: Arc::new(AtomicBool::new(false)),
            conflicts: None,
            worked: Arc::default(),
            slice: None,
            allowed: None,
            pace: 1,
            turn: None,
        }
    }

    pub fn with_time(mut self, limit: Duration) -> Self {
        let deadline = self.now() + limit;
        self.deadline = Some(self.deadline.map_or(deadline, |d| d.min(deadline)));
        let allowed = self.worked() + Work::usual_in(limit);
        self.allowed = Some(self.allowed.map_or(allowed, |a| a.min(allowed)));
        self
    }

    /// A limit on a piece of the run; longer where the solver is a slow one.
    pub fn with_slice(mut self, limit: impl Into<Work>) -> Self {
        let end = self.worked() + limit.into() * u64::from(self.pace);
        self.slice = Some(self.slice.map_or(end, |e| e.min(end)));
        self
    }

    /// Slices are `pace` times as long.
    pub fn with_pace(mut self, pace: u32) -> Self {
        self.pace = pace.max(1);
        self
    }

    /// `meter` holds the bytes in use now; the owner of the process updates it.
    pub fn with_memory(mut self, limit: u64, meter: Arc<AtomicU64>) -> Self {
        self.memory = Some((limit, meter));
        self
    }

    pub fn with_conflicts(mut self, limit: u64) -> Self {
        self.conflicts = Some(limit);
        self
    }

    /// The flag that cancels this budget and all its clones.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    /// A budget with its own cancel flag and its own meter of work, and otherwise the same limits.
    pub fn detached(&self) -> Self {
        Budget {
            cancel: Arc::new(AtomicBool::new(false)),
            worked: Arc::new(AtomicU64::new(self.worked().count())),
            ..self.clone()
        }
    }

    /// A budget whose run begins now and works in turns; [`Budget::check`] waits for them. The
    /// deadline stays, on the clock of the new run.
    pub fn in_turns(mut self, turn: Turn) -> Self {
        self.start = Instant::now();
        self.turn = Some(Arc::new(turn));
        self
    }

    /// The time on the run's clock.
    fn now(&self) -> Instant {
        let now = Instant::now();
        match &self.turn {
            Some(turn) => now.checked_sub(turn.waited()).unwrap_or(now),
            None => now,
        }
    }

    /// Notes work that was done.
    pub fn charge(&self, ticks: u64) {
        self.worked.fetch_add(ticks, Ordering::Relaxed);
    }

    /// Notes work that was done and asks whether there may be more.
    pub fn spend(&self, ticks: u64) -> Result<(), Stop> {
        self.charge(ticks);
        self.check()
    }

    /// Asks whether the run may go on. Asking is work too: a loop that only asks comes to an end.
    pub fn check(&self) -> Result<(), Stop> {
        self.charge(1);
        if let Some(turn) = &self.turn {
            turn.keep(self.worked());
        }
        if self.slice.is_some_and(|end| self.worked() >= end) {
            return Err(Stop::Work);
        }
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Stop::Cancelled);
        }
        if self.deadline.is_some_and(|d| self.now() >= d) {
            return Err(Stop::Time);
        }
        if self
            .memory
            .as_ref()
            .is_some_and(|(limit, used)| used.load(Ordering::Relaxed) > *limit)
        {
            return Err(Stop::Memory);
        }
        Ok(())
    }

    /// Bytes in use, if there is a meter.
    pub fn memory_used(&self) -> Option<u64> {
        let (_, used) = self.memory.as_ref()?;
        Some(used.load(Ordering::Relaxed))
    }

    /// The work done so far.
    pub fn worked(&self) -> Work {
        Work::ticks(self.worked.load(Ordering::Relaxed))
    }

    /// The work that is left of what the time limit allows at the usual speed: for plans, which must not
    /// depend on the clock.
    pub fn work_left(&self) -> Option<Work> {
        self.allowed.map(|a| a.saturating_sub(self.worked()))
    }

    /// Time since the budget was made.
    pub fn elapsed(&self) -> Duration {
        self.now().saturating_duration_since(self.start)
    }

    pub fn remaining(&self) -> Option<Duration> {
        self.deadline
            .map(|d| d.saturating_duration_since(self.now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_ends_by_work_and_the_budget_around_it_goes_on() {
        let budget = Budget::unlimited();
        let slice = budget.clone().with_slice(Work::ticks(10));
        assert_eq!(slice.spend(5), Ok(()));
        assert_eq!(budget.worked(), Work::ticks(6), "clones share the meter");
        let inner = slice.clone().with_slice(Work::thousand(1));
        assert_eq!(budget.spend(5), Ok(()));
        assert_eq!(slice.check(), Err(Stop::Work));
        assert_eq!(
            inner.check(),
            Err(Stop::Work),
            "no slice outlasts the one around it"
        );
        assert_eq!(budget.check(), Ok(()));
    }

    #[test]
    fn a_loop_that_only_asks_ends() {
        let slice = Budget::unlimited().with_slice(Work::ticks(100));
        assert_eq!((0..).take_while(|_| slice.check().is_ok()).count(), 99);
    }

    #[test]
    fn plans_are_made_of_the_limit_and_the_work() {
        let budget = Budget::unlimited().with_time(Duration::from_secs(2));
        budget.charge(500_000);
        assert_eq!(budget.work_left(), Some(Work::thousand(1500)));
        let other = budget.detached();
        other.charge(500_000);
        assert_eq!(budget.work_left(), Some(Work::thousand(1500)));
        assert_eq!(other.work_left(), Some(Work::thousand(1000)));
    }
}
