//! Candidate invariants from single statements anywhere in the program, seen from later on.
//!
//! Idea: after `assume c` or `x[i] := v` the facts `c` and `x[i] = v` hold until somebody changes
//! what they speak of, and `p := p + 4` keeps `p mod 4`. That a loop over a string stays inside it rests on
//! such facts (`mem[s + n - 1] = 0`, `size[s] = n`, `n <= 100`) and on the order of addresses
//! (`s <= p <= s + n - 1`), so all terms used as addresses are compared too. Random states refute
//! most of these guesses before a solver sees them (`samples`).

use crate::prepare::Prepared;
use base::FxHashSet;
use logic::{Op, Pool, Rational, Sort, TermId};
use program::{LocId, Program, Stmt, VarId};
use std::collections::BTreeMap;

/// Most address terms that are compared with one another, and most facts about stores.
const MOST_ADDRESSES: usize = 14;
const MOST_STORES: usize = 40;
const MOST_ASSUMED: usize = 60;
/// Residues of larger strides are taken to be zero.
const SMALL_STRIDE: i64 = 8;
/// Variables and constants in an address term.
const LONGEST: usize = 4;

pub struct Statements {
    /// Candidates for every loop head.
    pub facts: BTreeMap<LocId, Vec<TermId>>,
    /// Array reads at fixed places that the program stores at.
    pub cells: Vec<TermId>,
    /// `x mod c = r` for the steps of the program.
    pub residues: Vec<TermId>,
}

/// What the program's statements suggest.
pub fn candidates(pool: &mut Pool, prepared: &Prepared) -> Statements {
    let program = &prepared.program;
    let statements = program.edges.iter().map(|e| &e.stmt);
    let gathered = Gathered::from(pool, program, statements);
    let mut facts = gathered.stores;
    facts.extend(gathered.residues.clone());
    facts.extend(gathered.assumed);
    // What was assumed of a stored value holds of the cell, even when the variable is gone.
    let mut stored = logic::Substitution::new(gathered.sizes);
    for fact in facts.clone() {
        push_new(&mut facts, stored.apply(pool, fact));
    }
    let one = pool.int(1);
    let mut counts = gathered.cells.clone();
    counts.extend(&gathered.counters);
    for comparable in [&gathered.addresses, &counts] {
        for &a in comparable {
            for &b in comparable {
                if a != b {
                    let after = pool.add(&[a, one]);
                    facts.push(pool.le(a, b));
                    facts.push(pool.le(after, b));
                }
            }
        }
    }
    let heads = &prepared.graph.loop_heads;
    Statements {
        facts: heads.iter().map(|&head| (head, facts.clone())).collect(),
        cells: gathered.cells,
        residues: gathered.residues,
    }
}

/// What some statements store, and the residues they keep: the part of the candidates that is small
/// enough to be tried without samples.
pub fn stores_and_residues<'s>(
    pool: &mut Pool,
    program: &Program,
    statements: impl Iterator<Item = &'s Stmt>,
) -> Vec<TermId> {
    let gathered = Gathered::from(pool, program, statements);
    let mut facts = gathered.stores;
    facts.extend(gathered.residues);
    facts
}

#[derive(Default)]
struct Gathered {
    /// `x[i] = v` for the stores of the program.
    stores: Vec<TermId>,
    /// `x mod c = r` for the steps of the program.
    residues: Vec<TermId>,
    assumed: Vec<TermId>,
    addresses: Vec<TermId>,
    /// What is stored at fixed places (sizes of objects among others).
    cells: Vec<TermId>,
    /// The values stored there, and where.
    sizes: Vec<(TermId, TermId)>,
    /// Variables that something is added to.
    counters: Vec<TermId>,
}

