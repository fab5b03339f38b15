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
use evidence::{Counterexample, Proof, Scope, Step};
use logic::{Pool, TermId};
use program::passes::globals::{NoGlobals, globals_to_params};
use program::passes::{Transformed, constants, slice};
use program::{
    Block, BlockGraph, BlockId, BlockKind, BlockSize, Edge, EdgeId, FuncId, LocId, Location,
    Program, Stmt, Transition, Var, VarId, VarKind, blocks, old_term, primed,
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
    passes: Vec<Transformed>,
    no_globals: NoGlobals,
}

/// Brings the task's program into this form.
pub fn prepare(task: &mut Task<'_>, size: BlockSize) -> CallProgram {
    let pool = &mut *task.pool;
    let mut passes = Vec::new();
    if task.options.slice {
        let folded = constants(pool, task.program);
        let sliced = slice(pool, &folded.program);
        passes = vec![folded, sliced];
    }
    let last = passes.last().map_or(task.program, |p| &p.program);
    let no_globals = globals_to_params(pool, last);
    let mut program = no_globals.program.clone();
    let frozen = freeze(pool, &mut program);
    merge_errors(&mut program);
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
        passes,
        no_globals,
    }
}

/// Gives each assigned parameter its symbolic constant, equal to it at the entry.
fn freeze(pool: &mut Pool, program: &mut Program) -> FxHashMap<VarId, VarId> {
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
            let term = old_term(pool, program, p);
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
        program.functions[f].entry = entry;
    }
    frozen
}

/// Leads all edges into error locations of a function to one of them. Which assertion failed is
/// the replay's to say.
fn merge_errors(program: &mut Program) {
    let mut target: FxHashMap<FuncId, LocId> = FxHashMap::default();
    for loc in program.error_locations() {
        target.entry(program.locations[loc].func).or_insert(loc);
    }
    for edge in program.edges.iter_mut() {
        let to = &program.locations[edge.to];
        if to.error.is_some() {
            edge.to = target[&to.func];
        }
    }
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

impl CallProgram {
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
        let origin = &self.no_globals.edge_origin;
        let steps = steps
            .into_iter()
            .filter_map(|s| {
                let edge = origin.get(s.edge).copied().flatten()?;
                Some(Step {
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

    /// The proof about the original program. `requires` speaks of parameters, `ensures` of frozen
    /// parameters and returns, assertions of what is in scope.
    pub fn proof(
        &self,
        pool: &mut Pool,
        original: &Program,
        mut invariants: BTreeMap<LocId, TermId>,
        contracts: BTreeMap<FuncId, evidence::Contract>,
    ) -> Proof {
        // Locations that only this form has are not in the original.
        invariants.retain(|&l, _| original.locations.get(l).is_some());
        let mut back: Vec<(TermId, TermId)> = Vec::new();
        let mut unassigned: FxHashMap<FuncId, Vec<(TermId, TermId)>> = FxHashMap::default();
        for (f, function) in self.program.functions.iter_enumerated() {
            for &p in &function.params {
                let var = self.no_globals.inputs.get(&p).copied().unwrap_or(p);
                let plain = original.vars[var].term;
                let old = old_term(pool, original, var);
                back.push((self.program.vars[p].term, plain));
                let frozen = self.frozen[&p];
                if frozen == p {
                    let list = unassigned.entry(f).or_default();
                    list.push((self.program.vars[p].term, old));
                } else {
                    back.push((self.program.vars[frozen].term, old));
                }
            }
            for &r in &function.returns {
                if let Some(&g) = self.no_globals.outputs.get(&r) {
                    back.push((self.program.vars[r].term, original.vars[g].term));
                }
            }
        }
        let mut map = logic::Substitution::new(back);
        for (&loc, fact) in invariants.iter_mut() {
            let f = self.program.locations[loc].func;
            let mut parts = vec![map.apply(pool, *fact)];
            // The contract speaks of the old value of a parameter, the assertions of the value.
            if let (Some(pairs), Some(contract)) = (unassigned.get(&f), contracts.get(&f)) {
                let used: FxHashSet<TermId> =
                    pool.post_order(&[contract.ensures]).into_iter().collect();
                for &(term, old) in pairs.iter().filter(|(t, _)| used.contains(t)) {
                    let value = map.apply(pool, term);
                    parts.push(pool.eq(value, old));
                }
            }
            *fact = pool.and(&parts);
        }
        let contracts = contracts
            .into_iter()
            .map(|(f, mut c)| {
                c.requires = map.apply(pool, c.requires);
                // What the passes know at the entry holds at every call.
                let entry = original.functions[f].entry;
                for pass in &self.passes {
                    let known = pass.known_at(pool, entry);
                    c.requires = pool.and2(c.requires, known);
                }
                if let Some(pairs) = unassigned.get(&f) {
                    c.ensures = pool.substitute(c.ensures, pairs);
                }
                c.ensures = map.apply(pool, c.ensures);
                (f, c)
            })
            .collect();
        for pass in self.passes.iter().rev() {
            invariants = pass.invariants_back(pool, &invariants);
        }
        Proof {
            scope: Scope::Modular,
            invariants,
            contracts,
        }
    }
}
