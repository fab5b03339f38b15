//! Precision: which predicates each location tracks.
//!
//! Predicates are atoms over program variables, numbered in the order of discovery; the number is
//! the variable of the decision diagrams. The list of a location only grows at its end, so that a
//! length says which predicates an abstract state was computed with.

use crate::path::vars_by_term;
use crate::prepare::Prepared;
use logic::{FxHashMap, Op, Pool, TermId};
use program::{LocId, VarId};
use std::collections::BTreeMap;

/// Where a predicate found at one location is tracked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// Only there (the paper's "Craig + Locality").
    #[default]
    Location,
    /// At all cut points of the same copy of the function.
    Function,
    /// Everywhere (the paper's "Craig").
    Global,
}

pub struct Precision {
    /// The formula of each predicate.
    pub terms: Vec<TermId>,
    numbers: FxHashMap<TermId, u32>,
    /// The program variables each predicate speaks of.
    vars: Vec<Vec<VarId>>,
    at: BTreeMap<LocId, Vec<u32>>,
    var_of: FxHashMap<TermId, VarId>,
}

impl Precision {
    pub fn new(prepared: &Prepared) -> Self {
        Precision {
            terms: Vec::new(),
            numbers: FxHashMap::default(),
            vars: Vec::new(),
            at: BTreeMap::new(),
            var_of: vars_by_term(&prepared.program),
        }
    }

    /// The predicates of a location, oldest first.
    pub fn at(&self, loc: LocId) -> &[u32] {
        self.at.get(&loc).map_or(&[], Vec::as_slice)
    }

    pub fn vars(&self, predicate: u32) -> &[VarId] {
        &self.vars[predicate as usize]
    }

    /// The number of an atom.
    pub fn number(&mut self, pool: &Pool, atom: TermId) -> u32 {
        if let Some(&n) = self.numbers.get(&atom) {
            return n;
        }
        let n = self.terms.len() as u32;
        self.terms.push(atom);
        let mut vars: Vec<VarId> = pool
            .post_order(&[atom])
            .iter()
            .filter_map(|t| self.var_of.get(t).copied())
            .collect();
        vars.sort_unstable();
        self.vars.push(vars);
        self.numbers.insert(atom, n);
        n
    }

    /// Tracks a predicate at a location, and at others as `sharing` says.
    pub fn add(&mut self, prepared: &Prepared, sharing: Sharing, loc: LocId, predicate: u32) {
        match sharing {
            Sharing::Location => self.add_at(loc, predicate),
            Sharing::Function | Sharing::Global => {
                let home = prepared.instance(loc);
                for &l in &prepared.graph.nodes {
                    let here = sharing == Sharing::Global || prepared.instance(l) == home;
                    if here && prepared.program.locations[l].error.is_none() {
                        self.add_at(l, predicate);
                    }
                }
            }
        }
    }

    fn add_at(&mut self, loc: LocId, predicate: u32) {
        let list = self.at.entry(loc).or_default();
        if !list.contains(&predicate) {
            list.push(predicate);
        }
    }

    /// Where in the location's list the predicate stands.
    pub fn position(&self, loc: LocId, predicate: u32) -> Option<usize> {
        self.at(loc).iter().position(|&p| p == predicate)
    }

    /// Each location with predicates, in order.
    pub fn locations(&self) -> impl Iterator<Item = (LocId, &[u32])> {
        self.at.iter().map(|(&l, p)| (l, p.as_slice()))
    }
}

/// The atoms of a formula: its largest parts without Boolean structure, in order of first visit.
pub fn atoms(pool: &Pool, formula: TermId) -> Vec<TermId> {
    let mut out = Vec::new();
    let mut seen = logic::FxHashSet::default();
    let mut stack = vec![formula];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        let args = pool.args(t);
        let structure = match pool.op(t) {
            Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Ite => true,
            Op::Eq => pool.sort_of(args[0]) == pool.bool_sort(),
            _ => false,
        };
        if structure {
            stack.extend(args.iter().rev());
        } else {
            out.push(t);
        }
    }
    out
}
