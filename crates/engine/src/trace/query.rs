//! Queries: which inputs and outputs of a call would make a trace feasible.
//!
//! A model of the trace gives one point, before/after values of the call. Asking the callee about
//! points diverges, so the point is widened first: the literals of the trace's formula that the
//! model makes true and that suffice for it (an *implicant*) are projected onto the call's inputs
//! and outputs. On `assume m >= 1; n = inc(1, m); assume n < 0` the point p=1, q=7, r=-3 becomes
//! p = 1, q >= 1, r < 0.
//!
//! Nothing rests on the projection being exact: too wide a query is answered by an execution that
//! does not fit, and the point itself is asked then.

use crate::limits::TraceLimits;
use base::{Budget, FxHashMap, FxHashSet};
use logic::{Memo, Model, Op, Pool, SymbolId, TermId};
use smt::project::eliminate;

/// The part of the implicant of `formulas` in `model` that speaks of the constants `keep`, with
/// everything else projected away; `None` if that is too hard.
pub fn widen(
    pool: &mut Pool,
    model: &Model,
    formulas: &[TermId],
    keep: &[TermId],
    limits: &TraceLimits,
    budget: &Budget,
) -> Option<TermId> {
    let kept: FxHashSet<SymbolId> = keep.iter().filter_map(|&t| pool.as_constant(t)).collect();
    let literals = implicant(pool, model, formulas);
    let literals = connected(pool, literals, &kept);
    if literals.len() > limits.projected_literals {
        return None;
    }
    let mut symbols = pool.symbols_of(&literals);
    symbols.retain(|s| !kept.contains(s) && pool.symbol_data(*s).args.is_empty());
    let cube = pool.and(&literals);
    let slice = limits.projection_work.of(budget);
    let projection = eliminate(pool, cube, &symbols, &slice)?;
    // The point itself must be in it, else nothing is gained.
    Memo::new()
        .holds(pool, model, projection.formula)
        .then_some(projection.formula)
}

/// Literals that the model makes true and that imply the formulas.
fn implicant(pool: &mut Pool, model: &Model, formulas: &[TermId]) -> Vec<TermId> {
    let mut literals: Vec<(TermId, bool)> = Vec::new();
    let mut seen: FxHashSet<(TermId, bool)> = FxHashSet::default();
    {
        let mut memo = Memo::new();
        let pool = &*pool;
        let mut value = |t: TermId| memo.holds(pool, model, t);
        let mut work: Vec<(TermId, bool)> = formulas.iter().rev().map(|&f| (f, true)).collect();
        while let Some((t, holds)) = work.pop() {
            if !seen.insert((t, holds)) {
                continue;
            }
            let args = pool.args(t);
            match pool.op(t) {
                Op::Not => work.push((args[0], !holds)),
                Op::And if holds => work.extend(args.iter().rev().map(|&a| (a, true))),
                Op::Or if !holds => work.extend(args.iter().rev().map(|&a| (a, false))),
                Op::And | Op::Or => {
                    // One suffices; one that is needed anyway costs nothing.
                    let fits = |a: &&TermId| seen.contains(&(**a, holds));
                    let chosen = match args.iter().find(fits) {
                        Some(_) => continue,
                        None => args.iter().find(|&&a| value(a) == holds),
                    };
                    match chosen {
                        Some(&a) => work.push((a, holds)),
                        // The model does not fit (operators it leaves open): keep the whole.
                        None => literals.push((t, holds)),
                    }
                }
                Op::Ite => {
                    let condition = value(args[0]);
                    work.push((args[if condition { 1 } else { 2 }], holds));
                    work.push((args[0], condition));
                }
                Op::Eq if pool.sort_of(args[0]) == pool.bool_sort() => {
                    let left = value(args[0]);
                    work.push((args[1], left == holds));
                    work.push((args[0], left));
                }
                _ => literals.push((t, holds)),
            }
        }
    }
    literals
        .into_iter()
        .map(|(t, holds)| if holds { t } else { pool.not(t) })
        .collect()
}

/// The literals that share a symbol with the kept ones, through others or not.
fn connected(pool: &Pool, literals: Vec<TermId>, kept: &FxHashSet<SymbolId>) -> Vec<TermId> {
    let symbols: Vec<Vec<SymbolId>> = literals.iter().map(|&l| pool.symbols_of(&[l])).collect();
    let mut by_symbol: FxHashMap<SymbolId, Vec<usize>> = FxHashMap::default();
    for (i, list) in symbols.iter().enumerate() {
        for &s in list {
            by_symbol.entry(s).or_default().push(i);
        }
    }
    let mut work: Vec<SymbolId> = by_symbol
        .keys()
        .copied()
        .filter(|s| kept.contains(s))
        .collect();
    let mut reached: FxHashSet<SymbolId> = work.iter().copied().collect();
    let mut wanted = vec![false; literals.len()];
    while let Some(s) = work.pop() {
        for &i in by_symbol.get(&s).into_iter().flatten() {
            wanted[i] = true;
            for &other in &symbols[i] {
                if reached.insert(other) {
                    work.push(other);
                }
            }
        }
    }
    let pairs = literals.into_iter().zip(wanted);
    pairs.filter(|(_, w)| *w).map(|(l, _)| l).collect()
}
