//! Conditional propagation of bounds: branches that no value within its bounds can take are cut off, and a
//! machine operation whose operand fits does not wrap.
//!
//! ```text
//!   if (n < 1 || n > 1000) return;   malloc(n):  (wrap.u64 n) is n, and it is not more than there is
//! ```
//! Bounds come from conditions and assignments; where paths meet their hull is kept, and at a loop head a bound that
//! moves is given up at once. Only programs without calls. All ids stay; what the changes rest on is told at loop
//! heads, for the variables that they depend on.

use super::Transformed;
use super::back_translation::{Fact, Leg};
use crate::analysis::liveness::{Liveness, liveness};
use crate::analysis::modref::modref;
use crate::analysis::reads::VarsOf;
use crate::analysis::shape::{Shape, shape};
use crate::{EdgeId, LocId, Program, Stmt, VarId};
use base::{FxHashMap, Id, IndexVec};
use logic::{Compiled, Interval, Op, Pool, Rational, Substitution, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Larger programs stay as they are.
const MOST_EDGES: usize = 30_000;
/// How often an edge may be looked at, on average.
const ROUNDS: usize = 24;

/// Variables whose bounds are narrower than their ranges.
type Env = Arc<BTreeMap<VarId, Interval>>;

/// Rewrites the program with what bounds say; `None` if that is nothing.
pub fn bounds(pool: &mut Pool, program: &Program) -> Option<Transformed> {
    let calls = |s: &Stmt| matches!(s, Stmt::Call { .. });
    if program.edges.len() > MOST_EDGES || program.edges.iter().any(|e| calls(&e.stmt)) {
        return None;
    }
    let mut analysis = Analysis::new(pool, program);
    analysis.run(pool)?;
    let mut out = program.clone();
    let mut changed = BTreeSet::new();
    for (id, edge) in program.edges.iter_enumerated() {
        let Some(env) = analysis.at[edge.from].clone() else {
            continue;
        };
        if let Some(stmt) = analysis.rewritten(pool, &env, id) {
            changed.insert(id);
            out.edges[id].stmt = stmt;
        }
    }
    if changed.is_empty() {
        return None;
    }
    for (id, edge) in program.edges.iter_enumerated() {
        if analysis.at[edge.from].is_none() {
            out.edges[id].stmt = Stmt::Assume(pool.ff());
        }
    }
    let leg = analysis.told(pool, &changed);
    Some(Transformed::new(out, leg))
}

struct Analysis<'a> {
    program: &'a Program,
    var_of: FxHashMap<TermId, VarId>,
    vars_of: VarsOf,
    ranges: IndexVec<VarId, Interval>,
    shape: Shape,
    live: Liveness,
    compiled: FxHashMap<TermId, Arc<Compiled>>,
    /// `None`: not reached so far.
    at: IndexVec<LocId, Option<Env>>,
    work: BTreeSet<u32>,
}

impl<'a> Analysis<'a> {
    fn new(pool: &Pool, program: &'a Program) -> Self {
        let successors = program.successors();
        let entry = program.functions[program.entry].entry;
        let shape = shape(program, &successors, entry);
        let mut vars_of = VarsOf::new(program);
        let effects = modref(pool, program);
        let live = liveness(
            pool,
            program,
            program.entry,
            &shape,
            &successors,
            &mut vars_of,
            &effects,
        );
        let range = |v: &crate::Var| match &v.range {
            Some((low, high)) => Interval::between(low, high),
            None if v.sort == pool.bool_sort() => Interval::TRUTH,
            None => Interval::ANY,
        };
        let vars = program.vars.iter_enumerated();
        Analysis {
            program,
            var_of: vars.map(|(id, v)| (v.term, id)).collect(),
            vars_of,
            ranges: IndexVec::from(program.vars.iter().map(range).collect::<Vec<_>>()),
            shape,
            live,
            compiled: FxHashMap::default(),
            at: IndexVec::filled(None, program.locations.len()),
            work: BTreeSet::new(),
        }
    }

    /// Until nothing changes; `None` if that takes too long.
    fn run(&mut self, pool: &Pool) -> Option<()> {
        let program = self.program;
        let successors = program.successors();
        let mut steps = ROUNDS * program.edges.len() + 1000;
        self.flow(program.functions[program.entry].entry, Env::default());
        while let Some(place) = self.work.pop_first() {
            let loc = self.shape.order[place as usize];
            for &edge in &successors[loc] {
                steps = steps.checked_sub(1)?;
                let env = self.at[loc].clone()?;
                if let Some(after) = self.after(pool, env, edge) {
                    self.flow(program.edges[edge].to, after);
                }
            }
        }
        Some(())
    }

