//! Forgetting variables: a program without some of its arrays that has at least the executions of
//! the one with them.
//!
//! Idea. Most of what a driver does to memory does not matter to the order of its calls. What is
//! assigned to a forgotten variable is dropped; what is read from one is any value; an assumption
//! keeps what it says of the others.
//!
//! Sound because each statement allows at least the steps it allowed before, seen on the variables
//! that are left. So an invariant of the result, which speaks of those alone, is one of the original;
//! an error path of the result need not be one of the original.

use super::Transformed;
use super::back_translation::{Leg, Place};
use crate::analysis::reads::VarsOf;
use crate::{Edge, EdgeId, InputKind, Location, Program, Stmt, VarId};
use base::{FxHashMap, FxHashSet};
use logic::{Op, Pool, TermId};

/// The program, which has no calls, without the variables of `forgotten`. Locations, edges and
/// variables keep their ids; where a statement has to become two, a location and an edge are added.
pub fn abstract_variables(
    pool: &mut Pool,
    program: &Program,
    forgotten: &FxHashSet<VarId>,
) -> Transformed {
    let mut vars_of = VarsOf::new(program);
    let mut out = program.clone();
    let mut leg = Leg::of(program);
    for id in program.edges.ids() {
        let edge = &program.edges[id];
        let stmt = match &edge.stmt {
            Stmt::Skip => Stmt::Skip,
            Stmt::Assume(c) => match weaker(pool, &mut vars_of, forgotten, *c) {
                c if c == pool.tt() => Stmt::Skip,
                c => Stmt::Assume(c),
            },
            Stmt::Havoc(vars, kind) => {
                let left = vars.iter().filter(|v| !forgotten.contains(v));
                havoc(left.copied().collect(), kind.clone())
            }
            Stmt::Assign(pairs) => {
                let mut kept = Vec::new();
                let mut any = Vec::new();
                for &(v, e) in pairs.iter().filter(|(v, _)| !forgotten.contains(v)) {
                    match vars_of.of(pool, e).iter().any(|r| forgotten.contains(r)) {
                        true => any.push(v),
                        false => kept.push((v, e)),
                    }
                }
                match (kept.is_empty(), any.is_empty()) {
                    (true, _) => havoc(any, InputKind::Approximation),
                    (false, true) => Stmt::Assign(kept),
                    (false, false) => {
                        // What is kept reads the values from before, so it comes first.
                        let then = Stmt::Havoc(any, InputKind::Approximation);
                        follow(&mut out, &mut leg, id, then);
                        Stmt::Assign(kept)
                    }
                }
            }
            Stmt::Call { .. } => panic!("calls were inlined"),
        };
        out.edges[id].stmt = stmt;
    }
    Transformed::new(out, leg)
}

fn havoc(vars: Vec<VarId>, kind: InputKind) -> Stmt {
    match vars.is_empty() {
        true => Stmt::Skip,
        false => Stmt::Havoc(vars, kind),
    }
}

/// Puts a statement behind that of an edge, with a location between them.
fn follow(out: &mut Program, leg: &mut Leg, id: EdgeId, stmt: Stmt) {
    let edge = out.edges[id].clone();
    let source = &out.locations[edge.from];
    let middle = out.locations.push(Location {
        func: source.func,
        span: source.span,
        error: None,
        loop_head: None,
    });
    leg.set_location(middle, Place::Within(edge.from));
    out.edges[id].to = middle;
    out.edges.push(Edge {
        from: middle,
        stmt,
        ..edge
    });
    leg.add_edge(None);
}

/// What `formula` says without its atoms that read a forgotten variable: implied by it.
fn weaker(
    pool: &mut Pool,
    vars_of: &mut VarsOf,
    forgotten: &FxHashSet<VarId>,
    formula: TermId,
) -> TermId {
    let mut reads = |pool: &Pool, t| vars_of.of(pool, t).iter().any(|v| forgotten.contains(v));
    if !reads(pool, formula) {
        return formula;
    }
    // For each subformula, one that it implies and one that implies it.
    let mut bounds: FxHashMap<TermId, (TermId, TermId)> = FxHashMap::default();
    for t in pool.post_order(&[formula]) {
        if pool.sort_of(t) != pool.bool_sort() {
            continue;
        }
        let args = pool.args(t).to_vec();
        let pair = match pool.op(t) {
            Op::Not => {
                let (weak, strong) = bounds[&args[0]];
                (pool.not(strong), pool.not(weak))
            }
            op @ (Op::And | Op::Or) => {
                let conjunction = op == Op::And;
                let weak: Vec<TermId> = args.iter().map(|a| bounds[a].0).collect();
                let strong: Vec<TermId> = args.iter().map(|a| bounds[a].1).collect();
                match conjunction {
                    true => (pool.and(&weak), pool.and(&strong)),
                    false => (pool.or(&weak), pool.or(&strong)),
                }
            }
            _ if reads(pool, t) => (pool.tt(), pool.ff()),
            _ => (t, t),
        };
        bounds.insert(t, pair);
    }
    bounds[&formula].0
}
