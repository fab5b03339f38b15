//! What every engine without calls starts from: the program inlined, all errors of it in one
//! location, as a graph of blocks, with the way back to the original program.
//!
//! In two steps: the program inlined and its memory resolved ([`Base`]), which is made once; and that
//! program sliced, split and cut into blocks ([`Prepared`]), possibly without some of its variables.

pub mod modular;
pub(crate) mod shared;

use crate::api::Task;
use crate::core::path::Execution;
use base::{Budget, FxHashSet, IndexVec, Stop};
use evidence::{Counterexample, Proof, Reason, Scope};
use logic::{Pool, TermId};
use program::passes::inline::{Inlined, InstanceId};
use program::passes::{
    SplitLimits, Transformed, WayBack, abstract_variables, bounds, constants_within, inline,
    merge_errors, scalar_replacement, slice, slice_with_calls, split_values,
};
use program::{BlockGraph, BlockId, BlockSize, LocId, Program, VarId, blocks};
use shared::Form;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The copies of functions in the inlined program.
struct Instances {
    /// By location of the inlined program.
    of: IndexVec<LocId, InstanceId>,
    /// The name of the function that each copy is of.
    names: IndexVec<InstanceId, String>,
}

/// The inlined program and its blocks.
pub struct Prepared {
    pub size: BlockSize,
    /// Engines with the same form have the same locations.
    pub(crate) form: Form,
    /// As the task's options have it.
    pub solvers: smt::Solvers,
    /// Without calls, sliced to the errors. Edges into error locations all lead to the first of
    /// them.
    pub program: Program,
    pub graph: BlockGraph,
    loop_heads: FxHashSet<LocId>,
    /// Copies of original loop heads: cut points whatever the blocks.
    heads: Rc<Vec<LocId>>,
    instances: Arc<Instances>,
    /// To the inlined program, which proofs speak of.
    to_inlined: WayBack,
    /// To the program that executions are taken to: the original one or, where variables were
    /// abstracted, the base, in which an execution of the rest may be none.
    to_original: WayBack,
    localized: bool,
    /// The candidates of the task's options, a conjunct each.
    pub candidates: Rc<BTreeMap<LocId, Vec<TermId>>>,
}

impl Prepared {
    pub fn entry(&self) -> LocId {
        self.program.functions[self.program.entry].entry
    }

    /// Was some of the program's memory left out?
    pub fn localized(&self) -> bool {
        self.localized
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
            form: self.form.clone(),
            solvers: self.solvers.clone(),
            program: self.program.clone(),
            loop_heads: graph.loop_heads.iter().copied().collect(),
            graph,
            heads: Rc::clone(&self.heads),
            instances: Arc::clone(&self.instances),
            to_inlined: self.to_inlined.clone(),
            to_original: self.to_original.clone(),
            localized: self.localized,
            candidates: Rc::clone(&self.candidates),
        }
    }

    /// The copy of a function that the location belongs to.
    pub fn instance(&self, loc: LocId) -> InstanceId {
        let inlined = self.to_inlined.location(loc);
        self.instances.of[inlined.expect("every location is in some copy of a function")]
    }

    /// The original function of the location.
    pub fn function_name(&self, loc: LocId) -> &str {
        &self.instances.names[self.instance(loc)]
    }

    /// Assertions at cut points as a proof about the inlined program.
    pub fn proof(&self, pool: &mut Pool, invariants: BTreeMap<LocId, TermId>) -> Proof {
        Proof {
            rest: Vec::new(),
            cone: None,
            scope: Scope::Inlined,
            invariants: self.to_inlined.invariants(pool, invariants),
            contracts: BTreeMap::new(),
        }
    }

    /// A path of the prepared program as an execution of the original; where variables were
    /// abstracted, as a path of the base, which the caller has to look at.
    pub fn original(&self, execution: Execution) -> Counterexample {
        self.to_original.execution(Counterexample {
            initial: execution.initial.into_iter().collect(),
            steps: execution.steps,
        })
    }
}

/// Inlines and encodes the task's program.
pub fn prepare(task: &mut Task<'_>) -> Result<Prepared, Reason> {
    Base::of(task)?.prepared(task, true)
}

/// The program inlined, its memory resolved as far as addresses are known.
#[derive(Clone)]
pub struct Base {
    inlined: Arc<Inlined>,
    instances: Arc<Instances>,
    /// The inlined program after constants and scalar replacement.
    resolved: Transformed,
}