impl Gathered {
    fn from<'s>(
        pool: &mut Pool,
        program: &Program,
        statements: impl Iterator<Item = &'s Stmt>,
    ) -> Self {
        let mut gathered = Gathered::default();
        for stmt in statements {
            match stmt {
                Stmt::Assign(list) => gathered.assignment(pool, program, list),
                Stmt::Assume(condition) => {
                    gathered.addresses_in(pool, &[*condition]);
                    gathered.assumption(pool, *condition);
                }
                Stmt::Skip | Stmt::Havoc(..) | Stmt::Call { .. } => {}
            }
        }
        gathered
    }

    fn assignment(&mut self, pool: &mut Pool, program: &Program, list: &[(VarId, TermId)]) {
        let values: Vec<TermId> = list.iter().map(|(_, t)| *t).collect();
        self.addresses_in(pool, &values);
        for &(var, value) in list {
            self.step(pool, program.vars[var].term, value);
        }
        let vars = &program.vars;
        // What an assigned variable was before lives on only in a copy that the same statement makes.
        let assigned: FxHashSet<TermId> = list.iter().map(|&(v, _)| vars[v].term).collect();
        let copies: Vec<(TermId, TermId)> = list
            .iter()
            .filter(|(_, t)| assigned.contains(t))
            .map(|&(v, t)| (t, vars[v].term))
            .collect();
        let lost: FxHashSet<TermId> = assigned
            .iter()
            .copied()
            .filter(|t| copies.iter().all(|(old, _)| old != t))
            .collect();
        let mut after = logic::Substitution::new(copies);
        for &(var, value) in list {
            let mut term = value;
            while pool.op(term) == Op::Store {
                let [array, index, stored] = *pool.args(term) else {
                    break;
                };
                term = array;
                let gone = pool
                    .post_order(&[index, stored])
                    .iter()
                    .any(|t| lost.contains(t));
                if gone || self.stores.len() >= MOST_STORES {
                    continue;
                }
                let index = after.apply(pool, index);
                let stored = after.apply(pool, stored);
                if matches!(pool.sort_kind(pool.sort_of(stored)), Sort::Array(..)) {
                    continue;
                }
                let read = pool.select(vars[var].term, index);
                let fixed =
                    pool.as_number(index).is_some() && pool.sort_of(read) == pool.int_sort();
                if fixed && self.cells.len() < MOST_ADDRESSES {
                    push_new(&mut self.cells, read);
                    if pool.as_number(stored).is_none() {
                        self.sizes.push((stored, read));
                    }
                }
                let fact = pool.eq(read, stored);
                push_new(&mut self.stores, fact);
            }
        }
    }

    /// `x := x + c` keeps the residue of `x`; which one, the samples say.
    fn step(&mut self, pool: &mut Pool, variable: TermId, value: TermId) {
        let value = match pool.op(value) {
            Op::Wrap { .. } => pool.args(value)[0],
            _ => value,
        };
        if pool.sort_of(value) != pool.int_sort() {
            return;
        }
        let sum = pool.linear(value);
        let [(of, factor)] = sum.terms.as_slice() else {
            return;
        };
        let Some(stride) = sum.constant.to_i64().and_then(i64::checked_abs) else {
            return;
        };
        if *of != variable || *factor != Rational::ONE {
            return;
        }
        if self.counters.len() < MOST_ADDRESSES {
            push_new(&mut self.counters, variable);
        }
        if stride < 2 {
            return;
        }
        let modulus = pool.int(stride);
        let rest = pool.modulo(variable, modulus);
        let residues = if stride <= SMALL_STRIDE { stride } else { 1 };
        for r in 0..residues {
            let r = pool.int(r);
            push_new(&mut self.residues, pool.eq(rest, r));
        }
    }

    /// The arithmetic atoms of an assumption, and their negations.
    fn assumption(&mut self, pool: &mut Pool, condition: TermId) {
        for t in pool.post_order(&[condition]) {
            let plain = match pool.op(t) {
                Op::Le | Op::Eq => {
                    let [a, b] = *pool.args(t) else { continue };
                    pool.sort_of(a) == pool.int_sort() && pool.symbols_of(&[a, b]).len() <= LONGEST
                }
                _ => false,
            };
            if plain && self.assumed.len() < MOST_ASSUMED {
                push_new(&mut self.assumed, t);
                push_new(&mut self.assumed, pool.not(t));
            }
        }
    }

    /// Terms that arrays of the program are read or written at.
    fn addresses_in(&mut self, pool: &mut Pool, roots: &[TermId]) {
        for t in pool.post_order(roots) {
            if !matches!(pool.op(t), Op::Select | Op::Store) {
                continue;
            }
            let mut index = pool.args(t)[1];
            // Objects are numbered by their addresses' leading digits.
            if pool.op(index) == Op::IntDiv {
                index = pool.args(index)[0];
            }
            let wanted = pool.sort_of(index) == pool.int_sort()
                && self.addresses.len() < MOST_ADDRESSES
                && !self.addresses.contains(&index)
                && is_plain(pool, index);
            if wanted {
                self.addresses.push(index);
            }
        }
    }
}

fn push_new(list: &mut Vec<TermId>, fact: TermId) {
    if !list.contains(&fact) {
        list.push(fact);
    }
}

/// A short linear term over variables.
fn is_plain(pool: &Pool, term: TermId) -> bool {
    let sum = pool.linear(term);
    let variable = |t: TermId| matches!(pool.op(t), Op::App(_)) && pool.args(t).is_empty();
    !sum.terms.is_empty()
        && sum.terms.len() <= LONGEST
        && sum.terms.iter().all(|(t, _)| variable(*t))
}
