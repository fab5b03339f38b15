//! Status of a trace (IPROC, algorithm 3): infeasible under the context, with interpolants, or an
//! execution. A trace that is feasible under the context asks its callees whether they can do what
//! it needs of them; each answer is an execution of the callee or makes the context stronger.
//!
//! Calls that have an execution are *pinned* to its values, and the trace is solved again for the
//! others. When all calls on the path are pinned, the path is an execution.

use super::automaton::Automata;
use super::context::Depth;
use super::execution::Execution;
use super::{Halt, Search};
use crate::core::path::{Ssa, transition};
use crate::log::Field;
use crate::summaries::bodies::CallSite;
use base::FxHashMap;
use logic::{Model, Pool, Substitution, TermId};
use program::{BlockId, FuncId, VarId};
use smt::interpolate::{FarkasSide, Labelling, Options, Outcome, Source};
use smt::{Answer as Sat, Unknown};
use std::sync::Arc;

/// So many queries of a function are answered by weak interpolants; then every other one is.
const WEAK_QUERIES: u64 = 3;

/// From this query of a function on, refutations do without the query where they can.
const ASKED_AGAIN: u64 = 3;

/// The first end of a trace that is looked at by itself.
const SHORTEST_END: usize = 4;

/// Exact posts are of traces with at most so many terms.
const EXACT_TERMS: usize = 400;

/// Conjuncts of a query are tried one by one if there are at most so many.
const QUERY_CONJUNCTS: usize = 24;

/// The status of a trace.
pub enum Status {
    /// One fact per cut: after the pre-condition (if there is one), then after each letter.
    Infeasible(Vec<TermId>),
    Feasible(Arc<Execution>),
}

/// A trace as formulas.
pub(super) struct Formulas {
    /// The pre-condition first, if there is one.
    pub(super) parts: Vec<TermId>,
    /// What is known of each call, apart from the rest.
    pub(super) calls: Vec<(CallAt, TermId)>,
    /// The parts without what is known of calls.
    pub(super) bare: Vec<TermId>,
    /// The conjuncts of the query, each with the part that it belongs to: of the pre-condition first, then of the error.
    asked: Vec<(usize, TermId)>,
    /// The path at the end, to read values off a model.
    pub(super) end: Ssa,
    /// The function that the trace is of.
    of: FuncId,
}

/// What is left of the parts of a trace, or that it is feasible.
enum Idle {
    Dropped(Vec<TermId>),
    Feasible(Model),
}

/// A trace of `f` between a pre-condition and an error.
pub(super) struct ErrorTrace<'a> {
    pub f: FuncId,
    pub blocks: &'a [BlockId],
    /// Conjuncts of the pre-condition.
    pub front: &'a [TermId],
    /// The error, as the negation of a summary.
    pub bad: TermId,
    /// The call depth at which the context is asked.
    pub depth: Depth,
}

/// The call at a position of a trace, by the edge it begins with.
pub(super) type CallAt = (usize, program::EdgeId);

