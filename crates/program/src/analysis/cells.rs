//! Where a program cuts the values of its variables: numbers that a variable is compared with or set to.
//!
//! ```text
//!   if (x < 10) mode = 2; else if (x == 20) mode = 3;      x: ..9 | 10..19 | 20 | 21..   mode: ..1 | 2 | 3 | 4..
//! ```
//! Between two cuts, in a *cell*, the program does not tell values apart by such a comparison. A variable that is
//! copied to another is cut as that one is.

use crate::{Program, Stmt, VarId};
use base::{FxHashMap, IndexVec};
use logic::{Bound, Op, Pool, Rational, Side, TermId};
use std::collections::BTreeSet;

/// The first values of the cells of each variable but the lowest cell, sorted.
///
/// `most` cells of a variable, else it has none; `rounds` in which copies of variables are cut alike.
pub fn cells(
    pool: &Pool,
    program: &Program,
    most: usize,
    rounds: usize,
) -> IndexVec<VarId, Vec<i128>> {
    let var_of: FxHashMap<TermId, VarId> = program
        .vars
        .iter_enumerated()
        .map(|(id, v)| (v.term, id))
        .collect();
    let mut compared: IndexVec<VarId, BTreeSet<i128>> =
        IndexVec::filled(BTreeSet::new(), program.vars.len());
    let mut copies: BTreeSet<(VarId, VarId)> = BTreeSet::new();
    let mut terms = Vec::new();
    let mut conditions = Vec::new();
    let mut set = |var: VarId, value: TermId| {
        terms.push(value);
        if let Some(other) = var_of.get(&value) {
            copies.insert((var, *other));
        } else if let Some(n) = pool.as_number(value).and_then(Rational::to_i64) {
            compared[var].extend([n.into(), i128::from(n) + 1]);
        }
    };
    for edge in program.edges.iter() {
        match &edge.stmt {
            Stmt::Assume(c) => conditions.push(*c),
            Stmt::Assign(pairs) => {
                for (var, value) in pairs {
                    set(*var, *value);
                }
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let callee = &program.functions[*callee];
                for (param, arg) in callee.params.iter().zip(args) {
                    set(*param, *arg);
                }
                for (result, returned) in results.iter().zip(&callee.returns) {
                    set(*result, program.vars[*returned].term);
                }
            }
            Stmt::Skip | Stmt::Havoc(..) => {}
        }
    }
    terms.extend(conditions);
    for t in pool.post_order(&terms) {
        if let Some(&var) = var_of.get(&t)
            && pool.sort_of(t) == pool.bool_sort()
        {
            compared[var].insert(1);
        }
        if !matches!(pool.op(t), Op::Eq | Op::Le) {
            continue;
        }
        let Some(bound) = Bound::of_integers(pool, t) else {
            continue;
        };
        let [(term, coefficient)] = bound.form.as_slice() else {
            continue;
        };
        let (Some(&var), true) = (var_of.get(term), coefficient.is_one()) else {
            continue;
        };
        let Some(limit) = bound.limit.to_i64().map(i128::from) else {
            continue;
        };
        match bound.side {
            Side::AtMost => compared[var].extend([limit + 1]),
            Side::AtLeast => compared[var].extend([limit]),
            Side::Is | Side::IsNot => compared[var].extend([limit, limit + 1]),
        }
    }
    // Copies are cut alike.
    let mut changed = true;
    let mut round = 0;
    while changed && round < rounds {
        changed = false;
        round += 1;
        for &(a, b) in &copies {
            for (to, from) in [(a, b), (b, a)] {
                let more: Vec<i128> = compared[from].difference(&compared[to]).copied().collect();
                changed |= !more.is_empty();
                compared[to].extend(more);
            }
        }
    }
    let kept = |set: &BTreeSet<i128>| match set.len() > most {
        true => Vec::new(),
        false => set.iter().copied().collect(),
    };
    IndexVec::from(compared.iter().map(kept).collect::<Vec<_>>())
}
