//! Status of a trace (IPROC, algorithm 3): infeasible under the context, with interpolants, or an
//! execution. A trace that is feasible under the context asks its callees whether they can do what
//! it needs of them; each answer is an execution of the callee or makes the context stronger.
//!
//! Calls that have an execution are *pinned* to its values, and the trace is solved again for the
//! others. When all calls on the path are pinned, the path is an execution.

use super::automaton::Automata;
use super::context::{ALWAYS, Context, Depth, interface};
use super::execution::{Execution, Item, term_of};
use super::query::widen;
use super::{Answer, Halt, Search};
use crate::modular::bodies::CallSite;
use crate::path::{Ssa, transition};
use evidence::Step;
use logic::{FxHashMap, Model, Pool, Substitution, TermId, Value, eval};
use program::{BlockId, FuncId, VarId, primed};
use smt::interpolate::{Options, Outcome};
use smt::{Answer as Sat, Unknown};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Pairs of inputs and outputs above which their order is not asked about, and bold queries for one
/// call.
const MOST_PAIRS: usize = 12;
const MOST_BOLD: usize = 2;

/// The status of a trace.
pub enum Status {
    /// One fact per cut: after the pre-condition (if there is one), then after each letter.
    Infeasible(Vec<TermId>),
    Feasible(Arc<Execution>),
}

/// A trace as formulas.
struct Formulas {
    /// The pre-condition first, if there is one.
    parts: Vec<TermId>,
    /// What is known of each call, apart from the rest.
    calls: Vec<(CallAt, TermId)>,
    /// The parts without what is known of calls.
    bare: Vec<TermId>,
    /// The path at the end, to read values off a model.
    end: Ssa,
}

/// The call at a position of a trace, by the edge it begins with.
type CallAt = (usize, program::EdgeId);

impl Search<'_, '_> {
    pub(super) fn status(
        &mut self,
        f: FuncId,
        blocks: &[BlockId],
        front: &[TermId],
        bad: TermId,
        depth: Depth,
    ) -> Result<Status, Halt> {
        loop {
            self.budget().check()?;
            let formulas = self.formulas(f, blocks, front, bad, depth);
            match self.interpolate(&formulas)? {
                Outcome::Interpolants(facts) => {
                    return Ok(Status::Infeasible(self.unversioned(facts)));
                }
                Outcome::Unknown(why) => {
                    let letters = blocks.len();
                    return Err(Halt::Stuck(format!(
                        "no interpolants for a trace of {letters} letters: {why}"
                    )));
                }
                Outcome::Sat(model) => {
                    let known = self.context.version;
                    if let Some(execution) = self.realise(f, blocks, &formulas, model, depth)? {
                        return Ok(Status::Feasible(execution));
                    }
                    if self.context.version == known {
                        return Err(Halt::Stuck(
                            "a callee cannot do what a trace needs, but its summaries do not say so"
                                .into(),
                        ));
                    }
                }
            }
        }
    }

    /// Interpolants of a trace that is known to be infeasible, if there are any to be had.
    pub(super) fn interpolants(
        &mut self,
        f: FuncId,
        blocks: &[BlockId],
        front: &[TermId],
        bad: TermId,
        depth: Depth,
    ) -> Result<Option<Vec<TermId>>, Halt> {
        let formulas = self.formulas(f, blocks, front, bad, depth);
        let outcome = self.interpolate(&formulas)?;
        let Outcome::Interpolants(facts) = outcome else {
            return Ok(None);
        };
        Ok(Some(self.unversioned(facts)))
    }

    /// Has the trace no execution into `bad`, as a solver of its own says?
    #[cfg(test)]
    pub(super) fn is_infeasible(&mut self, f: FuncId, blocks: &[BlockId], bad: TermId) -> bool {
        let formulas = self.formulas(f, blocks, &[], bad, ALWAYS);
        matches!(self.solve(&formulas.parts, &[]), Ok(None))
    }

