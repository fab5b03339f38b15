//! Conditional constant propagation: variables that have one value at a location whenever it is
//! reached, over branches that can be taken only (Wegman and Zadeck), across calls.
//!
//! The environment of a location maps variables to constants; a variable not in it may have any
//! value. Variables that nobody reads any more are left out, or environments would grow with the
//! length of the program. A function's parameters and globals at entry are joined over all its calls. After a call,
//! results and the globals the callee may write are unknown. Expressions are rewritten with the
//! constants, assumptions that become false cut off what comes after. All ids stay.

use super::Transformed;
use super::back_translation::{Fact, Leg};
use crate::analysis::environment::Environment as Env;
use crate::analysis::liveness::{Liveness, liveness};
use crate::analysis::modref::{ModRef, modref};
use crate::analysis::reads::VarsOf;
use crate::analysis::shape::reachable_functions;
use crate::{EdgeId, FuncId, LocId, Program, Stmt, VarId};
use base::{Budget, FxHashMap, IndexVec, Stop};
use logic::{Op, Pool, Substitution, TermId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Locations that are looked at between two questions to the budget.
const BETWEEN_CHECKS: usize = 4096;

/// Rewrites the program with what is constant; the facts say what is constant where.
pub fn constants(pool: &mut Pool, program: &Program) -> Transformed {
    let forever = Budget::unlimited();
    constants_within(pool, program, &forever).expect("nothing ends an unlimited budget")
}

/// The same, if there is time for it.
pub fn constants_within(
    pool: &mut Pool,
    program: &Program,
    budget: &Budget,
) -> Result<Transformed, Stop> {
    budget.check()?;
    let mut out = program.clone();
    let mut leg = Leg::of(program);
    let mut vars_of = VarsOf::new(program);
    let effects = modref(pool, program);
    let successors = program.successors();
    let mut live = FxHashMap::default();
    let mut order: Vec<LocId> = Vec::new();
    for (f, shape) in reachable_functions(program, &successors) {
        let of = liveness(
            pool,
            program,
            f,
            &shape,
            &successors,
            &mut vars_of,
            &effects,
        );
        live.insert(f, of);
        order.extend(&shape.order);
        budget.check()?;
    }
    let mut place = IndexVec::filled(u32::MAX, program.locations.len());
    for (n, &loc) in order.iter().enumerate() {
        place[loc] = n as u32;
    }
    let mut analysis = Analysis {
        program,
        effects,
        vars_of,
        live,
        at: IndexVec::filled(None, program.locations.len()),
        order,
        place,
        work: BTreeSet::new(),
    };
    analysis.run(pool, budget)?;
    budget.check()?;
    for (id, edge) in program.edges.iter_enumerated() {
        let stmt = match analysis.at[edge.from].clone() {
            None => Stmt::Assume(pool.ff()),
            Some(env) => analysis.rewrite(pool, &env, &edge.stmt),
        };
        out.edges[id].stmt = stmt;
    }
    for (loc, env) in analysis.at.iter_enumerated() {
        match env {
            None => leg.add_fact(loc, Fact::Never),
            Some(env) => leg.add_fact(loc, Fact::Values(Arc::clone(env))),
        }
    }
    Ok(Transformed::new(out, leg))
}

struct Analysis<'a> {
    program: &'a Program,
    effects: ModRef,
    vars_of: VarsOf,
    live: FxHashMap<FuncId, Liveness>,
    /// `None`: not reached so far.
    at: IndexVec<LocId, Option<Arc<Env>>>,
    /// Locations in the order of their functions, and where each stands in it: where paths meet is looked at when
    /// all that comes before has been.
    order: Vec<LocId>,
    place: IndexVec<LocId, u32>,
    work: BTreeSet<u32>,
}

