//! Candidate invariants read off the program text: what Houdini gets before any refinement.
//!
//! Idea: on `i = 0; while (i < n) i++` the guard `i < n` is no invariant of the loop head, but its
//! weakening `i <= n` is, and `i >= 0` comes from the initial value. So for each loop head take the
//! atoms of the blocks around it that speak only of the state, with their bounds shifted by one, and
//! bounds by the constants that variables are set to.

use crate::core::path::transition;
use crate::guess::affine::Region;
use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::limits::GuessLimits;
use base::{FxHashMap, FxHashSet, Stop};
use logic::{Bound, Comparison, Op, Pool, Rational, Side, TermId};
use program::{BlockGraph, Program, Transition};
use program::{BlockId, LocId, VarId, primed};
use std::collections::BTreeSet;

/// Candidates for every loop head.
pub struct Text;

impl Generator for Text {
    fn name(&self) -> &'static str {
        "candidates: text"
    }

    fn stage(&self) -> Stage {
        Stage::Text
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let Region { program, graph, .. } = *scene.region;
        let heads = scene.region.heads.iter();
        let at = |&head: &LocId| {
            let facts = at_head(scene.pool, program, graph, head, scene.limits);
            (head, facts)
        };
        Ok(heads.map(at).collect())
    }
}

/// Candidates for one loop head, from the blocks that meet there.
pub fn at_head(
    pool: &mut Pool,
    program: &Program,
    graph: &BlockGraph,
    head: LocId,
    limits: &GuessLimits,
) -> Vec<TermId> {
    let blocks: Vec<BlockId> = graph
        .blocks
        .iter_enumerated()
        .filter(|(_, b)| b.from == head || b.to == head)
        .map(|(id, _)| id)
        .collect();
    let mut out = Collector {
        facts: Vec::new(),
        seen: FxHashSet::default(),
    };
    let mut ints: BTreeSet<VarId> = BTreeSet::new();
    for &id in &blocks {
        let t = transition(graph, id);
        let into = graph.blocks[id].to == head;
        for &v in &t.modified {
            if program.vars[v].sort == pool.int_sort() {
                ints.insert(v);
            }
        }
        // State constants of the head's side of the block, by the variable they stand for.
        let mut state: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &v in &t.reads {
            let term = program.vars[v].term;
            if !into || !t.modified.contains(&v) {
                state.insert(term, term);
            }
        }
        if into {
            for &v in &t.modified {
                state.insert(primed(pool, program, v), program.vars[v].term);
            }
        }
        for atom in atoms_over(pool, t.formula, &state, &kept_arrays(program, t)) {
            if !is_range(pool, program, atom) {
                out.around(pool, atom);
            }
        }
    }
    bounds_of_variables(pool, program, &ints, &mut out, limits.text_paired);
    out.facts.truncate(limits.text_facts);
    out.facts
}

/// The comparisons inside a loop that speak of what it changes, as they are at its head: the
/// branches that may go another way in a later iteration.
pub fn branch_conditions(
    pool: &mut Pool,
    program: &Program,
    graph: &BlockGraph,
    head: LocId,
) -> Vec<TermId> {
    let mut out = Vec::new();
    for &id in &graph.out[head] {
        let t = transition(graph, id);
        let of_state = |v: &VarId| (program.vars[*v].term, program.vars[*v].term);
        let state: FxHashMap<TermId, TermId> = t.reads.iter().map(of_state).collect();
        let changed: Vec<TermId> = t.modified.iter().map(|&v| program.vars[v].term).collect();
        for atom in atoms_over(pool, t.formula, &state, &FxHashSet::default()) {
            let speaks = pool.post_order(&[atom]).iter().any(|t| changed.contains(t));
            let branch = pool.op(atom) == Op::Le && speaks;
            if branch && !at_range_end(pool, program, atom) && !out.contains(&atom) {
                out.push(atom);
            }
        }
    }
    out
}

/// `x = c` for the variables that come to the head with a constant and that its loop changes.
pub fn starts(pool: &mut Pool, program: &Program, graph: &BlockGraph, head: LocId) -> Vec<TermId> {
    let mut changed: BTreeSet<VarId> = BTreeSet::new();
    for &id in &graph.out[head] {
        changed.extend(transition(graph, id).modified.iter().copied());
    }
    let entering = graph.blocks.iter_enumerated();
    let entering = entering.filter(|(_, b)| b.to == head && b.from != head);
    let mut out = Vec::new();
    for (id, _) in entering {
        let t = transition(graph, id);
        let moved = t.modified.iter().filter(|v| changed.contains(v));
        let state: FxHashMap<TermId, TermId> = moved
            .map(|&v| (primed(pool, program, v), program.vars[v].term))
            .collect();
        for atom in atoms_over(pool, t.formula, &state, &FxHashSet::default()) {
            let constant = pool.op(atom) == Op::Eq
                && pool.args(atom).iter().any(|&a| pool.as_number(a).is_some())
                && pool.symbols_of(&[atom]).len() == 1;
            if constant && !out.contains(&atom) {
                out.push(atom);
            }
        }
    }
    out
}