    fn interpolate(&mut self, formulas: &Formulas) -> Result<Outcome, Halt> {
        self.interpolations += 1;
        let options = Options::default();
        let budget = self.budget();
        let solvers = &self.task.options.solvers;
        let outcome = solvers.sequence(self.task.pool, &formulas.parts, &options, budget);
        budget.check()?;
        Ok(outcome)
    }

    fn unversioned(&mut self, facts: Vec<TermId>) -> Vec<TermId> {
        let mut out = Vec::new();
        for t in facts {
            out.push(self.versions.unversion(self.task.pool, t));
        }
        out
    }

    /// The trace between pre-condition and error, under the context.
    fn formulas(
        &mut self,
        f: FuncId,
        blocks: &[BlockId],
        front: &[TermId],
        bad: TermId,
        depth: Depth,
    ) -> Formulas {
        let mut parts = Vec::new();
        let mut bare = Vec::new();
        let mut known = Vec::new();
        let mut ssa = Ssa::default();
        if !front.is_empty() {
            let pool = &mut *self.task.pool;
            let all = pool.and(front);
            let all = with_ranges(pool, self.automata, &self.var_of, all);
            parts.push(ssa.instantiate(pool, &mut self.versions, &self.var_of, all));
            bare.push(parts[0]);
        }
        for (position, &block) in blocks.iter().enumerate() {
            let calls = self
                .context
                .at_calls(self.task.pool, self.automata, block, depth);
            let mut ghosts = self.ghosts(position, block);
            let pool = &mut *self.task.pool;
            let mut conjuncts = Vec::new();
            for &fact in self.invariants.at(self.automata.graph.blocks[block].from) {
                conjuncts.push(ssa.instantiate(pool, &mut self.versions, &self.var_of, fact));
            }
            let t = transition(&self.automata.graph, block);
            let program = &self.automata.program;
            conjuncts.push(ssa.step(pool, program, &mut self.versions, block, t));
            bare.push(pool.and(&conjuncts));
            for (edge, c) in calls {
                let c = with_ranges(pool, self.automata, &self.var_of, c);
                let c = ghosts.apply(pool, c);
                conjuncts.push(c);
                known.push(((position, edge), c));
            }
            parts.push(pool.and(&conjuncts));
        }
        let pool = &mut *self.task.pool;
        let at_exit = self.automata.at_exit(pool, f, bad);
        let at_exit = with_ranges(pool, self.automata, &self.var_of, at_exit);
        parts.push(ssa.instantiate(pool, &mut self.versions, &self.var_of, at_exit));
        bare.extend(parts.last());
        Formulas {
            parts,
            calls: known,
            bare,
            end: ssa,
        }
    }

    /// The ghosts of a block's calls as they are named at a position of a trace.
    fn ghosts(&mut self, position: usize, block: BlockId) -> Substitution {
        let mut pairs = Vec::new();
        for site in &self.automata.sites[block] {
            for v in ghosts_of(site) {
                let term = self.automata.program.vars[v].term;
                let pool = &mut *self.task.pool;
                pairs.push((term, self.versions.constant(pool, term, position as u32)));
            }
        }
        Substitution::new(pairs)
    }

