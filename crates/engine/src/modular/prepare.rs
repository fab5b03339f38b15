//! From a program to function bodies: loops become tail-recursive functions, globals parameters,
//! errors flags; with the way back for counterexamples and proofs.

use super::bodies::{Bodies, bodies};
use super::contracts::Facts;
use super::error_flag::{Flagged, default_term, error_flag};
use crate::api::Task;
use evidence::{Contract, Counterexample, Proof, Scope, Step};
use logic::{IndexVec, Pool, TermId};
use program::globals::{NoGlobals, globals_to_params};
use program::loops::{LoopFree, loops_to_recursion};
use program::{EdgeId, FuncId, Program, VarId, old_term};
use std::collections::BTreeMap;

/// A program whose functions interact by values only, as formulas.
pub struct ModularProgram {
    pub loop_free: LoopFree,
    no_globals: NoGlobals,
    pub flagged: Flagged,
    pub bodies: Bodies,
    pub entry: FuncId,
}

/// Brings the task's program into modular form.
pub fn prepare(task: &mut Task<'_>) -> ModularProgram {
    let loop_free = loops_to_recursion(task.pool, task.program);
    let no_globals = globals_to_params(task.pool, &loop_free.program);
    let flagged = error_flag(task.pool, &no_globals.program);
    let bodies = bodies(task.pool, &flagged.program);
    let entry = task.program.entry;
    ModularProgram {
        loop_free,
        no_globals,
        flagged,
        bodies,
        entry,
    }
}

impl ModularProgram {
    pub fn flag(&self, f: FuncId) -> Option<VarId> {
        self.flagged.flag[f]
    }

    pub fn inputs(&self, f: FuncId) -> Vec<VarId> {
        self.flagged.program.functions[f].params.clone()
    }

    /// Returns other than the error flag.
    pub fn outputs(&self, f: FuncId) -> Vec<VarId> {
        let returns = self.flagged.program.functions[f].returns.iter().copied();
        returns.filter(|&r| Some(r) != self.flag(f)).collect()
    }

    /// The error of the entry function, over its returns; `None` if it cannot err.
    pub fn goal(&self) -> Option<TermId> {
        self.flag(self.entry)
            .map(|v| self.bodies.program.vars[v].term)
    }

    /// Steps of the ghost program, with calls expanded in place, as steps of the original.
    pub fn original(&self, steps: Vec<Step>) -> Counterexample {
        let steps = steps
            .into_iter()
            .filter_map(|s| {
                self.original_edge(s.edge).map(|edge| Step {
                    edge,
                    havocs: s.havocs,
                })
            })
            .collect();
        Counterexample {
            initial: Vec::new(),
            steps,
        }
    }

    fn original_edge(&self, edge: EdgeId) -> Option<EdgeId> {
        let edge = self.bodies.edge_origin[edge]?;
        let edge = self.flagged.edge_origin[edge]?;
        let edge = self.no_globals.edge_origin[edge]?;
        self.loop_free.edge_origin[edge]
    }

    /// Kept facts as contracts of the program with loops as functions.
    ///
    /// Sound and complete for the checker because of the fixed defaults: "errs from these inputs" is
    /// the summary at the defaults with the flag set, so its negation is the pre-condition under
    /// which the function cannot err. If a caller inside its own pre-condition made a call outside
    /// the callee's, the caller's summary would hold at its defaults, against its pre-condition.
    pub fn proof(&self, pool: &mut Pool, facts: &IndexVec<FuncId, Facts>) -> Proof {
        let mut contracts = BTreeMap::new();
        for f in self.flagged.program.functions.ids() {
            let contract = contract(
                pool,
                &self.loop_free.program,
                &self.no_globals,
                &self.flagged,
                f,
                &facts[f],
            );
            contracts.insert(f, contract);
        }
        Proof {
            scope: Scope::Recursive,
            invariants: BTreeMap::new(),
            contracts,
        }
    }
}

/// Facts of a function as its contract in `base`, the program before globals became parameters and
/// errors flags; sound as [`ModularProgram::proof`] says.
pub fn contract(
    pool: &mut Pool,
    base: &Program,
    no_globals: &NoGlobals,
    flagged: &Flagged,
    f: FuncId,
    facts: &Facts,
) -> Contract {
    let program = &flagged.program;
    let function = &program.functions[f];
    let summary = pool.and(&facts.summaries);
    let mut requires = facts.guards.clone();
    let mut ensures = summary;
    if let Some(flag) = flagged.flag[f] {
        let mut erring = Vec::new();
        for &r in function.returns.iter().filter(|&&r| r != flag) {
            let var = &program.vars[r];
            erring.push((var.term, default_term(pool, var.sort, var.range.as_ref())));
        }
        let flag = program.vars[flag].term;
        erring.push((flag, pool.tt()));
        let may_err = pool.substitute(summary, &erring);
        requires.push(pool.not(may_err));
        let ff = pool.ff();
        ensures = pool.substitute(summary, &[(flag, ff)]);
    }
    let requires = pool.and(&requires);
    // Back to globals: in `requires` all values are those at entry and written plainly.
    let mut at_entry = Vec::new();
    let mut in_ensures = Vec::new();
    for &p in &function.params {
        let term = program.vars[p].term;
        let origin = no_globals.inputs.get(&p).copied();
        let var = origin.unwrap_or(p);
        at_entry.push((term, base.vars[var].term));
        in_ensures.push((term, old_term(pool, base, var)));
    }
    for &r in &function.returns {
        if let Some(&g) = no_globals.outputs.get(&r) {
            in_ensures.push((program.vars[r].term, base.vars[g].term));
        }
    }
    Contract {
        requires: pool.substitute(requires, &at_entry),
        ensures: pool.substitute(ensures, &in_ensures),
    }
}
