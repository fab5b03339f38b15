//! Splitting locations by the values of control variables: a state machine `while (1) switch (s)`
//! becomes one loop head per value of `s`.
//!
//! Idea, on `s = 1; while (*) { if (s == 1) s = 2; else if (s == 2) s = 1; else error; }`: the
//! variable `s` only ever gets constants, so at the head it has one of finitely many values. With a
//! copy of each location per value, `s == 1` is decided in every copy; here the error has none left.
//! This is what explicit-value analysis does for event loops and protocols, as a pass: what is not
//! decided stays symbolic in the copies.
//!
//! A variable is *finite* if everything assigned to it is a constant, another finite variable, a
//! choice between such, or any value (then its copies say nothing of it). An *input* is never
//! assigned, only chosen; what a program finds out about it stays so. Tracked are the values of finite
//! variables and the truth of atoms over inputs that several assumptions ask for, where they are live
//! at a loop head. A copy knows only what is live at its location, so copies merge again as soon as
//! a value stops to matter. When there would be too many copies, what is read least goes first.
//!
//! Invariant: each copy's `known` holds whenever it is reached, and each edge of the original is,
//! from each reached copy, an edge to one copy, is impossible, or leads to where no error follows.

use super::{Fact, Piece, Transformed};
use crate::graph::shape;
use crate::liveness::{Liveness, liveness};
use crate::modref::modref;
use crate::reads::VarsOf;
use crate::{Edge, EdgeId, LocId, Program, Stmt, VarId};
use logic::{FxHashMap, FxHashSet, Id, IndexVec, Op, Pool, Substitution, TermId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is known: values of tracked terms (variables and atoms), sorted by term.
type Env = Rc<[(TermId, TermId)]>;

/// Assumptions that must ask for an atom over inputs to make it worth tracking: one branch is two.
const ASKED: usize = 3;

/// How large the result may be.
#[derive(Clone, Copy, Debug)]
pub struct SplitLimits {
    /// Copies of locations.
    pub copies: usize,
    /// Copies of loop heads.
    pub heads: usize,
}

impl Default for SplitLimits {
    fn default() -> Self {
        SplitLimits {
            copies: 20_000,
            heads: 128,
        }
    }
}

/// The program with locations split by values; `None` if there is nothing to split by. Programs
/// with calls are left alone.
pub fn split_values(
    pool: &mut Pool,
    program: &Program,
    limits: SplitLimits,
) -> Option<Transformed> {
    let calls = program
        .edges
        .iter()
        .any(|e| matches!(e.stmt, Stmt::Call { .. }));
    if calls {
        return None;
    }
    let successors = program.successors();
    let main = &program.functions[program.entry];
    let shape = shape(program, &successors, main.entry);
    if shape.loop_heads.is_empty() {
        return None;
    }
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
    let heads: FxHashSet<LocId> = shape.loop_heads.iter().copied().collect();
    let mut tracked = tracked(pool, program, &mut vars_of, &live, &shape.loop_heads);
    while !tracked.is_empty() {
        let mut split = Split {
            program,
            successors: &successors,
            live: &live,
            heads: &heads,
            tracked: tracked.iter().copied().collect(),
            vars_of: &mut vars_of,
            limits,
            head_copies: 0,
            copies: FxHashMap::default(),
            origin: Vec::new(),
            edges: Vec::new(),
            rewritten: FxHashMap::default(),
        };
        if split.run(pool) {
            let worth = split.head_copies > heads.len();
            return worth.then(|| split.result(pool));
        }
        let keep = tracked.len() * 2 / 3;
        tracked.truncate(keep);
    }
    None
}

/// The terms worth tracking, the most read first.
fn tracked(
    pool: &Pool,
    program: &Program,
    vars_of: &mut VarsOf,
    live: &Liveness,
    heads: &[LocId],
) -> Vec<TermId> {
    let finite: FxHashSet<VarId> = finite(pool, program, vars_of).into_iter().collect();
    let assigned: FxHashSet<VarId> = program
        .edges
        .iter()
        .filter_map(|e| match &e.stmt {
            Stmt::Assign(pairs) => Some(pairs),
            _ => None,
        })
        .flatten()
        .map(|(v, _)| *v)
        .collect();
    let mut reads: BTreeMap<TermId, usize> = BTreeMap::new();
    let mut asked: BTreeMap<TermId, usize> = BTreeMap::new();
    for edge in program.edges.iter() {
        match &edge.stmt {
            Stmt::Assume(c) => {
                for &v in vars_of.of(pool, *c).iter() {
                    *reads.entry(program.vars[v].term).or_insert(0) += 1;
                }
                for atom in pool.post_order(&[*c]) {
                    if is_atom(pool, atom) {
                        *asked.entry(atom).or_insert(0) += 1;
                    }
                }
            }
            Stmt::Assign(pairs) => {
                for (_, e) in pairs {
                    if vars_of.var(*e).is_some() {
                        *reads.entry(*e).or_insert(0) += 1;
                    }
                }
            }
            _ => {}
        }
    }
    let mut out: Vec<(usize, TermId)> = Vec::new();
    for (&term, &count) in &reads {
        if vars_of.var(term).is_some_and(|v| finite.contains(&v)) {
            out.push((count, term));
        }
    }
    for (&atom, &count) in asked.iter().filter(|(_, n)| **n >= ASKED) {
        let vars = vars_of.of(pool, atom);
        if !vars.is_empty() && vars.iter().all(|v| !assigned.contains(v)) {
            out.push((count, atom));
        }
    }
    out.retain(|(_, t)| {
        let vars = vars_of.of(pool, *t);
        heads
            .iter()
            .any(|&h| vars.iter().all(|v| live.is_live(h, *v)))
    });
    out.sort_by_key(|&(count, t)| (std::cmp::Reverse(count), t));
    out.into_iter().map(|(_, t)| t).collect()
}

/// An arithmetic comparison or a Boolean variable.
fn is_atom(pool: &Pool, t: TermId) -> bool {
    match pool.op(t) {
        Op::Le => true,
        Op::Eq => pool.sort_of(pool.args(t)[0]) != pool.bool_sort(),
        Op::App(_) => pool.sort_of(t) == pool.bool_sort(),
        _ => false,
    }
}

/// The finite variables to which some constant may come.
fn finite(pool: &Pool, program: &Program, vars_of: &VarsOf) -> Vec<VarId> {
    let scalar = |v: VarId| {
        let sort = program.vars[v].sort;
        sort == pool.int_sort() || sort == pool.bool_sort()
    };
    // Per variable: the variables it may be a copy of.
    let mut sources: BTreeMap<VarId, Vec<VarId>> = BTreeMap::new();
    let mut constant: FxHashSet<VarId> = FxHashSet::default();
    let mut other: FxHashSet<VarId> = FxHashSet::default();
    for edge in program.edges.iter() {
        let Stmt::Assign(pairs) = &edge.stmt else {
            continue;
        };
        for &(v, e) in pairs {
            let mut work = vec![e];
            while let Some(t) = work.pop() {
                match pool.op(t) {
                    Op::True | Op::False | Op::Num(_) => {
                        constant.insert(v);
                    }
                    Op::Ite => work.extend(&pool.args(t)[1..]),
                    Op::Wrap { .. } => work.extend(pool.args(t)),
                    _ => match vars_of.var(t) {
                        Some(source) => sources.entry(v).or_default().push(source),
                        None if pool.sort_of(t) == pool.bool_sort() => {
                            constant.insert(v);
                        }
                        None => {
                            other.insert(v);
                        }
                    },
                }
            }
        }
    }
    loop {
        let before = constant.len() + other.len();
        for (&v, from) in &sources {
            if from.iter().any(|s| other.contains(s) || !scalar(*s)) {
                other.insert(v);
            }
            if from.iter().any(|s| constant.contains(s)) {
                constant.insert(v);
            }
        }
        if constant.len() + other.len() == before {
            break;
        }
    }
    let ids = program.vars.ids();
    ids.filter(|v| scalar(*v) && constant.contains(v) && !other.contains(v))
        .collect()
}

struct NewEdge {
    from: LocId,
    to: LocId,
    stmt: Stmt,
    origin: EdgeId,
}

struct Split<'a> {
    program: &'a Program,
    successors: &'a IndexVec<LocId, Vec<EdgeId>>,
    live: &'a Liveness,
    heads: &'a FxHashSet<LocId>,
    tracked: FxHashSet<TermId>,
    vars_of: &'a mut VarsOf,
    limits: SplitLimits,
    head_copies: usize,
    copies: FxHashMap<(LocId, Env), LocId>,
    /// Of each copy: the location and what is known there.
    origin: Vec<(LocId, Env)>,
    edges: Vec<NewEdge>,
    /// Statements with known values put in; `None` if they cannot be taken.
    rewritten: FxHashMap<(EdgeId, Env), Option<Stmt>>,
}

