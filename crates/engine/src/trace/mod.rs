//! IPROC: modular trace refinement with summaries.
//!
//! Terms. A *trace* is a word of letters (large blocks) through a function's automaton. A *triple*
//! `{P} f {Q}` is proved by interpolant automata that together accept every trace of `f` as
//! infeasible between P and not Q. The *context* has the summaries proved so far; a call means what
//! the context says of its callee, and nothing is ever inlined.
//!
//! Idea, on
//! ```text
//!   main: assume m >= 1; n = inc(1, m); assert n >= 0      inc(p, q): assert p >= 0; r = p>=1 ? q+1 : q
//!   {true} main {!err}: the trace through the call is feasible, as nothing is known of inc.
//!   So inc is asked: can p = 1, q >= 1 end in err or r < 0? It cannot, and the interpolants of the
//!   refutation are summaries: p < 0 or !err; q < 0 or r >= q. With them no trace of main is left.
//! ```
//! Source: Cassez, Müller, Burnett, "Summary-Based Inter-Procedural Analysis via Modular Trace
//! Refinement" (FSTTCS 2014); Heizmann, Hoenicke, Podelski on trace abstraction. Hoare₁ is
//! `inclusion.rs`, Hoare₂ is `hoare2.rs`, Status is `status.rs`.
//!
//! Where we differ, and why:
//! - letters are large blocks with their calls inside ([`automaton`]): fewer traces (`--method paper`: single
//!   statements, as in section 3);
//! - queries are widened from points to sets before they are asked (`query.rs`; `--method paper`: points, as in Algorithm 3);
//! - in paper mode interpolants are of an unsatisfiable core, weak ones, in functions with loops in turn with strong ones; the
//!   paper leaves the choice to its solver (section 6). A function that is asked again and again is answered without the
//!   point it is asked for where the refutation can do without, and every other time by strong interpolants that relate
//!   inputs and outputs: without loops these are strongest postconditions. Those of the entry, of which nobody
//!   needs a summary, come in turn from the shortest end of the trace that is infeasible by itself;
//! - a triple is asked for from the facts that can matter to it, and edges are remembered from one inclusion check to the
//!   next (`posts.rs`, `nearby.rs`): the same automata at less cost;
//! - facts at a location belong to all automata of the function, and Houdini makes invariants of
//!   those at loop heads (`invariants.rs`);
//! - errors are also sought beside the algorithm (`shallow.rs`);
//! - out-lining (section 8, an idea for the future there) is of loops (`--outline`), or of loops, ifs and sequences
//!   (`--outline all`): a unit ends where paths meet, and what follows is another;
//! - recursion, which the paper leaves out, by depth, with a check on completion (`recursion.rs`).
//!
//! Invariant: every summary in the context was proved (or read and proved again); the proof of the
//! program is their contracts with the assertions of their automata (`proof.rs`).

mod asking;
pub mod automaton;
mod context;
mod execution;
mod hoare2;
mod inclusion;
mod invariants;
mod nearby;
mod parallel;
mod posts;
mod proof;
mod query;
mod realise;
mod recursion;
mod shallow;
mod status;
mod summaries_text;
#[cfg(test)]
mod tests;

use crate::api::{Engine, Progress, Task};
use crate::core::block_solver::BlockSolver;
use crate::core::path::{Versions, vars_by_term};
use crate::log::{self, Field};
use crate::presolve::random_runs::fuzz;
use automaton::{Automata, is_recursive, prepare};
use base::{Budget, FxHashMap, FxHashSet, IndexVec, Stop};
use context::{ALWAYS, Context, Depth};
use evidence::{Counterexample, Reason, Verdict};
use execution::{Execution, term_of};
use inclusion::Proven;
use invariants::Invariants;
use logic::{Memo, Model, TermId, Value};
use nearby::Spoken;
use posts::Posts;
use program::{BlockId, FuncId, LocId, VarId};
use shallow::Shallow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The engine as the table makes it.
#[derive(Default)]
pub struct Trace;

