//! Which terms locations are split by: values of finite variables and atoms over inputs.

use super::Known;
use crate::analysis::reads::VarsOf;
use crate::{LocId, Program, Stmt, VarId};
use base::FxHashSet;
use logic::{Op, Pool, TermId};
use std::collections::BTreeMap;

/// Assumptions that must ask for an atom over inputs to make it worth tracking: one branch is two.
const ASKED: usize = 3;

/// The terms worth tracking, variables first, the most read first. A variable comes with those that
/// it may be a copy of: its value is known only as long as theirs are.
pub(crate) fn tracked(
    pool: &Pool,
    program: &Program,
    heads: &[LocId],
    known: &mut Known,
) -> Vec<Vec<TermId>> {
    let Known { vars_of, live, .. } = known;
    let Finite { vars, sources } = finite(pool, program, vars_of);
    let finite: FxHashSet<VarId> = vars.into_iter().collect();
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
    let is_var = |t: TermId| vars_of.var(t).is_some();
    out.sort_by_key(|&(count, t)| (!is_var(t), std::cmp::Reverse(count), t));
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut groups = Vec::new();
    for (_, t) in out {
        let mut group = Vec::new();
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            if !seen.insert(t) {
                continue;
            }
            group.push(t);
            let from = vars_of.var(t).and_then(|v| sources.get(&v));
            for v in from.into_iter().flatten().filter(|v| finite.contains(v)) {
                work.push(program.vars[*v].term);
            }
        }
        if !group.is_empty() {
            groups.push(group);
        }
    }
    groups
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

struct Finite {
    /// The finite variables to which some constant may come.
    vars: Vec<VarId>,
    /// The variables that each may be a copy of.
    sources: BTreeMap<VarId, Vec<VarId>>,
}

/// Arithmetic that gives a number for numbers.
fn computable(pool: &Pool, t: TermId) -> bool {
    let inner = pool.post_order(&[t]).into_iter();
    inner.filter(|&t| !pool.args(t).is_empty()).all(|t| {
        !matches!(
            pool.op(t),
            Op::App(_) | Op::Select | Op::Store | Op::ConstArray
        )
    })
}

/// Is `to` among what `from` may be a copy of or computed from?
fn reaches(sources: &BTreeMap<VarId, Vec<VarId>>, from: VarId, to: VarId) -> bool {
    let mut seen: FxHashSet<VarId> = FxHashSet::default();
    let mut work = vec![from];
    while let Some(v) = work.pop() {
        if v == to {
            return true;
        }
        if seen.insert(v) {
            work.extend(sources.get(&v).into_iter().flatten());
        }
    }
    false
}

fn finite(pool: &Pool, program: &Program, vars_of: &mut VarsOf) -> Finite {
    let scalar = |v: VarId| {
        let sort = program.vars[v].sort;
        sort == pool.int_sort() || sort == pool.bool_sort()
    };
    let mut sources: BTreeMap<VarId, Vec<VarId>> = BTreeMap::new();
    let mut constant: FxHashSet<VarId> = FxHashSet::default();
    let mut other: FxHashSet<VarId> = FxHashSet::default();
    let mut computed: Vec<(VarId, VarId)> = Vec::new();
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
                        // Known where what it is computed from is known.
                        None if computable(pool, t) => {
                            for &source in vars_of.of(pool, t).iter() {
                                sources.entry(v).or_default().push(source);
                                computed.push((v, source));
                            }
                        }
                        None => {
                            other.insert(v);
                        }
                    },
                }
            }
        }
    }
    // A variable computed from itself may have any number of values.
    for (v, source) in computed {
        if reaches(&sources, source, v) {
            other.insert(v);
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
    let vars = ids
        .filter(|v| scalar(*v) && constant.contains(v) && !other.contains(v))
        .collect();
    Finite { vars, sources }
}
