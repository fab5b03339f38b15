//! Formulas on their way back.

use super::{Fact, Home, Leg, Place, WayBack};
use crate::blocks::old_name;
use crate::{Assertions, Contract, FuncId, LocId};
use base::FxHashMap;
use logic::{Pool, Substitution, TermId};
use std::collections::BTreeMap;

impl WayBack {
    /// Assertions of the new program as assertions of the old one. Where the new program has no
    /// location (because nothing bad can come after it), the result has no entry.
    pub fn assertions(&self, pool: &mut Pool, new: Assertions) -> Assertions {
        let back = |new: Assertions, leg: &std::sync::Arc<Leg>| leg.assertions(pool, new);
        self.legs.iter().rev().fold(new, back)
    }

    /// The same for invariants alone.
    pub fn invariants(
        &self,
        pool: &mut Pool,
        invariants: BTreeMap<LocId, TermId>,
    ) -> BTreeMap<LocId, TermId> {
        let new = Assertions {
            invariants,
            ..Assertions::default()
        };
        self.assertions(pool, new).invariants
    }
}

impl Leg {
    fn assertions(&self, pool: &mut Pool, new: Assertions) -> Assertions {
        let mut invariants = match self.pieces.is_empty() {
            true => self.at_copies(pool, &new.invariants),
            false => self.of_pieces(pool, &new.invariants),
        };
        let mut contracts = BTreeMap::new();
        for (f, mut contract) in new.contracts {
            if self.uncalled.contains(&f) {
                let tt = pool.tt();
                (contract.requires, contract.ensures) = (tt, tt);
            }
            if let Some(&head) = self.heads.get(&f) {
                // Sound because the head is reached exactly where its function is called.
                let known = invariants.get(&head).copied().unwrap_or(pool.tt());
                let both = pool.and2(known, contract.requires);
                invariants.insert(head, both);
            } else if let Some(origin) = self.functions[f] {
                contracts.insert(origin, self.contract(pool, f, origin, contract));
            }
        }
        for (&loc, fact) in &self.facts {
            match (fact, invariants.get(&loc).copied()) {
                (Fact::Never, _) => {
                    invariants.insert(loc, pool.ff());
                }
                (Fact::Holds(fact), None) => drop(invariants.insert(loc, *fact)),
                (Fact::Values(_) | Fact::Holds(_), Some(inv)) => {
                    let fact = self.known_at(pool, loc);
                    invariants.insert(loc, pool.and2(inv, fact));
                }
                (Fact::Values(_), None) => {}
            }
        }
        let pairs = self.pairs(pool);
        if pairs.is_empty() {
            return Assertions {
                invariants,
                contracts,
            };
        }
        let mut map = Substitution::new(pairs);
        for inv in invariants.values_mut() {
            *inv = map.apply(pool, *inv);
        }
        for contract in contracts.values_mut() {
            contract.requires = map.apply(pool, contract.requires);
            contract.ensures = map.apply(pool, contract.ensures);
        }
        Assertions {
            invariants,
            contracts,
        }
    }

    /// The new program's terms with those that they stand for in the old one.
    fn pairs(&self, pool: &mut Pool) -> Vec<(TermId, TermId)> {
        let mut pairs = self.definitions.clone();
        for at in &self.at_entry {
            let new = pool.constant(&old_name(&at.new), at.sort);
            pairs.push((new, pool.constant(&old_name(&at.old), at.sort)));
        }
        pairs
    }

