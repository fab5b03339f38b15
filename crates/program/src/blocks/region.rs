//! The transition formulas of one loop-free region, from one cut point to all cut points it leads
//! to, by one walk in topological order.
//!
//! Terms. Each location gets an *environment*: for every variable changed since the start, its
//! value as a term over pre values and internals (assignments are inlined). What holds when
//! a location is reached is a *condition*: a conjunct and the condition it extends. A branch makes
//! two conditions over a common one; where paths meet, only the conditions since the nearest common one
//! become a disjunction:
//! ```text
//!   assume c; x := x + 1        condition A = (c, root)
//!   else skip                   condition B = (!c, root)
//!   meet                        condition M = (c & x@m = x + 1  |  !c & x@m = x, root)
//! ```
//! A variable with several values at a meeting point gets a fresh version (`x@m`) that each
//! disjunct equates with its own value (the frame condition where it did not change). Versions
//! belong to locations, so a model fixes one path backwards from the end: the formula is exact also
//! when several branches are enabled at once.
//!
//! Invariants. Formula size is linear in the region (conditions and terms are shared; a value that
//! grows beyond `NAME_ABOVE` nodes gets a name). An assignment that leaves its range blocks: the
//! range of the value is a conjunct even if the variable is dead.

use super::{HavocSite, Transition, Version, primed};
use crate::analysis::environment::Environment as Env;
use crate::analysis::liveness::Liveness;
use crate::analysis::reads::{VarsOf, written_by};
use crate::analysis::shape::Shape;
use crate::{EdgeId, LocId, Program, Stmt, VarId};
use base::{FxHashMap, FxHashSet, IndexVec};
use logic::{Op, Pool, Rational, Substitution, TermId, machine};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Values of more distinct subterms than this get a name (few in tests, to have it tested).
const NAME_ABOVE: usize = if cfg!(test) { 5 } else { 50 };

/// What all regions of one function share.
pub(super) struct Walk<'a> {
    pub program: &'a Program,
    pub successors: &'a IndexVec<LocId, Vec<EdgeId>>,
    pub shape: &'a Shape,
    pub cuts: &'a BTreeSet<LocId>,
    pub live: &'a Liveness,
    pub vars_of: &'a mut VarsOf,
}

/// A conjunct of a path condition on top of its parent's.
struct PathCondition {
    parent: usize,
    depth: u32,
    cond: TermId,
}

/// A way into a location.
struct Incoming {
    edge: EdgeId,
    condition: usize,
    env: Rc<Env>,
}

pub(super) struct Region<'w, 'a> {
    walk: &'w mut Walk<'a>,
    from: LocId,
    conditions: Vec<PathCondition>,
    /// Conjunction of the conditions from one (inclusive) up to another (exclusive).
    spans: FxHashMap<(usize, usize), TermId>,
    incoming: BTreeMap<LocId, Vec<Incoming>>,
    /// Internals made here, with the range each one has.
    internals: FxHashMap<TermId, Option<VarId>>,
    havocs: Vec<HavocSite>,
    versions: Vec<Version>,
    /// Edges that some path of the region takes, in topological order.
    taken: Vec<EdgeId>,
}