    /// An execution along the trace, or `None` when the context has grown.
    fn realise(
        &mut self,
        f: FuncId,
        blocks: &[BlockId],
        formulas: &Formulas,
        mut model: Model,
        depth: Depth,
    ) -> Result<Option<Arc<Execution>>, Halt> {
        let mut pins: BTreeMap<CallAt, (TermId, Arc<Execution>)> = BTreeMap::new();
        if self.task.options.jobs > 1 && depth == ALWAYS {
            let known = self.context.version;
            let queries = self.independent(blocks, formulas, &model)?;
            if queries.len() > 1 {
                self.ask_together(&queries)?;
            }
            if self.context.version != known {
                return Ok(None);
            }
        }
        loop {
            let path = self.concrete(blocks, &model)?;
            let open = path.iter().enumerate().find_map(|(position, steps)| {
                steps.iter().find_map(|step| {
                    let site = self.automata.site_of_edge.get(&step.edge)?;
                    let at = (position, step.edge);
                    (!pins.contains_key(&at)).then(|| (at, site.clone()))
                })
            });
            let Some((at, site)) = open else {
                return Ok(Some(Arc::new(
                    self.assemble(f, formulas, &model, path, &pins),
                )));
            };
            // Known executions, then the widened query, then the point itself.
            let (point, wide) = self.queries(blocks, at, &site, formulas, &pins, &model);
            let mut ladder = self.bolder(&site, wide, point)?;
            ladder.extend([wide, point]);
            let Some(inner) = Context::depth_of_call(self.automata, f, depth, site.callee) else {
                return Err(Halt::Stuck("a call deeper than the depth was made".into()));
            };
            let mut asked = Vec::new();
            for query in ladder {
                if asked.contains(&query) {
                    continue;
                }
                asked.push(query);
                let execution = match self.ask(site.callee, query, inner) {
                    Ok(Answer::Holds) => return Ok(None),
                    Ok(Answer::Execution(e)) => e,
                    Err(Halt::Stuck(_)) if query != point => continue,
                    Err(halt) => return Err(halt),
                };
                let Some(pin) = self.pin(at, &site, &execution) else {
                    continue;
                };
                let mut all: Vec<TermId> = pins.values().map(|(t, _)| *t).collect();
                all.push(pin);
                if let Some(found) = self.solve(&formulas.parts, &all)? {
                    model = found;
                    pins.insert(at, (pin, execution));
                    break;
                }
            }
            if !pins.contains_key(&at) {
                return Err(Halt::Stuck(
                    "an execution of a callee does not fit the trace it was asked for".into(),
                ));
            }
        }
    }

    /// The widened queries of all calls that a model makes, each once.
    fn independent(
        &mut self,
        blocks: &[BlockId],
        formulas: &Formulas,
        model: &Model,
    ) -> Result<Vec<(FuncId, TermId)>, Halt> {
        let mut out = Vec::new();
        for (position, steps) in self.concrete(blocks, model)?.iter().enumerate() {
            for step in steps {
                let Some(site) = self.automata.site_of_edge.get(&step.edge) else {
                    continue;
                };
                let at = (position, step.edge);
                let none = BTreeMap::new();
                let (_, wide) = self.queries(blocks, at, site, formulas, &none, model);
                let query = (site.callee, wide);
                if !out.contains(&query)
                    && self.known_execution(site.callee, wide, ALWAYS).is_none()
                {
                    out.push(query);
                }
            }
        }
        Ok(out)
    }

    /// What to ask the callee: exactly the values of the model, and a wider set.
    fn queries(
        &mut self,
        blocks: &[BlockId],
        at: CallAt,
        site: &CallSite,
        formulas: &Formulas,
        pins: &BTreeMap<CallAt, (TermId, Arc<Execution>)>,
        model: &Model,
    ) -> (TermId, TermId) {
        let mut ghosts = self.ghosts(at.0, blocks[at.0]);
        let interface = interface(self.automata, site);
        let mut point = Vec::new();
        let mut back = Vec::new();
        let budget = self.budget();
        let pool = &mut *self.task.pool;
        for &(inside, ghost) in &interface {
            let outside = ghosts.apply(pool, ghost);
            let value = eval(pool, model, outside);
            if let Some(value) = term_of(pool, &value, pool.sort_of(inside)) {
                point.push(pool.eq(inside, value));
            }
            back.push((outside, inside));
        }
        let point = pool.and(&point);
        let keep: Vec<TermId> = back.iter().map(|&(o, _)| o).collect();
        // What is known of the call itself need not be asked.
        let mut all = formulas.bare.clone();
        let others = formulas.calls.iter().filter(|(c, _)| *c != at);
        all.extend(others.map(|(_, t)| *t));
        all.extend(pins.values().map(|(t, _)| *t));
        let wide = match widen(pool, model, &all, &keep, budget) {
            Some(wide) => {
                let wide = pool.substitute(wide, &back);
                // Ranges hold anyway; a query without them reads better, and so does its answer.
                let ranges = ranges(pool, self.automata, &self.var_of, wide);
                let ranges = pool.and(&ranges);
                let ranges = pool.conjuncts(ranges);
                let mut parts = pool.conjuncts(wide);
                parts.retain(|c| !ranges.contains(c));
                pool.and(&parts)
            }
            None => point,
        };
        (point, wide)
    }

