//! What engines of one portfolio give each other: the inlined program, made by the first, and how far boxes came.
//!
//! Engines of a portfolio have a copy of the pool each. The one that prepares first leaves a copy of its own here
//! together with the program; an engine that comes later goes on from there, if it has made no terms since it
//! began. Nothing here is needed: without it every engine prepares for itself, with the same result.

use super::Base;
use logic::Pool;
use std::sync::{Arc, Mutex, PoisonError};

/// How the execution on boxes ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoxesEnd {
    /// Its steps were used up: with more of them it may come to an end.
    OutOfSteps,
    /// It shows nothing.
    Hopeless,
}

#[derive(Default)]
struct Kept {
    base: Option<(Pool, Base)>,
    /// How many engines may still come for it.
    takers: usize,
    boxes: Option<BoxesEnd>,
}

/// Shared by the engines of a run.
#[derive(Clone)]
pub struct Shared {
    /// Terms of the pool that all engines begin with.
    begin: usize,
    kept: Arc<Mutex<Kept>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl Shared {
    /// For engines that begin with copies of this pool, `takers` of which may use what the first prepares.
    pub fn new(pool: &Pool, takers: usize) -> Shared {
        let kept = Kept {
            takers,
            ..Kept::default()
        };
        Shared {
            begin: pool.term_count(),
            kept: Arc::new(Mutex::new(kept)),
        }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves a prepared program for others.
    pub(crate) fn leave(&self, pool: &Pool, base: &Base) {
        let mut kept = self.kept();
        if kept.takers > 0 && kept.base.is_none() {
            kept.base = Some((pool.clone(), base.clone()));
        }
    }

    /// The prepared program that another engine left; the pool becomes the one it is in.
    pub(crate) fn take(&self, pool: &mut Pool) -> Option<Base> {
        // Sound because a pool only grows: what is in a copy of the first pool has the same ids in the other.
        if pool.term_count() != self.begin {
            return None;
        }
        let mut kept = self.kept();
        let last = kept.takers <= 1;
        let (their, base) = match last {
            true => kept.base.take()?,
            false => kept.base.clone()?,
        };
        kept.takers = kept.takers.saturating_sub(1);
        *pool = their;
        Some(base)
    }

    pub(crate) fn boxes(&self) -> Option<BoxesEnd> {
        self.kept().boxes
    }

    pub(crate) fn set_boxes(&self, end: BoxesEnd) {
        self.kept().boxes = Some(end);
    }
}