    fn flow(&mut self, to: LocId, mut env: Env) {
        if env.keys().any(|v| !self.live.is_live(to, *v)) {
            let live = &self.live;
            Arc::make_mut(&mut env).retain(|v, _| live.is_live(to, *v));
        }
        let joined = match &self.at[to] {
            None => env,
            Some(old) => {
                let head = self.shape.loop_heads.binary_search(&to).is_ok();
                let mut out = BTreeMap::new();
                for (&var, was) in old.iter() {
                    let Some(now) = env.get(&var) else { continue };
                    let mut hull = was.hull(now);
                    if head {
                        let range = self.ranges[var];
                        hull.low = if hull.low == was.low {
                            was.low
                        } else {
                            range.low
                        };
                        hull.high = if hull.high == was.high {
                            was.high
                        } else {
                            range.high
                        };
                    }
                    if hull != self.ranges[var] {
                        out.insert(var, hull);
                    }
                }
                if out == **old {
                    return;
                }
                Arc::new(out)
            }
        };
        self.at[to] = Some(joined);
        if let Some(&place) = self.shape.position.get(&to) {
            self.work.insert(place);
        }
    }

    fn compiled(&mut self, pool: &Pool, term: TermId) -> Arc<Compiled> {
        if let Some(known) = self.compiled.get(&term) {
            return Arc::clone(known);
        }
        let number = |t: TermId| self.var_of.get(&t).map(|v| v.index() as u32);
        let made = Arc::new(Compiled::new(pool, term, number));
        self.compiled.insert(term, Arc::clone(&made));
        made
    }

    fn value(&mut self, pool: &Pool, env: &Env, term: TermId) -> Interval {
        let compiled = self.compiled(pool, term);
        let ranges = &self.ranges;
        compiled.value(|v| read(ranges, env, v), &mut Vec::new())
    }

    /// The bounds after a statement; `None` if it cannot be taken.
    fn after(&mut self, pool: &Pool, mut env: Env, edge: EdgeId) -> Option<Env> {
        match &self.program.edges[edge].stmt {
            Stmt::Skip | Stmt::Call { .. } => {}
            Stmt::Assume(condition) => {
                let compiled = self.compiled(pool, *condition);
                let mut narrowed = Vec::new();
                let ranges = &self.ranges;
                let possible = compiled.assume(
                    |v| read(ranges, &env, v),
                    &mut Vec::new(),
                    |v, by| narrowed.push((v, by)),
                );
                if !possible {
                    return None;
                }
                for (v, by) in narrowed {
                    let now = read(ranges, &env, v);
                    let less = now.meet(&by);
                    if less.is_empty() {
                        return None;
                    }
                    if less != now {
                        Arc::make_mut(&mut env).insert(VarId::from_index(v as usize), less);
                    }
                }
            }
            Stmt::Havoc(vars, _) => {
                for var in vars
                    .iter()
                    .filter(|v| env.contains_key(v))
                    .copied()
                    .collect::<Vec<_>>()
                {
                    Arc::make_mut(&mut env).remove(&var);
                }
            }
            Stmt::Assign(pairs) => {
                let mut values = Vec::new();
                for &(var, term) in pairs {
                    if !is_number(pool, self.program, var) {
                        continue;
                    }
                    // Sound because an assignment that would leave the range cannot be taken.
                    let value = self.value(pool, &env, term).meet(&self.ranges[var]);
                    if value.is_empty() {
                        return None;
                    }
                    values.push((var, value));
                }
                for (var, value) in values {
                    if env.get(&var).copied().unwrap_or(self.ranges[var]) == value {
                        continue;
                    }
                    let env = Arc::make_mut(&mut env);
                    match value == self.ranges[var] {
                        true => env.remove(&var),
                        false => env.insert(var, value),
                    };
                }
            }
        }
        Some(env)
    }

    /// The statement as it may be, if that is another one.
    fn rewritten(&mut self, pool: &mut Pool, env: &Env, edge: EdgeId) -> Option<Stmt> {
        match &self.program.edges[edge].stmt {
            Stmt::Assume(condition) => {
                let impossible = self.after(pool, Arc::clone(env), edge).is_none();
                let less = match impossible {
                    true => pool.ff(),
                    false => self.without_wraps(pool, env, *condition),
                };
                (less != *condition).then_some(Stmt::Assume(less))
            }
            Stmt::Assign(pairs) => {
                let one = |&(v, t): &(VarId, TermId)| (v, self.without_wraps(pool, env, t));
                let less: Vec<(VarId, TermId)> = pairs.iter().map(one).collect();
                (less != *pairs).then_some(Stmt::Assign(less))
            }
            Stmt::Skip | Stmt::Havoc(..) | Stmt::Call { .. } => None,
        }
    }

