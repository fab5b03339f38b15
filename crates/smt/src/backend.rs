//! Which solver decides and which procedure interpolates: the two traits, and [`Solvers`], the
//! handle that engines carry to get them.
//!
//! The default handle is native. With an [`External`] the engines' checks go to another program;
//! its `sat` comes with a model that was evaluated here, its `unsat` is trusted by the engine only:
//! the evidence checker is always native, so a wrong one costs the verdict, never its truth. With a
//! [`QuerySink`] every check and interpolation problem is also written down.

use crate::external::{External, ExternalInterpolator, script};
use crate::interpolate::{self, Interpolator, Options, Outcome};
use crate::{Answer, Solver};
use base::Budget;
use logic::{Model, Pool, TermId};
use std::sync::{Arc, Mutex, PoisonError};

/// An incremental solver.
///
/// # Contract
/// - All calls are given the same pool.
/// - `Sat`: `model` makes all assertions and assumptions true. `Unsat`: there is no such model, and
///   `core` is a subset of the assumptions that is unsat with the assertions. Anything less
///   certain is `Unknown`.
/// - `pop` forgets the assertions since the matching `push`; without one it does nothing.
/// - A check honours the budget and never panics on well-sorted formulas.
pub trait SmtSolver {
    fn push(&mut self);
    fn pop(&mut self);
    fn assert(&mut self, pool: &mut Pool, t: TermId);
    fn check(&mut self, pool: &mut Pool, assumptions: &[TermId], budget: &Budget) -> Answer;
    /// After `Sat`.
    fn model(&mut self, pool: &mut Pool) -> Model;
    /// After `Unsat`.
    fn core(&self) -> &[TermId];
}

impl SmtSolver for Solver {
    fn push(&mut self) {
        Solver::push(self);
    }

    fn pop(&mut self) {
        Solver::pop(self);
    }

    fn assert(&mut self, pool: &mut Pool, t: TermId) {
        Solver::assert(self, pool, t);
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        Solver::check(self, pool, assumptions, budget)
    }

    fn model(&mut self, pool: &mut Pool) -> Model {
        Solver::model(self, pool)
    }

    fn core(&self) -> &[TermId] {
        Solver::core(self)
    }
}

/// A source of interpolants.
///
/// # Contract
/// - Parts form a tree: `parent[i] > i`, the root is last; a sequence is a tree without branches.
/// - `Interpolants` has one formula for each node but the root. The formulas of the children and
///   the node's part imply the node's formula, at the root they are contradictory, and every symbol of
///   a formula occurs inside and outside its subtree. Whoever cannot vouch for this says `false`
///   in `is_checked`, and the caller checks before use.
/// - `Sat` carries a model of all parts; otherwise `Unknown` with the reason.
pub trait Interpolate {
    fn tree(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        budget: &Budget,
    ) -> Outcome;

    /// Has every interpolant that leaves this source been checked?
    fn is_checked(&self) -> bool;
}

impl Interpolate for Interpolator {
    fn tree(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        budget: &Budget,
    ) -> Outcome {
        Interpolator::tree(self, pool, parts, parent, budget)
    }

    fn is_checked(&self) -> bool {
        self.options.check
    }
}

/// Takes the problems of a run as SMT-LIB scripts.
pub trait QuerySink: Send {
    /// `kind` is `query` or `interpolation`.
    fn write(&mut self, kind: &'static str, text: &str);
}

/// Makes solvers and interpolants for a run; clones share everything.
#[derive(Clone, Default)]
pub struct Solvers {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    external: Option<Arc<External>>,
    sink: Option<Mutex<Box<dyn QuerySink>>>,
    stats: Mutex<interpolate::Stats>,
}

impl std::fmt::Debug for Solvers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.external().map_or("native", |e| e.name());
        write!(f, "Solvers({name})")
    }
}

impl Solvers {
    pub fn native() -> Self {
        Self::default()
    }

    /// Checks go to `external` if there is one; problems go to `sink` if there is one.
    pub fn new(external: Option<Arc<External>>, sink: Option<Box<dyn QuerySink>>) -> Self {
        Solvers {
            shared: Arc::new(Shared {
                external,
                sink: sink.map(Mutex::new),
                stats: Mutex::default(),
            }),
        }
    }

    pub fn external(&self) -> Option<&Arc<External>> {
        self.shared.external.as_ref()
    }

    /// What interpolation did so far in this run.
    pub fn interpolation_stats(&self) -> interpolate::Stats {
        let stats = self.shared.stats.lock();
        stats.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn solver(&self) -> Box<dyn SmtSolver> {
        let inner: Box<dyn SmtSolver> = match self.external() {
            None => Box::new(Solver::new()),
            Some(external) => Box::new(external.solver()),
        };
        match self.shared.sink {
            None => inner,
            Some(_) => Box::new(Recording {
                inner,
                scopes: vec![Vec::new()],
                solvers: self.clone(),
            }),
        }
    }

    fn record(&self, kind: &'static str, text: impl FnOnce() -> String) {
        if let Some(sink) = &self.shared.sink {
            let mut sink = sink.lock().unwrap_or_else(PoisonError::into_inner);
            sink.write(kind, &text());
        }
    }

    /// As [`interpolate::sequence`].
    pub fn sequence(
        &self,
        pool: &mut Pool,
        parts: &[TermId],
        opts: &Options,
        budget: &Budget,
    ) -> Outcome {
        let last = parts.len().saturating_sub(1);
        let parent: Vec<usize> = (0..parts.len()).map(|i| (i + 1).min(last)).collect();
        self.tree(pool, parts, &parent, opts, budget)
    }

    /// As [`interpolate::tree`]; an external interpolator is asked first, and what it says is
    /// checked here.
    pub fn tree(
        &self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        opts: &Options,
        budget: &Budget,
    ) -> Outcome {
        let mut native = Interpolator::new(*opts);
        let external = self.external().filter(|e| e.interpolates());
        let offered = external.map(|e| {
            let outcome =
                ExternalInterpolator::new(Arc::clone(e)).tree(pool, parts, parent, budget);
            native.accept_offer(pool, parts, parent, outcome, budget)
        });
        let outcome = match offered.flatten() {
            Some(list) => Outcome::Interpolants(list),
            None => native.tree(pool, parts, parent, budget),
        };
        let mut stats = self
            .shared
            .stats
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        stats.add(&native.stats);
        drop(stats);
        self.record("interpolation", || {
            script::interpolation(pool, parts, parent, script::status_of(&outcome))
        });
        outcome
    }
}

/// A solver whose checks are written down.
struct Recording {
    inner: Box<dyn SmtSolver>,
    scopes: Vec<Vec<TermId>>,
    solvers: Solvers,
}

impl SmtSolver for Recording {
    fn push(&mut self) {
        self.scopes.push(Vec::new());
        self.inner.push();
    }

    fn pop(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
        self.inner.pop();
    }

    fn assert(&mut self, pool: &mut Pool, t: TermId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(t);
        }
        self.inner.assert(pool, t);
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        let answer = self.inner.check(pool, assumptions, budget);
        let asserted: Vec<TermId> = self.scopes.iter().flatten().copied().collect();
        self.solvers.record("query", || {
            script::query(pool, &asserted, assumptions, answer)
        });
        answer
    }

    fn model(&mut self, pool: &mut Pool) -> Model {
        self.inner.model(pool)
    }

    fn core(&self) -> &[TermId] {
        self.inner.core()
    }
}
