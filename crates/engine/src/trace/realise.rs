//! From a model of a trace to an execution: each call on the way gets an execution of its callee,
//! or the callee cannot do it and the context grows. In paper mode all calls are asked for the values of one model
//! (algorithm 3, lines 8 to 18); else the first that cannot do it ends the attempt.

use super::context::{Context, Depth};
use super::execution::{Execution, Item, term_of};
use super::status::{CallAt, Formulas, ghosts_of};
use super::{Answer, Halt, Search};
use crate::core::path::{Ssa, transition};
use crate::summaries::bodies::CallSite;
use base::FxHashMap;
use evidence::Step;
use logic::{Model, TermId, Value, eval};
use program::{BlockId, FuncId, primed};
use smt::{Answer as Sat, Unknown};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Search<'_, '_> {
    /// An execution along the trace, or `None` when the context has grown.
    pub(super) fn realise(
        &mut self,
        f: FuncId,
        blocks: &[BlockId],
        formulas: &Formulas,
        mut model: Model,
        depth: Depth,
    ) -> Result<Option<Arc<Execution>>, Halt> {
        let mut pins: BTreeMap<CallAt, (TermId, Arc<Execution>)> = BTreeMap::new();
        // Algorithm 3, line 10: every call on the way is asked for its values, whatever the others answer.
        if self.task.options.jobs > 1 || self.task.options.is_paper() {
            let known = self.context.version;
            let queries = self.needs(f, blocks, formulas, &model, depth)?;
            if queries.len() > 1 {
                self.ask_all(&queries)?;
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
            // A guess, then what the trace needs of the call whatever the others do, then with the others as they
            // are pinned, then the point itself.
            let none = BTreeMap::new();
            let (point, loose) = self.queries(blocks, at, &site, formulas, &none, &model);
            let wide = match pins.is_empty() {
                true => loose,
                false => self.queries(blocks, at, &site, formulas, &pins, &model).1,
            };
            let mut ladder = match self.task.options.is_paper() {
                true => Vec::new(),
                false => self.bolder(&site, wide, point)?,
            };
            ladder.extend([loose, wide, point]);
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

    pub(super) fn solve(
        &mut self,
        parts: &[TermId],
        pins: &[TermId],
    ) -> Result<Option<Model>, Halt> {
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
    pub(super) fn concrete(
        &mut self,
        blocks: &[BlockId],
        model: &Model,
    ) -> Result<Vec<Vec<Step>>, Halt> {
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