/// Sign of every variable, and order of pairs when they are few.
fn bounds_of_variables(
    pool: &mut Pool,
    program: &Program,
    ints: &BTreeSet<VarId>,
    out: &mut Collector,
    most_paired: usize,
) {
    let zero = pool.int(0);
    let terms: Vec<TermId> = ints.iter().map(|&v| program.vars[v].term).collect();
    for &t in &terms {
        let facts = [pool.le(zero, t), pool.le(t, zero)];
        facts.into_iter().for_each(|f| out.add(pool, f));
    }
    if terms.len() <= most_paired {
        for &a in &terms {
            for &b in &terms {
                if a != b {
                    let le = pool.le(a, b);
                    out.add(pool, le);
                }
            }
        }
    }
}

/// Arrays that the block reads and leaves as they are, such as the sizes of objects in a loop that allocates none.
fn kept_arrays(program: &Program, t: &Transition) -> FxHashSet<TermId> {
    let kept = t.reads.iter().filter(|v| !t.modified.contains(v));
    kept.map(|&v| program.vars[v].term).collect()
}

/// The arithmetic and Boolean atoms of a formula all of whose constants are state constants, with
/// these renamed to variables. Reads of the arrays `kept` may stand in inequalities: a pointer is inside its object.
fn atoms_over(
    pool: &mut Pool,
    formula: TermId,
    state: &FxHashMap<TermId, TermId>,
    kept: &FxHashSet<TermId>,
) -> Vec<TermId> {
    let order = pool.post_order(&[formula]);
    let mut pure: FxHashMap<TermId, bool> = FxHashMap::default();
    let mut reads: FxHashSet<TermId> = FxHashSet::default();
    let mut atoms = Vec::new();
    for t in order {
        let args = pool.args(t);
        let is_pure = match pool.op(t) {
            Op::App(_) if args.is_empty() => state.contains_key(&t),
            Op::Select => kept.contains(&args[0]) && pure[&args[1]],
            // Other arrays and case distinctions make poor invariants.
            Op::Store | Op::ConstArray | Op::Ite => false,
            _ => args.iter().all(|a| pure[a]),
        };
        pure.insert(t, is_pure);
        if pool.op(t) == Op::Select || args.iter().any(|a| reads.contains(a)) {
            reads.insert(t);
        }
        let bool_sorted = pool.sort_of(t) == pool.bool_sort();
        let is_atom = match pool.op(t) {
            Op::Le => true,
            _ if reads.contains(&t) => false,
            Op::Eq => pool.sort_of(pool.args(t)[0]) != pool.bool_sort(),
            Op::App(_) => bool_sorted,
            _ => false,
        };
        if is_pure && is_atom {
            atoms.push(t);
        }
    }
    let pairs: Vec<(TermId, TermId)> = state
        .iter()
        .filter(|(a, b)| a != b)
        .map(|(&a, &b)| (a, b))
        .collect();
    let mut map = logic::Substitution::new(pairs);
    atoms.into_iter().map(|a| map.apply(pool, a)).collect()
}

/// Is the atom the end of a variable's own range?
fn is_range(pool: &Pool, program: &Program, atom: TermId) -> bool {
    ends_range(pool, program, atom, &Rational::ZERO)
}

/// The same or one short of it: whether one can still be added.
fn at_range_end(pool: &Pool, program: &Program, atom: TermId) -> bool {
    ends_range(pool, program, atom, &Rational::ONE)
}

fn ends_range(pool: &Pool, program: &Program, atom: TermId, slack: &Rational) -> bool {
    let Some(bound) = Bound::of_integers(pool, atom).filter(|b| b.side == Side::AtMost) else {
        return false;
    };
    let [(x, factor)] = &bound.form[..] else {
        return false;
    };
    let var = program
        .vars
        .iter()
        .find(|v| v.term == *x && factor.is_one());
    let Some((low, high)) = var.and_then(|v| v.range.as_ref()) else {
        return false;
    };
    // `x <= low - 1` is how `not (low <= x)` reads.
    bound.limit >= high - slack || bound.limit < low + slack
}

struct Collector {
    facts: Vec<TermId>,
    seen: FxHashSet<TermId>,
}

impl Collector {
    fn add(&mut self, pool: &Pool, fact: TermId) {
        if fact != pool.tt() && fact != pool.ff() && self.seen.insert(fact) {
            self.facts.push(fact);
        }
    }

    fn around(&mut self, pool: &mut Pool, atom: TermId) {
        for fact in neighbours(pool, atom) {
            self.add(pool, fact);
        }
    }
}

/// The atom, its negation, and, over integers, the bounds beside it.
pub fn neighbours(pool: &mut Pool, atom: TermId) -> Vec<TermId> {
    let mut out = vec![atom, pool.not(atom)];
    let Some(Comparison { linear, .. }) = Comparison::of_integers(pool, atom) else {
        return out;
    };
    // lin <= 0, lin <= 1, lin >= 0, lin >= 1
    for (sign, shift) in [(1, 0), (1, -1), (-1, 0), (-1, 1)] {
        let mut l = linear.clone();
        l.scale(&Rational::from(sign));
        l.constant += &Rational::from(shift);
        out.push(pool.le_zero(l, pool.int_sort()));
    }
    out
}
