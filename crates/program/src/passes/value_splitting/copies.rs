//! The copies of locations by values, as far as they are reached.
//!
//! Invariant: what a copy's environment says holds whenever it is reached; each edge of the original
//! is, from each reached copy, an edge to one copy or impossible.

use crate::analysis::liveness::Liveness;
use crate::analysis::reads::VarsOf;
use crate::{EdgeId, LocId, Program, Stmt, VarId};
use base::{FxHashMap, FxHashSet, IndexVec};
use logic::{Op, Pool, Substitution, TermId};
use std::rc::Rc;

/// What is known: values of tracked terms (variables and atoms), sorted by term.
pub(crate) type Env = Rc<[(TermId, TermId)]>;

/// An edge between copies.
pub(crate) struct NewEdge {
    pub from: usize,
    pub to: usize,
    /// Which statement it has, among those of the split.
    pub stmt: usize,
    pub origin: EdgeId,
}

pub(crate) struct Split<'a> {
    pub program: &'a Program,
    successors: &'a IndexVec<LocId, Vec<EdgeId>>,
    live: &'a Liveness,
    tracked: FxHashSet<TermId>,
    vars_of: &'a mut VarsOf,
    copies: FxHashMap<(LocId, Env), usize>,
    /// Of each copy: the location and what is known there.
    pub origin: Vec<(LocId, Env)>,
    pub edges: Vec<NewEdge>,
    /// The statements of the copies, each once per edge of the original.
    pub statements: Vec<Stmt>,
    numbers: FxHashMap<(EdgeId, Vec<TermId>), usize>,
    /// Statements with known values put in; `None` if they cannot be taken.
    rewritten: FxHashMap<(EdgeId, Env), Option<usize>>,
}

impl<'a> Split<'a> {
    pub fn new(
        program: &'a Program,
        successors: &'a IndexVec<LocId, Vec<EdgeId>>,
        live: &'a Liveness,
        tracked: &[TermId],
        vars_of: &'a mut VarsOf,
    ) -> Self {
        Split {
            program,
            successors,
            live,
            tracked: tracked.iter().copied().collect(),
            vars_of,
            copies: FxHashMap::default(),
            origin: Vec::new(),
            edges: Vec::new(),
            statements: Vec::new(),
            numbers: FxHashMap::default(),
            rewritten: FxHashMap::default(),
        }
    }

    /// Makes all reachable copies, at most so many; says whether that was enough.
    pub fn run(&mut self, pool: &mut Pool, most: usize) -> bool {
        let entry = self.program.functions[self.program.entry].entry;
        self.copy(pool, entry, Vec::new());
        let mut next = 0;
        while next < self.origin.len() {
            let (loc, env) = self.origin[next].clone();
            let from = next;
            next += 1;
            for &id in &self.successors[loc] {
                let Some(stmt) = self.rewrite(pool, id, &env) else {
                    continue;
                };
                let after = self.after(pool, &env, stmt);
                let to = self.copy(pool, self.program.edges[id].to, after);
                self.edges.push(NewEdge {
                    from,
                    to,
                    stmt,
                    origin: id,
                });
            }
            if self.origin.len() > most {
                return false;
            }
        }
        true
    }

    /// The copy of a location for these values; those nobody reads later are forgotten.
    fn copy(&mut self, pool: &Pool, loc: LocId, mut env: Vec<(TermId, TermId)>) -> usize {
        let main = &self.program.functions[self.program.entry];
        let ends = loc == main.exit || self.program.locations[loc].error.is_some();
        env.retain(|&(t, _)| {
            let vars = self.vars_of.of(pool, t);
            !ends && vars.iter().all(|v| self.live.is_live(loc, *v))
        });
        let env: Env = env.into();
        let new = self.origin.len();
        let copy = *self.copies.entry((loc, Rc::clone(&env))).or_insert(new);
        if copy == new {
            self.origin.push((loc, env));
        }
        copy
    }

    /// The statement with the known values put in, unless it cannot be taken.
    fn rewrite(&mut self, pool: &mut Pool, id: EdgeId, env: &Env) -> Option<usize> {
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
            return *known;
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
        let new = new.map(|stmt| self.number(id, stmt));
        self.rewritten.insert((id, used), new);
        new
    }

    /// The number of a statement of an edge: the same for equal ones.
    fn number(&mut self, id: EdgeId, stmt: Stmt) -> usize {
        let terms: Vec<TermId> = match &stmt {
            Stmt::Assume(c) => vec![*c],
            Stmt::Assign(list) => list.iter().map(|&(_, e)| e).collect(),
            Stmt::Skip | Stmt::Havoc(..) | Stmt::Call { .. } => Vec::new(),
        };
        let statements = &mut self.statements;
        *self.numbers.entry((id, terms)).or_insert_with(|| {
            statements.push(stmt);
            statements.len() - 1
        })
    }

    /// What is known after the (rewritten) statement.
    fn after(&mut self, pool: &mut Pool, env: &Env, stmt: usize) -> Vec<(TermId, TermId)> {
        let mut values: Vec<(TermId, TermId)> = env.to_vec();
        match &self.statements[stmt].clone() {
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
    pub fn useful(&self) -> Vec<bool> {
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.origin.len()];
        for edge in &self.edges {
            into[edge.to].push(edge.from);
        }
        let mut useful = vec![false; self.origin.len()];
        let is_error = |loc: LocId| self.program.locations[loc].error.is_some();
        let mut work: Vec<usize> = (0..self.origin.len())
            .filter(|&c| is_error(self.origin[c].0))
            .collect();
        while let Some(copy) = work.pop() {
            if !std::mem::replace(&mut useful[copy], true) {
                work.extend(&into[copy]);
            }
        }
        useful
    }
}

fn is_constant(pool: &Pool, term: TermId) -> bool {
    matches!(pool.op(term), Op::True | Op::False | Op::Num(_))
}
