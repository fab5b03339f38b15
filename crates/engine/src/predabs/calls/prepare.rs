//! A program with calls as a graph of blocks, ready for summaries, with the way back.
//!
//! Globals become parameters and returns, so that functions interact by values only. A parameter
//! that its function assigns gets a *symbolic constant*, a local that holds its value at entry and
//! is never written (the paper's φ, section 5.2); one that is never assigned is its own. A call
//! becomes two blocks beside the call edge: one that *enters* the callee (its parameters are the
//! arguments, its other variables are anything) and one that *leaves* it (the results are what the
//! callee's summary says of its returns).

use crate::api::Task;
use base::{FxHashMap, FxHashSet};
use evidence::{Contract, Counterexample, Proof, Scope, Step};
use logic::{Pool, TermId};
use program::passes::back_translation::Leg;
use program::passes::{Transformed, WayBack, constants, globals_to_params, merge_errors};
use program::{
    Assertions, Block, BlockGraph, BlockId, BlockKind, BlockSize, Edge, EdgeId, FuncId, LocId,
    Location, Program, Stmt, Transition, Var, VarId, VarKind, blocks, old_term, primed,
};
use std::collections::BTreeMap;

/// A call and the blocks it stands for.
pub struct Call {
    pub edge: EdgeId,
    pub callee: FuncId,
    /// From the call to the callee's entry.
    pub enter: BlockId,
    /// From the call to where it ends.
    pub leave: BlockId,
    /// What the callee's variables at its exit are to the block `leave`.
    pub at_exit: Vec<(TermId, TermId)>,
}

pub struct CallProgram {
    pub size: BlockSize,
    pub program: Program,
    pub graph: BlockGraph,
    /// By their block in `graph.out`.
    pub calls: FxHashMap<BlockId, Call>,
    /// For each parameter of a function the constant that holds its value at entry throughout.
    pub frozen: FxHashMap<VarId, VarId>,
    back: WayBack,
}

/// Brings the task's program into this form.
pub fn prepare(task: &mut Task<'_>, size: BlockSize) -> CallProgram {
    let pool = &mut *task.pool;
    let mut chain = Transformed::nothing(task.program.clone());
    // Not sliced: what a slice leaves out of a function, such as a call that can only block, its contract would need.
    if task.options.simplifies() {
        chain = constants(pool, task.program);
    }
    let mut frozen = FxHashMap::default();
    let chain = chain
        .then(|p| {
            let made = globals_to_params(pool, p);
            Transformed {
                program: made.program,
                back: made.back,
            }
        })
        .then(|p| {
            let (made, constants) = freeze(pool, p.clone());
            frozen = constants;
            made
        })
        .then(|p| merge_errors(p.clone()));
    let Transformed { program, back } = chain;
    let mut graph = blocks::encode(pool, &program, size);
    let mut calls = FxHashMap::default();
    for id in graph.blocks.ids().collect::<Vec<_>>() {
        if let BlockKind::Call(edge) = graph.blocks[id].kind {
            let call = call_blocks(pool, &program, &frozen, &mut graph, edge);
            calls.insert(id, call);
        }
    }
    CallProgram {
        size,
        program,
        graph,
        calls,
        frozen,
        back,
    }
}

/// Gives each assigned parameter its symbolic constant, equal to it at the entry.
fn freeze(pool: &mut Pool, mut program: Program) -> (Transformed, FxHashMap<VarId, VarId>) {
    let mut leg = Leg::of(&program);
    let mut assigned: FxHashSet<VarId> = FxHashSet::default();
    for edge in program.edges.iter() {
        match &edge.stmt {
            Stmt::Assign(pairs) => assigned.extend(pairs.iter().map(|&(v, _)| v)),
            Stmt::Havoc(vars, _) => assigned.extend(vars),
            Stmt::Call { results, .. } => assigned.extend(results),
            Stmt::Skip | Stmt::Assume(_) => {}
        }
    }
    let mut frozen = FxHashMap::default();
    for f in program.functions.ids() {
        let mut same = Vec::new();
        for p in program.functions[f].params.clone() {
            if !assigned.contains(&p) {
                frozen.insert(p, p);
                continue;
            }
            let term = old_term(pool, &program, p);
            // The way back knows a value at entry by this very term.
            leg.define(term, term);
            let var = Var {
                name: format!("old({})", program.vars[p].name),
                term,
                kind: VarKind::Local,
                ..program.vars[p].clone()
            };
            same.push(pool.eq(program.vars[p].term, term));
            let var = program.vars.push(var);
            program.functions[f].locals.push(var);
            frozen.insert(p, var);
        }
        let span = program.functions[f].span;
        let entry = program.locations.push(Location {
            func: f,
            span,
            error: None,
            loop_head: None,
        });
        let edge = Edge {
            from: entry,
            to: program.functions[f].entry,
            stmt: Stmt::Assume(pool.and(&same)),
            span,
        };
        program.edges.push(edge);
        leg.add_edge(None);
        program.functions[f].entry = entry;
    }
    (Transformed::new(program, leg), frozen)
}