impl Engine for Trace {
    fn run(&mut self, task: &mut Task<'_>) -> Verdict {
        if task.options.aids
            && task.options.random_runs
            && let Some(cex) = fuzz(task)
        {
            return Verdict::Unsafe(cex);
        }
        let outline = match task.options.trace.outline {
            Outline::Nothing if is_recursive(task.program) => Outline::Loops,
            asked => asked,
        };
        let automata = prepare(task, outline);
        let mut search = Search::new(task, &automata);
        let verdict = search.run();
        search.account();
        if search.task.options.trace.keep_summaries {
            let text = search.write_summaries();
            search.task.stats.summaries = Some(text);
        }
        match verdict {
            Ok(verdict) => verdict,
            Err(Halt::Error(cex)) => Verdict::Unsafe(cex),
            Err(Halt::Stop(stop)) => Verdict::Unknown(Reason::OutOfBudget(stop)),
            Err(Halt::Stuck(what)) => Verdict::Unknown(Reason::NoProgress { what }),
        }
    }
}

/// Options of the engine.
#[derive(Clone, Debug, Default)]
pub struct TraceOptions {
    /// Which parts of functions become functions with summaries of their own.
    pub outline: Outline,
    /// Summaries of an earlier run (`summaries_text.rs`).
    pub summaries: Option<String>,
    /// Write the summaries of this run for a later one.
    pub keep_summaries: bool,
}

/// Out-lining (IPROC, section 8: "break existing functions into smaller parts, e.g. sequences, while loops, if statements").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outline {
    #[default]
    /// Functions stay as they are.
    Nothing,
    /// Loops.
    Loops,
    /// Loops, and what follows an `if`: each unit is then a sequence with one `if` at most on each way through it.
    All,
}

/// Why a search ends without an answer.
pub(super) enum Halt {
    Stop(Stop),
    /// The search beside the algorithm found an error.
    Error(Counterexample),
    Stuck(String),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Stop(stop)
    }
}

/// The answer to a query.
pub(super) enum Answer {
    /// The function cannot do it, and its summaries now say so.
    Holds,
    /// This execution does it.
    Execution(Arc<Execution>),
}

pub(super) struct Search<'a, 't> {
    task: &'a mut Task<'t>,
    automata: &'a Automata,
    block_solver: BlockSolver<'a>,
    versions: Versions,
    var_of: FxHashMap<TermId, VarId>,
    context: Context,
    /// The states of the interpolant automata, by location.
    facts: BTreeMap<LocId, Vec<TermId>>,
    /// The variables that facts speak of.
    spoken: Spoken,
    posts: Posts,
    invariants: Invariants,
    /// The triples behind the summaries that hold always.
    proven: IndexVec<FuncId, Vec<Proven>>,
    /// Executions found, with the depth they need.
    executions: IndexVec<FuncId, Vec<(Depth, Arc<Execution>)>>,
    /// Summaries that were read for functions that meet recursion, for the check on completion.
    suggested: Vec<(FuncId, TermId)>,
    shallow: Shallow,
    /// Bold queries, each asked once.
    asked: FxHashSet<(FuncId, TermId)>,
    /// Last letters whose callees were asked, with the query and the context then.
    last_tried: FxHashSet<(BlockId, TermId, u64)>,
    /// How often each function was asked.
    queries: IndexVec<FuncId, u64>,
    refinements: u64,
    interpolations: u64,
    trace_checks: u64,
    max_states: u64,
}

impl<'a, 't> Search<'a, 't> {
    fn new(task: &'a mut Task<'t>, automata: &'a Automata) -> Self {
        let functions = automata.program.functions.len();
        Search {
            block_solver: BlockSolver::new(&automata.program, &automata.graph)
                .using(&task.options.solvers),
            versions: Versions::default(),
            var_of: vars_by_term(&automata.program),
            context: Context::new(functions),
            facts: BTreeMap::new(),
            spoken: Spoken::default(),
            posts: Posts::default(),
            invariants: Invariants::default(),
            proven: IndexVec::filled(Vec::new(), functions),
            executions: (0..functions).map(|_| Vec::new()).collect(),
            suggested: Vec::new(),
            shallow: Shallow::default(),
            asked: FxHashSet::default(),
            last_tried: FxHashSet::default(),
            queries: IndexVec::filled(0, functions),
            refinements: 0,
            interpolations: 0,
            trace_checks: 0,
            max_states: 0,
            task,
            automata,
        }
    }

