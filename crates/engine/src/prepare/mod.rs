//! What every engine without calls starts from: the program inlined, all errors of it in one
//! location, as a graph of blocks, with the way back to the original program.
//!
//! In two steps: the program inlined and its memory resolved ([`Base`]), which is made once; and that
//! program sliced, split and cut into blocks ([`Prepared`]), possibly without some of its variables.

pub(crate) mod back_translation;
pub mod modular;

use crate::api::Task;
use crate::core::path::Execution;
use base::{FxHashSet, Id, IndexVec};
use evidence::{Counterexample, Proof, Reason, Scope, Step};
use logic::{Pool, TermId, Value};
use program::passes::inline::InstanceId;
use program::passes::{
    SplitLimits, Transformed, abstract_variables, constants, inline, scalar_replacement, slice,
    split_values,
};
use program::{BlockGraph, BlockId, BlockSize, EdgeId, LocId, Program, VarId, blocks};
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
    passes: Rc<[Rc<Transformed>]>,
    /// Variables were forgotten by this pass: executions are taken back to just before it, and may
    /// be none of the program there.
    forgot: Option<usize>,
    /// How many variables the original program has; they come first here too.
    original_vars: usize,
    /// The candidates of the task's options, a conjunct each.
    pub candidates: Rc<BTreeMap<LocId, Vec<TermId>>>,
}

impl Prepared {
    pub fn entry(&self) -> LocId {
        self.program.functions[self.program.entry].entry
    }

    /// Was some of the program's memory left out?
    pub fn forgets(&self) -> bool {
        self.forgot.is_some()
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
            forgot: self.forgot,
            original_vars: self.original_vars,
            candidates: Rc::clone(&self.candidates),
        }
    }

    /// The copy of a function that the location belongs to.
    pub fn instance(&self, loc: LocId) -> InstanceId {
        let back = |loc: LocId, pass: &Rc<Transformed>| pass.loc_origin[loc];
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

    /// A path of the prepared program as an execution of the original; where variables were
    /// forgotten, as a path of the base, which the caller has to look at.
    pub fn original(&self, execution: Execution) -> Counterexample {
        let mut initial: Vec<(VarId, Value)> = execution.initial.into_iter().collect();
        let mut steps = execution.steps;
        for pass in self.passes[self.forgot.unwrap_or(0)..].iter().rev() {
            initial = back_translation::initial(pass, initial);
            steps = back_translation::steps(pass, steps);
        }
        if self.forgot.is_some() {
            return Counterexample { initial, steps };
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
    Ok(Base::of(task)?.prepared(task, true))
}

/// The program inlined, its memory resolved as far as addresses are known.
pub struct Base {
    inlined: inline::Inlined,
    origins: Rc<Origins>,
    /// Each holds a program: shared by all that is prepared from here.
    passes: Vec<Rc<Transformed>>,
}

impl Base {
    pub fn of(task: &mut Task<'_>) -> Result<Base, Reason> {
        let inlined = inline::inline(task.pool, task.program).map_err(|r| Reason::Unsupported {
            what: r.to_string(),
            place: task.program.functions[task.program.entry].span,
        })?;
        let mut passes: Vec<Rc<Transformed>> = Vec::new();
        if task.options.slice {
            // Pointers read from memory become known with the cells they are read from.
            let mut folded = constants(task.pool, &inlined.program);
            for _ in 0..MEMORY_ROUNDS {
                let Some(pass) = scalar_replacement(task.pool, &folded.program) else {
                    break;
                };
                passes.push(Rc::new(folded));
                folded = constants(task.pool, &pass.program);
                passes.push(Rc::new(pass));
            }
            passes.push(Rc::new(folded));
        }
        let name = |i: &inline::Instance| task.program.functions[i.func].name.clone();
        let names: Vec<String> = inlined.instances.iter().map(name).collect();
        let origins = Rc::new(Origins {
            edge: inlined.edge_origin.clone(),
            loc: inlined.loc_instance.clone(),
            names: IndexVec::from(names),
        });
        Ok(Base {
            inlined,
            origins,
            passes,
        })
    }

    pub fn program(&self) -> &Program {
        let last = self.passes.last();
        last.map_or(&self.inlined.program, |p| &p.program)
    }

    /// All of it in blocks. `by_values`: locations are copied by the values of control variables
    /// where aids are wanted.
    pub fn prepared(&self, task: &mut Task<'_>, by_values: bool) -> Prepared {
        self.finish(task, by_values, self.passes.clone(), None)
    }

    /// The same without some variables.
    pub fn without(
        &self,
        task: &mut Task<'_>,
        by_values: bool,
        forgotten: &FxHashSet<VarId>,
    ) -> Prepared {
        let mut passes = self.passes.clone();
        passes.push(Rc::new(abstract_variables(
            task.pool,
            self.program(),
            forgotten,
        )));
        self.finish(task, by_values, passes, Some(self.passes.len()))
    }

    fn finish(
        &self,
        task: &mut Task<'_>,
        by_values: bool,
        mut passes: Vec<Rc<Transformed>>,
        forgot: Option<usize>,
    ) -> Prepared {
        let size = task.options.blocks;
        let mut heads = Vec::new();
        if task.options.slice {
            let whole = passes.last().map_or(&self.inlined.program, |p| &p.program);
            let sliced = slice(task.pool, whole);
            let split = match by_values && task.options.aids {
                true => split_values(task.pool, &sliced.program, SplitLimits::default()),
                false => None,
            };
            passes.push(Rc::new(sliced));
            if let Some(split) = split {
                heads = split.heads;
                task.stats.max("copies of loop heads", heads.len() as u64);
                passes.extend(split.passes.into_iter().map(Rc::new));
            }
        }
        let last = passes.last();
        let mut program = last.map_or(&self.inlined.program, |p| &p.program).clone();
        merge_errors(&mut program);
        let graph = blocks::encode_with_heads(task.pool, &program, size, &heads);
        let loop_heads = graph.loop_heads.iter().copied().collect();
        let candidates = self.candidates(task, &program, &passes);
        Prepared {
            size,
            solvers: task.options.solvers.clone(),
            program,
            graph,
            loop_heads,
            heads: Rc::new(heads),
            inlined: Rc::clone(&self.origins),
            passes: passes.into(),
            forgot,
            original_vars: task.program.vars.len(),
            candidates: Rc::new(candidates),
        }
    }

    /// The candidates of the task at the locations of the program after these passes.
    fn candidates(
        &self,
        task: &mut Task<'_>,
        program: &Program,
        passes: &[Rc<Transformed>],
    ) -> BTreeMap<LocId, Vec<TermId>> {
        let given = self.inlined.at_copies(task.pool, &task.options.candidates);
        let mut out: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        if given.is_empty() {
            return out;
        }
        for loc in program.locations.ids() {
            let back = |loc: LocId, pass: &Rc<Transformed>| pass.loc_origin[loc];
            let origin = passes.iter().rev().fold(loc, back);
            for &(_, fact) in given.iter().filter(|(l, _)| *l == origin) {
                let parts = task.pool.conjuncts(fact);
                out.entry(loc).or_default().extend(parts);
            }
        }
        out
    }
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