impl Split<'_> {
    /// Makes all reachable copies; says whether they stayed within the limits.
    fn run(&mut self, pool: &mut Pool) -> bool {
        let entry = self.program.functions[self.program.entry].entry;
        self.copy(pool, entry, Vec::new());
        let mut next = 0;
        while next < self.origin.len() {
            let (loc, env) = self.origin[next].clone();
            let from = LocId::from_index(next);
            next += 1;
            for &id in &self.successors[loc] {
                let Some(stmt) = self.rewrite(pool, id, &env) else {
                    continue;
                };
                let after = self.after(pool, &env, &stmt);
                let to = self.copy(pool, self.program.edges[id].to, after);
                self.edges.push(NewEdge {
                    from,
                    to,
                    stmt,
                    origin: id,
                });
            }
            if self.origin.len() > self.limits.copies || self.head_copies > self.limits.heads {
                return false;
            }
        }
        true
    }

    /// The copy of a location for these values; those nobody reads later are forgotten.
    fn copy(&mut self, pool: &Pool, loc: LocId, mut env: Vec<(TermId, TermId)>) -> LocId {
        let main = &self.program.functions[self.program.entry];
        let ends = loc == main.exit || self.program.locations[loc].error.is_some();
        env.retain(|&(t, _)| {
            let vars = self.vars_of.of(pool, t);
            !ends && vars.iter().all(|v| self.live.is_live(loc, *v))
        });
        let env: Env = env.into();
        let new = LocId::from_index(self.origin.len());
        let copy = *self.copies.entry((loc, Rc::clone(&env))).or_insert(new);
        if copy == new {
            self.origin.push((loc, env));
            self.head_copies += usize::from(self.heads.contains(&loc));
        }
        copy
    }

    /// The statement with the known values put in, unless it cannot be taken.
    fn rewrite(&mut self, pool: &mut Pool, id: EdgeId, env: &Env) -> Option<Stmt> {
        let stmt = &self.program.edges[id].stmt;
        let read = self.vars_of.read_by(pool, stmt);
        let used: Env = env
            .iter()
            .filter(|(t, _)| {
                let vars = self.vars_of.of(pool, *t);
                vars.iter().all(|v| read.binary_search(v).is_ok())
            })
            .copied()
            .collect();
        if let Some(known) = self.rewritten.get(&(id, Rc::clone(&used))) {
            return known.clone();
        }
        let mut map = Substitution::new(used.iter().copied());
        let new = match stmt {
            Stmt::Assume(c) => {
                let c = map.apply(pool, *c);
                (c != pool.ff()).then_some(Stmt::Assume(c))
            }
            Stmt::Assign(list) => {
                let list: Vec<(VarId, TermId)> =
                    list.iter().map(|&(v, e)| (v, map.apply(pool, e))).collect();
                // An assignment outside the range cannot be taken.
                let fits = list.iter().all(|&(v, e)| {
                    match (pool.as_number(e), &self.program.vars[v].range) {
                        (Some(n), Some((low, high))) => low <= n && n <= high,
                        _ => true,
                    }
                });
                fits.then_some(Stmt::Assign(list))
            }
            other => Some(other.clone()),
        };
        self.rewritten.insert((id, used), new.clone());
        new
    }

    /// What is known after the (rewritten) statement.
    fn after(&mut self, pool: &mut Pool, env: &Env, stmt: &Stmt) -> Vec<(TermId, TermId)> {
        let mut values: Vec<(TermId, TermId)> = env.to_vec();
        match stmt {
            Stmt::Skip | Stmt::Call { .. } => {}
            Stmt::Havoc(vars, _) => self.forget(pool, &mut values, vars),
            Stmt::Assign(list) => {
                let written: Vec<VarId> = list.iter().map(|(v, _)| *v).collect();
                self.forget(pool, &mut values, &written);
                for &(v, e) in list {
                    let term = self.program.vars[v].term;
                    if self.tracked.contains(&term) && is_constant(pool, e) {
                        values.push((term, e));
                    }
                }
            }
            Stmt::Assume(c) => {
                for fact in pool.conjuncts(*c) {
                    let (atom, truth) = match pool.op(fact) {
                        Op::Not => (pool.args(fact)[0], pool.ff()),
                        _ => (fact, pool.tt()),
                    };
                    let mut learned = vec![(atom, truth)];
                    learned.extend(self.equality(pool, fact));
                    for (t, value) in learned {
                        if self.tracked.contains(&t) && values.iter().all(|(k, _)| *k != t) {
                            values.push((t, value));
                        }
                    }
                }
            }
        }
        values.sort_unstable();
        values
    }

    fn forget(&mut self, pool: &Pool, values: &mut Vec<(TermId, TermId)>, written: &[VarId]) {
        values.retain(|(t, _)| {
            let vars = self.vars_of.of(pool, *t);
            vars.iter().all(|v| !written.contains(v))
        });
    }

    /// The variable and constant of an atom `v = c`.
    fn equality(&self, pool: &Pool, atom: TermId) -> Option<(TermId, TermId)> {
        match (pool.op(atom), pool.args(atom)) {
            (Op::Eq, &[a, b]) if is_constant(pool, b) => self.vars_of.var(a).map(|_| (a, b)),
            (Op::Eq, &[a, b]) if is_constant(pool, a) => self.vars_of.var(b).map(|_| (b, a)),
            _ => None,
        }
    }

    /// The copies from which an error may be reached.
    fn useful(&self) -> Vec<bool> {
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.origin.len()];
        for (at, edge) in self.edges.iter().enumerate() {
            into[edge.to.index()].push(at);
        }
        let mut useful = vec![false; self.origin.len()];
        let is_error = |loc: LocId| self.program.locations[loc].error.is_some();
        let mut work: Vec<usize> = (0..self.origin.len())
            .filter(|&c| is_error(self.origin[c].0))
            .collect();
        while let Some(copy) = work.pop() {
            if !std::mem::replace(&mut useful[copy], true) {
                work.extend(into[copy].iter().map(|&e| self.edges[e].from.index()));
            }
        }
        useful
    }

    fn result(mut self, pool: &mut Pool) -> Transformed {
        let program = self.program;
        let useful = self.useful();
        let entry_function = &program.functions[program.entry];
        let exit = self.copy(pool, entry_function.exit, Vec::new());
        let mut out = Transformed::identity(program.clone());
        let mut new = Program {
            locations: IndexVec::new(),
            edges: IndexVec::new(),
            outputs: BTreeMap::new(),
            type_ranges: Default::default(),
            ..program.clone()
        };
        out.loc_origin = IndexVec::new();
        out.edge_origin = IndexVec::new();
        for (loc, _) in &self.origin {
            new.locations.push(program.locations[*loc].clone());
            out.loc_origin.push(*loc);
        }
        // Other functions are never called: they keep one location for entry and exit.
        for (id, f) in new.functions.iter_mut().enumerate() {
            if id == program.entry.index() {
                (f.entry, f.exit) = (LocId::from_index(0), exit);
                continue;
            }
            let old = f.entry;
            let place = new.locations.push(program.locations[old].clone());
            new.locations[place].error = None;
            out.loc_origin.push(old);
            (f.entry, f.exit) = (place, place);
        }
        for edge in self.edges {
            // Sound because no error follows: what the copy behind it knows is all a proof needs.
            if !useful.get(edge.to.index()).is_some_and(|u| *u) {
                continue;
            }
            let new_edge = Edge {
                from: edge.from,
                to: edge.to,
                stmt: edge.stmt,
                span: program.edges[edge.origin].span,
            };
            let id = new.edges.push(new_edge);
            out.edge_origin.push(Some(edge.origin));
            if let Some(call) = program.outputs.get(&edge.origin) {
                new.outputs.insert(id, call.clone());
            }
        }
        let mut reached: FxHashSet<LocId> = FxHashSet::default();
        for (at, (loc, env)) in self.origin.iter().enumerate() {
            reached.insert(*loc);
            if !self.heads.contains(loc) {
                continue;
            }
            let equal: Vec<TermId> = env.iter().map(|&(t, c)| pool.eq(t, c)).collect();
            let known = pool.and(&equal);
            out.pieces.entry(*loc).or_default().push(Piece {
                copy: LocId::from_index(at),
                known,
            });
        }
        for loc in program.locations.ids().filter(|l| !reached.contains(l)) {
            out.facts.insert(loc, Fact::Never);
        }
        out.program = new;
        out
    }
}

fn is_constant(pool: &Pool, term: TermId) -> bool {
    matches!(pool.op(term), Op::True | Op::False | Op::Num(_))
}
