//! From contexts to contracts and assertions.
//!
//! With contexts `c` of a function, entry states `E(c)`, states `S(c, l)` at location `l` and exit
//! states `X(c)`, over current values and the values at entry:
//! ```text
//!   requires   E(1) or E(2) or …                      of the parameters
//!   at l       (E(1) or E(2) or …) at entry,  and for each c:  E(c) at entry implies S(c, l)
//!   ensures    for each c:  E(c) at entry implies X(c)
//! ```
//! For each context by itself this is what exploration established: a state of `S(c, l)` before a
//! call is in `E(d)` for the context `d` that the call entered, so the callee ensures `X(d)`.
//! A function with calls but no context is never called: it requires `false`.

use super::Search;
use evidence::{Contract, Proof};
use logic::TermId;
use program::FuncId;
use std::collections::{BTreeMap, BTreeSet};

impl Search<'_, '_> {
    pub(super) fn proof(&mut self) -> Proof {
        let live = self.live_contexts();
        let mut invariants = BTreeMap::new();
        let mut contracts = BTreeMap::new();
        // Functions that slicing left nobody to call promise nothing and need nothing.
        let mut called: BTreeSet<FuncId> = self.prepared.calls.values().map(|c| c.callee).collect();
        called.insert(self.prepared.program.entry);
        for f in called {
            let contexts = live.get(&f).cloned().unwrap_or_default();
            let pool = &mut *self.task.pool;
            let mut entries: Vec<TermId> = Vec::new();
            for &c in &contexts {
                let entry = self.contexts.contexts[c].entry;
                entries.push(self.bdds.term(pool, &self.precision.terms, entry));
            }
            let requires = pool.or(&entries);
            let frozen: Vec<TermId> = entries
                .iter()
                .map(|&e| self.prepared.at_entry(pool, f, e))
                .collect();
            let some = pool.or(&frozen);
            let exit = self.prepared.program.functions[f].exit;
            let mut ensures = pool.tt();
            for &loc in &self.prepared.graph.nodes {
                let location = &self.prepared.program.locations[loc];
                if location.func != f || location.error.is_some() {
                    continue;
                }
                let mut parts = Vec::new();
                for (&c, &entry) in contexts.iter().zip(&frozen) {
                    let reached = self.contexts.reached(&mut self.bdds, c, loc);
                    let states = self.bdds.term(pool, &self.precision.terms, reached);
                    parts.push(pool.implies(entry, states));
                }
                let each = pool.and(&parts);
                if loc == exit {
                    ensures = each;
                }
                invariants.insert(loc, pool.and2(some, each));
            }
            contracts.insert(f, Contract { requires, ensures });
        }
        self.main_requires_nothing(&mut contracts);
        self.prepared.proof(self.task.pool, invariants, contracts)
    }

    /// The first context is the program's start, from any state.
    fn main_requires_nothing(&mut self, contracts: &mut BTreeMap<FuncId, Contract>) {
        let entry = self.prepared.program.entry;
        if let Some(contract) = contracts.get_mut(&entry) {
            debug_assert!(contract.requires == self.task.pool.tt());
            contract.requires = self.task.pool.tt();
        }
    }
}
