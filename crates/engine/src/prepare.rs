//! What every engine without calls starts from: the program inlined, all errors of it in one
//! location, as a graph of blocks, with the way back to the original program.

use crate::api::Task;
use crate::path::Execution;
use crate::ways_back;
use evidence::{Counterexample, Proof, Reason, Scope, Step};
use logic::{FxHashSet, Id, IndexVec, Pool, TermId, Value};
use program::passes::{SplitLimits, Transformed, cells, constants, slice, split_values};
use program::{
    BlockGraph, BlockId, BlockSize, EdgeId, LocId, Program, VarId, blocks, inline,
    inline::InstanceId,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where the parts of the inlined program come from.
struct Origins {
    edge: IndexVec<EdgeId, Option<EdgeId>>,
    loc: IndexVec<LocId, InstanceId>,
    /// The name of the function that each copy is of.
    names: IndexVec<InstanceId, String>,
}

/// The inlined program and its blocks.
pub struct Prepared {
    pub size: BlockSize,
    /// As the task's options have it.
    pub solvers: smt::Solvers,
    /// Without calls, sliced to the errors. Edges into error locations all lead to the first of
    /// them.
    pub program: Program,
    pub graph: BlockGraph,
    loop_heads: FxHashSet<LocId>,
    /// Copies of original loop heads: cut points whatever the blocks.
    heads: Rc<Vec<LocId>>,
    inlined: Rc<Origins>,
    /// The passes after inlining, first to last.
    passes: Rc<Vec<Transformed>>,
    /// How many variables the original program has; they come first here too.
    original_vars: usize,
    /// The candidates of the task's options, a conjunct each.
    pub candidates: Rc<BTreeMap<LocId, Vec<TermId>>>,
}

impl Prepared {
    pub fn entry(&self) -> LocId {
        self.program.functions[self.program.entry].entry
    }

    pub fn is_loop_head(&self, loc: LocId) -> bool {
        self.loop_heads.contains(&loc)
    }

    pub fn is_error_block(&self, block: BlockId) -> bool {
        self.program.locations[self.graph.blocks[block].to]
            .error
            .is_some()
    }

    pub fn error_blocks(&self) -> Vec<BlockId> {
        self.graph
            .blocks
            .ids()
            .filter(|&b| self.is_error_block(b))
            .collect()
    }

    /// The same program in blocks of another size.
    pub fn in_blocks(&self, pool: &mut Pool, size: BlockSize) -> Prepared {
        let graph = blocks::encode_with_heads(pool, &self.program, size, &self.heads);
        Prepared {
            size,
            solvers: self.solvers.clone(),
            program: self.program.clone(),
            loop_heads: graph.loop_heads.iter().copied().collect(),
            graph,
            heads: Rc::clone(&self.heads),
            inlined: Rc::clone(&self.inlined),
            passes: Rc::clone(&self.passes),
            original_vars: self.original_vars,
            candidates: Rc::clone(&self.candidates),
        }
    }

    /// The copy of a function that the location belongs to.
    pub fn instance(&self, loc: LocId) -> InstanceId {
        let back = |loc: LocId, pass: &Transformed| pass.loc_origin[loc];
        self.inlined.loc[self.passes.iter().rev().fold(loc, back)]
    }

    /// The original function of the location.
    pub fn function_name(&self, loc: LocId) -> &str {
        &self.inlined.names[self.instance(loc)]
    }

    /// Assertions at cut points as a proof about the inlined program.
    pub fn proof(&self, pool: &mut Pool, mut invariants: BTreeMap<LocId, TermId>) -> Proof {
        for pass in self.passes.iter().rev() {
            invariants = pass.invariants_back(pool, &invariants);
        }
        Proof {
            scope: Scope::Inlined,
            invariants,
            contracts: BTreeMap::new(),
        }
    }

    /// A path of the prepared program as an execution of the original.
    pub fn original(&self, execution: Execution) -> Counterexample {
        let mut initial: Vec<(VarId, Value)> = execution.initial.into_iter().collect();
        let mut steps = execution.steps;
        for pass in self.passes.iter().rev() {
            initial = ways_back::initial(pass, initial);
            steps = ways_back::steps(pass, steps);
        }
        // Copies of a callee's variables begin at their call, which is a step.
        initial.retain(|(v, _)| v.index() < self.original_vars);
        let steps = steps.into_iter().filter_map(|s| {
            let edge = self.inlined.edge[s.edge]?;
            Some(Step { edge, ..s })
        });
        Counterexample {
            initial,
            steps: steps.collect(),
        }
    }
}

/// How deep a chain of pointers in memory is followed.
const MEMORY_ROUNDS: usize = 4;

/// Inlines and encodes the task's program.
pub fn prepare(task: &mut Task<'_>) -> Result<Prepared, Reason> {
    let by_values = task.options.aids;
    prepare_with(task, by_values)
}

/// The same with no location copied by values: the blocks are those of the program.
pub fn prepare_whole(task: &mut Task<'_>) -> Result<Prepared, Reason> {
    prepare_with(task, false)
}

/// `by_values`: locations are copied by the values of control variables, an aid.
fn prepare_with(task: &mut Task<'_>, by_values: bool) -> Result<Prepared, Reason> {
    let size = task.options.blocks;
    let inlined = inline::inline(task.pool, task.program).map_err(|r| Reason::Unsupported {
        what: r.to_string(),
        place: task.program.functions[task.program.entry].span,
    })?;
    let mut passes: Vec<Transformed> = Vec::new();
    let mut heads = Vec::new();
    if task.options.slice {
        // Pointers read from memory become known with the cells they are read from.
        let mut folded = constants(task.pool, &inlined.program);
        for _ in 0..MEMORY_ROUNDS {
            let Some(pass) = cells(task.pool, &folded.program) else {
                break;
            };
            passes.push(folded);
            folded = constants(task.pool, &pass.program);
            passes.push(pass);
        }
        let sliced = slice(task.pool, &folded.program);
        passes.push(folded);
        let split = match by_values {
            true => split_values(task.pool, &sliced.program, SplitLimits::default()),
            false => None,
        };
        passes.push(sliced);
        if let Some(split) = split {
            heads = split.pieces.values().flatten().map(|p| p.copy).collect();
            task.stats.add("copies of loop heads", heads.len() as u64);
            let again = slice(task.pool, &split.program);
            passes.push(split);
            passes.push(again);
        }
    }
    let mut program = passes
        .last()
        .map_or(&inlined.program, |p| &p.program)
        .clone();
    merge_errors(&mut program);
    let graph = blocks::encode_with_heads(task.pool, &program, size, &heads);
    let loop_heads = graph.loop_heads.iter().copied().collect();
    let given = inlined.at_copies(task.pool, &task.options.candidates);
    let mut candidates: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
    if !given.is_empty() {
        for loc in program.locations.ids() {
            let back = |loc: LocId, pass: &Transformed| pass.loc_origin[loc];
            let origin = passes.iter().rev().fold(loc, back);
            for &(_, fact) in given.iter().filter(|(l, _)| *l == origin) {
                let parts = task.pool.conjuncts(fact);
                candidates.entry(loc).or_default().extend(parts);
            }
        }
    }
    let name = |i: &inline::Instance| task.program.functions[i.func].name.clone();
    let names: Vec<String> = inlined.instances.iter().map(name).collect();
    Ok(Prepared {
        size,
        solvers: task.options.solvers.clone(),
        program,
        graph,
        loop_heads,
        heads: Rc::new(heads),
        inlined: Rc::new(Origins {
            edge: inlined.edge_origin,
            loc: inlined.loc_instance,
            names: IndexVec::from(names),
        }),
        passes: Rc::new(passes),
        original_vars: task.program.vars.len(),
        candidates: Rc::new(candidates),
    })
}

/// Leads all edges into error locations to one of them, so that the loop-free region before them
/// is encoded once and not once per assertion. Edge ids stay, and with them the way back: which
/// assertion failed is the replay's to say.
fn merge_errors(program: &mut Program) {
    let Some(target) = program.error_locations().next() else {
        return;
    };
    let errors: FxHashSet<LocId> = program.error_locations().collect();
    for edge in program.edges.iter_mut() {
        if errors.contains(&edge.to)
            && program.locations[edge.to].func == program.locations[target].func
        {
            edge.to = target;
        }
    }
}
