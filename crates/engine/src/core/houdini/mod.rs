//! Houdini over a graph of obligations: from candidate facts about places, keep the largest set that
//! supports itself.
//!
//! *Terms.* A *place* is what facts are about (a location, the entry or the exit of a function). An
//! *obligation* is one check: the facts assumed at some places imply the facts at others (a block, the
//! body of a function). Who knows the graph implements [`Obligations`]; the work list, the candidates
//! that stay open and the bookkeeping are here.
//!
//! *Idea*, on `x = 0; while (*) x = x + 2;` with the candidates `x >= 0`, `x < 9`, `x even` at the head:
//! entering refutes none, the iteration refutes `x < 9`, and assuming one fact less it refutes no more.
//! A fact that fails stays open and is tried again with the next ones, as it may hold relative to them.
//!
//! Source: Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001).
//!
//! Invariant: the proven facts are jointly inductive: every obligation's conclusions follow from
//! proven facts at the places that it assumes.

mod blocks;
mod invariants;
#[cfg(test)]
mod tests;

pub use blocks::Blocks;
pub use invariants::Invariants;

use crate::limits::{HoudiniLimits, Slice};
use base::{Budget, Stop};
use logic::{Pool, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The checks that facts have to pass.
///
/// # Contract
/// A set of facts at [`places`](Self::places) for which no obligation refutes any holds of every
/// execution. [`refuted`](Self::refuted) may refute too much (a solver that gives up), never too
/// little; and it depends on nothing but the facts assumed at [`assumes`](Self::assumes) and the
/// goals themselves.
pub trait Obligations {
    /// What facts are about.
    type Place: Copy + Ord;
    /// One check.
    type Id: Copy + Ord;

    /// The places whose open facts are to be proven. Facts at other places are left as they are.
    fn places(&self) -> Vec<Self::Place>;

    /// All checks, in the order in which they are made.
    fn all(&self) -> Vec<Self::Id>;

    /// The places whose facts the check assumes.
    fn assumes(&self, check: Self::Id) -> Vec<Self::Place>;

    /// Those of the goals that do not follow from what is assumed.
    fn refuted(
        &mut self,
        pool: &mut Pool,
        check: Self::Id,
        facts: &Facts<'_, Self::Place>,
        budget: &Budget,
    ) -> Result<Vec<(Self::Place, TermId)>, Stop>;

    /// Does a state known to occur at the place refute the fact? Asked before any solver is.
    fn sample_refutes(&mut self, _: &Pool, _: Self::Place, _: TermId) -> bool {
        false
    }
}

/// The facts of one attempt, as a check sees them.
pub struct Facts<'a, P> {
    proven: &'a BTreeMap<P, Vec<TermId>>,
    kept: &'a BTreeMap<P, Vec<TermId>>,
}

impl<P: Ord> Facts<'_, P> {
    /// What may be assumed at a place: what is proven and what is not refuted yet.
    pub fn assumed(&self, place: P) -> Vec<TermId> {
        let mut out = list(self.proven, &place).to_vec();
        out.extend(list(self.kept, &place));
        out
    }

    /// The candidates at a place that are not refuted yet.
    pub fn goals(&self, place: P) -> &[TermId] {
        list(self.kept, &place)
    }
}

fn list<'a, P: Ord>(facts: &'a BTreeMap<P, Vec<TermId>>, place: &P) -> &'a [TermId] {
    facts.get(place).map_or(&[], Vec::as_slice)
}

/// Proven facts and open candidates, by place.
#[derive(Clone)]
pub struct Houdini<P> {
    limits: HoudiniLimits,
    proven: BTreeMap<P, Vec<TermId>>,
    /// Unproven candidates, oldest first.
    open: BTreeMap<P, Vec<TermId>>,
}

impl<P> Default for Houdini<P> {
    fn default() -> Self {
        Houdini {
            limits: HoudiniLimits::default(),
            proven: BTreeMap::new(),
            open: BTreeMap::new(),
        }
    }
}

impl<P: Copy + Ord> Houdini<P> {
    pub fn new(limits: &HoudiniLimits) -> Self {
        Houdini {
            limits: limits.clone(),
            ..Default::default()
        }
    }

    /// The proven facts of a place.
    pub fn at(&self, place: P) -> &[TermId] {
        list(&self.proven, &place)
    }

    /// All proven facts.
    pub fn proven(&self) -> &BTreeMap<P, Vec<TermId>> {
        &self.proven
    }

    /// How many facts are proven.
    pub fn count(&self) -> usize {
        self.proven.values().map(Vec::len).sum()
    }

    /// Takes over facts that somebody else proved.
    pub fn assume(&mut self, place: P, facts: impl IntoIterator<Item = TermId>) {
        self.proven.entry(place).or_default().extend(facts);
    }

    /// Replaces the proven facts; the old ones are returned.
    pub fn replace_proven(&mut self, proven: BTreeMap<P, Vec<TermId>>) -> BTreeMap<P, Vec<TermId>> {
        std::mem::replace(&mut self.proven, proven)
    }

    /// Drops the open candidates for which `keep` says no.
    pub fn retain_open(&mut self, keep: impl Fn(TermId) -> bool) {
        for facts in self.open.values_mut() {
            facts.retain(|&f| keep(f));
        }
    }

