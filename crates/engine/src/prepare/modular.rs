//! From a program to function bodies: loops become tail-recursive functions, constants are folded,
//! globals become parameters, errors flags; with the way back for counterexamples and proofs.

use crate::api::Task;
use crate::prepare::{resolve_memory, variables_of_memory, with_constants};
use crate::summaries::bodies::{Bodies, bodies};
use crate::summaries::contracts::Facts;
use crate::trace::Outline;
use base::{Id, IndexVec};
use evidence::{Contract, Counterexample, Proof, Reason, Scope};
use logic::{Pool, TermId};
use program::analysis::modref::modref;
use program::analysis::shape::reachable_functions;
use program::passes::error_flag::{Flagged, error_flag};
use program::passes::globals::globals_to_params;
use program::passes::leaves::merge;
use program::passes::loops::{LoopFree, joins_to_recursion, loops_to_recursion};
use program::passes::{Transformed, WayBack, slice_with_calls};
use program::{Assertions, BlockSize, FuncId, LocId, Program, Stmt, VarId, old_term};
use std::collections::{BTreeMap, BTreeSet};

/// A program whose functions interact by values only, as formulas.
pub struct ModularProgram {
    pub loop_free: LoopFree,
    pub flagged: Flagged,
    pub bodies: Bodies,
    /// From the program with error flags to the one with loops as functions, which proofs speak of.
    to_loop_free: WayBack,
    /// From the bodies to the original program.
    to_original: WayBack,
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

/// The program with loops, or all parts, as functions.
pub fn outlined(pool: &mut Pool, program: &Program, outline: Outline) -> LoopFree {
    match outline {
        Outline::Nothing => LoopFree {
            program: program.clone(),
            back: WayBack::default(),
            heads: BTreeMap::new(),
        },
        Outline::Loops => loops_to_recursion(pool, program),
        Outline::All => joins_to_recursion(pool, program),
    }
}

/// Are constants folded? `trace` keeps them: its summaries are for all inputs, and later runs of programs
/// with other callers read them again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Constants {
    Folded,
    Kept,
}

/// Brings the task's program into modular form, unless that would be too large.
pub fn prepare(task: &mut Task<'_>, constants: Constants) -> Result<ModularProgram, Reason> {
    let too_large = |what: String| Reason::Unsupported {
        what,
        place: task.program.functions[task.program.entry].span,
    };
    let limits = &task.options.limits.modular;
    let edges = edges_without_loops(task.program);
    if edges > limits.edges {
        return Err(too_large(format!(
            "a program with {edges} edges after loops became functions (more than {})",
            limits.edges
        )));
    }
    // Path by path: what a body is then is one path from each meeting point to the next. Those of `trace` must be the
    // functions and variables of its automata.
    let outline = match (constants, task.options.blocks) {
        (Constants::Kept, _) if task.options.trace.outline == Outline::All => Outline::All,
        (Constants::Kept, _) | (_, BlockSize::Large) => Outline::Loops,
        (_, BlockSize::Joins | BlockSize::Basic | BlockSize::Single) => Outline::All,
    };
    let loop_free = outlined(task.pool, task.program, outline);
    let contracted = contracted(task.program, &loop_free);
    let passed = values_passed(task.pool, &loop_free.program);
    if passed > limits.passed {
        return Err(too_large(format!(
            "calls that pass {passed} globals and arguments (more than {})",
            limits.passed
        )));
    }
    let simple = match constants {
        Constants::Folded if task.options.simplifies() => simplified(task, &loop_free.program)?,
        Constants::Folded => variables_of_memory(task, &loop_free.program),
        Constants::Kept => with_constants(task, &loop_free.program),
    };
    let no_globals = globals_to_params(task.pool, &simple.program);
    let flagged = error_flag(task.pool, &no_globals.program);
    let bodies = bodies(task.pool, &flagged.program);
    let to_loop_free = simple.back.then(&no_globals.back).then(&flagged.back);
    let to_flagged_original = loop_free.back.then(&to_loop_free);
    let entry = task.program.entry;
    Ok(ModularProgram {
        to_original: to_flagged_original.then(&bodies.back),
        to_loop_free,
        loop_free,
        flagged,
        bodies,
        entry,
        contracted,
        leaves: None,
    })
}

/// A program with calls after the passes that every engine has: constants, scalar replacement and a slice.
pub fn simplified(task: &mut Task<'_>, program: &Program) -> Result<Transformed, Reason> {
    let rounds = task.options.limits.memory_rounds;
    let resolved = resolve_memory(task.pool, program, rounds, task.budget);
    let resolved = resolved.map_err(Reason::OutOfBudget)?;
    Ok(resolved.then(|p| slice_with_calls(task.pool, p)))
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
        let bodies = bodies(pool, &merged.program);
        let flagged = Flagged {
            program: merged.program,
            flag: self.flagged.flag.clone(),
            back: self.flagged.back.then(&merged.back),
        };
        let to_original = self.loop_free.back.then(&self.to_loop_free);
        Some(ModularProgram {
            to_original: to_original.then(&merged.back).then(&bodies.back),
            to_loop_free: self.to_loop_free.then(&merged.back),
            bodies,
            flagged,
            loop_free: self.loop_free.clone(),
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

    /// An execution of the ghost program, with calls expanded in place, as one of the original.
    pub fn original(&self, execution: Counterexample) -> Counterexample {
        self.to_original.execution(execution)
    }

    /// Kept facts as contracts of the program with loops as functions.
    ///
    /// Sound and complete for the checker because of the fixed defaults: "errs from these inputs" is
    /// the summary at the defaults with the flag set, so its negation is the pre-condition under
    /// which the function cannot err. If a caller inside its own pre-condition made a call outside
    /// the callee's, the caller's summary would hold at its defaults, against its pre-condition.
    pub fn proof(&self, pool: &mut Pool, facts: &IndexVec<FuncId, Facts>) -> Proof {
        let program = &self.flagged.program;
        let contract_of = |f: FuncId| (f, contract(pool, program, f, &facts[f]));
        let found = Assertions {
            contracts: self.contracted.keys().copied().map(contract_of).collect(),
            ..Assertions::default()
        };
        let found = self.to_loop_free.assertions(pool, found);
        let contracts = found.contracts.into_iter();
        let contracts = contracts.map(|(f, c)| (self.contracted[&f], c)).collect();
        Proof {
            rest: Vec::new(),
            cone: None,
            scope: Scope::Recursive,
            invariants: BTreeMap::new(),
            contracts,
        }
    }
}

/// Facts of a function, which speak of its parameters at entry, as its contract.
pub fn contract(pool: &mut Pool, program: &Program, f: FuncId, facts: &Facts) -> Contract {
    let params = program.functions[f].params.iter();
    let at_entry: Vec<(TermId, TermId)> = params
        .map(|&p| (program.vars[p].term, old_term(pool, program, p)))
        .collect();
    let summary = pool.and(&facts.summaries);
    Contract {
        requires: pool.and(&facts.guards),
        ensures: pool.substitute(summary, &at_entry),
    }
}