impl<'w, 'a> Region<'w, 'a> {
    pub fn new(pool: &Pool, walk: &'w mut Walk<'a>, from: LocId) -> Self {
        Region {
            walk,
            from,
            conditions: vec![PathCondition {
                parent: 0,
                depth: 0,
                cond: pool.tt(),
            }],
            spans: FxHashMap::default(),
            incoming: BTreeMap::new(),
            internals: FxHashMap::default(),
            havocs: Vec::new(),
            versions: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// Walks from the start through `first` edges (calls skipped) and returns a transition for
    /// each cut point that is met, in order of location.
    pub fn blocks(mut self, pool: &mut Pool, first: &[EdgeId]) -> Vec<(LocId, Transition)> {
        let mut pending: BTreeSet<u32> = BTreeSet::new();
        let start = Rc::new(Env::default());
        self.leave(pool, first, 0, &start, &mut pending);
        // Sound because edges between inner locations go forward in this order.
        while let Some(position) = pending.pop_first() {
            let loc = self.walk.shape.order[position as usize];
            let incoming = self.incoming.remove(&loc).unwrap_or_default();
            let (condition, env) = self.meet(pool, loc, incoming);
            let successors = self.walk.successors;
            self.leave(pool, &successors[loc], condition, &env, &mut pending);
        }
        let ends = std::mem::take(&mut self.incoming);
        let mut out = Vec::new();
        for (to, incoming) in ends {
            if let Some(transition) = self.finish(pool, to, incoming) {
                out.push((to, transition));
            }
        }
        out
    }

    /// Takes the edges out of a location.
    fn leave(
        &mut self,
        pool: &mut Pool,
        edges: &[EdgeId],
        condition: usize,
        env: &Rc<Env>,
        pending: &mut BTreeSet<u32>,
    ) {
        for &edge in edges {
            let to = self.walk.program.edges[edge].to;
            if let Some((condition, env)) = self.step(pool, edge, condition, Rc::clone(env)) {
                self.taken.push(edge);
                let arrived = Incoming {
                    edge,
                    condition,
                    env,
                };
                self.incoming.entry(to).or_default().push(arrived);
                if !self.walk.cuts.contains(&to) {
                    pending.insert(self.walk.shape.position[&to]);
                }
            }
        }
    }

    /// The effect of one edge; `None` for calls and edges that can never be taken.
    fn step(
        &mut self,
        pool: &mut Pool,
        edge: EdgeId,
        condition: usize,
        mut env: Rc<Env>,
    ) -> Option<(usize, Rc<Env>)> {
        let program = self.walk.program;
        let to = program.edges[edge].to;
        let cond = match &program.edges[edge].stmt {
            Stmt::Skip => pool.tt(),
            Stmt::Assume(c) => self.value(pool, &env, *c),
            Stmt::Assign(pairs) => {
                let mut conds = Vec::new();
                let mut values = Vec::with_capacity(pairs.len());
                for &(var, e) in pairs {
                    let mut value = self.value(pool, &env, e);
                    conds.push(self.range_check(pool, var, value));
                    if self.walk.live.is_live(to, var) && pool.dag_size(value) > NAME_ABOVE {
                        let name = self.internal(pool, var, to);
                        conds.push(pool.eq(name, value));
                        value = name;
                    }
                    values.push((var, value));
                }
                for (var, value) in values {
                    self.set(&mut env, to, var, value);
                }
                pool.and(&conds)
            }
            Stmt::Havoc(vars, _) => {
                for &var in vars {
                    if self.walk.live.is_live(to, var) {
                        let symbol = self.internal(pool, var, to);
                        self.havocs.push(HavocSite { edge, var, symbol });
                        self.set(&mut env, to, var, symbol);
                    } else {
                        self.set(&mut env, to, var, program.vars[var].term);
                    }
                }
                pool.tt()
            }
            Stmt::Call { .. } => return None,
        };
        if cond == pool.ff() {
            return None;
        }
        Some((self.extend(pool, condition, cond), env))
    }

    fn set(&self, env: &mut Rc<Env>, at: LocId, var: VarId, value: TermId) {
        // A dead variable is forgotten: nobody reads it before it is written again.
        if value == self.walk.program.vars[var].term || !self.walk.live.is_live(at, var) {
            if env.get(var).is_some() {
                Rc::make_mut(env).remove(var);
            }
        } else {
            Rc::make_mut(env).insert(var, value);
        }
    }

    fn internal(&mut self, pool: &mut Pool, var: VarId, at: LocId) -> TermId {
        let v = &self.walk.program.vars[var];
        let symbol = pool.fresh_constant(&format!("{}@{}", v.name, at), v.sort);
        self.internals.insert(symbol, Some(var));
        symbol
    }

    /// An expression over current values as a term over pre values and internals.
    fn value(&mut self, pool: &mut Pool, env: &Env, e: TermId) -> TermId {
        let vars = self.walk.vars_of.of(pool, e);
        let pairs: Vec<(TermId, TermId)> = vars
            .iter()
            .filter_map(|v| Some((self.walk.program.vars[*v].term, env.get(*v)?)))
            .collect();
        if pairs.is_empty() {
            return e;
        }
        Substitution::new(pairs).apply(pool, e)
    }

    /// The condition that `value` fits the range of `var`.
    fn range_check(&self, pool: &mut Pool, var: VarId, value: TermId) -> TermId {
        let Some((low, high)) = &self.walk.program.vars[var].range else {
            return pool.tt();
        };
        let inside = |a: &Rational, b: &Rational| low <= a && b <= high;
        let implied = match pool.op(value) {
            Op::Wrap { bits, signed } => {
                let (a, b) = machine::type_range(bits, signed);
                inside(&a, &b)
            }
            _ => self.range_of(value).is_some_and(|(a, b)| inside(a, b)),
        };
        if implied {
            pool.tt()
        } else {
            pool.in_range(low, value, high)
        }
    }

    /// The declared range of a pre value or internal.
    fn range_of(&self, term: TermId) -> Option<&'a (Rational, Rational)> {
        let var = match self.internals.get(&term) {
            Some(var) => (*var)?,
            None => self.walk.vars_of.var(term)?,
        };
        self.walk.program.vars[var].range.as_ref()
    }

    // ---- conditions ----

    fn extend(&mut self, pool: &Pool, parent: usize, cond: TermId) -> usize {
        if cond == pool.tt() {
            return parent;
        }
        self.conditions.push(PathCondition {
            parent,
            depth: self.conditions[parent].depth + 1,
            cond,
        });
        self.conditions.len() - 1
    }

    fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            if self.conditions[a].depth >= self.conditions[b].depth {
                a = self.conditions[a].parent;
            } else {
                b = self.conditions[b].parent;
            }
        }
        a
    }

    /// The conjunction of the conditions from `condition` up to `above`, shared between uses.
    fn span(&mut self, pool: &mut Pool, condition: usize, above: usize) -> TermId {
        let mut chain = Vec::new();
        let mut at = condition;
        let mut result = pool.tt();
        while at != above {
            if let Some(&known) = self.spans.get(&(at, above)) {
                result = known;
                break;
            }
            chain.push(at);
            at = self.conditions[at].parent;
        }
        for &f in chain.iter().rev() {
            result = pool.and2(result, self.conditions[f].cond);
            self.spans.insert((f, above), result);
        }
        result
    }

    // ---- meeting points ----

    /// The condition and environment of an inner location.
    fn meet(&mut self, pool: &mut Pool, loc: LocId, incoming: Vec<Incoming>) -> (usize, Rc<Env>) {
        let mut incoming = incoming;
        if incoming.len() == 1 {
            let only = incoming.remove(0);
            return (only.condition, only.env);
        }
        let (mut env, differing) = self.compare(loc, &incoming);
        let mut names = Vec::with_capacity(differing.len());
        for &var in &differing {
            let symbol = self.internal(pool, var, loc);
            self.versions.push(Version { loc, var, symbol });
            env.insert(var, symbol);
            names.push(symbol);
        }
        let (above, cond) = self.join(pool, &incoming, &differing, &names);
        (self.extend(pool, above, cond), Rc::new(env))
    }

    /// The live variables with one changed value on all ways in, and those with several values.
    fn compare(&self, loc: LocId, incoming: &[Incoming]) -> (Env, Vec<VarId>) {
        let live = self.walk.live.words(loc);
        let mut same = (*incoming[0].env).clone();
        same.retain(live);
        let mut differing = Env::differing(incoming.iter().map(|w| &*w.env));
        differing.retain(|v| self.walk.live.is_live(loc, *v));
        // An absent variable has the value it had at the start.
        for &var in &differing {
            same.remove(var);
        }
        (same, differing)
    }

    fn current(&self, env: &Env, var: VarId) -> TermId {
        let pre = self.walk.program.vars[var].term;
        env.get(var).unwrap_or(pre)
    }

    /// The nearest common condition, and the disjunction over the ways in from there: its conditions,
    /// and `names` equal to its values of `vars`.
    fn join(
        &mut self,
        pool: &mut Pool,
        incoming: &[Incoming],
        vars: &[VarId],
        names: &[TermId],
    ) -> (usize, TermId) {
        let mut above = incoming[0].condition;
        for way in incoming {
            above = self.common(above, way.condition);
        }
        let mut ways = Vec::with_capacity(incoming.len());
        for way in incoming {
            let mut parts = vec![self.span(pool, way.condition, above)];
            for (&var, &name) in vars.iter().zip(names) {
                let value = self.current(&way.env, var);
                parts.push(pool.eq(name, value));
            }
            ways.push(pool.and(&parts));
        }
        (above, pool.or(&ways))
    }

    // ---- ends ----

    /// The transition into cut point `to`; `None` if it is plainly never taken.
    fn finish(
        &mut self,
        pool: &mut Pool,
        to: LocId,
        incoming: Vec<Incoming>,
    ) -> Option<Transition> {
        let program = self.walk.program;
        let (same, differing) = self.compare(to, &incoming);
        let mut posts: BTreeMap<VarId, TermId> = BTreeMap::new();
        for var in same.iter().map(|(v, _)| v).chain(differing.iter().copied()) {
            posts.insert(var, primed(pool, program, var));
        }
        let names: Vec<TermId> = differing.iter().map(|v| posts[v]).collect();
        let (above, cond) = self.join(pool, &incoming, &differing, &names);
        let mut parts = vec![self.span(pool, above, 0), cond];
        for (var, value) in same.iter() {
            parts.push(pool.eq(posts[&var], value));
        }
        let mut ranged: Vec<(TermId, VarId)> = posts.iter().map(|(v, t)| (*t, *v)).collect();
        let (mut reads, mut internals) = (Vec::new(), Vec::new());
        for term in pool.post_order(&parts) {
            if let Some(owner) = self.internals.get(&term) {
                internals.push(term);
                ranged.extend(owner.map(|v| (term, v)));
            } else if let Some(var) = self.walk.vars_of.var(term) {
                reads.push(var);
                ranged.push((term, var));
            }
        }
        for (term, var) in ranged {
            if let Some((low, high)) = &program.vars[var].range {
                parts.push(pool.in_range(low, term, high));
            }
        }
        let formula = pool.and(&parts);
        if formula == pool.ff() {
            return None;
        }
        reads.sort_unstable();
        internals.sort_unstable();
        let edges = self.edges_into(&incoming);
        let mut dead: Vec<VarId> = edges
            .iter()
            .flat_map(|e| written_by(&program.edges[*e].stmt))
            .filter(|v| !self.walk.live.is_live(to, *v))
            .collect();
        dead.sort_unstable();
        dead.dedup();
        let occurs = |symbol: &TermId| internals.binary_search(symbol).is_ok();
        let havocs = self.havocs.iter().filter(|h| occurs(&h.symbol)).cloned();
        let versions = self.versions.iter().filter(|v| occurs(&v.symbol)).cloned();
        Some(Transition {
            formula,
            posts: posts.values().copied().collect(),
            modified: posts.into_keys().collect(),
            dead,
            reads,
            havocs: havocs.collect(),
            versions: versions.collect(),
            internals,
            edges,
        })
    }

    /// The edges on paths of the region that end with one of `last`, in topological order.
    fn edges_into(&self, last: &[Incoming]) -> Vec<EdgeId> {
        let program = self.walk.program;
        let mut wanted: FxHashSet<LocId> = FxHashSet::default();
        let final_edges: FxHashSet<EdgeId> = last.iter().map(|w| w.edge).collect();
        let mut out = Vec::new();
        for &id in self.taken.iter().rev() {
            let edge = &program.edges[id];
            let inner = !self.walk.cuts.contains(&edge.to) && wanted.contains(&edge.to);
            if final_edges.contains(&id) || inner {
                wanted.insert(edge.from);
                out.push(id);
            }
        }
        debug_assert!(wanted.contains(&self.from), "paths begin at the cut point");
        out.reverse();
        out
    }
}