impl Search<'_, '_> {
    pub(super) fn status(&mut self, trace: &ErrorTrace<'_>) -> Result<Status, Halt> {
        loop {
            self.budget().check()?;
            let formulas = self.formulas(trace);
            match self.interpolate(&formulas)? {
                Outcome::Interpolants(facts) => {
                    return Ok(Status::Infeasible(self.unversioned(facts)));
                }
                Outcome::Unknown(why) => {
                    let letters = trace.blocks.len();
                    return Err(Halt::Stuck(format!(
                        "no interpolants for a trace of {letters} letters: {why}"
                    )));
                }
                Outcome::Sat(model) => {
                    let name = self.name(trace.f);
                    let fields = || vec![("function", Field::from(name))];
                    self.task.stats.log("feasible under the context", fields);
                    let known = self.context.version;
                    let ErrorTrace {
                        f, blocks, depth, ..
                    } = *trace;
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
        trace: &ErrorTrace<'_>,
    ) -> Result<Option<Vec<TermId>>, Halt> {
        let formulas = self.formulas(trace);
        let outcome = self.interpolate(&formulas)?;
        let Outcome::Interpolants(facts) = outcome else {
            return Ok(None);
        };
        Ok(Some(self.unversioned(facts)))
    }

    /// Has the trace no execution into `bad`, as a solver of its own says?
    #[cfg(test)]
    pub(super) fn is_infeasible(&mut self, f: FuncId, blocks: &[BlockId], bad: TermId) -> bool {
        let formulas = self.formulas(&ErrorTrace {
            f,
            blocks,
            front: &[],
            bad,
            depth: super::context::ALWAYS,
        });
        matches!(self.solve(&formulas.parts, &[]), Ok(None))
    }

    fn interpolate(&mut self, formulas: &Formulas) -> Result<Outcome, Halt> {
        self.interpolations += 1;
        let mut options = Options {
            core: self.task.options.is_paper(),
            source: self.task.options.interpolation.source(),
            ..Options::default()
        };
        if !self.task.options.is_paper() {
            return self.sequence(&formulas.parts, &options);
        }
        // The weakest ones, of what the refutation needs: summaries for as many inputs as may be (section 4). Round loops
        // these may follow the error backwards lap by lap, as others follow the execution: in turns. So may those of a
        // function that is asked again and again follow the points it is asked for. Nobody asks for a summary of the entry.
        let f = formulas.of;
        let has_loops = !self.automata.loop_heads(f).is_empty();
        let laps = has_loops && self.refinements.is_multiple_of(2);
        let points = self.follows_points(f);
        // Without loops there are finitely many traces: what each does at all ends the questions, where what keeps it from one
        // point would be asked for the next.
        if points && !has_loops && options.source == Source::Proof {
            options.source = Source::StrongestPost;
            // A statement without its reason, or a relation without its ends, has no exact post; with recursion exact ones
            // would follow the depth.
            let whole = self.task.pool.and(&formulas.parts);
            let small = self.task.pool.dag_size(whole) <= EXACT_TERMS;
            if small && !self.automata.meets_recursion(f) {
                options.core = false;
                return self.sequence(&formulas.parts, &options);
            }
        }
        if f != self.automata.entry && !laps && !points {
            options.labelling = Labelling::InverseMcMillan;
            options.farkas = FarkasSide::Dual;
        }
        if f == self.automata.entry {
            let mut parts = formulas.parts.clone();
            if has_loops && !laps {
                self.keep_the_end(&mut parts)?;
            }
            return self.sequence(&parts, &options);
        }
        if self.queries[f] < ASKED_AGAIN {
            return self.sequence(&formulas.parts, &options);
        }
        match self.without_idle(formulas)? {
            Idle::Dropped(parts) => self.sequence(&parts, &options),
            Idle::Feasible(model) => Ok(Outcome::Sat(model)),
        }
    }

    fn sequence(&mut self, parts: &[TermId], options: &Options) -> Result<Outcome, Halt> {
        let budget = self.budget();
        let solvers = &self.task.options.solvers;
        let outcome = solvers.sequence(self.task.pool, parts, options, budget);
        budget.check()?;
        Ok(outcome)
    }

    /// Drops the parts before the shortest end that is infeasible by itself, sought by doubling: a reason that does not follow
    /// the laps of a loop holds after any number of them.
    fn keep_the_end(&mut self, parts: &mut [TermId]) -> Result<(), Halt> {
        let budget = self.budget();
        let mut end = SHORTEST_END;
        while end < parts.len() {
            let cut = parts.len() - end;
            let mut solver = self.task.options.solvers.solver();
            for &part in &parts[cut..] {
                solver.assert(self.task.pool, part);
            }
            self.trace_checks += 1;
            match solver.check(self.task.pool, &[], budget) {
                Sat::Unsat => {
                    parts[..cut].fill(self.task.pool.tt());
                    break;
                }
                Sat::Unknown(Unknown::Budget(stop)) => return Err(Halt::Stop(stop)),
                Sat::Sat | Sat::Unknown(_) => end *= 2,
            }
        }
        Ok(())
    }

    /// The parts without those conjuncts of the query that the refutation can do without. A query is a point, and what does
    /// not depend on it should not speak of it: a trace that is infeasible by itself says so for all inputs. Conditions on
    /// inputs go first.
    fn without_idle(&mut self, formulas: &Formulas) -> Result<Idle, Halt> {
        let mut parts = formulas.parts.clone();
        for &(part, c) in &formulas.asked {
            let mut others = self.task.pool.conjuncts(parts[part]);
            others.retain(|o| *o != c);
            parts[part] = self.task.pool.and(&others);
        }
        let budget = self.budget();
        let mut solver = self.task.options.solvers.solver();
        for &part in &parts {
            solver.assert(self.task.pool, part);
        }
        let mut kept: Vec<TermId> = formulas.asked.iter().map(|(_, c)| *c).collect();
        self.trace_checks += 1;
        match solver.check(self.task.pool, &kept, budget) {
            Sat::Sat => return Ok(Idle::Feasible(solver.model(self.task.pool))),
            Sat::Unsat => {}
            Sat::Unknown(Unknown::Budget(stop)) => return Err(Halt::Stop(stop)),
            Sat::Unknown(_) => return Ok(Idle::Dropped(formulas.parts.clone())),
        }
        let core = solver.core().to_vec();
        kept.retain(|c| core.contains(c));
        let mut at = 0;
        while at < kept.len() && kept.len() <= QUERY_CONJUNCTS {
            let mut fewer = kept.clone();
            fewer.remove(at);
            match solver.check(self.task.pool, &fewer, budget) {
                Sat::Unsat => {
                    let core = solver.core().to_vec();
                    fewer.retain(|c| core.contains(c));
                    // Those before it were needed, and still are.
                    kept = fewer;
                }
                Sat::Unknown(Unknown::Budget(stop)) => return Err(Halt::Stop(stop)),
                Sat::Sat | Sat::Unknown(_) => at += 1,
            }
        }
        for &(part, c) in &formulas.asked {
            if kept.contains(&c) {
                parts[part] = self.task.pool.and2(parts[part], c);
            }
        }
        Ok(Idle::Dropped(parts))
    }

    /// Is the function asked again and again, and this time answered by strong interpolants?
    pub(super) fn follows_points(&self, f: FuncId) -> bool {
        self.queries[f] > WEAK_QUERIES && self.queries[f].is_multiple_of(2)
    }

    fn unversioned(&mut self, facts: Vec<TermId>) -> Vec<TermId> {
        let mut out = Vec::new();
        for t in facts {
            out.push(self.versions.unversion(self.task.pool, t));
        }
        out
    }

    /// The trace between pre-condition and error, under the context.
    pub(super) fn formulas(&mut self, trace: &ErrorTrace<'_>) -> Formulas {
        let ErrorTrace {
            f,
            blocks,
            front,
            bad,
            depth,
        } = *trace;
        let mut parts = Vec::new();
        let mut bare = Vec::new();
        let mut known = Vec::new();
        let mut ssa = Ssa::default();
        let mut asked = Vec::new();
        if !front.is_empty() {
            let pool = &mut *self.task.pool;
            let all = pool.and(front);
            for c in pool.conjuncts(all) {
                let c = ssa.instantiate(pool, &mut self.versions, &self.var_of, c);
                asked.push((0, c));
            }
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
        for c in pool.conjuncts(at_exit) {
            let c = ssa.instantiate(pool, &mut self.versions, &self.var_of, c);
            asked.push((parts.len(), c));
        }
        let at_exit = with_ranges(pool, self.automata, &self.var_of, at_exit);
        parts.push(ssa.instantiate(pool, &mut self.versions, &self.var_of, at_exit));
        bare.extend(parts.last());
        Formulas {
            parts,
            calls: known,
            bare,
            asked,
            end: ssa,
            of: f,
        }
    }

    /// The ghosts of a block's calls as they are named at a position of a trace.
    pub(super) fn ghosts(&mut self, position: usize, block: BlockId) -> Substitution {
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
}

pub(super) fn ghosts_of(site: &CallSite) -> impl Iterator<Item = VarId> {
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

pub(super) fn ranges(
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