impl Base {
    pub fn of(task: &mut Task<'_>) -> Result<Base, Reason> {
        let options = task.options;
        let shared = options.shared.as_ref().filter(|_| options.simplifies());
        if let Some(base) = shared.and_then(|s| s.take(task.pool)) {
            return Ok(base);
        }
        task.budget.check().map_err(Reason::OutOfBudget)?;
        let inlined = inline::inline(task.pool, task.program);
        let base = Self::from_inlined(task, inlined)?;
        if let Some(shared) = shared {
            shared.leave(task.pool, &base);
        }
        Ok(base)
    }

    /// The same where calls of one function are nested at most `depth` deep; deeper ones end the execution.
    /// No proof about it is one about the program.
    pub fn to_depth(task: &mut Task<'_>, depth: u64) -> Result<Base, Reason> {
        let inlined = inline::inline_to_depth(task.pool, task.program, depth);
        Self::from_inlined(task, inlined)
    }

    fn from_inlined(
        task: &mut Task<'_>,
        inlined: Result<Inlined, inline::Refusal>,
    ) -> Result<Base, Reason> {
        let inlined = inlined.map_err(|r| Reason::Unsupported {
            what: r.to_string(),
            place: task.program.functions[task.program.entry].span,
        })?;
        let resolved = match task.options.simplifies() {
            true => resolve_memory(
                task.pool,
                &inlined.program,
                task.options.limits.memory_rounds,
                task.budget,
            )
            .map_err(Reason::OutOfBudget)?,
            false => variables_of_memory(task, &inlined.program),
        };
        let name = |i: &inline::Instance| task.program.functions[i.func].name.clone();
        let names: Vec<String> = inlined.instances.iter().map(name).collect();
        let instances = Arc::new(Instances {
            of: inlined.loc_instance.clone(),
            names: IndexVec::from(names),
        });
        Ok(Base {
            inlined: Arc::new(inlined),
            instances,
            resolved,
        })
    }

    pub fn program(&self) -> &Program {
        &self.resolved.program
    }

    /// All of it, sliced, as it is.
    pub fn sliced(&self, task: &mut Task<'_>) -> Plain {
        let sliced = slice(task.pool, self.program());
        let to_inlined = self.resolved.back.then(&sliced.back);
        Plain {
            program: sliced.program,
            to_original: self.inlined.back.then(&to_inlined),
            to_inlined,
        }
    }

    /// All of it in blocks. `by_values`: locations are copied by the values of control variables
    /// where aids are wanted. Fails if there is no time for it.
    pub fn prepared(&self, task: &mut Task<'_>, by_values: bool) -> Result<Prepared, Reason> {
        let same = Transformed::nothing(self.program().clone());
        self.finish(task, by_values, same, None)
    }

    /// The same without some variables.
    pub fn without(
        &self,
        task: &mut Task<'_>,
        by_values: bool,
        abstracted: &FxHashSet<VarId>,
    ) -> Result<Prepared, Reason> {
        let less = abstract_variables(task.pool, self.program(), abstracted);
        let mut without: Vec<VarId> = abstracted.iter().copied().collect();
        without.sort_unstable();
        self.finish(task, by_values, less, Some(without))
    }

    fn finish(
        &self,
        task: &mut Task<'_>,
        by_values: bool,
        mut chain: Transformed,
        without: Option<Vec<VarId>>,
    ) -> Result<Prepared, Reason> {
        let in_time = |task: &Task<'_>| task.budget.check().map_err(Reason::OutOfBudget);
        let localized = without.is_some();
        let without = without.unwrap_or_default();
        let size = task.options.blocks;
        let mut heads = Vec::new();
        if task.options.simplifies() {
            in_time(task)?;
            chain = chain.then(|p| slice(task.pool, p));
            in_time(task)?;
            let split = match by_values && task.options.aids {
                true => split_values(task.pool, &chain.program, SplitLimits::default()),
                false => None,
            };
            if let Some(split) = split {
                heads = split.heads;
                task.stats.max("copies of loop heads", heads.len() as u64);
                chain.back = chain.back.then(&split.back);
                chain.program = split.program;
            }
        }
        let slices = task.options.slice && task.options.is_paper() && task.options.paper_slice;
        if slices {
            chain = chain.then(|p| slice(task.pool, p));
        }
        chain = chain.then(|p| merge_errors(p.clone()));
        let to_inlined = self.resolved.back.then(&chain.back);
        let to_original = match localized {
            true => chain.back,
            false => self.inlined.back.then(&to_inlined),
        };
        let program = chain.program;
        in_time(task)?;
        let graph = blocks::encode_with_heads(task.pool, &program, size, &heads);
        task.stats.places(&program, &graph);
        let loop_heads = graph.loop_heads.iter().copied().collect();
        let candidates = self.candidates(task, &program, &to_inlined);
        let form = Form { by_values, without };
        Ok(Prepared {
            size,
            form,
            solvers: task.options.solvers.clone(),
            program,
            graph,
            loop_heads,
            heads: Rc::new(heads),
            instances: Arc::clone(&self.instances),
            to_inlined,
            to_original,
            localized,
            candidates: Rc::new(candidates),
        })
    }