    /// Adds a candidate; says whether it is new.
    pub fn offer(&mut self, pool: &Pool, place: P, fact: TermId) -> bool {
        self.offer_unless(pool, place, fact, |_, _, _| false)
    }

    /// Adds a candidate that no sample refutes; says whether it is new.
    pub fn offer_sampled(
        &mut self,
        pool: &Pool,
        obligations: &mut impl Obligations<Place = P>,
        place: P,
        fact: TermId,
    ) -> bool {
        self.offer_unless(pool, place, fact, |pool, place, fact| {
            obligations.sample_refutes(pool, place, fact)
        })
    }

    fn offer_unless(
        &mut self,
        pool: &Pool,
        place: P,
        fact: TermId,
        refuted: impl FnOnce(&Pool, P, TermId) -> bool,
    ) -> bool {
        let known = fact == pool.tt()
            || self.at(place).contains(&fact)
            || list(&self.open, &place).contains(&fact)
            || refuted(pool, place, fact);
        if !known {
            let open = self.open.entry(place).or_default();
            open.push(fact);
            let surplus = open.len().saturating_sub(self.limits.candidates);
            open.drain(..surplus);
        }
        !known
    }

    /// Proves what can be proven of the open candidates within a slice of the work; says
    /// whether any was. Running over that slice leaves all as it was.
    pub fn attempt(
        &mut self,
        pool: &mut Pool,
        obligations: &mut impl Obligations<Place = P>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.attempt_within(pool, obligations, self.limits.work, budget)
    }

    /// The same within a slice of its own.
    pub fn attempt_within(
        &mut self,
        pool: &mut Pool,
        obligations: &mut impl Obligations<Place = P>,
        work: Slice,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let proved = self.prove_within(pool, obligations, work, budget)?;
        Ok(proved.unwrap_or(false))
    }

    /// The same; where all open candidates together take more than the slice, the newest get one of their
    /// own. One that is hard, such as a relation of products that wraps around in the end, would keep all
    /// that come after it from being proved.
    pub fn attempt_newest(
        &mut self,
        pool: &mut Pool,
        obligations: &mut impl Obligations<Place = P>,
        newest: &BTreeMap<P, Vec<TermId>>,
        work: Slice,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        if let Some(new) = self.prove_within(pool, obligations, work, budget)? {
            return Ok(new);
        }
        let mut older = self.open.clone();
        for (place, facts) in &mut self.open {
            facts.retain(|f| list(newest, place).contains(f));
        }
        if self.open == older {
            return Ok(false); // the same again would take as long
        }
        let proved = self.prove_within(pool, obligations, work, budget);
        for (place, facts) in &mut older {
            facts.retain(|f| !self.at(*place).contains(f));
        }
        self.open = older;
        Ok(proved?.unwrap_or(false))
    }

    /// Whether anything was proved; nothing if it took more than the slice.
    fn prove_within(
        &mut self,
        pool: &mut Pool,
        obligations: &mut impl Obligations<Place = P>,
        work: Slice,
        budget: &Budget,
    ) -> Result<Option<bool>, Stop> {
        match self.prove(pool, obligations, &work.of(budget)) {
            Ok(new) => Ok(Some(new)),
            Err(_) => budget.check().map(|()| None),
        }
    }

    /// Proves what can be proven of the open candidates together with what is proven already; says
    /// whether any was. Running out leaves all as it was.
    pub fn prove(
        &mut self,
        pool: &mut Pool,
        obligations: &mut impl Obligations<Place = P>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let kept = self.largest_inductive(pool, obligations, budget)?;
        let mut new = false;
        for (place, facts) in kept {
            new |= !facts.is_empty();
            if let Some(open) = self.open.get_mut(&place) {
                open.retain(|f| !facts.contains(f));
            }
            self.assume(place, facts);
        }
        Ok(new)
    }

    /// Drops candidates until no check refutes any of the rest.
    ///
    /// The checks are swept in order; one is due as long as a place whose facts it assumes has lost
    /// some since it was made. Sound because at the end each check was made with what is kept.
    fn largest_inductive(
        &self,
        pool: &mut Pool,
        obligations: &mut impl Obligations<Place = P>,
        budget: &Budget,
    ) -> Result<BTreeMap<P, Vec<TermId>>, Stop> {
        let places = obligations.places().into_iter();
        let mut kept: BTreeMap<P, Vec<TermId>> = places
            .filter_map(|place| Some((place, self.open.get(&place)?.clone())))
            .collect();
        let checks = obligations.all();
        let mut dependants: BTreeMap<P, Vec<usize>> = BTreeMap::new();
        for (at, &check) in checks.iter().enumerate() {
            for place in obligations.assumes(check) {
                dependants.entry(place).or_default().push(at);
            }
        }
        let mut due: BTreeSet<usize> = (0..checks.len()).collect();
        let mut next = 0;
        while let Some(at) = due.range(next..).next().or(due.first()).copied() {
            due.remove(&at);
            next = at + 1;
            let facts = Facts {
                proven: &self.proven,
                kept: &kept,
            };
            for (place, fact) in obligations.refuted(pool, checks[at], &facts, budget)? {
                if let Some(facts) = kept.get_mut(&place) {
                    facts.retain(|&f| f != fact);
                    due.extend(dependants.get(&place).into_iter().flatten());
                }
            }
        }
        Ok(kept)
    }
}
