//! Cleaning of extracted interpolants: equivalent, smaller, more telling.
//!
//! Bottom-up over the Boolean structure: of several bounds on one linear form a conjunction keeps the
//! tightest, two bounds that meet become an equality, a literal known at a junction is dropped from
//! the junctions below it (absorption, unit resolution), a clause that another implies is dropped
//! (`subsume`). Disjunctions are handled as negated
//! conjunctions of negations.

pub(super) mod local;
pub(super) mod subsume;

use base::{FxHashMap, FxHashSet};
use logic::{Comparison, Linear, Op, Pool, Rational, Relation, SortId, TermId};
use std::collections::BTreeMap;

/// Larger formulas are left as they are: flattening may square their size.
const LIMIT: usize = 500;

/// An equivalent formula.
pub fn clean(pool: &mut Pool, formula: TermId) -> TermId {
    if pool.dag_size(formula) > LIMIT {
        return formula;
    }
    let mut current = formula;
    // Each round may uncover more; two are nearly always enough.
    for _ in 0..2 {
        let next = round(pool, current);
        if next == current {
            break;
        }
        current = next;
    }
    if pool.op(current) == Op::And {
        let parts = pool.conjuncts(current);
        let parts = subsume::reduce(pool, &parts);
        current = pool.and(&parts);
    }
    current
}

fn round(pool: &mut Pool, formula: TermId) -> TermId {
    let mut memo: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![formula];
    while let Some(&t) = stack.last() {
        if memo.contains_key(&t) {
            stack.pop();
            continue;
        }
        if !matches!(pool.op(t), Op::And | Op::Or | Op::Not) {
            memo.insert(t, t);
            stack.pop();
            continue;
        }
        let before = stack.len();
        stack.extend(pool.args(t).iter().filter(|a| !memo.contains_key(a)));
        if stack.len() > before {
            continue;
        }
        let args: Vec<TermId> = pool.args(t).iter().map(|a| memo[a]).collect();
        let new = match pool.op(t) {
            Op::Not => pool.not(args[0]),
            Op::And => {
                let joined = pool.and(&args);
                conjunction(pool, joined)
            }
            _ => {
                let negated: Vec<TermId> = args.iter().map(|&a| negation(pool, a)).collect();
                let joined = pool.and(&negated);
                let result = conjunction(pool, joined);
                deep_negation(pool, result)
            }
        };
        memo.insert(t, new);
        stack.pop();
    }
    memo[&formula]
}

/// The negation, pushed through one junction.
fn negation(pool: &mut Pool, t: TermId) -> TermId {
    let op = pool.op(t);
    if !matches!(op, Op::And | Op::Or) {
        return pool.not(t);
    }
    let args = pool.args(t).to_vec();
    let args: Vec<TermId> = args.iter().map(|&a| pool.not(a)).collect();
    match op {
        Op::And => pool.or(&args),
        _ => pool.and(&args),
    }
}

/// The negation, pushed through two junctions: undoes [`negation`] of the parts of a junction.
fn deep_negation(pool: &mut Pool, t: TermId) -> TermId {
    let op = pool.op(t);
    if !matches!(op, Op::And | Op::Or) {
        return pool.not(t);
    }
    let args = pool.args(t).to_vec();
    let args: Vec<TermId> = args.iter().map(|&a| negation(pool, a)).collect();
    match op {
        Op::And => pool.or(&args),
        _ => pool.and(&args),
    }
}

fn conjunction(pool: &mut Pool, t: TermId) -> TermId {
    if pool.op(t) != Op::And {
        return t;
    }
    let conjuncts = pool.conjuncts(t);
    let mut known: FxHashSet<TermId> = FxHashSet::default();
    let mut bounds: BTreeMap<Vec<(TermId, Rational)>, Bounds> = BTreeMap::new();
    let (mut parts, mut compound) = (Vec::new(), Vec::new());
    for &c in &conjuncts {
        let (atom, positive) = match pool.op(c) {
            Op::Not => (pool.args(c)[0], false),
            _ => (c, true),
        };
        match pool.op(atom) {
            Op::Or | Op::And => compound.push(c),
            _ => {
                known.insert(c);
                if !add_bound(pool, &mut bounds, atom, positive) {
                    parts.push(c);
                }
            }
        }
    }
    for (form, bound) in bounds {
        bound.literals(pool, &form, &mut parts);
    }
    let refuted: FxHashSet<TermId> = known.iter().map(|&k| pool.not(k)).collect();
    for c in compound {
        parts.push(reduce(pool, c, &known, &refuted));
    }
    pool.and(&parts)
}

