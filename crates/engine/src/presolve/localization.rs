//! How an engine over the block graph is run: first on the program with as little memory as will do.
//!
//! Idea. The program without its arrays has at least the executions of the program, and far smaller
//! formulas. A proof of it is a proof of the program. An error path of it is looked at in the
//! program, statement by statement: it is an error, or some arrays contradict it, which are not
//! abstracted in the next round. Drivers end in the first rounds; where what is in memory matters,
//! the rounds are short, as the error paths are easy to find.
//!
//! Source: localization reduction (Kurshan), with the arrays of an unsatisfiable core.

use crate::api::{EngineOptions, Task};
use crate::core::path::{Versions, blocks_by_edge, concrete_steps, path_formulas, vars_by_term};
use crate::guess::strings;
use crate::prepare::{Base, Prepared};
use crate::presolve::boxes;
use crate::presolve::random_runs::fuzz;
use base::{FxHashMap, FxHashSet};
use evidence::{Counterexample, Reason, Verdict};
use logic::{Pool, Sort, TermId};
use program::analysis::reads::VarsOf;
use program::{BlockId, BlockSize, EdgeId, LocId, Program, Stmt, VarId};
use smt::Answer;

/// An engine on a prepared program.
pub type Run = fn(&mut Task<'_>, &Prepared) -> Verdict;

/// Runs an engine. `by_values` as in [`Base::prepared`]. Fails if the program cannot be inlined.
pub fn run(task: &mut Task<'_>, by_values: bool, engine: Run) -> Result<Verdict, Reason> {
    let base = Base::of(task)?;
    if task.options.aids {
        if task.options.random_runs
            && let Some(cex) = fuzz(task)
        {
            return Ok(Verdict::Unsafe(cex));
        }
        let limits = task.options.limits.presolve.boxes.clone();
        match boxes::explore(task, &base, &limits) {
            Ok(Some(verdict)) => return Ok(verdict),
            Ok(None) => {}
            Err(stop) => return Ok(Verdict::Unknown(Reason::OutOfBudget(stop))),
        }
        if let Some(verdict) = rounds(task, &base, by_values, engine) {
            return Ok(verdict);
        }
    }
    let prepared = base.prepared(task, by_values)?;
    Ok(engine(task, &prepared))
}

/// The rounds; `None` if they come to nothing.
fn rounds(task: &mut Task<'_>, base: &Base, by_values: bool, engine: Run) -> Option<Verdict> {
    let mut abstracted = arrays(task.pool, base.program());
    let limits = &task.options.limits.presolve;
    if base.program().edges.len() <= limits.most_edges {
        // Where a string ends only its cells say.
        let strings = &task.options.limits.guess.strings;
        let walked = strings::walked(task.pool, base.program(), strings);
        abstracted.retain(|v| !walked.contains(v));
    }
    let left = task.budget.work_left();
    let work = left.map_or(limits.localization_work, |w| w / limits.localization_share);
    let slice = task.budget.clone().with_slice(work);
    let options = EngineOptions {
        random_runs: false,
        ..task.options.clone()
    };
    let mut statements = None;
    while !abstracted.is_empty() {
        task.stats.add("rounds with less memory", 1);
        let mut part = Task {
            pool: &mut *task.pool,
            program: task.program,
            options: &options,
            budget: &slice,
            stats: &mut *task.stats,
            progress: &mut *task.progress,
        };
        let less = base.without(&mut part, by_values, &abstracted).ok()?;
        let path = match engine(&mut part, &less) {
            Verdict::Safe(proof) => return Some(Verdict::Safe(proof)),
            Verdict::Unsafe(path) => path,
            Verdict::Unknown(_) => return None,
        };
        if statements.is_none() {
            statements = Some(Statements::of(&mut part, base).ok()?);
        }
        match statements.as_mut()?.look_at(&mut part, &path)? {
            Look::Error(cex) => return Some(Verdict::Unsafe(cex)),
            Look::Contradicted(by) => {
                let before = abstracted.len();
                abstracted.retain(|v| !by.contains(v));
                if abstracted.len() == before {
                    return None;
                }
            }
        }
    }
    None
}

/// The arrays that can be abstracted at first: read somewhere, but not by what decides at the place
/// of an error whether it is one, nor by what that is computed from. Those would be missed at once,
/// perhaps only at the end of a long path.
fn arrays(pool: &Pool, program: &Program) -> FxHashSet<VarId> {
    let mut vars_of = VarsOf::new(program);
    let mut read: FxHashSet<VarId> = FxHashSet::default();
    let mut sources: FxHashMap<VarId, Vec<VarId>> = FxHashMap::default();
    for edge in program.edges.iter() {
        read.extend(vars_of.read_by(pool, &edge.stmt));
        if let Stmt::Assign(pairs) = &edge.stmt {
            for (v, e) in pairs {
                sources
                    .entry(*v)
                    .or_default()
                    .extend(vars_of.of(pool, *e).iter());
            }
        }
    }
    let mut work = deciding(pool, program, &mut vars_of);
    let mut needed: FxHashSet<VarId> = FxHashSet::default();
    while let Some(v) = work.pop() {
        if needed.insert(v) {
            work.extend(sources.get(&v).into_iter().flatten());
        }
    }
    let is_array = |v: &VarId| matches!(pool.sort_kind(program.vars[*v].sort), Sort::Array(..));
    let mut out = read;
    out.retain(|v| is_array(v) && !needed.contains(v));
    out
}

/// The variables of the last assumptions before errors.
fn deciding(pool: &Pool, program: &Program, vars_of: &mut VarsOf) -> Vec<VarId> {
    let mut entering: FxHashMap<LocId, Vec<EdgeId>> = FxHashMap::default();
    for (id, edge) in program.edges.iter_enumerated() {
        entering.entry(edge.to).or_default().push(id);
    }
    let mut out = Vec::new();
    let mut seen: FxHashSet<LocId> = FxHashSet::default();
    let mut work: Vec<LocId> = program.error_locations().collect();
    while let Some(loc) = work.pop() {
        if !seen.insert(loc) {
            continue;
        }
        for &id in entering.get(&loc).into_iter().flatten() {
            match &program.edges[id].stmt {
                Stmt::Assume(c) => out.extend(vars_of.of(pool, *c).iter()),
                _ => work.push(program.edges[id].from),
            }
        }
    }
    out
}

/// What the program says of a path of the program without some arrays.
enum Look {
    Error(Counterexample),
    /// These arrays are enough to refute it.
    Contradicted(FxHashSet<VarId>),
}

/// The whole program as single statements.
struct Statements {
    prepared: Prepared,
    block_of_edge: FxHashMap<EdgeId, BlockId>,
    versions: Versions,
}

impl Statements {
    fn of(task: &mut Task<'_>, base: &Base) -> Result<Self, Reason> {
        let whole = base.prepared(task, false)?;
        let prepared = whole.in_blocks(task.pool, BlockSize::Single);
        Ok(Statements {
            block_of_edge: blocks_by_edge(&prepared.graph),
            prepared,
            versions: Versions::default(),
        })
    }

    /// `None` if the solver does not say.
    fn look_at(&mut self, task: &mut Task<'_>, path: &Counterexample) -> Option<Look> {
        let edges = path.steps.iter().map(|s| &s.edge);
        let blocks: Vec<BlockId> = edges
            .map(|e| self.block_of_edge.get(e).copied())
            .collect::<Option<_>>()?;
        let pool = &mut *task.pool;
        let (program, graph) = (&self.prepared.program, &self.prepared.graph);
        let var_of = vars_by_term(program);
        let versions = &mut self.versions;
        let (parts, _) = path_formulas(pool, program, graph, versions, &var_of, &blocks, &[]);
        let mut solver = self.prepared.solvers.solver();
        match solver.check(pool, &parts, task.budget) {
            Answer::Sat => {
                let model = solver.model(pool);
                let versions = &mut self.versions;
                let steps = concrete_steps(pool, program, graph, versions, &blocks, &model)?;
                return Some(Look::Error(self.prepared.original(steps)));
            }
            Answer::Unsat => {}
            Answer::Unknown(_) => return None,
        }
        let core = solver.core().to_vec();
        let arrays: Vec<FxHashSet<VarId>> = core
            .iter()
            .map(|&part| self.arrays_in(pool, &var_of, part))
            .collect();
        let mut by: Vec<VarId> = arrays.iter().flatten().copied().collect();
        by.sort_unstable();
        by.dedup();
        let mut needed: FxHashSet<VarId> = by.iter().copied().collect();
        if by.len() <= task.options.limits.presolve.most_trimmed {
            for v in by {
                needed.remove(&v);
                let allowed = core
                    .iter()
                    .zip(&arrays)
                    .filter(|(_, a)| a.is_subset(&needed));
                let parts: Vec<TermId> = allowed.map(|(&part, _)| part).collect();
                if self
                    .prepared
                    .solvers
                    .solver()
                    .check(pool, &parts, task.budget)
                    != Answer::Unsat
                {
                    needed.insert(v);
                }
            }
        }
        Some(Look::Contradicted(needed))
    }

    fn arrays_in(
        &self,
        pool: &mut Pool,
        var_of: &FxHashMap<TermId, VarId>,
        part: TermId,
    ) -> FxHashSet<VarId> {
        let part = self.versions.unversion(pool, part);
        let vars = pool.post_order(&[part]).into_iter();
        vars.filter(|&t| matches!(pool.sort_kind(pool.sort_of(t)), Sort::Array(..)))
            .filter_map(|t| var_of.get(&t).copied())
            .collect()
    }
}