    /// Wider queries still: the order of an input and an output, where the query implies one and no
    /// known execution has it. `arg = 7, res <= 6` becomes `res < arg`: if the callee cannot do
    /// that, its summary serves all calls.
    fn bolder(
        &mut self,
        site: &CallSite,
        wide: TermId,
        point: TermId,
    ) -> Result<Vec<TermId>, Halt> {
        let f = site.callee;
        let (inputs, outputs) = (self.automata.params(f), self.automata.returns(f));
        let pool = &mut *self.task.pool;
        let int = pool.int_sort();
        let flags: Vec<TermId> = pool
            .conjuncts(wide)
            .into_iter()
            .filter(|&c| pool.symbols_of(&[c]).len() == 1 && !mentions_numbers(pool, c))
            .collect();
        let mut out = Vec::new();
        let ints = |pool: &Pool, mut list: Vec<TermId>| {
            list.retain(|&t| pool.sort_of(t) == int);
            list
        };
        let (inputs, outputs) = (ints(pool, inputs), ints(pool, outputs));
        for &o in &outputs {
            for &i in &inputs {
                for order in [pool.lt(o, i), pool.lt(i, o)] {
                    let mut parts = flags.clone();
                    parts.push(order);
                    out.push((order, pool.and(&parts)));
                }
            }
        }
        let mut chosen = Vec::new();
        if out.len() > 2 * MOST_PAIRS {
            return Ok(chosen);
        }
        for (order, query) in out {
            if chosen.len() >= MOST_BOLD || query == wide || self.asked.contains(&(f, query)) {
                continue;
            }
            let budget = self.budget();
            if self.hoare.implies(self.task.pool, point, order, budget)?
                && self.hoare.implies(self.task.pool, wide, order, budget)?
                && self.known_execution(f, query, ALWAYS).is_none()
            {
                self.asked.insert((f, query));
                chosen.push(query);
            }
        }
        Ok(chosen)
    }

    /// The ghosts of a call have the values of an execution.
    fn pin(&mut self, at: CallAt, site: &CallSite, execution: &Execution) -> Option<TermId> {
        let values = execution.inputs.iter().chain(&execution.outputs);
        let ghosts = site.args.iter().chain(&site.results);
        let mut parts = Vec::new();
        for (&g, value) in ghosts.zip(values) {
            let pool = &mut *self.task.pool;
            let ghost = self.automata.program.vars[g].term;
            let ghost = self.versions.constant(pool, ghost, at.0 as u32);
            let value = term_of(pool, value, pool.sort_of(ghost))?;
            parts.push(pool.eq(ghost, value));
        }
        Some(self.task.pool.and(&parts))
    }

    fn solve(&mut self, parts: &[TermId], pins: &[TermId]) -> Result<Option<Model>, Halt> {
        let mut solver = self.task.options.solvers.solver();
        for &p in parts.iter().chain(pins) {
            solver.assert(self.task.pool, p);
        }
        self.trace_checks += 1;
        match solver.check(self.task.pool, &[], self.budget()) {
            Sat::Sat => Ok(Some(solver.model(self.task.pool))),
            Sat::Unsat => Ok(None),
            Sat::Unknown(Unknown::Budget(stop)) => Err(Halt::Stop(stop)),
            Sat::Unknown(Unknown::Incomplete(_)) => Ok(None),
        }
    }