/// A disjunct that is known makes the disjunction true, one that is known false goes.
fn reduce(
    pool: &mut Pool,
    c: TermId,
    known: &FxHashSet<TermId>,
    refuted: &FxHashSet<TermId>,
) -> TermId {
    let decided = |t: &TermId| known.contains(t) || refuted.contains(t);
    let concerns =
        |d: &TermId| decided(d) || pool.op(*d) == Op::And && pool.args(*d).iter().any(decided);
    if pool.op(c) != Op::Or || !pool.args(c).iter().any(concerns) {
        return c;
    }
    let mut kept = Vec::new();
    for d in pool.args(c).to_vec() {
        if known.contains(&d) {
            return pool.tt();
        }
        let mut parts = match pool.op(d) {
            Op::And => pool.args(d).to_vec(),
            _ => vec![d],
        };
        if !parts.iter().any(|p| refuted.contains(p)) {
            parts.retain(|p| !known.contains(p));
            kept.push(pool.and(&parts));
        }
    }
    pool.or(&kept)
}

/// What a conjunction says about one linear form (leading coefficient 1, no constant).
struct Bounds {
    sort: SortId,
    /// Value, and whether it is excluded.
    lower: Option<(Rational, bool)>,
    upper: Option<(Rational, bool)>,
    excluded: Vec<Rational>,
    contradiction: bool,
}

/// Records an arithmetic literal; `false` when it is none.
fn add_bound(
    pool: &Pool,
    bounds: &mut BTreeMap<Vec<(TermId, Rational)>, Bounds>,
    atom: TermId,
    positive: bool,
) -> bool {
    let Some(f) = Comparison::of(pool, atom, positive) else {
        return false;
    };
    let Some((_, c)) = f.linear.terms.first().cloned() else {
        return false;
    };
    let mut l = f.linear;
    l.scale(&c.recip());
    let value = -&l.constant;
    let entry = bounds.entry(l.terms).or_insert(Bounds {
        sort: f.sort,
        lower: None,
        upper: None,
        excluded: Vec::new(),
        contradiction: false,
    });
    let strict = f.relation == Relation::Lt;
    let raise = |b: &mut Bounds| match &b.lower {
        Some((v, s)) if *v > value || *v == value && *s => {}
        _ => b.lower = Some((value.clone(), strict)),
    };
    let lower = |b: &mut Bounds| match &b.upper {
        Some((v, s)) if *v < value || *v == value && *s => {}
        _ => b.upper = Some((value.clone(), strict)),
    };
    match f.relation {
        Relation::Ne => entry.excluded.push(value.clone()),
        Relation::Eq => {
            raise(entry);
            lower(entry);
        }
        _ if c.is_positive() => lower(entry),
        _ => raise(entry),
    }
    if let (Some((l, ls)), Some((u, us))) = (&entry.lower, &entry.upper) {
        entry.contradiction |= l > u || l == u && (*ls || *us);
    }
    true
}

impl Bounds {
    fn literals(mut self, pool: &mut Pool, form: &[(TermId, Rational)], out: &mut Vec<TermId>) {
        let at = |value: &Rational| Linear {
            terms: form.to_vec(),
            constant: -value,
        };
        let step = self.sort == pool.int_sort() && form.iter().all(|(_, c)| c.is_integer());
        self.excluded.sort();
        self.excluded.dedup();
        if step {
            // x >= v and x != v: the next integer. Ascending order visits each once.
            for v in self.excluded.clone() {
                if let Some((l, false)) = &mut self.lower
                    && *l == v
                {
                    *l += &Rational::ONE;
                }
            }
            for v in self.excluded.iter().rev() {
                if let Some((u, false)) = &mut self.upper
                    && u == v
                {
                    *u -= &Rational::ONE;
                }
            }
        }
        let empty = matches!((&self.lower, &self.upper), (Some(l), Some(u)) if l.0 > u.0);
        if self.contradiction || empty {
            out.push(pool.ff());
            return;
        }
        let inside = |v: &Rational| {
            self.lower.as_ref().is_none_or(|(l, _)| v >= l)
                && self.upper.as_ref().is_none_or(|(u, _)| v <= u)
        };
        for v in self.excluded.iter().filter(|v| inside(v)) {
            let e = pool.eq_zero(at(v), self.sort);
            out.push(pool.not(e));
        }
        if let (Some((l, _)), Some((u, _))) = (&self.lower, &self.upper)
            && l == u
        {
            let e = pool.eq_zero(at(l), self.sort);
            out.push(e);
            return;
        }
        if let Some((u, strict)) = &self.upper {
            out.push(inequality(pool, at(u), *strict, self.sort));
        }
        if let Some((l, strict)) = &self.lower {
            let mut linear = at(l);
            linear.scale(&Rational::MINUS_ONE);
            out.push(inequality(pool, linear, *strict, self.sort));
        }
    }
}

/// `linear <= 0` or `linear < 0`.
pub(crate) fn inequality(
    pool: &mut Pool,
    mut linear: Linear,
    strict: bool,
    sort: SortId,
) -> TermId {
    if strict {
        linear.scale(&Rational::MINUS_ONE);
        let le = pool.le_zero(linear, sort);
        return pool.not(le);
    }
    pool.le_zero(linear, sort)
}
