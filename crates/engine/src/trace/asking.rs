//! What a trace asks its callees: exactly the values of a model, a set around them, and bolder
//! guesses; and the queries of all calls at once, for threads.

use super::context::{ALWAYS, Context, Depth, interface};
use super::execution::{Execution, term_of};
use super::query::widen;
use super::status::{CallAt, ErrorTrace, Formulas, ranges};
use super::{Answer, Halt, Search};
use crate::summaries::bodies::CallSite;
use logic::{Model, Pool, TermId, eval};
use program::{BlockId, FuncId};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Search<'_, '_> {
    /// The widened queries of all calls that a model makes and no known execution answers, each
    /// once, with the depth of the call.
    pub(super) fn needs(
        &mut self,
        f: FuncId,
        blocks: &[BlockId],
        formulas: &Formulas,
        model: &Model,
        depth: Depth,
    ) -> Result<Vec<(FuncId, Depth, TermId)>, Halt> {
        let mut out = Vec::new();
        for (position, steps) in self.concrete(blocks, model)?.iter().enumerate() {
            for step in steps {
                let Some(site) = self.automata.site_of_edge.get(&step.edge) else {
                    continue;
                };
                let inner = Context::depth_of_call(self.automata, f, depth, site.callee);
                let Some(inner) = inner else { continue };
                let at = (position, step.edge);
                let none = BTreeMap::new();
                let (_, wide) = self.queries(blocks, at, site, formulas, &none, model);
                let query = (site.callee, inner, wide);
                if !out.contains(&query) && self.known_execution(site.callee, wide, inner).is_none()
                {
                    out.push(query);
                }
            }
        }
        Ok(out)
    }

    /// Asks the callees of the last letter of a trace what it needs of them from any state, before
    /// the trace is looked at; says whether the context has grown.
    ///
    /// After `while (x > 0) x -= 2;` the call `check(x == 0)` is reached only by long traces, all
    /// shorter ones being infeasible for reasons of their own that say nothing. What the call needs
    /// can be known at once.
    pub(super) fn ask_last(
        &mut self,
        f: FuncId,
        last: BlockId,
        bad: TermId,
        depth: Depth,
    ) -> Result<bool, Halt> {
        let known = self.context.version;
        let tried = (last, bad, known);
        if self.automata.sites[last].is_empty() || !self.last_tried.insert(tried) {
            return Ok(false);
        }
        let blocks = [last];
        let formulas = self.formulas(&ErrorTrace {
            f,
            blocks: &blocks,
            front: &[],
            bad,
            depth,
        });
        let Some(model) = self.solve(&formulas.parts, &[])? else {
            return Ok(false);
        };
        for (callee, inner, query) in self.needs(f, &blocks, &formulas, &model, depth)? {
            match self.ask(callee, query, inner) {
                Ok(Answer::Holds) => return Ok(self.context.version != known),
                Ok(Answer::Execution(_)) | Err(Halt::Stuck(_)) => {}
                Err(halt) => return Err(halt),
            }
        }
        Ok(false)
    }

    /// What to ask the callee: exactly the values of the model, and a wider set.
    pub(super) fn queries(
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
        if self.task.options.is_paper() {
            // Algorithm 3 asks for the witness values themselves.
            return (point, point);
        }
        let wide = match widen(
            pool,
            model,
            &all,
            &keep,
            &self.task.options.limits.trace,
            budget,
        ) {
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
    pub(super) fn bolder(
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
        let limits = &self.task.options.limits.trace;
        if out.len() > 2 * limits.bold_pairs {
            return Ok(chosen);
        }
        for (order, query) in out {
            if chosen.len() >= limits.bold_queries
                || query == wide
                || self.asked.contains(&(f, query))
            {
                continue;
            }
            let budget = self.budget();
            if self
                .block_solver
                .implies(self.task.pool, point, order, budget)?
                && self
                    .block_solver
                    .implies(self.task.pool, wide, order, budget)?
                && self.known_execution(f, query, ALWAYS).is_none()
            {
                self.asked.insert((f, query));
                chosen.push(query);
            }
        }
        Ok(chosen)
    }
}

fn mentions_numbers(pool: &Pool, formula: TermId) -> bool {
    let terms = pool.post_order(&[formula]);
    terms.iter().any(|&t| pool.is_arith(pool.sort_of(t)))
}