impl Analysis<'_> {
    fn run(&mut self, pool: &mut Pool, budget: &Budget) -> Result<(), Stop> {
        let successors = self.program.successors();
        let main = &self.program.functions[self.program.entry];
        self.flow(main.entry, Arc::new(Env::default()));
        let mut since = 0;
        while let Some(place) = self.work.pop_first() {
            since += 1;
            if since == BETWEEN_CHECKS {
                budget.check()?;
                since = 0;
            }
            for &edge in &successors[self.order[place as usize]] {
                self.edge(pool, edge);
            }
        }
        Ok(())
    }

    /// Joins an environment into a location.
    fn flow(&mut self, to: LocId, mut env: Arc<Env>) {
        if let Some(live) = self.live.get(&self.program.locations[to].func) {
            let words = live.words(to);
            if !env.within(words) {
                Arc::make_mut(&mut env).retain(words);
            }
        }
        let joined = match &self.at[to] {
            None => env,
            Some(old) => match old.meet(&env) {
                None => return,
                Some(less) => Arc::new(less),
            },
        };
        self.at[to] = Some(joined);
        self.work.insert(self.place[to]);
    }

    fn value(&mut self, pool: &mut Pool, env: &Env, e: TermId) -> TermId {
        let vars = self.vars_of.of(pool, e);
        let pairs: Vec<(TermId, TermId)> = vars
            .iter()
            .filter_map(|v| Some((self.program.vars[*v].term, env.get(*v)?)))
            .collect();
        if pairs.is_empty() {
            return e;
        }
        Substitution::new(pairs).apply(pool, e)
    }

    fn edge(&mut self, pool: &mut Pool, id: EdgeId) {
        let edge = &self.program.edges[id];
        let Some(mut env) = self.at[edge.from].clone() else {
            return;
        };
        match &edge.stmt {
            Stmt::Skip => {}
            Stmt::Assume(c) => {
                let c = self.value(pool, &env, *c);
                if c == pool.ff() {
                    return;
                }
                for fact in pool.conjuncts(c) {
                    if let Some((var, value)) = self.equality(pool, fact) {
                        Arc::make_mut(&mut env).insert(var, value);
                    }
                }
            }
            Stmt::Assign(pairs) => {
                let mut values = Vec::with_capacity(pairs.len());
                for (v, e) in pairs {
                    let value = self.value(pool, &env, *e);
                    if let (Some(n), Some((low, high))) =
                        (pool.as_number(value), &self.program.vars[*v].range)
                        && (n < low || n > high)
                    {
                        return;
                    }
                    values.push((*v, value));
                }
                for (v, value) in values {
                    set(&mut env, v, is_constant(pool, value).then_some(value));
                }
            }
            Stmt::Havoc(vars, _) => {
                for v in vars {
                    set(&mut env, *v, None);
                }
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let f = &self.program.functions[*callee];
                let mut inside = Env::default();
                for g in &self.program.globals {
                    if let Some(c) = env.get(*g) {
                        inside.insert(*g, c);
                    }
                }
                for (p, a) in f.params.iter().zip(args) {
                    let value = self.value(pool, &env, *a);
                    if is_constant(pool, value) {
                        inside.insert(*p, value);
                    }
                }
                self.flow(f.entry, Arc::new(inside));
                let written = self.effects.writes[*callee].iter();
                for v in written.chain(results) {
                    set(&mut env, *v, None);
                }
            }
        }
        self.flow(edge.to, env);
    }

    /// The variable and constant of an atom `v = c`, `v` or `not v`.
    fn equality(&self, pool: &Pool, atom: TermId) -> Option<(VarId, TermId)> {
        if let Some(var) = self.vars_of.var(atom) {
            return Some((var, pool.tt()));
        }
        match (pool.op(atom), pool.args(atom)) {
            (Op::Not, &[a]) => Some((self.vars_of.var(a)?, pool.ff())),
            (Op::Eq, &[a, b]) if is_constant(pool, b) => Some((self.vars_of.var(a)?, b)),
            (Op::Eq, &[a, b]) if is_constant(pool, a) => Some((self.vars_of.var(b)?, a)),
            _ => None,
        }
    }

    fn rewrite(&mut self, pool: &mut Pool, env: &Env, stmt: &Stmt) -> Stmt {
        match stmt {
            Stmt::Skip | Stmt::Havoc(..) => stmt.clone(),
            Stmt::Assume(c) => Stmt::Assume(self.value(pool, env, *c)),
            Stmt::Assign(pairs) => Stmt::Assign(
                pairs
                    .iter()
                    .map(|(v, e)| (*v, self.value(pool, env, *e)))
                    .collect(),
            ),
            Stmt::Call {
                callee,
                args,
                results,
            } => Stmt::Call {
                callee: *callee,
                args: args.iter().map(|a| self.value(pool, env, *a)).collect(),
                results: results.clone(),
            },
        }
    }
}

fn is_constant(pool: &Pool, term: TermId) -> bool {
    matches!(pool.op(term), Op::True | Op::False | Op::Num(_))
}

fn set(env: &mut Arc<Env>, var: VarId, value: Option<TermId>) {
    match value {
        Some(value) => {
            if env.get(var) != Some(value) {
                Arc::make_mut(env).insert(var, value);
            }
        }
        None => {
            if env.get(var).is_some() {
                Arc::make_mut(env).remove(var);
            }
        }
    }
}