    /// The candidates of the task at the locations of the program after these passes.
    fn candidates(
        &self,
        task: &mut Task<'_>,
        program: &Program,
        to_inlined: &WayBack,
    ) -> BTreeMap<LocId, Vec<TermId>> {
        let given = self.inlined.at_copies(task.pool, &task.options.candidates);
        let mut out: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        if given.is_empty() {
            return out;
        }
        for loc in program.locations.ids() {
            let origin = to_inlined.location(loc);
            for &(_, fact) in given.iter().filter(|(l, _)| Some(*l) == origin) {
                let parts = task.pool.conjuncts(fact);
                out.entry(loc).or_default().extend(parts);
            }
        }
        out
    }
}

/// The inlined program sliced, not in blocks.
pub struct Plain {
    pub program: Program,
    to_inlined: WayBack,
    to_original: WayBack,
}

impl Plain {
    /// Assertions at loop heads as a proof about the inlined program.
    pub fn proof(&self, pool: &mut Pool, invariants: BTreeMap<LocId, TermId>) -> Proof {
        Proof {
            rest: Vec::new(),
            cone: None,
            scope: Scope::Inlined,
            invariants: self.to_inlined.invariants(pool, invariants),
            contracts: BTreeMap::new(),
        }
    }

    /// An execution as one of the original program.
    pub fn original(&self, execution: Counterexample) -> Counterexample {
        self.to_original.execution(execution)
    }
}

/// Variables whose address is taken as variables, which the papers' programs have; else nothing.
pub(crate) fn variables_of_memory(task: &mut Task<'_>, program: &Program) -> Transformed {
    match task.options.is_paper() && task.options.slice {
        true => as_scalars(task.pool, program),
        false => Transformed::nothing(program.clone()),
    }
}

/// A program with calls simplified for `trace`, whose summaries are for all inputs: later runs of programs with other
/// callers read them again.
pub(crate) fn with_constants(task: &mut Task<'_>, program: &Program) -> Transformed {
    match task.options.simplifies() {
        true => as_scalars(task.pool, program).then(|p| slice_with_calls(task.pool, p)),
        false => variables_of_memory(task, program),
    }
}

/// Memory at constant addresses as variables.
fn as_scalars(pool: &mut Pool, program: &Program) -> Transformed {
    let scalar = scalar_replacement(pool, program);
    scalar.unwrap_or_else(|| Transformed::nothing(program.clone()))
}

/// Constants, bounds, then constants and scalar replacement in turns: pointers read from memory become known with the cells
/// they are read from. Programs without memory keep their branches: what bounds prove of those is for invariants to say.
pub(crate) fn resolve_memory(
    pool: &mut Pool,
    inlined: &Program,
    rounds: usize,
    budget: &Budget,
) -> Result<Transformed, Stop> {
    let mut chain = constants_within(pool, inlined, budget)?;
    let is_memory = |v: &program::Var| matches!(pool.sort_kind(v.sort), logic::Sort::Array(..));
    let has_memory = chain.program.vars.iter().any(is_memory);
    budget.check()?;
    if has_memory && let Some(bounded) = bounds(pool, &chain.program) {
        chain = chain.then(|_| bounded);
        chain = chain.try_then(|p| constants_within(pool, p, budget))?;
    }
    for _ in 0..rounds {
        budget.check()?;
        let Some(scalar) = scalar_replacement(pool, &chain.program) else {
            break;
        };
        chain = chain.then(|_| scalar);
        chain = chain.try_then(|p| constants_within(pool, p, budget))?;
    }
    Ok(chain)
}