    fn budget(&self) -> &'t Budget {
        self.task.budget
    }

    fn run(&mut self) -> Result<Verdict, Halt> {
        let entry = self.automata.entry;
        let automata = self.automata;
        self.task.stats.places(&automata.program, &automata.graph);
        let Some(error) = self.automata.flag(entry) else {
            return Ok(self.safe());
        };
        if let Some(text) = self.task.options.trace.summaries.clone() {
            self.reuse(&text)?;
        }
        self.try_given()?;
        if self.automata.meets_recursion(entry) {
            return self.deepen(error);
        }
        Ok(match self.ask(entry, error, ALWAYS)? {
            Answer::Holds => self.safe(),
            Answer::Execution(e) => self.error(&e),
        })
    }

    fn error(&self, execution: &Execution) -> Verdict {
        match execution.steps(self.task.options.limits.execution_steps) {
            Some(steps) => Verdict::Unsafe(self.automata.original(steps, &execution.inputs)),
            None => Verdict::Unknown(Reason::NoProgress {
                what: "there is an error, but the execution to it is too long to write out".into(),
            }),
        }
    }

    /// Can an execution of `f`, up to a depth, have inputs and outputs in `bad`?
    fn ask(&mut self, f: FuncId, bad: TermId, depth: Depth) -> Result<Answer, Halt> {
        let (name, pool) = (self.name(f), &*self.task.pool);
        self.task.stats.log("query", || {
            let error = log::formula(pool, bad);
            vec![("function", name.into()), ("error", error)]
        });
        if let Some(e) = self.known_execution(f, bad, depth) {
            self.log_execution("execution re-used", f, &e);
            return Ok(Answer::Execution(e));
        }
        self.queries[f] += 1;
        let answer = self.hoare2(f, bad, depth)?;
        if let Answer::Execution(e) = &answer {
            self.log_execution("execution", f, e);
            self.executions[f].push((depth, Arc::clone(e)));
        }
        Ok(answer)
    }

    fn name(&self, f: FuncId) -> &'a str {
        &self.automata.program.functions[f].name
    }

    /// An execution of a function answers a query.
    fn log_execution(&mut self, event: &'static str, f: FuncId, execution: &Execution) {
        let (name, pool) = (self.name(f), &mut *self.task.pool);
        let terms = [self.automata.params(f), self.automata.returns(f)].concat();
        self.task.stats.log(event, || {
            let values = execution.inputs.iter().chain(&execution.outputs);
            let values = terms.iter().zip(values).filter_map(|(&t, value)| {
                let value = term_of(pool, value, pool.sort_of(t))?;
                let equation = pool.eq(t, value);
                Some(log::formula(pool, equation))
            });
            let values = Field::List(values.collect());
            vec![("function", name.into()), ("values", values)]
        });
    }

    /// An execution found before that does what a query asks.
    fn known_execution(&self, f: FuncId, bad: TermId, depth: Depth) -> Option<Arc<Execution>> {
        let terms = self.automata.params(f).into_iter();
        let terms: Vec<TermId> = terms.chain(self.automata.returns(f)).collect();
        let known = self.executions[f].iter().filter(|(d, _)| *d <= depth);
        let mut known = known.map(|(_, e)| e);
        let found = known.find(|e| {
            let values = e.inputs.iter().chain(&e.outputs);
            holds_of(self.task.pool, bad, terms.iter().copied().zip(values))
        });
        found.cloned()
    }

    fn report_progress(&mut self) {
        let progress = Progress {
            engine: "trace",
            refinements: self.refinements,
            nodes: self.max_states,
            solver_calls: self.block_solver.solver_calls,
            ..Progress::default()
        };
        (self.task.progress)(&progress);
    }

    /// Counters for `--stats`.
    fn account(&mut self) {
        let stats = &mut *self.task.stats;
        stats.add("refinements", self.refinements);
        stats.add("interpolation problems", self.interpolations);
        stats.add("trace checks", self.trace_checks);
        stats.add("hoare triple checks", self.block_solver.solver_calls);
        stats.add("summaries in the context", self.context.count() as u64);
        stats.max("automaton states", self.max_states);
    }
}

/// Does a formula hold when these constants have these values?
fn holds_of<'v>(
    pool: &logic::Pool,
    formula: TermId,
    values: impl Iterator<Item = (TermId, &'v Value)>,
) -> bool {
    let mut model = Model::default();
    for (t, v) in values {
        if let Some(symbol) = pool.as_constant(t) {
            model.constants.insert(symbol, v.clone());
        }
    }
    Memo::new().holds(pool, &model, formula)
}