    /// At a location that has several copies, the invariant of some copy holds: all must have one.
    fn at_copies(
        &self,
        pool: &mut Pool,
        given: &BTreeMap<LocId, TermId>,
    ) -> BTreeMap<LocId, TermId> {
        let mut missing: FxHashMap<LocId, usize> = FxHashMap::default();
        for place in self.locations.iter() {
            if let Place::At(origin) = place {
                *missing.entry(*origin).or_default() += 1;
            }
        }
        let mut out: BTreeMap<LocId, TermId> = BTreeMap::new();
        for (&loc, &inv) in given {
            let Place::At(origin) = self.locations[loc] else {
                continue;
            };
            *missing.entry(origin).or_default() -= 1;
            let inv = self.within_scope(pool, loc, inv);
            let inv = match out.get(&origin) {
                Some(&other) => pool.or2(other, inv),
                None => inv,
            };
            out.insert(origin, inv);
        }
        out.retain(|loc, _| missing[loc] == 0);
        out
    }

    /// Loop heads are enough: they cut every cycle, and other locations may lack the assertion of
    /// some copy. A copy without an assertion leads to no error, so what is known there is enough.
    fn of_pieces(
        &self,
        pool: &mut Pool,
        given: &BTreeMap<LocId, TermId>,
    ) -> BTreeMap<LocId, TermId> {
        let mut out = BTreeMap::new();
        for (&loc, pieces) in &self.pieces {
            let mut parts = Vec::with_capacity(pieces.len());
            for piece in pieces {
                let given = given.get(&piece.copy).filter(|_| !piece.harmless);
                let inv = given.copied().unwrap_or(pool.tt());
                parts.push(pool.and2(piece.known, inv));
            }
            let any = pool.or(&parts);
            out.insert(loc, any);
        }
        out
    }

    /// A contract over the new program's variables, with what the pass knows of the function.
    fn contract(&self, pool: &mut Pool, f: FuncId, origin: FuncId, contract: Contract) -> Contract {
        let mut requires = contract.requires;
        if let Some(flag) = self.flags.get(&f) {
            // Sound because the values of an erring function are fixed: "errs from these inputs" is
            // what it ensures at these values.
            let mut erring = flag.erring.clone();
            for (name, sort, term) in &flag.params {
                erring.push((pool.constant(&old_name(name), *sort), *term));
            }
            let may_err = pool.substitute(contract.ensures, &erring);
            let cannot = pool.not(may_err);
            requires = pool.and2(requires, cannot);
        }
        // What the pass knows at the entry holds at every call.
        let known = self.known_at(pool, self.entries[origin]);
        let frame = self.frames.get(&f).copied().unwrap_or(pool.tt());
        Contract {
            requires: pool.and2(requires, known),
            ensures: pool.and2(contract.ensures, frame),
        }
    }

    /// What the pass knows at an old location, as a formula.
    fn known_at(&self, pool: &mut Pool, loc: LocId) -> TermId {
        match self.facts.get(&loc) {
            None => pool.tt(),
            Some(Fact::Never) => pool.ff(),
            Some(Fact::Holds(fact)) => *fact,
            Some(Fact::Values(values)) => {
                let equal: Vec<TermId> = values
                    .iter()
                    .map(|(v, c)| pool.eq(self.terms[v], c))
                    .collect();
                pool.and(&equal)
            }
        }
    }

    /// The conjuncts of a formula at a location that mean something in the old program.
    fn within_scope(&self, pool: &mut Pool, loc: LocId, formula: TermId) -> TermId {
        if self.homes.is_empty() || self.means_something(pool, loc, formula) {
            return formula;
        }
        let mut parts = pool.conjuncts(formula);
        parts.retain(|&part| self.means_something(pool, loc, part));
        pool.and(&parts)
    }

    fn means_something(&self, pool: &Pool, loc: LocId, formula: TermId) -> bool {
        let scope = self.scopes.get(loc);
        let stranger = |&t: &TermId| {
            pool.as_constant(t).is_some()
                && match self.homes.get(&t) {
                    Some(Home::Everywhere) => false,
                    Some(Home::Scope(home)) => Some(home) != scope,
                    Some(Home::Nowhere) => true,
                    None => scope.is_some(),
                }
        };
        !pool.post_order(&[formula]).iter().any(stranger)
    }
}