fn call_blocks(
    pool: &mut Pool,
    program: &Program,
    frozen: &FxHashMap<VarId, VarId>,
    graph: &mut BlockGraph,
    edge: EdgeId,
) -> Call {
    let Stmt::Call {
        callee,
        args,
        results,
    } = &program.edges[edge].stmt
    else {
        unreachable!("call blocks are made of call edges")
    };
    let function = &program.functions[*callee];
    let (from, to) = (program.edges[edge].from, program.edges[edge].to);
    let mut entered: Vec<VarId> = function.params.clone();
    entered.extend(function.returns.iter().chain(&function.locals));
    entered.sort_unstable();
    let mut conjuncts = Vec::new();
    for (&p, &arg) in function.params.iter().zip(args) {
        let value = primed(pool, program, p);
        conjuncts.push(pool.eq(value, arg));
        conjuncts.extend(range(pool, program, p, value));
    }
    // Sound because all variables of the callee get new values, those of no parameter any value.
    let enter = transition(pool, program, edge, conjuncts, entered, Vec::new());
    let mut at_exit = Vec::new();
    let mut internals = Vec::new();
    for (&p, &arg) in function.params.iter().zip(args) {
        at_exit.push((program.vars[frozen[&p]].term, arg));
    }
    let known: FxHashSet<TermId> = at_exit.iter().map(|&(t, _)| t).collect();
    let own = function.params.iter().chain(&function.returns);
    for &v in own.chain(&function.locals) {
        let var = &program.vars[v];
        if !known.contains(&var.term) {
            let constant = pool.constant(&format!("{}!returned", var.name), var.sort);
            at_exit.push((var.term, constant));
            internals.push(constant);
        }
    }
    let mut conjuncts = Vec::new();
    for (i, (&result, &r)) in results.iter().zip(&function.returns).enumerate() {
        if results[i + 1..].contains(&result) {
            continue;
        }
        let value = primed(pool, program, result);
        let term = program.vars[r].term;
        let returned = pool.substitute(term, &at_exit);
        conjuncts.push(pool.eq(value, returned));
        conjuncts.extend(range(pool, program, result, value));
        conjuncts.extend(range(pool, program, r, returned));
    }
    let mut taken = results.clone();
    taken.sort_unstable();
    taken.dedup();
    let leave = transition(pool, program, edge, conjuncts, taken, internals);
    let entry = function.entry;
    let mut push = |to: LocId, t: Transition| {
        let kind = BlockKind::Transition(t);
        graph.blocks.push(Block { from, to, kind })
    };
    Call {
        edge,
        callee: *callee,
        enter: push(entry, enter),
        leave: push(to, leave),
        at_exit,
    }
}

fn range(pool: &mut Pool, program: &Program, var: VarId, value: TermId) -> Option<TermId> {
    let (low, high) = program.vars[var].range.clone()?;
    Some(pool.in_range(&low, value, &high))
}

fn transition(
    pool: &mut Pool,
    program: &Program,
    edge: EdgeId,
    conjuncts: Vec<TermId>,
    modified: Vec<VarId>,
    internals: Vec<TermId>,
) -> Transition {
    let posts = modified.iter().map(|&v| primed(pool, program, v)).collect();
    Transition {
        formula: pool.and(&conjuncts),
        modified,
        posts,
        dead: Vec::new(),
        reads: Vec::new(),
        internals,
        edges: vec![edge],
        havocs: Vec::new(),
        versions: Vec::new(),
    }
}

