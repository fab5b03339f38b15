//! Program transformations, each with its way back.
//!
//! `slice`, `constants`, `dead_code`, `split_values` and `cells` keep the variables and their terms, so an invariant of the
//! new program is one of the old program at the location it came from, together with what the pass
//! itself knew there ([`Transformed::invariants_back`]). Executions go back edge by edge
//! ([`Transformed::edges_back`]). `globals_to_params` and `loops_to_recursion` make new functions
//! and variables and have ways back of their own.

mod constants;
mod dead_code;
pub mod error_flag;
pub mod globals;
pub mod inline;
pub mod leaves;
pub mod loops;
mod scalar_replacement;
mod slice;
#[cfg(test)]
mod tests;
mod value_splitting;
mod variable_abstraction;

pub use constants::constants;
pub use dead_code::dead_code;
pub use globals::globals_to_params;
pub use loops::loops_to_recursion;
pub use scalar_replacement::scalar_replacement;
pub use slice::slice;
pub use value_splitting::{SplitLimits, SplitProgram, split_values};
pub use variable_abstraction::abstract_variables;

use crate::{EdgeId, FuncId, LocId, Program, VarId};
use base::IndexVec;
use logic::{Pool, Rational, Substitution, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A program and where its parts came from.
#[derive(Clone, Debug)]
pub struct Transformed {
    pub program: Program,
    pub func_origin: IndexVec<FuncId, FuncId>,
    pub loc_origin: IndexVec<LocId, LocId>,
    /// `None` for edges the pass invented.
    pub edge_origin: IndexVec<EdgeId, Option<EdgeId>>,
    /// The original variable whose value a variable holds.
    pub var_origin: IndexVec<VarId, VarId>,
    /// What the pass knows at *original* locations. Sound to assume.
    pub facts: BTreeMap<LocId, Fact>,
    /// What variables that the pass invented stand for in the original, as terms over its variables.
    pub definitions: Vec<(TermId, TermId)>,
    /// Locations that the pass invented inside statements.
    pub invented: BTreeSet<LocId>,
    /// The address of each invented variable that is a cell of the array it comes from.
    pub cells: Vec<(TermId, Rational)>,
    /// Where the pass split locations: for each original loop head, all its copies. Empty if the
    /// pass splits nothing.
    pub pieces: BTreeMap<LocId, Vec<Piece>>,
}

/// One of several copies of a location.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub copy: LocId,
    /// Holds whenever the copy is reached.
    pub known: TermId,
    /// No error follows: edges to the copy were left out, so nothing else is known of it, whatever
    /// an invariant of the new program says.
    pub harmless: bool,
}

/// What a pass knows at a location.
#[derive(Clone, Debug)]
pub enum Fact {
    /// It is never reached.
    Never,
    /// These variables have these values: a formula only when somebody asks, as there are many.
    Values(Rc<BTreeMap<VarId, TermId>>),
}

impl Transformed {
    /// The same program, nothing changed yet.
    pub(crate) fn identity(program: Program) -> Self {
        Transformed {
            func_origin: program.functions.ids().collect(),
            loc_origin: program.locations.ids().collect(),
            edge_origin: program.edges.ids().map(Some).collect(),
            var_origin: program.vars.ids().collect(),
            facts: BTreeMap::new(),
            definitions: Vec::new(),
            invented: BTreeSet::new(),
            cells: Vec::new(),
            pieces: BTreeMap::new(),
            program,
        }
    }

    /// Invariants of the new program as invariants of the original one. Where the new program has
    /// no location (because nothing bad can come after it), the result has no entry.
    pub fn invariants_back(
        &self,
        pool: &mut Pool,
        invariants: &BTreeMap<LocId, TermId>,
    ) -> BTreeMap<LocId, TermId> {
        let mut out: BTreeMap<LocId, TermId> = BTreeMap::new();
        if !self.pieces.is_empty() {
            // Loop heads are enough: they cut every cycle, and other locations may lack the
            // assertion of some copy. A copy without an assertion leads to no error, so what is
            // known there is enough.
            for (&loc, pieces) in &self.pieces {
                let mut parts = Vec::with_capacity(pieces.len());
                for piece in pieces {
                    let given = invariants.get(&piece.copy).filter(|_| !piece.harmless);
                    let inv = given.copied().unwrap_or(pool.tt());
                    parts.push(pool.and2(piece.known, inv));
                }
                let any = pool.or(&parts);
                out.insert(loc, any);
            }
        }
        // An invented location stands in the middle of a statement, where nobody may assert.
        let one_to_one = invariants
            .iter()
            .filter(|(l, _)| self.pieces.is_empty() && !self.invented.contains(l));
        for (&loc, &inv) in one_to_one {
            let origin = self.loc_origin[loc];
            // Several copies of a location: some copy's invariant holds.
            let inv = match out.get(&origin) {
                Some(&other) => pool.or2(other, inv),
                None => inv,
            };
            out.insert(origin, inv);
        }
        for (&loc, fact) in &self.facts {
            match (fact, out.get(&loc).copied()) {
                (Fact::Never, _) => {
                    out.insert(loc, pool.ff());
                }
                (Fact::Values(_), Some(inv)) => {
                    let fact = self.known_at(pool, loc);
                    out.insert(loc, pool.and2(inv, fact));
                }
                (Fact::Values(_), None) => {}
            }
        }
        if !self.definitions.is_empty() {
            let mut map = Substitution::new(self.definitions.iter().copied());
            for inv in out.values_mut() {
                *inv = map.apply(pool, *inv);
            }
        }
        out
    }

    /// What the pass knows at an original location, as a formula.
    pub fn known_at(&self, pool: &mut Pool, loc: LocId) -> TermId {
        match self.facts.get(&loc) {
            None => pool.tt(),
            Some(Fact::Never) => pool.ff(),
            Some(Fact::Values(values)) => {
                let equal: Vec<TermId> = values
                    .iter()
                    .map(|(&v, &c)| pool.eq(self.program.vars[v].term, c))
                    .collect();
                pool.and(&equal)
            }
        }
    }

    /// An execution of the new program as edges of the original one. After slicing, calls whose
    /// callee was dropped lack the callee's edges: replay with `interp::Replay::lenient`.
    pub fn edges_back(&self, edges: &[EdgeId]) -> Vec<EdgeId> {
        edges.iter().filter_map(|e| self.edge_origin[*e]).collect()
    }
}
