//! The context: what is known of each function, as formulas over its inputs and outputs (IPROC,
//! section 5). A summary `(P, Q)` is the formula `P => Q`, a set of them their conjunction.
//!
//! Executions of functions that call themselves are counted by *depth*: a function at depth `d` may
//! call a function of its own cycle at depth `d - 1`, and none at depth 0. A summary holds up to a
//! depth, or always. What holds up to every depth holds always; that step is the check on
//! completion (`recursion.rs`).
//!
//! Invariant (Theorem 7): a summary holds of every execution of its function up to its depth. So
//! summaries are only ever added.

use super::automaton::Automata;
use crate::summaries::bodies::CallSite;
use base::{FxHashMap, FxHashSet, IndexVec};
use logic::{Pool, TermId};
use program::{BlockId, EdgeId, FuncId};

/// How deep calls within a cycle of functions may nest.
pub type Depth = u32;

/// No limit.
pub const ALWAYS: Depth = Depth::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Over the parameters at entry and the returns at exit.
    pub formula: TermId,
    /// Executions up to this depth satisfy it.
    pub depth: Depth,
}

/// Summaries of all functions.
#[derive(Clone)]
pub struct Context {
    pub summaries: IndexVec<FuncId, Vec<Summary>>,
    /// Grows with every summary.
    pub version: u64,
    seen: FxHashSet<(FuncId, TermId, Depth)>,
    instances: FxHashMap<(TermId, TermId), TermId>,
}

impl Context {
    pub fn new(functions: usize) -> Self {
        Context {
            summaries: IndexVec::filled(Vec::new(), functions),
            version: 0,
            seen: FxHashSet::default(),
            instances: FxHashMap::default(),
        }
    }

    /// Adds a summary; says whether it is new.
    pub fn add(&mut self, pool: &Pool, f: FuncId, formula: TermId, depth: Depth) -> bool {
        if formula == pool.tt() || !self.seen.insert((f, formula, depth)) {
            return false;
        }
        // Conjuncts that are there already, up to a smaller depth, are replaced.
        self.summaries[f].retain(|s| s.formula != formula || s.depth > depth);
        self.summaries[f].push(Summary { formula, depth });
        self.version += 1;
        true
    }

    /// What is known of `f` up to a depth.
    pub fn known(&self, f: FuncId, depth: Depth) -> Vec<TermId> {
        let usable = self.summaries[f].iter().filter(|s| s.depth >= depth);
        usable.map(|s| s.formula).collect()
    }

    pub fn count(&self) -> usize {
        self.summaries.iter().map(Vec::len).sum()
    }

    /// The depth at which a call from `f` at `depth` runs; `None` if it cannot be made.
    pub fn depth_of_call(automata: &Automata, f: FuncId, depth: Depth, g: FuncId) -> Option<Depth> {
        if !automata.meets_recursion(g) {
            Some(ALWAYS)
        } else if depth != ALWAYS && automata.same_cycle(f, g) {
            depth.checked_sub(1)
        } else {
            Some(depth)
        }
    }

    /// What the calls of a block at some depth are known to do, over the ghosts of the calls.
    pub fn at_block(
        &mut self,
        pool: &mut Pool,
        automata: &Automata,
        block: BlockId,
        depth: Depth,
    ) -> Vec<TermId> {
        let calls = self.at_calls(pool, automata, block, depth);
        calls.into_iter().map(|(_, t)| t).collect()
    }

    /// The same, each with the edge that its call begins with.
    pub fn at_calls(
        &mut self,
        pool: &mut Pool,
        automata: &Automata,
        block: BlockId,
        depth: Depth,
    ) -> Vec<(EdgeId, TermId)> {
        let func = automata.program.locations[automata.graph.blocks[block].from].func;
        let mut out = Vec::new();
        for site in &automata.sites[block] {
            match Self::depth_of_call(automata, func, depth, site.callee) {
                Some(depth) => {
                    for formula in self.known(site.callee, depth) {
                        out.push((site.edge, self.at_call(pool, automata, site, formula)));
                    }
                }
                None => {
                    let made = automata.program.vars[site.made].term;
                    out.push((site.edge, pool.not(made)));
                }
            }
        }
        out
    }

    /// `made => summary(args, results)`.
    fn at_call(
        &mut self,
        pool: &mut Pool,
        automata: &Automata,
        site: &CallSite,
        formula: TermId,
    ) -> TermId {
        let made = automata.program.vars[site.made].term;
        if let Some(&t) = self.instances.get(&(made, formula)) {
            return t;
        }
        let pairs = interface(automata, site);
        let instance = pool.substitute(formula, &pairs);
        let t = pool.implies(made, instance);
        self.instances.insert((made, formula), t);
        t
    }
}

/// The callee's parameters and returns, each with the ghost of the call that stands for it.
pub fn interface(automata: &Automata, site: &CallSite) -> Vec<(TermId, TermId)> {
    let term = |v| automata.program.vars[v].term;
    let callee = &automata.flagged.program.functions[site.callee];
    let inside = callee.params.iter().chain(&callee.returns);
    let outside = site.args.iter().chain(&site.results);
    inside
        .zip(outside)
        .map(|(&v, &g)| (term(v), term(g)))
        .collect()
}
