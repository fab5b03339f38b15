//! Precision: which predicates each location tracks.
//!
//! Predicates are atoms over program variables, numbered in the order of discovery; the number is
//! the variable of the decision diagrams. The list of a location only grows at its end, so that a
//! length says which predicates an abstract state was computed with.

use crate::api::Stats;
use crate::core::path::vars_by_term;
use crate::prepare::Prepared;
use base::{FxHashMap, FxHashSet, Id, IndexVec};
use logic::{Op, Pool, TermId};
use program::{FuncId, LocId, Program, VarId};
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

/// A location that may track predicates.
pub struct Place {
    /// Which copy of a function it belongs to.
    pub home: usize,
    /// The name of the function.
    pub function: String,
    /// The variables that predicates may speak of there, if not all of the function's.
    pub only: Option<FxHashSet<VarId>>,
}

pub struct Precision {
    /// Where predicates may be tracked.
    pub places: BTreeMap<LocId, Place>,
    func_of: IndexVec<LocId, FuncId>,
    /// The function whose own a variable is.
    owner: IndexVec<VarId, Option<FuncId>>,
    /// The formula of each predicate.
    pub terms: Vec<TermId>,
    numbers: FxHashMap<TermId, u32>,
    /// The program variables each predicate speaks of.
    vars: Vec<Vec<VarId>>,
    at: BTreeMap<LocId, Vec<u32>>,
    var_of: FxHashMap<TermId, VarId>,
}

impl Precision {
    pub fn new(program: &Program, places: BTreeMap<LocId, Place>) -> Self {
        let mut owner = IndexVec::filled(None, program.vars.len());
        for (id, f) in program.functions.iter_enumerated() {
            for &v in f.params.iter().chain(&f.returns).chain(&f.locals) {
                owner[v] = Some(id);
            }
        }
        Precision {
            places,
            func_of: program.locations.iter().map(|l| l.func).collect(),
            owner,
            terms: Vec::new(),
            numbers: FxHashMap::default(),
            vars: Vec::new(),
            at: BTreeMap::new(),
            var_of: vars_by_term(program),
        }
    }

    /// The predicates of a location, oldest first.
    pub fn at(&self, loc: LocId) -> &[u32] {
        self.at.get(&loc).map_or(&[], Vec::as_slice)
    }

    pub fn vars(&self, predicate: u32) -> &[VarId] {
        &self.vars[predicate as usize]
    }

    /// The program variables that a formula speaks of, sorted.
    pub fn vars_of(&self, pool: &Pool, formula: TermId) -> Vec<VarId> {
        let order = pool.post_order(&[formula]);
        let vars = order.iter().filter_map(|t| self.var_of.get(t).copied());
        let mut vars: Vec<VarId> = vars.collect();
        vars.sort_unstable();
        vars
    }

    /// The number of an atom.
    pub fn number(&mut self, pool: &Pool, atom: TermId) -> u32 {
        if let Some(&n) = self.numbers.get(&atom) {
            return n;
        }
        let n = self.terms.len() as u32;
        self.terms.push(atom);
        let vars = self.vars_of(pool, atom);
        self.vars.push(vars);
        self.numbers.insert(atom, n);
        n
    }

    /// Tracks a predicate at a location, and at others as `sharing` says.
    pub fn add(&mut self, sharing: Sharing, loc: LocId, predicate: u32) {
        let Some(place) = self.places.get(&loc) else {
            return;
        };
        let home = place.home;
        match sharing {
            Sharing::Location => self.add_at(loc, predicate),
            Sharing::Function | Sharing::Global => {
                let here = |p: &Place| sharing == Sharing::Global || p.home == home;
                let places: Vec<LocId> = self
                    .places
                    .iter()
                    .filter(|(_, p)| here(p))
                    .map(|(&l, _)| l)
                    .collect();
                for l in places {
                    self.add_at(l, predicate);
                }
            }
        }
    }

    /// Whether all that the predicate speaks of is in scope at the location.
    fn in_scope(&self, loc: LocId, predicate: u32) -> bool {
        let func = self.func_of[loc];
        let only = self.places.get(&loc).and_then(|p| p.only.as_ref());
        let allowed = |v: VarId| match only {
            Some(list) => list.contains(&v),
            None => self.owner[v].is_none_or(|f| f == func),
        };
        self.vars(predicate).iter().all(|&v| allowed(v))
    }

    fn add_at(&mut self, loc: LocId, predicate: u32) {
        if !self.in_scope(loc, predicate) {
            return;
        }
        let list = self.at.entry(loc).or_default();
        if !list.contains(&predicate) {
            list.push(predicate);
        }
    }

    /// Where in the location's list the predicate stands.
    pub fn position(&self, loc: LocId, predicate: u32) -> Option<usize> {
        self.at(loc).iter().position(|&p| p == predicate)
    }

    /// The figures of the paper's Table 1.
    pub fn count(&self, stats: &mut Stats) {
        let sizes: Vec<u64> = self.locations().map(|(_, p)| p.len() as u64).collect();
        let sum: u64 = sizes.iter().sum();
        stats.add("predicates", self.terms.len() as u64);
        stats.add(
            "predicates per location, maximum",
            sizes.iter().copied().max().unwrap_or(0),
        );
        stats.add(
            "predicates per location, average of 100",
            100 * sum / (sizes.len() as u64).max(1),
        );
    }

    /// Each location with predicates, in order.
    pub fn locations(&self) -> impl Iterator<Item = (LocId, &[u32])> {
        self.at.iter().map(|(&l, p)| (l, p.as_slice()))
    }
}

/// The cut points of a program without calls; the entry is before anything is known.
pub fn places(prepared: &Prepared) -> BTreeMap<LocId, Place> {
    let inner = |l: LocId| l != prepared.entry() && prepared.program.locations[l].error.is_none();
    let place = |l: LocId| Place {
        home: prepared.instance(l).index(),
        function: prepared.function_name(l).to_string(),
        only: None,
    };
    let nodes = prepared.graph.nodes.iter().copied();
    nodes.filter(|&l| inner(l)).map(|l| (l, place(l))).collect()
}

/// The atoms of a formula: its largest parts without Boolean structure, in order of first visit.
pub fn atoms(pool: &Pool, formula: TermId) -> Vec<TermId> {
    let mut out = Vec::new();
    let mut seen = FxHashSet::default();
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
