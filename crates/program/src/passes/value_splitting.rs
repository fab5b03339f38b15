//! Splitting locations by the values of control variables: a state machine `while (1) switch (s)`
//! becomes one loop head per value of `s`.
//!
//! Idea, on `s = 1; while (*) { if (s == 1) s = 2; else if (s == 2) s = 1; else error; }`: the
//! variable `s` only ever gets constants, so at the head it has one of finitely many values. With a
//! copy of each location per value, `s == 1` is decided in every copy; here the error has none left.
//! This is what explicit-value analysis does for event loops and protocols, as a pass: what is not
//! decided stays symbolic in the copies.
//!
//! A variable is *finite* if everything assigned to it is a constant, another finite variable, computed
//! from finite variables but not from itself, a choice between such, or any value (then its copies say
//! nothing of it). An *input* is never
//! assigned, only chosen; what a program finds out about it stays so. Tracked are the values of finite
//! variables and the truth of atoms over inputs that several assumptions ask for, where they are live
//! at a loop head ([`tracked`]).
//!
//! By all of them at once if that is not too much, else by those that are read most (the state of a
//! state machine, with the variables that it is a copy of). Copies that behave alike are then one again
//! ([`quotient`]).
//!
//! Invariant: each copy's `known` holds whenever it is reached, and each edge of the original is,
//! from each reached copy, an edge to one copy, is impossible, or leads to where no error follows.

mod copies;
mod quotient;
mod tracked;

use super::back_translation::{Fact, Leg, Piece, Place};
use super::{Transformed, WayBack, slice};
use crate::analysis::liveness::{Liveness, liveness};
use crate::analysis::modref::modref;
use crate::analysis::reads::VarsOf;
use crate::analysis::shape::{Shape, shape};
use crate::{Edge, EdgeId, LocId, Program, Stmt};
use base::{FxHashMap, FxHashSet, Id, IndexVec};
use copies::{NewEdge, Split};
use logic::{Pool, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// How large the result may be.
#[derive(Clone, Copy, Debug)]
pub struct SplitLimits {
    /// Copies of locations made in one round.
    pub copies: usize,
    /// Copies of loop heads that lead to errors.
    pub heads: usize,
    /// Copies of locations that lead to errors: paths that do not meet any more cost later.
    /// A larger program may grow by a quarter.
    pub size: usize,
    /// Copies of locations made in all rounds.
    pub effort: usize,
}

impl Default for SplitLimits {
    fn default() -> Self {
        SplitLimits {
            copies: 20_000,
            heads: 128,
            size: 4_000,
            effort: 100_000,
        }
    }
}

/// A program split by values, and sliced.
pub struct SplitProgram {
    pub program: Program,
    pub back: WayBack,
    /// The copies of the original loop heads.
    pub heads: Vec<LocId>,
}

/// The program with locations split by values; `None` if there is nothing to split by. Programs
/// with calls are left alone.
pub fn split_values(
    pool: &mut Pool,
    program: &Program,
    limits: SplitLimits,
) -> Option<SplitProgram> {
    let calls = program
        .edges
        .iter()
        .any(|e| matches!(e.stmt, Stmt::Call { .. }));
    if calls {
        return None;
    }
    let main = &program.functions[program.entry];
    let Shape {
        loop_heads: heads,
        order,
        ..
    } = shape(program, &program.successors(), main.entry);
    if heads.is_empty() {
        return None;
    }
    let own = order.len();
    let limits = SplitLimits {
        size: limits.size.max(own + own / 4),
        ..limits
    };
    let mut known = Known::of(pool, program);
    let groups = tracked::tracked(pool, program, &heads, &mut known);
    // Values that go together leave fewer copies than each of them alone: by all at once if that is
    // not too much, else by those that are read most.
    let mut take = groups.len();
    let mut allowed = SplitLimits {
        size: 4 * limits.size,
        ..limits
    };
    let mut effort = limits.effort;
    while take > 0 && effort > 0 {
        let terms = groups[..take].concat();
        match round(
            pool,
            program,
            &mut known,
            &heads,
            &terms,
            allowed,
            &mut effort,
        ) {
            Round::TooMany => {
                allowed = limits;
                take = take * 2 / 3;
            }
            Round::Nothing => return None,
            Round::Split(split, heads) => {
                let Transformed { program, back } = split.then(|p| slice(pool, p));
                return Some(SplitProgram {
                    program,
                    back,
                    heads,
                });
            }
        }
    }
    None
}

enum Round {
    /// With the copies of the loop heads.
    Split(Box<Transformed>, Vec<LocId>),
    TooMany,
    /// No copy knows anything.
    Nothing,
}

/// What the attempts share.
struct Known {
    successors: IndexVec<LocId, Vec<EdgeId>>,
    vars_of: VarsOf,
    live: Liveness,
}

impl Known {
    fn of(pool: &Pool, program: &Program) -> Self {
        let successors = program.successors();
        let mut vars_of = VarsOf::new(program);
        let live = liveness(
            pool,
            program,
            program.entry,
            &shape(program, &successors, program.functions[program.entry].entry),
            &successors,
            &mut vars_of,
            &modref(pool, program),
        );
        Known {
            successors,
            vars_of,
            live,
        }
    }
}

/// Splits by these terms. `heads`: locations that every cycle has one of.
fn round(
    pool: &mut Pool,
    program: &Program,
    known: &mut Known,
    heads: &[LocId],
    terms: &[TermId],
    limits: SplitLimits,
    effort: &mut usize,
) -> Round {
    let Known {
        successors,
        vars_of,
        live,
    } = known;
    let mut split = Split::new(program, successors, live, terms, vars_of);
    let complete = split.run(pool, limits.copies.min(*effort));
    *effort = effort.saturating_sub(split.origin.len());
    if !complete {
        return Round::TooMany;
    }
    let heads: FxHashSet<LocId> = heads.iter().copied().collect();
    let knowing = |(loc, env): &(LocId, copies::Env)| heads.contains(loc) && !env.is_empty();
    if !split.origin.iter().any(knowing) {
        return Round::Nothing;
    }
    let useful = split.useful();
    let mut edges: Vec<Vec<&NewEdge>> = vec![Vec::new(); split.origin.len()];
    // Sound because no error follows where an edge is left out: what the copy behind it knows is
    // all a proof needs.
    for edge in split.edges.iter().filter(|e| useful[e.to]) {
        edges[edge.from].push(edge);
    }
    let kinds: Vec<usize> = split.origin.iter().map(|(loc, _)| loc.index()).collect();
    let class = quotient::classes(&kinds, &edges);
    // Classes of copies that lead to errors, and whether they are loop heads.
    let leading: FxHashMap<usize, bool> = (0..class.len())
        .filter(|&c| useful[c])
        .map(|c| (class[c], heads.contains(&split.origin[c].0)))
        .collect();
    let loops = leading.values().filter(|is_head| **is_head).count();
    if loops > limits.heads || leading.len() > limits.size {
        return Round::TooMany;
    }
    let classes = Classes {
        edges,
        class,
        useful: &useful,
    };
    let (made, heads) = result(pool, &split, &heads, &classes);
    Round::Split(Box::new(made), heads)
}

/// Which copies become one, and which edges stay.
struct Classes<'s> {
    /// The edges out of each copy to where an error may follow.
    edges: Vec<Vec<&'s NewEdge>>,
    class: Vec<usize>,
    useful: &'s [bool],
}