    /// The edges that a model takes, letter by letter.
    fn concrete(&mut self, blocks: &[BlockId], model: &Model) -> Result<Vec<Vec<Step>>, Halt> {
        let program = &self.automata.program;
        let mut ssa = Ssa::default();
        let mut out = Vec::new();
        for (position, &id) in blocks.iter().enumerate() {
            let pool = &mut *self.task.pool;
            let t = transition(&self.automata.graph, id);
            let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
            let func = program.locations[self.automata.graph.blocks[id].from].func;
            let function = &program.functions[func];
            let vars = function.params.iter().chain(&function.returns);
            for &v in vars.chain(&function.locals) {
                let base = program.vars[v].term;
                let c = self.versions.constant(pool, base, ssa.version(v));
                values.insert(base, eval(pool, model, c));
            }
            let ghosts = self.automata.sites[id].iter().flat_map(ghosts_of);
            let ghosts = ghosts.map(|v| program.vars[v].term);
            for c in t.internals.iter().copied().chain(ghosts) {
                let v = self.versions.constant(pool, c, position as u32);
                values.insert(c, eval(pool, model, v));
            }
            ssa.step(pool, program, &mut self.versions, id, t);
            for &v in &t.modified {
                let base = program.vars[v].term;
                let post = primed(pool, program, v);
                let c = self.versions.constant(pool, base, ssa.version(v));
                values.insert(post, eval(pool, model, c));
            }
            // The formula has no other constants, so the default is never asked for.
            let lookup = |c: TermId| values.get(&c).cloned().unwrap_or(Value::Bool(false));
            let block = &self.automata.graph.blocks[id];
            let Some(path) = block.concrete_path(pool, program, t, &lookup) else {
                return Err(Halt::Stuck(
                    "a trace is feasible for the solver but no execution follows it".into(),
                ));
            };
            let steps = path.into_iter();
            out.push(steps.map(|(edge, havocs)| Step { edge, havocs }).collect());
        }
        Ok(out)
    }

    /// The execution that a path with all its calls pinned is.
    fn assemble(
        &mut self,
        f: FuncId,
        formulas: &Formulas,
        model: &Model,
        path: Vec<Vec<Step>>,
        pins: &BTreeMap<CallAt, (TermId, Arc<Execution>)>,
    ) -> Execution {
        let mut items = Vec::new();
        for (position, steps) in path.into_iter().enumerate() {
            for step in steps {
                let call = pins.get(&(position, step.edge));
                items.push(Item::Step(step));
                if let Some((_, execution)) = call {
                    items.push(Item::Call(Arc::clone(execution)));
                }
            }
        }
        let pool = &mut *self.task.pool;
        let mut value = |ssa: &Ssa, t: TermId| {
            let t = ssa.instantiate(pool, &mut self.versions, &self.var_of, t);
            eval(pool, model, t)
        };
        let start = Ssa::default();
        let inputs = self.automata.params(f).into_iter();
        let inputs: Vec<Value> = inputs.map(|t| value(&start, t)).collect();
        let outputs = self.automata.returns(f).into_iter();
        let outputs: Vec<Value> = outputs.map(|t| value(&formulas.end, t)).collect();
        Execution::new(inputs, outputs, items)
    }
}

fn ghosts_of(site: &CallSite) -> impl Iterator<Item = VarId> {
    let all = site.args.iter().chain(&site.results).copied();
    all.chain([site.made])
}

/// A formula with the ranges of the variables it speaks of.
fn with_ranges(
    pool: &mut Pool,
    automata: &Automata,
    var_of: &FxHashMap<TermId, VarId>,
    formula: TermId,
) -> TermId {
    let mut parts = ranges(pool, automata, var_of, formula);
    parts.push(formula);
    pool.and(&parts)
}

fn ranges(
    pool: &mut Pool,
    automata: &Automata,
    var_of: &FxHashMap<TermId, VarId>,
    formula: TermId,
) -> Vec<TermId> {
    let mut out = Vec::new();
    for t in pool.post_order(&[formula]) {
        let range = var_of.get(&t).map(|&v| &automata.program.vars[v].range);
        if let Some(Some((low, high))) = range {
            out.push(pool.in_range(low, t, high));
        }
    }
    out
}

fn mentions_numbers(pool: &Pool, formula: TermId) -> bool {
    let terms = pool.post_order(&[formula]);
    terms.iter().any(|&t| pool.is_arith(pool.sort_of(t)))
}