    /// The term without the operations that change nothing.
    fn without_wraps(&mut self, pool: &mut Pool, env: &Env, term: TermId) -> TermId {
        let mut same: Vec<(TermId, TermId)> = Vec::new();
        for t in pool.post_order(&[term]) {
            let (Op::Wrap { bits, signed }, &[arg]) = (pool.op(t), pool.args(t)) else {
                continue;
            };
            let fits = match (bits, signed) {
                (97.., _) => continue,
                (b, true) => Interval {
                    low: -(1 << (b - 1)),
                    high: (1 << (b - 1)) - 1,
                },
                (b, false) => Interval {
                    low: 0,
                    high: (1 << b) - 1,
                },
            };
            if fits.includes(&self.value(pool, env, arg)) {
                let arg = Substitution::new(same.iter().copied()).apply(pool, arg);
                same.push((t, arg));
            }
        }
        match same.is_empty() {
            true => term,
            false => Substitution::new(same).apply(pool, term),
        }
    }

    /// What the changed statements rest on, at loop heads.
    fn told(&mut self, pool: &mut Pool, changed: &BTreeSet<EdgeId>) -> Leg {
        let relevant = self.relevant(pool, changed);
        let mut leg = Leg::of(self.program);
        for (loc, env) in self.at.iter_enumerated() {
            let Some(env) = env else {
                leg.add_fact(loc, Fact::Never);
                continue;
            };
            if self.shape.loop_heads.binary_search(&loc).is_err() {
                continue;
            }
            let mut facts = Vec::new();
            for (&var, value) in env.iter().filter(|(v, _)| relevant.contains(v)) {
                facts.extend(formula(pool, self.program, var, value, &self.ranges[var]));
            }
            if !facts.is_empty() {
                leg.add_fact(loc, Fact::Holds(pool.and(&facts)));
            }
        }
        leg
    }

    /// Variables that the bounds of those in the changed statements may come from.
    fn relevant(&mut self, pool: &Pool, changed: &BTreeSet<EdgeId>) -> BTreeSet<VarId> {
        let mut out = BTreeSet::new();
        let mut links: Vec<Vec<VarId>> = Vec::new();
        for (id, edge) in self.program.edges.iter_enumerated() {
            let mut groups: Vec<Vec<VarId>> = Vec::new();
            match &edge.stmt {
                Stmt::Assume(c) => groups.push(self.vars_of.of(pool, *c).to_vec()),
                Stmt::Assign(pairs) => {
                    for (v, t) in pairs {
                        let mut group = self.vars_of.of(pool, *t).to_vec();
                        if is_number(pool, self.program, *v) {
                            group.push(*v);
                        }
                        groups.push(group);
                    }
                }
                Stmt::Skip | Stmt::Havoc(..) | Stmt::Call { .. } => {}
            }
            for mut group in groups {
                group.retain(|v| is_number(pool, self.program, *v));
                match changed.contains(&id) {
                    true => out.extend(group),
                    false if group.len() > 1 => links.push(group),
                    false => {}
                }
            }
        }
        loop {
            let before = out.len();
            for group in &links {
                if group.iter().any(|v| out.contains(v)) {
                    out.extend(group);
                }
            }
            if out.len() == before {
                return out;
            }
        }
    }
}

fn read(ranges: &IndexVec<VarId, Interval>, env: &Env, number: u32) -> Interval {
    let var = VarId::from_index(number as usize);
    env.get(&var).copied().unwrap_or(ranges[var])
}

fn is_number(pool: &Pool, program: &Program, var: VarId) -> bool {
    program.vars[var].sort == pool.int_sort()
}

fn formula(
    pool: &mut Pool,
    program: &Program,
    var: VarId,
    value: &Interval,
    range: &Interval,
) -> Vec<TermId> {
    let (term, sort) = (program.vars[var].term, program.vars[var].sort);
    let mut out = Vec::new();
    if value.low > range.low && value.has_low() {
        let low = pool.num(Rational::from(value.low), sort);
        out.push(pool.le(low, term));
    }
    if value.high < range.high && value.has_high() {
        let high = pool.num(Rational::from(value.high), sort);
        out.push(pool.le(term, high));
    }
    out
}
