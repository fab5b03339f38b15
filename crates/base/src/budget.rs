//! What a run may use: time, memory, conflicts, and a flag that cancels it.
//!
//! The only way to the clock below the `craig` crate. Long loops call [`Budget::check`] every few
//! hundred steps and pass the [`Stop`] up with `?`; running out is never a panic.

use crate::turns::Turn;
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
    /// The limit on solver conflicts (or another count of work) was reached.
    Effort,
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
    /// How many times as long a slice of time is, where a slower solver does the work.
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
            pace: 1,
            turn: None,
        }
    }

    pub fn with_time(mut self, limit: Duration) -> Self {
        let deadline = self.now() + limit;
        self.deadline = Some(self.deadline.map_or(deadline, |d| d.min(deadline)));
        self
    }

    /// A limit on a piece of the work, for whoever has a plan of its time: as [`Budget::with_time`], but
    /// longer where the solver is a slow one.
    pub fn with_slice(self, limit: Duration) -> Self {
        let limit = limit.saturating_mul(self.pace);
        self.with_time(limit)
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

    /// A budget with its own cancel flag and otherwise the same limits.
    pub fn detached(&self) -> Self {
        Budget {
            cancel: Arc::new(AtomicBool::new(false)),
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

    pub fn check(&self) -> Result<(), Stop> {
        if let Some(turn) = &self.turn {
            turn.keep();
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

    /// Time since the budget was made.
    pub fn elapsed(&self) -> Duration {
        self.now().saturating_duration_since(self.start)
    }

    pub fn remaining(&self) -> Option<Duration> {
        self.deadline
            .map(|d| d.saturating_duration_since(self.now()))
    }
}
