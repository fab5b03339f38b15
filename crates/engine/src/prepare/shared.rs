//! What engines of one portfolio give each other: the inlined program, made by the first, how far boxes came, and
//! lemmas: facts that one of them has shown to be inductive.
//!
//! Engines of a portfolio have a copy of the pool each. The one that prepares first leaves a copy of its own here
//! together with the program; an engine that comes later goes on from there, if it has made no terms since it
//! began. Nothing here is needed: without it every engine prepares for itself, with the same result.
//!
//! Lemmas go as text by the names of variables, since each engine makes terms of its own, and belong to a program as it
//! was prepared ([`Form`]): engines that prepare it alike have the same locations. Whoever takes them offers them to
//! Houdini like any other candidate, so that none is believed. An engine that finds that another one has been through some
//! stages of guesses need not go through them again: the guesses would be the same.

use super::Base;
use logic::Pool;
use program::{LocId, VarId};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How the execution on boxes ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoxesEnd {
    /// Its steps were used up: with more of them it may come to an end.
    OutOfSteps,
    /// It shows nothing.
    Hopeless,
}

/// How a program was prepared: what decides about its locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// Were locations split by the values of control variables?
    pub by_values: bool,
    /// The variables that were left out.
    pub without: Vec<VarId>,
}

/// What is known of a program in one form.
#[derive(Default)]
struct Lessons {
    /// In the order in which they were found.
    lemmas: Vec<(LocId, String)>,
    /// How many stages of guesses an engine has come to the end of.
    guessed: usize,
}

#[derive(Default)]
struct Kept {
    base: Option<(Pool, Base)>,
    /// How many engines may still come for it.
    takers: usize,
    boxes: Option<BoxesEnd>,
    lessons: Vec<(Form, Lessons)>,
}

/// Shared by the engines of a run.
#[derive(Clone)]
pub struct Shared {
    /// Terms of the pool that all engines begin with.
    begin: usize,
    lemmas: bool,
    kept: Arc<Mutex<Kept>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl Shared {
    /// For engines that begin with copies of this pool, `takers` of which may use what the first prepares.
    /// With `lemmas` what one of them proves is a candidate for the others.
    pub fn new(pool: &Pool, takers: usize, lemmas: bool) -> Shared {
        let kept = Kept {
            takers,
            ..Kept::default()
        };
        Shared {
            begin: pool.term_count(),
            lemmas,
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

    pub(crate) fn has_lemmas(&self) -> bool {
        self.lemmas
    }

    /// Leaves lemmas for others, after so many stages of guesses.
    pub(crate) fn teach(&self, form: &Form, lemmas: Vec<(LocId, String)>, guessed: usize) {
        let mut kept = self.kept();
        let number = kept.lessons.iter().position(|(f, _)| f == form);
        let number = number.unwrap_or_else(|| {
            kept.lessons.push((form.clone(), Lessons::default()));
            kept.lessons.len() - 1
        });
        let lessons = &mut kept.lessons[number].1;
        for lemma in lemmas {
            if !lessons.lemmas.contains(&lemma) {
                lessons.lemmas.push(lemma);
            }
        }
        lessons.guessed = lessons.guessed.max(guessed);
    }

    /// The lemmas that others have left after the first so many, how many there are, and how many stages of
    /// guesses there were.
    pub(crate) fn learn(
        &self,
        form: &Form,
        after: usize,
    ) -> (BTreeMap<LocId, Vec<String>>, usize, usize) {
        let kept = self.kept();
        let mut out: BTreeMap<LocId, Vec<String>> = BTreeMap::new();
        let Some((_, lessons)) = kept.lessons.iter().find(|(f, _)| f == form) else {
            return (out, after, 0);
        };
        for (loc, lemma) in lessons.lemmas.iter().skip(after) {
            out.entry(*loc).or_default().push(lemma.clone());
        }
        (out, lessons.lemmas.len(), lessons.guessed)
    }
}
