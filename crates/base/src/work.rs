//! Work: what slices of a run are measured in, so that the same input gives the same output on a busy
//! machine and on an idle one.
//!
//! Whoever works tells the [`Budget`](crate::Budget) how much it did: the SAT core its propagations, the
//! simplex the entries it wrote, the interpreter its instructions. A *tick* is about a microsecond of
//! that on a machine of 2020; nothing depends on how good the guess is but how long a slice takes.

use std::ops::{Add, Div, Mul};
use std::time::Duration;

/// An amount of work, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Work(u64);

impl Work {
    pub const NONE: Work = Work(0);
    pub const MAX: Work = Work(u64::MAX);

    pub const fn ticks(count: u64) -> Self {
        Work(count)
    }

    /// So many thousand ticks: the work of about so many milliseconds.
    pub const fn thousand(count: u64) -> Self {
        Work(count.saturating_mul(1000))
    }

    /// The work that is usually done in a time.
    pub fn usual_in(time: Duration) -> Self {
        Work(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
    }

    pub fn count(self) -> u64 {
        self.0
    }

    pub fn saturating_sub(self, other: Work) -> Self {
        Work(self.0.saturating_sub(other.0))
    }

    pub fn times(self, factor: f64) -> Self {
        Work((self.0 as f64 * factor) as u64)
    }
}

impl From<Duration> for Work {
    fn from(time: Duration) -> Self {
        Work::usual_in(time)
    }
}

impl Add for Work {
    type Output = Work;
    fn add(self, other: Work) -> Work {
        Work(self.0.saturating_add(other.0))
    }
}

impl Mul<u64> for Work {
    type Output = Work;
    fn mul(self, factor: u64) -> Work {
        Work(self.0.saturating_mul(factor))
    }
}

impl Div<u64> for Work {
    type Output = Work;
    fn div(self, divisor: u64) -> Work {
        Work(self.0 / divisor)
    }
}