impl Call {
    /// A fact about the callee's exit in the words of the caller after the call; `None` if the results overwrite an argument.
    pub fn instance(&self, pool: &mut Pool, program: &Program, fact: TermId) -> Option<TermId> {
        let Stmt::Call { results, .. } = &program.edges[self.edge].stmt else {
            return None;
        };
        let returns = &program.functions[self.callee].returns;
        let returned = returns.iter().zip(results);
        let mut pairs: Vec<(TermId, TermId)> = returned
            .map(|(&r, &result)| (program.vars[r].term, program.vars[result].term))
            .collect();
        let used: FxHashSet<TermId> = pool.post_order(&[fact]).into_iter().collect();
        let written: FxHashSet<TermId> = results.iter().map(|&v| program.vars[v].term).collect();
        for &(term, arg) in &self.at_exit {
            if !used.contains(&term) || pairs.iter().any(|(r, _)| *r == term) {
                continue;
            }
            if pool.post_order(&[arg]).iter().any(|t| written.contains(t)) {
                return None;
            }
            pairs.push((term, arg));
        }
        Some(pool.substitute(fact, &pairs))
    }
}

impl CallProgram {
    /// The calls of a function, in order.
    pub fn calls_of(&self, f: FuncId) -> Vec<&Call> {
        let mut out: Vec<&Call> = self.calls.values().filter(|c| c.callee == f).collect();
        out.sort_unstable_by_key(|c| c.edge);
        out
    }

    pub fn is_error_block(&self, block: BlockId) -> bool {
        self.program.locations[self.graph.blocks[block].to]
            .error
            .is_some()
    }

    /// A fact about the values of a function's parameters at its entry, by the constants that hold
    /// them throughout.
    pub fn at_entry(&self, pool: &mut Pool, f: FuncId, fact: TermId) -> TermId {
        let params = &self.program.functions[f].params;
        let pairs: Vec<(TermId, TermId)> = params
            .iter()
            .map(|p| {
                let frozen = self.frozen[p];
                (self.program.vars[*p].term, self.program.vars[frozen].term)
            })
            .collect();
        pool.substitute(fact, &pairs)
    }

    /// Steps through calls as an execution of the original program.
    pub fn original(&self, steps: Vec<Step>) -> Counterexample {
        self.back.execution(Counterexample {
            initial: Vec::new(),
            steps,
        })
    }

    /// The proof about the original program. `requires` speaks of parameters, `ensures` of frozen
    /// parameters and returns, assertions of what is in scope.
    pub fn proof(
        &self,
        pool: &mut Pool,
        mut invariants: BTreeMap<LocId, TermId>,
        mut contracts: BTreeMap<FuncId, Contract>,
    ) -> Proof {
        // A parameter that is never assigned is its own constant; others have it by its old term.
        let mut unassigned: FxHashMap<FuncId, Vec<(TermId, TermId)>> = FxHashMap::default();
        for (f, function) in self.program.functions.iter_enumerated() {
            for p in function.params.iter().filter(|p| self.frozen[p] == **p) {
                let old = old_term(pool, &self.program, *p);
                let list = unassigned.entry(f).or_default();
                list.push((self.program.vars[*p].term, old));
            }
        }
        for (&loc, fact) in invariants.iter_mut() {
            let f = self.program.locations[loc].func;
            let mut parts = vec![*fact];
            // The contract speaks of the old value of a parameter, the assertions of the value.
            if let (Some(pairs), Some(contract)) = (unassigned.get(&f), contracts.get(&f)) {
                let used: FxHashSet<TermId> =
                    pool.post_order(&[contract.ensures]).into_iter().collect();
                for &(term, old) in pairs.iter().filter(|(t, _)| used.contains(t)) {
                    parts.push(pool.eq(term, old));
                }
            }
            *fact = pool.and(&parts);
        }
        for (f, contract) in contracts.iter_mut() {
            if let Some(pairs) = unassigned.get(f) {
                contract.ensures = pool.substitute(contract.ensures, pairs);
            }
        }
        let found = Assertions {
            invariants,
            contracts,
        };
        let Assertions {
            invariants,
            contracts,
        } = self.back.assertions(pool, found);
        Proof {
            rest: Vec::new(),
            cone: None,
            scope: Scope::Modular,
            invariants,
            contracts,
        }
    }
}