fn result(
    pool: &mut Pool,
    split: &Split<'_>,
    heads: &FxHashSet<LocId>,
    classes: &Classes<'_>,
) -> (Transformed, Vec<LocId>) {
    let program = split.program;
    let Classes {
        edges,
        class,
        useful,
    } = classes;
    let mut leg = Leg::with_new_code(program);
    program
        .functions
        .ids()
        .for_each(|f| leg.add_function(Some(f)));
    let mut origins: IndexVec<LocId, LocId> = IndexVec::new();
    let mut new = Program {
        locations: IndexVec::new(),
        edges: IndexVec::new(),
        outputs: BTreeMap::new(),
        type_ranges: Default::default(),
        contracts: Vec::new(),
        texts: Vec::new(),
        memory: Default::default(),
        ..program.clone()
    };
    let mut members: Vec<usize> = Vec::new();
    for (copy, (loc, _)) in split.origin.iter().enumerate() {
        if class[copy] == members.len() {
            members.push(copy);
            new.locations.push(program.locations[*loc].clone());
            origins.push(*loc);
        }
    }
    let main = &program.functions[program.entry];
    let reached_exit = origins.iter_enumerated();
    let exit = reached_exit
        .filter(|(_, l)| **l == main.exit)
        .map(|(l, _)| l);
    let exit = exit.min().unwrap_or_else(|| {
        origins.push(main.exit);
        new.locations.push(program.locations[main.exit].clone())
    });
    // Other functions are never called: they keep one location for entry and exit.
    for (id, f) in new.functions.iter_mut().enumerate() {
        if id == program.entry.index() {
            (f.entry, f.exit) = (LocId::from_index(0), exit);
            continue;
        }
        let old = f.entry;
        let place = new.locations.push(program.locations[old].clone());
        new.locations[place].error = None;
        origins.push(old);
        (f.entry, f.exit) = (place, place);
    }
    for &copy in &members {
        for edge in &edges[copy] {
            let id = new.edges.push(Edge {
                from: LocId::from_index(class[copy]),
                to: LocId::from_index(class[edge.to]),
                stmt: split.statements[edge.stmt].clone(),
                span: program.edges[edge.origin].span,
            });
            leg.add_edge(Some(edge.origin));
            if let Some(call) = program.outputs.get(&edge.origin) {
                new.outputs.insert(id, call.clone());
            }
        }
    }
    let mut reached: FxHashSet<LocId> = FxHashSet::default();
    let mut head_copies: BTreeSet<LocId> = BTreeSet::new();
    for (copy, (loc, env)) in split.origin.iter().enumerate() {
        reached.insert(*loc);
        if !heads.contains(loc) {
            continue;
        }
        let equal: Vec<TermId> = env.iter().map(|&(t, c)| pool.eq(t, c)).collect();
        let known = pool.and(&equal);
        let piece = Piece {
            copy: LocId::from_index(class[copy]),
            known,
            harmless: !useful[copy],
        };
        head_copies.insert(piece.copy);
        leg.add_piece(*loc, piece);
    }
    for loc in program.locations.ids().filter(|l| !reached.contains(l)) {
        leg.add_fact(loc, Fact::Never);
    }
    for (loc, origin) in origins.iter_enumerated() {
        leg.set_location(loc, Place::At(*origin));
    }
    (
        Transformed::new(new, leg),
        head_copies.into_iter().collect(),
    )
}
