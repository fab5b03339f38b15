//! From a program to function bodies: loops become tail-recursive functions, globals parameters,
//! errors flags; with the way back for counterexamples and proofs.

use crate::api::Task;
use crate::summaries::bodies::{Bodies, bodies};
use crate::summaries::contracts::Facts;
use base::{Id, IndexVec};
use evidence::{Contract, Counterexample, Proof, Reason, Scope, Step};
use logic::{Pool, TermId};
use program::analysis::modref::modref;
use program::analysis::shape::reachable_functions;
use program::passes::error_flag::{Flagged, default_term, error_flag};
use program::passes::globals::{NoGlobals, globals_to_params};
use program::passes::leaves::merge;
use program::passes::loops::{LoopFree, joins_to_recursion, loops_to_recursion};
use program::{BlockSize, EdgeId, FuncId, LocId, Program, Stmt, VarId, old_term};
use std::collections::{BTreeMap, BTreeSet};

/// Most edges of the program with loops as functions.
const MOST_EDGES: usize = 200_000;
/// Most values that calls pass in and out.
const MOST_PASSED: usize = 400_000;

/// A program whose functions interact by values only, as formulas.
pub struct ModularProgram {
    pub loop_free: LoopFree,
    no_globals: NoGlobals,
    pub flagged: Flagged,
    pub bodies: Bodies,
    pub entry: FuncId,
    /// The functions that contracts are given for, with their ids in the checker's program.
    contracted: BTreeMap<FuncId, FuncId>,
    /// If small functions were copied into their callers: which.
    pub leaves: Option<Leaves>,
}

/// Functions that are copied into their callers, and the program before that.
pub struct Leaves {
    pub whole: Program,
    pub copied: IndexVec<FuncId, bool>,
}

/// Brings the task's program into modular form, unless that would be too large.
pub fn prepare(task: &mut Task<'_>) -> Result<ModularProgram, Reason> {
    let too_large = |what: String| Reason::Unsupported {
        what,
        place: task.program.functions[task.program.entry].span,
    };
    let edges = edges_without_loops(task.program);
    if edges > MOST_EDGES {
        return Err(too_large(format!(
            "a program with {edges} edges after loops became functions (more than {MOST_EDGES})"
        )));
    }
    // Path by path: what a body is then is one path from each meeting point to the next.
    let loop_free = match task.options.blocks {
        BlockSize::Large => loops_to_recursion(task.pool, task.program),
        BlockSize::Joins | BlockSize::Single => joins_to_recursion(task.pool, task.program),
    };
    let contracted = contracted(task.program, &loop_free);
    let passed = values_passed(task.pool, &loop_free.program);
    if passed > MOST_PASSED {
        return Err(too_large(format!(
            "calls that pass {passed} globals and arguments (more than {MOST_PASSED})"
        )));
    }
    let no_globals = globals_to_params(task.pool, &loop_free.program);
    let flagged = error_flag(task.pool, &no_globals.program);
    let bodies = bodies(task.pool, &flagged.program);
    let entry = task.program.entry;
    Ok(ModularProgram {
        loop_free,
        no_globals,
        flagged,
        bodies,
        entry,
        contracted,
        leaves: None,
    })
}

/// The functions of the program and of its loops, in order: [`loops_to_recursion`] makes them in the order of
/// functions and heads, and so does the variant with more of them. What a function for a meeting
/// point does follows from the bodies themselves, so it needs no contract.
fn contracted(program: &Program, loop_free: &LoopFree) -> BTreeMap<FuncId, FuncId> {
    let successors = program.successors();
    let mut loop_heads: BTreeSet<LocId> = BTreeSet::new();
    for (_, shape) in reachable_functions(program, &successors) {
        loop_heads.extend(&shape.loop_heads);
    }
    let is_kept = |f: &FuncId| match loop_free.heads.get(f) {
        Some(function) => loop_heads.contains(&function.head),
        None => true,
    };
    let kept = loop_free.program.functions.ids().filter(is_kept);
    kept.enumerate()
        .map(|(at, f)| (f, FuncId::from_index(at)))
        .collect()
}

/// How many edges the program has, at most, when each loop head has its copy of the function.
fn edges_without_loops(program: &Program) -> usize {
    let successors = program.successors();
    let functions = reachable_functions(program, &successors);
    let sizes = functions.iter().map(|(_, shape)| {
        let edges: usize = shape.order.iter().map(|l| successors[*l].len()).sum();
        edges.saturating_mul(1 + shape.loop_heads.len())
    });
    sizes.sum()
}

/// How many ghosts the calls of a program have: arguments, results, and globals both ways.
fn values_passed(pool: &Pool, program: &Program) -> usize {
    let mods = modref(pool, program);
    let calls = program.edges.iter().filter_map(|edge| match &edge.stmt {
        Stmt::Call { callee, .. } => Some(*callee),
        _ => None,
    });
    let ghosts = |f: FuncId| {
        let touched = mods.reads[f].union(&mods.writes[f]).count();
        let own = program.functions[f].params.len() + program.functions[f].returns.len();
        touched + mods.writes[f].len() + own
    };
    let of: IndexVec<FuncId, usize> = program.functions.ids().map(ghosts).collect();
    calls.map(|f| of[f]).sum()
}

impl ModularProgram {
    /// The same with small functions copied into their callers, if any are `wanted`.
    pub fn merged(
        &self,
        pool: &mut Pool,
        wanted: impl Fn(FuncId) -> bool,
    ) -> Option<ModularProgram> {
        let merged = merge(pool, &self.flagged.program, wanted)?;
        let origin = |e: &Option<EdgeId>| e.and_then(|e| self.flagged.edge_origin[e]);
        Some(ModularProgram {
            bodies: bodies(pool, &merged.program),
            flagged: Flagged {
                program: merged.program,
                flag: self.flagged.flag.clone(),
                edge_origin: merged.edge_origin.iter().map(origin).collect(),
            },
            loop_free: self.loop_free.clone(),
            no_globals: self.no_globals.clone(),
            entry: self.entry,
            contracted: self.contracted.clone(),
            leaves: Some(Leaves {
                whole: self.flagged.program.clone(),
                copied: merged.copied,
            }),
        })
    }

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
        for (&f, &id) in &self.contracted {
            let contract = contract(
                pool,
                &self.loop_free.program,
                &self.no_globals,
                &self.flagged,
                f,
                &facts[f],
            );
            contracts.insert(id, contract);
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
