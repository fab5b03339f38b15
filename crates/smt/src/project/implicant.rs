//! Implicants: from a formula and a model of it, literals that hold in the model and together imply
//! the formula. One disjunct of each disjunction is followed, one branch of each `ite`; reads over
//! writes are decided as the model decides them.

use base::{FxHashMap, FxHashSet};
use logic::{Memo, Model, Op, Pool, Sort, SortId, TermId, Value};
use std::collections::BTreeSet;

/// The term of a value; `None` for elements of uninterpreted sorts, which have no names.
pub fn value_term(pool: &mut Pool, value: &Value, sort: SortId) -> Option<TermId> {
    match value {
        Value::Bool(b) => Some(pool.bool_const(*b)),
        Value::Num(n) => Some(pool.num(n.clone(), sort)),
        Value::Element(..) => None,
        Value::Array(array) => {
            let &Sort::Array(index, element) = pool.sort_kind(sort) else {
                return None;
            };
            // Array sorts nest a few levels deep at most.
            let default = value_term(pool, &array.default, element)?;
            let mut out = pool.const_array(sort, default);
            for (i, v) in &array.entries {
                let (i, v) = (value_term(pool, i, index)?, value_term(pool, v, element)?);
                out = pool.store(out, i, v);
            }
            Some(out)
        }
    }
}

/// A model with the values computed so far.
pub struct Point<'m> {
    model: &'m Model,
    memo: Memo,
}

impl<'m> Point<'m> {
    pub fn new(model: &'m Model) -> Self {
        Point {
            model,
            memo: Memo::new(),
        }
    }

    pub fn value(&mut self, pool: &Pool, term: TermId) -> Value {
        self.memo.eval(pool, self.model, term)
    }

    pub fn holds(&mut self, pool: &Pool, term: TermId) -> bool {
        self.value(pool, term) == Value::Bool(true)
    }

    /// Fixes the value of a constant that the model does not know.
    pub fn set(&mut self, term: TermId, value: Value) {
        self.memo.set(term, value);
    }
}

/// Literals true at the point that imply all `roots`; `None` if a root is false there.
pub fn implicant(pool: &mut Pool, point: &mut Point<'_>, roots: &[TermId]) -> Option<Vec<TermId>> {
    if !roots.iter().all(|&t| point.holds(pool, t)) {
        return None;
    }
    let mut walk = Walk {
        open: roots.iter().map(|&t| (t, true)).collect(),
        seen: FxHashSet::default(),
        resolved: FxHashMap::default(),
    };
    let mut out = BTreeSet::new();
    while let Some((t, value)) = walk.open.pop() {
        if walk.seen.insert((t, value)) {
            walk.visit(pool, point, t, value, &mut out);
        }
    }
    Some(out.into_iter().collect())
}

struct Walk {
    open: Vec<(TermId, bool)>,
    seen: FxHashSet<(TermId, bool)>,
    /// Terms without `ite` and reads over writes, equal at the point under what was followed.
    resolved: FxHashMap<TermId, TermId>,
}

impl Walk {
    fn visit(
        &mut self,
        pool: &mut Pool,
        point: &mut Point<'_>,
        t: TermId,
        value: bool,
        out: &mut BTreeSet<TermId>,
    ) {
        let args = pool.args(t).to_vec();
        match pool.op(t) {
            Op::True | Op::False => {}
            Op::Not => self.open.push((args[0], !value)),
            Op::And | Op::Or => {
                if (pool.op(t) == Op::And) == value {
                    self.open.extend(args.iter().map(|&a| (a, value)));
                    return;
                }
                let fits: Vec<TermId> = args
                    .into_iter()
                    .filter(|&a| point.holds(pool, a) == value)
                    .collect();
                let known = fits.iter().find(|&&a| self.seen.contains(&(a, value)));
                if let (None, Some(&a)) = (known, fits.first()) {
                    self.open.push((a, value));
                }
            }
            Op::Ite => {
                let c = point.holds(pool, args[0]);
                self.open.push((args[0], c));
                self.open.push((args[if c { 1 } else { 2 }], value));
            }
            Op::Eq if pool.sort_of(args[0]) == pool.bool_sort() => {
                for a in args {
                    let v = point.holds(pool, a);
                    self.open.push((a, v));
                }
            }
            Op::App(_) if args.is_empty() => {
                out.insert(if value { t } else { pool.not(t) });
            }
            _ => {
                let atom = self.resolve(pool, point, t);
                if atom == pool.bool_const(value) {
                    return;
                }
                if matches!(pool.op(atom), Op::Not | Op::And | Op::Or) {
                    self.open.push((atom, value));
                    return;
                }
                out.insert(literal(pool, point, atom, value));
            }
        }
    }

    /// The term with each `ite` replaced by the branch that the point takes.
    fn resolve(&mut self, pool: &mut Pool, point: &mut Point<'_>, term: TermId) -> TermId {
        let mut stack = vec![term];
        while let Some(&t) = stack.last() {
            if self.resolved.contains_key(&t) {
                stack.pop();
                continue;
            }
            let args = pool.args(t).to_vec();
            if pool.op(t) == Op::Ite {
                let c = point.holds(pool, args[0]);
                let branch = args[if c { 1 } else { 2 }];
                match self.resolved.get(&branch) {
                    Some(&r) => {
                        self.open.push((args[0], c));
                        self.resolved.insert(t, r);
                    }
                    None => stack.push(branch),
                }
                continue;
            }
            let before = stack.len();
            stack.extend(args.iter().filter(|a| !self.resolved.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            let new: Vec<TermId> = args.iter().map(|a| self.resolved[a]).collect();
            let mut r = if new == args {
                t
            } else {
                pool.rebuild(t, &new)
            };
            if pool.op(t) == Op::Select {
                r = self.read(pool, point, new[0], new[1]);
            }
            self.resolved.insert(t, r);
        }
        self.resolved[&term]
    }

    /// A read with the writes before it decided.
    fn read(
        &mut self,
        pool: &mut Pool,
        point: &mut Point<'_>,
        mut array: TermId,
        index: TermId,
    ) -> TermId {
        while pool.op(array) == Op::Store {
            let [inner, at, written] = *pool.args(array) else {
                unreachable!("store has three arguments")
            };
            let same = pool.eq(at, index);
            let hit = point.holds(pool, same);
            self.open.push((same, hit));
            if hit {
                return written;
            }
            array = inner;
        }
        pool.select(array, index)
    }
}

/// The literal; a disequality of numbers becomes the strict inequality that holds.
fn literal(pool: &mut Pool, point: &mut Point<'_>, atom: TermId, value: bool) -> TermId {
    if value {
        return atom;
    }
    if pool.op(atom) == Op::Eq {
        let [a, b] = *pool.args(atom) else {
            unreachable!("an equality has two sides")
        };
        if pool.is_arith(pool.sort_of(a)) {
            let below = pool.lt(a, b);
            return if point.holds(pool, below) {
                below
            } else {
                pool.lt(b, a)
            };
        }
    }
    pool.not(atom)
}
