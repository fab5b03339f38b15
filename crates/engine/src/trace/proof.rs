//! The proof that a finished search is: a contract for every function from its summaries, and an
//! assertion for every location between letters from its automata.
//!
//! For the triples `{P} f {Q}` behind the summaries of `f`, whose automata leave the facts `F` at a
//! location, the assertion there is: the function's own pre-condition, its invariants, and
//! `P(old inputs) => F` for each. The pre-condition says that the summaries exclude an error from
//! these inputs (see `summaries::prepare::contract`), so an error location cannot be reached: the
//! triples would say that the function may err.

use super::context::ALWAYS;
use super::{Outline, Search};
use crate::prepare::modular::contract;
use crate::summaries::contracts::Facts;
use base::FxHashSet;
use evidence::{Contract, Proof, Scope, Verdict};
use logic::{Substitution, TermId};
use program::{Assertions, FuncId, LocId, old_term};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

impl Search<'_, '_> {
    /// The program is safe: the context proves it.
    pub(super) fn safe(&mut self) -> Verdict {
        let automata = self.automata;
        let mut contracts: BTreeMap<FuncId, Contract> = BTreeMap::new();
        // Where paths meet the checker looks for itself: what is there follows from the bodies.
        let (scope, functions, originals) = match automata.outlined {
            Outline::Nothing | Outline::All => {
                let program = self.task.program;
                (
                    Scope::Modular,
                    program.functions.len(),
                    program.locations.len(),
                )
            }
            Outline::Loops => {
                let program = &automata.loop_free.program;
                (
                    Scope::Recursive,
                    program.functions.len(),
                    program.locations.len(),
                )
            }
        };
        for f in automata.flagged.program.functions.ids().take(functions) {
            let mut facts = Facts {
                guards: Vec::new(),
                summaries: self.context.known(f, ALWAYS),
            };
            // Its summaries imply this; said plainly, its pre-condition is plainly true.
            if let (true, Some(flag)) = (f == automata.entry, automata.flag(f)) {
                facts.summaries.push(self.task.pool.not(flag));
            }
            let program = &automata.flagged.program;
            contracts.insert(f, contract(self.task.pool, program, f, &facts));
        }
        let found = Assertions {
            contracts,
            ..Assertions::default()
        };
        let Assertions { contracts, .. } = automata.to_loop_free.assertions(self.task.pool, found);
        let mut invariants = BTreeMap::new();
        let mut ways: BTreeMap<FuncId, Vocabulary> = BTreeMap::new();
        for &loc in &automata.graph.nodes {
            let f = automata.program.locations[loc].func;
            let original = base::Id::index(loc) < originals;
            let inner = loc != automata.entry_of(f) && loc != automata.exit_of(f);
            // Locations of our own making lie between the program's; the checker passes them.
            if !original || !inner || loc == automata.loop_free.program.functions[f].exit {
                continue;
            }
            let way = match ways.entry(f) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => place.insert(self.vocabulary(f)),
            };
            let assertion = self.assertion(f, loc, way);
            invariants.insert(loc, assertion);
        }
        let mut invariants = automata.to_loop_free.invariants(self.task.pool, invariants);
        let mut requires: BTreeMap<FuncId, TermId> = BTreeMap::new();
        for (loc, assertion) in invariants.iter_mut() {
            let f = automata.loop_free.program.locations[*loc].func;
            let required = match requires.entry(f) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(place) => *place.insert(self.required(f, &contracts[&f])),
            };
            *assertion = self.task.pool.and2(required, *assertion);
        }
        Verdict::Safe(Proof {
            rest: Vec::new(),
            cone: None,
            scope,
            invariants,
            contracts,
        })
    }

    /// What a function requires, of its inputs as they were at entry, in the program before.
    fn required(&mut self, f: FuncId, contract: &Contract) -> TermId {
        let base = &self.automata.loop_free.program;
        let pool = &mut *self.task.pool;
        let params = base.functions[f].params.iter().chain(&base.globals);
        let plain_to_old: Vec<(TermId, TermId)> = params
            .map(|&v| (base.vars[v].term, old_term(pool, base, v)))
            .collect();
        pool.substitute(contract.requires, &plain_to_old)
    }

    fn vocabulary(&mut self, f: FuncId) -> Vocabulary {
        let automata = self.automata;
        let program = &automata.flagged.program;
        let pool = &mut *self.task.pool;
        let mut state = Vec::new();
        let mut entry = Vec::new();
        let mut always = Vec::new();
        let params = &program.functions[f].params;
        for (&p, &(term, kept)) in params.iter().zip(&automata.inputs[f]) {
            let old = old_term(pool, program, p);
            entry.push((term, old));
            if kept == term {
                always.push(pool.eq(term, old));
            } else {
                state.push((kept, old));
            }
        }
        let no_globals = &automata.no_globals;
        let outputs = no_globals.outputs.keys();
        Vocabulary {
            outputs: outputs.map(|&v| no_globals.program.vars[v].term).collect(),
            state: Substitution::new(state),
            entry: Substitution::new(entry),
            always,
        }
    }

    fn assertion(&mut self, f: FuncId, loc: LocId, way: &mut Vocabulary) -> TermId {
        let pool = &mut *self.task.pool;
        let mut parts = way.always.clone();
        for &fact in self.invariants.at(loc) {
            let speaks_of_output = |t| way.outputs.contains(t);
            if !pool.post_order(&[fact]).iter().any(speaks_of_output) {
                parts.push(way.state.apply(pool, fact));
            }
        }
        for triple in &self.proven[f] {
            let requires = way.entry.apply(pool, triple.requires);
            let facts = triple.assertions.get(&loc).copied().unwrap_or(pool.ff());
            let facts = way.state.apply(pool, facts);
            parts.push(pool.implies(requires, facts));
        }
        pool.and(&parts)
    }
}

/// From the terms of an automaton to those of the program with error flags, where the value of an
/// input at entry is its old term.
struct Vocabulary {
    state: Substitution,
    /// For formulas over the parameters at entry.
    entry: Substitution,
    /// What holds at every location of the function.
    always: Vec<TermId>,
    /// What gives globals back: set on the way to the exit only, so before it no fact about the
    /// program can need it.
    outputs: FxHashSet<TermId>,
}
