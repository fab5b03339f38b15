//! From a model of a block's formula back to the edges it takes.
//!
//! A depth-first search that executes the block's edges on concrete values. In a model of the
//! formula the state at each inner location is fixed: where paths meet, the versions say the values
//! (see `region.rs`). So the guided search enters a location once, only with the state the model
//! has there, and is linear. If the model is wrong about functions that the interpreter knows
//! better (floats), a bounded search without guidance follows.

use super::{Block, Transition};
use crate::interp::float::function_value;
use crate::{EdgeId, LocId, Program, Stmt, VarId};
use base::{FxHashMap, FxHashSet};
use logic::{Evaluator, Pool, TermId, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Edges the unguided search may execute.
const UNGUIDED_STEPS: usize = 20_000;

type Env = BTreeMap<VarId, Value>;
type Path = Vec<(EdgeId, Vec<Value>)>;

impl Block {
    /// The edges an execution of this block takes, and the values its havocs choose (in the order
    /// of the statement's variables), where `value_of` gives the values of the constants of
    /// `transition` (pre and post values, internals) in a model of its formula. The path begins in
    /// `from`, ends in `to`, and leaves every modified variable with its post value. `None` if the
    /// values are no model.
    pub fn concrete_path(
        &self,
        pool: &Pool,
        program: &Program,
        transition: &Transition,
        value_of: &dyn Fn(TermId) -> Value,
    ) -> Option<Path> {
        let search = PathSearch {
            block: self,
            pool,
            program,
            transition,
            value_of,
            out: outgoing(program, transition),
            var_from_symbol: symbols(pool, program, transition),
        };
        search.run(true).or_else(|| search.run(false))
    }
}

fn outgoing(program: &Program, transition: &Transition) -> FxHashMap<LocId, Vec<EdgeId>> {
    let mut out: FxHashMap<LocId, Vec<EdgeId>> = FxHashMap::default();
    for &edge in &transition.edges {
        out.entry(program.edges[edge].from).or_default().push(edge);
    }
    out
}

/// The variables that the block's statements mention, by symbol.
fn symbols(
    pool: &Pool,
    program: &Program,
    transition: &Transition,
) -> FxHashMap<logic::SymbolId, VarId> {
    let mut roots = Vec::new();
    for &edge in &transition.edges {
        match &program.edges[edge].stmt {
            Stmt::Assume(c) => roots.push(*c),
            Stmt::Assign(pairs) => roots.extend(pairs.iter().map(|(_, e)| *e)),
            _ => {}
        }
    }
    let used: FxHashSet<logic::SymbolId> = pool.symbols_of(&roots).into_iter().collect();
    program
        .vars
        .iter_enumerated()
        .filter_map(|(id, v)| Some((pool.as_constant(v.term)?, id)))
        .filter(|(s, _)| used.contains(s))
        .collect()
}

struct PathSearch<'a> {
    block: &'a Block,
    pool: &'a Pool,
    program: &'a Program,
    transition: &'a Transition,
    value_of: &'a dyn Fn(TermId) -> Value,
    out: FxHashMap<LocId, Vec<EdgeId>>,
    var_from_symbol: FxHashMap<logic::SymbolId, VarId>,
}

impl PathSearch<'_> {
    fn run(&self, guided: bool) -> Option<Path> {
        let mut visited: FxHashSet<LocId> = FxHashSet::default();
        let mut steps = 0;
        let mut path: Path = Vec::new();
        let mut stack = vec![(self.block.from, 0usize, Rc::new(Env::new()))];
        while let Some((loc, next, env)) = stack.last_mut() {
            let Some(&edge) = self.out.get(loc).and_then(|o| o.get(*next)) else {
                stack.pop();
                path.pop();
                continue;
            };
            *next += 1;
            steps += 1;
            if !guided && steps > UNGUIDED_STEPS {
                return None;
            }
            let Some((after, chosen)) = self.execute(edge, env) else {
                continue;
            };
            let to = self.program.edges[edge].to;
            if to == self.block.to {
                if self.agrees(&after) {
                    path.push((edge, chosen));
                    return Some(path);
                }
            } else if !guided || (self.matches_versions(to, &after) && visited.insert(to)) {
                path.push((edge, chosen));
                stack.push((to, 0, Rc::new(after)));
            }
        }
        None
    }

    fn current(&self, env: &Env, var: VarId) -> Value {
        match env.get(&var) {
            Some(value) => value.clone(),
            None => self.fit(var, (self.value_of)(self.program.vars[var].term)),
        }
    }

    /// The value, or one in range when it is not (a value the formula does not constrain).
    fn fit(&self, var: VarId, value: Value) -> Value {
        match (&self.program.vars[var].range, &value) {
            (Some((low, high)), Value::Num(n)) if n < low || n > high => {
                Value::Num(if n < low { low.clone() } else { high.clone() })
            }
            _ => value,
        }
    }

    fn execute(&self, edge: EdgeId, env: &Env) -> Option<(Env, Vec<Value>)> {
        let mut eval = Evaluator::new(self.pool, |s| {
            let var = self.var_from_symbol.get(&s)?;
            Some(self.current(env, *var))
        })
        .with_functions(|s, args| function_value(self.pool, s, args));
        let mut after = env.clone();
        let mut chosen = Vec::new();
        match &self.program.edges[edge].stmt {
            Stmt::Skip => {}
            Stmt::Assume(c) => {
                if !eval.holds(*c) {
                    return None;
                }
            }
            Stmt::Assign(pairs) => {
                for &(var, e) in pairs {
                    let value = eval.eval(e);
                    if !self.program.in_range(var, &value) {
                        return None;
                    }
                    after.insert(var, value);
                }
            }
            Stmt::Havoc(vars, _) => {
                for &var in vars {
                    let mut sites = self.transition.havocs.iter();
                    let site = sites.find(|h| h.edge == edge && h.var == var);
                    let value = match site {
                        Some(site) => (self.value_of)(site.symbol),
                        None => self.pool.default_value(self.program.vars[var].sort),
                    };
                    let value = self.fit(var, value);
                    after.insert(var, value.clone());
                    chosen.push(value);
                }
            }
            Stmt::Call { .. } => return None,
        }
        Some((after, chosen))
    }

    fn matches_versions(&self, loc: LocId, env: &Env) -> bool {
        let here = self.transition.versions.iter().filter(|v| v.loc == loc);
        here.into_iter()
            .all(|v| (self.value_of)(v.symbol) == self.current(env, v.var))
    }

    fn agrees(&self, env: &Env) -> bool {
        let t = self.transition;
        t.modified
            .iter()
            .zip(&t.posts)
            .all(|(&var, &post)| (self.value_of)(post) == self.current(env, var))
    }
}
